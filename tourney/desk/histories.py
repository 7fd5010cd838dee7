"""Compare an event's history with a record of it: a page, a digest, an export, another copy.

A digest depends on its entry and on every entry before it. Therefore one digest that was kept outside the
file is enough to detect a rewritten history. Pages, exports and copies also have the earlier digests, and
show where histories differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec

from tourney.decode import parse_toml
from tourney.desk.open_event import OpenEvent
from tourney.document import Document
from tourney.errors import TourneyError
from tourney.event.entry import read
from tourney.store.export import read_export
from tourney.store.files import read_bytes
from tourney.store.journal import EventPlace
from tourney.store.places import in_database, place_of
from tourney.wording import counted

WHOLE = 64
"""The number of hexadecimal digits of a digest."""
LEAST = 8
"""The fewest digits of a shortened digest.

A text with fewer digits is read as the name of a file.
"""

_HEX = re.compile(r"[0-9a-f]+")
_STATE = re.compile(r"\bentry (\d{1,18})\W{1,8}([0-9a-f]{12,64})\b")
_KNOWN = (
    "the page `verification.html` of a published folder, its `event.json`, an export (.jsonl), "
    "a copy (.tourney, or `pg:NAME`), or a digest"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptHistory:
    """A record of a history.

    what:   its kind, for messages: `page`, `data`, `export`, `copy`, `digest`
    name:   the file, the event or the digest, as the user named it
    digest: the digest of the last entry, or the beginning of it
    entry:  the number of the last entry; None if the record is only a digest
    chain:  the digests of entries 1 to `entry`; empty if the record has only the last digest
    """

    what: str
    digest: str
    entry: int | None = None
    chain: tuple[str, ...] = ()
    name: str = ""


class ComparedHistory(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison of the event with a page, an export, a copy or a digest.

    against: the record that the event was compared with, as named on the command line
    what: the kind of record: `page`, `data`, `export`, `copy` or `digest`
    continues: whether the event continues that history; null if it cannot be decided
    entry: the number of the last entry that is known to be the same; 0 if none is
    differs: the number of the first entry that differs or is missing; null if none does, or if it is unknown
    text: the answer in a sentence
    """

    against: str
    what: str
    continues: bool | None
    entry: int = 0
    differs: int | None = None
    text: str


class ComparedHistories(Document, frozen=True, tag="tourney.verify-against/1"):
    """What `tourney verify --against FILE --json` prints.

    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    compared: the comparisons, in the order of the command line
    """

    entry: int
    digest: str
    compared: tuple[ComparedHistory, ...]


def compare(event: OpenEvent, kept: KeptHistory) -> ComparedHistory:
    """Return whether the history of an open event continues a record."""
    chain = event.chain
    if len(kept.digest) < WHOLE:
        return _by_beginning(chain, kept)
    here = chain.index(kept.digest) + 1 if kept.digest in chain else 0
    if here and kept.entry in {None, here}:
        return _continues(chain, kept, here)
    if kept.chain:
        return _by_chain(event, chain, kept)
    if kept.entry is None:
        text = f"no entry of this history has this digest: it has {counted(len(chain), 'entry', 'entries')}"
        return ComparedHistory(against=kept.name, what=kept.what, continues=False, text=text)
    if kept.entry > len(chain):
        return _too_short(chain, kept, 0)
    text = (
        f"entry {kept.entry} has another digest here, {chain[kept.entry - 1]}: "
        "the histories differ there or before"
    )
    return ComparedHistory(against=kept.name, what=kept.what, continues=False, text=text)


def _by_chain(event: OpenEvent, chain: Sequence[str], kept: KeptHistory) -> ComparedHistory:
    same = 0
    for digest, kept_digest in zip(chain, kept.chain, strict=False):
        if digest != kept_digest:
            break
        same += 1
    if same == len(chain):
        return _too_short(chain, kept, same)
    line = event.log()[same]
    at = line.at[:16].replace("T", " ")
    text = f"entry {same + 1} is the first that differs; here it says: {line.text} ({at}, {line.by})"
    return ComparedHistory(
        against=kept.name, what=kept.what, continues=False, entry=same, differs=same + 1, text=text
    )


def _continues(chain: Sequence[str], kept: KeptHistory, entry: int) -> ComparedHistory:
    since = len(chain) - entry
    later = counted(since, "later entry", "later entries") if since else "no later entries"
    text = f"this history continues the record: entry {entry} is the same, with {later}"
    return ComparedHistory(against=kept.name, what=kept.what, continues=True, entry=entry, text=text)


def _too_short(chain: Sequence[str], kept: KeptHistory, same: int) -> ComparedHistory:
    ends = len(chain)
    newer = ": the record is newer" if same else ""
    text = f"this history ends with entry {ends}, and the record with entry {kept.entry}{newer}"
    return ComparedHistory(
        against=kept.name, what=kept.what, continues=False, entry=same, differs=ends + 1, text=text
    )


