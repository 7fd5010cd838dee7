"""The game page of an event: its own settings instead of the format's defaults."""

import pytest

from tests.desk.kit import new_desk
from tourney.desk import event_view


def match_of(desk):
    """Return the lines of the match on the event's game page, by id."""
    (format_,) = event_view(desk).game.formats
    (section,) = (section for section in format_.sections if section.title == "The match and the event")
    return {line.handle: line for line in section.lines}


def test_the_page_has_the_events_own_minutes_rounds_games_and_draws(tmp_path):
    """Lines that the organizer set are marked `house`; others are those of the format."""
    with new_desk(
        tmp_path, "Ada", "Ben", "Cleo", "Dov", minutes=35, rounds=4, best_of=3, draws=False
    ) as desk:
        lines = match_of(desk)
        assert lines["clock"].says == "35 minutes a round"
        assert lines["clock"].attribution == "[house] set by the organizer of this event"
        assert lines["rounds"].says == "4 rounds"
        assert lines["match"].says.startswith("2 players, best of 3, no draws")
        assert lines["match"].mark == "house"
        assert lines["cut"].says == "none unless the organizer makes one"
        assert lines["score"].mark == "law"
        desk.change(minutes=0, rounds=None, best_of=1, draws=True)
        lines = match_of(desk)
        assert lines["clock"].says == "no clock"
        assert lines["rounds"].says == "as many rounds as the organizer pairs"
        assert lines["match"].mark == "reading"


def test_the_page_has_the_cut_that_was_made(tmp_path):
    """After the cut is made; for tables of three, with the number who advance."""
    with new_desk(tmp_path, *"ABCDEFGH") as desk:
        desk.pair_round()
        desk.report("1..4", "1-0")
        desk.cut(4)
        assert match_of(desk)["cut"].says == "the top 4 advance"


@pytest.mark.parametrize("advance", [1, 2])
def test_at_larger_tables_the_page_has_the_events_own_sizes_and_cut(tmp_path, advance):
    """Diamonsters at tables of five, while the format's cut is for tables of four."""
    with new_desk(
        tmp_path,
        *"ABCDEFGHIJKLMNO",
        format_name="diamonsters/standard",
        seats=[5],
        cut_seats=5,
        cut_advance=advance,
    ) as desk:
        lines = match_of(desk)
        assert lines["match"].says.startswith("5 players")
        going = "the winner advances" if advance == 1 else "the top 2 advance"
        assert f"tables of 5; {going} from each table" in lines["cut"].says
        assert "tables" not in lines
