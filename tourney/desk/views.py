"""Make the views of an open event, for the terminal and for `tourney.publish`.

`tourney.event.showing` makes the views of a state. This module adds facts that need the open event: the
results from which a round was paired, the decklists, the rules of its game, and the version of this program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import structs
from msgspec.structs import replace

import tourney
from tourney.desk.corrections import basis_of, repairable
from tourney.desk.evidence import draws_after_reveal, unproved_imports
from tourney.desk.receipts import status_text
from tourney.document import plain_value
from tourney.errors import TourneyError
from tourney.event import showing
from tourney.event.brackets import bracket_begun, final_ranking
from tourney.event.decks import decks_open, open_lists
from tourney.event.field import divisions_of
from tourney.event.kind import round_of
from tourney.event.names import hides_divisions, public
from tourney.event.ops import RoundEdited
from tourney.event.phrases import own_scores_of, sides_of, unchecked_part
from tourney.event.showing import PointsAfter, field_view, final_view, points_after, standings_view
from tourney.event.state import Round, State
from tourney.event.systems import planned_rounds
from tourney.event.view import (
    PARTS,
    DecklistView,
    EventView,
    FieldView,
    FinalView,
    ListedCard,
    ListedCards,
    NeedsView,
    PrizeList,
    RoundView,
)
from tourney.record import PlayerId, Record, drops_before
from tourney.standings import Standings, rank
from tourney.store.data import program_digest
from tourney.wording import Message

if TYPE_CHECKING:
    from tourney.desk.open_event import OpenEvent, RankingInput
    from tourney.games.sheet_lines import GameSheet
    from tourney.publish.data import PublishedPlaces
    from tourney.rules.expressions.deck import Deck
    from tourney.rules.expressions.values import Slot
    from tourney.rules.format import Format
    from tourney.rules.ruleset import Ruleset
    from tourney.standings.explaining import Explainer, Explanation
    from tourney.standings.ranking import Row


Watch: TypeAlias = "Callable[[Iterable[Explanation], int], Iterable[Explanation]]"
"""A function that can show progress while places are explained, because this takes time.

It gets the explanations and their number, and returns the same explanations.
"""

PlaceExplainer: TypeAlias = "Callable[[PlayerId], tuple[str, ...]]"
"""A function that returns lines to explain a player's place; empty if there is no place."""


# -- the whole event


def event_view(
    desk: OpenEvent,
    *,
    with_reasons: bool = True,
    with_held: bool = False,
    whole_names: bool = False,
    prizes: tuple[str, str] | None = None,
    earlier_places: PublishedPlaces | None = None,
    watch: Watch | None = None,
    needs: NeedsView | None = None,
) -> EventView:
    """Return the view of the event with everything that may be published.

    with_reasons:   explain the places
    with_held:      include a round that is held back, which only staff may see
    whole_names:    use the full names of players, not the names on pages
    prizes:         text and source of a file of prizes, to be shown with the places
    earlier_places: earlier explanations, which are reused if nothing has changed
    watch:          shows progress while places are explained
    needs:          what players need to make the cut, if everyone may see that
    """
    from tourney.desk import shared_decks

    released_state = desk.state if with_held else desk.state.for_players
    state = released_state if whole_names else public(desk.state, shows_held=with_held)
    ranking, format_ = desk.ranking_input(lots_needed=False), _format(desk)
    standings = rank(ranking.record, ranking.profile, seed=ranking.seed)
    complete = _complete_rounds(ranking.record, standings)
    settled_standings = (
        rank(complete, ranking.profile, seed=ranking.seed) if standings.open_tables else standings
    )
    fingerprint = _fingerprint(state, ranking, complete) if with_reasons and settled_standings.rounds else ""
    places: Mapping[PlayerId, tuple[str, ...]] = {}
    if earlier_places and fingerprint and earlier_places.explained == fingerprint:
        places = earlier_places.why
    elif with_reasons and settled_standings.rounds:
        places = _explain_places(state, ranking, complete, len(settled_standings.rows), watch)
    points, score_name = points_after(state, ranking.profile), _score_name(format_)
    champion, stuck = showing.champion(state, standings)
    rounds = tuple(_round(desk, state, round_, points, score_name) for round_ in state.rounds)
    table = standings_view(state, standings, ranking.no_lot)
    final = None if stuck else _final(desk, state, standings, prizes)
    lists, leader = _open_lists(desk, state)
    findings = (*unproved_imports(desk.state), *draws_after_reveal(desk.evidence()))
    settings = state.settings
    facts = tuple(showing.facts(state, format_))
    return EventView(
        name=state.name,
        status=status_text(state),
        state=f"entry {state.entry}, {state.digest}",
        facts=(*facts, (Message("Bracket"), stuck)) if stuck else facts,
        rounds=rounds,
        standings=table,
        settled=standings_view(
            state,
            settled_standings if settled_standings.rounds else replace(settled_standings, rows=()),
            ranking.no_lot,
        ),
        players=showing.player_views(state, points, table, final, places),
        verification=showing.verification(state, desk.chain, tuple(finding.message for finding in findings)),
        champion=champion,
        slips=settings.pages.slips,
        final=final,
        past=desk.past,
        at=showing.time_of_last_update(state),
        planned=planned_rounds(state),
        closed=state.closed,
        bracket=None if _is_bracket_held_back(desk, state) else showing.bracket_view(state, rounds),
        lists=lists,
        leader=leader,
        field=_field(state, lists, format_),
        decks=shared_decks.shared_deck_views(desk),
        game=_game(format_, state) if format_ else None,
        explained=fingerprint,
        language=settings.pages.language,
        address=settings.pages.address and f"{settings.pages.address.rstrip('/')}/",
        needs=needs,
        **{name: make(state, standings) for name, make in PARTS.items()},
    )


