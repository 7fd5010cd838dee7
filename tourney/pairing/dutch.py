"""FIDE's Dutch system, for games with sides: questions, answers and our own checks.

An engine answers the questions.

    question = ask(record, entrants, options, points=…, order=initial_order(ratings),
                   initial_side=drawn_side(seed_of_round_one), rounds_total=7)
    pairs = …                       # an engine reads question.text; `tourney.store.fide` starts one
    pairing = answer(question, pairs, seed="…")
    findings = broken(record, tables, byes, points=…)
    facts = Situation(record, entrants, options, pairing, …).why(seats)

Nothing here starts a process. The engine sees pairing numbers but no names. Only the engine applies the
quality criteria of C.04.3, so explanations call its choices "not explained". Source: FIDE Handbook C.04.1 to
C.04.3 and C.04.7, in force from 1 February 2026. The file format is FIDE's version of TRF of 2026.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing import facts
from tourney.pairing.facts import Fact, Names
from tourney.pairing.manual import differing
from tourney.pairing.pairing import Entrants, Mode, Options, Pairing, draw, number_of
from tourney.pairing.swiss.field import refuse_contradictions
from tourney.record import NOBODY, NameOf, Outcome, PlayerId, Record, Table, format_points
from tourney.trf import Byes, ForbiddenPairs, TrfFile, file_of, write
from tourney.wording import format_times, listed

METHOD = "FIDE Dutch 2026"
"""The `Pairing.method` of Dutch rounds."""

_SCORING = {"W": Outcome.WIN, "D": Outcome.DRAW, "L": Outcome.LOSS, "A": Outcome.ABSENT, "P": Outcome.BYE}
"""The outcomes for which a TRF states points, by the codes of the format."""

_STAND_INS = {
    Outcome.FORFEIT_WIN: Outcome.WIN,
    Outcome.DOUBLE_LOSS: Outcome.LOSS,
    Outcome.FORFEIT_LOSS: Outcome.ABSENT,
}
"""Outcome without points of its own in the format → the outcome with equal points."""

_FULL_VALUE = {**_STAND_INS, Outcome.AWARDED_BYE: Outcome.WIN, Outcome.HALF_BYE: Outcome.DRAW}
"""Outcome → the outcome with equal points.

These are the stand-ins, and a win or a draw for requested byes.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineQuestion:
    """The input of an engine.

    text:        the tournament as a TRF, with everything before the round to be paired
    round:       the round to be paired
    players:     the players by pairing number: players[n - 1] has number n
    playing:     the players whom the engine pairs
    points:      half points so far, by player, without any acceleration
    forced:      the tables that the organizer set, which the engine does not see
    forced_bye:  the player to whom the organizer gave the bye, or None
    first_table: the number of the first table
    """

    text: str
    round: int
    players: tuple[PlayerId, ...]
    playing: frozenset[PlayerId]
    points: Mapping[PlayerId, int]
    forced: tuple[tuple[PlayerId, PlayerId], ...] = ()
    forced_bye: PlayerId | None = None
    first_table: int = 1

    def board(self, pair: Sequence[PlayerId]) -> tuple[int, int, int]:
        """Return the sort key of a table; the first table has the least key."""
        ranks = sorted((-self.points[player], self.players.index(player)) for player in pair)
        return ranks[0][0], sum(minus_points for minus_points, _ in ranks), ranks[0][1]


Engine = Callable[[EngineQuestion], tuple[tuple[int, int], ...]]
"""A function that answers a question with the round's pairs (see `answer`).

It may run another process.
"""


def drawn_side(seed: str) -> str:
    """Return the side of the first seed in round 1, `w` (the first side) or `b`.

    seed: the seed of round 1, in every round
    """
    return "wb"[draw(seed, "initial side", below=2)]


