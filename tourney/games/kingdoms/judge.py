"""Red Kingdom & Blue Kingdom calculators. Citations are lines of the rule sheet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.games.questions import Answer, Game, OpenText, Step, added_up, refuse_below, sentence
from tourney.games.typed import Label
from tourney.wording import counted, listed

GAME = Game("Red Kingdom & Blue Kingdom", "rule sheet")

AREAS = 5
"""The number of areas in the game (Equipments, L76)."""

HAND = 5
"""The maximum number of cards in a hand (Funds, L118)."""

NORMAL_COST, ACE_COST = 1, 2
"""The cost in funds of drawing a normal card and an ace (L120)."""

_MOST = 100
"""The largest accepted number of points or funds. A larger number must be a typing error."""

Side = Literal["Red", "Blue"]
Winner = Literal["attack", "defense"]

MonarchTie = Annotated[
    Literal["loses", "plays on"],
    OpenText(
        "The effect of a tied battle that discards one monarch",
        "Determination, L189: it is discarded",
        "Win Condition, L149: no battle was won",
    ),
]
OwnMonarch = Annotated[
    Literal["plays on", "loses"],
    OpenText(
        "The effect if the winner of a battle keeps another card and discards their own monarch",
        "Win Condition, L149: the opponent won no battle",
        "Determination, L187: it is discarded",
    ),
]
RearguardWins = Annotated[
    Literal["one card is kept", "the other goes back to hand"],
    OpenText(
        "What happens to the added card if the Rearguard's side wins the battle",
        "Determination, L183-187: the winner leaves one, the others are discarded",
        "Rearguard, L39: even if you lose; the Rearguard is the card that stays",
    ),
]
TiedRearguard = Annotated[
    Literal["goes back to hand", "is discarded"],
    OpenText(
        "What happens to the added card when the battle of a Rearguard is tied",
        "Rearguard, L39: even if you lose the battle",
        "Determination, L189: all cards on both sides",
    ),
]
Spend = Annotated[
    Literal["may be left", "must be spent"],
    OpenText("Whether funds may be left over", "L124: you can draw", "L124: only such draws are shown"),
]


def _refuse_numbers(numbers: Sequence[int], attribute: str, *, least: int = 0) -> None:
    for number in numbers:
        if not least <= number <= _MOST:
            raise TourneyError(f"no card has {number} as its {attribute}")


# -- funds


class Draw(Struct, frozen=True, order=True):
    """The numbers of normal cards and aces to draw, decided before any card is seen (L126)."""

    normal: int
    ace: int

    @property
    def cost(self) -> int:
        """The funds that a player pays to draw these cards (L120)."""
        return self.normal * NORMAL_COST + self.ace * ACE_COST

    def __str__(self) -> str:
        kinds = ((self.normal, "normal card"), (self.ace, "ace"))
        return " and ".join(counted(number, kind) for number, kind in kinds if number) or "nothing"


def legal_draws(available: int, in_hand: int) -> list[Draw]:
    """Return every draw that the funds and the limit of 5 cards in hand allow (L116-126).

    Raises TourneyError if the hand already has more than 5 cards.
    """
    if not 0 <= in_hand <= HAND:
        raise TourneyError(f"{in_hand} cards in hand: a hand has 0 to {HAND} cards (Funds, L118)")
    room = range(HAND - in_hand + 1)
    draws = [Draw(normal, ace) for normal in room for ace in room if normal + ace < len(room)]
    return [draw for draw in draws if draw.cost <= available]


def spending_draws(available: int, in_hand: int) -> list[Draw]:
    """Return the draws after which no funds are left or the hand is full (L124).

    >>> [str(draw) for draw in spending_draws(4, 0)]
    ['2 aces', '2 normal cards and 1 ace', '4 normal cards']
    """
    return [
        draw
        for draw in legal_draws(available, in_hand)
        if draw.cost == available or in_hand + draw.normal + draw.ace == HAND
    ]


class AreaFunds(Struct, frozen=True):
    """The funds value that a kingdom has on one area of the board. The area's name is optional."""

    funds: int
    name: Annotated[str, Label("AREA")] = ""


