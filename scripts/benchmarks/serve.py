"""A room of phones: all see a new round, load their page, report and confirm.

scripts/bench serve [--phones 500] [--rounds 8] [--seconds 60] [--processes 2] [--forecast closed|own|all]

A real server in a process of its own, real sockets, and one event file in which each result is an entry.
Phones listen, pick their moment and open a new connection for each page as a browser's page does. Meanwhile
the desk writes by the command line, in processes of its own. Each phone measures how long it waits. Printed
beside it are the lateness of the phones' own processes, and the server's processor time, which does not
depend on other programs. At the end the journal is checked against all that was acknowledged. With a
forecast, the paired round is the last, and what each player needs for the cut is computed after each result.
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
import urllib.request
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from tests.serve.crowd import Crowd, Plan, contradictions
from tourney.desk import Desk, Workplace, check, import_players
from tourney.event.score import Report
from tourney.serve.guard import raise_open_files
from tourney.store.data import Library
from tourney.store.devices import Devices

GOALS = {"page": 150, "report": 300, "told": 5000, "memory": 200, "start": 1000}
"""Goals for a large room in milliseconds (memory: megabytes).

They are 95th percentiles. For news, they are the time of the last phone.
"""


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC).astimezone()


def an_event(folder: Path, players: int, rounds: int, forecast: Literal["closed", "own", "all"]) -> Desk:
    """Return the desk of an event with invented players and played rounds.

    Each result is an entry.
    """
    desk = Desk.create(
        folder / "room.tourney", Workplace("Ann", now, os.urandom, Library.open), name="Room",
        format_name="red-diamond/standard", banlist="none", best_of=3,
        rounds=rounds + (2 if forecast == "closed" else 1), planned_cut=8, forecast=forecast,
    )  # fmt: skip
    import_players(
        desk, "\n".join(f"Player {number:04} Invented" for number in range(players)), source="list"
    )
    dice = random.Random(1)
    for _ in range(rounds):
        desk.pair_round()
        assert desk.state.round is not None
        desk.report_each(
            [
                Report(tables=table, score=dice.choice(("2-0", "2-1", "1-2", "0-2")))
                for table in desk.state.round.tables
            ]
        )
    return desk


class Server:
    """`tourney serve` in a process of its own."""

    def __init__(self, folder: Path, user: Path) -> None:
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tourney", "serve", "--json", "--host", "127.0.0.1", "--port", "0", "-e",
             "room.tourney"],
            cwd=folder, env={**os.environ, "XDG_DATA_HOME": str(user)}, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        said = ""
        while not said.endswith("}\n"):
            read = self.process.stdout.readline()
            assert read, "the server did not begin"
            said += read
        self.address = json.loads(said)["address"]
        urllib.request.urlopen(f"{self.address}/").read()
        self.first_page = time.perf_counter() - begin
        self.port = int(self.address.rpartition(":")[2])

    @property
    def cpu(self) -> float:
        """Seconds of the processor that it took so far; 0 where the system does not say."""
        try:
            fields = (
                Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
            )
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> float:
        """Megabytes that it had in memory at most so far; 0 where the system does not say."""
        try:
            said = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return 0.0
        found = re.search(r"VmHWM:\s*(\d+) kB", said)
        return int(found[1]) / 1024 if found else 0.0

    def end(self) -> float:
        """End it as Ctrl-C does; return after how many seconds it was gone."""
        begin = time.perf_counter()
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(20) == 0
        return time.perf_counter() - begin


@dataclass
class CommandLine:
    """The desk, which works beside the server in processes of its own.

    entered: tables whose result it has entered
    dropped: players
    refused: what was refused, mostly because the phones were first
    """

    folder: Path
    entered: list[int] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    async def run(self, *words: str) -> bool:
        """Run a command; say whether it was done."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tourney", *words, "-e", "room.tourney", "-q", cwd=self.folder,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, said = await process.communicate()
        if process.returncode:
            self.refused.append(f"{' '.join(words)}: {said.decode().splitlines()[0]}")
        return process.returncode == 0

    async def work(self, tables: Sequence[int], players: Sequence[int], seconds: float) -> None:
        """Enter the results of tables and drop players, one command after the other.

        seconds: the time in which all commands are run
        """
        work = [
            *(("result", "add", str(table), "2-1") for table in tables),
            *(("player", "drop", f"#{each}") for each in players),
        ]
        random.Random(2).shuffle(work)
        begin = time.time()
        for place, words in enumerate(work):
            await asyncio.sleep(max(0.0, begin + seconds * place / len(work) - time.time()))
            if await self.run(*words):
                (self.entered if words[0] == "result" else self.dropped).append(int(words[2].lstrip("#")))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of `values` lies; none: nothing."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def line(what: str, text: str) -> None:
    """Print a line of the table."""
    print(f"{what:<34} {text}", flush=True)


