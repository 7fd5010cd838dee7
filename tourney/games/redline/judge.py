"""REDLINE: what a judge computes. Sections and lines are those of the rules page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import Any, Literal

from tourney.errors import TourneyError
from tourney.games import questions as q
from tourney.games.questions import (
    Answer,
    Step,
    Thing,
    added_up,
    by_name,
    named,
    percent,
    refuse_below,
    sentence,
)
from tourney.wording import counted, listed

CAPTURE_BONUS: Mapping[str, int] = {"light": -2, "medium": 0, "heavy": 2}
"""What an efreet's class adds to its capture die (Capturing Missions, L218)."""

SCRAMBLE_TARGET = 25
"""The scramble count that wins (REDLINE Scramble, L410)."""

MISSIONS = 5
"""The missions on the red line (L136), and with control of all of them a tactical victory (L72)."""

EFREET_LIMIT = 5
"""How many efreets a base supports at any time (Efreet Limit and Scrapping, L188)."""

SALVO_DAMAGE, SALVO_ACCURACY = 2, -2
"""What SALVO adds to a shot (L449)."""

BOOST_SPEED = 2
"""What BOOST adds to the target's speed for a shot (L435)."""

# How open texts can be read: `GAME` asks of each by such a name, with the lines for either reading.
Natural12 = Literal["the die's face", "an unmodified 12"]
TwelveHits = Literal["a 12 on the die", "a total of 12"]
TacticalVictory = Literal["end of the turn", "end of the combat phase"]

_ATTACK_DIE = 12
_CAPTURE_DIE = 6
"""The faces of the dice: a d12 for shots and initiative, a d6 for captures (Materials, L80)."""


@dataclass(frozen=True, slots=True)
class Odds:
    """So many favourable rolls of so many equally likely ones."""

    favourable: int
    total: int

    @property
    def chance(self) -> Fraction:
        """The share of favourable rolls, from 0 to 1, exactly."""
        return Fraction(self.favourable, self.total)

    def __str__(self) -> str:
        return f"{self.favourable}/{self.total}"


# -- capturing


def capture_cost(printed: int, counters: int = 0) -> int:
    """Return what a capture roll must reach: the printed cost and one for each capture counter (L222, L275).

    >>> capture_cost(2, 1)
    3
    """
    return printed + counters


def capture_damage(printed: int) -> int:
    """Return the damage a capture deals, to one target: the printed cost, whatever the counters (L232-234)."""
    return printed


def capture_odds(squad: Sequence[str], cost: int) -> Odds:
    """Return the odds that a squad captures a mission of `cost` (counters included): each efreet rolls a d6.

    squad: `light`, `medium` or `heavy` for each efreet (L218). A sum below zero stays below zero: no floor is printed.
    Raises TourneyError for another class or an empty squad.

    >>> print(capture_odds(["light", "light"], 3))
    21/36
    """
    if not squad:
        raise TourneyError("nobody is there to capture the mission (Capturing Missions, L214)")
    ways = _ways(squad)
    return Odds(sum(ways[total] for total in ways if total >= cost), _CAPTURE_DIE ** len(squad))


def _ways(squad: Sequence[str]) -> dict[int, int]:
    """Return how many rolls of a squad give each sum, its bonuses included."""
    sums = {sum(_bonus(each) for each in squad): 1}
    for _ in squad:
        sums = _one_die_more(sums)
    return sums


def _bonus(efreet: str) -> int:
    bonus = CAPTURE_BONUS.get(efreet.casefold())
    if bonus is None:
        raise TourneyError(f"`{efreet}` is no class of efreets; there are {', '.join(CAPTURE_BONUS)}")
    return bonus


def _one_die_more(sums: Mapping[int, int]) -> dict[int, int]:
    more: dict[int, int] = {}
    for total, ways in sums.items():
        for face in range(1, _CAPTURE_DIE + 1):
            more[total + face] = more.get(total + face, 0) + ways
    return more


