"""Explanations: facts about a round, and the difference in cost between two rounds.

A *fact* is one true statement about a round, as a sentence and as data. The sentence states no more than the
data, and anyone can check it. This module makes the facts that several pairing systems use; the docstring of
each function says what its fact states. The facts of one system are made in its own `why` module or beside
its schedule. A *level* is one criterion of a round's cost, a field of `Cost`.

`tests/pairing/claims.py` parses the sentences and checks each one against all rounds of a small field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from msgspec import Struct

from tourney.pairing.pairing import (
    Cost,
    Entrant,
    Mode,
    Options,
    Reason,
    earlier_byes,
    number_of,
    shared_tags,
)
from tourney.record import NOBODY, NameOf, PlayerId, Table, format_points
from tourney.wording import counted, format_times, listed

# -- explanations and facts


class ExplainedTable(Struct, frozen=True):
    """The table that an explanation is about.

    number: the number of the table
    seats: numbers of the players, in seat order
    """

    number: int
    seats: tuple[PlayerId, ...]


class RoundExplanation(Struct, frozen=True, kw_only=True):
    """Why a table, or the bye, is in a round.

    table:      the table; null if the explanation is about the bye
    players:    numbers of the players at the table, or of the player with the bye
    decided_by: the cost level that decided, or one of these words: `schedule`, `bracket`, `dutch`, `pods`,
                `forced`, `announced` (a bye that was announced before the round) …
    reasons:    the facts as sentences, from the general to the particular
    facts:      the facts as data, in the same order: `players`, and more keys for each kind of fact
    """

    table: ExplainedTable | None
    players: tuple[PlayerId, ...]
    decided_by: str
    reasons: tuple[Reason, ...]
    facts: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(
        cls, players: tuple[PlayerId, ...], table: int | None, decided_by: str, answer: Sequence[Fact]
    ) -> RoundExplanation:
        """Return the explanation that consists of the facts in `answer`.

        table: the number of the table; None for a player without an opponent
        """
        return cls(
            table=None if table is None else ExplainedTable(table, players),
            players=players,
            decided_by=decided_by,
            reasons=tuple(fact.reason for fact in answer),
            facts=tuple(fact.data for fact in answer),
        )


class Price(Struct, frozen=True, kw_only=True):
    """The cost of seating two players at one table, or of giving a player the bye.

    players:  numbers of the two players, or of the player for the bye
    possible: whether a round with this table exists
    best:     the cost of the best round
    forced:   the cost of the best round with the table; null if no round has the table
    level:    the first level on which `forced` is higher; `seed` if the costs are equal; null if no round has
              the table
    more:     how much higher `forced` is on that level, in the unit of the level
    reasons:  the facts as sentences
    facts:    the facts as data, in the same order: `players`, and more keys for each kind of fact
    """

    players: tuple[PlayerId, ...]
    possible: bool
    best: Cost
    forced: Cost | None
    level: str | None
    more: int
    reasons: tuple[Reason, ...]
    facts: tuple[Mapping[str, Any], ...]


class Fact(NamedTuple):
    """A true statement about a round, as a sentence (`reason`) and as `data` for `--json`."""

    reason: Reason
    data: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The kind of the fact, as in `Reason.what`."""
        return self.reason.what


def fact(
    kind: str, players: Iterable[PlayerId], text: str, numbers: Mapping[str, int] | None = None, **data: Any
) -> Fact:
    """Return a fact about a round, as a sentence and as data.

    kind:    the kind of the fact, as in `Reason.what`
    players, text, numbers: the fields of the sentence (see `Reason`)
    data:    name → value of everything that the fact states besides the players
    """
    subjects = tuple(players)
    return Fact(
        Reason(what=kind, text=text, players=subjects, numbers=numbers or {}), {"players": subjects, **data}
    )


GroupOf = Callable[[str], str]
"""A function that returns the name of a group from its tag, such as `club:Ravens`.

The members of a group are kept apart if possible.
"""

