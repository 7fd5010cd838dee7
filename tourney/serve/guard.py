"""Limits against a hostile Wi-Fi: host names, origins, headers, sizes, times, connections.

`Guard` is a middleware around the whole application. It rejects bad requests before any route sees them, and
adds security headers to every answer. `guarded` returns uvicorn's protocol with time limits. It closes a
connection if the client does not complete a request, or does not read an answer, within these limits.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

import h11
from msgspec import Struct
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATIENCE = 10.0
"""The longest time that a client may take to send a request, or for a handshake, in seconds."""

HANDSHAKE = 1.0
"""Seconds after which a handshake may be closed for a new connection from the same address."""

TAKEN_WITHIN = 30.0
"""The longest time for the client to read an answer, in seconds."""

MOST_CONNECTIONS = 2000
"""The maximum number of open connections.

It is enough for 500 phones, each with a stream and two pages.
"""

OF_ONE_ADDRESS = 0.75
"""The largest share of all connections that one address may have.

The share is large because a whole venue may share an address. If it is used up, the session with the most
connections loses one for each new connection.
"""

DEVICE = "tourney.device"
"""The key in a request's scope under which the number of the signed-in device is stored."""

HEADER_BYTES = 16 * 1024
"""The maximum size of a request's line and headers in bytes."""

LONGEST_ADDRESS = 2000
"""The maximum size of a path with its query in bytes."""

OPEN_FILES = 4096
"""The number of files that may be open at once, if the system allows it."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # the projector sets its number of columns in an attribute
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""The content security policy.

Pages load and run only files of this server, nothing inline.
"""

HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"referrer-policy": b"same-origin",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}
"""Headers of every answer."""

NO_STORE = b"no-store"
"""The `Cache-Control` of an answer whose route sets none."""

METHODS = frozenset({"GET", "HEAD", "POST"})
"""The methods that the server accepts."""


# -- the names of the server


class ServerNames(Struct):
    """The host names that requests may use for this server.

    These are the names of the machine, and the host name of `--url`.

    port:   the port that the server listens on
    secure: whether the server itself uses TLS
    url:    the address in printed codes, such as `https://friday.example`; empty for the machine's own
    host:   the only address that the server listens on; empty for all addresses of the machine
    own:    the names and IP addresses of the machine in lower case; the addresses change with the Wi-Fi
    """

    port: int
    secure: bool = False
    url: str = ""
    host: str = ""
    own: frozenset[str] = frozenset()

    @property
    def scheme(self) -> str:
        """The scheme of the server's own address: `http` or `https`."""
        return "https" if self.secure else "http"

    def origin_of(self, host: str, at: str = "") -> str | None:
        """Return the origin for a `Host` header; None if the header does not name this server.

        host: the value of the header
        at:   the server's IP address in the connection that the request came over
        """
        public = urlsplit(self.url) if self.url else None
        if public and public.netloc and host.lower() == public.netloc.lower():
            return f"{public.scheme}://{public.netloc.lower()}"
        parts = _split_host(host)
        if parts is None:
            return None
        name, port = parts
        if port != (self.port or None) and not (port is None and self.port == (443 if self.secure else 80)):
            return None
        if name not in self.own and (
            not at or _ip_address(name) is None or _ip_address(name) != _ip_address(at)
        ):
            return None
        return f"{self.scheme}://{host.lower()}"

    def address(self) -> str:
        """Return the address for phones, without a slash at the end."""
        return self.url or f"{self.scheme}://{_in_url(self.host or own_number())}:{self.port}"

    def address_here(self) -> str:
        """Return the address for a browser on this machine, without a slash at the end."""
        return f"{self.scheme}://{_in_url(self.host or 'localhost')}:{self.port}"


