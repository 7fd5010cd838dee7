"""A whole evening of results from phones. Two phones and the desk are browsers."""

import re
import tomllib
from contextlib import closing

import httpx
import pytest

from tests.desk.kit import new_desk
from tests.kit import ROOT
from tests.serve.kit import Seen, text_of
from tests.serve.served import served
from tests.serve.test_in_a_browser import code_of, join, phone
from tests.serve.test_seat import fields
from tests.serve.test_staff_in_a_browser import join_staff
from tourney.desk import check, publish
from tourney.event.ops import (
    ResultChanged,
    ResultClaimed,
    ResultConfirmed,
    ResultDisputed,
    ResultReported,
)

pytestmark = pytest.mark.browser

NAMES = (
    "Mira Oake", "Tomo Reed", "Lena Voss", "Bo Quill", "Tess Hart", "Ada Finch", "Ivo Lark", "Una Pell",
    "Wim Ardent", "Zoe Brook",
)  # fmt: skip

ONE, TWO, LEAVES = 1, 2, 10
"""Whose phones are browsers, and who leaves early."""


class OtherPhone(Seen):
    """A phone without a browser: it keeps its cookies and sends the forms of its page."""

    def __init__(self, address):
        self.client = httpx.Client(base_url=address, headers={"accept": "text/html", "origin": address})
        self.page = ""

    def see(self, path):
        self.page = self.client.get(path).text
        return self

    def send(self, to, **more):
        """Send a form of the page, and load the answer."""
        answer = self.client.post(to, data={"key": self.key, **fields(self, to), **more})
        self.page = answer.text
        if answer.status_code == 303:
            self.see(answer.headers["location"])
        return answer.status_code

    def join(self, code):
        self.client.get(code.path)
        self.see(code.path)
        assert self.send("/join") == 303, self.text
        return self


class Evening:
    """The phones of an event, and its state."""

    def __init__(self, folder, address, desk, players):
        self.folder, self.desk = folder, desk
        self.others = {player: OtherPhone(address).join(code_of(folder, player)) for player in players}

    def close(self):
        for other in self.others.values():
            other.client.close()

    @property
    def round(self):
        self.desk.refresh()
        return self.desk.state.round

    def at_table(self, player):
        return self.round.table_of(player)

    def opponent(self, player):
        return next(seat for seat in self.at_table(player).seats if seat != player)

    def report(self, player, result, browser=None):
        """Report as the player; the opponent confirms."""
        if browser:
            browser.get_by_role("link", name="Report the result").click()
            browser.get_by_text({"2-0": "I won 2–0", "0-2": "I lost 0–2"}[result], exact=True).click()
            browser.get_by_role("button", name="Send").click()
            browser.get_by_text("You reported at").wait_for()
        else:
            mine = self.others[player].see("/report")
            assert mine.send("/report", result=result) == 303, mine.text

    def confirm(self, player):
        theirs = self.others[player].see("/me")
        assert theirs.send("/answer", answer="yes") == 303, theirs.text

    def play_the_others(self, *but):
        """Report and confirm at every table without the players `but`."""
        for number in self.round.playing:
            seats = self.round.tables[number].seats
            if not set(seats) & set(but):
                self.report(min(seats), "2-0")
                self.confirm(max(seats))


def a_legal_list():
    text = (ROOT / "tourney/games/red_diamond/standard.toml").read_text(encoding="utf-8")
    return next(example["deck"] for example in tomllib.loads(text)["example"] if example.get("legal"))


def use(page, code):
    """Open the link of a code, and press the button."""
    page.goto(f"{page.home}{code.path}")
    page.get_by_role("button", name="Join on this phone").click()


def wait_for_card(page, *words):
    """Wait until the card of the player's table has some words."""
    for text in words:
        page.locator(".card").get_by_text(text).first.wait_for()


