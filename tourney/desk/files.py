"""Write an event as files: exports and copies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tourney.desk.open_event import OpenEvent, WritableEvent
from tourney.desk.receipts import Receipt
from tourney.errors import TourneyError
from tourney.event.field import damaged_secret, is_secret_damaged
from tourney.event.ops import Ref
from tourney.event.showing import summary
from tourney.store import backup as copies
from tourney.store.export import export_event
from tourney.store.folder import Folders


def export(event: OpenEvent, folder: Path, *, replace: bool = False) -> tuple[Path, Path]:
    """Write `<event>.jsonl` and `<event>.toml` to `folder`.

    The first has everything, an entry on each line. The second is a summary for people.

    Both files are written again if a person was erased meanwhile, so that no erased text is exported.
    """
    files: tuple[Path, Path] | None = None
    for _ in until_none_is_erased(event):
        with_secret = not event.state.sealed or event.state.closed
        if with_secret and is_secret_damaged(event.state, event.journal.secret()):
            raise damaged_secret("the event cannot be exported with it")
        files = export_event(
            event.journal,
            summary(event.state),
            folder,
            with_secret=with_secret,
            replace=replace or files is not None,
        )
    assert files is not None, "the loop runs at least once"
    remember_files(event, *files)
    return files


def until_none_is_erased(event: OpenEvent) -> Iterator[None]:
    """Loop over this to write an event to files.

    The body runs once, and again if a person was erased meanwhile.
    """
    gone: frozenset[Ref] | None = None
    while (now_gone := event.journal.deleted_refs()) != gone:
        gone = now_gone
        event.refresh()
        yield


def remember_files(event: OpenEvent, *files: Path) -> None:
    """Record files that contain names from the event.

    When a person is erased, the receipt names these files. Never raises TourneyError.
    """
    folders = Folders(event.place, event.chain[0])
    with suppress(TourneyError):
        for file in files:
            folders.note_file(file, len(event.journal.deleted_refs()))


# -- copies


def backup(event: OpenEvent) -> Path:
    """Copy the event to `.tourney-backups/` beside it, and return the path of the copy."""
    state = event.refresh()
    return copies.backup(event.journal, entry=state.entry, digest=state.digest)


def backups(event: OpenEvent) -> tuple[Path, ...]:
    """Return the paths of the event's copies, newest first."""
    return copies.backups(event.place)


def with_copy(event: WritableEvent, receipt: Receipt) -> Receipt:
    """Copy the event at the start of a round, and delete the oldest automatic copies.

    If the copy fails, the receipt gets a warning.
    """
    state = receipt.state
    try:
        copies.backup(event.journal, entry=state.entry, digest=state.digest, round_number=len(state.rounds))
    except (TourneyError, KeyboardInterrupt) as fault:
        warning = f"{str(fault) or 'interrupted: no copy was made'}; the round is paired anyway"
        event.last = receipt = replace(receipt, warnings=(*receipt.warnings, warning))
    return receipt
