"""No password of a database is in anything that the program writes: whatever signs are in it, however it is given, whatever fails."""

import re
import signal
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import click
import pytest
from click.testing import CliRunner

from scripts.reference import every_command
from tests.serve.kit import small_event
from tests.serve.served import served
from tests.store.servers import PASSWORD
from tourney.cli.command import root
from tourney.store.backup import copy_event
from tourney.store.postgres import ROLES, Address

FIRST, LAST = "sesam", "oeffne"
"""How every password here begins and ends; no word of the program does."""

BETWEEN = (" ", "/", "@", ":", "?", "#", "&", "=", "'", '"', "\\", "%", "%2F", "\t", ",", "[", "(", "`", "$", "é", "//", "@@",
           "\n", "&port=", " port=", "&sslmode=", " connect_timeout=", " sslmode=", "?event=", "&event=", "@host/", "\udcff")  # fmt: skip
"""What stands between: signs of addresses, of settings, of shells; settings themselves, and what is no letter at all."""


def told(text):
    """Return which part of a password is in a text."""
    return [part for part in (FIRST, LAST) if part in text.lower()]


def ways(password, host, database="club"):
    """Yield ways in which somebody may give a password, right or wrong: what it is called, the surroundings, the address."""
    query = f"{f'host={host}&' if host.startswith('/') else ''}"
    where = "" if host.startswith("/") else host
    escaped, quoted = (
        quote(password, safe="", errors="surrogateescape"),
        password.replace("\\", "\\\\").replace("'", "\\'"),
    )
    for typed in (password, escaped):
        yield {}, f"postgresql://guarded:{typed}@{where}/{database}?{query}event=friday"
        yield {}, f"postgresql://{typed}@{where}/{database}?{query}event=friday"
        yield {}, f"Postgres://guarded@{where}/{database}?{query}password={typed}&event=friday"
        yield {}, f"postgresql://guarded@{where}/{database}?{query}event=friday&password={typed}"
        yield {"TOURNEY_PG": f"postgresql://guarded:{typed}@{where}/{database}?{query}"}, "pg:friday"
        yield {}, f"pg:friday?password={typed}"
        yield {}, f"pg://guarded:{typed}@{where}/{database}?event=friday"
        yield {}, f"mysql://guarded:{typed}@{where}/{database}"
    name, _, port = host.partition(":")
    settings = f"host={name} port={port or 5432} user=guarded dbname={database}"
    for typed in (password, f"'{quoted}'", f"'{password}'"):
        yield {"TOURNEY_PG": f"{settings} password={typed}"}, "pg:friday"
        yield {"TOURNEY_PG": f"password={typed} {settings}"}, "pg:friday"
    yield {"TOURNEY_PG": settings, "PGPASSWORD": password}, "pg:friday"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command in an empty folder, in which also lies whatever it writes elsewhere; return what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def call(*words, **surroundings):
        monkeypatch.setattr(sys, "argv", ["tourney", *words])
        home = {
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "TOURNEY_EVENT": None,
            "TOURNEY_BY": "Ann",
        }
        return CliRunner(env={**home, **surroundings}).invoke(root, words)

    return call


def written(folder):
    """Return all that lies in a folder, files' names included."""
    files = [each for each in folder.rglob("*") if each.is_file()]
    return "\n".join(f"{each}\n{each.read_bytes().decode(errors='replace')}" for each in files)


@pytest.mark.parametrize("sign", BETWEEN, ids=ascii)
def test_an_address_that_leads_nowhere(run, tmp_path, sign):
    """Escaped or not: what libpq takes the rest of the password for is not repeated, and nothing crashes."""
    for host in ("/nowhere", "127.0.0.1:1"):
        for surroundings, address in ways(f"{FIRST}{sign}{LAST}", host):
            said = run("event", "show", "-e", address, **surroundings)
            assert said.exit_code == 3, (address, surroundings, said.output)
            assert not told(said.output), (address, surroundings, said.output)
    assert not told(written(tmp_path))


