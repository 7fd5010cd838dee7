"""Red Kingdom & Blue Kingdom: what a judge computes. Lines are those of the rule sheet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from tourney.errors import TourneyError
from tourney.games import questions as q
from tourney.games.questions import Answer, Step, Thing, added_up, refuse_below, sentence
from tourney.wording import counted, listed

AREAS = 5
"""Areas that are fought for (Equipments, L76)."""

HAND = 5
"""Cards that a hand holds (Funds, L118)."""

NORMAL_COST, ACE_COST = 1, 2
"""What drawing such a card costs in funds (L120)."""

Side = Literal["Red", "Blue"]
"""A kingdom."""

# How open texts can be read: `GAME` asks of each by this name, with the lines for either reading.
MonarchTie = Literal["loses", "plays on"]
OwnMonarch = Literal["plays on", "loses"]
RearguardWins = Literal["one card is kept", "the other goes back to hand"]
TiedRearguard = Literal["goes back to hand", "is discarded"]
Spend = Literal["may be left", "must be spent"]


@dataclass(frozen=True, slots=True, order=True)
class Draw:
    """How many normal cards and aces to draw; decided before any of them is looked at (L126)."""

    normal: int
    ace: int

    @property
    def cost(self) -> int:
        """The funds that drawing takes (L120)."""
        return self.normal * NORMAL_COST + self.ace * ACE_COST


def funds(areas: Sequence[int]) -> int:
    """Return a kingdom's funds: the sum of its values on the areas it occupies (L116)."""
    return sum(areas)


def draws(available: int, in_hand: int, *, spend_all: bool = False) -> tuple[Draw, ...]:
    """Return every legal draw with these funds: within them, and no more than 5 cards in hand (L116-126).

    spend_all: only draws that leave no funds, or a full hand (a reading: L124 shows only such draws).

    >>> [(each.normal, each.ace) for each in draws(4, 0, spend_all=True)]
    [(0, 2), (2, 1), (4, 0)]
    """
    if not 0 <= in_hand <= HAND:
        raise TourneyError(f"{in_hand} cards in hand: there are 0 to {HAND} (Funds, L118)")
    legal = [
        Draw(normal, ace)
        for normal in range(HAND - in_hand + 1)
        for ace in range(HAND - in_hand - normal + 1)
        if normal * NORMAL_COST + ace * ACE_COST <= available
    ]
    if not spend_all:
        return tuple(legal)
    return tuple(draw for draw in legal if draw.cost == available or in_hand + draw.normal + draw.ace == HAND)


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle's points. winner: `attack`, `defense`, or None for a tie, which empties the area (L181-191)."""

    attack: int
    defense: int

    @property
    def winner(self) -> Literal["attack", "defense"] | None:
        """The side with the higher total."""
        if self.attack == self.defense:
            return None
        return "attack" if self.attack > self.defense else "defense"


def battle(
    swords: Sequence[int],
    shields: Sequence[int],
    *,
    attack_offsets: Sequence[int] = (),
    defense_offsets: Sequence[int] = (),
) -> Battle:
    """Return a battle (C, L165-177): one or two attackers, the occupying card and at most one more to defend.

    swords, shields: the points of the cards on either side
    attack_offsets, defense_offsets: what the area, the cards and Archers in adjacent areas add to a side

    Raises TourneyError for more or fewer cards than may take part.
    """
    if not 1 <= len(swords) <= 2:
        raise TourneyError(f"{len(swords)} attacking cards: 1 or 2 may attack an area (Occupation > C, L167)")
    if not 1 <= len(shields) <= 2:
        raise TourneyError(
            f"{len(shields)} defending cards: the occupying one, and at most one more (Occupation > C, L169)"
        )
    return Battle(sum(swords) + sum(attack_offsets), sum(shields) + sum(defense_offsets))


