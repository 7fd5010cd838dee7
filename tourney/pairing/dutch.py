"""FIDE's Dutch system, for games with sides: the question to an engine as a TRF, and its answer as a Pairing.

    question = ask(record, entrants, options, points=…, order=initial_order(ratings),
                   initial_side=drawn_side(seed_of_round_one), rounds_total=7)
    pairs = …                       # an engine reads question.text; `tourney.store.fide` starts one
    pairing = answer(question, pairs, seed="…")

What the rules say of a round without an engine: `tourney.pairing.dutch_rules`. Nothing here starts a process. The engine
sees pairing numbers only, no names. Source: FIDE Handbook C.04.1 to C.04.3 and C.04.7 in force from 1 February 2026; the TRF is FIDE's own dialect of 2026.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.pairing import Entrant, Mode, Options, Pairing, number_of
from tourney.pairing.seed_hash import draw
from tourney.pairing.swiss.field import refuse_contradictions
from tourney.record import NameOf, Outcome, PlayerId, Record, Table, points_text
from tourney.trf import Byes, ForbiddenPairs, TrfFile, file_of, write

METHOD = "FIDE Dutch 2026"
"""What `Pairing.method` says of its rounds."""

_SCORING = {
    "W": Outcome.WIN,
    "D": Outcome.DRAW,
    "L": Outcome.LOSS,
    "A": Outcome.ABSENT,
    "P": Outcome.BYE,
}
_STAND_INS = {
    Outcome.FORFEIT_WIN: Outcome.WIN,
    Outcome.DOUBLE_LOSS: Outcome.LOSS,
    Outcome.FORFEIT_LOSS: Outcome.ABSENT,
}
"""What the format gives an outcome at a table that has no points of its own."""

_FULL_VALUE = {**_STAND_INS, Outcome.AWARDED_BYE: Outcome.WIN, Outcome.HALF_BYE: Outcome.DRAW}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What an engine is asked.

    text:        the tournament as a TRF, everything before the round to be paired
    round:       the round to be paired
    players:     players[n - 1] has pairing number n
    playing:     who is to be paired by the engine
    points:      half points so far, by player, without any acceleration
    forced:      the tables that the organizer set, which the engine does not see
    forced_bye:  who has the bye by the organizer's will, or None
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
        """Return what tables are ordered by, the first table least."""
        ranks = sorted((-self.points[player], self.players.index(player)) for player in pair)
        return ranks[0][0], sum(minus_points for minus_points, _ in ranks), ranks[0][1]


def drawn_side(seed: str) -> str:
    """Draw the side of the first seed in round 1, `w` (the first side) or `b`. Ask with the same seed in every round."""
    return "wb"[draw(seed, "initial side", below=2)]


def initial_order(ratings: Mapping[PlayerId, int | None]) -> tuple[PlayerId, ...]:
    """Return the players by rating, the highest first and the unrated last; equals in order of registration (C.04.2 2).

    >>> initial_order({PlayerId(1): None, PlayerId(2): 1500, PlayerId(3): 1800})
    (3, 2, 1)
    """
    return tuple(
        sorted(ratings, key=lambda player: (ratings[player] is None, -(ratings[player] or 0), player))
    )


def baku(players: int, rounds_total: int, win: int) -> tuple[int, tuple[int, ...]]:
    """Return how many of the first players are accelerated, and their virtual half points in each round (C.04.7).

    win: half points of a win; the system needs a draw worth half of it.

    >>> baku(45, 9, 2)
    (24, (2, 2, 2, 1, 1))
    """
    if win % 2:
        raise TourneyError(
            f"Baku acceleration halves a win, and {points_text(win)} has no half in half points"
        )
    accelerated = (rounds_total + 1) // 2
    full = (accelerated + 1) // 2
    return 2 * -(-players // 4), (win,) * full + (win // 2,) * (accelerated - full)


def ask(
    record: Record,
    entrants: Sequence[Entrant],
    options: Options,
    *,
    points: Mapping[Outcome, int],
    order: Sequence[PlayerId],
    initial_side: str,
    rounds_total: int | None = None,
    virtual: Mapping[PlayerId, tuple[int, ...]] | None = None,
    name: NameOf = number_of,
) -> Question:
    """Return the question for the round after `record`.

    record:       everything played so far, tables of two with the first side in seat 1
    entrants:     who is to be paired; everybody else of the record is absent
    points:       half points of every outcome, by the event's standings profile
    order:        all players of the record, the first seed first (`initial_order`), the same in every round
    initial_side: `w` or `b`, see `drawn_side`
    rounds_total: rounds planned; None: this round is not the last
    virtual:      half points of acceleration by player, a number for each round

    `options` gives the forbidden and forced pairs, the forced bye and the first table; Dutch has no other switch.
    Raises TourneyError for contradictory options, entrants the record does not know, an open table, and points that a
    TRF cannot say.
    """
    refuse_contradictions(entrants, replace(options, mode=Mode.RANDOM), name)
    players = tuple(order)
    _refuse_strangers(record, entrants, players, name)
    _refuse_open_tables(record)
    by_hand = {player for pair in options.forced for player in pair} | {options.forced_bye}
    playing = frozenset(each.id for each in entrants if each.id not in by_hand)
    codable = in_trf_terms(record, points)
    scores = scores_of(codable, points)
    file = replace(
        file_of(
            codable,
            points=scores,
            names={p: f"Player {p}" for p in record.players},
            order=players,
        ),
        rounds_total=rounds_total if rounds_total is not None else len(record.rounds) + 2,
        initial_side=initial_side,
        scoring={code: points[outcome] for code, outcome in _SCORING.items()},
    )
    return Question(
        text=write(_with_requests(file, players, playing, options, virtual or {})),
        round=len(record.rounds) + 1,
        players=players,
        playing=playing,
        points=scores,
        forced=options.forced,
        forced_bye=options.forced_bye,
        first_table=options.first_table,
    )


def _refuse_strangers(
    record: Record, entrants: Sequence[Entrant], order: Sequence[PlayerId], name: NameOf
) -> None:
    known = set(record.players)
    for each in entrants:
        if each.id not in known:
            raise TourneyError(f"{name(each.id)} is to be paired, but is not a player in this event")
    if len(order) != len(known) or set(order) != known:
        raise TourneyError("the order of seeds has to name every player of the event once")


def _refuse_open_tables(record: Record) -> None:
    for round_number, tables in enumerate(record.rounds, 1):
        for table in tables:
            if table.result is None:
                raise TourneyError(
                    f"round {round_number}, table {table.number} has no result yet",
                    "the Dutch system pairs by results: enter it first",
                )


def in_trf_terms(record: Record, points: Mapping[Outcome, int]) -> Record:
    """Return the record in the outcomes a TRF has points for: a bye worth nothing is an absence, and the like.

    Raises TourneyError where an outcome that happened is worth what no code of the format is.
    """
    for outcome in _outcomes(record):
        stand_in = _STAND_INS.get(outcome)
        if stand_in and points[outcome] != points[stand_in]:
            raise TourneyError(
                f"the Dutch system cannot be told of a {outcome.value} worth {points_text(points[outcome])}: "
                f"in its files it is worth as much as a {stand_in.value}, {points_text(points[stand_in])}",
                "pair with `swiss`, which balances sides too, or use a standings profile that agrees",
            )
    byes = tuple({p: _bye_in_trf_terms(kind, points) for p, kind in each.items()} for each in record.byes)
    return replace(record, byes=byes)


def _outcomes(record: Record) -> set[Outcome]:
    """Return the outcomes that happened at tables."""
    return {
        seat.outcome
        for tables in record.rounds
        for table in tables
        if table.result
        for seat in table.result.seats
    }


def _bye_in_trf_terms(kind: Outcome, points: Mapping[Outcome, int]) -> Outcome:
    """Return the bye of a TRF that is worth what this one is: full, half or zero points."""
    if kind is Outcome.BYE:
        return kind
    worth = {
        points[Outcome.ABSENT]: Outcome.ABSENT,
        points[Outcome.DRAW]: Outcome.HALF_BYE,
        points[Outcome.WIN]: Outcome.AWARDED_BYE,
    }
    if points[kind] not in worth:
        raise TourneyError(
            f"the Dutch system cannot be told of a {kind.value} worth {points_text(points[kind])}: "
            "it has to be worth a win, a draw or nothing",
            "pair with `swiss`, which balances sides too, or use a standings profile that agrees",
        )
    return worth[points[kind]]


def scores_of(record: Record, points: Mapping[Outcome, int]) -> dict[PlayerId, int]:
    """Return half points so far, as the format counts them."""
    scores = dict.fromkeys(record.players, 0)
    for round_index, tables in enumerate(record.rounds):
        away = record.byes[round_index] if round_index < len(record.byes) else {}
        here = {seat.player: seat.outcome for table in tables if table.result for seat in table.result.seats}
        for player in scores:
            outcome = here.get(player) or away.get(player, Outcome.ABSENT)
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
        accelerations={
            number[p]: given for p, given in sorted(virtual.items(), key=lambda each: number[each[0]])
        },
    )


def answer(question: Question, pairs: Sequence[tuple[int, int]], *, seed: str = "") -> Pairing:
    """Return the engine's pairs (pairing numbers, first side first, 0 for the bye) as the round.

    Tables are numbered by C.04.2 3.6: the score of the higher-ranked of the two, then the sum, then the higher-ranked's
    seed; an acceleration does not count. Tables set by the organizer are numbered among the others. Raises TourneyError if the pairs are not
    a round of exactly those asked for.
    """
    seats = [tuple(question.players[n - 1] for n in pair if 0 < n <= len(question.players)) for pair in pairs]
    engine_bye = tuple(pair[0] for pair in seats if len(pair) == 1)
    byes = engine_bye if question.forced_bye is None else (*engine_bye, question.forced_bye)
    paired = sorted(player for pair in seats for player in pair)
    if paired != sorted(question.playing) or len(byes) > 1:
        raise TourneyError(
            "the engine's answer is not a round: it does not seat everybody who is to be paired exactly once"
        )
    tables = sorted([*question.forced, *(pair for pair in seats if len(pair) == 2)], key=question.board)
    return Pairing(
        tables=tuple(Table(number, tuple(pair)) for number, pair in enumerate(tables, question.first_table)),
        byes=byes,
        proof=f"as {METHOD} has it",
        seed=seed,
        method=METHOD,
    )


def check(expected: Pairing, tables: Sequence[Table], *, name: NameOf = number_of) -> list[Finding]:
    """Return where a given round differs from the engine's: other opponents, or the same with changed sides."""
    by_player = {player: table.seats for table in expected.tables for player in table.seats}
    findings: list[Finding] = []
    for table in tables:
        pair_due = by_player.get(table.seats[0])
        if pair_due == table.seats:
            continue
        turned = pair_due is not None and set(pair_due) == set(table.seats)
        should = " – ".join(map(name, pair_due)) if pair_due else f"{name(table.seats[0])} has the bye"
        findings.append(
            Finding(
                rule="sides" if turned else "dutch",
                severity=Severity.ERROR,
                message=f"table {table.number}: {' – '.join(map(name, table.seats))}; by the Dutch rules {should}",
                subjects=tuple(map(name, table.seats)),
                cite="FIDE C.04.3, Art. 5" if turned else "FIDE C.04.3",
            )
        )
    return findings
