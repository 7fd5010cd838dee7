"""Limits against hostile devices on the Wi-Fi."""

import asyncio
import re
import shutil
import socket
import ssl
import subprocess
import sys
from contextlib import nullcontext, suppress
from types import SimpleNamespace

import httpx
import pytest

from tests.kit import with_rows
from tests.serve.kit import ADDRESS, opened, run, small_event
from tourney.serve import visits
from tourney.serve.guard import HEADERS, Connections, ServerNames, raise_open_files


@with_rows(
    ("host", "at", "origin"),
    [
        ("friday.local:8017", "", "http://friday.local:8017"),
        ("FRIDAY.local:8017", "", "http://friday.local:8017"),
        ("192.0.2.7:8017", "192.0.2.7", "http://192.0.2.7:8017"),
        ("[2001:db8::7]:8017", "2001:db8::7", "http://[2001:db8::7]:8017"),
        ("shop.example", "", "https://shop.example"),
        ("192.0.2.8:8017", "192.0.2.7", None),
        ("friday.local", "", None),
        ("friday.local:80", "", None),
        ("evil.example:8017", "192.0.2.7", None),
        ("shop.example:8017", "", None),
        ("friday.local:8017@evil.example", "", None),
        ("friday.local:8017/x", "", None),
        ("[::1", "", None),
        ("", "", None),
    ],
)
def test_only_own_names_are_accepted(host, at, origin):
    """The machine's names, the address of the connection, and `--url`, with the right port."""
    names = ServerNames(port=8017, url="https://shop.example", own=frozenset({"friday.local"}))
    assert names.origin_of(host, at) == origin


def test_a_rebound_name_is_refused(tmp_path):
    """A foreign name that points to this machine gets no page and no cookie."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            answer = await hall.phone("http://evil.example:8017").get("/")
            assert answer.status_code == 421
            assert "set-cookie" not in answer.headers
            assert "Mira" not in answer.text

    run(story())


def test_every_answer_has_the_headers(tmp_path):
    """Pages, files, errors: no caching, framing, type sniffing or inline scripts."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = hall.phone()
            for path in ("/", "/screen", "/head", "/join", "/nothing", "/event.json", "/me"):
                answer = await phone.get(path)
                for key, value in HEADERS.items():
                    assert answer.headers[key.decode()] == value.decode(), path
                assert answer.headers["cache-control"] == "no-store", path
            policy = HEADERS[b"content-security-policy"].decode()
            assert re.search(r"script-src '?self'?;", policy.replace("'", ""))
            assert "unsafe-eval" not in policy

    run(story())


def test_no_page_has_an_inline_script_or_handler(tmp_path):
    """The policy forbids them, so scripts are files."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = await hall.player(1)
            for path in ("/", "/screen", "/round-1.html", "/me", "/join", "/poster", "/verification.html"):
                page = (await phone.get(path)).text
                assert not re.findall(r"<script(?![^>]*\bsrc=)", page), path
                assert not re.findall(r"<[^>]*\son\w+=", page), path
                assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", page), path

    run(story())


async def _refused(answer, status, text):
    assert answer.status_code == status, answer.text
    assert text in answer.text


def test_a_form_of_another_site_or_visitor_is_refused(tmp_path):
    """Without our origin, without a key, or with another visitor's key."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            code, other = hall.room.devices.new_code(1), hall.phone()
            phone = hall.phone()
            await phone.get("/join")
            await other.get("/join")
            fields = {"code": code.text}
            await _refused(
                await phone.post("/join", origin="http://evil.example", **fields), 403, "another site"
            )
            await _refused(await phone.post("/join", origin="null", **fields), 403, "another site")
            await _refused(await phone.post("/join", origin="", **fields), 403, "another site")
            await _refused(await phone.post("/join", key="", **fields), 403, "open for too long")
            await _refused(await phone.post("/join", key=other.key, **fields), 403, "open for too long")
            assert not hall.room.devices.list()
            await phone.get("/join")
            assert (await phone.post("/join", **fields)).status_code == 303

    run(story())


