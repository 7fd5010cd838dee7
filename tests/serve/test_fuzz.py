"""Requests that no browser sends, to every route in every role: no 5xx, no bug, no secret.

Each starts as a valid request (a page's form, with its cookie, key and origin) and is then damaged: values,
fields, headers, paths, cookies of others, lengths, bytes; cut off, or several at once. A number identifies
each.
"""

import asyncio
import random
import re
import socket
import time
from collections import Counter
from contextlib import asynccontextmanager, suppress
from html import unescape
from urllib.parse import urlencode

import pytest

from tests.desk.kit import open_desk
from tests.serve.kit import opened, run
from tests.serve.test_routes import MAY_SEE, SECRETS, addresses, secretive_event, visitors
from tourney.desk import check
from tourney.serve import visits
from tourney.serve.app import Announcer, _config, _Server, all_routes

AT_ONCE = 24
"""Requests that are on their way together."""

PAGES = (
    "/",
    "/me",
    "/report",
    "/deck",
    "/join",
    "/desk",
    "/desk/players",
    "/desk/devices",
    "/judge",
    "/judge/list?player=1",
)
"""Where forms are."""

VALUES = (
    "", "0", "-1", "1", "2", "3", "4", "99", "99999999999999999999", "²", "1e9", "NaN", "2-0", "2-1", "0-2",
    "1 2-0", "1-1-1", "w", "=", "id", "yes", "no", "on", "2–0" * 200, "'; DROP TABLE journal; --", "{{7*7}}",
    "{% raw %}", "<script>alert(1)</script>", "\"><script>alert(1)</script>", "\x00", "\ud7ff\uffff",
    "\u202emira", "x" * 5000, "x" * 70000, "7-AAAA-AAAA", "../../etc/passwd", "\r\nSet-Cookie: a=b",
    "Mira Oake", "#1", "#0",
    "--seed", "-e x", "@file", "1..4", "1,2,3", "$(id)",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), " ", "\n\n", "None",
)  # fmt: skip

HEADERS = (
    "Host: evil.example", "Host: ", "Host: 127.0.0.1", "Host: 127.0.0.1:99999", "Origin: null",
    "Origin: http://evil.example", "Origin:", "Content-Type: application/json",
    "Content-Type: multipart/form-data; boundary=x",
    "Content-Type: application/x-www-form-urlencoded; charset=utf-16", "Content-Length: 5",
    "Content-Length: -1", "Content-Length: 99999999999", "Content-Length: 1, 1", "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip", "Expect: 100-continue", "Upgrade: websocket",
    "Connection: keep-alive, Upgrade", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https",
    "Forwarded: for=127.0.0.1;proto=https;host=evil.example", "Range: bytes=0-0,-1",
    "Accept-Encoding: gzip;q=nan", "Accept-Encoding: \xff", "Cookie: ", "Cookie: a", "Cookie: =;;=",
    "Cookie: \xff\xfe=\x80", "Cookie: tourney-00000000=" + "x" * 99, "If-None-Match: *",
    "Referer: http://evil.example/", "X-HTTP-Method-Override: DELETE", "X: " + "y" * 9000, "Te: trailers",
    "Authorization: Basic YTpi",
)  # fmt: skip

PATHS = (
    "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/static/../app.py", "//evil.example/", "/%00",
    "/%ff%fe", "/player/0.html", "/player/-1.html", "/round-99.html", "/table/99999999999999999999",
    "/table/0", "/table/%C2%B2", "/join/1-AAAAAAAA", "/join/staff/" + "x" * 300, "/join/%0d%0aSet-Cookie:a=b",
    "/events?about=desk", "/events?about=player:1,player:2", "/head?about=" + "page:1," * 40,
    "/head?about=player:99999999999", "/head?about=%ff", "/judge/list?player=99", "/judge/list?player=%C2%B2",
    "/desk/?x=" + "y" * 1990, "/;/", "/?" + "a&" * 900, "http://evil.example/", "*", "", "/devices",
    "/friday.tourney", "/live.js?v=../../x", "/event.json", "/index.html%20", "/INDEX.HTML", "/.git/config",
    "/join/staff/", "/desk/slip",
)  # fmt: skip


