"""A player's phone: results of two players, judge calls, leaving, and the decklist."""

import asyncio
import re
import threading
import tomllib

import pytest

from tests.desk.kit import library, new_desk, open_desk
from tests.kit import ROOT
from tests.publish.pseudo import pseudo_language, untranslated
from tests.serve.kit import NAMES, opened, run, small_event
from tourney.desk import share_deck, submit_deck
from tourney.event.claims import MOST_ENTRIES
from tourney.event.rounds import Manner


def fields(phone, form):
    """Return the fields that the page's form with this `action` sends unchanged."""
    form_part = next(part for part in re.split(r"<form", phone.page)[1:] if f'action="{form}"' in part)
    form_part = form_part.split("</form>")[0]
    sent = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form_part):
        sent.setdefault(name, []).append(value)
    return {name: values for name, values in sent.items() if name != "key"}


async def report(phone, result="2-0", **more):
    """Open the form, choose a result, send it, and load the next page."""
    await phone.get("/report")
    return await send(phone, "/report", **{**fields(phone, "/report"), "result": result, **more})


async def send(phone, to, **sent):
    answer = await phone.post(to, **sent)
    if answer.status_code == 303:
        await phone.get(answer.headers["location"])
    return answer


async def confirm(phone):
    await phone.get("/me")
    return await send(phone, "/answer", **fields(phone, "/answer"), answer="yes")


async def dispute(phone, **more):
    await phone.get("/report")
    return await send(phone, "/answer", **{**fields(phone, "/answer"), **more})


def story_of(folder, tell):
    """Serve the event of a folder for a test of its phones."""

    async def story():
        async with opened(folder) as hall:
            await tell(hall)

    run(story())


def at_table(hall, number=1):
    return hall.room.event.state.round.tables[number]


def ops_of(folder):
    with open_desk(folder) as desk:
        return [type(entry.op).__name__ for entry in desk.entries]


def test_a_result_is_entered_after_a_confirmation(tmp_path):
    """Not before."""

    async def tell(hall):
        first, second = at_table(hall).seats
        one, two = await hall.player(first), await hall.player(second)
        assert "Report the result" in one.text
        await report(one, "2-1")
        assert "You reported at" in one.text
        assert at_table(hall).result is None
        await two.get("/me")
        assert "Is this right?" in two.text
        assert "lost 1–2" in two.text
        await confirm(two)
        assert at_table(hall).result is not None
        assert "has its result" in two.text
        assert "Report the result" not in two.text

    story_of(small_event(tmp_path), tell)
    with open_desk(tmp_path) as desk:
        result = desk.state.round.tables[1].result
        assert [seat.games for seat in result.seats] == [2, 1]


def test_the_reporter_gives_the_own_score_first(tmp_path):
    """A winner in the second seat reports 2–0."""

    async def tell(hall):
        first, second = at_table(hall).seats
        await report(await hall.player(second), "2-0")
        await confirm(await hall.player(first))
        assert [seat.games for seat in at_table(hall).result.seats] == [0, 2]

    story_of(small_event(tmp_path), tell)


def test_players_cannot_confirm_their_own_report(tmp_path):
    """Nor one of another table, with a forged form."""

    async def tell(hall):
        first, _ = at_table(hall).seats
        other = at_table(hall, 2).seats[0]
        one, stranger = await hall.player(first), await hall.player(other)
        await report(one)
        claim = hall.room.event.state.round.tables[1].claim.entry
        for phone in (one, stranger):
            answer = await send(phone, "/answer", claim=claim, answer="yes", once="byhand")
            assert answer.status_code == 409
        assert "your own report" not in stranger.text
        assert at_table(hall).result is None

    story_of(small_event(tmp_path), tell)


def test_a_dispute_with_a_version_is_for_the_desk(tmp_path):
    """The desk sees both versions, nothing is entered, and both phones say so."""

    async def tell(hall):
        first, second = at_table(hall).seats
        one, two = await hall.player(first), await hall.player(second)
        await report(one, "2-0")
        await two.get("/report")
        assert "Note for the desk (optional)" in two.text
        await two.get("/me")
        await dispute(two, result="2-1", reason="we played three")
        assert "The desk decides" in two.text
        await one.get("/me")
        assert "The desk decides" in one.text
        assert at_table(hall).result is None
        said = await hall.room.event.read(lambda desk: desk.claims())
        assert [version.result.split(" ", 2)[-1] for version in said[0].versions]
        assert len(said[0].versions) == 2
        assert said[0].versions[1].reason == "we played three"

    story_of(small_event(tmp_path), tell)


def test_a_dispute_without_a_version(tmp_path):
    """Only a no."""

    async def tell(hall):
        first, second = at_table(hall).seats
        await report(await hall.player(first), "2-0")
        two = await hall.player(second)
        await dispute(two, result="")
        assert "that's wrong" in two.text

    story_of(small_event(tmp_path), tell)


