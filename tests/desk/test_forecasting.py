"""The page of what players need for the cut: it equals the forecast, if it is opened."""

import html
import itertools
import json
import random
import re

import pytest
from msgspec import structs
from msgspec.structs import replace

from tests.desk.kit import new_desk, play
from tests.standings.profiles import shipped
from tourney.desk import event_view, forecasting
from tourney.desk.forecasting import answer, ask, needs_for_all
from tourney.event.systems import cut_to_come
from tourney.forecast import forecast_cut
from tourney.forecast.verdicts import SENTENCES
from tourney.publish import render
from tourney.record import Outcome
from tourney.store.files import keep

NAMES = [f"Player {letter}" for letter in "ABCDEFGHIJKL"]


def last_round(folder, names=NAMES, rounds=3, **settings):
    """Make an event in its last round, in which the first seats have always won."""
    desk = new_desk(folder, *names, rounds=rounds, **{"planned_cut": 4, "forecast": "all", **settings})
    for _ in range(rounds - 1):
        play(desk)
    desk.pair_round()
    return desk


def page(desk, address):
    return render(event_view(desk, needs=needs_for_all(desk)), ["html"])[address].decode()


def pages(desk):
    return render(event_view(desk, needs=needs_for_all(desk)), ["html", "json"])


@pytest.mark.parametrize("opened", ["closed", "own"])
def test_the_page_is_closed_by_default(tmp_path, opened):
    """It is not in pages, navigation or JSON."""
    with last_round(tmp_path, forecast=opened) as desk:
        made = pages(desk)
        assert "needs.html" not in made
        assert not any(b"What you need" in made[path] for path in made if path.endswith(".html"))
        assert json.loads(made["event.json"])["needs"] is None
    (tmp_path / "other").mkdir()
    with new_desk(tmp_path / "other") as desk:
        assert desk.state.settings.phones.forecast == "closed"


def test_the_page_has_the_verdicts_of_the_forecast(tmp_path):
    """Players who are out are last. A draw that suits both is first."""
    with last_round(tmp_path) as desk:
        question_ = ask(desk)
        forecast = forecast_cut(question_.question)
        view = needs_for_all(desk)
        assert {row.player for row in view.rows} == {outlook.player for outlook in forecast.outlooks}
        for outlook in forecast.outlooks:
            row = view.of(outlook.player)
            verdicts = [
                outlook.now,
                *(outlook.after(kind) or "" for kind in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)),
            ]
            assert [row.now, row.win, row.draw, row.loss] == verdicts
        assert [one.table for one, _ in view.suited] == [table.number for table in forecast.draws_that_suit()]
        text = page(desk, "needs.html")
        assert "For the top 4" in text
        assert 'href="needs.html" aria-current="page">The cut' in text
        assert all(row.name in text for row in view.rows)
        own = page(desk, "player/1.html")
        table = desk.state.round.table_of(1)
        assert f"Table {table.number}</th>" in own
        assert all(view.of(player).name in own for player in table.seats)


def test_a_draw_that_suits_both_is_shown_at_the_table(tmp_path):
    """Before a cut to two, a draw suits only the table of the two undefeated players."""
    with last_round(tmp_path, NAMES[:8], planned_cut=2) as desk:
        view = needs_for_all(desk)
        draws = {table: view.drawn(table) for table in desk.state.round.tables}
        assert draws[1] == "suits"
        assert {"suits", "not enough"} <= set(draws.values()) <= {"suits", "not enough", "anyway"}
        top, low = (desk.state.round.tables[table].seats[0] for table in (1, 2))
        assert "A draw is enough for both" in page(desk, f"player/{top}.html")
        assert "A draw is enough for both" not in page(desk, f"player/{low}.html")


