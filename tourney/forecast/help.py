"""The least help: the fewest other tables whose results, with the player's own best, prove them in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from tourney.forecast.bounds import Asker, Headcount, Places, State, fixing
from tourney.forecast.proving import Prover
from tourney.standings.completions import Kind, OpenTable
from tourney.wording import MOST_NAMED

_FEWEST_COUNTS = 30
"""Counts that are made to find one player's help, however many others need some."""

_FEW_TABLES = 3
"""So many tables, or so many more than are surely needed, are searched for help."""

_USUAL = 3
"""Scores that are usual: the first of a kind, which are tried where a large field allows no more."""

_GUESSES = 5
"""Completions guessed to find one in which the player is in."""


class Ending(NamedTuple):
    """One table and what it ends in: some of its results, by their places in `OpenTable.results`."""

    table: OpenTable
    results: Places

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What these results are to each seat, the first of them where they are not all of one kind."""
        return self.table.kinds[self.results[0]]

    @property
    def of_one_kind(self) -> bool:
        """Whether these are all the results of one kind, whatever the games."""
        alike = [at for at, kinds in enumerate(self.table.kinds) if kinds == self.kinds]
        return set(alike) == set(self.results)


@dataclass(frozen=True, kw_only=True)
class Help:
    """Tables that, with the player's best own result, are enough to be in.

    own:    what the own result has to be where not any of the best kind will do
    tables: other tables and what they have to end in
    least:  whether it is proved that no fewer other tables would do, whoever wins or draws there
    fewest: how many other tables it takes, as far as that is proved, whoever wins or draws there
    """

    tables: tuple[Ending, ...]
    own: Ending | None = None
    least: bool = False
    fewest: int = 0


class HelpSearch:
    """Looks for help for one player after the other; how much may be looked at is shared out among them."""

    def __init__(self, prover: Prover) -> None:
        self.prover = prover
        self.left = 100_000 // max(1, len(prover.question.players))

    def least(self, mine: Asker, start: State, seen: Mapping[str, Places]) -> Help | None:
        """Return help for a player with the own results that `start` leaves, the least where that is found; None: none was found.

        seen: what completions have shown of that, each with one that shows it
        """
        search = _Search(self.prover, mine, start, seen, max(_FEWEST_COUNTS, self.left // 8))
        given = search.left
        found = search.find()
        self.left -= given - max(0, search.left)
        return found and self._with_usual_scores(mine, start, found, search.nodes)

    def _with_usual_scores(self, mine: Asker, start: State, found: Help, nodes: int) -> Help:
        """Return help that names, of single scores which do, as usual ones as do. nodes: to be looked at for each."""
        endings = [ending for ending in (found.own, *found.tables) if ending]
        if len(endings) > MOST_NAMED:
            return found  # they are counted, not named
        at_of = {ending.table.number: self.prover.tables.index(ending.table) for ending in endings}
        state = start
        for ending in endings:
            state = fixing(state, at_of[ending.table.number], ending.results)
        for ending in endings:
            if ending.of_one_kind:
                continue
            at = at_of[ending.table.number]
            odd = map(self.prover.question.oddness, ending.table.results)
            alike = [(how, each) for each, how in enumerate(odd) if ending.table.kinds[each] == ending.kinds]
            for _, result in sorted(alike)[: None if nodes > 1 else _USUAL]:
                if result in ending.results:
                    break
                usual = fixing(state, at, (result,))
                if self.prover.proves_in(mine, usual, nodes):
                    state = usual
                    break
        own, *tables = [
            ending and Ending(ending.table, state[at_of[ending.table.number]])
            for ending in (found.own, *found.tables)
        ]
        return replace(found, own=own, tables=tuple(each for each in tables if each))


class _Spent(Exception):  # noqa: N818  no fault: the search has looked at as much as it may
    pass


class _Search:
    """Looks for the fewest other tables whose results, with the player's own, prove them in.

    A set of tables helps if no completion that agrees with it keeps the player out. So whenever a set is not enough there is
    such a completion, and in it some few results that keep the player out whatever the other tables do: every larger set that
    is enough has another result at one of these few tables. That is all that has to be tried.
    """

    def __init__(
        self, prover: Prover, mine: Asker, start: State, seen: Mapping[str, Places], most: int
    ) -> None:
        """most: how many counts may be made in a large field."""
        self.prover = prover
        self.bounds = prover.bounds
        self.cut = prover.question.cut
        self.mine = mine
        self.start = start
        self.seen = seen
        self.here = self.bounds.table_of.get(mine.player)
        small = len(self.bounds.tables) <= 5
        self.nodes = 200 if small else 1
        self.left = 1500 if small else most
        self.complete = True
        self.fewest = 0
        self.sure: Headcount | None = None
        self.tried: set[tuple[frozenset[tuple[int, Places]], int]] = set()

    def find(self) -> Help | None:
        """Return help, the least where that is found; None: none was found."""
        sure = self._sure({})
        size = self.fewest = self._at_least(sure)
        if size > len(self.start):
            return None
        most = self._greedy()
        found: State | None = None
        most_tables = len(self.start) if most is None else self._size(most) - 1
        if size > _FEW_TABLES and most_tables - size >= _FEW_TABLES:
            self.left = 0  # the sets between are too many
        try:
            while found is None and self.complete and size <= most_tables:
                found = self._search({}, size)
                size += 1
        except _Spent:
            self.complete = False
        if found is None:
            found = most or self._from_completion()
        return None if found is None else self._as_help(found)

    def _as_help(self, state: State) -> Help:
        endings = {
            at: Ending(self.bounds.tables[at], members)
            for at, members in enumerate(state)
            if members is not self.start[at]
        }
        own = endings.pop(self.here, None) if self.here is not None else None
        least = self.complete and own is None
        return Help(
            tables=tuple(endings.values()),
            own=own,
            least=least,
            fewest=len(endings) if least else self.fewest,
        )

    def _size(self, state: State) -> int:
        return sum(members is not self.start[at] for at, members in enumerate(state))

    def _sure(self, fixed: Mapping[int, Places], *, by_points: bool = False) -> Headcount:
        """Count who surely ends level or above, with these tables fixed."""
        node = self.bounds.stand(self._with(fixed), by_points=by_points)
        sure = self.bounds.count(self.mine, node, "is level", self.sure)
        if not by_points:
            self.sure = sure
        return sure

    def _at_least(self, sure: Headcount, fixed: Collection[int] = ()) -> int:
        """Return how many more tables are needed at least: without them the others can still keep the player out."""
        spreads = [sure.spread(at) for at in range(len(self.start))]
        beyond = sure.total + sum(spreads) - self.cut
        spared = sorted(spread for at, spread in enumerate(spreads) if at != self.here and at not in fixed)
        for needed in range(len(self.start) + 1):
            if beyond < 0:
                return needed
            beyond -= spared.pop() if spared else 0
        return len(self.start) + 1

    def _search(self, fixed: Mapping[int, Places], more: int) -> State | None:
        """Return a state with at most so many more tables fixed that is enough; None: there is none, or `complete` is unset."""
        key = frozenset(fixed.items()), more
        if key in self.tried:
            return None
        self.tried.add(key)
        if self._at_least(self._sure(fixed, by_points=True), fixed) > more:
            return None
        self._spend()
        if self.prover.proves_in(self.mine, self._with(fixed), self.nodes):
            return self._with(fixed)
        for at, members in self._other_results(fixed, more) if more else ():
            found = self._search({**fixed, at: members}, more - 1)
            if found is not None:
                return found
        return None

    def _other_results(self, fixed: Mapping[int, Places], more: int) -> list[tuple[int, Places]]:
        """Return fixings of one table each: every set of so many more tables that is enough has one of them."""
        self._spend()
        sure = self._sure(fixed)
        if self._at_least(sure, fixed) > more:
            return []
        against = self._against(self._with(fixed), sure)
        if against is None:
            self.complete = False
            return []
        return [
            (at, members)
            for at, avoided in against.items()
            if at != self.here and at not in fixed
            for members in self.bounds.groups(at, self.start[at])
            if avoided not in members
        ]

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _Spent

    def _against(self, state: State, sure: Headcount) -> dict[int, int] | None:
        """Return results of few tables, each a place, that keep the player out whatever the others do; None: none were found.

        Every larger set of tables that is enough has another result at one of them.
        """
        wanting = self.cut - sure.total
        found = {}
        for at in sorted(range(len(state)), key=lambda at: -sure.spread(at)):
            if wanting <= 0 or not sure.spread(at):
                break
            most = max(sure.tallies(at), key=lambda tally: tally.number)
            wanting -= sure.spread(at)
            found[at] = most.results[0]
        return found if wanting <= 0 else self._against_by_completion(state)

    def _against_by_completion(self, state: State) -> dict[int, int] | None:
        node = self.bounds.stand(state)
        count = self.bounds.count(self.mine, node, "may be level")
        choice = self.prover.against(self.mine, node, count, "in")
        if choice is None:
            return None
        free = [at for at in range(len(state)) if len(state[at]) > 1]

        def keeps_out(fixed: Iterable[int]) -> bool:
            self._spend()
            narrowed = {at: members for at, members in enumerate(state) if members is not self.start[at]}
            return self._sure({**narrowed, **{at: (choice[at],) for at in fixed}}).total >= self.cut

        kept = _fewer(free, keeps_out) if keeps_out(free) else free
        return {at: choice[at] for at in kept}

    def _greedy(self) -> State | None:
        """Return a state that is enough, the tables that let most past fixed, as many as are surely needed at a time; None: that does not do."""
        state, count = self.start, None
        while True:
            count = self.bounds.count(self.mine, self.bounds.stand(state), "may be level", count)
            beyond = count.total - self.cut
            if beyond < 0:
                return self._lessened(state, count)
            free = [at for at in range(len(state)) if at != self.here and state[at] is self.start[at]]
            widest = sorted((-count.spread(at), at) for at in free if count.spread(at))
            if not widest:
                return None
            for spread, at in widest:
                fewest = min(count.tallies(at), key=lambda tally: tally.number)
                state = fixing(state, at, fewest.results)
                beyond += spread
                if beyond < 0:
                    break

    def _lessened(self, state: State, count: Headcount) -> State:
        """Return as much of a state that is enough as is still enough."""
        for at, members in enumerate(state):
            if members is not self.start[at]:
                wider = fixing(state, at, self.start[at])
                fewer = self.bounds.fewer(self.mine, self.bounds.stand(wider), self.cut, count)
                if fewer is not None:
                    state, count = wider, fewer
        return state

    def _from_completion(self) -> State | None:
        """Return a state that is enough and agrees with a completion in which the player is in; None: no such is known."""
        self.complete = False
        choice = self.seen.get("in")
        if choice is None:
            node = self.bounds.stand(self.start)
            count = self.bounds.count(self.mine, node, "is level")
            choice = self.prover.against(self.mine, node, count, "never in", _GUESSES)
            if choice is None:
                return None
        wide = [
            next(part for part in self.bounds.groups(at, left) if choice[at] in part)
            for at, left in enumerate(self.start)
        ]
        for parts in (wide, [(result,) for result in choice]):
            free = [at for at, left in enumerate(self.start) if parts[at] != left]
            if self._proved_with(parts, free):
                fixed = _fewer(free, partial(self._proved_with, parts))
                return self._with({at: parts[at] for at in fixed})
        return None

    def _with(self, fixed: Mapping[int, Places]) -> State:
        return tuple(fixed.get(at, members) for at, members in enumerate(self.start))

    def _proved_with(self, parts: Sequence[Places], fixed: Iterable[int]) -> bool:
        state = self._with({at: parts[at] for at in fixed})
        return self.prover.proves_in(self.mine, state, self.nodes)


def _fewer(every: list[int], enough: Callable[[list[int]], bool]) -> list[int]:
    """Return few of those that are enough together: none of them can be left out alone."""
    kept, size = list(every), max(1, len(every) // 2)
    while True:
        at = 0
        while at < len(kept):
            without = kept[:at] + kept[at + size :]
            if enough(without):
                kept = without
            else:
                at += size
        if size == 1:
            return kept
        size = max(1, size // 2)
