"""Tables of three and more (pods): who sits together, in which seats, and how far from the best that can be at most.

    pairing = pair(entrants, options, seed, sizes=Sizes(2, 4, 6), seats_before={player: (1, 3, …)})
    facts = pods.why.why(entrants, options, pairing, seats, sizes=…)
    findings = check(entrants, options, tables, byes, sizes=…, best=pairing)

Levels, each fixed before the next: the organizer's words; the fewest byes, for those who have had fewest, then have fewest
points; tables of sizes as near to the preferred one as that allows, the smaller where as near; the fewest pairs that share
a table again, then the fewest times; the least sum over all pairs of a table of (point difference)²; soft keep-aparts; even
seats. It is no matching: fields with few possible rounds are searched whole, others by a seeded local search, and
`proof` says honestly what is proved: `optimal (…)`, or within how much of a lower bound.
"""

from tourney.pairing.manual import Sizes
from tourney.pairing.pods.engine import LEVELS, check, divided_alike, pair, price, prove, sizes_words
from tourney.pairing.pods.field import Split, split

__all__ = [
    "LEVELS",
    "Sizes",
    "Split",
    "check",
    "divided_alike",
    "pair",
    "price",
    "prove",
    "sizes_words",
    "split",
]
