"""The staff's pages: roles, messages of the command line, and each form entered once."""

import asyncio
import json
import re
import threading
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from tests.desk.kit import new_desk, open_desk
from tests.publish.pseudo import pseudo_language, untranslated
from tests.serve.kit import NAMES, opened, run, small_event, text_of
from tests.store.web import head
from tourney.desk import OwnSeat, compare_deck, submit_deck
from tourney.errors import TourneyError
from tourney.event.score import Report
from tourney.serve import acts, staff
from tourney.serve.app import all_routes
from tourney.serve.visits import Role, refusal_text
from tourney.store.outbox import Outbox, PostAddress

README = Path(staff.__file__).with_name("README.md")


def once(browser):
    return re.search(r'name="once" value="([^"]*)"', browser.page)[1]


async def enter(browser, act, at="/desk", **fields):
    """Send a form of the page `at`, and load the page that follows."""
    await browser.get(f"{at}?who={fields['who'].strip('#')}" if at == "/judge/list" else at)
    answer = await browser.post(f"/desk/{act}", once=once(browser), at=at, **fields)
    if answer.status_code == 303:
        await browser.get(answer.headers["location"])
    return answer


def extra_minutes(hall):
    """Return table → extra minutes, for the tables that have any."""
    tables = hall.room.event.state.round.tables.values()
    return {table.number: table.extra_minutes for table in tables if table.extra_minutes}


@pytest.mark.parametrize("role", ["judge", "scorekeeper"])
def test_a_closed_event_has_no_forms_that_would_be_refused(tmp_path, role):
    with new_desk(tmp_path, *NAMES[:4], rounds=1, best_of=3) as desk:
        desk.pair_round()
        desk.report(1, "2-0")
        desk.report(2, "2-0")

    async def story():
        async with opened(tmp_path) as hall:
            staff, organizer = await hall.staff(role), await hall.staff("organizer", "Lou")
            await enter(staff, "penalize", at="/judge/list", who="#1", what="warning")
            await enter(organizer, "close")
            assert hall.room.event.state.closed
            for path in ("/judge", "/judge/list?who=%231", "/desk", "/desk/players"):
                await staff.get(path)
                sent = set(re.findall(r'action="/desk/([a-z-]+)"', staff.page))
                assert sent <= {"code", "codes", "publish"}, path

    run(story())


def test_a_hint_with_an_option_is_not_shown_on_a_phone():
    """A phone has no options. A dash inside a word or a score is no option."""
    hint = "declare what you know, and check with --trust-declared"
    assert refusal_text(TourneyError("unknown type", hint)) == ("Unknown type.", "")
    assert refusal_text(TourneyError("x", "write `2-1` or well-known"))[1] == "Write `2-1` or well-known."


def test_a_stack_of_slips(tmp_path):
    """By table or name, refused, repeated, changed and undone, as in `result enter`."""

    async def story():
        async with opened(small_event(tmp_path, 8)) as hall:
            desk = await hall.staff("scorekeeper")
            answer = await enter(desk, "slip", round="1", slip="1 2-1")
            assert answer.status_code == 303
            assert "Round 1, table 1:" in desk.text
            assert "2–1" in desk.text
            assert "3 open tables" in desk.text
            answer = await enter(desk, "slip", round="1", slip="1 2-0")
            assert answer.status_code == 409
            assert "change 1 SCORE changes the result" in desk.text
            assert "tourney result" not in desk.text
            assert 'value="1 2-0"' in desk.page
            assert (await enter(desk, "slip", round="1", slip="1 2-1")).status_code == 303
            assert "already entered" in desk.text
            await enter(desk, "slip", round="1", slip="change 1 2-0")
            assert hall.room.event.state.round.tables[1].result.seats[1].games == 0
            name = hall.room.event.state.players[hall.room.event.state.round.tables[2].seats[1]].name
            await enter(desk, "slip", round="1", slip=f"{name.split()[0].lower()} 2-0")
            assert hall.room.event.state.round.tables[2].result.seats[1].games == 2
            last = re.search(r'name="last" value="(\d+)"', desk.page)[1]
            await enter(desk, "slip", round="1", slip="u", last=last)
            assert hall.room.event.state.round.tables[2].result is None
            assert (await enter(desk, "slip", round="1", slip="nobody 2-0")).status_code == 409
            assert (await enter(desk, "slip", round="1", slip="")).status_code == 422

    run(story())


def test_undo_is_for_the_last_entry_of_the_device(tmp_path):
    """Two scorekeepers; an outdated page undoes nothing."""

    async def story():
        async with opened(small_event(tmp_path, 8)) as hall:
            kim, lou = await hall.staff("scorekeeper", "Kim"), await hall.staff("scorekeeper", "Lou")
            await enter(kim, "slip", round="1", slip="1 2-0")
            await enter(lou, "slip", round="1", slip="2 2-0")
            await kim.get("/desk")
            last = re.search(r'name="last" value="(\d+)"', kim.page)[1]
            await enter(kim, "undo", last=last)
            tables = hall.room.event.state.round.tables
            assert tables[1].result is None
            assert tables[2].result is not None
            await enter(kim, "slip", round="1", slip="3 2-0")
            answer = await enter(kim, "undo", last=last)
            assert answer.status_code == 409
            assert "not your last entry" in kim.text
            with open_desk(tmp_path) as desk:
                assert [entry.by for entry in desk.log()][-4:] == [
                    "Kim (device 1)", "Lou (device 2)", "Kim (device 1)", "Kim (device 1)",
                ]  # fmt: skip

    run(story())


