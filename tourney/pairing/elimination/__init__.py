"""Elimination brackets, as pure functions of the players' seeds and the results.

A bracket is single, double, or has tables of three and more.

    now = bracket(players, BracketOptions(third_place=True), earlier=rounds, departures=departures)
    now.tables, now.labels, now.byes                      # the next round, in order of table number
    now.stages                                            # every match of the bracket, including open matches
    now.is_finished, now.champion, now.places
    findings = check(now, {label: seats})                 # the organizer's tables for the next round
    facts = elimination.why.why(players, options, now, label, seats)  # where the two players came from

`earlier` has one mapping for each cut round played: label of the match → the Table with its result. The
recorded tables count: if the organizer seated other players, they play the match. `departures` has the
players who dropped after the cut was made: player → the number of cut rounds that were played before the
player dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.lazy import lazy_names

if TYPE_CHECKING:  # imported lazily
    from tourney.pairing.elimination.playing import bracket, check, first_side, seat_by_sides
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
        cut_sizes,
        fold,
        possible_cuts,
        refuse_size,
    )

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
