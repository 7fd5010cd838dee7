"""A player's phone: what came of the own table from two sides, a judge, coming and leaving, the decklist."""

import asyncio
import re
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
    """What the page's form sends when nothing is typed, by its `action`; names that come several times as lists."""
    found = next(each for each in re.split(r"<form", phone.page)[1:] if f'action="{form}"' in each)
    found = found.split("</form>")[0]
    sent = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', found):
        sent.setdefault(name, []).append(value)
    return {name: values for name, values in sent.items() if name != "key"}


async def report(phone, result="2-0", **more):
    """Open the form, choose a result, send it, and see the page that follows."""
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
    """Serve the event of a folder, and tell the story of its phones."""

    async def story():
        async with opened(folder) as hall:
            await tell(hall)

    run(story())


def at_table(hall, number=1):
    return hall.room.event.state.round.tables[number]


def ops_of(folder):
    with open_desk(folder) as desk:
        return [type(each.op).__name__ for each in desk.entries]


def test_a_result_from_two_sides(tmp_path):
    """One reports, nothing is entered; the other says that it is right, and it is entered."""

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


def test_the_reporter_tells_the_own_score_first(tmp_path):
    """Who sits second and won says 2–0, and it is theirs."""

    async def tell(hall):
        first, second = at_table(hall).seats
        await report(await hall.player(second), "2-0")
        await confirm(await hall.player(first))
        assert [seat.games for seat in at_table(hall).result.seats] == [0, 2]

    story_of(small_event(tmp_path), tell)


def test_nobody_confirms_the_own_report(tmp_path):
    """A form made by hand does not help; nor does it from another table."""

    async def tell(hall):
        first, _ = at_table(hall).seats
        other = at_table(hall, 2).seats[0]
        one, stranger = await hall.player(first), await hall.player(other)
        await report(one)
        claim = hall.room.event.state.round.claims[1].entry
        for phone in (one, stranger):
            answer = await send(phone, "/answer", claim=claim, answer="yes", once="byhand")
            assert answer.status_code == 409
        assert "your own report" not in stranger.text
        assert at_table(hall).result is None

    story_of(small_event(tmp_path), tell)


def test_a_dispute_with_an_own_version_is_the_desks(tmp_path):
    """Both versions stand at the desk, nothing is entered, and both phones say so."""

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
        assert [each.text.split(" ", 2)[-1] for each in said[0].versions]
        assert len(said[0].versions) == 2
        assert said[0].versions[1].reason == "we played three"

    story_of(small_event(tmp_path), tell)


def test_a_dispute_without_a_version(tmp_path):
    """Only that that's wrong."""

    async def tell(hall):
        first, second = at_table(hall).seats
        await report(await hall.player(first), "2-0")
        two = await hall.player(second)
        await dispute(two, result="")
        assert "that's wrong" in two.text

    story_of(small_event(tmp_path), tell)


def test_the_own_report_can_be_replaced_until_it_is_answered(tmp_path):
    """A slip of the thumb is put right; what was confirmed is not."""

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


def test_a_form_that_is_sent_twice_is_entered_once(tmp_path):
    """A double tap, at once and one after the other; a lost answer; also of calls, of leaving and of a list."""

    async def tell(hall):
        first, second = at_table(hall).seats
        one, two = await hall.player(first), await hall.player(second)
        await one.get("/report")
        sent = {**fields(one, "/report"), "result": "2-0"}
        answers = await asyncio.gather(*(one.post("/report", **sent) for _ in range(3)))
        assert [each.status_code for each in answers] == [303] * 3
        await two.get("/me")
        yes = {**fields(two, "/answer"), "answer": "yes"}
        key = two.key
        answers = await asyncio.gather(*(two.post("/answer", key=key, **yes) for _ in range(3)))
        assert [each.status_code for each in answers] == [303] * 3
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


def test_a_form_over_which_the_round_was_paired_anew_is_refused_with_what_stands(tmp_path):
    """The table is another one now; the page says who sits there, and nothing is entered."""

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


