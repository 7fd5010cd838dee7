"""Players' decklists as anybody may see them, from when the organizer opens them: their cards by zone and type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from tourney.errors import TourneyError
from tourney.event.breakdown import FieldView, breakdown
from tourney.event.decks import decks_open, open_lists
from tourney.event.view import DecklistView, ListedCard, ListedCards

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.event.state import State
    from tourney.record import PlayerId
    from tourney.rules import Format, Ruleset
    from tourney.rules.expressions.deck import Deck, Slot

TYPES = ("type", "kind")
"""What pools call the sort of a card, the first that one has."""


def views(desk: Desk, state: State) -> tuple[tuple[DecklistView, ...], str]:
    """Return the lists that are open, and what the format calls who leads them.

    state: as anybody may see it. A list that was deleted by request is gone; of one that cannot be read any more, or where the
    rules cannot, the view says why.
    """
    players = open_lists(state)
    if not players:
        return (), ""
    try:
        ruleset = desk.rules.ruleset(desk.library)
        fault = ""
    except TourneyError as wrong:
        ruleset, fault = None, wrong.message
    leader = ruleset.format.leader if ruleset else None
    lists = (_view(desk, state, player, ruleset, fault) for player in players)
    return tuple(each for each in lists if each is not None), leader.rule.noun or "leader" if leader else ""


def _view(
    desk: Desk, state: State, player: PlayerId, ruleset: Ruleset | None, fault: str
) -> DecklistView | None:
    registered = state.players[player].deck
    assert registered is not None
    view = DecklistView(
        player=player, name=state.players[player].name, verdict=registered.verdict, note=fault
    )
    try:
        text = desk.journal.text(registered.text)
        if text is None:
            return None
        if ruleset is None:
            return view
        deck = read_deck(text, ruleset)
    except TourneyError as wrong:
        return replace(view, note=wrong.message)
    return replace(
        view,
        kind=_kind(deck, ruleset),
        led=", ".join(slot.card.name for slot in deck.leader.slots),
        groups=tuple(_groups(deck, ruleset)),
    )


def field(state: State, lists: Sequence[DecklistView], format_: Format | None) -> FieldView | None:
    """Return the field by what decks are; None unless everybody's lists are open, and where the format does not say by what.

    What a player's tag tells of a deck is told from when lists would be open, also of who handed none in.
    """
    by = format_.field if format_ is not None else None
    if by is None or format_ is None or state.settings.decklists == "cut" or not decks_open(state):
        return None
    leader = format_.leader.rule.noun if format_.leader and by.by == "leader" else ""
    if by.tag:
        kinds = {
            each.id: each.tags[by.tag][1]
            for each in state.players.values()
            if by.tag in each.tags and not each.erased
        }
    else:
        kinds = {each.player: each.kind for each in lists if each.kind}
    if not kinds:
        return None
    results = (table.result for each in state.rounds for table in each.tables.values() if table.result)
    through = state.cut.players if state.cut is not None and state.cut.after else ()
    return breakdown(
        by.noun or leader or by.tag or by.by,
        kinds,
        results,
        unknown=len(state.players) - len(kinds),
        cut=through,
    )


def _kind(deck: Deck, ruleset: Ruleset) -> str:
    """Return what a deck is counted as; by an attribute the value that most cards have, the first of equals."""
    by = ruleset.format.field
    if by is None or by.tag:
        return ""
    if by.by == "leader":
        return ", ".join(slot.card.name for slot in deck.leader.slots)
    copies: Counter[str] = Counter()
    for slot in deck.slots:
        value = slot.card.attributes.get(by.by)
        for each in value if isinstance(value, tuple | list | frozenset) else (value,):
            if each not in {None, "none", "neutral", ""}:
                copies[str(each)] += slot.qty
    return min(copies, key=lambda value: (-copies[value], value), default="")


def read_deck(text: str, ruleset: Ruleset) -> Deck:
    """Return the cards of a registered list. Raises TourneyError where it cannot be read."""
    from tourney.decks.checking import cards_of
    from tourney.decks.reading import read
    from tourney.decks.reading.lines import vocabulary_of

    return cards_of(read(text, source="the list", vocabulary=vocabulary_of(ruleset.format)), ruleset)


def _groups(deck: Deck, ruleset: Ruleset) -> Iterator[ListedCards]:
    places = {zone.rule.id: place for place, zone in enumerate(ruleset.format.zones)}
    names = {zone.rule.id: zone.rule.name or zone.rule.id for zone in ruleset.format.zones}
    if ruleset.format.leader:
        rule = ruleset.format.leader.rule
        places[rule.zone] = -1
        if names.get(rule.zone, rule.zone) == rule.zone:
            names[rule.zone] = (rule.noun or rule.zone).capitalize()

    def key(slot: Slot) -> tuple[int, str, bool, str]:
        kind = _type(slot)
        return places.get(slot.zone, len(places)), slot.zone, not kind, kind

    for (_, zone, _, kind), slots in groupby(sorted(deck.slots, key=key), key=key):
        yield ListedCards(
            zone=names.get(zone, zone),
            type=kind,
            cards=tuple(ListedCard(slot.qty, slot.card.name) for slot in slots),
        )


def _type(slot: Slot) -> str:
    known = (slot.card.attributes.get(name) for name in TYPES)
    value = next((each for each in known if each is not None), "")
    return " ".join(map(str, value)) if isinstance(value, tuple | list | frozenset) else str(value)
