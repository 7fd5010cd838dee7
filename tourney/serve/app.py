"""The application, every route of the room behind its guard, and the server that it runs in, from beginning to end."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import ssl
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import uvicorn
from starlette import routing
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from tourney.errors import TourneyError
from tourney.publish.pages import fill
from tourney.serve import public, seat, staff
from tourney.serve.guard import (
    HEADER_BYTES,
    MOST_CONNECTIONS,
    Connections,
    Doorkeeper,
    Guard,
    Guarded,
    ServerNames,
    guarded,
    own_names,
    own_number,
    raise_open_files,
)
from tourney.serve.live import DESK, LiveEvent, News
from tourney.serve.visits import Cookies, RefusedError, Room, Route, Visit, answer
from tourney.store.devices import Devices
from tourney.wording import Message

MODULES = (public, seat, staff)
"""Whose routes there are; each has its `routes`."""

LAST = Route(path="/{address:path}", handler=public.anything_else)
"""What is asked when no other route is."""


FORM_ONLY = Route(path="", handler=public.own_page)
"""What answers who opens the address that a form was sent to."""


def all_routes() -> tuple[Route, ...]:
    """Return every route there is."""
    return (*(route for module in MODULES for route in module.routes), LAST)


def application(room: Room, report: Callable[[str], None] = lambda _: None) -> Starlette:
    """Return the application of a room whose event is `start`ed. report: is told of a fault of ours, in a line."""
    room.script, room.style = public.own_address("live.js"), public.own_address("live.css")

    def told(news: News) -> None:
        room.streams.tell(news.topics, news.version)

    def broken(fault: Exception) -> bytes:
        report(f"a bug: {type(fault).__name__}: {fault} ({_where(fault)})")
        return fill("live/broken.html", room.language)

    async def nothing_there(request: Request, fault: Exception) -> Response:
        status = fault.status_code if isinstance(fault, HTTPException) else 404
        visit = Visit(room, request)
        return await visit.refused(RefusedError(status, Message("page not found")))

    room.event.on_news = told
    by_path: dict[str, dict[str, Route]] = {}
    for route in all_routes():
        methods = by_path.setdefault(route.path, {})
        for method in ("POST",) if route.form else ("GET", "HEAD"):
            assert method not in methods, f"two routes answer {method} {route.path}"
            methods[method] = route
    for methods in by_path.values():
        if "GET" not in methods:
            methods["GET"] = methods["HEAD"] = FORM_ONLY
    return Starlette(
        routes=[
            routing.Route(path, _endpoint(room, methods), methods=[*methods])
            for path, methods in by_path.items()
        ],
        middleware=[Middleware(Guard, names=room.names, broken=broken)],
        exception_handlers={HTTPException: nothing_there},
    )


def _endpoint(room: Room, methods: dict[str, Route]) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    async def endpoint(request: Request) -> Response:
        return await answer(methods[request.method], room, request)

    return endpoint


def _where(fault: Exception) -> str:
    """Say in which line a fault arose."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "nowhere"
    return f"{trace.tb_frame.f_code.co_filename.rpartition('tourney')[2]}:{trace.tb_lineno}"


# -- The server: its socket, its address, its beginning and its end


LOOKS_AROUND = 2.0
"""Seconds between two looks at the machine's own address."""

ENDS_WITHIN = 2
"""Seconds that answers on their way are given at the end."""

FILES_BESIDE = 60
"""Open files that are not connections: the event, rules, the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """How to serve. host: at which of the machine's numbers; port: 0: any; url: the address that printed codes carry, empty: the own."""

    host: str = "0.0.0.0"  # noqa: S104  phones are to reach it
    port: int = 8017
    url: str = ""
    cert: Path | None = None
    key: Path | None = None
    read_only: bool = False
    staff_over_http: bool = False


@dataclass(frozen=True, slots=True)
class Announcer:
    """What the terminal is told as it comes. address: where the room is, at the start and when it changes; note: a line of warning; back: that it is over."""

    address: Callable[[str, Room], None]
    note: Callable[[str], None]
    back: Callable[[str], None] = lambda _: None


