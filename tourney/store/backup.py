"""Copies of an event, in the folder `.tourney-backups/` beside it.

A copy gets its name when it is complete. When texts are deleted from the event, they are deleted from its
copies, too. Other files beside the event that contain these texts are only listed for the user.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from tourney.document import Document
from tourney.errors import TourneyError
from tourney.event.entry import ALTERED, is_intact, is_own_secret, read
from tourney.event.ops import Ref
from tourney.store.event_file import EventFile
from tourney.store.files import (
    display_path,
    fault_words,
    in_place_of,
    resolve_path,
    scratch,
    special_kind,
    sweep,
)
from tourney.store.folder import remember_copy
from tourney.store.journal import BACKUPS, EventPlace, Journal, Waiting
from tourney.store.places import Named, place_of

AUTOMATIC = 20
"""The number of automatic copies to keep.

One copy is made before each round, and this number is enough for all rounds and cut rounds of a long weekend.
Copies made on request are never removed.
"""

_NAME = re.compile(r"(.+)-(\d+)-[0-9a-f]{8}(-round-\d+)?\.tourney")


def backup(journal: Journal, *, entry: int, digest: str, round_number: int | None = None) -> Path:
    """Copy the event, and return the path of the copy, such as `friday-57-3fa9c1d2.tourney`.

    Another program may write to the event meanwhile. The copy is checked and synced before it gets its name.
    The users who can read the event can read the copy. Copying the same state again writes the same file.

    entry, digest: the number and the digest of the event's last entry, for the name of the copy
    round_number: for an automatic copy, the round that is about to start; it becomes a part of the name
                  (`friday-57-3fa9c1d2-round-3.tourney`). If there are then more than `AUTOMATIC` automatic
                  copies, the oldest are removed. None for a copy on request

    Raises TourneyError if the copy cannot be written.
    """
    folder = journal.place.backup_folder
    suffix = "" if round_number is None else f"-round-{round_number}"
    target = folder / f"{journal.place.stem}-{entry}-{digest[:8]}{suffix}.tourney"
    try:
        mode = journal.place.make_backup_folder()
        with in_place_of(target, mode=mode) as part:
            journal.copy_to(part)
            _check(part, journal.place)
        _forget(journal, target)
        if round_number is not None:
            _prune(journal)
    except (OSError, sqlite3.Error) as fault:
        raise TourneyError(f"no copy could be written to {folder}: {fault_words(fault)}") from fault
    return target


def _check(copy: Path, place: EventPlace) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        (verdict,) = connection.execute("PRAGMA quick_check").fetchone()
    if verdict != "ok":
        raise TourneyError(f"{place.name} is damaged, so no copy was made: {verdict}")


def _forget(journal: Journal, copy: Path) -> None:
    """Delete from a new copy the texts that were deleted while the copy was being made.

    When a text is deleted from the event, it is deleted only from the copies that exist at that moment. If
    the texts cannot be deleted from the new copy, this function removes the copy and raises TourneyError.
    """
    if not (deleted_refs := journal.deleted_refs()):
        return
    try:
        _erase_from(copy, deleted_refs)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise


def _prune(journal: Journal) -> None:
    """Remove the oldest automatic copies of this event, and keep the newest `AUTOMATIC`.

    Copies of another event with the same name are kept.
    """
    automatic = [copy for copy in backups(journal.place) if (name := _NAME.fullmatch(copy.name)) and name[3]]
    if len(automatic) <= AUTOMATIC:
        return
    first_digest = journal.rows()[0].digest
    copies_of_event = [copy for copy in automatic if _first_digest(copy) == first_digest]
    for old in copies_of_event[AUTOMATIC:]:
        old.unlink(missing_ok=True)


def _first_digest(copy: Path) -> str:
    """Return the digest of a copy's first entry; empty if the copy cannot be read."""
    with suppress(TourneyError, OSError), EventFile.open(copy) as journal:
        return journal.rows()[0].digest
    return ""


