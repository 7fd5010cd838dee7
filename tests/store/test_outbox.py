"""Posting to a server that misbehaves, and the addresses that are kept with the user."""

import json
import os
import re
import socket
import stat
import sys
import threading
import time

import pytest

from tests.store.web import Server, certificate, head, text
from tourney.errors import TourneyError, UnsettledError
from tourney.store.folder import run
from tourney.store.http import Http, Limits, Unreachable, address_origin
from tourney.store.outbox import ADDRESSES, POSTED, Outbox, PostAddress, Sent, notify

QUICK = Limits(deadline=3.0, silence=0.5, tries=3, pause=0.01)
SECRET = "/api/webhooks/17/TOPSECRET"


def http(**limits):
    return Http(insecure=True, limits=Limits(**{**{k: getattr(QUICK, k) for k in QUICK.__slots__}, **limits}))


def post(server, way=None):
    return (way or http()).post(server.url(SECRET), b'{"content": "Round 1"}')


def refused(server, kind, way=None):
    """Post, and return what is said of it; the secret is nowhere in it, nor in what it was raised from."""
    with pytest.raises(kind) as raised:
        post(server, way)
    fault = raised.value
    assert "TOPSECRET" not in f"{fault} {fault.hint} {fault!r} {fault.__cause__!r}"
    return str(fault)


def no_content(*headers):
    return lambda _: iter([head(*headers, status="204 No Content")])


def test_a_post_is_sent_once_as_json(server):
    """The body arrives as it is, and what the server wants no more for is told."""
    server.answers[SECRET] = no_content("X-RateLimit-Remaining: 0", "X-RateLimit-Reset-After: 0.25")
    assert post(server) == 0.25
    (request,) = server.asked
    assert (request.verb, request.headers["content-type"], json.loads(request.body)) == (
        "POST",
        "application/json",
        {"content": "Round 1"},
    )


@pytest.mark.parametrize("wait", ["0", "0.05", "nonsense", "-1", "1e9", "٣"])
def test_who_is_too_busy_is_asked_again(server, wait):
    """429 and 5xx are tried again, after the pause that is asked for where it is one."""

    def answer(request):
        status = ("429 Too Many Requests", "502 Bad Gateway", "204 No Content")[request.before]
        yield head(f"Retry-After: {wait}", status=status)

    server.answers[SECRET] = answer
    post(server)
    assert len(server.asked) == 3


def test_a_wait_beyond_the_deadline_is_not_waited_for(server):
    """Who asks for an hour is told of, at once."""
    server.answers[SECRET] = lambda _: iter([head("Retry-After: 3600", status="429 Too Many Requests")])
    before = time.monotonic()
    assert refused(server, Unreachable).endswith(
        "…: the server answered 429 Too Many Requests and asks to wait for 3600 s (one try)"
    )
    assert time.monotonic() - before < 1


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        ("Thu, 31 Dec 2099 23:59:59 GMT", r"2\d{4} days"),
        ("72000", "20 hours"),
        ("90", "90 s"),
        ("9999999", "116 days"),
    ],
)
def test_how_long_a_server_asks_to_wait_is_told_as_it_asks(server, seconds, words):
    """Whatever anybody here holds to be long."""
    server.answers[SECRET] = lambda _: iter([head(f"Retry-After: {seconds}", status="429 Too Many Requests")])
    message = refused(server, Unreachable)
    assert re.search(rf" and asks to wait for {words} \(one try\)$", message), message


def test_a_server_that_stays_ill_is_given_up(server):
    """As many tries as there are, and its own words are not told: they could quote the address."""
    server.answers[SECRET] = lambda request: text(request.path, status=f"500 {request.path}")
    assert refused(server, Unreachable).endswith("the server answered 500 Internal Server Error (3 tries)")
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("status", "message"),
    [
        ("404 Not Found", "does not know this address (404 Not Found)"),
        ("401 Unauthorized", "does not know this address"),
        ("400 Bad Request", "refused it: 400 Bad Request"),
        ("413 Payload Too Large", "refused it: 413"),
        ("799 Who Knows", "answered 799"),
    ],
)
def test_what_is_refused_is_not_tried_again(server, status, message):
    """A refusal is one; only what may pass is tried again."""
    server.answers[SECRET] = lambda _: text("no", status=status)
    assert message in refused(server, TourneyError)
    assert len(server.asked) == (3 if status.startswith("7") else 1)


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent", "300 Many"]
)
def test_no_redirect_is_followed(server, status):
    """What was meant for one address goes to no other, on this host or another."""
    server.answers[SECRET] = lambda _: iter([head("Location: /elsewhere", status=status)])
    server.answers["/elsewhere"] = no_content()
    assert "wants it elsewhere" in refused(server, TourneyError)
    assert [request.path for request in server.asked] == [SECRET]


