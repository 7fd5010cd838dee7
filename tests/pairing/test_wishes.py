"""Each pairing system respects exactly the organizer's wishes that its row declares."""

from typing import get_args

from msgspec.structs import replace

from tests.kit import with_rows
from tests.pairing.test_dutch import asked, played, table
from tourney.event.ops import System
from tourney.event.systems import system_called
from tourney.pairing import WISHES, Entrant, Options, keep_wishes, pair, pods

DECLARED = {name: system_called(name).wishes for name in get_args(System)}
FIELD = [Entrant(id=player) for player in range(1, 9)]
SEED = "wishes"


def swiss(entrants, options):
    return pair(entrants, options, SEED).tables


def pods_of_two(entrants, options):
    return pods.pair(entrants, options, SEED, sizes=pods.Sizes(2, 2, 2)).tables


def together(tables, pair):
    return any(set(pair) <= set(table.seats) for table in tables)


def test_every_system_declares_its_wishes():
    """Every system has a row with known wishes only."""
    assert all(wishes <= WISHES for wishes in DECLARED.values())
    assert DECLARED["manual"] == WISHES


@with_rows(("system", "made"), [("swiss", swiss), ("pods", pods_of_two)])
def test_an_engine_keeps_each_wish_that_its_system_declares(system, made):
    """Forbidden pairs are parted, forced pairs seated, fixed tables kept."""
    assert DECLARED[system] == WISHES
    first = made(FIELD, Options())
    met = first[0].seats
    apart = (first[0].seats[0], first[1].seats[0])
    assert not together(made(FIELD, Options(forbidden=frozenset({met}))), met)
    assert together(made(FIELD, Options(forced=(apart,))), apart)
    fixed = [replace(entrant, fixed_table=3 if entrant.id == met[0] else None) for entrant in FIELD]
    assert any(table.number == 3 and met[0] in table.seats for table in made(fixed, Options()))


def test_the_dutch_question_contains_the_declared_wishes():
    """A fixed table does not change the question."""
    assert DECLARED["dutch"] == {"forced", "forbidden"}
    record = played((table(1, 2, 1), table(2, 3, 4)))
    field = [Entrant(id=player) for player in record.players]
    plain = asked(record, field)
    assert asked(record, field, Options(forced=((1, 3),))) != plain
    assert asked(record, field, Options(forbidden=frozenset({(1, 3)}))) != plain
    assert asked(record, [replace(entrant, fixed_table=entrant.id) for entrant in field]) == plain


@with_rows("system", sorted(DECLARED))
def test_keep_wishes_keeps_only_declared_wishes(system):
    """Options that are not wishes stay."""
    entrants = [Entrant(id=1, points=3, fixed_table=7), Entrant(id=2)]
    options = Options(
        round_number=4, forced=((1, 2),), forced_bye=2, no_bye=frozenset({1}), forbidden=frozenset({(1, 2)})
    )
    kept, left = keep_wishes(DECLARED[system], entrants, options)
    wishes = DECLARED[system]
    assert [line.fixed_table for line in kept] == [7 if "fixed-table" in wishes else None, None]
    assert [line.points for line in kept] == [3, 0]
    assert left == replace(
        options,
        **({} if "forced" in wishes else {"forced": (), "forced_bye": None, "no_bye": frozenset()}),
        **({} if "forbidden" in wishes else {"forbidden": frozenset()}),
    )
