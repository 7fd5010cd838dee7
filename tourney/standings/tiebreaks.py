"""The table of tie-breaks: one row each, with all there is to say of it; no branch anywhere asks for a code but for points and lot.

A row either looks at one player at a time (`each`) or is worked out anew inside every group of players who are still
level when its turn comes (`among`). Modifiers are written after a slash, `BH/C1`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from tourney.errors import TourneyError
from tourney.record import PlayerId
from tourney.standings import buchholz, card_games, own_record, ratings
from tourney.standings.exact import GroupTally, Reach, TieBreakFunction
from tourney.standings.scorecards import Scorecards

Among = Callable[[Scorecards, Sequence[PlayerId]], GroupTally]
"""A tie-break worked out among players who are level."""

Moves = Literal["own", "adds", "grows", "unknown"]
"""How a value moves with results that are still to come, the pairings being made: it hangs on the own table alone; the
changes that single tables make to it add up; it never falls when an opponent, or theirs, gets a better result and the own
table stays as it is; none of these."""

Unit = Literal["percent", "points", "number", "rating", "place", "lot"]
"""How values are printed (`exact.text_of`): a percent is kept as a share of 1, points as points, not halves."""


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """One row.

    source:    the rule's document and article
    unit:      how a value is printed
    each:      the function of one player
    low:       whether the lower value is better
    among:     the function of a level group; exactly one of the two is set
    of:        what is counted of each opponent, before limits; None: nothing of theirs
    limited:   whether a floor and a cap hold for that, or for the own value
    tables:    whether at a table of many all opponents count together
    parts:     the tie-breaks it is put together of
    uncut:     the function before a modifier cut some of its rounds
    modifiers: what may follow the slash; `Ln` stands for an L and a number
    reach:     how far the value looks: what may be changed without changing it
    looks_at:  what of a match beside its outcome
    moves:     how the value moves with open tables: what a forecast may rest on
    mean_of:   the tie-break of whose values of the opponents it is the mean, where all rounds weigh the same
    """

    code: str
    name: str
    source: str
    unit: Unit
    each: TieBreakFunction | None = None
    low: bool = False
    among: Among | None = None
    of: TieBreakFunction | None = None
    limited: bool = False
    tables: bool = False
    parts: tuple[str, ...] = ()
    uncut: TieBreakFunction | None = None
    modifiers: Mapping[str, Modifier] = field(default_factory=dict)
    reach: Reach = 0
    looks_at: Literal["", "games", "scores"] = ""
    moves: Moves = "unknown"
    mean_of: str = ""


@dataclass(frozen=True, slots=True)
class Modifier:
    """A variant of a row.

    name:   what it adds to the row's name; `{}` stands for the number after the letter, as it is written
    change: makes the variant of the row and that number
    """

    name: str
    change: Callable[[Tiebreak, int], Tiebreak]


def _cut(name: str, **cuts: int) -> Modifier:
    def change(row: Tiebreak, _: int) -> Tiebreak:
        assert row.each is not None
        return replace(row, each=partial(row.each, **cuts), uncut=row.each)

    return Modifier(name, change)


def _unforeseen(modifier: Modifier) -> Modifier:
    """Return a modifier after which nothing is known of how the value moves."""

    def change(row: Tiebreak, number: int) -> Tiebreak:
        return replace(modifier.change(row, number), moves="unknown")

    return Modifier(modifier.name, change)


_FIDE = "FIDE C.07, in force 2026-03-01, article"
_MTR = "Magic Tournament Rules, appendix C"
_TOM = "Play! Pokémon tournament rules handbook 5.3"
_FAB = "Flesh and Blood tournament rules and policy 1.4"
_NSG = "Null Signal Games: strength of schedule as Cobra computes it"

_LOW_CUTS = {"C1": _cut("cut 1", low=1), "C2": _cut("cut 2", low=2)}
_CUTS = {**_LOW_CUTS, "M1": _cut("median 1", low=1, high=1), "M2": _cut("median 2", low=2, high=2)}
_CUTS_BY_SCORE = {code: _unforeseen(cut) for code, cut in _CUTS.items()}
"""Cuts of products by the opponents' scores: a better result of an opponent can bring another, larger product to be cut."""
_REVERSED = {"R": Modifier("the other way round", lambda row, _: replace(row, low=not row.low))}
_OF_FORE_BUCHHOLZ = Modifier(
    "of Fore Buchholz",
    lambda row, _: replace(row, each=buchholz.average_of_opponents_fore_buchholz, of=buchholz.fore_buchholz),
)
_OTHER_LIMIT = Modifier(
    "limit moved by {} half points",
    lambda row, half_points: replace(row, each=partial(buchholz.koya, shift=half_points)),
)
_FORFEITS_TOO = Modifier(
    "forfeits too", lambda row, _: replace(row, among=partial(own_record.direct_encounter, forfeits=True))
)

