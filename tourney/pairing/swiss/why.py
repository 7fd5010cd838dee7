"""Why this table, why not that one: what stands between the players, and what the best rounds with and without it cost.

Both questions are answered about the field, not about the round that stands: the best round with the table is compared
with the best one without it. So an explanation is as true of a round by hand, and never trusts a recorded cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from tourney.errors import TourneyError
from tourney.pairing.facts import (
    NOT_SEARCHED,
    Aside,
    Bottleneck,
    ByesHad,
    Crossing,
    Decided,
    Difference,
    Fact,
    FirstInLine,
    FixedTable,
    Gaps,
    GroupOf,
    KeptApart,
    Meets,
    Names,
    NobodyLeftOver,
    OddNumber,
    PairedDown,
    PointsApart,
    SamePoints,
    SetElsewhere,
    SharedGroups,
    group_text,
    points_words,
    reasons_of,
)
from tourney.pairing.pairing import Cost, Entrant, Options, Pair, Pairing, Price, RoundExplanation, number_of
from tourney.pairing.swiss.engine import WHOLE, best_of, least_rematches, pair
from tourney.pairing.swiss.field import Field, prepare, refuse_contradictions, seats_of
from tourney.pairing.swiss.levels import shared_tags, vertices
from tourney.pairing.swiss.matching import Witness, deficiency, witness
from tourney.record import NOBODY, NameOf, PlayerId
from tourney.wording import counted, format_times

_LEVELS = tuple(Cost().as_dict())
_PROVED = {7: len(_LEVELS), 3: _LEVELS.index("differences") + 1, 0: _LEVELS.index("differences")}
"""How many levels of a round are its optimum, by the last one that is exact (`Pairing.exact_levels`)."""

_NOT_COMPARED = {_PROVED[3]: "below", _PROVED[0]: "gaps"}


def why(
    entrants: Sequence[Entrant],
    options: Options,
    pairing: Pairing,
    table: int | None,
    *,
    by_hand: bool = False,
    name: NameOf = number_of,
    group: GroupOf = group_text,
) -> RoundExplanation:
    """Return why a table of a round (or the bye: `table` None) is as it is.

    What decided is the first level on which the best round without the table is dearer than the best one with it
    (`facts.Decided` has the other cases).

    by_hand:     somebody made the table or changed it, so it is never said that chance chose
    name, group: how texts call players and groups

    Raises TourneyError if the round has no such table, or no bye.
    """
    seated = {each.number: each for each in pairing.tables}
    if table is None and pairing.bye is None:
        raise TourneyError("nobody has the bye in this round: the number of players is even")
    if table is not None and table not in seated:
        raise TourneyError(f"this round has no table {table}: its tables are {min(seated)} to {max(seated)}")
    if table is None:
        assert pairing.bye is not None
        seats: Pair = (pairing.bye, NOBODY)
    else:
        seats = (seated[table].seats[0], seated[table].seats[1])
    question = _Question(entrants, options, pairing.seed, seats, name, by_hand)
    decided = question.decided()
    facts = (*(question.of_bye() if table is None else question.of_table(table, pairing)), decided)
    return RoundExplanation(
        table=None if table is None else seated[table],
        players=facts[-1].players if table is None else seated[table].seats,
        decided_by=decided.by,
        reasons=reasons_of(facts, Names(name, group)),
        facts=facts,
    )


def why_not(
    entrants: Sequence[Entrant],
    options: Options,
    seed: str,
    one: PlayerId,
    other: PlayerId,
    *,
    pairing: Pairing | None = None,
    by_hand: bool = False,
    name: NameOf = number_of,
    group: GroupOf = group_text,
) -> Price:
    """Return the price of seating `one` with `other`, or of giving `one` the bye (`other` = `NOBODY`).

    pairing: the round as it stands, if it may be said that the two do meet in it
    by_hand: as for `why`

    Works at any size: it is two ordinary rounds. Raises TourneyError if one of the two is not in the round, or if no round is
    possible at all.
    """
    _refuse_strangers(entrants, (one, other), name)
    question = _Question(entrants, options, seed, (one, other), name, by_hand)
    best, made = question.best, question.made_with
    difference, open_below = (None, "") if made is None else question.dearer(best, made)
    facts = [*question.meeting(pairing), *question.between()]
    if made is not None:
        facts.append(
            Priced(
                players=question.players,
                difference=difference,
                open_below=open_below,
                by_hand=by_hand or not _same_tables(best, pairing),
            )
        )
    elif not any(fact.handle in {"impossible", "forbidden"} for fact in facts):
        facts.append(NoRound(players=question.players))
    return Price(
        players=question.players,
        possible=made is not None,
        best=best.cost,
        forced=None if made is None else made.cost,
        level=None if made is None else difference.level if difference else "seed",
        more=difference.other - difference.best if difference else 0,
        reasons=reasons_of(facts, Names(name, group)),
        facts=tuple(facts),
    )


def _same_tables(best: Pairing, pairing: Pairing | None) -> bool:
    """Whether the round that stands is the one that the seed gives: else chance has not chosen it."""
    if pairing is None:
        return True
    tables = [{frozenset(table.seats) for table in made.tables} for made in (best, pairing)]
    return tables[0] == tables[1]


def _refuse_strangers(entrants: Sequence[Entrant], players: Sequence[PlayerId], name: NameOf) -> None:
    present = {each.id for each in entrants} | {NOBODY}
    for player in players:
        if player not in present:
            raise TourneyError(f"{name(player)} is not in this round")
    if players[0] == players[1]:
        raise TourneyError(f"{name(players[0])} cannot meet themselves")
    if players[0] == NOBODY:
        raise TourneyError("name the player who would have the bye first")


@dataclass(frozen=True)
class _Question:
    """A table (the bye last in its own) in a field: the best rounds with it and without it, and what there is to say."""

    entrants: Sequence[Entrant]
    options: Options
    seed: str
    as_asked: Pair
    name: NameOf
    by_hand: bool

    @cached_property
    def field(self) -> Field:
        return prepare(self.entrants, self.options)

    @cached_property
    def seats(self) -> Pair:
        """The table as the levels read it: more points first."""
        return seats_of(self.field, self.as_asked)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return tuple(player for player in self.as_asked if player != NOBODY)

    @property
    def is_bye(self) -> bool:
        return self.seats[1] == NOBODY

    @cached_property
    def is_set(self) -> bool:
        """Whether the organizer's word makes this table, or gives this bye."""
        if self.is_bye:
            return self.options.forced_bye == self.seats[0]
        return set(self.seats) in [set(each) for each in self.options.forced]

    # The rounds.

    @cached_property
    def best(self) -> Pairing:
        """The round that the seed gives. Raises TourneyError where there is none."""
        return pair(self.entrants, self.options, self.seed, name=self.name)

    @property
    def is_in_best(self) -> bool:
        """Whether the seed's round has the table, or the bye."""
        if self.is_bye:
            return self.seats[0] in self.best.byes
        return any(set(table.seats) == set(self.seats) for table in self.best.tables)

    @cached_property
    def _with(self) -> Pairing | TourneyError:
        """The best round with the table, priced as in any round, or why there is none."""
        options, one = self.options, self.seats[0]
        try:
            if self.is_set or self.is_in_best:
                return self.best
            if self.is_bye:
                return pair(self.entrants, replace(options, forced_bye=one), self.seed, name=self.name)
            met = replace(options, forced=(*options.forced, self.seats))
            refuse_contradictions(self.entrants, met, self.name)
            return best_of(prepare(self.entrants, options, fixed=(self.seats,)), self.seed, self.name)
        except TourneyError as refusal:
            return refusal

    @property
    def made_with(self) -> Pairing | None:
        """The best round with the table, None if there is none that keeps the organizer's word."""
        kept = self.is_set or not list(self._set_elsewhere())
        return self._with if kept and isinstance(self._with, Pairing) else None

    def dearer(self, better: Pairing, other: Pairing) -> tuple[Difference | None, str]:
        """Return what `other` costs more than `better`, as far as both are their optimum, and what was not compared."""
        levels = min(_PROVED[better.exact_levels], _PROVED[other.exact_levels])
        gaps = Gaps.at(better.tables, self.field.points), Gaps.at(other.tables, self.field.points)
        difference = Difference.between(
            better.cost, other.cost, gaps, levels=_LEVELS[:levels], mode=self.options.mode
        )
        return (difference, "") if difference else (None, _NOT_COMPARED.get(levels, ""))

    def decided(self) -> Decided:
        """Return what the best rounds with and without the table differ in."""
        if self.is_set:
            return Decided(players=self.players, by="forced")
        if self.is_bye and not len(self.entrants) % 2:
            return Decided(players=self.players, by="even")
        if len(self.entrants) == 1:  # by hand everybody else may have been sent home
            return Decided(players=self.players, by="impossible")
        with_it, without_it = self.made_with, self._without()
        if with_it is None:
            return Decided(players=self.players, by="not-possible")
        if without_it is None:
            return Decided(players=self.players, by="impossible")
        difference, open_below = self.dearer(with_it, without_it)
        if difference is None:
            by_hand = self.by_hand or not self.is_in_best
            return Decided(players=self.players, by="seed", open_below=open_below, by_hand=by_hand)
        if difference.other > difference.best:
            return Decided(players=self.players, by=difference.level, difference=difference)
        turned, _ = self.dearer(without_it, with_it)
        return Decided(players=self.players, by="edited", difference=turned)

    def _without(self) -> Pairing | None:
        options = self.options
        if self.is_bye:
            without = replace(options, no_bye=options.no_bye | {self.seats[0]})
        else:
            without = replace(options, forbidden=options.forbidden | {self.seats})
        try:
            return pair(self.entrants, without, self.seed, name=self.name)
        except TourneyError:
            return None

    # What stands between two players, whatever the rest of the round does.

    def meeting(self, pairing: Pairing | None) -> Iterator[Fact]:
        """Say that the two do meet, if they do."""
        if pairing is None:
            return
        if self.is_bye and self.seats[0] in pairing.byes:
            yield Meets(players=self.players, table=None)
        for table in pairing.tables:
            if set(table.seats) == set(self.seats):
                yield Meets(players=self.players, table=table.number)

    def between(self) -> Iterator[Fact]:
        """Say what speaks against the table: the organizer's word, an earlier meeting, points, groups, earlier byes."""
        yield from self._set_elsewhere()
        field, players = self.field, self.players
        if self.is_bye:
            earlier = field.earlier_byes(players[0])
            if earlier:
                yield HadByes(players=players, earlier=earlier)
            return
        one, other = self.seats
        if not field.allowed(one, other):
            yield KeptApart(players=players)
        if field.times_met(one, other):
            yield MetBefore(players=players, times_met=field.times_met(one, other))
        if field.points[one] != field.points[other]:
            yield PointsApart(players=players, half_points=field.points[one] - field.points[other])
        yield from self._groups()

    def _set_elsewhere(self) -> Iterator[SetElsewhere | NobodyLeftOver]:
        if self.is_set:
            return
        for pair_set in self.options.forced:
            if not set(self.players).isdisjoint(pair_set):
                yield SetElsewhere(players=pair_set)
        bye = self.options.forced_bye
        if bye is not None and (self.is_bye or bye in self.players):
            yield SetElsewhere(players=(bye,))
        if self.is_bye and len(self.entrants) % 2 == 0:
            yield NobodyLeftOver(players=self.players, count=len(self.entrants))

    def _groups(self) -> Iterator[SharedGroups]:
        if self.options.keeps_apart_now:
            shared = shared_tags(self.field, *self.seats)
            if shared:
                yield SharedGroups(players=self.players, tags=tuple(sorted(shared)))

    # What makes a table, and the bye.

    def of_table(self, table: int, pairing: Pairing) -> Iterator[Fact]:
        """Say what the two players have to do with each other, and who had to be paired down."""
        one, other = self.seats
        field, points = self.field, self.field.points
        if points[one] == points[other]:
            level = sum(value == points[one] for value in points.values())
            yield SamePoints(players=self.players, half_points=points[one], others=level - 2)
        else:
            yield PairedDown(players=(one, other), half_points=(points[one], points[other]))
            if not self.is_set:
                yield from _Boundaries(self, pairing.byes).facts()
        for player in self.players:
            if (number := field.entrants[player].fixed_table) is not None and number == table:
                yield FixedTable(players=(player,), table=number)
        if not field.allowed(one, other):
            yield KeptApart(players=self.players)
        if meetings := field.times_met(one, other):
            yield self._rematch(meetings)
        yield from self._groups()

    def _rematch(self, meetings: int) -> MetBefore:
        if self.is_set:
            return MetBefore(players=self.players, times_met=meetings)
        field = self.field
        again = sum(bool(field.times_met(*each)) for each in field.forced)
        least = 0 if field.conflict_free_for_sure else least_rematches(field)
        takers = {player for each in field.bye_classes for player in each}
        reason = self.bottleneck(vertices(field), field.unmet_with_bye(takers)) if least else None
        return MetBefore(
            players=self.players, times_met=meetings, least=least, set_rematches=again, bottleneck=reason
        )

    def bottleneck(
        self, players: Sequence[PlayerId], may_meet: Callable[[PlayerId, PlayerId], bool]
    ) -> Bottleneck | None:
        """Return why some players cannot all be paired among themselves; None where they can."""
        cause = witness(players, may_meet)
        if cause.left_over < 1:
            return None
        return Bottleneck(removed=cause.removed, parts=cause.parts, barrier=self._barrier(cause))

    def _barrier(self, cause: Witness) -> str:
        """Say what keeps the odd parts from everybody else but those removed."""
        reasons: set[str] = set()
        for part in cause.parts:
            others = {player for each in cause.parts if each is not part for player in each}
            for player in part if len(part) % 2 else ():
                reasons |= {self._reason(player, each) for each in others}
        return reasons.pop() if len(reasons) == 1 else "bye" if "bye" in reasons else "either"

    def _reason(self, one: PlayerId, other: PlayerId) -> str:
        if NOBODY in (one, other):
            return "bye"
        return "met" if self.field.times_met(one, other) else "apart"

    def of_bye(self) -> Iterator[Fact]:
        """Say who could have had the bye, and who would have come first."""
        player, field = self.seats[0], self.field
        yield OddNumber(players=self.players, count=len(field.entrants))
        counts = Counter((field.earlier_byes(each), field.points[each]) for each in field.entrants)
        mine = (field.earlier_byes(player), field.points[player])
        yield ByesHad(players=self.players, earlier=mine[0], half_points=mine[1], others=counts[mine] - 1)
        if not self.is_set:
            yield from self._first_in_line(mine)

    def _first_in_line(self, mine: tuple[int, int]) -> Iterator[FirstInLine]:
        """Say of those with fewer byes, or as many and fewer points, why they could not have it."""
        field = self.field
        better = [
            each for each in sorted(field.entrants) if (field.earlier_byes(each), field.points[each]) < mine
        ]
        free = set(field.free)
        if seated := [each for each in better if each not in free]:
            yield FirstInLine(players=tuple(seated), set_apart=True)
        first = [each for each in better if each in free and each not in self.options.no_bye]
        with_bye = self.made_with
        if not first or with_bye is None:
            return
        others = frozenset(free.difference(first))
        try:
            made = pair(
                self.entrants, replace(self.options, no_bye=self.options.no_bye | others), self.seed, name=self.name
            )  # fmt: skip
        except TourneyError:
            yield FirstInLine(players=tuple(first))
            return
        difference, _ = self.dearer(with_bye, made)
        if difference is not None and difference.other > difference.best:
            why = None
            if difference.level == "rematches" and not difference.best:
                why = self.bottleneck(vertices(field), field.unmet_with_bye(first))
            yield FirstInLine(players=tuple(first), difference=difference, bottleneck=why)


