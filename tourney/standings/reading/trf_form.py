"""Results from a Tournament Report File."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from tourney import trf
from tourney.record import PlayerId
from tourney.standings.reading.results import Name, Results

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
    )


def _day(text: str) -> date | None:
    found = _DATE.fullmatch(text.strip())
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None