_APART = "apart:"
"""The prefix of a tag for two players whom the organizer prefers to keep apart."""

_MOST_NAMES = 6
"""The maximum number of players that a sentence names. Further players are only counted."""


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

    def players(self, players: Sequence[PlayerId]) -> str:
        """Return players' names as a list in words.

        If there are more than seven names, the list has the first six and ends in `and 5 more`.

        >>> Names().players([PlayerId(1), PlayerId(2), NOBODY])
        '#1, #2 and the bye'
        """
        most_names = len(players) if len(players) <= _MOST_NAMES + 1 else _MOST_NAMES  # never `and 1 more`
        names = ["the bye" if player == NOBODY else self.player(player) for player in players[:most_names]]
        if len(players) > most_names:
            names.append(f"{len(players) - most_names} more")
        return listed(names)


NO_NAMES = Names()
"""The names for callers that know no names: the numbers of players, and the tags of groups."""


def is_or_are(players: Sequence[object]) -> str:
    """Return `is` for one player and `are` for several."""
    return "is" if len(players) == 1 else "are"


# -- comparing two rounds: the level on which they differ, and the difference at the tables


def points_words(half_points: int) -> str:
    """Return points with their noun.

    >>> [points_words(half_points) for half_points in (0, 1, 2, 3)]
    ['0 points', '½ point', '1 point', '1½ points']
    """
    return f"{format_points(half_points)} point{'' if half_points in {1, 2} else 's'}"


def byes_words(count: int) -> str:
    """Return a number of byes in words.

    >>> [byes_words(count) for count in (0, 1, 2)]
    ['no bye', 'a bye', '2 byes']
    """
    return {0: "no bye", 1: "a bye"}.get(count, f"{count} byes")


def amount(level: str, value: int) -> str:
    """Return one value of a round's `Cost` as text, in points instead of half points.

    level: the field of `Cost`. The value of `differences`, a sum of squared half points, is divided by 4, and
           that of `bye_points`, in half points, by 2. Values of other fields are not changed

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


class Gaps(Struct, frozen=True):
    """The gaps in points at the tables of a round.

    tables: gap in half points → number of tables with this gap; tables without a gap are left out
    """

    tables: Mapping[int, int]

    @classmethod
    def of(cls, gaps: Iterable[int]) -> Gaps:
        """Count how often each gap in points occurs. Gaps of 0 are left out.

        gaps: in half points; the sign does not matter
        """
        counts = Counter(abs(gap) for gap in gaps if gap)
        return cls({gap: counts[gap] for gap in sorted(counts, reverse=True)})

    @classmethod
    def at(cls, tables: Iterable[Table | Sequence[PlayerId]], points: Mapping[PlayerId, int]) -> Gaps:
        """Return the gaps in points between every two players who sit at the same table.

        points: player → half points
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

    def text_with_cost(self, noun: str = "table") -> str:
        """Return the gaps in words, with their cost.

        >>> Gaps.of([3, 1]).text_with_cost()
        '1 table 1½ points apart and 1 table ½ point apart (2½, each gap counted as its square)'
        >>> Gaps.of([0]).text_with_cost()
        'at every table all are on the same points'
        """
        if not self.tables:
            return "at every table all are on the same points"
        return f"{self.text(noun)} ({amount('differences', self.squares)}, each gap counted as its square)"

    @property
    def squares(self) -> int:
        """The cost of the gaps: the sum of the squares of all gaps, each gap in half points."""
        return sum(gap * gap * count for gap, count in self.tables.items())

    def excess_over(self, other: Gaps) -> Gaps:
        """Return the gaps in points that are left after removing those of `other`.

        Each gap of `other` removes one gap of the same size, if there is one.
        """
        return Gaps.of((Counter(self.tables) - Counter(other.tables)).elements())

    def is_no_wider(self, other: Gaps) -> bool:
        """Return whether no gap in points is wider than the corresponding gap of `other`.

        The widest gap is compared with the widest gap of `other`, the second widest with the second widest,
        and so on. If `other` has fewer gaps, the result is False.
        """
        own_gaps, other_gaps = (list(Counter(gaps.tables).elements()) for gaps in (self, other))
        return len(own_gaps) <= len(other_gaps) and all(
            one <= two for one, two in zip(own_gaps, other_gaps, strict=False)
        )


