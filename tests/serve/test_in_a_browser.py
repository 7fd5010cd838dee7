"""Live pages in a browser: changes appear by themselves, also after a pause or an outage."""

import re
import signal
from contextlib import contextmanager

import pytest

from tests.axe import faults_of
from tests.desk.kit import new_desk, open_desk
from tests.kit import amount
from tests.serve.kit import small_event
from tests.serve.served import served
from tourney.desk import OwnSeat
from tourney.event.score import Report
from tourney.store.devices import Devices

pytestmark = pytest.mark.browser


@contextmanager
def phone(browser, **how):
    """Open a page on a phone. It may have no script errors and request nothing from elsewhere.

    If the test fails, the error shows the text of the page.
    """
    context = browser.new_context(**{"viewport": {"width": 390, "height": 844}, **how})
    page = context.new_page()
    page.set_default_timeout(60_000)  # milliseconds; no test says how fast a page must be
    faults, asked = [], []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on(
        "console", lambda message: faults.append(message.text) if "Content Security" in message.text else None
    )
    page.on("request", lambda request: asked.append(request.url))
    try:
        yield page
    except BaseException as error:
        error.add_note(f"--- the page {page.url}, as it was then\n{page.locator('body').inner_text()}")
        raise
    assert faults == []
    assert {re.sub(r"^(\w+://[^/]+).*", r"\1", url) for url in asked} == {page.home}
    context.close()


def code_of(folder, player):
    (file,) = (folder / "user" / "tourney" / "devices").glob("*.sqlite")
    from tests.desk.kit import lent

    things = lent("Ann", f"code {player}")
    with Devices.open(
        folder / "user" / "tourney", file.stem, clock=things.clock, randomness=things.randomness
    ) as devices:
        return devices.new_code(player)


def join(page, folder, player):
    page.goto(f"{page.home}{code_of(folder, player).path}")
    page.get_by_role("button", name="Join on this phone").click()
    page.wait_for_url("**/me")


def open_live(page, address):
    """Load a page, and wait until it listens to the news of the server."""
    with page.expect_response("**/events?*"):
        page.goto(address)


def test_a_phone_shows_all_changes_by_itself(browser, tmp_path):
    """The clock starts, the result comes, and a new round is paired."""
    small_event(tmp_path, minutes=50)
    with served(tmp_path) as (_, address), phone(browser) as page, open_desk(tmp_path) as desk:
        page.home = address
        join(page, tmp_path, 1)
        table = desk.state.round.table_of(1)
        assert page.locator(".at").first.inner_text().split() == ["TABLE", str(table.number)]
        desk.start_round()
        page.wait_for_selector(".card .clock")
        desk.report(table.number, "2-1" if table.seats[0] == 1 else "1-2")
        page.get_by_text("won 2–1").first.wait_for()
        for number in desk.state.round.playing:
            desk.report(number, "2-0")
        desk.pair_round()
        page.locator(".matches tbody tr").nth(1).wait_for()
        again = desk.state.round.table_of(1)
        assert page.locator(".at").first.inner_text().split() == ["TABLE", str(again.number)]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_phone_reports_an_outage_and_reconnects(browser, tmp_path):
    """A kill, a result meanwhile, a new server: offline, then the result."""
    small_event(tmp_path)
    with phone(browser) as page:
        with served(tmp_path) as (server, address):
            page.home, port = address, int(address.rpartition(":")[2])
            open_live(page, address)
            server.send_signal(signal.SIGKILL)
            server.wait(60)
            page.get_by_text("Offline. This page is as of").wait_for()
        with open_desk(tmp_path) as desk:
            desk.report(1, "2-0")
        with served(tmp_path, port=port):
            page.get_by_text("won 2–0").first.wait_for()
            assert not page.get_by_text("Offline.").is_visible()


def test_a_phone_that_wakes_up_is_current(browser, tmp_path):
    """It asks for news as soon as it has a network again."""
    small_event(tmp_path)
    with served(tmp_path) as (_, address), phone(browser) as page, open_desk(tmp_path) as desk:
        page.home = address
        open_live(page, address)
        page.context.set_offline(True)
        desk.report(1, "2-0")
        page.get_by_text("Offline.").wait_for()
        with page.expect_request("**/head?*"):  # a page that only waits for its stream does not ask
            page.context.set_offline(False)
        page.get_by_text("won 2–0").first.wait_for()


def test_news_while_a_page_is_loading(browser, tmp_path):
    """The page is loaded again, however long it took."""
    small_event(tmp_path)
    with served(tmp_path) as (_, address), phone(browser) as page, open_desk(tmp_path) as desk:
        page.home = address
        join(page, tmp_path, desk.state.round.tables[1].seats[0])
        open_live(page, f"{address}/me")
        page.evaluate(
            """() => { const ask = fetch; window.fetch = async (...what) => {
               const answer = await ask(...what); window.held = true; window.fetch = ask;
               await new Promise((go) => setTimeout(go, 4000)); return answer; }; }"""
        )
        desk.extend(1, 3)
        while not page.evaluate("window.held"):
            page.wait_for_timeout(20)
        desk.report(1, "2-0")
        page.locator(".card").get_by_text("won 2–0").wait_for()


