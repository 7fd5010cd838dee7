"""Prints decklists in the forms of other programs, and reports what each form loses.

`FORMS` has the printer of each form. What a form loses is found by reading the text back.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from tourney.decks.decklist import Decklist, Line
from tourney.decks.reading import read_all
from tourney.decks.reading.names import NUMBER, SET
from tourney.decks.reading.toml_form import SCHEMA
from tourney.decks.reading.vocabulary import GENERAL, general_kind, read_header
from tourney.errors import TourneyError
from tourney.spreadsheet import format_csv
from tourney.wording import counted

# -- the lines of a deck by zone


def _group_by_zone(deck: Decklist) -> Iterator[tuple[str | None, str, list[Line]]]:
    """Yield for each zone its header, its general kind (such as `side`), and its lines.

    The kind is `main` if the header is missing or unknown. Lines without a header come first. Lines whose
    cards never count come last. If the header of these lines means a maybeboard or tokens, they keep it;
    otherwise they get the header `Maybeboard`.
    """
    for zone, lines in _group_by_header(deck.lines, lambda line: line.zone):
        yield zone, general_kind(zone or "") or "main", lines
    aside = sorted(deck.aside, key=lambda line: line.zone or "")
    for zone, members in groupby(aside, key=lambda line: line.zone):
        kind = general_kind(zone or "")
        words, kind = (zone, kind) if kind in _NEVER_COUNTED else ("Maybeboard", "maybe")
        yield words, kind, list(members)


_NEVER_COUNTED = ("maybe", "tokens")


def _deck_lines(deck: Decklist) -> Iterator[tuple[str, Line]]:
    """Yield each line that is part of the deck, with the kind of its zone (`main`, `side` …)."""
    for _, kind, lines in _group_by_zone(deck):
        if kind not in _NEVER_COUNTED:
            yield from ((kind, line) for line in lines)


def _group_by_header(
    lines: Iterable[Line], header: Callable[[Line], str | None]
) -> Iterator[tuple[str | None, list[Line]]]:
    """Yield each header with its lines; lines without a header come first."""
    groups: dict[str | None, list[Line]] = {None: []}
    for line in lines:
        groups.setdefault(header(line), []).append(line)
    return ((words, members) for words, members in groups.items() if members)


def _sections(deck: Decklist, headers: Mapping[str, str], default: str) -> Iterator[tuple[str, list[Line]]]:
    """Yield the section headers of a list form, in the order of `headers`, each with its lines."""
    sections: dict[str, list[Line]] = {header: [] for header in headers.values()}
    for kind, line in _deck_lines(deck):
        sections[headers.get(kind, default)].append(line)
    return ((header, lines) for header, lines in sections.items() if lines)


def _total(lines: Iterable[Line]) -> int:
    """Return the number of cards on these lines."""
    return sum(line.count for line in lines)


def _set_code(line: Line) -> str | None:
    """Return the code of the line's set in capitals; None if the line has no code.

    Also returns None for a code that is not 1 to 8 letters (A to Z), digits or `_`.
    """
    code = line.printing.set
    return code.upper() if code and SET.fullmatch(code) else None


def _text(lines: Iterable[str]) -> str:
    """Join the lines; drop blank lines at either end and merge blank lines in a row."""
    kept_lines: list[str] = []
    for line in lines:
        if line or (kept_lines and kept_lines[-1]):
            kept_lines.append(line)
    while kept_lines and not kept_lines[-1]:
        kept_lines.pop()
    return "\n".join(kept_lines) + "\n" if kept_lines else ""


def _words(*words: str | None) -> str:
    """Join the words that are not empty."""
    return " ".join(word for word in words if word)


# -- forms that are read line by line


_ABOUT = ("author", "description", "source", "date", "event")


def plain(deck: Decklist) -> str:
    """Return plain text with all details of the lines, so that `read_decks` can read them back."""
    return _text(_plain_lines(deck))


def _plain_lines(deck: Decklist) -> Iterator[str]:
    head = {"Deck Name": deck.name, "Player": deck.player, "Format": deck.format}
    yield from (f"{key}: {value}" for key, value in head.items() if value)
    yield from (f"{key.capitalize()}: {value}" for key, value in deck.about if key in _ABOUT)
    for zone, _, lines in _group_by_zone(deck):
        yield ""
        if zone is not None:
            yield _zone_header(zone, _total(lines))
        for group, members in _group_by_header(lines, lambda line: line.group):
            if group is not None:
                yield from ("", f"{group} ({_total(members)})")
            yield from map(_plain_line, members)
    yield ""
    yield from (f"// {value}" for key, value in deck.about if key == "comment")


def _zone_header(zone: str, cards: int) -> str:
    """Return a zone's header: `Arsenal (60)`, or `[Arsenal]` if it is not a known header."""
    header = read_header(f"{zone} ({cards})", GENERAL)
    is_zone = header is not None and header.is_zone and header.words == zone
    return f"{zone} ({cards})" if is_zone else f"[{zone}]"


