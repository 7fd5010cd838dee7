"""The password of a database: its sources, and that no output, file or page contains it."""

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
from tourney.cli import root
from tourney.store.backup import copy_event
from tourney.store.database import ROLES

FIRST, LAST = "sesam", "oeffne"
"""How every password here begins and ends; no word of the program does."""

BETWEEN = (" ", "/", "@", ":", "?", "#", "&", "=", "'", '"', "\\", "%", "%2F", "\t", ",", "[", "(", "`", "$",
           "é", "//", "@@", "\n", "&port=", " port=", "&sslmode=", " connect_timeout=", " sslmode=",
           "?event=", "&event=", "@host/", "\udcff")  # fmt: skip
"""Separators: signs of addresses, settings and shells; settings; and a lone surrogate."""


def password_parts(text):
    """Return the parts of the password that are in a text."""
    return [part for part in (FIRST, LAST) if part in text.lower()]


def arguments(password, host, database="club"):
    """Yield addresses that contain a password, plain and escaped."""
    query = f"host={host}&" if host.startswith("/") else ""
    where = "" if host.startswith("/") else host
    for text in (password, quote(password, safe="", errors="surrogateescape")):
        yield f"postgresql://guarded:{text}@{where}/{database}?{query}event=friday"
        yield f"Postgres://guarded@{where}/{database}?{query}password={text}&event=friday"
        yield f"postgresql://guarded@{where}/{database}?{query}event=friday&password={text}"
        yield f"pg:friday?password={text}"
        yield f"pg://guarded:{text}@{where}/{database}?event=friday"
        yield f"mysql://guarded:{text}@{where}/{database}"


def settings(password, host, database="club"):
    """Yield environments with a password in $TOURNEY_PG or $PGPASSWORD."""
    query = f"host={host}" if host.startswith("/") else ""
    where = "" if host.startswith("/") else host
    for text in (password, quote(password, safe="", errors="surrogateescape")):
        yield {"TOURNEY_PG": f"postgresql://guarded:{text}@{where}/{database}?{query}"}
    name, _, port = host.partition(":")
    rest = f"host={name} port={port or 5432} user=guarded dbname={database}"
    quoted = password.replace("\\", "\\\\").replace("'", "\\'")
    for text in (password, f"'{quoted}'", f"'{password}'"):
        yield {"TOURNEY_PG": f"{rest} password={text}"}
        yield {"TOURNEY_PG": f"password={text} {rest}"}
    yield {"TOURNEY_PG": rest, "PGPASSWORD": password}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a command in an empty folder and returns its output.

    Files that it writes elsewhere go into the folder, too.
    """
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


def folder_contents(folder):
    """Return the names and contents of all files in a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return "\n".join(f"{file}\n{file.read_bytes().decode(errors='replace')}" for file in files)


@pytest.mark.parametrize("sign", BETWEEN, ids=ascii)
def test_an_unreachable_address(run, tmp_path, sign):
    """No error contains the password, escaped or not."""
    for host in ("/nowhere", "127.0.0.1:1"):
        sources = [(address, {}) for address in arguments(f"{FIRST}{sign}{LAST}", host)]
        sources += [("pg:friday", around) for around in settings(f"{FIRST}{sign}{LAST}", host)]
        for address, surroundings in sources:
            result = run("event", "show", "-e", address, **surroundings)
            assert result.exit_code == 3, (address, surroundings, result.output)
            assert not password_parts(result.output), (address, surroundings, result.output)
    assert not password_parts(folder_contents(tmp_path))


def test_an_address_with_a_password_is_always_refused(run, tmp_path):
    """The error says where a password belongs."""
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    for address in (
        f"postgresql://ann:{FIRST}@/club?host=/nowhere&event=friday",
        f"POSTGRES://ann@/club?host=/nowhere&password={FIRST}&event=friday",
    ):
        lines = [line for _, parameter, line in lines_with(address) if names_an_event(parameter)]
        assert len(lines) > 90
        for line in lines:
            result = run(*line, TOURNEY_EVENT="friday.tourney")
            assert not password_parts(result.output), (line, result.output)
            assert result.exit_code in (2, 3), (line, result.output)
        result = run("event", "show", "-e", address)
        assert "the address of an event must not contain a password" in result.output
        assert "~/.pgpass" in result.output
        assert not password_parts(run("event", "show", TOURNEY_EVENT=address).output)


