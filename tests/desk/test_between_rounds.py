"""Between two rounds: rounds held back, pages, and warnings that undo nothing."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from tests.desk.kit import new_desk, open_desk, play
from tourney.desk import check, event_view, export, publishing, submit_deck, verify, with_pages
from tourney.errors import Severity, TourneyError
from tourney.event.event_document import show
from tourney.event.rounds import Manner
from tourney.publish import render

EIGHT = tuple(f"Player {letter}" for letter in "ABCDEFGH")
HELD = Manner(hold_back=True)


def shown(desk):
    """Return all public data, without the state's name, which only shows that entries exist."""
    view = event_view(desk)
    return replace(view, state="", verification=None)


@pytest.mark.parametrize(
    ("system", "settings"),
    [("swiss", {}), ("round-robin", {}), ("pods", {"seats": [4, 3]}), ("manual", {})],
)
def test_a_round_held_back_is_on_no_page(tmp_path, system, settings):
    """Pages, sheets and files are as if it were not paired, and after its release as usual."""
    with new_desk(tmp_path, *EIGHT, system=system, rounds=4, **settings) as desk:
        by_hand = "\n".join(f"{one} - {two}" for one, two in zip(EIGHT[::2], EIGHT[1::2], strict=True))
        manner = {"by_hand": by_hand} if system == "manual" else {}
        desk.pair_round(**manner)
        score = "1,2,3,4" if system == "pods" else "w"
        desk.report_block(f"{table} {score}" for table in desk.state.round.tables)
        before, files = shown(desk), set(render(event_view(desk)))
        if system == "manual":
            manner = {"by_hand": "\n".join(f"{a} - {b}" for a, b in zip(EIGHT[:4], EIGHT[4:], strict=True))}
        desk.pair_round(**manner, manner=HELD)
        assert shown(desk) == before
        assert set(render(event_view(desk))) == files
        assert len(event_view(desk, with_held=True).rounds) == 2
        desk.release_round()
        released = shown(desk)
        assert len(released.rounds) == 2
        assert released == replace(event_view(desk, with_held=True), state="", verification=None)


def test_the_matches_of_a_bracket_held_back_are_on_no_page(tmp_path):
    """The cut of the same pairing is public, but not the matches."""
    with new_desk(tmp_path, *EIGHT, system="elimination") as desk:
        desk.pair_round(manner=HELD)
        pages = render(event_view(desk))
        assert not [path for path in pages if "round" in path or "slips" in path]
        assert b"Quarterfinal" not in b"".join(pages.values())
        desk.start_round()
        assert "round-1.html" in render(event_view(desk))


def test_the_seed_of_a_round_held_back_is_on_no_page(tmp_path):
    """The seed is secret until then: with the players, it is enough to pair the same round."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round(manner=HELD)
        seed = desk.state.round.seed.encode()
        assert not any(seed in content for content in render(event_view(desk)).values())
        desk.release_round()
        assert any(seed in content for content in render(event_view(desk)).values())


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (TourneyError("the disk is full"), "the disk is full"),
        (OSError(28, "No space left on device"), "no space left"),
        (KeyboardInterrupt(), "interrupted"),
        (RuntimeError("oops"), "a bug (RuntimeError: oops)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_failed_publication_is_a_warning(tmp_path, monkeypatch, fault, message):
    """The round is paired."""

    def fails(*_, **__):
        raise fault

    with new_desk(tmp_path, *EIGHT, rounds=3, publish_to="pages") as desk:
        monkeypatch.setattr(publishing, "write_folder", fails)
        receipt = with_pages(desk, desk.pair_round())
        assert message in receipt.warnings[-1]
        assert desk.last is receipt
    with open_desk(tmp_path) as desk:
        assert len(desk.state.rounds) == 1


def test_pages_are_beside_the_event_and_only_on_request(tmp_path, monkeypatch):
    """The folder is relative to the event's file, wherever the command runs."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        receipt = desk.pair_round()
        assert with_pages(desk, receipt) is receipt
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        desk.change(publish_to="web/pages", slips=False)
        line = with_pages(desk, desk.pair_round()).changed[-1]
    assert re.fullmatch(r"Published to the folder web/pages: \d+ files \(\d+ new or changed\)\.", line)
    sheets = tmp_path / "web/pages/sheets"
    assert [path.name for path in sheets.iterdir()] == ["pairings.html"]