def test_a_connection_that_breaks_is_not_tried_again(server):
    """It may have arrived: nobody posts it twice, and nobody says that it did not."""
    server.answers[SECRET] = lambda _: iter([])
    assert "may have been posted, or not" in refused(server, UnsettledError)
    assert len(server.asked) == 1


def test_a_silent_server_and_one_that_drips_are_left_in_time(server):
    """Silence ends a try; an answer a byte a second ends with the deadline."""

    def drip(_):
        for letter in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1000:
            yield bytes([letter])
            time.sleep(0.1)

    def silence(_):
        time.sleep(2)
        yield b""

    server.answers[SECRET] = silence
    assert "no answer in 0.5 seconds: it may have" in refused(server, UnsettledError)
    server.answers[SECRET] = drip
    before = time.monotonic()
    assert "not finished after 1 seconds: it may have" in refused(server, UnsettledError, http(deadline=1.0))
    assert time.monotonic() - before < 2


def test_a_huge_answer_is_not_read(server):
    """Whoever answers without end has taken the post all the same."""
    sent = []

    def endless(_):
        yield head("Content-Type: text/html")
        for _ in range(10_000):
            sent.append(1)
            yield b"x" * 65_536

    server.answers[SECRET] = endless
    post(server)
    time.sleep(0.2)
    assert len(sent) < 1000


def test_nonsense_is_no_answer(server):
    """What is no HTTP leaves it open whether it arrived."""
    server.answers[SECRET] = lambda _: iter([b"220 mail.example.org ESMTP\r\n"])
    assert "broke before an answer came" in refused(server, UnsettledError)


def test_nobody_there_is_tried_again_and_told():
    """A refused connection cannot have posted anything."""
    with socket.socket() as port_holder:
        port_holder.bind(("127.0.0.1", 0))  # and nobody listens
        with pytest.raises(Unreachable, match=r"the connection was refused \(3 tries\)"):
            http().post(f"http://127.0.0.1:{port_holder.getsockname()[1]}{SECRET}", b"{}")


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path):
    """Unless it is said that it may be; plain http the same."""
    made = certificate(tmp_path)
    if made is None:
        pytest.skip("openssl is not installed")
    secure = Server(tls=made[0])
    secure.answers[SECRET] = no_content()
    try:
        strict = Http(limits=QUICK)
        assert "its certificate is not valid" in refused(secure, TourneyError, strict)
        assert secure.asked == []
        post(secure)
    finally:
        secure.stop()


def test_a_server_that_refuses_tls_is_told():
    """An https address at which nobody speaks it."""
    with socket.create_server(("127.0.0.1", 0)) as plain:

        def answer():
            line, _ = plain.accept()
            with line:
                line.recv(65_536)
                line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(TourneyError, match="no secure connection could be made"):
            Http(limits=QUICK).post(f"https://127.0.0.1:{plain.getsockname()[1]}{SECRET}", b"{}")


def test_plain_http_must_be_asked_for(server):
    """The secret would be read by whoever is on the way."""
    assert "only https addresses are posted to" in refused(server, TourneyError, Http(limits=QUICK))
    assert server.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "https://discord.com/api/webhooks/1/TOPSECRET",
        "https://TOPSECRET@hooks.example.org/x?TOPSECRET#TOPSECRET",
        "https://name:TOPSECRET@hooks.example.org",
        "tgram://TOPSECRET/room",
        "mailto://name:TOPSECRET@example.org",
        "TOPSECRET",
    ],
)
def test_an_address_is_told_without_its_secret(url):
    """Only the host is told."""
    assert "TOPSECRET" not in address_origin(url)