@GAME.question(
    "How many cards may be drawn with the funds of these areas?",
    "Funds, L116-128",
    examples={
        "2 1 1": "4 funds: 2 aces; or 2 normal cards and 1 ace; or 4 normal cards; or fewer.",
        "3 2 --hand 4": "5 funds: 1 ace; or 1 normal card; or fewer.",
    },
)
def funds(
    areas: Annotated[tuple[AreaFunds, ...], "The kingdom's funds value on each area that it occupies"] = (),
    *,
    hand: Annotated[int, "Cards in hand."] = 0,
    spend: Spend = "may be left",
) -> Answer:
    """Return an `Answer`: the sum of the funds (L116), and how many cards can be drawn for it."""
    values = [area.funds for area in areas]
    if len(values) > AREAS:
        raise TourneyError(f"{len(values)} areas are given, but there are only {AREAS} (Equipments, L76)")
    if any(value < 0 for value in values):
        raise TourneyError("an area's funds are never below 0 (How to play, L116: funds are gained)")
    _refuse_numbers(values, "funds")
    total = sum(values)
    spending = spending_draws(total, hand)
    legal = spending if spend == "must be spent" else legal_draws(total, hand)
    room = HAND - hand
    listed_draws = [draw for draw in spending if draw.cost == total] or spending
    draws = "; or ".join(map(str, listed_draws)) if room else "no card, as the hand is full"
    fewer = "; or fewer" if room and total and spend == "may be left" else ""
    reason = f"The funds and the hand limit of {HAND} allow {len(legal)} draws, including drawing nothing."
    return Answer(
        f"{counted(total, 'fund')}: {draws}{fewer}.",
        reason if len(legal) > 1 else "",
        {
            "funds": total,
            "draws": [{"normal": draw.normal, "ace": draw.ace, "cost": draw.cost} for draw in legal],
        },
        [
            Step(f"funds: {' + '.join(map(str, values)) or 0} = {total}", "L116"),
            Step(
                f"a normal card costs {NORMAL_COST}, an ace {ACE_COST}; {hand} in hand, "
                f"so at most {counted(room, 'card')}",
                "L118-120",
            ),
            *(Step(f"{draw}: {draw.cost}", "L120") for draw in legal),
            Step("how many of each is decided before a card is looked at", "L126"),
        ],
    )


# -- the end of the game


def game_result(
    *,
    discarded: Collection[Side] = (),
    occupied: tuple[int, int] = (0, 0),
    won: Side | Literal["tie"] | None = None,
    monarch_tie: MonarchTie = "loses",
    own_monarch: OwnMonarch = "plays on",
) -> Side | Literal["draw"] | None:
    """Return the winner, `draw`, or None while the game goes on (Win Condition, L147-155).

    discarded: the sides whose monarchs were discarded in the last battle
    occupied:  the numbers of areas that Red and Blue occupy; all five areas win
    won:       the winner of the last battle, or `tie`

    Two cases are not clear in the rules, so a parameter decides how they are read. In one, a tie discards a
    monarch although no side wins (`monarch_tie`; L149, L189). In the other, the winner keeps another card and
    so discards their own monarch (`own_monarch`; L149, L183-187).

    Raises TourneyError for impossible numbers of areas.
    """
    if min(occupied) < 0 or sum(occupied) > AREAS:
        raise TourneyError(
            f"Red occupies {occupied[0]} areas and Blue {occupied[1]}, "
            f"but there are only {AREAS} (Equipments, L76)"
        )
    if len(set(discarded)) == 2:
        return "draw"
    for owner in discarded:
        by_choice = owner == won and own_monarch == "plays on"
        if not by_choice and not (won == "tie" and monarch_tie == "plays on"):
            return "Blue" if owner == "Red" else "Red"
    if AREAS in occupied:
        return "Red" if occupied[0] == AREAS else "Blue"
    return None


def _result_text(result: str | None) -> str:
    return {None: "the game goes on", "draw": "the game is a draw"}.get(result) or f"{result} wins the game"


# -- battles


class BattleCard(Struct, frozen=True):
    """A card in a battle. Only the Prince, the Princess and the Rearguard need a name."""

    points: int
    name: Annotated[str, Label("CARD")] = ""

    def __str__(self) -> str:
        return self.name or f"the {self.points}"

    @property
    def monarch_of(self) -> Side | None:
        """The side to which a monarch belongs (L87-89); None for another card."""
        monarchs: Mapping[str, Side] = {"prince": "Red", "princess": "Blue"}
        return monarchs.get(self.name.casefold())

    @property
    def is_rearguard(self) -> bool:
        """Whether the card is the Rearguard. Its misprinted name is accepted, too (NOTES.md)."""
        return self.name.casefold() in {"rearguard", "reaguard"}

    def is_called(self, word: str) -> bool:
        """Return whether a word names the card: by its name or, without a name, by its points.

        A card of 3 points without a name is called `3` or `the 3`. Case is ignored.
        """
        return word.casefold() in {str(self).casefold(), self.name.casefold() or str(self.points)}


