"""A crowd of phones on real sockets, which act like the page's script and its player.

`python -m tests.serve.crowd` is one process of it: it reads a `Plan` as JSON, writes a line of JSON when all
its phones listen, and another at the end with all that they saw. Times are the clock's (`time.time()`), so
that processes agree.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tourney.event import ops
from tourney.event.entry import Entry
from tourney.record import Outcome, PlayerId, Result

AGAIN = 2.0
"""Seconds after which a browser opens a lost stream again, as the server asks (`retry`)."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a crowd does.

    seats: each phone's player and cookie; reports: (player, time) of the players who report a 2–0 at
    their table, which the others confirm; until: the end; thinks: the most seconds between a page and a
    tap; seed: of all random choices
    """

    port: int
    seats: Sequence[tuple[int, str]]
    until: float
    reports: Sequence[tuple[int, float]] = ()
    thinks: float = 2.0
    seed: int = 1


@dataclass(frozen=True)
class Asked:
    """An answered request.

    took: seconds; said: the text of an error; kind: `page`, `report` or `confirm`; about: round and table
    of a report, or the claim of a confirmation
    """

    kind: str
    player: int
    at: float
    took: float
    status: int
    said: str = ""
    about: str = ""


@dataclass
class Seen:
    """The observations of phones, as (player, time).

    told: news; streams: opened streams; lost: broken or refused connections; late: seconds by which this
    process missed its plan, which is the crowd's own part of every time
    """

    told: list[tuple[int, float]] = field(default_factory=list)
    streams: list[tuple[int, float]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    lost: list[tuple[int, float]] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    cpu: float = 0.0

    def back(self, since: float) -> set[int]:
        """Return the players who have opened a stream and loaded a page since a time."""
        shown = {
            request.player
            for request in self.asked
            if request.kind == "page" and request.status == 200 and request.at > since
        }
        return shown & {player for player, at in self.streams if at > since}

    def plus(self, other: Seen) -> Seen:
        """Return the observations of both."""
        return Seen(
            self.told + other.told,
            self.streams + other.streams,
            self.asked + other.asked,
            self.lost + other.lost,
            self.late + other.late,
            self.cpu + other.cpu,
        )

    def took(self, *kinds: str, since: float = 0.0, before: float = float("inf")) -> list[float]:
        """Return the durations of requests in a period."""
        return [
            request.took for request in self.asked if request.kind in kinds and since <= request.at < before
        ]


@dataclass
class Answer:
    """An answer. page: its text; to: the address of its redirect"""

    status: int
    page: str
    to: str

    def forms(self) -> dict[str, list[tuple[str, str]]]:
        """Return the hidden fields of the page's forms, by their address."""
        forms = {}
        for to, body in re.findall(
            r'<form class="entry" method="post" action="([^"]+)">(.*?)</form>', self.page, re.S
        ):
            hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', body)
            forms[to] = [(name, unescape(value)) for name, value in hidden]
        return forms

    def seen(self) -> str:
        """Return the version of the page."""
        stream = re.search(r'data-stream="([^"]*)"', self.page)
        return parse_qs(urlsplit(unescape(stream[1])).query).get("seen", [""])[0] if stream else ""

    def said(self) -> str:
        """Return the text of an error."""
        match = re.search(r'role="alert">(.*?)</(?:div|p)>', self.page, re.S) or re.search(
            r"<main.*?</main>", self.page, re.S
        )
        return (
            " ".join(re.sub(r"<[^>]+>", " ", unescape(match[0])).split())[:200] if match else self.page[:200]
        )


