"""Views become pages, sheets and files: `render(view) -> {path: bytes}`. Pure: nothing is written here.

A form (`FORMS`) names its files and how each is made; none is made before it is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tourney.errors import TourneyError
from tourney.event.view import EventView
from tourney.publish import chat, data, pages, text
from tourney.publish import sheets as paper
from tourney.publish.pages import Labels, read_labels

__all__ = ["FORMS", "Labels", "files", "form_of", "read_labels", "render"]

FORMS: dict[str, Callable[[EventView], data.Files]] = {
    "html": pages.pages,
    "sheets": paper.sheets,
    "markdown": text.files,
    "text": chat.files,
    "csv": data.csv_files,
    "json": data.json_files,
}


def form_of(path: str) -> str:
    """Return the form that a file belongs to, by its path."""
    return "sheets" if path.startswith("sheets/") else _SUFFIXES.get(path.rpartition(".")[2], "html")


_SUFFIXES = {"md": "markdown", "txt": "text", "csv": "csv", "json": "json"}


def _downloads(event: EventView) -> list[str]:
    """Name the files that the overview links to: those of every other form."""
    return sorted(path for form, made in FORMS.items() if form != "html" for path in made(event))


def files(
    view: EventView, forms: Iterable[str] = tuple(FORMS), labels: pages.Labels | None = None
) -> data.Files:
    """Return the files of `view` in each of `forms`: relative path (`/` between folders) → what makes its content.

    labels: the words of pages and sheets, where they are not English

    Raises TourneyError for a form that does not exist.
    """
    made: data.Files = {}
    for form in forms:
        if form not in FORMS:
            raise TourneyError(f"there is no form `{form}`", hint=f"forms: {', '.join(FORMS)}")
        if form == "html":
            made |= pages.pages(view, _downloads(view), labels)
        else:
            made |= paper.sheets(view, labels) if form == "sheets" else FORMS[form](view)
    return made


def render(
    view: EventView, forms: Iterable[str] = tuple(FORMS), labels: pages.Labels | None = None
) -> dict[str, bytes]:
    """Make the files of `view`; see `files`. The same view gives the same bytes."""
    return {path: content() for path, content in files(view, forms, labels).items()}