def test_a_report_is_entered_with_one_tap(tmp_path):
    """Each version has its button. A version that has changed enters nothing."""

    async def story():
        folder = small_event(tmp_path)
        async with opened(folder) as hall:
            desk = await hall.staff("scorekeeper")
            one, other = hall.room.event.state.round.tables[1].seats

            def disputed(held):
                OwnSeat(held, one).claim(Report(score="2-0"), round_number=1, table=1, seats=(one, other))
                (claim,) = held.claims()
                OwnSeat(held, other).dispute(
                    claim.entry, Report(score="2-1"), reason="the third game was mine"
                )

            await hall.room.event.write(disputed)
            await desk.get("/desk")
            assert "disputed" in desk.text
            assert "the third game was mine" in desk.text
            says = re.findall(r'name="says" value="([^"]+)"', desk.page)
            claim = re.search(r'name="claim" value="(\d+)"', desk.page)[1]
            assert len(says) == 2
            assert (await enter(desk, "settle", claim=claim, says="another 2–0")).status_code == 409
            answer = await enter(desk, "settle", claim=claim, says=says[1])
            assert answer.status_code == 303, desk.text
            seats = hall.room.event.state.round.tables[1].result.seats
            assert [seat.games for seat in seats] == [1, 2]
            assert (await enter(desk, "settle", claim=claim, says=says[0])).status_code == 409
            assert "has changed" in desk.text

    run(story())


def test_the_next_round_from_the_desk(tmp_path):
    """Missing players, pairing anyway, holding, release, clock; an outdated page pairs nothing."""

    async def story():
        async with opened(small_event(tmp_path, minutes=50)) as hall:
            desk, event = await hall.staff("scorekeeper"), hall.room.event
            await desk.get("/desk")
            assert "Pair round" not in desk.text
            await enter(desk, "start", round="1", minutes="40")
            assert event.state.round.minutes == 40
            await enter(desk, "slip", round="1", slip="1 2-0")
            await enter(desk, "slip", round="1", slip="2 ff1")
            assert "Pair round 2" in desk.text
            answer = await enter(desk, "pair", round="2", hold="1")
            assert answer.status_code == 409
            assert "round 2 is not paired yet" in desk.text.lower()
            assert len(event.state.rounds) == 1
            answer = await enter(desk, "pair", round="2", hold="1", anyway="1")
            assert answer.status_code == 303, desk.text
            assert event.state.round.held
            assert "held back" in desk.text
            assert (await enter(desk, "pair", round="2", anyway="1")).status_code == 409
            judge = await hall.staff("judge", "Jo")
            assert (await enter(judge, "extend", at="/judge", table="1", minutes="5")).status_code == 409
            assert "Round 2" not in judge.text
            answer = await enter(judge, "penalize", at="/judge", who="Mira", what="warning")
            assert answer.status_code == 303
            assert "Round 2" not in judge.text
            assert event.state.penalties[-1].round == 1
            await enter(desk, "release", round="2")
            assert not event.state.round.held
            assert [path.name for path in (tmp_path / ".tourney-backups").iterdir()]

    run(story())


def test_round_one_waits_at_the_desk_page_after_a_check_in_from_a_phone(tmp_path):
    with new_desk(tmp_path, *NAMES[:4]):
        pass

    async def story():
        async with opened(tmp_path) as hall:
            desk, event = await hall.staff("scorekeeper"), hall.room.event
            phone = await hall.player(1)
            assert (await phone.post("/checkin")).status_code == 303
            await hall.settle()
            await desk.get("/desk")
            here = "1 of 4 players is here; Tomo Reed, Lena Voss and Bo Quill are not checked in"
            assert here in desk.text
            assert (await enter(desk, "pair", round="1")).status_code == 409
            assert f"Round 1 is not paired yet: {here}" in desk.text
            assert not event.state.rounds
            assert (await enter(desk, "pair", round="1", anyway="1")).status_code == 303
            assert "1 of 4 players is here." in desk.text
            assert "Tomo Reed, Lena Voss and Bo Quill are not checked in" in desk.text

    run(story())


def test_a_form_sent_twice_enters_once(tmp_path):
    """More time, a penalty, a draw. A new form enters again."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            desk = await hall.staff("organizer")
            await desk.get("/desk")
            word = once(desk)
            for _ in range(2):
                answer = await desk.post("/desk/extend", once=word, at="/desk", table="1", minutes="3")
                assert answer.status_code == 303
                await desk.get("/desk")
                assert "table 1" in desk.text
            assert extra_minutes(hall) == {1: 3}
            await enter(desk, "extend", table="1", minutes="3")
            assert extra_minutes(hall) == {1: 6}

    run(story())


def test_tables_are_changed_at_the_desk(tmp_path):
    """Swap, move, seat, bye, and a repair after a drop; not from an outdated page."""

    async def story():
        async with opened(small_event(tmp_path, 8)) as hall:
            desk, event = await hall.staff("scorekeeper"), hall.room.event
            seats = {number: table.seats for number, table in event.state.round.tables.items()}
            one, other = f"#{seats[1][0]}", f"#{seats[2][0]}"
            await enter(desk, "swap", round="1", who=one, other=other)
            assert event.state.round.tables[1].seats[0] == seats[2][0]
            await enter(desk, "move", round="1", table="1", to_table="3")
            assert event.state.round.tables[3].seats[0] == seats[2][0]
            together = (seats[4][0], seats[2][1])
            names = ", ".join(event.state.players[player].name for player in together)
            await enter(desk, "seat", round="1", table="4", names=names)
            assert set(event.state.round.tables[4].seats) == set(together)
            assert (await enter(desk, "swap", round="2", who=one, other=other)).status_code == 409
            assert (await enter(desk, "bye", round="1", who=one, kind="nap")).status_code == 409
            await enter(desk, "bye", round="1", who=f"#{seats[4][0]}", kind="absent")
            assert seats[4][0] in event.state.round.byes
            answer = await enter(desk, "cut", round="1", size="4")
            assert answer.status_code == 403

    run(story())


def test_overdue_reports_no_shows_and_the_cut(tmp_path):
    """The desk's page offers actions for them when they exist."""

    async def story():
        async with opened(small_event(tmp_path, 4, claim_minutes=1)) as hall:
            desk, event = await hall.staff("organizer"), hall.room.event
            one, other = event.state.round.tables[1].seats
            seats = (one, other)
            await event.write(
                lambda held: OwnSeat(held, one).claim(
                    Report(score="2-0"), round_number=1, table=1, seats=seats
                )
            )
            assert (await enter(desk, "unanswered")).status_code == 409
            later = event.clock() + timedelta(minutes=5)
            await event.write(
                lambda held: setattr(held, "workplace", replace(held.workplace, clock=lambda: later))
            )
            await desk.get("/desk")
            assert "Enter the reports that were not answered in time" in desk.text
            await enter(desk, "unanswered")
            assert event.state.round.tables[1].result is not None
            await enter(desk, "slip", round="1", slip="2 ff1")
            gone = event.state.round.tables[2].seats[0]
            assert (await enter(desk, "pair", round="2")).status_code == 409
            await enter(desk, "drop-absent")
            assert not event.state.players[gone].playing
            answer = await enter(desk, "cut", round="1", size="2")
            assert answer.status_code == 303, desk.text
            assert event.state.cut.players

    run(story())


