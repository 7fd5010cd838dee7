"""Why these players share a table: points, earlier meetings, and what changing places with somebody else would cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

from msgspec import structs

from tourney.errors import TourneyError
from tourney.pairing.facts import (
    ByesHad,
    Difference,
    Fact,
    FirstInLine,
    FixedTable,
    Gaps,
    Meets,
    Names,
    PointsApart,
    SamePoints,
    SetElsewhere,
    SharedGroups,
)
from tourney.pairing.manual import Sizes, cost_of
from tourney.pairing.pairing import Cost, Entrant, Options, Pair, Pairing, earlier_byes, met
from tourney.pairing.pods.field import split
from tourney.record import NOBODY, PlayerId, Table, format_points
from tourney.wording import counted, format_times, listed


def why(
    entrants: Sequence[Entrant],
    options: Options,
    pairing: Pairing,
    seats: Sequence[PlayerId],
    *,
    sizes: Sizes,
) -> tuple[Fact, ...]:
    """Return why these players share a table of the round, or why one alone has a bye."""
    question = _Question(entrants, options, pairing, sizes)
    return tuple(question.of_bye(seats[0]) if len(seats) == 1 else question.of_table(seats))


def why_not(
    entrants: Sequence[Entrant],
    options: Options,
    pairing: Pairing,
    one: PlayerId,
    other: PlayerId,
    *,
    sizes: Sizes,
) -> tuple[Fact, ...]:
    """Return what stands against two sharing a table, or one having a bye (`other` = `NOBODY`), and the cheapest way to it."""
    question = _Question(entrants, options, pairing, sizes)
    return tuple(question.of_other_bye(one) if other == NOBODY else question.together(one, other))


@dataclass(frozen=True)
class _Question:
    """A round of pods. It is priced as it stands: two at a table are a pair, the seats are left aside."""

    entrants: Sequence[Entrant]
    options: Options
    pairing: Pairing
    sizes: Sizes

    @cached_property
    def by_id(self) -> dict[PlayerId, Entrant]:
        return {each.id: each for each in self.entrants}

    @cached_property
    def table_of(self) -> dict[PlayerId, Table]:
        return {player: table for table in self.pairing.tables for player in table.seats}

    @cached_property
    def _whole(self) -> dict[str, int]:
        """What the tables cost as they stand."""
        return self._cost([table.seats for table in self.pairing.tables]).as_dict()

    def _cost(self, tables: Iterable[tuple[PlayerId, ...]]) -> Cost:
        here = [Table(number, seats) for number, seats in enumerate(tables)]
        return cost_of(
            [self.by_id[player] for table in here for player in table.seats], self.options, here, ()
        )

    def points(self, player: PlayerId) -> int:
        return self.by_id[player].points

    def times(self, one: PlayerId, other: PlayerId) -> int:
        return met(self.by_id[one], self.options).count(other)

    # What there is to say.

    def of_table(self, seats: Sequence[PlayerId]) -> Iterator[Fact]:
        """Say who sits there, and whether an exchange would be as good or better."""
        yield from self._divided(seats)
        here = {self.points(player) for player in seats}
        if len(here) == 1:
            level = sum(each.points in here for each in self.entrants)
            yield SamePoints(players=tuple(seats), half_points=here.pop(), others=level - len(seats))
        else:
            yield PointsHere(players=tuple(seats), half_points=tuple(map(self.points, seats)))
        table = self.table_of[seats[0]].number
        for player in seats:
            if self.by_id[player].fixed_table == table:
                yield FixedTable(players=(player,), table=table)
        for pair in combinations(seats, 2):
            yield from self._words(pair)
        again = [pair for pair in combinations(seats, 2) if self.times(*pair)]
        for pair in again:
            yield SatTogether(players=pair, times_met=self.times(*pair))
        if not again:
            yield SatTogether(players=tuple(seats), times_met=0)
        for pair in combinations(seats, 2):
            yield from self._groups(pair)
        elsewhere = [player for player in self.table_of if player not in seats]
        yield self._cheapest(seats, [(one, other) for one in seats for other in elsewhere])

    def _divided(self, about: Sequence[PlayerId]) -> Iterator[Divided]:
        try:
            division = split(
                len(self.entrants), self.sizes, least_byes=int(self.options.forced_bye is not None)
            )
        except TourneyError:
            return
        here = tuple(sorted((len(table.seats) for table in self.pairing.tables), reverse=True))
        if (here, len(self.pairing.byes)) == (division.tables, division.byes):
            yield Divided(
                players=tuple(about),
                count=len(self.entrants),
                sizes=here,
                byes=division.byes,
                preferred=self.sizes.preferred,
            )

    def _words(self, pair: Pair) -> Iterator[WordOfOrganizer]:
        if set(pair) in map(set, self.options.forced):
            yield WordOfOrganizer(players=pair)
        if set(pair) in map(set, self.options.forbidden):
            yield WordOfOrganizer(players=pair, apart=True)

    def _groups(self, pair: Pair) -> Iterator[SharedGroups]:
        shared = set(self.by_id[pair[0]].tags) & set(self.by_id[pair[1]].tags)
        if shared and self.options.keeps_apart_now:
            yield SharedGroups(players=pair, tags=tuple(sorted(shared)), named=True)

    def of_bye(self, player: PlayerId) -> Iterator[Fact]:
        """Say how the byes go, and who would come first."""
        yield from self._divided((player,))
        yield self._byes_had(player)
        if player == self.options.forced_bye:
            yield SetElsewhere(players=(player,))
            return
        forced = {each for pair in self.options.forced for each in pair}
        first = [
            each.id
            for each in self.entrants
            if each.id not in self.pairing.byes and self._rank(each.id) < self._rank(player)
        ]
        if seated := tuple(each for each in first if each in forced):
            yield FirstInLine(players=seated, set_apart=True)
        if others := tuple(each for each in first if each not in forced):
            yield ComeFirst(players=others)

    def _rank(self, player: PlayerId) -> tuple[int, int]:
        return earlier_byes(self.by_id[player], self.options), self.points(player)

    def _byes_had(self, player: PlayerId) -> ByesHad:
        earlier, points = self._rank(player)
        alike = sum(self._rank(each.id) == (earlier, points) for each in self.entrants)
        return ByesHad(players=(player,), earlier=earlier, half_points=points, others=alike - 1)

    def together(self, one: PlayerId, other: PlayerId) -> Iterator[Fact]:
        """Say what stands between two players, and the cheapest exchange that seats them together."""
        pair = (one, other)
        here, there = self.table_of.get(one), self.table_of.get(other)
        if here is not None and here is there:
            yield Meets(players=pair, table=here.number)
        yield from self._words(pair)
        if self.times(*pair):
            yield SatTogether(players=pair, times_met=self.times(*pair))
        if self.points(one) != self.points(other):
            yield PointsApart(players=pair, half_points=abs(self.points(one) - self.points(other)))
        yield from self._groups(pair)
        if here is there or here is None or there is None:
            return
        yield self._cheapest(
            pair,
            [(other, each) for each in here.seats if each != one] + [(one, each) for each in there.seats if each != other],
            partners={other: one, one: other},
        )  # fmt: skip

    def of_other_bye(self, player: PlayerId) -> Iterator[Fact]:
        """Say how a player stands for a bye beside those who have one."""
        if player in self.pairing.byes:
            yield Meets(players=(player,), table=None)
        yield from self._divided((player,))
        yield self._byes_had(player)
        for each in self.pairing.byes:
            if each != player:
                yield self._byes_had(each)

    # Exchanges.

    def _cheapest(
        self,
        about: Sequence[PlayerId],
        exchanges: Iterable[Pair],
        *,
        partners: Mapping[PlayerId, PlayerId] | None = None,
    ) -> Exchange:
        """Return the exchange that costs least of those that keep the organizer's word."""
        allowed = [each for each in exchanges if self._keeps_word(*each)]
        if not allowed:
            return Exchange(players=tuple(about[:1]), partner=partners[about[0]] if partners else None)
        one, other = min(allowed, key=lambda each: self._price(*each))
        before, after = self._before(one, other), self._after(one, other)
        better = after < before
        dear, cheap = (before, after) if better else (after, before)
        gaps = self._gaps(self._exchanged(one, other)), self._gaps(self._both(one, other))
        difference = Difference.between(cheap, dear, gaps if better else (gaps[1], gaps[0]), noun="pair")
        if difference is not None:
            level = difference.level
            difference = structs.replace(
                difference, best=self._of_all(cheap, before, level), other=self._of_all(dear, before, level)
            )
        return Exchange(
            players=(one, other), table=self.table_of[other].number, difference=difference, better=better, partner=partners[one] if partners else None
        )  # fmt: skip

    def _of_all(self, cost: Cost, before: Cost, level: str) -> int:
        """Return a level of the whole round, from its value at the two tables."""
        return self._whole[level] - before.as_dict()[level] + cost.as_dict()[level]

    def _price(self, one: PlayerId, other: PlayerId) -> tuple[int, ...]:
        before, after = self._before(one, other).as_dict(), self._after(one, other).as_dict()
        return (*(after[level] - before[level] for level in before), one, other)

    def _both(self, one: PlayerId, other: PlayerId) -> list[tuple[PlayerId, ...]]:
        return [self.table_of[one].seats, self.table_of[other].seats]

    def _exchanged(self, one: PlayerId, other: PlayerId) -> list[tuple[PlayerId, ...]]:
        turned = {one: other, other: one}
        return [tuple(turned.get(each, each) for each in seats) for seats in self._both(one, other)]

    def _before(self, one: PlayerId, other: PlayerId) -> Cost:
        return self._cost(self._both(one, other))

    def _after(self, one: PlayerId, other: PlayerId) -> Cost:
        return self._cost(self._exchanged(one, other))

    def _gaps(self, tables: Iterable[Sequence[PlayerId]]) -> Gaps:
        return Gaps.of(
            self.points(one) - self.points(other) for seats in tables for one, other in combinations(seats, 2)
        )

    def _keeps_word(self, one: PlayerId, other: PlayerId) -> bool:
        """Whether both tables keep the organizer's word after the exchange, as far as these two players go."""
        for seats in self._exchanged(one, other):
            here = set(seats)
            if any(here.issuperset(pair) for pair in self.options.forbidden):
                return False
            if any(len(here.intersection(pair)) == 1 for pair in self.options.forced):
                return False
            if sum(self.by_id[player].fixed_table is not None for player in here) > 1:
                return False
        return True


