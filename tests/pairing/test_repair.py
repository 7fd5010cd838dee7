"""Repair: finished tables stay, and the fewest others change.

No rematch or second bye is avoidable, and of all such rounds the result is the best.
"""

import random

import pytest
from msgspec.structs import replace

from tests.kit import amount
from tests.pairing.fields import dressed, history, options_for
from tests.pairing.judge import levels, obeys, rounds, word
from tourney.errors import TourneyError
from tourney.pairing import REPAIRED, REPAIRED_BEST, REPAIRED_UNPROVED, Entrant, Options, check, pair, repair
from tourney.record import Table


def brute_repair(entrants, options, old_pairs, old_bye, seed, *, best_first=False):
    """Return the best repair of a field without finished tables, by trying every round.

    best_first: whether the cost on every level comes before the number of changes, as after a corrected
    result
    """
    before = {frozenset(old_pair) for old_pair in old_pairs} | (
        {frozenset((0, old_bye))} if old_bye else set()
    )
    best = None
    for pairs, bye in rounds(sorted(entrant.id for entrant in entrants)):
        if not obeys(options, pairs, bye):
            continue
        made = {frozenset(pair) for pair in pairs} | ({frozenset((0, bye))} if bye else set())
        forced = {frozenset(pair) for pair in options.forced}
        cost = levels(entrants, options, pairs, bye)
        changed = len(made - before - forced)
        digits = sum(word(seed, *sorted(pair)) for pair in made - forced)
        key = (*cost, changed, digits) if best_first else (*cost[:3], changed, *cost[3:], digits)
        if best is None or key < best[0]:
            best = (key, made)
    return best


def broken_round(number):
    """Return a paired round, and the field after a drop, a late player or a correction."""
    dice = random.Random(f"repair {number}")
    everybody = dressed(dice, history(dice, dice.randint(4, 8), dice.randint(0, 5), wild=0.5), drops=0)
    options = options_for(dice, everybody, nasty=False)
    paired = pair(everybody, options, "before")
    now = [entrant for entrant in everybody if dice.random() > 0.15]
    now = [replace(entrant, points=entrant.points + dice.choice([0, 0, 0, 2])) for entrant in now]
    if dice.random() < 0.4 and len(now) < 8:
        now.append(Entrant(id=20, rank=99, rating=1))
    forbidden = {table.seats for table in paired.tables if dice.random() < 0.2}
    return paired, now, replace(options, forbidden=frozenset(forbidden), round_number=options.round_number)


def corrected_round(number):
    """Return a paired round, and the field after results of earlier rounds were corrected."""
    dice = random.Random(f"correct {number}")
    everybody = dressed(dice, history(dice, dice.randint(3, 8), dice.randint(1, 5), wild=0.3), drops=0)
    options = options_for(dice, everybody, nasty=False)
    paired = pair(everybody, options, "before")
    now = [replace(entrant, points=entrant.points + dice.choice([0, 0, 1, 2])) for entrant in everybody]
    moved = [entrant.id for entrant, old in zip(now, everybody, strict=True) if entrant.points != old.points]
    return paired, now, options, moved


def test_after_a_correction_the_round_is_best_and_nearest_to_the_old():
    """The best of all rounds on every level, and of these the nearest to the old one."""
    for number in range(200):
        paired, now, options, moved = corrected_round(number)
        old = [table.seats for table in paired.tables]
        best = brute_repair(now, options, old, paired.bye, "after", best_first=bool(moved))
        mended = repair(
            now, options, paired.tables, paired.bye, locked_tables=(), seed="after", corrected_players=moved
        )
        made = {frozenset(table.seats) for table in mended.pairing.tables}
        made |= {frozenset((0, mended.pairing.bye))} if mended.pairing.bye else set()
        assert made == best[1], number
        assert mended.pairing.proof == (REPAIRED_BEST if moved else REPAIRED)


def test_a_correction_never_touches_a_finished_table():
    """The other tables are the best round of the other players."""
    compared = 0
    for number in range(100):
        paired, now, options, moved = corrected_round(number)
        locked = [table.number for table in paired.tables[::2]]
        try:
            mended = repair(
                now,
                options,
                paired.tables,
                paired.bye,
                locked_tables=locked,
                seed="after",
                corrected_players=moved,
            )
        except TourneyError:
            continue
        after = {table.number: table for table in mended.pairing.tables}
        assert all(after[table.number] == table for table in paired.tables if table.number in locked)
        gone = {player for table in paired.tables if table.number in locked for player in table.seats}
        left = [entrant for entrant in now if entrant.id not in gone]
        free = [table for table in paired.tables if table.number not in locked]
        if not left or any(gone & set(pair) for pair in options.forced) or options.forced_bye in gone:
            continue
        again = repair(
            left, options, free, paired.bye, locked_tables=(), seed="after", corrected_players=moved
        )
        rest = {frozenset(table.seats) for number, table in after.items() if number not in locked}
        assert rest == {frozenset(table.seats) for table in again.pairing.tables}
        compared += 1
    assert compared > 20


