"""New cards among those that are there: no name, alias or id twice, nothing that the proofreader would refuse.

Where a pool tells its cards apart by id (`key = "id"`), several may share a name, and a card whose id is there is there.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from tourney.cards.names import fold
from tourney.cards.pool import Pool
from tourney.cards.reading import read_card, slug
from tourney.cards.schema import Schema
from tourney.errors import TourneyError

NewCard = tuple[str, dict[str, Any]]
"""Where a card stands in its table (`line 7`), and what would be written into the set file."""


class Settling:
    """Lets new cards in one by one. others: the pool's other sets; unused: grows by what is left out."""

    def __init__(self, schema: Schema, others: Pool | None, unused: list[str]) -> None:
        self._schema = schema
        self._unused = unused
        self._by_id = schema.key == "id"
        self._names: dict[str, str] = {}
        self._own: set[str] = set()  # names that are a card's own, not an alias
        self._ids: dict[str, str] = {}
        self._taken: defaultdict[str, int] = defaultdict(
            lambda: 1
        )  # how far an id that many want was numbered
        for card in others or ():
            self._ids[card.id] = "another set of the pool"
            self._own.add(fold(card.name))
            self._names |= dict.fromkeys(map(fold, (card.name, *card.aliases)), "another set of the pool")

    def settle(self, cards: Iterable[NewCard]) -> list[dict[str, Any]]:
        """Return the cards that are let in. All names come before any alias: an alias never takes a card's own name."""
        entered = list(self._entered(cards))
        for place, card in entered:
            self._aliases(place, card)
        for place, card in entered:
            self._counted(place, card)
        return [card for _, card in entered]

    def _entered(self, cards: Iterable[NewCard]) -> Iterator[NewCard]:
        for place, card in cards:
            key = fold(card["name"])
            fault = self._fault(card)
            if known := self._known(card["name"], card["id"]):
                self._unused.append(f"{place}: {known}")
            elif not key or fault:
                self._unused.append(f"{place}: {card['name']}: {fault or 'no name'}")
            else:
                self._names[key] = place
                self._own.add(key)
                card["id"] = self._free_id(card["id"])
                self._ids[card["id"]] = place
                yield place, card

    def _known(self, name: str, card_id: str) -> str:
        """Say that a card is there already."""
        key = fold(name)
        if not self._by_id:
            told = (
                f'; a pool with `key = "id"` has both, `{card_id}` is another id'
                if card_id != slug(name) and card_id not in self._ids
                else ""
            )
            return f"`{name}` is there already ({self._names[key]}){told}" if key in self._names else ""
        if card_id in self._ids:
            return f"the id `{card_id}` is there already ({self._ids[card_id]}); by ids the cards of this pool are told apart"
        if key in self._names and key not in self._own:
            return f"`{name}` is another name of a card that is there ({self._names[key]})"
        return ""

    def _fault(self, card: dict[str, Any]) -> str:
        """Say what the proofreader would: the card is read as it will be."""
        try:
            line = json.dumps(card, allow_nan=False).encode()
            read_card(line, self._schema, set_code="new", place="")
        except ValueError as fault:
            return str(fault)
        except TourneyError as fault:
            return fault.message.removeprefix(": ")
        return ""

    def _free_id(self, wanted: str) -> str:
        free = wanted
        while free in self._ids:
            self._taken[wanted] += 1
            free = f"{wanted}_{self._taken[wanted]}"
        return free

    def _aliases(self, place: str, card: dict[str, Any]) -> None:
        kept = []
        for alias in card.pop("aliases", ()):
            key = fold(alias)
            if key and key not in self._names:
                self._names[key] = place
                kept.append(alias)
            elif key != fold(card["name"]):
                self._unused.append(f"{place}: {card['name']}: `{alias}` is the name of another card")
        if kept:
            card["aliases"] = kept

    def _counted(self, place: str, card: dict[str, Any]) -> None:
        other = card.get("counts_as")
        if other and self._schema.complete and fold(other) not in self._names and other not in self._ids:
            self._unused.append(f"{place}: {card['name']}: counts as `{other}`, which is no card here")
            del card["counts_as"]