def game_result(
    *,
    discarded: Collection[Side] = (),
    occupied: tuple[int, int] = (0, 0),
    tied_battle: bool = False,
    monarch_tie: MonarchTie = "loses",
    won_by: Side | None = None,
    own_monarch: OwnMonarch = "plays on",
) -> Side | Literal["draw"] | None:
    """Return who has won, `draw`, or None while the game goes on (Win Condition, L147-155).

    discarded:   whose monarch was discarded in the battle just fought
    occupied:    the areas that Red and Blue occupy; all five win
    tied_battle: whether that battle was tied; it then discards a lone monarch without being won (see the setting)
    won_by:      who won that battle; a winner who keeps another card discards their own monarch by choice, and no battle
                 was won against it (L149, L183-187): `own_monarch` is what that means
    Raises TourneyError for areas that cannot be, and for a tied battle that somebody has won.
    """
    _refuse_areas(occupied)
    if tied_battle and won_by:
        raise TourneyError("a battle with equal points is won by nobody (Determination, L189)")
    if len(set(discarded)) == 2:
        return "draw"
    for owner in discarded:
        chosen = owner == won_by and own_monarch == "plays on"
        if not chosen and not (tied_battle and monarch_tie == "plays on"):
            return "Blue" if owner == "Red" else "Red"
    if AREAS in occupied:
        return "Red" if occupied[0] == AREAS else "Blue"
    return None


def _refuse_areas(occupied: tuple[int, int]) -> None:
    if min(occupied) < 0 or sum(occupied) > AREAS:
        raise TourneyError(
            f"Red occupies {occupied[0]} areas and Blue {occupied[1]}: there are {AREAS} (Equipments, L76)"
        )


# -- the questions: how each is answered


_MOST = 100
"""Points and funds above it are on no card."""


def _refuse_numbers(numbers: Sequence[int], what: str, *, least: int = 0) -> None:
    for number in numbers:
        if not least <= number <= _MOST:
            raise TourneyError(f"{what} of {number}: no card has it")


def _drawn(draw: Draw) -> str:
    kinds = ((draw.normal, "normal card"), (draw.ace, "ace"))
    return " and ".join(counted(number, kind) for number, kind in kinds if number) or "nothing"


def _funds(areas: Sequence[Thing], *, hand: int, spend: Spend) -> Answer:
    values = [thing.values[0] for thing in areas]
    if len(values) > AREAS:
        raise TourneyError(f"{len(values)} areas: there are {AREAS} (Equipments, L76)")
    if any(value < 0 for value in values):
        raise TourneyError("an area's funds are never below 0 (How to play, L116: funds are gained)")
    _refuse_numbers(values, "funds")
    total = funds(values)
    legal = draws(total, hand, spend_all=spend == "must be spent")
    spent = draws(total, hand, spend_all=True)
    full = [draw for draw in spent if draw.cost == total] or spent
    steps = [
        Step(f"funds: {' + '.join(map(str, values)) or 0} = {total}", "L116"),
        Step(
            f"a normal card costs {NORMAL_COST}, an ace {ACE_COST}; {hand} in hand, so at most {counted(HAND - hand, 'card')}",
            "L118-120",
        ),
        *(Step(f"{_drawn(draw)}: {draw.cost}", "L120") for draw in legal),
        Step("how many of each is decided before a card is looked at", "L126"),
    ]
    value = {
        "funds": total,
        "draws": [{"normal": draw.normal, "ace": draw.ace, "cost": draw.cost} for draw in legal],
    }
    left = "" if spend == "must be spent" else "; or fewer"
    said = "; or ".join(_drawn(draw) for draw in full) if HAND - hand else "no card, as the hand is full"
    return Answer(
        f"{counted(total, 'fund')}: {said}{left if HAND - hand and total else ''}.",
        f"In all {counted(len(legal), 'draw')} within the funds and a hand of {HAND}, drawing nothing included."
        if len(legal) > 1
        else "",
        value,
        tuple(steps),
    )


_MONARCHS: dict[str, Side] = {"prince": "Red", "princess": "Blue"}
"""Whose monarch a card is, by its name (L87-89)."""

_REARGUARD = frozenset({"rearguard", "reaguard"})
"""What the Rearguard is called, as printed and as misprinted (NOTES.md)."""


