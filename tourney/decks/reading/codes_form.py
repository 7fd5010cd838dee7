"""Reads lists of codes: passcodes in `.ydk` and `ydke://`, deckstrings, collector's codes."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence

from tourney.decks.decklist import Decklist
from tourney.decks.reading.builder import DeckBuilder
from tourney.decks.reading.names import CODE, parse_code
from tourney.decks.reading.text import ListForm, ListText, tidy
from tourney.decks.reading.words import lazy_pattern

_MAX_CARDS = 10_000
_MAX_LETTERS = 100_000
"""The maximum length of the text that is searched for a link, and of a row of codes."""


def read_decks(text: ListText) -> list[Decklist]:
    """Read the decks in a text of card codes (`.ydk`, `ydke://`, deckstring …).

    Returns no decks for any other text.
    """
    if not _SIGN.search(text.text):
        return []
    readers = (_read_ydke, _read_ydk, _read_deckstring, _read_code_row)
    return next(filter(None, (reader(text) for reader in readers)), [])


FORM = ListForm(order=40, read=read_decks)
_SIGN = lazy_pattern(rf"(?i:ydke://|[#!]\s*(?:main|extra|side))|AAE|\A\s*{CODE}[\s,;$|]+{CODE}")


def _unbase64(text: str) -> bytes | None:
    plain = text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4)
    try:
        return binascii.a2b_base64(plain, strict_mode=True)
    except ValueError:
        return None


# -- ydke:// links and .ydk files


_YDKE = lazy_pattern(
    r"ydke://(?P<main>[A-Za-z0-9+/=_-]*)!(?P<extra>[A-Za-z0-9+/=_-]*)!(?P<side>[A-Za-z0-9+/=_-]*)!?", re.I
)
_YDK_SECTION = lazy_pattern(r"#\s*(?P<zone>main|extra)\s*$|!\s*(?P<side>side)\s*$", re.I)


def _read_ydke(text: ListText) -> list[Decklist]:
    """Read `ydke://` links of three Base64 parts. A passcode has four bytes, lowest byte first."""
    links = _YDKE.finditer(text.text) if _YDKE.search(text.text[:_MAX_LETTERS]) else ()
    return [_read_link(link, text) for link in links]


def _read_link(link: re.Match[str], text: ListText) -> Decklist:
    deck = DeckBuilder(text, "ydke", by_lines=False)
    line = text.text.count("\n", 0, link.start()) + 1
    for zone in ("main", "extra", "side"):
        passcodes = _unbase64(link[zone])
        if passcodes is None or len(passcodes) % 4:
            message = f"the `{zone}` part of the link is cut off or mistyped"
            deck.fault("line", message, line=line, hint="copy the link again")
            continue
        if passcodes:
            deck.enter(zone, line=line)
        for place in range(0, min(len(passcodes), 4 * _MAX_CARDS), 4):
            passcode = str(int.from_bytes(passcodes[place : place + 4], "little"))
            deck.add(parse_code(passcode), line=line)
    return deck.build()


def _read_ydk(text: ListText) -> list[Decklist]:
    """Read a file with one passcode on a line, under `#main`, `#extra` and `!side`."""
    body = [line for line in map(tidy, text.lines) if line]
    if not any(map(_YDK_SECTION.match, body)) or not all(
        line[0] in "#!" or line.isdecimal() for line in body
    ):
        return []
    deck = DeckBuilder(text, "ydk")
    for number, raw in enumerate(text.lines, start=1):
        line = tidy(raw)
        section = _YDK_SECTION.match(line)
        if section:
            deck.enter((section["zone"] or section["side"]).lower(), line=number)
        elif line.startswith(("#", "!")):
            deck.about.append(("comment", line[1:].strip()))
        elif line and not deck.is_full(number):
            deck.add(parse_code(line), line=number, raw=raw)
    return [deck.build()]


# -- deckstrings


_DECKSTRING = lazy_pattern(r"AAE[A-Za-z0-9+/]{12,}={0,2}")
"""A deckstring in Base64: it begins with a zero byte and version 1."""
_COMMENTED_CARD = lazy_pattern(r"#\s*(?P<count>\d+)x \(\d+\) \S")
_HEARTHSTONE_FORMATS = {1: "Wild", 2: "Standard", 3: "Classic", 4: "Twist"}


def _read_deckstring(text: ListText) -> list[Decklist]:
    """Read a deckstring on a separate line, and the comments around it.

    The names in the comments are in another order than the numbers of the deckstring, and often incomplete,
    so names and numbers cannot be matched. If the total numbers of cards differ, a finding says so.
    """
    places = (
        place
        for place, line in enumerate(text.lines[:1_000])
        if len(line) < 4_000 and _DECKSTRING.fullmatch(tidy(line))
    )
    place = next(places, None)
    if place is None:
        return []
    deck = DeckBuilder(text, "deckstring")
    card_sum, first_line = _read_comments(deck, text.lines)
    data = _unbase64(tidy(text.lines[place]))
    try:
        _unpack(deck, list(_varints(data or b"")), place + 1)
    except (IndexError, ValueError):
        message = "the deckstring is cut off or mistyped"
        deck.fault("line", message, line=place + 1, hint="copy the deck code again")
        return [deck.build()]
    code_sum = sum(line.count for line in deck.lines if line.zone is None)
    if card_sum not in (0, code_sum):
        message = (
            f"the lines with names say {card_sum} cards, but the deckstring has {code_sum};"
            " the cards come from the deckstring"
        )
        deck.advise_on_sum(message, first_line, card_sum, code_sum)
    return [deck.build()]


def _read_comments(deck: DeckBuilder, lines: Sequence[str]) -> tuple[int, int]:
    """Read the deck's title and format from comments.

    Return how many cards the comments list, and the number of the first line with one; 0 and 0 if none.
    """
    card_sum = first_line = 0
    for number, raw in enumerate(lines, start=1):
        line = tidy(raw)
        if card := _COMMENTED_CARD.match(line):
            card_sum, first_line = card_sum + int(card["count"][:6]), first_line or number
        elif line.startswith("###"):
            deck.name = line.lstrip("# ") or None
        elif line.startswith("#") and ":" in line:
            key, _, value = line.lstrip("# ").partition(":")
            deck.about.append((key.strip().lower(), value.strip()))
    deck.format = next((value for key, value in deck.about if key == "format"), None)
    return card_sum, first_line


def _varints(data: bytes) -> Iterator[int]:
    """Yield the numbers of a deckstring. Each byte holds seven bits, lowest bits first."""
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            yield value
            value = shift = 0
        elif shift > 63:
            raise ValueError("a number of more than nine bytes")


def _unpack(deck: DeckBuilder, numbers: Sequence[int], line: int) -> None:
    """Add the cards of a deckstring: zero, version, format, then four lists with lengths.

    The lists are heroes, single cards, pairs of cards, and cards each followed by its count. Raises
    IndexError if the numbers end too early.
    """
    deck.format = deck.format or _HEARTHSTONE_FORMATS.get(numbers[2])
    deck.enter("Hero", line=line)
    offset = 3
    for copies in (1, 1, 2, None):
        length, size = min(numbers[offset], _MAX_CARDS), 2 if copies is None else 1
        for place in range(offset + 1, offset + 1 + length * size, size):
            count = numbers[place + 1] if copies is None else copies
            deck.add(parse_code(str(numbers[place])), line=line, count=count)
        deck.leave()
        offset += 1 + length * size


# -- rows of collector's codes


_CODE_ROW = lazy_pattern(rf"{CODE}(?:[\s,;$|]+{CODE}){{4,}}[\s,;$|]*")


def _read_code_row(text: ListText) -> list[Decklist]:
    """Read a row of codes, one for each copy, as table-top simulators import them."""
    if len(text.text) >= _MAX_LETTERS or not _CODE_ROW.fullmatch(text.text.strip()):
        return []
    deck = DeckBuilder(text, "codes")
    for number, line in enumerate(text.text.split("\n"), start=1):
        for code in re.findall(CODE, line)[:_MAX_CARDS]:
            deck.add(parse_code(code), line=number, raw=line)
    return [deck.build()]
