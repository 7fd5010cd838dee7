"""The staff's pages in a browser: slips without a mouse, layout, and outages."""

import re
import time
from contextlib import nullcontext
from datetime import datetime

import pytest

from tests.axe import faults_of
from tests.desk.kit import lent, new_desk, open_desk
from tests.kit import amount
from tests.serve.kit import NAMES
from tests.serve.served import served
from tests.serve.test_in_a_browser import phone
from tourney.desk import OwnSeat, submit_deck
from tourney.event.score import Report
from tourney.store.devices import Devices

pytestmark = pytest.mark.browser

SIZES = ((390, 844), (820, 1180), (1280, 900))


def big_event(folder, players=80):
    """Make an event of many invented players with round 1 paired."""
    given = ["Mira", "Tomo", "Lena", "Bo", "Tess", "Ada", "Ivo", "Una", "Wim", "Zoe"]
    family = ["Oake", "Reed", "Voss", "Quill", "Hart", "Finch", "Lark", "Pell"]
    names = [f"{one} {two}" for two in family for one in given]
    with new_desk(folder, *names[:players], rounds=5, best_of=3, minutes=50) as desk:
        desk.pair_round()
    return folder


def join_staff(page, folder, role, name="Kim"):
    """Open a staff link, press the button, and load the role's page."""
    (file,) = (folder / "user" / "tourney" / "devices").glob("*.sqlite")
    dice = lent("Ann", f"link {role}").randomness
    with Devices.open(folder / "user" / "tourney", file.stem, clock=now, randomness=dice) as devices:
        link = devices.staff_link(role, name)
    page.goto(f"{page.home}/join/staff/{link.secret}")
    page.get_by_role("button", name="Use this device").click()
    page.wait_for_url("**/judge" if role == "judge" else "**/desk")


def now():
    return datetime.now().astimezone()


@pytest.mark.parametrize(("scripts", "tables"), [(True, amount(16, of=40)), (False, amount(8, of=16))])
def test_slips_without_the_mouse(browser, tmp_path, scripts, tables):
    """Typed fast, with a refused one, while another desk writes: each is entered once."""
    big_event(tmp_path, 2 * tables)
    with (
        served(tmp_path, "--staff-over-http") as (_, address),
        phone(browser, viewport={"width": 1280, "height": 900}, java_script_enabled=scripts) as page,
    ):
        page.home = address
        join_staff(page, tmp_path, "scorekeeper")
        page.locator("#slip:focus").wait_for()

        def text(line):
            page.keyboard.type(line)
            with (
                nullcontext() if scripts else page.expect_navigation()
            ):  # else the browser asks for the whole page
                page.keyboard.press("Enter")
            if scripts:
                assert page.evaluate("document.activeElement.id") == "slip", line
            else:  # a browser gives it some moments after the page
                page.locator("#slip:focus").wait_for()

        def refused(line, why):
            """Check that a refused slip stays with the focus."""
            text(line)
            page.locator("main .refusal", has_text=why).wait_for()
            page.locator("#slip:focus").wait_for()
            assert page.locator("#slip").input_value() == line
            if not scripts:
                page.keyboard.press("Control+a")

        with open_desk(tmp_path) as desk:
            by_name = desk.state.players[desk.state.round.tables[5].seats[0]].name.lower()
        for table in range(1, tables + 1):
            text(f"{by_name if table == 5 else table} 2-{table % 2}")
            if table == 4:
                refused("mira 2-0", "may be Mira Oake")
            if table == 6:
                refused("7 5-0", "cannot end a best of 3")
            if table == 7:
                refused("7 0-2", "has a different result")
                text("7 2-1")  # the very same once more
            if table == tables - 1:
                refused("99 2-0", "no table 99")
                with open_desk(tmp_path, by="Lou") as desk:
                    desk.report(tables, "2-0")
        text("change 3 0-2")
        page.get_by_text("Round 1 is complete").wait_for()
        late = (
            time.monotonic() + 60
        )  # the round was complete before the last slip, the change, was on its way
        while True:
            with open_desk(tmp_path) as desk:
                games = {
                    n: [seat.games for seat in t.result.seats] for n, t in desk.state.round.tables.items()
                }
                by = [entry.by for entry in desk.log() if "table" in entry.text]
            if games[3] == [0, 2] or time.monotonic() > late:
                break
            time.sleep(0.1)
        assert games == {table: [2, table % 2] for table in range(1, tables + 1)} | {3: [0, 2]}
        assert by.count("Kim (device 1)") == tables
        assert by.count("Lou") == 1


