"""The forms that are read line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby

from tourney.decks.decklist import Decklist, Line
from tourney.decks.reading.headers import GENERAL, general_kind, read_header
from tourney.decks.reading.names import NUMBER, SET

_ABOUT = {
    "author": "Author",
    "description": "Description",
    "source": "Source",
    "date": "Date",
    "event": "Event",
}


def plain(deck: Decklist) -> str:
    """Print the plain text form: everything the lines know, in marks that the reader takes off again."""
    return _lines(_plain_lines(deck))


def _plain_lines(deck: Decklist) -> Iterator[str]:
    head = {"Deck Name": deck.name, "Player": deck.player, "Format": deck.format}
    yield from (f"{key}: {value}" for key, value in head.items() if value)
    yield from (f"{_ABOUT[key]}: {value}" for key, value in deck.about if key in _ABOUT)
    for zone, lines in by_zone(deck):
        yield ""
        if zone is not None:
            yield _zone_header(zone, total(lines))
        for group, members in _by_group(lines):
            if group is not None:
                yield from ("", f"{group} ({total(members)})")
            yield from (_plain_line(line) for line in members)
    yield ""
    yield from (f"// {value}" for key, value in deck.about if key == "comment")


def _zone_header(zone: str, cards: int) -> str:
    """Print `Arsenal (60)`; words that nobody knows as a zone stand in brackets, which always begin one."""
    header = read_header(f"{zone} ({cards})", GENERAL)
    is_zone = header is not None and header.zone and header.words == zone
    return f"{zone} ({cards})" if is_zone else f"[{zone}]"


def _plain_line(line: Line) -> str:
    """Print `4 Name (SET) 12 *F* {type=efreet}`.

    A mark whose letters the short forms cannot hold goes into the braces: `{set=Long Name, number=12}`.
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
    """Print what the Arena client takes: `4 Name (SET) 12` under Commander, Companion, Deck and Sideboard."""
    headers = {"leader": "Commander", "companion": "Companion", "main": "Deck", "side": "Sideboard"}
    blocks: dict[str, list[str]] = {header: [] for header in headers.values()}
    for zone, lines in _counted(deck):
        printed = [_arena_line(line) for line in lines]
        blocks[headers.get(kind_of(zone), "Deck")].extend(printed)
    about = ["About", f"Name {deck.name}", ""] if deck.name else []
    parts = [[header, *lines, ""] for header, lines in blocks.items() if lines]
    return _lines(iter([*about, *(line for part in parts for line in part)]))


def _arena_line(line: Line) -> str:
    mark, _ = _print_mark(line)
    return " ".join(
        part for part in (str(line.count), line.name, mark if mark.startswith("(") else "") if part
    )


def mtgo(deck: Decklist) -> str:
    """Print what Magic Online takes: `4 Name`, then the sideboard under its header."""
    return _two_parts(deck, lambda line: f"{line.count} {line.name}")


def _two_parts(deck: Decklist, print_line: Callable[[Line], str]) -> str:
    main: list[str] = []
    side: list[str] = []
    for zone, lines in _counted(deck):
        (side if kind_of(zone) == "side" else main).extend(map(print_line, lines))
    return _lines(iter([*main, "", "SIDEBOARD:", *side] if side else main))


def workstation(deck: Decklist) -> str:
    """Print Magic Workstation's and Apprentice's form: `4 [SET] Name`, `SB:  4 [SET] Name`."""
    head = {"NAME": deck.name, "CREATOR": dict(deck.about).get("author"), "FORMAT": deck.format}
    lines = [f"// {key} : {value}" for key, value in head.items() if value]
    for zone, members in _counted(deck):
        prefix = "SB:  " if kind_of(zone) == "side" else "        "
        for line in members:
            code = _set_code(line)
            lines.append(f"{prefix}{line.count} " + (f"[{code}] " if code else "") + line.name)
    return _lines(iter(lines))