def backups(place: EventPlace) -> tuple[Path, ...]:
    """Return the paths of the copies of an event, the copy with the most entries first."""
    folder = place.backup_folder
    if not folder.is_dir():
        return ()
    numbered_copies = [
        (int(name[2]), path)
        for path in folder.iterdir()
        if (name := _NAME.fullmatch(path.name)) and name[1] == place.stem
    ]
    return tuple(path for _, path in sorted(numbered_copies, key=lambda pair: (-pair[0], pair[1].name)))


@contextmanager
def copy_to_try(place: Named, *, waiting: Waiting | None = None) -> Iterator[Path]:
    """Provide the path of a temporary, consistent copy of an event, for the `with` block only.

    place: the event's file, or its address in a database

    Raises TourneyError if no event exists at `place`, or if the event cannot be copied.
    """
    place = place_of(place)
    with scratch() as folder:
        target = _backup_path(folder, place)
        with closing(place.open(waiting=waiting)) as journal:
            journal.copy_to(target)
        yield target


@contextmanager
def place_to_try(place: EventPlace) -> Iterator[Path]:
    """Provide a temporary path at which the `with` block can try to create an event.

    place: the file or address where the event would be created; the temporary file is named after it

    Raises TourneyError if an event cannot be created at `place`.
    """
    place.refuse_taken()
    with scratch() as folder:
        yield _backup_path(folder, place)


def _backup_path(folder: Path, place: EventPlace) -> Path:
    return folder / (place.name if place.file else f"{place.stem}.tourney")


class CopiedEvent(
    Document, frozen=True, kw_only=True, tag="tourney.event-copy/1", rename={"source": "from", "target": "to"}
):
    """What `tourney event copy EVENT NEW-EVENT --json` prints.

    from: the event that was copied
    to: the copy
    entries: the number of entries
    digest: the digest of the journal, a SHA-256
    texts: the number of texts (such as names and decklists), which are stored apart from the entries
    deleted: the number of texts that were deleted by request
    damaged: the number of texts that do not match their digest
    secret: whether the secret was copied
    """

    source: str
    target: str
    entries: int
    digest: str
    texts: int
    deleted: int
    damaged: int
    secret: bool


def copy_event(place: Named, target: Named, *, waiting: Waiting | None = None) -> CopiedEvent:
    """Copy a consistent state of the event at `place` to `target`.

    The copy has the same entries, digests, texts and secret. Before it is committed, it is read and compared
    with the event.

    Raises TourneyError, and creates nothing, if an entry of the event was altered, or if `target` exists.
    """
    place, target = place_of(place), place_of(target)
    target.refuse_taken()
    with copy_to_try(place, waiting=waiting) as copy, EventFile.open(copy) as source:
        content = source.content()
        rows, texts, secret, _ = content
        if not rows:
            raise TourneyError(f"{place.name} holds no entries")
        entries = read(rows)
        if secret is not None and not is_own_secret(entries[0], secret):
            raise TourneyError(
                f"the secret in {place.name} is damaged: its SHA-256 is not the one in entry 1, "
                "so no copy was made",
                ALTERED,
            )

        def begun(journal: Journal) -> Journal:
            if journal.content() != content:
                raise TourneyError(f"{target.name} does not hold what was written to it; nothing was created")
            return journal

        target.begin(content, begun).close()
    if target.file:
        remember_copy(place, rows[0].digest, target.file)
    return CopiedEvent(
        source=str(place),
        target=str(target),
        entries=len(rows),
        digest=entries[-1].digest,
        texts=len(texts),
        deleted=sum(text.content is None for text in texts),
        damaged=sum(not is_intact(*text) for text in texts if text.content is not None),
        secret=secret is not None,
    )


# -- Deleted texts in files beside an event: deleted in copies too, but only reported for other files


