"""The engine's round is optimal: compared with brute force and with networkx."""

import random
from itertools import combinations

import pytest

from tests.kit import amount
from tests.pairing.fields import dressed, history, options_for
from tests.pairing.judge import LEVELS, as_levels, brute, levels
from tourney.errors import TourneyError
from tourney.pairing import MEETS_BOUND, PROVED_BY_SEARCH, Entrant, Options, pair


def small_field(number):
    dice = random.Random(f"small field {number}")
    players = dice.randint(2, 8)
    rounds = dice.randint(0, min(players, 8))
    entrants = dressed(dice, history(dice, players, rounds, wild=dice.choice([0.1, 0.5, 1.0])))
    return entrants, options_for(dice, entrants)


def assert_same_as_brute_force(number):
    entrants, options = small_field(number)
    seed = f"seed {number}"
    best = brute(entrants, options, seed)
    if best is None:
        with pytest.raises(TourneyError):
            pair(entrants, options, seed)
        return False
    made = pair(entrants, options, seed)
    assert as_levels(made.cost) == best[0], number
    assert ({frozenset(table.seats) for table in made.tables}, made.bye) == best[1:], number
    return True


def test_every_level_agrees_with_brute_force():
    """Up to 8 players: the cost of each level and the tables are those of the best round."""
    paired = sum(assert_same_as_brute_force(number) for number in range(600))
    assert paired > 450


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_every_level_agrees_with_brute_force_in_thousands_of_fields():
    """The same test with 10,000 histories."""
    paired = sum(assert_same_as_brute_force(number) for number in range(600, 10_600))
    assert paired > 8_000


def late_state(number):
    """Return a late round of 8 to 60 players: small groups, many past opponents, drops, byes."""
    dice = random.Random(f"late state {number}")
    players = dice.randint(8, 60)
    rounds = dice.randint(players // 6, min(players - 2, 12))
    entrants = dressed(
        dice, history(dice, players, rounds, wild=dice.choice([0.0, 0.05, 0.3])), drops=dice.choice([0, 0.2])
    )
    return entrants, options_for(dice, entrants)


def global_best(entrants, options):
    """Return the levels of the best round by one matching of networkx on every allowed pair."""
    forced = {frozenset(pair) for pair in options.forced}
    set_apart = {player for pair in options.forced for player in pair}
    free = [entrant.id for entrant in entrants if entrant.id not in set_apart]
    forbidden = {frozenset(pair) for pair in options.forbidden}
    import networkx  # slow to import, and each worker imports this module

    graph = networkx.Graph()
    for a, b in combinations(free, 2):
        if frozenset((a, b)) not in forbidden:
            graph.add_edge(a, b, cost=levels(entrants, options, [(a, b)], None))
    if len(free) % 2:
        graph.add_node(0)
        for a in free:
            if options.forced_bye in (None, a):
                graph.add_edge(a, 0, cost=levels(entrants, options, [], a))
    for _, _, edge in graph.edges(data=True):
        edge["weight"] = -sum(value << 40 * (len(LEVELS) - place) for place, value in enumerate(edge["cost"]))
    made = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(made) < len(free):
        return None
    pairs = [pair for pair in made if 0 not in pair] + [tuple(pair) for pair in forced]
    return levels(entrants, options, pairs, next((max(pair) for pair in made if 0 in pair), None))


def assert_same_as_global_matching(numbers):
    methods, compared = set(), 0
    for number in numbers:
        entrants, options = late_state(number)
        best = global_best(entrants, options)
        if best is None:
            with pytest.raises(TourneyError):
                pair(entrants, options, "s")
            continue
        made = pair(entrants, options, "s")
        assert as_levels(made.cost) == best, number
        methods |= {made.method, made.proof}
        compared += 1
    return methods, compared


def test_every_level_agrees_with_one_global_matching():
    """Up to 60 players, with an independent library."""
    methods, compared = assert_same_as_global_matching(range(amount(15, of=25)))
    assert {"whole", MEETS_BOUND, PROVED_BY_SEARCH} <= methods
    assert compared > amount(10, of=20)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_every_level_agrees_with_one_global_matching_in_thousands_of_states():
    """The same test with 2,000 states before late rounds."""
    assert assert_same_as_global_matching(range(25, 2025))[1] > 1_500


def test_a_round_set_by_the_organizer_is_kept():
    """Forced pairs may leave no player, one or two to the engine."""
    for count, forced in [(2, ((2, 1),)), (3, ((1, 3),)), (4, ((1, 3), (4, 2))), (4, ((1, 3),))]:
        entrants = [
            Entrant(id=n, points=n, opponents=(2,) if n == 1 else (1,) if n == 2 else ())
            for n in range(1, count + 1)
        ]
        made = pair(entrants, Options(forced=forced), "s")
        assert {frozenset(pair) for pair in forced} <= {frozenset(table.seats) for table in made.tables}
        assert sum(len(table.seats) for table in made.tables) + len(made.byes) == count
        assert made.proof == MEETS_BOUND
        assert as_levels(made.cost) == levels(
            entrants, Options(), [table.seats for table in made.tables], made.bye
        )
