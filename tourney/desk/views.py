"""What is shown of the open event: views with names and words, for the terminal and for `tourney.publish`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney.desk.evidence import Evidence, since
from tourney.errors import TourneyError
from tourney.event.brackets import bracket_of
from tourney.event.field import cut_of, left_by
from tourney.event.kind import round_of
from tourney.event.ops import RoundEdited
from tourney.event.phrases import names_of
from tourney.event.state import Round, State
from tourney.event.view import EventView, Ladder, RoundView, RowView, StandingsView, TiebreakView, ladder
from tourney.event.view import event_view as view_of_event
from tourney.event.view import round_view as view_of_round
from tourney.record import PlayerId, Record
from tourney.standings import Standings, rank, tiebreaks
from tourney.standings.describing import describe
from tourney.standings.explaining import Explanation, explain_all
from tourney.standings.printing import (
    exact_text,
    heading_text,
    note_text,
    record_text,
    value_text,
)
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk.desk import Desk


Watch = Callable[[Iterable[Explanation], int], Iterable[Explanation]]
"""Walks that many explanations, which take their time, and may show how far it is."""


def event_view(
    desk: Desk, *, why: bool = True, held: bool = False, watch: Watch = lambda every, _: every
) -> EventView:
    """Return everything of the event that may be published, as it stands; without `why` no place is explained.

    held: with a round that is held back, which only the desk is to see
    """
    state, evidence = desk.state if held else desk.state.for_players, desk.evidence()
    ranked = desk.ranked()
    standings = rank(ranked.record, ranked.profile, seed=ranked.seed)
    complete = _complete(ranked.record, standings)
    settled = rank(complete, ranked.profile, seed=ranked.seed) if standings.playing else standings
    every = explain_all(complete, ranked.profile, seed=ranked.seed) if why and settled.rounds else ()
    from tourney.desk.verifying import foreseeable

    points, (champion, stuck) = ladder(state, ranked.profile), _bracket(state, standings)
    return view_of_event(
        state,
        ladder=points,
        rounds=tuple(_round(desk, round_, points, evidence) for round_ in state.rounds),
        standings=_table(state, standings),
        settled=_table(state, settled if settled.rounds else replace(settled, rows=())),
        chain=desk.chain,
        why={
            each.row.player: describe(each, names_of(state))
            for each in watch(every, len(settled.rows) if settled.rounds else 0)
        },
        facts=(*_facts(state), *stuck),
        champion=champion,
        remarks=tuple(each.message for each in foreseeable(evidence)),
    )


def _complete(record: Record, standings: Standings) -> Record:
    """Return the record up to the last round that is complete, as are all before it."""
    if not standings.playing:
        return record
    last = min(number for number, _ in standings.playing) - 1
    drops = {player: left for player, left in record.drops.items() if left < last}  # as if nothing came after
    return replace(record.after(last), drops=drops)


def round_view(desk: Desk, number: int | None = None) -> RoundView:
    """Return one round (None: the current one). Raises TourneyError where there is no such round."""
    points = ladder(desk.state, desk.profile())
    return _round(desk, round_of(desk.state, number), points, desk.evidence())


def _round(desk: Desk, round_: Round, points: Ladder, evidence: Evidence) -> RoundView:
    """Return a round with the state of the results it was paired on; what is proved is proved of those alone."""
    view, basis = view_of_round(desk.state, round_, points), since(evidence, round_)
    counted_on = f", on the results as of entry {basis.entry}" if view.proof and round_.number > 1 else ""
    repair = _repair(desk) if basis.text and round_ is desk.state.round else None
    return replace(
        view, proof=f"{view.proof}{counted_on}", as_of=basis.entry, stale=basis.text, repair=repair
    )


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
    rules = [tiebreaks.find(code) for code in standings.profile.tiebreaks]
    return tuple(TiebreakView(code=rule.code, name=rule.name, meaning=rule.source) for rule in rules)


def rows(state: State, standings: Standings) -> tuple[RowView, ...]:
    """Return the ranking as it is printed; who is disqualified stands last, without a rank."""
    profile, through, gone = standings.profile, cut_of(state), left_by(state, standings.rounds)
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
        )
        for row in standings.rows
    )


def _name(state: State, player: PlayerId) -> str:
    return state.players[player].name


def _facts(state: State) -> tuple[tuple[str, str], ...]:
    lists = [kept for kept in state.rules if kept.kind == "banlist"]
    value = state.beacon.value if state.beacon else "not out yet"
    beacon = [("Beacon", f"{state.settings.beacon}: {value}")] if state.settings.beacon else []
    seed = state.revealed or f"SHA-256 of the secret: {state.secret_digest}"
    return (
        ("Format", f"{state.format}, on {state.on}"),
        ("Ban list", f"{lists[0].name} of {lists[0].day}" if lists else "none"),
        ("Standings", state.profile),
        *((key.replace("-", " ").capitalize(), str(value)) for key, value in state.settings.choices.items()),
        ("Rounds", counted(len(state.swiss), "Swiss round")),
        ("Seed", seed),
        *beacon,
    )


def _bracket(state: State, standings: Standings) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Name the winner, of the bracket or of a closed event without one the only first; and why a bracket cannot go on."""
    if state.cut is None:
        first = [row for row in standings.rows if row.rank == 1]
        return (_name(state, first[0].player) if state.closed and len(first) == 1 else "", ())
    if state.round is not None and state.round.playing:
        return "", ()
    try:
        won = bracket_of(state, state.cut).champion
    except TourneyError as fault:
        return "", (("Bracket", fault.message),)
    return (_name(state, won) if won else "", ())