def test_a_report_can_be_replaced_until_it_is_answered(tmp_path):
    """A confirmed one cannot."""

    async def tell(hall):
        first, second = at_table(hall).seats
        one, two = await hall.player(first), await hall.player(second)
        await report(one, "2-0")
        assert "Correct my report" in one.text
        await report(one, "0-2")
        await one.get("/report")
        late = fields(one, "/report")
        await confirm(two)
        assert [seat.games for seat in at_table(hall).result.seats] == [0, 2]
        answer = await send(one, "/report", **{**late, "result": "2-1"})
        assert answer.status_code == 409
        assert "has its result" in one.text

    story_of(small_event(tmp_path), tell)


def test_a_form_sent_twice_is_entered_once(tmp_path):
    """A double tap or a lost answer; also calls, leaving and lists."""

    async def tell(hall):
        first, second = at_table(hall).seats
        one, two = await hall.player(first), await hall.player(second)
        await one.get("/report")
        sent = {**fields(one, "/report"), "result": "2-0"}
        answers = await asyncio.gather(*(one.post("/report", **sent) for _ in range(3)))
        assert [answer.status_code for answer in answers] == [303] * 3
        await two.get("/me")
        yes = {**fields(two, "/answer"), "answer": "yes"}
        key = two.key
        answers = await asyncio.gather(*(two.post("/answer", key=key, **yes) for _ in range(3)))
        assert [answer.status_code for answer in answers] == [303] * 3
        await one.get("/me")
        call, key = fields(one, "/call"), one.key
        await asyncio.gather(*(one.post("/call", key=key, **call) for _ in range(3)))
        leave = fields(one, "/leave")
        await asyncio.gather(*(one.post("/leave", key=key, **leave) for _ in range(3)))
        assert (await one.post("/report", key=key, **sent)).status_code == 303

    story_of(small_event(tmp_path), tell)
    entered = ops_of(tmp_path)
    for kind in ("ResultClaimed", "ResultConfirmed", "ResultReported", "JudgeCalled", "PlayerDropped"):
        assert entered.count(kind) == 1, kind


def test_a_form_of_an_outdated_pairing_is_refused(tmp_path):
    """The page shows the new table, and nothing is entered."""

    async def tell(hall):
        first, _ = at_table(hall).seats
        one = await hall.player(first)
        await one.get("/report")
        sent = {**fields(one, "/report"), "result": "2-0"}
        with open_desk(tmp_path) as desk:
            desk.cancel_round()
            desk.drop(at_table(hall).seats[1])
            desk.pair_round()
        answer = await send(one, "/report", **sent)
        assert answer.status_code == 409
        assert "You have no table in round 1: bye." in one.text
        assert 'action="/report"' not in one.page  # what stands now
        assert not hall.room.event.state.round.claims

    story_of(small_event(tmp_path), tell)


def test_an_invalid_report_is_refused_with_its_form(tmp_path):
    """No choice, an impossible score, hostile text: a message, and the typed values."""

    async def tell(hall):
        first, _ = at_table(hall).seats
        one = await hall.player(first)
        for sent, says in (
            ({"result": ""}, "Choose a result."),
            ({"result": "other", "won": "1"}, "Choose how many games each player won."),
            ({"result": "other", "won": "1", "lost": "0"}, "1–0 does not end a best of 3"),
            ({"result": "= ruling"}, "Only the desk enters no-shows and rulings"),
            ({"result": "dl"}, "Choose a result."),
            ({"result": "forfeit2"}, "Choose a result."),
            ({"result": "w ruling"}, "Only the desk enters no-shows and rulings"),
            ({"result": "<b>"}, "Choose a result."),
        ):
            answer = await report(one, **sent)
            assert answer.status_code == 409, sent
            assert says in one.text, (sent, one.text)
            assert "`tourney" not in one.text
            assert "`--" not in one.text
        answer = await report(one, "other", won="1", lost="0", ended="time")
        assert answer.status_code == 303
        assert "1–0" in one.text

    story_of(small_event(tmp_path), tell)


