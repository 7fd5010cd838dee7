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
from tourney.standings.exact import TieBreakFunction, Value
from tourney.standings.scorecards import Sheets

Among = Callable[[Sheets, Sequence[PlayerId]], dict[PlayerId, Value]]
Modifiers = Mapping[str, Mapping[str, int | bool]]


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """One row.

    unit:      how a value is printed: `percent`, `points`, `number`, `rating`, `place` or `lot`
    each:      the function of one player
    low:       whether the lower value is better
    among:     the function of a level group; exactly one of the two is set
    of:        what is counted of each opponent, before limits; None: nothing of theirs
    limited:   whether a floor and a cap hold for that, or for the own value
    tables:    whether at a table of many all opponents count together
    parts:     the tie-breaks it is put together of
    modifiers: what may follow the slash, and the keywords it passes to the function
    reach:     whose results a player's value hangs on: 0 the own, 1 those of the opponents, too, 2 of theirs
    fine:      whether games or scores are looked at, not only what the matches came to
    """

    code: str
    name: str
    source: str
    unit: str
    each: TieBreakFunction | None = None
    low: bool = False
    among: Among | None = None
    of: TieBreakFunction | None = None
    limited: bool = False
    tables: bool = False
    parts: tuple[str, ...] = ()
    modifiers: Modifiers | None = None
    reach: int = 0
    fine: bool = False


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
    Tiebreak("PTS", "points", "the profile", "points", strength.match_points),
    Tiebreak("MW", "match-win %", _MTR, "percent", percentages.match_win, limited=True),
    Tiebreak(
        "OMW",
        "opponents' match-win %",
        _MTR,
        "percent",
        percentages.opponents_match_win,
        reach=1,
        of=percentages.match_share,
        limited=True,
    ),
    Tiebreak("GW", "game-win %", _MTR, "percent", percentages.game_win, fine=True, limited=True),
    Tiebreak(
        "OGW",
        "opponents' game-win %",
        _MTR,
        "percent",
        percentages.opponents_game_win,
        reach=1,
        fine=True,
        of=percentages.game_share,
        limited=True,
    ),
    Tiebreak(
        "OOMW",
        "opponents' opponents' match-win %",
        "Konami tournament policy",
        "percent",
        percentages.opponents_opponents_match_win,
        reach=2,
        of=percentages.opponents_match_win,
    ),
    Tiebreak(
        "OWP",
        "opponents' win percentage",
        _TOM,
        "percent",
        percentages.opponents_match_win,
        reach=1,
        of=percentages.match_share,
        limited=True,
    ),
    Tiebreak(
        "OOWP",
        "opponents' opponents' win percentage",
        _TOM,
        "percent",
        percentages.opponents_opponents_match_win,
        reach=2,
        of=percentages.opponents_match_win,
    ),
    Tiebreak("PML", "match-loss %", _FAB, "percent", percentages.match_loss, low=True),
    Tiebreak(
        "OML",
        "opponents' match-loss %",
        _FAB,
        "percent",
        percentages.opponents_match_loss,
        low=True,
        reach=1,
        of=percentages.match_loss,
    ),
    Tiebreak(
        "OMP",
        "opponents' average points",
        "Multiplayer Addendum to the Magic Tournament Rules (unofficial)",
        "number",
        strength.opponents_match_points,
        reach=1,
        of=strength.match_points,
    ),
    Tiebreak(
        "SOS",
        "strength of schedule",
        _NSG,
        "number",
        strength.strength_of_schedule,
        reach=1,
        of=strength.points_per_round,
    ),
    Tiebreak(
        "ESOS",
        "extended strength of schedule",
        _NSG,
        "number",
        strength.extended_strength_of_schedule,
        reach=2,
        of=strength.strength_of_schedule,
    ),
    Tiebreak("CTB", "cumulative tie-breaker", _FAB, "number", strength.cumulative),
    Tiebreak(
        "OCTB",
        "opponents' cumulative tie-breaker",
        _FAB,
        "number",
        strength.opponents_cumulative,
        reach=1,
        of=strength.cumulative,
    ),
    Tiebreak(
        "KTS",
        "Konami's number AABBBCCCDDD",
        "Konami tournament policy; form as read by public programs",
        "number",
        strength.konami_number,
        parts=("OMW", "OOMW"),
        reach=2,
    ),
    Tiebreak("VP", "game score", "the game's own score", "points", own_record.score, fine=True),
    Tiebreak(
        "VPD",
        "game score difference",
        "the game's own score",
        "points",
        own_record.score_difference,
        fine=True,
    ),
    Tiebreak("WIN", "wins", f"{_FIDE} 7", "number", own_record.wins),
    Tiebreak("WON", "games won", f"{_FIDE} 7", "number", own_record.games_won),
    Tiebreak("BPG", "games played with Black", f"{_FIDE} 7", "number", own_record.played_with_black),
    Tiebreak("BWG", "games won with Black", f"{_FIDE} 7", "number", own_record.won_with_black),
    Tiebreak("PS", "progressive score", f"{_FIDE} 7", "points", own_record.progressive, modifiers=_LOW_CUTS),
    Tiebreak("REP", "rounds elected to play", f"{_FIDE} 7", "number", own_record.rounds_elected_to_play),
    Tiebreak("STD", "standard points", f"{_FIDE} 7", "points", own_record.standard_points),
    Tiebreak(
        "BH",
        "Buchholz",
        f"{_FIDE} 8",
        "points",
        buchholz.buchholz,
        modifiers=_CUTS,
        reach=1,
        of=buchholz.score_as_seen,
        tables=True,
    ),
    Tiebreak(
        "FB",
        "Fore Buchholz",
        f"{_FIDE} 8",
        "points",
        buchholz.fore_buchholz,
        modifiers=_CUTS,
        reach=1,
        of=buchholz.fore_score_as_seen,
        tables=True,
    ),
    Tiebreak(
        "AOB",
        "average of opponents' Buchholz",
        f"{_FIDE} 8",
        "number",
        buchholz.average_of_opponents_buchholz,
        modifiers={"F": {}},
        reach=2,
        of=buchholz.buchholz,
    ),
    Tiebreak(
        "SB",
        "Sonneborn-Berger",
        f"{_FIDE} 9",
        "points",
        buchholz.sonneborn_berger,
        modifiers=_CUTS,
        reach=1,
        of=buchholz.score_as_seen,
        tables=True,
    ),
    Tiebreak("KS", "Koya", f"{_FIDE} 9", "points", buchholz.koya, modifiers={"Ln": {}}, reach=1),
    Tiebreak(
        "ARO",
        "average rating of opponents",
        f"{_FIDE} 10",
        "rating",
        ratings.average_rating_of_opponents,
        modifiers=_LOW_CUTS,
    ),
    Tiebreak("TPR", "performance rating", f"{_FIDE} 10", "rating", ratings.performance_rating),
    Tiebreak("PTP", "perfect performance", f"{_FIDE} 10", "rating", ratings.perfect_performance),
    Tiebreak(
        "APRO",
        "average performance rating of opponents",
        f"{_FIDE} 10",
        "rating",
        ratings.average_performance_of_opponents,
        reach=1,
        of=ratings.performance_rating,
    ),
    Tiebreak(
        "APPO",
        "average perfect performance of opponents",
        f"{_FIDE} 10",
        "rating",
        ratings.average_perfect_performance_of_opponents,
        reach=1,
        of=ratings.perfect_performance,
    ),
    Tiebreak("RTNG", "rating", f"{_FIDE} 7", "rating", own_record.rating, modifiers={"R": {}}),
    Tiebreak(
        "TPN",
        "pairing number",
        f"{_FIDE} 7",
        "number",
        own_record.registration,
        low=True,
        modifiers={"R": {}},
    ),
    Tiebreak(
        "DE",
        "direct encounter",
        f"{_FIDE} 6",
        "place",
        low=True,
        among=encounters.direct_encounter,
        modifiers={"P": {"forfeits": True}},
    ),
    Tiebreak(
        "H2H",
        "head-to-head",
        "the profile's `head-to-head`",
        "place",
        low=True,
        among=encounters.head_to_head,
    ),
    Tiebreak("REG", "order of registration", _TOM, "number", own_record.registration, low=True),
    Tiebreak("LOT", "lot", "drawn from the seed", "lot", own_record.lot, low=True),
)

_ROWS = {row.code: row for row in TABLE}
_WORDS = {
    "C1": "cut 1",
    "C2": "cut 2",
    "M1": "median 1",
    "M2": "median 2",
    "P": "forfeits too",
    "F": "of Fore Buchholz",
    "R": "the other way round",
}
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
        name = f"{row.name}, limit moved by {limit[1]} half points"
        return replace(row, code=code, name=name, each=partial(buchholz.koya, shift=int(limit[1])))
    if modifier not in allowed or modifier == "Ln":
        known = ", ".join(f"{row.code}/{name}" for name in allowed) or "none"
        raise TourneyError(f"there is no tie-break `{code}`", f"variants of {row.code}: {known}")
    row = replace(row, code=code, name=f"{row.name}, {_WORDS[modifier]}")
    if modifier == "R":
        return replace(row, low=not row.low)
    if modifier == "F":
        return replace(row, each=buchholz.average_of_opponents_fore_buchholz, of=buchholz.fore_buchholz)
    keywords = allowed[modifier]
    if row.among:
        return replace(row, among=partial(row.among, **keywords))
    assert row.each is not None
    return replace(row, each=partial(row.each, **keywords))
