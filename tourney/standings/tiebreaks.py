"""The table of tie-breaks: one row each, with its function, where it comes from, and which way is better.

A row either looks at one player at a time (`each`) or is worked out anew inside every group of players who are still
level when its turn comes (`among`). Modifiers are written after a slash, `BH/C1`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tourney.errors import TourneyError
from tourney.record import PlayerId
from tourney.standings import buchholz, encounters, own_record, percentages, ratings, strength
from tourney.standings.sheets import Sheets
from tourney.standings.values import TieBreakFunction, Value

Among = Callable[[Sheets, Sequence[PlayerId]], dict[PlayerId, Value]]
Modifiers = Mapping[str, Mapping[str, int | bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiebreak:
    """One row.

    unit:      how a value is printed: `percent`, `points`, `number`, `rating`, `place` or `lot`
    low:       whether the lower value is better
    each:      the function of one player
    among:     the function of a level group; exactly one of the two is set
    of:        what a term of an opponents' mean is, as a code (`MW` for `OMW`)
    modifiers: what may follow the slash, and the keywords it passes to the function
    """

    code: str
    name: str
    source: str
    unit: str
    low: bool = False
    each: TieBreakFunction | None = None
    among: Among | None = None
    of: str | None = None
    modifiers: Modifiers | None = None


_FIDE = "FIDE C.07, in force 2026-03-01, article"
_MTR = "Magic Tournament Rules, appendix C"
_TOM = "Play! Pokémon tournament rules handbook 5.3"
_FAB = "Flesh and Blood tournament rules and policy 1.4"
_NSG = "Null Signal Games: strength of schedule as Cobra computes it"

_CUTS: Modifiers = {
    "C1": {"low": 1},
    "C2": {"low": 2},
    "M1": {"low": 1, "high": 1},
    "M2": {"low": 2, "high": 2},
}
_LOW_CUTS: Modifiers = {"C1": {"low": 1}, "C2": {"low": 2}}

TABLE: tuple[Tiebreak, ...] = (
    Tiebreak(code="PTS", name="points", source="the profile", unit="points", each=strength.match_points),
    Tiebreak(code="MW", name="match-win %", source=_MTR, unit="percent", each=percentages.match_win),
    Tiebreak(
        code="OMW",
        name="opponents' match-win %",
        source=_MTR,
        unit="percent",
        each=percentages.opponents_match_win,
        of="MW",
    ),
    Tiebreak(code="GW", name="game-win %", source=_MTR, unit="percent", each=percentages.game_win),
    Tiebreak(
        code="OGW",
        name="opponents' game-win %",
        source=_MTR,
        unit="percent",
        each=percentages.opponents_game_win,
        of="GW",
    ),
    Tiebreak(
        code="OOMW",
        name="opponents' opponents' match-win %",
        source="Konami tournament policy",
        unit="percent",
        each=percentages.opponents_opponents_match_win,
        of="OMW",
    ),
    Tiebreak(
        code="OWP",
        name="opponents' win percentage",
        source=_TOM,
        unit="percent",
        each=percentages.opponents_match_win,
        of="MW",
    ),
    Tiebreak(
        code="OOWP",
        name="opponents' opponents' win percentage",
        source=_TOM,
        unit="percent",
        each=percentages.opponents_opponents_match_win,
        of="OWP",
    ),
    Tiebreak(
        code="PML", name="match-loss %", source=_FAB, unit="percent", low=True, each=percentages.match_loss
    ),
    Tiebreak(
        code="OML",
        name="opponents' match-loss %",
        source=_FAB,
        unit="percent",
        low=True,
        each=percentages.opponents_match_loss,
        of="PML",
    ),
    Tiebreak(
        code="OMP",
        name="opponents' average points",
        source="Multiplayer Addendum to the Magic Tournament Rules (unofficial)",
        unit="number",
        each=strength.opponents_match_points,
        of="PTS",
    ),
    Tiebreak(
        code="SOS",
        name="strength of schedule",
        source=_NSG,
        unit="number",
        each=strength.strength_of_schedule,
    ),
    Tiebreak(
        code="ESOS",
        name="extended strength of schedule",
        source=_NSG,
        unit="number",
        each=strength.extended_strength_of_schedule,
        of="SOS",
    ),
    Tiebreak(code="CTB", name="cumulative tie-breaker", source=_FAB, unit="number", each=strength.cumulative),
    Tiebreak(
        code="OCTB",
        name="opponents' cumulative tie-breaker",
        source=_FAB,
        unit="number",
        each=strength.opponents_cumulative,
        of="CTB",
    ),
    Tiebreak(
        code="KTS",
        name="Konami's number AABBBCCCDDD",
        source="Konami tournament policy; form as read by public programs",
        unit="number",
        each=strength.konami_number,
    ),
    Tiebreak(
        code="VP", name="game score", source="the game's own score", unit="points", each=own_record.score
    ),
    Tiebreak(
        code="VPD",
        name="game score difference",
        source="the game's own score",
        unit="points",
        each=own_record.score_difference,
    ),
    Tiebreak(code="WIN", name="wins", source=f"{_FIDE} 7.1", unit="number", each=own_record.wins),
    Tiebreak(code="WON", name="games won", source=f"{_FIDE} 7.2", unit="number", each=own_record.games_won),
    Tiebreak(
        code="BPG",
        name="games played with Black",
        source=f"{_FIDE} 7.3",
        unit="number",
        each=own_record.played_with_black,
    ),
    Tiebreak(
        code="BWG",
        name="games won with Black",
        source=f"{_FIDE} 7.4",
        unit="number",
        each=own_record.won_with_black,
    ),
    Tiebreak(
        code="PS",
        name="progressive score",
        source=f"{_FIDE} 7.5",
        unit="points",
        each=own_record.progressive,
        modifiers=_LOW_CUTS,
    ),
    Tiebreak(
        code="REP",
        name="rounds elected to play",
        source=f"{_FIDE} 7.6",
        unit="number",
        each=own_record.rounds_elected_to_play,
    ),
    Tiebreak(
        code="STD",
        name="standard points",
        source=f"{_FIDE} 7.7",
        unit="points",
        each=own_record.standard_points,
    ),
    Tiebreak(
        code="BH",
        name="Buchholz",
        source=f"{_FIDE} 8.1",
        unit="points",
        each=buchholz.buchholz,
        of="PTS",
        modifiers=_CUTS,
    ),
    Tiebreak(
        code="FB",
        name="Fore Buchholz",
        source=f"{_FIDE} 8.3",
        unit="points",
        each=buchholz.fore_buchholz,
        of="PTS",
        modifiers=_CUTS,
    ),
    Tiebreak(
        code="AOB",
        name="average of opponents' Buchholz",
        source=f"{_FIDE} 8.2",
        unit="number",
        each=buchholz.average_of_opponents_buchholz,
        of="BH",
        modifiers={"F": {}},
    ),
    Tiebreak(
        code="SB",
        name="Sonneborn-Berger",
        source=f"{_FIDE} 9.1",
        unit="points",
        each=buchholz.sonneborn_berger,
        modifiers=_CUTS,
    ),
    Tiebreak(
        code="KS",
        name="Koya",
        source=f"{_FIDE} 9.2",
        unit="points",
        each=buchholz.koya,
        modifiers={"Ln": {}},
    ),
    Tiebreak(
        code="ARO",
        name="average rating of opponents",
        source=f"{_FIDE} 10.1",
        unit="rating",
        each=ratings.average_rating_of_opponents,
        modifiers=_LOW_CUTS,
    ),
    Tiebreak(
        code="TPR",
        name="performance rating",
        source=f"{_FIDE} 10.2",
        unit="rating",
        each=ratings.performance_rating,
    ),
    Tiebreak(
        code="PTP",
        name="perfect performance",
        source=f"{_FIDE} 10.3",
        unit="rating",
        each=ratings.perfect_performance,
    ),
    Tiebreak(
        code="APRO",
        name="average performance rating of opponents",
        source=f"{_FIDE} 10.4",
        unit="rating",
        each=ratings.average_performance_of_opponents,
        of="TPR",
    ),
    Tiebreak(
        code="APPO",
        name="average perfect performance of opponents",
        source=f"{_FIDE} 10.5",
        unit="rating",
        each=ratings.average_perfect_performance_of_opponents,
        of="PTP",
    ),
    Tiebreak(
        code="RTNG",
        name="rating",
        source=f"{_FIDE} 7",
        unit="rating",
        each=own_record.rating,
        modifiers={"R": {}},
    ),
    Tiebreak(
        code="TPN",
        name="pairing number",
        source=f"{_FIDE} 7",
        unit="number",
        low=True,
        each=own_record.registration,
        modifiers={"R": {}},
    ),
    Tiebreak(
        code="DE",
        name="direct encounter",
        source=f"{_FIDE} 6",
        unit="place",
        low=True,
        among=encounters.direct_encounter,
        modifiers={"P": {"forfeits": True}},
    ),
    Tiebreak(
        code="H2H",
        name="head-to-head",
        source="the profile's `head-to-head`",
        unit="place",
        low=True,
        among=encounters.head_to_head,
    ),
    Tiebreak(
        code="REG",
        name="order of registration",
        source=_TOM,
        unit="number",
        low=True,
        each=own_record.registration,
    ),
    Tiebreak(code="LOT", name="lot", source="drawn from the seed", unit="lot", low=True, each=own_record.lot),
)

_ROWS = {row.code: row for row in TABLE}
_LIMIT = re.compile(r"L([+-]?\d{1,2})")


def find(code: str) -> Tiebreak:
    """Return the row of `code` (`BH`, `BH/C1`, `KS/L-2`), its modifier bound into its function.

    Raises TourneyError for a code or a modifier that is not in the table, naming those that are.
    """
    base, slash, modifier = code.partition("/")
    row = _ROWS.get(base)
    if row is None:
        raise TourneyError(f"there is no tie-break `{code}`", f"there are {', '.join(_ROWS)}")
    return _modified(row, modifier) if slash else row


def _modified(row: Tiebreak, modifier: str) -> Tiebreak:
    code = f"{row.code}/{modifier}"
    allowed = row.modifiers or {}
    limit = _LIMIT.fullmatch(modifier)
    if "Ln" in allowed and limit:
        return replace(row, code=code, each=partial(buchholz.koya, shift=int(limit[1])))
    if modifier not in allowed or modifier == "Ln":
        known = ", ".join(f"{row.code}/{name}" for name in allowed) or "none"
        raise TourneyError(f"there is no tie-break `{code}`", f"variants of {row.code}: {known}")
    if modifier == "R":
        return replace(row, code=code, low=not row.low)
    if modifier == "F":
        return replace(row, code=code, each=buchholz.average_of_opponents_fore_buchholz, of="FB")
    keywords = allowed[modifier]
    if row.among:
        return replace(row, code=code, among=partial(row.among, **keywords))
    assert row.each is not None
    return replace(row, code=code, each=partial(row.each, **keywords))
