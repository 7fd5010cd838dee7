"""Sheets for printing, as self-contained HTML and as PDF.

Each kind of sheet is a row of `KINDS`: a template in `templates/paper/`, and a function here that returns its
values. Sheets fit A4 and Letter, in black on white, with the fonts of the system. Nothing is cut off: a long
name takes more lines.

Sheets for staff contain facts that no page shows, so `publish` never writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.event.titles import in_a_sentence
from tourney.event.view import (
    DeckCheckView,
    EventView,
    ListFormView,
    PlayerView,
    RoundView,
    RowView,
)
from tourney.publish.data import Files
from tourney.publish.language import fill
from tourney.publish.screen import NameLine, lines_of_round
from tourney.record import PlayerId
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.store.devices import Code

T = TypeVar("T")

PaperSize = Literal["a4", "letter"]
PAPERS: Mapping[PaperSize, tuple[float, float]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
"""Paper size → its width and height in mm."""

LEAST_TYPE, MOST_TYPE = 20, 36
"""The smallest and largest type for names on a list for the wall, in points.

The smallest type is legible from two metres.
"""

LARGEST_COLUMN = 14
"""The maximum number of names in a list for the wall that has one column, in larger type."""

BADGES = (90, 54)
"""The width and height of a badge in mm, for common badge holders."""


class ComingRound(Struct, frozen=True, kw_only=True):
    """A round of a schedule that is not paired yet.

    tables: the tables, each with its number and its players
    resting: the players without a table
    """

    number: int
    tables: tuple[tuple[int, tuple[PlayerId, ...]], ...]
    resting: tuple[PlayerId, ...]


class StaffView(Struct, frozen=True, kw_only=True):
    """Values for sheets that are not published.

    checks: the decks that were drawn for a deck check
    forms: empty decklist forms for players to fill in
    system: the pairing system (`tourney.event.settings.System`)
    coming: the coming rounds, if there is a schedule
    """

    checks: tuple[DeckCheckView, ...] = ()
    forms: tuple[ListFormView, ...] = ()
    system: str = "swiss"
    coming: tuple[ComingRound, ...] = ()


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of sheet.

    facts:  a function that returns values for the template, besides those that all sheets have
    rounds: whether the sheet is about a round
    staff:  whether the sheet is only for staff
    margin: the margin of the page, in mm
    """

    facts: Callable[[_Job], Mapping[str, Any]] = lambda _: {}
    rounds: bool = False
    staff: bool = False
    margin: int = 11


class _Job(Struct, frozen=True, kw_only=True):
    """What to print on a sheet.

    round: the round that was asked for, or the newest round; None before round 1
    staff: data that is not published, such as the decks drawn for a deck check
    room: the address of the server that phones in the room can open; empty if there is none
    """

    event: EventView
    round: RoundView | None
    paper: PaperSize
    staff: StaffView
    room: str

    @property
    def about(self) -> RoundView:
        assert self.round is not None, "`sheet` checks that there is a round"
        return self.round


def sheet(
    kind: str,
    event: EventView,
    *,
    round_number: int | None = None,
    paper: PaperSize = "a4",
    staff: StaffView | None = None,
    room: str = "",
) -> bytes:
    """Return sheets of one kind as self-contained HTML.

    round_number: the round; None for the newest
    staff: data that is not published, such as the decks drawn for a deck check; None if there is none
    room: the address of the server, such as `http://192.0.2.7:8017`. QR codes open the server's pages if no
          pages are published

    Raises TourneyError for an unknown kind or round, and if there is nothing to print.
    """
    row, staff = kind_called(kind), staff or StaffView()
    view = round_of(event, round_number) if row.rounds or event.rounds else None
    facts = row.facts(_Job(event=event, round=view, paper=paper, staff=staff, room=room))
    return _fill_sheet(
        kind, event.language, paper, margin=row.margin, event=event, round=view, staff=staff, **facts
    )


