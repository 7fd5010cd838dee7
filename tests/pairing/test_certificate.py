"""Certificates: plain data from which a stranger recomputes that no round is better."""

import json
import random

import pytest

from tests.pairing.checker import proves
from tests.pairing.fields import dressed, history, options_for
from tourney.errors import TourneyError
from tourney.pairing import pair, prove

REFUSED = []


def as_plain(entrants, options):
    """What the checker sees: points, earlier byes, meetings; who may have the bye. Forced tables are taken out."""
    forced = {player for each in options.forced for player in each}
    players = {}
    for each in entrants:
        if each.id in forced:
            continue
        byes = (
            each.byes
            + each.awarded_byes * options.awarded_bye_counts
            + each.half_byes * options.half_bye_counts
        )
        met = list(each.opponents) + list(each.no_shows) * options.no_show_meets
        times = {other: met.count(other) for other in met}
        for pair_ in options.forbidden:
            if each.id in pair_:
                times[sum(pair_) - each.id] = None
        players[each.id] = (each.points, byes, times)
    takers = set(players) if options.forced_bye is None else {options.forced_bye}
    return players, takers if len(players) % 2 else set()


def tables_of(pairing, options):
    forced = {frozenset(each) for each in options.forced}
    tables = [table.seats for table in pairing.tables if frozenset(table.seats) not in forced]
    return tables + [(player, 0) for player in pairing.byes]


def field(number, least, most, rounds):
    dice = random.Random(f"certificate {number}")
    players = dice.randint(least, most)
    entrants = dressed(
        dice, history(dice, players, dice.randint(0, min(rounds, players)), wild=dice.choice([0, 0.3, 1]))
    )
    return entrants, options_for(dice, entrants, nasty=dice.random() < 0.5)


def certified(number, least=4, most=24, rounds=12):
    """Check one field's certificate; returns how it was proved, or None if no round is possible."""
    entrants, options = field(number, least, most, rounds)
    try:
        made = pair(entrants, options, "s")
    except TourneyError:
        return None
    certificate = prove(entrants, options, made)
    assert json.loads(json.dumps(certificate)) == certificate, "plain data"
    players, takers = as_plain(entrants, options)
    tables = tables_of(made, options)
    assert proves(certificate, players, takers, tables), number
    for dearer in dearer_rounds(players, takers, tables, number):
        assert not proves(certificate, players, takers, dearer), number
        REFUSED.append(number)
    return "rematch" if certificate["bound"] is None else "duals" if certificate["duals"] else "bound"


def cost_of(players, tables):
    """Levels 1 to 3 of a round, or None if somebody at it is kept apart."""
    times = [players[a][2].get(b, 0) for a, b in tables if b]
    if None in times:
        return None
    bye = [(players[a][1], players[a][0]) for a, b in tables if not b]
    return (
        sum(map(bool, times)),
        sum(times),
        bye,
        sum((players[a][0] - players[b][0]) ** 2 for a, b in tables if b),
    )


def dearer_rounds(players, takers, tables, number):
    """Rounds that two tables with swapped partners make of a round, where they are allowed and cost more."""
    dice = random.Random(number)
    for _ in range(6 if len(tables) > 1 else 0):
        (a, b), (c, d) = first, second = dice.sample(tables, 2)
        if (b == 0 and c not in takers) or (d == 0 and a not in takers):
            continue
        swapped = [each for each in tables if each not in (first, second)] + [(c, b), (a, d)]
        cost = cost_of(players, swapped)
        if cost is not None and cost > cost_of(players, tables):
            yield swapped


def test_every_round_comes_with_a_proof_that_the_checker_accepts():
    """Bound, duals and witnesses of small and mid-size fields, nasty ones among them."""
    ways = [certified(number) for number in range(150)]
    assert {"bound", "duals", "rematch"} <= set(ways)
    assert len(REFUSED) > 200, "dearer rounds, refused with the same certificate"


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thousands_of_proofs_are_accepted():
    """The same for 2,000 more fields, and 300 of up to 60 players."""
    for number in range(150, 2150):
        certified(number)
    for number in range(2150, 2450):
        certified(number, 30, 60, 10)
