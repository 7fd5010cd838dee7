"""Round robin: all players meet once or twice, by Berger's tables.

    plan = schedule(players, double=False, seed="the seed of round 1")
    pairing = plan.round(3, gone={…}, first_table=1)
    findings = plan.check(3, tables)
    facts = plan.why(3, (one, other)); facts = plan.why_not(one, other)

Source: the Berger tables of the FIDE Handbook (C.05, annex 1) for rounds and sides. Seat 1 has the first
side. A player has each side equally often; in an even field the numbers differ by one. In a single schedule,
players have the same side twice in a row as rarely as possible. In an even field that happens n - 2 times in
all for n players, and in an odd field never.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.facts import Fact, Names, NotInSchedule, ShouldMeet
from tourney.pairing.manual import differing
from tourney.pairing.pairing import Pairing, number_of, shuffled
from tourney.record import NOBODY, NameOf, PlayerId, Table
from tourney.wording import listed

METHOD = "Berger tables"
"""The `Pairing.method` of round robins."""

Round = tuple[tuple[PlayerId, PlayerId], ...]
"""The pairs of a round in order of table.

In each pair, the player with the first side comes first.
"""

Rounds = list[list[tuple[int, int]]]
"""The pairs of every round, as numbers in Berger's tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A whole round robin.

    players: the players in order of their numbers in the tables
    rounds:  the pairs of each round
    rests:   the player without an opponent in each round (None in an even field)
    """

    players: tuple[PlayerId, ...]
    rounds: tuple[Round, ...]
    rests: tuple[PlayerId | None, ...]
    seed: str = ""

    def round(self, number: int, *, gone: Collection[PlayerId] = (), first_table: int = 1) -> Pairing:
        """Return round `number`, from 1.

        `Pairing.byes` has the player who rests and the opponents of the players in `gone`. By the rules a
        rest is not a bye: every player rests equally often. Raises TourneyError for a round that the schedule
        does not have.
        """
        self._refuse_round(number)
        pairs = [pair for pair in self.rounds[number - 1] if not set(pair) & set(gone)]
        tables = tuple(Table(table, pair) for table, pair in enumerate(pairs, first_table))
        seated = {player for pair in pairs for player in pair}
        resting = tuple(player for player in self.players if player not in seated and player not in gone)
        return Pairing(
            tables=tables, byes=resting, proof=f"as the {METHOD} have it", seed=self.seed, method=METHOD
        )

    def check(self, number: int, tables: Sequence[Table], *, name: NameOf = number_of) -> list[Finding]:
        """Return a finding for each table whose opponents or sides differ from the schedule.

        Raises TourneyError for a round that the schedule does not have.
        """
        self._refuse_round(number)
        findings = []
        for table, due in differing(tables, self.rounds[number - 1]):
            turned = set(due) == set(table.seats)
            should = " – ".join(map(name, due)) or f"{name(table.seats[0])} rests"
            findings.append(
                Finding(
                    rule="sides" if turned else "schedule",
                    severity=Severity.ADVICE if turned else Severity.ERROR,
                    message=f"round {number}, table {table.number}: {' – '.join(map(name, table.seats))}; "
                    f"by the schedule {should}",
                    subjects=tuple(map(name, table.seats)),
                )
            )
        return findings

    def why(self, number: int, seats: Sequence[PlayerId]) -> tuple[Fact, ...]:
        """Return why two players meet in round `number`, or why one player has no opponent.

        If the schedule says otherwise, the facts name the opponents by the schedule.
        """
        self._refuse_round(number)
        due = {player: pair for pair in self.rounds[number - 1] for player in pair}
        numbers = {player: place for place, player in enumerate(self.players, 1)}
        one = seats[0]
        facts: list[Fact] = []
        if len(seats) == 2 and set(due.get(one, ())) == set(seats):
            (first, second), count = due[one], len(self.players)
            again = number if number > self._once else None
            berger = self._berger_round(number)
            facts.append(InSchedule((first, second), count, berger, (numbers[first], numbers[second]), again))
        elif len(seats) == 1 and self.rests[number - 1] == one:
            facts.append(RestsInSchedule((one,), len(self.players), self._berger_round(number), numbers[one]))
        else:
            for player in seats:
                if player not in numbers:
                    facts.append(NotInSchedule((player,)))
                elif player in due:
                    other = next(opponent for opponent in due[player] if opponent != player)
                    facts.append((OpponentGone if len(seats) == 1 else ShouldMeet)((player, other)))
                else:
                    facts.append(ShouldMeet((player,)))
        return (*facts, NumbersDrawn(tuple(seats))) if self.seed else tuple(facts)

    @property
    def _once(self) -> int:
        """The number of rounds before players meet again."""
        return _rounds(len(self.players))

    def _berger_round(self, number: int) -> int:
        """Return the round of the Berger tables with the same pairs as a round, whatever the sides."""
        if number <= self._once:
            return number
        pairs = {frozenset(pair) for pair in self.rounds[number - 1]}
        return next(
            n
            for n in range(1, self._once + 1)
            if {frozenset(round_) for round_ in self.rounds[n - 1]} == pairs
        )

    def why_not(self, one: PlayerId, other: PlayerId) -> tuple[Fact, ...]:
        """Return the rounds in which two players meet by the schedule.

        If `other` is `NOBODY`, return the rounds in which `one` rests.
        """
        strangers = tuple(
            player for player in (one, other) if player != NOBODY and player not in self.players
        )
        if strangers:
            return (NotInSchedule(strangers),)
        if other == NOBODY:
            rests = tuple(number for number, player in enumerate(self.rests, 1) if player == one)
            if not rests:
                return (NobodyRests((one,), len(self.players)),)
            return (MeetInRounds((one,), rests),)
        meet = tuple(n for n, pairs in enumerate(self.rounds, 1) if {one, other} in map(set, pairs))
        return (MeetInRounds((one, other), meet),)

    def _refuse_round(self, number: int) -> None:
        if not 1 <= number <= len(self.rounds):
            raise TourneyError(
                f"a round robin of {len(self.players)} players has rounds 1 to {len(self.rounds)}, "
                f"not {number}",
                "play it twice (double), or close the event" if number > len(self.rounds) else None,
            )


def schedule(players: Sequence[PlayerId], *, double: bool = False, seed: str | None = None) -> Schedule:
    """Return the schedule of a round robin.

    players: the players in order of their numbers in the tables, unless a seed draws the numbers
    double:  whether all players meet twice. The second half has changed sides, and its rounds are ordered so
             that sides rarely repeat. With three or more players, no two players meet twice in a row.

    Raises TourneyError for fewer than two players, or if a player is named twice.
    """
    if len(players) < 2:
        raise TourneyError(f"a round robin needs at least two players, not {len(players)}")
    if len(set(players)) < len(players):
        twice = next(player for place, player in enumerate(players) if player in players[:place])
        raise TourneyError(f"player #{twice} is entered twice for the round robin")
    numbered = tuple(players) if seed is None else tuple(shuffled(seed, "berger", players))
    rounds = [_berger_round(len(players), number) for number in range(1, _rounds(len(players)) + 1)]
    if double:
        rounds += _second_half(rounds, len(players))
    return _named(numbered, rounds, seed or "")


def _rounds(players: int) -> int:
    return players - 1 + players % 2


def _berger_round(players: int, number: int) -> list[tuple[int, int]]:
    """Return the pairs of a round as numbers 1 to n, with n even.

    In an odd field, the opponent of n rests. The opponent of n is the x with 2x = number + 1 modulo n - 1.
    The two numbers of every other pair also add up to number + 1 modulo n - 1. If their sum is odd, the lower
    number has the first side, otherwise the higher number. Against n, a number in the lower half has the
    first side.
    """
    last = players + players % 2
    cycle = last - 1
    against_last = next(x for x in range(1, last) if (2 * x - number - 1) % cycle == 0)
    pairs = [(against_last, last) if 2 * against_last <= last else (last, against_last)]
    for step in range(1, last // 2):
        one = (against_last - 1 + step) % cycle + 1
        other = (against_last - 1 - step) % cycle + 1
        low, high = min(one, other), max(one, other)
        pairs.append((low, high) if (low + high) % 2 else (high, low))
    return pairs


def _second_half(first: Rounds, players: int) -> Rounds:
    """Return the first half with changed sides, in the order that repeats sides least often.

    In odd fields this is rounds 2, 3 … n, 1 (one repeat), and in even fields rounds n - 3, n - 4 … 1, n - 1,
    n - 2 (2n - 2 repeats). For every field of 3 to 25 players, this was the best of all rotations of the
    rounds, forwards, backwards and with the last two rounds exchanged.
    """
    turned = [[(second, one) for one, second in pairs] for pairs in first]
    if players % 2:
        return turned[1:] + turned[:1]
    return turned[-3::-1] + turned[:-3:-1]


def _named(players: tuple[PlayerId, ...], rounds: Rounds, seed: str) -> Schedule:
    count = len(players)
    played = [[pair for pair in pairs if max(pair) <= count] for pairs in rounds]
    rests = [next((min(pair) for pair in pairs if max(pair) > count), None) for pairs in rounds]
    return Schedule(
        players=players,
        rounds=tuple(
            tuple((players[one - 1], players[other - 1]) for one, other in pairs) for pairs in played
        ),
        rests=tuple(None if rest is None else players[rest - 1] for rest in rests),
        seed=seed,
    )


# -- facts of round robins


class InSchedule(Fact, frozen=True):
    """In this round of the Berger tables for `count` players, the players' two numbers meet.

    again: the round of the event that repeats that round with the sides changed; None in the first half
    """

    what = "schedule"
    count: int
    berger_round: int
    berger_numbers: tuple[int, int]
    again: int | None = None

    def text(self, names: Names) -> str:
        """Return a sentence with the round of the Berger tables and the two numbers."""
        (one, other), (low, high) = map(names.player, self.players), self.berger_numbers
        repeats = (
            f"round {self.again} repeats round {self.berger_round} with changed sides: " if self.again else ""
        )
        return (
            f"{repeats}in round {self.berger_round} of the Berger tables for {self.count} players "
            f"number {low} meets number {high}, and {one} is {low}, {other} is {high}"
        )

    @property
    def numbers(self) -> Mapping[str, int]:
        """The round of the Berger tables, and the two players' numbers in these tables."""
        one, other = self.berger_numbers
        return {"berger_round": self.berger_round, "one": one, "other": other}


