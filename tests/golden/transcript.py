"""Transcripts, which are tests: files, then commands with their answers and exit codes.

    What must hold, in a sentence.

    === ada.txt
    1 Ember Fox
    === session
    $ tourney deck check ada.txt --format red-diamond/standard
    ada.txt: legal …
    $ tourney player import - < two lines
    > Mira Oake
    > Tomo Reed
    ! error: there is no event in this folder
    [3]

`>` marks a line of standard input, `!` a line of stderr, no mark stdout, and `[n]` an exit code other than
0. A command that ends with `< a slip for every open table`, or `… but 3, 7`, reads slips that are not in
the file: random scores in a best of three, which depend on the round and the players. The clock starts at
START and advances by a minute with each command; the user is `desk`; random choices repeat.
"""

from __future__ import annotations

import json
import random
import re
import shlex
from contextlib import chdir
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from click.testing import CliRunner

from tourney.cli import root

START = datetime.fromisoformat("2026-11-20T18:00:00+00:00")


@dataclass
class Step:
    """A command, its standard input and its recorded answer."""

    command: str
    stdin: list[str] = field(default_factory=list)
    answer: list[str] = field(default_factory=list)


@dataclass
class Transcript:
    """A parsed transcript file."""

    about: str
    files: dict[str, str]
    steps: list[Step]

    @classmethod
    def read(cls, text: str) -> Transcript:
        about, *sections = text.split("\n=== ")
        files, steps = {}, []
        for section in sections:
            name, _, body = section.partition("\n")
            if name == "session":
                steps = cls.parse_steps(body)
            else:
                files[name] = body + "\n"
        assert steps, "a transcript needs a session with at least one command"
        return cls(about.strip(), files, steps)

    @staticmethod
    def parse_steps(text: str) -> list[Step]:
        return _steps(text.rstrip("\n").split("\n"))

    def play(self, folder: Path) -> str:
        """Run every step in `folder` and return the whole transcript with the new answers."""
        answers = self.answers(folder, mark="! ")
        files = "".join(
            f"\n=== {name}\n{content.removesuffix(chr(10))}" for name, content in self.files.items()
        )
        return f"{self.about}\n{files}\n=== session\n" + "\n".join(answers) + "\n"

    def answers(self, folder: Path, mark: str = "") -> list[str]:
        """Run every step in `folder` and return the answers; lines of stderr begin with `mark`."""
        for name, content in self.files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode())
        answers = [
            _as_text(step, _run(step, number, folder), folder, mark) for number, step in enumerate(self.steps)
        ]
        return _numbered(answers)


def _steps(lines: list[str]) -> list[Step]:
    steps: list[Step] = []
    for line in lines:
        if line.startswith("$ "):
            steps.append(Step(line[2:]))
        elif line.startswith("> ") or line == ">":
            steps[-1].stdin.append(line[2:])
        else:
            steps[-1].answer.append(line)
    return steps


def _run(step: Step, number: int, folder: Path):
    words = shlex.split(step.command.partition(" < ")[0])
    assert words[0] == "tourney", f"a transcript runs tourney, not {words[0]}"
    surroundings = {
        "TOURNEY_NOW": (START + timedelta(minutes=number)).isoformat(),
        "TOURNEY_SEED": "golden",
        "TOURNEY_BY": "desk",
        "TOURNEY_EVENT": None,
        "TOURNEY_DATA": None,
        "TOURNEY_DEBUG": "1",
        "NO_COLOR": None,
        "COLUMNS": "100",
        "HOME": str(folder / "home"),
        "XDG_DATA_HOME": None,
    }
    desk = CliRunner(env=surroundings)
    # One process: starting others takes longer than these simulations.
    with chdir(folder), patch("tourney.store.workers.cores", lambda: 1):
        slips = step.command.partition(f" < {SLIPS}")
        lines = _slips(desk, {int(table) for table in _NUMBER.findall(slips[2])}) if slips[1] else step.stdin
        return desk.invoke(root, words[1:], input="".join(f"{line}\n" for line in lines))


SLIPS = "a slip for every open table"
_NUMBER = re.compile(r"\d+")


def _slips(desk: CliRunner, exceptions: set[int]) -> list[str]:
    """Return a random score for each open table except some."""
    result = desk.invoke(root, ["result", "missing", "--json"])
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    tables = [table for table in document["tables"] if table["table"] not in exceptions]
    slips = []
    for table in tables:
        dice = random.Random(f"round {document['round']}: {table['players']}")
        slips.append(f"{table['table']} {dice.choice(SCORES)}")
    return slips


SCORES = ("2-0", "2-0", "2-1", "2-1", "1-2", "1-2", "0-2", "0-2")


def _as_text(step: Step, result, folder: Path, mark: str) -> str:
    """Return a step and its answer as text, stderr after stdout."""
    lines = [f"$ {step.command}", *(f"> {line}".rstrip() for line in step.stdin)]
    lines += _lines(result.stdout, folder)
    lines += [f"{mark}{line}".rstrip() for line in _lines(result.stderr, folder)]
    if result.exit_code and mark:
        lines.append(f"[{result.exit_code}]")
    return "\n".join(lines)


_DIGEST = re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{12}(?=…)|(?<=-)[0-9a-f]{8}(?=(?:-round-\d+)?\.tourney\b)")


def _lines(text: str, folder: Path) -> list[str]:
    return text.replace(str(folder), "<here>").removesuffix("\n").split("\n") if text else []


def _numbered(answers: list[str]) -> list[str]:
    """Number digests by first appearance, as their values depend on every byte of shipped rules.

    Equal digests get equal numbers, and a shortened digest gets the number of the whole one.
    """
    seen: dict[str, int] = {}

    def name(match: re.Match[str]) -> str:
        number = seen.setdefault(match[0][:8], len(seen) + 1)
        return f"<digest {number}>"

    def numbered(line: str) -> str:
        return line if line.startswith(("$ ", "> ")) else _DIGEST.sub(name, line)

    return ["\n".join(map(numbered, answer.split("\n"))) for answer in answers]


def check(path: Path, folder: Path, *, update: bool) -> None:
    """Run the transcript at `path`; the answers must be the recorded ones, or replace them."""
    recorded = path.read_text(encoding="utf-8")
    played = Transcript.read(recorded).play(folder)
    assert "[70]" not in played.splitlines(), f"{path.name} meets a bug:\n{played}"
    if update and played != recorded:
        path.write_text(played, encoding="utf-8")
        return
    assert played == recorded, f"{path.name}: the commands say something else now (--update rewrites it)"
