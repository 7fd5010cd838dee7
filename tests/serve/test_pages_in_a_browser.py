"""Every served page in a browser: accessible, without a script, and on a projector."""

import re

import pytest
from msgspec.structs import replace

from tests.axe import faults_of
from tests.desk.kit import lent, open_desk
from tests.kit import amount
from tests.serve.kit import small_event
from tests.serve.served import served
from tests.serve.test_in_a_browser import join, phone
from tests.serve.test_staff_in_a_browser import big_event, join_staff, now
from tourney.desk import Desk
from tourney.serve.app import all_routes
from tourney.serve.visits import Role

pytestmark = pytest.mark.browser


def test_every_page_is_accessible(browser, tmp_path):
    """By axe and not too wide, for strangers, players and the organizer."""
    small_event(tmp_path, 8, minutes=50)
    with open_desk(tmp_path) as desk:
        desk.start_round()
        desk.report_block(f"{table} 2-0" for table in desk.state.round.tables)
        desk.cut(4)
        desk.pair_round()
        desk.start_round()
        desk.extend(1, 5)
        desk.change(decklists="all")
    with (
        served(tmp_path, "--staff-over-http") as (_, address),
        phone(browser, bypass_csp=True) as stranger,
        phone(browser, bypass_csp=True) as player,
        phone(browser, bypass_csp=True) as organizer,
    ):
        stranger.home = player.home = organizer.home = address
        join(player, tmp_path, 1)
        join_staff(organizer, tmp_path, "organizer")
        fill = {"number": "1", "code": "1-AAAAAAAA", "secret": "x" * 22}
        seen = {stranger: ["/", "/join", "/poster"], player: [], organizer: ["/"]}
        for route in all_routes():
            if not route.form and route.path not in NO_PAGES:
                path = re.sub(r"{(\w+)(?::\w+)?}", lambda part: fill[part[1]], route.path)
                seen[player if Role.PLAYER in route.may else organizer].append(path)
        stranger.goto(address)
        published = {
            *re.findall(r'href="/?([\w-]+\.html)"', stranger.content()),
            "player/1.html",
            "sheets/pairings.html",
        }
        published = {f"/{path}" for path in published}
        seen[stranger] += sorted(published)
        for page, paths in seen.items():
            for path in paths:
                page.goto(f"{address}{path}")
                # The tests of published pages check their colors.
                colors = ("light",)[: amount(0, of=1) if path in published else 1]
                assert faults_of(page, colors=colors) == [], path
                if not path.startswith("/sheets"):
                    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert sum(map(len, seen.values())) > 25


NO_PAGES = {"/{address:path}", "/events", "/head", "/live.js", "/live.css"}
"""What is answered with no page; and what takes every other address."""


def test_a_result_is_reported_and_confirmed_without_a_script(browser, tmp_path):
    """By forms and reloading; then a dispute and a judge call."""
    small_event(tmp_path)
    with (
        served(tmp_path) as (_, address),
        phone(browser, java_script_enabled=False) as one,
        phone(browser, java_script_enabled=False) as two,
        open_desk(tmp_path) as desk,
    ):
        one.home = two.home = address
        for table in desk.state.round.tables.values():
            for page, player in zip((one, two), table.seats, strict=True):
                page.context.clear_cookies()
                join(page, tmp_path, player)
            one.get_by_role("link", name="Report the result").click()
            one.get_by_text("I won 2–1", exact=True).click()
            one.get_by_role("button", name="Send").click()
            one.get_by_text("You reported at").wait_for()
            two.reload()
            if table.number == 1:
                two.get_by_role("button", name="Yes, that's right").click()
                two.locator(".card").get_by_text("lost 1–2").wait_for()
                one.reload()
                one.locator(".card").get_by_text("won 2–1").wait_for()
            else:
                two.get_by_role("link", name="No, that's wrong").click()
                two.get_by_text("I won 2–0", exact=True).click()
                two.get_by_role("button", name="Send").click()
                two.get_by_role("heading", name="The desk decides").wait_for()
                two.locator("#call > summary").click()
                two.get_by_label("What is it about?").fill("the third game")
                two.get_by_role("button", name="Call a judge to table").click()
                two.get_by_text("You called a judge at").wait_for()
        desk.refresh()
        assert [number for number, table in desk.state.round.tables.items() if table.result] == [1]
        assert [call.about for call in desk.calls()] == ["the third game"]


FILLED = """() => {
  const seen = Array.from(document.querySelectorAll(".leaf li"), (each) => each.getBoundingClientRect())
    .filter((at) => at.left >= 0 && at.right <= innerWidth && at.width);
  const whole = Array.from(document.querySelectorAll(".leaf .who, .leaf .at, header *, footer *"))
    .every((each) => each.scrollWidth <= each.clientWidth + 1 || !each.clientWidth);
  return { names: seen.length, low: Math.max(...seen.map((at) => at.bottom)) / innerHeight, whole,
           letters: parseFloat(getComputedStyle(document.querySelector(".leaf li")).fontSize) / innerHeight,
           still: document.documentElement.scrollHeight <= innerHeight
                  && document.documentElement.scrollWidth <= innerWidth }; }"""


def test_the_screen_follows_a_whole_evening(browser, tmp_path):
    """Pairings in pages, the clock with more time, standings, a new server, the bracket."""
    big_event(tmp_path)
    with phone(browser, viewport={"width": 1920, "height": 1080}) as page:
        with (
            served(tmp_path) as (server, address),
            Desk.open(tmp_path / "friday.tourney", replace(lent("Ann", "later"), clock=now)) as desk,
        ):
            page.home, port = address, int(address.rpartition(":")[2])
            page.goto(f"{address}/screen")
            first = page.evaluate(FILLED)
            assert first["names"] == 40, "half of 80 on each of two pages"
            assert 0.85 < first["low"] < 0.95
            assert first["letters"] > 0.03
            assert first["whole"]
            assert first["still"]
            desk.start_round()
            desk.extend(3, 5)
            page.locator(".time .clock").get_by_text(re.compile("^(50:00|49:[0-9]{2})")).wait_for(
                timeout=6000
            )
            page.locator(".extended").get_by_text("Table 3").wait_for()
            assert re.search("(55:00|54:[0-9]{2})", page.locator(".extended").inner_text())
            desk.report_block(f"{table} 2-0" for table in desk.state.round.tables)
            page.get_by_role("heading", name="After round 1").first.wait_for()
            assert page.locator(".clock").count() == 0
            server.kill()
            server.wait(60)
        with open_desk(tmp_path) as desk:
            desk.cut(8, lot=True)
            desk.pair_round()
            desk.report_block(["1 2-0"])
            with served(tmp_path, port=port):
                page.get_by_role("heading", name="Bracket").first.wait_for()
                assert page.locator("svg.bracket").first.bounding_box()["height"] > 600
                assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
