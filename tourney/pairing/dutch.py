"""FIDE's Dutch system, for games with sides: questions for an engine, answers, and checks.

The engine is another program, which pairs the round. A question is the input of the engine, an answer its
pairs. The checks and explanations need no engine.

    question = ask(record, entrants, options, points=…, order=initial_order(ratings),
                   initial_side=drawn_side(seed_of_round_one), rounds_total=7)
    pairs = …                       # an engine reads question.text; `tourney.store.fide` starts one
    pairing = answer(question, pairs, seed="…")
    findings = broken_criteria(record, tables, byes, points=…)
    facts = Situation(record, entrants, options, pairing, …).why(seats)

This module starts no process. The engine sees pairing numbers but no names. Only the engine applies the
quality criteria of C.04.3, so explanations call its choices "not explained". Source: FIDE Handbook C.04.1 to
C.04.3 and C.04.7, in force from 1 February 2026. The file format is FIDE's version of TRF of 2026.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing import facts
from tourney.pairing.facts import NO_NAMES, Fact, Names, fact
from tourney.pairing.manual import compare_tables
from tourney.pairing.pairing import Entrants, Mode, Options, Pairing, draw, number_of
from tourney.pairing.swiss.field import refuse_contradictions
from tourney.record import NOBODY, NameOf, Outcome, PlayerId, Record, Table, format_points
from tourney.trf import Byes, ForbiddenPairs, TrfFile, file_of, write
from tourney.wording import format_times, listed

METHOD = "FIDE Dutch 2026"
"""The `Pairing.method` of Dutch rounds."""

_SCORING = {"W": Outcome.WIN, "D": Outcome.DRAW, "L": Outcome.LOSS, "A": Outcome.ABSENT, "P": Outcome.BYE}
"""Code → outcome, for the outcomes whose points a Tournament Report File (TRF) states."""

_STAND_INS = {
    Outcome.FORFEIT_WIN: Outcome.WIN,
    Outcome.DOUBLE_LOSS: Outcome.LOSS,
    Outcome.FORFEIT_LOSS: Outcome.ABSENT,
}
"""Outcome whose points a TRF does not state → the outcome that a TRF counts instead."""

_FULL_VALUE = {**_STAND_INS, Outcome.AWARDED_BYE: Outcome.WIN, Outcome.HALF_BYE: Outcome.DRAW}
"""`_STAND_INS` with two more outcomes: byes that a TRF counts as a win or as a draw."""


class EngineQuestion(Struct, frozen=True, kw_only=True):
    """The input of an engine.

    text:         the tournament up to the round to be paired, as a Tournament Report File (TRF)
    round:        the round to be paired
    players:      the players by pairing number: players[n - 1] has number n
    playing:      the players whom the engine pairs
    points:       half points so far, by player, without any acceleration
    forced_pairs: the tables that the organizer set, which the engine does not see
    forced_bye:   the player to whom the organizer gave the bye, or None
    first_table:  the number of the first table
    """

    text: str
    round: int
    players: tuple[PlayerId, ...]
    playing: frozenset[PlayerId]
    points: Mapping[PlayerId, int]
    forced_pairs: tuple[tuple[PlayerId, PlayerId], ...] = ()
    forced_bye: PlayerId | None = None
    first_table: int = 1

    def board(self, pair: Sequence[PlayerId]) -> tuple[int, int, int]:
        """Return the sort key of a pair's table; the first table has the least key."""
        ranks = sorted((-self.points[player], self.players.index(player)) for player in pair)
        return ranks[0][0], sum(minus_points for minus_points, _ in ranks), ranks[0][1]


Engine = Callable[[EngineQuestion], tuple[tuple[int, int], ...]]
"""A function that returns an engine's pairs for a question, in the form that `answer` takes.

It may run another process.
"""


def drawn_side(seed: str) -> str:
    """Draw the side of the first-ranked player in round 1: `w` (the first side) or `b`.

    seed: the random seed of round 1, even if a later round is paired
    """
    return "wb"[draw(seed, "initial side", below=2)]


def initial_order(ratings: Mapping[PlayerId, int | None]) -> tuple[PlayerId, ...]:
    """Return the players by rating, the highest first, then those without a rating (C.04.2 2).

    Players with equal ratings are in order of registration.

    >>> initial_order({PlayerId(1): None, PlayerId(2): 1500, PlayerId(3): 1800})
    (3, 2, 1)
    """
    return tuple(
        sorted(ratings, key=lambda player: (ratings[player] is None, -(ratings[player] or 0), player))
    )


