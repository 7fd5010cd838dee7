"""The dual search: feasible duals of the cheapest matching's value, and true witnesses."""

import random
from itertools import combinations

from tourney.pairing.swiss.matching import cheapest_matching, deficiency, duals_of, witness


def graph(number):
    dice = random.Random(f"duals {number}")
    vertices = list(range(dice.choice([2, 4, 6, 8, 10, 14, 20])))
    most, density = dice.choice([0, 1, 3, 20, 10**6, 2**200]), dice.choice([0.2, 0.5, 1])
    edges = [combination for combination in combinations(vertices, 2) if dice.random() < density]
    return vertices, {edge: dice.randint(0, most) for edge in edges}


def test_duals_prove_the_cheapest_matching():
    """On 600 graphs: duals of twice the least cost, and none without a perfect matching."""
    with_sets = 0
    for number in range(600):
        vertices, costs = graph(number)
        duals = duals_of(vertices, costs)
        wide = max(costs.values(), default=0).bit_length() > 100
        made = None if wide else cheapest_matching(vertices, list(costs), list(costs.values()))
        if not wide:
            assert (duals is None) == (made is None), number
        if duals is None:
            continue
        if made is not None:
            assert duals.value == 2 * sum(costs[edge] for edge in made)
        for (a, b), cost in costs.items():
            inside = sum(z for members, z in duals.odd_sets if a in members and b in members)
            assert duals.potentials[a] + duals.potentials[b] - inside <= 2 * cost
        assert all(z > 0 and len(members) % 2 for members, z in duals.odd_sets)
        with_sets += bool(duals.odd_sets)
    assert with_sets > 50


def test_duals_of_wide_integers_are_exact():
    """Scaling the costs by 2^200 scales the value: integers of any size."""
    for number in range(100):
        vertices, costs = graph(number)
        duals, scaled = (
            duals_of(vertices, costs),
            duals_of(vertices, {edge: cost << 200 for edge, cost in costs.items()}),
        )
        assert (duals is None) == (scaled is None)
        if duals is not None:
            assert scaled.value == duals.value << 200


def test_a_witness_proves_the_whole_deficiency():
    """It leaves over exactly as many players as a largest matching."""
    for number in range(400):
        dice = random.Random(f"witness {number}")
        players = list(range(1, dice.randint(1, 13)))
        met = {
            frozenset(combination)
            for combination in combinations(players, 2)
            if dice.random() < dice.choice([0.3, 0.6, 0.9])
        }
        may_meet = lambda one, other: frozenset((one, other)) not in met  # noqa: E731, B023
        proof = witness(players, may_meet)
        assert proof.left_over == deficiency(players, may_meet)
        assert sorted([*proof.removed, *(player for part in proof.parts for player in part)]) == players
        for one, two in combinations(proof.parts, 2):
            assert not any(may_meet(a, b) for a in one for b in two)
