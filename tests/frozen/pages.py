"""Freeze the pages of three events as text.

`python -m tests.frozen.pages --write` imports three of the kept journals, publishes each and keeps the
words of every page, one line for each run of text between tags. Without `--write` it publishes again and
lists each line that is gone or new without a reason. The words of a page may change with its English; a
name, a number or a result may not.
"""

from __future__ import annotations

import difflib
import gzip
import json
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

from tests.frozen.facts import has_reason
from tests.frozen.journals import FOLDER, _ask, _converted, _keep

EVENTS = ("event-a-whole-day-harvest-open", "event-game-redline-scramble-scramble-night", "generated-melee")
KEPT = Path(__file__).parent / "pages.json.gz"


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.skipped = 0

    def handle_starttag(self, tag, attrs):
        self.skipped += tag in {"style", "script"}

    def handle_endtag(self, tag):
        self.skipped -= tag in {"style", "script"}

    def handle_data(self, data):
        if not self.skipped and data.strip():
            self.lines.append(" ".join(data.split()))


def main() -> int:
    """Write the pages' words, or compare: exit 1 if a difference has no reason."""
    pages = {name: _published(name) for name in EVENTS}
    if "--write" in sys.argv:
        _keep(KEPT, json.dumps(pages, ensure_ascii=False).encode())
        return 0
    before = json.loads(gzip.decompress(KEPT.read_bytes()))
    lines = [
        where
        for name in EVENTS
        for path in sorted({*before[name], *pages[name]})
        for line in _changed(before[name].get(path, []), pages[name].get(path, []))
        if not has_reason(where := f"{name}/{path} {line}")
    ]
    print("\n".join([*lines, f"{len(lines)} differences without a reason"]))
    return 1 if lines else 0


def _changed(before: list[str], after: list[str]) -> list[str]:
    """Return the lines that are gone (`-…`) or new (`+…`)."""
    _, _, *lines = difflib.unified_diff(before, after, lineterm="", n=0) if before != after else ("", "")
    return [line for line in lines if line[0] != "@"]


def _published(name: str) -> dict[str, list[str]]:
    """Return the words of each page of an event, by path."""
    with tempfile.TemporaryDirectory() as folder:
        journal = _converted(gzip.decompress((FOLDER / f"{name}.jsonl.gz").read_bytes()))
        Path(folder, "E.jsonl").write_bytes(journal)
        _ask(folder, "event import E.jsonl --file E.tourney --json")
        if _ask(folder, "publish --to pages --form html -e E.tourney --json") is None:
            raise SystemExit(f"{name} was not published")
        return {
            str(path.relative_to(Path(folder, "pages"))): _words(path)
            for path in sorted(Path(folder, "pages").rglob("*.html"))
        }


def _words(path: Path) -> list[str]:
    reader = _Words()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.lines


if __name__ == "__main__":
    sys.exit(main())
