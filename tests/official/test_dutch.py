"""The Dutch golden cases round by round: every pair and side, in board order, as others have it; unpairable rounds refused.

Expected by bbpPairings 6 (rules of 1 February 2026), for the hard positions by the engines that are right there.
"""

import pytest

from tests.official.dutch_cases import hard_cases, tournament_cases
from tourney.errors import TourneyError
from tourney.pairing.dutch import answer
from tourney.store.fide import dutch_pairs


def asked(case):
    """Return what the engine says, as pairs in board order, 0 for the bye; None where it refuses the round."""
    try:
        round_ = answer(case.question, dutch_pairs(case.question))
    except TourneyError as refused:
        return None if "cannot be paired" in refused.message else refused.message
    return (*(table.seats for table in round_.tables), *((player, 0) for player in round_.byes))


def compare(cases):
    wrong = [case.name for case in cases if asked(case) != case.expected]
    refused = sum(case.expected is None for case in cases)
    print(
        f"{len(cases)} golden Dutch rounds asked, {refused} of them unpairable, {len(wrong)} not as expected"
    )
    assert not wrong


def share(cases):
    """Return every sixth round of the smaller fields, and every round that cannot be paired."""
    small = [case for case in cases if len(case.question.players) <= 75]
    return [case for n, case in enumerate(small) if n % 6 == 4 or case.expected is None]


@pytest.mark.slow
def test_hard_positions():
    """The positions where engines went wrong are paired right."""
    cases = hard_cases()
    assert len(cases) >= 7
    compare(cases)


@pytest.mark.slow
def test_a_share_of_the_tournaments():
    """A share of the rounds of the groups g, wild and baku, the unpairable ones among them, is as expected."""
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


def test_board_order_is_ours():
    """Whatever order an engine answers in, the tables stand in the order of the golden rounds."""
    cases = [case for case in tournament_cases() if case.expected is not None]
    for case in cases:
        round_ = answer(case.question, sorted(case.expected))
        assert (*(t.seats for t in round_.tables), *((p, 0) for p in round_.byes)) == case.expected, case.name
    print(f"{len(cases)} golden rounds put in board order")
