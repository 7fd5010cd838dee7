"""Every route in every role: no secret in answers, and no request that crashes a route."""

import json
import random
import re
from urllib.parse import urljoin

import pytest
from msgspec import to_builtins

from tests.desk.kit import new_desk, open_desk
from tests.kit import amount
from tests.serve.kit import ADDRESS, NAMES, opened, run, small_event
from tourney.desk import check, submit_deck
from tourney.document import plain_value
from tourney.errors import TourneyError
from tourney.publish import Site
from tourney.serve import staff, visits
from tourney.serve.app import all_routes
from tourney.serve.visits import Role

SECRETS = {
    "contact": "mira@contact.example",
    "unopened list": "Hidden Ember Fox",
    "reason": "shouted at the judge",
    "held round": "Round 2",
}
"""What only the desk knows: kinds of it, and the words that would give it away."""

DESK_ONLY = frozenset({Role.SCOREKEEPER, Role.ORGANIZER})

MAY_SEE = {
    "contact": DESK_ONLY,
    "unopened list": DESK_ONLY | {Role.JUDGE},
    "reason": DESK_ONLY | {Role.JUDGE},
    "held round": DESK_ONLY,
}


def secretive_event(folder):
    """Make an event with a contact, a closed list, a penalty with a reason, and a held round."""
    from tourney.event.rounds import Manner

    with new_desk(folder, *NAMES[1:4], rounds=3, best_of=3) as desk:
        desk.add_player(NAMES[0], contact=SECRETS["contact"])
        deck = f"60 {SECRETS['unopened list']}"
        submit_deck(desk, NAMES[0], deck, source="list", anyway=True)
        desk.pair_round()
        desk.report_block(f"{table} 2-0" for table in desk.state.round.tables)
        desk.penalize(NAMES[1], "warning", reason=SECRETS["reason"])
        desk.pair_round(manner=Manner(hold_back=True))
        secret = desk.journal.secret()
    return folder, secret


def addresses(pages):
    """Return every address: of each route with a sample value, and of each public page."""
    fill = {
        "number": "1",
        "table": "1",
        "player": "1",
        "entry": "1",
        "code": "1-AAAAAAAA",
        "secret": "x" * 22,
    }
    named = [
        re.sub(r"{(\w+)(?::\w+)?}", lambda part: fill.get(part[1], "1"), route.path)
        for route in all_routes()
        if not route.form and route.path not in {"/events", "/{address:path}"}
    ]
    return [*named, *(f"/{address}" for address in pages.site.pages), *(f"/{name}" for name in pages.files)]


async def visitors(hall):
    """Return a browser of each role."""
    return {
        Role.SPECTATOR: hall.phone(),
        Role.PLAYER: await hall.player(2),
        Role.JUDGE: await hall.staff("judge"),
        Role.SCOREKEEPER: await hall.staff("scorekeeper"),
        Role.ORGANIZER: await hall.staff("organizer"),
    }


def test_no_answer_contains_secrets_of_other_roles(tmp_path):
    """Contacts, closed lists, reasons and held rounds; no role sees the secret or codes."""
    folder, secret = secretive_event(tmp_path)

    async def story():
        async with opened(folder) as hall:
            code = hall.room.devices.new_code(1)
            browsers = await visitors(hall)
            tokens = {
                name: value for browser in browsers.values() for name, value in browser.client.cookies.items()
            }
            for role, browser in browsers.items():
                own = dict(browser.client.cookies)
                for address in addresses(hall.room.event.pages):
                    answer = await browser.get(address)
                    assert answer.status_code < 500, address
                    body = answer.text
                    for kind, words in SECRETS.items():
                        if role not in MAY_SEE[kind]:
                            assert words not in body, f"{address} tells a {role} the {kind}"
                    assert secret.hex() not in body, address
                    assert code.text[2:] not in body, address
                    assert code.text[2:].replace("-", "") not in body, address
                    for value in {*tokens.values()} - {*own.values()}:
                        assert value not in body, address
                    assert not any(value in body for value in own.values()), f"{address} shows the token"

    run(story())


def encoded(views):
    def plain(value):
        return f"{value} {value.hint}" if isinstance(value, TourneyError) else plain_value(value)

    return json.dumps(to_builtins(views, enc_hook=plain, str_keys=True), ensure_ascii=False)