def held(value: float, goal: str) -> str:
    """Say whether a figure stays below its goal."""
    return f"(goal {GOALS[goal]}{'' if value < GOALS[goal] else ': MISSED'})"


def times(what: str, took: Sequence[float], goal: str) -> None:
    """Print how long requests took."""
    p95 = 1000 * percentile(took, 0.95)
    line(
        what,
        f"{len(took):5}: median {1000 * statistics.median(took or [0]):4.0f} ms, p95 {p95:4.0f} ms "
        f"{held(p95, goal)}, longest {1000 * max(took, default=0):5.0f} ms",
    )


async def quiet(server: Server, phones: Sequence[tuple[int, str]]) -> float:
    """Return the server's processor seconds for a page, requested phone by phone.

    The room is idle.
    """

    def ask() -> None:
        for _, cookie in phones:
            asked = urllib.request.Request(
                f"{server.address}/me", headers={"cookie": cookie, "accept-encoding": "gzip"}
            )
            with urllib.request.urlopen(asked) as answer:
                answer.read()

    before = server.cpu
    await asyncio.to_thread(ask)
    return (server.cpu - before) / len(phones)


async def play(
    server: Server, desk: Desk, phones: list[tuple[int, str]], given: argparse.Namespace
) -> list[str]:
    """Pair a round that all phones watch and report.

    Returns where the journal contradicts the phones.
    """
    a_page = await quiet(server, phones[:200])
    line("a page of an idle room", f"{1000 * a_page:5.1f} ms of the server's processor")
    # The players do not know their opponents yet: each reports at a moment, or confirms an earlier report.
    pairs_at = time.time() + 5 + len(phones) / 50
    reports_at = pairs_at + 8
    dice = random.Random(3)
    reports = [(player, reports_at + given.seconds * dice.random()) for player, _ in phones]
    until = reports_at + given.seconds + 10
    crowd = await Crowd.begin(
        Plan(port=server.port, seats=phones, reports=reports, until=until), given.processes
    )
    try:
        await asyncio.sleep(max(0.0, pairs_at - time.time()))
        before, begin = server.cpu, time.time()
        desk.pair_round()
        paired = time.time()
        await asyncio.sleep(max(0.0, reports_at - 1 - time.time()))
        learning, before_reports = server.cpu - before, server.cpu
        state = desk.state
        assert state.round is not None
        terminal = CommandLine(desk.place.folder)
        tables = dice.sample([*state.round.tables], min(16, len(state.round.tables)))
        await asyncio.sleep(max(0.0, reports_at - time.time()))
        await terminal.work(tables, dice.sample([*state.players], 8), given.seconds / 2)
        await asyncio.sleep(max(0.0, until - 1 - time.time()))
        reporting = server.cpu - before_reports
        seen = await crowd.end()
    finally:
        crowd.kill()
    first = {}
    for player, at in seen.told:
        if paired <= at < reports_at:
            first.setdefault(player, at - begin)
    last = 1000 * max(first.values(), default=float("nan"))
    line(
        "a new round",
        f"{len(first):5} of {len(phones)} phones notified, the last {last:.0f} ms after pairing began "
        f"{held(last, 'told')}",
    )
    pages = seen.took("page", since=begin, before=reports_at)
    times("  their pages", pages, "page")
    there = max((each.at + each.took for each in seen.asked if begin <= each.at < reports_at), default=0)
    line(
        "  the last phone shows it after",
        f"{there - begin:5.2f} s; the server's processor: {learning:.2f} s, "
        f"{1000 * learning / max(1, len(pages)):.1f} ms a page",
    )
    entered = {kind: seen.took(kind, since=reports_at) for kind in ("report", "confirm")}
    pages = seen.took("page", since=reports_at)
    line(
        f"{len(reports) // 2} tables report in {given.seconds:.0f} s",
        f"beside {len(terminal.entered)} results and {len(terminal.dropped)} drops by the command line",
    )
    times("  pages", pages, "page")
    times("  reports", entered["report"], "report")
    times("  confirmations", entered["confirm"], "report")
    sent = sum(map(len, entered.values()))
    each = (reporting - a_page * len(pages)) / max(1, sent)
    line(
        "  the server's processor",
        f"{reporting:5.2f} s; without {1000 * a_page:.1f} ms for each page {1000 * each:.1f} ms a "
        "report, the public pages included",
    )
    line(
        "  late by themselves were phones",
        f"{1000 * percentile(seen.late, 0.95):5.0f} ms (p95), {1000 * max(seen.late, default=0):.0f} ms at "
        f"most; {seen.cpu:.1f} s of the processor in {given.processes} processes",
    )
    if percentile(seen.late, 0.95) > 0.05:
        line("", "the phones' own processes were too slow: what they measured is theirs, too")
    refused = Counter(
        (each.kind, each.status, re.sub(r"[0-9]+", "#", each.said)[:60])
        for each in seen.asked
        if each.status not in {200, 303}
    )
    for (kind, status, said), number in refused.most_common(6):
        line("  refused", f"{number:5} {kind} {status}: {said}…")
    line("  connections lost", f"{len(seen.lost):5}")
    desk.refresh()
    number = desk.state.rounds[-1].number
    found = contradictions(desk.entries, seen, [(number, table) for table in terminal.entered])
    gone = [player for player in terminal.dropped if desk.state.players[player].dropped is None]
    acknowledged = sum(each.kind != "page" and each.status == 303 for each in seen.asked)
    done = sum(table.result is not None for table in desk.state.rounds[-1].tables.values())
    line(
        "  acknowledged",
        f"{acknowledged:5} by phones, {done} of {len(reports) // 2} tables have a result; "
        f"{len(found) + len(gone)} lost or twice in the journal",
    )
    faults = [f"{each.status} {each.kind}: {each.said}" for each in seen.asked if each.status >= 500]
    return [*found, *(f"lost: the drop of {player}" for player in gone), *map(str, check(desk)), *faults]


