"""Explanations: the difference in cost between two rounds, and facts about a round.

A fact is a statement that anyone can check. It has data, and a sentence that states no more than the data.
The first line of its docstring is the statement. `--json` shows the fields of a fact under their names.

This module holds the facts that several systems use. The facts of one system are in its own `why` module or
beside its schedule. Most sentences are templates; a fact whose words depend on its data has a method `text`.

`tests/pairing/claims.py` parses the sentences and checks each one against all rounds of a small field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, NamedTuple

import msgspec

from tourney.pairing.pairing import Cost, Mode, number_of
from tourney.pairing.reasons import Reason
from tourney.record import NOBODY, NameOf, PlayerId, Table, format_points
from tourney.wording import counted, format_times, listed


class ExplainedTable(msgspec.Struct, frozen=True):
    """The table that an explanation is about.

    number: the number of the table
    seats: numbers of the players, in seat order
    """

    number: int
    seats: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundExplanation:
    """Why a table, or the bye, is in a round.

    table:      the table; null for the bye
    players:    numbers of the players at the table, or with the bye
    decided_by: the cost level that decided, or one of these words: `schedule`, `bracket`, `dutch`, `pods`,
                `forced` …
    reasons:    the facts as sentences, from the general to the particular
    facts:      the same as data, one for each reason
    """

    table: ExplainedTable | None
    players: tuple[PlayerId, ...]
    decided_by: str
    reasons: tuple[Reason, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The cost of seating two players at one table, or of giving a player the bye.

    players:  numbers of the two players, or of the player for the bye
    possible: whether a round with this table exists
    best:     the cost of the best round
    forced:   the cost of the best round with the table; null if no round has the table
    level:    the first level on which `forced` is higher; `seed` if the costs are equal, null if impossible
    more:     how much higher `forced` is on that level, in the unit of the level
    reasons:  the facts as sentences
    facts:    the same as data, one for each reason
    """

    players: tuple[PlayerId, ...]
    possible: bool
    best: Cost
    forced: Cost | None
    level: str | None
    more: int
    reasons: tuple[Reason, ...]
    facts: tuple[Fact, ...]


# -- comparing two rounds: the level on which they differ, and the difference at the tables


def points_words(half_points: int) -> str:
    """Return points with their noun.

    >>> [points_words(half_points) for half_points in (0, 1, 2, 3)]
    ['0 points', '½ point', '1 point', '1½ points']
    """
    return f"{format_points(half_points)} point{'' if half_points in {1, 2} else 's'}"


def amount(level: str, value: int) -> str:
    """Return the value of a level in the unit that people use: points instead of half points.

    >>> amount("differences", 18), amount("differences", 1), amount("bye_points", 3), amount("apart", 2)
    ('4½', '¼', '1½', '2')
    """
    if level == "differences":
        whole, quarters = divmod(value, 4)
        return f"{whole if whole or not quarters else ''}{('', '¼', '½', '¾')[quarters]}"
    return format_points(value) if level == "bye_points" else str(value)


def before_text(times: int) -> str:
    """Return how often something happened before.

    >>> before_text(1), before_text(2)
    ('before', 'twice before')
    """
    return "before" if times == 1 else f"{format_times(times)} before"


