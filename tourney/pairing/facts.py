"""What explanations are made of: what two rounds cost, compared, and facts, each with the words for it.

Nothing else tells a cost to people: `round check`, `prove`, `why` and `why-not` say what a `Difference` says.

A fact is a claim that anybody can recompute. It is data (a msgspec struct: fifty of them load in a few milliseconds); the
first line of its class is what it claims, `what` says which level of a round it is about, and its sentence stands below, so
that a sentence never says more than was worked out. Here are the facts that more than one system tells; what one of them
alone tells stands beside what tells it.
`tests/pairing/claims.py` reads the sentences back and holds every one of them against all rounds of a small field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import ClassVar, NamedTuple

import msgspec

from tourney.pairing.pairing import Cost, Mode, Reason, number_of
from tourney.record import NOBODY, NameOf, PlayerId, Table, format_points
from tourney.wording import counted, format_times, listed

# -- What two rounds cost, compared: which level decides between them, and what that means at the tables


class Gaps(msgspec.Struct, frozen=True):
    """How far apart in points the players of each table are: gap in half points → number of tables, level tables left out."""

    tables: Mapping[int, int]

    @classmethod
    def of(cls, gaps: Iterable[int]) -> Gaps:
        """Count gaps in half points, whichever way round; those of 0 are left out."""
        counts = Counter(abs(gap) for gap in gaps if gap)
        return cls({gap: counts[gap] for gap in sorted(counts, reverse=True)})

    def text(self, noun: str = "table") -> str:
        """Say them, the widest first. noun: what has the gap, a table or (of larger tables) a pair.

        >>> Gaps.of([2, 0, -2, 1]).text()
        '2 tables 1 point apart and 1 table ½ point apart'
        """
        return listed(
            [f"{counted(count, noun)} {points_words(gap)} apart" for gap, count in self.tables.items()]
        )

    @classmethod
    def at(cls, tables: Iterable[Table], points: Mapping[PlayerId, int]) -> Gaps:
        """Count the gaps of every two players of a table. points: half points by player."""
        return cls.of(
            points[one] - points[other] for table in tables for one, other in combinations(table.seats, 2)
        )

    def priced(self, noun: str = "table") -> str:
        """Say them with what they cost.

        >>> Gaps.of([3, 1]).priced(), Gaps.of([0]).priced()
        ('1 table 1½ points apart and 1 table ½ point apart (2½, each gap counted as its square)', 'at every table all are on the same points')
        """
        if not self.tables:
            return "at every table all are on the same points"
        return f"{self.text(noun)} ({amount('differences', self.squares)}, each gap counted as its square)"

    @property
    def squares(self) -> int:
        """What they cost: each gap its square, in half points."""
        return sum(gap * gap * count for gap, count in self.tables.items())

    def beyond(self, other: Gaps) -> Gaps:
        """Return the gaps that are here and not in the other round."""
        return Gaps.of((Counter(self.tables) - Counter(other.tables)).elements())

    def no_wider(self, other: Gaps) -> bool:
        """Whether each gap, from the widest, is at most the other round's in the same place."""
        mine, theirs = (
            [gap for gap, count in each.tables.items() for _ in range(count)] for each in (self, other)
        )
        return len(mine) <= len(theirs) and all(one <= two for one, two in zip(mine, theirs, strict=False))


