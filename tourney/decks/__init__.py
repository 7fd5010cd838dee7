"""Reading decklists, and checking them against the rules of a format; see the README."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.lazy import lazy_names

if TYPE_CHECKING:  # imported lazily
    from tourney.decks.checking import CheckedExample, cards_of, check, in_order, run_examples
    from tourney.decks.decklist import Decklist, Line, PrintMark, Reading
    from tourney.decks.declared_facts import (
        CardFact,
        contradictions,
        contradictions_by_owner,
        facts_by_card,
    )
    from tourney.decks.history import Changed, difference
    from tourney.decks.printing import write
    from tourney.decks.reading import read, read_all
    from tourney.decks.reading.text import decode
    from tourney.decks.resolving import cards_in_order, declared_facts_in, part_of, resolve
    from tourney.decks.verdict import Correction, ListUsed, Verdict

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
