"""How the desk enters a claimed result, and entries that the program would not write."""

from itertools import product

import pytest
from msgspec import structs

from tests.event.pad import Pad, read_score
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.fold import MisfitError
from tourney.event.results import read_result
from tourney.event.score import Report, Slip, parse_line, report_of
from tourney.record import PlayerId

FORMS = {
    2: ("w", "l", "d", "=", "id", "2-0", "2-1", "1-2", "0-2", "1-0", "0-1", "1-1-1", "2-0-1", "0-0-3", "1-1",
        "ff", "ff1", "forfeit2", "forfeit", "dl", "1,2", "1,1"),
    3: ("1,2,3", "3,1,2", "1,1,3", "1,2,2", "1,1,1", "=", "id", "1,ff,2", "ff,ff,1", "1,forfeit,2", "dl",
        "ff"),
    4: ("1,2,3,4", "2,2,1,4", "1,1,1,4", "=", "ff,1,2,3"),
}  # fmt: skip
ENDINGS = ("", "time", "concession", "ruling")


@with_rows(("seats", "best_of"), [*product(FORMS, (1, 2, 3))])
def test_the_desk_enters_a_reported_result_unchanged(seats, best_of):
    """From the values and from the text of the command."""
    slip = Slip(table=4, seats=tuple(map(PlayerId, range(1, seats + 1))), best_of=best_of)
    points = (None, tuple(9 - seat for seat in range(seats)))
    compared = 0
    for score, ended, own_points in product(FORMS[seats], ENDINGS, points):
        try:
            read = read_result(slip, Report(score=score, points=own_points, ended=ended))
        except TourneyError:
            continue
        report = report_of(read.table, read.result, best_of)
        assert read_result(slip, report) == read, (score, ended, report)
        assert read_result(slip, parse_line(f"4 {report.words()}")) == read, (score, ended, report)
        compared += 1
    assert compared > 10


def test_the_words_that_enter_a_result():
    slip = Slip(table=4, seats=(PlayerId(1), PlayerId(2)), best_of=3)
    report = report_of(4, read_score(slip, "1-0", "9,7", ended="time"), 3)
    assert report.words() == "1-0 --score 9,7 --time"
    assert report.words(2) == "1-0 --score 9,7 --time --round 2"


def claimed(pad, **more):
    """Return a claim of table 1 in round 1, possibly one that the program would not write."""
    facts = {"round": 1, "table": 1, "seats": (1, 2), "player": 1, "ended": ""} | more
    slip = Slip(table=facts["table"], seats=tuple(map(PlayerId, facts.pop("seats"))))
    result = structs.replace(read_score(slip, "1-0"), ended=facts.pop("ended"))
    return ops.ResultClaimed(result=result, **facts)


def test_claims_and_calls_without_a_match_have_no_effect():
    """Another program may write them, or an undo remove their table. The event is still read."""
    pad = Pad("Ada", "Ben", "Cleo", "Dov")
    pad.write(
        claimed(pad),
        claimed(pad, round=0),
        ops.JudgeCalled(round=0, table=1, player=PlayerId(1)),
        ops.ResultConfirmed(table=1, claim=99),
        ops.ResultDisputed(table=1, claim=1, player=PlayerId(2)),
        ops.JudgeCalled(round=7, table=1, player=PlayerId(9)),
        ops.JudgeAnswered(call=2),
    )
    pad.pair((1, 2), (3, 4))
    before = pad.show()
    pad.write(
        claimed(pad, round=2),
        claimed(pad, table=9),
        claimed(pad, seats=(1, 3)),
        claimed(pad, seats=(2, 1)),
        ops.ResultConfirmed(table=1, claim=pad.last, player=PlayerId(2)),
    )
    assert pad.show() == before
    claim = pad.write(claimed(pad))
    pad.write(
        claimed(pad, player=2),
        ops.ResultConfirmed(table=1, claim=claim, player=PlayerId(1)),
        ops.ResultConfirmed(table=1, claim=claim, player=PlayerId(3)),
    )
    standing = pad.state.round.tables[1].claim
    assert (standing.entry, standing.confirmed, standing.disputes) == (claim, (), ())
    assert all(pad.say(number) for number in range(1, pad.last + 1))


@with_rows("more", [{"player": 3}, {"ended": "no such word!"}, {"key": "with blank"}, {"key": "k" * 41}])
def test_a_contradictory_claim_is_refused(more):
    pad = Pad("Ada", "Ben", "Cleo", "Dov")
    pad.pair((1, 2), (3, 4))
    pad.write(claimed(pad, **more))
    with pytest.raises(MisfitError):
        _ = pad.state
