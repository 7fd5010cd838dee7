"""A pool: the cards of a game, found by name, alias or id.

A pool is a `pool.toml` (`Schema`) and one JSON Lines file for each set, with one card on a line. `PoolLines`
decodes only the names on all lines. `read_card` decodes a whole line when its card is first requested, so
checking a deck against a pool of 25,000 cards decodes about sixty lines. `lint_pool` decodes all lines, and
reports every problem. The JSON documents about pools and their cards are at the end.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct, structs

from tourney.cards.card import (
    NONE,
    RESERVED,
    STATUS_WORDS,
    UNKNOWN,
    Attribute,
    AttributeKind,
    Card,
    Printing,
    Schema,
    SetInfo,
    Status,
    Value,
    parse_schema,
    type_words,
)
from tourney.cards.names import FACE_SEPARATOR, FoldedName, NearNames, fold, fold_all
from tourney.decode import MAX_DIGITS, NUMBER_LIMIT, decode_json, parse_number_literal
from tourney.document import Document
from tourney.errors import Finding, Severity, TourneyError


class Pool:
    """The cards of one game. Iterating decodes every card, in file order."""

    def __init__(self, schema: Schema, sets: Mapping[str, bytes], *, source: str, head: bytes) -> None:
        self.schema = schema
        self.source = source
        self._files = (head, *(part for code in sorted(sets) for part in (code.encode(), sets[code])))
        self._lines = PoolLines(
            sets, source.removesuffix("pool.toml") if source.endswith("pool.toml") else ""
        )
        self._cards: dict[int, Card] = {}

    @property
    def game(self) -> str:
        """The name of the game's folder."""
        return self.schema.game

    @property
    def complete(self) -> bool:
        """Whether the pool has every card of the game."""
        return self.schema.complete

    @property
    def key(self) -> str:
        """What identifies a card: `name` or `id`."""
        return self.schema.key

    @property
    def attributes(self) -> Mapping[str, Attribute]:
        """The declared attributes by name."""
        return self.schema.attributes

    @property
    def sets(self) -> Mapping[str, SetInfo]:
        """The sets by code: those with a file, and those that `pool.toml` describes."""
        return {**{code: SetInfo(code=code, name=code) for code in self._lines.codes}, **self.schema.sets}

    @property
    def sets_with_cards(self) -> tuple[str, ...]:
        """The codes of the sets that contain cards.

        A set contains the cards in its file, and the cards that have a current printing in the set.
        """
        codes = {self._lines.code(number) for number in self._lines.numbers}
        for number in self._lines.numbers_with_printings:
            with suppress(TourneyError):  # `tourney pool check` reports the line
                printings = self._card(number).printings
                codes |= {printing.set for printing in printings if printing.status is Status.CURRENT}
        return tuple(code for code in self.sets if code in codes)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the pool's files, in hexadecimal."""
        digest = hashlib.sha256()
        for part in self._files:
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        return digest.hexdigest()

    def find(self, name: str) -> Card | None:
        """Return the card with this name, folded name, alias, id or printing id, or None.

        If several cards share the name, returns the one with the first id. `find_all` returns all of them.
        """
        exact_number = self._lines.numbers_by_name.get(name)
        if exact_number is not None:
            return self._card(exact_number)
        cards = self.find_all(name)
        return cards[0] if cards else None

    def find_all(self, name: str) -> tuple[Card, ...]:
        """Return every card that a name may mean, in the order of their ids."""
        numbers = self._numbers_of(name)
        if len(numbers) == 1:
            return (self._card(numbers[0]),)
        return tuple(sorted(map(self._card, numbers), key=lambda card: (card.id, card.name)))

    def find_code(self, code: str) -> Card | None:
        """Return the card that has this id, or a printing with this id; None if there is none."""
        number = self._number_of_code(code)
        return None if number is None else self._card(number)

    def _numbers_of(self, name: str) -> tuple[int, ...]:
        if not self._lines.numbers:
            return ()  # many open pools have no cards yet
        numbers = self._lines.find_name(fold(name))
        number = None if numbers else self._number_of_code(name)
        return numbers if number is None else (number,)

    def _number_of_code(self, code: str) -> int | None:
        number = self._lines.ids.get(code)
        can_be_code = any(letter.isdigit() for letter in code) and " " not in code.strip()
        return self._printing_ids.get(code) if number is None and can_be_code else number

    @cached_property
    def _printing_ids(self) -> Mapping[str, int]:
        """Printing id → number of its card's line in the pool. Decodes every card with printings."""
        return {
            printing.id: number
            for number in reversed(self._lines.numbers_with_printings)
            for printing in self._card(number).printings
            if printing.id
        }

    def counted_as(self, card: Card) -> Card:
        """Return the card that copies of `card` count as: usually `card` itself."""
        if card.counts_as is None:
            return card
        return self.find(card.counts_as) or card

    def names(self) -> tuple[str, ...]:
        """Return the names of all cards in file order, each followed by its aliases."""
        return self._lines.names()

    def near(self, name: str, *, limit: int = 3) -> tuple[str, ...]:
        """Return up to `limit` names and aliases that resemble `name`, the most similar first."""
        return self._near.near(name, limit=limit)

    @cached_property
    def _near(self) -> NearNames:
        return NearNames(self.names())

    def has_key(self, key: str) -> bool:
        """Return whether any line of the pool has a key, at any depth. Decodes no card."""
        quoted_key = json.dumps(key, ensure_ascii=False).encode()
        return any(quoted_key in part for part in self._files)

    def __iter__(self) -> Iterator[Card]:
        return (self._card(number) for number in self._lines.numbers)

    def __len__(self) -> int:
        return len(self._lines.numbers)

    def __bool__(self) -> bool:
        return True  # an empty pool is a pool

    def __contains__(self, name: str) -> bool:
        return name in self._lines.numbers_by_name or bool(self._numbers_of(name))

    def _card(self, number: int) -> Card:
        card = self._cards.get(number)
        if card is None:
            lines = self._lines
            place = lines.place(number)
            card = read_card(lines.texts[number], self.schema, set_code=lines.code(number), place=place)
            self._cards[number] = card
        return card


