"""Events in a database on the command line: the same commands, files, and errors."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.kit import ROOT
from tourney.cli import root
from tourney.store.event_file import EventFile
from tourney.store.places import place_of


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a command in an empty folder, with repeatable dice."""
    monkeypatch.chdir(tmp_path)

    def call(*words, stdin=None, code=0, **surroundings):
        made = CliRunner(
            env={
                "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "home"), "TOURNEY_BY": "desk",
                "TOURNEY_SEED": "1", "TOURNEY_EVENT": None, **surroundings,
            }
        ).invoke(root, [*map(str, words)], input=stdin)  # fmt: skip
        assert made.exit_code == code, made.output
        return made

    return call


@pytest.fixture
def club(postgres, database, monkeypatch):
    """Make an empty database that `pg:` names."""
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(database))
    return database


def friday(run, place="pg:friday"):
    """Make an event of five players with a finished round, in a database."""
    run("event", "new", "Friday", "--format", "red-diamond/standard", "--banlist", "none", "-e", place)
    run("player", "add", "Mira Oake", "Tomo Reed", "Lena Voss", "Bo Quill", "Tess Hart", "-e", place)
    run("round", "pair", "-e", place)
    run("result", "add", "1..2", "1-0", "-e", place)


def contents(place):
    """Return the rows, texts and secret of an event."""
    journal = place_of(place).open()
    try:
        return journal.rows(), list(journal.texts()), journal.secret()
    finally:
        journal.close()


def test_an_event_is_copied_into_a_database_and_back(run, club, tmp_path):
    """With the same entries, digests, texts, rules and secret. Nothing is overwritten."""
    friday(run)
    result = run("event", "copy", "pg:friday", "friday.tourney")
    assert "pg:friday copied to friday.tourney: 4 entries" in result.stdout
    assert "The secret was copied" in result.stderr
    run("event", "copy", "friday.tourney", "pg:second")
    run("event", "copy", "pg:second", "pg:third")
    run("event", "copy", "pg:third", "back")
    one = contents("pg:friday")
    assert one[2] is not None
    for place in (Path("friday.tourney"), "pg:second", "pg:third", Path("back.tourney")):
        assert contents(place) == one, place
    for to in ("pg:second", "friday.tourney"):
        assert "exists already" in run("event", "copy", "pg:friday", to, code=3).stderr
    assert contents("pg:second") == one
    run(
        "event", "new", "Saturday Night", "--format", "red-diamond/standard", "--banlist", "none", "-e", "pg:"
    )
    listed = [line.split()[:2] for line in run("event", "list", "-e", "pg:").stdout.splitlines()[1:]]
    assert listed == [["pg:friday", "4"], ["pg:saturday-night", "1"], ["pg:second", "4"], ["pg:third", "4"]]
    assert run("event", "list", TOURNEY_EVENT="pg:friday").stdout.count("pg:") == 4
    assert [line.split()[0] for line in run("event", "list").stdout.splitlines()[1:]] == [
        "back.tourney",
        "friday.tourney",
    ]
    events = json.loads(run("event", "list", "-e", "pg:", "--json").stdout)["events"]
    assert events[0]["event"] == "pg:friday"
    assert events[0]["entries"] == 4


def test_an_address_in_any_case_is_not_a_file(run, club, tmp_path):
    """`PG:friday` or `mysql://…` never names a file."""
    friday(run, "PG:friday")
    assert "pg:friday: all is well" in run("event", "check", "-e", "Pg:friday").stdout
    for words in (["event", "list", "-e", "PG:"], ["event", "list", "-e", "PG:friday"]):
        assert run(*words).stdout.splitlines()[1].split()[:2] == ["pg:friday", "4"]
    run("event", "new", "Monday", "--format", "red-diamond/standard", "--banlist", "none", "-e", "PG:")
    assert (
        "pg:Friday exists already, as pg:friday"
        in run("event", "copy", "pg:friday", "pg:Friday", code=3).stderr
    )
    for odd in ("mysql://ann:ge-heim@host/club", "postgresql:friday", "pg://ann:ge-heim@host/club"):
        for words in (
            ["event", "show", "-e", odd],
            ["event", "copy", "pg:friday", odd],
            ["event", "list", "-e", odd],
        ):
            errors = run(*words, code=3).stderr
            assert "is not that of a PostgreSQL database" in errors
            assert "`pg:friday`" in errors
            assert "heim" not in errors
    assert not [path for path in tmp_path.iterdir() if ":" in path.name]


