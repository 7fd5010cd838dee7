"""Points beside the results count for points and opponents, but for no match."""

import re
from fractions import Fraction

from msgspec.structs import replace

from tests.kit import with_rows
from tests.standings.fields import random_record
from tests.standings.profiles import shipped
from tourney.record import PlayerId
from tourney.standings import explain_place, points, rank

PROFILES = ["tourney", "mtr", "fide", "fide-round-robin", "fab", "kts", "cobra", "topdeck"]
ONE = PlayerId(1)


@with_rows("name", PROFILES)
def test_adds_extra_points_to_those_of_results(name):
    """Up to a given round, and for no other player."""
    profile = shipped(name)
    for seed in range(10):
        record = random_record(seed, players=8, rounds=4)
        with_extras = replace(record, extra_points=({}, {ONE: -1}, {}, {ONE: 3}))
        for last, extra in enumerate((0, 0, -1, -1, 2)):
            plain, made = points(record.after(last), profile), points(with_extras.after(last), profile)
            assert made == {**plain, ONE: plain[ONE] + extra}


def keys(record, name):
    return {row.player: {key.code: key.value for key in row.keys} for row in rank(record, shipped(name)).rows}


def test_extra_points_count_for_opponents():
    """In Buchholz, a sum of scores; not in percentages of matches."""
    record = random_record(3, players=8, rounds=3)
    with_extras = replace(record, extra_points=({ONE: 2},))
    opponents = {
        seat
        for tables in record.rounds
        for table in tables
        if ONE in table.seats and table.result and table.result.played
        for seat in table.seats
    } - {ONE}
    before, after = (keys(source, "fide") for source in (record, with_extras))
    assert opponents
    for player in record.players:
        if player != ONE:
            assert after[player]["BH"] - before[player]["BH"] == (1 if player in opponents else 0)
    assert keys(record, "mtr") == keys(with_extras, "mtr")


@with_rows("name", PROFILES)
def test_sums_in_explanations_include_extra_points(name):
    """They equal the value that ranks."""
    profile = shipped(name)
    record = replace(random_record(5, players=8, rounds=4), extra_points=({ONE: 1}, {ONE: -3}))
    for player in record.players:
        explained = explain_place(record, profile, player)
        for tiebreak in explained.tiebreaks:
            if tiebreak.code in {"PTS", "SCORE"} and tiebreak.arithmetic:
                assert (
                    sum(
                        map(Fraction, re.sub(r"[()]", "", tiebreak.arithmetic.replace("−", "-")).split(" + "))
                    )
                    == tiebreak.value
                )