@pytest.mark.parametrize("role", ["organizer", "judge"])
def test_the_staff_pages_are_accessible(browser, tmp_path, role):
    """On a phone, with every form open; axe checks a tablet, a laptop and a judge with --long."""
    sizes = amount(1 if role == "organizer" else 0, of=3)
    big_event(tmp_path, 16)
    with open_desk(tmp_path) as desk:
        one, other = desk.state.round.tables[1].seats
        OwnSeat(desk, one).claim(Report(score="2-0"), round_number=1, table=1, seats=(one, other))
        OwnSeat(desk, other).dispute(
            desk.claims()[0].entry, Report(score="2-1"), reason="the third game was mine"
        )
        OwnSeat(desk, one).call_judge(round_number=1, table=1, seats=(one, other), about="a card fell down")
        desk.penalize(f"#{other}", "warning", infraction="slow-play", reason="asked twice")
        submit_deck(desk, one, "4 Invented Kite\n2 Invented Stone", source="list", anyway=True)
        desk.draw_audit(1)
        desk.start_round()
    with (
        served(tmp_path, "--staff-over-http") as (_, address),
        phone(browser) as page,
    ):

        def check():
            for number, (width, height) in enumerate(SIZES):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)
                if number < sizes:
                    assert faults_of(page) == [], (page.url, width)

        page.home = address
        join_staff(page, tmp_path, role)
        paths = ["/judge", "/judge/list", f"/judge/list?who={one}"]
        if role == "organizer":
            paths += ["/desk", "/desk/players", "/desk/devices", "/desk/log"]
        for path in paths:
            page.goto(f"{address}{path}")
            page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true })")
            check()
        page.goto(f"{address}/judge/list?who={one}")
        page.get_by_text("Compare with the deck on the table").click()
        page.get_by_label("The deck on the table").fill("1 Invented Drum\n3 INVENTED KITE\n2 Invented Stone")
        page.get_by_role("button", name="Compare").click()
        page.get_by_role("heading", name="The deck differs from the list").wait_for()
        check()


def test_a_receipt_stays_and_an_answered_call_disappears(browser, tmp_path):
    """A warning about publication appears by itself."""
    with new_desk(
        tmp_path, *NAMES[:4], rounds=3, best_of=3, publish_to="site", post_to=("nobody-knows",)
    ) as desk:
        desk.pair_round()
        desk.report_block(f"{table} 2-0" for table in desk.state.round.tables)
    with (
        served(tmp_path, "--staff-over-http") as (_, address),
        phone(browser) as page,
        open_desk(tmp_path) as desk,
    ):
        page.home = address
        join_staff(page, tmp_path, "scorekeeper")
        page.locator("main > form").get_by_text("Include players").click()
        page.get_by_role("button", name="Pair round 2").click()
        page.get_by_text("was incomplete").wait_for()
        told = page.locator("#told", has_text="Round 2 is paired")
        assert told.is_visible()
        seats = desk.refresh().round.tables[1].seats
        OwnSeat(desk, seats[0]).call_judge(round_number=2, table=1, seats=seats, about="a card fell down")
        page.get_by_text("Judge called to table 1").wait_for()
        desk.answer_call(desk.calls()[0].entry)
        page.get_by_text("Judge called to table 1").wait_for(state="detached")
        assert told.is_visible()
        assert page.evaluate("document.activeElement.id") == "slip"


