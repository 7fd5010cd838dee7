"""The application: every route of the room behind its guard."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tourney.publish.pages import fill
from tourney.serve import public, seat, staff
from tourney.serve.guard import Guard
from tourney.serve.live import News
from tourney.serve.sessions import NOBODY
from tourney.serve.visits import RefusedError, Room, Visit, Way, answer

MODULES = (public, seat, staff)
"""Whose routes there are; each has its `routes`."""

LAST = Way(path="/{address:path}", handler=public.anything_else)
"""What is asked when no other route is."""


def ways() -> tuple[Way, ...]:
    """Return every route there is."""
    return (*(way for module in MODULES for way in module.routes.ways), LAST)


def application(room: Room, report: Callable[[str], None] = lambda _: None) -> Starlette:
    """Return the application of a room whose event is `start`ed. report: is told of a fault of ours, in a line."""
    room.script, room.style = public.own_address("live.js"), public.own_address("live.css")

    def told(news: News) -> None:
        room.streams.tell(news.topics, news.version)

    def broken(fault: Exception) -> bytes:
        report(f"a bug: {type(fault).__name__}: {fault} ({_where(fault)})")
        t = room.labels
        return fill("live/broken.html", t=t)

    async def nothing_there(request: Request, fault: Exception) -> Response:
        status = fault.status_code if isinstance(fault, HTTPException) else 404
        visit = Visit(room, request, NOBODY)
        return await visit.refused(RefusedError(status, room.labels["no_page"]))

    room.event.on_news = told
    by_path: dict[str, dict[str, Way]] = {}
    for way in ways():
        methods = by_path.setdefault(way.path, {})
        for method in ("POST",) if way.form else ("GET", "HEAD"):
            assert method not in methods, f"two routes answer {method} {way.path}"
            methods[method] = way
    return Starlette(
        routes=[
            Route(path, _endpoint(room, methods), methods=[*methods]) for path, methods in by_path.items()
        ],
        middleware=[Middleware(Guard, names=room.names, broken=broken)],
        exception_handlers={HTTPException: nothing_there},
    )


def _endpoint(room: Room, methods: dict[str, Way]) -> Callable[[Request], Coroutine[Any, Any, Response]]:
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