@contextmanager
def guarded(postgres, database, password):
    """Give the login that needs a password another one, and the rights of a writer."""
    from psycopg import sql

    change = sql.SQL("ALTER ROLE guarded PASSWORD {}")
    postgres.sql(ROLES, database=database)
    postgres.sql("GRANT tourney_desk TO guarded", database=database)
    postgres.sql(change.format(sql.Literal(password)))
    try:
        yield
    finally:
        postgres.sql(change.format(sql.Literal(PASSWORD)))


@pytest.mark.parametrize("sign", [" /@:?#&=,'\"\\%2F%é日\t", "-"], ids=["odd", "plain"])
def test_an_evening_with_a_password(run, tmp_path, postgres, sign):
    """Right and wrong, in every way that it can be given: not in answers, events, copies, pages, nor on the server."""
    password, database = f"{FIRST}{sign}{LAST}", postgres.database()
    made = 0
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    run("event", "copy", "friday.tourney", "pg:friday", TOURNEY_PG=postgres.conninfo(database))
    with guarded(postgres, database, password):
        for surroundings, address in ways(password, str(postgres.folder), database):
            for words in (["player", "add", f"Player {made}"], ["event", "check"], ["event", "backup"]):
                said = run(*words, "-e", address, **surroundings)
                assert said.exit_code in (0, 3), (address, surroundings, said.output)
                assert not told(said.output), (address, surroundings, said.output)
            made += said.exit_code == 0
        assert made == (15 if sign == "-" else 7), "escaped it gets in everywhere"
        last = {
            "TOURNEY_PG": f"{postgres.conninfo(database)} user=guarded",
            "PGPASSWORD": password,
            "TOURNEY_EVENT": "pg:friday",
        }
        for words in (
            ["event", "export"],
            ["publish", "--to", "pages"],
            ["event", "log", "--json"],
            ["verify", "--json"],
        ):
            said = run(*words, **last)
            assert said.exit_code == 0, said.output
            assert not told(said.output)
    with guarded(postgres, database, "another one"):
        for surroundings, address in ways(password, str(postgres.folder), database):
            said = run("event", "check", "-e", address, **surroundings)
            assert said.exit_code == 3
            assert not told(said.output), (address, surroundings, said.output)
    assert not told(written(tmp_path))
    postgres.sql("CHECKPOINT", database=database)
    assert not [
        each for each in postgres.files_of(database) if told(each.read_bytes().decode(errors="replace"))
    ]


@pytest.mark.parametrize("sign", [" ", "\\", ":", "#", "é"], ids=ascii)
def test_a_password_in_a_file(run, tmp_path, postgres, sign):
    """`~/.pgpass`, another file, a service: right, wrong, or readable for everybody, which libpq itself complains of."""
    password, database = f"{FIRST}{sign}{LAST}", postgres.database()
    passwords, services = tmp_path / ".pgpass", tmp_path / ".pg_service.conf"
    passwords.write_text(
        f"*:*:*:guarded:{password.replace(chr(92), chr(92) * 2).replace(':', chr(92) + ':')}\n",
        encoding="utf-8",
    )
    where = f"host={postgres.folder}\ndbname={database}\nuser=guarded"
    services.write_text(f"[club]\n{where}\npassword={password}\n[other]\n{where}\n", encoding="utf-8")
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    run("event", "copy", "friday.tourney", "pg:friday", TOURNEY_PG=postgres.conninfo(database))
    given = {"PGPASSFILE": str(passwords), "PGSERVICEFILE": str(services)}
    for right, now in ((True, password), (False, "another one")):
        with guarded(postgres, database, now):
            for mode in (0o600, 0o644):
                passwords.chmod(mode)
                for conninfo, gets_in in (
                    ("service=other", mode == 0o600),
                    ("service=club", True),
                    (where.replace("\n", " "), mode == 0o600),
                ):
                    said = run("event", "check", "-e", "pg:friday", **given, TOURNEY_PG=conninfo)
                    assert said.exit_code == (0 if right and gets_in else 3), (conninfo, said.output)
                    assert not told(said.output)
    passwords.unlink()
    services.write_text(f"[club]\npassword {password}\n", encoding="utf-8")
    said = run("event", "check", "-e", "pg:friday", **given, TOURNEY_PG="service=club")
    assert said.exit_code == 3
    assert not told(said.output)


