"""`round prove --json` of every system is accepted by `scripts/check-certificate`."""

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
    """Of the Dutch system, only parts that need no engine are proved, with the event's digest."""
    with new_desk(tmp_path, *NAMES[: 6 if system == "pods" else 7], **SYSTEMS[system]) as desk:
        played(desk, 2)
        for number in (1, 2):
            document = proof(desk, number)
            code, output = checked(document)
            assert code == (PART if system == "dutch" else PROVED), output
            assert document["event"]["digest"] == desk.state.digest
            paired = desk.state.rounds[number - 1].paired
            assert document["event"]["round_entry"] == paired.entry
            assert document["event"]["round_digest"] == desk.at(paired.entry).digest
            assert f"paired by entry {paired.entry} " in output[0]


@pytest.mark.parametrize("system", SYSTEMS)
def test_forged_rounds_are_never_proved(tmp_path, system):
    """Players are exchanged in the recorded pairing; no proof of it is accepted."""
    with forged(tmp_path, system, crossed) as desk:
        judged = judge(desk, 2)
        told = proof(desk, 2)
        lying = copy.deepcopy(told)
        for claim in lying["claims"]:
            claim["proved"] = True
        best = judged.cost is not None and upper_levels(judged.cost) == upper_levels(judged.best.cost)
        for document in (told, lying):
            code, output = checked(document)
            assert code != PROVED or best, output
        assert checked(told)[0] != PROVED or judged.proved() is not False


def test_rounds_of_a_cut_are_proved(tmp_path):
    """A single bracket completely, a double one without its shape. A false winner is found."""
    for kind, expected in (("single", PROVED), ("double", PART)):
        (tmp_path / kind).mkdir()
        with new_desk(tmp_path / kind, *NAMES) as desk:
            played(desk, 2)
            desk.cut(4, kind=kind)
            played(desk, 2)
            document = proof(desk, 4)
            assert checked(document)[0] == expected, checked(document)[1]
            done = next(
                match
                for stage in document["certificate"]["stages"]
                for match in stage["matches"]
                if match["done"]
            )
            loser = next(player for player in done["seats"] if player != done["winner"])
            done["winner"] = loser
            assert checked(document)[0] == WRONG


def test_a_round_by_hand_that_is_not_best_is_partly_proved(tmp_path):
    """The proof contains a better round."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dan") as desk:
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        report(desk, random.Random(1))
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        document = proof(desk)
        code, output = checked(document)
        assert code == PART
        assert "verified: a better round is shown: rematches 0 instead of 2" in output
        assert "verified: and that one is the best there is on levels 1 to 3" in output
        for claim in document["claims"]:
            claim["proved"] = True
        assert checked(document)[0] == WRONG
        document["best"]["tables"][0].reverse()
        document["best"]["tables"][0][0] = document["best"]["tables"][1][0]
        assert checked(document)[0] == WRONG


def test_a_bracket_ignores_wishes_of_earlier_rounds(tmp_path):
    """Players kept apart in Swiss rounds may meet in the cut, and the proof allows it."""
    with new_desk(tmp_path, *NAMES[:4], rounds=1) as desk:
        desk.forbid("Ada", "Ben")
        desk.forbid("Cleo", "Dan")
        desk.change_player("Ada", table=7)
        played(desk, 1)
        desk.cut(4)
        played(desk, 2)
        for number in (2, 3):
            code, output = checked(proof(desk, number))
            assert code == PROVED, output
            assert judge(desk, number).legal
        assert desk.state.cut is not None


def test_a_late_player_in_a_round_robin_does_not_break_the_proof(tmp_path):
    """The player has no opponents, and the schedule is proved as before."""
    with new_desk(tmp_path, *NAMES[:4], system="round-robin") as desk:
        played(desk, 1)
        desk.add_player("Zoe")
        played(desk, 1)
        code, output = checked(proof(desk))
        assert code == PROVED, output


PODS = {"system": "pods", "seats": [4, 3, 5], "rounds": 3}


def test_tables_of_another_size_than_preferred_are_not_best(tmp_path):
    """Four tables of three, although three of four are possible."""
    with new_desk(tmp_path, *(f"P{n:02}" for n in range(12)), **PODS) as desk:
        desk.pair_round()
        document = proof(desk)
        code, output = checked(document)
        assert code == PROVED
        assert "verified: no tables are nearer to the preferred 4 players, nor as near and smaller" in output
        seats = [player["player"] for player in document["players"]]
        tables = [{"number": n + 1, "seats": seats[3 * n : 3 * n + 3], "label": ""} for n in range(4)]
        cost = {**document["cost"], "imbalance": 12}
        code, output = checked({**document, "tables": tables, "cost": cost})
        assert code == WRONG
        assert output[-1] == "WRONG: tables nearer to 4 players would seat as many"
        desk.cancel_round()
        desk.pair_round(by_hand="\n".join(" - ".join(f"P{3 * n + k:02}" for k in range(3)) for n in range(4)))
        judged = judge(desk)
        assert judged.legal
        assert judged.optimal is False
        assert judged.fine == "legal"
        [advice] = judged.findings
        assert advice.message == "4 tables of 3; 3 tables of 4 would be nearer to the preferred 4"
        [claim] = [claim for claim in judged.claims if claim.what == "sizes"]
        assert claim.proved is False
        assert "-" not in " ".join(claim.text for claim in judged.claims)
        code, output = checked(proof(desk))
        assert code == PART, output
        assert output[-1].endswith("tables nearer to 4 players would seat as many")


def test_byes_of_pods_are_judged_and_proved_alike(tmp_path):
    """One avoidable bye by hand: legal but not best, also by the certificate."""
    with new_desk(tmp_path, *NAMES[:5], system="pods", seats=[4, 3, 2]) as desk:
        desk.pair_round(by_hand="Ada - Ben - Cleo - Dan\nEve bye")
        judged = judge(desk)
        assert judged.legal
        assert judged.optimal is False
        code, output = checked(proof(desk))
        assert code == PART, output
        assert (
            output[-1] == "not proved here: that the round is the best there is: 1 players have a "
            "bye, but 0 would be enough"
        )
        lying = proof(desk)
        for claim in lying["claims"]:
            claim["proved"] = True
        assert checked(lying)[0] == WRONG


def test_a_round_set_by_the_organizer_has_a_certificate(tmp_path):
    """All tables are fixed, so the certificate is for an empty field."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        desk.force("Ada", "Ben")
        desk.force("Cleo", "Dan")
        desk.pair_round()
        code, output = checked(proof(desk))
        assert code == PROVED, output
