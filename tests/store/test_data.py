"""The library finds data by name in several folders, and lists the names that exist."""

import os
import socket
import tempfile
from datetime import date
from pathlib import Path

import pytest

from tests.kit import with_rows
from tourney.cli.deck_reading import deck_files
from tourney.errors import TourneyError
from tourney.store.data import DataRoot, Library, roots, shipped
from tourney.store.event_file import EventFile
from tourney.store.export import read_exported
from tourney.store.files import display_path, files_below, read_bytes, user_folder
from tourney.store.shared_folders import warnings_about

FORMAT = '[format]\nid = "{id}"\n[[zone]]\nid = "deck"\ndefault = true\nsize = {size}\n'
POOL = 'game = "game"\ncomplete = false\n'


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


@pytest.fixture
def library(tmp_path):
    """A library of two folders; the first takes precedence."""

    def make(first=None, second=None):
        folders = [write(tmp_path / "first", first or {}), write(tmp_path / "second", second or {})]
        return Library([DataRoot.folder(folder) for folder in folders])

    return make


def test_the_first_folder_with_the_name_is_used(library):
    """The whole file or pool comes from that folder."""
    second = {
        "formats/game/a.toml": FORMAT.format(id="game/a", size=40),
        "formats/game/b.toml": FORMAT.format(id="game/b", size=50),
        "cardpools/game/pool.toml": POOL,
        "cardpools/game/core.jsonl": '{"id": "a", "name": "Second"}',
    }
    first = {
        "formats/game/a.toml": FORMAT.format(id="game/a", size=60),
        "cardpools/game/pool.toml": POOL,
        "cardpools/game/mine.jsonl": '{"id": "a", "name": "First"}',
    }
    data = library(first, second)
    assert data.formats() == ("game/a", "game/b")
    assert [data.find_format(name).path.parent.parent.parent.name for name in data.formats()] == [
        "first",
        "second",
    ]
    assert [card.name for card in data.pool("game")] == ["First"]
    assert data.pool("game") is data.pool("game")


def test_a_format_is_found_by_name_and_by_file(library, tmp_path):
    """By a name, a path, or a path relative to the current folder."""
    data = library({"formats/game/a.toml": FORMAT.format(id="game/a", size=60)})
    by_name = data.format("game/a")
    assert by_name.id == "game/a"
    path = tmp_path / "elsewhere" / "house.toml"
    write(tmp_path, {"elsewhere/house.toml": FORMAT.format(id="game/house", size=40)})
    assert data.format(path).id == "game/house"
    assert data.format(str(path)).id == "game/house"


def test_a_format_extends_a_name_or_a_file_beside_it(library, tmp_path):
    """A house overlay may stand on a shipped format or on its neighbour."""
    data = library({"formats/game/a.toml": FORMAT.format(id="game/a", size=60)})
    write(
        tmp_path,
        {
            "house/one.toml": '[format]\nid = "game/one"\nextends = "game/a"\n',
            "house/two.toml": '[format]\nid = "game/two"\nextends = "one.toml"\n',
        },
    )
    assert data.format(tmp_path / "house" / "two.toml").parents == ("game/one", "game/a")


def test_formats_that_extend_each_other_are_refused(library):
    """The error names the formats of the circle."""
    circle = {
        "formats/game/a.toml": '[format]\nid = "game/a"\nextends = "game/b"\n',
        "formats/game/b.toml": '[format]\nid = "game/b"\nextends = "game/a"\n',
    }
    with pytest.raises(TourneyError, match=r"extend"):
        library(circle).format("game/a")


def test_an_unknown_name_is_refused_with_suggestions(library):
    """The error has the name, similar names, and the existing ones."""
    data = library({"formats/game/standard.toml": FORMAT.format(id="game/standard", size=60)})
    with pytest.raises(TourneyError) as refusal:
        data.format("game/standart")
    assert refusal.value.message == "there is no format `game/standart`; did you mean `game/standard`?"
    assert refusal.value.hint == "choose `game/standard`"
    with pytest.raises(TourneyError) as refusal:
        data.format("game")
    assert refusal.value.message == "there is no format `game`; did you mean `game/standard`?"
    with pytest.raises(TourneyError) as refusal:
        data.pool("magic")
    assert (refusal.value.message, refusal.value.hint) == ("there is no card pool `magic`", "there is none")


