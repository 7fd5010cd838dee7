"""Printing decklists in the forms of other programs, with a report of what each form loses.

`FORMS` has a row for each form. What it loses is found by reading the text back.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from tourney.decks.decklist import Decklist, Line
from tourney.decks.reading import read_all
from tourney.decks.reading.canonical import SCHEMA
from tourney.decks.reading.names import NUMBER, SET
from tourney.decks.reading.vocabulary import GENERAL, general_kind, read_header
from tourney.errors import TourneyError
from tourney.spreadsheet import format_csv

__all__ = ["FORMS", "Form", "write"]


# -- forms that are read line by line


_ABOUT = {
    "author": "Author",
    "description": "Description",
    "source": "Source",
    "date": "Date",
    "event": "Event",
}


def plain(deck: Decklist) -> str:
    """Print the plain text form: everything the lines know, in marks that the reader removes."""
    return _lines(_plain_lines(deck))


def _plain_lines(deck: Decklist) -> Iterator[str]:
    head = {"Deck Name": deck.name, "Player": deck.player, "Format": deck.format}
    yield from (f"{key}: {value}" for key, value in head.items() if value)
    yield from (f"{_ABOUT[key]}: {value}" for key, value in deck.about if key in _ABOUT)
    for zone, lines in _by_zone(deck):
        yield ""
        if zone is not None:
            yield _zone_header(zone, _total(lines))
        for group, members in _by_group(lines):
            if group is not None:
                yield from ("", f"{group} ({_total(members)})")
            yield from (_plain_line(line) for line in members)
    yield ""
    yield from (f"// {value}" for key, value in deck.about if key == "comment")


def _zone_header(zone: str, cards: int) -> str:
    """Print `Arsenal (60)`, with brackets around words that are not known as a zone."""
    header = read_header(f"{zone} ({cards})", GENERAL)
    is_zone = header is not None and header.zone and header.words == zone
    return f"{zone} ({cards})" if is_zone else f"[{zone}]"


def _plain_line(line: Line) -> str:
    """Print `4 Name (SET) 12 *F* {type=efreet}`.

    Marks with letters that the short forms do not allow are put into braces: `{set=Long Name, number=12}`.
    """
    mark, facts = _print_mark(line)
    if line.code and line.code != line.name:
        facts["code"] = line.code
    facts |= line.facts
    braces = "{" + ", ".join(f"{key}={value}" for key, value in facts.items()) + "}" if facts else ""
    return " ".join(part for part in (str(line.count), line.name, mark, *line.marks, braces) if part)


def _print_mark(line: Line) -> tuple[str, dict[str, str]]:
    code, number = line.printing.set, line.printing.number
    short_set = code is None or SET.fullmatch(code) is not None
    short_number = number is None or NUMBER.fullmatch(number) is not None
    if code and number and short_set and short_number:
        return f"({code}) {number}", {}
    if code and number is None and short_set and code.upper() == code:
        return f"[{code}]", {}
    if number and code is None and short_number:
        return f"<{number}>", {}
    return "", {key: value for key, value in (("set", code), ("number", number)) if value}


def arena(deck: Decklist) -> str:
    """Print the form of Arena: `4 Name (SET) 12` under Commander, Deck and Sideboard."""
    headers = {"leader": "Commander", "companion": "Companion", "main": "Deck", "side": "Sideboard"}
    blocks: dict[str, list[str]] = {header: [] for header in headers.values()}
    for zone, lines in _counted(deck):
        printed = [_arena_line(line) for line in lines]
        blocks[headers.get(_kind_of(zone), "Deck")].extend(printed)
    about = ["About", f"Name {deck.name}", ""] if deck.name else []
    parts = [[header, *lines, ""] for header, lines in blocks.items() if lines]
    return _lines(iter([*about, *(line for part in parts for line in part)]))


def _arena_line(line: Line) -> str:
    mark, _ = _print_mark(line)
    return " ".join(
        part for part in (str(line.count), line.name, mark if mark.startswith("(") else "") if part
    )


def mtgo(deck: Decklist) -> str:
    """Print the form of Magic Online: `4 Name`, then the sideboard under its header."""
    return _two_parts(deck, lambda line: f"{line.count} {line.name}")


def _two_parts(deck: Decklist, print_line: Callable[[Line], str]) -> str:
    main: list[str] = []
    side: list[str] = []
    for zone, lines in _counted(deck):
        (side if _kind_of(zone) == "side" else main).extend(map(print_line, lines))
    return _lines(iter([*main, "", "SIDEBOARD:", *side] if side else main))


def workstation(deck: Decklist) -> str:
    """Print the form of Magic Workstation and Apprentice: `4 [SET] Name`, `SB:  4 [SET] Name`."""
    head = {"NAME": deck.name, "CREATOR": dict(deck.about).get("author"), "FORMAT": deck.format}
    lines = [f"// {key} : {value}" for key, value in head.items() if value]
    for zone, members in _counted(deck):
        prefix = "SB:  " if _kind_of(zone) == "side" else "        "
        for line in members:
            code = _set_code(line)
            lines.append(f"{prefix}{line.count} " + (f"[{code}] " if code else "") + line.name)
    return _lines(iter(lines))


def tappedout(deck: Decklist) -> str:
    """Print `4x Name (SET) *F*`, the leader with `*CMDR*`, the sideboard with `SB:`.

    Parentheses at the end are a set only if several lines have them and a mark shows whose form this is.
    Otherwise they would be read as part of the name, so they are left out.
    """
    zones = [(_kind_of(zone), line) for zone, lines in _counted(deck) for line in lines]
    marked = any(kind in ("leader", "side") or line.marks for kind, line in zones)
    like_sets = any(re.search(r"\([A-Z0-9_]{2,8}\)$", line.name) for _, line in zones)
    sets = (
        marked and not like_sets and sum(1 for kind, line in zones if kind != "side" and _set_code(line)) > 1
    )
    return _lines(iter([_tappedout_line(line, kind, sets=sets) for kind, line in zones]))


def _tappedout_line(line: Line, kind: str, *, sets: bool) -> str:
    code = _set_code(line) if sets else None
    parts = (
        "SB:" if kind == "side" else "",
        f"{line.count}x {line.name}",
        f"({code})" if code and len(code) > 1 else "",
        *(mark for mark in line.marks if mark.startswith("*") and mark != "*CMDR*"),
        "*CMDR*" if kind == "leader" else "",
    )
    return " ".join(part for part in parts if part)


def forge(deck: Decklist) -> str:
    """Print Forge's `.dck`: sections in brackets, `4 Name|SET|12`."""
    names = {
        "leader": "Commander",
        "main": "Main",
        "side": "Sideboard",
        "planes": "Planes",
        "schemes": "Schemes",
    }
    lines = ["[metadata]", f"Name={deck.name}"] if deck.name else ["[metadata]"]
    for header, members in _merged(deck, names, "Main").items():
        lines.append(f"[{header}]")
        for line in members:
            foil = "+" if "*F*" in line.marks and _set_code(line) else ""
            marks = [_set_code(line), line.printing.number] if _set_code(line) else []
            lines.append("|".join([f"{line.count} {line.name}{foil}", *(mark for mark in marks if mark)]))
    return _lines(iter(lines))


