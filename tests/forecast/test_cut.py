"""Verdicts of the last round: never wrong in any completion, and complete for small fields."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.forecast.fields import (
    PROFILES,
    brute_force,
    completed,
    completions,
    ends,
    opened,
    outcome,
    question,
    table_question,
    with_missing,
)
from tests.kit import amount, examples, sampled, with_rows
from tests.standings.crosstable import record
from tests.standings.fields import random_record
from tests.standings.profiles import house, shipped
from tourney.cli import root
from tourney.errors import TourneyError
from tourney.forecast import Case, Forecast, Grounds, Margin, Outlook, TableOutlook, forecast_cut
from tourney.forecast.question import CutQuestion
from tourney.forecast.verdicts import because_text, draw_parts, draw_text, outlook_text
from tourney.record import Outcome, PlayerId, Record, Table
from tourney.standings import points, rank, values
from tourney.standings.reading import read_results
from tourney.standings.tiebreaks import find

FEW = ("fide", "mtr", "tourney")
"""Profiles of different families, for the slower proofs in an ordinary run."""

A, B, C, D, E, F = map(PlayerId, range(1, 7))


def name(player):
    return "?ABCDEFGHIJKLMNOP"[player]


def texts(forecast):
    return {name(outlook.player): outlook_text(outlook) for outlook in forecast.outlooks}


def check_against_brute_force(problem, label):
    """Compare every verdict, open ones too, with all completions."""
    truth = brute_force(problem)
    for outlook in forecast_cut(problem).outlooks:
        for own in dict.fromkeys(case.outcome for case in outlook.cases):
            ends_ = truth[outlook.player, own]
            expected = ends_.pop() if ends_ in ({"in"}, {"out"}) else "open"
            assert outlook.after(own) == expected, (label, outlook.player, own)


@with_rows("profile", PROFILES)
def test_small_fields_are_answered_completely(profile):
    """Up to four open tables with all results: in, out or open for each player and own result."""
    problems = [question(seed, profile) for seed in range(amount(6, of=9))]
    most = amount(50, of=700)
    problems = [problem for problem in problems if prod(len(t.results) for t in problem.tables) <= most]
    assert len(problems) >= amount(2, of=4)
    for seed, problem in enumerate(problems):
        check_against_brute_force(problem, (profile, seed))


@pytest.mark.parametrize("profile", sampled(PROFILES, FEW))
def test_tables_of_three_to_six_are_answered_completely(profile):
    """All orders with shared first places, or all places if the profile gives points for them."""
    problems = [table_question(seed, profile) for seed in range(6)]
    most = amount(75, of=500)
    problems = [problem for problem in problems if prod(len(t.results) for t in problem.tables) <= most]
    assert len(problems) >= amount(2, of=3)
    for seed, problem in enumerate(problems):
        check_against_brute_force(problem, (profile, seed))


@with_rows("profile", ["fide", "fide-round-robin", "mtr"])
def test_games_against_an_early_leaver_of_a_round_robin_do_not_count(profile):
    """Not even the one that is still to be played in the last round."""
    for seed in range(amount(5, of=10)):
        problem = question(seed, profile)
        left = {problem.tables[0].seats[0]: 1}
        record = replace(problem.record, round_robin=True, left_early=left)
        problem = replace(problem, record=record)
        check_against_brute_force(problem, (profile, seed))


@with_rows(
    ("draw", "loss"),
    [
        ("{ points = 0, match = '1/2' }", "{ points = 1, match = '1/3' }"),
        ("{ points = 0 }", "{ points = 1 }"),
        ("{ points = 0 }", "{ points = -1, match = 0 }"),
    ],
)
@with_rows("code", ["OMW", "OML", "SB"])
def test_a_house_profile_can_rate_a_draw_below_a_loss(code, draw, loss):
    """If it also deducts points for a loss, an opponent's better result can lower a tie-break."""
    rules = house(
        f'extends = "fide"\norder = ["PTS", "{code}"]\n[outcomes]\nwin = {{ points = 2 }}\ndraw = {draw}\n'
        f"loss = {loss}"
    )
    problems = [replace(question(seed, "fide"), profile=rules) for seed in range(amount(4, of=12))]
    most = amount(50, of=100)
    small = [problem for problem in problems if prod(len(table.results) for table in problem.tables) <= most]
    assert small
    for number, problem in enumerate(small):
        check_against_brute_force(problem, number)


