"""Posting to servers that misbehave, and the user's saved addresses."""

import json
import os
import re
import socket
import stat
import sys
import threading
import time

import pytest

from tests.kit import with_rows
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


def error_of(server, kind, way=None):
    """Post, and return the error, checking that neither it nor its cause has the secret."""
    with pytest.raises(kind) as raised:
        post(server, way)
    fault = raised.value
    assert "TOPSECRET" not in f"{fault} {fault.hint} {fault!r} {fault.__cause__!r}"
    return str(fault)


def no_content(*headers):
    return lambda _: iter([head(*headers, status="204 No Content")])


def test_a_post_is_sent_once_as_json(server):
    """The body is unchanged, and the server's rate limit is returned."""
    server.answers[SECRET] = no_content("X-RateLimit-Remaining: 0", "X-RateLimit-Reset-After: 0.25")
    assert post(server) == 0.25
    (request,) = server.asked
    assert (request.verb, request.headers["content-type"], json.loads(request.body)) == (
        "POST",
        "application/json",
        {"content": "Round 1"},
    )


@pytest.mark.parametrize("wait", ["0", "0.05", "nonsense", "-1", "1e9", "٣"])
def test_a_busy_server_is_tried_again(server, wait):
    """429 and 5xx, after the pause that the server asks for."""

    def answer(request):
        status = ("429 Too Many Requests", "502 Bad Gateway", "204 No Content")[request.before]
        yield head(f"Retry-After: {wait}", status=status)

    server.answers[SECRET] = answer
    post(server)
    assert len(server.asked) == 3


def test_a_wait_beyond_the_deadline_is_an_error_at_once(server):
    """A server that asks to wait for an hour is reported at once."""
    server.answers[SECRET] = lambda _: iter([head("Retry-After: 3600", status="429 Too Many Requests")])
    assert error_of(server, Unreachable).endswith(
        "…: the server answered 429 Too Many Requests and asks to wait for 3600 s (one try)"
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [("Thu, 31 Dec 2099 23:59:59 GMT", r"\d{10} s"), ("90", "90 s"), ("9999999", "9999999 s")],
)
def test_the_requested_wait_is_in_the_error(server, seconds, words):
    """Whatever anybody here holds to be long."""
    server.answers[SECRET] = lambda _: iter([head(f"Retry-After: {seconds}", status="429 Too Many Requests")])
    message = error_of(server, Unreachable)
    assert re.search(rf" and asks to wait for {words} \(one try\)$", message), message


def test_a_server_that_keeps_failing_is_given_up(server):
    """The error does not quote its answer, which could contain the address."""
    server.answers[SECRET] = lambda request: text(request.path, status=f"500 {request.path}")
    assert error_of(server, Unreachable).endswith("the server answered 500 Internal Server Error (3 tries)")
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("status", "message"),
    [
        ("404 Not Found", "refused the post: 404 Not Found"),
        ("401 Unauthorized", "refused the post: 401"),
        ("400 Bad Request", "refused the post: 400 Bad Request"),
        ("413 Payload Too Large", "refused the post: 413"),
        ("799 Who Knows", "answered 799"),
    ],
)
def test_permanent_errors_are_not_retried(server, status, message):
    """A refusal is one; only what may pass is tried again."""
    server.answers[SECRET] = lambda _: text("no", status=status)
    assert message in error_of(server, TourneyError)
    assert len(server.asked) == (3 if status.startswith("7") else 1)


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent", "300 Many"]
)
def test_redirects_are_not_followed(server, status):
    """A post for one address goes to no other, on this host or another."""
    server.answers[SECRET] = lambda _: iter([head("Location: /elsewhere", status=status)])
    server.answers["/elsewhere"] = no_content()
    assert f"refused the post: {status[:3]}" in error_of(server, TourneyError)
    assert [request.path for request in server.asked] == [SECRET]


