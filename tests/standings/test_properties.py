"""Properties of every record and profile, and a second calculation with fractions."""

import sys
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace

from tests.kit import examples, with_rows
from tests.standings.crosstable import match
from tests.standings.fields import pods_record, random_record, records
from tests.standings.profiles import FOLDER, shipped
from tourney.record import Outcome, PlayerId, Record
from tourney.standings import points, rank, values, with_order
from tourney.standings.tiebreaks import TABLE, find

PROFILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
profiles = st.sampled_from(PROFILES).map(shipped)


@given(records, profiles)
@examples(37, of=150)
def test_ranks_follow_the_keys(record, profile):
    """Each player has one row, and ranks rise as 1, 2, 2, 4.

    Equal ranks have equal keys, and better keys come first.
    """
    rows = [row for row in rank(record, profile, seed="s").rows if row.rank is not None]
    for place, row in enumerate(rows, 1):
        assert row.rank <= place
        assert row.rank == place or rows[place - 2].rank == row.rank
    for above, below in pairwise(rows):
        order = compared(above, below, profile)
        assert order == (0 if above.rank == below.rank else -1)


def compared(above, below, profile):
    """Return -1 if `above` is better by the profile's order, from the two rows alone."""
    keys = iter(zip(above.keys, below.keys, strict=True))
    for code in profile.order:
        if code == "PTS":
            one, other = above.points, below.points
        else:
            first, second = next(keys)
            one, other = first.value, second.value
        if one == other:
            continue
        if one is None or other is None:
            return 1 if one is None else -1
        return -1 if (one < other) == find(code).low else 1
    return 0


@given(records, profiles, st.randoms(use_true_random=False))
@examples(20, of=60)
def test_order_of_tables_and_registration_do_not_matter(record, profile, dice):
    """Shuffled tables give the same rows; another registration order gives the same ranks.

    Tie-breaks that use the order of registration or a lot are excluded.
    """
    codes = [code for code in profile.order if code not in ("REG", "TPN", "LOT")]
    profile = with_order(profile, codes)
    shuffled = replace(
        record, rounds=tuple(tuple(dice.sample(tables, len(tables))) for tables in record.rounds)
    )
    expected = rank(record, profile).rows
    assert rank(shuffled, profile).rows == expected
    renamed, names = renumbered(record, dice)
    by_player = {row.player: (row.rank, row.keys) for row in rank(renamed, profile).rows}
    assert {row.player: by_player[names[row.player]] for row in expected} == {
        row.player: (row.rank, row.keys) for row in expected
    }


def renumbered(record, dice):
    new = dict(zip(record.players, dice.sample(record.players, len(record.players)), strict=True))

    def table(old):
        seats = tuple(new[player] for player in old.seats)
        if old.result is None:
            return structs.replace(old, seats=seats)
        made = tuple(structs.replace(seat, player=new[seat.player]) for seat in old.result.seats)
        return structs.replace(old, seats=seats, result=structs.replace(old.result, seats=made))

    def by_player(mapping):
        return {new[player]: value for player, value in mapping.items()}

    return (
        replace(
            record,
            rounds=tuple(tuple(map(table, tables)) for tables in record.rounds),
            byes=tuple(map(by_player, record.byes)),
            absences=tuple(frozenset(new[player] for player in absent) for absent in record.absences),
            drops=by_player(record.drops),
            disqualified=by_player(record.disqualified),
            ratings=by_player(record.ratings),
        ),
        new,
    )


@given(records, profiles)
@examples(20, of=60)
def test_values_are_exact_or_missing(record, profile):
    """All rows with all modifiers, on any record: no float."""
    codes = [row.code for row in TABLE.values()]
    codes += [f"{row.code}/{name}" for row in TABLE.values() for name in row.modifiers if name != "Ln"]
    for code in [*codes, "KS/L2", "KS/L-3"]:
        for value in values(record, profile, code).values():
            assert value is None or isinstance(value, int | Fraction), code
            if find(code).unit == "percent" and value is not None:
                assert 0 <= value <= 1


@given(records, profiles, st.integers(0, 7))
@examples(20, of=60)
def test_later_rounds_do_not_change_earlier_standings(record, profile, rounds):
    """Adding rounds does not change what `after` returns."""
    cut = record.after(rounds)
    assert rank(cut, profile).rows == rank(record.after(rounds + 1).after(rounds), profile).rows
    assert rank(cut, profile).rounds == min(rounds, len(record.rounds))


@given(records)
@examples(20, of=80)
def test_points_are_conserved(record):
    """Under 1, ½, 0 a played match gives one point in all, and a double loss none."""
    expected = 0
    for tables, byes in zip(record.rounds, record.byes, strict=True):
        for table in tables:
            for seat in table.result.seats if table.result else ():
                expected += {Outcome.WIN: 2, Outcome.FORFEIT_WIN: 2, Outcome.DRAW: 1}.get(seat.outcome, 0)
        expected += sum(1 if outcome is Outcome.HALF_BYE else 2 for outcome in byes.values())
    assert sum(points(record, shipped("tourney")).values()) == expected