class Phone:
    """A player's phone."""

    def __init__(
        self, port: int, player: int, cookie: str, seen: Seen, dice: random.Random, thinks: float
    ) -> None:
        self.port, self.player, self.cookie = port, player, cookie
        self.saw, self.dice, self.thinks = seen, dice, thinks
        self.version = ""
        self.on_stream: Callable[[], None] = lambda: None
        self._due: asyncio.Task[None] | None = None
        self._confirming: str | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # -- one request

    async def _exchange(self, method: str, path: str, body: bytes = b"") -> Answer:
        """Send a request on a separate connection; raise OSError without a complete answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._request(method, path, "close", body))
            whole = await asyncio.wait_for(reader.read(-1), 30)
        finally:
            writer.close()
        head, _, rest = whole.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])
        }
        if not rest and "location" not in headers:
            raise ConnectionResetError("the answer broke off")
        if headers.get("content-length", str(len(rest))) != str(len(rest)):
            raise ConnectionResetError("the answer broke off")
        if headers.get("content-encoding") == "gzip":
            rest = gzip.decompress(rest)
        return Answer(int(lines[0].split()[1]), rest.decode(errors="replace"), headers.get("location", ""))

    def _request(self, method: str, path: str, kept: str, body: bytes = b"") -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Cookie: {self.cookie}"]
        lines += [f"Connection: {kept}", "Accept-Encoding: gzip"]
        if method == "POST":
            lines += [
                f"Origin: http://127.0.0.1:{self.port}",
                "Content-Type: application/x-www-form-urlencoded",
            ]
            lines += [f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def ask(self, kind: str, method: str, path: str, fields: Iterable[tuple[str, str]] = ()) -> Answer:
        """Send a request and record its duration; a missing answer is recorded, and raises OSError."""
        fields = [*fields]
        named = dict(fields)
        about = named.get("claim", "") or " ".join(
            named[name] for name in ("round", "table") if name in named
        )
        at, begin = time.time(), time.perf_counter()
        try:
            answer = await self._exchange(method, path, urlencode(fields).encode())
        except (OSError, asyncio.IncompleteReadError):
            self.saw.lost.append((self.player, at))
            raise
        text = "" if answer.status in {200, 303} else answer.said()
        self.saw.asked.append(
            Asked(kind, self.player, at, time.perf_counter() - begin, answer.status, text, about)
        )
        return answer

    # -- listening

    async def listen(self) -> None:
        """Listen for news, load the player's page after each, and reconnect after an outage."""
        while True:
            try:
                await self._listen()
            except OSError:
                self.saw.lost.append((self.player, time.time()))
            await asyncio.sleep(AGAIN)

    async def _listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._request("GET", f"/events?about=room,player:{self.player}", "keep-alive"))
            kind = ""
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    kind = line[7:].strip().decode()
                elif line.startswith(b"data: ") and kind == "news":
                    self.saw.told.append((self.player, time.time()))
                    self._soon(json.loads(line[6:])["within"])
                elif line.startswith(b"data: ") and kind == "head":
                    self.saw.streams.append((self.player, time.time()))
                    self.on_stream()
                    if str(json.loads(line[6:])["version"]) != self.version:
                        self._soon(0.5)
        finally:
            writer.close()

    def _soon(self, within: float) -> None:
        if self._due is None or self._due.done():
            self._due = asyncio.create_task(self._look(within * self.dice.random()))

    async def _look(self, wait: float) -> None:
        await asyncio.sleep(wait)
        while True:
            self._due = None
            try:
                await self.look()
            except OSError:
                await asyncio.sleep(AGAIN)
            else:
                return

    async def look(self) -> Answer:
        """Load the player's page, and confirm a report from the table."""
        answer = await self.ask("page", "GET", "/me")
        self.version = answer.seen()
        form = answer.forms().get("/answer")
        claim = dict(form or ()).get("claim")
        if form and claim != self._confirming:
            self._confirming = claim
            task = asyncio.create_task(self._confirm(form))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return answer

    # -- what is entered

    async def report(self, at: float) -> None:
        """Report at a given time that the player won 2–0, until there is an answer."""
        await asyncio.sleep(max(0.0, at - time.time()))
        form: list[tuple[str, str]] | None = None
        while True:
            try:
                if (
                    form is None or self.dice.random() < 0.5
                ):  # else the same form once more: its answer was lost
                    form = (await self.ask("page", "GET", "/report")).forms().get("/report")
                if form is None:
                    return  # something stands already
                await asyncio.sleep(self.thinks * self.dice.random())
                if await self._sent("report", "/report", [*form, ("result", "2-0")]):
                    return
            except OSError:
                await asyncio.sleep(AGAIN * self.dice.random())

    async def _confirm(self, form: list[tuple[str, str]]) -> None:
        await asyncio.sleep(self.thinks * self.dice.random())
        while True:
            try:
                if await self._sent("confirm", "/answer", [*form, ("answer", "yes")]):
                    return
            except OSError:
                await asyncio.sleep(AGAIN * self.dice.random())

    async def _sent(self, kind: str, to: str, fields: list[tuple[str, str]]) -> bool:
        """Send a form; return whether it was accepted, or refused for good."""
        answer = await self.ask(kind, "POST", to, fields)
        if answer.status == 303:
            self._soon(0)
            return True
        if answer.status in {429, 503}:
            await asyncio.sleep(AGAIN)
            return False
        return True


