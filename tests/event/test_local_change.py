"""Adding a thing of a kind is a change in one place: tried on a copy of the house, with things that nobody needs.

The invented kind of entry is a toss of a coin, the invented setting a dress code.
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


def _say_toss(op: ops.CoinTossed, describer: Describer) -> str:
    return f"{describer.name(op.player)} tossed {'heads' if op.heads else 'tails'}"


KINDS = (
    EntryKind(
        ops.CoinTossed, _apply_toss, _say_toss, footprint=lambda op: Footprint(NO_MARKS, player_marks((op.player,))),
        misfits=stranger,
    ),"""

USE = """
import json, sys
from pathlib import Path
from tests.event.pad import Pad
from tests.event.test_versions import folded, rows_of
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.fold import MisfitError, sentence, stands_on
from tourney.event.view import show, state_digest
from tourney.record import PlayerId

told = {n: [state_digest(folded(rows_of(n))), show(folded(rows_of(n)), named=True)] for n in (1, 2, 3, 4)}
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
    told["default"] = Pad("Ada").state.settings.dress_code
    told["set"] = Pad("Ada", dress_code="smart").state.settings.dress_code
print(json.dumps(told, default=str))
"""


def ask(house, *words):
    done = subprocess.run(
        [sys.executable, "-c", USE, *words],
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
    assert {version: told[version] for version in "1234"} == before
    assert told["said"] == "Ben tossed heads"
    assert (told["kept"], told["after undo"]) == ("heads", 0)
    assert told["rests on the player"] is True
    assert told["stranger"].endswith("there is no player #9")


def test_an_invented_setting_is_one_line(house):
    """What older versions wrote is shown as it was, to the digest; the setting has its default there."""
    before = ask(house)
    change(house, "ops.py", '    beacon: str = ""\n', '    beacon: str = ""\n    dress_code: str = "any"\n')
    told = ask(house, "setting")
    assert {version: told[version] for version in "1234"} == before
    assert (told["default"], told["set"]) == ("any", "smart")