def test_a_file_named_like_an_address_is_given_with_its_folder(run, club, tmp_path):
    """A word with a folder is always a file; the database is not searched."""
    run("event", "new", "X", "--format", "red-diamond/standard", "--banlist", "none", "-e", "./pg:x")
    assert Path(tmp_path, "pg:x").exists()
    assert "X" in run("event", "show", "-e", "./pg:x").stdout
    run("event", "copy", "./pg:x", "pg:x")
    run("event", "copy", "pg:x", "./pg:y")
    assert contents("pg:x") == contents(tmp_path / "pg:x") == contents(tmp_path / "pg:y.tourney")


def test_an_option_overrides_the_environment(run, club, tmp_path):
    """For files and databases.

    A message says if a new event is not the one $TOURNEY_EVENT names.
    """
    friday(run)
    made = ["event", "new", "Saturday", "--format", "red-diamond/standard", "--banlist", "none"]
    errors = run(*made, TOURNEY_EVENT="pg:friday").stderr
    assert "the event that $TOURNEY_EVENT names, not saturday.tourney" in errors
    assert "`-e saturday.tourney`" in errors
    assert "Saturday" in run("event", "show", "-e", "saturday.tourney", TOURNEY_EVENT="pg:friday").stdout
    assert "Friday" in run("event", "show", "-e", "pg:friday", TOURNEY_EVENT="saturday.tourney").stdout
    assert "Friday" in run("event", "show", TOURNEY_EVENT="pg:friday").stdout
    run("event", "export", "-e", "saturday.tourney")
    Path("saturday.tourney").unlink()
    errors = run("event", "import", "saturday.jsonl", TOURNEY_EVENT="pg:friday").stderr
    assert "the event that $TOURNEY_EVENT names, not saturday.tourney" in errors
    Path("saturday.tourney").unlink()
    for setting in ("saturday", tmp_path / "saturday.tourney"):
        assert "$TOURNEY_EVENT" not in run(*made, TOURNEY_EVENT=str(setting)).stderr
        Path("saturday.tourney").unlink()
    assert "the event that $TOURNEY_EVENT names, not" in run(*made, TOURNEY_EVENT="/").stderr
    assert "$TOURNEY_EVENT" not in run(*made, "-e", "pg:saturday", TOURNEY_EVENT="pg:friday").stderr


def test_one_event_of_a_database_is_listed_by_its_address(run, club):
    """An unknown name is an error, not a list of all events."""
    friday(run)
    run("event", "copy", "pg:friday", "pg:second")
    assert [line.split()[0] for line in run("event", "list", "-e", "pg:second").stdout.splitlines()[1:]] == [
        "pg:second"
    ]
    errors = run("event", "list", "-e", "pg:third", code=3).stderr
    assert "there is no event pg:third" in errors
    assert "`tourney event list -e pg:` lists the events" in errors
    assert run("event", "list", TOURNEY_EVENT="pg:third").stdout.count("pg:") == 2


def test_the_commands_of_an_evening(run, club, tmp_path):
    """With `-e` and with $TOURNEY_EVENT.

    Files go into this folder and are named after the event.
    """
    friday(run)
    here = {"TOURNEY_EVENT": "pg:friday"}
    assert "Mira Oake" in run("standings", **here).stdout
    assert "Mira Oake" in run("standings", "-e", "pg:friday").stdout
    assert "table 1" in run("result", "add", "1", "1-0", **here).stdout
    assert "all is well up to entry 4" in run("event", "check", **here).stdout
    run("verify", **here)
    run("result", "change", "1", "0-1", "--dry-run", **here)
    assert "all is well up to entry 4" in run("event", "check", **here).stdout
    run("event", "export", **here)
    run("event", "export", "--as", "trf", **here)
    run("publish", "--to", "pages", **here)
    run("print", "pairings", **here)
    run("event", "backup", **here)
    copies = run("event", "backup", "--list", **here).stdout.splitlines()
    assert [Path(copy).name.split("-")[0] for copy in copies] == ["friday", "friday"]
    assert all(Path(copy).stat().st_mode & 0o777 == 0o600 for copy in copies)
    run("event", "check", "-e", copies[0])
    run("event", "import", "friday.jsonl", "-e", "pg:imported")
    assert contents("pg:imported")[:2] == contents("pg:friday")[:2]
    assert "exists already" in run("event", "import", "friday.jsonl", "-e", "pg:imported", code=3).stderr
    run("event", "import", "friday.jsonl", "-e", "pg:tried", "--dry-run")
    run("event", "show", "-e", "pg:tried", code=3)
    assert "history continues the earlier one" in run("verify", "--against", "pg:imported", **here).stdout
    run(
        "event",
        "generate",
        "--players",
        "8",
        "--rounds",
        "2",
        "--format",
        "red-diamond/standard",
        "-e",
        "pg:random",
    )
    run("verify", "-e", "pg:random")
    names = {path.name for path in tmp_path.iterdir()}
    assert {"friday.jsonl", "friday.toml", "friday.trf", "pages", ".tourney-backups"} <= names
    assert not [name for name in names if ":" in name]


