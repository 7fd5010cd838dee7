"""The event held open for a room of phones: read once, brought up to date by what is new, written to by one thread.

Four threads know of it, and one more where it is in a database. The *writer* owns the desk: it looks at the file a few
times a second, or at the database whenever the *listener* heard of something, and all that anybody asks to be changed goes
through it, one after the other, by the methods that the command line uses. The *reader* has a connection of its own and
makes pages of what the writer last read. The *publisher* writes the pages and posts that go with a change, to where the
event says, after the change was answered: it opens the event for itself each time, so that no report waits for a chat. The
event loop sees only values: the event as it was last read (`state`), and the pages of it (`pages`).

What changes is told by topics: `player:7` for what concerns one seat and `desk` for anything at all, at once; `room` for
what everybody looks at, `results` for every result and whoever comes or goes, and `page:7` for a player's public page, as soon as the pages show it.
What players need for the cut, where the event shows it, is worked out by a process of its own and comes when it comes: `needs`.
`version` says whether a page that was made then is still what it would be now.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tourney.desk import Desk, Workplace
from tourney.desk.forecasting import NeedsQuestion, ask
from tourney.desk.open_event import EventReading
from tourney.desk.views import PlaceExplainer, event_view, place_explainer
from tourney.errors import TourneyError
from tourney.event import showing
from tourney.event.names import public
from tourney.event.state import Player, Round, State, changed_tables
from tourney.event.view import NeedsView
from tourney.publish import FORMS, files, site_of
from tourney.record import PlayerId
from tourney.serve.foretelling import Foreteller
from tourney.store.journal import AwayError, Listening, ShutOutError
from tourney.store.places import Named, place_of

if TYPE_CHECKING:
    from tourney.desk import Receipt
    from tourney.desk.posting import OpenOutbox
    from tourney.event.view import EventView, PlayerView
    from tourney.publish import Labels
    from tourney.publish.data import Files
    from tourney.publish.pages import Site

LOOKS_EVERY = 0.2
"""Seconds between two looks at the event's file."""

LISTENS_FOR, TRUSTS_FOR = 0.5, 5.0
"""Seconds for which a database is listened to at a time, and after which it is asked though nothing was heard."""

RESTS = 8.0
"""How many times as long as it took to make pages nobody makes them again, while entry follows entry."""

EXPLAINS_EVERY, QUIET = 0.02, 0.5
"""Seconds between two places that are explained before anybody asks, and without a request, from when they are."""

SILENCE = 6.0
"""Seconds after which a database that says nothing is out of reach, as far as the pages are concerned."""

SETTLES_EVERY = 2.0
"""Seconds between two looks for claims that nobody answered in time, where the event enters them."""

MOST_WAITING = 300
"""Changes that wait for the writer at once; whoever comes then is told to ask again."""

SWITCHES_EVERY = 0.0005
"""Seconds that a thread may keep the others waiting while it makes pages; Python's own are ten times as many."""

MOST_AT_ONCE = 24
"""Topics that a change may touch to be told at once; a pairing touches every seat, and waits for its pages."""

ROOM, RESULTS, DESK, NEEDS = "room", "results", "desk", "needs"
"""Topics: what everybody looks at (a pairing, the clock, the end of a round); what public lists show besides (every result, more
time, who is in or out); anything at all; what players need for the cut, worked out anew. 500 phones ask after news of the room, so that little is."""

T = TypeVar("T")


def about_player(player: PlayerId) -> str:
    """Return the topic of what concerns one player's seat, told at once."""
    return f"player:{player}"


def on_page(player: PlayerId | str) -> str:
    """Return the topic of what a player's public page shows, told when it does."""
    return f"page:{player}"


def _on_pages(topic: str) -> str:
    return on_page(topic.removeprefix("player:")) if topic.startswith("player:") else topic


