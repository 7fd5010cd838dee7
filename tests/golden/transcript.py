"""A transcript is a test: files, then commands with all that they said and the code they left with.

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

`>` is a line of standard input, `!` a line that went to stderr, no mark is stdout, `[n]` an exit code other than 0.
A command that ends in `< a slip for every open table`, or `… but 3, 7`, reads slips that are not written out: dice that hang
on the round and the players throw who won (a score in a best of three).
The clock starts at START and goes on by a minute a command; the user is `desk`; the dice repeat.
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

from click.testing import CliRunner

from tourney.cli.command import root

START = datetime.fromisoformat("2026-11-20T18:00:00+00:00")


@dataclass
class Step:
    """One command and what it gets on standard input; `said` is the recorded answer."""

    command: str
    stdin: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


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
        """Run every step in `folder` and return the whole transcript as it came out."""
        said = self.answers(folder, mark="! ")
        files = "".join(
            f"\n=== {name}\n{content.removesuffix(chr(10))}" for name, content in self.files.items()
        )
        return f"{self.about}\n{files}\n=== session\n" + "\n".join(said) + "\n"

    def answers(self, folder: Path, mark: str = "") -> list[str]:
        """Run every step in `folder` and return each with what it said; lines of stderr begin with `mark`."""
        for name, content in self.files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode())
        told = [
            _told(step, _run(step, number, folder), folder, mark) for number, step in enumerate(self.steps)
        ]
        return _numbered(told)


def _steps(lines: list[str]) -> list[Step]:
    steps: list[Step] = []
    for line in lines:
        if line.startswith("$ "):
            steps.append(Step(line[2:]))
        elif line.startswith("> ") or line == ">":
            steps[-1].stdin.append(line[2:])
        else:
            steps[-1].said.append(line)
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
    with chdir(folder):
        slips = step.command.partition(f" < {SLIPS}")
        lines = _slips(desk, {int(table) for table in _NUMBER.findall(slips[2])}) if slips[1] else step.stdin
        return desk.invoke(root, words[1:], input="".join(f"{line}\n" for line in lines))


SLIPS = "a slip for every open table"
_NUMBER = re.compile(r"\d+")


def _slips(desk: CliRunner, spared: set[int]) -> list[str]:
    """Throw a score for each table that is still playing, the `spared` ones excepted."""
    asked = desk.invoke(root, ["result", "missing", "--json"])
    assert asked.exit_code == 0, asked.stderr
    told = json.loads(asked.stdout)
    tables = [table for table in told["tables"] if table["table"] not in spared]
    slips = []
    for table in tables:
        dice = random.Random(f"round {told['round']}: {table['players']}")
        slips.append(f"{table['table']} {dice.choice(SCORES)}")
    return slips


SCORES = ("2-0", "2-0", "2-1", "2-1", "1-2", "1-2", "0-2", "0-2")


def _told(step: Step, result, folder: Path, mark: str) -> str:
    """Write a step and its answer; stderr after stdout, as a terminal would show a command's end."""
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
    """Name digests by the order in which they first appear: their values hang on every byte of the shipped rules.

    That two are the same, or not, is still recorded; a shortened digest is named as the whole one it begins.
    """
    seen: dict[str, int] = {}

    def name(match: re.Match[str]) -> str:
        number = seen.setdefault(match[0][:8], len(seen) + 1)
        return f"<digest {number}>"

    def said(line: str) -> str:
        return line if line.startswith(("$ ", "> ")) else _DIGEST.sub(name, line)

    return ["\n".join(map(said, answer.split("\n"))) for answer in answers]


def check(path: Path, folder: Path, *, update: bool) -> None:
    """Play the transcript at `path`; it must say what it says, or is rewritten with `update`."""
    recorded = path.read_text(encoding="utf-8")
    played = Transcript.read(recorded).play(folder)
    assert "[70]" not in played.splitlines(), f"{path.name} meets a bug:\n{played}"
    if update and played != recorded:
        path.write_text(played, encoding="utf-8")
        return
    assert played == recorded, f"{path.name}: the commands say something else now (--update rewrites it)"
