"""The set files of a pool as numbered lines, of which only names are read until a card is asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

import msgspec

from tourney.cards.names import FoldedName, fold
from tourney.door import explain
from tourney.errors import TourneyError

_BOM = b"\xef\xbb\xbf"


class _Head(msgspec.Struct, frozen=True, gc=False):
    """The part of a card line that finding needs."""

    name: str
    id: str = ""
    aliases: tuple[str, ...] = ()


_DECODE = msgspec.json.Decoder(_Head).decode


class Lines:
    """All lines of all set files, numbered through from 0 in the order of the sets' codes. folder: of the files, for messages.

    numbers: the numbers of the lines that hold a card
    exact: line number by name as written; of several cards of one name the one with the first id
    ids:   line number by id; the first line wins, `pool check` tells of the others
    """

    def __init__(self, sets: Mapping[str, bytes], folder: str = "") -> None:
        self._folder = folder
        self.codes = tuple(sorted(sets))
        self.texts: list[bytes] = []
        self._starts: list[int] = []
        for code in self.codes:
            self._starts.append(len(self.texts))
            self.texts += sets[code].removeprefix(_BOM).split(b"\n")
        self.numbers = [number for number, text in enumerate(self.texts) if text and not text.isspace()]
        self._heads = self._read()
        backwards = list(zip(reversed(self._heads), reversed(self.numbers), strict=True))
        self.exact = {head.name: number for head, number in backwards}
        if len(self.exact) < len(backwards):
            by_id = sorted(backwards, key=lambda pair: pair[0].id, reverse=True)
            self.exact = {head.name: number for head, number in by_id}
        self.ids = {head.id: number for head, number in backwards if head.id}

    def _read(self) -> list[_Head]:
        try:
            return [_DECODE(self.texts[number]) for number in self.numbers]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return [self._head(number) for number in self.numbers]  # again, one by one, to name the line

    def _head(self, number: int) -> _Head:
        try:
            return _DECODE(self.texts[number])
        except msgspec.ValidationError as fault:
            raise TourneyError(f"{self.place(number)}: {explain(str(fault))}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
            raise TourneyError(f"{self.place(number)}: not readable as JSON: {fault}") from None

    @cached_property
    def folded(self) -> Mapping[FoldedName, tuple[int, ...]]:
        """The line numbers by folded name; made when the first name is asked for that is not written so exactly."""
        found: dict[FoldedName, tuple[int, ...]] = {}
        for head, number in zip(self._heads, self.numbers, strict=True):
            key = fold(head.name)
            found[key] = (*found[key], number) if key in found else (number,)
        return found

    @cached_property
    def aliases(self) -> Mapping[FoldedName, tuple[int, ...]]:
        """The line numbers by folded alias."""
        found: dict[FoldedName, tuple[int, ...]] = {}
        for head, number in zip(self._heads, self.numbers, strict=True):
            for alias in head.aliases:
                key = fold(alias)
                found[key] = (*found.get(key, ()), number)
        return found

    def names(self) -> tuple[str, ...]:
        """Return all names, each followed by its aliases, as written and in file order."""
        return tuple(name for head in self._heads for name in (head.name, *head.aliases))

    def code(self, number: int) -> str:
        """Return the code of the set file that line `number` stands in."""
        return self.codes[bisect_right(self._starts, number) - 1]

    def place(self, number: int) -> str:
        """Return file and line of line `number`, counted from 1: `cardpools/redline/core.jsonl:7`."""
        which = bisect_right(self._starts, number) - 1
        return f"{self._folder}{self.codes[which]}.jsonl:{number - self._starts[which] + 1}"
