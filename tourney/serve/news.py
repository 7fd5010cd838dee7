"""News of changes: the topics that a change affects, and the streams that open pages read.

A page listens for the topics that it shows. News of `player:7` (the seat of player 7) and `desk` (any change)
is sent at once. News of `room` (pairings and the clock), `results` (results, and players who join or leave)
and `page:7` (the public page of player 7) is sent when the pages show the change. News of `needs` is sent
when a separate process has calculated what players need for the cut, if the event shows these needs.

Streams are server-sent events; pages without a stream poll `/head`. A stream only says that there is news,
and within how many seconds the page should load again. Each phone picks a random time, so that 500 phones do
not load at once. A stream keeps only its latest news.

If there are too many streams, a new spectator may get the place of another one. The IP address with the most
streams of spectators then loses its newest one, if it has at least two more than the new spectator's address.
Addresses are compared because anyone can invent any number of sessions.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from typing import TypeVar

from msgspec import Struct, field, structs

from tourney.event.state import Round, State, changed_tables
from tourney.event.view import NeedsView
from tourney.record import PlayerId

K = TypeVar("K")

ROOM, RESULTS, DESK, NEEDS = "room", "results", "desk", "needs"
"""Topics that concern more than one player.

ROOM: a pairing, the clock or the end of a round. This news is rare, because all phones then load their pages
      again
RESULTS: other changes of public lists: results, extra time, players who join or leave
DESK: any change
NEEDS: what players need for the cut
"""


def about_player(player: PlayerId) -> str:
    """Return the topic for news of a player's seat. Such news is sent at once."""
    return f"player:{player}"


def on_page(player: PlayerId | str) -> str:
    """Return the topic of a player's public page, such as `page:7`.

    News of a change is sent on this topic only when the page already shows the change.
    """
    return f"page:{player}"


def on_pages(topic: str) -> str:
    """Return the topic of a player's public page (`page:7`) for the player's topic (`player:7`).

    News of `page:7` is sent when the page already shows the change. Any other topic is returned unchanged.
    """
    return on_page(topic.removeprefix("player:")) if topic.startswith("player:") else topic


# -- the topics that a change affects


def touched(before: State, after: State) -> frozenset[str]:
    """Return the topics that a change affects.

    While the desk holds a round back from the players, changes in that round affect only `DESK`.
    """
    topics = {DESK}
    before, after = before.for_players, after.for_players
    if _whole(before) != _whole(after):
        topics.add(ROOM)
    for player in differing(before.players, after.players):
        table = after.table_of(player)
        topics |= {RESULTS, about_player(player), *map(about_player, table.seats if table else ())}
        if _name_on_pages(before, player) != _name_on_pages(after, player):
            topics.add(ROOM)  # the pages of all opponents show the name
    earlier = {round_.number: round_ for round_ in before.rounds}
    for round_ in after.rounds:
        topics |= _touched_in(earlier.get(round_.number), round_)
    return frozenset(topics)


def differing(before: Mapping[K, object], after: Mapping[K, object]) -> set[K]:
    """Return the keys whose values differ between two mappings."""
    return {
        key
        for key in before.keys() | after.keys()
        if before.get(key) is not after.get(key) and before.get(key) != after.get(key)
    }


def _whole(state: State) -> tuple[object, ...]:
    return (
        (state.name, state.settings, state.closed, state.cut, state.rules, state.beacon, state.shared),
        len(state.rounds),
    )


def _name_on_pages(state: State, number: PlayerId) -> tuple[object, ...]:
    """Return the facts that decide which name of a player the pages show.

    The result is empty before round 1, and if the player is not registered.
    """
    player = state.players.get(number)
    return (player.name, player.alias, player.minor, player.erased) if player and state.rounds else ()


def _touched_in(before: Round | None, after: Round) -> set[str]:
    """Return the topics of the news about a round's changes, such as `room` or `player:7`.

    before: the round before the changes; None if the round is new
    """
    tables = changed_tables(after, before)
    if tables is None:
        return set()
    table_numbers, topics = {*tables}, {ROOM}
    if before is not None:
        calls = before.calls | after.calls
        table_numbers |= {calls[entry].table for entry in differing(before.calls, after.calls)}
        topics = {ROOM} if _seen_by_all(before) != _seen_by_all(after) else set()
    earlier = before.tables if before else {}
    if any(
        number not in earlier or earlier[number].public != after.tables[number].public for number in tables
    ):
        topics.add(RESULTS)
    versions = (earlier, after.tables)
    seats_of_tables = (
        tables[number].seats for tables in versions for number in table_numbers if number in tables
    )
    return topics | {about_player(player) for seats in seats_of_tables for player in seats}


