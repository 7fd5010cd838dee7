"""Decklists that several players use: all players of an event, or the players of one table.

The format says which parts of a deck these are (`shared` and `agreed` in a `[[zone]]`). A shared part is
registered with the event, and all players use it. An agreed part is in the players' lists, and must be the
same for all players of a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec.structs import replace

import tourney.decks as decklists
from tourney.cards.names import fold, nearest
from tourney.desk.open_event import OpenEvent, WritableEvent
from tourney.desk.receipts import Receipt
from tourney.desk.registration import DeckReceipt, judge_deck, part_label, ruleset_of, sharable_parts
from tourney.errors import TourneyError
from tourney.event import decks
from tourney.event.documents import AgreedDeck
from tourney.event.kind import Decision, EventChange
from tourney.event.phrases import at_tables, unchecked_part
from tourney.event.state import RegisteredDeck, Round
from tourney.event.view import ListedCard, SharedDeckView
from tourney.record import PlayerId
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.rules.ruleset import Ruleset
    from tourney.rules.vocabulary import ZoneFile

MOST_NAMED = 3
"""The maximum number of tables with different lists that are named in separate warnings."""

Seats = tuple[int, tuple[PlayerId, ...]]
"""A table's number and its players."""


def find_part(event: OpenEvent, name: str) -> ZoneFile:
    """Return the part of a deck with this id, name or header, if players can share it.

    Raises TourneyError if there is no such part. The message lists the parts that players can share, if any.
    """
    format_ = event.rules.format
    parts = sharable_parts(format_)
    if not parts:
        raise TourneyError(
            f"in {format_.id} players do not share decks: every player has a list",
            "`tourney player deck NAME FILE`",
        )
    by_word = {fold(word): part for part in parts for word in (part.id, part.name, *part.headers) if word}
    if fold(name) in by_word:
        return by_word[fold(name)]
    nearest_word = nearest(name, by_word)
    suggestion = f"did you mean `{by_word[fold(nearest_word)].id}`? " if nearest_word else ""
    choices = listed((f"`{part.id}`" for part in parts), "or")
    raise TourneyError(
        f"there is no part `{name}` that all players can share", f"{suggestion}choose {choices}"
    )


def share_deck(
    event: WritableEvent,
    part: str,
    data: str | bytes,
    *,
    source: str,
    table: int | None = None,
    trust_declared: bool = False,
    anyway: bool = False,
) -> DeckReceipt:
    """Check a list that several players use, and register it unless it is illegal.

    An example is a mission deck.

    part:  the id, name or header of the part of a deck
    table: register it for the players of this table of the current round, who agreed on it; None: for all
           players
    data, source, trust_declared, anyway: see `submit_deck`
    """
    zone = find_part(event, part)
    ruleset = ruleset_of(event)
    if not ruleset.shares.get(zone.id):
        raise TourneyError(
            f"by the settings of this event, every player brings their own {part_label(zone)}",
            _hint_to_share(ruleset, zone.id),
        )
    if table is not None:
        _refuse_for_a_table(event, zone)
    judged_list = judge_deck(
        event, data, source=source, trust_declared=trust_declared, ruleset=ruleset.part((zone.id,))
    )
    verdict = judged_list.verdict
    if verdict.verdict == "illegal" and not anyway:
        refusal = f"The {part_label(zone)} is illegal and was not registered."
        return DeckReceipt.with_verdict(Receipt(state=event.state, changed=(refusal,)), verdict)
    deck, uses_declared_facts = judged_list.to_register(), bool(verdict.facts_used)

    def decide(change: EventChange) -> Decision:
        if table is not None:
            return decks.agree(
                change, table, zone.id, part_label(zone), deck, is_declared=uses_declared_facts
            )
        return decks.share(
            change,
            zone.id,
            part_label(zone),
            deck,
            is_declared=uses_declared_facts,
            lock_text=event.lock_text(change.state),
            anyway=anyway,
        )

    return DeckReceipt.with_verdict(event.write(decide), verdict)


def _refuse_for_a_table(event: OpenEvent, part: ZoneFile) -> None:
    """Raise TourneyError if a single table cannot have its own list for this part of the deck.

    This is the case if the format does not allow it, or if the event has one such list for all players.
    """
    if not part.agreed:
        raise TourneyError(
            f"in this format, the players at a table cannot agree on their own {part_label(part)}",
            f"`tourney event deck {part.id} FILE` registers a list for all players",
        )
    if part.id in event.state.shared:
        raise TourneyError(
            f"the event has one {part_label(part)} for all players, so a table cannot have its own",
            f"`tourney event deck {part.id} FILE` replaces the list for all players",
        )