# What a table of three and more has to say.


class Divided(Fact, frozen=True, kw_only=True):
    """So many players are divided into tables of these sizes: the fewest byes, then the sizes nearest to the preferred one."""

    what: ClassVar[str] = "sizes"
    count: int
    sizes: tuple[int, ...]
    byes: int
    preferred: int

    @property
    def _sentence(self) -> str:
        kinds = Counter(self.sizes)
        tables = listed([f"{counted(count, 'table')} of {size}" for size, count in kinds.items()])
        byes = f" and {counted(self.byes, 'bye')}" if self.byes else ""
        return f"{self.count} players make {tables}{byes}: the fewest byes, then sizes nearest to {self.preferred}"


class PointsHere(Fact, frozen=True, kw_only=True):
    """The players at the table are on these half points."""

    what: ClassVar[str] = "group"
    half_points: tuple[int, ...]

    def text(self, names: Names) -> str:
        """Say each player's points at the table."""
        each = [
            f"{names.player(player)} {format_points(points)}"
            for player, points in zip(self.players, self.half_points, strict=True)
        ]
        return f"points at this table: {', '.join(each)}"


class SatTogether(Fact, frozen=True, kw_only=True):
    """These two have sat at one table so many times; 0: nobody at the table (all of `players`) has met anybody else there."""

    what: ClassVar[str] = "rematch"
    _numbered: ClassVar[Mapping[str, str]] = {"times_met": "times_met"}
    times_met: int

    @property
    def _sentence(self) -> str:
        if not self.times_met:
            return "nobody at this table has met anybody else there before"
        return f"{{all}} have met {'before' if self.times_met == 1 else f'{format_times(self.times_met)} before'}"


