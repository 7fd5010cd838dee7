"""Explanations: the terms make the value, and notes say what changed it."""

from fractions import Fraction

import pytest

from tests.kit import sampled
from tests.standings.crosstable import record
from tests.standings.fields import random_record
from tests.standings.profiles import FOLDER, shipped
from tourney.record import PlayerId
from tourney.standings import explain_place, rank, with_order
from tourney.standings.describing import describe

A, B, C, D, E, F = map(PlayerId, range(1, 7))
PROFILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
LETTERS = dict(enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1))


def explained(happened, profile, player, code):
    explanation = explain_place(happened, profile, player)
    return next(tiebreak for tiebreak in explanation.tiebreaks if tiebreak.code == code)


def values_of(explanation):
    return [line.value for line in explanation.lines if line.value is not None]


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("seed", sampled(range(2), [0]))
def test_terms_add_up_to_the_value(name, seed):
    """The value is also the one in the standings."""
    happened, profile = random_record(seed), shipped(name)
    standings = rank(happened, profile, seed="x")
    checked = 0
    for row in standings.rows:
        explanation = explain_place(happened, profile, row.player, seed="x")
        assert [
            (tiebreak.code, tiebreak.value) for tiebreak in explanation.tiebreaks if tiebreak.code != "PTS"
        ] == [(key.code, key.value) for key in row.keys]
        for tiebreak in explanation.tiebreaks:
            lines = values_of(tiebreak)
            if tiebreak.method == "sum":
                assert sum(lines) == tiebreak.value, tiebreak
                checked += 1
            elif tiebreak.method == "mean" and not tiebreak.note:
                assert sum(lines) / Fraction(len(lines)) == tiebreak.value, tiebreak
                checked += 1
    assert checked


@pytest.mark.parametrize(
    "code", ["BH", "BH/C1", "BH/M2", "FB/C1", "SB", "SB/C1", "PS/C1", "AOB", "KS", "STD"]
)
@pytest.mark.parametrize("seed", sampled(range(5), [0, 1]))
def test_terms_add_up_to_the_values_of_chess(code, seed):
    """Cut terms are shown and not counted."""
    happened = random_record(seed, scores=("1-0", "0-1", "0-0-1", "+-", "-+", "--"))
    profile = with_order(shipped("fide"), ["PTS", code])
    for row in rank(happened, profile).rows:
        each = explained(happened, profile, row.player, code)
        lines = values_of(each)
        whole = sum(lines) if each.method == "sum" else sum(lines) / Fraction(len(lines)) if lines else None
        assert whole == each.value
        cut = [line for line in each.lines if line.note == "cut"]
        assert all(line.value is None and line.raw is not None for line in cut)
        assert len(cut) == {"C1": 1, "M2": 4}.get(code.partition("/")[2], 0)


def test_shows_floors_and_byes():
    """The value before the floor, and the bye that does not count."""
    happened = record("ABC", "A 2-0 B, C bye", "A 2-1 C, B bye", "B 0-2 C, A bye")
    each = explained(happened, shipped("mtr"), A, "OMW")
    assert [
        (line.entry.round, line.sources, line.value, line.arithmetic, line.note) for line in each.lines
    ] == [
        (1, (B,), Fraction(1, 3), "(0 + 1 + 0)/3", ""),
        (2, (C,), Fraction(2, 3), "(1 + 0 + 1)/3", ""),
        (3, (), None, "", "bye"),
    ]
    assert [(line.opponents, line.value) for line in each.lines[0].opponent_terms] == [
        ((A,), 0),
        ((), 1),
        ((C,), 0),
    ]
    lost = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 0-2 D")
    line = explained(lost, shipped("mtr"), A, "OMW").lines[0]
    assert (line.value, line.raw, line.note) == (Fraction(33, 100), 0, "raised to the floor from 0")


def test_shows_the_cap_after_a_drop():
    """TOM: the win percentage of a dropped opponent counts as at most 75 %."""
    happened = record("ABC", "A 2-0 B, C bye", "B 2-0 C", drops={"A": 1})
    line = explained(happened, shipped("tom"), B, "OWP").lines[0]
    assert (line.value, line.raw, line.note) == (Fraction(3, 4), 1, "lowered to the cap from 1")


def test_explains_a_frozen_value():
    """TOM: the OWP of a dropped player is that of the last round before the drop."""
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "B 2-0 C, D bye", drops={"A": 1})
    each = explained(happened, shipped("tom"), A, "OWP")
    assert each.note == "as it was after round 1"
    assert values_of(each) == [Fraction(1, 4)]


