"""Views become pages, sheets and files: `render(view) -> {path: bytes}`. Pure: nothing is written here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tourney.errors import TourneyError
from tourney.event.view import EventView
from tourney.publish import data, pages, text

__all__ = ["FORMS", "render"]

FORMS: dict[str, Callable[[EventView], dict[str, bytes]]] = {
    "html": pages.render_pages,
    "sheets": pages.render_sheets,
    "markdown": text.render,
    "csv": data.render_csv,
    "json": data.render_json,
}


def render(view: EventView, forms: Iterable[str] = tuple(FORMS)) -> dict[str, bytes]:
    """Render `view` in each of `forms`: relative path (`/` between folders) → content.

    The same view gives the same bytes. Raises TourneyError for a form that does not exist.
    """
    files: dict[str, bytes] = {}
    for form in forms:
        if form not in FORMS:
            raise TourneyError(f"there is no form `{form}`", hint=f"forms: {', '.join(FORMS)}")
        files |= FORMS[form](view)
    return files
