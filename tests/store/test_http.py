"""Fetching a file from servers that misbehave in many ways."""

import gzip
import os
import time

import pytest

from tests.kit import with_rows
from tests.store.web import Server, certificate, head, tagged, text, zipped
from tourney.errors import TourneyError
from tourney.store.http import Http, Limits, NoSuchFile, Unreachable


class Pauses(list):
    """A sleep that only records its duration."""

    __call__ = list.append


def client(*, insecure=True, sleep=None, **limits):
    limits = {"deadline": 10.0, "silence": 2.0, "bytes_": 200_000, **limits}
    return Http(insecure=insecure, limits=Limits(**limits), sleep=Pauses() if sleep is None else sleep)


def always(*parts):
    def answer(_request):
        yield from parts

    return answer


def test_a_file_comes_with_its_etag_and_date(server):
    server.answers["/list"] = lambda _: text("[cards]\n", 'ETag: "1"', "Last-Modified: yesterday")
    reply = client().get(server.url("/list"))
    assert (reply.content, reply.etag, reply.modified) == (b"[cards]\n", '"1"', "yesterday")
    assert server.asked[0].headers["accept-encoding"] == "gzip"
    assert server.asked[0].headers["user-agent"].startswith("tourney/")


def test_a_file_that_has_not_changed_is_not_sent_again(server):
    """With the ETag, 304 keeps the old content, and other content comes completely."""
    server.answers["/list"] = tagged(["one", "one", "two"])
    first = client().get(server.url("/list"))
    tags = {"etag": first.etag, "modified": first.modified}
    second, third = (client().get(server.url("/list"), tags) for _ in range(2))
    assert (second.content, second.etag) == (None, first.etag)
    assert third.content == b"two"


@with_rows(
    ("url", "message"),
    [
        ("http://example.org/list", "only https addresses are fetched"),
        ("ftp://example.org/list", "is not a web address"),
        ("file:///etc/passwd", "is not a web address"),
        ("example.org/list", "is not a web address"),
        ("https://", "is not a web address"),
        ("https://[::1/list", "is not a web address"),
        ("", "is not a web address"),
    ],
)
def test_only_https_addresses_are_fetched(url, message):
    """Other addresses are never requested."""
    with pytest.raises(TourneyError, match=message):
        client(insecure=False).get(url)


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
def test_a_redirect_to_http_is_refused(server, status):
    """Even with --insecure, which applies only to the address that the user gave."""
    server.answers["/old"] = always(
        head(f"Location: {server.url('/new')}", "Content-Length: 0", status=status)
    )
    server.answers["/new"] = lambda _: text("secret")
    with pytest.raises(TourneyError, match=r"/new: only https addresses are redirected to$"):
        client().get(server.url("/old"))
    assert [request.path for request in server.asked] == ["/old"]


def test_a_redirect_to_another_scheme_is_refused(server):
    """A Location of another kind is not a file to read."""
    server.answers["/old"] = always(
        head("Location: file:///etc/passwd", "Content-Length: 0", status="302 Found")
    )
    with pytest.raises(TourneyError, match="`file:///etc/passwd` is not a web address"):
        client().get(server.url("/old"))


def test_a_failing_server_is_asked_again_after_growing_pauses(server):
    """500, 503, then the file: half a second, then a second."""
    statuses = ["500 Oops", "503 Busy"]

    def answer(request):
        yield from text(
            "[cards]\n" if request.before == 2 else "", status=(*statuses, "200 OK")[request.before]
        )

    server.answers["/list"] = answer
    pauses = Pauses()
    assert client(sleep=pauses).get(server.url("/list")).content == b"[cards]\n"
    assert pauses == [0.5, 1.0]


def test_a_server_that_keeps_failing_is_given_up(server):
    """After three tries, with the last answer in the error."""
    server.answers["/list"] = lambda _: text("", status="500 Oops")
    with pytest.raises(
        Unreachable, match=r"/list: the server answered 500 Internal Server Error \(3 tries\)$"
    ):
        client().get(server.url("/list"))
    assert len(server.asked) == 3


def test_retry_after_is_respected_within_the_deadline(server):
    """An hour is not waited for."""

    def answer(wait):
        return lambda request: text(
            "", f"Retry-After: {wait}", status="429 Slow down" if not request.before else "200 OK"
        )

    pauses = Pauses()
    server.answers["/soon"], server.answers["/late"] = answer(7), answer(3600)
    client(sleep=pauses).get(server.url("/soon"))
    with pytest.raises(Unreachable, match=r"429 Too Many Requests and asks to wait for 3600 s \(one try\)$"):
        client(sleep=pauses).get(server.url("/late"))
    assert pauses == [7.0]


