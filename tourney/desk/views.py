"""What is shown of the open event, for the terminal and for `tourney.publish`.

The views of a state are filled in `tourney.event.showing`; here they are put together with what only the open event knows:
which results a round was paired on, the lists, the rules of its game, this program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import structs

import tourney
from tourney.desk.evidence import Evidence, repairable, since
from tourney.desk.receipts import status_text
from tourney.errors import TourneyError
from tourney.event import showing
from tourney.event.brackets import bracket_begun, final_ranking
from tourney.event.decks import decks_open, open_lists
from tourney.event.field import divisions_of
from tourney.event.kind import round_of
from tourney.event.names import hides_divisions, public
from tourney.event.ops import RoundEdited
from tourney.event.phrases import names_of, own_scores_of, sides_of, unchecked
from tourney.event.showing import Ladder, field_view, final_view, ladder, standings_view
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
    RoundView,
)
from tourney.record import PlayerId, Record, drops_before
from tourney.standings import Standings, rank
from tourney.store.data import program_digest
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk.open_event import OpenEvent, Ranked
    from tourney.event.prizes import Awards
    from tourney.games.sheet_lines import GameSheet
    from tourney.publish.data import PublishedPlaces
    from tourney.rules.expressions.deck import Deck
    from tourney.rules.expressions.slot import Slot
    from tourney.rules.format import Format
    from tourney.rules.ruleset import Ruleset
    from tourney.standings.explaining import Explainer, Explanation
    from tourney.standings.ranking import Row


Watch: TypeAlias = "Callable[[Iterable[Explanation], int], Iterable[Explanation]]"
"""Walks that many explanations, which take their time, and may show how far it is."""


def event_view(
    desk: OpenEvent,
    *,
    why: bool = True,
    held: bool = False,
    whole_names: bool = False,
    prizes: tuple[str, str] | None = None,
    told: PublishedPlaces | None = None,
    watch: Watch | None = None,
    needs: NeedsView | None = None,
) -> EventView:
    """Return everything of the event that may be published, as it stands; without `why` no place is explained.

    held: with a round that is held back, which only the desk is to see; whole_names: everybody called as the desk calls them
    prizes: as `Desk.publish` takes them; told: what was explained before, which is not worked out again where it was made
    from the same
    needs: what players need for the cut, where everybody is to see it (`tourney.desk.forecasting`)
    """
    from tourney.desk import shared_decks
    from tourney.desk.verifying import foreseeable, imported

    seen = desk.state if held else desk.state.for_players
    state, evidence = seen if whole_names else public(desk.state, held=held), desk.evidence()
    ranked, format_ = desk.ranked(lots_needed=False), _format(desk)
    standings = rank(ranked.record, ranked.profile, seed=ranked.seed)
    complete = _complete(ranked.record, standings)
    settled = rank(complete, ranked.profile, seed=ranked.seed) if standings.playing else standings
    explains = ranked._replace(record=complete) if why and settled.rounds else None
    explained = _explained(state, explains) if explains else ""
    if told and explained and told.explained == explained:
        places: Mapping[PlayerId, tuple[str, ...]] = told.why
    else:
        places = _why(state, explains, len(settled.rows), watch) if explains else {}
    lists, leader = _open_lists(desk, state)
    points, (champion, stuck) = ladder(state, ranked.profile), showing.champion(state, standings)
    score_name = _score_name(desk)
    rounds = tuple(
        structs.replace(_round(desk, state, round_, points, evidence), score_name=score_name)
        for round_ in state.rounds
    )
    table = standings_view(state, standings, ranked.no_lot)
    final = None if stuck else _told(desk, state, standings, prizes)
    remarks = tuple(each.message for each in (*imported(desk.state), *foreseeable(evidence)))
    # A bracket that is made by the pairing of its first round is seen when that is; one after Swiss rounds stands already.
    unseen = (
        state.settings.pairing.system == "elimination"
        and not bracket_begun(state)
        and bracket_begun(desk.state)
    )
    settings = state.settings
    return EventView(
        name=state.name,
        status=status_text(state),
        state=f"entry {state.entry}, {state.digest}",
        facts=(*showing.facts(state, format_), *stuck),
        rounds=rounds,
        standings=table,
        settled=standings_view(
            state, settled if settled.rounds else replace(settled, rows=()), ranked.no_lot
        ),
        players=showing.player_views(state, points, table, final, places),
        verification=showing.verification(state, desk.chain, remarks),
        champion=champion,
        slips=settings.pages.slips,
        final=final,
        past=desk.past,
        at=showing.last_shown(state),
        planned=planned_rounds(state),
        closed=state.closed,
        bracket=None if unseen else showing.bracket_view(state, rounds),
        lists=lists,
        leader=leader,
        field=_field(state, lists, format_),
        decks=shared_decks.views(desk),
        game=_game(format_, state) if format_ else None,
        explained=explained,
        language=settings.pages.language,
        address=settings.pages.address and f"{settings.pages.address.rstrip('/')}/",
        needs=needs,
        **{name: make(state) for name, make in PARTS.items()},
    )


def _game(format_: Format, state: State) -> GameSheet:
    from tourney.games.sheet import OwnMatch, game_sheet

    settings, cut = state.settings, state.cut
    own = OwnMatch(
        seats=settings.match.seats,
        games=settings.match.best_of,
        draws=settings.match.draws,
        sides=settings.match.sides,
        minutes=settings.match.minutes,
        lists=settings.decks.lists,
        profile=state.profile,
        rounds=planned_rounds(state),
        bracket_only=settings.pairing.system == "elimination",
        cut_to=len(cut.players) if cut is not None and cut.after else 0,
        cut_seats=cut.seats if cut is not None and cut.after else settings.bracket_seats,
        cut_advance=cut.advance if cut is not None and cut.after else settings.bracket_advance,
        cut_set=bool(settings.cut.cut_seats),
        banlist=state.banlist,
        missing_banlist=state.missing_banlist,
    )
    return game_sheet([format_], settings.match.choices, own)


def _complete(record: Record, standings: Standings) -> Record:
    """Return the record up to the last round that is complete, as are all before it."""
    if not standings.playing:
        return record
    last = min(number for number, _ in standings.playing) - 1
    drops, early = drops_before(last, record.drops), drops_before(last, record.left_early)
    return replace(record.after(last), drops=drops, left_early=early)


def _explained(state: State, ranked: Ranked) -> str:
    """Return a name of all that places are explained by: results, rules, names, and this program; empty where it has none."""
    if not (program := program_digest(Path(tourney.__file__).parent)):
        return ""
    rules = [(kept.kind, kept.name, kept.text) for kept in state.rules]
    names = [player.name for player in state.players.values()]
    made = (program, rules, state.on, ranked.seed, state.settings.match.sides, names, ranked.record)
    return sha256(msgspec.json.encode(made, enc_hook=_plain)).hexdigest()


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


def _why(
    state: State, ranked: Ranked, number: int, watch: Watch | None
) -> Mapping[PlayerId, tuple[str, ...]]:
    from tourney.standings.describing import describe
    from tourney.standings.explaining import explain_all

    every = explain_all(ranked.record, ranked.profile, seed=ranked.seed)
    name, side, score = names_of(state), sides_of(state), own_scores_of(state)
    return {
        each.row.player: describe(each, name, side, score)
        for each in (watch(every, number) if watch else every)
    }


PlaceExplainer: TypeAlias = "Callable[[PlayerId], tuple[str, ...]]"
"""Says in lines why a player stands where they stand; none where there is nothing to be said yet."""


def place_explainer(desk: OpenEvent) -> PlaceExplainer:
    """Return what explains one place after the other, as `event_view` explains them all: for who is asked for a few.

    Whoever has it may go on asking while the event goes on: it explains the places that were settled when it was made.
    """
    state, ranked = public(desk.state), desk.ranked(lots_needed=False)

    @cache
    def explaining() -> tuple[Explainer, Mapping[PlayerId, Row]]:
        from tourney.standings.explaining import explainer

        standings = rank(ranked.record, ranked.profile, seed=ranked.seed)
        explain = explainer(_complete(ranked.record, standings), ranked.profile, seed=ranked.seed)
        return explain, {row.player: row for row in explain.standings.rows}

    def explained(player: PlayerId) -> tuple[str, ...]:
        from tourney.standings.describing import describe

        explain, rows = explaining()
        if player not in rows or not explain.standings.rounds:
            return ()
        return describe(explain(rows[player]), names_of(state), sides_of(state), own_scores_of(state))

    return explained


def round_view(desk: OpenEvent, number: int | None = None, *, scored: bool = True) -> RoundView:
    """Return one round (None: the current one). Raises TourneyError where there is no such round.

    scored: with the name of what is counted besides games, for which the event's rules are read
    """
    points = ladder(desk.state, desk.profile())
    view = _round(desk, desk.state, round_of(desk.state, number), points, desk.evidence())
    return structs.replace(view, score_name=_score_name(desk)) if scored else view


def _round(desk: OpenEvent, state: State, round_: Round, points: Ladder, evidence: Evidence) -> RoundView:
    """Return a round with the state of the results it was paired on; what is proved is proved of those alone."""
    from tourney.desk.shared_decks import agreed_at_tables

    view, basis = showing.round_view(state, round_, points), since(evidence, round_)
    counted_on = f", on the results as of entry {basis.entry}" if view.proof and round_.number > 1 else ""
    repair = _repair(desk) if basis.text and round_ is desk.state.round else None
    agreed = agreed_at_tables(desk, round_)
    return structs.replace(
        view,
        tables=tuple(structs.replace(each, decks=agreed.get(each.number, ())) for each in view.tables)
        if agreed
        else view.tables,
        proof=f"{view.proof}{counted_on}",
        as_of=basis.entry,
        stale=basis.text,
        repair=repair,
    )


def _repair(desk: OpenEvent) -> tuple[int, ...] | None:
    """Return the tables that a repair of the current round would change; None where it would be refused."""
    decision = repairable(desk.evidence())
    if decision is None:
        return None
    op = decision.op
    if not isinstance(op, RoundEdited):
        return ()
    return tuple(sorted({*op.removed, *(table.number for table in op.tables)}))


def _score_name(desk: OpenEvent) -> str:
    """Return what is counted besides games; empty where the format does not say what a score is."""
    if (format_ := _format(desk)) is None:
        return ""
    from tourney.rules.vocabulary import ScoreFile

    score = format_.match.score
    return score.name if isinstance(score, ScoreFile) else ""


def _format(desk: OpenEvent) -> Format | None:
    """Return the event's format; None where what the event keeps of it is not readable any more."""
    try:
        return desk.rules.format
    except TourneyError:
        return None