def erase_copies(place: EventPlace, texts: Collection[Ref]) -> tuple[int, tuple[str, ...]]:
    """Delete `texts` from every copy in the event's folder of copies, even from renamed copies.

    Returns the number of copies that contained any of the texts, and a warning for each copy that could not
    be written. The entries of a copy do not change; its header lists the deleted texts.
    """
    folder, erased_count, warnings = place.backup_folder, 0, []
    if not folder.is_dir():
        return 0, ()
    sweep(folder)
    for copy in sorted(folder.glob("*.tourney")):
        try:
            erased_count += _erase_from(copy, texts)
        except (TourneyError, OSError, sqlite3.Error) as fault:
            reason = fault_words(fault)
            warnings.append(
                f"{BACKUPS}/{copy.name} cannot be cleared ({reason}); "
                "delete it, because it may contain the erased texts"
            )
    return erased_count, tuple(warnings)


def _erase_from(copy: Path, texts: Collection[Ref]) -> bool:
    with EventFile.open(copy) as journal:
        if not journal.stored_refs(texts):
            return False
        journal.erase(texts)
        journal.compact()
    return True


class HoldingFiles(NamedTuple):
    """The files found by `files_holding`, by the names that messages show.

    exports:  exports, with their summaries, and other files that cannot be opened as an event
    events:   event files, such as salvaged events, or events that were renamed or copied by hand
    warnings: a warning for each file that could not be read
    """

    exports: list[str]
    events: list[str]
    warnings: list[str]


def files_holding(place: EventPlace, texts: Collection[Ref], recorded_files: Iterable[Path]) -> HoldingFiles:
    """Return the files that contain or may contain `texts`, other than the event and its copies.

    The exports and event files in the event's folder are searched. The summary of an export (`.toml`)
    contains names without the refs (digests) by which texts are found, so it is not searched. It is returned
    if its export contains the texts. No file is changed, because it can be in use.

    texts:          the refs of the texts
    recorded_files: files that were written from this machine and may contain the texts (`Folders.files`).
                    Event files among them are searched; the other files are returned without a search
    """
    sweep(place.folder)
    names: list[str] = []
    warnings: list[str] = []
    for file in (*sorted(place.folder.glob("*.jsonl")), *sorted(place.folder.glob("*.tourney"))):
        if file.name != place.name and _is_holding(file, texts, warnings):
            summary = file.with_suffix(".toml")
            names += [file.name, *([summary.name] if file.suffix == ".jsonl" and summary.is_file() else [])]
    listed_files = {resolve_path(place.folder / name) for name in names}
    for file in recorded_files:
        if resolve_path(file) not in listed_files and (file.suffix != ".tourney" or _holds(file, texts)):
            names.append(display_path(file))
    events = [name for name in names if name.endswith(".tourney")]
    return HoldingFiles([name for name in names if name not in events], events, warnings)


def _is_holding(file: Path, texts: Collection[Ref], warnings: list[str]) -> bool:
    """Return whether a file beside an event contains any of `texts`.

    If the file cannot be read, add a warning to `warnings`.
    """
    try:
        return special_kind(file) is None and _holds(file, texts)
    except FileNotFoundError:  # a broken link, or deleted meanwhile
        return False
    except OSError as fault:
        warnings.append(
            f"{file.name} cannot be read: {fault_words(fault)}; "
            "if it belongs to this event, delete it, because it may contain the erased texts"
        )
        return False


def _holds(file: Path, texts: Collection[Ref]) -> bool:
    """Return whether an export or an event file contains any of `texts`.

    `texts` are the refs (digests) of the texts. In a damaged event file, the bytes are searched for the refs.
    """
    if file.suffix != ".tourney":
        refs = [f'"ref":"{ref}","salt"'.encode() for ref in texts]
        with file.open("rb") as lines:
            return any(ref in line for line in lines for ref in refs)
    try:
        with EventFile.open(file) as journal:
            return bool(journal.stored_refs(texts))
    except (TourneyError, sqlite3.Error):
        content = file.read_bytes()
        return any(ref.encode() in content for ref in texts)
