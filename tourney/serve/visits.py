"""A request with its visitor and its form, and the possible answers.

A `Visit` is one request. A `Route` has a function that answers a visit, and the roles that may use the route;
each module has a table of its routes. This module has what all routes share: it identifies the visitor,
checks a form (size, key, origin, rate), and shows errors.

A visitor is recognized by a random token in a cookie that no script can read and no other site can send. The
machine keeps only a digest of the token (`tourney.store.devices`). The secret key that every form must
contain is derived from the token. Therefore it is valid as long as the session, even after a restart.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from hashlib import sha256
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import parse_qs

from markupsafe import Markup
from msgspec import Struct, field
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tourney.errors import TourneyError
from tourney.publish.language import fill
from tourney.publish.pages import Link, Live
from tourney.record import PlayerId
from tourney.serve.guard import DEVICE
from tourney.serve.live import LiveEvent, Pages
from tourney.serve.news import ROOM, Streams
from tourney.store.devices import UnreadableError, read_code
from tourney.wording import Message, sentence

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.serve.guard import ServerNames
    from tourney.store.devices import Device, Devices, Login

T = TypeVar("T")


# -- the visitor

TOKEN = re.compile(r"[A-Za-z0-9_-]{16,100}")
"""The format of a token. A cookie with any other value is ignored."""

YEAR = 366 * 24 * 3600
"""The lifetime of a cookie in seconds, long enough that a player joins an event only once."""


class Role(StrEnum):
    """The role of a visitor in the event."""

    SPECTATOR = "spectator"
    PLAYER = "player"
    JUDGE = "judge"
    SCOREKEEPER = "scorekeeper"
    ORGANIZER = "organizer"

    @property
    def rank(self) -> int:
        """The rank of the role: 0 for a spectator, 1 for a player, 2 for staff.

        Some streams are reserved for ranks 1 and 2.
        """
        return 2 if self in STAFF else 1 if self in PLAYERS else 0


ANYBODY = frozenset(Role)
PLAYERS = frozenset({Role.PLAYER})
ORGANIZERS = frozenset({Role.ORGANIZER})
JUDGES = frozenset({Role.JUDGE, Role.ORGANIZER})
SCOREKEEPERS = frozenset({Role.SCOREKEEPER, Role.ORGANIZER})
STAFF = JUDGES | SCOREKEEPERS
"""Sets of roles. A route names the set of roles that may use it."""

HOMES = {
    Role.SPECTATOR: Link("/join", Message("Join as a player")),
    Role.PLAYER: Link("/me", Message("My page")),
    Role.JUDGE: Link("/judge", Message("Judge")),
    Role.SCOREKEEPER: Link("/desk", Message("Desk")),
    Role.ORGANIZER: Link("/desk", Message("Desk")),
}
"""The first page of each role."""


class Visitor(Struct, frozen=True):
    """A browser that sends requests.

    token:  the token in the browser's cookie. It identifies the session of a device that has joined. Any
            other browser also has a token, which gives no rights. The key in forms is made from the token
    device: the device that has joined; None for a spectator
    """

    token: str
    device: Device | None = None

    @property
    def role(self) -> Role:
        """The role of the visitor in the event."""
        return Role(self.device.role) if self.device else Role.SPECTATOR

    @property
    def player(self) -> PlayerId | None:
        """The number of the visitor's player; None for spectators and staff."""
        return PlayerId(self.device.player) if self.device and self.device.player is not None else None

    @property
    def session(self) -> str:
        """An identifier of the session that cannot be used as a token."""
        return sha256(self.token.encode()).hexdigest()

    @property
    def key(self) -> str:
        """The key that each of this visitor's forms must contain."""
        return hmac.new(self.token.encode(), b"a form of tourney", sha256).hexdigest()[:32]


NO_VISITOR = Visitor("")
"""The visitor of a request whose cookies were not read."""


