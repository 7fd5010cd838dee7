"""Fetching a file over HTTP, and posting, on the assumption that the other side is slow, broken or hostile.

https only (unless told otherwise), redirects to https only, a limit on bytes after decompression, one deadline over
everything, tries with growing pauses for what may pass by itself. The clock and the pauses are handed in.
"""

from __future__ import annotations

import re
import threading
import time
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from tourney.decode import MAX_DIGITS
from tourney.errors import TourneyError, UnsettledError

if TYPE_CHECKING:
    import requests


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is put up with.

    bytes_:   size of the file after decompression
    deadline: seconds for everything together: all tries, all redirects, all pauses
    silence:  seconds without a byte before a try is given up
    tries:    how often a request is made before it is given up
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
"""What is put up with unless something else is said."""

LONGEST_HEADER = 40
"""Letters of a Retry-After that are read: a date has 29."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    content: the file, None where the server says that it is still the one we have (304)
    etag, modified: what to send next time to be told so
    """

    url: str
    content: bytes | None
    etag: str | None = None
    modified: str | None = None


class Unreachable(TourneyError):  # noqa: N818 - a refusal, named by what happened
    """The server did not answer, or not sensibly, though asked several times: a cached file may serve."""


class NoSuchFile(TourneyError):  # noqa: N818 - a refusal, named by what happened
    """The server answered that it has no such file (404)."""


@dataclass(slots=True)
class Budget:
    """What is left of the limits when several files are fetched as one: bytes, and the time by the clock when it ends."""

    bytes_: int
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """A way to fetch files.

    insecure: allow http addresses, and https without a valid certificate
    budget:   what several files may take together; None: each has the limits for itself (see `together`)
    clock, sleep: seconds that only go up, and pausing; tests hand in their own
    """

    insecure: bool = False
    limits: Limits = LIMITS
    budget: Budget | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def together(self) -> Http:
        """Return a way to fetch several files under one limit of bytes and time for all of them."""
        return replace(self, budget=Budget(self.limits.bytes_, self.clock() + self.limits.deadline))

    def get(self, url: str, known: Mapping[str, str | None] = MappingProxyType({})) -> Reply:
        """Fetch `url`.

        url:   a name and password in it (`https://name:word@host/…`) are sent to that host, and are in nothing that
               is returned, told or kept
        known: `etag` and `modified` of the copy we have; the server may then say that it has not changed

        Raises Unreachable where nobody answers, TourneyError where the answer is refused: a redirect that leaves
        https, too many bytes, a web page instead of data, an encoding nobody asked for.
        """
        self._check(url, "fetched")
        reply = self._run(_Errand(self, public_address(url), known, _login_in(url), self._left()))
        if self.budget is not None:
            self.budget.bytes_ -= len(reply.content or b"")
        return reply

    def post(self, url: str, body: bytes) -> float:
        """Post JSON to `url`, whose path may be a secret: what is raised names the host alone.

        What the server answers with is not read, and no redirect is followed: it was this address that was named. Tried
        again is what cannot have arrived, and what the server asks to have tried again (429, 5xx).

        Return for how many seconds the server wants no more posts. Raises UnsettledError where nobody can know whether it
        arrived, Unreachable where it did not, TourneyError where the server refuses it.
        """
        self._check(url, "posted to")
        delivery = _Delivery(self, public_address(url), {}, _login_in(url), self._left(), body=body)
        self._run(delivery)
        return delivery.pause

    def _left(self) -> float:
        """Return the seconds that are left for what is begun now."""
        return self.limits.deadline if self.budget is None else max(0.0, self.budget.end - self.clock())

    def _run(self, errand: _Errand) -> Reply:
        if errand.deadline <= 0:
            raise Unreachable(f"{errand.told}: not finished after {self.limits.deadline:g} seconds")
        worker = threading.Thread(target=errand.run, daemon=True, name="fetch")
        worker.start()
        # The worker may hang in a read that drips one byte a second; it is a daemon and is left behind then.
        worker.join(errand.deadline)
        if worker.is_alive():
            errand.given_up.set()
            raise errand.late(f"{errand.told}: not finished after {self.limits.deadline:g} seconds")
        if errand.fault:
            raise errand.fault
        assert errand.reply is not None
        return errand.reply

    def check_address(self, url: str) -> None:
        """Refuse what cannot be posted to. Raises TourneyError."""
        self._check(url, "posted to")

    def _check(self, url: str, verb: str) -> None:
        try:
            parts = urlsplit(url)
            host = parts.hostname
            parts.port, url.encode()
        except ValueError:
            host = None
        url = address_told(url) if verb == "posted to" else public_address(url)
        if not host or parts.scheme not in {"https", "http"}:
            raise TourneyError(f"`{url}` is not a web address", "an address starts with https://")
        if parts.scheme == "http" and not (self.insecure and verb != "redirected to"):
            hint = (
                "ask for its https address"
                if self.insecure
                else "ask for its https address, or add --insecure"
            )
            raise TourneyError(f"{url}: only https addresses are {verb}", hint)