def test_a_step_without_a_command_is_on_the_page_whatever_a_name_contains(tmp_path):
    """The page leaves out steps with a command, and only those."""
    with new_desk(tmp_path, "Tomo `tourney fan`", *NAMES[2:5], no_show="drop") as desk:
        desk.pair_round()
        desk.report_block(
            f"{number} {'w' if 1 not in table.seats else 'ff1' if table.seats[0] == 1 else 'ff2'}"
            for number, table in desk.state.round.tables.items()
        )

    async def story():
        async with opened(tmp_path) as hall:
            browser = await hall.staff("scorekeeper")
            await browser.get("/desk")
            assert "Tomo `tourney fan` did not show in round 1 and will be dropped by" in browser.text
            assert "tourney round next" not in browser.text

    run(story())


def test_a_cut_that_only_the_lot_decides_is_refused_at_the_desk_page(tmp_path):
    async def story():
        async with opened(small_event(tmp_path, 4)) as hall:
            desk, event = await hall.staff("organizer"), hall.room.event
            for table in (1, 2):
                await enter(desk, "slip", round="1", slip=f"{table} 2-0")
            assert (await enter(desk, "cut", round="1", size="3")).status_code == 409
            assert re.search(r"Only the lot separates [\w ]+ from [\w ]+: ", desk.text)
            assert event.state.cut is None
            assert (await enter(desk, "cut", round="1", size="3", lot="1")).status_code == 303
            assert len(event.state.cut.players) == 3
            assert "nly the lot separates" in desk.text

    run(story())


def test_players_at_the_desk(tmp_path):
    """A late entry, a drop, a return, an unknown name: as on the command line."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            desk, event = await hall.staff("scorekeeper"), hall.room.event
            await enter(desk, "late", name="Wim Sand", at="/desk/players")
            assert "Wim Sand" in desk.text
            await enter(desk, "drop", who="Wim", reason="last bus")
            assert not event.state.players[5].playing
            await enter(desk, "return", who="#5", at="/desk/players")
            assert event.state.players[5].playing
            answer = await enter(desk, "drop", who="Wym Sand")
            assert answer.status_code == 409
            assert "Wim Sand" in desk.text
            assert 'value="Wym Sand"' in desk.page

    run(story())


@pytest.mark.parametrize(
    ("settings", "example", "change"),
    [
        ({"best_of": 1}, "4 1-0 or lena 1-0, then", "change 4 0-1"),
        ({"best_of": 2}, "4 2-0 or lena 2-0, then", "change 4 0-2"),
        ({"best_of": 3}, "4 2-1 or lena 2-0, then", "change 4 1-2"),
        ({"best_of": 5}, "4 3-2 or lena 3-0, then", "change 4 2-3"),
        ({"seats": [4]}, "4 1,3,2,4 or lena 1,2,3,4, then", "change 4 2,1,3,4"),
    ],
)
def test_the_example_of_a_slip_fits_the_event(tmp_path, settings, example, change):
    """All examples are accepted, also those in errors."""
    with new_desk(tmp_path, *NAMES[:4], rounds=3, **settings) as desk:
        desk.pair_round()

    async def story():
        async with opened(tmp_path) as hall:
            desk = await hall.staff("scorekeeper")
            await desk.get("/desk")
            assert example in desk.text
            assert change in desk.text
            assert (await enter(desk, "slip", round="1", slip="nonsense")).status_code == 409
            score = example.split()[1]
            assert (await enter(desk, "slip", round="1", slip=f"1 {score}")).status_code == 303, desk.text
            changed = change.replace("4", "1", 1)
            assert (await enter(desk, "slip", round="1", slip=changed)).status_code == 303, desk.text

    run(story())


def test_a_new_code_for_a_signed_in_phone_needs_a_second_press(tmp_path):
    """The first explains it. Without a signed-in phone the code is made at once."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone, desk = await hall.player(1), await hall.staff("scorekeeper")
            await desk.get("/desk/players")
            answer = await desk.post("/desk/code", once=once(desk), at="/desk/players", who="#1")
            assert answer.status_code == 409
            assert f"The phone of {NAMES[0]} is signed in. A new code signs it out immediately." in desk.text
            assert (await phone.get("/me")).status_code == 200
            assert "Sign it out and make a new code" in desk.text
            await desk.post("/desk/code", once=once(desk), at="/desk/players", who="#1", sure="1")
            assert re.search(r"1-[0-9A-Z]{4}-[0-9A-Z]{4}", desk.text)
            assert (await phone.get("/me")).status_code == 303
            await desk.get("/desk/players")
            await desk.post("/desk/code", once=once(desk), at="/desk/players", who="#1")
            assert re.search(r"1-[0-9A-Z]{4}-[0-9A-Z]{4}", desk.text)

    run(story())


