"""A decklist held against a ruleset."""

from __future__ import annotations

from tourney.decks.decklist import Decklist
from tourney.decks.verdict import Verdict
from tourney.rules import Ruleset


def check(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool = False) -> Verdict:
    """Say whether a decklist is legal, and why.

    trust_declared: believe the facts that lines declare (`4 Siege Hammer {type=efreet}`) where the pool knows
    nothing; the verdict then says which were used.
    """
    raise NotImplementedError
