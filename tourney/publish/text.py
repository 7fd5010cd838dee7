"""Markdown for a forum, a chat or a repository: the same tables as the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tourney.event.view import EventView, RoundView, StandingsView
from tourney.publish.data import Files

_CHECKED = "[Which state this is](verification.md)"
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def files(event: EventView) -> Files:
    """Return `standings.md`, one `round-N.md` a round, and `verification.md`, which names the state they show."""
    return {
        "standings.md": lambda: standings(event).encode(),
        "verification.md": lambda: verification(event).encode(),
        **{
            f"round-{view.number}.md": lambda view=view: round_table(event, view).encode()  # type: ignore[misc]
            for view in event.rounds
        },
    }


def standings(event: EventView) -> str:
    """Return the standings as a Markdown document."""
    view = event.standings
    title = view.title[:1].lower() + view.title[1:]
    legend = "\n".join(
        f"{place}. **{column.code}** {column.name}" for place, column in enumerate(view.columns, start=1)
    )
    return f"# {escape(event.name)}: {title}\n\n{_standings_table(view)}\n\n{_left_out(view)}{legend}\n\n{_CHECKED}\n"


def _left_out(view: StandingsView) -> str:
    names = ", ".join(escape(name) for _, name in view.left_out)
    return f"Not ranked, left before round 1: {names}\n\n" if names else ""


def round_table(event: EventView, view: RoundView) -> str:
    """Return one round's tables and byes as a Markdown document."""
    rows = [
        [
            table.number,
            " · ".join(_noted(seat.name, seat.points, seat.note) for seat in table.seats),
            escape(table.result) or "playing",
        ]
        for table in view.tables
    ]
    rows += [["–", _noted(bye.name, bye.note), bye.kind] for bye in view.byes]
    stale = (
        f"{escape(view.stale[:1].upper() + view.stale[1:])}: the tables stay as they were paired.\n\n"
        if view.stale
        else ""
    )
    return f"# {escape(event.name)}: {escape(view.title)}\n\n{_table(['Table', 'Players', 'Result'], rows)}\n\n{stale}{_CHECKED}\n"


def verification(event: EventView) -> str:
    """Return what a later state of the event can be held against, as a Markdown document."""
    shown = event.verification
    value = f"`{shown.value}`" if shown.value else "not out yet"
    beacon = f"Public value, {escape(shown.beacon)}: {value}.\n\n" if shown.beacon else ""
    secret = f"revealed: `{shown.secret}`" if shown.secret else "not revealed"
    remarks = "".join(f"{escape(each)}.\n\n" for each in shown.remarks)
    seeds = _table(
        ["Round", "Entry", "Seed", "Paired by"],
        [[escape(each.title), each.entry, f"`{each.seed}`", each.engine or "hand"] for each in shown.seeds],
    )
    return (
        f"# {escape(event.name)}: verification\n\n"
        f"As it stood after entry {shown.entry}, `{shown.digest}`.\n\n"
        f"SHA-256 of the secret: `{shown.secret_sha256}` ({secret}).\n\n{beacon}{remarks}{seeds}\n\n"
        "`tourney verify --against verification.md` says whether a later history continues this one.\n"
    )


def escape(text: str) -> str:
    r"""Escape what Markdown would take for markup.

    >>> print(escape("<b>A|B*"))
    \<b\>A\|B\*
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.splitlines()))


def _noted(name: str, *notes: str) -> str:
    said = ", ".join(filter(None, notes))
    return f"{escape(name)} ({said})" if said else escape(name)


def _standings_table(view: StandingsView) -> str:
    header = ["#", "Player", "Points", "Record", *(column.code for column in view.columns)]
    rows = [
        [
            row.rank,
            _noted(row.name, row.note),
            row.points,
            row.record,
            *row.values,
        ]
        for row in view.rows
    ]
    return _table(header, rows)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    from tabulate import tabulate

    return tabulate(rows, header, tablefmt="github", disable_numparse=True)
