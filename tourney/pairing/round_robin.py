"""Round robin: all players meet once or twice, by Berger's tables.

    plan = schedule(players, double=False, seed="the seed of round 1")
    pairing = plan.round(3, absent_players={…}, first_table=1)
    findings = plan.check(3, tables)
    facts = plan.why(3, (one, other)); facts = plan.why_not(one, other)

Source: the Berger tables of the FIDE Handbook (C.05, annex 1) for rounds and sides. Seat 1 has the first
side. With an odd number of players, each player has each side equally often; with an even number, the two
counts of a player differ by one. If all players meet once, players have the same side twice in a row as
rarely as possible: for an even number n of players n - 2 times in all, for an odd number never.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.facts import NO_NAMES, Fact, Names, fact, not_in_schedule, scheduled_opponent
from tourney.pairing.manual import compare_tables
from tourney.pairing.pairing import Pairing, number_of, shuffle
from tourney.record import NOBODY, NameOf, PlayerId, Table
from tourney.wording import listed

METHOD = "Berger tables"
"""The `Pairing.method` of round robins."""

Round = tuple[tuple[PlayerId, PlayerId], ...]
"""The pairs of a round in order of their tables.

In each pair, the player with the first side comes first.
"""

Rounds = list[list[tuple[int, int]]]
"""The pairs of every round, as numbers in Berger's tables."""


