"""The web application, which has all routes, and the server that runs it."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import ssl
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import cast

import uvicorn
from msgspec import Struct
from starlette import routing
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from tourney.errors import TourneyError
from tourney.publish.language import fill
from tourney.serve import public, seat, staff
from tourney.serve.guard import (
    HEADER_BYTES,
    MOST_CONNECTIONS,
    Connections,
    Guard,
    Guarded,
    Handshake,
    ServerNames,
    guarded,
    own_names,
    own_number,
    raise_open_files,
)
from tourney.serve.live import LiveEvent
from tourney.serve.news import DESK
from tourney.serve.visits import Cookies, RefusedError, Room, Route, Visit, answer
from tourney.store.devices import Devices
from tourney.wording import Message

MODULES = (public, seat, staff)
"""The modules that have a table `routes`."""


def all_routes() -> tuple[Route, ...]:
    """Return the routes that the server's modules define, and a last one for any other address."""
    last = Route("/{address:path}", public.any_other)
    return (*(route for module in MODULES for route in module.routes), last)


def application(room: Room, report: Callable[[str], None] = lambda _: None) -> Starlette:
    """Return the web application that serves the event of `room`.

    room:   the event and the values that all pages share; the event must have been started
    report: a function that is called with a line of text about each bug
    """

    def broken(fault: Exception) -> bytes:
        report(f"a bug: {type(fault).__name__}: {fault} ({_where(fault)})")
        return fill("live/broken.html", room.language)

    async def not_found(request: Request, fault: Exception) -> Response:
        status = fault.status_code if isinstance(fault, HTTPException) else 404
        visit = Visit(room, request)
        return await visit.refused(RefusedError(status, Message("page not found")))

    room.event.on_news = room.streams.send_news
    routes = all_routes()
    pages = {route.path for route in routes if not route.form}
    # If a user reloads the answer to a form, the browser sends GET to the address of the form.
    reloads = [Route(route.path, public.own_page) for route in routes if route.path not in pages]
    # A path with a parameter, such as `/join/{code}`, also matches fixed paths, so it comes after them.
    in_order = sorted((*routes, *reloads), key=lambda route: "{" in route.path)
    return Starlette(
        routes=[
            routing.Route(route.path, partial(answer, route, room), methods=["POST" if route.form else "GET"])
            for route in in_order
        ],
        middleware=[Middleware(Guard, names=room.names, broken=broken)],
        exception_handlers={HTTPException: not_found},
    )


def _where(fault: Exception) -> str:
    """Return the file and line in which an exception was raised."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{frame.filename.rpartition('tourney')[2]}:{frame.lineno}"


# -- the server

ADDRESS_CHECK = 2.0
"""Seconds between two checks of the machine's own address."""

SHUTDOWN = 2
"""Seconds that answers in progress have to finish when the server stops."""

OTHER_FILES = 60
"""The number of files that may be open besides connections.

These are the event, the rules, and files of the program.
"""


class ServerOptions(Struct, frozen=True, kw_only=True):
    """The options of `tourney serve`.

    host:            the address of the machine to listen on
    port:            the port to listen on; 0 for any free one
    url:             the address of the server in links and printed QR codes; empty for this machine's own
                     address
    cert, key:       the files of the TLS certificate and its key; None for plain HTTP
    read_only:       whether all forms are refused, except the one by which staff join
    staff_over_http: whether staff may send forms over plain HTTP, which others can read
    """

    host: str = "0.0.0.0"  # noqa: S104  so that phones can reach it
    port: int = 8017
    url: str = ""
    cert: Path | None = None
    key: Path | None = None
    read_only: bool = False
    staff_over_http: bool = False


class Announcer(Struct, frozen=True):
    """Functions that print to the terminal.

    address: prints the address of the server, at the start and when it changes
    note: prints a warning
    back: prints that the event can be read again after a fault
    """

    address: Callable[[str, Room], None]
    note: Callable[[str], None]
    back: Callable[[str], None] = lambda _: None


