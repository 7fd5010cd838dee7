"""Rounds that the organizer pairs.

If all tables have two seats, these rounds are checked by the rules for Swiss rounds; otherwise by the rules
for pods. A round robin that is paired by hand is checked only by the rules that also bind the organizer: for
example, that no player has two seats.
"""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.event.field import Ask
from tourney.event.state import State
from tourney.event.systems import system_called
from tourney.event.systems.system import Judgment, PairingSystem, Proposal, RoundQuestion, judge_seats
from tourney.pairing import Pairer, Pairing


class Manual(PairingSystem):
    """The organizer makes the tables."""

    phrase = "an event paired by hand"
    repairs = True

    def propose(self, ask: Ask) -> Proposal:
        """Raise TourneyError, because the organizer pairs the rounds."""
        raise TourneyError(
            f"round {ask.number} of this event is paired by hand",
            "`tourney round pair --by-hand FILE` (`-` reads stdin),"
            " with a line such as `Mira - Tomo` for each table",
        )

    def judge(self, question: RoundQuestion, engine_pairing: Pairing | None) -> Judgment:
        """Check the tables by the rules of Swiss rounds or pods. In round robins, check seats only."""
        if question.before.settings.pairing.system == "round-robin":
            return judge_seats(question)
        return _engine_for(question.before).judge(question, None)

    def pairer(self, ask: Ask) -> Pairer | None:
        """Return a pairer for tables of these sizes, to replace the organizer in simulations."""
        return _engine_for(ask.state).pairer(ask)


def _engine_for(state: State) -> PairingSystem:
    return system_called("swiss" if state.settings.match.seats == (2,) else "pods")


SYSTEM = Manual()
