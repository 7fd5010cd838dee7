"""Publish an event as pages in a folder, and print sheets.

All pages are rendered, and only files that have changed are written. Every folder is recorded, so that it can
be written again when a person is erased. Sheets also show facts that only staff know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import structs

from tourney.desk.files import until_none_is_erased
from tourney.desk.forecasting import needs_for_all
from tourney.desk.open_event import OpenEvent, WritableEvent
from tourney.desk.posting import OpenOutbox, why_failed, with_posts
from tourney.desk.receipts import Receipt
from tourney.desk.staff_sheets import staff_view
from tourney.desk.views import Watch, event_view
from tourney.errors import TourneyError
from tourney.event.state import State
from tourney.event.view import EventView
from tourney.publish import FORMS, form_of, render, sheets
from tourney.publish.data import read_places
from tourney.publish.sheets import PaperSize
from tourney.store.files import shown
from tourney.store.folder import (
    FolderChanges,
    Folders,
    KnownFolder,
    write_folder,
    written_as,
    written_before,
)
from tourney.wording import counted, listed_short


class Published(NamedTuple):
    """The result of publishing or printing.

    files:    the paths of all files, relative to `folder`
    changes:  the numbers of files that were written or removed
    missing:  the requested sheets that cannot be made: name → the reason
    warnings: warnings about other folders that may still show a person who was erased
    """

    folder: str
    files: tuple[str, ...]
    changes: FolderChanges
    missing: Mapping[str, TourneyError] = MappingProxyType({})
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The number of files, and how many of them changed: `22 files (3 new or changed)`."""
        removed = f"; {self.changes.removed} removed" if self.changes.removed else ""
        return f"{counted(len(self.files), 'file')} ({self.changes.written} new or changed){removed}"


# -- pages


def publish(
    event: OpenEvent,
    folder: Path,
    forms: Sequence[str] = (),
    *,
    at: int | None = None,
    prizes: tuple[str, str] | None = None,
    watch: Watch | None = None,
) -> Published:
    """Publish the event to a folder. A round that is held back is left out.

    forms:  keys of `tourney.publish.FORMS`; empty: all. Files of other forms are kept, but they are written
            again if a person was erased
    at:     the entry after which the event is shown; None: the last entry
    prizes: the text of a table of prizes and its source, for the final ranking
    watch:  shows progress while places are explained

    Raises TourneyError if the folder cannot be written or has files of another origin, and if lots cannot be
    drawn.
    """
    event.ranked(at=at)
    write = partial(_write_pages, event, folder, forms or tuple(FORMS), at=at, prizes=prizes, watch=watch)
    return _write_and_remember(event, folder, "pages", write, at=at, own=prizes is not None)


def _write_pages(
    event: OpenEvent,
    folder: Path,
    forms: Sequence[str],
    *,
    at: int | None = None,
    prizes: tuple[str, str] | None = None,
    watch: Watch | None = None,
) -> Published:
    published: Published | None = None
    wanted = set(forms)
    for _ in until_none_is_erased(event):
        if any(player.erased for player in event.state.players.values()):
            wanted.update(form_of(path) for path in written_before(folder) if _sheet_at(path) is None)
        shown_event = event if at is None else event.as_of(at)
        earlier = written_as(folder, "event.json")
        places = read_places(earlier) if earlier else None
        needs = needs_for_all(shown_event)
        view = event_view(shown_event, prizes=prizes, published=places, watch=watch, needs=needs)
        contents = render(view, sorted(wanted))
        changes = write_folder(
            folder, contents, about=lambda path: form_of(path) in wanted and _sheet_at(path) is None
        )
        published = Published(str(folder), tuple(sorted(contents)), changes)
    assert published is not None, "the loop runs at least once"
    return published


def public_folder(event: OpenEvent) -> Path | None:
    """Return the folder to which the event is published after each round (`publish_to`).

    Returns None if the event has no such folder.
    """
    name = event.state.settings.pages.publish_to
    return event.place.folder / name if name else None


def with_pages_and_posts(
    event: WritableEvent, receipt: Receipt, *, outbox: OpenOutbox, watch: Watch | None = None
) -> Receipt:
    """Publish and post as the event's settings say, and add that to the receipt."""
    receipt = with_pages(event, receipt, watch=watch)
    return with_posts(event, receipt, outbox()) if event.state.settings.pages.post_to else receipt


def with_pages(event: WritableEvent, receipt: Receipt, *, watch: Watch | None = None) -> Receipt:
    """Publish the event to its folder, and add that to the receipt.

    A failure becomes a warning, because the entry is already written.
    """
    folder, name = public_folder(event), event.state.settings.pages.publish_to
    if folder is None:
        return receipt
    try:
        published = publish(event, folder, watch=watch)
    except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001 - the entry is written: the change must not fail
        warning = (
            f"nothing was published: {why_failed(fault, quoting=True)};"
            f" the change is saved (`tourney publish --to {name}`)"
        )
        event.last = replace(receipt, warnings=(*receipt.warnings, warning))
    else:
        event.last = replace(
            receipt,
            changed=(*receipt.changed, f"Published to the folder {name}: {published.text}."),
            warnings=(*receipt.warnings, *published.warnings),
        )
    return event.last