def unfold(staff, form):
    """Open a form of the desk's page, and the group that contains it."""
    staff.locator(f"#{form}").wait_for(state="attached")
    for summary in staff.locator(f"details:has(#{form}) > summary, #{form} > summary").all():
        summary.click()


def pair(staff, round_):
    """Press the desk's button for the next round, and start its clock.

    Wait for the receipt of this round: that of the last one stays on the page until the next answer.
    """
    staff.get_by_text("Start the clock at once").click()
    staff.get_by_role("button", name=f"Pair {round_}", exact=True).click()
    title = round_.removeprefix("the ").capitalize()
    staff.get_by_role("status").get_by_text(re.compile(f"{title} (is|are) paired")).wait_for()


def test_an_evening_on_phones(browser, tmp_path):
    """Ten players, two rounds, top 4, with disputes, double taps and outages: each result once."""
    with (
        new_desk(
            tmp_path, *NAMES, rounds=2, best_of=3, banlist="red-diamond/example", deck_lock="round-1"
        ) as desk,
        served(tmp_path, "--staff-over-http") as (_, address),
        closing(Evening(tmp_path, address, desk, range(3, len(NAMES) + 1))) as evening,
        phone(browser) as one,
        phone(browser) as two,
        phone(browser, viewport={"width": 1280, "height": 900}) as staff,
    ):
        for page in (one, two, staff):
            page.home = address
        desk.waive_all_decks(but=[f"#{TWO}"])
        join_staff(staff, tmp_path, "organizer")
        code = code_of(tmp_path, ONE)
        use(one, code)
        join(two, tmp_path, TWO)
        for page in (one, two):
            page.get_by_role("button", name="I am here").click()
            page.get_by_text("I am here").wait_for(state="detached")
        for other in evening.others.values():
            assert other.send("/checkin") == 303, other.text
        a_late_list(two, staff)
        one.context.set_offline(True)
        pair(staff, "round 1")
        one.get_by_text("Offline.").wait_for()
        one.context.set_offline(False)
        one.locator(".card .at").wait_for()
        assert one.locator(".at").first.inner_text().split() == ["TABLE", str(evening.at_table(ONE).number)]
        assert one.locator(".card .clock").is_visible()
        moved = a_table_is_paired_again(evening, one, two, staff)
        with phone(browser) as second:
            second.home = address
            nobody_confirms_the_own_report(code, evening, one, second, staff)
            assert evening.at_table(ONE).result is None
            two.get_by_role("button", name="Yes, that's right").dblclick()
            wait_for_card(two, "lost 1–2")
            wait_for_card(second, "won 2–1")
            disputed = a_dispute(evening, staff)
            leaver = evening.others[LEAVES].see("/me")
            assert leaver.send("/leave") == 303
            assert "You leave after this round." in leaver.text
            evening.play_the_others()
            play_a_round(evening, second, two, staff, 2)
            the_bracket(evening, second, two, staff)
        check_the_journal(desk, moved, disputed)
        desk.close()
        publish(desk, tmp_path / "pages")
        assert check(desk) == ()
    ranking = text_of((tmp_path / "pages/standings.html").read_text(encoding="utf-8"))
    assert "1 Mira Oake won the final" in ranking


def a_late_list(two, staff):
    """No round is paired without a legal list; the banned card is named at once, and replaced."""
    staff.goto(f"{staff.home}/desk")
    staff.get_by_role("button", name="Pair round 1", exact=True).click()
    staff.get_by_role("alert").get_by_text("Tomo Reed").wait_for()
    two.get_by_role("link", name="Submit your decklist").click()
    legal = a_legal_list()
    first, _, rest = legal.partition("\n")
    two.get_by_label("One card per line").fill(f"1 Invented Kraken\n{rest}")
    two.get_by_role("button", name="Submit").click()
    finding = two.locator(".findings li").first
    finding.wait_for()
    for words in ("Line 1", "Invented Kraken", "banned", "rule"):
        assert words in finding.inner_text(), finding.inner_text()
    two.get_by_label("One card per line").fill(f"{first}\n{rest}")
    two.get_by_role("button", name="Submit").click()
    two.get_by_text("Your list is registered").wait_for()
    two.goto(f"{two.home}/me")
    staff.goto(f"{staff.home}/desk")