def test_what_cannot_be_is_refused_with_the_form_as_it_was_filled_in(tmp_path):
    """No choice, a score that ends no match, games without an end, hostile words: a sentence, and what was typed."""

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
def test_numbers_of_a_form_that_are_none(tmp_path, number):
    """They come from no page of ours."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/report")
        answer = await send(one, "/report", **{**fields(one, "/report"), "result": "2-0", "round": number})
        assert answer.status_code in {400, 413}

    story_of(small_event(tmp_path), tell)


def test_a_table_of_four_says_places_and_all_confirm(tmp_path):
    """Everybody's place, the own first; each of the others has to confirm it."""
    with new_desk(tmp_path, *NAMES, seats=[4]) as desk:
        desk.pair_round()

    async def tell(hall):
        seats = at_table(hall).seats
        phones = [await hall.player(each) for each in seats]
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


def test_after_a_dispute_the_others_at_the_table_say_how_it_was(tmp_path):
    """One agrees with the report, one has a version of their own; the desk gets all, and nothing is entered."""
    with new_desk(tmp_path, *NAMES, seats=[4]) as desk:
        desk.pair_round()

    async def tell(hall):
        phones = [await hall.player(each) for each in at_table(hall).seats]
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
        assert [bool(each.text) for each in waiting.versions] == [True, False, True]
        assert len(waiting.versions[0].agree) == 1
        assert at_table(hall).result is None

    story_of(tmp_path, tell)


def test_a_score_is_held_against_the_game(tmp_path):
    """Victory points decide the winner; an impossible score is refused, and the page shows how the game ended."""
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
def test_every_game_has_a_form_whose_choices_can_be_entered(tmp_path, format_name):
    """Of each shipped format: what is offered to be tapped, the desk takes."""
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
            places = [str(each) for each in range(1, len(seats) + 1)]
            answer = await report(one, result, place=places)
            assert answer.status_code == 303, (result, one.text)

    story_of(tmp_path, tell)


def test_an_event_that_takes_results_at_the_desk(tmp_path):
    """The page says so; a form made by hand is refused."""

    async def tell(hall):
        one = await hall.player(1)
        assert "Report results at the desk." in one.text
        await one.get("/report")
        assert "<form" not in one.page.split("<main")[1]
        table = next(each for each in hall.room.event.state.round.tables.values() if 1 in each.seats)
        await one.get("/me")
        sent = {"round": "1", "table": table.number, "seat": [*map(str, table.seats)], "replaces": "0"}
        answer = await send(one, "/report", **sent, once="x", result="2-0")
        assert answer.status_code == 409
        assert "This event takes results at the desk." in one.text

    story_of(small_event(tmp_path, claims=False), tell)


def test_checking_in_calling_a_judge_and_leaving(tmp_path):
    """Each is said on the own page when it is done."""
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
        assert [(each.name, each.about) for each in calls] == [("Mira Oake", "a marked card")]
        await send(one, "/leave", **fields(one, "/leave"))
        assert "You leave after this round." in one.text
        assert hall.room.event.state.players[1].leaving
        assert "Report the result" in one.text

    story_of(tmp_path, tell)


def test_who_has_joined_is_not_asked_for_the_name(tmp_path):
    """The home page leads a player to the own page, staff to theirs, and asks everybody else who they are."""

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


def test_where_a_form_was_refused_there_is_a_page_to_come_back_to(tmp_path):
    """A browser that is opened again, or has news of the refused page, asks for the form's address: it leads to the own page."""

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
    """Illegal: the verdict at once with line, card and rule, the text stays; legal or unverified: registered, once."""
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
    return [each["deck"] for each in tomllib.loads(text)["example"] if each.get("legal")][number]


@pytest.mark.parametrize(
    ("banlist", "verdict"),
    [(None, "legal, ban list not checked"), ("none", "legal"), ("red-diamond/example", "legal")],
)
def test_a_phone_says_where_the_ban_list_was_not_checked(tmp_path, banlist, verdict):
    """Of a list that is not installed; an organizer who plays without one has left nothing unchecked."""
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