def assert_same_as_brute_force(number):
    paired, now, options = broken_round(number)
    if not now:
        return
    old = [table.seats for table in paired.tables]
    best = brute_repair(now, options, old, paired.bye, "after")
    if best is None:
        with pytest.raises(TourneyError):
            repair(now, options, paired.tables, paired.bye, locked_tables=(), seed="after")
        return
    mended = repair(now, options, paired.tables, paired.bye, locked_tables=(), seed="after")
    made = {frozenset(table.seats) for table in mended.pairing.tables}
    made |= {frozenset((0, mended.pairing.bye))} if mended.pairing.bye else set()
    assert made == best[1], number
    assert mended.is_fewest


def test_a_repair_is_the_best_of_all_rounds():
    """Up to 8 players: rematches, second byes, changes, cost and tables agree with brute force."""
    for number in range(amount(200, of=400)):
        assert_same_as_brute_force(number)


@pytest.mark.long
def test_thousands_of_repairs_are_the_best_of_all_rounds():
    """The same test with 6,000 broken rounds."""
    for number in range(400, 6400):
        assert_same_as_brute_force(number)


def test_finished_tables_and_those_that_stay_keep_number_and_seats():
    """A table with a result always stays."""
    for number in range(100):
        paired, now, options = broken_round(number)
        locked = [table.number for table in paired.tables[::2]]
        try:
            mended = repair(now, options, paired.tables, paired.bye, locked_tables=locked, seed="after")
        except TourneyError:
            continue
        after = {table.number: table for table in mended.pairing.tables}
        for table in paired.tables:
            if table.number in locked or table.number in mended.kept_numbers:
                assert after[table.number] == table
        assert set(after) == set(mended.kept_numbers) | set(mended.changed_numbers)
        assert len(after) == len(mended.pairing.tables), "no number twice"


def test_a_late_player_takes_the_bye_or_meets_the_player_with_it():
    """Nothing else changes."""
    field = [Entrant(id=number) for number in range(1, 8)]
    paired = pair(field, Options(), "s")
    repaired = repair(
        [*field, Entrant(id=8)], Options(), paired.tables, paired.bye, locked_tables=(), seed="s"
    )
    assert repaired.kept_numbers == (1, 2, 3)
    assert set(repaired.pairing.tables[3].seats) == {paired.bye, 8}
    assert repaired.changed_numbers == (4,)
    even = field[:6]
    paired = pair(even, Options(), "s")
    later = repair([*even, Entrant(id=8)], Options(), paired.tables, None, locked_tables=(), seed="s")
    assert (later.pairing.bye, later.changed_numbers) == (8, ())


def test_a_large_round_is_repaired_with_few_changes():
    """700 players, one leaves: the fewest tables change, and check finds nothing illegal."""
    dice = random.Random("large repair")
    entrants = history(dice, 700, 4, wild=0.0)
    paired = pair(entrants, Options(), "s")
    gone = paired.tables[10].seats[0]
    now = [entrant for entrant in entrants if entrant.id != gone]
    mended = repair(now, Options(), paired.tables, paired.bye, locked_tables=(), seed="s")
    assert mended.is_fewest
    assert len(mended.changed_numbers) <= 1
    findings = check(now, Options(), mended.pairing.tables, mended.pairing.bye)
    assert [finding for finding in findings if finding.severity.value == "error"] == []
    assert {reason.what for reason in mended.reasons} <= {"gone", "bye"}


def test_a_large_round_with_corrected_results_is_not_proved_to_have_the_fewest_changes():
    """Player 3's table may stay, but is paired anew, because player 3's result was corrected.

    Player 1 may meet only the last two players. Without the correction, two new tables are enough.
    """
    last = 608
    field = [Entrant(id=n, points=16 if n in (4, last - 1, last) else 0) for n in range(1, last + 1)]
    tables = [Table(n, (2 * n - 1, 2 * n)) for n in range(1, last // 2 + 1)]
    options = Options(forbidden=frozenset((1, other) for other in range(2, last - 1)))
    moved = repair(field, options, tables, None, locked_tables=(), seed="s", corrected_players=(3,))
    assert (len(moved.changed_numbers), moved.is_fewest, moved.pairing.proof) == (3, False, REPAIRED_UNPROVED)
    unmoved = repair(field, options, tables, None, locked_tables=(), seed="s")
    assert (len(unmoved.changed_numbers), unmoved.is_fewest, unmoved.pairing.proof) == (2, True, REPAIRED)


def test_reasons_say_why_a_table_could_not_stay():
    """Each removed table has its sentence."""
    field = [
        Entrant(id=1, opponents=(2,)),
        Entrant(id=2, opponents=(1,)),
        *(Entrant(id=n) for n in (3, 4, 5, 6)),
    ]
    tables = [Table(1, (1, 2)), Table(2, (3, 4)), Table(3, (5, 7))]
    mended = repair(field, Options(forbidden=frozenset({(4, 3)})), tables, None, locked_tables=(), seed="s")
    assert [reason.text for reason in mended.reasons] == [
        "table 1: #1–#2 have met before",
        "table 2: #3–#4 are kept apart by the organizer",
        "table 3: #7 is no longer in the round",
    ]
