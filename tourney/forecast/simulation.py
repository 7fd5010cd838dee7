"""Estimated chances of the cut: the rest of an event is played many times.

A *position* is the event from which every *run* starts. A run plays the rest of the event with the event's
own pairing and ranking, and with random results of tables (`Chances`). The chances are estimates, not proofs.
The random numbers of a run depend only on the seed and the number of the run. Therefore the counts are the
same in any order and with any number of workers. If two positions are compared, a table of the same players
in the same round of the same run has the same result in both.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate, combinations

from msgspec import Struct, field
from msgspec.structs import replace

from tourney.decode import MAX_ROUNDS
from tourney.errors import TourneyError
from tourney.forecast.shares import Counts, Ends, FinalRecord, Source
from tourney.pairing import Entrant, Mode, Options, Pairing
from tourney.pairing.pairers import Pairer, Seeds, SwissPairer
from tourney.pairing.pairing import NoRoundError, draw, entrant_after
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table, games_needed
from tourney.standings.profile import Profile
from tourney.standings.ranking import find_qualifiers, rank
from tourney.standings.scorecards import Scorecards

# -- The rounds to come, and the position of the event


_SWISS = SwissPairer()


class Coming(Struct, frozen=True, kw_only=True):
    """A round that is still to be paired.

    options:      the options of the pairing
    byes:         the players who are not paired, and the outcome that each of them gets
    tags:         for each player, the groups whose members are kept apart if possible (`club:Ravens`)
    fixed_tables: the players with a fixed table, and its number
    pairer:       the function that pairs the round by the event's system
    """

    options: Options
    byes: Mapping[PlayerId, Outcome] = field(default_factory=dict)
    tags: Mapping[PlayerId, tuple[str, ...]] = field(default_factory=dict)
    fixed_tables: Mapping[PlayerId, int] = field(default_factory=dict)
    pairer: Pairer = _SWISS


def coming_rounds(first: int, last: int, *, options: Options | None = None) -> tuple[Coming, ...]:
    """Return the rounds from `first` to `last`, all with the same options.

    The result is empty if `last` is smaller than `first`.

    Raises TourneyError for more rounds than an event can have.
    """
    refuse_too_many(last)
    options = options or Options()
    return tuple(Coming(options=replace(options, round_number=number)) for number in range(first, last + 1))


def refuse_too_many(rounds: int) -> None:
    """Raise TourneyError for more rounds than an event can have."""
    if rounds > MAX_ROUNDS:
        raise TourneyError(f"{rounds:,} rounds are too many: an event can have {MAX_ROUNDS}")


class Position(Struct, frozen=True, kw_only=True):
    """The state of an event from which the simulated runs start.

    record:          the rounds paired so far; every run draws results for open tables
    cut:             the number of players who make the cut
    late_drops:      players who left, besides those in the record; they are not paired and take no place in
                     the cut
    coming:          the rounds still to be paired, in order
    rounds_to_count: the numbers of rounds after which each run is also ranked and counted, as if the event
                     ended with that round
    """

    record: Record
    profile: Profile
    cut: int
    late_drops: frozenset[PlayerId] = frozenset()
    coming: tuple[Coming, ...] = ()
    rounds_to_count: frozenset[int] = frozenset()


# -- The results of tables


class Chances(Struct, frozen=True, kw_only=True):
    """The Bradley–Terry model, which generates random results.

    strengths:    player → logarithm of the strength; 0 for players without an entry. If a match is not drawn,
                  a player's chance to win it is the player's strength divided by the sum of both strengths.
                  At a larger table, the first place is chosen in this way among all players, then each
                  further place among the remaining players
    source:       the source of the strengths
    draws:        the share of tables that end drawn, 0 to 1
    best_of:      the most games in a match
    winner_games: the games that the winner of a table of three or more is credited with
    scores:       the possible scores of matches with a winner (the winner's score first), and of drawn
                  matches; both are empty if matches have no scores
    """

    strengths: Mapping[PlayerId, float] = field(default_factory=dict)
    source: Source = "equal"
    draws: float = 0.0
    best_of: int = 3
    winner_games: int = 0
    scores: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]] = ((), ())

    def win_chance(self, one: PlayerId, other: PlayerId) -> float:
        """Return the chance that `one` wins a match against `other`, if it is not drawn."""
        gap = self.strengths.get(other, 0.0) - self.strengths.get(one, 0.0)
        return 1 / (1 + math.exp(max(-_FAR, min(_FAR, gap))))

    def result(self, seats: tuple[PlayerId, ...], luck: Luck) -> Result:
        """Return a random result for a table."""
        is_draw = luck.below(_WHOLE) < round(self.draws * _WHOLE)
        if len(seats) > 2:
            return self._result_of_many(seats, luck, is_draw=is_draw)
        games_to_win = games_needed(self.best_of)
        if is_draw:
            even = Outcome.DRAW, 1, self.best_of // 2
            return _match(seats, (even, even), self._score(1, luck), self.best_of % 2)
        chance = self.win_chance(seats[0], seats[1])
        first = luck.below(_WHOLE) < round(chance * _WHOLE)
        losses = bisect(
            _games_lost(games_to_win, self.best_of, round(chance if first else 1 - chance, 3)),
            luck.below(_WHOLE),
        )
        sides = (Outcome.WIN, 1, games_to_win), (Outcome.LOSS, 2, losses)
        score = self._score(0, luck)
        return _match(seats, sides, score, 0) if first else _match(seats, sides[::-1], score[::-1], 0)

    def _score(self, is_draw: int, luck: Luck) -> tuple[int | None, int | None]:
        scores = self.scores[is_draw]
        return scores[luck.below(len(scores))] if scores else (None, None)

    def _result_of_many(self, seats: Sequence[PlayerId], luck: Luck, *, is_draw: bool) -> Result:
        """Return a random result for a table of three or more players.

        If `is_draw` is true, all players share the first place.
        """
        if is_draw:
            return Result(tuple(Seat(player, Outcome.DRAW) for player in seats))
        remaining_players = list(seats)
        place: dict[PlayerId, int] = {}
        while remaining_players:
            strengths = [self.strengths.get(player, 0.0) for player in remaining_players]
            greatest = max(strengths)
            weights = [1 + round(math.exp(strength - greatest) * _WHOLE) for strength in strengths]
            at = bisect([*accumulate(weights)], luck.below(sum(weights)))
            place[remaining_players.pop(at)] = len(place) + 1
        return Result(
            tuple(
                Seat(player, Outcome.WIN, 1, self.winner_games)
                if place[player] == 1
                else Seat(player, Outcome.LOSS, place[player])
                for player in seats
            )
        )


class Luck:
    """The random numbers for one table in one run."""

    __slots__ = ("range", "remainder", "seed", "words")

    def __init__(self, seed: str, round_number: int, seats: Sequence[PlayerId]) -> None:
        self.seed = seed
        self.words: tuple[str | int, ...] = (round_number, *seats)
        self.remainder, self.range = draw(seed, *self.words, below=_ENOUGH), _ENOUGH

    def below(self, number: int) -> int:
        """Return the next random number, from 0 to `number` - 1."""
        if self.range < number << 32:  # a large table has used up the hash
            self.words = (*self.words, "more")
            self.remainder, self.range = draw(self.seed, *self.words, below=_ENOUGH), _ENOUGH
        self.remainder, value = divmod(self.remainder, number)
        self.range //= number
        return value


_ENOUGH = 2**256
"""The number of values that a hash can have.

One hash is enough for the results of a table of up to six players.
"""

_WHOLE = 10**9
"""The whole number that stands for probability 1.

Chances are whole numbers, so that every machine draws the same results.
"""

_FAR = 30.0
"""The greatest difference of two strengths (as logarithms) that has an effect on chances."""


@lru_cache(maxsize=2**12)
def _match(
    seats: tuple[PlayerId, ...],
    sides: tuple[tuple[Outcome, int, int], tuple[Outcome, int, int]],
    scores: tuple[int | None, ...],
    draws: int,
) -> Result:
    """Return the result of a match between two players.

    Results are cached, because the same results occur in many simulated tournaments.

    sides:  for each player, the outcome and the games won and lost
    scores: the score of each player, or None
    draws:  the number of drawn games
    """
    seat_results = zip(seats, sides, scores, strict=True)
    return Result(tuple(Seat(player, *side, score) for player, side, score in seat_results), draws)


@cache
def _games_lost(games_to_win: int, best_of: int, chance: float) -> list[int]:
    """Return the cumulative chances that the winner of a match lost at most 0, 1, 2 … games.

    They are whole numbers: chances times `_WHOLE`.

    games_to_win: the number of games that win the match
    chance:       the winner's chance to win the match; the chance to win a game is found from it by bisection
    """

    def ways(game: float) -> list[float]:
        return [
            math.comb(games_to_win - 1 + losses, losses) * game**games_to_win * (1 - game) ** losses
            for losses in range(best_of - games_to_win + 1)
        ]

    low, high = 0.0, 1.0
    for _ in range(40):
        game = (low + high) / 2
        wins, losses = sum(ways(game)), sum(ways(1 - game))
        low, high = (game, high) if wins < chance * (wins + losses) else (low, game)
    weights = ways(high)
    return [round(weight / sum(weights) * _WHOLE) for weight in accumulate(weights)][:-1]


# -- The model that the results so far suggest


def chances_of(
    record: Record,
    *,
    source: Source | None = None,
    draws: float | None = None,
    best_of: int | None = None,
) -> Chances:
    """Return the model of results (`Chances`) that the results so far suggest.

    source:  the source of the strengths; if None, the ratings if every player has one, otherwise the results
             so far, or equal strengths if there are no results
    draws:   the share of tables that end drawn; if None, the share so far
    best_of: the maximum number of games in a match; if None, the number that the results suggest, or three
             if there are no results

    Raises TourneyError if strengths should come from ratings but no player has a rating, or if they should
    come from results but there are none.
    """
    results = (table.result for tables in record.rounds for table in tables)
    finished_results = [result for result in results if result is not None and result.played]
    matches = [result for result in finished_results if len(result.seats) == 2]
    source = source or _usual_source(record, finished_results)
    if draws is None:
        draws = sum(map(is_drawn, finished_results)) / len(finished_results) if finished_results else 0.0
    return Chances(
        strengths=_strengths(record, source, finished_results),
        source=source,
        draws=draws,
        best_of=best_of or max(1, 2 * _most_games(matches, default=2) - 1),
        winner_games=_most_games((result for result in finished_results if len(result.seats) > 2), default=0),
        scores=_scores(matches),
    )


def is_drawn(result: Result) -> bool:
    """Return whether a table ended drawn."""
    return any(seat.outcome is Outcome.DRAW for seat in result.seats)


def _most_games(results: Iterable[Result], *, default: int) -> int:
    """Return the most games that a player won at a table."""
    return max((seat.games for result in results for seat in result.seats), default=default)


def _scores(matches: Iterable[Result]) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Return two tuples: the scores of matches that were not drawn, and those of drawn matches.

    A score is a pair of numbers; if there is a winner, the winner's comes first. Matches without scores are
    left out.
    """
    scores: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
    for result in matches:
        one, other = sorted(result.seats, key=lambda seat: seat.outcome is not Outcome.WIN)
        if one.score is not None and other.score is not None:
            scores[one.outcome is Outcome.DRAW].append((one.score, other.score))
    return tuple(scores[0]), tuple(scores[1])


def _usual_source(record: Record, results: Sequence[Result]) -> Source:
    if record.players and all(player in record.ratings for player in record.players):
        return "ratings"
    return "results" if results else "equal"


def _strengths(record: Record, source: Source, results: Sequence[Result]) -> Mapping[PlayerId, float]:
    if source == "ratings":
        if not record.ratings:
            raise TourneyError("no player has a rating", "use `--strengths results` or `--strengths equal`")
        return _strengths_by_ratings(record)
    if source == "results":
        if not results:
            raise TourneyError(
                "no match has been played yet, so strengths cannot come from results",
                "use `--strengths equal`",
            )
        return _strengths_by_results(record, results)
    return {}


def _strengths_by_ratings(record: Record) -> dict[PlayerId, float]:
    """Return strengths from ratings: 400 points more mean ten times the strength.

    A player without a rating gets the mean rating.
    """
    mean = sum(record.ratings.values()) / len(record.ratings)
    return {
        player: (record.ratings.get(player, mean) - mean) * math.log(10) / 400 for player in record.players
    }


_AVERAGE = 2
"""How many wins and how many losses against an average player are added for every player.

The number 2 predicts the last rounds of real events best.
"""

_STEPS = 60
"""The number of iterations after which strengths no longer change."""


def _strengths_by_results(record: Record, results: Sequence[Result]) -> dict[PlayerId, float]:
    """Return the strengths that make the results so far most likely.

    The model is that of Bradley and Terry 1952, computed by Zermelo's iteration. Because a few results say
    little, wins and losses against an average player are added for every player (`_AVERAGE`).
    """
    win_totals = dict.fromkeys(record.players, float(_AVERAGE))
    meetings: dict[PlayerId, Counter[PlayerId]] = {player: Counter() for player in record.players}
    for result in results:
        for seat, other in combinations(result.seats, 2):
            if seat.outcome.played and other.outcome.played:
                meetings[seat.player][other.player] += 1
                meetings[other.player][seat.player] += 1
                win_share = _win_share(result, seat, other)
                win_totals[seat.player] += win_share
                win_totals[other.player] += 1 - win_share
    strength = dict.fromkeys(record.players, 1.0)
    for _ in range(_STEPS):
        strength = {
            player: wins
            / (
                2 * _AVERAGE / (strength[player] + 1)
                + sum(
                    times / (strength[player] + strength[other]) for other, times in meetings[player].items()
                )
            )
            for player, wins in win_totals.items()
        }
    return {player: math.log(value) for player, value in strength.items()}


def _win_share(result: Result, one: Seat, other: Seat) -> float:
    """Return 1 if the first player did better, ½ if both did equally well, and 0 otherwise."""
    if len(result.seats) == 2:
        wins = (one.outcome is Outcome.WIN) - (other.outcome is Outcome.WIN)
    else:
        wins = (one.place < other.place) - (one.place > other.place)
    return (1 + wins) / 2


# -- The runs


def play(position: Position, chances: Chances, *, seed: str, runs: Iterable[int]) -> Counts:
    """Play the rest of the event once for each number in `runs`, and return the counts.

    The seed and a number determine a run. So if the numbers are divided among several calls, the counts add
    up to those of a single call.

    Raises TourneyError if a round cannot be paired, and for the same reasons as `rank`.
    """
    return Simulation(position, chances).play(seed, runs)


class Simulation:
    """Plays the rest of an event from one position.

    Everything that all runs share is computed once.
    """

    def __init__(self, position: Position, chances: Chances) -> None:
        self.position = position
        self.chances = chances
        record = position.record
        number = len(record.rounds)
        drops = dict(record.drops)
        if position.coming:
            drops |= {player: number for player in position.late_drops if player not in drops}
            drops = {player: last for player, last in drops.items() if player not in record.disqualified}
        open_rounds = (
            at for at, tables in enumerate(record.rounds) if not all(table.result for table in tables)
        )
        first_open = next(open_rounds, number)
        self.start = Scorecards(
            replace(
                record,
                drops=drops,
                rounds=record.rounds[:first_open],
                byes=record.byes[:first_open],
                absences=record.absences[:first_open],
            ),
            position.profile,
        )
        self.begun_rounds = [
            (
                record.rounds[at],
                record.byes[at] if at < len(record.byes) else {},
                record.absences[at] if at < len(record.absences) else frozenset(),
            )
            for at in range(first_open, number)
        ]
        self.dropped_players = frozenset({*drops, *record.disqualified, *position.late_drops})
        self.staying_players = [player for player in record.players if player not in self.dropped_players]

    def play(self, seed: str, runs: Iterable[int]) -> Counts:
        """Play the rest of the event once for each number in `runs`."""
        counts = Counts()
        for number in runs:
            self._run(f"{draw(seed, 'run', number, below=2**128):032x}", counts)
        return counts

    def _run(self, seed: str, counts: Counts) -> None:
        """Play the rest of the event once, and add this run to the counts.

        seed: the seed of the run
        """
        run_counts = Counts()  # only the numbers of tables and rounds
        own_outcomes: dict[PlayerId, Outcome] = {}
        scorecards = self.start
        for tables, byes, absentees in self.begun_rounds:
            finished_tables = [
                table if table.result else self._play_table(seed, scorecards, table, run_counts)
                for table in tables
            ]
            for before, table in zip(tables, finished_tables, strict=True):
                if before.result is None and table.result is not None:
                    own_outcomes.update((seat.player, seat.outcome) for seat in table.result.seats)
            scorecards = scorecards.with_round(finished_tables, byes, absentees)
        for coming in self.position.coming:
            scorecards = self._play_round(scorecards, coming, seed, run_counts)
            if scorecards.rounds in self.position.rounds_to_count:
                early = counts.earlier.setdefault(scorecards.rounds, Counts())
                self._count_cut(scorecards, own_outcomes, seed, run_counts, early)
        self._count_cut(scorecards, own_outcomes, seed, run_counts, counts)

    def _play_table(self, seed: str, scorecards: Scorecards, table: Table, counts: Counts) -> Table:
        """Simulate the result of a table, and return the table with this result.

        Adds 1 to `counts.tables`, and also to `counts.drawn_tables` if the result is a draw.
        """
        luck = Luck(seed, scorecards.rounds + 1, table.seats)
        result = self.chances.result(table.seats, luck)
        counts.tables += 1
        counts.drawn_tables += is_drawn(result)
        return Table(table.number, table.seats, result)

    def _play_round(self, scorecards: Scorecards, coming: Coming, seed: str, counts: Counts) -> Scorecards:
        """Pair the next round, give it random results, and return the scorecards after it."""
        pairing = self.pair_round(scorecards, coming, partial(_round_seed, seed), counts)
        counts.rematches += pairing.cost.rematches
        finished_tables = [self._play_table(seed, scorecards, table, counts) for table in pairing.tables]
        outcomes = {
            player: outcome for player, outcome in coming.byes.items() if player not in self.dropped_players
        }
        outcomes |= dict.fromkeys(pairing.byes, Outcome.BYE)
        seated_players = {player for table in pairing.tables for player in table.seats}
        absentees = frozenset(self.staying_players) - seated_players - outcomes.keys()
        absentees |= {player for player, outcome in outcomes.items() if outcome is Outcome.ABSENT}
        byes = {player: outcome for player, outcome in outcomes.items() if outcome is not Outcome.ABSENT}
        return scorecards.with_round(finished_tables, byes, absentees)

    def pair_round(self, scorecards: Scorecards, coming: Coming, seeds: Seeds, counts: Counts) -> Pairing:
        """Return a round to come, paired as the event pairs it.

        seeds: returns the seed of a round from its number
        """
        players = [player for player in self.staying_players if player not in coming.byes]
        entrants = self.entrants(scorecards, coming, players)
        try:
            return coming.pairer(scorecards.record, entrants, coming.options, seeds)
        except NoRoundError:
            counts.no_round += 1
            return _SWISS(scorecards.record, entrants, coming.options, seeds)

    def entrants(self, scorecards: Scorecards, coming: Coming, players: Sequence[PlayerId]) -> list[Entrant]:
        """Return players as the entrants of a round to come."""
        options = coming.options
        ranks = {}
        if options.mode is Mode.RANK:
            rows = rank(scorecards.record, scorecards.profile).rows
            ranks = {row.player: place for place, row in enumerate(rows, 1)}
        before = scorecards.points_before()
        ratings = scorecards.record.ratings
        return [
            entrant_after(
                player,
                scorecards.lines[player].numbers,
                scorecards.lines[player].places,
                before,
                sides=options.sides,
                tags=coming.tags.get(player, ()),
                fixed_table=coming.fixed_tables.get(player),
                rating=ratings.get(player),
                rank=ranks.get(player),
            )
            for player in players
        ]

    def _count_cut(
        self,
        scorecards: Scorecards,
        own_outcomes: Mapping[PlayerId, Outcome],
        seed: str,
        run_counts: Counts,
        counts: Counts,
    ) -> None:
        """Make the cut after the rounds of a run so far, and add its outcome to `counts`.

        own_outcomes: each player's simulated outcome at a table that was open before the run
        run_counts:   this run's `tables`, `drawn_tables`, `rematches` and `no_round` so far (see `Counts`)
        """
        through, level = find_qualifiers(scorecards, self.position.cut, self.dropped_players)
        places = self.position.cut - len(through)
        through += sorted(level, key=lambda player: draw(seed, "lot", player, below=2**64))[:places]
        qualifiers = frozenset(through)
        with_record: dict[FinalRecord, list[bool]] = {}
        undefeated_out = False
        for player in self.staying_players:
            results = [worth.result for worth in scorecards.worths(player)]
            record = results.count("win"), results.count("loss"), results.count("draw")
            has_made = player in qualifiers
            counts.of_player[player, record, has_made] += 1
            with_record.setdefault(record, []).append(has_made)
            if player in own_outcomes:
                counts.by_result[player, own_outcomes[player], has_made] += 1
            undefeated_out |= not has_made and not record[1] and "absent" not in results
        for record, cut_flags in with_record.items():
            counts.records[record] = counts.records.get(record, Ends()).plus(
                Ends.of_run(len(cut_flags), sum(cut_flags))
            )
        counts.cuts_made.update(through)
        counts.undefeated_out += undefeated_out
        counts.runs += 1
        for name in ("tables", "drawn_tables", "rematches", "no_round"):
            setattr(counts, name, getattr(counts, name) + getattr(run_counts, name))


def _round_seed(seed: str, number: int) -> str:
    """Return the seed for pairing a round of a simulated run. seed: the seed of the run."""
    return f"{draw(seed, 'pairing', number, below=2**128):032x}"