def test_a_broken_connection_is_not_retried(server):
    """The post may have arrived, so it is not repeated, and the error says so."""
    server.answers[SECRET] = lambda _: iter([])
    assert "may have been posted, or not" in error_of(server, UnsettledError)
    assert len(server.asked) == 1


def test_silent_and_very_slow_servers_are_given_up(server):
    """A silence ends a try; a byte a second ends at the deadline."""

    def drip(_):
        for letter in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1000:
            yield bytes([letter])
            time.sleep(0.1)

    def silence(_):
        time.sleep(2)
        yield b""

    server.answers[SECRET] = silence
    assert "no answer in 0.5 seconds: it may have" in error_of(server, UnsettledError)
    server.answers[SECRET] = drip
    assert "not finished after 1 seconds: it may have" in error_of(server, UnsettledError, http(deadline=1.0))


def test_a_huge_answer_is_not_read(server):
    """The post was accepted in any case."""
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


def test_an_answer_that_is_not_http_leaves_the_post_unknown(server):
    """After an answer that is not HTTP, it is unknown whether the post arrived."""
    server.answers[SECRET] = lambda _: iter([b"220 mail.example.org ESMTP\r\n"])
    assert "broke before an answer came" in error_of(server, UnsettledError)


def test_a_refused_connection_is_retried():
    """Nothing can have been posted."""
    with socket.socket() as port_holder:
        port_holder.bind(("127.0.0.1", 0))  # and no server listens
        with pytest.raises(Unreachable, match=r"the connection was refused \(3 tries\)"):
            http().post(f"http://127.0.0.1:{port_holder.getsockname()[1]}{SECRET}", b"{}")


def test_an_untrusted_certificate_is_refused(tmp_path):
    """Unless the user allows it; plain http likewise."""
    made = certificate(tmp_path)
    if made is None:
        pytest.skip("openssl is not installed")
    secure = Server(tls=made[0])
    secure.answers[SECRET] = no_content()
    try:
        strict = Http(limits=QUICK)
        assert "its certificate is not valid" in error_of(secure, TourneyError, strict)
        assert secure.asked == []
        post(secure)
    finally:
        secure.stop()


def test_a_server_without_tls_is_reported():
    """At an https address."""
    with socket.create_server(("127.0.0.1", 0)) as plain:

        def answer():
            line, _ = plain.accept()
            with line:
                line.recv(65_536)
                line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(TourneyError, match="no secure connection could be made"):
            Http(limits=QUICK).post(f"https://127.0.0.1:{plain.getsockname()[1]}{SECRET}", b"{}")


def test_plain_http_must_be_allowed(server):
    """Others on the network could read the secret."""
    assert "only https addresses are posted to" in error_of(server, TourneyError, Http(limits=QUICK))
    assert server.asked == []