def _is_bracket_held_back(desk: OpenEvent, state: State) -> bool:
    """Return whether the bracket was made together with a round that is held back.

    This is so in round 1 of an elimination event.
    """
    is_new = bracket_begun(desk.state) and not bracket_begun(state)
    return is_new and state.settings.pairing.system == "elimination"


def _game(format_: Format, state: State) -> GameSheet:
    from tourney.games.sheet import EventMatch, game_sheet

    settings = state.settings
    cut = state.cut if state.cut is not None and state.cut.after else None
    event_match = EventMatch(
        seats=settings.match.seats,
        games=settings.match.best_of,
        draws=settings.match.draws,
        sides=settings.match.sides,
        minutes=settings.match.minutes,
        lists=settings.decks.lists,
        profile=state.profile,
        rounds=planned_rounds(state),
        bracket_only=settings.pairing.system == "elimination",
        cut_to=len(cut.players) if cut else 0,
        cut_seats=cut.seats if cut else settings.bracket_seats,
        cut_advance=cut.advance if cut else settings.bracket_advance,
        cut_set=bool(settings.cut.cut_seats),
        banlist=state.banlist,
        missing_banlist=state.missing_banlist,
    )
    return game_sheet([format_], settings.match.choices, event_match)


def _format(desk: OpenEvent) -> Format | None:
    """Return the event's format; None if it is damaged."""
    try:
        return desk.rules.format
    except TourneyError:
        return None


# -- explanations of players' places


def _complete_rounds(record: Record, standings: Standings) -> Record:
    """Return the results of all rounds before the first round that has a table without a result."""
    if not standings.open_tables:
        return record
    last = min(number for number, _ in standings.open_tables) - 1
    drops, early_leavers = drops_before(last, record.drops), drops_before(last, record.left_early)
    return replace(record.after(last), drops=drops, left_early=early_leavers)


def _explain_places(
    state: State, ranking: RankingInput, complete: Record, number: int, watch: Watch | None
) -> dict[PlayerId, tuple[str, ...]]:
    """Return player → the lines that explain the player's place.

    number: the number of places to explain, so that `watch` can show the progress
    watch:  shows the progress; None: show nothing
    """
    from tourney.standings.explaining import explain_all

    explanations: Iterable[Explanation] = explain_all(complete, ranking.profile, seed=ranking.seed)
    explanations = watch(explanations, number) if watch else explanations
    return {explanation.row.player: _describe(state, explanation) for explanation in explanations}