def parse_pool(pool_toml: str, sets: Mapping[str, str | bytes], *, source: str) -> Pool:
    """Parse a pool. Raises TourneyError with file, line and key path.

    sets:   code → the content of the set file (JSON Lines, UTF-8)
    source: the name of the `pool.toml` in messages
    """
    schema = parse_schema(pool_toml, source=source)
    files = {code: text.encode() if isinstance(text, str) else text for code, text in sets.items()}
    return Pool(schema, files, source=source, head=pool_toml.encode())


def open_pool(game: str) -> Pool:
    """Return an empty, incomplete pool, for a game whose cards are not installed."""
    return parse_pool(
        f"game = {json.dumps(game, ensure_ascii=False)}\ncomplete = false\n",
        {},
        source=f"{game} (no card pool installed)",
    )


# -- the lines of the set files


class _Head(Struct, frozen=True, gc=False):
    """The part of a card's line in a set file that is needed to find the card."""

    name: str
    id: str = ""
    aliases: tuple[str, ...] = ()


_HEAD = msgspec.json.Decoder(_Head)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class PoolLines:
    """The lines of all set files, numbered from 0 in the order of the sets' codes.

    Every index is built when it is first needed. For a deck whose names are written exactly as in the pool,
    the index `numbers_by_name` suffices.

    folder:  the folder of the files, for messages
    codes:   the codes of the sets
    texts:   all lines
    numbers: the numbers of the lines with a card
    """

    def __init__(self, sets: Mapping[str, bytes], folder: str = "") -> None:
        self._folder = folder
        self.codes = tuple(sorted(sets))
        self.texts: list[bytes] = []
        self._set_starts: list[int] = []
        for code in self.codes:
            self._set_starts.append(len(self.texts))
            self.texts += split_lines(sets[code])
        self.numbers = [number for number, text in enumerate(self.texts) if text and not text.isspace()]
        self._heads = self._decode_heads()

    def _decode_heads(self) -> list[_Head]:
        try:
            return [_HEAD.decode(self.texts[number]) for number in self.numbers]
        except (msgspec.DecodeError, ValueError, RecursionError):  # decode again, to name the line
            return [
                decode_json(_HEAD, self.texts[number], source=self.place(number)) for number in self.numbers
            ]

    @cached_property
    def numbers_with_printings(self) -> tuple[int, ...]:
        """The numbers of the lines that contain `"printings"`; cards on other lines have none."""
        return tuple(number for number in self.numbers if b'"printings"' in self.texts[number])

    @cached_property
    def numbers_by_name(self) -> Mapping[str, int]:
        """Name as written → line number.

        If several cards have the name, it is the line of the card whose id sorts first.
        """
        numbers = dict(zip((head.name for head in self._heads), self.numbers, strict=True))
        if len(numbers) < len(self._heads):
            by_id = sorted(self._reversed_heads(), key=lambda pair: pair[0].id, reverse=True)
            numbers = {head.name: number for head, number in by_id}
        return numbers

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Id → line number; the first of the lines with this id. `pool check` reports the others."""
        return {head.id: number for head, number in self._reversed_heads() if head.id}

    def _reversed_heads(self) -> Iterator[tuple[_Head, int]]:
        return zip(reversed(self._heads), reversed(self.numbers), strict=True)

    def find_name(self, key: FoldedName) -> tuple[int, ...]:
        """Return the line numbers of the cards whose folded name is `key`.

        If no card has this name, returns the lines of the cards with this alias. Without such an alias,
        returns the lines of the cards whose front face has the name, as `Brazen Borrower // Petty Theft` for
        `Brazen Borrower`. Returns an empty tuple if no card fits, or if cards with different names have this
        front face.
        """
        last_numbers, shared_numbers = self._by_key
        number = last_numbers.get(key)
        if number is None:
            return self._aliases.get(key) or self._front_faces.get(key, ())
        return shared_numbers.get(key) or (number,)

    @cached_property
    def _by_key(self) -> tuple[Mapping[FoldedName, int], Mapping[FoldedName, tuple[int, ...]]]:
        """Two mappings from folded names to line numbers.

        The first has the last line of each name. The second has all lines of each name that several cards
        share.
        """
        keys = fold_all([head.name for head in self._heads])
        last_numbers = dict(zip(keys, self.numbers, strict=True))
        shared_numbers: dict[FoldedName, tuple[int, ...]] = {}
        if len(last_numbers) < len(keys):
            for key, number in zip(keys, self.numbers, strict=True):
                if number != last_numbers[key]:
                    shared_numbers[key] = (*shared_numbers.get(key, ()), number)
            shared_numbers = {key: (*numbers, last_numbers[key]) for key, numbers in shared_numbers.items()}
        return last_numbers, shared_numbers

    @cached_property
    def _aliases(self) -> Mapping[FoldedName, tuple[int, ...]]:
        numbers: dict[FoldedName, tuple[int, ...]] = {}
        for head, number in zip(self._heads, self.numbers, strict=True):
            for alias in head.aliases:
                key = fold(alias)
                numbers[key] = (*numbers.get(key, ()), number)
        return numbers

    @cached_property
    def _front_faces(self) -> Mapping[FoldedName, tuple[int, ...]]:
        last_numbers, shared_numbers = self._by_key
        keys_by_front: dict[FoldedName, list[FoldedName]] = {}
        for key in last_numbers:
            front, separator, _ = key.partition(FACE_SEPARATOR)
            if separator:
                keys_by_front.setdefault(FoldedName(front), []).append(key)
        return {
            front: shared_numbers.get(keys[0]) or (last_numbers[keys[0]],)
            for front, keys in keys_by_front.items()
            if len(keys) == 1
        }

    def names(self) -> tuple[str, ...]:
        """Return the names of all cards in file order, each followed by its aliases."""
        return tuple(name for head in self._heads for name in (head.name, *head.aliases))

    def find_any_name(self, keys: Collection[FoldedName]) -> list[bytes]:
        """Return the lines of all cards that have a name in `keys`, as they are in the set files.

        The names of a card are its name, its id and its aliases, each in the form of `fold`.
        """
        key_set = set(keys)
        return [
            self.texts[number]
            for head, number in zip(self._heads, self.numbers, strict=True)
            if not key_set.isdisjoint(map(fold, (head.name, head.id, *head.aliases)))
        ]

    def code(self, number: int) -> str:
        """Return the code of the set whose file contains a line, by the number of the line."""
        return self.codes[self._set_index(number)]

    def place(self, number: int) -> str:
        """Return the file and line of a line number, such as `cardpools/redline/core.jsonl:7`."""
        index = self._set_index(number)
        return f"{self._folder}{self.codes[index]}.jsonl:{number - self._set_starts[index] + 1}"

    def _set_index(self, number: int) -> int:
        return bisect_right(self._set_starts, number) - 1


def split_lines(content: bytes) -> list[bytes]:
    """Return the lines of a set file, without a byte-order mark."""
    return content.removeprefix(_BYTE_ORDER_MARK).split(b"\n")


# -- the line of a card


class _Line(Struct, frozen=True):
    """What a card's line in a set file contains besides the card's attributes."""

    name: str
    id: str = ""
    aliases: tuple[str, ...] = ()
    counts_as: str | None = None
    version: str | None = None
    note: str | None = None
    unknown: tuple[str, ...] = ()
    printings: tuple[dict[str, Any], ...] = ()


_LINE = msgspec.json.Decoder(_Line, float_hook=parse_number_literal)
_ALL_KEYS = msgspec.json.Decoder(dict[str, Any], float_hook=parse_number_literal)


def read_card(line: bytes, schema: Schema, *, set_code: str, place: str) -> Card:
    """Read the line of a card.

    Raises TourneyError if the line is not JSON, has no name, or has a value that does not fit its attribute.
    Keeps attributes that the pool does not declare, which `tourney pool check` reports.

    place: file and line, for messages
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