def test_typed_text_is_kept(browser, tmp_path):
    """A change that arrives during typing is announced; the page is not loaded again."""
    small_event(tmp_path)
    with served(tmp_path) as (_, address), phone(browser) as page, open_desk(tmp_path) as desk:
        page.home = address
        open_live(page, f"{address}/round-1.html")
        page.locator("input[type=search]").fill("mira")
        desk.report(1, "2-0")
        page.get_by_text("This page has changed.").wait_for()
        assert page.locator("input[type=search]").input_value() == "mira"
        page.get_by_role("button", name="Show the changes").click()
        page.locator(".table.playing").nth(1).wait_for(state="detached")
        assert page.locator(".table.playing").count() == 1
        page.locator("input[type=search]").fill("nobody at all")
        assert page.locator("#tables > li:visible").count() == 0, "what is shown anew can be searched, too"


def test_the_screen_updates_and_survives_a_restart(browser, tmp_path):
    """A projector shows the pairings, then each change, and finds a restarted server."""
    small_event(tmp_path)
    with phone(browser, viewport={"width": 1920, "height": 1080}) as page:
        with served(tmp_path) as (server, address):
            page.home, port = address, int(address.rpartition(":")[2])
            page.goto(f"{address}/screen")
            assert page.get_by_text("Oake").first.is_visible()
            server.send_signal(signal.SIGKILL)
            server.wait(60)
        with open_desk(tmp_path) as desk:
            desk.report_block(f"{table} 2-0" for table in desk.state.round.tables)
        with served(tmp_path, port=port):
            page.get_by_text("Round 1 · all results are in").wait_for()


def test_without_a_script_everything_can_be_read_and_joined(browser, tmp_path):
    """By links, forms and reloading."""
    small_event(tmp_path)
    with served(tmp_path) as (_, address), phone(browser, java_script_enabled=False) as page:
        page.home = address
        join(page, tmp_path, 2)
        assert "Table" in page.inner_text("main")
        page.goto(f"{address}/screen")
        assert page.get_by_text("Oake").first.is_visible()


def test_two_phones_enter_a_result_and_a_double_tap_is_one(browser, tmp_path):
    """The second phone is asked by itself, and both show the result."""
    small_event(tmp_path)
    with (
        served(tmp_path) as (_, address),
        phone(browser) as one,
        phone(browser) as two,
        open_desk(tmp_path) as desk,
    ):
        one.home = two.home = address
        first, second = desk.state.round.tables[1].seats
        join(one, tmp_path, first)
        join(two, tmp_path, second)
        one.get_by_role("link", name="Report the result").click()
        one.get_by_text("I won 2–1").click()
        one.get_by_role("button", name="Send").dblclick()
        one.get_by_text("You reported at").wait_for()
        yes = two.get_by_role("button", name="Yes, that's right")
        yes.wait_for()
        yes.dblclick()
        for page in (one, two):
            page.locator(".card").get_by_text(re.compile("(won 2–1|lost 1–2)")).wait_for()
        desk.refresh()
        entered = [type(entry.op).__name__ for entry in desk.entries]
        assert [entered.count(f"Result{kind}") for kind in ("Claimed", "Confirmed", "Reported")] == [1, 1, 1]


def test_a_report_being_typed_stays_while_the_page_has_news(browser, tmp_path):
    """The opponent reports meanwhile; the form is answered with the existing report."""
    small_event(tmp_path)
    with served(tmp_path) as (_, address), phone(browser) as page, open_desk(tmp_path) as desk:
        page.home = address
        table = desk.state.round.tables[1]
        join(page, tmp_path, table.seats[0])
        open_live(page, f"{address}/report")
        page.get_by_text("I won 2–0").click()
        shown = {"round_number": 1, "table": 1, "seats": table.seats}
        OwnSeat(desk, table.seats[1]).claim(Report(score="2-0"), **shown)
        page.get_by_text("This page has changed.").wait_for()
        assert page.get_by_label("I won 2–0").is_checked()
        page.get_by_role("button", name="Send").click()
        page.get_by_role("alert").get_by_text("reported").wait_for()
        assert page.get_by_role("heading", name="What was the result?").is_visible()
        assert page.get_by_label("I won 2–0").is_checked()


LONG = (
    "Maximiliane von Hohenstein-Oberndorff zu Lichtenwalde",
    "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Jones",
    "Wolfeschlegelsteinhausenbergerdorff Ottoline",
    "Bartholomew Featherstonehaugh-Cholmondeley III",
)