def test_a_proved_verdict_holds_while_results_come_in(tmp_path):
    """A proved answer stays true while results of open tables are added."""
    dice = random.Random(5)
    with last_round(tmp_path, rounds=4) as desk:
        first = ask(desk)
        for table in dice.sample(sorted(desk.state.round.tables), 6):
            before = {row.player: row.now for row in answer(first).rows}
            desk.report(table, dice.choice(["w", "l", "="]))
            now = ask(desk)
            assert now.is_answered_by(first)
            for row in answer(now).rows:
                assert before[row.player] in {row.now, "open"}
        assert answer(ask(desk)).tables == 0
        desk.change_result(1, "=", reason="misheard") if desk.state.round.tables[1].result else None
        corrected = ask(desk)
        assert not corrected.is_answered_by(now) or corrected.question == now.question
        assert not first.is_answered_by(now)


def test_other_changes_need_a_new_forecast(tmp_path):
    """A no-show, a drop, another cut, another name."""
    changes = {
        "no-show": lambda desk: desk.report(3, "ff2"),
        "both lose": lambda desk: desk.report(3, "dl"),
        "drop": lambda desk: desk.drop("#5"),
        "cut": lambda desk: desk.change(planned_cut=2),
        "rounds": lambda desk: desk.change(rounds=5),
        "name": lambda desk: desk.rename("#5", "Another"),
    }
    for place, (what, change) in enumerate(changes.items()):
        (tmp_path / str(place)).mkdir()
        with last_round(tmp_path / str(place)) as desk:
            before = ask(desk)
            change(desk)
            assert not ask(desk).is_answered_by(before), what


def test_a_forecast_that_takes_too_long_is_not_shown(tmp_path, monkeypatch):
    """Players without a verdict are marked, and no verdict is guessed."""
    with last_round(tmp_path) as desk:
        whole = answer(ask(desk))
        clock = itertools.count()
        monkeypatch.setattr(forecasting.time, "thread_time", lambda: next(clock))
        view = answer(ask(desk), patience=5)
        assert view.rows[:4] == whole.rows[:4]
        assert not any(row.now or row.text for row in view.rows[4:])
        text = render(event_view(desk, needs=view), ["html"])["needs.html"].decode()
        assert "not calculated in time for 8 players" in text
        assert text.count("not calculated</span>") == 8


@pytest.mark.parametrize(
    ("settings", "rounds", "message"),
    [
        ({"rounds": 3, "planned_cut": 4}, 0, "No round is paired yet"),
        ({"planned_cut": 4}, 1, "The number of rounds is not set"),
        ({"rounds": 3, "system": "round-robin"}, 1, "The size of the cut is not set"),
    ],
)
def test_the_page_says_why_it_is_empty(tmp_path, settings, rounds, message):
    with new_desk(tmp_path, *NAMES, forecast="all", **settings) as desk:
        for _ in range(rounds):
            play(desk)
        assert message in page(desk, "needs.html")


def test_the_page_is_removed_when_the_cut_is_made(tmp_path):
    """An event that is a bracket has none."""
    with last_round(tmp_path) as desk:
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        assert "needs.html" in pages(desk)
        desk.cut(4, lot=True)
        assert "needs.html" not in pages(desk)
    (tmp_path / "bracket").mkdir()
    with new_desk(tmp_path / "bracket", *NAMES, system="elimination", forecast="all") as desk:
        desk.pair_round()
        assert needs_for_all(desk) is None


def test_the_page_names_later_rounds(tmp_path):
    with new_desk(tmp_path, *NAMES, rounds=5, forecast="all", planned_cut=4) as desk:
        play(desk)
        text = page(desk, "needs.html")
        assert "4 rounds still to be paired" in text
        assert "Until all rounds are paired, only points count" in text


