"""Who makes the cut: fresh processes of `tourney forecast cut --cut 8 --from FILE`.

The last round of each file is open. The files do not say which form of match they hold: best of three, or
results alone. Processor time, which other programs change less, is printed beside elapsed time. Goals of
each line: 2 s for 64 players in 6 rounds, 10 s for 256 in 8.

scripts/bench forecast [--runs 1] [--profiles mtr,cobra]
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from commands import run

SCORES = {"2,0,0": 27, "2,1,0": 23, "0,2,0": 23, "1,2,0": 20, "1,1,0": 4, "1,1,1": 3}
"""What a match of a file ends in, and how often."""

RESULTS = {"1,0,0": 47, "0,1,0": 47, "0,0,1": 6}
"""The same, in a file that has only the winners."""

PROFILES = Path(__file__).parents[2] / "tourney" / "standings" / "profiles"

SIZES = ((64, 6), (256, 8))


def main() -> int:
    """Print a line for each case: the medians in seconds."""
    reader = argparse.ArgumentParser(prog="scripts/bench forecast", description=__doc__)
    reader.add_argument("--runs", type=int, default=1)
    reader.add_argument("--profiles", default="mtr,cobra")
    given = reader.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for players, rounds in SIZES:
            (folder / f"{players}.csv").write_text(games(players, rounds, SCORES), encoding="utf-8")
            (folder / f"{players}-winners.csv").write_text(games(players, rounds, RESULTS), encoding="utf-8")
        early = games(64, 5, SCORES).replace("round,", "planned_rounds,6\n\nround,", 1)
        (folder / "64-penultimate.csv").write_text(early, encoding="utf-8")
        chosen = given.profiles.split(",")
        for profile in chosen:
            for file in (f"{players}{kind}" for players, _ in SIZES for kind in ("", "-winners")):
                forms = ([], ["--json"], ["--why"]) if file.isdigit() else ([],)
                for form in forms:
                    measure(folder, given.runs, file, profile, *form)
            measure(folder, given.runs, "64-penultimate", profile)
        for profile in shipped():
            if profile not in chosen:
                measure(folder, given.runs, "256", profile)
    return 0


def measure(folder: Path, runs: int, file: str, profile: str, *form: str) -> None:
    """Print what one case takes."""
    line = ["forecast", "cut", "--cut", "8", "--from", f"{file}.csv", "--profile", profile]
    took = [processor(folder, *line, *form) for _ in range(runs)]
    cpu, clock = (statistics.median(each) for each in zip(*took, strict=True))
    players, _, kind = file.partition("-")
    words = " ".join([f"{profile}, {players} players{kind and f', {kind}'}", *form])
    print(f"{words:<40} {cpu:6.2f} s, by the clock {clock:6.2f} s", flush=True)


def shipped() -> list[str]:
    """Return the names of the profiles that ship."""
    return sorted(path.stem for path in PROFILES.glob("*.toml"))


def games(players: int, rounds: int, scores: Mapping[str, int]) -> str:
    """Return a file of random results whose last round is open.

    Players on equal points meet, without rematches while that is possible.

    scores: how often each score is drawn
    """
    dice = random.Random(players)
    won = dict.fromkeys(range(players), 0)
    met: set[frozenset[int]] = set()
    lines = ["round,player1,player2,wins1,wins2,draws"]
    for number in range(1, rounds + 1):
        left = sorted(won, key=lambda player: (-won[player], dice.random()))
        while left:
            one = left.pop(0)
            two = next((each for each in left if frozenset((one, each)) not in met), left[0])
            left.remove(two)
            met.add(frozenset((one, two)))
            (score,) = dice.choices(list(scores), scores.values()) if number < rounds else (",,",)
            lines.append(f"{number},Player {one},Player {two},{score}")
            if score != ",,":
                won[one] += score[0] > score[2]
                won[two] += score[0] < score[2]
    return "\n".join(lines) + "\n"


def processor(folder: Path, *words: str) -> tuple[float, float]:
    """Run one command in its own process.

    Returns its processor seconds and its clock seconds.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    clock = run(folder, *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


if __name__ == "__main__":
    sys.exit(main())