class Cookies:
    """The names of the two cookies that the server uses.

    The names contain the start of the event's digest, because a browser shares cookies between all ports of a
    machine.

    session: the cookie of a device that joined
    visit: the cookie of any other browser
    """

    def __init__(self, event: str) -> None:
        self.session, self.visit = f"tourney-{event[:8]}", f"visit-{event[:8]}"

    def visitor(self, cookies: Mapping[str, str], devices: Devices) -> tuple[Visitor, bool]:
        """Return the visitor with these cookies, and whether the browser still needs a cookie."""
        token = cookies.get(self.session, "")
        if TOKEN.fullmatch(token):
            device = devices.session(token)
            if device is not None and device.ended is None:
                return Visitor(token, device), False
        visit = cookies.get(self.visit, "")
        if TOKEN.fullmatch(visit):
            return Visitor(visit), False
        return Visitor(secrets.token_urlsafe(18)), True


# -- refusals and notices

FORM_BYTES = 64 * 1024
"""The maximum size of a form in bytes. Forms with a decklist have another limit."""

LONGEST_NAME = 200
"""The maximum number of characters of a name or table in a form; the desk has its own limit."""

MOST_FIELDS = 100
"""The maximum number of fields of a form."""

MOST_FORMS = 120
"""The maximum number of forms from a sender in a minute; a scorekeeper with slips sends 60.

A sender is a device that has joined. Forms of other devices are counted by the code in the form, and by
address.
"""

REMEMBERED = 4000
"""The maximum number of sessions with notices, and of senders whose forms are counted."""