def _hint_to_share(ruleset: Ruleset, part: str) -> str | None:
    """Return a hint with the command that allows one list for all players.

    The command changes one setting of the event's format. Returns None if no single setting allows this.

    part: the id of the part of the deck (a zone) that this list contains
    """
    for name, setting in ruleset.format.settings.items():
        for choice in setting.choices:
            settings = {**ruleset.settings, name: choice}
            if replace(ruleset, settings=settings).shares.get(part):
                command = f"tourney event change --set {name}={choice}"
                return f"`{command}` lets the organizer bring one list for all players"
    return None


def shared_text(event: OpenEvent, part: ZoneFile, table: int | None = None) -> str:
    """Return the text of a list that all players use, or that a table agreed on.

    The table is one of the current round. Raises TourneyError if there is no such list, or if its text was
    deleted.
    """
    command = f"tourney event deck {part.id} FILE"
    if table is None:
        deck = event.state.shared.get(part.id)
        refusal = f"the event has no {part_label(part)} for all players", f"`{command}`"
    else:
        round_ = event.state.round
        round_table = round_.tables.get(table) if round_ else None
        deck = round_.agreed_at(round_table).get(part.id) if round_ and round_table else None
        refusal = (
            f"table {table} has not registered its own {part_label(part)}",
            f"`{command} --table {table}`",
        )
    if deck is None:
        raise TourneyError(*refusal)
    return _text(event, deck, part)


def _text(event: OpenEvent, deck: RegisteredDeck, part: ZoneFile) -> str:
    hint = f"register it again: `tourney event deck {part.id} FILE`"
    try:
        text = event.journal.text(deck.text)
    except TourneyError:
        raise TourneyError(f"the {part_label(part)} of the event is damaged", hint) from None
    if text is None:
        message = f"the text of the {part_label(part)} was deleted: it named a person whose data was deleted"
        raise TourneyError(message, hint)
    return text


# -- views of shared lists, and warnings about missing ones


def _shared_parts(event: OpenEvent) -> tuple[tuple[ZoneFile, ...], Ruleset | None]:
    """Return the parts of a deck that several players may use, and the event's rules.

    Returns no parts and None if there are no such parts, or if the rules cannot be read, which `event check`
    reports.
    """
    try:
        zones = event.rules.format.zones if event.rules.may_share else ()
        parts = tuple(zone.rule for zone in zones if zone.rule.shared is not False or zone.rule.at_table)
        return parts, event.rules.ruleset(event.library) if parts else None
    except TourneyError:
        return (), None


def shared_deck_views(event: OpenEvent) -> tuple[SharedDeckView, ...]:
    """Return each part of a deck that all players share, even if no list is registered for it.

    The cards are in the order of the registered list.
    """
    parts, ruleset = _shared_parts(event)
    if ruleset is None:
        return ()
    return tuple(
        _view(event, ruleset, part, event.state.shared.get(part.id))
        for part in parts
        if part.id in event.state.shared or (ruleset.shares.get(part.id) and not part.agreed)
    )


def agreed_decks_by_table(event: OpenEvent, round_: Round) -> dict[int, tuple[SharedDeckView, ...]]:
    """Return number of a table → the shared decklists on which its players agreed.

    Tables whose players agreed on no list are left out.
    """
    parts, ruleset = _shared_parts(event)
    if ruleset is None:
        return {}
    by_id = {part.id: part for part in parts}
    return {
        number: tuple(_view(event, ruleset, by_id[part], deck) for part, deck in agreed_decks.items())
        for number, table in round_.tables.items()
        if (agreed_decks := round_.agreed_at(table))
    }


def _view(event: OpenEvent, ruleset: Ruleset, part: ZoneFile, deck: RegisteredDeck | None) -> SharedDeckView:
    if deck is None:
        return SharedDeckView(part=part.id, name=part.name or part.id)
    try:
        cards, note = _cards(_text(event, deck, part), ruleset.part((part.id,)), part.id), ""
    except TourneyError as fault:
        cards, note = (), fault.message
    return SharedDeckView(
        part=part.id,
        name=part.name or part.id,
        verdict=deck.verdict,
        entry=deck.entry,
        cards=tuple(ListedCard(*line) for line in cards),
        note=note,
        ordered=part.agreed,
        unchecked=unchecked_part(event.state, deck),
    )


def _cards(text: str, ruleset: Ruleset, part: str) -> tuple[tuple[int, str], ...]:
    return decklists.cards_in_order(
        decklists.read(text, source="the list", format_=ruleset.format), ruleset, part
    )