@pytest.mark.parametrize(
    ("wait", "is_kept"),
    [("Sun, 06 Nov 2044 08:49:37 GMT", True), ("9" * 30, True), ("x", False), ("-3", False)],
)
def test_retry_after_may_be_a_date_and_nonsense_is_ignored(server, wait, is_kept):
    """RFC 9110, 10.2.3: seconds or a date."""
    server.answers["/list"] = lambda request: text(
        "", f"Retry-After: {wait}", status="503 Busy" if not request.before else "200 OK"
    )
    pauses = Pauses()
    if is_kept:
        with pytest.raises(
            Unreachable, match=r"503 Service Unavailable and asks to wait for \d+ s \(one try\)$"
        ):
            client(sleep=pauses).get(server.url("/list"))
    else:
        client(sleep=pauses).get(server.url("/list"))
        assert pauses == [0.5]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([head("Content-Type: text/plain", "Content-Length: 100"), b"[cards]"], id="by length"),
        pytest.param(
            [head("Content-Type: text/plain", "Transfer-Encoding: chunked"), b"7\r\n[cards]\r\n"],
            id="chunked",
        ),
        pytest.param(
            [head("Content-Type: text/plain", "Content-Encoding: gzip"), gzip.compress(b"[cards]" * 99)[:-9]],
            id="gzip",
        ),
    ],
)
def test_a_truncated_file_is_never_accepted(server, parts):
    """It is requested again, and given up after three tries."""
    server.answers["/list"] = always(*parts)
    with pytest.raises(Unreachable, match=r"cut off in the middle of the file \(3 tries\)$"):
        client().get(server.url("/list"))
    assert len(server.asked) == 3


def test_a_connection_that_breaks_once_is_retried(server):
    """The second try fetches the file from its start."""

    def answer(request):
        yield head("Content-Type: text/plain", "Content-Length: 8")
        yield b"[car" if request.before == 0 else b"[cards]\n"

    server.answers["/list"] = answer
    assert client().get(server.url("/list")).content == b"[cards]\n"


def test_a_server_that_stops_sending_is_given_up(server):
    """After a pause longer than the limit."""

    def answer(_request):
        yield head("Content-Type: text/plain", "Content-Length: 8")
        time.sleep(0.5)
        yield b"[cards]\n"

    server.answers["/list"] = answer
    with pytest.raises(
        Unreachable, match=r"the server sent nothing for 0\.1 seconds in the middle of the file \(2 tries\)$"
    ):
        client(silence=0.1, tries=2).get(server.url("/list"))


def test_a_server_that_never_answers_is_given_up(server):
    def answer(_request):
        time.sleep(0.5)
        yield b""

    server.answers["/list"] = answer
    with pytest.raises(Unreachable, match=r"no answer \(one try\)$"):
        client(silence=0.1, tries=1).get(server.url("/list"))


@pytest.mark.parametrize("where", ["headers", "body"])
def test_a_server_that_sends_very_slowly_is_given_up(server, where):
    """Single bytes are not silence, so the total time limit ends the request, even in the headers."""

    def answer(_request):
        if where == "body":
            yield head("Content-Type: text/plain")
        else:
            yield b"HTTP/1.1 200 OK\r\nX-Slow: "
        while True:
            time.sleep(0.02)
            yield b"x"

    server.answers["/list"] = answer
    with pytest.raises(Unreachable, match=r"not finished after 0\.4 seconds$"):
        client(deadline=0.4).get(server.url("/list"))


def test_an_endless_answer_is_refused_at_the_limit(server):
    """It is not requested again."""
    sent = []

    def answer(_request):
        yield head("Content-Type: text/plain")
        while True:
            sent.append(1)
            yield b"x" * 10_000

    server.answers["/list"] = answer
    with pytest.raises(TourneyError, match="larger than the limit of 195 KiB") as refusal:
        client().get(server.url("/list"))
    assert not isinstance(refusal.value, Unreachable)
    assert len(server.asked) == 1
    assert len(sent) < 2_000


@pytest.mark.parametrize("digits", [11, 5_000])
def test_a_file_with_a_too_large_length_is_not_read(server, digits):
    """The header is enough."""
    server.answers["/list"] = always(head("Content-Type: text/plain", f"Content-Length: {'9' * digits}"))
    with pytest.raises(TourneyError, match="larger than"):
        client().get(server.url("/list"))


