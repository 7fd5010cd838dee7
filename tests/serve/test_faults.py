"""Faults of a server during a round: kills, a full disk, missing or damaged files."""

import asyncio
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from msgspec import structs

from tests.desk.kit import lent, new_desk, open_desk
from tests.kit import amount
from tests.serve.crowd import Crowd, Plan, Seen, contradictions, play
from tests.serve.kit import opened, run, small_event
from tests.serve.served import served
from tests.serve.test_routes import addresses, visitors
from tourney.desk import OwnSeat, check
from tourney.event import ops
from tourney.event.score import Report
from tourney.serve.app import all_routes
from tourney.store.devices import Devices

POSIX = pytest.mark.skipif(
    sys.platform != "linux", reason="limits of a process that runs are set as on Linux"
)


def a_round(folder, players):
    """Make an event with round 1 paired; return the cookies of all phones."""
    names = [f"Player {number:03} Invented" for number in range(players)]
    with new_desk(folder, *names, rounds=9, best_of=3) as desk:
        desk.pair_round()
        begun = desk.chain[0]
    cookie, things = f"tourney-{begun[:8]}", lent("Ann", "devices")
    seats = []
    with Devices.open(
        folder / "user" / "tourney", begun, clock=things.clock, randomness=things.randomness
    ) as devices:
        for player in range(1, players + 1):
            code = devices.new_code(player)
            login = devices.bind(player, code.text.partition("-")[2].replace("-", ""))
            seats.append((player, f"{cookie}={login.token}"))
    return seats


def a_free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def spoken_again(folder):
    """Make an event with a report after a drop ended an earlier one."""
    a_round(folder, 4)
    with open_desk(folder) as desk:
        one, two = desk.state.round.tables[1].seats
        shown = {"round_number": 1, "table": 1, "seats": (one, two)}
        OwnSeat(desk, one, key="form-1").claim(Report(score="2-0"), **shown)
        desk.drop(two)
        claim = OwnSeat(desk, two, key="form-2").claim(Report(score="2-0"), **shown).entries[0]
        OwnSeat(desk, one, key="form-3").confirm(claim)
        return [*desk.entries], one


def test_a_seat_may_report_again_after_a_drop(tmp_path):
    """The drop of an opponent ends the report, so the second report is a new one."""
    entries, _ = spoken_again(tmp_path)
    assert contradictions(entries, Seen()) == []


def test_repeated_entries_are_found(tmp_path):
    entries, one = spoken_again(tmp_path)
    (drop,) = [entry for entry in entries if isinstance(entry.op, ops.PlayerDropped)]
    undropped = [entry for entry in entries if entry is not drop]
    assert contradictions(undropped, Seen()) == [f"a seat spoke ({one}, 1, 1, 0): 2 times"]
    itself = [_with(drop, by_player=True) if entry is drop else entry for entry in entries]
    assert contradictions(itself, Seen()) == [f"a seat spoke ({one}, 1, 1, 0): 2 times"]
    first, last = (entry for entry in entries if getattr(entry.op, "player", None) == one)
    reordered = [*(entry for entry in undropped if entry is not first), drop, first]
    assert contradictions(reordered, Seen()) == [f"a seat spoke ({one}, 1, 1, 0): 2 times"], (
        "its result stands"
    )
    sent_twice = [_with(last, key="form-1") if entry is last else entry for entry in entries]
    assert contradictions(sent_twice, Seen()) == ["a form form-1: 2 times"]


def _with(entry, **changes):
    return entry._replace(op=structs.replace(entry.op, **changes))


