"""Read decklists, and check them against the rules of a format; see the README."""

from tourney.decks.checking import Ran, check, run_examples
from tourney.decks.decklist import Decklist, Line
from tourney.decks.verdict import Correction, ListUsed, Verdict

__all__ = ["Correction", "Decklist", "Line", "ListUsed", "Ran", "Verdict", "check", "run_examples"]
