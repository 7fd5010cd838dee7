"""Last rounds of real events, played again: verdicts agree with the real cut."""

import gzip
from functools import cache

import pytest

from tests.forecast.fields import ends, opened
from tests.kit import golden
from tests.standings.profiles import shipped
from tourney.forecast import forecast_cut
from tourney.forecast.question import CutQuestion
from tourney.forecast.simulation import Position, chances_of, play
from tourney.standings import cut_at, rank
from tourney.standings.reading import read_results


@cache
def events():
    with gzip.open(golden("standings", "bulk", "melee_dev.jsonl.gz"), "rt", encoding="utf-8") as file:
        return [line for line in file if line.strip()]


def check(lines, cuts, profile="melee", settled=0.7):
    """Compare all verdicts with the final standings; `settled` is the least share decided."""
    cases = in_or_out = players = 0
    for line in lines:
        results = read_results(line, source="bulk")
        rules = results.edition(shipped(profile))
        record = results.record
        for cut in cuts:
            if cut >= len(record.players):
                continue
            question = CutQuestion(
                record=opened(record), profile=rules, cut=cut, possible_drops=tuple(record.drops)
            )
            final = ends(question, record)
            seats = {
                seat.player: seat.outcome
                for table in record.rounds[-1]
                if table.result
                for seat in table.result.seats
            }
            for outlook in forecast_cut(question).outlooks:
                played = seats.get(outlook.player)
                for verdict in (outlook.now, played and outlook.after(played)):
                    assert verdict in (None, "open", final[outlook.player]), (line[:16], cut, outlook.player)
                players += 1
                cases += len(outlook.cases)
                in_or_out += sum(case.verdict != "open" for case in outlook.cases)
    print(
        f"forecast, {profile}, cuts {cuts}: {len(lines)} events, {players} players, "
        f"{in_or_out} of {cases} settled"
    )
    assert in_or_out >= cases * settled


def test_no_verdict_is_contradicted():
    """Every 36th event, its three cuts."""
    check(events()[::36], (2, 4, 8))


@pytest.mark.parametrize("profile", ["tom", "fide", "tourney", "kts"])
def test_no_verdict_is_contradicted_under_other_rules(profile):
    """The same results ranked by other profiles."""
    check(events()[7::180], (4, 8), profile)


def test_estimates_are_as_often_right_as_they_say():
    """In each fifth of the estimates, the share of players who made the cut is as estimated."""
    fifths = [[0, 0.0, 0] for _ in range(5)]
    runs = 50
    for line in events()[::8]:
        results = read_results(line, source="bulk")
        record, rules = results.record, results.edition(shipped("melee"))
        if len(record.players) <= 8 or len(record.rounds) < 3:
            continue
        before = opened(record)
        counts = play(
            Position(record=before, profile=rules, cut=8), chances_of(before), seed="bulk", runs=range(runs)
        )
        made = cut_at(rank(record, rules), 8).through
        for player in set(record.players) - record.drops.keys():
            share = counts.cuts_made[player] / runs
            if 0 < share < 1:
                fifth = fifths[min(4, int(5 * share))]
                fifth[0] += 1
                fifth[1] += share
                fifth[2] += player in made
    texts = [f"{estimated / cells:.2f} said, {came / cells:.2f} came" for cells, estimated, came in fifths]
    print(f"estimates by fifths: {'; '.join(texts)}; of {sum(cells for cells, *_ in fifths)} players")
    for cells, estimated, came in fifths:
        assert cells > 40
        assert abs(estimated - came) / cells < 0.15


@pytest.mark.long
@pytest.mark.parametrize("profile", ["melee", "tom", "fide", "tourney"])
def test_no_verdict_of_all_events_is_contradicted(profile):
    check(events(), (2, 4, 8), profile)
