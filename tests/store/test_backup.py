"""Copies beside the event: whole, and named by the state that they contain."""

import os
import sqlite3

import pytest

from tests.desk.kit import lent, new_desk, open_desk, play
from tourney.desk import Desk, check, files
from tourney.errors import TourneyError
from tourney.store import backup, journal


def test_a_backup_is_the_event(tmp_path):
    """Opened under its own name it has the same state, secret and pragmas."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        play(desk)
        copy = files.backup(desk)
        assert copy.parent == tmp_path / journal.BACKUPS
        assert copy.name == f"friday-{desk.state.entry}-{desk.state.digest[:8]}.tourney"
        with Desk.open(copy, lent()) as again:
            assert again.state == desk.state
            assert again.journal.secret() == desk.journal.secret()
            assert check(again) == ()


def test_a_state_is_copied_once_and_newer_copies_come_first(tmp_path):
    """Copies of other events in the folder are not listed."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        first = files.backup(desk)
        assert files.backup(desk) == first
        (tmp_path / journal.BACKUPS / "other-99-0123abcd.tourney").touch()
        (tmp_path / journal.BACKUPS / "friday-notes.txt").touch()
        play(desk)
        second = files.backup(desk)
        assert files.backups(desk) == (second, first)
    assert sorted(path.name for path in (tmp_path / journal.BACKUPS).iterdir() if "part" in path.name) == []


def test_a_backup_during_a_write_is_consistent(tmp_path):
    """An uncommitted transaction is not in the copy."""
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
    """Listing copies makes no folder."""
    with new_desk(tmp_path) as desk:
        assert files.backups(desk) == ()
    assert not (tmp_path / journal.BACKUPS).exists()


def test_a_copy_that_cannot_be_written_is_refused(tmp_path):
    """A file is in the folder's place. The event still works."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        (tmp_path / journal.BACKUPS).write_text("", encoding="utf-8")
        with pytest.raises(TourneyError, match="no copy could be written"):
            files.backup(desk)
        play(desk)


def test_a_damaged_event_is_not_copied(tmp_path):
    """Otherwise copies of damage would replace the good ones."""
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


def test_a_copy_at_each_round_start_replaces_the_oldest(tmp_path, monkeypatch):
    """Copies made on request and copies of other events are never deleted."""
    monkeypatch.setattr(backup, "AUTOMATIC", 3)
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dina", "Eli", "Fay") as desk:
        manual_copy = files.backup(desk)
        (manual_copy.parent / "other-9-0123abcd-round-1.tourney").touch()
        for _ in range(5):
            files.with_copy(desk, desk.pair_round())
            desk.report_block(f"{table} w" for table in desk.state.round.tables)
        rounds = [backup.name.rpartition("-round-")[2] for backup in files.backups(desk)]
        assert rounds == ["5.tourney", "4.tourney", "3.tourney", manual_copy.name]
        assert (manual_copy.parent / "other-9-0123abcd-round-1.tourney").exists()
        newest = files.backups(desk)[0]
        with Desk.open(newest, lent()) as copy:
            assert len(copy.state.rounds) == 5
            assert not copy.state.round.done


def test_a_copy_that_cannot_be_made_is_a_warning(tmp_path):
    """The round is paired."""
    (tmp_path / journal.BACKUPS).write_text("in the way", encoding="utf-8")
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        receipt = files.with_copy(desk, desk.pair_round())
        assert receipt.entries == (3,)
        assert "no copy could be written" in receipt.warnings[-1]
        assert "the round is paired anyway" in receipt.warnings[-1]
        assert desk.state.round


def test_copies_have_the_permissions_of_the_event(tmp_path):
    """Its owner only, by default; if the event is open to a group, so are its copies."""
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


def test_copies_of_another_event_with_the_same_name_are_kept(tmp_path):
    """An event in a database may have the name of the file beside it."""
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
