"""`tourney banlist diff`: what changed from one list to another, and which decks feel it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.completers import banlists, formats
from tourney.cli.exits import Exit
from tourney.cli.list_asked import list_asked
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.event.words import counted

if TYPE_CHECKING:
    from tourney.cards import Pool
    from tourney.decks.hits import Hit
    from tourney.rules import BanList, Format, Ruleset
    from tourney.rules.changes import Change
    from tourney.store.data import Library


@command(
    "diff",
    examples=[
        "tourney banlist diff red-diamond/example ./2026-12-01.toml",
        "tourney banlist diff red-diamond/example@2026-01-01 red-diamond/example --decks decks/",
    ],
)
@click.argument("old", metavar="OLD", type=click.Path(), shell_complete=banlists)
@click.argument("new", metavar="NEW", type=click.Path(), required=False, shell_complete=banlists)
@click.option(
    "--decks", metavar="DIR|FILE", multiple=True, help="Say which of these decks the change affects."
)
@click.option(
    "--format",
    "format_",
    metavar="NAME|FILE",
    shell_complete=formats,
    help="Hold the decks against this format.",
)
def diff(
    session: Session, old: str, new: str | None, decks: Sequence[str], format_: str | None
) -> Exit | None:
    """Say in words what changed from one ban list to another.

    OLD and NEW are a name (in force today), a name on a day (`game/list@2026-01-31`) or a file. With one name alone
    the list in force is compared with the one before it. Leaves with 1 if anything changed.
    """
    from tourney.rules.changes import changes

    library = session.library()
    before, after = _both(session, library, old, new)
    found = changes(before, after)
    hits = _hits(session, library, decks, _Comparison(before, after, found), format_)
    if session.json:
        session.emit(
            "banlist-diff/1",
            {
                "old": _named(before),
                "new": _named(after),
                "changes": found,
                "decks": [hit for hit in hits if hit.felt],
                "checked": len(hits),
            },
        )
    else:
        _tell(session, before, after, found, hits)
    return Exit.FOUND if found else None


def _named(banlist: BanList) -> dict[str, object]:
    return {
        "name": banlist.name,
        "from": banlist.day,
        "fingerprint": banlist.fingerprint,
        "digest": banlist.digest,
    }


def _both(session: Session, library: Library, old: str, new: str | None) -> tuple[BanList, BanList]:
    first = list_asked(session, library, old)
    if new is not None:
        return first, list_asked(session, library, new)
    name = old.partition("@")[0]
    earlier = [day for day in library.banlist_days(name) if day < first.day]
    if not earlier:
        raise TourneyError(f"{name}: there is no list before that of {first.day}", "name two lists")
    return library.read_banlist(library.banlist_file(name, earlier[-1])), first


@dataclass(frozen=True)
class _Comparison:
    """Two lists and what changed between them."""

    before: BanList
    after: BanList
    changes: Sequence[Change]


def _hits(
    session: Session, library: Library, decks: Sequence[str], compared: _Comparison, asked: str | None
) -> list[Hit]:
    if not decks:
        return []
    from tourney.cli.deck_files import deck_files
    from tourney.decks.hits import hit
    from tourney.decks.reading import read
    from tourney.decks.zones import words_of

    format_ = _format(library, compared.before.name, asked)
    pool = library.pool_of(format_) if format_ else None
    rules = (
        _rules(format_, pool, compared, session.now().date())
        if format_ is not None and pool is not None
        else None
    )
    words = {"vocabulary": words_of(format_)} if format_ else {}
    hits = []
    with session.progress(deck_files(tuple(decks)), "decks") as files:
        for file in files:
            decklist = read(file.content(session), source=file.source, **words)
            hits.append(hit(decklist, compared.changes, pool, rules))
    return hits


def _format(library: Library, name: str, asked: str | None) -> Format | None:
    """Return the format to hold the decks against: the one asked for, else the only one that asks for this list."""
    if asked:
        return library.format(asked)
    found = [each for each in map(library.format, library.formats()) if each.banlist == name]
    return found[0] if len(found) == 1 else None


def _rules(format_: Format, pool: Pool, compared: _Comparison, day: date) -> tuple[Ruleset, Ruleset]:
    from tourney.rules import Ruleset

    return Ruleset(format_, compared.before, pool, day), Ruleset(format_, compared.after, pool, day)


def _tell(
    session: Session, before: BanList, after: BanList, found: Sequence[Change], hits: Sequence[Hit]
) -> None:
    session.say(
        f"{before.name} of {before.day} ({before.fingerprint}) → {after.name} of {after.day} ({after.fingerprint})"
    )
    for change in found:
        session.say(f"  {change.words}")
    if not found:
        session.say("  nothing changed")
    felt = [hit for hit in hits if hit.felt]
    if felt:
        session.say()
        session.table((), [_row(hit) for hit in felt])
    if hits:
        session.talk(f"\n{len(felt)} of {counted(len(hits), 'deck')} feel it")


def _row(hit: Hit) -> list[str]:
    verdict = (
        "" if hit.before is None else hit.before if hit.before == hit.after else f"{hit.before} → {hit.after}"
    )
    return [hit.source, verdict, "; ".join(change.words for change in hit.changes)]