def test_a_list_that_is_taken_is_registered_once_and_can_be_replaced(tmp_path):
    """Sent twice it is one entry; another one takes its place; each time the own page has the verdict."""
    with new_desk(tmp_path, *NAMES[:4]):
        pass
    first, second = _legal(0), _legal(0) + "\n# the same, and a remark"

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/deck")
        key = one.key
        answers = await asyncio.gather(*(one.post("/deck", key=key, list=first) for _ in range(3)))
        assert [each.status_code for each in answers] == [303] * 3
        await one.get("/deck")
        assert "is already registered" in one.text or "Your list is registered" in one.text
        assert first.splitlines()[0] in one.page
        await send(one, "/deck", list=second)
        assert "a remark" in one.page
        await one.get("/me")
        assert "My decklist" in one.text

    story_of(tmp_path, tell)
    assert [each for each in ops_of(tmp_path) if each.startswith("Deck")] == ["DeckSubmitted"] * 2


UNITS = "".join(f"4 Invented Unit {number} {{type=efreet, faction=neutral}}\n" for number in range(8))


def _declaring(faction):
    return f"General\n1 CPM General Koskof\nArsenal\n24 Basic Supply Drop\n{UNITS}4 Zeph {{type=efreet, faction={faction}}}\n"


def test_what_another_list_declares_is_not_told(tmp_path):
    """Where two lists say different things of a card, the desk is told; a player would learn what the other one plays."""
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


def test_after_the_lock_the_list_is_only_shown(tmp_path):
    """Round 1 is paired: no form, and one made by hand is refused."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/deck")
        assert "Decks are locked since round 1 was paired" in one.text
        await one.get("/me")
        answer = await send(one, "/deck", list=GOOD)
        assert answer.status_code == 409
        assert "Decks are locked since round 1 was paired." in one.text

    story_of(small_event(tmp_path), tell)


def test_a_table_page_gives_no_right(tmp_path):
    """What a slip's code opens: who sits there, for anybody; no form; who sits there finds the own page."""

    async def tell(hall):
        anybody = hall.phone()
        answer = await anybody.get("/table/1")
        assert answer.status_code == 200
        seats = at_table(hall).seats
        for each in seats:
            assert hall.room.event.state.players[each].name in anybody.text
        assert "<form" not in anybody.page
        for path in ("/table/9", "/table/0", "/table/" + "9" * 30):
            assert (await anybody.get(path)).status_code == 404
            assert "There is no table" in anybody.text
        one = await hall.player(seats[0])
        await one.get("/table/1")
        assert "This is my table" in one.text

    story_of(small_event(tmp_path), tell)


def test_a_table_page_says_what_was_reported_and_how_to_report(tmp_path):
    """To anybody: what stands of the table, and how one reports from the own phone; of a dispute no more than that there is one."""

    async def tell(hall):
        anybody, state = hall.phone(), hall.room.event.state
        one, two = [await hall.player(each) for each in at_table(hall).seats]
        names = [state.players[each].name for each in at_table(hall).seats]
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


def test_a_slip_that_is_printed_here_opens_the_table(tmp_path):
    """The code of each slip is the table's page of this server, where it has the address it has now."""
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
            there = [each.png_data_uri(border=2) in answer.text for each in drawn]
            assert [any(there[:8]), any(there[8:])] == [True, True]
        hall.room.names.port = 8017
        assert (await anybody.get("/table/1")).status_code == 200

    story_of(small_event(tmp_path, address="https://shop.example/friday"), tell)


def test_a_table_page_says_what_its_players_agreed_upon(tmp_path):
    """The red line of a scenario, at that table alone."""
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
    """Send every form of a player's phone, and return the pages and answers without what differs by chance."""
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
            await one.get(answer.headers["location"])
        told.append((path, answer.status_code, one.text))
    return told


