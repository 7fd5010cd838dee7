"""`tourney publish`: the event for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TypeVar

import click

from tourney.cli.command import command
from tourney.cli.exits import answering
from tourney.cli.session import Session
from tourney.event.words import counted

T = TypeVar("T")


@command(
    "publish",
    event=True,
    examples=[
        "tourney publish --to pages",
        "tourney publish --to pages --form html --form csv",
        "tourney publish --list",
    ],
)
@click.option("--to", "folder", type=click.Path(), default="pages", show_default=True, help="The folder.")
@click.option(
    "--form",
    "forms",
    multiple=True,
    metavar="FORM",
    help="html, sheets, markdown, csv or json; else all of them.",
)
@click.option("--list", "listed", is_flag=True, help="Only name the files that would be written.")
def cli(session: Session, folder: str, forms: tuple[str, ...], listed: bool) -> None:
    """Write the event as pages for phones, print sheets, Markdown, CSV and JSON into a folder.

    Writing again replaces what was written from here and touches nothing else. Decklists and contacts are not
    published.
    """
    from tourney.desk.pages import event_view
    from tourney.publish import FORMS, render

    with session.desk() as desk:
        view = event_view(desk, watch=lambda every, number: _walk(session, every, number))
    files = render(view, forms or tuple(FORMS))
    if listed:
        written, removed = 0, 0
    else:
        from tourney.store.folder import write_folder

        written, removed = write_folder(Path(folder), files)
    with (
        nullcontext()
        if listed
        else answering(f"{folder}: {counted(len(files), 'file')}, {written} written anew")
    ):
        if session.json:
            session.emit(
                "publish/1",
                {"folder": folder, "files": sorted(files), "written": written, "removed": removed},
            )
        elif listed:
            session.say("\n".join(sorted(files)))
        else:
            _tell(session, folder, len(files), (written, removed), html="index.html" in files)


def _walk(session: Session, every: Iterable[T], number: int) -> Iterator[T]:
    with session.progress(every, "explaining places", number) as shown:
        yield from shown


def _tell(session: Session, folder: str, files: int, counts: tuple[int, int], *, html: bool) -> None:
    written, removed = counts
    gone = f", {removed} removed" if removed else ""
    session.changed(f"{folder}: {counted(files, 'file')}, {written} written anew{gone}")
    if html:
        session.talk(f"open {Path(folder) / 'index.html'} in a browser, or copy the folder to any web space")
