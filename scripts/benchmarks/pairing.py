"""The Swiss engine beside a networkx matching and gacrux in one run.

scripts/bench pairing [--sizes 64,200,600,1000,10000,100000,1000000] [--saturated 8,16,32,64]
                      [--clubs 480,490,499] [--peers-up-to 200]

The fields have 9 earlier rounds, or are saturated. All players are invented, and results are random. The
engine itself paired the history; above 1,000 players each player met the next in points that was not met yet.
`pair` is the whole call, with the bound and the proof; `prove` writes the certificate as data. Times are
those of the processor, so that other programs count less. The time of gacrux, which runs in a process of its
own, is elapsed time.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from tourney.pairing import Entrant, Options, Pairing, pair, prove
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.trf import file_of, write

ROUNDS = 9
BY_NEIGHBOURS = 1_000
RUNS = {64: 31, 200: 15, 600: 9, 1000: 9, 10_000: 7, 100_000: 3, 1_000_000: 1}
PROMISED = {64: 5, 200: 50, 600: 700, 10_000: 100, 100_000: 1000, 1_000_000: 10_000}
"""Milliseconds."""


class Played:
    """A tournament of random results, kept as the engine's input and as a record."""

    def __init__(self, players: int, seed: str) -> None:
        self.dice = random.Random(seed)
        self.points = dict.fromkeys(range(1, players + 1), 0)
        self.met: dict[int, tuple[int, ...]] = dict.fromkeys(self.points, ())
        self.byes = dict.fromkeys(self.points, 0)
        self.floats: dict[int, tuple[int, ...]] = dict.fromkeys(self.points, ())
        self.rounds: list[list[tuple[int, int, int]]] = []

    def book(self, pairs: Sequence[tuple[int, int]], bye: int | None) -> None:
        """Play a round: nine in ten tables have a winner."""
        before, results = dict(self.points), []
        for one, other in pairs:
            won = self.dice.choices((2, 0, 1), (9, 9, 2))[0]
            results.append((one, other, won))
            self.points[one] += won
            self.points[other] += 2 - won
            self.met[one] += (other,)
            self.met[other] += (one,)
            up = (before[other] > before[one]) - (before[other] < before[one])
            self.floats[one] += (up,)
            self.floats[other] += (-up,)
        if bye:
            self.points[bye] += 2
            self.byes[bye] += 1
        self.rounds.append(results)

    def neighbours(self) -> list[tuple[int, int]]:
        """Pair each player with the next in points whom the player has not met.

        This is fast, and good enough for a history.
        """
        order = sorted(self.points, key=lambda player: (-self.points[player], self.dice.random()))
        pairs, waiting = [], []
        for player in order:
            partner = next((other for other in waiting if other not in self.met[player]), None)
            if partner is None:
                waiting.append(player)
            else:
                waiting.remove(partner)
                pairs.append((partner, player))
        return pairs

    def entrants(self) -> list[Entrant]:
        """Return the engine's input."""
        return [
            Entrant(
                id=PlayerId(player), points=points, opponents=self.met[player], byes=self.byes[player],
                floats=self.floats[player],
            )
            for player, points in self.points.items()
        ]  # fmt: skip

    def trf(self) -> str:
        """Return the tournament as a file for an engine of chess; nobody had a bye in it."""
        outcomes = {
            2: (Outcome.WIN, Outcome.LOSS),
            1: (Outcome.DRAW, Outcome.DRAW),
            0: (Outcome.LOSS, Outcome.WIN),
        }
        rounds = tuple(
            tuple(
                Table(
                    number, (one, other), Result((Seat(one, outcomes[won][0]), Seat(other, outcomes[won][1])))
                )
                for number, (one, other, won) in enumerate(results, 1)
            )
            for results in self.rounds
        )
        nobody: tuple[dict[PlayerId, Outcome], ...] = tuple({} for _ in rounds)
        record = Record(
            players=tuple(self.points),
            rounds=rounds,
            byes=nobody,
            absences=tuple(frozenset() for _ in rounds),
        )
        names = {player: f"Player {player}" for player in self.points}
        return write(replace(file_of(record, points=dict(self.points), names=names), rounds_total=ROUNDS + 1))


def history(players: int, seed: str) -> Played:
    """Return a tournament after 9 rounds.

    The engine paired it if it has at most 1,000 players; else neighbours in points met.
    """
    played = Played(players, seed)
    for number in range(ROUNDS):
        if players > BY_NEIGHBOURS:
            played.book(played.neighbours(), None)
        else:
            played.book(
                [table.seats for table in pair(played.entrants(), Options(), f"{seed}/{number}").tables], None
            )  # type: ignore[misc]
    return played