class RefusedError(TourneyError):
    """A request is refused by the server itself, not by the desk. status: the HTTP status."""

    def __init__(self, status: int, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.status = status


FOREIGN_FORM = Message("this form does not belong to this event")
FIELD_EMPTY = Message("a required field is empty")
PLAYERS_ONLY = Message("this page is for players who have joined")
READ_ONLY = Message("these pages are read-only; report results at the desk")
UNENCRYPTED = Message(
    "staff cannot enter anything over an unencrypted connection: anyone on the same Wi-Fi could read it."
    " Open the link on the computer that serves the pages, or ask the organizer to serve the pages with a"
    " certificate or to allow this connection"
)
"""The messages of errors that can occur on several forms or pages."""


class Remedy(NamedTuple):
    """A button on a staff page, which sends one form with fixed values.

    act: the form; it is sent to `/desk/ACT`
    label: the text on the button
    fields: the names and values of the form's fields
    """

    act: str
    label: str
    fields: tuple[tuple[str, str], ...] = ()


class Notice(Struct, frozen=True):
    """Sentences to show at the top of the visitor's next page. remedies: the buttons below them."""

    lines: tuple[str, ...]
    remedies: tuple[Remedy, ...] = ()


def refusal_text(fault: TourneyError) -> tuple[str, str]:
    """Return an error and its hint as sentences.

    A hint that names a command or an option is left out.
    """
    hint = "" if fault.hint is None or _COMMAND.search(fault.hint) else fault.hint
    return sentence(fault.message), sentence(hint)


_COMMAND = re.compile(r"\x60tourney |(?<![\w-])--[a-z]")
"""A command or an option of the command line, which a page cannot offer."""


# -- values that all routes share


class Room(Struct, kw_only=True):
    """The event that is served, and the other values that all routes share.

    read_only: whether all forms are refused, except the one by which staff join
    staff_over_http: whether staff may send forms over plain HTTP, which others can read
    notices: session → the notice for its next page
    rates: sender → the number of its forms in a minute, and when that minute began
    moved_from: the previous address of the server; empty if the address has not changed
    """

    event: LiveEvent
    devices: Devices
    cookies: Cookies
    names: ServerNames
    streams: Streams = field(default_factory=Streams)
    read_only: bool = False
    staff_over_http: bool = False
    notices: OrderedDict[str, Notice] = field(default_factory=OrderedDict)
    rates: OrderedDict[str, tuple[int, float]] = field(default_factory=OrderedDict)
    moved_from: str = ""

    @property
    def language(self) -> str:
        """The language of the event's pages."""
        return self.event.pages.event.language

    def notify(self, visitor: Visitor, notice: Notice) -> None:
        """Keep a notice for the visitor's next page."""
        self.notices[visitor.session] = notice
        while len(self.notices) > REMEMBERED:
            self.notices.popitem(last=False)

    def within_rate(self, sender: str, now: float) -> bool:
        """Count a submitted form. Return False if the sender exceeds `MOST_FORMS` in a minute.

        now: the time in seconds of a monotonic clock
        """
        sent, since = self.rates.pop(sender, (0, now))
        if now - since > 60:
            sent, since = 0, now
        self.rates[sender] = sent + 1, since
        while len(self.rates) > REMEMBERED:
            self.rates.popitem(last=False)
        return sent < MOST_FORMS


class Visit(Struct, eq=False):
    """A request.

    newcomer: whether the browser still needs a cookie for its visit
    sent: the fields of its form → their values
    version: the version of the latest news when the request arrived
    """

    room: Room
    request: Request
    visitor: Visitor = NO_VISITOR
    newcomer: bool = False
    sent: Mapping[str, Sequence[str]] = field(default_factory=dict)
    version: int = 0

    def __post_init__(self) -> None:
        self.version = self.room.event.latest_version

    @property
    def event(self) -> LiveEvent:
        """The event that the server shows."""
        return self.room.event

    @property
    def path(self) -> Mapping[str, Any]:
        """The values of the route's path parameters."""
        return self.request.path_params

    @property
    def query(self) -> Mapping[str, str]:
        """The values after the `?` of the address."""
        return self.request.query_params

    # -- the form

    @property
    def act(self) -> str:
        """The name of the form that was sent: the last part of the address."""
        return self.request.url.path.rpartition("/")[2]

    def texts(self, name: str, most: int = 500) -> tuple[str, ...]:
        """Return all values of a field, without surrounding spaces.

        Raises RefusedError if a value has more than `most` characters.
        """
        texts = tuple(value.replace("\r\n", "\n").strip() for value in self.sent.get(name, ()))
        if any(len(text) > most for text in texts):
            raise RefusedError(
                413, Message("{name} may have at most {most} characters", name=name, most=most)
            )
        return texts

    def text(self, name: str, most: int = 500) -> str:
        """Return the value of a field; empty if it was not sent.

        Raises RefusedError as `texts` does.
        """
        return next(iter(self.texts(name, most)), "")

    def required(self, name: str, most: int = LONGEST_NAME) -> str:
        """Return the value of a field that must be filled in.

        Raises RefusedError if it is empty or too long.
        """
        text = self.text(name, most)
        if not text:
            raise RefusedError(422, FIELD_EMPTY)
        return text

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return all values of a field of whole numbers. Raises RefusedError for any other value."""
        texts = self.texts(name, 12)
        if not all(text.isascii() and text.isdigit() for text in texts):
            raise RefusedError(400, FOREIGN_FORM)
        return tuple(map(int, texts))

    def number(self, name: str) -> int:
        """Return the value of a field with a whole number.

        Raises RefusedError for any other value, and if there is no value.
        """
        numbers = self.numbers(name)
        if not numbers:
            raise RefusedError(400, FOREIGN_FORM)
        return numbers[0]

    def optional_number(self, name: str) -> int | None:
        """Return a whole number; None if the field is empty.

        Raises RefusedError for any other value.
        """
        return self.number(name) if self.text(name, 12) else None

    def ticked(self, name: str) -> bool:
        """Return whether a check box is ticked."""
        return bool(self.text(name))

    @property
    def fields(self) -> Mapping[str, str]:
        """The first value of each field, for showing the form again."""
        return {name: values[0] for name, values in self.sent.items()}

    @property
    def staff_device(self) -> Device:
        """The device of a visitor who is a member of the staff."""
        assert self.visitor.device is not None, "staff have joined with a device"
        return self.visitor.device

    async def write(self, act: Callable[[Desk], T]) -> T:
        """Change the event in the writer's thread; entries are signed with the staff device.

        `desk.own_seat` signs players' changes itself. Raises TourneyError if the change is refused.
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
        fault: TourneyError | None = None,
        **own: object,
    ) -> Response:
        """Answer with a page from a template that extends `page.html`.

        address: the address of the page, without the first slash
        topics: the topics whose news make the page load again
        fault: an error to show on the page. If a form caused the error, the status is 409
        own: values for the template, in addition to `visitor`, `room`, `key` and `once` (the last two are for
             forms)
        """
        pages = pages or self.event.pages
        if fault is not None:
            own["refused"] = refusal_text(fault)
            status = 409 if self.sent else status
        shared = {
            "visitor": self.visitor,
            "room": self.room,
            "key": self.visitor.key,
            "once": random_word(),
            "refused": None,
        }
        # The requested address may contain a code that `address` does not contain, so count the slashes of
        # the requested address.
        depth = self.request.url.path.count("/") - 1
        body = pages.site.fill(template, address, self.live(topics), depth=depth, **{**shared, **own})
        return self.answer(HTMLResponse(body, status_code=status))

    def live(self, topics: Iterable[str], pages: Pages | None = None) -> Live:
        """Return the parts of a page that only a server adds.

        pages: the public pages from which the page is made; None for a page that reads the event itself
        """
        topics, spectator = tuple(topics), self.visitor.role is Role.SPECTATOR
        # The page does not show news that arrived after the event was read for it.
        seen = min(self.event.version(topics), self.version if pages is None else pages.version)
        return Live(
            script=own_address("live.js"),
            style=own_address("live.css"),
            stream=f"/events?about={','.join(topics)}&seen={seen}" if topics else "",
            account=() if spectator and self.room.read_only else (HOMES[self.visitor.role],),
            signed_in=not spectator,
            panel=self._panel(),
        )

    def _panel(self) -> str:
        """Return the notices above the page's content: entries, a fault of the event, warnings."""
        notice = self.room.notices.pop(self.visitor.session, None)
        fault, staff = self.event.fault, self.visitor.role.rank > 1
        overheard, moved = staff and not self.secure, self.room.moved_from if staff else ""
        if notice is None and fault is None and not overheard and not moved:
            return ""
        facts = {
            "notice": notice,
            "key": self.visitor.key,
            "once": random_word(),
            "at": self.request.url.path,
            "fault": fault,
            "overheard": overheard,
            "moved": moved,
            "address": self.room.names.address() if moved else "",
        }
        panel = fill("live/panel.html", self.room.language, **facts)
        return Markup(panel.decode())  # noqa: S704  a template of ours, which escapes

    @property
    def address(self) -> str:
        """The IP address that the request comes from. All devices in a venue may share an address."""
        return self.request.client.host if self.request.client else ""

    @property
    def origin(self) -> str:
        """The origin (scheme, host and port) by which the request addresses this server."""
        return str(self.request.scope["tourney.origin"])

    @property
    def encrypted(self) -> bool:
        """Whether the request came over HTTPS, to this server or to a tunnel in front of it."""
        return self.origin.startswith("https:")

    @property
    def secure(self) -> bool:
        """Whether no one else can read the request: it is encrypted, or does not leave this machine."""
        return self.encrypted or bool(self.request.scope["tourney.here"])

    def back(self, to: str, *lines: str, remedies: tuple[Remedy, ...] = ()) -> Response:
        """Redirect the visitor to the page `to`.

        If there are `lines`, the visitor's next page shows them at the top, with the buttons `remedies`.
        """
        if lines:
            self.room.notify(self.visitor, Notice(lines, remedies))
        return self.answer(RedirectResponse(to, 303))

    def joined(self, login: Login, to: str) -> Response:
        """Give the browser the session cookie of a device that joined, and redirect to `to`."""
        answer = RedirectResponse(to, 303)
        self._set_cookie(answer, self.room.cookies.session, login.token)
        return answer

    def answer(self, answer: Response) -> Response:
        """Return the answer, with a cookie for the visit added if the browser needs one."""
        if self.newcomer:
            self._set_cookie(answer, self.room.cookies.visit, self.visitor.token)
        return answer

    def _set_cookie(self, answer: Response, name: str, token: str) -> None:
        answer.set_cookie(
            name, token, max_age=YEAR, path="/", secure=self.encrypted, httponly=True, samesite="strict"
        )

    async def refused(self, fault: TourneyError) -> Response:
        """Answer with an error page, which shows the message and its hint."""
        if isinstance(fault, UnreadableError):  # the message contains the path of the file
            fault = RefusedError(
                503,
                Message("the list of devices cannot be read at the moment; nothing was entered"),
                Message("tell the desk; you can still read the pages"),
            )
        status = fault.status if isinstance(fault, RefusedError) else 409
        message, hint = refusal_text(fault)
        heading = Message("Not found") if status == 404 else Message("Not possible")
        return await self.page(
            "live/refused.html",
            "refused",
            topics=(),
            status=status,
            heading=heading,
            message=message,
            hint=hint,
        )


