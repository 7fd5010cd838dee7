"""Red Diamond: what a judge computes. Sections and lines are those of the rulebook 7.5.2025."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import Any, Literal

from tourney.errors import TourneyError
from tourney.games import questions as q
from tourney.games.questions import Answer, Step, Thing, added_up, refuse_below, sentence
from tourney.wording import counted, listed

TALLEST = 7
"""No card or pile is higher (Card Stats > HGT, L78)."""

DECK = 60
"""A deck has up to so many cards (Play Essentials, L24)."""

MOST_STEPS = 1_000_000
"""How many cards in sets the search for the best scoring looks at before it gives up (a few seconds)."""

# How open texts can be read: `GAME` asks of each by this name, with the lines for either reading.
OverHeight = Literal["refused", "stays at 7"]
RangeReach = Literal["also that high", "only that high"]
Height = Literal["neither affected nor targeted", "only not targeted"]
SelfDefenseHeight = Literal["attacks back", "does not reach"]


@dataclass(frozen=True, slots=True, order=True)
class VictoryCard:
    """A VP card: its value, and the Max that limits a set it is scored in. Raises TourneyError below zero."""

    vp: int
    max: int
    name: str = ""

    def __post_init__(self) -> None:
        if self.vp < 0 or self.max < 0:
            raise TourneyError(
                f"{self.name or 'a VP card'}: a value or a Max below 0 is not printed on any card"
            )


@dataclass(frozen=True, slots=True)
class PileScoring:
    """A way to score a Victory Pile: the sets and single cards, and what each is worth."""

    piles: tuple[tuple[VictoryCard, ...], ...]
    values: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of the piles (Scoring, L236)."""
        return sum(self.values)


def set_value(cards: Sequence[VictoryCard]) -> int:
    """Return the victory points of cards scored together (Scoring, L232-243).

    A single card is worth its value; Max limits sets of two or more (a reading: L234 speaks of sets only).

    >>> set_value([VictoryCard(2, 40), VictoryCard(3, 30), VictoryCard(4, 20)])
    20
    """
    if len(cards) < 2:
        return sum(card.vp for card in cards)
    return min(prod(card.vp for card in cards), *(card.max for card in cards))


def best_scoring(cards: Sequence[VictoryCard]) -> PileScoring:
    """Return a scoring of the whole pile that is worth most; of several the one found first in order of Max.

    Exact. A pile may be broken up into any sets and single cards (L236). Raises TourneyError where the pile has so
    many different cards that the search would take too long.
    """
    return _searched(cards)[0]


def _searched(cards: Sequence[VictoryCard]) -> tuple[PileScoring, _Search]:
    """Return the best scoring, and the search that found it."""
    singles = [(card,) for card in cards if card.vp < 2]  # a factor of 1 or 0 never helps a set
    kinds: dict[tuple[int, int], list[VictoryCard]] = {}
    for card in sorted(cards, key=lambda card: (-card.max, -card.vp, card.name)):
        if card.vp >= 2:
            kinds.setdefault((card.vp, card.max), []).append(card)
    search = _Search(tuple(kinds))
    sets = search.best(tuple(len(same) for same in kinds.values()))[1]
    piles = [tuple(kinds[search.kinds[kind]].pop(0) for kind in chosen) for chosen in sets]
    whole = (*piles, *singles)
    return PileScoring(whole, tuple(set_value(pile) for pile in whole)), search