@contextmanager
def guarded(postgres, database, password):
    """Change the password of the login `guarded`, and grant it the role of a desk."""
    from psycopg import sql

    change = sql.SQL("ALTER ROLE guarded PASSWORD {}")
    postgres.sql(ROLES, database=database)
    postgres.sql("GRANT tourney_desk TO guarded", database=database)
    postgres.sql(change.format(sql.Literal(password)))
    try:
        yield
    finally:
        postgres.sql(change.format(sql.Literal(PASSWORD)))


@pytest.mark.slow
@pytest.mark.parametrize("sign", [" /@:?#&=,'\"\\%2F%é日\t", "-"], ids=["odd", "plain"])
def test_an_evening_with_a_password(run, tmp_path, postgres, database, sign):
    """Right or wrong, it is in no output, event, copy or page, nor in the server's process."""
    password = f"{FIRST}{sign}{LAST}"
    made = 0
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    run("event", "copy", "friday.tourney", "pg:friday", TOURNEY_PG=postgres.conninfo(database))
    with guarded(postgres, database, password):
        for surroundings in settings(password, str(postgres.folder), database):
            for words in (["player", "add", f"Player {made}"], ["event", "check"], ["event", "backup"]):
                result = run(*words, "-e", "pg:friday", **surroundings)
                assert result.exit_code in (0, 3), (surroundings, result.output)
                assert not password_parts(result.output), (surroundings, result.output)
            made += result.exit_code == 0
        assert made == (9 if sign == "-" else 4), "an unescaped password fails in some forms"
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
            result = run(*words, **last)
            assert result.exit_code == 0, result.output
            assert not password_parts(result.output)
    with guarded(postgres, database, "another one"):
        for surroundings in settings(password, str(postgres.folder), database):
            result = run("event", "check", "-e", "pg:friday", **surroundings)
            assert result.exit_code == 3
            assert not password_parts(result.output), (surroundings, result.output)
    assert not password_parts(folder_contents(tmp_path))
    postgres.sql("CHECKPOINT", database=database)
    assert not [
        path
        for path in postgres.files_of(database)
        if password_parts(path.read_bytes().decode(errors="replace"))
    ]


@pytest.mark.parametrize("sign", [" ", "\\", ":", "#", "é"], ids=ascii)
def test_a_password_in_a_file(run, tmp_path, postgres, database, sign):
    """In `~/.pgpass`, another file or a service; right, wrong, or readable by others."""
    password = f"{FIRST}{sign}{LAST}"
    passwords, services = tmp_path / ".pgpass", tmp_path / ".pg_service.conf"
    passwords.write_text(
        f"*:*:*:guarded:{password.replace(chr(92), chr(92) * 2).replace(':', chr(92) + ':')}\n",
        encoding="utf-8",
    )
    where = f"host={postgres.folder}\ndbname={database}\nuser=guarded"
    services.write_text(f"[club]\n{where}\npassword={password}\n[other]\n{where}\n", encoding="utf-8")
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    run("event", "copy", "friday.tourney", "pg:friday", TOURNEY_PG=postgres.conninfo(database))
    settings_ = {"PGPASSFILE": str(passwords), "PGSERVICEFILE": str(services)}
    for right, now in ((True, password), (False, "another one")):
        with guarded(postgres, database, now):
            for mode in (0o600, 0o644):
                passwords.chmod(mode)
                for conninfo, gets_in in (
                    ("service=other", mode == 0o600),
                    ("service=club", True),
                    (where.replace("\n", " "), mode == 0o600),
                ):
                    result = run("event", "check", "-e", "pg:friday", **settings_, TOURNEY_PG=conninfo)
                    assert result.exit_code == (0 if right and gets_in else 3), (conninfo, result.output)
                    assert not password_parts(result.output)
    passwords.unlink()
    services.write_text(f"[club]\npassword {password}\n", encoding="utf-8")
    result = run("event", "check", "-e", "pg:friday", **settings_, TOURNEY_PG="service=club")
    assert result.exit_code == 3
    assert not password_parts(result.output)


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ann:{FIRST}/{LAST}@host/club?event=friday",
        f"postgresql://host/club?event=friday&user=ann&password={FIRST}/{LAST}",
    ],
)
def test_an_address_in_place_of_another_word(run, tmp_path, address):
    """A usage error shortens the address."""
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    for words in (
        [address],
        ["event", address],
        ["event", "show", address],
        ["event", "show", f"--{address}"],
    ):
        result = run(*words, TOURNEY_EVENT="friday.tourney")
        assert result.exit_code == 2, result.output
        assert not password_parts(result.output), (words, result.output)


