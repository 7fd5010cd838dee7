"""Sheets for the wall and the tables: the newest round by name, and its result slips, ready to print."""

from __future__ import annotations

from dataclasses import dataclass

from tourney.event.view import EventView, RoundView
from tourney.publish import template


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player sits: the line of the wall sheet."""

    name: str
    note: str
    table: str
    opponents: str


def render(event: EventView) -> dict[str, bytes]:
    """Render `sheets/pairings.html` (by name) and `sheets/slips.html` of the newest round; nothing before round 1."""
    if not event.rounds:
        return {}
    latest = event.rounds[-1]
    facts = {"event": event, "round": latest}
    return {
        "sheets/pairings.html": template.fill("sheet-pairings.html", places=_by_name(latest), **facts),
        "sheets/slips.html": template.fill("sheet-slips.html", **facts),
    }


def _by_name(view: RoundView) -> list[Place]:
    seated = [
        Place(
            seat.name,
            seat.note,
            str(table.number),
            ", ".join(other.name for other in table.seats if other is not seat),
        )
        for table in view.tables
        for seat in table.seats
    ]
    byes = [Place(bye.name, bye.note, "–", bye.kind) for bye in view.byes]
    return sorted([*seated, *byes], key=lambda place: (place.name.casefold(), place.name))
