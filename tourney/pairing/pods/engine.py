"""Make a round of pods, prove what can be proved, check a given one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from tourney.errors import TourneyError
from tourney.finding import Finding, Severity
from tourney.pairing import manual
from tourney.pairing.entrant import Entrant, NameOf, number_of
from tourney.pairing.manual import Sizes
from tourney.pairing.options import Options
from tourney.pairing.pairing import MEETS_BOUND, PROVED_BY_SEARCH, Cost, Pairing, within
from tourney.pairing.pods.bound import difference_bound, groups_all_met, rematch_bound, seat_bound
from tourney.pairing.pods.contradictions import refuse_contradictions
from tourney.pairing.pods.exhaust import MOST, best_of_all, rounds_there_are
from tourney.pairing.pods.field import PodField, prepare
from tourney.pairing.pods.search import Search
from tourney.pairing.pods.seats import seat_price, seated
from tourney.pairing.pods.split import place_of, split
from tourney.pairing.swiss.difference import Dearer, Gaps
from tourney.record import PlayerId, Table

EFFORT = 40_000
"""How many exchanges the local search weighs by default."""

LEVELS = (
    ("rematches", "pairs that share a table again", 0),
    ("times_met", "earlier meetings", 0),
    ("differences", "point differences", 2),
    ("apart", "shared groups", 3),
    ("imbalance", "unevenness of seats", 4),
)
"""The levels that are bounded: the field of Cost, what it counts, and the level that is exact if only this one is open."""


def pair(
    entrants: Sequence[Entrant],
    options: Options,
    seed: str,
    *,
    sizes: Sizes,
    seats_before: Mapping[PlayerId, Sequence[int]] | None = None,
    effort: int = EFFORT,
    exhaustive: int = MOST,
    name: NameOf = number_of,
) -> Pairing:
    """Return a round of pods.

    sizes:        how many a table may and should seat
    seats_before: the seats each player had before, from 1
    effort:       how many exchanges the local search weighs; more finds better rounds, and takes longer
    exhaustive:   up to how many possible rounds are all looked at

    In `Cost`, `rematches` and `differences` count every two players of a table, and `imbalance` is by how much the sum
    over players and seats of (times had)² grows. Of `options`, the switches for two-seat games have no meaning here.

    Raises TourneyError for contradictory options, too few players for one table, and where nothing was found that keeps
    the organizer's words (it says whether that is proved).
    """
    refuse_contradictions(entrants, options, sizes, name)
    due = options.forced_bye is not None
    division = split(len(entrants), sizes, least_byes=int(due))
    field = prepare(entrants, options, seed, division, seats_before or {})
    proved = rounds_there_are(field) <= exhaustive
    tables, resting = _all(field) if proved else _searched(field, seed, effort)
    _refuse_broken_words(field, tables, name, proved=proved)
    ordered = [seated(field, table, seed) for table in tables]
    byes = tuple(sorted((*field.byes, *(field.players[place] for place in resting))))
    seats = [tuple(field.players[place] for place in table) for table in ordered]
    numbered = _numbered(entrants, seats, options)
    cost = replace(
        manual.cost_of(entrants, options, numbered, byes),
        imbalance=sum(seat_price(field, table) for table in tables),
    )
    bound = _bound(field, cost)
    proof, exact = _proof(cost, bound, proved=proved)
    method = "every round looked at" if proved else "local search"
    return Pairing(
        tables=numbered,
        byes=byes,
        cost=cost,
        bound=bound,
        proof=proof,
        seed=seed,
        method=method,
        exact_levels=exact,
    )


def price(
    entrants: Sequence[Entrant],
    options: Options,
    tables: Sequence[Table],
    byes: Sequence[PlayerId],
    seats_before: Mapping[PlayerId, Sequence[int]],
) -> Cost:
    """Return what a round of pods costs as it stands, the seats as they are: what anybody can recompute."""
    known = {each.id for each in entrants}
    here = [table for table in tables if known.issuperset(table.seats)]
    seats = [(player, seat) for table in here for seat, player in enumerate(table.seats, 1)]
    return replace(
        manual.cost_of(entrants, options, here, [player for player in byes if player in known]),
        imbalance=sum(2 * list(seats_before.get(player, ())).count(seat) + 1 for player, seat in seats),
    )


def prove(entrants: Sequence[Entrant], options: Options, seed: str, *, sizes: Sizes) -> list[list[PlayerId]]:
    """Return the groups of players who have all met that the bound of the rematches rests on; each player is in one.

    Everything else of the bound follows from points, meetings, sizes and seats (`bound`). The players who have a bye in
    any round are in no group.
    """
    division = split(len(entrants), sizes, least_byes=int(options.forced_bye is not None))
    field = prepare(entrants, options, seed, division, {})
    return [[field.players[place] for place in group] for group in groups_all_met(field)]


def check(
    entrants: Sequence[Entrant],
    options: Options,
    tables: Sequence[Table],
    byes: Sequence[PlayerId],
    *,
    sizes: Sizes,
    best: Pairing | None = None,
    absent: Mapping[PlayerId, str] | None = None,
    name: NameOf = number_of,
) -> list[Finding]:
    """Return what is wrong with a round of pods, errors first: the findings of `manual.check`, and what it costs more.

    best: the engine's round, where the caller has it; it says which rematches and second byes could be avoided

    Errors with `best`: `rematch` and `second-bye` where the engine's round has fewer. Advice: `byes` (more than are
    needed), `sizes` (others are nearer to the preferred one), `cost` (the first level on which it costs more).
    """
    findings = manual.check(entrants, options, tables, byes, sizes=sizes, absent=absent, name=name)
    if best is None or any(
        finding.rule in ("not-in-round", "not-seated", "seated-twice") for finding in findings
    ):
        return findings
    have = manual.cost_of(entrants, options, tables, byes)
    more_byes = len(byes) > len(best.byes)
    alike = divided_alike(tables, byes, best, sizes)
    found = [_settled(finding, have, best, more_byes=more_byes, alike=alike) for finding in findings]
    if more_byes:
        message = f"{len(byes)} players have a bye, {len(best.byes)} would do"
        found.append(_advice("byes", message, len(byes), len(best.byes)))
    elif not alike:
        here, there = (
            sorted((len(table.seats) for table in each), reverse=True) for each in (tables, best.tables)
        )
        said = f"{sizes_words(best.tables)} would be nearer to the {sizes.preferred} that are preferred"
        found.append(
            Finding(
                rule="sizes",
                severity=Severity.ADVICE,
                message=f"{sizes_words(tables)}; {said}",
                have=", ".join(map(str, here)),
                allowed=", ".join(map(str, there)),
            )
        )
    else:
        points = {each.id: each.points for each in entrants}
        gaps = Gaps.at(best.tables, points), Gaps.at(tables, points)
        levels = [level for level, _, _ in LEVELS[:4]]
        dearer = Dearer.between(best.cost, have, gaps, levels=levels, noun="pair")
        if dearer is not None and dearer.there > dearer.best:
            found.append(_advice("cost", f"not the best round: {dearer.stated}", dearer.there, dearer.best))
    return sorted(found, key=lambda each: each.severity is not Severity.ERROR)


def divided_alike(tables: Sequence[Table], byes: Sequence[PlayerId], best: Pairing, sizes: Sizes) -> bool:
    """Say whether a round has no more byes than the engine's `best`, and sizes of tables as near to the preferred one."""
    here, there = (
        place_of([len(table.seats) for table in each], len(out), sizes)
        for each, out in ((tables, byes), (best.tables, best.byes))
    )
    return here <= there


