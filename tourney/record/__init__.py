"""What happened in the matches: players, tables, outcomes, results, points."""

from tourney.record.match import Outcome, PlayerId, Result, Seat, Table
from tourney.record.points import (
    half_points_from_text,
    number_from_text,
    points_text,
    typed_plainly,
    whole_from_text,
)
from tourney.record.tournament import Record

__all__ = [
    "Outcome",
    "PlayerId",
    "Record",
    "Result",
    "Seat",
    "Table",
    "half_points_from_text",
    "number_from_text",
    "points_text",
    "typed_plainly",
    "whole_from_text",
]