def bracket_places(desk: OpenEvent) -> FinalView | None:
    """Return everybody's place in an event whose bracket is being played; None in others.

    Raises TourneyError where the bracket cannot go on: an entry of an older version.
    """
    state = desk.state.for_players
    return final_view(state, desk.standings()) if bracket_begun(state) else None


def _told(
    desk: OpenEvent, state: State, standings: Standings, prizes: tuple[str, str] | None
) -> FinalView | None:
    """Return everybody's place where there is a bracket, or where prizes go by it, with the prizes."""
    if prizes is None or not state.rounds:
        return final_view(state, standings) if bracket_begun(state) else None
    from tourney.event.prizes import award, read_prizes

    text, source = prizes
    table = read_prizes(text, source=source)
    view = final_view(state, standings)
    awards = award(
        table,
        final_ranking(state, standings),
        name=names_of(state),
        so_far=True,
        divisions=divisions_of(desk.state),
        tell_divisions=not hides_divisions(desk.state),
    )
    won: dict[PlayerId | None, list[str]] = {}
    for row in awards.rows:
        byes = counted(row.byes, "bye") if row.byes else ""
        told = ", ".join(filter(None, (awards.cell(row, "cash"), row.product, byes)))
        won.setdefault(row.player, []).append(f"{told} ({row.division})" if row.division else told)
    return structs.replace(
        view, rows=tuple(structs.replace(row, prize="; ".join(won.get(row.player, []))) for row in view.rows)
    )


