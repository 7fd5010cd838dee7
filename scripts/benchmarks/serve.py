"""A room of phones on one machine: all learn of a new round from a stream and ask for their page, while more comes in.

scripts/bench serve [--phones 500] [--rounds 4] [--seconds 20]

A real server in a process of its own, real sockets, one event file. Phones listen as a browser's page does, pick their
moment as it does, and open a new connection for the page. Meanwhile the desk enters results by the file, as the command
line does. What a phone waits for its page is measured by the phone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tourney.desk import Desk
from tourney.serve.guard import raise_open_files
from tourney.store.data import Library
from tourney.store.devices import Devices


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC).astimezone()


def an_event(folder: Path, players: int, rounds: int) -> Desk:
    """Return the desk of an event of invented players with so many rounds played."""
    desk = Desk.create(
        folder / "room.tourney", name="Room", format_name="red-diamond/standard", by="Ann", clock=now,
        randomness=os.urandom, library=Library.open, banlist="none", rounds=rounds + 2, best_of=3,
    )  # fmt: skip
    desk.import_players("\n".join(f"Player {number:04} Invented" for number in range(players)), source="list")
    dice = random.Random(1)
    for _ in range(rounds):
        desk.pair_round()
        desk.report_block(
            f"{table} {dice.choice(('2-0', '2-1', '1-2', '0-2'))}" for table in desk.state.round.tables
        )  # type: ignore[union-attr]
    return desk


@dataclass
class Phone:
    """A phone: its cookie, when it was told, how long its page took, and what that said."""

    player: int
    cookie: str
    told: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    there: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Room:
    """The server and all phones."""

    def __init__(self, port: int, phones: list[Phone]) -> None:
        self.port, self.phones, self.listening = port, phones, 0

    async def ask(self, phone: Phone, path: str) -> bytes:
        """Ask for a page on a connection of its own."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(_request(path, phone.cookie, self.port, "close"))
            answer = await reader.read(-1)
        finally:
            writer.close()
        return answer

    async def listen(self, phone: Phone) -> None:
        """Listen for news, and ask for the page after each, at a moment within the seconds that it names."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            _request(f"/events?about=room,player:{phone.player}", phone.cookie, self.port, "keep-alive")
        )
        kind = ""
        try:
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    kind = line[7:].strip().decode()
                    self.listening += kind == "head"
                elif line.startswith(b"data: ") and kind == "news":
                    phone.told.append(time.perf_counter())
                    await asyncio.sleep(json.loads(line[6:])["within"] * random.random())
                    await self.look(phone)
        finally:
            writer.close()

    async def look(self, phone: Phone) -> None:
        """Ask for the own page."""
        begin = time.perf_counter()
        answer = await self.ask(phone, "/me")
        end = time.perf_counter()
        phone.pages.append(end - begin)
        phone.there.append(end)
        if not answer.startswith(b"HTTP/1.1 200") or b"Player %04d" % (phone.player - 1) not in answer:
            phone.faults.append(answer[:80].decode(errors="replace"))


def _request(path: str, cookie: str, port: int, kept: str) -> bytes:
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Cookie: {cookie}",
        f"Connection: {kept}",
        "",
        "",
    )
    return "\r\n".join(lines).encode()


def memory(process: int) -> float:
    """Return the megabytes that a process has in memory at most so far; 0 where the system does not say."""
    try:
        said = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    found = re.search(r"VmHWM:\s*(\d+) kB", said)
    return int(found[1]) / 1024 if found else 0.0


def percentile(values: list[float], share: float) -> float:
    """Return the value below which that share of `values` lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def told(what: str, phones: list[Phone], begin: float) -> None:
    """Print when phones were told of something that began at `begin`, and how long their pages took."""
    first = [each.told[0] - begin for each in phones if each.told]
    pages = [took for each in phones for took in each.pages]
    there = [each.there[-1] - begin for each in phones if each.there]
    faults = [fault for each in phones for fault in each.faults]
    print(
        f"{what:<34} {len(first):4} told, the last after {max(first, default=0):5.2f} s; {len(pages):5} pages,"
        f" median {1000 * statistics.median(pages or [0]):5.0f} ms, p95 {1000 * percentile(pages, 0.95):5.0f} ms,"
        f" the last there after {max(there, default=0):5.2f} s; {len(faults)} faults",
        flush=True,
    )
    for fault in faults[:3]:
        print(f"  {fault}")


def forget(phones: list[Phone]) -> None:
    """Begin to measure anew."""
    for each in phones:
        each.told, each.pages, each.there, each.faults = [], [], [], []


async def play(room: Room, desk: Desk, seconds: float) -> None:
    """Pair a round under the eyes of all phones, then enter its results one by one."""
    listening = [asyncio.create_task(room.listen(phone)) for phone in room.phones]
    while room.listening < len(room.phones):
        await asyncio.sleep(0.05)
    await asyncio.sleep(1)
    forget(room.phones)
    begin = time.perf_counter()
    desk.pair_round()
    paired = time.perf_counter()
    print(f"{'pairing, by the file':<34} {paired - begin:5.2f} s")
    await asyncio.sleep(8)
    told("a new round", room.phones, paired)
    forget(room.phones)
    tables = list(desk.state.round.tables)  # type: ignore[union-attr]
    begin = time.perf_counter()
    for number, table in enumerate(tables[:-1], 1):
        await asyncio.sleep(max(0, begin + seconds * number / len(tables) - time.perf_counter()))
        await asyncio.to_thread(lambda table=table: None)
        desk.report(table, "2-0")
    await asyncio.sleep(4)
    told(f"{len(tables) - 1} results in {seconds:.0f} s", room.phones, begin)
    forget(room.phones)
    begin = time.perf_counter()
    desk.report(tables[-1], "2-0")
    await asyncio.sleep(8)
    told("the last result: a round is over", room.phones, begin)
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)


def main() -> int:
    """Print what a room of phones sees."""
    reader = argparse.ArgumentParser(prog="scripts/bench serve", description=__doc__)
    reader.add_argument("--phones", type=int, default=500)
    reader.add_argument("--rounds", type=int, default=4)
    reader.add_argument("--seconds", type=float, default=20)
    given = reader.parse_args()
    raise_open_files()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        desk = an_event(folder, given.phones, given.rounds)
        user = folder / "user"
        with Devices.open(user / "tourney", desk.chain[0], clock=now, randomness=os.urandom) as devices:
            cookie = f"tourney-{desk.chain[0][:8]}"
            phones = []
            for player in desk.state.players:
                code = devices.new_code(player)
                login = devices.bind(player, code.text.partition("-")[2].replace("-", ""))
                phones.append(Phone(player, f"{cookie}={login.token}"))
        server = subprocess.Popen(
            [sys.executable, "-m", "tourney", "serve", "--json", "--host", "127.0.0.1", "--port", "0", "-e", "room.tourney"],
            cwd=folder, env={**os.environ, "XDG_DATA_HOME": str(user)}, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            said = json.loads("".join(iter(server.stdout.readline, "}\n")) + "}")
            room = Room(int(said["address"].rpartition(":")[2]), phones)
            asyncio.run(play(room, desk, given.seconds))
            print(f"{'memory of the server at most':<34} {memory(server.pid):5.0f} MB")
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(20)
            desk.leave()
    return 0


if __name__ == "__main__":
    sys.exit(main())
