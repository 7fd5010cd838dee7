"""Write an event's printed sheets to a folder.

The module also collects the data of sheets that public pages do not show: coming rounds, decks to check, and
forms for decklists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tourney.decks import cards_in_order, read
from tourney.desk.files import FolderDocument, MissingSheet, Published
from tourney.desk.open_event import OpenEvent
from tourney.desk.registration import ruleset_of
from tourney.desk.views import event_view
from tourney.errors import TourneyError
from tourney.event.decks import deck_checks
from tourney.event.field import round_robin
from tourney.event.names import public
from tourney.event.phrases import unchecked_part
from tourney.event.state import Player, State
from tourney.event.view import (
    DeckCheckView,
    EventView,
    ListedCard,
    ListedCards,
    ListFormView,
    ZoneFormView,
)
from tourney.publish import sheets
from tourney.publish.sheets import ComingRound, PaperSize, StaffView
from tourney.rules.bounds import size_words
from tourney.rules.format import Format
from tourney.rules.vocabulary import SizeFile
from tourney.store.folder import write_folder, written_before
from tourney.wording import listed

# -- the files of sheets


class Prints(FolderDocument, frozen=True, tag="tourney.print/1"):
    """What `tourney print pairings --json` prints.

    missing: the sheets that could not be made
    """

    missing: tuple[MissingSheet, ...]


class PrintOptions(NamedTuple):
    """How sheets are printed.

    round_number: the round to print; None: the newest
    with_held:    include a round that is held back
    with_names:   print a decklist form for each player whose list is missing, not one form without a name
    room:         the address at which the event is served, for QR codes of pages that are not published
    """

    round_number: int | None = None
    paper: PaperSize = "a4"
    pdf: bool = False
    with_held: bool = False
    with_names: bool = False
    room: str = ""


class SheetFile(NamedTuple):
    """The file of a printed sheet.

    number: the number of its round; None if it is not about a round
    """

    kind: str
    number: int | None
    pdf: bool

    @property
    def path(self) -> str:
        """The name of the file, relative to the folder: `slips-round-3.html`."""
        about = f"-round-{self.number}" if self.number else ""
        return f"{self.kind}{about}.{'pdf' if self.pdf else 'html'}"


def sheet_at(path: str) -> SheetFile | None:
    """Return the printed sheet in a file, judged by the file's name; None if it is not a sheet.

    path: the name of the file, relative to the folder
    """
    name = re.fullmatch(r"([a-z-]+?)(?:-round-(\d{1,6}))?\.(html|pdf)", path)
    if name is None or name[1] not in sheets.KINDS or sheets.KINDS[name[1]].rounds is not bool(name[2]):
        return None
    return SheetFile(name[1], int(name[2]) if name[2] else None, name[3] == "pdf")


def write_sheets(event: OpenEvent, folder: Path, kinds: Sequence[str], printing: PrintOptions) -> Published:
    """Write sheets to a folder, one file for each kind: `slips-round-3.html`.

    Sheets that were printed to the folder before are written again if a person was erased.

    Raises TourneyError for an unknown kind, if no requested kind has anything to print, and if a file cannot
    be written.
    """
    view = event_view(event, with_reasons=False, with_held=printing.with_held)
    requested_files, faults = _requested_files(kinds, view, printing)
    old_files: dict[str, SheetFile] = {}
    if any(player.erased for player in event.state.players.values()):
        paths = written_before(folder) - requested_files.keys()
        old_files = {path: sheet for path in paths if (sheet := sheet_at(path)) is not None}
    contents = {}
    for path, sheet in sorted({**old_files, **requested_files}.items()):
        if path in old_files and (sheet.number or 0) > len(view.rounds):
            continue
        try:
            page = sheets.sheet(
                sheet.kind,
                view,
                round_number=sheet.number,
                paper=printing.paper,
                staff=staff_view(event, sheet.kind, sheet.number, with_names=printing.with_names),
                room=printing.room,
            )
        except TourneyError as fault:
            if path in requested_files:
                faults[sheet.kind] = fault
            elif not sheets.kind_called(sheet.kind).staff:
                raise
            continue  # an old sheet for which there is nothing to print any more
        contents[path] = sheets.as_pdf(page) if sheet.pdf else page
    printed_paths = requested_files.keys() & contents.keys()
    if faults and not printed_paths:
        raise next(iter(faults.values()))
    changes = write_folder(folder, contents, about=(printed_paths | old_files.keys()).__contains__)
    missing_sheets = tuple(MissingSheet(kind, fault.message, fault.hint) for kind, fault in faults.items())
    return Published(tuple(sorted(printed_paths)), changes, missing_sheets)


def _requested_files(
    kinds: Sequence[str], view: EventView, printing: PrintOptions
) -> tuple[dict[str, SheetFile], dict[str, TourneyError]]:
    """Return the files of the requested sheets, and an error for each kind that has none.

    A kind cannot be printed if it needs a round and there is none.

    Raises TourneyError for an unknown kind, and if a round is requested but no kind is about one round.
    """
    if printing.round_number is not None and not any(sheets.kind_called(kind).rounds for kind in kinds):
        names = listed(f"`{name}`" for name, kind in sheets.KINDS.items() if kind.rounds)
        raise TourneyError(f"only these sheets are about one round: {names}", "leave `--round` out")
    files, faults = dict[str, SheetFile](), dict[str, TourneyError]()
    for kind in kinds:
        of_round = sheets.kind_called(kind).rounds
        try:
            number = sheets.round_of(view, printing.round_number).number if of_round else None
        except TourneyError as fault:
            faults[kind] = fault
        else:
            sheet = SheetFile(kind, number, printing.pdf)
            files[sheet.path] = sheet
    return files, faults


# -- views for staff


LINES, MOST_LINES = 12, 60
"""Two numbers of lines on a decklist form.