def _plain_line(line: Line) -> str:
    """Return a line of a deck as plain text: `4 Name (SET) 12 *F* {type=efreet}`.

    If the set or the number does not fit the forms `(SET) 12`, `[SET]` and `<12>`, braces contain them:
    `{set=Long Name, number=12}`.
    """
    mark, facts = _print_mark(line)
    if line.code and line.code != line.name:
        facts["code"] = line.code
    facts |= line.facts
    braces = "{" + ", ".join(f"{key}={value}" for key, value in facts.items()) + "}" if facts else ""
    return _words(str(line.count), line.name, mark, *line.marks, braces)


def _print_mark(line: Line) -> tuple[str, dict[str, str]]:
    """Return a printing as a short mark, such as `(SET) 12`, or as `set` and `number` facts.

    Returns (mark, facts). If the set or the number does not fit a short mark, the mark is empty; otherwise
    the facts are empty. Both are empty for a line without a printing.
    """
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


def markdown(deck: Decklist) -> str:
    """Return a deck as a Markdown list: zones as headings, a bullet for each line."""
    lines = [f"# {deck.name}", ""] if deck.name else []
    lines += [f"{key}: {value}" for key, value in (("Player", deck.player), ("Format", deck.format)) if value]
    for zone, _, members in _group_by_zone(deck):
        lines += ["", f"## {zone} ({_total(members)})", ""] if zone is not None else [""]
        lines += [f"* {_plain_line(line)}" for line in members]
    return _text(lines)


def arena(deck: Decklist) -> str:
    """Return a deck as Arena writes it: `4 Name (SET) 12` under Commander, Deck and Sideboard."""
    headers = {"leader": "Commander", "companion": "Companion", "main": "Deck", "side": "Sideboard"}
    lines = ["About", f"Name {deck.name}", ""] if deck.name else []
    for header, members in _sections(deck, headers, "Deck"):
        lines.append(header)
        for line in members:
            mark, _ = _print_mark(line)
            lines.append(_words(str(line.count), line.name, mark if mark.startswith("(") else ""))
        lines.append("")
    return _text(lines)


def mtgo(deck: Decklist) -> str:
    """Return a deck as Magic Online writes it: `4 Name`, then the sideboard under its header."""
    lines: list[str] = []
    for header, members in _sections(deck, {"main": "", "side": "SIDEBOARD:"}, ""):
        lines += ["", header, *(f"{line.count} {line.name}" for line in members)]
    return _text(lines)


def workstation(deck: Decklist) -> str:
    """Return a deck for Magic Workstation and Apprentice: `4 [SET] Name`, `SB:  4 [SET] Name`."""
    head = {"NAME": deck.name, "CREATOR": dict(deck.about).get("author"), "FORMAT": deck.format}
    lines = [f"// {key} : {value}" for key, value in head.items() if value]
    for kind, line in _deck_lines(deck):
        code = _set_code(line)
        prefix = "SB:  " if kind == "side" else "        "
        lines.append(prefix + _words(str(line.count), f"[{code}]" if code else "", line.name))
    return _text(lines)


