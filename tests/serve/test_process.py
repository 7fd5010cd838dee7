"""The server as a process: start, end, and errors."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

import httpx
import pytest
import segno
from click.testing import CliRunner

import tourney.cli.serve
from tests.desk.kit import new_desk, open_desk
from tests.serve.kit import NAMES, Hall, opened, run, small_event
from tests.serve.served import served
from tourney.cli import root

pytestmark = pytest.mark.slow


def page(address, path="/"):
    with urllib.request.urlopen(f"{address}{path}", timeout=60) as answer:
        return answer.read().decode()


def test_ctrl_c_ends_the_server_and_loses_nothing(tmp_path):
    """Open streams end, the exit code is 0, and the output names the files."""
    small_event(tmp_path)
    with served(tmp_path) as (server, address):
        assert "Mira Oake" in page(address)
        assert page(address, "/join/staff/a-secret-of-a-link")
        stream = urllib.request.urlopen(f"{address}/events", timeout=60)
        assert stream.readline() == b"event: head\n"
        server.send_signal(signal.SIGINT)
        assert b"event: bye" in stream.read()
        assert server.wait(60) == 0
        output = server.stderr.read()
    assert "all entries are saved in friday.tourney" in output
    assert "Traceback" not in output
    assert "a-secret-of-a-link" not in output, "there is no access log"


def test_a_killed_server_can_be_started_again(tmp_path):
    """On the same port; joined phones stay joined."""
    small_event(tmp_path)
    with served(tmp_path) as (server, address):
        port = int(address.rpartition(":")[2])
        server.kill()
        server.wait(60)
    with open_desk(tmp_path) as desk:
        desk.report(1, "2-0")
    with served(tmp_path, port=port) as (_, again):
        assert again == address
        assert "won 2–0" in page(again)


def test_strips_have_the_address_of_the_served_event(tmp_path):
    """Each has its join link; slips and posted sheets have none."""

    def printed(*line):
        env = {"XDG_DATA_HOME": str(tmp_path / "user")}
        where = ["-e", str(tmp_path / "friday.tourney")]
        done = CliRunner(env=env).invoke(root, [*line, *where])
        assert done.exit_code == 0, done.output

    def drawn(where):
        codes = (segno.make(where, micro=False, error="m", boost_error=False, mask=mask) for mask in range(8))
        return {code.png_data_uri(border=2) for code in codes}

    small_event(tmp_path)
    with served(tmp_path) as (_, address):
        pass
    printed("device", "code", "--all", "--sheet", str(tmp_path / "codes.html"))
    page = (tmp_path / "codes.html").read_text()
    assert (tmp_path / "codes.html").stat().st_mode & 0o077 == 0, "for nobody else on the machine"
    for number, name in enumerate(NAMES[:4], 1):
        code = re.search(rf"{number}-([0-9A-Z]{{4}})-([0-9A-Z]{{4}})", page)
        assert name in page
        assert any(image in page for image in drawn(f"{address}/join/{number}-{code[1]}{code[2]}"))
    for sheet in ("pairings", "slips", "badges", "standings", "tables", "seatings", "decklists", "empty"):
        printed("print", sheet, "--to", str(tmp_path / "after"))
    for paper in (tmp_path / "after").iterdir():
        assert "/join" not in paper.read_text(), "codes are on strips alone"


REFUSALS = {
    ("--port", "PORT"): "cannot listen at 127.0.0.1, port",
    ("--cert", "none.pem"): "the certificate cannot be used",
    ("--key", "none.pem"): "--key needs --cert",
    ("--url", "friday.example"): "must be like https://friday.example",
    ("--url", "https://friday.example/folder"): "without a folder",
    ("--host", "198.51.100.1"): "cannot listen at 198.51.100.1",
}


@pytest.mark.parametrize("options", REFUSALS, ids=" ".join)
def test_errors_at_the_start(tmp_path, options):
    """A port in use, an invalid certificate, an address with a folder."""
    small_event(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as port_holder:
        words = [str(port_holder.getsockname()[1]) if word == "PORT" else word for word in options]
        host = [] if "--host" in options else ["--host", "127.0.0.1"]
        line = ["serve", *host, *words, "-e", str(tmp_path / "friday.tourney")]
        done = CliRunner(env={"XDG_DATA_HOME": str(tmp_path / "user")}).invoke(root, line)
    assert done.exit_code == (2 if "--key" in options or "--url" in options else 3)
    assert REFUSALS[options] in " ".join(done.stderr.split())


def test_a_moved_file_is_reported_on_phones(tmp_path):
    """Pages show the last state, and nothing is entered until it is back."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            event, phone = hall.room.event, await hall.player(1)
            (tmp_path / "friday.tourney").rename(tmp_path / "elsewhere")
            with pytest.raises(Exception, match="was moved or deleted"):
                await event.write(lambda desk: desk.report(1, "2-0"))
            import asyncio

            async with asyncio.timeout(60):
                while event.fault is None:
                    await asyncio.sleep(0.05)
            await phone.get("/")
            assert "was moved or deleted" in phone.text
            assert "Mira Oake" in phone.text
            (tmp_path / "elsewhere").rename(tmp_path / "friday.tourney")
            await event.write(lambda desk: desk.report(1, "2-0"))
            async with asyncio.timeout(60):
                while event.fault is not None:
                    await asyncio.sleep(0.05)
            await phone.get("/")
            assert "was moved or deleted" not in phone.text

    run(story())


