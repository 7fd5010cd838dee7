"""JSON documents of standings, of an event or of a file of results."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tourney.cli.standings_results import RankedResults
from tourney.document import Document, or_unset
from tourney.event.field import DivisionPlace
from tourney.event.view import FinalView, PlaceView
from tourney.record import PlayerId
from tourney.standings import Explained, Explanation, Neighbour, Row, ScoreLine, Swap
from tourney.standings.documents import ExactValue, value_fields
from tourney.standings.reading import Name


class RankedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player in the standings.

    rank: the rank, which level players share; null without one
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
    division_place: the first of the player's places in the division; left out without a division
    division_last: the last of the player's places in the division; left out without a division
    """

    tiebreaks: tuple[TiebreakValue, ...]
    cut: bool | UnsetType = UNSET
    level: bool | UnsetType = UNSET
    division: str | UnsetType = UNSET
    division_place: int | UnsetType | None = UNSET
    division_last: int | UnsetType | None = UNSET


class UnfinishedTable(msgspec.Struct, frozen=True):
    """A table that is still playing.

    round: the round's number
    table: the table's number
    """

    round: int
    table: int


class FinalPlaceRow(msgspec.Struct, frozen=True, kw_only=True):
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
    division_place: the first of the player's places in the division; left out without a division
    division_last: the last of the places that players share; left out without a division
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


class FinalRows(msgspec.Struct, frozen=True):
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


class CutLine(msgspec.Struct, frozen=True):
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
    at: the entry after which the event is shown; left out for the current state
    no_lot: why no lot was drawn between players who share a rank; left out if there are no such players
    final: the final ranking of an event with a bracket; left out without one
    division: the division that was asked for; left out if none was
    cut: the cut, and for a file the cut of each division; left out without a cut
    left_out: names of the players who are not ranked because they left before their first match
    standings: the players in order
    """

    profile: str
    edition: date | None
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


def ranked_fields(results: RankedResults, row: Row) -> dict[str, Any]:
    """Return the fields that every `RankedPlayer` has."""
    has_left = row.player in results.gone and row.player not in results.record.disqualified
    return {
        "rank": row.rank,
        "player": results.names[row.player],
        "number": row.player,
        "points": row.points // 2 if row.points % 2 == 0 else row.points / 2,
        "record": f"{row.wins}-{row.losses}-{row.draws}",
        "dropped": row.dropped or has_left,
        "disqualified": row.disqualified,
        "left_early": or_unset(row.left_early or None),
    }


def standings_row(
    results: RankedResults,
    row: Row,
    *,
    cut: tuple[bool, bool] | None,
    division: str = "",
    place: DivisionPlace | None = None,
) -> StandingsRow:
    """Return a row of the standings.

    cut: whether the player makes the cut and is level across its line; None without a cut
    division: the division of a file, which is ranked by itself; empty otherwise
    place: the player's place in a division of an event; None without one
    """
    through, level = cut or (UNSET, UNSET)
    return StandingsRow(
        **ranked_fields(results, row),
        tiebreaks=tuple(TiebreakValue(code=key.code, **value_fields(key.value)) for key in row.keys),
        cut=through,
        level=level,
        **(_division(*place) if place else {"division": or_unset(division or None)}),
    )


def _division(name: str, first: int | None, last: int | None) -> dict[str, Any]:
    return {"division": name, "division_place": first, "division_last": last} if name else {}


def final_place(row: PlaceView) -> FinalPlaceRow:
    """Return a place of the final ranking."""
    return FinalPlaceRow(
        place=row.first,
        last=row.last,
        player=row.name,
        number=row.player,
        bracket=row.bracket,
        swiss=row.swiss,
        record=row.record.replace("–", "-"),
        dropped=row.note == "drop",
        disqualified=row.note == "disqualified",
        **_division(row.division, row.division_place, row.division_last),
    )


def final_ranking(final: FinalView, division: str) -> FinalRows:
    """Return the final ranking of all players, or of one division."""
    return FinalRows(
        finished=final.finished,
        open=final.why_not or None,
        as_of=final.counts,
        places=tuple(final_place(row) for row in final.rows if not division or row.division == division),
    )


# -- why a player has a rank


class EncounterPoints(ExactValue, frozen=True, kw_only=True):
    """Points against one of the players who are level.

    opponent: the opponent's name
    """

    opponent: Name


class EncounterRow(msgspec.Struct, frozen=True):
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
    of: the number of games of which `value` were won; null if games are not counted
    made: the contributions to the opponent's own value, from which `worked` is calculated
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


class SwapSeat(msgspec.Struct, frozen=True, kw_only=True):
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


class SwapRow(msgspec.Struct, frozen=True):
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


class NeighbourRow(msgspec.Struct, frozen=True):
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


class SideRow(msgspec.Struct, frozen=True):
    """The player's side in a round.

    round: the number of the round
    side: the side
    """

    round: int
    side: str


class SeatScore(msgspec.Struct, frozen=True):
    """The score of a player in a match.

    player: the player's name
    score: the score; null without one
    """

    player: Name
    score: int | None


class ScoreRow(msgspec.Struct, frozen=True):
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
    at: the entry after which the event is shown; left out for the current state
    tiebreaks: the tie-breaks in the profile's order, with their arithmetic
    above: the next player above; null for the first
    below: the next player below; null for the last
    final: the player's final place; left out in an event without a bracket
    sides: the player's side in each round; left out in an event without sides
    scores: the scores of the player's matches; left out if none has a score
    """

    profile: str
    edition: date | None
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


