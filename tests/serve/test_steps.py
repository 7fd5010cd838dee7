"""The desk's next step is always accepted, and an error shows its remedy as a button."""

import re

import pytest

from tests.desk.kit import new_desk
from tests.serve.kit import NAMES, opened, run
from tests.serve.test_staff import enter, once
from tourney.serve.acts import ACTS
from tourney.serve.steps import RefusedForm, remedies
from tourney.serve.visits import Role


def buttons(page):
    """Return the forms of a page by the text of their button: address and fields."""
    forms = {}
    for to, inside in re.findall(
        r'<form class="entry[^"]*" method="post" action="([^"]*)"[^>]*>(.*?)</form>', page, re.S
    ):
        label = re.findall(r"<button[^>]*>([^<]*)", inside)[-1]
        sent = dict(
            re.findall(r'<input(?: type="hidden")?(?: id="[^"]*")? name="([^"]*)" value="([^"]*)"', inside)
        )
        sent |= dict.fromkeys(re.findall(r'type="checkbox" name="([^"]*)" value="1" checked', inside), "1")
        forms[label] = to, sent
    return forms


async def press(browser, label):
    """Press a button of the desk's page, and load the next page."""
    to, sent = buttons(browser.page)[label]
    sent = {name: value for name, value in sent.items() if name != "key"}
    answer = await browser.post(to, **sent)
    if answer.status_code == 303:
        await browser.get(answer.headers["location"])
    return answer.status_code


async def play(hall, browser):
    """Enter a win of the first seat at every open table, and load the desk's page."""
    state = hall.room.event.state
    for number in state.round.playing:
        await enter(browser, "slip", round=str(state.round.number), slip=f"{number} 2-0")
    await browser.get("/desk")


def _pair_four(folder, *results):
    """Pair round 1 of four players, best of 3, and enter the results of the first tables."""
    with new_desk(folder, *NAMES[:4], rounds=3, best_of=3) as desk:
        desk.pair_round()
        for table, result in enumerate(results, 1):
            desk.report(table, result)


def _pairs(browser):
    """Return the buttons that pair a round by the event's system."""
    return [label for label, (to, _) in buttons(browser.page).items() if to == "/desk/pair"]


def test_the_first_button_leads_through_the_evening(tmp_path):
    """Rounds, the cut, the bracket, and the end with the champion's name."""
    with new_desk(tmp_path, *NAMES[:8], rounds=2, best_of=3, planned_cut=4, publish_to="public"):
        pass

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("organizer")
            await browser.get("/desk")
            for label in (
                "Pair round 1",
                "Pair round 2",
                "Make the cut",
                "Pair the semifinals",
                "Pair the final",
            ):
                assert _pairs(browser) == ([label] if label.startswith("Pair") else [])
                if label == "Make the cut":
                    assert buttons(browser.page)[label][1]["size"] == "4"
                assert await press(browser, label) == 303, browser.text
                if label != "Make the cut":
                    await play(hall, browser)
            winner = hall.room.event.state.rounds[-1].tables[1].seats[0]
            name = hall.room.event.state.players[winner].name
            assert f"{name} has won." in browser.text
            assert not _pairs(browser)
            assert not [label for label in buttons(browser.page) if "by hand" in label]
            assert await press(browser, "End the event and publish") == 303
            assert hall.room.event.state.closed
            assert f"The event is over. {name} has won." in browser.text

    run(story())
    assert "Champion" in (tmp_path / "public" / "index.html").read_text("utf-8")


def test_a_scorekeeper_sees_what_the_organizer_can_do(tmp_path):
    with new_desk(tmp_path, *NAMES[:4], rounds=1, best_of=3, planned_cut=2) as desk:
        desk.pair_round()

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("scorekeeper")
            await play(hall, browser)
            assert "Next: the cut to the top 2. The organizer makes it." in browser.text
            assert "Make the cut" not in buttons(browser.page)
            await hall.room.event.write(lambda desk: desk.cut(2))
            await browser.get("/desk")
            await press(browser, "Pair the final")
            await play(hall, browser)
            assert "has won. Next: the organizer ends the event." in browser.text

    run(story())


def test_without_a_cut_the_end_names_the_first_player(tmp_path):
    with new_desk(tmp_path, *NAMES[:4], rounds=2, best_of=3) as desk:
        for _ in range(2):
            desk.pair_round()
            for number in desk.state.round.tables:
                desk.report(number, "2-0")

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("organizer")
            await browser.get("/desk")
            (first,) = (row.name for row in hall.room.event.pages.event.settled.rows if row.rank == 1)
            assert f"{first} is first." in browser.text
            assert await press(browser, "End the event") == 303

    run(story())


def test_a_tie_across_the_cut_offers_a_lot(tmp_path):
    """The button is accepted."""
    with new_desk(tmp_path, *NAMES[:4], rounds=1, best_of=1, planned_cut=3, draws=True) as desk:
        desk.pair_round()
        for number in desk.state.round.tables:
            desk.report(number, "id")

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("organizer")
            await browser.get("/desk")
            sent = buttons(browser.page)["Make the cut"][1]
            assert sent["size"] == "3"
            assert sent["lot"] == "1"
            message = re.search(r'<div class="said" role="status"><p>([^<]*)', browser.page)[1]
            assert sum(name in message for name in NAMES[:4]) > 1
            refused = await enter(browser, "cut", round="1", size="3", third="1")
            assert refused.status_code == 409
            again = buttons(browser.page)["Cut to the top 3, ties broken by lot"]
            assert again[1].items() >= {"size": "3", "third": "1", "lot": "1"}.items()
            await browser.get("/desk")
            assert await press(browser, "Make the cut") == 303, browser.text

    run(story())