# -- firing


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot: its total after modifiers, whether it hits, and whether it is a critical hit."""

    total: int
    hit: bool
    critical: bool


def shot(
    face: int,
    speed: int,
    *,
    accuracy: int = 0,
    entrenched: bool = False,
    natural: Natural12 = "the die's face",
    twelve: TwelveHits = "a 12 on the die",
) -> Shot:
    """Return what a roll of `face` on the d12 does to a target of `speed` (Combat, L251-255, L265).

    A hit if the total reaches the speed, critical if it equals it. A face of 12 always hits and is critical, whatever
    the modifiers (Glossary > Natural 12, L563). An entrenched target takes no critical hit (L283).
    natural: by the other reading a modified 12 is critical only where its total equals the speed (L255)
    twelve:  by the other reading the total decides: a total of 12 always hits, and no other 12 does (L255 with L253)
    Raises TourneyError where the die has no such face.
    """
    if not 1 <= face <= _ATTACK_DIE:
        raise TourneyError(f"a d12 does not show {face} (Materials, L80)")
    total = face + accuracy
    always = (face if twelve == "a 12 on the die" else total) == _ATTACK_DIE
    hit = always or total >= speed
    critical = total == speed or (face == _ATTACK_DIE and (natural == "the die's face" or not accuracy))
    return Shot(total, hit, hit and critical and not entrenched)


def shot_odds(
    speed: int,
    *,
    accuracy: int = 0,
    entrenched: bool = False,
    natural: Natural12 = "the die's face",
    twelve: TwelveHits = "a 12 on the die",
) -> tuple[Odds, Odds]:
    """Return the odds of a hit and of a critical hit."""
    shots = [
        shot(face, speed, accuracy=accuracy, entrenched=entrenched, natural=natural, twelve=twelve)
        for face in range(1, _ATTACK_DIE + 1)
    ]
    hits, criticals = sum(each.hit for each in shots), sum(each.critical for each in shots)
    return Odds(hits, _ATTACK_DIE), Odds(criticals, _ATTACK_DIE)


def firing_order(speeds: Mapping[str, int]) -> tuple[tuple[str, ...], ...]:
    """Return who fires when in a combat round: by speed, high first; equals together (L242-247).

    Damage among those who fire together is applied after all of them have fired.
    """
    ranked = sorted(speeds, key=lambda unit: -speeds[unit])
    return tuple(tuple(units) for _, units in groupby(ranked, key=lambda unit: speeds[unit]))


def entrenched_damage(damage: int, counters: int) -> tuple[int, int]:
    """Return the damage that comes through entrenchment counters, and the counters left: each absorbs 1 (L283)."""
    absorbed = min(damage, counters)
    return damage - absorbed, counters - absorbed


def mine_damage(final_roll: int) -> int:
    """Return what a mine deals for a roll there: 1 if it is odd after modifiers, captures included (L289)."""
    return final_roll % 2


def unit_destroyed(damage: int, armor: int) -> bool:
    """Say whether an efreet is destroyed: damage equal to or above its armor (Unit Destruction, L269)."""
    return damage >= armor


# -- order of play, Scramble


def playing_order(rolls: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players in the order in which they act: the lowest d12 first, the highest last (L146, L415, L557).

    The highest has initiative. Raises TourneyError for equal rolls: the rules do not settle them.
    """
    order = sorted(rolls, key=lambda player: rolls[player])
    same = [player for player in order if list(rolls.values()).count(rolls[player]) > 1]
    if same:
        raise TourneyError(
            f"{' and '.join(same)} rolled the same (How To Start, L146)",
            "roll again: the rules do not say more",
        )
    return tuple(order)


def scramble_count(capture_costs: Sequence[int]) -> int:
    """Return a player's scramble count: the printed capture costs of the missions owned (L410)."""
    return sum(capture_costs)


def scramble_winners(
    counts: Mapping[str, int],
    *,
    target: int = SCRAMBLE_TARGET,
    missions_left: bool = True,
    first: str | None = None,
) -> tuple[str, ...]:
    """Return who has won a game of Scramble: nobody yet, one player, or several that the counts do not part.

    counts: the scramble count of each player who is still in (an empty arsenal puts a player out, L412).
    first:  who reached the target first, where several did: the first in time wins, not the highest (L410).
    When a mission cannot be replaced, the game ends with that turn and the highest count wins (L413); a tie there is not
    settled. The last player left has won. Raises TourneyError for a first that did not reach the target.
    """
    if first is not None and counts.get(first, 0) < target:
        raise TourneyError(f"{first} has not reached a scramble count of {target} (L410)")
    if len(counts) == 1:
        return tuple(counts)
    there = tuple(player for player, count in counts.items() if count >= target)
    if there:
        return (first,) if first is not None else there
    if missions_left:
        return ()
    best = max(counts.values(), default=0)
    return tuple(player for player, count in counts.items() if count == best)


# -- the exact chances of several shots, and of a squad with PRECISION


@dataclass(frozen=True, slots=True)
class Volley:
    """What so many shots at one target may do: number → its chance, and the chance that the target is destroyed."""

    hits: Mapping[int, Fraction]
    criticals: Mapping[int, Fraction]
    damage: Mapping[int, Fraction]
    destroyed: Fraction | None


def volley(
    number: int,
    speed: int,
    *,
    accuracy: int = 0,
    counters: int = 0,
    damage: int = 1,
    to_destroy: int | None = None,
    precision: bool = False,
    natural: Natural12 = "the die's face",
    twelve: TwelveHits = "a 12 on the die",
) -> Volley:
    """Return the exact chances of so many shots at one target, one after the other.

    counters:   entrenchment counters on it: each absorbs 1 damage, and while one is left no hit is critical (L283)
    damage:     what each shot that hits deals; what critical hit cards deal besides is not counted
    to_destroy: the damage that destroys it, None where nobody asks
    precision:  whether the first miss is rolled again, once (L443)
    """
    kinds = {
        entrenched: _kinds(
            shot_odds(speed, accuracy=accuracy, entrenched=entrenched, natural=natural, twelve=twelve)
        )
        for entrenched in (False, True)
    }
    # hits, criticals, damage that came through, counters left, whether the reroll is left → chance
    states: dict[tuple[int, int, int, int, bool], Fraction] = {(0, 0, 0, counters, precision): Fraction(1)}
    for _ in range(number):
        after: dict[tuple[int, int, int, int, bool], Fraction] = {}
        for (hits, criticals, dealt, left, reroll), chance in states.items():
            miss, plain, critical = kinds[left > 0]
            spent = miss * reroll
            through, absorbing = entrenched_damage(damage, left)
            hit = (dealt + through, absorbing)
            for key, share in (
                ((hits, criticals, dealt, left, False), miss * (spent if reroll else 1)),
                ((hits + 1, criticals, *hit, reroll), plain),
                ((hits + 1, criticals, *hit, False), plain * spent),
                ((hits + 1, criticals + 1, *hit, reroll), critical),
                ((hits + 1, criticals + 1, *hit, False), critical * spent),
            ):
                if share:
                    after[key] = after.get(key, Fraction(0)) + chance * share
        states = after

    def by(place: int) -> dict[int, Fraction]:
        return {
            value: sum((chance for key, chance in states.items() if key[place] == value), Fraction(0))
            for value in sorted({key[place] for key in states})
        }

    dealt_by = by(2)
    return Volley(by(0), by(1), dealt_by, None if to_destroy is None else at_least(dealt_by, to_destroy))


