"""An engine keeps its name only if it makes the same tables for the same players and seed.

`engines.json` has, for each name that an engine ever used, a digest of its answers to the questions below. A
changed engine fails here until `tourney/pairing/pairing.py` gives it the next number. `--update` then writes
the digests of the new name, and never changes those of other names.
"""

import json
from functools import partial
from hashlib import sha256
from itertools import combinations

import pytest
from msgspec import structs

from tests.kit import ROOT
from tourney.pairing import (
    Entrant,
    Mode,
    Options,
    pair,
    pods,
    repair,
    repair_engine,
    round_robin,
    same_engine,
    swiss_engine,
)
from tourney.pairing.elimination import BracketOptions, bracket
from tourney.pairing.pairing import BRACKET_ENGINE, PODS_ENGINE, chance, draw, shuffle
from tourney.record import Outcome, Result, Seat

FILE = ROOT / "tests" / "pairing" / "engines.json"
SEEDS = [f"engine {number}" for number in range(8)]


def field(seed, players, rounds):
    """Make entrants with a history, using only sha-256, so that every machine makes the same."""
    points, met = dict.fromkeys(range(1, players + 1), 0), {p: [] for p in range(1, players + 1)}
    byes, floats, sides = dict.fromkeys(points, 0), {p: [] for p in points}, {p: [] for p in points}
    for number in range(rounds):
        order = shuffle(seed, f"round {number}", sorted(points))
        order.sort(key=lambda player: -points[player])
        if len(order) % 2:
            byes[order[-1]] += 1
            points[order.pop()] += 2
        for one, other in zip(order[::2], order[1::2], strict=True):
            won = draw(seed, "won", number, one, below=3)
            for player, opponent, score, side in ((one, other, won, 1), (other, one, 2 - won, -1)):
                met[player].append(opponent)
                sides[player].append(side)
                floats[player].append(
                    (points[opponent] > points[player]) - (points[opponent] < points[player])
                )
                points[player] += score
    ranks = shuffle(seed, "rank", sorted(points))
    return [
        Entrant(
            id=player,
            points=points[player],
            opponents=tuple(met[player]),
            byes=byes[player],
            floats=tuple(floats[player]),
            sides=tuple(sides[player]),
            tags=("club:Owls",) if chance(seed, "club", player, percent=30) else (),
            rating=1000 + draw(seed, "rating", player, below=8),
            rank=ranks.index(player) + 1,
        )
        for player in points
    ]


def questions():
    """Yield questions with every mode, odd and even fields, sides, clubs and large fields."""
    for seed in SEEDS:
        for mode in Mode:
            players, rounds = 4 + draw(seed, "players", below=27), draw(seed, "rounds", below=6)
            options = Options(round_number=rounds + 1, mode=mode, sides=chance(seed, "sides", percent=50))
            yield f"{seed} {mode.value}", field(seed, players, rounds), options
    yield "saturated", field("saturated", 6, 5), Options(round_number=6)
    yield "large", field("large", 701, 2), Options(round_number=3)
    club = frozenset(combinations(range(1, 310), 2))
    yield "club", field("club", 640, 2), Options(round_number=3, forbidden=club)


def swiss(name):
    """Return the answers that an engine of this name signs."""
    for case, entrants, options in questions():
        if swiss_engine(options, len(entrants)) == name:
            yield case, pair(entrants, options, case.rsplit(" ", 1)[0])


def repaired(mode):
    """Yield repaired rounds: some players leave, one comes, a table is finished."""
    for seed in SEEDS:
        options = Options(round_number=3, mode=mode)
        entrants = field(seed, 8 + draw(seed, "players", below=12), 2)
        made = pair(entrants, options, seed)
        gone = {draw(seed, "gone", number, below=len(entrants)) + 1 for number in range(2)}
        now = [*(entrant for entrant in entrants if entrant.id not in gone), Entrant(id=99)]
        mended = repair(now, options, made.tables, made.bye, locked_tables={1}, seed=seed)
        yield seed, mended.pairing