@pytest.mark.parametrize("debug", [None, "1"], ids=["report", "debug"])
@pytest.mark.parametrize("sign", BETWEEN, ids=ascii)
def test_a_crash(run, tmp_path, monkeypatch, sign, debug):
    """Neither the report, which begins with what was typed, nor the traceback that somebody asked for."""

    def parse(text):
        raise RuntimeError(f"a bug: {text} {text!r}")

    monkeypatch.setattr(Address, "parse", parse)
    password = f"{FIRST}{sign}{LAST}"
    for given in (
        f"postgresql://ann@host/club?event=friday&password={password}",
        f"postgresql://ann:{password}@host/club?event=friday",
        f"pg:ann:{password}@host",
    ):
        for words in (["-e", given], [f"-e{given}"], [f"--event={given}"]):
            said = run("event", "show", *words, TOURNEY_DEBUG=debug)
            assert said.exit_code == 70
            assert "a bug" in said.output
            assert not told(said.output), said.output
        said = run("event", "show", TOURNEY_EVENT=given, TOURNEY_DEBUG=debug)
        assert said.exit_code == 70
        assert not told(said.output), said.output
    assert not told(written(tmp_path))
    assert debug or [*tmp_path.glob("tourney-report-*")]


@pytest.mark.parametrize("sign", ["-", "'", "`", "\\", " "])
def test_an_address_where_no_word_is_asked_for(run, tmp_path, sign):
    """As a command, before one, behind a flag, or one word too many: what is refused is not repeated."""
    address = f"postgresql://ann:{FIRST}{sign}{LAST}@host/club?event=friday"
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    for words in (
        [address], ["event", address], ["event", "show", address], ["--data", address, "event", "show"],
        ["event", "show", f"-q{address}"], ["event", "show", f"--quiet={address}"], ["event", "show", f"--{address}"],
    ):  # fmt: skip
        said = run(*words, TOURNEY_EVENT="friday.tourney")
        assert said.exit_code == 2, said.output
        assert not told(said.output), (words, said.output)
    assert not told(written(tmp_path))


@pytest.mark.parametrize("variable", ["TOURNEY_BY", "TOURNEY_NOW"])
def test_an_address_in_a_variable_that_is_for_something_else(run, tmp_path, variable):
    """Nobody signs with it, and it is no time: entries would say it for ever."""
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    for form in HOLDING:
        address = form.format(f"{FIRST}-{LAST}")
        said = run("player", "add", "Mira Oake", "-e", "friday.tourney", **{variable: address})
        assert said.exit_code == 3, said.output
        assert f"${variable}" in said.output
        assert not told(said.output), said.output
    assert not told(written(tmp_path))


EVENTS = {"-e", "--file", "--against", "SOURCE", "TARGET"}
"""What names an event, which may be an address. Whatever else there is, and is to come, takes none."""

HOLDING = (
    "postgresql://ann:{}@/club?host=/nowhere&event=friday",
    "POSTGRES://ann@/club?host=/nowhere&password={}&event=friday",
    "pg:friday?password={}",
    "pg://ann:{}@/friday",
    "x=postgresql://ann:{}@/club?host=/nowhere",
    "host=/nowhere user=ann password={}",
)
"""Words that hold a password: addresses, one behind the name of a setting, and what else $TOURNEY_PG may be."""


def lines_with(word):
    """Yield each argument and option of each command that takes a word, as click lists them: what it is called, the parameter, a line with the word there."""
    for path, command, context in every_command():
        arguments = [each for each in command.params if isinstance(each, click.Argument)]
        for parameter in command.params:
            if isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count):
                continue
            line = path.split()[1:]
            before = arguments[: arguments.index(parameter)] if parameter in arguments else []
            for each in command.params:
                if each is parameter or each.required or each in before:
                    name = [each.opts[0]] if isinstance(each, click.Option) else []
                    line += [*name, *[word if each is parameter else "1"] * max(each.nargs, 1)]
            yield parameter.get_error_hint(context), parameter, line