def _fill_sheet(kind: str, language: str, paper: PaperSize, **facts: object) -> bytes:
    width, height = PAPERS[paper]
    return fill(f"paper/{kind}.html", language, width=width, height=height, css_text=_css_text, **facts)


def kind_called(name: str) -> Kind:
    """Return a kind of sheet by its name. Raises TourneyError for an unknown name."""
    if name not in KINDS:
        raise TourneyError(f"there is no sheet `{name}`", f"sheets: {', '.join(KINDS)}")
    return KINDS[name]


def round_of(event: EventView, number: int | None) -> RoundView:
    """Return the round with this number; if `number` is None, the newest.

    Raises TourneyError if there is no such round or it is not public.
    """
    if not event.rounds:
        raise TourneyError(
            "no round is paired, or the round is held back",
            "`tourney round next` pairs a round; `--held` prints a round that is held back",
        )
    if number is None:
        return event.rounds[-1]
    if not 1 <= number <= len(event.rounds):
        raise TourneyError(
            f"there is no round {number} to print: {counted(len(event.rounds), 'round')} so far"
        )
    return event.rounds[number - 1]


def sheets(event: EventView) -> Files:
    """Return the sheets to publish: pairings and slips of the newest round, shared decklists."""
    files: Files = {}
    if event.rounds:
        files["sheets/pairings.html"] = partial(sheet, "pairings", event)
    if event.rounds and event.slips:
        files["sheets/slips.html"] = partial(sheet, "slips", event)
    if event.decks:
        files["sheets/decks.html"] = partial(fill, "sheet-decks.html", event.language, event=event)
    return files


def as_pdf(page: bytes) -> bytes:
    """Return a sheet as PDF with embedded fonts.

    Raises TourneyError if WeasyPrint does not work.
    """
    hint = "`pip install 'tourney[pdf]'`, or open the HTML in a browser and print it to a file"
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except ImportError:
        raise TourneyError("PDF needs WeasyPrint, which is not installed", hint) from None
    except OSError as fault:
        raise TourneyError(f"PDF needs Pango, which WeasyPrint does not find: {fault}", hint) from None
    fetcher = URLFetcher(allowed_protocols=("data",))  # sheets are self-contained
    pdf: bytes = HTML(string=page.decode(), url_fetcher=fetcher).write_pdf()
    return pdf


def _css_text(text: str) -> str:
    """Return a text as a CSS string. Every character but ASCII letters and digits is escaped."""
    letters = (char if char.isascii() and char.isalnum() else f"\\{ord(char):06x}" for char in text)
    return f'"{"".join(letters)}"'


# -- lists by name


def _by_last_name(event: EventView) -> list[NameLine]:
    """Return a line for each player who has not left the event, by last name.

    Before round 1, these are all players.
    """
    leavers = {row.player for row in event.standings.rows if row.note}
    leavers |= {player for player, _ in event.standings.left_out}
    views = (view for view in event.players if view.player not in leavers)
    return sorted((NameLine.of(view.name, view.player) for view in views), key=lambda line: line.key)


