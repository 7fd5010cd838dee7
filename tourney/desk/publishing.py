"""What leaves the desk: the event as pages in a folder, and as sheets of paper.

Pages are rendered as a whole, and only the files that changed are written. Every folder is remembered, so that erasing a
person can write it again. Sheets show what staff know besides what is published.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import structs

from tourney.decks.resolving import cards_in_order
from tourney.desk.checking import read_deck, ruleset_of
from tourney.desk.files import until_none_is_erased
from tourney.desk.forecasting import needs_for_all
from tourney.desk.open_event import OpenEvent
from tourney.desk.posting import OpenOutbox, why_failed, with_posts
from tourney.desk.receipts import Receipt
from tourney.desk.views import Watch, event_view
from tourney.desk.writing import WritableEvent
from tourney.errors import TourneyError
from tourney.event.deck_checks import deck_checks
from tourney.event.field import round_robin
from tourney.event.names import public
from tourney.event.phrases import unchecked
from tourney.event.state import Player, State
from tourney.event.view import (
    DeckCheckView,
    EventView,
    ListedCard,
    ListFormView,
    ZoneFormView,
    ZoneListView,
)
from tourney.publish import FORMS, form_of, render, sheets
from tourney.publish.data import read_places
from tourney.publish.sheets import ComingRound, PaperSize, StaffView
from tourney.rules.bounds import size_words
from tourney.rules.format import Format
from tourney.rules.vocabulary import SizeFile
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
    """What was published.

    files:    every path in `folder`, relative to it; changes: which of them were written or removed
    missing:  sheets that were asked for and cannot be made, by name, and why
    warnings: of other folders that may still show a person who is erased
    """

    folder: str
    files: tuple[str, ...]
    changes: FolderChanges
    missing: Mapping[str, TourneyError] = MappingProxyType({})
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """How many files there are, and how many were written: `22 files, 3 written anew`."""
        removed = f", {self.changes.removed} removed" if self.changes.removed else ""
        return f"{counted(len(self.files), 'file')}, {self.changes.written} written anew{removed}"


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
    """Write everything that may be published into a folder. A round that is held back is left out.

    forms:  of `tourney.publish.FORMS`; empty: all. Files of other forms stay, but are written again if somebody was erased
    at:     as the event was after that entry
    prizes: the text of a table of prizes and its source, to be shown in the final ranking

    Raises TourneyError if the folder cannot be written or holds other files, and if a lot cannot be drawn.
    """
    event.ranked(at=at)
    write = partial(_write_pages, event, folder, forms or tuple(FORMS), at=at, prizes=prizes, watch=watch)
    own = prizes is not None
    return _remembered(event, folder, "pages", write, at=at, own=own)


def _write_pages(
    event: OpenEvent,
    folder: Path,
    forms: Sequence[str],
    *,
    at: int | None = None,
    prizes: tuple[str, str] | None = None,
    watch: Watch | None = None,
) -> Published:
    made: Published | None = None
    wanted = set(forms)
    for _ in until_none_is_erased(event):
        if any(player.erased for player in event.state.players.values()):
            wanted.update(form_of(path) for path in written_before(folder) if _sheet_at(path) is None)
        seen = event if at is None else event.as_of(at)
        before = written_as(folder, "event.json")
        told = read_places(before) if before else None
        view = event_view(seen, prizes=prizes, told=told, watch=watch, needs=needs_for_all(seen))
        contents = render(view, sorted(wanted))
        changes = write_folder(
            folder, contents, about=lambda path: form_of(path) in wanted and _sheet_at(path) is None
        )
        made = Published(str(folder), tuple(sorted(contents)), changes)
    assert made is not None, "it is written at least once"
    return made


def public_folder(event: OpenEvent) -> Path | None:
    """Return the folder that the event is published to round by round (`publish_to`); None if there is none."""
    name = event.state.settings.pages.publish_to
    return event.place.folder / name if name else None


def with_pages_and_posts(
    event: WritableEvent, receipt: Receipt, *, outbox: OpenOutbox, watch: Watch | None = None
) -> Receipt:
    """Publish to the event's folder and post to its addresses (`publish_to`, `post_to`); add both to the receipt."""
    receipt = with_pages(event, receipt, watch=watch)
    return with_posts(event, receipt, outbox()) if event.state.settings.pages.post_to else receipt


