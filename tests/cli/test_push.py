"""Posting and publishing as a user runs it, with a local server."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.kit import ROOT
from tests.store.web import head
from tourney.cli import root

HOOK = "/api/webhooks/1/TOPSECRET"
NOW = "2026-11-20T18:00:00+00:00"


@pytest.fixture
def server(server):
    """Return a server with a webhook that accepts posts."""
    server.answers[HOOK] = lambda _: iter([head(status="204 No Content")])
    return server


@pytest.fixture
def run(tmp_path, monkeypatch, server):
    """Return a function that runs a command with an event of four in round 1.

    It checks that the output never contains the secret.
    """
    monkeypatch.chdir(tmp_path)

    def call(*words, stdin=None):
        surroundings = {
            "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "home"), "TOURNEY_DATA": None,
            "TOURNEY_NOW": NOW, "TOURNEY_BY": "desk", "TOURNEY_SEED": "1",
        }  # fmt: skip
        made = CliRunner(env=surroundings).invoke(root, words, input=stdin)
        assert "TOPSECRET" not in made.output
        return made

    call("event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none", "--rounds", "3")
    call("player", "add", "Mira", "Tomo", "Ansel", "Bryn")
    call("publish", "--remember", "friday", "-", "--insecure", stdin=server.url(HOOK) + "\n")
    call("round", "pair")
    return call


def test_new_messages_are_posted_once(run, server):
    """To the name of a saved address. Without `--to`, no folder is made."""
    made = run("publish", "--post", "friday")
    assert (made.exit_code, made.stdout) == (0, "friday: posted: pairings of round 1\n")
    assert run("publish", "--post", "friday").stdout == "friday: nothing new to post\n"
    assert not Path("pages").exists()
    (request,) = server.asked
    assert json.loads(request.body)["content"] == "Cup · Round 1: pairings"


def test_only_the_users_own_file_has_the_secret(run, tmp_path):
    """The event, its pages and the record of posts do not contain it."""
    run("event", "change", "--set", "post_to=friday")
    run("publish", "--to", "pages", "--post", "friday", "--json")
    holding = [
        path.name for path in tmp_path.rglob("*") if path.is_file() and b"TOPSECRET" in path.read_bytes()
    ]
    assert holding == ["addresses.toml"]
    for made in run("publish", "--addresses", "--json"), run("publish", "--addresses"), run("event", "show"):
        assert made.exit_code == 0
    assert run("event", "change", "--set", "post_to=https://x.example/hook").exit_code == 3


def test_a_bug_report_has_no_secret(run, tmp_path, monkeypatch, server):
    """The report contains the command line, which could contain an address."""
    monkeypatch.setattr("tourney.desk.posting.post", lambda *_, **__: 1 / 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["tourney", "publish", "--post", server.url(HOOK)])
    assert run("publish", "--post", server.url(HOOK), "--insecure").exit_code == 70
    (report,) = tmp_path.glob("tourney-report-*")
    assert "TOPSECRET" not in report.read_text()
    assert "http://127.0.0.1" in report.read_text()


def test_a_failed_post_after_pages_are_written(run, server):
    """The pages are published: exit code 1. A post alone: 3, or 4 if it is unknown."""
    server.answers[HOOK] = lambda _: iter([head(status="404 Not Found")])
    with_pages = run("publish", "--to", "pages", "--post", "friday")
    assert (with_pages.exit_code, with_pages.stdout.startswith("pages: ")) == (1, True)
    assert "warning: not posted to friday: pairings of round 1" in with_pages.stderr
    alone = run("publish", "--post", "friday")
    assert (alone.exit_code, alone.stdout) == (3, "")
    assert alone.stderr.startswith("error: not posted to friday")
    server.answers[HOOK] = lambda _: iter([])
    assert run("publish", "--post", "friday").exit_code == 4
    result = run("publish", "--to", "pages", "--post", "friday", "--json")
    assert result.exit_code == 4
    assert json.loads(result.stdout)["posts"][0]["unsure"] is True


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: iter([head(status="404 Not Found")]),
        lambda _: iter([head("Retry-After: 900", status="429 Too Many Requests")]),
        lambda _: iter([]),
        lambda _: iter([b"no HTTP at all"]),
    ],
)
def test_a_typed_address_is_shown_once_without_its_secret(run, server, answer):
    """Whether the server refuses, asks to wait, is silent, or is not a web server."""
    server.answers[HOOK] = answer
    made = run("publish", "--post", server.url(HOOK), "--insecure")
    assert made.exit_code in {3, 4}
    where = server.url("/").rstrip("/")
    assert made.stderr.count(where) == 1, made.stderr
    assert f"posted to {where}/…: pairings of round 1: " in made.stderr


def test_a_dry_run_posts_nothing(run, server):
    """The payload is shown; nothing is posted, run or written."""
    made = run("publish", "--to", "pages", "--post", "friday", "--then", "touch done", "--dry-run", "--json")
    document = json.loads(made.stdout)
    assert (document["dry_run"], document["then"]) == (
        True,
        {"command": ["touch", "done"], "exit_code": None},
    )
    assert document["posts"][0]["payloads"][0]["allowed_mentions"] == {"parse": []}
    assert (server.asked, Path("pages").exists(), Path("done").exists()) == ([], False, False)


def test_round_next_posts_and_failures_are_warnings(run, server):
    """Posts go to the addresses in the event's settings, after the pages are written."""
    run("event", "change", "--set", "post_to=friday")
    run("result", "add", "1..2", "1-0")
    made = run("round", "next")
    assert "Posted to friday: standings after round 1 and pairings of round 2." in made.stdout
    run("result", "add", "1..2", "1-0")
    server.answers[HOOK] = lambda _: iter([head(status="404 Not Found")])
    made = run("round", "next", "--json")
    assert made.exit_code == 0
    assert json.loads(made.stdout)["warnings"][-1].endswith(
        "the change is saved (`tourney publish --post friday`)"
    )