@pytest.mark.parametrize("name", ["../second/formats/game/a", "/etc/passwd", "game/../game/a", "", "."])
def test_a_name_never_leads_out_of_the_folders(library, name):
    """Names are looked up, not joined to paths."""
    data = library({}, {"formats/game/a.toml": FORMAT.format(id="game/a", size=60)})
    for ask in (data.format, data.pool, lambda name: data.banlist_file(name, date(2026, 1, 1))):
        with pytest.raises(TourneyError):
            ask(name)
    assert data.banlist(name, date(2026, 1, 1)) is None


LIST = "[cards]\n'Some Card' = 0\n"


def test_the_ban_list_in_force_is_the_latest_not_after_the_day(library):
    """Before the first list there is none. A list is in force from its day on."""
    days = {f"banlists/game/main/{day}.toml": LIST for day in ("2026-01-01", "2026-03-01")}
    data = library(days)
    when = [date(2025, 12, 31), date(2026, 1, 1), date(2026, 2, 28), date(2026, 3, 1), date(2030, 1, 1)]
    in_force = [data.find_banlist("game/main", day) for day in when]
    assert [banlist and banlist.day.isoformat() for banlist in in_force] == [
        None, "2026-01-01", "2026-01-01", "2026-03-01", "2026-03-01",
    ]  # fmt: skip
    assert data.banlists() == {"game/main": (date(2026, 1, 1), date(2026, 3, 1))}
    assert data.banlist("game/other", date(2026, 1, 1)) is None


def test_ban_lists_of_all_folders_are_merged_by_day(library):
    """For the same day the first folder takes precedence."""
    data = library(
        {"banlists/game/main/2026-03-01.toml": LIST, "banlists/game/main/2026-02-01.toml": LIST},
        {"banlists/game/main/2026-01-01.toml": LIST, "banlists/game/main/2026-02-01.toml": "[cards]\n"},
    )
    first = [data.find_banlist("game/main", date(2026, month, 1)) for month in (1, 2, 3)]
    assert [file.path.parts[-5] for file in first] == ["second", "first", "first"]


def test_a_ban_list_has_the_name_of_its_folder(library):
    """A format names it in the same way, also with `_`."""
    data = library({"banlists/my_game/main/2026-01-01.toml": LIST})
    assert data.banlist_names() == ("my_game/main",)
    assert data.banlist("my_game/main", date(2026, 1, 1)) is not None


def test_a_ban_list_file_must_be_named_by_its_day(library):
    """A file whose name is not a date is refused."""
    data = library({"banlists/game/main/january.toml": LIST})
    with pytest.raises(TourneyError, match=r"after the day it takes effect"):
        data.banlists()


def test_a_day_without_a_list_is_refused_with_the_days_there_are(library):
    """`banlist show NAME DAY`."""
    data = library({"banlists/game/main/2026-03-01.toml": LIST})
    with pytest.raises(TourneyError) as refusal:
        data.banlist_file("game/main", date(2026, 3, 2))
    assert (
        refusal.value.message == "there is no ban list game/main of `2026-03-02`; did you mean `2026-03-01`?"
    )


def test_a_file_that_is_not_text_is_refused_with_its_line(library):
    """The line of the first wrong byte, as in UTF-16 and latin-1 files."""
    data = library({"formats/game/a.toml": FORMAT.format(id="game/a", size=1).encode() + b"# caf\xe9"})
    with pytest.raises(TourneyError, match=r"a\.toml:7: not UTF-8 text$") as refusal:
        data.format("game/a")
    assert refusal.value.hint == "save the file as UTF-8"


def test_a_missing_file_is_refused(library, tmp_path):
    """The error for a path that is not a file says so."""
    with pytest.raises(TourneyError, match=r"none\.toml: there is no such file$"):
        library().format(tmp_path / "none.toml")