def prizes(desk: OpenEvent, text: str, *, source: str, so_far: bool = False, for_all: bool = False) -> Awards:
    """Say who gets what by a table of prizes; see `tourney.event.prizes`. Raises TourneyError while places are not final.

    for_all: players are called as pages call them, and divisions told where pages tell them
    """
    from tourney.event.prizes import award, read_prizes

    table = read_prizes(text, source=source)
    ranking = final_ranking(desk.state.for_players, desk.standings())
    called = names_of(public(desk.state) if for_all else desk.state)
    return award(
        table,
        ranking,
        name=called,
        so_far=so_far,
        divisions=divisions_of(desk.state),
        tell_divisions=not (for_all and hides_divisions(desk.state)),
    )


def summary(desk: OpenEvent, *, top: int, awards: Awards | None = None) -> tuple[str, FinalView]:
    """Return the event on a page, as Markdown, and everybody's place. Raises TourneyError where a bracket cannot go on."""
    from tourney.publish import markdown

    desk.ranked()  # refused where the lot cannot be drawn
    view, state = event_view(desk, why=False), desk.state
    final = view.final or final_view(public(state), desk.standings())
    return markdown.summary(
        view, final, on=state.created[:10], digest=state.digest, top=top, awards=awards
    ), final


# -- players' lists, from when the organizer opens them: their cards by zone and type


