"""Shell completion offers names from the event and the data, and never shows an error."""

import os
import shutil
import subprocess
import sys

import pytest
from click import Context
from click.shell_completion import ShellComplete, get_completion_class
from click.testing import CliRunner

from tests.kit import ROOT, with_rows
from tourney.cli.command import NOUNS, Noun, root


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOURNEY_EVENT", raising=False)


@pytest.fixture
def event():
    runner = CliRunner()
    for line in (
        ["event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none"],
        ["player", "add", "Mira Oake", "Mira Reed", "Tomo Quick", "Ansel O'Dell"],
        ["round", "pair"],
        ["result", "add", "1", "1-0"],
    ):
        assert runner.invoke(root, line).exit_code == 0


def completed(words, incomplete):
    """Return the words that the shell would offer after `tourney words incomplete`."""
    return [
        item.value
        for item in ShellComplete(root, {}, "tourney", "_TOURNEY_COMPLETE").get_completions(words, incomplete)
    ]


def test_nouns_and_verbs_are_completed():
    """Completion offers the nouns, and after a noun its verbs."""
    assert completed([], "ro") == ["round"]
    assert {"pair", "why", "why-not"} <= set(completed(["round"], ""))


@with_rows("noun", sorted(NOUNS))
def test_completion_shows_the_help_of_the_commands(noun):
    """The help is read from the source of their modules, without importing them."""
    group = root.get_command(Context(root), noun)
    if isinstance(group, Noun):
        context = Context(group)
        commands = [group.get_command(context, name) for name in group.list_commands(context)]
        assert {item.value: item.help for item in group.shell_complete(context, "")} == {
            command.name: command.get_short_help_str() for command in commands
        }


def test_completion_imports_no_command(tmp_path):
    """Neither the help of a noun nor the completion of nouns and verbs imports the desk."""
    program = (
        "import sys; from tourney.cli import root; code = root.run(sys.argv[1:]);"
        "print(code, [name for name in sys.modules if name.startswith('tourney.desk')])"
    )
    for words, variables in (
        (["round", "--help"], {}),
        ([], {"COMP_WORDS": "tourney ", "COMP_CWORD": "1"}),
        ([], {"COMP_WORDS": "tourney event ", "COMP_CWORD": "2"}),
    ):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path), **variables}
        if variables:
            environment["_TOURNEY_COMPLETE"] = "bash_complete"
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        assert done.stdout.splitlines()[-1] == "0 []"
        assert len(done.stdout.splitlines()) > len(NOUNS)


def test_players_are_completed_by_name_in_any_case_and_by_number(event):
    """Capital letters do not matter; `#` lists the numbers."""
    assert completed(["player", "drop"], "mi") == ["Mira Oake", "Mira Reed"]
    assert completed(["player", "drop"], "#") == ["#1", "#2", "#3", "#4"]


def test_tables_still_playing_are_completed(event):
    """Table 1 is not offered, because it has a result."""
    assert completed(["result", "add"], "") == ["2"]


@pytest.mark.usefixtures("event")
def test_endings_of_a_game_are_completed():
    """Completion offers the endings of the format, and those of any game."""
    offered = completed(["result", "add", "2", "--ended"], "")
    assert offered == ["agreement", "time", "concession", "ruling"]


def test_formats_profiles_and_lists_are_completed():
    """Completion offers the names in the installed data."""
    assert completed(["event", "new", "--format"], "redline/st") == ["redline/standard"]
    assert completed(["event", "new", "--profile"], "mt") == ["mtr"]
    assert "none" in completed(["event", "new", "--banlist"], "")


def test_cards_are_completed():
    """After the first letter, from the shipped pools."""
    assert all(name.casefold().startswith("a") for name in completed(["card", "show"], "a"))
    assert completed(["card", "show"], "a")


def test_without_an_event_nothing_is_completed():
    """No event, two events or a broken event give no words and no error."""
    assert completed(["player", "drop"], "mi") == []


def test_an_earlier_option_is_respected(event, tmp_path):
    """`-e` names another event."""
    (tmp_path / "cup.tourney").rename(tmp_path / "other.tourney")
    (tmp_path / "broken.tourney").write_text("no event", encoding="utf-8")
    assert completed(["player", "drop", "-e", "other"], "mira o") == ["Mira Oake"]
    assert completed(["player", "drop", "-e", "broken"], "mira o") == []


def test_bash_gets_escaped_names(event, monkeypatch):
    """Bash inserts the answer as it is, so only for bash spaces and quotes are escaped."""
    monkeypatch.setenv("_TOURNEY_COMPLETE", "bash_complete")
    assert completed(["player", "drop"], "an") == ["Ansel\\\\ O\\\\'Dell"]


HOSTILE = (
    "$(touch hit)",
    "`touch hit`",
    "a;touch hit",
    "a&touch hit",
    "a|b",
    "a>hit",
    "*",
    "~",
    "x'y",
    'x"y',
    "{a,b}",
    "a\\x \\$b",
    "ends so\\",
)


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash on this machine: nothing was completed in it")
@pytest.mark.parametrize("name", HOSTILE)
def test_bash_reads_an_inserted_name_as_one_word(tmp_path, name):
    """Bash runs the script and reads the answer back: it is the name, and nothing is run."""
    runner = CliRunner()
    assert (
        runner.invoke(
            root, ["event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none"]
        ).exit_code
        == 0
    )
    assert runner.invoke(root, ["player", "add", "--", name]).exit_code == 0
    variables = {
        "_TOURNEY_COMPLETE": "bash_complete",
        "COMP_WORDS": "tourney player drop ",
        "COMP_CWORD": "3",
    }
    (tmp_path / "answer").write_text(CliRunner(env=variables).invoke(root, []).stdout, encoding="utf-8")
    script = """
        while IFS=',' read type value; do inserted=$value; done < answer
        eval "set -- $inserted"
        printf '%s|%s' "$#" "$1"
    """
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (result.stdout, result.stderr) == (f"1|{name}", "")
    assert not (tmp_path / "hit").exists()


def test_file_names_are_escaped_and_untypable_ones_left_out(tmp_path, monkeypatch):
    """Bash would read a line end in a file's name as another answer."""
    for name in ("a b.tourney", "$(x).tourney", "two\nplain\nlines.tourney", "bell\x07.tourney"):
        (tmp_path / name).write_bytes(b"")
    assert completed(["event", "show", "-e"], "") == ["$(x).tourney", "a b.tourney"]
    monkeypatch.setenv("_TOURNEY_COMPLETE", "bash_complete")
    assert completed(["event", "show", "-e"], "") == ["\\\\$\\\\(x\\\\).tourney", "a\\\\ b.tourney"]


@with_rows("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_names_our_variable(shell):
    """`tourney completion SHELL` prints the script that click's class for the shell prints."""
    result = CliRunner().invoke(root, ["completion", shell])
    assert result.exit_code == 0
    assert f"_TOURNEY_COMPLETE={shell}_complete" in result.stdout
    assert get_completion_class(shell) is not None


def test_completion_answers_before_anything_else(event):
    """Through the environment, with the answer on stdout and exit code 0."""
    variables = {
        "_TOURNEY_COMPLETE": "zsh_complete",
        "COMP_WORDS": "tourney player drop to",
        "COMP_CWORD": "3",
    }
    result = CliRunner(env=variables).invoke(root, [])
    assert (result.exit_code, result.stdout.split("\n")[:2]) == (0, ["plain", "Tomo Quick"])
