"""Counts of simulated runs, and shares of the runs, with their texts and JSON documents.

A share is an estimate: it never proves that a player makes or misses the cut. This module does not import the
pairing engines, which only `simulation` needs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, Self

import msgspec
from msgspec import Struct, field, structs

from tourney.document import Document
from tourney.record import BY_PLAY, Outcome, PlayerId

# -- Shares


class Share(Struct, frozen=True):
    """An estimated share with its interval.

    share: the estimate, from 0 to 1
    low: the lower end of the 95 % interval (Wilson's)
    high: the upper end of the interval

    The numbers are rounded to six places. But only exactly 0 is given as 0, and only exactly 1 as 1;
    numbers close to them are given as 0.000001 and 0.999999. So in the simulated runs, a share of 0 means
    never, and a share of 1 means always.
    """

    share: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, runs: int) -> Share:
        """Return the share of hits in independent runs.

        runs: the number of runs, at least 1
        """
        return cls.from_estimate(hits / runs, runs)

    @classmethod
    def from_estimate(cls, share: float, runs: float) -> Share:
        """Return the share with the interval that follows from a number of independent runs."""
        return cls(*map(_round_share, (share, *wilson(share, runs))))


def _round_share(share: float) -> float:
    least = 1e-6
    return share if share in {0.0, 1.0} else round(min(max(share, least), 1 - least), 6)


_Z = 1.959963984540054
"""The quantile of the normal distribution for a 95 % interval."""


def wilson(share: float, runs: float) -> tuple[float, float]:
    """Return the lower and upper end of Wilson's 95 % interval for a share of independent runs.

    Source: E. B. Wilson 1927, Journal of the American Statistical Association 22.

    >>> [round(end, 4) for end in wilson(0.5, 100)], wilson(0, 10)[0], wilson(1, 10)[1]
    ([0.4038, 0.5962], 0.0, 1.0)
    """
    middle = share + _Z * _Z / (2 * runs)
    reach = _Z * math.sqrt(share * (1 - share) / runs + _Z * _Z / (4 * runs * runs))
    below = 1 + _Z * _Z / runs
    low = 0.0 if share <= 0 else max(0.0, (middle - reach) / below)
    return low, 1.0 if share >= 1 else min(1.0, (middle + reach) / below)


def share_text(share: Share) -> str:
    """Return a share of the simulated runs as a percentage, or as `none` or `all`.

    `0 %` and `100 %` would look like a proof.

    >>> [share_text(Share.of(hits, 1000)) for hits in (0, 830, 1000)]
    ['none', '83 %', 'all']
    """
    return {0.0: "none", 1.0: "all"}.get(share.share) or percent_text(share.share)


def percent_text(share: float) -> str:
    """Return a share as a percentage. Only exactly 0 and 1 are written as 0 % and 100 %.

    >>> [percent_text(share) for share in (0, 0.004, 0.5, 0.996, 1)]
    ['0 %', 'under 1 %', '50 %', 'over 99 %', '100 %']
    """
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"


def interval_text(share: Share) -> str:
    """Return the 95 % interval of a share as text, in percent.

    If the whole interval is below 1 % or above 99 %, the text says only that. If both ends round to the same
    whole percent, they are given with one decimal place.

    >>> [interval_text(Share.of(hits, 1000)) for hits in (0, 3, 830, 1000)]
    ['under 1 %', 'under 1 %', '81–85 %', 'over 99 %']
    >>> interval_text(Share(0.5, 0.499, 0.502))
    '49.9–50.2 %'
    """
    low, high = 100 * share.low, 100 * share.high
    if high < 1 or low > 99:
        return "under 1 %" if high < 1 else "over 99 %"
    places = int(round(low) == round(high))
    return f"{low:.{places}f}–{high:.{places}f} %"


# -- Counts of runs, which can be added


Source = Literal["ratings", "results", "equal", "given"]
"""The source of the players' strengths."""


FinalRecord = tuple[int, int, int]
"""A player's final record: wins, losses, draws. A bye is a win, and a half bye is a draw."""


class Ends(NamedTuple):
    """How many players finished with a record such as 5-1-0, and how many of them made the cut.

    Both numbers are summed over the simulated runs, and so are their products. The products are needed for
    the interval, because the players of one run depend on each other.

    players:    the number of players with the record, over all runs
    qualifiers: the number of these players who made the cut
    runs:       the number of runs with such a player
    players_squared, players_times_qualifiers, qualifiers_squared: the products of the numbers `players` and
                `qualifiers` of each run, summed over the runs
    """

    players: int = 0
    qualifiers: int = 0
    runs: int = 0
    players_squared: int = 0
    players_times_qualifiers: int = 0
    qualifiers_squared: int = 0

    @classmethod
    def of_run(cls, players: int, qualifiers: int) -> Ends:
        """Return the numbers for a single run and a single final record.

        players:    the number of players who ended with the record
        qualifiers: the number of these players who made the cut
        """
        return cls(players, qualifiers, 1, players * players, players * qualifiers, qualifiers * qualifiers)

    def plus(self, other: Ends) -> Ends:
        """Return the numbers for the runs of this object and of `other`: the sums of the fields."""
        return Ends(*(one + addend for one, addend in zip(self, other, strict=True)))

    @property
    def share(self) -> Share:
        """The share of the players with this final record who made the cut, with its interval."""
        if not 0 < self.qualifiers < self.players:
            return Share.of(self.qualifiers * self.runs // self.players, self.runs)
        p = self.qualifiers / self.players
        spread = (
            self.qualifiers_squared - 2 * p * self.players_times_qualifiers + p * p * self.players_squared
        )
        most = _MOST_WORTH * self.players
        number = min(most, p * (1 - p) * self.players**2 / spread) if spread > 0 else most
        return Share.from_estimate(p, number)


_MOST_WORTH = 3.0
"""The largest effective sample size, as a multiple of `Ends.players`.

The limit is needed because the dependence between players cannot be estimated well from few runs.
"""


class Counts(Struct):
    """The results of some runs of a simulation, counted.

    The counts of other runs from the same position can be added, in any order.

    cuts_made:      player → the number of runs in which the player made the cut
    records:        final record → how many players ended with it in all runs, and how many of them made the
                    cut
    of_player:      (player, final record, whether the player made the cut) → the number of runs
    by_result:      for players with an open table in the position: (player, outcome at that table, whether
                    the player made the cut) → the number of runs
    undefeated_out: the runs in which a player missed the cut without missing a round or losing a match
    tables:         the number of tables played in all runs
    drawn_tables:   the number of these tables that ended drawn
    rematches:      the number of rematches in rounds that the runs paired
    no_round:       the number of rounds that the event's system could not pair and the Swiss engine paired
                    instead
    earlier:        number of rounds → the counts of the same runs after this number of rounds
    """

    runs: int = 0
    cuts_made: Counter[PlayerId] = field(default_factory=Counter)
    records: dict[FinalRecord, Ends] = field(default_factory=dict)
    of_player: Counter[tuple[PlayerId, FinalRecord, bool]] = field(default_factory=Counter)
    by_result: Counter[tuple[PlayerId, Outcome, bool]] = field(default_factory=Counter)
    undefeated_out: int = 0
    tables: int = 0
    drawn_tables: int = 0
    rematches: int = 0
    no_round: int = 0
    earlier: dict[int, Counts] = field(default_factory=dict)

    def __iadd__(self, other: Counts) -> Self:
        for name in self.__struct_fields__:
            own_value, other_value = getattr(self, name), getattr(other, name)
            if isinstance(own_value, int):
                setattr(self, name, own_value + other_value)
            elif isinstance(own_value, Counter):
                own_value.update(other_value)
        for record, ends in other.records.items():
            self.records[record] = self.records.get(record, Ends()).plus(ends)
        for number, counts in other.earlier.items():
            early = self.earlier.setdefault(number, Counts())
            early += counts
        return self

    def chance(self, player: PlayerId) -> Share:
        """Return a player's chance of making the cut."""
        return Share.of(self.cuts_made[player], self.runs)

    def by_record(self) -> list[tuple[FinalRecord, Ends]]:
        """Return each final record and how many players ended with it and made the cut with it.

        The best record comes first; for this order, a draw is worth half a win.
        """
        return sorted(self.records.items(), key=lambda item: (-2 * item[0][0] - item[0][2], item[0][1]))

    def after_results(self, player: PlayerId) -> dict[Outcome, Share]:
        """Return a player's chance of making the cut after each outcome of the player's open table."""
        return {
            outcome: Share.of(hits, hits + misses)
            for outcome in BY_PLAY
            for misses, hits in [[self.by_result[player, outcome, has_made] for has_made in (False, True)]]
            if hits + misses
        }

    def with_records(self, player: PlayerId) -> list[tuple[FinalRecord, Share]]:
        """Return a player's chance of making the cut with each final record, the best first."""
        return [
            (record, Share.of(hits, hits + misses))
            for record, _ in self.by_record()
            for misses, hits in [[self.of_player[player, record, has_made] for has_made in (False, True)]]
            if hits + misses
        ]


# -- JSON documents


Names = Mapping[PlayerId, str | int]
"""The names of players in the event or the file, by number."""


class OfPlayer(Struct, frozen=True):
    """A JSON object about a player.

    player: the player's name, or the player's number if the file has no name
    number: the player's number in order of registration, from 1
    """

    player: str | int
    number: PlayerId


class Simulated(Struct, frozen=True):
    """How the rest of the event was simulated.

    runs: how often the rest of the event was simulated
    dice: the seed of the random numbers
    paired_by: how the remaining rounds were paired, in words (`as the event pairs them`); null if no rounds
        remain
    no_round: the number of rounds, over all runs, that were paired by Swiss rules because the event's system
        could not pair them
    strengths: the source of the players' strengths: `ratings`, `results`, `equal` or `given`
    draws: the share of tables that end drawn, from 0 to 1
    best_of: the maximum number of games in a match
    """

    runs: int
    dice: str
    paired_by: str | None
    no_round: int
    strengths: Source
    draws: float
    best_of: int


class PlayedOn(Simulated, frozen=True):
    """How the rest of an event was simulated after the rounds so far.

    to_come: the number of rounds still to be paired
    """

    to_come: int


class PlayerChance(Share, frozen=True):
    """A player's chance of making the cut.

    player: the player's name, or the player's number if the file has no name
    number: the player's number in order of registration, from 1
    in: the number of runs in which the player made the cut
    """

    player: str | int
    number: PlayerId
    in_: int = msgspec.field(name="in")


class OwnRecordChance(Share, frozen=True):
    """A player's chance of making the cut with one final record.

    record: wins, losses and draws, such as `6-2-0`
    """

    record: str


class RecordChance(OwnRecordChance, frozen=True):
    """The chance of making the cut for players who end with one final record.

    ended: how many players ended with this record, over all runs
    in: how many of these players made the cut
    """

    ended: int
    in_: int = msgspec.field(name="in")


class LeftOut(OfPlayer, frozen=True):
    """A player who is left out of the simulation."""


class ChancesForecast(Document, PlayedOn, frozen=True, tag="tourney.forecast-chances/1"):
    """What `tourney forecast chances --json` prints: the chances of making the cut.

    There is a chance for each player and for each final record.

    cut: the number of players who make the cut
    after: the number of rounds paired so far
    players: the players who can still make the cut, in the order of the standings
    left_out: the players who left, or seem to have left
    records: the final records that players ended with, the best first
    """

    cut: int
    after: int
    players: tuple[PlayerChance, ...]
    left_out: tuple[LeftOut, ...]
    records: tuple[RecordChance, ...]


def player_chances(counts: Counts, players: Iterable[PlayerId], names: Names) -> tuple[PlayerChance, ...]:
    """Return each player's chance of making the cut, in the order of `players`."""
    return tuple(
        PlayerChance(
            **structs.asdict(counts.chance(player)),
            player=names[player],
            number=player,
            in_=counts.cuts_made[player],
        )
        for player in players
    )


def record_chances(counts: Counts) -> tuple[RecordChance, ...]:
    """Return the chance of making the cut with each final record, the best record first."""
    return tuple(
        RecordChance(
            **structs.asdict(ends.share), record=_record_text(record), ended=ends.players, in_=ends.qualifiers
        )
        for record, ends in counts.by_record()
    )


def _record_text(record: FinalRecord) -> str:
    return "-".join(map(str, record))


class ChanceByResult(Struct, frozen=True):
    """The chance of making the cut after each result of the player's own table.

    win: the chance after a win; null if the player won in no run
    draw: the chance after a draw; null if the player drew in no run
    loss: the chance after a loss; null if the player lost in no run
    """

    win: Share | None
    draw: Share | None
    loss: Share | None


class PlayerEstimate(PlayedOn, frozen=True):
    """A player's chance of making the cut.

    share: the estimated chance, from 0 to 1
    low: the lower end of the 95 % interval (Wilson's)
    high: the upper end of the interval
    in: the number of runs in which the player made the cut
    with: the chance after each result of the player's own table
    records: the chance with each final record, the best first
    """

    share: float
    low: float
    high: float
    in_: int = msgspec.field(name="in")
    with_: ChanceByResult = msgspec.field(name="with")
    records: tuple[OwnRecordChance, ...]


def player_estimate(player: PlayerId, counts: Counts, simulation: PlayedOn) -> PlayerEstimate:
    """Return the estimate of one player's chance of making the cut."""
    after = counts.after_results(player)
    return PlayerEstimate(
        **structs.asdict(simulation),
        **structs.asdict(counts.chance(player)),
        in_=counts.cuts_made[player],
        with_=ChanceByResult(*map(after.get, BY_PLAY)),
        records=tuple(
            OwnRecordChance(**structs.asdict(share), record=_record_text(record))
            for record, share in counts.with_records(player)
        ),
    )