@pytest.mark.parametrize("number", ["-1", "x", "9" * 13, "", "٣"])
def test_invalid_numbers_in_a_form_are_refused(tmp_path, number):
    """Our pages do not send them."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/report")
        answer = await send(one, "/report", **{**fields(one, "/report"), "result": "2-0", "round": number})
        assert answer.status_code in {400, 413}

    story_of(small_event(tmp_path), tell)


def test_a_table_of_four_reports_places_and_all_confirm(tmp_path):
    """The own place is first."""
    with new_desk(tmp_path, *NAMES, seats=[4]) as desk:
        desk.pair_round()

    async def tell(hall):
        seats = at_table(hall).seats
        phones = [await hall.player(seat) for seat in seats]
        await report(phones[2], "places", place=["1", "2", "3", "3"], points=["9", "7", "4", "4"])
        assert phones[2].text.count("still have to confirm") == 1
        await confirm(phones[0])
        assert "You confirmed what" in phones[0].text
        await confirm(phones[1])
        assert at_table(hall).result is None
        await confirm(phones[3])
        result = at_table(hall).result
        assert [(seat.place, seat.score) for seat in result.seats] == [(2, 7), (3, 4), (1, 9), (3, 4)]

    story_of(tmp_path, tell)


def test_after_a_dispute_other_players_can_report_to_the_desk(tmp_path):
    """Nothing is entered."""
    with new_desk(tmp_path, *NAMES, seats=[4]) as desk:
        desk.pair_round()

    async def tell(hall):
        phones = [await hall.player(seat) for seat in at_table(hall).seats]
        await report(phones[0], "places", place=["1", "2", "3", "3"], points=["9", "7", "4", "4"])
        await dispute(phones[1], result="")
        await phones[0].get("/me")
        assert "The desk decides" in phones[0].text
        assert 'action="/answer"' not in phones[0].page
        await confirm(phones[2])
        assert "Agree with" in phones[2].text
        assert 'action="/answer"' not in phones[2].page, "it was said"
        await phones[3].get("/me")
        assert "is right" in phones[3].text
        answer = await dispute(
            phones[3], result="places", place=["1", "2", "3", "4"], points=["9", "7", "4", "1"]
        )
        assert answer.status_code == 303, phones[3].text
        (waiting,) = await hall.room.event.read(lambda desk: desk.claims())
        assert [bool(version.result) for version in waiting.versions] == [True, False, True]
        assert len(waiting.versions[0].agree) == 1
        assert at_table(hall).result is None

    story_of(tmp_path, tell)


def test_a_score_is_checked_by_the_game(tmp_path):
    """Points decide the winner; an impossible score is refused."""
    with new_desk(tmp_path, *NAMES[:4], format_name="diamonsters/standard", seats=[2]) as desk:
        scoring = desk.scoring()
        desk.pair_round()
    won, lost = scoring.example(2)

    async def tell(hall):
        first, second = at_table(hall).seats
        one = await hall.player(first)
        answer = await report(one, "score", points=["", "3"])
        assert "Enter the points of every player at the table." in one.text
        answer = await report(one, "l", points=[str(won), str(lost)])
        assert answer.status_code == 409
        assert f'value="{won}"' in one.page
        answer = await report(one, "score", points=[str(won), str(lost)])
        assert answer.status_code == 303, one.text
        await confirm(await hall.player(second))
        assert [seat.score for seat in at_table(hall).result.seats] == [won, lost]

    story_of(tmp_path, tell)


def _formats():
    return sorted(library().formats())


@pytest.mark.parametrize("format_name", _formats())
def test_every_choice_of_a_form_can_be_entered(tmp_path, format_name):
    """In each shipped format."""
    with new_desk(tmp_path, *NAMES, format_name=format_name) as desk:
        desk.pair_round()

    async def tell(hall):
        seats = at_table(hall).seats
        one = await hall.player(seats[0])
        await one.get("/report")
        offered = re.findall(r'name="result" value="([^"]+)"', one.page)
        assert len(offered) > 2, one.text
        for result in offered:
            if result in {"score", "other"}:
                continue
            places = [str(number) for number in range(1, len(seats) + 1)]
            answer = await report(one, result, place=places)
            assert answer.status_code == 303, (result, one.text)

    story_of(tmp_path, tell)


def test_an_event_with_results_at_the_desk_only(tmp_path):
    """The page says so; a forged form is refused."""

    async def tell(hall):
        one = await hall.player(1)
        assert "Report results at the desk." in one.text
        await one.get("/report")
        assert "<form" not in one.page.split("<main")[1]
        table = next(table for table in hall.room.event.state.round.tables.values() if 1 in table.seats)
        await one.get("/me")
        sent = {"round": "1", "table": table.number, "seat": [*map(str, table.seats)], "replaces": "0"}
        answer = await send(one, "/report", **sent, once="x", result="2-0")
        assert answer.status_code == 409
        assert "In this event, only the desk enters results." in one.text

    story_of(small_event(tmp_path, claims=False), tell)


def test_checking_in_calling_a_judge_and_leaving(tmp_path):
    """The player's page shows each."""
    with new_desk(tmp_path, *NAMES[:4]):
        pass

    async def tell(hall):
        one = await hall.player(1)
        await send(one, "/checkin", **fields(one, "/checkin"))
        assert "You are checked in." in one.text
        assert 'action="/checkin"' not in one.page
        assert hall.room.event.state.players[1].checked_in
        with open_desk(tmp_path) as desk:
            desk.check_in_all()
            desk.pair_round()
        await hall.settle()
        await one.get("/me")
        await send(one, "/call", **fields(one, "/call"), about="a marked card")
        assert "You called a judge at" in one.text
        calls = await hall.room.event.read(lambda desk: desk.calls())
        assert [(call.player, call.about) for call in calls] == [("Mira Oake", "a marked card")]
        await send(one, "/leave", **fields(one, "/leave"))
        assert "You leave after this round." in one.text
        assert hall.room.event.state.players[1].leaving
        assert "Report the result" in one.text

    story_of(tmp_path, tell)