def _fingerprint(state: State, ranking: RankingInput, complete: Record) -> str:
    """Return a digest of everything that explanations depend on.

    The digest is empty if the program has no source files.
    """
    program = program_digest(Path(tourney.__file__).parent)
    if not program:
        return ""
    rules = [(file.kind, file.name, file.text) for file in state.rules]
    names = [player.name for player in state.players.values()]
    parts = (program, rules, state.on, ranking.seed, state.settings.match.sides, names, complete)
    return sha256(msgspec.json.encode(parts, enc_hook=plain_value)).hexdigest()


def place_explainer(desk: OpenEvent) -> PlaceExplainer:
    """Return a function that explains a single place as `event_view` explains all places.

    It explains the places at the time of this call, even after the event has changed.
    """
    state, ranking = public(desk.state), desk.ranking_input(lots_needed=False)

    @cache
    def prepare() -> tuple[Explainer, Mapping[PlayerId, Row]]:
        from tourney.standings.explaining import explainer

        standings = rank(ranking.record, ranking.profile, seed=ranking.seed)
        explain = explainer(_complete_rounds(ranking.record, standings), ranking.profile, seed=ranking.seed)
        return explain, {row.player: row for row in explain.standings.rows}

    def explain_place(player: PlayerId) -> tuple[str, ...]:
        explain, rows = prepare()
        if player not in rows or not explain.standings.rounds:
            return ()
        return _describe(state, explain(rows[player]))

    return explain_place


def _describe(state: State, explanation: Explanation) -> tuple[str, ...]:
    from tourney.standings.describing import describe

    return describe(explanation, state.name_of, sides_of(state), own_scores_of(state))


# -- rounds


def round_view(desk: OpenEvent, number: int | None = None, *, with_score: bool = True) -> RoundView:
    """Return the view of round `number` (None: the current round).

    Raises TourneyError if there is no such round.

    with_score: whether to include the name of the score that is entered in addition to games, such as victory
        points. To find this name, the event's format is read
    """
    points = points_after(desk.state, desk.profile())
    score_name = _score_name(_format(desk)) if with_score else ""
    return _round(desk, desk.state, round_of(desk.state, number), points, score_name)


def _round(desk: OpenEvent, state: State, round_: Round, points: PointsAfter, score_name: str) -> RoundView:
    view, basis = showing.round_view(state, round_, points), basis_of(desk.evidence(), round_)
    tables = view.tables
    if round_.agreed:
        from tourney.desk.shared_decks import agreed_decks_by_table  # loads the rules of decks

        decks_by_table = agreed_decks_by_table(desk, round_)
        tables = tuple(structs.replace(table, decks=decks_by_table.get(table.number, ())) for table in tables)
    basis_text = f", on the results as of entry {basis.entry}" if view.proof and round_.number > 1 else ""
    return structs.replace(
        view,
        tables=tables,
        proof=f"{view.proof}{basis_text}",
        as_of=basis.entry,
        stale=basis.text,
        repair=_repair(desk) if basis.text and round_ is desk.state.round else None,
        score_name=score_name,
    )


def _repair(desk: OpenEvent) -> tuple[int, ...] | None:
    """Return the tables that a repair of the current round would change.

    Returns None if the repair would be refused.
    """
    decision = repairable(desk.evidence())
    if decision is None or not isinstance(decision.op, RoundEdited):
        return None if decision is None else ()
    return tuple(sorted({*decision.op.removed, *(table.number for table in decision.op.tables)}))


def _score_name(format_: Format | None) -> str:
    """Return the name of the score entered in addition to games; empty if the format has none.

    An example is victory points.
    """
    if format_ is None:
        return ""
    from tourney.rules.vocabulary import ScoreFile

    score = format_.match.score
    return score.name if isinstance(score, ScoreFile) else ""


# -- places and prizes


