"""Read players from files that other programs exported.

`FORMS` has a function for each file format. The README of this package says where each format is documented.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tourney.decode import from_json
from tourney.errors import TourneyError
from tourney.event.kind import at_place
from tourney.wording import counted

Row = dict[str, str]
"""A player: column (`name`, `tag club`, `deck` …) → the cell's text.

Empty cells are left out.
"""


class Export(NamedTuple):
    """The players in a file that another program exported.

    notes: remarks on parts of the file that were not read
    form:  the name of the file's format, such as `EventLink's report`
    """

    rows: Sequence[Row]
    notes: tuple[str, ...] = ()
    form: str = ""


def read_export(text: str, source: str) -> Export | None:
    """Return the players in another program's export; None if the file format is unknown.

    Raises TourneyError if an export in a known format has no players.
    """
    value: Any = text
    if text.lstrip()[:1] in {"[", "{"}:
        try:
            value = from_json(text, object, source=source)
        except TourneyError:
            return None
    for form, read in FORMS.items():
        with at_place(source):
            export = read(value)
            if export is not None and not export.rows:
                raise TourneyError(f"the file ({form}) has no players")
        if export is not None:
            return export._replace(form=form)
    return None


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    return (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())


def _row(**cells: object) -> Row:
    """Return column → text, for the cells that contain a text or a whole number."""
    return {
        column.replace("_", " "): str(cell).strip()
        for column, cell in cells.items()
        if isinstance(cell, str | int) and not isinstance(cell, bool) and str(cell).strip()
    }


def _cobra(value: Any) -> Export | None:
    if not isinstance(value, dict) or value.get("uploadedFrom") != "Cobra":
        return None
    players = list(_dicts(value.get("players"))) or _dicts(value.get("eliminationPlayers"))
    rows = [_row(name=player.get("name")) for player in players]
    return Export(list(filter(None, rows)), ("not read: identities and results",))


def _topdeck(value: Any) -> Export | None:
    events = [value] if isinstance(value, dict) else list(_dicts(value))
    if not events or not all(isinstance(event.get("standings"), list) for event in events):
        return None
    if len(events) > 1:
        raise TourneyError(
            f"the file has {len(events)} TopDeck tournaments, but only one can be read",
            "request a single tournament by its TID",
        )
    players = _dicts(events[0]["standings"])
    rows = [_row(name=player.get("name"), deck=_topdeck_deck(player)) for player in players]
    return Export([row for row in rows if "name" in row], ("not read: results",))


def _topdeck_deck(player: Mapping[str, Any]) -> str:
    """Return a player's decklist; empty if there is none.

    If the export has the deck's zones with their cards, the list is made from them. Otherwise the list is the
    text or the link that the export has.
    """
    zones = player.get("deckObj")
    lines = []
    for zone, cards in zones.items() if isinstance(zones, dict) else ():
        if zone != "metadata" and isinstance(cards, dict):
            counts = (card.get("count") if isinstance(card, dict) else card for card in cards.values())
            lines += ["", zone, *(f"{count} {name}" for count, name in zip(counts, cards, strict=True))]
    if lines:
        return "\n".join(lines[1:])
    text = player.get("decklist")
    return text if isinstance(text, str) and ("\n" in text.strip() or text.startswith("http")) else ""


def _challonge(value: Any) -> Export | None:
    if isinstance(value, dict) and isinstance(value.get("tournament"), dict):
        value = value["tournament"].get("participants")
    players = [item["participant"] for item in _dicts(value) if isinstance(item.get("participant"), dict)]
    if not players:
        return None
    active = [
        player
        for player in players
        if player.get("active") is not False and not player.get("on_waiting_list")
    ]
    active.sort(key=lambda player: player["seed"] if isinstance(player.get("seed"), int) else len(players))
    names = ("display_name", "name", "username", "challonge_username")
    rows = [
        _row(name=next(filter(None, map(player.get, names)), None), email=player.get("invite_email"))
        for player in active
    ]
    inactive = len(players) - len(active)
    omission = (
        (f"left out: {counted(inactive, 'player')} not active or on the waiting list",) if inactive else ()
    )
    return Export(rows, (*omission, "registered in the order of their seeds"))


def _melee(value: Any) -> Export | None:
    data = value.get("data") if isinstance(value, dict) else None
    teams = [item["Team"] for item in _dicts(data) if isinstance(item.get("Team"), dict)]
    if not teams:
        return None
    members = [list(_dicts(team.get("Players"))) for team in teams]
    if any(len(players) > 1 for players in members):
        raise TourneyError("these are melee's standings of teams, but tourney has no team events")
    return Export(
        [
            _row(name=player.get("DisplayName"), tag_nickname=player.get("Username"))
            for players in members
            for player in players
        ]
    )


_REPORTS = {
    "Standings by Rank": re.compile(r"\s*\d+\s+(?P<name>.+?)(?:\s+\d+){5}\s*"),
    "Player List": re.compile(r"\s*(?P<name>.+?)(?:\s{2,}\d+)?\s*"),
}
"""The reports of EventLink that list players: name → the pattern of a player's line."""


def _eventlink(text: Any) -> Export | None:
    if not isinstance(text, str) or not re.match(r"\s*EventLink\s", text):
        return None
    report = re.search(r"^Report:\s*(.+?)\s*$", text, re.MULTILINE)
    line = _REPORTS.get(report[1] if report else "")
    if line is None:
        name = f" `{report[1]}`" if report else ""
        raise TourneyError(
            f"EventLink's report{name} has no list of players",
            "use the report `Player List` or `Standings by Rank`",
        )
    rows: list[Row] = []
    below_rule = re.split(r"-{10,}", text, maxsplit=1)[1:]
    for row in below_rule[0].splitlines()[1:] if below_rule else ():
        if not row.strip() or row.startswith("EventLink - "):
            break
        if (player := line.fullmatch(row)) is None:
            raise TourneyError(f"EventLink's report: `{row.strip()[:60]}` is not a player's line")
        rows.append({"name": " ".join(player["name"].split())})
    return Export(rows)


FORMS: Mapping[str, Callable[[Any], Export | None]] = {
    "Cobra's tournament": _cobra,
    "TopDeck's tournament": _topdeck,
    "Challonge's participants": _challonge,
    "melee's standings": _melee,
    "EventLink's report": _eventlink,
}
"""The forms: name → the function that reads it. No export fits two of them.

A function gets the decoded JSON, or the text of another file. It returns None if that has another form.
"""
