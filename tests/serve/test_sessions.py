"""Sessions: joining, roles of devices, their end, and cookies."""

import re
from contextlib import contextmanager

import pytest

from tests.desk.kit import open_desk
from tests.serve.kit import opened, run, small_event, text_of


def test_a_code_makes_a_phone_a_player(tmp_path):
    """The button of its link joins; the next page has no code and shows the seat."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            code = hall.room.devices.new_code(1)
            phone = hall.phone()
            await phone.get(code.path)
            assert "Join on this phone" in phone.text
            joined = await phone.post("/join", code=code.text)
            assert joined.headers["location"] == "/me"
            cookie = joined.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=strict" in cookie
            assert "Secure" not in cookie
            await phone.get("/me")
            state = hall.room.event.state
            table = state.round.table_of(1)
            other = state.players[next(seat for seat in table.seats if seat != 1)].name
            assert f"Table {table.number} against {other}" in phone.text
            assert "My page" in phone.text
            assert code.text[2:] not in phone.page

    run(story())


def test_a_code_is_for_one_device_and_one_player(tmp_path):
    """A double tap is one device. Another phone, or another player, needs the desk."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            code, other = hall.room.devices.new_code(1), hall.room.devices.new_code(2)
            phone, second = hall.phone(), hall.phone()
            await phone.get(code.path)
            assert "You join as Mira Oake." in phone.text
            key = phone.key
            assert (await phone.post("/join", key=key, code=code.text)).status_code == 303
            token = dict(phone.client.cookies)
            phone.client.cookies = {name: value for name, value in token.items() if name.startswith("visit")}
            assert (
                await phone.post("/join", key=key, code=code.text)
            ).status_code == 303  # the answer was lost
            assert len(hall.room.devices.list()) == 1
            await second.get(code.path)
            assert (await second.post("/join", code=code.text)).status_code == 409
            assert "another device" in second.text
            await phone.get("/join")
            assert "This device has already joined as Mira Oake." in phone.text
            await phone.get("/me")
            key = phone.key
            assert (await phone.post("/join", key=key, code=other.text)).status_code == 409
            assert (await phone.post("/join", key=key, code=code.text)).status_code == 303

    run(story())


def test_ten_wrong_codes_void_a_code(tmp_path):
    """A joined phone stays joined."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone, code = await hall.player(1), hall.room.devices.new_code(2)
            guesser = hall.phone()
            await guesser.get("/join")
            key = guesser.key
            for _ in range(10):
                assert (await guesser.post("/join", key=key, code="2-AAAA-AAAA")).status_code == 409
                assert (await guesser.post("/join", key=key, code="1-AAAA-AAAA")).status_code == 409
            late = hall.phone()
            await late.get(code.path)
            assert (await late.post("/join", code=code.text)).status_code == 409
            assert (await phone.get("/me")).status_code == 200

    run(story())


def test_a_removed_device_is_a_spectator_at_once(tmp_path):
    """Its streams end."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = await hall.player(1)
            room = hall.room
            (device,) = room.devices.list()
            stream = room.streams.begin("session", ["room"], 1, device.number)
            room.devices.remove(device.number)
            assert (await phone.get("/me")).status_code == 303
            room.streams.end("ended", room.devices.ended())
            lines = [line async for line in stream.lines(1)]
            assert lines[-1].startswith(b"event: ended")
            assert not room.streams.open

    run(story())


def test_staff_over_plain_http_must_be_allowed(tmp_path):
    """With --staff-over-http every page has a warning."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            link = hall.room.devices.staff_link("scorekeeper", "Kim")
            phone = hall.phone()
            await phone.get(f"/join/staff/{link.secret}")
            assert "could read it" in phone.text, "it is told before the link is tried"
            assert "<button" not in phone.page.partition("<main")[2]
            await phone.get("/join")
            assert (await phone.post("/join/staff", code=link.secret)).status_code == 403
            assert "could read it" in phone.text
            hall.room.staff_over_http = True
            await phone.get(f"/join/staff/{link.secret}")
            assert "Use this device" in phone.text
            assert "my phone" not in phone.text
            assert (await phone.post("/join/staff", code=link.secret)).status_code == 303
            await phone.get("/")
            assert "unencrypted" in phone.text
            spectator = hall.phone()
            await spectator.get("/")
            assert "unencrypted" not in spectator.text

    run(story())


HERE = [
    ("http://127.0.0.1:8017", "127.0.0.1"),
    ("http://localhost:8017", "127.0.0.1"),
    ("http://[::1]:8017", "::1"),
    ("http://192.0.2.7:8017", "192.0.2.7"),
]
"""Addresses that a browser on the server's machine can open, and where it connects from."""


@contextmanager
def requests_come(hall, client, server, **headers):
    """Make requests appear to come from one address to another, with headers of a proxy."""

    async def passed_on(scope, receive, send):
        added = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        where = {"client": (client, 50000), "server": (server, 8017)}
        await app({**scope, **where, "headers": [*scope["headers"], *added]}, receive, send)

    app, hall.app = hall.app, passed_on
    try:
        yield
    finally:
        hall.app = app


async def _tries_to_work(hall, address):
    """Open a staff link, join and enter a result; return the statuses and the page's warning."""
    hall.room.names.own |= {"localhost"}
    link, phone = hall.room.devices.staff_link("scorekeeper", "Kim"), hall.phone(address)
    await phone.get(f"/join/staff/{link.secret}")
    text = phone.text
    await phone.get("/join")
    joined = await phone.post("/join/staff", code=link.secret)
    if joined.status_code != 303:
        return joined.status_code, None, text
    await phone.get("/desk")
    entered = await phone.post("/desk/slip", slip="1 2-0", round="1", once="a", at="/desk")
    return joined.status_code, entered.status_code, f"{text} {phone.text}"