def with_pages(event: WritableEvent, receipt: Receipt, *, watch: Watch | None = None) -> Receipt:
    """Publish the event to its folder, and add that to the receipt. A failure is a warning, as the entry is written."""
    folder, name = public_folder(event), event.state.settings.pages.publish_to
    if folder is None:
        return receipt
    try:
        made = publish(event, folder, watch=watch)
    except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001  what is done cannot fail any more
        warning = (
            f"nothing was published: {why_failed(fault, quoting=True)};"
            f" what was entered stands all the same (`tourney publish --to {name}`)"
        )
        event.last = replace(receipt, warnings=(*receipt.warnings, warning))
    else:
        event.last = replace(
            receipt,
            changed=(*receipt.changed, f"Published: {name}, {made.text}."),
            warnings=(*receipt.warnings, *made.warnings),
        )
    return event.last


def with_new_seats(
    event: WritableEvent, receipt: Receipt, before: State, *, watch: Watch | None = None
) -> Receipt:
    """Publish the event again if its pages show seats that have changed. before: the state before the change."""
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
    """Return the seats of each round, and the players without a table."""
    return {
        round_.number: ([(table.number, table.seats) for table in round_.tables.values()], round_.byes)
        for round_ in state.rounds
    }


# -- every folder that was ever written to


def _remembered(
    event: OpenEvent,
    folder: Path,
    what: Literal["pages", "sheets"],
    write: Callable[[], Published],
    *,
    at: int | None = None,
    own: bool = False,
) -> Published:
    """Write a folder and remember it; then clear the others of who was erased since they were written."""
    folders = Folders(event.place, event.chain[0])
    before = folders.of(folder, what)
    new = before not in folders.known()
    warnings = _noted(folders, before) if before.gone is None else []  # whatever interrupts the writing
    try:
        made = write()
    except TourneyError:
        if new:
            folders.forget(before)  # nothing was written
        raise
    now = structs.replace(before, at=at, own=own, gone=len(event.journal.gone()), over=False)
    warnings += _noted(folders, now)
    _, troubles = clear_folders(event, but=before)
    return made._replace(warnings=tuple(dict.fromkeys([*warnings, *troubles])))


def _noted(folders: Folders, written: KnownFolder) -> list[str]:
    try:
        folders.note(written)
    except TourneyError as fault:
        place = shown(folders.place(written))
        return [f"{fault.message}; who asks to be forgotten later is to be deleted from {place} by hand"]
    return []


def clear_folders(event: OpenEvent, *, but: KnownFolder | None = None) -> tuple[list[str], list[str]]:
    """Write every known folder anew that was written before somebody was erased.

    but: the one that was written just now. Return the folders that were, and what is to be said of those that could not be.
    """
    folders, gone = Folders(event.place, event.chain[0]), len(event.journal.gone())
    cleared, troubles = list[str](), list[str]()
    for each in folders.known() if gone else ():
        if each.gone == gone or (but and (each.folder, each.what) == (but.folder, but.what)):
            continue
        place = folders.place(each)
        to = quote(shown(place))
        again = (
            f"`tourney publish --to {to}`" if each.what == "pages" else f"`tourney print pairings --to {to}`"
        )
        try:
            made, said = _written_anew(event, place, each)
        except Exception as fault:  # noqa: BLE001  what is done cannot fail any more
            why = why_failed(fault).removeprefix(f"{place}: ")
            troubles.append(
                f"the folder {shown(place)}/ may still name who was deleted: {why}; put that right and {again}, or delete the folder"
            )
            continue  # tried again the next time
        cleared += [f"{shown(place)}/"] if made else []
        if said:
            troubles.append(f"the folder {shown(place)}/ may still name who was deleted: {said}")
            folders.forget(each)
        elif made:
            if each.own:
                own = "the words or prizes that were given for it alone are gone"
                troubles.append(f"the folder {shown(place)}/: {own}; {again} with them")
            _noted(folders, structs.replace(each, own=False, gone=gone))
    return cleared, troubles


