"""Write an event as text (an export), and read it back.

An export is a file of JSON Lines with the whole event, and a TOML file with a summary for people.

The first line of the JSON Lines names the schema. It is followed by a line for each entry, a line for each
text (with `salt`, and with `bytes` in hexadecimal if the text is not UTF-8), and a line with the secret. A
sealed event reveals its secret only when it is closed; until then, that line is left out. An event that is
read back has the same digests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tourney.decode import MAX_EXPORT, check_size, explain_validation_error
from tourney.errors import TourneyError
from tourney.event.entry import NEWER, Entry, JournalRow, Text, is_intact, is_own_secret, read, ref_of
from tourney.event.ops import Ref
from tourney.store.files import NewFile, fault_words, replace_files, special_kind
from tourney.store.journal import Journal, StoredEvent

_SCHEMA = "tourney.journal/1"
"""The schema in the first line of an export."""


class _Line(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A line of an export: the first line, an entry, a text or the secret.

    These have the key `schema`, `entry`, `ref` or `secret`.
    """

    schema: str | None = None
    entries: int | None = None
    digest: str | None = None
    entry: int | None = None
    at: str = ""
    by: str = ""
    op: msgspec.Raw = msgspec.Raw()
    ref: str | None = None
    salt: str | None = None
    text: str | None = None
    bytes: str | None = None
    blank: bool = False
    secret: str | msgspec.UnsetType | None = msgspec.UNSET


_AGAIN = "export the event again"
_WITHOUT = f"{_AGAIN}, or delete this line to import it as a copy without the secret"
"""Hints for a line that cannot be read: for any line, and for the line with the secret."""


def export_lines(journal: Journal, *, with_secret: bool) -> Iterator[bytes]:
    """Yield the lines of an export, without line ends.

    with_secret: whether to include the secret; False for a sealed event that is not closed
    """
    encode = msgspec.json.Encoder().encode
    rows = journal.rows()
    yield encode(_Line(schema=_SCHEMA, entries=len(rows), digest=rows[-1].digest))
    for row in rows:
        yield encode(_Line(entry=row.seq, at=row.at, by=row.by, op=msgspec.Raw(row.op), digest=row.digest))
    for ref, salt, content in journal.texts():
        # An import would refuse a damaged text. If it is left out, the imported event shows it as damaged.
        if is_intact(ref, salt, content):
            yield encode(_text_line(ref, salt, content))
    secret = journal.secret() if with_secret else None
    if secret is not None and is_own_secret(read(rows[:1])[0], secret):
        yield encode(_Line(secret=secret.hex()))


def _text_line(ref: str, salt: bytes | None, content: bytes | None) -> _Line:
    if content is None or salt is None:
        return _Line(ref=ref, blank=True)
    try:
        return _Line(ref=ref, salt=salt.hex(), text=content.decode())
    except UnicodeDecodeError:
        return _Line(ref=ref, salt=salt.hex(), bytes=content.hex())


def read_export(lines: Iterable[bytes], *, source: str) -> StoredEvent:
    """Read the lines of an export and check all digests.

    Raises a TourneyError that names the file and the line.
    """
    rows: list[JournalRow] = []
    texts: list[Text] = []
    secret: bytes | None = None
    secret_at = ""
    head: _Line | None = None
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        line = _line(raw, f"{source}:{number}")
        if head is None:
            head = _head(line, source)
        elif line.entry is not None:
            rows.append(JournalRow(line.entry, line.at, line.by, bytes(line.op), line.digest or ""))
        elif line.ref is not None:
            texts.append(_text(line, f"{source}:{number}"))
        elif isinstance(line.secret, str):
            secret_at = f"{source}:{number}"
            secret = _hex(line.secret, secret_at, _WITHOUT)
        else:
            fault = "the secret is missing" if line.secret is None else "neither an entry nor a text"
            raise TourneyError(f"{source}:{number}: {fault}", _WITHOUT if line.secret is None else _AGAIN)
    entries = _checked_entries(rows, head, source)
    if secret is not None and not is_own_secret(entries[0], secret):
        raise TourneyError(
            f"{secret_at}: the secret is damaged: its SHA-256 is not the one in entry 1", _WITHOUT
        )
    return StoredEvent(rows, texts, secret)


