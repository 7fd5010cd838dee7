"""`tourney standings show`, `why`: who is ahead, by the rounds counted or by the bracket, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

import click

from tourney.cli.command import command
from tourney.cli.options import players
from tourney.cli.output import table_style
from tourney.cli.session import Session
from tourney.cli.standings.profiles import show_comparison
from tourney.cli.standings.results import (
    RankedResults,
    StandingsRequest,
    asking,
    division_json,
    place_json,
    row_json,
)
from tourney.errors import TourneyError
from tourney.event.phrases import scores_text, tables_text
from tourney.event.view import FinalView
from tourney.record import PlayerId
from tourney.spreadsheet import format_csv
from tourney.standings import (
    Explained,
    Explanation,
    Neighbour,
    Qualifiers,
    ScoreLine,
    Standings,
    Swap,
    cut_at,
    rank,
    why,
)
from tourney.standings.exact import Value, json_value
from tourney.standings.profile import LOT
from tourney.standings.ranking import columns, note_text, record_text, value_text
from tourney.standings.tiebreaks import find
from tourney.wording import as_of, listed

# -- tourney standings show: the ranking


@command(
    "show",
    event=True,
    examples=[
        "tourney standings",
        "tourney standings --after 3 --cut 8",
        "tourney standings --from results.csv --profile mtr",
        "tourney standings --from open.trf --profile fide --on 2025-01-01 --json",
    ],
)
@asking
@click.option("--cut", metavar="N", type=click.IntRange(min=1), help="Mark the first N who are still in.")
@click.option(
    "--table", "style", metavar="FMT", default="text", help="text, markdown, csv, tsv, html or another form."
)
@click.option("--division", metavar="NAME", help="Only players of a division, with their places in it.")
@click.option("--swiss", is_flag=True, help="The Swiss standings, also where a bracket gives the places.")
@click.option(
    "--compare", "comparing", is_flag=True, help="Show who makes the cut under each profile there is."
)
def show(
    session: Session,
    cut: int | None,
    style: str,
    comparing: bool,
    *,
    division: str | None,
    swiss: bool,
    request: StandingsRequest,
) -> None:
    """Show the standings: of the event, or of a file of results with --from.

    Where a bracket is played, its places are the ranking: the bracket first, then everybody else by rank in the Swiss
    rounds. --swiss shows those rounds alone, with their tie-breaks; so does each option that asks for other standings.

    A file holds JSON, comma-separated lines (`round,player1,player2,wins1,wins2,draws`; an empty player2 is a bye) or
    a Tournament Report File. Values are exact inside; printed decimals are rounded half up.

    Where players have a tag `division`, its places stand beside those of all: whoever is ahead there is ahead here.
    """
    if comparing and division is not None:
        raise click.UsageError("--compare is about the cut, which knows no division")
    style = table_style(style)
    if comparing:
        show_comparison(session, request, session.library().profiles(), cut or 8)
        return
    results = request.read(session)
    if division is not None:
        results = results.of_division(division)
    tables = _standings(results)
    if session.json:
        session.emit("standings/1", _as_json(results, tables, cut))
        return
    if results.stuck:
        session.warn(
            f"the places of the bracket cannot be told: {results.stuck}",
            "`tourney event log`, `tourney event undo ENTRY`",
        )
    if results.final is not None and not swiss and cut is None:
        _print_final(session, results, results.final, style)
        _mind_lot(session, results, tables[0][1])
        return
    for i, (name, table) in enumerate(tables):
        if name:
            session.say(f"{'' if i == 0 else chr(10)}{name}")
        _print(session, results, table, cut=cut, style=style)
    _mind(session, results, tables, cut)


def _print_final(session: Session, results: RankedResults, final: FinalView, style: str) -> None:
    """Print everybody's place: that of the bracket, and behind it the rank in the Swiss rounds."""
    csv = style == "csv"  # whose column names stand
    in_swiss = ["Swiss", "points", "record"] if csv else ["Swiss rank", "Swiss points", "Swiss record"]
    headers = ["place", "player", "bracket", *(in_swiss if final.swiss else ["record"])]
    headers += ["division"] if final.divided else []
    rows = [
        [
            row.place,
            row.name,
            row.came,
            *([row.swiss or "", row.points] if final.swiss else []),
            row.record,
            *([row.in_division] if final.divided else []),
            row.note,
        ]
        for row in final.rows
        if not results.division or row.division == results.division
    ]
    title = final.title + as_of(results.at)
    told = _print_ranking(
        session,
        headers,
        rows,
        right=(0, 3, 4) if final.swiss else (0,),
        style=style,
        title="" if final.finished and results.at is None else title,
        heading=final.counts + as_of(results.at),
    )
    if not csv:
        swiss = " `--swiss` shows the standings." if final.swiss else ""
        session.talk(f"{'' if told else f'{title}. '}{final.how}{swiss}")