def test_explains_head_to_head():
    """The level players and their points, or why it is not used."""
    two = record("ABCD", "A 2-0 B, C 2-0 D", "B 2-0 D, A 0-2 C")
    each = explained(two, with_order(shipped("tourney"), ["PTS", "H2H"]), A, "H2H")
    assert each.level_players == (A, B)
    assert [(line.opponents, line.value) for line in each.lines] == [((B,), 1)]
    apart = record("ABCD", "A 2-0 B, C 2-0 D", "A 0-2 D, C 0-2 B")
    each = explained(apart, with_order(shipped("tourney"), ["PTS", "H2H"]), A, "H2H")
    assert each.note == "not used: they have not all met"
    each = explained(apart, with_order(shipped("tom"), ["PTS", "H2H"]), A, "H2H")
    assert each.note == "not used: 4 players are level, but this tie-break decides only between two"
    alone = explained(two, with_order(shipped("tourney"), ["PTS", "H2H"]), C, "H2H")
    assert alone.note == "no other player is level"


def test_explains_a_repeated_code_twice():
    """Each time with the players level then."""
    happened = record("ABCD", "A 1-0 B, C 1-0 D", "C 0-1 B, D 1-0 A")
    explanation = explain_place(happened, with_order(shipped("fide"), ["PTS", "DE", "BPG", "DE"]), A)
    first, second = (tiebreak for tiebreak in explanation.tiebreaks if tiebreak.code == "DE")
    assert (first.level_players, first.value) == ((A, B, C, D), 1)
    assert (second.level_players, second.value) == ((A, D), 2)


def test_names_the_value_that_separates_neighbors():
    """They are equal on points and differ in OMW."""
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-0 D")
    standings = rank(happened, shipped("mtr"))
    second, third = standings.rows[1:3]
    explanation = explain_place(happened, shipped("mtr"), third.player)
    assert explanation.above.row == second
    assert (
        explanation.above.code is None or explanation.above.player_value != explanation.above.neighbour_value
    )
    top = explain_place(happened, shipped("mtr"), standings.rows[0].player)
    assert top.above is None
    assert top.below.code == "PTS"


def test_level_neighbors_have_no_swaps():
    """They share the place."""
    happened = record("AB", "A 1-1 B")
    explanation = explain_place(happened, shipped("mtr"), A)
    assert (explanation.below.code, explanation.below.search.swaps) == (None, ())
    assert "below: B, level in everything: they share place 1" in describe(explanation, LETTERS.get)


def test_explains_a_disqualified_player_without_neighbors():
    """Terms are shown, places are not compared."""
    happened = record("ABC", "A 2-0 B, C bye", disqualified={"A": 1})
    explanation = explain_place(happened, shipped("mtr"), A)
    assert (explanation.row.rank, explanation.above, explanation.below) == (None, None, None)
    assert describe(explanation, LETTERS.get)[0] == "A: disqualified, without a place, 1–0, under mtr"


def test_rejects_a_player_who_is_not_ranked():
    """A player who is not in the standings has no place that could be explained."""
    with pytest.raises(KeyError):
        explain_place(record("ABC", "A 2-0 B", drops={"C": 0}), shipped("mtr"), C)


def test_describes_a_small_event():
    """The whole text, as in the terminal and on the player's page."""
    happened = record("ABC", "A 2-1 B, C bye", "A 0-2 C, B away")
    assert describe(explain_place(happened, shipped("mtr"), A), LETTERS.get) == (
        "A: place 2, 1–1, under mtr",
        "PTS, points: 3 = 3 + 0",
        "  round 1: beat B: 3",
        "  round 2: lost to C: 0",
        "OMW, opponents' match-win %: 66.50 % = 133/200 = (33/100 + 1)/2",
        "  round 1: B: 33/100, raised to the floor from 0: lost to A, absent (not counted)",
        "  round 2: C: 1 = (1 + 1)/2: bye, beat A",
        "GW, game-win %: 40.00 % = 2/5 = (2 + 0)/(3 + 2)",
        "  round 1: beat B 2–1: 2, of 3 games",
        "  round 2: lost to C 0–2: 0, of 2 games",
        "OGW, opponents' game-win %: 66.67 % = 2/3 = (1/3 + 1)/2",
        "  round 1: B: 1/3: lost to A 1–2, absent (not counted)",
        "  round 2: C: 1 = (2 + 2)/(2 + 2): bye 2–0, beat A 2–0",
        "above: C (place 1): points 6 against 3",
        "  each of these results would have swapped them:",
        "    round 2, A against C: A wins; C does not show up",
        "below: B (place 3): points 0 against 3",
        "  each of these results would have swapped them:",
        "    round 1, A against B: B wins; A does not show up",
    )