def test_a_gzip_bomb_is_refused_early(server):
    """A hundred megabytes of zeros in a hundred kilobytes."""
    bomb = list(zipped(bytes(100_000_000)))
    server.answers["/list"] = lambda _: bomb
    with pytest.raises(TourneyError, match="larger than the limit of 195 KiB"):
        client().get(server.url("/list"))


def test_only_gzip_is_decoded(server):
    """Other encodings, and content that is not really gzip, are refused."""
    server.answers["/gzip"] = lambda _: zipped(b"[cards]\n")
    server.answers["/br"] = lambda _: text("x", "Content-Encoding: br")
    server.answers["/liar"] = lambda _: text("[cards]\n", "Content-Encoding: gzip")
    assert client().get(server.url("/gzip")).content == b"[cards]\n"
    with pytest.raises(TourneyError, match="sent as `br`, which was not requested"):
        client().get(server.url("/br"))
    with pytest.raises(TourneyError, match="sent as gzip, but it is not gzip data"):
        client().get(server.url("/liar"))


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("text/html; charset=utf-8", "<p>Log in", "sent a web page, not a file of data"),
        ("text/plain", "\n <!DOCTYPE HTML><title>404", "sent a web page, not a file of data"),
        ("application/octet-stream", "<html>", "sent a web page, not a file of data"),
    ],
)
def test_an_answer_that_is_not_data_is_refused(server, kind, content, message):
    """Such as a login page with the content type of data."""
    server.answers["/list"] = lambda _: text(content, kind=kind)
    with pytest.raises(TourneyError, match=message):
        client().get(server.url("/list"))


@pytest.mark.parametrize(
    "kind", ["application/toml", "text/plain", "application/json", "text/csv", "application/x-ndjson"]
)
def test_data_is_accepted_with_several_content_types(server, kind):
    """The kinds under which such files are served."""
    server.answers["/list"] = lambda _: text("[cards]\n", kind=kind)
    assert client().get(server.url("/list")).content == b"[cards]\n"


def test_permanent_errors_are_not_retried(server):
    """404 and 403. A 304 without an ETag in the request is an error."""
    server.answers["/secret"] = lambda _: text("", status="403 Forbidden")
    server.answers["/odd"] = always(head(status="304 Not Modified"))
    with pytest.raises(NoSuchFile, match=r"there is no such file \(404\)$"):
        client().get(server.url("/none"))
    with pytest.raises(TourneyError, match="the server answered 403 Forbidden"):
        client().get(server.url("/secret"))
    with pytest.raises(TourneyError, match="the server answered 304"):
        client().get(server.url("/odd"))
    assert len(server.asked) == 3


def test_a_closed_port_is_tried_three_times():
    """A closed port: after three attempts, the error says that there is no connection."""
    server = Server()
    server.stop()
    pauses = Pauses()
    with pytest.raises(Unreachable, match=r"the connection was refused \(3 tries\)$"):
        client(sleep=pauses).get(server.url("/list"))
    assert pauses == [0.5, 1.0]


# -- with certificates


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    """A server with a certificate, and the certificate."""
    made = certificate(tmp_path_factory.mktemp("certificate"))
    if made is None:
        pytest.skip("openssl is not installed: no certificate for a local https server")
    server = Server(tls=made[0])
    yield server, made[1]
    server.stop()


def trusting(monkeypatch, cert):
    """Trust the certificate, as an administrator would."""
    monkeypatch.setitem(os.environ, "REQUESTS_CA_BUNDLE", str(cert))


def test_an_untrusted_certificate_is_refused(secure):
    """Unless --insecure is given."""
    server, _ = secure
    server.answers["/list"] = lambda _: text("[cards]\n")
    with pytest.raises(TourneyError, match="its certificate is not valid"):
        client(insecure=False).get(server.url("/list"))
    assert client(insecure=True).get(server.url("/list")).content == b"[cards]\n"


def test_redirects_within_https_are_followed_up_to_a_limit(secure, monkeypatch):
    """Relative and absolute; a circle ends."""
    server, cert = secure
    trusting(monkeypatch, cert)
    server.answers["/a"] = always(head("Location: b", "Content-Length: 0", status="302 Found"))
    server.answers["/b"] = always(
        head(f"Location: {server.url('/list')}", "Content-Length: 0", status="308 Moved")
    )
    server.answers["/list"] = lambda _: text("[cards]\n")
    server.answers["/round"] = always(head("Location: /round", "Content-Length: 0", status="302 Found"))
    reply = client(insecure=False).get(server.url("/a"))
    assert (reply.content, reply.url) == (b"[cards]\n", server.url("/list"))
    with pytest.raises(TourneyError, match="more than 5 redirects"):
        client(insecure=False).get(server.url("/round"))


