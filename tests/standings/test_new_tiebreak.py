"""A new tie-break is a function and a row in one module; everything else uses the row."""

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from scripts.reference import tie_breaks
from tests.kit import with_rows
from tests.standings.crosstable import record
from tests.standings.fields import random_record
from tests.standings.profiles import shipped
from tests.standings.test_on_paper import check_event
from tests.standings.test_swapping import check, every_result_of_two
from tourney.cli import root
from tourney.errors import TourneyError
from tourney.record import PlayerId
from tourney.standings import MatchForm, explain_place, rank, values, with_order
from tourney.standings.card_games import match_points
from tourney.standings.describing import describe
from tourney.standings.tally import GroupTally, Modifier, Term, Tiebreak, total
from tourney.standings.tiebreaks import MODULES, TABLE, find

A, B, C, D = map(PlayerId, range(1, 5))
LETTERS = dict(enumerate("ABCDEFGH", 1))


def opponents_points(scorecards, player):
    """Return the points of all opponents together."""
    return total(
        [
            Term(entry, match_points(scorecards, opponent).value, (opponent,))
            for entry in scorecards[player]
            for opponent in entry.counted_opponents
        ]
    )


def by_alphabet(scorecards, group):
    """Rank level players in order of registration."""
    return GroupTally(
        {player: place for place, player in enumerate(sorted(group), 1)}, {}, counts_forfeits=True
    )


OPPONENTS_POINTS = Tiebreak(
    "XOP",
    "opponents' points",
    "invented",
    "number",
    opponents_points,
    opponent_function=match_points,
    reach=1,
    modifiers={"R": Modifier("the other way round", lambda row, _: replace(row, low=not row.low))},
)
ALPHABET = Tiebreak("XAB", "alphabet", "invented", "place", low=True, group_function=by_alphabet)


@pytest.fixture(autouse=True)
def _in_the_table(monkeypatch):
    for row in (OPPONENTS_POINTS, ALPHABET):
        monkeypatch.setitem(TABLE, row.code, row)


def test_a_row_is_in_the_module_of_its_function():
    """A tie-break is added in one file; `TABLE` collects the rows of all modules."""
    shipped_rows = [row for module in MODULES for row in module.ROWS]
    assert [*TABLE.values()][: len(shipped_rows)] == shipped_rows
    for module in MODULES:
        functions = {row.player_function or row.group_function for row in module.ROWS}
        assert {function.__module__ for function in functions} == {module.__name__}


def test_it_has_values_and_ranks():
    """The values of all players, the order under a profile, and a variant."""
    first = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-0 D")
    assert values(first, shipped("mtr"), "XOP") == {A: 6, B: 6, C: 6, D: 6}
    second = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 D, B 2-0 C", "B 2-0 D, A 1-1 C")
    assert values(second, shipped("mtr"), "XOP") == {A: 10, B: 11, C: 13, D: 17}
    ranked = rank(second, with_order(shipped("mtr"), ["XOP"]))
    assert [(row.rank, row.player) for row in ranked.rows] == [(1, D), (2, C), (3, B), (4, A)]
    reversed_ = rank(second, with_order(shipped("mtr"), ["XOP/R"]))
    assert [row.player for row in reversed_.rows] == [A, B, C, D]


@with_rows("codes", [["PTS", "XOP"], ["XOP/R", "PTS", "XAB"]])
def test_its_explanation_adds_up(codes):
    """Each term is an opponent's, with the opponent's own rounds, and the terms make the value."""
    for seed in range(3):
        assert check_event(random_record(seed), with_order(shipped("mtr"), codes))
    played = record("ABC", "A 2-0 B, C bye", "A 0-2 C, B bye")
    assert describe(explain_place(played, with_order(shipped("mtr"), ["XOP"]), A), LETTERS.get)[:3] == (
        "A: place 1, 1–1, under mtr",
        "XOP, opponents' points: 9 = 3 + 6",
        "  round 1: B: 3 = 0 + 3: lost to A, bye",
    )


def test_results_that_would_swap_two_players_by_it_are_found():
    """All of them, and no others."""
    played = random_record(5, players=6, rounds=3, scores=("1-0", "0-1", "0-0-1"))
    profile = with_order(shipped("mtr"), ["XOP", "PTS"])
    assert check(played, profile, MatchForm(1), lambda table: every_result_of_two(table, 1, draws=True))


def test_it_is_printed_and_documented(tmp_path):
    """In tables, explanations, the page of tie-breaks, and the hint for an unknown code."""
    results = tmp_path / "results.csv"
    results.write_text("round,player1,player2,wins1,wins2\n1,Ada,Ben,2,0\n2,Ada,Cy,0,2\n")
    options = ["--from", str(results), "--tiebreaks", "PTS,XOP,XAB"]
    table = CliRunner().invoke(root, ["standings", *options])
    assert "XOP" in table.output.splitlines()[0]
    explanation = CliRunner().invoke(root, ["standings", "why", "Ada", *options])
    assert "XOP, opponents' points: 1 = 0 + 1" in explanation.output
    assert "| `XOP` | opponents' points | higher | opponents' | `XOP/R` | invented |" in tie_breaks()
    with pytest.raises(TourneyError) as caught:
        find("XXX")
    assert "XOP, XAB" in caught.value.hint
