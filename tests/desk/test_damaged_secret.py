"""An event with a damaged secret: actions that need the secret are refused, others work."""

import json

import pytest

from tests.desk import kit
from tests.desk.kit import lent, new_desk, open_desk, play
from tourney.desk import check, export, export_as, import_event, print_sheets, publish
from tourney.errors import TourneyError
from tourney.event.entry import ALTERED
from tourney.store.backup import copy_event

NAMES = ("Mira", "Tomo", "Ansel", "Bryn", "Cleo", "Dov", "Enna", "Fitz")
DAMAGED = "the event's secret is damaged"


def damage(folder):
    """Flip one bit of the stored secret."""
    with open_desk(folder) as desk:
        secret = desk.journal.secret()
    kit.by_hand(
        folder / "friday.tourney",
        "UPDATE secret SET bytes = ? WHERE bytes = ?",
        bytes([secret[0] ^ 1]) + secret[1:],
        secret,
    )


def played(folder, **settings):
    with new_desk(folder, *NAMES, **settings) as desk:
        play(desk)


@pytest.fixture
def damaged(tmp_path):
    """A folder with an event of one round, with a bit of the secret flipped."""
    played(tmp_path)
    damage(tmp_path)
    return tmp_path


def refusal(action):
    with pytest.raises(TourneyError) as refused:
        action()
    return refused.value


@pytest.mark.parametrize(
    "action",
    [
        lambda desk, _: desk.standings(),
        lambda desk, _: desk.pair_round(),
        lambda desk, _: desk.draw_audit(),
        lambda desk, _: desk.cut(4),
        lambda desk, folder: publish(desk, folder / "web"),
        lambda desk, folder: export(desk, folder / "out"),
        lambda desk, folder: export_as(desk, "trf", folder / "out"),
    ],
    ids=["standings", "pair", "draw decks", "cut", "publish", "export", "export as"],
)
def test_actions_that_need_the_secret_are_refused_with_a_hint(damaged, action):
    """Nothing is written."""
    with open_desk(damaged) as desk:
        assert desk.secret_damaged
        before = desk.state.digest
        fault = refusal(lambda: action(desk, damaged))
        assert fault.message.startswith(DAMAGED)
        assert fault.hint == ALTERED
        assert desk.refresh().digest == before
    assert not (damaged / "out").exists() or not list((damaged / "out").iterdir())


def test_a_sealed_event_with_a_damaged_secret_is_not_closed(tmp_path):
    """The secret cannot be revealed."""
    played(tmp_path, sealed=True)
    damage(tmp_path)
    with open_desk(tmp_path) as desk:
        assert refusal(desk.close).message.startswith(DAMAGED)


def test_actions_without_the_secret_work(damaged):
    """Results, players, the log, standings without a lot, and sheets."""
    with open_desk(damaged) as desk:
        assert desk.add_player("Gil").entries
        assert desk.change_result(1, "l").entries
        assert desk.log()
        assert desk.standings(profile="mtr").rows
        assert [finding.rule for finding in check(desk)] == ["secret"]
        assert print_sheets(desk, damaged / "print", ["standings"]).files
        page = (damaged / "print" / "standings.html").read_text(encoding="utf-8")
        assert "No lot is drawn: the event&#39;s secret is damaged." in page


def test_a_sound_event_is_not_called_damaged(tmp_path):
    """A copy without the secret is not called damaged either."""
    played(tmp_path, sealed=True)
    with open_desk(tmp_path) as desk:
        assert not desk.secret_damaged
        path, _ = export(desk, tmp_path / "out")
    with import_event(path, tmp_path / "copy.tourney", lent()) as copy:
        assert not copy.secret_damaged
        assert copy.ranking_input().no_lot == "this copy came without the secret"
        assert any(
            "are tied, and their seeds are not drawn by lot" in warning for warning in copy.cut(4).warnings
        )


def test_a_revealed_secret_replaces_a_damaged_one(tmp_path):
    """After closing, the journal of a sealed event has its secret."""
    played(tmp_path, sealed=True)
    with open_desk(tmp_path) as desk:
        desk.close()
        before = [row.player for row in desk.standings().rows]
    damage(tmp_path)
    with open_desk(tmp_path) as desk:
        assert not desk.secret_damaged
        assert [row.player for row in desk.standings().rows] == before
        path, _ = export(desk, tmp_path / "out")
    with import_event(path, tmp_path / "copy.tourney", lent()) as copy:
        assert [row.player for row in copy.standings().rows] == before


def test_a_damaged_secret_is_not_copied(damaged):
    """Salvage makes a sound copy."""
    fault = refusal(lambda: copy_event(damaged / "friday.tourney", damaged / "copy.tourney"))
    assert "the secret in friday.tourney is damaged" in fault.message
    assert fault.hint == ALTERED
    assert not (damaged / "copy.tourney").exists()


def test_an_export_with_a_damaged_secret_is_not_imported(tmp_path):
    """The error names the line. Without the line the file is a copy without the secret."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        path, _ = export(desk, tmp_path / "out")
    *lines, last = path.read_text(encoding="utf-8").splitlines()
    secret = bytes.fromhex(json.loads(last)["secret"])
    wrong = json.dumps({"secret": (bytes([secret[0] ^ 1]) + secret[1:]).hex()})
    path.write_text("\n".join([*lines, wrong]) + "\n", encoding="utf-8")
    fault = refusal(lambda: import_event(path, tmp_path / "copy.tourney", lent()))
    assert fault.message.startswith(f"friday.jsonl:{len(lines) + 1}: the secret is damaged")
    assert not (tmp_path / "copy.tourney").exists()
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with import_event(path, tmp_path / "copy.tourney", lent()) as copy:
        assert copy.ranking_input().no_lot
