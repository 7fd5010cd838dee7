"""Results from a Tournament Report File."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from tourney import trf
from tourney.cards.names import fold
from tourney.record import PlayerId, points_text
from tourney.standings.reading.results import Name, Results

MOST_REMARKS = 5
"""Players whose points contradict their results, told one by one."""

_DATE = re.compile(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})")
_ROUND_ROBIN = re.compile(r"round[ -]?robin|berger", re.IGNORECASE)


def read_trf(text: str, *, source: str) -> Results:
    """Read results from a TRF16 or TRF26 text; players are called by their names, or by number if they have none.

    Raises TourneyError as `tourney.trf` does: file, line and column.
    """
    file = trf.read(text, source=source)
    record = trf.record_of(file)
    header = file.header
    names: dict[PlayerId, Name] = {
        PlayerId(player.number): player.name or player.number for player in file.players
    }
    return Results(
        record=replace(
            record,
            ratings={PlayerId(p.number): p.rating for p in file.players if p.rating},
            planned_rounds=file.rounds_total,
            round_robin=bool(_ROUND_ROBIN.search(header.kind) or _ROUND_ROBIN.search(file.system)),
        ),
        names={player: names[player] for player in record.players},
        day=_day(header.start),
        scoring=trf.scoring_of(file),
        remarks=(
            *file.remarks,
            *_names_alike(file),
            *_few(trf.points_contradicted(file)),
            *_points_added(file),
        ),
    )


def _few(remarks: tuple[str, ...]) -> tuple[str, ...]:
    left = len(remarks) - MOST_REMARKS
    return remarks if left <= 0 else (*remarks[:MOST_REMARKS], f"and the points of {left} more players")


def _names_alike(file: trf.TrfFile) -> Iterator[str]:
    """Tell whose names are the same, or would be found by the same words: the pairing numbers tell them apart."""
    by_name: dict[str, trf.TrfPlayer] = {}
    for player in file.players:
        key = fold(player.name)
        if key and key in by_name:
            other = by_name[key]
            yield (
                f"line {player.line}: `{player.name}` is called like `{other.name}` in line {other.line}:"
                " taken as two players"
            )
        by_name.setdefault(key, player)


def _points_added(file: trf.TrfFile) -> Iterator[str]:
    """Tell of points that no result gave: they are no part of standings that results make."""
    names = {player.number: player.name for player in file.players}
    for given in file.abnormal:
        who = ", ".join(names[number] or f"player {number}" for number in given.players) or "everybody"
        what = f"for the result `{given.kind}`" if given.kind else "whatever the result"
        when = f"in round {given.round}" if given.round else "in every round"
        points = points_text(given.points).replace("-", "−")
        yield f"line {given.line}: {points} for {who} {when}, {what} (record 299): not counted here"


def _day(text: str) -> date | None:
    match = _DATE.fullmatch(text.strip())
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None
