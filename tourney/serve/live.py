"""The open event behind the server, which is kept up to date and written by a single thread.

Four threads use the event, or five if it is in a database:

* The *writer* owns the desk. It checks the file a few times a second, or the database whenever the *listener*
  reports a change. It makes all changes, one after the other, with the same methods as the command line.
* The *reader* has a separate connection and makes pages from the writer's last reading.
* The *publisher* writes pages and posts after a change and its answer, if the event's settings say so. It
  opens the event separately each time, so that no report waits for a chat.
* The event loop uses only values: the last reading (`state`) and its pages (`pages`).

Each change has topics (see `news`). News of a seat and news for the desk is sent at once, all other news when
the pages show the change. A page is current if none of its topics has a later `version`.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msgspec import Struct, field, structs
from msgspec.structs import replace

from tourney.desk import Desk, Workplace
from tourney.desk.forecasting import NeedsQuestion, ask
from tourney.desk.views import PlaceExplainer, event_view, place_explainer
from tourney.errors import TourneyError
from tourney.event import showing
from tourney.event.kind import EventReading
from tourney.event.names import public
from tourney.event.state import State
from tourney.event.view import NeedsView
from tourney.publish import site_of
from tourney.record import PlayerId
from tourney.serve.forecasts import ForecastProcess
from tourney.serve.news import DESK, NEEDS, RESULTS, ROOM, about_player, on_pages, touched, with_new_needs
from tourney.store.journal import AwayError, Listening, ShutOutError
from tourney.store.places import Named, place_of
from tourney.wording import Message

if TYPE_CHECKING:
    from tourney.desk import Receipt
    from tourney.desk.posting import OpenOutbox
    from tourney.event.view import EventView, PlayerView
    from tourney.publish.data import Files
    from tourney.publish.pages import Site

LOOKS_EVERY = 0.2
"""Seconds between two checks of the event's file."""

LISTENS_FOR, TRUSTS_FOR = 0.5, 5.0
"""Two times for an event in a database, in seconds.

The first is how long to wait for a notification. After the second, the database is read even without one.
"""

RESTS = 8.0
"""The pause after pages were made, as a multiple of the time that it took to make them."""

EXPLAINS_EVERY, QUIET = 0.02, 0.5
"""Seconds between two explanations made in advance, and idle seconds before the first one.

The server is idle while it gets no requests.
"""

SILENCE = 6.0
"""Seconds without an answer after which pages say that the database is out of reach."""

SETTLES_EVERY = 2.0
"""Seconds between two checks for reports to enter, if the event enters them automatically."""

MOST_WAITING = 300
"""The maximum number of changes that wait for the writer; more are refused (`BusyError`)."""

SWITCHES_EVERY = 0.0005
"""Seconds that a thread may run while others wait, a tenth of Python's default."""

MOST_AT_ONCE = 24
"""The maximum number of topics of a change whose news is sent at once.

If a change has more topics, all its news is sent when the pages show the change.
"""

T = TypeVar("T")


class BusyError(TourneyError):
    """Too many changes are waiting. Nothing was written, and the request can be sent again."""

    def __init__(self) -> None:
        super().__init__(
            Message("too many requests at once; nothing was entered"),
            Message("wait a few seconds, then send the form again"),
        )


class OutOfReachError(TourneyError):
    """The event's database is out of reach, and pages show the event as it was last read.

    why: the error of the database
    since: the time of the first failed attempt, `HH:MM`, which pages and the terminal show; empty in the
           answer to a single request that failed
    """

    def __init__(self, why: AwayError, since: str = "") -> None:
        self.why, self.since = why, since
        is_shut_out, then = isinstance(why, ShutOutError), "the pages show the event as it was at that time"
        if since and is_shut_out:
            super().__init__(f"nothing can be read or entered since {since}: {why.message}; {then}", why.hint)
        elif since:
            super().__init__(
                f"the event's database has not answered since {since}; {then}, and nothing can be entered"
                " until the database answers again"
            )
        elif is_shut_out:
            super().__init__(f"nothing was entered: {why.message}", "go to the desk")
        else:
            super().__init__(
                "the event's database cannot be reached, so nothing was entered",
                "wait a few seconds, then send the form again",
            )


