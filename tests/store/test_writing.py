"""Files and folders are replaced in one step, or not at all."""

import pytest

from tourney.errors import TourneyError
from tourney.store import writing
from tourney.store.writing import replace_file, replace_folder


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path):
    """New folders are made on the way."""
    path = tmp_path / "a" / "b.toml"
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert [each.read_bytes() for each in path.parent.iterdir()] == [b"two"]


def test_a_file_that_cannot_be_written_stays(tmp_path):
    """A folder in its place, a file where a folder is needed: refused in words, nothing changed."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(TourneyError, match="cannot be written"):
        replace_file(tmp_path / "folder", b"new")
    with pytest.raises(TourneyError, match="cannot be written"):
        replace_file(tmp_path / "file" / "below", b"new")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_folder_is_replaced_whole(tmp_path):
    """Files of the old one that the new one has not are gone; no other folder is left behind."""
    folder = tmp_path / "pools" / "game"
    replace_folder(folder, {"a": b"1", "b": b"1"})
    replace_folder(folder, {"b": b"2"})
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == {"b": b"2"}
    assert [each.name for each in folder.parent.iterdir()] == ["game"]


def test_a_folder_that_cannot_be_written_stays(tmp_path, monkeypatch):
    """A full disk in the middle leaves the old folder as it was."""
    folder = tmp_path / "game"
    replace_folder(folder, {"a": b"1"})
    with pytest.raises(TourneyError, match="cannot be written"):
        replace_folder(folder, {"a": b"2", "no/such": b"2"})
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == {"a": b"1"}
    assert [each.name for each in tmp_path.iterdir()] == ["game"]


def test_a_folder_whose_change_fails_halfway_comes_back(tmp_path, monkeypatch):
    """The old folder has stepped aside when the new one cannot be put in place: it returns."""
    folder = tmp_path / "game"
    replace_folder(folder, {"a": b"1"})
    real, moves = writing.Path.replace, []

    def failing(path, target):
        moves.append(target)
        if len(moves) == 2:
            raise OSError(28, "No space left on device")
        return real(path, target)

    monkeypatch.setattr(writing.Path, "replace", failing)
    with pytest.raises(TourneyError, match="no space left on device"):
        replace_folder(folder, {"a": b"2"})
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == {"a": b"1"}
