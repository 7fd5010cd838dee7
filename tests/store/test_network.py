"""Desks and a database with a network on which packets are late or lost."""

import shutil
import subprocess
import time
from contextlib import suppress
from threading import Timer

import pytest

from tests.store.network import SERVER, network
from tests.store.test_every_journal import HELLO, MIRA, more
from tests.store.test_journal import AT, OP, rows
from tourney.errors import TourneyError, UnsettledError
from tourney.event.entry import JournalRow, Text, chain_digest
from tourney.store import postgres as store
from tourney.store.journal import AwayError
from tourney.store.postgres import PostgresJournal, PostgresPlace

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def net():
    with network() as made:
        yield made


@pytest.fixture
def friday(net):
    """The event, opened by the server's socket, so that it does not depend on the wire."""
    database = net.server.database()
    with PostgresJournal.create(net.server.address(database=database), rows(1), [HELLO], b"secret") as made:
        made.database = database
        yield made


@pytest.fixture
def far(net, friday):
    """Open the event over the wire at a desk, optionally with connection settings."""
    opened = []

    def open_(**more):
        address = PostgresPlace("friday", net.conninfo(friday.database, **more))
        opened.append(net.desks.run(PostgresJournal.open, address))
        return opened[-1]

    yield open_
    net.wire.down = False
    net.wire.delay = net.wire.loss = 0.0
    for journal in opened:
        net.desks.run(journal.close)


IMPATIENT = {"tcp_user_timeout": 1000, "connect_timeout": 2}
"""Settings that make the kernel give a connection up after a second.

Otherwise this takes half a minute.
"""


def refused(net, act, *words):
    with pytest.raises(TourneyError) as refusal:
        net.desks.run(act, *words)
    return refusal.value


@pytest.mark.parametrize("when", ["before", "sent"])
def test_a_wire_cut_briefly_during_a_commit(net, friday, far, when):
    """The kernels send lost packets again, so the entry is written once."""
    desk = far()
    net.wire.arm(when, 1.5)
    assert net.desks.run(desk.append, 1, more(2, 1), [MIRA])
    assert not net.wire.armed
    assert not net.wire.down, "it was answered when the wire was whole again"
    assert friday.rows() == rows(3)
    assert net.desks.run(desk.append, 3, more(1, 3))
    assert friday.rows() == rows(4)


@pytest.mark.parametrize("when", ["before", "sent"])
def test_a_wire_that_stays_cut_during_a_commit(net, friday, far, monkeypatch, when):
    """The result is unknown, with its exit code, after a limited time. Later it can be read."""
    monkeypatch.setattr(store, "BACK_WITHIN", 0.5)
    desk = far(**IMPATIENT)
    net.wire.arm(when, 3600)
    fault = refused(net, desk.append, 1, more(1, 1))
    assert isinstance(fault, UnsettledError)
    assert fault.exit_code == 4
    assert friday.rows() == rows(2 if when == "sent" else 1), "of a commit that never came there is nothing"
    assert isinstance(refused(net, desk.rows), AwayError)
    net.wire.down = False
    end_lost_connections(net)
    assert net.desks.run(desk.rows) == friday.rows()
    assert net.desks.run(desk.append, 1, more(1, 1)) is (when == "before"), "not twice"
    assert friday.rows() == rows(2)


def end_lost_connections(net):
    """End the server's connections of lost desks, as it does itself after 25 seconds."""
    net.server.sql(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE client_addr IS NOT NULL"
    )


def test_a_wire_that_is_down_before_a_command(net, friday, far):
    """An error after the time in the address, and no change. The next command works."""
    desk = far(**IMPATIENT)
    net.wire.down = True
    assert isinstance(refused(net, desk.append, 1, more(1, 1)), AwayError)
    net.wire.down = False
    assert net.desks.run(desk.append, 1, more(1, 1))
    assert friday.rows() == rows(2)


def test_a_slow_wire(net, friday, far):
    """With 200 ms for a round trip, an entry takes one for each dependent question."""
    desk = far()
    net.wire.delay = 0.1

    def round_trips(act):
        before = net.wire.round_trips
        assert act()
        return net.wire.round_trips - before

    trips = []
    for after in (1, 2, 3):
        trips.append(
            round_trips(lambda after=after: net.desks.run(desk.append, after, more(1, after), [MIRA]))
        )
    assert trips == [2, 2, 2]
    assert round_trips(lambda: net.desks.run(desk.rows) == rows(4)) == 1
    assert round_trips(far) == 5
    assert friday.rows() == rows(4)


