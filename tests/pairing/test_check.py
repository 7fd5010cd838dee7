"""Check a given round: every fault has its finding, and a round without fault has none."""

import random
from itertools import combinations

from msgspec.structs import replace

from tests.kit import with_rows
from tests.pairing.claims import World
from tests.pairing.fields import dressed, history, options_for
from tests.pairing.judge import as_levels, levels, obeys, rounds
from tourney.errors import Severity, TourneyError
from tourney.pairing import Entrant, Options, check, pair, verify
from tourney.record import Table


def players(*points, **more):
    return [Entrant(id=number, points=2 * score, **more) for number, score in enumerate(points, 1)]


def tables(*seats):
    return [Table(number, pair_) for number, pair_ in enumerate(seats, 1)]


def findings_of(entrants, options, round_tables, bye=None, **more):
    return [
        (finding.rule, finding.severity.value, finding.message)
        for finding in check(entrants, options, round_tables, bye, **more)
    ]


FOUR = players(1, 1, 0, 0)
CASES = [
    # entrants, options, tables, bye, findings
    (FOUR, Options(), tables((1, 2), (3, 4)), None, []),
    (
        FOUR,
        Options(),
        tables((1, 2), (3, 1)),
        None,
        [
            ("seated-twice", "error", "#1 is seated 2 times: table 1 and table 2"),
            ("not-seated", "error", "#4 has neither a table nor a bye"),
        ],
    ),
    (
        FOUR,
        Options(),
        tables((1, 2), (3, 4), (9, 8)),
        None,
        [
            ("not-in-round", "error", "#9 dropped after round 2, but has table 3"),
            ("not-in-round", "error", "#8 is not in this event, but has table 3"),
        ],
    ),
    (
        FOUR,
        Options(),
        [Table(1, (1, 2, 3, 4))],
        None,
        [("table-size", "error", "table 1 seats 4; a table of this event seats 2")],
    ),
    (
        FOUR,
        Options(),
        [Table(7, (1, 2)), Table(7, (3, 4))],
        None,
        [("table-number", "error", "table number 7 is used 2 times")],
    ),
    (
        FOUR,
        Options(),
        [Table(0, (1, 2)), Table(1, (3, 4))],
        None,
        [("table-number", "error", "there is no table 0: tables are numbered from 1")],
    ),
    (
        FOUR,
        Options(forbidden=frozenset({(4, 3)})),
        tables((1, 2), (3, 4)),
        None,
        [("forbidden", "error", "#4 – #3 are kept apart by the organizer, but share a table")],
    ),
    (
        FOUR,
        Options(forced=((1, 3),)),
        tables((1, 2), (3, 4)),
        None,
        [("forced", "error", "#1 – #3 must meet, as the organizer decided")],
    ),
    (
        FOUR,
        Options(),
        tables((1, 3), (2, 4)),
        None,
        [
            ("cost", "advice", "not the best round: it has 2 tables 1 point apart instead of none"),
            ("float", "advice", "2 tables pair 1 point or more with 0 or fewer; 0 would be enough"),
        ],
    ),
    (
        [*players(0, 0, 0, tags=("club:Ravens",)), Entrant(id=4)],
        Options(),
        tables((1, 2), (3, 4)),
        None,
        [],
    ),
    (
        [
            Entrant(id=1, tags=("club:Ravens",)),
            Entrant(id=2, tags=("club:Ravens",)),
            Entrant(id=3),
            Entrant(id=4),
        ],
        Options(),
        tables((1, 2), (3, 4)),
        None,
        [
            (
                "cost",
                "advice",
                "not the best round: it has 1 broken wish to keep players apart instead of none",
            )
        ],
    ),
    (
        [Entrant(id=1, opponents=(2,)), Entrant(id=2, opponents=(1,)), Entrant(id=3), Entrant(id=4)],
        Options(),
        tables((1, 2), (3, 4)),
        None,
        [("rematch", "error", "#1–#2 have met once before; a round without a rematch is possible")],
    ),
    (
        [Entrant(id=1, opponents=(2, 2)), Entrant(id=2, opponents=(1, 1))],
        Options(),
        tables((1, 2)),
        None,
        [("rematch", "advice", "#1–#2 have met twice before; 1 rematch cannot be avoided in this field")],
    ),
    (
        [Entrant(id=1, byes=1), Entrant(id=2), Entrant(id=3)],
        Options(),
        tables((2, 3)),
        1,
        [
            (
                "second-bye",
                "error",
                "#1 has had a bye already and gets another; a player with no bye can take the bye",
            )
        ],
    ),
    (
        players(1, 0, 0),
        Options(),
        tables((2, 3)),
        1,
        [("bye", "advice", "#1 has the bye on 1 point; a player on 0 points can take the bye")],
    ),
    (
        players(0, 0, 0),
        Options(forced_bye=2),
        tables((2, 3)),
        1,
        [("forced", "error", "#2 must have the bye, as the organizer decided")],
    ),
    (
        players(0, 0, 0),
        Options(no_bye=frozenset({1})),
        tables((2, 3)),
        1,
        [("forbidden", "error", "#1 must not have the bye, as the organizer decided")],
    ),
    (
        [Entrant(id=1, fixed_table=4), Entrant(id=2), Entrant(id=3), Entrant(id=4)],
        Options(),
        tables((1, 2), (3, 4)),
        None,
        [("fixed-table", "error", "#1 has the fixed table 4, but sits at table 1")],
    ),
    (
        [Entrant(id=1, fixed_table=1), Entrant(id=2, fixed_table=5)],
        Options(),
        tables((1, 2)),
        None,
        [
            (
                "fixed-table",
                "advice",
                "#2 has the fixed table 5, but sits at table 1, the opponent's fixed table",
            )
        ],
    ),
]