def with_new_seats(
    event: WritableEvent, receipt: Receipt, before: State, *, watch: Watch | None = None
) -> Receipt:
    """Publish the event again if its pages show seats that a change has moved.

    before: the state before the change
    """
    folder = public_folder(event)
    if folder is None or not receipt.entries:
        return receipt
    old, new = (_seats(state.for_players) for state in (before, receipt.state))
    moved = [number for number in old.keys() | new.keys() if old.get(number) != new.get(number)]
    shown = any(
        (folder / f"round-{number}.{form}").exists() for number in moved for form in ("html", "md", "csv")
    )
    cancelled = any(number not in old for number in moved) and (folder / "index.html").exists()
    return with_pages(event, receipt, watch=watch) if shown or cancelled else receipt


def _seats(state: State) -> dict[int, object]:
    """Return, for each round, its tables with their seats and its players without a table."""
    return {
        round_.number: ([(table.number, table.seats) for table in round_.tables.values()], round_.byes)
        for round_ in state.rounds
    }


# -- the record of written folders, for erasing a person from them


def _write_and_remember(
    event: OpenEvent,
    folder: Path,
    what: Literal["pages", "sheets"],
    write: Callable[[], Published],
    *,
    at: int | None = None,
    own: bool = False,
) -> Published:
    """Write a folder and record it.

    Then write other folders again if they may show a person who was erased.
    """
    folders = Folders(event.place, event.chain[0])
    before = folders.of(folder, what)
    is_new = before not in folders.records()
    # The folder is also recorded beforehand, because writing may be interrupted.
    warnings = _remember(folders, before) if before.gone is None else []
    try:
        published = write()
    except TourneyError:
        if is_new:
            folders.forget(before)  # nothing was written
        raise
    after = structs.replace(before, at=at, own=own, gone=len(event.journal.deleted_refs()), over=False)
    warnings += _remember(folders, after)
    _, other_warnings = clear_folders(event, but=before)
    return published._replace(warnings=tuple(dict.fromkeys([*warnings, *other_warnings])))


def _remember(folders: Folders, folder: KnownFolder) -> list[str]:
    """Record a folder, and return a warning if that fails."""
    try:
        folders.note(folder)
    except TourneyError as fault:
        place = shown(folders.place(folder))
        return [f"{fault.message}; if you erase a player later, delete the player from {place} by hand"]
    return []


def clear_folders(event: OpenEvent, *, but: KnownFolder | None = None) -> tuple[list[str], list[str]]:
    """Write each recorded folder again if it was written before the last erasure.

    Returns the names of the folders that were written, and warnings about the others.

    but: a folder that was written just now
    """
    folders, gone = Folders(event.place, event.chain[0]), len(event.journal.deleted_refs())
    cleared, warnings = list[str](), list[str]()
    for folder in folders.records() if gone else ():
        if folder.gone == gone or (but and (folder.folder, folder.what) == (but.folder, but.what)):
            continue
        place = folders.place(folder)
        name = shown(place)
        to = quote(name)
        again = (
            f"`tourney publish --to {to}`"
            if folder.what == "pages"
            else f"`tourney print pairings --to {to}`"
        )
        try:
            is_written, remedy = _write_again(event, place, folder)
        except Exception as fault:  # noqa: BLE001 - the entry is written: the change must not fail
            reason = why_failed(fault).removeprefix(f"{place}: ")
            warnings.append(
                f"the folder {name}/ may still name a deleted person: {reason};"
                f" fix that and {again}, or delete the folder"
            )
            continue  # the next publication tries again
        if is_written:
            cleared.append(f"{name}/")
        if remedy:
            warnings.append(f"the folder {name}/ may still name a deleted person: {remedy}")
            folders.forget(folder)
        elif is_written:
            if folder.own:
                lost = "its words or prizes, which were given for this folder only, are missing now"
                warnings.append(f"the folder {name}/: {lost}; {again} with them")
            _remember(folders, structs.replace(folder, own=False, gone=gone))
    return cleared, warnings


def _write_again(event: OpenEvent, place: Path, folder: KnownFolder) -> tuple[bool, str]:
    """Write a folder's files again.

    Return whether they were written, and what the user must delete by hand.
    """
    if not place.is_dir():
        return False, "it was moved or deleted; if you moved it, delete it"
    data = written_as(place, "event.json") if folder.what == "pages" else None
    places = read_places(data) if data else None
    if folder.over or (places and places.event not in {"", event.chain[0]}):
        # The folder has the pages of another event, which must not be replaced.
        return False, "another event was written there since; delete the files of this event"
    paths = written_before(place)
    forms = sorted({form_of(path) for path in paths if _sheet_at(path) is None})
    if folder.what == "sheets" and any(map(_sheet_at, paths)):
        published = _write_sheets(event, place, (), _Printing())
    elif folder.what == "pages" and forms:
        published = _write_pages(event, place, forms, at=folder.at)
    elif any(place.iterdir()):
        return False, "its files are no longer recognized; delete the files you do not need"
    else:
        return False, ""
    left = published.changes.left
    return True, f"these files were changed since; delete them by hand: {listed_short(left)}" if left else ""


