"""Tables of three and more (pods): their players and seats, and a lower bound of the cost.

    pairing = pair(entrants, options, seed, sizes=Sizes(2, 4, 6), seats_before={player: (1, 3, …)})
    facts = pods.why.why(entrants, options, pairing, seats, sizes=…)
    findings = check(entrants, options, tables, byes, sizes=…, best=pairing)

The cost of a round has these levels. A better value on one level outweighs all levels below it:

* the organizer's forced and forbidden pairs
* the fewest byes, which go to the players with the fewest earlier byes, then with the fewest points
* tables of sizes nearest to the preferred size; of two equally near sizes, the smaller
* the fewest pairs who share a table again, then the fewest earlier meetings
* the least sum, over all pairs at a table, of (point difference)²
* the fewest groups, such as clubs, that two players at a table share, summed over all pairs
* even seats: each player should have each seat equally often

This is not a matching problem. Fields with few possible rounds are searched completely, other fields by a
seeded local search. `Pairing.proof` says what is proved: `optimal (…)`, or the distance to a lower bound.
"""

from tourney.pairing.manual import Sizes
from tourney.pairing.pods.engine import LEVELS, check, is_division_as_good, pair, price, prove, sizes_words
from tourney.pairing.pods.field import Split, split

__all__ = [
    "LEVELS",
    "Sizes",
    "Split",
    "check",
    "is_division_as_good",
    "pair",
    "price",
    "prove",
    "sizes_words",
    "split",
]
