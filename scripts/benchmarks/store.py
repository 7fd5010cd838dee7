"""The same event in a file and in a PostgreSQL on this machine.

Whole commands run in a warm process.

scripts/bench store [--runs 60] [--players 64]

A server is started in a folder of its own, on a socket, and syncs each commit to the disk as the file does.
The two take turns, so that other programs slow both. What a process pays once is listed apart and not counted
in a command: importing the driver, and opening the database. `standings` and `result add` have a goal.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from tests.desk.kit import lent
from tests.store.servers import programs, started
from tourney.cli import root
from tourney.desk import Desk

if TYPE_CHECKING:
    from tourney.store.database import Address, Database

GOAL = 1.5
"""How many times as long as beside a file a command may take beside a database."""


opening: list[float] = []
"""The seconds that each opening of the database took: to connect, and to look at its tables."""


def time_openings() -> None:
    """Measure from now on how long each opening of the database takes."""
    from tourney.store.database import Database

    open_database = Database.open

    def timed(address: Address) -> Database:
        start = time.perf_counter()
        database = open_database(address)
        opening.append(time.perf_counter() - start)
        return database

    Database.open = timed  # type: ignore[method-assign, assignment]


def call(*words: str) -> float:
    """Run one command line in this process; it must exit with 0.

    Returns its seconds without those of opening the database.
    """
    opening.clear()
    out, err = io.StringIO(), io.StringIO()
    start = time.perf_counter()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = root.run(list(words))
    took = time.perf_counter() - start - sum(opening)
    if code:
        sys.exit(f"`tourney {' '.join(words)}` exited with {code}: {err.getvalue()}")
    return took


def imported() -> float:
    """Return the seconds that importing the driver costs a fresh process.

    The rest of the store is imported before.
    """
    code = (
        "import time, tourney.store.event_file; start = time.perf_counter(); import tourney.store.postgres;"
        "print(time.perf_counter() - start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def opened() -> float:
    """Return the seconds that opening the database costs."""
    from tourney.store.postgres import Database, PostgresPlace

    start = time.perf_counter()
    with Database.open(PostgresPlace.parse("pg:")):
        return time.perf_counter() - start


def print_medians(line: str, beside: dict[str, list[float]]) -> bool:
    """Print medians and fastest times with their ratios.

    Returns whether the medians' ratio meets the goal.
    """
    medians, fastest = ([1000 * pick(each) for each in beside.values()] for pick in (statistics.median, min))
    ratios = [each[1] / each[0] for each in (medians, fastest)]
    print(
        f"{line:<34}"
        + "".join(
            f" {file:8.1f} {database:8.1f} ms {ratio:6.2f}  "
            for (file, database), ratio in zip((medians, fastest), ratios, strict=True)
        ),
        flush=True,
    )
    return ratios[0] <= GOAL


def main() -> int:
    """Print a line for each command: both medians in milliseconds, and their ratio."""
    reader = argparse.ArgumentParser(prog="scripts/bench store", description=__doc__)
    reader.add_argument("--runs", type=int, default=60)
    reader.add_argument("--players", type=int, default=64)
    given = reader.parse_args()
    if programs() is None:
        print("no PostgreSQL here: Debian's package `postgresql` has it")
        return 0
    server = started(fsync="on")
    before = Path.cwd()
    try:
        with tempfile.TemporaryDirectory() as name:
            os.chdir(name)
            os.environ |= {"XDG_DATA_HOME": name, "TOURNEY_PG": server.conninfo(server.database())}
            return compared(given.runs, given.players)
    finally:
        os.chdir(before)
        server.remove()


def compared(runs: int, players: int) -> int:
    """Measure in this folder, and against the database that `pg:` leads to."""
    places = ("bench.tourney", "pg:bench")
    time_openings()
    call("event", "generate", "Bench", "--players", str(players), "--open", "--seed", "bench")
    first = call("event", "copy", *places)
    print(f"{'':<34} {'medians: file, database, ratio':<30}  fastest", flush=True)
    good = True
    for line in ("standings", "event show", "player list"):
        beside: dict[str, list[float]] = {place: [] for place in places}
        for _ in range(runs + 2):
            for place in places:
                beside[place].append(call(*line.split(), "-e", place))
        within = print_medians(f"tourney {line}", {place: took[2:] for place, took in beside.items()})
        good &= within or line != "standings"
    with Desk.open(Path(places[0]), lent()) as desk:
        tables = desk.state.round.playing
    beside = {place: [] for place in places}
    for table in tables:
        for place in places:
            beside[place].append(call("result", "add", str(table), "1-0", "-e", place))
    good &= print_medians("tourney result add", beside)
    at_open_desks(places, tables, runs)
    once = {
        "importing the driver": statistics.median(imported() for _ in range(5)),
        "opening the database": statistics.median(opened() for _ in range(runs)),
        "the first copy into the database, its tables made": first,
    }
    print("; ".join(f"{what}: {1000 * seconds:.1f} ms" for what, seconds in once.items()))
    if not good:
        print(f"standings and result add are to be within {GOAL}")
    return 0 if good else 1


def at_open_desks(places: Sequence[str], tables: Sequence[int], runs: int) -> None:
    """Measure what a server does all day.

    At desks that stay open, results are changed and standings are made.
    """
    with ExitStack() as stack:
        desks = {
            place: stack.enter_context(Desk.open(Path(place) if "pg:" not in place else place, lent()))
            for place in places
        }
        changed: dict[str, list[float]] = {place: [] for place in places}
        ranked: dict[str, list[float]] = {place: [] for place in places}
        for turn in range(runs):
            score = "0-1" if turn // len(tables) % 2 == 0 else "1-0"
            for place, desk in desks.items():
                start = time.perf_counter()
                desk.change_result(tables[turn % len(tables)], score)
                changed[place].append(time.perf_counter() - start)
                start = time.perf_counter()
                desk.refresh()
                desk.standings()
                ranked[place].append(time.perf_counter() - start)
    print_medians("a result at an open desk", changed)
    print_medians("standings at an open desk", ranked)


if __name__ == "__main__":
    sys.exit(main())