def sizes_words(tables: Sequence[Table]) -> str:
    """Return how many tables of which size there are: `2 tables of 4 and 1 table of 3`."""
    count = Counter(len(table.seats) for table in tables)
    said = [
        f"{many} {'table' if many == 1 else 'tables'} of {size}"
        for size, many in sorted(count.items(), reverse=True)
    ]
    return " and ".join(filter(None, (", ".join(said[:-1]), said[-1]))) if said else "no table"


def _settled(finding: Finding, have: Cost, best: Pairing, *, more_byes: bool, alike: bool) -> Finding:
    """Return a finding of `manual.check` with what the engine's round says of it: avoidable, or proved not to be."""
    if finding.rule == "second-bye" and not more_byes and have.bye_earlier > best.cost.bye_earlier:
        return replace(
            finding,
            severity=Severity.ERROR,
            message=f"{finding.message}; the byes can go to players who have had fewer",
        )
    if finding.rule != "rematch":
        return finding
    if have.rematches > best.cost.rematches:
        fewer = "no rematch" if not best.cost.rematches else f"only {_rematches(best.cost.rematches)}"
        message = f"{finding.message}; a round with {fewer} is possible"
        return replace(finding, severity=Severity.ERROR, message=message)
    if not alike:
        return finding  # what was proved, was proved of rounds with the engine's tables
    if best.bound.rematches == best.cost.rematches or best.proof == PROVED_BY_SEARCH:
        return replace(
            finding,
            message=f"{finding.message}; {_rematches(have.rematches)} cannot be avoided in this field",
        )
    unproved = f"a round with fewer than {_rematches(have.rematches)} was not found, nor proved impossible"
    return replace(finding, message=f"{finding.message}; {unproved}")