def agreements(event: OpenEvent) -> tuple[AgreedDeck, ...]:
    """Return the decklists that the players of a table agreed on, for the current round."""
    round_ = event.state.round
    if round_ is None or not round_.agreed:
        return ()
    names = {part.id: part.name or part.id for part in sharable_parts(event.rules.format)}
    return tuple(
        AgreedDeck(number, part, names.get(part, part), deck.verdict, deck.entry)
        for number, table in round_.tables.items()
        for part, deck in round_.agreed_at(table).items()
    )


def missing_list_warnings(event: OpenEvent, tables: Iterable[Seats]) -> Iterator[str]:
    """Yield warnings about lists that tables still need.

    These are lists for all players, lists that a player of each table must bring, and lists on which the
    players of each table must agree.

    tables: the number and the players of each table

    A list that cannot be read causes no warning here, because other commands report it.
    """
    parts, ruleset = _shared_parts(event)
    if ruleset is None:
        return
    tables = tuple(tables)
    for part in parts:
        if part.id in event.state.shared:
            continue
        if part.at_table and not ruleset.shares.get(part.id):
            yield from _missing_part_warnings(event, ruleset, part, tables)
        elif part.agreed:
            yield from _agreement_warnings(event, ruleset, part, tables)
        elif ruleset.shares.get(part.id):
            yield (
                f"the event has no {part_label(part)} yet, which all players need:"
                f" `tourney event deck {part.id} FILE`"
            )


def _missing_part_warnings(
    event: OpenEvent, ruleset: Ruleset, part: ZoneFile, tables: Iterable[Seats]
) -> Iterator[str]:
    """Yield a warning that names the tables where no player's list contains `part`.

    Tables where no player has a list are left out.
    """
    roster = event.state.players
    tables_without = [
        number
        for number, players in tables
        if len(players) > 1
        and any(roster[player].deck for player in players)
        and not any(_player_cards(event, ruleset, part, player) for player in players)
    ]
    if tables_without:
        need = f"no player has a {part_label(part)} in their list, but each table needs one"
        remedy = _hint_to_share(ruleset, part.id)
        yield f"{at_tables(tables_without)}: {need}" + (f"; {remedy}" if remedy else "")


def _agreement_warnings(
    event: OpenEvent, ruleset: Ruleset, part: ZoneFile, tables: Iterable[Seats]
) -> Iterator[str]:
    name, round_ = event.state.name_of, event.state.round
    agreed_groups = {players for id_, players in round_.agreed if id_ == part.id} if round_ else set()
    seats = [
        (number, players)
        for number, players in tables
        if len(players) > 1 and frozenset(players) not in agreed_groups
    ]
    lists = {
        player: _player_cards(event, ruleset, part, player) for _, players in seats for player in players
    }
    players_without = [name(player) for player, cards in lists.items() if not cards]
    if players_without:
        yield (
            f"no {part_label(part)} from {listed_short(players_without)}: "
            "the players at a table must agree on the same one;"
            f" `tourney event deck {part.id} FILE --table N` registers it for a table,"
            " and without `--table` for all players"
        )
    disagreements = [
        f"table {number}: {difference}"
        for number, players in seats
        if all(lists[player] for player in players)
        and (difference := _difference(part, [(name(player), lists[player]) for player in players]))
    ]
    yield from disagreements[:MOST_NAMED]
    if len(disagreements) > MOST_NAMED:
        yield f"the lists also differ at {counted(len(disagreements) - MOST_NAMED, 'more table')}"
    if disagreements:
        yield f"register the list on which a table agrees: `tourney event deck {part.id} FILE --table N`"


def _player_cards(event: OpenEvent, ruleset: Ruleset, part: ZoneFile, player: PlayerId) -> tuple[str, ...]:
    """Return the names of the cards in one zone of a player's list, in the list's order.

    The name of a card is repeated for each copy. The result is empty if the player has no list, if the list
    cannot be read, or if it has no cards in the zone.

    part: the zone
    """
    if event.state.players[player].deck is None:
        return ()
    try:
        cards = _cards(event.deck_text(player), ruleset, part.id)
    except TourneyError:
        return ()
    return tuple(card for copies, card in cards for _ in range(copies))


def _difference(part: ZoneFile, lists: list[tuple[str, tuple[str, ...]]]) -> str:
    """Return a sentence about the first position at which lists differ; empty if they are equal."""
    (one, first), *others = lists
    for other, second in others:
        for place, (card, other_card) in enumerate(zip_longest(first, second), start=1):
            if card is None or other_card is None or fold(card) != fold(other_card):
                return (
                    f"{listed(name for name, _ in lists)} do not have the same {part_label(part)}: "
                    f"position {place} is"
                    f" {card or 'nothing'} for {one}, {other_card or 'nothing'} for {other}"
                )
    return ""