def test_a_restored_copy_is_opened(tmp_path):
    """A file of another event is refused."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            event = hall.room.event
            copy = tmp_path / "copy.tourney"
            copy.write_bytes((tmp_path / "friday.tourney").read_bytes())
            copy.replace(tmp_path / "friday.tourney")
            await event.write(lambda desk: desk.report(1, "2-0"))
            with open_desk(tmp_path) as desk:
                assert desk.state.round.tables[1].result is not None
            other = tmp_path / "other"
            other.mkdir()
            new_desk(other, "Ada Finch", "Ivo Lark", seed="another").leave()
            (other / "friday.tourney").replace(tmp_path / "friday.tourney")
            with pytest.raises(Exception, match="another event"):
                await event.write(lambda desk: desk.report(2, "2-0"))

    run(story())


def test_a_new_address_is_shown_in_the_terminal_and_at_the_desk(tmp_path, monkeypatch):
    """The Wi-Fi gives the laptop another number; other pages do not show it."""
    from tourney.serve import app, guard

    number, seen = ["192.0.2.7"], {}
    for module in (app, guard):
        monkeypatch.setattr(module, "own_number", lambda: number[0])
    monkeypatch.setattr(app, "ADDRESS_CHECK", 0.3)

    def told(address, room):
        seen.setdefault("said", []).append(address)
        seen["names"] = room.names.own
        if len(seen["said"]) == 1:
            number[0] = "192.0.2.8"
            return

        async def look():
            try:
                small = Hall(room, app.application(room), tmp_path, [])
                room.staff_over_http = True
                here = f"http://192.0.2.8:{room.names.port}"
                desk, phone = small.phone(here), small.phone(here)
                await desk.join_staff(room.devices.staff_link("scorekeeper", "Kim"))
                await desk.get("/desk")
                await phone.get("/")
                seen.update(desk=desk.text, phone=phone.text, kept=room.devices.address)
            finally:
                os.kill(os.getpid(), signal.SIGINT)

        seen["task"] = asyncio.get_running_loop().create_task(look())

    class Teller(tourney.cli.serve._AddressPrinter):
        def address(self, address, room):
            super().address(address, room)
            told(address, room)

    monkeypatch.setattr(tourney.cli.serve, "_AddressPrinter", Teller)
    small_event(tmp_path)
    line = ["serve", "--port", "0", "-e", str(tmp_path / "friday.tourney")]
    done = CliRunner(env={"XDG_DATA_HOME": str(tmp_path / "user")}).invoke(root, line)
    assert done.exit_code == 0, done.output
    before, after = seen["said"]
    assert (before[:17], after[:17]) == ("http://192.0.2.7:", "http://192.0.2.8:")
    assert f"Friday: {after}" in done.stdout
    assert done.stderr.count("the address of this machine has changed") == 1
    assert f"address of this machine has changed to {after} (before: {before})" in seen["desk"]
    assert "another address" not in seen["phone"]
    assert "192.0.2.8" in seen["names"], "a form from there is one of ours"
    assert seen["kept"] == after, "codes that are made now carry the new one"


def test_many_writers_at_once(tmp_path):
    """Phones and the command line: each acknowledged result is in the journal once."""

    async def story():
        import asyncio

        async with opened(small_event(tmp_path, players=8)) as hall:
            event = hall.room.event
            tables = list(event.state.round.tables)
            done = []

            def beside():
                with open_desk(tmp_path) as desk:
                    for table in tables:
                        done.append(desk.report(table, "2-0"))

            thread = threading.Thread(target=beside)
            thread.start()
            receipts = await asyncio.gather(
                *(event.write(lambda desk, table=table: desk.report(table, "2-0")) for table in tables * 3)
            )
            thread.join()
            entries = [entry for receipt in (*receipts, *done) for entry in receipt.entries]
            assert len(entries) == len(set(entries)) == len(tables)
            await hall.settle()
            assert event.state.round.done

    run(story())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no openssl to make a certificate by")
def test_with_a_certificate_it_uses_tls(tmp_path):
    """Plain HTTP gets no page, and cookies are for https only."""
    import ssl

    small_event(tmp_path)
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("openssl made no certificate")
    with served(tmp_path, "--cert", "cert.pem", "--key", "key.pem") as (_, address):
        assert address.startswith("https://127.0.0.1:")
        trust = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        with urllib.request.urlopen(f"{address}/", timeout=60, context=trust) as answer:
            assert "Secure" in answer.headers["set-cookie"]
            assert "Mira Oake" in answer.read().decode()
        with pytest.raises(OSError):
            urllib.request.urlopen(address.replace("https", "http"), timeout=5)


STAFF_OPTIONS = {
    (): "Staff work on this computer",
    ("--staff-over-http",): "Staff join with a link that works once",
    ("--url", "https://friday.example"): "Staff join with a link that works once",
}


@pytest.mark.parametrize("options", STAFF_OPTIONS, ids=" ".join)
def test_the_terminal_shows_how_staff_join(tmp_path, options):
    """No link is shown that would be refused."""
    small_event(tmp_path)
    with served(tmp_path, *options) as (server, _):
        output = ""
        while STAFF_OPTIONS[options] not in output:
            line = server.stderr.readline()
            assert line, output
            output += line
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0


def test_the_organizers_link_works_on_the_same_machine(tmp_path):
    """Plain HTTP is allowed there, though not for other devices."""
    small_event(tmp_path)
    line = [sys.executable, "-m", "tourney", "serve", "--port", "0"]
    around = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "user"), "TOURNEY_BY": "Ann"}
    server = subprocess.Popen(line, cwd=tmp_path, env=around, stdout=subprocess.PIPE, text=True)
    try:
        text = ""
        while "Organizer" not in text:
            read = server.stdout.readline()
            assert read, text
            text = read
        link = re.fullmatch(
            r"Organizer, on this machine: (http://localhost:\d+)(/join/staff/[\w-]{22})\n", text
        )
        with httpx.Client(base_url=link[1], headers={"origin": link[1]}) as browser:

            def send(path, **fields):
                key = re.search(r'name="key" value="([^"]*)"', browser.get(fields.pop("page")).text)[1]
                return browser.post(path, data={"key": key, **fields})

            joined = send("/join/staff", page=link[2], code=link[2].rpartition("/")[2])
            assert (joined.status_code, joined.headers["location"]) == (303, "/desk")
            sent = send("/desk/slip", page="/desk", slip="1 2-0", round="1", once="a", at="/desk")
            assert sent.status_code == 303
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)
        server.stdout.close()
    with open_desk(tmp_path) as desk:
        assert desk.state.round.tables[1].result is not None
        assert desk.log()[-1].by == "Ann (device 1)"


def test_printed_slips_open_the_tables(tmp_path):
    """Printed on the command line beside the server, without a setting."""
    small_event(tmp_path)

    def printed():
        line = ["print", "slips", "-e", str(tmp_path / "friday.tourney"), "--to", str(tmp_path / "print")]
        done = CliRunner(env={"XDG_DATA_HOME": str(tmp_path / "user")}).invoke(root, line)
        assert done.exit_code == 0, done.stderr
        return (tmp_path / "print" / "slips-round-1.html").read_text("utf-8"), done.stderr

    slips, output = printed()
    assert "<img" not in slips
    assert not (tmp_path / "user").exists(), "nothing is begun by looking"
    with served(tmp_path) as (_, address):
        while "<img" not in slips:  # until the server has noted its address
            slips, output = printed()
        assert slips.count("<img") == 2
        assert f"the codes on the slips open {address}" in output
        assert "Table 1" in page(address, "/table/1")


def test_json_has_the_address(tmp_path):
    """One object, once phones can connect."""
    small_event(tmp_path)
    with served(tmp_path, "--read-only") as (_, address):
        assert json.loads(urllib.request.urlopen(f"{address}/head").read())["version"] > 0
        assert "/join" not in page(address)


HOSTILE = (
    b"\x00" * 200,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET " + b"/" * 40000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 20000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 200000,
    b"POST /join HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999999999999999\r\n\r\nx",
    b"POST /join HTTP/1.1\r\nHost: HOST\r\nContent-Length: -5\r\n\r\n",
    b"POST /join HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nzz\r\n",
    b"POST /join HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET /%00%ff?%00 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n"
    b"\r\n",
    b"GET /me HTTP/1.1\r\nHost: HOST\r\nCookie: \xff\xfe=\x80; a\r\n\r\n",
    b"GET /head?about=\xff HTTP/1.1\r\nHost: HOST\r\n\r\n" * 50,
    b"HEAD /events HTTP/1.1\r\nHost: HOST\r\n\r\n",
)


def test_hostile_bytes_do_not_affect_other_phones(tmp_path):
    """At most an answer below 500, and no message."""
    small_event(tmp_path)
    with served(tmp_path) as (server, address):
        host, port = address.removeprefix("http://").split(":")
        for sent in HOSTILE:
            with socket.create_connection((host, int(port)), timeout=5) as phone:
                try:
                    phone.sendall(sent.replace(b"HOST", f"{host}:{port}".encode()))
                    phone.shutdown(socket.SHUT_WR)
                    answer = phone.recv(65536)
                except OSError:
                    answer = b""
            assert not answer.startswith((b"HTTP/1.1 5", b"HTTP/1.0 5")), (sent[:60], answer[:100])
            assert b"Traceback" not in answer
        assert "Mira Oake" in page(address)
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
        output = server.stderr.read()
    assert "Traceback" not in output
    assert "bug" not in output


def test_a_bug_is_reported_at_the_desk(tmp_path, monkeypatch):
    """The phone gets a plain page with the headers, and the next page works."""
    from tourney.serve.live import LiveEvent

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = hall.phone()

            async def broken(*_):
                raise ValueError("a secret of the desk")

            whole = LiveEvent.fresh_pages
            monkeypatch.setattr(LiveEvent, "fresh_pages", broken)
            answer = await phone.get("/")
            assert answer.status_code == 500
            assert "Something went wrong" in phone.text
            assert "secret" not in answer.text
            assert "content-security-policy" in answer.headers
            monkeypatch.setattr(LiveEvent, "fresh_pages", whole)
            assert (await phone.get("/")).status_code == 200
            (line,) = hall.faults
            assert "ValueError: a secret of the desk" in line
            assert "test_process.py" in line
            hall.faults.clear()

    run(story())


def test_a_server_that_cannot_watch_the_file_ends(tmp_path):
    """The bug is reported to the person who runs the server."""

    async def story():
        import asyncio

        async with opened(small_event(tmp_path)) as hall:
            bugs = []
            hall.room.event.on_bug = bugs.append
            hall.room.event._refresh = lambda: 1 / 0
            async with asyncio.timeout(60):
                while not bugs:
                    await asyncio.sleep(0.05)
            assert isinstance(bugs[0], ZeroDivisionError)

    run(story())
