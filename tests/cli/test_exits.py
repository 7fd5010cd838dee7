"""Every way out has its exit code, its words and its stream."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import click
import pytest

from tests.kit import ROOT
from tourney.cli.command import root
from tourney.cli.exits import Exit, guard
from tourney.errors import TourneyError


def leave(raised, capsys, monkeypatch, debug=None):
    """Raise in a command and return the code, stdout and stderr."""
    if debug is None:
        monkeypatch.delenv("TOURNEY_DEBUG", raising=False)
    else:
        monkeypatch.setenv("TOURNEY_DEBUG", debug)

    def work():
        raise raised

    code = guard(work)
    out, err = capsys.readouterr()
    return code, out, err


class Panic(BaseException):
    """What a native library raises where it panics: no `Exception`."""


@pytest.mark.parametrize("value", [None, 0, Exit.FOUND, Exit.UNVERIFIED])
def test_a_command_returns_its_code(value):
    """None is 0; a check returns what it found."""
    assert guard(lambda: value) == (value or 0)


def test_a_refusal_is_an_error_line_and_a_hint(capsys, monkeypatch):
    """`error:` first, the hint after a blank line, nothing on stdout, 3."""
    said = leave(TourneyError("there is no table 9", "`tourney round show`"), capsys, monkeypatch)
    assert said == (3, "", "error: there is no table 9\n\nhint: `tourney round show`\n")


def test_a_refusal_without_a_hint_is_one_line(capsys, monkeypatch):
    """No empty hint."""
    assert leave(TourneyError("no"), capsys, monkeypatch) == (3, "", "error: no\n")


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_130(raised, capsys, monkeypatch):
    """Ctrl-C, also at a prompt."""
    assert leave(raised, capsys, monkeypatch) == (130, "", "error: interrupted\n")


def test_a_closed_pipe_is_silent(capsys, monkeypatch):
    """Nobody reads any more: 0, and nothing on stderr."""
    monkeypatch.setattr("tourney.cli.exits.mute", lambda: None)
    assert leave(BrokenPipeError(), capsys, monkeypatch) == (0, "", "")


@pytest.mark.parametrize(
    "raised", [KeyError("7"), RecursionError("deep"), MemoryError(), Panic("index out of bounds")]
)
def test_a_bug_is_one_line_and_a_report(raised, capsys, monkeypatch):
    """70, the path of a report that holds the traceback, and no traceback on the screen."""
    code, out, err = leave(raised, capsys, monkeypatch)
    assert (code, out) == (70, "")
    first, blank, hint = err.rstrip("\n").split("\n")
    assert first.startswith(f"error: this is a bug in tourney ({type(raised).__name__}: ")
    assert (blank, hint[:6]) == ("", "hint: ")
    path = first.rsplit("report: ", 1)[1]
    try:
        assert "Traceback (most recent call last)" in Path(path).read_text(encoding="utf-8")
    finally:
        Path(path).unlink()


@pytest.mark.parametrize(
    "password", ["geheim", "x/geheim", "x@geheim", "x?geheim", "x#geheim", "x'geheim", 'x"geheim', "geheim/x"]
)
def test_no_sign_in_a_password_lets_it_into_a_report(password, monkeypatch, tmp_path, capsys):
    """The command line stands in a report, a database's address in it as it was typed; its scheme is left."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(
        sys, "argv", ["tourney", "-e", f"postgresql://ann:{password}@h/club?event=x", "http://host/way"]
    )
    _, _, err = leave(KeyError(f"postgresql://ann:{password}@h/club"), capsys, monkeypatch)
    (report,) = tmp_path.glob("tourney-report-*")
    text = report.read_text(encoding="utf-8")
    assert "geheim" not in text + err
    assert "postgresql://…" in text
    assert "http://host/…" in text


def test_debug_shows_the_traceback(capsys, monkeypatch):
    """With TOURNEY_DEBUG=1 the traceback is on stderr and the code the same."""
    code, _, err = leave(KeyError("7"), capsys, monkeypatch, debug="1")
    assert code == 70
    assert "Traceback (most recent call last)" in err


def test_what_the_machine_refuses_is_no_bug(capsys, monkeypatch):
    """A full disk or a missing right is told with the file, and is a refusal."""
    monkeypatch.setattr("tourney.cli.exits.mute", lambda: None)
    said = leave(PermissionError(13, "Permission denied", "pages"), capsys, monkeypatch)
    assert said == (3, "", "error: pages: permission denied\n")


def start(*words, **extra):
    return subprocess.Popen([sys.executable, "-m", "tourney", *words], text=True, encoding="utf-8", **extra)


