"""Read decklists, and check them against the rules of a format; see the README."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.decks.checking import Ran, cards_of, check, in_order, run_examples
    from tourney.decks.decklist import Decklist, Line, PrintMark, Reading
    from tourney.decks.declared_facts import (
        Declared,
        contradictions,
        contradictions_by_owner,
        facts_by_card,
    )
    from tourney.decks.history import Changed, difference
    from tourney.decks.printing import write
    from tourney.decks.reading import read, read_all
    from tourney.decks.reading.text import decode
    from tourney.decks.resolving import cards_in_order, declared_in, part_of, resolve
    from tourney.decks.verdict import Correction, ListUsed, Verdict

_NAMES = {
    "checking": ("Ran", "cards_of", "check", "in_order", "run_examples"),
    "decklist": ("Decklist", "Line", "PrintMark", "Reading"),
    "declared_facts": ("Declared", "contradictions", "contradictions_by_owner", "facts_by_card"),
    "history": ("Changed", "difference"),
    "printing": ("write",),
    "reading": ("read", "read_all"),
    "reading.text": ("decode",),
    "resolving": ("cards_in_order", "declared_in", "part_of", "resolve"),
    "verdict": ("Correction", "ListUsed", "Verdict"),
}
"""Module → the names of it that other rooms use."""

__all__ = [
    "Changed",
    "Correction",
    "Decklist",
    "Declared",
    "Line",
    "ListUsed",
    "PrintMark",
    "Ran",
    "Reading",
    "Verdict",
    "cards_in_order",
    "cards_of",
    "check",
    "contradictions",
    "contradictions_by_owner",
    "declared_in",
    "decode",
    "difference",
    "facts_by_card",
    "in_order",
    "part_of",
    "read",
    "read_all",
    "resolve",
    "run_examples",
    "write",
]


def __getattr__(name: str) -> object:
    """Import a name when it is first used: a list can be read without the rules."""
    for module, names in _NAMES.items():
        if name in names:
            globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
            return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