class Offset(Struct, frozen=True):
    """The points that an area or a card adds to the attack and to the defense in a battle."""

    attack: int
    defense: int


NO_OFFSET = Offset(0, 0)


class Battle(Struct, frozen=True):
    """A finished battle, and how the unclear rules about its outcome are read.

    sides:  the attacking and the defending side
    cards:  the cards of the attack and of the defense; the first defending card is the one that occupies the
            area
    totals: the points of the attack and of the defense
    """

    sides: tuple[Side, Side]
    cards: tuple[Sequence[BattleCard], Sequence[BattleCard]]
    totals: tuple[int, int]
    monarch_tie: MonarchTie
    own_monarch: OwnMonarch
    rearguard_wins: RearguardWins
    tied_rearguard: TiedRearguard

    @property
    def winner(self) -> Winner | None:
        """The side with the higher total; None for a tie, which empties the area (L181-191)."""
        attack, defense = self.totals
        return None if attack == defense else "attack" if attack > defense else "defense"

    @property
    def returned_cards(self) -> list[BattleCard]:
        """The added defending card that an occupying Rearguard returns to hand (L39); else empty.

        The rule is about a lost battle. The rules do not say whether it also applies to a tied or a won
        battle; `tied_rearguard` and `rearguard_wins` decide this.
        """
        if self.winner == "defense" and self.rearguard_wins == "one card is kept":
            return []
        if self.winner is None and self.tied_rearguard == "is discarded":
            return []
        occupying, *added = self.cards[1]
        return added if occupying.is_rearguard else []

    @property
    def can_stay(self) -> list[BattleCard]:
        """The winner's cards, one of which stays in the area (L183-185)."""
        if self.winner is None:
            return []
        if self.winner == "attack":
            return list(self.cards[0])
        return list(self.cards[1][:1] if self.returned_cards else self.cards[1])

    def result(self, kept_card: BattleCard | None) -> str | None:
        """Return the winner of the game, `draw`, or None if it goes on after this battle (L149-151).

        All cards of the battle are discarded, except `kept_card` and `returned_cards`. Occupied areas are not
        considered.

        kept_card: the winner's card that stays in the area; None after a tie
        """
        discarded = [
            card.monarch_of
            for group in self.cards
            for card in group
            if card is not kept_card and not any(card is returned for returned in self.returned_cards)
        ]
        return game_result(
            discarded=[side for side in discarded if side],
            won="tie" if self.winner is None else self.sides[0 if self.winner == "attack" else 1],
            monarch_tie=self.monarch_tie,
            own_monarch=self.own_monarch,
        )


@GAME.question(
    "Who wins a battle, who keeps what, and does the game end?",
    "Occupation > C, L165-171",
    "Determination, L173-191",
    "Win Condition, L149-151",
    examples={
        "4+2 3+1 --area 0/1": "The attack wins 6 to 5, and the area is Red's.",
        "3 Princess=2 --archers 1": "The attack wins 4 to 2, and the area is Red's; Red wins the game.",
        "Knight=3 Prince=3 --attacker blue": "A tie at 3: all cards are discarded, and the area stays "
        "unoccupied; Blue wins the game.",
    },
    more="Only the Prince, the Princess and the Rearguard must be typed with their names.",
)
def battle(
    cards: Annotated[
        tuple[tuple[BattleCard, ...], tuple[BattleCard, ...]],
        "The attacking cards, then the defending cards, the occupying card first; + joins cards of one side",
    ],
    *,
    attacker: Annotated[Literal["red", "blue"], "The side that attacks."] = "red",
    area: Annotated[Offset, "What the area adds to attack and defense."] = NO_OFFSET,
    card_offset: Annotated[Offset, "What cards add to attack and defense."] = NO_OFFSET,
    archers: Annotated[int, "Attack points of the attacker's Archers in adjacent areas."] = 0,
    keep: Annotated[str | None, Label("CARD"), "The card that the winner leaves in the area."] = None,
    monarch_tie: MonarchTie = "loses",
    own_monarch: OwnMonarch = "plays on",
    rearguard_wins: RearguardWins = "one card is kept",
    tied_rearguard: TiedRearguard = "goes back to hand",
) -> Answer:
    """Return the answer about a battle: the winner, the remaining cards, the end of the game.

    The attacker has one or two cards. The defender has the card that occupies the area and, if one was added,
    a second card (L165-177).
    """
    attacking, defending = cards
    sides: tuple[Side, Side] = ("Red", "Blue") if attacker == "red" else ("Blue", "Red")
    _refuse_cards(sides, cards)
    offsets = [area.attack, card_offset.attack, archers], [area.defense, card_offset.defense]
    _refuse_numbers([*offsets[0][:2], *offsets[1]], "an offset", least=-_MOST)
    refuse_below(archers, 0, "the number that Archers add", "Archer, L58")
    _refuse_numbers([archers], "attack points")
    totals = (
        sum(card.points for card in attacking) + sum(offsets[0]),
        sum(card.points for card in defending) + sum(offsets[1]),
    )
    result = Battle(sides, cards, totals, monarch_tie, own_monarch, rearguard_wins, tied_rearguard)
    archers_cite = ", L58" if archers else ""
    steps = [
        Step(_sum_text("attack, swords", attacking, offsets[0], totals[0]), f"L173-177{archers_cite}"),
        Step(_sum_text("defense, shields", defending, offsets[1], totals[1]), "L173-177"),
    ]
    return _tie_answer(result, steps) if result.winner is None else _win_answer(result, steps, keep)


