"""Small events with their last round open, and their verdicts by brute force."""

import random
from itertools import product

from msgspec import structs
from msgspec.structs import replace

from tests.standings.fields import pods_record, random_record
from tests.standings.profiles import FOLDER, shipped
from tourney.forecast.question import CutQuestion
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import rank

PROFILES = tuple(path.stem for path in sorted(FOLDER.glob("*.toml")))

REPORTED = ("2-0", "2-1", "0-2", "1-2", "1-1", "0-0-3", "+-", "dl")


def opened(record, tables=99):
    """Return the record with the first tables of its last round open."""
    *before, last = record.rounds
    return replace(
        record,
        rounds=(
            *before,
            tuple(structs.replace(t, result=None) if i < tables else t for i, t in enumerate(last)),
        ),
    )


def with_missing(question, tables):
    """Return the question with the first tables of the last round but one open, too."""
    *before, last = question.record.rounds
    if not before:
        return question
    earlier = opened(replace(question.record, rounds=tuple(before)), tables)
    return replace(question, record=replace(question.record, rounds=(*earlier.rounds, last)))


def question(seed, profile, *, best_of=1, most=9):
    """Return a question about a random event with up to four open tables."""
    dice = random.Random(seed)
    if profile in ("pods", "tables") and dice.random() < 0.6:
        record = pods_record(seed, players=dice.randint(6, 8), rounds=dice.randint(2, 3))
    else:
        record = random_record(
            seed, players=dice.randint(5, most), rounds=dice.randint(1, 4), scores=REPORTED
        )
    return CutQuestion(
        record=opened(record),
        profile=shipped(profile),
        cut=dice.choice((1, 2, 3, 4)),
        match=(best_of, True),
    )


def table_question(seed, profile):
    """Return a question about a random event of tables of three to six, one or two open."""
    dice = random.Random(seed)
    sizes = dice.choice(((6,), (5,), (3, 3), (4, 3), (6, 3), (5, 3), (4, 4), (4,)))
    ids = [PlayerId(number) for number in range(1, sum(sizes) + 1)]
    rounds = []
    for _ in range(dice.randint(1, 3)):
        order, tables = dice.sample(ids, len(ids)), []
        for number, size in enumerate(sizes, start=1):
            seats = tuple(order.pop() for _ in range(size))
            places = dice.sample(range(1, size + 1), size)
            first = [dice.choice((1, place)) for place in places] if dice.random() < 0.2 else places
            drawn = first.count(1) > 1
            result = Result(
                tuple(
                    Seat(
                        player,
                        Outcome.LOSS if place > 1 else Outcome.DRAW if drawn else Outcome.WIN,
                        1 + sum(other < place for other in first),
                    )
                    for player, place in zip(seats, first, strict=True)
                )
            )
            tables.append(Table(number, seats, result))
        rounds.append(tuple(tables))
    record = Record(players=tuple(ids), rounds=tuple(rounds), planned_rounds=len(rounds))
    return CutQuestion(
        record=opened(record), profile=shipped(profile), cut=dice.choice((1, 2, 3, 4)), match=(1, True)
    )


def open_tables(question):
    """Return the open tables of all rounds."""
    return (*question.earlier, *question.tables)


def completions(question):
    """Give every completion: the index of each table's result, and the record."""
    for choice in product(*[range(len(table.results)) for table in open_tables(question)]):
        yield choice, completed(question, choice)


def completed(question, choice):
    """Return the record in which each open table ends with its chosen result."""
    tables = zip(open_tables(question), choice, strict=True)
    return question.complete_record({table.place: table.results[at] for table, at in tables})


def ends(question, record):
    """Return per player `in`, `out` or `level` with the cut, by the real ranking without lots."""
    rows = [row for row in rank(record, question.profile).rows if row.player in question.players]
    ranks = [row.rank or 0 for row in rows]
    return {
        row.player: "in"
        if sum(other <= (row.rank or 0) for other in ranks) - 1 < question.cut
        else "out"
        if sum(other < (row.rank or 0) for other in ranks) >= question.cut
        else "level"
        for row in rows
    }


def outcome(question, choice, player):
    """Return a player's outcome in a completion; None without an open table in the last round."""
    for table, at in zip(open_tables(question), choice, strict=True):
        if player in table.seats and table in question.tables:
            return table.kinds[at][table.seats.index(player)][0]
    return None


def brute_force(question):
    """Return for each player and own result everything they can end as."""
    every = {}
    for choice, record in completions(question):
        for player, end in ends(question, record).items():
            every.setdefault((player, outcome(question, choice, player)), set()).add(end)
    return every
