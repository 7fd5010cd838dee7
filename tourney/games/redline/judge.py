"""REDLINE calculators. Citations are sections and lines of the rules page.

Chances are exact fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby, product
from typing import Annotated, Any, Literal

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.games.questions import Answer, Game, OpenText, Step, added_up, percent, refuse_below, sentence
from tourney.games.typed import Label, Player, refuse_repeated
from tourney.wording import counted, listed

GAME = Game("REDLINE", "rules page")

CAPTURE_BONUS: Mapping[str, int] = {"light": -2, "medium": 0, "heavy": 2}
"""Class of an efreet → the number added to the capture die (Capturing Missions, L218)."""

SCRAMBLE_TARGET = 25
"""The scramble count that wins (REDLINE Scramble, L410)."""

MISSIONS = 5
"""The number of missions on the red line (L136).

A player who controls all of them has a tactical victory (L72).
"""

EFREET_LIMIT = 5
"""The maximum number of efreets that a base supports (Efreet Limit and Scrapping, L188)."""

SALVO_DAMAGE, SALVO_ACCURACY = 2, -2
"""What SALVO adds to the damage and to the accuracy of a shot (L449)."""

BOOST_SPEED = 2
"""What BOOST adds to the target's speed for one shot (L435)."""

D12, D6 = range(1, 13), range(1, 7)
"""The faces of the dice (Materials, L80).

A d12 is for shots and initiative, a d6 for captures.
"""

_MOST_SHOTS = 24
_MOST = 1000
"""The maximum number of shots in a question, and the largest number of any other kind."""

Natural12 = Annotated[
    Literal["the die's face", "an unmodified 12"],
    OpenText("Which 12 is always a critical hit", "Glossary > Natural 12, L563", "L255"),
]
TwelveHits = Annotated[
    Literal["a 12 on the die", "a total of 12"],
    OpenText(
        "Which 12 always hits",
        "L255: regardless of target speed; Glossary > Natural 12, L563",
        "L255 with L253: the number after modifiers counts",
    ),
]
TacticalVictoryAt = Annotated[
    Literal["end of the turn", "end of the combat phase"],
    OpenText("When all five must be controlled", "L72, L86, L603", "L230"),
]
ScrambleCount = Annotated[
    int,
    OpenText(
        "The scramble count that wins the game, if the organizer changes the printed number",
        "printed: REDLINE Scramble, L410",
        numbers=(SCRAMBLE_TARGET,),
    ),
]


def _refuse_absurd(**numbers: int | None) -> None:
    """Raise TourneyError for a number that no card has. numbers: name → number, or None."""
    for name, number in numbers.items():
        _refuse_number(name.replace("_", " "), number)


def _refuse_number(quantity: str, number: int | None) -> None:
    refuse_below(number, 0, quantity)
    if number is not None and number > _MOST:
        raise TourneyError(f"{quantity} is {number}: no card has more than {_MOST}")


def _refuse_face(face: object, die: range) -> None:
    if face not in die:
        raise TourneyError(f"a d{die[-1]} cannot show {face} (Materials, L80)")