def _line(raw: bytes, place: str) -> _Line:
    try:
        return msgspec.json.decode(raw, type=_Line)
    except msgspec.ValidationError as fault:
        raise TourneyError(f"{place}: {explain_validation_error(fault)}", _AGAIN) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise TourneyError(
            f"{place}: not a line of an exported event", "`tourney event export` writes such files"
        ) from None


def _head(line: _Line, source: str) -> _Line:
    if line.schema is None:
        raise TourneyError(
            f"{source}:1: the first line should say `{_SCHEMA}`", "`tourney event export` writes such files"
        )
    if line.schema != _SCHEMA:
        raise TourneyError(
            f"{source}: written as {line.schema}, but this version of tourney reads {_SCHEMA}", NEWER
        )
    return line


def _text(line: _Line, place: str) -> Text:
    ref = Ref(line.ref or "")
    if line.blank:
        return Text(ref, None, None)  # a deleted text, as an event file stores it
    content = line.text.encode() if line.text is not None else _hex(line.bytes or "", place)
    salt = _hex(line.salt or "", place)
    if ref_of(content, salt) != ref:
        raise TourneyError(f"{place}: the text was changed: its digest does not match", _AGAIN)
    return Text(ref, salt, content)


def _hex(text: str, place: str, hint: str | None = None) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise TourneyError(f"{place}: `{text[:20]}` is not a hexadecimal number", hint or _AGAIN) from None


def _checked_entries(rows: list[JournalRow], head: _Line | None, source: str) -> list[Entry]:
    """Return the entries of an export.

    Raises TourneyError if the chain of their digests is broken, or if the last entries are missing.
    """
    if head is None or not rows:
        raise TourneyError(f"{source}: there is no event in it", "`tourney event export` writes one")
    try:
        entries = read(rows)
    except TourneyError as fault:
        raise TourneyError(f"{source}: {fault.message}", fault.hint) from None
    if len(entries) != head.entries or entries[-1].digest != head.digest:
        raise TourneyError(
            f"{source}: {len(entries)} entries, the first line says {head.entries}: the file was cut off"
        )
    return entries


def read_exported(path: Path) -> StoredEvent:
    """Read an export file and check all digests.

    Raises TourneyError if the file cannot be read or is not an export.
    """
    try:
        if kind := special_kind(path):
            raise TourneyError(f"{path.name or path} {kind}")
        check_size(path.stat().st_size, source=path.name, limit=MAX_EXPORT)
        with path.open("rb") as file:
            return read_export(file, source=path.name)
    except FileNotFoundError:
        raise TourneyError(f"there is no file {path}") from None
    except OSError as fault:
        raise TourneyError(f"{path.name} cannot be read: {fault_words(fault)}") from None


def write_all(files: Sequence[NewFile], *, replace: bool) -> None:
    """Write several files atomically; see `replace_files`.

    Raises TourneyError if one of the files exists and `replace` is not set.
    """
    for path, _, _ in files:
        if path.exists() and not replace:
            raise TourneyError(f"{path} exists already", "`--replace` overwrites the file")
    replace_files(files)


def export_event(
    journal: Journal, summary: dict[str, Any], folder: Path, *, with_secret: bool, replace: bool
) -> tuple[Path, Path]:
    """Write `<event>.jsonl` and `<event>.toml` to a folder, and return both paths.

    The folder is created if it does not exist.

    summary: the content of the TOML file
    replace: whether to overwrite existing files; otherwise, raises TourneyError if one of them exists
    """
    import tomli_w

    export, toml = (folder / f"{journal.place.stem}.{extension}" for extension in ("jsonl", "toml"))
    lines = b"".join(line + b"\n" for line in export_lines(journal, with_secret=with_secret))
    # Only the user can read the export, because it holds contacts and the secret.
    files = NewFile(export, lines, 0o600), NewFile(toml, tomli_w.dumps(summary).encode())
    write_all(files, replace=replace)
    return export, toml
