"""The forms that programs read: TOML, JSON, CSV, XML, passcodes."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from tourney.decks.decklist import Decklist, Line
from tourney.decks.printing.lines import by_zone, code_of, kind_of
from tourney.decks.reading.canonical import SCHEMA
from tourney.decks.reading.headers import GENERAL
from tourney.errors import TourneyError
from tourney.spreadsheet import csv_text


def toml(deck: Decklist) -> str:
    """Print the canonical form: everything a decklist knows, one line a card, in the order of the list."""
    lines = [
        f"schema = {_value(SCHEMA)}",
        *(f"{key} = {_value(value)}" for key, value in _head(deck) if value),
    ]
    if deck.about:
        lines += ["about = [", *(f"    {_value(list(pair))}," for pair in deck.about), "]"]
    for counts, listed in ((True, deck.lines), (False, deck.aside)):
        for zone, members in groupby(listed, key=lambda line: line.zone):
            lines += ["", "[[zone]]", *([] if zone is None else [f"name = {_value(zone)}"])]
            lines += _whether_it_counts(zone, counts)
            lines += ["cards = [", *(f"    {_value(_entry(line))}," for line in members), "]"]
    return "\n".join([*lines, ""])


def _whether_it_counts(zone: str | None, counts: bool) -> list[str]:
    """Say so where the name does not: a format may play with a zone that other games call a maybeboard."""
    by_name = zone is None or not GENERAL.is_outside(zone)
    if not counts:
        return ["counts = false"]
    return [] if by_name else ["counts = true"]


def _value(value: object) -> str:
    """Print a value on one line; `tomli_w` would give each card a paragraph of its own."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON's text escapes are TOML's


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _head(deck: Decklist) -> Iterator[tuple[str, str | None]]:
    return iter((("name", deck.name), ("player", deck.player), ("format", deck.format)))


def _entry(line: Line) -> dict[str, Any]:
    entry = {
        "count": line.count,
        "name": line.name,
        "set": line.printing.set,
        "number": line.printing.number,
        "code": line.code,
        "group": line.group,
        "facts": dict(line.facts),
        "marks": list(line.marks),
        "comment": line.comment,
    }
    return {key: value for key, value in entry.items() if value not in (None, "", {}, [])}


def as_json(deck: Decklist) -> str:
    """Print JSON: zones, each with its cards."""
    zones = [
        {"name": zone or "Main", "cards": [_entry(line) for line in lines]} for zone, lines in by_zone(deck)
    ]
    table = {key: value for key, value in _head(deck) if value} | {"zones": zones}
    return json.dumps(table, ensure_ascii=False, indent=1) + "\n"


def as_csv(deck: Decklist) -> str:
    """Print a table with a header line: count, name, set, number, zone, code, finish and group."""
    header = ("Count", "Name", "Set Code", "Collector Number", "Zone", "Card ID", "Foil", "Category")
    rows = []
    for zone, lines in by_zone(deck):
        for line in lines:
            foil = "foil" if "*F*" in line.marks else ""
            mark = line.printing
            rows.append((line.count, line.name, mark.set, mark.number, zone, line.code, foil, line.group))
    return csv_text(header, rows)


def cockatrice(deck: Decklist) -> str:
    """Print Cockatrice's `.cod`: zones `main`, `side` and `tokens`."""
    names = {"side": "side", "tokens": "tokens", "maybe": "maybeboard"}
    comments = "\n".join(value for key, value in deck.about if key in ("comment", "comments", "description"))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<cockatrice_deck version="1">']
    lines += [
        f"    <deckname>{_xml(deck.name or '')}</deckname>",
        f"    <comments>{_xml(comments)}</comments>",
    ]
    merged: dict[str, list[Line]] = {}
    for zone, members in by_zone(deck):
        merged.setdefault(names.get(kind_of(zone), "main"), []).extend(members)
    for name, members in merged.items():
        lines.append(f'    <zone name="{name}">')
        lines.extend(f"        <card {_attributes(_card(line))}/>" for line in members)
        lines.append("    </zone>")
    return "\n".join([*lines, "</cockatrice_deck>", ""])


def _card(line: Line) -> Iterator[tuple[str, str | None]]:
    mark = line.printing
    return iter((
        ("number", str(line.count)), ("name", line.name), ("setShortName", mark.set), ("collectorNumber", mark.number),
        ("uuid", line.code),
    ))  # fmt: skip


def octgn(deck: Decklist) -> str:
    """Print OCTGN's `.o8d`: sections by name, the card's name as text."""
    lines = ['<?xml version="1.0" encoding="utf-8" standalone="yes"?>', "<deck>"]
    for zone, members in by_zone(deck):
        lines.append(f"  <section {_attributes([('name', zone or 'Main'), ('shared', 'False')])}>")
        for line in members:
            attributes = _attributes([("qty", str(line.count)), ("id", line.code)])
            lines.append(f"    <card {attributes}>{_xml(line.name)}</card>")
        lines.append("  </section>")
    return "\n".join([*lines, "</deck>", ""])


def mtgo_xml(deck: Decklist) -> str:
    """Print Magic Online's `.dek`: one element a line, the sideboard by an attribute."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<Deck>"]
    for zone, members in by_zone(deck):
        if kind_of(zone) in ("maybe", "tokens"):
            continue
        side = "true" if kind_of(zone) == "side" else "false"
        for line in members:
            attributes = [
                ("CatID", line.code),
                ("Quantity", str(line.count)),
                ("Sideboard", side),
                ("Name", line.name),
            ]
            lines.append(f"  <Cards {_attributes(attributes)} />")
    return "\n".join([*lines, "</Deck>", ""])


def _attributes(pairs: Iterable[tuple[str, str | None]]) -> str:
    return " ".join(f"{key}={quoteattr(_clean(value))}" for key, value in pairs if value)


def _xml(words: str) -> str:
    return escape(_clean(words))


def _clean(words: str) -> str:
    """Leave out what XML cannot hold at all: control characters and half surrogates."""
    return "".join(
        letter
        for letter in words
        if letter >= " " and not "\ud800" <= letter <= "\udfff" and letter not in "\ufffe\uffff"
    )


def _passcodes(deck: Decklist) -> dict[str, list[str]]:
    """Give the passcodes of main, extra and side deck, each as often as the card is there."""
    zones: dict[str, list[str]] = {"main": [], "extra": [], "side": []}
    for zone, lines in by_zone(deck):
        kind = kind_of(zone)
        if kind in ("maybe", "tokens"):
            continue
        for line in lines:
            code = code_of(line)
            if code is not None and int(code) < 2**32:
                zones[kind if kind in zones else "main"].extend([code] * line.count)
    if not any(zones.values()):
        raise TourneyError(
            f"{deck.source}: no card of this list has a passcode, which is all this form holds",
            "convert it to `text` or `toml`",
        )
    return zones


def ydk(deck: Decklist) -> str:
    """Print `.ydk`: one passcode a line."""
    zones = _passcodes(deck)
    return "\n".join(["#main", *zones["main"], "#extra", *zones["extra"], "!side", *zones["side"], ""])


def ydke(deck: Decklist) -> str:
    """Print a `ydke://` link."""
    packed = (
        b"".join(int(code).to_bytes(4, "little") for code in codes) for codes in _passcodes(deck).values()
    )
    return "ydke://" + "".join(base64.b64encode(part).decode("ascii") + "!" for part in packed) + "\n"
