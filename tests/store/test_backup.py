"""Copies beside the event: whole, named by the state they hold, never half there."""

import os
import sqlite3

import pytest

from tests.desk.kit import lent, new_desk, open_desk, play
from tourney.desk import Desk, check, files
from tourney.errors import TourneyError
from tourney.store import backup, places


def test_a_backup_is_the_event(tmp_path):
    """Opened under its own name it has the same state, secret and pragmas."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        play(desk)
        copy = files.backup(desk)
        assert copy.parent == tmp_path / places.BACKUPS
        assert copy.name == f"friday-{desk.state.entry}-{desk.state.digest[:8]}.tourney"
        with Desk.open(copy, lent()) as again:
            assert again.state == desk.state
            assert again.journal.secret() == desk.journal.secret()
            assert check(again) == ()


def test_the_same_state_twice_is_one_file_and_newer_ones_come_first(tmp_path):
    """Copies of other events in the same folder are not this one's."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        first = files.backup(desk)
        assert files.backup(desk) == first
        (tmp_path / places.BACKUPS / "other-99-0123abcd.tourney").touch()
        (tmp_path / places.BACKUPS / "friday-notes.txt").touch()
        play(desk)
        second = files.backup(desk)
        assert files.backups(desk) == (second, first)
    assert sorted(path.name for path in (tmp_path / places.BACKUPS).iterdir() if "part" in path.name) == []


def test_a_backup_while_somebody_writes_is_consistent(tmp_path):
    """A transaction that is not committed is not in the copy."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        other = sqlite3.connect(tmp_path / "friday.tourney", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO texts VALUES ('half', NULL, NULL)")
        copy = files.backup(desk)
        other.execute("ROLLBACK")
        other.close()
        with Desk.open(copy, lent()) as again:
            assert again.state == desk.state
            assert "half" not in dict.fromkeys(ref for ref, *_ in again.journal.texts())


def test_no_backups_yet(tmp_path):
    """Looking makes no folder."""
    with new_desk(tmp_path) as desk:
        assert files.backups(desk) == ()
    assert not (tmp_path / places.BACKUPS).exists()


def test_where_no_copy_can_be_written(tmp_path):
    """A file stands where the folder should be: a refusal, and the event goes on."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        (tmp_path / places.BACKUPS).write_text("", encoding="utf-8")
        with pytest.raises(TourneyError, match="no copy could be written"):
            files.backup(desk)
        play(desk)


def test_a_damaged_event_is_not_copied(tmp_path):
    """A copy of damage would push out the good ones: it is refused."""
    with new_desk(tmp_path, *(f"Player {n}" for n in range(40))) as desk:
        play(desk)
    path = tmp_path / "friday.tourney"
    content = bytearray(path.read_bytes())
    connection = sqlite3.connect(path)
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    pages = [
        row[0]
        for row in connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name LIKE 'sqlite_autoindex_texts%'"
        )
    ]
    connection.close()
    start = (pages[0] - 1) * size
    content[start : start + 12] = b"\xff" * 12
    path.write_bytes(content)
    with open_desk(tmp_path) as desk:
        with pytest.raises(TourneyError, match="damaged"):
            files.backup(desk)
        assert files.backups(desk) == ()
        assert [finding.rule for finding in check(desk)][:1] == ["file"]


# -- copies that are made by themselves


def test_a_copy_at_each_rounds_start_and_the_oldest_go(tmp_path, monkeypatch):
    """Named by the round; copies that somebody asked for, and those of other events, are never let go."""
    monkeypatch.setattr(backup, "AUTOMATIC", 3)
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dina", "Eli", "Fay") as desk:
        asked = files.backup(desk)
        (asked.parent / "other-9-0123abcd-round-1.tourney").touch()
        for _ in range(5):
            files.with_copy(desk, desk.pair_round())
            desk.report_block(f"{table} w" for table in desk.state.round.tables)
        rounds = [backup.name.rpartition("-round-")[2] for backup in files.backups(desk)]
        assert rounds == ["5.tourney", "4.tourney", "3.tourney", asked.name]
        assert (asked.parent / "other-9-0123abcd-round-1.tourney").exists()
        newest = files.backups(desk)[0]
        with Desk.open(newest, lent()) as copy:
            assert len(copy.state.rounds) == 5
            assert not copy.state.round.done


def test_a_copy_that_cannot_be_made_is_a_warning(tmp_path):
    """The round is paired and stays so."""
    (tmp_path / places.BACKUPS).write_text("in the way", encoding="utf-8")
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        receipt = files.with_copy(desk, desk.pair_round())
        assert receipt.entries == (3,)
        assert "no copy could be written" in receipt.warnings[-1]
        assert "the round is paired all the same" in receipt.warnings[-1]
        assert desk.state.round


def test_only_who_may_read_the_event_may_read_its_copies(tmp_path):
    """By default its owner alone; who opened the event to a group meant its copies, too."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        copy = files.backup(desk)
        assert (copy.stat().st_mode & 0o777, copy.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        copy.unlink()
        copy.parent.rmdir()
        desk.place.file.chmod(0o660)
        old = os.umask(0)
        try:
            copy = files.backup(desk)
        finally:
            os.umask(old)
        assert (copy.stat().st_mode & 0o777, copy.parent.stat().st_mode & 0o777) == (0o660, 0o770)


def test_another_event_that_is_called_the_same_keeps_its_copies(tmp_path):
    """An event in a database may be called as the file beside: the copies of each at its rounds' starts are its own."""
    with new_desk(tmp_path, "Ann", "Bea", seed="other") as other:
        for number in range(1, backup.AUTOMATIC + 1):
            other.change(name=f"Other {number}")
            backup.backup(
                other.journal, entry=other.state.entry, digest=other.state.digest, round_number=number
            )
    (tmp_path / "friday.tourney").rename(tmp_path / "other.tourney")
    with new_desk(tmp_path, "Ann", "Bea") as desk:
        for number in range(1, 4):
            desk.change(name=f"Friday {number}")
            backup.backup(desk.journal, entry=desk.state.entry, digest=desk.state.digest, round_number=number)
        assert len(backup.backups(desk.place)) == backup.AUTOMATIC + 3