def test_a_code_is_shown_once_and_a_device_removed(tmp_path):
    """With its QR code. Removal lists the device's entries."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            desk = await hall.staff("scorekeeper")
            await desk.get("/desk/players")
            word, key = once(desk), desk.key
            await desk.post("/desk/code", once=word, at="/desk/players", who="#1")
            text = re.search(r"1-[0-9A-Z]{4}-[0-9A-Z]{4}", desk.text)[0]
            assert "<svg" in desk.page
            answer = await desk.post("/desk/code", key=key, once=word, at="/desk/players", who="#1")
            assert answer.status_code == 409
            phone = hall.phone()
            await phone.get("/join")
            assert (await phone.post("/join", code=text)).status_code == 303
            await desk.get("/desk/devices")
            assert "Mira Oake" in desk.text
            number = re.search(r'name="device" value="(\d+)"', desk.page)[1]
            await desk.post("/desk/turn-out", once=once(desk), at="/desk/devices", device=number)
            assert "is removed" in desk.text
            assert (await phone.get("/me")).headers["location"] == "/join"
            other = await hall.staff("judge", "Jo")
            theirs = max(device.number for device in hall.room.devices.list())
            await desk.get("/desk/devices")
            answer = await desk.post("/desk/turn-out", at="/desk/devices", device=str(theirs))
            assert answer.status_code == 403
            assert (await other.get("/judge")).status_code == 200
            head = await hall.staff("organizer", "Ann")
            await head.get("/desk/devices")
            await head.post("/desk/turn-out", at="/desk/devices", device=str(theirs))
            assert (await other.get("/judge")).status_code == 403

    run(story())


def test_codes_for_players_without_one_are_printed_once(tmp_path):
    """As strips with name, code and link. Other players keep their codes."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            joined = await hall.player(1)
            desk, devices = await hall.staff("scorekeeper"), hall.room.devices
            await desk.get("/desk/players")
            assert "Print codes for all players without one" in desk.text
            key = desk.key
            answer = await desk.post("/desk/codes", once="a", at="/desk/players")
            assert answer.status_code == 200
            assert answer.headers["cache-control"] == "no-store"
            codes = re.findall(r"([2-4])-([0-9A-Z]{4})-([0-9A-Z]{4})", desk.text)
            assert sorted(number for number, *_ in codes) == ["2", "3", "4"]
            for name in NAMES[1:4]:
                assert name in desk.text
            assert NAMES[0] not in desk.text
            assert desk.page.count("data:image/png") == 3
            assert "script" not in desk.page
            again = await desk.post("/desk/codes", key=key, once="a", at="/desk/players")
            assert again.status_code == 409
            assert "already shown" in desk.text
            await desk.get("/desk/players")
            none = await desk.post("/desk/codes", once="b", at="/desk/players")
            assert none.status_code == 409
            assert "Every player has a code" in desk.text
            two, three = hall.phone(), hall.phone()
            await two.get("/join")
            assert (await two.post("/join", code="-".join(codes[0]))).status_code == 303
            await desk.get("/desk/players")
            await desk.post("/desk/codes", once="c", at="/desk/players", anew="1")
            assert desk.page.count("data:image/png") == 2
            await three.get("/join")
            assert (await three.post("/join", code="-".join(codes[1]))).status_code == 409, (
                "the strip before is void"
            )
            await joined.get("/me")
            assert NAMES[0] in joined.text
            assert devices.codes() == {
                1: "bound",
                int(codes[0][0]): "bound",
                **{int(code[0]): "fresh" for code in codes[1:]},
            }

    run(story())


def test_the_judges_page(tmp_path):
    """Calls, a penalty with its reason, deck checks, and a list."""

    async def story():
        folder = small_event(tmp_path)
        async with opened(folder) as hall:
            judge, event = await hall.staff("judge", "Jo"), hall.room.event
            one = event.state.round.tables[1].seats[0]

            def prepared(held):
                for player in held.state.players:
                    submit_deck(held, player, "60 Ember Fox", source="list", anyway=True)
                seats = held.state.round.tables[1].seats
                OwnSeat(held, held.find_player(one)).call_judge(
                    round_number=1, table=1, seats=seats, about="a card fell down"
                )

            await event.write(prepared)
            await judge.get("/judge")
            assert "a card fell down" in judge.text
            entry = re.search(r'name="entry" value="(\d+)"', judge.page)[1]
            await enter(judge, "answer-call", at="/judge", entry=entry)
            assert "No open calls" in judge.text
            await enter(
                judge,
                "penalize",
                at="/judge",
                who=f"#{one}",
                what="warning",
                infraction="slow-play",
                reason="asked",
            )
            assert "warning" in judge.text
            assert "(asked)" in judge.text
            await enter(
                judge,
                "penalize",
                at="/judge",
                who=f"#{one}",
                what="warning",
                infraction="slow-play",
                reason="late",
            )
            assert "Earlier penalties of" in judge.text
            await enter(judge, "draw", at="/judge", tables="1")
            due = re.findall(r'name="who" value="(#\d+)"', judge.page)
            assert len(due) == 2
            await enter(judge, "audit", at="/judge", who=due[0])
            await enter(judge, "audit", at="/judge", who=due[1], found="61 cards")
            assert "Not in order (61 cards)" in judge.text
            await judge.get("/judge/list", params={"who": f"#{one}"})
            assert "60 Ember Fox" in judge.text
            assert (await judge.get("/judge/list", params={"who": "nobody"})).status_code == 409
            for act in ("slip", "pair", "drop"):
                answer = await judge.post(f"/desk/{act}", at="/judge", slip="1 2-0", round="1", who="#1")
                assert answer.status_code == 403

    run(story())


def test_a_form_repeated_after_a_restart_enters_once(tmp_path):
    """The answer was lost; the second one shows the receipt."""
    folder = small_event(tmp_path, 8)

    async def story():
        async with opened(folder) as hall:
            desk = await hall.staff("organizer")
            await desk.get("/desk")
            word, key, cookies = once(desk), desk.key, dict(desk.client.cookies)
            extended = {"once": word, "at": "/desk", "table": "1", "minutes": "3"}
            assert (await desk.post("/desk/extend", **extended)).status_code == 303
            # this one was on its way when the server was killed: noted, and nothing entered
            sent = [("key", key), ("once", word), ("at", "/desk"), ("table", "2"), ("minutes", "4")]
            hall.room.devices.note_form(1, f"extend\n{urlencode(sent)}", hall.room.event.state.entry)
            await enter(desk, "late", name="Wim Sand")
        async with opened(folder) as hall:
            hall.room.staff_over_http = True
            desk, before = hall.phone(), extra_minutes(hall)
            desk.client.cookies.update(cookies)
            answer = await desk.post("/desk/extend", key=key, **extended)
            assert answer.status_code == 303, desk.text
            await desk.get("/desk")
            assert "table 1: 3 minutes more (entry 4)" in desk.text
            assert extra_minutes(hall) == before == {1: 3}
            for _ in range(2):
                answer = await desk.post("/desk/extend", key=key, **dict(sent[1:]))
                assert answer.status_code == 303
            assert extra_minutes(hall) == {1: 3, 2: 4}
            assert len(hall.room.event.state.players) == 9

    run(story())


