"""Red Kingdom & Blue Kingdom's arithmetic: funds, battles, the end."""

import itertools

import pytest

from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.games.kingdoms.judge import (
    AreaFunds,
    BattleCard,
    Draw,
    Offset,
    battle,
    funds,
    game_result,
    legal_draws,
    spending_draws,
)


def test_the_printed_example_of_funds():
    """4 funds: two aces, four normal cards, or one ace and two normal ones (L124)."""
    assert set(spending_draws(4, 0)) == {Draw(0, 2), Draw(4, 0), Draw(2, 1)}


def test_funds_need_not_be_spent_and_a_hand_never_exceeds_five():
    """n normal and a aces: n + 2a within the funds, the hand at most 5 (L118-120)."""
    assert set(legal_draws(2, 4)) == {Draw(0, 0), Draw(1, 0), Draw(0, 1)}
    assert legal_draws(9, 5) == [Draw(0, 0)]
    assert set(spending_draws(9, 4)) == {Draw(1, 0), Draw(0, 1)}
    for available in range(8):
        for hand in range(6):
            for draw in legal_draws(available, hand):
                assert draw.cost <= available
                assert hand + draw.normal + draw.ace <= 5


def test_a_hand_has_at_most_five_cards():
    """Six cards in hand are a mistake at the table, so the question is refused."""
    with pytest.raises(TourneyError, match="6 cards in hand"):
        legal_draws(3, 6)


@with_rows(("swords", "shields"), [([], [1]), ([1, 1, 1], [1]), ([1], []), ([1], [1, 1, 1])])
def test_one_or_two_cards_on_either_side(swords, shields):
    """C, L165-169."""
    with pytest.raises(TourneyError, match="cards: "):
        battle((tuple(map(BattleCard, swords)), tuple(map(BattleCard, shields))))


@with_rows(
    ("state", "result"),
    [
        ({}, None),
        ({"discarded": ["Red"]}, "Blue"),
        ({"discarded": ["Blue"]}, "Red"),
        ({"discarded": ["Blue", "Red"]}, "draw"),
        ({"discarded": ["Blue", "Red"], "won": "tie"}, "draw"),
        ({"discarded": ["Red"], "won": "tie"}, "Blue"),
        ({"discarded": ["Red"], "won": "tie", "monarch_tie": "plays on"}, None),
        ({"occupied": (5, 0)}, "Red"),
        ({"occupied": (0, 5)}, "Blue"),
        ({"occupied": (4, 0)}, None),
        ({"discarded": ["Blue"], "won": "Red"}, "Red"),
        ({"discarded": ["Red"], "won": "Red"}, None),
        ({"discarded": ["Red"], "won": "Red", "own_monarch": "loses"}, "Blue"),
        ({"discarded": ["Red", "Blue"], "won": "Red"}, "draw"),
        ({"discarded": ["Red"], "won": "Red", "occupied": (5, 0)}, "Red"),
    ],
)
def test_how_a_game_ends(state, result):
    """A discarded monarch loses, two are a draw, five areas win (L147-155)."""
    assert game_result(**state) == result


@with_rows("state", [{"occupied": (4, 2)}, {"occupied": (-1, 0)}])
def test_an_impossible_state_is_refused(state):
    """There are five areas (L76)."""
    with pytest.raises(TourneyError, match="L76"):
        game_result(**state)


@with_rows("available", range(12))
@with_rows("hand", range(6))
def test_every_legal_draw_is_found(available, hand):
    """Compared with all numbers of cards of both kinds."""
    tried = {
        Draw(normal, ace)
        for normal in range(13)
        for ace in range(13)
        if normal + 2 * ace <= available and hand + normal + ace <= 5
    }
    assert set(legal_draws(available, hand)) == tried


RED, BLUE = ("Prince", "Knight", "Page"), ("Princess", "Guard", "Rearguard")
SIDES = [some for number in (1, 2) for names in (RED, BLUE) for some in itertools.permutations(names, number)]


def by_the_sheet(
    attackers, defenders, swords, shields, monarch_tie, own_monarch, rearguard_wins, tied_rearguard
):
    """Return the owner of the area and the result of the game for each card that can be kept."""
    red_attacks = attackers[0] in RED
    winner = None if swords == shields else "attack" if swords > shields else "defense"
    lost = set(attackers + defenders)
    saved = {"attack": True, "defense": rearguard_wins != "one card is kept",
             None: tied_rearguard == "goes back to hand"}  # fmt: skip
    saving = defenders[0] == "Rearguard" and saved[winner]
    if saving:
        lost -= set(defenders[1:])  # L39: "the area you occupied with this card and you add another card"
    fallen = {"Prince", "Princess"} & lost
    if winner is None:
        if len(fallen) == 2:
            return None, {"": "draw"}
        if not fallen or monarch_tie == "plays on":
            return None, {"": None}
        return None, {"": "Blue" if fallen == {"Prince"} else "Red"}
    mine = attackers if winner == "attack" else defenders[:1] if saving else defenders
    side = "Red" if red_attacks == (winner == "attack") else "Blue"
    results = {}
    for kept in mine:
        gone = fallen - {kept}
        if len(gone) == 2:
            results[kept] = "draw"
        elif not gone:
            results[kept] = None
        elif (gone == {"Prince"}) != (side == "Red"):
            results[kept] = side
        else:
            results[kept] = None if own_monarch == "plays on" else "Blue" if side == "Red" else "Red"
    return side, results


