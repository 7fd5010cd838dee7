"""What `round prove --json` prints for every system is what `scripts/check-certificate` proves."""

import copy
import json
import random

import msgspec
import pytest

from tests.desk.kit import new_desk
from tests.desk.test_judging import NAMES, SYSTEMS, crossed, forged, played, report
from tests.pairing.proofs import PART, PROVED, WRONG, checked
from tourney.desk.certificates import proof_of
from tourney.desk.judging import judge
from tourney.pairing.pairing import upper_levels


def proof(desk, number=None):
    """The proof of a round as a reader of the JSON has it."""
    told = {"schema": "tourney.proof/1", **proof_of(desk, judge(desk, number))}
    return json.loads(json.dumps(msgspec.to_builtins(told)))


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
