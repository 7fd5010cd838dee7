"""Copies of an event beside it, in `.tourney-backups/`: whole and consistent, or not there at all.

What was deleted from the event is deleted from them, too, and other files beside it that still hold it are named.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED, Text, intact, is_own_secret, read
from tourney.event.ops import Ref
from tourney.store.event_file import EventFile
from tourney.store.files import fault_words, in_place_of, scratch, sweep, what_else
from tourney.store.folder import remember_copy
from tourney.store.journal import EventPlace, Journal, Waiting
from tourney.store.places import BACKUPS, Named, backup_folder_of, make_backup_folder, place_of

AUTOMATIC = 20
"""How many of the copies that are made by themselves, one at each round's start, are kept: a long weekend's rounds and cut.

Copies that somebody asked for are never removed.
"""


_NAME = re.compile(r"(.+)-(\d+)-[0-9a-f]{8}(-round-\d+)?\.tourney")


def backup(journal: Journal, *, entry: int, digest: str, round_number: int | None = None) -> Path:
    """Copy the event as it stands after `entry`; return the copy's path, `friday-57-3fa9c1d2.tourney`.

    A writer does not spoil the copy; it is checked and synced before it takes its name. The same state twice is the same file. Whoever may read the event may read the copy.
    round_number: made by itself at that round's start (`friday-57-3fa9c1d2-round-3.tourney`), and the oldest of those
    go. Raises TourneyError where it cannot be written.
    """
    folder = backup_folder_of(journal.place)
    which = "" if round_number is None else f"-round-{round_number}"
    target = folder / f"{journal.place.stem}-{entry}-{digest[:8]}{which}.tourney"
    try:
        _, mode = make_backup_folder(journal.place)
        with in_place_of(target, mode=mode) as rough:
            journal.copy_to(rough)
            _check(rough, journal.place)
        _forget(journal, target)
        if round_number is not None:
            _prune(journal)
    except OSError as fault:
        raise TourneyError(f"no copy could be written to {folder}: {fault_words(fault)}") from fault
    except sqlite3.Error as fault:
        raise TourneyError(f"no copy could be written to {folder}: {fault}") from fault
    return target


def _check(copy: Path, place: EventPlace) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        (verdict,) = connection.execute("PRAGMA quick_check").fetchone()
    if verdict != "ok":
        raise TourneyError(f"{place.name} is damaged, so no copy was made: {verdict}")


def _forget(journal: Journal, copy: Path) -> None:
    """Delete from a copy what was deleted from the event while it was made.

    Whoever deletes a text clears the copies that are in place: a copy that comes after must look for itself. Raises
    TourneyError, without the copy, where it cannot be cleared.
    """
    if not (deleted := journal.gone()):
        return
    try:
        _erase_from(copy, deleted)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise


def _prune(journal: Journal) -> None:
    """Let go of the oldest automatic copies of an event; another one, in a database or a file, may be called as it is."""
    automatic = [each for each in backups(journal.place) if (name := _NAME.fullmatch(each.name)) and name[3]]
    if len(automatic) <= AUTOMATIC:
        return
    begins = journal.rows()[0].digest
    own = [each for each in automatic if _begins(each) == begins]
    for old in own[AUTOMATIC:]:
        old.unlink(missing_ok=True)


def _begins(copy: Path) -> str:
    """Return the digest of a copy's first entry; empty where it cannot be read."""
    with suppress(TourneyError, OSError), EventFile.open(copy) as journal:
        return journal.rows()[0].digest
    return ""


def backups(place: EventPlace) -> tuple[Path, ...]:
    """Return the copies of an event, the one with the most entries first."""
    folder = backup_folder_of(place)
    if not folder.is_dir():
        return ()
    numbered = [
        (int(name[2]), each)
        for each in folder.iterdir()
        if (name := _NAME.fullmatch(each.name)) and name[1] == place.stem
    ]
    return tuple(each for _, each in sorted(numbered, key=lambda pair: (-pair[0], pair[1].name)))


@contextmanager
def copy_to_try(place: Named, *, waiting: Waiting | None = None) -> Iterator[Path]:
    """Give a copy of an event, whole and consistent, that goes away at the end.

    Raises TourneyError where it is no event or cannot be copied.
    """
    place = place_of(place)
    with scratch() as folder:
        target = _called(folder, place)
        with closing(place.open(waiting=waiting)) as journal:
            journal.copy_to(target)
        yield target


@contextmanager
def place_to_try(place: EventPlace) -> Iterator[Path]:
    """Give a place for an event file called as the event at `place` is, that goes away at the end.

    Raises TourneyError where none could be made at `place`.
    """
    place.refuse_taken()
    with scratch() as folder:
        yield _called(folder, place)


def _called(folder: Path, place: EventPlace) -> Path:
    return folder / (place.name if place.file else f"{place.stem}.tourney")


class EventCopy(NamedTuple):
    """What was copied. deleted: texts of which only the mark was there; damaged: those that do not fit their digest; secret: whether it went along."""

    entries: int
    digest: str
    texts: int
    deleted: int
    damaged: int
    secret: bool