def test_a_redirect_from_https_to_http_is_refused(secure, server, monkeypatch):
    """Even if the first address is secure."""
    safe, cert = secure
    trusting(monkeypatch, cert)
    safe.answers["/down"] = always(
        head(f"Location: {server.url('/list')}", "Content-Length: 0", status="302 Found")
    )
    server.answers["/list"] = lambda _: text("[cards]\n")
    with pytest.raises(TourneyError, match="only https addresses are redirected to"):
        client(insecure=False).get(safe.url("/down"))
    assert server.asked == []


# -- several members, logins, one limit for several files


def test_every_member_of_a_gzip_file_is_read(server):
    """RFC 1952: a file may have several members.

    Zeros after them are padding, other data is an error.
    """
    whole = gzip.compress(b"one\n") + gzip.compress(b"two\n") + bytes(5)
    for name, body in {"/two": whole, "/bad": gzip.compress(b"one\n") + b"garbage"}.items():
        server.answers[name] = always(head("Content-Type: text/plain", "Content-Encoding: gzip"), body)
    # One byte at a time: a member may end anywhere.
    single = [whole[at : at + 1] for at in range(len(whole))]
    server.answers["/drip"] = always(head("Content-Type: text/plain", "Content-Encoding: gzip"), *single)
    assert client().get(server.url("/two")).content == b"one\ntwo\n"
    assert client().get(server.url("/drip")).content == b"one\ntwo\n"
    with pytest.raises(TourneyError, match="sent as gzip, but it is not gzip data"):
        client().get(server.url("/bad"))


def test_many_small_gzip_members_have_one_limit(server):
    """The limit is for the whole file."""
    bomb = b"".join(gzip.compress(bytes(50_000)) for _ in range(10))
    server.answers["/bomb"] = always(head("Content-Type: text/plain", "Content-Encoding: gzip"), bomb)
    with pytest.raises(TourneyError, match="larger than"):
        client().get(server.url("/bomb"))


def test_a_password_in_the_address_is_sent_only_to_its_host(server):
    """Not to the target of a redirect. No reply and no message contains it."""
    elsewhere = Server()
    elsewhere.answers["/list"] = lambda _: text("[cards]\n")
    server.answers["/list"] = lambda _: text("[cards]\n")
    server.answers["/away"] = always(head(f"Location: {elsewhere.url('/list')}", status="302 Found"))
    address = server.url("/list").replace("//", "//mira:pass%20word@")
    try:
        reply = client().get(address)
        assert server.asked[0].headers["authorization"] == "Basic bWlyYTpwYXNzIHdvcmQ="
        assert reply.url == server.url("/list")
        away = address.replace("/list", "/away")
        # A redirect must lead to https, so both ends of this one are asked as the redirect's own target
        # would be.
        with pytest.raises(TourneyError) as refusal:
            client().get(away)
        assert "pass" not in refusal.value.message
        assert all("authorization" not in request.headers for request in elsewhere.asked)
    finally:
        elsewhere.stop()
    with pytest.raises(TourneyError) as refusal:
        client().get("https://mira:secret@/list")
    assert "secret" not in refusal.value.message


@pytest.mark.parametrize("target", ["https://[::1", "https://exa mple:port/x", "//[x"])
def test_a_redirect_to_an_invalid_address_is_refused(server, target):
    """The error names it, and the address that sent it."""
    server.answers["/list"] = always(
        head(status="302 Found")[:-4] + f"\r\nLocation: {target}\r\n\r\n".encode()
    )
    with pytest.raises(TourneyError, match="is not a web address"):
        client().get(server.url("/list"))


def test_files_fetched_together_share_one_limit(server):
    """Ten files of half the limit are not all fetched."""
    server.answers["/half"] = lambda _: text("x" * 120_000)
    together = client().together()
    together.get(server.url("/half"))
    with pytest.raises(TourneyError, match="larger than"):
        together.get(server.url("/half"))
    now = [0.0]
    slow = Http(insecure=True, limits=Limits(deadline=10), clock=lambda: now[0]).together()
    now[0] = 11.0
    with pytest.raises(Unreachable, match="not finished"):
        slow.get(server.url("/half"))