class _Search:
    """The best way to break up a pile, cards of equal value and Max being one kind; kinds go by falling Max.

    The first card left goes into each set that could be worth it in turn. A set is worth it only if it scores more
    than the same set with one card taken out and scored alone; so a set that has reached its limit never grows.
    """

    def __init__(self, kinds: tuple[tuple[int, int], ...]) -> None:
        self.kinds = kinds
        self.tried = 0
        self.steps = 0
        self.best = lru_cache(maxsize=None)(self._best)

    def _best(self, left: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
        first = next((kind for kind, number in enumerate(left) if number), None)
        if first is None:
            return 0, ()
        best: tuple[int, tuple[tuple[int, ...], ...]] = (-1, ())
        for chosen, value, rest in self._sets((first,), self.kinds[first][0], _without(left, first)):
            self.tried += 1
            rest_value, others = self.best(rest)
            if value + rest_value > best[0]:
                best = (value + rest_value, (chosen, *others))
        return best

    def _sets(
        self, chosen: tuple[int, ...], product: int, left: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], int, tuple[int, ...]]]:
        """Give the sets that start with `chosen`, what each is worth, and what is left without it."""
        self.steps += len(chosen)
        if self.steps > MOST_STEPS:
            said = f"{len(self.kinds)} different VP cards are too many to find the best scoring"
            raise TourneyError(said, "ask for a part of the pile")
        value = self._value(chosen, product)
        if self._worth_it(chosen, product, value):
            yield chosen, value, left
        if len(chosen) > 1 and product >= self.kinds[chosen[-1]][1]:
            return
        for kind in range(chosen[-1], len(self.kinds)):
            if left[kind]:
                yield from self._sets((*chosen, kind), product * self.kinds[kind][0], _without(left, kind))

    def _value(self, chosen: tuple[int, ...], product: int) -> int:
        return product if len(chosen) == 1 else min(product, self.kinds[chosen[-1]][1])

    def _worth_it(self, chosen: tuple[int, ...], product: int, value: int) -> bool:
        if len(chosen) == 1:
            return True
        for place, kind in enumerate(chosen):
            vp = self.kinds[kind][0]
            others = (
                chosen[:-1] if place == len(chosen) - 1 else chosen[1:]
            )  # only the last one matters: its Max
            if self._value(others, product // vp) + vp >= value:
                return False
        return True


def _without(left: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return (*left[:kind], left[kind] - 1, *left[kind + 1 :])


def can_reach(goal: int, cards: Sequence[VictoryCard]) -> bool:
    """Say whether a deck with these VP cards can win at all: its best scoring reaches the goal (Win Condition, L17)."""
    return best_scoring(cards).total >= goal


@dataclass(frozen=True, slots=True)
class AttackResult:
    """What an attack destroys (Battle Rules, L224)."""

    target_destroyed: bool
    attacker_destroyed: bool = False


def battle(
    atk: int | None,
    dfn: int | None,
    *,
    self_defense: bool = False,
    target_atk: int | None = None,
    attacker_dfn: int | None = None,
) -> AttackResult:
    """Return what an attack with `atk` on a card with `dfn` destroys; None is a blank stat.

    ATK equal to or above DEF destroys. With Self-Defense the target attacks back at the same moment and both may
    fall (Play Conditions, L205). Raises TourneyError where the attack may not be declared (L222).
    """
    if atk is None:
        raise TourneyError("a card without ATK cannot declare an attack (Battle Rules, L222)")
    if dfn is None:
        raise TourneyError("a card without DEF cannot be the target of an attack (Battle Rules, L222)")
    strikes_back = self_defense and target_atk is not None and attacker_dfn is not None
    return AttackResult(atk >= dfn, strikes_back and (target_atk or 0) >= (attacker_dfn or 0))


def pile_height(top: int, below: int, *, limit: int | None = None, over: OverHeight = "refused") -> int:
    """Return the height of a pile: its top card's and one for each card below (Card Piles, L266).

    limit: the top card's own "Max. HGT": no card can be added to a pile beyond it (Play Conditions, L214)
    over:  a reading of L78, "limited to 7": there is no higher pile, or there is and its height stays at 7

    Raises TourneyError for a pile that cannot be.
    """
    refuse_below(top, 0, "the top card's HGT", "no card has less")
    refuse_below(below, 0, "the number of cards below", "Card Piles, L266")
    refuse_below(limit, 0, "Max. HGT", "Play Conditions, L214")
    if top > TALLEST:
        raise TourneyError(f"no card is {top} high: HGT is limited to {TALLEST} (Card Stats > HGT, L78)")
    height = top + below
    if limit is not None and height > limit:
        raise TourneyError(
            f"no card can be added to a pile beyond its Max. HGT of {limit}, and this one would be {height} high "
            "(Play Conditions, L214)"
        )
    if height > TALLEST and over == "refused":
        raise TourneyError(
            f"a pile is limited to a height of {TALLEST}, and this one would be {height} high (L78)"
        )
    return min(height, TALLEST)


def can_target(
    own_height: int | None,
    other_height: int | None,
    *,
    reach: int | None = None,
    range_reach: RangeReach = "also that high",
) -> bool:
    """Say whether a card may attack or affect another one: not if that is 2 or more higher (Card Stats > HGT, L78).

    reach: the X of "Range: X", which reaches every card up to that height (L213), besides those that any card reaches, or
    no other (`range_reach`). A blank height hinders nothing.
    """
    if own_height is None or other_height is None:
        return True
    if reach is not None and range_reach == "only that high":
        return other_height <= reach
    return other_height - own_height < 2 or (reach is not None and other_height <= reach)


# -- the questions: how each is answered


def _cards(things: Sequence[Thing]) -> list[VictoryCard]:
    if len(things) > DECK:
        raise TourneyError(f"{len(things)} cards: a deck has up to {DECK} (Play Essentials, L24)")
    names = [thing.name for thing in things if thing.name]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice:
        raise TourneyError(
            f"{twice} stands there twice: no two cards of a deck share a name (Play Essentials, L24)"
        )
    return [VictoryCard(thing.values[0], thing.values[1], thing.name) for thing in things]


def _called(card: VictoryCard) -> str:
    return f"{card.name} {card.vp}/{card.max}" if card.name else f"{card.vp}/{card.max}"


def _pile_words(pile: Sequence[VictoryCard]) -> str:
    return " + ".join(map(_called, pile))


def _valued(pile: Sequence[VictoryCard]) -> Step:
    """Say what a set or a single card is worth, and why."""
    value = set_value(pile)
    if len(pile) == 1:
        return Step(f"{_called(pile[0])} alone: {value} VP", "L232")
    product, smallest = prod(card.vp for card in pile), min(card.max for card in pile)
    factors = " × ".join(str(card.vp) for card in pile)
    limit = (
        f"the smallest Max, {smallest}, limits it to {value}"
        if smallest < product
        else f"within the smallest Max, {smallest}"
    )
    return Step(f"{_pile_words(pile)} as a set: {factors} = {product}; {limit}: {value} VP", "L233-234")


def _scored(piles: Sequence[Sequence[VictoryCard]]) -> list[dict[str, Any]]:
    return [{"cards": [_called(card) for card in pile], "value": set_value(pile)} for pile in piles]


def _against(goal: int | None, total: int, scored: int) -> tuple[str, list[Step], dict[str, Any]]:
    """Say how a score stands against the goal, with what was scored before."""
    refuse_below(scored, 0, "what was scored before", "Scoring, L236")
    whole = total + scored
    steps, words, value = [], "", {"total": whole}
    if scored:
        steps.append(Step(f"{total} and the {scored} of the piles scored before: {whole} VP", "L236"))
        words = f"; with the {scored} scored before, {whole}"
    if goal is not None:
        refuse_below(goal, 1, "the goal", "Win Condition, L17")
        reached = whole >= goal
        said = f"reaches the goal of {goal}" if reached else f"is {goal - whole} short of the goal of {goal}"
        steps.append(Step(f"{whole} {said}", "L17"))
        words += f"; that {said}"
        value |= {"goal": goal, "reached": reached, "missing": max(goal - whole, 0)}
    return words, steps, value


def ways_to_split(number: int) -> int:
    """Return in how many ways so many cards are broken up into sets and single cards (the Bell number).

    >>> [ways_to_split(number) for number in range(6)]
    [1, 1, 2, 5, 15, 52]
    """
    row = [1]
    for _ in range(number):
        grown = [row[-1]]
        for each in row:
            grown.append(grown[-1] + each)
        row = grown
    return row[0]


_MOST_SHOWN = 4
"""Cards of which each of the ways to break them up is shown: four have 15."""


def _tried(cards: Sequence[VictoryCard]) -> Iterator[Step]:
    """Show each way to break up a small pile, the best first."""
    if not 2 <= len(cards) <= _MOST_SHOWN:
        return
    ways = sorted(_splits(cards), key=lambda piles: -sum(map(set_value, piles)))
    for number, piles in enumerate(ways, start=1):
        values = [set_value(pile) for pile in piles]
        said = added_up(" + ".join(map(str, values)), sum(values))
        yield Step(f"way {number} of {len(ways)}: {'; '.join(map(_pile_words, piles))}: {said}", "L236")


def _splits(cards: Sequence[VictoryCard]) -> Iterator[list[list[VictoryCard]]]:
    if not cards:
        yield []
        return
    first, *rest = cards
    for smaller in _splits(rest):
        yield [[first], *smaller]
        for place, pile in enumerate(smaller):
            yield [*smaller[:place], [first, *pile], *smaller[place + 1 :]]


def _why_best(ways: int, tried: int, rests: int) -> Iterator[Step]:
    yield Step(
        f"proof that nothing is worth more: of the {counted(ways, 'way')} to break up the pile each was tried but those that the next "
        f"two steps rule out; {counted(tried, 'set')} tried, with the best that each of {counted(rests, 'rest')} is worth",
        "L236",
    )
    yield Step(
        "ruled out: a set that scores no more than the same set with one card taken out and scored alone; so a card of VP 0 "
        "or 1 stands alone",
        "L232-233",
    )
    yield Step(
        "bound: a set whose product has reached its smallest Max scores no more with another card in it",
        "L234",
    )


def _score(pile: Sequence[Thing], goal: int | None, scored: int) -> Answer:
    cards = _cards(pile)
    scoring, search = _searched(cards)
    words, steps, value = _against(goal, scoring.total, scored)
    ways = ways_to_split(len(cards))
    left = search.best.cache_info().currsize
    split = "; ".join(
        f"{_pile_words(each)} ({worth})" for each, worth in zip(scoring.piles, scoring.values, strict=True)
    )
    proof = [*_tried(cards), *_why_best(ways, search.tried, left)]
    return Answer(
        f"{scoring.total} VP at best{words}.",
        f"Score {split}; the best of {counted(ways, 'way')} to break up the pile."
        if cards
        else "The pile is empty.",
        {
            "best": scoring.total,
            "piles": _scored(scoring.piles),
            "ways": str(ways),
            "sets_tried": search.tried,
            **value,
        },
        (*map(_valued, scoring.piles), *steps, *proof),
    )


def _split(piles: Sequence[Sequence[Thing]], goal: int | None, scored: int) -> Answer:
    _cards([thing for pile in piles for thing in pile])
    sets = [_cards(pile) for pile in piles]
    total = sum(map(set_value, sets))
    best = best_scoring([card for pile in sets for card in pile]).total
    words, steps, value = _against(goal, total, scored)
    better = (
        f"the pile is worth {best} at best" if best > total else "no other split of these cards is worth more"
    )
    return Answer(
        f"{total} VP{words}.",
        f"{' + '.join(str(set_value(pile)) for pile in sets) or 0}; {better}.",
        {"split": total, "best": best, "piles": _scored(sets), **value},
        (*map(_valued, sets), Step(f"the sum of the piles: {total} VP", "L236"), *steps, Step(better)),
    )


_MOST_CANDIDATES = 12
"""Cards to choose from, of which every choice is tried: twelve have 4,096."""


def _need(pile: Sequence[Thing], goal: int, scored: int, from_: Sequence[Thing]) -> Answer:
    _cards([*pile, *from_])
    cards = _cards(pile)
    total = best_scoring(cards).total
    words, steps, value = _against(goal, total, scored)
    start = (Step(f"the pile is worth {total} VP at best", "L236"), *steps)
    if total + scored >= goal:
        return Answer(f"Nothing: the pile is worth {total} VP{words}.", "", {"needed": 0, **value}, start)
    missing = goal - scored
    if from_:
        return _fewest(cards, missing, _cards(from_), start, value)
    least = least_cards(cards, missing)
    vp, max_ = least[0]
    rows = [Step(f"enough: VP {each}{_with_max(limit)}", "L233-234") for each, limit in least]
    return Answer(
        f"One more card of VP {vp}{_with_max(max_)}; the pile alone is {missing - total} short.",
        f"With VP {vp - 1} no Max is enough.",
        {
            "needed": {"vp": vp, "max": max_},
            "enough": [{"vp": each, "max": limit} for each, limit in least],
            **value,
        },
        (*start, *rows, Step(f"not enough: VP {vp - 1} or less, whatever its Max")),
    )


def _with_max(limit: int) -> str:
    return f" and Max {limit} or more" if limit else ", whatever its Max"


def least_cards(cards: Sequence[VictoryCard], goal: int, *, most: int = 6) -> tuple[tuple[int, int], ...]:
    """Return the cards one of which, added to a pile, just reaches a goal: (VP, least Max), by rising VP and falling Max.

    A card with a higher VP or Max than one that reaches the goal reaches it, too. The pile alone must be short of it.
    most: after so many cards the list ends
    """

    def reaches(vp: int, max_: int) -> bool:
        return can_reach(goal, [*cards, VictoryCard(vp, max_)])

    vp = bisect_left(range(goal + 1), True, key=lambda vp: reaches(vp, goal))
    found: list[tuple[int, int]] = []
    while len(found) < most and (not found or found[-1][1]):
        max_ = bisect_left(range(goal + 1), True, key=lambda max_: reaches(vp, max_))
        if not found or max_ < found[-1][1]:
            found.append((vp, max_))
        if max_ and not reaches(vp + 1, max_ - 1):  # go on to the next VP that allows a smaller Max
            vp += bisect_left(range(goal + 1), True, key=lambda more: reaches(vp + more, max_ - 1))
        else:
            vp += 1
    return tuple(found)


def _fewest(
    cards: Sequence[VictoryCard],
    goal: int,
    from_: Sequence[VictoryCard],
    start: Sequence[Step],
    value: Mapping[str, Any],
) -> Answer:
    if len(from_) > _MOST_CANDIDATES:
        raise TourneyError(
            f"{len(from_)} cards to choose from are too many", f"name up to {_MOST_CANDIDATES}"
        )
    chosen = fewest_to_add(cards, goal, from_)
    if chosen is None:
        everything = best_scoring([*cards, *from_]).total
        said = f"No: all of them together make the pile worth {everything} VP, and {goal} are needed."
        return Answer(said, "", {"needed": None, "best": everything, **value}, (*start, Step(said)))
    scoring = best_scoring([*cards, *chosen])
    fewer = (
        ("no single one" if len(chosen) == 2 else f"no {len(chosen) - 1}") + " of these cards would do"
        if len(chosen) > 1
        else "without one it is short"
    )
    last = Step(f"{fewer}; every smaller choice was tried")
    return Answer(
        f"Add {_pile_words(chosen)}: {scoring.total} VP.",
        sentence(last),
        {
            "needed": [_called(card) for card in chosen],
            "best": scoring.total,
            "piles": _scored(scoring.piles),
            **value,
        },
        (*start, *map(_valued, scoring.piles), last),
    )


def fewest_to_add(
    cards: Sequence[VictoryCard], goal: int, from_: Sequence[VictoryCard]
) -> tuple[VictoryCard, ...] | None:
    """Return the fewest cards of `from_` with which a pile reaches a goal, of those the least VP; None where all do not.

    Raises TourneyError where trying them would take too long.
    """
    if not can_reach(goal, [*cards, *from_]):
        return None
    steps = 0
    for number in range(len(from_)):
        for chosen in sorted(combinations(from_, number), key=lambda some: sum(card.vp for card in some)):
            pile = [*cards, *chosen]
            if sum(max(2 * card.vp, card.max) for card in pile) < 2 * goal:
                continue  # in a set of two or more no card brings more than half its Max
            scoring, search = _searched(pile)
            if scoring.total >= goal:
                return chosen
            steps += search.steps
            if steps > MOST_STEPS:
                raise TourneyError("too many choices of cards to try each", "name fewer cards in --from")
    return tuple(from_)


def _battle(
    cards: Sequence[Thing],
    self_defense: bool,
    range_: int | None,
    *,
    range_reach: RangeReach,
    self_defense_height: SelfDefenseHeight = "attacks back",
) -> Answer:
    attacker, target = _two(cards, "the attacking card, then its target")
    atk, own_dfn, own_height = attacker.values
    other_atk, dfn, height = target.values
    for stat in (*attacker.values, *target.values):
        refuse_below(stat, 0, "a stat", "no card has less")
    _refuse_unreachable(own_height, height, range_, range_reach)
    reaches_up = can_target(height, own_height)
    back = self_defense and (reaches_up or self_defense_height == "attacks back")
    fought = battle(atk, dfn, self_defense=back, target_atk=other_atk, attacker_dfn=own_dfn)
    one, other = attacker.name or "the attacker", target.name or "the target"
    steps = [_compared("ATK", one, atk, other, dfn, cite="L224")]
    ranged = [_in_range(range_)] if range_ is not None and not can_target(own_height, height) else []
    if self_defense:
        steps.append(_struck_back(one, other, other_atk, own_dfn, reaches_up=reaches_up, back=back))
    fallen = [
        name for name, falls in ((other, fought.target_destroyed), (one, fought.attacker_destroyed)) if falls
    ]
    short = f"{listed(fallen) or 'nothing'} {'are' if len(fallen) > 1 else 'is'} destroyed"
    if fallen:
        steps.append(Step("destroyed cards go to their owner's Recycle Pile I", "L224, L123"))
    return Answer(
        sentence(short),
        ". ".join(step.text for step in steps[: 1 + self_defense]) + ".",
        {"target_destroyed": fought.target_destroyed, "attacker_destroyed": fought.attacker_destroyed},
        (*ranged, *steps),
    )


def _struck_back(
    one: str, other: str, atk: int | None, dfn: int | None, *, reaches_up: bool, back: bool
) -> Step:
    """Say what the target's Self-Defense does. reaches_up: whether the attacker is less than 2 higher."""
    if atk is None or dfn is None:
        return Step(
            f"Self-Defense: {other} has no ATK, or {one} no DEF: it does not strike back", "L205, L222"
        )
    if not back:
        return Step(f"Self-Defense: {one} is 2 or more higher, so {other} does not strike back", "L78")
    higher = "" if reaches_up else f"; it strikes back though {one} is 2 or more higher"
    struck = _compared("Self-Defense: ATK", other, atk, one, dfn, cite="L205")
    return Step(struck.text + higher, struck.cite)


def _in_range(range_: int) -> Step:
    return Step(f"Range: {range_} reaches every card of height {range_} or lower", "L213")


def _compared(what: str, one: str, atk: int, other: str, dfn: int, *, cite: str) -> Step:
    said = "equal or above destroys" if atk >= dfn else "below does not destroy"
    return Step(f"{what} {atk} of {one} against DEF {dfn} of {other}: {said}", cite)


def _two(things: Sequence[Thing], which: str) -> tuple[Thing, Thing]:
    if len(things) != 2:
        raise TourneyError(f"{counted(len(things), 'card')} named: name two, {which}")
    return things[0], things[1]


def _refuse_height(height: int | None) -> None:
    refuse_below(height, 0, "a height", "no card has less")
    if height is not None and height > TALLEST:
        raise TourneyError(
            f"nothing is {height} high: the HGT of any card or pile is limited to {TALLEST} (Card Stats > HGT, L78)"
        )


def _refuse_unreachable(
    own: int | None, other: int | None, range_: int | None, range_reach: RangeReach
) -> None:
    _refuse_height(own)
    _refuse_height(other)
    if can_target(own, other) and not can_target(own, other, reach=range_, range_reach=range_reach):
        raise TourneyError(
            f"`Range: {range_}` reaches cards of height {range_} or lower only, not {other} (L213)"
        )
    if not can_target(own, other, reach=range_):
        raise TourneyError(
            f"a card of height {own} cannot attack one of height {other}: 2 or more higher (L78, L266)",
            f"its `Range: {range_}` does not reach {other} either (L213)" if range_ is not None else None,
        )


def _reach(
    heights: Sequence[Thing],
    range_: int | None,
    pile: bool,
    untargeted: bool,
    *,
    height: Height,
    range_reach: RangeReach,
) -> Answer:
    mine, other = (thing.values[0] for thing in _two(heights, "the card that acts, then the other"))
    _refuse_height(mine)
    _refuse_height(other)
    refuse_below(range_, 0, "Range", "Play Conditions, L213")
    if mine is None or other is None:
        return Answer(
            "Yes: a blank HGT hinders nothing.",
            "What refers to height does not touch a card without it.",
            {"reaches": True},
            (Step("a card with a blank stat is not affected by what refers to that stat", "L54"),),
        )
    above = other - mine
    gap = Step(
        f"{other} is {above} higher than {mine}" if above > 0 else f"{other} is not higher than {mine}", "L78"
    )
    if range_ is not None and other > range_ and range_reach == "only that high":
        step = Step(f"Range: {range_} reaches cards of height {range_} or lower, and no others", "L213")
        return Answer(f"No: {step.text}.", "", {"reaches": False, "gap": above}, (gap, step))
    if above < 2:
        return Answer(
            f"Yes: {gap.text}, and only 2 or more hinder.", "", {"reaches": True, "gap": above}, (gap,)
        )
    if range_ is not None and other <= range_:
        step = _in_range(range_)
        return Answer(f"Yes: {step.text}.", f"{gap.text}.", {"reaches": True, "gap": above}, (gap, step))
    if pile and untargeted and height == "only not targeted":
        step = Step("a pile 2 or more higher cannot be targeted; what does not target affects it", "L266")
        return Answer(f"Yes: {step.text}.", f"{gap.text}.", {"reaches": True, "gap": above}, (gap, step))
    step = Step("what is 2 or more higher can be neither affected nor targeted", "L78")
    steps = (
        (gap, step)
        if range_ is None
        else (gap, Step(f"Range: {range_} does not reach {other}", "L213"), step)
    )
    return Answer(f"No: {gap.text}.", sentence(step), {"reaches": False, "gap": above}, steps)


def _pile(top: int, below: int, max_hgt: int | None, build: int | None, over_height: OverHeight) -> Answer:
    height = pile_height(top, below, limit=max_hgt, over=over_height)
    refuse_below(build, 0, "Build", "Play Conditions, L211")
    if build is not None and below < build:
        raise TourneyError(
            f"Build {build}: {build} cards are piled below the top card, not {below} (L211, L256)"
        )
    room: int | None
    if over_height == "stays at 7":
        room = None if max_hgt is None else max_hgt - top - below
        limit = Step(f"its height stays at {TALLEST}, whatever is added", "L78")
        if max_hgt is not None:
            limit = Step(f"no card is added beyond its Max. HGT of {max_hgt}", "L214")
    else:
        most = TALLEST if max_hgt is None else min(max_hgt, TALLEST)
        room = most - height
        limit = Step(f"the highest it can be: {most}", "L78" if max_hgt is None else "L78, L214")
    added = "any number of cards" if room is None else counted(room, "more card")
    return Answer(
        f"Height {height}, and no more cards." if room == 0 else f"Height {height}; {added} can be added.",
        f"The top card's {top} and {counted(below, 'card')} below it: {top + below}.",
        {"height": height, "room": room},
        (
            Step(
                f"the top card's HGT {top} and one for each of {counted(below, 'card')} below: {top + below}",
                "L266",
            ),
            limit,
        ),
    )


# -- the questions


_VP = q.things("VP", "MAX", name="NAME")
_GOAL = q.option("goal", "The goal of the game; by default that of the event.", setting=True)
_BEFORE = q.option("scored", "Victory points of the piles scored before.", 0)
_RANGE = q.option("range_", "The X of the acting card's `Range: X`.", metavar="X")
_SELF_DEFENSE_HEIGHT = q.RuleReading(
    "self_defense_height",
    "Whether a card with Self-Defense attacks back at a card that is 2 or more higher",
    "attacks back",
    {
        "attacks back": "Play Conditions, L205: when it is attacked",
        "does not reach": "Card Stats > HGT, L78: it cannot affect that card",
    },
)
_RANGE_REACH = q.RuleReading(
    "range_reach",
    "What `Range: X` reaches",
    "also that high",
    {
        "also that high": "Play Conditions, L213: can affect any card up to X, past the limit of L78",
        "only that high": "Play Conditions, L213: X height or lower",
    },
)

GAME = q.Game(
    "Red Diamond",
    "rulebook 7.5.2025",
    (
        q.Question(
            "score",
            "What is a pile of VP cards worth at best, and how is it broken up?",
            _score,
            ("Scoring, L232-243",),
            (q.Argument("pile", "The VP cards of the pile", _VP), _GOAL, _BEFORE),
            examples={
                '"2/40 3/30 4/20"': "20 VP at best.",
                '"2/40 3/30 4/20" --goal 30': "20 VP at best; that is 10 short of the goal of 30.",
                "3x2/40 5/25 --goal 30 --scored 12": "25 VP at best; with the 12 scored before, 37; that reaches the goal of 30.",
            },
            more="The answer is exact: every way to break up the pile was tried, or cannot be better; --explain says why.",
        ),
        q.Question(
            "split",
            "What are these sets and single cards worth?",
            _split,
            ("Scoring, L232-243",),
            (
                q.Argument(
                    "piles",
                    "The piles as the player breaks them up, a set's cards joined by +",
                    q.things("VP", "MAX", name="NAME", groups=True),
                ),
                _GOAL,
                _BEFORE,
            ),
            examples={
                "2/40+3/30+4/20": "20 VP.",
                "2/40+3/30 4/20": "10 VP.",
                "2/40 3/30+4/20 --goal 20": "14 VP; that is 6 short of the goal of 20.",
            },
        ),
        q.Question(
            "need",
            "What is the least to add to a pile to reach the goal?",
            _need,
            ("Win Condition, L17; Scoring, L232-243",),
            (
                q.Argument("pile", "The VP cards of the pile", _VP),
                q.option(
                    "goal", "The goal of the game; by default that of the event.", required=True, setting=True
                ),
                _BEFORE,
                q.option("from_", "Cards to choose from: the fewest of them that reach the goal.", kind=_VP),
            ),
            examples={
                '"2/40 3/30 4/20" --goal 30': "One more card of VP 5 and Max 26 or more; the pile alone is 10 short.",
                '"2/40 3/30" --goal 20 --from "4/20 5/40 6/10"': "Add 4/20: 20 VP.",
            },
        ),
        q.Question(
            "battle",
            "Which cards does an attack destroy?",
            _battle,
            ("Battle Rules, L222-224",),
            (
                q.Argument(
                    "cards",
                    "The attacking card, then its target",
                    q.things(
                        q.Stat("ATK", blank=True),
                        q.Stat("DEF", blank=True),
                        q.Stat("HGT", blank=True, optional=True),
                        name="NAME",
                    ),
                ),
                q.flag("self_defense", "The target has Self-Defense: it attacks back."),
                _RANGE,
            ),
            (_RANGE_REACH, _SELF_DEFENSE_HEIGHT),
            examples={
                "3/2 4/3": "The target is destroyed.",
                "3/2 4/3 --self-defense": "The target and the attacker are destroyed.",
                "Fox=2/- Wall=-/3": "Nothing is destroyed.",
            },
            more="An attack that may not be declared is refused: no ATK, no DEF, out of reach.",
        ),
        q.Question(
            "reach",
            "May a card of one height attack or affect one of another?",
            _reach,
            ("Card Stats > HGT, L78",),
            (
                q.Argument(
                    "heights",
                    "The height of the card that acts, then of the other",
                    q.things(q.Stat("HGT", blank=True)),
                ),
                _RANGE,
                q.flag("pile", "The other one is a pile."),
                q.flag("untargeted", "The effect does not target."),
            ),
            (
                q.RuleReading(
                    "height",
                    "What cannot be done to a pile that is 2 or more higher",
                    "neither affected nor targeted",
                    {"neither affected nor targeted": "L78", "only not targeted": "L266"},
                ),
                _RANGE_REACH,
            ),
            {
                "1 3": "No: 3 is 2 higher than 1.",
                "1 2": "Yes: 2 is 1 higher than 1, and only 2 or more hinder.",
                "1 5 --range 5": "Yes: Range: 5 reaches every card of height 5 or lower.",
            },
        ),
        q.Question(
            "pile",
            "How high is a pile, and may cards be added to it?",
            _pile,
            ("Card Piles, L266", "Card Stats > HGT, L78"),
            (
                q.Argument("top", "The HGT of the top card."),
                q.Argument("below", "How many cards lie below it."),
                q.option("max_hgt", "The X of the top card's `Max. HGT: X`.", metavar="X"),
                q.option("build", "The X of the top card's `Build X`.", metavar="X"),
            ),
            (
                q.RuleReading(
                    "over_height",
                    "Whether there are piles with more cards than make a height of 7",
                    "refused",
                    {
                        "refused": "L78: the height is limited; L214: no more cards",
                        "stays at 7": "L78: only the HGT is limited",
                    },
                ),
            ),
            {
                "2 3": "Height 5; 2 more cards can be added.",
                "2 2 --max-hgt 4": "Height 4, and no more cards.",
            },
        ),
    ),
)
"""Its questions, with what `tourney judge` answers."""