def _kinds(odds: tuple[Odds, Odds]) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances of a miss, a plain hit and a critical hit of one shot."""
    hits, criticals = odds
    return 1 - hits.chance, hits.chance - criticals.chance, criticals.chance


def at_least(chances: Mapping[int, Fraction], least: int) -> Fraction:
    """Return the chance of a number that is not below `least`."""
    return sum((chance for number, chance in chances.items() if number >= least), Fraction(0))


def capture_sums(squad: Sequence[str]) -> dict[int, Fraction]:
    """Return the chance of each sum that a squad may roll."""
    return {total: Fraction(ways, _CAPTURE_DIE ** len(squad)) for total, ways in sorted(_ways(squad).items())}


def capture_chance(squad: Sequence[str], precise: int, cost: int) -> Fraction:
    """Return the chance that a squad captures, where `precise` of its efreets have PRECISION (L443).

    Each of those may roll its own die again, once, after all have rolled; they do it where it helps most.
    """
    need = cost - sum(_bonus(each) for each in squad)
    return _rolling(need, len(squad) - precise, precise, ())


@cache
def _rolling(need: int, plain: int, precise: int, rolled: tuple[int, ...]) -> Fraction:
    """Return the chance to reach `need` with the dice to come; `rolled` are those that may still be rolled again."""
    faces = range(1, _CAPTURE_DIE + 1)
    if plain:
        return (
            sum((_rolling(need - face, plain - 1, precise, rolled) for face in faces), Fraction(0))
            / _CAPTURE_DIE
        )
    if precise:
        kept = (tuple(sorted((*rolled, face))) for face in faces)
        return sum((_rolling(need, 0, precise - 1, dice) for dice in kept), Fraction(0)) / _CAPTURE_DIE
    if sum(rolled) >= need:
        return Fraction(1)
    return max((_again(need, rolled, at) for at in range(len(rolled))), default=Fraction(0))


def _again(need: int, rolled: tuple[int, ...], at: int) -> Fraction:
    others = (*rolled[:at], *rolled[at + 1 :])
    return (
        sum((_rolling(need - face, 0, 0, others) for face in range(1, _CAPTURE_DIE + 1)), Fraction(0))
        / _CAPTURE_DIE
    )


def tactical_victory(
    owners: Sequence[str | None],
    *,
    now: TacticalVictory | Literal["earlier"],
    reading: TacticalVictory = "end of the turn",
) -> str | None:
    """Return who wins by a tactical victory now, None if nobody: control of all five missions (L72, L86, L230).

    reading: L230 has the end of the combat phase, the turn's last; holding all at the end of the turn wins either way
    owners: who controls each mission on the red line; None: nobody does, or it is flipped, which suspends control (L489)
    Raises TourneyError where there are not five of them.
    """
    if len(owners) != MISSIONS:
        raise TourneyError(f"{counted(len(owners), 'mission')}: the red line has {MISSIONS} (Red line, L136)")
    return owners[0] if now in {reading, "end of the turn"} and len(set(owners)) == 1 else None


# -- the questions: how each is answered


_MOST_SHOTS = 24
"""Shots that are asked about at once."""

_MOST_COUNTED = 1000
"""Speeds, armors, costs and the like above it are on no card."""


def _refuse_absurd(**numbers: int | None) -> None:
    for what, number in numbers.items():
        refuse_below(number, 0, what.replace("_", " "), "no card has less")
        if number is not None and number > _MOST_COUNTED:
            raise TourneyError(f"{what.replace('_', ' ')} is {number}: no card has more than {_MOST_COUNTED}")


def _chance(chance: Fraction) -> str:
    return f"chance {percent(chance)}"


def _shots(
    *,
    speed: int,
    accuracy: int,
    salvo: bool,
    boost: bool,
    precision: bool,
    entrenched: int,
    damage: int,
    armor: int | None,
    taken: int,
    shots: int,
    roll: int | None,
    natural_12: Natural12,
    twelve_hits: TwelveHits = "a 12 on the die",
) -> Answer:
    _refuse_absurd(speed=speed, entrenched=entrenched, damage=damage, armor=armor, damage_taken=taken)
    _refuse_absurd(accuracy=abs(accuracy))
    refuse_below(armor, 1, "armor", "Efreet Cards, L336")
    if not 1 <= shots <= _MOST_SHOTS:
        raise TourneyError(f"{shots} shots: ask for 1 to {_MOST_SHOTS}")
    if shots > 1 and (salvo or boost):
        raise TourneyError(
            "SALVO and BOOST expend a unit, so each is good for one shot (L435, L449)",
            "ask for that shot alone",
        )
    if armor is not None and taken >= armor:
        raise TourneyError(
            f"{taken} damage on an armor of {armor}: that unit is destroyed already (Unit Destruction, L269)"
        )
    aim = _Aim(
        speed=speed + BOOST_SPEED * boost, accuracy=accuracy + SALVO_ACCURACY * salvo, damage=damage + SALVO_DAMAGE * salvo,
        entrenched=entrenched, armor=armor, taken=taken, natural=natural_12, twelve=twelve_hits,
    )  # fmt: skip
    steps = tuple(_modified(speed, accuracy, salvo, boost))
    return _chances(aim, shots, precision, steps) if roll is None else _rolled(aim, roll, steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aim:
    """A shot to be fired, with SALVO and BOOST counted in.

    damage:     what a hit deals
    entrenched: entrenchment counters on the target
    armor:      the target's, None where nobody asks whether it is destroyed; taken: the damage on it before
    """

    speed: int
    accuracy: int
    damage: int
    entrenched: int
    armor: int | None
    taken: int
    natural: Natural12
    twelve: TwelveHits

    def fired(self, face: int) -> Shot:
        """Return what a roll of `face` does."""
        return shot(
            face,
            self.speed,
            accuracy=self.accuracy,
            entrenched=self.entrenched > 0,
            natural=self.natural,
            twelve=self.twelve,
        )


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def _modified(speed: int, accuracy: int, salvo: bool, boost: bool) -> Iterator[Step]:
    if boost:
        yield Step(f"BOOST: speed {speed} + {BOOST_SPEED} = {speed + BOOST_SPEED} for this shot", "L435")
    if salvo:
        yield Step(
            f"SALVO: accuracy {_signed(accuracy)} − 2 = {_signed(accuracy + SALVO_ACCURACY)}, and 2 more damage",
            "L449",
        )


def _chances(aim: _Aim, shots: int, precision: bool, modified: Sequence[Step]) -> Answer:
    """Say what so many shots may do."""
    hits, criticals = shot_odds(
        aim.speed,
        accuracy=aim.accuracy,
        entrenched=aim.entrenched > 0,
        natural=aim.natural,
        twelve=aim.twelve,
    )
    one = (*modified, *_faces(aim))
    fired = volley(
        shots, aim.speed, accuracy=aim.accuracy, counters=aim.entrenched, damage=aim.damage, precision=precision,
        natural=aim.natural, twelve=aim.twelve, to_destroy=None if aim.armor is None else aim.armor - aim.taken,
    )  # fmt: skip
    steps = [*one, *_volley_steps(fired, shots, aim.entrenched, precision)]
    value: dict[str, Any] = {
        "one_shot": {"hit": hits.chance, "critical": criticals.chance, "miss": 1 - hits.chance, "hits_of_12": hits.favourable,
                     "criticals_of_12": criticals.favourable},
        "hits": fired.hits, "criticals": fired.criticals, "damage": fired.damage, "destroyed": fired.destroyed,
    }  # fmt: skip
    short = (
        f"Hits with {hits.favourable} of 12 faces ({percent(hits.chance)}), "
        f"{criticals.favourable or 'none'} of them critical ({percent(criticals.chance)})"
    )
    if shots > 1 or precision:
        short = f"At least one hit: {_chance(at_least(fired.hits, 1))}; a critical hit: {_chance(at_least(fired.criticals, 1))}"
    if fired.destroyed is not None:
        at = counted(aim.armor or 0, "damage", "damage")
        steps.append(Step(f"destroyed at {at}: {_chance(fired.destroyed)}", "L269"))
        short += f"; destroys it: {_chance(fired.destroyed)}"
    return Answer(f"{short}.", sentence(*one), value, tuple(steps))


def _rolled(aim: _Aim, roll: int, modified: Sequence[Step]) -> Answer:
    """Say what a roll did."""
    fired = aim.fired(roll)
    through = entrenched_damage(aim.damage, aim.entrenched)[0] if fired.hit else 0
    said = "a critical hit" if fired.critical else "a hit, not critical" if fired.hit else "a miss"
    against = f"{fired.total} against speed {aim.speed}"
    steps = [
        *modified,
        Step(f"roll {roll} with accuracy {_signed(aim.accuracy)}: {against}: {said}", "L251-255"),
    ]
    if fired.hit and aim.entrenched:
        steps.append(_absorbed(aim.damage - through, aim.entrenched, through))
    short = f"{said}: {against}"
    short += f"; {through} damage" if fired.hit else ""
    destroyed = None if aim.armor is None else unit_destroyed(aim.taken + through, aim.armor)
    if destroyed is not None:
        fate = "destroyed" if destroyed else "it stands"
        steps.append(Step(f"{aim.taken} + {through} damage against armor {aim.armor}: {fate}", "L269"))
        short += "; it is destroyed" if destroyed else "; it stands"
    value = {
        "total": fired.total,
        "hit": fired.hit,
        "critical": fired.critical,
        "damage": through,
        "destroyed": destroyed,
    }
    return Answer(sentence(short), "", value, tuple(steps))


def _faces(aim: _Aim) -> Iterator[Step]:
    """Say which faces of the die miss, hit and hit critically."""
    fired = {face: aim.fired(face) for face in range(1, _ATTACK_DIE + 1)}
    modified = f" with accuracy {_signed(aim.accuracy)}" if aim.accuracy else ""
    hits = _run([face for face, each in fired.items() if each.hit])
    always = "12 always hits" if aim.twelve == "a 12 on the die" else "a total of 12 always hits"
    yield Step(f"rolls of {hits or 'no face'} hit speed {aim.speed}{modified}; {always}", "L251-255")
    criticals = [face for face, each in fired.items() if each.critical]
    if aim.entrenched:
        yield Step(
            f"no critical hit while it has an entrenchment counter, and it has {aim.entrenched}", "L283"
        )
    else:
        yield Step(
            f"critical: {listed(criticals) or 'none'} (the total equals the speed, or a natural 12)",
            "L265, L563",
        )


def _run(faces: Sequence[int]) -> str:
    return (
        f"{faces[0]}–{faces[-1]}"
        if len(faces) > 2 and faces[-1] - faces[0] == len(faces) - 1
        else listed(faces)
    )


def _volley_steps(fired: Volley, shots: int, entrenched: int, precision: bool) -> Iterator[Step]:
    if precision:
        yield Step("PRECISION: the first miss is rolled again, once", "L443")
    if shots > 1 or precision:
        said = "; ".join(f"{number}: {chance} ({float(chance):.1%})" for number, chance in fired.hits.items())
        yield Step(f"hits of {counted(shots, 'shot')}: {said}", "L249")
    if shots > 1 or precision or entrenched:
        said = "; ".join(
            f"{number}: {chance} ({float(chance):.1%})" for number, chance in fired.damage.items()
        )
        yield Step(f"damage that comes through: {said}", "L283" if entrenched else "L261")


def _squad(things: Sequence[Thing]) -> tuple[list[str], int]:
    if len(things) > EFREET_LIMIT:
        raise TourneyError(
            f"{len(things)} efreets: a base supports {EFREET_LIMIT} at any time (Efreet Limit, L188)"
        )
    return [thing.values[0] for thing in things], sum(thing.values[1] is not None for thing in things)


def _capture(squad: Sequence[Thing], cost: int, counters: int, roll: Sequence[Thing], mine: bool) -> Answer:
    _refuse_absurd(capture_cost=cost, counters=counters)
    refuse_below(cost, 1, "the capture cost", "L216: it is the difficulty and the damage")
    classes, precise = _squad(squad)
    needed = capture_cost(cost, counters)
    odds = capture_odds(classes, needed)
    steps = [
        Step(
            f"capture cost {cost}{f' and {counters} for capture counters' if counters else ''}: {needed}",
            "L216, L222",
        )
    ]
    bonus = sum(_bonus(each) for each in classes)
    steps.append(
        Step(f"{listed(_classes(classes))}: {len(classes)}d6{_signed(bonus) if bonus else ''}", "L218")
    )
    steps_after = [
        Step(f"captured, it deals its printed cost, {capture_damage(cost)}, to one target", "L232-234")
    ]
    if mine:
        steps_after.append(
            Step("the mine deals 1 damage to each efreet whose final value is odd: chance 1/2 each", "L289")
        )
    value: dict[str, Any] = {"cost": needed, "capture_damage": capture_damage(cost)}
    if roll:
        dice = [thing.values[0] for thing in roll]
        return _captured(
            classes, dice, needed=needed, mine=mine, cost=cost, around=(steps, steps_after), value=value
        )
    chance = capture_chance(classes, precise, needed) if precise else odds.chance
    sums = capture_sums(classes)
    steps.append(
        Step(
            "sums: "
            + "; ".join(f"{total}: {share * odds.total}" for total, share in sums.items())
            + f", of {odds.total} rolls"
        )
    )
    if precise:
        steps.append(
            Step(f"PRECISION: {precise} may roll their own die again, once, where it helps most", "L443")
        )
    short = f"Captures with {odds.favourable} of {odds.total} rolls ({percent(odds.chance)})"
    if precise:
        short = f"Captures with {_chance(chance)}; without PRECISION {percent(odds.chance)}"
    value |= {"chance": chance, "rolls": str(odds), "sums": sums}
    why = sentence(f"{steps[1].text} must reach {needed}; captured, it deals {cost}")
    return Answer(
        f"{short}.", why, value, (*steps, Step(f"{short[0].lower()}{short[1:]}", "L216-218"), *steps_after)
    )


def _classes(classes: Sequence[str]) -> list[str]:
    return [f"{classes.count(each)} {each}" for each in CAPTURE_BONUS if each in classes]


def _captured(
    classes: Sequence[str],
    dice: Sequence[int],
    *,
    needed: int,
    mine: bool,
    cost: int,
    around: tuple[Sequence[Step], Sequence[Step]],
    value: dict[str, Any],
) -> Answer:
    if len(dice) != len(classes):
        raise TourneyError(
            f"{counted(len(dice), 'die', 'dice')} for {counted(len(classes), 'efreet')}: each rolls one (L218)"
        )
    wrong = next((face for face in dice if not 1 <= face <= _CAPTURE_DIE), None)
    if wrong is not None:
        raise TourneyError(f"a d6 does not show {wrong} (Materials, L80)")
    final = [face + _bonus(each) for face, each in zip(dice, classes, strict=True)]
    total = sum(final)
    done = total >= needed
    parts = [
        f"{face}{_signed(_bonus(each))}" if _bonus(each) else str(face)
        for face, each in zip(dice, classes, strict=True)
    ]
    hurt = sum(map(mine_damage, final)) if mine else None
    rolled = Step(f"rolled {', '.join(parts)}: {total} against {needed}", "L216-218")
    short = f"{'Captured' if done else 'Not captured'}: {total} against {needed}"
    short += f"; it deals {cost} to one target" if done else ""
    short += f"; the mine damages {counted(hurt, 'efreet')}" if hurt is not None else ""
    value |= {"total": total, "captured": done, "mine_damage": hurt}
    return Answer(f"{short}.", "", value, (*around[0], rolled, *(around[1] if done or mine else ())))


def _engagement(units: Sequence[Thing], initiative: Sequence[Thing]) -> Answer:
    there = named(units)
    speed = {name: values[0] for name, values in there.items()}
    owner = {name: values[1] for name, values in there.items()}
    for each in speed.values():
        _refuse_absurd(speed=each)
    owners = list(dict.fromkeys(owner.values()))
    if len(owners) < 2:
        raise TourneyError(
            "combat begins where two or more opposing efreets meet (Combat, L240)",
            "name each unit's player: Fox=5/Ada",
        )
    if len(owners) > 3:
        raise TourneyError(f"{len(owners)} players: two play, or three in Scramble (L401, L405)")
    for player in owners:
        efreets = list(owner.values()).count(player)
        if efreets > EFREET_LIMIT:
            raise TourneyError(
                f"{player} has {efreets} efreets: a base supports {EFREET_LIMIT} at any time (Efreet Limit, L188)"
            )
    order = _initiative_order(initiative, owners)
    steps, fires = [], []
    for number, together in enumerate(firing_order(speed), start=1):
        ranked = sorted(together, key=lambda unit: order.index(owner[unit]))
        words = [f"{unit} ({owner[unit]})" for unit in ranked]
        same = len({owner[unit] for unit in ranked}) > 1
        said = f"speed {speed[together[0]]}: {', then '.join(words)}"
        steps.append(
            Step(
                said + ("; damage is applied after the last of them has fired" if same else ""),
                "L242, L247" if same else "L242",
            )
        )
        fires.append({"step": number, "speed": speed[together[0]], "units": ranked, "simultaneous": same})
    steps.append(Step(f"then each says whether to retreat: {', then '.join(order)}", "L242, L267"))
    firing = "; ".join(
        " then ".join(each["units"]) + " (together)" * bool(each["simultaneous"]) for each in fires
    )
    return Answer(
        f"They fire: {firing}.",
        sentence(steps[-1]),
        {"fires": fires, "retreat": order},
        tuple(steps),
    )


def _initiative_order(initiative: Sequence[Thing], owners: Sequence[str]) -> list[str]:
    """Return the owners as they act: by everybody's rolls, lowest first; or, of two, the one who won it acts last."""
    if any(thing.name for thing in initiative):
        rolls = by_name(initiative)
        _refuse_rolls(rolls)
        missing = [each for each in owners if each not in rolls]
        if missing:
            raise TourneyError(f"the initiative of {listed(missing)} is not given")
        return [each for each in playing_order(rolls) if each in owners]
    won = [thing.values[0] for thing in initiative]
    if len(won) != 1 or len(owners) > 2:
        raise TourneyError(
            "who acts when is not known",
            '--initiative "Ada=9 Ben=4", the rolls, or who won it: --initiative Ada',
        )
    if won[0] not in owners:
        raise TourneyError(f"{won[0]} has no efreet here")
    return [*(each for each in owners if each not in won), *won]