def test_then_runs_a_command_on_the_pages(run):
    """The exit code is shown, the output goes to stderr, and no shell is used."""
    good = run(
        "publish",
        "--then",
        f'{sys.executable} -c \'import os; open("seen", "w").write(os.environ["TOURNEY_PUBLISHED"])\'',
    )
    assert (good.exit_code, Path("seen").read_text()) == (0, "pages")
    bad = run("publish", "--then", f"{sys.executable} -c 'raise SystemExit(7)'", "--json")
    assert (bad.exit_code, json.loads(bad.stdout)["then"]["exit_code"]) == (1, 7)
    assert "exited with 7" in bad.stderr
    assert run("publish", "--then", "no-such-command; rm -r pages").exit_code == 1
    assert Path("pages/index.html").exists()
    assert run("publish", "--then", "'").exit_code == 2


@contextmanager
def watching(*words, folder):
    """Run `publish --watch` beside the test, and yield the process."""
    surroundings = {
        **os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), "XDG_DATA_HOME": str(folder / "home"),
        "TOURNEY_BY": "desk", "TOURNEY_NOW": NOW, "TZ": "UTC",
    }  # fmt: skip
    command = [sys.executable, "-m", "tourney", "publish", "--watch", *words]
    process = subprocess.Popen(
        command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends the signal of Ctrl-C")
def test_watching_publishes_after_each_change(run, tmp_path, server):
    """One line for each change. A missing or invalid file is waited for; Ctrl-C ends it."""
    event = tmp_path / "cup.tourney"
    with watching("--to", "pages", "--post", "friday", folder=tmp_path) as process:
        first = process.stdout.readline()
        assert first.startswith("18:00:00, entry 3: pages: ")
        assert first.endswith("friday: posted: pairings of round 1\n")
        event.rename(tmp_path / "aside")
        assert "watching cup.tourney" in process.stderr.readline()
        assert "cup.tourney is missing; waiting for it" in process.stderr.readline()
        event.write_bytes(b"not yet an event")
        assert "trying again" in process.stderr.readline()
        event.unlink()
        assert "is missing" in process.stderr.readline()
        (tmp_path / "aside").rename(event)
        run("result", "add", "1..2", "1-0")
        second = process.stdout.readline()
        assert "entry 4: pages: " in second
        assert second.endswith("friday: posted: standings after round 1\n")
        time.sleep(0.2)
        event.rename(tmp_path / "aside")
        assert "is missing" in process.stderr.readline()
        (tmp_path / "aside").rename(event)
        assert process.stderr.readline() == "cup.tourney is back, unchanged\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stdout.read() == ""
        assert process.stderr.read() == "stopped watching\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends the signal of Ctrl-C")
def test_a_locked_file_is_waited_for(run, tmp_path):
    """Locked for three seconds during a change: no failure, and the change is published."""
    event = tmp_path / "cup.tourney"
    with watching("--to", "pages", folder=tmp_path) as process:
        assert "entry 3: pages: " in process.stdout.readline()
        run("result", "add", "1", "1-0")
        assert "entry 4: pages: " in process.stdout.readline()
        holder = sqlite3.connect(event, isolation_level=None)
        run("result", "add", "2", "1-0")
        holder.execute("BEGIN EXCLUSIVE")
        time.sleep(3)
        holder.execute("ROLLBACK")
        holder.close()
        assert "entry 5: pages: " in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        errors = process.stderr.read()
    assert errors.endswith("stopped watching\n")
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    "words",
    [
        ("--watch", "--json"), ("--watch", "--list"), ("--watch", "--at", "2"),
        ("--watch", "--post", "friday", "--dry-run"), ("--at", "2", "--post", "friday"),
        ("--list", "--then", "true"), ("--what", "pairings"), ("--dry-run",), ("--post", "-", "--json"),
        ("--post", "friday", "--what", "prizes"),
    ],
)  # fmt: skip
def test_conflicting_options_are_refused(run, server, words):
    """The error comes before anything is written or posted."""
    assert run("publish", *words).exit_code == 2
    assert (server.asked, Path("pages").exists()) == ([], False)