def xmage(deck: Decklist) -> str:
    """Print XMage's `.dck`: `4 [SET:12] Name`, the sideboard with `SB:`."""
    lines = [f"NAME:{deck.name}"] if deck.name else []
    for zone, members in _counted(deck):
        prefix = "SB: " if _kind_of(zone) == "side" else ""
        for line in members:
            code, number = _set_code(line), line.printing.number
            mark = f"[{code}:{number}] " if code and number else ""
            lines.append(f"{prefix}{line.count} {mark}{line.name}")
    return _lines(iter(lines))


def lackey(deck: Decklist) -> str:
    """Print LackeyCCG's `.txt`: count, name and set between tabs, zones with a colon."""
    lines: list[str] = []
    for zone, members in _by_zone(deck):
        if zone is not None:
            lines.append(f"{zone}:")
        lines.extend(
            "\t".join(filter(None, (str(line.count), line.name, _set_code(line)))) for line in members
        )
    return _lines(iter(lines))


def markdown(deck: Decklist) -> str:
    """Print a Markdown list: the title as a heading, zones below it, one bullet a line."""
    lines = [f"# {deck.name}", ""] if deck.name else []
    lines += [f"{key}: {value}" for key, value in (("Player", deck.player), ("Format", deck.format)) if value]
    for zone, members in _by_zone(deck):
        lines += ["", f"## {zone} ({_total(members)})", ""] if zone is not None else [""]
        lines.extend(f"* {_plain_line(line)}" for line in members)
    return _lines(iter(lines))


def _counted(deck: Decklist) -> Iterator[tuple[str | None, list[Line]]]:
    """Return the zones that count, as these forms have no place for a maybeboard."""
    return ((zone, lines) for zone, lines in _by_zone(deck) if _kind_of(zone) not in ("maybe", "tokens"))


