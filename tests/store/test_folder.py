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
    assert write_folder(site, {"index.html": b"1", "player/1.html": b"x", "round-1.html": b"r"}) == (3, 0, ())
    assert write_folder(site, {"index.html": b"2", "player/1.html": b"x"}) == (1, 1, ())
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


def test_a_manifest_of_somebody_else_makes_us_remove_nothing(tmp_path):
    """Files that a planted listing names, with or without a digest, are not what was written here and stay."""
    (tmp_path / "notes.txt").write_bytes(b"mine")
    (tmp_path / "diary.txt").write_bytes(b"mine, too")
    (tmp_path / MANIFEST).write_text(f"notes.txt\n{'0' * 64}  diary.txt\n", encoding="utf-8")
    assert write_folder(tmp_path, {"index.html": b"1"}) == (1, 0, ("diary.txt", "notes.txt"))
    assert held(tmp_path) == {"notes.txt": b"mine", "diary.txt": b"mine, too", "index.html": b"1"}


def test_a_page_that_was_changed_since_is_refused(tmp_path):
    """What somebody did to a page by hand is not lost without a word; an interrupted writing is known again."""
    write_folder(tmp_path, {"index.html": b"1", "style.css": b"plain"})
    (tmp_path / "style.css").write_bytes(b"my colours")
    with pytest.raises(TourneyError, match=r"`style\.css` was changed since") as refusal:
        write_folder(tmp_path, {"index.html": b"2", "style.css": b"plain 2"})
    assert "move it away" in refusal.value.hint
    assert held(tmp_path) == {"index.html": b"1", "style.css": b"my colours"}


def test_a_folder_of_an_earlier_version_is_taken_over(tmp_path):
    """Its listing has no digests: pages are replaced, and what is no longer published stays, since nobody can know; it is named each time."""
    (tmp_path / "index.html").write_bytes(b"old")
    (tmp_path / "round-9.html").write_bytes(b"old")
    (tmp_path / MANIFEST).write_text("index.html\nround-9.html", encoding="utf-8")
    assert write_folder(tmp_path, {"index.html": b"new"}) == (1, 0, ("round-9.html",))
    assert held(tmp_path) == {"index.html": b"new", "round-9.html": b"old"}
    assert write_folder(tmp_path, {}) == (0, 1, ("round-9.html",))
    (tmp_path / "round-9.html").unlink()
    assert write_folder(tmp_path, {}) == (0, 0, ())


def test_a_page_that_was_changed_and_is_not_published_any_more_is_named(tmp_path):
    """It stays as somebody made it; once it is published again, it is refused as changed."""
    write_folder(tmp_path, {"index.html": b"1", "round-2.html": b"2"})
    (tmp_path / "round-2.html").write_bytes(b"with my notes")
    assert write_folder(tmp_path, {"index.html": b"1"}) == (0, 0, ("round-2.html",))
    assert held(tmp_path)["round-2.html"] == b"with my notes"
    with pytest.raises(TourneyError, match="was changed since it was published"):
        write_folder(tmp_path, {"index.html": b"1", "round-2.html": b"2"})


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", "\ud800".encode("utf-16-le", "surrogatepass")])
def test_a_listing_that_is_no_text_is_refused(tmp_path, content):
    """A `.tourney-published` that tourney did not write says so, and nothing is written."""
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(TourneyError, match="was not written by tourney"):
        write_folder(tmp_path, {"index.html": b"1"})
    assert held(tmp_path) == {}


def test_a_listing_of_a_path_that_no_system_opens_is_not_ours(tmp_path):
    """Whatever stands in the listing, it keeps nobody from publishing, and takes no time."""
    (tmp_path / MANIFEST).write_text(f"{'a/' * 200_000}b.html\n")
    assert write_folder(tmp_path, {"index.html": b"1"}) == (1, 0, ())


links = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes of a POSIX system")


@links
@pytest.mark.parametrize("name", ["index.html", "player", MANIFEST])
def test_nothing_is_written_through_a_planted_link(tmp_path, name):
    """A link where a page, a subfolder or the listing would be is refused; what it leads to stays as it was."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "1.html").write_bytes(b"keep")
    site = tmp_path / "site"
    site.mkdir()
    target = outside if name == "player" else outside / "1.html"
    (site / name).symlink_to(target)
    with pytest.raises(TourneyError):
        write_folder(site, {"index.html": b"1", "player/1.html": b"x"})
    assert (outside / "1.html").read_bytes() == b"keep"
    assert [path.name for path in site.iterdir()] == [name]


@links
def test_links_planted_after_the_first_writing_are_refused_or_cut(tmp_path):
    """A page that became a link is refused; one that has a second name elsewhere is written anew beside it."""
    outside = tmp_path / "precious.txt"
    outside.write_bytes(b"1")
    site = tmp_path / "site"
    write_folder(site, {"index.html": b"1", "a/b.html": b"2"})
    (site / "index.html").unlink()
    os.link(outside, site / "index.html")
    assert write_folder(site, {"index.html": b"1", "a/b.html": b"2"}) == (1, 0, ())
    assert (site / "index.html").stat().st_nlink == 1
    (site / "index.html").unlink()
    (site / "index.html").symlink_to(outside)
    with pytest.raises(TourneyError, match="is a link"):
        write_folder(site, {"index.html": b"2"})
    assert outside.read_bytes() == b"1"


@links
def test_nothing_is_removed_through_a_link(tmp_path):
    """A subfolder of an earlier writing that is a link now keeps what it leads to."""
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    write_folder(site, {"index.html": b"1", "player/1.html": b"x"})
    (site / "player").rename(elsewhere)
    (site / "player").symlink_to(elsewhere)
    assert write_folder(site, {"index.html": b"1"}) == (0, 0, ())
    assert (elsewhere / "1.html").read_bytes() == b"x"


@links
@pytest.mark.parametrize("name", ["index.html", MANIFEST])
def test_a_pipe_makes_nobody_wait(tmp_path, name):
    """A FIFO in the place of a page or of the listing is refused at once."""
    os.mkfifo(tmp_path / name)
    with pytest.raises(TourneyError):
        write_folder(tmp_path, {"index.html": b"1"})
