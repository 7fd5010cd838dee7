"""News over streams: recipients, delay, limits, and pages without a stream."""

import asyncio
import json
from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from msgspec import structs
from msgspec.structs import replace

from tests.desk.kit import open_desk
from tests.serve.kit import opened, run, small_event
from tourney.desk import OwnSeat
from tourney.event.rounds import Manner
from tourney.event.score import Report
from tourney.event.state import Round
from tourney.serve import news as module
from tourney.serve.news import (
    DESK,
    FOR_PLAYERS,
    FOR_STAFF,
    RESULTS,
    ROOM,
    Streams,
    about_player,
    on_page,
    touched,
)


def news(lines):
    """Return the events of a stream, as (name, data)."""
    text = b"".join(lines).decode()
    said = [
        dict(line.split(": ", 1) for line in part.splitlines() if ": " in line) for part in text.split("\n\n")
    ]
    return [(text["event"], json.loads(text["data"])) for text in said if "event" in text]


def test_a_third_page_of_a_phone_has_no_stream(tmp_path):
    """The oldest page has to poll."""

    async def story():
        streams = Streams()
        first, _, _ = (streams.begin("phone", [ROOM]) for _ in range(3))
        assert len(streams.open) == 2
        assert news([line async for line in first.lines(5)])[-1] == ("poll", {})

    run(story())


def test_streams_are_reserved_for_players_and_staff():
    """Spectators cannot use them all. A page without a stream polls."""
    streams = Streams(most=FOR_STAFF + FOR_PLAYERS + 3)
    spectators = [streams.begin(f"s{number}", [ROOM], 0) for number in range(10)]
    assert spectators.count(None) == 7
    players = [streams.begin(f"p{number}", [ROOM], 1) for number in range(FOR_PLAYERS + 5)]
    assert players.count(None) == 5
    assert streams.begin("staff", [ROOM], 2) is not None


def test_invented_sessions_leave_streams_for_other_addresses():
    """Within an address, earlier pages keep their streams."""
    streams = Streams(most=FOR_STAFF + FOR_PLAYERS + 10)
    early = streams.begin("early", [ROOM], address="192.0.2.7")
    flood = [streams.begin(f"invented {number}", [ROOM], address="192.0.2.7") for number in range(30)]
    assert flood.count(None) == 21
    room = [streams.begin(f"phone {number}", [ROOM], address="192.0.2.8") for number in range(8)]
    assert room.count(None) == 3
    assert [stream for stream in streams.open if stream.address == "192.0.2.7"] == [early, *flood[:4]]
    assert len(streams.open) == 10

    async def what_an_ended_stream_says():
        return news([line async for line in flood[8].lines(5)])[-1]

    assert run(what_an_ended_stream_says()) == ("poll", {})


def test_invented_sessions_take_no_stream_of_a_player():
    streams = Streams(most=FOR_STAFF + FOR_PLAYERS + 2)
    player = streams.begin("player", [ROOM], 1, device=1, address="192.0.2.7")
    assert streams.begin("spectator", [ROOM], address="192.0.2.7") is not None
    assert streams.begin("another", [ROOM], address="192.0.2.8") is None
    assert player in streams.open


