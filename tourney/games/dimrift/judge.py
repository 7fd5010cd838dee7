"""DimRift, classic era: what a judge computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tourney.errors import TourneyError
from tourney.games import questions as q
from tourney.games.questions import Answer, Step, Thing, by_name, refuse_below
from tourney.wording import counted, listed


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