_ORDERS: Mapping[Mode, str] = {
    Mode.FOLD: "the order by rating, in which the first of a score meets the last",
    Mode.SLIDE: "the order by rating, in which the upper half of a score meets the lower half",
    Mode.RANK: "the order of the standings, in which neighbours meet",
    Mode.RANDOM: "the round's order",
}


class Difference(
    Struct, frozen=True, kw_only=True, rename={"other": "there", "gaps_other": "gaps_there"}
):  # JSON has the names `there` and `gaps_there`
    """The first level on which a round costs more than a better one.

    level:       a field of `Cost`
    best, other: the values of the better round and of the other round on this level
    gaps_best, gaps_other: the gaps in points of the two rounds
    mode:        how the rounds pair players with equal points
    noun:        the thing that has a gap: `table`, or `pair` for tables of three and more
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
        """Return the first level on which the costs of two rounds differ, as a `Difference`.

        Return None if the costs are equal on all compared levels.

        gaps:   the gaps in points of the two rounds, the round with cost `best` first
        levels: the levels to compare; all levels if empty
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
        """What is worse in the round that costs more, such as `2 rematches instead of none`."""
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
        """Return in words how the gaps in points of the two rounds differ.

        Gaps that both rounds have are left out.
        """
        more, less = self.gaps_other.excess_over(self.gaps_best), self.gaps_best.excess_over(self.gaps_other)
        if not self.gaps_best.tables:
            return f"{more.text(self.noun)} instead of none"
        if not less.tables:
            return more.text(f"more {self.noun}")
        change = f"{more.text(self.noun)} instead of {less.text(self.noun)}"
        if less.is_no_wider(more):
            return change
        high, low = (amount("differences", gaps.squares) for gaps in (more, less))
        return f"{change}; a gap counts as its square, {high} instead of {low}"


# -- facts about two players, a table or the bye


def same_points(seats: Sequence[PlayerId], points: Mapping[PlayerId, int]) -> Fact:
    """Return the fact that the players in `seats` have equal points.

    The fact also has the number of other players with the same points.
    """
    half_points = points[seats[0]]
    others_count = list(points.values()).count(half_points) - len(seats)
    players = "both" if len(seats) == 2 else "all"
    more = {0: "and no other player is", 1: "as is 1 other"}.get(
        others_count, f"as are {others_count} others"
    )
    text = f"{players} are on {points_words(half_points)}, {more}"
    numbers = {"half_points": half_points, "group": len(seats) + others_count}
    return fact("group", seats, text, numbers, half_points=half_points, others=others_count)


def paired_down(names: Names, high: PlayerId, low: PlayerId, points: Mapping[PlayerId, int]) -> Fact:
    """Return the fact that `high` is paired down: `low` has fewer points."""
    one, other = (f"{names.player(player)} ({points_words(points[player])})" for player in (high, low))
    numbers = {"half_points": points[high] - points[low]}
    text = f"{one} is paired down to {other}"
    return fact("float", (high, low), text, numbers, half_points=(points[high], points[low]))


def points_apart(players: Sequence[PlayerId], half_points: int) -> Fact:
    """Return a `Fact` about two players, with a sentence such as `they are 1½ points apart`.

    half_points: the difference of the players' points, in half points
    """
    text = f"they are {points_words(half_points)} apart"
    return fact("float", players, text, {"half_points": half_points}, half_points=half_points)


