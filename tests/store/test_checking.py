"""`pool check` reads all data and reports every fault."""

from datetime import date

import pytest

from tests.store.test_data import write
from tourney.errors import TourneyError
from tourney.store.checking import check_library
from tourney.store.data import DataRoot, Library, shipped

TODAY = date(2026, 11, 20)
POOL = 'game = "game"\ncomplete = true\n[attributes]\nkind = "text"\n'
CARDS = '{"id": "ant", "name": "Ant", "kind": "insect"}\n{"id": "bee", "name": "Bee"}\n'
FORMAT = """
[format]
id = "game/standard"
[[zone]]
id = "deck"
default = true
size = 2
[standings]
profile = "plain"
[[example]]
name = "two ants"
legal = true
deck = "2 Ant"
"""
PROFILE = (shipped().profiles / "tourney.toml").read_text(encoding="utf-8")
SOUND = {
    "cardpools/game/pool.toml": POOL,
    "cardpools/game/core.jsonl": CARDS,
    "banlists/game/main/2026-01-01.toml": "announced = 2025-12-01\n[cards]\nAnt = 1\n",
    "formats/game/standard.toml": FORMAT,
    "profiles/plain.toml": PROFILE,
}


def check(tmp_path, files, *names):
    folder = write(tmp_path, {**SOUND, **files})
    return {
        (file.what, file.name): file
        for file in check_library(Library([DataRoot.folder(folder)]), TODAY, names)
    }


def test_sound_data_has_no_findings(tmp_path):
    """Each item is listed with its size."""
    findings = check(tmp_path, {})
    assert {key: item.size for key, item in findings.items()} == {
        ("pool", "game"): "2 cards, complete",
        ("ban list", "game/main"): "1 date",
        ("format", "game/standard"): "1 example",
        ("profile", "plain"): "",
    }
    assert all(file.sound and not file.findings for file in findings.values())


@pytest.mark.parametrize(
    ("file", "text", "thing", "message"),
    [
        (
            "cardpools/game/core.jsonl",
            CARDS + '{"id": "c", "name": "ANT"}',
            ("pool", "game"),
            "a list cannot distinguish `ANT` from `Ant`",
        ),
        (
            "cardpools/game/pool.toml",
            POOL.replace('"game"', '"gmae"'),
            ("pool", "game"),
            "`gmae`, but its folder",
        ),
        (
            "banlists/game/main/2026-01-01.toml",
            "[cards]\nAntt = 0\n",
            ("ban list", "game/main"),
            "`Antt` is not a card; did",
        ),
        (
            "banlists/game/main/2026-01-01.toml",
            "[kards]\n",
            ("ban list", "game/main"),
            "unknown key `kards`",
        ),
        (
            "banlists/game/main/new.toml",
            "[cards]\n",
            ("ban list", "game/main"),
            "after the day it takes effect",
        ),
        (
            "banlists/game/main/2025-11-01.toml",
            "announced = 2025-12-01\n",
            ("ban list", "game/main"),
            "after the day",
        ),
        (
            "banlists/game/main/2026-02-01.toml",
            "announced = 2025-11-01\n",
            ("ban list", "game/main"),
            "before the list",
        ),
        (
            "banlists/gmae/main/2026-02-01.toml",
            "[cards]\n",
            ("ban list", "gmae/main"),
            "no card pool of the game `gmae`",
        ),
        (
            "formats/game/standard.toml",
            FORMAT.replace("2 Ant", "3 Ant"),
            ("format", "game/standard"),
            "the verdict is illegal",
        ),
        (
            "formats/game/standard.toml",
            FORMAT.replace("d/s", "d/s") + "x = 1",
            ("format", "game/standard"),
            "unknown key `x`",
        ),
        (
            "formats/game/other.toml",
            FORMAT,
            ("format", "game/other"),
            "`game/standard`, but the file's path",
        ),
        (
            "formats/game/standard.toml",
            FORMAT.replace('"plain"', '"plane"'),
            ("format", "game/standard"),
            "no `plane`",
        ),
        (
            "formats/game/standard.toml",
            FORMAT + "[[limit]]\nid = 'x'\nwhere = \"knd == 'a'\"\nmax = 1\n",
            ("format", "game/standard"),
            "knd",
        ),
        (
            "formats/game/standard.toml",
            FORMAT + "[lists]\nbasic = ['Wasp']\n",
            ("format", "game/standard"),
            "lists.basic: `Wasp` is not a card of the pool",
        ),
        (
            "formats/game/standard.toml",
            FORMAT + "[[limit]]\nid = 'x'\nwhere = \"kind == 'insekt'\"\nmax = 1\n",
            ("format", "game/standard"),
            "limit[0].where: column 9: no card of the pool has the kind `insekt`; did you mean `insect`?",
        ),
        (
            "formats/game/standard.toml",
            FORMAT + "[leader]\nid = 'x'\noptional = true\n",
            ("format", "game/standard"),
            "leader.id: `id` has no effect",
        ),
        (
            "banlists/game/main/2026-01-01.toml",
            "[[where]]\nwhere = \"kind == 'insekt'\"\n",
            ("ban list", "game/main"),
            "where[0].where: column 9: no card of the pool has the kind `insekt`; did you mean `insect`?",
        ),
        ("profiles/plain.toml", "order = 1\n", ("profile", "plain"), "order"),
    ],
)
def test_each_fault_is_reported_with_its_file(tmp_path, file, text, thing, message):
    """Other files are read all the same."""
    findings = check(tmp_path, {file: text})
    assert not findings[thing].sound
    assert message in " | ".join(finding.message for finding in findings[thing].findings)
    others = {key for key, item in findings.items() if key != thing and not item.sound}
    assert others <= {("format", "game/standard")}


def test_a_list_may_ban_cards_that_an_open_pool_lacks(tmp_path):
    """A list may ban cards that are not in the pool."""
    files = {
        "cardpools/game/pool.toml": POOL.replace("true", "false"),
        "banlists/game/main/2026-01-01.toml": "[cards]\nWasp = 0\n",
    }
    assert check(tmp_path, files)["ban list", "game/main"].findings == ()


def test_one_game_can_be_checked(tmp_path):
    """Its pool, lists and formats. An unknown game is refused."""
    files = {"cardpools/other/pool.toml": POOL.replace('"game"', '"other"')}
    assert set(check(tmp_path, files, "other")) == {("pool", "other")}
    files = {"banlists/third/main/2026-01-01.toml": "[cards]\nWasp = 0\n"}
    assert set(check(tmp_path, files, "third")) == {("ban list", "third/main")}
    with pytest.raises(TourneyError, match="there is no game `gmae`"):
        check(tmp_path, files, "gmae")


def test_the_shipped_data_is_sound():
    """Every shipped pool, ban list, format with its examples, and profile."""
    files = list(check_library(Library([shipped()]), TODAY))
    wrong = [f"{item.name}: {finding.message}" for item in files for finding in item.findings]
    assert wrong == []
    assert len(files) >= 16