class BusyError(TourneyError):
    """So many changes wait that another one is not taken: nothing was written, and it may be asked for again."""

    def __init__(self) -> None:
        super().__init__(
            "too many are asking at once; nothing was entered", "wait a few seconds and send it again"
        )


class OutOfReachError(TourneyError):
    """The event's database cannot be asked: nothing was written, and what was read last goes on to be shown. why: as it was told."""

    def __init__(self, why: AwayError) -> None:
        self.why = why
        if isinstance(why, ShutOutError):
            super().__init__(f"nothing was entered: {why.message}", "go to the desk")
            return
        super().__init__(
            "the event's database is out of reach, so nothing was entered",
            "wait a few seconds and send it again",
        )


class News(NamedTuple):
    """What a change touched. version: counts such news, so that a page made before it is told from one made after."""

    topics: frozenset[str]
    version: int


@dataclass
class Pages:
    """The public pages of the event after `entry`, made one at a time; those that were made are kept.

    made: (address, whose) → the page, and the same compressed
    why:  what explains places, the same for as long as the places stand
    versions: of the topics, as these pages have them
    asked: what players need for the cut, to be worked out, or why it cannot be; None where the event does not show it
    needs: what is known of it: what was worked out last, for as long as it holds
    """

    site: Site
    entry: int
    state: State
    why: PlaceExplanations
    made: dict[tuple[str, str], tuple[bytes, bytes]] = field(default_factory=dict)
    versions: Mapping[str, int] = field(default_factory=dict)
    asked: NeedsQuestion | NeedsView | None = None
    needs: NeedsView | None = None

    @property
    def event(self) -> EventView:
        """What the pages show."""
        return self.site.event

    def at(self, state: State, chain: tuple[str, ...]) -> Pages:
        """Return the same pages after entries that only the page of the digests tells of. chain: of all entries."""
        remarks = self.event.verification.remarks
        told = showing.verification(public(state), chain, remarks)
        view = replace(self.event, state=f"entry {state.entry}, {state.digest}", verification=told)
        kept = {key: page for key, page in self.made.items() if key[1] and key[0] != "verification.html"}
        return Pages(
            site_of(view, self.site.labels),
            state.entry,
            state,
            self.why,
            kept,
            asked=self.asked,
            needs=self.needs,
        )

    def needs_for(self, player: PlayerId | None) -> NeedsView | None:
        """Return what may be shown of what players need: at the own table to who sits there, else what everybody may see."""
        return self.event.needs if player is None else self.needs

    def with_needs(self, needs: NeedsView | None) -> Pages:
        """Return the same pages with what players need; everybody sees it where the event shows it to all."""
        shown = needs if self.state.settings.phones.forecast == "all" else None
        if shown == self.event.needs:
            return replace(self, needs=needs)
        view = replace(self.event, needs=shown)
        kept = {
            key: page
            for key, page in self.made.items()
            if key[1] and not key[0].startswith(("needs", "player/")) and self.event.needs is not None
        }
        return replace(self, site=site_of(view, self.site.labels), made=kept, needs=needs)

    @cached_property
    def files(self) -> Files:
        """What belongs to the pages, and the files in other forms that they link to."""
        others = [form for form in FORMS if form != "html"]
        return {**self.site.files, **files(self.site.event, others, self.site.labels)}

    @cached_property
    def players(self) -> Mapping[PlayerId, PlayerView]:
        """Everybody's own view, by number."""
        return {each.player: each for each in self.site.event.players}


class Publication(NamedTuple):
    """What came of the pages and posts that went with a change. at: `HH:MM`; faults: what was not published, and why."""

    at: str
    said: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(slots=True)
class PlaceExplanations:
    """What explains the places of settled standings, worked out for one player after the other by the reader."""

    of: object
    explain: PlaceExplainer
    told: dict[PlayerId, tuple[str, ...]] = field(default_factory=dict)


class _Numbered(NamedTuple):
    """A reading of the event. Readings can reach the event loop out of order."""

    number: int
    reading: EventReading