async def play(
    plan: Plan, listening: Callable[[], None], over: asyncio.Event, seen: Seen | None = None
) -> Seen:
    """Run a crowd until the end.

    listening: called when all phones listen
    seen: gets the observations; None for new ones
    """
    seen, dice = Seen() if seen is None else seen, random.Random(plan.seed)
    there: set[int] = set()
    phones = {
        player: Phone(plan.port, player, cookie, seen, random.Random(dice.random()), plan.thinks)
        for player, cookie in plan.seats
    }

    def joined(player: int) -> None:
        if player not in there:
            there.add(player)
            if len(there) == len(phones):
                listening()

    begun = os.times()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_late(seen))]
        for player, phone in phones.items():
            phone.on_stream = lambda player=player: joined(player)  # type: ignore[misc]
            tasks.append(group.create_task(phone.listen()))
            await asyncio.sleep(0.002)
        tasks += [
            group.create_task(phones[player].report(at)) for player, at in plan.reports if player in phones
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, plan.until - time.time())):
                await over.wait()
        for task in tasks:
            task.cancel()
    ended = os.times()
    seen.cpu = ended.user + ended.system - begun.user - begun.system
    return seen


async def _late(seen: Seen) -> None:
    """Record by how much this process misses its plan."""
    while True:
        due = time.perf_counter() + 0.05
        await asyncio.sleep(0.05)
        seen.late.append(time.perf_counter() - due)


# -- in processes of their own


class Crowd:
    """Processes that form a crowd: `begin` starts them, `end` returns their observations."""

    def __init__(self, workers: Sequence[asyncio.subprocess.Process]) -> None:
        self._workers = workers

    @classmethod
    async def begin(cls, plan: Plan, processes: int = 2) -> Crowd:
        """Start a crowd in several processes; return when all its phones listen."""
        workers = []
        for number in range(processes):
            worker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.serve.crowd",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 30,
            )  # fmt: skip
            assert worker.stdin is not None
            part = replace(plan, seats=plan.seats[number::processes], seed=plan.seed + number)
            worker.stdin.write(json.dumps(asdict(part)).encode() + b"\n")
            workers.append(worker)
        for worker in workers:
            assert worker.stdout is not None
            assert await worker.stdout.readline() == b'"listening"\n'
        return cls(workers)

    async def end(self, *, now: bool = False) -> Seen:
        """Return all observations at the end. now: end it now"""
        whole = Seen()
        for worker in self._workers if now else ():
            assert worker.stdin is not None
            worker.stdin.close()
        for worker in self._workers:
            assert worker.stdout is not None
            document = json.loads(await worker.stdout.readline())
            await worker.wait()
            asked = [Asked(**each) for each in document.pop("asked")]
            whole = whole.plus(Seen(**document, asked=asked))
        return whole

    def kill(self) -> None:
        """End the processes at once."""
        for worker in self._workers:
            if worker.returncode is None:
                worker.kill()


