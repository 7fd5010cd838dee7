"""DimRift, classic era: what a judge computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tourney.errors import TourneyError
from tourney.games import questions as q
from tourney.games.questions import Answer, Step, Thing, by_name, refuse_below, sentence
from tourney.wording import counted, listed

LIFE_PER_RANK = 3
"""What each missing rank of a rift costs (rules/turn-structure at 0620b5e6: elsewhere, not the rule text)."""

HIGHEST_RANK = 3
"""There is no higher one (elsewhere: wiki/Rank)."""


def rift_cost(opened: int, summoned: int) -> int:
    """Return the life lost for a rift of rank `opened` when the best card summoned from it has rank `summoned`.

    Three for each missing rank (rules/turn-structure). A higher rank than the rift's cannot come through it.

    >>> rift_cost(3, 1)
    6
    """
    for rank in (opened, summoned):
        if not 0 <= rank <= HIGHEST_RANK:
            raise TourneyError(f"there is no rank {rank}; ranks go from 0 to {HIGHEST_RANK} (wiki/Rank)")
    if summoned > opened:
        raise TourneyError(
            f"a card of rank {summoned} does not come through a rift of rank {opened} (rules/turn-structure)"
        )
    return LIFE_PER_RANK * (opened - summoned)


@dataclass(frozen=True, slots=True)
class Stats:
    """The stats that a crewed vehicle adds to its creature (Cards > Vehicle, L38)."""

    attack: int = 0
    life: int = 0
    armor: int = 0
    movement: int = 0

    def crewing(self, vehicle: Stats) -> Stats:
        """Return the stats of the creature with the vehicle underneath it.

        Raises TourneyError for a vehicle without movement: a vehicle's is above zero (L35).
        """
        if vehicle.movement < 1:
            raise TourneyError("a vehicle has a movement above 0 (Cards > Vehicle, L35)")
        return Stats(
            self.attack + vehicle.attack,
            self.life + vehicle.life,
            self.armor + vehicle.armor,
            self.movement + vehicle.movement,
        )


def duel_result(life: Mapping[str, int]) -> tuple[str, ...] | None:
    """Return who has won a duel, both names for a draw, None while it goes on (wiki/Winning_Condition).

    A player at 0 life has lost once the current effect is finished; both at 0 is a draw.
    """
    standing = tuple(player for player, points in life.items() if points > 0)
    if len(standing) == len(life):
        return None
    return standing or tuple(life)


# -- the questions: how each is answered


_STATS = ("attack", "life", "armor", "movement")


def _shown(stats: Stats) -> str:
    return "/".join(str(getattr(stats, each)) for each in _STATS)


def _crew(cards: Sequence[Thing], *, moved: int) -> Answer:
    if len(cards) != 2:
        raise TourneyError(f"{counted(len(cards), 'card')} named: name the creature, then the vehicle")
    for stat in (stat for thing in cards for stat in thing.values):
        refuse_below(stat, 0, "a stat", "no card has less")
    refuse_below(moved, 0, "the movement spent", "Cards > Vehicle, L35")
    creature, vehicle = (Stats(*thing.values) for thing in cards)
    crewed = creature.crewing(vehicle)
    left = vehicle.movement - moved - 1
    if left < 0:
        raise TourneyError(
            f"crewing takes 1 movement, and {vehicle.movement - moved} of {vehicle.movement} are left (Cards > Vehicle, L35)"
        )
    steps = [Step(f"the vehicle spends 1 movement to be crewed: {left} of {vehicle.movement} left", "L35")]
    steps += [
        Step(f"{each}: {getattr(creature, each)} + {getattr(vehicle, each)} = {getattr(crewed, each)}", "L38")
        for each in _STATS
    ]
    steps.append(
        Step("arrows and effects tagged with [equipped] are added too; a vehicle has no mana", "L36, L38")
    )
    value = {**{each: getattr(crewed, each) for each in _STATS}, "vehicle_movement_left": left}
    return Answer(
        f"{_shown(crewed)}: attack {crewed.attack}, life {crewed.life}, armor {crewed.armor}, movement {crewed.movement}.",
        f"{_shown(creature)} and {_shown(vehicle)} combined; the vehicle has {left} movement left, and 1 would uncrew it.",
        value,
        (*steps, Step("uncrewing takes another 1 movement, to an empty active artifact zone", "L39")),
    )


_TYPES = {
    "creature": "creature", "artifact": "artifact", "equipment": "artifact", "vehicle": "artifact", "scroll": "artifact",
    "trap": "artifact", "monument": "monument",
}  # fmt: skip
_ZONES = ("creature", "artifact", "monument")


def _zone(*, type_: str, zone: str, enemy: bool, occupied: bool, inactive: bool) -> Answer:
    checks = [
        (_TYPES[type_] == zone, f"it must match the card's type: a {type_} takes the {_TYPES[type_]} zone"),
        (not enemy, "it must be on your side of the field"),
        (not occupied, "it must be empty"),
        (not inactive, "it must be active"),
    ]
    failed = [rule for fits, rule in checks if not fits]
    steps = tuple(Step(f"{'yes' if fits else 'no'}: {rule}", "L13") for fits, rule in checks)
    return Answer(
        f"No: {'; '.join(failed)}." if failed else "Yes: the zone is eligible.",
        "",
        {"eligible": not failed, "failed": failed},
        steps,
        () if type_ == "monument" else ("Cards, L13",),
    )


def _play(
    *,
    type_: str,
    how: str,
    cost: int,
    available: int,
    extra: bool,
    knowledge: int,
    targeted: bool,
    triggered: bool,
    set_this_turn: bool,
) -> Answer:
    cites = _cites_of_play(type_, how)
    for what, number in (("cost", cost), ("what is available", available), ("knowledge", knowledge)):
        refuse_below(number, 0, what, "Cards, L15")
    hindered = _hindered(
        type_, how, extra=extra, targeted=targeted, triggered=triggered, set_this_turn=set_this_turn
    )
    if hindered:
        flag = {"L21": "--targeted", "L45": "--triggered"}.get(hindered.cite)
        asked = f"`{flag}` says that it is." if flag else ""
        return Answer(
            f"No: {hindered.text}.", asked, {"played": False, "summoned": False}, (hindered,), cites
        )
    if how == "set":
        step = Step("a card that is set costs nothing now; it is paid for when it is flipped", "L16")
        return Answer(
            f"Yes: {step.text}.", "", {"played": True, "summoned": False, "paid": 0}, (step,), cites
        )
    paid = available >= cost
    cite = "L15" if how == "face-up" else "L16"
    steps = [Step(f"cost {cost}, {available} available", cite)]
    if not paid:
        fate = "goes to the Graveyard" if how == "face-up" else "is destroyed"
        return Answer(
            f"It {fate}: its cost of {cost} cannot be paid with {available}.",
            "",
            {"played": True, "summoned": False, "paid": 0},
            (*steps, Step(f"what cannot be paid {fate}", cite)),
            cites,
        )
    mana, step = _mana(type_, knowledge)
    steps += [Step(f"paid: {available - cost} left", cite), step]
    value = {"played": True, "summoned": True, "paid": cost, "left": available - cost, "mana": mana}
    if type_ == "trap":
        last = Step("the one effect that was triggered is resolved, then the trap is destroyed", "L45")
        short = f"It is summoned, and destroyed after its effect; {available - cost} left."
        return Answer(short, sentence(last), {**value, "destroyed": True}, (*steps, last), cites)
    return Answer(
        f"It is summoned; {available - cost} left, {mana} mana on it.",
        sentence(step),
        value,
        tuple(steps),
        cites,
    )


def _cites_of_play(type_: str, how: str) -> tuple[str, ...]:
    """Return where the rules for playing such a card are."""
    more = {"scroll": "Scroll, L42", "trap": "Traps, L44-46"}.get(type_)
    if type_ == "creature" and how != "face-up":
        more = "Creatures, L21"
    return ("Cards, L15-17", more) if more else ("Cards, L15-17",)


def _hindered(
    type_: str, how: str, *, extra: bool, targeted: bool, triggered: bool, set_this_turn: bool
) -> Step | None:
    """Return why a card cannot be played so, None where it can."""
    hindrances = (
        (
            how != "face-up" and (extra or type_ == "monument"),
            "cards of the Extra Deck and Monuments are only played face-up",
            "L17",
        ),
        (
            how == "flip" and type_ == "creature" and not targeted,
            "a creature that is set is flipped only when it is targeted",
            "L21",
        ),
        (how == "face-up" and type_ == "trap", "a Trap must first be set", "L44"),
        (
            how == "flip" and type_ == "trap" and set_this_turn,
            "a Trap cannot be summoned the turn it is set",
            "L44",
        ),
        (
            how == "flip" and type_ == "trap" and not triggered,
            "a Trap that is set is summoned only when one of its effects is triggered",
            "L45",
        ),
    )
    return next((Step(rule, cite) for holds, rule, cite in hindrances if holds), None)


def _mana(type_: str, knowledge: int) -> tuple[int, Step]:
    if type_ in {"scroll", "trap"}:
        return 0, Step(
            "Scrolls and Traps get no mana counters when they are summoned",
            "L42" if type_ == "scroll" else "L46",
        )
    if type_ == "vehicle":
        if knowledge:
            raise TourneyError("vehicles cannot have mana (Cards > Vehicle, L38)")
        return 0, Step("vehicles cannot have mana", "L38")
    return knowledge, Step(f"mana is collected when it is summoned: {knowledge}", "L16")


def _rift(*, opened: int, summoned: int) -> Answer:
    cost = rift_cost(opened, summoned)
    step = Step(
        f"{LIFE_PER_RANK} life for each missing rank: {LIFE_PER_RANK} × ({opened} − {summoned}) = {cost}",
        "rules/turn-structure",
    )
    return Answer(f"{cost} life.", sentence(step), {"life": cost}, (step,))


def _duel(life: Sequence[Thing]) -> Answer:
    points = by_name(life)
    if len(points) != 2:
        raise TourneyError(f"{len(points)} players: a duel is between two (wiki/Winning_Condition)")
    won = duel_result(points)
    steps = tuple(
        Step(f"{name}: {number} life{'; lost' if number <= 0 else ''}", "wiki/Winning_Condition")
        for name, number in points.items()
    )
    if won is None:
        return Answer("The duel goes on.", "", {"result": None}, steps)
    if len(won) == 2:
        return Answer(f"A draw: {listed(points)} are both at 0.", "", {"result": "draw"}, steps)
    return Answer(
        f"{won[0]} wins the duel.",
        "Who is at 0 life has lost, once the current effect is finished.",
        {"result": won[0]},
        steps,
    )


# -- the questions


_TYPE = q.Argument("type_", "What kind of card it is.", tuple(_TYPES))

GAME = q.Game(
    "DimRift, classic",
    "rules/cards of the classic era",
    (
        q.Question(
            "crew",
            "What are a creature's stats with a crewed vehicle?",
            _crew,
            ("Cards > Vehicle, L35-39",),
            (
                q.Argument(
                    "cards",
                    "The creature, then the vehicle",
                    q.things(*map(str.upper, _STATS), name="NAME"),
                ),
                q.option("moved", "Movement that the vehicle has spent in this Move Action.", 0),
            ),
            examples={"2/3/0/1 1/0/2/2": "3/3/2/3: attack 3, life 3, armor 2, movement 3."},
        ),
        q.Question(
            "zone",
            "May a card be played into a zone?",
            _zone,
            ("Cards, L13", "Monuments, L48"),
            (
                _TYPE,
                q.Argument("zone", "What kind of zone it is.", _ZONES),
                q.flag("enemy", "It is on the opponent's side."),
                q.flag("occupied", "A card is there already."),
                q.flag("inactive", "It is not active."),
            ),
            examples={
                "vehicle artifact": "Yes: the zone is eligible.",
                "scroll artifact --inactive": "No: it must be active.",
            },
        ),
        q.Question(
            "play",
            "What does it cost to play a card face-up, set it or flip it, and what becomes of it?",
            _play,
            ("Cards, L15-17", "Creatures, L21", "Scroll and Traps, L42-46"),
            (
                _TYPE,
                q.option("how", "How it is played.", "face-up", kind=("face-up", "set", "flip")),
                q.option("cost", "Its cost.", 0),
                q.option("available", "What its player has to pay it with.", 0),
                q.flag("extra", "It comes from the Extra Deck."),
                q.option("knowledge", "Its knowledge (mana).", 0),
                q.flag("targeted", "It is flipped because it was targeted."),
                q.flag("triggered", "It is flipped because one of its effects is triggered."),
                q.flag("set_this_turn", "It was set this turn."),
            ),
            examples={
                "creature --cost 2 --available 1": "It goes to the Graveyard: its cost of 2 cannot be paid with 1.",
                "equipment --how flip --cost 2 --available 1": "It is destroyed: its cost of 2 cannot be paid with 1.",
                "scroll --cost 1 --available 3 --knowledge 2": "It is summoned; 2 left, 0 mana on it.",
                "trap --how flip --set-this-turn": "No: a Trap cannot be summoned the turn it is set.",
                "trap --how flip --triggered --cost 1 --available 1": "It is summoned, and destroyed after its effect; 0 left.",
            },
        ),
        q.Question(
            "rift",
            "How much life does a rift cost?",
            _rift,
            ("rules/turn-structure at 0620b5e6: elsewhere, not the rule text",),
            (
                q.Argument("opened", "The rank of the rift."),
                q.Argument("summoned", "The highest rank summoned from it."),
            ),
            examples={"3 1": "6 life."},
            standing="elsewhere",
        ),
        q.Question(
            "duel",
            "Who has won a duel?",
            _duel,
            ("wiki/Winning_Condition: elsewhere, not the rule text",),
            (q.Argument("life", "Each player's life", q.things("LIFE", name="PLAYER")),),
            examples={"Ada=3 Ben=0": "Ada wins the duel.", "0 0": "A draw: A and B are both at 0."},
            standing="elsewhere",
        ),
    ),
)
"""Its questions, with what `tourney judge` answers."""