def initial_order(ratings: Mapping[PlayerId, int | None]) -> tuple[PlayerId, ...]:
    """Return the players by rating, the highest first, then those without one (C.04.2 2).

    Players with equal ratings are in order of registration.

    >>> initial_order({PlayerId(1): None, PlayerId(2): 1500, PlayerId(3): 1800})
    (3, 2, 1)
    """
    return tuple(
        sorted(ratings, key=lambda player: (ratings[player] is None, -(ratings[player] or 0), player))
    )


def baku(players: int, rounds_total: int, win: int) -> tuple[int, tuple[int, ...]]:
    """Return the number of accelerated players, and their virtual half points (C.04.7).

    The half points are listed by round.

    win: the half points of a win; the system needs a draw that is worth half of a win

    >>> baku(45, 9, 2)
    (24, (2, 2, 2, 1, 1))
    """
    if win % 2:
        raise TourneyError(
            f"Baku acceleration halves a win, and {format_points(win)} has no half in half points"
        )
    accelerated = (rounds_total + 1) // 2
    full = (accelerated + 1) // 2
    return 2 * -(-players // 4), (win,) * full + (win // 2,) * (accelerated - full)


def ask(
    record: Record,
    entrants: Entrants,
    options: Options,
    *,
    points: Mapping[Outcome, int],
    order: Sequence[PlayerId],
    initial_side: str,
    rounds_total: int | None = None,
    virtual: Mapping[PlayerId, tuple[int, ...]] | None = None,
    name: NameOf = number_of,
) -> EngineQuestion:
    """Return the question for the round after `record`.

    record:       everything played so far: tables of two, with the first side in seat 1
    entrants:     the players to be paired; all other players of the record are absent
    points:       half points of every outcome, by the event's standings profile
    order:        all players of the record, the first seed first (`initial_order`), the same in every round
    initial_side: `w` or `b`, see `drawn_side`
    rounds_total: the planned number of rounds; None: this round is not the last
    virtual:      virtual half points by player (acceleration), one number for each round

    Of `options`, only the forbidden and forced pairs, the forced bye and the first table are used. Raises
    TourneyError for contradictory options, entrants who are not in the record, an open table, and points that
    a TRF cannot express.
    """
    refuse_contradictions(entrants, replace(options, mode=Mode.RANDOM), name)
    players = tuple(order)
    _refuse_strangers(record, entrants, players, name)
    _refuse_open_tables(record)
    by_hand = {player for pair in options.forced for player in pair} | {options.forced_bye}
    playing = frozenset(entrant.id for entrant in entrants if entrant.id not in by_hand)
    codable = in_trf_terms(record, points)
    scores = scores_of(codable, points)
    file = replace(
        file_of(codable, points=scores, names={p: f"Player {p}" for p in record.players}, order=players),
        rounds_total=rounds_total if rounds_total is not None else len(record.rounds) + 2,
        initial_side=initial_side,
        scoring={code: points[outcome] for code, outcome in _SCORING.items()},
    )
    return EngineQuestion(
        text=write(_with_requests(file, players, playing, options, virtual or {})),
        round=len(record.rounds) + 1,
        players=players,
        playing=playing,
        points=scores,
        forced=options.forced,
        forced_bye=options.forced_bye,
        first_table=options.first_table,
    )


def _refuse_strangers(record: Record, entrants: Entrants, order: Sequence[PlayerId], name: NameOf) -> None:
    players = set(record.players)
    for entrant in entrants:
        if entrant.id not in players:
            raise TourneyError(f"{name(entrant.id)} is not a player in this event")
    if len(order) != len(players) or set(order) != players:
        raise TourneyError("the order of seeds must name every player of the event once")


def _refuse_open_tables(record: Record) -> None:
    for round_number, tables in enumerate(record.rounds, 1):
        for table in tables:
            if table.result is None:
                raise TourneyError(
                    f"round {round_number}, table {table.number} has no result yet",
                    "the Dutch system pairs by results; enter this result first",
                )


def in_trf_terms(record: Record, points: Mapping[Outcome, int]) -> Record:
    """Return the record with only those outcomes for which a TRF has points.

    For example, a bye worth nothing becomes an absence.

    Raises TourneyError if an outcome of the record has points that no code of the format has.
    """
    byes = {
        points[Outcome.ABSENT]: Outcome.ABSENT,
        points[Outcome.DRAW]: Outcome.HALF_BYE,
        points[Outcome.WIN]: Outcome.AWARDED_BYE,
    }
    hint = "pair with `swiss`, which balances sides too, or use a standings profile that agrees"
    results = [table.result for tables in record.rounds for table in tables if table.result]
    for outcome in dict.fromkeys(seat.outcome for result in results for seat in result.seats):
        stand_in = _STAND_INS.get(outcome)
        if stand_in and points[outcome] != points[stand_in]:
            raise TourneyError(
                f"the Dutch system has no {outcome.value} worth {format_points(points[outcome])}: in its "
                f"files it is worth as much as a {stand_in.value}, {format_points(points[stand_in])}",
                hint,
            )
    for kind in dict.fromkeys(kind for kinds in record.byes for kind in kinds.values()):
        if kind is not Outcome.BYE and points[kind] not in byes:
            raise TourneyError(
                f"the Dutch system has no {kind.value} worth {format_points(points[kind])}: "
                "it must be worth a win, a draw or nothing",
                hint,
            )
    translated = {kind: kind if kind is Outcome.BYE else byes.get(points[kind], kind) for kind in points}
    byes_by_round = tuple(
        {player: translated[kind] for player, kind in kinds.items()} for kinds in record.byes
    )
    return replace(record, byes=byes_by_round)


def scores_of(record: Record, points: Mapping[Outcome, int]) -> dict[PlayerId, int]:
    """Return each player's half points so far, as a TRF counts them."""
    scores = dict.fromkeys(record.players, 0)
    for round_index, tables in enumerate(record.rounds):
        away = record.byes[round_index] if round_index < len(record.byes) else {}
        outcomes = {
            seat.player: seat.outcome for table in tables if table.result for seat in table.result.seats
        }
        for player in scores:
            outcome = outcomes.get(player) or away.get(player, Outcome.ABSENT)
            scores[player] += points[_FULL_VALUE.get(outcome, outcome)]
    return scores


def _with_requests(
    file: TrfFile,
    players: Sequence[PlayerId],
    playing: frozenset[PlayerId],
    options: Options,
    virtual: Mapping[PlayerId, tuple[int, ...]],
) -> TrfFile:
    number = {player: place for place, player in enumerate(players, 1)}
    next_round = max((len(player.rounds) for player in file.players), default=0) + 1
    away = tuple(n for player, n in number.items() if player not in playing)
    bans = sorted(
        sorted((number[one], number[other])) for one, other in options.forbidden if {one, other} <= playing
    )
    return replace(
        file,
        byes=(Byes("Z", next_round, away),) if away else (),
        forbidden=tuple(ForbiddenPairs((one, other)) for one, other in bans),
        accelerations=dict(sorted((number[player], points) for player, points in virtual.items())),
    )


def answer(question: EngineQuestion, pairs: Sequence[tuple[int, int]], *, seed: str = "") -> Pairing:
    """Return the round that an engine's pairs make.

    pairs: pairing numbers, the player with the first side first; 0 is the bye

    Tables are numbered by C.04.2 3.6: by the score of the higher-ranked player, then by the sum of both
    scores, then by the higher-ranked player's seed. Acceleration does not count. The organizer's tables are
    numbered among the others. Raises TourneyError if the pairs are not a round of exactly the players in
    question.
    """
    seats = [tuple(question.players[n - 1] for n in pair if 0 < n <= len(question.players)) for pair in pairs]
    engine_bye = tuple(pair[0] for pair in seats if len(pair) == 1)
    byes = engine_bye if question.forced_bye is None else (*engine_bye, question.forced_bye)
    paired = sorted(player for pair in seats for player in pair)
    if paired != sorted(question.playing) or len(byes) > 1:
        raise TourneyError("the engine's answer is not a round: it must seat every player exactly once")
    tables = sorted([*question.forced, *(pair for pair in seats if len(pair) == 2)], key=question.board)
    return Pairing(
        tables=tuple(Table(number, tuple(pair)) for number, pair in enumerate(tables, question.first_table)),
        byes=byes,
        proof=f"as {METHOD} has it",
        seed=seed,
        method=METHOD,
    )


def check(expected: Pairing, tables: Sequence[Table], *, name: NameOf = number_of) -> list[Finding]:
    """Return a finding for each table whose opponents or sides differ from the engine's."""
    findings = []
    for table, due in differing(tables, [table.seats for table in expected.tables]):
        turned = set(due) == set(table.seats)
        should = " – ".join(map(name, due)) or f"{name(table.seats[0])} has the bye"
        players = " – ".join(map(name, table.seats))
        findings.append(
            Finding(
                rule="sides" if turned else "dutch",
                severity=Severity.ERROR,
                message=f"table {table.number}: {players}; by the Dutch rules {should}",
                subjects=tuple(map(name, table.seats)),
                cite="FIDE C.04.3, Art. 5" if turned else "FIDE C.04.3",
            )
        )
    return findings


# -- without an engine: broken absolute criteria, and explanations


def broken(
    record: Record,
    tables: Sequence[Table],
    byes: Sequence[PlayerId],
    *,
    points: Mapping[Outcome, int],
    rounds_total: int | None = None,
    name: NameOf = number_of,
) -> list[Finding]:
    """Return a finding for each broken absolute criterion of the Dutch system.

    This needs no engine.

    record: everything played before the round
    points, rounds_total: as for `ask`

    Errors: `rematch` [C1], `second-bye` [C2], `sides` [C3] (two players who both must have the same side). In
    the last round, [C3] does not apply to tables with a topscorer.
    """
    findings: list[Finding] = []

    def forbid(rule: str, cite: str, players: Sequence[PlayerId], message: str) -> None:
        named = tuple(map(name, players))
        message = f"{' and '.join(named)} {message}, which the Dutch rules never allow"
        findings.append(
            Finding(rule=rule, severity=Severity.ERROR, message=message, subjects=named, cite=f"FIDE {cite}")
        )

    for table in tables:
        if _have_met(record, *table.seats):
            forbid("rematch", "C.04.1.2, C1", table.seats, "have met before")
    for player in byes:
        if _had_free_points(record, player, points):
            message = "has had a bye, or a win without playing, and gets the bye"
            forbid("second-bye", "C.04.1.4, C2", (player,), message)
    scores = scores_of(record, points)
    for table in tables:
        due = {_side_due(_sides_had(record, player)) for player in table.seats}
        if due in ({(0, _ABSOLUTE)}, {(1, _ABSOLUTE)}) and not _has_topscorer(
            table.seats, record, scores, points, rounds_total
        ):
            side = ("first", "second")[due.pop()[0] or 0]
            forbid("sides", "C.04.3, C3", table.seats, f"both must have the {side} side")
    return findings


def _has_topscorer(
    players: Sequence[PlayerId],
    record: Record,
    scores: Mapping[PlayerId, int],
    points: Mapping[Outcome, int],
    rounds_total: int | None,
) -> bool:
    """Return whether one of the players is a topscorer in the last round (1.8).

    A topscorer has more than half of the points that were possible before the last round.
    """
    most = len(record.rounds) * points[Outcome.WIN]
    is_last = rounds_total is not None and rounds_total == len(record.rounds) + 1
    return is_last and any(2 * scores.get(player, 0) > most for player in players)


def _have_met(record: Record, one: PlayerId, other: PlayerId) -> bool:
    met = (table for tables in record.rounds for table in tables if {one, other} == set(table.seats))
    return any(map(_was_played, met))


def _was_played(table: Table) -> bool:
    return table.result is not None and all(seat.outcome.played for seat in table.result.seats)


def _had_free_points(record: Record, player: PlayerId, points: Mapping[Outcome, int]) -> bool:
    """Return whether a player had the bye, or got at least the points of a win without playing."""
    had = [kinds[player] for kinds in record.byes if player in kinds]
    had += [
        seat.outcome
        for tables in record.rounds
        for table in tables
        if table.result and not _was_played(table)
        for seat in table.result.seats
        if seat.player == player
    ]
    return any(kind is Outcome.BYE or points[kind] >= points[Outcome.WIN] for kind in had)


def _sides_had(record: Record, player: PlayerId) -> list[int]:
    """Return the sides a player had in matches that were played: 0 the first, 1 the second."""
    return [
        int(table.seats[0] != player)
        for tables in record.rounds
        for table in tables
        if player in table.seats and _was_played(table)
    ]


_ABSOLUTE, _STRONG, _MILD, _NO_CLAIM = 3, 2, 1, 0
"""The strength of a player's claim to a side."""


def _side_due(had: Sequence[int]) -> tuple[int | None, int]:
    """Return the side that is due, and the strength of the claim (1.7).

    had: the sides so far, in order
    """
    if not had:
        return None, _NO_CLAIM
    first, second = had.count(0), had.count(1)
    if abs(first - second) >= 2:
        return int(first > second), _ABSOLUTE
    if len(had) >= 2 and had[-1] == had[-2]:
        return 1 - had[-1], _ABSOLUTE
    return (1 - had[-1], _MILD) if first == second else (int(first > second), _STRONG)


@dataclass(frozen=True)
class Situation:
    """A round and the history before it, to be explained by the Dutch rules without an engine.

    record, points, order, initial_side, rounds_total: as for `ask`
    entrants: the paired players, including those at tables that the organizer set
    pairing:  the round
    sides:    the names of the two sides
    by_hand:  whether a person, not the engine, made the table in question
    """

    record: Record
    entrants: Entrants
    options: Options
    pairing: Pairing
    points: Mapping[Outcome, int]
    order: Sequence[PlayerId]
    initial_side: str
    rounds_total: int | None = None
    sides: tuple[str, str] = ("first", "second")
    by_hand: bool = False

    @cached_property
    def scores(self) -> Mapping[PlayerId, int]:
        """Each player's half points, as the Dutch rules count them."""
        return scores_of(in_trf_terms(self.record, self.points), self.points)

    def claim(self, player: PlayerId) -> SideDue:
        """Return the side that is due to a player, and the strength of the claim (1.7)."""
        had = _sides_had(self.record, player)
        counts, last = (had.count(0), had.count(1)), had[-1] if had else None
        twice = len(had) >= 2 and had[-1] == had[-2]
        return SideDue((player,), self.sides, counts, last, twice, *_side_due(had))

    @cached_property
    def _taken_in(self) -> frozenset[PlayerId]:
        """The players paired in any round up to this one.

        Only they have numbers in the order (5.2.5).
        """
        seated = {player for tables in self.record.rounds for table in tables for player in table.seats}
        return frozenset(seated.union(*self.record.byes, (entrant.id for entrant in self.entrants)))

    def rank(self, player: PlayerId) -> tuple[int, int]:
        """Return the sort key of a player; the highest-ranked player has the least key."""
        return -self.scores[player], self.order.index(player)

    def sides_given(self, first: PlayerId, second: PlayerId) -> SidesGiven:
        """Return the rule of Art. 5 that gives `first` the first side; rule 0 if none does."""
        one, other = self.claim(first), self.claim(second)
        higher = min(first, second, key=self.rank)
        whom, place = higher, 0
        had = [_sides_had(self.record, player)[::-1] for player in (first, second)]
        last_different = next((side for side, others in zip(*had, strict=False) if side != others), None)
        if one.due is None and other.due is None:
            place = [player for player in self.order if player in self._taken_in].index(higher) + 1
            has_first_side = (self.initial_side == "w") == (place % 2 == 1)
            rule, fits = 5, has_first_side == (higher == first)
        elif one.due != other.due:
            rule, fits = 1, one.due in {0, None} and other.due in {1, None}
        elif one.weight != other.weight:
            whom = first if one.weight > other.weight else second
            rule, fits = 2, (one.due == 0) == (whom == first)
        elif last_different is not None:
            whom = second
            rule, fits = 3, last_different == 1
        else:
            rule, fits = 4, (one.due == 0) == (higher == first)
        if not fits or rule == 1:
            return SidesGiven((first, second), rule=rule if fits else 0, sides=self.sides)
        return SidesGiven((first, second), rule=rule, sides=self.sides, whom=whom, place=place)

    def why(self, seats: Sequence[PlayerId]) -> tuple[Fact, ...]:
        """Return the facts about a table, or about one player's bye.

        A fact names the choices that the engine made.
        """
        return tuple(self._of_bye(seats[0]) if len(seats) == 1 else self._of_table(seats[0], seats[1]))

    def _of_table(self, first: PlayerId, second: PlayerId) -> Iterator[Fact]:
        seats = (first, second)
        if set(seats) in map(set, self.options.forced):
            yield facts.Decided(seats, by="forced")
            return
        high, low = sorted(seats, key=self.rank)
        if self.scores[high] == self.scores[low]:
            level = sum(self.scores[entrant.id] == self.scores[high] for entrant in self.entrants)
            yield facts.SamePoints(seats, self.scores[high], level - 2)
        else:
            yield facts.PairedDown((high, low), (self.scores[high], self.scores[low]))
            yield from self._boundaries(high, low)
        if _have_met(self.record, first, second):
            yield NeverAgain(seats)
        else:
            yield NeverMet(seats)
        yield self.claim(first)
        yield self.claim(second)
        sides = self.sides_given(first, second)
        if sides.rule or not self.by_hand:
            yield sides
        if not self.by_hand:
            yield NotExplained(seats, "table")

    def _boundaries(self, high: PlayerId, low: PlayerId) -> Iterator[facts.Crossing]:
        """Yield the scores where a player from above must meet a player below.

        The number of players above such a score is odd.
        """
        aside = {player for pair in self.options.forced for player in pair}.union(self.pairing.byes)
        counted = [entrant.id for entrant in self.entrants if entrant.id not in aside]
        for score in sorted({self.scores[player] for player in counted}, reverse=True):
            above = [player for player in counted if self.scores[player] >= score]
            if not self.scores[low] < score <= self.scores[high] or len(above) % 2 == 0:
                continue
            bye = next((player for player in self.pairing.byes if self.scores[player] >= score), None)
            set_tables = sum(any(self.scores[p] >= score for p in pair) for pair in self.options.forced)
            players = (above[0],) if len(above) == 1 else (high, low)
            without = facts.Aside(bye=bye, set_tables=set_tables)
            yield facts.Crossing(players, score=score, above=len(above), least=1, aside=without)

    def _barred(self, player: PlayerId) -> bool:
        return _had_free_points(self.record, player, self.points)

    def _of_bye(self, player: PlayerId) -> Iterator[Fact]:
        yield facts.OddNumber((player,), len(self.entrants))
        if player == self.options.forced_bye:
            yield facts.Decided((player,), by="forced")
            return
        if self._barred(player):
            yield BarredFromBye((player,))
        else:
            yield MayHaveBye((player,), self.scores[player])
        sitting = {seated for pair in self.options.forced for seated in pair}
        free = [entrant.id for entrant in self.entrants if entrant.id not in sitting]
        fewer = [other for other in free if self.scores[other] < self.scores[player]]
        barred = tuple(filter(self._barred, fewer))
        if barred:
            yield BarredFromBye(barred, fewer=True)
        if not self.by_hand:
            able = tuple(other for other in fewer if other not in barred)
            yield NotExplained(able or (player,), "fewer" if able else "bye")

    def why_not(self, one: PlayerId, other: PlayerId) -> tuple[Fact, ...]:
        """Return the rules against pairing two players.

        If `other` is `NOBODY`, return the rules against giving `one` the bye.
        """
        players = (one,) if other == NOBODY else (one, other)
        against = list(self._against_bye(one) if other == NOBODY else self._against(one, other))
        tables = [table.number for table in self.pairing.tables if set(table.seats) == set(players)]
        if tables or (other == NOBODY and one in self.pairing.byes):
            return (facts.Meets(players, tables[0] if tables else None), *against)
        ruled_out = any(
            isinstance(fact, BarredFromBye) or fact.handle in {"impossible", "forbidden"} for fact in against
        )
        if not ruled_out and not self.by_hand:
            against.append(NotExplained(players, "other"))
        return tuple(against)

    def _against(self, one: PlayerId, other: PlayerId) -> Iterator[Fact]:
        both = (one, other)
        for pair in self.options.forced:
            if set(both) != set(pair) and not set(both).isdisjoint(pair):
                yield facts.SetElsewhere(pair)
        if self.options.forced_bye in both:
            yield facts.SetElsewhere(tuple(player for player in both if player == self.options.forced_bye))
        if set(both) in map(set, self.options.forbidden):
            yield facts.KeptApart(both)
        if _have_met(self.record, one, other):
            yield NeverAgain(both)
        (due, strength), others = (_side_due(_sides_had(self.record, player)) for player in both)
        same = strength == _ABSOLUTE and others == (due, strength)
        if same and not _has_topscorer(both, self.record, self.scores, self.points, self.rounds_total):
            yield BothMust(both, self.sides[due or 0])
        if self.scores[one] != self.scores[other]:
            yield facts.PointsApart(both, abs(self.scores[one] - self.scores[other]))

    def _against_bye(self, player: PlayerId) -> Iterator[Fact]:
        for pair in self.options.forced:
            if player in pair:
                yield facts.SetElsewhere(pair)
        due = self.options.forced_bye
        if due is not None and due != player:
            yield facts.SetElsewhere((due,))
        if len(self.entrants) % 2 == 0:
            yield facts.NobodyLeftOver((player,), len(self.entrants))
        elif self._barred(player):
            yield BarredFromBye((player,))
        else:
            yield MayHaveBye((player,), self.scores[player])
            for other in self.pairing.byes:
                if other != player:
                    yield MayHaveBye((other,), self.scores[other])


# -- facts of Dutch rounds


class NeverMet(Fact, frozen=True):
    """The two players have not played each other before."""

    what = "rematch"
    sentence = "they have not met before"


class NeverAgain(Fact, frozen=True):
    """The two players have played each other before, so [C1] never seats them together again."""

    what = "impossible"
    sentence = "they have met before, and the Dutch rules never let two players meet twice"


class SideDue(Fact, frozen=True):
    """A player has had each side `had` times, and side `due` is due (FIDE C.04.3, 1.7).

    sides:    the names of the first and the second side
    had:      the number of played matches in which the player had each side
    last:     the player's side in the last match, 0 for the first, 1 for the second; None: no match yet
    twice:    whether the player had the same side in the last two matches
    due:      the side that is due, 0 or 1; None: the player has no claim
    strength: the strength of the claim: 3 absolute, 2 strong, 1 mild, 0 none
    """

    what = "sides"
    sides: tuple[str, str]
    had: tuple[int, int]
    last: int | None
    twice: bool
    due: int | None
    strength: int

    def text(self, names: Names) -> str:
        """Return a sentence with the sides that the player had, and the side that is due."""
        player = names.player(self.players[0])
        if self.last is None or self.due is None:
            return f"{player} has not played yet, so no side is due"
        counts = zip(self.sides, self.had, strict=True)
        had = listed(f"{side} {format_times(count)}" if count else f"never {side}" for side, count in counts)
        if self.twice:
            had += f", the last two times {self.sides[self.last]}"
        elif self.had[0] == self.had[1]:
            had += f", the last time {self.sides[self.last]}"
        verb = {3: "must now be", 2: "should now be", 1: "is next to be"}[self.strength]
        return f"{player} has been {had}: {verb} {self.sides[self.due]}"

    @property
    def weight(self) -> tuple[int, int]:
        """The weight of the claim.

        Of absolute claims, one with a larger difference weighs more (5.2.2).
        """
        return self.strength, abs(self.had[0] - self.had[1]) if self.strength == _ABSOLUTE else 0

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of matches with each side, and the strength of the claim."""
        return {"first": self.had[0], "second": self.had[1], "strength": self.strength}


class SidesGiven(Fact, frozen=True, kw_only=True):
    """A rule of FIDE C.04.3, Art. 5 gives the first player the first side.

    rule:  1: both claims are granted; 2: the stronger claim is granted; 3: the sides change from the last
           round in which they differed; 4: the claim of the higher-ranked player is granted; 5: the
           higher-ranked player has the side that was drawn for odd or even numbers in the order; 0: none of
           these rules
    whom:  the player whose claim is granted (2, 4), who had the first side in that round (3), or who is
           ranked higher (5)
    place: the higher-ranked player's number in the order (5)
    """

    what = "sides"
    rule: int
    sides: tuple[str, str]
    whom: PlayerId | None = None
    place: int = 0

    def text(self, names: Names) -> str:
        """Return a sentence with the rule that gives the sides."""
        first, second = map(names.player, self.players)
        player = "" if self.whom is None else names.player(self.whom)
        both, place = "both are due the same side", "odd" if self.place % 2 else "even"
        return [
            "the engine chose the sides, which is not explained further",
            f"so {first} is {self.sides[0]} and {second} {self.sides[1]}: both claims are granted",
            f"{both}, and {player} has the stronger claim",
            f"{both} equally; the last time their sides differed {player} was {self.sides[0]}, so now "
            "the other one is",
            f"{both} equally, and {player} is ranked higher",
            f"no side is due to either: {player}, ranked higher, is number {self.place} in the order, and "
            f"{place} numbers begin with {self.sides[self.players[0] != self.whom]}, as drawn before round 1",
        ][self.rule]


class BothMust(Fact, frozen=True):
    """Both players must have the same side, so [C3] never seats them together.

    Neither player is a topscorer in the last round.
    """

    what = "impossible"
    side: str

    def text(self, names: Names) -> str:
        """Return a sentence with the side that both players must have."""
        return f"both must be {self.side} now, and the Dutch rules never seat two such players together"


class BarredFromBye(Fact, frozen=True):
    """[C2] rules out the bye for the players: they had it, or won without playing.

    fewer: whether the players have fewer points than the player with the bye
    """

    what = "bye"
    fewer: bool = False

    def text(self, names: Names) -> str:
        """Return a sentence that says why the players cannot have the bye."""
        have = "has" if len(self.players) == 1 else "have"
        fewer = f"{facts.are(self.players)} on fewer points, but " if self.fewer else ""
        players = names.listed(self.players)
        return f"{players} {fewer}{have} had a bye or won without playing, which rules out the bye"


class MayHaveBye(Fact, frozen=True):
    """The player has these half points, and had neither the bye nor a win without playing."""

    what = "bye"
    half_points: int

    def text(self, names: Names) -> str:
        """Return a sentence that the player may have the bye, and with how many points."""
        player, points = names.player(self.players[0]), facts.points_words(self.half_points)
        return f"{player} is on {points}, has had no bye and won nothing without playing"


class NotExplained(Fact, frozen=True):
    """The engine chose by the criteria of FIDE C.04.3, which this program does not compute.

    about: the choice: `table`, `bye`, `other` (a table or bye that is not in the round), or `fewer` (the
           players have fewer points and could have the bye, if the rest of the round allowed it)
    """

    what = "engine"
    about: str

    def text(self, names: Names) -> str:
        """Return a sentence about the choice that the engine made."""
        players = names.listed(self.players)
        choice = "the engine chooses by the order of FIDE C.04.3, which is not explained further"
        return {
            "table": f"among the pairs that may meet, {choice}",
            "bye": f"among the players who may have the bye, {choice}",
            "other": f"no absolute rule is against it, but {choice}",
            "fewer": (
                f"{players} {facts.are(self.players)} on fewer points and may have the bye, but {choice}"
            ),
        }[self.about]