def test_the_order_of_the_roots(tmp_path):
    """`--data`, then $TOURNEY_DATA, then the user's folder, then the shipped data."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    data_roots = roots(
        one, {"TOURNEY_DATA": str(two), "HOME": str(tmp_path), "XDG_DATA_HOME": ""}, platform="linux"
    )
    assert [root.path for root in data_roots] == [one, two, tmp_path / ".local/share/tourney", shipped().path]


def test_a_data_folder_that_does_not_exist_is_refused(tmp_path):
    """Otherwise a typing error would silently use the shipped data."""
    with pytest.raises(TourneyError, match=r"^--data: `.*none` does not exist$"):
        roots(tmp_path / "none", {})
    with pytest.raises(TourneyError, match=r"^\$TOURNEY_DATA: `.*none` does not exist$"):
        roots(None, {"TOURNEY_DATA": str(tmp_path / "none")})


@with_rows(
    ("platform", "environ", "folder"),
    [
        ("linux", {"HOME": "/home/u"}, "/home/u/.local/share/tourney"),
        ("linux", {"HOME": "/home/u", "XDG_DATA_HOME": "/data"}, "/data/tourney"),
        ("linux", {"HOME": "/home/u", "XDG_DATA_HOME": "data"}, "/home/u/.local/share/tourney"),
        ("linux", {"HOME": "/home/u", "XDG_DATA_HOME": "./data"}, "/home/u/.local/share/tourney"),
        ("darwin", {"HOME": "/Users/u"}, "/Users/u/Library/Application Support/tourney"),
        ("win32", {"USERPROFILE": "/Users/u"}, "/Users/u/AppData/Local/tourney"),
        ("win32", {"USERPROFILE": "/Users/u", "LOCALAPPDATA": "/local"}, "/local/tourney"),
    ],
)
def test_the_user_s_folder_follows_the_system(platform, environ, folder):
    """Linux, macOS and Windows each have their place."""
    assert user_folder(environ, platform) == Path(folder)


def test_circular_links_are_reported(tmp_path, monkeypatch):
    """A file whose link leads to itself, and a folder behind it."""
    monkeypatch.chdir(tmp_path)
    Path("circle").symlink_to("circle")
    for path in (Path("circle"), Path("circle/x")):
        assert display_path(path) == str(path)
        assert warnings_about(path / "x.tourney", mounts="") == ()
        with pytest.raises(TourneyError, match=f"^{path}: too many levels"):
            read_bytes(path)


def test_a_user_without_a_home(monkeypatch, tmp_path):
    """Without $HOME and a user entry, the shipped data is read, and nothing is written."""

    def unknown(_):
        raise KeyError

    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.delenv("HOME", raising=False)
    assert roots(None, {}, platform="linux") == (shipped(),)
    library = Library.open(environ={})
    assert "redline/standard" in library.formats()
    with pytest.raises(TourneyError, match="cannot find your data folder"):
        _ = library.home
    assert Library.open(tmp_path, environ={}).home.path == tmp_path
    assert user_folder({"XDG_DATA_HOME": "/data"}, "linux") == Path("/data/tourney")
    assert user_folder({"HOME": "~nobody/y"}, "linux") == Path("~nobody/y/.local/share/tourney")


@pytest.mark.parametrize("variables", [{}, {"HOME": ""}, {"HOME": "", "XDG_DATA_HOME": ""}])
def test_an_empty_home_is_ignored(variables, monkeypatch, tmp_path):
    """The system's entry is used, and never the root folder."""
    for name, value in {"HOME": "", **variables}.items():
        monkeypatch.setenv(name, value)
    pwd = pytest.importorskip("pwd")
    someone = pwd.struct_passwd(("someone", "x", 1, 1, "", str(tmp_path), "/bin/sh"))
    monkeypatch.setattr("pwd.getpwuid", lambda _: someone)
    assert user_folder(variables, "linux") == tmp_path / ".local" / "share" / "tourney"
    nameless = pwd.struct_passwd((*someone[:5], "", someone[6]))
    monkeypatch.setattr("pwd.getpwuid", lambda _: nameless)
    assert user_folder(variables, "linux") is None


