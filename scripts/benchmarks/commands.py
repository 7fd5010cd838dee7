"""Cold starts of the command line: the medians of fresh processes with cached byte code.

The event has 64 players. `publish` writes into a new folder, then again after each of several results. The
goals are 1 s and 0.5 s for 200 players in 8 rounds, and 10 s and 3 s for 2,000 players in 12 rounds.

scripts/bench commands [--runs 15] [--players 64] [--rounds 8]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SURROUNDINGS = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def run(folder: Path, *words: str) -> float:
    """Run one command in a process of its own and return its seconds; it must exit with 0."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "tourney", *words],
        cwd=folder,
        env=SURROUNDINGS,
        capture_output=True,
        check=False,
    )
    took = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"`tourney {' '.join(words)}` exited with {done.returncode}: {done.stderr.decode()}")
    return took


def empty() -> float:
    """Return the seconds of a Python that does nothing: what no program can beat."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", ""], env=SURROUNDINGS, check=True)
    return time.perf_counter() - start


def median(runs: int, measure: object, *words: object) -> float:
    """Return the median of `runs` calls in milliseconds, after one to warm the caches."""
    measure(*words)  # type: ignore[operator]
    return 1000 * statistics.median(measure(*words) for _ in range(runs))  # type: ignore[operator]


def main() -> int:
    """Print a line for each command: its median in milliseconds."""
    reader = argparse.ArgumentParser(prog="scripts/bench commands", description=__doc__)
    reader.add_argument("--runs", type=int, default=15)
    reader.add_argument("--players", type=int, default=64)
    reader.add_argument("--rounds", type=int)
    given = reader.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rounds = () if given.rounds is None else ("--rounds", str(given.rounds))
        players = ("--players", str(given.players), *rounds)
        run(folder, "event", "generate", "Bench", *players, "--open", "--seed", "bench")
        deck = folder / "deck.txt"
        deck.write_text("\n".join(f"Paper Card {number}" for number in range(1, 61)), encoding="utf-8")
        print(f"{'an empty Python':<44} {median(given.runs, empty):6.0f} ms")
        for line in (
            "--version",
            "--help",
            "deck check deck.txt --format red-diamond/standard",
            "format list",
            "event show",
            "player list",
            "round show",
            "result missing",
            "standings",
            "event log",
        ):
            print(
                f"{'tourney ' + line:<44} {median(given.runs, run, folder, *line.split()):6.0f} ms",
                flush=True,
            )
        changes = (results(folder, given.runs), pairings(folder, given.runs))
        for line, took in zip(("result add", "round pair"), changes, strict=True):
            print(f"{'tourney ' + line:<44} {took:6.0f} ms")
        whole, one = publishes(folder, given.runs)
        print(f"{'tourney publish, into a new folder':<44} {whole:6.0f} ms")
        print(f"{'tourney publish, after one result':<44} {one:6.0f} ms")
    return 0


def results(folder: Path, runs: int) -> float:
    """Return the median of entering results, each a new one: the last round is open."""
    return 1000 * statistics.median(
        run(folder, "result", "add", str(table), "1-0") for table in range(1, runs + 1)
    )


def pairings(folder: Path, runs: int) -> float:
    """Return the median of pairing the last round, taken back each time."""
    took = []
    for _ in range(runs):
        run(folder, "round", "cancel")
        took.append(run(folder, "round", "pair"))
    return 1000 * statistics.median(took)


def publishes(folder: Path, runs: int) -> tuple[float, float]:
    """Return the medians of publishing into a new folder, and again after one result.

    The last round is open.
    """
    whole = [run(folder, "publish", "--to", f"pages-{number}") for number in range(min(runs, 5))]
    took = []
    for table in range(1, runs + 1):
        run(folder, "result", "add", str(table), "1-0")
        took.append(run(folder, "publish", "--to", "pages-0"))
    return 1000 * statistics.median(whole), 1000 * statistics.median(took)


if __name__ == "__main__":
    sys.exit(main())