# -- What goes through apprise


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the library's own
def test_other_services_are_posted_to_by_apprise(server, capfd):
    """The text as it is; its log, which would quote the address, is heard by nobody."""
    server.answers["/TOPSECRET"] = lambda _: text("ok")
    address = PostAddress(server.url("/TOPSECRET").replace("http://", "json://"))
    notify(address, "Cup · Round 1: pairings", "Table 1: Mira – Tomo *x*")
    body = json.loads(server.asked[0].body)
    assert (body["title"], body["message"]) == ("Cup · Round 1: pairings", "Table 1: Mira – Tomo *x*")
    server.answers["/TOPSECRET"] = lambda _: text("no", status="500 Down")
    with pytest.raises(Unreachable, match=r"^json://…: the service did not accept it$"):
        notify(address, "Cup", "Table 1")
    with pytest.raises(TourneyError, match=r"^nosuch://…: apprise does not know this kind of address$"):
        notify(PostAddress("nosuch://TOPSECRET"), "Cup", "Table 1")
    with pytest.raises(Unreachable, match=r"^json://…: the service did not accept it$"):
        notify(PostAddress("json://127.0.0.1:9/TOPSECRET"), "Cup", "Table 1")
    server.answers["/TOPSECRET"] = lambda _: iter([])
    with pytest.raises(UnsettledError, match=r"^json://…: it may have been posted, or not") as raised:
        notify(address, "Cup", "Table 1")
    assert "look there" in raised.value.hint
    assert capfd.readouterr() == ("", "")


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch):
    """Nothing else needs it."""
    monkeypatch.setitem(sys.modules, "apprise", None)
    with pytest.raises(TourneyError) as raised:
        notify(PostAddress("tgram://TOPSECRET/room"), "Cup", "Table 1")
    assert raised.value.hint.startswith("`pip install 'tourney[post]'`")


# -- What is kept with the user


def test_an_address_is_kept_for_its_user_alone(tmp_path):
    """Nobody else can read it; it is found by its name, replaced and forgotten."""
    outbox = Outbox(tmp_path)
    assert not outbox.remember("friday", PostAddress("https://hooks.example.org/TOPSECRET"))
    if os.name != "nt":
        assert stat.S_IMODE((tmp_path / ADDRESSES).stat().st_mode) == 0o600
    assert outbox.remember("friday", PostAddress("https://hooks.example.org/OTHER"))
    assert outbox.find("friday", insecure=False).url.endswith("OTHER")
    outbox.note(outbox.find("friday", insecure=False), "ab" * 32, "pairings 1", Sent("cd" * 32, 1))
    assert "OTHER" not in (tmp_path / POSTED).read_text()
    outbox.forget("friday")
    assert (outbox.addresses(), outbox.posted()) == ({}, {})


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("Friday", "https://hooks.example.org/TOPSECRET"),
        ("", "https://hooks.example.org/TOPSECRET"),
        ("friday", "http://hooks.example.org/TOPSECRET"),
        ("friday", "hooks.example.org/TOPSECRET"),
        ("friday", "https:///TOPSECRET"),
        ("friday", "https://hooks.example.org/TOPSECRET TOPSECRET"),
        ("friday", "https://hooks.example.org/" + "TOPSECRET" * 300),
    ],
)
def test_what_is_no_name_or_no_address_is_not_kept(tmp_path, name, url):
    """And the refusal does not quote it."""
    with pytest.raises(TourneyError) as raised:
        Outbox(tmp_path).remember(name, PostAddress(url))
    assert "TOPSECRET" not in f"{raised.value} {raised.value.hint}"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content", ['friday = "https://x/TOPSECRET"', "friday = [", '[friday]\nurl = 3\nTOPSECRET = "x"']
)
def test_a_damaged_file_of_addresses_is_refused_without_quoting_it(tmp_path, content):
    """Its words are secrets, too."""
    (tmp_path / ADDRESSES).write_text(content)
    with pytest.raises(TourneyError) as raised:
        Outbox(tmp_path).find("friday", insecure=False)
    assert "TOPSECRET" not in f"{raised.value} {raised.value.hint}"


@pytest.mark.parametrize("content", [b"", b"[", b"\xff", b'{"a": {"b": 3}}', b"[" * 100_000])
def test_a_damaged_memory_is_no_memory(tmp_path, content):
    """It only saves posting the same again."""
    (tmp_path / POSTED).write_bytes(content)
    assert Outbox(tmp_path).posted() == {}


def test_the_memory_does_not_grow_without_end(tmp_path):
    """The events that were not posted for longest are forgotten."""
    outbox, address = Outbox(tmp_path), PostAddress("https://hooks.example.org/x")
    for number in range(60):
        outbox.note(address, f"event {number}", "pairings 1", Sent("", 1))
    kept = outbox.posted()[address.key]
    assert (len(kept), "event 59" in kept, "event 9" in kept) == (50, True, False)


def test_a_command_is_run_without_a_shell(tmp_path, capfd):
    """Its words are its own, its output goes to stderr, what it leaves with is told."""
    assert run(["sh", "-c", 'echo "$0 $TOURNEY_PUBLISHED"; exit 7', "a; b"], tmp_path) == 7
    assert capfd.readouterr() == ("", f"a; b {tmp_path}\n")
    with pytest.raises(TourneyError, match="`no-such-command` cannot be run: there is no such file"):
        run(["no-such-command"], tmp_path)