_PYTHON_TYPES: Mapping[AttributeKind, type] = {
    AttributeKind.TEXT: str,
    AttributeKind.NUMBER: int,
    AttributeKind.FLAG: bool,
}


def _attributes(line: bytes, schema: Schema, place: str) -> Mapping[str, Value | None]:
    values: dict[str, Value | None] = {}
    for key, value in decode_json(_ALL_KEYS, line, source=place).items():
        if key in RESERVED:
            continue
        if type(value) is int and not -NUMBER_LIMIT < value < NUMBER_LIMIT:
            raise TourneyError(f"{place}: {key}: a number with more than {MAX_DIGITS} digits")
        attribute = schema.attributes.get(key)
        # Most values of a pool need no further check, and a thousand decks read all of it.
        is_plain = attribute and not attribute.values and type(value) is _PYTHON_TYPES.get(attribute.kind)
        if is_plain:
            values[key] = value
            continue
        problem = attribute.problem(value) if attribute else _undeclared_problem(key, value)
        if problem:
            raise TourneyError(f"{place}: {problem}")
        values[key] = _value(value, attribute)
    return MappingProxyType(values)


def _undeclared_problem(key: str, value: object) -> str | None:
    is_scalar = value is None or isinstance(value, str | int | Fraction | bool)
    is_list = isinstance(value, list) and AttributeKind.LIST.fits(value)
    return (
        None if is_scalar or is_list else f"{key}: expected text, a number, true or false or a list of texts"
    )