def _print_ranking(
    session: Session,
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    right: Sequence[int],
    style: str,
    title: str,
    heading: str,
) -> bool:
    """Print a ranking, and say which results it counts; return whether its title stands above it.

    rows:    behind the cells under `headers` a note, which has a column where there is any
    title:   above the table, where the style has room; empty: nothing there is that a reader must know
    heading: which results are counted: in a column of its own where the title has no room, and always in CSV
    """
    if style == "csv":
        header = [*headers, "note", "as of"]
        session.say(format_csv(header, [[*row, heading] for row in rows]).rstrip("\n"))
        return False
    noted = any(row[-1] for row in rows)
    above = bool(title) and style in _LINE_ABOVE
    if above:
        session.say(f"{title}\n")
    as_of = [heading] if title and not above else []
    session.table(
        [*headers, *([""] if noted else []), *(["as of"] if as_of else [])],
        [[*(row if noted else row[:-1]), *as_of] for row in rows],
        right=right,
        style=style,
    )
    return above


_LINE_ABOVE = frozenset({"plain", "simple", "github", "pipe"})
"""Styles in which a line above the table does no harm."""


def _standings(results: RankedResults) -> list[tuple[str, Standings]]:
    if not results.divisions:
        return [("", rank(results.record, results.profile, seed=results.seed))]
    return [
        (division, rank(results.record, results.profile, seed=results.seed, among=players))
        for division, players in results.divisions.items()
    ]


@dataclass(frozen=True, slots=True)
class _Mark:
    """What the table says of a player at the cut: `top 4`, or of equals across its line `level for place 4`."""

    text: str = ""
    through: bool = False
    level: bool = False


def _print(
    session: Session, results: RankedResults, standings: Standings, *, cut: int | None, style: str
) -> None:
    codes = columns(standings)
    marked, divided = _marked(results, standings, cut), results.places(standings)
    headers = ["rank" if style == "csv" else "", "player", "points", "record"]
    headers += [f"{code} %" if find(code).unit == "percent" else code for code in codes]
    headers += ["division"] if divided else []
    rows = []
    for row in results.shown(standings):
        place = divided.get(row.player)
        note = note_text(row, gone=row.player in results.gone)
        rows.append(
            [
                "" if row.rank is None else str(row.rank),
                results.name(row.player),
                results.profile.points_text(row.points),
                record_text(row),
                *[value_text(key, results.profile) for key in row.keys if key.code in codes],
                *([place.words if place else ""] if divided else []),
                ", ".join(filter(None, [marked.get(row.player, _Mark()).text, note])),
            ]
        )
    _print_ranking(
        session,
        headers,
        rows,
        right=(0, 2, *range(4, 4 + len(codes))),
        style=style,
        title=results.title(standings),
        heading=results.heading(standings) + (", no lot drawn" if results.missing_lot(standings) else ""),
    )


def _marked(results: RankedResults, standings: Standings, cut: int | None) -> dict[PlayerId, _Mark]:
    if results.cut is not None and results.made_cut(cut):
        return dict.fromkeys(results.cut, _Mark(f"top {len(results.cut)}", through=True))
    if cut is None:
        return {}
    qualifiers = cut_at(standings, cut, results.gone)
    return {
        **dict.fromkeys(qualifiers.through, _Mark(f"top {cut}", through=True)),
        **dict.fromkeys(qualifiers.level, _Mark(f"level for {_places(qualifiers)}", level=True)),
    }


def _places(cut: Qualifiers) -> str:
    first = cut.size - cut.places + 1
    return f"place {first}" if first == cut.size else f"places {first}–{cut.size}"


def _mind(
    session: Session, results: RankedResults, tables: list[tuple[str, Standings]], cut: int | None
) -> None:
    """Say what a reader of the table must know: unfinished matches, who is level or left out, the edition."""
    standings = tables[0][1]
    edition = f", edition of {standings.profile.edition}" if standings.profile.edition else ""
    session.talk(f"{results.heading(standings)}, under {standings.profile.name}{edition}")
    _mind_lot(session, results, standings)
    if standings.playing:
        session.talk(f"not counted, without a result: {_tables_text(standings.playing)}")
    for tie in filter(None, (_tie(results, table, cut) for _, table in tables)):
        session.talk(tie)
    early = [results.names[row.player] for row in standings.rows if row.left_early]
    if early:
        session.talk(
            f"not counted, for either side: the games of {listed(early)}, who left before half of them"
        )
    if standings.left_out:
        session.talk(f"not ranked, left before their first match: {len(standings.left_out)}")


def _mind_lot(session: Session, results: RankedResults, standings: Standings) -> None:
    """Say that players share a place for lack of a lot, and why there is none."""
    if reason := results.missing_lot(standings):
        session.talk(f"players who are level in everything share a place, as no lot is drawn: {reason}")


def _tables_text(playing: Iterable[tuple[int, int]]) -> str:
    """Say tables of rounds, (round, table): `tables 1–16 of round 4`."""
    by_round: dict[int, list[int]] = {}
    for number, table in playing:
        by_round.setdefault(number, []).append(table)
    return listed(
        f"{'table' if len(tables) == 1 else 'tables'} {tables_text(tables)} of round {number}"
        for number, tables in by_round.items()
    )


