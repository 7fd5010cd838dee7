"""A served event in a database: entries of other machines, and outages of the database."""

import asyncio
import os
import signal
import time

import psycopg
import pytest

from tests.desk.kit import lent
from tests.serve.kit import opened, run, small_event
from tests.serve.served import served
from tests.serve.test_seat import _every_form
from tests.serve.test_staff import enter
from tests.store.servers import PASSWORD, started
from tourney.desk import Desk
from tourney.errors import TourneyError
from tourney.store.backup import copy_event


@pytest.fixture
def friday(tmp_path, postgres, database, monkeypatch):
    """Make an event of eight in round 1 in a database; return the database's name."""
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(database))
    copy_event(small_event(tmp_path, 8) / "friday.tourney", "pg:friday")
    (tmp_path / "friday.tourney").unlink()
    return database


@pytest.fixture
def friday_alone(tmp_path, monkeypatch):
    """The same event on a server that may be stopped."""
    server = started()
    monkeypatch.setenv("TOURNEY_PG", server.conninfo(server.database()))
    copy_event(small_event(tmp_path, 8) / "friday.tourney", "pg:friday")
    yield server
    server.remove()


def elsewhere():
    """Open the event as another machine does."""
    return Desk.open("pg:friday", lent("Ben", seed=str(time.monotonic_ns())))


def seats(state, table):
    """Return the games of a table, or None without a result."""
    result = state.round.tables[table].result
    return result and tuple(seat.games for seat in result.seats)