def stays_here(scope: Scope, origin: str) -> bool:
    """Return whether a request stays on this machine. Then no other machine can read it.

    The connection must come from this machine, and the browser must have opened `localhost` or the IP address
    of the connection. A proxy on this machine can forward requests of other machines over such a connection.
    It is recognized by its headers, or by the host name if the proxy passes that on. If the proxy hides both,
    forms are refused, because their `Origin` is that of the proxy.

    origin: the origin of this server, as in the request
    """
    if any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    client, server = (_ip_address((scope.get(end) or ("",))[0]) for end in ("client", "server"))
    host = (urlsplit(origin).hostname or "").rstrip(".")
    requested_address = _ip_address("127.0.0.1" if host == "localhost" else host)
    if client is None or requested_address is None:
        return False
    return client == server == requested_address or (client.is_loopback and requested_address.is_loopback)


FORWARDED = frozenset(
    {b"forwarded", b"via", b"x-real-ip", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto"}
    | {b"x-forwarded-server", b"x-client-ip", b"true-client-ip", b"cf-connecting-ip", b"tailscale-user-login"}
)
"""Headers that proxies add to forwarded requests."""


def _ip_address(text: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse an IP address; None for a name.

    An IPv4 address that is mapped into IPv6 is returned as IPv4.
    """
    try:
        number = ipaddress.ip_address(str(text).partition("%")[0])
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number


def _split_host(host: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(f"//{host}")
        if not parts.hostname or parts.username is not None or parts.path or parts.query or parts.fragment:
            return None
        return parts.hostname.lower().rstrip("."), parts.port
    except ValueError:
        return None


def _in_url(number: str) -> str:
    return f"[{number}]" if ":" in number else number


def own_number() -> str:
    """Return this machine's IP address in the local network; 127.0.0.1 if it has no network."""
    for family, anywhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((anywhere, 9))  # sends nothing, only looks up the route
                number: str = probe.getsockname()[0]
        except OSError:
            continue
        if not ipaddress.ip_address(number).is_unspecified:
            return number
    return "127.0.0.1"


def own_names() -> frozenset[str]:
    """Return the names and IP addresses of this machine, in lower case."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", "127.0.0.1", "::1", name, f"{name.partition('.')[0]}.local", own_number()})


# -- around every answer


class Guard:
    """Rejects requests that no page of this server sends, and adds headers to all answers.

    broken: a function that reports an exception of a route, and returns the error page
    """

    def __init__(self, app: ASGIApp, names: ServerNames, broken: Callable[[Exception], bytes]) -> None:
        self.app, self.names, self.broken = app, names, broken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or reject it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def guarded_send(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = _with_headers(message.get("headers", ()))
            # If the client sent bytes that are not HTTP after the request, uvicorn has already answered.
            with suppress(h11.LocalProtocolError):
                await send(message)

        refused = self._refusal(scope)
        if refused is not None:
            await _plainly(guarded_send, *refused)
            return
        try:
            await self.app(scope, receive, guarded_send)
        except Exception as fault:  # noqa: BLE001  a bug is reported in the terminal, never to phones
            page = self.broken(fault)
            if not begun:
                await _answer(guarded_send, 500, page, b"text/html; charset=utf-8")

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        if scope["method"] not in METHODS:
            return 405, "This server answers GET and POST."
        if len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") > LONGEST_ADDRESS:
            return 414, "This address is too long."
        hosts = [value for key, value in scope["headers"] if key == b"host"]
        at = (scope.get("server") or ("", 0))[0] or ""
        origin = self.names.origin_of(hosts[0].decode("latin-1"), at) if len(hosts) == 1 else None
        if origin is None:
            return 421, "This is not the address of this server. Open the address that the desk shows."
        scope["tourney.origin"], scope["tourney.here"] = origin, stays_here(scope, origin)
        return None


def _with_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    headers = list(headers)
    names = {name.lower() for name, _ in headers}
    extra_headers = {**HEADERS, b"cache-control": NO_STORE}
    return [*headers, *((name, value) for name, value in extra_headers.items() if name not in names)]


async def _plainly(send: Send, status: int, text: str) -> None:
    await _answer(send, status, f"{text}\n".encode(), b"text/plain; charset=utf-8")


async def _answer(send: Send, status: int, body: bytes, kind: bytes) -> None:
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


# -- connections


class Connections:
    """The open connections.

    most:  the maximum number of connections
    open:  IP address → the number of its connections
    known: the connections, the oldest first
    """

    def __init__(self, most: int = MOST_CONNECTIONS) -> None:
        self.most = most
        self.open: Counter[str] = Counter()
        self.known: dict[Guarded | Handshake, None] = {}

    def admit(self, peer: Guarded | Handshake) -> bool:
        """Count a new connection. Return whether there is room for it."""
        address = peer.address
        if self.open[address] >= self.most * OF_ONE_ADDRESS and not self._make_room_at(address):
            return False
        if len(self.known) >= self.most and not self._make_room(address):
            return False
        self.known[peer] = None
        self.open[address] += 1
        return True

    def leave(self, peer: Guarded | Handshake) -> None:
        """Stop counting a connection."""
        if peer in self.known:
            del self.known[peer]
            self.open[peer.address] -= 1
            if not self.open[peer.address]:
                del self.open[peer.address]

    def _make_room(self, address: str) -> bool:
        """Close an idle connection of the address that has the most connections.

        Nothing is closed unless that address has more connections than `address`. Return whether a connection
        was closed.
        """
        fewer = self.open[address] + 1
        idle = [peer for peer in self.known if peer.is_idle and self.open[peer.address] > fewer]
        most = max((self.open[peer.address] for peer in idle), default=0)
        return self._end_one([peer for peer in idle if self.open[peer.address] == most])

    def _make_room_at(self, address: str) -> bool:
        """Close a connection of an address that has used up its share of connections.

        This makes room for a new connection from the same address. Return whether a connection was closed.
        """
        return self._end_one([peer for peer in self.known if peer.is_slow and peer.address == address])

    def _end_one(self, idle: Sequence[Guarded | Handshake]) -> bool:
        """Close a connection of the session that has the most connections.

        All connections without a signed-in device count as one session. Of these, connections that never sent
        a complete request are closed first. Return whether a connection was closed.

        idle: the connections that may be closed
        """
        number = Counter((peer.address, peer.device) for peer in self.known)
        connection = max(
            idle, key=lambda peer: (number[peer.address, peer.device], not peer.was_answered), default=None
        )
        if connection is not None:
            connection.give_way()
        return connection is not None


class Guarded(H11Protocol):
    """uvicorn's connection, with time limits that `guarded` sets."""

    admitted: Connections
    patience = PATIENCE
    taken_within = TAKEN_WITHIN
    _to_be_whole: asyncio.TimerHandle | None = None
    _to_be_taken: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the new connection, or close it if there are too many connections."""
        super().connection_made(transport)
        if self not in self.admitted.known and not self.admitted.admit(self):
            transport.write(_FULL)
            transport.close()
            return
        self._to_be_whole = self.loop.call_later(self.patience, transport.abort)

    @property
    def address(self) -> str:
        """The IP address of the client."""
        return self.client[0] if self.client else ""

    @property
    def device(self) -> int | None:
        """The number of the device that was signed in with the last request; None if there was none."""
        number = self.scope.get(DEVICE) if self.was_answered and self.scope else None
        return number if isinstance(number, int) else None

    @property
    def was_answered(self) -> bool:
        """Whether a complete request has arrived on this connection."""
        return self.cycle is not None

    @property
    def is_idle(self) -> bool:
        """Whether the connection is idle.

        A connection is idle if no request is being answered, or if the client has stopped reading the answer.
        """
        is_answered = self.cycle is None or self.cycle.response_complete
        return is_answered or self._to_be_whole is not None or self._to_be_taken is not None

    @property
    def is_slow(self) -> bool:
        """Whether the connection may be closed to make room for another one from the same address."""
        return self.is_idle

    def give_way(self) -> None:
        """Close the connection to make room for another one."""
        self.admitted.leave(self)
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection and stop its timers."""
        self.admitted.leave(self)
        self._stop_waiting()
        if self._to_be_taken is not None:
            self._to_be_taken.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass data to uvicorn if the connection was admitted."""
        if self in self.admitted.known:
            super().data_received(data)
            self._set_timer()

    def on_response_complete(self) -> None:
        """Continue with the data that arrived while the last request was answered."""
        super().on_response_complete()
        self._set_timer()

    def _set_timer(self) -> None:
        """Start the timeout of an incomplete request. Further bytes do not restart the timeout."""
        peer = self.conn.their_state
        if peer is not h11.SEND_BODY and not (peer is h11.IDLE and self.conn.trailing_data[0]):
            self._stop_waiting()
        elif self._to_be_whole is None:
            self._to_be_whole = self.loop.call_later(self.patience, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._to_be_whole is not None:
            self._to_be_whole.cancel()
            self._to_be_whole = None

    def pause_writing(self) -> None:
        """Start a timeout, because the client is not reading the answer."""
        super().pause_writing()
        if self._to_be_taken is None:
            self._to_be_taken = self.loop.call_later(self.taken_within, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timeout, because the client is reading again."""
        super().resume_writing()
        if self._to_be_taken is not None:
            self._to_be_taken.cancel()
            self._to_be_taken = None


def guarded(
    connections: Connections, patience: float = PATIENCE, taken_within: float = TAKEN_WITHIN
) -> type[Guarded]:
    """Return uvicorn's protocol with time limits.

    patience: seconds for a request to become complete
    taken_within: seconds for the client to read an answer
    """
    return type(
        "Guarded", (Guarded,), {"admitted": connections, "patience": patience, "taken_within": taken_within}
    )


class Handshake(asyncio.Protocol):
    """A connection during its TLS handshake.

    The handshake costs more processor time than the requests after it.

    made: the connection that takes over after the handshake
    context: the TLS settings, with the certificate
    """

    is_idle, was_answered, device = True, False, None
    """Properties as in `Guarded`.

    They are constant here, because the handshake comes before any request.
    """

    _under_way: ClassVar[set[asyncio.Task[None]]] = set()
    """The tasks of running handshakes, to which the event loop itself keeps no references."""

    def __init__(self, made: Guarded, context: ssl.SSLContext) -> None:
        self._connection, self._context, self._admitted = made, context, made.admitted
        self.address = ""
        self._transport: asyncio.Transport | None = None
        self._early = bytearray()
        self._since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and begin the handshake; close it if too many are open."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a stream transport is required")
        transport.pause_reading()  # until TLS is set up
        self.address = str((transport.get_extra_info("peername") or ("",))[0])
        if not self._admitted.admit(self):
            transport.abort()
            return
        self._transport = transport
        self._since = asyncio.get_running_loop().time()
        handshake = asyncio.get_running_loop().create_task(self._shake_hands(transport))
        self._under_way.add(handshake)
        handshake.add_done_callback(self._under_way.discard)

    @property
    def is_slow(self) -> bool:
        """Whether the handshake is so slow that it may be closed for another connection."""
        return asyncio.get_running_loop().time() - self._since > HANDSHAKE

    async def _shake_hands(self, transport: asyncio.Transport) -> None:
        connection = self._connection
        try:
            secured = await asyncio.get_running_loop().start_tls(
                transport,
                self,
                self._context,
                server_side=True,
                ssl_handshake_timeout=connection.patience,
            )
        except BaseException as fault:
            self.give_way()
            if not isinstance(fault, OSError):
                raise
            return
        if secured is None or self not in self._admitted.known:
            self.give_way()
            return
        self._admitted.leave(self)
        connection.connection_made(secured)
        secured.set_protocol(connection)
        if self._early:
            connection.data_received(bytes(self._early))

    def data_received(self, data: bytes) -> None:
        """Keep data that arrives together with the end of the handshake."""
        self._early += data

    def give_way(self) -> None:
        """Close the connection to make room for another one."""
        self._admitted.leave(self)
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  as asyncio calls it
        """Forget the connection."""
        self._admitted.leave(self)


_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\n"
    b"cache-control: no-store\r\nconnection: close\r\ncontent-length: 58\r\n\r\n"
    b"Too many are connected. Try again in a few seconds, please"
)


def raise_open_files(limit: int = OPEN_FILES) -> int:
    """Raise the limit of open files to `limit`, if the system allows it.

    Return the number of files that this process can open.
    """
    if sys.platform == "win32":
        return limit  # sockets do not count as files there
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < limit:
        most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (ValueError, OSError):
            most = soft
        soft = most
    return limit if soft == resource.RLIM_INFINITY else soft