def test_a_phone_shows_round_one_before_the_public_pages_do(tmp_path):
    """In a large event the pages take seconds; the player's page does not wait for them."""
    with new_desk(tmp_path, *NAMES[:2]):
        pass
    let_go = threading.Event()

    async def tell(hall):
        event = hall.room.event
        one = await hall.player(1)
        busy = asyncio.ensure_future(event._in(event._reader, let_go.wait, 20))
        event._pausing = True
        await event.write(lambda desk: desk.pair_round())
        assert (await one.get("/me")).status_code == 200
        assert not event.pages.event.rounds
        assert "Table 1 against Tomo Reed" in one.text
        let_go.set()
        await busy

    story_of(tmp_path, tell)


def test_the_home_page_leads_to_the_own_page(tmp_path):
    """Of a player or of staff. Others are asked for their name."""

    async def tell(hall):
        for phone, leads in (
            (hall.phone(), ""),
            (await hall.player(1), "/me"),
            (await hall.staff("judge"), "/judge"),
        ):
            await phone.get("/")
            assert ("Who are you?" in phone.text) is (not leads)
            assert bool(re.search(f'class="button first" href="{leads}"', phone.page)) is bool(leads)

    story_of(small_event(tmp_path), tell)


def test_the_address_of_a_refused_form_leads_to_the_own_page(tmp_path):
    """A reopened browser loads it."""

    async def tell(hall):
        for phone, leads in (
            (hall.phone(), "/"),
            (await hall.player(1), "/me"),
            (await hall.staff("judge"), "/judge"),
            (await hall.staff("organizer"), "/desk"),
        ):
            for path in ("/answer", "/call", "/desk/extend"):
                answer = await phone.get(path)
                assert (answer.status_code, answer.headers["location"]) == (303, leads)

    story_of(small_event(tmp_path), tell)


GOOD = "20 Ash Fox\n"


def test_a_decklist_from_a_phone(tmp_path):
    """Illegal: a verdict with line, card and rule. Otherwise it is registered once."""
    with new_desk(tmp_path, *NAMES[:4]):
        pass

    async def tell(hall):
        one = await hall.player(1)
        assert "Submit your decklist" in one.text
        await one.get("/deck")
        answer = await send(one, "/deck", list=GOOD)
        assert answer.status_code == 409
        assert "This list is illegal and was not registered." in one.text
        assert "Line 1 · Ash Fox: 20 copies, at most 1" in one.text
        assert "rule unique-names" in one.text
        assert "20 Ash Fox" in one.text
        assert hall.room.event.state.players[1].deck is None
        answer = await send(one, "/deck", list="")
        assert "The list is empty." in one.text

    story_of(tmp_path, tell)


def _legal(number):
    text = (ROOT / "tourney/games/red_diamond/standard.toml").read_text(encoding="utf-8")
    return [example["deck"] for example in tomllib.loads(text)["example"] if example.get("legal")][number]


@pytest.mark.parametrize(
    ("banlist", "verdict"),
    [(None, "legal, ban list not checked"), ("none", "legal"), ("red-diamond/example", "legal")],
)
def test_a_phone_says_that_the_ban_list_was_not_checked(tmp_path, banlist, verdict):
    """If the list is not installed, but not if the organizer plays without one."""
    with new_desk(tmp_path, *NAMES[:4], banlist=banlist):
        pass

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/deck")
        await send(one, "/deck", list="1 Ash Fox\n")
        assert f"Your list is registered: {verdict}." in one.text
        await one.get("/deck")
        assert re.search(f"Registered: {verdict}(?!,)", one.text)
        await one.get("/me")
        assert re.search(f">{verdict}</span>", one.page)

    story_of(tmp_path, tell)


def test_a_list_is_registered_once_and_can_be_replaced(tmp_path):
    """The player's page has the verdict each time."""
    with new_desk(tmp_path, *NAMES[:4]):
        pass
    first, second = _legal(0), _legal(0) + "\n# the same, and a remark"

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/deck")
        key = one.key
        answers = await asyncio.gather(*(one.post("/deck", key=key, list=first) for _ in range(3)))
        assert [answer.status_code for answer in answers] == [303] * 3
        await one.get("/deck")
        assert "is already registered" in one.text or "Your list is registered" in one.text
        assert first.splitlines()[0] in one.page
        await send(one, "/deck", list=second)
        assert "a remark" in one.page
        await one.get("/me")
        assert "My decklist" in one.text

    story_of(tmp_path, tell)
    assert [op for op in ops_of(tmp_path) if op.startswith("Deck")] == ["DeckSubmitted"] * 2