def _rematches(count: int) -> str:
    return "1 rematch" if count == 1 else f"{count} rematches"


def _advice(rule: str, message: str, have: int, allowed: int) -> Finding:
    return Finding(rule=rule, severity=Severity.ADVICE, message=message, have=str(have), allowed=str(allowed))


def _all(field: PodField) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    tables, resting = best_of_all(field)
    return list(tables), resting


def _searched(field: PodField, seed: str, effort: int) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    rematches, meetings = rematch_bound(field)
    rematch, meeting, _ = field.prices
    search = Search(field, seed, effort)
    search.run(rematches * rematch + meetings * meeting + difference_bound(field) * field.near)
    search.even_seats()
    resting = tuple(search.tables[search.rest]) if search.rest is not None else ()
    return [tuple(table) for table in search.tables[: len(field.tables)]], resting


def _refuse_broken_words(
    field: PodField, tables: Sequence[Sequence[int]], name: NameOf, *, proved: bool
) -> None:
    how = "there is no round" if proved else "no round was found"
    for table in tables:
        here = set(table)
        for one, other in combinations(sorted(table), 2):
            if field.extra[one].get(other, 0) >= field.hard:
                both = f"{name(field.players[one])} and {name(field.players[other])}"
                raise TourneyError(
                    f"{how} that keeps everybody apart who must be: at best {both} share a table",
                    "allow one of the pairs that are kept apart, or lift a fixed table",
                )
        for member in table:
            if field.forced[member] - here:
                other = min(field.forced[member] - here)
                both = f"{name(field.players[member])} and {name(field.players[other])}"
                raise TourneyError(
                    f"{how} that seats everybody together who must be: {both} are parted",
                    f"release the pair {both}",
                )


def _numbered(
    entrants: Sequence[Entrant], seats: Sequence[tuple[PlayerId, ...]], options: Options
) -> tuple[Table, ...]:
    """Give the tables their numbers by points from the top; whoever has a fixed table brings its number along."""
    by_id = {each.id: each for each in entrants}

    def rank(table: tuple[PlayerId, ...]) -> tuple[list[int], PlayerId]:
        return sorted(-by_id[player].points for player in table), min(table)

    fixed = {
        table: wish for table in seats for player in table if (wish := by_id[player].fixed_table) is not None
    }
    free = (
        n for n in range(options.first_table, options.first_table + 2 * len(seats)) if n not in fixed.values()
    )
    tables = [
        Table(fixed[table] if table in fixed else next(free), table) for table in sorted(seats, key=rank)
    ]
    return tuple(sorted(tables, key=lambda table: table.number))


def _bound(field: PodField, cost: Cost) -> Cost:
    """Return the lower bound; the byes are by level 2, which is exact."""
    rematches, meetings = rematch_bound(field)
    return Cost(
        rematches=rematches,
        times_met=meetings,
        bye_earlier=cost.bye_earlier,
        bye_points=cost.bye_points,
        differences=difference_bound(field),
        imbalance=seat_bound(field),
    )


def _proof(cost: Cost, bound: Cost, *, proved: bool) -> tuple[str, int]:
    """Say how far the round is proved, and the last level that is: the first level above its bound is open."""
    for level, words, exact in LEVELS:
        gap = getattr(cost, level) - getattr(bound, level)
        if gap:
            return (PROVED_BY_SEARCH, 7) if proved else (f"{within(gap)} ({words})", exact)
    return MEETS_BOUND, 7
