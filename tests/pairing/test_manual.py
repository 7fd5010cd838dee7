"""The organizer's own round: all that can be wrong with it."""

import pytest

from tests.kit import with_rows
from tourney.errors import Severity, TourneyError
from tourney.pairing import Entrant, Options, Sizes, check_by_hand
from tourney.pairing.manual import cost_of
from tourney.record import Table

FOUR = [Entrant(id=player) for player in (1, 2, 3, 4)]
NAMES = {1: "Ada", 2: "Ben", 3: "Cleo", 4: "Dov", 5: "Eli", 9: "Zoe"}


def found(entrants, tables, byes=(), *, options=None, sizes=None, absent=None):
    findings = check_by_hand(
        entrants, options or Options(), tables, byes, sizes=sizes, absent=absent, name=NAMES.__getitem__
    )
    return [(finding.rule, finding.severity.value, finding.message) for finding in findings]


def tables(*seats):
    return [Table(number, seat) for number, seat in enumerate(seats, 1)]


def test_a_round_in_order_has_no_findings():
    """All players are seated once, and table numbers differ."""
    assert found(FOUR, tables((1, 2), (3, 4))) == []


@with_rows(
    ("round_tables", "byes", "rule", "message"),
    [
        (tables((1, 2), (1, 3)), (4,), "seated-twice", "Ada is seated 2 times: table 1 and table 2"),
        (tables((1, 2), (3, 4)), (1,), "seated-twice", "Ada is seated 2 times: table 1 and the bye"),
        (tables((1, 2)), (3,), "not-seated", "Dov has neither a table nor a bye"),
        (tables((1, 2), (3, 4), (5, 9)), (), "not-in-round", "Eli dropped after round 2, but has table 3"),
        (tables((1, 2), (3, 4), (9, 5)), (), "not-in-round", "Zoe is not in this event, but has table 3"),
        (tables((1, 2, 3)), (4,), "table-size", "table 1 seats 3; a table of this event seats 2"),
        ([Table(7, (1, 2)), Table(7, (3, 4))], (), "table-number", "table number 7 is used 2 times"),
        (
            [Table(0, (1, 2)), Table(7, (3, 4))],
            (),
            "table-number",
            "there is no table 0: tables are numbered from 1",
        ),
    ],
)
def test_faults_of_any_round_are_errors(round_tables, byes, rule, message):
    """Doubled, missing and unknown players, tables of a wrong size and wrong numbers."""
    assert (rule, "error", message) in found(FOUR, round_tables, byes, absent={5: "dropped after round 2"})


def test_broken_wishes_of_the_organizer_are_errors():
    """Forbidden and forced pairs, a set bye and a fixed table."""
    entrants = [Entrant(id=1, fixed_table=5), Entrant(id=2), Entrant(id=3)]
    options = Options(forbidden=frozenset({(2, 1)}), forced=((1, 3),), forced_bye=2)
    assert found(entrants, tables((1, 2)), (3,), options=options) == [
        ("forbidden", "error", "Ben – Ada are kept apart by the organizer, but share a table"),
        ("forced", "error", "Ada – Cleo must meet, as the organizer decided"),
        ("forced", "error", "Ben must have the bye, as the organizer decided"),
        ("fixed-table", "error", "Ada has the fixed table 5, but sits at table 1"),
    ]


def test_two_players_with_fixed_tables_can_sit_at_either():
    """One of the two tables is enough."""
    entrants = [Entrant(id=1, fixed_table=5), Entrant(id=2, fixed_table=6)]
    for number in (5, 6):
        assert found(entrants, [Table(number, (1, 2))]) == []
    assert len(found(entrants, [Table(7, (1, 2))])) == 2


def test_rematches_and_second_byes_are_advice():
    """Each finding has their number, as the options count them."""
    entrants = [
        Entrant(id=1, opponents=(2, 2)), Entrant(id=2, opponents=(1, 1), no_shows=(3,)),
        Entrant(id=3, no_shows=(2,)), Entrant(id=4, points=5, byes=1, awarded_byes=1, half_byes=1),
        Entrant(id=5),
    ]  # fmt: skip
    assert found(entrants, tables((1, 2), (3, 5)), (4,)) == [
        ("rematch", "advice", "table 1: Ada – Ben have met twice before"),
        ("second-bye", "advice", "Dov has had 2 byes and gets one more, on 2½ points"),
    ]
    switched = Options(no_show_meets=True, awarded_bye_counts=False, half_bye_counts=True)
    assert found(entrants, tables((3, 2), (1, 5)), (4,), options=switched) == [
        ("rematch", "advice", "table 1: Cleo – Ben have met once before"),
        ("second-bye", "advice", "Dov has had 2 byes and gets one more, on 2½ points"),
    ]


def test_tables_of_several_sizes():
    """Sizes are a range; a single size is one number."""
    pods = Sizes(2, 4, 4)
    assert found(FOUR, tables((1, 2, 3, 4)), sizes=pods) == []
    assert found(FOUR, tables((1, 2, 3), (4,)), sizes=pods) == [
        ("table-size", "error", "table 2 seats 1; a table of this event seats 2 to 4")
    ]


def test_the_cost_of_a_round():
    """Tables of any size; each two players of a table count as a pair."""
    entrants = [
        Entrant(id=1, points=4, opponents=(2,), tags=("club:a", "family:b")),
        Entrant(id=2, points=1, opponents=(1,)),
        Entrant(id=3, points=4, tags=("club:a", "family:b")), Entrant(id=4, points=2, byes=1),
    ]  # fmt: skip
    cost = cost_of(entrants, Options(), [Table(9, (1, 3)), Table(2, (4, 2))], ())
    assert (cost.rematches, cost.differences, cost.apart) == (0, 1, 2)
    assert cost_of(entrants, Options(keep_apart=False), [Table(1, (1, 3, 2))],
        (4,)).as_dict() | {"floats": 0} == {
        "rematches": 1, "times_met": 1, "bye_earlier": 1, "bye_points": 2, "differences": 18, "apart": 0,
        "order": 0, "floats": 0, "imbalance": 0, "side_repeats": 0,
    }  # fmt: skip


@with_rows("sizes", [(1, 2, 2), (3, 2, 4), (2, 5, 4)])
def test_sizes_are_a_range(sizes):
    """Fewest, preferred and most must be in order, from two up."""
    with pytest.raises(TourneyError, match="the preferred size must be between the two"):
        Sizes(*sizes)


def test_findings_have_numbers_for_programs():
    """The actual and the allowed value are separate from the message."""
    (finding, *_) = check_by_hand(FOUR, Options(), tables((1, 2, 3)), (4,))
    assert (finding.severity, finding.subjects, finding.have, finding.allowed) == (
        Severity.ERROR, ("#1", "#2", "#3"), "3", "2",
    )  # fmt: skip
