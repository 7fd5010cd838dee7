"""Explanations as sentences, for the terminal and for players' pages.

All numbers in a line `value = arithmetic` are exact, so that a reader can recalculate the line on paper. The
facts come from `explaining`. This module writes the sentences, except for two kinds of text that it copies:
the notes of tie-breaks, and the phrase that says which results a search tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import NamedTuple

from tourney.record import NameOf, Outcome, PlayerId, Result, Table
from tourney.standings.exact import exact_text, sum_text, text_of
from tourney.standings.explaining import Explained, Explanation, Neighbour
from tourney.standings.profile import POINTS, Profile
from tourney.standings.ranking import heading_text, record_text
from tourney.standings.swaps import MOST_ORDERED, Swap, SwapSearch
from tourney.standings.tally import Term
from tourney.standings.tiebreaks import find
from tourney.wording import counted, listed

_MOST_TABLES = 3
"""The maximum number of tables shown for a swap of two neighbors.

These are tables at which a different result would have swapped the neighbors. The limit applies to the two
players' own tables, and separately to other tables. `--json` lists all tables.
"""

_MOST_SCORES = 4
"""The maximum number of scores shown for one kind of result (such as a draw) at a table."""

_MOST_CHANGES = 10
"""The maximum number of changed results shown for one table of three or more seats."""

_MOST_LEVEL = 8
"""The maximum number of level players listed by name if a tie-break does not apply to them."""

SideOf = Callable[[PlayerId, int], str]
"""A function that returns a text about a player in a round, such as `Red`; can be empty."""


def describe(
    explanation: Explanation,
    name_of: NameOf,
    side_of: SideOf = lambda _player, _round: "",
    score_of: SideOf = lambda _player, _round: "",
) -> tuple[str, ...]:
    """Return the lines of text that explain why a player has their place.

    Lines that give details of an earlier line are indented by two spaces.

    side_of:  returns a player's side in a round. It is shown with the points and with each swap. A swap is a
              different result that would have changed the order of two players
    score_of: returns the score of a player's match in a round, ` (34 : 12)`. It is shown with the points
    """
    row, profile = explanation.row, explanation.profile
    place = "disqualified, without a place" if row.rank is None else f"place {row.rank}"
    place += ", behind all whose games count" if row.left_early else ""
    dated = f", edition of {profile.edition}" if profile.edition else ""
    standings = explanation.standings
    so_far = f" (provisional: {heading_text(standings)})" if standings.playing else ""
    shown = [item for item in explanation.tiebreaks if not standings.larger or item.rule.looks_at != "games"]
    lines = [f"{name_of(row.player)}: {place}, {record_text(row)}, under {profile.name}{dated}{so_far}"]
    lines += _at_larger_tables(explanation) if standings.larger else ()
    for item in shown:
        own = [partial(text_in, row.player) for text_in in (side_of, score_of) if item.code == POINTS]
        lines += _tiebreak(item, profile, name_of, *own)
    for other, where in ((explanation.above, "above"), (explanation.below, "below")):
        lines += _neighbour(other, where, explanation, name_of, side_of)
    return tuple(lines)


def _at_larger_tables(explanation: Explanation) -> Iterator[str]:
    """Yield lines on how results are counted if every table has three or more seats."""
    by_points = "" if explanation.profile.placement else ", a shared one a draw, every other a loss"
    silent = [item.code for item in explanation.tiebreaks if item.rule.looks_at == "games"]
    games = (
        f"; no games are counted, so {listed(silent)} {'do' if len(silent) > 1 else 'does'} not apply"
        if silent
        else ""
    )
    first = "the first place is a win" if by_points else "each place has its points"
    yield f"at tables of three and more {first}{by_points}, and all others at the table are opponents{games}"
    size, limits = explanation.standings.largest, explanation.profile.match_win
    floor = limits.floor_by_size.get(size, limits.floor)
    floored = any(item.rule.unit == "percent" and item.code not in silent for item in explanation.tiebreaks)
    if floored and floor >= Fraction(1, size) and not explanation.profile.placement:
        yield (
            f"the floor of {exact_text(floor)} is one for matches of two: at tables of {size},"
            f" where an average player wins 1/{size}, most have just the floor"
        )


def _tiebreak(
    item: Explained,
    profile: Profile,
    name_of: NameOf,
    side_in: Callable[[int], str] = lambda _round: "",
    score_in: Callable[[int], str] = lambda _round: "",
) -> Iterator[str]:
    """Yield the lines that explain one tie-break.

    side_in, score_in: return the player's side and score in a round, as text
    """
    unit = item.rule.unit
    shown, exact = text_of(item.value, unit, profile), exact_text(item.value)
    sign = " %" if unit == "percent" and item.value is not None else ""
    equal = "" if shown == exact or unit in ("points", "lot", "place") else f" = {exact}"
    single = sum(line.value is not None for line in item.lines) < 2
    worked = "" if single and item.raw is None and item.how in ("sum", "mean", "count") else item.worked
    yield f"{item.code}, {item.rule.name}: {shown}{sign}{_worked(equal, item.raw, item.note, worked)}"
    for player, points in item.met.items():
        yield f"  {_encounter(player, points, item, name_of)}"
    if item.among and not item.met:
        few = len(item.among) <= _MOST_LEVEL  # they decide nothing here; the standings have them all
        yield f"  level: {', '.join(map(name_of, item.among)) if few else f'{len(item.among)} players'}"
    for line in item.lines:
        side = f", {side}" if (side := side_in(line.entry.round)) else ""
        yield f"  round {line.entry.round}{side}: {_line(line, name_of, score_in(line.entry.round))}"
    for part in item.parts:
        for text in _tiebreak(part, profile, name_of):
            yield f"  {text}"


def _worked(value: str, raw: object, note: str, worked: str) -> str:
    """Return a value as text, with its note and its arithmetic.

    Without `raw`, the arithmetic follows the value: `5 = 2 + 3 (note)`. With `raw`, the note ends with `raw`,
    and the arithmetic explains `raw`: `1/3, raised to the floor from 1/4 = (1 + 0 + 0 + 0)/4`.

    raw: the value before a floor or cap changed it; None if neither did
    """
    sum_of = f" = {worked}" if worked else ""
    if raw is not None:
        return f"{value}, {note}{sum_of}"
    return f"{value}{sum_of}" + (f" ({note})" if note else "")


def _encounter(
    player: PlayerId, points: Mapping[PlayerId, Fraction], item: Explained, name_of: NameOf
) -> str:
    opponents = ", ".join(map(name_of, points))
    missing = ", ".join(name_of(other) for other in item.among if other not in points and other != player)
    sum_of = f" = {sum_text(points.values())}" if len(points) > 1 else ""
    against = f"{sum(points.values())}{sum_of} against {opponents}" if opponents else "0"
    return f"{name_of(player)}: {against}" + (f"; not met: {missing}" if missing else "")


def _line(line: Term, name_of: NameOf, score: str = "") -> str:
    what, note = f"{_what(line, name_of)}{score}", line.note
    if line.value is None and line.raw is None:
        says_no_more = note in ("", "not counted", line.entry.outcome.words.alone) or note in what
        return f"{what}: not counted" + ("" if says_no_more else f", {note}")
    is_cut = line.value is None
    value = str(line.raw if is_cut else line.value)
    worked = "" if line.worked.endswith("/1") or line.worked == value else line.worked
    if note in (what, line.entry.outcome.words.alone):
        note = ""
    games = "" if line.of is None else f", of {counted(line.of, 'game')}"
    if line.raw is not None and not is_cut:
        text = _worked(value, line.raw, note, worked)
    else:
        text = value + (f" = {worked}" if worked else "") + games + (f", {note}" if note else "")
    made = ", ".join(_short(part, name_of) for part in line.made)
    return f"{what}: {text}" + (f": {made}" if made else "")


def _what(line: Term, name_of: NameOf) -> str:
    names = ", ".join(map(name_of, line.opponents))
    if line.theirs:
        return names
    what = f"{line.entry.outcome.words.against} {names}" if names else line.entry.outcome.words.alone
    return f"{what}{_games(line)}"


def _short(line: Term, name_of: NameOf) -> str:
    """Return a few words on one round of an opponent, such as `beat Mira 2–0`.

    The number that the round adds to the opponent's value is left out if the arithmetic of that value
    already shows it.
    """
    what = _what(line, name_of)
    if line.value is None:
        return f"{what} (not counted)"
    worked = f" = {line.worked}" if line.worked and not line.worked.endswith("/1") and not line.of else ""
    if line.raw is not None or line.note.startswith(("counts", "scored", "a dummy", "virtual")):
        return f"{what} ({line.note}{worked})"
    return f"{what} {line.value}{worked}" if worked else what


def _games(line: Term) -> str:
    if not line.of:
        return ""
    won, lost, drawn = line.entry.games
    if not won and not lost:
        return f" ({counted(drawn, 'game')} drawn)"
    return f" {won}–{lost}" + (f"–{drawn}" if drawn else "")


def _neighbour(
    other: Neighbour | None, where: str, explanation: Explanation, name_of: NameOf, side_of: SideOf
) -> Iterator[str]:
    if other is None:
        return
    them = f"{where}: {name_of(other.row.player)}"
    if other.code is None:
        yield f"{them}, level in everything: they share place {other.row.rank}"
        return
    rule, profile = find(other.code), explanation.profile
    own, theirs = (text_of(value, rule.unit, profile) for value in (other.own, other.theirs))
    if own == theirs:
        own, theirs = exact_text(other.own), exact_text(other.theirs)
    yield f"{them} (place {other.row.rank}): {rule.name} {theirs} against {own}"
    yield from _swaps(other.search, name_of, side_of)


def _swaps(search: SwapSearch, name_of: NameOf, side_of: SideOf) -> Iterator[str]:
    if not search.swaps:
        none = "no other single result" if search.whole else "none of the single results that were tried"
        yield f"  {none} would have swapped them ({search.alternatives.tried})"
        return
    yield "  each of these results would have swapped them:"
    own, others = search.swaps[: search.own], search.swaps[search.own :]
    for swaps in (own, others):
        tables = [list(group) for _, group in groupby(swaps, lambda swap: (swap.round, swap.table.number))]
        for table in tables[:_MOST_TABLES]:
            yield f"    round {table[0].round}, {_table(table, search, name_of, side_of)}"
        left = len(tables) - _MOST_TABLES
        if left > 0:
            whose = "" if swaps is own else " of other players"
            yield f"    and {counted(left, 'more match', 'more matches')}{whose}"
    if not search.whole:
        yield "    (not every table was tried)"


def _table(swaps: list[Swap], search: SwapSearch, name_of: NameOf, side_of: SideOf) -> str:
    """Describe other results of one table, any of which would have swapped two players' places.

    At a table of two, the text names each kind of result, such as `Ben wins`. If only some scores of a kind
    would have swapped the players, these scores follow.

    swaps: the results, all for the same table
    """
    table = swaps[0].table
    assert table.result is not None  # only reported results are searched
    seats = [name_of(seat) for seat in table.seats]
    instead = [swap.instead for swap in swaps]
    if len(seats) == 2:
        tried = Counter(map(_outcomes_of, search.alternatives.of(table)))
        tried[_outcomes_of(table.result)] += 1  # the table's own result, which does not swap the players
        ways = _ways_of_two(instead, tried, seats)
    else:
        ways = _ways_of_many(table, instead, search, seats)
    sides = [side_of(seat, swaps[0].round) for seat in table.seats]
    sat = [f"{seat} ({side})" if side else seat for seat, side in zip(seats, sides, strict=True)]
    return f"{' against '.join(sat) if len(sat) == 2 else ', '.join(sat)}: {'; '.join(ways)}"


_Outcomes = tuple[Outcome, ...]


def _outcomes_of(result: Result) -> _Outcomes:
    return tuple(seat.outcome for seat in result.seats)


def _ways_of_two(results: list[Result], tried: Mapping[_Outcomes, int], seats: list[str]) -> Iterator[str]:
    by_kind: dict[_Outcomes, list[Result]] = {}
    for result in results:
        by_kind.setdefault(_outcomes_of(result), []).append(result)
    order = [*_WAYS, *by_kind]
    for kind in sorted(by_kind, key=order.index):
        of_kind = by_kind[kind]
        ruling = _WAYS.get(kind, "another ruling").format(*seats)
        scores = "" if len(of_kind) == tried[kind] else _few(map(_score, sorted(of_kind, key=_likely)))
        yield f"{ruling} {scores}".rstrip()


def _few(texts: Iterable[str]) -> str:
    """Join the different texts (`2–0 or 2–1`); after `_MOST_SCORES` texts, only count them."""
    unique = list(dict.fromkeys(texts))
    left = len(unique) - _MOST_SCORES
    if left > 0:
        return f"{', '.join(unique[:_MOST_SCORES])} and {left} more"
    return " or ".join(filter(None, (", ".join(unique[:-1]), unique[-1])))


_WAYS: Mapping[_Outcomes, str] = {
    (Outcome.WIN, Outcome.LOSS): "{0} wins",
    (Outcome.LOSS, Outcome.WIN): "{1} wins",
    (Outcome.DRAW, Outcome.DRAW): "a draw",
    (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS): "{1} does not show up",
    (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN): "{0} does not show up",
    (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS): "neither shows up",
    (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS): "a loss for both",
}


def _likely(result: Result) -> tuple[int, int]:
    """Return a sort key for results: finished matches first, and few drawn games before many."""
    return -max(seat.games for seat in result.seats), result.drawn_games


def _score(result: Result) -> str:
    """Return a score from the winner's side, `2–1`."""
    first, second = result.seats
    if first.score is not None and second.score is not None:
        one, other = first.score, second.score
    else:
        one, other = first.games, second.games
    if second.outcome is Outcome.WIN:
        one, other = other, one
    drawn = result.drawn_games
    if one == other == 0 and first.score is None:
        return "without a finished game" if not drawn else f"with {counted(drawn, 'drawn game')}"
    return f"{one}–{other}" + (f"–{drawn}" if drawn else "")


