"""Bounds against random and all completions: values between the keys, counts not exceeded."""

import random
from math import prod

import pytest
from msgspec.structs import replace

from tests.forecast.fields import PROFILES, completed, completions, question, table_question
from tests.kit import amount, sampled, with_rows
from tourney.forecast.bounds import NO_VALUE, CutBounds
from tourney.standings import rank, values
from tourney.standings.tiebreaks import TABLE, find

VARIANTS = (
    *("PS/C1", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "FB/C1", "AOB/F", "KS/L-2", "KS/L+1", "ARO/C1"),
    *("RTNG/R", "TPN/R"),
)
CODES = [code for code in (*TABLE, *VARIANTS) if code not in ("PTS", "LOT") and find(code).player_function]


def any_question(seed, profile):
    """Return a random question: best of one or of three, or about larger tables."""
    kind = random.Random(seed).choice(("one", "three", "larger"))
    if kind == "larger":
        return table_question(seed, profile)
    return question(seed, profile, best_of=1 if kind == "one" else 3)


def ending_of(bounds, choice, player):
    """Return the kind of a player's result in a completion; empty for a player without a table."""
    at = bounds.table_of.get(player)
    return () if at is None else next(ending for ending in bounds.endings[at] if choice[at] in ending)


@with_rows("code", CODES)
def test_values_lie_between_the_keys(code):
    """The value of every tie-break, in random completions under random profiles."""
    for number in range(amount(1, of=60)):
        dice, row = random.Random(f"{code} {number}"), find(code)
        whole = any_question(dice.randrange(10**9), dice.choice(PROFILES))
        whole = replace(whole, profile=replace(whole.profile, order=("PTS", code)))
        bounds = CutBounds(whole, lines=None)
        choice = tuple(dice.randrange(len(table.results)) for table in whole.tables)
        by_player = values(completed(whole, choice), whole.profile, code)
        for player in whole.players:
            low, high = bounds.finishes[player, ending_of(bounds, choice, player)]
            value = by_player[player]
            ranked = NO_VALUE if value is None else -value if row.low else value
            assert low[2] <= ranked <= high[2], (number, player)


@with_rows("code", ["DE", "DE/P", "H2H", "SB/C1", "SB/M2"])
def test_some_tie_breaks_have_no_bounds(code):
    """Tie-breaks among level players, and cuts of products, which a better result can change."""
    whole = question(3, "fide")
    bounds = CutBounds(replace(whole, profile=replace(whole.profile, order=("PTS", code))), lines=None)
    assert all((low[2], high[2]) == (-float("inf"), float("inf")) for low, high in bounds.finishes.values())


@pytest.mark.parametrize("profile", sampled(PROFILES, ["fide", "mtr", "pods", "tourney"]))
def test_no_completion_exceeds_a_count(profile):
    """The counts are of others who end above, or level or above, for each own result."""
    compared = 0
    most = amount(150, of=300)
    for seed in range(amount(6, of=12)):
        whole = (
            table_question(seed, profile) if seed % 3 == 0 else question(seed, profile, best_of=1 + seed % 3)
        )
        if prod(len(table.results) for table in whole.tables) > most:
            continue
        bounds = CutBounds(whole, lines=None)
        for choice, record in completions(whole):
            places = {
                row.player: row.rank
                for row in rank(record, whole.profile).rows
                if row.player in whole.players
            }
            for player, place in places.items():
                ending = ending_of(bounds, choice, player)
                above = sum(other < place for other in places.values())
                level_or_above = sum(other <= place for other in places.values()) - 1
                ahead = bounds.count_ahead(player, ending)
                assert ahead.fewest_above <= above
                assert ahead.fewest_level_or_above <= level_or_above <= ahead.most_level_or_above
                compared += 1
    assert compared > amount(100, of=200)


def test_tie_breaks_are_computed_at_the_lines_alone():
    """At other points, keys end after the points."""
    whole = question(4, "mtr")
    points = {CutBounds(whole, lines=()).points(*key) for key in CutBounds(whole, lines=()).finishes}
    line = max(points)
    bounds = CutBounds(whole, lines={line})
    assert {len(finish.low) for key, finish in bounds.finishes.items() if bounds.points(*key) != line} == {3}
    assert {len(finish.low) for key, finish in bounds.finishes.items() if bounds.points(*key) == line} == {5}
