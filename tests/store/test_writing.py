"""Files and folders are replaced in one step, or not at all."""

import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from tests.desk.kit import lent, new_desk, open_desk
from tests.kit import amount, with_rows
from tourney.desk import Desk, backup, backups, check
from tourney.errors import TourneyError
from tourney.store import files
from tourney.store.data import DataRoot, Library
from tourney.store.export import write_all
from tourney.store.files import (
    NewFile,
    keep,
    read_folder,
    recall,
    replace_file,
    replace_folder,
    user_folder,
)
from tourney.store.journal import BACKUPS


def test_a_file_is_replaced_without_leftovers(tmp_path):
    """Missing folders are made."""
    path = tmp_path / "a" / "b.toml"
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert [file.read_bytes() for file in path.parent.iterdir()] == [b"two"]


def test_a_file_that_cannot_be_written_stays(tmp_path):
    """A folder in its place, or a file in place of a folder: an error, and no change."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(TourneyError, match="cannot be written"):
        replace_file(tmp_path / "folder", b"new")
    with pytest.raises(TourneyError, match="cannot be written"):
        replace_file(tmp_path / "file" / "below", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_folder_is_replaced_completely(tmp_path):
    """Old files are gone, and no other folder is left."""
    folder = tmp_path / "pools" / "game"
    replace_folder(folder, {"a": b"1", "b": b"1"})
    replace_folder(folder, {"b": b"2"})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"b": b"2"}
    assert [path.name for path in folder.parent.iterdir()] == ["game"]


def test_a_folder_that_cannot_be_written_stays(tmp_path, monkeypatch):
    """A full disk in the middle leaves the old folder as it was."""
    folder = tmp_path / "game"
    replace_folder(folder, {"a": b"1"})
    with pytest.raises(TourneyError, match="cannot be written"):
        replace_folder(folder, {"a": b"2", "no/such": b"2"})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"a": b"1"}
    assert [path.name for path in tmp_path.iterdir()] == ["game"]


def test_a_failed_replacement_restores_the_old_folder(tmp_path, monkeypatch):
    """It was moved aside, and the new one could not be moved in."""
    folder = tmp_path / "game"
    replace_folder(folder, {"a": b"1"})
    real, moves = files.Path.replace, []

    def failing(path, target):
        moves.append(target)
        if len(moves) == 2:
            raise OSError(28, "No space left on device")
        return real(path, target)

    monkeypatch.setattr(files.Path, "replace", failing)
    with pytest.raises(TourneyError, match="no space left on device"):
        replace_folder(folder, {"a": b"2"})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"a": b"1"}


# -- killed between any two steps


def steps(folder, work):
    """Run `work` in children killed before their first, second, … access to `folder`.

    Yields after each kill.
    """
    for number in range(200):
        child = os.fork()
        if child == 0:
            die_before(folder, number)
            work()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            assert os.WEXITSTATUS(status) == 0
            return
        yield number
    raise AssertionError("no end of steps")


def die_before(folder, number):
    """Kill this process before its access `number`, from 0, to a file in `folder`."""
    left = [number]

    def before(what, arguments):
        if what.startswith(("os.", "shutil.", "open")) and any(
            str(folder) in str(argument) for argument in arguments
        ):
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1

    sys.addaudithook(before)


HEAD = 'game = "game"\ncomplete = false\n[sets.{0}]\nname = "{0}"\n'
POOLS = [
    {"pool.toml": HEAD.format(code).encode(), **{f"{code}{n}.jsonl": b"" for n in range(3)}}
    for code in ("old", "new")
]


@pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed here: POSIX only")
def test_a_pool_is_complete_whenever_its_import_is_killed(tmp_path):
    """A library reads the old or the new pool. The next import deletes leftovers."""
    folder, seen = tmp_path / "cardpools" / "game", set()
    replace_folder(folder, POOLS[0])
    for number in steps(tmp_path, lambda: replace_folder(folder, POOLS[1])):
        library = Library([DataRoot.folder(tmp_path)])
        files = library.find_pool("game")
        contents = {"pool.toml": files.head.encode()} | {
            f"{code}.jsonl": text for code, text in files.sets.items()
        }
        assert library.pools() == ("game",)
        assert contents in POOLS, f"killed at step {number}"
        seen.add(POOLS.index(contents))
        replace_folder(folder, POOLS[0])
        assert [path.name for path in folder.parent.iterdir()] == ["game"], "nothing is left lying"
    assert seen == {0, 1}
    assert number > 8


@pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed here: POSIX only")
def test_a_file_is_complete_whenever_its_writer_is_killed(tmp_path):
    """Such as a ban list, or a record of a fetch."""
    path = tmp_path / "lists" / "2026-01-31.toml"
    replace_file(path, b"old")
    for _ in steps(tmp_path, lambda: replace_file(path, b"new")):
        assert path.read_bytes() in {b"old", b"new"}
        replace_file(path, b"old")
        assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed here: POSIX only")
def test_a_copy_is_complete_whenever_its_writer_is_killed(tmp_path):
    """An existing backup is an event. The next backup deletes leftovers."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        copies = tmp_path / BACKUPS
        copies.mkdir()

        def copy():
            with open_desk(tmp_path) as other:
                backup(other)

        whole = 0
        for _ in steps(copies, copy):
            for made in backups(desk):
                with Desk.open(made, lent()) as again:
                    assert check(again) == ()
                made.unlink()
                whole += 1
        assert whole
        backup(desk)
        assert len(list(copies.iterdir())) == 1


