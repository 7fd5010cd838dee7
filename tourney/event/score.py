"""How a result is typed, and what it means.

Two seats, in the seat order of the slip:

    2-1         games won; 2-1-1: and games drawn (a best of one: 1-0, 0-1, 0-0-1)
    w  l  d     seat 1 won, lost, drew; w in a best of three stands for 2-0; also = and ½-½ and 1/2-1/2 for d
    id          intentional draw: no game was played, and it stands as drawn games (0-0-3 in a best of three)
    ff1  ff2    seat 1 (2) did not show; ff: neither did
    dl          both met, both lose by ruling

Tables of any size: places in seat order, `1,3,2`; shared ones as `1,1,3`; `ff` in place of a number for a seat that
did not show. `=` and `id` share the first place among all, `dl` is a loss for all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tourney.errors import TourneyError
from tourney.event.ops import MOST_GAMES, SeatResult, TableResult
from tourney.record import Outcome, PlayerId, typed_plainly

FORMS = "`2-1`, `2-1-1`, `w`, `l`, `d`, `½-½`, `id`, `ff1`, `ff2`, `dl`"
PLACES = "places in seat order, `1,3,2`"

_DASH = re.compile(r"\s*[-:]\s*")
_GAMES = re.compile(r"(\d{1,4})-(\d{1,4})(?:-(\d{1,4}))?")
_NO_SHOW = re.compile(r"ff([1-9])")
_DRAWN = frozenset({"d", "=", "½-½", "1/2-1/2", ".5-.5", "0.5-0.5"})
_WORDS = {"win": "w", "won": "w", "loss": "l", "lost": "l", "draw": "d", "drawn": "d", "tie": "d"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A table that waits for its result, and what a match is here.

    seats:   the players in seat order
    best_of: games a match can have; draws: whether it may end without a winner
    time:    whether the match was ended by time, so that it need not be finished
    """

    table: int
    seats: tuple[PlayerId, ...]
    best_of: int = 1
    draws: bool = True
    time: bool = False

    @property
    def needed(self) -> int:
        """Games that win the match."""
        return self.best_of // 2 + 1


def read_score(slip: Slip, text: str, scores: str | None = None) -> TableResult:
    """Return the result that `text` says for the table of `slip`; `scores` are victory points, `32,18`.

    Raises TourneyError for what is no score, and for a score that cannot end this match.
    """
    typed = _DASH.sub("-", typed_plainly(text).strip().lower())
    typed = _WORDS.get(typed, typed)
    result = (
        _all_alike(slip, typed)
        or (_two(slip, typed) if len(slip.seats) == 2 else None)
        or _places(slip, typed)
    )
    if result is None:
        forms = FORMS if len(slip.seats) == 2 else f"{PLACES}, one for each of the {len(slip.seats)} seats"
        raise TourneyError(f"table {slip.table}: `{text}` is not a result", f"a result is {forms}")
    if not slip.draws and any(seat.outcome is Outcome.DRAW for seat in result.seats):
        raise TourneyError(f"table {slip.table}: `{text}` is a draw, and this match needs a winner")
    return _with_scores(slip, result, scores)


def _all_alike(slip: Slip, typed: str) -> TableResult | None:
    """Read what is the same for every seat: draws, no-shows of all, double losses."""
    if typed == "id":
        return _level(slip, drawn=slip.best_of, note="id")
    if typed in _DRAWN:
        return _level(slip, drawn=1)
    if typed == "dl":
        return _table(slip, [Outcome.DOUBLE_LOSS] * len(slip.seats))
    if typed == "ff":
        return _table(slip, [Outcome.FORFEIT_LOSS] * len(slip.seats))
    return None


def _level(slip: Slip, *, drawn: int, note: Literal["", "id"] = "") -> TableResult:
    return _table(slip, [Outcome.DRAW] * len(slip.seats), drawn=drawn, note=note)


def _two(slip: Slip, typed: str) -> TableResult | None:
    if typed in {"w", "l"}:
        won = (slip.needed, 0) if typed == "w" else (0, slip.needed)
        return _from_games(slip, won, 0)
    if no_show := _NO_SHOW.fullmatch(typed):
        return _one_missing(slip, int(no_show[1]))
    if games := _GAMES.fullmatch(typed):
        won, drawn = (int(games[1]), int(games[2])), int(games[3] or 0)
        _refuse_impossible(slip, won, drawn)
        return _from_games(slip, won, drawn)
    return None


def _one_missing(slip: Slip, seat: int) -> TableResult:
    if seat > 2:
        raise TourneyError(f"table {slip.table} has two seats, so `ff{seat}` is nobody", "`ff1` or `ff2`")
    outcomes, places = [Outcome.FORFEIT_WIN, Outcome.FORFEIT_WIN], [1, 1]
    outcomes[seat - 1], places[seat - 1] = Outcome.FORFEIT_LOSS, 2
    return _table(slip, outcomes, places=places)


def _refuse_impossible(slip: Slip, won: tuple[int, int], drawn: int) -> None:
    said = f"{won[0]}–{won[1]}" + (f"–{drawn}" if drawn else "")
    match = f"a best of {slip.best_of}" if slip.best_of % 2 else f"a match of {slip.best_of} games"
    most, played = max(won), sum(won) + drawn
    possible = most <= slip.needed and sum(won) <= slip.best_of and drawn <= MOST_GAMES
    if not possible:
        fits = "`1-0`" if slip.best_of == 1 else f"`{slip.needed}-{min(won[0], won[1], slip.needed - 1)}`"
        raise TourneyError(
            f"table {slip.table}: {said} cannot end {match}",
            f"{fits} would; the third number counts drawn games",
        )
    if most < slip.needed and played < slip.best_of and not slip.time:
        raise TourneyError(
            f"table {slip.table}: {said} does not end {match}: {_wins(slip.needed)}",
            f"`--time` if time was called: `tourney result add {slip.table} {'-'.join(map(str, (*won, drawn) if drawn else won))} --time`",
        )