UNITS = "".join(f"4 Invented Unit {number} {{type=efreet, faction=neutral}}\n" for number in range(8))


def _declaring(faction):
    return (
        "General\n1 CPM General Koskof\nArsenal\n24 Basic Supply Drop\n"
        f"{UNITS}4 Zeph {{type=efreet, faction={faction}}}\n"
    )


def test_declared_facts_of_other_lists_are_not_shown(tmp_path):
    """Only the desk sees a contradiction, which would reveal another player's cards."""
    with new_desk(tmp_path, *NAMES[:4], format_name="redline/standard") as desk:
        submit_deck(desk, "Bo Quill", _declaring("CPM"), source="list")

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/deck")
        answer = await send(one, "/deck", list=_declaring("neutral"))
        assert answer.status_code == 303, one.text
        assert "unverified" in one.text
        assert "Bo Quill" not in one.page
        assert "CPM" not in one.text.replace("CPM General Koskof", "")

    story_of(tmp_path, tell)


def test_after_the_lock_a_list_is_only_shown(tmp_path):
    """Round 1 is paired: no form, and a forged one is refused."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/deck")
        assert "Decks have been locked since round 1 was paired" in one.text
        await one.get("/me")
        answer = await send(one, "/deck", list=GOOD)
        assert answer.status_code == 409
        assert "Decks have been locked since round 1 was paired." in one.text

    story_of(small_event(tmp_path), tell)


def test_a_table_page_has_no_form(tmp_path):
    """A slip's code shows the table to anyone; its players find a link to their page."""

    async def tell(hall):
        anybody = hall.phone()
        answer = await anybody.get("/table/1")
        assert answer.status_code == 200
        seats = at_table(hall).seats
        for seat in seats:
            assert hall.room.event.state.players[seat].name in anybody.text
        assert "<form" not in anybody.page
        for path in ("/table/9", "/table/0", "/table/" + "9" * 30):
            assert (await anybody.get(path)).status_code == 404
            assert "There is no table" in anybody.text
        one = await hall.player(seats[0])
        await one.get("/table/1")
        assert "This is my table" in one.text

    story_of(small_event(tmp_path), tell)


def test_a_table_page_shows_the_report_and_how_to_report(tmp_path):
    """Of a dispute, only that there is one."""

    async def tell(hall):
        anybody, state = hall.phone(), hall.room.event.state
        one, two = [await hall.player(seat) for seat in at_table(hall).seats]
        names = [state.players[seat].name for seat in at_table(hall).seats]
        await anybody.get("/table/1")
        assert "join with the personal code" in anybody.text
        assert 'href="/join"' in anybody.page
        other = await hall.player(at_table(hall, 2).seats[0])
        await other.get("/table/1")
        assert "Do you sit here" not in other.text
        await report(one, "2-1")
        await anybody.get("/table/1")
        assert f"{names[0]} reported at" in anybody.text
        assert f"Waiting for {names[1]}." in anybody.text
        assert re.search(r"page:\d", re.search(r"about=([^&]*)", anybody.page)[1]), "it is told of news"
        assert "<form" not in anybody.page
        await dispute(two, result="2-1", reason="He hid a card")
        await anybody.get("/table/1")
        assert "The players do not agree. The desk decides." in anybody.text
        assert "hid a card" not in anybody.page
        await hall.room.event.write(lambda desk: desk.report(1, "2-1"))
        await anybody.get("/table/1")
        assert "Do you sit here" not in anybody.text
        assert "2–1" in anybody.text
        await hall.room.event.write(lambda desk: desk.change(claims=False))
        await anybody.get("/table/2")
        assert "Report results at the desk." in anybody.text
        assert 'href="/join">' in anybody.page, "as on every page"
        assert "Do you sit here" not in anybody.text

    story_of(small_event(tmp_path), tell)


def test_a_printed_slip_opens_the_table(tmp_path):
    """Its code has the server's current address."""
    import segno

    async def tell(hall):
        anybody = hall.phone()
        for port in (8017, 8018):
            hall.room.names.host, hall.room.names.port = "friday.local", port
            answer = await hall.phone(f"http://friday.local:{port}").get("/sheets/slips.html")
            assert "sha256-" in answer.headers["content-security-policy"]
            drawn = [
                segno.make(
                    f"http://friday.local:{port}/table/{table}",
                    micro=False,
                    error="m",
                    boost_error=False,
                    mask=mask,
                )
                for table in (1, 2)
                for mask in range(8)
            ]
            there = [code.png_data_uri(border=2) in answer.text for code in drawn]
            assert [any(there[:8]), any(there[8:])] == [True, True]
        hall.room.names.port = 8017
        assert (await anybody.get("/table/1")).status_code == 200

    story_of(small_event(tmp_path, address="https://shop.example/friday"), tell)


