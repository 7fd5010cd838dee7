"""Each way to end a command has its exit code, message and stream."""

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

from tests.kit import ROOT, with_rows
from tourney.cli import root
from tourney.cli.command import Exit, guard
from tourney.errors import TourneyError


def leave(raised, capsys, monkeypatch, debug=None):
    """Raise in a command, and return the code, stdout and stderr."""
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
    """An exception like a native library's panic: not an `Exception`."""


@with_rows("value", [None, 0, Exit.FOUND, Exit.UNVERIFIED])
def test_a_command_returns_its_code(value):
    """None is exit code 0; a check returns its own code."""
    assert guard(lambda: value) == (value or 0)


def test_an_error_is_a_line_and_a_hint(capsys, monkeypatch):
    """`error:` first, the hint after a blank line, nothing on stdout, exit code 3."""
    output = leave(TourneyError("there is no table 9", "`tourney round show`"), capsys, monkeypatch)
    assert output == (3, "", "error: there is no table 9\n\nhint: `tourney round show`\n")


def test_an_error_without_a_hint_is_one_line(capsys, monkeypatch):
    assert leave(TourneyError("no"), capsys, monkeypatch) == (3, "", "error: no\n")


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_130(raised, capsys, monkeypatch):
    """Ctrl-C exits with 130, also at a prompt."""
    assert leave(raised, capsys, monkeypatch) == (130, "", "error: interrupted\n")


def test_a_closed_pipe_is_silent(capsys, monkeypatch):
    """The reader has gone: 0, and nothing on stderr."""
    monkeypatch.setattr("tourney.cli.command.mute", lambda: None)
    assert leave(BrokenPipeError(), capsys, monkeypatch) == (0, "", "")


@pytest.mark.parametrize(
    "raised", [KeyError("7"), RecursionError("deep"), MemoryError(), Panic("index out of bounds")]
)
def test_a_bug_is_one_line_and_a_report(raised, capsys, monkeypatch):
    """Code 70 and the path of a report with the traceback; no traceback on the screen."""
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
def test_a_bug_report_has_no_password(password, monkeypatch, tmp_path, capsys):
    """Reports contain the command line with addresses as typed; only the scheme is kept."""
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
    """With TOURNEY_DEBUG=1 the traceback is on stderr, with the same code."""
    code, _, err = leave(KeyError("7"), capsys, monkeypatch, debug="1")
    assert code == 70
    assert "Traceback (most recent call last)" in err


def test_an_operating_system_error_is_not_a_bug(capsys, monkeypatch):
    """A full disk or a missing permission is an error with the file's name."""
    monkeypatch.setattr("tourney.cli.command.mute", lambda: None)
    output = leave(PermissionError(13, "Permission denied", "pages"), capsys, monkeypatch)
    assert output == (3, "", "error: pages: permission denied\n")


def start(*words, **extra):
    return subprocess.Popen([sys.executable, "-m", "tourney", *words], text=True, encoding="utf-8", **extra)


@with_rows("words", [("completion", "bash"), ("--version",)])
def test_a_real_pipe_closed_early_is_0_and_silent(words):
    """`tourney completion bash | true`: the reader is gone before the first byte."""
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(30) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_reported():
    """An answer that cannot be written is not a success."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start("completion", "bash", stdout=full, stderr=subprocess.PIPE)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 3
    assert errors.startswith("error: no space left on device")


def test_output_is_utf8_in_any_locale():
    """Streams that Python would open as ASCII are UTF-8, too."""
    environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
    process = start("rónd", stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ)
    _, errors = process.communicate(timeout=30)
    assert "`tourney rónd`" in errors


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_real_ctrl_c_is_130():
    """Interrupted while waiting for typed lines: 130 and no traceback."""
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
        _, errors = process.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 130
    assert errors == "error: interrupted\n"


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
def test_invalid_utf8_is_refused_as_text(words, named, capsys):
    """A word that is not UTF-8 can only be the name of a file."""
    assert root.run(words) == Exit.USAGE
    assert f"`{named}`: is not UTF-8 text" in capsys.readouterr().err


def test_a_file_name_may_be_invalid_utf8(tmp_path, monkeypatch, capsys):
    """The file is read, and the bytes are escaped where its name is shown."""
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
def test_a_path_without_a_file_name_is_refused(words, capsys):
    """Examples are the root of the disk, and an empty name."""
    assert root.run(words) == Exit.REFUSED
    assert re.match(r"error: `?[/.]`?:? is a folder, not ", capsys.readouterr().err)


def test_a_misspelt_word_of_a_format_is_reported_in_deck_check(tmp_path, monkeypatch, capsys):
    """With it, a rule would never apply."""
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


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_the_clock_runs_on_a_terminal_until_interrupted(tmp_path):
    """It overwrites itself, shows new results, and Ctrl-C ends it silently."""
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
        [*tourney, "round", "clock"], cwd=tmp_path, env=environment, stdin=theirs, stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    try:
        output = wait_for(ours, rb"Round 1: (40|39):\d\d left\x1b\[K")
        run([*tourney, "round", "extend", "1", "3"], env=environment)
        output += wait_for(ours, rb"left; table 1: 4[23]:\d\d left\x1b\[K")
        os.kill(clock.pid, signal.SIGINT)
        assert clock.wait(60) == 130
        output += os.read(ours, 1000)
    finally:
        clock.kill()
        os.close(ours)
    assert output.count(b"\r") > 1
    assert output.endswith(b"\x1b[K\r\n")
    assert b"interrupted" not in output


def wait_for(terminal, pattern):
    """Read a terminal until its output matches, and return the output."""
    output, until = b"", time.monotonic() + 30
    while not re.search(pattern, output):
        assert time.monotonic() < until, output
        if select.select([terminal], [], [], 1)[0]:
            output += os.read(terminal, 1000)
    return output