def _merged(deck: Decklist, names: Mapping[str, str], default: str) -> dict[str, list[Line]]:
    merged: dict[str, list[Line]] = {}
    for zone, lines in _counted(deck):
        merged.setdefault(names.get(_kind_of(zone), default), []).extend(lines)
    return dict(sorted(merged.items(), key=lambda part: list(names.values()).index(part[0])))


def _lines(lines: Iterator[str]) -> str:
    """Join the lines, without blank ones at either end or two in a row."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept) + "\n" if kept else ""


# -- the lines of a deck by zone


def _by_zone(deck: Decklist) -> Iterator[tuple[str | None, list[Line]]]:
    """Return each zone's words with its lines, first the lines without a header."""
    order = {line.zone: place for place, line in reversed(list(enumerate(deck.lines)))} | {None: -1}
    lines = sorted(deck.lines, key=lambda line: order[line.zone])
    for zone, members in groupby(lines, key=lambda line: line.zone):
        yield zone, list(members)
    aside = sorted(deck.aside, key=lambda line: line.zone or "")
    for zone, members in groupby(aside, key=lambda line: line.zone):
        yield (zone if general_kind(zone or "") in ("maybe", "tokens") else "Maybeboard"), list(members)


def _by_group(lines: Iterable[Line]) -> Iterator[tuple[str | None, list[Line]]]:
    """Return each group's words with its lines, first the lines without a group."""
    listed = list(lines)
    order = {line.group: place for place, line in reversed(list(enumerate(listed)))} | {None: -1}
    for group, members in groupby(
        sorted(listed, key=lambda line: order[line.group]), key=lambda line: line.group
    ):
        yield group, list(members)


def _kind_of(zone: str | None) -> str:
    """Return the general kind of a zone's words; `main` if they have none."""
    return general_kind(zone or "") or "main"


def _set_code(line: Line) -> str | None:
    """Return the set's code in capitals; None without one or if no mark allows its letters."""
    code = line.printing.set
    return code.upper() if code and SET.fullmatch(code) else None


def _total(lines: Iterable[Line]) -> int:
    """Return the number of cards on these lines."""
    return sum(line.count for line in lines)


def _code_of(line: Line) -> str | None:
    """Return the card's number: its code, or a name of digits; None without one."""
    code = line.code or line.name
    return code if code.isdecimal() and code.isascii() and len(code) <= 10 else None


# -- forms for programs: TOML, JSON, CSV, XML, passcodes


def toml(deck: Decklist) -> str:
    """Print the canonical form: everything a decklist knows, one card on a line."""
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
    """Return the key `counts` of a zone, if its name does not say whether it counts."""
    by_name = zone is None or not GENERAL.is_outside(zone)
    if not counts:
        return ["counts = false"]
    return [] if by_name else ["counts = true"]


def _value(value: object) -> str:
    """Print a value on one line; `tomli_w` would give each card a table of its own."""
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
        {"name": zone or "Main", "cards": [_entry(line) for line in lines]} for zone, lines in _by_zone(deck)
    ]
    table = {key: value for key, value in _head(deck) if value} | {"zones": zones}
    return json.dumps(table, ensure_ascii=False, indent=1) + "\n"


def as_csv(deck: Decklist) -> str:
    """Print a table with a header line: count, name, set, number, zone, code, finish and group."""
    header = ("Count", "Name", "Set Code", "Collector Number", "Zone", "Card ID", "Foil", "Category")
    rows = []
    for zone, lines in _by_zone(deck):
        for line in lines:
            foil = "foil" if "*F*" in line.marks else ""
            mark = line.printing
            rows.append((line.count, line.name, mark.set, mark.number, zone, line.code, foil, line.group))
    return format_csv(header, rows)


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
    for zone, members in _by_zone(deck):
        merged.setdefault(names.get(_kind_of(zone), "main"), []).extend(members)
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
    for zone, members in _by_zone(deck):
        lines.append(f"  <section {_attributes([('name', zone or 'Main'), ('shared', 'False')])}>")
        for line in members:
            attributes = _attributes([("qty", str(line.count)), ("id", line.code)])
            lines.append(f"    <card {attributes}>{_xml(line.name)}</card>")
        lines.append("  </section>")
    return "\n".join([*lines, "</deck>", ""])


