"""A round of whatever system held against its rules: what is found, what is proved, what stays open."""

import json
import random
from itertools import combinations

import msgspec
import pytest

from tests.desk.kit import new_desk
from tests.desk.test_verifying import forge
from tests.pairing.proofs import PROVED, WRONG, checked
from tourney.desk import judge, proof_of, verify
from tourney.document import plain_value
from tourney.errors import Severity, TourneyError
from tourney.event import ops
from tourney.event.ops import NoTable
from tourney.record import Table
from tourney.store import fide

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus")
replace = msgspec.structs.replace

SYSTEMS = {
    "swiss": {},
    "rank": {"rounds": 2, "last_round": "rank"},
    "pods": {"format_name": "redline/scramble"},
    "round-robin": {"system": "round-robin"},
    "double": {"system": "round-robin", "double": True},
    "dutch": {"system": "dutch"},
    "elimination": {"system": "elimination"},
}


def report(desk, dice):
    """Enter random results at all tables of the round."""
    lines = []
    for number, table in desk.state.round.tables.items():
        places = dice.sample(range(1, len(table.seats) + 1), len(table.seats))
        lines.append(f"{number} {','.join(map(str, places)) if len(places) > 2 else dice.choice(['w', 'l'])}")
    desk.report_block(lines)


def played(desk, rounds, seed="judged"):
    dice = random.Random(seed)
    for _ in range(rounds):
        desk.pair_round()
        report(desk, dice)


def proof(desk, number=None):
    """The proof of a round as a reader of the JSON has it."""
    told = {"schema": "tourney.proof/1", **proof_of(desk, judge(desk, number))}
    return json.loads(json.dumps(msgspec.to_builtins(told, enc_hook=plain_value)))


def rules(judged, severity=Severity.ERROR):
    return {each.rule for each in judged.findings if each.severity is severity}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_programs_own_rounds_are_found_in_order(tmp_path, system):
    """Every system: no rule is broken, the tables follow from what they should, and nothing is found to be otherwise."""
    with new_desk(tmp_path, *NAMES[: 6 if system == "pods" else 7], **SYSTEMS[system]) as desk:
        played(desk, 2)
        for number in (1, 2):
            judged = judge(desk, number)
            assert judged.legal
            assert judged.settled
            assert judged.proved("legal") is True
            assert judged.proved("tables") is True
            assert not [each for each in judged.claims if each.proved is False]
        assert [each.legal for each in verify(desk).rounds] == [True, True]


def test_a_cut_is_held_against_its_bracket(tmp_path):
    """Single and double, with somebody who left: every round of the cut follows from the seeds and the results."""
    for kind in ("single", "double"):
        folder = tmp_path / kind
        folder.mkdir()
        with new_desk(folder, *NAMES) as desk:
            played(desk, 2)
            desk.cut(4, kind=kind)
            played(desk, 1)
            desk.drop("Ada")
            played(desk, 1)
            for number in (3, 4):
                judged = judge(desk, number)
                assert judged.legal
                assert judged.proved("tables") is True


def forged(folder, system, change):
    """Return what is judged of round 2 of an event whose second pairing was changed, the chain made to fit."""
    with new_desk(folder, *NAMES[: 6 if system == "pods" else 7], **SYSTEMS[system]) as desk:
        played(desk, 2)
        entry = desk.state.rounds[1].paired.entry

    def changed(seq, op):
        if seq > entry and isinstance(op, ops.ResultReported):
            return replace(op, results={})
        return change(op) if seq == entry else op

    return forge(folder, changed)


def crossed(op):
    """Change the second seats of the first two tables over."""
    first, second, *rest = op.tables
    one, other = list(first.seats), list(second.seats)
    one[1], other[1] = other[1], one[1]
    return replace(op, tables=(Table(first.number, tuple(one)), Table(second.number, tuple(other)), *rest))


@pytest.mark.parametrize("system", SYSTEMS)
def test_tables_that_no_engine_made_are_found(tmp_path, system):
    """Two players changed over in the recorded pairing: the tables no longer follow from seed, schedule or bracket."""
    with forged(tmp_path, system, crossed) as desk:
        judged = judge(desk, 2)
        assert judged.proved("tables") is False
        if system in {"round-robin", "double", "dutch", "elimination"}:
            assert not judged.legal
        assert not judged.by_hand


@pytest.mark.parametrize("system", ["round-robin", "double", "dutch"])
def test_a_wish_that_a_system_never_looks_at_is_not_held_against_its_round(tmp_path, system):
    """A fixed table is warned of, and the engine's own round stays legal; the certificate says the same."""
    with new_desk(tmp_path, *NAMES[:6], **SYSTEMS[system]) as desk:
        for number, name in enumerate(NAMES[:6]):
            receipt = desk.change_player(name, table=number + 4)
            assert "numbers its tables by itself" in receipt.warnings[0]
        played(desk, 2)
        desk.add_player("Zoe", table=3)
        for number in (1, 2):
            judged = judge(desk, number)
            assert judged.legal
            assert rules(judged, Severity.ADVICE) >= {"fixed-table"}
            assert checked(proof(desk, number))[0] != WRONG
        assert not [each for each in verify(desk).findings if each.severity is Severity.ERROR]
        assert [each.legal for each in verify(desk).rounds] == [True, True]


