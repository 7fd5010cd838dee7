"""Rounds: pairing, edits by hand, the cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from tourney.desk.receipt import Receipt
from tourney.desk.session import Session
from tourney.errors import TourneyError
from tourney.event.by_hand import read_pairings
from tourney.event.decide import Decision
from tourney.event.decide import rounds as decide
from tourney.event.field import standings
from tourney.event.parts import Unseated
from tourney.event.seating import Plan
from tourney.event.state import State
from tourney.event.systems import UNSEATED, Ask
from tourney.event.texts import Sealing
from tourney.event.who import find
from tourney.event.words import listed
from tourney.record import PlayerId

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.pairing.dutch import Question


class RoundDesk(Session):
    """Who meets whom."""

    def pair_round(self, *, by_hand: str | None = None, source: str = "-") -> Receipt:
        """Pair the next round by the event's system (in the cut: the bracket's next matches).

        by_hand: the organizer's own tables, a line each: `Mira - Tomo`, `4: Mira - Tomo`, `Mira vs Tomo`, `Ada bye`,
                 `Ada half-bye`, `Ada awarded-bye`, `Ada absent`; checked, and warned of where it is not as engines
                 would have it. source names the text in messages

        Refused while tables are still playing, after the last planned round, and with fewer than two players.
        """
        if by_hand is None:
            return self._change(lambda state: decide.pair(self._ask(state)))
        return self._change(
            lambda state: decide.pair_by_hand(
                self._ask(state, dice=False), read_pairings(state, by_hand, source=source)
            )
        )

    def _ask(self, state: State, number: int | None = None, *, dice: bool = True) -> Ask:
        wanted = number or len(state.rounds) + 1
        return Ask(
            state=state,
            profile=self.rules.profile,
            number=wanted,
            seed=self._seed(state, wanted) if dice else "",
            dutch=dutch_engine,
            dutch_engine=dutch_version() if state.settings.system == "dutch" else "",
        )

    def swap(self, one: str | PlayerId, other: str | PlayerId, *, reason: str | None = None) -> Receipt:
        """Let two players of the current round change seats (a seat and a bye too). Tables with a result are refused."""
        return self._edit(
            lambda plan, state: plan.swap(find(state.players, one), find(state.players, other)), reason
        )

    def seat(self, table: int, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Seat exactly these players at a table of the current round; whoever they leave behind changes places."""
        return self._edit(
            lambda plan, state: plan.seat(table, [find(state.players, each) for each in who]), reason
        )

    def bye(self, who: str | PlayerId, kind: str = "bye", *, reason: str | None = None) -> Receipt:
        """Take a player from their table of the current round: `bye`, `awarded-bye`, `half-bye` or `absent`.

        An opponent who is left alone takes the seat of whoever had the bye, else has a bye.
        """
        if kind not in UNSEATED.values():
            raise TourneyError(f"`{kind}` is no kind of bye", f"it is {listed(UNSEATED.values(), 'or')}")
        unseated = cast("Unseated", kind)
        return self._edit(lambda plan, state: plan.bye(find(state.players, who), unseated), reason)

    def _edit(self, move: Callable[[Plan, State], None], reason: str | None) -> Receipt:
        seal = self._seal()

        def decided(state: State) -> Decision:
            plan = decide.plan_of(state)
            move(plan, state)
            return decide.edit(state, plan, reason, seal)

        return self._change(decided, seal)

    def repair_round(self, *, reason: str | None = None) -> Receipt:
        """Pair the current round again around what changed, with the fewest tables touched; never one with a result.

        Where results of earlier rounds were corrected since, the open tables become the best round on the results as
        they stand, and of the best the one that changes the fewest.
        """
        seal = self._seal()
        return self._change(lambda state: self._repaired(state, reason, seal), seal)

    def repairable(self) -> Decision | None:
        """Return what `repair_round` would do now, None where it would refuse. Changes nothing."""
        try:
            return self._repaired(self.state, None, self._seal())
        except TourneyError:
            return None

    def _repaired(self, state: State, reason: str | None, seal: Sealing) -> Decision:
        ask = self._ask(state, max(len(state.rounds), 1))
        from tourney.desk.questions import since

        moved = since(cast("Desk", self).evidence(), state.rounds[-1]).moved if state.rounds else {}
        return decide.repair(ask, reason, seal, moved)

    def cancel_round(self, *, reason: str | None = None) -> Receipt:
        """Take back the last round with its results. Can be undone."""
        seal = self._seal()
        return self._change(lambda state: decide.cancel(state, reason, seal), seal)

    def force(
        self, *who: str | PlayerId, round_number: int | None = None, table: int | None = None
    ) -> Receipt:
        """Fix a pairing of a round (None: the next to be paired), at `table` if named."""
        return self._change(
            lambda state: decide.force(state, _all(state, who), number=round_number, table=table)
        )

    def forbid(self, *who: str | PlayerId, hard: bool = True, reason: str | None = None) -> Receipt:
        """Keep players apart: never to meet (hard), or only where it cannot be helped."""
        seal = self._seal()
        return self._change(
            lambda state: decide.forbid(state, _all(state, who), hard=hard, reason=reason, seal=seal), seal
        )

    def start_round(self, minutes: int | None = None) -> Receipt:
        """Start the clock of the current round (None: the event's minutes; 0: no limit)."""
        return self._change(lambda state: decide.start(state, minutes))

    def extend(self, table: int, minutes: int, *, reason: str | None = None) -> Receipt:
        """Give a table of the current round more time."""
        seal = self._seal()
        return self._change(
            lambda state: decide.extend(state, table, minutes, reason=reason, seal=seal), seal
        )

    def cut(
        self,
        size: int,
        *,
        kind: str = "single",
        reseed: bool = False,
        third_place: bool = False,
        vacancy: str = "opponent",
        lot: bool = False,
    ) -> Receipt:
        """Make the bracket of the first `size` of the standings; the next `pair_round` pairs it.

        lot: where the profile leaves players level, the lot of the event's seed decides, as in a profile that ends in
             one; the entry says so

        Refused while tables are still playing, and where the standings leave a tie across the line without a lot.
        """
        profile = self.rules.profile
        if lot and "LOT" not in profile.order:
            from tourney.standings import with_order

            profile = with_order(profile, [*profile.order, "LOT"])
        return self._change(
            lambda state: decide.cut(
                state,
                standings(state, profile, self.lot(state)),
                size,
                kind=kind,
                reseed=reseed,
                third_place=third_place,
                vacancy=vacancy,
                lot=lot and bool(self.lot(state)),
            )
        )


def _all(state: State, who: Sequence[str | PlayerId]) -> tuple[PlayerId, ...]:
    return tuple(find(state.players, each) for each in who)


def dutch_engine(question: Question) -> tuple[tuple[int, int], ...]:
    """Ask FIDE's engine, a process of its own. Raises TourneyError where it is not installed or refuses."""
    from tourney.store.fide import dutch_pairs

    return dutch_pairs(question)


def dutch_version() -> str:
    """Return name and version of the engine of the Dutch system; empty where it is not installed."""
    from tourney.store.fide import version

    return version()
