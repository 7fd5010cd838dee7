"""Rounds that the organizer pairs, compared with what an engine would have made of the same players."""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.event.field import Ask
from tourney.event.state import State
from tourney.event.systems import system_called
from tourney.event.systems.recorded import RoundQuestion
from tourney.event.systems.system import Judged, PairingSystem, Proposal, judge_seats
from tourney.pairing import Pairing
from tourney.pairing.pairers import Pairer


class Manual(PairingSystem):
    """The organizer's own tables."""

    called = "an event paired by hand"
    repairs = True

    def propose(self, ask: Ask) -> Proposal:
        """Refuse, as the organizer pairs."""
        raise TourneyError(
            f"round {ask.number} of this event is paired by hand",
            "`tourney round pair --by-hand FILE` (`-` reads stdin), a line `Mira - Tomo` for each table",
        )

    def judge(self, question: RoundQuestion, made: Pairing | None) -> Judged:
        """Judge the tables as those of a Swiss system, or of pods; in a round robin by their seats alone."""
        if question.before.settings.pairing.system == "round-robin":
            return judge_seats(question)
        return _engine_for(question.before).judge(question, None)

    def pairer(self, ask: Ask) -> Pairer | None:
        """Return the pairer for tables of these sizes, as a guess at the organizer's tables."""
        return _engine_for(ask.state).pairer(ask)


def _engine_for(state: State) -> PairingSystem:
    return system_called("swiss" if state.settings.match.seats == (2,) else "pods")


SYSTEM = Manual()