def test_a_table_page_shows_the_agreed_layout(tmp_path):
    """The red line of a scenario, at that table only."""
    missions = "".join(f"1 Invented Mission {number} {{type=mission}}\n" for number in range(1, 6))
    with new_desk(tmp_path, *NAMES[:4], rounds=3, format_name="redline/scenario") as desk:
        desk.pair_round()
        share_deck(desk, "layout", missions, table=1, source="l", trust_declared=True)

    async def tell(hall):
        anybody = hall.phone()
        await anybody.get("/table/1")
        assert "Red line: Invented Mission 1, Invented Mission 2" in anybody.text
        await anybody.get("/table/2")
        assert "Invented Mission" not in anybody.text

    story_of(tmp_path, tell)


async def _all_that_a_player_is_told(hall, number):
    """Send every form of a player's phone; return all pages and answers without random parts."""
    one, told = await hall.player(number), []
    forms = {
        "/report": {"round": "1", "table": "1", "replaces": "0", "result": "2-0", "once": "r"},
        "/call": {"round": "1", "table": "1", "once": "c"},
        "/checkin": {},
        "/deck": {"list": "1 Ash Fox"},
        "/leave": {"round": str(len(hall.room.event.public.rounds))},
    }
    for path in ("/me", "/report", "/table/1", "/deck"):
        told.append((path, (await one.get(path)).status_code, one.text))
    for path, sent in forms.items():
        await one.get("/me")
        answer = await one.post(path, **sent)
        if answer.status_code == 303:
            await hall.settle()  # otherwise a page may still be the one before the change
            await one.get(answer.headers["location"])
        told.append((path, answer.status_code, one.text))
    return told


@pytest.mark.parametrize("played", [0, 1])
def test_a_held_round_is_invisible_to_players(tmp_path, played):
    """Pages and answers equal those of an event without the round."""
    told = []

    async def tell(hall):
        told.append(await _all_that_a_player_is_told(hall, 1))

    for held in (False, True):
        folder = tmp_path / str(held)
        folder.mkdir()
        with new_desk(folder, *NAMES[:4], best_of=3) as desk:
            for _ in range(played):
                desk.pair_round()
                for number in desk.state.round.tables:
                    desk.report(number, "2-0")
            if held:
                desk.pair_round(manner=Manner(hold_back=True))
        story_of(folder, tell)
    assert told[0] == told[1]
    assert told[0][-1][1:] == (303, told[1][-1][2])


def test_the_desk_sees_players_who_left_during_a_held_round(tmp_path):
    """A button pairs again without them; releasing the round warns."""
    with new_desk(tmp_path, *NAMES[:6], best_of=3) as desk:
        desk.pair_round(manner=Manner(hold_back=True))

    async def tell(hall):
        one, staff = await hall.player(1), await hall.staff("scorekeeper")
        await one.get("/me")
        await send(one, "/leave", **fields(one, "/leave"))
        await staff.get("/desk")
        assert f"Left after this round was paired: {NAMES[0]}." in staff.text
        await staff.post("/desk/release", round="1", once="a", at="/desk")
        await staff.get("/desk")
        assert f"{NAMES[0]} left while round 1 was held back" in staff.text
        await staff.post("/desk/repair", round="1", once="b", at="/desk")
        assert all(1 not in table.seats for table in hall.room.event.state.round.tables.values())

    story_of(tmp_path, tell)


def test_other_players_have_their_public_names(tmp_path):
    """An alias's real name is on no page, in no error and in no receipt."""
    with new_desk(tmp_path, *NAMES[:2], best_of=3) as desk:
        desk.pair_round()
        desk.change_player("Tomo Reed", alias="Comet")

    async def tell(hall):
        one, two = await hall.player(1), await hall.player(2)
        seen = [one.page]
        await report(one, "2-0")
        seen.append(one.page)
        await report(one, "ff2")
        seen.append(one.page)
        await one.get("/report")
        late = fields(one, "/report")
        seen.append(one.page)
        await dispute(two, result="")
        await send(one, "/report", **{**late, "result": "2-1"})
        seen.append(one.page)
        await one.get("/me")
        seen.append(one.page)
        assert not [page for page in seen if "Tomo" in page]
        assert all("Comet" in page for page in seen)

    story_of(tmp_path, tell)