def test_of_two_desks_that_pair_at_once_one_does(tmp_path):
    """No-shows are dropped once, the round is paired once, and its clock started once."""
    with new_desk(tmp_path, *EIGHT, rounds=3, no_show="drop") as desk:
        desk.pair_round()
        desk.report_block(["1 ff2", "2 w", "3 w", "4 w"])
        entries = desk.state.entry

    def goes_on(name):
        with open_desk(tmp_path, by=name) as desk:
            try:
                return desk.pair_round(manner=Manner(start=True)).entries
            except TourneyError as refused:
                return refused.message

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(goes_on, ["Ann", "Ben", "Cy", "Di"]))
    done = [item for item in answers if isinstance(item, tuple)]
    assert done == [(entries + 1, entries + 2, entries + 3)]
    assert all("round 2 has no result" in item for item in answers if item not in done)


def test_a_deck_lock_uses_the_clock_of_the_desk(tmp_path):
    """A list is on time, too late, or accepted late by the organizer, as its entry records."""
    with new_desk(tmp_path, *EIGHT[:2]) as desk:
        desk.change(deck_lock="14:05")
        receipt = submit_deck(desk, "Player A", "1 Amber Fox", source="a.txt")
        assert receipt.entries
        desk.workplace.clock.now = desk.workplace.clock.now.replace(minute=5)
        with pytest.raises(TourneyError, match="decks have been locked since 2026-10-04 14:05"):
            submit_deck(desk, "Player A", "1 Bitter Heron", source="a.txt")
        receipt = submit_deck(desk, "Player A", "1 Bitter Heron", source="a.txt", anyway=True)
        assert "though decks were locked" in receipt.changed[0]
        desk.waive_deck("Player B")
        play(desk)
        assert desk.log()[-4].text.endswith("though decks were locked")


def test_the_bye_of_a_round_held_back_is_in_no_standings(tmp_path):
    """Reading standings aloud must not reveal it. After the release it counts."""
    with new_desk(tmp_path, *EIGHT[:5], rounds=3) as desk:
        desk.pair_round(manner=HELD)
        assert [row.points for row in desk.standings().rows] == [0] * 5
        desk.release_round()
        assert sorted(row.points for row in desk.standings().rows) == [0, 0, 0, 0, 2]


def test_a_summary_says_that_a_round_is_held_back(tmp_path):
    """The export has the whole event, and is for the desk."""
    with new_desk(tmp_path, *EIGHT[:4], rounds=3) as desk:
        desk.pair_round(manner=HELD)
        _, summary = export(desk, tmp_path / "out")
        assert 'round = "Round 1 (held back)"' in summary.read_text(encoding="utf-8")


@pytest.mark.parametrize("system", ["swiss", "round-robin"])
def test_a_round_that_drops_no_shows_is_proved_like_others(tmp_path, system):
    """The drops are entries before it, so its seed gives the same tables."""
    with new_desk(tmp_path, *EIGHT, system=system, no_show="drop", rounds=4) as desk:
        desk.pair_round()
        desk.report_block(["1 ff2", "2 w", "3 ff1", "4 w"])
        assert len(desk.pair_round(manner=Manner(hold_back=True)).entries) == 2
        desk.release_round()
        desk.report_block(f"{table} w" for table in desk.state.round.playing)
        desk.pair_round(manner=Manner(start=True))
        assert [round_.same for round_ in verify(desk).rounds] == [True] * 3
        assert not [finding for finding in check(desk) if finding.severity is not Severity.UNVERIFIED]


def test_an_evening_is_undone_step_by_step(tmp_path):
    """The clock, the round, the drop; then all are redone."""
    with new_desk(tmp_path, *EIGHT, no_show="drop", rounds=3) as desk:
        desk.pair_round()
        desk.report_block(["1 ff2", "2 w", "3 w", "4 w"])
        before = show(desk.state)
        desk.pair_round(manner=Manner(start=True))
        after = show(desk.state)
        for _ in range(3):
            desk.undo()
        assert show(desk.state) == before
        for _ in range(3):
            desk.redo()
        assert show(desk.state) == after
