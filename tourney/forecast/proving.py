"""Proofs that a player is in or out, found by the bounds and by taking tables apart; and completions that refute them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tourney.forecast.bounds import Asker, Counting, Headcount, Places, Question, Stand, State, fixing
from tourney.record import PlayerId
from tourney.standings.completions import CutQuestion, Kind

Goal = Literal["in", "out", "never in"]
"""What is to be proved; never in: at best level with the last place."""

AGAINST: Mapping[Goal, str] = {"in": "not in", "out": "not out", "never in": "in"}
"""What is to be proved → what a completion against it shows."""

ASKS: Mapping[Goal, Question] = {"in": "may be level", "out": "is above", "never in": "is level"}

_MOST_RIVALS = 6
"""Players level on points whom a guessed completion is made against."""

_MANY = 128
"""Of more players a proof that cannot be paid for is given up at once; of fewer, what is looked at meanwhile may refute it."""

_GUESSES = 5
"""Completions guessed before a verdict is held for likely and worked for."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A count that settles it, or a ranking of the one completion that is left (`count`: None)."""

    goal: Goal
    node: Stand
    count: Headcount | None


@dataclass(frozen=True, slots=True)
class Branch:
    """One table fixed: a proof for each part of its results."""

    at: int
    cases: tuple[tuple[Places, Settled | Branch], ...]


Proof = Settled | Branch


def leaves(proof: Proof) -> Iterator[Settled]:
    """Give the parts of a proof that count or rank."""
    if isinstance(proof, Settled):
        yield proof
        return
    for _, part in proof.cases:
        yield from leaves(part)


def taken_apart(proof: Proof) -> Iterator[int]:
    """Give the tables that a proof takes apart, case by case."""
    if isinstance(proof, Branch):
        yield proof.at
        for _, part in proof.cases:
            yield from taken_apart(part)


class Prover:
    """Looks for proofs in one question; what completions showed meanwhile is kept."""

    def __init__(self, question: CutQuestion) -> None:
        self.question = question
        self.bounds = Counting(question)
        self.tables = question.tables
        self._budget = 0
        self._seen: dict[tuple[PlayerId, Kind | None], set[str]] = {}

    def seen(self, player: PlayerId, kind: Kind | None) -> set[str]:
        """Return what completions have shown of a player with that own result: `in`, `not in`, `not out`."""
        return self._seen.setdefault((player, kind), set())

    def ends_at(self, choice: Places, player: PlayerId) -> tuple[int, int]:
        """Return how many others rank above the player at a completion, and how many level or above."""
        known = self.bounds.places(choice, player)
        cut = self.question.cut
        for other, (above, level) in known.items():
            seen = self.seen(other, self._kind(other, choice))
            if above < cut:
                seen.add("not out")
            seen.add("in" if level < cut else "not in")
        return known[player]

    def _kind(self, player: PlayerId, choice: Places) -> Kind | None:
        at = self.bounds.table_of.get(player)
        if at is None:
            return None
        table = self.tables[at]
        return table.kinds[choice[at]][table.seats.index(player)]

    def _holds(self, goal: Goal, above: int, level: int) -> bool:
        cut = self.question.cut
        return above >= cut if goal == "out" else level >= cut if goal == "never in" else level < cut

    def prove(self, mine: Asker, state: State, goal: Goal) -> Proof | None:
        """Prove it by the bound, table after table fixed where that does not do; None: refuted, or given up."""
        self._budget = _budget(len(self.bounds.players), len(self.tables))
        return self._prove(mine, state, goal, guesses=_GUESSES)

    def _prove(
        self,
        mine: Asker,
        state: State,
        goal: Goal,
        *,
        owed: int = 0,
        guesses: int = 1,
        before: Headcount | None = None,
    ) -> Proof | None:
        """Prove it within what is left of the budget.

        owed: nodes that the proof of which this is a part needs besides; where they cannot be paid there is no proof
        before: the count of the same where one table more is open
        """
        self._budget -= 1
        if self._budget < 0:
            return None
        node = self.bounds.stand(state)
        count = self.bounds.count(mine, node, ASKS[goal], before)
        if self._holds(goal, count.total, count.total):
            return Settled(goal, node, count)
        if self._is_refuted(mine, node, count, goal, guesses):
            return None
        free = [at for at, results in enumerate(state) if len(results) > 1]
        if not free:
            return None if self.question.games_vary else Settled(goal, node, None)
        at = max(free, key=lambda at: (count.spread(at), len(count.tallies(at)), -at))
        parts: Sequence[Places] = self.bounds.groups(at, state[at])
        if len(parts) == 1:
            parts = [(result,) for result in state[at]]
        if self._budget < owed + len(parts) and len(self.bounds.players) > _MANY:
            return None
        cases = []
        for to_come, members in zip(reversed(range(len(parts))), parts, strict=True):
            part = fixing(state, at, members)
            proof = self._prove(mine, part, goal, owed=owed + to_come, before=count)
            if proof is None:
                return None
            cases.append((members, proof))
        return Branch(at, tuple(cases))

    def _is_refuted(self, mine: Asker, node: Stand, count: Headcount, goal: Goal, guesses: int) -> bool:
        """Whether one of so many guessed completions contradicts the goal.

        Each later guess is made against players level on points who ended on the wrong side at the guess before.
        """
        rivals: list[PlayerId] = []
        tried = set()
        for _ in range(guesses):
            choice = self._worst_of(mine, node, count, goal, rivals)
            if not self._holds(goal, *self.ends_at(choice, mine.player)):
                return True
            if choice in tried:
                return False
            tried.add(choice)
            known = self.bounds.places(choice, mine.player)
            points = self.bounds.points_at(choice)
            here = known[mine.player]
            wrong = [
                (abs(known[each][1] - here[1]), each)
                for each in known
                if points[each] == points[mine.player]
                and each != mine.player
                and (known[each][1] > here[1] if goal == "in" else known[each][1] <= here[1])
            ]
            rivals = [each for _, each in sorted(wrong)[:_MOST_RIVALS]]
        return False

    def _worst_of(
        self, mine: Asker, node: Stand, count: Headcount, goal: Goal, rivals: Sequence[PlayerId]
    ) -> Places:
        """Return a completion that speaks against the goal as much as the counts say: a guess, to be ranked.

        rivals: players level on points whom it is made against; none: the first that may be
        """
        bounds = self.bounds
        sign = 1 if goal == "in" else -1
        column = next((each for each in bounds.columns if each.moves in ("adds", "grows")), None)
        moved: set[int] = set()
        if column is not None:
            rivals = rivals or bounds.level_on_points(mine, node, ASKS[goal])[:_MOST_RIVALS]
            moved = (
                {at for each in (mine.player, *rivals) for at in column.moving(each).changes}
                if rivals
                else set()
            )

        def against(at: int) -> int:
            if at not in moved or column is None:
                return count.decides(at).results[0]
            by_games = column.row.looks_at == "games"
            pull = column.pull(mine.player, rivals, at)
            _, result = max(
                (sign * pull(result), -result)
                for tally in count.deciding(at)
                for result in (tally.results if by_games else tally.results[:1])
            )
            return -result

        return tuple(map(against, range(len(self.tables))))


def _budget(players: int, tables: int) -> int:
    """Return how many nodes are looked at to settle one case: all that small fields can have, few of large ones."""
    return 4000 if tables <= 5 else max(24, 2000 // players)