def a_table_is_paired_again(evening, one, two, staff):
    """The desk changes seats after a report: the report ends, and a late yes is refused."""
    if TWO in evening.at_table(ONE).seats:  # they are to meet by the change alone
        stranger = next(other for other in evening.others if other not in evening.at_table(TWO).seats)
        evening.desk.swap(f"#{TWO}", f"#{stranger}")
    before = evening.opponent(ONE)
    slow_phone = evening.others[before]
    evening.report(ONE, "2-0", one)
    slow_phone.see("/me")
    assert "Is this right?" in slow_phone.text
    staff.goto(f"{staff.home}/desk")
    unfold(staff, "swap")
    staff.locator("#swap-who").fill(f"#{before}")
    staff.locator("#swap-other").fill(f"#{TWO}")
    staff.get_by_role("button", name="Swap two players").click()
    staff.get_by_role("status").get_by_text(NAMES[TWO - 1]).first.wait_for()
    claim = last_claim(evening.desk)
    wait_for_card(one, NAMES[TWO - 1])
    assert not one.get_by_text("You reported at").is_visible()
    assert slow_phone.send("/answer", answer="yes") == 409, slow_phone.text
    assert evening.at_table(ONE).result is None
    one.get_by_role("link", name="Report the result").click()
    one.get_by_text("I won 2–1", exact=True).click()
    one.get_by_role("button", name="Send").dblclick()
    one.get_by_text("You reported at").wait_for()
    two.get_by_text("Is this right?").wait_for()
    return claim


def nobody_confirms_the_own_report(code, evening, one, second, staff):
    """A used code joins no second phone. A new code ends the first phone, which cannot confirm."""
    use(second, code)
    second.get_by_role("alert").wait_for()
    second.goto(f"{second.home}/me")
    assert second.url.endswith("/join"), "it speaks for nobody"
    staff.goto(f"{staff.home}/desk/players")
    staff.get_by_role("row", name=NAMES[ONE - 1]).get_by_role("button", name="New code").click()
    staff.get_by_role("button", name="Sign it out and make a new code").click()
    second.get_by_label("Personal code").fill(staff.locator(".address").inner_text())
    second.get_by_role("button", name="Join on this phone").click()
    second.get_by_text("You reported at").wait_for()
    assert not second.get_by_role("button", name="Yes, that's right").count()
    answer = second.evaluate(
        """async (claim) => {
           const key = document.querySelector("[name=key]").value;
           return (await fetch("/answer", { method: "POST", headers: { accept: "text/html" },
             body: new URLSearchParams({ key, claim, answer: "yes" }) })).text() }""",
        str(last_claim(evening.desk)),
    )
    assert "your own report" in answer
    one.get_by_role("button", name="Join on this phone").wait_for()
    staff.goto(f"{staff.home}/desk")


def last_claim(desk):
    desk.refresh()
    return max(entry.seq for entry in desk.entries if type(entry.op) is ResultClaimed)


def a_dispute(evening, staff):
    """Two players disagree: nothing is entered until the desk presses one of two buttons."""
    number = next(n for n in evening.round.playing if LEAVES not in evening.round.tables[n].seats)
    first, second = evening.round.tables[number].seats
    evening.report(first, "2-0")
    other = evening.others[second].see("/report")
    assert other.send("/answer", result="2-1", reason="the third game was mine") == 303, other.text
    assert "The desk decides" in other.text
    staff.get_by_text("the third game was mine").wait_for()
    assert evening.round.tables[number].result is None
    staff.get_by_role("button", name="Enter this").nth(1).click()
    staff.get_by_role("status").get_by_text(f"table {number}").first.wait_for()
    assert evening.round.tables[number].result is not None
    return last_claim(evening.desk)


