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
from tourney.standings.explaining import Explanation, Neighbour, TiebreakExplanation
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
    place += ", behind all players whose games count" if row.left_early else ""
    edition_text = f", edition of {profile.edition}" if profile.edition else ""
    standings = explanation.standings
    so_far = f" (provisional: {heading_text(standings)})" if standings.open_tables else ""
    items = [
        item
        for item in explanation.tiebreaks
        if not standings.has_only_large_tables or item.rule.looks_at != "games"
    ]
    lines = [
        f"{name_of(row.player)}: {place}, {record_text(row)}, under {profile.name}{edition_text}{so_far}"
    ]
    lines += _at_larger_tables(explanation) if standings.has_only_large_tables else ()
    for item in items:
        texts_in_round = [
            partial(text_in, row.player) for text_in in (side_of, score_of) if item.code == POINTS
        ]
        lines += _tiebreak(item, profile, name_of, *texts_in_round)
    for other, position in ((explanation.above, "above"), (explanation.below, "below")):
        lines += _neighbour(other, position, explanation, name_of, side_of)
    return tuple(lines)


def _at_larger_tables(explanation: Explanation) -> Iterator[str]:
    """Yield lines on how results are counted if every table has three or more seats."""
    by_points = (
        "" if explanation.profile.placement else ", a shared first place a draw, every other place a loss"
    )
    unused_codes = [item.code for item in explanation.tiebreaks if item.rule.looks_at == "games"]
    verb = "do" if len(unused_codes) > 1 else "does"
    games = f"; no games are counted, so {listed(unused_codes)} {verb} not apply" if unused_codes else ""
    first = "the first place is a win" if by_points else "each place has its points"
    yield f"at tables of three and more {first}{by_points}, and all others at the table are opponents{games}"
    size, limits = explanation.standings.most_seats, explanation.profile.match_win
    floor = limits.floor_by_size.get(size, limits.floor)
    has_floor = any(
        item.rule.unit == "percent" and item.code not in unused_codes for item in explanation.tiebreaks
    )
    if has_floor and floor >= Fraction(1, size) and not explanation.profile.placement:
        yield (
            f"the floor of {exact_text(floor)} is meant for matches of two players; at tables of {size}, an"
            f" average player wins 1/{size} of them, so most players get the floor"
        )


def _tiebreak(
    item: TiebreakExplanation,
    profile: Profile,
    name_of: NameOf,
    side_in: Callable[[int], str] = lambda _round: "",
    score_in: Callable[[int], str] = lambda _round: "",
) -> Iterator[str]:
    """Yield the lines that explain one tie-break.

    side_in, score_in: return the player's side and score in a round, as text
    """
    unit = item.rule.unit
    value_shown, exact = text_of(item.value, unit, profile), exact_text(item.value)
    sign = " %" if unit == "percent" and item.value is not None else ""
    equal = "" if value_shown == exact or unit in ("points", "lot", "place") else f" = {exact}"
    is_single = sum(line.value is not None for line in item.lines) < 2
    arithmetic = (
        "" if is_single and item.raw is None and item.method in ("sum", "mean", "count") else item.arithmetic
    )
    details = _value_text(equal, item.raw, item.note, arithmetic)
    yield f"{item.code}, {item.rule.name}: {value_shown}{sign}{details}"
    for player, points in item.meetings.items():
        yield f"  {_encounter(player, points, item, name_of)}"
    if item.level_players and not item.meetings:
        count = len(item.level_players)  # if many, their names are left out: the standings list them
        names = ", ".join(map(name_of, item.level_players)) if count <= _MOST_LEVEL else f"{count} players"
        yield f"  level: {names}"
    for line in item.lines:
        side = f", {side}" if (side := side_in(line.entry.round)) else ""
        text = _line_text(line, name_of, score_in(line.entry.round))
        yield f"  round {line.entry.round}{side}: {text}{_fixed_games_text(line, profile)}"
    for part in item.parts:
        for text in _tiebreak(part, profile, name_of):
            yield f"  {text}"


def _value_text(value: str, raw: object, note: str, arithmetic: str) -> str:
    """Return a value as text, with its note and its arithmetic.

    Without `raw`, the arithmetic follows the value: `5 = 2 + 3 (note)`. With `raw`, the note ends with `raw`,
    and the arithmetic explains `raw`: `1/3, raised to the floor from 1/4 = (1 + 0 + 0 + 0)/4`.

    raw: the value before a floor or cap changed it; None if neither did
    """
    sum_of = f" = {arithmetic}" if arithmetic else ""
    if raw is not None:
        return f"{value}, {note}{sum_of}"
    return f"{value}{sum_of}" + (f" ({note})" if note else "")


def _encounter(
    player: PlayerId, points: Mapping[PlayerId, Fraction], item: TiebreakExplanation, name_of: NameOf
) -> str:
    opponents = ", ".join(map(name_of, points))
    missing = ", ".join(
        name_of(other) for other in item.level_players if other not in points and other != player
    )
    sum_of = f" = {sum_text(points.values())}" if len(points) > 1 else ""
    against = f"{sum(points.values())}{sum_of} against {opponents}" if opponents else "0"
    return f"{name_of(player)}: {against}" + (f"; not met: {missing}" if missing else "")