def bracket_places(desk: OpenEvent) -> FinalView | None:
    """Return every player's place, by the bracket and then by the standings.

    Returns None if there is no bracket or it has not begun.
    Raises TourneyError if the bracket cannot continue.
    """
    state = desk.state.for_players
    return final_view(state, desk.standings()) if bracket_begun(state) else None


def _final(
    desk: OpenEvent, state: State, standings: Standings, file: tuple[str, str] | None
) -> FinalView | None:
    """Return every player's place, with the prizes of a file if given.

    Returns None if there is neither a bracket nor prizes.
    """
    if file is None or not state.rounds:
        return final_view(state, standings) if bracket_begun(state) else None
    prize_list = prizes(desk, file[0], source=file[1], so_far=True, for_all=True, basis=(state, standings))
    prizes_by_player: dict[PlayerId | None, list[str]] = {}
    for row in prize_list.prizes:
        byes = Message.plural("{n} bye", "{n} byes", row.byes) if row.byes else ""
        prize = Message.joined(", ", [prize_list.cash(row), row.product or "", byes])
        prize_text = (
            Message("{prize} ({division})", prize=prize, division=row.division) if row.division else prize
        )
        prizes_by_player.setdefault(row.number, []).append(prize_text)
    view = final_view(state, standings)
    rows = (
        structs.replace(row, prize=Message.joined("; ", prizes_by_player.get(row.player, ())))
        for row in view.rows
    )
    return structs.replace(view, rows=tuple(rows))


def prizes(
    desk: OpenEvent,
    text: str,
    *,
    source: str,
    so_far: bool = False,
    for_all: bool = False,
    basis: tuple[State, Standings] | None = None,
) -> PrizeList:
    """Return the prize of each place, from the text of a file of prizes.

    so_far:  award prizes by the current places, even if they are not final
    for_all: use the names that public pages show, and leave out divisions if public pages leave them out
    basis:   the event and its standings; None: as they are now

    Raises TourneyError if the file cannot be read, or if the places are not final and `so_far` is false.
    """
    from tourney.event.prizes import award, read_prizes

    current_state = public(desk.state) if for_all else desk.state.for_players
    state, standings = basis or (current_state, desk.standings())
    return award(
        read_prizes(text, source=source),
        final_ranking(state, standings),
        name=state.name_of,
        so_far=so_far,
        divisions=divisions_of(desk.state),
        show_divisions=not (for_all and hides_divisions(desk.state)),
    )


def summary(desk: OpenEvent, *, top: int, prize_list: PrizeList | None = None) -> tuple[str, FinalView]:
    """Return a summary of the event as one page of Markdown, and every player's place.

    Raises TourneyError if lots cannot be drawn, or if the bracket cannot go on.
    """
    from tourney.publish import markdown

    desk.ranking_input()  # raises TourneyError if lots cannot be drawn
    view, state = event_view(desk, with_reasons=False), desk.state
    final = view.final or final_view(public(state), desk.standings())
    page = markdown.summary(
        view, final, on=state.created[:10], digest=state.digest, top=top, prize_list=prize_list
    )
    return page, final


# -- open decklists, by zone and type


_TYPES = ("type", "kind")
"""Attributes that hold the type of a card in different pools.

The first one that a card has is used.
"""


def _open_lists(desk: OpenEvent, state: State) -> tuple[tuple[DecklistView, ...], str]:
    """Return the decklists that everyone may see, and the format's word for a deck's leader.

    state: the public state

    Erased decklists are left out. If a decklist or the rules cannot be read, the view of the decklist says
    why.
    """
    players = open_lists(state)
    if not players:
        return (), ""
    ruleset, fault = None, ""
    try:
        ruleset = desk.rules.ruleset(desk.library)
    except TourneyError as refusal:
        fault = refusal.message
    leader = ruleset.format.leader if ruleset else None
    lists = (_open_list(desk, state, player, ruleset, fault) for player in players)
    return tuple(view for view in lists if view), (leader.rule.noun or "leader") if leader else ""


