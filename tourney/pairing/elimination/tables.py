"""The shape of a bracket of tables with three or more seats.

The first few players of each table advance, until the final.

Every table is full at the start, so only some numbers of players are possible (`cut_sizes`). No rule text of
a game for three or more players has a cut, so the seating is a house rule:

* The first round is dealt in snake order: seeds 1, 2, 3 to tables 1, 2, 3, the next three to tables 3, 2, 1,
  and so on. With tables of two, this gives the usual bracket: the seeds of each match have the same sum.
* The winner of table n takes the place of seed n, and the winners are dealt in the same way. The players in
  second place are dealt in the same order, one table further, and those in third place two tables further. So
  players who met at a table meet again as late as the number of tables allows.
* A player who leaves is not replaced: the seat stays empty. A table that no player can lose has no match.
"""

from __future__ import annotations

from tourney.errors import TourneyError
from tourney.pairing.elimination.shape import Feeds, FromMatch, FromSeed, Source, StagePlan
from tourney.wording import listed


def cut_sizes(seats: int, advance: int, most: int) -> tuple[int, ...]:
    """Return the possible numbers of players of a bracket, up to `most`.

    seats, advance: the number of players at a table, and how many of them advance

    The final is one table with `seats` players. Each earlier round has seats/advance times as many. That is a
    whole number of full tables only if `advance` divides `seats`. If it does not, the final is the only
    round.

    >>> cut_sizes(3, 1, 100), cut_sizes(4, 2, 40), cut_sizes(6, 2, 60), cut_sizes(4, 3, 100)
    ((3, 9, 27, 81), (4, 8, 16, 32), (6, 18, 54), (4,))
    """
    sizes = [seats] if seats <= most else []
    while (
        sizes and seats % advance == 0 and advance < seats and (more := sizes[-1] * seats // advance) <= most
    ):
        sizes.append(more)
    return tuple(sizes)


def plan_tables(players: int, seats: int, advance: int) -> tuple[StagePlan, ...]:
    """Return the rounds of a bracket at tables of three and more.

    Raises TourneyError if the players do not fill the tables.

    >>> [[source.seed for source in table] for table in plan_tables(9, 3, 1)[0].feeds]
    [[1, 6, 7], [2, 5, 8], [3, 4, 9]]
    """
    refuse_size(players, seats, advance)
    stages: list[StagePlan] = []
    left = players
    while True:
        tables = left // seats
        name, labels = _names(left, tables, last_but_one=tables * advance == seats)
        feeds = _risen(stages[-1], tables, advance) if stages else _seeded(tables, seats)
        going = advance if tables > 1 else 1
        stages.append(StagePlan(name=name, labels=labels, feeds=feeds, depth=len(stages), advance=going))
        if tables == 1:
            return tuple(stages)
        left = tables * advance


def refuse_size(players: int, seats: int, advance: int) -> None:
    """Raise TourneyError if the players do not fill the tables of a bracket.

    The error names numbers of players that do.
    """
    if players not in cut_sizes(seats, advance, players):
        advancing = "the winner advances" if advance == 1 else f"the first {advance} advance"
        raise TourneyError(
            f"{players} players cannot fill a bracket with tables of {seats}, from which {advancing}",
            possible_cuts(seats, advance),
        )


def possible_cuts(seats: int, advance: int, most: int | None = None) -> str:
    """Return the possible sizes of a cut in words, up to `most` players. None: the first three.

    >>> possible_cuts(3, 1), possible_cuts(3, 1, 10), possible_cuts(4, 3), possible_cuts(4, 2, 3)
    ('possible are 3, 9, 27 …', 'possible are 3 and 9', 'possible is 4', 'a table of 4 needs 4 players')
    """
    first = cut_sizes(seats, advance, seats**3)[:3]
    sizes = first if most is None else cut_sizes(seats, advance, most)
    if not sizes:
        return f"a table of {seats} needs {seats} players"
    if most is None and len(sizes) > 1:
        return f"possible are {', '.join(map(str, sizes))} …"
    return f"possible {'is' if len(sizes) == 1 else 'are'} {listed(sizes)}"


def _names(left: int, tables: int, *, last_but_one: bool) -> tuple[str, tuple[str, ...]]:
    if tables == 1:
        return "Final", ("Final",)
    if last_but_one:
        return "Semifinals", tuple(f"Semifinal {number}" for number in range(1, tables + 1))
    return f"Round of {left}", tuple(f"Round of {left}, table {number}" for number in range(1, tables + 1))


def _snake(place: int, tables: int) -> int:
    """Return the table (from 0) to which snake order deals a place (from 0)."""
    turn, step = divmod(place, tables)
    return step if turn % 2 == 0 else tables - 1 - step


def _seeded(tables: int, seats: int) -> Feeds:
    dealt: list[list[Source]] = [[] for _ in range(tables)]
    for place in range(tables * seats):
        dealt[_snake(place, tables)].append(FromSeed(place + 1))
    return tuple(map(tuple, dealt))


def _risen(before: StagePlan, tables: int, advance: int) -> Feeds:
    dealt: list[list[Source]] = [[] for _ in range(tables)]
    for place in range(1, advance + 1):
        for table, label in enumerate(before.labels):
            to = (_snake(table, tables) + place - 1) % tables
            dealt[to].append(FromMatch("winner" if advance == 1 else place, label))
    return tuple(map(tuple, dealt))
