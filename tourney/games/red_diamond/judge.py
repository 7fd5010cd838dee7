"""Red Diamond calculators. Citations are sections and lines of the rulebook 7.5.2025.

A Victory Pile may be broken up into sets and single cards in any way. A set is worth the product of its
cards, limited by the smallest Max in it. The best scoring of a pile is found by a search; the docstring of
`Search` explains why no scoring is worth more than the result.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import Annotated, Any, Literal

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.games.questions import SETTING, Answer, Game, OpenText, Step, added_up, refuse_below, sentence
from tourney.games.typed import Label, refuse_repeated
from tourney.wording import counted, listed

GAME = Game("Red Diamond", "rulebook 7.5.2025")

TALLEST = 7
"""The greatest height of a card or a pile (Card Stats > HGT, L78)."""

DECK = 60
"""The maximum number of cards in a deck (Play Essentials, L24)."""

MOST_STEPS = 1_000_000
"""The maximum number of steps in a search for the best scoring.

Trying a set takes one step for each of its cards. The maximum is reached after a few seconds.
"""

_MOST_SHOWN = 4
"""The largest pile, in cards, for which all ways to break it up are shown.

Four cards can be broken up in 15 ways.
"""

_MOST_CANDIDATES = 12
"""The maximum number of cards that `need` can choose from.

