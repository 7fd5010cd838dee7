"""Diamonsters' arithmetic: bids, collections, the end."""

import itertools

import pytest

from tourney.errors import TourneyError
from tourney.games.diamonsters.judge import (
    Bid,
    bid,
    diamonds,
    draw_deck,
    most_diamonds,
    pieces_to_win,
    round_ends,
)


@pytest.mark.parametrize(
    ("cards", "winner", "cancelled"),
    [
        ([2, 2, 4], 2, (0, 1)),  # L76: A and B alike, C wins
        ([5, 3, 3, 1], 3, (1, 2)),  # Example 1, L86-88
        ([5, 5, 3, 1], 2, (0, 1)),  # Example 2, L91-92
        ([1, 5], 0, ()),  # L73
        ([1, 1, 5], 2, (0, 1)),
        ([2, 2, 1], 2, (0, 1)),
        ([3, 3], None, (0, 1)),  # L80
        ([1, 3, 5], 0, ()),  # L73 as read
        ([4, 4, 2, 2], None, (0, 1, 2, 3)),
        ([1, 2, 3, 4], 3, ()),
    ],
)
def test_the_table_of_bids(cards, winner, cancelled):
    """Equal cards cancel, then Ichi beats Go, then the highest wins (Gameplay, L65-80)."""
    assert bid(cards) == Bid(winner, cancelled)


def test_the_narrower_reading_of_ichi_against_go():
    """Only if nothing else remains: then a third card lets Go win; alone the two are as before."""
    narrow = "only when nothing else remains"
    assert bid([1, 3, 5], ichi_beats_go=narrow).winner == 2
    assert bid([1, 5], ichi_beats_go=narrow).winner == 0
    assert bid([1, 3, 3, 5], ichi_beats_go=narrow).winner == 0


def by_the_text(cards, lone_ichi, ichi_beats_go):
    """The winner's seat, rule by rule: away with equals, Ichi against Go, the highest."""
    left = [(card, seat) for seat, card in enumerate(cards) if sum(card == other for other in cards) == 1]
    values = [card for card, _ in left]
    if not left or (values == [1] and 5 in cards and lone_ichi == "loses"):
        return None
    if 1 in values and 5 in values and (ichi_beats_go == "whenever both remain" or len(left) == 2):
        return min(left)[1]
    return max(left)[1]


@pytest.mark.parametrize("lone_ichi", ["loses", "wins"])
@pytest.mark.parametrize("ichi_beats_go", ["whenever both remain", "only when nothing else remains"])
@pytest.mark.parametrize("players", range(2, 7))
def test_every_bid_of_two_to_six_players(players, lone_ichi, ichi_beats_go):
    """All of them; who wins had the only card of its kind, and those who take back had not (L78)."""
    for cards in itertools.product(range(1, 6), repeat=players):
        made = bid(cards, lone_ichi=lone_ichi, ichi_beats_go=ichi_beats_go)
        assert made.winner == by_the_text(cards, lone_ichi, ichi_beats_go), cards
        assert all(cards.count(cards[seat]) > 1 for seat in made.cancelled)
        assert made.winner is None or cards.count(cards[made.winner]) == 1


def test_the_readings_of_ichis_and_gos():
    """A lone Ichi after equal Gos is left in defeat (L73), or wins (L78); equal Ichis go back, or beat Go first (L49)."""
    assert bid([5, 5, 1]).winner is None
    assert bid([5, 5, 1], lone_ichi="wins").winner == 2
    assert bid([5, 5, 3, 3, 1]).winner is None
    assert bid([2, 2, 1]).winner == 2
    beat = "beat Go all the same"
    assert bid([1, 1, 5], equal_ichis=beat).winner is None
    assert bid([1, 1, 5, 2], equal_ichis=beat).winner == 3
    assert bid([1, 5], equal_ichis=beat).winner == 0


@pytest.mark.parametrize(
    ("cards", "said"),
    [([6, 1], "value 6"), ([0, 1], "value 0"), ([3], "two players or more"), ([1] * 7, "for 2 to 6")],
)
def test_what_is_no_bid_is_refused(cards, said):
    """There are five monsters and at least two players."""
    with pytest.raises(TourneyError, match=said):
        bid(cards)


@pytest.mark.parametrize(
    ("collection", "worth", "ends"),
    [
        ([2, 2, 5], 5, "diamonds"),
        ([2, 2, 5, 4], 3, None),
        ([3, 3, 3], 0, "three of one monster"),
        ([4, 4, 4], -6, "three of one monster"),
        ([2, 2, 2], 6, "three of one monster"),
        ([2, 2, 1, 5], 6, "diamonds"),
        ([], 0, None),
        ([4], -2, None),
    ],
)
def test_when_a_collection_ends_the_round(collection, worth, ends):
    """Three alike or five diamonds (Round End, L96-99), Ichi and Go read as one each."""
    assert diamonds(collection) == worth
    assert round_ends(collection) == ends


def test_the_readings_are_settings():
    """Six diamonds do not end a round that asks for exactly five; Ichi and Go may be worth nothing."""
    assert round_ends([2, 2, 1, 5], total="exactly 5") is None
    assert round_ends([2, 2, 5], total="exactly 5") == "diamonds"
    assert diamonds([1, 5, 2], ichi=0, go=0) == 2


def test_pieces_and_draw_deck_by_players():
    """Game End, L107-109; Setup, L53-61; two to six players."""
    assert [pieces_to_win(players) for players in (2, 3, 4, 6)] == [5, 4, 3, 3]
    assert [draw_deck(players) for players in (2, 6)] == [50, 30]
    for players in (1, 7):
        with pytest.raises(TourneyError, match=f"^{players} player"):
            pieces_to_win(players)


def test_when_the_cards_run_out_most_diamonds_win():
    """L82; equals are told as equals."""
    assert most_diamonds({"a": [2, 2], "b": [5], "c": [4]}) == ("a",)
    assert most_diamonds({"a": [2], "b": [5, 1]}) == ("a", "b")


@pytest.mark.parametrize(("ichi", "go"), [(1, 1), (0, 0), (2, 3)])
def test_every_collection_against_the_text_counted_out(ichi, go):
    """Up to four of each monster: Ni 2, Shi −2, three of one monster, five diamonds (Card Rules, L45-49; Round End, L98-99)."""
    for counts in itertools.product(range(5), repeat=5):
        cards = [card for card, number in enumerate(counts, start=1) for _ in range(number)]
        worth = sum({1: ichi, 2: 2, 3: 0, 4: -2, 5: go}[card] for card in cards)
        assert diamonds(cards, ichi=ichi, go=go) == worth
        for total, enough in (("at least 5", worth >= 5), ("exactly 5", worth == 5)):
            why = "three of one monster" if max(counts) >= 3 else "diamonds" if enough else None
            assert round_ends(cards, ichi=ichi, go=go, total=total) == why, cards
