"""Where a new event is made: a file named after it, or a database."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import click

from tourney.errors import TourneyError
from tourney.store.journal import EventPlace
from tourney.store.places import place_of


def file_name(name: str) -> Path:
    """Return a file name for an event's name.

    >>> file_name("Friday  Diamonds, März").name
    'friday-diamonds-märz.tourney'
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", name).casefold())
    if not words:
        raise TourneyError(f"no file can be named after `{name}`", "name it: `--file friday.tourney`")
    return Path("-".join(words)[:80] + ".tourney")


file_option = click.option(
    "--file",
    "-e",
    "file",
    metavar="EVENT",
    help="The event's file, or its name in a database; by default a file here, named after the event.",
)


def new_place(word: str | None, name: str) -> EventPlace:
    """Return the place of a new event.

    word: its file or address; None for a file named after the event; `pg:` alone for a database's event of that name
    """
    if word is None:
        return place_of(file_name(name))
    if word.lower() == "pg:":
        word += file_name(name).stem
    return place_of(word)