def test_a_file_in_the_folder_is_the_event_without_a_name(run, club):
    """Even if a database has an event, the only file here is meant."""
    friday(run)
    run("event", "copy", "pg:friday", "saturday.tourney")
    run("player", "drop", "Bo")
    assert "5 entries" in run("verify").stdout
    assert "4 entries" in run("verify", "-e", "pg:friday").stdout


def test_deleting_a_person_from_a_database(run, club, postgres, tmp_path):
    """The name is gone from its files and from copies here; other places are listed."""
    friday(run)
    run("event", "backup", "-e", "pg:friday")
    run("event", "copy", "pg:friday", "friday.tourney")
    run("event", "export", "-e", "pg:friday")
    run("event", "copy", "friday.tourney", "pg:second")
    result = run("player", "blank", "Lena Voss", "--yes", "-e", "pg:friday")
    assert "pg:second is a copy of this event in the same database and still holds the texts" in result.stderr
    run("player", "blank", "#3", "--yes", "-e", "pg:second")
    assert "Also deleted from 2 copies in .tourney-backups/." in result.stdout
    assert "write-ahead log, replicas and backups may still hold the texts" in result.stderr
    assert "friday.tourney is another file of this event" in result.stderr
    assert "delete them: friday.jsonl, friday.toml" in result.stderr
    postgres.sql("CHECKPOINT", database=club)
    assert not [path for path in postgres.files_of(club) if b"Lena Voss" in path.read_bytes()]


def test_a_user_without_the_right_to_vacuum_gets_a_hint(run, club, postgres, monkeypatch):
    """The texts are deleted, but only the owner can clear their space in the files."""
    from tourney.store.database import ROLES

    friday(run)
    postgres.sql(
        f"{ROLES}; DROP ROLE IF EXISTS desk; CREATE ROLE desk LOGIN IN ROLE tourney_desk", database=club
    )
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(club, "desk"))
    result = run("player", "blank", "Lena Voss", "--yes", "-e", "pg:friday")
    assert "unused space in the file may still hold the texts" in result.stderr
    assert "VACUUM (FULL) tourney.texts" in result.stderr
    assert "Lena Voss" not in run("player", "list", "-e", "pg:friday").stdout


def test_a_login_without_a_role_is_refused(run, club, postgres, monkeypatch):
    """The error names the command that grants the role. Completion shows nothing."""
    friday(run)
    postgres.sql("DROP ROLE IF EXISTS auditor; CREATE ROLE auditor LOGIN", database=club)
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(club, "auditor"))
    for words in (["standings", "-e", "pg:friday"], ["event", "copy", "pg:friday", "friday.tourney"]):
        errors = run(*words, code=3).stderr
        assert "this login cannot use pg:friday: it is neither the database's owner nor a desk" in errors
        assert "`GRANT tourney_desk TO …`" in errors
    assert "cannot use the database: it is neither" in run("event", "list", "-e", "pg:", code=3).stderr
    variables = {"_TOURNEY_COMPLETE": "zsh_complete", "COMP_CWORD": "3", "TOURNEY_EVENT": "pg:friday"}
    at_a_tab = run(COMP_WORDS="tourney player drop #", **variables)
    assert "#3" not in at_a_tab.stdout
    assert at_a_tab.stderr == ""


