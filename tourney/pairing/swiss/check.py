"""Check a given round against the players' histories, the organizer's pairs and the optimum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.facts import Difference, Gaps, amount, points_words
from tourney.pairing.manual import GivenRound, Sizes, table_numbers
from tourney.pairing.pairing import (
    Cost,
    Entrants,
    Options,
    Pair,
    Pairing,
    RoundVerdict,
    number_of,
    upper_levels,
)
from tourney.pairing.swiss.engine import pair
from tourney.pairing.swiss.field import Field, prepare, seats_of
from tourney.pairing.swiss.levels import cost_of
from tourney.record import NOBODY, NameOf, PlayerId, Table, format_points
from tourney.wording import counted, format_times

_NOBODY_ABSENT: Mapping[PlayerId, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round(GivenRound):
    """A given Swiss round: pairs of a field, and at most one bye."""

    field: Field

    @property
    def bye(self) -> PlayerId | None:
        """The player with the bye, or None."""
        return next(iter(self.byes), None)

    @property
    def pairs(self) -> list[Pair]:
        """The tables' pairs, the bye last in its own."""
        pairs = [seats_of(self.field, (table.seats[0], table.seats[1])) for table in self.tables]
        return pairs + [(player, NOBODY) for player in self.byes]


def check(
    entrants: Entrants,
    options: Options,
    tables: Sequence[Table],
    bye: PlayerId | None,
    *,
    absent: Mapping[PlayerId, str] = _NOBODY_ABSENT,
    best: Pairing | None = None,
    name: NameOf = number_of,
) -> list[Finding]:
    """Return the faults of a round, errors first. An empty list means legal and optimal.

    absent: why known players are not entrants ("dropped after round 3"); all others are strangers
    best:   the engine's round, if known; else it is made

    Errors: `seated-twice`, `not-seated`, `not-in-round`, `table-size`, `table-number`, `forbidden`, `forced`,
    `rematch`, `second-bye`, `fixed-table`. Advice: `rematch` (proved unavoidable), `bye`, `float` and `cost`.
    If players are missing or seated twice, only that is reported, because the cost of such a round means
    nothing.
    """
    field = prepare(entrants, options)
    round_ = _Round(
        field=field, entrants=field.entrants, options=options, tables=tables,
        byes=() if bye is None else (bye,), sizes=Sizes(), absent=absent, name=name,
    )  # fmt: skip
    broken = [*_seats(round_), *table_numbers(round_)]
    if any(finding.rule != "table-number" for finding in broken):
        return broken
    findings = [*broken, *_organizers_pairs(round_), *_fixed_tables(round_)]
    if best is None:
        try:
            best = pair(entrants, options, "", name=name)
        except TourneyError as refusal:
            return [*findings, round_.finding("possible", refusal.message, severity=Severity.ADVICE)]
    findings += [*_rematches(round_, best.cost), *_bye(round_, best.cost), *_cost(round_, best)]
    return sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)


def _seats(round_: _Round) -> Iterator[Finding]:
    name, entrants = round_.name, round_.field.entrants
    places = round_.places
    for table in round_.tables:
        if len(table.seats) != 2:
            message = f"table {table.number} seats {len(table.seats)} players, a Swiss table seats 2"
            yield round_.finding("table-size", message, *table.seats, have=len(table.seats), allowed="2")
    for player, where in places.items():
        if player not in entrants:
            why = round_.absent.get(player, "is not in this event")
            yield round_.finding("not-in-round", f"{name(player)} {why}, but has {where[0]}", player)
        elif len(where) > 1:
            message = f"{name(player)} is seated {len(where)} times: {' and '.join(where)}"
            yield round_.finding("seated-twice", message, player, have=len(where), allowed="1")
    for player in entrants:
        if player not in places:
            yield round_.finding("not-seated", f"{name(player)} has neither a table nor the bye", player)