def test_a_code_is_made_once_despite_a_restart(tmp_path):
    """Another code would void the first."""
    folder = small_event(tmp_path)

    async def story():
        async with opened(folder) as hall:
            desk = await hall.staff("scorekeeper")
            await desk.get("/desk/players")
            sent = {"key": desk.key, "once": once(desk), "at": "/desk/players", "who": "#1"}
            cookies = dict(desk.client.cookies)
            await desk.post("/desk/code", **sent)
            text = re.search(r"1-[0-9A-Z]{4}-[0-9A-Z]{4}", desk.text)[0]
        async with opened(folder) as hall:
            hall.room.staff_over_http = True
            desk = hall.phone()
            desk.client.cookies.update(cookies)
            assert (await desk.post("/desk/code", **sent)).status_code == 409
            phone = hall.phone()
            await phone.get("/join")
            assert (await phone.post("/join", code=text)).status_code == 303

    run(story())


async def published(hall):
    """Wait until pages and posts of the last change are out."""
    async with asyncio.timeout(120):
        while hall.room.event.publishing:
            await asyncio.sleep(0.01)


def test_a_pairing_at_the_desk_is_published_and_posted(tmp_path, server):
    """As by `round next`; a held round on release. A failure is on the page."""
    server.answers["/api/webhooks/1/TOPSECRET"] = lambda _: iter([head(status="204 No Content")])
    outbox = Outbox(tmp_path / "home")
    outbox.remember("friday", PostAddress(server.url("/api/webhooks/1/TOPSECRET"), insecure=True))
    folder = small_event(tmp_path, publish_to="site", post_to=("friday",))

    async def story():
        async with opened(folder) as hall:
            desk, event = await hall.staff("scorekeeper"), hall.room.event
            for table in (1, 2):
                await enter(desk, "slip", round="1", slip=f"{table} 2-0")
            assert not (tmp_path / "site").exists()
            await enter(desk, "pair", round="2", anyway="1", hold="1")
            await published(hall)
            assert not (tmp_path / "site" / "round-2.html").exists()
            assert [post.split(":")[0] for post in posts(server)] == ["Standings after round 1"]
            await enter(desk, "start", round="2")
            await published(hall)
            before = (tmp_path / "site" / "round-2.html").read_text(encoding="utf-8")
            assert posts(server)[1:] == ["Round 2: pairings"]
            await desk.get("/desk")
            assert "Published to the folder site" in desk.text
            assert "Posted to friday: pairings of round 2." in desk.text
            one, other = (f"#{table.seats[0]}" for table in event.state.round.tables.values())
            await enter(desk, "swap", round="2", who=one, other=other)
            await published(hall)
            assert (tmp_path / "site" / "round-2.html").read_text(encoding="utf-8") != before
            await enter(desk, "undo")
            await published(hall)
            assert text_of((tmp_path / "site" / "round-2.html").read_text(encoding="utf-8")) == text_of(
                before
            )
            await enter(desk, "cancel", round="2", reason="the wrong list of players")
            await published(hall)
            assert not (tmp_path / "site" / "round-2.html").exists()
            (tmp_path / "site" / "index.html").write_text("mine", encoding="utf-8")
            outbox.forget("friday")
            await enter(desk, "pair", round="2", anyway="1")
            await published(hall)
            await desk.get("/desk")
            assert "was incomplete" in desk.text
            assert "tourney publish" not in desk.text
            assert event.state.round.number == 2
            (tmp_path / "site" / "index.html").unlink()
            outbox.remember("friday", PostAddress(server.url("/api/webhooks/1/TOPSECRET"), insecure=True))
            await desk.post("/desk/publish", once=once(desk), at="/desk")
            await published(hall)
            await desk.get("/desk")
            assert "was incomplete" not in desk.text
            assert "Posted to friday" in desk.text

    run(story())


def posts(server):
    return [json.loads(request.body)["embeds"][0]["title"] for request in server.asked]


def test_publishing_delays_no_answer(tmp_path, monkeypatch):
    """The desk and results continue; publications follow one after the other."""
    let_go, begun, order = threading.Event(), threading.Event(), []

    def slowly(desk, receipt, **_):
        order.append(len(receipt.state.rounds))
        begun.set()
        assert let_go.wait(60)
        return replace(receipt, warnings=(*receipt.warnings, "the wall fell down"))

    monkeypatch.setattr(acts, "with_pages_and_posts", slowly)
    folder = small_event(tmp_path, publish_to="site")

    async def story():
        async with opened(folder) as hall:
            desk, event = await hall.staff("scorekeeper"), hall.room.event
            for number in (2, 3):
                for table in (1, 2):
                    await enter(desk, "slip", round=str(number - 1), slip=f"{table} 2-0")
                answer = await enter(desk, "pair", round=str(number), anyway="1")
                assert answer.status_code == 303
                assert "Publishing the pages" in desk.text
            await asyncio.to_thread(begun.wait, 20)
            await enter(desk, "slip", round="3", slip="1 2-0")
            assert event.state.round.tables[1].result is not None
            let_go.set()
            await published(hall)
            await desk.get("/desk")
            assert "The wall fell down" in desk.text
            assert order == [2, 3]

    run(story())