def _open_list(
    desk: OpenEvent, state: State, player: PlayerId, ruleset: Ruleset | None, note: str
) -> DecklistView | None:
    registered_deck = state.players[player].deck
    cards: dict[str, Any] = {}
    assert registered_deck is not None
    try:
        text = desk.journal.text(registered_deck.text)
        if text is None:
            return None
        if ruleset is not None:
            deck = _read_deck(text, ruleset)
            cards = {
                "kind": _deck_kind(deck, ruleset),
                "led": ", ".join(slot.card.name for slot in deck.leader.slots),
                "groups": tuple(_groups(deck, ruleset)),
            }
    except TourneyError as refusal:
        note = refusal.message
    return DecklistView(
        player=player,
        name=state.players[player].name,
        verdict=registered_deck.verdict,
        unchecked=unchecked_part(state, registered_deck),
        note=note,
        **cards,
    )


def _read_deck(text: str, ruleset: Ruleset) -> Deck:
    """Return the cards of a registered list. Raises TourneyError if it cannot be read."""
    from tourney.decks.checking import cards_of
    from tourney.decks.reading import read

    return cards_of(read(text, source="the list", format_=ruleset.format), ruleset)


def _groups(deck: Deck, ruleset: Ruleset) -> Iterator[ListedCards]:
    """Yield groups of cards by zone, in the order of the format, and by type.

    Cards without a type are last.
    """
    names = ruleset.format.parts
    places = {zone: place for place, zone in enumerate(names)}

    def key(slot: Slot) -> tuple[int, str, bool, str]:
        kind = _card_type(slot)
        return places.get(slot.zone, len(places)), slot.zone, not kind, kind

    for (_, zone, _, kind), slots in groupby(sorted(deck.slots, key=key), key=key):
        cards = tuple(ListedCard(slot.qty, slot.card.name) for slot in slots)
        yield ListedCards(zone=names.get(zone, zone), type=kind, cards=cards)


def _card_type(slot: Slot) -> str:
    values = (slot.card.attributes.get(name) for name in _TYPES)
    value = next((value for value in values if value is not None), "")
    return " ".join(map(str, value)) if isinstance(value, tuple | list | frozenset) else str(value)


def _field(state: State, lists: Sequence[DecklistView], format_: Format | None) -> FieldView | None:
    """Return how many players have each kind of deck, such as each leader, and their results.

    Returns None unless the format defines kinds of decks, the kind of at least one deck is known, and the
    decklists of all players are public.

    If the format takes the kind of deck from a tag, players without a decklist are counted, too.
    """
    field_rule = format_.field if format_ is not None else None
    if (
        field_rule is None
        or format_ is None
        or state.settings.decks.decklists == "cut"
        or not decks_open(state)
    ):
        return None
    leader = format_.leader.rule.noun if format_.leader and field_rule.by == "leader" else ""
    if field_rule.tag:
        tagged_players = [
            player for player in state.players.values() if field_rule.tag in player.tags and not player.erased
        ]
        kinds = {
            player.id: player.tags[field_rule.tag][1]
            for player in tagged_players
            if player.tags[field_rule.tag][1]
        }
    else:
        kinds = {view.player: view.kind for view in lists if view.kind}
    if not kinds:
        return None
    tables = (table for round_ in state.rounds for table in round_.tables.values())
    return field_view(
        field_rule.noun or leader or field_rule.tag or field_rule.by,
        kinds,
        (table.result for table in tables if table.result),
        unknown=len(state.players) - len(kinds),
        cut=state.cut.players if state.cut is not None and state.cut.after else (),
    )


def _deck_kind(deck: Deck, ruleset: Ruleset) -> str:
    """Return the kind of a deck.

    The kind is the leader, or the value of an attribute that most of the deck's cards have.
    """
    field_rule = ruleset.format.field
    if field_rule is None or field_rule.tag:
        return ""
    if field_rule.by == "leader":
        return ", ".join(slot.card.name for slot in deck.leader.slots)
    copies: Counter[str] = Counter()
    for slot in deck.slots:
        value = slot.card.attributes.get(field_rule.by)
        for part in value if isinstance(value, tuple | list | frozenset) else (value,):
            if part not in {None, "none", "neutral", ""}:
                copies[str(part)] += slot.qty
    return min(copies, key=lambda value: (-copies[value], value), default="")
