"""Why a Swiss round has a table or not.

The answers compare the best rounds with and without the table.

The answers are about the players, not about the recorded round. So they are also true of a round made by
hand, and they never rely on a recorded cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product

from tourney.errors import TourneyError
from tourney.pairing import facts
from tourney.pairing.facts import Difference, Fact, Gaps, Names
from tourney.pairing.pairing import Cost, Entrants, Options, Pair, Pairing, number_of
from tourney.pairing.swiss.engine import WHOLE, best_of, least_rematches, pair
from tourney.pairing.swiss.field import Field, prepare, refuse_contradictions, seats_of
from tourney.pairing.swiss.levels import shared_tags, vertices
from tourney.pairing.swiss.matching import deficiency, witness
from tourney.record import NOBODY, NameOf, PlayerId
from tourney.wording import counted

_LEVELS = tuple(Cost().as_dict())
_GAPS = _LEVELS.index("differences")
_PROVED = {7: (len(_LEVELS), ""), 3: (_GAPS + 1, "below"), 0: (_GAPS, "gaps")}
"""`Pairing.exact_levels` → (number of proved levels, `Decided.open_below` for the rest)."""


def why(
    entrants: Entrants,
    options: Options,
    pairing: Pairing,
    table: int | None,
    *,
    by_hand: bool = False,
    name: NameOf = number_of,
    group: facts.GroupOf = facts.group_text,
) -> facts.RoundExplanation:
    """Return why a table, or the bye (`table` None), is in a round.

    The deciding level is the first one on which the best round without the table costs more than the best
    round with it (`facts.Decided` has the other cases).

    by_hand:     whether a person chose or changed the table; then no sentence says that chance chose it
    name, group: functions that return the names of players and groups for sentences

    Raises TourneyError if the round has no such table, or no bye.
    """
    tables = {made.number: made for made in pairing.tables}
    if table is not None and table not in tables:
        raise TourneyError(f"this round has no table {table}: its tables are {min(tables)} to {max(tables)}")
    if table is None and pairing.bye is None:
        raise TourneyError("no player has the bye in this round: the number of players is even")
    one, other = (pairing.bye or NOBODY, NOBODY) if table is None else tables[table].seats
    question = _Question(entrants, options, pairing.seed, (one, other), name, by_hand)
    decided = question.decided()
    answer = (*(question.of_bye() if table is None else question.of_table(table, pairing)), decided)
    return facts.RoundExplanation(
        table=None if table is None else facts.ExplainedTable(table, (one, other)),
        players=question.players,
        decided_by=decided.by,
        reasons=facts.reasons_of(answer, Names(name, group)),
        facts=answer,
    )


def why_not(
    entrants: Entrants,
    options: Options,
    seed: str,
    one: PlayerId,
    other: PlayerId,
    *,
    pairing: Pairing | None = None,
    by_hand: bool = False,
    name: NameOf = number_of,
    group: facts.GroupOf = facts.group_text,
) -> facts.Price:
    """Return the cost of seating `one` with `other`, or of the bye for `one`.

    `other` is `NOBODY` in a question about the bye.

    pairing: the recorded round, if the answer may say that the two meet in it
    by_hand: as for `why`

    This works for any number of players, because it pairs two ordinary rounds. Raises TourneyError if a
    player is not in the round, or if no round is possible at all.
    """
    _refuse_strangers(entrants, (one, other), name)
    question = _Question(entrants, options, seed, (one, other), name, by_hand)
    best, made, players = question.best, question.best_with, question.players
    difference, open_below = (None, "") if made is None else question.compare(best, made)
    answer = [*question.meeting(pairing), *question.obstacles()]
    if made is not None:
        is_seeds = pairing is None or _same_tables(best, pairing)
        answer.append(Priced(players, difference, open_below, by_hand or not is_seeds))
    elif not any(fact.handle in {"impossible", "forbidden"} for fact in answer):
        answer.append(NoRound(players))
    return facts.Price(
        players=players,
        possible=made is not None,
        best=best.cost,
        forced=None if made is None else made.cost,
        level=None if made is None else difference.level if difference else "seed",
        more=difference.other - difference.best if difference else 0,
        reasons=facts.reasons_of(answer, Names(name, group)),
        facts=tuple(answer),
    )


def _same_tables(one: Pairing, other: Pairing) -> bool:
    first, second = ({frozenset(table.seats) for table in made.tables} for made in (one, other))
    return first == second


def _refuse_strangers(entrants: Entrants, players: Pair, name: NameOf) -> None:
    present = {entrant.id for entrant in entrants} | {NOBODY}
    for player in players:
        if player not in present:
            raise TourneyError(f"{name(player)} is not in this round")
    if players[0] == players[1]:
        raise TourneyError(f"{name(players[0])} cannot meet themselves")
    if players[0] == NOBODY:
        raise TourneyError("to ask about a bye, name the player first and the bye second")


@dataclass(frozen=True)
class _Question:
    """A table in question, with the best rounds that have it and that do not.

    A bye is a table with `NOBODY`.
    """

    entrants: Entrants
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
        """The two players, the player with more points first."""
        return seats_of(self.field, self.as_asked)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return tuple(player for player in self.as_asked if player != NOBODY)

    @property
    def is_bye(self) -> bool:
        return self.seats[1] == NOBODY

    @cached_property
    def is_set(self) -> bool:
        """Whether the organizer set this table or this bye."""
        if self.is_bye:
            return self.options.forced_bye == self.seats[0]
        return set(self.seats) in map(set, self.options.forced)

    # -- the best rounds

    def pair_if_possible(self, options: Options) -> Pairing | None:
        try:
            return pair(self.entrants, options, self.seed, name=self.name)
        except TourneyError:
            return None

    @cached_property
    def best(self) -> Pairing:
        """The engine's round for the seed. Raises TourneyError if there is none."""
        return pair(self.entrants, self.options, self.seed, name=self.name)

    @property
    def is_in_best(self) -> bool:
        """Whether the engine's round for the seed has the table, or the bye."""
        if self.is_bye:
            return self.seats[0] in self.best.byes
        return any(set(table.seats) == set(self.seats) for table in self.best.tables)

    @cached_property
    def best_with(self) -> Pairing | None:
        """The best round with the table, or None if the organizer's pairs allow no round with it.

        The table costs as much as if the engine had chosen it.
        """
        options = self.options
        if any(self._set_elsewhere()):
            return None
        try:
            if self.is_set or self.is_in_best:
                return self.best
            if self.is_bye:
                return self.pair_if_possible(replace(options, forced_bye=self.seats[0]))
            forced = replace(options, forced=(*options.forced, self.seats))
            refuse_contradictions(self.entrants, forced, self.name)
            return best_of(prepare(self.entrants, options, fixed=(self.seats,)), self.seed, self.name)
        except TourneyError:
            return None

    def best_without(self) -> Pairing | None:
        options = self.options
        if self.is_bye:
            return self.pair_if_possible(replace(options, no_bye=options.no_bye | {self.seats[0]}))
        return self.pair_if_possible(replace(options, forbidden=options.forbidden | {self.seats}))

    def compare(self, better: Pairing, other: Pairing) -> tuple[Difference | None, str]:
        """Compare two rounds on the levels that are proved for both.

        Return the difference, and `Decided.open_below` for the other levels.
        """
        count, open_below = min(_PROVED[better.exact_levels], _PROVED[other.exact_levels])
        points, mode = self.field.points, self.options.mode
        gaps = Gaps.at(better.tables, points), Gaps.at(other.tables, points)
        difference = Difference.between(better.cost, other.cost, gaps, levels=_LEVELS[:count], mode=mode)
        return difference, "" if difference else open_below

    def decided(self) -> facts.Decided:
        """Return the fact that decides between the best rounds with and without the table."""
        players = self.players
        if self.is_set:
            return facts.Decided(players, by="forced")
        if self.is_bye and not len(self.entrants) % 2:
            return facts.Decided(players, by="even")
        # By hand, a person can leave a single player in the round.
        with_it, without_it = (
            (None, None) if len(self.entrants) == 1 else (self.best_with, self.best_without())
        )
        if with_it is None or without_it is None:
            is_possible = with_it is not None or len(self.entrants) == 1
            return facts.Decided(players, by="impossible" if is_possible else "not-possible")
        difference, open_below = self.compare(with_it, without_it)
        if difference is None:
            by_hand = self.by_hand or not self.is_in_best
            return facts.Decided(players, by="seed", open_below=open_below, by_hand=by_hand)
        if difference.other > difference.best:
            return facts.Decided(players, by=difference.level, difference=difference)
        return facts.Decided(players, by="edited", difference=self.compare(without_it, with_it)[0])

    # -- obstacles between two players

    def meeting(self, pairing: Pairing | None) -> Iterator[Fact]:
        """Yield a fact if the two players meet in the recorded round."""
        if pairing is None:
            return
        if self.is_bye and self.seats[0] in pairing.byes:
            yield facts.Meets(self.players, None)
        for table in pairing.tables:
            if set(table.seats) == set(self.seats):
                yield facts.Meets(self.players, table.number)

    def obstacles(self) -> Iterator[Fact]:
        """Yield the facts against the table: set tables, meetings, points, groups, byes."""
        yield from self._set_elsewhere()
        field, players, (one, other) = self.field, self.players, self.seats
        if self.is_bye:
            if earlier := field.earlier_byes(players[0]):
                yield HadByes(players, earlier)
            return
        if not field.allowed(one, other):
            yield facts.KeptApart(players)
        if meetings := field.times_met(one, other):
            yield MetBefore(players, meetings)
        if gap := field.points[one] - field.points[other]:
            yield facts.PointsApart(players, gap)
        yield from self._groups()

    def _set_elsewhere(self) -> Iterator[Fact]:
        if self.is_set:
            return
        for pair_set in self.options.forced:
            if not set(self.players).isdisjoint(pair_set):
                yield facts.SetElsewhere(pair_set)
        bye = self.options.forced_bye
        if bye is not None and (self.is_bye or bye in self.players):
            yield facts.SetElsewhere((bye,))
        if self.is_bye and len(self.entrants) % 2 == 0:
            yield facts.NobodyLeftOver(self.players, len(self.entrants))

    def _groups(self) -> Iterator[Fact]:
        if self.options.keeps_apart_now and (shared := shared_tags(self.field, *self.seats)):
            yield facts.SharedGroups(self.players, tuple(sorted(shared)))

    # -- a table

    def of_table(self, table: int, pairing: Pairing) -> Iterator[Fact]:
        """Yield the facts about the two players, and about the players who had to be paired down."""
        (one, other), players = self.seats, self.players
        field, points = self.field, self.field.points
        if points[one] == points[other]:
            others = list(points.values()).count(points[one]) - 2
            yield facts.SamePoints(players, points[one], others)
        else:
            yield facts.PairedDown((one, other), (points[one], points[other]))
            if not self.is_set:
                yield from _Boundaries(self, pairing.byes).crossings()
        for player in players:
            if field.entrants[player].fixed_table == table:
                yield facts.FixedTable((player,), table)
        if not field.allowed(one, other):
            yield facts.KeptApart(players)
        if meetings := field.times_met(one, other):
            yield self._rematch(meetings)
        yield from self._groups()

    def _rematch(self, meetings: int) -> MetBefore:
        if self.is_set:
            return MetBefore(self.players, meetings)
        field = self.field
        set_rematches = sum(bool(field.times_met(*pair_set)) for pair_set in field.forced)
        least = 0 if field.conflict_free_for_sure else least_rematches(field)
        reason = None
        if least:
            reason = self.bottleneck(vertices(field), field.unmet_with_bye(field.bye_takers))
        return MetBefore(self.players, meetings, least, set_rematches, reason)

    def bottleneck(
        self, players: Sequence[PlayerId], may_meet: Callable[[PlayerId, PlayerId], bool]
    ) -> facts.Bottleneck | None:
        """Return why some players cannot all be paired among themselves; None if they can."""
        cause = witness(players, may_meet)
        if cause.left_over < 1:
            return None
        odd = [part for part in cause.parts if len(part) % 2]
        apart = [(part, other) for part in odd for other in cause.parts if other is not part]
        barriers = {self._barrier(*pair) for parts in apart for pair in product(*parts)}
        barrier = barriers.pop() if len(barriers) == 1 else "bye" if "bye" in barriers else "either"
        return facts.Bottleneck(removed=cause.removed, parts=cause.parts, barrier=barrier)

    def _barrier(self, one: PlayerId, other: PlayerId) -> str:
        if NOBODY in (one, other):
            return "bye"
        return "met" if self.field.times_met(one, other) else "apart"

    # -- the bye

    def of_bye(self) -> Iterator[Fact]:
        """Yield the facts about the player with the bye, and about others who would come first."""
        field, players = self.field, self.players
        ranks = {player: (field.earlier_byes(player), field.points[player]) for player in field.entrants}
        rank = ranks[players[0]]
        yield facts.OddNumber(players, len(field.entrants))
        yield facts.ByesHad(players, *rank, others=list(ranks.values()).count(rank) - 1)
        if not self.is_set:
            yield from self._first_in_line([player for player in sorted(ranks) if ranks[player] < rank])

    def _first_in_line(self, better: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield the facts that kept the players in `better` from the bye.

        better: players with fewer byes, or with as many byes and fewer points
        """
        field, options, with_bye = self.field, self.options, self.best_with
        free = set(field.free)
        if seated := tuple(player for player in better if player not in free):
            yield facts.FirstInLine(seated, set_apart=True)
        first = tuple(player for player in better if player in free and player not in options.no_bye)
        if not first or with_bye is None:
            return
        made = self.pair_if_possible(replace(options, no_bye=options.no_bye | free.difference(first)))
        if made is None:
            yield facts.FirstInLine(first)
            return
        difference, _ = self.compare(with_bye, made)
        if difference is not None and difference.other > difference.best:
            reason = None
            if difference.level == "rematches" and not difference.best:
                reason = self.bottleneck(vertices(field), field.unmet_with_bye(first))
            yield facts.FirstInLine(first, difference=difference, bottleneck=reason)


class _Boundaries:
    """The score boundaries between two players, and how many tables must cross each of them."""

    def __init__(self, question: _Question, byes: Sequence[PlayerId]) -> None:
        self.question = question
        self.field = question.field
        self.byes = byes
        self.bye = byes[0] if len(byes) == 1 and byes[0] in self.field.bye_takers else None
        self.players = [player for player in self.field.free if player != self.bye]

    def crossings(self) -> Iterator[Fact]:
        """Yield a fact for each boundary.

        Yields nothing if the engine could not have given the round's byes.
        """
        if len(self.byes) != self.field.odd or (self.bye is None) == self.field.odd:
            return
        points, (one, other) = self.field.points, self.question.seats
        scores = sorted({points[player] for player in self.players}, reverse=True)
        for score, next_score in pairwise(scores):
            if points[one] >= score and next_score >= points[other]:
                yield from self._boundary(score)

    def _boundary(self, score: int) -> Iterator[Fact]:
        points, question = self.field.points, self.question
        ordered = [player for group in self.field.by_points(self.players) for player in group]
        above = [player for player in ordered if points[player] >= score]
        below = [player for player in ordered if points[player] < score]
        odd = len(above) % 2
        sides = {"above": above, "below": below}
        least = dict.fromkeys(sides, odd)
        if self._conflict_free:
            least = {side: self._left_over(players, odd) for side, players in sides.items()}
        side = max(sides, key=least.__getitem__)
        aside = self._aside(score, side)
        if least[side] > odd:
            yield facts.Crossing(
                question.players, score=score, above=len(above), least=least[side], aside=aside, side=side,
                below=len(below), bottleneck=question.bottleneck(sides[side], self.field.unmet),
            )  # fmt: skip
        elif odd:
            players = (above[0],) if len(above) == 1 else question.players
            aside = self._aside(score, "above")
            yield facts.Crossing(players, score=score, above=len(above), least=1, aside=aside)
        else:
            yield from self._uncrossed(above, below, score)

    @cached_property
    def _conflict_free(self) -> bool:
        """Whether all players can be paired without a conflict.

        If they cannot, a conflict within one side of a boundary proves nothing.
        """
        return not self._left_over(self.players, 0)

    def _left_over(self, players: Sequence[PlayerId], otherwise: int) -> int:
        """Return how many of the players cannot be paired among themselves.

        If there are so many players that lemma 1 applies, return `otherwise`.
        """
        is_small = len(players) < 2 * self.field.most_barred + 4
        return deficiency(players, self.field.unmet) if is_small else otherwise

    def _aside(self, score: int, side: str) -> facts.Aside:
        """Return the players on a side who are not counted."""
        points = self.field.points

        def is_on_side(player: PlayerId) -> bool:
            return (points[player] >= score) == (side == "above")

        set_tables = sum(any(map(is_on_side, pair_set)) for pair_set in self.field.forced)
        return facts.Aside(bye=self.bye if self.bye and is_on_side(self.bye) else None, set_tables=set_tables)

    def _uncrossed(self, above: Sequence[PlayerId], below: Sequence[PlayerId], score: int) -> Iterator[Fact]:
        """Yield the cost of pairing each side of a boundary within itself, if both sides are even."""
        question, options = self.question, self.question.options
        with_table, aside = question.best_with, self._aside(score, "above")
        if with_table is None or len(self.field.free) > WHOLE:
            return
        crossing = frozenset((one, other) for one in above for other in below)
        made = question.pair_if_possible(
            replace(options, forbidden=options.forbidden | crossing, forced_bye=self.bye)
        )
        if made is None:
            yield Uncrossed(question.players, score, len(above), aside, possible=False)
            return
        difference, _ = question.compare(with_table, made)
        if difference is None or difference.other > difference.best:
            yield Uncrossed(question.players, score, len(above), aside, difference)


# -- facts of Swiss rounds


class Uncrossed(Fact, frozen=True):
    """Pairing the `above` players on `score` or more among themselves costs more, or the same.

    aside:      the bye and the tables set by the organizer, which that round keeps
    difference: how much more the best such round costs; None if it costs the same
    possible:   whether such a round exists
    """

    what = "boundary"
    score: int
    above: int
    aside: facts.Aside
    difference: Difference | None = None
    possible: bool = True

    def text(self, names: Names) -> str:
        """Return a sentence with the cost of pairing those players among themselves."""
        players = (
            f"{self.aside.text(names)}the {self.above} players on {facts.points_words(self.score)} or more"
        )
        if not self.possible:
            return f"{players} cannot all be paired among themselves in a complete round"
        if self.difference is None:
            return f"{players} could also be paired among themselves in a round just as good"
        return (
            f"{players} could be paired among themselves, but then the best round has {self.difference.text}"
        )

    @property
    def numbers(self) -> Mapping[str, int]:
        """The score, the number of players on it or more, and how many of them must leave it (0)."""
        return {"half_points": self.score, "above": self.above, "least": 0}


class MetBefore(Fact, frozen=True):
    """The two players have met before; `least` rematches cannot be avoided.

    least:         the least number of rematches besides those that the organizer set; None for a table that
                   the organizer set
    set_rematches: the number of rematches that the organizer set
    """

    what = "rematch"
    times_met: int
    least: int | None = None
    set_rematches: int = 0
    bottleneck: facts.Bottleneck | None = None

    def text(self, names: Names) -> str:
        """Return a sentence with the number of meetings, and of unavoidable rematches."""
        met = f"they have met {facts.before_text(self.times_met)}"
        if self.least is None:
            return met
        if not self.least:
            others = " other than the organizer's" if self.set_rematches else ""
            return f"{met}; a round without a rematch{others} is possible"
        least = f"{met}; at least {counted(self.least, 'rematch', 'rematches')} cannot be avoided"
        return f"{least}: {self.bottleneck.text(names, 'in this round')}" if self.bottleneck else least

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of meetings, and the number of rematches that a round must have."""
        return {"times_met": self.times_met} | ({} if self.least is None else {"least": self.least})


class HadByes(Fact, frozen=True):
    """The player has had `earlier` byes that count."""

    what = "bye"
    numbered = "earlier_byes=earlier"
    earlier: int

    def text(self, names: Names) -> str:
        """Return a sentence with the number of byes that the player has had."""
        byes = "a bye" if self.earlier == 1 else f"{self.earlier} byes"
        return f"{names.player(self.players[0])} has had {byes} already"


class NoRound(Fact, frozen=True):
    """No complete round has this table (or this bye) and the organizer's pairs."""

    what = "impossible"

    def text(self, names: Names) -> str:
        """Return a sentence that says that no such round exists."""
        return f"with {facts.this_table(self.players)} the organizer's other pairs leave no complete round"


class Priced(Fact, frozen=True):
    """The best round with the table (or the bye) costs more than the best round, or the same.

    difference: how much more it costs; None if it costs the same
    open_below, by_hand: as in `Decided`
    """

    difference: Difference | None = None
    open_below: str = ""
    by_hand: bool = False

    def text(self, names: Names) -> str:
        """Return a sentence with the price."""
        it = facts.this_table(self.players)
        if self.difference is not None:
            return f"the best round with {it} has {self.difference.text}"
        if self.open_below:
            return f"a round with {it} can be as good {facts.NOT_SEARCHED[self.open_below]}"
        if self.by_hand:
            return f"a round with {it} can be as good as any other"
        return f"a round with {it} can be just as good: the round's seed chose at random"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The values of the round with the table and of the best round on the level that differs."""
        return {"forced": self.difference.other, "best": self.difference.best} if self.difference else {}

    @property
    def handle(self) -> str:
        """The first level with a higher cost; `seed` if the costs are equal."""
        return self.difference.level if self.difference else "seed"
