"""One request of one visitor: who asks, what may be asked for, what was sent, and the answers that can be given.

A route is a function of a `Visit`, put into a table (`Routes`) with who may ask for it. All that is the same for every
route is here: who asks (`Visitor`), whether the form is one of ours, its size, its key and its origin, and how a refusal of
the desk becomes a page.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl

from markupsafe import Markup
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tourney.errors import TourneyError
from tourney.publish.pages import Link, Live
from tourney.record import PlayerId
from tourney.serve.guard import DEVICE
from tourney.serve.live import ROOM, LiveEvent, Pages
from tourney.serve.streams import Streams
from tourney.store.devices import UnreadableError, read_code
from tourney.wording import Message, sentence

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.serve.guard import ServerNames
    from tourney.store.devices import Device, Devices, Login


# -- Who asks: the cookie of a device, what it may do, and the key that every form of it carries
#
# A token is 128 random bits or more in a cookie that no script can read and no other site can send. Of it the machine keeps
# a digest alone (`tourney.store.devices`). The key of a form is worked out of the token, so that it holds for as long as the
# session does, also over a restart, and nobody who has not seen the page can know it.


TOKEN = re.compile(r"[A-Za-z0-9_-]{16,100}")
"""What a token looks like; anything else in a cookie is none."""

YEAR = 366 * 24 * 3600
"""Seconds that a cookie is kept: nobody has to join twice in one event."""


class Role(StrEnum):
    """What a visitor is to the event."""

    SPECTATOR = "spectator"
    PLAYER = "player"
    JUDGE = "judge"
    SCOREKEEPER = "scorekeeper"
    ORGANIZER = "organizer"

    @property
    def rank(self) -> int:
        """0 for a spectator, 1 for a player, 2 for staff: for whom room is kept."""
        return 2 if self in STAFF else 1 if self in PLAYERS else 0


ANYBODY = frozenset(Role)
PLAYERS = frozenset({Role.PLAYER})
JUDGES = frozenset({Role.JUDGE, Role.ORGANIZER})
SCOREKEEPERS = frozenset({Role.SCOREKEEPER, Role.ORGANIZER})
STAFF = JUDGES | SCOREKEEPERS
"""Who may ask for what: sets of roles, as routes name them."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody's browser.

    token:  of the session; without one, of the visit: it gives no right, and keys its forms all the same
    device: the session's, as the desk knows it; None for a spectator
    """

    token: str
    device: Device | None = None

    @property
    def role(self) -> Role:
        """What the visitor is to the event."""
        return Role(self.device.role) if self.device else Role.SPECTATOR

    @property
    def player(self) -> PlayerId | None:
        """Whose seat the visitor speaks for, if any."""
        return PlayerId(self.device.player) if self.device and self.device.player is not None else None

    @property
    def session(self) -> str:
        """What the visitor is called in memory: nothing that could be sent back as a token."""
        return sha256(self.token.encode()).hexdigest()

    @property
    def key(self) -> str:
        """The key that each of this visitor's forms carries."""
        return hmac.new(self.token.encode(), b"a form of tourney", sha256).hexdigest()[:32]

    def has_key(self, given: str) -> bool:
        """Say whether a form came from a page of this visitor's."""
        return hmac.compare_digest(self.key.encode(), given.encode("utf-8", "surrogatepass"))


UNENCRYPTED = Message(
    "staff cannot enter anything over an unencrypted connection: anyone on the same Wi-Fi could read along. Open the"
    " link on the machine that serves the pages, or have the desk allow it or serve with a certificate"
)

NOBODY = Visitor("")
"""Of whom it could not be seen who it is."""


@dataclass(frozen=True, slots=True)
class Cookies:
    """The names of the two cookies: they tell events apart that are served from one machine, which cookies cannot."""

    event: str

    @property
    def session(self) -> str:
        """Of a device that joined."""
        return f"tourney-{self.event[:8]}"

    @property
    def visit(self) -> str:
        """Of anybody else."""
        return f"visit-{self.event[:8]}"

    def visitor(self, cookies: Mapping[str, str], devices: Devices) -> tuple[Visitor, bool]:
        """Return who asks, and whether the browser is to be given a token for the visit."""
        token = cookies.get(self.session, "")
        if TOKEN.fullmatch(token):
            device = devices.session(token)
            if device is not None and device.ended is None:
                return Visitor(token, device), False
        visit = cookies.get(self.visit, "")
        if TOKEN.fullmatch(visit):
            return Visitor(visit), False
        return Visitor(secrets.token_urlsafe(18)), True