def shared_groups(
    names: Names, options: Options, one: Entrant, other: Entrant, *, names_players: bool = False
) -> Iterator[Fact]:
    """Yield the fact that two players share tags; nothing if they share none.

    The sentence adds that players with shared tags are kept apart only if levels 1 to 3 allow it.

    names_players: whether the sentence names the two players; used for tables that also have other players
    """
    tags = sorted(shared_tags(one, other)) if options.keeps_apart_now else []
    if not tags:
        return
    groups = [names.group(tag) for tag in tags if not tag.startswith(_APART)]
    players = one.id, other.id
    player_names = names.players(players) if names_players else ""
    clauses = [f"{player_names} both belong to {listed(groups)}".lstrip()] if groups else []
    if len(groups) < len(tags):
        clauses.append(f"the organizer prefers to keep {player_names or 'them'} apart")
    rule = "keeping them apart comes after rematches, the bye and gaps in points"
    tag_texts = tuple(tag if tag.startswith(_APART) else names.group(tag) for tag in tags)
    text = f"{' and '.join(clauses)}; {rule}"
    yield fact("keep-apart", players, text, {"shared": len(tags)}, tags=tag_texts, named=names_players)


def kept_apart(players: Sequence[PlayerId]) -> Fact:
    """Return a `Fact` about two players: the organizer keeps them apart in every round."""
    return fact("forbidden", players, "the organizer keeps them apart")


def fixed_tables(
    names: Names, by_id: Mapping[PlayerId, Entrant], seats: Sequence[PlayerId], table: int
) -> Iterator[Fact]:
    """Yield the fact that this table is kept for a player, if it is the player's fixed table."""
    for player in seats:
        if by_id[player].fixed_table == table:
            text = f"table {table} is kept for {names.player(player)}"
            yield fact("fixed-table", (player,), text, {"table": table}, table=table)


def odd_number(players: Sequence[PlayerId], count: int) -> Fact:
    """Return the fact that the number of players is odd (one is left over) or even."""
    parity_text = "odd number: one is left over" if count % 2 else "even number"
    return fact("odd", players, f"{count} players are an {parity_text}", {"players": count}, count=count)


def byes_had(names: Names, by_id: Mapping[PlayerId, Entrant], options: Options, player: PlayerId) -> Fact:
    """Return the fact that states how many byes and how many points a player has had.

    Only byes that the options count are included. The fact also states how many other players have the same
    number of byes and the same points.
    """
    ranks = {other: bye_rank(entrant, options) for other, entrant in by_id.items()}
    earlier, half_points = ranks[player]
    others_count = list(ranks.values()).count(ranks[player]) - 1
    byes_text = f"{counted(earlier, 'bye')} already" if earlier else "no bye yet"
    comparison = (
        f"also true of {counted(others_count, 'other')}" if others_count else "true of no other player"
    )
    points_text = points_words(half_points)
    text = f"{names.player(player)} has had {byes_text} and is on {points_text}, which is {comparison}"
    numbers = {"earlier_byes": earlier, "half_points": half_points, "alike": others_count + 1}
    return fact(
        "bye", (player,), text, numbers, earlier=earlier, half_points=half_points, others=others_count
    )


def bye_rank(entrant: Entrant, options: Options) -> tuple[int, int]:
    """Return a player's sort key for the bye: (earlier byes, half points).

    The player with the least key should get the bye first.
    """
    return earlier_byes(entrant, options), entrant.points


def meeting_fact(names: Names, players: Sequence[PlayerId], table: int | None) -> Fact:
    """Return the fact that two players meet at this table, or that one player has the bye.

    table: the number of the table; None if `players` has one player, who has the bye
    """
    text = f"they do meet in this round, at table {table}"
    if table is None:
        text = f"{names.player(players[0])} has the bye in this round"
    return fact("meets", players, text, table=table)