def test_a_stream_counts_for_its_address(tmp_path):
    """A spectator at another address gets one if an address has used its share."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            streams = hall.room.streams
            streams.most = FOR_STAFF + FOR_PLAYERS + 3
            for number in range(3):
                streams.begin(f"invented {number}", [ROOM], address="192.0.2.7")
            heard, gone = [], asyncio.Event()
            scope = {
                "type": "http", "method": "GET", "path": "/events", "raw_path": b"/events", "root_path": "",
                "scheme": "http", "query_string": b"about=room", "http_version": "1.1",
                "server": ("friday.local", 8017), "client": ("192.0.2.8", 40000),
                "headers": [(b"host", b"friday.local:8017")],
            }  # fmt: skip

            async def receive():
                await gone.wait()
                return {"type": "http.disconnect"}

            async def send(message):
                heard.append(message)

            task = asyncio.create_task(hall.app(scope, receive, send))
            async with asyncio.timeout(60):
                while not heard:
                    await asyncio.sleep(0.01)
                assert heard[0]["status"] == 200
                gone.set()
                await task

    run(story())


def test_only_the_newest_news_are_sent(tmp_path, monkeypatch):
    """Once, however much happens, and only for subscribed pages."""

    async def story():
        streams = Streams()
        stream = streams.begin("phone", [ROOM, about_player(1)])
        lines = stream.lines(5)
        heard = [await anext(lines)]
        for version in range(6, 1000):
            streams.send_news(frozenset({ROOM}), version)
            streams.send_news(frozenset({about_player(2)}), version)
        heard.append(await anext(lines))
        streams.end("bye")
        heard += [line async for line in lines]
        assert [name for name, _ in news(heard)] == ["head", "news", "bye"]
        assert news(heard)[1][1]["version"] == 999

    run(story())


def test_the_delay_grows_with_the_number_of_streams():
    """At once for one, within three seconds for very many."""
    for number, within in ((1, 0.015), (200, 3.0), (500, 3.0)):
        streams = Streams()
        every = [streams.begin(f"p{each}", [ROOM], 1) for each in range(number)]
        streams.send_news(frozenset({ROOM}), 7)
        assert {case._news for case in every} == {(7, within)}


def test_a_stream_sends_pings(monkeypatch):
    """So a phone notices a lost server."""
    monkeypatch.setattr(module, "PING", 0.01)

    async def story():
        lines = Streams().begin("phone", [ROOM]).lines(1)
        await anext(lines)
        assert await anext(lines) == b": here\n\n"

    run(story())


def test_a_change_has_the_right_recipients(tmp_path):
    """A result: two seats and results; more time: two seats; a pairing: all."""
    with open_desk(small_event(tmp_path)) as desk:
        before = desk.state
        table = before.round.tables[1]
        seats = {about_player(player) for player in table.seats}
        after = desk.report(1, "2-0").state
        assert touched(before, after) == {DESK, RESULTS, *seats}
        more = desk.extend(2, 5).state
        assert touched(after, more) == {
            DESK,
            RESULTS,
            *(about_player(seat) for seat in more.round.tables[2].seats),
        }
        done = desk.report(2, "2-0").state
        assert ROOM in touched(more, done)
        paired = desk.pair_round().state
        assert touched(done, paired) == {DESK, ROOM, RESULTS, *map(about_player, paired.players)}
        dropped = desk.drop("#1").state
        assert touched(paired, dropped) == {DESK, RESULTS, *map(about_player, paired.round.table_of(1).seats)}
        renamed = desk.rename("#1", "Mira Ash").state
        assert {about_player(1), ROOM} <= touched(dropped, renamed)
        dropped = renamed
        claimed = OwnSeat(desk, 2).claim(Report(score="2-0"), round_number=2,
                                         table=paired.round.table_of(2).number,
                                         seats=paired.round.table_of(2).seats, replaces=0).state  # fmt: skip
        at = {about_player(player) for player in paired.round.table_of(2).seats}
        assert touched(dropped, claimed) == {DESK, *at}


def test_news_do_not_reveal_a_held_round(tmp_path):
    """Only its release is news, for all pages."""
    with open_desk(small_event(tmp_path, players=5)) as desk:
        for table in desk.state.round.tables:
            desk.report(table, "2-0")
        done = desk.state
        state = desk.pair_round(manner=Manner(hold_back=True)).state
        assert touched(done, state) == {DESK}
        one, other = (table.seats[0] for table in state.round.tables.values())
        edited = desk.swap(one, other).state
        assert touched(state, edited) == {DESK}
        assert touched(edited, state) == {DESK}
        released = desk.release_round().state
        assert touched(edited, released) >= {DESK, ROOM, about_player(one), about_player(other)}


def test_an_outdated_page_is_recognized(tmp_path):
    """By its version, until it is loaded again."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = await hall.player(1)

            def seen(page):
                return int(page.partition("&amp;seen=")[2].partition('"')[0])

            async def head(about):
                return (await phone.get(f"/head?about={about}")).json()["version"]

            for path, about in (
                ("/me", f"{ROOM},{about_player(1)}"),
                ("/player/1.html", f"{ROOM},{on_page(1)}"),
            ):
                assert seen((await phone.get(path)).text) == await head(about)
            table = hall.room.event.state.round.table_of(1).number
            old = seen((await phone.get("/me")).text)
            await hall.room.event.write(lambda desk: desk.report(table, "2-0"))
            assert await head(f"{ROOM},{about_player(1)}") != old
            await hall.settle()
            for path, about in (
                ("/me", f"{ROOM},{about_player(1)}"),
                ("/player/1.html", f"{ROOM},{on_page(1)}"),
            ):
                assert seen((await phone.get(path)).text) == await head(about), path

    run(story())