def _value(value: Any, attribute: Attribute | None) -> Value | None:
    if isinstance(value, list):
        return tuple(item for item in value if item != "")
    if isinstance(value, str) and attribute and attribute.kind is AttributeKind.LIST:
        return (value,) if value else ()
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


_PRINTING_KEYS = frozenset({"set", "number", "id", "released", "note", "status"})
_NO_OTHERS: Mapping[str, Any] = MappingProxyType({})  # shared, because a large pool has 100,000 printings


def _printing(entry: dict[str, Any], set_code: str, place: str) -> Printing:
    for key, value in entry.items():
        if isinstance(value, dict) or (isinstance(value, list) and key in _PRINTING_KEYS):
            raise TourneyError(f"{place}: printings: {key}: expected text, found {type_words(value)}")
    status = entry.get("status", Status.CURRENT.word)
    if status not in STATUS_WORDS:
        words = ", ".join(f"`{word}`" for word in STATUS_WORDS)
        raise TourneyError(f"{place}: printings: unknown status `{status}`; choose from {words}")
    other_fields = {key: value for key, value in entry.items() if key not in _PRINTING_KEYS}
    texts = {key: None if entry.get(key) is None else str(entry[key]) for key in _PRINTING_KEYS}
    return Printing(
        set=texts["set"] or set_code,
        number=texts["number"],
        id=texts["id"],
        released=texts["released"],
        note=texts["note"],
        status=STATUS_WORDS[status],
        attributes=MappingProxyType(other_fields) if other_fields else _NO_OTHERS,
    )


def slug(name: str) -> str:
    """Return an id made from a name: lower case letters and digits joined by `_`.

    >>> slug("Ra'ebur, Great White Wyvern"), slug("Sword & Shield"), slug("A.L. Armstrong")
    ('ra_ebur_great_white_wyvern', 'sword_and_shield', 'a_l_armstrong')
    """
    key = fold(name.replace("&", " and "))
    words = "".join(letter if letter.isalnum() else " " for letter in key).split()
    return "_".join(words) or "card"


