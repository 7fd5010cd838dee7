"""Events in a database at the command line: the same commands, beside which files lie, and what is said without a database."""

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
from tourney.cli.command import root
from tourney.store.event_file import EventFile
from tourney.store.places import place_of


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in an empty folder; the dice repeat."""
    monkeypatch.chdir(tmp_path)

    def call(*words, stdin=None, code=0, **surroundings):
        made = CliRunner(
            env={
                "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "home"), "TOURNEY_BY": "desk", "TOURNEY_SEED": "1",
                "TOURNEY_EVENT": None, **surroundings,
            }
        ).invoke(root, [*map(str, words)], input=stdin)  # fmt: skip
        assert made.exit_code == code, made.output
        return made

    return call


@pytest.fixture
def club(postgres, monkeypatch):
    """An empty database that `pg:` leads to, by its name."""
    database = postgres.database()
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(database))
    return database


def friday(run, place="pg:friday"):
    """Make an event of five with a round that is played, in a database."""
    run("event", "new", "Friday", "--format", "red-diamond/standard", "--banlist", "none", "-e", place)
    run("player", "add", "Mira Oake", "Tomo Reed", "Lena Voss", "Bo Quill", "Tess Hart", "-e", place)
    run("round", "pair", "-e", place)
    run("result", "add", "1..2", "1-0", "-e", place)


def held(place):
    """All that an event holds."""
    journal = place_of(place).open()
    try:
        return journal.rows(), list(journal.texts()), journal.secret()
    finally:
        journal.close()


def test_an_event_is_made_listed_copied_and_copied_back(run, club, tmp_path):
    """The same entries, digests, texts, rules and secret in each; `pg:` alone is called after the event; nothing is written over."""
    friday(run)
    result = run("event", "copy", "pg:friday", "friday.tourney")
    assert "pg:friday copied to friday.tourney: 4 entries" in result.stdout
    assert "The secret went along" in result.stderr
    run("event", "copy", "friday.tourney", "pg:second")
    run("event", "copy", "pg:second", "pg:third")
    run("event", "copy", "pg:third", "back")
    one = held("pg:friday")
    assert one[2] is not None
    for place in (Path("friday.tourney"), "pg:second", "pg:third", Path("back.tourney")):
        assert held(place) == one, place
    for to in ("pg:second", "friday.tourney"):
        assert "exists already" in run("event", "copy", "pg:friday", to, code=3).stderr
    assert held("pg:second") == one
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


def test_an_address_is_none_of_a_file_whatever_its_capitals(run, club, tmp_path):
    """Nobody who types `PG:friday` or `mysql://…` wants a file of that name."""
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


def test_a_file_called_like_an_address_is_named_by_its_folder(run, club, tmp_path):
    """As everywhere a word with a folder is a file's; with an empty database nothing is looked for there."""
    run("event", "new", "X", "--format", "red-diamond/standard", "--banlist", "none", "-e", "./pg:x")
    assert Path(tmp_path, "pg:x").exists()
    assert "X" in run("event", "show", "-e", "./pg:x").stdout
    run("event", "copy", "./pg:x", "pg:x")
    run("event", "copy", "pg:x", "./pg:y")
    assert held("pg:x") == held(tmp_path / "pg:x") == held(tmp_path / "pg:y.tourney")


def test_an_option_goes_before_the_setting(run, club, tmp_path):
    """Of a file and a database, either way; a new event is not where the setting leads, which is said."""
    friday(run)
    made = ["event", "new", "Saturday", "--format", "red-diamond/standard", "--banlist", "none"]
    errors = run(*made, TOURNEY_EVENT="pg:friday").stderr
    assert "the event that $TOURNEY_EVENT names, not with saturday.tourney" in errors
    assert "`-e saturday.tourney`" in errors
    assert "Saturday" in run("event", "show", "-e", "saturday.tourney", TOURNEY_EVENT="pg:friday").stdout
    assert "Friday" in run("event", "show", "-e", "pg:friday", TOURNEY_EVENT="saturday.tourney").stdout
    assert "Friday" in run("event", "show", TOURNEY_EVENT="pg:friday").stdout
    run("event", "export", "-e", "saturday.tourney")
    Path("saturday.tourney").unlink()
    errors = run("event", "import", "saturday.jsonl", TOURNEY_EVENT="pg:friday").stderr
    assert "the event that $TOURNEY_EVENT names, not with saturday.tourney" in errors
    Path("saturday.tourney").unlink()
    for setting in ("saturday", tmp_path / "saturday.tourney"):
        assert "$TOURNEY_EVENT" not in run(*made, TOURNEY_EVENT=str(setting)).stderr
        Path("saturday.tourney").unlink()
    assert "the event that $TOURNEY_EVENT names, not" in run(*made, TOURNEY_EVENT="/").stderr
    assert "$TOURNEY_EVENT" not in run(*made, "-e", "pg:saturday", TOURNEY_EVENT="pg:friday").stderr


