"""Publish an event as pages in a folder, and print sheets.

All pages are rendered, and only files that have changed are written. Every folder is recorded, so that it can
be written again when a person is erased. Sheets also show facts that only staff know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, structs

from tourney.desk.files import FolderDocument, Published, write_current
from tourney.desk.forecasting import needs_for_all
from tourney.desk.open_event import OpenEvent, WritableEvent
from tourney.desk.posting import OpenOutbox, PostsTo, why_failed, with_posts
from tourney.desk.printing import PrintOptions, sheet_at, write_sheets
from tourney.desk.receipts import Receipt
from tourney.desk.views import Watch, event_view
from tourney.errors import TourneyError
from tourney.event.state import State
from tourney.publish import FORMS, form_of, render
from tourney.publish.data import read_places
from tourney.store.files import display_path
from tourney.store.folder import Folders, KnownFolder, write_folder, written_as, written_before
from tourney.wording import listed_short


class CommandRun(Struct, frozen=True):
    """The command of `--then`.

    command: the words of the command
    exit_code: its exit code; null if it was not run
    """

    command: tuple[str, ...]
    exit_code: int | None


class PublishDocument(FolderDocument, frozen=True, tag="tourney.publish/1"):
    """What `tourney publish --json` prints.

    at: the entry after which the event is shown; missing for the current state
    then: the command that was run afterwards; missing without `--then`
    posts: what was posted to each address; missing without `--post`
    dry_run: true if nothing was written because of `--dry-run`; otherwise missing
    """

    at: int | UnsetType = UNSET
    then: CommandRun | UnsetType = UNSET
    posts: tuple[PostsTo, ...] | UnsetType = UNSET
    dry_run: bool | UnsetType = UNSET


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
    prizes: text and source of a file of prizes, to be shown with the places
    watch:  a function that shows progress while the reasons for the players' places are computed

    Raises TourneyError if the folder cannot be written or has files of another origin, and if lots cannot be
    drawn.
    """
    (event if at is None else event.as_of(at)).ranking_input()  # raises TourneyError if lots cannot be drawn
    write = partial(_write_pages, event, folder, forms or tuple(FORMS), at=at, prizes=prizes, watch=watch)
    return _write_and_remember(event, folder, "pages", write, at=at, has_prizes=prizes is not None)


def _write_pages(
    event: OpenEvent,
    folder: Path,
    forms: Sequence[str],
    *,
    at: int | None = None,
    prizes: tuple[str, str] | None = None,
    watch: Watch | None = None,
) -> Published:
    all_forms = set(forms)
    if any(player.erased for player in event.state.players.values()):
        all_forms.update(form_of(path) for path in written_before(folder) if sheet_at(path) is None)
    shown_event = event if at is None else event.as_of(at)
    old_data = written_as(folder, "event.json")
    places = read_places(old_data) if old_data else None
    needs = needs_for_all(shown_event)
    view = event_view(shown_event, prizes=prizes, earlier_places=places, watch=watch, needs=needs)
    contents = render(view, sorted(all_forms))
    changes = write_folder(
        folder, contents, about=lambda path: form_of(path) in all_forms and sheet_at(path) is None
    )
    return Published(tuple(sorted(contents)), changes)


def public_folder(event: OpenEvent) -> Path | None:
    """Return the folder to which the event is published after each round (`publish_to`).

    Returns None if the event has no such folder.
    """
    name = event.state.settings.pages.publish_to
    return event.place.folder / name if name else None


