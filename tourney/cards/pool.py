"""A pool: the cards of a game, found by name, alias or id; read only as far as they are asked for."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import msgspec

from tourney.cards.card import (
    RESERVED,
    STATUS_WORDS,
    Attribute,
    AttributeKind,
    Card,
    Printing,
    Schema,
    SetInfo,
    Status,
    Value,
    found_words,
    parse_schema,
)
from tourney.cards.names import FACES, FoldedName, NearNames, fold, fold_all
from tourney.decode import (
    MAX_DIGITS,
    NUMBER_LIMIT,
    decode_json,
    parse_number_literal,
)
from tourney.errors import TourneyError


class Pool:
    """The cards of one game.

    Loading reads names only; a card's attributes are decoded, checked against the declared types and kept when the
    card is first asked for, so that a deck against 25,000 cards decodes sixty of them.
    """

    def __init__(self, schema: Schema, sets: Mapping[str, bytes], *, source: str, head: bytes) -> None:
        self.schema = schema
        self.source = source
        self._bytes = (head, *(part for code in sorted(sets) for part in (code.encode(), sets[code])))
        self._lines = Lines(sets, source.removesuffix("pool.toml") if source.endswith("pool.toml") else "")
        self._cards: dict[int, Card] = {}

    @property
    def game(self) -> str:
        """The game's folder name."""
        return self.schema.game

    @property
    def complete(self) -> bool:
        """Whether every card of the game is here: an unlisted card is then no card, and what is blank is none."""
        return self.schema.complete

    @property
    def key(self) -> str:
        """What tells cards apart: `name` or `id`."""
        return self.schema.key

    @property
    def attributes(self) -> Mapping[str, Attribute]:
        """The declared attributes by name."""
        return self.schema.attributes

    @property
    def sets(self) -> Mapping[str, SetInfo]:
        """The sets by code: the files, and what `pool.toml` says of them and of others that printings name."""
        return {**{code: SetInfo(code=code, name=code) for code in self._lines.codes}, **self.schema.sets}

    @property
    def sets_with_cards(self) -> tuple[str, ...]:
        """The codes of the sets that have cards: of a file with cards, and of printings that may be played."""
        codes = {self._lines.code(line) for line in self._lines.numbers}
        for line in self._lines.numbers:
            if b'"printings"' in self._lines.texts[line]:
                with suppress(TourneyError):  # `tourney pool check` tells of a line that is not a card
                    printings = self._card(line).printings
                    codes |= {each.set for each in printings if each.status is Status.CURRENT}
        return tuple(code for code in self.sets if code in codes)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the pool's files, in hexadecimal."""
        whole = hashlib.sha256()
        for part in self._bytes:
            whole.update(len(part).to_bytes(8, "big"))
            whole.update(part)
        return whole.hexdigest()

    def find(self, name: str) -> Card | None:
        """Return the card called `name`: exactly so, else by folded name, alias, id, or id of a printing.

        Where several cards share a name, the one with the first id; `find_all` returns them all.
        """
        exact = self._lines.exact.get(name)
        if exact is not None:
            return self._card(exact)
        cards = self.find_all(name)
        return cards[0] if cards else None

    def find_all(self, name: str) -> tuple[Card, ...]:
        """Return every card that `name` may mean, by id: more than one where names are shared."""
        numbers = self._numbers_of(name)
        if len(numbers) == 1:
            return (self._card(numbers[0]),)
        return tuple(sorted(map(self._card, numbers), key=lambda card: (card.id, card.name)))

    def _numbers_of(self, name: str) -> tuple[int, ...]:
        numbers = self._lines.called(fold(name))
        if numbers:
            return numbers
        by_id = self._lines.ids.get(name)
        if by_id is None and _looks_like_a_code(name):
            by_id = self._printed.get(name)
        return () if by_id is None else (by_id,)

    def coded(self, code: str) -> Card | None:
        """Return the card whose id, or the id of one of whose printings, is exactly `code`; None if there is none."""
        number = self._lines.ids.get(code)
        if number is None and _looks_like_a_code(code):
            number = self._printed.get(code)
        return None if number is None else self._card(number)

    @cached_property
    def _printed(self) -> Mapping[str, int]:
        """The ids of printings. Costs decoding every card that has some, so it is made only when one is asked for."""
        return {
            printing.id: number
            for number in reversed(self._lines.numbers)
            if b'"printings"' in self._lines.texts[number]
            for printing in self._card(number).printings
            if printing.id
        }

    def counted_as(self, card: Card) -> Card:
        """Return the card as which copies of `card` count: itself unless its `counts_as` names another one."""
        if card.counts_as is None:
            return card
        return self.find(card.counts_as) or card

    def names(self) -> tuple[str, ...]:
        """Return the names of all cards, each followed by its aliases, as written and in file order."""
        return self._lines.names()

    def near(self, name: str, *, limit: int = 3) -> tuple[str, ...]:
        """Return up to `limit` names and aliases of the pool that resemble `name`, the nearest first."""
        return self._near.near(name, limit=limit)

    @cached_property
    def _near(self) -> NearNames:
        return NearNames(self.names())

    def mentions(self, key: str) -> bool:
        """Say whether some line of the pool has the key `key`, at whatever depth; reads no card."""
        quoted = json.dumps(key, ensure_ascii=False).encode()
        return any(quoted in part for part in self._bytes)

    def __iter__(self) -> Iterator[Card]:
        return (self._card(number) for number in self._lines.numbers)

    def __len__(self) -> int:
        return len(self._lines.numbers)

    def __bool__(self) -> bool:
        return True  # an empty pool is a pool

    def __contains__(self, name: str) -> bool:
        return name in self._lines.exact or bool(self._numbers_of(name))

    def _card(self, number: int) -> Card:
        card = self._cards.get(number)
        if card is None:
            lines = self._lines
            place = lines.place(number)
            card = read_card(
                lines.texts[number],
                self.schema,
                set_code=lines.code(number),
                place=place,
            )
            self._cards[number] = card
        return card


