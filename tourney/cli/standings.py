"""`tourney standings`: who is ahead, why, and under other rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tourney.cli.columns import known_style
from tourney.cli.command import noun
from tourney.cli.session import Session
from tourney.cli.standings_asked import Asked, Options, asking
from tourney.standings import cut_at

if TYPE_CHECKING:
    from tourney.record import PlayerId
    from tourney.standings import Cut, Row, Standings

cli = noun(
    "standings",
    default="show",
    lazy={
        "why": "tourney.cli.standings_why:why_",
        "compare": "tourney.cli.standings_compare:compare_",
        "profiles": "tourney.cli.standings_profiles:profiles_",
    },
)

_READ = frozenset({"plain", "simple", "github", "pipe"})
"""Styles in which a line above the table does no harm."""


@cli.command(
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
@click.option(
    "--compare", "comparing", is_flag=True, help="Show who makes the cut under each profile there is."
)
def show(session: Session, cut: int | None, style: str, comparing: bool, **options: Any) -> None:
    """Show the standings: of the event, or of a file of results with --from.

    A file holds JSON, comma-separated lines (`round,player1,player2,wins1,wins2,draws`; an empty player2 is a bye) or
    a Tournament Report File. Values are exact inside; printed decimals are rounded half up.
    """
    asked, style = Options(**options), known_style(style)
    if comparing:
        from tourney.cli.standings_compare import show_comparison

        show_comparison(session, asked, session.library().profiles(), cut or 8)
        return
    found = asked.asked(session)
    tables = _standings(found)
    if session.json:
        session.emit("standings/1", _as_json(found, tables, cut))
        return
    for i, (division, table) in enumerate(tables):
        if division:
            session.say(f"{'' if i == 0 else chr(10)}{division}")
        _print(session, found, table, cut=cut, style=style)
    _mind(session, found, tables, cut)


def _standings(asked: Asked) -> list[tuple[str, Standings]]:
    from tourney.standings import rank

    if not asked.divisions:
        return [("", rank(asked.record, asked.profile, seed=asked.seed))]
    return [
        (division, rank(asked.record, asked.profile, seed=asked.seed, among=players))
        for division, players in asked.divisions.items()
    ]


def _marked(asked: Asked, standings: Standings, cut: int | None) -> dict[PlayerId, str]:
    """Return what the table says of those who go on: `top 4`, or of equals across the line `level for place 4`."""
    if asked.cut is not None and cut in (None, len(asked.cut)):
        return dict.fromkeys(asked.cut, f"top {len(asked.cut)}")
    if cut is None:
        return {}
    found = cut_at(standings, cut, asked.gone)
    return {
        **dict.fromkeys(found.through, f"top {cut}"),
        **dict.fromkeys(found.level, f"level for {_places(found)}"),
    }


def _places(cut: Cut) -> str:
    first = cut.size - cut.places + 1
    return f"place {first}" if first == cut.size else f"places {first}–{cut.size}"


def _tie(asked: Asked, standings: Standings, cut: int | None) -> str:
    """Say who is level across the line of a cut, and how that is decided; empty where the line is clear."""
    if cut is None or (asked.cut is not None and cut == len(asked.cut)):
        return ""
    found = cut_at(standings, cut, asked.gone)
    if not found.level:
        return ""
    names = [asked.name(player) for player in found.level]
    said = f"{', '.join(names[:-1])} and {names[-1]} are level for {_places(found)}"
    if "LOT" not in asked.profile.order:
        said += f": {asked.profile.name} has no lot"
        draws = (
            f"`tourney event cut {cut} --lot` draws one" if asked.of_event else "`--tiebreaks` can end in LOT"
        )
    else:
        draws = (
            "the secret it is drawn from is not in this copy" if asked.of_event else "`--seed TEXT` draws one"
        )
        said += ": no lot is drawn"
    return f"{said}; {draws}"


def _print(session: Session, asked: Asked, standings: Standings, *, cut: int | None, style: str) -> None:
    from tourney.standings.printing import columns, heading_text
    from tourney.standings.tiebreaks import find

    codes = columns(standings)
    units = [find(code).unit for code in codes]
    headers = ["", "player", "points", "record"]
    headers += [f"{code} %" if unit == "percent" else code for code, unit in zip(codes, units, strict=True)]
    marked = _marked(asked, standings, cut)
    rows = [_cells(asked, row, codes, marked.get(row.player, "")) for row in standings.rows]
    if style == "csv":
        from tourney.spreadsheet import csv_text

        heading = heading_text(standings)
        table = csv_text(["rank", *headers[1:], "note", "as of"], [[*row, heading] for row in rows])
        session.say(table.rstrip("\n"))
        return
    if any(cells[-1] for cells in rows):
        headers.append("")
    else:
        rows = [cells[:-1] for cells in rows]
    if standings.playing and style in _READ:
        session.say(f"Provisional: {heading_text(standings)}\n")
    elif standings.playing:
        headers.append("as of")
        rows = [[*cells, heading_text(standings)] for cells in rows]
    right = (0, 2, *range(4, 4 + len(codes)))
    session.table(headers, rows, right=right, style=style)


def _cells(asked: Asked, row: Row, codes: tuple[str, ...], mark: str) -> list[str]:
    from tourney.standings.printing import note_text, points_text, record_text, value_text

    profile = asked.profile
    return [
        "" if row.rank is None else str(row.rank),
        asked.name(row.player),
        points_text(row.points, profile),
        record_text(row),
        *[value_text(key, profile) for key in row.keys if key.code in codes],
        ", ".join(filter(None, [mark, note_text(row, gone=row.player in asked.gone)])),
    ]


def _mind(session: Session, asked: Asked, tables: list[tuple[str, Standings]], cut: int | None) -> None:
    """Say what a reader of the table must know: unfinished matches, who is level or left out, the edition."""
    from tourney.standings.printing import heading_text

    standings = tables[0][1]
    edition = f", edition of {standings.profile.edition}" if standings.profile.edition else ""
    session.talk(f"{heading_text(standings)}, under {standings.profile.name}{edition}")
    if standings.playing:
        playing = ", ".join(f"{table} of round {number}" for number, table in standings.playing)
        session.talk(f"not counted, without a result: table {playing}")
    for tie in filter(None, (_tie(asked, table, cut) for _, table in tables)):
        session.talk(tie)
    if standings.left_out:
        session.talk(f"left out, dropped before round 1: {len(standings.left_out)}")


def _as_json(asked: Asked, tables: list[tuple[str, Standings]], cut: int | None) -> dict[str, Any]:
    from tourney.standings.printing import heading_text

    standings = tables[0][1]
    size = cut or (len(asked.cut) if asked.cut else None)
    return {
        "profile": standings.profile.name,
        "edition": standings.profile.edition,
        "source": standings.profile.source,
        "after": standings.rounds,
        "order": list(standings.profile.order),
        "playing": [{"round": number, "table": table} for number, table in standings.playing],
        "provisional": bool(standings.playing),
        "as_of": heading_text(standings),
        **({"cut": [_cut_json(asked, table, size) for _, table in tables]} if size else {}),
        "left_out": [asked.names[player] for player in standings.left_out],
        "standings": [
            row_json(asked, row)
            | (_mark_json(asked, row, table, cut) if size else {})
            | ({"division": division} if division else {})
            for division, table in tables
            for row in table.rows
        ],
    }


def _cut_json(asked: Asked, standings: Standings, size: int) -> dict[str, Any]:
    """Return the cut itself: who is level across its line, for how many places, and how that is decided."""
    made = asked.cut is not None and size == len(asked.cut)
    found = cut_at(standings, size, asked.gone)
    return {
        "size": size,
        "made": made,
        "level": [] if made else [asked.names[player] for player in found.level],
        "places": 0 if made else found.places,
        "tie": _tie(asked, standings, size),
    }


def _mark_json(asked: Asked, row: Row, standings: Standings, cut: int | None) -> dict[str, bool]:
    """Return whether a player goes on; whoever is level across the line does not yet."""
    mark = _marked(asked, standings, cut).get(row.player, "")
    return {"cut": mark.startswith("top"), "level": mark.startswith("level")}


def row_json(asked: Asked, row: Row) -> dict[str, Any]:
    """Return one row for `--json`: exact fractions beside decimals."""
    from tourney.standings.printing import json_value

    return {
        "rank": row.rank,
        "player": asked.names[row.player],
        "number": row.player,
        "points": row.points // 2 if row.points % 2 == 0 else row.points / 2,
        "record": f"{row.wins}-{row.losses}-{row.draws}",
        "dropped": row.dropped or row.player in asked.gone - asked.record.disqualified.keys(),
        "disqualified": row.disqualified,
        "tiebreaks": [
            {
                "code": key.code,
                "value": json_value(key.value),
                "exact": None if key.value is None else str(key.value),
            }
            for key in row.keys
        ],
    }