def test_get_changes_nothing(tmp_path):
    """A messenger that loads a link does not use it up."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            code = hall.room.devices.new_code(1)
            link = hall.room.devices.staff_link("scorekeeper")
            for _ in range(3):
                phone = hall.phone()
                assert "Join on this phone" in (await phone.get(code.path)).text
                assert (await phone.get(f"/join/staff/{link.secret}")).status_code == 200
            assert not hall.room.devices.list()
            await hall.player(1)

    run(story())


def test_an_invalid_body_is_refused(tmp_path):
    """Too large, of another type, with too many fields, or not text."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = hall.phone()
            await phone.get("/join")

            async def sent(body, kind="application/x-www-form-urlencoded"):
                headers = {"origin": ADDRESS, "content-type": kind}
                return (await phone.client.post("/join", content=body, headers=headers)).status_code

            assert await sent(b"code=" + b"x" * 5000) == 413
            assert await sent(b"{}", "application/json") == 415
            assert await sent(b"--x", "multipart/form-data; boundary=x") == 415
            assert await sent(b"&".join(b"a=1" for _ in range(200))) == 400
            assert await sent(b"code=\xff") == 400
            assert await sent(b"code=%ff") == 400
            assert (await phone.client.get("/" + "x" * 3000)).status_code == 414
            assert (await phone.client.put("/join")).status_code == 405
            assert (await phone.client.post("/screen")).status_code == 405

    run(story())


def test_too_many_forms_with_one_code_have_to_wait(tmp_path, monkeypatch):
    """Counted without the cookie, which a stranger chooses. Others at the address can join."""
    monkeypatch.setattr(visits, "MOST_FORMS", 3)

    async def story():
        async with opened(small_event(tmp_path), staff_over_http=True) as hall:
            devices = hall.room.devices

            async def tried(code, to="/join"):
                phone = hall.phone()
                await phone.get("/join")
                return (await phone.post(to, code=code)).status_code

            assert [await tried("1-AAAA-AAAA") for _ in range(4)] == [409, 409, 409, 429]
            assert [await tried(f"nothing {number}") for number in range(4)] == [403, 403, 403, 429]
            assert [await tried(f"99{number}-AAAA-AAAA") for number in range(2)] == [429, 429]
            assert await tried(devices.new_code(2).text) == 303
            assert [await tried(f"{number}" * 22, "/join/staff") for number in range(2)] == [429, 429]
            assert await tried(devices.staff_link("judge").secret, "/join/staff") == 303

    run(story())


def test_a_device_with_too_many_forms_has_to_wait(tmp_path, monkeypatch):
    """It gets a message, and other devices are not affected."""
    monkeypatch.setattr(visits, "MOST_FORMS", 3)

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            one, two = await hall.player(1), await hall.player(2)
            key = one.key
            assert [(await one.post("/checkin", key=key)).status_code for _ in range(4)] == [
                409,
                409,
                409,
                429,
            ]
            assert "wait a minute" in one.text
            assert (await two.post("/checkin")).status_code == 409

    run(story())


def test_one_address_cannot_use_all_connections():
    """There is a limit in all and for each address. A closed connection makes room."""
    connections = Connections(most=8)

    class Busy:
        is_idle, is_slow, device = False, False, None

        def __init__(self, address):
            self.address = address

    first = Busy("a")
    assert connections.admit(first)
    assert [connections.admit(Busy("a")) for _ in range(7)] == [True] * 5 + [False] * 2
    assert connections.admit(Busy("b"))
    assert connections.admit(Busy("b"))
    assert not connections.admit(Busy("c"))
    connections.leave(first)
    assert connections.admit(Busy("c"))


