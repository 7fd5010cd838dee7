"""Fetch a file over HTTP, or post JSON; the server may be slow or hostile.

Only https addresses are used unless `insecure` is set, and redirects must always lead to https. The number of
bytes after decompression is limited, and a single deadline covers all tries. After a transient fault, a
request is repeated, with growing pauses. The clock and the function that pauses are parameters.
"""

from __future__ import annotations

import re
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import partial
from gzip import BadGzipFile, GzipFile
from http import HTTPStatus
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote, urljoin, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from tourney import __version__
from tourney.decode import MAX_DIGITS
from tourney.errors import TourneyError, UnsettledError

if TYPE_CHECKING:  # requests is slow to import
    import requests

T = TypeVar("T")


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of a fetch or a post.

    bytes_:    the maximum size of the file after decompression, in bytes
    deadline:  the maximum time for all tries, redirects and pauses together, in seconds
    silence:   the time without a byte after which a try ends, in seconds
    tries:     the maximum number of times that a request is made
    redirects: the maximum number of redirects that are followed
    pause:     the time before the second try, in seconds; doubled before each further try
    """

    bytes_: int = 32 * 1024 * 1024
    deadline: float = 60.0
    silence: float = 10.0
    tries: int = 3
    redirects: int = 5
    pause: float = 0.5


LIMITS = Limits()
"""The default limits."""

LONGEST_HEADER = 40
"""The maximum number of characters that are read of a Retry-After header. A date has 29."""

LONGEST_WAIT = 1e10
"""The longest wait in seconds that a server can ask for. A longer wait is shortened to this."""


class Reply(Struct, frozen=True):
    """A fetched file.

    url:            the address from which the file came, without a login
    content:        the content of the file; None if the server answered that our copy is still current (304)
    etag, modified: headers to send with the next request, so that the server can answer 304
    """

    url: str
    content: bytes | None
    etag: str | None = None
    modified: str | None = None


class Unreachable(TourneyError):  # noqa: N818 - a refusal, named by what happened
    """The server gave no usable answer in several tries. The caller can use a cached file."""


class NoSuchFile(TourneyError):  # noqa: N818 - a refusal, named by what happened
    """The server answered that it has no such file (404)."""


class TransientError(Exception):
    """A fault that may be temporary: no answer, a broken connection, a status 5xx.

    wait: the number of seconds that the server asks us to wait
    """

    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait


class Budget(Struct):
    """What is left of the limits that several files share.

    bytes_: the number of bytes that may still be fetched
    end:    the clock's time at the deadline
    """

    bytes_: int
    end: float


class Http(Struct, frozen=True, kw_only=True):
    """An HTTP client with limits of time and size.

    insecure:     whether to allow http addresses, and https without a valid certificate
    budget:       the limits that several files share (see `together`); None if each file has its own limits
    clock, sleep: a monotonic clock in seconds, and a function that pauses; tests pass their own
    """

    insecure: bool = False
    limits: Limits = LIMITS
    budget: Budget | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def together(self) -> Http:
        """Return a client that fetches several files within one shared limit of bytes and time."""
        return replace(self, budget=Budget(self.limits.bytes_, self.clock() + self.limits.deadline))

    def get(self, url: str, validators: Mapping[str, str | None] = MappingProxyType({})) -> Reply:
        """Fetch `url`.

        url: the address. A name and password in it (`https://name:word@host/…`) are sent to that host only,
             and are never returned, shown or stored
        validators: `etag` and `modified` of our copy, so that the server can answer that the copy is current

        Raises Unreachable if there is no answer. Raises TourneyError for an answer that is not accepted: a
        redirect that leaves https, too many bytes, a web page instead of data, an encoding that was not
        requested.
        """
        self._check(url, "fetched")
        call = _Call(self, url, public_address(url))
        reply = call.run(partial(call.fetch, validators), Unreachable)
        if self.budget is not None:
            self.budget.bytes_ -= len(reply.content or b"")
        return reply

    def post(self, url: str, body: bytes) -> float:
        """Post JSON to `url`, and return the number of seconds to wait before the next post.

        The path of `url` may be a secret, so errors name only the host. The body of the answer is not read,
        and redirects are not followed. The post is repeated only if it cannot have arrived, or if the status
        of the answer is transient (429, 5xx).

        Raises UnsettledError if it is unknown whether the post arrived, Unreachable if it did not arrive, and
        TourneyError if the server refuses it.
        """
        self.check_address(url)
        call = _Call(self, url, address_origin(url))
        return call.run(partial(call.deliver, body), call.unsettled_error)

    def check_address(self, url: str) -> None:
        """Raise TourneyError if nothing can be posted to this address."""
        self._check(url, "posted to")

    def _check(self, url: str, verb: str) -> None:
        try:
            parts = urlsplit(url)
            host = parts.hostname
            parts.port, url.encode()
        except ValueError:
            host = None
        url = address_origin(url) if verb == "posted to" else public_address(url)
        if not host or parts.scheme not in {"https", "http"}:
            raise TourneyError(f"`{url}` is not a web address", "an address starts with https://")
        if parts.scheme == "http" and not (self.insecure and verb != "redirected to"):
            hint = "ask for its https address" + ("" if self.insecure else ", or add --insecure")
            raise TourneyError(f"{url}: only https addresses are {verb}", hint)


class _Call:
    """A call of `Http.get` or `Http.post`, with all its tries.

    url:     the address without a login
    label:   the address as messages show it
    seconds: the time for all tries
    end:     the clock's time at the deadline
    """

    def __init__(self, http: Http, url: str, label: str) -> None:
        parts = urlsplit(url)
        self.http, self.label = http, label
        self.url = public_address(url)
        self.login = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        now, budget = http.clock(), http.budget
        self.seconds = http.limits.deadline if budget is None else budget.end - now
        self.end = now + self.seconds

    def run(self, action: Callable[[], T], timeout_error: Callable[[str], TourneyError]) -> T:
        """Run `action`, again after transient faults, and return its result.

        timeout_error: returns the error to raise if the action does not finish before the deadline
        """
        not_finished = f"{self.label}: not finished after {self.http.limits.deadline:g} seconds"
        if self.seconds <= 0:
            raise Unreachable(not_finished)
        answer: Future[T] = Future()

        def work() -> None:
            try:
                answer.set_result(self._with_tries(action))
            except BaseException as fault:  # noqa: BLE001 - raised again in the caller's thread
                answer.set_exception(fault)

        # A read that gets a byte each second does not time out. At the deadline, its thread is abandoned; it
        # is a daemon, so it does not keep the process alive.
        threading.Thread(target=work, daemon=True, name="fetch").start()
        wait([answer], timeout=self.seconds)
        if not answer.done():
            raise timeout_error(not_finished)
        return answer.result()

    def _with_tries(self, action: Callable[[], T]) -> T:
        # urllib3's Retry is not used, because it does not repeat a request whose body was cut off after the
        # headers, and does not have a deadline for all tries and pauses together.
        pause = self.http.limits.pause
        for attempt in range(1, self.http.limits.tries + 1):
            try:
                return action()
            except TransientError as fault:
                seconds = max(pause, fault.wait)
                if attempt == self.http.limits.tries or self.http.clock() + seconds > self.end:
                    tries = "one try" if attempt == 1 else f"{attempt} tries"
                    raise Unreachable(f"{self.label}: {fault} ({tries})") from None
                self.http.sleep(seconds)
                pause *= 2
        raise AssertionError("the last try returns or raises")

    def unsettled_error(self, message: str) -> TourneyError:
        """Return the error for a post that may have arrived."""
        return UnsettledError(f"{message}: it may have been posted, or not")

    def _request(
        self, url: str, label: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> requests.Response:
        """Send one request, and return the response without reading its body.

        body: the content to post; None to get a file
        """
        import requests  # slow to import
        import urllib3

        def log_in(request: requests.PreparedRequest) -> requests.PreparedRequest:
            # The login is sent only to the host of the address. A login from ~/.netrc is never sent.
            same_host = urlsplit(url).netloc == urlsplit(self.url).netloc
            return requests.auth.HTTPBasicAuth(*self.login)(request) if self.login and same_host else request

        if self.http.insecure:
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        session = requests.Session()
        # requests parses the target of a redirect even if it does not follow the redirect.
        session.get_redirect_target = lambda _: None  # type: ignore[method-assign,assignment]
        try:
            return session.request(
                "GET" if body is None else "POST",
                url,
                headers={"User-Agent": f"tourney/{__version__}", "Accept-Encoding": "gzip", **headers},
                data=body,
                auth=log_in,
                timeout=self.http.limits.silence,
                allow_redirects=False,
                stream=True,
                verify=not self.http.insecure,  # not on the session: the environment would override its False
            )
        except (requests.exceptions.RequestException, ValueError) as fault:
            raise self._request_error(fault, label, is_post=body is not None) from None

    def _request_error(self, fault: Exception, label: str, *, is_post: bool) -> Exception:
        """Return the error to raise for a request that failed."""
        from requests import exceptions  # slow to import

        if isinstance(fault, exceptions.SSLError):
            invalid = "CERTIFICATE_VERIFY" in str(fault)
            problem = "its certificate is not valid" if invalid else "no secure connection could be made"
            return TourneyError(f"{label}: {problem}", "is this the right address?")
        if isinstance(fault, exceptions.ConnectTimeout):
            return TransientError("no answer")
        if isinstance(fault, exceptions.ConnectionError):
            if is_post and not _was_never_sent(fault):
                return self.unsettled_error(f"{label}: the connection broke before an answer came")
            return TransientError(_connection_fault(fault))
        if isinstance(fault, exceptions.Timeout):
            silence = f"no answer in {self.http.limits.silence:g} seconds"
            return self.unsettled_error(f"{label}: {silence}") if is_post else TransientError("no answer")
        # The fault's own text may quote a secret address, so it is left out.
        return TourneyError(f"{label}: this web address cannot be used")

    def fetch(self, validators: Mapping[str, str | None]) -> Reply:
        """Fetch the file, following redirects."""
        url = self.url
        conditions = {
            "If-None-Match": validators.get("etag"),
            "If-Modified-Since": validators.get("modified"),
        }
        headers = {name: value for name, value in conditions.items() if value}
        for _ in range(self.http.limits.redirects + 1):
            with self._request(url, url, headers) as response:
                target = response.headers.get("Location")
                if target is None or response.status_code not in {301, 302, 303, 307, 308}:
                    return self._read(response, url, validators)
            with suppress(ValueError):
                target = urljoin(url, target)
            self.http._check(target, "redirected to")  # noqa: SLF001 - one unit
            url = public_address(target)
        raise TourneyError(f"{self.url}: more than {self.http.limits.redirects} redirects")

    def _read(self, response: requests.Response, url: str, validators: Mapping[str, str | None]) -> Reply:
        status, headers = response.status_code, response.headers
        if status == 304 and any(validators.values()):
            return Reply(url, None, validators.get("etag"), validators.get("modified"))
        _raise_transient(status, headers)
        if status in {404, 410}:
            raise NoSuchFile(f"{url}: there is no such file ({status})")
        if status != 200:
            raise TourneyError(f"{url}: the server answered {_status_words(status)}")
        budget = self.http.budget
        limit = self.http.limits.bytes_ if budget is None else max(0, budget.bytes_)
        length = headers.get("Content-Length", "")[:MAX_DIGITS]
        if length.isdecimal() and int(length) > limit:
            raise _too_large(url, limit)
        content = decompress(
            url, headers.get("Content-Encoding", ""), self._body(response, url, limit), limit
        )
        refuse_page(url, headers.get("Content-Type", ""), content)
        return Reply(url, content, headers.get("ETag"), headers.get("Last-Modified"))

    def _body(self, response: requests.Response, url: str, limit: int) -> bytes:
        """Return the body as it was sent, perhaps compressed.

        Raises TourneyError if the body has more than `limit` bytes.
        """
        import urllib3  # slow to import

        body = bytearray()
        try:
            while part := response.raw.read(16 * 1024, decode_content=False):
                body += part
                if len(body) > limit:
                    raise _too_large(url, limit)
                if self.http.clock() > self.end:
                    break  # the caller no longer waits
        except urllib3.exceptions.ReadTimeoutError:
            silence = (
                f"the server sent nothing for {self.http.limits.silence:g} seconds in the middle of the file"
            )
            raise TransientError(silence) from None
        except (urllib3.exceptions.HTTPError, OSError):
            raise TransientError(_CUT_OFF) from None
        return bytes(body)

    def deliver(self, body: bytes) -> float:
        """Post the body, and return the number of seconds to wait before the next post."""
        with self._request(self.url, self.label, {"Content-Type": "application/json"}, body) as response:
            status, headers = response.status_code, response.headers
            _raise_transient(status, headers)
            if not 200 <= status < 300:
                raise TourneyError(
                    f"{self.label}: the server refused the post: {_status_words(status)}",
                    "if the address has changed, `tourney publish --remember NAME -` keeps the new one",
                )
            # Discord states in this header how long to wait.
            pause = _seconds(headers.get("X-RateLimit-Reset-After", ""))
            return pause if pause and _seconds(headers.get("X-RateLimit-Remaining", "")) == 0 else 0.0


def _was_never_sent(fault: Exception) -> bool:
    """Return whether no connection was made, so that nothing can have arrived."""
    import urllib3  # slow to import

    inner = fault.args[0] if fault.args else None
    reason = getattr(inner, "reason", inner)
    return isinstance(reason, (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ProxyError))


def _connection_fault(fault: Exception) -> str:
    message = str(fault)
    if "NameResolution" in message or "getaddrinfo" in message:
        return "there is no such host, or no network"
    if "refused" in message:
        return "the connection was refused"
    return "no connection"


# -- addresses


def address_origin(url: str) -> str:
    """Return the scheme and the host of an address, for messages.

    The rest of the address can be a secret, as in a webhook.

    >>> address_origin("https://discord.com/api/webhooks/123/abc")
    'https://discord.com/…'
    """
    parts = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/?#]*@)?([^/?#@]*)", public_address(url))
    if parts is None:
        return "the address"
    return f"{parts[1]}://{parts[2]}/…" if parts[1].lower() in {"http", "https"} else f"{parts[1]}://…"


def public_address(url: str) -> str:
    """Return an address without its name and password, so that it can be shown and stored.

    >>> public_address("https://mira:secret@lists.example.org/a.toml")
    'https://lists.example.org/a.toml'
    """
    return re.sub(r"//[^/?#]*@", "//", url, count=1)


# -- headers


def _status_words(status: int) -> str:
    """Return an HTTP status with its standard phrase, `404 Not Found`.

    The server's own phrase is not used, because it could quote the address.
    """
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _raise_transient(status: int, headers: Mapping[str, str]) -> None:
    """Raise TransientError if a status is transient (5xx, 408, 429).

    The error contains the wait that the server asks for.
    """
    if status >= 500 or status in {408, 429}:
        seconds = _requested_wait(headers)
        request = f" and asks to wait for {seconds:.0f} s" if seconds >= 1 else ""
        raise TransientError(f"the server answered {_status_words(status)}{request}", seconds)


def _requested_wait(headers: Mapping[str, str]) -> float:
    """Return the wait in seconds that a Retry-After header asks for, as a number or a date.

    Returns 0 if the header is missing or unreadable.
    """
    value = headers.get("Retry-After", "")
    seconds = _seconds(value)
    with suppress(TypeError, ValueError, OverflowError):
        # Not urllib3's parser, which cuts every wait to six hours.
        date = value[:LONGEST_HEADER].strip()
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time()) if seconds is None else seconds
    return 0.0


def _seconds(value: str) -> float | None:
    """Return the number of seconds in a header; None if the header is not a number.

    Fractions are not in the standard, but some servers send them.
    """
    value = value[:LONGEST_HEADER].strip()
    is_number = re.fullmatch(r"[0-9]+(\.[0-9]+)?", value)
    return min(float(value), LONGEST_WAIT) if is_number else None


# -- checks of the answer: that it is data, complete, and small enough

_CUT_OFF = "cut off in the middle of the file"


def refuse_page(url: str, kind: str, content: bytes) -> None:
    """Raise TourneyError if the content is a web page, even if it was sent as plain text.

    kind: the Content-Type that the server stated
    """
    if "html" in kind.lower() or content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise TourneyError(
            f"{url}: sent a web page, not a file of data", "is this the address of the file itself?"
        )


def _too_large(url: str, limit: int) -> TourneyError:
    """Return the error for a file that is larger than `limit` bytes."""
    return TourneyError(f"{url}: larger than the limit of {limit // 1024:,} KiB")


def decompress(url: str, encoding: str, body: bytes, limit: int) -> bytes:
    """Return the decompressed content of a response's body.

    A body that is not compressed is returned unchanged, and its size is not checked.

    encoding: the Content-Encoding that the server stated
    limit:    the maximum number of bytes after decompression

    Raises TransientError if the compressed body is cut off. Raises TourneyError if its content is larger than
    `limit`, or if it is not in gzip format.
    """
    word = encoding.strip().lower()
    if word in {"", "identity"}:
        return body
    if word not in {"gzip", "x-gzip"}:
        raise TourneyError(f"{url}: sent as `{word}`, which was not requested")
    try:
        content = GzipFile(fileobj=BytesIO(body)).read(limit + 1)
    except EOFError:
        raise TransientError(_CUT_OFF) from None
    except (BadGzipFile, zlib.error):
        raise TourneyError(f"{url}: sent as gzip, but it is not gzip data") from None
    if len(content) > limit:
        raise _too_large(url, limit)
    return content
