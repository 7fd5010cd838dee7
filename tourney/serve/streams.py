"""Streams of server-sent events for open pages, up to a limit; pages without a stream poll `/head`.

A stream says no more than that there is news, and within how many seconds to ask for the page again: the phone picks the
moment, so that 500 of them do not ask at once. Only the latest news of a stream is kept, whatever comes meanwhile.

Anybody can invent sessions of spectators, so these share their room by address.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass, field

MOST_STREAMS = 1200
"""Streams in all."""

FOR_STAFF = 100
"""Of these, kept for staff."""

FOR_PLAYERS = 600
"""Of these, kept for players who are signed in."""

OF_ONE_SESSION = 2
"""Streams of one session; a third ends the oldest, which asks from then on."""

PING = 15.0
"""Seconds after which a stream that has no news says that it is there."""

WITHIN = 3.0
"""Seconds within which phones ask for their page, where many are told at once; `AT_ONCE`: that many."""

AT_ONCE = 200


@dataclass(slots=True, eq=False)
class Stream:
    """The stream of one open page.

    topics:  what the page shows
    device:  the number of the session's device; None for a spectator
    rank:    0 for a spectator, 1 for a player, 2 for staff
    address: where the connection comes from
    """

    session: str
    topics: frozenset[str]
    device: int | None = None
    rank: int = 0
    address: str = ""
    _news: tuple[int, float] | None = None
    _over: str = ""
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, version: int, within: float) -> None:
        """Have it say that there is news; sooner where it was about to be told already."""
        within = min(within, self._news[1]) if self._news else within
        self._news = version, within
        self._woken.set()

    def end(self, why: str) -> None:
        """End it: `poll` (ask from now on), `ended` (the session is over), `bye` (the server is)."""
        self._over = why
        self._woken.set()

    async def lines(self, begin: int) -> AsyncIterator[bytes]:
        """Yield what is sent: first what the page should be at, then all news, until it is ended."""
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
        """Open a stream. Return None if there is no room for it; the page polls then.

        A spectator takes the place of another spectator whose address has at least two streams more. The other arguments
        are those of `Stream`.
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
        """End the newest stream of the address with the most spectators, if it has more than `address` would have then.

        The newest, because pages that were open before a flood of sessions then keep their streams.
        """
        spectators = [stream for stream in self.open if stream.rank == 0]
        count = Counter(stream.address for stream in spectators)
        most = max(count.values(), default=0)
        if most <= count[address] + 1:
            return False
        self._end_one(next(each for each in reversed(spectators) if count[each.address] == most), "poll")
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

    def tell(self, topics: frozenset[str], version: int) -> None:
        """Tell everybody who listens to one of the topics; the more they are, the longer they may wait before they ask."""
        listening = [each for each in self.open if not topics.isdisjoint(each.topics)]
        for stream in listening:
            stream.tell(version, WITHIN * min(1, len(listening) / AT_ONCE))

    def end(self, why: str, devices: Collection[int] | None = None) -> None:
        """End the streams of these devices; None: all there are."""
        for stream in [each for each in self.open if devices is None or each.device in devices]:
            self._end_one(stream, why)
