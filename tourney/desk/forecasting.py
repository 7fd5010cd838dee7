"""Forecasts of an event: how coming rounds are paired, and what players need for the cut.

A *verdict* says whether a player is certain to make or miss the cut. In a large last round, finding all
verdicts can take seconds. Therefore the question is a plain value (`NeedsQuestion`) that another process can
`answer` within a time limit. Players whose verdict is not found in time have no verdict.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, structs
from msgspec.structs import replace

import tourney
import tourney.pairing as engines
from tourney.errors import TourneyError
from tourney.event.field import Ask, apart_by, fixed_table, leavers_until, options_of
from tourney.event.names import public
from tourney.event.settings import System, settings_from
from tourney.event.showing import time_of_last_update
from tourney.event.state import State
from tourney.event.systems import (
    cut_to_come,
    planned_rounds,
    rounds_before_cut,
    system_called,
)
from tourney.event.view import NeedsView, NeedView
from tourney.forecast.question import CutQuestion
from tourney.record import BY_PLAY, Outcome, PlayerId, Table
from tourney.standings import rank
from tourney.store.data import program_digest
from tourney.store.files import keep, recall
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk.open_event import OpenEvent
    from tourney.forecast import Outlook
    from tourney.forecast.simulation import Coming
    from tourney.pairing import Pairer
    from tourney.standings import Profile


def rounds_to_come(
    state: State, profile: Profile, paired_rounds: int, rounds: int | None = None
) -> tuple[Coming, ...]:
    """Return the rounds still to be paired before the cut, after round `paired_rounds`.

    rounds: the total number of rounds before the cut. None means the planned number; if no number is planned,
            no rounds are returned

    If the cut is already made, no rounds are returned beyond those that were played before it. Each returned
    round has the options and the engine with which the event will pair it. If that pairing cannot be
    predicted, the engine is the Swiss one (see `paired_by`).

    Raises TourneyError for an event that is a bracket. Also raises it if `rounds` is more than any event can
    have, or more than the round robin of this event has.
    """
    from tourney.forecast.simulation import refuse_too_many

    refuse_bracket(state.settings.pairing.system)
    rounds_before = rounds_before_cut(state)
    last = rounds or rounds_before or paired_rounds
    if rounds is not None and rounds_before is not None:
        if state.cut is not None:
            last = min(last, rounds_before)
        elif state.settings.pairing.system == "round-robin" and rounds > rounds_before:
            raise TourneyError(
                f"a round robin of these players has {counted(rounds_before, 'round')}, not {rounds}",
                f"use `--rounds {rounds_before}`, or leave the option out",
            )
    refuse_too_many(last)
    if rounds:  # the last planned round may be paired by other options
        state = replace(state, settings=settings_from({"rounds": rounds}, state.settings))
    pairer = _pairer(state, profile, paired_rounds + 1)
    return tuple(_coming_round(state, number, pairer) for number in range(paired_rounds + 1, last + 1))


def refuse_bracket(system: System) -> None:
    """Raise TourneyError for an event that is a bracket: it has no cut."""
    if system == "elimination":
        raise TourneyError("an event that is a bracket has no cut", "`tourney event show` shows the bracket")


def _pairer(state: State, profile: Profile, number: int) -> Pairer:
    version, engine = "", None
    if state.settings.pairing.system == "dutch":
        from tourney.store import fide

        version = fide.version()
        engine = fide.dutch_pairs_kept if version else None
    ask = Ask(state=state, profile=profile, number=number, seed="", dutch=engine, dutch_engine=version)
    return system_called(state.settings.pairing.system).pairer(ask) or engines.SwissPairer()


def paired_by(system: System, coming: Sequence[Coming]) -> str:
    """Return a phrase that says how simulations pair the rounds to come.

    It ends the sentence `rounds are paired in every run …`, as in `as the event pairs them`.
    """
    pairer = coming[0].pairer if coming else engines.SwissPairer()
    rules = "as pods" if isinstance(pairer, engines.PodsPairer) else "by this program's Swiss rules"
    if isinstance(pairer, engines.DutchPairer):
        return f"by the Dutch system ({pairer.version})"
    if system == "dutch":
        return f"{rules}: the engine of the Dutch system, the extra `fide`, is not installed"
    if system == "manual":
        return f"{rules}, not by hand"
    if system != "swiss" and isinstance(pairer, engines.SwissPairer):
        return f"{rules}, not by {system_called(system).phrase}"
    return "as the event pairs them"


def _coming_round(state: State, number: int, pairer: Pairer) -> Coming:
    from tourney.forecast.simulation import Coming

    players = state.players.values()
    return Coming(
        options=options_of(state, number),
        byes={
            player.id: player.late if player.since > number else player.byes[number]
            for player in players
            if player.since > number or number in player.byes
        },
        tags={player.id: apart_by(state, player, number) for player in players},
        fixed_tables={
            player.id: table
            for player in players
            if (table := fixed_table(state, player, number)) is not None
        },
        pairer=pairer,
    )


# -- What players need


PATIENCE = 5.0
"""The seconds of processor time that pages wait for a forecast.