def _written_anew(event: OpenEvent, place: Path, written: KnownFolder) -> tuple[bool, str]:
    """Write what stands in a folder anew, as the event names everybody now; say whether it was, and what is left to do by hand."""
    if not place.is_dir():
        return False, "it is not there any more; delete it wherever it is now"
    shows = written_as(place, "event.json") if written.what == "pages" else None
    told = read_places(shows) if shows else None
    if written.over or (told and told.event not in {"", event.chain[0]}):
        # whoever asks to be forgotten by an event of last week is no reason to show that again
        return False, "another event was written there since; delete what is left of this one"
    paths = written_before(place)
    sheets = any(map(_sheet_at, paths))
    forms = sorted({form_of(path) for path in paths if _sheet_at(path) is None})
    if written.what == "sheets" and sheets:
        made = _write_sheets(event, place, ())
    elif written.what == "pages" and forms:
        made = _write_pages(event, place, forms, at=written.at)
    else:
        return False, "it is not known any more as ours; delete what is not needed there" if any(
            place.iterdir()
        ) else ""
    left = made.changes.left
    return True, f"these were changed since; delete them by hand: {listed_short(left)}" if left else ""


# -- sheets


LINES, MOST_LINES = 12, 60
"""Of a part of a decklist whose size the format leaves open; and at most."""


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
    """Write sheets of some kinds into a folder, a file each: `slips-round-3.html`.

    round_number: None: the newest; held: with a round that only the desk is to see; named: a decklist form for everybody
    whose list is not in, instead of one without a name. What was printed into the folder before stays, and is made anew where
    somebody was erased meanwhile. room: where the event is served, for codes that no published page is behind.

    Of several kinds those are written that there is something for; the others are `missing`. Raises TourneyError where that
    is none of them, for a kind that there is not, and where the folder cannot be written or PDF cannot be made.
    """
    wanted = partial(
        _write_sheets,
        event,
        folder,
        kinds,
        round_number=round_number,
        paper=paper,
        pdf=pdf,
        held=held,
        named=named,
        room=room,
    )
    return _remembered(event, folder, "sheets", wanted)


