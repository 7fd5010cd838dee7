"""`tourney card`: look up a card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from tourney.cards.card import Card
from tourney.cards.names import fold, suggestion
from tourney.cards.pool import CardHit, CardHits, Pool, ShownCards, attributes_of, shown_card
from tourney.cli.command import noun
from tourney.cli.options import cards, pools, positive, repeatable
from tourney.cli.output import align_rows, style_text
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.store.data import Library

cli = noun("card")

_game = repeatable("--game", metavar="GAME", shell_complete=pools, help="Search only the pool of this game.")


@cli.command("find")
@click.argument("words", nargs=-1, required=True)
@_game
@positive("--limit", default=50, show_default=True, help="The maximum number of cards to show.")
def find(session: Session, words: Sequence[str], game: Sequence[str], limit: int) -> None:
    """Find cards whose names have all of these words, or else cards with similar names.

    Case, accents and quotes do not matter.

    Examples:
      tourney card find horse
      tourney card find great wyvern --game dimrift
      tourney card find Tigrecat
    """
    library = session.library()
    pools_ = _pools(library, game)
    matches = [(pool, name) for pool in pools_ for name in _matching_names(pool, words)]
    similar_cards = (
        [] if matches else [(pool, name) for pool in pools_ for name in pool.near(" ".join(words))]
    )
    results = (matches or similar_cards)[:limit]
    hits = tuple(CardHit(game=pool.game, name=name, exact=bool(matches)) for pool, name in results)
    session.emit(CardHits(cards=hits))
    if not (results or session.json):
        raise TourneyError(f"no card has a name like `{' '.join(words)}`", _searched_pools(pools_))
    if similar_cards:
        session.talk("no card has all of these words in its name; similar names:")
    session.table((), [[name, _alias_of(pool, name), pool.game] for pool, name in results])
    if len(matches) > limit:
        session.talk(f"and {len(matches) - limit} more (--limit)")


def _matching_names(pool: Pool, words: Sequence[str]) -> Iterator[str]:
    folded_words = [fold(word) for word in words]
    return (name for name in pool.names() if all(word in fold(name) for word in folded_words))


def _alias_of(pool: Pool, name: str) -> str:
    card = pool.find(name)
    return f"is {card.name}" if card and card.name != name else ""


def _searched_pools(pools_: Sequence[Pool]) -> str:
    sizes = [f"{pool.game} ({len(pool)} cards{'' if pool.complete else ', incomplete'})" for pool in pools_]
    return f"card pools searched: {', '.join(sizes)}"


def _pools(library: Library, games: Sequence[str]) -> list[Pool]:
    return [library.pool(name) for name in games or library.pools()]


@cli.command("show")
@click.argument("name", nargs=-1, required=True, shell_complete=cards)
@_game
def show(session: Session, name: Sequence[str], game: Sequence[str]) -> None:
    """Show a card: attributes, other names, printings, and today's entries in ban lists.

    `none` means that the card does not have the attribute, `unknown` that the pool does not know its value.

    Examples:
      tourney card show Tigercat
      tourney card show "Valiant Horse" --game dimrift --json
    """
    library = session.library()
    typed_name = " ".join(name)
    pools_ = _pools(library, game)
    matches = [(pool, card) for pool in pools_ for card in pool.find_all(typed_name)]
    if not matches:
        similar_names = [similar_name for pool in pools_ for similar_name in pool.near(typed_name, limit=1)]
        question = f"; {suggestion(typed_name, similar_names)}" if similar_names else ""
        raise TourneyError(f"no pool has a card `{typed_name}`{question}", _searched_pools(pools_))
    banlists = [dict(_banlists(session, library, pool, card)) for pool, card in matches]
    hits = [shown_card(pool, card, entry) for (pool, card), entry in zip(matches, banlists, strict=True)]
    session.emit(ShownCards(cards=tuple(hits)))
    for place, ((pool, card), entry) in enumerate(zip(matches, banlists, strict=True)):
        if place:
            session.say()
        session.say(_lines(pool, card, entry))


def _banlists(session: Session, library: Library, pool: Pool, card: Card) -> Iterator[tuple[str, str]]:
    """Yield each ban list of the game that names the card today, with the card's entry."""
    from tourney.rules.banlist import status

    names = {fold(alias) for alias in (card.name, *card.aliases)}
    for name in library.banlist_names():
        banlist = library.banlist(name, session.now().date()) if name.startswith(f"{pool.game}/") else None
        copies = {fold(key): number for key, number in banlist.cards.items()} if banlist else {}
        hit = names & copies.keys()
        if hit:
            yield name, status(copies[min(hit)])


def _lines(pool: Pool, card: Card, banlists: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a card: its name, then its attributes in two columns."""
    yield style_text(card.name, bold=True) + f" ({pool.schema.name}, id {card.id})"
    rows = [(name, _format_value(value)) for name, value in attributes_of(pool, card).items()]
    rows += [("also called", ", ".join(card.aliases))] if card.aliases else []
    rows += [("counts as", card.counts_as)] if card.counts_as else []
    rows += [("version", card.version)] if card.version else []
    rows += [("printing", _printing(pool, printing)) for printing in card.printings]
    rows += banlists.items()
    rows += [("note", card.note)] if card.note else []
    yield from (f"  {line}" for line in align_rows(rows))


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _printing(pool: Pool, printing: Any) -> str:
    info = pool.sets.get(printing.set)
    name = f"{info.name} ({printing.set})" if info and info.name != printing.set else printing.set
    details = [f"number {printing.number}"] if printing.number else []
    details += [printing.status.word] if printing.status else []
    details += [f"{key} {value}" for key, value in printing.attributes.items()] if printing.status else []
    details += [printing.note] if printing.note else []
    return ", ".join([name, *details])
