"""What each row says about how its value changes with open tables, checked with random completions."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from tests.forecast.fields import PROFILES, opened
from tests.kit import examples
from tests.standings.fields import pods_record, random_record
from tests.standings.profiles import shipped
from tourney.record import Outcome
from tourney.standings import values
from tourney.standings.completions import CutQuestion
from tourney.standings.tiebreaks import TABLE, find

CODES = [
    *TABLE,
    *(
        "PS/C1",
        "BH/C1",
        "BH/C2",
        "BH/M1",
        "BH/M2",
        "FB/C1",
        "AOB/F",
        "KS/L-2",
        "KS/L+1",
        "ARO/C1",
        "RTNG/R",
        "TPN/R",
    ),
]


def asked(seed, profile):
    dice = random.Random(seed)
    rec = (
        pods_record(seed, players=dice.randint(5, 9))
        if profile in ("pods", "tables")
        else random_record(
            seed,
            players=dice.randint(4, 10),
            rounds=dice.randint(1, 5),
            scores=("2-0", "2-1", "0-2", "1-1", "+-", "--", "dl"),
        )
    )
    return CutQuestion(record=opened(rec), profile=shipped(profile), cut=2)


def value(question, code, choice):
    results = {t.number: t.results[at] for t, at in zip(question.tables, choice, strict=True)}
    return values(question.completed(results), question.profile, code)


def rated(table, at, seat):
    outcome, points = table.kinds[at][seat]
    return points, (Outcome.LOSS, Outcome.DRAW, Outcome.WIN).index(outcome)


@pytest.mark.parametrize("code", CODES)
@given(seed=st.integers(0, 10**9), profile=st.sampled_from(PROFILES))
@examples(10, of=30)
def test_values_change_as_their_rows_say(code, seed, profile):
    """`own`, `adds` and `grows`, for random completions."""
    question, row = asked(seed, profile), find(code)
    if not question.tables or row.moves == "unknown":
        return
    if row.looks_at == "games" and row.moves == "adds" and not question.profile.game_win.floor:
        return  # whoever has played no game has no share there, and forecasts do not rest on it
    dice = random.Random(seed)
    base, other = ([dice.randrange(len(t.results)) for t in question.tables] for _ in range(2))
    before, after = value(question, code, base), value(question, code, other)
    alone = []
    for at in range(len(base)):
        alone.append(value(question, code, [*base[:at], other[at], *base[at + 1 :]]))
    at_table = {p: at for at, t in enumerate(question.tables) for p in t.seats}
    for player in question.players:
        if row.moves == "own":
            assert after[player] == (
                alone[at_table[player]][player] if player in at_table else before[player]
            )
        elif row.moves == "adds" and None not in (before[player], after[player]):
            steps = [Fraction(each[player]) - Fraction(before[player]) for each in alone]
            assert after[player] - before[player] == sum(steps), player
        elif row.moves == "adds":
            assert before[player] is after[player] is None
        elif row.moves == "grows" and all(len(t.seats) == 2 for t in question.tables):
            assert not row.low
            grows(question, code, base, player, at_table)


def grows(question, code, base, player, at_table):
    """A seat of another table that does better never makes the value less: the whole table's change within its bounds."""
    own = at_table.get(player)
    lists = []
    for choose in (min, max):
        lists.append(
            relaxed(question, code, {at: base[at] for at in range(len(base)) if at == own}, choose)[player]
        )
    least, most = lists
    here = value(question, code, base)[player]
    if here is None:
        assert least is most is None
    else:
        assert least <= here <= most


def relaxed(question, code, kept, choose):
    """Return the values with both seats of every other table at their worst, or at their best."""

    from tourney.record import Result

    results = {}
    for at, table in enumerate(question.tables):
        if at in kept:
            results[table.number] = table.results[kept[at]]
            continue
        seats = []
        for seat in range(len(table.seats)):
            best = choose(range(len(table.results)), key=lambda r: rated(table, r, seat))
            seats.append(structs.replace(table.results[best].seats[seat], place=1))
        results[table.number] = Result(tuple(seats))
    return values(question.completed(results), question.profile, code)


def test_moves_of_group_tie_breaks_and_lots_are_unknown():
    """Also of cuts of products."""
    for code in ("DE", "DE/P", "H2H", "LOT", "SB/C1", "SB/M2"):
        assert find(code).moves == "unknown"