On a busy machine, more time passes by the clock.
"""


class NeedsQuestion(Struct, frozen=True, kw_only=True):
    """The data from which another process can calculate what players need to make the cut.

    question: the cut, the results so far, and the rounds that are left
    names:    the players' names on pages
    rows:     player, rank and printed points of each player who can still make the cut, sorted by rank
    at:       when the last result was recorded, ISO 8601
    """

    question: CutQuestion
    names: Mapping[PlayerId, str]
    rows: tuple[tuple[PlayerId, int | None, str], ...]
    at: str

    def is_answered_by(self, before: NeedsQuestion) -> bool:
        """Return whether the verdicts found for an earlier question also hold for this one.

        They do if the only changes are new results of open tables. An awarded result (a no-show, a double
        loss) invalidates them, because a forecast considers only games and scores.
        """
        if before is self:
            return True
        old_question, new_question = before.question, self.question
        if before.names != self.names or replace(old_question, record=new_question.record) != new_question:
            return False
        if replace(old_question.record, rounds=()) != replace(new_question.record, rounds=()):
            return False
        if len(old_question.record.rounds) != len(new_question.record.rounds):
            return False
        return all(
            len(old) == len(new) and all(map(_continues, old, new))
            for old, new in zip(old_question.record.rounds, new_question.record.rounds, strict=True)
        )


def _continues(old: Table, new: Table) -> bool:
    """Return whether a forecast stays valid if table `old` has become table `new`.

    It is valid if the table is unchanged, or was open and now has a result that the forecast considers.
    """
    if old == new:
        return True
    result = new.result
    return (
        old.result is None
        and result is not None
        and structs.replace(new, result=None) == old
        and all(seat.outcome in BY_PLAY for seat in result.seats)
        and any(seat.outcome is not Outcome.LOSS for seat in result.seats)
    )


_Verdicts = dict[PlayerId, dict[str, str]]
"""Player → the player's verdicts, as values for the fields of a `NeedView`."""


def ask(desk: OpenEvent) -> NeedsQuestion | NeedsView | None:
    """Return the input for calculating what players need to make the cut.

    If this cannot be calculated, return a view that says why.

    Returns None if the event is a bracket, if the cut has been made, and if the event has ended.
    """
    state = desk.state.for_players
    settings = state.settings
    if settings.pairing.system == "elimination" or state.cut is not None or state.closed:
        return None
    if not state.rounds:
        return NeedsView(unsaid="begin")
    if (total_rounds := planned_rounds(state)) is None:
        return NeedsView(unsaid="rounds")
    ranking = desk.ranking_input(lots_needed=False)
    if not (cut := cut_to_come(state, ranking.profile)):
        return NeedsView(unsaid="cut")
    played_rounds = len(ranking.record.rounds)
    question = CutQuestion(
        record=ranking.record,
        profile=ranking.profile,
        cut=cut,
        late_drops=leavers_until(state, played_rounds),
        match=(settings.match.best_of, settings.match.draws),
        to_come=max(0, total_rounds - played_rounds),
    )
    in_play = set(question.players)
    rows = rank(ranking.record, ranking.profile, seed=ranking.seed).rows
    return NeedsQuestion(
        question=question,
        names={player.id: player.name for player in public(desk.state).players.values()},
        rows=tuple(
            (row.player, row.rank, ranking.profile.points_text(row.points))
            for row in rows
            if row.player in in_play
        ),
        at=time_of_last_update(state),
    )


