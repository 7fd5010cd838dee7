"""`banlist fetch` and `pool fetch` as a user runs them, with a server on this machine."""

import json

import pytest
from click.testing import CliRunner

from tests.store.web import tagged, text
from tourney.cli import root

LIST = '[cards]\n"Invented Comet" = 0\n'
HEAD = 'game = "my-game"\ncomplete = true\n[sets.core]\n'


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command on a given day, with a separate data folder."""

    def call(*words, now="2026-11-20T18:00:00+00:00"):
        surroundings = {
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": None,
            "TOURNEY_DATA": None,
            "TOURNEY_NOW": now,
        }
        return CliRunner(env=surroundings).invoke(root, words)

    return call


def test_a_list_is_fetched_renewed_and_kept_while_the_server_is_down(server, run):
    """Each case has its message and exit code 0."""
    server.answers["/list.toml"] = tagged([LIST])
    words = (
        "banlist",
        "fetch",
        server.url("/list.toml"),
        "--as",
        "red-diamond/standard",
        "--from",
        "2026-01-01",
        "--insecure",
    )
    first = run(*words)
    assert first.exit_code == 0
    assert first.stdout.startswith("red-diamond/standard: in force from 2026-01-01, 1 entry (")
    second = run(*words, now="2026-11-20T21:00:00+00:00")
    assert (
        second.stdout
        == "red-diamond/standard of 2026-01-01 has not changed since it was fetched 3 hours ago\n"
    )
    server.stop()
    third = run(*words, "--json", now="2026-11-22T21:00:00+00:00")
    answer = json.loads(third.stdout)
    assert (third.exit_code, answer["changed"], answer["age"]) == (0, False, "2 days ago")
    assert "refused" in answer["offline"]
    assert run("banlist", "show", "red-diamond/standard").exit_code == 0


def test_a_pool_is_fetched_and_ready_to_use(server, run):
    """A second time nothing is sent."""
    server.answers["/pool.toml"] = tagged([HEAD])
    server.answers["/core.jsonl"] = tagged(['{"id": "ant", "name": "Ant"}\n'])
    words = ("pool", "fetch", server.url("/pool.toml"), "--insecure")
    first = run(*words)
    assert first.stdout == "the pool of my-game has 1 card, complete\n"
    assert run("card", "show", "ant").exit_code == 0
    assert run(*words).stdout == "the pool of my-game has not changed since it was fetched just now\n"
    assert json.loads(run(*words, "--json").stdout)["pool"]["cards"] == 1


def test_a_table_of_cards_is_fetched_as_a_set(server, run):
    """Unused columns are reported and the game must be named.

    If unchanged, it is not sent again.
    """
    server.answers["/fresh.csv"] = tagged(["name,speed,art\nInvented Lynx,5,x\n"])
    words = ("pool", "fetch", server.url("/fresh.csv"), "--insecure")
    assert run(*words).exit_code == 2
    assert server.asked == []
    first = run(*words, "--game", "redline")
    assert first.stdout.startswith("redline: 1 card put into the set fresh\n")
    assert "not used: column `art`" in first.stderr
    assert run(*words, "--game", "redline").stdout.startswith("the pool of redline has not changed")
    assert run("card", "show", "invented lynx").exit_code == 0
    other = run(*words, "--game", "redline", "--set", "other")
    assert (other.exit_code, "is already used" in other.stderr) == (3, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda: text("<html>", kind="text/html"), "sent a web page, not a file of data"),
        (lambda: text(""), "the list is empty"),
        (lambda: text("[cards"), "not readable as TOML"),
    ],
)
def test_errors_of_fetch_leave_with_3(server, run, content, message):
    """The message is on stderr; nothing is on stdout or installed."""
    server.answers["/2026-01-01.toml"] = lambda _: content()
    result = run(
        "banlist", "fetch", server.url("/2026-01-01.toml"), "--as", "red-diamond/standard", "--insecure"
    )
    assert (result.exit_code, result.stdout) == (3, "")
    assert message in result.stderr
    assert run("banlist", "show", "red-diamond/standard").exit_code == 3