def test_a_reader_never_sees_two_versions_of_a_pool(tmp_path):
    """While it is replaced again and again."""
    folder = tmp_path / "game"
    replace_folder(folder, dict.fromkeys("abcdef", b"0"))
    stop = threading.Event()

    def write():
        turn = 0
        while not stop.is_set():
            turn += 1
            replace_folder(folder, {name: str(turn).encode() for name in "abcdef"})

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(amount(50, of=150)):
            contents = read_folder(folder, lambda _: True)
            assert sorted(contents) == list("abcdef")
            assert len(set(contents.values())) == 1
    finally:
        stop.set()
        writer.join()


@pytest.mark.skipif(os.name != "posix", reason="links and pipes with names: POSIX only")
def test_nothing_is_written_through_links_or_into_pipes(tmp_path):
    """Temporary names cannot be guessed."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(TourneyError, match="cannot be written: is a pipe"):
        replace_file(pipe, b"new")
    with pytest.raises(TourneyError, match="is a pipe"):
        write_all([NewFile(pipe, b"new")], replace=True)
    assert pipe.is_fifo()


def test_files_of_running_processes_are_kept(tmp_path):
    """Only leftovers of ended processes are deleted."""
    (tmp_path / f".tourney-{os.getpid()}-01234567.part").touch()
    (tmp_path / ".tourney-999999999-01234567.part").mkdir()
    (tmp_path / ".tourney-999999999-01234567.part-journal").touch()
    (tmp_path / ".tourney-published").touch()
    replace_file(tmp_path / "list.toml", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f".tourney-{os.getpid()}-01234567.part", ".tourney-published", "list.toml",
    ]  # fmt: skip


def test_a_scratch_folder(tmp_path, monkeypatch):
    """Closed to others and deleted at the end. Leftovers of a killed command are deleted, too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / ".tourney-999999999-01234567.part").mkdir()
    (tmp_path / ".tourney-999999999-01234567.part" / "friday.tourney").touch()
    with files.scratch() as folder:
        assert list(tmp_path.iterdir()) == [folder]
        assert folder.stat().st_mode & 0o777 == 0o700 or os.name != "posix"
    assert list(tmp_path.iterdir()) == []


@with_rows(
    ("platform", "environ", "folder"),
    [
        ("linux", {"HOME": "/home/u"}, "/home/u/.cache/tourney"),
        ("linux", {"HOME": "/home/u", "XDG_CACHE_HOME": "/c"}, "/c/tourney"),
        ("linux", {"HOME": "/home/u", "XDG_CACHE_HOME": "c"}, "/home/u/.cache/tourney"),
        ("darwin", {"HOME": "/Users/u"}, "/Users/u/Library/Caches/tourney"),
        ("win32", {"USERPROFILE": "/Users/u", "LOCALAPPDATA": "/local"}, "/local/tourney/cache"),
    ],
)
def test_the_cache_folder_follows_the_system(platform, environ, folder):
    """Linux, macOS and Windows each have their place."""
    assert user_folder(environ, platform, kind="cache") == Path(folder)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The file of compiled code that was kept as `word`."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new" / "cache"))
    assert recall("compiled", "word") is None
    keep("compiled", "word", b"code\n\x00")
    assert recall("compiled", "word") == b"code\n\x00"
    return tmp_path / "new" / "cache" / "tourney" / "compiled" / "word"


def test_compiled_code_is_private(kept):
    """Only its owner can read it; a damaged file is ignored."""
    assert [path.stat().st_mode & 0o777 for path in (kept.parent, kept)] == [0o700, 0o600]
    kept.write_bytes(kept.read_bytes().replace(b"code", b"c0de"))
    assert recall("compiled", "word") is None


def test_compiled_code_that_others_could_have_written_is_never_run(kept, monkeypatch):
    """In files or folders that others may write or own, or behind links."""
    for place, mode in ((kept, 0o620), (kept, 0o602), (kept.parent, 0o770), (kept.parent, 0o707)):
        before = place.stat().st_mode
        place.chmod(mode)
        assert recall("compiled", "word") is None, oct(mode)
        place.chmod(before)
        assert recall("compiled", "word") is not None
    for place in (kept, kept.parent):
        aside = place.with_name("aside")
        place.rename(aside)
        place.symlink_to(aside)
        assert recall("compiled", "word") is None
        place.unlink()
        aside.rename(place)
    kept.with_name("pipe").unlink(missing_ok=True)
    os.mkfifo(kept.with_name("pipe"))
    assert recall("compiled", "pipe") is None
    monkeypatch.setattr("os.geteuid", lambda: kept.stat().st_uid + 1)
    assert recall("compiled", "word") is None


def test_no_compiled_code_is_kept_where_others_may_write(kept):
    """The folder is not changed, and publishing works without it."""
    kept.parent.chmod(0o777)
    keep("compiled", "other", b"code")
    assert [path.name for path in kept.parent.iterdir()] == ["word"]


def test_compiled_code_that_cannot_be_kept_is_compiled_again(tmp_path, monkeypatch):
    """A file is in the place of the cache."""
    (tmp_path / "cache").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    keep("compiled", "word", b"code")
    assert recall("compiled", "word") is None


def test_many_files_are_written_all_or_none(tmp_path, monkeypatch):
    """A disk that refuses one of them: none is in its place, and no leftovers."""
    contents = [
        NewFile(tmp_path / f"{number % 3}" / f"{number}.html", b"%d" % number) for number in range(100)
    ]
    real, synced_paths = files._sync, []

    def sync(path):
        synced_paths.append(path)
        if len(synced_paths) == 60:
            raise OSError(28, "No space left on device")
        real(path)

    monkeypatch.setattr(files, "_sync", sync)
    with pytest.raises(TourneyError, match="no space left"):
        files.replace_files(contents)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    monkeypatch.setattr(files, "_sync", real)
    files.replace_files(contents)
    assert all(file.path.read_bytes() == file.content for file in contents)
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 100
