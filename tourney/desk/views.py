"""What is shown of the open event: views with names and words, for the terminal and for `tourney.publish`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import tourney
from tourney.desk.evidence import Evidence, since
from tourney.errors import TourneyError
from tourney.event.brackets import FinalPlace, bracket_begun, bracket_of, final_ranking, winner_of
from tourney.event.field import DivisionPlace, cut_of, division_places, divisions_of, left_by
from tourney.event.kind import round_of
from tourney.event.names import public
from tourney.event.ops import RoundEdited
from tourney.event.phrases import names_of, own_scores_of, sides_of, sides_text
from tourney.event.state import Round, State
from tourney.event.view import (
    EventView,
    FinalView,
    Ladder,
    PlaceView,
    RoundView,
    RowView,
    StandingsView,
    TiebreakView,
    ladder,
)
from tourney.event.view import event_view as view_of_event
from tourney.event.view import round_view as view_of_round
from tourney.record import PlayerId, Record
from tourney.standings import Standings, rank, tiebreaks
from tourney.standings.describing import describe
from tourney.standings.explaining import Explanation, explain_all
from tourney.standings.printing import columns as columns_worth
from tourney.standings.printing import (
    exact_text,
    heading_text,
    note_text,
    record_text,
    value_text,
)
from tourney.store.data import program_digest
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk.desk import Desk, Ranked
    from tourney.event.prizes import Awards
    from tourney.games.sheet import GameSheet, OwnMatch
    from tourney.publish.data import Told
    from tourney.rules import Format


Watch = Callable[[Iterable[Explanation], int], Iterable[Explanation]]
"""Walks that many explanations, which take their time, and may show how far it is."""


def event_view(
    desk: Desk,
    *,
    why: bool = True,
    held: bool = False,
    whole_names: bool = False,
    prizes: tuple[str, str] | None = None,
    told: Told | None = None,
    watch: Watch | None = None,
) -> EventView:
    """Return everything of the event that may be published, as it stands; without `why` no place is explained.

    held: with a round that is held back, which only the desk is to see; whole_names: everybody called as the desk calls them
    prizes: as `Desk.publish` takes them; told: what was explained before, which is not worked out again where it was made
    from the same
    """
    seen = desk.state if held else desk.state.for_players
    state, evidence = seen if whole_names else public(desk.state, held=held), desk.evidence()
    ranked = desk.ranked()
    standings = rank(ranked.record, ranked.profile, seed=ranked.seed)
    complete = _complete(ranked.record, standings)
    settled = rank(complete, ranked.profile, seed=ranked.seed) if standings.playing else standings
    explains = ranked._replace(record=complete) if why and settled.rounds else None
    explained = _explained(state, explains) if explains else ""
    from tourney.desk import open_lists, shared_decks
    from tourney.desk.verifying import foreseeable, imported

    lists, leader = open_lists.views(desk, state)
    points, (champion, stuck) = ladder(state, ranked.profile), _bracket(state, standings)
    view = view_of_event(
        state,
        ladder=points,
        rounds=tuple(_round(desk, state, round_, points, evidence) for round_ in state.rounds),
        standings=_table(state, standings),
        settled=_table(state, settled if settled.rounds else replace(settled, rows=())),
        chain=desk.chain,
        why=told.why
        if told and explained and told.explained == explained
        else _why(state, explains, len(settled.rows), watch)
        if explains
        else {},
        explained=explained,
        facts=(*_facts(desk, state), *stuck),
        champion=champion,
        remarks=tuple(each.message for each in (*imported(desk.state), *foreseeable(evidence))),
        final=None if stuck else _told(state, standings, prizes),
        past=desk.past,
        decks=shared_decks.views(desk),
        lists=lists,
        leader=leader,
        field=open_lists.field(state, lists, _format(desk)),
        game=_game(desk, state),
    )
    # A bracket that is made by the pairing of its first round is seen when that is; one after Swiss rounds stands already.
    unseen = state.settings.system == "elimination" and not bracket_begun(state) and bracket_begun(desk.state)
    return replace(view, bracket=None) if unseen else view


def _game(desk: Desk, state: State) -> GameSheet | None:
    from tourney.games.sheet import game_sheet

    format_ = _format(desk)
    return (
        game_sheet([format_], state.settings.choices, _own(format_, state)) if format_ is not None else None
    )


def _own(format_: Format, state: State) -> OwnMatch:
    """Say how the event is played, as its format would."""
    from tourney.event.systems import planned_rounds
    from tourney.games.sheet import OwnMatch
    from tourney.rules.summary import cut_words
    from tourney.rules.vocabulary import CutFile, SeatsFile

    settings, cut, usual = state.settings, state.cut, format_.event
    sizes = sorted(settings.seats)
    own: dict[str, str] = {}
    alone = settings.system == "elimination"
    if not alone:
        rounds = planned_rounds(state)
        own["rounds"] = "as many as the organizer pairs" if rounds is None else counted(rounds, "round")
    if cut is not None and cut.after:
        tables = "" if cut.seats == 2 else f", to {cut_words(CutFile(seats=cut.seats, advance=cut.advance))}"
        own["cut"] = f"the first {len(cut.players)} go on{tables}"
    elif alone:
        own["cut"] = "none: the event is a bracket"
    elif isinstance(usual.cut, CutFile) or settings.cut_seats:
        own["cut"] = cut_words(CutFile(seats=settings.bracket_seats, advance=settings.bracket_advance))
    return OwnMatch(
        match=msgspec.structs.replace(
            format_.match,
            seats=sizes[0] if len(sizes) == 1 else SeatsFile(min=sizes[0], max=sizes[-1]),
            games=settings.best_of,
            draws=settings.draws,
            sides=settings.sides,
            minutes=settings.minutes,
        ),
        event=msgspec.structs.replace(usual, pods=settings.seats, lists=settings.lists),
        standings=msgspec.structs.replace(format_.standings, profile=state.profile),
        said=own,
    )


def _explained(state: State, ranked: Ranked) -> str:
    """Return a name of all that places are explained by: results, rules, names, and this program; empty where it has none."""
    if not (program := program_digest(Path(tourney.__file__).parent)):
        return ""
    rules = [(kept.kind, kept.name, kept.text) for kept in state.rules]
    names = [player.name for player in state.players.values()]
    made = (program, rules, state.on, ranked.seed, state.settings.sides, names, ranked.record)
    return sha256(msgspec.json.encode(made, enc_hook=_plain)).hexdigest()


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


def _why(
    state: State, ranked: Ranked, number: int, watch: Watch | None
) -> Mapping[PlayerId, tuple[str, ...]]:
    every = explain_all(ranked.record, ranked.profile, seed=ranked.seed)
    name, side, score = names_of(state), sides_of(state), own_scores_of(state)
    return {
        each.row.player: describe(each, name, side, score)
        for each in (watch(every, number) if watch else every)
    }


def _complete(record: Record, standings: Standings) -> Record:
    """Return the record up to the last round that is complete, as are all before it."""
    if not standings.playing:
        return record
    last = min(number for number, _ in standings.playing) - 1
    drops = {player: left for player, left in record.drops.items() if left < last}  # as if nothing came after
    early = {player: left for player, left in record.left_early.items() if left < last}
    return replace(record.after(last), drops=drops, left_early=early)


def round_view(desk: Desk, number: int | None = None) -> RoundView:
    """Return one round (None: the current one). Raises TourneyError where there is no such round."""
    points = ladder(desk.state, desk.profile())
    return _round(desk, desk.state, round_of(desk.state, number), points, desk.evidence())


def _round(desk: Desk, state: State, round_: Round, points: Ladder, evidence: Evidence) -> RoundView:
    """Return a round with the state of the results it was paired on; what is proved is proved of those alone."""
    view, basis = view_of_round(state, round_, points), since(evidence, round_)
    counted_on = f", on the results as of entry {basis.entry}" if view.proof and round_.number > 1 else ""
    repair = _repair(desk) if basis.text and round_ is desk.state.round else None
    return replace(
        view,
        proof=f"{view.proof}{counted_on}",
        as_of=basis.entry,
        stale=basis.text,
        repair=repair,
        score_name=_score_name(desk),
    )


def _score_name(desk: Desk) -> str:
    """Return what is counted besides games; empty where the format does not say what a score is."""
    if (format_ := _format(desk)) is None:
        return ""
    from tourney.rules.vocabulary import ScoreFile

    score = format_.match.score
    return score.name if isinstance(score, ScoreFile) else ""


def _repair(desk: Desk) -> tuple[int, ...] | None:
    """Return the tables that a repair of the current round would change; None where it would be refused."""
    decision = desk.repairable()
    if decision is None:
        return None
    op = decision.op
    if not isinstance(op, RoundEdited):
        return ()
    return tuple(sorted({*op.removed, *(table.number for table in op.tables)}))


def _table(state: State, standings: Standings) -> StandingsView:
    return StandingsView(
        profile=state.profile,
        source=standings.profile.source,
        after=standings.rounds,
        columns=columns(standings),
        rows=rows(state, standings),
        cut=len(cut_of(state)),
        heading=heading_text(standings) if standings.rounds else "",
        provisional=bool(standings.playing),
        left_out=tuple((player, _name(state, player)) for player in standings.left_out),
    )


def columns(standings: Standings) -> tuple[TiebreakView, ...]:
    """Return the tie-breaks in the profile's order, without the points."""
    used = columns_worth(standings) if standings.rounds else ()
    rules = [(code, tiebreaks.find(code)) for code in standings.profile.tiebreaks]
    return tuple(
        TiebreakView(code=rule.code, name=rule.name, meaning=rule.source, used=code in used)
        for code, rule in rules
    )


