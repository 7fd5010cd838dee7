"""Twelve best-of-three events under four systems as exact fractions, and published examples."""

import json
from fractions import Fraction
from itertools import pairwise

import pytest

from tests.kit import golden
from tests.standings.profiles import house, shipped
from tourney.standings import points, rank, values
from tourney.standings.reading import read_results

NETRUNNER_STYLE = """
extends = "cobra"
title = "strength of schedule over 3, 1, 0"
[scoring]
by = "outcome"
[outcomes]
win = { points = 3 }
draw = { points = 1 }
bye = { points = 3 }
"""
POKEMON = """
extends = "tom"
title = "as TOM, but nobody's values are kept at a drop"
[drops]
freeze = []
"""
SYSTEMS = {
    "mtr": (shipped("mtr"), {"MW": "MW", "GW": "GW", "OMW": "OMW", "OGW": "OGW"}),
    "mtr_byes_left_out_of_MW": (shipped("wer"), {"MW": "MW", "GW": "GW", "OMW": "OMW", "OGW": "OGW"}),
    "pokemon": (house(POKEMON), {"OWP": "OWP", "OOWP": "OOWP"}),
    "netrunner_style": (house(NETRUNNER_STYLE), {"SoS": "SOS", "ExtSoS": "ESOS"}),
}


def events():
    return sorted(golden("tiebreaks", "cards").glob("*.json"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_exact_fractions_and_order(system):
    """Every fraction is exactly equal, and so is the order.

    In d06 two opponents' match-win percentages are the same fraction, 337/600, which floats added in
    another order distinguish: the next tie-break has to decide there.
    """
    profile, codes = SYSTEMS[system]
    cells = 0
    for path in events():
        text = path.read_text(encoding="utf-8")
        results = read_results(text, source=path.name)
        assert results.unread_keys == ()
        ids = {name: player for player, name in results.names.items()}
        expected = json.loads(text)["expected"][system]
        for theirs, ours in codes.items():
            found = values(results.record, profile, ours)
            for row in expected:
                assert found[ids[row["player"]]] == Fraction(row[theirs]), (path.stem, row["player"], ours)
                cells += 1
        made = points(results.record, profile)
        assert all(made[ids[row["player"]]] == 2 * row["MP"] for row in expected), path.stem
        check_order(results, profile, expected)
        cells += 2 * len(expected)
    print(f"cards, {system}: {len(events())} events, {cells} cells")


def check_order(results, profile, expected):
    ranks = {results.names[row.player]: row.rank for row in rank(results.record, profile).rows}
    for above, below in pairwise(expected):
        assert ranks[above["player"]] <= ranks[below["player"]], (above, below)


def test_the_tied_rows_of_d06_are_exactly_equal():
    """In OMW, so that the game-win percentage decides. Floats would have swapped them."""
    path = golden("tiebreaks", "cards", "d06-bo3-16p4r.json")
    results = read_results(path.read_text(encoding="utf-8"), source=path.name)
    rows = rank(results.record, shipped("mtr")).rows
    level = [
        (above, below)
        for above, below in pairwise(rows)
        if above.points == below.points and above.keys[0] == below.keys[0]
    ]
    assert any(above.keys[0].value == Fraction(337, 600) for above, below in level)
    assert all(above.keys[1].value >= below.keys[1].value for above, below in level)


@pytest.mark.parametrize(
    ("record", "dropped", "rate"),
    [
        ((8, 0, 0), False, 1),
        ((6, 2, 0), False, "3/4"),
        ((3, 5, 0), False, "3/8"),
        ((3, 3, 1), False, "1/2"),
        ((1, 3, 0), True, "1/4"),
        ((0, 4, 0), False, "1/4"),
        ((4, 0, 0), True, "3/4"),
    ],
)
def test_pokemon_rates(record, dropped, rate):
    """Win rates of an opponent without byes: at least 25 %, at most 75 % after a drop."""
    won, lost, byes = record
    rounds = [
        *[[["A", f"W{i}", 1, 0, 0]] for i in range(won)],
        *[[["A", f"L{i}", 0, 1, 0]] for i in range(lost)],
        *[[["A", None]] for _ in range(byes)],
    ]
    drops = {"A": len(rounds)} if dropped else {}
    results = read_results(json.dumps({"rounds": rounds, "drops": drops}), source="rates")
    first = f"{'W' if won else 'L'}0"
    opponent = next(player for player, name in results.names.items() if name == first)
    assert values(results.record, shipped("tom"), "OWP")[opponent] == Fraction(rate)
