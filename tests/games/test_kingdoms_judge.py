"""Red Kingdom & Blue Kingdom's arithmetic: funds, battles, the end."""

import pytest

from tourney.errors import TourneyError
from tourney.games.kingdoms.judge import Draw, battle, draws, funds, game_result


def test_the_printed_example_of_funds():
    """4 funds: two aces, four normal cards, or one ace and two normal ones (L124)."""
    assert funds([2, 1, 1]) == 4
    assert set(draws(4, 0, spend_all=True)) == {Draw(0, 2), Draw(4, 0), Draw(2, 1)}


def test_funds_need_not_be_spent_and_a_hand_never_exceeds_five():
    """n normal and a aces: n + 2a within the funds, the hand at most 5 (L118-120)."""
    assert set(draws(2, 4)) == {Draw(0, 0), Draw(1, 0), Draw(0, 1)}
    assert draws(9, 5) == (Draw(0, 0),)
    assert set(draws(9, 4, spend_all=True)) == {Draw(1, 0), Draw(0, 1)}
    for available in range(8):
        for hand in range(6):
            for draw in draws(available, hand):
                assert draw.cost <= available
                assert hand + draw.normal + draw.ace <= 5


def test_a_hand_has_at_most_five_cards():
    """Six in hand is a mistake at the table, not a question."""
    with pytest.raises(TourneyError, match="6 cards in hand"):
        draws(3, 6)


@pytest.mark.parametrize(
    ("swords", "shields", "extra", "winner"),
    [
        ([3], [2], {}, "attack"),
        ([2], [3], {}, "defense"),
        ([1, 2], [3], {}, None),
        ([0], [0, 1], {}, "defense"),
        ([2], [3], {"attack_offsets": [1, 1]}, "attack"),
        ([3], [2], {"defense_offsets": [1]}, None),
        ([3], [2], {"attack_offsets": [-2]}, "defense"),
    ],
)
def test_a_battle_is_won_by_the_higher_total(swords, shields, extra, winner):
    """Swords against shields with the offsets; equal totals are nobody's (Determination, L173-191)."""
    assert battle(swords, shields, **extra).winner == winner


@pytest.mark.parametrize(("swords", "shields"), [([], [1]), ([1, 1, 1], [1]), ([1], []), ([1], [1, 1, 1])])
def test_one_or_two_cards_on_either_side(swords, shields):
    """C, L165-169."""
    with pytest.raises(TourneyError, match="cards: "):
        battle(swords, shields)


@pytest.mark.parametrize(
    ("state", "result"),
    [
        ({}, None),
        ({"discarded": ["Red"]}, "Blue"),
        ({"discarded": ["Blue"]}, "Red"),
        ({"discarded": ["Blue", "Red"]}, "draw"),
        ({"discarded": ["Blue", "Red"], "tied_battle": True}, "draw"),
        ({"discarded": ["Red"], "tied_battle": True}, "Blue"),
        ({"discarded": ["Red"], "tied_battle": True, "monarch_tie": "plays on"}, None),
        ({"occupied": (5, 0)}, "Red"),
        ({"occupied": (0, 5)}, "Blue"),
        ({"occupied": (4, 0)}, None),
        ({"discarded": ["Blue"], "won_by": "Red"}, "Red"),
        ({"discarded": ["Red"], "won_by": "Red"}, None),
        ({"discarded": ["Red"], "won_by": "Red", "own_monarch": "loses"}, "Blue"),
        ({"discarded": ["Red", "Blue"], "won_by": "Red"}, "draw"),
        ({"discarded": ["Red"], "won_by": "Red", "occupied": (5, 0)}, "Red"),
    ],
)
def test_how_a_game_ends(state, result):
    """A monarch discarded loses, both draw, five areas win (L147-155); the tie is a setting."""
    assert game_result(**state) == result


@pytest.mark.parametrize(
    "state", [{"occupied": (4, 2)}, {"occupied": (-1, 0)}, {"tied_battle": True, "won_by": "Red"}]
)
def test_what_cannot_be_on_the_table_is_refused(state):
    """There are five areas (L76), and nobody wins a tie (L189)."""
    with pytest.raises(TourneyError, match=r"\(.*L(76|189)\)"):
        game_result(**state)


@pytest.mark.parametrize("available", range(12))
@pytest.mark.parametrize("hand", range(6))
def test_every_legal_draw_is_found(available, hand):
    """Against every number of cards of both kinds."""
    tried = {
        Draw(normal, ace)
        for normal in range(13)
        for ace in range(13)
        if normal + 2 * ace <= available and hand + normal + ace <= 5
    }
    assert set(draws(available, hand)) == tried
