"""What counts are made of: values that are worked out in sums, and counts that are carried over from one state to the next."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.forecast.fields import PROFILES, completed, opened, question
from tests.standings.fields import random_record
from tests.standings.profiles import shipped
from tourney.forecast.bounds import Counting, fixing, is_none
from tourney.standings.completions import CutQuestion
from tourney.standings.ranking import rank

SCORES = ("2-0", "2-1", "0-2", "1-2", "1-1")


@pytest.mark.parametrize("profile", PROFILES)
def test_sums_are_the_values_of_the_standings(profile):
    """Of every tie-break that adds up, means of means among them: at random completions, players who left included."""
    dice = random.Random(profile)
    for seed in range(30):
        asked = question(seed, profile)
        bounds = Counting(asked)
        choice = tuple(dice.randrange(len(table.results)) for table in asked.tables)
        rows = {row.player: dict(row.keys) for row in rank(completed(asked, choice), asked.profile).rows}
        for column in bounds.columns:
            if column.moves in ("own", "adds") and column.row.code != "PTS":
                for player in asked.players:
                    over, below = column.at(player, choice)
                    value = rows[player][column.row.code]
                    if value is None:
                        assert is_none(Fraction(over, below))
                    else:
                        assert Fraction(over, below) == (-value if column.row.low else value)


def test_the_mean_of_a_mean_is_taken_where_rounds_weigh_alike():
    """Whoever ranks by weighted rounds has it worked out by the standings' own function."""
    asked = question(3, "cobra")
    by_mean = [column.row.code for column in Counting(asked).columns if column.of is not None]
    assert by_mean == ["ESOS"]
    assert all(column.of is None for column in Counting(question(3, "aesop")).columns)


@pytest.mark.parametrize("order", ["PTS,OMW,GW,OGW", "PTS,SOS,ESOS", "PTS,BH,SB", "PTS,OMW,OOMW,DE"])
def test_a_count_carried_over_is_the_count_made_anew(order):
    """From state to state, tables fixed and set free again: the same numbers."""
    dice, rules = random.Random(order), replace(shipped("mtr"), order=tuple(order.split(",")))
    compared = 0
    for seed in range(6):
        rec = opened(random_record(seed, players=18, rounds=4, scores=SCORES))
        asked = CutQuestion(record=rec, profile=rules, cut=5, match=(3, True))
        bounds = Counting(asked)
        for player in dice.sample(asked.players, 4):
            at = bounds.table_of.get(player)
            if at is None:
                continue
            kinds = asked.tables[at].kinds_of(player)
            kind = dice.choice(list(kinds))
            mine = bounds.own(player, kind, kinds[kind])
            start = state = fixing(bounds.all, at, kinds[kind])
            before = {ask: bounds.count(mine, bounds.stand(state), ask) for ask in ASKS}
            for _ in range(12):
                other = dice.choice([each for each in range(len(state)) if each != at])
                left = dice.choice([start[other], *bounds.groups(other, start[other])])
                state = fixing(state, other, dice.choice([left, left[:1]]))
                node, anew = bounds.stand(state), Counting(asked)
                for ask in ASKS:
                    before[ask] = bounds.count(mine, node, ask, before[ask])
                    fresh = anew.count(mine, anew.stand(state), ask)
                    assert list(before[ask].tables) == list(fresh.tables)
                    assert before[ask].total == fresh.total
                    assert [before[ask].decides(each) for each in range(len(state))] == [
                        next(iter(fresh.deciding(each))) for each in range(len(state))
                    ]
                    compared += 1
    assert compared > 300


ASKS = ("may be level", "is level", "is above")
