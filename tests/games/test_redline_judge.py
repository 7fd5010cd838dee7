"""REDLINE's calculators: captures, shots, order of play, Scramble."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.games.redline.judge import (
    CAPTURE_BONUS,
    Aim,
    Efreet,
    Initiative,
    Unit,
    at_least,
    capture,
    capture_chance,
    capture_sums,
    chain,
    engagement,
    entrenched_damage,
    playing_order,
    scramble,
    shots,
    tactical_victory,
    volley,
)

LETTERS = {"L": "light", "M": "medium", "H": "heavy"}
# favourable rolls for costs 2 to 8, counted by hand
CAPTURES = {
    "L": ([3, 2, 1, 0, 0, 0, 0], 6),
    "M": ([5, 4, 3, 2, 1, 0, 0], 6),
    "H": ([6, 6, 5, 4, 3, 2, 1], 6),
    "LL": ([26, 21, 15, 10, 6, 3, 1], 36),
    "MM": ([36, 35, 33, 30, 26, 21, 15], 36),
    "LH": ([36, 35, 33, 30, 26, 21, 15], 36),
    "HH": ([36, 36, 36, 36, 36, 35, 33], 36),
}


@with_rows("squad", CAPTURES)
def test_the_table_of_capture_chances(squad):
    """Squads of one and two against costs 2 to 8 (Capturing Missions, L216-222)."""
    favourable, total = CAPTURES[squad]
    sums = capture_sums([LETTERS[letter] for letter in squad])
    assert sum(sums.values()) == total
    counted = [sum(ways for reached, ways in sums.items() if reached >= cost) for cost in range(2, 9)]
    assert counted == favourable


@with_rows("squad", ["LMH", "LLL", "HHH", "MMH"])
def test_larger_squads_against_every_roll_counted_one_by_one(squad):
    """Three dice: 216 rolls, each tried."""
    classes = [LETTERS[number] for number in squad]
    bonus = sum(CAPTURE_BONUS[class_] for class_ in classes)
    for cost in range(-3, 26):
        counted = sum(sum(roll) + bonus >= cost for roll in itertools.product(range(1, 7), repeat=3))
        assert capture_chance(classes, 0, cost) == Fraction(counted, 216)
    assert capture_chance(["light", "light"], 0, 3) == Fraction(7, 12)


def test_the_hardened_bunker():
    """Printed 2, with one counter 3; taking it at 3 deals 2 (L232-234, L275-277)."""
    value = capture((Efreet("light"),), cost=2, counters=1).value
    assert (value["cost"], value["capture_damage"]) == (3, 2)


def test_the_printed_shots():
    """Speed 5, +2, roll 4 hits (L253); Salvo, roll 9 at speed 6 hits (L397)."""
    first, second = Aim(speed=5, accuracy=2).fire(4), Aim(speed=6, accuracy=-2).fire(9)
    assert (first.total, first.hit, first.critical) == (6, True, False)
    assert (second.total, second.hit, second.critical) == (7, True, False)


@with_rows(
    ("face", "speed", "accuracy", "entrenched", "hit", "critical"),
    [
        (5, 6, 0, False, False, False),
        (6, 6, 0, False, True, True),
        (5, 6, 1, False, True, True),
        (12, 12, 0, False, True, True),
        (12, 15, -2, False, True, True),
        (12, 15, -2, True, True, False),
        (6, 6, 0, True, True, False),
        (11, 6, 1, False, True, False),
    ],
)
def test_hits_and_critical_hits(face, speed, accuracy, entrenched, hit, critical):
    """A total equal to the speed, or a face of 12, unless entrenched (L255, L283, L563)."""
    fired = Aim(speed=speed, accuracy=accuracy, entrenched=int(entrenched)).fire(face)
    assert (fired.hit, fired.critical) == (hit, critical)


def faces(aim):
    """Return how many faces hit and how many hit critically."""
    fired = aim.shots().values()
    return sum(shot.hit for shot in fired), sum(shot.critical for shot in fired)


@with_rows("speed", range(1, 13))
def test_the_faces_of_a_plain_shot(speed):
    """13 less the speed hit; two faces are critical, one if the speed is 12."""
    assert faces(Aim(speed=speed)) == (13 - speed, 1 if speed == 12 else 2)


def test_accuracy_moves_hits_not_criticals():
    """Speed 6: -2 hits with 5 faces, +2 with 9; two criticals either way."""
    assert faces(Aim(speed=6, accuracy=-2)) == (5, 2)
    assert faces(Aim(speed=6, accuracy=2)) == (9, 2)
    assert faces(Aim(speed=6, entrenched=1)) == (7, 0)


@with_rows("face", [0, 13])
def test_a_die_shows_one_to_twelve(face):
    """Another face is a typing error."""
    with pytest.raises(TourneyError, match=f"a d12 cannot show {face}"):
        Aim(speed=6).fire(face)


def test_the_fast_fire_first_and_equals_together():
    """By speed, high first (L242-247)."""
    units = (Unit("a", 4, "A"), Unit("b", 6, "A"), Unit("c", 4, "B"), Unit("d", 1, "B"))
    fires = engagement(units, initiative=(Initiative("B"),)).value["fires"]
    assert [fire["units"] for fire in fires] == [["b"], ["a", "c"], ["d"]]


def test_entrenchment_absorbs():
    """One counter, one damage (L283)."""
    assert entrenched_damage(3, 2) == (1, 0)
    assert entrenched_damage(1, 4) == (0, 3)


@with_rows(("damage", "destroyed"), [(2, False), (3, True), (4, True)])
def test_damage_equal_to_the_armor_destroys(damage, destroyed):
    """With 1 earlier damage, 3 more destroy an armor of 4 (L269): for a roll, and as a chance."""
    target = {"damage": damage, "armor": 4, "taken": 1}
    assert shots(5, roll=7, **target).value["destroyed"] is destroyed
    assert shots(5, **target).value["destroyed"] == (Fraction(8, 12) if destroyed else 0)


def test_the_highest_roll_acts_last():
    """Initiative (L146); three players in Scramble (L415); equal rolls are rolled again."""
    assert playing_order({"a": 9, "b": 2, "c": 5}) == ["b", "c", "a"]
    with pytest.raises(TourneyError, match="a and c rolled the same") as refusal:
        playing_order({"a": 5, "b": 2, "c": 5})
    assert refusal.value.hint == "roll again: the rules have no tie-break"


def scramble_winners(counts, **options):
    """Return the winners of a Scramble: players `a`, `b` and `c`, of whom those without a count are out."""
    missions = {player: (counts.get(player, "out"),) for player in "abc"}
    return scramble(missions, **options).value["winners"]


def test_scramble_is_won_at_25_or_by_most_missions():
    """L410-413; a tie at the end is not decided, and the last player left wins."""
    assert scramble_winners({"a": 24, "b": 10, "c": 0}) == []
    assert scramble_winners({"a": 26, "b": 10, "c": 0}) == ["a"]
    assert scramble_winners({"a": 9, "b": 10, "c": 3}, missions_out=True) == ["b"]
    assert scramble_winners({"a": 10, "b": 10, "c": 3}, missions_out=True) == ["a", "b"]
    assert scramble_winners({"c": 3}) == ["c"]


def test_scramble_is_won_by_the_first_to_reach_the_count():
    """L410: not by the highest count above 25."""
    counts = {"a": 25, "b": 30, "c": 3}
    assert scramble_winners(counts) == ["a", "b"]
    assert scramble_winners(counts, first="a") == ["a"]
    assert scramble_winners(counts, first="b", missions_out=True) == ["b"]
    with pytest.raises(TourneyError, match="c has not reached"):
        scramble_winners(counts, first="c")


@with_rows(
    ("owners", "at", "winner"),
    [
        ("AAAAA", "turn", "A"),
        ("AAAAA", "earlier", None),
        ("AAAAA", "combat", None),
        ("AAAAB", "turn", None),
        ([None] * 5, "turn", None),
        (["A", "A", None, "A", "A"], "turn", None),
    ],
)
def test_all_five_missions_at_the_end_of_the_turn(owners, at, winner):
    """L72, L86; no player controls a flipped mission (L489)."""
    assert tactical_victory(tuple(owners), at=at).value["winner"] == winner
    with pytest.raises(TourneyError, match="L136"):
        tactical_victory(("A",) * 4)


def rolls(number):
    return itertools.product(range(1, 13), repeat=number)


@with_rows("natural", ["the die's face", "an unmodified 12"])
@with_rows("counters", [0, 1, 3])
@with_rows(
    ("number", "speed", "accuracy", "damage"), [(1, 6, 0, 1), (2, 7, -2, 2), (3, 13, 1, 1), (3, 4, 2, 3)]
)
def test_the_chances_of_several_shots_against_every_roll_played_out(
    number, speed, accuracy, damage, counters, natural
):
    """Shot by shot with the remaining counters: hits, critical hits and damage."""
    aim = Aim(speed=speed, accuracy=accuracy, entrenched=counters, damage=damage, natural=natural)
    hits, criticals, dealt = {}, {}, {}
    for faces in rolls(number):
        left, hit, critical, through = counters, 0, 0, 0
        for face in faces:
            fired = aim.fire(face, entrenched=left)
            hit += fired.hit
            critical += fired.critical
            if fired.hit:
                more, left = entrenched_damage(damage, left)
                through += more
        for counted, value in ((hits, hit), (criticals, critical), (dealt, through)):
            counted[value] = counted.get(value, 0) + Fraction(1, 12**number)
    fired = volley(number, aim)
    assert (fired.hits, fired.criticals, fired.damage) == (hits, criticals, dealt)


@with_rows("speed", [1, 6, 12, 14])
def test_precision_rolls_the_first_miss_again(speed):
    """With one reroll for two shots, the chances equal a count of all rolls of three dice."""
    hits = {}
    for first, second, again in rolls(3):
        one, two, three = (Aim(speed=speed).fire(face) for face in (first, second, again))
        number = one.hit + two.hit + (three.hit if not (one.hit and two.hit) else 0)
        hits[number] = hits.get(number, 0) + Fraction(1, 12**3)
    chances = volley(2, Aim(speed=speed), precision=True)
    assert chances.hits == hits
    assert sum(chances.criticals.values()) == 1


@with_rows("squad", ["L", "LM", "HHL", "MMM"])
def test_the_chances_of_a_squad_add_up_to_one(squad):
    """The rolls at or above a cost are the chance of the capture."""
    classes = [LETTERS[number] for number in squad]
    sums = capture_sums(classes)
    rolls = 6 ** len(squad)
    assert sum(sums.values()) == rolls
    for cost in range(-6, 26):
        ways = sum(number for total, number in sums.items() if total >= cost)
        assert Fraction(ways, rolls) == capture_chance(classes, 0, cost)


def best_reroll(dice, precise, bonus, cost):
    """Return the chance with the best choice of dice to roll again, one after the other."""
    if sum(dice) + bonus >= cost or not precise:
        return Fraction(int(sum(dice) + bonus >= cost))
    best = Fraction(0)
    for at in precise:
        others = [other for other in precise if other != at]
        tries = [
            best_reroll([*dice[:at], face, *dice[at + 1 :]], others, bonus, cost) for face in range(1, 7)
        ]
        best = max(best, Fraction(sum(tries), 6))
    return best


@with_rows(("squad", "precise"), [("M", 1), ("LH", 1), ("LH", 2), ("MM", 1), ("MM", 2), ("HLM", 1)])
def test_precision_at_a_capture_against_every_choice(squad, precise):
    """Each die that may be rolled again, in every order, after every roll."""
    classes = [LETTERS[number] for number in squad]
    bonus = sum(CAPTURE_BONUS[class_] for class_ in classes)
    for cost in (3, 6, 9):
        every = list(itertools.product(range(1, 7), repeat=len(squad)))
        counted = sum(best_reroll(list(dice), list(range(precise)), bonus, cost) for dice in every)
        assert capture_chance(classes, precise, cost) == Fraction(counted, len(every))


def test_by_the_other_reading_a_modified_12_is_not_critical():
    """Only a 12 without modifiers is always critical (L255)."""
    natural = "an unmodified 12"
    assert Aim(speed=15, accuracy=-2, natural=natural).fire(12).critical is False
    assert Aim(speed=15, natural=natural).fire(12).critical is True
    assert Aim(speed=11, accuracy=-1, natural=natural).fire(12).critical is True


@settings(max_examples=80, deadline=None)
@given(
    number=st.integers(1, 24), speed=st.integers(0, 20), accuracy=st.integers(-6, 6),
    counters=st.integers(0, 8), damage=st.integers(0, 5), precision=st.booleans(),
)  # fmt: skip
def test_all_chances_add_up_to_one(number, speed, accuracy, counters, damage, precision):
    """Of hits, critical hits and damage; a reroll, and a shot more, make no hit less likely."""

    aim = Aim(speed=speed, accuracy=accuracy, entrenched=counters, damage=damage)

    def fired(shots, reroll):
        return volley(shots, aim, precision=reroll)

    chances = fired(number, precision)
    assert sum(chances.hits.values()) == sum(chances.criticals.values()) == sum(chances.damage.values()) == 1
    assert at_least(chances.hits, 1) <= at_least(fired(number, True).hits, 1)
    assert at_least(chances.hits, 1) <= at_least(fired(number + 1, precision).hits, 1)


def test_the_printed_chain_of_command():
    """Salvo, Full Salvo, then Close Call, which takes effect first; the damage is then 3 (L397)."""
    order = chain(("Salvo", "Full-Salvo", "Close-Call")).value["order"]
    assert order[0] == "Close-Call"


# -- against enumerations of the text, written down anew: each answer for all small tables


def as_units(units):
    return tuple(Unit(name, speed, player) for name, (speed, player) in units.items())


def by_speed_then_initiative(units, order):
    """Return the order of fire: fastest units first, equal ones by initiative."""
    left, fires = dict(units), []
    while left:
        top = [unit for unit in left if not any(left[other][0] > left[unit][0] for other in left)]
        together = [unit for player in order for unit in top if left[unit][1] == player]
        fires.append(together)
        for unit in top:
            del left[unit]
    return fires


@with_rows("number", [2, 3, 4])
def test_every_order_of_fire_of_small_engagements(number):
    """The fastest first, equal speeds together by initiative, damage after them (L242-247).

    Retreats are in that order, too (L267). All speeds of 1 to 3, all owners, both initiatives.
    """
    names = "wxyz"[:number]
    for speeds in itertools.product((1, 2, 3), repeat=number):
        for owners in itertools.product("AB", repeat=number):
            if len(set(owners)) < 2:
                continue
            units = {name: (speed, owner) for name, speed, owner in zip(names, speeds, owners, strict=True)}
            for winner, loser in ("AB", "BA"):
                value = engagement(as_units(units), initiative=(Initiative(winner),)).value
                assert [fire["units"] for fire in value["fires"]] == by_speed_then_initiative(
                    units, [loser, winner]
                )
                assert value["retreat"] == [loser, winner]
                for fire in value["fires"]:
                    assert fire["simultaneous"] == (len({units[unit][1] for unit in fire["units"]}) > 1)


def test_every_engagement_of_three_players():
    """In Scramble the lowest roll acts first (L415); a player without a unit does not act."""
    for rolls_ in itertools.permutations((2, 5, 9)):
        thrown = dict(zip("ABC", rolls_, strict=True))
        order = sorted(thrown, key=thrown.get)
        initiative = tuple(Initiative(roll, name) for name, roll in thrown.items())
        for owners in itertools.product("ABC", repeat=3):
            if len(set(owners)) < 2:
                continue
            units = {f"u{at}": (4, owner) for at, owner in enumerate(owners)}
            there = [player for player in order if player in owners]
            value = engagement(as_units(units), initiative=initiative).value
            assert [fire["units"] for fire in value["fires"]] == by_speed_then_initiative(units, order)
            assert value["retreat"] == there


@with_rows("players", [2, 3])
def test_every_roll_for_initiative(players):
    """Lower rolls act first; equal rolls have no order (L146, L415)."""
    names = "ABC"[:players]
    for faces in itertools.product(range(1, 13), repeat=players):
        thrown = dict(zip(names, faces, strict=True))
        if len(set(faces)) < players:
            with pytest.raises(TourneyError, match="rolled the same"):
                playing_order(thrown)
            continue
        orders = [
            order
            for order in itertools.permutations(names)
            if all(thrown[one] < thrown[other] for one, other in itertools.pairwise(order))
        ]
        assert [tuple(playing_order(thrown))] == orders


def arrivals(gains, target):
    """Play a Scramble capture by capture; return who reaches the target first, and the counts."""
    counts = dict.fromkeys("abc", 0)
    for player, cost in gains:
        counts[player] += cost
        if counts[player] >= target:
            return player, counts
    return None, counts


def test_the_winner_of_every_scramble_played_capture_by_capture():
    """All orders of up to four captures: the first to reach the count wins (L405, L410).

    If the mission deck runs out instead, most missions win, and equal counts are not decided (L413).
    """
    captures = list(itertools.product("abc", (1, 2, 4)))
    for number in range(5):
        for gains in itertools.product(captures, repeat=number):
            first, counts = arrivals(gains, 5)
            assert scramble_winners(counts, scramble_count=5) == ([first] if first else [])
            best = max(counts.values())
            most = {player for player in counts if counts[player] == best}
            out = scramble_winners(counts, scramble_count=5, missions_out=True)
            assert set(out) == ({first} if first else most)
            if first:
                assert scramble_winners(counts, scramble_count=5, first=first) == [first]


def test_scramble_among_the_remaining_players():
    """A player without cards is out with all missions (L412)."""
    for left in itertools.product((None, 0, 3, 25, 26), repeat=3):
        missions = {
            name: ("out",) if count is None else (count,) for name, count in zip("ABC", left, strict=True)
        }
        there = {name: count for name, count in zip("ABC", left, strict=True) if count is not None}
        if not there:
            with pytest.raises(TourneyError, match="L412"):
                scramble(missions)
            continue
        for out in (False, True):
            value = scramble(missions, missions_out=out).value
            reached = {name for name, count in there.items() if count >= 25}
            best = {name for name, count in there.items() if count == max(there.values())}
            expected = set(there) if len(there) == 1 else reached or (best if out else set())
            assert set(value["winners"]) == expected, (left, out)


def test_every_red_line_under_two_players():
    """All five must be one player's (L72): each of three states of each of the five missions."""
    for owners in itertools.product(("A", "B", None), repeat=5):
        everything = {"A", "B"} & {owner for owner in owners if all(holder == owner for holder in owners)}
        for at in ("turn", "combat", "earlier"):
            for reading in ("end of the turn", "end of the combat phase"):
                counts = at == "turn" or (at == "combat" and reading == "end of the combat phase")
                expected = min(everything, default=None) if counts else None
                answer = tactical_victory(owners, at=at, tactical_victory_at=reading)
                assert answer.value["winner"] == expected


