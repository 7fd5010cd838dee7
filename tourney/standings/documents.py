"""JSON documents of standings, explanations of ranks, profiles, and cuts under profiles."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tourney.document import Document, or_unset
from tourney.record import PlayerId, Seat
from tourney.standings.exact import Value, json_value
from tourney.standings.explaining import Explanation, Neighbour, TiebreakExplanation
from tourney.standings.profile import Profile
from tourney.standings.ranking import Comparison, Row
from tourney.standings.reading import Name
from tourney.standings.swaps import Swap
from tourney.standings.tally import Term
from tourney.standings.tiebreaks import find

SideOf = Callable[[PlayerId, int], str]
SeatsOf = Callable[[PlayerId, int], Sequence[Seat]]


class ExactValue(Struct, frozen=True, kw_only=True):
    """A value as a decimal and as a fraction.

    value: the value, or the nearest decimal; null if there is no value
    exact: the value as a fraction or a whole number; null if there is no value
    """

    value: int | float | None
    exact: str | None


def value_fields(value: Value) -> dict[str, Any]:
    """Return the fields that every `ExactValue` has."""
    return {"value": json_value(value), "exact": None if value is None else str(value)}


# -- tourney standings show


class RankedPlayer(Struct, frozen=True, kw_only=True):
    """A player in the standings.

    rank: the rank, from 1; tied players share a rank, as in 1, 2, 2, 4. Null for a disqualified player
    player: the player's name, or the number by which a file names the player
    number: the player's number
    points: points, as the profile counts them
    record: matches won, lost and drawn, as in `3-1-0`
    dropped: whether the player has left the event
    disqualified: whether the player is disqualified
    left_early: whether the player left before half of the games, so that the player's games do not count;
                left out if false
    """

    rank: int | None
    player: Name
    number: PlayerId
    points: int | float
    record: str
    dropped: bool
    disqualified: bool
    left_early: bool | UnsetType = UNSET


class TiebreakValue(ExactValue, frozen=True, kw_only=True):
    """The value of a tie-break.

    code: the code of the tie-break, as in `OMW`
    """

    code: str


class StandingsRow(RankedPlayer, frozen=True, kw_only=True):
    """A row of the standings.

    tiebreaks: the tie-breaks in the profile's order
    cut: whether the player makes the cut; left out without a cut
    level: whether the player is tied with others across the line of the cut; left out without a cut
    division: the player's division; left out without one
    division_place: the player's place in the division; left out without a division
    division_last: the last of the places in the division that tied players share; left out without a division
    """

    tiebreaks: tuple[TiebreakValue, ...]
    cut: bool | UnsetType = UNSET
    level: bool | UnsetType = UNSET
    division: str | UnsetType = UNSET
    division_place: int | UnsetType | None = UNSET
    division_last: int | UnsetType | None = UNSET


class UnfinishedTable(Struct, frozen=True):
    """A table that is still playing.

    round: the round's number
    table: the table's number
    """

    round: int
    table: int


class FinalPlaceRow(Struct, frozen=True, kw_only=True):
    """A place in the final ranking.

    place: the player's place, or the first of the places that players share; null without a place
    last: the last of the places that players share; null without a place
    player: the player's name
    number: the player's number
    bracket: how the player left the bracket, in words; empty for players who were not in it
    swiss: the rank in the Swiss rounds; null without one
    record: matches won, lost and drawn in the Swiss rounds; without Swiss rounds, in the bracket
    dropped: whether the player has left the event
    disqualified: whether the player is disqualified
    division: the player's division; left out without one
    division_place: the player's place in the division; left out without a division
    division_last: the last of the places in the division that tied players share; left out without a division
    """

    place: int | None
    last: int | None
    player: str
    number: PlayerId
    bracket: str
    swiss: int | None
    record: str
    dropped: bool
    disqualified: bool
    division: str | UnsetType = UNSET
    division_place: int | UnsetType | None = UNSET
    division_last: int | UnsetType | None = UNSET


class FinalRows(Struct, frozen=True):
    """The final ranking of an event with a bracket.

    finished: whether the bracket is over
    open: why the ranking is not final, in words; null if it is
    as_of: which results are counted, in words
    places: all players, or those of the division that was asked for
    """

    finished: bool
    open: str | None
    as_of: str
    places: tuple[FinalPlaceRow, ...]


class CutLine(Struct, frozen=True):
    """The cut of the standings.

    size: how many players make the cut
    made: whether the event has made this cut
    level: names of the players who are level across the line of the cut
    places: how many of these players can make the cut
    tie: a sentence on how the tie is decided; empty if no players are level
    """

    size: int
    made: bool
    level: tuple[Name, ...]
    places: int
    tie: str


class StandingsDocument(Document, frozen=True, kw_only=True, tag="tourney.standings/1"):
    """What `tourney standings --json` prints.

    profile: the name of the standings profile
    edition: the day from which its edition is in force; null if the profile has no editions
    source: the document that the profile is from
    after: the number of rounds that are counted
    order: the codes of the points and tie-breaks that rank the players, in order
    playing: tables that are still playing
    provisional: whether tables are still playing
    as_of: which results are counted, in words
    at: the number of the last journal entry that is counted; left out for the current state
    no_lot: why no lot was drawn between players who share a rank; left out if there are no such players
    final: the final ranking of an event with a bracket; left out without one
    division: the division that was asked for; left out if none was
    cut: the cut; for a file with divisions, the cut of each division; left out without a cut
    left_out: names of the players who are not ranked because they left before their first match
    standings: the players in order
    """

    profile: str
    edition: datetime.date | None
    source: str
    after: int
    order: tuple[str, ...]
    playing: tuple[UnfinishedTable, ...]
    provisional: bool
    as_of: str
    at: int | UnsetType = UNSET
    no_lot: str | UnsetType = UNSET
    final: FinalRows | UnsetType = UNSET
    division: str | UnsetType = UNSET
    cut: tuple[CutLine, ...] | UnsetType = UNSET
    left_out: tuple[Name, ...]
    standings: tuple[StandingsRow, ...]


def ranked_fields(
    row: Row, names: Mapping[PlayerId, Name], late_drops: Collection[PlayerId] = ()
) -> dict[str, Any]:
    """Return the fields that every `RankedPlayer` has.

    late_drops: players who left after the last round that is counted
    """
    return {
        "rank": row.rank,
        "player": names[row.player],
        "number": row.player,
        "points": row.points // 2 if row.points % 2 == 0 else row.points / 2,
        "record": f"{row.wins}-{row.losses}-{row.draws}",
        "dropped": row.has_dropped or (row.player in late_drops and not row.is_disqualified),
        "disqualified": row.is_disqualified,
        "left_early": or_unset(row.left_early or None),
    }


def division_fields(name: str, first: int | None, last: int | None) -> dict[str, Any]:
    """Return the fields for a player's place in a division; empty without a division."""
    return {"division": name, "division_place": first, "division_last": last} if name else {}