def _wins(games: int) -> str:
    return "1 game wins it" if games == 1 else f"{games} games win it"


def _from_games(slip: Slip, won: tuple[int, int], drawn: int) -> TableResult:
    if won[0] == won[1]:
        outcomes, places = [Outcome.DRAW, Outcome.DRAW], [1, 1]
    elif won[0] > won[1]:
        outcomes, places = [Outcome.WIN, Outcome.LOSS], [1, 2]
    else:
        outcomes, places = [Outcome.LOSS, Outcome.WIN], [2, 1]
    unfinished = max(won) < slip.needed and sum(won) + drawn < slip.best_of
    return _table(slip, outcomes, places=places, games=won, drawn=drawn, note="time" if unfinished else "")


def _places(slip: Slip, typed: str) -> TableResult | None:
    parts = [part.strip() for part in typed.split(",")]
    if not all(part == "ff" or (part.isascii() and part.isdigit() and len(part) < 3) for part in parts):
        return None
    if len(parts) != len(slip.seats):
        raise TourneyError(
            f"table {slip.table} has {len(slip.seats)} seats, `{typed}` gives {len(parts)} {'place' if len(parts) == 1 else 'places'}",
            f"{PLACES}; shared places are equal, `1,1,3`",
        )
    return _from_places(slip, [None if part == "ff" else int(part) for part in parts])


def _from_places(slip: Slip, places: list[int | None]) -> TableResult:
    there = sorted(place for place in places if place is not None)
    right = [there.index(place) + 1 for place in there]
    if there != right:
        typed = ",".join("ff" if place is None else str(place) for place in places)
        hint = ",".join("ff" if place is None else str(there.index(place) + 1) for place in places)
        raise TourneyError(
            f"table {slip.table}: the places `{typed}` leave a gap", f"`{hint}` has the same order"
        )
    if len(there) < 2:
        missing = [Outcome.FORFEIT_LOSS if place is None else Outcome.FORFEIT_WIN for place in places]
        return _table(slip, missing, places=_with_missing(places))
    if places in ([1, 2], [2, 1]):
        return _from_games(slip, (slip.needed, 0) if places[0] == 1 else (0, slip.needed), 0)
    shared = there.count(1) > 1
    outcomes = [_placed(place, shared=shared) for place in places]
    return _table(slip, outcomes, places=_with_missing(places))


def _placed(place: int | None, *, shared: bool) -> Outcome:
    if place is None:
        return Outcome.FORFEIT_LOSS
    if place > 1:
        return Outcome.LOSS
    return Outcome.DRAW if shared else Outcome.WIN


def _with_missing(places: list[int | None]) -> list[int]:
    """Put those who did not show behind all the others."""
    last = sum(place is not None for place in places) + 1
    return [last if place is None else place for place in places]


def _table(
    slip: Slip,
    outcomes: Sequence[Outcome],
    *,
    places: Sequence[int] | None = None,
    games: Sequence[int] | None = None,
    drawn: int = 0,
    note: Literal["", "id", "time"] = "",
) -> TableResult:
    none = [0] * len(slip.seats)
    rows = zip(slip.seats, outcomes, places or [1] * len(slip.seats), games or none, strict=True)
    return TableResult(slip.table, tuple(SeatResult(*row) for row in rows), drawn, note)


def _with_scores(slip: Slip, result: TableResult, scores: str | None) -> TableResult:
    if scores is None:
        return result
    parts = [part.strip() for part in typed_plainly(scores).split(",")]
    if len(parts) != len(slip.seats) or not all(re.fullmatch(r"-?\d{1,9}", part) for part in parts):
        raise TourneyError(
            f"table {slip.table}: `{scores}` is not a score for each of its {len(slip.seats)} seats",
            "whole numbers in seat order, `--score 32,18`",
        )
    seats = (
        SeatResult(seat.player, seat.outcome, seat.place, seat.games, int(part))
        for seat, part in zip(result.seats, parts, strict=True)
    )
    return TableResult(result.table, tuple(seats), result.drawn_games, result.note)


def read_tables(text: str | int, there: Sequence[int]) -> tuple[int, ...]:
    """Return the tables meant by `4`, `4..7` or `2,4,9`; `there` are those the round has.

    Raises TourneyError for a table that does not exist.
    """
    chosen: list[int] = []
    for part in str(text).split(","):
        span = re.fullmatch(r"\s*(\d{1,7})(?:\s*\.\.\s*(\d{1,7}))?\s*", part)
        if not span:
            raise TourneyError(f"`{text}` is not a table", "`4`, `4..7` or `2,4,9`")
        first, last = int(span[1]), int(span[2] or span[1])
        if first > last:
            raise TourneyError(f"`{part.strip()}` runs backwards", f"`{last}..{first}`")
        wanted = [number for number in there if first <= number <= last]
        if first not in there or last not in there:
            gone = first if first not in there else last
            raise TourneyError(f"there is no table {gone} in this round", _known(there))
        chosen += [number for number in wanted if number not in chosen]
    return tuple(chosen)


def _known(there: Sequence[int]) -> str:
    if not there:
        return "nobody is at a table"
    return (
        f"tables go from {there[0]} to {there[-1]}" if len(there) > 1 else f"there is only table {there[0]}"
    )
