"""A Friday night with nine players, as a sequence of commands. All names are invented.

It needs an interpreter that has `tourney`, as `scripts/demo` provides. Each command gets its time, user and
seed, so the same seed gives the same pages, byte for byte.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

PLAYERS = (
    "Ansel Quick", "Bryn Tallow", "Corin Vane", "Della Moss", "Edda Stroud", "Fenn Carrow", "Greta Pike",
    "Mira Oake", "Tomo Reed",
)  # fmt: skip
ILLEGAL_LIST = "Greta Pike"
"""The player whose list has a card twice."""
FIRST = (
    "Amber", "Bitter", "Clever", "Dusty", "Ember", "Frosted", "Gentle", "Hollow", "Iron", "Jolly",
    "Kindled", "Lonely",
)  # fmt: skip
SECOND = (
    "Badger", "Courier", "Drummer", "Fox", "Glazier", "Heron", "Lantern", "Miller", "Otter", "Piper",
    "Sexton", "Thistle",
)  # fmt: skip
START = datetime.fromisoformat("2026-11-20T18:00:00+01:00")


class Night:
    """The commands of one evening, shown and run in `folder`."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.folder = folder
        self.seed = seed
        self.minute = 0

    def explain(self, text: str) -> None:
        """Print what happens next."""
        print(f"\n# {text}\n", flush=True)

    def tourney(self, line: str, code: int = 0) -> None:
        """Show a command and run it. Any other exit code than `code` ends the demo."""
        self.minute += 1
        print(f"$ tourney {line}", flush=True)
        environment = os.environ | {
            "TOURNEY_NOW": (START + timedelta(minutes=self.minute)).isoformat(),
            "TOURNEY_SEED": self.seed,
            "TOURNEY_BY": "desk",
            "PYTHONUTF8": "1",
        }
        for name in ("TOURNEY_EVENT", "TOURNEY_DATA"):
            environment.pop(name, None)
        command = [sys.executable, "-m", "tourney", *shlex.split(line)]
        found = subprocess.run(
            command, cwd=self.folder, env=environment, stderr=subprocess.STDOUT, check=False
        )
        if found.returncode != code:
            sys.exit(f"error: `tourney {line}` exited with {found.returncode}, not {code}")

    def round(self, *results: str) -> None:
        """Pair a round and enter its results, table 1 first."""
        self.tourney("round next")
        self.report(*results)

    def report(self, *results: str) -> None:
        """Enter the results, table 1 first."""
        for table, result in enumerate(results, 1):
            self.tourney(f"result add {table} {result}")


def cards(player: int) -> list[str]:
    """Return sixty different invented cards. Each player has another selection of the same 144."""
    every = [f"{first} {second}" for first in FIRST for second in SECOND]
    return [every[(player * 31 + number * 7) % len(every)] for number in range(60)]


def file_of(name: str) -> str:
    """Return the path of a player's list."""
    return f"decks/{name.lower().replace(' ', '-')}.txt"


def write_lists(folder: Path) -> None:
    """Write nine decklists. The seventh has a card twice."""
    (folder / "decks").mkdir()
    for player, name in enumerate(PLAYERS):
        names = cards(player)
        if name == ILLEGAL_LIST:
            names[41] = names[3]
        (folder / file_of(name)).write_text("\n".join(names) + "\n", encoding="utf-8")
    (folder / "players.txt").write_text("\n".join(PLAYERS) + "\n", encoding="utf-8")


def registration(night: Night) -> None:
    """Check the lists, start the event and register the players."""
    night.explain("Nine players hand in their decklists (all names in this demo are invented)")
    night.tourney("deck check decks --format red-diamond/standard", code=1)
    night.explain("One list is illegal. Why?")
    night.tourney(f"deck check {file_of(ILLEGAL_LIST)} --format red-diamond/standard", code=1)
    night.explain("Greta replaces the second copy with another card. Now the list is legal")
    correct_list(night.folder)
    night.tourney(f"deck check {file_of(ILLEGAL_LIST)} --format red-diamond/standard --short")
    night.explain(
        "Start the event, which is one file. Import the players, then check and register their decks"
    )
    night.tourney(
        'event new "Friday Diamonds" --format red-diamond/standard --rounds 5 --goal 50 --banlist none'
    )
    night.tourney("player import players.txt")
    night.tourney("player decks decks")


def correct_list(folder: Path) -> None:
    """Replace the second copy in the illegal list."""
    names = cards(PLAYERS.index(ILLEGAL_LIST))
    (folder / file_of(ILLEGAL_LIST)).write_text("\n".join(names) + "\n", encoding="utf-8")


def swiss(night: Night) -> None:
    """Play five rounds, with byes, draws, an undo, a correction and a drop."""
    night.explain("Round 1: with nine players, one has a bye")
    night.round("1-0", "0-1", "=", "1-0")
    night.explain("Round 2: a result is typed wrong, and undone")
    night.tourney("round next")
    night.tourney("result add 1 1-0")
    night.tourney("result add 2 1-0")
    night.tourney("event undo")
    for table, result in ((2, "="), (3, "0-1"), (4, "1-0")):
        night.tourney(f"result add {table} {result}")
    night.explain("Round 3: why do the players at table 1 meet? Later, a result is corrected")
    night.tourney("round next")
    night.tourney("round why 1")
    for table, result in ((1, "="), (2, "1-0"), (3, "0-1"), (4, "0-1")):
        night.tourney(f"result add {table} {result}")
    night.tourney('result change 4 1-0 --reason "the slip was upside down"')
    night.explain("Round 4: Fenn leaves for the last bus. With eight players, there is no bye")
    night.tourney('player drop Fenn --reason "last bus"')
    night.round("1-0", "1-0", "=", "0-1")
    night.explain("Round 5 is the last. Who is sure of the cut with a draw?")
    night.tourney("round next")
    night.tourney("forecast cut --cut 4")
    night.explain("Enter the results. (`tourney result import slips.txt` reads many at once)")
    night.report("=", "0-1", "1-0", "1-0")


def cut(night: Night) -> None:
    """Show the standings, cut to four and play the bracket."""
    night.explain("Show the standings after the Swiss rounds, and explain one place")
    night.tourney("standings")
    night.tourney('standings why "Mira Oake"')
    night.explain("Cut to the best four, who play a bracket")
    night.tourney("event cut 4 --lot")
    night.round("1-0", "0-1")
    night.round("1-0")


def ending(night: Night) -> None:
    """Close, verify and publish the event."""
    night.explain("Close the event, verify all rounds, and write the pages")
    night.tourney("event close")
    night.tourney("event check")
    night.tourney("verify")
    night.tourney("publish --to pages")


def main() -> int:
    """Play the night and print where the pages are."""
    parser = argparse.ArgumentParser(
        prog="scripts/demo", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, help="an empty or new folder (default: a temporary one)"
    )
    parser.add_argument("--seed", default="friday", help="the seed of all rounds (default: friday)")
    arguments = parser.parse_args()
    folder = (arguments.folder or Path(tempfile.mkdtemp(prefix="tourney-demo-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"error: {folder} is not empty; name a new folder")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    start = time.monotonic()
    night = Night(folder, arguments.seed)
    write_lists(folder)
    for part in (registration, swiss, cut, ending):
        part(night)
    print(
        f"\nLook at {folder / 'pages' / 'index.html'} in a browser; the event itself is",
        folder / "friday-diamonds.tourney",
    )
    sys.stderr.write(f"{night.minute} commands in {time.monotonic() - start:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
