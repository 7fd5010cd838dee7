"""Recorded rounds of every system: faults found, claims proved, and open questions."""

import json
import random
from itertools import combinations

import msgspec
import pytest

from tests.desk.kit import new_desk
from tests.desk.test_verifying import forge
from tests.pairing.proofs import PROVED, WRONG, checked
from tourney.desk import judge, proof_of, verify
from tourney.document import to_plain
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
    """Return the proof of a round as a reader of the JSON gets it."""
    return json.loads(json.dumps(to_plain(proof_of(desk, judge(desk, number)))))


def rules(judged, severity=Severity.ERROR):
    return {finding.rule for finding in judged.findings if finding.severity is severity}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_programs_own_rounds_have_no_faults(tmp_path, system):
    """In every system, with the tables that follow from seed and entries."""
    with new_desk(tmp_path, *NAMES[: 6 if system == "pods" else 7], **SYSTEMS[system]) as desk:
        played(desk, 2)
        for number in (1, 2):
            judged = judge(desk, number)
            assert judged.legal
            assert judged.is_verified
            assert judged.proved("legal") is True
            assert judged.proved("tables") is True
            assert not [claim for claim in judged.claims if claim.proved is False]
        assert [round_.legal for round_ in verify(desk).rounds] == [True, True]


def test_a_cut_agrees_with_its_bracket(tmp_path):
    """The bracket has single or double elimination, and a player who left."""
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
    """Return round 2 of an event whose pairing was changed, with a recalculated chain."""
    with new_desk(folder, *NAMES[: 6 if system == "pods" else 7], **SYSTEMS[system]) as desk:
        played(desk, 2)
        entry = desk.state.rounds[1].paired.entry

    def changed(seq, op):
        if seq > entry and isinstance(op, ops.ResultReported):
            return replace(op, results={})
        return change(op) if seq == entry else op

    return forge(folder, changed)


def crossed(op):
    """Exchange the second seats of the first two tables."""
    first, second, *rest = op.tables
    one, other = list(first.seats), list(second.seats)
    one[1], other[1] = other[1], one[1]
    return replace(op, tables=(Table(first.number, tuple(one)), Table(second.number, tuple(other)), *rest))


@pytest.mark.parametrize("system", SYSTEMS)
def test_tables_that_no_engine_made_are_found(tmp_path, system):
    """Two players are exchanged in the recorded pairing."""
    with forged(tmp_path, system, crossed) as desk:
        judged = judge(desk, 2)
        assert judged.proved("tables") is False
        if system in {"round-robin", "double", "dutch", "elimination"}:
            assert not judged.legal
        assert judged.question.round.origin == "engine"


@pytest.mark.parametrize("system", ["round-robin", "double", "dutch"])
def test_wishes_that_a_system_ignores_are_no_fault(tmp_path, system):
    """A fixed table is a warning, and the engine's round is legal."""
    with new_desk(tmp_path, *NAMES[:6], **SYSTEMS[system]) as desk:
        for number, name in enumerate(NAMES[:6]):
            receipt = desk.change_player(name, table=number + 4)
            assert "numbers its tables itself" in receipt.warnings[0]
        played(desk, 2)
        desk.add_player("Zoe", table=3)
        for number in (1, 2):
            judged = judge(desk, number)
            assert judged.legal
            assert rules(judged, Severity.ADVICE) >= {"fixed-table"}
            assert checked(proof(desk, number))[0] != WRONG
        assert not [finding for finding in verify(desk).findings if finding.severity is Severity.ERROR]
        assert [round_.legal for round_ in verify(desk).rounds] == [True, True]


@pytest.mark.parametrize("system", ["swiss", "pods"])
def test_a_table_moved_by_hand_is_legal_despite_a_fixed_one(tmp_path, system):
    """It is advice, and the certificate's checker accepts it."""
    with new_desk(tmp_path, *NAMES[:6], **SYSTEMS[system]) as desk:
        desk.change_player("Ada", table=7)
        desk.pair_round()
        assert desk.state.round.table_of(1).number == 7
        desk.move(7, 9, reason="the lamp is out")
        judged = judge(desk, 1)
        assert judged.legal
        assert "fixed-table" in rules(judged, Severity.ADVICE)
        assert verify(desk).rounds[0].legal is True
        code, output = checked(proof(desk, 1))
        assert code != WRONG, output
        assert "fixed tables" not in output


def test_an_engine_that_misses_a_fixed_table_is_at_fault(tmp_path):
    """The certificate's checker finds it, too."""
    with new_desk(tmp_path, *NAMES[:6]) as desk:
        desk.change_player("Ada", table=7)
        desk.pair_round()

    def moved(seq, op):
        if not isinstance(op, ops.RoundPaired):
            return op
        return replace(op, tables=tuple(replace(table, number=table.number + 1) for table in op.tables))

    with forge(tmp_path, moved) as desk:
        judged = judge(desk, 1)
        assert rules(judged) >= {"fixed-table"}
        assert checked(proof(desk, 1))[0] == WRONG


