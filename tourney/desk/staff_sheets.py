"""Views for printed sheets that only staff can see.

These are coming rounds, decks to check, and forms for decklists.
"""

from __future__ import annotations

from collections.abc import Iterator

from tourney.decks import cards_in_order, read
from tourney.desk.checking import ruleset_of
from tourney.desk.open_event import OpenEvent
from tourney.errors import TourneyError
from tourney.event.decks import deck_checks
from tourney.event.field import round_robin
from tourney.event.names import public
from tourney.event.phrases import unchecked
from tourney.event.state import Player, State
from tourney.event.view import DeckCheckView, ListedCard, ListedCards, ListFormView, ZoneFormView
from tourney.publish.sheets import ComingRound, StaffView
from tourney.rules.bounds import size_words
from tourney.rules.format import Format
from tourney.rules.vocabulary import SizeFile

LINES, MOST_LINES = 12, 60
"""Lines on a decklist form: for a part without a fixed size, and at most for any part."""


def staff_view(event: OpenEvent, kind: str, round_number: int | None, *, named: bool) -> StaffView:
    """Return the views that a kind of sheet shows to staff only.

    named: make a decklist form for each player whose list is missing, not one form without a name
    """
    return StaffView(
        system=event.state.settings.pairing.system,
        coming=tuple(_coming_rounds(event.state.for_players)) if kind == "empty" else (),
        checks=tuple(_checks(event, round_number)) if kind == "deck-checks" else (),
        forms=tuple(_list_forms(event, named=named)) if kind == "decklists" else (),
    )


def _coming_rounds(state: State) -> Iterator[ComingRound]:
    """Yield the rounds of a round robin that are not paired yet, without players who left.

    Before round 1 is paired, there are none.
    """
    if state.settings.pairing.system != "round-robin" or not state.rounds:
        return
    plan = round_robin(state, state.rounds[0].seed)
    gone = {*plan.players} - {player.id for player in state.playing}
    for number in range(len(state.rounds) + 1, len(plan.rounds) + 1):
        pairing = plan.round(number, gone=gone, first_table=state.settings.pairing.first_table)
        tables = tuple((table.number, table.seats) for table in pairing.tables)
        yield ComingRound(number=number, tables=tables, resting=pairing.byes)


def _checks(event: OpenEvent, round_number: int | None) -> Iterator[DeckCheckView]:
    """Yield the decks that were drawn in a round and are not checked yet.

    Players are shown with their full names.
    """
    state = event.state
    for check in deck_checks(state, event.texts):
        if not check.drawn or check.checked or check.round != round_number:
            continue
        player = state.players[check.id]
        zones, remark = _registered_list(event, player)
        yield DeckCheckView(
            player=player.id,
            name=player.name,
            round=state.rounds[check.round - 1].title,
            table=check.table or 0,
            zones=zones,
            remark=remark,
        )


def _registered_list(event: OpenEvent, player: Player) -> tuple[tuple[ListedCards, ...], str]:
    """Return the parts of a player's list, and its verdict.

    If the list cannot be shown, return no parts and the reason.
    """
    if player.deck is None:
        return (), "no list was handed in"
    try:
        ruleset = ruleset_of(event)
        decklist = read(event.deck_text(player.id), source="the list", format_=ruleset.format)
        parts = ruleset.format.parts
        zones = [(name, cards_in_order(decklist, ruleset, zone)) for zone, name in parts.items()]
    except TourneyError as fault:
        return (), fault.message
    return (
        tuple(
            ListedCards(zone=name, cards=tuple(ListedCard(*line) for line in cards))
            for name, cards in zones
            if cards
        ),
        ", ".join(filter(None, (player.deck.verdict, unchecked(event.state, player.deck)))),
    )


def _list_forms(event: OpenEvent, *, named: bool) -> Iterator[ListFormView]:
    """Yield one form without a name, or a form for each player whose list is missing.

    Raises TourneyError if no list is missing.
    """
    format_ = event.rules.format
    zones = tuple(_form_zones(format_))
    if not named:
        yield ListFormView(format=format_.name, zones=zones)
        return
    missing = [player.id for player in event.state.playing if player.deck is None and not player.waived]
    if not missing:
        raise TourneyError("no decklist is missing", "leave `--named` out for a form without a name")
    players = public(event.state).players
    for player in missing:
        yield ListFormView(format=format_.name, zones=zones, name=players[player].name, player=player)


def _form_zones(format_: Format) -> Iterator[ZoneFormView]:
    """Yield the parts of a list with their numbers of lines: one for each card, if they fit."""
    for part, name in format_.parts.items():
        zone = format_.zone(part)
        if zone is None:
            continue
        size = zone.size if isinstance(zone.size, SizeFile) else None
        bounds = (size.max, size.exactly, size.min) if size else ()
        most = next((bound for bound in bounds if isinstance(bound, int)), LINES)
        title = zone.title or (size_words(size) if size else "")
        yield ZoneFormView(
            name=name,
            size=", ".join(filter(None, [title, "may be missing" if zone.optional else ""])),
            rows=max(1, min(most, MOST_LINES)),
        )
