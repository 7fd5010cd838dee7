"""Score windows: candidate tables, pruning and separators lose nothing."""

import random
from itertools import combinations

import pytest

from tests.kit import amount
from tests.pairing.fields import dressed, history, options_for
from tests.pairing.judge import as_levels
from tourney.pairing import Entrant, Options, pair
from tourney.pairing.pairing import SeedHash, upper_levels
from tourney.pairing.swiss import bound, engine, windows
from tourney.pairing.swiss.bound import bound_of
from tourney.pairing.swiss.engine import best_bye_class
from tourney.pairing.swiss.field import prepare, whole_field
from tourney.pairing.swiss.levels import solve_whole
from tourney.pairing.swiss.matching import deficiency, largest_matching, pairs_among


def tables_of(pairing):
    return {frozenset(table.seats) for table in pairing.tables}, pairing.bye


def mid_field(number, least=20, most=60):
    dice = random.Random(f"mid field {number}")
    players = dice.randint(least, most)
    entrants = dressed(dice, history(dice, players, dice.randint(0, 9), wild=dice.choice([0.0, 0.1, 0.5])))
    return entrants, options_for(dice, entrants)


def assert_candidates_lose_nothing(number):
    entrants, options = mid_field(number)
    field = prepare(entrants, options)
    every = solve_whole(field, SeedHash("s"))
    if every is None:
        return
    made = pair(entrants, options, "s")
    forced = {frozenset(pair) for pair in options.forced}
    expected = {frozenset(case) - {0} for case in every} | forced
    assert tables_of(made)[0] | ({frozenset({made.bye})} if made.bye else set()) == expected, number


def test_the_candidates_of_the_bound_lose_nothing():
    """Rounds on the bound's candidates agree with one matching on every table."""
    for number in range(amount(25, of=60)):
        assert_candidates_lose_nothing(number)


@pytest.mark.long
def test_the_candidates_of_the_bound_lose_nothing_in_thousands_of_fields():
    """The same test with 4,000 fields."""
    for number in range(60, 4060):
        assert_candidates_lose_nothing(number)


def test_a_few_partners_lose_nothing_of_levels_one_to_three(monkeypatch):
    """The method for large fields, forced on small ones, is as good down to level 3."""
    fields = [mid_field(number) for number in range(amount(15, of=40))] + [
        clubbed(number) for number in range(amount(12, of=30))
    ]
    expected = [pair(*field, "s") if possible(field) else None for field in fields]
    monkeypatch.setattr(windows, "LARGE", 0)
    monkeypatch.setattr(windows, "PARTNERS", (1, 2))
    monkeypatch.setattr(bound, "FEWEST_OF_A_CLUB", 3)
    for field, before in zip(fields, expected, strict=True):
        if before is not None:
            made = pair(*field, "s")
            assert upper_levels(made.cost) == upper_levels(before.cost)
            assert made.bound == before.bound
            assert made.proof == before.proof