class Gaps(msgspec.Struct, frozen=True):
    """The gaps in points at the tables of a round.

    tables: gap in half points → number of tables; tables without a gap are left out
    """

    tables: Mapping[int, int]

    @classmethod
    def of(cls, gaps: Iterable[int]) -> Gaps:
        """Count gaps in half points. The sign does not matter, and gaps of 0 are left out."""
        counts = Counter(abs(gap) for gap in gaps if gap)
        return cls({gap: counts[gap] for gap in sorted(counts, reverse=True)})

    @classmethod
    def at(cls, tables: Iterable[Table | Sequence[PlayerId]], points: Mapping[PlayerId, int]) -> Gaps:
        """Count the gaps between every two players at the same table.

        points: half points by player
        """
        seatings = (table.seats if isinstance(table, Table) else table for table in tables)
        pairs = (pair for seats in seatings for pair in combinations(seats, 2))
        return cls.of(points[one] - points[other] for one, other in pairs)

    def text(self, noun: str = "table") -> str:
        """Return the gaps in words, the widest first.

        noun: the thing that has a gap: `table`, or `pair` for tables of three and more

        >>> Gaps.of([2, 0, -2, 1]).text()
        '2 tables 1 point apart and 1 table ½ point apart'
        """
        gaps = self.tables.items()
        return listed([f"{counted(count, noun)} {points_words(gap)} apart" for gap, count in gaps])

    def priced(self, noun: str = "table") -> str:
        """Return the gaps in words, with their cost.

        >>> Gaps.of([3, 1]).priced()
        '1 table 1½ points apart and 1 table ½ point apart (2½, each gap counted as its square)'
        >>> Gaps.of([0]).priced()
        'at every table all are on the same points'
        """
        if not self.tables:
            return "at every table all are on the same points"
        return f"{self.text(noun)} ({amount('differences', self.squares)}, each gap counted as its square)"

    @property
    def squares(self) -> int:
        """The cost of the gaps: the sum of their squares, in half points."""
        return sum(gap * gap * count for gap, count in self.tables.items())

    def beyond(self, other: Gaps) -> Gaps:
        """Return the gaps that `other` does not have."""
        return Gaps.of((Counter(self.tables) - Counter(other.tables)).elements())

    def no_wider(self, other: Gaps) -> bool:
        """Return whether no gap is wider than the corresponding gap of `other`.

        The widest gaps are compared first.
        """
        own, others = (list(Counter(gaps.tables).elements()) for gaps in (self, other))
        return len(own) <= len(others) and all(one <= two for one, two in zip(own, others, strict=False))


_ORDERS: Mapping[Mode, str] = {
    Mode.FOLD: "the order by rating, in which the first of a score meets the last",
    Mode.SLIDE: "the order by rating, in which the upper half of a score meets the lower half",
    Mode.RANK: "the order of the standings, in which neighbours meet",
    Mode.RANDOM: "the round's order",
}


class Difference(
    msgspec.Struct, frozen=True, kw_only=True, rename={"other": "there", "gaps_other": "gaps_there"}
):  # JSON has the names `there` and `gaps_there`
    """The first level on which a round costs more than a better one.

    level: a field of `Cost`
    best, other: the values of the better round and of the other round on this level
    gaps_best, gaps_other: the gaps in points of the two rounds
    mode:  the order of the round
    noun:  the thing that has a gap: `table`, or `pair` for tables of three and more
    """

    level: str
    best: int
    other: int
    gaps_best: Gaps
    gaps_other: Gaps
    mode: Mode = Mode.RANDOM
    noun: str = "table"

    @classmethod
    def between(
        cls,
        best: Cost,
        other: Cost,
        gaps: tuple[Gaps, Gaps],
        *,
        levels: Sequence[str] = (),
        mode: Mode = Mode.RANDOM,
        noun: str = "table",
    ) -> Difference | None:
        """Return the first level on which two costs differ; None if they are equal.

        gaps:   the gaps of the round with cost `best`, and of the round with cost `other`
        levels: the levels to compare; empty: all
        """
        for level in levels or best.as_dict():
            least, value = getattr(best, level), getattr(other, level)
            if least != value:
                return cls(
                    level=level, best=least, other=value, gaps_best=gaps[0], gaps_other=gaps[1],
                    mode=mode, noun=noun,
                )  # fmt: skip
        return None

    @property
    def text(self) -> str:
        """The disadvantage of the other round, such as `2 rematches instead of none`."""
        if self.level == "differences":
            return self._gaps_text()
        if self.level == "order":
            return f"tables further from {_ORDERS[self.mode]}"
        if self.level == "imbalance":
            return "a less even balance of sides"
        phrases = {
            "rematches": counted(self.other, "rematch", "rematches"),
            "times_met": f"{counted(self.other, 'earlier meeting')} of players who meet again",
            "bye_earlier": f"a bye for a player who has had {counted(self.other, 'bye')} already",
            "bye_points": f"a bye for a player on {points_words(self.other)}",
            "apart": f"{counted(self.other, 'broken wish', 'broken wishes')} to keep players apart",
            "floats": f"{counted(self.other, 'player')} paired down, or up, twice in a row",
            "side_repeats": f"{counted(self.other, 'player')} with the same side twice in a row",
        }
        best = format_points(self.best) if self.level == "bye_points" else self.best or "none"
        return f"{phrases[self.level]} instead of {best}"

    def _gaps_text(self) -> str:
        """Return the gaps in words, without the gaps that both rounds have."""
        more, less = self.gaps_other.beyond(self.gaps_best), self.gaps_best.beyond(self.gaps_other)
        if not self.gaps_best.tables:
            return f"{more.text(self.noun)} instead of none"
        if not less.tables:
            return more.text(f"more {self.noun}")
        change = f"{more.text(self.noun)} instead of {less.text(self.noun)}"
        if less.no_wider(more):
            return change
        high, low = (amount("differences", gaps.squares) for gaps in (more, less))
        return f"{change}; a gap counts as its square, {high} instead of {low}"


