"""Rounds that the organizer pairs, held against what an engine would have made of the same players."""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.event.state import State
from tourney.event.systems import Ask, PairingSystem, Proposal, system_called
from tourney.event.systems.recorded import Judged, RoundQuestion, by_seats_alone
from tourney.pairing import Pairing
from tourney.pairing.pairers import Pairer


class Manual(PairingSystem):
    """The organizer's own tables."""

    called = "an event paired by hand"
    repairs = True

    def propose(self, ask: Ask) -> Proposal:
        """Refuse: the organizer pairs."""
        raise TourneyError(
            f"round {ask.number} of this event is paired by hand",
            "`tourney round pair --by-hand FILE` (`-` reads stdin), a line `Mira - Tomo` for each table",
        )

    def judge(self, question: RoundQuestion, made: Pairing | None) -> Judged:
        """Judge the tables as Swiss ones where there are two at a table and everybody is to be paired."""
        settings = question.before.settings
        if settings.pairing.system == "round-robin":
            return by_seats_alone(question)
        return _likeliest(question.before).judge(question, None)

    def pairer(self, ask: Ask) -> Pairer | None:
        """Return what would pair tables of these sizes; the organizer may think otherwise."""
        return _likeliest(ask.state).pairer(ask)


def _likeliest(state: State) -> PairingSystem:
    return system_called("swiss" if state.settings.match.seats == (2,) else "pods")


SYSTEM = Manual()
