"""Check a Swiss round: rematches, the bye, the organizer's pairs, and the cost.

The cost is compared with the cost of the best round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.facts import Difference, Gaps, amount, byes_words, points_words
from tourney.pairing.manual import GivenRound, Sizes, fixed_tables, organizers_pairs, seats, table_numbers
from tourney.pairing.pairing import (
    Cost,
    Entrants,
    Options,
    Pair,
    Pairing,
    RoundVerdict,
    number_of,
    pair_text,
    upper_levels,
)
from tourney.pairing.swiss.engine import pair
from tourney.pairing.swiss.field import Field, prepare, seats_of
from tourney.pairing.swiss.levels import cost_of
from tourney.record import NOBODY, NameOf, PlayerId, Table, format_points
from tourney.wording import counted, format_times


class _Round(GivenRound, frozen=True, kw_only=True):
    """A Swiss round to be checked: tables of two, and at most one bye."""

    field: Field

    @property
    def bye(self) -> PlayerId | None:
        """The player with the bye, or None."""
        return next(iter(self.byes), None)

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of all tables; the bye is the last pair, with `NOBODY`."""
        pairs = [seats_of(self.field, (table.seats[0], table.seats[1])) for table in self.tables]
        return pairs + [(player, NOBODY) for player in self.byes]


def check(
    entrants: Entrants,
    options: Options,
    tables: Sequence[Table],
    bye: PlayerId | None,
    *,
    absent: Mapping[PlayerId, str] | None = None,
    best: Pairing | None = None,
    name: NameOf = number_of,
) -> list[Finding]:
    """Return the faults of a round, errors first. An empty list means legal and optimal.

    absent: for each player of the event who is not an entrant, the reason, such as `dropped after round 3`; a
            player who is neither in `absent` nor an entrant is not in the event
    best:   the engine's round; if None, the function pairs it

    Errors: `seated-twice`, `not-seated`, `not-in-round`, `table-size`, `table-number`, `forbidden`, `forced`,
    `rematch`, `second-bye`, `fixed-table`. Advice: `rematch` (proved unavoidable), `bye`, `float` and `cost`.
    If players are missing or seated twice, only wrong seats and table numbers are reported, because the cost
    of such a round means nothing.
    """
    field = prepare(entrants, options)
    round_ = _Round(
        field=field, entrants=field.entrants, options=options, tables=tables,
        byes=() if bye is None else (bye,), sizes=Sizes(), absent=absent or {}, name=name,
    )  # fmt: skip
    numbers = list(table_numbers(round_))
    if seat_findings := list(seats(round_)):
        return [*seat_findings, *numbers]
    findings = [*numbers, *organizers_pairs(round_), *fixed_tables(round_)]
    if best is None:
        try:
            best = pair(entrants, options, "", name=name)
        except TourneyError as refusal:
            return [*findings, round_.finding("possible", refusal.message, severity=Severity.ADVICE)]
    findings += [*_rematches(round_, best.cost), *_bye(round_, best.cost), *_cost(round_, best)]
    return sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)


def _rematches(round_: _Round, best: Cost) -> Iterator[Finding]:
    field, name = round_.field, round_.name
    times = {pair: field.times_met(*pair) for pair in round_.pairs if NOBODY not in pair}
    count = sum(map(bool, times.values()))
    severity = Severity.ADVICE if count <= best.rematches else Severity.ERROR
    reason = "a round without a rematch is possible"
    if best.rematches:
        reason = f"{counted(best.rematches, 'rematch', 'rematches')} cannot be avoided in this field"
    for players, meetings in times.items():
        if meetings:
            message = f"{pair_text(players, name)} have met {format_times(meetings)} before; {reason}"
            yield round_.finding(
                "rematch", message, *players, have=count, allowed=best.rematches, severity=severity
            )


def _bye(round_: _Round, best: Cost) -> Iterator[Finding]:
    if round_.bye is None:
        return
    field, name = round_.field, round_.name
    earlier, points = field.earlier_byes(round_.bye), field.points[round_.bye]
    if earlier > best.bye_earlier:
        byes_text, fewer_text = byes_words(earlier), byes_words(best.bye_earlier)
        message = (
            f"{name(round_.bye)} has had {byes_text} already and gets another; "
            f"a player with {fewer_text} can take the bye"
        )
        yield round_.finding("second-bye", message, round_.bye, have=earlier, allowed=best.bye_earlier)
    elif earlier == best.bye_earlier and points > best.bye_points:
        have, allowed = format_points(points), format_points(best.bye_points)
        alternative = f"a player on {points_words(best.bye_points)} can take the bye"
        message = f"{name(round_.bye)} has the bye on {points_words(points)}; {alternative}"
        yield round_.finding("bye", message, round_.bye, have=have, allowed=allowed, severity=Severity.ADVICE)