def _refuse_cards(sides: tuple[Side, Side], cards: tuple[Sequence[BattleCard], Sequence[BattleCard]]) -> None:
    """Raise TourneyError if the cards cannot fight this battle."""
    attacking, defending = cards
    if not 1 <= len(attacking) <= 2:
        raise TourneyError(
            f"{len(attacking)} attacking cards: 1 or 2 may attack an area (Occupation > C, L167)"
        )
    if not 1 <= len(defending) <= 2:
        raise TourneyError(
            f"{len(defending)} defending cards: the occupying card and at most one more may defend an area "
            "(Occupation > C, L169)"
        )
    for side, group in zip(sides, cards, strict=True):
        _refuse_numbers([card.points for card in group], "points")
        monarchs = [card for card in group if card.monarch_of]
        for card in monarchs:
            if card.monarch_of != side:
                line = {"Red": "L87", "Blue": "L89"}[card.monarch_of or side]
                raise TourneyError(
                    f"the {card.name} belongs to {card.monarch_of}, but these cards are {side}'s ({line})",
                    "the attack is Red's unless you add `--attacker blue`",
                )
        if len(monarchs) > 1:
            raise TourneyError(f"{side} has only one monarch, but two fight here (Equipments, L80)")


def _sum_text(label: str, cards: Sequence[BattleCard], offsets: Sequence[int], total: int) -> str:
    terms = " + ".join(str(card.points) for card in cards)
    terms += "".join(f" {'+' if offset > 0 else '−'} {abs(offset)}" for offset in offsets if offset)
    return f"{label}: {added_up(terms, total)}"


def _value(fought: Battle, area: Side | None, keep: Sequence[BattleCard], result: object) -> dict[str, Any]:
    return {
        "attack": fought.totals[0],
        "defense": fought.totals[1],
        "winner": fought.winner,
        "area": area,
        "keep": list(map(str, keep)),
        "result": result,
        "back_to_hand": list(map(str, fought.returned_cards)),
    }


def _win_answer(fought: Battle, steps: Sequence[Step], keep: str | None) -> Answer:
    """Return the answer about a won battle: who gets the area, and whether this ends the game.

    keep: the card that the winner leaves in the area. The end of the game can depend on it. If None, the
          answer covers each card that may stay

    Raises TourneyError if `keep` is not one of the winner's cards that may stay.
    """
    winner = fought.sides[0 if fought.winner == "attack" else 1]
    choices = [card for card in fought.can_stay if keep is None or card.is_called(keep)]
    if not choices:
        raise TourneyError(
            f"{keep} is not a card of the winner: {listed(fought.can_stay, 'or')} may stay "
            "(Determination, L183-185)"
        )
    fate = "stays" if fought.winner == "defense" else "is discarded"
    saves = [
        Step(f"the Rearguard {fate} and {card} goes back to hand", "L39") for card in fought.returned_cards
    ]
    results = {str(card): fought.result(card) for card in choices}
    outcomes = list(dict.fromkeys(results.values()))
    high, low = max(fought.totals), min(fought.totals)
    leaves = f"{winner} leaves {listed(choices, 'or')} in the area; all other cards are discarded"
    parts = [f"the {fought.winner} wins {high} to {low}, and the area is {winner}'s"]
    if fought.winner == "defense":
        parts += [save.text for save in saves]
    if len(outcomes) > 1:
        parts += [f"if {card} stays, {_result_text(result)}" for card, result in results.items()]
    elif outcomes[0]:
        parts.append(_result_text(outcomes[0]))
    return Answer(
        sentence(*parts),
        sentence(*saves, leaves),
        _value(fought, winner, choices, outcomes[0] if len(outcomes) == 1 else results),
        [
            *steps,
            Step(f"the higher total wins: {high} against {low}", "L181"),
            *saves,
            Step(leaves, "L183-187"),
            *(Step(f"keeping {card}: {_result_text(end)}", "L149-151") for card, end in results.items()),
        ],
    )