def _organizers_pairs(round_: _Round) -> Iterator[Finding]:
    name, options = round_.name, round_.field.options
    forced = [tuple(sorted(pair)) for pair in options.forced]
    made = {tuple(sorted(pair)) for pair in round_.pairs}
    for one, other in round_.pairs:
        if other != NOBODY and not round_.field.allowed(one, other):
            yield round_.finding(
                "forbidden", f"{name(one)}–{name(other)} are kept apart by the organizer", one, other
            )
    for one, other in forced:
        if (one, other) not in made:
            yield round_.finding(
                "forced", f"{name(one)}–{name(other)} must meet, as the organizer decided", one, other
            )
    if options.forced_bye not in {None, round_.bye}:
        assert options.forced_bye is not None
        message = f"{name(options.forced_bye)} must have the bye, as the organizer decided"
        yield round_.finding("forced", message, options.forced_bye)
    if round_.bye in options.no_bye and round_.bye is not None:
        yield round_.finding(
            "forbidden", f"{name(round_.bye)} must not have the bye, as the organizer decided", round_.bye
        )


def _fixed_tables(round_: _Round) -> Iterator[Finding]:
    entrants, name = round_.field.entrants, round_.name
    for table in round_.tables:
        wishes = {player: entrants[player].fixed_table for player in table.seats}
        fixed = {player: wish for player, wish in wishes.items() if wish is not None}
        kept = table.number in fixed.values()
        for player, wish in fixed.items():
            if wish != table.number:
                rest = ", where the opponent's fixed table is" if kept else ""
                message = (
                    f"{name(player)} has the fixed table {wish} and is seated at table {table.number}{rest}"
                )
                severity = Severity.ADVICE if kept else Severity.ERROR
                yield round_.finding(
                    "fixed-table", message, player, have=table.number, allowed=wish, severity=severity
                )


def _rematches(round_: _Round, best: Cost) -> Iterator[Finding]:
    field, name = round_.field, round_.name
    repeated = [
        (one, other) for one, other in round_.pairs if other != NOBODY and field.times_met(one, other)
    ]
    proved = len(repeated) <= best.rematches
    for one, other in repeated:
        rest = (
            f"{best.rematches} of them cannot be avoided in this field"
            if best.rematches
            else "a round without a rematch is possible"
        )
        message = (
            f"{name(one)}–{name(other)} have met {format_times(field.times_met(one, other))} before; {rest}"
        )
        severity = Severity.ADVICE if proved else Severity.ERROR
        yield round_.finding(
            "rematch", message, one, other, have=len(repeated), allowed=best.rematches, severity=severity
        )


def _bye(round_: _Round, best: Cost) -> Iterator[Finding]:
    if round_.bye is None:
        return
    field, name = round_.field, round_.name
    earlier, points = field.earlier_byes(round_.bye), field.points[round_.bye]
    if earlier > best.bye_earlier:
        had, fewer = _byes(earlier), _byes(best.bye_earlier)
        message = (
            f"{name(round_.bye)} has had {had} already and gets another; a player with {fewer} can take it"
        )
        yield round_.finding("second-bye", message, round_.bye, have=earlier, allowed=best.bye_earlier)
    elif earlier == best.bye_earlier and points > best.bye_points:
        message = (
            f"{name(round_.bye)} has the bye on {points_words(points)}; "
            f"a player on {points_words(best.bye_points)} can take it"
        )
        have, allowed = format_points(points), format_points(best.bye_points)
        yield round_.finding("bye", message, round_.bye, have=have, allowed=allowed, severity=Severity.ADVICE)


def _byes(count: int) -> str:
    return "no bye" if count == 0 else "a bye" if count == 1 else f"{count} byes"


def _cost(round_: _Round, best: Pairing) -> Iterator[Finding]:
    """Yield the first level below the bye on which the round costs too much, and where too many float."""
    cost, points = cost_of(round_.field, round_.pairs), round_.field.points
    gaps, mode = (Gaps.at(best.tables, points), Gaps.at(round_.tables, points)), round_.field.options.mode
    dearer = Difference.between(best.cost, cost, gaps, mode=mode)
    if dearer is not None and dearer.level in {"rematches", "times_met", "bye_earlier", "bye_points"}:
        dearer = Difference.between(best.cost, cost, gaps, levels=["differences"])
    if dearer is None or dearer.other < dearer.best:
        return
    have, allowed = amount(dearer.level, dearer.other), amount(dearer.level, dearer.best)
    yield round_.finding(
        "cost",
        f"not the best round: it has {dearer.text}",
        have=have,
        allowed=allowed,
        severity=Severity.ADVICE,
    )
    if dearer.level == "differences":
        yield from _floats(round_, best)


