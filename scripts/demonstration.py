"""A Friday night with nine players, told by its commands. Every name, of players and of cards, is invented.

Needs an interpreter that has `tourney`; `scripts/demo` sees to that. The same seed plays the same night: clock, user
and dice are handed to every command, so the published pages are the same byte for byte.
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
CHEAT = "Greta Pike"
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

    def tell(self, text: str) -> None:
        """Say what happens next."""
        print(f"\n# {text}\n", flush=True)

    def tourney(self, line: str, code: int = 0) -> None:
        """Show a command and run it; anything but the expected exit code ends the demo."""
        self.minute += 1
        print(f"$ tourney {line}", flush=True)
        surroundings = os.environ | {
            "TOURNEY_NOW": (START + timedelta(minutes=self.minute)).isoformat(),
            "TOURNEY_SEED": self.seed,
            "TOURNEY_BY": "desk",
            "PYTHONUTF8": "1",
        }
        for name in ("TOURNEY_EVENT", "TOURNEY_DATA"):
            surroundings.pop(name, None)
        command = [sys.executable, "-m", "tourney", *shlex.split(line)]
        found = subprocess.run(
            command, cwd=self.folder, env=surroundings, stderr=subprocess.STDOUT, check=False
        )
        if found.returncode != code:
            sys.exit(f"error: `tourney {line}` left with {found.returncode}, not {code}")

    def round(self, *results: str) -> None:
        """Pair a round and enter what came of its tables, table 1 first."""
        self.tourney("round next")
        self.report(*results)

    def report(self, *results: str) -> None:
        """Enter what came of the tables, table 1 first."""
        for table, result in enumerate(results, 1):
            self.tourney(f"result add {table} {result}")


def cards(player: int) -> list[str]:
    """Return sixty different invented cards; every player has another sixty of the same 144."""
    every = [f"{first} {second}" for first in FIRST for second in SECOND]
    return [every[(player * 31 + number * 7) % len(every)] for number in range(60)]


def file_of(name: str) -> str:
    """Return where a player's list lies."""
    return f"decks/{name.lower().replace(' ', '-')}.txt"


def write_lists(folder: Path) -> None:
    """Write nine decklists; the seventh names a card twice."""
    (folder / "decks").mkdir()
    for player, name in enumerate(PLAYERS):
        names = cards(player)
        if name == CHEAT:
            names[41] = names[3]
        (folder / file_of(name)).write_text("\n".join(names) + "\n", encoding="utf-8")
    (folder / "players.txt").write_text("\n".join(PLAYERS) + "\n", encoding="utf-8")


def registration(night: Night) -> None:
    """Check the lists, start the event, register everybody."""
    night.tell("Nine people are in the queue with their decklists (all names in this demo are invented)")
    night.tourney("deck check decks --format red-diamond/standard", code=1)
    night.tell("One is not legal. What is wrong with it?")
    night.tourney(f"deck check {file_of(CHEAT)} --format red-diamond/standard", code=1)
    night.tell("Greta swaps the second copy for another card, and it is")
    mend(night.folder)
    night.tourney(f"deck check {file_of(CHEAT)} --format red-diamond/standard --short")
    night.tell(
        "The event is one file; the players come from a list, their decks from the folder, checked once more"
    )
    night.tourney(
        'event new "Friday Diamonds" --format red-diamond/standard --rounds 5 --goal 50 --banlist none'
    )
    night.tourney("player import players.txt")
    night.tourney("player decks decks")


def mend(folder: Path) -> None:
    """Put the right card into the illegal list."""
    names = cards(PLAYERS.index(CHEAT))
    (folder / file_of(CHEAT)).write_text("\n".join(names) + "\n", encoding="utf-8")


def swiss(night: Night) -> None:
    """Play five rounds: a bye while they are nine, draws, an undo, a correction, a drop."""
    night.tell("Round 1: nine players, so one has the bye")
    night.round("1-0", "0-1", "=", "1-0")
    night.tell("Round 2: a slip is read wrongly, and taken back at once")
    night.tourney("round next")
    night.tourney("result add 1 1-0")
    night.tourney("result add 2 1-0")
    night.tourney("event undo")
    for table, result in ((2, "="), (3, "0-1"), (4, "1-0")):
        night.tourney(f"result add {table} {result}")
    night.tell(
        "Round 3: why does table 1 play each other? And a result is put right after a word with both players"
    )
    night.tourney("round next")
    night.tourney("round why 1")
    for table, result in ((1, "="), (2, "1-0"), (3, "0-1"), (4, "0-1")):
        night.tourney(f"result add {table} {result}")
    night.tourney('result change 4 1-0 --reason "the slip was upside down"')
    night.tell("Fenn has a bus to catch; eight are left, and nobody has a bye any more")
    night.tourney('player drop Fenn --reason "last bus"')
    night.round("1-0", "1-0", "=", "0-1")
    night.tell("Round 5, the last. Who can draw in?")
    night.tourney("round next")
    night.tourney("forecast cut --cut 4")
    night.tell("A whole block of slips at once would be `tourney result import slips.txt`")
    night.report("=", "0-1", "1-0", "1-0")


def cut(night: Night) -> None:
    """Stand, cut to four, play the bracket."""
    night.tell("The standings after the Swiss rounds, and the reason for one of the places")
    night.tourney("standings")
    night.tourney('standings why "Mira Oake"')
    night.tell("The best four play on")
    night.tourney("event cut 4 --lot")
    night.round("1-0", "0-1")
    night.round("1-0")


def ending(night: Night) -> None:
    """Close, prove, publish."""
    night.tell("Done. Close it, let the computer prove what it did, and write the pages")
    night.tourney("event close")
    night.tourney("event check")
    night.tourney("verify")
    night.tourney("publish --to pages")


def main() -> int:
    """Play the night and say where to look."""
    reader = argparse.ArgumentParser(
        prog="scripts/demo", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    reader.add_argument("folder", nargs="?", type=Path, help="an empty or new folder; else a temporary one")
    reader.add_argument("--seed", default="friday", help="another seed is another night (default: friday)")
    given = reader.parse_args()
    folder = (given.folder or Path(tempfile.mkdtemp(prefix="tourney-demo-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"error: {folder} is not empty; name a new folder")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    start = time.monotonic()
    night = Night(folder, given.seed)
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
