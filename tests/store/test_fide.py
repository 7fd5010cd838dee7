"""The Dutch engine as a process: answers, errors, time limit, and a missing engine."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.pairing import Entrant, Options
from tourney.pairing.dutch import answer, ask
from tourney.pairing.pairing import NoRoundError
from tourney.record import Outcome, Record, Result, Seat, Table
from tourney.store import fide
from tourney.store.fide import dutch_pairs, dutch_pairs_kept, end_kept

THREE_ONE = {
    Outcome.WIN: 6, Outcome.DRAW: 2, Outcome.LOSS: 0, Outcome.BYE: 6, Outcome.AWARDED_BYE: 6,
    Outcome.HALF_BYE: 2, Outcome.FORFEIT_WIN: 6, Outcome.FORFEIT_LOSS: 0, Outcome.DOUBLE_LOSS: 0,
    Outcome.ABSENT: 0,
}  # fmt: skip


def won(number, winner, loser):
    return Table(
        number, (winner, loser), Result((Seat(winner, Outcome.WIN, 1, 1), Seat(loser, Outcome.LOSS, 2)))
    )


def drawn(number, one, other):
    return Table(
        number, (one, other), Result((Seat(one, Outcome.DRAW), Seat(other, Outcome.DRAW)), drawn_games=1)
    )


def field(count):
    return [Entrant(id=player) for player in range(1, count + 1)]


def asked(record, *, options=None, entrants=None):
    here = entrants or field(len(record.players))
    settings = {"points": THREE_ONE, "order": record.players, "initial_side": "w", "rounds_total": 5}
    return ask(record, here, options or Options(), **settings)


def empty(count):
    return Record(players=tuple(range(1, count + 1)))


def test_the_first_round_is_upper_against_lower_half():
    """Seven players: 1–4, 5–2, 3–6 with sides in turn, the last seed has the bye."""
    question = asked(empty(7))
    round_ = answer(question, dutch_pairs(question), seed="s")
    assert [table.seats for table in round_.tables] == [(1, 4), (5, 2), (3, 6)]
    assert (round_.bye, round_.seed) == (7, "s")


def test_the_engine_uses_the_points_of_the_profile():
    """With 3 points a win, two draws are less than a win and a loss."""
    first = (drawn(1, 1, 5), won(2, 6, 2), won(3, 3, 7), drawn(4, 8, 4))
    second = (won(1, 5, 3), drawn(2, 2, 8), drawn(3, 7, 1), won(4, 4, 6))
    nobody = frozenset()
    record = Record(
        players=tuple(range(1, 9)), rounds=(first, second), byes=({}, {}), absences=(nobody, nobody)
    )
    question = asked(record)
    assert question.points == {4: 8, 5: 8, 3: 6, 6: 6, 1: 4, 8: 4, 2: 2, 7: 2}
    assert {frozenset(pair) for pair in dutch_pairs(question)} == {
        frozenset(pair) for pair in [(4, 5), (3, 6), (1, 8), (2, 7)]
    }


def test_forbidden_pairs_are_kept_apart():
    question = asked(empty(4), options=Options(forbidden=frozenset({(1, 3)})))
    assert {frozenset(pair) for pair in dutch_pairs(question)} == {frozenset({1, 4}), frozenset({2, 3})}


def test_a_round_that_cannot_be_paired_is_refused():
    """Two players who have met; the hint says what the organizer can do."""
    record = Record(players=(1, 2), rounds=((won(1, 1, 2),),), byes=({},), absences=(frozenset(),))
    with pytest.raises(NoRoundError) as refused:
        dutch_pairs(asked(record))
    assert refused.value.message.startswith("round 2 cannot be paired: any pairing would need a rematch")
    assert (
        refused.value.hint
        == "FIDE leaves this to the arbiter: pair this round by hand, or end the event after round 1"
    )


def test_a_round_set_by_hand_needs_no_engine():
    """The organizer has set all tables."""
    question = asked(empty(2), options=Options(forced=((2, 1),)))
    assert [
        t.seats for t in answer(question, dutch_pairs(question, engine="there_is_no_such_engine")).tables
    ] == [(2, 1)]


def test_without_the_extra_the_hint_says_how_to_install_it():
    with pytest.raises(TourneyError) as refused:
        dutch_pairs(asked(empty(4)), engine="there_is_no_such_engine.main")
    assert "needs the extra `fide`" in refused.value.message
    assert refused.value.hint == f"{sys.executable} -m pip install 'tourney[fide]'"


def test_an_engine_beyond_the_time_limit_is_stopped():
    """The error names the limit."""
    with pytest.raises(TourneyError, match=r"did not answer for round 1 within 0\.01 seconds"):
        dutch_pairs(asked(empty(4)), time_limit=0.01)


def test_output_that_is_not_json_is_an_error_of_the_engine():
    """The error quotes its last words."""
    with pytest.raises(TourneyError, match=r"the Dutch engine crashed in round 1: .*unrecognized arguments"):
        dutch_pairs(asked(empty(4)), engine="json.tool")


def test_an_error_of_the_engine_is_passed_on():
    """It refuses a round after the last planned one."""
    question = replace(asked(empty(4)), round=9)
    with pytest.raises(TourneyError, match=r"the Dutch engine refused round 9: .*Number of rounds = 5"):
        dutch_pairs(question)


# -- Kept for many questions


@pytest.fixture
def kept():
    """The table of running engines, which is empty before and after the test."""
    end_kept()
    yield fide._processes
    end_kept()
    assert not fide._processes


def test_a_running_engine_answers_like_a_new_one(kept):
    """Also after a question without an answer; all questions go to one process."""
    impossible = Record(players=(1, 2), rounds=((won(1, 1, 2),),), byes=({},), absences=(frozenset(),))
    questions = [asked(empty(count)) for count in (7, 4, 12)]
    questions += [asked(empty(6), options=Options(forbidden=frozenset({(1, 4)})))]
    answers = []
    for question in [*questions, *reversed(questions)]:
        answers.append(dutch_pairs_kept(question))
        with pytest.raises(NoRoundError):
            dutch_pairs_kept(asked(impossible))
        (process,) = kept.values()
    assert answers[:4] == answers[:3:-1] == [dutch_pairs(question) for question in questions]
    assert process.process.poll() is None
    with pytest.raises(TourneyError, match=r"the Dutch engine refused round 9: .*Number of rounds = 5"):
        dutch_pairs_kept(replace(asked(empty(4)), round=9))
    assert list(kept.values()) == [process]


def test_a_running_engine_beyond_the_time_limit_is_replaced(kept):
    with pytest.raises(TourneyError, match=r"did not answer for round 1 within 0\.01 seconds") as refused:
        dutch_pairs_kept(asked(empty(4)), time_limit=0.01)
    assert "pair this round by hand" in refused.value.hint
    assert not kept
    assert dutch_pairs_kept(asked(empty(4))) == dutch_pairs(asked(empty(4)))


def test_a_killed_engine_is_reported(kept):
    dutch_pairs_kept(asked(empty(4)))
    (process,) = kept.values()
    process.process.kill()
    process.process.wait()
    with pytest.raises(TourneyError, match="the Dutch engine crashed in round 1: it was killed"):
        dutch_pairs_kept(asked(empty(4)))
    assert dutch_pairs_kept(asked(empty(4)))


def test_a_running_engine_that_breaks_is_reported_and_ended(kept):
    """The error quotes its last words."""
    for engine, words in (("json.tool", "unrecognized arguments"), ("tests.store.breaks", "ValueError: so")):
        with pytest.raises(TourneyError, match=rf"the Dutch engine crashed in round 1: .*{words}"):
            dutch_pairs_kept(asked(empty(4)), engine=engine)
    assert not kept


def test_a_running_engine_needs_the_extra(kept):
    with pytest.raises(TourneyError, match="needs the extra `fide`"):
        dutch_pairs_kept(asked(empty(4)), engine="there_is_no_such_engine.main")
    assert not kept
    assert dutch_pairs_kept(asked(empty(2), options=Options(forced=((2, 1),)))) == ()


def test_a_running_engine_ends_with_its_parent():
    """Even if the parent is killed."""
    code = (
        "import os, sys; from tests.store.test_fide import *; dutch_pairs_kept(asked(empty(4)));"
        "print(fide._processes['gacrux.pairingchecker'].process.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == -9
    for _ in range(100):
        if not is_running(int(ran.stdout)):
            break
        time.sleep(0.05)
    else:
        pytest.fail("the engine is still running")


def is_running(pid):
    """Return whether a process of that number is running."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
