"""The table of tie-breaks, joined from the `ROWS` of the modules that define them.

`find` returns the row of a code. A code can have a modifier after a slash, such as `BH/C1`.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.standings import buchholz, card_games, level_players, own_record, ratings
from tourney.standings.tally import Tiebreak

MODULES = (card_games, own_record, buchholz, ratings, level_players)
"""The modules with tie-breaks, in the order in which messages and pages list them."""

TABLE: dict[str, Tiebreak] = {row.code: row for module in MODULES for row in module.ROWS}

_NUMBERED_MODIFIER = re.compile(r"([A-Z])([+-]?\d{1,2})")


def find(code: str) -> Tiebreak:
    """Return the tie-break with a code, such as `BH`, `BH/C1` or `KS/L-2`.

    Raises a TourneyError that lists the known codes or modifiers if the code or modifier is unknown.
    """
    base, slash, modifier = code.partition("/")
    row = TABLE.get(base)
    if row is None:
        raise TourneyError(f"there is no tie-break `{code}`", f"the tie-breaks are {', '.join(TABLE)}")
    return _variant(row, modifier) if slash else row


def _variant(row: Tiebreak, text: str) -> Tiebreak:
    code = f"{row.code}/{text}"
    match = _NUMBERED_MODIFIER.fullmatch(text)
    if text in row.modifiers and not text.endswith("n"):
        modifier, number = row.modifiers[text], ""
    elif match and f"{match[1]}n" in row.modifiers:
        modifier, number = row.modifiers[f"{match[1]}n"], match[2]
    else:
        variants = ", ".join(f"{row.code}/{name}" for name in row.modifiers) or "none"
        raise TourneyError(f"there is no tie-break `{code}`", f"variants of {row.code}: {variants}")
    name = f"{row.name}, {modifier.name.format(number)}"
    return replace(modifier.change(row, int(number or 0)), code=code, name=name)
