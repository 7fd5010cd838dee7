"""Elimination brackets, single and double and of larger tables, as functions of seeds, results and who left.

Pure; nothing is stored here.

    players = seeds(standing, size=8, gone=dropped)       # before the cut: the next in the standings moves up
    now = bracket(players, BracketOptions(third_place=True), earlier=rounds, left=left)
    now.tables, now.labels, now.byes                      # the next round of the cut, in order of table number
    now.stages                                            # every match of the bracket, open ones included: for pages
    now.finished, now.champion, now.places
    findings = check(now, {label: seats})                 # the organizer's tables for the next round
    facts = elimination.why.why(players, options, now, label, seats)  # where the two came from

`earlier` is one mapping a cut round already played: what `labels` called the table → the Table with its result. The
recorded tables are the truth: where the organizer seated others at a table than the bracket would, those play that match.
`left` is who dropped after the cut was made → the number of cut rounds played before leaving (0: before the first).
"""

from tourney.pairing.elimination.bracket import bracket, check
from tourney.pairing.elimination.shape import (
    Bracket,
    BracketMatch,
    BracketOptions,
    BracketPlace,
    FromMatch,
    FromSeed,
    Source,
    Stage,
    Vacancy,
    fold,
    seeds,
)
from tourney.pairing.elimination.tables import cut_sizes, possible_cuts, refuse_size

__all__ = [
    "Bracket",
    "BracketMatch",
    "BracketOptions",
    "BracketPlace",
    "FromMatch",
    "FromSeed",
    "Source",
    "Stage",
    "Vacancy",
    "bracket",
    "check",
    "cut_sizes",
    "fold",
    "possible_cuts",
    "refuse_size",
    "seeds",
]