def main() -> None:
    """Run one process of a crowd."""
    result = asyncio.run(_as_told(Plan(**json.loads(sys.stdin.readline()))))
    print(json.dumps(asdict(result)), flush=True)


async def _as_told(plan: Plan) -> Seen:
    over = asyncio.Event()
    asyncio.get_running_loop().add_reader(
        sys.stdin, over.set
    )  # the process that started this one closes it to end early
    return await play(plan, lambda: print('"listening"', flush=True), over)


# -- what has to stand in the journal


def contradictions(
    entries: Sequence[Entry], seen: Seen, entered: Iterable[tuple[int, int]] = ()
) -> list[str]:
    """Return acknowledged reports that a journal lacks or has twice.

    A seat reports once, as no phone here undoes a report. If the desk drops a player from an open table,
    its reports end, and its players are asked again. No form is accepted twice. entered: (round, table)
    of each result entered on the command line
    """
    forms: Counter[str] = Counter()
    # by player, round, table, and how often the desk had ended the reports there
    spoke: Counter[tuple[int, int, int, int]] = Counter()
    confirmed: Counter[tuple[int, int]] = Counter()
    results: Counter[tuple[int, int]] = Counter()
    made_from: Counter[int] = Counter()
    ended: Counter[tuple[int, int]] = Counter()
    sitting: dict[tuple[int, int], set[int]] = {}
    where: dict[int, tuple[int, int]] = {}
    said: dict[tuple[int, int], Result] = {}
    for entry in entries:
        op = entry.op
        if isinstance(op, ops.ResultClaimed):
            at = where[entry.seq] = op.round, op.table
            sitting[at] = {*op.result.players}
            spoke[op.player, *at, ended[at]] += 1
            forms[op.key] += 1
        elif isinstance(op, ops.ResultConfirmed):
            at = where[op.claim]
            confirmed[op.player or 0, op.claim] += 1
            spoke[op.player or 0, *at, ended[at]] += 1
            forms[op.key] += 1
        elif isinstance(op, ops.ResultReported):
            results.update((op.round, table) for table in op.results)
            said |= {(op.round, table): result for table, result in op.results.items()}
            made_from[op.claim] += 1
        elif isinstance(op, ops.PlayerDropped) and not op.by_player:
            ended.update(at for at, players in sitting.items() if players & {*op.players} and not results[at])
    del made_from[0], forms[""]
    every: dict[str, Mapping[Any, int]] = {
        "a form": forms,
        "a seat spoke": spoke,
        "a confirmation": confirmed,
        "a result": results,
        "a claim entered": made_from,
    }
    texts = [
        f"{what} {each}: {times} times"
        for what, counted in every.items()
        for each, times in counted.items()
        if times > 1
    ]
    heard = {(player, round_, table) for player, round_, table, _ in spoke}
    for request in seen.asked:
        if request.kind == "page" or request.status != 303:
            continue
        if request.kind == "report":
            round_, table = map(int, request.about.split())
            desks = said.get(
                (round_, table)
            )  # a report that the desk has entered already is answered with it
            if (request.player, round_, table) not in heard and not (desks and _won(desks, request.player)):
                texts.append(f"lost: {request}")
        elif not confirmed[request.player, int(request.about)] or not made_from[int(request.about)]:
            texts.append(f"lost: {request}")
    return [*texts, *(f"lost: the result of round, table {place}" for place in entered if not results[place])]


def _won(result: Result, player: int) -> bool:
    seat = result.seat_of(PlayerId(player))
    return seat.outcome is Outcome.WIN and seat.games == 2


if __name__ == "__main__":
    main()