# -- every problem of a pool's files at once


def lint_pool(pool_toml: str, sets: Mapping[str, str | bytes], *, source: str) -> tuple[Finding, ...]:
    """Check the files of a pool. Returns the problems as findings; none if the pool is sound.

    Checks that every line is a card, that ids, names and aliases are unique, also when folded, that
    attributes are declared, that numbers are within the game's limits, that `counts_as` names a card, and
    that `pool.toml` describes the set of every printing.

    sets: code → the content of the set file
    """
    try:
        schema = parse_schema(pool_toml, source=source)
    except TourneyError as error:
        return (_finding("pool-file", error.message, hint=error.hint),)
    cards: list[Card] = []
    findings: list[Finding] = []
    for code in sorted(sets):
        text = sets[code]
        for number, line in enumerate(split_lines(text.encode() if isinstance(text, str) else text), start=1):
            if not line or line.isspace():
                continue
            try:
                cards.append(read_card(line, schema, set_code=code, place=f"{code}.jsonl:{number}"))
            except TourneyError as error:
                findings.append(_finding("card-line", error.message))
    return (
        *findings,
        *_card_findings(cards, schema, sets),
        *_id_findings(cards),
        *_name_findings(cards, schema),
        *_counts_as_findings(cards, schema),
    )


def _card_findings(cards: Iterable[Card], schema: Schema, sets: Iterable[str]) -> Iterator[Finding]:
    """Yield the problems of single cards, which do not depend on other cards."""
    known_sets = {fold(code) for code in (*schema.sets, *sets)}
    for card in cards:
        for name in [*card.attributes, *card.unknown]:
            if name not in schema.attributes:
                problem = f"{card.name}: the pool declares no attribute `{name}`"
                yield _finding("attribute", problem, card, hint="declare it in pool.toml under [attributes]")
        for attributes in (card.attributes, *(printing.attributes for printing in card.printings)):
            for name, value in attributes.items():
                attribute = schema.attributes.get(name)
                if attribute and (excess := attribute.excess(value)):
                    yield _finding("too-high", f"{card.name}: {excess}", card, hint=attribute.about or None)
        unknown_sets = [printing.set for printing in card.printings if fold(printing.set) not in known_sets]
        if unknown_sets and schema.sets:
            problem = f"{card.name}: pool.toml does not describe the set `{unknown_sets[0]}`"
            yield _finding("set", problem, card, severity=Severity.ADVICE)


def _id_findings(cards: Iterable[Card]) -> Iterator[Finding]:
    first_by_id: dict[str, Card] = {}
    for card in cards:
        first = first_by_id.setdefault(card.id, card)
        if first is not card:
            yield _finding("id", f"the id `{card.id}` is taken by {first.name} ({first.place})", card)


class _Use(Struct, frozen=True):
    """A name that a card uses: its own, or an alias."""

    name: str
    card: Card
    is_own: bool


def _name_findings(cards: Iterable[Card], schema: Schema) -> Iterator[Finding]:
    uses_by_key: dict[str, list[_Use]] = {}
    for card in cards:
        for name in (card.name, *card.aliases):
            uses_by_key.setdefault(fold(name), []).append(_Use(name, card, name == card.name))
    for first, *other_uses in uses_by_key.values():
        owner = f"{first.card.name} ({first.card.place})"
        for use in other_uses:
            if schema.key == "id" and use.is_own and first.is_own:
                continue  # cards that ids identify may share a name
            if use.card is first.card:
                problem = f"the alias `{use.name}` repeats the card's name"
                yield _finding("name", problem, use.card, severity=Severity.ADVICE)
            elif use.name == first.name:
                yield _finding("name", f"`{use.name}` is taken by {owner}", use.card)
            else:
                problem = f"a list cannot distinguish `{use.name}` from `{first.name}` of {owner}"
                reason = "case, accents, quotes and spaces are ignored"
                yield _finding("folded", f"{problem}: {reason}", use.card)


def _counts_as_findings(cards: list[Card], schema: Schema) -> Iterator[Finding]:
    names = {fold(name) for card in cards for name in (card.name, *card.aliases)}
    references = names | {card.id for card in cards}
    for card in cards:
        other = card.counts_as
        if other is not None and schema.complete and not {other, fold(other)} & references:
            yield _finding(
                "counts-as", f"{card.name}: counts as `{other}`, which is not a card of this pool", card
            )


