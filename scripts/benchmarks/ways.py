"""Three commands, module by module: the modules whose functions run.

They are in the order of their first call.

scripts/bench ways [--show]

A module counts if one of its functions runs after the module was imported.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SURROUNDINGS = {**os.environ, "TOURNEY_SEED": "ways", "TOURNEY_NOW": "2026-01-05T18:00:00Z"}

WATCHED = """
import sys
from pathlib import Path

import tourney
from tourney.cli import root

HOUSE = str(Path(tourney.__file__).parent)
entered = {}


def watch(frame, event, _):
    code = frame.f_code
    is_function = code.co_flags & 1  # it has names of its own
    if event != "call" or not code.co_filename.startswith(HOUSE) or not is_function:
        return
    outer = frame.f_back
    while outer is not None:
        if outer.f_code.co_name == "<module>" and outer.f_code.co_filename.startswith(HOUSE):
            return
        outer = outer.f_back
    entered.setdefault(code.co_filename.removeprefix(HOUSE)[1:])


sys.setprofile(watch)
code = root.run(sys.argv[1:])
sys.setprofile(None)
sys.stderr.write("\\n" + "\\n".join(entered) + f"\\nexited with {code}\\n")
"""


def modules(folder: Path, *words: str) -> list[str]:
    """Return the modules that one command runs through, in the order of entry.

    The command must exit with 0 or 1.
    """
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *words],
        cwd=folder,
        env=SURROUNDINGS,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stderr.splitlines() or ["printed nothing"]
    if lines[-1] not in {"exited with 0", "exited with 1"}:
        sys.exit(f"`tourney {' '.join(words)}` {lines[-1]}: {done.stderr}")
    return [line for line in lines if line.endswith(".py") and " " not in line]


def main() -> int:
    """Print how many modules each way runs through, and with --show which."""
    reader = argparse.ArgumentParser(prog="scripts/bench ways", description=__doc__)
    reader.add_argument("--show", action="store_true", help="name the modules")
    given = reader.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "deck.txt").write_text("1 Amber Fox\n2 Iron Gate\n", encoding="utf-8")
        rules = ("--format", "red-diamond/standard", "--banlist", "none")
        modules(folder, "event", "new", "Ways", *rules)
        modules(
            folder,
            "player",
            "add",
            *(f"Player {word}" for word in ["Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gus", "Hal"]),
        )
        ways = {"deck check": ("deck", "check", "deck.txt", *rules), "round pair": ("round", "pair")}
        ways["result add"] = ("result", "add", "1", "1-0")
        for way, words in ways.items():
            entered = modules(folder, *words)
            print(f"{len(entered):4}  {way}")
            if given.show:
                print("".join(f"      {each}\n" for each in entered), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
