"""Streams of server-sent events for open pages; pages without a stream poll `/head`.

A stream only says that there is news, and within how many seconds to load the page again. Each phone picks a
random time, so that 500 phones do not load at once. A stream keeps only its latest news.

Spectators share the streams by address, because anyone can make up any number of sessions.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass, field

MOST_STREAMS = 1200
"""The maximum number of streams."""

FOR_STAFF = 100
"""The number of streams that are reserved for staff."""

FOR_PLAYERS = 600
"""The number of streams that are reserved for signed-in players, besides those for staff."""

OF_ONE_SESSION = 2
"""The maximum number of streams of a session.

Another stream ends the oldest, whose page then polls.
"""

PING = 15.0
"""Seconds between two keep-alive messages on a stream without news."""

WITHIN = 3.0
"""Seconds within which phones load their pages after news for `AT_ONCE` phones or more."""

AT_ONCE = 200
"""The fewest streams for which the loading of pages is spread over `WITHIN` seconds."""


@dataclass(slots=True, eq=False)
class Stream:
    """The stream of one open page.

    topics:  the topics that the page shows
    device:  the number of the session's device; None for a spectator
    rank:    0 for a spectator, 1 for a player, 2 for staff
    address: the IP address that the connection comes from
    """

    session: str
    topics: frozenset[str]
    device: int | None = None
    rank: int = 0
    address: str = ""
    _news: tuple[int, float] | None = None
    _over: str = ""
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def send_news(self, version: int, within: float) -> None:
        """Send news.

        within: the seconds within which to load the page, or less if unsent news has less
        """
        within = min(within, self._news[1]) if self._news else within
        self._news = version, within
        self._woken.set()

    def end(self, why: str) -> None:
        """End the stream.

        why: `poll` (the page polls now), `ended` (the session ended), `bye` (the server stops).
        """
        self._over = why
        self._woken.set()

    async def lines(self, begin: int) -> AsyncIterator[bytes]:
        """Yield the data to send: the version `begin`, then all news until the stream ends."""
        yield _event("head", f'{{"version": {begin}}}') + b"retry: 2000\n\n"
        while True:
            try:
                async with asyncio.timeout(PING):
                    await self._woken.wait()
            except TimeoutError:
                yield b": here\n\n"
                continue
            self._woken.clear()
            if self._over:
                yield _event(self._over, "{}")
                return
            if self._news:
                (version, within), self._news = self._news, None
                yield _event("news", f'{{"version": {version}, "within": {within:g}}}')


def _event(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()


class Streams:
    """All open streams."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self.most = most
        self.open: dict[Stream, None] = {}
        self._of: dict[str, list[Stream]] = {}

    def begin(
        self, session: str, topics: Iterable[str], rank: int = 0, device: int | None = None, address: str = ""
    ) -> Stream | None:
        """Open a stream. Return None if there is no room for it, so that the page polls.

        If there is no room for a spectator, a stream of another spectator ends, provided that its address has
        at least two more streams than `address`. The arguments are those of `Stream`.
        """
        own = self._of.get(session, [])
        if len(own) >= OF_ONE_SESSION:
            self._end_one(own[0], "poll")
        most = self.most - (FOR_STAFF if rank < 2 else 0) - (FOR_PLAYERS if rank < 1 else 0)
        if len(self.open) >= most and (rank > 0 or not self._make_room(address)):
            return None
        stream = Stream(session, frozenset(topics), device, rank, address)
        self.open[stream] = None
        self._of.setdefault(session, []).append(stream)
        return stream

    def _make_room(self, address: str) -> bool:
        """End a spectator's stream from the address that has the most.

        That address must have at least two more than `address`. The newest stream ends, so that pages that
        were open before a flood of sessions keep their streams. Return whether a stream was ended.
        """
        spectators = [stream for stream in self.open if stream.rank == 0]
        count = Counter(stream.address for stream in spectators)
        most = max(count.values(), default=0)
        if most <= count[address] + 1:
            return False
        newest = next(stream for stream in reversed(spectators) if count[stream.address] == most)
        self._end_one(newest, "poll")
        return True

    def _end_one(self, stream: Stream, why: str) -> None:
        stream.end(why)
        self.close(stream)

    def close(self, stream: Stream) -> None:
        """Forget a stream."""
        if stream not in self.open:
            return
        del self.open[stream]
        own = self._of[stream.session]
        own.remove(stream)
        if not own:
            del self._of[stream.session]

    def send_news(self, topics: frozenset[str], version: int) -> None:
        """Send news to the streams with these topics. With more streams, pages may wait longer."""
        listening = [stream for stream in self.open if not topics.isdisjoint(stream.topics)]
        for stream in listening:
            stream.send_news(version, WITHIN * min(1, len(listening) / AT_ONCE))

    def end(self, why: str, devices: Collection[int] | None = None) -> None:
        """End the streams of some devices; None for all."""
        for stream in [stream for stream in self.open if devices is None or stream.device in devices]:
            self._end_one(stream, why)
