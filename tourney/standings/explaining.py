"""Why a player stands where they stand: every term of every tie-break, and what lies between the neighbours.

Whoever has the explanation can work every value out again with a pencil: each line says what was counted and how it
comes about, an opponent's value with the opponent's own results.

Which single result would have changed the order of two players, everything else being as it was.

What is tried, and no more than that is claimed: at every reported table of every round each other result that a match
of the event can end in. A table whose result cannot reach the values that tell the two apart is left out, as it cannot
swap them.

An explanation in sentences, for the terminal and for a player's page.

A line `value = arithmetic` can be worked out again with a pencil: every number in it is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, groupby, permutations, product

from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import tiebreaks
from tourney.standings.encounters import meetings
from tourney.standings.exact import NOBODY, Tally, Term, Value, added, halves
from tourney.standings.printing import exact_text, heading_text, record_text, text_of
from tourney.standings.profile import Games, Profile
from tourney.standings.ranking import Row, Standings, rank, value_of
from tourney.standings.scorecards import Entry, Sheets, Worth, is_round_robin
from tourney.standings.tiebreaks import Tiebreak, find


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one round gave to a tie-break.

    opponents: the others at the table
    theirs:    whether the value is taken from an opponent's record, not from the player's own
    value:     what was counted; None: the round does not count here
    raw:       the value before a floor or a cap, where they changed it, or before it was cut
    note:      why it counts so: `raised to the floor from 1/4`, `bye`, `cut`, a dummy …
    worked:    the arithmetic that gives `raw` if there is one, else `value` (`(1 + 1/2)/2`); empty: nothing to work out
    of:        of how many games `value` games were won, where games are counted; games: won, lost and drawn
    made:      the opponent's own lines that `worked` is made of
    """

    round: int
    outcome: Outcome
    opponents: tuple[PlayerId, ...]
    value: Fraction | int | None
    theirs: bool = False
    raw: Fraction | int | None = None
    note: str = ""
    worked: str = ""
    of: int | None = None
    games: Games | None = None
    made: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounters:
    """What a player of a level group made against the others: each one met, the mean of several matches in points."""

    player: PlayerId
    points: tuple[tuple[PlayerId, Fraction], ...]

    @property
    def worked(self) -> str:
        """The sum."""
        return added([points for _, points in self.points])


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One tie-break of the player.

    how:    how the lines make the value: `mean`, `sum` …
    note:   what changed the value afterwards: a floor, a drop; what stands behind `worked`
    raw:    the value before a floor or a cap changed it
    worked: the arithmetic that gives `raw` if there is one, else `value`; empty: the value stands by itself
    parts:  tie-breaks that this one is put together of (Konami's number)
    among:  the players it was worked out among (direct encounter, head-to-head); empty for the others
    met:    what each of them made against the others, where that decides
    """

    code: str
    name: str
    source: str
    unit: str
    value: Value
    how: str
    lines: tuple[Line, ...]
    note: str = ""
    raw: Value = None
    worked: str = ""
    parts: tuple[Explained, ...] = ()
    among: tuple[PlayerId, ...] = ()
    met: tuple[Encounters, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """The next player above or below.

    code:        the first value that tells the two apart (`PTS` for the points); None: they are level
    own, theirs: its two values
    search:      single results that would have changed the order of the two, all else as it was, and what was tried
    """

    row: Row
    code: str | None
    own: Value
    theirs: Value
    search: Search

    @property
    def swaps(self) -> tuple[Swap, ...]:
        """Each single result that would have changed the order of the two."""
        return self.search.swaps


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why `row` is where it is in `standings`: the points first, then each tie-break in the profile's order."""

    standings: Standings
    row: Row
    tiebreaks: tuple[Explained, ...]
    above: Neighbour | None
    below: Neighbour | None

    @property
    def profile(self) -> Profile:
        """The edition the standings were made under."""
        return self.standings.profile


def why(
    record: Record, profile: Profile, player: PlayerId, *, seed: str = "", form: MatchForm | None = None
) -> Explanation:
    """Explain the place of `player` in the standings of `record` under `profile`.

    form: what a match of the event can end in (None: as the results look), for results that would have changed places

    Raises KeyError if the player is not in the standings, TourneyError as `rank` does.
    """
    standings = rank(record, profile, seed=seed)
    row = standings.row(player)
    explaining = _Explaining(Sheets(record, profile, seed=seed), standings)
    form = form or MatchForm.seen_in(record)
    return Explanation(
        standings=standings,
        row=row,
        tiebreaks=explaining.all(row),
        above=explaining.neighbour(row, -1, form),
        below=explaining.neighbour(row, +1, form),
    )


def everybody(record: Record, profile: Profile, *, seed: str = "") -> Iterator[Explanation]:
    """Explain every place without its neighbours, in order of the standings: what players' pages tell."""
    standings = rank(record, profile, seed=seed)
    explaining = _Explaining(Sheets(record, profile, seed=seed), standings)
    for row in standings.rows:
        yield Explanation(standings=standings, row=row, tiebreaks=explaining.all(row), above=None, below=None)


_CUTS = ("C1", "C2", "M1", "M2")

_WORDS = {
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded bye",
    Outcome.HALF_BYE: "half-point bye",
    Outcome.ABSENT: "absent",
    Outcome.FORFEIT_WIN: "the opponent did not show",
    Outcome.FORFEIT_LOSS: "did not show",
    Outcome.DOUBLE_LOSS: "double loss",
}


class _Explaining:
    """Explains rows of one ranking; what several players' values hang on is worked out once."""

    def __init__(self, sheets: Sheets, standings: Standings) -> None:
        self.sheets = sheets
        self.standings = standings
        self.ordered = {row.player: _ordered(standings.profile, row) for row in standings.rows}
        self._made: dict[tuple[int, str, PlayerId], tuple[Tally, str, tuple[Line, ...]]] = {}

    def all(self, row: Row) -> tuple[Explained, ...]:
        """Explain each tie-break of `row` in the profile's order."""
        rules = [tiebreaks.find(code) for code in self.standings.profile.order]
        return tuple(
            self._among(row, place, rule) if rule.among else self._each(row.player, rule)
            for place, rule in enumerate(rules)
        )

    def _each(self, player: PlayerId, rule: Tiebreak) -> Explained:
        seen, frozen = self.sheets, ""
        last = seen.record.drops.get(player)
        if rule.code in seen.profile.frozen and last is not None and last < seen.rounds:
            seen, frozen = seen.after(last), f"as it was after round {last}"
        assert rule.each is not None
        tally = rule.each(seen, player)
        worked, note = tally.worked
        limited = _limit_note(tally.raw, tally.value) if rule.limited and not rule.of else ""
        return Explained(
            code=rule.code,
            name=rule.name,
            source=rule.source,
            unit=rule.unit,
            value=tally.value,
            how=tally.how,
            lines=self._lines(seen, rule, player, tally),
            note="; ".join(filter(None, (frozen, note, limited))),
            raw=tally.raw if limited else None,
            worked=worked,
            parts=tuple(self._each(player, tiebreaks.find(code)) for code in rule.parts),
        )

    def _lines(self, seen: Sheets, rule: Tiebreak, player: PlayerId, tally: Tally) -> tuple[Line, ...]:
        lines = [self._line(seen, rule, term) for term in tally.terms]
        counted = {(line.round, line.opponents) for line in lines}
        lines += [
            line for line in self._cut(seen, rule, player) if (line.round, line.opponents) not in counted
        ]
        rounds = {line.round for line in lines}
        if rule.of or rule.unit == "percent":
            lines += [_uncounted(entry) for entry in seen[player] if entry.round not in rounds]
        return tuple(sorted(lines, key=lambda line: line.round))

    def _cut(self, seen: Sheets, rule: Tiebreak, player: PlayerId) -> list[Line]:
        """Return the lines of the uncut tie-break, each as one that was cut."""
        base, _, modifier = rule.code.partition("/")
        whole = tiebreaks.find(base)
        if modifier not in _CUTS or whole.each is None:
            return []
        lines = [self._line(seen, whole, term) for term in whole.each(seen, player).terms]
        return [replace(line, value=None, raw=line.value or 0, note="cut") for line in lines]

    def _line(self, seen: Sheets, rule: Tiebreak, term: Term) -> Line:
        entry, opponent, value, worked, raw, note, of = term
        theirs = opponent != NOBODY
        line = Line(
            round=entry.round,
            outcome=entry.outcome,
            opponents=(opponent,) if theirs else entry.opponents,
            theirs=theirs,
            value=value,
            raw=raw,
            note=note or ("" if theirs else _WORDS.get(entry.outcome, "")),
            worked=worked,
            of=of,
            games=entry.games if of else None,
        )
        if not (theirs and rule.of):
            return line
        if rule.tables and len(entry.opponents) > 1:
            return self._table(seen, rule, line, entry)
        tally, made_of, made = self._of(seen, rule, opponent)
        line = replace(line, worked=_product(worked, made_of), made=made, note=line.note or tally.worked[1])
        if rule.limited and (limited := _limit_note(tally.value, value)):
            return replace(line, raw=tally.value, note=limited)
        return line

    def _table(self, seen: Sheets, rule: Tiebreak, line: Line, entry: Entry) -> Line:
        """Return the line of a table of many, where every opponent's score counts together."""
        found = [(opponent, self._of(seen, rule, opponent)) for opponent in entry.opponents]
        made = tuple(
            Line(
                round=entry.round,
                outcome=entry.outcome,
                opponents=(opponent,),
                theirs=True,
                value=tally.value,
                worked=worked,
                made=lines,
            )
            for opponent, (tally, worked, lines) in found
        )
        scores = added([tally.value or 0 for _, (tally, _, _) in found])
        return replace(line, opponents=entry.opponents, worked=_product(line.worked, scores), made=made)

    def _of(self, seen: Sheets, rule: Tiebreak, opponent: PlayerId) -> tuple[Tally, str, tuple[Line, ...]]:
        """Return what is counted of an opponent before limits: the value, its arithmetic and its lines."""
        assert rule.of is not None
        key = (seen.rounds, rule.code.partition("/C")[0].partition("/M")[0], opponent)
        if key not in self._made:
            tally = rule.of(seen, opponent)
            deeper = next((row for row in tiebreaks.TABLE if row.each == rule.of), _PLAIN)
            lines = [self._line(seen, deeper, term) for term in tally.terms]
            rounds = {line.round for line in lines}
            lines += [_uncounted(entry) for entry in seen[opponent] if entry.round not in rounds]
            ordered = tuple(sorted(lines, key=lambda line: line.round))
            self._made[key] = tally, tally.worked[0], ordered
        return self._made[key]

    def _among(self, row: Row, place: int, rule: Tiebreak) -> Explained:
        group = self._level_before(row, place)
        every_kind = rule.code != "DE" or is_round_robin(self.sheets)
        met = meetings(self.sheets, group, forfeits=every_kind)
        others = set(group) - {row.player}
        lines = [
            Line(
                round=entry.round,
                outcome=entry.outcome,
                opponents=entry.opponents,
                value=halves(entry.points) if every_kind or entry.outcome.played else None,
                note=_WORDS.get(entry.outcome, ""),
            )
            for entry in self.sheets[row.player]
            if others.intersection(entry.opponents)
        ]
        note = self._group_note(rule, group, len(met))
        encounters = [
            Encounters(
                player=player,
                points=tuple((other, met[player, other]) for other in group if (player, other) in met),
            )
            for player in group
        ]
        return Explained(
            code=rule.code,
            name=rule.name,
            source=rule.source,
            unit=rule.unit,
            value=self.ordered[row.player][place][1],
            how="place among those who are level",
            lines=tuple(lines),
            note=note,
            among=tuple(group) if len(group) > 1 else (),
            met=() if note else tuple(encounters),
        )

    def _group_note(self, rule: Tiebreak, group: list[PlayerId], meetings_found: int) -> str:
        if len(group) < 2:
            return "nobody else is level"
        all_met = meetings_found == len(group) * (len(group) - 1)
        if rule.code != "H2H":
            return "" if meetings_found else "not used: none of them have met"
        if self.sheets.profile.head_to_head == "two" and len(group) > 2:
            return f"not used: {len(group)} are level, it decides between two only"
        return "" if all_met else "not used: they have not all met"

    def _level_before(self, row: Row, place: int) -> list[PlayerId]:
        """Return those who are level with `row` in everything before the tie-break at `place`, as registered."""
        own = self.ordered[row.player][:place]
        there = [other for other in self.standings.rows if (other.rank is None) == (row.rank is None)]
        return sorted(other.player for other in there if self.ordered[other.player][:place] == own)

    def neighbour(self, row: Row, step: int, form: MatchForm) -> Neighbour | None:
        """Compare with the next player above (-1) or below (1); None where there is none."""
        rows = self.standings.rows
        place = rows.index(row) + step
        if row.rank is None or not 0 <= place < len(rows) or rows[place].rank is None:
            return None
        other = rows[place]
        both = zip(self.ordered[row.player], self.ordered[other.player], strict=True)
        code, own, theirs = next(
            ((code, mine, yours) for (code, mine), (_, yours) in both if mine != yours), (None, None, None)
        )
        found = search(self.sheets, self.standings, row.player, other.player, form)
        return Neighbour(row=other, code=code, own=own, theirs=theirs, search=found)


def _product(worked: str, made_of: str) -> str:
    """Write what a score is made of; where it is multiplied (`3/2 × 1`), behind the product (`= (1 + 1/2) × 1`)."""
    if not (worked and made_of):
        return worked or made_of
    return f"{worked} = ({made_of}) × {worked.rpartition(' × ')[2]}"


_PLAIN = Tiebreak("", "", "", "number")
"""Stands for what is counted of an opponent and is no tie-break by itself."""


def _ordered(profile: Profile, row: Row) -> list[tuple[str, Value]]:
    """Return each code of the profile's order with the row's value; a code may be there twice."""
    keys = iter(row.keys)
    return [(code, halves(row.points) if code == "PTS" else next(keys).value) for code in profile.order]


def _limit_note(raw: Value, value: Value) -> str:
    if raw == value or value is None:
        return ""
    if raw is None:
        return "nothing played, so the floor"
    return f"raised to the floor from {raw}" if raw < value else f"lowered to the cap from {raw}"


def _uncounted(entry: Entry) -> Line:
    note = _WORDS.get(entry.outcome, "not counted")
    return Line(round=entry.round, outcome=entry.outcome, opponents=entry.opponents, value=None, note=note)


# -- Which single result would have changed the order of two players, everything else being as it was


BUDGET = 5_000
"""Orders of the two players worked out at most: about a second. Those of many rounds, or of large tables, count as several."""

MOST_SEATS = 5
"""Tables of more seats are tried with every first place only, not with every order of the others."""


MOST_TRIED = 16
"""Games of a match that are tried: of a best of 99 every score there is would be 130,000 at each table."""


@dataclass(frozen=True, slots=True)
class MatchForm:
    """What a match between two can end in.

    best_of: games it can have; an even number is played out
    draws:   whether it may end without a winner
    """

    best_of: int
    draws: bool = True

    @property
    def needed(self) -> int:
        """Games that win the match."""
        return self.best_of // 2 + 1

    @property
    def most_games(self) -> int:
        """Games that are tried, drawn ones among them: one more than the match has without drawn games, up to a bound."""
        return min(self.best_of + 1, MOST_TRIED)

    @classmethod
    def seen_in(cls, record: Record, *, best_of: int | None = None, draws: bool | None = None) -> MatchForm:
        """Read the form off the results: who won most games needed no more; matches may be drawn unless said."""
        won = [
            seat.games
            for tables in record.rounds
            for table in tables
            if table.result is not None and len(table.seats) == 2
            for seat in table.result.seats
        ]
        return cls(best_of or max(2 * max(won, default=1) - 1, 1), draws is not False)

    def scores(self) -> Iterator[tuple[int, int, int]]:
        """Give every (won, lost, drawn) of up to `most_games`, finished or ended by time."""
        for won, lost in product(range(min(self.needed, self.most_games) + 1), repeat=2):
            if won + lost > self.best_of or won == lost == self.needed or (won == lost and not self.draws):
                continue
            for drawn in range(self.most_games - won - lost + 1):
                yield won, lost, drawn


@dataclass(frozen=True, slots=True)
class Swap:
    """Had `table` of `round` ended as `instead`, the two players would stand the other way round.

    table: the table as it was; instead: the result, in the same seat order
    """

    round: int
    table: Table
    instead: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What was found, and what was tried.

    swaps: each single result that would have swapped the two, the two players' own matches first, late rounds first
    own:   how many of them are of the two players' own matches
    whole: whether all of `alternatives` were tried (in very large events only the nearest tables are)
    """

    alternatives: Alternatives
    swaps: tuple[Swap, ...] = ()
    own: int = 0
    whole: bool = True


def search(sheets: Sheets, standings: Standings, one: PlayerId, other: PlayerId, form: MatchForm) -> Search:
    """Try each other single result. Level neighbours have no order to swap."""
    pair = _Pair(sheets, standings, one, other)
    alternatives = Alternatives(sheets.record, sheets.profile, form)
    if not pair.order:
        return Search(alternatives=alternatives)
    own, others = pair.tables()
    found: list[Swap] = []
    of_own = 0
    for tables in (own, others):
        for number, table in tables:
            found += pair.swapped_by(number, table, alternatives.of(table))
        of_own = of_own if tables is others else len(found)
    return Search(alternatives=alternatives, swaps=tuple(found), own=of_own, whole=not pair.stopped)


class Alternatives:
    """The results that each table could have had instead of its own."""

    def __init__(self, record: Record, profile: Profile, form: MatchForm) -> None:
        self.form = form
        self.by_score = profile.from_score or not {"VP", "VPD"}.isdisjoint(profile.order)
        every = [table for tables in record.rounds for table in tables if table.result is not None]
        self.sizes = {len(table.seats) for table in every}
        self.seen = (
            dict.fromkeys(_plain(table.result) for table in every if table.result and _scored(table.result))
            if self.by_score
            else {}
        )
        self._known: dict[int, tuple[_Sides, ...]] = {}

    @property
    def tried(self) -> str:
        """What is tried, in words."""
        parts = []
        if 2 in self.sizes or not self.sizes:
            match = f"a {'best' if self.form.best_of % 2 else 'match'} of {self.form.best_of}"
            draws = "" if self.form.draws else ", none a draw"
            parts.append(f"every score of {match} with up to {self.form.most_games} games{draws}")
        if self.sizes - {2}:
            large = max(self.sizes) > MOST_SEATS
            parts.append("every first place" if large else "every order of places, shared ones among them")
        if self.seen:
            parts.append("every score that is in the record")
        return f"{', '.join(parts)}, no-shows and double losses"

    def of(self, table: Table) -> Iterator[Result]:
        """Give each result but the table's own."""
        assert table.result is not None
        for sides, drawn in self._of_size(len(table.seats)):
            seats = tuple(Seat(player, *side) for player, side in zip(table.seats, sides, strict=True))
            result = Result(seats, drawn)
            if result != table.result:
                yield result

    def _of_size(self, size: int) -> Iterable[_Sides]:
        if (
            size > MOST_SEATS
        ):  # more than there are atoms, at a hundred seats: whoever tries them stops somewhere
            return self._all(size)
        if size not in self._known:
            self._known[size] = tuple(dict.fromkeys(self._all(size)))
        return self._known[size]

    def _all(self, size: int) -> Iterator[_Sides]:
        yield from _two(self.form) if size == 2 else _many(size, draws=self.form.draws)
        yield (((Outcome.DOUBLE_LOSS, 1, 0, None),) * size, 0)
        for sides, drawn in self.seen:
            if len(sides) == size:
                yield from ((order, drawn) for order in permutations(sides))


_Side = tuple[Outcome, int, int, int | None]
"""Outcome, place, games won and score of a seat."""

_Sides = tuple[tuple[_Side, ...], int]
"""A result without its players: the seats' sides and the drawn games."""


def _plain(result: Result) -> _Sides:
    sides = tuple((seat.outcome, seat.place, seat.games, seat.score) for seat in result.seats)
    return sides, result.drawn_games


def _scored(result: Result) -> bool:
    return any(seat.score is not None for seat in result.seats)


def _two(form: MatchForm) -> Iterator[_Sides]:
    for won, lost, drawn in form.scores():
        if won == lost:
            sides = ((Outcome.DRAW, 1, won, None), (Outcome.DRAW, 1, lost, None))
        elif won > lost:
            sides = ((Outcome.WIN, 1, won, None), (Outcome.LOSS, 2, lost, None))
        else:
            sides = ((Outcome.LOSS, 2, won, None), (Outcome.WIN, 1, lost, None))
        yield sides, drawn
    there, gone = (Outcome.FORFEIT_WIN, 1, 0, None), (Outcome.FORFEIT_LOSS, 2, 0, None)
    yield (there, gone), 0
    yield (gone, there), 0
    yield ((Outcome.FORFEIT_LOSS, 1, 0, None),) * 2, 0


def _many(size: int, *, draws: bool) -> Iterator[_Sides]:
    """Give every order of places of those who were there, none of them missing up to all."""
    for missing in range(size + 1):
        for gone in combinations(range(size), missing):
            there = [seat for seat in range(size) if seat not in gone]
            for places in _orders(len(there)):
                placed = dict(zip(there, places, strict=True))
                if draws or places.count(1) < 2:
                    yield tuple(_placed(placed, seat) for seat in range(size)), 0


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    """Give the places that `count` players can take, shared ones counted as 1, 1, 3."""
    highest = count if count <= MOST_SEATS else 2
    known = set()
    for ranks in product(range(highest), repeat=count):
        places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
        if places not in known:
            known.add(places)
            yield places


def _placed(placed: dict[int, int], seat: int) -> _Side:
    if seat not in placed:
        return Outcome.FORFEIT_LOSS, len(placed) + 1, 0, None
    if len(placed) == 1:
        return Outcome.FORFEIT_WIN, 1, 0, None
    if placed[seat] > 1:
        return Outcome.LOSS, placed[seat], 0, None
    shared = sum(place == 1 for place in placed.values()) > 1
    return Outcome.DRAW if shared else Outcome.WIN, 1, 0, None


class _Pair:
    """Two players, and the order they stand in: -1 if `one` is above, 1 if below, 0 if they are level.

    left: how many more orders may be worked out; stopped: whether one was not, because none was left
    """

    def __init__(self, sheets: Sheets, standings: Standings, one: PlayerId, other: PlayerId) -> None:
        self.sheets = sheets
        self.ranked = [row.player for row in standings.rows if row.rank is not None]
        self.one = one
        self.other = other
        self.rules = [tiebreaks.find(code) for code in sheets.profile.order]
        self.order, self.decided_by = self._order(sheets)
        self.left = BUDGET
        self.price = 1 + sheets.rounds // 50
        self.stopped = False

    def tables(self) -> tuple[list[tuple[int, Table]], list[tuple[int, Table]]]:
        """Return the reported tables that can reach what tells the two apart: their own, and other people's.

        The latest rounds come first: those are the ones people ask about.
        """
        deciding = self.rules[: self.decided_by + 1]
        near: set[PlayerId] | None = {self.one, self.other}
        if any(rule.among for rule in deciding):
            near = None
        else:
            for _ in range(max(rule.reach for rule in deciding)):
                assert near is not None
                near = near.union(*(entry.opponents for player in near for entry in self.sheets[player]))
        own: list[tuple[int, Table]] = []
        others: list[tuple[int, Table]] = []
        for number in range(self.sheets.rounds, 0, -1):
            for table in self.sheets.record.rounds[number - 1]:
                if table.result is None or (near is not None and near.isdisjoint(table.seats)):
                    continue
                mine = self.one in table.seats or self.other in table.seats
                (own if mine else others).append((number, table))
        return own, others

    def swapped_by(self, number: int, table: Table, results: Iterable[Result]) -> list[Swap]:
        """Return those results that swap the two.

        Results that differ only in what the deciding tie-breaks do not look at (games, scores) are tried once.
        """
        scale = self.sheets.scale
        coarse: dict[object, tuple[bool, bool]] = {}
        fine: dict[object, bool] = {}
        found: list[Swap] = []
        for result in results:
            kind = _kind(scale.table(result), result)
            swapped, settled = coarse.get(kind, (False, False))
            if not settled:
                finer = (kind, tuple((seat.games, seat.score) for seat in result.seats), result.drawn_games)
                if finer not in fine:
                    if self.left <= 0:
                        self.stopped = True
                        return found
                    self.left -= self.price if len(table.seats) <= MOST_SEATS else len(table.seats)
                    order, decided_by = self._order(self.sheets.with_table(number, table, result))
                    fine[finer] = order == -self.order
                    whole = not any(rule.fine for rule in self.rules[: decided_by + 1])
                    coarse[kind] = fine[finer], whole
                swapped = fine[finer]
            if swapped:
                found.append(Swap(number, table, result))
        return found

    def _order(self, sheets: Sheets) -> tuple[int, int]:
        """Return the order, and the place of the tie-break that decides it (the last one where none does)."""
        level, since = self.ranked, 0
        for i, rule in enumerate(self.rules):
            if rule.among:
                level = self._level(sheets, level, self.rules[since:i])
                among = rule.among(sheets, level)
                order = _compared(among[self.one], among[self.other], rule)
                level, since = [player for player in level if among[player] == among[self.one]], i + 1
            else:
                value = value_of(sheets, rule)
                order = _compared(value(self.one), value(self.other), rule)
            if order:
                return order, i
        return 0, len(self.rules) - 1

    def _level(self, sheets: Sheets, players: list[PlayerId], rules: Sequence[Tiebreak]) -> list[PlayerId]:
        """Return those of `players` who are level with the two in all of `rules`."""
        for rule in rules:
            value = value_of(sheets, rule)
            own = value(self.one)
            players = [player for player in players if value(player) == own]
        return players


def _kind(worths: Sequence[Worth], result: Result) -> object:
    """Return all of a result but its games and scores: results of one kind differ in nothing else."""
    return tuple(
        (seat.outcome, worth.points, worth.share, worth.meets)
        for seat, worth in zip(result.seats, worths, strict=True)
    )


def _compared(own: Value, theirs: Value, rule: Tiebreak) -> int:
    if own == theirs:
        return 0
    if own is None or theirs is None:
        return 1 if own is None else -1
    return -1 if (own < theirs) == rule.low else 1


# -- An explanation in sentences, for the terminal and for a player's page


NameOf = Callable[[PlayerId], str]

MOST_TABLES = 3
"""Tables told for each neighbour, of their own and of others; `--json` has them all."""

MOST_SCORES = 4
"""Scores of one table told by number."""

MOST_LEVEL = 8
"""Players told by name who are level where a tie-break among them is not used."""


def told(explanation: Explanation, name_of: NameOf) -> tuple[str, ...]:
    """Tell why a player stands where they stand, a line each; what belongs under a line is indented by two."""
    row, profile = explanation.row, explanation.profile
    place = "disqualified, without a place" if row.rank is None else f"place {row.rank}"
    dated = f", edition of {profile.edition}" if profile.edition else ""
    standings = explanation.standings
    so_far = f" (provisional: {heading_text(standings)})" if standings.playing else ""
    return (
        f"{name_of(row.player)}: {place}, {record_text(row)}, under {profile.name}{dated}{so_far}",
        *[line for each in explanation.tiebreaks for line in _tiebreak(each, profile, name_of)],
        *_neighbour(explanation.above, "above", explanation, name_of),
        *_neighbour(explanation.below, "below", explanation, name_of),
    )


def _tiebreak(each: Explained, profile: Profile, name_of: NameOf) -> Iterator[str]:
    shown, exact = text_of(each.value, each.unit, profile), exact_text(each.value)
    unit = " %" if each.unit == "percent" and each.value is not None else ""
    equal = "" if shown == exact or each.unit in ("points", "lot", "place") else f" = {exact}"
    single = sum(line.value is not None for line in each.lines) < 2
    worked = "" if single and each.raw is None and each.how in ("sum", "mean", "count") else each.worked
    yield f"{each.code}, {each.name}: {shown}{unit}{_worked(equal, each.raw, each.note, worked)}"
    for encounter in each.met:
        yield f"  {_encounter(encounter, each, name_of)}"
    if each.among and not each.met:
        few = len(each.among) <= MOST_LEVEL  # they decide nothing here; the standings have them all
        yield f"  level: {', '.join(map(name_of, each.among)) if few else f'{len(each.among)} players'}"
    for line in each.lines:
        yield f"  round {line.round}: {_line(line, name_of)}"
    for part in each.parts:
        for text in _tiebreak(part, profile, name_of):
            yield f"  {text}"


def _worked(value: str, raw: object, note: str, worked: str) -> str:
    """Put what was worked out behind what it gives: the raw value, which ends its note, or the value itself."""
    sum_of = f" = {worked}" if worked else ""
    if raw is not None:
        return f"{value}, {note}{sum_of}"
    return f"{value}{sum_of}" + (f" ({note})" if note else "")


def _encounter(met: Encounters, each: Explained, name_of: NameOf) -> str:
    opponents = ", ".join(name_of(other) for other, _ in met.points)
    known = {other for other, _ in met.points} | {met.player}
    missing = ", ".join(name_of(other) for other in each.among if other not in known)
    total = sum(points for _, points in met.points)
    sum_of = f" = {met.worked}" if len(met.points) > 1 else ""
    against = f"{total}{sum_of} against {opponents}" if opponents else "0"
    return f"{name_of(met.player)}: {against}" + (f"; not met: {missing}" if missing else "")


def _line(line: Line, name_of: NameOf) -> str:
    what, note = _what(line, name_of), line.note
    if line.value is None and line.raw is None:
        known = note in ("", "not counted", _ALONE.get(line.outcome)) or note in what
        return f"{what}: not counted" + ("" if known else f", {note}")
    cut = line.value is None
    value = str(line.raw if cut else line.value)
    worked = "" if line.worked.endswith("/1") or line.worked == value else line.worked
    if note == what or note == _ALONE.get(line.outcome):
        note = ""
    games = "" if line.of is None else f", of {line.of} {'game' if line.of == 1 else 'games'}"
    if cut:
        text = value + (f" = {worked}" if worked else "") + f", {note}"
    elif line.raw is not None:
        text = _worked(value, line.raw, note, worked)
    else:
        text = value + (f" = {worked}" if worked else "") + games + (f", {note}" if note else "")
    made = ", ".join(_short(each, name_of) for each in line.made)
    return f"{what}: {text}" + (f": {made}" if made else "")


def _what(line: Line, name_of: NameOf) -> str:
    names = ", ".join(map(name_of, line.opponents))
    if line.theirs:
        return names
    what = f"{_OUTCOMES[line.outcome]} {names}" if names else _ALONE[line.outcome]
    return f"{what}{_games(line)}"


def _short(line: Line, name_of: NameOf) -> str:
    """Tell a line of an opponent: whom they met and what came of it; its value stands in the arithmetic before."""
    what = _what(line, name_of)
    if line.value is None:
        return f"{what} (not counted)"
    worked = f" = {line.worked}" if line.worked and not line.worked.endswith("/1") and not line.of else ""
    if line.raw is not None or line.note.startswith(("counts", "scored", "a dummy", "virtual")):
        return f"{what} ({line.note}{worked})"
    return f"{what} {line.value}{worked}" if worked else what


def _games(line: Line) -> str:
    if line.games is None:
        return ""
    won, lost, drawn = line.games
    if not won and not lost:
        return f" ({drawn} {'game' if drawn == 1 else 'games'} drawn)"
    return f" {won}–{lost}" + (f"–{drawn}" if drawn else "")


_OUTCOMES = {
    Outcome.WIN: "beat",
    Outcome.DRAW: "drew with",
    Outcome.LOSS: "lost to",
    Outcome.FORFEIT_WIN: "won without play against",
    Outcome.FORFEIT_LOSS: "did not show against",
    Outcome.DOUBLE_LOSS: "double loss with",
}
_ALONE = {
    Outcome.WIN: "won",
    Outcome.DRAW: "drew",
    Outcome.LOSS: "lost",
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded bye",
    Outcome.HALF_BYE: "half-point bye",
    Outcome.FORFEIT_WIN: "the opponent did not show",
    Outcome.FORFEIT_LOSS: "did not show",
    Outcome.DOUBLE_LOSS: "double loss",
    Outcome.ABSENT: "absent",
}


def _neighbour(
    other: Neighbour | None, where: str, explanation: Explanation, name_of: NameOf
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
    yield from _found(other.search, name_of)


def _found(search: Search, name_of: NameOf) -> Iterator[str]:
    if not search.swaps:
        none = "no other single result" if search.whole else "none of the single results that were tried"
        yield f"  {none} would have swapped them ({search.alternatives.tried})"
        return
    yield "  they would stand the other way round had one result been another:"
    own, others = search.swaps[: search.own], search.swaps[search.own :]
    for swaps in (own, others):
        tables = [list(group) for _, group in groupby(swaps, lambda swap: (swap.round, swap.table.number))]
        for table in tables[:MOST_TABLES]:
            yield f"    round {table[0].round}, {_table(table, search, name_of)}"
        left = len(tables) - MOST_TABLES
        if left > 0:
            whose = "" if swaps is own else " of other players"
            yield f"    and {left} more {'match' if left == 1 else 'matches'}{whose}"
    if not search.whole:
        yield "    (not every table was tried)"


def _table(swaps: list[Swap], search: Search, name_of: NameOf) -> str:
    """Tell which results of one table do it; a score is named where not every score of that kind does."""
    seats = [name_of(seat) for seat in swaps[0].table.seats]
    instead = [swap.instead for swap in swaps]
    if len(seats) == 2:
        tried = Counter(map(_kind_words, search.alternatives.of(swaps[0].table)))
        ways = _ways_of_two(instead, tried, seats)
    else:
        ways = _ways_of_many(instead, seats)
    return f"{' against '.join(seats) if len(seats) == 2 else ', '.join(seats)}: {'; '.join(ways)}"


_Kind = tuple[Outcome, ...]


def _kind_words(result: Result) -> _Kind:
    return tuple(seat.outcome for seat in result.seats)


def _ways_of_two(results: list[Result], tried: Mapping[_Kind, int], seats: list[str]) -> Iterator[str]:
    by_kind: dict[_Kind, list[Result]] = {}
    for result in results:
        by_kind.setdefault(_kind_words(result), []).append(result)
    known = [*_WAYS, *by_kind]
    for kind in sorted(by_kind, key=known.index):
        found = by_kind[kind]
        said = _WAYS.get(kind, "another ruling").format(*seats)
        scores = "" if len(found) == tried[kind] else _few(map(_score, sorted(found, key=_likely)))
        yield f"{said} {scores}".rstrip()


def _likely(result: Result) -> tuple[int, int]:
    """Put finished matches before those that time ended, and few drawn games before many."""
    return -max(seat.games for seat in result.seats), result.drawn_games


def _score(result: Result) -> str:
    """Write a score as the winner would, `2–1`; of a draw what was drawn."""
    first, second = result.seats
    if first.score is not None and second.score is not None:
        one, other = first.score, second.score
    else:
        one, other = first.games, second.games
    if second.outcome is Outcome.WIN:
        one, other = other, one
    drawn = result.drawn_games
    if one == other == 0 and first.score is None:
        return (
            "without a finished game"
            if not drawn
            else f"with {drawn} drawn {'game' if drawn == 1 else 'games'}"
        )
    return f"{one}–{other}" + (f"–{drawn}" if drawn else "")


def _ways_of_many(results: list[Result], seats: list[str]) -> Iterator[str]:
    if all(seat.outcome is Outcome.DOUBLE_LOSS for seat in results[-1].seats):
        yield "a loss for all"
    placed = [
        result for result in results if not any(seat.outcome is Outcome.DOUBLE_LOSS for seat in result.seats)
    ]
    if placed:
        yield "places " + _few((_places(result, seats) for result in placed), each="; ")


def _places(result: Result, seats: list[str]) -> str:
    """Write who came where, the first first: `1 Ben, 2 Dora and Ada`."""
    at: dict[int, list[str]] = {}
    away = [n for n, seat in zip(seats, result.seats, strict=True) if seat.outcome is Outcome.FORFEIT_LOSS]
    for name, seat in zip(seats, result.seats, strict=True):
        if name not in away:
            at.setdefault(seat.place, []).append(name)
    said = [f"{place} {_listed(at[place])}" for place in sorted(at)]
    return ", ".join([*said, f"{_listed(away)} not there"] if away else said)


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _few(texts: Iterable[str], each: str = ", ") -> str:
    """Join ways to do it, a few at most. each: what parts them; what has commas within is parted by semicolons."""
    every = list(dict.fromkeys(texts))
    left = len(every) - MOST_SCORES
    if left > 0:
        return f"{each.join(every[:MOST_SCORES])}{each.rstrip() if each != ', ' else ''} and {left} more"
    return " or ".join(filter(None, (each.join(every[:-1]), every[-1])))


_WAYS: Mapping[_Kind, str] = {
    (Outcome.WIN, Outcome.LOSS): "{0} wins",
    (Outcome.LOSS, Outcome.WIN): "{1} wins",
    (Outcome.DRAW, Outcome.DRAW): "a draw",
    (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS): "{1} does not show",
    (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN): "{0} does not show",
    (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS): "neither shows",
    (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS): "a loss for both",
}
