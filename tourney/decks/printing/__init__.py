"""Printing decklists: a `Decklist` in, text out, and a report of what the form could not hold."""

from __future__ import annotations

from collections.abc import Mapping

from tourney.decks.decklist import Decklist

__all__ = ["FORMS", "write"]

FORMS: Mapping[str, str] = {}
"""Name of each form → what it is, in one line."""


def write(deck: Decklist, form: str) -> tuple[str, tuple[str, ...]]:
    """Print `deck` in `form` (one of `FORMS`) and say what was lost, a sentence each.

    Nothing is lost silently: the text is read back, and every difference is a loss. Raises TourneyError for a form
    that does not exist.
    """
    raise NotImplementedError
