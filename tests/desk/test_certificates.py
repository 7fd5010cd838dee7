"""What `round prove --json` prints for every system is what `scripts/check-certificate` proves."""

import copy
import random

import pytest

from tests.desk.kit import new_desk
from tests.desk.test_recorded_round import NAMES, SYSTEMS, crossed, forged, played, proof, report
from tests.pairing.proofs import PART, PROVED, WRONG, checked
from tourney.desk import judge
from tourney.pairing.pairing import upper_levels


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_programs_own_rounds_are_proved(tmp_path, system):
    """Every system; of the Dutch one only what needs no engine. The proof names entry and digest of the event."""
    with new_desk(tmp_path, *NAMES[: 6 if system == "pods" else 7], **SYSTEMS[system]) as desk:
        played(desk, 2)
        for number in (1, 2):
            told = proof(desk, number)
            code, said = checked(told)
            assert code == (PART if system == "dutch" else PROVED), said
            assert told["event"]["digest"] == desk.state.digest
            paired = desk.state.rounds[number - 1].paired
            assert told["event"]["round_entry"] == paired.entry
            assert told["event"]["round_digest"] == desk.at(paired.entry).digest
            assert f"paired by entry {paired.entry} " in said[0]


@pytest.mark.parametrize("system", SYSTEMS)
def test_forged_rounds_are_never_proved(tmp_path, system):
    """Players changed over in the recorded pairing: whatever is printed for it, the script does not call it proved."""
    with forged(tmp_path, system, crossed) as desk:
        judged = judge(desk, 2)
        told = proof(desk, 2)
        lying = copy.deepcopy(told)
        for claim in lying["claims"]:
            claim["proved"] = True
        best = judged.cost is not None and upper_levels(judged.cost) == upper_levels(judged.best.cost)
        for each in (told, lying):
            code, said = checked(each)
            assert code != PROVED or best, said
        assert checked(told)[0] != PROVED or judged.proved() is not False


def test_rounds_of_a_cut_are_proved_as_far_as_can_be(tmp_path):
    """A plain single bracket is proved whole; of a double one the shape stays open. A false winner is found."""
    for kind, expected in (("single", PROVED), ("double", PART)):
        (tmp_path / kind).mkdir()
        with new_desk(tmp_path / kind, *NAMES) as desk:
            played(desk, 2)
            desk.cut(4, kind=kind)
            played(desk, 2)
            told = proof(desk, 4)
            assert checked(told)[0] == expected, checked(told)[1]
            done = next(
                match
                for stage in told["certificate"]["stages"]
                for match in stage["matches"]
                if match["done"]
            )
            loser = next(player for player in done["seats"] if player != done["winner"])
            done["winner"] = loser
            assert checked(told)[0] == WRONG


def test_a_round_by_hand_that_is_not_the_best_is_only_part(tmp_path):
    """The proof shows the better round, proved; nobody may call the other one the best."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dan") as desk:
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        report(desk, random.Random(1))
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        told = proof(desk)
        code, said = checked(told)
        assert code == PART
        assert "verified: a better round is shown: rematches 0 instead of 2" in said
        assert "verified: and that one is the best there is on levels 1 to 3" in said
        for claim in told["claims"]:
            claim["proved"] = True
        assert checked(told)[0] == WRONG
        told["best"]["tables"][0].reverse()
        told["best"]["tables"][0][0] = told["best"]["tables"][1][0]
        assert checked(told)[0] == WRONG


def test_a_bracket_looks_at_no_wish_of_the_rounds_before(tmp_path):
    """Who was kept apart for the Swiss rounds meets in the cut by seed, and that is what the proof is held against."""
    with new_desk(tmp_path, *NAMES[:4], rounds=1) as desk:
        desk.forbid("Ada", "Ben")
        desk.forbid("Cleo", "Dan")
        desk.change_player("Ada", table=7)
        played(desk, 1)
        desk.cut(4)
        played(desk, 2)
        for number in (2, 3):
            code, said = checked(proof(desk, number))
            assert code == PROVED, said
            assert judge(desk, number).legal
        assert desk.state.cut is not None


def test_who_comes_late_into_a_round_robin_is_no_gap_in_its_proof(tmp_path):
    """They have no opponents; the schedule of the others is proved as it was."""
    with new_desk(tmp_path, *NAMES[:4], system="round-robin") as desk:
        played(desk, 1)
        desk.add_player("Zoe")
        played(desk, 1)
        code, said = checked(proof(desk))
        assert code == PROVED, said


PODS = {"system": "pods", "seats": [4, 3, 5], "rounds": 3}


def test_tables_of_another_size_than_the_preferred_one_are_not_the_best(tmp_path):
    """Four tables of three where three of four can be: the judge says so, and the proof is none of the best round."""
    with new_desk(tmp_path, *(f"P{n:02}" for n in range(12)), **PODS) as desk:
        desk.pair_round()
        told = proof(desk)
        code, said = checked(told)
        assert code == PROVED
        assert "verified: no tables are nearer to the preferred 4 players, nor as near and smaller" in said
        seats = [each["player"] for each in told["players"]]
        tables = [{"number": n + 1, "seats": seats[3 * n : 3 * n + 3], "label": ""} for n in range(4)]
        cost = {**told["cost"], "imbalance": 12}
        code, said = checked({**told, "tables": tables, "cost": cost})
        assert code == WRONG
        assert said[-1] == "WRONG: tables nearer to 4 players would seat as many"
        desk.cancel_round()
        desk.pair_round(by_hand="\n".join(" - ".join(f"P{3 * n + k:02}" for k in range(3)) for n in range(4)))
        judged = judge(desk)
        assert judged.legal
        assert judged.optimal is False
        assert judged.fine == "legal"
        [advice] = judged.findings
        assert advice.message == "4 tables of 3; 3 tables of 4 would be nearer to the 4 that are preferred"
        [claim] = [each for each in judged.claims if each.what == "sizes"]
        assert claim.proved is False
        assert "-" not in " ".join(each.text for each in judged.claims)
        code, said = checked(proof(desk))
        assert code == PART, said
        assert said[-1].endswith("tables nearer to 4 players would seat as many")


def test_byes_of_pods_are_judged_and_proved_alike(tmp_path):
    """One bye more than there need be, by hand: legal, not the best, and the certificate says the same."""
    with new_desk(tmp_path, *NAMES[:5], system="pods", seats=[4, 3, 2]) as desk:
        desk.pair_round(by_hand="Ada - Ben - Cleo - Dan\nEve bye")
        judged = judge(desk)
        assert judged.legal
        assert judged.optimal is False
        code, said = checked(proof(desk))
        assert code == PART, said
        assert (
            said[-1]
            == "not proved here: that the round is the best there is: 1 players have a bye, but 0 would be enough"
        )
        lying = proof(desk)
        for claim in lying["claims"]:
            claim["proved"] = True
        assert checked(lying)[0] == WRONG


def test_a_round_in_which_everybody_was_set_leaves_nothing_to_pair(tmp_path):
    """The organizer fixed every table: the certificate bounds an empty field, and is read as any other."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        desk.force("Ada", "Ben")
        desk.force("Cleo", "Dan")
        desk.pair_round()
        code, said = checked(proof(desk))
        assert code == PROVED, said