@with_rows("monarch_tie", ["loses", "plays on"])
@with_rows("own_monarch", ["plays on", "loses"])
@with_rows("rearguard_wins", ["one card is kept", "the other goes back to hand"])
@with_rows("tied_rearguard", ["goes back to hand", "is discarded"])
def test_every_battle_of_the_two_kingdoms(monarch_tie, own_monarch, rearguard_wins, tied_rearguard):
    """One or two cards on each side, won, lost and tied: owner, kept cards, result."""
    readings = {
        "monarch_tie": monarch_tie,
        "own_monarch": own_monarch,
        "rearguard_wins": rearguard_wins,
        "tied_rearguard": tied_rearguard,
    }
    for attackers, defenders in itertools.product(SIDES, SIDES):
        if (attackers[0] in RED) == (defenders[0] in RED):
            continue
        for swords, shields in ((5, 3), (3, 5), (4, 4)):
            groups = tuple(
                tuple(BattleCard(0 if place else points, name) for place, name in enumerate(names))
                for names, points in ((attackers, swords), (defenders, shields))
            )
            value = battle(groups, attacker="red" if attackers[0] in RED else "blue", **readings).value
            side, results = by_the_sheet(attackers, defenders, swords, shields, **readings)
            assert value["area"] == side
            if side is None:
                assert value["result"] == results[""], (attackers, defenders)
                continue
            assert set(value["keep"]) == set(results)
            result = value["result"]
            assert (result if isinstance(result, dict) else dict.fromkeys(results, result)) == results, (
                attackers,
                defenders,
            )


@with_rows(
    ("keep", "left"), [("Prince", ["Prince"]), ("prince", ["Prince"]), ("2", ["the 2"]), ("the 2", ["the 2"])]
)
def test_the_kept_card_is_named_as_in_the_answer(keep, left):
    """A card without a name by its points. The names in the error are accepted."""
    cards = ((BattleCard(3, "Prince"), BattleCard(2)), (BattleCard(4),))
    assert battle(cards, keep=keep).value["keep"] == left
    with pytest.raises(TourneyError, match="Prince or the 2 may stay"):
        battle(cards, keep="3")


# -- against enumerations of the sheet, written down anew


@with_rows("spend", ["may be left", "must be spent"])
def test_funds_are_spent_card_by_card(spend):
    """A normal card costs 1 and an ace 2 (L116-120), while the hand has room (L118).

    By the reading that funds must be spent, only if nothing more can be drawn, or with a full hand.
    """
    for areas in itertools.product(range(4), repeat=3):
        for hand in range(6):
            ways, todo = set(), {(0, 0)}
            while todo:
                normal, ace = todo.pop()
                ways.add((normal, ace))
                left = sum(areas) - normal - 2 * ace
                if hand + normal + ace < 5:
                    more = {(normal + 1, ace)} if left >= 1 else set()
                    more |= {(normal, ace + 1)} if left >= 2 else set()
                    todo |= more - ways
            if spend == "must be spent":
                ways = {
                    (normal, ace)
                    for normal, ace in ways
                    if normal + 2 * ace == sum(areas) or hand + normal + ace == 5
                }
            value = funds(tuple(map(AreaFunds, areas)), hand=hand, spend=spend).value
            assert value["funds"] == sum(areas)
            assert {(draw["normal"], draw["ace"]) for draw in value["draws"]} == ways


@with_rows("monarch_tie", ["loses", "plays on"])
@with_rows("own_monarch", ["plays on", "loses"])
def test_every_state_of_a_game(monarch_tie, own_monarch):
    """A discarded monarch loses, two are a draw (L149-151), all areas win (L153).

    A tie, and a winner who discards the own monarch, follow the readings.
    """
    sides = ("Red", "Blue")
    for number in range(3):
        for discarded in itertools.combinations(sides, number):
            for won in (None, "tie", *sides):
                for red, blue in itertools.product(range(6), repeat=2):
                    if red + blue > 5 or (discarded and won is None):
                        continue
                    losers = {
                        side
                        for side in discarded
                        if not (won == "tie" and monarch_tie == "plays on")
                        and not (won == side and own_monarch == "plays on")
                    }
                    if len(discarded) == 2:
                        expected = "draw"
                    elif losers:
                        (loser,) = losers
                        expected = "Blue" if loser == "Red" else "Red"
                    else:
                        expected = "Red" if red == 5 else "Blue" if blue == 5 else None
                    result = game_result(
                        discarded=discarded, occupied=(red, blue), won=won, monarch_tie=monarch_tie,
                        own_monarch=own_monarch,
                    )  # fmt: skip
                    assert result == expected, (discarded, won, red, blue)


def test_every_sum_of_a_battle():
    """Swords against shields with offsets (L173-177): the higher total wins (L181, L189)."""
    for swords, shields, mine, theirs in itertools.product((1, 2), (1, 2), range(-1, 2), range(-1, 2)):
        for points in itertools.product(range(3), repeat=swords + shields):
            attack = sum(points[:swords]) + mine
            defense = sum(points[swords:]) + theirs
            cards = (tuple(map(BattleCard, points[:swords])), tuple(map(BattleCard, points[swords:])))
            value = battle(cards, area=Offset(mine, theirs)).value
            assert (value["attack"], value["defense"]) == (attack, defense)
            assert value["winner"] == (
                None if attack == defense else "attack" if attack > defense else "defense"
            )