# -- sheets


class _Printing(NamedTuple):
    """How sheets are printed; see `print_sheets`."""

    round_number: int | None = None
    paper: PaperSize = "a4"
    pdf: bool = False
    held: bool = False
    named: bool = False
    room: str = ""


class _Sheet(NamedTuple):
    """The file of a printed sheet.

    number: the number of its round; None if it is not about a round
    """

    kind: str
    number: int | None
    pdf: bool

    @property
    def path(self) -> str:
        """The file's name."""
        about = f"-round-{self.number}" if self.number else ""
        return f"{self.kind}{about}.{'pdf' if self.pdf else 'html'}"


def print_sheets(
    event: OpenEvent,
    folder: Path,
    kinds: Sequence[str],
    *,
    round_number: int | None = None,
    paper: PaperSize = "a4",
    pdf: bool = False,
    held: bool = False,
    named: bool = False,
    room: str = "",
) -> Published:
    """Write sheets to a folder, one file for each kind: `slips-round-3.html`.

    Sheets that were printed to the folder before are kept, and are written again if a person was erased
    meanwhile. Kinds for which there is nothing to print are `missing`.

    round_number: the round to print; None: the newest
    held:         include a round that is held back
    named:        print a decklist form for each player whose list is missing, not one form without a name
    room:         the address at which the event is served, for QR codes of pages that are not published

    Raises TourneyError for an unknown kind, if all kinds are missing, and if the folder or a PDF cannot be
    written.
    """
    printing = _Printing(round_number, paper, pdf, held, named, room)
    write = partial(_write_sheets, event, folder, kinds, printing)
    return _write_and_remember(event, folder, "sheets", write)


def _write_sheets(event: OpenEvent, folder: Path, kinds: Sequence[str], printing: _Printing) -> Published:
    published: Published | None = None
    for _ in until_none_is_erased(event):
        view = event_view(event, why=False, held=printing.held)
        requested, missing = _requested_files(kinds, view, printing)
        old = frozenset[str]()
        if any(player.erased for player in event.state.players.values()):
            old = frozenset(path for path in written_before(folder) if _sheet_at(path)) - requested
        contents = {}
        for path in sorted({*requested, *old}):
            sheet = _sheet_at(path)
            assert sheet is not None, "these are paths of sheets"
            if path in old and (sheet.number or 0) > len(view.rounds):
                continue
            try:
                page = sheets.sheet(
                    sheet.kind,
                    view,
                    round_number=sheet.number,
                    paper=printing.paper,
                    staff=staff_view(event, sheet.kind, sheet.number, named=printing.named),
                    room=printing.room,
                )
            except TourneyError as fault:
                if path in requested:
                    missing[sheet.kind] = fault
                elif not sheets.kind_called(sheet.kind).staff:
                    raise
                continue  # an old sheet for which there is nothing to print any more
            contents[path] = sheets.as_pdf(page) if sheet.pdf else page
        requested &= contents.keys()
        if missing and not requested:
            raise next(iter(missing.values()))
        changes = write_folder(folder, contents, about=(requested | old).__contains__)
        published = Published(str(folder), tuple(sorted(requested)), changes, missing)
    assert published is not None, "the loop runs at least once"
    return published


def _requested_files(
    kinds: Sequence[str], view: EventView, printing: _Printing
) -> tuple[set[str], dict[str, TourneyError]]:
    """Return the files for the kinds of sheets, and errors for kinds that cannot be printed.

    A kind cannot be printed if it needs a round and there is none.

    Raises TourneyError for an unknown kind.
    """
    requested, missing = set[str](), dict[str, TourneyError]()
    for kind in kinds:
        of_round = sheets.kind_called(kind).rounds
        try:
            number = sheets.round_of(view, printing.round_number).number if of_round else None
        except TourneyError as fault:
            missing[kind] = fault
        else:
            requested.add(_Sheet(kind, number, printing.pdf).path)
    return requested, missing


def _sheet_at(path: str) -> _Sheet | None:
    """Return the sheet that a file contains, by its name; None if it is not a sheet."""
    name = re.fullmatch(r"([a-z-]+?)(?:-round-(\d{1,6}))?\.(html|pdf)", path)
    if name is None or name[1] not in sheets.KINDS or sheets.KINDS[name[1]].rounds is not bool(name[2]):
        return None
    return _Sheet(name[1], int(name[2]) if name[2] else None, name[3] == "pdf")