def test_the_limit_of_open_files_is_raised():
    """To the wanted number or the system's limit; it is never lowered."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        hard = before[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(200, hard), hard))
        assert raise_open_files(300) == 300
        assert raise_open_files(100) == 300
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


async def _listening(patience=0.3, takes=0.3, most=50, tls=None):
    """Start a real server of an application with long answers.

    tls: a file with certificate and key
    """
    import uvicorn

    from tourney.serve.app import _Server
    from tourney.serve.guard import guarded

    async def app(scope, receive, send):
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(200 if scope["path"] == "/much" else 1):
            await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    listener = socket.create_server(("127.0.0.1", 0))
    connections = Connections(most)
    config = uvicorn.Config(
        app, http=guarded(connections, patience, takes), ws="none", lifespan="off", log_config=None,
        access_log=False, loop="asyncio", timeout_keep_alive=5,
    )  # fmt: skip
    config.load()
    if tls:
        config.ssl = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        config.ssl.load_cert_chain(tls)
    server = _Server(config, SimpleNamespace(streams=SimpleNamespace(end=lambda _: None)))
    server.capture_signals = nullcontext
    task = asyncio.create_task(server._serve([listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    return listener.getsockname()[1], server, task, connections


@pytest.mark.slow
@with_rows(
    "begun",
    [
        b"",
        b"GET / HTT",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HT",
    ],
)
def test_an_incomplete_request_is_cut_off(begun):
    """Nothing, half a line, half the headers or a body, however slowly it comes."""

    async def story():
        port, server, task, connections = await _listening()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begun)
        begin = asyncio.get_running_loop().time()

        async def drip():
            while True:
                await asyncio.sleep(0.1)
                writer.write(b"a")

        dripping = asyncio.create_task(drip()) if begun else None
        try:
            async with asyncio.timeout(60):
                while await reader.read(65536):
                    pass
        except ConnectionError:
            pass
        if dripping:
            dripping.cancel()
        assert asyncio.get_running_loop().time() - begin > 0.2
        writer.close()
        server.should_exit = True
        await task
        assert connections.open.total() == 0

    run(story())


@pytest.mark.skipif(sys.platform != "linux", reason="needs more than one loopback address")
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_two_addresses_with_all_connections_block_no_other(begun):
    """A visitor from elsewhere is served in place of one of their connections."""

    async def story():
        port, server, task, connections = await _listening(patience=5, most=8)
        connections_held = []
        for address in ["127.0.0.2"] * 5 + ["127.0.0.3"] * 3:
            phone = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            phone[1].write(begun)
            connections_held.append(phone)
        while connections.open.total() < 8:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        async with httpx.AsyncClient() as phone:
            assert (await phone.get(f"http://127.0.0.1:{port}/")).status_code == 200
            assert dict(connections.open) == {"127.0.0.2": 4, "127.0.0.3": 3, "127.0.0.1": 1}
            assert len(connections.known) == 8
        for _, writer in connections_held:
            writer.close()
        server.should_exit = True
        await task
        assert not connections.known

    run(story())


@pytest.mark.slow
@with_rows(
    "begun",
    [
        b"",
        b"GET / HT",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_a_slow_client_blocks_no_other_at_its_address(begun):
    """A whole hotspot is one address."""

    async def story():
        port, server, task, connections = await _listening(patience=5, takes=5, most=8)
        connections_held = []
        for _ in range(8):
            line = socket.create_connection(("127.0.0.1", port))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(begun)
            connections_held.append(line)
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.1)
        for _ in range(3):
            async with httpx.AsyncClient() as phone:
                assert (await phone.get(f"http://127.0.0.1:{port}/")).status_code == 200
        for line in connections_held:
            line.close()
        server.should_exit = True
        await task
        assert not connections.known

    run(story())


def test_the_session_with_most_connections_loses_one():
    """A signed-in phone keeps its only connection."""
    connections, ended = Connections(most=8), []

    class Line:
        is_idle, is_slow, address = True, True, "a"

        def __init__(self, device, was_answered=True):
            self.device, self.was_answered = device, was_answered

        def give_way(self):
            ended.append(self)
            connections.leave(self)

    def come(line):
        assert connections.admit(line)
        return line

    phone = come(Line(1))
    many = [come(Line(2)) for _ in range(3)]
    strangers = [come(Line(None)), come(Line(None, was_answered=False))]
    come(Line(3))
    assert ended == [many[0]]
    come(Line(None))
    come(Line(None))
    assert ended[1:] == [strangers[1], many[1]]
    assert phone in connections.known


def test_an_answer_that_is_not_read_is_cut_off():
    """So it does not use memory for long."""

    async def story():
        port, server, task, connections = await _listening()
        with socket.create_connection(("127.0.0.1", port)) as phone:
            phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            phone.sendall(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n")
            async with asyncio.timeout(60):
                while not connections.open.total():
                    await asyncio.sleep(0.01)
                while connections.open.total():
                    await asyncio.sleep(0.05)
        server.should_exit = True
        await task

    run(story())


def test_several_requests_on_a_connection_are_answered():
    """One after another, or in one packet."""

    async def story():
        port, server, task, _ = await _listening()
        async with httpx.AsyncClient() as phone:
            for _ in range(3):
                assert (await phone.post(f"http://127.0.0.1:{port}/", content=b"abc")).status_code == 200
                await asyncio.sleep(0.4)
        server.should_exit = True
        await task

    run(story())


@pytest.fixture
def certificate(tmp_path):
    """A certificate of 127.0.0.1 with its key, in one file."""
    line = (
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout both.pem -out cert.pem -days 2 -subj /CN=localhost"
    )
    line += " -addext subjectAltName=IP:127.0.0.1"
    if (
        not shutil.which("openssl")
        or subprocess.run(line.split(), cwd=tmp_path, capture_output=True, check=False).returncode
    ):
        pytest.skip("there is no openssl to make a certificate by")
    both = tmp_path / "both.pem"
    both.write_bytes(both.read_bytes() + (tmp_path / "cert.pem").read_bytes())
    return both


def test_connections_over_tls_are_counted_before_the_handshake(certificate):
    """Silent ones are limited as without TLS, and cut off in time."""

    async def story():
        port, server, task, connections = await _listening(most=8, tls=certificate)
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
        async with asyncio.timeout(60):
            while connections.open.total() < 6:  # three quarters are one address's
                await asyncio.sleep(0.01)
            assert [await reader.read(10) for reader, _ in silent[6:]] == [b""] * 4, (
                "one more is let go at once"
            )
            assert connections.open.total() == 6
            for reader, writer in silent[:3]:
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")  # no handshake: cut
                with suppress(ConnectionError):
                    await reader.read()
            while connections.open.total():
                await asyncio.sleep(0.02)
        for _, writer in silent:
            writer.close()
        trust = ssl.create_default_context(cafile=certificate)
        async with httpx.AsyncClient(verify=trust) as phone:
            for _ in range(3):
                assert (await phone.get(f"https://127.0.0.1:{port}/")).status_code == 200
                assert connections.open.total() == 1
        for _ in range(20):  # data that arrives with the end of the handshake is not lost
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trust)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.1 200 OK")
            writer.close()
        async with asyncio.timeout(60):
            while connections.open.total():
                await asyncio.sleep(0.02)
        server.should_exit = True
        await task

    run(story())


def test_a_request_in_the_packet_of_the_handshake_is_read(certificate):
    """The phone gets an answer."""

    async def story():
        port, server, task, connections = await _listening(tls=certificate)
        trust = ssl.create_default_context(cafile=certificate)
        coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = trust.wrap_bio(coming, going, server_hostname="127.0.0.1")
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                if sent := going.read():
                    writer.write(sent)
                coming.write(await reader.read(65536))
        tls.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        writer.write(going.read())  # the end of the handshake and the request, in one piece
        output = b""
        async with asyncio.timeout(60):
            while not output.startswith(b"HTTP/1.1 200 OK"):
                coming.write(await reader.read(65536))
                with suppress(ssl.SSLWantReadError):
                    output += tls.read(65536)
        writer.close()
        server.should_exit = True
        await task
        assert connections.open.total() == 0

    run(story())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has one loopback address")
def test_endless_handshakes_block_no_other(certificate):
    """One of them gives way to a visitor from elsewhere."""

    async def story():
        port, server, task, connections = await _listening(patience=5, most=8, tls=certificate)
        connections_held = [
            await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            for address in ["127.0.0.2"] * 5 + ["127.0.0.3"] * 3
        ]
        async with asyncio.timeout(60):
            while connections.open.total() < 8:
                await asyncio.sleep(0.01)
        async with httpx.AsyncClient(verify=ssl.create_default_context(cafile=certificate)) as phone:
            assert (await phone.get(f"https://127.0.0.1:{port}/")).status_code == 200
            assert dict(connections.open) == {"127.0.0.2": 4, "127.0.0.3": 3, "127.0.0.1": 1}
            assert len(connections.known) == 8
        for _, writer in connections_held:
            writer.close()
        server.should_exit = True
        await task
        async with asyncio.timeout(60):
            while connections.known:
                await asyncio.sleep(0.01)
        assert connections.open.total() == 0

    run(story())
