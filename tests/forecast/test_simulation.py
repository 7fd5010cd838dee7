"""Estimates: seeded simulations of the rest of an event, with intervals of the right width."""

import math
import pickle
import random
from collections import Counter
from dataclasses import dataclass
from itertools import product

import pytest
from msgspec import structs
from msgspec.structs import replace

from tests.forecast.fields import PROFILES, opened, question
from tests.kit import amount, with_rows
from tests.standings.crosstable import match
from tests.standings.fields import pods_record, random_record
from tests.standings.profiles import shipped
from tourney.errors import TourneyError
from tourney.forecast import forecast_cut
from tourney.forecast.simulation import Chances, Counts, Luck, Position, chances_of, coming_rounds, play
from tourney.pairing import Entrant, Options, RoundRobinPairer, SwissPairer, number_of, schedule
from tourney.pairing.pairing import NoRoundError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import Scorecards, cut_at, rank
from tourney.standings.ranking import find_qualifiers


def before(players, rounds, *, cut=8, profile="mtr", ratings=()):
    """Return an event that has not begun."""
    ids = tuple(PlayerId(number) for number in range(1, players + 1))
    record = Record(players=ids, ratings=dict(zip(ids, ratings, strict=False)))
    return Position(record=record, profile=shipped(profile), cut=cut, coming=coming_rounds(1, rounds))


@with_rows("profile", PROFILES)
def test_totals_carried_forward_equal_those_of_the_whole_record(profile):
    for seed in range(amount(10, of=25)):
        record = (
            pods_record(seed) if seed % 5 == 4 else random_record(seed, scores=("2-0", "2-1", "1-1", "+-"))
        )
        whole, last = Scorecards(record, shipped(profile)), len(record.rounds)
        byes = record.byes[-1] if record.byes else {}
        absent = record.absences[-1] if record.absences else frozenset()
        early = replace(
            record, rounds=record.rounds[:-1], byes=record.byes[:-1], absences=record.absences[:-1]
        )
        grown = Scorecards(early, shipped(profile)).with_round(record.rounds[-1], byes, absent)
        assert grown.record == replace(
            record, byes=record.byes or ({},) * last, absences=grown.record.absences
        )
        assert (grown.points, grown.most_seats, grown.has_only_large_tables) == (
            whole.points,
            whole.most_seats,
            whole.has_only_large_tables,
        )
        assert all(grown[player] == whole[player] for player in record.players)
        assert all(
            grown.counted_opponents(player) == whole.counted_opponents(player) for player in record.players
        )
        for size in (1, 2, 4, 8):
            cut = cut_at(rank(record, shipped(profile)), size, late_drops=(PlayerId(2),))
            through, level = find_qualifiers(grown, size, late_drops=(PlayerId(2),))
            assert (set(through), set(level)) == (set(cut.through), set(cut.level))


def test_runs_add_up_in_any_parts_and_order():
    position, chances = before(13, 3, cut=4), Chances(strengths={PlayerId(1): 1.0}, draws=0.1)
    whole = play(position, chances, seed="a", runs=range(40))
    parts = Counts()
    for some in (range(30, 40), range(7), range(7, 30)):
        parts += play(*pickle.loads(pickle.dumps((position, chances))), seed="a", runs=some)
    assert parts == whole
    assert play(position, chances, seed="b", runs=range(40)) != whole
    assert whole.runs == 40
    assert sum(whole.cuts_made.values()) == 4 * 40
    assert sum(ends.players for ends in whole.records.values()) == 13 * 40
    assert whole.tables == 40 * 3 * 6


def test_fewer_rounds_are_counted_as_if_the_event_ended_there():
    position, chances = before(13, 4, cut=4), Chances(strengths={PlayerId(1): 1.0}, draws=0.1)
    whole = play(replace(position, rounds_to_count=frozenset({2, 3})), chances, seed="a", runs=range(20))
    for rounds in (2, 3):
        alone = play(before(13, rounds, cut=4), chances, seed="a", runs=range(20))
        assert whole.earlier[rounds] == alone
    assert replace(whole, earlier={}) == play(position, chances, seed="a", runs=range(20))
    parts = Counts()
    for some in (range(12, 20), range(12)):
        parts += play(replace(position, rounds_to_count=frozenset({2, 3})), chances, seed="a", runs=some)
    assert parts == whole