@pytest.fixture
def certified(net, tmp_path):
    """Make a CA and give the server a certificate for an address."""
    folder = net.server.folder / "data"
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)

    def authority(name):
        openssl("req", "-x509", *key, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}")
        return tmp_path / f"{name}.pem"

    def certify(ip):
        openssl("req", *key[:-2], "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=club")
        (tmp_path / "names").write_text(f"subjectAltName=IP:{ip}", encoding="utf-8")
        signed = [
            "-CA",
            "club.pem",
            "-CAkey",
            "club.key",
            "-CAcreateserial",
            "-extfile",
            "names",
            "-days",
            "2",
        ]
        openssl("x509", "-req", "-in", "server.csr", *signed, "-out", "server.crt")
        for name in ("server.key", "server.crt"):
            shutil.copy(tmp_path / name, folder / name)
            shutil.chown(folder / name, folder.owner())
            (folder / name).chmod(0o600)
        net.server.sql("ALTER SYSTEM SET ssl = on")
        net.server.sql("SELECT pg_reload_conf(), pg_sleep(0.3)")

    if not shutil.which("openssl"):
        pytest.skip("no openssl here: a server that proves who it is was not tried")
    authority("club")
    authority("other")
    yield certify
    net.server.sql("ALTER SYSTEM SET ssl = off")
    net.server.sql("SELECT pg_reload_conf(), pg_sleep(0.3)")


def test_a_server_with_a_verified_certificate(net, friday, far, certified, tmp_path):
    """`sslmode=verify-full` with a private CA: other servers are refused with the reason."""
    safe = {"sslmode": "verify-full", "sslrootcert": tmp_path / "club.pem"}

    def why_not(**more):
        address = PostgresPlace("friday", net.conninfo(friday.database, **{**safe, **more}))
        fault = refused(net, PostgresJournal.open, address)
        assert "is not as secure as" in fault.message
        return fault.message

    assert "does not support SSL" in why_not()
    certified(SERVER)
    desk = far(**safe)
    assert net.desks.run(desk.append, 1, more(1, 1))
    encrypted = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE client_addr IS NOT NULL"
    assert net.server.sql(encrypted) == [(True,)]
    assert "certificate verify failed" in why_not(sslrootcert=tmp_path / "other.pem")
    assert "does not exist" in why_not(sslrootcert=tmp_path / "none.pem")
    certified("10.1.1.1")
    assert "does not match host name" in why_not()
    assert friday.rows() == rows(2)


def test_a_wire_that_loses_packets(net, friday, far):
    """One packet in eight, in both directions: all is written in order and once."""
    desk, other = far(), far()
    net.wire.loss = 1 / 8
    for after in range(1, 13):
        each = desk if after % 2 else other
        assert net.desks.run(each.append, after, more(1, after), [Text(MIRA.ref, MIRA.salt, MIRA.content)])
        assert not net.desks.run((other if after % 2 else desk).append, after, more(1, after))
    assert friday.rows() == rows(13)


@pytest.mark.slow
def test_listening_continues_after_an_outage(net, friday, far):
    """Entries made meanwhile are noticed."""
    desk = far()
    listening = net.desks.run(desk.listen)
    assert net.desks.run(listening.wait, 1)
    assert not net.desks.run(listening.wait, 0.1)
    net.wire.cut(1.0)
    friday.append(1, more(1, 1))
    assert net.desks.run(listening.wait, 60)
    assert not net.wire.down
    assert net.desks.run(desk.rows) == rows(2)
    net.desks.run(listening.close)


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "sent"])
def test_a_wire_down_for_half_a_minute_during_a_commit(net, friday, far, when):
    """Written or unknown. Other desks wait less than the outage, and report it."""
    desk, messages = far(), []
    net.wire.arm(when, 30)
    answer = net.desks.begin(desk.append, 1, more(1, 1))
    while net.wire.armed:
        time.sleep(0.01)
    friday._waiting = messages.append
    written = friday.append(1, [by_another_desk()])
    waited_for_the_wire = not net.wire.down
    try:
        here = answer.result(120)
    except UnsettledError:
        here = None
    except AwayError:
        here = False
    assert written is (when == "before")
    assert here in ((True, None) if when == "sent" else (False, None))
    assert not waited_for_the_wire
    assert bool(messages) is (when == "before")
    assert friday.rows() == [*rows(1), by_another_desk() if when == "before" else rows(2)[1]]
    assert net.desks.run(desk.rows) == friday.rows()


def by_another_desk():
    """Return an entry 2 of another desk."""
    digest = chain_digest(rows(1)[-1].digest, 2, AT, "Ben", OP)
    return JournalRow(2, AT, "Ben", OP, digest)


@pytest.mark.long
def test_listening_over_a_wire_down_for_a_minute(net, friday, far):
    """The kernel closes the connection; a new one is made, and no entry is missed."""
    desk = far()
    listening = net.desks.run(desk.listen)
    assert net.desks.run(listening.wait, 1)
    net.wire.cut(60)
    Timer(30, friday.append, [1, more(1, 1)]).start()
    begun, seen = time.monotonic(), 0
    while seen < 2 and time.monotonic() - begun < 120:
        with suppress(AwayError):
            if net.desks.run(listening.wait, 2):
                seen = len(net.desks.run(desk.rows))
    assert seen == 2
    net.desks.run(listening.close)