class WordOfOrganizer(Fact, frozen=True, kw_only=True):
    """The organizer seats these two together, or (`apart`) keeps them apart."""

    what: ClassVar[str] = "forced"
    apart: bool = False

    @property
    def _sentence(self) -> str:
        return "the organizer keeps {all} apart" if self.apart else "the organizer seats {all} together"


class ComeFirst(Fact, frozen=True, kw_only=True):
    """The players have had fewer byes that count than somebody with a bye, or as many and are on fewer points."""

    what: ClassVar[str] = "bye"

    @property
    def _sentence(self) -> str:
        come = "comes" if len(self.players) == 1 else "come"
        return f"{{all}} {come} first: fewer byes, or as many and fewer points"


class Exchange(Fact, frozen=True, kw_only=True):
    """Of all exchanges of two players that keep the organizer's word this one costs least; seats are not counted.

    players:    the one at this table, and the one of the other table; none where there is no such exchange
    table:      the other one's table
    difference: what the dearer of the two rounds costs more; None: both cost the same
    better:     the round with the exchange is the cheaper one
    partner:    only exchanges were looked at that seat the first player (or who is asked about) with this one
    """

    what: ClassVar[str] = "exchange"
    table: int | None = None
    difference: Difference | None = None
    better: bool = False
    partner: PlayerId | None = None

    def text(self, names: Names) -> str:
        """Say who could change places with whom, and what that would cost."""
        one = names.player(self.players[0])
        if len(self.players) < 2 or self.table is None:
            end = "" if self.partner is None else f" to seat {one} with {names.player(self.partner)}"
            return f"there are no two players who could change places{end}"
        other = f"{names.player(self.players[1])} of table {self.table}"
        if self.partner is None:
            places = f"{one} could change places with {other}"
        else:
            places = f"{one} could sit with {names.player(self.partner)} by changing places with {other}"
        if self.difference is None:
            return f"{places}, with no more rematches, wider gaps in points or broken wishes"
        if self.better:
            return f"{places}, and that would be better: without it {self.difference.text}"
        least = ", which costs least of all exchanges" if self.partner is None else ""
        return f"{places}{least}, but then {self.difference.text}"