def _tie(results: RankedResults, standings: Standings, cut: int | None) -> str:
    """Return who is level across the line of a cut and how that is decided; empty if a tie-break decides."""
    if cut is None or results.made_cut(cut):
        return ""
    qualifiers = cut_at(standings, cut, results.gone)
    if not qualifiers.level:
        return qualifiers.lot_text(results.name, made=False)
    if LOT in results.profile.order:
        lot = "no lot is drawn"
        draws = results.no_lot
    else:
        lot = f"{results.profile.name} has no lot"
        draws = (
            f"`tourney event cut {cut} --lot` draws one"
            if results.of_event
            else "`--tiebreaks` can end in LOT"
        )
    names = listed(map(results.name, qualifiers.level))
    return f"{names} are level for {_places(qualifiers)}: {lot}; {draws}"


def _as_json(results: RankedResults, tables: list[tuple[str, Standings]], cut: int | None) -> dict[str, Any]:
    standings = tables[0][1]
    size = cut or (len(results.cut) if results.cut else None)
    return {
        "profile": standings.profile.name,
        "edition": standings.profile.edition,
        "source": standings.profile.source,
        "after": standings.rounds,
        "order": list(standings.profile.order),
        "playing": [{"round": number, "table": table} for number, table in standings.playing],
        "provisional": bool(standings.playing),
        "as_of": results.heading(standings),
        **({} if results.at is None else {"at": results.at}),
        **({"no_lot": results.missing_lot(standings)} if results.missing_lot(standings) else {}),
        **({"final": _final_json(results.final, results.division)} if results.final else {}),
        **({"division": results.division} if results.division else {}),
        **({"cut": [_cut_json(results, table, size) for _, table in tables]} if size else {}),
        "left_out": [results.names[player] for player in standings.left_out],
        "standings": [
            row
            for division, table in tables
            for row in _rows_json(results, table, cut, division=division, marking=bool(size))
        ],
    }


def _rows_json(
    results: RankedResults, standings: Standings, cut: int | None, *, division: str, marking: bool
) -> Iterator[dict[str, Any]]:
    """Give the rows, where `marking` with who goes on: whoever is level across the line does not yet.

    division: of a file whose divisions are ranked each by itself
    """
    marked, divided = _marked(results, standings, cut), results.places(standings)
    for row in results.shown(standings):
        mark = marked.get(row.player, _Mark())
        yield (
            row_json(results, row)
            | ({"cut": mark.through, "level": mark.level} if marking else {})
            | ({"division": division} if division else {})
            | division_json(*divided.get(row.player, ()))
        )


def _final_json(final: FinalView, division: str) -> dict[str, Any]:
    """Return everybody's place, or those of one division."""
    return {
        "finished": final.finished,
        "open": final.why_not or None,
        "as_of": final.counts,
        "places": [place_json(row) for row in final.rows if not division or row.division == division],
    }


def _cut_json(results: RankedResults, standings: Standings, size: int) -> dict[str, Any]:
    """Return the cut itself: who is level across its line, for how many places, and how that is decided."""
    made = results.made_cut(size)
    qualifiers = cut_at(standings, size, results.gone)
    return {
        "size": size,
        "made": made,
        "level": [] if made else [results.names[player] for player in qualifiers.level],
        "places": 0 if made else qualifiers.places,
        "tie": _tie(results, standings, size),
    }


# -- tourney standings why: a player's place, as arithmetic


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
def why_(session: Session, who: str, request: StandingsRequest) -> None:
    """Tell why a player stands where they stand.

    Every opponent's term of every tie-break with floors and byes and the opponent's own results, as arithmetic in
    exact fractions; what lies between the neighbours above and below; and which other single result, of any match,
    would have swapped them, all else as it was. Where a bracket is played, its place comes first.
    """
    from tourney.standings.describing import describe

    results = request.read(session)
    player = results.find(who)
    try:
        explanation = why(results.record, results.profile, player, seed=results.seed, form=results.form())
    except KeyError:
        raise TourneyError(
            f"{results.name(player)} is not in the standings: left before their first match"
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
        return scores_text(seats)

    session.say("\n".join(describe(explanation, results.name, side_of, score_of)))
    _say_what_is_needed(session, results, request, player)


def _say_what_is_needed(
    session: Session, results: RankedResults, request: StandingsRequest, player: PlayerId
) -> None:
    """Name the command that says what a player still needs for the cut, while there is something to be played before it."""
    record = results.record
    to_come = results.planned is not None and results.planned > len(record.rounds)
    playing = bool(record.rounds) and any(table.result is None for table in record.rounds[-1])
    out = player in results.gone or player in record.drops or player in record.disqualified
    past = request.at is not None or request.after is not None
    if not (to_come or playing) or out or past or results.final is not None:
        return
    words = ["tourney forecast player", quote(results.name(player))]
    if not results.cut_to_come:
        if results.of_event:
            return  # nobody speaks of a cut
        words.append("--cut 8")
    session.talk(f"For the cut: `{' '.join([*words, *results.from_])}` says what is still needed")


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