def _looks_like_a_code(name: str) -> bool:
    return any(letter.isdigit() for letter in name) and " " not in name.strip()


def parse_pool(pool_toml: str, sets: Mapping[str, str | bytes], *, source: str) -> Pool:
    """Read a pool from the text of its `pool.toml` and of its set files (code → JSON Lines, UTF-8).

    `source` names the `pool.toml` in messages. Raises TourneyError with file, line and key path.
    """
    schema = parse_schema(pool_toml, source=source)
    parts = {code: text.encode() if isinstance(text, str) else text for code, text in sets.items()}
    return Pool(schema, parts, source=source, head=pool_toml.encode())


def open_pool(game: str) -> Pool:
    """Return the pool of a game of which no cards are installed: open and empty."""
    return parse_pool(
        f"game = {json.dumps(game, ensure_ascii=False)}\ncomplete = false\n",
        {},
        source=f"{game} (no card pool installed)",
    )


# -- The set files of a pool as numbered lines, of which only names are read until a card is asked for


_BOM = b"\xef\xbb\xbf"


class _Head(msgspec.Struct, frozen=True, gc=False):
    """The part of a card line that finding needs."""

    name: str
    id: str = ""
    aliases: tuple[str, ...] = ()


_HEADS = msgspec.json.Decoder(_Head)