def random_word() -> str:
    """Return a random word for a form, so that a form that is sent twice can be recognized."""
    return secrets.token_urlsafe(12)


# -- files of the server


@cache
def own_source(name: str) -> bytes:
    """Return a file of `static/`."""
    source = get_data("tourney.serve", f"static/{name}")
    assert source is not None
    return source


@cache
def own_address(name: str) -> str:
    """Return the address of a file of `static/`. It changes whenever the file changes."""
    return f"/{name}?v={sha256(own_source(name)).hexdigest()[:12]}"


# -- routes


class Route(Struct, frozen=True):
    """A route.

    handler: a function that answers an allowed visit. The handler of a page must not change anything
    may: the roles that may use the route
    form: whether the route accepts a form, which is checked first
    most: the maximum size of the form in bytes
    writes: whether the form changes the event, which a read-only server refuses
    what: what the route lets staff do, as listed in `README.md`; empty if that list omits the route
    """

    path: str
    handler: Callable[[Visit], Awaitable[Response]]
    may: frozenset[Role] = ANYBODY
    form: bool = False
    most: int = FORM_BYTES
    writes: bool = True
    what: str = ""


async def answer(route: Route, room: Room, request: Request) -> Response:
    """Answer a request: identify the visitor, check the form, and call the route's handler.

    If an error is raised, answer with a page that shows it.
    """
    room.event.asked_at = asyncio.get_running_loop().time()
    visit = Visit(room, request)
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
    """Raise RefusedError if the visitor may not use the route."""
    room, role = visit.room, visit.visitor.role
    if role not in route.may:
        audience = PLAYERS_ONLY if route.may == PLAYERS else Message("this page is for staff")
        raise RefusedError(403, audience, Message("The desk can tell you how to join"))
    if route.form and route.writes:
        if room.read_only:
            raise RefusedError(403, READ_ONLY)
        if role.rank > 1 and not visit.secure and not room.staff_over_http:
            raise RefusedError(403, UNENCRYPTED)


