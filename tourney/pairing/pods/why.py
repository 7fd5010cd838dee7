"""Why players share a table: points, earlier meetings, and the cost of exchanges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from operator import sub

from msgspec import structs

from tourney.errors import TourneyError
from tourney.pairing import facts
from tourney.pairing.facts import Difference, Fact, Gaps, Names
from tourney.pairing.manual import Sizes, cost_of
from tourney.pairing.pairing import Cost, Entrant, Entrants, Options, Pair, Pairing, earlier_byes, met
from tourney.pairing.pods.field import split
from tourney.record import NOBODY, PlayerId, Table, format_points
from tourney.wording import counted, listed


def why(
    entrants: Entrants, options: Options, pairing: Pairing, seats: Sequence[PlayerId], *, sizes: Sizes
) -> tuple[Fact, ...]:
    """Return why these players share a table of the round, or why one player has a bye."""
    question = _Question(entrants, options, pairing, sizes)
    return tuple(question.of_bye(seats[0]) if len(seats) == 1 else question.of_table(seats))


def why_not(
    entrants: Entrants, options: Options, pairing: Pairing, one: PlayerId, other: PlayerId, *, sizes: Sizes
) -> tuple[Fact, ...]:
    """Return why two players do not share a table, or why `one` has no bye.

    `other` is `NOBODY` in a question about the bye. For two players, the last fact is the cheapest exchange
    that seats them together.
    """
    question = _Question(entrants, options, pairing, sizes)
    return tuple(question.of_other_bye(one) if other == NOBODY else question.of_two(one, other))


@dataclass(frozen=True)
class _Question:
    """A recorded round of pods, to be explained.

    In its cost, every two players at a table count as a pair, and seats do not count.
    """

    entrants: Entrants
    options: Options
    pairing: Pairing
    sizes: Sizes

    @cached_property
    def by_id(self) -> dict[PlayerId, Entrant]:
        return {entrant.id: entrant for entrant in self.entrants}

    @cached_property
    def points(self) -> dict[PlayerId, int]:
        return {entrant.id: entrant.points for entrant in self.entrants}

    @cached_property
    def table_of(self) -> dict[PlayerId, Table]:
        return {player: table for table in self.pairing.tables for player in table.seats}

    # -- a table

    def of_table(self, seats: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield the facts of the table, and the cheapest exchange with another table."""
        yield from self._divided(seats)
        players, pairs = tuple(seats), list(combinations(seats, 2))
        points = tuple(self.points[player] for player in seats)
        if len(set(points)) == 1:
            others = list(self.points.values()).count(points[0]) - len(seats)
            yield facts.SamePoints(players, points[0], others)
        else:
            yield PointsHere(players, points)
        table = self.table_of[seats[0]].number
        for player in seats:
            if self.by_id[player].fixed_table == table:
                yield facts.FixedTable((player,), table)
        for pair in pairs:
            yield from self._organizers_wishes(pair)
        meetings = [fact for pair in pairs for fact in self._meetings(pair)]
        yield from meetings or [SatTogether(players, 0)]
        for pair in pairs:
            yield from self._groups(pair)
        elsewhere = [player for player in self.table_of if player not in seats]
        yield self._cheapest(seats, [(one, other) for one in seats for other in elsewhere])

    def of_two(self, one: PlayerId, other: PlayerId) -> Iterator[Fact]:
        """Yield what keeps two players apart, and the cheapest exchange that seats them together."""
        pair = (one, other)
        here, there = self.table_of.get(one), self.table_of.get(other)
        if here is not None and here is there:
            yield facts.Meets(pair, here.number)
        yield from self._organizers_wishes(pair)
        yield from self._meetings(pair)
        if gap := abs(self.points[one] - self.points[other]):
            yield facts.PointsApart(pair, gap)
        yield from self._groups(pair)
        if here is there or here is None or there is None:
            return
        joining = [(other, player) for player in here.seats if player != one]
        joining += [(one, player) for player in there.seats if player != other]
        yield self._cheapest(pair, joining, partners={other: one, one: other})

    def _divided(self, about: Sequence[PlayerId]) -> Iterator[Fact]:
        least_byes = int(self.options.forced_bye is not None)
        try:
            division = split(len(self.entrants), self.sizes, least_byes=least_byes)
        except TourneyError:
            return
        sizes = tuple(sorted((len(table.seats) for table in self.pairing.tables), reverse=True))
        if (sizes, len(self.pairing.byes)) == (division.tables, division.byes):
            yield Divided(tuple(about), len(self.entrants), sizes, division.byes, self.sizes.preferred)

    def _organizers_wishes(self, pair: Pair) -> Iterator[Fact]:
        if set(pair) in map(set, self.options.forced):
            yield WordOfOrganizer(pair)
        if set(pair) in map(set, self.options.forbidden):
            yield WordOfOrganizer(pair, apart=True)

    def _meetings(self, pair: Pair) -> Iterator[Fact]:
        if times := met(self.by_id[pair[0]], self.options).count(pair[1]):
            yield SatTogether(pair, times)

    def _groups(self, pair: Pair) -> Iterator[Fact]:
        shared = set(self.by_id[pair[0]].tags) & set(self.by_id[pair[1]].tags)
        if shared and self.options.keeps_apart_now:
            yield facts.SharedGroups(pair, tuple(sorted(shared)), named=True)

    # -- the byes

    def of_bye(self, player: PlayerId) -> Iterator[Fact]:
        """Yield the rule for byes, the player's earlier byes, and the players who would come first."""
        yield from self._divided((player,))
        yield self._byes_had(player)
        if player == self.options.forced_bye:
            yield facts.SetElsewhere((player,))
            return
        byes, rank = self.pairing.byes, self._rank(player)
        first = [other for other in self.by_id if other not in byes and self._rank(other) < rank]
        seated = {other for pair in self.options.forced for other in pair}
        if set_apart := tuple(other for other in first if other in seated):
            yield facts.FirstInLine(set_apart, set_apart=True)
        if others := tuple(other for other in first if other not in seated):
            yield ComeFirst(others)

    def of_other_bye(self, player: PlayerId) -> Iterator[Fact]:
        """Yield the earlier byes of a player, and of the players who have a bye in this round."""
        if player in self.pairing.byes:
            yield facts.Meets((player,), None)
        yield from self._divided((player,))
        yield self._byes_had(player)
        for other in self.pairing.byes:
            if other != player:
                yield self._byes_had(other)

    def _rank(self, player: PlayerId) -> tuple[int, int]:
        return earlier_byes(self.by_id[player], self.options), self.points[player]

    def _byes_had(self, player: PlayerId) -> facts.ByesHad:
        rank = self._rank(player)
        return facts.ByesHad(
            (player,), *rank, others=sum(self._rank(other) == rank for other in self.by_id) - 1
        )

    # -- exchanges

    def _cheapest(
        self,
        about: Sequence[PlayerId],
        exchanges: Iterable[Pair],
        *,
        partners: Mapping[PlayerId, PlayerId] | None = None,
    ) -> Exchange:
        """Return the cheapest exchange that keeps the organizer's wishes.

        partners: `Exchange.partner` for each player, if the exchanges seat two players together
        """
        allowed = [exchange for exchange in exchanges if self._keeps_wishes(*exchange)]
        if not allowed:
            return Exchange(tuple(about[:1]), partner=partners[about[0]] if partners else None)
        one, other = min(allowed, key=lambda exchange: self._price(*exchange))
        rounds = [
            (self._cost(tables), tables) for tables in (self._tables(one, other), self._exchanged(one, other))
        ]
        now, better = rounds[0][0], rounds[1][0] < rounds[0][0]
        (best, seats), (dearer, other_seats) = reversed(rounds) if better else rounds
        gaps = Gaps.at(seats, self.points), Gaps.at(other_seats, self.points)
        difference = Difference.between(best, dearer, gaps, noun="pair")
        if difference is not None:  # so far it counts the two tables; the fact is about the whole round
            rest = getattr(self._whole, difference.level) - getattr(now, difference.level)
            difference = structs.replace(
                difference, best=difference.best + rest, other=difference.other + rest
            )
        partner = partners[one] if partners else None
        return Exchange((one, other), self.table_of[other].number, difference, better, partner)

    @cached_property
    def _whole(self) -> Cost:
        return self._cost([table.seats for table in self.pairing.tables])

    def _cost(self, tables: Iterable[tuple[PlayerId, ...]]) -> Cost:
        numbered = [Table(number, seats) for number, seats in enumerate(tables)]
        present = [self.by_id[player] for table in numbered for player in table.seats]
        return cost_of(present, self.options, numbered, ())

    def _price(self, one: PlayerId, other: PlayerId) -> tuple[int, ...]:
        now = self._cost(self._tables(one, other)).as_dict().values()
        after = self._cost(self._exchanged(one, other)).as_dict().values()
        return (*map(sub, after, now), one, other)

    def _tables(self, one: PlayerId, other: PlayerId) -> list[tuple[PlayerId, ...]]:
        return [self.table_of[one].seats, self.table_of[other].seats]

    def _exchanged(self, one: PlayerId, other: PlayerId) -> list[tuple[PlayerId, ...]]:
        exchanged = {one: other, other: one}
        tables = self._tables(one, other)
        return [tuple(exchanged.get(player, player) for player in seats) for seats in tables]

    def _keeps_wishes(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether both tables keep the organizer's wishes after the exchange."""
        for seats in map(set, self._exchanged(one, other)):
            if any(seats.issuperset(pair) for pair in self.options.forbidden):
                return False
            if any(len(seats.intersection(pair)) == 1 for pair in self.options.forced):
                return False
            if sum(self.by_id[player].fixed_table is not None for player in seats) > 1:
                return False
        return True


# -- facts of tables of three and more


class Divided(Fact, frozen=True):
    """`count` players are divided into tables of these sizes.

    The rule is the fewest byes, then the sizes nearest to the preferred one.
    """

    what = "sizes"
    count: int
    sizes: tuple[int, ...]
    byes: int
    preferred: int

    def text(self, names: Names) -> str:
        """Return a sentence with the tables and the byes."""
        tables = listed(
            [f"{counted(count, 'table')} of {size}" for size, count in Counter(self.sizes).items()]
        )
        byes = f" and {counted(self.byes, 'bye')}" if self.byes else ""
        rule = f"the fewest byes, then sizes nearest to {self.preferred}"
        return f"{self.count} players make {tables}{byes}: {rule}"


class PointsHere(Fact, frozen=True):
    """The players at the table are on these half points."""

    what = "group"
    half_points: tuple[int, ...]

    def text(self, names: Names) -> str:
        """Return a sentence with the players and their points."""
        scores = zip(map(names.player, self.players), map(format_points, self.half_points), strict=True)
        return f"points at this table: {', '.join(f'{player} {points}' for player, points in scores)}"


class SatTogether(Fact, frozen=True):
    """The two players have met `times_met` times.

    If it is 0, no two players at the table have met.
    """

    what = "rematch"
    numbered = "times_met"
    times_met: int

    def text(self, names: Names) -> str:
        """Return a sentence that says how often the players have met."""
        if not self.times_met:
            return "no two players at this table have met before"
        return f"{names.listed(self.players)} have met {facts.before_text(self.times_met)}"


class WordOfOrganizer(Fact, frozen=True):
    """The organizer seats the two players together, or keeps them apart (`apart`)."""

    what = "forced"
    apart: bool = False

    def text(self, names: Names) -> str:
        """Return a sentence with the organizer's wish."""
        players = names.listed(self.players)
        return f"the organizer {f'keeps {players} apart' if self.apart else f'seats {players} together'}"


class ComeFirst(Fact, frozen=True):
    """The players would get the bye first.

    They have fewer byes, or as many byes and fewer points.
    """

    what = "bye"

    def text(self, names: Names) -> str:
        """Return a sentence with the players who would come first."""
        return f"{names.listed(self.players)} would come first: fewer byes, or as many and fewer points"


class Exchange(Fact, frozen=True):
    """Of the exchanges of two players that keep the organizer's wishes, this one costs least.

    Seats do not count.

    players:    a player at this table and a player at another table; only the first if there is no exchange
    table:      the other player's table
    difference: how much more the dearer of the two rounds costs; None if both cost the same
    better:     whether the round with the exchange costs less
    partner:    the player who must share the first player's table after the exchange; None: any exchange
    """

    what = "exchange"
    table: int | None = None
    difference: Difference | None = None
    better: bool = False
    partner: PlayerId | None = None

    def text(self, names: Names) -> str:
        """Return a sentence with the exchange and its cost."""
        one = names.player(self.players[0])
        partner = "" if self.partner is None else names.player(self.partner)
        if len(self.players) < 2:
            return f"no two players can change places{f' to seat {one} with {partner}' if partner else ''}"
        other = f"{names.player(self.players[1])} of table {self.table}"
        change = f"sit with {partner} by changing" if partner else "change"
        places = f"{one} could {change} places with {other}"
        if self.difference is None:
            return f"{places}, with no more rematches, wider gaps in points or broken wishes"
        if self.better:
            return f"{places}, which would be better: without it the round has {self.difference.text}"
        least = "" if partner else ", which costs least of all exchanges"
        return f"{places}{least}, but then the round has {self.difference.text}"