# -- facts


GroupOf = Callable[[str], str]
"""A function that returns a group's name from its tag, such as `club:Ravens`.

The members of such a group are kept apart.
"""

APART = "apart:"
"""The prefix of a tag for two players whom the organizer prefers to keep apart."""

_NAMED = 6
"""The maximum number of players that a sentence names. It counts the others."""


def group_text(tag: str) -> str:
    """Return a group's name from its tag, for callers that have no other names.

    >>> group_text("club:Ravens")
    'club Ravens'
    """
    return tag.replace(":", " ", 1)


class Names(NamedTuple):
    """The functions that return the names of players and groups for sentences."""

    player: NameOf = number_of
    group: GroupOf = group_text

    def listed(self, players: Sequence[PlayerId]) -> str:
        """Return players' names as a list in words. A long list ends with a number after six names.

        >>> Names().listed([PlayerId(1), PlayerId(2), NOBODY])
        '#1, #2 and the bye'
        """
        shown = len(players) if len(players) <= _NAMED + 1 else _NAMED  # never `and 1 more`
        names = ["the bye" if player == NOBODY else self.player(player) for player in players[:shown]]
        if len(players) > shown:
            names.append(f"{len(players) - shown} more")
        return listed(names)


class Fact(msgspec.Struct, frozen=True):
    """A true statement about a round. Each kind of fact is a subclass with more fields.

    players: numbers of the players that the statement is about
    """

    what: ClassVar[str] = ""
    """The kind of the fact, as in `Reason.what`."""

    sentence: ClassVar[str] = ""
    """The template of the sentence.

    It has `{field}` for a field, `{0}` and `{1}` for the first players' names, and `{players}` for all names.
    Empty if the class has its own method `text`.
    """

    numbered: ClassVar[str] = ""
    """The fields that supply `Reason.numbers`, separated by spaces.

    An item is `field`, or `name=field` if the number has another name.
    """

    players: tuple[PlayerId, ...]

    def text(self, names: Names) -> str:
        """Return the sentence, without a full stop."""
        fields = {field: getattr(self, field) for field in self.__struct_fields__}
        fields["players"] = names.listed(self.players)
        return self.sentence.format(*map(names.player, self.players), **fields)

    @property
    def numbers(self) -> Mapping[str, int]:
        """The numbers in the statement, by name."""
        pairs = (part.partition("=") for part in self.numbered.split())
        return {name: getattr(self, field or name) for name, _, field in pairs}

    @property
    def handle(self) -> str:
        """The kind of this fact: `what`, unless it depends on a field."""
        return self.what


def reasons_of(facts: Iterable[Fact], names: Names) -> tuple[Reason, ...]:
    """Return the facts as sentences, in order."""
    return tuple(
        Reason(what=fact.handle, text=fact.text(names), players=fact.players, numbers=fact.numbers)
        for fact in facts
    )


# -- facts about two players, a table or the bye


class SamePoints(Fact, frozen=True):
    """The players are all on this score (in half points), as are `others` more players."""

    what = "group"
    half_points: int
    others: int

    def text(self, names: Names) -> str:
        """Return a sentence with the score, and the number of other players on it."""
        players = "both" if len(self.players) == 2 else "all"
        more = {0: "and no other player is", 1: "as is 1 other"}
        others = more.get(self.others, f"as are {self.others} others")
        return f"{players} are on {points_words(self.half_points)}, {others}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The score, and the number of players on it."""
        return {"half_points": self.half_points, "group": len(self.players) + self.others}


