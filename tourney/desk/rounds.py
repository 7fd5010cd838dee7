"""Rounds: pairing, edits by hand, the cut."""

from __future__ import annotations

from tourney.desk.receipt import Receipt
from tourney.desk.session import Session
from tourney.record import PlayerId


class RoundDesk(Session):
    """Who meets whom."""

    def pair_round(self, *, by_hand: str | None = None, source: str = "-") -> Receipt:
        """Pair the next round by the event's system (in the cut: the bracket's next matches).

        by_hand: the organizer's own tables, a line each: `Mira - Tomo`, `4: Mira - Tomo`, `Mira vs Tomo`, `Ada bye`,
                 `Ada half-bye`, `Ada awarded-bye`, `Ada absent`; checked, and warned of where it is not as engines
                 would have it. source names the text in messages

        Refused while tables are still playing, after the last planned round, and with fewer than two players.
        """
        raise NotImplementedError

    def swap(self, one: str | PlayerId, other: str | PlayerId, *, reason: str | None = None) -> Receipt:
        """Let two players of the current round change seats (a seat and a bye too). Tables with a result are refused."""
        raise NotImplementedError

    def seat(self, table: int, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Seat exactly these players at a table of the current round; whoever they leave behind changes places."""
        raise NotImplementedError

    def bye(self, who: str | PlayerId, kind: str = "bye", *, reason: str | None = None) -> Receipt:
        """Take a player from their table of the current round: `bye`, `awarded-bye`, `half-bye` or `absent`.

        An opponent who is left alone takes the seat of whoever had the bye, else has a bye.
        """
        raise NotImplementedError

    def repair_round(self, *, reason: str | None = None) -> Receipt:
        """Pair the current round again around what changed, with the fewest tables touched; never one with a result."""
        raise NotImplementedError

    def cancel_round(self, *, reason: str | None = None) -> Receipt:
        """Take back the last round with its results. Can be undone."""
        raise NotImplementedError

    def force(
        self, *who: str | PlayerId, round_number: int | None = None, table: int | None = None
    ) -> Receipt:
        """Fix a pairing of a round (None: the next to be paired), at `table` if named."""
        raise NotImplementedError

    def forbid(self, *who: str | PlayerId, hard: bool = True, reason: str | None = None) -> Receipt:
        """Keep players apart: never to meet (hard), or only where it cannot be helped."""
        raise NotImplementedError

    def start_round(self, minutes: int | None = None) -> Receipt:
        """Start the clock of the current round (None: the event's minutes; 0: no limit)."""
        raise NotImplementedError

    def extend(self, table: int, minutes: int, *, reason: str | None = None) -> Receipt:
        """Give a table of the current round more time."""
        raise NotImplementedError

    def cut(
        self,
        size: int,
        *,
        kind: str = "single",
        reseed: bool = False,
        third_place: bool = False,
        vacancy: str = "opponent",
    ) -> Receipt:
        """Make the bracket of the first `size` of the standings; the next `pair_round` pairs it.

        Refused while tables are still playing, and where the standings leave a tie across the line without a lot.
        """
        raise NotImplementedError