@with_rows("seed", range(40))
def test_agrees_with_an_independent_calculation(seed):
    """Magic's percentages in the words of the rules, one player at a time, with plain fractions."""
    record = random_record(seed, players=10, rounds=5)
    floor = Fraction(33, 100)
    match, games, met = defaultdict(list), defaultdict(list), defaultdict(list)
    for tables, byes in zip(record.rounds, record.byes, strict=True):
        for player, outcome in byes.items():
            match[player].append(1 if outcome is Outcome.HALF_BYE else 3)
            games[player].append((0, 0) if outcome is Outcome.HALF_BYE else (6, 2))
        for table in tables:
            for seat, other in (
                zip(table.result.seats, table.result.seats[::-1], strict=True) if table.result else ()
            ):
                match[seat.player].append(
                    {Outcome.WIN: 3, Outcome.FORFEIT_WIN: 3, Outcome.DRAW: 1}.get(seat.outcome, 0)
                )
                drawn = table.result.drawn_games
                played = (3 * seat.games + drawn, seat.games + other.games + drawn)
                unplayed = {Outcome.FORFEIT_WIN: (6, 2), Outcome.FORFEIT_LOSS: (0, 2)}
                games[seat.player].append(unplayed.get(seat.outcome, played))
                met[seat.player].append(other.player)

    def match_win(player):
        return max(floor, Fraction(sum(match[player]), 3 * len(match[player])))

    def game_win(player):
        played = sum(count for _, count in games[player])
        return max(floor, Fraction(sum(made for made, _ in games[player]), 3 * played)) if played else floor

    def mean(rate, player):
        return sum(map(rate, met[player]), Fraction(0)) / len(met[player]) if met[player] else None

    profile = shipped("mtr")
    for player in record.players:
        if not match[player]:
            continue
        assert values(record, profile, "MW")[player] == match_win(player)
        assert values(record, profile, "GW")[player] == game_win(player)
        assert values(record, profile, "OMW")[player] == mean(match_win, player)
        assert values(record, profile, "OGW")[player] == mean(game_win, player)
        assert values(record, profile, "OOMW")[player] == second_mean(match_win, met, player)


def second_mean(rate, met, player):
    firsts = [sum(map(rate, met[opponent]), Fraction(0)) / len(met[opponent]) for opponent in met[player]]
    return sum(firsts, Fraction(0)) / len(firsts) if firsts else None


def test_work_grows_linearly_with_players():
    """Ten times the players take ten times the work."""
    from tourney.standings import Scorecards

    sizes = []
    for players in (100, 1000):
        scorecards = Scorecards(
            random_record(1, players=players, rounds=5, scores=("2-0", "0-2", "1-1")), shipped("tourney")
        )
        sizes.append(
            sum(len(scorecards.counted_opponents(PlayerId(player))) for player in range(1, players + 1))
        )
    assert 9 < sizes[1] / sizes[0] < 11


def calls(work):
    """Count calls of Python functions and steps of generators, equal on every machine."""
    counted = 0

    def count(_frame, event, _arg):
        nonlocal counted
        counted += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


def everybody_meets(players):
    """Return a round robin by the circle method, with results from the two numbers."""
    ids, rounds = [PlayerId(player) for player in range(1, players + 1)], []
    for _ in range(players - 1):
        pairs = zip(ids[: players // 2], reversed(ids), strict=False)
        scores = ("1-0", "0-1", "0-0-1")
        rounds.append(tuple(match(i, a, b, scores[(a * b) % 3]) for i, (a, b) in enumerate(pairs, 1)))
        ids.insert(1, ids.pop())
    return Record(players=tuple(sorted(ids)), rounds=tuple(rounds), round_robin=True)


@pytest.mark.parametrize("code", [code for code in TABLE if code != "LOT"])
@pytest.mark.parametrize("field", ["pairs", "pods", "round robin"])
def test_work_grows_linearly_with_results(field, code):
    """For every tie-break and field."""
    small, large = {
        "pairs": [random_record(1, players=players, rounds=4,
            scores=("1-0", "0-1", "2-1")) for players in (32, 128)],
        "pods": [pods_record(1, players=players) for players in (32, 128)],
        "round robin": [everybody_meets(players) for players in (12, 36)],
    }[field]  # fmt: skip
    profile = with_order(shipped("pods" if field == "pods" else "fide"), ["PTS", code])
    seats = [
        sum(len(table.seats) for tables in record.rounds for table in tables) for record in (small, large)
    ]
    growth = calls(lambda: rank(large, profile)) / calls(lambda: rank(small, profile))
    assert growth < 1.4 * seats[1] / seats[0]