def test_wishes_before_a_round_robin_are_no_fault(tmp_path):
    """They were entered in a Swiss event; the schedule ignores them, with a note."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        desk.forbid("Ada", "Ben")
        desk.force("Cleo", "Dan")
        desk.change(system="round-robin")
        played(desk, 3)
        assert [round_.legal for round_ in verify(desk).rounds] == [True, True, True]
        assert {"forbidden"} <= {finding.rule for n in (1, 2, 3) for finding in judge(desk, n).findings}
        for number in (1, 2, 3):
            code, output = checked(proof(desk, number))
            assert code == PROVED, output


@pytest.mark.parametrize("settings", [{"system": "round-robin"}, {"system": "elimination"}, {}])
def test_wishes_without_any_effect_are_refused(tmp_path, settings):
    """In a round robin and in a bracket."""
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


def test_a_missing_player_is_found(tmp_path):
    """In every system."""
    for system in SYSTEMS:
        (tmp_path / system).mkdir()
        with forged(tmp_path / system, system, lambda op: replace(op, tables=op.tables[1:])) as desk:
            ruleset = rules(judge(desk, 2))
            assert ruleset & {"not-seated", "schedule", "bracket"}, (system, ruleset)


def test_a_false_rest_is_found(tmp_path):
    """In a round robin, players cannot be left out by calling it a rest."""

    def sent_home(op):
        gone = op.tables[0].seats
        byes = (*op.byes, *(NoTable(player, "absent") for player in gone))
        return replace(op, tables=op.tables[1:], byes=byes)

    with forged(tmp_path, "round-robin", sent_home) as desk:
        judged = judge(desk, 2)
        assert "schedule" in rules(judged)
        assert any("meet by the schedule but have no table" in finding.message for finding in judged.findings)


def test_a_round_by_hand_is_checked(tmp_path):
    """Avoidable rematches are found at tables of two and three, unavoidable ones explained."""
    two, three = tmp_path / "two", tmp_path / "three"
    two.mkdir()
    three.mkdir()
    with new_desk(two, "Ada", "Ben", "Cleo", "Dan") as desk:
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        report(desk, random.Random(1))
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        judged = judge(desk)
        assert "rematch" in rules(judged)
        assert judged.question.round.origin == "hand"
    with new_desk(three, *NAMES[:6], format_name="redline/scramble") as desk:
        desk.pair_round(by_hand="Ada - Ben - Cleo\nDan - Eve - Fay")
        assert judge(desk).findings == ()
        report(desk, random.Random(1))
        desk.pair_round(by_hand="Ada - Ben - Cleo\nDan - Eve - Fay")
        judged = judge(desk)
        assert "rematch" in rules(judged)
        assert any(
            "a round with only 2 rematches is possible" in finding.message for finding in judged.findings
        )


def test_a_bye_given_by_the_organizer_is_no_fault(tmp_path):
    """During the round, the player is then not in the field."""
    with new_desk(tmp_path, *NAMES[:5]) as desk:
        desk.pair_round()
        odd = next(iter(desk.state.round.byes))
        desk.bye(next(player for player in desk.state.players if player != odd), "half-bye")
        assert rules(judge(desk)) == set()
        assert judge(desk).proved("tables") in {None, True}


def test_an_edit_of_a_schedule_is_advice(tmp_path):
    """The organizer may deviate from the schedule."""
    with new_desk(tmp_path, *NAMES[:6], system="round-robin") as desk:
        desk.pair_round()
        one, other = (table.seats[1] for table in list(desk.state.round.tables.values())[:2])
        desk.swap(one, other)
        judged = judge(desk)
        assert judged.legal
        assert rules(judged, Severity.ADVICE) == {"schedule"}
        assert judged.proved("tables") is None


def test_a_dutch_round_without_its_engine_stays_open(tmp_path, monkeypatch):
    """The absolute rules are checked, but not whether the tables are the engine's."""

    def missing(_question):
        raise TourneyError("the Dutch system needs the extra `fide`, which is not installed")

    with new_desk(tmp_path, *NAMES, system="dutch") as desk:
        played(desk, 2)
        monkeypatch.setattr(fide, "dutch_pairs", missing)
        judged = judge(desk, 2)
        assert judged.legal
        assert not judged.is_verified
        assert judged.proved("tables") is None


def test_a_dutch_rematch_is_found_without_the_engine(tmp_path, monkeypatch):
    """Round 1 is entered again as round 2."""

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


def test_another_version_of_the_dutch_engine_decides_nothing(tmp_path):
    """Tables that differ from those of the installed version are not called wrong."""
    with forged(
        tmp_path, "dutch", lambda op: replace(crossed(op), engine="FIDE Dutch 2026 (gacrux 0.1)")
    ) as desk:
        judged = judge(desk, 2)
        assert judged.proved("tables") is None
        assert not judged.is_verified
        assert "paired by FIDE Dutch 2026 (gacrux 0.1)" in " ".join(claim.text for claim in judged.claims)


def test_small_swiss_rounds_by_hand_are_judged_as_brute_force_does(tmp_path):
    """A pairing of six players is optimal exactly if no other pairing costs less."""
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
        left = [line for line in rest if line != other]
        for more in pairings(left):
            yield ((first, other), *more)


def test_claims_of_pods_are_true(tmp_path):
    """A least value is the least of all splits into two tables of three."""
    with new_desk(tmp_path, *NAMES[:6], format_name="redline/scramble") as desk:
        played(desk, 2)
        desk.pair_round()
        judged = judge(desk)
        entrants = {entrant.id: entrant for entrant in judged.question.field.entrants}
        least = min(rematches(entrants, half) for half in combinations(sorted(entrants), 3))
        assert judged.proved("rematches") is True
        assert judged.cost.rematches == least


def rematches(entrants, half):
    tables = (half, tuple(entrant for entrant in entrants if entrant not in half))
    return sum(b in entrants[a].opponents for table in tables for a, b in combinations(table, 2))
