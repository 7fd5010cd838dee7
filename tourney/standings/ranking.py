"""Rank the players of a record, find who makes the cut, and print standings as text.

Players start in one group. Each tie-break of the profile's order splits every group whose players are level.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby, pairwise
from typing import NamedTuple

from msgspec import Struct

from tourney.record import NameOf, PlayerId, Record
from tourney.standings import tiebreaks
from tourney.standings.exact import Value, over_one_denominator, text_of
from tourney.standings.profile import LOT, POINTS, Profile
from tourney.standings.scorecards import Scorecards
from tourney.standings.tally import Tiebreak, cached_value, cached_values
from tourney.wording import Message, listed_short


class Key(NamedTuple):
    """A tie-break's value for one player. `code` is as in the profile's order (`OMW`, `BH/C1`)."""

    code: str
    value: Value


class Row(Struct, frozen=True, kw_only=True):
    """One player's place.

    rank:       from 1; level players share it (1, 2, 2, 4). None for disqualified players, who are listed
                last
    points:     half points
    wins, losses, draws: rounds, including byes and forfeits (a bye is a win, a half bye a draw)
    keys:       the tie-breaks in the profile's order, without the points
    left_early: whether the player left a round robin before half of the games. If so, none of the games
                counts, and the player is ranked behind all others
    """

    rank: int | None
    player: PlayerId
    points: int
    wins: int
    losses: int
    draws: int
    keys: tuple[Key, ...]
    has_dropped: bool = False
    is_disqualified: bool = False
    left_early: bool = False


class Standings(Struct, frozen=True, kw_only=True):
    """A ranking: `rows` from first to last.

    Players who share a rank are in order of registration.

    profile:     the edition of the profile
    rounds:      the number of rounds
    open_tables: (round, table) of tables without a result, which count as not played yet
    left_out:    players who dropped before round 1 and are not ranked under this profile
    tables:      the number of tables of the last round
    most_seats:  the number of seats at the largest table; 0 if there is no table
    has_only_large_tables: whether every table has three or more seats, so that results are places, not games
    """

    profile: Profile
    rounds: int
    rows: tuple[Row, ...]
    open_tables: tuple[tuple[int, int], ...] = ()
    left_out: tuple[PlayerId, ...] = ()
    tables: int = 0
    has_only_large_tables: bool = False
    most_seats: int = 0

    def row(self, player: PlayerId) -> Row:
        """Return the row of a player. Raises KeyError if the player is not in the standings."""
        for row in self.rows:
            if row.player == player:
                return row
        raise KeyError(player)


def rank(
    record: Record, profile: Profile, *, seed: str = "", among: Sequence[PlayerId] | None = None
) -> Standings:
    """Rank the players of `record` under an edition of a profile.

    seed:  draws the lot if the profile's order has `LOT`; without a seed, ranks are shared instead
    among: the only players to rank (an age division); opponents who are not among them still count

    Raises TourneyError if a player plays against themselves, is in a round twice, or is not in the record.
    """
    with pause_collector():
        return rank_scorecards(Scorecards(record, profile, seed=seed), among)


@contextmanager
def pause_collector() -> Iterator[None]:
    """Switch garbage collection off inside the `with` block.

    Ranking creates no reference cycles, and each collection would walk through the whole record.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def rank_scorecards(scorecards: Scorecards, among: Sequence[PlayerId] | None = None) -> Standings:
    """Rank the players of `scorecards`, as `rank` does for a record."""
    record, profile = scorecards.record, scorecards.profile
    players_to_rank = record.players if among is None else among
    left_out = [player for player in players_to_rank if not _is_ranked(record, profile, player)]
    disqualified_players = [player for player in players_to_rank if player in record.disqualified]
    rows: list[Row] = []
    for players in _ranked_groups(record, profile, players_to_rank):
        levels, keys = _order(scorecards, players)
        for level in levels:
            place = len(rows) + 1
            rows += [_row(scorecards, player, place, keys[player]) for player in level]
    _, keys = _order(scorecards, disqualified_players)
    rows += [_row(scorecards, player, None, keys[player]) for player in disqualified_players]
    return Standings(
        profile=profile,
        rounds=scorecards.rounds,
        rows=tuple(rows),
        open_tables=tuple(scorecards.open_tables),
        left_out=tuple(left_out),
        tables=len(record.rounds[-1]) if record.rounds else 0,
        has_only_large_tables=scorecards.has_only_large_tables,
        most_seats=scorecards.most_seats,
    )


def points(record: Record, profile: Profile) -> dict[PlayerId, int]:
    """Return each player's half points under `profile`, in order of registration.

    Raises as `rank` does.
    """
    return Scorecards(record, profile).points