def test_salvaging_an_event_in_a_database(run, club, postgres):
    """An entry changed by hand ends what can be read; copies have the rest.

    The result is a file.
    """
    friday(run)
    run("event", "backup", "-e", "pg:friday")
    by_hand = "SET session_replication_role = replica; UPDATE tourney.journal SET op = '{}' WHERE seq = 3"
    postgres.sql(by_hand, database=club)
    output = run("event", "check", "-e", "pg:friday", code=1).stdout
    assert "entry 3 was altered" in output
    run("event", "salvage", "-e", "pg:friday")
    run("event", "check", "-e", "friday-salvaged.tourney")
    run("event", "copy", "friday-salvaged.tourney", "pg:saved")
    assert len(contents("pg:saved")[0]) == 4
    Path(".tourney-backups").rename("gone")
    result = run("event", "salvage", "-e", "pg:friday", "--to", "less.tourney", code=1)
    assert "2 of 4 entries" in result.stdout


def test_a_copy_made_before_a_deletion_keeps_a_note(run, club):
    """The note goes along from file to file, into a database and out of it."""
    friday(run, "friday.tourney")
    run("event", "backup")
    run("player", "blank", "Lena Voss", "--yes")
    (copy,) = (path for path in Path(".tourney-backups").iterdir() if "round" not in path.name)
    with EventFile.open(copy) as first:
        lost = first.erased()
    assert lost
    before = copy
    for to in ("second.tourney", "pg:friday", "pg:third", "fourth.tourney"):
        run("event", "copy", before, to)
        opened = place_of(to).open()
        assert opened.erased() == lost
        opened.close()
        run("event", "check", "-e", to)
        before = to
    run("event", "backup", "-e", "pg:third")
    run("event", "check", "-e", next(Path(".tourney-backups").glob("third-*")))
    run("event", "salvage", "-e", "pg:third", "--to", "saved.tourney")


def test_pages_are_published_after_each_entry(run, club):
    """`publish --watch` asks a database for the number and digest of the last entry."""
    friday(run)
    with place_of("pg:friday").looking() as look:
        before = look()
        assert before == look()
        run("player", "drop", "Bo", "-e", "pg:friday")
        assert look() != before
    with place_of("pg:monday").looking() as look:
        assert look() is None


@pytest.mark.slow
def test_publishing_survives_an_outage_of_the_database(run, club, postgres, tmp_path):
    """Entries made meanwhile are published later, and the outage is reported once."""
    from tests.store.servers import proxied

    friday(run)
    run("result", "change", "1", "-", "-e", "pg:friday")
    log, output_file = tmp_path / "log", tmp_path / "said"

    def until(entry):
        end = time.monotonic() + 60
        while f"entry {entry}:" not in output_file.read_text():
            assert time.monotonic() < end, log.read_text() + output_file.read_text()
            assert watching.poll() is None, log.read_text()
            time.sleep(0.05)

    with proxied(postgres) as proxy, log.open("w") as err, output_file.open("w") as out:
        through = postgres.conninfo(club).replace(str(postgres.folder), str(proxy.folder))
        surroundings = {
            **os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path / "home"), "TOURNEY_PG": through, "TOURNEY_EVENT": "pg:friday",
        }  # fmt: skip
        command = [sys.executable, "-m", "tourney", "publish", "--watch", "--to", "pages"]
        watching = subprocess.Popen(command, cwd=tmp_path, env=surroundings, stdout=out, stderr=err)
        try:
            until(5)
            run("result", "add", "1", "1-0", "-e", "pg:friday")
            until(6)
            proxy.cut()
            run("result", "change", "1", "0-1", "-e", "pg:friday")
            until(7)
            assert "trying again" not in log.read_text(), "a connection that was cut is taken up"
            proxy.closed_to_all = True
            proxy.cut()
            end = time.monotonic() + 60
            while "trying again" not in log.read_text():
                assert time.monotonic() < end, log.read_text()
                time.sleep(0.05)
            run("player", "drop", "Bo", "-e", "pg:friday")
            time.sleep(2.2)
            assert "entry 8" not in output_file.read_text()
            proxy.closed_to_all = False
            until(8)
            watching.send_signal(signal.SIGINT)
            assert watching.wait(60) == 0
        finally:
            watching.kill()
            watching.wait()
    assert log.read_text().count("trying again") == 1, log.read_text()
    assert "stopped watching" in log.read_text()
    assert "entry 8" in (tmp_path / "pages" / "verification.html").read_text()