async def _read_form(route: Route, visit: Visit) -> Mapping[str, Sequence[str]]:
    """Return the fields of a form.

    Raises RefusedError if the form is not valid, or was not sent from a page of this visitor.
    """
    request, visitor = visit.request, visit.visitor
    if request.headers.get("origin", "").lower() != visit.origin:
        raise RefusedError(403, Message("this form was sent from another site; nothing was entered"))
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise RefusedError(415, FOREIGN_FORM)
    # A signed-in device's form is counted before it is read. Other forms are counted by their code, after
    # reading.
    if visitor.device is not None:
        _count(visit, f"device {visitor.device.number}")
    body = await _read_body(request, route.most)
    try:
        text = body.decode("ascii")
        fields = parse_qs(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise RefusedError(400, FOREIGN_FORM) from None
    if visitor.device is None:
        _count(visit, f"{visit.address} {_find_code(visit, fields.get('code', ('',))[0])}")
    key = fields.get("key", ("",))[0].encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(visitor.key.encode(), key):
        raise RefusedError(
            403,
            Message(
                "the page was open for too long, or cookies are off; nothing was entered. Open the page again"
            ),
        )
    return fields


def _count(visit: Visit, sender: str) -> None:
    """Count a form. Raises RefusedError if the sender has sent too many forms."""
    if not visit.room.within_rate(sender, asyncio.get_running_loop().time()):
        raise RefusedError(429, Message("too many requests; wait a minute. Nothing was entered"))


def _find_code(visit: Visit, text: str) -> str:
    """Return the player or staff link that a code in a form names; empty for an unknown code.

    A player is returned as `#7`, a link as its code. Forms of devices that have not joined are counted by
    this value and the IP address, to limit how many are sent. Cookies cannot identify these devices, because
    such a device could send any cookie. All unknown codes share one count for each address, so that the
    number of counts is limited.

    text: the code from the form
    """
    text = text[:100].strip()
    code = read_code(text)
    if code is not None:
        return f"#{code[0]}" if code[0] in visit.event.state.players else ""
    return text if visit.room.devices.has_link(text) else ""


async def _read_body(request: Request, most: int) -> bytes:
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise RefusedError(413, Message("the form is too large; nothing was entered"))
    except ClientDisconnect:
        raise RefusedError(400, FOREIGN_FORM) from None
    return bytes(body)