def test_a_read_only_server_shows_no_form(tmp_path):
    """The player's page is there."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/me")
        hall.room.read_only = True
        await one.get("/me")
        assert "<form" not in one.page
        await one.get("/report")
        assert "<form" not in one.page

    story_of(small_event(tmp_path), tell)


async def _every_form(hall, phone):
    """Send each form of an older page, and return the answers."""
    said, key = [], phone.key
    for to, sent in (
        ("/report", {"result": "2-0", "replaces": "0"}),
        ("/answer", {"claim": "3", "answer": "yes"}),
        ("/answer", {"claim": "3", "answer": "no", "result": ""}),
        ("/call", {}),
        ("/leave", {}),
        ("/checkin", {}),
        ("/deck", {"list": "1 Ash Fox"}),
    ):
        shown = {"round": "1", "table": "1", "seat": ["1", "2"], "once": "aWord"}
        answer = await phone.post(to, key=key, **{**shown, **sent})
        said.append((to, answer.status_code, phone.text))
        if answer.status_code == 303:
            await phone.get(answer.headers["location"])
    return said


def test_forms_of_an_undone_round_are_refused(tmp_path):
    """The page shows the current state."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/report")
        with open_desk(tmp_path) as desk:
            desk.undo()
        for to, status, text in await _every_form(hall, one):
            assert status in {303, 409}, to
            if to == "/report":
                assert "There is no round to play yet." in text
        assert not hall.room.event.state.rounds

    story_of(small_event(tmp_path), tell)


def test_a_closed_event_refuses_all_forms(tmp_path):
    """The player's page has none."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/report")
        with open_desk(tmp_path) as desk:
            for table in desk.state.round.playing:
                desk.report(table, "2-0")
            desk.close()
        for to, status, _ in await _every_form(hall, one):
            assert status == 409, to
        assert "The event is closed." in one.text or "decks" in one.text.lower()
        await one.get("/me")
        assert "<form" not in one.page

    story_of(small_event(tmp_path), tell)


def test_forms_are_refused_while_the_file_is_missing(tmp_path):
    """Also without their page. Nothing is entered later."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/report")
        before = hall.room.event.state.entry
        (tmp_path / "friday.tourney").rename(tmp_path / "away")
        for to, status, text in await _every_form(hall, one):
            assert status == 409, to
            assert "was moved or deleted" in text, to
        (tmp_path / "away").rename(tmp_path / "friday.tourney")
        await hall.settle()
        assert hall.room.event.state.entry == before

    story_of(small_event(tmp_path), tell)


def test_a_player_cannot_fill_the_journal(tmp_path):
    """After many entries in a round, the desk must be asked. Lists count, too."""
    with new_desk(tmp_path, *NAMES[:4], format_name="redline/standard"):
        pass

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/deck")
        key = one.key
        for number in range(MOST_ENTRIES):
            answer = await one.post("/deck", key=key, list=f"{_declaring('CPM')}# {number}\n")
            assert answer.status_code == 303, (number, one.text)
        await one.post("/deck", key=key, list=_declaring("neutral"))
        assert "You have sent too many requests in this round." in one.text

    story_of(tmp_path, tell)


def test_a_right_to_left_name_does_not_reverse_a_score(tmp_path):
    """On both phones, in an error and on the table's page."""
    name = "\u05d3\u05d5\u05d3"
    with new_desk(tmp_path, "Mira Oake", name, best_of=3) as desk:
        desk.pair_round()

    async def tell(hall):
        one, two = await hall.player(1), await hall.player(2)
        await report(one, "2-1")
        await two.get("/me")
        alone = f"\u2068{name}\u2069"
        for phone in (one, two):
            assert re.search(f"{alone} \\d–\\d Mira|Mira Oake \\d–\\d {alone}", phone.page)
        await confirm(two)
        assert alone in two.page
        await two.get("/table/1")
        assert alone in two.page

    story_of(tmp_path, tell)


DATA = re.compile(
    r"Friday|victory points|^both players agree that neither wins$|^[0-9a-f]{6}$", re.IGNORECASE
)
"""The name of the event, words of its games, and the value of a lot."""

NOT_YET = (
    r"^table \d: (the|\d).*",
    "for the same order, write",
    "a result is",
    r"^(opponents' match-win %|lot)$",
)
"""Refusals of scores (`event/score`) and names of tie-breaks, which are not `Message`s yet.

Take a row out when they are.
"""


