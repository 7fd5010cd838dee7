"""Freeze twenty varied journals and what they fold to.

`python -m tests.frozen.journals --write` keeps `journals/NAME.jsonl.gz` (what `event export` writes) and,
beside it, `NAME.json.gz` with the values that commands show of the event. The journals are the ends of
those transcripts that together hold every kind of entry, and of five generated events. Without `--write`
each journal is converted to today's format (`convert.py`, if there is one), imported and asked again; every
difference without a reason is listed.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from tests.frozen.facts import differences, has_reason, values_of
from tests.golden import transcript
from tests.kit import ROOT
from tourney.cli import root

FOLDER = Path(__file__).parent / "journals"
GENERATED = {
    "generated-tom": "--profile tom --players 24 --rounds 5 --open",
    "generated-fide": "--profile fide --players 33 --rounds 6 --half-byes 5",
    "generated-melee": "--profile melee --players 64 --rounds 6 --drops 10 --late 10 --no-shows 4",
    "generated-redline": "--format redline/scramble --players 18 --rounds 4",
    "generated-mtr": "--profile mtr --players 40 --rounds 5 --clubs 6 --draws 15",
}
QUESTIONS = (
    "event show",
    "event log",
    "standings",
    "player list",
    "penalty list",
    "audit list",
    "result claims",
)
"""Commands that show the state.

Each is run with `--json`, and `round show` for every round.
"""


def main() -> int:
    """Write the journals, or compare them: exit 1 if a difference has no reason."""
    if "--write" in sys.argv:
        _write()
        return 0
    count = 0
    for kept in sorted(FOLDER.glob("*.jsonl.gz")):
        name = kept.name.removesuffix(".jsonl.gz")
        before = json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
        for place, old, new in differences(before, _state(_converted(gzip.decompress(kept.read_bytes())))):
            if not has_reason(f"{name}{place}"):
                count += 1
                print(f"{name}{place}: {json.dumps(old)} -> {json.dumps(new)}")
    print(f"{count} differences without a reason")
    return 1 if count else 0


def _write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, journal in _chosen().items():
        _keep(FOLDER / f"{name}.jsonl.gz", journal)
        _keep(FOLDER / f"{name}.json.gz", json.dumps(_state(journal), ensure_ascii=False).encode())


def _keep(path: Path, content: bytes) -> None:
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(content)


def _converted(journal: bytes) -> bytes:
    try:
        from tests.frozen.convert import converted
    except ImportError:  # the format has not changed yet
        return journal
    return converted(journal)


def _chosen() -> dict[str, bytes]:
    """Return fifteen journals of transcripts with all kinds of entries, and generated ones."""
    journals: dict[str, bytes] = {}
    for path in sorted((ROOT / "tests/golden/cases").rglob("*.txt")):
        journals |= _ends(f"{path.parent.name}-{path.stem}", path.read_text(encoding="utf-8"))
    kinds = {name: _kinds(journal) for name, journal in journals.items()}
    chosen: dict[str, bytes] = {}
    seen: set[str] = set()
    while len(chosen) < 15:
        best = max(sorted(kinds), key=lambda name: (len(kinds[name] - seen), len(journals[name])))
        seen |= kinds.pop(best)
        chosen[best] = journals[best]
    print(f"{len(seen)} kinds of entries in {', '.join(chosen)}")
    for name, options in GENERATED.items():
        with tempfile.TemporaryDirectory() as folder:
            _ask(folder, f"event generate E {options} --seed {name}")
            chosen[name] = _exported(folder, "e.tourney")
            assert chosen[name], f"{name} was not generated"
    return chosen


def _ends(name: str, text: str) -> dict[str, bytes]:
    case = transcript.Transcript.read(text)
    with tempfile.TemporaryDirectory() as folder:
        case.answers(Path(folder))
        return {
            f"{name}-{event.stem}": journal
            for event in sorted(Path(folder).glob("*.tourney"))
            if (journal := _exported(folder, event.name))
        }


def _exported(folder: str, event: str) -> bytes:
    _ask(folder, f"event export out -e {event}")
    written = sorted(Path(folder, "out").glob("*.jsonl"))
    journal = (
        written[0].read_bytes() if written else b""
    )  # a transcript may end with an event that cannot be opened
    for path in written:
        path.unlink()
    return journal


def _kinds(journal: bytes) -> set[str]:
    """Return the tags of the entries: which kinds occur."""
    found = set()
    for line in journal.splitlines():
        row = json.loads(line)
        op = row.get("op")
        if isinstance(op, dict):
            found.add(op.get("op") or op.get("type") or "")
    return found


def _state(journal: bytes) -> dict:
    """Import a journal and return what the commands show of it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "E.jsonl").write_bytes(journal)
        answers = {"import": _ask(folder, "event import E.jsonl --file E.tourney --json")}
        for question in QUESTIONS:
            answers[question] = _ask(folder, f"{question} -e E.tourney --json")
        for number in range(1, 20):
            shown = _ask(folder, f"round show {number} -e E.tourney --json")
            if shown is None:
                break
            answers[f"round show {number}"] = shown
        return answers


def _ask(folder: str, line: str) -> object:
    """Run a command in `folder` and return its values, or None if it was refused."""
    surroundings = {"TOURNEY_NOW": transcript.START.isoformat(), "TOURNEY_SEED": "frozen",
                    "TOURNEY_BY": "desk", "TOURNEY_EVENT": None, "TOURNEY_DATA": None, "HOME": folder,
                    "XDG_DATA_HOME": None}  # fmt: skip
    with chdir(folder):
        answer = CliRunner(env=surroundings).invoke(root, line.split())
    return values_of(answer.stdout.replace(folder, "<here>")) if answer.exit_code in (0, 1, 4) else None


if __name__ == "__main__":
    os.environ.pop("TOURNEY_EVENT", None)
    sys.exit(main())