class Killed:
    """A server that is killed at random, and started again at the same port."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        self.serving = None

    def begin(self):
        self.serving = served(self.folder, port=self.port)
        self.process, _ = self.serving.__enter__()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.serving.__exit__(None, None, None)
        self.serving = None


async def killed_often(folder, *, players, kills, lives, processes=0):
    """Kill the server repeatedly while phones report round after round.

    lives: the least and most seconds between kills; processes: of the crowd, or 0 for this one
    """
    seats, dice = a_round(folder, players), random.Random(7)
    server = Killed(folder, a_free_port())
    await asyncio.to_thread(server.begin)
    rounds = max(2, kills // 12)
    begun = time.time() + 1 + players / 100
    a_life = 2 + sum(lives) / 2 + players / 200
    a_round_takes = kills * a_life / rounds
    reports = [
        (player, begun + a_round_takes * (round_ + 0.8 * dice.random()))
        for round_ in range(rounds)
        for player, _ in seats
    ]
    over = asyncio.Event()
    plan = Plan(port=server.port, seats=seats, reports=reports, until=begun + 3600, thinks=1.0)
    here = None
    if processes:
        crowd = await Crowd.begin(plan, processes)
    else:
        listening, observed = asyncio.Event(), Seen()
        here = asyncio.create_task(play(plan, listening.set, over, observed))
        await listening.wait()
    entered = []
    for number in range(kills):
        await asyncio.sleep(dice.uniform(*lives))
        await asyncio.to_thread(server.kill)
        with open_desk(folder) as desk:  # the command line works on beside, also while there is no server
            playing = [*desk.state.round.playing]
            if playing and number % 3 == 0:
                table = dice.choice(playing)
                desk.report(table, "0-2")
                entered.append((desk.state.round.number, table))
            if time.time() > begun + a_round_takes * desk.state.round.number:
                for table in desk.state.round.playing:
                    desk.report(table, "0-2")
                    entered.append((desk.state.round.number, table))
                desk.pair_round()
        await asyncio.to_thread(server.begin)
    last, everybody = time.time(), {player for player, _ in seats}
    if here is not None:
        while observed.back(last) != everybody and time.time() < last + 30:
            await asyncio.sleep(0.1)
        over.set()
        seen = await here
    else:
        await asyncio.sleep(8 + players / 100)
        seen = await crowd.end(now=True)
    try:
        with open_desk(folder) as desk:
            assert contradictions(desk.entries, seen, entered) == []
            assert not check(desk)
    finally:
        server.serving.__exit__(None, None, None)
    assert not [request for request in seen.asked if request.status >= 500]
    acknowledged = [request for request in seen.asked if request.kind != "page" and request.status == 303]
    assert len(acknowledged) > players / 4, "there was no load"
    assert seen.lost, "the server was never killed under it"
    assert seen.back(last) == everybody, "some phones did not come back to the current page"


@pytest.mark.slow
def test_killed_under_load(tmp_path):
    """`kill -9` five times with 24 phones: acknowledged reports are in the journal once."""
    run(killed_often(tmp_path, players=24, kills=5, lives=(0.2, 1.2)))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_killed_very_often_under_load(tmp_path):
    """Fifty times with 500 phones."""
    run(killed_often(tmp_path, players=500, kills=50, lives=(0.5, 5), processes=2))


@pytest.mark.slow
def test_ctrl_c_under_load(tmp_path):
    """The server exits with 0 and no error, and nothing acknowledged is lost."""

    async def story():
        seats, dice = a_round(tmp_path, 24), random.Random(5)
        port, over, listening = a_free_port(), asyncio.Event(), asyncio.Event()
        with served(tmp_path, port=port) as (server, _):
            now = time.time()
            reports = [(player, now + 0.5 + 2 * dice.random()) for player, _ in seats]
            plan = Plan(port=port, seats=seats, reports=reports, until=now + 60, thinks=0.3)
            crowd = asyncio.create_task(play(plan, listening.set, over))
            await listening.wait()
            while True:
                with open_desk(tmp_path) as desk:
                    if len(desk.state.round.playing) < 9:
                        break
                await asyncio.sleep(0.05)
            server.send_signal(signal.SIGINT)
            assert await asyncio.to_thread(server.wait, 60) == 0
            output = server.stderr.read()
            over.set()
            seen = await crowd
        assert "Traceback" not in output
        assert "a bug" not in output
        with open_desk(tmp_path) as desk:
            assert contradictions(desk.entries, seen) == []
            assert not check(desk)

    run(story())


# -- no room


async def check_messages_without_disk_space(folder, fill, free):
    """Send forms without disk space: each has a message, and later the same form is accepted."""
    seats = a_round(folder, 4)
    with served(folder) as (server, address):
        import httpx

        _, cookie = seats[0]
        async with httpx.AsyncClient(
            base_url=address, headers={"cookie": cookie, "origin": address}
        ) as phone:
            page = (await phone.get("/report")).text
            form = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
            sent = {"result": "2-0"}
            for name, value in form:
                sent.setdefault(name, []).append(value)
            fill(server)
            for _ in range(3):
                answer = await phone.post("/report", data=sent)
                assert answer.status_code == 409, answer.text
                assert "nothing was changed" in answer.text.lower()
                assert "Traceback" not in answer.text
                assert (await phone.get("/me")).status_code == 200
                assert (await phone.get("/")).status_code == 200
                joining = await phone.post("/join", data={"key": sent["key"], "code": "2-AAAA-AAAA"})
                assert joining.status_code < 500
            with open_desk(folder) as desk:
                assert desk.state.entry == before(desk)
            free(server)
            assert (await phone.post("/report", data=sent)).status_code == 303
            with open_desk(folder) as desk:
                assert desk.state.round.claims
        assert server.poll() is None


def before(desk):
    """Return the entry of the pairing."""
    return desk.state.round.paired.entry


@POSIX
def test_no_room_by_the_limit_of_the_system(tmp_path):
    """No file may grow: phones get a message, see pages, and can report later."""
    import resource

    def fill(server):
        _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (512, hard))

    def free(server):
        _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))

    run(check_messages_without_disk_space(tmp_path, fill, free))


@POSIX
def test_a_full_disk(tmp_path):
    """A small disk in memory, if it can be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", "size=4m", "tourney-test", str(disk)]
    if (
        os.geteuid()
        or not shutil.which("mount")
        or subprocess.run(line, capture_output=True, check=False).returncode
    ):
        pytest.skip("no disk may be mounted here")

    def fill(server):
        filler = os.open(disk / "filler", os.O_CREAT | os.O_WRONLY)
        with suppress(OSError):
            while True:
                os.write(filler, bytes(4096))
        os.close(filler)

    def free(server):
        (disk / "filler").unlink()

    try:
        run(check_messages_without_disk_space(disk, fill, free))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# -- files that are gone, damaged, replaced