def test_less_common_actions_at_the_desk(tmp_path):
    """Renaming, cancelling, pairing by hand, forced pairs, keep-aparts, byes, undo and redo."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            desk, event = await hall.staff("scorekeeper"), hall.room.event
            await enter(desk, "rename", at="/desk/players", who="Mira", name="Myra Oake")
            assert event.state.players[1].name == "Myra Oake"
            renamed = event.state.entry
            answer = await enter(desk, "rename", at="/desk/players", who="#1", name="Bo Quill")
            assert answer.status_code == 409
            assert 'value="Bo Quill"' in desk.page
            await enter(desk, "cancel", round="1", reason="the wrong room")
            assert not event.state.rounds
            assert (await enter(desk, "cancel", round="1")).status_code == 409
            answer = await enter(desk, "pair-by-hand", round="1", tables="Myra - Nobody\nLena - Bo")
            assert answer.status_code == 409
            assert "Myra - Nobody" in desk.page
            assert "Line 1: there is no player Nobody ." in desk.text
            answer = await enter(
                desk, "pair-by-hand", round="1", anyway="1", tables="7: Myra - Lena\nBo bye\nTomo absent"
            )
            assert answer.status_code == 303, desk.text
            assert event.state.round.tables[7].seats == (1, 3)
            await enter(desk, "slip", round="1", slip="7 2-0")
            await enter(desk, "force", names="Bo, Tomo", table="5")
            await enter(desk, "forbid", names="Myra, Bo", soft="1", reason="one car")
            await enter(desk, "announce", at="/desk/players", who="Lena", round="2", kind="half-bye")
            await enter(desk, "pair", round="2", anyway="1")
            assert set(event.state.round.tables[5].seats) == {2, 4}
            assert event.state.round.byes[3].value == "half-bye"
            answer = await enter(desk, "take-back", at="/desk/log", entry="2")
            assert answer.status_code == 409
            await enter(desk, "take-back", at="/desk/log", entry=str(renamed))
            assert event.state.players[1].name == "Mira Oake"
            assert "undone" in desk.text
            await enter(desk, "put-back", at="/desk/log", entry=str(renamed))
            assert event.state.players[1].name == "Myra Oake"
            offered = re.findall(r'name="entry" value="(\d+)"', desk.page)
            assert str(renamed) in offered
            assert not {str(event.state.entry), str(event.state.entry - 1), "1"} & {*offered}

    run(story())


def test_the_organizer_closes_and_reopens_the_event(tmp_path):
    """Not during a round, and not a scorekeeper."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            desk, event = await hall.staff("organizer"), hall.room.event
            assert (await enter(desk, "close")).status_code == 409
            for table in (1, 2):
                await enter(desk, "slip", round="1", slip=f"{table} 2-0")
            kim = await hall.staff("scorekeeper", "Kim")
            assert (await enter(kim, "close")).status_code == 403
            await enter(desk, "close")
            assert event.state.closed
            await desk.get("/desk")
            assert 'action="/desk/drop"' not in desk.page
            await enter(desk, "reopen")
            assert not event.state.closed
            await enter(desk, "disqualify", at="/desk/players", who="#2", reason="stole a deck")
            assert event.state.players[2].disqualified is not None

    run(story())


def test_decks_at_the_desk_and_at_the_table(tmp_path):
    """A late list, an illegal one accepted anyway, and the comparison with a deck."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            desk, judge, event = (
                await hall.staff("scorekeeper"),
                await hall.staff("judge", "Jo"),
                hall.room.event,
            )
            at = "/judge/list"
            listed = "4 Invented Kite\n2 Invented Stone"
            answer = await enter(desk, "deck", at=at, who="#1", list=listed)
            assert answer.status_code == 409
            assert "unique-names" in desk.text
            assert event.state.players[1].deck is None
            assert "Invented Kite" in desk.page
            answer = await enter(desk, "deck", at=at, who="#1", list=listed, anyway="1")
            assert answer.status_code == 303, desk.text
            assert event.state.players[1].deck is not None
            assert "Mira Oake" in desk.text
            entries = event.state.entry
            text = "1 Invented Drum\n3 INVENTED KITE\n2 Invented Stone"
            await judge.get(f"{at}?who=1")
            await judge.post("/judge/compare", who="#1", list=text)
            assert "The deck differs from the list" in judge.text
            assert "1 added, 1 removed." in judge.text
            assert re.search(r"\+1</td><th scope=\"row\">Invented Drum", judge.page)
            assert event.state.entry == entries
            with open_desk(tmp_path) as beside:
                assert [difference.card for difference in compare_deck(beside, 1, text, source="x")] == [
                    "Invented Drum",
                    "Invented Kite",
                ]
            word = once(judge)
            answer = await judge.post(
                "/desk/audit", once=word, at=at, who="#1", list=text, found="in the box"
            )
            assert answer.status_code == 303, judge.text
            await judge.get(answer.headers["location"])
            assert "1 instead of 0 Invented Drum, 3 instead of 4 Invented Kite; in the box" in judge.text
            assert not [*event.state.audits.values()][-1].clean
            await judge.post("/judge/compare", who="#1", list="2 Invented Stone\n4 INVENTED KITE")
            assert "The deck matches the list" in judge.text
            await judge.post(
                "/desk/audit", once=once(judge), at=at, who="#1", list="2 Invented Stone\n4 INVENTED KITE"
            )
            assert [*event.state.audits.values()][-1].clean
            answer = await judge.post("/judge/compare", who="#2", list=text)
            assert answer.status_code == 409
            await enter(desk, "waive-deck", at="/desk/players", who="#2")
            assert event.state.players[2].waived

    run(story())


def test_a_penalty_is_upgraded(tmp_path):
    """The suggestion for a repetition is a form, without a command line."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            judge, event = await hall.staff("judge", "Jo"), hall.room.event
            for reason in ("asked", "asked again"):
                await enter(
                    judge, "penalize", at="/judge", who="#1", infraction="result error", reason=reason
                )
            assert "by the list of penalties it should be upgraded to" in judge.text
            assert "tourney penalty" not in judge.text
            penalty = event.state.penalties[-1]
            assert f'<option value="{penalty.entry}"' in judge.page
            await enter(judge, "upgrade", at="/judge", entry=str(penalty.entry), reason="twice")
            assert event.state.penalties[-1].was == ("caution",)
            assert f"caution → {event.state.penalties[-1].level}" in judge.text
            assert "asked again; twice" in judge.text
            assert (await enter(judge, "upgrade", at="/judge", entry="1")).status_code == 409

    run(story())