def _by_beginning(chain: Sequence[str], kept: KeptHistory) -> ComparedHistory:
    matches = [number for number, digest in enumerate(chain, 1) if digest.startswith(kept.digest)]
    if kept.entry is not None:
        matches = [number for number in matches if number == kept.entry]
    digits = counted(len(kept.digest), "digit")
    if not matches:
        text = f"no entry of this history has a digest that begins with these {digits}"
        return ComparedHistory(against=kept.name, what=kept.what, continues=False, text=text)
    proof = f"a forged history could match them too, so only all {WHOLE} are proof"
    text = f"entry {matches[0]} begins with these {digits}; {proof}"
    return ComparedHistory(against=kept.name, what=kept.what, continues=None, entry=matches[0], text=text)


# -- reading a record


def kept_from(name: str) -> KeptHistory:
    """Read a record: a page, a data file, an export, a copy, or a digest.

    name: the file, the event in a database, or the digest

    Raises TourneyError if it is not a record, if a file is damaged, or if it contradicts itself.
    """
    # An address may contain a password, so the event is named instead.
    return replace(_kept_from(name), name=place_of(name).name if in_database(name) else name)


def _kept_from(name: str) -> KeptHistory:
    path = Path(name)
    if in_database(name):
        return _copy(place_of(name))
    if not path.exists() and len(name) >= LEAST and _HEX.fullmatch(name.lower()):
        if len(name) > WHOLE:
            raise TourneyError(f"a digest has {WHOLE} hexadecimal digits, this one has {len(name)}")
        return KeptHistory(what="digest", digest=name.lower())
    content = read_bytes(path)
    if content.startswith(b"SQLite format 3\0"):
        return _copy(place_of(path))
    kept = _text(content, path.name)
    if kept.chain and (len(kept.chain), kept.chain[-1]) != (kept.entry, kept.digest):
        raise TourneyError(
            f"{path.name} contradicts itself: its list of digests does not end with the digest that it names"
        )
    return kept


def _copy(place: EventPlace) -> KeptHistory:
    with closing(place.open()) as journal:
        entries = read(journal.rows())
    return _whole("copy", [entry.digest for entry in entries])


def _whole(what: str, chain: Sequence[str]) -> KeptHistory:
    return KeptHistory(what=what, entry=len(chain), digest=chain[-1], chain=tuple(chain))


def _text(content: bytes, name: str) -> KeptHistory:
    text = content.decode("utf-8", "replace")
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("{"):
        is_export = '"tourney.journal/' in start.partition("\n")[0]
        return _export(content, name) if is_export else _data(content, name)
    kept = _page(text) if start.startswith("<") else _summary(text) if name.endswith(".toml") else None
    return kept or _sentence(text, name)


def _export(content: bytes, name: str) -> KeptHistory:
    return _whole("export", [row.digest for row in read_export(content.splitlines(), source=name).rows])


def _data(content: bytes, name: str) -> KeptHistory:
    """Read a published `event.json`, or any JSON object with `entry` and `digest`."""
    try:
        data: Any = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise TourneyError(f"{name} is not readable as JSON", f"give {_KNOWN}") from None
    data = data.get("verification") or data
    return _named(data, "data") or _refuse(name)


def _named(data: Any, what: str) -> KeptHistory | None:
    """Return the record from the keys `entry`, `digest` and `chain` of an object.

    None if they are missing.
    """
    entry, digest, chain = (
        (data.get(key) for key in ("entry", "digest", "chain")) if isinstance(data, dict) else (0, 0, 0)
    )
    if (
        not (isinstance(entry, int) and isinstance(digest, str) and _HEX.fullmatch(digest))
        or len(digest) != WHOLE
    ):
        return None
    chain = tuple(map(str, chain)) if isinstance(chain, list) else ()
    return KeptHistory(what=what, entry=entry, digest=digest, chain=chain)


def _summary(text: str) -> KeptHistory | None:
    try:
        data = parse_toml(text, source="the summary").get("event")
    except TourneyError:
        return None
    return (
        _named({"entry": data.get("entries"), "digest": data.get("digest")}, "export")
        if isinstance(data, dict)
        else None
    )


class _Page(HTMLParser):
    """Collects entry, digest and chain from `verification.html`."""

    def __init__(self) -> None:
        super().__init__()
        self.entry: int | None = None
        self.digest = ""
        self.chain: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "code" and attributes.get("id") == "digest":
            number = attributes.get("data-entry") or ""
            self.entry = int(number) if number.isascii() and number.isdigit() and len(number) < 18 else None
            self._inside = "digest"
        elif tag == "ol" and attributes.get("id") == "chain":
            self._inside = "chain"
        elif tag == "code" and self._inside == "chain":
            self.chain.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "ol" or (tag == "code" and self._inside == "digest"):
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "digest":
            self.digest += data.strip()
        elif self._inside == "chain" and self.chain:
            self.chain[-1] += data.strip()


def _page(text: str) -> KeptHistory | None:
    page = _Page()
    with suppress(AssertionError):  # Python's parser raises it for an unknown declaration
        page.feed(text)
    return _named({"entry": page.entry, "digest": page.digest, "chain": page.chain}, "page")


def _sentence(text: str, name: str) -> KeptHistory:
    """Read `entry 57, 3fa9c1…` from any text, such as Markdown or a mail."""
    states = _STATE.findall(text.replace("`", ""))
    if not states:
        _refuse(name)
    entry, digest = states[-1]
    return KeptHistory(what="page", entry=int(entry), digest=digest)


def _refuse(name: str) -> KeptHistory:
    raise TourneyError(f"{name} does not name a state of an event", f"give {_KNOWN}")
