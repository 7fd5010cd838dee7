"""Compare an event's history with a record of it: a page, a digest, an export, another copy.

A digest depends on its entry and on every entry before it. Therefore one digest that was kept outside the
file is enough to detect a rewritten history. Pages, exports and copies also have the earlier digests, and
show where histories differ.
"""

from __future__ import annotations

import re
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tourney.decode import decode_json, parse_toml
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


class KeptHistory(Struct, frozen=True, kw_only=True):
    """A record of an event's history outside the event: a file, a copy or a digest.

    kind:   the kind of record, for messages: `page`, `data`, `export`, `copy`, `digest`
    name:   the file or the digest, as the user named it; for an event in a database, the event's name
    digest: the digest of the last entry, or the beginning of it
    entry:  the number of the last entry; None if the record is only a digest
    chain:  the digests of entries 1 to `entry`; empty if the record has only the last digest
    """

    kind: str
    digest: str
    entry: int | None = None
    chain: tuple[str, ...] = ()
    name: str = ""


class ComparedHistory(Struct, frozen=True, kw_only=True):
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


def compare(event: OpenEvent, history: KeptHistory) -> ComparedHistory:
    """Compare the event's history with a record of it outside the event, such as an export.

    The result says whether the event's history continues the record. If only the beginning of a digest is
    given, a match does not decide this.
    """
    chain, ends = event.chain, len(event.chain)
    answer = partial(ComparedHistory, against=history.name, what=history.kind)
    is_whole = len(history.digest) == WHOLE
    match = next(
        (
            number
            for number, digest in enumerate(chain, 1)
            if digest.startswith(history.digest) and history.entry in {None, number}
        ),
        None,
    )
    if match is not None and is_whole:
        later = counted(ends - match, "later entry", "later entries") if ends > match else "no later entries"
        text = f"this history continues the earlier one: entry {match} is the same, with {later}"
        return answer(continues=True, entry=match, text=text)
    if match is not None:
        text = (
            f"entry {match} begins with these {counted(len(history.digest), 'digit')}; "
            f"a forged history could match them too, so only all {WHOLE} are proof"
        )
        return answer(continues=None, entry=match, text=text)
    if history.entry is None or not is_whole:
        digits = counted(len(history.digest), "digit")
        label = "this digest" if is_whole else f"a digest that begins with these {digits}"
        entry = "no entry" if history.entry is None else f"no entry {history.entry}"
        text = f"this history has {counted(ends, 'entry', 'entries')}, and {entry} with {label}"
        return answer(continues=False, text=text)
    common_entries = 0
    while (
        common_entries < min(ends, len(history.chain))
        and chain[common_entries] == history.chain[common_entries]
    ):
        common_entries += 1
    if common_entries == ends or (not history.chain and history.entry > ends):
        newer = ": the other one is newer" if common_entries else ""
        text = f"this history ends with entry {ends}, and the other one with entry {history.entry}{newer}"
        return answer(continues=False, entry=common_entries, differs=ends + 1, text=text)
    if not history.chain:
        digest = chain[history.entry - 1]
        text = (
            f"entry {history.entry} has another digest here, {digest}: the histories differ there or before"
        )
        return answer(continues=False, text=text)
    line = event.log()[common_entries]
    text = (
        f"entry {common_entries + 1} is the first that differs; here it says: "
        f"{line.text} ({line.minute}, {line.by})"
    )
    return answer(continues=False, entry=common_entries, differs=common_entries + 1, text=text)


# -- reading a record


def find_history(name: str) -> KeptHistory:
    """Read an event's history from a page, a data file, an export or a copy, or from a digest.

    name: the file, the event in a database, or the digest itself

    Raises TourneyError if a file has no history of an event, is damaged, or contradicts itself.
    """
    path = Path(name)
    if in_database(name):
        place = place_of(name)
        return _copy(place, place.name)  # an address may contain a password, so the event is named instead
    if not path.exists() and re.fullmatch(f"[0-9a-f]{{{LEAST},}}", name.lower()):
        if len(name) > WHOLE:
            raise TourneyError(f"a digest has {WHOLE} hexadecimal digits, but this one has {len(name)}")
        return KeptHistory(kind="digest", digest=name.lower(), name=name)
    content = read_bytes(path)
    if content.startswith(b"SQLite format 3\0"):
        return _copy(place_of(path), name)
    return replace(read_record(content, path.name), name=name)