@pytest.mark.parametrize("role", [Role.JUDGE, Role.SCOREKEEPER, Role.ORGANIZER])
@pytest.mark.parametrize("why", ["read_only", "plain_http"])
def test_staff_who_cannot_enter_see_no_forms_and_why(tmp_path, role, why):
    """With --read-only, or over plain HTTP: everything can be read."""

    async def story():
        folder = small_event(tmp_path)
        with open_desk(folder) as desk:
            one, other = desk.state.round.tables[1].seats
            OwnSeat(desk, one).claim(Report(score="2-0"), round_number=1, table=1, seats=(one, other))
            OwnSeat(desk, one).call_judge(
                round_number=1, table=1, seats=(one, other), about="a card fell down"
            )
            submit_deck(desk, 1, "60 Ember Fox", source="list", anyway=True)
            desk.penalize(1, "warning")
            desk.draw_audit(1)
        async with opened(folder) as hall:
            browser = await hall.staff(role)
            hall.room.read_only, hall.room.staff_over_http = why == "read_only", why == "read_only"
            for path, page in staff.PAGES.items():
                if role in page.may:
                    assert (await browser.get(f"{path}?who=1")).status_code == 200
                    assert 'method="post"' not in browser.page, path
                    text = "read-only" if why == "read_only" else "unencrypted"
                    assert text in browser.text, path
            await browser.get("/judge/list?who=1")
            assert "60 Ember Fox" in browser.text
            hall.room.read_only, hall.room.staff_over_http = False, True
            await browser.get("/judge/list?who=1")
            assert 'method="post"' in browser.page

    run(story())


@pytest.mark.parametrize("role", [*Role])
def test_roles_may_do_what_the_table_says(tmp_path, role):
    """Other roles get an error; allowed ones reach the form's own checks."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            browser = {
                Role.SPECTATOR: hall.phone,
                Role.PLAYER: lambda: hall.player(2),
            }.get(role, lambda: hall.staff(role))()
            browser = browser if role is Role.SPECTATOR else await browser
            await browser.get("/join")
            key = browser.key
            for name, act in acts.ACTS.items():
                answer = await browser.post(f"/desk/{name}", key=key)
                assert (answer.status_code == 403) is (role not in act.may), name
            for path, page in staff.PAGES.items():
                answer = await browser.get(path)
                assert answer.status_code == (200 if role in page.may else 403), path

    run(story())


def leave_work_for_staff(desk):
    """Make work for staff at table 1: a report that is overdue, a call, a penalty, a draw."""
    seats = desk.state.round.tables[1].seats
    OwnSeat(desk, seats[0]).claim(Report(score="2-0"), round_number=1, table=1, seats=seats)
    OwnSeat(desk, seats[0]).call_judge(round_number=1, table=1, seats=seats)
    desk.penalize(seats[0], "warning")
    desk.draw_audit(1)
    later = desk.workplace.clock() + timedelta(minutes=5)
    desk.workplace = replace(desk.workplace, clock=lambda: later)


def test_every_form_has_an_act_and_every_act_a_form(tmp_path):
    """On the organizer's pages through an evening."""
    offered = set()

    async def seen(hall, desk):
        for path in staff.PAGES:
            await desk.get(f"{path}?who=1")
            page = desk.page.replace('method="get" action="/judge/list"', "")
            offered.update(re.findall(r'action="([^"]*)"', page))

    async def story():
        with new_desk(tmp_path, *NAMES[:4], rounds=3, best_of=3, claim_minutes=1, publish_to="site"):
            pass
        async with opened(tmp_path) as hall:
            desk, event = await hall.staff("organizer"), hall.room.event
            await seen(hall, desk)
            await event.write(lambda held: submit_deck(held, 1, "60 Ember Fox", source="list", anyway=True))
            await enter(desk, "pair", round="1", anyway="1", hold="1")
            await published(hall)
            await seen(hall, desk)
            await enter(desk, "release", round="1")
            await event.write(leave_work_for_staff)
            await hall.staff("judge", "Jo")
            await enter(desk, "drop", who=f"#{event.state.round.tables[2].seats[0]}")
            await seen(hall, desk)
            await event.write(
                lambda held: held.report_block(f"{table} 2-0" for table in held.state.round.tables)
            )
            await enter(desk, "take-back", at="/desk/log", entry=str(event.state.entry))
            await seen(hall, desk)
            await enter(desk, "put-back", at="/desk/log", entry=str(event.state.entry - 1))
            await seen(hall, desk)
            await enter(desk, "close")
            await seen(hall, desk)

    run(story())
    there = {route.path for route in all_routes() if route.form}
    assert offered <= there
    assert {route.path for route in staff.routes if route.form} <= offered


def test_the_readme_has_the_table_of_roles():
    """Its table has each act, and the roles that the code has."""
    table = {}
    for line in README.read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"\| (.+?) \| (yes|) ?\| (yes|) ?\| (yes|) ?\|", line):
            table[match[1]] = tuple(bool(group) for group in match.groups()[1:])
    roles = (Role.JUDGE, Role.SCOREKEEPER, Role.ORGANIZER)
    rights = {route.what: route.may for route in staff.routes if route.what}
    assert table == {what: tuple(role in may for role in roles) for what, may in rights.items()}


# -- translation


class Looked:
    """The untranslated lines of all pages, with the page of each."""

    def __init__(self):
        self.lines = {}

    def note(self, page, where):
        for pattern in RECORDED:
            page = re.sub(pattern, " ", page, flags=re.DOTALL)
        for line in untranslated(page):
            self.lines.setdefault(re.sub(r"`[^`]*`", " ", line), where)

    async def pages(self, browser, phase):
        for path in staff.PAGES:
            await browser.get(f"{path}?who=1")
            self.note(browser.page, f"{path}, {phase}")

    async def enter(self, browser, act, at="/desk", **fields):
        """Send a form, and check the page that follows."""
        await browser.get(f"{at}?who={fields['who']}" if at == "/judge/list" else at)
        answer = await browser.post(f"/desk/{act}", once=once(browser), at=at, **fields)
        if answer.status_code == 303:
            await browser.get(answer.headers["location"])
        self.note(browser.page, f"{act} {fields}")
        return answer