class Lines:
    """All lines of all set files, numbered through from 0 in the order of the sets' codes. folder: of the files, for messages.

    numbers: the numbers of the lines that hold a card
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

    def _read(self) -> list[_Head]:
        try:
            return [_HEADS.decode(self.texts[number]) for number in self.numbers]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return [self._head(number) for number in self.numbers]  # again, one by one, to name the line

    def _head(self, number: int) -> _Head:
        return decode_json(_HEADS, self.texts[number], source=self.place(number))

    # Each index is made when it is first asked: a deck written in full asks for names alone.

    @cached_property
    def exact(self) -> Mapping[str, int]:
        """The line number by name as written; of several cards of one name the one with the first id."""
        numbers = dict(zip((head.name for head in self._heads), self.numbers, strict=True))
        if len(numbers) < len(self._heads):
            backwards = zip(reversed(self._heads), reversed(self.numbers), strict=True)
            by_id = sorted(backwards, key=lambda pair: pair[0].id, reverse=True)
            numbers = {head.name: number for head, number in by_id}
        return numbers

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """The line number by id; the first line wins, `pool check` tells of the others."""
        backwards = zip(reversed(self._heads), reversed(self.numbers), strict=True)
        return {head.id: number for head, number in backwards if head.id}

    def called(self, key: FoldedName) -> tuple[int, ...]:
        """Return the line numbers of the cards whose folded name is `key`, else of those that have it as an alias.

        If there is none, of the only card whose front face is called so: `Brazen Borrower // Petty Theft`.
        """
        last, shared = self._folded
        number = last.get(key)
        if number is None:
            return self._aliases.get(key) or self._fronts.get(key, ())
        return shared.get(key) or (number,)

    @cached_property
    def _folded(self) -> tuple[Mapping[FoldedName, int], Mapping[FoldedName, tuple[int, ...]]]:
        """The last line's number by folded name, and all numbers of the names that several cards share."""
        keys = fold_all([head.name for head in self._heads])
        last = dict(zip(keys, self.numbers, strict=True))
        shared: dict[FoldedName, tuple[int, ...]] = {}
        if len(last) < len(keys):
            for key, number in zip(keys, self.numbers, strict=True):
                if number != last[key]:
                    shared[key] = (*shared.get(key, ()), number)
            shared = {key: (*numbers, last[key]) for key, numbers in shared.items()}
        return last, shared

    @cached_property
    def _aliases(self) -> Mapping[FoldedName, tuple[int, ...]]:
        """The line numbers by folded alias."""
        numbers: dict[FoldedName, tuple[int, ...]] = {}
        for head, line in zip(self._heads, self.numbers, strict=True):
            for alias in head.aliases:
                key = fold(alias)
                numbers[key] = (*numbers.get(key, ()), line)
        return numbers

    @cached_property
    def _fronts(self) -> Mapping[FoldedName, tuple[int, ...]]:
        """The line numbers by the folded name of the front face, where one name of the pool has it."""
        last, shared = self._folded
        fronts: dict[FoldedName, list[FoldedName]] = {}
        for key in last:
            if FACES in key:
                fronts.setdefault(FoldedName(key.partition(FACES)[0]), []).append(key)
        return {
            front: shared.get(keys[0]) or (last[keys[0]],) for front, keys in fronts.items() if len(keys) == 1
        }

    def names(self) -> tuple[str, ...]:
        """Return all names, each followed by its aliases, as written and in file order."""
        return tuple(name for head in self._heads for name in (head.name, *head.aliases))

    def naming(self, keys: Collection[FoldedName]) -> list[bytes]:
        """Return the lines, in order, of the cards that any of the folded `keys` may mean: as name, id or alias."""
        named = set(keys)
        return [
            self.texts[number]
            for head, number in zip(self._heads, self.numbers, strict=True)
            if not named.isdisjoint(map(fold, (head.name, head.id, *head.aliases)))
        ]

    def code(self, number: int) -> str:
        """Return the code of the set file that line `number` stands in."""
        return self.codes[bisect_right(self._starts, number) - 1]

    def place(self, number: int) -> str:
        """Return file and line of line `number`, counted from 1: `cardpools/redline/core.jsonl:7`."""
        which = bisect_right(self._starts, number) - 1
        return f"{self._folder}{self.codes[which]}.jsonl:{number - self._starts[which] + 1}"


# -- Card lines: one JSON object a line becomes a Card


class _Line(msgspec.Struct, frozen=True):
    """What every card line has. Anything else on the line is an attribute."""

    name: str
    id: str = ""
    aliases: tuple[str, ...] = ()
    counts_as: str | None = None
    version: str | None = None
    note: str | None = None
    unknown: tuple[str, ...] = ()
    printings: tuple[dict[str, Any], ...] = ()


_LINE = msgspec.json.Decoder(_Line, float_hook=parse_number_literal)
_WHOLE = msgspec.json.Decoder(dict[str, Any], float_hook=parse_number_literal)