@with_rows("squad", ["L", "H", "LM", "LH", "HHM"])
def test_every_roll_of_a_squad_with_counters_and_a_mine(squad):
    """Die by die: the sum with the classes against the printed cost and counters (L216-222).

    The printed cost is the damage (L232-234); 1 damage to each efreet whose final value is odd (L289).
    """
    classes = [LETTERS[number] for number in squad]
    efreets = tuple(map(Efreet, classes))
    more = {"light": -2, "medium": 0, "heavy": 2}
    for dice in itertools.product(range(1, 7), repeat=len(squad)):
        final = [die + more[class_] for die, class_ in zip(dice, classes, strict=True)]
        for cost, counters in ((1, 0), (4, 0), (4, 2), (9, 1)):
            value = capture(efreets, cost=cost, counters=counters, roll=dice, mine=True).value
            assert value["captured"] == (sum(final) >= cost + counters)
            assert (value["total"], value["cost"], value["capture_damage"]) == (
                sum(final),
                cost + counters,
                cost,
            )
            assert value["mine_damage"] == sum(state in (-1, 1, 3, 5, 7) for state in final)


def test_damage_through_entrenchment_point_by_point():
    """Each counter absorbs 1 point and is removed (L283): all damages and counters up to six."""
    for damage, counters in itertools.product(range(7), repeat=2):
        through, left = 0, counters
        for _ in range(damage):
            through, left = (through, left - 1) if left else (through + 1, left)
        assert entrenched_damage(damage, counters) == (through, left)