def tappedout(deck: Decklist) -> str:
    """Return a deck for TappedOut: `4x Name (SET) *F*`.

    The leader has the mark `*CMDR*`, and lines of the sideboard begin with `SB:`. When this program reads
    such a text, it takes `(SET)` for a set only if several lines have one, and if a mark such as `*F*` shows
    that the text is from TappedOut. So sets are left out of all other decks, because they would be read as a
    part of the name. They are also left out if a card's own name ends like a set.
    """
    deck_lines = list(_deck_lines(deck))
    has_marks = any(kind in ("leader", "side") or _star_marks(line.marks) for kind, line in deck_lines)
    like_sets = any(re.search(r"\([A-Z0-9_]{2,8}\)$", line.name) for _, line in deck_lines)
    with_set = sum(1 for kind, line in deck_lines if kind != "side" and _set_code(line))
    has_sets = has_marks and not like_sets and with_set > 1
    lines = []
    for kind, line in deck_lines:
        code = _set_code(line) if has_sets else None
        prefix, set_mark = "SB:" if kind == "side" else "", f"({code})" if code and len(code) > 1 else ""
        leader = ["*CMDR*"] if kind == "leader" else []
        lines.append(
            _words(prefix, f"{line.count}x {line.name}", set_mark, *_star_marks(line.marks), *leader)
        )
    return _text(lines)


def _star_marks(marks: Iterable[str]) -> list[str]:
    """Return the marks that TappedOut has beside cards, such as `*F*`, without the leader's."""
    return [mark for mark in marks if mark.startswith("*") and mark != "*CMDR*"]


def forge(deck: Decklist) -> str:
    """Return a deck as Forge's `.dck`: sections in brackets, `4 Name|SET|12`."""
    headers = {"leader": "Commander", "main": "Main", "side": "Sideboard"}
    headers |= {"planes": "Planes", "schemes": "Schemes"}
    lines = ["[metadata]", f"Name={deck.name}"] if deck.name else ["[metadata]"]
    for header, members in _sections(deck, headers, "Main"):
        lines.append(f"[{header}]")
        for line in members:
            code = _set_code(line)
            foil = "+" if "*F*" in line.marks and code else ""
            marks = [code, line.printing.number] if code else []
            lines.append("|".join([f"{line.count} {line.name}{foil}", *filter(None, marks)]))
    return _text(lines)


def xmage(deck: Decklist) -> str:
    """Return a deck as XMage's `.dck`: `4 [SET:12] Name`, the sideboard with `SB:`."""
    lines = [f"NAME:{deck.name}"] if deck.name else []
    for kind, line in _deck_lines(deck):
        code, number = _set_code(line), line.printing.number
        mark = f"[{code}:{number}]" if code and number else ""
        lines.append(_words("SB:" if kind == "side" else "", str(line.count), mark, line.name))
    return _text(lines)


def lackey(deck: Decklist) -> str:
    """Return a deck as LackeyCCG's `.txt`: tabs between count, name and set; headers: `Deck:`."""
    lines: list[str] = []
    for zone, _, members in _group_by_zone(deck):
        lines += [] if zone is None else [f"{zone}:"]
        lines += ["\t".join(filter(None, (str(line.count), line.name, _set_code(line)))) for line in members]
    return _text(lines)


# -- forms for programs: TOML, JSON, CSV, XML, passcodes


def _head(deck: Decklist) -> dict[str, str]:
    head = {"name": deck.name, "player": deck.player, "format": deck.format}
    return {key: value for key, value in head.items() if value}


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


