"""The published folder: files are replaced one by one, and other files in it are kept."""

import os

import pytest

from tourney.errors import TourneyError
from tourney.store.folder import MANIFEST, write_folder


def content_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }


def test_the_folder_holds_exactly_the_files_of_the_last_writing(tmp_path):
    """Files that are no longer published (a cancelled round) are removed, and counted."""
    site = tmp_path / "a" / "site"
    assert write_folder(site, {"index.html": b"1", "player/1.html": b"x", "round-1.html": b"r"}) == (3, 0, ())
    assert write_folder(site, {"index.html": b"2", "player/1.html": b"x"}) == (1, 1, ())
    assert content_of(site) == {"index.html": b"2", "player/1.html": b"x"}


def test_other_files_in_the_folder_are_kept(tmp_path):
    """Files that were not published from here are neither removed nor overwritten."""
    (tmp_path / "notes.txt").write_bytes(b"mine")
    write_folder(tmp_path, {"index.html": b"1"})
    write_folder(tmp_path, {"index.html": b"2"})
    assert content_of(tmp_path) == {"notes.txt": b"mine", "index.html": b"2"}


def test_an_unpublished_file_of_the_same_name_is_refused(tmp_path):
    """Nothing is written beside it."""
    (tmp_path / "index.html").write_bytes(b"my home page")
    with pytest.raises(TourneyError, match=r"`index\.html` exists already"):
        write_folder(tmp_path, {"index.html": b"1", "standings.html": b"2"})
    assert content_of(tmp_path) == {"index.html": b"my home page"}


def test_a_manifest_cannot_delete_files_outside(tmp_path):
    """A line that leads out of the folder is ignored."""
    outside = tmp_path / "precious.txt"
    outside.write_bytes(b"keep")
    site = tmp_path / "site"
    write_folder(site, {"index.html": b"1"})
    with (site / MANIFEST).open("a", encoding="utf-8") as manifest:
        manifest.writelines(f"{'0' * 64}  {path}\n" for path in ("../precious.txt", outside))
    write_folder(site, {"index.html": b"2"})
    assert outside.read_bytes() == b"keep"


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    """`publish` into a path that is a file says so."""
    (tmp_path / "site").write_bytes(b"")
    with pytest.raises(TourneyError, match="cannot be written"):
        write_folder(tmp_path / "site", {"index.html": b"1"})


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere: not tried"
)
def test_a_read_only_folder_is_refused(tmp_path):
    """The error names the folder."""
    tmp_path.chmod(0o555)
    with pytest.raises(TourneyError, match="cannot be written"):
        write_folder(tmp_path / "site", {"index.html": b"1"})


def test_a_forged_manifest_removes_nothing(tmp_path):
    """Files that were not written from here stay."""
    (tmp_path / "notes.txt").write_bytes(b"mine")
    (tmp_path / "diary.txt").write_bytes(b"mine, too")
    (tmp_path / MANIFEST).write_text(f"notes.txt\n{'0' * 64}  diary.txt\n", encoding="utf-8")
    assert write_folder(tmp_path, {"index.html": b"1"}) == (1, 0, ("diary.txt",))
    assert content_of(tmp_path) == {"notes.txt": b"mine", "diary.txt": b"mine, too", "index.html": b"1"}


def test_a_page_changed_by_hand_is_refused(tmp_path):
    """Changes are not lost silently. After an interrupted run, the pages are recognized."""
    write_folder(tmp_path, {"index.html": b"1", "style.css": b"plain"})
    (tmp_path / "style.css").write_bytes(b"my colours")
    with pytest.raises(TourneyError, match=r"`style\.css` was changed since") as refusal:
        write_folder(tmp_path, {"index.html": b"2", "style.css": b"plain 2"})
    assert "move it away" in refusal.value.hint
    assert content_of(tmp_path) == {"index.html": b"1", "style.css": b"my colours"}


def test_a_changed_page_that_is_no_longer_published_is_named(tmp_path):
    """It stays as it is. If it is published again, it is refused as changed."""
    write_folder(tmp_path, {"index.html": b"1", "round-2.html": b"2"})
    (tmp_path / "round-2.html").write_bytes(b"with my notes")
    assert write_folder(tmp_path, {"index.html": b"1"}) == (0, 0, ("round-2.html",))
    assert content_of(tmp_path)["round-2.html"] == b"with my notes"
    with pytest.raises(TourneyError, match="was changed since it was published"):
        write_folder(tmp_path, {"index.html": b"1", "round-2.html": b"2"})


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", "\ud800".encode("utf-16-le", "surrogatepass")])
def test_a_manifest_that_is_not_text_is_refused(tmp_path, content):
    """Another program wrote `.tourney-published`, so nothing is written."""
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(TourneyError, match="was not written by tourney"):
        write_folder(tmp_path, {"index.html": b"1"})
    assert content_of(tmp_path) == {}


def test_an_impossible_path_in_the_manifest_is_ignored(tmp_path):
    """It does not prevent publishing, and takes no time."""
    (tmp_path / MANIFEST).write_text(f"{'a/' * 200_000}b.html\n")
    assert write_folder(tmp_path, {"index.html": b"1"}) == (1, 0, ())


links = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes of a POSIX system")


@links
@pytest.mark.parametrize("name", ["index.html", "player", MANIFEST])
def test_nothing_is_written_through_a_link(tmp_path, name):
    """In place of a page, a subfolder or the manifest. Its target stays as it was."""
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
def test_links_planted_later_are_refused_or_replaced(tmp_path):
    """A symbolic link is refused; a page with a second name elsewhere is written as a new file."""
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
    with pytest.raises(TourneyError, match="was not published from here"):
        write_folder(site, {"index.html": b"2"})
    assert outside.read_bytes() == b"1"


@links
def test_nothing_is_removed_through_a_link(tmp_path):
    """A subfolder that became a link keeps the files in its target."""
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    write_folder(site, {"index.html": b"1", "player/1.html": b"x"})
    (site / "player").rename(elsewhere)
    (site / "player").symlink_to(elsewhere)
    assert write_folder(site, {"index.html": b"1"}) == (0, 0, ())
    assert (elsewhere / "1.html").read_bytes() == b"x"


@links
@pytest.mark.parametrize("name", ["index.html", MANIFEST])
def test_a_pipe_is_refused_at_once(tmp_path, name):
    """In place of a page or of the manifest."""
    os.mkfifo(tmp_path / name)
    with pytest.raises(TourneyError):
        write_folder(tmp_path, {"index.html": b"1"})