def _signed_number(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def _chance(chance: Fraction) -> str:
    return f"chance {percent(chance)}"


def at_least(chances: Mapping[int, Fraction], least: int) -> Fraction:
    """Return the chance that a number is at least `least`. chances: number → its chance."""
    return sum((chance for number, chance in chances.items() if number >= least), Fraction(0))


# -- shots


class Shot(Struct, frozen=True):
    """The result of a shot: its total after modifiers, whether it hits, and whether critically."""

    total: int
    hit: bool
    critical: bool


class Aim(Struct, frozen=True, kw_only=True):
    """The values that decide a shot at a target, including the effects of SALVO and BOOST.

    damage:     the damage of a hit
    entrenched: the number of entrenchment counters on the target
    armor:      the target's armor; None if the question is not about its destruction
    taken:      the damage on the target before the shot
    natural:    whether a 12 on the die is always a critical hit (the default), or only if no modifier applies
                (`an unmodified 12`)
    twelve:     what always hits: a 12 on the die, or a total of 12 after modifiers
    """

    speed: int
    accuracy: int = 0
    entrenched: int = 0
    damage: int = 1
    armor: int | None = None
    taken: int = 0
    natural: Natural12 = "the die's face"
    twelve: TwelveHits = "a 12 on the die"

    def fire(self, face: int, entrenched: int | None = None) -> Shot:
        """Return the result of a roll of `face` on the d12 (Combat, L251-255, L265).

        The shot hits if the total reaches the speed, and is critical if the total equals the speed. A face of
        12 always hits and is critical, whatever the modifiers (Glossary > Natural 12, L563). An entrenched
        target takes no critical hit (L283).

        The fields `natural` and `twelve` can change this. If `natural` is `an unmodified 12`, a 12 to which a
        modifier applies is critical only if the total equals the speed (L255). If `twelve` is `a total of
        12`, a total of 12 always hits, but a 12 on the die does not always hit (L255 with L253).

        entrenched: the number of entrenchment counters on the target; None to use `self.entrenched`

        Raises TourneyError if the die has no such face.
        """
        _refuse_face(face, D12)
        total = face + self.accuracy
        always = (face if self.twelve == "a 12 on the die" else total) == 12
        hit = always or total >= self.speed
        natural = face == 12 and (self.natural == "the die's face" or not self.accuracy)
        counters = self.entrenched if entrenched is None else entrenched
        return Shot(total, hit, hit and (total == self.speed or natural) and not counters)

    def shots(self, entrenched: int | None = None) -> dict[int, Shot]:
        """Return the result of a shot for each roll of the d12, as roll → result.

        entrenched: the number of entrenchment counters on the target; None to use `self.entrenched`
        """
        return {face: self.fire(face, entrenched) for face in D12}


def entrenched_damage(damage: int, counters: int) -> tuple[int, int]:
    """Return the damage that is left after entrenchment counters, and the remaining counters.

    Each counter absorbs 1 damage and is then removed (L283).
    """
    absorbed_damage = min(damage, counters)
    return damage - absorbed_damage, counters - absorbed_damage


class Volley(Struct, frozen=True):
    """The chances of each number of hits, critical hits and damage, for several shots."""

    hits: Mapping[int, Fraction]
    criticals: Mapping[int, Fraction]
    damage: Mapping[int, Fraction]


def volley(number: int, aim: Aim, *, precision: bool = False) -> Volley:
    """Return the exact chances of several shots at one target, one after the other.

    Each entrenchment counter absorbs 1 damage, and while a counter is left no hit is critical (L283). Extra
    damage by critical hit cards is not counted.

    precision: whether the first miss is rolled again, but only once (L443)
    """
    outcomes = {
        entrenched: Counter((shot.hit, shot.critical) for shot in aim.shots(entrenched).values())
        for entrenched in (0, 1)
    }
    # (hits, criticals, damage dealt, remaining counters, whether the reroll is unused) → chance
    states = {(0, 0, 0, aim.entrenched, precision): Fraction(1)}

    def fire(state: tuple[int, int, int, int, bool], chance: Fraction) -> Iterator[tuple[Any, Fraction]]:
        hits, criticals, dealt, left, reroll = state
        for (hit, critical), faces in outcomes[left > 0].items():
            share = chance * Fraction(faces, 12)
            if not hit and reroll:
                yield from fire((hits, criticals, dealt, left, False), share)
            elif hit:
                through, rest = entrenched_damage(aim.damage, left)
                yield (hits + 1, criticals + critical, dealt + through, rest, reroll), share
            else:
                yield state, share

    for _ in range(number):
        after: dict[tuple[int, int, int, int, bool], Fraction] = {}
        for before, chance in states.items():
            for state, share in fire(before, chance):
                after[state] = after.get(state, Fraction(0)) + share
        states = after

    def by(place: int) -> dict[int, Fraction]:
        chances: dict[int, Fraction] = {}
        for state in sorted(states, key=lambda state: state[place]):
            chances[state[place]] = chances.get(state[place], Fraction(0)) + states[state]
        return chances

    return Volley(by(0), by(1), by(2))


@GAME.question(
    "What are the chances of a shot, or what did this roll do?",
    "Combat, L251-255",
    "Critical Hits, L265",
    examples={
        "6": "Hits with 7 of 12 faces (7/12, 58.3%), 2 of them critical (1/6, 16.7%).",
        "5 --accuracy +2 --roll 4": "A hit, not critical: 6 against speed 5; 1 damage.",
        "6 --salvo --roll 9": "A hit, not critical: 7 against speed 6; 3 damage.",
        "6 --shots 3 --damage 2 --armor 5": "At least one hit: chance 1603/1728, 92.8%; "
        "a critical hit: chance 91/216, 42.1%; destroys it: chance 343/1728, 19.8%.",
    },
    more="Chances are exact. Extra effects of critical hit cards are not counted.",
)
def shots(
    speed: Annotated[int, "The target's speed."],
    *,
    accuracy: Annotated[int, "The sum of the accuracy modifiers: SPOTTER +1, SHARPSHOOTER +1 or -1 …"] = 0,
    salvo: Annotated[bool, "SALVO: 2 more damage, accuracy −2."] = False,
    boost: Annotated[bool, "The target uses BOOST: speed +2."] = False,
    precision: Annotated[bool, "PRECISION: the first miss is rolled again."] = False,
    entrenched: Annotated[int, "Entrenchment counters on the target."] = 0,
    damage: Annotated[int, "The damage of a hit."] = 1,
    armor: Annotated[int | None, "The target's armor: also show the chance to destroy it."] = None,
    taken: Annotated[int, "Damage that the target has already taken."] = 0,
    shots: Annotated[int, "The number of shots, all with the same values."] = 1,
    roll: Annotated[int | None, Label("FACE"), "The face of the d12: show the result of this roll."] = None,
    natural_12: Natural12 = "the die's face",
    twelve_hits: TwelveHits = "a 12 on the die",
) -> Answer:
    """Return the answer with the chances that shots hit a target, or with the result of a roll.

    Damage equal to or above the armor destroys an efreet (Unit Destruction, L269).
    """
    _refuse_absurd(speed=speed, entrenched=entrenched, damage=damage, armor=armor, damage_taken=taken)
    _refuse_absurd(accuracy=abs(accuracy))
    refuse_below(armor, 1, "armor", "Efreet Cards, L336")
    if not 1 <= shots <= _MOST_SHOTS:
        raise TourneyError(f"the number of shots must be from 1 to {_MOST_SHOTS}, not {shots}")
    if shots > 1 and (salvo or boost):
        raise TourneyError(
            "SALVO and BOOST expend a unit, so each works for one shot only (L435, L449)",
            "ask for one shot",
        )
    if armor is not None and taken >= armor:
        raise TourneyError(
            f"{taken} damage on an armor of {armor}: that unit is already destroyed (Unit Destruction, L269)"
        )
    aim = Aim(
        speed=speed + BOOST_SPEED * boost,
        accuracy=accuracy + SALVO_ACCURACY * salvo,
        entrenched=entrenched,
        damage=damage + SALVO_DAMAGE * salvo,
        armor=armor,
        taken=taken,
        natural=natural_12,
        twelve=twelve_hits,
    )
    steps = []
    if boost:
        text = f"BOOST: speed {speed} + {BOOST_SPEED} = {aim.speed} for this shot"
        steps.append(Step(text, "L435"))
    if salvo:
        numbers = f"{_signed_number(accuracy)} − 2 = {_signed_number(aim.accuracy)}"
        steps.append(Step(f"SALVO: accuracy {numbers}, and 2 more damage", "L449"))
    if roll is not None:
        return _roll_answer(aim, roll, steps)
    return _chances(aim, shots, precision, steps)


def _chances(aim: Aim, number: int, precision: bool, steps: Sequence[Step]) -> Answer:
    """Return an answer with the chances of hits, of critical hits, and of destroying the target.

    If the target's armor is not given, the chance of destroying it is left out.

    number: how many shots are fired
    """
    one = list(aim.shots().values())
    hits, criticals = sum(shot.hit for shot in one), sum(shot.critical for shot in one)
    hit, critical = Fraction(hits, 12), Fraction(criticals, 12)
    result = volley(number, aim, precision=precision)
    steps = reasons = [*steps, *_faces(aim)]
    steps = [*steps, *_volley_steps(result, number, aim.entrenched, precision)]
    share = f"{criticals or 'none'} of them critical ({percent(critical)})"
    short = f"Hits with {hits} of 12 faces ({percent(hit)}), {share}"
    if number > 1 or precision:
        short = (
            f"At least one hit: {_chance(at_least(result.hits, 1))}; "
            f"a critical hit: {_chance(at_least(result.criticals, 1))}"
        )
    destroyed = None
    if aim.armor is not None:
        destroyed = at_least(result.damage, aim.armor - aim.taken)
        steps.append(Step(f"destroyed at {aim.armor} damage: {_chance(destroyed)}", "L269"))
        short += f"; destroys it: {_chance(destroyed)}"
    value = {
        "one_shot": {
            "hit": hit,
            "critical": critical,
            "miss": 1 - hit,
            "hits_of_12": hits,
            "criticals_of_12": criticals,
        },
        "hits": result.hits,
        "criticals": result.criticals,
        "damage": result.damage,
        "destroyed": destroyed,
    }
    return Answer(f"{short}.", sentence(*reasons), value, steps)


def _faces(aim: Aim) -> Iterator[Step]:
    """Yield two steps of the explanation: which faces of the die hit, and which hit critically."""
    fired = aim.shots()
    hits = [face for face, shot in fired.items() if shot.hit]
    faces = listed(hits) or "no face"
    if len(hits) > 2 and hits[-1] - hits[0] == len(hits) - 1:
        faces = f"{hits[0]}–{hits[-1]}"
    accuracy_text = f" with accuracy {_signed_number(aim.accuracy)}" if aim.accuracy else ""
    always = "12 always hits" if aim.twelve == "a 12 on the die" else "a total of 12 always hits"
    yield Step(f"rolls of {faces} hit speed {aim.speed}{accuracy_text}; {always}", "L251-255")
    if aim.entrenched:
        text = f"no critical hit while it has an entrenchment counter, and it has {aim.entrenched}"
        yield Step(text, "L283")
    else:
        criticals = listed(face for face, shot in fired.items() if shot.critical) or "none"
        yield Step(f"critical: {criticals} (the total equals the speed, or a natural 12)", "L265, L563")


def _volley_steps(result: Volley, number: int, entrenched: int, precision: bool) -> Iterator[Step]:
    def table(chances: Mapping[int, Fraction]) -> str:
        return "; ".join(f"{count}: {chance} ({float(chance):.1%})" for count, chance in chances.items())

    if precision:
        yield Step("PRECISION: the first miss is rolled again, once", "L443")
    if number > 1 or precision:
        yield Step(f"hits of {counted(number, 'shot')}: {table(result.hits)}", "L249")
    if number > 1 or precision or entrenched:
        cite = "L283" if entrenched else "L261"
        yield Step(f"damage that comes through: {table(result.damage)}", cite)


def _roll_answer(aim: Aim, roll: int, steps: Sequence[Step]) -> Answer:
    """Return an `Answer` for a roll of the d12: whether the shot hits, and the damage."""
    shot = aim.fire(roll)
    through = entrenched_damage(aim.damage, aim.entrenched)[0] if shot.hit else 0
    outcome = "a critical hit" if shot.critical else "a hit, not critical" if shot.hit else "a miss"
    against = f"{shot.total} against speed {aim.speed}"
    text = f"roll {roll} with accuracy {_signed_number(aim.accuracy)}: {against}: {outcome}"
    steps = [*steps, Step(text, "L251-255")]
    if shot.hit and aim.entrenched:
        counters = counted(aim.entrenched, "entrenchment counter")
        text = f"of {counters} {aim.damage - through} absorb 1 each; {through} damage comes through"
        steps.append(Step(text, "L283"))
    short = f"{outcome}: {against}"
    short += f"; {through} damage" if shot.hit else ""
    destroyed = None if aim.armor is None else aim.taken + through >= aim.armor
    if destroyed is not None:
        fate = "it is destroyed" if destroyed else "it is not destroyed"
        steps.append(Step(f"{aim.taken} + {through} damage against armor {aim.armor}: {fate}", "L269"))
        short += f"; {fate}"
    value = {
        "total": shot.total,
        "hit": shot.hit,
        "critical": shot.critical,
        "damage": through,
        "destroyed": destroyed,
    }
    return Answer(sentence(short), "", value, steps)


# -- captures


class Efreet(Struct, frozen=True):
    """An efreet of a squad: its class, and whether it has PRECISION."""

    class_: Literal["light", "medium", "heavy"]
    precision: Literal["precision"] | None = None


def bonus_of(squad: Sequence[str]) -> int:
    """Return the total that the classes of a squad's efreets add to its dice (L218)."""
    return sum(CAPTURE_BONUS[class_] for class_ in squad)


def capture_sums(squad: Sequence[str]) -> dict[int, int]:
    """Return sum → the number of a squad's possible rolls that give this sum.

    Each efreet rolls a d6 and adds the bonus of its class (L218). A sum can be below zero, because no minimum
    is printed.
    """
    sums = {bonus_of(squad): 1}
    for _ in squad:
        next_sums: Counter[int] = Counter()
        for (total, ways), face in product(sums.items(), D6):
            next_sums[total + face] += ways
        sums = next_sums
    return dict(sorted(sums.items()))


def capture_chance(squad: Sequence[str], precise: int, cost: int) -> Fraction:
    """Return the chance that a squad captures a mission (L443).

    After all have rolled, each efreet with PRECISION may roll its own die again, once. Dice are rolled again
    only where this gives the best chance.

    precise: the number of efreets with PRECISION
    cost:    the sum that the squad must reach
    """
    return _rolling(cost - bonus_of(squad), len(squad) - precise, precise, ())


@cache
def _rolling(target: int, plain: int, precise: int, rerollable: tuple[int, ...]) -> Fraction:
    """Return the chance to reach the sum `target` with the dice that are not final yet.

    plain, precise: the numbers of dice still to be rolled, without and with PRECISION
    rerollable:     the dice that were rolled and may be rolled again
    """
    if plain:
        return sum((_rolling(target - face, plain - 1, precise, rerollable) for face in D6), Fraction(0)) / 6
    if precise:
        hands = (tuple(sorted((*rerollable, face))) for face in D6)
        return sum((_rolling(target, 0, precise - 1, dice) for dice in hands), Fraction(0)) / 6
    if sum(rerollable) >= target:
        return Fraction(1)
    rerolls = [(*rerollable[:place], *rerollable[place + 1 :]) for place in range(len(rerollable))]
    chances = (
        sum((_rolling(target - face, 0, 0, kept_dice) for face in D6), Fraction(0)) / 6
        for kept_dice in rerolls
    )
    return max(chances, default=Fraction(0))


@GAME.question(
    "What is the chance that a squad captures a mission, or did this roll?",
    "Capturing Missions, L214-222",
    "Capture Damage, L232-234",
    "Capture Counters, L275",
    examples={
        "light light --cost 2 --counters 1": "Captures with 21 of 36 rolls (7/12, 58.3%).",
        "heavy --cost 2 --counters 1 --roll 1": "Captured: 3 against 3; it deals 2 damage to one target.",
        "2xmedium/precision --cost 9": "Captures with chance 775/1296, 59.8%; without PRECISION the chance "
        "is 5/18, 27.8%.",
    },
)
def capture(
    squad: Annotated[
        tuple[Efreet, ...],
        "The efreets at the mission: `light`, `medium` or `heavy` (L, M, H); `heavy/precision` has PRECISION",
    ],
    *,
    cost: Annotated[int, "The capture cost printed on the mission."],
    counters: Annotated[int, "Capture counters on the mission."] = 0,
    roll: Annotated[
        tuple[Annotated[int, Label("FACE")], ...],
        "The dice in the order of the squad: show whether this roll captures.",
    ] = (),
    mine: Annotated[bool, "A mine counter is on the mission."] = False,
) -> Answer:
    """Return the answer with the chance of a capture or, for a given roll, whether it captures.

    The roll must reach the printed cost plus one for each capture counter (L222, L275). A capture deals
    damage equal to the printed cost to one target; counters do not change it (L232-234).
    """
    _refuse_absurd(capture_cost=cost, counters=counters)
    refuse_below(cost, 1, "the capture cost", "L216: this number is the difficulty and also the damage")
    if len(squad) > EFREET_LIMIT:
        raise TourneyError(
            f"{len(squad)} efreets: a base supports at most {EFREET_LIMIT} (Efreet Limit, L188)"
        )
    if not squad:
        raise TourneyError("no efreet is there to capture the mission (Capturing Missions, L214)")
    classes = [efreet.class_ for efreet in squad]
    target = cost + counters
    bonus = bonus_of(classes)
    kinds = listed(f"{classes.count(kind)} {kind}" for kind in CAPTURE_BONUS if kind in classes)
    for_counters = f" and {counters} for capture counters" if counters else ""
    dice = f"{kinds}: {len(squad)}d6{_signed_number(bonus) if bonus else ''}"
    before = [
        Step(f"capture cost {cost}{for_counters}: {target}", "L216, L222"),
        Step(dice, "L218"),
    ]
    after = [Step(f"captured, it deals its printed cost, {cost}, to one target", "L232-234")]
    if mine:
        text = "the mine deals 1 damage to each efreet whose final value is odd: chance 1/2 each"
        after.append(Step(text, "L289"))
    value: dict[str, Any] = {"cost": target, "capture_damage": cost}
    if roll:
        short, outcome, step = _capture_outcome(classes, roll, target=target, cost=cost, mine=mine)
        shows_effects = outcome["captured"] or mine
        return Answer(f"{short}.", "", value | outcome, [*before, step, *(after if shows_effects else ())])
    sums, rolls = capture_sums(classes), 6 ** len(squad)
    favourable = sum(ways for total, ways in sums.items() if total >= target)
    chance = plain = Fraction(favourable, rolls)
    short = f"captures with {favourable} of {rolls} rolls ({percent(plain)})"
    ways = "; ".join(f"{total}: {number}" for total, number in sums.items())
    steps = [*before, Step(f"sums: {ways}, of {rolls} rolls")]
    if precise := sum(efreet.precision is not None for efreet in squad):
        chance = capture_chance(classes, precise, target)
        short = f"captures with {_chance(chance)}; without PRECISION the chance is {percent(plain)}"
        text = f"PRECISION: {precise} may roll their own die again, once, where it helps most"
        steps.append(Step(text, "L443"))
    return Answer(
        sentence(short),
        sentence(f"{dice} must reach {target}; captured, it deals {cost}"),
        value
        | {
            "chance": chance,
            "rolls": f"{favourable}/{rolls}",
            "sums": {total: Fraction(number, rolls) for total, number in sums.items()},
        },
        [*steps, Step(short, "L216-218"), *after],
    )


def _capture_outcome(
    classes: Sequence[str], dice: Sequence[int], *, target: int, cost: int, mine: bool
) -> tuple[str, dict[str, Any], Step]:
    """Return the answer about a roll in words and as values, and the step that shows the dice.

    A mine deals 1 damage to each efreet whose die plus bonus is odd (L289).
    """
    if len(dice) != len(classes):
        raise TourneyError(
            f"{counted(len(dice), 'die', 'dice')} for {counted(len(classes), 'efreet')}: "
            "each efreet rolls one die (L218)"
        )
    for face in dice:
        _refuse_face(face, D6)
    bonuses = [CAPTURE_BONUS[kind] for kind in classes]
    final = [face + bonus for face, bonus in zip(dice, bonuses, strict=True)]
    faces = [
        f"{face}{_signed_number(bonus) if bonus else ''}" for face, bonus in zip(dice, bonuses, strict=True)
    ]
    total = sum(final)
    captured = total >= target
    mine_damage = sum(number % 2 for number in final) if mine else None
    against = f"{total} against {target}"
    short = (
        f"Captured: {against}; it deals {cost} damage to one target"
        if captured
        else f"Not captured: {against}"
    )
    if mine_damage is not None:
        short += f"; the mine damages {counted(mine_damage, 'efreet')}"
    value = {"total": total, "captured": captured, "mine_damage": mine_damage}
    return short, value, Step(f"rolled {', '.join(faces)}: {against}", "L216-218")


# -- the order of play


def playing_order(rolls: Mapping[str, int]) -> list[str]:
    """Return the players in the order in which they act (L146, L415, L557).

    The player with the lowest d12 acts first, the one with the highest last. Raises TourneyError for an
    impossible roll, and for equal rolls, for which the rules have no tie-break.
    """
    for face in rolls.values():
        _refuse_face(face, D12)
    times = Counter(rolls.values())
    equal = [player for player, face in rolls.items() if times[face] > 1]
    if equal:
        raise TourneyError(
            f"{listed(equal)} rolled the same number (How To Start, L146)",
            "roll again: the rules have no tie-break",
        )
    return sorted(rolls, key=lambda player: rolls[player])


class Unit(Struct, frozen=True):
    """An efreet (a combat unit of the game) in an engagement."""

    name: Annotated[str, Label("UNIT")]
    speed: int
    player: str


class Initiative(Struct, frozen=True):
    """A player's roll for initiative.

    If `name` is empty, `roll` is not a number but the name of the player who won initiative.
    """

    roll: int | str
    name: Annotated[str, Label("PLAYER")] = ""


@GAME.question(
    "In which order do the efreets of an engagement fire, and who says first whether to retreat?",
    "Combat, L242-247",
    "Retreating, L267",
    "Initiative, L146, L557",
    examples={
        "Tigercat=6/Ada Hammer=4/Ben Claymore=4/Ada --initiative Ada": "The units fire in this order: "
        "Tigercat; Hammer then Claymore (damage is applied after both have fired).",
        'Fox=5/Ada Elk=5/Ben Owl=5/Cyn --initiative "Ada=9 Ben=2 Cyn=5"': "The units fire in this order: "
        "Elk then Owl then Fox (damage is applied after all have fired).",
    },
)
def engagement(
    units: Annotated[tuple[Unit, ...], "The efreets, with their player"],
    *,
    initiative: Annotated[tuple[Initiative, ...], "Who won initiative, or the roll of every player."],
) -> Answer:
    """Return the answer with the order in which units fire, the fastest first (L242-247).

    Damage among units that fire together is applied after all of them have fired.
    """
    refuse_repeated([unit.name for unit in units])
    for unit in units:
        _refuse_absurd(speed=unit.speed)
    players = list(dict.fromkeys(unit.player for unit in units))
    _refuse_players(players, units)
    order = _acting_order(initiative, players)
    steps: list[Step] = []
    fires: list[dict[str, Any]] = []
    in_order = sorted(units, key=lambda unit: (-unit.speed, order.index(unit.player)))
    for number, (speed, group) in enumerate(groupby(in_order, key=lambda unit: unit.speed), start=1):
        units_of_speed = list(group)
        several = len({unit.player for unit in units_of_speed}) > 1
        text = f"speed {speed}: "
        text += ", then ".join(f"{unit.name} ({unit.player})" for unit in units_of_speed)
        text += "; damage is applied after the last of them has fired" * several
        steps.append(Step(text, "L242, L247" if several else "L242"))
        names = [unit.name for unit in units_of_speed]
        fires.append({"step": number, "speed": speed, "units": names, "simultaneous": several})
    steps.append(
        Step(
            f"then the players declare in this order whether to retreat: {', then '.join(order)}",
            "L242, L267",
        )
    )
    firing = []
    for fire in fires:
        together = f" (damage is applied after {'both' if len(fire['units']) == 2 else 'all'} have fired)"
        firing.append(" then ".join(fire["units"]) + together * fire["simultaneous"])
    return Answer(
        f"The units fire in this order: {'; '.join(firing)}.",
        sentence(steps[-1]),
        {"fires": fires, "retreat": order},
        steps,
    )


def _refuse_players(players: Sequence[str], units: Sequence[Unit]) -> None:
    """Raise TourneyError if an engagement has too few or too many players, or too many efreets."""
    if len(players) < 2:
        raise TourneyError(
            "combat begins when two or more opposing efreets meet (Combat, L240)",
            "name each unit's player: Fox=5/Ada",
        )
    if len(players) > 3:
        raise TourneyError(
            f"{len(players)} players: a game has two players, or three in Scramble (L401, L405)"
        )
    for player, number in Counter(unit.player for unit in units).items():
        if number > EFREET_LIMIT:
            raise TourneyError(
                f"{player} has {number} efreets: a base supports at most {EFREET_LIMIT} (Efreet Limit, L188)"
            )


def _acting_order(initiative: Sequence[Initiative], players: Sequence[str]) -> list[str]:
    """Return the players in the order in which they act.

    The player with the lowest roll acts first. If only the winner of initiative is known, there must be two
    players, and the winner acts last.
    """
    if any(roll.name for roll in initiative):
        if not all(roll.name for roll in initiative):
            raise TourneyError("some values have a name and others do not")
        refuse_repeated([roll.name for roll in initiative])
        rolls: dict[str, Any] = {roll.name: roll.roll for roll in initiative}
        order = playing_order(rolls)
        if missing := [player for player in players if player not in rolls]:
            raise TourneyError(f"the initiative of {listed(missing)} is missing")
        return [player for player in order if player in players]
    winners = [str(roll.roll) for roll in initiative]
    if len(winners) != 1 or len(players) > 2:
        raise TourneyError(
            "the order in which the players act is not known",
            '--initiative "Ada=9 Ben=4" for the rolls, or --initiative Ada for the winner',
        )
    if winners[0] not in players:
        raise TourneyError(f"{winners[0]} is not named as the player of an efreet")
    return [*(player for player in players if player not in winners), *winners]


@GAME.question(
    "In which order do the players act after these rolls?",
    "How To Start, L146",
    "Scramble > Setup, L415",
    "Glossary > Initiative, L557",
    examples={
        "Ada=9 Ben=4": "Ada has initiative and acts last; the order is Ben and Ada.",
        "Ada=9 Ben=2 Cyn=5": "Ada has initiative and acts last; the order is Ben, Cyn and Ada.",
    },
)
def initiative(
    rolls: Annotated[Mapping[Player, Annotated[int, Label("ROLL")]], "What each player rolled with the d12"],
) -> Answer:
    """Return the answer with the order in which the players act."""
    if not 2 <= len(rolls) <= 3:
        raise TourneyError(
            f"{counted(len(rolls), 'player')}: a game has two players, or three in Scramble (L401, L405)"
        )
    order = playing_order(rolls)
    rolls_text = ", ".join(f"{player} {rolls[player]}" for player in order)
    return Answer(
        f"{order[-1]} has initiative and acts last; the order is {listed(order)}.",
        "In turns and simultaneous actions, the lowest roll acts first and the highest last.",
        {"initiative": order[-1], "order": order},
        [Step(f"rolls, lowest first: {rolls_text}", "L146, L557" if len(rolls) == 2 else "L146, L415, L557")],
        ("How To Start, L146", "Glossary > Initiative, L557") if len(rolls) == 2 else (),
    )


# -- winning


@GAME.question(
    "Does a player win by controlling the missions?",
    "Victory Conditions, L72, L86",
    "L230",
    examples={
        "5xAda": "Ada wins by a tactical victory.",
        "Ada Ada Ben Ada Ada": "No tactical victory.",
        "5xAda --at earlier": "No tactical victory.",
    },
)
def tactical_victory(
    missions: Annotated[
        tuple[Annotated[str | None, Label("PLAYER")], ...],
        "The player who controls each of the five missions; `-` if no player does, or if it is flipped",
    ],
    *,
    at: Annotated[
        Literal["turn", "combat", "earlier"],
        "The time of control: the end of the turn, the end of the combat phase, or earlier.",
    ] = "turn",
    tactical_victory_at: TacticalVictoryAt = "end of the turn",
) -> Answer:
    """Return the answer that says whether a player wins by controlling all five missions.

    L72 and L86 name the end of the turn, L230 the end of the combat phase, which is the last phase of the
    turn. Control at the end of the turn wins by both readings.
    """
    if len(missions) != MISSIONS:
        raise TourneyError(f"a red line has {MISSIONS} missions, not {len(missions)} (Red line, L136)")
    tally = Counter(player for player in missions if player is not None)
    if len(tally) > 2:
        raise TourneyError("more than two players control missions: a red line is between two (L136, L409)")
    counts = ", ".join(f"{player} {number}" for player, number in tally.items()) or "no player controls one"
    moment = {"turn": "at the end of the turn", "combat": "at the end of the combat phase"}.get(at, at)
    in_time = at == "turn" or (at == "combat" and tactical_victory_at == "end of the combat phase")
    cite = "L72, L86" if tactical_victory_at == "end of the turn" else "L230"
    steps = [
        Step(f"of the {MISSIONS} missions: {counts}", "L72, L86"),
        Step(f"asked: {moment}; they must be controlled at the {tactical_victory_at}", cite),
    ]
    holder = next((player for player, number in tally.items() if number == MISSIONS), None)
    short, winner = "No tactical victory.", None
    if holder is None:
        reason = (
            f"One player must control all {MISSIONS}: {counts}; "
            "no player controls a flipped mission until it turns back (L489)."
        )
    elif not in_time:
        reason = (
            f"All {MISSIONS} must be controlled at the {tactical_victory_at}; "
            "controlling them earlier does not count."
        )
    else:
        short, winner = f"{holder} wins by a tactical victory.", holder
        reason = f"{holder} controls all {MISSIONS} missions {moment}."
    return Answer(short, reason, {"winner": winner, "held": tally}, steps)


@GAME.question(
    "What are the scramble counts, and who has won?",
    "REDLINE Scramble, L405, L409-413",
    "Glossary > Scramble Count, L591",
    examples={
        "Ada=5/6/7/7 Ben=4/4 Cyn=3": "Ada wins (Ada 25, Ben 8, Cyn 3).",
        "Ada=5/6 Ben=4/8 Cyn=3 --missions-out": "Ben wins (Ada 11, Ben 12, Cyn 3).",
        "Ada=25 Ben=26 Cyn=3 --first Ada": "Ada wins (Ada 25, Ben 26, Cyn 3).",
    },
)
def scramble(
    missions: Annotated[
        Mapping[Player, tuple[Annotated[int | Literal["out"], Label("COST")], ...]],
        "The printed capture costs of each player's missions; `out` for a player without an arsenal",
    ],
    *,
    missions_out: Annotated[bool, "A mission could not be replaced: the game ends with this turn."] = False,
    first: Annotated[str | None, Label("PLAYER"), "Who reached 25 first, if several have."] = None,
    scramble_count: ScrambleCount = SCRAMBLE_TARGET,
) -> Answer:
    """Return each player's sum of printed capture costs in a scramble (L410), and the winner."""
    refuse_below(scramble_count, 1, "the scramble count that wins", "L410")
    if len(missions) != 3:
        players = counted(len(missions), "player")
        raise TourneyError(
            f"{players}: Scramble is played by three (L405); for a player who is out, write `Ben=out`"
        )
    costs = _capture_costs(missions)
    if not costs:
        raise TourneyError(
            "all three players are given as out, but the last player left wins the game (L412)"
        )
    if first is not None and first not in costs:
        raise TourneyError(f"{first} is not one of the players: {', '.join(costs)}")
    counts = {player: sum(numbers) for player, numbers in costs.items()}
    steps = [
        Step(f"{player}: {added_up(' + '.join(map(str, numbers)), counts[player])}", "L410, L591")
        for player, numbers in costs.items()
    ]
    steps += [
        Step(f"{player} is out: no cards are left in the arsenal", "L412")
        for player in missions
        if player not in costs
    ]
    winners, last, reason = _scramble_end(counts, scramble_count, first, missions_left=not missions_out)
    counts_text = ", ".join(f"{player} {count}" for player, count in counts.items())
    if not winners:
        short = f"No winner yet: {counts_text}."
    elif len(winners) == 1:
        short = f"{winners[0]} wins ({counts_text})."
    else:
        short = f"{last.text} ({counts_text})."
    value = {"counts": counts, "winners": winners}
    return Answer(short, reason or sentence(last), value, [*steps, last])


def _capture_costs(missions: Mapping[str, Sequence[int | Literal["out"]]]) -> dict[str, list[int]]:
    """Return the capture costs of the missions of each player who is still in the game.

    Raises TourneyError for missions of a player who is out, and for impossible costs.
    """
    costs: dict[str, list[int]] = {}
    for player, values in missions.items():
        numbers = [value for value in values if value != "out"]
        if "out" in values and len(values) > 1:
            raise TourneyError(f"{player} is out and owns no mission (L412)", f"type {player}=out")
        for cost in numbers:
            label = f"a capture cost of {player}"
            _refuse_number(label, cost)
            if len(numbers) > 1:  # a single 0 is typed for a player without missions
                refuse_below(cost, 1, label, "L216: this number is the difficulty and also the damage")
        if numbers:
            costs[player] = numbers
    return costs


def _scramble_end(
    counts: Mapping[str, int], target: int, first: str | None, *, missions_left: bool
) -> tuple[list[str], Step, str]:
    """Return the winner of a game of Scramble, the last step, and what to do next.

    There are several winners if the rules do not decide between them, and none while the game goes on. If
    there is one winner, the text about what to do next is empty.

    counts:        the scramble count of each player who is still in the game; a player with an empty arsenal
                   is out (L412)
    target:        the count that wins
    first:         the player who reached the target first, if several have reached it. This player wins, not
                   the one with the highest count (L410)
    missions_left: whether every mission could be replaced; if not, the game ends with this turn (L413)

    Raises TourneyError if `first` did not reach the target.
    """
    if first is not None and counts[first] < target:
        raise TourneyError(f"{first} has not reached a scramble count of {target} (L410)")
    finishers = [player for player, count in counts.items() if count >= target]
    if first is not None or len(finishers) == 1:
        return [first or finishers[0]], Step(f"the first to reach {target} wins", "L410"), ""
    if finishers:
        last = Step(f"{listed(finishers, 'or')} wins: the player who reached {target} first", "L410")
        return finishers, last, "Name the first player with --first."
    if len(counts) == 1:
        return list(counts), Step("the last player left has won", "L412"), ""
    if missions_left:
        return [], Step(f"no player has {target}, and missions are left", "L410, L413"), f"{target} wins."
    highest = max(counts.values())
    best = [player for player, count in counts.items() if count == highest]
    if len(best) == 1:
        return best, Step("the mission deck has run out, and the highest count wins", "L413"), ""
    return (
        best,
        Step(f"{listed(best)} are tied, and the rules have no tie-break", "L413"),
        "The organizer decides.",
    )


@GAME.question(
    "In which order do effects resolve that were played in response to each other?",
    "The Chain of Command, L395-397",
    examples={
        "Salvo Full-Salvo Close-Call": "The effects resolve in this order: Close-Call, then Full-Salvo, "
        "then Salvo."
    },
)
def chain(
    effects: Annotated[
        tuple[Annotated[str, Label("EFFECT")], ...], "The effects in the order in which they were played"
    ],
) -> Answer:
    """Return the answer with the order in which effects resolve.

    The newest effect resolves first.
    """
    if not effects:
        raise TourneyError("no effect was played, so no effect can resolve (The Chain of Command, L395)")
    order = list(reversed(effects))
    return Answer(
        f"The effects resolve in this order: {', then '.join(order)}.",
        "The newest effect resolves first, and the oldest last.",
        {"order": order},
        [Step(f"{place}: {effect}", "L395") for place, effect in enumerate(order, start=1)],
    )