@dataclass(slots=True)
class _Errand:
    """One call of `Http.get`, run in a thread of its own so that the deadline holds whatever the other side does."""

    http: Http
    url: str
    known: Mapping[str, str | None]
    login: tuple[str, str] | None
    deadline: float
    given_up: threading.Event = field(default_factory=threading.Event)
    reply: Reply | None = None
    fault: BaseException | None = None

    @property
    def told(self) -> str:
        """The address as messages name it."""
        return self.url

    def late(self, said: str) -> TourneyError:
        """Return what it means that there is no answer at the deadline."""
        return Unreachable(said)

    def run(self) -> None:
        try:
            self.reply = self._with_tries()
        except BaseException as fault:  # noqa: BLE001 - carried over to the caller's thread, whatever it is
            self.fault = fault

    def _with_tries(self) -> Reply:
        # Not urllib3's Retry under the session: it does not ask again for a body that was cut off after its headers, and
        # has no deadline over all tries and pauses.
        limits = self.http.limits
        end = self.http.clock() + self.deadline
        pause = limits.pause
        for attempt in range(1, limits.tries + 1):
            try:
                return self._follow()
            except Passing as fault:
                wait = max(pause, fault.wait)
                if attempt == limits.tries or self.http.clock() + wait > end:
                    tries = "one try" if attempt == 1 else f"{attempt} tries"
                    raise Unreachable(f"{self.told}: {fault.said} ({tries})") from None
                self.http.sleep(wait)
                pause *= 2
        raise AssertionError("the last try returns or raises")

    def _follow(self) -> Reply:
        import requests

        with requests.Session() as session:
            # Redirects are ours to follow: requests reads their address even where it is not to follow them.
            session.get_redirect_target = lambda _: None  # type: ignore[method-assign,assignment]
            url = self.url
            for _ in range(self.http.limits.redirects + 1):
                with self._ask(session, url) as response:
                    target = _redirected(response)
                    if target is None:
                        return self._answer(response, url)
                    url = self._next(url, target)
            raise TourneyError(f"{self.url}: more than {self.http.limits.redirects} redirects")

    def _next(self, url: str, target: str) -> str:
        """Return where a redirect leads. Raises TourneyError for what is no address, or leaves https."""
        try:
            there = urljoin(url, target)
        except ValueError:
            raise TourneyError(f"{url}: redirected to `{target[:80]}`, which is not a web address") from None
        self.http._check(there, "redirected to")  # noqa: SLF001 - one unit
        return public_address(there)

    def _ask(self, session: requests.Session, url: str) -> requests.Response:
        import requests

        try:
            with _no_certificate_warnings(self.http.insecure):
                return session.get(
                    url,
                    headers=_headers(self.known),
                    # To the host that was named and to no other; and never a login from ~/.netrc.
                    auth=self._login if urlsplit(url).netloc == urlsplit(self.url).netloc else _no_login,
                    timeout=self.http.limits.silence,
                    allow_redirects=False,
                    stream=True,
                    verify=not self.http.insecure,  # said here: a session's own False gives way to the environment
                )
        except requests.exceptions.SSLError:
            raise TourneyError(f"{url}: its certificate is not valid", "is this the right address?") from None
        except requests.exceptions.Timeout:
            raise Passing("no answer") from None
        except requests.exceptions.ConnectionError as fault:
            raise Passing(_connection_words(fault)) from None
        except (requests.exceptions.RequestException, ValueError) as fault:
            raise TourneyError(f"{url}: no web address that can be asked: {fault}") from None

    def _login(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        from requests.auth import HTTPBasicAuth

        return HTTPBasicAuth(*self.login)(request) if self.login else request

    def _answer(self, response: requests.Response, url: str) -> Reply:
        status = response.status_code
        headers = response.headers
        if status == 304 and any(self.known.values()):
            return Reply(url, None, self.known.get("etag"), self.known.get("modified"))
        if status >= 500 or status in {408, 429}:
            raise Passing(
                f"the server answered {status} {response.reason or ''}".strip(), _asked_wait(headers)
            )
        if status in {404, 410}:
            raise NoSuchFile(f"{url}: there is no such file ({status})")
        if status != 200:
            raise TourneyError(f"{url}: the server answered {status} {response.reason or ''}".rstrip())
        check_type(url, headers.get("Content-Type", ""))
        content = b"".join(self._body(response, url))
        check_page(url, content)
        return Reply(url, content, headers.get("ETag"), headers.get("Last-Modified"))

    def _body(self, response: requests.Response, url: str) -> Iterator[bytes]:
        budget = self.http.budget
        limit = self.http.limits.bytes_ if budget is None else max(0, budget.bytes_)
        open_ = opener(url, response.headers.get("Content-Encoding", ""), limit)
        length = response.headers.get("Content-Length", "")
        if length.isdecimal() and (len(length) > MAX_DIGITS or int(length) > limit):
            raise too_large(url, limit)
        size = 0
        for part in self._parts(response):
            plain = open_(part)
            size += len(plain)
            if size > limit:
                raise too_large(url, limit)
            yield plain

    def _parts(self, response: requests.Response) -> Iterator[bytes]:
        """Give the bytes as they come over the wire, still compressed; an empty part marks the end."""
        import urllib3

        try:
            while part := response.raw.read(16 * 1024, decode_content=False):
                if self.given_up.is_set():
                    return
                yield part
            yield b""
        except urllib3.exceptions.ReadTimeoutError:
            raise Passing(
                f"silent for {self.http.limits.silence:g} seconds in the middle of the file"
            ) from None
        except (urllib3.exceptions.HTTPError, OSError):
            raise Passing("cut off in the middle of the file") from None


@dataclass(slots=True)
class _Delivery(_Errand):
    """One call of `Http.post`. pause: for how long the server wants no more of them, in seconds."""

    body: bytes = b""
    pause: float = 0.0

    @property
    def told(self) -> str:
        """The address without what may be a secret in it."""
        return address_told(self.url)

    def late(self, said: str) -> TourneyError:
        """Return what it means that there is no answer at the deadline."""
        return UnsettledError(f"{said}: it may have been posted, or not")

    def _follow(self) -> Reply:
        import requests

        with requests.Session() as session, self._send(session) as response:
            status = response.status_code
            if status >= 500 or status in {408, 429}:
                wait = _asked_wait(response.headers)
                asked = f" and asks to wait for {_long(wait)}" if wait >= 1 else ""
                raise Passing(f"the server answered {_status_words(status)}{asked}", wait)
            if _redirected(response) is not None or 300 <= status < 400:
                raise TourneyError(
                    f"{self.told}: the server wants it elsewhere ({status}), and nothing was posted there",
                    "name the address that it redirects to",
                )
            if status in {401, 403, 404, 410}:
                raise TourneyError(
                    f"{self.told}: the server does not know this address ({_status_words(status)})",
                    "was the webhook deleted? `tourney publish --remember NAME -` keeps a new address",
                )
            if not 200 <= status < 300:
                raise TourneyError(f"{self.told}: the server refused it: {_status_words(status)}")
            self.pause = _asked_pause(response.headers)
        return Reply(self.told, None)

    def _send(self, session: requests.Session) -> requests.Response:
        import requests

        try:
            with _no_certificate_warnings(self.http.insecure):
                return session.post(
                    self.url,
                    data=self.body,
                    headers={**_headers({}), "Content-Type": "application/json"},
                    auth=self._login,
                    timeout=self.http.limits.silence,
                    allow_redirects=False,
                    stream=True,  # whatever it answers with, and however much of it: nobody reads it
                    verify=not self.http.insecure,
                )
        except requests.exceptions.SSLError as fault:
            what = (
                "its certificate is not valid"
                if "CERTIFICATE_VERIFY" in str(fault)
                else "no secure connection could be made"
            )
            raise TourneyError(f"{self.told}: {what}", "is this the right address?") from None
        except requests.exceptions.ConnectTimeout:
            raise Passing("no answer") from None
        except requests.exceptions.ConnectionError as fault:
            if _never_sent(fault):
                raise Passing(_connection_words(fault)) from None
            raise self.late(f"{self.told}: the connection broke before an answer came") from None
        except requests.exceptions.Timeout:
            raise self.late(f"{self.told}: no answer in {self.http.limits.silence:g} seconds") from None
        except (requests.exceptions.RequestException, ValueError):
            # Not what the fault says: it may quote the address.
            raise TourneyError(f"{self.told}: no web address that can be posted to") from None


def _never_sent(fault: Exception) -> bool:
    """Whether there was no connection at all, so that nothing can have arrived."""
    import urllib3

    inner = fault.args[0] if fault.args else None
    reason = getattr(inner, "reason", inner)
    return isinstance(reason, (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ProxyError))


def _status_words(status: int) -> str:
    """Return a status with our words for it: the server's own could quote the address."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def address_told(url: str) -> str:
    """Return as much of an address as may be told where the rest can be a secret, as that of a webhook is.

    >>> address_told("https://discord.com/api/webhooks/123/abc")
    'https://discord.com/…'
    """
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/?#]*@)?([^/?#@]*)", public_address(url))
    if found is None:
        return "the address"
    return f"{found[1]}://{found[2]}/…" if found[1].lower() in {"http", "https"} else f"{found[1]}://…"


def public_address(url: str) -> str:
    """Return an address without the name and password in it: what may be told and kept.

    >>> public_address("https://mira:secret@lists.example.org/a.toml")
    'https://lists.example.org/a.toml'
    """
    return re.sub(r"//[^/?#]*@", "//", url, count=1)


def _login_in(url: str) -> tuple[str, str] | None:
    parts = urlsplit(url)
    return (unquote(parts.username), unquote(parts.password or "")) if parts.username else None


def _no_login(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def _headers(known: Mapping[str, str | None]) -> dict[str, str]:
    from tourney import __version__

    conditions = {"If-None-Match": known.get("etag"), "If-Modified-Since": known.get("modified")}
    return {
        "User-Agent": f"tourney/{__version__}",
        "Accept-Encoding": "gzip",
        **{name: value for name, value in conditions.items() if value},
    }


def _redirected(response: requests.Response) -> str | None:
    return response.headers.get("Location") if response.status_code in {301, 302, 303, 307, 308} else None


LONGEST_WAIT = 1e10
"""Seconds; whoever asks for more asks for this."""


def _asked_wait(headers: Mapping[str, str]) -> float:
    """Return the seconds of a Retry-After, be they a number or a date; 0 where nothing that can be read is asked."""
    from email.utils import parsedate_to_datetime

    asked = headers.get("Retry-After", "")[:LONGEST_HEADER].strip()
    if _DECIMAL.fullmatch(asked):  # not in the standard, but what some send
        return float(asked)
    if asked.isascii() and asked.isdigit():
        return min(float(asked), LONGEST_WAIT)
    try:
        # Not urllib3's, which calls six hours whatever is more.
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _long(seconds: float) -> str:
    """Say how long a wait is: `3600 s`, `20 hours`, `9 days`.

    >>> [_long(each) for each in (1.2, 3600, 72000, 800000)]
    ['1 s', '3600 s', '20 hours', '9 days']
    """
    if seconds < 10 * 3600:
        return f"{seconds:.0f} s"
    return f"{seconds / 3600:.0f} hours" if seconds < 48 * 3600 else f"{seconds / 86400:.0f} days"


def _asked_pause(headers: Mapping[str, str]) -> float:
    """Return the seconds after which a server takes more, where it says that this was the last for now (as Discord does)."""
    reset = headers.get("X-RateLimit-Reset-After", "")[:LONGEST_HEADER].strip()
    last = headers.get("X-RateLimit-Remaining", "")[:LONGEST_HEADER].strip() == "0"
    return float(reset) if last and _DECIMAL.fullmatch(reset) else 0.0


_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,9})?", re.ASCII)


def _connection_words(fault: Exception) -> str:
    said = str(fault)
    if "NameResolution" in said or "getaddrinfo" in said:
        return "there is no such host, or no network"
    if "refused" in said:
        return "the connection was refused"
    return "no connection"


def _no_certificate_warnings(insecure: bool) -> AbstractContextManager[Any]:
    """Keep urllib3 from warning about what `--insecure` asked for."""
    import urllib3

    if not insecure:
        return nullcontext()
    return warnings.catch_warnings(action="ignore", category=urllib3.exceptions.InsecureRequestWarning)


# -- what came: whether it is data at all, whole, and small enough


class Passing(Exception):  # noqa: N818 - not an error of the program's: a reason to try again
    """A fault that may pass by itself: no answer, cut off, 5xx. `wait` is what the server asks us to wait, in seconds."""

    def __init__(self, said: str, wait: float = 0.0) -> None:
        super().__init__(said)
        self.said = said
        self.wait = wait


_DATA_TYPES = ("toml", "json", "csv", "tab-separated", "ndjson", "octet-stream", "yaml", "gzip", "x-ndjson")


def check_type(url: str, written: str) -> None:
    """Refuse a Content-Type that is no file of data; none at all is let pass."""
    kind = written.partition(";")[0].strip().lower()
    plain_text = kind.startswith("text/") and kind not in {"text/html", "text/css", "text/javascript"}
    if kind and not plain_text and not any(word in kind for word in _DATA_TYPES):
        what = "a web page" if "html" in kind else f"`{kind}`"
        raise TourneyError(
            f"{url}: sent {what}, not a file of data", "is this the address of the file itself?"
        )


def check_page(url: str, content: bytes) -> None:
    """Refuse a web page that calls itself plain text: a login page, a "not found" of a clever server."""
    start = content[:200].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        raise TourneyError(
            f"{url}: sent a web page, not a file of data", "is this the address of the file itself?"
        )


def too_large(url: str, limit: int) -> TourneyError:
    """Return the refusal of a file beyond the limit, in bytes."""
    return TourneyError(f"{url}: larger than {limit // 1024:,} KiB, the most that is fetched")


def opener(url: str, encoding: str, limit: int) -> Callable[[bytes], bytes]:
    """Return what undoes the transfer's compression, a part at a time; an empty part asks whether it was all."""
    word = encoding.strip().lower()
    if word in {"", "identity"}:
        return lambda part: part
    if word not in {"gzip", "x-gzip", "deflate"}:
        raise TourneyError(f"{url}: sent as `{word}`, which nobody asked for")
    return _Gunzip(url, limit)


class _Gunzip:
    """Undoes gzip or deflate without ever holding more than the limit: a bomb is refused before it goes off."""

    def __init__(self, url: str, limit: int) -> None:
        self._url = url
        self._limit = self._left = limit
        self._stream = zlib.decompressobj(wbits=47)  # gzip or zlib, by its own header

    def __call__(self, part: bytes) -> bytes:
        if not part:
            if not self._stream.eof:
                raise Passing("cut off in the middle of the file")
            return b""
        plain = b""
        while part:
            if self._stream.eof:
                # A gzip file may be several, one after the other (RFC 1952, 2.2); zeros behind them are padding.
                part = part.lstrip(b"\0")
                if not part:
                    break
                self._stream = zlib.decompressobj(wbits=31)
            plain += self._undone(part)
            part = self._stream.unused_data
        return plain

    def _undone(self, part: bytes) -> bytes:
        try:
            plain = self._stream.decompress(part, self._left + 1)
        except zlib.error:
            raise TourneyError(f"{self._url}: said to be compressed, and is not") from None
        self._left -= len(plain)
        if self._left < 0:
            raise too_large(self._url, self._limit)
        return plain