_ROWS = (
    Tiebreak("PTS", "points", "the profile", "points", card_games.match_points, moves="own"),
    Tiebreak("MW", "match-win %", _MTR, "percent", card_games.match_win, limited=True, moves="own"),
    Tiebreak("OMW", "opponents' match-win %", _MTR, "percent", card_games.opponents_match_win, reach=1,
             of=card_games.match_share, limited=True, moves="adds"),
    Tiebreak("GW", "game-win %", _MTR, "percent", card_games.game_win, looks_at="games", limited=True, moves="own"),
    Tiebreak("OGW", "opponents' game-win %", _MTR, "percent", card_games.opponents_game_win, reach=1,
             looks_at="games", of=card_games.game_share, limited=True, moves="adds"),
    Tiebreak("OOMW", "opponents' opponents' match-win %", "Konami tournament policy", "percent",
             card_games.opponents_opponents_match_win, reach=2, of=card_games.opponents_match_win, moves="adds", mean_of="OMW"),
    Tiebreak("OWP", "opponents' win percentage", _TOM, "percent", card_games.opponents_match_win, reach=1,
             of=card_games.match_share, limited=True, moves="adds"),
    Tiebreak("OOWP", "opponents' opponents' win percentage", _TOM, "percent",
             card_games.opponents_opponents_match_win, reach=2, of=card_games.opponents_match_win, moves="adds", mean_of="OWP"),
    Tiebreak("PML", "match-loss %", _FAB, "percent", card_games.match_loss, low=True, moves="own"),
    Tiebreak("OML", "opponents' match-loss %", _FAB, "percent", card_games.opponents_match_loss, low=True, reach=1,
             of=card_games.match_loss, moves="adds"),
    Tiebreak("OMP", "opponents' average points", "Multiplayer Addendum to the Magic Tournament Rules (unofficial)",
             "number", card_games.opponents_match_points, reach=1, of=card_games.match_points, moves="adds"),
    Tiebreak("SOS", "strength of schedule", _NSG, "number", card_games.strength_of_schedule, reach=1,
             of=card_games.points_per_round, moves="adds"),
    Tiebreak("ESOS", "extended strength of schedule", _NSG, "number", card_games.extended_strength_of_schedule,
             reach=2, of=card_games.strength_of_schedule, moves="adds", mean_of="SOS"),
    Tiebreak("CTB", "cumulative tie-breaker", _FAB, "number", card_games.cumulative, moves="own"),
    Tiebreak("OCTB", "opponents' cumulative tie-breaker", _FAB, "number", card_games.opponents_cumulative, reach=1,
             of=card_games.cumulative, moves="adds"),
    Tiebreak("KTS", "Konami's number AABBBCCCDDD", "Konami tournament policy; form as read by public programs",
             "number", card_games.konami_number, parts=("OMW", "OOMW"), reach=2, moves="grows"),
    Tiebreak("VP", "game score", "the game's own score", "points", own_record.score, looks_at="scores", moves="own"),
    Tiebreak("VPD", "game score difference", "the game's own score", "points", own_record.score_difference,
             looks_at="scores", moves="own"),
    Tiebreak("WIN", "wins", f"{_FIDE} 7", "number", own_record.wins, moves="own"),
    Tiebreak("WON", "matches won over the board", f"{_FIDE} 7", "number", own_record.games_won, moves="own"),
    Tiebreak("BPG", "games played with Black", f"{_FIDE} 7", "number", own_record.played_with_black, moves="own"),
    Tiebreak("BWG", "games won with Black", f"{_FIDE} 7", "number", own_record.won_with_black, moves="own"),
    Tiebreak("PS", "progressive score", f"{_FIDE} 7", "points", own_record.progressive, modifiers=_LOW_CUTS,
             moves="own"),
    Tiebreak("REP", "rounds elected to play", f"{_FIDE} 7", "number", own_record.rounds_elected_to_play, moves="own"),
    Tiebreak("STD", "standard points", f"{_FIDE} 7", "points", own_record.standard_points, moves="own"),
    Tiebreak("BH", "Buchholz", f"{_FIDE} 8", "points", buchholz.buchholz, modifiers=_CUTS, reach=1,
             of=buchholz.score_as_seen, tables=True, moves="grows"),
    Tiebreak("FB", "Fore Buchholz", f"{_FIDE} 8", "points", buchholz.fore_buchholz, modifiers=_CUTS, reach=1,
             of=buchholz.fore_score_as_seen, tables=True, moves="grows"),
    Tiebreak("AOB", "average of opponents' Buchholz", f"{_FIDE} 8", "number", buchholz.average_of_opponents_buchholz,
             modifiers={"F": _OF_FORE_BUCHHOLZ}, reach=2, of=buchholz.buchholz, moves="grows"),
    Tiebreak("SB", "Sonneborn-Berger", f"{_FIDE} 9", "points", buchholz.sonneborn_berger, modifiers=_CUTS_BY_SCORE, reach=1,
             of=buchholz.score_as_seen, tables=True, moves="grows"),
    Tiebreak("KS", "Koya", f"{_FIDE} 9", "points", buchholz.koya, modifiers={"Ln": _OTHER_LIMIT}, reach=1,
             moves="grows"),
    Tiebreak("ARO", "average rating of opponents", f"{_FIDE} 10", "rating", ratings.average_rating_of_opponents,
             modifiers=_LOW_CUTS, moves="own"),
    Tiebreak("TPR", "performance rating", f"{_FIDE} 10", "rating", ratings.performance_rating, moves="own"),
    Tiebreak("PTP", "perfect performance", f"{_FIDE} 10", "rating", ratings.perfect_performance, moves="own"),
    Tiebreak("APRO", "average performance rating of opponents", f"{_FIDE} 10", "rating",
             ratings.average_performance_of_opponents, reach=1, of=ratings.performance_rating, moves="grows"),
    Tiebreak("APPO", "average perfect performance of opponents", f"{_FIDE} 10", "rating",
             ratings.average_perfect_performance_of_opponents, reach=1, of=ratings.perfect_performance,
             moves="grows"),
    Tiebreak("RTNG", "rating", f"{_FIDE} 7", "rating", own_record.rating, modifiers=_REVERSED, moves="own"),
    Tiebreak("TPN", "pairing number", f"{_FIDE} 7", "number", own_record.registration, low=True, modifiers=_REVERSED,
             moves="own"),
    Tiebreak("DE", "direct encounter", f"{_FIDE} 6", "place", low=True, among=own_record.direct_encounter,
             modifiers={"P": _FORFEITS_TOO}),
    Tiebreak("H2H", "head-to-head", '"head-to-head" of the profile', "place", low=True,
             among=own_record.head_to_head),
    Tiebreak("REG", "order of registration", _TOM, "number", own_record.registration, low=True, moves="own"),
    Tiebreak("LOT", "lot", "drawn from the seed", "lot", own_record.lot, low=True),
)  # fmt: skip