def values(record: Record, profile: Profile, code: str) -> dict[PlayerId, Value]:
    """Return all players' exact values of a tie-break, whether or not the profile ranks by it.

    `DE` and `H2H` are calculated among players level on points. Raises TourneyError for an unknown code.
    """
    scorecards = Scorecards(record, profile)
    row = tiebreaks.find(code)
    levels = [list(record.players)]
    if row.group_function:
        levels = _split(levels, scorecards.points.__getitem__, low=False)
    return {player: value for level in levels for player, value in values_of(scorecards, row, level).items()}


def _order(
    scorecards: Scorecards, players: Sequence[PlayerId]
) -> tuple[list[list[PlayerId]], dict[PlayerId, tuple[Key, ...]]]:
    """Split `players` by each tie-break of the profile's order in turn.

    Returns groups of level players, best first, and each player's values of the tie-breaks, without the
    points.
    """
    groups = [list(players)] if players else []
    keys: dict[PlayerId, list[Key]] = {player: [] for player in players}
    for code in scorecards.profile.order:
        row = tiebreaks.find(code)
        player_values: dict[PlayerId, Value] = {}
        for group in groups if row.group_function else [list(players)]:
            player_values.update(values_of(scorecards, row, group))
        groups = _split(groups, player_values.__getitem__, low=row.low)
        if code != POINTS:
            for player, line in keys.items():
                line.append(Key(code, player_values[player]))
    return groups, {player: tuple(line) for player, line in keys.items()}


def value_of(scorecards: Scorecards, row: Tiebreak) -> Callable[[PlayerId], Value]:
    """Return a function that returns a player's value of the tie-break `row`.

    The tie-break must be one that is calculated for each player separately. If the profile freezes it, a
    player who dropped keeps the value from the last round before the drop.
    """
    function = row.player_function
    assert function is not None, f"{row.code} is calculated among a group"
    drops = scorecards.record.drops if row.code in scorecards.profile.frozen_codes else {}

    def value(player: PlayerId) -> Value:
        if player in drops and drops[player] < scorecards.rounds:
            return cached_value(scorecards.after(drops[player]), player, function, row.reach)
        return cached_value(scorecards, player, function, row.reach)

    return value


def values_of(scorecards: Scorecards, row: Tiebreak, group: list[PlayerId]) -> dict[PlayerId, Value]:
    """Return player → value of the tie-break `row`, for the players of a group.

    group: players who are level so far, if `row.group_function` is set; otherwise any players
    """
    if row.group_function:
        return {group[0]: 1} if len(group) == 1 else dict(row.group_function(scorecards, group).places)
    if row.player_function is not None and not (
        row.code in scorecards.profile.frozen_codes and scorecards.record.drops
    ):
        return dict(zip(group, cached_values(scorecards, group, row.player_function, row.reach), strict=True))
    value = value_of(scorecards, row)
    return {player: value(player) for player in group}


def _split(
    groups: list[list[PlayerId]], value: Callable[[PlayerId], Value], *, low: bool
) -> list[list[PlayerId]]:
    """Split each group of players into smaller groups of players who have the same value.

    Within each group, better values come first, and players without a value last.

    low: whether the lower value is better
    """
    finer: list[list[PlayerId]] = []
    for group in groups:
        if len(group) == 1:
            finer.append(group)
            continue
        _, numbers = over_one_denominator([value(player) for player in group])
        by_number: dict[int | None, list[PlayerId]] = {}
        for player, number in zip(group, numbers, strict=True):
            by_number.setdefault(number, []).append(player)
        best_first = sorted((number for number in by_number if number is not None), reverse=not low)
        finer.extend(by_number[number] for number in best_first)
        if None in by_number:
            finer.append(by_number[None])
    return finer


def _is_ranked(record: Record, profile: Profile, player: PlayerId) -> bool:
    return profile.rank_never_started or record.drops.get(player) != 0


def _ranked_groups(record: Record, profile: Profile, players: Sequence[PlayerId]) -> list[list[PlayerId]]:
    """Return the players who have a rank, in two groups: those who left early come second."""
    ranked_players = [
        player
        for player in players
        if player not in record.disqualified and _is_ranked(record, profile, player)
    ]
    if not record.left_early:
        return [ranked_players, []]
    early_leavers = [player for player in ranked_players if player in record.left_early]
    return [[player for player in ranked_players if player not in record.left_early], early_leavers]


def _row(scorecards: Scorecards, player: PlayerId, place: int | None, keys: tuple[Key, ...]) -> Row:
    results = [worth.result for worth in scorecards.worths(player)]
    return Row(
        rank=place,
        player=player,
        points=scorecards.points[player],
        wins=results.count("win"),
        losses=results.count("loss"),
        draws=results.count("draw"),
        keys=keys,
        has_dropped=player in scorecards.record.drops,
        is_disqualified=player in scorecards.record.disqualified,
        left_early=player in scorecards.record.left_early,
    )


