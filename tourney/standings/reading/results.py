"""`Results`, the content of a file of results, and the check of the file's own standings."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct, field

from tourney.record import Outcome, PlayerId, Record, Table, format_points
from tourney.standings.reading.sheet import Name, StandingClaim
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.standings.profile import Profile
    from tourney.standings.ranking import Row, Standings


class Playoff(Struct, frozen=True, kw_only=True):
    """The bracket after the Swiss rounds.

    seeds:  the players in seed order; empty if the file does not give the seeds
    rounds: the tables of each round
    """

    seeds: tuple[PlayerId, ...]
    rounds: tuple[tuple[Table, ...], ...] = ()
    double: bool = False
    third_place: bool = False

    @property
    def players(self) -> frozenset[PlayerId]:
        """The players whom the bracket's seeds or rounds name."""
        return frozenset(self.seeds).union(*(table.seats for tables in self.rounds for table in tables))


class Results(Struct, frozen=True, kw_only=True):
    """The content of a file of results.

    names:     player → the player's name in the file
    day:       the event's day, which selects the edition of a profile; None if the file does not give it
    own_floor: whether the source applied the floor to a player's own game-win %; it also selects the edition
    divisions: division → its players, who are ranked separately (opponents from all divisions count)
    match:     the maximum number of games in a match, and whether matches can be drawn; each None if the file
               does not state it
    scoring:   outcome → the half points that the file gives for it
    unread:    unknown keys of the file
    remarks:   contradictions that were accepted, each with its place
    form:      the form that the file was read as
    title:     the event's name
    profile:   the name of the profile by which the file's program ranks
    order:     the tie-breaks that the file names
    sides:     the names of the sides, if the order of seats is the order of sides; otherwise empty
    claims:    the file's own standings: player → place, points and tie-breaks
    facts:     player → further facts by kind: `federation`, `division`, `id` …
    requests:  player → byes and absences that were requested for rounds that are not paired yet
    forbidden: groups of players who must not be paired
    playoff:   the bracket after the Swiss rounds; None if there was none
    left_out:  facts in the file that an event cannot contain
    seem_gone: players who count as dropped only because they are missing from the last rounds
    by_score:  whether the points are the scores of matches
    taken_for_scores: the pairs of numbers that were read as scores only because the profile counts scores
    """

    record: Record
    names: Mapping[PlayerId, Name]
    day: datetime.date | None = None
    own_floor: bool | None = None
    divisions: Mapping[str, tuple[PlayerId, ...]] = field(default_factory=dict)
    match: tuple[int | None, bool | None] = (None, None)
    scoring: Mapping[Outcome, int] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    form: str = ""
    title: str = ""
    profile: str = ""
    order: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    claims: Mapping[PlayerId, StandingClaim] = field(default_factory=dict)
    facts: Mapping[PlayerId, Mapping[str, str]] = field(default_factory=dict)
    requests: Mapping[PlayerId, Mapping[int, Outcome]] = field(default_factory=dict)
    forbidden: tuple[tuple[PlayerId, ...], ...] = ()
    playoff: Playoff | None = None
    left_out: tuple[str, ...] = ()
    seem_gone: frozenset[PlayerId] = frozenset()
    by_score: bool = False
    taken_for_scores: frozenset[tuple[int, int]] = frozenset()

    def games_for_scores(self, profile: Profile) -> str:
        """Return a question to the user if numbers that were read as scores look like games won.

        They look like games if no number is higher than the games won in a best of five, and if a match's two
        numbers are not possible with the profile's points for a game. Otherwise, return an empty text.
        """
        if any(not 0 <= number <= _MAX_GAMES_WON for pair in self.taken_for_scores for number in pair):
            return ""
        impossible = [
            f"{high}–{low}"
            for high, low in sorted(self.taken_for_scores, reverse=True)
            if high > low and not profile.games_come_to(high, low)
        ]
        if not impossible:
            return ""
        examples = listed(impossible[:_MAX_EXAMPLES], "or")
        return (
            f"{profile.name} reads the two numbers of a match as its score,"
            f" {format_points(profile.points_per_game_win)} for a game won,"
            f" so no match can end {examples}: are the numbers games won?"
        )

    def scored_otherwise(self, profile: Profile) -> str:
        """Return a text on how the file's scoring differs from the profile's; empty if it does not."""
        differences = [
            f"{outcome.value.replace('-', ' ')} {format_points(points)}"
            f" instead of {format_points(profile.outcomes[outcome].points)}"
            for outcome, points in self.scoring.items()
            if profile.outcomes[outcome].points != points
        ]
        if not differences:
            return ""
        return f"the file's scoring differs from that of {profile.name}: {', '.join(differences)}"

    def edition(self, profile: Profile, day: datetime.date | None = None) -> Profile:
        """Return the edition of `profile` for `day`.

        If `day` is None, the file's day is used; if the file has no day either, return the newest edition.

        If the file says whether its source applied the floor to a player's own game-win %, return the latest
        edition up to that day that does the same, or otherwise the earliest edition that does the same.
        """
        day = day or self.day
        chosen = profile.on(day)
        if self.own_floor is None or chosen.game_win.own_floor == self.own_floor:
            return chosen
        editions = [profile.on(edition.since) for edition in profile.editions]
        fitting = [edition for edition in editions if edition.game_win.own_floor == self.own_floor]
        in_force = [
            edition
            for edition in fitting
            if (edition.edition or datetime.date.min) <= (day or datetime.date.max)
        ]
        return [*fitting[:1], *in_force][-1] if fitting else chosen


