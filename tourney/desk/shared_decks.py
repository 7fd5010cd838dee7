"""Lists that more than one player plays with: the event's own for everybody, and those that a table agrees upon.

Which parts of a deck those are says the format (`shared`, `agreed` of a `[[zone]]`). A shared part is registered with the
event and serves everybody; an agreed one stands in the players' own lists and has to be the same at both sides of a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from tourney.cards.names import fold, nearest
from tourney.desk.open_event import DeckReceipt, Receipt
from tourney.desk.registration import pool_lines
from tourney.errors import TourneyError, as_rules_error
from tourney.event import decks
from tourney.event.phrases import at_tables, names_of, unchecked
from tourney.event.players import JudgedDeck
from tourney.event.state import RegisteredDeck, Round, State
from tourney.record import PlayerId
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.decks import Decklist
    from tourney.desk.desk import Desk
    from tourney.event.documents import AgreedDeck
    from tourney.event.entry import Sealing
    from tourney.event.kind import Decision
    from tourney.event.view import SharedDeckView
    from tourney.rules.format import Format
    from tourney.rules.ruleset import Ruleset
    from tourney.rules.vocabulary import ZoneFile

MOST_TOLD = 3
"""Tables at which what should be agreed upon is not, told one by one."""


def sharable(format_: Format) -> tuple[ZoneFile, ...]:
    """Return the parts of a deck that an event of this format may have for everybody."""
    return tuple(zone.rule for zone in format_.zones if zone.rule.shared is not False)


def part_named(desk: Desk, typed: str) -> ZoneFile:
    """Return the part that is meant by its id, its name or a header of it. Raises TourneyError naming those there are."""
    parts = sharable(desk.rules.format)
    if not parts:
        raise TourneyError(
            f"in {desk.rules.format.id} nobody shares a deck: every list is a player's own",
            "`tourney player deck NAME FILE`",
        )
    known = {fold(word): part for part in parts for word in (part.id, part.name, *part.headers) if word}
    if fold(typed) in known:
        return known[fold(typed)]
    near = nearest(typed, known)
    there = listed((f"`{part.id}`" for part in parts), "or")
    meant = f"did you mean `{known[fold(near)].id}`? " if near else ""
    raise TourneyError(f"there is no part `{typed}` that everybody could share", f"{meant}it is {there}")


def register(
    desk: Desk,
    typed: str,
    data: str | bytes,
    *,
    source: str,
    trust: bool,
    anyway: bool,
    table: int | None = None,
) -> DeckReceipt:
    """Check a list as the part it is and register it for everybody, as `Desk.share_deck` has it; table: for its players."""
    from tourney.decks import check
    from tourney.decks.reading import read
    from tourney.decks.reading.text import decode

    part = part_named(desk, typed)
    with as_rules_error():
        whole = desk.rules.ruleset(desk.library)
    if not whole.shares.get(part.id):
        raise TourneyError(
            f"by the choices of this event every player brings the {_called(part)}", _way(whole, part.id)
        )
    if table is not None:
        _refuse_for_a_table(desk, part)
    ruleset = whole.part((part.id,))
    text, _ = decode(data, source=source)
    decklist = read(text, source=source, format_=ruleset.format)
    verdict = check(decklist, ruleset, trust_declared=trust)
    if verdict.verdict == "illegal" and not anyway:
        refused = f"The {_called(part)} is illegal and was not registered."
        nothing = Receipt(entries=(), changed=(refused,), next=(), state=desk.state)
        return DeckReceipt.judged(nothing, verdict)
    deck = JudgedDeck(
        text=text, verdict=verdict.verdict, cards=pool_lines(desk.library, whole.format.pool, decklist)
    )
    declared = bool(verdict.facts_used)

    def decided(state: State, seal: Sealing) -> Decision:
        if table is not None:
            return decks.agree(state, table, part.id, _called(part), deck, declared=declared, seal=seal)
        return decks.share(
            state,
            part.id,
            _called(part),
            deck,
            declared=declared,
            locked=desk.locked(state),
            anyway=anyway,
            seal=seal,
        )

    return DeckReceipt.judged(desk.write(decided), verdict)


def _refuse_for_a_table(desk: Desk, part: ZoneFile) -> None:
    """Refuse a part that players of a table do not agree upon among themselves. Raises TourneyError."""
    if not part.agreed:
        raise TourneyError(
            f"the {_called(part)} is nothing that the players of a table agree upon",
            f"`tourney event deck {part.id} FILE` sets one for everybody",
        )
    if part.id in desk.state.shared:
        raise TourneyError(
            f"the event has its {_called(part)} for everybody, so no table has one of its own",
            f"`tourney event deck {part.id} FILE` sets another one for everybody",
        )


def only_a_part(desk: Desk, decklist: Decklist) -> tuple[str, ...]:
    """Say that a player's list is not a deck but a part that everybody could play with; nothing where it is a deck."""
    from tourney.decks.resolving import part_of

    whole = desk.rules.ruleset(desk.library)
    parts = [part for part in sharable(whole.format) if part.id in part_of(decklist, whole)]
    if not parts:
        return ()
    shared = [part.id for part in parts if whole.shares[part.id]]
    way = (
        f"; for everybody: {listed(f'`tourney event deck {each} FILE`' for each in shared)}" if shared else ""
    )
    return (f"this list is the {listed(map(_called, parts))} alone, no whole deck{way}",)