@pytest.mark.parametrize("system", ["swiss", "pods"])
def test_a_table_that_is_moved_by_hand_is_legal_wherever_somebody_has_a_fixed_one(tmp_path, system):
    """Told, as advice; the checker, which knows nothing of the program, does not hold it against the round, either."""
    with new_desk(tmp_path, *NAMES[:6], **SYSTEMS[system]) as desk:
        desk.change_player("Ada", table=7)
        desk.pair_round()
        assert desk.state.round.table_of(1).number == 7
        desk.move(7, 9, reason="the lamp is out")
        judged = judge(desk, 1)
        assert judged.legal
        assert "fixed-table" in rules(judged, Severity.ADVICE)
        assert verify(desk).rounds[0].legal is True
        code, said = checked(proof(desk, 1))
        assert code != WRONG, said
        assert "fixed tables" not in said


def test_a_round_of_the_program_that_misses_a_fixed_table_is_not_legal(tmp_path):
    """What is no fault of a hand is one of the engine, and the checker finds it, too."""
    with new_desk(tmp_path, *NAMES[:6]) as desk:
        desk.change_player("Ada", table=7)
        desk.pair_round()

    def moved(seq, op):
        if not isinstance(op, ops.RoundPaired):
            return op
        return replace(op, tables=tuple(replace(each, number=each.number + 1) for each in op.tables))

    with forge(tmp_path, moved) as desk:
        judged = judge(desk, 1)
        assert rules(judged) >= {"fixed-table"}
        assert checked(proof(desk, 1))[0] == WRONG


def test_wishes_that_were_entered_before_the_schedule_are_not_held_against_it(tmp_path):
    """Kept apart and set while the event was a Swiss one: the round robin goes by its schedule, and says so."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        desk.forbid("Ada", "Ben")
        desk.force("Cleo", "Dan")
        desk.change(system="round-robin")
        played(desk, 3)
        assert [each.legal for each in verify(desk).rounds] == [True, True, True]
        assert {"forbidden"} <= {each.rule for n in (1, 2, 3) for each in judge(desk, n).findings}
        for number in (1, 2, 3):
            code, said = checked(proof(desk, number))
            assert code == PROVED, said


@pytest.mark.parametrize("settings", [{"system": "round-robin"}, {"system": "elimination"}, {}])
def test_wishes_that_nothing_could_come_of_are_refused(tmp_path, settings):
    """Where a schedule or a bracket says who meets whom, nobody can be set or kept apart."""
    with new_desk(tmp_path, *NAMES[:4], **settings) as desk:
        if not settings:
            played(desk, 1)
            desk.cut(4)
        before = desk.state.entry
        for act in (
            lambda: desk.forbid("Ada", "Ben"),
            lambda: desk.forbid("Ada", "Ben", hard=False),
            lambda: desk.force("Ada", "Ben"),
            lambda: desk.force("Ada"),
        ):
            with pytest.raises(TourneyError, match=r"in a (bracket|round robin)"):
                act()
        assert desk.refresh().entry == before


def test_a_player_who_is_left_out_is_found(tmp_path):
    """A table that is missing from the recorded pairing, whatever the system."""
    for system in SYSTEMS:
        (tmp_path / system).mkdir()
        with forged(tmp_path / system, system, lambda op: replace(op, tables=op.tables[1:])) as desk:
            found = rules(judge(desk, 2))
            assert found & {"not-seated", "schedule", "bracket"}, (system, found)


def test_a_rest_that_is_none_is_found(tmp_path):
    """In a round robin nobody can be sent home by calling it a rest."""

    def sent_home(op):
        gone = op.tables[0].seats
        byes = (*op.byes, *(NoTable(player, "absent") for player in gone))
        return replace(op, tables=op.tables[1:], byes=byes)

    with forged(tmp_path, "round-robin", sent_home) as desk:
        judged = judge(desk, 2)
        assert "schedule" in rules(judged)
        assert any("meet by the schedule but have no table" in each.message for each in judged.findings)


def test_a_round_by_hand_is_checked_as_one_of_its_event(tmp_path):
    """Avoidable rematches are found at tables of two and of three; what cannot be avoided is said to be so."""
    two, three = tmp_path / "two", tmp_path / "three"
    two.mkdir()
    three.mkdir()
    with new_desk(two, "Ada", "Ben", "Cleo", "Dan") as desk:
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        report(desk, random.Random(1))
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        judged = judge(desk)
        assert "rematch" in rules(judged)
        assert judged.by_hand
    with new_desk(three, *NAMES[:6], format_name="redline/scramble") as desk:
        desk.pair_round(by_hand="Ada - Ben - Cleo\nDan - Eve - Fay")
        assert judge(desk).findings == ()
        report(desk, random.Random(1))
        desk.pair_round(by_hand="Ada - Ben - Cleo\nDan - Eve - Fay")
        judged = judge(desk)
        assert "rematch" in rules(judged)
        assert any("a round with only 2 rematches is possible" in each.message for each in judged.findings)


def test_who_sits_out_by_the_organizers_word_is_not_missed(tmp_path):
    """A half-point bye given while the round plays takes the player out of the field: nothing is wrong with that."""
    with new_desk(tmp_path, *NAMES[:5]) as desk:
        desk.pair_round()
        odd = next(iter(desk.state.round.byes))
        desk.bye(next(each for each in desk.state.players if each != odd), "half-bye")
        assert rules(judge(desk)) == set()
        assert judge(desk).proved("tables") in {None, True}


def test_an_edit_of_a_schedule_is_advice(tmp_path):
    """The organizer may seat otherwise than the schedule: told, but no rule is broken."""
    with new_desk(tmp_path, *NAMES[:6], system="round-robin") as desk:
        desk.pair_round()
        one, other = (table.seats[1] for table in list(desk.state.round.tables.values())[:2])
        desk.swap(one, other)
        judged = judge(desk)
        assert judged.legal
        assert rules(judged, Severity.ADVICE) == {"schedule"}
        assert judged.proved("tables") is None


def test_a_dutch_round_without_its_engine_is_not_settled(tmp_path, monkeypatch):
    """The absolute rules are checked without the extra; whether the tables are the engine's stays open, and is said."""

    def missing(_question):
        raise TourneyError("the Dutch system needs the extra `fide`, which is not installed")

    with new_desk(tmp_path, *NAMES, system="dutch") as desk:
        played(desk, 2)
        monkeypatch.setattr(fide, "dutch_pairs", missing)
        judged = judge(desk, 2)
        assert judged.legal
        assert not judged.settled
        assert judged.proved("tables") is None


