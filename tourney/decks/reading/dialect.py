"""What a text file tells of the program that wrote it: which decoration is certain there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What is certain in the files of one program, though it could be part of a name elsewhere.

    codes:     each card has its collector's code beside its name (`Usopp ST01-002`, `BT8-058 Agumon`)
    sets:      a lone parenthesis with a set's code at the end is the set (`Name (M11)`)
    packs:     any parenthesis at the end is the pack (`Name (System Gateway)`)
    bare_sets: set and number stand bare at the end (`Koffing JTG 91`)
    remarks:   what follows ` -- ` is a remark
    identity:  lines without a count before the first section lead the deck, after the title
    factions:  a line that only names a house is its faction card, never a title
    titled:    the first line is the title whatever follows
    count_last: the count ends the line without an x (`BT8-058 Agumon 4`)
    columns:   after two spaces and a number begin columns about the card
    name_key:  a line `Name: …` names the deck, not the player
    """

    name: str = "plain"
    codes: bool = False
    sets: bool = False
    packs: bool = False
    bare_sets: bool = False
    remarks: bool = False
    identity: bool = False
    factions: bool = False
    titled: bool = False
    count_last: bool = False
    columns: bool = False
    name_key: bool = False


PLAIN = Dialect()
_NETRUNNERDB = Dialect(name="netrunnerdb", packs=True, identity=True, titled=True)
_THRONESDB = Dialect(name="thronesdb", packs=True, identity=True, factions=True)
_POKEMON = Dialect(name="ptcgl", bare_sets=True)
_FABRARY = Dialect(name="fabrary", name_key=True)
_TWD = Dialect(name="twd", remarks=True, columns=True)
_TAPPEDOUT = Dialect(name="tappedout", sets=True)
_CODED = Dialect(name="coded", codes=True, sets=True)
_CODE_FIRST = Dialect(name="coded", codes=True, sets=True, count_last=True)

CODE = r"[A-Z]{1,5}\d{0,2}-(?:[A-Z]{2})?\d{2,4}(?:[-_][A-Za-z0-9]{1,3})?[a-z]?"
"""A collector's code that names set and card at once: ST01-002, P-037, GD01-008, OGN-265-1."""

FACTION = re.compile(r"(?:house [a-z]+|the night.s watch)$", re.I)


def _sign(pattern: str, flags: re.RegexFlag = re.I) -> re.Pattern[str]:
    """Compile a pattern for the beginning of a line; it is looked for in the whole text at once."""
    return re.compile(rf"^[ \t*#]*(?:{pattern})", flags | re.M)


_SIGNS: tuple[tuple[Dialect, re.Pattern[str], int], ...] = (
    (_TWD, _sign(r"crypt[ \t]*:?[ \t]*[(\[]?[ \t]*\d+\b.*\b(?:min|capacity|avg|average)"), 1),
    (_NETRUNNERDB, _sign(r"\d+ influence spent|\d+ agenda points|\d+ cards \(min \d+\)|cards up to \S"), 2),
    (_THRONESDB, _sign(r"(?:house [a-z]+|the night.s watch)[ \t]*$"), 1),
    (
        _POKEMON,
        _sign(r"\W?(?:pok.{1,2}mon|trainer(?: cards)?|energy|total cards)[ \t]*(?:[:(-][ \t]*\d+\)?|:)"),
        2,
    ),
    (_FABRARY, _sign(r"hero:[ \t]|(?:arena|deck) cards[ \t]*$|.*fabrary"), 2),
    (_TAPPEDOUT, _sign(r"\d+x? .*\(\w{2,6}\)(?: \*[^*\n]+\*)*[ \t]*$", re.NOFLAG), 2),
)
_STAR = re.compile(r"\*[A-Za-z-]+\*$|^sb:", re.I | re.M)
_CODED_LINE = re.compile(rf"(?:\S.*?\s|\d+\s?x\s?|\(|\[|^){CODE}(?:\s.*|[)\]])?(?:\s\d+)?$")
_CODE_FIRST_LINE = re.compile(rf"{CODE}\s+\S.*\s\d{{1,2}}$")
_COUNTED = re.compile(r"\d+\s?x?\s?\S")


def detect(lines: Sequence[str]) -> Dialect:
    """Tell the dialect of a plain text from its lines; `PLAIN` where nothing is certain."""
    text = "\n".join(lines)
    for dialect, sign, needed in _SIGNS:
        found = sum(1 for _ in zip(sign.finditer(text), range(needed), strict=False))
        if found >= needed and (dialect is not _TAPPEDOUT or _STAR.search(text)):
            return dialect
    cards = [line for line in lines if _COUNTED.match(line)]
    if len(cards) > 1 and all(_CODED_LINE.search(line) for line in cards):
        return _CODED
    if not cards and sum(1 for line in lines if _CODE_FIRST_LINE.match(line)) > 1:
        return _CODE_FIRST
    return PLAIN