def _monarch(card: Thing) -> Side | None:
    return _MONARCHS.get(card.name.casefold())


def _battle(
    cards: Sequence[Sequence[Thing]], *, attacker: str, area: Sequence[Thing], card_offset: Sequence[Thing], archers: int,
    keep: str | None, monarch_tie: MonarchTie, own_monarch: OwnMonarch, rearguard_wins: RearguardWins,
    tied_rearguard: TiedRearguard = "goes back to hand",
) -> Answer:  # fmt: skip
    if len(cards) != 2:
        raise TourneyError(
            "name two sides: the attacking cards, then the defending ones, the occupying card first, those of a side joined by +"
        )
    sides: tuple[Side, Side] = ("Red", "Blue") if attacker == "red" else ("Blue", "Red")
    for side, group in zip(sides, cards, strict=True):
        _refuse_foreign(side, group)
    attack, defense = _offsets(area, "area"), _offsets(card_offset, "card")
    points = [[card.values[0] for card in group] for group in cards]
    _refuse_numbers([*points[0], *points[1]], "points")
    _refuse_numbers([*attack, *defense], "an offset", least=-_MOST)
    refuse_below(archers, 0, "what Archers add", "Archer, L58")
    _refuse_numbers([archers], "attack points")
    fought = battle(
        points[0],
        points[1],
        attack_offsets=(attack[0], defense[0], archers),
        defense_offsets=(attack[1], defense[1]),
    )
    steps = [
        _summed("attack, swords", points[0], (attack[0], defense[0], archers), fought.attack),
        _summed("defense, shields", points[1], (attack[1], defense[1]), fought.defense),
    ]
    ending = _Ending(sides, cards, fought, monarch_tie, own_monarch, rearguard_wins, tied_rearguard)
    return ending.answer(steps, keep)


def _refuse_foreign(side: Side, group: Sequence[Thing]) -> None:
    for card in group:
        owner = _monarch(card)
        if owner and owner != side:
            line = {"Red": "L87", "Blue": "L89"}[owner]
            raise TourneyError(
                f"the {card.name} is {owner}'s, and {side} fights here ({line})",
                "the attack is Red's where `--attacker blue` does not say otherwise",
            )
        if owner and [_monarch(each) for each in group].count(owner) > 1:
            raise TourneyError(f"{owner} has one monarch, and two fight here (Equipments, L80)")


def _offsets(typed: Sequence[Thing], what: str) -> tuple[int, int]:
    if len(typed) > 1:
        raise TourneyError(
            f"one offset of the {what} is told: what it adds to the attack and to the defense, 1/0"
        )
    return (typed[0].values[0], typed[0].values[1]) if typed else (0, 0)


def _summed(what: str, points: Sequence[int], offsets: Sequence[int], total: int) -> Step:
    terms = " + ".join(map(str, points)) + "".join(
        f" {'+' if each > 0 else '−'} {abs(each)}" for each in offsets if each
    )
    return Step(
        f"{what}: {added_up(terms, total)}",
        "L173-177, L58" if len(offsets) > 2 and offsets[2] else "L173-177",
    )