def set_elsewhere(names: Names, options: Options, players: Sequence[PlayerId], count: int) -> Iterator[Fact]:
    """Yield the reasons why the round cannot have a certain table or bye.

    These reasons come from what the organizer set, and from the number of players:

    * The organizer set another table for one of the players.
    * The organizer gave the bye to one of the two players, or (in a question about a bye) to another player.
    * In a question about a bye: no player has it, because the number of players is even.

    players: the two players of the table, or the player with the bye
    count:   the number of players in the round
    """
    is_bye, bye = len(players) == 1, options.forced_bye
    if bye == players[0] if is_bye else set(players) in map(set, options.forced):
        return
    for pair in options.forced:
        if not set(players).isdisjoint(pair):
            text = f"the organizer set the table {' – '.join(map(names.player, pair))}"
            yield fact("impossible", pair, text)
    if bye is not None and (is_bye or bye in players):
        yield organizers_bye(names, bye)
    if is_bye and count % 2 == 0:
        text = f"{count} players are an even number: no player has the bye"
        yield fact("impossible", players, text, {"players": count}, count=count)


def organizers_bye(names: Names, player: PlayerId) -> Fact:
    """Return the fact that the organizer gave the player the bye."""
    return fact("impossible", (player,), f"the organizer gave the bye to {names.player(player)}")


def scheduled_opponent(names: Names, players: Sequence[PlayerId], source: str) -> Fact:
    """Return the fact that the schedule or bracket gives a player an opponent, or no opponent.

    players: the player, and the opponent if there is one
    source:  what determines the opponent: `schedule` or `bracket`
    """
    clause = f"meets {names.player(players[1])}" if len(players) > 1 else "has no opponent"
    text = f"by the {source} {names.player(players[0])} {clause} in this round"
    return fact("schedule", players, text, source=source)


def not_in_schedule(names: Names, players: Sequence[PlayerId], source: str) -> Fact:
    """Return the fact that the players are not in `source`.

    source: `schedule` or `bracket`
    """
    text = f"{names.players(players)} {is_or_are(players)} not in the {source}"
    return fact("impossible", players, text, source=source)


# -- facts about why players cannot all be paired with each other


class Bottleneck(Struct, frozen=True, kw_only=True):
    """The reason why some players cannot all be paired with each other without a conflict.

    Without the few players in `removed`, the others fall into `parts`, and players of different parts may not
    meet. A part with an odd number of players leaves over a player, who needs an opponent from `removed`. So
    at least (number of odd parts − number of removed players) players are left over (the theorem of Gallai
    and Edmonds).

    barrier: why players of different parts may not meet: `met`, `apart` (kept apart by the organizer),
             `either` (some have met, some are kept apart), or `bye` (one of them is the bye, which only some
             players may have)
    """

    removed: tuple[PlayerId, ...]
    parts: tuple[tuple[PlayerId, ...], ...]
    barrier: str

    def text(self, names: Names, place: str) -> str:
        """Return the reason in words.

        place: words for the place of the players: `there` or `in this round`
        """
        odd = [part for part in self.parts if len(part) % 2]
        if any(len(part) > 1 for part in odd):
            groups = [names.players(part) for part in odd[:_MOST_NAMES]]
            if len(odd) > _MOST_NAMES:
                groups.append(f"and {counted(len(odd) - _MOST_NAMES, 'more group')}")
            exits = f" or {names.players(self.removed)}" if self.removed else ""
            lead = f"each of these groups is odd in number and can meet only itself{exits} {place}"
            return f"{lead}: {'; '.join(groups)}"
        singles = [part[0] for part in odd]
        players, is_single = names.players(singles), len(singles) == 1
        if self.removed:
            return f"only {names.players(self.removed)} {is_or_are(self.removed)} left {place} for {players}"
        reasons = {
            "met": "has met" if is_single else "have met",
            "apart": f"{is_or_are(singles)} kept apart from",
            "either": "has met or is kept apart from" if is_single else "have met or are kept apart from",
        }
        if self.barrier in reasons:
            return f"{players} {reasons[self.barrier]} all other players {place}"
        return f"no opponent is left {place} for {players}"