def clubbed(number):
    """Return a field in which about half of the players must not meet each other."""
    dice = random.Random(f"clubbed {number}")
    players = dice.choice([20, 31, 40, 52])
    entrants = history(dice, players, dice.randint(1, 7), wild=0.0)
    members = sorted(dice.sample(range(1, players + 1), players // 2 - dice.randint(0, 3)))
    return entrants, Options(forbidden=frozenset(combinations(members, 2)))


def test_potentials_are_a_bound_that_no_table_undercuts(monkeypatch):
    """No allowed table costs less than its potentials, and no round less than all of them."""
    monkeypatch.setattr(bound, "FEWEST_OF_A_CLUB", 3)
    pressed = 0
    for number in range(amount(30, of=60)):
        entrants, options = clubbed(number) if number % 2 else mid_field(number)
        field = prepare(entrants, options)
        klass = best_bye_class(field)
        if klass is None:
            continue
        window = whole_field(field, klass)
        twice, proved = bound.potentials(window)
        for one, other in pairs_among(window.players, window.may_meet):
            price = 0 if 0 in (one, other) else 2 * (field.points[one] - field.points[other]) ** 2
            assert twice[one] + twice[other] <= price
        solved = windows.solve_window(window, SeedHash("s"), bound_of(window, 2 * field.most_conflicts + 4))
        if solved is not None:
            assert proved <= solved.cost
            assert (proved - solved.cost) % 2 == 0 or not proved
            pressed += proved > solved.bound.total
    assert pressed > 1, "some clubs cost more than the bound knows of"


def test_a_club_is_counted_like_a_matching():
    """The shortcut by club size agrees with a largest matching."""
    for number in range(amount(25, of=60)):
        entrants, options = clubbed(number)
        field = prepare(entrants, options)
        dice = random.Random(number)
        players = dice.sample(list(field.free), dice.randint(2, len(field.free)))
        left = len(players) - 2 * len(largest_matching(players, pairs_among(players, field.may_meet)))
        assert deficiency(players, field.may_meet) == left


def test_pruning_loses_nothing(monkeypatch):
    """Forced on, it changes no level and no table."""
    fields = [mid_field(number) for number in range(amount(20, of=60))]
    expected = [tables_of(pair(*field, "s")) if possible(field) else None for field in fields]
    monkeypatch.setattr(windows, "MANY", 0)
    for field, before in zip(fields, expected, strict=True):
        if before is not None:
            assert tables_of(pair(*field, "s")) == before


def possible(field):
    return solve_whole(prepare(*field), SeedHash("s")) is not None


def flat_field(number):
    """Return large score groups, few rounds, and conflicts packed into groups, for separators."""
    dice = random.Random(f"flat field {number}")
    rounds = dice.randint(0, 3)
    sizes = [
        dice.choice([dice.randint(1, 8), dice.randint(14 + 7 * rounds, 40 + 7 * rounds)])
        for _ in range(dice.randint(2, 6))
    ]
    points = [score for score, size in enumerate(sizes) for _ in range(size)]
    dice.shuffle(points)
    opponents = {player: [] for player in range(1, len(points) + 1)}
    for _ in range(rounds):
        order = sorted(
            opponents, key=lambda player: points[player - 1] if dice.random() < 0.7 else dice.random() * 9
        )
        while len(order) > 1:
            a = order.pop(0)
            b = next((rival for rival in order if rival not in opponents[a]), None)
            if b is not None:
                order.remove(b)
                opponents[a].append(b)
                opponents[b].append(a)
    entrants = [
        Entrant(id=player, points=2 * points[player - 1], opponents=tuple(met), byes=dice.random() < 0.3)
        for player, met in opponents.items()
    ]  # fmt: skip
    ids = [entrant.id for entrant in entrants]
    hard = (
        frozenset(tuple(dice.sample(ids, 2)) for _ in range(dice.choice([0, 0, 3])))
        if len(ids) > 2
        else frozenset()
    )
    return entrants, Options(forbidden=hard)


def separated_cost(entrants, options, sizes):
    """Return the cost of the round that one pass over separators makes, or None."""
    field = prepare(entrants, options)
    bye = best_bye_class(field)
    separation = windows.Separation(
        field, bye or [], SeedHash("s"), sizes or windows.proved_sizes(field.most_conflicts)
    )
    if bye is None or not separation.separators:
        return None
    return separation.solve(2 * field.most_conflicts + 4)


def assert_separators_are_exact(number):
    entrants, options = flat_field(number)
    if len(entrants) < 2 or not possible((entrants, options)):
        return 0
    best = pair(entrants, options, "s").cost
    proved = separated_cost(entrants, options, None)
    if proved is None:
        return 0
    assert proved.cost == best.differences, number
    players = [player for table in proved.pairs for player in table if player]
    assert sorted(players) == [entrant.id for entrant in entrants], "everybody once"
    met = {entrant.id: set(entrant.opponents) for entrant in entrants}
    assert all(b not in met[a] for a, b in proved.pairs if b), "no rematch"
    return 1


def test_windows_between_proved_separators_add_up_to_the_optimum():
    """Lemma 3: with groups of more than 7d + 6, the windows' optima add up at level 3."""
    assert sum(assert_separators_are_exact(number) for number in range(amount(16, of=40))) > 4


@pytest.mark.long
def test_windows_between_proved_separators_add_up_in_thousands_of_fields():
    """The same test with 3,000 fields."""
    assert sum(assert_separators_are_exact(number) for number in range(3000)) > 1_000


def test_the_large_path_agrees_with_the_small_one(monkeypatch):
    """The method for large fields, forced on small ones: levels 1 to 3 and the proof are right."""
    fields = [flat_field(number) for number in range(amount(16, of=40))]
    fields = [field for field in fields if len(field[0]) > 1 and possible(field)]
    best = [pair(*field, "s").cost for field in fields]
    monkeypatch.setattr(engine, "WHOLE", 0)
    monkeypatch.setattr(engine, "QUICK", (9, 3))
    methods = set()
    for field, cost in zip(fields, best, strict=True):
        made = pair(*field, "s")
        methods.add(made.method.split()[0])
        assert upper_levels(made.cost) == upper_levels(cost)
        assert made.proof.startswith("optimal")
        if made.cost.differences == made.bound.differences:
            assert made.proof == "optimal (meets the bound)"
    assert {"separators", "whole"} <= methods


def test_the_order_of_entrants_does_not_matter_in_a_large_field():
    """No player meets an opponent twice, and all play."""
    dice = random.Random("large")
    entrants = history(dice, 901, 5, wild=0.0)
    made = pair(entrants, Options(), "s")
    dice.shuffle(entrants)
    assert pair(entrants, Options(), "s") == made
    assert made.method.startswith("separators")
    assert made.exact_levels == 3
    assert as_levels(made.cost)[:3] == (0, 0, 0)
    seated = [player for table in made.tables for player in table.seats] + [made.bye]
    assert sorted(seated) == sorted(entrant.id for entrant in entrants)