@asynccontextmanager
async def listening(hall):
    """Serve at a real port with the server's own protocol."""
    with socket.create_server(("127.0.0.1", 0), backlog=500) as listener:
        hall.room.names.port = port = listener.getsockname()[1]
        hall.room.names.own |= {"127.0.0.1"}
        bugs = []
        server = _Server(_config(hall.room, Announcer(lambda *_: None, bugs.append), None), hall.room)
        task = asyncio.create_task(server.serve([listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield port, bugs
        finally:
            server.should_exit = True
            await task


def forms_of(page):
    """Return the forms of a page: addresses, and fields with values, buttons included."""
    for to, body in re.findall(r'<form[^>]* action="([^"]+)"[^>]*>(.*?)</form>', page, re.S):
        fields = []
        for tag in re.findall(r"<(?:input|select|textarea|button)\b[^>]*>", body):
            name, value = re.search(r'\bname="([^"]*)"', tag), re.search(r'\bvalue="([^"]*)"', tag)
            if name:
                fields.append((name[1], unescape(value[1]) if value else "1"))
        yield to, fields


class Attacker:
    """Makes damaged requests from pages that it has seen."""

    def __init__(self, port, dice):
        self.port, self.dice = port, dice
        self.cookies, self.keys, self.forms = {}, {}, {}
        self.names = {
            "key",
            "once",
            "round",
            "table",
            "seat",
            "claim",
            "player",
            "slip",
            "code",
            "list",
            "result",
            "answer",
            "reason",
        }

    async def look_around(self, browsers):
        """Load every form in all roles."""
        for role, browser in browsers.items():
            await browser.get("/join")
            self.keys[role] = browser.key
            self.cookies[role] = "; ".join(
                f"{name}={value}" for name, value in browser.client.cookies.items()
            )
            for path in PAGES:
                for to, fields in forms_of((await browser.get(path)).text):
                    self.forms.setdefault(to, fields)
                    self.names |= {name for name, _ in fields}

    def attack(self, route, role, work, known):
        """Return a request, possibly damaged or followed by others, and how to send it."""
        sent, roles = self.request(role, route, known), {role}
        whole = self.dice.random() < 0.9
        if not whole:
            sent = self.spoilt(sent)
        while self.dice.random() < 0.1:
            more, other = self.dice.choice(work)
            roles.add(other)
            sent += self.request(other, more, known)
        return roles, sent, self.dice.choice((1, 1, 1, 2, 7)), 2 if whole and not _unending(sent) else 0.3

    def request(self, role, route, known):
        """Return a request for a route in a role as bytes, and whether it is complete.

        known: addresses of existing pages
        """
        dice = self.dice
        path = re.sub(
            r"{(\w+)(:\w+)?}",
            lambda part: dice.choice(
                ("1", "2", "0", "99999999999999999999", "%C2%B2", "x" * 22, "1-AAAAAAAA")
            ),
            route.path,
        )
        if route.path == "/{address:path}":
            path = dice.choice((*known, *PATHS))
        elif dice.random() < 0.05:
            path += dice.choice(("/", "//", "?about=desk", "%00", ".html", "/..", "?" + "x" * 2000))
        method = "POST" if route.form else dice.choice(("GET", "GET", "HEAD"))
        if dice.random() < 0.03:
            method = dice.choice(
                ("PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "GET" * 50, "\x00")
            )
        body = b""
        headers = [
            f"Host: 127.0.0.1:{self.port}",
            f"Cookie: {self.cookies[role]}",
            "Accept-Encoding: identity",
        ]
        if route.form:
            body = self.body(route.path, role)
            headers += [
                f"Origin: http://127.0.0.1:{self.port}",
                "Content-Type: application/x-www-form-urlencoded",
            ]
            headers += [f"Content-Length: {len(body)}"]
        while dice.random() < 0.25:
            header = dice.choice(HEADERS)
            kind = header.partition(":")[0].lower()
            if dice.random() < 0.7:
                headers = [header for header in headers if header.partition(":")[0].lower() != kind]
            headers.insert(dice.randint(0, len(headers)), header)
        if dice.random() < 0.03:
            dice.shuffle(headers)
        head = "\r\n".join([f"{method} {path} HTTP/1.1", *headers, "", ""]).encode("latin-1", "replace")
        return head + body

    def body(self, path, role):
        """Return a form's body, mostly one of a page."""
        dice = self.dice
        fields = [*self.forms.get(path, ())] if dice.random() < 0.8 else []
        fields = [(name, self.keys[role] if name == "key" else value) for name, value in fields]
        if not fields:
            fields = [("key", self.keys[role])]
        for place, (name, _) in enumerate(fields):
            if name != "key" and dice.random() < 0.4:
                fields[place] = name, dice.choice(VALUES)
        while dice.random() < 0.5:
            fields.append((dice.choice(sorted(self.names)), dice.choice(VALUES)))
        if dice.random() < 0.1:
            dice.shuffle(fields)
        if dice.random() < 0.1:
            fields.pop(dice.randrange(len(fields)))
        body = urlencode(fields, errors="surrogatepass").encode()
        if dice.random() < 0.05:
            body = bytes(dice.randrange(256) for _ in range(dice.randint(0, 200)))
        if dice.random() < 0.05:
            body = body.replace(b"=", dice.choice((b"==", b"", b"=%", b"=%zz", b"=%ff")))
        return body

    def spoilt(self, sent):
        """Return the bytes with some flipped, cut or doubled."""
        dice = self.dice
        sent = bytearray(sent)
        way = dice.random()
        if way < 0.4:
            for _ in range(dice.randint(1, 4)):
                sent[dice.randrange(len(sent))] = dice.randrange(256)
        elif way < 0.7:
            del sent[dice.randrange(len(sent)) :]
        else:
            at = dice.randrange(len(sent))
            sent[at:at] = sent[at : at + dice.randint(1, 50)] * dice.randint(1, 5)
        return bytes(sent)


async def sent_off(port, sent, pieces, patience):
    """Send bytes in pieces, and return the answer until the end or a silence."""
    answer = b""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    try:
        with suppress(OSError):
            for start in range(0, len(sent), max(1, len(sent) // pieces + 1)):
                writer.write(sent[start : start + len(sent) // pieces + 1])
                await writer.drain()
        with suppress(TimeoutError, OSError):
            while piece := await asyncio.wait_for(reader.read(1 << 20), 0.3 if answer else patience):
                answer += piece
                if b"text/event-stream" in answer and b"event: head" in answer:
                    break  # it would go on for ever
    finally:
        writer.close()
    return answer


def _unending(sent):
    """Return whether a request may be unfinished, so that no answer is expected."""
    return any(
        each in sent
        for each in (b"Content-Length: 9999", b"chunked", b"Expect", b"multipart", b"\r\nContent-Length: 5")
    )


def wrong_with(answer, told):
    """Return the faults of an answer: a server error, a traceback, a script, a secret."""
    for status in re.findall(rb"^HTTP/1\.1 (5\d\d)", answer, re.M):
        if status != b"501":  # a Transfer-Encoding that the parser does not know
            yield f"status {status.decode()}"
    text = answer.decode(errors="replace")
    if "Traceback" in text:
        yield "a traceback"
    if "<script>alert" in text:
        yield "a script"
    yield from (f"tells {finding}" for finding in told if finding in text)


async def an_evening(folder, seed, *, seconds=0.0, times=0):
    """Attack an event for some time or number of requests; count requests by route and role."""
    counts = Counter()
    folder, secret = secretive_event(folder)
    dice = random.Random(seed)
    async with opened(folder) as hall:
        browsers = await visitors(hall)
        code = hall.room.devices.new_code(1).text.partition("-")[2]
        attacker = Attacker(0, dice)
        await attacker.look_around(browsers)
        tokens = {role: set(browser.client.cookies.values()) for role, browser in browsers.items()}
        never = {secret.hex(), code, code.replace("-", ""), str(folder)}
        known = addresses(hall.room.event.pages)
        work = [(route, role) for route in all_routes() for role in browsers] * max(1, times)
        dice.shuffle(work)
        async with listening(hall) as (port, bugs):
            attacker.port = port
            begin, number = time.monotonic(), 0
            while number < len(work) if times else time.monotonic() - begin < seconds:
                asks = work[number : number + AT_ONCE] if times else dice.choices(work, k=AT_ONCE)
                counts.update((route.path, route.form, role) for route, role in asks)
                made = [attacker.attack(route, role, work, known) for route, role in asks]
                answers = await asyncio.gather(*(sent_off(port, *pair[1:]) for pair in made))
                for (roles, sent, *_), answer in zip(made, answers, strict=True):
                    number += 1
                    told = {SECRETS[kind] for kind in ("contact", "reason") if not roles & MAY_SEE[kind]}
                    others = set().union(*(tokens[token] for token in tokens if token not in roles))
                    for fault in wrong_with(answer, told | never | others):
                        pytest.fail(
                            f"{fault}: seed {seed}, request {number} as {roles}: {sent[:600]!r}\n"
                            f"{answer[-600:]!r}"
                        )
                assert not bugs, (
                    f"{bugs}: seed {seed}, up to request {number}: {[pair[1][:600] for pair in made]}"
                )
            ended = await sent_off(
                port, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode(), 1, 10
            )
            assert ended.startswith(b"HTTP/1.1 200")
        with open_desk(folder) as desk:
            assert not check(desk)
    return counts


@pytest.mark.slow
def test_hostile_requests_to_every_route_as_everybody(tmp_path, monkeypatch):
    """Each route in each role: below 500 or cut off, no secrets, and the event is intact."""
    monkeypatch.setattr(visits, "MOST_FORMS", 10**9)
    result = run(an_evening(tmp_path, 1, times=1))
    assert len(result) == 5 * len(all_routes())


@pytest.mark.long
@pytest.mark.timeout(900)
def test_hostile_requests_for_five_minutes(tmp_path, monkeypatch):
    """Ten events, each with requests that build on earlier ones."""
    monkeypatch.setattr(visits, "MOST_FORMS", 10**9)
    counts = Counter()
    for seed in range(10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        counts += run(an_evening(folder, seed, seconds=30))
    assert len(counts) == 5 * len(all_routes())
