"""Explain why a Swiss round has a table, or why two players do not meet.

The explanations compare the best round that has the table with the best round that does not. They consist of
*facts* (`facts.Fact`): checkable statements, each as a sentence and as data. The facts are about the players,
not about the recorded round. So they are also true of a round made by hand, and they never rely on a recorded
cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product

from msgspec import Struct
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.pairing import facts
from tourney.pairing.facts import NO_NAMES, Aside, Bottleneck, Difference, Fact, Gaps, Names, fact
from tourney.pairing.pairing import Cost, Entrants, Options, Pair, Pairing
from tourney.pairing.swiss.engine import WHOLE, best_of, least_rematches, pair
from tourney.pairing.swiss.field import Field, prepare, refuse_contradictions, seats_of
from tourney.pairing.swiss.levels import vertices
from tourney.pairing.swiss.matching import deficiency, witness
from tourney.record import NOBODY, PlayerId
from tourney.wording import counted

_LEVELS = tuple(Cost().as_dict())
_GAPS = _LEVELS.index("differences")
_PROVED = {7: (len(_LEVELS), ""), 3: (_GAPS + 1, "below"), 0: (_GAPS, "gaps")}
"""`Pairing.exact_levels` → (number of proved levels, `open_below`).

`facts.decision_fact` explains `open_below`, which names the levels that are not proved.
"""


def why(
    entrants: Entrants,
    options: Options,
    pairing: Pairing,
    table: int | None,
    *,
    by_hand: bool = False,
    names: Names = NO_NAMES,
) -> facts.RoundExplanation:
    """Return why a table, or the bye, is in a round.

    The deciding level is the first level on which the best round without the table costs more than the best
    round with it (`facts.decision_fact` has the other cases).

    table:   the number of the table; None to ask about the bye
    by_hand: whether a person or a repair made the table; then no sentence says that chance chose it

    Raises TourneyError if the round has no such table, or no bye.
    """
    tables = {item.number: item for item in pairing.tables}
    if table is not None and table not in tables:
        raise TourneyError(f"this round has no table {table}: its tables are {min(tables)} to {max(tables)}")
    if table is None and pairing.bye is None:
        raise TourneyError("no player has the bye in this round: the number of players is even")
    one, other = (pairing.bye or NOBODY, NOBODY) if table is None else tables[table].seats
    question = _Question(entrants, options, pairing.seed, (one, other), names, by_hand)
    decision = question.decision_fact()
    answer = [*(question.bye_facts() if table is None else question.table_facts(table, pairing)), decision]
    return facts.RoundExplanation.of(question.players, table, decision.kind, answer)


def why_not(
    entrants: Entrants,
    options: Options,
    seed: str,
    one: PlayerId,
    other: PlayerId,
    *,
    pairing: Pairing | None = None,
    by_hand: bool = False,
    names: Names = NO_NAMES,
) -> facts.Price:
    """Return the cost of seating `one` with `other`, or of the bye for `one`.

    other:   the second player; `NOBODY` to ask about the bye
    pairing: the recorded round; if it is given and the two players meet in it, the answer says so
    by_hand: whether a person or a repair made the table; then no sentence says that chance chose it

    The cost is found by pairing two rounds: the best one, and the best one with this table (or bye). This
    works for any number of players. Raises TourneyError if a player is not in the round, or if no round is
    possible at all.
    """
    _refuse_strangers(entrants, (one, other), names)
    question = _Question(entrants, options, seed, (one, other), names, by_hand)
    best, best_with, players = question.best, question.best_with, question.players
    difference, open_below = (None, "") if best_with is None else question.compare(best, best_with)
    answer = [*question.meeting_facts(pairing), *question.obstacles()]
    if best_with is not None:
        is_seeds_round = pairing is None or _tables_of(best) == _tables_of(pairing)
        answer.append(
            facts.price_fact(
                players, difference, open_below=open_below, by_hand=by_hand or not is_seeds_round
            )
        )
    elif not any(item.kind in {"impossible", "forbidden"} for item in answer):
        answer.append(facts.no_round(players))
    return facts.Price(
        players=players,
        possible=best_with is not None,
        best=best.cost,
        forced=None if best_with is None else best_with.cost,
        level=None if best_with is None else difference.level if difference else "seed",
        more=difference.other - difference.best if difference else 0,
        reasons=tuple(item.reason for item in answer),
        facts=tuple(item.data for item in answer),
    )


def _tables_of(pairing: Pairing) -> set[frozenset[PlayerId]]:
    return {frozenset(table.seats) for table in pairing.tables}


def _refuse_strangers(entrants: Entrants, players: Pair, names: Names) -> None:
    present = {entrant.id for entrant in entrants} | {NOBODY}
    for player in players:
        if player not in present:
            raise TourneyError(f"{names.player(player)} is not in this round")
    if players[0] == players[1]:
        raise TourneyError(f"{names.player(players[0])} cannot meet themselves")
    if players[0] == NOBODY:
        raise TourneyError("to ask about a bye, name the player first and the bye second")


class _Question(Struct, frozen=True, dict=True):
    """A question why a table, or a bye, is or is not in the round.

    `best_with` and `best_without` are the best rounds with and without this table or bye.

    asked_pair: the two players in question; for a question about a bye, the player and `NOBODY`
    """

    entrants: Entrants
    options: Options
    seed: str
    asked_pair: Pair
    names: Names
    by_hand: bool

    @cached_property
    def field(self) -> Field:
        return prepare(self.entrants, self.options)

    @cached_property
    def seats(self) -> Pair:
        """The two players whom the question is about, the one with more points first.

        For a question about a bye, `NOBODY` is last.
        """
        return seats_of(self.field, self.asked_pair)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return tuple(player for player in self.asked_pair if player != NOBODY)

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
            return pair(self.entrants, options, self.seed)
        except TourneyError:
            return None

    @cached_property
    def best(self) -> Pairing:
        """The engine's round for the seed. Raises TourneyError if there is none."""
        return pair(self.entrants, self.options, self.seed, name=self.names.player)

    @property
    def is_in_best(self) -> bool:
        """Whether the engine's round for the seed has the table, or the bye."""
        if self.is_bye:
            return self.seats[0] in self.best.byes
        return frozenset(self.seats) in _tables_of(self.best)

    @cached_property
    def best_with(self) -> Pairing | None:
        """The best round with the table (or bye) in question; None if no such round is possible.

        If the organizer set the table, it costs nothing on the level `order`. Otherwise, it costs as much
        there as if the engine had chosen it.
        """
        options, name = self.options, self.names.player
        if any(self._set_elsewhere()):
            return None
        try:
            if self.is_set or self.is_in_best:
                return self.best
            if self.is_bye:
                return self.pair_if_possible(replace(options, forced_bye=self.seats[0]))
            forced_options = replace(options, forced=(*options.forced, self.seats))
            refuse_contradictions(self.entrants, forced_options, name)
            return best_of(prepare(self.entrants, options, extra_pairs=(self.seats,)), self.seed, name)
        except TourneyError:
            return None

    def best_without(self) -> Pairing | None:
        options = self.options
        if self.is_bye:
            return self.pair_if_possible(replace(options, no_bye=options.no_bye | {self.seats[0]}))
        return self.pair_if_possible(replace(options, forbidden=options.forbidden | {self.seats}))

    def compare(self, better: Pairing, other: Pairing) -> tuple[Difference | None, str]:
        """Compare two rounds on the cost levels on which both are proved optimal.

        Returns the difference and an empty text. If the rounds are equal on these levels, returns None and
        which levels were not compared: `gaps` (the point differences and all levels below), `below` (only the
        levels below the point differences), or an empty text if all levels were compared.
        """
        count, open_below = min(_PROVED[better.exact_levels], _PROVED[other.exact_levels])
        points, mode = self.field.points, self.options.mode
        gaps = Gaps.at(better.tables, points), Gaps.at(other.tables, points)
        difference = Difference.between(better.cost, other.cost, gaps, levels=_LEVELS[:count], mode=mode)
        return difference, "" if difference else open_below

    def decision_fact(self) -> Fact:
        """Return the fact that says why the table (or bye) in question was or was not chosen.

        The fact compares the best round that has the table with the best round that does not, unless the
        answer is clear without a comparison.
        """
        names, players = self.names, self.players
        if self.is_set:
            return facts.decision_fact(names, players, "forced")
        if self.is_bye and not len(self.entrants) % 2:
            return facts.decision_fact(names, players, "even")
        if len(self.entrants) == 1:  # by hand, a person can leave a single player in the round
            return facts.decision_fact(names, players, "impossible")
        with_it, without_it = self.best_with, self.best_without()
        if with_it is None or without_it is None:
            return facts.decision_fact(names, players, "impossible" if with_it else "not-possible")
        difference, open_below = self.compare(with_it, without_it)
        if difference is None:
            by_hand = self.by_hand or not self.is_in_best
            return facts.decision_fact(names, players, "seed", open_below=open_below, by_hand=by_hand)
        if difference.other > difference.best:
            return facts.decision_fact(names, players, difference.level, difference)
        return facts.decision_fact(names, players, "edited", self.compare(without_it, with_it)[0])

    # -- obstacles between two players

    def meeting_facts(self, pairing: Pairing | None) -> Iterator[Fact]:
        """Yield a fact if the recorded round has the table or the bye that this question is about.

        pairing: the recorded round; if it is None, no fact is yielded
        """
        if pairing is None:
            return
        if self.is_bye and self.seats[0] in pairing.byes:
            yield facts.meeting_fact(self.names, self.players, None)
        for table in pairing.tables:
            if set(table.seats) == set(self.seats):
                yield facts.meeting_fact(self.names, self.players, table.number)

    def obstacles(self) -> Iterator[Fact]:
        """Yield the facts that speak against seating the two players together, or against the bye.

        They are about the organizer's tables, earlier meetings, points, shared groups and earlier byes.
        """
        yield from self._set_elsewhere()
        field, players, (one, other) = self.field, self.players, self.seats
        if self.is_bye:
            if earlier := field.earlier_byes(players[0]):
                text = f"{self.names.player(players[0])} has had {facts.byes_words(earlier)} already"
                yield fact("bye", players, text, {"earlier_byes": earlier}, earlier=earlier)
            return
        if not field.is_allowed(one, other):
            yield facts.kept_apart(players)
        if meetings := field.times_met(one, other):
            yield self._rematch_fact(meetings)
        if gap := field.points[one] - field.points[other]:
            yield facts.points_apart(players, gap)
        yield from self._group_facts()

    def _set_elsewhere(self) -> Iterator[Fact]:
        return facts.set_elsewhere(self.names, self.options, self.players, len(self.entrants))

    def _group_facts(self) -> Iterator[Fact]:
        one, other = (self.field.entrants[player] for player in self.players)
        return facts.shared_groups(self.names, self.options, one, other)

    # -- a table

    def table_facts(self, table: int, pairing: Pairing) -> Iterator[Fact]:
        """Yield the facts about the table: points, who must be paired down, and earlier meetings."""
        (one, other), players = self.seats, self.players
        field, points = self.field, self.field.points
        if points[one] == points[other]:
            yield facts.same_points(players, points)
        else:
            yield facts.paired_down(self.names, one, other, points)
            if not self.is_set:
                yield from _Boundaries(self, pairing.byes).crossing_facts()
        yield from facts.fixed_tables(self.names, field.entrants, players, table)
        if not field.is_allowed(one, other):
            yield facts.kept_apart(players)
        if meetings := field.times_met(one, other):
            yield self._rematch_fact(meetings) if self.is_set else self._rematch_with_reason(meetings)
        yield from self._group_facts()

    def _rematch_with_reason(self, meetings: int) -> Fact:
        """Return the fact that the two players have met before, and how many rematches are needed."""
        field = self.field
        set_rematches = sum(bool(field.times_met(*forced_pair)) for forced_pair in field.forced_pairs)
        least = 0 if field.is_surely_conflict_free else least_rematches(field)
        if not least:
            exception = " other than the organizer's" if set_rematches else ""
            return self._rematch_fact(
                meetings, 0, set_rematches, f"a round without a rematch{exception} is possible"
            )
        reason = self.bottleneck(vertices(field), field.may_meet_with_bye(field.bye_takers))
        remark = f"at least {counted(least, 'rematch', 'rematches')} cannot be avoided"
        if reason is not None:
            remark += f": {reason.text(self.names, 'in this round')}"
        return self._rematch_fact(meetings, least, set_rematches, remark, reason)

    def _rematch_fact(
        self,
        meetings: int,
        least: int | None = None,
        set_rematches: int = 0,
        remark: str = "",
        bottleneck: Bottleneck | None = None,
    ) -> Fact:
        """Return a fact which says that the two players have met before.

        least:         the least number of rematches that the round needs, not counting rematches that the
                       organizer set; None to leave this number out of the fact's data
        set_rematches: the number of rematches that the organizer set
        remark:        words about the rematches that the round needs, which end the sentence; can be empty
        """
        text = f"they have met {facts.before_text(meetings)}{'; ' if remark else ''}{remark}"
        numbers = {"times_met": meetings} | ({} if least is None else {"least": least})
        return fact(
            "rematch", self.players, text, numbers,
            times_met=meetings, least=least, set_rematches=set_rematches, bottleneck=bottleneck,
        )  # fmt: skip

    def bottleneck(
        self, players: Sequence[PlayerId], may_meet: Callable[[PlayerId, PlayerId], bool]
    ) -> Bottleneck | None:
        """Return why some players cannot all be paired with each other; None if they can."""
        cause = witness(players, may_meet)
        if cause.left_over < 1:
            return None
        odd = [part for part in cause.parts if len(part) % 2]
        part_pairs = [(part, other) for part in odd for other in cause.parts if other is not part]
        barriers = {self._barrier(*pair) for parts in part_pairs for pair in product(*parts)}
        barrier = barriers.pop() if len(barriers) == 1 else "bye" if "bye" in barriers else "either"
        return Bottleneck(removed=cause.removed, parts=cause.parts, barrier=barrier)

    def _barrier(self, one: PlayerId, other: PlayerId) -> str:
        if NOBODY in (one, other):
            return "bye"
        return "met" if self.field.times_met(one, other) else "apart"

    # -- the bye

    def bye_facts(self) -> Iterator[Fact]:
        """Yield the facts about why this player has the bye, and not another player.

        Unless the organizer set the bye, they include facts about the players with a better claim to it:
        fewer earlier byes, or as many byes and fewer points.
        """
        field, (player,) = self.field, self.players
        ranks = {other: facts.bye_rank(entrant, self.options) for other, entrant in field.entrants.items()}
        yield facts.odd_number(self.players, len(ranks))
        yield facts.byes_had(self.names, field.entrants, self.options, player)
        if not self.is_set:
            yield from self._first_in_line([other for other in sorted(ranks) if ranks[other] < ranks[player]])

    def _first_in_line(self, better: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield the facts that say why the players in `better` do not have the bye.

        better: the players who would come first: those with fewer byes, or as many byes and fewer points
        """
        field, options, with_bye = self.field, self.options, self.best_with
        free = set(field.free)
        if set_players := tuple(player for player in better if player not in free):
            yield facts.first_in_line(self.names, set_players, set_apart=True)
        first_players = tuple(player for player in better if player in free and player not in options.no_bye)
        if not first_players or with_bye is None:
            return
        other_round = self.pair_if_possible(
            replace(options, no_bye=options.no_bye | free.difference(first_players))
        )
        if other_round is None:
            yield facts.first_in_line(self.names, first_players)
            return
        difference, _ = self.compare(with_bye, other_round)
        if difference is not None and difference.other > difference.best:
            reason = None
            if difference.level == "rematches" and not difference.best:
                reason = self.bottleneck(vertices(field), field.may_meet_with_bye(first_players))
            yield facts.first_in_line(self.names, first_players, difference=difference, bottleneck=reason)


class _Boundaries:
    """The boundaries between the scores of the two players in question.

    A table crosses a boundary if one of its players is above it and the other below. The facts state how many
    tables must cross each boundary.
    """

    def __init__(self, question: _Question, byes: Sequence[PlayerId]) -> None:
        self.question = question
        self.field = question.field
        self.byes = byes
        self.bye = byes[0] if len(byes) == 1 and byes[0] in self.field.bye_takers else None
        self.players = [player for player in self.field.free if player != self.bye]

    def crossing_facts(self) -> Iterator[Fact]:
        """Yield a fact about each boundary between the two players: how many tables must cross it.

        A boundary lies between two neighbouring scores. The two players are those of the table in question.
        If no table must cross a boundary, the fact is about the best round in which no table crosses it, or
        the fact is left out (`_uncrossed_facts`).

        Yields nothing if the round has a wrong number of byes, or a bye for a player who may not have it.
        """
        if len(self.byes) != self.field.is_odd or (self.bye is None) == self.field.is_odd:
            return
        points, (one, other) = self.field.points, self.question.seats
        scores = sorted({points[player] for player in self.players}, reverse=True)
        for score, next_score in pairwise(scores):
            if points[one] >= score and next_score >= points[other]:
                yield from self._boundary_facts(score)

    def _boundary_facts(self, score: int) -> Iterator[Fact]:
        points, question, names = self.field.points, self.question, self.question.names
        players_by_points = [player for group in self.field.by_points(self.players) for player in group]
        above = [player for player in players_by_points if points[player] >= score]
        below = [player for player in players_by_points if points[player] < score]
        odd = len(above) % 2
        sides = {"above": above, "below": below}
        least = dict.fromkeys(sides, odd)
        if self._is_conflict_free:
            least = {side: self._deficiency(players, odd) for side, players in sides.items()}
        side = max(sides, key=least.__getitem__)
        if least[side] > odd:
            yield facts.crossing(
                names, question.players, score=score, above=len(above), least=least[side],
                aside=self._aside(score, side), side=side, below=len(below),
                bottleneck=question.bottleneck(sides[side], self.field.may_meet),
            )  # fmt: skip
        elif odd:
            players = (above[0],) if len(above) == 1 else question.players
            aside = self._aside(score, "above")
            yield facts.crossing(names, players, score=score, above=len(above), aside=aside)
        else:
            yield from self._uncrossed_facts(above, below, score)

    @cached_property
    def _is_conflict_free(self) -> bool:
        """Whether the free players, except the one with the bye, can be paired without a conflict.

        A conflict is a rematch or a forbidden pair. If that is impossible, conflicts on one side of a
        boundary do not prove that a table must cross it: players on that side may have a rematch instead.
        """
        return not self._deficiency(self.players, 0)

    def _deficiency(self, players: Sequence[PlayerId], default: int) -> int:
        """Return how many players are left over when as many as possible are paired with each other.

        default: the number to return, without computing it, for 2d + 4 players or more, where d is
                 `Field.most_conflicts`. Of so many players, at most one is left over (lemma 1 in `windows`)
        """
        is_small = len(players) < 2 * self.field.most_conflicts + 4
        return deficiency(players, self.field.may_meet) if is_small else default

    def _aside(self, score: int, side: str) -> Aside:
        """Return players on one side of a boundary who are not counted in facts about the boundary.

        They are the player with the bye, and the players at tables that the organizer set.

        score: the boundary: players with this score or more are above it, all others below
        side:  `above` or `below`
        """
        points = self.field.points

        def is_on_side(player: PlayerId) -> bool:
            return (points[player] >= score) == (side == "above")

        set_tables = sum(any(map(is_on_side, forced_pair)) for forced_pair in self.field.forced_pairs)
        return Aside(bye=self.bye if self.bye and is_on_side(self.bye) else None, set_tables=set_tables)

    def _uncrossed_facts(
        self, above: Sequence[PlayerId], below: Sequence[PlayerId], score: int
    ) -> Iterator[Fact]:
        """Yield a fact about the best round in which no table crosses a boundary.

        A table crosses the boundary if one player is above it and the other is below. The fact says whether
        a round without such tables is possible. If it is, the fact also compares the best of these rounds
        with the best round that has the table in question. Yields nothing if the field is too large, if no
        round has the table in question, or if the best round without crossing tables is the better one.

        above, below: the players on each side of the boundary, an even number on each
        score:        the boundary: players with this many half points or more are above it
        """
        question, options = self.question, self.question.options
        with_table, aside = question.best_with, self._aside(score, "above")
        if with_table is None or len(self.field.free) > WHOLE:
            return
        crossing = frozenset((one, other) for one in above for other in below)
        uncrossed_round = question.pair_if_possible(
            replace(options, forbidden=options.forbidden | crossing, forced_bye=self.bye)
        )
        difference = None if uncrossed_round is None else question.compare(with_table, uncrossed_round)[0]
        if uncrossed_round is None:
            outcome = "cannot all be paired among themselves in a complete round"
        elif difference is None:
            outcome = "could also be paired among themselves in a round just as good"
        elif difference.other > difference.best:
            outcome = f"could be paired among themselves, but then the best round has {difference.text}"
        else:
            return
        players = f"the {len(above)} players on {facts.points_words(score)} or more"
        yield fact(
            "boundary", question.players, f"{aside.text(question.names)}{players} {outcome}",
            {"half_points": score, "above": len(above), "least": 0},
            score=score, above=len(above), aside=aside, difference=difference,
            possible=uncrossed_round is not None,
        )  # fmt: skip
