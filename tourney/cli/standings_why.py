"""`tourney standings why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.completers import players
from tourney.cli.session import Session
from tourney.cli.standings import row_json
from tourney.cli.standings_asked import Asked, Options, asking

if TYPE_CHECKING:
    from tourney.standings import Explained, Explanation, Line, Neighbour, Swap
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
    would have swapped them, all else as it was.
    """
    from tourney.errors import TourneyError
    from tourney.standings import why
    from tourney.standings.telling import told

    asked = Options(**options).asked(session)
    player = asked.find(who)
    try:
        explanation = why(asked.record, asked.profile, player, seed=asked.seed, form=asked.form())
    except KeyError:
        raise TourneyError(f"{asked.name(player)} is not in the standings: dropped before round 1") from None
    if session.json:
        session.emit("standings-why/1", _as_json(asked, explanation))
        return
    session.say("\n".join(told(explanation, asked.name)))


def _as_json(asked: Asked, explanation: Explanation) -> dict[str, Any]:
    from tourney.standings.printing import heading_text

    return {
        "profile": explanation.profile.name,
        "edition": explanation.profile.edition,
        "after": explanation.standings.rounds,
        "provisional": bool(explanation.standings.playing),
        "as_of": heading_text(explanation.standings),
        **row_json(asked, explanation.row),
        "tiebreaks": [_tiebreak(asked, each) for each in explanation.tiebreaks],
        "above": _neighbour(asked, explanation.above),
        "below": _neighbour(asked, explanation.below),
    }


def _both(value: Value) -> dict[str, Any]:
    from tourney.standings.printing import json_value

    return {"value": json_value(value), "exact": None if value is None else str(value)}


def _tiebreak(asked: Asked, each: Explained) -> dict[str, Any]:
    return {
        "code": each.code,
        "name": each.name,
        "source": each.source,
        **_both(each.value),
        "how": each.how,
        "note": each.note,
        "raw": None if each.raw is None else str(each.raw),
        "worked": each.worked,
        "among": [asked.names[player] for player in each.among],
        "met": [
            {
                "player": asked.names[met.player],
                "points": [{"opponent": asked.names[other], **_both(points)} for other, points in met.points],
            }
            for met in each.met
        ],
        "lines": [_line(asked, line) for line in each.lines],
        "parts": [_tiebreak(asked, part) for part in each.parts],
    }


def _line(asked: Asked, line: Line) -> dict[str, Any]:
    return {
        "round": line.round,
        "outcome": line.outcome.value,
        "opponents": [asked.names[player] for player in line.opponents],
        **_both(line.value),
        "raw": None if line.raw is None else str(line.raw),
        "note": line.note,
        "worked": line.worked,
        "of": line.of,
        "made": [_line(asked, made) for made in line.made],
    }


def _neighbour(asked: Asked, other: Neighbour | None) -> dict[str, Any] | None:
    if other is None:
        return None
    return {
        "player": asked.names[other.row.player],
        "rank": other.row.rank,
        "separated_by": other.code,
        "own": _both(other.own),
        "theirs": _both(other.theirs),
        "swaps": [_swap(asked, swap) for swap in other.swaps],
        "searched": other.search.alternatives.tried,
        "searched_all": other.search.whole,
    }


def _swap(asked: Asked, swap: Swap) -> dict[str, Any]:
    return {
        "round": swap.round,
        "table": swap.table.number,
        "seats": [
            {
                "player": asked.names[seat.player],
                "outcome": seat.outcome.value,
                "games": seat.games,
                "score": seat.score,
            }
            for seat in swap.instead.seats
        ],
        "drawn_games": swap.instead.drawn_games,
    }