def _called(part: ZoneFile) -> str:
    return (part.name or part.id).lower()


def _way(ruleset: Ruleset, part: str) -> str | None:
    """Say which choice of the organizer makes a part everybody's; None where no single one does."""
    for name, setting in ruleset.format.settings.items():
        for choice in setting.choices:
            settings = {**ruleset.settings, name: choice}
            if replace(ruleset, settings=settings).shares.get(part):
                return f"`tourney event change --set {name}={choice}`: one for everybody, the organizer's"
    return None


def text_of(desk: Desk, part: ZoneFile, table: int | None = None) -> str:
    """Return the list that everybody plays with, or the players of a table of the round do by their agreement.

    Raises TourneyError where there is none, or not any more.
    """
    if table is not None:
        return _text_agreed(desk, part, table)
    deck = desk.state.shared.get(part.id)
    if deck is None:
        raise TourneyError(
            f"the event has no {_called(part)} for everybody", f"`tourney event deck {part.id} FILE`"
        )
    return _text(desk, deck, part)


def _text_agreed(desk: Desk, part: ZoneFile, table: int) -> str:
    round_ = desk.state.round
    seated = round_.tables.get(table) if round_ else None
    deck = round_.agreed_at(seated).get(part.id) if round_ and seated else None
    if deck is None:
        raise TourneyError(
            f"table {table} has no {_called(part)} of its own",
            f"`tourney event deck {part.id} FILE --table {table}`",
        )
    return _text(desk, deck, part)


def _text(desk: Desk, deck: RegisteredDeck, part: ZoneFile) -> str:
    try:
        text = desk.journal.text(deck.text)
    except TourneyError:
        raise TourneyError(
            f"the {_called(part)} of the event is damaged",
            f"register it anew: `tourney event deck {part.id} FILE`",
        ) from None
    if text is None:
        raise TourneyError(
            f"the text of the {_called(part)} was deleted: it named somebody who asked to be forgotten",
            f"register it anew: `tourney event deck {part.id} FILE`",
        )
    return text


# -- what is there, and what is missing


def _shared_parts(desk: Desk) -> tuple[tuple[ZoneFile, ...], Ruleset | None]:
    """Return the parts of a deck that several players may use, and the event's rules.

    Returns no parts and None if there are none, or if the rules cannot be read: `event check` reports that.
    """
    try:
        zones = desk.rules.format.zones if desk.rules.may_share else ()
        parts = tuple(zone.rule for zone in zones if zone.rule.shared is not False or zone.rule.at_table)
        return parts, desk.rules.ruleset(desk.library) if parts else None
    except TourneyError:
        return (), None


def views(desk: Desk) -> tuple[SharedDeckView, ...]:
    """Return every part that everybody plays with, its cards in the order of its list; also those still to come."""
    parts, ruleset = _shared_parts(desk)
    if ruleset is None:
        return ()
    return tuple(
        _view(desk, ruleset, part, desk.state.shared.get(part.id))
        for part in parts
        if part.id in desk.state.shared or (ruleset.shares.get(part.id) and not part.agreed)
    )


def agreed_at_tables(desk: Desk, round_: Round) -> dict[int, tuple[SharedDeckView, ...]]:
    """Return what the players of each table of a round have agreed upon, by the table's number; tables with nothing left out."""
    parts, ruleset = _shared_parts(desk) if round_.agreed else ((), None)
    if ruleset is None:
        return {}
    called = {part.id: part for part in parts}
    return {
        number: tuple(_view(desk, ruleset, called[part], deck) for part, deck in agreed.items())
        for number, table in round_.tables.items()
        if (agreed := round_.agreed_at(table))
    }


def _view(desk: Desk, ruleset: Ruleset, part: ZoneFile, deck: RegisteredDeck | None) -> SharedDeckView:
    from tourney.event.view import ListedCard, SharedDeckView

    if deck is None:
        return SharedDeckView(part=part.id, name=part.name or part.id)
    try:
        cards, note = _cards(_text(desk, deck, part), ruleset.part((part.id,)), part.id), ""
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
        unchecked=unchecked(desk.state, deck),
    )