def test_a_round_that_waits_for_players_offers_remedies(tmp_path):
    """Dropping absent players, or pairing anyway."""
    with new_desk(tmp_path, *NAMES[:6], rounds=3, best_of=3) as desk:
        desk.check_in(*NAMES[:4])

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("scorekeeper")
            await browser.get("/desk")
            assert "not checked in" in browser.text
            shown = buttons(browser.page)
            assert '<button class="second">Pair round 1</button>' in browser.page
            assert {"Drop absent players", "Pair round 1 anyway"} <= shown.keys()
            assert {f"Check in {name}" for name in NAMES[4:6]} <= shown.keys()
            assert browser.text.count("are not checked in") == 1
            assert (await enter(browser, "pair", round="1", hold="1")).status_code == 409
            to, sent = buttons(browser.page)["Pair round 1 anyway"]
            assert (to, sent["round"], sent["anyway"], sent["hold"]) == ("/desk/pair", "1", "1", "1")
            await browser.get("/desk")
            assert await press(browser, "Pair round 1 anyway") == 303
            assert len(hall.room.event.state.round.tables) == 3

    run(story())


def test_a_refused_slip_offers_the_change(tmp_path):
    _pair_four(tmp_path, "2-0")

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("scorekeeper")
            assert (await enter(browser, "slip", round="1", slip="1 0-2")).status_code == 409
            assert await press(browser, "Enter: change 1 0-2") == 303
            assert hall.room.event.state.round.tables[1].result.seats[1].games == 2

    run(story())


def test_a_refused_change_of_an_open_table_offers_the_result(tmp_path):
    """The field takes no options, so neither the button nor a line names the round."""
    _pair_four(tmp_path)

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("scorekeeper")
            assert (await enter(browser, "slip", round="1", slip="change 1 0-2")).status_code == 409
            assert "--round" not in browser.text
            assert await press(browser, "Enter: 1 0-2") == 303
            assert hall.room.event.state.round.tables[1].result.seats[1].games == 2

    run(story())


def test_an_example_of_a_result_has_no_button(tmp_path):
    """To end the event, the command line names an open table with an invented score."""
    _pair_four(tmp_path)

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("organizer")
            assert (await enter(browser, "close")).status_code == 409
            assert "2 of 2 tables still playing: 1, 2." in browser.text
            assert "2-0" not in browser.text.partition("Slip")[0]
            assert not any(name.startswith("Enter:") for name in buttons(browser.page))

    run(story())


def test_a_result_that_is_in_the_way_is_removed_by_a_button(tmp_path):
    _pair_four(tmp_path, "2-0")

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("scorekeeper")
            assert (await enter(browser, "move", round="1", table="1", to_table="9")).status_code == 409
            assert await press(browser, "Remove the result of table 1") == 303
            assert hall.room.event.state.round.tables[1].result is None

    run(story())


def test_a_late_player_is_seated_by_a_button(tmp_path):
    """The warning of the command line names a command."""
    with new_desk(tmp_path, *NAMES[:5], rounds=3, best_of=3) as desk:
        desk.pair_round()

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("scorekeeper")
            assert (await enter(browser, "late", name="Lin Marsh")).status_code == 303
            assert "has a result yet" in browser.text
            assert await press(browser, "Seat now") == 303
            assert all(len(table.seats) == 2 for table in hall.room.event.state.round.tables.values())
            assert len(hall.room.event.state.round.tables) == 3
            assert once(browser)

    run(story())


@pytest.mark.parametrize(
    ("hint", "act", "label"),
    [
        ("`tourney player drop --absent` takes them out", "drop-absent", "Drop absent players"),
        ('`tourney player drop "Mira Oake"`', "drop", "Drop Mira Oake"),
        ("`tourney player return 'Bo'`", "return", "Let Bo back in"),
        ("`tourney player check-in Bo`", "check-in", "Check in Bo"),
        ("`tourney round release` shows it", "release", "Release the round"),
        ("`tourney event cut 4 --lot` draws", "cut", "Cut to the top 4, ties broken by lot"),
        ("`tourney event cut N`, or else", "cut", "Cut to the top 8"),
        ("`tourney event reopen`", "reopen", "Reopen the event"),
        ("`tourney event undo 12`", "take-back", "Undo: entry 12"),
    ],
)
def test_a_command_of_a_hint_is_a_button(tmp_path, hint, act, label):
    with new_desk(tmp_path, *NAMES[:4], planned_cut=8) as desk:
        form = RefusedForm("", {}, desk.state)
        (made,) = remedies(hint, form, Role.ORGANIZER)
        assert made.act == act
        assert act in ACTS
        if act != "take-back":
            assert made.label == label


@pytest.mark.parametrize(
    "hint",
    ["`tourney player drop NAME`", "`tourney event undo ENTRY`", "`tourney event log`", "`ff1`",
     "`tourney round edit swap`", "`--lot`", "", '`tourney player drop "`'],
)  # fmt: skip
def test_a_hint_without_a_form_has_no_button(tmp_path, hint):
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        assert remedies(hint, RefusedForm("", {}, desk.state), Role.ORGANIZER) == ()


def test_a_role_is_offered_only_its_own_actions(tmp_path):
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        form = RefusedForm("", {}, desk.state)
        assert remedies("`tourney event cut 4`", form, Role.SCOREKEEPER) == ()
        assert remedies("`tourney round repair`", form, Role.JUDGE) == ()
