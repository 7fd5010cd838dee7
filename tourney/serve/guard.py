"""What a hostile Wi-Fi may send, and where it ends: names, origins, headers, sizes, times, connections.

`Guard` stands around the whole application: what it refuses no route ever sees, and no answer leaves without its headers.
`guarded` is uvicorn's protocol with the patience that it has not: a request that does not come to its end is cut, and so
is an answer that nobody takes.
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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATIENCE = 10.0
"""Seconds within which a request must have come whole, and a handshake be done."""

HANDSHAKE = 1.0
"""Seconds after which a handshake gives way to other connections of the same address."""

TAKEN_WITHIN = 30.0
"""Seconds for which an answer may wait to be taken."""

MOST_CONNECTIONS = 2000
"""Open connections in all: 500 phones with a stream and two pages on their way each, and some more."""

OF_ONE_ADDRESS = 0.75
"""Share of all connections that one address may have, as a whole room may be behind one address.

Within the share, the session with the most connections gives way to a new one.
"""

DEVICE = "tourney.device"
"""Key in a request's scope: the number of the signed-in device."""

HEADER_BYTES = 16 * 1024
"""Bytes of a request's line and headers."""

LONGEST_ADDRESS = 2000
"""Bytes of a path with its query."""

OPEN_FILES = 4096
"""Files that may be open at once, where the system allows it."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # how many columns the projector has stands in an attribute
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""What a page may load and run: what this server sends as a file, nothing that stands in the page."""

HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"referrer-policy": b"same-origin",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}
"""What every answer says."""

NO_STORE = b"no-store"
"""What an answer says of being kept, unless its route says otherwise."""

METHODS = frozenset({"GET", "HEAD", "POST"})
"""What may be asked at all."""


# -- what the server is called


@dataclass(slots=True)
class ServerNames:
    """What this server is called: the addresses of the machine, and `--url`.

    port: where it listens; secure: whether it speaks TLS itself
    url:  the address that printed codes carry, as `https://friday.example`; empty: the machine's own
    host: the one address that is listened at; empty: all that the machine has
    own:  names and numbers of the machine, in small letters; numbers change with the Wi-Fi
    """

    port: int
    secure: bool = False
    url: str = ""
    host: str = ""
    own: frozenset[str] = frozenset()

    @property
    def scheme(self) -> str:
        """How the server itself is spoken to."""
        return "https" if self.secure else "http"

    def origin_of(self, host: str, at: str = "") -> str | None:
        """Return the origin that a `Host` header stands for; None where it is not this server. at: the connection's own address."""
        named = urlsplit(self.url) if self.url else None
        if named and named.netloc and host.lower() == named.netloc.lower():
            return f"{named.scheme}://{named.netloc.lower()}"
        parts = _parted(host)
        if parts is None:
            return None
        name, port = parts
        if port != (self.port or None) and not (port is None and self.port == (443 if self.secure else 80)):
            return None
        if name not in self.own and not _is_number(name, at):
            return None
        return f"{self.scheme}://{host.lower()}"

    def address(self) -> str:
        """Return the address to be told to the room, without a slash at the end."""
        return self.url or f"{self.scheme}://{_told(self.host or own_number())}:{self.port}"

    def address_here(self) -> str:
        """Return the address for a browser on this machine, without a slash at the end."""
        return f"{self.scheme}://{_told(self.host or 'localhost')}:{self.port}"


def stays_here(scope: Scope, origin: str) -> bool:
    """Return whether a request came from a browser on this machine, so that it cannot be overheard.

    The connection comes from this machine, and the browser opened `localhost` or the IP address of the connection. A
    proxy on this machine forwards requests of other machines over such a connection. It is recognized by its headers, or
    by the host name that it keeps. If it hides both, forms are refused, because their `Origin` is that of the proxy.
    """
    if any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    client, server = (_number_of((scope.get(end) or ("",))[0]) for end in ("client", "server"))
    host = (urlsplit(origin).hostname or "").rstrip(".")
    named = _number_of("127.0.0.1" if host == "localhost" else host)
    if client is None or named is None:
        return False
    return client == server == named or (client.is_loopback and named.is_loopback)