def answer(request: NeedsQuestion, patience: float = PATIENCE) -> NeedsView:
    """Return what players need to make the cut.

    Verdicts are searched in order of rank for `patience` seconds of processor time. Players whose verdict is
    not found in that time have none.
    """
    return _view(request, _find_verdicts(request, patience))


def _find_verdicts(request: NeedsQuestion, patience: float) -> _Verdicts | None:
    """Return player → verdict on the cut, for as many players as the time allows.

    patience: seconds of processor time after which no further player is examined

    Returns None if a table has too many possible results.
    """
    from tourney.forecast import outlooks

    until = time.thread_time() + patience
    players = (player for player, _, _ in request.rows if time.thread_time() < until)
    try:
        return {outlook.player: _verdict_of(outlook) for outlook in outlooks(request.question, players)}
    except TourneyError:
        return None


def _verdict_of(outlook: Outlook) -> dict[str, str]:
    """Return a player's verdicts as the fields of a `NeedView`."""
    from tourney.forecast.verdicts import sentence_key

    win, draw, loss = (outlook.after(outcome) or "" for outcome in BY_PLAY)
    return {"now": outlook.now, "win": win, "draw": draw, "loss": loss, "says": sentence_key(outlook)}


def _view(request: NeedsQuestion, verdicts: _Verdicts | None) -> NeedsView:
    from tourney.forecast.verdicts import SENTENCES

    question = request.question
    view = NeedsView(cut=question.cut, at=request.at, to_come=question.to_come)
    if verdicts is None:
        return structs.replace(view, unsaid="tables")
    tables = question.tables
    at = {player: table.number for table in tables for player in table.seats}
    rows = []
    for player, place, points in request.rows:
        row = NeedView(
            player=player, name=request.names[player], rank=place, points=points, table=at.get(player, 0)
        )
        if verdict := verdicts.get(player):
            row = structs.replace(row, **verdict, text=SENTENCES[verdict["says"]])
        rows.append(row)
    return structs.replace(view, tables=len(tables), rows=tuple(rows))


def needs_for_all(desk: OpenEvent, patience: float = PATIENCE) -> NeedsView | None:
    """Return what each player needs to make the cut, for the public page.

    Returns None if the event does not publish this, or if no cut is to come.
    """
    if desk.state.settings.phones.forecast != "all":
        return None
    request = ask(desk)
    if not isinstance(request, NeedsQuestion):
        return request
    program = program_digest(Path(tourney.__file__).parent) or tourney.__version__
    name, state = f"needs-{desk.chain[0][:16]}", f"{desk.state.digest} {program}"
    verdicts = _recall(name, state)
    if verdicts is None:
        verdicts = _find_verdicts(request, patience)
        if verdicts is not None and len(verdicts) == len(request.rows):  # otherwise another run may find more
            keep("forecasts", name, msgspec.json.encode((state, verdicts)))
    return _view(request, verdicts)


# Verdicts are cached until the event or the program changes. They have numbers instead of names, so that a
# person can be erased.


def _recall(name: str, state: str) -> _Verdicts | None:
    """Return the cached verdicts for the event in this state; None if there are none."""
    data = recall("forecasts", name)
    try:
        record = None if data is None else msgspec.json.decode(data, type=tuple[str, _Verdicts])
    except msgspec.DecodeError:  # written by another version of the program
        return None
    return record[1] if record is not None and record[0] == state else None
