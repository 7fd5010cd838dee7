"""Paper: what hangs on the wall, lies on the tables and goes from hand to hand, as HTML that is ready to print, and as PDF.

A kind (`KINDS`) has a template in `templates/paper/`, and what it needs here. All of them are
made for A4 and Letter, in black on white, with the fonts of the system. Nothing is cut off: a long name takes more lines.

Sheets for staff only are made of what no page shows; `publish` never writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Literal

from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.event.view import (
    DeckCheckView,
    EventView,
    ListFormView,
    PlayerView,
    RoundView,
    RowView,
    TableView,
)
from tourney.publish.data import Files
from tourney.publish.pages import fill
from tourney.publish.screen import last_name
from tourney.record import PlayerId

PaperSize = Literal["a4", "letter"]
PAPERS: Mapping[PaperSize, tuple[float, float]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
"""Width and height in mm."""

LEAST_TYPE, MOST_TYPE = 20, 36
"""Points of a name on the wall: read from two metres, and as much larger as a small event leaves room for."""

LARGEST_COLUMN = 14
"""So many names, and fewer, stand in one column in larger type."""

BADGES = (90, 54)
"""Width and height of a badge in mm: what the usual holders take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingRound:
    """A round of a schedule that is not paired yet: its tables in order, with who sits there, and who has none."""

    number: int
    tables: tuple[tuple[int, tuple[PlayerId, ...]], ...]
    resting: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffView:
    """What paper shows besides what is published.

    checks: decks that were drawn; forms: decklist forms to fill in
    system: how rounds are paired (`tourney.event.ops.System`); coming: the rounds to come, where a schedule has them
    """

    checks: tuple[DeckCheckView, ...] = ()
    forms: tuple[ListFormView, ...] = ()
    system: str = "swiss"
    coming: tuple[ComingRound, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of sheet.

    facts:  what its template is filled with
    rounds: whether it is about a round; margin: round the page, in mm
    staff:  whether it is for staff alone: made of what no page shows, and refused where there is nothing of it
    """

    facts: Callable[[_Job], Mapping[str, Any]]
    rounds: bool = False
    staff: bool = False
    margin: int = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """What one sheet is made of. round: the one it is about, else the newest; room: where the event is served, or empty."""

    event: EventView
    round: RoundView | None
    paper: PaperSize
    staff: StaffView
    room: str

    @property
    def about(self) -> RoundView:
        assert self.round is not None, "kinds about a round are refused without one"
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
    """Return sheets of one kind as HTML with everything in it, a page after another.

    round_number: of the round, None: the newest; staff: what kinds for staff show
    room: where the event is served, `http://192.0.2.7:8017`: codes open its pages where there are no published ones

    Raises TourneyError for a kind or a round that there is not.
    """
    made = kind_called(kind)
    view = round_of(event, round_number) if made.rounds or event.rounds else None
    job = _Job(event=event, round=view, paper=paper, staff=staff or StaffView(), room=room)
    return _printed(kind, event.language, paper, made.margin, event=event, round=view, **made.facts(job))


def _printed(kind: str, language: str, paper: PaperSize, margin: int, **facts: object) -> bytes:
    width, height = PAPERS[paper]
    return fill(
        f"paper/{kind}.html",
        language,
        width=width,
        height=height,
        margin=margin,
        css_text=_css_text,
        **facts,
    )


def kind_called(name: str) -> Kind:
    """Return a kind of sheet. Raises TourneyError where there is none of that name."""
    if name not in KINDS:
        raise TourneyError(f"there is no sheet `{name}`", f"sheets: {', '.join(KINDS)}")
    return KINDS[name]


def round_of(event: EventView, number: int | None) -> RoundView:
    """Return a round, None: the newest. Raises TourneyError where there is no such round to be seen."""
    if not event.rounds:
        raise TourneyError(
            "nothing is paired yet, or it is held back",
            "`tourney round next`; `--held` prints what is held back",
        )
    if number is None:
        return event.rounds[-1]
    if not 1 <= number <= len(event.rounds):
        raise TourneyError(f"there is no round {number} to print: {len(event.rounds)} so far")
    return event.rounds[number - 1]


def sheets(event: EventView) -> Files:
    """Return what `publish` writes: pairings and slips of the newest round, and the lists that everybody plays with.

    Before round 1 there are no pairings; an event that wants no slips has none.
    """
    shared: Files = (
        {"sheets/decks.html": partial(fill, "sheet-decks.html", event.language, event=event)}
        if event.decks
        else {}
    )
    wanted = [kind for kind in ("pairings", "slips") if event.rounds and (kind == "pairings" or event.slips)]
    return {f"sheets/{kind}.html": partial(sheet, kind, event) for kind in wanted} | shared


def as_pdf(page: bytes) -> bytes:
    """Return a sheet as PDF, with the fonts it needs inside. Raises TourneyError where WeasyPrint is not installed."""
    hint = "`pip install 'tourney[pdf]'`, or open the HTML in a browser and print it to a file"
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except ImportError:
        raise TourneyError("PDF needs WeasyPrint, which is not installed", hint) from None
    except OSError as fault:
        raise TourneyError(f"PDF needs Pango, which WeasyPrint does not find: {fault}", hint) from None
    inside = URLFetcher(allowed_protocols=("data",))  # sheets have everything in them
    made: bytes = HTML(string=page.decode(), url_fetcher=inside).write_pdf()
    return made


def _css_text(text: str) -> str:
    """Return a text as a string of a style sheet in which nothing but letters and digits stands as it is."""
    plain = (each if each.isascii() and each.isalnum() else f"\\{ord(each):06x}" for each in text)
    return f'"{"".join(plain)}"'


# -- by name


@dataclass(frozen=True, slots=True, kw_only=True)
class NameLine:
    """A player in a list by last name. first: what stands before the last name; where: the table, a dash without one.

    match: what the player's table is in a bracket, where those of several kinds are played together
    """

    last: str
    first: str
    player: PlayerId
    where: str
    with_whom: str = ""
    match: str = ""
    side: str = ""
    note: str = ""


def _line(name: str, player: PlayerId, **more: str) -> NameLine:
    last, first = last_name(name)
    return NameLine(last=last, first=first, player=player, **{"where": "", **more})


def _in_order(lines: Sequence[NameLine]) -> list[NameLine]:
    """Return lines by last name."""
    return sorted(lines, key=lambda line: (fold(line.last), fold(line.first), line.player))


def _initial(line: NameLine) -> str:
    return fold(line.last)[:1].upper()


def _wall(lines: Sequence[NameLine]) -> dict[str, Any]:
    """Set lines for the wall: in one column as large as they fill it, else in two."""
    single = len(lines) <= LARGEST_COLUMN
    type_ = min(MOST_TYPE, max(LEAST_TYPE, 300 // max(1, len(lines)))) if single else LEAST_TYPE
    digits = max((len(line.where) for line in lines), default=1)
    return {
        "groups": [(letter, list(group)) for letter, group in groupby(_in_order(lines), _initial)],
        "columns": 1 if single else 2,
        "type": type_,
        "where": 0.75 * digits,
    }


def _pairings(job: _Job) -> Mapping[str, Any]:
    view = job.about
    seated = [
        _line(
            seat.name,
            seat.player,
            where=str(table.number),
            with_whom=", ".join(other.name for other in table.seats if other is not seat),
            match=table.label if view.mixed else "",
            side=seat.side,
            note=seat.note,
        )
        for table in view.tables
        for seat in table.seats
    ]
    byes = [_line(bye.name, bye.player, where="–", with_whom=bye.kind, note=bye.note) for bye in view.byes]
    return _wall([*seated, *byes])


def _playing(event: EventView) -> list[PlayerView]:
    """Who has not left; before round 1 everybody."""
    gone = {row.player for row in event.standings.rows if row.note} | {
        player for player, _ in event.standings.left_out
    }
    return [player for player in event.players if player.player not in gone]


def _seatings(job: _Job) -> Mapping[str, Any]:
    """Everybody at the tables by last name, for what is said to all before a round."""
    event = job.event
    every = _in_order([_line(each.name, each.player) for each in _playing(event)])
    seats = event.tables.seats
    lines = [
        NameLine(
            last=line.last,
            first=line.first,
            player=line.player,
            where=str(event.tables.first + place // seats),
            side=str(place % seats + 1),
        )
        for place, line in enumerate(every)
    ]
    return _wall(lines)


# -- slips


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSlip:
    """A result slip, or the place for one: nothing where the pile is used up."""

    table: TableView | None
    code: str = ""


def slots(number: int, to_a_page: int) -> Iterator[tuple[int | None, ...]]:
    """Give each page the slips that stand on it, by their places in order; None for an empty place.

    Sheets that lie on each other are cut together: the pile of each place is in order, and goes on with the next one's.

    >>> list(slots(5, 2))
    [(0, 3), (1, 4), (2, None)]
    """
    high = -(-number // to_a_page)
    for page in range(high):
        places = (pile * high + page for pile in range(to_a_page))
        yield tuple(place if place < number else None for place in places)


def _slips(job: _Job) -> Mapping[str, Any]:
    view = job.about
    largest = max((len(table.seats) for table in view.tables), default=2)
    down = 4 if largest <= 4 else 2 if largest <= 10 else 1
    across = 2 if largest <= 10 else 1
    where = f"{job.room}/table/" if job.room else ""
    if job.event.address:
        where = f"{job.event.address}round-{view.number}.html#t"
    code = _codes()

    def slip(which: int | None) -> PrintedSlip:
        table = None if which is None else view.tables[which]
        return PrintedSlip(table=table, code=code(f"{where}{table.number}") if table and where else "")

    pages = [[slip(which) for which in page] for page in slots(len(view.tables), across * down)]
    pods = any(len(table.seats) > 2 for table in view.tables)
    return {
        "pages": pages,
        "places": [
            (100 * left / across, 100 * top / down) for top in range(down) for left in range(across)
        ],  # in percent of the sheet
        "row_height": 10 if down < 4 else min(15, 33 / max(1, largest)),
        "wide": 100 / across,
        "high": 100 / down,
        "pods": pods,
        "sided": any(seat.side for table in view.tables for seat in table.seats),
        "id_box": job.event.tables.draws and not view.cut,
        "one_game": job.event.tables.best_of == 1,
    }


def _codes() -> Callable[[str], str]:
    """Return what makes the QR codes of a sheet: of an address a picture, as the address of its own data.

    A picture of pixels takes a fifth of the room that one of paths does. The mask that suits the first code best is that of
    all, as they differ in a few letters: weighing the eight of them takes longer than all the rest.
    """
    mask: int | None = None

    def code(address: str) -> str:
        import segno  # with half of Python's web: most sheets have no code

        nonlocal mask
        drawn = segno.make(address, micro=False, error="m", boost_error=False, mask=mask)
        mask = drawn.mask
        picture: str = drawn.png_data_uri(border=2)
        return picture

    return code


# -- what is told in tables


def _tables(job: _Job) -> Mapping[str, Any]:
    return {"pods": any(len(table.seats) > 2 for table in job.about.tables)}


def _standings(job: _Job) -> Mapping[str, Any]:
    return {"columns": [(place, each) for place, each in enumerate(job.event.standings.columns) if each.used]}


# -- from hand to hand


def _badges(job: _Job) -> Mapping[str, Any]:
    event = job.event
    width, height = PAPERS[job.paper]
    across, down = int(width // BADGES[0]), int(height // BADGES[1])
    code = _codes()
    people = [
        (line, code(f"{event.address}player/{line.player}.html") if event.address else "")
        for line in _in_order([_line(each.name, each.player) for each in _playing(event)])
    ]
    page = across * down
    return {
        "pages": [people[at : at + page] for at in range(0, len(people), page)],
        "badge": BADGES,
        "across": across,
        "beside": (width - across * BADGES[0]) / 2,
        "above": (height - down * BADGES[1]) / 2,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A personal code to be handed over, on a strip of paper. text: `7-K3QF-92XD`; path: of the page that takes it."""

    name: str
    player: PlayerId
    text: str
    path: str


STRIPS = (2, 6)
"""Strips beside and below each other on a page."""


def code_strips(
    event_name: str,
    strips: Sequence[Strip],
    *,
    room: str,
    paper: PaperSize = "a4",
    language: str = "en",
) -> bytes:
    """Return personal codes as HTML to print, cut and hand over: by last name, cut in one stack they lie in order.

    room: as in `sheet`; where it is empty, no code can be scanned
    """
    by_line = {strip.player: strip for strip in strips}
    lines = _in_order([_line(each.name, each.player) for each in strips])
    in_order = [by_line[each.player] for each in lines]
    code = _codes()
    across, down = STRIPS
    pages = [
        [
            (in_order[which], code(f"{room}{in_order[which].path}") if room else "")
            if which is not None
            else None
            for which in page
        ]
        for page in slots(len(in_order), across * down)
    ]
    return _printed(
        "codes",
        language,
        paper,
        0,
        event={"name": event_name},
        pages=pages,
        across=across,
        down=down,
        room=room,
    )


def _forms(job: _Job) -> Mapping[str, Any]:
    return {"forms": job.staff.forms}


def _checks(job: _Job) -> Mapping[str, Any]:
    if not job.staff.checks:
        raise TourneyError("no deck was drawn to be checked", "`tourney audit draw`")
    return {"checks": job.staff.checks}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """Somebody to be paired by hand: whom they met, by their numbers, whether they had a bye, and the sides they had."""

    row: RowView
    met: tuple[PlayerId, ...]
    bye: bool
    sides: str


def _empty(job: _Job) -> Mapping[str, Any]:
    """Everybody in the order of the standings, and empty tables: what a round is paired from without the program.

    Where a schedule says who meets whom, it stands there instead.
    """
    event, staff = job.event, job.staff
    seen = {player.player: player for player in event.players}
    in_bracket = {
        seat.player
        for stage in (event.bracket.stages if event.bracket else ())
        for match in stage.matches
        for seat in match.seats
    }
    rows = [
        HandRow(
            row=row,
            met=tuple(
                dict.fromkeys(other for match in seen[row.player].matches for other, _ in match.opponents)
            ),
            bye=any(not match.table for match in seen[row.player].matches),
            sides=" ".join(match.side[:1] for match in seen[row.player].matches if match.side),
        )
        for row in event.standings.rows
        if not row.note and (not event.bracket or row.player in in_bracket)
    ]
    seats = event.tables.seats
    latest = event.rounds[-1] if event.rounds else None
    tables = -(-len(rows) // seats)
    next_ = latest.number + 1 if latest else 1
    return {
        "how": _by_hand(job),
        "coming": () if event.bracket else [each for each in staff.coming if each.number >= next_],
        "name": {player: view.name for player, view in seen.items()},
        "rows": rows,
        "numbers": range(event.tables.first, event.tables.first + tables),
        "seats": seats,
        "next": next_,
        "sided": any(row.sides for row in rows),
    }


def _by_hand(job: _Job) -> str:
    """Return which instructions of `paper/by-hand.html` pair the next round without the program."""
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
    "tables": Kind(facts=_tables, rounds=True),
    "slips": Kind(facts=_slips, rounds=True, margin=0),
    "standings": Kind(facts=_standings),
    "seatings": Kind(facts=_seatings),
    "deck-checks": Kind(facts=_checks, rounds=True, staff=True),
    "decklists": Kind(facts=_forms),
    "badges": Kind(facts=_badges, margin=0),
    "empty": Kind(facts=_empty),
}
"""Every kind of sheet by its name on the command line."""
