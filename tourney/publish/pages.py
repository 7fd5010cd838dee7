"""The HTML pages a player reads on a phone: overview, rounds, standings, one page a player. No server, no build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tourney.event.view import EventView, RoundView, StandingsView
from tourney.publish import data, printouts, template, text

TOP_ROWS = 8
"""How many rows of the standings the overview shows; a larger cut shows the whole cut."""


@dataclass(frozen=True, slots=True)
class Link:
    """A page in the navigation."""

    path: str
    title: str


def render(event: EventView) -> dict[str, bytes]:
    """Render every page of `event`, with the style sheet and the small script that finds a name."""
    shared = {"event": event, "links": _links(event)}
    files = {name: template.source(name) for name in ("style.css", "find.js")}
    files["index.html"] = _page("index.html", "index.html", shared, **_overview(event))
    for name in ("standings.html", "verification.html"):
        files[name] = _page(name, name, shared)
    for round_view in event.rounds:
        path = round_path(round_view)
        files[path] = _page("round.html", path, shared, round=round_view)
    places = {row.player: row for row in event.settled.rows}
    for player in event.players:
        path = f"player/{player.player}.html"
        files[path] = _page("player.html", path, shared, view=player, settled=places.get(player.player))
    return files


def round_path(round_view: RoundView) -> str:
    """Return the page of a round, relative to the folder."""
    return f"round-{round_view.number}.html"


def _page(name: str, path: str, shared: Mapping[str, Any], **own: Any) -> bytes:
    return template.fill(name, path=path, up="../" * path.count("/"), **shared, **own)


def _links(event: EventView) -> list[Link]:
    rounds = [Link(round_path(view), view.title) for view in event.rounds]
    return [Link("index.html", "Overview"), Link("standings.html", "Standings"), *rounds]


def _overview(event: EventView) -> dict[str, Any]:
    latest = event.rounds[-1] if event.rounds else None
    return {
        "now": {"round": latest, "path": round_path(latest)} if latest else None,
        "top": _top(event.standings),
        "files": sorted(
            [
                *data.render_csv(event),
                *data.render_json(event),
                *text.render(event),
                *printouts.render(event),
            ]
        ),
    }


def _top(standings: StandingsView) -> StandingsView:
    last = max((place for place, row in enumerate(standings.rows, 1) if row.cut), default=0)
    return replace(standings, rows=standings.rows[: max(TOP_ROWS, last)])
