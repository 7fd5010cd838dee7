"""Why a table is as it is: the groups, who had to float and for what, which level decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tourney.errors import TourneyError
from tourney.pairing.answers import Explanation
from tourney.pairing.entrant import NOBODY, Entrant, NameOf, number_of
from tourney.pairing.options import Options, Pair
from tourney.pairing.pairing import Pairing
from tourney.pairing.swiss.difference import Difference, first_difference, instead, sentence
from tourney.pairing.swiss.engine import pair
from tourney.pairing.swiss.facts import Facts
from tourney.pairing.swiss.field import prepare


def why(
    entrants: Sequence[Entrant],
    options: Options,
    pairing: Pairing,
    table: int | None,
    *,
    name: NameOf = number_of,
) -> Explanation:
    """Return why a table of a round (or the bye: `table` None) is as it is.

    What decided is found by making the round again without the table: the first level that gets dearer. `decided_by` is that
    level (a field of `Cost`), or `forced`, `impossible` (there is no round without it), `seed` (it costs nothing), `edited`
    (the round is better without it: not the engine's choice). Raises TourneyError if the round has no such table, or no bye.
    """
    seated = {each.number: each for each in pairing.tables}
    if table is None and pairing.bye is None:
        raise TourneyError("nobody has the bye in this round: the number of players is even")
    if table is not None and table not in seated:
        raise TourneyError(f"this round has no table {table}: its tables are {min(seated)} to {max(seated)}")
    if table is None:
        assert pairing.bye is not None
        seats: Pair = (pairing.bye, NOBODY)
    else:
        seats = (seated[table].seats[0], seated[table].seats[1])
    facts = Facts(prepare(entrants, options), pairing, seats, name)
    decided, text, difference = _decided(entrants, options, pairing, seats, name)
    numbers = {} if difference is None else {"best": difference.best, "without": difference.there}
    return Explanation(
        table=None if table is None else seated[table],
        players=facts.players,
        decided_by=decided,
        reasons=(
            *(facts.of_bye() if table is None else facts.of_table()),
            facts.reason(decided, text, **numbers),
        ),
    )


def _decided(
    entrants: Sequence[Entrant], options: Options, pairing: Pairing, seats: Pair, name: NameOf
) -> tuple[str, str, Difference | None]:
    """Return what decided, the sentence that says so, and the difference it rests on."""
    one, other = seats
    if {one, other} in [set(each) for each in options.forced] or (
        other == NOBODY and options.forced_bye == one
    ):
        return "forced", "the organizer set it", None
    if other == NOBODY:
        without = replace(options, no_bye=options.no_bye | {one})
    else:
        without = replace(options, forbidden=options.forbidden | {seats})
    try:
        other_round = pair(entrants, without, pairing.seed, name=name)
    except TourneyError:
        return "impossible", "there is no complete round without it", None
    difference = first_difference(pairing.cost, other_round.cost)
    if difference is None:
        return "seed", "the seed chose it among rounds of equal cost", None
    if difference.more < 0:
        turned = Difference(difference.level, difference.there, difference.best)
        return "edited", f"not what the engine would do: {sentence(turned)}", difference
    return difference.level, f"without it the round would cost more ({instead(difference)})", difference