def tiebreak_values(row: Row) -> tuple[TiebreakValue, ...]:
    """Return a player's tie-breaks in the profile's order."""
    return tuple(TiebreakValue(code=key.code, **value_fields(key.value)) for key in row.keys)


# -- why a player has a rank


class EncounterPoints(ExactValue, frozen=True, kw_only=True):
    """A player's points against one of the players with whom the player is level.

    opponent: the opponent's name
    """

    opponent: Name


class EncounterRow(Struct, frozen=True):
    """The points of a player against the others who are level.

    player: the player's name
    points: the points against each of the others
    """

    player: Name
    points: tuple[EncounterPoints, ...]


class ScoreLineRow(ExactValue, frozen=True, kw_only=True):
    """The contribution of one round to a tie-break.

    round: the number of the round
    outcome: the outcome for the player
    opponents: names of the opponents
    raw: the value before a floor, a cap or a cut changed it; null if none did
    note: the reason for this value; can be empty
    worked: the arithmetic of the value; can be empty
    of: the number of games played, if `value` is the number of games won; otherwise null
    made: the opponent's rounds, from which `worked` is calculated: one line for each round. If the values of
          several opponents at one table are added, there is one line for each opponent instead, and the
          `made` of an opponent's line has the rounds of this opponent. Empty if no opponent's value counts
    """

    round: int
    outcome: str
    opponents: tuple[Name, ...]
    raw: str | None
    note: str
    worked: str
    of: int | None
    made: tuple[ScoreLineRow, ...]


