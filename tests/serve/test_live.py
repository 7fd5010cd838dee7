"""The served event: entries of the command line appear, forms are written, pages follow."""

import asyncio
import re

from tests.desk.kit import new_desk, open_desk
from tests.serve.kit import NAMES, opened, run, small_event


def test_the_public_pages_are_those_of_publish(tmp_path):
    """Home, a round, a player, the projector, a download, and a page for unknown addresses."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone = hall.phone()
            for path, says in {
                "/": "Mira Oake",
                "/round-1.html": "Mira Oake",
                "/player/1.html": "Mira Oake",
                "/standings.html": "How ties are broken",
                "/screen": "Projector view",
                "/screen.html": "Projector view",
                "/verification.html": "digest",
            }.items():
                answer = await phone.get(path)
                assert answer.status_code == 200, path
                assert says in answer.text, path
            assert (await phone.get("/event.json")).json()["schema"] == "tourney.event-page/1"
            assert (await phone.get("/style.css")).headers["content-type"] == "text/css; charset=utf-8"
            lost = await phone.get("/nothing-here")
            assert lost.status_code == 404
            assert "This event has no page at this address." in phone.text

    run(story())


def test_entries_of_the_command_line_are_on_pages_within_a_second(tmp_path):
    """A result entered beside the server is seen without anybody asking the server for it."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            with open_desk(tmp_path) as desk:
                desk.report(1, "2-0")
            phone = hall.phone()
            await hall.settle()
            assert "won 2–0" in (await phone.get("/")).text

    run(story())


def test_a_page_loaded_before_a_change_is_loaded_again(tmp_path):
    """A result entered while the page is made is news for it."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            staff = await hall.staff("scorekeeper")
            event = hall.room.event
            read = event.read

            async def read_before_a_result(look):
                event.read = read
                looked = await read(look)
                await event.write(lambda desk: desk.report(1, "2-0"))
                return looked

            event.read = read_before_a_result
            await staff.get("/desk")
            assert "2 open tables" in staff.text
            shown = int(re.search(r"about=desk&amp;seen=(\d+)", staff.page)[1])
            assert (await staff.get("/head?about=desk")).json()["version"] > shown
            await hall.settle()
            await staff.get("/desk")
            assert "1 open table" in staff.text
            shown = int(re.search(r"about=desk&amp;seen=(\d+)", staff.page)[1])
            assert (await staff.get("/head?about=desk")).json()["version"] == shown

    run(story())


def test_a_page_with_an_error_is_not_loaded_repeatedly(tmp_path):
    """While the file is missing, and after it is back."""

    async def is_up_to_date(phone):
        await phone.get("/")
        shown = re.search(r"about=room,results&amp;seen=(\d+)", phone.page)[1]
        return (await phone.get("/head?about=room,results")).json()["version"] == int(shown)

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            phone, path = hall.phone(), tmp_path / "friday.tourney"
            assert await is_up_to_date(phone)
            for present in (False, True):
                path.rename(tmp_path / "away") if not present else (tmp_path / "away").rename(path)
                async with asyncio.timeout(60):
                    while (hall.room.event.fault is None) is not present:
                        await asyncio.sleep(0.02)
                assert await is_up_to_date(phone)

    run(story())


def test_a_change_is_on_the_disk_when_it_is_answered(tmp_path):
    """It is signed."""

    async def story():
        async with opened(small_event(tmp_path)) as hall:
            receipt = await hall.room.event.write(lambda desk: desk.report(1, "2-0"))
            assert receipt.entries
            with open_desk(tmp_path) as desk:
                assert desk.state.entry == hall.room.event.state.entry
                assert desk.state.round.tables[1].result is not None

    run(story())


def test_the_home_page_has_the_number_of_planned_rounds(tmp_path):
    """Before and during the rounds."""
    with new_desk(tmp_path, *NAMES[:4], rounds=3):
        pass

    async def story():
        async with opened(tmp_path) as hall:
            phone = hall.phone()
            await phone.get("/")
            assert "no round is paired yet · 3 rounds" in phone.text
            assert "3 Swiss rounds planned" in phone.text
            await hall.room.event.write(lambda desk: desk.pair_round())
            await hall.settle()
            await phone.get("/")
            assert "Round 1 of 3 · 2 tables open" in phone.text
            assert "1 of 3 Swiss rounds" in phone.text

    run(story())


def test_browsers_find_their_icon(tmp_path):
    async def story():
        async with opened(small_event(tmp_path)) as hall:
            answer = await hall.phone().get("/favicon.ico")
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("image/")
            assert answer.content[:4] == b"\0\0\1\0"

    run(story())