def toml(deck: Decklist) -> str:
    """Return a deck with all its details in the canonical form (TOML)."""
    lines = [f"{key} = {_value(value)}" for key, value in {"schema": SCHEMA, **_head(deck)}.items()]
    if deck.about:
        lines += ["about = [", *(f"    {_value(list(pair))}," for pair in deck.about), "]"]
    for is_in_deck, deck_lines in ((True, deck.lines), (False, deck.aside)):
        for zone, members in groupby(deck_lines, key=lambda line: line.zone):
            lines += ["", "[[zone]]", *([] if zone is None else [f"name = {_value(zone)}"])]
            if not is_in_deck:
                lines.append("counts = false")
            elif zone is not None and GENERAL.is_outside(zone):  # by its name it would not count
                lines.append("counts = true")
            lines += ["cards = [", *(f"    {_value(_entry(line))}," for line in members), "]"]
    return "\n".join([*lines, ""])


def _value(value: object) -> str:
    """Return a value on one line; `tomli_w` would give each card a table of its own."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, int):
        return str(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON's text escapes are TOML's


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def as_json(deck: Decklist) -> str:
    """Return a deck as JSON: zones, each with its cards."""
    zones = [
        {"name": zone or "Main", "cards": list(map(_entry, lines))} for zone, _, lines in _group_by_zone(deck)
    ]
    return json.dumps({**_head(deck), "zones": zones}, ensure_ascii=False, indent=1) + "\n"


def as_csv(deck: Decklist) -> str:
    """Return a deck as CSV: count, name, set, number, zone, code, finish and group."""
    header = ("Count", "Name", "Set Code", "Collector Number", "Zone", "Card ID", "Foil", "Category")
    rows = []
    for zone, _, lines in _group_by_zone(deck):
        for line in lines:
            foil = "foil" if "*F*" in line.marks else ""
            mark = line.printing
            rows.append((line.count, line.name, mark.set, mark.number, zone, line.code, foil, line.group))
    return format_csv(header, rows)


def cockatrice(deck: Decklist) -> str:
    """Return a deck as Cockatrice's `.cod`: zones `main`, `side` and `tokens`."""
    names = {"side": "side", "tokens": "tokens", "maybe": "maybeboard"}
    comments = "\n".join(value for key, value in deck.about if key in ("comment", "comments", "description"))
    zones: dict[str, list[str]] = {}
    for _, kind, lines in _group_by_zone(deck):
        zones.setdefault(names.get(kind, "main"), []).extend(
            "        <card "
            + _attributes(
                number=str(line.count),
                name=line.name,
                setShortName=line.printing.set,
                collectorNumber=line.printing.number,
                uuid=line.code,
            )
            + "/>"
            for line in lines
        )
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<cockatrice_deck version="1">',
        f"    <deckname>{_xml(deck.name or '')}</deckname>",
        f"    <comments>{_xml(comments)}</comments>",
        *(
            line
            for name, cards in zones.items()
            for line in (f'    <zone name="{name}">', *cards, "    </zone>")
        ),
        "</cockatrice_deck>",
        "",
    ])  # fmt: skip


def octgn(deck: Decklist) -> str:
    """Return a deck as OCTGN's `.o8d`: named sections, with each card's name as text."""
    lines = ['<?xml version="1.0" encoding="utf-8" standalone="yes"?>', "<deck>"]
    for zone, _, members in _group_by_zone(deck):
        lines.append(f"  <section {_attributes(name=zone or 'Main', shared='False')}>")
        lines += [
            f"    <card {_attributes(qty=str(line.count), id=line.code)}>{_xml(line.name)}</card>"
            for line in members
        ]
        lines.append("  </section>")
    return "\n".join([*lines, "</deck>", ""])


