"""`tourney banlist new`, `import`, `fetch`: taking a ban list into the data folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.completers import banlists, cards
from tourney.cli.exits import answering
from tourney.cli.fetch_options import fetch_options, fetcher, say_offline
from tourney.cli.list_asked import from_option
from tourney.cli.session import Session

if TYPE_CHECKING:
    from tourney.store.installing import InstalledList

_as = click.option(
    "--as",
    "name",
    metavar="GAME/LIST",
    shell_complete=banlists,
    help="Which list it is; by default what its path says.",
)


@command(
    "new",
    examples=[
        'tourney banlist new red-diamond/standard --from 2026-12-01 --ban "Invented Comet"',
        "tourney banlist new red-diamond/standard --from 2026-12-01 --from-text pasted.txt",
    ],
)
@click.argument("name", metavar="GAME/LIST", shell_complete=banlists)
@from_option
@click.option("--ban", metavar="CARD", multiple=True, shell_complete=cards, help="Ban a card.")
@click.option(
    "--restrict", metavar="CARD", multiple=True, shell_complete=cards, help="Allow one copy of a card."
)
@click.option("--free", metavar="CARD", multiple=True, shell_complete=cards, help="Take a card off the list.")
@click.option(
    "--from-text", "pasted", metavar="FILE", help="Names, one a line: `Card` bans, `1 Card` restricts."
)
@click.option("--source", metavar="TEXT", help="Where the list is published.")
@click.option(
    "--output", "-o", metavar="FILE", help="Where to write it; `DAY.toml` in this folder by default."
)
def new(
    session: Session,
    name: str,
    *,
    day: date | None,
    ban: Sequence[str],
    restrict: Sequence[str],
    free: Sequence[str],
    pasted: str | None,
    source: str | None,
    output: str | None,
) -> None:
    """Start a ban list as a file: complete, from the one in force, with these changes.

    Nothing is installed by it: look at the file, then import it.
    """
    from tourney.store.drafting import Draft
    from tourney.store.writing import write_new

    when = day or session.now().date()
    changes = {**dict.fromkeys(ban, 0), **dict.fromkeys(restrict, 1)}
    text = session.read_text(pasted) if pasted else ""
    draft = Draft(name, when, changes=changes, free=free, pasted=text, source=source or "")
    written = draft.text(session.library())
    if output == "-":
        session.say(written.rstrip("\n"))
        return
    path = Path(output or f"{when.isoformat()}.toml")
    write_new(path, written.encode(), "name another with `--output`")
    done = f"{path}: a draft of {name}, in force from {when}"
    with answering(done):
        session.changed(done)
    session.talk(f"edit it, then `tourney banlist import {path} --as {name} --from {when}`")


@command(
    "import",
    examples=[
        "tourney banlist import 2026-12-01.toml --as red-diamond/standard",
        "tourney banlist import list.toml --as red-diamond/standard --from 2026-12-01",
    ],
)
@click.argument("file", type=click.Path(allow_dash=True))
@_as
@from_option
@click.option("--accept", is_flag=True, help="Take it even if it looks wrong: empty, shrunk, unknown names.")
def import_(session: Session, file: str, *, name: str | None, day: date | None, accept: bool) -> None:
    """Take a ban list into the data folder, in force from a day.

    It is refused, unless accepted, if it is empty, shrinks by more than a third, names cards that a complete pool does
    not have, or goes back in date.
    """
    from tourney.store.installing import install_banlist, list_and_day

    library = session.library()
    name, day = list_and_day(library, file, name, day)
    source = "standard input" if file == "-" else file
    installed = install_banlist(library, name, day, session.read_text(file), source=source, accept=accept)
    with answering(_done(installed)):
        if session.json:
            session.emit("banlist-import/1", _as_json(installed))
        else:
            _tell(session, installed)


@command(
    "fetch",
    examples=[
        "tourney banlist fetch https://lists.example.org/banlists/red-diamond/standard/2026-12-01.toml",
        "tourney banlist fetch https://lists.example.org/current.toml --as red-diamond/standard --from 2026-12-01",
    ],
)
@click.argument("url", metavar="URL")
@_as
@from_option
@fetch_options
def fetch(
    session: Session, url: str, *, name: str | None, day: date | None, accept: bool, insecure: bool
) -> None:
    """Fetch a ban list and take it as `import` does.

    It is read before it replaces anything. If it has not changed it is not sent again; while nobody answers, the copy
    that is here serves, and its age is said.
    """
    from tourney.store.installing import InstalledList

    outcome = fetcher(session, accept=accept, insecure=insecure).banlist(url, name, day)
    installed = outcome.installed if isinstance(outcome.installed, InstalledList) else None
    with answering(_done(installed)) if installed else nullcontext():
        if session.json:
            more = (
                _as_json(installed)
                if installed
                else {"name": outcome.name, "from": outcome.day, "changed": False}
            )
            session.emit("banlist-fetch/1", {**more, "offline": outcome.offline, "age": outcome.age})
        elif installed:
            _tell(session, installed)
        else:
            say_offline(session, outcome, f"{outcome.name} of {outcome.day}")


def _done(installed: InstalledList) -> str:
    return f"{installed.name} of {installed.banlist.day} is installed (SHA-256 {installed.banlist.digest})"


def _as_json(installed: InstalledList) -> dict[str, object]:
    return {
        "name": installed.name,
        "from": installed.banlist.day,
        "fingerprint": installed.banlist.fingerprint,
        "digest": installed.banlist.digest,
        "path": str(installed.path),
        "changed": not installed.already,
        "changes": installed.changes,
        "overruled": installed.overruled,
    }


def _tell(session: Session, installed: InstalledList) -> None:
    from tourney.rules.changes import entries
    from tourney.store.roots import shown

    banlist = installed.banlist
    if installed.already:
        session.changed(f"{installed.name} of {banlist.day} is installed already (SHA-256 {banlist.digest})")
        return
    for sentence in installed.overruled:
        session.warn(f"taken all the same: {sentence}")
    number = entries(banlist)
    what = f"{number} {'entry' if number == 1 else 'entries'}"
    session.changed(f"{installed.name}: in force from {banlist.day}, {what} (SHA-256 {banlist.digest})")
    for change in installed.changes if installed.before else ():
        session.say(f"  {change.words}")
    session.talk(f"{shown(installed.path)}; `tourney banlist show {installed.name}@{banlist.day}`")