class _Server(uvicorn.Server):
    """uvicorn, whose handshakes have to come to an end, and whose streams end before it does."""

    def __init__(self, config: uvicorn.Config, room: Room) -> None:
        super().__init__(config)
        self._room = room

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in good order at Ctrl-C, and leave it at that."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handlers = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in handlers.items():
                signal.signal(each, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen at the sockets."""
        config, loop = self.config, asyncio.get_running_loop()
        self.lifespan = config.lifespan_class(config)

        def connection() -> Guarded:
            made = cast("Callable[..., Guarded]", config.http_protocol_class)
            return made(config=config, server_state=self.server_state, app_state=self.lifespan.state)

        def at_the_door() -> asyncio.Protocol:
            return Doorkeeper(connection(), config.ssl) if config.ssl else connection()

        self.servers = [
            await loop.create_server(at_the_door, sock=each, backlog=config.backlog) for each in sockets or ()
        ]
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then everything else."""
        self._room.streams.end("bye")
        await asyncio.sleep(0)
        await super().shutdown(sockets)


def serve(
    event: LiveEvent, devices_of: Callable[[str], Devices], options: ServerOptions, announcer: Announcer
) -> None:
    """Serve the event until Ctrl-C. devices_of: opens the devices of the event that begins with that digest.

    Raises TourneyError where the event, the port or the certificate will not do.
    """
    certificate = _certificate(options)
    with _listening(options.host, options.port) as listener, suppress(KeyboardInterrupt):
        logging.getLogger("uvicorn.error").disabled = True  # what it would print is for who runs a web site
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
            f"the certificate cannot be used: {fault.strerror or fault}", "`--cert FILE --key FILE`, both PEM"
        ) from None
    return context


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises TourneyError where the port is taken, or the host is not this machine's."""
    try:
        (family, kind, protocol, _, at), *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        listener = socket.socket(family, kind, protocol)
    except OSError as fault:
        raise TourneyError(f"cannot listen at {host}: {fault.strerror or fault}") from None
    try:
        if hasattr(
            socket, "SO_EXCLUSIVEADDRUSE"
        ):  # Windows, where the other option lets two listen at one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(at)
    except OSError as fault:
        listener.close()
        raise TourneyError(
            f"cannot listen at {host}, port {port}: {fault.strerror or fault}",
            "another port: `tourney serve --port 8018`; perhaps it is being served already",
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
        around = asyncio.create_task(_look_around(room, announcer))
        try:
            await server.serve([listener])
        finally:
            around.cancel()
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
        timeout_graceful_shutdown=ENDS_WITHIN,
        h11_max_incomplete_event_size=HEADER_BYTES,
    )
    config.load()
    config.ssl = certificate
    return config


def _most_connections(announcer: Announcer) -> int:
    """Return for how many connections there is room, and say where that is fewer than a large room wants."""
    room = raise_open_files() - FILES_BESIDE
    if room < MOST_CONNECTIONS:
        announcer.note(
            f"the system lets this program have {room} connections; a phone takes two or three (`ulimit -n 4096` gives more)"
        )
    return max(16, min(MOST_CONNECTIONS, room))


async def _look_around(room: Room, announcer: Announcer) -> None:
    """Tell the address, again when the machine has another one, and what cannot be read; end the streams of devices that were turned out."""
    address, number, passed, told = "", "", LOOKS_AROUND, ""
    while True:
        if passed >= LOOKS_AROUND:
            passed = 0
            if (now := own_number()) != number:
                number, room.names.own = now, room.names.own | own_names()
            if (now := room.names.address()) != address:
                if address:
                    room.moved_from = address
                    room.event.announce(DESK)
                address = now
                with suppress(TourneyError):  # codes can be typed without it
                    room.devices.note_address(address)
                announcer.address(address, room)
        try:
            room.streams.end("ended", room.devices.ended())  # the command line may have turned one out
            fault = room.event.fault
        except TourneyError as unreadable:  # who asks is refused meanwhile
            fault = unreadable
        if fault is not None and fault.message != told:
            announcer.note(fault.message)
        elif fault is None and told:
            announcer.back(f"the event can be read again, up to entry {room.event.state.entry}")
        told = fault.message if fault else ""
        await asyncio.sleep(0.5)
        passed += 0.5