def _cost(round_: _Round, best: Pairing) -> Iterator[Finding]:
    """Yield findings if the round costs more than the best round, apart from rematches and bye.

    Rematches and the bye are checked elsewhere. The first finding is about the first level on which the costs
    of the two rounds differ. If that level is about rematches or the bye, the level of point differences is
    compared instead. After a finding about point differences come the findings of `_floats`.
    """
    cost, points = cost_of(round_.field, round_.pairs), round_.field.points
    gaps, mode = (Gaps.at(best.tables, points), Gaps.at(round_.tables, points)), round_.field.options.mode
    difference = Difference.between(best.cost, cost, gaps, mode=mode)
    if difference is not None and difference.level in {"rematches", "times_met", "bye_earlier", "bye_points"}:
        difference = Difference.between(best.cost, cost, gaps, levels=["differences"])
    if difference is None or difference.other < difference.best:
        return
    have, allowed = amount(difference.level, difference.other), amount(difference.level, difference.best)
    message = f"not the best round: it has {difference.text}"
    yield round_.finding("cost", message, have=have, allowed=allowed, severity=Severity.ADVICE)
    if difference.level == "differences":
        yield from _floats(round_, best)


def _floats(round_: _Round, best: Pairing) -> Iterator[Finding]:
    """Yield a finding for each boundary that more tables cross than in `best`.

    A boundary lies between two neighbouring scores. A table crosses it if one player is above it and the
    other below.
    """
    points = round_.field.points
    best_crossing = _crossing(points, [(table.seats[0], table.seats[1]) for table in best.tables])
    crossing = _crossing(points, [pair for pair in round_.pairs if NOBODY not in pair])
    for (above, below), pairs in crossing.items():
        needed_count = len(best_crossing.get((above, below), ()))
        if len(pairs) > needed_count:
            tables = counted(len(pairs), "table pairs", "tables pair")
            scores = f"{points_words(above)} or more with {format_points(below)} or fewer"
            message = f"{tables} {scores}; {needed_count} would be enough"
            players = [player for pair in pairs for player in pair]
            yield round_.finding(
                "float", message, *players, have=len(pairs), allowed=needed_count, severity=Severity.ADVICE
            )


def _crossing(points: Mapping[PlayerId, int], pairs: Sequence[Pair]) -> dict[tuple[int, int], list[Pair]]:
    """Return boundary → the pairs that cross it, the top boundary first.

    A boundary is two neighbouring scores, the higher one first. A pair crosses it if one player is above it
    and the other below.
    """
    scores = sorted(set(points.values()), reverse=True)
    place = {score: number for number, score in enumerate(scores)}
    crossing: dict[tuple[int, int], list[Pair]] = {boundary: [] for boundary in pairwise(scores)}
    for one, other in pairs:
        upper, lower = sorted((place[points[one]], place[points[other]]))
        for number in range(upper, lower):
            crossing[scores[number], scores[number + 1]].append((one, other))
    return crossing


# -- verify a recorded round: whether it is legal, optimal, and the engine's own


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
    """Return whether a round is legal, optimal, and the engine's round for the seed.

    best: the engine's round for this seed; if None, the function pairs it

    If a player has two seats or none, the verdict has no cost, and `legal`, `optimal` and `same` are False.
    Raises TourneyError if entrants and options allow no round.
    """
    best = best or pair(entrants, options, seed, name=name)
    findings = check(entrants, options, tables, bye, best=best, name=name)
    errors = {finding.rule for finding in findings if finding.severity is Severity.ERROR}
    if errors & {"seated-twice", "not-seated", "not-in-round", "table-size"}:
        return RoundVerdict(legal=False, optimal=False, same=False, cost=None, best=best.cost)
    cost = price(entrants, options, tables, () if bye is None else (bye,))
    seatings = {(table.number, table.seats) for table in tables}
    return RoundVerdict(
        legal=not errors,
        optimal=not errors and _up_to(best.exact_levels, cost) == _up_to(best.exact_levels, best.cost),
        same=bye == best.bye and seatings == {(table.number, table.seats) for table in best.tables},
        cost=cost,
        best=best.cost,
    )


def price(entrants: Entrants, options: Options, tables: Sequence[Table], byes: Sequence[PlayerId]) -> Cost:
    """Return the cost of a recorded round, without pairing it.

    Tables with a player who is not an entrant do not count: in a repaired round, a player may have left after
    playing.
    """
    field = prepare(entrants, options)
    pairs: list[Pair] = [
        seats_of(field, (table.seats[0], table.seats[1]))
        for table in tables
        if len(table.seats) == 2 and field.entrants.keys() >= set(table.seats)
    ]
    return cost_of(field, pairs + [(player, NOBODY) for player in byes if player in field.entrants])


def _up_to(exact_levels: int, cost: Cost) -> tuple[int, ...]:
    """Return the values of a cost that are compared with those of the best round.

    exact_levels: the best round's `Pairing.exact_levels`. If it is 7 (all levels are proved optimal), all
                  values are compared; otherwise those down to the point differences
    """
    return tuple(cost.as_dict().values()) if exact_levels == 7 else upper_levels(cost)