def timed(call: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> tuple[float, Any]:
    """Return the milliseconds of one call, and its value.

    clock: processor time of this process, unless another one is passed
    """
    gc.collect()
    start = clock()
    value = call()
    return 1000 * (clock() - start), value


def networkx_matching(entrants: Sequence[Entrant]) -> float:
    """Return the milliseconds of a networkx matching of all unmet pairs.

    The matching is by point difference alone.
    """
    import networkx

    def match() -> object:
        graph = networkx.Graph()
        for one, other in combinations(entrants, 2):
            if other.id not in one.opponents:
                graph.add_edge(one.id, other.id, weight=-((one.points - other.points) ** 2))
        return networkx.max_weight_matching(graph, maxcardinality=True)

    return timed(match)[0]


def gacrux_round(trf: str) -> float:
    """Return the milliseconds of a gacrux process that pairs the next round by FIDE's rules.

    That includes starting Python and reading the file.
    """
    words = f"-P -m gacrux.pairingchecker -i - -b ascii -F JSON -p -n {ROUNDS + 1} -m dutch".split()
    command = [sys.executable, *words]
    took, done = timed(
        lambda: subprocess.run(command, input=trf.encode(), capture_output=True, check=False),
        time.perf_counter,
    )
    return float("nan") if done.returncode or b'"pairs"' not in done.stdout else took


def field_row(players: int, *, peers: bool) -> list[object]:
    """Measure one size; returns the row of the table."""
    runs = RUNS.get(players, 5)
    pairs, proofs, ways, one_field = [], [], [], None
    for run in range(runs):
        one_field = history(players, f"{players}/{run}")
        entrants = one_field.entrants()
        took, made = timed(lambda entrants=entrants, run=run: pair(entrants, Options(), f"bench {run}"))
        pairs.append(took)
        ways.append(made.proof)
        if players <= 100_000:
            proofs.append(timed(lambda entrants=entrants, made=made: prove(entrants, Options(), made))[0])
    assert one_field is not None
    median = statistics.median(pairs)
    matched = networkx_matching(one_field.entrants()) if peers else float("nan")
    chess = gacrux_round(one_field.trf()) if peers else float("nan")
    met = sum(way == "optimal (meets the bound)" for way in ways)
    return [
        players, runs, median, max(pairs), statistics.median(proofs) if proofs else float("nan"),
        PROMISED.get(players, float("nan")), f"{met}/{runs}", matched / median, chess / median,
        1000 * median / players,
    ]  # fmt: skip


def saturated_rounds(players: int) -> Iterator[tuple[float, Pairing]]:
    """Pair a field through n - 2 rounds, every round by the engine."""
    played = Played(players, f"saturated {players}")
    for number in range(players - 2):
        entrants = played.entrants()
        took, made = timed(lambda entrants=entrants, number=number: pair(entrants, Options(), f"{number}"))
        played.book([table.seats for table in made.tables], made.bye)  # type: ignore[misc]
        yield took, made


def club_rounds(members: int, *, hard: bool, players: int = 1000) -> Iterator[tuple[float, Pairing]]:
    """Pair 1,000 players through 9 rounds, with `members` of one club that are kept apart.

    hard: they must not meet
    """
    played = Played(players, f"club {members}")
    club = sorted(played.dice.sample(sorted(played.points), members))
    words = Options(forbidden=frozenset(combinations(map(PlayerId, club), 2)) if hard else frozenset())
    for number in range(ROUNDS):
        entrants = [
            replace(each, tags=("club:Ravens",)) if each.id in set(club) and not hard else each
            for each in played.entrants()
        ]
        options = replace(words, round_number=number + 1)
        took, made = timed(lambda entrants=entrants, options=options: pair(entrants, options, "club"))
        played.book([table.seats for table in made.tables], made.bye)  # type: ignore[misc]
        yield took, made


def main() -> int:
    """Print tables of ordinary fields, saturated fields, and fields with a large club.

    Ordinary fields have 9 earlier rounds. A large club has half of the field.
    """
    reader = argparse.ArgumentParser(prog="scripts/bench pairing", description=__doc__)
    reader.add_argument("--sizes", default="64,200,600,1000,10000,100000,1000000")
    reader.add_argument("--saturated", default="8,16,32,64")
    reader.add_argument("--clubs", default="480,490,499")
    reader.add_argument("--peers-up-to", type=int, default=200)
    given = reader.parse_args()
    pair([Entrant(id=PlayerId(1)), Entrant(id=PlayerId(2))], Options(), "warm")
    tell(
        f"Fields with {ROUNDS} earlier rounds: milliseconds; peers as multiples of our median",
        "players runs median worst prove promised bound_met networkx gacrux µs/player",
        (field_row(size, peers=size <= given.peers_up_to) for size in numbers(given.sizes)),
    )
    tell(
        "\nSaturated fields through n - 2 rounds: milliseconds",
        "players rounds median worst searched rematches",
        map(saturated_row, numbers(given.saturated)),
    )
    tell(
        "\n1,000 players with one club that is kept apart, through 9 rounds: milliseconds",
        "club how median worst searched",
        (club_row(members, how) for members in numbers(given.clubs) for how in ("soft", "hard")),
    )
    return 0


def numbers(words: str) -> list[int]:
    """Read numbers with commas between them; none where there is nothing."""
    return [int(word) for word in words.split(",") if word]


def tell(title: str, heads: str, rows: Iterable[Sequence[object]]) -> None:
    """Print a table, a row as soon as it is measured."""
    print(title)
    print(" ".join(f"{head.replace('_', ' '):>10}" for head in heads.split()))
    for row in rows:
        cells = (f"{cell:>10.1f}" if isinstance(cell, float) else f"{cell:>10}" for cell in row)
        print(" ".join(cells), flush=True)


def saturated_row(size: int) -> Sequence[object]:
    """Measure a saturated field."""
    times, made = zip(*saturated_rounds(size), strict=True)
    rematches = sum(each.cost.rematches > 0 for each in made)
    return size, len(times), statistics.median(times), max(times), searched(made), rematches


def club_row(members: int, how: str) -> Sequence[object]:
    """Measure a field with a club of so many, kept apart by a wish (soft) or a rule (hard)."""
    times, made = zip(*club_rounds(members, hard=how == "hard"), strict=True)
    return members, how, statistics.median(times), max(times), searched(made)


def searched(made: Iterable[Pairing]) -> int:
    """Count the rounds that only a search could prove."""
    return sum(each.proof == "optimal (proved by search)" for each in made)


if __name__ == "__main__":
    sys.exit(main())