def test_rounds_to_come_can_give_as_many_points_as_a_match_so_far():
    """A match of three games can give more than Cobra's usual two: B can still get level with A."""
    problem = CutQuestion(record=record("AB", "A 3-0 B"), profile=shipped("cobra"), cut=1, to_come=1)
    assert texts(forecast_cut(problem)) == {"A": "open", "B": "open"}


@pytest.mark.parametrize("profile", sampled(["tourney", "mtr", "melee"], ["mtr"]))
def test_all_scores_of_a_match_count(profile):
    """2-0 and 2-1 are different results if shares of games break ties."""
    for seed in range(100, 100 + amount(2, of=5)):
        problem = question(seed, profile, best_of=3, most=5)
        assert len(problem.tables[0].results) > 10
        check_against_brute_force(problem, (profile, seed))


@pytest.mark.long
@pytest.mark.parametrize("profile", PROFILES)
def test_many_small_fields_are_answered_completely(profile):
    """The same test with 300 fields for each profile."""
    for seed in range(1000, 1300):
        problem = question(seed, profile)
        if prod(len(t.results) for t in problem.tables) <= 2500:
            check_against_brute_force(problem, (profile, seed))
        at_tables = table_question(seed, profile)
        if prod(len(t.results) for t in at_tables.tables) <= 2500:
            check_against_brute_force(at_tables, (profile, seed))


@given(st.integers(0, 10**6), st.sampled_from(PROFILES), st.integers(10, 22))
@examples(4, of=100)
def test_no_completion_contradicts_a_verdict(seed, profile, players):
    """Larger fields, every score: no random completion contradicts an in or an out."""
    dice = random.Random(seed)
    rec = opened(random_record(seed, players=players, rounds=dice.randint(1, 5)), tables=dice.randint(1, 99))
    if any(table.result is None for tables in rec.rounds[:-1] for table in tables):
        rec = replace(
            rec, rounds=(*(tuple(t for t in ts if t.result) for ts in rec.rounds[:-1]), rec.rounds[-1])
        )
    problem = CutQuestion(record=rec, profile=shipped(profile), cut=dice.choice((1, 2, 4, 8)))
    forecast = forecast_cut(problem)
    for _ in range(15):
        choice = [dice.randrange(len(table.results)) for table in problem.tables]
        by_player = ends(problem, completed(problem, choice))
        for outlook in forecast.outlooks:
            for verdict in (outlook.now, outlook.after(outcome(problem, choice, outlook.player))):
                assert verdict in ("open", by_player[outlook.player]), (outlook.player, choice)


def test_a_verdict_is_based_on_points_on_the_order_or_on_a_ranking():
    """If only a head-to-head decides, every completion is ranked."""
    grounds = [
        case.grounds
        for seed in range(300, 310)
        for outlook in forecast_cut(question(seed, "tom")).outlooks
        for case in outlook.cases
        if case.grounds
    ]
    assert {ground.by for ground in grounds} == {"points", "order", "ranking"}
    assert all(bool(ground.tried_tables) == (ground.by == "ranking") for ground in grounds)


def test_too_many_completions_are_not_ranked():
    """With twelve open tables only the bounds decide; the rest stays open."""
    rec = opened(random_record(3, players=24, rounds=4, scores=("2-0", "0-2", "1-1")))
    problem = CutQuestion(record=rec, profile=shipped("mtr"), cut=8, match=(1, True))
    outlooks = forecast_cut(problem).outlooks
    assert {case.verdict for outlook in outlooks for case in outlook.cases} == {"in", "out", "open"}
    assert not any(
        case.grounds and case.grounds.by == "ranking" for outlook in outlooks for case in outlook.cases
    )


# -- In words


