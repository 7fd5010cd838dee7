"""Diamonsters' arithmetic: bids, collections, the end."""

import itertools
from collections import Counter

import pytest
from click.testing import CliRunner

from tests.kit import with_rows
from tourney.cli import root
from tourney.errors import TourneyError
from tourney.games.diamonsters.judge import (
    BidResult,
    Diamonds,
    collection,
    game,
    resolve_bid,
    round_,
)


@with_rows(
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
    assert resolve_bid(cards) == BidResult(winner, cancelled)


def test_the_narrower_reading_of_ichi_against_go():
    """Only if nothing else remains: then a third card lets Go win; alone the two are as before."""
    narrow = "only when nothing else remains"
    assert resolve_bid([1, 3, 5], ichi_beats_go=narrow).winner == 2
    assert resolve_bid([1, 5], ichi_beats_go=narrow).winner == 0
    assert resolve_bid([1, 3, 3, 5], ichi_beats_go=narrow).winner == 0


def by_the_text(cards, lone_ichi, ichi_beats_go):
    """Return the winner's seat: equal cards cancel, Ichi beats Go, the highest wins."""
    left = [(card, seat) for seat, card in enumerate(cards) if sum(card == other for other in cards) == 1]
    values = [card for card, _ in left]
    if not left or (values == [1] and 5 in cards and lone_ichi == "loses"):
        return None
    if 1 in values and 5 in values and (ichi_beats_go == "whenever both remain" or len(left) == 2):
        return min(left)[1]
    return max(left)[1]


@with_rows("lone_ichi", ["loses", "wins"])
@with_rows("ichi_beats_go", ["whenever both remain", "only when nothing else remains"])
@with_rows("players", range(2, 7))
def test_every_bid_of_two_to_six_players(players, lone_ichi, ichi_beats_go):
    """A winner has the only card of its kind; players who take a card back do not (L78)."""
    for cards in itertools.product(range(1, 6), repeat=players):
        made = resolve_bid(cards, lone_ichi=lone_ichi, ichi_beats_go=ichi_beats_go)
        assert made.winner == by_the_text(cards, lone_ichi, ichi_beats_go), cards
        assert all(cards.count(cards[seat]) > 1 for seat in made.cancelled)
        assert made.winner is None or cards.count(cards[made.winner]) == 1


def test_the_readings_of_ichis_and_gos():
    """A lone Ichi after equal Gos loses (L73) or wins (L78); equal Ichis beat Go first or not."""
    assert resolve_bid([5, 5, 1]).winner is None
    assert resolve_bid([5, 5, 1], lone_ichi="wins").winner == 2
    assert resolve_bid([5, 5, 3, 3, 1]).winner is None
    assert resolve_bid([2, 2, 1]).winner == 2
    beat = "beat Go all the same"
    assert resolve_bid([1, 1, 5], equal_ichis=beat).winner is None
    assert resolve_bid([1, 1, 5, 2], equal_ichis=beat).winner == 3
    assert resolve_bid([1, 5], equal_ichis=beat).winner == 0


@with_rows(
    ("cards", "message"),
    [([6, 1], "value 6"), ([0, 1], "value 0"), ([3], "two players or more"), ([1] * 7, "for 2 to 6")],
)
def test_an_impossible_bid_is_refused(cards, message):
    """There are five monsters and at least two players."""
    with pytest.raises(TourneyError, match=message):
        resolve_bid(cards)


@with_rows(
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
    assert Diamonds().count(collection) == worth
    assert Diamonds().ending(collection) == ends


def test_the_readings_are_settings():
    """For example, six diamonds do not end a round that needs exactly five."""
    assert Diamonds(total="exactly 5").ending([2, 2, 1, 5]) is None
    assert Diamonds(total="exactly 5").ending([2, 2, 5]) == "diamonds"
    assert Diamonds(ichi=0, go=0).count([1, 5, 2]) == 2


def test_the_pieces_that_win_by_players():
    """Two to six players (Game End, L107-109)."""
    answers = [game(dict.fromkeys("ABCDEF"[:players], 0)) for players in (2, 3, 4, 6)]
    assert [answer.value["needed"] for answer in answers] == [5, 4, 3, 3]
    for players in (1, 7):
        with pytest.raises(TourneyError, match=f"^{players} player"):
            game(dict.fromkeys("ABCDEFG"[:players], 0))


@with_rows(("ichi", "go"), [(1, 1), (0, 0), (2, 3)])
def test_every_collection_against_the_text_counted_out(ichi, go):
    """Up to four of each monster: Ni 2, Shi −2, three alike, five diamonds (L45-49, L98-99)."""
    for counts in itertools.product(range(5), repeat=5):
        cards = [card for card, number in enumerate(counts, start=1) for _ in range(number)]
        worth = sum({1: ichi, 2: 2, 3: 0, 4: -2, 5: go}[card] for card in cards)
        assert Diamonds(ichi, go).count(cards) == worth
        for total, enough in (("at least 5", worth >= 5), ("exactly 5", worth == 5)):
            why = "three of one monster" if max(counts) >= 3 else "diamonds" if enough else None
            assert Diamonds(ichi, go, total).ending(cards) == why, cards


# -- against enumerations of the text, written down anew


@with_rows("players", [2, 3, 4])
def test_every_game_piece_by_piece(players):
    """The first with 5, 4 or 3 plastic diamonds ends the game (L105-109), so no other has them."""
    names, needed = "ABCD"[:players], {2: 5, 3: 4, 4: 3}[players]
    for pieces in itertools.product(range(needed + 2), repeat=players):
        pieces_by_name = dict(zip(names, pieces, strict=True))
        if max(pieces) > needed or pieces.count(needed) > 1:
            with pytest.raises(TourneyError, match="L105"):
                game(pieces_by_name)
            continue
        value = game(pieces_by_name).value
        assert value["winner"] == (names[pieces.index(needed)] if needed in pieces else None)
        assert value["missing"] == {name: needed - have for name, have in pieces_by_name.items()}


def test_every_round_of_two_small_collections():
    """Three alike or five diamonds win the round, for one player only (L96-101).

    With deck and discards empty, the most diamonds win, and equal numbers are not decided (L82).
    """
    worth = {1: 1, 2: 2, 3: 0, 4: -2, 5: 1}
    hands = [
        hand for number in range(4) for hand in itertools.combinations_with_replacement(range(1, 6), number)
    ]
    for one, other in itertools.product(hands, repeat=2):
        collections = {"A": one or (None,), "B": other or (None,)}
        totals = {"A": sum(map(worth.get, one)), "B": sum(map(worth.get, other))}
        done = [
            name
            for name, hand in (("A", one), ("B", other))
            if any(hand.count(card) >= 3 for card in hand) or totals[name] >= 5
        ]
        for out in (False, True):
            if len(done) == 2:
                with pytest.raises(TourneyError, match="L96"):
                    round_(collections, cards_out=out)
                continue
            value = round_(collections, cards_out=out).value
            assert value["diamonds"] == totals
            best = [name for name in totals if totals[name] == max(totals.values())]
            winner = done[0] if done else best[0] if out and len(best) == 1 else None
            assert value["winner"] == winner, (one, other, out)
            assert value["tied"] == (best if out and not done and len(best) > 1 else [])


def can_be_collected(cards, ends):
    """Return whether wins of two cards each can lead to these cards in a running round.

    By L67 and L96-99, with every order tried.
    """
    todo, seen = [()], set()
    while todo:
        collection = todo.pop()
        if collection == cards:
            return True
        if collection in seen or ends(collection):
            continue
        seen.add(collection)
        left = list((Counter(cards) - Counter(collection)).elements())
        todo += [tuple(sorted((*collection, *pair))) for pair in itertools.combinations(left, 2)]
    return False


@with_rows(("ichi", "go"), [(1, 1), (0, 0), (3, 2)])
@with_rows("total", ["at least 5", "exactly 5"])
def test_whole_collections_that_cannot_be_are_refused(ichi, go, total):
    """Every even collection of up to six cards; a part of a possible one is counted."""
    readings = {"ichi_diamonds": ichi, "go_diamonds": go, "round_diamonds": total}

    def ends(cards):
        return Diamonds(ichi, go, total).ending(cards) is not None

    for number in (0, 2, 4, 6):
        for cards in itertools.combinations_with_replacement(range(1, 6), number):
            if can_be_collected(cards, ends):
                assert collection(cards, **readings).value["ends_round"] == ends(cards)
            elif max(Counter(cards).values()) > 4:
                with pytest.raises(TourneyError, match="L67"):
                    collection(cards, **readings)


@with_rows("cards", ["5", "1 3", "1 5 2", "2 3", "3 4", ""])
def test_an_answer_that_depends_on_the_diamonds_of_ichi_or_go_says_so(cards):
    """One diamond for each is nowhere printed; only such an answer names the reading."""
    output = CliRunner().invoke(root, ["judge", "diamonsters", "collection", *cards.split()]).stdout
    assert ("go_diamonds" in output) == ("5" in cards)
    assert ("ichi_diamonds" in output) == ("1" in cards)
    done = CliRunner().invoke(
        root, ["judge", "diamonsters", "round", f"Ada={'/'.join(cards.split()) or '-'}", "Ben=3/4",
            "--cards-out"]
    ).stdout  # fmt: skip
    assert ("go_diamonds" in done) == ("5" in cards)
    assert ("ichi_diamonds" in done) == ("1" in cards)


@with_rows("lone_ichi", ["loses", "wins"])
def test_every_bid_where_equal_ichis_beat_a_go(lone_ichi):
    """L49: a Go loses to an Ichi, though equal Ichis go back (L71); then the highest card wins."""
    for players in range(2, 5):
        for cards in itertools.product(range(1, 6), repeat=players):
            single = [card for card in cards if cards.count(card) == 1]
            if cards.count(1) > 1 and 5 in single:
                single.remove(5)
            if not single or (single == [1] and cards.count(5) > 1 and lone_ichi == "loses"):
                winner = None
            else:
                winner = cards.index(1 if {1, 5} <= set(single) else max(single))
            assert (
                resolve_bid(cards, equal_ichis="beat Go all the same", lone_ichi=lone_ichi).winner == winner
            ), cards