class _Change(NamedTuple):
    """The missing players and the first places in a result of a table of three or more players.

    Seats are numbered from 0. If the result is a loss for all, `away` and `first` are empty.

    away:  the seats of the players who do not show up
    first: the seats of the players who take first place
    """

    away: tuple[int, ...]
    first: tuple[int, ...]

    @classmethod
    def of(cls, result: Result) -> _Change:
        seats = [*enumerate(result.seats)]
        if all(seat.outcome is Outcome.DOUBLE_LOSS for _, seat in seats):
            return cls((), ())
        away = tuple(at for at, seat in seats if seat.outcome is Outcome.FORFEIT_LOSS)
        return cls(away, tuple(at for at, seat in seats if seat.place == 1 and at not in away))

    def text(self, seats: list[str]) -> str:
        if not self.first:
            return "no player shows up" if self.away else "a loss for all"
        if len(self.first) == len(seats):
            return "all share the first place"
        first = listed(seats[at] for at in self.first)
        text = f"{first} {'wins' if len(self.first) == 1 else 'share the first place'}"
        if not self.away:
            return text
        show = "does not show up" if len(self.away) == 1 else "do not show up"
        return f"{text} and {listed(seats[at] for at in self.away)} {show}"


def _ways_of_many(table: Table, results: list[Result], search: SwapSearch, seats: list[str]) -> Iterator[str]:
    """Yield phrases for the results of a larger table that would have swapped two players.

    A phrase says who is first. At most `_MOST_CHANGES` changes are shown, and the others are counted. If only
    some results with the same first places would have swapped the players, one of these results is shown.
    """
    assert table.result is not None
    own = _Change.of(table.result)
    tried: Counter[_Change] = Counter()
    if len(seats) <= MOST_ORDERED:
        tried.update(map(_Change.of, search.alternatives.of(table)))
    changes: dict[_Change, list[Result]] = {}
    for result in results:
        changes.setdefault(_Change.of(result), []).append(result)
    plainest = _plainest(changes)
    shown, others = plainest[:_MOST_CHANGES], plainest[_MOST_CHANGES:]
    # The table's own result does not swap the players, so its first places alone say too little.
    whole = [change for change in shown if change != own and len(changes[change]) >= tried[change]]
    winners = [change for change in whole if len(change.first) == 1 and not change.away]
    shared = [change for change in whole if 1 < len(change.first) < len(seats) and not change.away]
    if winners:
        yield f"{listed([seats[change.first[0]] for change in winners], 'or')} wins"
    if shared:
        by = listed([f"by {listed(seats[at] for at in change.first)}" for change in shared], "or")
        yield f"a first place shared {by}"
    for change in shown:
        if change not in whole:
            places = _places(changes[change][0], seats)
            yield places if len(changes[change]) == 1 else f"{change.text(seats)}, as in {places}"
        elif change not in winners and change not in shared:
            yield change.text(seats)
    if others:
        yield f"or any of {counted(len(others), 'other change')}"


def _plainest(changes: Collection[_Change]) -> list[_Change]:
    """Return the kinds of results of a table, the simplest first.

    Kinds in which no player takes first place come last. The others are sorted by the number of missing
    players, then by the number of players in first place. If the same players take first place in several
    kinds, and no player is missing in one of them, the others are left out.
    """
    return sorted(
        (change for change in changes if not (all(change) and _Change((), change.first) in changes)),
        key=lambda change: (not change.first, len(change.away), len(change.first), change),
    )


def _places(result: Result, seats: list[str]) -> str:
    """Return who took which place: `1 Ben, 2 Dora and Ada`."""
    at: dict[int, list[str]] = {}
    for name, seat in zip(seats, result.seats, strict=True):
        place = 0 if seat.outcome is Outcome.FORFEIT_LOSS else seat.place
        at.setdefault(place, []).append(name)
    missing = [f"{listed(at.pop(0))} missing"] if 0 in at else []
    return ", ".join([*(f"{place} {listed(at[place])}" for place in sorted(at)), *missing])