def _tie_answer(fought: Battle, steps: Sequence[Step]) -> Answer:
    """Return the answer for a tied battle: the discarded cards.

    The area stays unoccupied (L189-191).
    """
    returned_cards, result = fought.returned_cards, fought.result(None)
    monarchs = [card for group in fought.cards for card in group if card.monarch_of]
    lost_monarchs = [card.monarch_of for card in monarchs if card not in returned_cards]
    saves = [
        Step(f"the Rearguard is discarded and {card} goes back to hand", "L39") for card in returned_cards
    ]
    discards = f"{returned_cards[0]} goes back to hand, all other cards" if returned_cards else "all cards"
    parts = [f"a tie at {fought.totals[0]}: {discards} are discarded, and the area stays unoccupied"]
    ends = []
    if monarchs:
        parts.append(_result_text(result))
    if lost_monarchs:
        monarchs_text = listed([f"the monarch of {side}" for side in lost_monarchs])
        ends = [Step(f"{monarchs_text} discarded: {_result_text(result)}", "L149-151, L189")]
    cards = "all other cards" if returned_cards else "all cards on both sides"
    return Answer(
        sentence(*parts),
        "",
        _value(fought, None, [], result),
        [*steps, *saves, Step(f"equal points: {cards} are discarded", "L189-191"), *ends],
    )


class Areas(Struct, frozen=True):
    """The areas that each kingdom occupies."""

    red: int
    blue: int


NO_AREAS = Areas(0, 0)


@GAME.question(
    "Who has won, after monarchs were discarded or areas occupied?",
    "Win Condition, L147-155",
    "Determination, L183-191",
    examples={
        "--won red --discarded blue": "Red wins the game.",
        "--won tie --discarded red,blue": "The game is a draw.",
        "--areas 5/0": "Red wins the game.",
    },
)
def win(
    *,
    won: Annotated[
        Literal["red", "blue", "tie", "none"], "Who won the battle in which a monarch was discarded."
    ] = "none",
    discarded: Annotated[
        tuple[Annotated[Side, Label("SIDE")], ...], "The side whose monarch was discarded in that battle."
    ] = (),
    areas: Annotated[Areas, "The areas that Red and Blue occupy."] = NO_AREAS,
    monarch_tie: MonarchTie = "loses",
    own_monarch: OwnMonarch = "plays on",
) -> Answer:
    """Return the answer to the question of who has won; `game_result` has the rules."""
    if len(discarded) > len(set(discarded)):
        raise TourneyError("a monarch is named twice; each kingdom has one (Equipments, L80)")
    if discarded and won == "none":
        raise TourneyError(
            "a monarch can only be discarded in a battle: say which side won it (Win Condition, L149)",
            "use `--won red`, `--won blue` or `--won tie`",
        )
    battle_won: Mapping[str, Side | Literal["tie"]] = {"red": "Red", "blue": "Blue", "tie": "tie"}
    result = game_result(
        discarded=discarded,
        occupied=(areas.red, areas.blue),
        won=battle_won.get(won),
        monarch_tie=monarch_tie,
        own_monarch=own_monarch,
    )
    monarchs = listed([f"the monarch of {side}" for side in sorted(discarded)])
    return Answer(
        sentence(_result_text(result)),
        _why_won(discarded, won, areas),
        {"result": result},
        [
            *[Step(f"discarded: {monarchs}; the battle: {won}", "L149-151")] * bool(discarded),
            Step(
                f"areas: Red {areas.red}, Blue {areas.blue}; {AREAS} of {AREAS} win, "
                "and empty areas count for neither",
                "L153",
            ),
        ],
        () if discarded else ("Win Condition, L147-155",),
    )


def _why_won(discarded: Sequence[Side], won: str, areas: Areas) -> str:
    if not discarded:
        if AREAS in {areas.red, areas.blue}:
            return f"All {AREAS} areas are occupied."
        return f"No monarch is discarded, and neither side occupies all {AREAS} areas."
    if len(discarded) == 2:
        return "Both monarchs are discarded."
    (side,) = discarded
    if won == "tie":
        return f"A tie discarded the monarch of {side}, though the battle has no winner."
    if won == side.casefold():
        return f"{side} won the battle and discarded their own monarch by keeping the other card."
    return f"The monarch of {side} was discarded in a battle that the other kingdom won."