TABLE: dict[str, Tiebreak] = {row.code: row for row in _ROWS}
"""Code → row, in the order in which messages and pages list them."""

_NUMBERED = re.compile(r"([A-Z])([+-]?\d{1,2})")


def find(code: str) -> Tiebreak:
    """Return the row of `code` (`BH`, `BH/C1`, `KS/L-2`), its modifier bound into its function.

    Raises TourneyError for a code or a modifier that is not in the table, naming those that are.
    """
    base, slash, modifier = code.partition("/")
    row = TABLE.get(base)
    if row is None:
        raise TourneyError(f"there is no tie-break `{code}`", f"there are {', '.join(TABLE)}")
    return _modified(row, modifier) if slash else row


def _modified(row: Tiebreak, text: str) -> Tiebreak:
    code = f"{row.code}/{text}"
    numbered = _NUMBERED.fullmatch(text)
    if text in row.modifiers and not text.endswith("n"):
        modifier, number = row.modifiers[text], ""
    elif numbered and f"{numbered[1]}n" in row.modifiers:
        modifier, number = row.modifiers[f"{numbered[1]}n"], numbered[2]
    else:
        variants = ", ".join(f"{row.code}/{name}" for name in row.modifiers) or "none"
        raise TourneyError(f"there is no tie-break `{code}`", f"variants of {row.code}: {variants}")
    name = f"{row.name}, {modifier.name.format(number)}"
    return replace(modifier.change(row, int(number or 0)), code=code, name=name)
