"""Turn views into pages, sheets and files: `render(view) -> {path: bytes}`.

This package writes no files itself. Each form of output (`FORMS`), such as HTML, CSV or Markdown, has a
function that returns path → a function that makes the file's content. A server keeps the site of a view
(`site_of`) and makes one page at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from tourney.errors import TourneyError
from tourney.event.view import EventView
from tourney.publish import chat, data, markdown
from tourney.publish import sheets as paper
from tourney.publish.pages import Link, Live, Site

__all__ = ["FORMS", "OTHER_FORMS", "Link", "Live", "files", "form_of", "render", "site_of"]

FORMS: dict[str, Callable[[EventView], data.Files]] = {
    "html": lambda view: site_of(view).files,
    "sheets": paper.sheets,
    "markdown": markdown.files,
    "text": chat.files,
    "csv": data.csv_files,
    "json": data.json_files,
}
"""The forms of output by name, each with a function that returns the files of a view."""

OTHER_FORMS = tuple(form for form in FORMS if form != "html")
"""The forms of output besides pages."""


def form_of(path: str) -> str:
    """Return the form of output (a key of `FORMS`) to which a published file belongs.

    path: the file's path, relative to the folder of published files
    """
    return "sheets" if path.startswith("sheets/") else _SUFFIXES.get(path.rpartition(".")[2], "html")


_SUFFIXES = {"md": "markdown", "txt": "text", "csv": "csv", "json": "json"}


def render(view: EventView, forms: Iterable[str] = tuple(FORMS)) -> dict[str, bytes]:
    """Return the content of each file of `view` by path. The same view gives the same bytes.

    forms: names of forms of output, the keys of `FORMS`
    """
    return {path: content() for path, content in files(view, forms).items()}


def files(view: EventView, forms: Iterable[str] = tuple(FORMS)) -> data.Files:
    """Return relative path → a function that makes the file's content, for the files of `view`.

    forms: names of forms of output, the keys of `FORMS`

    Raises TourneyError for an unknown form of output.
    """
    contents: data.Files = {}
    for form in forms:
        if form not in FORMS:
            raise TourneyError(f"unknown form `{form}`", hint=f"forms: {', '.join(FORMS)}")
        contents |= FORMS[form](view)
    return contents


def site_of(view: EventView) -> Site:
    """Return the pages of `view`. The home page links to the files in all other forms of output."""
    return Site(view, partial(files, view, OTHER_FORMS))
