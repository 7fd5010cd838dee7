"""The players in what other programs for tournaments write: one row of `FORMS` for each form.

Each form is taken from public files or from the program's own documentation: the table in this room's README says which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tourney.decode import from_json
from tourney.errors import TourneyError
from tourney.event.kind import at_place

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Export:
    """What an export says of players. form: what it is called; rows: column → text; notes: what was passed over."""

    form: str
    rows: Sequence[Row]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """One form of export. rows: the players of a value of that form, and what is passed over; None for any other value.

    Of a form that is JSON the value is what it says, else it is the text.
    """

    called: str
    rows: Callable[[Any], tuple[list[Row], tuple[str, ...]] | None]
    json: bool = True


def exported(text: str, source: str) -> Export | None:
    """Return the players of an export, None where the text is of no form known. Raises TourneyError for one without any."""
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
            found = form.rows(value)
        if found is not None:
            rows, notes = found
            if not rows:
                raise TourneyError(f"{source}: {form.called}: there are no players in it")
            return Export(form.called, rows, notes)
    return None


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    return (each for each in value if isinstance(each, dict)) if isinstance(value, list) else iter(())


def _texts(**cells: object) -> Row:
    """Return the cells that say something: a text, or a number."""
    named = {column.replace("_", " "): cell for column, cell in cells.items()}
    return {
        column: str(cell).strip()
        for column, cell in named.items()
        if isinstance(cell, str | int) and not isinstance(cell, bool) and str(cell).strip()
    }


def _melee(value: Any) -> tuple[list[Row], tuple[str, ...]] | None:
    data = value.get("data") if isinstance(value, dict) else None
    teams = [each["Team"] for each in _dicts(data) if isinstance(each.get("Team"), dict)]
    if not teams:
        return None
    players = [list(_dicts(team.get("Players"))) for team in teams]
    if any(len(team) > 1 for team in players):
        raise TourneyError("melee's standings of teams: tourney's players play alone")
    rows = [
        _texts(name=each.get("DisplayName"), tag_nickname=each.get("Username"))
        for team in players
        for each in team
    ]
    return rows, ()


_RULE = re.compile(r"-{10,}")
_RANKED = re.compile(r"\s*\d+\s+(?P<name>.+?)(?:\s+\d+){5}\s*")
_SEATED = re.compile(r"\s*(?P<name>.+?)(?:\s{2,}\d+)?\s*")


def _eventlink(text: str) -> tuple[list[Row], tuple[str, ...]] | None:
    if not re.match(r"\s*EventLink\s", text):
        return None
    report = re.search(r"^Report:\s*(.+?)\s*$", text, re.MULTILINE)
    lines = {"Standings by Rank": _RANKED, "Player List": _SEATED}.get(report[1] if report else "")
    if lines is None:
        raise TourneyError(
            f"EventLink's report {report[1]} has no list of players"
            if report
            else "EventLink's text says no report",
            "`Player List` and `Standings by Rank` have one",
        )
    _, _, below = text.partition(rule[0] if (rule := _RULE.search(text)) else "\0")
    rows = []
    for line in below.lstrip("-").splitlines()[1:]:
        if not line.strip() or line.startswith("EventLink - "):
            break
        if (player := lines.fullmatch(line)) is None:
            raise TourneyError(f"EventLink's report: `{line.strip()[:60]}` is not a player's line")
        rows.append({"name": " ".join(player["name"].split())})
    return rows, ()


def _cobra(value: Any) -> tuple[list[Row], tuple[str, ...]] | None:
    if not (isinstance(value, dict) and value.get("uploadedFrom") == "Cobra"):
        return None
    players = list(_dicts(value.get("players"))) or list(_dicts(value.get("eliminationPlayers")))
    return [_texts(name=each.get("name")) for each in players if each.get("name")], (
        "not read: identities and results",
    )


def _topdeck(value: Any) -> tuple[list[Row], tuple[str, ...]] | None:
    events = [value] if isinstance(value, dict) else list(_dicts(value))
    if not events or not all(isinstance(each.get("standings"), list) for each in events):
        return None
    if len(events) > 1:
        raise TourneyError(f"TopDeck's answer has {len(events)} tournaments", "ask for one, by its TID")
    rows = [
        _texts(name=each.get("name"), deck=_topdeck_deck(each)) for each in _dicts(events[0]["standings"])
    ]
    return [row for row in rows if "name" in row], ("not read: results",)


def _topdeck_deck(standing: Mapping[str, Any]) -> str:
    """Return the list that came as zones of cards, else as text or a link; empty where there is none."""
    zones = standing.get("deckObj")
    lines = []
    for zone, cards in zones.items() if isinstance(zones, dict) else ():
        if zone == "metadata" or not isinstance(cards, dict):
            continue
        counts = {name: card.get("count") if isinstance(card, dict) else card for name, card in cards.items()}
        lines += ["", zone, *(f"{count} {name}" for name, count in counts.items())]
    if lines:
        return "\n".join(lines[1:])
    text = standing.get("decklist")
    return text if isinstance(text, str) and ("\n" in text.strip() or text.startswith("http")) else ""


def _challonge(value: Any) -> tuple[list[Row], tuple[str, ...]] | None:
    if isinstance(value, dict) and isinstance(value.get("tournament"), dict):
        value = value["tournament"].get("participants")
    people = [each["participant"] for each in _dicts(value) if isinstance(each.get("participant"), dict)]
    if not people:
        return None
    here = [each for each in people if each.get("active") is not False and not each.get("on_waiting_list")]
    here.sort(key=lambda each: each["seed"] if isinstance(each.get("seed"), int) else len(people))
    rows = [
        _texts(
            name=each.get("display_name")
            or each.get("name")
            or each.get("username")
            or each.get("challonge_username"),
            email=each.get("invite_email"),
        )
        for each in here
    ]
    left = len(people) - len(here)
    waiting = (f"left out: {left} not active or on the waiting list",) if left else ()
    return rows, (*waiting, "registered in the order of their seeds")


FORMS = (
    Form("Cobra's tournament", _cobra),
    Form("TopDeck's tournament", _topdeck),
    Form("Challonge's participants", _challonge),
    Form("melee's standings", _melee),
    Form("EventLink's report", _eventlink, json=False),
)
"""The forms, in the order in which they are tried: no value is of two."""
