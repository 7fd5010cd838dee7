"""Lists of codes: the passcodes of `.ydk` and `ydke://`, deckstrings, rows of collector's codes."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence

from tourney.decks.decklist import Decklist, Reading
from tourney.decks.reading.builder import DeckBuilder, ListText
from tourney.decks.reading.lines import tidy
from tourney.decks.reading.names import CODE, Peeled
from tourney.errors import Severity

_YDKE = re.compile(
    r"ydke://(?P<main>[A-Za-z0-9+/=_-]*)!(?P<extra>[A-Za-z0-9+/=_-]*)!(?P<side>[A-Za-z0-9+/=_-]*)!?", re.I
)
_DECKSTRING = re.compile(r"AAE[A-Za-z0-9+/]{12,}={0,2}")
_YDK_SECTION = re.compile(r"#\s*(?P<zone>main|extra)\s*$|!\s*(?P<side>side)\s*$", re.I)
_COMMENTED_CARD = re.compile(r"#\s*(?P<count>\d+)x \(\d+\) \S")
_CODE_ROW = re.compile(rf"{CODE}(?:[\s,;$|]+{CODE}){{4,}}[\s,;$|]*")
_HEARTHSTONE_FORMATS = {1: "Wild", 2: "Standard", 3: "Classic", 4: "Twist"}
_MOST_CARDS = 10_000
_MOST_LETTERS = 100_000
"""How far into a text a link is looked for, and how long a row of codes can be."""


def coded(name: str) -> Peeled:
    """Make a name of a code: there is nothing to peel."""
    return Peeled(readings=(Reading(name=name),), code=name)


def read_ydke(text: ListText) -> list[Decklist]:
    """Read `ydke://` links: each is three times base64 of passcodes, four bytes each, the lowest first."""
    links = _YDKE.finditer(text.text) if _YDKE.search(text.text[:_MOST_LETTERS]) else ()
    return [_read_link(link, text) for link in links]


def _read_link(link: re.Match[str], text: ListText) -> Decklist:
    deck = DeckBuilder(text.source, "ydke", text.vocabulary)
    line = text.text.count("\n", 0, link.start()) + 1
    for zone in ("main", "extra", "side"):
        packed = _unbase64(link[zone])
        if packed is None or len(packed) % 4:
            deck.fault(
                "line",
                f"the `{zone}` part of the link is cut off or mistyped",
                line=line,
                hint="copy the link again",
            )
            continue
        if packed:
            deck.enter(zone, line=line)
        for place in range(0, min(len(packed), 4 * _MOST_CARDS), 4):
            passcode = str(int.from_bytes(packed[place : place + 4], "little"))
            deck.add(passcode, coded(passcode), line=line)
    return deck.build()


def _unbase64(text: str) -> bytes | None:
    try:
        return base64.b64decode(
            text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True
        )
    except (binascii.Error, ValueError):
        return None


def read_ydk(text: ListText) -> list[Decklist]:
    """Read a `.ydk` file: one passcode a line under `#main`, `#extra` and `!side`; none where it is something else."""
    if not _is_ydk(text.lines):
        return []
    deck = DeckBuilder(text.source, "ydk", text.vocabulary)
    for number, raw in enumerate(text.lines, start=1):
        line = tidy(raw)
        section = _YDK_SECTION.match(line)
        if section:
            deck.enter((section["zone"] or section["side"]).lower(), line=number)
        elif line.startswith(("#", "!")):
            deck.about.append(("comment", line[1:].strip()))
        elif line and not deck.is_full(number):
            deck.add(line, coded(line), line=number, raw=raw)
    return [deck.build()]


def _is_ydk(lines: Sequence[str]) -> bool:
    """Whether the lines are a `.ydk` file: `#main`, then passcodes."""
    body = [line for line in map(tidy, lines) if line]
    return any(_YDK_SECTION.match(line) for line in body) and all(
        line[0] in "#!" or line.isdecimal() for line in body
    )


def read_deckstring(text: ListText) -> list[Decklist]:
    """Read a deckstring, on a line of its own, and the comments the client writes round it; none where there is none.

    The string holds the deck: heroes, cards once, twice and n times, each as a database number (varints, the low
    seven bits first). The comment lines hold names in another order and often not all of them, so they cannot be
    joined to the numbers; where they count other cards than the string, that is told.
    """
    place = _find_deckstring(text.lines[:1_000])
    if place is None:
        return []
    deck = DeckBuilder(text.source, "deckstring", text.vocabulary)
    named, first = _comments(deck, text.lines)
    packed = _unbase64(tidy(text.lines[place]))
    try:
        _unpack(deck, list(_varints(packed or b"")), place + 1)
    except (IndexError, ValueError):
        deck.fault(
            "line", "the deckstring is cut off or mistyped", line=place + 1, hint="copy the deck code again"
        )
        return [deck.build()]
    numbered = sum(line.count for line in deck.lines if line.zone is None)
    if named not in (0, numbered):
        deck.fault(
            "section-count",
            f"the lines with names say {named} cards, the deckstring {numbered}; the deckstring was read",
            line=first,
            severity=Severity.ADVICE,
            have=str(named),
            allowed=str(numbered),
        )
    return [deck.build()]


def _find_deckstring(lines: Sequence[str]) -> int | None:
    """Find the line (from 0) that is a deckstring: base64 that begins with a zero byte and version 1."""
    places = (
        place for place, line in enumerate(lines) if len(line) < 4_000 and _DECKSTRING.fullmatch(tidy(line))
    )
    return next(places, None)


def _comments(deck: DeckBuilder, lines: Sequence[str]) -> tuple[int, int]:
    """Read title and format; give how many cards the comment lines name, and the first such line."""
    named = 0
    first = 0
    for number, raw in enumerate(lines, start=1):
        line = tidy(raw)
        card = _COMMENTED_CARD.match(line)
        if card:
            named, first = named + int(card["count"][:6]), first or number
        elif line.startswith("###"):
            deck.name = line.lstrip("# ") or None
        elif line.startswith("#") and ":" in line:
            key, _, value = line.lstrip("# ").partition(":")
            deck.about.append((key.strip().lower(), value.strip()))
    deck.format = next((value for key, value in deck.about if key == "format"), None)
    return named, first


def _varints(packed: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in packed:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            yield value
            value = shift = 0
        elif shift > 63:
            raise ValueError("a number of more than nine bytes")


def _unpack(deck: DeckBuilder, numbers: Sequence[int], line: int) -> None:
    """Zero, version, format, then four lists, each after its length: heroes, ×1, ×2, and pairs of card and count."""
    feed = iter(numbers)

    def take() -> int:
        value = next(feed, None)
        if value is None:
            raise IndexError
        return value

    if take() != 0 or take() != 1:
        raise ValueError("another version")
    written = _HEARTHSTONE_FORMATS.get(take())
    deck.format = deck.format or written
    deck.enter("Hero", line=line)
    for _ in range(min(take(), _MOST_CARDS)):
        _add_number(deck, take(), 1, line)
    deck.leave()
    for copies in (1, 2, None):
        for _ in range(min(take(), _MOST_CARDS)):
            number = take()
            _add_number(deck, number, take() if copies is None else copies, line)


def _add_number(deck: DeckBuilder, number: int, copies: int, line: int) -> None:
    deck.add(str(number), coded(str(number)), line=line, count=copies)


def read_code_row(text: ListText) -> list[Decklist]:
    """Read collector's codes in a row, one copy each, as table-top simulators take them; none where there is more."""
    if len(text.text) >= _MOST_LETTERS or not _CODE_ROW.fullmatch(text.text.strip()):
        return []
    deck = DeckBuilder(text.source, "codes", text.vocabulary)
    for number, line in enumerate(text.text.split("\n"), start=1):
        for code in re.findall(CODE, line)[:_MOST_CARDS]:
            deck.add(code, coded(code), line=number, raw=line)
    return [deck.build()]
