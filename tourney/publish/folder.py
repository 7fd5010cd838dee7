"""The published folder: which files there are, and who renders each."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tourney.errors import TourneyError
from tourney.event.view import EventView
from tourney.publish import data, pages, printouts, text

FORMS: dict[str, Callable[[EventView], dict[str, bytes]]] = {
    "html": pages.render,
    "sheets": printouts.render,
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