`LINES` is for a part of a deck without a fixed size. `MOST_LINES` is the limit for every part.
"""


def staff_view(event: OpenEvent, kind: str, round_number: int | None, *, with_names: bool) -> StaffView:
    """Return the data that a kind of printed sheet shows, but public pages do not.

    Depending on the kind, these are coming rounds, decks to check, or forms for decklists.

    with_names: make a decklist form for each player whose list is missing; otherwise, one form without a name
    """
    return StaffView(
        system=event.state.settings.pairing.system,
        coming=tuple(_coming_rounds(event.state.for_players)) if kind == "empty" else (),
        checks=tuple(_checks(event, round_number)) if kind == "deck-checks" else (),
        forms=tuple(_list_forms(event, with_names=with_names)) if kind == "decklists" else (),
    )


def _coming_rounds(state: State) -> Iterator[ComingRound]:
    """Yield the rounds of a round robin that are not paired yet, without players who left.

    Before round 1 is paired, there are none.
    """
    if state.settings.pairing.system != "round-robin" or not state.rounds:
        return
    plan = round_robin(state, state.rounds[0].seed)
    leavers = {*plan.players} - {player.id for player in state.playing}
    for number in range(len(state.rounds) + 1, len(plan.rounds) + 1):
        pairing = plan.round(number, absent_players=leavers, first_table=state.settings.pairing.first_table)
        tables = tuple((table.number, table.seats) for table in pairing.tables)
        yield ComingRound(number=number, tables=tables, resting=pairing.byes)


def _checks(event: OpenEvent, round_number: int | None) -> Iterator[DeckCheckView]:
    """Yield the decks that were drawn in a round and are not checked yet.

    Players are shown with their full names.
    """
    state = event.state
    for check in deck_checks(state, event.texts):
        if not check.drawn or check.checked or check.round != round_number:
            continue
        player = state.players[check.id]
        zones, remark = _registered_list(event, player)
        yield DeckCheckView(
            player=player.id,
            name=player.name,
            round=state.rounds[check.round - 1].title,
            table=check.table or 0,
            zones=zones,
            remark=remark,
        )


def _registered_list(event: OpenEvent, player: Player) -> tuple[tuple[ListedCards, ...], str]:
    """Return the parts of a player's list, and its verdict.

    If the list cannot be shown, return no parts and the reason.
    """
    if player.deck is None:
        return (), "no list was handed in"
    try:
        ruleset = ruleset_of(event)
        decklist = read(event.deck_text(player.id), source="the list", format_=ruleset.format)
        parts = ruleset.format.parts
        zones = [(name, cards_in_order(decklist, ruleset, zone)) for zone, name in parts.items()]
    except TourneyError as fault:
        return (), fault.message
    return (
        tuple(
            ListedCards(zone=name, cards=tuple(ListedCard(*line) for line in cards))
            for name, cards in zones
            if cards
        ),
        ", ".join(filter(None, (player.deck.verdict, unchecked_part(event.state, player.deck)))),
    )


def _list_forms(event: OpenEvent, *, with_names: bool) -> Iterator[ListFormView]:
    """Yield the forms on which players write their decklists.

    with_names: yield a form for each player whose list is missing; otherwise, a single form without a name

    Raises TourneyError if `with_names` is set and no list is missing.
    """
    format_ = event.rules.format
    zones = tuple(_form_zones(format_))
    if not with_names:
        yield ListFormView(format=format_.name, zones=zones)
        return
    players_without = [
        player.id for player in event.state.playing if player.deck is None and not player.waived
    ]
    if not players_without:
        raise TourneyError("no decklist is missing", "leave `--named` out for a form without a name")
    players = public(event.state).players
    for player in players_without:
        yield ListFormView(format=format_.name, zones=zones, name=players[player].name, player=player)


def _form_zones(format_: Format) -> Iterator[ZoneFormView]:
    """Yield each part of the blank decklist form, with the number of lines to print for it.

    This number is the maximum size of the part, else its exact or minimum size, else `LINES`; but at most
    `MOST_LINES`.
    """
    for part, name in format_.parts.items():
        zone = format_.zone(part)
        if zone is None:
            continue
        size = zone.size if isinstance(zone.size, SizeFile) else None
        bounds = (size.max, size.exactly, size.min) if size else ()
        most = next((bound for bound in bounds if isinstance(bound, int)), LINES)
        title = zone.title or (size_words(size) if size else "")
        yield ZoneFormView(
            name=name,
            size=", ".join(filter(None, [title, "may be missing" if zone.optional else ""])),
            rows=max(1, min(most, MOST_LINES)),
        )