def rank_explanation(results: RankedResults, explanation: Explanation) -> RankExplanation:
    """Return why a player has a rank."""
    player, standings = explanation.row.player, explanation.standings
    return RankExplanation(
        **ranked_fields(results, explanation.row),
        profile=explanation.profile.name,
        edition=explanation.profile.edition,
        after=standings.rounds,
        provisional=bool(standings.playing),
        as_of=results.heading(standings),
        at=or_unset(results.at),
        tiebreaks=tuple(_tiebreak(results, tiebreak) for tiebreak in explanation.tiebreaks),
        above=_neighbour(results, explanation.above),
        below=_neighbour(results, explanation.below),
        final=final_place(results.final.row(player)) if results.final else UNSET,
        sides=_sides(results, player, standings.rounds),
        scores=or_unset(_scores(results, player, standings.rounds) or None),
    )


def _sides(results: RankedResults, player: PlayerId, rounds: int) -> tuple[SideRow, ...] | UnsetType:
    if results.side_of is None:
        return UNSET
    sides = [(number, results.side_of(player, number)) for number in range(1, rounds + 1)]
    return tuple(SideRow(number, side) for number, side in sides if side)


def _scores(results: RankedResults, player: PlayerId, rounds: int) -> tuple[ScoreRow, ...]:
    matches = [(number, results.seats_of(player, number)) for number in range(1, rounds + 1)]
    return tuple(
        ScoreRow(number, tuple(SeatScore(results.names[seat.player], seat.score) for seat in seats))
        for number, seats in matches
        if any(seat.score is not None for seat in seats)
    )


def _tiebreak(results: RankedResults, explained: Explained) -> ExplainedTiebreak:
    names = results.names
    return ExplainedTiebreak(
        **value_fields(explained.value),
        code=explained.code,
        name=explained.name,
        source=explained.source,
        how=explained.how,
        note=explained.note,
        raw=None if explained.raw is None else str(explained.raw),
        worked=explained.worked,
        among=tuple(names[player] for player in explained.among),
        met=tuple(
            EncounterRow(
                names[player],
                tuple(
                    EncounterPoints(opponent=names[other], **value_fields(points))
                    for other, points in made.items()
                ),
            )
            for player, made in explained.met.items()
        ),
        lines=tuple(_line(results, line) for line in explained.lines),
        parts=tuple(_tiebreak(results, part) for part in explained.parts),
    )


def _line(results: RankedResults, line: ScoreLine) -> ScoreLineRow:
    return ScoreLineRow(
        **value_fields(line.value),
        round=line.round,
        outcome=line.outcome.value,
        opponents=tuple(results.names[player] for player in line.opponents),
        raw=None if line.raw is None else str(line.raw),
        note=line.note,
        worked=line.worked,
        of=line.of,
        made=tuple(_line(results, part) for part in line.made),
    )


def _neighbour(results: RankedResults, other: Neighbour | None) -> NeighbourRow | None:
    if other is None:
        return None
    return NeighbourRow(
        player=results.names[other.row.player],
        rank=other.row.rank,
        separated_by=other.code,
        own=ExactValue(**value_fields(other.own)),
        theirs=ExactValue(**value_fields(other.theirs)),
        swaps=tuple(_swap(results, swap) for swap in other.search.swaps),
        searched=other.search.alternatives.tried,
        searched_all=other.search.whole,
    )


def _swap(results: RankedResults, swap: Swap) -> SwapRow:
    return SwapRow(
        round=swap.round,
        table=swap.table.number,
        seats=tuple(
            SwapSeat(
                player=results.names[seat.player],
                outcome=seat.outcome.value,
                games=seat.games,
                score=seat.score,
                side=results.side_of(seat.player, swap.round) if results.side_of else UNSET,
            )
            for seat in swap.instead.seats
        ),
        drawn_games=swap.instead.drawn_games,
    )
