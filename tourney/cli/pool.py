"""`tourney pool`: the cards of a game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tourney.cards.importing import SHAPES
from tourney.cards.pool import PoolList, listed_pool, pool_summary
from tourney.cli.command import noun
from tourney.cli.options import fetch_options, flag, pools
from tourney.cli.session import Exit, Session
from tourney.store.data import shipped
from tourney.store.files import display_path
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.store.pools import InstalledPool, PoolImport

cli = noun("pool")

_MOST_SHOWN = 20
"""The maximum number of sentences shown about unused data; --json has all."""


@cli.command("list")
def list_(session: Session) -> None:
    """List the card pools: number of cards, complete or open, sets, and folder.

    Examples:
      tourney pool list
    """
    library = session.library()
    paths = {name: library.find_pool(name).path for name in library.pools()}
    shipped_folder = shipped().cardpools
    summaries = tuple(
        listed_pool(
            library.pool(name),
            "shipped" if path.is_relative_to(shipped_folder) else display_path(path.parent),
        )
        for name, path in paths.items()
    )
    session.emit(PoolList(pools=summaries))
    rows = [
        [
            pool.game,
            pool.name,
            pool.cards,
            "complete" if pool.complete else "open",
            ", ".join(pool.sets),
            pool.where,
        ]
        for pool in summaries
    ]
    session.table(("game", "name", "cards", "", "sets", "where"), rows, right=(2,))


# -- check


@cli.command("check")
@click.argument("games", metavar="[GAME]...", nargs=-1, shell_complete=pools)
def check(session: Session, games: Sequence[str]) -> Exit | None:
    """Proofread all installed data: pools, ban lists, formats, standings profiles.

    The examples of formats are run, too. Exits with 1 if anything is wrong.

    Examples:
      tourney pool check
      tourney pool check redline --data ./club-data
    """
    from tourney.store.checking import DataChecks, check_library

    checks = list(check_library(session.library(), session.now().date(), games))
    session.emit(DataChecks.of(checks))
    session.table((), [[data.what, data.name, data.size, "" if data.sound else "wrong"] for data in checks])
    for data in checks:
        for finding in data.findings:
            session.say(f"\n{finding.message}  [{finding.rule}]")
            if finding.hint:
                session.say(f"    {finding.hint}")
    problems = sum(len(data.findings) for data in checks if not data.sound)
    session.talk(f"\n{counted(problems, 'problem')}" if problems else "\nno problems found")
    return None if all(data.sound for data in checks) else Exit.FOUND


# -- import


@cli.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", required=True, shell_complete=pools, help="The game of the cards.")
@click.option("--set", "code", metavar="SET", help="The set of the cards. Default: the file's name.")
@click.option(
    "--complete/--open",
    default=None,
    help="Whether the pool now has all cards of the game (complete) or not (open). "
    "Default: as before; a new pool is open.",
)
@click.option(
    "--key",
    type=click.Choice(["name", "id"]),
    help="What identifies the cards of a new pool; with `id`, several cards can share a name.",
)
@flag("--add-attributes", help="Also use the columns that the pool does not know.")
@flag("--replace", help="Move cards that other sets already have into this set.")
@flag("--accept", help="Import the cards even if the set or the pool shrinks.")
@flag("--try", "only_try", help="Show what would be done; write nothing.")
def import_(session: Session, file: Path, game: str, *, accept: bool, only_try: bool, **options: Any) -> None:
    """Import a table of cards (CSV, TSV, JSON, JSON Lines) as a set of a pool.

    Data that cannot be used is reported.

    The column `name` is required, all others are optional. If the pool identifies its cards by id, a known id
    is the same card, and the same name with another id is another card. A set with this name is replaced;
    other sets are kept. The pool is written to your data folder, so that the cards that come with the program
    are not changed.

    An empty cell says nothing about the card; `none` or `-` says that it does not have the attribute. A
    question mark at the end (`CPM?`) marks a guess: the value is unknown, and a note has the guess.

    Examples:
      tourney pool import cards.csv --game my-game
      tourney pool import neom.tsv --game redline --set neom --try
      tourney pool import cards.json --game my-game --complete
    """
    from tourney.store.pools import CardFile, ImportedPool, install_import, prepare_import

    library = session.library()
    pool_import = prepare_import(library, CardFile.at(file), game, **options)
    installed_pool = None
    if not only_try:
        installed_pool = install_import(library, pool_import, source=str(file), accept=accept)
    with session.answering(_installation_text(installed_pool) if installed_pool else ""):
        session.emit(ImportedPool.of(pool_import, installed_pool))
        _show_import(session, pool_import, installed_pool)


def _show_import(session: Session, pool_import: PoolImport, installed_pool: InstalledPool | None) -> None:
    report = pool_import.report
    for sentence in report.unused_parts[:_MOST_SHOWN]:
        session.warn(f"not used: {sentence}")
    if len(report.unused_parts) > _MOST_SHOWN:
        session.warn(f"not used: {len(report.unused_parts) - _MOST_SHOWN} more (--json lists them)")
    verb = "" if installed_pool else "would be "
    replacement = f", in place of {pool_import.cards_before}" if pool_import.cards_before is not None else ""
    session.say_change(
        f"{pool_import.game}: {counted(pool_import.cards, 'card')} {verb}put into the set "
        f"{pool_import.code}{replacement}"
    )
    for attribute in report.attributes.values():
        session.talk(f"new attribute `{attribute.name}` ({attribute.kind.value})")
    if installed_pool:
        _show_pool(session, installed_pool)
        session.talk(
            f"{display_path(installed_pool.path)}; `tourney pool check {pool_import.game}` proofreads it"
        )


def _installation_text(installed_pool: InstalledPool) -> str:
    pool = installed_pool.pool
    return f"the pool of {pool.game} has {counted(len(pool), 'card')} in {installed_pool.path}"


def _show_pool(session: Session, installed_pool: InstalledPool) -> None:
    for sentence in installed_pool.overruled:
        session.warn(f"accepted anyway: {sentence}")
    pool = installed_pool.pool
    kind = "complete" if pool.complete else "open"
    earlier_count = f" (was {installed_pool.cards_before})" if installed_pool.cards_before is not None else ""
    session.say_change(f"the pool of {pool.game} has {counted(len(pool), 'card')}{earlier_count}, {kind}")


# -- fetch


@cli.command("fetch")
@click.argument("url", metavar="URL")
@click.option(
    "--game", metavar="GAME", shell_complete=pools, help="The game of the cards; needed for a table."
)
@click.option("--set", "code", metavar="SET", help="The set that a table becomes. Default: the file's name.")
@fetch_options
def fetch(
    session: Session, url: str, *, game: str | None, code: str | None, accept: bool, insecure: bool
) -> None:
    """Fetch a card pool, or a table of cards as for `import`.

    A card pool is a `pool.toml` with its sets in the same folder. It is downloaded only if it has changed,
    and checked before it replaces the installed pool. If the server does not answer, the installed copy is
    used, and the command shows its age.

    Examples:
      tourney pool fetch https://cards.example.org/my-game/pool.toml
      tourney pool fetch https://cards.example.org/neom.csv --game redline --set neom
    """
    from tourney.store.fetching import FetchedPool

    fetching = session.fetcher(accept=accept, insecure=insecure)
    if url.rpartition(".")[2].partition("?")[0].lower() not in SHAPES:
        outcome = fetching.pool(url, game)
    elif game is None:
        raise click.UsageError("a table of cards does not name its game: add --game GAME")
    else:
        outcome = fetching.table(url, game, code)
    installed_pool = outcome.installed
    with session.answering(_installation_text(installed_pool) if installed_pool else ""):
        session.emit(FetchedPool.of(outcome, pool_summary(session.library().pool(outcome.name))))
        if installed_pool is None:
            session.show_unchanged(outcome, f"the pool of {outcome.name}")
        elif installed_pool.imported is not None:
            _show_import(session, installed_pool.imported, installed_pool)
        else:
            _show_pool(session, installed_pool)