def test_news_during_a_press_do_not_lose_it(browser, tmp_path):
    """A judge is called while a button is held down: the page waits."""
    with new_desk(tmp_path, *NAMES[:4], rounds=3, best_of=3) as desk:
        desk.pair_round()
    with (
        served(tmp_path, "--staff-over-http") as (_, address),
        phone(browser) as page,
        open_desk(tmp_path) as desk,
    ):
        page.home = address
        join_staff(page, tmp_path, "scorekeeper")
        page.locator("#slip").fill("1 2-0")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Undo").hover()
        # A page waits two seconds for a finger to be lifted. Its clock stops, as this machine may be slow.
        page.evaluate("(now) => { performance.now = () => now }", page.evaluate("performance.now()"))
        page.mouse.down()
        seats = desk.refresh().round.tables[2].seats
        with page.expect_response(lambda answer: answer.url.startswith(f"{address}/desk")):
            OwnSeat(desk, desk.find_player(seats[0])).call_judge(
                round_number=1, table=2, seats=seats, about="a card fell down"
            )
        page.wait_for_timeout(300)
        page.mouse.up()
        page.get_by_role("button", name="Undo").wait_for(state="detached")
        assert desk.refresh().round.tables[1].result is None


def test_a_staff_form_without_a_network_stays(browser, tmp_path):
    """A form with fields, a button in a row, and a single button: each is entered once later."""
    with new_desk(tmp_path, *NAMES[:4], rounds=3, best_of=3) as desk:
        desk.pair_round()
    with (
        served(tmp_path, "--staff-over-http") as (_, address),
        phone(browser) as page,
        open_desk(tmp_path) as desk,
    ):
        page.home = address
        join_staff(page, tmp_path, "organizer")
        unsent = page.get_by_text("Not sent: the server cannot be reached.")

        def pressed_twice(button):
            """Press a button without a network, then with one."""
            page.context.set_offline(True)
            button.click()
            unsent.wait_for()
            page.context.set_offline(False)
            button.click()
            unsent.wait_for(state="detached")

        page.goto(f"{address}/desk/players")
        page.locator("#late > summary").click()
        page.fill("#late-name", "Ada Finch")
        pressed_twice(page.locator("#late button"))
        page.locator("#told", has_text="Ada Finch").wait_for()
        assert page.input_value("#late-name") == ""
        assert [player.name for player in desk.refresh().players.values()].count("Ada Finch") == 1

        pressed_twice(page.get_by_role("button", name=re.compile("Drop.*Tomo Reed")))
        page.locator("#told", has_text="Tomo Reed").wait_for()
        assert desk.refresh().players[2].dropped is not None

        page.goto(f"{address}/desk")
        pressed_twice(page.get_by_role("button", name="Undo"))
        page.locator("#told", has_text="undone").wait_for()
        assert desk.refresh().players[2].dropped is None


def test_a_remedy_removes_the_refused_slip(browser, tmp_path):
    """A slip typed meanwhile stays."""
    with new_desk(tmp_path, *NAMES[:4], rounds=3, best_of=3) as desk:
        desk.pair_round()
    with (
        served(tmp_path, "--staff-over-http") as (_, address),
        phone(browser) as page,
        open_desk(tmp_path) as desk,
    ):
        page.home = address
        join_staff(page, tmp_path, "scorekeeper")
        for slip in ("1 2-0", "1 0-2"):
            page.locator("#slip").fill(slip)
            page.keyboard.press("Enter")
            page.locator("#told", has_text="table 1").wait_for()
        page.get_by_role("button", name="Enter: change 1 0-2").click()
        page.locator("#told", has_text="was changed").wait_for()
        assert page.input_value("#slip") == ""

        page.route("**/desk/undo", lambda route: (page.locator("#slip").fill("2 2-1"), route.continue_()))
        page.get_by_role("button", name="Undo").click()
        page.locator("#told", has_text="undone").wait_for()
        assert page.input_value("#slip") == "2 2-1"
        assert desk.refresh().round.tables[2].result is None


def test_a_new_code_stays_on_the_page_despite_news(browser, tmp_path):
    """It is shown only once."""
    with new_desk(tmp_path, *NAMES[:4], rounds=3, best_of=3) as desk:
        desk.pair_round()
    with (
        served(tmp_path, "--staff-over-http") as (_, address),
        phone(browser) as page,
        open_desk(tmp_path) as desk,
    ):
        page.home = address
        join_staff(page, tmp_path, "scorekeeper")
        page.goto(f"{address}/desk/players")
        page.get_by_role("button", name=re.compile("New code.*Mira Oake")).click()
        page.locator(".poster .address").wait_for()
        desk.report(1, "2-0")
        page.wait_for_timeout(1500)
        assert page.locator(".poster .address").is_visible()
        page.go_back()
        page.get_by_role("heading", name="Players").wait_for()
