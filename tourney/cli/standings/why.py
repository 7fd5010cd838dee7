"""`tourney standings why`: a player's place, as arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.completing import players
from tourney.cli.session import Session
from tourney.cli.standings.results import RankedResults, StandingsRequest, asking, place_json, row_json
from tourney.errors import TourneyError
from tourney.standings.exact import json_value

if TYPE_CHECKING:
    from tourney.event.view import FinalView
    from tourney.record import PlayerId
    from tourney.standings import Explained, Explanation, Neighbour, ScoreLine, Swap
    from tourney.standings.exact import Value


@command(
    "why",
    event=True,
    examples=[
        "tourney standings why Mira",
        "tourney standings why '#7' --after 3",
        "tourney standings why Mira --from results.csv --profile mtr",
    ],
)
@click.argument("who", metavar="PLAYER", shell_complete=players)
@asking
def why_(session: Session, who: str, **options: Any) -> None:
    """Tell why a player stands where they stand.

    Every opponent's term of every tie-break with floors and byes and the opponent's own results, as arithmetic in
    exact fractions; what lies between the neighbours above and below; and which other single result, of any match,
    would have swapped them, all else as it was. Where a bracket is played, its place comes first.
    """
    from tourney.standings import why
    from tourney.standings.describing import describe

    results = StandingsRequest(**options).read(session)
    player = results.find(who)
    try:
        explanation = why(results.record, results.profile, player, seed=results.seed, form=results.form())
    except KeyError:
        raise TourneyError(
            f"{results.name(player)} is not in the standings: dropped before round 1"
        ) from None
    if session.json:
        session.emit("standings-why/1", _explanation_json(results, explanation))
        return
    if results.at is not None:
        session.say(f"As of entry {results.at}\n")
    if results.final is not None:
        session.say(_final_text(results.final, player))
        if not results.final.swiss:
            return
        session.say("\nIn the Swiss rounds:")
    side_of = results.side_of or (lambda _player, _round: "")

    def score_of(player: PlayerId, number: int) -> str:
        seats = results.seats_of(player, number)
        if not seats:
            return ""
        from tourney.event.phrases import scores_text

        return scores_text(seats)

    session.say("\n".join(describe(explanation, results.name, side_of, score_of)))


def _final_text(final: FinalView, player: PlayerId) -> str:
    """Say a player's place in the final ranking, and by what it is given."""
    row = final.row(player)
    came = f", {row.came}" if row.came else ""
    if row.first is None:
        return f"{row.name}: no place{f', {row.note}' if row.note else ''}{came}"
    return f"{row.name}: {row.places}{came} ({final.title[:1].lower()}{final.title[1:]})\n{final.how}"


def _explanation_json(results: RankedResults, explanation: Explanation) -> dict[str, Any]:
    return {
        "profile": explanation.profile.name,
        "edition": explanation.profile.edition,
        "after": explanation.standings.rounds,
        "provisional": bool(explanation.standings.playing),
        "as_of": results.heading(explanation.standings),
        **({} if results.at is None else {"at": results.at}),
        **row_json(results, explanation.row),
        "tiebreaks": [_tiebreak(results, each) for each in explanation.tiebreaks],
        "above": _neighbour(results, explanation.above),
        "below": _neighbour(results, explanation.below),
        **({"final": place_json(results.final.row(explanation.row.player))} if results.final else {}),
        **_sides(results, explanation),
        **_scores(results, explanation),
    }


def _sides(results: RankedResults, explanation: Explanation) -> dict[str, Any]:
    """Return which side the player had in each round, in an event with sides."""
    if results.side_of is None:
        return {}
    rounds = range(1, explanation.standings.rounds + 1)
    had = [(number, results.side_of(explanation.row.player, number)) for number in rounds]
    return {"sides": [{"round": number, "side": side} for number, side in had if side]}


def _scores(results: RankedResults, explanation: Explanation) -> dict[str, Any]:
    """Return the scores of the player's matches, their own first, in an event where any has one."""
    rounds = range(1, explanation.standings.rounds + 1)
    ended = [(number, results.seats_of(explanation.row.player, number)) for number in rounds]
    scores = [
        {
            "round": number,
            "seats": [{"player": results.names[seat.player], "score": seat.score} for seat in seats],
        }
        for number, seats in ended
        if any(seat.score is not None for seat in seats)
    ]
    return {"scores": scores} if scores else {}


def _tiebreak(results: RankedResults, each: Explained) -> dict[str, Any]:
    return {
        "code": each.code,
        "name": each.name,
        "source": each.source,
        **_both(each.value),
        "how": each.how,
        "note": each.note,
        "raw": None if each.raw is None else str(each.raw),
        "worked": each.worked,
        "among": [results.names[player] for player in each.among],
        "met": [
            {
                "player": results.names[met.player],
                "points": [
                    {"opponent": results.names[other], **_both(points)} for other, points in met.points
                ],
            }
            for met in each.met
        ],
        "lines": [_line(results, line) for line in each.lines],
        "parts": [_tiebreak(results, part) for part in each.parts],
    }


def _line(results: RankedResults, line: ScoreLine) -> dict[str, Any]:
    return {
        "round": line.round,
        "outcome": line.outcome.value,
        "opponents": [results.names[player] for player in line.opponents],
        **_both(line.value),
        "raw": None if line.raw is None else str(line.raw),
        "note": line.note,
        "worked": line.worked,
        "of": line.of,
        "made": [_line(results, made) for made in line.made],
    }


def _neighbour(results: RankedResults, other: Neighbour | None) -> dict[str, Any] | None:
    if other is None:
        return None
    return {
        "player": results.names[other.row.player],
        "rank": other.row.rank,
        "separated_by": other.code,
        "own": _both(other.own),
        "theirs": _both(other.theirs),
        "swaps": [_swap(results, swap) for swap in other.swaps],
        "searched": other.search.alternatives.tried,
        "searched_all": other.search.whole,
    }


def _swap(results: RankedResults, swap: Swap) -> dict[str, Any]:
    return {
        "round": swap.round,
        "table": swap.table.number,
        "seats": [
            {
                "player": results.names[seat.player],
                "outcome": seat.outcome.value,
                "games": seat.games,
                "score": seat.score,
                **({"side": results.side_of(seat.player, swap.round)} if results.side_of else {}),
            }
            for seat in swap.instead.seats
        ],
        "drawn_games": swap.instead.drawn_games,
    }


def _both(value: Value) -> dict[str, Any]:
    return {"value": json_value(value), "exact": None if value is None else str(value)}