async def until(true, seconds=60.0):
    """Wait until a condition is true."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


@pytest.mark.slow
def test_entries_of_another_machine_are_on_pages_by_notification(tmp_path, friday, monkeypatch):
    """Without other queries meanwhile."""
    monkeypatch.setattr("tourney.serve.live.TRUSTS_FOR", 3_600)
    queries, execute = [], psycopg.Cursor.execute
    monkeypatch.setattr(
        psycopg.Cursor,
        "execute",
        lambda cursor, query, *words, **how: queries.append(query) or execute(cursor, query, *words, **how),
    )

    async def story():
        async with opened(tmp_path, "pg:friday") as hall, opened(tmp_path / "2", "pg:friday") as other:
            await hall.settle()
            await other.settle()
            await asyncio.sleep(1)
            assert queries
            queries.clear()
            await asyncio.sleep(1)
            assert queries == []
            with elsewhere() as desk:
                for table, score in ((1, "2-0"), (2, "0-2"), (3, "2-1")):
                    desk.report(table, score)
                    for some_hall in (hall, other):
                        state = some_hall.room.event
                        await until(lambda event=state, t=table: seats(event.state, t))
            await hall.room.event.write(lambda desk: desk.report(4, "2-0"))
            await until(lambda: seats(other.room.event.state, 4) == (2, 0))
            phone = other.phone()
            await other.settle()
            await phone.get("/")
            assert "Mira Oake" in phone.text
            assert "won 2–0" in phone.text

    run(story())


def test_lost_connections_are_replaced_and_no_entry_is_missed(tmp_path, postgres, friday):
    """All connections, repeatedly, with entries meanwhile."""

    async def story():
        async with opened(tmp_path, "pg:friday") as hall:
            event = hall.room.event
            for table in (1, 2, 3, 4):
                cut = postgres.sql(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s", friday
                )
                assert cut[0][0]
                with elsewhere() as desk:
                    desk.report(table, "2-0")
                await until(lambda t=table: seats(event.state, t) == (2, 0))
                postgres.sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", friday
                )
                receipt = await event.write(lambda desk, t=table: desk.change_result(t, "2-1"))
                assert receipt.entries
            with elsewhere() as desk:
                assert [seats(desk.state, table) for table in (1, 2, 3, 4)] == [(2, 1)] * 4
                assert desk.state.digest == event.state.digest
            await until(lambda: event.fault is None)

    run(story())


@pytest.mark.slow
def test_a_silent_database(tmp_path, friday_alone):
    """As with a broken network: connections stay without answers. Pages say so, then continue."""

    def send(signum):
        for pid in (friday_alone.pid, *backends):
            os.kill(pid, signum)

    async def story():
        async with opened(tmp_path, "pg:friday") as hall:
            event, phone = hall.room.event, await hall.player(1)
            backends.extend(
                pid
                for (pid,) in friday_alone.sql(
                    "SELECT pid FROM pg_stat_activity WHERE application_name = 'tourney'"
                )
            )
            send(signal.SIGSTOP)
            try:
                await until(lambda: event.fault is not None)
                await phone.get("/")
                assert "The event's database has not answered since" in phone.text
                assert "Mira Oake" in phone.text
            finally:
                send(signal.SIGCONT)
            await until(lambda: event.fault is None)
            with elsewhere() as desk:
                desk.report(3, "0-2")
            await until(lambda: seats(event.state, 3) == (0, 2))
            await event.write(lambda desk: desk.report(1, "2-0"))
            await hall.settle()
            await phone.get("/")
            assert "has not answered" not in phone.text

    backends = []
    run(story())


@pytest.mark.slow
def test_an_unreachable_database(tmp_path, friday_alone):
    """Pages show the last state with its time. Forms are refused and kept, then all continues."""

    async def story():
        async with opened(tmp_path, "pg:friday") as hall:
            event, desk_page, phone = hall.room.event, await hall.staff("scorekeeper"), await hall.player(1)
            other = await hall.player(2)
            await other.get("/report")
            before = event.state
            friday_alone.stop(immediate=True)
            await until(lambda: event.fault is not None)
            await phone.get("/")
            assert "The event's database has not answered since" in phone.text
            assert "the pages show the event as it was at that time" in phone.text
            assert "Mira Oake" in phone.text
            await phone.get("/me")
            assert "has not answered since" in phone.text
            with pytest.raises(TourneyError, match="cannot be reached, so nothing was entered"):
                await event.write(lambda desk: desk.report(1, "2-0"))
            for to, status, text in await _every_form(hall, other):
                assert status == 409, to
                assert "cannot be reached, so nothing was entered" in text, to
            answer = await enter(desk_page, "slip", round="1", slip="2 2-1")
            assert answer.status_code == 409, desk_page.text
            assert "cannot be reached, so nothing was entered" in desk_page.text
            assert 'value="2 2-1"' in desk_page.page, "what was typed is still there"
            assert event.state is before
            friday_alone.start()
            with elsewhere() as desk:
                assert desk.state.digest == before.digest, "nothing is half done"
                desk.report(3, "0-2")
            await until(lambda: seats(event.state, 3) == (0, 2))
            await until(lambda: event.fault is None)
            await event.write(lambda desk: desk.report(1, "2-0"))
            await hall.settle()
            await phone.get("/")
            assert "has not answered" not in phone.text
            assert "won 2–0" in phone.text

    run(story())


@pytest.mark.slow
def test_the_terminal_reports_an_outage_and_its_end(tmp_path, friday_alone):
    """Each once."""
    with served(tmp_path, "-e", "pg:friday") as (server, _):
        friday_alone.stop(immediate=True)
        lines = iter(server.stderr.readline, "")
        assert any("the event's database has not answered since" in line for line in lines)
        friday_alone.start()
        assert next(lines) == "the event can be read again, up to entry 3\n"


@pytest.fixture
def guarded(tmp_path, postgres, friday, monkeypatch):
    """Give the server a login with the role of a desk; return a function to change its rights."""
    from tourney.store.database import ROLES

    postgres.sql(ROLES, database=friday)
    postgres.sql("GRANT tourney_desk TO guarded", database=friday)
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(friday, "guarded", password=PASSWORD))

    def change(statement):
        postgres.sql(statement, database=friday)
        return postgres.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'guarded'"
        )

    yield change
    change(f"ALTER ROLE guarded PASSWORD '{PASSWORD}'")


@pytest.mark.parametrize(
    ("taken", "given", "why"),
    [
        ("ALTER ROLE guarded PASSWORD 'other'", f"ALTER ROLE guarded PASSWORD '{PASSWORD}'",
         "the database does not let this login in: the password is wrong, or there is none"),
        ("REVOKE tourney_desk FROM guarded", "GRANT tourney_desk TO guarded",
         "this login may not read pg:friday"),
    ],
    ids=["password", "rights"],
)  # fmt: skip
def test_a_revoked_login_is_reported(tmp_path, guarded, taken, given, why):
    """With the reason, which is not an outage. Then all continues."""

    async def story():
        async with opened(tmp_path, "pg:friday") as hall:
            event, phone = hall.room.event, await hall.player(1)
            guarded(taken)
            await until(lambda: event.fault is not None and why in event.fault.message, 20)
            message = event.fault.message
            assert message.startswith("nothing can be read or entered since ")
            assert message.endswith(f": {why}; the pages show the event as it was at that time")
            for page in ("/", "/me"):
                await phone.get(page)
                assert "Nothing can be read or entered since" in phone.text
                assert why in phone.text
                assert "has not answered" not in phone.text
                assert PASSWORD not in phone.page
            assert "Mira Oake" in phone.text
            with pytest.raises(
                TourneyError, match=f"nothing was entered: {why}|this login may not do that"
            ) as refusal:
                await event.write(lambda desk: desk.report(1, "2-0"))
            assert PASSWORD not in f"{refusal.value.message} {refusal.value.hint}"
            guarded(given)
            await until(lambda: event.fault is None, 20)
            await event.write(lambda desk: desk.report(1, "2-0"))

    run(story())


def test_a_login_without_write_permission_can_read(tmp_path, postgres, friday, guarded):
    """Forms are refused with a message."""

    async def story():
        async with opened(tmp_path, "pg:friday") as hall:
            event = hall.room.event
            postgres.sql("REVOKE INSERT ON tourney.journal FROM tourney_desk", database=friday)
            with pytest.raises(
                TourneyError, match="this login may not do that with pg:friday; nothing was changed"
            ):
                await event.write(lambda desk: desk.report(1, "2-0"))
            assert event.fault is None
            assert seats(event.state, 1) is None

    run(story())