def main() -> int:
    """Print what a room of phones sees.

    Returns 1 if the journal does not have every acknowledged result exactly once.
    """
    reader = argparse.ArgumentParser(prog="scripts/bench serve", description=__doc__)
    reader.add_argument("--phones", type=int, default=500)
    reader.add_argument("--rounds", type=int, default=8)
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--processes", type=int, default=2)
    reader.add_argument("--forecast", choices=["closed", "own", "all"], default="closed")
    given = reader.parse_args()
    raise_open_files()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        desk = an_event(folder, given.phones, given.rounds, given.forecast)
        user = folder / "user"
        with Devices.open(user / "tourney", desk.chain[0], clock=now, randomness=os.urandom) as devices:
            cookie = f"tourney-{desk.chain[0][:8]}"
            phones = []
            for player in desk.state.players:
                code = devices.new_code(player)
                login = devices.bind(player, code.text.partition("-")[2].replace("-", ""))
                phones.append((player, f"{cookie}={login.token}"))
        server = Server(folder, user)
        try:
            start = 1000 * server.first_page
            line(
                "from the command to the first page",
                f"{start:5.0f} ms {held(start, 'start')}, {given.phones} players after {given.rounds} rounds",
            )
            found = asyncio.run(play(server, desk, phones, given))
            line("memory of the server at most", f"{server.memory:5.0f} MB {held(server.memory, 'memory')}")
            line("ended by Ctrl-C after", f"{server.end():5.2f} s")
        finally:
            if server.process.poll() is None:
                server.process.kill()
            desk.leave()
    for each in found[:20]:
        print(f"  {each}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
