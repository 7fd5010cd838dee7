"""DimRift calculators for the classic era."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict

from tourney.errors import TourneyError
from tourney.games.questions import Answer, Game, Step, refuse_below
from tourney.games.typed import Player
from tourney.wording import listed

GAME = Game("DimRift, classic", "rules/cards of the classic era")


class Stats(Struct, frozen=True):
    """The stats of a creature, or the stats that a vehicle adds to it (Cards > Vehicle, L38)."""

    attack: int
    life: int
    armor: int
    movement: int
    name: str = ""

    def __str__(self) -> str:
        return f"{self.attack}/{self.life}/{self.armor}/{self.movement}"

    def by_stat(self) -> dict[str, int]:
        """Return the four stats as a mapping: the name of the stat, such as `attack` → its value."""
        return {stat: value for stat, value in asdict(self).items() if stat != "name"}


@GAME.question(
    "What are a creature's stats with a crewed vehicle?",
    "Cards > Vehicle, L35-39",
    examples={"2/3/0/1 1/0/2/2": "3/3/2/3: attack 3, life 3, armor 2, movement 3."},
)
def crew(
    cards: Annotated[tuple[Stats, Stats], "The creature, then the vehicle"],
    *,
    moved: Annotated[int, "Movement that the vehicle has spent in this Move Action."] = 0,
) -> Answer:
    """Return the answer with the stats of a creature and its vehicle together.

    It also says how much movement the vehicle has left.
    """
    creature, vehicle = cards
    for stat in (*creature.by_stat().values(), *vehicle.by_stat().values()):
        refuse_below(stat, 0, "a stat")
    refuse_below(moved, 0, "the movement spent", "Cards > Vehicle, L35")
    if vehicle.movement < 1:
        raise TourneyError("a vehicle has a movement above 0 (Cards > Vehicle, L35)")
    movement_left = vehicle.movement - moved - 1
    if movement_left < 0:
        raise TourneyError(
            f"crewing takes 1 movement, and {vehicle.movement - moved} of {vehicle.movement} are left "
            "(Cards > Vehicle, L35)"
        )
    stats = {stat: value + vehicle.by_stat()[stat] for stat, value in creature.by_stat().items()}
    sums = [
        Step(f"{stat}: {value} + {vehicle.by_stat()[stat]} = {stats[stat]}", "L38")
        for stat, value in creature.by_stat().items()
    ]
    return Answer(
        f"{'/'.join(map(str, stats.values()))}: "
        f"{', '.join(f'{stat} {value}' for stat, value in stats.items())}.",
        f"{creature} and {vehicle} combined; the vehicle has {movement_left} movement left, "
        "and 1 would uncrew it.",
        {**stats, "vehicle_movement_left": movement_left},
        [
            Step(
                f"the vehicle spends 1 movement to be crewed: {movement_left} of {vehicle.movement} left",
                "L35",
            ),
            *sums,
            Step(
                "arrows and effects tagged with [equipped] are added too; a vehicle has no mana", "L36, L38"
            ),
            Step("uncrewing takes another 1 movement, to an empty active artifact zone", "L39"),
        ],
    )


@GAME.question(
    "Who has won a duel?",
    "wiki/Winning_Condition: elsewhere, not the rule text",
    examples={"Ada=3 Ben=0": "Ada wins the duel.", "0 0": "A draw: A and B are both at 0."},
    standing="elsewhere",
)
def duel(life: Annotated[Mapping[Player, int], "Each player's life"]) -> Answer:
    """Return the answer that names the winner of a duel.

    A player at 0 life has lost once the current effect is finished. If both are at 0, the duel is a draw.
    """
    if len(life) != 2:
        raise TourneyError(f"{len(life)} players: a duel is between two (wiki/Winning_Condition)")
    steps = [
        Step(f"{player}: {points} life{'; lost' if points <= 0 else ''}", "wiki/Winning_Condition")
        for player, points in life.items()
    ]
    alive = [player for player, points in life.items() if points > 0]
    if len(alive) == 2:
        return Answer("The duel goes on.", "", {"result": None}, steps)
    if not alive:
        return Answer(f"A draw: {listed(life)} are both at 0.", "", {"result": "draw"}, steps)
    reason = "A player at 0 life has lost, once the current effect is finished."
    return Answer(f"{alive[0]} wins the duel.", reason, {"result": alive[0]}, steps)
