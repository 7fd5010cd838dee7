"""Which single result would have changed the order of two players, everything else being as it was.

What is tried, and no more than that is claimed: at every reported table of every round each other result that a match
of the event can end in. A table whose result cannot reach the values that tell the two apart is left out, as it cannot
swap them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import tiebreaks
from tourney.standings.exact import Value
from tourney.standings.profile import Profile
from tourney.standings.ranking import Standings, value_of
from tourney.standings.scorecards import Scorecards, Worth
from tourney.standings.tiebreaks import Tiebreak

BUDGET = 5_000
"""Orders of the two players worked out at most: about a second. Those of many rounds, or of large tables, count as several."""

MOST_ORDERED = 5
"""Tables of more seats are tried with every first place only, not with every order of the others."""


_MOST_TRIED = 16
"""Games of a match that are tried: of a best of 99 every score there is would be 130,000 at each table."""


@dataclass(frozen=True, slots=True)
class MatchForm:
    """What a match between two can end in.

    best_of: games it can have; an even number is played out
    draws:   whether it may end without a winner
    """

    best_of: int
    draws: bool = True

    @property
    def needed(self) -> int:
        """Games that win the match."""
        return self.best_of // 2 + 1

    @property
    def most_games(self) -> int:
        """Games that are tried, drawn ones among them: one more than the match has without drawn games, up to a bound.

        An even number of games is played out, and none of them again.
        """
        return min(self.decided + self.decided % 2, _MOST_TRIED)

    @property
    def decided(self) -> int:
        """Games that somebody can win: one more than an even number, where there must be a winner."""
        return self.best_of if self.draws else self.best_of | 1

    @classmethod
    def seen_in(cls, record: Record, *, best_of: int | None = None, draws: bool | None = None) -> MatchForm:
        """Read the form off the results: who won most games needed no more; matches may be drawn unless said."""
        won = [
            seat.games
            for tables in record.rounds
            for table in tables
            if table.result is not None and len(table.seats) == 2
            for seat in table.result.seats
        ]
        return cls(best_of or max(2 * max(won, default=1) - 1, 1), draws is not False)

    def scores(self) -> Iterator[tuple[int, int, int]]:
        """Give every (won, lost, drawn) of up to `most_games`, finished or ended by time."""
        for won, lost in product(range(min(self.needed, self.most_games) + 1), repeat=2):
            if won + lost > self.decided or won == lost == self.needed or (won == lost and not self.draws):
                continue
            for drawn in range(self.most_games - won - lost + 1):
                yield won, lost, drawn


@dataclass(frozen=True, slots=True)
class Swap:
    """Had `table` of `round` ended as `instead`, the two players would stand the other way round.

    table: the table as it was; instead: the result, in the same seat order
    """

    round: int
    table: Table
    instead: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapSearch:
    """What was found, and what was tried.

    swaps: each single result that would have swapped the two, the two players' own matches first, late rounds first
    own:   how many of them are of the two players' own matches
    whole: whether all of `alternatives` were tried (in very large events only the nearest tables are)
    """

    alternatives: Alternatives
    swaps: tuple[Swap, ...] = ()
    own: int = 0
    whole: bool = True


def search_swaps(
    scorecards: Scorecards, standings: Standings, one: PlayerId, other: PlayerId, form: MatchForm
) -> SwapSearch:
    """Try each other single result. Level neighbours have no order to swap."""
    pair = _Pair(scorecards, standings, one, other)
    alternatives = Alternatives(scorecards.record, scorecards.profile, form)
    if not pair.order:
        return SwapSearch(alternatives=alternatives)
    own, others = pair.tables()
    swaps: list[Swap] = []
    of_own = 0
    for tables in (own, others):
        for number, table in tables:
            swaps += pair.swapped_by(number, table, alternatives.of(table))
        of_own = of_own if tables is others else len(swaps)
    return SwapSearch(alternatives=alternatives, swaps=tuple(swaps), own=of_own, whole=not pair.stopped)


class Alternatives:
    """The results that each table could have had instead of its own."""

    def __init__(self, record: Record, profile: Profile, form: MatchForm) -> None:
        self.form = form
        self.by_score = profile.from_score or any(
            tiebreaks.find(code).looks_at == "scores" for code in profile.order
        )
        every = [table for tables in record.rounds for table in tables if table.result is not None]
        self.sizes = {len(table.seats) for table in every}
        self.seen = (
            dict.fromkeys(_plain(table.result) for table in every if table.result and _scored(table.result))
            if self.by_score
            else {}
        )
        self._by_size: dict[int, tuple[_Sides, ...]] = {}

    @property
    def tried(self) -> str:
        """What is tried, in words."""
        parts = []
        if 2 in self.sizes or not self.sizes:
            match = f"a {'best' if self.form.best_of % 2 else 'match'} of {self.form.best_of}"
            draws = "" if self.form.draws else ", none a draw"
            parts.append(f"every score of {match} with up to {self.form.most_games} games{draws}")
        if self.sizes - {2}:
            large = max(self.sizes) > MOST_ORDERED
            parts.append("every first place" if large else "every order of places, shared ones among them")
        if self.seen:
            parts.append("every score that is in the record")
        return f"{', '.join(parts)}, no-shows and double losses"

    def of(self, table: Table) -> Iterator[Result]:
        """Give each result but the table's own."""
        assert table.result is not None
        for sides, drawn in self._of_size(len(table.seats)):
            seats = tuple(Seat(player, *side) for player, side in zip(table.seats, sides, strict=True))
            result = Result(seats, drawn)
            if result != table.result:
                yield result

    def _of_size(self, size: int) -> Iterable[_Sides]:
        if (
            size > MOST_ORDERED
        ):  # more than there are atoms, at a hundred seats: whoever tries them stops somewhere
            return self._all(size)
        if size not in self._by_size:
            self._by_size[size] = tuple(dict.fromkeys(self._all(size)))
        return self._by_size[size]

    def _all(self, size: int) -> Iterator[_Sides]:
        yield from _two(self.form) if size == 2 else _many(size, draws=self.form.draws)
        yield (((Outcome.DOUBLE_LOSS, 1, 0, None),) * size, 0)
        for sides, drawn in self.seen:
            if len(sides) == size:
                yield from ((order, drawn) for order in permutations(sides))