def test_a_claim_does_not_change_public_pages(tmp_path):
    """Its seats get news; only the page of digests is made again."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            event, phone = hall.room.event, hall.phone()
            home = (await phone.get("/round-1.html")).text
            table = event.state.round.tables[1]
            await phone.get(f"/player/{table.seats[0]}.html")
            await event.write(
                lambda desk: OwnSeat(desk, table.seats[0]).claim(
                    Report(score="2-0"), round_number=1, table=1, seats=table.seats, replaces=0
                )
            )
            entry = event.state.entry
            await hall.settle()
            assert ("round-1.html", "spectator") in event.pages.made
            assert (await phone.get("/round-1.html")).text == home
            assert f"entry {entry} of its journal" in (await phone.get("/verification.html")).text
            about = f"{ROOM},{on_page(table.seats[0])}"
            head = (await phone.get(f"/head?about={about}")).json()["version"]
            assert f"&amp;seen={head}" in (await phone.get(f"/player/{table.seats[0]}.html")).text

    run(story())


def test_the_route_of_streams_sends_a_result(tmp_path):
    """First the version, then news at once for the player's seat."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = await hall.player(1)
            cookie = "; ".join(f"{name}={value}" for name, value in phone.client.cookies.items())
            heard, gone = [], asyncio.Event()
            scope = {
                "type": "http", "method": "GET", "path": "/events", "raw_path": b"/events", "root_path": "",
                "scheme": "http", "query_string": b"about=player:1", "http_version": "1.1",
                "server": ("friday.local", 8017),
                "headers": [(b"host", b"friday.local:8017"), (b"cookie", cookie.encode())],
            }  # fmt: skip

            async def receive():
                await gone.wait()
                return {"type": "http.disconnect"}

            async def send(message):
                heard.append(message.get("body", b""))

            task = asyncio.create_task(hall.app(scope, receive, send))
            async with asyncio.timeout(60):
                while not any(b"head" in line for line in heard):
                    await asyncio.sleep(0.01)
                table = hall.room.event.state.round.table_of(1).number
                with open_desk(tmp_path) as desk:
                    desk.report(table, "2-0")
                while not any(b"news" in line for line in heard):
                    await asyncio.sleep(0.01)
                gone.set()
                await task
            assert not hall.room.streams.open

    run(story())


def _other(name, old):
    """Return another value of a field of a round."""
    if name == "tables":
        return {**old, 1: structs.replace(old[1], seats=old[1].seats[::-1])}
    if name == "calls":
        return {9: SimpleNamespace(table=1)}
    if isinstance(old, Mapping):
        return {1: "another"}
    if isinstance(old, tuple):
        return (*old, "another")
    return "another" if isinstance(old, str) else old + 1 if isinstance(old, int) else object()


@pytest.mark.parametrize("name", sorted(set(Round.__struct_fields__) - {"entered"}))
def test_every_change_of_a_round_reaches_its_pages(name, tmp_path):
    """Each field, for all players or those of the table. (`entered` comes with a result.)"""
    with open_desk(small_event(tmp_path)) as desk:
        before = desk.state
    round_ = replace(before.round, **{name: _other(name, getattr(before.round, name))})
    told = touched(before, replace(before, rounds=(round_,)))
    assert ROOM in told or {about_player(player) for player in before.round.tables[1].seats} <= told


@pytest.mark.slow
def test_an_older_state_never_replaces_a_newer_one(tmp_path):
    """The entry of pages only rises, while the file is read and changed at once."""
    small_event(tmp_path)

    async def story():
        async with opened(tmp_path) as hall:
            event, shown = hall.room.event, []
            event.on_news = lambda *_: shown.append(event.state.entry)
            reads = (event._in(event._writer, event._refresh) for _ in range(20))
            writes = (event.write(lambda desk: desk.extend(1, 5)) for _ in range(20))
            before = event.state.entry
            await asyncio.gather(*(job for pair in zip(reads, writes, strict=True) for job in pair))
            assert event.state.entry == before + 20
            assert shown == sorted(shown)

    run(story())