def play_a_round(evening, one, two, staff, number):
    """Phones show the new round by themselves; browsers report, and other phones confirm."""
    staff.get_by_role("button", name=f"Pair round {number}", exact=True).wait_for()
    pair(staff, f"round {number}")
    for browser, player, result in ((one, ONE, "2-0"), (two, TWO, "0-2")):
        table = evening.at_table(player)
        if table is None:  # the odd one out: a bye claims nothing
            wait_for_card(browser, "bye")
            assert not browser.get_by_role("link", name="Report the result").count()
            continue
        browser.locator(".at").get_by_text(str(table.number), exact=True).wait_for()
        wait_for_card(browser, NAMES[evening.opponent(player) - 1])
        evening.report(player, result, browser)
        evening.confirm(evening.opponent(player))
        wait_for_card(browser, "won 2–0" if player == ONE else "lost 0–2")
    evening.play_the_others()
    assert evening.round.done


def the_bracket(evening, one, two, staff):
    """The organizer cuts; players in the bracket report as before, and another one follows it."""
    # The form of the next step: while the page still shows round 2 as open, another form makes a cut.
    staff.locator("div#cut").wait_for()
    size = staff.get_by_label("Number of players")
    size.fill("4")
    while size.input_value() != "4":  # news replaced the field between its selection and the typing
        size.fill("4")
    staff.get_by_role("button", name="Make the cut").click()
    for number, stage in ((3, "the semifinals"), (4, "the final")):
        staff.get_by_role("button", name=f"Pair {stage}", exact=True).wait_for()
        pair(staff, stage)
        assert ONE in {seat for table in evening.round.tables.values() for seat in table.seats}
        evening.report(ONE, "2-0", one)
        evening.confirm(evening.opponent(ONE))
        wait_for_card(one, "won 2–0" if number == 3 else "won the final")
        evening.play_the_others()
    two.goto(f"{two.home}/bracket.html")
    two.get_by_text("Mira Oake").first.wait_for()


def check_the_journal(desk, moved, disputed):
    """Each table has one result, from a report signed by all its players or from the desk."""
    desk.refresh()
    claims, confirmed, seen, told = {}, {}, {}, {}
    line = {entry.entry: entry for entry in desk.log()}
    name = {number: f"{player.name} (#{number})" for number, player in desk.state.players.items()}
    for entry in desk.entries:
        op = entry.op
        if isinstance(op, ResultClaimed):
            claims[entry.seq] = op
            assert line[entry.seq].by == name[op.player]
        elif isinstance(op, ResultConfirmed):
            confirmed.setdefault(op.claim, []).append(op.player)
            assert line[entry.seq].by == name[op.player]
        elif isinstance(op, ResultReported):
            (table,) = op.results
            assert (op.round, table) not in seen, "entered once"
            seen[op.round, table] = op
            told[op.round, table] = line[entry.seq].text
            if not op.claim:
                assert line[entry.seq].by.startswith("Kim (device")
    assert not any(isinstance(entry.op, ResultChanged) for entry in desk.entries)
    tables = {
        (round_.number, number): table.seats
        for round_ in desk.state.rounds
        for number, table in round_.tables.items()
    }
    assert seen.keys() == tables.keys()
    by_desk = [at for at, op in seen.items() if not op.claim]
    assert by_desk == [(1, claims[disputed].table)]
    assert moved not in confirmed
    assert disputed not in confirmed
    for at, op in seen.items():
        if op.claim:
            claim = claims[op.claim]
            assert all(name[seat].partition(" (")[0] in told[at] for seat in tables[at])
            assert {claim.player, *confirmed[op.claim]} == set(tables[at])
            assert len(confirmed[op.claim]) == 1
            assert op.results == {claim.table: claim.result}
    assert len(claims) == len(seen) + 1, (
        "the double tap was one, and the re-paired table had one that counts for nothing"
    )
    assert [type(entry.op) for entry in desk.entries].count(ResultDisputed) == 1