def _floats(round_: _Round, best: Pairing) -> Iterator[Finding]:
    """Yield each score boundary that more tables cross than in the best round."""
    points = round_.field.points
    needed = _crossing(points, [(table.seats[0], table.seats[1]) for table in best.tables])
    for (above, below), pairs in _crossing(
        points, [(one, other) for one, other in round_.pairs if other != NOBODY]
    ).items():
        enough = len(needed.get((above, below), ()))
        if len(pairs) > enough:
            tables = counted(len(pairs), "table pairs", "tables pair")
            scores = f"{points_words(above)} or more with {format_points(below)} or fewer"
            message = f"{tables} {scores}; {enough} would be enough"
            players = [player for pair in pairs for player in pair]
            yield round_.finding(
                "float", message, *players, have=len(pairs), allowed=enough, severity=Severity.ADVICE
            )


def _crossing(points: Mapping[PlayerId, int], pairs: Sequence[Pair]) -> dict[tuple[int, int], list[Pair]]:
    """Return the pairs that cross each boundary between two neighbouring scores, from the top."""
    scores = sorted(set(points.values()), reverse=True)
    place = {score: number for number, score in enumerate(scores)}
    crossing: dict[tuple[int, int], list[Pair]] = {boundary: [] for boundary in pairwise(scores)}
    for one, other in pairs:
        upper, lower = sorted((place[points[one]], place[points[other]]))
        for number in range(upper, lower):
            crossing[scores[number], scores[number + 1]].append((one, other))
    return crossing


# -- verify a recorded round: legal, optimal, the same tables


def verify(
    entrants: Entrants,
    options: Options,
    tables: Sequence[Table],
    bye: PlayerId | None,
    seed: str,
    *,
    best: Pairing | None = None,
    name: NameOf = number_of,
) -> RoundVerdict:
    """Return whether a round is legal, as good as the best one, and the round of the seed.

    best: the engine's round for this seed, if known; else it is made

    A round that seats a player twice or not at all has no cost, and is neither legal nor optimal nor the
    same. Raises TourneyError if entrants and options allow no round.
    """
    best = best or pair(entrants, options, seed, name=name)
    findings = check(entrants, options, tables, bye, best=best, name=name)
    errors = {finding.rule for finding in findings if finding.severity is Severity.ERROR}
    if errors & {"seated-twice", "not-seated", "not-in-round", "table-size"}:
        return RoundVerdict(legal=False, optimal=False, same=False, cost=None, best=best.cost)
    cost = price(entrants, options, tables, () if bye is None else (bye,))
    recorded = {(table.number, table.seats) for table in tables}
    return RoundVerdict(
        legal=not errors,
        optimal=not errors and _up_to(best.exact_levels, cost) == _up_to(best.exact_levels, best.cost),
        same=bye == best.bye and recorded == {(table.number, table.seats) for table in best.tables},
        cost=cost,
        best=best.cost,
    )


def price(entrants: Entrants, options: Options, tables: Sequence[Table], byes: Sequence[PlayerId]) -> Cost:
    """Return the cost of a recorded round.

    Anyone can compute it from the tables, without an engine.

    Only tables of two entrants count: in a repaired round, a player may have left after playing.
    """
    field = prepare(entrants, options)
    pairs: list[Pair] = [
        seats_of(field, (table.seats[0], table.seats[1]))
        for table in tables
        if len(table.seats) == 2 and field.entrants.keys() >= set(table.seats)
    ]
    return cost_of(field, pairs + [(player, NOBODY) for player in byes if player in field.entrants])


def _up_to(exact_levels: int, cost: Cost) -> tuple[int, ...]:
    """Return the levels that the engine proves: all, or those down to the point differences."""
    return tuple(cost.as_dict().values()) if exact_levels == 7 else upper_levels(cost)
