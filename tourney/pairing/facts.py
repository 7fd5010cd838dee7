"""What explanations are made of: facts, each a claim that anybody can recompute, and the words for it.

A fact is data (a msgspec struct: fifty of them load in a few milliseconds); the first line of its class is what it
claims. `Fact.text` is the one place where the claim is said, so that a sentence never says more than was worked out.
`tests/pairing/claims.py` reads the sentences back and holds every one of them against all rounds of a small field.

What two rounds cost, compared in words: which level decides between them, and what that means at the tables.

This is the one place where a cost is told to people: `round check`, `prove`, `why` and `why-not` say what stands here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import ClassVar, NamedTuple

import msgspec

from tourney.pairing.pairing import NOBODY, Cost, Mode, NameOf, Reason, number_of
from tourney.record import PlayerId, Table, points_text

GroupOf = Callable[[str], str]
"""How a text calls a group whose members are kept apart, such as `club:Ravens`."""

NAMED = 6
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
        named = len(players) if len(players) <= NAMED + 1 else NAMED  # never `and 1 more`
        said = ["the bye" if player == NOBODY else self.player(player) for player in players[:named]]
        if len(players) > named:
            said.append(f"{len(players) - named} more")
        return joined(said)


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """Something true of a round. what: its handle in `Reason`; players: whom it is about."""

    what: ClassVar[str] = ""
    players: tuple[PlayerId, ...]

    def text(self, names: Names) -> str:
        """Say it in an organizer's words, without a full stop."""
        raise NotImplementedError

    @property
    def numbers(self) -> Mapping[str, int]:
        """The numbers it rests on, by name."""
        return {}

    @property
    def handle(self) -> str:
        """Which kind of fact it is, for programs; `what` unless the fact knows better."""
        return self.what

    def reason(self, names: Names) -> Reason:
        """Return it as a sentence with its numbers."""
        return Reason(
            what=self.handle, text=self.text(names), players=self.players, numbers=dict(self.numbers)
        )


def told(facts: Iterable[Fact], names: Names) -> tuple[Reason, ...]:
    """Return facts as sentences, in order."""
    return tuple(fact.reason(names) for fact in facts)


# Facts about two players, a table, the bye.


class SamePoints(Fact, frozen=True, kw_only=True):
    """The players are all on these half points, and so are so many others of the round."""

    what: ClassVar[str] = "group"
    half_points: int
    others: int

    def text(self, names: Names) -> str:
        """Say it."""
        who = "both" if len(self.players) == 2 else "all"
        return f"{who} are on {points_words(self.half_points)}, {_as_others(self.others)}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The score, and how many are on it."""
        return {"half_points": self.half_points, "group": len(self.players) + self.others}


def _as_others(count: int) -> str:
    return "and nobody else is" if not count else "as is 1 other" if count == 1 else f"as are {count} others"


class PairedDown(Fact, frozen=True, kw_only=True):
    """The first player is on more half points than the second: (theirs, the other's)."""

    what: ClassVar[str] = "float"
    half_points: tuple[int, int]

    def text(self, names: Names) -> str:
        """Say it."""
        (high, low), (more, fewer) = self.players, self.half_points
        return (
            f"{names.player(high)} ({points_words(more)}) is paired down to "
            f"{names.player(low)} ({points_words(fewer)})"
        )

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
            groups = "; ".join(names.all(part) for part in odd[:NAMED])
            more = f"; and {counted(len(odd) - NAMED, 'more group')}" if len(odd) > NAMED else ""
            but = f" and {names.all(self.removed)}" if self.removed else ""
            return f"these groups, each odd in number, have nobody left {where} but themselves{but}: {groups}{more}"
        alone = [part[0] for part in odd]
        who = names.all(alone)
        if self.removed:
            return f"only {names.all(self.removed)} {_is(self.removed)} left {where} for {who}"
        match self.barrier:
            case "met":
                return f"{who} {'has' if len(alone) == 1 else 'have'} met everybody else {where}"
            case "apart":
                return f"{who} {_is(alone)} kept apart from everybody else {where}"
            case "either":
                verbs = ("has met or is", "have met or are")[len(alone) > 1]
                return f"{who} {verbs} kept apart from everybody else {where}"
        return f"nobody is left {where} for {who}"