def rows(state: State, standings: Standings) -> tuple[RowView, ...]:
    """Return the ranking as it is printed; who is disqualified stands last, without a rank."""
    profile, through, gone = standings.profile, cut_of(state), left_by(state, standings.rounds)
    places = division_places(divisions_of(state), ((row.player, row.rank) for row in standings.rows))
    divided = {row.player: places.get(row.player, DivisionPlace()) for row in standings.rows}
    return tuple(
        RowView(
            rank=row.rank,
            player=row.player,
            name=_name(state, row.player),
            points=profile.points_text(row.points),
            record=record_text(row),
            values=tuple(value_text(key, profile) for key in row.keys),
            exact=tuple(exact_text(key.value) for key in row.keys),
            note=note_text(row, gone=row.player in gone),
            cut=row.player in through,
            division=divided[row.player].name,
            division_place=divided[row.player].first,
            division_last=divided[row.player].last,
        )
        for row in standings.rows
    )


def bracket_places(desk: Desk) -> FinalView | None:
    """Return everybody's place in an event whose bracket is being played; None in others.

    Raises TourneyError where the bracket cannot go on: an entry of an older version.
    """
    state = desk.state.for_players
    return _final(state, desk.standings()) if bracket_begun(state) else None


def _told(state: State, standings: Standings, prizes: tuple[str, str] | None) -> FinalView | None:
    """Return everybody's place where there is a bracket, or where prizes go by it, with the prizes."""
    if prizes is None or not state.rounds:
        return _final(state, standings) if bracket_begun(state) else None
    from tourney.event.prizes import award, read_prizes

    text, source = prizes
    table = read_prizes(text, source=source)
    view = _final(state, standings)
    awards = award(
        table,
        final_ranking(state, standings),
        name=names_of(state),
        so_far=True,
        divisions=divisions_of(state),
    )
    won: dict[PlayerId | None, list[str]] = {}
    for row in awards.rows:
        byes = counted(row.byes, "bye") if row.byes else ""
        told = ", ".join(filter(None, (awards.cell(row, "cash"), row.product, byes)))
        won.setdefault(row.player, []).append(f"{told} ({row.division})" if row.division else told)
    return replace(
        view, rows=tuple(replace(row, prize="; ".join(won.get(row.player, []))) for row in view.rows)
    )


