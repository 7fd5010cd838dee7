"""A published folder: replaced file by file, never mixed with what somebody else keeps there."""

import os

import pytest

from tourney.errors import TourneyError
from tourney.store.folder import MANIFEST, write_folder


def held(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }


def test_the_folder_holds_exactly_the_files_of_the_last_writing(tmp_path):
    """What was published before and is gone now (a cancelled round) is removed; the counts say so."""
    site = tmp_path / "a" / "site"
    assert write_folder(site, {"index.html": b"1", "player/1.html": b"x", "round-1.html": b"r"}) == (3, 0)
    assert write_folder(site, {"index.html": b"2", "player/1.html": b"x"}) == (1, 1)
    assert held(site) == {"index.html": b"2", "player/1.html": b"x"}


def test_what_somebody_else_keeps_there_stays(tmp_path):
    """Files that were not published from here are neither removed nor overwritten."""
    (tmp_path / "notes.txt").write_bytes(b"mine")
    write_folder(tmp_path, {"index.html": b"1"})
    write_folder(tmp_path, {"index.html": b"2"})
    assert held(tmp_path) == {"notes.txt": b"mine", "index.html": b"2"}


def test_a_strangers_file_of_the_same_name_is_refused(tmp_path):
    """An `index.html` that was not published from here is named, and nothing is written beside it."""
    (tmp_path / "index.html").write_bytes(b"my home page")
    with pytest.raises(TourneyError, match=r"`index\.html` is there already"):
        write_folder(tmp_path, {"index.html": b"1", "standings.html": b"2"})
    assert held(tmp_path) == {"index.html": b"my home page"}


def test_a_manifest_cannot_make_us_delete_outside(tmp_path):
    """A manifest line that leads out of the folder is ignored."""
    outside = tmp_path / "precious.txt"
    outside.write_bytes(b"keep")
    site = tmp_path / "site"
    write_folder(site, {"index.html": b"1"})
    (site / MANIFEST).write_text(f"index.html\n../precious.txt\n{outside}\n", encoding="utf-8")
    write_folder(site, {"index.html": b"2"})
    assert outside.read_bytes() == b"keep"


def test_a_file_where_the_folder_should_be_is_refused(tmp_path):
    """`publish` into a path that is a file says so."""
    (tmp_path / "site").write_bytes(b"")
    with pytest.raises(TourneyError, match="cannot be written"):
        write_folder(tmp_path / "site", {"index.html": b"1"})


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere: not tried"
)
def test_a_read_only_folder_is_refused(tmp_path):
    """No permission is a refusal with the folder's name."""
    tmp_path.chmod(0o555)
    with pytest.raises(TourneyError, match="cannot be written"):
        write_folder(tmp_path / "site", {"index.html": b"1"})