@dataclass(frozen=True, slots=True)
class _Ending:
    """What comes after a battle: who has the area, which cards go, and whether the game ends.

    sides: the attacker's and the defender's kingdom; cards: theirs in the battle
    """

    sides: tuple[Side, Side]
    cards: Sequence[Sequence[Thing]]
    fought: Battle
    monarch_tie: MonarchTie
    own_monarch: OwnMonarch
    rearguard_wins: RearguardWins
    tied_rearguard: TiedRearguard

    def answer(self, steps: Sequence[Step], keep: str | None) -> Answer:
        """Say whose the area is, and for each card that may stay in it whether the game ends. keep: the one that stays."""
        back = self._back_to_hand()
        fate = "stays" if self.fought.winner == "defense" else "is discarded"
        tell = [Step(f"the Rearguard {fate} and {_card(each)} goes back to hand", "L39") for each in back]
        if self.fought.winner is None:
            return self._tied(steps, tell, back)
        won = 0 if self.fought.winner == "attack" else 1
        winner, mine = self.sides[won], self.cards[won]
        if back and won == 1:
            mine = mine[:1]
        lost = [_monarch(card) for card in self.cards[1 - won] if card not in back]
        kept = self._kept(mine, keep)
        results = {_card(card): self._result(winner, [*lost, *_but(mine, card)]) for card in kept}
        points = sorted((self.fought.attack, self.fought.defense), reverse=True)
        short = f"The {self.fought.winner} wins, {points[0]} to {points[1]}: the area is {winner}'s"
        choice = listed([_card(card) for card in kept], "or")
        steps = [
            *steps,
            Step(f"the higher total wins: {points[0]} against {points[1]}", "L181"),
            *tell,
            Step(f"{winner} leaves {choice} there; all other cards are discarded", "L183-187"),
        ]
        ends = list(dict.fromkeys(results.values()))
        for name, result in results.items():
            steps.append(Step(f"keeping {name}: {_result_words(result)}", "L149-151"))
        short += f"; {tell[0].text}" if back and won == 1 else ""
        short += f"; {_result_words(ends[0])}" if len(ends) == 1 and ends[0] else ""
        if len(ends) > 1:
            short += "; " + "; ".join(
                f"if {name} stays, {_result_words(result)}" for name, result in results.items()
            )
        value = {
            "attack": self.fought.attack, "defense": self.fought.defense, "winner": self.fought.winner, "area": winner,
            "keep": list(results), "result": ends[0] if len(ends) == 1 else results, "back_to_hand": [_card(card) for card in back],
        }  # fmt: skip
        return Answer(
            f"{short}.",
            sentence(*tell, f"{winner} leaves {choice} there; all other cards are discarded"),
            value,
            tuple(steps),
        )

    def _tied(self, steps: Sequence[Step], tell: Sequence[Step], back: Sequence[Thing]) -> Answer:
        lost = [
            side for group in self.cards for card in group if card not in back and (side := _monarch(card))
        ]
        result = game_result(discarded=lost, tied_battle=True, monarch_tie=self.monarch_tie)
        others = f"{_card(back[0])} goes back to hand, all other cards" if back else "all cards"
        short = f"A tie at {self.fought.attack}: {others} are discarded, and the area stays unoccupied"
        short += f"; {_result_words(result)}" if lost or any(map(_monarch, back)) else ""
        value = {
            "attack": self.fought.attack,
            "defense": self.fought.defense,
            "winner": None,
            "area": None,
            "keep": [],
            "result": result,
            "back_to_hand": [_card(card) for card in back],
        }
        said = Step(
            f"equal points: {'all cards on both sides' if not back else 'all other cards'} are discarded",
            "L189-191",
        )
        ends = (
            [
                Step(
                    f"{listed([f'the monarch of {each}' for each in lost])} discarded: {_result_words(result)}",
                    "L149-151, L189",
                )
            ]
            if lost
            else []
        )
        return Answer(f"{short}.", "", value, (*steps, *tell, said, *ends))

    def _back_to_hand(self) -> list[Thing]:
        """Return the added card that a Rearguard saves: from a lost battle (L39), and by a reading from a tie or a win.

        Only the Rearguard that occupies the area has the skill, not one that is added to defend it.
        """
        if self.fought.winner == "defense" and self.rearguard_wins == "one card is kept":
            return []
        if self.fought.winner is None and self.tied_rearguard == "is discarded":
            return []
        occupying, *added = self.cards[1]
        return added if occupying.name.casefold() in _REARGUARD else []

    def _kept(self, mine: Sequence[Thing], keep: str | None) -> list[Thing]:
        kept = [card for card in mine if keep is None or keep.casefold() in _called(card)]
        if not kept:
            names = listed([_card(card) for card in mine], "or")
            raise TourneyError(
                f"{keep} is none of the winner's cards: {names} may stay (Determination, L183-185)"
            )
        return kept

    def _result(self, winner: Side, lost: Sequence[Side | None]) -> str | None:
        return game_result(
            discarded=[side for side in lost if side], won_by=winner, own_monarch=self.own_monarch
        )