def _final(state: State, standings: Standings) -> FinalView:
    ranking = final_ranking(state, standings)
    swiss = state.cut is None or bool(state.cut.after)
    divided = division_places(divisions_of(state), ((each.player, each.first) for each in ranking.places))
    return FinalView(
        rows=tuple(
            _place(state, standings, each, divided.get(each.player, DivisionPlace()), swiss=swiss)
            for each in ranking.places
        ),
        counts=ranking.counts,
        why_not=ranking.why_not,
        playing=state.open_round is not None,
        bracket=state.cut is not None,
        swiss=swiss,
        larger=state.cut is not None and state.cut.seats > 2,
    )


def prizes(desk: Desk, text: str, *, source: str, so_far: bool = False, for_all: bool = False) -> Awards:
    """Say who gets what by a table of prizes; see `tourney.event.prizes`. Raises TourneyError while places are not final.

    for_all: players are called as pages call them
    """
    from tourney.event.prizes import award, read_prizes

    table = read_prizes(text, source=source)
    ranking = final_ranking(desk.state.for_players, desk.standings())
    called = names_of(public(desk.state) if for_all else desk.state)
    return award(table, ranking, name=called, so_far=so_far, divisions=divisions_of(desk.state))


def summary(desk: Desk, *, top: int, awards: Awards | None = None) -> tuple[str, FinalView]:
    """Return the event on a page, as Markdown, and everybody's place. Raises TourneyError where a bracket cannot go on."""
    from tourney.publish import text

    view, state = event_view(desk, why=False), desk.state
    final = view.final or _final(public(state), desk.standings())
    return text.summary(
        view, final, on=state.created[:10], digest=state.digest, top=top, awards=awards
    ), final


