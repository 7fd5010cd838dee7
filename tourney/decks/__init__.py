"""Decklists: reading them, holding them against a ruleset, saying why."""

from tourney.decks.checking import check
from tourney.decks.decklist import Decklist, Line
from tourney.decks.examples import Ran, run_examples
from tourney.decks.verdict import Correction, ListUsed, Verdict

__all__ = ["Correction", "Decklist", "Line", "ListUsed", "Ran", "Verdict", "check", "run_examples"]
