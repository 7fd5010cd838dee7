"""The lines of a deck by zone, as the forms print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from tourney.decks.decklist import Decklist, Line
from tourney.decks.reading.layers import SET
from tourney.decks.vocabulary import general_kind


def by_zone(deck: Decklist) -> Iterator[tuple[str | None, list[Line]]]:
    """Give each zone's words with its lines: what stands under no header first, then in the order of the list."""
    order = {line.zone: place for place, line in reversed(list(enumerate(deck.lines)))} | {None: -1}
    lines = sorted(deck.lines, key=lambda line: order[line.zone])
    for zone, members in groupby(lines, key=lambda line: line.zone):
        yield zone, list(members)
    aside = sorted(deck.aside, key=lambda line: line.zone or "")
    for zone, members in groupby(aside, key=lambda line: line.zone):
        yield (zone if general_kind(zone or "") in ("maybe", "tokens") else "Maybeboard"), list(members)


def by_group(lines: Iterable[Line]) -> Iterator[tuple[str | None, list[Line]]]:
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


def set_code(line: Line) -> str | None:
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
