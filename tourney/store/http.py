"""Fetch a file over HTTP, or post one, from servers that may be slow or hostile.

Only https addresses are used unless `insecure` is set, and redirects always lead to https. One limit counts
the bytes after decompression, and one deadline covers everything. After transient faults a request is
repeated, with growing pauses. The clock and the pauses are parameters.
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

    bytes_:    the maximum size of the file after decompression, in bytes
    deadline:  the most seconds for all tries, redirects and pauses together
    silence:   the seconds without a byte after which a try ends
    tries:     the maximum number of times that a request is made
    redirects: the most redirects that are followed
    pause:     the seconds before the second try; doubled before each further try
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
"""The most characters of a Retry-After header that are read. A date has 29."""

LONGEST_WAIT = 1e10
"""The longest wait in seconds that a server can ask for. A longer wait is cut to this."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A fetched file.

    content: the file; None if the server answered that our copy is still current (304)
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
    """A fault that may pass: no answer, a connection that was cut off, a status 5xx.

    wait: the seconds that the server asks us to wait
    """

    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.message = message
        self.wait = wait


@dataclass(slots=True)
class Budget:
    """The remaining part of the limits that several files share.

    end: the clock's time at the deadline
    """

    bytes_: int
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """A client with limits.

    insecure: allow http addresses, and https without a valid certificate
    budget:   the limits that several files share (see `together`); None if each file has its own limits
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

    def get(self, url: str, known: Mapping[str, str | None] = MappingProxyType({})) -> Reply:
        """Fetch `url`.

        url:   a name and password in it (`https://name:word@host/…`) are sent to that host only, and are
               never returned, shown or stored
        known: `etag` and `modified` of our copy; the server may then answer that it has not changed

        Raises Unreachable if there is no answer. Raises TourneyError for an answer that is not accepted: a
        redirect that leaves https, too many bytes, a web page instead of data, an encoding that was not
        requested.
        """
        self._check(url, "fetched")
        call = _Call(self, url, public_address(url))
        reply = call.run(partial(call.fetch, known), Unreachable)
        if self.budget is not None:
            self.budget.bytes_ -= len(reply.content or b"")
        return reply

    def post(self, url: str, body: bytes) -> float:
        """Post JSON to `url`, and return the number of seconds to wait before the next post.

        The path of `url` may be a secret, so errors name only the host. The body of the answer is not read,
        and redirects are not followed. The post is repeated only if it cannot have arrived, or if the server
        asks for that (429, 5xx).

        Raises UnsettledError if it is unknown whether the post arrived, Unreachable if it did not arrive, and
        TourneyError if the server refuses it.
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
    """One call of `Http`, with all its tries.

    url:     the address without a login
    label:   the address in messages
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

    def run(self, action: Callable[[], T], late: Callable[[str], TourneyError]) -> T:
        """Run `action`, repeatedly if needed.

        late: returns the error for an action that does not finish before the deadline
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

        # A read that gets one byte a second never times out. Then the thread, a daemon, is abandoned.
        threading.Thread(target=work, daemon=True, name="fetch").start()
        wait([answer], timeout=self.seconds)
        if not answer.done():
            raise late(not_finished)
        return answer.result()

    def _with_tries(self, action: Callable[[], T]) -> T:
        # Not urllib3's Retry: it does not repeat a request whose body was cut off after the headers, and it
        # has no deadline for all tries and pauses together.
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
        """Return the error for a post that may have arrived."""
        return UnsettledError(f"{message}: it may have been posted, or not")

    def _session(self) -> requests.Session:
        import requests  # slow to import

        session = requests.Session()
        # requests parses the target of a redirect even if it does not follow the redirect.
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
        """Send one request, and return the response without reading its body."""
        from requests.auth import HTTPBasicAuth  # slow to import

        def log_in(request: requests.PreparedRequest) -> requests.PreparedRequest:
            # The login is sent only to the host of the address. A login from ~/.netrc is never sent.
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
                verify=not self.http.insecure,  # not on the session: the environment would override its False
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
        """Return the address that `url` redirects to.

        Raises TourneyError if it is not an https address.
        """
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
        """Yield the parts of the body as they arrive, still compressed."""
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
        """Post the body, and return the number of seconds to wait before the next post."""
        with self._session() as session, self._send(session, body) as response:
            status = response.status_code
            _raise_transient(status, response.headers)
            if 300 <= status < 400:
                raise TourneyError(
                    f"{self.label}: the server redirects to another address ({status}), "
                    "and nothing was posted there",
                    "use the address that it redirects to",
                )
            if status in {401, 403, 404, 410}:
                raise TourneyError(
                    f"{self.label}: the server does not know this address ({_status_words(status)})",
                    "was the webhook deleted? `tourney publish --remember NAME -` keeps a new address",
                )
            if not 200 <= status < 300:
                raise TourneyError(f"{self.label}: the server refused the post: {_status_words(status)}")
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
            # The fault's own text may quote the secret address, so it is left out.
            raise TourneyError(f"{self.label}: this web address cannot be posted to") from None


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