@pytest.mark.parametrize("played", [0, 1])
def test_nothing_tells_a_player_of_a_held_round(tmp_path, played):
    """Pages, and the answer to each form, are those of an event in which the round was not paired yet."""
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
                desk.pair_round(manner=Manner(held=True))
        story_of(folder, tell)
    assert told[0] == told[1]
    assert told[0][-1][1:] == (303, told[1][-1][2])


def test_the_desk_sees_who_left_while_a_round_was_held_back(tmp_path):
    """It pairs the round again without them by a button, and showing it to everybody warns."""
    with new_desk(tmp_path, *NAMES[:6], best_of=3) as desk:
        desk.pair_round(manner=Manner(held=True))

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
        assert all(1 not in each.seats for each in hall.room.event.state.round.tables.values())

    story_of(tmp_path, tell)


def test_the_others_are_called_as_pages_call_them(tmp_path):
    """An alias's real name is on no page of another player, in no refusal and in no word of what was done."""
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


def test_a_room_that_is_only_read_shows_no_form(tmp_path):
    """The own page is there, without anything to send."""

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
    """Send each form of a page that was opened before, and see what is said."""
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


def test_an_undo_under_an_open_form(tmp_path):
    """The round is gone: whatever is sent over it is answered in a sentence, and the page shows what stands."""

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


def test_an_event_that_was_closed_takes_nothing(tmp_path):
    """Every form is refused in a sentence; the own page is there, without any."""

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


def test_a_file_that_was_moved_away_under_an_open_form(tmp_path):
    """A sentence, also without the page it came from; nothing was entered when the file is back."""

    async def tell(hall):
        one = await hall.player(1)
        await one.get("/report")
        before = hall.room.event.state.entry
        (tmp_path / "friday.tourney").rename(tmp_path / "away")
        for to, status, text in await _every_form(hall, one):
            assert status == 409, to
            assert "is not where it was" in text, to
        (tmp_path / "away").rename(tmp_path / "friday.tourney")
        await hall.settle()
        assert hall.room.event.state.entry == before

    story_of(small_event(tmp_path), tell)


def test_a_player_cannot_fill_the_journal(tmp_path):
    """After so many entries in a round the desk is to be asked; lists count, too."""
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


def test_a_name_from_right_to_left_turns_no_score_around(tmp_path):
    """It keeps to itself, on both phones, in a refusal and on the table's page."""
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


DATA = re.compile("Friday|victory points|^both agree that nobody wins$", re.IGNORECASE)
"""The name of the event, and words of its games."""

NOT_YET = (r"^table \d: (the|\d).*", "has the same order", "would; the third number counts drawn games")
"""Refusals of scores (`event/score`), which are not `Message`s yet. Take a row out when they are."""


def test_every_text_of_a_seat_is_translated(tmp_path):
    """In the pseudo-language, also why something was refused; the kinds of sentences that are not yet are listed below."""
    seen = {}

    async def look(phone, what):
        for line in untranslated(phone.page):
            seen.setdefault(re.sub(r"`[^`]*`", " ", line), what)

    async def story():
        async with opened(tmp_path) as hall:
            event, anybody = hall.room.event, hall.phone()
            seats = at_table(hall).seats
            one, two, three, four = phones = [await hall.player(each) for each in seats]
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
                {"result": "places", **four_places, "round": "7"}, {"result": "places", **four_places, "table": "7"},
                {"result": "places", **four_places, "replaces": "3"}, {"result": "id", "once": "not a key!"},
            ):  # fmt: skip
                assert (await one.post("/report", **{**form, **wrong})).status_code == 409, wrong
                await look(one, wrong)
            await report(one, "places", **four_places)
            claim = fields(two, "/answer") if "/answer" in two.page else None
            for each in phones:
                await each.get("/me")
                await look(each, "/me")
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
            for each in (*phones, anybody):
                await each.get("/table/1" if each is anybody else "/me")
                await look(each, "a dispute")
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
            one, two = [await hall.player(each) for each in at_table(hall).seats]
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