class PairedDown(Fact, frozen=True):
    """The first player meets the second, who has fewer points.

    half_points: the half points of the first and of the second player
    """

    what = "float"
    half_points: tuple[int, int]

    def text(self, names: Names) -> str:
        """Return a sentence with both players and their points."""
        (one, other), (more, fewer) = map(names.player, self.players), map(points_words, self.half_points)
        return f"{one} ({more}) is paired down to {other} ({fewer})"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The gap between the two players, in half points."""
        return {"half_points": self.half_points[0] - self.half_points[1]}


class PointsApart(Fact, frozen=True):
    """The two players are this many half points apart."""

    what = "float"
    numbered = "half_points"
    half_points: int

    def text(self, names: Names) -> str:
        """Return a sentence with the gap in points."""
        return f"they are {points_words(self.half_points)} apart"


class SharedGroups(Fact, frozen=True):
    """The two players share these tags.

    The round separates such players if levels 1 to 3 allow it.

    named: whether the sentence names the two players, because more players sit at the table
    """

    what = "keep-apart"
    tags: tuple[str, ...]
    named: bool = False

    def text(self, names: Names) -> str:
        """Return a sentence with the groups, and with the organizer's wish to separate the players."""
        groups = [names.group(tag) for tag in self.tags if not tag.startswith(APART)]
        both, them = (
            (f"{names.listed(self.players)} ", names.listed(self.players)) if self.named else ("", "them")
        )
        clauses = [f"{both}both belong to {listed(groups)}"] if groups else []
        if len(groups) < len(self.tags):
            clauses.append(f"the organizer prefers to keep {them} apart")
        rule = "keeping them apart comes after rematches, the bye and gaps in points"
        return f"{' and '.join(clauses)}; {rule}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of tags that the players share."""
        return {"shared": len(self.tags)}


class KeptApart(Fact, frozen=True):
    """The organizer keeps the two players apart in every round."""

    what = "forbidden"
    sentence = "the organizer keeps them apart"


class FixedTable(Fact, frozen=True):
    """The player sits at this table if possible."""

    what = "fixed-table"
    sentence = "table {table} is kept for {0}"
    numbered = "table"
    table: int


class OddNumber(Fact, frozen=True):
    """The round has `count` players; if the number is odd, one player is left over."""

    what = "odd"
    numbered = "players=count"
    count: int

    def text(self, names: Names) -> str:
        """Return a sentence with the number of players."""
        is_odd = "odd number: one is left over" if self.count % 2 else "even number"
        return f"{self.count} players are an {is_odd}"


class NobodyLeftOver(Fact, frozen=True):
    """The round has `count` players, an even number, so no player has the bye."""

    what = "impossible"
    sentence = "{count} players are an even number: no player has the bye"
    numbered = "players=count"
    count: int