class Schedule(Struct, frozen=True, kw_only=True):
    """A whole round robin.

    players: the players in order of their numbers in the Berger tables
    rounds:  the pairs of each round
    rests:   the player without an opponent in each round; None if the number of players is even
    seed:    the seed that drew the players' numbers; empty if no seed drew them
    """

    players: tuple[PlayerId, ...]
    rounds: tuple[Round, ...]
    rests: tuple[PlayerId | None, ...]
    seed: str = ""

    def round(
        self, number: int, *, absent_players: Collection[PlayerId] = (), first_table: int = 1
    ) -> Pairing:
        """Return round `number`, from 1.

        `Pairing.byes` has the player who rests, and the opponents of players who are gone. By the rules a
        rest is not a bye: every player rests equally often. Raises TourneyError for a round that the schedule
        does not have.

        absent_players: players who no longer play
        """
        self._refuse_round(number)
        pairs = [pair for pair in self.rounds[number - 1] if not set(pair) & set(absent_players)]
        tables = tuple(Table(table, pair) for table, pair in enumerate(pairs, first_table))
        paired_players = {player for pair in pairs for player in pair}
        resting_players = tuple(
            player for player in self.players if player not in paired_players and player not in absent_players
        )
        proof = f"as the {METHOD} have it"
        return Pairing(tables=tables, byes=resting_players, proof=proof, seed=self.seed, method=METHOD)

    def check(self, number: int, tables: Sequence[Table], *, name: NameOf = number_of) -> list[Finding]:
        """Return a finding for each table whose opponents or sides differ from the schedule.

        Raises TourneyError for a round that the schedule does not have.
        """
        self._refuse_round(number)
        return compare_tables(
            tables, self.rounds[number - 1], rule="schedule", source="schedule", no_table_text="rests",
            prefix=f"round {number}, ", sides_severity=Severity.ADVICE, name=name,
        )  # fmt: skip

    def why(self, number: int, seats: Sequence[PlayerId], *, names: Names = NO_NAMES) -> tuple[Fact, ...]:
        """Return why two players meet in round `number`, or why one player has no opponent.

        If the schedule says otherwise, the facts say whom these players should meet in this round, if anyone.

        seats: the two players, or the player without an opponent
        """
        self._refuse_round(number)
        pairs_by_player = {player: pair for pair in self.rounds[number - 1] for player in pair}
        one = seats[0]
        if len(seats) == 2 and set(pairs_by_player.get(one, ())) == set(seats):
            facts = [self._meeting_fact(number, pairs_by_player[one], names)]
        elif len(seats) == 1 and self.rests[number - 1] == one:
            facts = [self._rest_fact(number, one, names)]
        else:
            facts = [
                self._scheduled_fact(player, pairs_by_player, names, has_no_table=len(seats) == 1)
                for player in seats
            ]
        if self.seed:
            text = "the players' numbers were drawn by the seed of round 1, for the whole event"
            facts.append(fact("seed", seats, text))
        return tuple(facts)

    def _meeting_fact(self, number: int, pair: tuple[PlayerId, PlayerId], names: Names) -> Fact:
        """Return the fact that this round of the Berger tables pairs the two players' numbers.

        In the second half of a double round robin, the fact also states which round is repeated with changed
        sides.
        """
        berger, repeat_number = self._berger_round(number), number if number > self._single_rounds else None
        low, high = (self.players.index(player) + 1 for player in pair)
        one, other = map(names.player, pair)
        prefix = f"round {repeat_number} repeats round {berger} with changed sides: " if repeat_number else ""
        text = (
            f"{prefix}in round {berger} of the Berger tables for {len(self.players)} players "
            f"number {low} meets number {high}, and {one} is {low}, {other} is {high}"
        )
        numbers = {"berger_round": berger, "one": low, "other": high}
        return fact(
            "schedule", pair, text, numbers,
            count=len(self.players), berger_round=berger, berger_numbers=(low, high), again=repeat_number,
        )  # fmt: skip

    def _rest_fact(self, number: int, player: PlayerId, names: Names) -> Fact:
        """Return the fact that the player has no opponent in this round of the Berger tables."""
        count, berger = len(self.players), self._berger_round(number)
        own_number = self.players.index(player) + 1
        prefix = f"{count} players are an odd number: in round {berger} of the Berger tables"
        text = f"{prefix} number {own_number} rests, and that is {names.player(player)}"
        numbers = {"berger_round": berger, "one": own_number}
        return fact(
            "schedule", (player,), text, numbers, count=count, berger_round=berger, berger_number=own_number
        )

    def _scheduled_fact(
        self,
        player: PlayerId,
        pairs_by_player: Mapping[PlayerId, tuple[PlayerId, PlayerId]],
        names: Names,
        *,
        has_no_table: bool,
    ) -> Fact:
        """Return the fact that says whom the player meets in this round by the schedule, if anyone.

        pairs_by_player: player → the scheduled pair of this player; players without a scheduled opponent are
                         missing
        has_no_table:    whether the player has no table in this round. If the player has a scheduled
                         opponent, the fact then says that this opponent is not in the round
        """
        if player not in self.players:
            return not_in_schedule(names, (player,), "schedule")
        opponents = tuple(other for other in pairs_by_player.get(player, ()) if other != player)
        if not opponents or not has_no_table:
            return scheduled_opponent(names, (player, *opponents), "schedule")
        one, other = names.player(player), names.player(opponents[0])
        text = f"by the schedule {one} meets {other} in this round, but {other} is not in it"
        return fact("gone", (player, *opponents), text)

    @property
    def _single_rounds(self) -> int:
        """The number of rounds that it takes for all players to meet each other once."""
        return _count_rounds(len(self.players))

    def _berger_round(self, number: int) -> int:
        """Return which round of the Berger tables has the same pairs as a round of this schedule.

        Some rounds of a double round robin have the pairs of an earlier round with other sides.

        number: the number of the round in this schedule, from 1
        """
        if number <= self._single_rounds:
            return number
        pairs = {frozenset(pair) for pair in self.rounds[number - 1]}
        return next(
            n
            for n in range(1, self._single_rounds + 1)
            if {frozenset(pair) for pair in self.rounds[n - 1]} == pairs
        )

    def why_not(self, one: PlayerId, other: PlayerId, *, names: Names = NO_NAMES) -> tuple[Fact, ...]:
        """Return a fact that names the rounds in which two players meet by the schedule.

        If `other` is `NOBODY`, it names the rounds in which `one` has no opponent. If a player is not in the
        schedule, or every player always has an opponent, the fact says so instead.
        """
        players = tuple(player for player in (one, other) if player != NOBODY)
        if strangers := [player for player in players if player not in self.players]:
            return (not_in_schedule(names, strangers, "schedule"),)
        count = len(self.players)
        if other == NOBODY and count % 2 == 0:
            text = f"the schedule has {count} players, an even number: no player rests"
            return (fact("impossible", players, text, count=count),)
        rounds = tuple(
            number
            for number, (pairs, resting_player) in enumerate(zip(self.rounds, self.rests, strict=True), 1)
            if (resting_player == one if other == NOBODY else {one, other} in map(set, pairs))
        )
        rounds_text = f"{'round' if len(rounds) == 1 else 'rounds'} {listed(rounds)}"
        clause = f"{names.player(one)} rests" if other == NOBODY else "they meet"
        return (fact("schedule", players, f"by the schedule {clause} in {rounds_text}", rounds=rounds),)

    def _refuse_round(self, number: int) -> None:
        if not 1 <= number <= len(self.rounds):
            raise TourneyError(
                f"a round robin of {len(self.players)} players has rounds 1 to {len(self.rounds)}, "
                f"not {number}",
                "play it twice (double), or close the event" if number > len(self.rounds) else None,
            )


