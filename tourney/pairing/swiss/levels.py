"""The levels of PAIRING §1: what each candidate table costs on each of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Mode, Pair
from tourney.pairing.pairing import Cost
from tourney.pairing.swiss.digits import Column
from tourney.pairing.swiss.field import Field
from tourney.pairing.swiss.order import order_column
from tourney.record import PlayerId

Columns = dict[str, Column]
"""Values by the name of the level (the fields of `Cost`), in the order in which the levels rank."""


class Sides(NamedTuple):
    """How a table would be seated in a game with sides.

    imbalance: (first sides − second sides)² of both players afterwards, added up
    repeats:   how many of the two would have the same side again
    first:     who gets the first side, or None if both ways cost the same
    """

    imbalance: int
    repeats: int
    first: PlayerId | None


def columns(field: Field, tables: Sequence[Pair]) -> Columns:
    """Return levels 3 to 6 of each candidate table; levels that cannot matter in this field are left out.

    Each table has more points first and the bye last (`field.seats_of`).
    """
    points = field.points
    values: Columns = {
        "differences": [0 if other == NOBODY else (points[one] - points[other]) ** 2 for one, other in tables]
    }
    if field.options.keeps_apart_now and field.tags:
        values["apart"] = _apart(field, tables)
    if field.options.mode is not Mode.RANDOM:
        values["order"] = order_column(field, tables)
    if field.options.float_repeats and (field.floated_down or field.floated_up):
        values["floats"] = _floats(field, tables)
    if field.options.sides:
        seatings = [sides_of(field, one, other) for one, other in tables]
        values["imbalance"] = [seating.imbalance for seating in seatings]
        values["side_repeats"] = [seating.repeats for seating in seatings]
    return values


def conflict_columns(field: Field, tables: Sequence[Pair]) -> Columns:
    """Return levels 1 and 2 of each candidate table."""
    barred = field.barred
    times = [field.times_met(one, other) if other in barred[one] else 0 for one, other in tables]
    return {
        "rematches": [min(each, 1) for each in times],
        "times_met": times,
        "bye_earlier": [field.earlier_byes(one) if other == NOBODY else 0 for one, other in tables],
        "bye_points": [field.points[one] if other == NOBODY else 0 for one, other in tables],
    }


def cost_of(field: Field, tables: Sequence[Pair]) -> Cost:
    """Return what a whole round costs, forced tables and the bye (a table with `NOBODY`) included."""
    barred = field.barred
    conflicts = [(one, other) for one, other in tables if other == NOBODY or other in barred[one]]
    values = {**conflict_columns(field, conflicts), **columns(field, tables)}
    return Cost(**{name: sum(column) for name, column in values.items()})


def sides_of(field: Field, one: PlayerId, other: PlayerId) -> Sides:
    """Return the better way to seat two players: least imbalance, then fewest repeats. The bye keeps its player's."""
    mine = field.entrants[one].sides
    if other == NOBODY:
        return Sides(sum(mine) ** 2, 0, one)
    theirs = field.entrants[other].sides
    ways = [_seating(mine, theirs), _seating(theirs, mine)]
    if ways[0] == ways[1]:
        return Sides(*ways[0], None)
    return Sides(*min(ways), one if ways[0] < ways[1] else other)


def _seating(first: Sequence[int], second: Sequence[int]) -> tuple[int, int]:
    imbalance = (sum(first) + 1) ** 2 + (sum(second) - 1) ** 2
    return imbalance, (first[-1:] == (1,)) + (second[-1:] == (-1,))


def shared_tags(field: Field, one: PlayerId, other: PlayerId) -> set[str]:
    """Return the groups two players share and should be kept apart by."""
    return set(field.tags.get(one, ())) & set(field.tags.get(other, ()))


def _apart(field: Field, tables: Iterable[Pair]) -> Column:
    tags = field.tags
    return [len(tags[one] & tags[other]) if one in tags and other in tags else 0 for one, other in tables]


def _floats(field: Field, tables: Iterable[Pair]) -> Column:
    points, down, up = field.points, field.floated_down, field.floated_up
    return [
        (one in down) + (other in up) if other != NOBODY and points[one] > points[other] else 0
        for one, other in tables
    ]
