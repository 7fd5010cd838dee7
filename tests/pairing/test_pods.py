"""Pods: the best round of small fields, and a true bound for all."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from tests.kit import amount, with_rows
from tests.pairing import pods_judge as judge
from tourney.errors import Severity, TourneyError
from tourney.pairing import MEETS_BOUND, PROVED_BY_SEARCH, Entrant, Options, Sizes
from tourney.pairing.pods import Split, check, pair, split
from tourney.record import Table

THREES, FOURS, LOOSE = Sizes(3, 3, 3), Sizes(4, 4, 4), Sizes(2, 4, 6)


def history(dice, players, rounds, sizes):
    """Play random rounds at random tables; return entrants and their earlier seats."""
    points = dict.fromkeys(range(1, players + 1), 0)
    opponents, seats, byes = {p: [] for p in points}, {p: [] for p in points}, dict.fromkeys(points, 0)
    for _ in range(rounds):
        division = split(players, sizes)
        order = sorted(points, key=lambda _: dice.random())
        for _ in range(division.byes):
            byes[order[-1]] += 1
            points[order.pop()] += 2
        for size in division.tables:
            table, order = order[:size], order[size:]
            for seat, player in enumerate(table, 1):
                seats[player].append(seat)
                opponents[player] += [other for other in table if other != player]
                points[player] += dice.choice((0, 0, 1, 2))
    tags = [(), (), ("club:a",), ("club:b", "family:c")]
    entrants = [
        Entrant(id=p, points=points[p], opponents=tuple(opponents[p]), byes=byes[p], tags=dice.choice(tags))
        for p in points
    ]
    return entrants, seats


def price(pairing):
    cost = pairing.cost
    return (
        (cost.bye_earlier, cost.bye_points),
        (cost.rematches, cost.times_met, cost.differences, cost.apart, cost.imbalance),
    )


def seats_after(pairing, seats):
    return sum(2 * seats[p].count(n) + 1 for table in pairing.tables for n, p in enumerate(table.seats, 1))


@pytest.mark.slow
@with_rows("sizes", [THREES, FOURS, LOOSE, Sizes(3, 4, 5), Sizes(2, 3, 3)])
def test_small_fields_agree_with_brute_force(sizes):
    """2 to 9 players: the cost of the best round on every level, and a bound that is not higher."""
    dice = random.Random(str(sizes))
    for _ in range(amount(8, of=25)):
        players = dice.randint(sizes.fewest, 9)
        entrants, seats = history(dice, players, dice.randint(0, 5), sizes)
        round_ = pair(entrants, Options(), "s", sizes=sizes, seats_before=seats)
        assert price(round_) == judge.best(entrants, sizes, seats)
        assert round_.exact_levels == 7
        assert_honest(round_, entrants, seats, sizes)


@pytest.mark.slow
def test_the_local_search_agrees_with_brute_force_in_small_fields():
    """Never better than the best, and equal above the level of seats."""
    dice, worse = random.Random(7), []
    for number in range(amount(6, of=40)):
        sizes = dice.choice([THREES, FOURS, LOOSE, Sizes(3, 4, 5)])
        entrants, seats = history(dice, dice.randint(6, 9), dice.randint(1, 4), sizes)
        round_ = pair(entrants, Options(), "s", sizes=sizes, seats_before=seats, exhaustive=0, effort=8000)
        least = judge.best(entrants, sizes, seats)
        assert price(round_) >= least
        assert_honest(round_, entrants, seats, sizes)
        if (price(round_)[0], price(round_)[1][:4]) != (least[0], least[1][:4]):
            worse.append(number)
    assert not worse


@with_rows("players", [16, 31, 64, 200])
def test_bounds_of_larger_fields_are_true(players):
    """The bound is never above the cost, and the proof names the first open level."""
    dice = random.Random(players)
    for rounds in (0, 2):
        entrants, seats = history(dice, players, rounds, Sizes(3, 4, 5))
        round_ = pair(entrants, Options(), "s", sizes=Sizes(3, 4, 5), seats_before=seats, effort=4000)
        assert_honest(round_, entrants, seats, Sizes(3, 4, 5))
        assert round_.method == "local search"


def assert_honest(round_, entrants, seats, sizes):
    """Check properties of every round: seats, sizes, cost, bound, proof."""
    seated = sorted(p for table in round_.tables for p in table.seats)
    assert sorted([*seated, *round_.byes]) == sorted(entrant.id for entrant in entrants)
    assert sorted((len(table.seats) for table in round_.tables), reverse=True) == list(
        split(len(entrants), sizes).tables
    )
    assert [table.number for table in round_.tables] == list(range(1, len(round_.tables) + 1))
    cost = judge.cost(entrants, [table.seats for table in round_.tables], seats)
    assert price(round_)[1] == cost
    assert seats_after(round_, seats) == round_.cost.imbalance
    levels = [
        (getattr(round_.cost, n), getattr(round_.bound, n))
        for n in ("rematches", "times_met", "differences", "apart", "imbalance")
    ]
    gaps = [have - least for have, least in levels]
    first = next((gap for gap in gaps if gap), 0)
    assert first >= 0
    if first == 0:
        assert round_.proof == MEETS_BOUND
    else:
        assert round_.proof == PROVED_BY_SEARCH or round_.proof.startswith(f"within {first} of the bound (")


def test_the_bound_can_equal_the_cost():
    """Players who have all met, one earlier table, and scores that do not fill tables."""
    all_met = [Entrant(id=p, opponents=tuple(q for q in range(1, 7) if q != p)) for p in range(1, 7)]
    round_ = pair(all_met, Options(), "s", sizes=THREES, exhaustive=0)
    assert (round_.cost.rematches, round_.bound.rematches, round_.proof) == (6, 6, MEETS_BOUND)
    groups = [range(1, 6), range(6, 10), range(10, 14)]
    mates = {p: tuple(q for q in group if q != p) for group in groups for p in group}
    after_one = [Entrant(id=p, opponents=mates[p]) for p in mates]
    round_ = pair(after_one, Options(), "s", sizes=Sizes(4, 4, 5))
    assert (round_.cost.rematches, round_.bound.rematches) == (4, 4)
    scores = [Entrant(id=p, points=points) for p, points in enumerate((4, 4, 2, 2, 2, 2, 0, 0), 1)]
    round_ = pair(scores, Options(), "s", sizes=FOURS, exhaustive=0)
    assert (round_.cost.differences, round_.bound.differences, round_.proof) == (32, 32, MEETS_BOUND)


@with_rows(
    ("players", "sizes", "tables", "byes"),
    [
        (9, THREES, (3, 3, 3), 0), (10, THREES, (3, 3, 3), 1), (11, THREES, (3, 3, 3), 2),
        (13, LOOSE, (5, 4, 4), 0), (7, LOOSE, (4, 3), 0), (6, LOOSE, (3, 3), 0), (5, LOOSE, (5,), 0),
        (2, LOOSE, (2,), 0), (5, FOURS, (4,), 1), (10, Sizes(3, 4, 5), (4, 3, 3), 0),
        (11, Sizes(4, 4, 5), (5, 5), 1), (7, Sizes(4, 4, 5), (5,), 2), (100, FOURS, (4,) * 25, 0),
    ],
)  # fmt: skip
def test_split(players, sizes, tables, byes):
    """The fewest byes, then the nearest sizes, then smaller tables."""
    assert split(players, sizes) == Split(tables, byes)


@with_rows("sizes", [THREES, LOOSE, FOURS, Sizes(3, 5, 6), Sizes(4, 4, 5)])
def test_split_is_the_best_of_all(sizes):
    """2 to 24 players: the sizes and byes found by trying every sum."""
    for players in range(sizes.fewest, 25):
        tables, left = judge.best_sizes(players, sizes)
        result = split(players, sizes)
        assert (tuple(sorted(tables, reverse=True)), left) == (result.tables, result.byes)
        assert result.byes < sizes.fewest


def test_byes_go_to_the_fewest_byes_then_the_lowest_points():
    """Of equal players, the bye goes to the player whose bye makes the best round."""
    entrants = [
        Entrant(id=1, points=0, byes=1), Entrant(id=2, points=0, awarded_byes=1), Entrant(id=3, points=2),
        Entrant(id=4, points=1), Entrant(id=5, points=1), Entrant(id=6, points=4), Entrant(id=7, points=6),
    ]  # fmt: skip
    assert pair(entrants, Options(), "s", sizes=THREES).byes in {(4,), (5,)}
    assert pair(entrants, Options(awarded_bye_counts=False), "s", sizes=THREES).byes == (2,)
    met = [
        replace(entrant, opponents=(4,)) if entrant.id in (1, 2, 3, 6, 7) else entrant for entrant in entrants
    ]
    met[3] = replace(met[3], opponents=(1, 2, 3, 6, 7))
    assert pair(met, Options(), "s", sizes=THREES).byes == (4,)


def test_the_same_seed_gives_the_same_round():
    """The order of the entrants does not matter; other seeds give other rounds."""
    dice = random.Random(1)
    entrants, seats = history(dice, 40, 2, FOURS)
    one = pair(entrants, Options(), "a", sizes=FOURS, seats_before=seats, effort=2000)
    assert pair(entrants[::-1], Options(), "a", sizes=FOURS, seats_before=seats, effort=2000) == one
    fresh = [Entrant(id=p) for p in range(1, 41)]
    assert len({pair(fresh, Options(), seed, sizes=FOURS).tables for seed in "abcde"}) == 5


def test_a_seed_gives_the_same_round_on_every_machine():
    """These rounds are pinned."""
    entrants = [Entrant(id=p, points=p % 3) for p in range(1, 14)]
    written = [
        table.seats for table in pair(entrants, Options(), "written down", sizes=LOOSE, exhaustive=0).tables
    ]
    assert written == [(8, 5, 11, 2), (1, 7, 10, 13, 4), (12, 9, 6, 3)]


def test_seats_even_out():
    """Over four rounds at one table, a player who always moved first gets other seats."""
    entrants = [Entrant(id=p) for p in (1, 2, 3, 4)]
    seats = {p: [] for p in (1, 2, 3, 4)}
    for number in range(4):
        (table,) = pair(entrants, Options(), f"round {number}", sizes=FOURS, seats_before=seats).tables
        for seat, player in enumerate(table.seats, 1):
            seats[player].append(seat)
    assert all(sorted(had) == [1, 2, 3, 4] for had in seats.values())


class TestOrganizersWishes:
    """Forced and forbidden pairs, a forced bye, fixed tables."""

    FIELD = tuple(Entrant(id=p, points=p) for p in range(1, 10))

    @pytest.mark.parametrize("exhaustive", [0, 20_000])
    def test_wishes_are_kept(self, exhaustive):
        """Together, apart and at the fixed table, at any cost."""
        options = Options(forced=((1, 9), (9, 5)), forbidden=frozenset({(2, 3), (6, 7)}))
        field = [replace(entrant, fixed_table=7 if entrant.id == 4 else None) for entrant in self.FIELD]
        round_ = pair(field, options, "s", sizes=THREES, exhaustive=exhaustive)
        at = {p: table.number for table in round_.tables for p in table.seats}
        assert at[1] == at[9] == at[5]
        assert at[2] != at[3]
        assert at[6] != at[7]
        assert at[4] == 7
        assert sorted(set(at.values())) == [1, 2, 7]

    def test_a_forced_bye(self):
        """It is one of the byes of the round, or an added one."""
        assert pair(self.FIELD[:7], Options(forced_bye=7), "s", sizes=THREES).byes == (7,)
        round_ = pair(self.FIELD, Options(forced_bye=9), "s", sizes=THREES)
        assert (9 in round_.byes, len(round_.byes)) == (True, 3)

    @pytest.mark.parametrize("exhaustive", [0, 20_000])
    def test_a_group_that_fits_no_table_is_refused(self, exhaustive):
        """Three forced players with tables of two: the error names two of them."""
        options = Options(forced=((1, 2), (2, 3)))
        text = "that seats all forced pairs together: #[123] and #[123] are at different tables"
        with pytest.raises(TourneyError, match=text):
            pair(self.FIELD[:6], options, "s", sizes=Sizes(2, 2, 4), exhaustive=exhaustive)

    def test_groups_join(self):
        """Two forced pairs joined by a third are one group of four; two that nothing joins are two."""
        options = Options(forced=((1, 2), (3, 4), (2, 3)))
        tables = pair(self.FIELD[:8], options, "s", sizes=FOURS).tables
        assert {1, 2, 3, 4} in [set(table.seats) for table in tables]
        with pytest.raises(TourneyError, match="#1, #2, #3, #4 must all sit together"):
            pair(self.FIELD, options, "s", sizes=THREES)
        apart = Options(forced=((1, 2), (8, 9)))
        tables = pair(self.FIELD, apart, "s", sizes=THREES).tables
        assert all(any({*two} <= set(table.seats) for table in tables) for two in apart.forced)

    def test_players_who_must_sit_together_do_not_rest(self):
        """The bye skips a forced pair."""
        assert pair(self.FIELD[:4], Options(forced=((1, 2),)), "s", sizes=THREES).byes == (3,)

    @pytest.mark.parametrize("exhaustive", [0, 20_000])
    def test_wishes_that_cannot_all_be_kept_are_refused(self, exhaustive):
        """Four players kept apart do not fit three tables; the message says whether that is proved."""
        options = Options(forbidden=frozenset({(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)}))
        how = "there is no round" if exhaustive else "no round was found"
        with pytest.raises(TourneyError, match=f"{how} that keeps all forbidden pairs apart: at best #"):
            pair(self.FIELD, options, "s", sizes=THREES, exhaustive=exhaustive)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (
                {"forced": ((1, 2), (2, 3), (3, 4))},
                "#1, #2, #3, #4 must all sit together, but a table seats 3",
            ),
            (
                {"forced": ((1, 2), (2, 3)), "forbidden": frozenset({(3, 1)})},
                "#3–#1 must sit together and are kept apart",
            ),
            ({"forced": ((1, 99),)}, "#1–#99 must sit together, but #99 is not in this round"),
            ({"forced": ((1, 1),)}, "#1 cannot be paired with themselves"),
            ({"forced_bye": 99}, "#99 must have the bye, but is not in this round"),
            ({"forced_bye": 1, "forced": ((1, 2),)}, "#1 must have the bye and must sit with another player"),
        ],
    )
    def test_contradictions_are_refused(self, options, message):
        """The message names the contradiction."""
        with pytest.raises(TourneyError, match=message):
            pair(self.FIELD, Options(**options), "s", sizes=THREES)

    @pytest.mark.parametrize(
        ("entrants", "message"),
        [
            ([], "no players can be seated"),
            ([Entrant(id=1), Entrant(id=1), Entrant(id=2)], "#1 is entered twice"),
            ([Entrant(id=1), Entrant(id=2)], "2 players cannot fill a table of 3"),
            (
                [Entrant(id=1, fixed_table=2), Entrant(id=2, fixed_table=2), Entrant(id=3)],
                "#1 and #2 have the same fixed table 2",
            ),
            ([Entrant(id=1, fixed_table=0), Entrant(id=2), Entrant(id=3)], "#1 has the fixed table 0"),
        ],
    )
    def test_impossible_fields_are_refused(self, entrants, message):
        """No players, doubles, too few for one table, and tables asked for twice."""
        with pytest.raises(TourneyError, match=message):
            pair(entrants, Options(), "s", sizes=THREES)

    def test_two_fixed_tables_cannot_sit_together(self):
        """Two who must sit together cannot each have a table of their own."""
        field = [Entrant(id=1, fixed_table=1), Entrant(id=2, fixed_table=2), Entrant(id=3)]
        with pytest.raises(TourneyError, match="must sit together, but have fixed tables 1 and 2"):
            pair(field, Options(forced=((1, 2),)), "s", sizes=THREES)


def test_check_reports_the_first_level_that_costs_more():
    """Too many byes are reported; the engine's own round has no findings."""
    entrants = [Entrant(id=p, points=p) for p in range(1, 7)]
    best = pair(entrants, Options(), "s", sizes=THREES)
    assert check(entrants, Options(), best.tables, best.byes, sizes=THREES, best=best) == []
    worse = [Table(1, (1, 6, 3)), Table(2, (2, 5, 4))]
    (finding,) = check(entrants, Options(), worse, (), sizes=THREES, best=best)
    assert (finding.rule, finding.severity) == ("cost", Severity.ADVICE)
    assert finding.message == (
        "not the best round: it has 1 pair 2½ points apart and 2 pairs 1½ points apart "
        "instead of 3 pairs ½ point apart"
    )
    rules = [f.rule for f in check(entrants, Options(), worse[:1], (2, 4, 5), sizes=THREES, best=best)]
    assert rules == ["byes"]
    assert Counter(f.rule for f in check(entrants, Options(), worse[:1], (), sizes=THREES, best=best)) == {
        "not-seated": 3
    }


@pytest.mark.timeout(20)
def test_a_search_without_exchanges_ends():
    """One table, or one and a player who rests."""
    for players, sizes in ((4, Sizes(2, 4, 6)), (3, THREES), (4, THREES), (5, THREES), (6, Sizes(6, 6, 6))):
        entrants = [Entrant(id=p, points=p, opponents=(p % players + 1,)) for p in range(1, players + 1)]
        made = pair(entrants, Options(), "s", sizes=sizes, exhaustive=0, effort=2000)
        assert sum(len(table.seats) for table in made.tables) + len(made.byes) == players


def test_a_forced_pair_cannot_take_the_byes():
    """If only players of forced pairs are left for the byes, the round is refused."""
    entrants = [Entrant(id=number, points=number) for number in (1, 2, 3, 4)]
    with pytest.raises(TourneyError, match="4 players need 1 bye, but too many of them must sit together"):
        pair(entrants, Options(forced=((1, 2), (3, 4))), "s", sizes=THREES)
