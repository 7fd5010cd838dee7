"""The server as a process: how it begins and ends, and what it says where it cannot."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import pytest

from tests.desk.kit import open_desk
from tests.kit import ROOT
from tests.serve.kit import opened, run, small_event
from tests.serve.served import served


def page(address, path="/"):
    with urllib.request.urlopen(f"{address}{path}", timeout=10) as answer:
        return answer.read().decode()


def test_ctrl_c_ends_it_and_nothing_is_lost(tmp_path):
    """Also while a phone listens: the stream is told, the process leaves with 0 and says where everything is."""
    small_event(tmp_path)
    with served(tmp_path) as (server, address):
        assert "Mira Oake" in page(address)
        stream = urllib.request.urlopen(f"{address}/events", timeout=10)
        assert stream.readline() == b"event: head\n"
        begin = time.monotonic()
        server.send_signal(signal.SIGINT)
        assert b"event: bye" in stream.read()
        assert server.wait(10) == 0
        assert time.monotonic() - begin < 5
        said = server.stderr.read()
    assert "all that was entered is in friday.tourney" in said
    assert "Traceback" not in said


def test_after_a_kill_it_goes_on_at_the_same_place(tmp_path):
    """What was there is there again, on the same port; a phone that joined is still joined."""
    small_event(tmp_path)
    with served(tmp_path) as (server, address):
        port = int(address.rpartition(":")[2])
        server.kill()
        server.wait(10)
    with open_desk(tmp_path) as desk:
        desk.report(1, "2-0")
    with served(tmp_path, port=port) as (_, again):
        assert again == address
        assert "won 2–0" in page(again)


REFUSALS = {
    ("--port", "PORT"): "cannot listen at 127.0.0.1, port",
    ("--cert", "none.pem"): "the certificate cannot be used",
    ("--key", "none.pem"): "`--key` is of a certificate",
    ("--url", "friday.example"): "it is like https://friday.example",
    ("--url", "https://friday.example/folder"): "without a folder",
    ("--host", "198.51.100.1"): "cannot listen at 198.51.100.1",
}


@pytest.mark.parametrize("options", REFUSALS, ids=" ".join)
def test_what_cannot_be_served_is_said(tmp_path, options):
    """A port that is taken, a certificate that is none, an address with a folder: refused in words, with the right code."""
    small_event(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        words = [str(taken.getsockname()[1]) if word == "PORT" else word for word in options]
        host = [] if "--host" in options else ["--host", "127.0.0.1"]
        done = subprocess.run(
            [sys.executable, "-m", "tourney", "serve", *host, *words],
            cwd=tmp_path, env={**os.environ, "XDG_DATA_HOME": str(tmp_path / "user"), "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
    assert done.returncode == (2 if "--key" in options or "--url" in options else 3)
    assert REFUSALS[options] in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_file_that_was_moved_away_is_said_on_the_phone(tmp_path):
    """Pages go on to show what was read and say so; nothing is entered anywhere; when it is back all goes on."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            event, phone = hall.room.event, await hall.player(1)
            (tmp_path / "friday.tourney").rename(tmp_path / "elsewhere")
            with pytest.raises(Exception, match="not where it was"):
                await event.write(lambda desk: desk.report(1, "2-0"))
            import asyncio

            async with asyncio.timeout(5):
                while event.fault is None:
                    await asyncio.sleep(0.05)
            await phone.get("/")
            assert "is not where it was" in phone.text
            assert "Mira Oake" in phone.text
            (tmp_path / "elsewhere").rename(tmp_path / "friday.tourney")
            await event.write(lambda desk: desk.report(1, "2-0"))
            async with asyncio.timeout(5):
                while event.fault is not None:
                    await asyncio.sleep(0.05)
            await phone.get("/")
            assert "is not where it was" not in phone.text

    run(story())


def test_a_copy_that_is_put_back_is_taken_up(tmp_path):
    """Another file of the same event in its place is opened; a file of another event is refused."""

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
            from tests.desk.kit import new_desk

            new_desk(other, "Ada Finch", "Ivo Lark", seed="another").leave()
            (other / "friday.tourney").replace(tmp_path / "friday.tourney")
            with pytest.raises(Exception, match="another event"):
                await event.write(lambda desk: desk.report(2, "2-0"))

    run(story())


def test_many_writers_at_once(tmp_path):
    """Rooms of phones and the command line on one file: every answer of success is in the journal once."""

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
def test_with_a_certificate_it_speaks_tls(tmp_path):
    """The address is https; a phone that speaks plain HTTP gets no page; cookies are for https alone."""
    import ssl

    small_event(tmp_path)
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("openssl made no certificate")
    with served(tmp_path, "--cert", "cert.pem", "--key", "key.pem") as (_, address):
        assert address.startswith("https://127.0.0.1:")
        trust = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        with urllib.request.urlopen(f"{address}/", timeout=10, context=trust) as answer:
            assert "Secure" in answer.headers["set-cookie"]
            assert "Mira Oake" in answer.read().decode()
        with pytest.raises(OSError):
            urllib.request.urlopen(address.replace("https", "http"), timeout=5)


def test_json_says_where_it_is(tmp_path):
    """One object, once phones can reach it."""
    small_event(tmp_path)
    with served(tmp_path, "--read-only") as (_, address):
        assert json.loads(urllib.request.urlopen(f"{address}/head").read())["version"] > 0
        assert "/join" not in page(address)