RECORDED = (
    r'<ul class="story">.*?</ul>',
    r'<div id="told".*?</div>',
    r'<form class="last".*?</form>',
)
"""The log, and what a form has just entered.

These are sentences about entries, which are English in every language.
"""

DATA = re.compile(
    r"Friday|Ember Fox|http://\S+|tardiness|absence|(deck or list|rules|result) "
    r"error|marked cards|extra cards seen"
    r"|slow play|outside help|(serious )?unsporting conduct|cheating|aggression|collusion"
    r"|caution|warning|(game|match) loss|disqualification|\bdeck\b",
)
"""Words that are data: names, addresses, and terms of the penalty list and the format."""

NOT_YET = {
    "titles of rounds": r"\bRound \d|\b(the )?final\b",
    "what comes next": r"is complete|no round is paired yet|.*tables still playing.*|.*is not paired yet.*",
    "refusals of the core": r"there is no player.*|.*cannot change seats.*|a table of this "
    r"event has \d seats.*|.*has the bye.*"
    r"|Write (a line|lines) such as  .*|is not a table\b.*",
    "what was published": r".*Published to the folder site: .*",
}
"""Sentences of the core that are not `Message`s yet, by kind. Take a row out when they are."""


def test_every_text_of_the_staff_pages_is_translated(tmp_path):
    """From registration to the end of a bracket, with reports, calls, deck checks and errors."""
    looked = Looked()

    async def story():
        async with opened(tmp_path) as hall:
            desk, judge, event = (
                await hall.staff("organizer"),
                await hall.staff("judge", "JO"),
                hall.room.event,
            )
            await looked.pages(desk, "before round 1")
            for act, fields in {
                "check-in": {"who": "1"},
                "drop": {"who": "NOBODY"},
                "rename": {"who": "1", "name": ""},
                "late": {"name": "PEX"},
                "announce": {"who": "2", "round": "2", "kind": "bye"},
                "pair": {"round": "1"},
                "release": {"round": "0"},
            }.items():
                await looked.enter(desk, act, **fields)
            await looked.enter(desk, "deck", at="/judge/list", who="1", list="60 Ember Fox", anyway="1")
            await looked.enter(desk, "pair", round="1", anyway="1", hold="1")
            await looked.pages(desk, "held")
            await looked.pages(judge, "held")
            await looked.enter(desk, "release", round="1")
            await event.write(leave_work_for_staff)
            await looked.pages(desk, "round 1")
            await looked.pages(judge, "round 1")
            for act, fields in {
                "slip": {"round": "1", "slip": "1"},
                "settle": {"claim": "1", "says": ""},
                "start": {"round": "3"},
                "extend": {"table": "1", "minutes": "5"},
                "swap": {"round": "1", "who": "1", "other": "1"},
                "move": {"round": "1", "table": "1", "to_table": "9"},
                "seat": {"round": "1", "table": "1", "names": "PAX"},
                "bye": {"round": "1", "who": "1", "kind": "bye"},
                "force": {"names": "PAX"},
                "forbid": {"names": "PAX, PBX"},
                "pair-by-hand": {"round": "2", "tables": "PAX"},
                "penalize": {"who": "1", "what": "warning"},
                "undo": {"last": "1"},
                "draw": {"tables": "1"},
                "audit": {"who": "1"},
                "cut": {"round": "1", "size": "4"},
                "close": {},
            }.items():
                await looked.enter(desk, act, **fields)
            await desk.post("/desk/code", once=once(desk), at="/desk/players", who="1")
            looked.note(desk.page, "a code")
            await hall.player(1)
            await desk.get("/desk/players")
            await desk.post("/desk/code", once=once(desk), at="/desk/players", who="1")
            looked.note(desk.page, "a code for a phone that joined")
            await desk.get("/desk/devices")
            await desk.post("/desk/turn-out", once=once(desk), at="/desk/devices", device="3")
            looked.note(desk.page, "a removed device")
            await desk.get("/judge/list?who=1")
            await desk.post("/judge/compare", once=once(desk), at="/judge/list", who="1", list="59 Ember Fox")
            looked.note(desk.page, "compared")
            await event.write(
                lambda held: held.report_block(
                    f"{number} 2-0" for number, table in held.state.round.tables.items() if not table.result
                )
            )
            await looked.pages(desk, "between rounds")
            await looked.enter(desk, "cut", round="1", size="2", lot="1")
            await looked.pages(desk, "the cut")
            await looked.enter(desk, "pair", round="2", anyway="1")
            await looked.pages(desk, "the final")
            await event.write(lambda held: held.report(next(iter(held.state.round.tables)), "2-0"))
            await looked.pages(desk, "after the final")
            await looked.enter(desk, "close")
            await looked.pages(desk, "the end")
            hall.room.read_only = True
            await looked.pages(desk, "read-only")
            hall.room.moved_from = "http://192.0.2.7:8017"
            hall.room.read_only = hall.room.staff_over_http = False
            await looked.pages(desk, "over plain HTTP")

    with new_desk(
        tmp_path, "PAX", "PBX", "PCX", "PDX", best_of=3, rounds=1, claim_minutes=1, publish_to="site"
    ):
        pass
    with pseudo_language():
        run(story())
    left, kinds = {}, dict.fromkeys(NOT_YET, 0)
    for line, where in looked.lines.items():
        rest = DATA.sub(" ", line)
        for kind, pattern in NOT_YET.items():
            rest, number = re.subn(f"(?i){pattern}", " ", rest)
            kinds[kind] += number
        if re.search("[a-z]{3,}", rest):
            left[line] = where
    assert not left, "\n".join(f"{line}   ({where})" for line, where in left.items())
    assert not [kind for kind, number in kinds.items() if not number], "these are translated: take them out"
