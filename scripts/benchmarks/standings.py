"""Standings: a large Swiss with four percentages, its growth, small events, and why.

scripts/bench standings [--runs 5] [--players 10000] [--rounds 15]
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

from tests.kit import golden_folder
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import Profile, explain_place, load_profile, rank, with_order
from tourney.standings.reading import read_results

ROOT = Path(__file__).resolve().parent.parent.parent
PROFILES = ROOT / "tourney" / "standings" / "profiles"
GAMES = ((2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0), (1, 1, 1))
PERCENTAGES = ("PTS", "OMW", "GW", "OGW", "MW")


def profile(name: str) -> Profile:
    """Return a shipped profile."""
    return load_profile(name, lambda asked: ((PROFILES / f"{asked}.toml").read_text("utf-8"), asked))


def tournament(players: int, rounds: int, seed: int = 1) -> Record:
    """Return random rounds of best-of-three matches; an odd player has the bye."""
    dice = random.Random(seed)
    ids = [PlayerId(player) for player in range(1, players + 1)]
    made, byes = [], []
    for _ in range(rounds):
        dice.shuffle(ids)
        made.append(
            tuple(
                table(number, one, two, dice.choice(GAMES))
                for number, (one, two) in enumerate(zip(ids[::2], ids[1::2], strict=False), 1)
            )
        )
        byes.append({ids[-1]: Outcome.BYE} if players % 2 else {})
    return Record(
        players=tuple(PlayerId(player) for player in range(1, players + 1)),
        rounds=tuple(made),
        byes=tuple(byes),
    )


def table(number: int, one: PlayerId, two: PlayerId, games: tuple[int, int, int]) -> Table:
    """Return a reported table."""
    won, lost, drawn = games
    outcomes = (Outcome.DRAW, Outcome.DRAW)
    if won != lost:
        outcomes = (Outcome.WIN, Outcome.LOSS) if won > lost else (Outcome.LOSS, Outcome.WIN)
    first, second = outcomes
    seats = (Seat(one, first, 1 if won >= lost else 2, won), Seat(two, second, 1 if lost >= won else 2, lost))
    return Table(number, (one, two), Result(seats, drawn))


def median(runs: int, work: Callable[[], object]) -> float:
    """Return the median CPU time of `runs` in milliseconds, after one to warm up."""
    work()
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * statistics.median(times)


def plain_fractions(record: Record) -> list[Fraction]:
    """Compute one percentage by adding Fractions opponent by opponent.

    This measures the machine.
    """
    made: dict[PlayerId, list[int]] = {player: [0, 0] for player in record.players}
    met: dict[PlayerId, list[PlayerId]] = {player: [] for player in record.players}
    for tables in record.rounds:
        for each in tables:
            assert each.result is not None
            one, two = each.result.seats
            for seat, other in ((one, two), (two, one)):
                points = {Outcome.WIN: 2, Outcome.DRAW: 1}.get(seat.outcome, 0)
                made[seat.player][0] += points
                made[seat.player][1] += 2
                met[seat.player].append(other.player)
    floor = Fraction(1, 3)
    share = {player: max(floor, Fraction(above, below or 1)) for player, (above, below) in made.items()}
    return [
        sum((share[other] for other in others), Fraction(0)) / len(others)
        for others in met.values()
        if others
    ]


def events() -> list[str]:
    """Return the golden bulk events, one JSON text each.

    There are none if the golden folder is absent.
    """
    folder = golden_folder()
    bulk = folder / "standings" / "bulk" / "melee_dev.jsonl.gz"
    if not bulk.exists():
        return []
    with gzip.open(bulk, "rt", encoding="utf-8") as file:
        return [line for line in file if line.strip()]


def tell(what: str, milliseconds: float, note: str = "") -> None:
    """Print one line."""
    print(f"{what:<58} {milliseconds:9.1f} ms  {note}", flush=True)


def large(runs: int, players: int, rounds: int) -> None:
    """Measure the large tournament and how its time grows with the players."""
    percentages = with_order(profile("tourney"), PERCENTAGES)
    record = tournament(players, rounds)
    tell(f"{players} × {rounds}, four percentages", median(runs, lambda: rank(record, percentages)))
    tell(
        f"{players} × {rounds}, points alone",
        median(runs, lambda: rank(record, with_order(percentages, ["PTS"]))),
    )
    for name in ("tourney", "fide", "cobra", "fab"):
        whole = profile(name)
        tell(
            f"{players} × {rounds}, profile {name}",
            median(1, lambda whole=whole: rank(record, whole, seed="bench")),
        )
    tell("yardstick: one percentage by plain Fractions", median(runs, lambda: plain_fractions(record)))
    size, before = 100, 0.0
    while size <= players:
        smaller = tournament(size, rounds)
        took = median(runs, lambda smaller=smaller: rank(smaller, percentages))
        tell(f"{size} × {rounds}, four percentages", took, f"× {took / before:.1f}" if before else "")
        size, before = size * 10, took


def small(runs: int) -> None:
    """Measure the golden events: read as text and ranked, and only ranked.

    Both are done twice over (1,440 events).
    """
    lines = events()
    if not lines:
        print("the golden events are not here: set TOURNEY_GOLDEN", file=sys.stderr)
        return
    melee = profile("melee")
    read = [read_results(line, source="bulk") for line in lines]
    editions = [results.edition(melee) for results in read]

    def ranked() -> None:
        for results, edition in zip(read, editions, strict=True):
            rank(results.record, edition)

    twice = median(runs, lambda: (ranked(), ranked()))
    tell(f"{2 * len(lines)} small events, ranked", twice)
    tell(
        f"{2 * len(lines)} small events, read from JSON",
        2 * median(1, lambda: [read_results(line, source="x") for line in lines]),
    )
    players = sum(json.loads(line)["players"] for line in lines)
    print(f"  ({len(lines)} events of {players} players)")


def explained(runs: int) -> None:
    """Measure `why` for one player of events of several sizes."""
    whole = profile("tourney")
    for players, rounds in ((16, 4), (64, 6), (256, 9)):
        asked = partial(explain_place, tournament(players, rounds), whole, PlayerId(players // 2))
        tell(f"why, {players} × {rounds}", median(runs, asked))


def main() -> int:
    """Print a line for each measure."""
    reader = argparse.ArgumentParser(prog="scripts/bench standings", description=__doc__)
    reader.add_argument("--runs", type=int, default=5)
    reader.add_argument("--players", type=int, default=10_000)
    reader.add_argument("--rounds", type=int, default=15)
    given = reader.parse_args()
    large(given.runs, given.players, given.rounds)
    small(given.runs)
    explained(given.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