class _Server(uvicorn.Server):
    """uvicorn's server with a time limit for handshakes.

    At shutdown, it first ends the streams by which open pages get news.
    """

    def __init__(self, config: uvicorn.Config, room: Room) -> None:
        super().__init__(config)
        self._room = room

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down at Ctrl-C. uvicorn's own method would raise the signal again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handlers = {kind: signal.signal(kind, self.handle_exit) for kind in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for kind, handler in handlers.items():
                signal.signal(kind, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen on the sockets."""
        config, loop = self.config, asyncio.get_running_loop()
        self.lifespan = config.lifespan_class(config)

        def connection() -> Guarded:
            make = cast("Callable[..., Guarded]", config.http_protocol_class)
            return make(config=config, server_state=self.server_state, app_state=self.lifespan.state)

        def protocol() -> asyncio.Protocol:
            return Handshake(connection(), config.ssl) if config.ssl else connection()

        self.servers = [
            await loop.create_server(protocol, sock=listener, backlog=config.backlog)
            for listener in sockets or ()
        ]
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the connections."""
        self._room.streams.end("bye")
        await asyncio.sleep(0)
        await super().shutdown(sockets)


def serve(
    event: LiveEvent, devices_of: Callable[[str], Devices], options: ServerOptions, announcer: Announcer
) -> None:
    """Serve the event until Ctrl-C.

    devices_of: takes the digest of the event's first entry, and returns the event's join codes and devices

    Raises TourneyError if the event, the port or the certificate cannot be used.
    """
    certificate = _certificate(options)
    with _listening(options.host, options.port) as listener, suppress(KeyboardInterrupt):
        logging.getLogger("uvicorn.error").disabled = True  # its messages are for operators of web sites
        logging.getLogger("asyncio").disabled = True
        asyncio.run(_serve(event, devices_of, options, announcer, listener=listener, certificate=certificate))


def _certificate(options: ServerOptions) -> ssl.SSLContext | None:
    if options.cert is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(options.cert, options.key)
    except (OSError, ssl.SSLError) as fault:
        raise TourneyError(
            f"the certificate cannot be used: {fault.strerror or fault}",
            "use `--cert FILE --key FILE`, with files in the PEM format",
        ) from None
    return context


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to a host and port.

    Raises TourneyError if the port is in use, or if the host is not an address of this machine.
    """
    try:
        (family, kind, protocol, _, at), *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        listener = socket.socket(family, kind, protocol)
    except OSError as fault:
        raise TourneyError(f"cannot listen at {host}: {fault.strerror or fault}") from None
    try:
        # On Windows, SO_REUSEADDR would let two servers listen on one port.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(at)
    except OSError as fault:
        listener.close()
        raise TourneyError(
            f"cannot listen at {host}, port {port}: {fault.strerror or fault}",
            "use another port: `tourney serve --port 8018`; perhaps the event is already being served",
        ) from None
    return listener


async def _serve(
    event: LiveEvent,
    devices_of: Callable[[str], Devices],
    options: ServerOptions,
    announcer: Announcer,
    *,
    listener: socket.socket,
    certificate: ssl.SSLContext | None,
) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _about: None)
    await event.start()
    try:
        names = ServerNames(
            port=listener.getsockname()[1],
            secure=certificate is not None,
            url=options.url,
            host="" if options.host in {"0.0.0.0", "::"} else options.host.lower(),  # noqa: S104
            own=own_names() | {options.host.lower()},
        )
        room = Room(
            event=event,
            devices=devices_of(event.started_with),
            cookies=Cookies(event.started_with),
            names=names,
            read_only=options.read_only,
            staff_over_http=options.staff_over_http,
        )
        server = _Server(_config(room, announcer, certificate), room)
        bugs: list[BaseException] = []

        def end(bug: BaseException) -> None:
            bugs.append(bug)
            server.should_exit = True

        event.on_bug = end
        watching = asyncio.create_task(_watch_machine(room, announcer))
        try:
            await server.serve([listener])
        finally:
            watching.cancel()
        if bugs:
            raise bugs[0]
    finally:
        await event.stop()


def _config(room: Room, announcer: Announcer, certificate: ssl.SSLContext | None) -> uvicorn.Config:
    config = uvicorn.Config(
        application(room, announcer.note),
        loop="asyncio",
        http=guarded(Connections(_most_connections(announcer))),
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=SHUTDOWN,
        h11_max_incomplete_event_size=HEADER_BYTES,
    )
    config.load()
    config.ssl = certificate
    return config


def _most_connections(announcer: Announcer) -> int:
    """Return the maximum number of connections.

    Prints a warning if the system allows fewer than a large venue needs.
    """
    most = raise_open_files() - OTHER_FILES
    if most < MOST_CONNECTIONS:
        announcer.note(
            f"the system allows this program only {most} connections, and a phone needs two or three"
            " (`ulimit -n 4096` allows more)"
        )
    return max(16, min(MOST_CONNECTIONS, most))


async def _watch_machine(room: Room, announcer: Announcer) -> None:
    """Watch the server's address, the event and the removed devices, until cancelled.

    Prints the address at the start and after each change. Prints why the event or the file of devices cannot
    be used, and later that the event can be read again. Ends the streams of removed devices.
    """
    address, number, passed, printed = "", "", ADDRESS_CHECK, ""
    while True:
        if passed >= ADDRESS_CHECK:
            passed = 0
            if (now := own_number()) != number:
                number, room.names.own = now, room.names.own | own_names()
            if (now := room.names.address()) != address:
                if address:
                    room.moved_from = address
                    room.event.announce(DESK)
                address = now
                with suppress(TourneyError):  # the address is only needed for links
                    room.devices.note_address(address)
                announcer.address(address, room)
        try:
            room.streams.end("ended", room.devices.ended())  # the command line may have removed a device
            fault = room.event.fault
        except TourneyError as unreadable:  # requests are refused until the file can be read
            fault = unreadable
        if fault is not None and fault.message != printed:
            announcer.note(fault.message)
        elif fault is None and printed:
            announcer.back(f"the event can be read again, up to entry {room.event.state.entry}")
        printed = fault.message if fault else ""
        await asyncio.sleep(0.5)
        passed += 0.5