def _but(cards: Sequence[Thing], kept: Thing) -> list[Side | None]:
    return [_monarch(card) for card in cards if card is not kept]


def _called(card: Thing) -> set[str]:
    """Return what a card may be called by: its name, or its points where it has none."""
    return {_card(card).casefold(), card.name.casefold() or str(card.values[0])}


def _card(card: Thing) -> str:
    return card.name or f"the {card.values[0]}"


def _result_words(result: str | None) -> str:
    return {None: "the game goes on", "draw": "the game is a draw"}.get(result) or f"{result} wins the game"


def _win(
    *,
    won: str,
    discarded: Sequence[Thing],
    areas: Sequence[Thing],
    monarch_tie: MonarchTie,
    own_monarch: OwnMonarch,
) -> Answer:
    whose: list[Side] = [thing.values[0] for thing in discarded]
    if len(areas) > 1:
        raise TourneyError("the areas are told once: Red's and Blue's, 3/2")
    occupied = (areas[0].values[0], areas[0].values[1]) if areas else (0, 0)
    if len(whose) > len(set(whose)):
        raise TourneyError("a monarch is named twice; each kingdom has one (Equipments, L80)")
    winner: Side | None = {"red": "Red", "blue": "Blue"}.get(won)  # type: ignore[assignment]
    if whose and won == "none":
        raise TourneyError(
            "a monarch is discarded in a battle only: say who won it (Win Condition, L149)",
            "--won red, blue or tie",
        )
    result = game_result(
        discarded=whose,
        occupied=occupied,
        tied_battle=won == "tie",
        monarch_tie=monarch_tie,
        won_by=winner,
        own_monarch=own_monarch,
    )
    steps = (
        [
            Step(
                f"discarded: {listed([f'the monarch of {each}' for each in sorted(set(whose))])}; the battle: {won}",
                "L149-151",
            )
        ]
        if whose
        else []
    )
    steps.append(
        Step(
            f"areas: Red {occupied[0]}, Blue {occupied[1]}; {AREAS} of {AREAS} win, empty ones count for nobody",
            "L153",
        )
    )
    return Answer(
        sentence(_result_words(result)),
        _why_won(whose, won, occupied),
        {"result": result},
        tuple(steps),
        () if whose else ("Win Condition, L147-155",),
    )


def _why_won(discarded: Sequence[Side], won: str, occupied: tuple[int, int]) -> str:
    if len(set(discarded)) == 2:
        return "Both monarchs are discarded."
    if not discarded:
        return (
            f"All {AREAS} areas are occupied."
            if AREAS in occupied
            else f"No monarch is discarded, and nobody occupies all {AREAS} areas."
        )
    if won == "tie":
        return f"A tie discarded the monarch of {discarded[0]}, though nobody won the battle."
    if won == discarded[0].casefold():
        return f"{discarded[0]} won the battle and discarded their own monarch by keeping the other card."
    return f"The monarch of {discarded[0]} was discarded in a battle that the other kingdom won."


# -- the questions


_TIE = q.RuleReading(
    "monarch_tie",
    "What a tied battle means that discards one monarch",
    "loses",
    {"loses": "Determination, L189: it is discarded", "plays on": "Win Condition, L149: no battle was won"},
)
_OWN = q.RuleReading(
    "own_monarch",
    "What it means that the winner of a battle keeps the other card and so discards their own monarch",
    "plays on",
    {
        "plays on": "Win Condition, L149: the opponent won no battle",
        "loses": "Determination, L187: it is discarded",
    },
)
_REARGUARD_WINS = q.RuleReading(
    "rearguard_wins",
    "What becomes of the added card where the Rearguard's side wins the battle",
    "one card is kept",
    {
        "one card is kept": "Determination, L183-187: the winner leaves one, the others are discarded",
        "the other goes back to hand": "Rearguard, L39: even if you lose; the Rearguard is the card that stays",
    },
)
_TIED_REARGUARD = q.RuleReading(
    "tied_rearguard",
    "What becomes of the added card when the battle of a Rearguard is tied",
    "goes back to hand",
    {
        "goes back to hand": "Rearguard, L39: even if you lose the battle",
        "is discarded": "Determination, L189: all cards on both sides",
    },
)
_OFFSET = q.things("ATTACK", "DEFENSE")