def _is(players: Sequence[object]) -> str:
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

    @property
    def numbers(self) -> Mapping[str, int]:
        """The score, how many are on it or more, and how many tables must cross it."""
        return {"half_points": self.score, "above": self.above, "least": self.least}


class Uncrossed(Fact, frozen=True, kw_only=True):
    """If the `above` players on `score` or more were paired among themselves, the best round would be this much dearer.

    It keeps the bye and the set tables (`aside`). difference None: it would be as good; `possible` False: there is none.
    """

    what: ClassVar[str] = "boundary"
    score: int
    above: int
    aside: Aside
    difference: Dearer | None = None
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
        said = [f"{who}both belong to {joined(groups)}"] if groups else []
        if len(groups) < len(self.tags):
            them = names.all(self.players) if self.named else "them"
            said.append(f"the organizer would rather keep {them} apart")
        return f"{' and '.join(said)}; keeping them apart comes after rematches, the bye and gaps in points"

    @property
    def numbers(self) -> Mapping[str, int]:
        """How many groups they share."""
        return {"shared": len(self.tags)}


class Forbidden(Fact, frozen=True, kw_only=True):
    """The organizer keeps the two apart in every round."""

    what: ClassVar[str] = "forbidden"

    def text(self, names: Names) -> str:
        """Say it."""
        return "the organizer keeps them apart"


class FixedTable(Fact, frozen=True, kw_only=True):
    """The player sits at this table whenever that is possible."""

    what: ClassVar[str] = "fixed-table"
    table: int

    def text(self, names: Names) -> str:
        """Say it."""
        return f"table {self.table} is kept for {names.player(self.players[0])}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The table."""
        return {"table": self.table}


class OddNumber(Fact, frozen=True, kw_only=True):
    """So many players are in the round; an odd number leaves one over."""

    what: ClassVar[str] = "odd"
    count: int

    def text(self, names: Names) -> str:
        """Say it."""
        if self.count % 2 == 0:
            return f"{self.count} players are an even number"
        return f"{self.count} players are an odd number: one is left over"

    @property
    def numbers(self) -> Mapping[str, int]:
        """How many."""
        return {"players": self.count}