def _line_text(line: Term, name_of: NameOf, score: str = "") -> str:
    subject, note = f"{_subject(line, name_of)}{score}", line.note
    if line.value is None and line.raw is None:
        says_no_more = note in ("", "not counted", line.entry.outcome.words.alone) or note in subject
        return f"{subject}: not counted" + ("" if says_no_more else f", {note}")
    is_cut = line.value is None
    value = str(line.raw if is_cut else line.value)
    arithmetic = "" if line.arithmetic.endswith("/1") or line.arithmetic == value else line.arithmetic
    if note in (subject, line.entry.outcome.words.alone):
        note = ""
    games = "" if line.games_played is None else f", of {counted(line.games_played, 'game')}"
    if line.raw is not None and not is_cut:
        text = _value_text(value, line.raw, note, arithmetic)
    else:
        text = value + (f" = {arithmetic}" if arithmetic else "") + games + (f", {note}" if note else "")
    opponent_texts = ", ".join(_short_text(part, name_of) for part in line.opponent_terms)
    return f"{subject}: {text}" + (f": {opponent_texts}" if opponent_texts else "")


def _fixed_games_text(line: Term, profile: Profile) -> str:
    """Return a note if the profile decides how many games a line counts; else an empty text.

    Such games do not depend on the length of a match: in a best of 1, a no-show can count as 0–2.
    """
    is_fixed = bool(line.games_played) and profile.outcomes[line.entry.outcome].games is not None
    return " (games set by the profile)" if is_fixed else ""


def _subject(line: Term, name_of: NameOf) -> str:
    names = ", ".join(map(name_of, line.opponents))
    if line.sources:
        return names
    subject = f"{line.entry.outcome.words.against} {names}" if names else line.entry.outcome.words.alone
    return f"{subject}{_games_text(line)}"


def _short_text(line: Term, name_of: NameOf) -> str:
    """Return a few words on one round of an opponent, such as `beat Mira 2–0`.

    The number that the round adds to the opponent's value is left out if the arithmetic of that value
    already shows it.
    """
    subject = _subject(line, name_of)
    if line.value is None:
        return f"{subject} (not counted)"
    arithmetic = (
        f" = {line.arithmetic}"
        if line.arithmetic and not line.arithmetic.endswith("/1") and not line.games_played
        else ""
    )
    if line.raw is not None or line.note.startswith(("counts", "scored", "a dummy", "virtual")):
        return f"{subject} ({line.note}{arithmetic})"
    return f"{subject} {line.value}{arithmetic}" if arithmetic else subject


def _games_text(line: Term) -> str:
    if not line.games_played:
        return ""
    wins, losses, draws = line.entry.games
    if not wins and not losses:
        return f" ({counted(draws, 'game')} drawn)"
    return f" {wins}–{losses}" + (f"–{draws}" if draws else "")


def _neighbour(
    other: Neighbour | None, position: str, explanation: Explanation, name_of: NameOf, side_of: SideOf
) -> Iterator[str]:
    if other is None:
        return
    heading = f"{position}: {name_of(other.row.player)}"
    if other.code is None:
        yield f"{heading}, level in everything: they share place {other.row.rank}"
        return
    rule, profile = find(other.code), explanation.profile
    player_text, neighbour_text = (
        text_of(value, rule.unit, profile) for value in (other.player_value, other.neighbour_value)
    )
    if player_text == neighbour_text:
        player_text, neighbour_text = exact_text(other.player_value), exact_text(other.neighbour_value)
    yield f"{heading} (place {other.row.rank}): {rule.name} {neighbour_text} against {player_text}"
    yield from _swaps(other.search, name_of, side_of)


def _swaps(search: SwapSearch, name_of: NameOf, side_of: SideOf) -> Iterator[str]:
    if not search.swaps:
        subject = (
            "no other single result" if search.is_complete else "none of the single results that were tried"
        )
        yield f"  {subject} would have swapped them ({search.alternatives.description})"
        return
    yield "  each of these results would have swapped them:"
    own_swaps, other_swaps = search.swaps[: search.own_count], search.swaps[search.own_count :]
    for swaps in (own_swaps, other_swaps):
        tables = [list(group) for _, group in groupby(swaps, lambda swap: (swap.round, swap.table.number))]
        for table in tables[:_MOST_TABLES]:
            yield f"    round {table[0].round}, {_table(table, search, name_of, side_of)}"
        hidden_count = len(tables) - _MOST_TABLES
        if hidden_count > 0:
            owner = "" if swaps is own_swaps else " of other players"
            yield f"    and {counted(hidden_count, 'more match', 'more matches')}{owner}"
    if not search.is_complete:
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
    new_results = [swap.new_result for swap in swaps]
    if len(seats) == 2:
        tried_counts = Counter(map(_outcomes_of, search.alternatives.of(table)))
        # The table's own result does not swap the players.
        tried_counts[_outcomes_of(table.result)] += 1
        ways = _ways_of_two(new_results, tried_counts, seats)
    else:
        ways = _ways_of_many(table, new_results, search, seats)
    sides = [side_of(seat, swaps[0].round) for seat in table.seats]
    seat_texts = [f"{seat} ({side})" if side else seat for seat, side in zip(seats, sides, strict=True)]
    players = (" against " if len(seats) == 2 else ", ").join(seat_texts)
    return f"{players}: {'; '.join(ways)}"