class ByesHad(Fact, frozen=True):
    """The player has had `earlier` byes that count and is on this score.

    others: the number of other players of whom the same is true
    """

    what = "bye"
    earlier: int
    half_points: int
    others: int

    def text(self, names: Names) -> str:
        """Return a sentence with the player's byes and points, and the number of equal players."""
        had = f"{counted(self.earlier, 'bye')} already" if self.earlier else "no bye yet"
        others = f"also true of {counted(self.others, 'other')}" if self.others else "true of no other player"
        player, points = names.player(self.players[0]), points_words(self.half_points)
        return f"{player} has had {had} and is on {points}, which is {others}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """Earlier byes, half points, and the number of players with equal byes and points."""
        return {"earlier_byes": self.earlier, "half_points": self.half_points, "alike": self.others + 1}


class Meets(Fact, frozen=True):
    """The two players meet in this round, at this table.

    If `table` is None, the only player has the bye.
    """

    what = "meets"
    table: int | None

    def text(self, names: Names) -> str:
        """Return a sentence with the table, or about the bye."""
        if self.table is None:
            return f"{names.player(self.players[0])} has the bye in this round"
        return f"they do meet in this round, at table {self.table}"


class SetElsewhere(Fact, frozen=True):
    """The organizer seated the first player with the second, or gave the only player the bye."""

    what = "impossible"

    def text(self, names: Names) -> str:
        """Return a sentence with the table or the bye that the organizer set."""
        players = " – ".join(map(names.player, self.players))
        return f"the organizer {'gave the bye to' if len(self.players) == 1 else 'set the table'} {players}"


class ShouldMeet(Fact, frozen=True):
    """By the schedule or bracket, the first player meets the second in this round.

    A single player has no opponent.
    """

    what = "schedule"
    source: str = "schedule"

    def text(self, names: Names) -> str:
        """Return a sentence with the match by the schedule, or that there is none."""
        does = "has no opponent" if len(self.players) == 1 else f"meets {names.player(self.players[1])}"
        return f"by the {self.source} {names.player(self.players[0])} {does} in this round"


class NotInSchedule(Fact, frozen=True):
    """The schedule or bracket was made before the players entered."""

    what = "impossible"
    source: str = "schedule"

    def text(self, names: Names) -> str:
        """Return a sentence that says that the players are not in the schedule."""
        return f"{names.listed(self.players)} {are(self.players)} not in the {self.source}"


# -- facts about why players cannot all be paired among themselves


def are(players: Sequence[object]) -> str:
    """Return `is` for one player and `are` for several."""
    return "is" if len(players) == 1 else "are"


class Bottleneck(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why some players cannot all be paired among themselves without a conflict.

    Without `removed`, the players fall into `parts`, and players of different parts may not meet. A part of
    odd size leaves over a player, who needs an opponent from `removed`. So at least (odd parts − removed)
    players are left over (the theorem of Gallai and Edmonds).

    barrier: why players of different parts may not meet: `met`, `apart` (kept apart by the organizer),
             `either` (some have met, some are kept apart), or `bye` (one of them is the bye, which only some
             players may have)
    """

    removed: tuple[PlayerId, ...]
    parts: tuple[tuple[PlayerId, ...], ...]
    barrier: str

    def text(self, names: Names, where: str) -> str:
        """Return the reason in words. where: `there` or `in this round`."""
        odd = [part for part in self.parts if len(part) % 2]
        if any(len(part) > 1 for part in odd):
            groups = [names.listed(part) for part in odd[:_NAMED]]
            if len(odd) > _NAMED:
                groups.append(f"and {counted(len(odd) - _NAMED, 'more group')}")
            others = f" or {names.listed(self.removed)}" if self.removed else ""
            lead = f"each of these groups is odd in number and can meet only itself{others} {where}"
            return f"{lead}: {'; '.join(groups)}"
        alone = [part[0] for part in odd]
        players, single = names.listed(alone), len(alone) == 1
        if self.removed:
            return f"only {names.listed(self.removed)} {are(self.removed)} left {where} for {players}"
        reasons = {
            "met": "has met" if single else "have met",
            "apart": f"{are(alone)} kept apart from",
            "either": "has met or is kept apart from" if single else "have met or are kept apart from",
        }
        if self.barrier in reasons:
            return f"{players} {reasons[self.barrier]} all other players {where}"
        return f"no opponent is left {where} for {players}"


class Aside(msgspec.Struct, frozen=True, kw_only=True):
    """Players who are not counted: those with the bye, and those at the organizer's tables."""

    bye: PlayerId | None = None
    set_tables: int = 0

    def text(self, names: Names) -> str:
        """Return the beginning of a sentence; empty if every player is counted."""
        aside = [f"{names.player(self.bye)}, who has the bye,"] if self.bye is not None else []
        if self.set_tables:
            aside.append(f"the {'table' if self.set_tables == 1 else 'tables'} that the organizer set,")
        return f"without {' and '.join(aside)} " if aside else ""


class Crossing(Fact, frozen=True, kw_only=True):
    """Of the `above` players on `score` or more, at least `least` must meet a player below.

    `aside` lists the bye and the tables that the organizer set. Every round that keeps these has at least
    `least` other tables between the two sides. If there is a bottleneck, this is true of the rounds without
    a conflict.

    side:       the side that has the bottleneck, `above` or `below`
    players:    the only player above, if `above` is 1; otherwise the players of the table
    """

    what = "boundary"
    numbered = "half_points=score above least"
    score: int
    above: int
    least: int
    aside: Aside = Aside()
    side: str = "above"
    below: int = 0
    bottleneck: Bottleneck | None = None

    def text(self, names: Names) -> str:
        """Return a sentence that says how many players must meet the other side, and why."""
        start, score = self.aside.text(names), points_words(self.score)
        if self.bottleneck is None and self.above == 1:
            player = names.player(self.players[0])
            return f"{start}only {player} is on {score} or more, and must meet an opponent with fewer points"
        if self.bottleneck is None:
            odd = f"{self.above} players are on {score} or more, an odd number"
            return f"{start}{odd}: at least one of them must meet an opponent with fewer points"
        count, where, others = self.above, f"on {score} or more", "fewer"
        if self.side == "below":
            count, where, others = self.below, f"on fewer than {score}", "more"
        players = "both" if count == 2 else f"all {count}"
        if self.least < count:
            players = f"at least {self.least} of the {count}"
        reason = self.bottleneck.text(names, "there")
        return f"{start}{players} players {where} must meet an opponent with {others} points: {reason}"