class _Boundaries:
    """The score boundaries between the two players of a table: how many tables must cross each of them."""

    def __init__(self, question: _Question, byes: Sequence[PlayerId]) -> None:
        self.question = question
        self.field = question.field
        takers = {player for each in self.field.bye_classes for player in each}
        self.bye = byes[0] if len(byes) == 1 and byes[0] in takers else None
        self.counts = len(byes) == self.field.odd and (self.bye is None) == (not self.field.odd)
        self.groups = self.field.by_points(player for player in self.field.free if player != self.bye)

    def facts(self) -> Iterator[Fact]:
        """Yield a fact for each boundary between them; nothing where the round's byes are not an engine's."""
        if not self.counts:
            return
        points = self.field.points
        one, other = self.question.seats
        for place in range(len(self.groups) - 1):
            score, below = (points[self.groups[each][0]] for each in (place, place + 1))
            if points[one] >= score and below >= points[other]:
                yield from self._facts(score)

    @cached_property
    def _conflict_free(self) -> bool:
        """Whether the others can be paired without a conflict: only then a conflict inside a side says anything."""
        players = [player for group in self.groups for player in group]
        return len(players) >= self._small or not deficiency(players, self.field.unmet)

    @property
    def _small(self) -> int:
        """Sides of so many players and more can be paired among themselves but for one (lemma 1)."""
        return 2 * self.field.most_barred + 4

    def _facts(self, score: int) -> Iterator[Fact]:
        points = self.field.points
        above = [player for group in self.groups for player in group if points[player] >= score]
        below = [player for group in self.groups for player in group if points[player] < score]
        odd = len(above) % 2
        if self._conflict_free:
            sides = {"above": above, "below": below}
            left = {
                side: deficiency(players, self.field.unmet) if len(players) < self._small else odd
                for side, players in sides.items()
            }
            side = max(left, key=lambda each: left[each])
            if left[side] > odd:
                yield Crossing(
                    players=self.question.players, score=score, above=len(above), below=len(below), least=left[side],
                    side=side, aside=self._aside(score, side), bottleneck=self.question.bottleneck(sides[side], self.field.unmet),
                )  # fmt: skip
                return
        aside = self._aside(score, "above")
        if odd:
            players = (above[0],) if len(above) == 1 else self.question.players
            yield Crossing(players=players, score=score, above=len(above), least=1, aside=aside)
        else:
            yield from self._uncrossed(above, below, score, aside)

    def _aside(self, score: int, side: str) -> Aside:
        points = self.field.points

        def counted(player: PlayerId) -> bool:
            return (points[player] >= score) == (side == "above")

        set_tables = sum(any(map(counted, each)) for each in self.field.forced)
        bye = self.bye if self.bye is not None and counted(self.bye) else None
        return Aside(bye=bye, set_tables=set_tables)

    def _uncrossed(
        self, above: Sequence[PlayerId], below: Sequence[PlayerId], score: int, aside: Aside
    ) -> Iterator[Uncrossed]:
        """Say what it would cost to pair each side of an even boundary among themselves."""
        question, options = self.question, self.question.options
        with_table = question.made_with
        if with_table is None or len(self.field.free) > WHOLE:
            return
        crossing = frozenset((one, other) for one in above for other in below)
        kept = replace(options, forbidden=options.forbidden | crossing, forced_bye=self.bye)
        try:
            made = pair(question.entrants, kept, question.seed, name=question.name)
        except TourneyError:
            yield Uncrossed(
                players=question.players, score=score, above=len(above), aside=aside, possible=False
            )
            return
        difference, _ = question.dearer(with_table, made)
        if difference is None or difference.other > difference.best:
            yield Uncrossed(
                players=question.players, score=score, above=len(above), aside=aside, difference=difference
            )


# What only a Swiss round has to say.


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
        """Say what it would cost to pair those players among themselves."""
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
        """Say how often the two have met, and how many rematches cannot be avoided."""
        met = f"they have met {'before' if self.times_met == 1 else f'{format_times(self.times_met)} before'}"
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


class HadByes(Fact, frozen=True, kw_only=True):
    """The player has had so many byes that count."""

    what: ClassVar[str] = "bye"
    _numbered: ClassVar[Mapping[str, str]] = {"earlier_byes": "earlier"}
    earlier: int

    @property
    def _sentence(self) -> str:
        return f"{{one}} has had {'a bye' if self.earlier == 1 else f'{self.earlier} byes'} already"


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
            return f"a round with {it} can be as good {NOT_SEARCHED[self.open_below]}"
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
        """The level whose cost rises, for programs; `seed` where none does."""
        return "seed" if self.difference is None else self.difference.level