_Side = tuple[Outcome, int, int, int | None]
"""Outcome, place, games won and score of a seat."""

_Sides = tuple[tuple[_Side, ...], int]
"""A result without its players: the seats' sides and the drawn games."""


def _plain(result: Result) -> _Sides:
    sides = tuple((seat.outcome, seat.place, seat.games, seat.score) for seat in result.seats)
    return sides, result.drawn_games


def _scored(result: Result) -> bool:
    return any(seat.score is not None for seat in result.seats)


def _two(form: MatchForm) -> Iterator[_Sides]:
    for won, lost, drawn in form.scores():
        if won == lost:
            sides = ((Outcome.DRAW, 1, won, None), (Outcome.DRAW, 1, lost, None))
        elif won > lost:
            sides = ((Outcome.WIN, 1, won, None), (Outcome.LOSS, 2, lost, None))
        else:
            sides = ((Outcome.LOSS, 2, won, None), (Outcome.WIN, 1, lost, None))
        yield sides, drawn
    present, missing = (Outcome.FORFEIT_WIN, 1, 0, None), (Outcome.FORFEIT_LOSS, 2, 0, None)
    yield (present, missing), 0
    yield (missing, present), 0
    yield ((Outcome.FORFEIT_LOSS, 1, 0, None),) * 2, 0


def _many(size: int, *, draws: bool) -> Iterator[_Sides]:
    """Give every order of places of those who were there, none of them missing up to all."""
    for missing in range(size + 1):
        for absent in combinations(range(size), missing):
            present = [seat for seat in range(size) if seat not in absent]
            for places in _orders(len(present)):
                placed = dict(zip(present, places, strict=True))
                if draws or places.count(1) < 2:
                    yield tuple(_placed(placed, seat) for seat in range(size)), 0


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    """Give the places that `count` players can take, shared ones counted as 1, 1, 3."""
    highest = count if count <= MOST_ORDERED else 2
    orders = set()
    for ranks in product(range(highest), repeat=count):
        places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
        if places not in orders:
            orders.add(places)
            yield places


def _placed(placed: dict[int, int], seat: int) -> _Side:
    if seat not in placed:
        return Outcome.FORFEIT_LOSS, len(placed) + 1, 0, None
    if len(placed) == 1:
        return Outcome.FORFEIT_WIN, 1, 0, None
    if placed[seat] > 1:
        return Outcome.LOSS, placed[seat], 0, None
    shared = sum(place == 1 for place in placed.values()) > 1
    return Outcome.DRAW if shared else Outcome.WIN, 1, 0, None


