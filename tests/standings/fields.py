"""Random records for properties, with all incidents of a round, from a seed or Hypothesis."""

import random

from hypothesis import strategies as st
from msgspec import structs

from tests.standings.crosstable import match, seat
from tourney.record import Outcome, PlayerId, Record, Result, Table

SCORES = ("2-0", "2-1", "0-2", "1-2", "1-1", "1-1-1", "0-0-3", "0-0", "2-0-1", "+-", "-+", "--", "dl", "?")


def random_record(seed, players=9, rounds=5, scores=SCORES):
    """Return a record of a Swiss-like event with random tables and all kinds of incidents."""
    dice = random.Random(seed)
    ids = [PlayerId(player) for player in range(1, players + 1)]
    drops = {dice.choice(ids): dice.randint(0, rounds - 1)} if dice.random() < 0.5 else {}
    out = {ids[-1]: rounds - 1} if dice.random() < 0.3 and ids[-1] not in drops else {}
    tables, byes, absences = [], [], []
    for number in range(1, rounds + 1):
        left = {player for gone in (drops, out) for player, last in gone.items() if last < number}
        there = [player for player in ids if player not in left]
        away = {player for player in there if dice.random() < 0.05}
        there = [player for player in there if player not in away]
        dice.shuffle(there)
        alone = (
            {there.pop(): dice.choice((Outcome.BYE, Outcome.AWARDED_BYE, Outcome.HALF_BYE))}
            if len(there) % 2
            else {}
        )
        pairs = zip(there[::2], there[1::2], strict=True)
        tables.append(tuple(match(i, a, b, dice.choice(scores)) for i, (a, b) in enumerate(pairs, 1)))
        byes.append(alone)
        absences.append(frozenset(away))
    return Record(
        players=tuple(ids),
        rounds=tuple(tables),
        byes=tuple(byes),
        absences=tuple(absences),
        drops=drops,
        disqualified=out,
        ratings={player: dice.randint(1000, 2500) for player in ids},
        planned_rounds=rounds,
    )


records = st.builds(random_record, st.integers(0, 10**9), st.integers(2, 12), st.integers(1, 7))


def pods_record(seed, players=11, rounds=3):
    """Return a record of tables of three and four, some with shared places."""
    dice = random.Random(seed)
    ids = [PlayerId(player) for player in range(1, players + 1)]
    tables = []
    for _ in range(rounds):
        order = dice.sample(ids, len(ids))
        sizes = [4] * (players // 4 - (1 if players % 4 == 1 else 0))
        while sum(sizes) < players:
            sizes.append(min(3, players - sum(sizes)))
        tables.append([])
        for size in sizes:
            seats, order = order[:size], order[size:]
            places = sorted(dice.choices(range(1, size + 1), k=size))
            places = [1 + sum(other < place for other in places) for place in places]
            shared = places.count(1) > 1
            made = [
                seat(player, (Outcome.DRAW if shared else Outcome.WIN) if place == 1 else Outcome.LOSS)
                for player, place in zip(seats, places, strict=True)
            ]

            result = Result(
                tuple(structs.replace(one, place=place) for one, place in zip(made, places, strict=True))
            )
            tables[-1].append(Table(len(tables[-1]) + 1, tuple(seats), result))
    return Record(players=tuple(ids), rounds=tuple(map(tuple, tables)))
