"""Fetch a file over HTTP, or post one, on the assumption that the other side is slow, broken or hostile.

https only (unless allowed otherwise), redirects to https only, a limit on bytes after decompression, one deadline over
everything, and new tries after growing pauses for faults that may pass. The clock and the pauses are parameters.
"""

from __future__ import annotations

import re
import threading
import time
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from functools import partial
from gzip import BadGzipFile, GzipFile
from http import HTTPStatus
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urljoin, urlsplit

from tourney import __version__
from tourney.decode import MAX_DIGITS
from tourney.errors import TourneyError, UnsettledError

if TYPE_CHECKING:  # requests is slow to import
    import requests

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a fetch or a post.

    bytes_:   size of the file after decompression
    deadline: seconds for everything together: all tries, all redirects, all pauses
    silence:  seconds without a byte before a try is given up
    tries:    how often a request is made
    redirects: how many of them are followed
    pause:    seconds before the second try; doubled before each further one
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
"""Letters of a Retry-After that are read: a date has 29."""

LONGEST_WAIT = 1e10
"""Seconds; a server that asks for more gets this."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A fetched file.

    content: the file; None if the server says that our copy is still current (304)
    etag, modified: what to send next time for such an answer
    """

    url: str
    content: bytes | None
    etag: str | None = None
    modified: str | None = None


class Unreachable(TourneyError):  # noqa: N818 - a refusal, named by what happened
    """The server gave no sensible answer in several tries: a cached file may serve."""


class NoSuchFile(TourneyError):  # noqa: N818 - a refusal, named by what happened
    """The server answered that it has no such file (404)."""


class TransientError(Exception):
    """A fault that may pass: no answer, cut off, 5xx. wait: seconds that the server asks us to wait."""

    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.message = message
        self.wait = wait