def test_the_best_player_makes_the_cut_more_often():
    played = play(before(16, 4, cut=4), Chances(strengths={PlayerId(1): 3.0}), seed="a", runs=range(60))
    assert played.chance(PlayerId(1)).low > 0.7 > played.chance(PlayerId(2)).high
    assert played.records[4, 0, 0].share.share == 1
    assert not played.drawn_tables
    assert play(before(8, 2), Chances(draws=1), seed="a", runs=range(3)).records.keys() == {(0, 0, 2)}


def test_undefeated_players_miss_a_cut_that_is_too_small():
    played = play(before(16, 3, cut=1), Chances(), seed="a", runs=range(10))
    assert played.undefeated_out == 10
    assert not play(before(8, 3, cut=1), Chances(), seed="a", runs=range(10)).undefeated_out


def test_a_round_is_paired_as_earlier_rounds_require():
    record = random_record(3, players=8, rounds=2, scores=("2-0", "2-1"))
    record = replace(record, drops={}, disqualified={})
    position = Position(
        record=record,
        profile=shipped("mtr"),
        cut=4,
        late_drops=frozenset({PlayerId(3)}),
        coming=coming_rounds(3, 3),
    )
    played = play(position, Chances(), seed="a", runs=range(20))
    assert not played.rematches
    assert PlayerId(3) not in played.cuts_made
    assert played.tables == 20 * 3


def test_the_seats_of_a_schedule_and_announced_byes_are_kept():
    position = before(5, 1, cut=2)
    plan = schedule(position.record.players, seed="b")
    (one, other), (away, alone) = plan.rounds[0]
    settled = replace(
        position.coming[0],
        pairer=RoundRobinPairer(position.record.players, seed="b"),
        byes={away: Outcome.ABSENT},
    )
    played = play(replace(position, coming=(settled,)), Chances(), seed="a", runs=range(20))
    assert played.tables == 20
    assert {won for player, won, _ in played.of_player if player in (one, other)} == {(1, 0, 0), (0, 1, 0)}
    assert {won for player, won, _ in played.of_player if player == alone} == {(1, 0, 0)}
    assert {won for player, won, _ in played.of_player if player in (away, plan.rests[0])} == {(0, 0, 0)}


def test_a_schedule_still_to_be_drawn_is_drawn_in_every_run():
    """In a whole round robin all players still meet once."""
    position = before(6, 5, cut=2)
    pairer = RoundRobinPairer(position.record.players)
    coming = tuple(replace(round_, pairer=pairer) for round_ in position.coming)
    counts = play(replace(position, coming=coming), Chances(), seed="a", runs=range(4))
    assert (counts.rematches, counts.tables) == (0, 4 * 15)
    entrants = [Entrant(id=player) for player in position.record.players]
    drawn = {pairer(position.record, entrants, Options(), lambda _, seed=seed: seed).tables for seed in "abc"}
    assert len(drawn) == 3


def test_a_round_the_rules_cannot_pair_is_paired_as_swiss():
    """A pairer that gives up in round 3; its counts of parts add up to those of the whole."""
    position = before(8, 4, cut=2)
    coming = tuple(replace(round_, pairer=GivesUp()) for round_ in position.coming)
    position = replace(position, coming=coming, rounds_to_count=frozenset({2, 3}))
    whole = play(position, Chances(), seed="a", runs=range(10))
    assert whole.no_round == 10
    assert {rounds: counts.no_round for rounds, counts in whole.earlier.items()} == {2: 0, 3: 10}
    parts = play(position, Chances(), seed="a", runs=range(4, 10))
    parts += play(position, Chances(), seed="a", runs=range(4))
    assert parts == whole
    alone = play(before(8, 4, cut=2), Chances(), seed="a", runs=range(10))
    assert whole.cuts_made == alone.cuts_made