def pod_rounds():
    """Yield rounds of pods, of fields that are searched completely and others."""
    for seed in SEEDS:
        for players in (7, 16):
            sizes = pods.Sizes(*((3, 3, 3), (2, 4, 6))[draw(seed, "sizes", below=2)])
            yield (
                f"{seed} {players}",
                pods.pair(field(seed, players, 2), Options(round_number=3), seed, sizes=sizes, effort=2000),
            )


def schedules():
    """Yield Berger schedules."""
    for seed in SEEDS[:3]:
        plan = round_robin.schedule(range(1, 6 + draw(seed, "players", below=4)), double=False, seed=seed)
        for number in range(1, len(plan.rounds) + 1):
            yield f"{seed} {number}", plan.round(number)


def brackets():
    """Yield single and double eliminations to the end, with random winners."""
    for seed in SEEDS:
        players = tuple(range(1, 3 + draw(seed, "players", below=9)))
        double = chance(seed, "double", percent=50)
        extra = chance(seed, "extra", percent=50) and not double
        options = BracketOptions(double=double, reseed=extra, third_place=extra and len(players) > 3)
        earlier = []
        for number in range(20):
            now = bracket(players, options, earlier=earlier)
            if now.is_finished:
                break
            yield f"{seed} {number}", now
            earlier.append(
                {label: won(seed, number, table) for label, table in zip(now.labels, now.tables, strict=True)}
            )


def won(seed, number, table):
    first = draw(seed, "won", number, table.number, below=2)
    seats = [
        Seat(
            player, Outcome.WIN if place == first else Outcome.LOSS, 1 + (place != first), int(place == first)
        )
        for place, player in enumerate(table.seats)
    ]
    return structs.replace(table, result=Result(tuple(seats), 0))


ENGINES = {
    "tourney swiss 1": partial(swiss, "tourney swiss 1"),
    "tourney swiss 2": partial(swiss, "tourney swiss 2"),
    repair_engine(Options()): partial(repaired, Mode.RANDOM),
    repair_engine(Options(mode=Mode.FOLD)): partial(repaired, Mode.FOLD),
    PODS_ENGINE: pod_rounds,
    round_robin.METHOD: schedules,
    BRACKET_ENGINE: brackets,
}


PASSED_ON = {"tourney swiss 1"}
"""Whose questions are in part answered by an engine of a later number today."""


def canonical(made):
    """Return the recorded parts of a round: tables, byes, and cost, bound and proof."""
    parts = {"tables": [[table.number, *table.seats] for table in made.tables], "byes": list(made.byes)}
    if hasattr(made, "cost"):
        parts |= {"cost": made.cost.as_dict(), "bound": made.bound.as_dict(), "proof": made.proof}
    else:
        parts |= {"labels": list(made.labels)}
    return sha256(json.dumps(parts).encode()).hexdigest()[:16]


def stored():
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_that_makes_other_tables_has_another_name(name, request):
    """Every question has the same answer as when the name was given."""
    made = {case: canonical(answer) for case, answer in ENGINES[name]()}
    digests = stored()
    if name not in digests and request.config.getoption("--update"):
        digests[name] = made
        FILE.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    assert name in digests, f"`--update` writes what {name} makes"
    changed = sorted(case for case in made if made[case] != digests[name].get(case))
    assert not changed, (
        f"{name} makes other rounds than it did: give it the next number in tourney/pairing/pairing.py"
    )
    assert made.keys() == digests[name].keys() or name in PASSED_ON


def test_an_engine_of_another_number_is_another_engine():
    """Names of the first release apply only to the first engines."""
    for name in ENGINES:
        assert same_engine(name, name)
        assert not same_engine(f"{name}0", name)
    assert same_engine("tourney 0.1.0", "tourney swiss 1")
    assert not same_engine("tourney 0.1.0", "tourney swiss 2")
