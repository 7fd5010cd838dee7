"""The randomness of a Swiss round follows from three documented sentences."""

import random
from hashlib import sha256

from tests.pairing.judge import word
from tourney.pairing import Entrant, Options, pair
from tourney.pairing.pairing import SeedHash


def test_pair_words_are_those_of_an_independent_implementation():
    """Any seed, any two players, the bye included, in either order."""
    dice = random.Random("words")
    for _ in range(500):
        seed = dice.choice(["", "friday", "0c9f", "Günther|1", "🂡"])
        one, other = dice.sample(range(dice.choice([10, 2000, 10**7])), 2)
        assert SeedHash(seed).of_pairs([(one, other), (other, one)]) == [word(seed, one, other)] * 2


def test_keys_and_coins_are_those_of_the_documentation():
    """Check the keys and coins against the documented formulas.

    The key is sha256(`<seed>|p|<p>`), and the coin is the lowest bit of sha256(`<seed>|s|<i>|<j>`)[0].
    """
    dice = random.Random("keys")
    for _ in range(200):
        seed, one, other = "round 3", *sorted(dice.sample(range(1, 5000), 2))
        assert SeedHash(seed).key(one) == sha256(f"{seed}|p|{one}".encode()).digest()
        coin = sha256(f"{seed}|s|{one}|{other}".encode()).digest()[0] % 2 == 1
        assert SeedHash(seed).coin(one, other) is coin
        assert SeedHash(seed).coin(other, one) is coin


def test_a_shuffle_is_the_order_of_the_keys():
    """The order of the input does not matter."""
    players = list(range(1, 300))
    expected = sorted(players, key=lambda player: sha256(f"x|p|{player}".encode()).digest())
    random.Random(1).shuffle(players)
    assert SeedHash("x").shuffle(players) == expected


def test_words_look_random():
    """No value twice in 30,000; mean and halves as expected."""
    words = SeedHash("crowd").of_pairs(
        [(one, other) for one in range(1, 246) for other in range(one + 1, 246)]
    )
    assert len(set(words)) == len(words)
    assert abs(sum(words) / len(words) / 2**32 - 0.5) < 0.01


def test_another_seed_makes_another_round_and_the_same_seed_the_same():
    """64 players in their first round; no two of twenty seeds agree."""
    field = [Entrant(id=number) for number in range(1, 65)]
    made = [pair(field, Options(), f"round {number}") for number in range(20)]
    assert len({round_.tables for round_ in made}) == 20
    assert pair(field[::-1], Options(), "round 0") == made[0]


def test_every_pair_is_equally_likely_to_meet():
    """Over many seeds each of the 15 pairs of six equal players meets about a fifth of the time."""
    field = [Entrant(id=number) for number in range(1, 7)]
    met = {}
    for number in range(600):
        for table in pair(field, Options(), f"fair {number}").tables:
            met[frozenset(table.seats)] = met.get(frozenset(table.seats), 0) + 1
    assert len(met) == 15
    assert all(80 < count < 165 for count in met.values())
