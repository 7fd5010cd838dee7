"""What players need for the cut, on phones: for whom, and without waiting."""

import asyncio
import os
import signal

import pytest
from msgspec.structs import replace

from tests.axe import faults_of
from tests.desk.kit import new_desk, open_desk, play
from tests.kit import amount
from tests.serve.kit import NAMES, opened, run
from tests.serve.served import served
from tests.serve.test_in_a_browser import join, phone
from tourney.desk.forecasting import answer, ask
from tourney.event.view import NeedsView
from tourney.serve.forecasts import ForecastProcess
from tourney.serve.news import NEEDS, about_player, on_page

AT_USUAL_PRIORITY = """\
from tourney.__main__ import main
from tourney.serve import forecasts

forecasts.NICENESS = 0
main()
"""
"""The program, with forecasts that do not wait for all other tests."""


class KeptProcess(ForecastProcess):
    """Asks the process of the test before, which took a second to start.

    Most tests begin with the same event. An answer to the same question is not calculated again.
    """

    kept = None
    answers = ()

    def __init__(self):
        super().__init__()
        self._working = KeptProcess.kept

    async def answer(self, question):
        for earlier, view in self.answers:
            if earlier == question:
                return view
        view = await super().answer(question)
        if not view.unsaid:
            KeptProcess.answers += ((question, view),)
        return view

    async def stop(self):
        KeptProcess.kept = self._working
        self._thread.shutdown()


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    """Calculate in one process, at the usual priority: at the lowest, it waits for all other tests."""
    monkeypatch.setattr("tourney.serve.forecasts.NICENESS", 0)
    monkeypatch.setattr("tourney.serve.live.ForecastProcess", KeptProcess)


def last_round(folder, **settings):
    """Make an event of eight players in the last of three rounds; two have won both."""
    names = [f"{name} Featherstonehaugh-Cholmondeley" for name in NAMES]
    with new_desk(folder, *names, rounds=3, planned_cut=2, **settings) as desk:
        play(desk)
        play(desk)
        desk.pair_round()
    return folder


async def wait_for_needs(hall, tables=None):
    """Wait until the pages show the forecast of the current state."""
    event = hall.room.event
    await hall.settle()
    async with asyncio.timeout(120):
        while (
            event.pages.needs is None
            or event.pages.needs.unsaid
            or event.pages.question != event._forecast[0]
        ):
            await asyncio.sleep(0.01)


def test_needs_are_off_by_default(tmp_path, monkeypatch):
    """Nothing is calculated or shown, and no process is started."""
    monkeypatch.setattr("tourney.serve.live.ForecastProcess", ForecastProcess)

    async def go():
        async with opened(last_round(tmp_path)) as hall:
            phone = await hall.player(1)
            await phone.get("/me")
            assert "What you need" not in phone.text
            assert (await phone.get("/needs.html")).status_code == 404
            await phone.get("/")
            assert "What you need" not in phone.text
            assert hall.room.event._forecasts._working is None
            assert hall.room.event.pages.question is None

    run(go())


def test_own_needs_are_only_on_the_players_phone(tmp_path):
    """The two players of a table see both; other pages show nothing."""

    async def go():
        async with opened(last_round(tmp_path, forecast="own")) as hall:
            event = hall.room.event
            await wait_for_needs(hall)
            table = event.state.rounds[-1].tables[1]
            for own, other in (table.seats, table.seats[::-1]):
                phone = await hall.player(own)
                await phone.get("/me")
                assert "What you need" in phone.text
                assert "A draw is enough for both players." in phone.text
                section = phone.page.partition('<section class="needs"')[2].partition("</section>")[0]
                assert event.state.players[other].name in section
                assert not any(
                    player.name in section
                    for player in event.state.players.values()
                    if player.id not in table.seats
                )
                assert "needs.html" not in phone.page
            spectator = hall.phone()
            for path in ("/", f"/player/{own}.html", "/standings.html", "/screen", "/event.json"):
                answered = await spectator.get(path)
                assert answered.status_code == 200
                assert "What you need" not in answered.text
                assert "A draw suits" not in answered.text
            assert (await spectator.get("/needs.html")).status_code == 404

    run(go())


