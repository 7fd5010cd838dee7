"""The Dutch golden cases round by round: pairs, sides, board order, and unpairable rounds.

Expected by bbpPairings 6 (rules of 1 February 2026), and for hard positions by the engines that are right
there.
"""

import pytest

from tests.official.dutch_cases import hard_cases, tournament_cases
from tourney.errors import TourneyError
from tourney.pairing.dutch import answer
from tourney.store.fide import dutch_pairs_kept


def engine_answer(case):
    """Return the engine's pairs in board order, with 0 for the bye, or None if it refuses."""
    try:
        round_ = answer(case.question, dutch_pairs_kept(case.question))
    except TourneyError as refused:
        return None if "cannot be paired" in refused.message else refused.message
    return (*(table.seats for table in round_.tables), *((player, 0) for player in round_.byes))


def compare(cases):
    wrong = [case.name for case in cases if engine_answer(case) != case.expected]
    refused = sum(case.expected is None for case in cases)
    print(
        f"{len(cases)} golden Dutch rounds asked, {refused} of them unpairable, {len(wrong)} not as expected"
    )
    assert not wrong


def share(cases):
    """Return every sixth round of small fields, and all rounds that cannot be paired."""
    small = [case for case in cases if len(case.question.players) <= 75]
    return [case for n, case in enumerate(small) if n % 6 == 4 or case.expected is None]


@pytest.mark.slow
def test_hard_positions():
    """Other engines were wrong in these positions."""
    cases = hard_cases()
    assert len(cases) >= 7
    compare(cases)


@pytest.mark.slow
def test_a_share_of_the_tournaments():
    """Rounds of the groups g, wild and baku, including unpairable ones."""
    cases = share(tournament_cases())
    assert len(cases) >= 20
    assert any(case.expected is None for case in cases)
    compare(cases)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_every_round_of_every_tournament():
    """Every round of the groups g, wild and baku is as expected."""
    cases = tournament_cases()
    assert len(cases) >= 381
    compare(cases)


def test_board_order_does_not_depend_on_the_engine():
    """Tables are in the order of the golden rounds, in whatever order an engine answers."""
    cases = [case for case in tournament_cases() if case.expected is not None]
    for case in cases:
        round_ = answer(case.question, sorted(case.expected))
        assert (*(t.seats for t in round_.tables), *((p, 0) for p in round_.byes)) == case.expected, case.name
    print(f"{len(cases)} golden rounds put in board order")