def mtgo_xml(deck: Decklist) -> str:
    """Print Magic Online's `.dek`: one element a line, the sideboard by an attribute."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<Deck>"]
    for zone, members in _by_zone(deck):
        if _kind_of(zone) in ("maybe", "tokens"):
            continue
        side = "true" if _kind_of(zone) == "side" else "false"
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
    """Remove what XML does not allow: control characters and half surrogates."""
    return "".join(
        letter
        for letter in words
        if letter >= " " and not "\ud800" <= letter <= "\udfff" and letter not in "\ufffe\uffff"
    )


def _passcodes(deck: Decklist) -> dict[str, list[str]]:
    """Return the passcodes of main, extra and side deck, one for each copy."""
    zones: dict[str, list[str]] = {"main": [], "extra": [], "side": []}
    for zone, lines in _by_zone(deck):
        kind = _kind_of(zone)
        if kind in ("maybe", "tokens"):
            continue
        for line in lines:
            code = _code_of(line)
            if code is not None and int(code) < 2**32:
                zones[kind if kind in zones else "main"].extend([code] * line.count)
    if not any(zones.values()):
        raise TourneyError(
            f"{deck.source}: no card of this list has a passcode, which is all this form holds",
            "convert it to `text` or `toml`",
        )
    return zones


def ydk(deck: Decklist) -> str:
    """Print `.ydk`: one passcode on a line."""
    zones = _passcodes(deck)
    return "\n".join(["#main", *zones["main"], "#extra", *zones["extra"], "!side", *zones["side"], ""])


def ydke(deck: Decklist) -> str:
    """Print a `ydke://` link: the passcodes of main, extra and side deck as base64."""
    packed = (
        b"".join(int(code).to_bytes(4, "little") for code in codes) for codes in _passcodes(deck).values()
    )
    return "ydke://" + "".join(base64.b64encode(part).decode("ascii") + "!" for part in packed) + "\n"


# -- the table of forms


@dataclass(frozen=True, slots=True)
class Form:
    """A text form: its description in one line, the usual suffix of its files, and its printer.

    by_code: it has codes and no names
    """

    summary: str
    suffix: str
    write: Callable[[Decklist], str]
    by_code: bool = False


FORMS: Mapping[str, Form] = MappingProxyType({
    "text": Form("plain text, `4 Name (SET) 12 *F*` under headers with their counts", ".txt", plain),
    "toml": Form("the canonical form: everything a list knows, nothing to guess", ".toml", toml),
    "markdown": Form("a Markdown list with headings", ".md", markdown),
    "csv": Form("a table with a header line", ".csv", as_csv),
    "json": Form("zones with their cards", ".json", as_json),
    "arena": Form("what Magic Arena imports", ".txt", arena),
    "mtgo": Form("what Magic Online imports as text", ".txt", mtgo),
    "dek": Form("Magic Online's XML", ".dek", mtgo_xml),
    "cod": Form("Cockatrice's XML", ".cod", cockatrice),
    "o8d": Form("OCTGN's XML", ".o8d", octgn),
    "mwdeck": Form("Magic Workstation and Apprentice", ".mwDeck", workstation),
    "tappedout": Form("`4x Name (SET)`, `SB: 2x Name`", ".txt", tappedout),
    "forge": Form("Forge's sections, `4 Name|SET|12`", ".dck", forge),
    "xmage": Form("XMage's `4 [SET:12] Name`", ".dck", xmage),
    "lackey": Form("LackeyCCG's tabs", ".txt", lackey),
    "ydk": Form("passcodes, one a line", ".ydk", ydk, by_code=True),
    "ydke": Form("passcodes in a link", ".txt", ydke, by_code=True),
})  # fmt: skip
"""The forms that can be written. Each can be read, too."""


def write(deck: Decklist, form: str) -> tuple[str, tuple[str, ...]]:
    """Print a deck in one of `FORMS`, and return the text and a sentence for each loss.

    The text is read back, and every difference is a loss. Raises TourneyError for an unknown form, and for
    one that allows no card of this deck.
    """
    row = FORMS.get(form)
    if row is None:
        raise TourneyError(f"there is no form `{form}`", f"the forms are {', '.join(FORMS)}")
    text = row.write(deck)
    return text, _lost(deck, text, row)


def _lost(deck: Decklist, text: str, form: Form) -> tuple[str, ...]:
    try:
        first, *more = read_all(text, source=deck.source)
    except TourneyError as fault:
        return (f"the text would not be read back: {fault.message}",)
    if more:
        return (f"the text would be read back as {len(more) + 1} decks",)
    return _losses(deck, first, by_code=form.by_code)


# -- losses, found by reading the text back


_SHOWN = 5


def _losses(before: Decklist, after: Decklist, *, by_code: bool = False) -> tuple[str, ...]:
    """Return the differences between a deck and its printed text, a sentence for each kind.

    by_code: the form has codes only, so cards with the same code are the same
    """
    name = _code if by_code else _name
    return tuple(
        sentence
        for part in (
            _head_losses(before, after),
            _cards("card", name, before.lines, after.lines),
            _cards("card that does not count", name, before.aside, after.aside),
            _names(before) if by_code else iter(()),
            _details(before, after, name, codes_told=by_code),
            _about(before, after),
        )
        for sentence in part
    )


def _name(line: Line) -> str:
    return line.name


def _code(line: Line) -> str:
    return line.code or line.name


def _head_losses(before: Decklist, after: Decklist) -> Iterator[str]:
    for what, old, new in (
        ("the title", before.name, after.name),
        ("the player", before.player, after.player),
        ("the format", before.format, after.format),
    ):
        if old != new:
            yield f"{what}: `{old or ''}`" + (f" would be read as `{new}`" if new else "")


def _cards(
    what: str, name: Callable[[Line], str], before: tuple[Line, ...], after: tuple[Line, ...]
) -> Iterator[str]:
    old, new = _counter(before, name), _counter(after, name)
    lost, new_cards = old - new, new - old
    if lost:
        yield f"{_number(lost, what)}: {_some(lost)}"
    if new_cards:
        yield f"{_number(new_cards, what)} would be read that {'is' if new_cards.total() == 1 else 'are'} not there: {_some(new_cards)}"


def _counter(lines: tuple[Line, ...], key: Callable[[Line], str]) -> Counter[str]:
    counter: Counter[str] = Counter()
    for line in lines:
        counter[key(line)] += line.count
    return counter


def _names(before: Decklist) -> Iterator[str]:
    named = sum(1 for line in before.lines if line.name != _code(line))
    if named:
        yield f"the names on {_number_of_lines(named)}: only codes are written"


def _details(
    before: Decklist, after: Decklist, name: Callable[[Line], str], *, codes_told: bool
) -> Iterator[str]:
    """Compare what is beside name and count on the lines of cards that were not lost."""
    kept = _counter(after.lines, name)
    lines = tuple(line for line in before.lines if kept[name(line)])
    details: tuple[tuple[str, Callable[[Line], str]], ...] = (
        ("the zone", _zone),
        ("the group", lambda line: line.group or ""),
        (
            "the printing",
            lambda line: f"{(line.printing.set or '').upper()} {line.printing.number or ''}".strip(),
        ),
        ("the code", lambda line: "" if codes_told or line.code == line.name else line.code or ""),
        (
            "the declared facts",
            lambda line: ", ".join(f"{key}={value}" for key, value in sorted(line.facts.items())),
        ),
        ("the marks", lambda line: " ".join(sorted(line.marks))),
        ("the remark", lambda line: line.comment),
    )
    for what, detail in details:
        yield from _detail(what, detail, name, lines, after.lines)


def _zone(line: Line) -> str:
    """Return the zone by its kind if it has one: `SB` and `Sideboard` are the same zone."""
    kind = general_kind(line.zone or "main")
    return "" if kind == "main" else kind or line.zone or ""


def _detail(
    what: str,
    detail: Callable[[Line], str],
    name: Callable[[Line], str],
    before: tuple[Line, ...],
    after: tuple[Line, ...],
) -> Iterator[str]:
    old = Counter[tuple[str, str]]()
    for line in before:
        old[name(line), detail(line)] += line.count
    for line in after:
        old[name(line), detail(line)] -= line.count
    gone = {key: count for key, count in old.items() if count > 0}
    if gone:
        values = Counter({value or "none": 0 for _, value in gone})
        shown = ", ".join(f"`{value}`" for value in list(values)[:_SHOWN]) + (
            " …" if len(values) > _SHOWN else ""
        )
        yield f"{what} on {_number_of_lines(len(gone))}: {shown}"


def _about(before: Decklist, after: Decklist) -> Iterator[str]:
    lost = Counter(before.about) - Counter(after.about)
    if lost:
        keys = sorted({key for key, _ in lost})
        yield f"what the list says about itself: {', '.join(keys)}"


def _number_of_lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


def _number(cards: Counter[str], what: str) -> str:
    total = cards.total()
    first, _, rest = what.partition(" ")
    verb = rest.replace("does", "do") if total != 1 else rest
    return f"{total} {first}{'' if total == 1 else 's'}{' ' + verb if verb else ''}"


def _some(cards: Counter[str]) -> str:
    names = [f"`{name}`" + (f" ×{count}" if count > 1 else "") for name, count in cards.items()]
    return ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
