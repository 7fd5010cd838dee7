"""Files of other programs that are not supported: each is refused by its program's name, with a hint.

Each row recognizes a program by its text or by the value of its JSON. The signs follow what is publicly known
of these formats; no real files were at hand, so a variant may be missed and then gets the general refusal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tourney.standings.reading.nrtm import is_nrtm, made_by_aesop

_HEAD = 2_000
"""Letters in which a file identifies its format."""
_XML = re.compile(r"\s*<(?:\?xml\b|!--|!doctype\b|[a-z])", re.I)
_HTML = re.compile(r"<!doctype html|<html\b|<body\b|<table\b", re.I)
_OPENGOTHA = re.compile(
    r"<Tournament\s[^<>]*\bdataVersion\b|<(?:TournamentParameterSet|GeneralParameterSet)\b"
)
_WER = re.compile(r"<event\b[^<>]*\b(?:eventguid|sanctionnumber|coordinator)\b|<participation\b", re.I)
_CHESS_RESULTS = re.compile(r"chess-?results|swiss-?manager", re.I)
_TEAM_LINE = re.compile(r"^(?:013|310) ", re.M)
_PLAYER_LINE = re.compile(r"^001 ", re.M)

_TABLE = "enter the results as a table: round,player1,player2,wins1,wins2,draws"

_EXPORT_AGAIN = "export the tournament again, with its rounds"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A file format that is recognized but not supported.

    title: the format's name with its article, for a sentence
    sign:  returns whether a file has this format, given its text (or the value of its JSON if `json` is set)
    hint:  what to do instead
    """

    title: str
    sign: Callable[[Any], bool]
    hint: str = _TABLE
    json: bool = False


def _rows(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, none if the value is something else."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


_WRAPPERS = frozenset(["tournament", "match", "participant"])
"""Keys in which version 1 of Challonge's API wraps an object."""
_LISTS = frozenset(["matches", "participants"])
_BARE = (
    frozenset(["player1_id", "player2_id"]),
    frozenset(["matches_by_round"]),
    frozenset(["full_challonge_url"]),
    frozenset(["tournament_type", "participants_count"]),
)
"""Keys by which a match or a tournament of Challonge is recognized without a wrapper."""


def _is_challonge(value: Any) -> bool:
    rows = [value] if isinstance(value, dict) else _rows(value)[:1]
    rows += [row for key in sorted(_LISTS) for row in _rows(rows[0].get(key) if rows else None)[:1]]
    return any(_is_wrapper(row) or _is_bare(row) for row in rows) or _is_json_api(value)


def _is_wrapper(row: dict[str, Any]) -> bool:
    inner = [row[key] for key in sorted(_WRAPPERS) if isinstance(row.get(key), dict)]
    nothing_else = row.keys() <= _WRAPPERS | _LISTS
    return bool(inner) and (nothing_else or any("id" in item or _is_bare(item) for item in inner))


def _is_bare(row: dict[str, Any]) -> bool:
    return any(keys <= row.keys() for keys in _BARE)


def _is_json_api(value: Any) -> bool:
    """Return whether a value is an answer of version 2 of Challonge's API, which follows JSON:API."""
    data = value.get("data") if isinstance(value, dict) else None
    entries = [data] if isinstance(data, dict) else _rows(data)
    return bool(entries) and {"attributes", "type"} <= entries[0].keys()


def _is_limitless(value: Any) -> bool:
    first = next(iter(_rows(value)), {})
    standing = {"player", "placing"} <= first.keys()
    pairing = {"round", "phase", "player1"} <= first.keys()
    event = isinstance(value, dict) and {"organizer", "phases"} <= value.keys()
    return standing or pairing or event


FOREIGN = (
    Foreign("a file of OpenGotha", lambda text: bool(_OPENGOTHA.search(text[:_HEAD]))),
    Foreign("a file of Wizards Event Reporter (WER)", lambda text: bool(_WER.search(text[:_HEAD]))),
    Foreign(
        "an XML file of chess-results or Swiss-Manager",
        lambda text: bool(_XML.match(text) and _CHESS_RESULTS.search(text[:_HEAD])),
        "export the tournament as a TRF (FIDE's report)",
    ),
    Foreign(
        "a Tournament Report File of teams",
        lambda text: bool(_TEAM_LINE.search(text) and _PLAYER_LINE.search(text)),
        "only tournaments of single players are read",
    ),
    Foreign("an answer of Challonge", _is_challonge, json=True),
    Foreign("an answer of Limitless", _is_limitless, json=True),
    Foreign(
        "a tournament of Aesop's Tables without `rounds`",
        lambda value: is_nrtm(value) and made_by_aesop(value),
        _EXPORT_AGAIN,
        json=True,
    ),
    Foreign("a tournament of Cobra without `rounds`", is_nrtm, _EXPORT_AGAIN, json=True),
    Foreign("a web page", lambda text: bool(_XML.match(text) and _HTML.search(text[:_HEAD]))),
    Foreign("an XML file of an unknown program", lambda text: bool(_XML.match(text))),
)
"""The files that are refused by name, in the order in which they are tried; the last is any XML."""

_ENDINGS = {".opengotha": FOREIGN[0], ".wer": FOREIGN[1]}


def foreign_file(text: str, value: Any, source: str) -> Foreign | None:
    """Return the row for a known but unsupported file; None for other files.

    value: the value of its JSON; None if it is not JSON
    """
    is_json = value is not None
    content = value if is_json else text
    by_content = next((row for row in FOREIGN if row.json is is_json and row.sign(content)), None)
    by_ending = next((row for end, row in _ENDINGS.items() if source.lower().endswith(end)), None)
    if by_content is None or by_content is FOREIGN[-1]:
        return by_ending or by_content
    return by_content