def test_the_page_of_a_table_shows_needs_to_its_players(tmp_path):
    """With `all` it shows them to everyone."""

    async def go(forecast, folder):
        folder.mkdir()
        async with opened(last_round(folder, forecast=forecast)) as hall:
            if forecast != "closed":
                await wait_for_needs(hall)
            seats = hall.room.event.state.rounds[-1].tables[1].seats
            stranger = hall.room.event.state.rounds[-1].tables[3].seats[0]
            askers = [*[await hall.player(seat) for seat in (*seats, stranger)], hall.phone()]
            seen = []
            for phone in askers:
                await phone.get("/table/1")
                seen.append("A draw is enough for both players." in phone.text)
                assert ("Win Draw Loss" in phone.text) == seen[-1]
            assert (
                seen
                == {"closed": [False] * 4, "own": [True, True, False, False], "all": [True] * 4}[forecast]
            )
            if forecast == "own":
                with open_desk(folder) as desk:
                    desk.report(1, "=")
                await hall.settle()
                await askers[0].get("/table/1")
                assert "A draw suits" not in askers[0].text

    for forecast in ("closed", "own", "all"):
        run(go(forecast, tmp_path / forecast))


def test_the_page_of_a_table_does_not_show_needs_of_another_round(tmp_path):
    """Before a new forecast, the table has other players."""

    async def go():
        async with opened(last_round(tmp_path, forecast="all")) as hall:
            await wait_for_needs(hall)
            pages = hall.room.event.pages
            seats = hall.room.event.state.rounds[-1].tables[1].seats
            rows = tuple(
                replace(row, table={1: 3, 3: 1}.get(row.table, row.table)) for row in pages.event.needs.rows
            )
            hall.room.event.pages = pages.with_needs(replace(pages.event.needs, rows=rows))
            phone = await hall.player(seats[0])
            await phone.get("/table/1")
            assert "Win Draw Loss" not in phone.text
            await phone.get("/table/2")
            assert "Win Draw Loss" in phone.text

    run(go())


@pytest.mark.slow
def test_all_needs_are_on_a_public_page(tmp_path):
    """In the navigation, equal to those of the desk."""

    async def go():
        async with opened(last_round(tmp_path, forecast="all")) as hall:
            await wait_for_needs(hall)
            with open_desk(tmp_path) as desk:
                assert hall.room.event.pages.needs == answer(ask(desk))
            spectator = hall.phone()
            await spectator.get("/")
            assert 'href="needs.html"' in spectator.page
            await spectator.get("/needs.html")
            assert "For the top 2" in spectator.text
            assert "At 1 table a draw puts both players in" in spectator.text
            await spectator.get("/player/1.html")
            assert "What every player needs" in spectator.text
            assert '"cut":2' in (await spectator.get("/event.json")).text.replace(" ", "")

    run(go())


def test_no_page_waits_for_a_forecast(tmp_path):
    """Pages say that it is being calculated; a result starts a new one."""

    async def go():
        async with opened(last_round(tmp_path, forecast="all")) as hall:
            event = hall.room.event
            go_on = asyncio.Event()
            told = event._forecasts.answer

            async def later(question):
                await go_on.wait()
                return await told(question)

            event._forecasts.answer = later
            event._forecast = None
            phone = await hall.player(event.state.rounds[-1].tables[1].seats[0])
            with open_desk(tmp_path) as desk:
                desk.report(4, "w")
                desk.change(planned_cut=3)
            await hall.settle()
            await asyncio.wait_for(phone.get("/me"), 5)
            assert "Still calculating" in phone.text
            await asyncio.wait_for(phone.get("/needs.html"), 5)
            assert "Still calculating" in phone.text
            heard = []
            event.on_news = lambda topics, _: heard.append(topics)
            go_on.set()
            await wait_for_needs(hall)
            topics = frozenset().union(*heard)
            assert {NEEDS, about_player(1), on_page(1)} <= topics
            await phone.get("/needs.html")
            assert "For the top 3" in phone.text

    run(go())


def test_earlier_verdicts_are_shown_during_a_calculation(tmp_path):
    """With their time."""

    async def go():
        async with opened(last_round(tmp_path, forecast="all")) as hall:
            event = hall.room.event
            await wait_for_needs(hall)
            before = event.pages.needs

            async def never(question):
                await asyncio.Event().wait()

            told, event._forecasts.answer = event._forecasts.answer, never
            with open_desk(tmp_path) as desk:
                desk.report(4, "w")
            await hall.settle()
            assert event.pages.needs == before
            assert event.pages.event.needs == before
            with open_desk(tmp_path) as desk:
                desk.drop("#8")
            await hall.settle()
            assert event.pages.needs.unsaid == "pending"
            event._forecasts.answer = told

    run(go())


