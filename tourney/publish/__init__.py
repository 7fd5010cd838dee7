"""Views become pages, sheets and files: `render(view) -> {path: bytes}`. Pure: nothing is written here.

A form (`FORMS`) names its files and how each is made; none is made before it is wanted. Who answers one address after
the other keeps a `site_of` the view, and makes one page of it at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tourney.errors import TourneyError
from tourney.event.view import EventView
from tourney.publish import chat, data, markdown
from tourney.publish import sheets as paper
from tourney.publish.labels import Labels, read_labels
from tourney.publish.pages import Link, Live, Site

__all__ = ["FORMS", "Labels", "Link", "Live", "files", "form_of", "read_labels", "render", "site_of"]

FORMS: dict[str, Callable[[EventView, Labels | None], data.Files]] = {
    "html": lambda view, labels: site_of(view, labels).files,
    "sheets": paper.sheets,
    "markdown": markdown.files,
    "text": chat.files,
    "csv": lambda view, _: data.csv_files(view),
    "json": lambda view, _: data.json_files(view),
}
"""Each form by its name: what its files are, of a view and the words that are not English."""


def form_of(path: str) -> str:
    """Return the form that a file belongs to, by its path."""
    return "sheets" if path.startswith("sheets/") else _SUFFIXES.get(path.rpartition(".")[2], "html")


_SUFFIXES = {"md": "markdown", "txt": "text", "csv": "csv", "json": "json"}


def render(
    view: EventView, forms: Iterable[str] = tuple(FORMS), labels: Labels | None = None
) -> dict[str, bytes]:
    """Make the files of `view`; see `files`. The same view gives the same bytes."""
    return {path: content() for path, content in files(view, forms, labels).items()}


def files(view: EventView, forms: Iterable[str] = tuple(FORMS), labels: Labels | None = None) -> data.Files:
    """Return the files of `view` in each of `forms`: relative path (`/` between folders) → what makes its content.

    labels: the words of pages and sheets, where they are not English

    Raises TourneyError for a form that does not exist.
    """
    made: data.Files = {}
    for form in forms:
        if form not in FORMS:
            raise TourneyError(f"there is no form `{form}`", hint=f"forms: {', '.join(FORMS)}")
        made |= FORMS[form](view, labels)
    return made


def site_of(view: EventView, labels: Labels | None = None) -> Site:
    """Return the pages of `view` by their addresses, to be made one at a time, with what a server adds (`Live`).

    The home page links to the files of every other form, which `files` makes.
    """
    downloads = sorted(path for form, made in FORMS.items() if form != "html" for path in made(view, None))
    return Site(view, labels, downloads)
