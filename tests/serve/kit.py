"""A served event for tests: its devices in a folder, and phones without sockets."""

import asyncio
import re
from contextlib import asynccontextmanager
from html.parser import HTMLParser

import httpx

from tests.desk.kit import lent, new_desk
from tourney.serve.app import application
from tourney.serve.guard import ServerNames
from tourney.serve.live import LiveEvent
from tourney.serve.visits import Cookies, Room
from tourney.store.devices import Devices
from tourney.store.outbox import Outbox

ADDRESS = "http://friday.local:8017"


class Seen:
    """A page as a browser sees it: its text, and the key of its forms."""

    page = ""

    @property
    def key(self):
        match = re.search(r'name="key" value="([^"]*)"', self.page)
        return match[1] if match else ""

    @property
    def text(self):
        return text_of(self.page)


class Phone(Seen):
    """A browser: it keeps cookies, and sends forms like its page."""

    def __init__(self, app, address=ADDRESS):
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url=address
        )
        self.origin = address

    async def get(self, path, **how):
        answer = await self.client.get(path, **how)
        if answer.headers.get("content-type", "").startswith("text/html"):
            self.page = answer.text
        return answer

    async def post(self, path, *, key=None, origin=None, **fields):
        """Send a form with the key of the last page."""
        key = self.key if key is None else key
        origin = self.origin if origin is None else origin
        answer = await self.client.post(path, data={"key": key, **fields}, headers={"origin": origin})
        if answer.headers.get("content-type", "").startswith("text/html"):
            self.page = answer.text
        return answer

    async def join(self, code):
        """Open the link of a code, press the button, and load the player's page."""
        await self.get(code.path)
        answer = await self.post("/join", code=code.text)
        assert answer.status_code == 303, self.text
        await self.get(answer.headers["location"])
        return self

    async def join_staff(self, link):
        await self.get(f"/join/staff/{link.secret}")
        answer = await self.post("/join/staff", code=link.secret)
        assert answer.status_code == 303, self.text
        return self


class _Text(HTMLParser):
    def __init__(self):
        super().__init__()
        self.words = []

    def handle_data(self, data):
        self.words += data.split()


def text_of(page):
    """Return the text of a page, with single spaces."""
    reader = _Text()
    reader.feed(page)
    return " ".join(reader.words)


class Hall:
    """A served event."""

    def __init__(self, room, app, folder, faults):
        self.room, self.app, self.folder, self.faults = room, app, folder, faults

    def phone(self, address=ADDRESS):
        return Phone(self.app, address)

    async def player(self, number):
        """Return a phone that has joined as a player."""
        return await self.phone().join(self.room.devices.new_code(number))

    async def staff(self, role, name="Kim"):
        """Return a staff device over plain HTTP."""
        self.room.staff_over_http = True
        return await self.phone().join_staff(self.room.devices.staff_link(role, name))

    async def settle(self):
        """Wait until the pages show the state of the file."""
        event = self.room.event
        async with asyncio.timeout(60):
            while await self._behind() or event.pages.state is not event.state or not event._fresh.is_set():
                await asyncio.sleep(0.01)

    async def _behind(self):
        return await self.room.event.read(lambda desk: desk.refresh().entry) != self.room.event.state.entry


@asynccontextmanager
async def opened(folder, place=None, **how):
    """Serve `friday.tourney` of a folder, or the event at `place`, without a socket."""
    event = LiveEvent(
        place or folder / "friday.tourney", lent("Ann", "serve"), outbox=lambda: Outbox(folder / "home")
    )
    await event.start()
    try:
        things = lent("Ann", "devices")
        devices = Devices.open(
            folder / "user", event.started_with, clock=things.clock, randomness=things.randomness
        )
        names = ServerNames(port=8017, own=frozenset({"friday.local"}))
        cookies = Cookies(event.started_with)
        room = Room(event=event, devices=devices, cookies=cookies, names=names, **how)
        faults = []
        yield Hall(room, application(room, faults.append), folder, faults)
        assert not faults, faults
    finally:
        await event.stop()


NAMES = ("Mira Oake", "Tomo Reed", "Lena Voss", "Bo Quill", "Tess Hart", "Ada Finch", "Ivo Lark", "Una Pell")


def small_event(folder, players=4, **settings):
    """Make an event of a few invented players with round 1 paired."""
    with new_desk(folder, *NAMES[:players], rounds=3, best_of=3, **settings) as desk:
        desk.pair_round()
    return folder


def run(coroutine):
    """Run a test that talks to a served event."""
    return asyncio.run(coroutine)