@dataclass(slots=True)
class Budget:
    """What is left of the limits for several files: bytes, and the time of the clock when it ends."""

    bytes_: int
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """A client with limits.

    insecure: allow http addresses, and https without a valid certificate
    budget:   shared limits of several files; None: each has the limits for itself (see `together`)
    clock, sleep: seconds that only go up, and pausing; tests pass their own
    """

    insecure: bool = False
    limits: Limits = LIMITS
    budget: Budget | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def together(self) -> Http:
        """Return a client that fetches several files under one limit of bytes and time."""
        return replace(self, budget=Budget(self.limits.bytes_, self.clock() + self.limits.deadline))

    def get(self, url: str, known: Mapping[str, str | None] = MappingProxyType({})) -> Reply:
        """Fetch `url`.

        url:   a name and password in it (`https://name:word@host/…`) are sent to that host, and are neither returned nor
               shown nor stored
        known: `etag` and `modified` of our copy; the server may then answer that it has not changed

        Raises Unreachable if there is no answer, TourneyError for a refused answer: a redirect that leaves
        https, too many bytes, a web page instead of data, an encoding that was not requested.
        """
        self._check(url, "fetched")
        call = _Call(self, url, public_address(url))
        reply = call.run(partial(call.fetch, known), Unreachable)
        if self.budget is not None:
            self.budget.bytes_ -= len(reply.content or b"")
        return reply

    def post(self, url: str, body: bytes) -> float:
        """Post JSON to `url`, whose path may be a secret: errors name only the host.

        The server's answer is not read, and redirects are not followed. It is tried again only if it cannot have arrived, or
        if the server asks for that (429, 5xx).

        Return for how many seconds the server wants no more posts. Raises UnsettledError if it is not known whether it
        arrived, Unreachable if it did not, TourneyError if the server refuses it.
        """
        self.check_address(url)
        call = _Call(self, url, address_origin(url))
        return call.run(partial(call.deliver, body), call.unsettled)

    def check_address(self, url: str) -> None:
        """Raise TourneyError for an address that cannot be posted to."""
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
    """One call of `Http`: all its tries together.

    url:     without a login; label: the address in messages
    seconds: the time for all of it; end: the time of the clock when it ends
    """

    def __init__(self, http: Http, url: str, label: str) -> None:
        parts = urlsplit(url)
        self.http, self.label = http, label
        self.url = public_address(url)
        self.login = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        now, budget = http.clock(), http.budget
        self.seconds = http.limits.deadline if budget is None else budget.end - now
        self.end = now + self.seconds

    def run(self, action: Callable[[], T], late: Callable[[str], TourneyError]) -> T:
        """Run and repeat `action` until the deadline; `late` makes the refusal if it does not end in time."""
        not_finished = f"{self.label}: not finished after {self.http.limits.deadline:g} seconds"
        if self.seconds <= 0:
            raise Unreachable(not_finished)
        answer: Future[T] = Future()

        def work() -> None:
            try:
                answer.set_result(self._with_tries(action))
            except BaseException as fault:  # noqa: BLE001 - raised again in the caller's thread
                answer.set_exception(fault)

        # A read that drips one byte a second never times out. The thread is a daemon and is left behind then.
        threading.Thread(target=work, daemon=True, name="fetch").start()
        wait([answer], timeout=self.seconds)
        if not answer.done():
            raise late(not_finished)
        return answer.result()

    def _with_tries(self, action: Callable[[], T]) -> T:
        # Not urllib3's Retry under the session: it does not ask again for a body that was cut off after its headers, and
        # has no deadline over all tries and pauses.
        pause = self.http.limits.pause
        for attempt in range(1, self.http.limits.tries + 1):
            try:
                return action()
            except TransientError as fault:
                seconds = max(pause, fault.wait)
                if attempt == self.http.limits.tries or self.http.clock() + seconds > self.end:
                    tries = "one try" if attempt == 1 else f"{attempt} tries"
                    raise Unreachable(f"{self.label}: {fault.message} ({tries})") from None
                self.http.sleep(seconds)
                pause *= 2
        raise AssertionError("the last try returns or raises")

    def unsettled(self, message: str) -> TourneyError:
        """Return the refusal of a post that may have arrived."""
        return UnsettledError(f"{message}: it may have been posted, or not")

    def _session(self) -> requests.Session:
        import requests  # slow to import

        session = requests.Session()
        # requests reads the address of a redirect even if it does not follow it.
        session.get_redirect_target = lambda _: None  # type: ignore[method-assign,assignment]
        return session

    def _request(
        self,
        session: requests.Session,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
    ) -> requests.Response:
        """Send one request and return the response, whose body is not read yet."""
        from requests.auth import HTTPBasicAuth  # slow to import

        def log_in(request: requests.PreparedRequest) -> requests.PreparedRequest:
            # To the host of the address and to no other; and never a login from ~/.netrc.
            same_host = urlsplit(url).netloc == urlsplit(self.url).netloc
            return HTTPBasicAuth(*self.login)(request) if self.login and same_host else request

        with _no_certificate_warnings(self.http.insecure):
            return session.request(
                method,
                url,
                headers={"User-Agent": f"tourney/{__version__}", "Accept-Encoding": "gzip", **headers},
                data=body,
                auth=log_in,
                timeout=self.http.limits.silence,
                allow_redirects=False,
                stream=True,
                verify=not self.http.insecure,  # here: the environment overrules a session's own False
            )

    # -- fetching

    def fetch(self, known: Mapping[str, str | None]) -> Reply:
        """Fetch the file, following redirects."""
        url = self.url
        with self._session() as session:
            for _ in range(self.http.limits.redirects + 1):
                with self._ask(session, url, known) as response:
                    target = _redirect_target(response)
                    if target is None:
                        return self._read(response, url, known)
                url = self._redirected(url, target)
        raise TourneyError(f"{self.url}: more than {self.http.limits.redirects} redirects")

    def _redirected(self, url: str, target: str) -> str:
        """Return the address that `url` redirects to. Raises TourneyError if it is none, or not https."""
        try:
            address = urljoin(url, target)
        except ValueError:
            raise TourneyError(f"{url}: redirected to `{target[:80]}`, which is not a web address") from None
        self.http._check(address, "redirected to")  # noqa: SLF001 - one unit
        return public_address(address)

    def _ask(self, session: requests.Session, url: str, known: Mapping[str, str | None]) -> requests.Response:
        import requests  # slow to import

        conditions = {"If-None-Match": known.get("etag"), "If-Modified-Since": known.get("modified")}
        try:
            return self._request(
                session, "GET", url, headers={name: value for name, value in conditions.items() if value}
            )
        except requests.exceptions.SSLError:
            raise TourneyError(f"{url}: its certificate is not valid", "is this the right address?") from None
        except requests.exceptions.Timeout:
            raise TransientError("no answer") from None
        except requests.exceptions.ConnectionError as fault:
            raise TransientError(_connection_fault(fault)) from None
        except (requests.exceptions.RequestException, ValueError) as fault:
            raise TourneyError(f"{url}: this web address cannot be asked: {fault}") from None

    def _read(self, response: requests.Response, url: str, known: Mapping[str, str | None]) -> Reply:
        status, headers = response.status_code, response.headers
        if status == 304 and any(known.values()):
            return Reply(url, None, known.get("etag"), known.get("modified"))
        _raise_transient(status, headers)
        if status in {404, 410}:
            raise NoSuchFile(f"{url}: there is no such file ({status})")
        if status != 200:
            raise TourneyError(f"{url}: the server answered {_status_words(status)}")
        check_type(url, headers.get("Content-Type", ""))
        budget = self.http.budget
        limit = self.http.limits.bytes_ if budget is None else max(0, budget.bytes_)
        length = headers.get("Content-Length", "")
        if length.isdecimal() and (len(length) > MAX_DIGITS or int(length) > limit):
            raise too_large(url, limit)
        content = uncompressed(url, headers.get("Content-Encoding", ""), self._parts(response), limit)
        check_page(url, content)
        return Reply(url, content, headers.get("ETag"), headers.get("Last-Modified"))

    def _parts(self, response: requests.Response) -> Iterator[bytes]:
        """Yield the body as it comes over the wire, still compressed."""
        import urllib3  # slow to import

        try:
            while part := response.raw.read(16 * 1024, decode_content=False):
                if self.http.clock() > self.end:
                    return
                yield part
        except urllib3.exceptions.ReadTimeoutError:
            raise TransientError(
                f"silent for {self.http.limits.silence:g} seconds in the middle of the file"
            ) from None
        except (urllib3.exceptions.HTTPError, OSError):
            raise TransientError(_CUT_OFF) from None

    # -- posting

    def deliver(self, body: bytes) -> float:
        """Post the body; return for how many seconds the server wants no more posts."""
        with self._session() as session, self._send(session, body) as response:
            status = response.status_code
            _raise_transient(status, response.headers)
            if 300 <= status < 400:
                raise TourneyError(
                    f"{self.label}: the server wants it elsewhere ({status}), and nothing was posted there",
                    "name the address that it redirects to",
                )
            if status in {401, 403, 404, 410}:
                raise TourneyError(
                    f"{self.label}: the server does not know this address ({_status_words(status)})",
                    "was the webhook deleted? `tourney publish --remember NAME -` keeps a new address",
                )
            if not 200 <= status < 300:
                raise TourneyError(f"{self.label}: the server refused it: {_status_words(status)}")
            return _requested_pause(response.headers)

    def _send(self, session: requests.Session, body: bytes) -> requests.Response:
        import requests  # slow to import

        try:
            return self._request(
                session, "POST", self.url, headers={"Content-Type": "application/json"}, body=body
            )
        except requests.exceptions.SSLError as fault:
            invalid = "CERTIFICATE_VERIFY" in str(fault)
            problem = "its certificate is not valid" if invalid else "no secure connection could be made"
            raise TourneyError(f"{self.label}: {problem}", "is this the right address?") from None
        except requests.exceptions.ConnectTimeout:
            raise TransientError("no answer") from None
        except requests.exceptions.ConnectionError as fault:
            if _was_never_sent(fault):
                raise TransientError(_connection_fault(fault)) from None
            raise self.unsettled(f"{self.label}: the connection broke before an answer came") from None
        except requests.exceptions.Timeout:
            message = f"{self.label}: no answer in {self.http.limits.silence:g} seconds"
            raise self.unsettled(message) from None
        except (requests.exceptions.RequestException, ValueError):
            # Without the text of the fault: it may quote the address.
            raise TourneyError(f"{self.label}: this web address cannot be posted to") from None