def _wall(lines: Sequence[NameLine]) -> dict[str, Any]:
    """Return the template's values for a printed list of players, to hang on the wall.

    The list has one column in large type if it is short enough, otherwise two columns.
    """
    single = len(lines) <= LARGEST_COLUMN
    type_ = min(MOST_TYPE, max(LEAST_TYPE, 300 // max(1, len(lines)))) if single else LEAST_TYPE
    digits = max((len(line.where) for line in lines), default=1)
    in_order = sorted(lines, key=lambda line: line.key)
    groups = groupby(in_order, lambda line: fold(line.last)[:1].upper())
    return {
        "groups": [(letter, list(group)) for letter, group in groups],
        "columns": 1 if single else 2,
        "type": type_,
        "where": 0.75 * digits,
    }


def _pairings(job: _Job) -> Mapping[str, Any]:
    return _wall([*lines_of_round(job.about)])


def _seatings(job: _Job) -> Mapping[str, Any]:
    """Return the values for a seating list: players by last name, each with a table and seat.

    The seats are for a meeting of all players before round 1.
    """
    tables = job.event.tables
    return _wall(
        [
            replace(line, where=str(tables.first + place // tables.seats), side=str(place % tables.seats + 1))
            for place, line in enumerate(_by_last_name(job.event))
        ]
    )


# -- slips


def stack_pages(items: Sequence[T], to_a_page: int) -> Iterator[tuple[T | None, ...]]:
    """Yield pages of items, arranged so that the pages can be cut as a stack and stay in order.

    A page is a tuple with an item for each place on the page; None for an empty place. When the stacked pages
    are cut, each place gives a pile in order. The first pile has the first items, the second pile the next
    ones, and so on.

    >>> list(stack_pages("abcde", 2))
    [('a', 'd'), ('b', 'e'), ('c', None)]
    """
    high = -(-len(items) // to_a_page)
    for page in range(high):
        places = (pile * high + page for pile in range(to_a_page))
        yield tuple(items[place] if place < len(items) else None for place in places)


def _slips(job: _Job) -> Mapping[str, Any]:
    view = job.about
    largest = max((len(table.seats) for table in view.tables), default=2)
    down = 4 if largest <= 4 else 2 if largest <= 10 else 1
    across = 2 if largest <= 10 else 1
    address = f"{job.room}/table/" if job.room else ""
    if job.event.address:
        address = f"{job.event.address}round-{view.number}.html#t"
    code = _codes()
    slips = [(table, code(f"{address}{table.number}") if address else "") for table in view.tables]
    return {
        "pages": list(stack_pages(slips, across * down)),
        "places": [
            (100 * left / across, 100 * top / down) for top in range(down) for left in range(across)
        ],  # in percent of the sheet
        "row_height": 10 if down < 4 else min(15, 33 / max(1, largest)),
        "wide": 100 / across,
        "high": 100 / down,
        "pods": largest > 2,
        "id_box": job.event.tables.draws and not view.cut,
        "one_game": job.event.tables.best_of == 1,
    }


def _codes() -> Callable[[str], str]:
    """Return a function that makes the QR code of an address, as a data URI.

    The codes are PNG files, which are a fifth as large as SVG. All codes use the mask pattern that is best
    for the first code: comparing the eight patterns takes longer than everything else, and the addresses
    differ only in a few letters.
    """
    mask: int | None = None

    def code(address: str) -> str:
        import segno  # imports many modules of the standard library, and most sheets have no code

        nonlocal mask
        qr_code = segno.make(address, micro=False, error="m", boost_error=False, mask=mask)
        mask = qr_code.mask
        picture: str = qr_code.png_data_uri(border=2)
        return picture

    return code


# -- badges, codes and decklists


def _badges(job: _Job) -> Mapping[str, Any]:
    event = job.event
    width, height = PAPERS[job.paper]
    across, down = int(width // BADGES[0]), int(height // BADGES[1])
    code = _codes()
    people = [
        (line, code(f"{event.address}player/{line.player}.html") if event.address else "")
        for line in _by_last_name(event)
    ]
    page = across * down
    return {
        "pages": [people[at : at + page] for at in range(0, len(people), page)],
        "badge": BADGES,
        "across": across,
        "beside": (width - across * BADGES[0]) / 2,
        "above": (height - down * BADGES[1]) / 2,
    }


STRIPS = (2, 6)
"""The number of columns and rows of code slips on a page."""


def code_strips(
    event_name: str,
    codes: Sequence[tuple[str, Code]],
    *,
    room: str,
    paper: PaperSize = "a4",
    language: str = "en",
) -> bytes:
    """Return personal codes as HTML, to print and cut into slips.

    After cutting, the stack of slips is in order of last names.

    codes: the name of each player, and the code
    room: the address of the server; if empty, there are no QR codes
    """
    picture, (across, down) = _codes(), STRIPS
    in_order = sorted(codes, key=lambda strip: NameLine.of(strip[0], PlayerId(strip[1].player)).key)
    strips = [(name, code, picture(f"{room}{code.path}") if room else "") for name, code in in_order]
    return _fill_sheet(
        "codes",
        language,
        paper,
        margin=0,
        event={"name": event_name},
        pages=list(stack_pages(strips, across * down)),
        across=across,
        down=down,
        room=room,
    )


def _checks(job: _Job) -> Mapping[str, Any]:
    if not job.staff.checks:
        title = in_a_sentence(job.round.title) if job.round else "round 1"
        raise TourneyError(
            f"no deck was drawn to be checked in {title}",
            "`tourney audit draw` draws decks; `--round N` prints those of an earlier round",
        )
    return {}


class HandRow(Struct, frozen=True, kw_only=True):
    """A player on the sheet for pairing by hand.

    met: the numbers of the opponents so far
    bye: whether the player has had a bye
    sides: the first letters of the sides so far
    """

    row: RowView
    met: tuple[PlayerId, ...]
    bye: bool
    sides: str


def _hand_rows(event: EventView, players: Mapping[PlayerId, PlayerView]) -> Iterator[HandRow]:
    """Yield the players who can be paired, by rank."""
    stages = event.bracket.stages if event.bracket else ()
    in_bracket = {seat.player for stage in stages for match in stage.matches for seat in match.seats}
    for row in event.standings.rows:
        if row.note or (event.bracket and row.player not in in_bracket):
            continue
        matches = players[row.player].matches
        opponents = dict.fromkeys(other for match in matches for other, _ in match.opponents)
        sides = " ".join(match.side[:1] for match in matches if match.side)
        bye = any(not match.table for match in matches)
        yield HandRow(row=row, met=tuple(opponents), bye=bye, sides=sides)


def _empty(job: _Job) -> Mapping[str, Any]:
    """Return the values for a sheet for pairing by hand: players by rank, and empty tables.

    If there is a schedule, the sheet shows its coming rounds instead of empty tables.
    """
    event, staff = job.event, job.staff
    if event.closed:
        raise TourneyError(
            "the event is over, so there is no round to pair",
            "`tourney event reopen` if it continues",
        )
    players = {player.player: player for player in event.players}
    rows, seats = list(_hand_rows(event, players)), event.tables.seats
    latest = event.rounds[-1] if event.rounds else None
    tables = -(-len(rows) // seats)
    next_ = latest.number + 1 if latest else 1
    return {
        "how": _by_hand(job),
        "coming": () if event.bracket else [coming for coming in staff.coming if coming.number >= next_],
        "name": {player: view.name for player, view in players.items()},
        "rows": rows,
        "numbers": range(event.tables.first, event.tables.first + tables),
        "seats": seats,
        "next": next_,
        "sided": any(row.sides for row in rows),
    }


def _by_hand(job: _Job) -> str:
    """Return the kind of instructions to print for pairing the next round by hand.

    The result, such as `bracket` or `pairs`, selects a section of the template `paper/by-hand.html`.
    """
    event, staff = job.event, job.staff
    if event.bracket is not None:
        return "bracket"
    if staff.system == "elimination":
        return "first round of a bracket"
    if staff.system == "round-robin":
        return "schedule" if staff.coming else "round-robin"
    return "tables" if event.tables.seats > 2 else "pairs"


KINDS: Mapping[str, Kind] = {
    "pairings": Kind(facts=_pairings, rounds=True),
    "tables": Kind(rounds=True),
    "slips": Kind(facts=_slips, rounds=True, margin=0),
    "standings": Kind(),
    "seatings": Kind(facts=_seatings),
    "deck-checks": Kind(facts=_checks, rounds=True, staff=True),
    "decklists": Kind(),
    "badges": Kind(facts=_badges, margin=0),
    "empty": Kind(facts=_empty),
}
"""All kinds of sheets, by their names on the command line."""