def _seen_by_all(round_: Round) -> tuple[object, ...]:
    """Return the public parts of a round that are not results, such as seats and the clock."""
    seats = [(number, table.seats) for number, table in round_.tables.items()]
    return (seats, round_.done, *(getattr(round_, name) for name in _OF_THE_ROUND))


_OF_A_TABLE = {"tables", "calls"}
"""The fields of a round about single tables. `_touched_in` compares them table by table."""

_OF_THE_ROUND = [name for name in Round.__struct_fields__ if name not in _OF_A_TABLE]


def with_new_needs(before: NeedsView | None, after: NeedsView | None) -> set[PlayerId]:
    """Return the players whose rows changed, and all players at their tables.

    The rows say what players need to make the cut. A new rank or new points alone are not a change.
    """
    old, new = (
        {row.player: structs.replace(row, rank=None, points="") for row in (view.rows if view else ())}
        for view in (before, after)
    )
    changed_players = differing(old, new)
    tables = {rows[player].table for rows in (old, new) for player in changed_players if player in rows} - {0}
    return changed_players | {
        player for rows in (old, new) for player, row in rows.items() if row.table in tables
    }


# -- streams

MOST_STREAMS = 1200
"""The maximum number of streams."""

FOR_STAFF = 100
"""The number of streams that are reserved for staff."""

FOR_PLAYERS = 600
"""The number of streams that are reserved for signed-in players, besides those for staff."""

OF_ONE_SESSION = 2
"""The maximum number of streams of a session.

A further stream ends the oldest one, whose page then polls.
"""

PING = 15.0
"""Seconds between two keep-alive messages on a stream without news."""

WITHIN = 3.0
"""The longest time over which phones spread the loading of pages after news, in seconds."""

AT_ONCE = 200
"""If at least this many streams get the news, the loading is spread over all of `WITHIN`.

With fewer streams, the time is proportionally shorter.
"""


class Stream(Struct, eq=False):
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
        """Send news to the page.

        within: the seconds within which the page should load; the smallest value of all unsent news applies
        """
        within = min(within, self._news[1]) if self._news else within
        self._news = version, within
        self._woken.set()

    def end(self, reason: str) -> None:
        """End the stream.

        reason: `poll` (the page polls now), `ended` (the session ended), `bye` (the server stops).
        """
        self._over = reason
        self._woken.set()

    async def lines(self, begin: int) -> AsyncIterator[bytes]:
        """Yield the data to send: the current version, then all news until the stream ends.

        begin: the version of the latest news
        """
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
        """Open a stream and return it; None if there are too many, so that the page has to poll.

        To make room for a spectator, a stream of another spectator is ended if that spectator's address has
        at least two more streams than `address`. The arguments are those of `Stream`.
        """
        session_streams = self._of.get(session, [])
        if len(session_streams) >= OF_ONE_SESSION:
            self._end_one(session_streams[0], "poll")
        most = self.most - (FOR_STAFF if rank < 2 else 0) - (FOR_PLAYERS if rank < 1 else 0)
        if len(self.open) >= most and (rank > 0 or not self._make_room(address)):
            return None
        stream = Stream(session, frozenset(topics), device, rank, address)
        self.open[stream] = None
        self._of.setdefault(session, []).append(stream)
        return stream

    def _make_room(self, address: str) -> bool:
        """End one spectator's stream to make room for a new spectator at `address`.

        The stream belongs to the address with the most spectators' streams. This address must have at least
        two more of them than `address`; otherwise, no stream is ended. Its newest stream is ended, so that
        pages that were open before a flood of sessions keep their streams. Return whether a stream was ended.
        """
        spectators = [stream for stream in self.open if stream.rank == 0]
        count = Counter(stream.address for stream in spectators)
        most = max(count.values(), default=0)
        if most <= count[address] + 1:
            return False
        newest = next(stream for stream in reversed(spectators) if count[stream.address] == most)
        self._end_one(newest, "poll")
        return True

    def _end_one(self, stream: Stream, reason: str) -> None:
        stream.end(reason)
        self.close(stream)

    def close(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        if stream not in self.open:
            return
        del self.open[stream]
        session_streams = self._of[stream.session]
        session_streams.remove(stream)
        if not session_streams:
            del self._of[stream.session]

    def send_news(self, topics: frozenset[str], version: int) -> None:
        """Send news to the streams that have one of these topics.

        The more streams get the news, the longer pages may wait before they load.
        """
        listening = [stream for stream in self.open if not topics.isdisjoint(stream.topics)]
        for stream in listening:
            stream.send_news(version, WITHIN * min(1, len(listening) / AT_ONCE))

    def end(self, reason: str, devices: Collection[int] | None = None) -> None:
        """End the streams of some devices. devices: None for all streams."""
        for stream in [stream for stream in self.open if devices is None or stream.device in devices]:
            self._end_one(stream, reason)
