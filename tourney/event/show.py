"""The event as plain data: what `event show --json` prints, and what the state digest is made of.

The state digest is the SHA-256 of this data without names, as canonical JSON: keys sorted, no spaces, UTF-8. Where a
name or another personal text stands, the digest has its ref, so that deleting a person's texts changes nothing. When
and by whom something was entered is not part of it: an event that was undone and redone is the same again.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from tourney.event.state import Player, Remark, Round, State
from tourney.event.words import UNSEATED, NameOf, names_of, result_text, seats_text
from tourney.record import Result, Table

SCHEMA = "tourney.event/1"


def show(state: State, *, named: bool = True) -> dict[str, Any]:
    """Return the event as plain data. named: with names; without, refs stand in their places."""
    return {
        "schema": SCHEMA,
        "name": state.name if named else state.name_ref,
        "format": state.format,
        "created": state.created,
        "on": state.on,
        "closed": state.closed,
        "sealed": state.sealed,
        "secret": {"sha256": state.secret_digest, "revealed": state.revealed},
        **_settings(state),
        "rules": [
            {"kind": each.kind, "name": each.name, "day": each.day or None, "sha256": each.text}
            for each in state.rules
        ],
        "players": [_player(each, named=named) for each in state.players.values()],
        "rounds": [_round(each) for each in state.rounds],
        "forced": sorted([each.round, list(each.players), each.table or 0] for each in state.forced),
        "forbidden": sorted([list(each.players), each.hard] for each in state.forbidden),
        "cut": _cut(state),
        "penalties": _remarks(state.penalties),
        "audits": _remarks(state.audits),
    }


def _settings(state: State) -> dict[str, Any]:
    """Return the settings, and the beacon of an event that has one: one without keeps the digest it always had."""
    settings = msgspec.structs.asdict(state.settings)
    source = settings.pop("beacon")
    value = state.beacon.value if state.beacon else None
    return {"settings": settings} | (
        {"beacon": {"source": source, "value": value}} if source or value else {}
    )


def state_digest(state: State) -> str:
    """Return the SHA-256 of the canonical JSON of the event without names, in hexadecimal."""
    return sha256(msgspec.json.encode(show(state, named=False), order="sorted")).hexdigest()


def _player(player: Player, *, named: bool) -> dict[str, Any]:
    return {
        "number": player.id,
        "name": player.name if named else player.name_ref,
        "since": player.since,
        "late": player.late.value,
        "rating": player.rating,
        "tags": {kind: text if named else ref for kind, (ref, text) in player.tags.items()},
        "byes": {str(number): outcome.value for number, outcome in sorted(player.byes.items())},
        "table": player.table,
        "dropped": player.dropped,
        "disqualified": player.disqualified,
        "deck": {"sha256": player.deck.text, "verdict": player.deck.verdict} if player.deck else None,
        "waived": player.waived,
        "checked_in": player.checked_in,
    }


def _round(known: Round) -> dict[str, Any]:
    return {
        "round": known.number,
        "title": known.title,
        "stage": known.stage,
        "system": known.system,
        "seed": known.seed,
        "engine": known.engine,
        "proof": {"cost": known.proof.cost, "bound": known.proof.bound, "text": known.proof.text},
        "tables": [
            {
                "table": number,
                "label": known.labels.get(number),
                "players": table.seats,
                "result": _result(table.result, known.notes.get(number, "")),
                "extended": known.extended.get(number, 0),
            }
            for number, table in known.tables.items()
        ],
        "byes": {str(player): outcome.value for player, outcome in known.byes.items()},
        "minutes": known.minutes if known.started else None,
    }


def _result(result: Result | None, note: str) -> dict[str, Any] | None:
    if result is None:
        return None
    seats = [
        {
            "player": seat.player,
            "outcome": seat.outcome.value,
            "place": seat.place,
            "games": seat.games,
            "score": seat.score,
        }
        for seat in result.seats
    ]
    return {"seats": seats, "drawn_games": result.drawn_games, "note": note}


def _cut(state: State) -> dict[str, Any] | None:
    cut = state.cut
    if cut is None:
        return None
    return {
        "players": cut.players,
        "after": cut.after,
        "kind": cut.kind,
        "reseed": cut.reseed,
        "third_place": cut.third_place,
        "vacancy": cut.vacancy,
    }


def _remarks(remarks: tuple[Remark, ...]) -> list[list[Any]]:
    return sorted([each.round, each.player, each.kind, each.text or ""] for each in remarks)


def summary(state: State) -> dict[str, Any]:
    """Return the event for people, as a TOML file holds it: no refs, no nulls, a line for each table."""
    name = names_of(state)
    return {
        "event": {
            "name": state.name,
            "format": state.format,
            "banlist": state.banlist or "none",
            "profile": state.profile,
            "begun": state.created,
            "entries": state.entry,
            "digest": state.digest,
            "state": state_digest(state),
        },
        "players": [_in_words(player) for player in state.players.values()],
        "rounds": [
            {
                "round": known.title,
                "tables": [_table_line(known, table, name) for table in known.tables.values()],
                "without": [f"{name(player)}: {UNSEATED[outcome]}" for player, outcome in known.byes.items()],
            }
            for known in state.rounds
        ],
    }


def _in_words(player: Player) -> dict[str, Any]:
    facts: dict[str, Any] = {"number": player.id, "name": player.name}
    facts |= {"rating": player.rating} if player.rating is not None else {}
    facts |= {"tags": {kind: text for kind, (_, text) in player.tags.items()}} if player.tags else {}
    facts |= {"dropped after round": player.dropped} if player.dropped is not None else {}
    facts |= {"disqualified": True} if player.disqualified is not None else {}
    return facts


def _table_line(known: Round, table: Table, name: NameOf) -> str:
    if table.result is None:
        return f"{table.number}: {seats_text(table.seats, name)}"
    return f"{table.number}: {result_text(table.result, name, known.notes.get(table.number, ''))}"