class Difference(
    msgspec.Struct, frozen=True, kw_only=True, rename={"other": "there", "gaps_other": "gaps_there"}
):  # as `round why --json` has always called them
    """The first level on which a round costs something else than a better one.

    level:  a field of `Cost`
    best, other: its value in the better round, and in the other one; what is said holds where it is more
    gaps_best, gaps_other: the gaps in points of two such rounds
    mode:   what the round's order is, where that is the level
    noun:   what has a gap: a table of two, or a pair at a larger one
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
        """Return where two costs part first, or None where they are equal on `levels` (none named: on all). gaps: best's, the other's."""
        for level in levels or best.as_dict():
            values = getattr(best, level), getattr(other, level)
            if values[0] != values[1]:
                return cls(
                    level=level,
                    best=values[0],
                    other=values[1],
                    gaps_best=gaps[0],
                    gaps_other=gaps[1],
                    mode=mode,
                    noun=noun,
                )
        return None

    @property
    def text(self) -> str:
        """Say what the dearer round would be like: `there would be 2 rematches instead of none`."""
        return _CONSEQUENCES[self.level](self, _would)

    @property
    def stated(self) -> str:
        """Say what the dearer round is like: `there are 2 rematches instead of none`."""
        return _CONSEQUENCES[self.level](self, _does)

    @property
    def none(self) -> str:
        """The better value, `none` where it is 0."""
        return str(self.best) if self.best else "none"

    def of_bye(self) -> str:
        """Say what a round with a certain bye would be like: `somebody on 0 points can have it`."""
        if self.level == "bye_earlier":
            had = counted(self.best, "bye") if self.best else "no bye yet"
            return f"somebody who has had {had} can have it"
        if self.level == "bye_points":
            return f"somebody on {points_words(self.best)} can have it"
        return f"with this bye {self.text}"

    @property
    def wider(self) -> int:
        """How many more tables have the widest of the gaps that the better round does not have."""
        return next(iter(self.gaps_other.beyond(self.gaps_best).tables.values()), 0)

    def gaps(self) -> str:
        """Say what the gaps in points would be, those left out that both rounds have."""
        more, less = self.gaps_other.beyond(self.gaps_best), self.gaps_best.beyond(self.gaps_other)
        if not self.gaps_best.tables:
            return f"{more.text(self.noun)} instead of none"
        if not less.tables:
            return listed(
                [
                    f"{counted(count, f'more {self.noun}')} {points_words(gap)} apart"
                    for gap, count in more.tables.items()
                ]
            )
        change = f"{more.text(self.noun)} instead of {less.text(self.noun)}"
        if less.no_wider(more):
            return change
        dear, cheap = (amount("differences", each.squares) for each in (more, less))
        return f"{change}; a gap counts as its square, {dear} instead of {cheap}"


_Verb = Callable[[str, int], str]


def _would(verb: str, _: int) -> str:
    return f"would {verb}"


def _does(verb: str, number: int) -> str:
    one, many = {"be": ("is", "are"), "go": ("goes", "go"), "have": ("has", "have")}[verb]
    return one if number == 1 else many


_ORDERS: Mapping[Mode, str] = {
    Mode.FOLD: "the order by rating, in which the first of a score meets the last",
    Mode.SLIDE: "the order by rating, in which the upper half of a score meets the lower half",
    Mode.RANK: "the order of the standings, in which neighbours meet",
    Mode.RANDOM: "the round's order",
}
_CONSEQUENCES: Mapping[str, Callable[[Difference, _Verb], str]] = {
    "rematches": lambda more, verb: (
        f"there {verb('be', more.other)} {counted(more.other, 'rematch', 'rematches')} instead of {more.none}"
    ),
    "times_met": lambda more, verb: (
        f"the players who meet again {verb('have', 2)} met {format_times(more.other)} before instead of {format_times(more.best)}, "
        "all of them taken together"
    ),
    "bye_earlier": lambda more, verb: (
        f"the bye {verb('go', 1)} to somebody who has had {counted(more.other, 'bye')} already instead of {more.none}"
    ),
    "bye_points": lambda more, verb: (
        f"the bye {verb('go', 1)} to somebody on {points_words(more.other)} instead of {format_points(more.best)}"
    ),
    "differences": lambda more, verb: f"there {verb('be', more.wider)} {more.gaps()}",
    "apart": lambda more, verb: (
        f"{counted(more.other, 'wish', 'wishes')} to keep players apart {verb('be', more.other)} broken "
        f"instead of {more.none}"
    ),
    "order": lambda more, verb: f"the tables {verb('be', 2)} further from {_ORDERS[more.mode]}",
    "floats": lambda more, verb: (
        f"{counted(more.other, 'player')} {verb('be', more.other)} paired down, or up, twice running "
        f"instead of {more.none}"
    ),
    "imbalance": lambda _, verb: f"the sides {verb('be', 2)} shared out less evenly",
    "side_repeats": lambda more, verb: (
        f"{counted(more.other, 'player')} {verb('have', more.other)} the same side twice running "
        f"instead of {more.none}"
    ),
}
"""What a dearer round is like, by the level that is dearer."""


# The words and numbers that explanations are made of.


def points_words(half_points: int) -> str:
    """Print points with their noun.

    >>> [points_words(each) for each in (0, 1, 2, 3)]
    ['0 points', '½ point', '1 point', '1½ points']
    """
    return f"{format_points(half_points)} point{'' if half_points in {1, 2} else 's'}"


def amount(level: str, value: int) -> str:
    """Print a level's number in the unit people know: points instead of half points.

    >>> amount("differences", 18), amount("differences", 1), amount("bye_points", 3), amount("apart", 2)
    ('4½', '¼', '1½', '2')
    """
    if level == "differences":
        whole, quarters = divmod(value, 4)
        return f"{whole if whole or not quarters else ''}{('', '¼', '½', '¾')[quarters]}"
    return format_points(value) if level == "bye_points" else str(value)


# -- What explanations are made of: facts, each a claim that anybody can recompute, and the words for it


GroupOf = Callable[[str], str]
"""How a text calls a group whose members are kept apart, such as `club:Ravens`."""

_NAMED = 6
"""How many players a sentence names before it counts the rest."""

APART = "apart:"
"""How the tags begin that stand for two players whom the organizer would rather keep apart."""


def group_text(tag: str) -> str:
    """Name a group by its tag, for callers that have no other names.

    >>> group_text("club:Ravens")
    'club Ravens'
    """
    return tag.replace(":", " ", 1)


class Names(NamedTuple):
    """How players and groups are called."""

    player: NameOf = number_of
    group: GroupOf = group_text

    def all(self, players: Sequence[PlayerId]) -> str:
        """Name players as people list them; many are counted.

        >>> Names().all([PlayerId(1), PlayerId(2), NOBODY])
        '#1, #2 and the bye'
        """
        shown = len(players) if len(players) <= _NAMED + 1 else _NAMED  # never `and 1 more`
        names = ["the bye" if player == NOBODY else self.player(player) for player in players[:shown]]
        if len(players) > shown:
            names.append(f"{len(players) - shown} more")
        return listed(names)


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """Something true of a round. what: its handle in `Reason`; players: whom it is about.

    Its words are `_sentence`, where `{one}`, `{other}` and `{all}` stand for its first player, the second and everybody,
    and `{fact.…}` for its own values; one that names groups, or others than its players, overrides `text`. `_numbered` says
    which of its values are the numbers it rests on, by the name they have for programs.
    """

    what: ClassVar[str] = ""
    _numbered: ClassVar[Mapping[str, str]] = {}
    players: tuple[PlayerId, ...]

    def text(self, names: Names) -> str:
        """Say it in an organizer's words, without a full stop."""
        one, other, everybody = (
            names.all(players) for players in (self.players[:1], self.players[1:2], self.players)
        )
        return self._sentence.format(fact=self, one=one, other=other, all=everybody)

    @property
    def _sentence(self) -> str:
        raise NotImplementedError

    @property
    def numbers(self) -> Mapping[str, int]:
        """The numbers it rests on, by name."""
        return {name: getattr(self, value) for name, value in self._numbered.items()}

    @property
    def handle(self) -> str:
        """Which kind of fact it is, for programs; `what` unless the fact knows better."""
        return self.what

    def reason(self, names: Names) -> Reason:
        """Return it as a sentence with its numbers."""
        return Reason(
            what=self.handle, text=self.text(names), players=self.players, numbers=dict(self.numbers)
        )