class ExplainedTiebreak(ExactValue, frozen=True, kw_only=True):
    """A tie-break of the player with its arithmetic.

    code: the code of the tie-break, as in `OMW`
    name: the name of the tie-break
    source: the document that defines the tie-break
    how: how the value is calculated from `lines`, as in `mean` or `sum`
    note: what changed the value afterwards; can be empty
    raw: the value before a floor or a cap changed it; null if none did
    worked: the arithmetic of the value; can be empty
    among: names of the players among whom it is calculated; empty for most tie-breaks
    met: the points of each of these players against the others
    lines: the contribution of each round
    parts: the tie-breaks that this one combines
    """

    code: str
    name: str
    source: str
    how: str
    note: str
    raw: str | None
    worked: str
    among: tuple[Name, ...]
    met: tuple[EncounterRow, ...]
    lines: tuple[ScoreLineRow, ...]
    parts: tuple[ExplainedTiebreak, ...]


class SwapSeat(Struct, frozen=True, kw_only=True):
    """A seat in a hypothetical result that would have swapped two players in the standings.

    player: the player's name
    outcome: the outcome for the player in this result
    games: games won
    score: the score of the match; null without one
    side: the player's side; left out in an event without sides
    """

    player: Name
    outcome: str
    games: int | None
    score: int | None
    side: str | UnsetType = UNSET


class SwapRow(Struct, frozen=True):
    """A hypothetical result of one table that would have swapped two players in the standings.

    round: the number of the round
    table: the number of the table
    seats: the hypothetical result, seat by seat
    drawn_games: the number of drawn games in this result
    """

    round: int
    table: int
    seats: tuple[SwapSeat, ...]
    drawn_games: int | None


class NeighbourRow(Struct, frozen=True):
    """The next player above or below in the standings.

    player: the player's name
    rank: the player's rank; null without one
    separated_by: the code of the first tie-break whose values differ, `PTS` for points; null for level
                  players
    own: the value of that tie-break for the player who was asked about
    theirs: the value of that tie-break for this player
    swaps: different results of a single table that would have swapped the two players
    searched: which other results were tried, in words
    searched_all: whether every table was tried
    """

    player: Name
    rank: int | None
    separated_by: str | None
    own: ExactValue
    theirs: ExactValue
    swaps: tuple[SwapRow, ...]
    searched: str
    searched_all: bool


class SideRow(Struct, frozen=True):
    """The side, such as Red or Black, that the player had in a round.

    round: the number of the round
    side: the side, such as `Red`; `Red first` in a match of several games
    """

    round: int
    side: str


class SeatScore(Struct, frozen=True):
    """The score of a player in a match.

    player: the player's name
    score: the score; null without one
    """

    player: Name
    score: int | None


class ScoreRow(Struct, frozen=True):
    """The scores of the player's match in a round.

    round: the number of the round
    seats: the seats, the player's own first
    """

    round: int
    seats: tuple[SeatScore, ...]


class RankExplanation(Document, RankedPlayer, frozen=True, kw_only=True, tag="tourney.standings-why/1"):
    """What `tourney standings why PLAYER --json` prints.

    profile: the name of the standings profile
    edition: the day from which its edition is in force; null if the profile has no editions
    after: the number of rounds that are counted
    provisional: whether tables are still playing
    as_of: which results are counted, in words
    at: the number of the last journal entry that is counted; left out for the current state
    tiebreaks: the tie-breaks in the profile's order, with their arithmetic
    above: the next player above; null for the first
    below: the next player below; null for the last
    final: the player's final place; left out in an event without a bracket
    sides: the player's side in each round; left out in an event without sides
    scores: the scores of the player's matches; left out if none has a score
    """

    profile: str
    edition: datetime.date | None
    after: int
    provisional: bool
    as_of: str
    at: int | UnsetType = UNSET
    tiebreaks: tuple[ExplainedTiebreak, ...]
    above: NeighbourRow | None
    below: NeighbourRow | None
    final: FinalPlaceRow | UnsetType = UNSET
    sides: tuple[SideRow, ...] | UnsetType = UNSET
    scores: tuple[ScoreRow, ...] | UnsetType = UNSET


