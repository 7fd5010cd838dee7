"""The routes for everyone: the public pages, the projector, news, and joining."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from functools import partial
from hashlib import sha256

import segno
from markupsafe import Markup
from msgspec import structs
from starlette.responses import JSONResponse, Response, StreamingResponse

from tourney.event.names import kept_apart
from tourney.publish import sheets
from tourney.publish.pages import PAGES, Live
from tourney.record import PlayerId
from tourney.serve.guard import POLICY
from tourney.serve.live import Pages
from tourney.serve.news import DESK, NEEDS, RESULTS, ROOM, about_player, on_page
from tourney.serve.visits import (
    HOMES,
    READ_ONLY,
    UNENCRYPTED,
    RefusedError,
    Role,
    Route,
    Visit,
    own_source,
)
from tourney.store.devices import read_code
from tourney.wording import Message

STATIC = {"live.js": "text/javascript", "live.css": "text/css"}
"""The files of `static/` by name, with their media types."""

ICON = "favicon.ico"
"""The icon that browsers request by default."""

KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "csv": "text/csv",
    "md": "text/markdown",
    "txt": "text/plain",
}
"""Media types by file extension."""

KEPT = "max-age=600"
"""The `Cache-Control` of style sheets and scripts, which do not change during the day."""


# -- public pages


async def home(visit: Visit) -> Response:
    """Show the home page."""
    return await _public(visit, "index.html")


async def projector(visit: Visit) -> Response:
    """Show the page for a projector."""
    return await _public(visit, "screen.html")


async def static_file(visit: Visit) -> Response:
    """Send the script that listens for news, or the style sheet of the server's own parts."""
    name = visit.request.url.path[1:]
    kept = "max-age=31536000, immutable" if visit.query.get("v") else KEPT
    return _kept(own_source(name), f"{STATIC[name]}; charset=utf-8", kept)


def _kept(content: bytes, media_type: str, kept: str = KEPT) -> Response:
    """Answer with a file that browsers keep in their cache. The answer sets no cookie."""
    return Response(content, media_type=media_type, headers={"cache-control": kept})


async def any_other(visit: Visit) -> Response:
    """Show the public page at an address, or send a file in another format."""
    address = visit.path["address"]
    if address == ICON:
        return _kept(own_source(ICON), "image/vnd.microsoft.icon")
    pages = await visit.event.fresh_pages()
    if address in pages.site.pages:
        return await _public(visit, address, pages)
    if address in (files := pages.files):
        kind = KINDS[address.rpartition(".")[2]]
        room = visit.room.names.address() if address == SLIPS else ""
        make = partial(_slips, pages, room) if room else files[address]
        body, _ = await visit.event.rendered(pages, address, room, make)
        if kind == "text/html":
            return sheet_to_print(visit, body)
        headers = {"cache-control": KEPT} if kind in {"text/css", "text/javascript"} else {}
        return visit.answer(Response(body, media_type=f"{kind}; charset=utf-8", headers=headers))
    raise RefusedError(404, Message("this event has no page at this address"))


SLIPS = "sheets/slips.html"
"""The address of the result slips, whose QR codes open the tables' pages on this server."""


def _slips(pages: Pages, room: str) -> bytes:
    here = structs.replace(pages.event, address="")  # so that the codes open this server
    return sheets.sheet("slips", here, room=room)


def sheet_to_print(visit: Visit, body: bytes) -> Response:
    """Answer with a sheet for printing, which contains its own style sheet."""
    headers = {"content-security-policy": _sheet_policy(body)}
    return visit.answer(Response(body, media_type="text/html; charset=utf-8", headers=headers))


def _sheet_policy(sheet: bytes) -> str:
    """Return the content security policy of a sheet, which allows its style sheet by digest."""
    style = sheet.partition(b"<style>")[2].partition(b"</style>")[0]
    digest = b64encode(sha256(style).digest()).decode()
    return POLICY.replace("style-src 'self'", f"style-src 'self' 'sha256-{digest}'", 1)


async def _public(visit: Visit, address: str, pages: Pages | None = None) -> Response:
    """Answer with a public page, which is made once for all visitors with the same role."""
    pages = pages or await visit.event.fresh_pages()
    topics = _topics(address)
    template, own = pages.site.pages[address]
    if address.startswith("player/"):
        player = own["player"]
        own = {"player": structs.replace(player, why=await visit.event.why(pages, player.player))}

    def make(live: Live) -> bytes:
        return pages.site.fill(template, address, live, **own)

    live = visit.live(topics, pages)
    if live.panel:
        return _html(visit, make(live))
    page = await visit.event.rendered(pages, address, visit.visitor.role, lambda: make(live))
    return _html(visit, *page)


def _html(visit: Visit, page: bytes, compressed: bytes = b"") -> Response:
    headers = {"vary": "accept-encoding, cookie"}
    if compressed and "gzip" in visit.request.headers.get("accept-encoding", ""):
        page, headers["content-encoding"] = compressed, "gzip"
    return visit.answer(Response(page, media_type="text/html; charset=utf-8", headers=headers))


def _topics(address: str) -> tuple[str, ...]:
    if address.startswith("player/"):
        return (ROOM, on_page(address[7:-5]))
    if address == "needs.html":
        return (ROOM, NEEDS)
    static = {page.address for page in PAGES if page.is_static}
    return () if address in static or address.startswith("deck/") else (ROOM, RESULTS)


async def poster(visit: Visit) -> Response:
    """Show a sheet for printing that has the server's address and its QR code."""
    where = visit.room.names.address()
    code = segno.make(where, micro=False, error="m").svg_inline(border=2, omitsize=True)
    drawn = Markup(code)  # noqa: S704  drawn by us
    return await visit.page("live/poster.html", "poster", topics=(), where=where, code=drawn)