class _Pair:
    """Two players, and the order they stand in: -1 if `one` is above, 1 if below, 0 if they are level.

    left: how many more orders may be worked out; stopped: whether one was not, because none was left
    """

    def __init__(self, scorecards: Scorecards, standings: Standings, one: PlayerId, other: PlayerId) -> None:
        self.scorecards = scorecards
        self.ranked = [row.player for row in standings.rows if row.rank is not None and not row.left_early]
        self.one = one
        self.other = other
        self.rules = [tiebreaks.find(code) for code in scorecards.profile.order]
        self.order, self.decided_by = self._order(scorecards)
        self.left = BUDGET
        self.price = 1 + scorecards.rounds // 50
        self.stopped = False

    def tables(self) -> tuple[list[tuple[int, Table]], list[tuple[int, Table]]]:
        """Return the reported tables that can reach what tells the two apart: their own, and other people's.

        The latest rounds come first: those are the ones people ask about.
        """
        deciding = self.rules[: self.decided_by + 1]
        near: set[PlayerId] | None = {self.one, self.other}
        if any(rule.among for rule in deciding):
            near = None
        else:
            for _ in range(max(rule.reach for rule in deciding)):
                assert near is not None
                near = near.union(*(entry.opponents for player in near for entry in self.scorecards[player]))
        own: list[tuple[int, Table]] = []
        others: list[tuple[int, Table]] = []
        for number in range(self.scorecards.rounds, 0, -1):
            for table in self.scorecards.record.rounds[number - 1]:
                if self.scorecards.uncounted and number in self.scorecards.uncounted.get(table.seats[0], ()):
                    continue  # whatever its result, it counts for nobody
                if table.result is None or (near is not None and near.isdisjoint(table.seats)):
                    continue
                mine = self.one in table.seats or self.other in table.seats
                (own if mine else others).append((number, table))
        return own, others

    def swapped_by(self, number: int, table: Table, results: Iterable[Result]) -> list[Swap]:
        """Return those results that swap the two.

        Results that differ only in what the deciding tie-breaks do not look at (games, scores) are tried once.
        """
        scale = self.scorecards.scale
        coarse: dict[object, tuple[bool, bool]] = {}
        fine: dict[object, bool] = {}
        swaps: list[Swap] = []
        for result in results:
            kind = _kind(scale.table(result), result)
            swapped, settled = coarse.get(kind, (False, False))
            if not settled:
                finer = (kind, tuple((seat.games, seat.score) for seat in result.seats), result.drawn_games)
                if finer not in fine:
                    if self.left <= 0:
                        self.stopped = True
                        return swaps
                    self.left -= self.price if len(table.seats) <= MOST_ORDERED else len(table.seats)
                    order, decided_by = self._order(self.scorecards.with_table(number, table, result))
                    fine[finer] = order == -self.order
                    whole = not any(rule.looks_at for rule in self.rules[: decided_by + 1])
                    coarse[kind] = fine[finer], whole
                swapped = fine[finer]
            if swapped:
                swaps.append(Swap(number, table, result))
        return swaps

    def _order(self, scorecards: Scorecards) -> tuple[int, int]:
        """Return the order, and the place of the tie-break that decides it (the last one where none does)."""
        level, since = self.ranked, 0
        for i, rule in enumerate(self.rules):
            if rule.among:
                level = self._level(scorecards, level, self.rules[since:i])
                places = rule.among(scorecards, level).places
                order = _compared(places[self.one], places[self.other], rule)
                level, since = [player for player in level if places[player] == places[self.one]], i + 1
            else:
                value = value_of(scorecards, rule)
                order = _compared(value(self.one), value(self.other), rule)
            if order:
                return order, i
        return 0, len(self.rules) - 1

    def _level(
        self, scorecards: Scorecards, players: list[PlayerId], rules: Sequence[Tiebreak]
    ) -> list[PlayerId]:
        """Return those of `players` who are level with the two in all of `rules`."""
        for rule in rules:
            value = value_of(scorecards, rule)
            own = value(self.one)
            players = [player for player in players if value(player) == own]
        return players


def _kind(worths: Sequence[Worth], result: Result) -> object:
    """Return all of a result but its games and scores: results of one kind differ in nothing else."""
    return tuple(
        (seat.outcome, worth.points, worth.share, worth.meets)
        for seat, worth in zip(result.seats, worths, strict=True)
    )


def _compared(own: Value, theirs: Value, rule: Tiebreak) -> int:
    if own == theirs:
        return 0
    if own is None or theirs is None:
        return 1 if own is None else -1
    return -1 if (own < theirs) == rule.low else 1