def rank_explanation(
    explanation: Explanation,
    names: Mapping[PlayerId, Name],
    *,
    as_of: str,
    late_drops: Collection[PlayerId] = (),
    at: int | None = None,
    final: FinalPlaceRow | None = None,
    side_of: SideOf | None = None,
    seats_of: SeatsOf = lambda _player, _round: (),
) -> RankExplanation:
    """Return the document that explains a player's rank.

    as_of: which results are counted, in words
    late_drops: players who left after the last round that is counted
    at: the number of the last journal entry that is counted; None for the current state
    side_of: a function that returns the side (such as White) of a player in a round; None to leave sides out
    seats_of: a function that returns the seats of a player's match in a round, the player's own seat first;
              empty without a result, and for results that were read from a file
    """
    player, standings = explanation.row.player, explanation.standings
    rounds = range(1, standings.rounds + 1)
    sides = ((number, side_of(player, number)) for number in rounds) if side_of else ()
    matches = ((number, seats_of(player, number)) for number in rounds)
    scores = tuple(
        ScoreRow(number, tuple(SeatScore(names[seat.player], seat.score) for seat in seats))
        for number, seats in matches
        if any(seat.score is not None for seat in seats)
    )
    return RankExplanation(
        **ranked_fields(explanation.row, names, late_drops),
        profile=explanation.profile.name,
        edition=explanation.profile.edition,
        after=standings.rounds,
        provisional=bool(standings.open_tables),
        as_of=as_of,
        at=or_unset(at),
        tiebreaks=tuple(_tiebreak(tiebreak, names) for tiebreak in explanation.tiebreaks),
        above=_neighbour(explanation.above, names, side_of),
        below=_neighbour(explanation.below, names, side_of),
        final=or_unset(final),
        sides=tuple(SideRow(number, side) for number, side in sides if side) if side_of else UNSET,
        scores=scores or UNSET,
    )


def _tiebreak(tiebreak: TiebreakExplanation, names: Mapping[PlayerId, Name]) -> ExplainedTiebreak:
    return ExplainedTiebreak(
        **value_fields(tiebreak.value),
        code=tiebreak.code,
        name=tiebreak.rule.name,
        source=tiebreak.rule.source,
        how=tiebreak.method,
        note=tiebreak.note,
        raw=None if tiebreak.raw is None else str(tiebreak.raw),
        worked=tiebreak.arithmetic,
        among=tuple(names[player] for player in tiebreak.level_players),
        met=tuple(
            EncounterRow(
                names[player],
                tuple(
                    EncounterPoints(opponent=names[other], **value_fields(points))
                    for other, points in points_against.items()
                ),
            )
            for player, points_against in tiebreak.meetings.items()
        ),
        lines=tuple(_line(line, names) for line in tiebreak.lines),
        parts=tuple(_tiebreak(part, names) for part in tiebreak.parts),
    )


def _line(line: Term, names: Mapping[PlayerId, Name]) -> ScoreLineRow:
    return ScoreLineRow(
        **value_fields(line.value),
        round=line.entry.round,
        outcome=line.entry.outcome.value,
        opponents=tuple(names[player] for player in line.opponents),
        raw=None if line.raw is None else str(line.raw),
        note=line.note,
        worked=line.arithmetic,
        of=line.games_played,
        made=tuple(_line(part, names) for part in line.opponent_terms),
    )


def _neighbour(
    other: Neighbour | None, names: Mapping[PlayerId, Name], side_of: SideOf | None
) -> NeighbourRow | None:
    if other is None:
        return None
    return NeighbourRow(
        player=names[other.row.player],
        rank=other.row.rank,
        separated_by=other.code,
        own=ExactValue(**value_fields(other.player_value)),
        theirs=ExactValue(**value_fields(other.neighbour_value)),
        swaps=tuple(_swap(swap, names, side_of) for swap in other.search.swaps),
        searched=other.search.alternatives.description,
        searched_all=other.search.is_complete,
    )


def _swap(swap: Swap, names: Mapping[PlayerId, Name], side_of: SideOf | None) -> SwapRow:
    return SwapRow(
        round=swap.round,
        table=swap.table.number,
        seats=tuple(
            SwapSeat(
                player=names[seat.player],
                outcome=seat.outcome.value,
                games=seat.games,
                score=seat.score,
                side=side_of(seat.player, swap.round) if side_of else UNSET,
            )
            for seat in swap.new_result.seats
        ),
        drawn_games=swap.new_result.drawn_games,
    )


# -- profiles


class EditionRow(Struct, frozen=True):
    """An edition of a profile.

    since: the day from which the edition is in force
    source: the document that defines the edition
    """

    since: datetime.date
    source: str