def test_no_view_of_a_staff_page_contains_secrets_of_other_roles(tmp_path, monkeypatch):
    """Not even in a field that the page does not show."""
    folder, secret = secretive_event(tmp_path)
    fill, views = Site.fill, []

    def noting(site, template, address, live, **own):
        if "staff" in own:
            views.append((own["visitor"].role, f"/{address}", encoded([own["staff"], own["here"]])))
        return fill(site, template, address, live, **own)

    async def story():
        async with opened(folder) as hall:
            for browser in (await visitors(hall)).values():
                for address in staff.PAGES:
                    await browser.get(f"{address}?who=4")

    monkeypatch.setattr(Site, "fill", noting)
    run(story())
    assert {(role, address) for role, address, _ in views} == {
        (role, address) for address, page in staff.PAGES.items() for role in page.may
    }
    for role, address, view in views:
        assert secret.hex() not in view, address
        for kind, words in SECRETS.items():
            assert role in MAY_SEE[kind] or words not in view, f"{address} has the {kind} for a {role}"
    seen = "".join(view for _, _, view in views)
    assert [kind for kind, words in SECRETS.items() if words not in seen] == ["contact"], "on no staff page"


def test_every_page_finds_its_style_and_scripts(tmp_path):
    """Also with a code in its address, and for unknown addresses."""
    folder, _ = secretive_event(tmp_path)

    async def story():
        async with opened(folder) as hall:
            for browser in (await visitors(hall)).values():
                needed = set()
                for address in (*addresses(hall.room.event.pages), "/no/such/page"):
                    body = (await browser.get(address)).text
                    if body.startswith("<!doctype html>"):
                        parts = re.findall(r'<(?:link rel="stylesheet" href|script src)="([^"]+)"', body)
                        needed |= {urljoin(address, part) for part in parts}
                assert {"/style.css", "/site.js", "/screen.css"} <= needed
                for part in needed:
                    assert (await browser.get(part)).status_code == 200, part

    run(story())


def test_every_form_is_refused_for_other_roles(tmp_path):
    """With a message, and nothing is entered."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            before = hall.room.event.state.entry
            for role, browser in (await visitors(hall)).items():
                await browser.get("/join")
                for route in all_routes():
                    if route.form and role not in route.may:
                        path = re.sub(r"{\w+(:\w+)?}", "1", route.path)
                        answer = await browser.post(path, score="2-0", table="1")
                        assert answer.status_code == 403, f"{path} as {role}"
                        assert "Not possible" in browser.text
            assert hall.room.event.state.entry == before

    run(story())


def test_a_read_only_server_accepts_no_form(tmp_path):
    """Not even joining, and pages have no forms."""

    async def story():
        async with opened(small_event(tmp_path), read_only=True) as hall:
            code = hall.room.devices.new_code(1)
            phone = hall.phone()
            assert "/join" not in (await phone.get("/")).text
            for path in ("/join", code.path):
                await phone.get(path)
                assert "read-only" in phone.text, "it is told before a code is tried"
                assert "<button" not in phone.page.partition("<main")[2]
            hall.room.read_only = False
            await phone.get("/join")
            hall.room.read_only = True
            assert (await phone.post("/join", code=code.text)).status_code == 403
            assert "read-only" in phone.text

    run(story())


HOSTILE_PATHS = (
    "//", "/./", "/../", "/..%2f..%2fetc/passwd", "/%00", "/%ff", "/%c0%af", "/player/", "/player/..",
    "/player/1.html/", "/player/99999999999999999999.html", "/round-0.html", "/round-99.html", "/deck/1.html",
    "/join/", "/join/%00", "/join/staff/", "/join/" + "7" * 400, "/join/99999999999-AAAAAAAA",
    "/join/<script>", "/{{7*7}}", "/me/", "/me/1", "/events/", "/head/x", "/static/live.js", "/live.js/..",
    "/style.css%00", "/friday.tourney", "/.git/config", "/templates/page.html", "/event.json?x=" + "y" * 500,
    "/?a=%ff", "/head?about=" + "player:1," * 20, "/head?about=%00", "/head?about=desk",
    "/head?about=player:" + "9" * 150, "/head?about=page:x,page:-1,page:²", "/events?about=player:1",
    "/live.js?v=%00", "/\u202e", "/poster/..;/",
)  # fmt: skip


def test_hostile_addresses_get_a_page(tmp_path):
    """Below 500, with the headers, and without internals."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            for browser in (await visitors(hall)).values():
                for path in HOSTILE_PATHS:
                    if path.startswith("/events?"):
                        continue
                    answer = await browser.get(path)
                    _harmless(answer, path)

    run(story())


