"""Decklists: reading them, holding them against a ruleset, saying why."""

from tourney.decks.checking import check
from tourney.decks.decklist import Decklist, Line
from tourney.decks.verdict import Correction, ListUsed, Verdict

__all__ = ["Correction", "Decklist", "Line", "ListUsed", "Verdict", "check"]