class _Refusal(NamedTuple):
    """The error with which the desk refused a change."""

    fault: TourneyError


class LiveEvent:
    """An event that many look at while some write to it; `start` it within a running event loop, and `stop` it.

    state: the event as last read; pages: its public pages, at most a little older
    fault: why nothing can be read or written at the moment (the file was moved away), None mostly
    publishing:  how many changes are still to be published; publication: what came of the last one, None before
    on_news, on_bug: are told of what is new, and of a fault after which nothing new is seen any more
    asked_at: when anybody last asked for anything, by the loop's clock
    """

    pages: Pages
    _explaining: asyncio.Task[None]

    def __init__(
        self,
        place: Named,
        workplace: Workplace,
        *,
        outbox: OpenOutbox,
    ) -> None:
        self.place = place_of(place)
        self.clock = workplace.clock
        self.outbox = outbox
        self.publishing = 0
        self.publication: Publication | None = None
        self.fault: TourneyError | None = None
        self.asked_at = 0.0
        self.on_news: Callable[[News], None] = lambda _: None
        self.on_bug: Callable[[BaseException], None] = lambda _: None
        self._open = partial(Desk.open, self.place, workplace)
        self._writer = ThreadPoolExecutor(1, "writer")
        self._reader = ThreadPoolExecutor(1, "reader")
        self._publisher = ThreadPoolExecutor(1, "publisher")
        self._listener = ThreadPoolExecutor(1, "listener")
        self._listening: Listening | None = None
        self._looked_at = 0.0
        self._desk: Desk | None = None
        self._reading_desk: Desk | None = None
        self._reading = EventReading()
        self._readings = self._adopted = 0
        self._waiting = 0
        self._public: tuple[State, State] | None = None
        # Higher than before a restart, however soon it comes: news are fewer than one a millisecond.
        self._version = self._first = int(workplace.clock().timestamp() * 1000)
        self._versions: dict[str, int] = {}
        self._untold: set[str] = set()
        self._changed = asyncio.Event()
        self._fresh = asyncio.Event()
        self._resting = False
        self._foreteller = Foreteller()
        self._foretold: tuple[NeedsQuestion, NeedsView] | None = None
        self._asking = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    # -- from opening to closing

    async def start(self) -> None:
        """Read the whole event, make its pages, and go on watching. Raises TourneyError where it cannot be read."""
        sys.setswitchinterval(SWITCHES_EVERY)
        self._reading = await self._in(self._writer, self._opened)
        self.pages = await self._in(self._reader, self._make, self._reading, None)
        self._show_needs(None)
        self.pages.versions = self._versions.copy()
        self._fresh.set()
        self._explaining = asyncio.create_task(self._explain_all(self.pages))
        self._tasks = [
            asyncio.create_task(each)
            for each in (self._watch(), self._keep_pages(), self._warm(self.pages), self._foretell())
        ]
        for task in self._tasks:
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Tell of a bug: a server that does not see what is new any more must not go on as if it did."""
        if not task.cancelled() and (fault := task.exception()) is not None:
            self.on_bug(fault)

    async def stop(self) -> None:
        """Let go of the event; what was asked for is done first, also what is still to be published."""
        tasks = [*self._tasks, self._explaining]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._foreteller.stop()
        await self._in(self._publisher, lambda: None)
        await self._in(self._writer, self._closed, self._desk)
        await self._in(self._reader, self._closed, self._reading_desk)
        if self._listening is not None:
            await self._in(self._listener, self._listening.close)
        for thread in (self._writer, self._reader, self._publisher, self._listener):
            thread.shutdown()

    async def _in(self, thread: ThreadPoolExecutor, act: Callable[..., T], *words: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread, partial(act, *words))

    @staticmethod
    def _closed(desk: Desk | None) -> None:
        if desk is not None:
            desk.leave()

    # -- what stands

    @property
    def state(self) -> State:
        """The event as last read."""
        return self._reading.state

    @property
    def public(self) -> State:
        """The event as anybody may see it, as last read: without a round that is held back, by the names of the pages."""
        if self._public is None or self._public[0] is not self.state:
            self._public = self.state, public(self.state)
        return self._public[1]

    @property
    def started_with(self) -> str:
        """The digest of the event's first entry: which event it is, whatever its file is called."""
        return self._reading.entries[0].digest

    def version(self, topics: Iterable[str], versions: Mapping[str, int] | None = None) -> int:
        """Return a number that grows with every news of one of the topics. versions: as they were then; None: now."""
        known = self._versions if versions is None else versions
        return max((known.get(each, self._first) for each in topics), default=self._first)

    async def read(self, look: Callable[[Desk], T]) -> T:
        """Ask the writer's desk, in its turn: for what only an open event knows. It must not change anything."""
        return await self._in(self._writer, self._looked, look)

    def _looked(self, look: Callable[[Desk], T]) -> T:
        try:
            return look(self._present_desk())
        except AwayError as fault:
            raise OutOfReachError(fault) from None

    # -- writing

    async def write(self, act: Callable[[Desk], T]) -> T:
        """Change the event: `act` is handed the desk, in the writer's thread; what it answers is on the disk.

        Raises TourneyError where it is refused, and BusyError where too many wait.
        """
        if self._waiting >= MOST_WAITING:
            raise BusyError
        self._waiting += 1
        try:
            outcome: T | _Refusal
            outcome, reading = await self._in(self._writer, self._acted, act)
        finally:
            self._waiting -= 1
        self._adopt(reading)  # also after a refusal: the page with it shows the event that refused
        if isinstance(outcome, _Refusal):
            raise outcome.fault
        return outcome

    def _acted(self, act: Callable[[Desk], T]) -> tuple[T | _Refusal, _Numbered]:
        desk = self._present_desk()
        outcome: T | _Refusal
        try:
            outcome = act(desk)
        except AwayError as fault:
            raise OutOfReachError(fault) from None
        except TourneyError as fault:
            outcome = _Refusal(fault)
        finally:
            desk.notes.clear()
        return outcome, self._numbered(desk)

    def _numbered(self, desk: Desk) -> _Numbered:
        """Return what the desk read last, with a number. In the writer's thread."""
        self._readings += 1
        return _Numbered(self._readings, desk.reading)

    # -- what goes with a change, to where the event says that it is published

    def publish(self, act: Callable[[Desk], Receipt], receipt: Receipt | None = None) -> None:
        """Have `act` publish what goes with a change, in its turn and after whoever made it was answered.

        receipt: of the change: what `act`'s says beyond it becomes the `publication`
        """
        said, warned = (len(receipt.changed), len(receipt.warnings)) if receipt else (0, 0)
        self.publishing += 1
        published = asyncio.get_running_loop().run_in_executor(self._publisher, self._publish, act)

        def over(done: asyncio.Future[Receipt]) -> None:
            self.publishing -= 1
            at = f"{self.clock():%H:%M}"
            fault = done.exception()
            if isinstance(fault, TourneyError):
                self.publication = Publication(at, faults=(fault.message,))
            elif fault is not None:
                self.on_bug(fault)
            else:
                told = done.result()
                if len(told.changed) > said or len(told.warnings) > warned:
                    self.publication = Publication(at, told.changed[said:], told.warnings[warned:])
            self._tell(frozenset({DESK}))

        published.add_done_callback(over)

    def _publish(self, act: Callable[[Desk], Receipt]) -> Receipt:
        with self._open() as desk:
            if desk.entries[0].digest != self.started_with:
                raise TourneyError(f"{self.place.name} is another event now; nothing was published")
            return act(desk)

    # -- watching the event

    async def _watch(self) -> None:
        """Read what is new: what the command line or another machine writes is seen at once."""
        loop = asyncio.get_running_loop()
        settled = loop.time()
        while True:
            try:
                if await self._is_there_more():
                    self._adopt(await self._read_anew())
                    self._looked_at = loop.time()
                    self._now_wrong(None)
                if self.state.settings.phones.claim_alone and loop.time() - settled > SETTLES_EVERY:
                    await self.write(lambda desk: desk.enter_unanswered())
                    settled = loop.time()
            except (AwayError, OutOfReachError) as fault:
                self._is_away(fault.why if isinstance(fault, OutOfReachError) else fault)
                await asyncio.sleep(LOOKS_EVERY)
            except TourneyError as fault:
                self._now_wrong(fault)
                await asyncio.sleep(LOOKS_EVERY)

    async def _read_anew(self) -> _Numbered:
        """Read what is new. A network that is down says nothing for half a minute: pages need not wait for that to be told."""
        reading = asyncio.ensure_future(self._in(self._writer, self._refreshed))
        if self._listening is not None:
            await asyncio.wait({reading}, timeout=SILENCE)
            # What is entered may be waiting for another desk; and a reason that is known is told on.
            if not (reading.done() or self._waiting or isinstance(self.fault, _GoneError)):
                self._is_away(AwayError("the database says nothing"))
        return await reading

    async def _is_there_more(self) -> bool:
        """Wait a little, and say whether it is time to look: a file is looked at each time, a database when something was heard.

        Raises AwayError while the database is out of reach.
        """
        if self._listening is None:
            await asyncio.sleep(LOOKS_EVERY)
            return True
        heard = await self._in(self._listener, self._listening.wait, LISTENS_FOR)
        overdue = asyncio.get_running_loop().time() - self._looked_at > TRUSTS_FOR
        return heard or overdue or self.fault is not None

    def _is_away(self, why: AwayError) -> None:
        """Note that the database cannot be asked: since it was asked in vain for the first time, and why now."""
        since = self.fault.since if isinstance(self.fault, _GoneError) else f"{self.clock():%H:%M}"
        self._now_wrong(_GoneError(since, why))

    def _now_wrong(self, fault: TourneyError | None) -> None:
        """Note why nothing can be read at the moment, and have the pages say so, or not any more."""
        before, self.fault = self.fault, fault
        if (before and before.message) != (fault and fault.message):
            self._tell(frozenset({ROOM, DESK}))

    def _opened(self) -> EventReading:
        self._desk = self._open()
        self._listening = self._desk.journal.listen()
        return self._desk.reading

    def _refreshed(self) -> _Numbered:
        desk = self._present_desk()
        desk.refresh()
        return self._numbered(desk)

    def _present_desk(self) -> Desk:
        """Return the desk of the event that is there. Raises TourneyError where it was moved away, or is another event."""
        if self._desk is None or self._desk.journal.has_moved():
            self._reopen()
        assert self._desk is not None
        return self._desk

    def _reopen(self) -> None:
        """Open the file that stands in the place of the one that was opened: a copy that was put back."""
        desk = self._open()
        if desk.entries[0].digest != self._reading.entries[0].digest:
            desk.leave()
            raise TourneyError(f"{self.place.name} is another event now; nothing can be entered")
        self._closed(self._desk)
        self._desk = desk

    # -- what is new

    def _adopt(self, numbered: _Numbered) -> None:
        """Show a reading from now on and announce what it touches, unless it is outdated."""
        if numbered.number < self._adopted:
            return
        self._adopted, reading = numbered
        before, after = self._reading.state, reading.state
        if after is before or (after.entry <= before.entry and after.digest == before.digest):
            return
        self._reading = reading
        topics = touched(before, after)
        self._untold |= topics
        if len(topics) <= MOST_AT_ONCE:
            self._tell(topics - {ROOM, RESULTS})
        self._fresh.clear()
        self._changed.set()

    def announce(self, topic: str) -> None:
        """Tell of what is new and stands in no entry."""
        self._tell(frozenset({topic}))

    def _tell(self, topics: frozenset[str]) -> None:
        self._version += 1
        self._versions.update(dict.fromkeys(topics, self._version))
        self.on_news(News(topics, self._version))

    # -- pages

    async def fresh_pages(self) -> Pages:
        """Return the public pages as of now; while entry follows entry, they may be a little older."""
        if not self._fresh.is_set() and not self._resting:
            with suppress(TimeoutError):
                async with asyncio.timeout(10):
                    await self._fresh.wait()
        return self.pages

    async def _keep_pages(self) -> None:
        """Make the pages anew after each change, and only then tell of it who looks at them."""
        loop = asyncio.get_running_loop()
        while True:
            await self._changed.wait()
            self._changed.clear()
            begun, reading, topics = loop.time(), self._reading, self._untold
            self._untold = set()
            try:
                made = await self._in(self._reader, self._make, reading, self.pages)
            except TourneyError as fault:
                self._untold |= topics
                self._is_away(fault) if isinstance(fault, AwayError) else self._now_wrong(fault)
                await asyncio.sleep(1)
                self._changed.set()
                continue
            shown, self.pages = self.pages.needs, made
            needed = self._show_needs(shown)
            at_last = topics if len(topics) > MOST_AT_ONCE else ()
            self._tell(frozenset({*map(_on_pages, topics), *at_last, *needed}))
            self.pages.versions = self._versions.copy()
            if reading is self._reading:
                self._fresh.set()
            self._explaining.cancel()
            self._explaining = asyncio.create_task(self._explain_all(self.pages))
            self._resting = True
            await asyncio.sleep(RESTS * (loop.time() - begun))
            self._resting = False

    # -- what players need for the cut

    def _show_needs(self, before: NeedsView | None) -> frozenset[str]:
        """Show on the pages what is known of what players need, and have the rest worked out.

        before: what was shown. Return the topics of what is not told as it was.
        """
        asked, known = self.pages.asked, self._foretold
        needs = asked if isinstance(asked, NeedsView) else None
        if isinstance(asked, NeedsQuestion):
            needs = known[1] if known and asked.is_answered_by(known[0]) else NeedsView(unsaid="pending")
            if known is None or asked != known[0]:
                self._asking.set()
        self.pages = self.pages.with_needs(needs)
        if before == needs:
            return frozenset()
        seats = [about_player(player) for player in _who_needs(before, needs)]
        everybody = self.pages.event.needs is not None
        return frozenset({NEEDS, *seats, *(map(_on_pages, seats) if everybody else ())})

    async def _foretell(self) -> None:
        """Work out what players need, after each change and one at a time."""
        loop = asyncio.get_running_loop()
        while True:
            await self._asking.wait()
            self._asking.clear()
            begun, asked = loop.time(), self.pages.asked
            if not isinstance(asked, NeedsQuestion) or (self._foretold and self._foretold[0] == asked):
                continue
            told, known = await self._foreteller.answer(asked), self._foretold
            if told.unsaid == "late" and known and not known[1].unsaid and asked.is_answered_by(known[0]):
                told = known[1]  # what was proved before still is
            self._foretold = asked, told
            self._tell(self._show_needs(self.pages.needs))
            self.pages.versions = self._versions.copy()
            await asyncio.sleep(loop.time() - begun)

    async def _warm(self, pages: Pages) -> None:
        """Make a page of each kind, so that nobody waits for the first; whoever asks meanwhile waits for one at most."""
        for address in {address.split("/")[0]: address for address in pages.site.pages}.values():
            await self._in(self._reader, pages.site.page, address)

    async def _explain_all(self, pages: Pages) -> None:
        """Work out the reason of each place before it is asked for, once nobody asks for pages any more."""
        loop = asyncio.get_running_loop()
        for player in pages.players:
            while loop.time() - self.asked_at < QUIET:
                await asyncio.sleep(QUIET)
            if player not in pages.why.told:
                await self.why(pages, player)
                await asyncio.sleep(EXPLAINS_EVERY)

    def _make(self, reading: EventReading, before: Pages | None) -> Pages:
        desk = self._reading_desk
        if desk is None or _has_moved(desk):
            self._closed(desk)
            desk = self._reading_desk = self._open()
        desk.reading = reading
        if before is not None and _looks_alike(before.state, reading.state):
            return before.at(reading.state, desk.chain)
        view = event_view(desk, why=False)
        of = (view.settled, reading.state.rules, [each.name for each in view.players])
        why = before.why if before and before.why.of == of else PlaceExplanations(of, place_explainer(desk))
        opened = reading.state.settings.phones.forecast != "closed"
        return Pages(
            site_of(view, _words(desk, before)),
            reading.state.entry,
            reading.state,
            why,
            asked=ask(desk) if opened else None,
        )

    async def rendered(
        self, pages: Pages, address: str, whose: str, make: Callable[[], bytes]
    ) -> tuple[bytes, bytes]:
        """Return a page and the same compressed, made by the reader where it was not made before. whose: for whom it is."""
        if (address, whose) not in pages.made:
            await self._in(self._reader, _fill, pages, (address, whose), make)
        return pages.made[address, whose]

    async def why(self, pages: Pages, player: PlayerId) -> tuple[str, ...]:
        """Return the reason of a player's place, in lines; empty where there is none yet."""
        told = pages.why.told
        if player not in told:
            await self._in(self._reader, _explain, pages.why, player)
        return told[player]


