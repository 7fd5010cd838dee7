"""A tie-break is a row: an invented one is put into the table, and everything that is done with tie-breaks does it."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from scripts.reference import tie_breaks
from tests.standings.crosstable import record
from tests.standings.fields import random_record
from tests.standings.profiles import shipped
from tests.standings.test_on_paper import check_event
from tests.standings.test_swapping import check, every_result_of_two
from tourney.cli.command import root
from tourney.errors import TourneyError
from tourney.record import PlayerId
from tourney.standings import MatchForm, rank, values, why, with_order
from tourney.standings.card_games import match_points
from tourney.standings.describing import describe
from tourney.standings.exact import GroupTally, Term, total
from tourney.standings.tiebreaks import TABLE, Modifier, Tiebreak, find

A, B, C, D = map(PlayerId, range(1, 5))
LETTERS = dict(enumerate("ABCDEFGH", 1))


def opponents_points(scorecards, player):
    """The points of all opponents together."""
    return total(
        [
            Term(entry, opponent, match_points(scorecards, opponent).value)
            for entry in scorecards[player]
            for opponent in entry.met
        ]
    )


def by_alphabet(scorecards, group):
    """Level players in the order of registration, whoever met whom."""
    return GroupTally({player: place for place, player in enumerate(sorted(group), 1)}, {}, forfeits=True)


OPPONENTS_POINTS = Tiebreak(
    "XOP",
    "opponents' points",
    "invented",
    "number",
    opponents_points,
    of=match_points,
    reach=1,
    modifiers={"R": Modifier("the other way round", lambda row, _: replace(row, low=not row.low))},
)
ALPHABET = Tiebreak("XAB", "alphabet", "invented", "place", low=True, among=by_alphabet)


@pytest.fixture(autouse=True)
def _in_the_table(monkeypatch):
    for row in (OPPONENTS_POINTS, ALPHABET):
        monkeypatch.setitem(TABLE, row.code, row)


def test_it_is_computed_and_ranks():
    """Its value for everybody, its order in a profile, and its variant the other way round."""
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-0 D")
    assert values(happened, shipped("mtr"), "XOP") == {A: 6, B: 6, C: 6, D: 6}
    met_again = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 D, B 2-0 C", "B 2-0 D, A 1-1 C")
    assert values(met_again, shipped("mtr"), "XOP") == {A: 10, B: 11, C: 13, D: 17}
    ranked = rank(met_again, with_order(shipped("mtr"), ["XOP"]))
    assert [(row.rank, row.player) for row in ranked.rows] == [(1, D), (2, C), (3, B), (4, A)]
    other_way = rank(met_again, with_order(shipped("mtr"), ["XOP/R"]))
    assert [row.player for row in other_way.rows] == [A, B, C, D]


@pytest.mark.parametrize("codes", [["PTS", "XOP"], ["XOP/R", "PTS", "XAB"]])
def test_its_explanation_adds_up(codes):
    """Each term is one opponent's, with the opponent's own rounds; the terms make the value."""
    for seed in range(3):
        assert check_event(random_record(seed), with_order(shipped("mtr"), codes))
    happened = record("ABC", "A 2-0 B, C bye", "A 0-2 C, B bye")
    assert describe(why(happened, with_order(shipped("mtr"), ["XOP"]), A), LETTERS.get)[:3] == (
        "A: place 1, 1–1, under mtr",
        "XOP, opponents' points: 9 = 3 + 6",
        "  round 1: B: 3 = 0 + 3: lost to A, bye",
    )


def test_results_that_change_it_are_found():
    """Which single result would have swapped two whom it tells apart."""
    happened = random_record(5, players=6, rounds=3, scores=("1-0", "0-1", "0-0-1"))
    profile = with_order(shipped("mtr"), ["XOP", "PTS"])
    assert check(happened, profile, MatchForm(1), lambda table: every_result_of_two(table, 1, draws=True))


def test_it_is_printed_and_documented(tmp_path):
    """In tables and reasons, on the page of tie-breaks, and in the hint where a code is unknown."""
    results = tmp_path / "results.csv"
    results.write_text("round,player1,player2,wins1,wins2\n1,Ada,Ben,2,0\n2,Ada,Cy,0,2\n")
    options = ["--from", str(results), "--tiebreaks", "PTS,XOP,XAB"]
    shown = CliRunner().invoke(root, ["standings", *options])
    assert "XOP" in shown.output.splitlines()[0]
    told = CliRunner().invoke(root, ["standings", "why", "Ada", *options])
    assert "XOP, opponents' points: 1 = 0 + 1" in told.output
    assert "| `XOP` | opponents' points | higher | opponents' | `XOP/R` | invented |" in tie_breaks()
    with pytest.raises(TourneyError) as refused:
        find("XXX")
    assert "XOP, XAB" in refused.value.hint