# -- The cut, under one profile or several


class Qualifiers(Struct, frozen=True, kw_only=True):
    """The players who make a cut to `size` players under one profile.

    through: the players who make the cut, in order; players who dropped or were disqualified are passed over
    level:   players who are tied at the cut line, and so are not in `through`; empty without such a tie
    by_lot:  players on both sides of the line whom only the lot separates, in order of rank; empty if the lot
             did not decide who makes the cut
    """

    standings: Standings
    size: int
    through: tuple[PlayerId, ...]
    level: tuple[PlayerId, ...]
    by_lot: tuple[PlayerId, ...] = ()

    @property
    def places(self) -> int:
        """The number of cut places for which the players in `level` are tied; 0 without a tie."""
        return self.size - len(self.through) if self.level else 0

    def lot_text(self, name: NameOf, *, is_made: bool) -> str:
        """Return a sentence on who makes the cut by the lot alone, and who misses it.

        Empty if the lot did not decide who makes the cut.

        is_made: whether the cut has already been made
        """
        if not self.by_lot:
            return ""
        into = listed_short([name(player) for player in self.by_lot if player in self.through])
        out = listed_short([name(player) for player in self.by_lot if player not in self.through])
        will, not_ = ("made", "did not") if is_made else ("would make", "would not")
        return f"only the lot separates {into} from {out}: {into} {will} the cut of {self.size}; {out} {not_}"


class Comparison(Struct, frozen=True, kw_only=True):
    """The cuts under several profiles, in the order in which the profiles were given.

    always:    players who make the cut under every profile, in the order of the first profile
    sometimes: players who make the cut under only some profiles, or are tied at the cut line
    """

    size: int
    cuts: tuple[Qualifiers, ...]
    always: tuple[PlayerId, ...]
    sometimes: tuple[PlayerId, ...]


def cut_at(standings: Standings, size: int, late_drops: Collection[PlayerId] = ()) -> Qualifiers:
    """Return the players who make a cut to `size` players.

    late_drops: players who left after the last round; `standings` already marks the players who left earlier
    """
    rows = [
        row
        for row in standings.rows
        if row.rank is not None and not row.has_dropped and row.player not in late_drops
    ]
    line = rows[size].rank if 0 < size < len(rows) and rows[size - 1].rank == rows[size].rank else None
    level = [row.player for row in rows if row.rank == line]
    through = [row.player for row in rows[:size] if row.rank != line]
    return Qualifiers(
        standings=standings,
        size=size,
        through=tuple(through),
        level=tuple(level),
        by_lot=() if level else _by_lot(standings.profile, rows, size),
    )


def _by_lot(profile: Profile, rows: Sequence[Row], size: int) -> tuple[PlayerId, ...]:
    """Return the players on both sides of the cut line whom only the lot separates.

    The line is after `size` rows. Empty if the lot does not decide who makes this cut.
    """
    if not 0 < size < len(rows):
        return ()
    line_players = {rows[size - 1].player, rows[size].player}
    return next((group for group in _lot_groups(profile, rows) if line_players <= {*group}), ())


def groups_split_by_lot(standings: Standings) -> tuple[tuple[PlayerId, ...], ...]:
    """Return the groups of players whom only the lot separates, each in order of rank."""
    rank = {row.player: row.rank for row in standings.rows if row.rank is not None}
    groups = _lot_groups(standings.profile, [row for row in standings.rows if row.player in rank])
    return tuple(group for group in groups if len({rank[player] for player in group}) > 1)


def _lot_groups(profile: Profile, rows: Sequence[Row]) -> tuple[tuple[PlayerId, ...], ...]:
    """Return groups of neighboring players who are equal in everything before the lot."""
    if LOT not in profile.order:
        return ()
    before = profile.order[: profile.order.index(LOT)]

    def standing(row: Row) -> tuple[object, ...]:
        points = row.points if POINTS in before else None
        return row.left_early, points, [key for key in row.keys if key.code in before]

    groups = ([row.player for row in group] for _, group in groupby(rows, standing))
    return tuple(tuple(group) for group in groups if len(group) > 1)


def find_qualifiers(
    scorecards: Scorecards, size: int, late_drops: Collection[PlayerId] = ()
) -> tuple[list[PlayerId], list[PlayerId]]:
    """Return the players who make the cut, in any order, and the players tied at the cut line.

    These are the same players as in `cut_at`, but found fast enough for thousands of simulated events: a
    tie-break is calculated only for players who are level at the line.
    """
    record, profile = scorecards.record, scorecards.profile
    groups = _ranked_groups(record, profile, record.players)
    through: list[PlayerId] = []
    for code in (None, *profile.order):
        if code is not None:
            row = tiebreaks.find(code)
            groups = _split(groups, values_of(scorecards, row, groups[0]).__getitem__, low=row.low)
        for group in groups:
            staying = [player for player in group if player not in record.drops and player not in late_drops]
            if len(through) + len(staying) > size:
                groups = [group]
                break
            through += staying
        else:
            return through, []
        if len(through) == size:
            return through, []
    return through, staying