def test_what_a_player_needs():
    """Four players, one round left, a cut to two: the two leaders draw in."""
    rec = record("ABCD", "A 2-0 C, B 2-0 D", "A ? B, C ? D")
    forecast = forecast_cut(CutQuestion(record=rec, profile=shipped("mtr"), cut=2, match=(3, True)))
    assert texts(forecast) == {
        "A": "in with a draw",
        "B": "in with a draw",
        "C": "open with a win, otherwise out",
        "D": "open with a win, otherwise out",
    }
    assert [table.number for table in forecast.draws_that_suit()] == [1]
    assert not forecast.is_settled


@with_rows(
    ("seats", "expected"),
    [
        (["in in open", "in in open"], "a draw suits both"),
        (["in in in", "in in open"], "a draw suits both"),
        (["in in open", "in out out"], "a draw suits A alone"),
        (["in in open", "open open out"], "a draw suits A and leaves B open"),
        (["in open open", "in open out"], "a draw leaves both open"),
        (["open out out", "in out out"], "a draw suits neither"),
        (["in in open", "out out out"], "a draw suits A; B is out anyway"),
        (["in in in", "in out out"], "a draw is not enough for B; A is in anyway"),
        (["in in in", "in in in"], "both are in anyway"),
        (["out out out", "out out out"], "both are out anyway"),
        (["out out out", "in in in"], "A is out anyway; B is in anyway"),
        (["in in open", ""], "a draw suits A; B is out anyway"),
        (["in in open", "in in out", "in in in"], "a draw suits all of them"),
        (["in in open", "in in out", "in out out"], "a draw suits A and B alone"),
        (["in out open", "open out out", "open out out"], "a draw suits no player"),
        (
            ["in in open", "in open out", "in out out", "in in in", "out out out", "out out out"],
            "a draw suits A, leaves B open and is not enough for C; D is in anyway; E and F are out anyway",
        ),
    ],
)
def test_whom_a_draw_suits(seats, expected):
    """Each seat has the verdicts after a win, a draw and a loss; none for a player who left."""
    players = [PlayerId(number) for number in range(1, len(seats) + 1)]
    problem = CutQuestion(
        record=Record(players=tuple(players), rounds=((Table(1, tuple(players)),),)),
        profile=shipped("tourney"),
        cut=1,
        match=(3, True),
    )
    outlooks = [
        Outlook(
            player=player,
            cases=tuple(
                Case(outcome=outcome, verdict=verdict)
                for outcome, verdict in zip(
                    (Outcome.WIN, Outcome.DRAW, Outcome.LOSS), verdicts.split(), strict=True
                )
            ),
        )
        if verdicts
        else None
        for player, verdicts in zip(players, seats, strict=True)
    ]
    at = TableOutlook(problem.tables[0], tuple(outlooks))
    assert draw_text(at, name) == expected
    assert len(draw_parts(at, name)) <= len(seats)
    there = tuple(outlook for outlook in outlooks if outlook)
    both = Forecast(question=problem, outlooks=there).draws_that_suit()
    assert both == (problem.tables if expected == "a draw suits both" else ())


def test_a_match_without_draws_has_no_draw_text():
    rec = record("ABCD", "A 2-0 C, B 2-0 D", "A ? B, C ? D")
    forecast = forecast_cut(CutQuestion(record=rec, profile=shipped("mtr"), cut=2, match=(3, False)))
    assert [draw_text(at, name) for at in forecast.tables] == ["", ""]


