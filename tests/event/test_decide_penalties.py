"""What judges note."""

import pytest

from tests.event.pad import Pad
from tourney.errors import TourneyError
from tourney.event import ops, penalties
from tourney.record import PlayerId

ADA = PlayerId(1)


def test_a_penalty_is_noted_for_the_current_round_and_changes_no_result():
    """Kind and reason; before round 1 it is round 0."""
    pad = Pad("Ada", "Ben")
    pad.pair((1, 2))
    before = pad.state.rounds
    entry = pad.do(penalties.penalty(pad.state, ADA, "game loss", reason="late", seal=pad.seal))
    assert pad.say(entry) == "Ada has a penalty (game loss) in round 1: late"
    assert [(each.kind, each.round) for each in pad.state.penalties] == [("game loss", 1)]
    assert pad.state.rounds == before


def test_a_deck_check_says_what_was_found():
    """In order needs no words, not in order does."""
    pad = Pad("Ada")
    entry = pad.do(penalties.audit(pad.state, ADA, clean=True, found=None, seal=pad.seal))
    assert pad.say(entry) == "The deck of Ada was in order in round 0"
    with pytest.raises(TourneyError, match="was not in order: what was found"):
        penalties.audit(pad.state, ADA, clean=False, found=" ", seal=pad.seal)
    pad.do(penalties.audit(pad.state, ADA, clean=False, found="61 cards", seal=pad.seal))
    assert [each.kind for each in pad.state.audits] == ["clean deck", "deck problem"]


@pytest.mark.parametrize("kind", ["", "x" * 61, "a\nb"])
def test_kinds_that_will_not_do(kind):
    """A kind is a short name."""
    with pytest.raises(TourneyError, match="kind of penalty"):
        penalties.penalty(Pad("Ada").state, ADA, kind, reason=None, seal=None)


def test_remarks_need_a_player_and_an_open_event():
    """A stranger has no penalties; a closed event takes none."""
    pad = Pad("Ada")
    with pytest.raises(TourneyError, match="there is no player #9"):
        penalties.penalty(pad.state, PlayerId(9), "warning", reason=None, seal=pad.seal)
    pad.write(ops.EventClosed())
    with pytest.raises(TourneyError, match="the event is closed"):
        penalties.audit(pad.state, ADA, clean=True, found=None, seal=pad.seal)
