"""Follow one journey through the package and print what it touched as JSON.

Run by `scripts/measure` in an interpreter of its own: `python scripts/journeys.py "deck check"`. Each
scenario is fixed: the same event, names, clock and randomness each time. Counted are the modules, functions
and lines of the package that run between the command's first line and its answer; the event is made before
counting starts.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
SOURCE = str(ROOT / "tourney")
NAMES = ["Mira Oake", "Tomo Reed", "Lena Voss", "Bo Quill", "Tess Hart", "Ada Finch", "Ivo Lark", "Una Pell"]
DECK = "Amber Fox\nBitter Heron\nBitter Heron\nClever Otter\n"


class Trace:
    """The functions and lines of the package that ran while `follow` worked."""

    def __init__(self) -> None:
        self.functions: set = set()
        self.lines: set[tuple[str, int]] = set()

    def follow(self, action: Callable[[], object]) -> None:
        """Run `action` with every thread traced."""
        threading.settrace(self._enter)
        sys.settrace(self._enter)
        try:
            action()
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]

    def _enter(self, frame, event, _):
        code = frame.f_code
        if not code.co_filename.startswith(SOURCE) or code.co_name.startswith("<") or not code.co_flags & 2:
            return None  # bodies of modules and classes, comprehensions and lambdas
        self.functions.add(code)
        return self._line

    def _line(self, frame, event, _):
        if event == "line":
            self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def figures(self) -> dict[str, int]:
        """Return how many modules, functions and lines ran."""
        return {
            "modules": len({code.co_filename for code in self.functions}),
            "functions": len(self.functions),
            "lines": len(self.lines),
        }


def tourney(*words: str, stdin: str | None = None) -> None:
    """Run one command in this process; a failure of the scenario is an error."""
    from click.testing import CliRunner

    from tourney.cli import root

    done = CliRunner().invoke(root, list(words), input=stdin)
    if done.exit_code not in (0, 1):
        raise SystemExit(f"{' '.join(words)}: exit {done.exit_code}\n{done.output}")


def _event() -> None:
    tourney(
        "event",
        "new",
        "Friday",
        "--format",
        "red-diamond/standard",
        "--rounds",
        "3",
        "--banlist",
        "none",
        "--seed",
        "a friday",
    )
    tourney("player", "add", *NAMES)
    tourney("player", "waive-deck", *NAMES)


def _play_round(*scores: str) -> None:
    tourney("round", "pair")
    for table, score in enumerate(scores, 1):
        tourney("result", "add", str(table), score)


def deck_check(trace: Trace) -> dict[str, int]:
    """Check a list of four lines that breaks one rule."""
    Path("mira.txt").write_text(DECK, encoding="utf-8")
    trace.follow(lambda: tourney("deck", "check", "mira.txt", "--format", "red-diamond/standard"))
    return trace.figures()


def result_add(trace: Trace) -> dict[str, int]:
    """Enter the third of four results of round 1."""
    _event()
    tourney("round", "pair")
    tourney("result", "add", "1", "1-0")
    tourney("result", "add", "2", "0-1")
    trace.follow(lambda: tourney("result", "add", "3", "1-0"))
    return trace.figures()


def round_pair(trace: Trace) -> dict[str, int]:
    """Pair the third round of eight players."""
    _event()
    _play_round("1-0", "0-1", "=", "1-0")
    _play_round("1-0", "=", "0-1", "1-0")
    trace.follow(lambda: tourney("round", "pair"))
    return trace.figures()


def phone_report(trace: Trace) -> dict[str, int]:
    """Send a result from a phone that has joined."""
    from tests.serve.kit import opened, small_event

    folder = small_event(Path.cwd())

    async def visit() -> dict[str, int]:
        async with opened(folder) as hall:
            phone = await hall.player(hall.room.event.state.round.tables[1].seats[0])
            await phone.get("/report")
            form = phone.page.split('action="/report"')[1].split("</form>")[0]
            hidden: dict[str, list[str]] = {}
            for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form):
                hidden.setdefault(name, []).append(value)
            del hidden["key"]  # the kit adds it
            await hall.room.event.warmed.wait()  # pages that the server makes at its start are not counted
            trace.functions.clear()
            trace.lines.clear()
            answer = await phone.post("/report", **hidden, result="2-1")
            await hall.settle()  # the room's pages follow in the background
            figures = trace.figures()
        if answer.status_code != 303:
            raise SystemExit(f"the report was refused: {answer.status_code} {phone.text}")
        return figures

    figures = {}
    trace.follow(lambda: figures.update(asyncio.run(visit())))
    return figures


JOURNEYS = {
    "deck check": deck_check,
    "result add": result_add,
    "round pair": round_pair,
    "phone report": phone_report,
}


def main() -> None:
    """Run the journey named on the command line in an empty folder."""
    trace = Trace()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ |= {
            "TOURNEY_NOW": "2026-11-20T18:00:00+00:00",
            "TOURNEY_SEED": "journey",
            "TOURNEY_BY": "desk",
            "HOME": folder,
        }
        for name in ("TOURNEY_EVENT", "TOURNEY_DATA", "XDG_DATA_HOME"):
            os.environ.pop(name, None)
        print(json.dumps(JOURNEYS[sys.argv[1]](trace)))
        os.chdir(ROOT)


if __name__ == "__main__":
    main()