# -- news


async def events(visit: Visit) -> Response:
    """Send news as a stream.

    If there are too many streams, answer with status 204, so that browsers do not try again.
    """
    if visit.request.method == "HEAD":
        return visit.answer(Response(status_code=204))
    topics = _allowed(visit)
    streams = visit.room.streams
    visitor = visit.visitor
    device = visitor.device.number if visitor.device else None
    stream = streams.begin(visitor.session, topics, visitor.role.rank, device, visit.address)
    if stream is None:
        return visit.answer(Response(status_code=204))

    async def lines() -> AsyncIterator[bytes]:
        try:
            async for line in stream.lines(visit.event.version(topics)):
                yield line
        finally:
            streams.close(stream)

    unbuffered = {"x-accel-buffering": "no"}
    return visit.answer(StreamingResponse(lines(), media_type="text/event-stream", headers=unbuffered))


async def head(visit: Visit) -> Response:
    """Return the current version of the requested topics, for pages without a stream."""
    return visit.answer(JSONResponse({"version": visit.event.version(_allowed(visit))}))


def _allowed(visit: Visit) -> tuple[str, ...]:
    """Return those of the requested topics whose news the visitor may get."""
    staff, own = visit.visitor.role.rank > 1, visit.visitor.player

    def may_follow(topic: str) -> bool:
        kind, _, number = topic.partition(":")
        if kind == "player":
            return staff or (own is not None and topic == about_player(own))
        return (
            topic in {ROOM, RESULTS}
            or (topic == NEEDS and visit.event.state.settings.phones.forecast == "all")
            or (topic == DESK and staff)
            or (kind == "page" and _is_player(visit, number))
        )

    requested = dict.fromkeys(visit.query.get("about", ROOM)[:200].split(","))
    return tuple(filter(may_follow, requested)) or (ROOM,)


def _is_player(visit: Visit, number: str) -> bool:
    return (
        number.isascii() and number.isdigit() and len(number) < 8 and int(number) in visit.event.state.players
    )


async def own_page(visit: Visit) -> Response:
    """Redirect to the visitor's own page when a browser reloads the answer to a form."""
    role = visit.visitor.role
    return visit.back("/" if role is Role.SPECTATOR else HOMES[role].path)


# -- joining


async def join(visit: Visit) -> Response:
    """Show the form for a personal code, or a button to join with the code of the link.

    A phone that has joined gets a link to its own page instead.
    """
    code, state = visit.path.get("code", ""), kept_apart(visit.event.public)
    parsed_code = read_code(code[:100])
    player = state.players.get(PlayerId(parsed_code[0])) if parsed_code else None
    own = visit.visitor.player
    if own is not None and own in state.players:
        return await visit.page("live/joined.html", "join", topics=(), name=state.name_of(own))
    name = player.name if player else ""
    return await _ask_to_join(visit, code, "/join", _no_players(visit), name)


async def join_as_staff(visit: Visit) -> Response:
    """Show a button to join as staff.

    A staff link works only once. Without the button, a program that only previews the link would use it up.
    """
    return await _ask_to_join(visit, visit.path["secret"], "/join/staff", _no_staff(visit))


def _no_players(visit: Visit) -> RefusedError | None:
    """Return why players cannot join; None if they can."""
    return RefusedError(403, READ_ONLY) if visit.room.read_only else None


def _no_staff(visit: Visit) -> RefusedError | None:
    """Return why staff cannot join; None if they can."""
    if visit.secure or visit.room.staff_over_http:
        return None
    return RefusedError(403, UNENCRYPTED)


async def _ask_to_join(
    visit: Visit, code: str, to: str, refused: RefusedError | None = None, name: str = ""
) -> Response:
    """Show the form for joining.

    refused: why joining is not possible; None if it is possible
    name: the name of the player to whom the code belongs; empty for an unknown code
    """
    return await visit.page(
        "live/join.html", "join", topics=(), fault=refused, code=code[:100], to=to, name=name
    )


async def send_code(visit: Visit) -> Response:
    """Sign the device in as the player to whom the sent code belongs."""
    if refused := _no_players(visit):
        raise refused
    parsed_code = read_code(visit.text("code", 100))
    if parsed_code is None or parsed_code[0] not in visit.event.state.players:
        raise RefusedError(403, Message("that is not a code of this event. Codes look like 7-K3QF-92XD"))
    if visit.visitor.role is not Role.SPECTATOR:
        if visit.visitor.player == parsed_code[0]:  # a double tap
            return visit.back("/me")
        raise RefusedError(
            409,
            Message("this device has already joined"),
            Message("to join as another player, ask the desk to remove it first"),
        )
    login = await asyncio.to_thread(partial(visit.room.devices.bind, *parsed_code, request=visit.visitor.key))
    return visit.joined(login, HOMES[Role.PLAYER].path)


async def use_staff_link(visit: Visit) -> Response:
    """Sign the device in by a staff link, which works only once."""
    if refused := _no_staff(visit):
        raise refused
    secret = visit.text("code", 100)
    login = await asyncio.to_thread(partial(visit.room.devices.use_link, secret, request=visit.visitor.key))
    return visit.joined(login, HOMES[Role(login.device.role)].path)


# -- the table of routes

routes = (
    Route("/", home),
    Route("/screen", projector),
    Route("/poster", poster),
    Route("/live.js", static_file),
    Route("/live.css", static_file),
    Route("/events", events),
    Route("/head", head),
    Route("/join", join),
    Route("/join/staff/{secret}", join_as_staff),
    Route("/join/{code}", join),
    Route("/join", send_code, form=True, most=4096, writes=False),
    Route("/join/staff", use_staff_link, form=True, most=4096, writes=False),
)