def test_the_newest_effect_of_every_chain_resolves_first():
    """Up to three effects, played in every order (L395)."""
    for number in range(1, 4):
        for effects in itertools.permutations("abcd", number):
            stack, order = list(effects), []
            while stack:
                order.append(stack.pop())
            assert chain(effects).value["order"] == order


def test_a_twelve_hits_by_either_reading():
    """A 12 on the die (L255), or a total of 12 (L253), always hits; a miss is never critical."""
    for face, speed, accuracy in itertools.product(range(1, 13), range(1, 18), range(-3, 4)):
        for natural in ("the die's face", "an unmodified 12"):
            aim = Aim(speed=speed, accuracy=accuracy, natural=natural)
            fired = replace(aim, twelve="a total of 12").fire(face)
            total = face + accuracy
            assert fired.hit == (total >= speed or total == 12)
            assert fired.hit or not fired.critical
            assert fired == aim.fire(face) or 12 in (face, total)


def test_every_face_against_every_speed():
    """Rule by rule (L251-255, L265, L283, L563): the total reaches the speed, or the face is 12.

    It is a critical hit if they are equal or the face is 12, and the target is not entrenched.
    """
    for face, speed, accuracy, entrenched in itertools.product(
        range(1, 13), range(16), range(-3, 4), (False, True)
    ):
        natural = ["the die's face", "an unmodified 12"]
        for reading in natural:
            aim = Aim(speed=speed, accuracy=accuracy, entrenched=int(entrenched), natural=reading)
            fired = aim.fire(face)
            equal = face + accuracy - speed == 0
            always = face == 12 and (reading == natural[0] or accuracy == 0)
            assert fired.hit == (equal or face + accuracy - speed > 0 or face == 12)
            assert fired.critical == ((equal or always) and not entrenched)
