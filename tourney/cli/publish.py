"""`tourney publish`: the event for everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.options import at_entry
from tourney.cli.output import already_written
from tourney.cli.session import Session, answer, source_of
from tourney.wording import as_of
from tourney.wording import listed as listed_words

if TYPE_CHECKING:
    from tourney.desk import Desk, Published, Receipt
    from tourney.desk.views import Watch
    from tourney.standings.explaining import Explanation
    from tourney.store.folder import FolderChanges

MOST_NAMED = 6
"""How many files a warning names."""


@command(
    "publish",
    event=True,
    examples=[
        "tourney publish --to pages",
        "tourney publish --to pages --form html --form csv",
        "tourney publish --list",
        "tourney publish --at 57",
        "tourney publish --prizes prizes.toml",
    ],
)
@click.option(
    "--to",
    "folder",
    type=click.Path(),
    help="The folder to write into; else the event's own (`publish_to`), else pages; with --at pages-ENTRY.",
)
@click.option(
    "--form",
    "forms",
    multiple=True,
    metavar="FORM",
    help="What to write: html, sheets, markdown, csv or json; all of them by default.",
)
@click.option(
    "--prizes",
    "prizes_file",
    type=click.Path(allow_dash=True),
    help="A file of prizes, as for `event prizes`: the final ranking says who gets what.",
)
@click.option(
    "--labels",
    "labels_file",
    type=click.Path(allow_dash=True),
    help="A file with the words of the pages in another language: a copy of tourney/publish/labels/en.toml.",
)
@click.option("--list", "listed", is_flag=True, help="Only name the files that would be written.")
@at_entry
def cli(
    session: Session,
    folder: str | None,
    forms: tuple[str, ...],
    *,
    prizes_file: str | None,
    labels_file: str | None,
    listed: bool,
    at: int | None,
) -> None:
    """Write the event as pages for phones, print sheets, Markdown, CSV and JSON into a folder.

    Writing again replaces what was written from here and touches nothing else; only what changed is written. Decklists are
    published once the event opens them (the setting `decklists`), contacts never.
    """
    from tourney.publish import read_labels

    labels = (
        read_labels(session.read_text(labels_file), source=source_of(labels_file)) if labels_file else None
    )
    prizes = (session.read_text(prizes_file), source_of(prizes_file)) if prizes_file else None
    with session.desk() as desk:
        named = Path(folder) if folder else None  # what was must not take the place of what is
        to = named or (Path(f"pages-{at}") if at is not None else desk.public_folder or Path("pages"))
        folder = folder or str(to)
        made = (
            _named(desk if at is None else desk.as_of(at), folder, forms)
            if listed
            else desk.publish(to, forms, at=at, labels=labels, prizes=prizes, watch=explaining(session))
        )
    written = f"{folder}{as_of(at)}: {made.text}"
    with nullcontext() if listed else already_written(written):
        if session.json:
            past = {} if at is None else {"at": at}
            session.emit(
                "publish/1",
                {"folder": folder, "files": list(made.files), **made.changes._asdict(), **past},
            )
        elif listed:
            session.say("\n".join(made.files))
        else:
            session.changed(written)
            _mind(session, folder, made.changes, html="index.html" in made.files)


def _named(desk: Desk, folder: str, forms: tuple[str, ...]) -> Published:
    """Name what would be published; nothing is made or written."""
    from tourney.desk import Published
    from tourney.desk.views import event_view
    from tourney.publish import FORMS, files
    from tourney.store.folder import FolderChanges

    paths = files(event_view(desk, why=False), forms or tuple(FORMS))
    return Published(folder, tuple(sorted(paths)), FolderChanges(0, 0))


def explaining(session: Session) -> Watch:
    """Return what shows how far the places are explained, which takes longest."""

    def walk(places: Iterable[Explanation], number: int) -> Iterator[Explanation]:
        with session.progress(places, "explaining places", number) as walked:
            yield from walked

    return walk


def answer_seated(session: Session, change: Callable[[Desk], Receipt]) -> None:
    """Make a change of who sits where and answer; pages that show the seats as they were are published anew."""
    with session.desk() as desk:
        before = desk.state
        receipt = change(desk)
        if not session.dry_run:
            receipt = desk.with_new_seats(receipt, before, watch=explaining(session))
        answer(session, receipt)


def _mind(session: Session, folder: str, done: FolderChanges, *, html: bool) -> None:
    if done.left:
        few = [*done.left[:MOST_NAMED], *(["more"] if len(done.left) > MOST_NAMED else [])]
        session.warn(
            f"{folder}: no longer published, but not removed: {listed_words(few)}",
            "an earlier version wrote them, or they were changed since: delete by hand what is not needed",
        )
    if html:
        session.talk(f"open {Path(folder) / 'index.html'} in a browser, or copy the folder to any web space")
