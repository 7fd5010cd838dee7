"""The shape of a bracket before anybody has played: its stages, and where each seat's player comes from."""

from __future__ import annotations

from dataclasses import dataclass

from tourney.pairing.elimination.seeding import fold
from tourney.pairing.elimination.types import BracketOptions


@dataclass(frozen=True, slots=True)
class Feed:
    """Where a seat's player comes from: `seed` number `match`, or the `winner` or `loser` of a match of a stage."""

    kind: str
    stage: str
    match: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """One stage. `depth`: how far its losers have come (equal depths share places), the winner of a last match one more.

    reseeded: the players are put in order of seed first, the highest meets the lowest
    reset:    played only if the winner of the stage before came from the lower bracket (its second seat)
    """

    name: str
    labels: tuple[str, ...]
    feeds: tuple[tuple[Feed, Feed], ...]
    depth: int
    reseeded: bool = False
    reset: bool = False


def plan(players: int, options: BracketOptions) -> tuple[StagePlan, ...]:
    """Return the stages of a bracket of any size from two up; seats beyond the last seed stay empty."""
    rounds = (players - 1).bit_length()
    return _double(rounds) if options.double else _single(rounds, options)


def _seeded(places: int) -> tuple[tuple[Feed, Feed], ...]:
    order = [Feed("seed", "", seed) for seed in fold(places)]
    return tuple(zip(order[::2], order[1::2], strict=True))


def _winners(stage: StagePlan) -> tuple[tuple[Feed, Feed], ...]:
    return _neighbours("winner", stage)


def _neighbours(kind: str, stage: StagePlan) -> tuple[tuple[Feed, Feed], ...]:
    feeds = [Feed(kind, stage.name, match) for match in range(len(stage.labels))]
    return tuple(zip(feeds[::2], feeds[1::2], strict=True))


def _single(rounds: int, options: BracketOptions) -> tuple[StagePlan, ...]:
    stages: list[StagePlan] = []
    for number in range(rounds):
        matches = 2 ** (rounds - 1 - number)
        name, labels = _single_names(matches)
        feeds = _winners(stages[-1]) if stages else _seeded(2 * matches)
        reseeded = options.reseed and bool(stages)
        stages.append(StagePlan(name=name, labels=labels, feeds=feeds, depth=2 * number, reseeded=reseeded))
    if options.third_place and rounds >= 2:
        semifinals = stages[-2]
        feeds = _neighbours("loser", semifinals)
        stages.append(
            StagePlan(name="Third place", labels=("Third place",), feeds=feeds, depth=semifinals.depth)
        )
    return tuple(stages)


def _single_names(matches: int) -> tuple[str, tuple[str, ...]]:
    if matches == 1:
        return "Final", ("Final",)
    word = {2: "Semifinal", 4: "Quarterfinal"}.get(matches, f"Round of {2 * matches}, match")
    name = f"{word}s" if matches in (2, 4) else f"Round of {2 * matches}"
    return name, tuple(f"{word} {number}" for number in range(1, matches + 1))


def _double(rounds: int) -> tuple[StagePlan, ...]:
    """Return upper stages 1 to k, lower stages 1 to 2(k - 1), the final and its reset.

    Lower stage 1 takes the losers of upper stage 1; lower stage 2j sends the losers of upper stage j + 1 against the
    winners of lower stage 2j - 1; lower stage 2j + 1 pairs the winners among themselves.
    """
    upper = _upper(rounds)
    lower: list[StagePlan] = []
    for number in range(1, 2 * (rounds - 1) + 1):
        if number == 1:
            feeds = _neighbours("loser", upper[0])
        elif number % 2:
            feeds = _winners(lower[-1])
        else:
            feeds = _falling(lower[-1], upper[number // 2], number // 2)
        lower.append(_stage("Lower", number, 2 * (rounds - 1), feeds, depth=2 * (number - 1)))
    top = Feed("winner", upper[-1].name, 0)
    bottom = Feed("winner", lower[-1].name, 0) if lower else Feed("loser", upper[-1].name, 0)
    depth = 2 * (2 * rounds + 1)
    final = StagePlan(name="Final", labels=("Final",), feeds=((top, bottom),), depth=depth)
    again = ((Feed("winner", "Final", 0), Feed("loser", "Final", 0)),)
    reset = StagePlan(name="Final reset", labels=("Final reset",), feeds=again, depth=depth, reset=True)
    return (*upper, *lower, final, reset)


def _upper(rounds: int) -> list[StagePlan]:
    stages: list[StagePlan] = []
    for number in range(1, rounds + 1):
        feeds = _winners(stages[-1]) if stages else _seeded(2**rounds)
        # Who leaves here is out where the loser of this stage would have played next.
        depth = 0 if number == 1 else 2 * (2 * (number - 1) - 1)
        stages.append(_stage("Upper", number, rounds, feeds, depth=depth))
    return stages


def _stage(
    side: str, number: int, last: int, feeds: tuple[tuple[Feed, Feed], ...], *, depth: int
) -> StagePlan:
    if number == last:
        return StagePlan(name=f"{side} final", labels=(f"{side} final",), feeds=feeds, depth=depth)
    name = f"{side} round {number}"
    labels = tuple(f"{name}, match {match}" for match in range(1, len(feeds) + 1))
    return StagePlan(name=name, labels=labels, feeds=feeds, depth=depth)


def _falling(lower: StagePlan, upper: StagePlan, crossing: int) -> tuple[tuple[Feed, Feed], ...]:
    """Cross the losers over, so that two who met above meet again as late as can be: reversed, then halves swapped, in turn."""
    matches = len(lower.labels)
    mask = matches - 1 if crossing % 2 else matches // 2
    return tuple(
        (Feed("loser", upper.name, match ^ mask), Feed("winner", lower.name, match))
        for match in range(matches)
    )