def compare_cuts(
    standings: Sequence[Standings], *, cut: int, late_drops: Collection[PlayerId] = ()
) -> Comparison:
    """Compare several standings of the same tournament by the players who make the cut.

    cut:        the number of players in the cut
    late_drops: players who left after the last round; the standings already show the players who left earlier
    """
    cuts = tuple(cut_at(table, cut, late_drops) for table in standings)
    through = [frozenset(qualifiers.through) for qualifiers in cuts]
    candidates = dict.fromkeys(
        player for qualifiers in cuts for player in (*qualifiers.through, *qualifiers.level)
    )
    is_certain = {player: all(player in players for players in through) for player in candidates}
    return Comparison(
        size=cut,
        cuts=cuts,
        always=tuple(player for player, certain in is_certain.items() if certain),
        sometimes=tuple(player for player, certain in is_certain.items() if not certain),
    )


# -- Standings as text


def heading_text(standings: Standings) -> str:
    """Return a heading that says which results are counted.

    For example `after round 5`, or `round 5 so far: 9 of 16 tables entered`.
    """
    last = sum(number == standings.rounds for number, _ in standings.open_tables)
    heading = Message("after round {n}", n=standings.rounds)
    if last:
        heading = Message.plural(
            "round {round} so far: {entered} of {n} table entered",
            "round {round} so far: {entered} of {n} tables entered",
            standings.tables,
            round=standings.rounds,
            entered=standings.tables - last,
        )
    earlier = [number for number, _ in standings.open_tables if number != standings.rounds]
    still_open = (
        Message.plural(
            "{n} table of round {round} open", "{n} tables of round {round} open", tables, round=number
        )
        for number, tables in sorted(Counter(earlier).items())
    )
    return Message.joined(", ", [heading, *still_open])


def lacks_lot(standings: Standings) -> bool:
    """Return whether players share a place because the lot is not drawn.

    Before the first result all players are level, and the answer is False.
    """
    ranked_rows = [row for row in standings.rows if row.rank is not None]
    return (
        any(row.wins or row.losses or row.draws for row in ranked_rows)
        and standings.profile.has_lot
        and any(
            above.rank == below.rank and any(key.code == LOT and key.value is None for key in below.keys)
            for above, below in pairwise(ranked_rows)
        )
    )


def columns(standings: Standings) -> tuple[str, ...]:
    """Return the codes of the tie-breaks that the standings show as columns.

    Drawing lots, and tie-breaks whose value is a place (such as direct encounter), are shown only if they
    separated players. Tie-breaks that count games are not shown if every table has three or more seats.
    """
    return tuple(
        code
        for place, code in enumerate(standings.profile.tiebreaks)
        if (tiebreaks.find(code).unit not in ("place", "lot") or _separates_players(standings, place))
        and not (standings.has_only_large_tables and tiebreaks.find(code).looks_at == "games")
    )


def _separates_players(standings: Standings, place: int) -> bool:
    """Return whether the tie-break at index `place` separated two neighbors in the standings.

    The neighbors have equal points and are equal in all earlier tie-breaks. `place` is an index into
    `Profile.tiebreaks`, which does not contain the points.
    """
    return any(
        above.points == below.points
        and above.keys[:place] == below.keys[:place]
        and above.keys[place] != below.keys[place]
        for above, below in pairwise(row for row in standings.rows if row.rank is not None)
    )


def value_text(key: Key, profile: Profile) -> str:
    """Return a tie-break's value as text, such as `58.33` for a percentage and `1` for a place."""
    return text_of(key.value, tiebreaks.find(key.code).unit, profile)


def record_text(row: Row) -> str:
    """Return a player's wins–losses as text, followed by draws if there are any.

    >>> record_text(Row(rank=1, player=1, points=4, wins=2, losses=0, draws=1, keys=()))
    '2–0–1'
    """
    return f"{row.wins}–{row.losses}" + (f"–{row.draws}" if row.draws else "")


def note_text(row: Row, *, has_left: bool = False) -> str:
    """Return a note for the player's row: `disqualified` or `drop`, or an empty text.

    If the player left a round robin early, the note adds that the games are not counted.

    has_left: whether the player left after the last round of the record
    """
    note = "disqualified" if row.is_disqualified else "drop" if row.has_dropped or has_left else ""
    return f"{note}, games not counted" if row.left_early else note