@pytest.mark.parametrize("words", [("completion", "bash"), ("--version",)])
def test_a_real_pipe_closed_early_is_0_and_silent(words):
    """`tourney completion bash | true`: the reader is gone before the first byte; the quick way out knows it, too."""
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(30) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_stdout_is_said():
    """An answer that cannot be written is not a success."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start("completion", "bash", stdout=full, stderr=subprocess.PIPE)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 3
    assert said.startswith("error: no space left on device")


def test_utf8_leaves_on_any_locale():
    """Streams that Python would open as ASCII carry the same bytes."""
    environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
    process = start("rónd", stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ)
    _, said = process.communicate(timeout=30)
    assert "`tourney rónd`" in said


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_real_ctrl_c_is_130():
    """Interrupted while waiting for lines that somebody types: 130 and no traceback."""
    ours, theirs = os.openpty()
    process = start(
        "deck",
        "check",
        "-",
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stderr.readline().startswith("type the lines, then Ctrl-D"), "it is ready to read"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 130
    assert said == "error: interrupted\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["banlist", "new", "https://\udcff", "--output", "-"], "GAME/LIST"),
        (["event", "generate", "Cup", "--format", "dimrift/classic", "--seed", "\udcff"], "--seed"),
        (["standings", "--from", "x.csv", "--seed", "\udcff"], "--seed"),
        (["player", "add", "Mira", "\udcff"], "NAME..."),
        (["format", "new", "game/list", "--title", "\udcff", "-"], "--title"),
        (["deck", "hash", "--salt", "\udcff", "x.txt"], "--salt"),
    ],
)
def test_bytes_that_are_no_text_are_refused_wherever_text_is_meant(words, named, capsys):
    """A word of the command line that is no UTF-8 may be a file's name, and nothing else."""
    assert root.run(words) == Exit.USAGE
    assert f"`{named}`: is not UTF-8 text" in capsys.readouterr().err


def test_a_file_may_be_called_what_is_no_text(tmp_path, monkeypatch, capsys):
    """It is read, and where its name is written down the odd bytes are escaped."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    try:
        Path("caf\udce9.csv").write_text("name\nAnt\n")
    except OSError:
        pytest.skip("this system has no such names")
    assert root.run(["pool", "import", "caf\udce9.csv", "--game", "my-game"]) == Exit.DONE
    assert "\\\\udce9" in Path("home/tourney/cardpools/my-game/pool.toml").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["event", "salvage", "-e", "/"],
        ["event", "log", "-e", "."],
        ["event", "import", "/"],
        ["event", "import", ""],
    ],
)
def test_a_place_without_a_name_is_refused(words, capsys):
    """The root of the disk, and no name at all, are no files."""
    assert root.run(words) == Exit.REFUSED
    assert re.match(r"error: `?[/.]`?:? is a folder, not ", capsys.readouterr().err)


def test_words_that_no_card_has_are_told_where_a_deck_is_checked(tmp_path, monkeypatch, capsys):
    """A format of one's own with a slip in it judges decks by a rule that never holds: the answer says so."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    head = '[format]\nid = "my/list"\npool = "dimrift"\n[[zone]]\nid = "deck"\ndefault = true\n'
    limit = '[[limit]]\nid = "few"\nmax = 1\nwhere = "type == \'{}\'"\n'
    Path("slip.toml").write_text(head + limit.format("creatur"))
    Path("right.toml").write_text(head + limit.format("artifact"))
    Path("ann.txt").write_text("2 Clay Construct\n")
    assert root.run(["deck", "check", "ann.txt", "--format", "slip.toml"]) == Exit.DONE
    assert "no card of the pool has the type `creatur`; did you mean `creature`?" in capsys.readouterr().err
    assert root.run(["deck", "check", "ann.txt", "--format", "right.toml"]) == Exit.DONE
    assert "warning" not in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_the_clock_goes_on_on_a_terminal_until_it_is_interrupted(tmp_path):
    """It writes over itself, tells what is entered meanwhile, and Ctrl-C ends it without a word."""
    import pty

    run = partial(subprocess.run, cwd=tmp_path, check=True, capture_output=True)
    tourney = [sys.executable, "-m", "tourney"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path), "COLUMNS": "60"}
    for line in (
        ["event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none", "--minutes", "40"],
        ["player", "add", "Mira", "Tomo"],
        ["round", "next", "--start"],
    ):
        run([*tourney, *line], env=environment)
    ours, theirs = pty.openpty()
    clock = subprocess.Popen(
        [*tourney, "round", "clock"], cwd=tmp_path, env=environment, stdin=theirs, stdout=theirs, stderr=theirs,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    try:
        said = seen(ours, rb"Round 1: (40|39):\d\d left\x1b\[K")
        run([*tourney, "round", "extend", "1", "3"], env=environment)
        said += seen(ours, rb"left; table 1: 4[23]:\d\d left\x1b\[K")
        os.kill(clock.pid, signal.SIGINT)
        assert clock.wait(20) == 130
        said += os.read(ours, 1000)
    finally:
        clock.kill()
        os.close(ours)
    assert said.count(b"\r") > 1
    assert said.endswith(b"\x1b[K\r\n")
    assert b"interrupted" not in said


def seen(terminal, pattern):
    """Read a terminal until it has shown something; what it showed."""
    said, until = b"", time.monotonic() + 30
    while not re.search(pattern, said):
        assert time.monotonic() < until, said
        if select.select([terminal], [], [], 1)[0]:
            said += os.read(terminal, 1000)
    return said
