"""Values as people read them: decimals half up at stated places, percentages, points, exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

from tourney.standings import tiebreaks
from tourney.standings.exact import Value
from tourney.standings.profile import Profile
from tourney.standings.ranking import Key, Row, Standings
from tourney.wording import counted

_NO_VALUE = "–"
"""What stands where a tie-break has no value."""


def decimal_text(value: Fraction | int, places: int) -> str:
    """Print a value with `places` decimals, half up (away from zero), a plain minus before negative ones.

    >>> [decimal_text(Fraction(n, 8), 2) for n in (1, -1, 5, 16)]
    ['0.13', '-0.13', '0.63', '2.00']
    """
    scaled = math.floor(abs(Fraction(value)) * 10**places + Fraction(1, 2))
    sign = "-" if value < 0 and scaled else ""
    digits = str(scaled).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def value_text(key: Key, profile: Profile) -> str:
    """Print a tie-break's value as its unit asks: a percentage as `58.33`, a place as `1`, points as points."""
    return text_of(key.value, tiebreaks.find(key.code).unit, profile)


def text_of(value: Value, unit: str, profile: Profile) -> str:
    """Print `value` in the unit of a tie-break's row; without a value a dash."""
    if value is None:
        return _NO_VALUE
    if unit == "percent":
        return decimal_text(100 * value, max(0, profile.decimals - 2))
    if unit == "lot":
        return f"{value:012x}"[:6] if isinstance(value, int) else _NO_VALUE
    if unit == "points" and Fraction(value * 2).denominator == 1:
        return profile.points_text(int(value * 2))
    if Fraction(value).denominator == 1:
        return str(int(value))
    return decimal_text(value, profile.decimals)


def columns(standings: Standings) -> tuple[str, ...]:
    """Return the codes a table shows: all but the points, and of places and lots only those that told somebody apart.

    Where every table had three seats or more nothing is shown of games: there are places, and a share of games is the same
    for everybody.
    """
    return tuple(
        code
        for place, code in enumerate(standings.profile.tiebreaks)
        if (tiebreaks.find(code).unit not in ("place", "lot") or _decided(standings, place))
        and not (standings.larger and tiebreaks.find(code).looks_at == "games")
    )


def _decided(standings: Standings, place: int) -> bool:
    """Return whether the key at `place` separated two neighbours that were level before it."""
    return any(
        above.points == below.points
        and above.keys[:place] == below.keys[:place]
        and above.keys[place] != below.keys[place]
        for above, below in pairwise(row for row in standings.rows if row.rank is not None)
    )


def heading_text(standings: Standings) -> str:
    """Say which results a table counts: `after round 5`, and while tables play `round 5 so far: 9 of 16 tables entered`."""
    last = sum(number == standings.rounds for number, _ in standings.playing)
    heading = (
        f"round {standings.rounds} so far: {standings.tables - last} of {counted(standings.tables, 'table')} entered"
        if last
        else f"after round {standings.rounds}"
    )
    earlier = [number for number, _ in standings.playing if number != standings.rounds]
    for number in sorted(set(earlier)):
        heading += f", {counted(earlier.count(number), 'table')} of round {number} open"
    return heading


def exact_text(value: Value) -> str:
    """Print a value exactly: `7/12`, `3`; without a value a dash."""
    return _NO_VALUE if value is None else str(value)


def record_text(row: Row) -> str:
    """Print a record as wins–losses, and draws where there are any.

    >>> record_text(Row(rank=1, player=1, points=4, wins=2, losses=0, draws=1, keys=()))
    '2–0–1'
    """
    return f"{row.wins}–{row.losses}" + (f"–{row.draws}" if row.draws else "")


def note_text(row: Row, *, gone: bool = False) -> str:
    """Say whether a player has left: `disqualified`, `drop` or nothing; and whether so early that no game of theirs counts.

    gone: left after the last round of the record
    """
    left = "disqualified" if row.disqualified else "drop" if row.dropped or gone else ""
    return f"{left}, games not counted" if row.left_early else left


def json_value(value: Value) -> float | int | None:
    """Return a value for JSON: whole numbers as they are, others as the nearest decimal; `exact_text` goes beside it."""
    if value is None or isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else float(value)