def _copy(place: EventPlace, name: str) -> KeptHistory:
    with closing(place.open()) as journal:
        chain = tuple(entry.digest for entry in read(journal.rows()))
    return KeptHistory(kind="copy", entry=len(chain), digest=chain[-1], chain=chain, name=name)


class _NamedState(Struct):
    """A state of an event, as a page or a file identifies it: by its last entry and digest."""

    entry: Annotated[int, msgspec.Meta(ge=1)]
    digest: Annotated[str, msgspec.Meta(pattern=f"^[0-9a-f]{{{WHOLE}}}$")]
    chain: tuple[str, ...] = ()


def read_record(content: bytes, name: str) -> KeptHistory:
    """Read an event's history from the content of a file.

    name: the name of the file, for messages

    Raises TourneyError if the file does not name a state of an event (an entry and its digest), or
    contradicts itself.
    """
    text = content.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    kind, data = "page", _page(text)
    if text.startswith("{"):
        if '"tourney.journal/' in text.partition("\n")[0]:
            chain = tuple(row.digest for row in read_export(content.splitlines(), source=name).rows)
            return KeptHistory(kind="export", entry=len(chain), digest=chain[-1], chain=chain)
        # A published `event.json`, or any JSON object with `entry` and `digest`.
        keys = decode_json(msgspec.json.Decoder(dict[str, Any]), text, source=name)
        kind, data = "data", keys.get("verification") or keys
    elif name.endswith(".toml"):
        kind, data = "export", _summary(text)
    try:
        state = msgspec.convert(data, _NamedState)
    except msgspec.ValidationError:
        return _sentence(text, name)
    if state.chain and (len(state.chain), state.chain[-1]) != (state.entry, state.digest):
        raise TourneyError(
            f"{name} contradicts itself: its digest is not the last one in its list of digests"
        )
    return KeptHistory(kind=kind, entry=state.entry, digest=state.digest, chain=state.chain)


_DIGEST = re.compile(r'<code id="digest" data-entry="(\d{1,17})">([^<]*)')
_DIGESTS = re.compile(r"[0-9a-f]{64}")


def _page(text: str) -> object:
    """Read the last entry's number, its digest, and all digests from a page `verification.html`.

    Returns None if the text is not such a page.
    """
    match = _DIGEST.search(text)
    if match is None:
        return None
    chain = text.partition('id="chain"')[2].partition("</ol>")[0]
    return {"entry": int(match[1]), "digest": match[2], "chain": _DIGESTS.findall(chain)}


def _summary(text: str) -> object:
    """Return the number and digest of the last entry, as the summary of an export states them."""
    try:
        event = parse_toml(text, source="the summary").get("event")
    except TourneyError:
        return None
    return {**event, "entry": event.get("entries")} if isinstance(event, dict) else None


_SENTENCE = re.compile(r"\bentry (\d{1,18})\W{1,8}([0-9a-f]{12,64})\b")


def _sentence(text: str, name: str) -> KeptHistory:
    """Return the entry and digest that a text names in a phrase such as `entry 57, 3fa9c1…`.

    The text can be Markdown or a mail, for example. If it has several such phrases, the last one is used.
    Raises TourneyError if it has no such phrase.
    """
    states = _SENTENCE.findall(text.replace("`", ""))
    if not states:
        raise TourneyError(
            f"{name} does not contain an entry and a digest of an event",
            "give the page `verification.html` of a published folder, its `event.json`, an export (.jsonl), "
            "a copy (.tourney, or `pg:NAME`), or a digest",
        )
    entry, digest = states[-1]
    return KeptHistory(kind="page", entry=int(entry), digest=digest)