def reasons_of(facts: Iterable[Fact], names: Names) -> tuple[Reason, ...]:
    """Return facts as sentences, in order."""
    return tuple(fact.reason(names) for fact in facts)


# Facts about two players, a table, the bye.


class SamePoints(Fact, frozen=True, kw_only=True):
    """The players are all on these half points, and so are so many others of the round."""

    what: ClassVar[str] = "group"
    half_points: int
    others: int

    @property
    def _sentence(self) -> str:
        who = "both" if len(self.players) == 2 else "all"
        also = {0: "and nobody else is", 1: "as is 1 other"}.get(self.others, f"as are {self.others} others")
        return f"{who} are on {points_words(self.half_points)}, {also}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The score, and how many are on it."""
        return {"half_points": self.half_points, "group": len(self.players) + self.others}


class PairedDown(Fact, frozen=True, kw_only=True):
    """The first player is on more half points than the second: (theirs, the other's)."""

    what: ClassVar[str] = "float"
    half_points: tuple[int, int]

    @property
    def _sentence(self) -> str:
        more, fewer = map(points_words, self.half_points)
        return f"{{one}} ({more}) is paired down to {{other}} ({fewer})"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The gap between the two, in half points."""
        return {"half_points": self.half_points[0] - self.half_points[1]}


class Bottleneck(msgspec.Struct, frozen=True, kw_only=True):
    """Why some players cannot all be paired among themselves without a conflict (Gallai and Edmonds).

    Without `removed` the players fall into `parts` between which nobody may meet. A part of odd size leaves somebody
    over who needs one of `removed`: so at least (odd parts − removed) are left over.

    barrier: why players of different parts may not meet: `met`, `apart` (the organizer's word), `either` (some the one,
             some the other), or `bye`: one of them is the bye, which only some may have
    """

    removed: tuple[PlayerId, ...]
    parts: tuple[tuple[PlayerId, ...], ...]
    barrier: str

    @property
    def odd(self) -> tuple[tuple[PlayerId, ...], ...]:
        """The parts with an odd number of players: each leaves somebody over."""
        return tuple(part for part in self.parts if len(part) % 2)

    @property
    def left_over(self) -> int:
        """How many players at least cannot be paired inside their part (odd parts − removed)."""
        return len(self.odd) - len(self.removed)

    def text(self, names: Names, where: str) -> str:
        """Say it. where: what `there` is (`there`, `in this round`)."""
        odd = self.odd
        if any(len(part) > 1 for part in odd):
            groups = "; ".join(names.all(part) for part in odd[:_NAMED])
            more = f"; and {counted(len(odd) - _NAMED, 'more group')}" if len(odd) > _NAMED else ""
            but = f" and {names.all(self.removed)}" if self.removed else ""
            return f"these groups, each odd in number, have nobody left {where} but themselves{but}: {groups}{more}"
        alone = [part[0] for part in odd]
        who = names.all(alone)
        if self.removed:
            return f"only {names.all(self.removed)} {are(self.removed)} left {where} for {who}"
        match self.barrier:
            case "met":
                return f"{who} {'has' if len(alone) == 1 else 'have'} met everybody else {where}"
            case "apart":
                return f"{who} {are(alone)} kept apart from everybody else {where}"
            case "either":
                verbs = ("has met or is", "have met or are")[len(alone) > 1]
                return f"{who} {verbs} kept apart from everybody else {where}"
        return f"nobody is left {where} for {who}"


def are(players: Sequence[object]) -> str:
    """Return the verb for so many players."""
    return "is" if len(players) == 1 else "are"


class Aside(msgspec.Struct, frozen=True, kw_only=True):
    """Who is not counted with the others: the bye, and players whose tables the organizer set."""

    bye: PlayerId | None = None
    set_tables: int = 0

    def text(self, names: Names) -> str:
        """Say it as the beginning of a sentence, nothing where nobody is left out."""
        left = [f"{names.player(self.bye)}, who has the bye,"] if self.bye is not None else []
        if self.set_tables:
            left.append(f"the {'table' if self.set_tables == 1 else 'tables'} that the organizer set,")
        return f"without {' and '.join(left)} " if left else ""


class Crossing(Fact, frozen=True, kw_only=True):
    """Of the players on `score` or more (`above` of them), at least `least` must meet somebody with fewer points.

    More exactly: every round that keeps the bye and the set tables (`aside`) has at least `least` other tables between
    the two sides; where a `bottleneck` is named, every such round without a conflict. It is that of the side named.
    players: the one player above where there is only one, else the table's
    """

    what: ClassVar[str] = "boundary"
    _numbered: ClassVar[Mapping[str, str]] = {"half_points": "score", "above": "above", "least": "least"}
    score: int
    above: int
    least: int
    aside: Aside = Aside()
    side: str = "above"
    below: int = 0
    bottleneck: Bottleneck | None = None

    def text(self, names: Names) -> str:
        """Say how many of those on the score or more must meet somebody with fewer points, and why."""
        lead, score = self.aside.text(names), points_words(self.score)
        if self.bottleneck is not None:
            above = self.side == "above"
            count = self.above if above else self.below
            who = (
                ("both" if count == 2 else f"all {count}")
                if self.least == count
                else f"at least {self.least} of the {count}"
            )
            where = f"on {score} or more" if above else f"on fewer than {score}"
            meet = "somebody with fewer" if above else "somebody with more"
            return f"{lead}{who} players {where} must meet {meet}: {self.bottleneck.text(names, 'there')}"
        if self.above == 1:
            return f"{lead}only {names.player(self.players[0])} is on {score} or more, and must meet somebody with fewer"
        return (
            f"{lead}{self.above} players are on {score} or more, an odd number: "
            "at least one of them must meet somebody with fewer"
        )


class SharedGroups(Fact, frozen=True, kw_only=True):
    """The two share these tags, which are kept apart in this round where that costs nothing above level 4.

    named: whether they have to be named, because others sit there too
    """

    what: ClassVar[str] = "keep-apart"
    tags: tuple[str, ...]
    named: bool = False

    def text(self, names: Names) -> str:
        """Say which groups they share, and that the organizer would rather keep them apart."""
        groups = [names.group(tag) for tag in self.tags if not tag.startswith(APART)]
        who = f"{names.all(self.players)} " if self.named else ""
        clauses = [f"{who}both belong to {listed(groups)}"] if groups else []
        if len(groups) < len(self.tags):
            them = names.all(self.players) if self.named else "them"
            clauses.append(f"the organizer would rather keep {them} apart")
        return (
            f"{' and '.join(clauses)}; keeping them apart comes after rematches, the bye and gaps in points"
        )

    @property
    def numbers(self) -> Mapping[str, int]:
        """How many tags they share."""
        return {"shared": len(self.tags)}


class KeptApart(Fact, frozen=True, kw_only=True):
    """The organizer keeps the two apart in every round."""

    what: ClassVar[str] = "forbidden"
    _sentence: ClassVar[str] = "the organizer keeps them apart"


class FixedTable(Fact, frozen=True, kw_only=True):
    """The player sits at this table whenever that is possible."""

    what: ClassVar[str] = "fixed-table"
    _sentence: ClassVar[str] = "table {fact.table} is kept for {one}"
    _numbered: ClassVar[Mapping[str, str]] = {"table": "table"}
    table: int


class OddNumber(Fact, frozen=True, kw_only=True):
    """So many players are in the round; an odd number leaves one over."""

    what: ClassVar[str] = "odd"
    _numbered: ClassVar[Mapping[str, str]] = {"players": "count"}
    count: int

    @property
    def _sentence(self) -> str:
        if self.count % 2 == 0:
            return f"{self.count} players are an even number"
        return f"{self.count} players are an odd number: one is left over"


class ByesHad(Fact, frozen=True, kw_only=True):
    """The player has had so many byes that count and is on these half points, and so are so many others of the round."""

    what: ClassVar[str] = "bye"
    earlier: int
    half_points: int
    others: int

    @property
    def _sentence(self) -> str:
        had = "no bye yet" if not self.earlier else f"{counted(self.earlier, 'bye')} already"
        whom = counted(self.others, "other") if self.others else "nobody else"
        also = "also " if self.others else ""
        return (
            f"{{one}} has had {had} and is on {points_words(self.half_points)}, which is {also}true of {whom}"
        )

    @property
    def numbers(self) -> Mapping[str, int]:
        """Earlier byes, points, and how many have the same."""
        return {"earlier_byes": self.earlier, "half_points": self.half_points, "alike": self.others + 1}


class FirstInLine(Fact, frozen=True, kw_only=True):
    """The players come before whoever has the bye (fewer byes, or as many and fewer points), but are not to have it.

    set_apart:  they sit at tables that the organizer set
    difference: else what every round costs more in which one of them has the bye; None: there is no such round
    bottleneck: why such a round has a rematch
    """

    what: ClassVar[str] = "bye"
    set_apart: bool = False
    difference: Difference | None = None
    bottleneck: Bottleneck | None = None

    def text(self, names: Names) -> str:
        """Say why those who would come first for the bye do not have it."""
        who = names.all(self.players)
        if self.set_apart:
            seated = "sits at a table" if len(self.players) == 1 else "sit at tables"
            return f"{who} would come first, but {seated} that the organizer set"
        if self.difference is None:
            return f"{who} would come first, but that leaves no complete round"
        why = f": {self.bottleneck.text(names, 'in this round')}" if self.bottleneck else ""
        return f"{who} would come first, but then {self.difference.text}{why}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """How many players would come first."""
        return {"first": len(self.players)}


NOT_SEARCHED = {
    "gaps": "in rematches and the bye; so large a field is not searched further",
    "below": "in rematches, the bye and gaps in points; so large a field is not searched further",
}
"""In what two rounds can be as good, by the level from which on they were not compared."""


class Decided(Fact, frozen=True, kw_only=True):
    """What the best round with the table (or the bye) and the best one without it differ in.

    by:         `forced`, `impossible` (no round without it), `not-possible` (none with it), `seed` (both are as good), a
                field of `Cost` (without it the round is dearer there), `edited` (with it), or `even` (a bye in an even field)
    difference: what the dearer one costs more
    open_below: so large a field is not searched to the end: `gaps` in points and all below were not compared, or `below` only
                what stands below them; empty where every level was
    by_hand:    the table was not chosen by the engine, so chance did not choose it
    """

    by: str
    difference: Difference | None = None
    open_below: str = ""
    by_hand: bool = False

    @property
    def _sentence(self) -> str:
        bye = len(self.players) == 1
        it = "this bye" if bye else "this table"
        if self.difference is not None:
            if self.by == "edited":
                then = self.difference.of_bye() if bye else f"with this table {self.difference.text}"
                return f"the engine would not do so: {then}"
            return f"without {it} {self.difference.text}"
        if self.by == "forced":
            return "the organizer gave the bye to {one}" if bye else "the organizer set this table"
        if self.by == "seed" and (self.open_below or self.by_hand):
            more = (
                NOT_SEARCHED[self.open_below]
                if self.open_below
                else "as any other, and so can one without it"
            )
            return f"a round with{'out' if self.open_below else ''} {it} can be as good {more}"
        return {
            "impossible": f"there is no complete round without {it}",
            "not-possible": f"no complete round with {it} keeps to the organizer's pairs",
            "even": "their number is even, so nobody need have it",
            "seed": f"a round without {it} can be just as good: chance chose, by the round's seed",
        }[self.by]

    @property
    def numbers(self) -> Mapping[str, int]:
        """The deciding level's value in the better round and in the other one."""
        if self.difference is None:
            return {}
        without = "with" if self.by == "edited" else "without"
        return {"best": self.difference.best, without: self.difference.other}

    @property
    def handle(self) -> str:
        """What decided (`by`), for programs."""
        return self.by


