"""A new entry kind, setting or pairing system is a local change, tried in a copy.

The invented kind of entry is a coin toss, the setting a dress code, the pairing system the order of
registration.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.kit import ROOT

OP = '''
class CoinTossed(Op, frozen=True, tag="coin.tossed"):
    """A coin was tossed before a player's match."""

    player: PlayerId
    heads: bool


AnyOp = (
    CoinTossed | EventCreated'''

NOUN = """
def _apply_toss(draft: StateDraft, op: ops.CoinTossed, at: Entered, _texts: Texts) -> None:
    draft.audits[at.entry] = ops.AuditRecorded(player=op.player, round=0, clean=op.heads)


def _describe_toss(op: ops.CoinTossed, context: EventReading) -> str:
    return f"{context.name(op.player)} tossed {'heads' if op.heads else 'tails'}"


KINDS = (
    EntryKind(
        ops.CoinTossed, _apply_toss, _describe_toss,
        needs="player {player}",
    ),"""

USE = """
import json, sys, tempfile
import msgspec
from pathlib import Path
from tests.desk.kit import new_desk
from tests.event.pad import Pad
from tests.event.test_versions import folded, golden_rows
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.fold import MisfitError, sentence, depends_on
from tourney.event.kind import Decision
from tourney.event.event_document import show
from tourney.record import PlayerId

answers = {"golden": msgspec.to_builtins(show(folded(golden_rows())), str_keys=True)}
if "op" in sys.argv:
    pad = Pad("Ada", "Ben")
    pad.write(ops.CoinTossed(player=PlayerId(2), heads=True))
    answers["words"] = pad.say(pad.last)
    answers["kept"] = pad.state.audits[pad.last].clean
    answers["depends on the player"] = depends_on(pad.entries[-1].op, pad.entries[-2].op)
    pad.undo(pad.last)
    answers["after undo"] = len(pad.state.audits)
    pad.write(ops.CoinTossed(player=PlayerId(9), heads=False))
    try:
        pad.state
    except MisfitError as fault:
        answers["stranger"] = str(fault)
    toss = lambda change: Decision(op=ops.CoinTossed(player=change.player("Ben"), heads=True))
    with tempfile.TemporaryDirectory() as folder, new_desk(Path(folder), "Ada", "Ben") as desk:
        answers["receipts"] = [*desk.write(toss).changed, *desk.undo().changed]
if "setting" in sys.argv:
    answers["default"] = Pad("Ada").state.settings.pages.dress_code
    answers["set"] = Pad("Ada", dress_code="smart").state.settings.pages.dress_code
print(json.dumps(answers, default=str))
"""

SYSTEM = '''
"""Neighbours in the list of players meet."""

from tourney.event.field import field_of
from tourney.event.systems.system import (
    Judgment, PairingSystem, Proposal, check_rules, legal_claim, pairing_op
)
from tourney.pairing import Pairing, RoundExplanation
from tourney.pairing.facts import meeting_fact
from tourney.record import Table


class InOrder(PairingSystem):
    phrase, rules, wishes = "the list", "in-order", frozenset()
    wish_refusal = ("the list says who meets whom", None)

    def planned_rounds(self, state):
        return 2

    def propose(self, ask):
        field = field_of(ask.state, ask.profile, number=ask.number)
        players = [entrant.id for entrant in field.entrants]
        tables = tuple(Table(n, two) for n, two in enumerate(zip(players[::2], players[1::2]), 1))
        pairing = Pairing(tables=tables, byes=tuple(players[len(tables) * 2 :]))
        return Proposal(op=pairing_op(ask, pairing, field, "in order 1"), pairing=pairing)

    def judge(self, question, engine_pairing):
        findings = check_rules(question, wishes=self.wishes)
        findings = [finding for finding in findings if finding.rule not in {"rematch", "second-bye"}]
        return Judgment(
            question=question, findings=tuple(findings), claims=(legal_claim(findings),),
            fine="as the list has it", system=self,
        )

    def certificate(self, judgment):
        return {"certificate": {"list": [entrant.id for entrant in judgment.question.field.entrants]}}

    def explains(self, round_):
        return "in-order"

    def why(self, moment, seats, table):
        return RoundExplanation.of(seats, table, "list", (meeting_fact(moment.names, seats, table),))

    def why_not(self, moment, one, other):
        return moment.without_price(one, other, ())


SYSTEM = InOrder()
'''

USE_SYSTEM = """
import json, tempfile
from pathlib import Path
from tests.desk.kit import new_desk
from tourney.desk import explain_table, judge, price_pairing, proof_of, verify
from tourney.document import to_plain
from tourney.errors import TourneyError

answers = {}
with (
    tempfile.TemporaryDirectory() as folder,
    new_desk(Path(folder), "Ada", "Ben", "Cleo", system="in-order") as desk,
):
    answers["unkept"] = desk.add_player("Dan", table=4).warnings
    for _ in range(2):
        desk.pair_round()
        desk.report_block(["1 1-0", "2 0-1"])
    answers["seats"] = [table.seats for table in desk.state.round.tables.values()]
    answers["fine"] = judge(desk).fine
    answers["proof"] = to_plain(proof_of(desk, judge(desk)))
    answers["verified"] = [[round_.legal, round_.same] for round_ in verify(desk).rounds]
    answers["why"] = explain_table(desk, None, "1").explanation.decided_by
    answers["why not"] = price_pairing(desk, None, 1, 3).price.possible
    for wish in (lambda: desk.force("Ada", "Cleo"), desk.pair_round, desk.repair_round):
        try:
            wish()
        except TourneyError as fault:
            answers.setdefault("refused", []).append(str(fault))
print(json.dumps(answers, default=str))
"""


def ask(house, *words, use=USE):
    """Copy the package, to be changed."""
    done = subprocess.run(
        [sys.executable, "-c", use, *words],
        cwd=house, env={**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def house(tmp_path):
    """A copy of the package to change."""
    shutil.copytree(ROOT / "tourney", tmp_path / "tourney", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def change(house, module, before, after):
    path = house / "tourney" / "event" / module
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_a_new_kind_of_entry_changes_two_modules(house):
    """`ops` for the struct, and a row in the module of its noun. Folding, the desk and undo then know it."""
    before = ask(house)
    change(house, "ops.py", "\nAnyOp = (\n    EventCreated", OP)
    change(house, "decks.py", "\nKINDS = (", NOUN)
    answers = ask(house, "op")
    assert answers["golden"] == before["golden"]
    assert answers["words"] == "Ben tossed heads"
    assert (answers["kept"], answers["after undo"]) == (True, 0)
    assert answers["depends on the player"] is True
    assert answers["stranger"].endswith("there is no player #9")
    assert answers["receipts"] == [
        "Ben tossed heads (entry 3).",
        'Entry 3 ("Ben tossed heads") was undone (entry 4).',
    ]


def test_a_new_setting_is_one_line(house):
    """Older events are shown as before, with the default of the setting."""
    before = ask(house)
    line = '    dress_code: Annotated[str, _help("What players wear.")] = "any"\n'
    change(house, "settings.py", "    slips: Annotated", f"{line}    slips: Annotated")
    answers = ask(house, "setting")
    assert answers["golden"]["settings"].pop("dress_code") == "any"
    assert answers["golden"] == before["golden"]
    assert (answers["default"], answers["set"]) == ("any", "smart")


def test_a_new_pairing_system_is_its_name_and_its_module(house):
    """Rounds are then paired, judged, proved, verified and explained with it."""
    change(house, "settings.py", 'System = Literal["swiss", ', 'System = Literal["in-order", "swiss", ')
    (house / "tourney/event/systems/in_order.py").write_text(SYSTEM, encoding="utf-8")
    answers = ask(house, use=USE_SYSTEM)
    assert answers["unkept"] == [
        "the list numbers its tables itself, so the fixed table is stored but not used"
    ]
    assert answers["seats"] == [[1, 2], [3, 4]]
    assert answers["fine"] == "as the list has it"
    assert answers["proof"]["rules"] == "in-order"
    assert answers["proof"]["certificate"] == {"list": [1, 2, 3, 4]}
    assert answers["verified"] == [[True, True], [True, True]]
    assert (answers["why"], answers["why not"]) == ("list", False)
    assert answers["refused"] == [
        "no pair can be forced in round 3: the list says who meets whom",
        "all 2 planned rounds were played",
        "`round repair` works only for Swiss rounds with two players at each table",
    ]