def _finding(
    rule: str,
    problem: str,
    card: Card | None = None,
    *,
    severity: Severity = Severity.ERROR,
    hint: str | None = None,
) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        message=f"{card.place}: {problem}" if card else problem,
        subjects=(card.name,) if card else (),
        hint=hint,
    )


# -- JSON documents


class CardHit(Struct, frozen=True):
    """A card whose name was found.

    game: the game, by its id
    name: the name of the card, or one of its other names
    exact: whether the name contains all words of the search; otherwise it only resembles them
    """

    game: str
    name: str
    exact: bool


class CardHits(Document, frozen=True, tag="tourney.card-find/1"):
    """What `tourney card find WORD --json` prints. cards: the cards that were found."""

    cards: tuple[CardHit, ...]


class ShownCard(Struct, frozen=True):
    """Everything that a pool knows about a card.

    game: the game, by its id
    id: the card's id in the pool
    name: the name as printed
    attributes: attribute to value; null for an attribute that the card does not have
    unknown: attributes whose values the pool does not know
    aliases: other names of the card
    counts_as: the name that the card counts as; null if that is its own
    version: what distinguishes the card from others of the same name; null if there is nothing
    printings: the printings, each with its set, number, status and attributes of its own
    banlists: the ban lists in force today that name the card: name of the list to its entry for the card
    note: a remark of the pool; null if there is none
    """

    game: str
    id: str
    name: str
    attributes: Mapping[str, Any]
    unknown: tuple[str, ...]
    aliases: tuple[str, ...]
    counts_as: str | None
    version: str | None
    printings: tuple[Mapping[str, Any], ...]
    banlists: Mapping[str, str]
    note: str | None


class ShownCards(Document, frozen=True, tag="tourney.card/1"):
    """What `tourney card show NAME --json` prints. cards: the card in each game that has it."""

    cards: tuple[ShownCard, ...]


def attributes_of(pool: Pool, card: Card) -> dict[str, Any]:
    """Return a card's attributes: those the pool declares, then those that only the card has."""
    own_names = [name for name in card.attributes if name not in pool.attributes]
    return {name: card.get(name) for name in [*pool.attributes, *own_names]}


def shown_card(pool: Pool, card: Card, banlists: Mapping[str, str]) -> ShownCard:
    """Return everything that a pool knows about a card."""
    values = attributes_of(pool, card)
    return ShownCard(
        game=pool.game,
        id=card.id,
        name=card.name,
        attributes={
            name: None if value is NONE else value for name, value in values.items() if value is not UNKNOWN
        },
        unknown=tuple(name for name, value in values.items() if value is UNKNOWN),
        aliases=tuple(card.aliases),
        counts_as=card.counts_as,
        version=card.version,
        printings=tuple(
            {
                "set": printing.set,
                "number": printing.number,
                "status": printing.status.word,
                **printing.attributes,
            }
            for printing in card.printings
        ),
        banlists=banlists,
        note=card.note,
    )


class PoolSummary(Struct, frozen=True, kw_only=True):
    """A card pool.

    game: the game, by its id
    name: the name of the game
    cards: the number of cards
    complete: whether the pool has every card of the game
    sets: the sets that have cards
    sources: where the cards are from
    digest: the SHA-256 of the pool
    """

    game: str
    name: str
    cards: int
    complete: bool
    sets: tuple[str, ...]
    sources: tuple[str, ...]
    digest: str


class ListedPool(PoolSummary, frozen=True, kw_only=True):
    """A card pool that is installed.

    where: the folder, or `shipped` for a pool that comes with the program
    """

    where: str


class PoolList(Document, frozen=True, tag="tourney.pool-list/1"):
    """What `tourney pool list --json` prints. pools: the installed card pools."""

    pools: tuple[ListedPool, ...]


def pool_summary(pool: Pool) -> PoolSummary:
    """Return a pool without its cards."""
    return PoolSummary(
        game=pool.game,
        name=pool.schema.name,
        cards=len(pool),
        complete=pool.complete,
        sets=tuple(pool.sets_with_cards),
        sources=tuple(pool.schema.sources),
        digest=pool.digest,
    )


def listed_pool(pool: Pool, where: str) -> ListedPool:
    """Return a pool, without its cards, for the list of installed pools.

    where: the folder, or `shipped` for a pool that comes with the program
    """
    return ListedPool(**structs.asdict(pool_summary(pool)), where=where)