class RestsInSchedule(Fact, frozen=True):
    """In this round of the Berger tables for an odd field, the player's number has no opponent."""

    what = "schedule"
    count: int
    berger_round: int
    berger_number: int

    def text(self, names: Names) -> str:
        """Return a sentence with the round of the Berger tables and the number."""
        number, player = self.berger_number, names.player(self.players[0])
        odd = f"{self.count} players are an odd number: in round {self.berger_round} of the Berger tables"
        return f"{odd} number {number} rests, and that is {player}"

    @property
    def numbers(self) -> Mapping[str, int]:
        """The round of the Berger tables, and the player's number in these tables."""
        return {"berger_round": self.berger_round, "one": self.berger_number}


class NumbersDrawn(Fact, frozen=True):
    """The players' numbers in the Berger tables were drawn by the seed of round 1."""

    what = "seed"
    sentence = "the players' numbers were drawn by the seed of round 1, for the whole event"


class OpponentGone(Fact, frozen=True):
    """By the schedule, the first player meets the second now, but the second has left."""

    what = "gone"
    sentence = "by the schedule {0} meets {1} in this round, but {1} is not in it"


class MeetInRounds(Fact, frozen=True):
    """By the schedule, the two players meet in these rounds, or the only player rests in them."""

    what = "schedule"
    rounds: tuple[int, ...]

    def text(self, names: Names) -> str:
        """Return a sentence with the rounds."""
        rounds = f"{'round' if len(self.rounds) == 1 else 'rounds'} {listed(self.rounds)}"
        does = f"{names.player(self.players[0])} rests" if len(self.players) == 1 else "they meet"
        return f"by the schedule {does} in {rounds}"


class NobodyRests(Fact, frozen=True):
    """The schedule has `count` players, an even number, so no player rests."""

    what = "impossible"
    sentence = "the schedule has {count} players, an even number: no player rests"
    count: int