def _refuse_rolls(rolls: Mapping[str, Any]) -> None:
    for face in rolls.values():
        if face not in range(1, _ATTACK_DIE + 1):
            raise TourneyError(f"a d12 does not show {face} (Materials, L80)")


def _initiative(rolls: Sequence[Thing]) -> Answer:
    thrown = by_name(rolls)
    if not 2 <= len(thrown) <= 3:
        raise TourneyError(f"{counted(len(thrown), 'player')}: two play, or three in Scramble (L401, L405)")
    _refuse_rolls(thrown)
    order = playing_order(thrown)
    lines = "L146, L557" if len(thrown) == 2 else "L146, L415, L557"
    return Answer(
        f"{order[-1]} has initiative and acts last; the order is {listed(order)}.",
        "The lowest roll acts first, the highest last, in turns and in all that is simultaneous.",
        {"initiative": order[-1], "order": order},
        (Step(f"rolls, lowest first: {', '.join(f'{name} {thrown[name]}' for name in order)}", lines),),
        ("How To Start, L146", "Glossary > Initiative, L557") if len(thrown) == 2 else (),
    )


def _tactical(missions: Sequence[Thing], at: str, tactical_victory_at: TacticalVictory) -> Answer:
    owners = [thing.values[0] for thing in missions]
    whens: dict[str, TacticalVictory | Literal["earlier"]] = {
        "turn": "end of the turn",
        "combat": "end of the combat phase",
        "earlier": "earlier",
    }
    winner = tactical_victory(owners, now=whens[at], reading=tactical_victory_at)
    if len(set(owners) - {None}) > 2:
        raise TourneyError("more than two players control missions: a red line is between two (L136, L409)")
    held = {owner: owners.count(owner) for owner in owners if owner is not None}
    said = ", ".join(f"{owner} {number}" for owner, number in held.items()) or "nobody controls one"
    steps = [
        Step(f"of the {MISSIONS} missions: {said}", "L72, L86"),
        Step(
            f"asked: {'earlier' if at == 'earlier' else f'at the {whens[at]}'}; they must be controlled at the {tactical_victory_at}",
            "L72, L86" if tactical_victory_at == "end of the turn" else "L230",
        ),
    ]
    if winner:
        return Answer(
            f"{winner} wins by a tactical victory.",
            f"{winner} controls all {MISSIONS} missions at the {whens[at]}.",
            {"winner": winner, "held": held},
            tuple(steps),
        )
    why = (
        f"All {MISSIONS} must be controlled at the {tactical_victory_at}; controlling them earlier does not count."
        if max(held.values(), default=0) == MISSIONS
        else f"One player must control all {MISSIONS}: {said}; a flipped mission is controlled by nobody until it turns back (L489)."
    )
    return Answer("No tactical victory.", why, {"winner": None, "held": held}, tuple(steps))


