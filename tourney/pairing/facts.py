"""What explanations are made of: facts, each a claim that anybody can recompute, and the words for it.

A fact is data (a msgspec struct: fifty of them load in a few milliseconds); the first line of its class is what it
claims, `what` says which level of a round it is about, and its sentence stands below, so that a sentence never says more
than was worked out. Here are the facts that more than one system tells, and those of the Swiss system; what is told of
schedules, brackets, pods and Dutch rounds alone stands beside what tells it.
`tests/pairing/claims.py` reads the sentences back and holds every one of them against all rounds of a small field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

import msgspec

from tourney.pairing.difference import Difference, points_words
from tourney.pairing.pairing import Reason, number_of
from tourney.record import NOBODY, NameOf, PlayerId
from tourney.wording import counted, listed, times

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
        """The gap."""
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
        """The parts of odd size."""
        return tuple(part for part in self.parts if len(part) % 2)

    @property
    def left_over(self) -> int:
        """How many must be left over."""
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
        """Say it."""
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


class Uncrossed(Fact, frozen=True, kw_only=True):
    """If the `above` players on `score` or more were paired among themselves, the best round would be this much dearer.

    It keeps the bye and the set tables (`aside`). difference None: it would be as good; `possible` False: there is none.
    """

    what: ClassVar[str] = "boundary"
    score: int
    above: int
    aside: Aside
    difference: Difference | None = None
    possible: bool = True

    def text(self, names: Names) -> str:
        """Say it."""
        who = f"the {self.above} players on {points_words(self.score)} or more"
        lead = self.aside.text(names)
        if not self.possible:
            return f"{lead}{who} cannot all be paired among themselves in a complete round"
        if self.difference is None:
            return f"{lead}{who} could also be paired among themselves in a round just as good"
        return f"{lead}{who} could be paired among themselves, but then {self.difference.text}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The score, how many are on it or more, and that none of them need leave it."""
        return {"half_points": self.score, "above": self.above, "least": 0}


class MetBefore(Fact, frozen=True, kw_only=True):
    """The two have met so many times; every round has at least `least` rematches besides those that the organizer set.

    least:          None where that was not asked (a table that the organizer set)
    set_rematches:  how many the organizer set
    """

    what: ClassVar[str] = "rematch"
    times_met: int
    least: int | None = None
    set_rematches: int = 0
    bottleneck: Bottleneck | None = None

    def text(self, names: Names) -> str:
        """Say it."""
        met = f"they have met {'before' if self.times_met == 1 else f'{times(self.times_met)} before'}"
        if self.least is None:
            return met
        if not self.least:
            but = " but what the organizer set" if self.set_rematches else ""
            return f"{met}; a round without a rematch{but} is possible"
        least = f"{met}; at least {counted(self.least, 'rematch', 'rematches')} cannot be avoided"
        return f"{least}: {self.bottleneck.text(names, 'in this round')}" if self.bottleneck else least

    @property
    def numbers(self) -> Mapping[str, int]:
        """How often they met, and how many rematches a round must have."""
        return {"times_met": self.times_met} | ({} if self.least is None else {"least": self.least})


class SharedGroups(Fact, frozen=True, kw_only=True):
    """The two share these tags, which are kept apart in this round where that costs nothing above level 4.

    named: whether they have to be named, because others sit there too
    """

    what: ClassVar[str] = "keep-apart"
    tags: tuple[str, ...]
    named: bool = False

    def text(self, names: Names) -> str:
        """Say it."""
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
        """How many groups they share."""
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
        """Say it."""
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
        """How many."""
        return {"first": len(self.players)}


_NOT_SEARCHED = {
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
                _NOT_SEARCHED[self.open_below]
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
        """What decided."""
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


class HadByes(Fact, frozen=True, kw_only=True):
    """The player has had so many byes that count."""

    what: ClassVar[str] = "bye"
    _numbered: ClassVar[Mapping[str, str]] = {"earlier_byes": "earlier"}
    earlier: int

    @property
    def _sentence(self) -> str:
        return f"{{one}} has had {'a bye' if self.earlier == 1 else f'{self.earlier} byes'} already"


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


class NoRound(Fact, frozen=True, kw_only=True):
    """There is no complete round with the table (or the bye) that keeps the organizer's word."""

    what: ClassVar[str] = "impossible"

    @property
    def _sentence(self) -> str:
        it = "this bye" if len(self.players) == 1 else "this table"
        return f"with {it} the organizer's other pairs leave no complete round"


class Priced(Fact, frozen=True, kw_only=True):
    """What the best round with the table (or the bye) costs more than the best round; None: it is as good.

    open_below, by_hand: as in `Decided`
    """

    difference: Difference | None = None
    open_below: str = ""
    by_hand: bool = False

    @property
    def _sentence(self) -> str:
        bye = len(self.players) == 1
        it = "this bye" if bye else "this table"
        if self.difference is not None:
            return self.difference.of_bye() if bye else f"with {it} {self.difference.text}"
        if self.open_below:
            return f"a round with {it} can be as good {_NOT_SEARCHED[self.open_below]}"
        if self.by_hand:
            return f"a round with {it} can be as good as any other"
        return f"a round with {it} can be just as good: chance chose, by the round's seed"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The deciding level's value in the round with it, and in the best one."""
        if self.difference is None:
            return {}
        return {"forced": self.difference.other, "best": self.difference.best}

    @property
    def handle(self) -> str:
        """The level that gets dearer."""
        return "seed" if self.difference is None else self.difference.level


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