def baku(players: int, rounds_total: int, win: int) -> tuple[int, tuple[int, ...]]:
    """Return the number of players with virtual points, and these points, in Baku acceleration.

    The virtual points are half points, listed by round (C.04.7).

    win: the half points of a win; a draw is worth half of a win

    Raises TourneyError if `win` is odd.

    >>> baku(45, 9, 2)
    (24, (2, 2, 2, 1, 1))
    """
    if win % 2:
        raise TourneyError(
            f"Baku acceleration needs half of a win, and half of {format_points(win)} is not a multiple of ½"
        )
    accelerated_rounds = (rounds_total + 1) // 2
    full_rounds = (accelerated_rounds + 1) // 2
    return 2 * -(-players // 4), (win,) * full_rounds + (win // 2,) * (accelerated_rounds - full_rounds)


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
    """Return the input with which an engine can pair the round after `record`.

    record:       everything played so far, at tables of two; the player in seat 1 has the first side
                  (such as White)
    entrants:     the players to be paired; all other players of the record are absent
    points:       half points of every outcome, by the event's standings profile
    order:        all players of the record, the first seed first (`initial_order`), the same in every round
    initial_side: `w` or `b`, see `drawn_side`
    rounds_total: the planned number of rounds; None if unknown, so that this round is not treated as the last
    virtual:      virtual half points by player (acceleration), one number for each round

    Of `options`, only the forbidden and forced pairs, the forced bye and the number of the first table are
    used.

    Raises TourneyError for contradictory options, entrants who are not in the record, an open table, and
    points that a TRF cannot express.
    """
    refuse_contradictions(entrants, replace(options, mode=Mode.RANDOM), name)
    players = tuple(order)
    _refuse_strangers(record, entrants, players, name)
    _refuse_open_tables(record)
    organizer_players = options.forced_players | {options.forced_bye}
    playing = frozenset(entrant.id for entrant in entrants if entrant.id not in organizer_players)
    codable = in_trf_terms(record, points)
    scores = scores_of(codable, points)
    file = dataclasses.replace(
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
        forced_pairs=options.forced,
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
    """Return the record, with each bye as an outcome that has equal points in a TRF.

    For example, a bye that is worth nothing becomes an absence.

    points: half points of every outcome

    Raises TourneyError if an outcome is worth points that a TRF cannot express.
    """
    byes = {
        points[Outcome.ABSENT]: Outcome.ABSENT,
        points[Outcome.DRAW]: Outcome.HALF_BYE,
        points[Outcome.WIN]: Outcome.AWARDED_BYE,
    }
    hint = "pair with `swiss`, which balances sides too, or use a standings profile with other points"
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
    trf_kinds = {kind: kind if kind is Outcome.BYE else byes.get(points[kind], kind) for kind in points}
    byes_by_round = tuple(
        {player: trf_kinds[kind] for player, kind in kinds.items()} for kinds in record.byes
    )
    return replace(record, byes=byes_by_round)


def scores_of(record: Record, points: Mapping[Outcome, int]) -> dict[PlayerId, int]:
    """Return each player's half points so far, as a TRF counts them."""
    scores = dict.fromkeys(record.players, 0)
    for round_index, tables in enumerate(record.rounds):
        byes = record.byes[round_index] if round_index < len(record.byes) else {}
        outcomes = {
            seat.player: seat.outcome for table in tables if table.result for seat in table.result.seats
        }
        for player in scores:
            outcome = outcomes.get(player) or byes.get(player, Outcome.ABSENT)
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
    absent_numbers = tuple(n for player, n in number.items() if player not in playing)
    bans = sorted(
        sorted((number[one], number[other])) for one, other in options.forbidden if {one, other} <= playing
    )
    return dataclasses.replace(
        file,
        byes=(Byes("Z", next_round, absent_numbers),) if absent_numbers else (),
        forbidden_pairs=tuple(ForbiddenPairs((one, other)) for one, other in bans),
        accelerations=dict(sorted((number[player], points) for player, points in virtual.items())),
    )


def answer(question: EngineQuestion, pairs: Sequence[tuple[int, int]], *, seed: str = "") -> Pairing:
    """Return the round that consists of an engine's pairs and the organizer's tables.

    pairs: the engine's pairs of pairing numbers; in each pair, the player with the first side (White) comes
           first; 0 is the bye

    Tables are numbered by C.04.2 3.6: by the score of the higher-ranked player, then by the sum of both
    scores, then by the higher-ranked player's seed. Acceleration does not count. The organizer's tables are
    numbered among the others. Raises TourneyError if the pairs do not have each player whom the engine had to
    pair exactly once, or if two players would have a bye.
    """
    seats = [tuple(question.players[n - 1] for n in pair if 0 < n <= len(question.players)) for pair in pairs]
    engine_bye = tuple(pair[0] for pair in seats if len(pair) == 1)
    byes = engine_bye if question.forced_bye is None else (*engine_bye, question.forced_bye)
    seated_players = sorted(player for pair in seats for player in pair)
    if seated_players != sorted(question.playing) or len(byes) > 1:
        raise TourneyError("the engine's answer is not a round: it must seat every player exactly once")
    tables = sorted([*question.forced_pairs, *(pair for pair in seats if len(pair) == 2)], key=question.board)
    return Pairing(
        tables=tuple(Table(number, tuple(pair)) for number, pair in enumerate(tables, question.first_table)),
        byes=byes,
        proof=f"as {METHOD} has it",
        seed=seed,
        method=METHOD,
    )


def check(engine_round: Pairing, tables: Sequence[Table], *, name: NameOf = number_of) -> list[Finding]:
    """Return a finding for each table whose opponents or sides differ from the engine's round."""
    return compare_tables(
        tables, [table.seats for table in engine_round.tables],
        rule="dutch", source="Dutch rules", no_table_text="has the bye",
        cites=("FIDE C.04.3", "FIDE C.04.3, Art. 5"), name=name,
    )  # fmt: skip


# -- without an engine: broken absolute criteria, and explanations


def broken_criteria(
    record: Record,
    tables: Sequence[Table],
    byes: Sequence[PlayerId],
    *,
    points: Mapping[Outcome, int],
    rounds_total: int | None = None,
    name: NameOf = number_of,
) -> list[Finding]:
    """Return a finding for each broken absolute criterion of the Dutch system.

    An absolute criterion is a rule that no round may break. This check needs no engine.

    record: everything played before the round
    points: half points of every outcome, by the event's standings profile
    rounds_total: the planned number of rounds; None if unknown, so that this round is not treated as the last

    Errors: `rematch` [C1], `second-bye` [C2], `sides` [C3] (two players who both must have the same side). In
    the last round, [C3] does not apply to tables with a topscorer (`_has_topscorer`).
    """
    findings: list[Finding] = []

    def forbid(rule: str, cite: str, players: Sequence[PlayerId], message: str) -> None:
        player_names = tuple(map(name, players))
        message = f"{' and '.join(player_names)} {message}, which the Dutch rules never allow"
        findings.append(
            Finding(
                rule=rule,
                severity=Severity.ERROR,
                message=message,
                subjects=player_names,
                cite=f"FIDE {cite}",
            )
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
        side = _shared_absolute_side(record, table.seats)
        if side is not None and not _has_topscorer(table.seats, record, scores, points, rounds_total):
            side_name = ("first", "second")[side]
            forbid("sides", "C.04.3, C3", table.seats, f"both must have the {side_name} side")
    return findings


def _has_topscorer(
    players: Sequence[PlayerId],
    record: Record,
    scores: Mapping[PlayerId, int],
    points: Mapping[Outcome, int],
    rounds_total: int | None,
) -> bool:
    """Return whether one of the players is a topscorer in the last round (C.04.3, 1.8).

    A topscorer has more than half of the points that were possible before the last round.
    """
    most = len(record.rounds) * points[Outcome.WIN]
    is_last = rounds_total is not None and rounds_total == len(record.rounds) + 1
    return is_last and any(2 * scores.get(player, 0) > most for player in players)


def _have_met(record: Record, one: PlayerId, other: PlayerId) -> bool:
    meetings = (table for tables in record.rounds for table in tables if {one, other} == set(table.seats))
    return any(map(_was_played, meetings))


def _was_played(table: Table) -> bool:
    return table.result is not None and all(seat.outcome.played for seat in table.result.seats)


def _had_free_points(record: Record, player: PlayerId, points: Mapping[Outcome, int]) -> bool:
    """Return whether a player had the bye, or got at least the points of a win without playing."""
    outcomes = [kinds[player] for kinds in record.byes if player in kinds]
    outcomes += [
        seat.outcome
        for tables in record.rounds
        for table in tables
        if table.result and not _was_played(table)
        for seat in table.result.seats
        if seat.player == player
    ]
    return any(kind is Outcome.BYE or points[kind] >= points[Outcome.WIN] for kind in outcomes)


_ABSOLUTE, _STRONG, _MILD, _NO_CLAIM = 3, 2, 1, 0
"""The strength of a player's claim to a side."""


class SideClaim(NamedTuple):
    """The side (White or Black) that a player should get, by the FIDE Handbook (C.04.3, 1.7).

    past_sides: the sides in matches that were played, in order: 0 the first, 1 the second
    due_side:   the side that the player should get; None if `past_sides` is empty
    strength:   how strong the player's claim to this side is: 3 absolute, 2 strong, 1 mild, 0 no claim
    """

    player: PlayerId
    past_sides: Sequence[int]
    due_side: int | None
    strength: int

    @property
    def counts(self) -> tuple[int, int]:
        """How often the player had each side."""
        return self.past_sides.count(0), self.past_sides.count(1)

    @property
    def is_twice(self) -> bool:
        """Whether the player had the same side in the last two matches."""
        return len(self.past_sides) >= 2 and self.past_sides[-1] == self.past_sides[-2]

    @property
    def weight(self) -> tuple[int, int]:
        """The claim as a sort key: if two players claim the same side, the larger claim is granted.

        Claims are compared by strength. Of two absolute claims, the one with the larger difference between
        the player's numbers of first and second sides is larger (C.04.3, 5.2.2).
        """
        first, second = self.counts
        return self.strength, abs(first - second) if self.strength == _ABSOLUTE else 0


def _claim_of(record: Record, player: PlayerId) -> SideClaim:
    past_sides = [
        int(table.seats[0] != player)
        for tables in record.rounds
        for table in tables
        if player in table.seats and _was_played(table)
    ]
    first, second = past_sides.count(0), past_sides.count(1)
    due_side: int | None = int(first > second)
    if not past_sides:
        due_side, strength = None, _NO_CLAIM
    elif abs(first - second) >= 2:
        strength = _ABSOLUTE
    elif len(past_sides) >= 2 and past_sides[-1] == past_sides[-2]:
        due_side, strength = 1 - past_sides[-1], _ABSOLUTE
    elif first == second:
        due_side, strength = 1 - past_sides[-1], _MILD
    else:
        strength = _STRONG
    return SideClaim(player, past_sides, due_side, strength)


def _shared_absolute_side(record: Record, players: Sequence[PlayerId]) -> int | None:
    """Return the side to which both players have an absolute claim; otherwise None.

    An absolute claim is the absolute colour preference of FIDE C.04.3, 1.7.
    """
    claims = {_claim_of(record, player)[2:] for player in players}
    due_side, strength = claims.pop()
    return due_side if not claims and strength == _ABSOLUTE else None


class Situation(Struct, frozen=True, dict=True):
    """A round and the rounds before it, to be explained by the Dutch rules without an engine.

    record:       everything played before the round
    points:       half points of every outcome, by the event's standings profile
    order:        all players of the record, the first seed first
    initial_side: the side of the first seed in round 1, `w` or `b`
    rounds_total: the planned number of rounds; None if unknown
    entrants:     the paired players, including those at tables that the organizer set
    pairing:      the round
    names:        the functions that return names for sentences
    sides:        the names of the two sides
    by_hand:      whether a person, not the engine, made the table in question
    """

    record: Record
    entrants: Entrants
    options: Options
    pairing: Pairing
    points: Mapping[Outcome, int]
    order: Sequence[PlayerId]
    initial_side: str
    names: Names = NO_NAMES
    rounds_total: int | None = None
    sides: tuple[str, str] = ("first", "second")
    by_hand: bool = False

    @cached_property
    def scores(self) -> Mapping[PlayerId, int]:
        """Each player's half points, as the Dutch rules count them."""
        return scores_of(in_trf_terms(self.record, self.points), self.points)

    def why(self, seats: Sequence[PlayerId]) -> tuple[Fact, ...]:
        """Return the facts that help to explain a table, or one player's bye.

        The last fact says that the engine's choice is not explained further. This fact is left out if
        the organizer forced the table or bye, or if a person made the table (`by_hand`).
        """
        return tuple(self._bye_facts(seats[0]) if len(seats) == 1 else self._table_facts(seats[0], seats[1]))

    def why_not(self, one: PlayerId, other: PlayerId) -> tuple[Fact, ...]:
        """Return the facts that speak against pairing two players.

        If `other` is `NOBODY`, return the facts that speak against giving `one` the bye.
        """
        players = (one,) if other == NOBODY else (one, other)
        obstacles = list(self._bye_obstacles(one) if other == NOBODY else self._obstacles(one, other))
        tables = [table.number for table in self.pairing.tables if set(table.seats) == set(players)]
        if tables or (other == NOBODY and one in self.pairing.byes):
            return (facts.meeting_fact(self.names, players, tables[0] if tables else None), *obstacles)
        is_barred_from_bye = other == NOBODY and self._is_barred_from_bye(one)
        ruled_out = is_barred_from_bye or any(rule.kind in {"impossible", "forbidden"} for rule in obstacles)
        if not ruled_out and not self.by_hand:
            noun = "bye" if other == NOBODY else "pair"
            obstacles.append(
                _unexplained_fact(players, "other", f"no absolute rule forbids this {noun}, but")
            )
        return tuple(obstacles)

    # -- a table

    def _table_facts(self, first: PlayerId, second: PlayerId) -> Iterator[Fact]:
        seats = (first, second)
        if set(seats) in map(set, self.options.forced):
            yield facts.decision_fact(self.names, seats, "forced")
            return
        high, low = sorted(seats, key=self._rank)
        if self.scores[high] == self.scores[low]:
            yield facts.same_points(seats, {entrant.id: self.scores[entrant.id] for entrant in self.entrants})
        else:
            yield facts.paired_down(self.names, high, low, self.scores)
            yield from self._boundary_facts(high, low)
        if _have_met(self.record, first, second):
            yield _rematch_fact(seats)
        else:
            yield fact("rematch", seats, "they have not met before")
        claims = _claim_of(self.record, first), _claim_of(self.record, second)
        yield from (self._due_side_fact(claim) for claim in claims)
        sides = self._given_sides_fact(*claims)
        if sides.data["rule"] or not self.by_hand:
            yield sides
        if not self.by_hand:
            yield _unexplained_fact(seats, "table", "among the pairs that may meet,")

    def _rank(self, player: PlayerId) -> tuple[int, int]:
        """Return the sort key of a player; the highest-ranked player has the least key."""
        return -self.scores[player], self.order.index(player)

    def _boundary_facts(self, high: PlayerId, low: PlayerId) -> Iterator[Fact]:
        """Yield a fact for each score that makes it necessary to pair a player down.

        These are the scores above that of `low`, up to that of `high`, for which the number of players with
        this score or more is odd. One of these players must meet a player with fewer points. The player
        with the bye and the players at the organizer's tables are not counted.
        """
        scores = self.scores
        set_aside_players = self.options.forced_players.union(self.pairing.byes)
        counted_players = [entrant.id for entrant in self.entrants if entrant.id not in set_aside_players]
        for score in sorted({scores[player] for player in counted_players}, reverse=True):
            above = [player for player in counted_players if scores[player] >= score]
            if not scores[low] < score <= scores[high] or len(above) % 2 == 0:
                continue
            bye = next((player for player in self.pairing.byes if scores[player] >= score), None)
            set_tables = sum(any(scores[p] >= score for p in pair) for pair in self.options.forced)
            players = (above[0],) if len(above) == 1 else (high, low)
            aside = facts.Aside(bye=bye, set_tables=set_tables)
            yield facts.crossing(self.names, players, score=score, above=len(above), aside=aside)

    def _obstacles(self, one: PlayerId, other: PlayerId) -> Iterator[Fact]:
        players = (one, other)
        yield from facts.set_elsewhere(self.names, self.options, players, len(self.entrants))
        if set(players) in map(set, self.options.forbidden):
            yield facts.kept_apart(players)
        if _have_met(self.record, one, other):
            yield _rematch_fact(players)
        side = _shared_absolute_side(self.record, players)
        if side is not None and not _has_topscorer(
            players, self.record, self.scores, self.points, self.rounds_total
        ):
            claim_text = f"both must be {self.sides[side]} now"
            text = f"{claim_text}, and the Dutch rules never seat two such players together"
            yield fact("impossible", players, text, side=self.sides[side])
        if self.scores[one] != self.scores[other]:
            yield facts.points_apart(players, abs(self.scores[one] - self.scores[other]))

    # -- the sides of a table

    def _due_side_fact(self, claim: SideClaim) -> Fact:
        """Return the fact about a player's sides so far and the side that is due (C.04.3, 1.7)."""
        player, past_sides = self.names.player(claim.player), claim.past_sides
        counts, last = claim.counts, past_sides[-1] if past_sides else None
        if last is None or claim.due_side is None:
            text = f"{player} has not played yet, so no side is due"
        else:
            sides_text = listed(
                f"{side} {format_times(count)}" if count else f"never {side}"
                for side, count in zip(self.sides, counts, strict=True)
            )
            if claim.is_twice:
                sides_text += f", the last two times {self.sides[last]}"
            elif counts[0] == counts[1]:
                sides_text += f", the last time {self.sides[last]}"
            verb = {_ABSOLUTE: "must now be", _STRONG: "should now be", _MILD: "is next to be"}
            text = f"{player} has been {sides_text}: {verb[claim.strength]} {self.sides[claim.due_side]}"
        return fact(
            "sides", (claim.player,), text,
            {"first": counts[0], "second": counts[1], "strength": claim.strength},
            sides=self.sides, had=counts, last=last, twice=claim.is_twice, due=claim.due_side,
            strength=claim.strength,
        )  # fmt: skip

    def _given_sides_fact(self, one: SideClaim, other: SideClaim) -> Fact:
        """Return the fact that says why player `one` has the first side (C.04.3, Art. 5).

        A player's *claim* is the side that the player should get because of earlier sides (`SideClaim`). In
        the data of the fact, `rule` is one of these numbers:

        * 1: every claim is granted, because the two players do not claim the same side
        * 2: the player with the stronger claim gets that side
        * 3: both change sides, compared with the last round in which the two had different sides
        * 4: the higher-ranked player gets the side that this player claims
        * 5: neither has played yet; the higher-ranked player gets the side that was drawn for odd or
          even numbers in the order of the players
        * 0: none of these rules is the reason

        `whom` is the player whose claim is granted (2, 4), the player who had the first side in that last
        round (3), or the higher-ranked player (5). `place` is the number of this player in the order (5).
        """
        players = one.player, other.player
        higher = min(players, key=self._rank)
        earlier = zip(one.past_sides[::-1], other.past_sides[::-1], strict=False)
        last_different = next((side for side, other_side in earlier if side != other_side), None)
        claimant: PlayerId | None = higher
        place = 0
        if one.due_side is None and other.due_side is None:
            place = [player for player in self.order if player in self._paired_players].index(higher) + 1
            has_first_side = (self.initial_side == "w") == (place % 2 == 1)
            rule, is_reason = 5, has_first_side == (higher == one.player)
        elif one.due_side != other.due_side:
            rule, is_reason, claimant = 1, one.due_side in {0, None} and other.due_side in {1, None}, None
        elif one.weight != other.weight:
            claimant = one.player if one.weight > other.weight else other.player
            rule, is_reason = 2, (one.due_side == 0) == (claimant == one.player)
        elif last_different is not None:
            rule, is_reason, claimant = 3, last_different == 1, other.player
        else:
            rule, is_reason = 4, (one.due_side == 0) == (higher == one.player)
        if not is_reason:
            rule, claimant, place = 0, None, 0
        text = self._rule_text(players, rule, claimant, place)
        return fact("sides", players, text, rule=rule, sides=self.sides, whom=claimant, place=place)

    def _rule_text(
        self, players: tuple[PlayerId, PlayerId], rule: int, claimant: PlayerId | None, place: int
    ) -> str:
        first, second = map(self.names.player, players)
        player = "" if claimant is None else self.names.player(claimant)
        claims_text, side = "both are due the same side", self.sides[players[0] != claimant]
        return [
            "the engine chose the sides, which is not explained further",
            f"so {first} is {self.sides[0]} and {second} {self.sides[1]}: both claims are granted",
            f"{claims_text}, and {player} has the stronger claim",
            f"{claims_text} equally; the last time their sides differed {player} was {self.sides[0]}, so now "
            "the other one is",
            f"{claims_text} equally, and {player} is ranked higher",
            f"no side is due to either: {player}, ranked higher, is number {place} in the order, and "
            f"{'odd' if place % 2 else 'even'} numbers begin with {side}, as drawn before round 1",
        ][rule]

    @cached_property
    def _paired_players(self) -> frozenset[PlayerId]:
        """The players who were paired in this round or an earlier one.

        Only these players have numbers in the order of seeds (C.04.3, 5.2.5).
        """
        past_players = {player for tables in self.record.rounds for table in tables for player in table.seats}
        return frozenset(past_players.union(*self.record.byes, (entrant.id for entrant in self.entrants)))

    # -- the bye

    def _bye_facts(self, player: PlayerId) -> Iterator[Fact]:
        yield facts.odd_number((player,), len(self.entrants))
        if player == self.options.forced_bye:
            yield facts.decision_fact(self.names, (player,), "forced")
            return
        yield self._bye_rule_fact(player)
        forced_players = self.options.forced_players
        free = [entrant.id for entrant in self.entrants if entrant.id not in forced_players]
        lower_players = [other for other in free if self.scores[other] < self.scores[player]]
        if barred_players := [other for other in lower_players if self._is_barred_from_bye(other)]:
            yield self._barred_fact(barred_players, with_fewer_points=True)
        if self.by_hand:
            return
        if able_players := [other for other in lower_players if other not in barred_players]:
            names, verb = self.names.players(able_players), facts.is_or_are(able_players)
            lead = f"{names} {verb} on fewer points and may have the bye, but"
            yield _unexplained_fact(able_players, "fewer", lead)
        else:
            yield _unexplained_fact((player,), "bye", "among the players who may have the bye,")

    def _bye_obstacles(self, player: PlayerId) -> Iterator[Fact]:
        yield from facts.set_elsewhere(self.names, self.options, (player,), len(self.entrants))
        if len(self.entrants) % 2:
            yield self._bye_rule_fact(player)
            if not self._is_barred_from_bye(player):
                yield from (self._bye_rule_fact(other) for other in self.pairing.byes if other != player)

    def _is_barred_from_bye(self, player: PlayerId) -> bool:
        return _had_free_points(self.record, player, self.points)

    def _bye_rule_fact(self, player: PlayerId) -> Fact:
        """Return the fact that the player may have the bye, or that [C2] rules it out.

        If the player may have the bye, the fact also states the player's points.
        """
        if self._is_barred_from_bye(player):
            return self._barred_fact((player,))
        points = facts.points_words(self.scores[player])
        text = f"{self.names.player(player)} is on {points}, has had no bye and won nothing without playing"
        return fact("bye", (player,), text, half_points=self.scores[player])

    def _barred_fact(self, players: Sequence[PlayerId], *, with_fewer_points: bool = False) -> Fact:
        """Return the fact that [C2] rules out the bye for these players.

        They have had a bye, or have won without playing.

        with_fewer_points: whether the players have fewer points than the player with the bye
        """
        verb = "has" if len(players) == 1 else "have"
        on_fewer = f"{facts.is_or_are(players)} on fewer points, but " if with_fewer_points else ""
        history = f"{self.names.players(players)} {on_fewer}{verb} had a bye or won without playing"
        return fact("bye", players, f"{history}, which rules out the bye", fewer=with_fewer_points)


def _rematch_fact(players: Sequence[PlayerId]) -> Fact:
    """Return the fact that two players have played each other and must not meet again ([C1])."""
    text = "they have met before, and the Dutch rules never let two players meet twice"
    return fact("impossible", players, text)


def _unexplained_fact(players: Sequence[PlayerId], about: str, lead: str) -> Fact:
    """Return the fact that the engine's choice is not explained further.

    The engine is another program. Only it applies the quality criteria of C.04.3.

    about: the engine's choice: `table` (it made this table), `bye` (it gave this bye), `other` (it did not
           make this table, or did not give this bye), or `fewer` (it did not give the bye to `players`, who
           may have it and have fewer points than the player with the bye)
    lead:  the beginning of the sentence
    """
    choice = "the engine chooses by the order of FIDE C.04.3, which is not explained further"
    return fact("engine", players, f"{lead} {choice}", about=about)