def copy_event(place: Named, target: Named, *, waiting: Waiting | None = None) -> EventCopy:
    """Make at `target` the event that lies at `place`, as it stands at one moment: the same entries, digests, texts and secret.

    What was written is read back before it is there for good. Raises TourneyError, with nothing made, where an entry is not
    as it was written, or something stands at `target`.
    """
    place, target = place_of(place), place_of(target)
    target.refuse_taken()
    with copy_to_try(place, waiting=waiting) as rough, EventFile.open(rough) as source:
        rows, secret, taken_out = source.rows(), source.secret(), source.erased()
        texts = [Text._make(each) for each in source.texts()]
        if not rows:
            raise TourneyError(f"{place.name} holds no entries")
        entries = read(rows)
        if secret is not None and not is_own_secret(entries[0], secret):
            raise TourneyError(
                f"the secret in {place.name} is damaged: its SHA-256 is not the one in entry 1, so no copy was made",
                ALTERED,
            )

        def begun(journal: Journal) -> Journal:
            there = journal.rows(), [Text._make(each) for each in journal.texts()], journal.secret()
            if (*there, journal.erased()) != (rows, texts, secret, taken_out):
                raise TourneyError(f"{target.name} does not hold what was written to it; nothing was made")
            return journal

        target.begin(rows, texts, secret, begun, erased=taken_out).close()
    if target.file:
        remember_copy(place, rows[0].digest, target.file)
    return EventCopy(
        entries=len(rows),
        digest=entries[-1].digest,
        texts=len(texts),
        deleted=sum(each.content is None for each in texts),
        damaged=sum(not intact(*each) for each in texts if each.content is not None),
        secret=secret is not None,
    )


# -- Deleted texts in what lies beside an event: copies are cleared, other files named


def erase_copies(place: EventPlace, texts: Collection[Ref]) -> tuple[int, tuple[str, ...]]:
    """Delete `texts` from every copy beside the event, also from copies of it under another name.

    Return how many held any, and what is to be said of those that could not be written. Their journals stay as they
    were; what a copy lost in this way stands in its header.
    """
    folder, erased, troubles = backup_folder_of(place), 0, []
    if not folder.is_dir():
        return 0, ()
    sweep(folder)
    for copy in sorted(folder.glob("*.tourney")):
        try:
            erased += _erase_from(copy, texts)
        except (TourneyError, OSError, sqlite3.Error) as fault:
            why = fault_words(fault) if isinstance(fault, OSError) else fault
            troubles.append(f"{BACKUPS}/{copy.name} may still hold the texts, delete it: {why}")
    return erased, tuple(troubles)


def _erase_from(copy: Path, texts: Collection[Ref]) -> bool:
    with EventFile.open(copy) as journal:
        held = bool(journal.held(texts))
        if held:
            journal.erase(texts)
            journal.compact()
    return held


def exports_holding(place: EventPlace, texts: Collection[Ref]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the exports beside an event that hold any of `texts`, and say which files could not be read.

    A text stands in an export with its ref. The summary that was written with it (`.toml`) has the names without their
    refs, and goes with it.
    """
    sweep(place.folder)
    exports, troubles = _holding(place, "*.jsonl", partial(_export_holds, texts=texts))
    with_summaries = [each for export in exports for each in (export, export.with_suffix(".toml"))]
    return tuple(each.name for each in with_summaries if each.is_file()), troubles


def _export_holds(export: Path, texts: Collection[Ref]) -> bool:
    refs = [f'"ref":"{ref}","salt"'.encode() for ref in texts]
    with export.open("rb") as lines:
        return any(ref in line for line in lines for ref in refs)


def events_holding(place: EventPlace, texts: Collection[Ref]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the other event files beside an event that hold any of `texts`, and say which files could not be read.

    They may be salvaged, renamed, copied by hand; somebody may be going on in one of them, so none is written. One that
    is too damaged to be opened is named where it has any of the refs: the texts stand beside them.
    """
    events, troubles = _holding(place, "*.tourney", partial(event_holds, texts=texts))
    return tuple(each.name for each in events), troubles


def event_holds(event: Path, texts: Collection[Ref]) -> bool:
    """Return whether an event file holds any of `texts`; of a damaged one, whether it has any of their refs."""
    try:
        with EventFile.open(event) as journal:
            return bool(journal.held(texts))
    except (TourneyError, sqlite3.Error):
        content = event.read_bytes()
        return any(ref.encode() in content for ref in texts)


def _holding(
    place: EventPlace, pattern: str, holds: Callable[[Path], bool]
) -> tuple[list[Path], tuple[str, ...]]:
    """Return the other files beside an event that hold what is looked for, and what is to be said of unreadable ones."""
    holding, troubles = [], []
    for other in sorted(place.folder.glob(pattern)):
        try:
            if other.name != place.name and what_else(other) is None and holds(other):
                holding.append(other)
        except FileNotFoundError:  # a link to nothing, or deleted meanwhile
            continue
        except OSError as fault:
            troubles.append(
                f"{other.name} cannot be read and may still hold the texts; if it is of this event, delete it: {fault_words(fault)}"
            )
    return holding, tuple(troubles)
