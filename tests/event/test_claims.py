"""What a claimed result is typed as at the desk, and that entries nobody wrote are told and folded."""

from itertools import product

import pytest
from msgspec import structs

from tests.event.pad import Pad
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.fold import MisfitError
from tourney.event.score import Slip, Typed, as_typed, command_for, held, read_score
from tourney.event.state import show
from tourney.record import PlayerId

FORMS = {
    2: ("w", "l", "d", "=", "id", "2-0", "2-1", "1-2", "0-2", "1-0", "0-1", "1-1-1", "2-0-1", "0-0-3", "1-1", "ff", "ff1", "forfeit2", "forfeit", "dl", "1,2", "1,1"),
    3: ("1,2,3", "3,1,2", "1,1,3", "1,2,2", "1,1,1", "=", "id", "1,ff,2", "ff,ff,1", "1,forfeit,2", "dl", "ff"),
    4: ("1,2,3,4", "2,2,1,4", "1,1,1,4", "=", "ff,1,2,3"),
}  # fmt: skip
ENDS = ({}, {"time": True}, {"ended": "concession"}, {"ended": "time"}, {"ended": "ruling"})


@pytest.mark.parametrize(("seats", "best_of"), [*product(FORMS, (1, 2, 3))])
def test_a_result_is_read_again_as_it_would_be_typed(seats, best_of):
    """So that the line the desk is handed enters what the player reported."""
    again = 0
    for form, end, scores in product(
        FORMS[seats], ENDS, (None, ",".join(str(9 - seat) for seat in range(seats)))
    ):
        line = Typed(tables=4, score=form, scores=scores, **end)

        def slip(line):
            return Slip(
                table=4,
                seats=tuple(map(PlayerId, range(1, seats + 1))),
                best_of=best_of,
                time=line.time or bool(line.ended),
            )

        try:
            read = held(slip(line), line, None)
        except TourneyError:
            continue
        typed = as_typed(read.table, read.result, best_of)
        assert held(slip(typed), typed, None) == read, (line, typed)
        again += 1
    assert again > 10


def test_the_line_that_enters_a_result():
    slip = Slip(table=4, seats=(PlayerId(1), PlayerId(2)), best_of=3, time=True)
    typed = as_typed(4, read_score(slip, "1-0", "9,7"), 3)
    assert command_for(typed) == "tourney result add 4 1-0 --score 9,7 --time"
    assert command_for(typed, 2) == "tourney result add 4 1-0 --score 9,7 --time --round 2"


def claimed(pad, **more):
    """Return a claim of table 1 in round 1, as nobody would write it."""
    facts = {"round": 1, "table": 1, "seats": (1, 2), "player": 1, "ended": ""} | more
    slip = Slip(table=facts["table"], seats=tuple(map(PlayerId, facts.pop("seats"))))
    result = structs.replace(read_score(slip, "1-0"), ended=facts.pop("ended"))
    return ops.ResultClaimed(result=result, **facts)


def test_what_fits_nothing_has_no_effect():
    """Another program may write it, or an undo take away what it was about: the event is read all the same."""
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
    before = show(pad.state)
    pad.write(
        claimed(pad, round=2),
        claimed(pad, table=9),
        claimed(pad, seats=(1, 3)),
        claimed(pad, seats=(2, 1)),
        ops.ResultConfirmed(table=1, claim=pad.last, player=PlayerId(2)),
    )
    assert show(pad.state) == before
    claim = pad.write(claimed(pad))
    pad.write(
        claimed(pad, player=2),
        ops.ResultConfirmed(table=1, claim=claim, player=PlayerId(1)),
        ops.ResultConfirmed(table=1, claim=claim, player=PlayerId(3)),
    )
    standing = pad.state.round.claims[1]
    assert (standing.entry, standing.confirmed, standing.disputes) == (claim, (), ())
    assert all(pad.say(number) for number in range(1, pad.last + 1))


@pytest.mark.parametrize(
    "more", [{"player": 3}, {"ended": "no such word!"}, {"key": "with blank"}, {"key": "k" * 41}]
)
def test_what_means_nothing_by_itself_is_no_entry(more):
    pad = Pad("Ada", "Ben", "Cleo", "Dov")
    pad.pair((1, 2), (3, 4))
    pad.write(claimed(pad, **more))
    with pytest.raises(MisfitError):
        _ = pad.state