def test_one_event_of_a_database_is_listed_by_its_address(run, club):
    """That one alone; none of that name is refused, not listed as all the others."""
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
    """By `-e` and by $TOURNEY_EVENT; what is written beside an event lies in this folder and is called after it."""
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
    assert held("pg:imported")[:2] == held("pg:friday")[:2]
    assert "exists already" in run("event", "import", "friday.jsonl", "-e", "pg:imported", code=3).stderr
    run("event", "import", "friday.jsonl", "-e", "pg:tried", "--dry-run")
    run("event", "show", "-e", "pg:tried", code=3)
    assert "this history continues it" in run("verify", "--against", "pg:imported", **here).stdout
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


def test_a_file_beside_is_not_taken_for_the_event(run, club):
    """The only event of this folder is still the one that is meant without a name."""
    friday(run)
    run("event", "copy", "pg:friday", "saturday.tourney")
    run("player", "drop", "Bo")
    assert "5 entries" in run("verify").stdout
    assert "4 entries" in run("verify", "-e", "pg:friday").stdout


def test_deleting_a_person(run, club, postgres, tmp_path):
    """Gone from the database's own files, and from the copies here; what is not reached is said."""
    friday(run)
    run("event", "backup", "-e", "pg:friday")
    run("event", "copy", "pg:friday", "friday.tourney")
    run("event", "export", "-e", "pg:friday")
    run("event", "copy", "friday.tourney", "pg:second")
    result = run("player", "blank", "Lena Voss", "--yes", "-e", "pg:friday")
    assert "pg:second is a copy of this event in the same database and still holds the texts" in result.stderr
    run("player", "blank", "#3", "--yes", "-e", "pg:second")
    assert "They are gone from 2 copies in .tourney-backups/, too." in result.stdout
    assert "write-ahead log, replicas and backups may still hold the texts" in result.stderr
    assert "friday.tourney is another file of this event" in result.stderr
    assert "delete them: friday.jsonl, friday.toml" in result.stderr
    postgres.sql("CHECKPOINT", database=club)
    assert not [path for path in postgres.files_of(club) if b"Lena Voss" in path.read_bytes()]


def test_whoever_may_not_vacuum_is_told_who_must(run, club, postgres, monkeypatch):
    """The texts are deleted; their unused places are the owner's to clear."""
    from tourney.store.database import ROLES

    friday(run)
    postgres.sql(
        f"{ROLES}; DROP ROLE IF EXISTS desk; CREATE ROLE desk LOGIN IN ROLE tourney_desk", database=club
    )
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(club, "desk"))
    result = run("player", "blank", "Lena Voss", "--yes", "-e", "pg:friday")
    assert "unused places may still hold the texts" in result.stderr
    assert "VACUUM (FULL) tourney.texts" in result.stderr
    assert "Lena Voss" not in run("player", "list", "-e", "pg:friday").stdout


def test_a_login_that_is_neither_owner_nor_desk_is_refused(run, club, postgres, monkeypatch):
    """The refusal names the command that grants; at a tab nothing is completed and nothing is said."""
    friday(run)
    postgres.sql("DROP ROLE IF EXISTS auditor; CREATE ROLE auditor LOGIN", database=club)
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(club, "auditor"))
    for words in (["standings", "-e", "pg:friday"], ["event", "copy", "pg:friday", "friday.tourney"]):
        errors = run(*words, code=3).stderr
        assert "this login is neither owner nor desk of pg:friday" in errors
        assert "`GRANT tourney_desk TO …`" in errors
    assert "neither owner nor desk of the database" in run("event", "list", "-e", "pg:", code=3).stderr
    asked = {"_TOURNEY_COMPLETE": "zsh_complete", "COMP_CWORD": "3", "TOURNEY_EVENT": "pg:friday"}
    at_a_tab = run(COMP_WORDS="tourney player drop #", **asked)
    assert "#3" not in at_a_tab.stdout
    assert at_a_tab.stderr == ""


def test_salvaging_what_a_database_still_holds(run, club, postgres):
    """An entry that was changed by hand ends what can be saved; the copies beside have the rest. What comes out is a file."""
    friday(run)
    run("event", "backup", "-e", "pg:friday")
    by_hand = "SET session_replication_role = replica; UPDATE tourney.journal SET op = '{}' WHERE seq = 3"
    postgres.sql(by_hand, database=club)
    output = run("event", "check", "-e", "pg:friday", code=1).stdout
    assert "entry 3 is not as it was written" in output
    run("event", "salvage", "-e", "pg:friday")
    run("event", "check", "-e", "friday-salvaged.tourney")
    run("event", "copy", "friday-salvaged.tourney", "pg:saved")
    assert len(held("pg:saved")[0]) == 4
    Path(".tourney-backups").rename("gone")
    result = run("event", "salvage", "-e", "pg:friday", "--to", "less.tourney", code=1)
    assert "2 of 4 entries" in result.stdout


