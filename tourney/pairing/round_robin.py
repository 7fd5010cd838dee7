"""Round robin: everybody meets everybody, once or twice, by Berger's tables.

    plan = schedule(players, double=False, seed="the seed of round 1")
    pairing = plan.round(3, gone={…}, first_table=1)
    findings = plan.check(3, tables)
    facts = plan.why(3, (one, other)); facts = plan.why_not(one, other)

Source: the Berger tables of the FIDE Handbook (C.05, annex 1) for the rounds and the sides: seat 1 has the first side.
Nobody has the first side more than once more than the second, but for the odd game of an even field, and the number of
times that anybody has the same side twice running is the least there is for a single schedule (players - 2; 0 if odd).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.facts import Fact, Names, NotInSchedule, ShouldMeet
from tourney.pairing.pairing import Pairing, number_of, shuffled
from tourney.record import NOBODY, NameOf, PlayerId, Table
from tourney.wording import listed

METHOD = "Berger tables"
"""What `Pairing.method` says of its rounds."""

Round = tuple[tuple[PlayerId, PlayerId], ...]
"""The pairs of a round in order of table, the first side first."""

Rounds = list[list[tuple[int, int]]]
"""The same of every round, before the numbers in Berger's tables are given to players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A whole round robin.

    players: in order of their numbers in the tables
    rounds:  the pairs of each round in order of table, the first side first
    rests:   who has no opponent in each round (None in an even field)
    """

    players: tuple[PlayerId, ...]
    rounds: tuple[Round, ...]
    rests: tuple[PlayerId | None, ...]
    seed: str = ""

    def round(self, number: int, *, gone: Collection[PlayerId] = (), first_table: int = 1) -> Pairing:
        """Return round `number`, from 1. Who rests, or was to meet one of those `gone`, is among `byes`.

        A rest is no bye by the rules: everybody has as many. Raises TourneyError for a round the schedule does not have.
        """
        self._refuse_round(number)
        here = [pair for pair in self.rounds[number - 1] if not set(pair) & set(gone)]
        tables = tuple(Table(table, pair) for table, pair in enumerate(here, first_table))
        seated = {player for pair in here for player in pair}
        resting = tuple(player for player in self.players if player not in seated and player not in gone)
        return Pairing(
            tables=tables, byes=resting, proof=f"as the {METHOD} have it", seed=self.seed, method=METHOD
        )

    def check(self, number: int, tables: Sequence[Table], *, name: NameOf = number_of) -> list[Finding]:
        """Return where the tables of a round are not the schedule's: wrong opponents, or the sides turned.

        Raises TourneyError for a round the schedule does not have.
        """
        self._refuse_round(number)
        due = {player: pair for pair in self.rounds[number - 1] for player in pair}
        findings: list[Finding] = []
        for table in tables:
            expected = due.get(table.seats[0])
            if expected == table.seats:
                continue
            turned = expected is not None and set(expected) == set(table.seats)
            should = " – ".join(map(name, expected)) if expected else f"{name(table.seats[0])} rests"
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
        """Return why these players sit together in round `number`, or why one alone has no opponent: by the schedule.

        Where they would not by the schedule, the facts say whom each should meet.
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
        """How many rounds there are before anybody meets again."""
        return _rounds(len(self.players))

    def _berger_round(self, number: int) -> int:
        """Return which round of the Berger tables a round plays: in the second half the one it turns."""
        if number <= self._once:
            return number
        here = {frozenset(pair) for pair in self.rounds[number - 1]}
        return next(
            n for n in range(1, self._once + 1) if {frozenset(each) for each in self.rounds[n - 1]} == here
        )

    def why_not(self, one: PlayerId, other: PlayerId) -> tuple[Fact, ...]:
        """Return when the two meet by the schedule, or when `one` rests (`other` = `NOBODY`)."""
        strangers = tuple(each for each in (one, other) if each != NOBODY and each not in self.players)
        if strangers:
            return (NotInSchedule(strangers),)
        if other == NOBODY:
            rests = tuple(n for n, each in enumerate(self.rests, 1) if each == one)
            if not rests:
                return (NobodyRests((one,), len(self.players)),)
            return (MeetInRounds((one,), rests),)
        meet = tuple(n for n, pairs in enumerate(self.rounds, 1) if {one, other} in map(set, pairs))
        return (MeetInRounds((one, other), meet),)

    def _refuse_round(self, number: int) -> None:
        if not 1 <= number <= len(self.rounds):
            raise TourneyError(
                f"a round robin of {len(self.players)} players has rounds 1 to {len(self.rounds)}, not {number}",
                "play it twice (double), or close the event" if number > len(self.rounds) else None,
            )