class ByesHad(Fact, frozen=True, kw_only=True):
    """The player has had so many byes that count and is on these half points, and so are so many others of the round."""

    what: ClassVar[str] = "bye"
    earlier: int
    half_points: int
    others: int

    def text(self, names: Names) -> str:
        """Say it."""
        had = "no bye yet" if not self.earlier else f"{counted(self.earlier, 'bye')} already"
        whom = counted(self.others, "other") if self.others else "nobody else"
        also = "also " if self.others else ""
        return (
            f"{names.player(self.players[0])} has had {had} and is on {points_words(self.half_points)}, "
            f"which is {also}true of {whom}"
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
    difference: Dearer | None = None
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
    difference: Dearer | None = None
    open_below: str = ""
    by_hand: bool = False

    def text(self, names: Names) -> str:
        """Say it."""
        bye = len(self.players) == 1
        it = "this bye" if bye else "this table"
        if self.difference is not None:
            if self.by == "edited":
                then = self.difference.of_bye() if bye else f"with this table {self.difference.text}"
                return f"the engine would not do so: {then}"
            return f"without {it} {self.difference.text}"
        if self.by == "forced":
            gave = f"the organizer gave the bye to {names.player(self.players[0])}"
            return gave if bye else "the organizer set this table"
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
        return {"best": self.difference.best, without: self.difference.there}

    @property
    def handle(self) -> str:
        """What decided."""
        return self.by


# Facts about a pairing that was not made.


class Meets(Fact, frozen=True, kw_only=True):
    """The two do meet in this round, at this table; or the player has the bye (table None)."""

    what: ClassVar[str] = "meets"
    table: int | None

    def text(self, names: Names) -> str:
        """Say it."""
        if self.table is None:
            return f"{names.player(self.players[0])} has the bye in this round"
        return f"they do meet in this round, at table {self.table}"


class Apart(Fact, frozen=True, kw_only=True):
    """The two are so many half points apart."""

    what: ClassVar[str] = "float"
    half_points: int

    def text(self, names: Names) -> str:
        """Say it."""
        return f"they are {points_words(self.half_points)} apart"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The gap."""
        return {"half_points": self.half_points}


class HadByes(Fact, frozen=True, kw_only=True):
    """The player has had so many byes that count."""

    what: ClassVar[str] = "bye"
    earlier: int

    def text(self, names: Names) -> str:
        """Say it."""
        had = "a bye" if self.earlier == 1 else f"{self.earlier} byes"
        return f"{names.player(self.players[0])} has had {had} already"

    @property
    def numbers(self) -> Mapping[str, int]:
        """How many."""
        return {"earlier_byes": self.earlier}


class SetElsewhere(Fact, frozen=True, kw_only=True):
    """The organizer seated the first player with the second, or gave the first the bye (no second)."""

    what: ClassVar[str] = "impossible"

    def text(self, names: Names) -> str:
        """Say it."""
        if len(self.players) == 1:
            return f"the organizer gave the bye to {names.player(self.players[0])}"
        return (
            f"the organizer set the table {names.player(self.players[0])} – {names.player(self.players[1])}"
        )


class NobodyLeftOver(Fact, frozen=True, kw_only=True):
    """So many players are in the round, an even number, so nobody has the bye."""

    what: ClassVar[str] = "impossible"
    count: int

    def text(self, names: Names) -> str:
        """Say it."""
        return f"{self.count} players are an even number: nobody has the bye"

    @property
    def numbers(self) -> Mapping[str, int]:
        """How many."""
        return {"players": self.count}


class NoRound(Fact, frozen=True, kw_only=True):
    """There is no complete round with the table (or the bye) that keeps the organizer's word."""

    what: ClassVar[str] = "impossible"

    def text(self, names: Names) -> str:
        """Say it."""
        it = "this bye" if len(self.players) == 1 else "this table"
        return f"with {it} the organizer's other pairs leave no complete round"


class Priced(Fact, frozen=True, kw_only=True):
    """What the best round with the table (or the bye) costs more than the best round; None: it is as good.

    open_below, by_hand: as in `Decided`
    """

    difference: Dearer | None = None
    open_below: str = ""
    by_hand: bool = False

    def text(self, names: Names) -> str:
        """Say it."""
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
        return {"forced": self.difference.there, "best": self.difference.best}

    @property
    def handle(self) -> str:
        """The level that gets dearer."""
        return "seed" if self.difference is None else self.difference.level


# Round robins.


class InSchedule(Fact, frozen=True, kw_only=True):
    """In this round of the Berger tables for so many players the two numbers meet, and the players have them.

    again: the round of the event that repeats it with the sides turned; None in the first half
    """

    what: ClassVar[str] = "schedule"
    count: int
    berger_round: int
    berger_numbers: tuple[int, int]
    again: int | None = None

    def text(self, names: Names) -> str:
        """Say it."""
        (one, other), (low, high) = self.players, self.berger_numbers
        lead = (
            ""
            if self.again is None
            else f"round {self.again} repeats round {self.berger_round}, the first seats turned: "
        )
        return (
            f"{lead}in round {self.berger_round} of the Berger tables for {self.count} players "
            f"number {low} meets number {high}, and {names.player(one)} is {low}, {names.player(other)} is {high}"
        )

    @property
    def numbers(self) -> Mapping[str, int]:
        """The round of the tables, and the two numbers."""
        return {
            "berger_round": self.berger_round,
            "one": self.berger_numbers[0],
            "other": self.berger_numbers[1],
        }


class NumbersDrawn(Fact, frozen=True, kw_only=True):
    """The players' numbers in the Berger tables were drawn by the seed of round 1."""

    what: ClassVar[str] = "seed"

    def text(self, names: Names) -> str:
        """Say it."""
        return "who has which number was drawn by the seed of round 1, for the whole event"


class RestsInSchedule(Fact, frozen=True, kw_only=True):
    """The number of players is odd, and in this round of the Berger tables the player's number has no opponent."""

    what: ClassVar[str] = "schedule"
    count: int
    berger_round: int
    berger_number: int

    def text(self, names: Names) -> str:
        """Say it."""
        return (
            f"{self.count} players are an odd number: in round {self.berger_round} of the Berger tables "
            f"number {self.berger_number} rests, and that is {names.player(self.players[0])}"
        )

    @property
    def numbers(self) -> Mapping[str, int]:
        """The round of the tables, and the number."""
        return {"berger_round": self.berger_round, "one": self.berger_number}


class OpponentGone(Fact, frozen=True, kw_only=True):
    """By the schedule the first player meets the second in this round, who is not in it any more."""

    what: ClassVar[str] = "gone"

    def text(self, names: Names) -> str:
        """Say it."""
        one, other = map(names.player, self.players)
        return f"by the schedule {one} meets {other} in this round, who is not in it"


class ShouldMeet(Fact, frozen=True, kw_only=True):
    """By the schedule, or the bracket, the first player meets the second in this round; alone: has no opponent."""

    what: ClassVar[str] = "schedule"
    source: str = "schedule"

    def text(self, names: Names) -> str:
        """Say it."""
        one = names.player(self.players[0])
        if len(self.players) == 1:
            return f"by the {self.source} {one} has no opponent in this round"
        return f"by the {self.source} {one} meets {names.player(self.players[1])} in this round"


class MeetInRounds(Fact, frozen=True, kw_only=True):
    """By the schedule the two meet in these rounds; of one player: rests in these rounds."""

    what: ClassVar[str] = "schedule"
    rounds: tuple[int, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        when = f"{'round' if len(self.rounds) == 1 else 'rounds'} {joined(list(map(str, self.rounds)))}"
        if len(self.players) == 1:
            return f"by the schedule {names.player(self.players[0])} rests in {when}"
        return f"by the schedule they meet in {when}"


class NobodyRests(Fact, frozen=True, kw_only=True):
    """The schedule is of so many players, an even number."""

    what: ClassVar[str] = "impossible"
    count: int

    def text(self, names: Names) -> str:
        """Say it."""
        return f"the schedule is of {self.count} players, an even number: nobody rests"


class NotInSchedule(Fact, frozen=True, kw_only=True):
    """The players came after the schedule, or the bracket, was made."""

    what: ClassVar[str] = "impossible"
    source: str = "schedule"

    def text(self, names: Names) -> str:
        """Say it."""
        return f"{names.all(self.players)} {_is(self.players)} not in the {self.source}"


# Brackets.


def match_text(label: str) -> str:
    """Name a match in a sentence.

    >>> match_text("Semifinal 1"), match_text("Final"), match_text("Third place")
    ('Semifinal 1', 'the Final', 'the match for third place')
    """
    if label == "Third place":
        return "the match for third place"
    return label if label[-1:].isdigit() else f"the {label}"


class Seeded(Fact, frozen=True, kw_only=True):
    """The player is this seed of so many."""

    what: ClassVar[str] = "seeded"
    seed: int
    of: int

    def text(self, names: Names) -> str:
        """Say it."""
        return f"{names.player(self.players[0])} is seed {self.seed} of {self.of}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The seed."""
        return {"seed": self.seed, "of": self.of}


class CameFrom(Fact, frozen=True, kw_only=True):
    """The first player `won` or `lost` this match against the second, or `passed` it without an opponent."""

    what: ClassVar[str] = "came-from"
    how: str
    match: str

    def text(self, names: Names) -> str:
        """Say it."""
        who = names.player(self.players[0])
        if self.how == "passed":
            return f"{who} passed {match_text(self.match)} without an opponent"
        return f"{who} {self.how} {match_text(self.match)} against {names.player(self.players[1])}"


class SeedsMeet(Fact, frozen=True, kw_only=True):
    """Seeds that meet in a first match of a bracket with so many places add up to one more."""

    what: ClassVar[str] = "bracket"
    match: str
    seeds: tuple[int, int]
    places: int

    def text(self, names: Names) -> str:
        """Say it."""
        one, other = self.seeds
        return (
            f"in a bracket of {self.places} places the seeds of a first match add up to {self.places + 1}: "
            f"{one} and {other} in {match_text(self.match)}"
        )


class FeedsInto(Fact, frozen=True, kw_only=True):
    """In this match these two meet: `winner of Semifinal 1`, `loser of Upper final`."""

    what: ClassVar[str] = "bracket"
    match: str
    sources: tuple[str, str]

    def text(self, names: Names) -> str:
        """Say it."""
        one, other = (
            f"the {kind} of {match_text(label)}"
            for kind, _, label in (each.partition(" of ") for each in self.sources)
        )
        return f"in {match_text(self.match)} {one} meets {other}"


class Reseeded(Fact, frozen=True, kw_only=True):
    """The matches of a round are made anew: of those left in it, the highest seed meets the lowest, and so on inwards."""

    what: ClassVar[str] = "bracket"
    left: tuple[PlayerId, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        return (
            f"the bracket is made anew after each round: of the {len(self.left)} players left the highest seed "
            "meets the lowest, the second the second lowest, and so on"
        )


class Passes(Fact, frozen=True, kw_only=True):
    """The player has no opponent in this match of the round: nobody is there to come; or waits for it (`waits`)."""

    what: ClassVar[str] = "bracket"
    match: str
    waits: bool = False

    def text(self, names: Names) -> str:
        """Say it."""
        who = names.player(self.players[0])
        if self.waits:
            return f"{who} waits for {match_text(self.match)}, where the opponent is still to be found"
        return f"{who} has no opponent in {match_text(self.match)}"


class ByesOfBracket(Fact, frozen=True, kw_only=True):
    """So many players in a bracket of so many places: that many top seeds have no opponent in the first round."""

    what: ClassVar[str] = "bracket"
    count: int
    places: int

    def text(self, names: Names) -> str:
        """Say it."""
        byes = self.places - self.count
        who = "seed 1 has" if byes == 1 else f"seeds 1 to {byes} have" if byes > 2 else "seeds 1 and 2 have"
        return (
            f"{self.count} players in a bracket of {self.places} places: {who} no opponent in the first round"
        )


class Moved(Fact, frozen=True, kw_only=True):
    """The player did not come from a match that leads here."""

    what: ClassVar[str] = "bracket"
    match: str

    def text(self, names: Names) -> str:
        """Say it."""
        return (
            f"{names.player(self.players[0])} came to {match_text(self.match)} because somebody left the bracket: "
            "its byes went to the highest seeds, and the others were paired anew"
        )


class PlaysMatch(Fact, frozen=True, kw_only=True):
    """The player plays this match in the round; None: has no match in it."""

    what: ClassVar[str] = "bracket"
    match: str | None

    def text(self, names: Names) -> str:
        """Say it."""
        who = names.player(self.players[0])
        return (
            f"{who} has no match in this round"
            if self.match is None
            else f"{who} plays {match_text(self.match)}"
        )


class EarliestMatch(Fact, frozen=True, kw_only=True):
    """By the bracket the two cannot meet before this match; None: they cannot meet any more."""

    what: ClassVar[str] = "bracket"
    match: str | None

    def text(self, names: Names) -> str:
        """Say it."""
        if self.match is None:
            return "by the bracket they cannot meet any more"
        return f"by the bracket they can meet in {match_text(self.match)} at the earliest"


# Tables of three and more.


class Divided(Fact, frozen=True, kw_only=True):
    """So many players are divided into tables of these sizes: the fewest byes, then the sizes nearest to the preferred one."""

    what: ClassVar[str] = "sizes"
    count: int
    sizes: tuple[int, ...]
    byes: int
    preferred: int

    def text(self, names: Names) -> str:
        """Say it."""
        kinds = Counter(self.sizes)
        tables = joined([f"{counted(count, 'table')} of {size}" for size, count in kinds.items()])
        byes = f" and {counted(self.byes, 'bye')}" if self.byes else ""
        return f"{self.count} players make {tables}{byes}: the fewest byes, then sizes nearest to {self.preferred}"


class PointsHere(Fact, frozen=True, kw_only=True):
    """The players at the table are on these half points."""

    what: ClassVar[str] = "group"
    half_points: tuple[int, ...]

    def text(self, names: Names) -> str:
        """Say it."""
        each = [
            f"{names.player(player)} {points_text(points)}"
            for player, points in zip(self.players, self.half_points, strict=True)
        ]
        return f"points at this table: {', '.join(each)}"


class SatTogether(Fact, frozen=True, kw_only=True):
    """These two have sat at one table so many times; 0: nobody at the table (all of `players`) has met anybody else there."""

    what: ClassVar[str] = "rematch"
    times_met: int

    def text(self, names: Names) -> str:
        """Say it."""
        if not self.times_met:
            return "nobody at this table has met anybody else there before"
        often = "before" if self.times_met == 1 else f"{times(self.times_met)} before"
        return f"{names.all(self.players)} have met {often}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """How often."""
        return {"times_met": self.times_met}


class WordOfOrganizer(Fact, frozen=True, kw_only=True):
    """The organizer seats these two together, or (`apart`) keeps them apart."""

    what: ClassVar[str] = "forced"
    apart: bool = False

    def text(self, names: Names) -> str:
        """Say it."""
        verb = "keeps" if self.apart else "seats"
        return f"the organizer {verb} {names.all(self.players)} {'apart' if self.apart else 'together'}"


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
    difference: Dearer | None = None
    better: bool = False
    partner: PlayerId | None = None

    def text(self, names: Names) -> str:
        """Say it."""
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


class ComeFirst(Fact, frozen=True, kw_only=True):
    """The players have had fewer byes that count than somebody with a bye, or as many and are on fewer points."""

    what: ClassVar[str] = "bye"

    def text(self, names: Names) -> str:
        """Say it."""
        come = "comes" if len(self.players) == 1 else "come"
        return f"{names.all(self.players)} {come} first: fewer byes, or as many and fewer points"


# FIDE's Dutch system.


class NeverMet(Fact, frozen=True, kw_only=True):
    """The two have not met at a table that was played."""

    what: ClassVar[str] = "rematch"

    def text(self, names: Names) -> str:
        """Say it."""
        return "they have not met before"


class Claim(Fact, frozen=True, kw_only=True):
    """How often a player has had each side in matches that were played, and which is due by that (FIDE C.04.3, 1.7).

    sides:    the names of the first and the second side
    had:      how often each was had; last: the side of the last match, 0 the first, 1 the second; None: not played yet
    twice:    the last two matches had the same side
    due:      the side due, as an index; None: no claim
    strength: 3 absolute, 2 strong, 1 mild, 0 none
    """

    what: ClassVar[str] = "sides"
    sides: tuple[str, str]
    had: tuple[int, int]
    last: int | None
    twice: bool
    due: int | None
    strength: int

    def text(self, names: Names) -> str:
        """Say it."""
        who = names.player(self.players[0])
        if self.last is None or self.due is None:
            return f"{who} has not played yet, so no side is due"
        had = joined(
            [
                f"{side} {times(count)}" if count else f"never {side}"
                for side, count in zip(self.sides, self.had, strict=True)
            ]
        )
        if self.twice:
            had += f", the last two times {self.sides[self.last]}"
        elif self.had[0] == self.had[1]:
            had += f", the last time {self.sides[self.last]}"
        verb = {3: "must now be", 2: "should now be", 1: "is next to be"}[self.strength]
        return f"{who} has been {had}: {verb} {self.sides[self.due]}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """How often each side was had, and how strong the claim is."""
        return {"first": self.had[0], "second": self.had[1], "strength": self.strength}


class SidesGiven(Fact, frozen=True, kw_only=True):
    """By which rule of FIDE C.04.3, Art. 5 the first of the players has the first side.

    rule:  1 both claims are granted, 2 the stronger claim, 3 the sides change from the last time they differed, 4 the
           claim of the higher ranked, 5 the side drawn for odd numbers in the order; 0: by none of them
    whom:  whose claim (2, 4), who had the first side then (3), who is the higher ranked (5)
    place: the higher ranked's number in the order (5)
    """

    what: ClassVar[str] = "sides"
    rule: int
    sides: tuple[str, str]
    whom: PlayerId | None = None
    place: int = 0

    def text(self, names: Names) -> str:
        """Say it."""
        first, second = map(names.player, self.players)
        who = "" if self.whom is None else names.player(self.whom)
        match self.rule:
            case 1:
                return f"so {first} is {self.sides[0]} and {second} {self.sides[1]}: nobody's claim is denied"
            case 2:
                return f"both are due the same side, and {who} has the stronger claim"
            case 3:
                return (
                    f"both are due the same side equally; the last time their sides differed {who} was {self.sides[0]}, "
                    "so now it is the other's turn"
                )
            case 4:
                return f"both are due the same side equally, and {who} is ranked higher"
            case 5:
                odd = "odd" if self.place % 2 else "even"
                return (
                    f"no side is due to either: {who}, ranked higher, is number {self.place} in the order, and {odd} numbers "
                    f"begin with {self.sides[self.players[0] != self.whom]}, as was drawn before round 1"
                )
        return "who has which side is the engine's answer, and is not explained further"


class BothMust(Fact, frozen=True, kw_only=True):
    """Both must have the same side, and neither is a topscorer of the last round: [C3] never seats them together."""

    what: ClassVar[str] = "impossible"
    side: str

    def text(self, names: Names) -> str:
        """Say it."""
        return f"both must be {self.side} now, and the Dutch rules never seat two such players together"


class NeverAgain(Fact, frozen=True, kw_only=True):
    """The two have met at a table that was played: [C1] never seats them together again."""

    what: ClassVar[str] = "impossible"

    def text(self, names: Names) -> str:
        """Say it."""
        return "they have met before, and the Dutch rules never let anybody meet twice"


class BarredFromBye(Fact, frozen=True, kw_only=True):
    """The players had the pairing's bye, or as much as a win without playing: [C2] never gives them the bye.

    fewer: they are told of because they have fewer points than the one with the bye
    """

    what: ClassVar[str] = "bye"
    fewer: bool = False

    def text(self, names: Names) -> str:
        """Say it."""
        have = "has" if len(self.players) == 1 else "have"
        lead = f"{_is(self.players)} on fewer points, but " if self.fewer else ""
        return f"{names.all(self.players)} {lead}{have} had a bye or won without playing, which rules out the bye"


class MayHaveBye(Fact, frozen=True, kw_only=True):
    """The player is on these half points and had neither the pairing's bye nor as much as a win without playing."""

    what: ClassVar[str] = "bye"
    half_points: int

    def text(self, names: Names) -> str:
        """Say it."""
        return (
            f"{names.player(self.players[0])} is on {points_words(self.half_points)}, has had no bye "
            "and won nothing without playing"
        )


class NotExplained(Fact, frozen=True, kw_only=True):
    """What is left is the engine's answer to the order of FIDE C.04.3, which nobody works out again here.

    about: `table`, `bye`, `other` (a pairing or a bye that was not made), or `fewer`: these players have fewer points and could
           have the bye, but for what the rest of the round needs
    """

    what: ClassVar[str] = "engine"
    about: str

    def text(self, names: Names) -> str:
        """Say it."""
        end = "is settled by the order of FIDE C.04.3; that is the engine's answer, and is not explained further"
        match self.about:
            case "table":
                return f"who of those that could meet do meet {end}"
            case "bye":
                return f"who of those that could have the bye has it {end}"
            case "fewer":
                who = names.all(self.players)
                return f"{who} {_is(self.players)} on fewer points and could have had it: that this leaves no better round {end}"
        others = "somebody else has the bye" if len(self.players) == 1 else "others meet"
        return f"no absolute rule stands against it: that {others} {end}"


# -- What two rounds cost, compared in words: which level decides between them, and what that means at the tables


def joined(words: Sequence[str], last: str = "and") -> str:
    """Join words as people do.

    >>> joined(["Mira"]), joined(["2", "9", "11"]), joined(["Ada", "Ben"], "or")
    ('Mira', '2, 9 and 11', 'Ada or Ben')
    """
    return " ".join([", ".join(words[:-1]), last, words[-1]]) if len(words) > 1 else "".join(words)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Print a number with its noun.

    >>> counted(1, "rematch", "rematches"), counted(0, "player")
    ('1 rematch', '0 players')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def times(number: int) -> str:
    """Say how often.

    >>> times(1), times(2), times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def points_words(half_points: int) -> str:
    """Print points with their noun.

    >>> [points_words(each) for each in (0, 1, 2, 3)]
    ['0 points', '½ point', '1 point', '1½ points']
    """
    return f"{points_text(half_points)} point{'' if half_points in {1, 2} else 's'}"


def amount(level: str, value: int) -> str:
    """Print a level's number in the unit people know: points instead of half points.

    >>> amount("differences", 18), amount("differences", 1), amount("bye_points", 3), amount("apart", 2)
    ('4½', '¼', '1½', '2')
    """
    if level == "differences":
        whole, quarters = divmod(value, 4)
        return f"{whole if whole or not quarters else ''}{('', '¼', '½', '¾')[quarters]}"
    return points_text(value) if level == "bye_points" else str(value)


class Gaps(msgspec.Struct, frozen=True):
    """How far apart in points the players of each table are: gap in half points → number of tables, level tables left out."""

    tables: Mapping[int, int]

    @classmethod
    def of(cls, gaps: Iterable[int]) -> Gaps:
        """Count gaps."""
        counts = Counter(abs(gap) for gap in gaps if gap)
        return cls({gap: counts[gap] for gap in sorted(counts, reverse=True)})

    def text(self, noun: str = "table") -> str:
        """Say them, the widest first. noun: what has the gap, a table or (of larger tables) a pair.

        >>> Gaps.of([2, 0, -2, 1]).text()
        '2 tables 1 point apart and 1 table ½ point apart'
        """
        return joined(
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


class Dearer(msgspec.Struct, frozen=True, kw_only=True):
    """The first level on which a round costs something else than a better one.

    level:  a field of `Cost`
    best, there: its value in the better round, and in the other one; what is said holds where it is more
    gaps_best, gaps_there: the gaps in points of two such rounds
    mode:   what the round's order is, where that is the level
    noun:   what has a gap: a table of two, or a pair at a larger one
    """

    level: str
    best: int
    there: int
    gaps_best: Gaps
    gaps_there: Gaps
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
    ) -> Dearer | None:
        """Return where two costs part first, or None where they are equal on `levels` (none named: on all). gaps: best's, the other's."""
        for level in levels or best.as_dict():
            least, there = getattr(best, level), getattr(other, level)
            if least != there:
                return cls(
                    level=level,
                    best=least,
                    there=there,
                    gaps_best=gaps[0],
                    gaps_there=gaps[1],
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
        return next(iter(self.gaps_there.beyond(self.gaps_best).tables.values()), 0)

    def gaps(self) -> str:
        """Say what the gaps in points would be, those left out that both rounds have."""
        more, less = self.gaps_there.beyond(self.gaps_best), self.gaps_best.beyond(self.gaps_there)
        if not self.gaps_best.tables:
            return f"{more.text(self.noun)} instead of none"
        if not less.tables:
            return joined(
                [
                    f"{count} more {self.noun}{'' if count == 1 else 's'} {points_words(gap)} apart"
                    for gap, count in more.tables.items()
                ]
            )
        said = f"{more.text(self.noun)} instead of {less.text(self.noun)}"
        if less.no_wider(more):
            return said
        dear, cheap = (amount("differences", each.squares) for each in (more, less))
        return f"{said}; a gap counts as its square, {dear} instead of {cheap}"


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
_CONSEQUENCES: Mapping[str, Callable[[Dearer, _Verb], str]] = {
    "rematches": lambda more, verb: (
        f"there {verb('be', more.there)} {counted(more.there, 'rematch', 'rematches')} instead of {more.none}"
    ),
    "times_met": lambda more, verb: (
        f"the players who meet again {verb('have', 2)} met {times(more.there)} before instead of {times(more.best)}, "
        "all of them taken together"
    ),
    "bye_earlier": lambda more, verb: (
        f"the bye {verb('go', 1)} to somebody who has had {counted(more.there, 'bye')} already instead of {more.none}"
    ),
    "bye_points": lambda more, verb: (
        f"the bye {verb('go', 1)} to somebody on {points_words(more.there)} instead of {points_text(more.best)}"
    ),
    "differences": lambda more, verb: f"there {verb('be', more.wider)} {more.gaps()}",
    "apart": lambda more, verb: (
        f"{counted(more.there, 'wish', 'wishes')} to keep players apart {verb('be', more.there)} broken "
        f"instead of {more.none}"
    ),
    "order": lambda more, verb: f"the tables {verb('be', 2)} further from {_ORDERS[more.mode]}",
    "floats": lambda more, verb: (
        f"{counted(more.there, 'player')} {verb('be', more.there)} paired down, or up, twice running "
        f"instead of {more.none}"
    ),
    "imbalance": lambda _, verb: f"the sides {verb('be', 2)} shared out less evenly",
    "side_repeats": lambda more, verb: (
        f"{counted(more.there, 'player')} {verb('have', more.there)} the same side twice running "
        f"instead of {more.none}"
    ),
}
"""What a dearer round is like, by the level that is dearer."""