def test_the_shipped_data_is_found_without_settings(tmp_path):
    """The five games are there in a checkout."""
    data = Library.open(environ={"HOME": str(tmp_path)})
    assert {name.split("/")[0] for name in data.formats()} == {
        "red-diamond", "redline", "dimrift", "diamonsters", "kingdoms",
    }  # fmt: skip
    assert data.pools() == ("diamonsters", "dimrift", "kingdoms", "red-diamond", "redline")
    assert data.home.path == tmp_path / ".local" / "share" / "tourney"


@pytest.fixture(params=["pipe", "socket", "device", "folder"])
def special(request, short_path):
    """A special file, and its kind in messages."""
    path = short_path / "list.txt"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    return path, request.param


@pytest.fixture
def short_path():
    """A folder with a path short enough for a socket's address."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.skipif(os.name != "posix", reason="POSIX has pipes and sockets with names")
def test_special_files_are_refused_before_they_are_opened(special):
    """A pipe waits for a writer, and /dev/zero never ends."""
    path, what = special
    readers = (
        read_bytes,
        read_exported,
        EventFile.open,
    )
    for read in readers:
        with pytest.raises(TourneyError, match=f"is a {what}, not an? "):
            read(path)
    assert not path.with_suffix(".tourney").exists()


def test_a_folder_with_too_many_files_is_refused(tmp_path, monkeypatch):
    """The search ends early, and skips hidden files and folders."""
    write(tmp_path / "few", {"b.txt": "", "a/c.txt": "", "a/.hidden.txt": "", ".git/config": "", "a.txt": ""})
    monkeypatch.setattr("tourney.store.files.MAX_FILES", 8)
    few = tmp_path / "few"
    (few / "in a circle").symlink_to(few)
    assert [path.relative_to(few).as_posix() for path in files_below(few)] == ["a/c.txt", "a.txt", "b.txt"]
    assert len(files_below(few, include_hidden=True)) == 5
    write(tmp_path / "many", {f"{number}.txt": "" for number in range(9)})
    with pytest.raises(
        TourneyError, match=r"many: there are more than 8 files and folders in and below it"
    ) as refusal:
        files_below(tmp_path / "many")
    assert refusal.value.hint == "name the folder that holds them, or the files"
    with pytest.raises(TourneyError, match="more than 8 files"):
        deck_files((str(tmp_path / "many"),))


TITLED = '[format]\nid = "{id}"\nname = "{title}"\n'


def test_a_format_is_found_by_its_title(library):
    """Case, accents, spaces and punctuation do not matter. A unique prefix is enough."""
    data = library(
        {
            "formats/go/plain.toml": TITLED.format(id="go/plain", title="Gó: Plain & Simple"),
            "formats/go/long.toml": TITLED.format(id="go/long", title="Go, long"),
            "formats/broken/broken.toml": "[format",
        }
    )
    for title in ("Gó: Plain & Simple", "GO plain  and simple", "go plain", "Go Plain", "go-plain"):
        assert data.find_format(title).name == "go/plain", title
    assert data.find_format("go long").name == "go/long"
    assert data.formats_with_title("g") == data.formats_with_title("&") == ()


def test_an_ambiguous_title_is_refused_with_the_names(library):
    """Titles with the same start, and formats with the same title."""
    data = library(
        {
            "formats/go/a.toml": TITLED.format(id="go/a", title="Go, long"),
            "formats/go/b.toml": TITLED.format(id="go/b", title="Go, short"),
            "formats/go/c.toml": TITLED.format(id="go/c", title="Go, short"),
        }
    )
    with pytest.raises(TourneyError) as refusal:
        data.format("GO")
    assert refusal.value.message == "`GO` can be one of 3 formats"
    assert refusal.value.hint == "name the format: `go/a`, `go/b` or `go/c`"
    with pytest.raises(TourneyError) as refusal:
        data.format("go short")
    assert refusal.value.hint == "name the format: `go/b` or `go/c`"