def test_the_shell_completes_events_of_a_database(run, club):
    """After `pg:`, and players of such an event.

    Without a database there are no words and no error.
    """
    friday(run)
    variables = {"_TOURNEY_COMPLETE": "zsh_complete", "COMP_CWORD": "4"}
    assert "pg\\:friday" in run(COMP_WORDS="tourney event show -e pg:f", **variables).stdout
    assert (
        "Mira"
        in run(
            COMP_WORDS="tourney player drop Mi", TOURNEY_EVENT="pg:friday", **{**variables, "COMP_CWORD": "3"}
        ).stdout
    )
    nowhere = run(COMP_WORDS="tourney event show -e pg:f", TOURNEY_PG="host=/nowhere", **variables)
    assert "friday" not in nowhere.output
    assert "rror" not in nowhere.output


# -- without a database


def test_a_missing_driver_is_explained(run, monkeypatch):
    """The error says how to install it. Commands for files work as before."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "tourney.store.postgres", raising=False)
    monkeypatch.delattr("tourney.store.postgres", raising=False)
    errors = run("event", "show", "-e", "pg:friday", code=3).stderr
    assert "events in a database need its driver, the extra `postgres`" in errors
    assert "pip install 'tourney[postgres]'" in errors
    for words in (["event", "list", "-e", "pg:"], ["event", "copy", "pg:friday", "friday.tourney"]):
        assert "need its driver" in run(*words, code=3).stderr
    run("event", "new", "Friday", "--format", "red-diamond/standard", "--banlist", "none")
    run("event", "show")


@pytest.mark.slow
def test_the_driver_is_imported_only_for_a_database(tmp_path):
    """The version, the help, and an event in a file do not need it."""
    program = (
        "import sys; from tourney.cli import root; code = root.run(sys.argv[1:]);"
        "print(code, 'psycopg' in sys.modules, 'tourney.store.postgres' in sys.modules)"
    )
    surroundings = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "XDG_DATA_HOME": str(tmp_path),
        "HOME": str(tmp_path),
    }
    for words in (
        ["--help"],
        ["event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none"],
        ["event", "list"],
        ["event", "copy", "cup.tourney", "second.tourney"],
        ["event", "tables", "--help"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stdout.splitlines()[-1] == "0 False False", (words, done)


def test_a_password_is_never_shown(run, postgres, database):
    """An address with a password is refused in every place that takes an event."""
    address = f"postgresql://guarded:open-sesame@/{database}?host={postgres.folder}&event=friday"
    for words in (
        ["event", "show", "-e", address],
        ["event", "list", "-e", address],
        ["event", "copy", address, "friday.tourney"],
        ["event", "copy", "friday.tourney", address],
        ["event", "new", "Friday", "--format", "red-diamond/standard", "--banlist", "none", "-e", address],
        ["verify", "-e", address, "--against", address],
    ):
        output = run(*words, code=3).output
        assert "sesame" not in output, words
        assert "must not contain a password" in output, output


@pytest.mark.parametrize(("cut", "code"), [("answer", 0), ("before", 3), ("answer, then nothing", 4)])
def test_a_connection_cut_during_a_commit(run, club, postgres, monkeypatch, cut, code):
    """Written, not written, or unknown; then the same command again writes at most once."""
    from tests.store.servers import proxied
    from tourney.store import postgres as store

    friday(run)
    run("result", "change", "1", "-", "-e", "pg:friday")
    monkeypatch.setattr(store, "BACK_WITHIN", 0.3)
    with proxied(postgres) as proxy:
        monkeypatch.setenv(
            "TOURNEY_PG", postgres.conninfo(club).replace(str(postgres.folder), str(proxy.folder))
        )
        proxy.armed = cut
        result = run("result", "add", "1", "1-0", "-e", "pg:friday", code=code)
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(club))
    if code == 4:
        assert "it may have been written, or not" in result.stderr
        assert "repeat the command when the database is back" in result.stderr
    if code == 3:
        assert "nothing was changed" in result.stderr
    entries = len(contents("pg:friday")[0])
    again = run("result", "add", "1", "1-0", "-e", "pg:friday")
    assert ("already" in again.stdout) == (code != 3)
    assert len(contents("pg:friday")[0]) == entries + (code == 3) == 6