# -- What was asked for, and the answers


FORM_BYTES = 64 * 1024
"""Bytes of a form; a decklist has a limit of its own."""

LONGEST_NAME = 200
"""Characters of a name or a table that a form may send; the desk has a limit of its own."""

MOST_FIELDS = 100
"""Fields of a form."""

MOST_FORMS = 120
"""Most forms of a device in a minute; a scorekeeper with a stack of slips sends one a second.

Before a device has signed in: forms with the same code from the same address.
"""

REMEMBERED = 4000
"""Most sessions whose notices are kept, and most senders whose forms are counted."""

T = TypeVar("T")


class RefusedError(TourneyError):
    """What the server itself refuses. status: of HTTP, as browsers and proxies understand it."""

    def __init__(self, status: int, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.status = status


FOREIGN_FORM = Message("this form does not belong to this event")
FIELD_EMPTY = Message("a required field is empty")
PLAYERS_ONLY = Message("this page is for players who have joined")
READ_ONLY = Message("these pages are read-only; report results at the desk")
"""Refusals of more than one form or page."""


class Remedy(NamedTuple):
    """A button that sends a form of staff. act: the form (`/desk/ACT`); fields: names and values."""

    act: str
    label: str
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Sentences at the top of the next page. refused: whether they are a refusal; remedies: buttons that help."""

    lines: tuple[str, ...]
    refused: bool = False
    remedies: tuple[Remedy, ...] = ()


@dataclass(slots=True)
class Rate:
    """How many forms a sender sent in the minute that began at `since`."""

    since: float
    sent: int = 0


@dataclass(slots=True, kw_only=True)
class Room:
    """All that the routes share: one event, who may do what in it, and who listens.

    read_only:       nobody enters anything from a phone
    staff_over_http: staff may write over plain HTTP, where what they send can be overheard
    notices:         what each session is still to be told
    moved_from:      where the room was before, empty where it is where it was at the start
    """

    event: LiveEvent
    devices: Devices
    cookies: Cookies
    names: ServerNames
    streams: Streams = field(default_factory=Streams)
    read_only: bool = False
    staff_over_http: bool = False
    script: str = "/live.js"
    style: str = "/live.css"
    notices: OrderedDict[str, Notice] = field(default_factory=OrderedDict)
    rates: OrderedDict[str, Rate] = field(default_factory=OrderedDict)
    moved_from: str = ""

    @property
    def language(self) -> str:
        """The language of the event's pages."""
        return self.event.pages.event.language

    def notify(self, visitor: Visitor, notice: Notice) -> None:
        """Keep what the visitor's next page is to tell."""
        self.notices[visitor.session] = notice
        while len(self.notices) > REMEMBERED:
            self.notices.popitem(last=False)

    def within_rate(self, sender: str, now: float) -> bool:
        """Count a form of a sender. Return whether the sender is within the limit of a minute.

        now: in seconds, of a clock that is never set
        """
        rate = self.rates.pop(sender, None)
        if rate is None or now - rate.since > 60:
            rate = Rate(now)
        rate.sent += 1
        self.rates[sender] = rate
        while len(self.rates) > REMEMBERED:
            self.rates.popitem(last=False)
        return rate.sent <= MOST_FORMS


@dataclass(slots=True, eq=False)
class Visit:
    """A request: its visitor, and what a form sent (`field`: the first of each name; `values` gives all).

    version: that of the latest news when the request arrived
    """

    room: Room
    request: Request
    visitor: Visitor
    newcomer: bool = False
    sent: Sequence[tuple[str, str]] = ()
    version: int = field(init=False)

    def __post_init__(self) -> None:
        self.version = self.room.event.latest_version

    # -- what was asked

    @property
    def path(self) -> Mapping[str, Any]:
        """The parts of the address that the route names."""
        return self.request.path_params

    def field(self, name: str, most: int = 500) -> str:
        """Return a field of the form without spaces around it; empty where it was not sent. Raises RefusedError where it is longer than `most`."""
        return self._checked(next((value for key, value in self.sent if key == name), ""), name, most)

    def needed(self, name: str, most: int = LONGEST_NAME) -> str:
        """Return a field of the staff's that has to be filled in. Raises RefusedError where it is empty or too long."""
        text = self.field(name, most)
        if not text:
            raise RefusedError(422, FIELD_EMPTY)
        return text

    def values(self, name: str, most: int = 500) -> tuple[str, ...]:
        """Return all fields of that name."""
        return tuple(self._checked(value, name, most) for key, value in self.sent if key == name)

    def number(self, name: str) -> int:
        """Return a field that is a whole number. Raises RefusedError where it is none: no page of ours sends that."""
        return self._number(self.field(name, 12))

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return all fields of that name, which are whole numbers."""
        return tuple(map(self._number, self.values(name, 12)))

    def _number(self, text: str) -> int:
        if not text.isascii() or not text.isdigit():
            raise RefusedError(400, FOREIGN_FORM)
        return int(text)

    def _checked(self, value: str, name: str, most: int) -> str:
        value = value.replace("\r\n", "\n").strip()
        if len(value) > most:
            raise RefusedError(
                413, Message("{name} may have at most {most} characters", name=name, most=most)
            )
        return value

    @property
    def asked(self) -> Mapping[str, str]:
        """What stands behind the `?` of the address."""
        return self.request.query_params

    # -- what the event says

    @property
    def event(self) -> LiveEvent:
        """The event."""
        return self.room.event

    async def write(self, act: Callable[[Desk], T]) -> T:
        """Change the event at the desk, in the writer's turn, signed as staff sign; raises TourneyError where it is refused.

        What a player does goes through `desk.own_seat`, which signs for itself.
        """
        device = self.visitor.device
        if device is None or self.visitor.role is Role.PLAYER:
            return await self.event.write(act)

        def signed(desk: Desk) -> T:
            with desk.signing(device.signature):
                return act(desk)

        return await self.event.write(signed)

    # -- answers

    async def page(
        self,
        template: str,
        address: str,
        *,
        topics: Iterable[str] = (ROOM,),
        status: int = 200,
        pages: Pages | None = None,
        **own: object,
    ) -> Response:
        """Answer with a page of a template, which extends publish's `page.html`.

        address: of the page, without the first slash; topics: what it is to be asked for again after; none: never
        own: what the template shows; it has `visitor`, `key` (for forms) and `room`, too
        """
        pages = pages or self.event.pages
        shown = {"visitor": self.visitor, "key": self.visitor.key, "room": self.room, **own}
        depth = (
            self.request.url.path.count("/") - 1
        )  # a page with a code in its address has another address in the navigation
        body = pages.site.fill(template, address, self.live(topics), depth=depth, **shown)
        return self.answer(HTMLResponse(body, status_code=status))

    def live(self, topics: Iterable[str], pages: Pages | None = None) -> Live:
        """Return what the server adds to a page.

        pages: those that the page is wholly made of; None: it shows the current event
        """
        topics = tuple(topics)
        if pages is None:
            # The page may have been read before news that arrived during this request, so it has not seen those.
            seen = min(self.event.version(topics), self.version)
        else:
            seen = self.event.version(topics, pages.versions)
        return Live(
            script=self.room.script,
            style=self.room.style,
            stream=f"/events?about={','.join(topics)}&seen={seen}" if topics else "",
            account=self._account(),
            signed_in=self.visitor.role is not Role.SPECTATOR,
            panel=self._panel(),
        )

    def _account(self) -> tuple[Link, ...]:
        role = self.visitor.role
        if role is Role.SPECTATOR:
            return () if self.room.read_only else (Link("/join", Message("Join as a player")),)
        if role is Role.PLAYER:
            return (Link("/me", Message("My page")),)
        return (Link("/judge", Message("Judge")) if role is Role.JUDGE else Link("/desk", Message("Desk")),)

    def _panel(self) -> str:
        from tourney.publish.pages import fill

        said = self.room.notices.pop(self.visitor.session, None)
        fault = self.event.fault
        staff = self.visitor.role.rank > 1
        overheard, moved = staff and not self.secure, self.room.moved_from if staff else ""
        if said is None and fault is None and not overheard and not moved:
            return ""
        facts = {
            "said": said,
            "key": self.visitor.key,
            "once": secrets.token_urlsafe(12),
            "at": self.request.url.path,
            "fault": fault,
            "overheard": overheard,
            "moved": moved,
            "address": self.room.names.address() if moved else "",
        }
        return Markup(fill("live/panel.html", self.room.language, **facts).decode())  # noqa: S704  a template of ours, which escapes

    @property
    def address(self) -> str:
        """Where the request comes from; a whole room may be behind one address."""
        return self.request.client.host if self.request.client else ""

    @property
    def secure(self) -> bool:
        """Whether the request cannot be overheard: it is encrypted, or does not leave this machine."""
        return self.encrypted or bool(self.request.scope["tourney.here"])

    @property
    def encrypted(self) -> bool:
        """Whether the request came over https, to this server or to a tunnel in front of it."""
        return self.origin.startswith("https:")

    @property
    def origin(self) -> str:
        """The origin of this server as the request named it."""
        return str(self.request.scope["tourney.origin"])

    def back(self, to: str, *lines: str, remedies: tuple[Remedy, ...] = ()) -> Response:
        """Answer a form: redirect to the page `to`, which shows `lines` and buttons."""
        if lines:
            self.room.notify(self.visitor, Notice(lines, remedies=remedies))
        return self.answer(RedirectResponse(to, 303))

    def joined(self, login: Login, to: str) -> Response:
        """Give the browser the session of a device that joined, and have it ask for page `to`."""
        answer = RedirectResponse(to, 303)
        self._give(answer, self.room.cookies.session, login.token)
        return answer

    def answer(self, answer: Response) -> Response:
        """Return an answer, with the token of a visit that begins."""
        if self.newcomer:
            self._give(answer, self.room.cookies.visit, self.visitor.token)
        return answer

    def _give(self, answer: Response, name: str, token: str) -> None:
        answer.set_cookie(
            name, token, max_age=YEAR, path="/", secure=self.encrypted, httponly=True, samesite="strict"
        )

    async def refused(self, fault: TourneyError) -> Response:
        """Answer with a page that says why not, and what helps as far as it does so on a phone."""
        if isinstance(fault, UnreadableError):
            fault = RefusedError(
                503,
                Message("the list of devices cannot be read at the moment; nothing was entered"),
                Message("tell the desk; you can still read the pages"),
            )  # where the file lies is the desk's to know
        status = fault.status if isinstance(fault, RefusedError) else 409
        message, hint = on_a_phone(fault)
        return await self.page(
            "live/refused.html", "refused", topics=(), status=status, message=message, hint=hint
        )


def on_a_phone(fault: TourneyError) -> tuple[str, str]:
    """Return a refusal and its hint as sentences. A hint that names a command line is left out."""
    hint = "" if fault.hint is None or _TYPED.search(fault.hint) else fault.hint
    return sentence(fault.message), sentence(hint)


_TYPED = re.compile(r"`(?:tourney |--)")


# -- routes


Handler = Callable[[Visit], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One route. may: the roles that may ask; form: whether it takes a form; most: bytes of it; writes: whether it enters something."""

    path: str
    handler: Handler
    may: frozenset[Role] = ANYBODY
    form: bool = False
    most: int = FORM_BYTES
    writes: bool = True


class Routes:
    """The routes of a module."""

    def __init__(self) -> None:
        self.all: list[Route] = []

    def page(self, path: str, *, may: frozenset[Role] = ANYBODY) -> Callable[[Handler], Handler]:
        """Answer GET at `path` by the function below, for those roles; it changes nothing."""

        def add(handler: Handler) -> Handler:
            self.all.append(Route(path=path, handler=handler, may=may))
            return handler

        return add

    def form(
        self, path: str, *, may: frozenset[Role], most: int = FORM_BYTES, writes: bool = True
    ) -> Callable[[Handler], Handler]:
        """Answer POST at `path` by the function below, for those roles.

        The form was looked at by then: its key, its origin, its size. most: bytes of it; writes: whether it enters
        anything into the event, which a server that is only to be read refuses
        """

        def add(handler: Handler) -> Handler:
            self.all.append(Route(path=path, handler=handler, may=may, form=True, most=most, writes=writes))
            return handler

        return add


async def answer(route: Route, room: Room, request: Request) -> Response:
    """Answer a request by its route: look who asks and what was sent, and turn refusals into pages."""
    room.event.asked_at = asyncio.get_running_loop().time()
    visit = Visit(room, request, NOBODY)
    try:
        visit.visitor, visit.newcomer = room.cookies.visitor(request.cookies, room.devices)
        if visit.visitor.device is not None:
            request.scope[DEVICE] = visit.visitor.device.number
        _authorize(route, visit)
        if route.form:
            visit.sent = await _read_form(route, visit)
        return await route.handler(visit)
    except TourneyError as fault:
        return await visit.refused(fault)


def _authorize(route: Route, visit: Visit) -> None:
    """Refuse who may not ask."""
    room, role = visit.room, visit.visitor.role
    if role not in route.may:
        audience = PLAYERS_ONLY if route.may == PLAYERS else Message("this page is for staff")
        raise RefusedError(403, audience, Message("The desk can tell you how to join"))
    if not route.form:
        return
    if route.writes and room.read_only:
        raise RefusedError(403, READ_ONLY)
    if route.writes and role.rank > 1 and not visit.secure and not room.staff_over_http:
        raise RefusedError(403, UNENCRYPTED)


async def _read_form(route: Route, visit: Visit) -> Sequence[tuple[str, str]]:
    """Read a form. Raises RefusedError for one that no page of this visitor's has sent."""
    request = visit.request
    if request.headers.get("origin", "").lower() != visit.origin:
        raise RefusedError(403, Message("this form was sent from another site; nothing was entered"))
    if (
        request.headers.get("content-type", "").partition(";")[0].strip().lower()
        != "application/x-www-form-urlencoded"
    ):
        raise RefusedError(415, FOREIGN_FORM)
    # A form of a signed-in device is counted before it is read, a stranger's after it, by its code.
    if visit.visitor.device is not None:
        _count(visit, f"device {visit.visitor.device.number}")
    body = await _body(request, route.most)
    try:
        sent = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise RefusedError(400, FOREIGN_FORM) from None
    if visit.visitor.device is None:
        _count(visit, f"{visit.address} {_code_meant(visit, sent)}")
    if not visit.visitor.has_key(next((value for key, value in sent if key == "key"), "")):
        raise RefusedError(
            403,
            Message(
                "the page was open for too long, or cookies are off; nothing was entered. Open the page again"
            ),
        )
    return sent


def _count(visit: Visit, sender: str) -> None:
    """Count a form. Raises RefusedError if its sender sent too many."""
    if not visit.room.within_rate(sender, asyncio.get_running_loop().time()):
        raise RefusedError(429, Message("too many requests; wait a minute. Nothing was entered"))


def _code_meant(visit: Visit, sent: Sequence[tuple[str, str]]) -> str:
    """Return the player or link that the code of a stranger's form belongs to; empty if there is no such code.

    Forms are counted by it and never by the cookie, which the stranger chooses. All unknown codes share one count, so that
    there are no more counts than players and links.
    """
    typed = next((value for key, value in sent if key == "code"), "")[:100].strip()
    code = read_code(typed)
    if code is not None:
        return f"#{code[0]}" if code[0] in visit.event.state.players else ""
    return typed if visit.room.devices.has_link(typed) else ""


async def _body(request: Request, most: int) -> bytes:
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise RefusedError(413, Message("this is too large; nothing was entered"))
    except ClientDisconnect:
        raise RefusedError(400, FOREIGN_FORM) from None
    return bytes(body)
