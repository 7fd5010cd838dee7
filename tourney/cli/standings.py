"""`tourney standings`: who is ahead, why, and under other rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import noun
from tourney.cli.session import Session
from tourney.cli.standings_asked import Asked, Options, asking

if TYPE_CHECKING:
    from tourney.standings import Row, Standings

cli = noun(
    "standings",
    default="show",
    lazy={
        "why": "tourney.cli.standings_why:why_",
        "compare": "tourney.cli.standings_compare:compare_",
        "profiles": "tourney.cli.standings_profiles:profiles_",
    },
)

STYLES = {"markdown": "github", "text": "plain"}
"""Our words for tabulate's styles; its own names work too."""


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
@click.option("--compare", "comparing", is_flag=True, help="Who makes the cut under every profile there is.")
def show(session: Session, cut: int | None, style: str, comparing: bool, **options: Any) -> None:
    """Show the standings: of the event, or of a file of results with --from.

    A file holds JSON, comma-separated lines (`round,player1,player2,wins1,wins2,draws`; an empty player2 is a bye) or
    a Tournament Report File. Values are exact inside; printed decimals are rounded half up.
    """
    asked = Options(**options)
    if comparing:
        from tourney.cli.standings_compare import show_comparison

        show_comparison(session, asked, session.library().profiles(), cut or 8)
        return
    found = asked.asked(session)
    cut = cut or found.cut
    tables = _standings(found)
    if session.json:
        session.emit("standings/1", _as_json(found, tables, cut))
        return
    for i, (division, table) in enumerate(tables):
        if division:
            session.say(f"{'' if i == 0 else chr(10)}{division}")
        _print(session, found, table, cut=cut, style=STYLES.get(style, style))
    _mind(session, tables[0][1])


def _standings(asked: Asked) -> list[tuple[str, Standings]]:
    from tourney.standings import rank

    if not asked.divisions:
        return [("", rank(asked.record, asked.profile, seed=asked.seed))]
    return [
        (division, rank(asked.record, asked.profile, seed=asked.seed, among=players))
        for division, players in asked.divisions.items()
    ]


def _through(standings: Standings, cut: int | None) -> frozenset[int]:
    """Return who is in the cut: the first N who have not left."""
    there = [row for row in standings.rows if row.rank is not None and not row.dropped]
    return frozenset(row.player for row in there[:cut]) if cut else frozenset()


def _print(session: Session, asked: Asked, standings: Standings, *, cut: int | None, style: str) -> None:
    from tourney.standings.printing import columns
    from tourney.standings.tiebreaks import find

    codes = columns(standings)
    units = [find(code).unit for code in codes]
    headers = ["", "player", "points", "record"]
    headers += [f"{code} %" if unit == "percent" else code for code, unit in zip(codes, units, strict=True)]
    through = _through(standings, cut)
    rows = [
        _cells(asked, row, codes, f"top {cut}" if row.player in through else "") for row in standings.rows
    ]
    if style == "csv":
        session.say(_csv(["rank", *headers[1:], "note"], rows))
        return
    if any(cells[-1] for cells in rows):
        headers.append("")
    else:
        rows = [cells[:-1] for cells in rows]
    right = (0, 2, *range(4, 4 + len(codes)))
    session.table(headers, rows, right=right, style=_style(style))


def _style(style: str) -> str:
    from tabulate import tabulate_formats

    if style not in tabulate_formats:
        raise click.UsageError(f"--table knows no `{style}`; text, markdown, csv, tsv, html …")
    return style


def _csv(headers: list[str], rows: list[list[str]]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([headers, *rows])
    return text.getvalue().rstrip("\n")


def _cells(asked: Asked, row: Row, codes: tuple[str, ...], through: str) -> list[str]:
    from tourney.standings.printing import note_text, points_text, record_text, value_text

    profile = asked.profile
    return [
        "" if row.rank is None else str(row.rank),
        asked.name(row.player),
        points_text(row.points, profile),
        record_text(row),
        *[value_text(key, profile) for key in row.keys if key.code in codes],
        through or note_text(row),
    ]


def _mind(session: Session, standings: Standings) -> None:
    """Say what a reader of the table must know: unfinished matches, who is left out, the edition."""
    edition = f", edition of {standings.profile.edition}" if standings.profile.edition else ""
    session.talk(f"after round {standings.rounds}, under {standings.profile.name}{edition}")
    if standings.playing:
        tables = ", ".join(f"{table} of round {number}" for number, table in standings.playing)
        session.talk(f"not counted, without a result: table {tables}")
    if standings.left_out:
        session.talk(f"left out, dropped before round 1: {len(standings.left_out)}")


def _as_json(asked: Asked, tables: list[tuple[str, Standings]], cut: int | None) -> dict[str, Any]:
    standings = tables[0][1]
    return {
        "profile": standings.profile.name,
        "edition": standings.profile.edition,
        "source": standings.profile.source,
        "after": standings.rounds,
        "order": list(standings.profile.order),
        "playing": [{"round": number, "table": table} for number, table in standings.playing],
        "left_out": [asked.names[player] for player in standings.left_out],
        "standings": [
            row_json(asked, row)
            | ({"cut": row.player in _through(table, cut)} if cut else {})
            | ({"division": division} if division else {})
            for division, table in tables
            for row in table.rows
        ],
    }


def row_json(asked: Asked, row: Row) -> dict[str, Any]:
    """Return one row for `--json`: exact fractions beside decimals."""
    from tourney.standings.printing import json_value

    return {
        "rank": row.rank,
        "player": asked.names[row.player],
        "number": row.player,
        "points": row.points // 2 if row.points % 2 == 0 else row.points / 2,
        "record": f"{row.wins}-{row.losses}-{row.draws}",
        "dropped": row.dropped,
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