class TiebreakRow(Struct, frozen=True):
    """A tie-break of a profile.

    code: its code, such as `OMW`
    name: its name
    source: the document that defines the tie-break
    lower_is_better: whether a lower value ranks higher
    """

    code: str
    name: str
    source: str
    lower_is_better: bool


class ProfileSummary(Struct, frozen=True, kw_only=True):
    """A standings profile.

    name: its name, as in `--profile mtr`
    title: whose rules the profile contains
    source: the document that defines these rules
    date: the date of that document
    extends: the profile that this one extends; null if it does not extend a profile
    edition: the day from which this edition is in force; null if the profile has no editions
    editions: all its editions, the oldest first
    order: the codes by which players are ranked, in order
    points: the points of each outcome
    notes: remarks about the profile, in sentences
    """

    name: str
    title: str
    source: str
    date: datetime.date
    extends: str | None
    edition: datetime.date | None
    editions: tuple[EditionRow, ...]
    order: tuple[TiebreakRow, ...]
    points: Mapping[str, int | float | None]
    notes: tuple[str, ...]


class ShownProfile(Document, ProfileSummary, frozen=True, tag="tourney.standings-profile/1"):
    """What `tourney standings profiles NAME --json` prints."""


class ProfileList(Document, frozen=True, tag="tourney.standings-profiles/1"):
    """What `tourney standings profiles --json` prints.

    profiles: all standings profiles
    """

    profiles: tuple[ProfileSummary, ...]


class ProfileCut(Struct, frozen=True):
    """The cut under a profile.

    profile: the name of the profile
    edition: the day from which its edition is in force; null if the profile has no editions
    through: names of the players who make the cut, in order
    level: names of the players who are tied at the cut line
    places: how many of the tied players can make the cut
    """

    profile: str
    edition: datetime.date | None
    through: tuple[Name, ...]
    level: tuple[Name, ...]
    places: int


class CutComparison(Document, frozen=True, kw_only=True, tag="tourney.standings-compare/1"):
    """What `tourney standings compare PROFILE PROFILE --json` prints.

    cut: the size of the cut
    provisional: whether tables are still playing
    as_of: which results are counted, in words
    at: the number of the last journal entry that is counted; left out for the current state
    always: names of the players who make the cut under every profile
    sometimes: names of the players who make the cut under only some profiles, or are tied at the cut line
    profiles: the cut under each profile
    """

    cut: int
    provisional: bool
    as_of: str
    at: int | UnsetType = UNSET
    always: tuple[Name, ...]
    sometimes: tuple[Name, ...]
    profiles: tuple[ProfileCut, ...]


def profile_summary(profile: Profile) -> ProfileSummary:
    """Return a profile with its tie-breaks."""
    return ProfileSummary(
        name=profile.name,
        title=profile.title,
        source=profile.source,
        date=profile.since,
        extends=profile.extends,
        edition=profile.edition,
        editions=tuple(EditionRow(edition.since, edition.source) for edition in profile.editions),
        order=tuple(
            TiebreakRow(code, find(code).name, find(code).source, find(code).low) for code in profile.order
        ),
        points={outcome.value: json_value(profile.points_of(outcome)) for outcome in profile.outcomes},
        notes=profile.notes,
    )


def shown_profile(profile: Profile) -> ShownProfile:
    """Return a profile as a document."""
    return ShownProfile(**msgspec.structs.asdict(profile_summary(profile)))


def cut_comparison(
    comparison: Comparison, names: Mapping[PlayerId, Name], *, as_of: str, at: int | None
) -> CutComparison:
    """Return the cuts under several profiles as a document.

    as_of: which results are counted, in words
    at:    the number of the last journal entry that is counted; None for the current state
    """

    def list_names(players: tuple[PlayerId, ...]) -> tuple[Name, ...]:
        return tuple(names[player] for player in players)

    return CutComparison(
        cut=comparison.size,
        provisional=bool(comparison.cuts[0].standings.open_tables),
        as_of=as_of,
        at=or_unset(at),
        always=list_names(comparison.always),
        sometimes=list_names(comparison.sometimes),
        profiles=tuple(
            ProfileCut(
                profile=cut.standings.profile.name,
                edition=cut.standings.profile.edition,
                through=list_names(cut.through),
                level=list_names(cut.level),
                places=cut.places,
            )
            for cut in comparison.cuts
        ),
    )