EVENTS = {"-e", "--file", "--against", "SOURCE", "TARGET"}
"""What names an event, which may be an address. Nothing else takes one."""


def lines_with(word):
    """Yield each parameter that takes a word: its name, the parameter, a line with the word."""
    for path, command, context in every_command():
        arguments = [param for param in command.params if isinstance(param, click.Argument)]
        for parameter in command.params:
            if isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count):
                continue
            line = path.split()[1:]
            before = arguments[: arguments.index(parameter)] if parameter in arguments else []
            for param in command.params:
                if param is parameter or param.required or param in before:
                    name = [param.opts[0]] if isinstance(param, click.Option) else []
                    line += [*name, *[word if param is parameter else "1"] * max(param.nargs, 1)]
            yield parameter.get_error_hint(context), parameter, line


def names_an_event(parameter):
    """Return whether a parameter is one of `EVENTS`."""
    named = [parameter.name.upper()] if isinstance(parameter, click.Argument) else parameter.opts
    return not EVENTS.isdisjoint(named)


@pytest.mark.parametrize("word", ["pg:friday", "PG:", "postgresql:///club", "https://pages.example/friday"])
def test_an_address_in_every_word(run, tmp_path, word):
    """An address cannot name a folder or a file, but it can be a player's name."""
    run("event", "new", "F", "--format", "red-diamond/standard", "--banlist", "none", "-e", "friday.tourney")
    before, refused = {*tmp_path.rglob("*")}, set()
    for _, parameter, line in lines_with(word):
        metavar = parameter.metavar or ""
        if names_an_event(parameter) or not (
            isinstance(parameter.type, click.Path) or "FILE" in metavar or "DIR" in metavar
        ):
            continue
        result = run(*line, TOURNEY_EVENT="friday.tourney")
        assert result.exit_code == 2, (line, result.output)
        refused |= {*re.findall("expected (.*), found an address", result.output)}
    assert {*tmp_path.rglob("*")} == before
    assert refused == {"a file", "a folder", "a file or a folder"}
    assert run("player", "add", word, TOURNEY_EVENT="friday.tourney").exit_code == 0


# -- in a process of its own


@pytest.mark.slow
def test_a_server_and_its_processes(tmp_path, postgres, database, monkeypatch):
    """Its output, its log during an outage, and the command lines of its processes."""
    password = f"{FIRST} '/@{LAST}"
    small_event(tmp_path)
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(database))
    copy_event(tmp_path / "friday.tourney", "pg:friday")
    monkeypatch.setenv(
        "TOURNEY_PG", f"postgresql://guarded:{quote(password, safe='')}@/{database}?host={postgres.folder}"
    )
    with guarded(postgres, database, password), served(tmp_path, "-e", "pg:friday") as (server, address):
        lines = [
            path.read_bytes()
            for path in Path("/proc").glob("[0-9]*/cmdline")
            if belongs(path.parent, server.pid)
        ]
        assert lines
        assert not [line for line in lines if password_parts(line.decode(errors="replace"))]
        postgres.sql("ALTER ROLE guarded PASSWORD 'another one'")
        postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guarded'")
        end = time.monotonic() + 60
        while (
            "password is wrong" not in (page := urllib.request.urlopen(address, timeout=60).read().decode())
            and "since" not in page
        ):
            assert time.monotonic() < end, page
            time.sleep(0.2)
        assert not password_parts(page)
        server.send_signal(signal.SIGINT)
        output, log = server.communicate(timeout=20)
    assert not password_parts(output + log)
    assert not password_parts(folder_contents(tmp_path))


def belongs(process, ancestor):
    """Return whether a process is another one or its descendant."""
    with suppress(OSError):
        while int(process.name) > 1:
            if int(process.name) == ancestor:
                return True
            parent = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]
            process = process.parent / parent
    return False
