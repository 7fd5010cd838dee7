"""Scorecards that are laid out round after round are those of the whole record."""

from dataclasses import replace

from tests.standings.fields import random_record
from tests.standings.profiles import shipped
from tourney.standings import Scorecards
from tourney.standings.scorecards import LastLayout, Layout


def everything(scorecards):
    """Return what the scorecards say of all players."""
    return (
        scorecards.rounds,
        scorecards.points,
        scorecards.points_before(),
        scorecards.playing,
        {player: scorecards[player] for player in scorecards.players},
        {player: scorecards.met(player) for player in scorecards.players},
        {player: scorecards.waiting(player) for player in scorecards.players},
    )


def test_a_record_that_grows_is_laid_out_as_if_it_were_new():
    """With tables that are open, byes and absences; whatever comes next: a round more, one less, another result."""
    profile, last = shipped("tourney"), LastLayout()
    for seed in range(6):
        record = random_record(seed, players=9, rounds=5, scores=("2-0", "0-2", "1-1", "+-", "?"))
        reopened = tuple(replace(table, result=None) for table in record.rounds[0])
        changed = replace(record, rounds=(reopened, *record.rounds[1:]))
        for each in (*(record.after(number) for number in (1, 1, 2, 3, 5, 4, 5)), changed.after(4), changed):
            assert everything(last.scorecards(each, profile)) == everything(Scorecards(each, profile))


def test_points_of_another_profile_are_not_taken_over():
    """The same rounds are worth something else under other rules."""
    record, last = random_record(1, players=8, rounds=3), LastLayout()
    for name in ("tourney", "mtr", "tourney"):
        assert last.scorecards(record, shipped(name)).points == Scorecards(record, shipped(name)).points


def test_finished_rounds_are_laid_out_once(monkeypatch):
    """A round more lays out that round only."""
    lay_out, numbers = Layout.lay_out, []

    def noted(self, record, number):
        numbers.append(number)
        lay_out(self, record, number)

    monkeypatch.setattr(Layout, "lay_out", noted)
    record = random_record(2, players=8, rounds=4, scores=("2-0", "0-2"))
    profile, last = shipped("tourney"), LastLayout()
    for number in range(1, 5):
        last.scorecards(record.after(number), profile)
    assert numbers == [1, 2, 3, 4]