def test_a_dutch_rematch_needs_no_engine(tmp_path, monkeypatch):
    """Round 1 entered again as round 2: the absolute criteria are broken, whether the engine can be asked or not."""

    def missing(_question):
        raise TourneyError("the Dutch system needs the extra `fide`, which is not installed")

    with new_desk(tmp_path, *NAMES[:6], system="dutch") as desk:
        played(desk, 1)
        first = desk.state.rounds[0].tables.values()
        tables = tuple(Table(table.number, table.seats) for table in first)
        desk.pair_round()
        entry = desk.state.round.paired.entry
    monkeypatch.setattr(fide, "dutch_pairs", missing)
    with forge(tmp_path, lambda seq, op: replace(op, tables=tables) if seq == entry else op) as desk:
        assert "rematch" in rules(judge(desk, 2))


def test_another_version_of_the_dutch_engine_settles_nothing(tmp_path):
    """Tables that differ under a version that did not sign them are not found to be wrong."""
    with forged(
        tmp_path, "dutch", lambda op: replace(crossed(op), engine="FIDE Dutch 2026 (gacrux 0.1)")
    ) as desk:
        judged = judge(desk, 2)
        assert judged.proved("tables") is None
        assert not judged.settled
        assert "paired by FIDE Dutch 2026 (gacrux 0.1)" in " ".join(each.text for each in judged.claims)


def test_small_swiss_rounds_by_hand_are_judged_as_brute_force_does(tmp_path):
    """Every pairing of six players entered by hand: optimal exactly where no other pairing costs less."""
    with new_desk(tmp_path, *NAMES[:6]) as desk:
        played(desk, 1)
        names = {player.id: player.name for player in desk.state.players.values()}
        rounds = list(pairings(sorted(names)))
        costs = {}
        for tables in rounds:
            desk.pair_round(by_hand="\n".join(f"{names[a]} - {names[b]}" for a, b in tables))
            judged = judge(desk)
            costs[tables] = (judged.cost.rematches, judged.cost.differences, judged.optimal)
            desk.cancel_round()
        best = min(cost[:2] for cost in costs.values())
        assert {cost[2] for cost in costs.values() if cost[:2] == best} <= {True, False}
        assert all(cost[2] is False for cost in costs.values() if cost[:2] > best)
        assert any(cost[2] for cost in costs.values())


def pairings(players):
    if not players:
        yield ()
        return
    first, *rest = players
    for other in rest:
        left = [each for each in rest if each != other]
        for more in pairings(left):
            yield ((first, other), *more)


def test_claims_of_pods_are_honest(tmp_path):
    """What is claimed to be the least is: no split of six into two tables of three has less."""
    with new_desk(tmp_path, *NAMES[:6], format_name="redline/scramble") as desk:
        played(desk, 2)
        desk.pair_round()
        judged = judge(desk)
        entrants = {each.id: each for each in judged.question.field.entrants}
        least = min(rematches(entrants, half) for half in combinations(sorted(entrants), 3))
        assert judged.proved("rematches") is True
        assert judged.cost.rematches == least


def rematches(entrants, half):
    tables = (half, tuple(each for each in entrants if each not in half))
    return sum(b in entrants[a].opponents for table in tables for a, b in combinations(table, 2))