FEW_ROLES = ("organizer",)
"""The role that sees each kind of damage in an ordinary run. One kind for each file is seen in all roles."""


async def _everything(hall, browsers, *, in_all_roles=True):
    """Request every page and send every form: no crash, no paths in answers."""
    seen = []
    roles = browsers if in_all_roles else amount(FEW_ROLES, of=browsers)
    for role in roles:
        browser = browsers[role]
        await browser.get("/join")
        key = browser.key
        for address in addresses(hall.room.event.pages):
            answer = await browser.get(address)
            seen.append((f"GET {address} as {role}", answer))
        for route in all_routes():
            if route.form:
                path = re.sub(r"{\w+(:\w+)?}", "1", route.path)
                answer = await browser.post(
                    path, key=key, code="1-AAAA-AAAA", table="1", round="1", claim="2", slip="1 2-0"
                )
                seen.append((f"POST {path} as {role}", answer))
    for what, answer in seen:
        assert answer.status_code < 500 or "cannot be read at the moment" in answer.text, what
        assert "Traceback" not in answer.text, what
        assert str(hall.folder) not in answer.text, what
    return seen


def test_every_page_and_form_without_the_event_file(tmp_path):
    """In all roles. When the file is back, a result is accepted."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            browsers = await visitors(hall)
            before = hall.room.event.state.entry
            (tmp_path / "friday.tourney").rename(tmp_path / "away")
            await _everything(hall, browsers)
            (tmp_path / "away").rename(tmp_path / "friday.tourney")
            assert (await hall.room.event.read(lambda desk: desk.refresh())).entry == before
            await hall.room.event.write(lambda desk: desk.report(1, "2-0"))

    run(story())


DAMAGE = {
    "another event": lambda path: _another_event(path),
    "no event at all": lambda path: path.write_bytes(b"not a file of SQLite at all" * 400),
    "empty": lambda path: path.write_bytes(b""),
    "a folder": lambda path: path.mkdir(),
    "cut off": lambda path: path.write_bytes((path.parent / "away").read_bytes()[:20000]),
}


def _another_event(path):
    place = path.parent / "other"
    place.mkdir()
    new_desk(place, "Ada Finch", "Ivo Lark", seed="another").leave()
    (place / "friday.tourney").rename(path)


@pytest.mark.slow
@pytest.mark.parametrize("what", DAMAGE)
def test_every_page_and_form_with_another_file_in_place(tmp_path, what):
    """Another event, no event, nothing or a folder; the right file is opened again."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            browsers = await visitors(hall)
            path = tmp_path / "friday.tourney"
            path.rename(tmp_path / "away")
            DAMAGE[what](path)
            async with asyncio.timeout(60):
                while hall.room.event.fault is None:
                    await asyncio.sleep(0.01)
            for _, answer in await _everything(hall, browsers, in_all_roles=what == "another event"):
                assert "Ivo Lark" not in answer.text
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            (tmp_path / "away").rename(path)
            await hall.room.event.write(lambda desk: desk.report(1, "2-0"))
            async with asyncio.timeout(60):
                while hall.room.event.fault is not None:
                    await asyncio.sleep(0.01)
            await hall.settle()
            assert "won 2–0" in (await browsers["spectator"].get("/")).text

    run(story())


def _devices_path(hall):
    (path,) = (hall.folder / "user" / "devices").glob("*.sqlite")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("what", ["missing", "damaged", "empty", "a folder"])
def test_every_page_and_form_without_readable_devices(tmp_path, what):
    """Spectators see everything; joined phones get a message until the file is back."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            browsers = await visitors(hall)
            path = _devices_path(hall)
            path.rename(tmp_path / "codes")
            if what == "damaged":
                path.write_bytes(b"not a file of SQLite at all" * 400)
            elif what == "empty":
                path.write_bytes(b"")
            elif what == "a folder":
                path.mkdir()
            await _everything(hall, browsers, in_all_roles=what == "missing")
            assert (await hall.phone().get("/")).status_code == 200
            me = await browsers["player"].get("/me")
            assert me.status_code == (303 if what == "empty" else 503)
            assert "sqlite" not in browsers["player"].text
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            (tmp_path / "codes").rename(path)
            assert (await browsers["player"].get("/me")).status_code == 200
            assert (await browsers["organizer"].get("/desk")).status_code == 200

    run(story())


def test_codes_made_again_after_their_file_was_deleted(tmp_path):
    """The server knows them at once."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = await hall.player(1)
            _devices_path(hall).unlink()
            things = lent("Ann", "again")
            with Devices.open(
                tmp_path / "user",
                hall.room.event.started_with,
                clock=things.clock,
                randomness=things.randomness,
            ) as beside:
                code = beside.new_code(1)
            await phone.get("/me")
            again = await hall.phone().join(code)
            assert (await again.get("/me")).status_code == 200

    run(story())