def test_earlier_verdicts_stay_if_a_calculation_takes_too_long(tmp_path):
    """With their time, and the calculation is not repeated."""

    async def go():
        async with opened(last_round(tmp_path, forecast="all")) as hall:
            event = hall.room.event
            await wait_for_needs(hall)
            before, asked_for = event.pages.needs, []

            async def late(question):
                asked_for.append(question)
                return NeedsView(cut=question.question.cut, at=question.at, unsaid="late")

            event._forecasts.answer = late
            with open_desk(tmp_path) as desk:
                desk.report(4, "w")
            await wait_for_needs(hall)
            assert event.pages.needs == before
            assert len(asked_for) == 1
            with open_desk(tmp_path) as desk:
                desk.drop("#8")
            await hall.settle()
            async with asyncio.timeout(120):
                while event.pages.needs.unsaid != "late":
                    await asyncio.sleep(0.01)

    run(go())


def test_only_affected_pages_are_loaded_again(tmp_path):
    """A phone gets no news about a result that changes nothing for its player."""

    async def go():
        async with opened(last_round(tmp_path, forecast="own")) as hall:
            event = hall.room.event
            await wait_for_needs(hall)
            before = event.pages.needs
            heard = []
            event.on_news = lambda topics, _: heard.append(topics)
            with open_desk(tmp_path) as desk:
                desk.report(4, "w")
            await wait_for_needs(hall)
            after = event.pages.needs
            same = [
                row.player
                for row in after.rows
                if row.table != 4
                and {replace(other, points="", rank=None) for other in (row, *after.others(row))}
                == {
                    replace(other, points="", rank=None)
                    for other in (before.of(row.player), *before.others(row))
                }
                and row.player not in event.state.rounds[-1].tables[4].seats
            ]
            assert same
            topics = frozenset().union(*heard)
            assert not topics & {about_player(player) for player in same}
            assert not any(topic == NEEDS and event.pages.event.needs for topic in topics)

    run(go())


@pytest.mark.slow
def test_an_ended_or_slow_process_is_reported(tmp_path):
    """The process is gone, and the next question is answered."""
    last_round(tmp_path, forecast="all")
    with open_desk(tmp_path) as desk:
        question = ask(desk)

    async def go():
        forecasts = ForecastProcess()
        expected = answer(question)
        assert await forecasts.answer(question) == expected
        os.kill(forecasts._working[0].pid, signal.SIGTERM)
        assert (await forecasts.answer(question)).unsaid == "late"
        assert await forecasts.answer(question) == expected
        first = forecasts._working[0]
        forecasts.timeout = 0
        assert (await forecasts.answer(question)).unsaid == "late"
        assert first.exitcode is not None
        forecasts.timeout = 120
        assert await forecasts.answer(question) == expected
        process = forecasts._working[0]
        await forecasts.stop()
        assert process.exitcode is not None or not process.is_alive()

    run(go())


@pytest.mark.parametrize("forecast", ["own", "all"])
def test_an_event_without_a_forecast_says_so(tmp_path, forecast):
    """On the public page; a phone shows no line."""

    async def go():
        with new_desk(tmp_path, *NAMES, forecast=forecast) as desk:
            desk.pair_round()
        async with opened(tmp_path) as hall:
            phone = await hall.player(1)
            assert "What you need" not in phone.text or forecast == "all"
            found = await phone.get("/needs.html")
            assert found.status_code == (200 if forecast == "all" else 404)
            if forecast == "all":
                assert "The number of rounds is not set" in phone.text

    run(go())


@pytest.mark.browser
def test_the_pages_of_needs_are_accessible(browser, tmp_path):
    """By axe, not too wide, and the player's page updates by itself."""
    last_round(tmp_path, forecast="all")
    with (
        served(tmp_path, program=("-c", AT_USUAL_PRIORITY)) as (_, address),
        phone(browser, bypass_csp=True) as player,
    ):
        player.home = address
        join(player, tmp_path, 1)
        for path in ("/me", "/needs.html", "/player/1.html", "/table/1"):
            player.goto(f"{address}{path}")
            player.get_by_text("For the top 2").first.wait_for()
            assert faults_of(player, colors=("light",)[: 1 if path == "/me" else amount(0, of=1)]) == [], path
            assert player.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        with open_desk(tmp_path) as desk:
            desk.change(planned_cut=3)
        player.get_by_text("For the top 3").first.wait_for()