class Aside(Struct, frozen=True, kw_only=True):
    """The players who are left out of the numbers of players in a `Fact`.

    bye:        the player with the bye, if this player is left out; else null
    set_tables: the number of tables set by the organizer whose players are left out
    """

    bye: PlayerId | None = None
    set_tables: int = 0

    def text(self, names: Names) -> str:
        """Return the beginning of a sentence that names these players; empty if there are none."""
        aside = [f"{names.player(self.bye)}, who has the bye,"] if self.bye is not None else []
        if self.set_tables:
            aside.append(f"the {'table' if self.set_tables == 1 else 'tables'} that the organizer set,")
        return f"without {' and '.join(aside)} " if aside else ""


def crossing(
    names: Names,
    players: Sequence[PlayerId],
    *,
    score: int,
    above: int,
    least: int = 1,
    aside: Aside,
    side: str = "above",
    below: int = 0,
    bottleneck: Bottleneck | None = None,
) -> Fact:
    """Explain that at least `least` players above a score must meet a player below it.

    Without a `bottleneck`, the reason is that the number of players above is odd. With a `bottleneck`, the
    fact is true of every round without a conflict: in such a round, the players of one side cannot all be
    paired with each other.

    players:      the players at the table that the explanation is about. Without a `bottleneck`, if `above`
                  is 1: the only player above
    score:        half points; a player with as many or more is above, any other player is below
    above, below: the numbers of players above and below, without those in `aside`
    aside:        the player with the bye and the players at the organizer's tables, who are not counted
    side:         the side to which `bottleneck` applies, `above` or `below`
    bottleneck:   why the players of that side cannot all be paired with each other
    """
    text = f"{above} players are on {points_words(score)} or more, an odd number: at least one of them must"
    if bottleneck is not None:
        is_above = side == "above"
        count, comparison = (above, "fewer") if is_above else (below, "more")
        score_range = (
            f"on {points_words(score)} or more" if is_above else f"on fewer than {points_words(score)}"
        )
        crossing_players = (
            f"at least {least} of the {count}" if least < count else "both" if count == 2 else f"all {count}"
        )
        text = f"{crossing_players} players {score_range} must meet an opponent with {comparison} points"
        text += f": {bottleneck.text(names, 'there')}"
    elif above == 1:
        text = f"only {names.player(players[0])} is on {points_words(score)} or more, and must"
    if bottleneck is None:
        text += " meet an opponent with fewer points"
    return fact(
        "boundary", players, aside.text(names) + text,
        {"half_points": score, "above": above, "least": least},
        score=score, above=above, least=least, aside=aside, side=side, below=below, bottleneck=bottleneck,
    )  # fmt: skip


def first_in_line(
    names: Names,
    players: Sequence[PlayerId],
    *,
    set_apart: bool = False,
    difference: Difference | None = None,
    bottleneck: Bottleneck | None = None,
) -> Fact:
    """Return the fact that some players should get the bye first, and why they do not get it.

    players:    the players who have fewer byes than the player with the bye, or as many byes and fewer points
    set_apart:  whether these players sit at tables that the organizer set
    difference: the extra cost of the best round in which one of these players has the bye; None if no such
                round exists, or if `set_apart` is true
    bottleneck: the reason for a rematch in the round of `difference`; None to give no reason
    """
    reason = "that leaves no complete round"
    if set_apart:
        reason = f"{'sits at a table' if len(players) == 1 else 'sit at tables'} that the organizer set"
    elif difference is not None:
        reason = f"then the best round has {difference.text}"
        if bottleneck is not None:
            reason += f": {bottleneck.text(names, 'in this round')}"
    return fact(
        "bye", players, f"{names.players(players)} would come first, but {reason}", {"first": len(players)},
        set_apart=set_apart, difference=difference, bottleneck=bottleneck,
    )  # fmt: skip


# -- the level that decided


_NOT_SEARCHED = {
    "gaps": "in rematches and the bye; so large a field is not searched further",
    "below": "in rematches, the bye and gaps in points; so large a field is not searched further",
}
"""`open_below` (see `decision_fact`) → words for the levels that were compared.

On these levels, the two rounds are equal.
"""