def test_a_draw_suits_players_who_are_in_with_it():
    """Compared with all completions; every player of a table has one of the texts."""
    seen = Counter()
    for profile, seed in product(("tourney", "mtr", "tables"), range(12)):
        problem = table_question(seed, profile) if profile == "tables" else question(seed, profile)
        if prod(len(table.results) for table in problem.tables) > amount(64, of=100):
            continue
        truth = brute_force(problem)
        for at in forecast_cut(problem).tables:
            drawn = at.draw_effects()
            assert {player for _, players in drawn for player in players} == set(at.table.seats)
            for word, players in drawn:
                seen[word] += 1
                for player in players:
                    ends_ = truth.get((player, Outcome.DRAW), {"out"})
                    played = (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
                    every = set().union(*(truth.get((player, own), {"out"}) for own in played))
                    assert (word == "suits") <= (ends_ == {"in"})
                    assert (word == "not enough") <= (ends_ == {"out"})
                    assert (word == "open") <= (ends_ not in ({"in"}, {"out"}))
                    assert (word == "in anyway") <= (every == {"in"})
                    assert (word == "out anyway") <= (every == {"out"})
    assert min(seen[word] for word in ("suits", "open", "not enough", "in anyway", "out anyway")) > 1, seen


def test_a_player_level_with_the_last_place_when_no_table_is_open():
    """Then the text does not say "at best"."""
    rec = record("ABCD", "A 2-0 B, C 2-0 D")
    problem = CutQuestion(record=rec, profile=shipped("mtr"), cut=1)
    assert texts(forecast_cut(problem))["A"] == "level with the last place"


def test_every_player_is_in_or_out_when_no_table_is_open():
    """After the last result, the forecast is the standings."""
    rec = record("ABCD", "A 2-0 B, C 2-1 D", "A 2-0 C, B 2-0 D")
    forecast = forecast_cut(CutQuestion(record=rec, profile=shipped("mtr"), cut=1))
    assert forecast.is_settled
    assert texts(forecast) == {"A": "in", **dict.fromkeys("BCD", "out")}


def test_a_player_level_at_best_is_in_at_no_completion():
    """Compared with every completion of small events."""
    level = 0
    most = amount(60, of=300)
    for profile, seed in product(("mtr", "tom", "fide", "tourney"), range(10)):
        problem = question(seed, profile)
        if not problem.is_exact or prod(len(table.results) for table in problem.tables) > most:
            continue
        every = [ends(problem, rec) for _, rec in completions(problem)]
        for outlook in forecast_cut(problem).outlooks:
            if outlook.at_best_level:
                level += 1
                assert all(by_player[outlook.player] != "in" for by_player in every)
    assert level


# -- Why


def test_why_a_player_is_in_or_out():
    """The text has the count, and the tables whose results make a difference."""
    rec = record("ABCDEF", "A 2-0 D, B 2-0 E, C 2-0 F", "A 2-0 E, B 1-1 C, D 2-0 F", "A ? B, C ? D, E ? F")
    problem = CutQuestion(record=rec, profile=shipped("mtr"), cut=2, match=(1, True))
    why = {
        (outlook.player, case.outcome): because_text(problem, case, name)
        for outlook in forecast_cut(problem).outlooks
        for case in outlook.cases
    }
    assert why[A, Outcome.WIN] == ("with a win: whatever happens, no other player can reach 9 points")
    assert why[A, Outcome.DRAW] == (
        "with a draw: even if C wins at table 2, at most 1 other can reach 7 points"
    )
    assert why[B, Outcome.DRAW] == ""
    assert why[F, Outcome.DRAW] == (
        "with a draw: whatever happens, at least 4 others end with more than 1 point"
    )


def test_why_tie_breaks_settle_it():
    """The text names who can be level and stays behind, the tie-break, and the tables tried."""
    seen = set()
    words = ("behind on", "ahead on", "in each of", "end level or ahead", "better tie-breaks", "at most")
    for profile, seed in product(("tourney", "tom", "fide"), range(300, 308)):
        problem = question(seed, profile)
        for outlook in forecast_cut(problem).outlooks:
            for case in outlook.cases:
                because = because_text(problem, case, name)
                assert bool(because) == (case.verdict != "open")
                seen.update(word for word in words if word in because)
                assert not case.grounds or (case.grounds.other_count < problem.cut) == (case.verdict == "in")
    assert seen == set(words)


@pytest.mark.parametrize("profile", sampled(PROFILES, FEW))
def test_margins_hold_in_all_completions(profile):
    """A player who is reported behind or ahead on a tie-break is, by at least the margin."""
    seen, compared = Counter(), 0
    most = amount(60, of=3000)
    for seed in range(300, 312):
        problem = question(seed, profile)
        if prod(len(table.results) for table in problem.tables) > most:
            continue
        compared += 1
        claims = [
            (outlook.player, case, other, margin)
            for outlook in forecast_cut(problem).outlooks
            for case in outlook.cases
            if case.grounds
            for other, margin in case.grounds.level.items()
            if margin.player_value is not None and margin.other_value is not None
        ]
        for choice, rec in completions(problem) if claims else ():
            scores = points(rec, problem.profile)
            by_code = {
                code: values(rec, problem.profile, code) for code in {claim[3].code for claim in claims}
            }
            for player, case, other, margin in claims:
                own = outcome(problem, choice, player), scores[player]
                if own != (case.outcome, case.grounds.points) or scores[other] != scores[player]:
                    continue
                mine, theirs = by_code[margin.code][player], by_code[margin.code][other]
                is_above = (case.verdict == "out") is not find(margin.code).low
                ordered = [mine, margin.player_value, margin.other_value, theirs]
                assert ordered == sorted(ordered, reverse=not is_above), (seed, player, other, margin)
                assert margin.player_value != margin.other_value
                seen[case.verdict] += 1
    assert compared
    if profile in ("mtr", "tourney"):
        assert seen["in"], seen
        assert seen["out"], seen


def test_margin_text():
    """It shows the two nearest values, or exact ones if both print alike."""
    problem = CutQuestion(record=record("AB", "A ? B"), profile=shipped("mtr"), cut=1, match=(1, True))

    def text(verdict, *margins):
        level = {PlayerId(at): margin for at, margin in enumerate(margins, start=2)}
        grounds = Grounds(points=24, other_count=0 if verdict == "in" else 1, by="order", level=level)
        case = Case(outcome=None, verdict=verdict, find_grounds=lambda: grounds)
        return because_text(problem, case, name).partition("; ")[2]

    def margin(code, mine, theirs):
        return Margin(code, Fraction(mine), Fraction(theirs))

    near = margin("OMW", "5/8", "11/18")
    assert text("in", near) == "B stays behind on OMW: at most 61.11 % against at least 62.50 %"
    assert (
        text("in", near, margin("OMW", "5/8", "1/2"))
        == "B and C stay behind on OMW: at most 61.11 % against at least 62.50 %"
    )
    assert text("out", margin("OMW", "11/18", "5/8")) == (
        "B stays ahead on OMW: at least 62.50 % against at most 61.11 %"
    )
    assert text("in", margin("PML", "1/3", "2/5")) == (
        "B stays behind on PML: at least 40.00 % against at most 33.33 %"
    )
    assert text("in", margin("OMW", "1/3", "33332/100000")) == (
        "B stays behind on OMW: at most 8333/25000 against at least 1/3"
    )
    assert text("in", margin("BH", 12, 11)) == "B stays behind on BH: at most 11 against at least 12"
    assert text("in", Margin("OMW", Fraction(1), None)) == "B stays behind on OMW"


# -- More than a last round


def test_rounds_to_come_are_counted_by_points_alone():
    """One round is paired and one to come: the results of both never contradict a verdict."""
    for seed in range(amount(20, of=40)):
        dice = random.Random(seed)
        whole = random_record(seed, players=8, rounds=4, scores=("2-0", "0-2", "1-1", "2-1", "1-2"))
        whole = replace(whole, drops={}, disqualified={})
        early = opened(whole.after(3))
        problem = CutQuestion(record=early, profile=shipped("mtr"), cut=dice.choice((1, 2, 4)), to_come=1)
        forecast = forecast_cut(problem)
        final = ends(replace(problem, record=whole, to_come=0), whole)
        for outlook in forecast.outlooks:
            assert outlook.now in ("open", final[outlook.player])


def test_a_leader_is_in_before_the_last_round():
    """Three wins, five points ahead of the second, are enough with one round to come."""
    rec = record("ABCD", "A 2-0 B, C 1-1 D", "A 2-0 C, B 1-1 D", "A 2-0 D, B 1-1 C")
    problem = CutQuestion(record=rec, profile=shipped("mtr"), cut=1, to_come=1)
    forecast = forecast_cut(problem)
    assert texts(forecast)["A"] == "in whatever happens"
    assert texts(forecast)["B"] == "out whatever happens"


@pytest.mark.parametrize("profile", sampled(PROFILES, FEW))
def test_missing_results_of_earlier_rounds_are_gone_through(profile):
    """With one or two of them, every verdict is what all completions of all rounds show."""
    tried = by_cases = 0
    most = amount(100, of=400)
    for seed in range(400, 424):
        problem = with_missing(question(seed, profile, most=7), tables=1 + seed % 2)
        many = prod(len(t.results) for t in (*problem.earlier, *problem.tables))
        if problem.cases and many <= most:
            tried += 1
            check_against_brute_force(problem, (profile, seed))
            cases = [case for outlook in forecast_cut(problem).outlooks for case in outlook.cases]
            by_cases += sum(bool(case.grounds and case.grounds.tried_tables) for case in cases)
    assert tried >= amount(2, of=3)
    assert by_cases


@pytest.mark.parametrize("profile", sampled(["tourney", "mtr", "melee"], ["mtr"]))
def test_missing_games_of_earlier_rounds_decide_nothing(profile):
    """If there are many, 2-0 and 2-1 are one case; a verdict that depends on games is open."""
    by_cases = 0
    most = amount(300, of=3000)
    for seed in range(450, 490):
        problem = with_missing(question(seed, profile, best_of=3, most=5), tables=1)
        if not problem.earlier or prod(len(t.results) for t in (*problem.earlier, *problem.tables)) > most:
            continue
        truth = brute_force(problem)
        kinds = product(*(table.group_results() for table in problem.earlier))
        vars(problem)["cases"] = tuple(map(problem.assuming, kinds))
        for outlook in forecast_cut(problem).outlooks:
            for case in outlook.cases:
                if case.grounds:
                    by_cases += bool(case.grounds.tried_tables)
                    assert truth[outlook.player, case.outcome] == {case.verdict}, (profile, seed)
    assert by_cases


@pytest.mark.parametrize("profile", sampled(["mtr", "tom", "fide"], ["fide"]))
def test_the_count_of_others_holds_in_every_completion(profile):
    """`reach` counts by points alone, `level or ahead` by points and tie-breaks."""
    seen = set()
    most = amount(100, of=300)
    for seed in range(25):
        problem = question(seed, profile, most=7)
        if prod(len(table.results) for table in problem.tables) > most:
            continue
        ranked = [(choice, rank(made, problem.profile)) for choice, made in completions(problem)]
        for outlook in forecast_cut(problem).outlooks:
            for case in outlook.cases:
                if case.verdict != "in" or case.grounds is None:
                    continue
                because = because_text(problem, case, name)
                by_points = case.grounds.by == "points"
                assert ("can reach" in because) == by_points
                assert ("can end level or ahead by points and tie-breaks (" in because) != by_points
                for choice, standings in ranked:
                    if case.outcome and outcome(problem, choice, outlook.player) != case.outcome:
                        continue
                    rows = {row.player: row for row in standings.rows if row.player in problem.players}
                    mine = rows.pop(outlook.player)
                    others = [row for row in rows.values() if row.points >= case.grounds.points]
                    if not by_points:
                        others = [row for row in others if row.rank <= mine.rank]
                    assert len(others) <= case.grounds.other_count, (seed, because)
                    seen.add(case.grounds.by)
    assert seen >= {"points", "order"}


def test_a_missing_result_is_a_case():
    """A verdict is open only if it depends on the missing result."""
    rec = record("ABCD", "A ? B, C 2-0 D", "A 2-0 C, B 2-0 D", "A 2-0 D, B ? C")
    problem = CutQuestion(record=rec, profile=shipped("mtr"), cut=1)
    assert not problem.is_exact
    forecast = forecast_cut(problem)
    assert texts(forecast) == {
        "A": "open (earlier results are missing)",
        "B": "open (earlier results are missing)",
        "C": "open with a win, otherwise out (earlier results are missing)",
        "D": "out whatever happens",
    }
    rec = record("ABCD", "A 2-0 B, C ? D", "A 2-0 C, B 2-0 D", "A ? D, B 2-0 C")
    problem = CutQuestion(record=rec, profile=shipped("mtr"), cut=1, match=(1, True))
    leader = forecast_cut(problem).outlooks[0]
    assert outlook_text(leader) == "in whatever happens"
    assert because_text(problem, leader.cases[2], name) == (
        "with a loss: in each of 7 cases of table 2 of round 1, "
        "no other player can end level or ahead by points and tie-breaks (6 points or more)"
    )


def test_too_many_missing_results_leave_points_alone():
    """Four of them would be 81 cases for each player."""
    rec = opened(random_record(5, players=20, rounds=3, scores=("2-0", "0-2", "1-1")))
    question = with_missing(CutQuestion(record=rec, profile=shipped("mtr"), cut=4, match=(1, True)), tables=4)
    assert len(question.earlier) == 4
    assert not question.cases
    for outlook in forecast_cut(question).outlooks:
        assert not any(case.grounds and case.grounds.tried_tables for case in outlook.cases)


# -- What a table can end in


def score_text(result):
    """Write a match of two as it is typed: `2-1`, `1-1-1`; with a colon between scores."""
    seats = result.seats
    if all(seat.score is not None for seat in seats):
        return ":".join(str(seat.score) for seat in seats)
    drawn = [result.drawn_games] if result.drawn_games else []
    return "-".join(map(str, [*(seat.games for seat in seats), *drawn]))


def test_all_usual_results_are_tried_if_none_is_known():
    """Every result of real last rounds is among them, up to best of five."""
    rec = record("ABCD", "A 2-1 B, C 2-0 D", "A ? C, B ? D")
    texts = {
        score_text(result)
        for result in CutQuestion(record=rec, profile=shipped("mtr"), cut=2).tables[0].results
    }
    assert {
        "2-0",
        "2-1",
        "1-0",
        "1-1",
        "1-1-1",
        "0-0-3",
        "0-0",
        "0-0-1",
        "1-0-1",
        "2-0-1",
        "3-2",
        "0-3",
    } <= texts


def test_match_winners_alone_are_three_results():
    """If no match has more than one game, 2-0 is not possible.

    Without draws, only two results are left.
    """
    rec = record("ABCD", "A 1-0 B, C 0-1 D", "A ? C, B ? D")
    problem = CutQuestion(record=rec, profile=shipped("tom"), cut=2)
    assert len(problem.tables[0].results) == 3
    assert {kinds[0][0] for kinds in replace(problem, match=(1, False)).tables[0].kinds} == {
        Outcome.WIN,
        Outcome.LOSS,
    }


def test_netrunner_scores():
    """If points are the scores of games, a match of two games ends 6-0, 4-1, 3-3 …"""
    rec = record("ABCD", "A ? B, C ? D")
    texts = {
        score_text(result)
        for result in CutQuestion(record=rec, profile=shipped("cobra"), cut=2).tables[0].results
    }
    assert {"6:0", "3:3", "4:1", "1:4", "0:6"} <= texts


@with_rows(("score", "most"), [("3,0", 3), ("2,1", 3), ("4,1", 6)])
def test_netrunner_matches_of_one_game(score, most):
    """If no match gave more points than one game can, none will; scores seen are possible."""
    text = f"round,player1,player2,wins1,wins2\n1,A,B,{score}\n1,C,D,0,3\n2,A,D,,\n2,B,C,,\n"
    problem = CutQuestion(
        record=read_results(text, source="file", scores=True).record, profile=shipped("cobra"), cut=2
    )
    texts = {score_text(result) for result in problem.tables[0].results}
    assert {score.replace(",", ":"), "3:0", "1:1", "0:3"} <= texts
    assert max(points for kinds in problem.tables[0].kinds for _, points in kinds) == 2 * most
    first = replace(problem, record=replace(problem.record, rounds=problem.record.rounds[1:]))
    assert "6:0" in {score_text(result) for result in first.tables[0].results}, "no score yet"


def test_a_table_too_large_is_refused():
    """Seven players at one table have too many orders."""
    seven = tuple(map(PlayerId, range(1, 8)))
    rec = replace(record("ABCDEFG"), players=seven, rounds=((Table(1, seven),),))
    with pytest.raises(TourneyError, match="table 1 has 7 seats"):
        forecast_cut(CutQuestion(record=rec, profile=shipped("tables"), cut=2))


def test_a_dropped_player_takes_no_place():
    rec = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-1 D", drops={"A": 2})
    problem = CutQuestion(record=rec, profile=shipped("mtr"), cut=1)
    assert texts(forecast_cut(problem)) == {"B": "out", "C": "in", "D": "out"}


def test_a_player_who_may_have_left_puts_no_player_out():
    """A file does not say why a player has no table: they may take a place, but not surely."""
    rec = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-1 D", drops={"A": 2})
    problem = CutQuestion(record=rec, profile=shipped("mtr"), cut=1, possible_drops=(A,))
    assert [outlook.now for outlook in forecast_cut(problem).outlooks] == ["open", "out", "open", "out"]
    for seed in range(4):
        whole = question(seed, "mtr", most=7)
        both = replace(whole, possible_drops=tuple(whole.record.drops))
        staying = replace(whole, record=replace(whole.record, drops={}))
        left, stayed = brute_force(whole), brute_force(staying)
        for outlook in forecast_cut(both).outlooks:
            for case in outlook.cases:
                if case.verdict != "open":
                    key = outlook.player, case.outcome
                    assert left.get(key, set()) | stayed[key] == {case.verdict}


def test_a_player_who_never_played_gets_no_rank():
    """They may have left or never come; while rounds are to come, they may still play."""
    rec = record("ABCDE", "A 2-0 B, C ? D", drops={"E": 0})
    problem = CutQuestion(record=rec, profile=shipped("cobra"), cut=2, possible_drops=(E,))
    assert texts(forecast_cut(problem)).keys() == set("ABCD")
    to_come = replace(problem, to_come=1)
    assert texts(forecast_cut(to_come)).keys() == set("ABCDE"), "the player may still play"


def test_an_order_that_does_not_begin_with_points_is_answered_too():

    profile = house(
        'extends = "mtr"\ntitle = "x"\nsource = "x"\ndate = 2026-01-01\norder = ["GW", "PTS", "OMW"]'
    )
    for seed in range(8):
        problem = replace(question(seed, "mtr", most=6), profile=profile)
        check_against_brute_force(problem, seed)


def test_a_win_at_a_larger_table_counts_one_game(tmp_path):
    """As in files. Without the game, B would stay behind on GW."""

    def options(*last):
        rounds = [
            [
                {"players": ["F", "A", "E"], "places": [2, 1, 2]},
                {"players": ["G", "D", "I"], "places": [3, 2, 1]},
                {"players": ["H", "C", "B"], "places": [1, 2, 2]},
            ],
            [
                {"players": ["D", "E", "I"], **last[0]},
                {"players": ["B", "H", "F", "C"], **last[1]},
                {"p1": "G", "p2": None, "kind": "bye"},
            ],
        ]
        path = tmp_path / "results.json"
        path.write_text(json.dumps({"players": list("ABCDEFGHI"), "drops": {"A": 1}, "rounds": rounds}))
        return ["--from", str(path), "--profile", "topdeck", "--json"]

    places = ["standings", *options({"places": [1, 1, 3]}, {"places": [1, 2, 2, 2]})]
    ranked = json.loads(CliRunner().invoke(root, places).stdout)["standings"]
    assert [(row["player"], row["rank"]) for row in ranked[:3]] == [("G", 1), ("B", 2), ("H", 2)]
    line = ["forecast", "cut", "--cut", "2", *options({"kind": "unreported"}, {"kind": "unreported"})]
    answer = json.loads(CliRunner().invoke(root, line).stdout)
    assert {row["player"]: row["with"]["win"] for row in answer["players"]}["B"] == "open"