GAME = q.Game(
    "Red Kingdom & Blue Kingdom",
    "rule sheet",
    (
        q.Question(
            "funds",
            "How many cards may be drawn with the funds of these areas?",
            _funds,
            ("Funds, L116-128",),
            (
                q.Argument(
                    "areas",
                    "The kingdom's funds value on each area that it occupies",
                    q.things("FUNDS", name="AREA"),
                    required=False,
                ),
                q.option("hand", "Cards in hand.", 0),
            ),
            (
                q.RuleReading(
                    "spend",
                    "Whether funds may be left over",
                    "may be left",
                    {"may be left": "L124: you can draw", "must be spent": "L124: only such draws are shown"},
                ),
            ),
            {
                "2 1 1": "4 funds: 2 aces; or 2 normal cards and 1 ace; or 4 normal cards; or fewer.",
                "3 2 --hand 4": "5 funds: 1 ace; or 1 normal card; or fewer.",
            },
        ),
        q.Question(
            "battle",
            "Who wins a battle, who keeps what, and does the game end?",
            _battle,
            ("Occupation > C, L165-171", "Determination, L173-191", "Win Condition, L149-151"),
            (
                q.Argument(
                    "cards",
                    "The attacking cards, then the defending ones, the occupying card first, those of a side joined by +",
                    q.things("POINTS", name="CARD", groups=True),
                ),
                q.option("attacker", "Whose attack it is.", "red", kind=("red", "blue")),
                q.option(
                    "area",
                    "What the area adds to attack and defense.",
                    kind=_OFFSET,
                    metavar="ATTACK/DEFENSE",
                ),
                q.option(
                    "card_offset",
                    "What cards add to attack and defense.",
                    kind=_OFFSET,
                    metavar="ATTACK/DEFENSE",
                ),
                q.option("archers", "Attack points of the attacker's Archers in adjacent areas.", 0),
                q.option("keep", "The card that the winner leaves in the area.", kind="word", metavar="CARD"),
            ),
            (_TIE, _OWN, _REARGUARD_WINS, _TIED_REARGUARD),
            {
                "4+2 3+1 --area 0/1": "The attack wins, 6 to 5: the area is Red's.",
                "3 Princess=2 --archers 1": "The attack wins, 4 to 2: the area is Red's; Red wins the game.",
                "Knight=3 Prince=3 --attacker blue": "A tie at 3: all cards are discarded, and the area stays unoccupied; Blue wins the game.",
            },
            "Cards named Prince, Princess and Rearguard are what they are called; names are needed for nothing else.",
        ),
        q.Question(
            "win",
            "Who has won, after monarchs were discarded or areas occupied?",
            _win,
            ("Win Condition, L147-155", "Determination, L183-191"),
            (
                q.option(
                    "won",
                    "Who won the battle in which a monarch was discarded.",
                    "none",
                    kind=("red", "blue", "tie", "none"),
                ),
                q.option(
                    "discarded",
                    "Whose monarch was discarded in it.",
                    kind=q.things(q.Stat("SIDE", words={"red": "Red", "blue": "Blue"}, numbers=False)),
                    metavar="SIDE…",
                ),
                q.option(
                    "areas",
                    "The areas that Red and Blue occupy.",
                    kind=q.things("RED", "BLUE"),
                    metavar="RED/BLUE",
                ),
            ),
            (_TIE, _OWN),
            {
                "--won red --discarded blue": "Red wins the game.",
                "--won tie --discarded red,blue": "The game is a draw.",
                "--areas 5/0": "Red wins the game.",
            },
        ),
    ),
)
"""Its questions, with what `tourney judge` answers."""