@with_rows(("entrants", "options", "round_tables", "bye", "expected"), CASES)
def test_each_fault_has_its_finding(entrants, options, round_tables, bye, expected):
    """One cause gives one finding."""
    assert findings_of(entrants, options, round_tables, bye, absent={9: "dropped after round 2"}) == expected


def test_messages_contain_the_callers_names():
    """The caller decides how players are named."""
    names = {1: "Mira", 2: "Tomo"}
    round_tables = tables((1, 2))
    findings = check([Entrant(id=1)], Options(), round_tables, None, name=names.__getitem__)
    assert findings[0].message == "Tomo is not in this event, but has table 1"
    assert findings[0].subjects == ("Tomo",)


def test_a_round_of_an_impossible_field_is_checked():
    """Pairs of the organizer that leave no possible round are one more finding."""
    findings = findings_of(players(0, 0), Options(forbidden=frozenset({(1, 2)})), tables((1, 2)))
    assert [item[0] for item in findings] == ["forbidden", "possible"]


def field(number):
    dice = random.Random(f"check {number}")
    entrants = dressed(dice, history(dice, dice.randint(2, 7), dice.randint(0, 5), wild=0.5))
    return entrants, options_for(dice, entrants), dice


def test_check_agrees_with_brute_force():
    """No finding if the round is one of the best; errors only if it is not legal."""
    clean = 0
    for number in range(150):
        entrants, options, dice = field(number)
        try:
            best = as_levels(pair(entrants, options, "s").cost)
        except TourneyError:
            continue
        every = list(rounds(sorted(entrant.id for entrant in entrants)))
        for pairs, bye in dice.sample(every, min(6, len(every))):
            findings = check(entrants, options, tables(*pairs), bye)
            cost = levels(entrants, options, pairs, bye)
            errors = {finding.rule for finding in findings if finding.severity is Severity.ERROR}
            legal = obeys(options, pairs, bye) and cost[0] <= best[0] and cost[2] <= best[2]
            assert (not errors) == legal, number
            if legal and bye not in options.no_bye:
                advice = {finding.rule for finding in findings} - {"rematch"}
                assert (not advice) == (cost == best), number
                clean += not advice
            verdict = verify(entrants, options, tables(*pairs), bye, "s")
            assert verdict.optimal == (legal and cost == best)
            assert as_levels(verdict.cost) == cost
    assert clean > 20


def test_the_engines_round_passes_its_own_check():
    """It is legal, optimal and the seed's; under another seed, legal and optimal."""
    for number in range(80):
        entrants, options, _ = field(number)
        try:
            made = pair(entrants, options, "s")
        except TourneyError:
            continue
        errors = [
            finding
            for finding in check(entrants, options, made.tables, made.bye)
            if finding.severity is Severity.ERROR
        ]
        assert errors == []
        verdict = verify(entrants, options, made.tables, made.bye, "s")
        assert (verdict.legal, verdict.optimal, verdict.same) == (True, True, True)
        other = verify(entrants, options, made.tables, made.bye, "another")
        assert (other.legal, other.optimal) == (True, True)


def test_verify_distinguishes_a_round_of_equal_cost_from_the_seeds():
    """Legal and optimal, but not the same."""
    entrants = players(0, 0, 0, 0)
    made = {frozenset(table.seats) for table in pair(entrants, Options(), "s").tables}
    other = next(
        [first, second]
        for first in combinations(range(1, 5), 2)
        if {frozenset(first)} != made & {frozenset(first)}
        for second in [tuple(set(range(1, 5)) - set(first))]
    )
    verdict = verify(entrants, Options(), tables(*other), None, "s")
    assert (verdict.legal, verdict.optimal, verdict.same) == (True, True, False)


def test_verify_of_a_broken_round_has_no_cost():
    """A round that seats a player twice is not legal, optimal or the same."""
    verdict = verify(players(0, 0), Options(), tables((1, 1)), None, "s")
    assert (verdict.legal, verdict.optimal, verdict.same, verdict.cost) == (False, False, False, None)


@with_rows("seed", range(60))
def test_the_cost_finding_is_true(seed):
    """Any round of a small field: the sentence is checked against every other round."""
    dice = random.Random(f"cost {seed}")
    entrants = dressed(dice, history(dice, dice.randint(4, 7), dice.randint(1, 4), wild=0.6), drops=0)
    options = replace(options_for(dice, entrants, nasty=False), forced=(), forced_bye=None)
    world = World(entrants, options, ({}, None, ()))
    for cost, pairs, bye in dice.sample(world.rounds, min(6, len(world.rounds))):
        seats = [tuple(sorted(pair)) for pair in pairs]
        messages = [
            finding.message
            for finding in check(entrants, options, tables(*seats), bye)
            if finding.rule == "cost"
        ]
        best = min(round_[0] for round_ in world.rounds)
        above = cost[:4] != best[:4]  # what is dearer above the points has findings of its own
        assert len(messages) == (cost[4] > best[4] if above else cost > best)
        if messages and not above:
            clause = messages[0].removeprefix("not the best round: it has ")
            assert world.then(clause, world.rounds, [(cost, pairs, bye)]), messages[0]