def _place(
    state: State, standings: Standings, place: FinalPlace, divided: DivisionPlace, *, swiss: bool
) -> PlaceView:
    player, row = state.players[place.player], place.row if swiss else None
    gone = "disqualified" if player.disqualified is not None else "" if player.dropped is None else "drop"
    return PlaceView(
        place=place.words,
        first=place.first,
        last=place.last,
        player=player.id,
        name=player.name,
        came=place.came,
        swiss=row.rank if row else None,
        points=standings.profile.points_text(row.points) if row else "",
        record=record_text(row) if row else "–".join(map(str, place.record)) if place.seed else "",
        note=gone,
        division=divided.name,
        division_place=divided.first,
        division_last=divided.last,
    )


def _name(state: State, player: PlayerId) -> str:
    return state.players[player].name


def _facts(desk: Desk, state: State) -> tuple[tuple[str, str], ...]:
    lists = [kept for kept in state.rules if kept.kind == "banlist"]
    value = state.beacon.value if state.beacon else "not out yet"
    beacon = [("Beacon", f"{state.settings.beacon}: {value}")] if state.settings.beacon else []
    seed = state.revealed or f"SHA-256 of the secret: {state.secret_digest}"
    return (
        ("Format", f"{state.format}, on {state.on}"),
        ("Ban list", f"{lists[0].name} of {lists[0].day}" if lists else "none"),
        ("Standings", state.profile),
        *([("Sides", sides_text(state.settings))] if state.settings.sides else []),
        *_choices(desk, state),
        (
            ("System", f"{'double' if state.settings.double else 'single'} elimination")
            if state.settings.system == "elimination"
            else ("Rounds", counted(len(state.swiss), "Swiss round"))
        ),
        ("Seed", seed),
        *beacon,
        *_day(desk, state),
    )


def _choices(desk: Desk, state: State) -> Iterator[tuple[str, str]]:
    """Give what the organizer chose, and the choices told at the table as they stand, with what they are about."""
    format_, chosen = _format(desk), state.settings.choices
    settings = {} if format_ is None else format_.settings
    told = {name: setting.default for name, setting in settings.items() if setting.told}
    for name, value in {**told, **chosen}.items():
        said = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        about = settings[name].about if name in told else ""
        yield re.sub("[-_]", " ", name).capitalize(), f"{said} ({about})" if about else said


def _day(desk: Desk, state: State) -> Iterator[tuple[str, str]]:
    """Give what the rule text and the organizer tell of the day, in one fact."""
    said = []
    if (format_ := _format(desk)) is not None:
        cited = [(placed.rule.says, format_.cite(placed)) for placed in format_.day]
        said = [f"{says} ({cite})" if cite else says for says, cite in cited]
    if lines := [*said, *state.settings.day]:
        yield "On the day", "; ".join(lines)


def _format(desk: Desk) -> Format | None:
    """Return the event's format; None where what the event keeps of it is not readable any more."""
    try:
        return desk.rules.format
    except TourneyError:
        return None


def _bracket(state: State, standings: Standings) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Name the winner, of the bracket or of a closed event without one the only first; and why a bracket cannot go on."""
    if state.cut is None:
        first = [row for row in standings.rows if row.rank == 1]
        return (_name(state, first[0].player) if state.closed and len(first) == 1 else "", ())
    last = state.open_round.number - 1 if state.open_round else None
    try:
        won = winner_of(state, bracket_of(state, state.cut, last))
    except TourneyError as fault:
        return "", (("Bracket", fault.message),)
    return (_name(state, won) if won else "", ())
