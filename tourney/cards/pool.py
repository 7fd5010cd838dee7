"""A pool: the cards of a game, found by name, alias or id; read only as far as they are asked for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property

from tourney.cards.card import Card
from tourney.cards.lines import Lines
from tourney.cards.names import fold
from tourney.cards.near_names import NearNames
from tourney.cards.reading import read_card
from tourney.cards.schema import Attribute, Schema, SetInfo, parse_schema


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
        found = self.find_all(name)
        return found[0] if found else None

    def find_all(self, name: str) -> tuple[Card, ...]:
        """Return every card that `name` may mean, by id: more than one where names are shared."""
        numbers = self._numbers_of(name)
        if len(numbers) == 1:
            return (self._card(numbers[0]),)
        return tuple(sorted(map(self._card, numbers), key=lambda card: (card.id, card.name)))

    def _numbers_of(self, name: str) -> tuple[int, ...]:
        key = fold(name)
        found = self._lines.folded.get(key) or self._lines.aliases.get(key)
        if found:
            return found
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

    def line_of(self, card: Card) -> bytes:
        """Return the bytes of the card's line: what an event keeps of the pool. KeyError if it is not in here."""
        number = self._lines.ids.get(card.id)
        return self._lines.texts[self._lines.exact[card.name] if number is None else number].strip()

    def _card(self, number: int) -> Card:
        card = self._cards.get(number)
        if card is None:
            lines = self._lines
            place = lines.place(number)
            card = read_card(lines.texts[number], self.schema, set_code=lines.code(number), place=place)
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