def schedule(players: Sequence[PlayerId], *, double: bool = False, seed: str | None = None) -> Schedule:
    """Return the schedule of a round robin.

    players: the players in order of their numbers in the Berger tables, unless a seed draws the numbers
    double:  whether all players meet twice. In the second half, the players of each pair exchange sides, and
             the rounds are ordered so that sides rarely repeat. With three or more players, no two players
             meet twice in a row.
    seed:    the seed that draws the players' numbers, or None

    Raises TourneyError for fewer than two players, or if a player is named twice.
    """
    if len(players) < 2:
        raise TourneyError(f"a round robin needs at least two players, not {len(players)}")
    if len(set(players)) < len(players):
        duplicate = next(player for place, player in enumerate(players) if player in players[:place])
        raise TourneyError(f"player #{duplicate} is entered twice for the round robin")
    player_order = tuple(players) if seed is None else tuple(shuffle(seed, "berger", players))
    rounds = [_berger_round(len(players), number) for number in range(1, _count_rounds(len(players)) + 1)]
    if double:
        rounds += _second_half(rounds, len(players))
    return _name_players(player_order, rounds, seed or "")


def _count_rounds(players: int) -> int:
    return players - 1 + players % 2


def _berger_round(players: int, number: int) -> list[tuple[int, int]]:
    """Return the pairs of a round in Berger's tables. The first of each pair has the first side.

    r is the number of the round. n is the number of players, rounded up to an even number. If it was rounded
    up, no player has the number n, and the opponent of n rests.

    * The opponent of n is the x with 2x = r + 1 modulo n - 1. It has the first side if x is at most n / 2.
    * The two numbers of every other pair add up to r + 1 modulo n - 1. If their sum is odd, the lower number
      has the first side, otherwise the higher number.
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
    """Return the rounds of the first half with changed sides, ordered to repeat sides rarely.

    For an odd number of players n, the order is 2, 3 … n, 1 (one repeat); for an even number, it is n - 3,
    n - 4 … 1, n - 1, n - 2 (2n - 2 repeats). For 3 to 25 players, this order was compared with all rotations
    of the rounds, forwards, backwards and with the last two rounds exchanged. None of them has fewer repeats.
    """
    turned_rounds = [[(other, one) for one, other in pairs] for pairs in first]
    if players % 2:
        return turned_rounds[1:] + turned_rounds[:1]
    return turned_rounds[-3::-1] + turned_rounds[:-3:-1]


def _name_players(players: tuple[PlayerId, ...], rounds: Rounds, seed: str) -> Schedule:
    count = len(players)
    rounds_of_pairs = [[pair for pair in pairs if max(pair) <= count] for pairs in rounds]
    resting_numbers = [next((min(pair) for pair in pairs if max(pair) > count), None) for pairs in rounds]
    return Schedule(
        players=players,
        rounds=tuple(
            tuple((players[one - 1], players[other - 1]) for one, other in pairs) for pairs in rounds_of_pairs
        ),
        rests=tuple(
            None if resting_number is None else players[resting_number - 1]
            for resting_number in resting_numbers
        ),
        seed=seed,
    )
