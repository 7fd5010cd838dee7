"""A desk that stays open for hours while other processes write."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from tests.desk.kit import new_desk, open_desk, play
from tourney.desk import check, erase, event_view, open_event
from tourney.event.fold import fold

HOUSE = Path(__file__).parents[2]
NAMES = "Ada", "Ben", "Cleo", "Dina", "Eli", "Fenn"


IN_THE_MIDDLE = """
import sys
from pathlib import Path

from tests.desk.kit import open_desk
from tourney.event import players


def late(change):
    return players.add(change, [players.Registration(name="Late")])


def later(change):
    print("one is appended, and not yet on the disk", flush=True)
    sys.stdin.readline()
    return players.add(change, [players.Registration(name="Later")])


with open_desk(Path(sys.argv[1]), by="Ben") as desk:
    desk.write_in_turn([late, later], all_or_none=False)
"""


def in_a_process(*words):
    return subprocess.Popen(
        [sys.executable, *map(str, words)],
        cwd=HOUSE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def folded_anew(desk):
    """Return the event as a process sees it that opens the file now."""
    with open_desk(desk.place.folder) as other:
        return other.state


def test_an_open_desk_reads_only_new_entries(tmp_path, monkeypatch):
    """After hours of entries by others, the next one is neither read nor folded with the rest."""
    with new_desk(tmp_path, *NAMES) as desk, open_desk(tmp_path, by="Ben") as other:
        play(other)
        desk.refresh()
        reads, texts = [], []
        rows, short_texts = desk.journal.rows, desk.journal.short_texts
        monkeypatch.setattr(desk.journal, "rows", lambda after=0: reads.append(after) or rows(after))
        monkeypatch.setattr(
            desk.journal, "short_texts", lambda among=None: texts.append(among) or short_texts(among)
        )

        def not_again(*_):
            raise AssertionError("the whole event is folded again")

        monkeypatch.setattr(open_event, "fold", not_again)
        for number in range(20):
            before = desk.state
            receipt = other.add_player(f"Late {number}") if number % 2 else other.check_in("Ada")
            assert desk.refresh().entry == receipt.state.entry
            assert desk.refresh() is desk.state
            assert reads == ([before.entry, receipt.state.entry] if receipt.entries else [before.entry] * 2)
            assert all(text is not None and len(text) <= 1 for text in texts)
            reads.clear()
        assert desk.state == fold(desk.entries, desk.texts)
        assert desk.reading.state is desk.state


def test_an_open_desk_notices_undo_and_erasure(tmp_path):
    """A result is undone, and a name erased."""
    with new_desk(tmp_path, *NAMES) as desk:
        with open_desk(tmp_path, by="Ben") as other:
            play(other)
            desk.refresh()
            other.undo()
            assert desk.refresh() == folded_anew(desk)
            assert desk.state.round.playing
            erase(other, "Fenn")
        assert desk.refresh() == folded_anew(desk)
        assert "Fenn" not in {*desk.texts.values()}


def test_an_open_desk_notices_changed_rules(tmp_path):
    with new_desk(tmp_path, *NAMES, profile="tourney") as desk:
        before = desk.rules
        with open_desk(tmp_path, by="Ben") as other:
            other.check_in("Ada")
            desk.refresh()
            assert desk.rules is before
            other.change(profile="fide-plain")
        desk.refresh()
        assert desk.rules.profile.name == "fide-plain"


@pytest.mark.file
def test_everything_can_be_read_during_a_write_of_another_process(tmp_path):
    """Standings, pages and the log are those of the last commit."""
    with new_desk(tmp_path, *NAMES) as desk:
        play(desk)
        entry = desk.state.entry
        writer = in_a_process("-c", IN_THE_MIDDLE, tmp_path)
        try:
            assert "not yet" in writer.stdout.readline()
            desk.journal._connection.patience = 0.0  # nothing is waited for
            assert desk.refresh().entry == entry
            assert len(desk.standings().rows) == len(NAMES)
            assert event_view(desk).rounds
            assert desk.log()
            assert check(desk) == ()
        finally:
            writer.communicate("\n", timeout=30)
        assert [player.name for player in desk.refresh().players.values()][-2:] == ["Late", "Later"]
        assert desk.state.entry == entry + 2


@pytest.mark.file
def test_others_can_write_while_a_desk_is_open(tmp_path):
    """The desk sees their entries."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.pair_round()
        assert event_view(desk).rounds
        for table in desk.state.round.tables:
            done = in_a_process("-m", "tests.store.clerk", "report", desk.place.file, "Ben", table)
            output, _ = done.communicate(timeout=60)
            assert done.returncode == 0
            entry, digest, _ = output.split()
            assert (desk.refresh().entry, desk.state.digest) == (int(entry), digest)
        assert not desk.state.round.playing


@pytest.mark.parametrize("how", ["written here", "written elsewhere"])
def test_an_open_desk_frees_memory(tmp_path, how):
    """The objects that Python's collector skips are those of the start, and do not grow."""
    with new_desk(tmp_path, *NAMES) as desk, open_desk(tmp_path, by="Ben") as other:
        writer = desk if how == "written here" else other
        frozen = gc.get_freeze_count()
        for number in range(30):
            writer.add_player(f"Late {number}")
            desk.refresh()
        assert gc.get_freeze_count() <= frozen
        assert gc.isenabled()


def test_lookups_leave_no_warning_for_later(tmp_path):
    """Only a change's own ambiguous number is in its receipt."""
    with new_desk(tmp_path, "Ada", "Ben", "2") as desk:
        for _ in range(3):
            assert desk.find_player("2") == 3
        assert desk.check_in("Ada").warnings == ()
        assert desk.check_in("2").warnings == ("`2` is taken as the name of 2 (#3); `'#2'` is Ben",)
