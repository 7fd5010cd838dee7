"""Freeze what the commands answer, so that the rebuild can be compared with the start.

`python -m tests.frozen.facts --write` plays every transcript of `tests/golden` and `tests/errors` with
`--json` added to each command and keeps the exit code and the JSON values without prose in
`facts.jsonl.gz`, together with the transcript, so that later edits of a transcript do not change what is
compared. Without `--write` it plays the kept transcripts again and lists every difference; `reasons.toml`
explains the expected ones.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from click import Command, Context, Group

from tests.frozen.convert import converted
from tests.golden import transcript
from tests.kit import ROOT
from tourney.cli import root

HERE = Path(__file__).parent
KEPT = HERE / "facts.jsonl.gz"
REASONS = HERE / "reasons.toml"
DIGEST = re.compile(r"\b[0-9a-f]{12,64}\b")
LONGEST_WORDS = 3
"""A string of more words than this, or with a sentence's punctuation, is prose."""


def main() -> int:
    """Write the facts, or compare: exit 1 if a difference has no reason."""
    if "--write" in sys.argv:
        paths = sorted(
            [*(ROOT / "tests/golden/cases").rglob("*.txt"), *(ROOT / "tests/errors").rglob("*.txt")]
        )
        with gzip.GzipFile(KEPT, "wb", mtime=0) as file:
            for path in paths:
                text = path.read_text(encoding="utf-8")
                row = {"name": str(path.relative_to(ROOT)), "text": text, "facts": play(text)}
                file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        return 0
    unexplained = 0
    for row in map(json.loads, gzip.decompress(KEPT.read_bytes()).splitlines()):
        for place, before, after in differences(row["facts"], play(row["text"])):
            where = f"{row['name']} {place}"
            if not has_reason(where):
                unexplained += 1
                print(f"{where}: {json.dumps(before)} -> {json.dumps(after)}")
    print(f"{unexplained} differences without a reason")
    return 1 if unexplained else 0


def has_reason(where: str) -> bool:
    """Say whether `reasons.toml` explains a difference at this place."""
    return any(pattern.search(where) for pattern in _expected())


@cache
def _expected() -> tuple[re.Pattern[str], ...]:
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))["difference"]
    return tuple(re.compile(reason["where"]) for reason in reasons)


def play(text: str) -> list[dict]:
    """Run the commands of a transcript with `--json` and return the facts of each answer."""
    case = transcript.Transcript.read(text)
    facts = []
    with tempfile.TemporaryDirectory() as folder:
        for name, content in case.files.items():
            place = Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            is_old = '"event.created/1"' in content
            place.write_bytes(converted(content.encode()) if is_old else content.encode())
        for number, step in enumerate(case.steps):
            command, mark, slips = step.command.partition(" < ")
            line = with_json(command)
            answer = transcript._run(transcript.Step(line + mark + slips, step.stdin), number, Path(folder))
            stdout = answer.stdout.replace(folder, "<here>")
            facts.append({"command": line, "exit": answer.exit_code, "values": values_of(stdout)})
    return facts


def with_json(line: str) -> str:
    """Return the command line with `--json`, if its command has that option."""
    words = line.split()[1:]
    command: Command | None = root
    for word in words:
        if not isinstance(command, Group):
            break
        inner = command.get_command(Context(command), word)
        if inner is None:
            break
        command = inner
    has_option = command is not None and any("--json" in option.opts for option in command.params)
    if not has_option or "--json" in words:
        return line
    before, dashes, after = line.partition(" -- ")
    return f"{before} --json{dashes}{after}"


def values_of(stdout: str) -> object:
    """Return the values of a JSON answer without prose and digests; None for an answer in text."""
    try:
        return _facts(json.loads(stdout))
    except ValueError:
        return None


def _facts(value: object) -> object:
    if isinstance(value, dict):
        return {key: _facts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_facts(inner) for inner in value]
    if isinstance(value, str):
        if len(value.split()) > LONGEST_WORDS or re.search(r"[.:;`]( |$)", value) or "\n" in value:
            return "<prose>"
        return DIGEST.sub("<digest>", value)
    return value


def differences(before: object, after: object, place: str = "") -> Iterator[tuple[str, object, object]]:
    """Yield the place and both values of each difference between two trees of facts."""
    if isinstance(before, dict) and isinstance(after, dict):
        name = f" `{before['command']}`" if "command" in before else ""
        for key in dict.fromkeys([*before, *after]):
            yield from differences(
                before.get(key, "<absent>"), after.get(key, "<absent>"), f"{place}{name}.{key}"
            )
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True)):
            yield from differences(*pair, f"{place}[{number}]")
    elif before != after:
        yield place, before, after


if __name__ == "__main__":
    sys.exit(main())