class _GoneError(TourneyError):
    """What pages and the log say while the event's database cannot be asked. since: `HH:MM`; why: as it was told."""

    def __init__(self, since: str, why: AwayError) -> None:
        self.since = since
        if isinstance(why, ShutOutError):
            super().__init__(
                f"nothing can be read or entered since {since}: {why.message}; this is how the event stood then",
                why.hint,
            )
            return
        super().__init__(
            f"the event's database is out of reach since {since}; this is how the event stood then, and nothing can be entered until it is back"
        )


def _has_moved(desk: Desk) -> bool:
    """Say whether another file stands in the place of the one that was opened."""
    try:
        return desk.journal.has_moved()
    except TourneyError:  # it was moved away: what was opened goes on to be read
        return False


def _words(desk: Desk, before: Pages | None) -> Labels | None:
    """Return the words of the pages; while the file that the event names cannot be used, those of before."""
    try:
        return desk.labels
    except TourneyError:
        if before is None:
            raise
        return before.site.labels


def _who_needs(before: NeedsView | None, after: NeedsView | None) -> set[PlayerId]:
    """Return whose need is not told as it was, with who sits at the same table."""
    old, new = (
        {row.player: row for row in view.rows} if view is not None else {} for view in (before, after)
    )
    moved = {
        player
        for player in old.keys() | new.keys()
        if player not in old
        or player not in new
        or replace(old[player], rank=None, points="") != replace(new[player], rank=None, points="")
    }
    tables = {
        row.table for rows in (old, new) for player, row in rows.items() if player in moved and row.table
    }
    return moved | {player for rows in (old, new) for player, row in rows.items() if row.table in tables}


