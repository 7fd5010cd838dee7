"""JSON documents about cards and pools: structs, and the functions that make them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import structs

from tourney.cards.card import NONE, UNKNOWN, Card
from tourney.cards.pool import Pool
from tourney.document import Document


class CardHit(msgspec.Struct, frozen=True):
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


class ShownCard(msgspec.Struct, frozen=True):
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
    banlists: name of a ban list to what it says about the card; only lists in force today that name it
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
    own = [name for name in card.attributes if name not in pool.attributes]
    return {name: card.get(name) for name in [*pool.attributes, *own]}


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


class PoolSummary(msgspec.Struct, frozen=True, kw_only=True):
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

    game: the game, by its id
    name: the name of the game
    cards: the number of cards
    complete: whether the pool has every card of the game
    sets: the sets that have cards
    sources: where the cards are from
    digest: the SHA-256 of the pool
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
    """Return a pool without its cards, and where it is."""
    return ListedPool(**structs.asdict(pool_summary(pool)), where=where)
