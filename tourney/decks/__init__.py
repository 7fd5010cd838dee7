"""Decklists: reading them, holding them against a ruleset, saying why.

A list is read by `reading` (whatever grammar it is in) into a `decklist`; `resolving` looks its names up in the card
pool and puts its lines into zones, `checking` gives the verdict (and tries a format's own examples), `repair` the fewest
changes that would mend it.
Beside that way: `history` (when a list was legal, which lists a ban touches, difference, commitment), `printing` (a list
in another tool's form), `reports` (verdicts as SARIF and JUnit).
"""

from tourney.decks.checking import ListUsed, Ran, Verdict, check, run_examples
from tourney.decks.decklist import Decklist, Line
from tourney.decks.resolving import Correction

__all__ = ["Correction", "Decklist", "Line", "ListUsed", "Ran", "Verdict", "check", "run_examples"]