FORWARDED = frozenset(
    {b"forwarded", b"via", b"x-real-ip", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto"}
    | {b"x-forwarded-server", b"x-client-ip", b"true-client-ip", b"cf-connecting-ip", b"tailscale-user-login"}
)
"""Headers that a proxy adds to the requests it forwards."""


def _number_of(text: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address, in IPv4 if it is mapped into IPv6; None for a name."""
    try:
        number = ipaddress.ip_address(str(text).partition("%")[0])
    except ValueError:
        return None
    return getattr(number, "ipv4_mapped", None) or number


def _parted(host: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(f"//{host}")
        if not parts.hostname or parts.username is not None or parts.path or parts.query or parts.fragment:
            return None
        return parts.hostname.lower().rstrip("."), parts.port
    except ValueError:
        return None


def _is_number(name: str, at: str) -> bool:
    """Say whether `name` is the very number at which the connection came in: no name that somebody made up can be one."""
    try:
        return bool(at) and ipaddress.ip_address(name) == ipaddress.ip_address(at)
    except ValueError:
        return False


def _told(number: str) -> str:
    return f"[{number}]" if ":" in number else number


def own_number() -> str:
    """Return the number under which this machine is reached in the room: that of the way out; its own without any."""
    for family, anywhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((anywhere, 9))  # nothing is sent: only the way is looked up
                number: str = probe.getsockname()[0]
        except OSError:
            continue
        if not ipaddress.ip_address(number).is_unspecified:
            return number
    return "127.0.0.1"


def own_names() -> frozenset[str]:
    """Return what this machine is called, in small letters: numbers, its name, and that name in the local network."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", "127.0.0.1", "::1", name, f"{name.partition('.')[0]}.local", own_number()})


# -- around every answer