@with_rows(
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
def test_an_address_is_shown_without_its_secret(url):
    """Only the host."""
    assert "TOPSECRET" not in address_origin(url)


# -- What goes through apprise


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the library's own
def test_other_services_use_apprise(server, capfd):
    """The text is unchanged. Apprise's log is suppressed, as it would quote the address."""
    server.answers["/TOPSECRET"] = lambda _: text("ok")
    address = PostAddress(server.url("/TOPSECRET").replace("http://", "json://"))
    notify(address, "Cup · Round 1: pairings", "Table 1: Mira – Tomo *x*")
    body = json.loads(server.asked[0].body)
    assert (body["title"], body["message"]) == ("Cup · Round 1: pairings", "Table 1: Mira – Tomo *x*")
    server.answers["/TOPSECRET"] = lambda _: text("no", status="500 Down")
    with pytest.raises(Unreachable, match=r"^json://…: the service did not accept the post$"):
        notify(address, "Cup", "Table 1")
    with pytest.raises(TourneyError, match=r"^nosuch://…: apprise does not support this kind of address$"):
        notify(PostAddress("nosuch://TOPSECRET"), "Cup", "Table 1")
    with pytest.raises(Unreachable, match=r"^json://…: the service did not accept the post$"):
        notify(PostAddress("json://127.0.0.1:9/TOPSECRET"), "Cup", "Table 1")
    server.answers["/TOPSECRET"] = lambda _: iter([])
    with pytest.raises(UnsettledError, match=r"^json://…: it may have been posted, or not") as raised:
        notify(address, "Cup", "Table 1")
    assert "check the channel" in raised.value.hint
    assert capfd.readouterr() == ("", "")


def test_without_the_extra_the_hint_says_how_to_install_it(monkeypatch):
    """Nothing else needs it."""
    monkeypatch.setitem(sys.modules, "apprise", None)
    with pytest.raises(TourneyError) as raised:
        notify(PostAddress("tgram://TOPSECRET/room"), "Cup", "Table 1")
    assert raised.value.hint.startswith("`pip install 'tourney[post]'`")


# -- What is kept with the user


def test_only_the_user_can_read_a_saved_address(tmp_path):
    """It is found by its name, replaced and deleted."""
    outbox = Outbox(tmp_path)
    assert not outbox.remember("friday", PostAddress("https://hooks.example.org/TOPSECRET"))
    if os.name != "nt":
        assert stat.S_IMODE((tmp_path / ADDRESSES).stat().st_mode) == 0o600
    assert outbox.remember("friday", PostAddress("https://hooks.example.org/OTHER"))
    assert outbox.find("friday", insecure=False).url.endswith("OTHER")
    outbox.note(outbox.find("friday", insecure=False), "ab" * 32, "pairings 1", Sent("cd" * 32, 1))
    assert "OTHER" not in (tmp_path / POSTED).read_text()
    outbox.forget("friday")
    assert (outbox.addresses(), outbox.sent_posts()) == ({}, {})


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
def test_an_invalid_name_or_address_is_not_saved(tmp_path, name, url):
    """The error does not quote it."""
    with pytest.raises(TourneyError) as raised:
        Outbox(tmp_path).remember(name, PostAddress(url))
    assert "TOPSECRET" not in f"{raised.value} {raised.value.hint}"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content", ['friday = "https://x/TOPSECRET"', "friday = [", '[friday]\nurl = 3\nTOPSECRET = "x"']
)
def test_a_damaged_file_of_addresses_is_refused_without_quoting_it(tmp_path, content):
    """Its content is secret, too."""
    (tmp_path / ADDRESSES).write_text(content)
    with pytest.raises(TourneyError) as raised:
        Outbox(tmp_path).find("friday", insecure=False)
    assert "TOPSECRET" not in f"{raised.value} {raised.value.hint}"


@pytest.mark.parametrize("content", [b"", b"[", b"\xff", b'{"a": {"b": 3}}', b"[" * 100_000])
def test_a_damaged_record_of_posts_is_ignored(tmp_path, content):
    """It only prevents posting the same text again."""
    (tmp_path / POSTED).write_bytes(content)
    assert Outbox(tmp_path).sent_posts() == {}


def test_the_record_of_posts_is_limited(tmp_path):
    """The events whose last post is oldest are removed."""
    outbox, address = Outbox(tmp_path), PostAddress("https://hooks.example.org/x")
    for number in range(60):
        outbox.note(address, f"event {number}", "pairings 1", Sent("", 1))
    kept = outbox.sent_posts()[address.key]
    assert (len(kept), "event 59" in kept, "event 9" in kept) == (50, True, False)


def test_a_command_is_run_without_a_shell(tmp_path, capfd):
    """Words are not split again, output goes to stderr, and the exit code is returned."""
    assert run(["sh", "-c", 'echo "$0 $TOURNEY_PUBLISHED"; exit 7', "a; b"], tmp_path) == 7
    assert capfd.readouterr() == ("", f"a; b {tmp_path}\n")
    with pytest.raises(TourneyError, match="`no-such-command` cannot be run: there is no such file"):
        run(["no-such-command"], tmp_path)