def test_every_text_of_a_phone_is_translated(tmp_path):
    """In the pseudo-language, errors included; exceptions are listed below."""
    seen = {}

    async def look(phone, what):
        for line in untranslated(phone.page):
            seen.setdefault(re.sub(r"`[^`]*`", " ", line), what)

    async def story():
        async with opened(tmp_path) as hall:
            event, anybody = hall.room.event, hall.phone()
            seats = at_table(hall).seats
            one, two, three, four = phones = [await hall.player(seat) for seat in seats]
            for path in ("/join", "/table/1", "/table/9", "/report", "/nowhere"):
                await anybody.get(path)
                await look(anybody, path)
            await anybody.get("/join")
            for code in ("1-K3QF-92XD", "nonsense"):
                await anybody.post("/join", code=code)
                await look(anybody, code)
            await one.get("/report")
            await look(one, "/report")
            form = fields(one, "/report")
            four_places = {"place": ["1", "2", "3", "4"], "points": ["9", "7", "4", "1"]}
            for wrong in (
                {"result": ""}, {"result": "places"}, {"result": "places", "place": ["1", "1", "4", "4"]},
                {"result": "= ruling"}, {"result": "places", **four_places, "points": ["9", "", "", ""]},
                {"result": "places", **four_places, "round": "7"},
                {"result": "places", **four_places, "table": "7"},
                {"result": "places", **four_places, "replaces": "3"}, {"result": "id", "once": "not a key!"},
            ):  # fmt: skip
                assert (await one.post("/report", **{**form, **wrong})).status_code == 409, wrong
                await look(one, wrong)
            await report(one, "places", **four_places)
            claim = fields(two, "/answer") if "/answer" in two.page else None
            for phone in phones:
                await phone.get("/me")
                await look(phone, "/me")
            claim = fields(two, "/answer")
            await one.post("/answer", **claim, answer="yes")
            await look(one, "the own claim")
            await two.post("/report", **{**form, "result": "id"})
            await look(two, "beside a claim")
            await confirm(two)
            await look(two, "confirmed")
            await two.get("/report")
            await look(two, "/report, confirmed")
            await anybody.get("/table/1")
            await look(anybody, "a claim")
            await dispute(three, result="", reason="nothing")
            for phone in (*phones, anybody):
                await phone.get("/table/1" if phone is anybody else "/me")
                await look(phone, "a dispute")
            await two.post("/answer", **{**claim, "claim": "1"}, answer="yes")
            await look(two, "no claim")
            call = await four.get("/me") and fields(four, "/call")
            await three.get("/me")
            await three.post("/call", **fields(three, "/call"), about="nothing")
            await three.get("/me")
            await look(three, "/call")
            await event.write(lambda desk: desk.report(1, "2,1,3,4", scores="7,9,4,1"))
            await four.post("/report", **{**form, "result": "id"})
            await look(four, "a result")
            await four.get("/me")
            await four.post("/call", **call, about="nothing")
            await look(four, "/call of a round that is over")
            await four.post("/checkin")
            await look(four, "/checkin")
            await four.get("/deck")
            await look(four, "/deck")
            await four.post("/deck", list="1 Nothing")
            await look(four, "a list")
            await four.get("/me")
            await send(four, "/leave", **fields(four, "/leave"))
            await look(four, "/leave")
            await hall.settle()
            await four.get("/me")
            await look(four, "the place after the round")
            await event.write(lambda desk: desk.change(claims=False))
            await one.post("/report", **{**form, "result": "id"})
            await look(one, "no claims")
            await event.write(lambda desk: desk.close())
            await one.post("/report", **{**form, "result": "id"})
            await look(one, "closed")
            (tmp_path / "friday.tourney").rename(tmp_path / "elsewhere")
            await one.post("/report", **{**form, "result": "id"})
            await look(one, "moved away")

    async def story_of_two():
        async with opened(other) as hall:
            one, two = [await hall.player(seat) for seat in at_table(hall).seats]
            (resting,) = hall.room.event.state.round.byes
            form = await one.get("/report") and fields(one, "/report")
            for won, lost in ("22", "10", "  ", "31"):
                await one.post("/report", **{**form, "result": "other", "won": won, "lost": lost})
                await look(one, f"{won}-{lost}")
            third = await hall.player(resting)
            await look(third, "a bye")
            await third.get("/report")
            await look(third, "a bye reports")
            await report(one, "1-1 time")
            await two.get("/me")
            await look(two, "drawn at time")
            code = hall.room.devices.new_code(resting)
            again = hall.phone()
            await hall.phone().join(code)
            await again.get("/join")
            await again.post("/join", code=code.text)
            await look(again, "a code that is used")

    with new_desk(tmp_path, "PAX", "PBX", "PCX", "PDX", seats=[4]) as desk:
        desk.pair_round()
    with pseudo_language():
        run(story())
    other = tmp_path / "two"
    other.mkdir()
    with new_desk(other, "PAX", "PBX", "PCX", best_of=3) as desk:
        desk.pair_round()
    with pseudo_language():
        run(story_of_two())
    left, used = {}, set()
    for line, what in seen.items():
        rest = DATA.sub(" ", line)
        for pattern in NOT_YET:
            rest, number = re.subn(f"(?i){pattern}", " ", rest)
            used |= {pattern} if number else set()
        if re.search("[a-z]{3,}", rest):
            left[line] = what
    assert not left, "\n".join(f"{line}   ({what})" for line, what in left.items())
    assert used == {*NOT_YET}, "the others are translated: take them out"