def _looks_alike(before: State, after: State) -> bool:
    """Say whether pages show nothing of what happened in between: a claim, an answer to one, a call for a judge."""
    rounds = zip(before.rounds, after.rounds, strict=False)
    return (
        len(before.rounds) == len(after.rounds)
        and replace(before, entry=0, digest="", rounds=()) == replace(after, entry=0, digest="", rounds=())
        and all(
            a is b or replace(a, claims={}, calls={}) == replace(b, claims={}, calls={}) for a, b in rounds
        )
    )


def _fill(pages: Pages, key: tuple[str, str], make: Callable[[], bytes]) -> None:
    if key not in pages.made:
        import gzip

        page = make()
        pages.made[key] = page, gzip.compress(page, 6, mtime=0)


def _explain(why: PlaceExplanations, player: PlayerId) -> None:
    if player not in why.told:
        why.told[player] = why.explain(player)


# -- what a change touches


def touched(before: State, after: State) -> frozenset[str]:
    """Return the topics of what is not as anybody may see it: of a round that is held back only the desk hears."""
    topics = {DESK}
    before, after = before.for_players, after.for_players
    if _whole(before) != _whole(after):
        topics.add(ROOM)
    for player in _moved_players(before.players, after.players):
        topics |= {RESULTS, *map(about_player, _with_opponents(after, player))}
        if _called(before, player) != _called(after, player):
            topics.add(ROOM)  # it stands on the pages of whoever met them
    if before.rounds is not after.rounds:
        topics |= _touched_rounds(before.rounds, after.rounds)
    return frozenset(topics)