@dataclass(frozen=True)
class GivesUp:
    """A Swiss pairer that gives up in round 3."""

    slow = False

    def __call__(self, record, entrants, options, seeds, *, name=number_of):
        if options.round_number == 3:
            raise NoRoundError("round 3 cannot be paired")
        return SwissPairer()(record, entrants, options, seeds, name=name)


def test_missing_results_of_earlier_rounds_are_drawn():
    record = opened(random_record(6, players=6, rounds=2, scores=("2-0",)))
    first = tuple(structs.replace(table, result=None) for table in record.rounds[0])
    position = Position(
        record=replace(record, rounds=(first, record.rounds[1])), profile=shipped("tourney"), cut=2
    )
    played = play(position, Chances(), seed="a", runs=range(30))
    assert played.tables == 30 * sum(map(len, record.rounds))
    assert {outcome for _, outcome, _ in played.by_result} == {Outcome.WIN, Outcome.LOSS}


# -- how tables end


def ends(chances, seats, runs=4000):
    return [chances.result(seats, Luck(str(run), 1, seats)) for run in range(runs)]


@with_rows("best_of", [1, 2, 3, 5])
def test_a_match_ends_according_to_its_odds(best_of):
    chances = Chances(strengths={PlayerId(1): 0.8}, draws=0.2, best_of=best_of)
    results = ends(chances, (PlayerId(1), PlayerId(2)))
    assert abs(sum(result.seats[0].outcome is Outcome.DRAW for result in results) / 4000 - 0.2) < 0.03
    won = [result for result in results if result.seats[0].outcome is Outcome.WIN]
    assert abs(len(won) / 3200 - chances.win_chance(PlayerId(1), PlayerId(2))) < 0.03
    assert {result.seats[0].games for result in won} == {best_of // 2 + 1}
    assert {result.seats[1].games for result in won} == set(range(best_of - best_of // 2))
    even = {result.seats[0].games for result in results if result.seats[0].outcome is Outcome.DRAW}
    assert even == {best_of // 2}


def test_equal_players_lose_a_game_of_three_in_half_of_the_matches_they_win():
    results = ends(Chances(), (PlayerId(1), PlayerId(2)))
    lost = [min(seat.games for seat in result.seats) for result in results]
    assert abs(sum(lost) / 4000 - 0.5) < 0.03


def test_a_table_of_many_is_won_in_proportion_to_strengths():
    seats = tuple(PlayerId(number) for number in (1, 2, 3, 4))
    chances = Chances(strengths={PlayerId(1): 1.0986}, draws=0.1)  # three times as strong
    results = ends(chances, seats)
    assert (
        abs(
            sum(result.seats[0].place == 1 and result.seats[0].outcome is Outcome.WIN for result in results)
            / 3600
            - 0.5
        )
        < 0.03
    )
    drawn = [result for result in results if result.seats[0].outcome is Outcome.DRAW]
    assert abs(len(drawn) / 4000 - 0.1) < 0.02
    places = Counter(tuple(sorted(seat.place for seat in result.seats)) for result in results)
    assert places.keys() == {(1, 2, 3, 4), (1, 1, 1, 1)}


@with_rows("games", [0, 1])
def test_a_win_at_a_large_table_has_as_many_games_as_earlier_ones(games):
    """A file gives the winner one game, an event none."""
    winner, *others = (PlayerId(number) for number in (1, 2, 3))
    seats = Seat(winner, Outcome.WIN, 1, games), *(Seat(player, Outcome.LOSS, 2) for player in others)
    tables = (Table(1, (winner, *others), Result(seats)), Table(2, (PlayerId(4), PlayerId(5), PlayerId(6))))
    record_ = Record(players=tuple(map(PlayerId, range(1, 7))), rounds=(tables,))
    drawn = [
        chances_of(record_).result(tables[1].seats, Luck("won", number, tables[1].seats))
        for number in range(20)
    ]
    assert {seat.games for result in drawn for seat in result.seats if seat.outcome is Outcome.WIN} == {games}
    assert {seat.games for result in drawn for seat in result.seats if seat.outcome is Outcome.LOSS} == {0}


def test_a_very_large_table_is_drawn_completely():
    seats = tuple(PlayerId(number) for number in range(1, 31))
    places = [[seat.place for seat in end.seats] for end in ends(Chances(), seats, 400)]
    assert all(sorted(place) == list(range(1, 31)) for place in places)
    for player in (0, 14, 29):
        assert 13.5 < sum(place[player] for place in places) / 400 < 17.5


def test_strengths_are_from_ratings_from_results_or_equal():
    rated = before(4, 2, ratings=(2000, 1600, 1800, 1800)).record
    chances = chances_of(rated)
    assert chances.source == "ratings"
    assert round(chances.win_chance(PlayerId(1), PlayerId(2)), 4) == round(10 / 11, 4)
    some = replace(rated, ratings={PlayerId(1): 2000})
    assert chances_of(some).source == "equal"
    assert chances_of(some, source="ratings").win_chance(PlayerId(1), PlayerId(2)) == 0.5
    record = random_record(4, players=8, rounds=4, scores=("2-0", "1-1"))
    shown = chances_of(replace(record, ratings={}))
    assert (shown.source, shown.best_of) == ("results", 3)
    drawn = [table.result.seats[0].outcome is Outcome.DRAW for tables in record.rounds for table in tables]
    assert shown.draws == sum(drawn) / len(drawn)
    best = rank(record, shipped("mtr")).rows
    assert shown.win_chance(best[0].player, best[-1].player) > 0.6
    with pytest.raises(TourneyError, match="no player has a rating"):
        chances_of(before(4, 2).record, source="ratings")
    with pytest.raises(TourneyError, match="no match has been played"):
        chances_of(before(4, 2).record, source="results")


def test_scores_are_drawn_from_those_recorded():
    table = match(1, PlayerId(1), PlayerId(2), "2-0")
    won, lost = table.result.seats
    scored = structs.replace(
        table,
        result=structs.replace(
            table.result, seats=(structs.replace(won, score=10), structs.replace(lost, score=4))
        ),
    )
    chances = chances_of(Record(players=(PlayerId(1), PlayerId(2)), rounds=((scored,),)))
    assert chances.scores == (((10, 4),), ())
    for end in ends(chances, (PlayerId(1), PlayerId(2)), 50):
        assert {(seat.outcome, seat.score) for seat in end.seats} == {(Outcome.WIN, 10), (Outcome.LOSS, 4)}


# -- intervals


def small_case(seed):
    """Return a small event in its last round, its chances, and completions with probabilities.

    It relies only on what is documented: wins by `Chances.wins`, the share of draws, and equal games.
    """
    dice = random.Random(seed)
    profile = dice.choice([profile for profile in PROFILES if profile not in ("pods", "tables")])
    record = random_record(
        seed, players=dice.randint(4, 7), rounds=dice.randint(2, 4), scores=("2-0", "2-1", "1-1")
    )
    record = opened(record)
    best_of = dice.choice((1, 1, 3))
    spread = 0 if best_of == 3 else 1
    chances = Chances(
        strengths={player: dice.uniform(-spread, spread) for player in record.players},
        draws=dice.choice((0, 0.1, 0.3)),
        best_of=best_of,
    )
    position = Position(record=record, profile=shipped(profile), cut=dice.randint(1, 3))
    ways = []
    for table in record.rounds[-1]:
        one, other = table.seats
        wins = chances.win_chance(one, other)
        scores = [("1-0", wins), ("0-1", 1 - wins)]
        if best_of == 3:
            scores = [(score, 0.25) for score in ("2-0", "2-1", "0-2", "1-2")]
        even = "0-0-1" if best_of == 1 else "1-1-1"
        scores = [(score, chance * (1 - chances.draws)) for score, chance in scores] + [(even, chances.draws)]
        ways.append([(match(table.number, one, other, score), chance) for score, chance in scores if chance])
    *before_, _ = record.rounds
    completions = [
        (
            replace(record, rounds=(*before_, tuple(table for table, _ in way))),
            math.prod(chance for _, chance in way),
        )
        for way in product(*ways)
    ]
    return position, chances, completions


def exactly(position, completions):
    """Return each player's chance of the cut, and the players and qualifiers by record."""
    made, had, there = Counter(), Counter(), Counter()
    for record, chance in completions:
        standings = rank(record, position.profile)
        cut = cut_at(standings, position.cut)
        for row in standings.rows:
            share = 1 if row.player in cut.through else 0
            if row.player in cut.level:
                share = cut.places / len(cut.level)
            if row.rank is not None and not row.has_dropped:
                won = row.wins, row.losses, row.draws
                made[row.player] += chance * share
                had[won] += chance
                there[won] += chance * share
    return made, {won: (had[won], there[won] / had[won]) for won in had}


def covered(seeds, runs):
    """Return how many intervals there were and how many contain the exact value, by kind."""
    cells, hits = Counter(), Counter()
    for seed in seeds:
        position, chances, completions = small_case(seed)
        made, records = exactly(position, completions)
        counts = play(position, chances, seed=f"interval {seed}", runs=range(runs))
        for player in position.record.players:
            exact = made[player]
            share = counts.chance(player)
            if 1e-9 < exact < 1 - 1e-9:
                cells["players"] += 1
                hits["players"] += share.low <= exact <= share.high
            else:
                assert round(exact) * runs == counts.cuts_made[player]  # what is certain is so in every run
        for won, (had, exact) in records.items():
            if had * runs >= 5 and 1e-9 < exact < 1 - 1e-9:
                share = counts.records[won].share
                cells["records"] += 1
                hits["records"] += share.low <= exact <= share.high
    return cells, hits


@pytest.mark.slow
def test_intervals_contain_the_exact_value_as_often_as_stated():
    """Compare small events with all completions.

    Chances that are certain without a run are left out.
    """
    events = amount(50, of=300)
    deviation = amount(4, of=1.5) / 100
    cells, hits = covered(range(events), runs=100)
    assert cells["players"] > 1.6 * events
    assert abs(hits["players"] / cells["players"] - 0.95) <= deviation
    assert cells["records"] > events
    assert abs(hits["records"] / cells["records"] - 0.95) <= deviation + 0.01


def test_equal_players_have_equal_chances_under_any_pairing():
    """Before the event, the chance of each is the cut divided by all of them."""
    inside, events = 0, amount(20, of=40)
    for seed in range(events):
        counts = play(before(6, 2, cut=2), Chances(draws=0.1), seed=f"equal {seed}", runs=range(60))
        inside += sum(
            counts.chance(PlayerId(player)).low <= 1 / 3 <= counts.chance(PlayerId(player)).high
            for player in range(1, 7)
        )
    assert 0.91 <= inside / (6 * events) <= 0.99


def test_proved_verdicts_hold_in_every_run():
    verdicts = Counter()
    runs = amount(5, of=20)
    for seed in range(30):
        problem = question(seed, PROFILES[seed % len(PROFILES)])
        counts = play(
            Position(record=problem.record, profile=problem.profile, cut=problem.cut),
            Chances(draws=0.2, best_of=1),
            seed="a",
            runs=range(runs),
        )
        for outlook in forecast_cut(problem).outlooks:
            verdicts[outlook.now] += 1
            if outlook.now != "open":
                assert counts.cuts_made[outlook.player] == (runs if outlook.now == "in" else 0)
    assert min(verdicts[verdict] for verdict in ("in", "out", "open")) > 10


@pytest.mark.long
def test_intervals_of_many_runs_contain_the_exact_value():
    """About 95 % of the intervals contain it."""
    cells, hits = covered(range(1000, 3000), runs=1000)
    assert 0.94 <= hits["players"] / cells["players"] <= 0.96
    assert 0.93 <= hits["records"] / cells["records"] <= 0.97
