"""Small or saturated fields: every allowed table is a candidate and all levels are packed into one matching."""

from __future__ import annotations

from itertools import combinations

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Pair
from tourney.pairing.swiss.field import Field, seats_of
from tourney.pairing.swiss.levels import columns, conflict_columns
from tourney.pairing.swiss.lexicographic import best_round
from tourney.pairing.swiss.words import Words
from tourney.record import PlayerId


def solve_whole(field: Field, words: Words) -> list[Pair] | None:
    """Return the free players' tables of the lexicographic optimum, or None if keep-aparts leave no complete round.

    Takes O(n²) candidates: for fields in which a conflict cannot be avoided, or too small for anything else to pay.
    """
    tables = candidates(field)
    values = {**conflict_columns(field, tables), **columns(field, tables)}
    return best_round(vertices(field), tables, [*values.values(), words.of_pairs(tables)])


def vertices(field: Field) -> list[PlayerId]:
    """Return the free players from the top, and the bye where their number is odd."""
    players = [player for group in field.groups for player in group]
    return [*players, NOBODY] if field.odd else players


def candidates(field: Field) -> list[Pair]:
    """Return every table that the organizer's keep-aparts allow, and every bye."""
    players = [player for group in field.groups for player in group]
    tables = [seats_of(field, pair) for pair in combinations(players, 2) if field.allowed(*pair)]
    return tables + [(player, NOBODY) for each in field.bye_classes for player in each]
