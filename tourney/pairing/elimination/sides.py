"""Sides in a bracket: which player of a match of two has the first side, and why.

The rule is that of Swiss rounds (level 6). First, the sides of both players over the event become as even as
possible. Then, as few of the two players as possible have the same side twice in a row. If both seatings are
equally good, the higher seed has the first side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import structs

from tourney.pairing.facts import NO_NAMES, Fact, Names, fact
from tourney.pairing.pairing import imbalance_of_sides
from tourney.record import PlayerId, Table
from tourney.wording import counted, listed

SidesOf = Callable[[PlayerId], Sequence[int]]
"""A function that returns a player's sides so far, in round order.

1 is the first side, -1 the second.
"""

Rule = Literal["balance", "turns", "seed"]


def first_side(higher: PlayerId, lower: PlayerId, sides_of: SidesOf) -> tuple[PlayerId, Rule]:
    """Return the player who has the first side, and the rule that decides.

    higher, lower: the players with the higher and the lower seed
    """
    one, other = sides_of(higher), sides_of(lower)
    kept, changed = imbalance_of_sides(one, other), imbalance_of_sides(other, one)
    if kept == changed:
        return higher, "seed"
    return (higher if kept < changed else lower), "balance" if kept[0] != changed[0] else "turns"


def seated_by_sides(tables: Sequence[Table], sides_of: SidesOf) -> tuple[Table, ...]:
    """Return tables of a bracket with the first side in seat 1.

    tables: the tables of the bracket, with the higher seed in seat 1
    """
    seated = []
    for table in tables:
        higher, lower = table.seats
        first, _ = first_side(higher, lower, sides_of)
        seated.append(table if first == higher else structs.replace(table, seats=(lower, higher)))
    return tuple(seated)


def why_first_side(
    higher: PlayerId, lower: PlayerId, sides_of: SidesOf, sides: tuple[str, str], *, names: Names = NO_NAMES
) -> Fact:
    """Return the fact about which player has the first side, and by which rule.

    higher, lower: the players with the higher and the lower seed
    sides:         the names of the first and the second side
    """
    first, rule = first_side(higher, lower, sides_of)
    players = (first, lower if first == higher else higher)
    before = [list(sides_of(player)) for player in players]
    counts = tuple((had.count(1), had.count(-1)) for had in before)
    last = tuple(had[-1] if had else 0 for had in before)
    one, other = map(names.player, players)
    text = f"{one} is {sides[0]} as the higher seed: the sides in earlier matches do not decide"
    if rule == "balance":
        had_one, had_other = (
            f"{sides[0]} {counted(firsts, 'time')} and {sides[1]} {counted(seconds, 'time')}"
            for firsts, seconds in counts
        )
        text = f"{one} is {sides[0]} to keep the sides even: before, {one} was {had_one}, {other} {had_other}"
    elif rule == "turns":
        had_last = zip((one, other), last, strict=True)
        was = listed(f"{player} was {sides[side != 1]}" for player, side in had_last if side)
        text = f"{one} is {sides[0]} to change sides: in the match before, {was}"
    return fact("sides", players, text, sides=sides, rule=rule, counts=counts, last=last)