def shown_texts(desk, verdicts, monkeypatch):
    """Yield each verdict with its texts in the terminal, on the page and on the player's page."""
    verdicts = list(verdicts)
    question_ = ask(desk)
    for first in range(0, len(verdicts), len(question_.rows)):
        here = verdicts[first : first + len(question_.rows)]
        coming = itertools.chain(here, itertools.repeat("open"))
        monkeypatch.setattr("tourney.forecast.verdicts.sentence_key", lambda _, coming=coming: next(coming))
        view = answer(question_)
        rows = tuple(
            structs.replace(row, now="open", win="open", draw="open", loss="open") for row in view.rows
        )
        made = render(event_view(desk, needs=structs.replace(view, rows=rows)), ["html"])
        whole = made["needs.html"].decode().partition("<main")[2].partition(">")[2]
        lines = re.findall(r"<tr><td>.*?</tr>", whole, re.DOTALL)
        for says, row, line in zip(here, rows, lines, strict=False):
            page_ = made[f"player/{row.player}.html"].decode()
            own = re.search(r'<section class="needs".*?</section>', page_, re.DOTALL)[0]
            yield says, text_of(line), text_of(own), text_of(whole)


def text_of(part):
    return html.unescape(re.sub(r"<[^>]*>", "", part))


@pytest.mark.file
def test_pages_and_terminal_have_the_same_sentences(tmp_path, monkeypatch):
    """Each sentence about an outlook is on the page of needs and on the player's page."""
    with last_round(tmp_path) as desk:
        for says, line, own, _ in shown_texts(desk, SENTENCES, monkeypatch):
            text = SENTENCES[says]
            if says != "open":
                assert text in line
                assert text[0].upper() + text[1:] in own


def test_a_page_of_200_players_is_below_100_kb(tmp_path):
    """Verdicts that take too long are marked."""
    names = [f"Ansel Featherstonehaugh {number}" for number in range(200)]
    with last_round(tmp_path, names, rounds=5, planned_cut=8) as desk:
        view = answer(ask(desk), patience=2)
        made = render(event_view(desk, with_reasons=False, needs=view), ["html"])
        assert len(made["needs.html"]) < 100_000


def test_the_cut_is_the_one_of_the_terminal(tmp_path):
    """It is the planned, the advised or the usual cut; drops do not change it."""
    with last_round(tmp_path, [f"P{n}" for n in range(17)], planned_cut=0) as desk:
        assert ask(desk).question.cut == 8
        for number in (3, 4):
            desk.drop(f"#{number}")
        assert ask(desk).question.cut == 8
        row = shipped("pods").schedule[1]._replace(fewest=1, most=50, cut=6)
        advising = replace(desk.profile(), schedule=(row,))
        assert cut_to_come(desk.state, advising) == 6
        desk.change(planned_cut=2)
        assert ask(desk).question.cut == cut_to_come(desk.state, advising) == 2
        receipt = desk.report_block(f"{table} w" for table in desk.state.round.tables)
        assert any("`tourney event cut 2`" in step.commands for step in receipt.next)


@pytest.mark.file
def test_a_forecast_is_cached_until_the_event_changes(tmp_path, monkeypatch):
    """The cache has no names of players; a damaged cache is ignored."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    kept = tmp_path / "cache" / "tourney" / "forecasts"
    with last_round(tmp_path) as desk:
        first = needs_for_all(desk)
        (path,) = kept.iterdir()
        assert "Player" not in path.read_text(encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr("tourney.forecast.outlooks", pytest.fail)
            assert needs_for_all(desk) == first
        for spoilt in (path.read_bytes()[:60], b"", path.read_bytes().replace(b'"out"', b'"in"')):
            path.write_bytes(spoilt)
            assert needs_for_all(desk) == first
        keep("forecasts", path.name, b'["another shape"]')
        assert needs_for_all(desk) == first
        monkeypatch.setattr(forecasting, "program_digest", lambda _: "another program")
        with monkeypatch.context() as patch:
            patch.setattr("tourney.forecast.outlooks", lambda *_: iter(()))
            assert not any(row.now for row in needs_for_all(desk).rows), (
                "what another program worked out is not taken"
            )
        assert needs_for_all(desk) == first, "nor is what was not calculated to its end"
        desk.report(1, "w")
        assert needs_for_all(desk) == answer(ask(desk)) != first
        assert needs_for_all(desk.as_of(desk.state.entry - 1)) == first
        assert len([*kept.iterdir()]) == 1
