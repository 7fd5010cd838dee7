"""`tourney card`: looking a card up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import noun
from tourney.cli.options import cards, pools
from tourney.cli.output import padded, styled, width
from tourney.cli.session import Session
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.cards.card import Card
    from tourney.cards.pool import Pool
    from tourney.store.data import Library

cli = noun("card")

_game = click.option(
    "--game", metavar="GAME", multiple=True, shell_complete=pools, help="Only in this game's pool."
)


@cli.command(
    "find",
    examples=[
        "tourney card find horse",
        "tourney card find great wyvern --game dimrift",
        "tourney card find Tigrecat",
    ],
)
@click.argument("words", nargs=-1, required=True)
@_game
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Show at most this many."
)
def find(session: Session, words: Sequence[str], game: Sequence[str], limit: int) -> None:
    """Find cards by words of their names, or near names where none has them.

    Case, accents and quotes do not matter.
    """
    library = session.library()
    pools_ = _pools(library, game)
    matches = [(pool, name) for pool in pools_ for name in _having(pool, words)]
    near = [] if matches else [(pool, name) for pool in pools_ for name in pool.near(" ".join(words))]
    shown = (matches or near)[:limit]
    if session.json:
        rows = [{"game": pool.game, "name": name, "exact": bool(matches)} for pool, name in shown]
        session.emit("card-find/1", {"cards": rows})
        return
    if not shown:
        raise TourneyError(f"no card is called anything like `{' '.join(words)}`", _where(pools_))
    if near:
        session.talk("no card has these words in its name; near ones:")
    session.table((), [[name, _alias_of(pool, name), pool.game] for pool, name in shown])
    if len(matches) > limit:
        session.talk(f"and {len(matches) - limit} more (--limit)")


def _having(pool: Pool, words: Sequence[str]) -> Iterator[str]:
    from tourney.cards.names import fold

    folded = [fold(word) for word in words]
    return (name for name in pool.names() if all(word in fold(name) for word in folded))


def _alias_of(pool: Pool, name: str) -> str:
    card = pool.find(name)
    return f"is {card.name}" if card and card.name != name else ""


def _where(pools_: Sequence[Pool]) -> str:
    sizes = [f"{pool.game} ({len(pool)} cards{'' if pool.complete else ', open'})" for pool in pools_]
    return f"looked in {', '.join(sizes)}"


def _pools(library: Library, games: Sequence[str]) -> list[Pool]:
    return [library.pool(name) for name in games or library.pools()]


@cli.command(
    "show", examples=["tourney card show Tigercat", 'tourney card show "Valiant Horse" --game dimrift --json']
)
@click.argument("name", nargs=-1, required=True, shell_complete=cards)
@_game
def show(session: Session, name: Sequence[str], game: Sequence[str]) -> None:
    """Show all that the pool knows of a card: attributes, other names, printings, ban lists of today.

    `none` is a blank: the card has no such thing. `unknown` is what nobody wrote down.
    """
    library = session.library()
    written = " ".join(name)
    pools_ = _pools(library, game)
    matches = [(pool, card) for pool in pools_ for card in pool.find_all(written)]
    if not matches:
        from tourney.cards.names import suggestion

        near = [each for pool in pools_ for each in pool.near(written, limit=1)]
        question = f"; {suggestion(written, near)}" if near else ""
        raise TourneyError(f"no pool has a card `{written}`{question}", _where(pools_))
    listed = [[*_lists(session, library, pool, card)] for pool, card in matches]
    if session.json:
        objects = [_as_json(pool, card, lists) for (pool, card), lists in zip(matches, listed, strict=True)]
        session.emit("card/1", {"cards": objects})
        return
    for number, ((pool, card), lists) in enumerate(zip(matches, listed, strict=True)):
        if number:
            session.say()
        for line in _lines(pool, card, lists):
            session.say(line)


def _lists(session: Session, library: Library, pool: Pool, card: Card) -> Iterator[tuple[str, str]]:
    """Give the ban lists of the game that name the card today, with what they say."""
    from tourney.cards.names import fold
    from tourney.rules.banlist import status

    names = {fold(each) for each in (card.name, *card.aliases)}
    for name in library.banlist_names():
        banlist = library.banlist(name, session.now().date()) if name.startswith(f"{pool.game}/") else None
        copies = {fold(each): number for each, number in banlist.cards.items()} if banlist else {}
        hit = names & copies.keys()
        if hit:
            yield name, status(copies[min(hit)])


def _values(pool: Pool, card: Card) -> dict[str, Any]:
    """Return the attributes: those the pool declares, then what the card has besides."""
    return {
        name: card.get(name)
        for name in [*pool.attributes, *(each for each in card.attributes if each not in pool.attributes)]
    }


def _lines(pool: Pool, card: Card, lists: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield styled(card.name, bold=True) + f" ({pool.schema.name}, id {card.id})"
    rows = [(name, _said(value)) for name, value in _values(pool, card).items()]
    rows += [("also called", ", ".join(card.aliases))] if card.aliases else []
    rows += [("counts as", card.counts_as)] if card.counts_as else []
    rows += [("version", card.version)] if card.version else []
    rows += [("printing", _printing(pool, each)) for each in card.printings]
    rows += [(name, words) for name, words in lists]
    rows += [("note", card.note)] if card.note else []
    widest = max((width(name) for name, _ in rows), default=0)
    yield from (f"  {padded(name, widest)}  {value}" for name, value in rows)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _printing(pool: Pool, printing: Any) -> str:
    info = pool.sets.get(printing.set)
    name = f"{info.name} ({printing.set})" if info and info.name != printing.set else printing.set
    more = [f"number {printing.number}"] if printing.number else []
    more += [printing.status.word] if printing.status else []
    more += [f"{key} {value}" for key, value in printing.attributes.items()] if printing.status else []
    more += [printing.note] if printing.note else []
    return ", ".join([name, *more])


def _as_json(pool: Pool, card: Card, lists: Sequence[tuple[str, str]]) -> dict[str, Any]:
    from tourney.cards.card import NONE, UNKNOWN

    values = _values(pool, card)
    return {
        "game": pool.game,
        "id": card.id,
        "name": card.name,
        "attributes": {
            name: None if value is NONE else value for name, value in values.items() if value is not UNKNOWN
        },
        "unknown": [name for name, value in values.items() if value is UNKNOWN],
        "aliases": card.aliases,
        "counts_as": card.counts_as,
        "version": card.version,
        "printings": [
            {"set": each.set, "number": each.number, "status": each.status.word, **each.attributes}
            for each in card.printings
        ],
        "banlists": dict(lists),
        "note": card.note,
    }