# Facts about a pairing that was not made.


class Meets(Fact, frozen=True, kw_only=True):
    """The two do meet in this round, at this table; or the player has the bye (table None)."""

    what: ClassVar[str] = "meets"
    table: int | None

    @property
    def _sentence(self) -> str:
        if self.table is None:
            return "{one} has the bye in this round"
        return "they do meet in this round, at table {fact.table}"


class PointsApart(Fact, frozen=True, kw_only=True):
    """The two are so many half points apart."""

    what: ClassVar[str] = "float"
    _numbered: ClassVar[Mapping[str, str]] = {"half_points": "half_points"}
    half_points: int

    @property
    def _sentence(self) -> str:
        return f"they are {points_words(self.half_points)} apart"


class SetElsewhere(Fact, frozen=True, kw_only=True):
    """The organizer seated the first player with the second, or gave the first the bye (no second)."""

    what: ClassVar[str] = "impossible"

    @property
    def _sentence(self) -> str:
        if len(self.players) == 1:
            return "the organizer gave the bye to {one}"
        return "the organizer set the table {one} – {other}"


class NobodyLeftOver(Fact, frozen=True, kw_only=True):
    """So many players are in the round, an even number, so nobody has the bye."""

    what: ClassVar[str] = "impossible"
    _sentence: ClassVar[str] = "{fact.count} players are an even number: nobody has the bye"
    _numbered: ClassVar[Mapping[str, str]] = {"players": "count"}
    count: int


# Facts about a schedule or a bracket.


class ShouldMeet(Fact, frozen=True, kw_only=True):
    """By the schedule, or the bracket, the first player meets the second in this round; alone: has no opponent."""

    what: ClassVar[str] = "schedule"
    source: str = "schedule"

    @property
    def _sentence(self) -> str:
        does = "has no opponent" if len(self.players) == 1 else "meets {other}"
        return f"by the {{fact.source}} {{one}} {does} in this round"


class NotInSchedule(Fact, frozen=True, kw_only=True):
    """The players came after the schedule, or the bracket, was made."""

    what: ClassVar[str] = "impossible"
    source: str = "schedule"

    @property
    def _sentence(self) -> str:
        return f"{{all}} {are(self.players)} not in the {{fact.source}}"