def with_pages_and_posts(
    event: WritableEvent, receipt: Receipt, *, outbox: OpenOutbox, watch: Watch | None = None
) -> Receipt:
    """Publish pages and post messages, if the event's settings ask for it.

    Returns the receipt, which then also says what was published and posted.
    """
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
        publication = publish(event, folder, watch=watch)
    except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001 - the entry is written: the change must not fail
        warning = (
            f"nothing was published: {why_failed(fault, quoting=True)};"
            f" the change is saved (`tourney publish --to {name}`)"
        )
        event.last = receipt.plus(warnings=[warning])
    else:
        message = f"Published to the folder {name}: {publication.text}."
        event.last = receipt.plus([message], publication.warnings)
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
    old_seats, new_seats = (_seats(state.for_players) for state in (before, receipt.state))
    changed_rounds = [
        number
        for number in old_seats.keys() | new_seats.keys()
        if old_seats.get(number) != new_seats.get(number)
    ]
    is_shown = any(
        (folder / f"round-{number}.{form}").exists()
        for number in changed_rounds
        for form in ("html", "md", "csv")
    )
    is_cancelled = (
        any(number not in old_seats for number in changed_rounds) and (folder / "index.html").exists()
    )
    return with_pages(event, receipt, watch=watch) if is_shown or is_cancelled else receipt


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
    kind: Literal["pages", "sheets"],
    write: Callable[[], Published],
    *,
    at: int | None = None,
    has_prizes: bool = False,
) -> Published:
    """Write a folder and record it.

    Then write other folders again if they may show a person who was erased.
    """
    folders = Folders(event.place, event.chain[0])
    before = folders.of(folder, kind)
    is_new = before not in folders.records()
    # The folder is also recorded beforehand, because writing may be interrupted.
    warnings = _remember(folders, before) if before.gone is None else []
    try:
        publication = write_current(event, write)
    except TourneyError:
        if is_new:
            folders.forget(before)  # nothing was written
        raise
    if kind == "pages" and before.own and not has_prizes:
        name = display_path(folders.place(before))
        remedy = f"`tourney publish --to {quote(name)} --prizes FILE` shows them again"
        warnings.append(f"the pages in {name}/ no longer show prizes; {remedy}")
    after = structs.replace(before, at=at, own=has_prizes, gone=len(event.journal.deleted_refs()), over=False)
    warnings += _remember(folders, after)
    _, other_warnings = clear_folders(event, exclude=before)
    return publication._replace(warnings=tuple(dict.fromkeys([*warnings, *other_warnings])))


def _remember(folders: Folders, folder: KnownFolder) -> list[str]:
    """Record a folder, and return a warning if that fails."""
    try:
        folders.note(folder)
    except TourneyError as fault:
        place = display_path(folders.place(folder))
        return [f"{fault.message}; if you erase a player later, delete the player from {place} by hand"]
    return []


def clear_folders(event: OpenEvent, *, exclude: KnownFolder | None = None) -> tuple[list[str], list[str]]:
    """Write each folder of pages or sheets again if a person was erased since it was written.

    Returns the names of the folders that were written, and warnings. A warning says that a folder may still
    name an erased person, or that the folder has lost words or prizes that were given for it alone.

    exclude: a folder to leave out, because it was written just now
    """
    folders, deletions = Folders(event.place, event.chain[0]), len(event.journal.deleted_refs())
    folder_names, warnings = list[str](), list[str]()
    for folder in folders.records() if deletions else ():
        if folder.gone == deletions or (
            exclude and (folder.folder, folder.what) == (exclude.folder, exclude.what)
        ):
            continue
        place = folders.place(folder)
        name = display_path(place)
        to = quote(name)
        command = (
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
                f" fix that and {command}, or delete the folder"
            )
            continue  # the next publication tries again
        if is_written:
            folder_names.append(f"{name}/")
        if remedy:
            warnings.append(f"the folder {name}/ may still name a deleted person: {remedy}")
            folders.forget(folder)
        elif is_written:
            if folder.own:
                remark = "written again without the options, such as prizes, that apply to this folder only"
                warnings.append(f"the folder {name}/ was {remark}; run {command} again with these options")
            _remember(folders, structs.replace(folder, own=False, gone=deletions))
    return folder_names, warnings


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
    forms = sorted({form_of(path) for path in paths if sheet_at(path) is None})
    if folder.what == "sheets" and any(map(sheet_at, paths)):
        write = partial(write_sheets, event, place, (), PrintOptions())
    elif folder.what == "pages" and forms:
        write = partial(_write_pages, event, place, forms, at=folder.at)
    elif any(place.iterdir()):
        return False, "its files are no longer recognized; delete the files you do not need"
    else:
        return False, ""
    changed_files = write_current(event, write).changes.left
    if not changed_files:
        return True, ""
    return True, f"these files were changed since; delete them by hand: {listed_short(changed_files)}"


# -- sheets


def print_sheets(event: OpenEvent, folder: Path, kinds: Sequence[str], **options: Any) -> Published:
    """Write sheets to a folder, one file for each kind: `slips-round-3.html`.

    Sheets that were printed to the folder before are kept, and are written again if a person was erased
    meanwhile. Kinds for which there is nothing to print are `missing`.

    options: the fields of `PrintOptions`

    Raises TourneyError for an unknown kind, if there is nothing to print for any kind, and if the folder or a
    PDF cannot be written.
    """
    write = partial(write_sheets, event, folder, kinds, PrintOptions(**options))
    return _write_and_remember(event, folder, "sheets", write)