def _cards(text: str, ruleset: Ruleset, part: str) -> tuple[tuple[int, str], ...]:
    from tourney.decks.reading import read
    from tourney.decks.resolving import cards_in_order

    return cards_in_order(read(text, source="the list", format_=ruleset.format), ruleset, part)


def agreements(desk: Desk) -> tuple[AgreedDeck, ...]:
    """Return what tables of the round have agreed upon: number, part and its name, verdict and entry of each."""
    round_ = desk.state.round
    if round_ is None or not round_.agreed:
        return ()
    from tourney.event.documents import AgreedDeck

    names = {part.id: part.name or part.id for part in sharable(desk.rules.format)}
    return tuple(
        AgreedDeck(number, part, names.get(part, part), deck.verdict, deck.entry)
        for number, table in round_.tables.items()
        for part, deck in round_.agreed_at(table).items()
    )


def doubts(desk: Desk, tables: Iterable[tuple[int, tuple[PlayerId, ...]]]) -> Iterator[str]:
    """Return warnings about decks that tables need: missing for everybody, not brought to a table, or not agreed upon.

    tables: number and players of each. Lists that cannot be read give no warning here: other commands report them.
    """
    parts, ruleset = _shared_parts(desk)
    if ruleset is None:
        return
    tables = tuple(tables)
    for part in parts:
        if part.id in desk.state.shared:
            continue
        if part.at_table and not ruleset.shares.get(part.id):
            yield from _not_brought(desk, ruleset, part, tables)
        elif part.agreed:
            yield from _not_agreed(desk, ruleset, part, tables)
        elif ruleset.shares.get(part.id):
            yield f"the event has no {_called(part)} yet, and everybody needs it: `tourney event deck {part.id} FILE`"


def _not_brought(
    desk: Desk, ruleset: Ruleset, part: ZoneFile, tables: Iterable[tuple[int, tuple[PlayerId, ...]]]
) -> Iterator[str]:
    """Warn of tables at which no player's list has a part. Tables without any list are left out: nothing is known there."""
    known = desk.state.players
    without = [
        number
        for number, players in tables
        if len(players) > 1
        and any(known[player].deck for player in players)
        and not any(_own(desk, ruleset, part, player) for player in players)
    ]
    if without:
        way = _way(ruleset, part.id)
        yield (
            f"{at_tables(without)}: no player has a {_called(part)} in their list, and each table needs one"
            + (f"; {way}" if way else "")
        )


def _not_agreed(
    desk: Desk, ruleset: Ruleset, part: ZoneFile, tables: Iterable[tuple[int, tuple[PlayerId, ...]]]
) -> Iterator[str]:
    name, round_ = names_of(desk.state), desk.state.round
    done = {players for of, players in round_.agreed if of == part.id} if round_ else set()
    seats = [
        (number, players) for number, players in tables if len(players) > 1 and frozenset(players) not in done
    ]
    lists = {player: _own(desk, ruleset, part, player) for _, players in seats for player in players}
    without = [name(player) for player, own in lists.items() if not own]
    if without:
        yield (
            f"no {_called(part)} from {listed_short(without)}: those at a table have to agree upon the same one;"
            f" `tourney event deck {part.id} FILE --table N` registers what a table agrees upon, without `--table` one for everybody"
        )
    apart = [
        f"table {number}: {said}"
        for number, players in seats
        if all(lists[each] for each in players)
        and (said := _difference(part, [(name(each), lists[each]) for each in players]))
    ]
    yield from apart[:MOST_TOLD]
    if len(apart) > MOST_TOLD:
        yield f"it is the same at {counted(len(apart) - MOST_TOLD, 'more table')}"
    if apart:
        yield f"what a table agrees upon is registered by `tourney event deck {part.id} FILE --table N`"


def _own(desk: Desk, ruleset: Ruleset, part: ZoneFile, player: PlayerId) -> tuple[str, ...]:
    """Return the cards of a part in a player's own list, in order, a card each; nothing where there are none."""
    if desk.state.players[player].deck is None:
        return ()
    try:
        cards = _cards(desk.deck_text(player), ruleset, part.id)
    except TourneyError:
        return ()
    return tuple(card for copies, card in cards for _ in range(copies))


def _difference(part: ZoneFile, lists: list[tuple[str, tuple[str, ...]]]) -> str:
    """Say where lists part; empty where they are the same."""
    (one, first), *others = lists
    for other, second in others:
        for place, (mine, theirs) in enumerate(zip_longest(first, second), start=1):
            if mine is None or theirs is None or fold(mine) != fold(theirs):
                return (
                    f"{listed(who for who, _ in lists)} have not the same {_called(part)}: position {place} is"
                    f" {mine or 'nothing'} for {one}, {theirs or 'nothing'} for {other}"
                )
    return ""