class Pages(Struct, dict=True):
    """The public pages of the event after `entry`.

    A page is made when it is first requested, and is then kept.

    made: (address, audience) → the page, and the same page compressed. All visitors in an audience get the
          same bytes
    why: the explanations of places, kept as long as the places are the same
    version: the version of the latest news that these pages show
    question: the input from which another process calculates what players need for the cut. If this cannot be
              calculated, a view that gives the reason. None if the event does not show this, is a bracket or
              closed, or has made the cut
    needs: the view of what players need for the cut: the last valid answer, or a view that says why it is
           missing; None if `question` is None
    """

    site: Site
    entry: int
    state: State
    why: PlaceExplanations
    made: dict[tuple[str, str], tuple[bytes, bytes]] = field(default_factory=dict)
    version: int = 0
    question: NeedsQuestion | NeedsView | None = None
    needs: NeedsView | None = None

    @property
    def event(self) -> EventView:
        """The view of the event from which the pages are made."""
        return self.site.event

    def at(self, state: State, chain: tuple[str, ...]) -> Pages:
        """Return the pages after new entries, if these change only the verification page.

        state: the event after the new entries
        chain: the digests of all entries, which the verification page shows
        """
        verification = showing.verification(public(state), chain, self.event.verification.remarks)
        view = structs.replace(
            self.event, state=f"entry {state.entry}, {state.digest}", verification=verification
        )
        return replace(self._showing(view, "verification"), entry=state.entry, state=state)

    def _showing(self, view: EventView, *outdated: str) -> Pages:
        """Return a copy of these pages that shows `view`, without the pages that are outdated.

        An outdated page is made again at its next request. So are all files in other formats, which are kept
        without an audience.

        outdated: the beginnings of the addresses of outdated pages
        """
        made = {key: page for key, page in self.made.items() if key[1] and not key[0].startswith(outdated)}
        return replace(self, site=site_of(view), made=made)

    def needs_for(self, player: PlayerId | None) -> NeedsView | None:
        """Return what players need to make the cut, for a player's own page.

        If `player` is None, return it for public pages, or None if it is not public.
        """
        return self.event.needs if player is None else self.needs

    def with_needs(self, needs: NeedsView | None) -> Pages:
        """Return these pages with new information about what players need to make the cut.

        Public pages show it only with the setting `forecast=all`.
        """
        public_needs = needs if self.state.settings.phones.forecast == "all" else None
        if public_needs == self.event.needs:
            return replace(self, needs=needs)
        view = structs.replace(self.event, needs=public_needs)
        outdated = ("",) if self.event.needs is None else ("needs", "player/")  # each page links to the needs
        return replace(self._showing(view, *outdated), needs=needs)

    def fill(self, key: tuple[str, str], make: Callable[[], bytes]) -> None:
        """Make a page and keep it, unless it is kept already.

        key: the address and the audience of the page. All visitors in an audience get the same bytes
        """
        if key not in self.made:
            page = make()
            self.made[key] = page, gzip.compress(page, 6, mtime=0)

    @cached_property
    def files(self) -> Files:
        """The files of the website, and the event in other file formats that the home page links to."""
        return {**self.site.files, **self.site.other_files()}

    @cached_property
    def players(self) -> Mapping[PlayerId, PlayerView]:
        """Number of a player → the view of the player."""
        return {player.player: player for player in self.site.event.players}


class Publication(NamedTuple):
    """The outcome of publishing pages and posts after a change.

    at: the time of publishing, `HH:MM`
    lines: what was published
    faults: what could not be published, and why
    """

    at: str
    lines: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class PlaceExplanations(Struct):
    """Explanations of the places after the last complete round.

    They are made one at a time, in the server's thread that makes the pages.

    of: the values that all explanations depend on
    explain: a function that makes the explanation for a player
    by_player: player → the explanation, for those made so far
    """

    of: object
    explain: PlaceExplainer
    by_player: dict[PlayerId, tuple[str, ...]] = field(default_factory=dict)

    def add(self, player: PlayerId) -> None:
        """Make the explanation of a player's place, unless it was made before."""
        if player not in self.by_player:
            self.by_player[player] = self.explain(player)