def mtgo_xml(deck: Decklist) -> str:
    """Return a deck as Magic Online's `.dek`. An attribute marks the sideboard."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<Deck>"]
    for kind, line in _deck_lines(deck):
        side = "true" if kind == "side" else "false"
        attributes = _attributes(CatID=line.code, Quantity=str(line.count), Sideboard=side, Name=line.name)
        lines.append(f"  <Cards {attributes} />")
    return "\n".join([*lines, "</Deck>", ""])


def _attributes(**values: str | None) -> str:
    return " ".join(f"{key}={quoteattr(_clean(value))}" for key, value in values.items() if value)


def _xml(words: str) -> str:
    return escape(_clean(words))


def _clean(words: str) -> str:
    """Remove control characters, and others that XML does not allow, such as lone surrogates."""
    return re.sub("[\x00-\x1f\ud800-\udfff\ufffe\uffff]", "", words)


def _passcodes(deck: Decklist) -> dict[str, list[str]]:
    """Return zone (`main`, `extra`, `side`) → the passcodes of its cards, one for each copy.

    Raises TourneyError if no card has a passcode.
    """
    zones: dict[str, list[str]] = {"main": [], "extra": [], "side": []}
    for kind, line in _deck_lines(deck):
        code = line.code or line.name
        if code.isdecimal() and code.isascii() and len(code) <= 10 and int(code) < 2**32:
            zones[kind if kind in zones else "main"].extend([code] * line.count)
    if not any(zones.values()):
        raise TourneyError(
            f"{deck.source}: this form contains only passcodes, but no card of this list has one",
            "convert it to `text` or `toml`",
        )
    return zones


def ydk(deck: Decklist) -> str:
    """Return a deck as `.ydk`: one passcode on each line."""
    zones = _passcodes(deck)
    return "\n".join(["#main", *zones["main"], "#extra", *zones["extra"], "!side", *zones["side"], ""])


def ydke(deck: Decklist) -> str:
    """Return a deck as a `ydke://` link: the passcodes of main, extra and side deck as base64."""
    zone_bytes = (
        b"".join(int(code).to_bytes(4, "little") for code in codes) for codes in _passcodes(deck).values()
    )
    return "ydke://" + "".join(base64.b64encode(part).decode("ascii") + "!" for part in zone_bytes) + "\n"


# -- the table of forms


FORMS: Mapping[str, Callable[[Decklist], str]] = MappingProxyType({
    "text": plain,
    "toml": toml,
    "markdown": markdown,
    "csv": as_csv,
    "json": as_json,
    "arena": arena,
    "mtgo": mtgo,
    "dek": mtgo_xml,
    "cod": cockatrice,
    "o8d": octgn,
    "mwdeck": workstation,
    "tappedout": tappedout,
    "forge": forge,
    "xmage": xmage,
    "lackey": lackey,
    "ydk": ydk,
    "ydke": ydke,
})  # fmt: skip
"""The forms that can be written. Each can be read, too."""

BY_CODE = frozenset({"ydk", "ydke"})
"""The forms that have codes but no names."""


def write(deck: Decklist, form: str) -> tuple[str, tuple[str, ...]]:
    """Return a deck as text in one of `FORMS`, and a sentence for each loss.

    Raises TourneyError for an unknown form, and for a form that cannot hold any card of this deck.
    """
    if form not in FORMS:
        raise TourneyError(f"unknown form `{form}`", f"the forms are {', '.join(FORMS)}")
    text = FORMS[form](deck)
    return text, losses(deck, text, by_code=form in BY_CODE)


# -- what a printed deck loses, found by reading the text back


_SHOWN = 5
"""The maximum number of names or values that a sentence lists."""


def losses(deck: Decklist, text: str, *, by_code: bool = False) -> tuple[str, ...]:
    """Return sentences that say what changes if a deck's printed text is read back.

    by_code: whether the printed text has codes instead of names, so that lines with the same code are the
             same card
    """
    try:
        after, *more = read_all(text, source=deck.source)
    except TourneyError as fault:
        return (f"the written text could not be read again: {fault.message}",)
    if more:
        return (f"the written text would be read as {len(more) + 1} decks",)
    name = _code if by_code else attrgetter("name")
    return (
        *_lost_head(deck, after),
        *_lost_cards("", _counts(deck.lines, name), _counts(after.lines, name)),
        *_lost_cards("not count", _counts(deck.aside, name), _counts(after.aside, name)),
        *(_lost_names(deck) if by_code else ()),
        *_lost_details(deck, after, name, by_code=by_code),
        *_lost_facts(deck, after),
    )


def _code(line: Line) -> str:
    return line.code or line.name


def _counts(lines: Iterable[Line], key: Callable[[Line], str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in lines:
        counts[key(line)] += line.count
    return counts


def _lost_head(before: Decklist, after: Decklist) -> Iterator[str]:
    for field_name in ("name", "player", "format"):
        old, new = getattr(before, field_name), getattr(after, field_name)
        if old != new:
            noun = "title" if field_name == "name" else field_name
            yield f"the {noun}: `{old or ''}`" + (f" would be read as `{new}`" if new else "")


def _lost_cards(clause: str, before: Counter[str], after: Counter[str]) -> Iterator[str]:
    """Yield sentences about cards that a deck loses or gains when its text is read back.

    clause:        the end of "cards that do …" in the sentences: `not count` for cards that never count. If
                   empty, the sentences say only "cards"
    before, after: name or code of a card → number of copies, in the deck and in the text that was read back
    """

    def format_number(cards: Counter[str]) -> str:
        do = "does" if cards.total() == 1 else "do"
        return counted(cards.total(), "card") + (f" that {do} {clause}" if clause else "")

    lost_cards, new_cards = before - after, after - before
    if lost_cards:
        yield f"{format_number(lost_cards)}: {_format_cards(lost_cards)}"
    if new_cards:
        are = "is" if new_cards.total() == 1 else "are"
        number = format_number(new_cards)
        yield f"{number} that {are} not in the deck would be read: {_format_cards(new_cards)}"


def _format_cards(cards: Counter[str]) -> str:
    names = [f"`{name}`" + (f" ×{count}" if count > 1 else "") for name, count in cards.items()]
    return _format_first(names)


def _format_first(words: list[str]) -> str:
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _lost_names(before: Decklist) -> Iterator[str]:
    named_lines = sum(1 for line in before.lines if line.name != _code(line))
    if named_lines:
        yield f"the names on {counted(named_lines, 'line')}: only codes are written"


def _lost_details(
    before: Decklist, after: Decklist, name: Callable[[Line], str], *, by_code: bool
) -> Iterator[str]:
    """Yield a sentence for each kind of detail that is lost on the lines of cards.

    Cards that are lost themselves are not compared.
    """
    kept_copies = _counts(after.lines, name)
    details: dict[str, Callable[[Line], str]] = {
        "the zone": _zone,
        "the group": lambda line: line.group or "",
        "the printing": lambda line: (
            f"{(line.printing.set or '').upper()} {line.printing.number or ''}".strip()
        ),
        "the code": lambda line: "" if by_code or line.code == line.name else line.code or "",
        "the declared facts": lambda line: ", ".join(
            f"{key}={fact}" for key, fact in sorted(line.facts.items())
        ),
        "the marks": lambda line: " ".join(sorted(line.marks)),
        "the remark": lambda line: line.comment,
    }
    for label, detail in details.items():
        copies: Counter[tuple[str, str]] = Counter()
        for line in before.lines:
            if kept_copies[name(line)]:
                copies[name(line), detail(line)] += line.count
        for line in after.lines:
            copies[name(line), detail(line)] -= line.count
        lost_values = [value or "none" for (_, value), count in copies.items() if count > 0]
        if lost_values:
            values = _format_first([f"`{value}`" for value in dict.fromkeys(lost_values)])
            yield f"{label} on {counted(len(lost_values), 'line')}: {values}"


def _zone(line: Line) -> str:
    """Return the general kind of a line's zone, or else the words of the zone's header.

    `SB` and `Sideboard` are of the same kind. The main deck gives an empty text.
    """
    kind = general_kind(line.zone or "main")
    return "" if kind == "main" else kind or line.zone or ""


def _lost_facts(before: Decklist, after: Decklist) -> Iterator[str]:
    lost_facts = Counter(before.about) - Counter(after.about)
    if lost_facts:
        yield f"what the list says about itself: {', '.join(sorted({key for key, _ in lost_facts}))}"