def names_an_event(parameter):
    """Say whether a parameter is one of `EVENTS`."""
    return not EVENTS.isdisjoint([*parameter.opts, (parameter.name or "").upper()])


@pytest.mark.parametrize("sign", ["-", "'"])
@pytest.mark.parametrize("holding", HOLDING)
def test_every_argument_and_option_of_every_command(run, tmp_path, holding, sign):
    """A password is in no answer, file or folder, whatever it is given to; and where no event is asked for, that is said."""
    word = holding.format(f"{FIRST}{sign}{LAST}")
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    before, count = {*tmp_path.rglob("*")}, 0
    for named, parameter, line in lines_with(word):
        said = run(*line, TOURNEY_EVENT="friday.tourney")
        assert not told(said.output), (line, said.output)
        if names_an_event(parameter):
            assert said.exit_code in (1, 2, 3), (line, said.output)
        else:
            assert said.exit_code == 2, (line, said.output)
            assert f"error: {named}: `".replace("'", "`") in said.output, (line, said.output)
            assert "is the address of a database, " in said.output, (line, said.output)
        count += 1
    assert count > 700
    assert {*tmp_path.rglob("*")} == before
    assert not told(written(tmp_path))


@pytest.mark.parametrize("word", ["pg:friday", "PG:", "postgresql:///club", "https://pages.example/friday"])
def test_every_file_and_folder(run, tmp_path, word):
    """Without a password in it, too, an address is no folder's name, nor a file's; a player may be called so."""
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    before, refused = {*tmp_path.rglob("*")}, set()
    for _, parameter, line in lines_with(word):
        metavar = parameter.metavar or ""
        if names_an_event(parameter) or not (
            isinstance(parameter.type, click.Path) or "FILE" in metavar or "DIR" in metavar
        ):
            continue
        said = run(*line, TOURNEY_EVENT="friday.tourney")
        assert said.exit_code == 2, (line, said.output)
        refused |= {*re.findall(f"`{word}` (is .*) here", said.output)}
    assert {*tmp_path.rglob("*")} == before
    what = "an address" if word.startswith("https") else "the address of a database"
    assert refused == {
        f"is {what}, {wanted} is wanted" for wanted in ("a file", "a folder", "a file or a folder")
    }
    assert run("player", "add", word, TOURNEY_EVENT="friday.tourney").exit_code == 0


# -- in a process of its own


def test_a_server_and_what_it_starts(tmp_path, postgres, monkeypatch):
    """Its words, its log while the database is away, and the lines of its processes, which everybody on the machine sees."""
    password, database = f"{FIRST} '/@{LAST}", postgres.database()
    small_event(tmp_path)
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(database))
    copy_event(tmp_path / "friday.tourney", "pg:friday")
    monkeypatch.setenv(
        "TOURNEY_PG", f"postgresql://guarded:{quote(password, safe='')}@/{database}?host={postgres.folder}"
    )
    with guarded(postgres, database, password), served(tmp_path, "-e", "pg:friday") as (server, address):
        lines = [
            each.read_bytes()
            for each in Path("/proc").glob("[0-9]*/cmdline")
            if belongs(each.parent, server.pid)
        ]
        assert lines
        assert not [each for each in lines if told(each.decode(errors="replace"))]
        postgres.sql("ALTER ROLE guarded PASSWORD 'another one'")
        postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guarded'")
        end = time.monotonic() + 20
        while (
            "password is wrong" not in (page := urllib.request.urlopen(address, timeout=10).read().decode())
            and "since" not in page
        ):
            assert time.monotonic() < end, page
            time.sleep(0.2)
        assert not told(page)
        server.send_signal(signal.SIGINT)
        said, log = server.communicate(timeout=20)
    assert not told(said + log)
    assert not told(written(tmp_path))


def belongs(process, ancestor):
    """Say whether a process is another one, or was begun by it or by what it began."""
    with suppress(OSError):
        while int(process.name) > 1:
            if int(process.name) == ancestor:
                return True
            parent = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]
            process = process.parent / parent
    return False