def _scramble(
    missions: Sequence[Thing], missions_out: bool, first: str | None, *, scramble_count: int = SCRAMBLE_TARGET
) -> Answer:
    refuse_below(scramble_count, 1, "the scramble count that wins", "L410")
    players = named(missions)
    if len(players) != 3:
        raise TourneyError(
            f"{counted(len(players), 'player')}: Scramble is played by three (L405); one who is out is `Ben=out`"
        )
    for name, values in players.items():
        if "out" in values and len(values) > 1:
            raise TourneyError(f"{name} is out and owns no mission (L412)", f"type {name}=out")
    costs = {name: values for name, values in players.items() if "out" not in values}
    for name, each in costs.items():
        for cost in each:
            _refuse_absurd(**{f"a_capture_cost_of_{name}": cost})
            if len(each) > 1:  # a 0 alone is a player without missions
                refuse_below(
                    cost, 1, f"a capture cost of {name}", "L216: it is the difficulty and the damage"
                )
    counts = {name: sum(each) for name, each in costs.items()}
    if not counts:
        raise TourneyError("all three are out: the last one left has won already (L412)")
    if first is not None and first not in counts:
        raise TourneyError(f"{first} is not in this game")
    steps = [
        Step(
            f"{name}: {added_up(' + '.join(map(str, each)), counts[name])}",
            "L410, L591",
        )
        for name, each in costs.items()
    ]
    steps += [
        Step(f"{name} is out: no cards are left in the arsenal", "L412")
        for name in players
        if name not in counts
    ]
    target = scramble_count
    winners = scramble_winners(counts, target=target, missions_left=not missions_out, first=first)
    said = ", ".join(f"{name} {count}" for name, count in counts.items())
    short, why, last = _scramble_won(winners, counts, said, target)
    return Answer(short, why, {"counts": counts, "winners": winners}, (*steps, last))


