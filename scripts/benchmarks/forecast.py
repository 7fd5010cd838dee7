"""Who makes the cut, from a file: fresh processes of `tourney forecast cut --cut 8 --from FILE` with the last round open.

The file holds best-of-three matches and says nothing of their form; processor time, which others on the machine do not change
as much, beside what the clock said. Aims, as text and as JSON: 2 s of 64 players in 6 rounds, 10 s of 256 in 8.

scripts/bench forecast [--runs 3] [--profiles mtr,cobra]
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import sys
import tempfile
from pathlib import Path

from commands import run

SCORES = {"2,0,0": 27, "2,1,0": 23, "0,2,0": 23, "1,2,0": 20, "1,1,0": 4, "1,1,1": 3}
"""What a match of the file ends in, and how often."""


def main() -> int:
    """Print a line for each profile and size: the medians in seconds, as text and as JSON."""
    reader = argparse.ArgumentParser(prog="scripts/bench forecast", description=__doc__)
    reader.add_argument("--runs", type=int, default=3)
    reader.add_argument("--profiles", default="mtr,cobra")
    given = reader.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for players, rounds in ((64, 6), (256, 8)):
            (folder / f"{players}.csv").write_text(games(players, rounds), encoding="utf-8")
        for profile in given.profiles.split(","):
            for players in (64, 256):
                line = ["forecast", "cut", "--cut", "8", "--from", f"{players}.csv", "--profile", profile]
                for form in ([], ["--json"]):
                    took = [processor(folder, *line, *form) for _ in range(given.runs)]
                    cpu, clock = (statistics.median(each) for each in zip(*took, strict=True))
                    words = f"{profile}, {players} players{', --json' if form else ''}"
                    print(f"{words:<32} {cpu:6.2f} s, by the clock {clock:6.2f} s", flush=True)
    return 0


def games(players: int, rounds: int) -> str:
    """Return a file of results: who stand alike meet, nobody twice while that can be, and the last round is open."""
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
            (score,) = dice.choices(list(SCORES), SCORES.values()) if number < rounds else (",,",)
            lines.append(f"{number},Player {one},Player {two},{score}")
            if score != ",,":
                won[one] += score[0] > score[2]
                won[two] += score[0] < score[2]
    return "\n".join(lines) + "\n"


def processor(folder: Path, *words: str) -> tuple[float, float]:
    """Run one command in a process of its own and return its seconds: of the processor, and by the clock."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    clock = run(folder, *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


if __name__ == "__main__":
    sys.exit(main())