def _no_certificate_warnings(insecure: bool) -> AbstractContextManager[Any]:
    """Silence urllib3's warnings about certificates if `--insecure` was given."""
    import urllib3  # slow to import

    if not insecure:
        return nullcontext()
    return warnings.catch_warnings(action="ignore", category=urllib3.exceptions.InsecureRequestWarning)


# -- addresses


def address_origin(url: str) -> str:
    """Return the scheme and host of an address for messages.

    The rest can be a secret, as in a webhook.

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
    """Return a status with its standard phrase.

    The server's own phrase could quote the address.
    """
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _redirect_target(response: requests.Response) -> str | None:
    return response.headers.get("Location") if response.status_code in {301, 302, 303, 307, 308} else None


def _raise_transient(status: int, headers: Mapping[str, str]) -> None:
    """Raise TransientError for a transient status (5xx, 408, 429).

    It has the wait that the server asks for.
    """
    if status >= 500 or status in {408, 429}:
        seconds = _requested_wait(headers)
        request = f" and asks to wait for {_duration(seconds)}" if seconds >= 1 else ""
        raise TransientError(f"the server answered {_status_words(status)}{request}", seconds)


_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,9})?", re.ASCII)


def _requested_wait(headers: Mapping[str, str]) -> float:
    """Return the seconds of a Retry-After header, which is a number or a date.

    Returns 0 if it is missing or unreadable.
    """
    value = headers.get("Retry-After", "")[:LONGEST_HEADER].strip()
    if _DECIMAL.fullmatch(value):  # fractions are not in the standard, but some servers send them
        return float(value)
    if value.isascii() and value.isdigit():
        return min(float(value), LONGEST_WAIT)
    try:
        # Not urllib3's parser, which cuts every wait to six hours.
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _requested_pause(headers: Mapping[str, str]) -> float:
    """Return the seconds until a server accepts the next post.

    Returns 0 unless the server reports its limit as Discord does.
    """
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


# -- checks of the answer: that it is data, complete, and small enough

_CUT_OFF = "cut off in the middle of the file"
_DATA_TYPES = ("toml", "json", "csv", "tab-separated", "ndjson", "octet-stream", "yaml", "gzip")
_THE_FILE_ITSELF = "is this the address of the file itself?"


def check_type(url: str, written: str) -> None:
    """Raise TourneyError if the Content-Type is not that of a data file.

    A missing Content-Type passes.
    """
    kind = written.partition(";")[0].strip().lower()
    plain_text = kind.startswith("text/") and kind not in {"text/html", "text/css", "text/javascript"}
    if kind and not plain_text and not any(word in kind for word in _DATA_TYPES):
        label = "a web page" if "html" in kind else f"`{kind}`"
        raise TourneyError(f"{url}: sent {label}, not a file of data", _THE_FILE_ITSELF)


def check_page(url: str, content: bytes) -> None:
    """Raise TourneyError for a web page that was sent as plain text, such as a login page."""
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise TourneyError(f"{url}: sent a web page, not a file of data", _THE_FILE_ITSELF)


def too_large(url: str, limit: int) -> TourneyError:
    """Return the error for a file that is too large. limit: in bytes."""
    return TourneyError(f"{url}: larger than the limit of {limit // 1024:,} KiB")


def uncompressed(url: str, encoding: str, parts: Iterator[bytes], limit: int) -> bytes:
    """Decompress a body. At most `limit` bytes are read, compressed or not.

    Raises TransientError if the body is cut off. Raises TourneyError if it is larger, or if its encoding is
    not gzip.
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
        raise TourneyError(f"{url}: sent as gzip, but it is not gzip data") from None
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