_TYPES = ("type", "kind")
"""What pools call the sort of a card, the first that one has."""


def _open_lists(desk: OpenEvent, state: State) -> tuple[tuple[DecklistView, ...], str]:
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
    lists = (_open_list(desk, state, player, ruleset, fault) for player in players)
    return tuple(each for each in lists if each is not None), leader.rule.noun or "leader" if leader else ""


def _open_list(
    desk: OpenEvent, state: State, player: PlayerId, ruleset: Ruleset | None, fault: str
) -> DecklistView | None:
    registered = state.players[player].deck
    assert registered is not None
    view = DecklistView(
        player=player,
        name=state.players[player].name,
        verdict=registered.verdict,
        unchecked=unchecked(state, registered),
        note=fault,
    )
    try:
        text = desk.journal.text(registered.text)
        if text is None:
            return None
        if ruleset is None:
            return view
        deck = _read_deck(text, ruleset)
    except TourneyError as wrong:
        return structs.replace(view, note=wrong.message)
    return structs.replace(
        view,
        kind=_kind(deck, ruleset),
        led=", ".join(slot.card.name for slot in deck.leader.slots),
        groups=tuple(_groups(deck, ruleset)),
    )


def _field(state: State, lists: Sequence[DecklistView], format_: Format | None) -> FieldView | None:
    """Return the field by what decks are; None unless everybody's lists are open, and where the format does not say by what.

    What a player's tag tells of a deck is told from when lists would be open, also of who handed none in.
    """
    by = format_.field if format_ is not None else None
    if by is None or format_ is None or state.settings.decks.decklists == "cut" or not decks_open(state):
        return None
    leader = format_.leader.rule.noun if format_.leader and by.by == "leader" else ""
    if by.tag:
        kinds = {
            each.id: each.tags[by.tag][1]
            for each in state.players.values()
            if by.tag in each.tags and each.tags[by.tag][1] and not each.erased
        }
    else:
        kinds = {each.player: each.kind for each in lists if each.kind}
    if not kinds:
        return None
    results = (table.result for each in state.rounds for table in each.tables.values() if table.result)
    through = state.cut.players if state.cut is not None and state.cut.after else ()
    return field_view(
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


def _read_deck(text: str, ruleset: Ruleset) -> Deck:
    """Return the cards of a registered list. Raises TourneyError where it cannot be read."""
    from tourney.decks.checking import cards_of
    from tourney.decks.reading import read

    return cards_of(read(text, source="the list", format_=ruleset.format), ruleset)


def _groups(deck: Deck, ruleset: Ruleset) -> Iterator[ListedCards]:
    names = ruleset.format.parts
    places = {zone: place for place, zone in enumerate(names)}

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
    known = (slot.card.attributes.get(name) for name in _TYPES)
    value = next((each for each in known if each is not None), "")
    return " ".join(map(str, value)) if isinstance(value, tuple | list | frozenset) else str(value)