def _whole(state: State) -> tuple[object, ...]:
    return (
        state.name,
        state.settings,
        state.closed,
        state.cut,
        state.rules,
        len(state.rounds),
        state.beacon,
        state.shared,
    )


def _moved_players(before: Mapping[PlayerId, Player], after: Mapping[PlayerId, Player]) -> set[PlayerId]:
    if before is after:
        return set()
    return {
        number
        for number in before.keys() | after.keys()
        if before.get(number) is not after.get(number) and before.get(number) != after.get(number)
    }


def _with_opponents(state: State, player: PlayerId) -> tuple[PlayerId, ...]:
    """Return a player and who sits with them in the newest round that is seen."""
    rounds = state.for_players.rounds
    table = rounds[-1].table_of(player) if rounds else None
    return (player, *table.seats) if table else (player,)


def _called(state: State, player: PlayerId) -> tuple[object, ...]:
    """Return what a player's name on pages is made of; nothing of one whom others have not met yet, or not any more."""
    whose = state.players.get(player)
    return (whose.name, whose.alias, whose.minor, whose.erased) if whose and state.rounds else ()


def _touched_rounds(before: tuple[Round, ...], after: tuple[Round, ...]) -> set[str]:
    topics: set[str] = set()
    old = {each.number: each for each in before}
    for round_ in after:
        was = old.get(round_.number)
        tables = changed_tables(round_, was)
        if tables is None:
            continue
        if tables or (was is not None and was.extended != round_.extended):
            topics.add(RESULTS)
        if was is None or _standing(was) != _standing(round_):
            topics.add(ROOM)
        moved = tables if was is None else [*tables, *_other_changes(was, round_)]
        for each in (round_, was):
            seated = (
                ()
                if each is None
                else [each.tables[number].seats for number in moved if number in each.tables]
            )
            topics |= {about_player(player) for seats in seated for player in seats}
    return topics


def _standing(round_: Round) -> tuple[object, ...]:
    """Return what everybody sees of a round besides results: who sits where, the clock, whether it is over, and whatever else there is."""
    seats = [(number, table.seats) for number, table in round_.tables.items()]
    return (seats, round_.done, *(getattr(round_, name) for name in _OF_EVERYBODY))


_OF_A_TABLE = {"tables", "entered", "notes", "claims", "calls", "extended"}
"""What a round has of single tables: `changed_tables` and `_other_changes` see it, and tell whom it is about."""

_OF_EVERYBODY = [each.name for each in fields(Round) if each.name not in _OF_A_TABLE]


def _other_changes(before: Round, after: Round) -> list[int]:
    """Return the tables of which something else is not as it was: more time, a claim, an open call."""
    moved = {
        each
        for old, new in ((before.extended, after.extended), (before.claims, after.claims))
        for each in old.keys() | new.keys()
        if old.get(each) != new.get(each)
    }
    calls = [*before.calls.items(), *after.calls.items()]
    both = before.calls.keys() & after.calls.keys()
    return sorted(moved | {call.table for entry, call in calls if entry not in both})
