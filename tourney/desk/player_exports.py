"""Read players from other programs' exports. `FORMS` has a row for each form.

The README of this package says where each form is documented.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tourney.decode import from_json
from tourney.errors import TourneyError
from tourney.event.kind import at_place

Row = Mapping[str, str]
"""A player: column (`name`, `tag club`, `deck` …) → the cell's text.

Empty cells are left out.
"""

Players = tuple[list[Row], tuple[str, ...]]
"""The players of an export, and notes on parts that were not read."""


class ExportForm(NamedTuple):
    """A form of export.

    name: its name in messages
    read: returns the players if its argument has this form, otherwise None. The argument is the decoded JSON,
          or the text if `json` is False
    """

    name: str
    read: Callable[[Any], Players | None]
    json: bool = True


class Export(NamedTuple):
    """The players of an export. form: the form's name; notes: parts that were not read."""

    form: str
    rows: Sequence[Row]
    notes: tuple[str, ...]


def read_export(text: str, source: str) -> Export | None:
    """Return the players of an export; None if its form is unknown.

    Raises TourneyError if it has no players.
    """
    value: object = text
    is_json = text.lstrip()[:1] in {"[", "{"}
    if is_json:
        try:
            value = from_json(text, object, source=source)
        except TourneyError:
            return None
    for form in FORMS:
        if form.json is not is_json:
            continue
        with at_place(source):
            players = form.read(value)
        if players is not None:
            rows, notes = players
            if not rows:
                raise TourneyError(f"{source}: {form.name}: there are no players in it")
            return Export(form.name, rows, notes)
    return None


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    return (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())


def _row(**cells: object) -> Row:
    """Return the cells that hold a text or a number."""
    return {
        column.replace("_", " "): str(cell).strip()
        for column, cell in cells.items()
        if isinstance(cell, str | int) and not isinstance(cell, bool) and str(cell).strip()
    }


def _cobra(value: Any) -> Players | None:
    if not (isinstance(value, dict) and value.get("uploadedFrom") == "Cobra"):
        return None
    players = list(_dicts(value.get("players"))) or list(_dicts(value.get("eliminationPlayers")))
    rows = [_row(name=player.get("name")) for player in players if player.get("name")]
    return rows, ("not read: identities and results",)


def _topdeck(value: Any) -> Players | None:
    events = [value] if isinstance(value, dict) else list(_dicts(value))
    if not events or not all(isinstance(event.get("standings"), list) for event in events):
        return None
    if len(events) > 1:
        raise TourneyError(f"TopDeck's answer has {len(events)} tournaments", "request one, by its TID")
    rows = [
        _row(name=player.get("name"), deck=_topdeck_deck(player)) for player in _dicts(events[0]["standings"])
    ]
    return [row for row in rows if "name" in row], ("not read: results",)


def _topdeck_deck(player: Mapping[str, Any]) -> str:
    """Return a player's decklist; empty if there is none.

    It is made from zones of cards, or else it is the text or link in the export.
    """
    zones = player.get("deckObj")
    lines = []
    for zone, cards in zones.items() if isinstance(zones, dict) else ():
        if zone == "metadata" or not isinstance(cards, dict):
            continue
        counts = {name: card.get("count") if isinstance(card, dict) else card for name, card in cards.items()}
        lines += ["", zone, *(f"{count} {name}" for name, count in counts.items())]
    if lines:
        return "\n".join(lines[1:])
    text = player.get("decklist")
    return text if isinstance(text, str) and ("\n" in text.strip() or text.startswith("http")) else ""


def _challonge(value: Any) -> Players | None:
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
    omitted = (f"left out: {inactive} not active or on the waiting list",) if inactive else ()
    return rows, (*omitted, "registered in the order of their seeds")


def _melee(value: Any) -> Players | None:
    data = value.get("data") if isinstance(value, dict) else None
    teams = [item["Team"] for item in _dicts(data) if isinstance(item.get("Team"), dict)]
    if not teams:
        return None
    players = [list(_dicts(team.get("Players"))) for team in teams]
    if any(len(team) > 1 for team in players):
        raise TourneyError("these are melee's standings of teams, but tourney has no team events")
    rows = [
        _row(name=player.get("DisplayName"), tag_nickname=player.get("Username"))
        for team in players
        for player in team
    ]
    return rows, ()


_RULE = re.compile(r"-{10,}")
_REPORTS = {
    "Standings by Rank": re.compile(r"\s*\d+\s+(?P<name>.+?)(?:\s+\d+){5}\s*"),
    "Player List": re.compile(r"\s*(?P<name>.+?)(?:\s{2,}\d+)?\s*"),
}
"""The reports of EventLink that list players: name → the pattern of a player's line."""


def _eventlink(text: str) -> Players | None:
    if not re.match(r"\s*EventLink\s", text):
        return None
    report = re.search(r"^Report:\s*(.+?)\s*$", text, re.MULTILINE)
    line = _REPORTS.get(report[1] if report else "")
    if line is None:
        raise TourneyError(
            f"EventLink's report {report[1]} has no list of players"
            if report
            else "EventLink's text does not name its report",
            "use the report `Player List` or `Standings by Rank`",
        )
    rule = _RULE.search(text)
    rows: list[Row] = []
    for row in text[rule.end() :].splitlines()[1:] if rule else ():
        if not row.strip() or row.startswith("EventLink - "):
            break
        if (player := line.fullmatch(row)) is None:
            raise TourneyError(f"EventLink's report: `{row.strip()[:60]}` is not a player's line")
        rows.append({"name": " ".join(player["name"].split())})
    return rows, ()


FORMS = (
    ExportForm("Cobra's tournament", _cobra),
    ExportForm("TopDeck's tournament", _topdeck),
    ExportForm("Challonge's participants", _challonge),
    ExportForm("melee's standings", _melee),
    ExportForm("EventLink's report", _eventlink, json=False),
)
"""The forms, in the order in which they are tried. No export fits two of them."""