def test_a_copy_from_which_somebody_was_deleted_later(run, club):
    """No entry of it says so; a note does, which goes along from file to file, into a database and out of it."""
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


def test_pages_are_published_while_connections_are_cut_and_the_database_is_away(
    run, club, postgres, tmp_path
):
    """As a process: what was entered meanwhile is published when the database is back, and that it was away is said once."""
    from tests.store.servers import proxied

    friday(run)
    run("result", "change", "1", "-", "-e", "pg:friday")
    log, said = tmp_path / "log", tmp_path / "said"

    def until(entry):
        end = time.monotonic() + 20
        while f"entry {entry}:" not in said.read_text():
            assert time.monotonic() < end, log.read_text() + said.read_text()
            assert watching.poll() is None, log.read_text()
            time.sleep(0.05)

    with proxied(postgres) as proxy, log.open("w") as err, said.open("w") as out:
        through = postgres.conninfo(club).replace(str(postgres.folder), str(proxy.folder))
        surroundings = {
            **os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "home"),
            "TOURNEY_PG": through, "TOURNEY_EVENT": "pg:friday",
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
            end = time.monotonic() + 20
            while "trying again" not in log.read_text():
                assert time.monotonic() < end, log.read_text()
                time.sleep(0.05)
            run("player", "drop", "Bo", "-e", "pg:friday")
            time.sleep(2.2)
            assert "entry 8" not in said.read_text()
            proxy.closed_to_all = False
            until(8)
            watching.send_signal(signal.SIGINT)
            assert watching.wait(20) == 0
        finally:
            watching.kill()
            watching.wait()
    assert log.read_text().count("trying again") == 1, log.read_text()
    assert "stopped watching" in log.read_text()
    assert "entry 8" in (tmp_path / "pages" / "verification.html").read_text()


def test_the_shell_completes_events_of_a_database(run, club):
    """After `pg:`; and players of an event there. Without a database nothing is completed, and nothing complained of."""
    friday(run)
    asked = {"_TOURNEY_COMPLETE": "zsh_complete", "COMP_CWORD": "4"}
    assert "pg\\:friday" in run(COMP_WORDS="tourney event show -e pg:f", **asked).stdout
    assert (
        "Mira"
        in run(
            COMP_WORDS="tourney player drop Mi", TOURNEY_EVENT="pg:friday", **{**asked, "COMP_CWORD": "3"}
        ).stdout
    )
    nowhere = run(COMP_WORDS="tourney event show -e pg:f", TOURNEY_PG="host=/nowhere", **asked)
    assert "friday" not in nowhere.output
    assert "rror" not in nowhere.output


# -- without a database


def test_without_the_driver_it_is_said_in_words(run, monkeypatch):
    """What is missing, and how it is installed; a command of files is as ever."""
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


def test_the_driver_is_imported_for_a_database_alone(tmp_path):
    """Not for the version, the help, or an event in a file."""
    program = (
        "import sys; from tourney.cli.command import root; code = root.run(sys.argv[1:]);"
        "print(code, 'psycopg' in sys.modules, 'tourney.store.postgres' in sys.modules)"
    )
    surroundings = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "XDG_DATA_HOME": str(tmp_path),
        "HOME": str(tmp_path),
    }
    for words in (
        ["--version"],
        ["--help"],
        ["event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none"],
        ["player", "add", "Mira"],
        ["event", "list"],
        ["event", "copy", "cup.tourney", "second.tourney"],
        ["event", "show", "-e", "second"],
        ["event", "tables", "--help"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stdout.splitlines()[-1] == "0 False False", (words, done)


def test_no_password_is_told(run, postgres):
    """An address that holds one is refused wherever an event is named."""
    database = postgres.database()
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
        assert "must not hold a password" in output, output


@pytest.mark.parametrize(("cut", "code"), [("answer", 0), ("before", 3), ("answer, then nothing", 4)])
def test_a_connection_that_is_cut_in_the_commit(run, club, postgres, monkeypatch, cut, code):
    """Found to be written; not written; not known while the database is away: then the same command enters it once, or says that it is there."""
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
        assert "that is done, or it is not" in result.stderr
        assert "repeat the command when the database is back" in result.stderr
    if code == 3:
        assert "nothing was changed" in result.stderr
    entries = len(held("pg:friday")[0])
    again = run("result", "add", "1", "1-0", "-e", "pg:friday")
    assert ("already" in again.stdout) == (code != 3)
    assert len(held("pg:friday")[0]) == entries + (code == 3) == 6