def tappedout(deck: Decklist) -> str:
    """Print `4x Name (SET) *F*`, the leader with `*CMDR*`, the sideboard with `SB:`.

    A lone parenthesis is known for a set only where several lines have one and a mark tells whose form this is;
    else it would be read as part of the name, and is left out.
    """
    zones = [(kind_of(zone), line) for zone, lines in _counted(deck) for line in lines]
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
        prefix = "SB: " if kind_of(zone) == "side" else ""
        for line in members:
            code, number = _set_code(line), line.printing.number
            mark = f"[{code}:{number}] " if code and number else ""
            lines.append(f"{prefix}{line.count} {mark}{line.name}")
    return _lines(iter(lines))


def lackey(deck: Decklist) -> str:
    """Print LackeyCCG's `.txt`: count, name and set between tabs, zones with a colon."""
    lines: list[str] = []
    for zone, members in by_zone(deck):
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
    for zone, members in by_zone(deck):
        lines += ["", f"## {zone} ({total(members)})", ""] if zone is not None else [""]
        lines.extend(f"* {_plain_line(line)}" for line in members)
    return _lines(iter(lines))


def _counted(deck: Decklist) -> Iterator[tuple[str | None, list[Line]]]:
    """Give the zones that count: these forms have no place for a maybeboard."""
    return ((zone, lines) for zone, lines in by_zone(deck) if kind_of(zone) not in ("maybe", "tokens"))


def _merged(deck: Decklist, names: Mapping[str, str], default: str) -> dict[str, list[Line]]:
    merged: dict[str, list[Line]] = {}
    for zone, lines in _counted(deck):
        merged.setdefault(names.get(kind_of(zone), default), []).extend(lines)
    return dict(sorted(merged.items(), key=lambda part: list(names.values()).index(part[0])))


def _lines(lines: Iterator[str]) -> str:
    """Join the lines, without blank ones at the beginning, at the end or two in a row."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept) + "\n" if kept else ""


# -- The lines of a deck by zone, as the forms print them


def by_zone(deck: Decklist) -> Iterator[tuple[str | None, list[Line]]]:
    """Give each zone's words with its lines: what stands under no header first, then in the order of the list."""
    order = {line.zone: place for place, line in reversed(list(enumerate(deck.lines)))} | {None: -1}
    lines = sorted(deck.lines, key=lambda line: order[line.zone])
    for zone, members in groupby(lines, key=lambda line: line.zone):
        yield zone, list(members)
    aside = sorted(deck.aside, key=lambda line: line.zone or "")
    for zone, members in groupby(aside, key=lambda line: line.zone):
        yield (zone if general_kind(zone or "") in ("maybe", "tokens") else "Maybeboard"), list(members)


def _by_group(lines: Iterable[Line]) -> Iterator[tuple[str | None, list[Line]]]:
    """Give each group's words with its lines: what stands in no group first."""
    listed = list(lines)
    order = {line.group: place for place, line in reversed(list(enumerate(listed)))} | {None: -1}
    for group, members in groupby(
        sorted(listed, key=lambda line: order[line.group]), key=lambda line: line.group
    ):
        yield group, list(members)


def kind_of(zone: str | None) -> str:
    """Give the general kind of a zone's words, `main` where they mean none."""
    return general_kind(zone or "") or "main"


def _set_code(line: Line) -> str | None:
    """Give the set's code in capitals, None where the line has none or one that no mark can hold."""
    code = line.printing.set
    return code.upper() if code and SET.fullmatch(code) else None


def total(lines: Iterable[Line]) -> int:
    """Give the cards of these lines."""
    return sum(line.count for line in lines)


def code_of(line: Line) -> str | None:
    """Give the card's number where the line has one: its code, or a name that is nothing but digits."""
    code = line.code or line.name
    return code if code.isdecimal() and code.isascii() and len(code) <= 10 else None