SMALL = """Array.from(document.querySelectorAll(
    "main :is(a, button, select, summary, textarea, label.tile, input:not([type=hidden], [type=radio]))"))
  .filter((each) => each.offsetParent && !each.closest("table, dl"))
  .map((each) => [each.innerText || each.name, each.getBoundingClientRect()])
  .filter(([, at]) => at.height < 44 || at.width < 44).map(([words]) => words)"""


VERSION = """fetch("/head?about=player:1").then((answer) => answer.json()).then((head) => head.version)"""
"""The version of what player 1 sees."""

GAMES = ("red-diamond/standard", "diamonsters/standard")


@pytest.mark.parametrize("game", GAMES)
def test_the_pages_of_a_player_are_accessible(browser, tmp_path, game):
    """No target below 44 pixels, nothing wider than the phone, no broken rule of axe."""
    colors = ("light", "dark")[: 2 if game == GAMES[0] else amount(0, of=2)]
    with (
        new_desk(tmp_path, *LONG, format_name=game, minutes=50) as desk,
        served(tmp_path) as (_, address),
        phone(browser, bypass_csp=True, color_scheme="light", reduced_motion="reduce") as page,
    ):
        page.home = address

        def look(path=""):
            if path:
                page.goto(f"{address}{path}")
            assert faults_of(page, colors=colors) == [], path
            assert page.evaluate(SMALL) == [], path
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path

        @contextmanager
        def until_shown():
            """Wait until the server shows the change to this player."""
            before = page.evaluate(VERSION)
            yield
            while page.evaluate(VERSION) <= before:
                page.wait_for_timeout(50)

        join(page, tmp_path, 1)
        look()
        look("/deck")
        with until_shown():
            desk.pair_round()
        for path in ("/me", "/report", f"/table/{desk.state.round.table_of(1).number}", "/deck"):
            look(path)
        table = desk.state.round.table_of(1)
        shown = {"round_number": 1, "table": table.number, "seats": table.seats}
        other = next(seat for seat in table.seats if seat != 1)
        with until_shown():
            entry = OwnSeat(desk, other).claim(Report(score="id"), **shown).entries[0]
        for path in ("/me", "/report"):
            look(path)
        with until_shown():
            OwnSeat(desk, desk.find_player(1)).dispute(entry)
        look("/me")
        page.get_by_text("Call a judge", exact=True).click()
        page.get_by_text("Leave the event").click()
        look()


def test_a_printed_sheet_keeps_its_style(browser, tmp_path):
    """Its style is inline, which the policy of other pages forbids."""
    small_event(tmp_path)
    with served(tmp_path) as (_, address), phone(browser) as page, open_desk(tmp_path):
        page.home = address
        page.goto(f"{address}/sheets/pairings.html")
        assert page.evaluate("getComputedStyle(document.querySelector('h1')).marginTop") == "0px"


def test_a_report_without_a_network_keeps_its_form(browser, tmp_path):
    """Later the chosen result is entered once."""
    small_event(tmp_path)
    with served(tmp_path) as (_, address), phone(browser) as page, open_desk(tmp_path) as desk:
        page.home = address
        join(page, tmp_path, 1)
        page.get_by_role("link", name="Report the result").click()
        page.get_by_text("I won 2–1", exact=True).click()
        page.context.set_offline(True)
        page.get_by_role("button", name="Send").click()
        page.get_by_text("Not sent: the server cannot be reached.").wait_for()
        assert page.url.endswith("/report")
        assert page.locator("[name=result]:checked").get_attribute("value") == "2-1"
        page.context.set_offline(False)
        page.get_by_role("button", name="Send").click()
        page.wait_for_url("**/me")
        page.get_by_text("You reported at").wait_for()
        assert page.get_by_text("Not sent").count() == 0
        assert len(desk.refresh().round.claims) == 1


def test_joining_keeps_the_code_after_an_error_or_without_a_network(browser, tmp_path):
    small_event(tmp_path)
    with served(tmp_path) as (_, address), phone(browser) as page, open_desk(tmp_path):
        page.home = address
        code = code_of(tmp_path, 1)
        page.goto(f"{address}/join")
        page.fill("#code", code.text)
        page.context.set_offline(True)
        page.get_by_role("button", name="Join on this phone").click()
        page.get_by_text("Not sent: the server cannot be reached.").wait_for()
        assert page.input_value("#code") == code.text
        page.context.set_offline(False)
        page.fill("#code", "1-AAAA-BBBB")
        page.get_by_role("button", name="Join on this phone").click()
        page.get_by_text(
            "That is not the code of player 1. Look at the slip again, or ask the desk."
        ).wait_for()
        assert page.input_value("#code") == "1-AAAA-BBBB"
        page.fill("#code", code.text)
        page.get_by_role("button", name="Join on this phone").click()
        page.wait_for_url("**/me")
        page.get_by_role("heading", name="Mira Oake").wait_for()
        with open_desk(tmp_path) as desk:
            table = desk.state.round.table_of(1).number
            desk.report(table, "2-0")
        page.get_by_text("2–0").first.wait_for()
