"""Export and copy an event. Also has functions and types that publishing and printing share.

`backup` copies an event to `.tourney-backups/`; `export` writes it as text.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec import UNSET, Struct, UnsetType

from tourney.desk.open_event import OpenEvent, WritableEvent
from tourney.desk.receipts import Receipt
from tourney.document import Document
from tourney.errors import TourneyError
from tourney.event.field import damaged_secret_error, is_secret_damaged
from tourney.event.showing import summary
from tourney.store import backup as copies
from tourney.store.export import export_event
from tourney.store.folder import FolderChanges, Folders
from tourney.wording import counted

T = TypeVar("T")


def write_current(event: OpenEvent, write: Callable[[], T]) -> T:
    """Write an event to files, and again if a person was erased meanwhile.

    write: writes the files of the current state, and returns what was written
    """
    while True:
        deleted_refs = event.journal.deleted_refs()
        event.refresh()
        result = write()
        if event.journal.deleted_refs() == deleted_refs:
            return result


def remember_files(event: OpenEvent, *files: Path) -> None:
    """Record files that contain names from the event.

    When a person is erased, the receipt names these files. Never raises TourneyError.
    """
    folders = Folders(event.place, event.chain[0])
    with suppress(TourneyError):
        for file in files:
            folders.note_file(file, len(event.journal.deleted_refs()))


class MissingSheet(Struct, frozen=True):
    """A sheet that could not be made.

    sheet: the kind of sheet
    why: the reason, in a sentence
    hint: what to do; null if there is no hint
    """

    sheet: str
    why: str
    hint: str | None


class Published(NamedTuple):
    """The result of publishing or printing.

    files:    the paths of all files, relative to the folder
    changes:  the numbers of files that were written or removed
    missing:  the requested sheets that could not be made
    warnings: warnings about other folders that may still show a person who was erased
    """

    files: tuple[str, ...]
    changes: FolderChanges
    missing: tuple[MissingSheet, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The number of files, and how many of them changed: `22 files (3 new or changed)`."""
        removal_text = f"; {self.changes.removed} removed" if self.changes.removed else ""
        return f"{counted(len(self.files), 'file')} ({self.changes.written} new or changed){removal_text}"


class FolderDocument(Document, frozen=True):
    """Files that were written into a folder.

    folder: the folder; null if no files were written
    files: paths of the files
    written: the number of files that are new or changed
    removed: the number of files that were removed
    left: files that are no longer published, but were not removed because they have been changed
    """

    folder: str | None
    files: tuple[str, ...]
    written: int
    removed: int
    left: tuple[str, ...]


# -- exports


class ExportedEvent(Document, frozen=True, tag="tourney.event-export/1"):
    """What `tourney event export --json` prints.

    files: the files that were written
    form: the other program's file format; missing without `--as`
    lost: what that format cannot store, in words; missing without `--as`
    """

    files: tuple[str, ...]
    form: str | UnsetType = UNSET
    lost: tuple[str, ...] | UnsetType = UNSET


def export(event: OpenEvent, folder: Path, *, replace: bool = False) -> tuple[Path, Path]:
    """Write `<event>.jsonl` and `<event>.toml` to `folder`.

    The first has everything, an entry on each line. The second is a summary for people.
    """

    def write() -> tuple[Path, Path]:
        nonlocal replace
        with_secret = not event.state.sealed or event.state.closed
        if with_secret and is_secret_damaged(event.state, event.journal.secret()):
            raise damaged_secret_error("the event cannot be exported with it")
        files = export_event(
            event.journal, summary(event.state), folder, with_secret=with_secret, replace=replace
        )
        replace = True  # a second run replaces the files of the first
        return files

    files = write_current(event, write)
    remember_files(event, *files)
    return files


# -- copies


class Backups(Document, frozen=True, tag="tourney.event-backup/1"):
    """What `tourney event backup --json` prints.

    files: the copy that was made; with `--list`, all copies, newest first
    """

    files: tuple[str, ...]


def backup(event: OpenEvent) -> Path:
    """Copy the event to `.tourney-backups/` beside it, and return the path of the copy."""
    state = event.refresh()
    return copies.backup(event.journal, entry=state.entry, digest=state.digest)


def backups(event: OpenEvent) -> tuple[Path, ...]:
    """Return the paths of the event's copies, newest first."""
    return copies.backups(event.place)


def with_copy(event: WritableEvent, receipt: Receipt) -> Receipt:
    """Copy the event after a round is paired.

    If there are too many automatic copies, the oldest are deleted. If the copy fails, the receipt gets a
    warning.
    """
    state = receipt.state
    try:
        copies.backup(event.journal, entry=state.entry, digest=state.digest, round_number=len(state.rounds))
    except (TourneyError, KeyboardInterrupt) as fault:
        warning = f"{str(fault) or 'interrupted: no copy was made'}; the round is paired anyway"
        event.last = receipt = receipt.plus(warnings=[warning])
    return receipt