def read_card(line: bytes, schema: Schema, *, set_code: str, place: str) -> Card:
    """Read one card line. `place` (file and line) starts each message.

    Raises TourneyError where the line is no card: not JSON, a name missing, a value of another type than the
    attribute's. An attribute the pool does not declare is kept; `tourney pool check` tells of it.
    """
    head = decode_json(_LINE, line, source=place)
    attributes = _attributes(line, schema, place)
    return Card(
        id=head.id or slug(head.name),
        name=head.name,
        attributes=attributes,
        complete=schema.complete,
        unknown=schema.unknown.difference(attributes).union(head.unknown),
        aliases=head.aliases,
        counts_as=head.counts_as,
        version=head.version,
        printings=tuple(_printing(entry, set_code, place) for entry in head.printings),
        note=head.note,
        set=set_code,
        place=place,
    )


def _attributes(line: bytes, schema: Schema, place: str) -> Mapping[str, Value | None]:
    values: dict[str, Value | None] = {}
    for key, value in decode_json(_WHOLE, line, source=place).items():
        if key in RESERVED:
            continue
        declared = schema.attributes.get(key)
        # What needs no second look is most of a pool, and a thousand decks meet all of it.
        plain = declared is not None and not declared.values and type(value) is _PLAIN.get(declared.kind)
        if type(value) is int and not -NUMBER_LIMIT < value < NUMBER_LIMIT:
            raise TourneyError(f"{place}: {key}: a number with more than {MAX_DIGITS} digits")
        if plain:
            values[key] = value
            continue
        fault = declared.fault(value) if declared else _undeclared_fault(key, value)
        if fault:
            raise TourneyError(f"{place}: {fault}")
        values[key] = _value(value, declared)
    return MappingProxyType(values)


_PLAIN: Mapping[AttributeKind, type] = {
    AttributeKind.TEXT: str,
    AttributeKind.NUMBER: int,
    AttributeKind.FLAG: bool,
}


def _undeclared_fault(key: str, value: object) -> str | None:
    plain = value is None or isinstance(value, str | int | Fraction | bool)
    texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return None if plain or texts else f"{key}: expected text, a number, true or false or a list of texts"


def _value(value: Any, declared: Attribute | None) -> Value | None:
    if isinstance(value, list):
        return tuple(item for item in value if item != "")
    if isinstance(value, str) and declared and declared.kind is AttributeKind.LIST:
        return (value,) if value else ()
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def _printing(entry: dict[str, Any], set_code: str, place: str) -> Printing:
    for key, value in entry.items():
        if isinstance(value, dict) or (isinstance(value, list) and key in _PRINTED):
            raise TourneyError(f"{place}: printings: {key}: expected text, found {found_words(value)}")
    word = entry.get("status", Status.CURRENT.word)
    if word not in STATUS_WORDS:
        words = ", ".join(f"`{name}`" for name in STATUS_WORDS)
        raise TourneyError(f"{place}: printings: `{word}` is not a status; there are {words}")
    more = entry.keys() - _PRINTED
    return Printing(
        set=_text(entry.get("set")) or set_code,
        number=_text(entry.get("number")),
        id=_text(entry.get("id")),
        released=_text(entry.get("released")),
        note=_text(entry.get("note")),
        status=STATUS_WORDS[word],
        attributes=MappingProxyType({key: entry[key] for key in entry if key in more}) if more else _NO_MORE,
    )


_PRINTED = frozenset({"set", "number", "id", "released", "note", "status"})
_NO_MORE: Mapping[str, Any] = MappingProxyType({})


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def slug(name: str) -> str:
    """Return the id made of a name: lower case letters and digits joined by `_`.

    >>> slug("Ra'ebur, Great White Wyvern"), slug("Sword & Shield"), slug("A.L. Armstrong")
    ('ra_ebur_great_white_wyvern', 'sword_and_shield', 'a_l_armstrong')
    """
    plain = fold(name.replace("&", " and "))
    words = "".join(letter if letter.isalnum() else " " for letter in plain).split()
    return "_".join(words) or "card"
