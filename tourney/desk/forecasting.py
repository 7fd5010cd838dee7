"""An event as a forecast asks for it: what is known, what its rounds to come are paired by, and what is shown of the answer.

What a player needs takes seconds in a large last round. So it is asked for as a value (`NeedsQuestion`) that another process can be
handed, and answered (`answer`) within a given time: for whom it does not suffice, nothing is said.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from msgspec import structs

from tourney.errors import TourneyError
from tourney.event.field import Ask, apart_by, fixed_table, left_by, options_of
from tourney.event.names import public
from tourney.event.settings import System, settings_from
from tourney.event.showing import last_shown
from tourney.event.state import State
from tourney.event.systems import (
    cut_to_come,
    planned_rounds,
    rounds_before_cut,
    system_called,
)
from tourney.event.view import NeedsView, NeedView
from tourney.record import Outcome, PlayerId, Table
from tourney.standings import rank
from tourney.standings.completions import CutQuestion
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk.open_event import OpenEvent
    from tourney.forecast.needs import Verdicts
    from tourney.forecast.simulation import Coming
    from tourney.pairing.pairers import Pairer
    from tourney.standings import Profile


def rounds_to_come(
    state: State, profile: Profile, paired: int, rounds: int | None = None
) -> tuple[Coming, ...]:
    """Return the rounds before the cut from `paired` + 1 on, as the event pairs them.

    rounds: how many there will be in all; None: as planned, and where nothing is, no more. Where the cut is made, none come

    Rounds that nobody can tell the pairing of are Swiss ones (`paired_by` says so). Raises TourneyError for an event that is a
    bracket, whose rounds lead to no cut, and for more rounds than an event, or the schedule of its round robin, can have.
    """
    from tourney.forecast.simulation import refuse_too_many

    refuse_bracket(state.settings.pairing.system)
    before = rounds_before_cut(state)
    last = rounds or before or paired
    if rounds is not None and before is not None:
        if state.cut is not None:
            last = min(last, before)
        elif state.settings.pairing.system == "round-robin" and rounds > before:
            raise TourneyError(
                f"a round robin of these players has {counted(before, 'round')}, not {rounds}",
                f"`--rounds {before}`, or leave it out",
            )
    refuse_too_many(last)
    if rounds:  # its last round may be paired otherwise than those before
        state = replace(state, settings=settings_from({"rounds": rounds}, state.settings))
    pairer = _pairer(state, profile, paired + 1)
    return tuple(_coming(state, number, pairer) for number in range(paired + 1, last + 1))


def refuse_bracket(system: System) -> None:
    """Raise TourneyError where a system makes no cut, as the event is the bracket."""
    if system == "elimination":
        raise TourneyError("an event that is a bracket has no cut", "`tourney event show` shows the bracket")


def _pairer(state: State, profile: Profile, number: int) -> Pairer:
    from tourney.pairing.pairers import SwissPairer

    version, engine = "", None
    if state.settings.pairing.system == "dutch":
        from tourney.store import fide

        version = fide.version()
        engine = fide.dutch_pairs_kept if version else None
    ask = Ask(state=state, profile=profile, number=number, seed="", dutch=engine, dutch_engine=version)
    return system_called(state.settings.pairing.system).pairer(ask) or SwissPairer()


def paired_by(system: System, coming: Sequence[Coming]) -> str:
    """Say how rounds to come are paired in each run, after `paired in every run`."""
    from tourney.pairing.pairers import DutchPairer, PodsPairer, SwissPairer

    pairer = coming[0].pairer if coming else SwissPairer()
    own = "as pods" if isinstance(pairer, PodsPairer) else "by this program's Swiss rules"
    if isinstance(pairer, DutchPairer):
        return f"by the Dutch system ({pairer.version})"
    if system == "dutch":
        return f"{own}: the engine of the Dutch system, the extra `fide`, is not installed"
    if system == "manual":
        return f"{own}, not by hand"
    if system != "swiss" and isinstance(pairer, SwissPairer):
        return f"{own}, not by {system_called(system).called}"
    return "as the event pairs them"


def _coming(state: State, number: int, pairer: Pairer) -> Coming:
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


# -- what players need, where they see it


PATIENCE = 5.0
"""Seconds of computing that pages wait for a forecast: what else the machine has to do takes nothing of it away."""


@dataclass(frozen=True, kw_only=True)
class NeedsQuestion:
    """What players need, asked of an event as it stood: plain values.

    names: player → what pages call them
    rows:  rank and points as printed, of everybody who can still make the cut, by rank
    at:    when the last of the results was entered, ISO 8601
    """

    question: CutQuestion
    names: Mapping[PlayerId, str]
    rows: tuple[tuple[PlayerId, int | None, str], ...]
    at: str

    def is_answered_by(self, before: NeedsQuestion) -> bool:
        """Whether what was proved then is proved now: nothing happened but results of tables that were open.

        An award (a no-show, both lose) is no result that a proof has gone through.
        """
        if before is self:
            return True
        then, now = before.question, self.question
        if before.names != self.names or replace(then, record=now.record) != now:
            return False
        if replace(then.record, rounds=()) != replace(now.record, rounds=()):
            return False
        if len(then.record.rounds) != len(now.record.rounds):
            return False
        return all(
            len(old) == len(new) and all(map(_goes_on, old, new))
            for old, new in zip(then.record.rounds, now.record.rounds, strict=True)
        )


def _goes_on(old: Table, new: Table) -> bool:
    """Whether a table is as it was, or was open and ended in a result that a forecast goes through."""
    if old == new:
        return True
    result = new.result
    return (
        old.result is None
        and result is not None
        and structs.replace(new, result=None) == old
        and all(seat.outcome in _PLAYED for seat in result.seats)
        and any(seat.outcome is not Outcome.LOSS for seat in result.seats)
    )


_PLAYED = (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)


def ask(desk: OpenEvent) -> NeedsQuestion | NeedsView | None:
    """Return what is to be worked out; where that is impossible, the view that says why, and None where there is no cut to come."""
    state = desk.state.for_players
    settings = state.settings
    if settings.pairing.system == "elimination" or state.cut is not None or state.closed:
        return None
    if not state.rounds:
        return NeedsView(unsaid="begin")
    if (planned := planned_rounds(state)) is None:
        return NeedsView(unsaid="rounds")
    ranked = desk.ranked(lots_needed=False)
    if not (cut := cut_to_come(state, ranked.profile)):
        return NeedsView(unsaid="cut")
    played = len(ranked.record.rounds)
    question = CutQuestion(
        record=ranked.record,
        profile=ranked.profile,
        cut=cut,
        gone=left_by(state, played),
        match=(settings.match.best_of, settings.match.draws),
        to_come=max(0, planned - played),
    )
    there = set(question.players)
    rows = rank(ranked.record, ranked.profile, seed=ranked.seed).rows
    return NeedsQuestion(
        question=question,
        names={player.id: player.name for player in public(desk.state).players.values()},
        rows=tuple(
            (row.player, row.rank, ranked.profile.points_text(row.points))
            for row in rows
            if row.player in there
        ),
        at=last_shown(state),
    )


def answer(asked: NeedsQuestion, patience: float = PATIENCE) -> NeedsView:
    """Work it out, for one player after the other by rank, as far as `patience` seconds of computing allow."""
    return _view(asked, _worked_out(asked, patience))


def _worked_out(asked: NeedsQuestion, patience: float) -> dict[PlayerId, Verdicts] | None:
    """Return what is known of each player; None where the tables are of a kind that is not gone through."""
    from tourney.forecast import outlooks
    from tourney.forecast.needs import verdicts_of

    until = time.thread_time() + patience
    players = (player for player, _, _ in asked.rows if time.thread_time() < until)
    try:
        return {outlook.player: verdicts_of(outlook) for outlook in outlooks(asked.question, players)}
    except TourneyError:
        return None


def _view(asked: NeedsQuestion, found: Mapping[PlayerId, Verdicts] | None) -> NeedsView:
    question = asked.question
    view = NeedsView(cut=question.cut, at=asked.at, to_come=question.to_come)
    if found is None:
        return replace(view, unsaid="tables")
    tables = question.tables
    at = {player: table.number for table in tables for player in table.seats}
    rows = (
        _need(
            NeedView(
                player=player, name=asked.names[player], rank=place, points=points, table=at.get(player, 0)
            ),
            found.get(player),
        )
        for player, place, points in asked.rows
    )
    return replace(view, tables=len(tables), rows=tuple(rows))


def _need(row: NeedView, found: Verdicts | None) -> NeedView:
    from tourney.forecast.sentences import SENTENCES

    if found is None:
        return row
    now, win, draw, loss, says = found
    return replace(row, now=now, win=win, draw=draw, loss=loss, told=SENTENCES[says], says=says)


def needs_for_all(desk: OpenEvent, patience: float = PATIENCE) -> NeedsView | None:
    """Return what the page for everybody shows; None where the event has none, or not yet, or not any more."""
    if desk.state.settings.phones.forecast != "all":
        return None
    asked = ask(desk)
    if not isinstance(asked, NeedsQuestion):
        return asked
    name, of = f"needs-{desk.chain[0][:16]}", f"{desk.state.digest} {_made_so()}"
    found = _kept(name, of)
    if found is None:
        found = _worked_out(asked, patience)
        if found is not None and len(found) == len(asked.rows):  # else another run may have the time for more
            _keep(name, of, found)
    return _view(asked, found)


# -- what was worked out, kept until the event goes on: numbers of players and no names, so that nobody is in it who is erased


def _kept(name: str, of: str) -> dict[PlayerId, Verdicts] | None:
    """Return what was worked out of just this; None where nothing was, or something else."""
    import msgspec

    from tourney.forecast.needs import Verdicts
    from tourney.store.files import recall

    data = recall("forecasts", name)
    try:
        known = None if data is None else msgspec.json.decode(data, type=tuple[str, dict[PlayerId, Verdicts]])
    except msgspec.DecodeError:  # of a program that kept it otherwise
        return None
    return known[1] if known is not None and known[0] == of else None


def _keep(name: str, of: str, found: Mapping[PlayerId, Verdicts]) -> None:
    import msgspec

    from tourney.store.files import keep

    keep("forecasts", name, msgspec.json.encode((of, found)))


@cache
def _made_so() -> str:
    """Return the digest of what works it out: another version of the program may say more, or what it says otherwise."""
    rooms = (files("tourney") / room for room in ("forecast", "standings"))
    sources = sorted(
        (each.name, each.read_bytes()) for room in rooms for each in room.iterdir() if each.is_file()
    )
    told = "".join(f"{name} {sha256(source).hexdigest()}\n" for name, source in sources)
    return sha256(told.encode()).hexdigest()