class FirstInLine(Fact, frozen=True, kw_only=True):
    """The players would get the bye first.

    They have fewer byes, or as many byes and fewer points.

    set_apart:  whether the players sit at tables that the organizer set
    difference: if not, how much more every round costs that gives the bye to one of these players; None if no
                such round exists
    bottleneck: why such a round has a rematch
    """

    what = "bye"
    set_apart: bool = False
    difference: Difference | None = None
    bottleneck: Bottleneck | None = None

    def text(self, names: Names) -> str:
        """Return a sentence that says why the first players in line do not have the bye."""
        start = f"{names.listed(self.players)} would come first, but"
        if self.set_apart:
            seated = "sits at a table" if len(self.players) == 1 else "sit at tables"
            return f"{start} {seated} that the organizer set"
        if self.difference is None:
            return f"{start} that leaves no complete round"
        reason = f": {self.bottleneck.text(names, 'in this round')}" if self.bottleneck else ""
        return f"{start} then the best round has {self.difference.text}{reason}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of players who come first."""
        return {"first": len(self.players)}


# -- the level that decided


NOT_SEARCHED = {
    "gaps": "in rematches and the bye; so large a field is not searched further",
    "below": "in rematches, the bye and gaps in points; so large a field is not searched further",
}
"""The levels on which two rounds are equal, in words, by `Decided.open_below`."""


class Decided(Fact, frozen=True, kw_only=True):
    """The difference between the best rounds with and without a table (or bye).

    by:         a field of `Cost` (on this level the round without the table costs more), `edited` (the round
                with the table costs more), `seed` (the costs are equal), `forced`, `impossible` (no round
                without the table exists), `not-possible` (no round with it exists), or `even` (a bye although
                the number of players is even)
    difference: how much more the other round costs
    open_below: the levels that were not compared because the field is too large: `gaps` (gaps in points and
                all levels below), or `below` (all levels below the gaps)
    by_hand:    whether a person, not chance, chose the table
    """

    by: str
    difference: Difference | None = None
    open_below: str = ""
    by_hand: bool = False

    def text(self, names: Names) -> str:
        """Return a sentence with the difference that decided."""
        it = this_table(self.players)
        if self.difference is not None:
            without = f"the best round without {it}"
            with_it = f"the engine does not choose {it}: the best round with it"
            return f"{with_it if self.by == 'edited' else without} has {self.difference.text}"
        bye = f"gave the bye to {names.player(self.players[0])}"
        seed = f"a round without {it} can be just as good: the round's seed chose at random"
        if self.open_below:
            seed = f"a round without {it} can be as good {NOT_SEARCHED[self.open_below]}"
        elif self.by_hand:
            seed = f"a round with {it} can be as good as any other, and so can one without it"
        return {
            "forced": f"the organizer {bye if len(self.players) == 1 else 'set this table'}",
            "impossible": f"there is no complete round without {it}",
            "not-possible": f"no complete round with {it} keeps the organizer's pairs",
            "even": "their number is even, so a bye is not needed",
            "seed": seed,
        }[self.by]

    @property
    def numbers(self) -> Mapping[str, int]:
        """The values of the better round and of the other round on the level that decided."""
        if self.difference is None:
            return {}
        other = "with" if self.by == "edited" else "without"
        return {"best": self.difference.best, other: self.difference.other}

    @property
    def handle(self) -> str:
        """The kind of the fact: `by`."""
        return self.by


def this_table(players: Sequence[PlayerId]) -> str:
    """Return `this bye` for one player, and `this table` for several."""
    return "this bye" if len(players) == 1 else "this table"
