"""Deck checks: draw tables for them, and record their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Texts, written
from tourney.event.kind import (
    NO_MARKS,
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    Footprint,
    marks,
    no_such_round,
    player_marks,
    round_of,
)
from tourney.event.phrases import names_of
from tourney.event.state import Entered, Remark, Round, State, StateDraft
from tourney.event.titles import in_a_sentence
from tourney.record import Outcome, PlayerId
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.decks import Changed

# -- drawing tables


DRAW_METHOD = "falling weights 2"
"""Name and version of the method of `draw_tables`. A change of the method needs a new name."""


class TableDraw(NamedTuple):
    """The drawn tables, in the order of the draw, and the players whose decks are checked."""

    tables: tuple[int, ...]
    players: tuple[PlayerId, ...]


def draw_tables(state: State, round_: Round, seed: str, wanted: int) -> TableDraw:
    """Draw up to `wanted` open tables of a round by a seed (`tourney.event.field.audit_seed`).

    Players without a decklist are not drawn, unless no player in the event has a decklist: then lists are
    kept on paper. Only players with the fewest checks, of all who are present in the round, are drawn. A
    table is drawn only if such a player sits there, and the draw ends when no open table has such a player.

    If n tables can be drawn, the table with the lowest number has n lots, the next n−1, and the last 1. So
    every table can be drawn, and top tables are drawn more often. The lot of the k-th table of a draw is
    SHA-256 of the seed, a slash and k (from 0), modulo the number of lots.
    """
    times, candidates = count_checks(state), _candidates(state, round_)
    open_tables = {number: round_.tables[number] for number in round_.playing}
    tables: list[int] = []
    players: list[PlayerId] = []
    while open_tables and candidates and len(tables) < wanted:
        least = min(times[player] for player in candidates)
        due = {
            number: [player for player in table.seats if player in candidates and times[player] == least]
            for number, table in open_tables.items()
        }
        numbers = [number for number in sorted(due) if due[number]]
        if not numbers:
            break
        lot = int.from_bytes(sha256(f"{seed}/{len(tables)}".encode()).digest())
        number = numbers[_place_of_lot(lot, len(numbers))]
        tables.append(number)
        players += due[number]
        times.update(due[number])
        del open_tables[number]
    return TableDraw(tuple(tables), tuple(players))


def _candidates(state: State, round_: Round) -> set[PlayerId]:
    """Return the players whose decks can be checked in a round.

    These are the players at open tables, and those who are still in the event and not absent from the round.
    If any player in the event has a decklist, players without a decklist are left out.
    """
    here = {
        player
        for table in round_.tables.values()
        for player in table.seats
        if table.result is None or state.players[player].playing
    }
    here |= {
        player
        for player, kind in round_.byes.items()
        if kind is not Outcome.ABSENT and state.players[player].playing
    }
    return _with_lists(state, here)


def _with_lists(state: State, players: set[PlayerId]) -> set[PlayerId]:
    if not any(player.deck for player in state.players.values()):
        return players
    return {player for player in players if state.players[player].deck}


def count_checks(state: State) -> Counter[PlayerId]:
    """Count how often each player's deck was drawn or checked.

    A draw and a check in the same round count once.
    """
    rounds = {(player, draw.round) for draw in state.draws for player in draw.players}
    rounds |= {(audit.player, audit.round) for audit in state.audits}
    return Counter(player for player, _ in rounds)


def _place_of_lot(lot: int, tables: int) -> int:
    """Return the index of the table that a lot belongs to.

    Of n tables, the first has n lots, the last one.

    >>> [_place_of_lot(lot, 3) for lot in range(7)]
    [0, 0, 0, 1, 1, 2, 0]
    """
    lot %= tables * (tables + 1) // 2
    place = 0
    while lot >= tables - place:
        lot -= tables - place
        place += 1
    return place


def count_draws(state: State) -> int:
    """Return the number of draws in the current round."""
    return sum(draw.round == len(state.rounds) for draw in state.draws)


def draw(change: EventChange, seed: str, wanted: int) -> Decision:
    """Draw tables of the current round for deck checks.

    Raises TourneyError if no table can be drawn.
    """
    state = change.open_event()
    round_ = round_of(state, None)
    title, name, times = in_a_sentence(round_.title), names_of(state), count_checks(state)
    record_hint = "`tourney audit record PLAYER` records a check"
    if not round_.playing:
        raise TourneyError(f"all tables of {title} have results, so no deck can be drawn", record_hint)
    drawn = draw_tables(state, round_, seed, wanted)
    if not drawn.tables:
        candidates = _candidates(state, round_)
        if not candidates:
            raise TourneyError(
                f"no player in {title} has a decklist",
                f"`tourney player deck NAME FILE` registers one; {record_hint}",
            )
        least = min(times[player] for player in candidates)
        due = [name(player) for player in sorted(candidates) if times[player] == least]
        raise TourneyError(
            f"all players at open tables were drawn or checked already; not yet {listed_short(due)}",
            f"draw again in the next round; {record_hint}",
        )
    warnings = []
    if len(drawn.tables) < wanted:
        warnings.append(f"only {counted(len(drawn.tables), 'table')} can be drawn for a check now")
    seated = {player for number in drawn.tables for player in round_.tables[number].seats}
    if unlisted := sorted(seated - _with_lists(state, seated)):
        warnings.append(
            f"players without a decklist are not drawn: {listed_short([name(player) for player in unlisted])}"
        )
    if again := [name(player) for player in drawn.players if times[player]]:
        warnings.append(
            f"all players were checked already, so these are checked again: {listed_short(again)}"
        )
    op = ops.AuditDrawn(
        round=round_.number, tables=drawn.tables, players=drawn.players, seed=seed, method=DRAW_METHOD
    )
    return Decision(op=op, warnings=tuple(warnings))


def _apply_drawn(draft: StateDraft, op: ops.AuditDrawn, _at: Entered, _texts: Texts) -> None:
    draft.draws.append(op)


def _describe_drawn(op: ops.AuditDrawn, context: EventReading) -> str:
    word = "table" if len(op.tables) == 1 else "tables"
    return f"Deck checks in round {op.round}, {word} {listed(op.tables)}: {context.names(op.players)}"


def _footprint_of_drawn(op: ops.AuditDrawn) -> Footprint:
    own = marks(("drawn", op.round))
    return Footprint(own, own | marks(("round", op.round)) | player_marks(op.players))


def _faults_of_drawn(op: ops.AuditDrawn) -> Iterator[str]:
    if not op.tables or not op.players:
        yield "it draws no players"


# -- checking decks


def record(change: EventChange, who: str | PlayerId, *, clean: bool, found: str | None = None) -> Decision:
    """Record a deck check. found: the problems; required unless the deck is `clean`."""
    state, player = change.open_event(), change.player(who)
    remark = change.reason(found, "audit")
    if not clean and remark is None:
        raise TourneyError(f"the deck of {state.players[player].name} was not in order: write what was wrong")
    return Decision(op=ops.AuditRecorded(player=player, round=len(state.rounds), clean=clean, remark=remark))


_CLEAN, _PROBLEM = "clean deck", "deck problem"
"""The kinds of remarks about deck checks."""


class DeckCheckRow(msgspec.Struct, frozen=True):
    """A deck that was drawn or checked.

    round: the number of the round; 0 before the first
    table: the number of the player's table; null before the first round, and for a player without a table
    id: the player's number
    player: the player's name
    drawn: whether the deck was drawn
    checked: whether the check was recorded
    clean: whether the deck was in order; null if it was not checked yet
    found: the judge's remark; null if there is none
    entry: the number of the journal entry with the result; null if it was not checked yet
    """

    round: int
    table: int | None
    id: PlayerId
    player: str
    drawn: bool
    checked: bool
    clean: bool | None
    found: str | None
    entry: int | None


def deck_checks(state: State, texts: Texts) -> Iterator[DeckCheckRow]:
    """Yield the deck checks by round.

    In each round, drawn decks come first, in order of the draw.
    """
    drawn = [(draw.round, player) for draw in state.draws for player in draw.players]
    records: dict[tuple[int, PlayerId], list[Remark]] = {}
    for audit in state.audits:
        records.setdefault((audit.round, audit.player), []).append(audit)
    for key in sorted(dict.fromkeys([*drawn, *records]), key=lambda key: key[0]):
        number, player = key
        table = state.rounds[number - 1].table_of(player) if 0 < number <= len(state.rounds) else None
        remarks: list[Remark] | list[None] = records.get(key) or [None]
        for remark in remarks:
            yield DeckCheckRow(
                round=number,
                table=table.number if table else None,
                id=player,
                player=state.players[player].name,
                drawn=key in drawn,
                checked=remark is not None,
                clean=remark.kind == _CLEAN if remark else None,
                found=(written(remark.text, texts) or None) if remark else None,
                entry=remark.entry if remark else None,
            )


_LONGEST_DIFFERENCE = 300
"""The most characters that a difference may take in a note, so that a judge can add text."""


def difference_words(changes: Sequence[Changed]) -> str:
    """Describe how a deck differs from the registered list, as in `3 instead of 4 Ember Fox`.

    Lists as many changes as fit into a note, and counts the others. Empty if there are no changes.
    """
    has_zones = len({change.zone for change in changes}) > 1
    parts = [
        f"{change.after} instead of {change.before} {change.card}"
        + (f" ({change.zone})" if has_zones else "")
        for change in changes
    ]
    words = ", ".join(parts)
    for shown in range(len(parts) - 1, -1, -1):
        if len(words) <= _LONGEST_DIFFERENCE:
            break
        words = ", ".join([*parts[:shown], f"{len(parts) - shown} more"])
    return words


def _apply_recorded(draft: StateDraft, op: ops.AuditRecorded, at: Entered, _texts: Texts) -> None:
    kind = _CLEAN if op.clean else _PROBLEM
    draft.audits.append(Remark(entry=at.entry, player=op.player, round=op.round, kind=kind, text=op.remark))


def _describe_recorded(op: ops.AuditRecorded, context: EventReading) -> str:
    order = "was in order" if op.clean else "was not in order"
    return f"The deck of {context.name(op.player)} {order} in round {op.round}{context.why(op.remark)}"


def _footprint_of_recorded(op: ops.AuditRecorded) -> Footprint:
    return Footprint(NO_MARKS, player_marks((op.player,)))


KINDS = (
    EntryKind(
        ops.AuditDrawn,
        _apply_drawn,
        _describe_drawn,
        _footprint_of_drawn,
        faults=_faults_of_drawn,
        misfits=no_such_round,
    ),
    EntryKind(ops.AuditRecorded, _apply_recorded, _describe_recorded, _footprint_of_recorded),
)
"""The kinds of entries about deck checks, in the order of `tourney.event.ops`."""