All choices are tried; from twelve cards, there are 4,096.
"""

OverHeight = Annotated[
    Literal["refused", "stays at 7"],
    OpenText(
        "Whether a pile can have so many cards that its height would be above 7",
        "L78: the height is limited; L214: no more cards",
        "L78: only the HGT is limited",
    ),
]
RangeReach = Annotated[
    Literal["also that high", "only that high"],
    OpenText(
        "What `Range: X` reaches",
        "Play Conditions, L213: can affect any card up to X, past the limit of L78",
        "Play Conditions, L213: X height or lower",
    ),
]
Height = Annotated[
    Literal["neither affected nor targeted", "only not targeted"],
    OpenText("How a pile that is higher by 2 or more is protected", "L78", "L266"),
]
SelfDefenseHeight = Annotated[
    Literal["attacks back", "does not reach"],
    OpenText(
        "Whether a card with Self-Defense attacks back at a card that is higher by 2 or more",
        "Play Conditions, L205: when it is attacked",
        "Card Stats > HGT, L78: it cannot affect that card",
    ),
]


# -- scoring


class VictoryCard(Struct, frozen=True, order=True):
    """A VP card: its value, and the Max that limits the value of its set.

    Raises TourneyError for a number below zero.
    """

    vp: int
    max: int
    name: str = ""

    def __post_init__(self) -> None:
        if self.vp < 0 or self.max < 0:
            raise TourneyError(f"{self.name or 'a VP card'} cannot have a VP value or a Max below 0")

    def __str__(self) -> str:
        return f"{self.name} {self.vp}/{self.max}".lstrip()


Pile = Sequence[VictoryCard]
"""Cards that are scored together: a set, or a single card."""


def set_value(cards: Pile) -> int:
    """Return the victory points of a set or of a single card (Scoring, L232-243).

    A single card is worth its value. The smallest Max limits a set of two or more cards. That it does not
    limit a single card is our reading of L234, which is only about sets.

    >>> set_value([VictoryCard(2, 40), VictoryCard(3, 30), VictoryCard(4, 20)])
    20
    """
    if len(cards) < 2:
        return sum(card.vp for card in cards)
    return min(prod(card.vp for card in cards), *(card.max for card in cards))


class PileScoring(Struct, frozen=True):
    """The best way to score a Victory Pile.

    piles:        the sets and single cards into which the pile is broken up
    sets_tried:   the number of sets that the search tried
    rests_solved: the number of different remainders of the pile for which the search found the best scoring
    steps:        the number of steps that the search took; see `MOST_STEPS`
    """

    piles: tuple[tuple[VictoryCard, ...], ...]
    sets_tried: int
    rests_solved: int
    steps: int

    @property
    def total(self) -> int:
        """The sum of the values of the sets and single cards (Scoring, L236)."""
        return sum(map(set_value, self.piles))


def best_scoring(cards: Pile) -> PileScoring:
    """Return the best scoring of the whole pile.

    The result is exact. A pile may be broken up into any sets and single cards (L236). Of several scorings
    with the best value, the one found first is returned; the search begins with the cards of the highest Max.

    Raises TourneyError if the pile has so many different cards that the search would take too long.
    """
    singles = [(card,) for card in cards if card.vp < 2]  # a factor of 1 or 0 never helps a set
    kinds: dict[tuple[int, int], list[VictoryCard]] = {}
    for card in sorted(cards, key=lambda card: (-card.max, -card.vp, card.name)):
        if card.vp >= 2:
            kinds.setdefault((card.vp, card.max), []).append(card)
    search = Search(tuple(kinds))
    sets = search.best(tuple(map(len, kinds.values())))[1]
    piles = [tuple(kinds[search.kinds[kind]].pop(0) for kind in chosen) for chosen in sets]
    return PileScoring((*piles, *singles), search.tried, search.best.cache_info().currsize, search.steps)


class Search:
    """A search for the best way to break up a pile.

    Cards with equal value and Max are one kind. Kinds are ordered by descending Max.

    The search takes the first remaining card and tries each set that contains it and can pay off, with the
    best scoring of the cards that are then left. A set pays off only if it scores more than the same set
    without one of its cards, plus that card alone. Sets that do not pay off can be skipped, because splitting
    off the card is at least as good. For this reason a set whose product has reached its Max is not enlarged.
    """

    def __init__(self, kinds: tuple[tuple[int, int], ...]) -> None:
        self.kinds = kinds
        self.tried = 0
        self.steps = 0
        self.best = lru_cache(maxsize=None)(self._best)

    def _best(self, cards_left: tuple[int, ...]) -> tuple[int, tuple[tuple[int, ...], ...]]:
        first = next((kind for kind, number in enumerate(cards_left) if number), None)
        if first is None:
            return 0, ()
        best: tuple[int, tuple[tuple[int, ...], ...]] = (-1, ())
        for card_set, value, rest_cards in self._sets(
            (first,), self.kinds[first][0], _without(cards_left, first)
        ):
            self.tried += 1
            rest_value, other_sets = self.best(rest_cards)
            if value + rest_value > best[0]:
                best = (value + rest_value, (card_set, *other_sets))
        return best

    def _sets(
        self, card_set: tuple[int, ...], product: int, cards_left: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], int, tuple[int, ...]]]:
        """Yield (set, value, remaining cards) for each set worth trying that starts with `card_set`.

        A set is not worth trying if splitting off one of its cards scores at least as much.

        card_set:   the kinds of the first cards in the set; a kind is a value and a Max
        product:    the product of these cards
        cards_left: the number of remaining cards of each kind

        Raises TourneyError if the search exceeds `MOST_STEPS`.
        """
        self.steps += len(card_set)
        if self.steps > MOST_STEPS:
            raise TourneyError(
                f"{len(self.kinds)} different VP cards are too many to find the best scoring",
                "ask for a part of the pile",
            )
        value = self._value(card_set, product)
        if self._worth_it(card_set, product, value):
            yield card_set, value, cards_left
        if len(card_set) > 1 and product >= self.kinds[card_set[-1]][1]:
            return
        for kind in range(card_set[-1], len(self.kinds)):
            if cards_left[kind]:
                yield from self._sets(
                    (*card_set, kind), product * self.kinds[kind][0], _without(cards_left, kind)
                )

    def _value(self, card_set: tuple[int, ...], product: int) -> int:
        return product if len(card_set) == 1 else min(product, self.kinds[card_set[-1]][1])

    def _worth_it(self, card_set: tuple[int, ...], product: int, value: int) -> bool:
        for place, kind in enumerate(card_set if len(card_set) > 1 else ()):
            vp = self.kinds[kind][0]
            # The last card has the smallest Max. Without that card, the set has another limit.
            smaller_set = card_set[:-1] if place == len(card_set) - 1 else card_set[1:]
            if self._value(smaller_set, product // vp) + vp >= value:
                return False
        return True


def _without(left: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return (*left[:kind], left[kind] - 1, *left[kind + 1 :])


def ways_to_split(number: int) -> int:
    """Return the number of ways to break up cards into sets and single cards (the Bell number).

    >>> [ways_to_split(number) for number in range(6)]
    [1, 1, 2, 5, 15, 52]
    """
    row = [1]
    for _ in range(number):
        next_row = [row[-1]]
        for term in row:
            next_row.append(next_row[-1] + term)
        row = next_row
    return row[0]


def _splits(cards: Pile) -> Iterator[list[list[VictoryCard]]]:
    """Yield every way to divide cards into sets and single cards."""
    if not cards:
        yield []
        return
    first, *rest = cards
    for piles in _splits(rest):
        yield [[first], *piles]
        for place, pile in enumerate(piles):
            yield [*piles[:place], [first, *pile], *piles[place + 1 :]]


def _pile_text(pile: Pile) -> str:
    return " + ".join(map(str, pile))


def _value_step(pile: Pile) -> Step:
    """Return the `Step` that explains the value of a set or of a single card."""
    value = set_value(pile)
    if len(pile) == 1:
        return Step(f"{pile[0]} alone: {value} VP", "L232")
    product, smallest = prod(card.vp for card in pile), min(card.max for card in pile)
    factors = " × ".join(str(card.vp) for card in pile)
    limit = f"within the smallest Max, {smallest}"
    if smallest < product:
        limit = f"the smallest Max, {smallest}, limits it to {value}"
    return Step(f"{_pile_text(pile)} as a set: {factors} = {product}; {limit}: {value} VP", "L233-234")


def _as_values(piles: Sequence[Pile]) -> list[dict[str, Any]]:
    return [{"cards": list(map(str, pile)), "value": set_value(pile)} for pile in piles]


def _refuse_cards(cards: Pile) -> None:
    """Raise TourneyError for cards that a deck cannot have."""
    if len(cards) > DECK:
        raise TourneyError(f"{len(cards)} cards: a deck has up to {DECK} (Play Essentials, L24)")
    refuse_repeated(
        [card.name for card in cards if card.name],
        "no two cards of a deck share a name (Play Essentials, L24)",
    )


def _compared_with_goal(goal: int | None, total: int, scored: int) -> tuple[str, list[Step], dict[str, Any]]:
    """Compare the victory points of this pile and of earlier piles with the goal.

    goal:   the victory points that win the game; None: no comparison
    total:  the victory points of this pile
    scored: the victory points of piles that were scored before

    Returns words for the short answer, steps of the calculation, and values for programs.
    """
    refuse_below(scored, 0, "the score of earlier piles", "Scoring, L236")
    whole = total + scored
    steps, words, value = [], "", {"total": whole}
    if scored:
        steps.append(Step(f"{total} and the {scored} of the piles scored before: {whole} VP", "L236"))
        words = f"; with the {scored} scored before, {whole}"
    if goal is not None:
        refuse_below(goal, 1, "the goal", "Win Condition, L17")
        is_reached = whole >= goal
        text = (
            f"reaches the goal of {goal}" if is_reached else f"is {goal - whole} short of the goal of {goal}"
        )
        steps.append(Step(f"{whole} {text}", "L17"))
        words += f"; that {text}"
        value |= {"goal": goal, "reached": is_reached, "missing": max(goal - whole, 0)}
    return words, steps, value


_GOAL_HELP = "The goal of the game; by default that of the event."
Goal = Annotated[int | None, _GOAL_HELP, SETTING]
Scored = Annotated[int, "Victory points of the piles scored before."]
VictoryPile = Annotated[tuple[VictoryCard, ...], "The VP cards of the pile"]


@GAME.question(
    "What is a pile of VP cards worth at best, and how is it broken up?",
    "Scoring, L232-243",
    examples={
        '"2/40 3/30 4/20"': "20 VP at best.",
        '"2/40 3/30 4/20" --goal 30': "20 VP at best; that is 10 short of the goal of 30.",
        "3x2/40 5/25 --goal 30 --scored 12": "25 VP at best; with the 12 scored before, 37; "
        "that reaches the goal of 30.",
    },
    more="The answer is exact: every other way to break up the pile is no better. --explain shows why.",
)
def score(pile: VictoryPile, *, goal: Goal = None, scored: Scored = 0) -> Answer:
    """Return an `Answer` with the best score of a pile, the way to reach it, and a proof."""
    _refuse_cards(pile)
    best = best_scoring(pile)
    words, steps, value = _compared_with_goal(goal, best.total, scored)
    ways = ways_to_split(len(pile))
    piles_text = "; ".join(f"{_pile_text(part)} ({set_value(part)})" for part in best.piles)
    return Answer(
        f"{best.total} VP at best{words}.",
        f"Score {piles_text}; the best of {counted(ways, 'way')} to break up the pile."
        if pile
        else "The pile is empty.",
        {
            "best": best.total,
            "piles": _as_values(best.piles),
            "ways": str(ways),
            "sets_tried": best.sets_tried,
            **value,
        },
        [*map(_value_step, best.piles), *steps, *_every_way(pile), *_proof(ways, best)],
    )


def _every_way(cards: Pile) -> Iterator[Step]:
    """Yield each way to divide a few cards into sets and single cards, with its points.

    The way with the most points is first. Yields nothing for fewer than 2 or more than `_MOST_SHOWN` cards.
    """
    if not 2 <= len(cards) <= _MOST_SHOWN:
        return
    ways = sorted(_splits(cards), key=lambda piles: -sum(map(set_value, piles)))
    for number, piles in enumerate(ways, start=1):
        values = [set_value(pile) for pile in piles]
        total = added_up(" + ".join(map(str, values)), sum(values))
        yield Step(f"way {number} of {len(ways)}: {'; '.join(map(_pile_text, piles))}: {total}", "L236")


def _proof(ways: int, best: PileScoring) -> Iterator[Step]:
    yield Step(
        f"proof that no scoring is worth more: of the {counted(ways, 'way')} to break up the pile, "
        "all were tried "
        f"except those that the next two steps rule out; {counted(best.sets_tried, 'set')} tried, "
        f"with the best value of each of {counted(best.rests_solved, 'rest')}",
        "L236",
    )
    yield Step(
        "ruled out: a set that scores no more than the same set with one card taken out and scored alone; "
        "so a card of VP 0 or 1 is scored alone",
        "L232-233",
    )
    yield Step(
        "bound: a set whose product has reached its smallest Max scores no more with another card in it",
        "L234",
    )


@GAME.question(
    "What are these sets and single cards worth?",
    "Scoring, L232-243",
    examples={
        "2/40+3/30+4/20": "20 VP.",
        "2/40+3/30 4/20": "10 VP.",
        "2/40 3/30+4/20 --goal 20": "14 VP; that is 6 short of the goal of 20.",
    },
)
def split(
    piles: Annotated[
        tuple[tuple[VictoryCard, ...], ...],
        "The piles as the player breaks them up, a set's cards joined by +",
    ],
    *,
    goal: Goal = None,
    scored: Scored = 0,
) -> Answer:
    """Return the answer with the victory points of the given sets and single cards together.

    The answer also says whether another way to divide the same cards is worth more.
    """
    cards = [card for pile in piles for card in pile]
    _refuse_cards(cards)
    values = [set_value(pile) for pile in piles]
    total, best = sum(values), best_scoring(cards).total
    words, steps, value = _compared_with_goal(goal, total, scored)
    better = "no other split of these cards is worth more"
    if best > total:
        better = f"the pile is worth {best} at best"
    return Answer(
        f"{total} VP{words}.",
        f"{' + '.join(map(str, values)) or 0}; {better}.",
        {"split": total, "best": best, "piles": _as_values(piles), **value},
        [*map(_value_step, piles), Step(f"the sum of the piles: {total} VP", "L236"), *steps, Step(better)],
    )


# -- what a pile needs


@GAME.question(
    "What is the least to add to a pile to reach the goal?",
    "Win Condition, L17; Scoring, L232-243",
    examples={
        '"2/40 3/30 4/20" --goal 30': (
            "You need one more card with VP 5 and Max 26 or more; the pile alone is 10 short of the goal."
        ),
        '"2/40 3/30" --goal 20 --from "4/20 5/40 6/10"': "Add 4/20: 20 VP.",
    },
)
def need(
    pile: VictoryPile,
    *,
    goal: Annotated[int, _GOAL_HELP, SETTING],
    scored: Scored = 0,
    from_: Annotated[
        tuple[VictoryCard, ...], "Cards to choose from: show the fewest that reach the goal."
    ] = (),
) -> Answer:
    """Return an answer that names the lowest VP card with which the pile reaches the goal.

    If `from_` is given, the answer instead names the fewest cards of `from_` with which it does. If the pile
    needs no card, the answer says so.
    """
    _refuse_cards([*pile, *from_])
    total = best_scoring(pile).total
    words, steps, value = _compared_with_goal(goal, total, scored)
    steps = [Step(f"the pile is worth {total} VP at best", "L236"), *steps]
    missing = goal - scored
    if total >= missing:
        short = f"Nothing more is needed: the pile is worth {total} VP{words}."
        return Answer(short, "", {"needed": 0, **value}, steps)
    if from_:
        return _fewest(pile, missing, from_, steps, value)
    least = least_cards(pile, missing)
    vp, max_ = least[0]
    return Answer(
        f"You need one more card with VP {vp}{_with_max(max_)}; "
        f"the pile alone is {missing - total} short of the goal.",
        f"With VP {vp - 1} no Max is enough.",
        {
            "needed": {"vp": vp, "max": max_},
            "enough": [{"vp": card_vp, "max": limit} for card_vp, limit in least],
            **value,
        },
        [
            *steps,
            *(Step(f"enough: VP {card_vp}{_with_max(limit)}", "L233-234") for card_vp, limit in least),
            Step(f"not enough: VP {vp - 1} or less, whatever its Max"),
        ],
    )


def _with_max(limit: int) -> str:
    return f" and Max {limit} or more" if limit else ", whatever its Max"


def least_cards(cards: Pile, goal: int, *, most: int = 6) -> tuple[tuple[int, int], ...]:
    """Return the lowest VP cards; adding any one of them brings a pile to a goal.

    Each card is a pair (VP, Max): a number of victory points, and the smallest Max that is enough with it.
    The pairs are sorted by VP. Another card is enough, too, if its VP and its Max are both at least those of
    one of these cards.

    goal: the points to reach; must be more than the pile alone is worth
    most: the maximum number of cards to return
    """

    def reaches(vp: int, max_: int) -> bool:
        return best_scoring([*cards, VictoryCard(vp, max_)]).total >= goal

    def first(reaches_goal: Callable[[int], bool]) -> int:
        return bisect_left(range(goal + 1), True, key=reaches_goal)

    vp = first(lambda vp: reaches(vp, goal))
    least: list[tuple[int, int]] = []
    while len(least) < most and (not least or least[-1][1]):
        max_ = first(lambda max_: reaches(vp, max_))  # noqa: B023  # called at once
        if not least or max_ < least[-1][1]:
            least.append((vp, max_))
        if max_ and not reaches(vp + 1, max_ - 1):  # go on to the next VP that allows a smaller Max
            vp += first(lambda more: reaches(vp + more, max_ - 1))  # noqa: B023  # called at once
        else:
            vp += 1
    return tuple(least)


def _fewest(cards: Pile, goal: int, candidates: Pile, steps: Sequence[Step], value: dict[str, Any]) -> Answer:
    if len(candidates) > _MOST_CANDIDATES:
        raise TourneyError(
            f"{len(candidates)} cards to choose from are too many", f"name at most {_MOST_CANDIDATES} cards"
        )
    added_cards = fewest_to_add(cards, goal, candidates)
    if added_cards is None:
        total = best_scoring([*cards, *candidates]).total
        short = f"No: all of them together make the pile worth {total} VP, but {goal} are needed."
        return Answer(short, "", {"needed": None, "best": total, **value}, [*steps, Step(short)])
    best = best_scoring([*cards, *added_cards])
    fewer = {1: "the pile alone is short of the goal", 2: "no single one of these cards is enough"}.get(
        len(added_cards), f"no {len(added_cards) - 1} of these cards are enough"
    )
    last = Step(f"{fewer}; all smaller choices were tried")
    return Answer(
        f"Add {_pile_text(added_cards)}: {best.total} VP.",
        sentence(last),
        {
            "needed": list(map(str, added_cards)),
            "best": best.total,
            "piles": _as_values(best.piles),
            **value,
        },
        [*steps, *map(_value_step, best.piles), last],
    )


def fewest_to_add(cards: Pile, goal: int, candidates: Pile) -> tuple[VictoryCard, ...] | None:
    """Return the fewest candidates that make a pile worth `goal` VP or more.

    If several choices of equally few candidates are enough, return the one with the lowest total VP. Returns
    None if all candidates together are not enough.

    cards: the pile before candidates are added

    Raises TourneyError if trying all choices would take too long.
    """
    if best_scoring([*cards, *candidates]).total < goal:
        return None
    steps = 0
    for number in range(len(candidates)):
        choices = sorted(combinations(candidates, number), key=lambda some: sum(card.vp for card in some))
        for chosen in choices:
            pile = [*cards, *chosen]
            if sum(max(2 * card.vp, card.max) for card in pile) < 2 * goal:
                continue  # no card can add more than half its Max to a set of two or more cards
            best = best_scoring(pile)
            if best.total >= goal:
                return chosen
            steps += best.steps
            if steps > MOST_STEPS:
                raise TourneyError("too many choices of cards to try each", "name fewer cards in --from")
    return tuple(candidates)


# -- battles and heights


CardHeight = Annotated[int | None, Label("HGT")]
"""The height of a card or a pile; None for a blank."""

Range = Annotated[int | None, Label("X"), "The X of the acting card's `Range: X`."]


class Fighter(Struct, frozen=True):
    """A card in a battle. A stat is None if it is blank on the card."""

    atk: int | None
    def_: int | None
    hgt: int | None = None
    name: str = ""


def can_target(
    own_height: int | None,
    other_height: int | None,
    *,
    reach: int | None = None,
    range_reach: RangeReach = "also that high",
) -> bool:
    """Return whether a card may attack or affect another card.

    It may not if the other card's height is greater by 2 or more (Card Stats > HGT, L78). If either height is
    blank, it may.

    reach:       the X of `Range: X`, with which the card reaches every card up to that height (L213)
    range_reach: how to read L213. With `also that high`, a card with `Range: X` reaches cards up to height X
                 and those that it could reach without Range; with `only that high`, only cards up to X
    """
    if own_height is None or other_height is None:
        return True
    if reach is not None and range_reach == "only that high":
        return other_height <= reach
    return other_height - own_height < 2 or (reach is not None and other_height <= reach)


def _refuse_height(height: int | None) -> None:
    refuse_below(height, 0, "a height")
    if height is not None and height > TALLEST:
        raise TourneyError(
            f"nothing is {height} high: the HGT of any card or pile is limited to {TALLEST} "
            "(Card Stats > HGT, L78)"
        )


def _refuse_unreachable(
    height: int | None, other_height: int | None, range_: int | None, reach: RangeReach
) -> None:
    _refuse_height(height)
    _refuse_height(other_height)
    if can_target(height, other_height, reach=range_, range_reach=reach):
        return
    if can_target(height, other_height):
        raise TourneyError(
            f"`Range: {range_}` reaches cards of height {range_} or lower only, not {other_height} (L213)"
        )
    raise TourneyError(
        f"a card of height {height} cannot attack one of height {other_height}: it is higher by 2 or more "
        "(L78, L266)",
        f"`Range: {range_}` does not reach height {other_height} either (L213)"
        if range_ is not None
        else None,
    )


def _in_range(range_: int) -> Step:
    return Step(f"Range: {range_} reaches every card of height {range_} or lower", "L213")


def _comparison(stat: str, one: str, atk: int, other: str, def_: int) -> str:
    outcome = "is enough to destroy it" if atk >= def_ else "is too low to destroy it"
    return f"{stat} {atk} of {one} against DEF {def_} of {other} {outcome}"


@GAME.question(
    "Which cards does an attack destroy?",
    "Battle Rules, L222-224",
    examples={
        "3/2 4/3": "The target is destroyed.",
        "3/2 4/3 --self-defense": "The target and the attacker are destroyed.",
        "Fox=2/- Wall=-/3": "Nothing is destroyed.",
    },
    more="An attack that may not be declared is refused: no ATK, no DEF, out of reach.",
)
def battle(
    cards: Annotated[tuple[Fighter, Fighter], "The attacking card, then its target"],
    *,
    self_defense: Annotated[bool, "The target has Self-Defense: it attacks back."] = False,
    range_: Range = None,
    range_reach: RangeReach = "also that high",
    self_defense_height: SelfDefenseHeight = "attacks back",
) -> Answer:
    """Return an `Answer`: whether an attack destroys its target, the attacker, both or nothing.

    An ATK equal to or above the DEF destroys the target (L224). A target with Self-Defense attacks back at
    the same moment, and both cards may be destroyed (Play Conditions, L205).
    """
    attacker, target = cards
    for card in cards:
        for stat in (card.atk, card.def_, card.hgt):
            refuse_below(stat, 0, "ATK, DEF or HGT")
    _refuse_unreachable(attacker.hgt, target.hgt, range_, range_reach)
    if attacker.atk is None:
        raise TourneyError("a card without ATK cannot declare an attack (Battle Rules, L222)")
    if target.def_ is None:
        raise TourneyError("a card without DEF cannot be the target of an attack (Battle Rules, L222)")
    one, other = attacker.name or "the attacker", target.name or "the target"
    steps = [Step(_comparison("ATK", one, attacker.atk, other, target.def_), "L224")]
    target_destroyed, attacker_destroyed = attacker.atk >= target.def_, False
    if self_defense:
        step, attacker_destroyed = _attack_back(attacker, target, one, other, self_defense_height)
        steps.append(step)
    destroyed_cards = [other] * target_destroyed + [one] * attacker_destroyed
    reason = ". ".join(step.text for step in steps)
    if range_ is not None and not can_target(attacker.hgt, target.hgt):
        steps.insert(0, _in_range(range_))
    if destroyed_cards:
        steps.append(Step("destroyed cards go to their owner's Recycle Pile I", "L224, L123"))
    return Answer(
        sentence(
            f"{listed(destroyed_cards) or 'nothing'} {'are' if len(destroyed_cards) > 1 else 'is'} destroyed"
        ),
        f"{reason}.",
        {"target_destroyed": target_destroyed, "attacker_destroyed": attacker_destroyed},
        steps,
    )


def _attack_back(
    attacker: Fighter, target: Fighter, one: str, other: str, reading: SelfDefenseHeight
) -> tuple[Step, bool]:
    """Return the effect of the target's Self-Defense, and whether it destroys the attacker.

    one, other: the names of the attacker and of the target, for the text of the step
    reading:    the interpretation of the rules: whether a target attacks back at an attacker that is higher
                by 2 or more
    """
    if target.atk is None or attacker.def_ is None:
        text = f"Self-Defense: {other} has no ATK, or {one} no DEF: it does not strike back"
        return Step(text, "L205, L222"), False
    higher = not can_target(target.hgt, attacker.hgt)
    if higher and reading == "does not reach":
        text = f"Self-Defense: {one} is higher by 2 or more, so {other} does not strike back"
        return Step(text, "L78"), False
    text = _comparison("Self-Defense: ATK", other, target.atk, one, attacker.def_)
    text += f"; it strikes back though {one} is higher by 2 or more" * higher
    return Step(text, "L205"), target.atk >= attacker.def_


@GAME.question(
    "May a card of one height attack or affect one of another?",
    "Card Stats > HGT, L78",
    examples={
        "1 3": "No: 3 is 2 higher than 1.",
        "1 2": "Yes: 2 is 1 higher than 1, and only a difference of 2 or more matters.",
        "1 5 --range 5": "Yes: Range: 5 reaches every card of height 5 or lower.",
    },
)
def reach(
    heights: Annotated[tuple[CardHeight, CardHeight], "The height of the card that acts, then of the other"],
    *,
    range_: Range = None,
    pile: Annotated[bool, "The other card is a pile."] = False,
    untargeted: Annotated[bool, "The effect does not target."] = False,
    height: Height = "neither affected nor targeted",
    range_reach: RangeReach = "also that high",
) -> Answer:
    """Return the answer that says whether one card can attack or affect another.

    This depends on their heights (L78) and the Range of the first card (L213).
    """
    own_height, other_height = heights
    _refuse_height(own_height)
    _refuse_height(other_height)
    refuse_below(range_, 0, "Range", "Play Conditions, L213")
    if own_height is None or other_height is None:
        return Answer(
            "Yes: a blank HGT does not limit anything.",
            "Effects that refer to height do not affect a card without a height.",
            {"reaches": True},
            [Step("a card with a blank stat is not affected by effects that refer to that stat", "L54")],
        )
    gap = other_height - own_height
    gap_step = Step(
        f"{other_height} is {gap} higher than {own_height}"
        if gap > 0
        else f"{other_height} is not higher than {own_height}",
        "L78",
    )

    def answer(reaches: bool, short: str, reason: str, *steps: Step) -> Answer:
        text = f"{'Yes' if reaches else 'No'}: {short}."
        return Answer(text, reason, {"reaches": reaches, "gap": gap}, [gap_step, *steps])

    if range_ is not None and other_height > range_ and range_reach == "only that high":
        step = Step(f"Range: {range_} reaches cards of height {range_} or lower, and no others", "L213")
        return answer(False, step.text, "", step)
    if gap < 2:
        return answer(True, f"{gap_step.text}, and only a difference of 2 or more matters", "")
    if range_ is not None and other_height <= range_:
        step = _in_range(range_)
        return answer(True, step.text, f"{gap_step.text}.", step)
    if pile and untargeted and height == "only not targeted":
        step = Step(
            "a pile that is higher by 2 or more cannot be targeted; effects without a target affect it",
            "L266",
        )
        return answer(True, step.text, f"{gap_step.text}.", step)
    last = Step("a card that is higher by 2 or more can be neither affected nor targeted", "L78")
    short_range = [Step(f"Range: {range_} does not reach {other_height}", "L213")] * (range_ is not None)
    return answer(False, gap_step.text, sentence(last), *short_range, last)


@GAME.question(
    "How high is a pile, and may cards be added to it?",
    "Card Piles, L266",
    "Card Stats > HGT, L78",
    examples={
        "2 3": "Height 5; 2 more cards can be added.",
        "2 2 --max-hgt 4": "Height 4, and no more cards.",
    },
)
def pile(
    top: Annotated[int, "The HGT of the top card."],
    below: Annotated[int, "How many cards lie below it."],
    *,
    max_hgt: Annotated[int | None, Label("X"), "The X of the top card's `Max. HGT: X`."] = None,
    build: Annotated[int | None, Label("X"), "The X of the top card's `Build X`."] = None,
    over_height: OverHeight = "refused",
) -> Answer:
    """Return the answer with the height of a pile and how many cards can still be added.

    The height is that of the top card plus one for each card below (L266). L78 limits it to 7: the
    reading `over_height` decides whether a higher pile is refused, or its height stays at 7.
    """
    refuse_below(top, 0, "the top card's HGT")
    refuse_below(below, 0, "the number of cards below", "Card Piles, L266")
    refuse_below(max_hgt, 0, "Max. HGT", "Play Conditions, L214")
    if top > TALLEST:
        raise TourneyError(
            f"a card cannot be {top} high: HGT is limited to {TALLEST} (Card Stats > HGT, L78)"
        )
    height = top + below
    if max_hgt is not None and height > max_hgt:
        raise TourneyError(
            f"no card can be added to a pile beyond its Max. HGT of {max_hgt}, "
            f"and this one would be {height} high (Play Conditions, L214)"
        )
    if height > TALLEST and over_height == "refused":
        raise TourneyError(
            f"a pile is limited to a height of {TALLEST}, and this one would be {height} high (L78)"
        )
    refuse_below(build, 0, "Build", "Play Conditions, L211")
    if build is not None and below < build:
        raise TourneyError(
            f"Build {build}: {build} cards are piled below the top card, not {below} (L211, L256)"
        )
    limits = [TALLEST] * (over_height == "refused") + ([] if max_hgt is None else [max_hgt])
    room = min(limits) - height if limits else None
    if over_height == "refused":
        limit = Step(f"the highest it can be: {min(limits)}", "L78" if max_hgt is None else "L78, L214")
    elif max_hgt is None:
        limit = Step(f"its height stays at {TALLEST}, whatever is added", "L78")
    else:
        limit = Step(f"no card is added beyond its Max. HGT of {max_hgt}", "L214")
    addable = "any number of cards" if room is None else counted(room, "more card")
    cards = counted(below, "card")
    new_height = min(height, TALLEST)
    return Answer(
        f"Height {new_height}, and no more cards."
        if room == 0
        else f"Height {new_height}; {addable} can be added.",
        f"{top} for the top card, plus {below} for the {cards} below it: {height}.",
        {"height": new_height, "room": room},
        [Step(f"the top card's HGT {top} and one for each of {cards} below: {height}", "L266"), limit],
    )
