"""DimRift's arithmetic: rifts, vehicles, the end of a duel."""

import itertools

import pytest

from tourney.errors import TourneyError
from tourney.games.dimrift.judge import GAME, Stats, duel_result, rift_cost
from tourney.games.questions import Thing


@pytest.mark.parametrize(
    ("opened", "summoned", "life"), [(3, 1, 6), (3, 3, 0), (1, 0, 3), (0, 0, 0), (3, 0, 9)]
)
def test_each_missing_rank_costs_three_life(opened, summoned, life):
    """The page's example: opened 3, best summoned 1: 6 life."""
    assert rift_cost(opened, summoned) == life


@pytest.mark.parametrize(("opened", "summoned"), [(4, 1), (2, -1), (1, 2)])
def test_ranks_that_cannot_be_are_refused(opened, summoned):
    """Ranks go from 0 to 3, and nothing comes through a smaller rift."""
    with pytest.raises(TourneyError, match="rank"):
        rift_cost(opened, summoned)


def test_a_crewed_vehicle_adds_its_stats():
    """Attack, life, armor and movement are combined (L38); a vehicle moves (L35)."""
    assert Stats(2, 3, 0, 1).crewing(Stats(1, 0, 2, 2)) == Stats(3, 3, 2, 3)
    with pytest.raises(TourneyError, match="movement"):
        Stats(2, 3).crewing(Stats(1, 1))


def test_both_at_zero_is_a_draw():
    """Nobody, one, or both: the duel goes on, is won, is drawn."""
    assert duel_result({"a": 3, "b": 1}) is None
    assert duel_result({"a": 3, "b": 0}) == ("a",)
    assert duel_result({"a": 0, "b": -2}) == ("a", "b")


# -- against enumerations of the text, written down anew


def answer(name, **typed):
    question = next(each for each in GAME.questions if each.name == name)
    return question.answer(**typed)


def test_every_rift_rank_by_rank():
    """Three life for each rank from the best summoned up to the rift's (elsewhere: rules/turn-structure)."""
    for opened, summoned in itertools.product(range(-1, 6), repeat=2):
        if not (0 <= summoned <= opened <= 3):
            with pytest.raises(TourneyError, match="rank"):
                rift_cost(opened, summoned)
            continue
        lost = sum(3 for rank in range(1, 4) if summoned < rank <= opened)
        assert (
            rift_cost(opened, summoned)
            == lost
            == answer("rift", opened=opened, summoned=summoned).value["life"]
        )


def test_every_duel_of_small_lives():
    """Who is at 0 has lost, both at 0 is a draw (elsewhere: wiki/Winning_Condition)."""
    for one, other in itertools.product(range(-2, 4), repeat=2):
        alive = {name for name, life in (("A", one), ("B", other)) if life >= 1}
        found = duel_result({"A": one, "B": other})
        assert found == {2: None, 1: tuple(alive), 0: ("A", "B")}[len(alive)]


def test_every_crew_step_by_step():
    """One movement point for crewing (L35), out of a movement above 0; attack, life, armor and movement are combined (L38)."""
    for attack, movement, moved, own in itertools.product(range(3), range(4), range(4), range(3)):
        cards = (Thing("", (2, 3, own, own)), Thing("", (attack, 0, 1, movement)))
        points = ["point"] * movement
        if not points or len(points[moved:]) < 1:
            with pytest.raises(TourneyError, match="L35"):
                answer("crew", cards=cards, moved=moved)
            continue
        value = answer("crew", cards=cards, moved=moved).value
        assert value == {
            "attack": 2 + attack, "life": 3, "armor": own + 1, "movement": own + movement,
            "vehicle_movement_left": len(points[moved:][1:]),
        }  # fmt: skip


ARTIFACTS = ("artifact", "equipment", "vehicle", "scroll", "trap")


def test_every_zone_for_every_card():
    """An eligible zone is of the card's type, on one's own side, empty and active (L13); artifacts have four subtypes (L7)."""
    for kind, zone in itertools.product(
        ("creature", *ARTIFACTS, "monument"), ("creature", "artifact", "monument")
    ):
        for enemy, occupied, inactive in itertools.product((False, True), repeat=3):
            right = kind in ARTIFACTS if zone == "artifact" else kind == zone
            value = answer(
                "zone", type_=kind, zone=zone, enemy=enemy, occupied=occupied, inactive=inactive
            ).value
            assert value["eligible"] == (right and {enemy, occupied, inactive} == {False})
            assert len(value["failed"]) == (not right) + enemy + occupied + inactive


def by_the_text(kind, how, *, paid, extra, targeted, triggered, set_this_turn):
    """What becomes of a card: `no` where it may not be played so, `set`, `summoned`, `graveyard` or `destroyed`."""
    if how == "face-up":
        if kind == "trap":  # L44: must first be set
            return "no"
        return "summoned" if paid else "graveyard"  # L15
    if extra or kind == "monument":  # L17: only summoned, face-up
        return "no"
    if how == "set":  # L16: no cost, not summoned yet
        return "set"
    if kind == "creature" and not targeted:  # L21: cannot be flipped directly
        return "no"
    if kind == "trap" and (
        set_this_turn or not triggered
    ):  # L44; L45: only when one of its effects would trigger
        return "no"
    return "summoned" if paid else "destroyed"  # L16


def test_every_way_to_play_every_card():
    """Face-up, set or flipped; with and without what it costs; from the Extra Deck; targeted, triggered, set this turn."""
    for kind, how, cost, available, knowledge in itertools.product(
        ("creature", *ARTIFACTS, "monument"), ("face-up", "set", "flip"), (0, 2), (0, 1, 2, 3), (0, 2)
    ):
        for flags in itertools.product((False, True), repeat=4):
            marks = dict(zip(("extra", "targeted", "triggered", "set_this_turn"), flags, strict=True))
            fate = by_the_text(kind, how, paid=available >= cost, **marks)
            typed = {
                "type_": kind, "how": how, "cost": cost, "available": available, "knowledge": knowledge, **marks,
            }  # fmt: skip
            if fate == "summoned" and kind == "vehicle" and knowledge:
                with pytest.raises(TourneyError, match="L38"):
                    answer("play", **typed)
                continue
            found = answer("play", **typed)
            assert found.value["summoned"] == (fate == "summoned"), typed
            assert found.value["played"] == (fate != "no"), typed
            if fate == "summoned":
                assert found.value["left"] == available - cost
                assert found.value["mana"] == (0 if kind in {"scroll", "trap", "vehicle"} else knowledge)
            if fate in {"graveyard", "destroyed"}:
                assert fate in found.short.casefold()