def _harmless(answer, what):
    assert answer.status_code < 500, what
    assert "Traceback" not in answer.text, what
    assert "jinja2" not in answer.text, what
    if answer.status_code != 421:
        assert "content-security-policy" in answer.headers, what
    if answer.headers.get("content-type", "").startswith("text/html"):
        assert "<script>alert" not in answer.text, what


def test_hostile_headers_get_a_page(tmp_path):
    """Cookies, origins, hosts and lengths that no browser sends."""
    headers = [
        {"cookie": "=;=;;==" * 50},
        {"cookie": "tourney-00000000=" + "x" * 4000},
        {"cookie": 'visit-1="\\377"'},
        {"host": ""},
        {"host": "friday.local:8017, evil.example"},
        {"host": "friday.local:99999999"},
        {"host": "[::1"},
        {"accept-encoding": "gzip;q=bad,," * 40},
        {"x-forwarded-for": "127.0.0.1", "x-forwarded-host": "evil.example", "forwarded": "for=127.0.0.1"},
        {"range": "bytes=0-0"},
        {"if-none-match": "*"},
        {"content-length": "-1"},
    ]

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            for header in headers:
                for path in ("/", "/me", "/head"):
                    answer = await hall.phone().get(path, headers=header)
                    _harmless(answer, f"{path} {header}")

    run(story())


def bodies(dice, number):
    """Return bodies of forms with known names and unlikely values."""
    names = [
        "key",
        "code",
        "table",
        "score",
        "claim",
        "seat",
        "reason",
        "once",
        "list",
        "who",
        "minutes",
        "about",
        "\u202e",
    ]
    values = [
        "", "0", "-1", "1", "99999999999999999999", "²", "1e9", "NaN", "2-0", "2–0" * 200,
        "'; DROP TABLE journal; --", "{{7*7}}", "<script>alert(1)</script>", "\x00", "\ud7ff\uffff",
        "x" * 5000, "7-AAAA-AAAA", "../../etc/passwd", "\r\nSet-Cookie: a=b",
    ]  # fmt: skip
    for _ in range(number):
        yield {dice.choice(names): dice.choice(values) for _ in range(dice.randint(0, 6))}


def _fuzzed(tmp_path, number, monkeypatch):
    monkeypatch.setattr(visits, "MOST_FORMS", 10**9)

    async def story():
        dice = random.Random(1)
        async with opened(small_event(tmp_path)) as hall:
            browsers = await visitors(hall)
            forms = [route for route in all_routes() if route.form]
            for browser in browsers.values():
                await browser.get("/join")
                key = browser.key
                for route in forms:
                    path = re.sub(
                        r"{\w+(:\w+)?}", lambda _: dice.choice(["1", "99999999999999999999", "0"]), route.path
                    )
                    for fields in bodies(dice, number):
                        answer = await browser.post(path, **{"key": key, **fields})
                        _harmless(answer, f"{path} {fields}")
                        raw = bytes(dice.randrange(256) for _ in range(dice.randint(0, 60)))
                        kind = {"origin": ADDRESS, "content-type": "application/x-www-form-urlencoded"}
                        answer = await browser.client.post(path, content=raw, headers=kind)
                        _harmless(answer, f"{path} {raw!r}")
            with open_desk(tmp_path) as desk:
                assert not check(desk)

    run(story())


@pytest.mark.slow
def test_hostile_forms_get_a_page(tmp_path, monkeypatch):
    """Each form in each role is refused or accepted, without a crash."""
    _fuzzed(tmp_path, amount(1, of=2), monkeypatch)


@pytest.mark.long
def test_very_many_hostile_forms_get_a_page(tmp_path, monkeypatch):
    _fuzzed(tmp_path, 150, monkeypatch)