def _scramble_won(
    winners: Sequence[str], counts: Mapping[str, int], said: str, target: int
) -> tuple[str, str, Step]:
    """Return the answer, what it follows from, and the last step. counts: of who is in; said: the same in words."""
    if not winners:
        last = Step(f"nobody has {target}, and missions are left", "L410, L413")
        return f"Nobody has won yet: {said}.", f"{target} wins.", last
    reached = counts[winners[0]] >= target
    if len(winners) > 1 and reached:
        last = Step(f"{listed(winners, 'or')}: whoever reached {target} first", "L410")
        return f"{last.text} ({said}).", "Name who was first with --first.", last
    if len(winners) > 1:
        last = Step(f"{listed(winners)} are tied, and the rules do not part them", "L413")
        return f"{last.text} ({said}).", "The organizer decides.", last
    if reached:
        last = Step(f"the first to reach {target} wins", "L410")
    elif len(counts) == 1:
        last = Step("the last player left has won", "L412")
    else:
        last = Step("the mission deck has run out, and the highest count wins", "L413")
    return f"{winners[0]} wins ({said}).", sentence(last), last


def _absorbed(absorbed: int, counters: int, through: int) -> Step:
    return Step(
        f"of {counted(counters, 'entrenchment counter')} {absorbed} absorb 1 each; {through} damage comes through",
        "L283",
    )


