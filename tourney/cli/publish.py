"""`tourney publish`: the event for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tourney.cli.command import command
from tourney.cli.output import already_written
from tourney.cli.session import Session
from tourney.wording import counted
from tourney.wording import listed as listed_words

if TYPE_CHECKING:
    from tourney.store.folder import FolderChanges

T = TypeVar("T")
MOST_NAMED = 6
"""How many files a warning names."""


@command(
    "publish",
    event=True,
    examples=[
        "tourney publish --to pages",
        "tourney publish --to pages --form html --form csv",
        "tourney publish --list",
    ],
)
@click.option(
    "--to", "folder", type=click.Path(), default="pages", show_default=True, help="The folder to write into."
)
@click.option(
    "--form",
    "forms",
    multiple=True,
    metavar="FORM",
    help="What to write: html, sheets, markdown, csv or json; all of them by default.",
)
@click.option("--list", "listed", is_flag=True, help="Only name the files that would be written.")
def cli(session: Session, folder: str, forms: tuple[str, ...], listed: bool) -> None:
    """Write the event as pages for phones, print sheets, Markdown, CSV and JSON into a folder.

    Writing again replaces what was written from here and touches nothing else. Decklists and contacts are not
    published.
    """
    from tourney.desk.views import event_view
    from tourney.publish import FORMS, files, render
    from tourney.store.folder import FolderChanges, write_folder

    chosen = forms or tuple(FORMS)
    with session.desk() as desk:
        if listed:
            paths, done = sorted(files(event_view(desk, why=False), chosen)), FolderChanges(0, 0)
        else:
            for _ in desk.writing_out():
                view = event_view(desk, watch=lambda places, number: _walk(session, places, number))
                contents = render(view, chosen)
                paths, done = sorted(contents), write_folder(Path(folder), contents)
    written = f"{folder}: {counted(len(paths), 'file')}, {done.written} written anew"
    with nullcontext() if listed else already_written(written):
        if session.json:
            session.emit("publish/1", {"folder": folder, "files": paths, **done._asdict()})
        elif listed:
            session.say("\n".join(paths))
        else:
            session.changed(f"{written}, {done.removed} removed" if done.removed else written)
            _mind(session, folder, done, html="index.html" in paths)


def _walk(session: Session, places: Iterable[T], number: int) -> Iterator[T]:
    with session.progress(places, "explaining places", number) as walked:
        yield from walked


def _mind(session: Session, folder: str, done: FolderChanges, *, html: bool) -> None:
    if done.left:
        few = [*done.left[:MOST_NAMED], *(["more"] if len(done.left) > MOST_NAMED else [])]
        session.warn(
            f"{folder}: no longer published, but not removed: {listed_words(few)}",
            "an earlier version wrote them, or they were changed since: delete by hand what is not needed",
        )
    if html:
        session.talk(f"open {Path(folder) / 'index.html'} in a browser, or copy the folder to any web space")
