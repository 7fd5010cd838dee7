"""A PostgreSQL server for tests, in a temporary folder, and a proxy that loses answers.

The server is Debian's package (`apt-get install postgresql`), run as another user if the tests run as root,
as PostgreSQL refuses root.
"""

import ctypes
import os
import pwd
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.kit import NO_POSTGRES
from tourney.store.postgres import PostgresPlace

PASSWORD = "the-guarded-words"
"""Of the login `guarded`, which alone needs one."""


_FOLDER_OF_RUN = os.environ.get("PYTEST_DEBUG_TEMPROOT")
"""The folder that `scripts/test` deletes at its end, in memory if possible."""


def programs() -> Path | None:
    """Return the folder of the newest PostgreSQL programs, or None if none is installed."""
    paths = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    here = shutil.which("initdb")
    return paths[-1].parent if paths else Path(here).resolve().parent if here else None


def started(**settings):
    """Start a server, or skip if PostgreSQL is not installed. settings: for postgresql.conf."""
    folder = programs()
    if folder is None:
        pytest.skip(f"{NO_POSTGRES}: Debian's package `postgresql` has it")
    return PostgresServer(folder, settings)


def _end_with_parent():
    """Have Linux stop this process if the test run is killed (prctl, PR_SET_PDEATHSIG)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


class PostgresServer:
    """A server that does not sync to the disk, unless `settings` say otherwise."""

    def __init__(self, programs: Path, settings: dict[str, str]) -> None:
        self._programs = programs
        self._as: dict[str, Any] = {}
        # The path of a socket has at most 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir=_FOLDER_OF_RUN or "/tmp"))
        if os.geteuid() == 0:
            other = next(user for user in pwd.getpwall() if user.pw_name in ("postgres", "nobody"))
            os.chown(self.folder, other.pw_uid, other.pw_gid)
            self._as = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
        self._settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "shared_buffers": "16MB",
            "max_connections": "40",
            "max_wal_size": "64MB",
            "logging_collector": "off",
            "jit": "off",
            **settings,
        }
        self._process: subprocess.Popen[bytes]
        self._databases = 0
        self._unused: list[str] = []
        self._init()
        hba = "local all guarded scram-sha-256\nlocal all all trust\n"
        (self.folder / "data" / "pg_hba.conf").write_text(hba, encoding="utf-8")
        self.start()
        self.sql(f"CREATE ROLE guarded LOGIN PASSWORD '{PASSWORD}'")

    def _init(self):
        """Make the server's data, or copy that of the first server of this run."""
        data, words = self.folder / "data", ["--no-sync", "--username=owner", "--auth=trust", "--locale=C"]
        first = Path(_FOLDER_OF_RUN or self.folder, "pg-data")
        if first.exists():
            subprocess.run(["cp", "-a", first, data], check=True)
            return
        self._run("initdb", "-D", data, *words, "--encoding=UTF8")
        if _FOLDER_OF_RUN:
            subprocess.run(["cp", "-a", data, self.folder / "copy"], check=True)
            with suppress(OSError):  # another worker was first
                (self.folder / "copy").rename(first)

    def _run(self, program, *words):
        command = [self._programs / program, *words]
        done = subprocess.run(
            command, cwd="/", capture_output=True, text=True, timeout=120, check=False, **self._as
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    # -- running

    def start(self):
        """Start the server, and wait until it accepts connections."""
        words = [word for key, value in self._settings.items() for word in ("-c", f"{key}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.folder / "data", *words],
                cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self._as,
                preexec_fn=_end_with_parent,  # noqa: PLW1509
            )  # fmt: skip
        self._until_ready()

    def _until_ready(self):
        import psycopg

        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.conninfo("postgres")).close()
            except psycopg.OperationalError:
                assert self._process.poll() is None, self.log()
                assert time.monotonic() < end, self.log()
                time.sleep(0.02)
            else:
                return

    def stop(self, *, immediate=False):
        """Stop the server like `pg_ctl stop`, or like `pg_ctl stop -m immediate`."""
        self._process.send_signal(signal.SIGQUIT if immediate else signal.SIGINT)
        self._process.wait(60)

    def remove(self):
        """Stop the server and delete its folder."""
        if self._process.poll() is None:
            self.stop(immediate=True)
        shutil.rmtree(self.folder)

    @property
    def pid(self):
        """Return the number of its main process."""
        return self._process.pid

    def log(self):
        """Return the text of its log."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    # -- databases

    def conninfo(self, database, user="owner", **more):
        """Return the settings of a connection to a database."""
        words = {"host": self.folder, "user": user, "dbname": database, **more}
        return " ".join(f"{key}={value}" for key, value in words.items())

    def sql(self, statement, *values, database="postgres"):
        """Run a statement as the owner in its own transaction, and return its rows."""
        import psycopg

        with psycopg.connect(self.conninfo(database), autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []

    def database(self):
        """Return the name of an empty database: a new one, or one that was given back."""
        if self._unused:
            return self._unused.pop()
        self._databases += 1
        name = f"club{self._databases}"
        self.sql(f"CREATE DATABASE {name}")
        return name

    def give_back(self, name):
        """Empty a database for another test, which takes a fifth of the time of making one.

        A database that then differs from a new one is not used again.
        """
        import psycopg

        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", name)
        with suppress(psycopg.Error):
            ((is_new,),) = self.sql(_EMPTY, database=name)
            if is_new:
                self._unused.append(name)

    def files_of(self, database):
        """Return the files with a database's tables, without the write-ahead log."""
        ((number,),) = self.sql("SELECT oid FROM pg_database WHERE datname = %s", database)
        return [path for path in (self.folder / "data" / "base" / str(number)).iterdir() if path.is_file()]

    def address(self, event="friday", *, database, user="owner", **more):
        """Return the address of an event."""
        return PostgresPlace(event, self.conninfo(database, user, **more))


_EMPTY = """
DROP SCHEMA IF EXISTS tourney CASCADE;
SELECT datconnlimit = -1 AND datdba = 10
    AND coalesce(datacl, acldefault('d', datdba)) = acldefault('d', datdba)
    AND NOT EXISTS (SELECT FROM pg_db_role_setting WHERE setdatabase = pg_database.oid)
    AND NOT EXISTS (SELECT FROM pg_namespace WHERE oid >= 16384)
    AND NOT EXISTS (SELECT FROM pg_class WHERE oid >= 16384)
    AND NOT EXISTS (SELECT FROM pg_proc WHERE oid >= 16384)
FROM pg_database WHERE datname = current_database()
"""
"""Empty a database, and return whether it is like a new one.

The objects that initdb makes have an OID below 16384.
"""


class Proxy:
    """A proxy between desks and a server, which can cut connections.

    armed: cut the connection at the next COMMIT of a desk: `before` the server gets it, as soon as it is
    `sent`, or after the server's `answer`, which the desk never gets. With `answer, then nothing`, later
    connections fail, too.
    """

    def __init__(self, server: PostgresServer) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="px-", dir="/tmp"))
        self._to = str(server.folder / ".s.PGSQL.5432")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / ".s.PGSQL.5432"))
        self._listening.listen(20)
        self.armed = ""
        self.cuts = 0
        self.closed_to_all = False
        self._over = False
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while not self._over:
            if select.select([self._listening], [], [], 0.1)[0]:
                try:
                    desk, _ = self._listening.accept()
                except OSError:
                    return
                if self.closed_to_all:
                    desk.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._to)
                self._open.add(desk)
                threading.Thread(target=self._pass_on, args=(desk, server), daemon=True).start()

    def _pass_on(self, desk, server):
        cut = ""
        with desk, server, suppress(OSError):
            while not self._over:
                for sock in select.select([desk, server], [], [], 0.1)[0]:
                    content = sock.recv(1 << 16)
                    if sock is desk and self.armed and b"COMMIT\0" in content:
                        cut, self.armed = self.armed, ""
                        self.cuts += 1
                    answered = sock is server and cut.startswith("answer")
                    if answered and "nothing" in cut:
                        self.closed_to_all = True
                    if not content or cut == "before" or answered:
                        return
                    (server if sock is desk else desk).sendall(content)
                    if cut == "sent":
                        return
        self._open.discard(desk)

    def cut(self):
        """Cut all connections."""
        while self._open:
            with suppress(OSError):
                self._open.pop().shutdown(socket.SHUT_RDWR)

    def close(self):
        """Stop the proxy and delete its folder."""
        self._over = True
        self._listening.close()
        shutil.rmtree(self.folder)


@contextmanager
def proxied(server):
    """Yield a proxy for a server."""
    proxy = Proxy(server)
    try:
        yield proxy
    finally:
        proxy.close()


@contextmanager
def small_disk(server, *, megabytes):
    """Yield a tablespace on a small disk and a function that fills it, or skip the test."""
    place = server.folder / "small"
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=777", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mounting, capture_output=True, check=False).returncode:
        place.rmdir()
        pytest.skip("a small disk cannot be mounted here: what a full one does was not tested")
    try:
        (place / "space").mkdir()
        shutil.chown(place / "space", server.folder.owner())
        server.sql(f"CREATE TABLESPACE small LOCATION '{place / 'space'}'")

        def fill():
            left = os.statvfs(place)
            with (place / "filler").open("wb") as file:
                file.write(bytes(max(0, (left.f_bavail * left.f_bsize) - 2**18)))

        yield fill, "small"
        server.sql("DROP TABLESPACE small")
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
        place.rmdir()
