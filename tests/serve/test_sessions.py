"""Who asks: joining, what a device may do, what turns it out, and what a cookie is."""

import re
from contextlib import contextmanager

import pytest

from tests.desk.kit import open_desk
from tests.serve.kit import opened, run, small_event, text_of


def test_a_code_makes_a_phone_a_player(tmp_path):
    """The link shows a button; the button binds the phone, and the page is clean of the code; it says where to sit."""

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
            other = state.players[next(each for each in table.seats if each != 1)].name
            assert f"Table {table.number} against {other}" in phone.text
            assert "My page" in phone.text
            assert code.text[2:] not in phone.page

    run(story())


def test_a_code_is_one_device_and_a_device_one_player(tmp_path):
    """The same tap twice is one device; another phone needs the desk; a phone that joined does not join as somebody else."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            code, other = hall.room.devices.new_code(1), hall.room.devices.new_code(2)
            phone, second = hall.phone(), hall.phone()
            await phone.get(code.path)
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
            key = phone.key
            assert (await phone.post("/join", key=key, code=other.text)).status_code == 409
            assert (await phone.post("/join", key=key, code=code.text)).status_code == 303

    run(story())


def test_ten_wrong_codes_void_it_and_a_phone_that_joined_stays(tmp_path):
    """Who guesses is stopped; who is in stays in."""

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


def test_a_device_that_is_turned_out_is_a_spectator_at_once(tmp_path):
    """Its next request is anybody's, and its streams end."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = await hall.player(1)
            room = hall.room
            (device,) = room.devices.list()
            stream = room.streams.begin("session", ["room"], 1, device.number)
            room.devices.remove(device.number)
            assert (await phone.get("/me")).status_code == 303
            room.streams.end("ended", room.devices.ended())
            said = [line async for line in stream.lines(1)]
            assert said[-1].startswith(b"event: ended")
            assert not room.streams.open

    run(story())


def test_staff_over_plain_http_is_asked_for_and_said(tmp_path):
    """Without --staff-over-http no link is traded over plain HTTP; with it every page says what can be overheard."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            link = hall.room.devices.staff_link("scorekeeper", "Kim")
            phone = hall.phone()
            await phone.get(f"/join/staff/{link.secret}")
            assert "could read along" in phone.text, "it is told before the link is tried"
            assert "<button" not in phone.page.partition("<main")[2]
            await phone.get("/join")
            assert (await phone.post("/join/staff", code=link.secret)).status_code == 403
            assert "could read along" in phone.text
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
"""Addresses that a browser on the machine that serves can open, and where its connection comes from."""


@contextmanager
def requests_come(hall, client, server, **headers):
    """Have every request of the block come from one address to another, with headers that a proxy adds."""

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
    """Open a link of the staff, join and enter a result; return the statuses, and what the page of the link says."""
    hall.room.names.own |= {"localhost"}
    link, phone = hall.room.devices.staff_link("scorekeeper", "Kim"), hall.phone(address)
    await phone.get(f"/join/staff/{link.secret}")
    said = phone.text
    await phone.get("/join")
    joined = await phone.post("/join/staff", code=link.secret)
    if joined.status_code != 303:
        return joined.status_code, None, said
    await phone.get("/desk")
    entered = await phone.post("/desk/slip", slip="1 2-0", round="1", once="a", at="/desk")
    return joined.status_code, entered.status_code, f"{said} {phone.text}"


@pytest.mark.parametrize(("address", "client"), HERE)
def test_staff_may_enter_results_on_the_machine_that_serves(tmp_path, address, client):
    """Nobody can overhear what does not leave the machine, so nothing is to be allowed and no page warns."""

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
def test_a_proxy_on_the_machine_makes_no_phone_a_local_browser(tmp_path, address, client, server, headers):
    """It brings what came over the Wi-Fi from loopback: by its headers, or the name that was asked, it is known."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            hall.room.names.own |= {"192.0.2.7"}
            hall.room.names.url = "http://friday.example"
            with requests_come(hall, client, server, **headers):
                joined, _, said = await _tries_to_work(hall, address)
            assert joined == 403
            assert "unencrypted" in said

    run(story())


def test_a_proxy_that_hides_itself_has_its_forms_refused(tmp_path):
    """It asks by `localhost` and adds no header; a browser behind it still says where its page is from."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            hall.room.names.own |= {"localhost"}
            link, phone = hall.room.devices.staff_link("judge"), hall.phone("http://localhost:8017")
            await phone.get("/join")
            phone.origin = "https://friday.example"
            assert (await phone.post("/join/staff", code=link.secret)).status_code == 403
            assert hall.room.devices.list() == ()

    run(story())


def test_under_tls_the_cookie_is_secure(tmp_path):
    """Also where somebody else speaks TLS for us, under --url; the origin of the form is that address."""

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


def test_loopback_and_proxies_give_no_right(tmp_path):
    """Whoever asks from the machine itself, or says so, is a spectator."""

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


def test_what_a_form_did_is_told_once_to_who_sent_it(tmp_path):
    """The next page of that phone says it, no other, and it is kept nowhere."""

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
    """A result, more time and a drop are on it at once; the public pages may follow."""

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


def test_a_round_that_is_held_back_is_on_nobodys_page(tmp_path):
    """Neither the own page nor its version says that it is paired; once it is released, both do."""

    async def story():
        from tourney.event.rounds import Manner

        async with opened(small_event(tmp_path)) as hall:
            event = hall.room.event
            with open_desk(tmp_path) as desk:
                desk.report_block(f"{table} 2-0" for table in desk.state.round.tables)
            await hall.settle()
            phone = await hall.player(1)
            await event.write(lambda desk: desk.pair_round(manner=Manner(held=True)))
            await hall.settle()
            await phone.get("/me")
            assert not re.search(r"round-2", phone.page)
            await event.write(lambda desk: desk.release_round())
            await hall.settle()
            await phone.get("/me")
            assert "round-2" in phone.page

    run(story())
