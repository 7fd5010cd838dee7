"""HTML: the pages a player reads on a phone, and the sheets for the wall and the tables. No server, no build.

Pages: overview, rounds, standings, verification, one a player. Sheets: the newest round by name, and its result slips.
The templates lie in `templates/`; whatever is put into them is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from tourney.event.view import EventView, RoundView, StandingsView
from tourney.publish.data import Files

if TYPE_CHECKING:
    from jinja2 import Environment

TOP_ROWS = 8
"""How many rows of the standings the overview shows; a larger cut shows the whole cut."""


@dataclass(frozen=True, slots=True)
class Link:
    """A page in the navigation."""

    path: str
    title: str


def pages(event: EventView, downloads: Sequence[str]) -> Files:
    """Return every page of `event`, with the style sheet and the small script that finds a name.

    downloads: paths of the files in other forms that the overview links to
    """
    shared = {"event": event, "links": _links(event)}
    files: Files = {name: partial(_source, name) for name in ("style.css", "find.js")}

    def add(template: str, path: str, **own: Any) -> None:
        files[path] = partial(_fill, template, path=path, up="../" * path.count("/"), **shared, **own)

    add("index.html", "index.html", **_overview(event), files=downloads)
    for name in ("standings.html", "verification.html"):
        add(name, name)
    for round_view in event.rounds:
        add("round.html", _round_path(round_view), round=round_view)
    places = {row.player: row for row in event.settled.rows}
    for player in event.players:
        add("player.html", f"player/{player.player}.html", view=player, settled=places.get(player.player))
    return files


def _round_path(round_view: RoundView) -> str:
    """Return the page of a round, relative to the folder."""
    return f"round-{round_view.number}.html"


def _links(event: EventView) -> list[Link]:
    rounds = [Link(_round_path(view), view.title) for view in event.rounds]
    return [Link("index.html", "Overview"), Link("standings.html", "Standings"), *rounds]


def _overview(event: EventView) -> dict[str, Any]:
    latest = event.rounds[-1] if event.rounds else None
    return {
        "now": {"round": latest, "path": _round_path(latest)} if latest else None,
        "top": _top(event.standings),
        "first": event.final.rows[: max(TOP_ROWS, sum(bool(row.came) for row in event.final.rows))]
        if event.final
        else (),
    }


def _top(standings: StandingsView) -> StandingsView:
    last = max((place for place, row in enumerate(standings.rows, 1) if row.cut), default=0)
    return replace(standings, rows=standings.rows[: max(TOP_ROWS, last)])


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player sits: the line of the wall sheet."""

    name: str
    note: str
    table: str
    opponents: str
    side: str = ""


def sheets(event: EventView) -> Files:
    """Return `sheets/pairings.html` (by name) and `sheets/slips.html` of the newest round; nothing before round 1.

    An event that wants no slips has none.
    """
    if not event.rounds:
        return {}
    latest = event.rounds[-1]
    facts = {"event": event, "round": latest}
    slips: Files = {"sheets/slips.html": partial(_fill, "sheet-slips.html", **facts)}
    return {
        "sheets/pairings.html": partial(_fill, "sheet-pairings.html", places=_by_name(latest), **facts),
        **(slips if event.slips else {}),
    }


def _by_name(view: RoundView) -> list[Place]:
    seated = [
        Place(
            seat.name,
            seat.note,
            str(table.number),
            ", ".join(other.name for other in table.seats if other is not seat),
            seat.side,
        )
        for table in view.tables
        for seat in table.seats
    ]
    byes = [Place(bye.name, bye.note, "–", bye.kind) for bye in view.byes]
    return sorted([*seated, *byes], key=lambda place: (place.name.casefold(), place.name))


def _fill(name: str, /, **facts: Any) -> bytes:
    """Return template `name` filled with `facts`; a fact the template misses is a bug and raises."""
    return _environment().get_template(name).render(**facts).encode()


def _source(name: str) -> bytes:
    """Return a file of the templates folder as it is (style sheet, script)."""
    loader = _environment().loader
    assert loader is not None
    return loader.get_source(_environment(), name)[0].encode()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("tourney.publish"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