@pytest.mark.parametrize(("address", "client"), HERE)
def test_staff_may_enter_results_on_the_serving_machine(tmp_path, address, client):
    """Without an option or a warning, as nothing is sent over the network."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            with requests_come(hall, client, client):
                joined, entered, said = await _tries_to_work(hall, address)
            assert (joined, entered) == (303, 303)
            assert "unencrypted" not in said
            assert hall.room.event.state.round.tables[1].result is not None

    run(story())


@pytest.mark.parametrize(
    ("address", "client", "server", "headers"),
    [
        ("http://192.0.2.7:8017", "192.0.2.9", "192.0.2.7", {}),
        ("http://192.0.2.7:8017", "127.0.0.1", "127.0.0.1", {}),
        ("http://friday.local:8017", "127.0.0.1", "127.0.0.1", {}),
        ("http://friday.example", "127.0.0.1", "127.0.0.1", {}),
        ("http://localhost:8017", "192.0.2.9", "192.0.2.7", {}),
        ("http://localhost:8017", "127.0.0.1", "127.0.0.1", {"x_forwarded_for": "192.0.2.9"}),
        ("http://localhost:8017", "127.0.0.1", "127.0.0.1", {"forwarded": "for=192.0.2.9"}),
        ("http://127.0.0.1:8017", "127.0.0.1", "127.0.0.1", {"x_real_ip": "192.0.2.9"}),
        ("http://192.0.2.7:8017", "192.0.2.7", "192.0.2.7", {"via": "1.1 proxy"}),
    ],
)
def test_a_proxy_on_the_machine_does_not_make_phones_local(tmp_path, address, client, server, headers):
    """It is recognized by its headers, or by the requested name."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            hall.room.names.own |= {"192.0.2.7"}
            hall.room.names.url = "http://friday.example"
            with requests_come(hall, client, server, **headers):
                joined, _, said = await _tries_to_work(hall, address)
            assert joined == 403
            assert "unencrypted" in said

    run(story())


def test_forms_through_a_hidden_proxy_are_refused(tmp_path):
    """It requests `localhost`, but the browser sends the origin of its page."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            hall.room.names.own |= {"localhost"}
            link, phone = hall.room.devices.staff_link("judge"), hall.phone("http://localhost:8017")
            await phone.get("/join")
            phone.origin = "https://friday.example"
            assert (await phone.post("/join/staff", code=link.secret)).status_code == 403
            assert hall.room.devices.list() == ()

    run(story())


def test_the_cookie_is_secure_under_tls(tmp_path):
    """Also behind a proxy with --url, whose address is then the origin."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            hall.room.names.url = "https://shop.example"
            link = hall.room.devices.staff_link("organizer", "Kim")
            phone = hall.phone("https://shop.example")
            await phone.get(f"/join/staff/{link.secret}")
            answer = await phone.post("/join/staff", code=link.secret)
            assert answer.status_code == 303
            assert "Secure" in answer.headers["set-cookie"]

    run(story())


def test_loopback_and_proxies_give_no_role(tmp_path):
    """A visitor from this machine, or who claims to be from it, is a spectator."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = hall.phone()
            answer = await phone.get(
                "/head?about=desk", headers={"x-forwarded-for": "127.0.0.1", "x-real-ip": "::1"}
            )
            first = answer.json()["version"]
            await hall.room.event.write(lambda desk: desk.report(1, "2-0"))
            hall.room.event._versions.pop("room", None)
            assert (await phone.get("/head?about=desk")).json()["version"] == first

    run(story())


def test_a_receipt_is_shown_once_to_its_sender(tmp_path):
    """On the next page of that phone only, and it is not stored."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            from tourney.serve.visits import Notice, Visitor

            phone, other = await hall.player(1), await hall.player(2)
            token = next(value for name, value in phone.client.cookies.items() if name.startswith("tourney-"))
            hall.room.notify(Visitor(token), Notice(("It is <b>done</b>.",)))
            assert "It is" not in text_of((await other.get("/")).text)
            page = (await phone.get("/")).text
            assert "It is &lt;b&gt;done&lt;/b&gt;." in page
            assert "It is" not in text_of((await phone.get("/")).text)

    run(story())


def test_the_own_page_is_as_new_as_the_file(tmp_path):
    """A result, more time and a drop at once; public pages may follow."""

    async def story():
        async with opened(small_event(tmp_path, minutes=50)) as hall:
            phone = await hall.player(1)
            table = hall.room.event.state.round.table_of(1)
            await hall.room.event.write(lambda desk: desk.start_round())
            await hall.room.event.write(lambda desk: desk.extend(table.number, 7))
            page = (await phone.get("/me")).text
            assert 'data-extra="7"' in page
            score = "2-1" if table.seats[0] == 1 else "1-2"
            await hall.room.event.write(lambda desk: desk.report(table.number, score))
            await phone.get("/me")
            assert "won 2–1" in phone.text

    run(story())


def test_a_held_round_is_on_no_page(tmp_path):
    """Nor in the version of the player's page, until it is released."""

    async def story():
        from tourney.event.rounds import Manner

        async with opened(small_event(tmp_path)) as hall:
            event = hall.room.event
            with open_desk(tmp_path) as desk:
                desk.report_block(f"{table} 2-0" for table in desk.state.round.tables)
            await hall.settle()
            phone = await hall.player(1)
            await event.write(lambda desk: desk.pair_round(manner=Manner(hold_back=True)))
            await hall.settle()
            await phone.get("/me")
            assert not re.search(r"round-2", phone.page)
            await event.write(lambda desk: desk.release_round())
            await hall.settle()
            await phone.get("/me")
            assert "round-2" in phone.page

    run(story())