class LiveEvent:
    """An event that many visitors read while a few change it.

    Call `start` in a running event loop, and `stop` at the end.

    state: the event as last read
    pages: its public pages, which may be a little older
    fault: why the event cannot be read or written now, such as a moved file; None if it can
    publishing: the number of changes that are not published yet
    publication: the outcome of the last publication; None before the first
    on_news: a function that is called with the topics of the news and its version. The version grows with all
             news, so that older pages can be recognized
    on_bug: a function that is called with an exception that ends the watching of the event
    asked_at: the time of the last request, by the loop's clock
    warmed: set when one page of each kind has been made in advance
    """

    pages: Pages
    _loop: asyncio.AbstractEventLoop
    _explaining: asyncio.Task[None]

    def __init__(self, place: Named, workplace: Workplace, *, outbox: OpenOutbox) -> None:
        self.place = place_of(place)
        self.clock = workplace.clock
        self.outbox = outbox
        self.publishing = 0
        self.publication: Publication | None = None
        self.fault: TourneyError | None = None
        self.asked_at = 0.0
        self.on_news: Callable[[frozenset[str], int], None] = lambda _topics, _version: None
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
        self._waiting = 0
        self._public: tuple[State, State] | None = None
        # Versions begin with the time in milliseconds, so that they are higher after a restart. News is less
        # frequent than once in a millisecond.
        self._version = self._first = int(workplace.clock().timestamp() * 1000)
        self._versions: dict[str, int] = {}
        self._unsent: set[str] = set()
        self._changed = asyncio.Event()
        self._fresh = asyncio.Event()
        self._pausing = False
        self._forecasts = ForecastProcess()
        self._forecast: tuple[NeedsQuestion, NeedsView] | None = None
        self._asking = asyncio.Event()
        self.warmed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    # -- start and stop

    async def start(self) -> None:
        """Read the event, make its pages and start to watch it.

        Raises TourneyError if the event cannot be read.
        """
        sys.setswitchinterval(SWITCHES_EVERY)
        self._loop = asyncio.get_running_loop()
        self._reading = await self._in(self._writer, self._open_to_write)
        self.pages = await self._in(self._reader, self._make, self._reading, None)
        self._show_needs(None)
        self.pages.version = self._version
        self._fresh.set()
        self._explaining = asyncio.create_task(self._explain_all(self.pages))
        jobs = (self._watch(), self._keep_pages(), self._warm(self.pages), self._update_needs())
        self._tasks = [asyncio.create_task(job) for job in jobs]
        for task in self._tasks:
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Report the exception that ended a background task, so that the server stops.

        Without this task, the server would no longer notice changes.
        """
        if not task.cancelled() and (fault := task.exception()) is not None:
            self.on_bug(fault)

    async def stop(self) -> None:
        """Close the event, after all pending changes are written and published."""
        tasks = [*self._tasks, self._explaining]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._forecasts.stop()
        await self._in(self._publisher, lambda: None)
        await self._in(self._writer, self._close, self._desk)
        await self._in(self._reader, self._close, self._reading_desk)
        if self._listening is not None:
            await self._in(self._listener, self._listening.close)
        for thread in (self._writer, self._reader, self._publisher, self._listener):
            thread.shutdown()

    async def _in(self, thread: ThreadPoolExecutor, act: Callable[..., T], *arguments: object) -> T:
        return await self._loop.run_in_executor(thread, partial(act, *arguments))

    @staticmethod
    def _close(desk: Desk | None) -> None:
        if desk is not None:
            desk.leave()

    # -- the last reading of the event

    @property
    def state(self) -> State:
        """The event as last read."""
        return self._reading.state

    @property
    def public(self) -> State:
        """The public part of the event: without a held-back round, and with the names for pages."""
        if self._public is None or self._public[0] is not self.state:
            self._public = self.state, public(self.state)
        return self._public[1]

    @property
    def started_with(self) -> str:
        """The digest of the first entry, which identifies the event even if its file is renamed."""
        return self._reading.entries[0].digest

    @property
    def latest_version(self) -> int:
        """The version of the latest news of any topic."""
        return self._version

    def version(self, topics: Iterable[str]) -> int:
        """Return a number that grows whenever there is news of one of these topics."""
        return max((self._versions.get(topic, self._first) for topic in topics), default=self._first)

    async def read(self, look: Callable[[Desk], T]) -> T:
        """Return the result of `look`, which is called with the desk in the writer's thread.

        This is for values that are not in `state`. `look` must not write.
        """
        return await self._in(self._writer, self._look, look)

    def _look(self, look: Callable[[Desk], T]) -> T:
        try:
            return look(self._present_desk())
        except AwayError as fault:
            raise OutOfReachError(fault) from None

    # -- writing

    async def write(self, act: Callable[[Desk], T]) -> T:
        """Call `act`, which changes the event, in the writer's thread, and return its result.

        `act` gets the `Desk`, which is the event opened for work. When this method returns, the change has
        been written to the disk.

        Raises TourneyError if the change is refused, and BusyError if too many changes are waiting.
        """
        if self._waiting >= MOST_WAITING:
            raise BusyError
        self._waiting += 1
        try:
            return await self._in(self._writer, self._act, act)
        finally:
            self._waiting -= 1

    def _act(self, act: Callable[[Desk], T]) -> T:
        desk = self._present_desk()
        try:
            return act(desk)
        except AwayError as fault:
            raise OutOfReachError(fault) from None
        finally:
            self._post(
                desk
            )  # also after an error, so that the error page shows the event that caused the error

    def _post(self, desk: Desk) -> None:
        """Pass the event, as the desk last read it, to the event loop.

        Only the writer's thread does this, so a newer state never arrives before an older one.
        """
        self._loop.call_soon_threadsafe(self._adopt, desk.reading)

    # -- publishing after a change

    def publish(self, act: Callable[[Desk], Receipt], receipt: Receipt | None = None) -> None:
        """Publish pages and posts with `act` in the publisher's thread, without waiting for it.

        receipt: the receipt of the change, if there is one. `act` returns a receipt with further lines; these
                 become the `publication`
        """
        changed, warned = (len(receipt.changed), len(receipt.warnings)) if receipt else (0, 0)
        self.publishing += 1
        published = self._loop.run_in_executor(self._publisher, self._publish, act)

        def report(done: asyncio.Future[Receipt]) -> None:
            self.publishing -= 1
            at = f"{self.clock():%H:%M}"
            fault = done.exception()
            if isinstance(fault, TourneyError):
                self.publication = Publication(at, faults=(fault.message,))
            elif fault is not None:
                self.on_bug(fault)
            else:
                after = done.result()
                if len(after.changed) > changed or len(after.warnings) > warned:
                    self.publication = Publication(at, after.changed[changed:], after.warnings[warned:])
            self._send(frozenset({DESK}))

        published.add_done_callback(report)

    def _publish(self, act: Callable[[Desk], Receipt]) -> Receipt:
        with self._open() as desk:
            if desk.entries[0].digest != self.started_with:
                raise TourneyError(f"{self.place.name} now holds another event; nothing was published")
            return act(desk)

    # -- watching the event

    async def _watch(self) -> None:
        """Read new entries continually, also those made on the command line or by other machines."""
        loop = asyncio.get_running_loop()
        settled = loop.time()
        while True:
            try:
                if await self._is_there_more():
                    await self._read_anew()
                    self._looked_at = loop.time()
                    self._note_fault(None)
                if self.state.settings.phones.claim_alone and loop.time() - settled > SETTLES_EVERY:
                    await self.write(lambda desk: desk.enter_unanswered())
                    settled = loop.time()
            except (AwayError, OutOfReachError) as fault:
                self._note_away(fault.why if isinstance(fault, OutOfReachError) else fault)
                await asyncio.sleep(LOOKS_EVERY)
            except TourneyError as fault:
                self._note_fault(fault)
                await asyncio.sleep(LOOKS_EVERY)

    async def _read_anew(self) -> None:
        """Read new entries.

        If a database does not answer within `SILENCE`, pages show that it is out of reach.
        """
        reading = asyncio.ensure_future(self._in(self._writer, self._refresh))
        if self._listening is not None:
            await asyncio.wait({reading}, timeout=SILENCE)
            # A change may be waiting for another desk. Do not replace a reason that pages already show.
            if not (reading.done() or self._waiting or isinstance(self.fault, OutOfReachError)):
                self._note_away(AwayError("the database does not answer"))
        await reading

    async def _is_there_more(self) -> bool:
        """Wait a little, and return whether to read the event again.

        A file is always read. A database is read after a notification, after a fault, or if it was last read
        too long ago.

        Raises AwayError while the database is out of reach.
        """
        if self._listening is None:
            await asyncio.sleep(LOOKS_EVERY)
            return True
        is_notified = await self._in(self._listener, self._listening.wait, LISTENS_FOR)
        is_overdue = self._loop.time() - self._looked_at > TRUSTS_FOR
        return is_notified or is_overdue or self.fault is not None

    def _note_away(self, why: AwayError) -> None:
        """Record that the database is out of reach, with the time of the first failed attempt."""
        since = self.fault.since if isinstance(self.fault, OutOfReachError) else f"{self.clock():%H:%M}"
        self._note_fault(OutOfReachError(why, since))

    def _note_fault(self, fault: TourneyError | None) -> None:
        """Record why the event cannot be read now, and update the pages.

        fault: None if the event can be read again
        """
        before, self.fault = self.fault, fault
        if (before and before.message) != (fault and fault.message):
            self._send(frozenset({ROOM, DESK}))
            # The pages show the fault. Without the new version, they would count as outdated.
            self.pages = replace(self.pages, made={}, version=self._version)

    def _open_to_write(self) -> EventReading:
        self._desk = self._open()
        self._listening = self._desk.journal.listen()
        return self._desk.reading

    def _refresh(self) -> None:
        desk = self._present_desk()
        desk.refresh()
        self._post(desk)

    def _present_desk(self) -> Desk:
        """Return the open event (a `Desk`). If its file was replaced, open the new file first.

        Raises TourneyError if the file is missing or contains a different event.
        """
        if self._desk is None or self._desk.journal.has_moved():
            self._reopen()
        assert self._desk is not None
        return self._desk

    def _reopen(self) -> None:
        """Open the file that replaced the open one, such as a restored backup."""
        desk = self._open()
        if desk.entries[0].digest != self._reading.entries[0].digest:
            desk.leave()
            raise TourneyError(f"{self.place.name} now holds another event; nothing can be entered")
        self._close(self._desk)
        self._desk = desk

    # -- news

    def _adopt(self, reading: EventReading) -> None:
        """Replace the event, as it was last read, by `reading`, and send news of the changes.

        Does nothing if the state is the same. The new state can be older, after a backup was restored.
        """
        before, after = self._reading.state, reading.state
        if after is before or (after.entry <= before.entry and after.digest == before.digest):
            return
        self._reading = reading
        topics = touched(before, after)
        self._unsent |= topics
        if len(topics) <= MOST_AT_ONCE:
            self._send(topics - {ROOM, RESULTS})
        self._fresh.clear()
        self._changed.set()

    def announce(self, topic: str) -> None:
        """Send news of a change that is not in an entry, such as a new address."""
        self._send(frozenset({topic}))

    def _send(self, topics: frozenset[str]) -> None:
        self._version += 1
        self._versions.update(dict.fromkeys(topics, self._version))
        self.on_news(topics, self._version)

    # -- pages

    async def fresh_pages(self) -> Pages:
        """Return the public pages; first wait up to 10 seconds until they show the latest entry.

        In the pauses after the pages were made, this method does not wait. Therefore pages can lag a little
        behind while many entries arrive.
        """
        if not self._fresh.is_set() and not self._pausing:
            with suppress(TimeoutError):
                async with asyncio.timeout(10):
                    await self._fresh.wait()
        return self.pages

    async def _keep_pages(self) -> None:
        """Make the pages again after each change, then send news of what has changed on them."""
        loop = asyncio.get_running_loop()
        while True:
            await self._changed.wait()
            self._changed.clear()
            start, reading, topics = loop.time(), self._reading, self._unsent
            self._unsent = set()
            try:
                pages = await self._in(self._reader, self._make, reading, self.pages)
            except TourneyError as fault:
                self._unsent |= topics
                self._note_away(fault) if isinstance(fault, AwayError) else self._note_fault(fault)
                await asyncio.sleep(1)
                self._changed.set()
                continue
            # A page that is kept contains its old version. After news of the page, browsers would
            # load it again and again.
            stale = {f"player/{topic[7:]}.html" for topic in topics if topic.startswith("player:")}
            pages.made = {key: page for key, page in pages.made.items() if key[0] not in stale}
            old_needs, self.pages = self.pages.needs, pages
            changed_needs = self._show_needs(old_needs)
            postponed = topics if len(topics) > MOST_AT_ONCE else ()
            self._send(frozenset({*map(on_pages, topics), *postponed, *changed_needs}))
            self.pages.version = self._version
            if reading is self._reading:
                self._fresh.set()
            self._explaining.cancel()
            self._explaining = asyncio.create_task(self._explain_all(self.pages))
            self._pausing = True
            await asyncio.sleep(RESTS * (loop.time() - start))
            self._pausing = False

    # -- what players need for the cut

    def _show_needs(self, before: NeedsView | None) -> frozenset[str]:
        """Show on the pages what players need to make the cut, as far as it is calculated.

        Start the calculation if it is missing. Return the topics whose pages change.

        before: what the pages showed until now
        """
        question, last = self.pages.question, self._forecast
        needs = question if isinstance(question, NeedsView) else None
        if isinstance(question, NeedsQuestion):
            needs = last[1] if last and question.is_answered_by(last[0]) else NeedsView(unsaid="pending")
            if last is None or question != last[0]:
                self._asking.set()
        self.pages = self.pages.with_needs(needs)
        if before == needs:
            return frozenset()
        seats = [about_player(player) for player in with_new_needs(before, needs)]
        is_public = self.pages.event.needs is not None
        return frozenset({NEEDS, *seats, *(map(on_pages, seats) if is_public else ())})

    async def _update_needs(self) -> None:
        """Calculate what players need to make the cut, and again after changes to the event.

        Only one calculation runs at a time. The next one uses the newest results.
        """
        loop = asyncio.get_running_loop()
        while True:
            await self._asking.wait()
            self._asking.clear()
            start, question = loop.time(), self.pages.question
            if not isinstance(question, NeedsQuestion) or (self._forecast and self._forecast[0] == question):
                continue
            answer, last = await self._forecasts.answer(question), self._forecast
            if answer.unsaid == "late" and last and not last[1].unsaid and question.is_answered_by(last[0]):
                answer = last[1]  # the earlier proof is still valid
            self._forecast = question, answer
            self._send(self._show_needs(self.pages.needs))
            self.pages.version = self._version
            await asyncio.sleep(loop.time() - start)

    async def _warm(self, pages: Pages) -> None:
        """Make one page of each kind in advance, because the first one is slow.

        A request that arrives meanwhile waits for one page at most.
        """
        for address in {address.split("/")[0]: address for address in pages.site.pages}.values():
            await self._in(self._reader, pages.site.page, address)
        self.warmed.set()

    async def _explain_all(self, pages: Pages) -> None:
        """Explain the rank of each player in advance, while the server gets no requests."""
        loop = asyncio.get_running_loop()
        for player in pages.players:
            while loop.time() - self.asked_at < QUIET:
                await asyncio.sleep(QUIET)
            if player not in pages.why.by_player:
                await self.why(pages, player)
                await asyncio.sleep(EXPLAINS_EVERY)

    def _make(self, reading: EventReading, before: Pages | None) -> Pages:
        desk = self._reading_desk
        if desk is None or _has_moved(desk):
            self._close(desk)
            desk = self._reading_desk = self._open()
        desk.reading = reading
        if before is not None and _looks_alike(before.state, reading.state):
            return before.at(reading.state, desk.chain)
        view = event_view(desk, with_reasons=False)
        of = (view.settled, reading.state.rules, [player.name for player in view.players])
        why = before.why if before and before.why.of == of else PlaceExplanations(of, place_explainer(desk))
        shows_needs = reading.state.settings.phones.forecast != "closed"
        question = ask(desk) if shows_needs else None
        return Pages(site_of(view), reading.state.entry, reading.state, why, question=question)

    async def rendered(
        self, pages: Pages, address: str, audience: str, make: Callable[[], bytes]
    ) -> tuple[bytes, bytes]:
        """Return a page, and the same page compressed. The first request makes the page.

        The thread `_reader` makes it.

        audience: the visitors who see the same bytes, such as those with one role
        make: a function that makes the page
        """
        if (address, audience) not in pages.made:
            await self._in(self._reader, pages.fill, (address, audience), make)
        return pages.made[address, audience]

    async def why(self, pages: Pages, player: PlayerId) -> tuple[str, ...]:
        """Return the lines that explain a player's place; empty if the player has no place yet."""
        explanations = pages.why.by_player
        if player not in explanations:
            await self._in(self._reader, pages.why.add, player)
        return explanations[player]


def _has_moved(desk: Desk) -> bool:
    """Return whether another file has replaced the open one."""
    try:
        return desk.journal.has_moved()
    except TourneyError:  # the file is missing; the open one can still be read
        return False


def _looks_alike(before: State, after: State) -> bool:
    """Return whether two states differ only in reported results and calls for a judge.

    No public page shows these.
    """
    rounds = zip(before.rounds, after.rounds, strict=False)
    return (
        len(before.rounds) == len(after.rounds)
        and replace(before, entry=0, digest="", rounds=()) == replace(after, entry=0, digest="", rounds=())
        and all(a is b or a.public == b.public for a, b in rounds)
    )