def schedule(players: Sequence[PlayerId], *, double: bool = False, seed: str | None = None) -> Schedule:
    """Return the schedule of a round robin.

    players: their order gives the numbers in the tables where `seed` is None; else the numbers are drawn
    double:  everybody meets everybody twice, the second time with the sides turned, its rounds in the order that has the
             fewest side streaks of those tried; from three players on nobody meets the same opponent twice running

    Raises TourneyError for fewer than two players and for one who is named twice.
    """
    if len(players) < 2:
        raise TourneyError(f"a round robin needs two players at least, not {len(players)}")
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
    """Return a round by numbers 1 to n, n even; in an odd field n is nobody.

    Who plays n is the x with 2x = number + 1 modulo n - 1; the others' numbers add up to that too. The lower number has
    the first side where the sum is odd, else the higher; against n, who is in the lower half has it.
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
    """Return the same rounds with sides turned, in the order with the fewest side streaks over both halves.

    Of all rotations, forwards, backwards and with the last two rounds changed over, these were found best for every
    field of 3 to 25: odd, rounds 2, 3 … n, 1 (one repeat); even, rounds n - 3, n - 4 … 1, n - 1, n - 2 (2n - 2 repeats).
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

    again: the round of the event that repeats it with the sides changed; None in the first half
    """

    what = "schedule"
    count: int
    berger_round: int
    berger_numbers: tuple[int, int]
    again: int | None = None

    def text(self, names: Names) -> str:
        """Return the round of the tables, and the two numbers."""
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
        """The round of the tables, and the two numbers."""
        one, other = self.berger_numbers
        return {"berger_round": self.berger_round, "one": one, "other": other}


class RestsInSchedule(Fact, frozen=True):
    """The number of players is odd, and in this round of the Berger tables the player's number has no opponent."""

    what = "schedule"
    numbered: ClassVar[Mapping[str, str]] = {"berger_round": "berger_round", "one": "berger_number"}
    count: int
    berger_round: int
    berger_number: int

    def text(self, names: Names) -> str:
        """Return the round of the tables, and the number."""
        return (
            f"{self.count} players are an odd number: in round {self.berger_round} of the Berger tables "
            f"number {self.berger_number} rests, and that is {names.player(self.players[0])}"
        )


class NumbersDrawn(Fact, frozen=True):
    """The players' numbers in the Berger tables were drawn by the seed of round 1."""

    what = "seed"
    sentence = "the players' numbers were drawn by the seed of round 1, for the whole event"


class OpponentGone(Fact, frozen=True):
    """By the schedule, the first player meets the second in this round, but the second has left."""

    what = "gone"

    def text(self, names: Names) -> str:
        """Return the two players."""
        one, other = map(names.player, self.players)
        return f"by the schedule {one} meets {other} in this round, who is not in it"


class MeetInRounds(Fact, frozen=True):
    """By the schedule, the two players meet in these rounds. One player: rests in these rounds."""

    what = "schedule"
    rounds: tuple[int, ...]

    def text(self, names: Names) -> str:
        """Return the rounds."""
        rounds = f"{'round' if len(self.rounds) == 1 else 'rounds'} {listed(self.rounds)}"
        does = f"{names.player(self.players[0])} rests" if len(self.players) == 1 else "they meet"
        return f"by the schedule {does} in {rounds}"


class NobodyRests(Fact, frozen=True):
    """The schedule is of `count` players, an even number."""

    what = "impossible"
    count: int

    def text(self, names: Names) -> str:
        """Return the number of players."""
        return f"the schedule is of {self.count} players, an even number: no player rests"