class Guard:
    """Refuses what no page of ours would send, and puts the headers on every answer.

    broken: is told of a fault that no route has foreseen, and returns the page for it
    """

    def __init__(self, app: ASGIApp, names: ServerNames, broken: Callable[[Exception], bytes]) -> None:
        self.app, self.names, self.broken = app, names, broken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def guarded_send(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = _with_headers(message.get("headers", ()))
            with suppress(
                h11.LocalProtocolError
            ):  # what came after the request was none: uvicorn has answered that
                await send(message)

        refused = self._refusal(scope)
        if refused is not None:
            await _plainly(guarded_send, *refused)
            return
        try:
            await self.app(scope, receive, guarded_send)
        except Exception as fault:  # noqa: BLE001  a bug of ours is told at the desk, never to the room
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
            return 421, "This server does not go by that name. Open the address that the desk shows."
        scope["tourney.origin"], scope["tourney.here"] = origin, stays_here(scope, origin)
        return None


def _with_headers(given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    headers = list(given)
    known = {key.lower() for key, _ in headers}
    ours = {**HEADERS, b"cache-control": NO_STORE}
    return [*headers, *((key, value) for key, value in ours.items() if key not in known)]


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


@dataclass(slots=True)
class Connections:
    """How many connections are open, in all and of each address. known: all of them, the oldest first."""

    most: int = MOST_CONNECTIONS
    open: Counter[str] = field(default_factory=Counter)
    known: dict[Guarded | Doorkeeper, None] = field(default_factory=dict)

    def admit(self, address: str) -> bool:
        """Count a connection in; say whether there is room for it."""
        if self.open[address] >= self.most * OF_ONE_ADDRESS and not self._make_room_at(address):
            return False
        if self.open.total() >= self.most and not self._make_room(address):
            return False
        self.open[address] += 1
        return True

    def _make_room(self, address: str) -> bool:
        """Have the address with the most connections give one up that is answered nothing: two laptops fill no room."""
        fewer = self.open[address] + 1
        idle = [each for each in self.known if each.is_idle and self.open[each.address] > fewer]
        most = max((self.open[each.address] for each in idle), default=0)
        return self._end_one([each for each in idle if self.open[each.address] == most])

    def _make_room_at(self, address: str) -> bool:
        """Close a connection of an address that is full, for a new one of the same address. Return whether one was closed."""
        return self._end_one([each for each in self.known if each.is_slow and each.address == address])

    def _end_one(self, idle: Sequence[Guarded | Doorkeeper]) -> bool:
        """Close one of these connections, of the session with the most. Return whether there was one.

        Connections without a signed-in device count as one session. Among them, connections that never sent a complete
        request are closed first.
        """
        of = Counter((each.address, each.device) for each in self.known)
        longest = max(
            idle, key=lambda each: (of[each.address, each.device], not each.was_answered), default=None
        )
        if longest is not None:
            longest.give_way()
        return longest is not None

    def leave(self, address: str) -> None:
        """Count a connection out."""
        self.open[address] -= 1
        if self.open[address] <= 0:
            del self.open[address]


class Guarded(H11Protocol):
    """uvicorn's connection, which has to get on with it; `guarded` gives it its limits."""

    admitted: Connections
    patience = PATIENCE
    taken_within = TAKEN_WITHIN
    counted_in = False
    _to_be_whole: asyncio.TimerHandle | None = None
    _to_be_taken: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it in, or have it come again later."""
        super().connection_made(transport)
        self.counted_in = self.counted_in or self.admitted.admit(self.address)
        if not self.counted_in:
            transport.write(_FULL)
            transport.close()
            return
        self.admitted.known[self] = None
        self._to_be_whole = self.loop.call_later(self.patience, transport.abort)

    @property
    def address(self) -> str:
        """Where it comes from."""
        return self.client[0] if self.client else ""

    @property
    def device(self) -> int | None:
        """The number of the signed-in device of the last request; None without one."""
        number = self.scope.get(DEVICE) if self.was_answered and self.scope else None
        return number if isinstance(number, int) else None

    @property
    def was_answered(self) -> bool:
        """Whether a complete request arrived."""
        return self.cycle is not None

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered, or the client does not read the answer."""
        unanswered = self.cycle is None or self.cycle.response_complete
        return unanswered or self._to_be_whole is not None or self._to_be_taken is not None

    @property
    def is_slow(self) -> bool:
        """Whether it may be closed for another connection of its address."""
        return self.is_idle

    def give_way(self) -> None:
        """End it, for another one to be counted in."""
        self._count_out()
        self.transport.abort()

    def _count_out(self) -> None:
        if self.counted_in:
            self.counted_in = False
            del self.admitted.known[self]
            self.admitted.leave(self.address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out."""
        self._count_out()
        self._stop_waiting()
        if self._to_be_taken is not None:
            self._to_be_taken.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, of who was counted in."""
        if self.counted_in:
            super().data_received(data)
            self._look()

    def on_response_complete(self) -> None:
        """Go on with what came meanwhile."""
        super().on_response_complete()
        self._look()

    def _look(self) -> None:
        """Have a request that came in part be whole soon; the time does not begin anew with every byte."""
        theirs = self.conn.their_state
        if theirs is not h11.SEND_BODY and not (theirs is h11.IDLE and self.conn.trailing_data[0]):
            self._stop_waiting()
        elif self._to_be_whole is None:
            self._to_be_whole = self.loop.call_later(self.patience, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._to_be_whole is not None:
            self._to_be_whole.cancel()
            self._to_be_whole = None

    def pause_writing(self) -> None:
        """Have an answer that is not taken be taken soon."""
        super().pause_writing()
        if self._to_be_taken is None:
            self._to_be_taken = self.loop.call_later(self.taken_within, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: it is being taken."""
        super().resume_writing()
        if self._to_be_taken is not None:
            self._to_be_taken.cancel()
            self._to_be_taken = None


def guarded(
    connections: Connections, patience: float = PATIENCE, taken_within: float = TAKEN_WITHIN
) -> type[Guarded]:
    """Return uvicorn's protocol, in which a request must come whole within `patience` seconds.

    taken_within: seconds within which an answer must be taken
    """
    return type(
        "Guarded", (Guarded,), {"admitted": connections, "patience": patience, "taken_within": taken_within}
    )


class Doorkeeper(asyncio.Protocol):
    """Who comes to a server that speaks TLS: counted in before the handshake, which costs more than anything after it.

    made: the connection that goes on once the handshake is done; context: with which certificate
    """

    is_idle, was_answered, device = True, False, None
    """Nobody is answered before the handshake is done."""

    _under_way: ClassVar[set[asyncio.Task[None]]] = set()
    """Handshakes, which nobody else remembers."""

    def __init__(self, made: Guarded, context: ssl.SSLContext) -> None:
        self._connection, self._context = made, context
        self.address = ""
        self._transport: asyncio.Transport | None = None
        self._early = bytearray()
        self._counted_in = False
        self._since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it in and begin the handshake, or end it."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a server's connection is one of bytes in order")
        transport.pause_reading()  # until there is somebody who understands it
        self.address = str((transport.get_extra_info("peername") or ("",))[0])
        admitted = self._connection.admitted
        if not admitted.admit(self.address):
            transport.abort()
            return
        self._counted_in, self._transport = True, transport
        self._since = asyncio.get_running_loop().time()
        admitted.known[self] = None
        handshake = asyncio.get_running_loop().create_task(self._shake_hands(transport))
        self._under_way.add(handshake)
        handshake.add_done_callback(self._under_way.discard)

    @property
    def is_slow(self) -> bool:
        """Whether the handshake is so slow that it may be closed for another connection of its address."""
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
        if secured is None or not self._counted_in:
            self.give_way()
            return
        self._counted_in, connection.counted_in = False, True
        del connection.admitted.known[self]
        connection.connection_made(secured)
        secured.set_protocol(connection)
        if self._early:
            connection.data_received(bytes(self._early))

    def data_received(self, data: bytes) -> None:
        """Keep what came with the end of the handshake."""
        self._early += data

    def give_way(self) -> None:
        """End it, for another one to be counted in."""
        self._count_out()
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  as asyncio calls it
        """Count it out."""
        self._count_out()

    def _count_out(self) -> None:
        if self._counted_in:
            self._counted_in = False
            del self._connection.admitted.known[self]
            self._connection.admitted.leave(self.address)


_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\n"
    b"cache-control: no-store\r\nconnection: close\r\ncontent-length: 58\r\n\r\n"
    b"Too many are connected. Try again in a few seconds, please"
)


def raise_open_files(wanted: int = OPEN_FILES) -> int:
    """Let this process have `wanted` files open, as far as it may; return how many it may have."""
    if sys.platform == "win32":
        return wanted  # sockets are not counted among files there
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (ValueError, OSError):
            most = soft
        soft = most
    return wanted if soft == resource.RLIM_INFINITY else soft