_Outcomes = tuple[Outcome, ...]


def _outcomes_of(result: Result) -> _Outcomes:
    return tuple(seat.outcome for seat in result.seats)


def _ways_of_two(
    results: list[Result], tried_counts: Mapping[_Outcomes, int], seats: list[str]
) -> Iterator[str]:
    by_kind: dict[_Outcomes, list[Result]] = {}
    for result in results:
        by_kind.setdefault(_outcomes_of(result), []).append(result)
    order = [*_WAYS, *by_kind]
    for kind in sorted(by_kind, key=order.index):
        of_kind = by_kind[kind]
        ruling = _WAYS.get(kind, "another ruling").format(*seats)
        scores = (
            ""
            if len(of_kind) == tried_counts[kind]
            else _join_few(map(_score_text, sorted(of_kind, key=_likelihood_key)))
        )
        yield f"{ruling} {scores}".rstrip()


def _join_few(texts: Iterable[str]) -> str:
    """Join the different texts (`2–0 or 2–1`); after `_MOST_SCORES` texts, only count them."""
    unique_texts = list(dict.fromkeys(texts))
    hidden_count = len(unique_texts) - _MOST_SCORES
    if hidden_count > 0:
        return f"{', '.join(unique_texts[:_MOST_SCORES])} and {hidden_count} more"
    return " or ".join(filter(None, (", ".join(unique_texts[:-1]), unique_texts[-1])))


_WAYS: Mapping[_Outcomes, str] = {
    (Outcome.WIN, Outcome.LOSS): "{0} wins",
    (Outcome.LOSS, Outcome.WIN): "{1} wins",
    (Outcome.DRAW, Outcome.DRAW): "a draw",
    (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS): "{1} does not show up",
    (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN): "{0} does not show up",
    (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS): "neither shows up",
    (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS): "a loss for both",
}


def _likelihood_key(result: Result) -> tuple[int, int]:
    """Return a sort key for results: finished matches first, and few drawn games before many."""
    return -max(seat.games for seat in result.seats), result.drawn_games


def _score_text(result: Result) -> str:
    """Return a score from the winner's side, `2–1`."""
    first, second = result.seats
    if first.score is not None and second.score is not None:
        one, other = first.score, second.score
    else:
        one, other = first.games, second.games
    if second.outcome is Outcome.WIN:
        one, other = other, one
    drawn_games = result.drawn_games
    if one == other == 0 and first.score is None:
        return "without a finished game" if not drawn_games else f"with {counted(drawn_games, 'drawn game')}"
    return f"{one}–{other}" + (f"–{drawn_games}" if drawn_games else "")


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
    own_change = _Change.of(table.result)
    tried_counts: Counter[_Change] = Counter()
    if len(seats) <= MOST_ORDERED:
        tried_counts.update(map(_Change.of, search.alternatives.of(table)))
    changes: dict[_Change, list[Result]] = {}
    for result in results:
        changes.setdefault(_Change.of(result), []).append(result)
    plainest = _plainest(changes)
    shown_changes, other_changes = plainest[:_MOST_CHANGES], plainest[_MOST_CHANGES:]
    # The table's own result does not swap the players, so its first places alone say too little.
    complete_changes = [
        change
        for change in shown_changes
        if change != own_change and len(changes[change]) >= tried_counts[change]
    ]
    single_firsts = [change for change in complete_changes if len(change.first) == 1 and not change.away]
    shared_firsts = [
        change for change in complete_changes if 1 < len(change.first) < len(seats) and not change.away
    ]
    if single_firsts:
        yield f"{listed([seats[change.first[0]] for change in single_firsts], 'or')} wins"
    if shared_firsts:
        by = listed([f"by {listed(seats[at] for at in change.first)}" for change in shared_firsts], "or")
        yield f"a first place shared {by}"
    for change in shown_changes:
        if change not in complete_changes:
            places = _places_text(changes[change][0], seats)
            yield places if len(changes[change]) == 1 else f"{change.text(seats)}, as in {places}"
        elif change not in single_firsts and change not in shared_firsts:
            yield change.text(seats)
    if other_changes:
        yield f"or any of {counted(len(other_changes), 'other change')}"


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


def _places_text(result: Result, seats: list[str]) -> str:
    """Return who took which place: `1 Ben, 2 Dora and Ada`."""
    names_by_place: dict[int, list[str]] = {}
    for name, seat in zip(seats, result.seats, strict=True):
        place = 0 if seat.outcome is Outcome.FORFEIT_LOSS else seat.place
        names_by_place.setdefault(place, []).append(name)
    missing = [f"{listed(names_by_place.pop(0))} missing"] if 0 in names_by_place else []
    return ", ".join(
        [*(f"{place} {listed(names_by_place[place])}" for place in sorted(names_by_place)), *missing]
    )
