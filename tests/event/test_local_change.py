"""Adding a thing of a kind is a change in one place: tried on a copy of the house, with things that nobody needs.

The invented kind of entry is a toss of a coin, the invented setting a dress code, the invented pairing system the order in
which the players were registered.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.kit import ROOT

OP = '''
class CoinTossed(Op, frozen=True, tag="coin.tossed/1"):
    """A coin was tossed before a player's match."""

    player: PlayerId
    heads: bool


AnyOp = (
    CoinTossed | EventCreated'''

NOUN = """
def _apply_toss(draft: StateDraft, op: ops.CoinTossed, at: Entered, _texts: Texts) -> None:
    side = "heads" if op.heads else "tails"
    draft.audits.append(Remark(entry=at.entry, player=op.player, round=0, kind=side, text=None))


def _say_toss(op: ops.CoinTossed, context: LogContext) -> str:
    return f"{context.name(op.player)} tossed {'heads' if op.heads else 'tails'}"


KINDS = (
    EntryKind(
        ops.CoinTossed, _apply_toss, _say_toss, footprint=lambda op: Footprint(NO_MARKS, player_marks((op.player,))),
        misfits=stranger,
    ),"""

USE = """
import json, sys
from pathlib import Path
from tests.event.pad import Pad
from tests.event.test_versions import folded, golden_rows
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.fold import MisfitError, sentence, stands_on
from tourney.event.state import show
from tourney.record import PlayerId

told = {"golden": show(folded(golden_rows()))}
if "op" in sys.argv:
    pad = Pad("Ada", "Ben")
    pad.write(ops.CoinTossed(player=PlayerId(2), heads=True))
    told["said"] = pad.say(pad.last)
    told["kept"] = pad.state.audits[-1].kind
    told["rests on the player"] = stands_on(pad.entries[-1].op, pad.entries[-2].op)
    pad.undo(pad.last)
    told["after undo"] = len(pad.state.audits)
    pad.write(ops.CoinTossed(player=PlayerId(9), heads=False))
    try:
        pad.state
    except MisfitError as fault:
        told["stranger"] = str(fault)
if "setting" in sys.argv:
    told["default"] = Pad("Ada").state.settings.pages.dress_code
    told["set"] = Pad("Ada", dress_code="smart").state.settings.pages.dress_code
print(json.dumps(told, default=str))
"""

SYSTEM = '''
"""Neighbours in the list of players meet."""

from tourney.event.field import field_of
from tourney.event.systems.system import Judged, PairingSystem, Proposal, check_rules, legal_claim, pairing_op
from tourney.pairing import Pairing
from tourney.pairing.facts import Meets
from tourney.record import Table


class InOrder(PairingSystem):
    called, rules, wishes, settled = "the list", "in-order", frozenset(), ("the list says who meets whom", None)

    def planned_rounds(self, state):
        return 2

    def propose(self, ask):
        field = field_of(ask.state, ask.profile, number=ask.number)
        players = [each.id for each in field.entrants]
        tables = tuple(Table(n, two) for n, two in enumerate(zip(players[::2], players[1::2]), 1))
        made = Pairing(tables=tables, byes=tuple(players[len(tables) * 2 :]))
        return Proposal(op=pairing_op(ask, made, field, "in order 1"), made=made)

    def judge(self, question, made):
        findings = [each for each in check_rules(question, wishes=self.wishes) if each.rule not in {"rematch", "second-bye"}]
        return Judged(
            question=question, findings=tuple(findings), claims=(legal_claim(findings),), fine="as the list has it", system=self,
        )

    def certificate(self, judged):
        return {"certificate": {"list": [each.id for each in judged.question.field.entrants]}}

    def explains(self, round_):
        return "in-order"

    def why(self, moment, seats, table):
        return moment.explanation(seats, table, "list", (Meets(players=seats, table=table),))

    def why_not(self, moment, one, other):
        return moment.without_price(one, other, ())


SYSTEM = InOrder()
'''

USE_SYSTEM = """
import json, tempfile
from pathlib import Path
from tests.desk.kit import new_desk
from tourney.desk import judge, proof_of, why, why_not
from tourney.desk import verify
from tourney.errors import TourneyError

told = {}
with tempfile.TemporaryDirectory() as folder, new_desk(Path(folder), "Ada", "Ben", "Cleo", system="in-order") as desk:
    told["unkept"] = desk.add_player("Dan", table=4).warnings
    for _ in range(2):
        desk.pair_round()
        desk.report_block(["1 1-0", "2 0-1"])
    told["seats"] = [table.seats for table in desk.state.round.tables.values()]
    told["fine"] = judge(desk).fine
    told["proof"] = proof_of(desk, judge(desk))
    told["verified"] = [[each.legal, each.same] for each in verify(desk).rounds]
    told["why"] = why(desk, None, "1").said.decided_by
    told["why not"] = why_not(desk, None, 1, 3).said.possible
    for wish in (lambda: desk.force("Ada", "Cleo"), desk.pair_round, desk.repair_round):
        try:
            wish()
        except TourneyError as fault:
            told.setdefault("refused", []).append(str(fault))
print(json.dumps(told, default=str))
"""


def ask(house, *words, use=USE):
    done = subprocess.run(
        [sys.executable, "-c", use, *words],
        cwd=house, env={**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def house(tmp_path):
    """A copy of the house that may be rebuilt."""
    shutil.copytree(ROOT / "tourney", tmp_path / "tourney", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def change(house, module, before, after):
    path = house / "tourney" / "event" / module
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_an_invented_kind_of_entry_touches_its_form_and_its_noun(house):
    """`ops` for the form, `penalties` for effect, words, footprint and sense: it folds, is told, undone and refused."""
    before = ask(house)
    change(house, "ops.py", "\nAnyOp = (\n    EventCreated", OP)
    change(house, "penalties.py", "\nKINDS = (", NOUN)
    told = ask(house, "op")
    assert told["golden"] == before["golden"]
    assert told["said"] == "Ben tossed heads"
    assert (told["kept"], told["after undo"]) == ("heads", 0)
    assert told["rests on the player"] is True
    assert told["stranger"].endswith("there is no player #9")


def test_an_invented_setting_is_one_line(house):
    """What was written before is shown as it was, with the default of the setting."""
    before = ask(house)
    line = '    dress_code: Annotated[str, _help("What players wear.")] = "any"\n'
    change(house, "settings.py", "    slips: Annotated", f"{line}    slips: Annotated")
    told = ask(house, "setting")
    assert told["golden"]["settings"].pop("dress_code") == "any"
    assert told["golden"] == before["golden"]
    assert (told["default"], told["set"]) == ("any", "smart")


def test_an_invented_pairing_system_is_its_name_and_its_module(house):
    """The name in `settings` and a module in `systems`: rounds are paired, judged, proved, verified and explained by it."""
    change(house, "settings.py", 'System = Literal["swiss", ', 'System = Literal["in-order", "swiss", ')
    (house / "tourney/event/systems/in_order.py").write_text(SYSTEM, encoding="utf-8")
    told = ask(house, use=USE_SYSTEM)
    assert told["unkept"] == ["the list numbers its tables by itself: the fixed table is noted, and not kept"]
    assert told["seats"] == [[1, 2], [3, 4]]
    assert told["fine"] == "as the list has it"
    assert told["proof"]["rules"] == "in-order"
    assert told["proof"]["certificate"] == {"list": [1, 2, 3, 4]}
    assert told["verified"] == [[True, True], [True, True]]
    assert (told["why"], told["why not"]) == ("list", False)
    assert told["refused"] == [
        "nothing can be fixed for round 3: the list says who meets whom",
        "all 2 planned rounds are played",
        "only Swiss rounds of two at a table can be repaired",
    ]