def decision_fact(
    names: Names,
    players: Sequence[PlayerId],
    by: str,
    difference: Difference | None = None,
    *,
    open_below: str = "",
    by_hand: bool = False,
) -> Fact:
    """Return the fact that says why a table or a bye is in the best round, or why it is not.

    Unless the reason is `forced` or `even`, two rounds are compared: the one of least cost that has the table
    (or bye), and the one of least cost that does not have it.

    by: the reason, one of these:

        * a field of `Cost` (a level): the round without the table costs more, and this level decides
        * `edited`: the round with the table costs more
        * `seed`: the costs are equal on all levels that were compared
        * `forced`: the organizer set the table or gave the bye
        * `impossible`: no complete round without the table exists
        * `not-possible`: no complete round with the table exists
        * `even`: a bye is not needed, because the number of players is even

    difference: the first level on which one of the two rounds costs more; given only if `by` is a level or
                `edited`
    open_below: the levels that were not compared because the field is too large: `gaps` (the gaps in points
                and all lower levels) or `below` (only the levels lower than the gaps); empty if all were
    by_hand:    whether a person or a repair chose the table, or the engine's round does not have it. Then the
                fact does not say that chance chose it
    """
    subject, numbers = _this_table(players), {}
    if difference is not None:
        text = f"the best round without {subject} has {difference.text}"
        numbers = {"best": difference.best, "without": difference.other}
        if by == "edited":
            text = f"a new pairing would not have {subject}: the best round with it has {difference.text}"
            numbers = {"best": difference.best, "with": difference.other}
    elif by == "seed" and open_below:
        text = f"a round without {subject} can be as good {_NOT_SEARCHED[open_below]}"
    elif by == "seed" and by_hand:
        text = f"a round with {subject} can be as good as any other, and so can one without it"
    else:
        bye = f"gave the bye to {names.player(players[0])}"
        text = {
            "forced": f"the organizer {bye if len(players) == 1 else 'set this table'}",
            "impossible": f"there is no complete round without {subject}",
            "not-possible": f"no complete round with {subject} keeps the organizer's pairs",
            "even": "their number is even, so a bye is not needed",
            "seed": f"a round without {subject} can be just as good: the round's seed chose at random",
        }[by]
    return fact(
        by, players, text, numbers, by=by, difference=difference, open_below=open_below, by_hand=by_hand
    )


def price_fact(
    players: Sequence[PlayerId], difference: Difference | None, *, open_below: str, by_hand: bool
) -> Fact:
    """Return the fact about how much this table (or bye) raises the cost of the best round.

    difference: the difference in cost between the best round with the table and the best of all rounds; None
                if they are equal on all compared levels
    open_below: the levels that were not compared (`gaps` or `below`, see `decision_fact`); empty if all
                levels were
    by_hand:    whether a person or a repair chose the table, or the round is not the program's best round. If
                false, and if the costs are equal on all levels, the sentence says that the round's seed chose
                at random
    """
    subject, numbers = _this_table(players), {}
    if difference is not None:
        text = f"the best round with {subject} has {difference.text}"
        numbers = {"forced": difference.other, "best": difference.best}
    elif open_below:
        text = f"a round with {subject} can be as good {_NOT_SEARCHED[open_below]}"
    elif by_hand:
        text = f"a round with {subject} can be as good as any other"
    else:
        text = f"a round with {subject} can be just as good: the round's seed chose at random"
    kind = difference.level if difference else "seed"
    return fact(kind, players, text, numbers, difference=difference, open_below=open_below, by_hand=by_hand)


def no_round(players: Sequence[PlayerId]) -> Fact:
    """Return the fact that no complete round is possible with this table (or bye).

    The sentence gives the other pairs that the organizer decided as the reason.
    """
    text = f"with {_this_table(players)} the organizer's other pairs leave no complete round"
    return fact("impossible", players, text)


def _this_table(players: Sequence[PlayerId]) -> str:
    return "this bye" if len(players) == 1 else "this table"