def _was_never_sent(fault: Exception) -> bool:
    """Return whether there was no connection at all, so that nothing can have arrived."""
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


def _no_certificate_warnings(insecure: bool) -> AbstractContextManager[Any]:
    """Keep urllib3 from warning about what `--insecure` asked for."""
    import urllib3  # slow to import

    if not insecure:
        return nullcontext()
    return warnings.catch_warnings(action="ignore", category=urllib3.exceptions.InsecureRequestWarning)


# -- addresses


def address_origin(url: str) -> str:
    """Return the scheme and host of an address, for messages: the rest can be a secret, as that of a webhook is.

    >>> address_origin("https://discord.com/api/webhooks/123/abc")
    'https://discord.com/…'
    """
    parts = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/?#]*@)?([^/?#@]*)", public_address(url))
    if parts is None:
        return "the address"
    return f"{parts[1]}://{parts[2]}/…" if parts[1].lower() in {"http", "https"} else f"{parts[1]}://…"


def public_address(url: str) -> str:
    """Return an address without the name and password in it, to be shown and stored.

    >>> public_address("https://mira:secret@lists.example.org/a.toml")
    'https://lists.example.org/a.toml'
    """
    return re.sub(r"//[^/?#]*@", "//", url, count=1)


# -- headers


def _status_words(status: int) -> str:
    """Return a status with its standard phrase: the server's own could quote the address."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _redirect_target(response: requests.Response) -> str | None:
    return response.headers.get("Location") if response.status_code in {301, 302, 303, 307, 308} else None


def _raise_transient(status: int, headers: Mapping[str, str]) -> None:
    """Raise TransientError for a status that may pass, with the wait that the server asks for."""
    if status >= 500 or status in {408, 429}:
        seconds = _requested_wait(headers)
        request = f" and asks to wait for {_duration(seconds)}" if seconds >= 1 else ""
        raise TransientError(f"the server answered {_status_words(status)}{request}", seconds)


_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,9})?", re.ASCII)


def _requested_wait(headers: Mapping[str, str]) -> float:
    """Return the seconds of a Retry-After, a number or a date; 0 if there is none that can be read."""
    value = headers.get("Retry-After", "")[:LONGEST_HEADER].strip()
    if _DECIMAL.fullmatch(value):  # fractions are not in the standard, but some servers send them
        return float(value)
    if value.isascii() and value.isdigit():
        return min(float(value), LONGEST_WAIT)
    try:
        # Not urllib3's, which takes everything above six hours for six hours.
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _requested_pause(headers: Mapping[str, str]) -> float:
    """Return the seconds until a server takes more, if it says that this was the last for now (as Discord does)."""
    reset = headers.get("X-RateLimit-Reset-After", "")[:LONGEST_HEADER].strip()
    last = headers.get("X-RateLimit-Remaining", "")[:LONGEST_HEADER].strip() == "0"
    return float(reset) if last and _DECIMAL.fullmatch(reset) else 0.0


def _duration(seconds: float) -> str:
    """Return a duration in words.

    >>> [_duration(seconds) for seconds in (1.2, 3600, 72000, 800000)]
    ['1 s', '3600 s', '20 hours', '9 days']
    """
    if seconds < 10 * 3600:
        return f"{seconds:.0f} s"
    return f"{seconds / 3600:.0f} hours" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"


# -- the answer: whether it is data, whole, and small enough

_CUT_OFF = "cut off in the middle of the file"
_DATA_TYPES = ("toml", "json", "csv", "tab-separated", "ndjson", "octet-stream", "yaml", "gzip")
_THE_FILE_ITSELF = "is this the address of the file itself?"


def check_type(url: str, written: str) -> None:
    """Refuse a Content-Type that is not a file of data; a missing one passes."""
    kind = written.partition(";")[0].strip().lower()
    plain_text = kind.startswith("text/") and kind not in {"text/html", "text/css", "text/javascript"}
    if kind and not plain_text and not any(word in kind for word in _DATA_TYPES):
        sent = "a web page" if "html" in kind else f"`{kind}`"
        raise TourneyError(f"{url}: sent {sent}, not a file of data", _THE_FILE_ITSELF)


def check_page(url: str, content: bytes) -> None:
    """Refuse a web page that calls itself plain text: a login page, a "not found" page."""
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise TourneyError(f"{url}: sent a web page, not a file of data", _THE_FILE_ITSELF)


def too_large(url: str, limit: int) -> TourneyError:
    """Return the refusal of a file beyond the limit, in bytes."""
    return TourneyError(f"{url}: larger than {limit // 1024:,} KiB, the most that is fetched")


def uncompressed(url: str, encoding: str, parts: Iterator[bytes], limit: int) -> bytes:
    """Return a body without the compression of its transfer; it never holds more than `limit` bytes of either.

    Raises TransientError if it is cut off, TourneyError for another encoding than gzip or a larger file.
    """
    body = b"".join(_at_most(parts, limit, url))
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
        raise TourneyError(f"{url}: said to be compressed, and is not") from None
    if len(content) > limit:
        raise too_large(url, limit)
    return content


def _at_most(parts: Iterator[bytes], limit: int, url: str) -> Iterator[bytes]:
    size = 0
    for part in parts:
        size += len(part)
        if size > limit:
            raise too_large(url, limit)
        yield part