_MAX_GAMES_WON = 3
"""The maximum number of games that a player can win in a best of five."""

_MAX_EXAMPLES = 3

SAY_GAMES = (
    "if so, add the columns `score1` and `score2` and leave them empty;"
    ' in JSON, write them as `"games": [2, 1, 0]`'
)
"""What the user can do about the question of `Results.games_for_scores`."""


# -- The file's own standings, compared with ours


def first_difference(results: Results, standings: Standings) -> str:
    """Return the first difference between the file's own standings and `standings`, as text.

    Empty if both agree. Players who share a rank in `standings` may have any order in the file. A tie-break
    is compared only to the number of decimals that the file gives.
    """
    claims = results.claims
    rows = {row.player: row for row in standings.rows}
    sharing = Counter(row.rank for row in standings.rows)
    for player in sorted(claims, key=lambda player: (claims[player].place or len(claims) + 1, player)):
        claim, row = claims[player], rows.get(player)
        if row is None or row.rank is None:
            difference = f"has place {claim.place} there and none here" if claim.place is not None else ""
        else:
            difference = _different_value(claim, row, standings.profile)
            if not difference and claim.place and not 0 <= claim.place - row.rank < sharing[row.rank]:
                here = [results.names[other.player] for other in standings.rows if other.rank == claim.place]
                owner = f"; here {here[0]} has place {claim.place}" if here else ""
                difference = f"has place {claim.place} there and place {row.rank} here{owner}"
        if difference:
            return f"{results.names[player]} {difference}"
    return ""


def _different_value(claim: StandingClaim, row: Row, profile: Profile) -> str:
    if claim.points is not None and claim.points != row.points:
        there, here = (profile.points_text(points) for points in (claim.points, row.points))
        return f"has {there} {'point' if there in {'1', '½'} else 'points'} there and {here} here"
    for key in row.keys:
        value, decimals = claim.values.get(key.code, (None, 0))
        if value is None or not isinstance(key.value, int | Fraction):
            continue
        decimals = min(decimals, _MAX_DECIMALS)
        if abs(key.value - value) > Fraction(101, 100) / 10**decimals:
            return (
                f"has {key.code} {float(value):.{decimals}f} there and {float(key.value):.{decimals}f} here"
            )
    return ""


_MAX_DECIMALS = 6
"""The maximum number of decimals of a tie-break that are compared.

Other programs round, and some calculate in single precision.
"""


def compared_claims(results: Results, standings: Standings) -> str:
    """Return which parts of the file's standings could be compared with ours, as text.

    For example `places and points of 12 players`; empty if nothing could be compared.
    """
    claims = results.claims.values()
    kinds = {
        "places": any(claim.place is not None for claim in claims),
        "points": any(claim.points is not None for claim in claims),
        "tie-breaks": any(claim.values for claim in claims),
    }
    given = [kind for kind, is_given in kinds.items() if is_given]
    return f"{listed(given)} of {len(claims)} players" if given and standings.rows else ""