def _write_sheets(
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
    done: Published | None = None
    for _ in until_none_is_erased(event):
        view = event_view(event, why=False, held=held)
        asked, missing = _asked(kinds, view, round_number, pdf=pdf)
        old = frozenset[str]()
        if any(player.erased for player in event.state.players.values()):
            old = frozenset(path for path in written_before(folder) if _sheet_at(path)) - asked
        contents = {}
        for path in sorted({*asked, *old}):
            wanted = _sheet_at(path)
            assert wanted is not None, "they are named so above"
            if path in old and (wanted.number or 0) > len(view.rounds):
                continue
            try:
                staff = _staff(event, wanted, named=named)
                page = sheets.sheet(
                    wanted.kind,
                    view,
                    round_number=wanted.number,
                    paper=paper,
                    staff=staff,
                    room=room,
                )
            except TourneyError as fault:
                if path in asked:
                    missing[wanted.kind] = fault
                elif not sheets.kind_called(wanted.kind).staff:
                    raise
                continue  # an old one: whatever it showed is no more
            contents[path] = sheets.as_pdf(page) if wanted.pdf else page
        asked &= contents.keys()
        if missing and not asked:
            raise next(iter(missing.values()))
        changes = write_folder(folder, contents, about=lambda path, ours=asked | old: path in ours)  # type: ignore[misc]
        done = Published(str(folder), tuple(sorted(asked)), changes, missing)
    assert done is not None, "it is written once at least"
    return done


class _Sheet(NamedTuple):
    """What a file in the folder is. number: of the round, None where it is about none."""

    kind: str
    number: int | None
    pdf: bool


def _asked(
    kinds: Sequence[str], view: EventView, number: int | None, *, pdf: bool
) -> tuple[set[str], dict[str, TourneyError]]:
    """Return the files of the sheets that are asked for, and of each kind that has no round to be about why.

    Raises TourneyError for a kind that there is not.
    """
    asked, missing = set[str](), dict[str, TourneyError]()
    for kind in kinds:
        of_round = sheets.kind_called(kind).rounds
        try:
            about = sheets.round_of(view, number).number if of_round else None
        except TourneyError as fault:
            missing[kind] = fault
        else:
            asked.add(_path(_Sheet(kind, about, pdf)))
    return asked, missing


def _path(sheet: _Sheet) -> str:
    about = f"-round-{sheet.number}" if sheet.number else ""
    return f"{sheet.kind}{about}.{'pdf' if sheet.pdf else 'html'}"


def _sheet_at(path: str) -> _Sheet | None:
    """Return what a file is by its path; None for one that was not printed."""
    found = re.fullmatch(r"([a-z-]+?)(?:-round-(\d{1,6}))?\.(html|pdf)", path)
    if found is None or found[1] not in sheets.KINDS or sheets.KINDS[found[1]].rounds is not bool(found[2]):
        return None
    return _Sheet(found[1], int(found[2]) if found[2] else None, found[3] == "pdf")


def _staff(event: OpenEvent, sheet: _Sheet, *, named: bool) -> StaffView:
    return StaffView(
        system=event.state.settings.pairing.system,
        coming=tuple(_coming(event.state.for_players)) if sheet.kind == "empty" else (),
        checks=tuple(_checks(event, sheet.number)) if sheet.kind == "deck-checks" else (),
        forms=tuple(_forms(event, named=named)) if sheet.kind == "decklists" else (),
    )


# -- sheets: rounds by hand


def _coming(state: State) -> Iterator[ComingRound]:
    """Yield the rounds of a round robin that are not paired yet, for who is still there; none before the first is drawn."""
    if state.settings.pairing.system != "round-robin" or not state.rounds:
        return
    plan = round_robin(state, state.rounds[0].seed)
    gone = {*plan.players} - {player.id for player in state.playing}
    for number in range(len(state.rounds) + 1, len(plan.rounds) + 1):
        made = plan.round(number, gone=gone, first_table=state.settings.pairing.first_table)
        tables = tuple((table.number, table.seats) for table in made.tables)
        yield ComingRound(number=number, tables=tables, resting=made.byes)


# -- sheets: decks in the judge's hand


def _checks(event: OpenEvent, number: int | None) -> Iterator[DeckCheckView]:
    """Yield the decks that were drawn in a round and not checked yet, called by their whole names."""
    state = event.state
    for each in deck_checks(state):
        if not each.drawn or each.done is not None or each.round != number:
            continue
        round_ = state.rounds[each.round - 1]
        table, player = round_.table_of(each.player), state.players[each.player]
        zones, said = _list(event, player)
        yield DeckCheckView(
            player=player.id,
            name=player.name,
            round=round_.title,
            table=table.number if table else 0,
            zones=zones,
            said=said,
        )


def _list(event: OpenEvent, player: Player) -> tuple[tuple[ZoneListView, ...], str]:
    """Return a registered list by its parts, and its verdict; no parts and why where there is none to be read."""
    if player.deck is None:
        return (), "no list was handed in"
    try:
        text = event.deck_text(player.id)
        ruleset = ruleset_of(event)
        decklist = read_deck(text, ruleset, source="the list")
        parts = ruleset.format.parts
        zones = [(name, cards_in_order(decklist, ruleset, zone)) for zone, name in parts.items()]
    except TourneyError as fault:
        return (), fault.message
    return (
        tuple(
            ZoneListView(name=name, cards=tuple(ListedCard(*line) for line in cards))
            for name, cards in zones
            if cards
        ),
        ", ".join(filter(None, (player.deck.verdict, unchecked(event.state, player.deck)))),
    )


# -- sheets: forms to fill in


def _forms(event: OpenEvent, *, named: bool) -> Iterator[ListFormView]:
    """Yield a decklist form, or one for everybody who has still to hand a list in. Raises TourneyError if nobody has."""
    format_ = event.rules.format
    zones = tuple(_zones(format_))
    if not named:
        yield ListFormView(format=format_.name, zones=zones)
        return
    state = public(event.state)
    missing = [
        state.players[each.id] for each in event.state.playing if each.deck is None and not each.waived
    ]
    if not missing:
        raise TourneyError(
            "everybody's decklist is in, or not needed", "leave `--named` out for a form without a name"
        )
    yield from (
        ListFormView(format=format_.name, zones=zones, name=each.name, player=each.id) for each in missing
    )


def _zones(format_: Format) -> Iterator[ZoneFormView]:
    """Yield the parts of a list, with as many lines as there are cards, as far as they fit; two columns of them."""
    for part, name in format_.parts.items():
        zone = format_.zone(part)
        if zone is None:
            continue
        size = zone.size if isinstance(zone.size, SizeFile) else None
        bounds = [] if size is None else [size.max, size.exactly, size.min]
        most = next((bound for bound in bounds if isinstance(bound, int)), LINES)
        said = size_words(size) if size is not None else ""
        yield ZoneFormView(
            name=name,
            size=", ".join(filter(None, [zone.title or said, "may be missing" if zone.optional else ""])),
            rows=max(1, min(most, MOST_LINES)),
        )