def _chain(effects: Sequence[Thing]) -> Answer:
    if not effects:
        raise TourneyError("nothing was played that could resolve (The Chain of Command, L395)")
    order = [thing.values[0] for thing in effects][::-1]
    steps = tuple(Step(f"{at}: {effect}", "L395") for at, effect in enumerate(order, start=1))
    return Answer(
        f"They resolve: {', then '.join(order)}.",
        "The newest effect resolves first, the first one last.",
        {"order": order},
        steps,
    )


# -- the questions


_CLASSES = {short: word for word in CAPTURE_BONUS for short in (word, word[0])}

GAME = q.Game(
    "REDLINE",
    "rules page",
    (
        q.Question(
            "shots",
            "What are the chances of a shot, or what did this roll do?",
            _shots,
            ("Combat, L251-255", "Critical Hits, L265"),
            (
                q.Argument("speed", "The target's speed."),
                q.option(
                    "accuracy", "The sum of the accuracy modifiers: SPOTTER +1, SHARPSHOOTER +1 or -1 …", 0
                ),
                q.flag("salvo", "SALVO: 2 more damage, accuracy −2."),
                q.flag("boost", "The target uses BOOST: speed +2."),
                q.flag("precision", "PRECISION: the first miss is rolled again."),
                q.option("entrenched", "Entrenchment counters on the target.", 0),
                q.option("damage", "What a hit deals.", 1),
                q.option("armor", "The target's armor: the chance that it is destroyed."),
                q.option("taken", "Damage that the target has taken already.", 0),
                q.option("shots", "So many shots, all alike.", 1),
                q.option("roll", "The d12 shows this: what it did.", metavar="FACE"),
            ),
            (
                q.RuleReading(
                    "natural_12",
                    "Which 12 is always a critical hit",
                    "the die's face",
                    {"the die's face": "Glossary > Natural 12, L563", "an unmodified 12": "L255"},
                ),
                q.RuleReading(
                    "twelve_hits",
                    "Which 12 always hits",
                    "a 12 on the die",
                    {
                        "a 12 on the die": "L255: regardless of target speed; Glossary > Natural 12, L563",
                        "a total of 12": "L255 with L253: the number after modifiers counts",
                    },
                ),
            ),
            {
                "6": "Hits with 7 of 12 faces (7/12, 58.3%), 2 of them critical (1/6, 16.7%).",
                "5 --accuracy +2 --roll 4": "A hit, not critical: 6 against speed 5; 1 damage.",
                "6 --salvo --roll 9": "A hit, not critical: 7 against speed 6; 3 damage.",
                "6 --shots 3 --damage 2 --armor 5": "At least one hit: chance 1603/1728, 92.8%; a critical hit: chance 91/216, 42.1%; destroys it: chance 343/1728, 19.8%.",
            },
            "Before the roll the chances are exact. What a critical hit card does besides is not counted.",
        ),
        q.Question(
            "capture",
            "What is the chance that a squad captures a mission, or did this roll?",
            _capture,
            ("Capturing Missions, L214-222", "Capture Damage, L232-234", "Capture Counters, L275"),
            (
                q.Argument(
                    "squad",
                    "The efreets at the mission: `light`, `medium` or `heavy` (L, M, H); `heavy/precision` has PRECISION",
                    q.things(
                        q.Stat("CLASS", words=_CLASSES, numbers=False),
                        q.Stat(
                            "precision", words={"precision": True, "p": True}, numbers=False, optional=True
                        ),
                    ),
                ),
                q.option("cost", "The capture cost printed on the mission.", required=True),
                q.option("counters", "Capture counters on the mission.", 0),
                q.option(
                    "roll", "The dice, in the order of the squad: what they did.", kind=q.things("FACE")
                ),
                q.flag("mine", "A mine counter is on the mission."),
            ),
            examples={
                "light light --cost 2 --counters 1": "Captures with 21 of 36 rolls (7/12, 58.3%).",
                "heavy --cost 2 --counters 1 --roll 1": "Captured: 3 against 3; it deals 2 to one target.",
                "2xmedium/precision --cost 9": "Captures with chance 775/1296, 59.8%; without PRECISION 5/18, 27.8%.",
            },
        ),
        q.Question(
            "engagement",
            "In which order do the efreets of an engagement fire, and who says first whether to retreat?",
            _engagement,
            ("Combat, L242-247", "Retreating, L267", "Initiative, L146, L557"),
            (
                q.Argument(
                    "units",
                    "The efreets, with their player",
                    q.things("SPEED", q.Stat("PLAYER", numbers=False, text=True), name="UNIT", named=True),
                ),
                q.option(
                    "initiative",
                    "Who won initiative, or everybody's roll.",
                    kind=q.things(q.Stat("ROLL", text=True), name="PLAYER"),
                    required=True,
                    metavar='"PLAYER|PLAYER=ROLL…"',
                ),
            ),
            examples={
                "Tigercat=6/Ada Hammer=4/Ben Claymore=4/Ada --initiative Ada": "They fire: Tigercat; Hammer then Claymore (together).",
                'Fox=5/Ada Elk=5/Ben Owl=5/Cyn --initiative "Ada=9 Ben=2 Cyn=5"': "They fire: Elk then Owl then Fox (together).",
            },
        ),
        q.Question(
            "initiative",
            "Who acts when after these rolls?",
            _initiative,
            ("How To Start, L146", "Scramble > Setup, L415", "Glossary > Initiative, L557"),
            (q.Argument("rolls", "What each player rolled with the d12", q.things("ROLL", name="PLAYER")),),
            examples={
                "Ada=9 Ben=4": "Ada has initiative and acts last; the order is Ben and Ada.",
                "Ada=9 Ben=2 Cyn=5": "Ada has initiative and acts last; the order is Ben, Cyn and Ada.",
            },
        ),
        q.Question(
            "tactical-victory",
            "Does a player win by controlling the missions?",
            _tactical,
            ("Victory Conditions, L72, L86", "L230"),
            (
                q.Argument(
                    "missions",
                    "Who controls each of the five missions; `-` where nobody does, or it is flipped",
                    q.things(q.Stat("PLAYER", blank=True, numbers=False, text=True)),
                ),
                q.option(
                    "at",
                    "When it is asked: at the end of the turn, of the combat phase, or earlier.",
                    "turn",
                    kind=("turn", "combat", "earlier"),
                ),
            ),
            (
                q.RuleReading(
                    "tactical_victory_at",
                    "When all five must be controlled",
                    "end of the turn",
                    {"end of the turn": "L72, L86, L603", "end of the combat phase": "L230"},
                ),
            ),
            {
                "5xAda": "Ada wins by a tactical victory.",
                "Ada Ada Ben Ada Ada": "No tactical victory.",
                "5xAda --at earlier": "No tactical victory.",
            },
        ),
        q.Question(
            "scramble",
            "What are the scramble counts, and who has won?",
            _scramble,
            ("REDLINE Scramble, L405, L409-413", "Glossary > Scramble Count, L591"),
            (
                q.Argument(
                    "missions",
                    "The printed capture costs of each player's missions; `out` for a player without an arsenal",
                    q.things(q.Stat("COST", words={"out": "out"}), name="PLAYER", repeat=True),
                ),
                q.flag("missions_out", "A mission could not be replaced: the game ends with this turn."),
                q.option("first", "Who reached 25 first, where several have.", kind="word", metavar="PLAYER"),
            ),
            (
                q.RuleReading(
                    "scramble_count",
                    "Scramble count that wins, if the organizer sets another than the rules",
                    SCRAMBLE_TARGET,
                    cite="printed: REDLINE Scramble, L410",
                ),
            ),
            {
                "Ada=5/6/7/7 Ben=4/4 Cyn=3": "Ada wins (Ada 25, Ben 8, Cyn 3).",
                "Ada=5/6 Ben=4/8 Cyn=3 --missions-out": "Ben wins (Ada 11, Ben 12, Cyn 3).",
                "Ada=25 Ben=26 Cyn=3 --first Ada": "Ada wins (Ada 25, Ben 26, Cyn 3).",
            },
        ),
        q.Question(
            "chain",
            "In which order do effects resolve that were played in response to each other?",
            _chain,
            ("The Chain of Command, L395-397",),
            (
                q.Argument(
                    "effects",
                    "The effects in the order in which they were played",
                    q.things(q.Stat("EFFECT", numbers=False, text=True)),
                ),
            ),
            examples={
                "Salvo Full-Salvo Close-Call": "They resolve: Close-Call, then Full-Salvo, then Salvo."
            },
        ),
    ),
)
"""Its questions, with what `tourney judge` answers."""
