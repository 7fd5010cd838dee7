"""Why a player stands where they stand: every term of every tie-break, and which single result would have swapped neighbours.

Whoever has the explanation can work every value out again with a pencil: each line says what was counted and how it
comes about, an opponent's value with the opponent's own results.

Of swaps no more is claimed than what is tried: at every reported table of every round each other result that a match of
the event can end in. A table whose result cannot reach the values that tell the two apart is left out, as it cannot swap
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations, product

from tourney.record import NOBODY, DrawnGame, Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import tiebreaks
from tourney.standings.exact import Value, halves, sum_text
from tourney.standings.profile import POINTS, Games, Profile
from tourney.standings.ranking import Row, Standings, collector_resting, rank_scorecards, value_of, values_of
from tourney.standings.scorecards import RoundEntry, Scorecards, Uncounted, Worth
from tourney.standings.tally import GroupTally, Tally, Term, Tiebreak, TieBreakFunction


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
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
    made: tuple[ScoreLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounters:
    """What a player of a level group made against the others: each one met, the mean of several matches in points."""

    player: PlayerId
    points: tuple[tuple[PlayerId, Fraction], ...]

    @property
    def worked(self) -> str:
        """The points against each one met, as the sum that it is: `3 + 0`."""
        return sum_text([points for _, points in self.points])


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
    lines: tuple[ScoreLine, ...]
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
    search: SwapSearch

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
    with collector_resting():
        explain = explainer(record, profile, seed=seed)
        row = explain.standings.row(player)
        form = form or MatchForm.seen_in(record)
        above, below = (explain.neighbour(row, step, form) for step in (-1, +1))
        return replace(explain(row), above=above, below=below)


def explain_all(record: Record, profile: Profile, *, seed: str = "") -> Iterator[Explanation]:
    """Explain every place without its neighbours, in order of the standings: what players' pages tell."""
    explain = explainer(record, profile, seed=seed)
    for row in explain.standings.rows:
        yield explain(row)


def explainer(record: Record, profile: Profile, *, seed: str = "") -> Explainer:
    """Return what explains one place after the other as `explain_all` does, for who is asked for a few of them."""
    with collector_resting():
        scorecards = Scorecards(record, profile, seed=seed)
        return Explainer(scorecards, rank_scorecards(scorecards))


class Explainer:
    """Explains rows of `standings`; what several players' values hang on is worked out once."""

    def __init__(self, scorecards: Scorecards, standings: Standings) -> None:
        """Begin: the scorecards that the standings were made of."""
        self.scorecards = scorecards
        self.standings = standings
        self.values = {row.player: _values_in_order(standings.profile, row) for row in standings.rows}
        self._groups: dict[int, dict[object, list[PlayerId]]] = {}
        self._levels: dict[PlayerId, dict[int, _LevelNow]] = {}
        self._tallies: dict[tuple[int, PlayerId], GroupTally] = {}
        self._made: dict[
            tuple[int, TieBreakFunction, PlayerId], tuple[Tally, str, tuple[ScoreLine, ...]]
        ] = {}

    def __call__(self, row: Row) -> Explanation:
        """Explain the place of `row`, without its neighbours."""
        rules = [tiebreaks.find(code) for code in self.standings.profile.order]
        explained = tuple(
            self._among(row, place, rule) if rule.among else self._each(row.player, rule)
            for place, rule in enumerate(rules)
        )
        return Explanation(standings=self.standings, row=row, tiebreaks=explained, above=None, below=None)

    def _each(self, player: PlayerId, rule: Tiebreak) -> Explained:
        seen, frozen = self.scorecards, ""
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

    def _lines(
        self, seen: Scorecards, rule: Tiebreak, player: PlayerId, tally: Tally
    ) -> tuple[ScoreLine, ...]:
        lines = [self._line(seen, rule, term) for term in tally.terms]
        counted = {(line.round, line.opponents) for line in lines}
        lines += [
            line for line in self._cut(seen, rule, player) if (line.round, line.opponents) not in counted
        ]
        return _by_round(seen, player, lines, every=rule.of is not None or rule.unit == "percent")

    def _cut(self, seen: Scorecards, rule: Tiebreak, player: PlayerId) -> list[ScoreLine]:
        """Return the lines of the uncut tie-break, each as one that was cut."""
        if rule.uncut is None:
            return []
        lines = [self._line(seen, rule, term) for term in rule.uncut(seen, player).terms]
        return [replace(line, value=None, raw=line.value or 0, note="cut") for line in lines]

    def _line(self, seen: Scorecards, rule: Tiebreak, term: Term) -> ScoreLine:
        entry, opponent, value, worked, raw, note, of = term
        theirs = opponent != NOBODY
        line = ScoreLine(
            round=entry.round,
            outcome=entry.outcome,
            opponents=(opponent,) if theirs else entry.opponents,
            theirs=theirs,
            value=value,
            raw=raw,
            note=note or ("" if theirs else _remark(entry.outcome)),
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

    def _table(self, seen: Scorecards, rule: Tiebreak, line: ScoreLine, entry: RoundEntry) -> ScoreLine:
        """Return the line of a table of many, where every opponent's score counts together."""
        scores = [(opponent, *self._of(seen, rule, opponent)) for opponent in entry.opponents]
        made = tuple(
            ScoreLine(
                round=entry.round,
                outcome=entry.outcome,
                opponents=(opponent,),
                theirs=True,
                value=tally.value,
                worked=worked,
                made=lines,
            )
            for opponent, tally, worked, lines in scores
        )
        together = sum_text([tally.value or 0 for _, tally, _, _ in scores])
        return replace(line, opponents=entry.opponents, worked=_product(line.worked, together), made=made)

    def _of(
        self, seen: Scorecards, rule: Tiebreak, opponent: PlayerId
    ) -> tuple[Tally, str, tuple[ScoreLine, ...]]:
        """Return what is counted of an opponent before limits: the value, its arithmetic and its lines."""
        assert rule.of is not None
        key = (seen.rounds, rule.of, opponent)
        if key not in self._made:
            tally = rule.of(seen, opponent)
            deeper = next((row for row in tiebreaks.TABLE.values() if row.each == rule.of), _PLAIN)
            lines = [self._line(seen, deeper, term) for term in tally.terms]
            self._made[key] = tally, tally.worked[0], _by_round(seen, opponent, lines, every=True)
        return self._made[key]

    def _among(self, row: Row, place: int, rule: Tiebreak) -> Explained:
        assert rule.among is not None
        group = self._level_before(row, place)
        if (place, group[0]) not in self._tallies:
            self._tallies[place, group[0]] = rule.among(self.scorecards, group)
        tally = self._tallies[place, group[0]]
        others = set(group) - {row.player}
        lines = [
            ScoreLine(
                round=entry.round,
                outcome=entry.outcome,
                opponents=entry.opponents,
                value=halves(entry.points) if tally.forfeits or entry.outcome.played else None,
                note=_remark(entry.outcome),
            )
            for entry in self.scorecards[row.player]
            if others.intersection(entry.opponents)
        ]
        note = (f"not used: {tally.unused}" if tally.unused else "") if others else "nobody else is level"
        encounters = [
            Encounters(player=player, points=tuple((other, made[other]) for other in group if other in made))
            for player, made in tally.met.items()
        ]
        return Explained(
            code=rule.code,
            name=rule.name,
            source=rule.source,
            unit=rule.unit,
            value=self.values[row.player][place][1],
            how="place among those who are level",
            lines=tuple(lines),
            note=note,
            among=tuple(group) if others else (),
            met=() if note else tuple(encounters),
        )

    def _level_before(self, row: Row, place: int) -> list[PlayerId]:
        """Return those who are level with `row` in everything before the tie-break at `place`, as registered."""
        if place not in self._groups:
            groups = self._groups[place] = {}
            for other in sorted(self.standings.rows, key=lambda row: row.player):
                groups.setdefault(self._before(other, place), []).append(other.player)
        return self._groups[place][self._before(row, place)]

    def _before(self, row: Row, place: int) -> object:
        return (
            row.rank is None,
            row.left_early,
            _ratios(value for _, value in self.values[row.player][:place]),
        )

    def neighbour(self, row: Row, step: int, form: MatchForm) -> Neighbour | None:
        """Compare with the next player above (-1) or below (1); None where there is none who is ranked by the same values."""
        rows = self.standings.rows
        place = next(at for at, each in enumerate(rows) if each.player == row.player) + step
        if row.rank is None or not 0 <= place < len(rows) or rows[place].rank is None:
            return None
        other = rows[place]
        if row.left_early or other.left_early:
            return None
        both = zip(self.values[row.player], self.values[other.player], strict=True)
        code, own, theirs = next(
            ((code, mine, yours) for (code, mine), (_, yours) in both if mine != yours), (None, None, None)
        )
        levels = self._levels.setdefault(row.player, {})
        search = search_swaps(self.scorecards, self.standings, row.player, other.player, form, levels=levels)
        return Neighbour(row=other, code=code, own=own, theirs=theirs, search=search)


def _product(worked: str, made_of: str) -> str:
    """Write what a score is made of; where it is multiplied (`3/2 × 1`), behind the product (`= (1 + 1/2) × 1`)."""
    if not (worked and made_of):
        return worked or made_of
    return f"{worked} = ({made_of}) × {worked.rpartition(' × ')[2]}"


_PLAIN = Tiebreak("", "", "", "number")
"""Stands for what is counted of an opponent and is no tie-break by itself."""


def _values_in_order(profile: Profile, row: Row) -> list[tuple[str, Value]]:
    """Return each code of the profile's order with the row's value; a code may be there twice."""
    keys = iter(row.keys)
    return [(code, halves(row.points) if code == POINTS else next(keys).value) for code in profile.order]


def _limit_note(raw: Value, value: Value) -> str:
    if raw == value or value is None:
        return ""
    if raw is None:
        return "nothing played, so the floor"
    return f"raised to the floor from {raw}" if raw < value else f"lowered to the cap from {raw}"


def _remark(outcome: Outcome) -> str:
    """Say what is special about an outcome: nothing about a win, a draw, a loss."""
    return "" if outcome in _ORDINARY else outcome.words.alone


_ORDINARY = frozenset({Outcome.WIN, Outcome.DRAW, Outcome.LOSS})


def _by_round(
    seen: Scorecards, player: PlayerId, lines: list[ScoreLine], *, every: bool
) -> tuple[ScoreLine, ...]:
    """Put lines in order, what counts for nobody told as such. every: with the rounds that gave nothing, too."""
    rounds, out = {line.round for line in lines}, seen.uncounted.get(player, {})
    silent = [_uncounted(entry) for entry in seen[player] if every and entry.round not in rounds]
    told = [
        _left_out(line, player, out[line.round]) if line.round in out else line for line in lines + silent
    ]
    return tuple(sorted(told, key=lambda line: line.round))


def _left_out(line: ScoreLine, player: PlayerId, what: Uncounted) -> ScoreLine:
    """Return the line of a round that counts for nobody, as one of the two left before half of their games."""
    who = "opponent" if what.opponents else "opponent who was due"
    note = f"{'the player' if what.left == player else f'the {who}'} left before half of their games"
    return replace(
        line,
        outcome=what.outcome,
        opponents=what.opponents,
        theirs=False,
        value=line.value or None,
        note=note,
    )


def _uncounted(entry: RoundEntry) -> ScoreLine:
    note = _remark(entry.outcome) or "not counted"
    return ScoreLine(
        round=entry.round, outcome=entry.outcome, opponents=entry.opponents, value=None, note=note
    )


# -- Which single result would have changed the order of two players, everything else being as it was


BUDGET = 5_000
"""Orders of the two players worked out at most: about a second. Those of many rounds, or of large tables, count as several."""

MOST_ORDERED = 5
"""Tables of more seats are tried with every first place only, not with every order of the others."""


_MOST_TRIED = 16
"""Games of a match that are tried: of a best of 99 every score there is would be 130,000 at each table."""


@dataclass(frozen=True, slots=True)
class MatchForm:
    """What a match between two can end in.

    best_of: games it can have; an even number is played out
    draws:   whether it may end without a winner
    drawn:   what a drawn game is within it
    """

    best_of: int
    draws: bool = True
    drawn: DrawnGame = "again"

    @property
    def needed(self) -> int:
        """Games that win the match: more than half of `best_of`."""
        return self.best_of // 2 + 1

    @property
    def most_games(self) -> int:
        """Games that are tried, drawn ones among them: one more than the match has without drawn games, up to a bound.

        An even number of games is played out, and none of them again; nor is a drawn one that stands, or that there is not.
        """
        again = self.decided % 2 if self.drawn == "again" else 0
        return min(self.decided + again, _MOST_TRIED)

    @property
    def decided(self) -> int:
        """Games that somebody can win: one more than an even number, where there must be a winner."""
        return self.best_of if self.draws else self.best_of | 1

    @classmethod
    def seen_in(
        cls,
        record: Record,
        *,
        best_of: int | None = None,
        draws: bool | None = None,
        drawn: DrawnGame = "again",
    ) -> MatchForm:
        """Read the form off the results: who won most games needed no more; matches may be drawn unless said."""
        won = [
            seat.games
            for tables in record.rounds
            for table in tables
            if table.result is not None and len(table.seats) == 2
            for seat in table.result.seats
        ]
        return cls(best_of or max(2 * max(won, default=1) - 1, 1), draws is not False, drawn)

    def scores(self) -> Iterator[tuple[int, int, int]]:
        """Give every (won, lost, drawn) of up to `most_games`, finished or ended by time."""
        for won, lost in product(range(min(self.needed, self.most_games) + 1), repeat=2):
            if won + lost > self.decided or won == lost == self.needed or (won == lost and not self.draws):
                continue
            for drawn in range(1 if self.drawn == "none" else self.most_games - won - lost + 1):
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
class SwapSearch:
    """What was found, and what was tried.

    swaps: each single result that would have swapped the two, the two players' own matches first, late rounds first
    own:   how many of them are of the two players' own matches
    whole: whether all of `alternatives` were tried (in very large events only the nearest tables are)
    """

    alternatives: Alternatives
    swaps: tuple[Swap, ...] = ()
    own: int = 0
    whole: bool = True


def search_swaps(
    scorecards: Scorecards,
    standings: Standings,
    one: PlayerId,
    other: PlayerId,
    form: MatchForm,
    *,
    levels: dict[int, _LevelNow] | None = None,
) -> SwapSearch:
    """Try each other single result. Level neighbours have no order to swap.

    levels: the players grouped for `one`, by the number of tie-breaks; searches for the same player can share it
    """
    pair = _Pair(scorecards, standings, one, other, levels)
    alternatives = Alternatives(scorecards.record, scorecards.profile, form)
    if not pair.order:
        return SwapSearch(alternatives=alternatives)
    own, others = pair.tables()
    swaps: list[Swap] = []
    of_own = 0
    for tables in (own, others):
        for number, table in tables:
            if pair.stopped:
                break
            swaps += pair.swapped_by(number, table, alternatives.of(table))
        of_own = of_own if tables is others else len(swaps)
    return SwapSearch(alternatives=alternatives, swaps=tuple(swaps), own=of_own, whole=not pair.stopped)


class Alternatives:
    """The results that each table could have had instead of its own."""

    def __init__(self, record: Record, profile: Profile, form: MatchForm) -> None:
        self.form = form
        self.by_score = profile.from_score or any(
            tiebreaks.find(code).looks_at == "scores" for code in profile.order
        )
        every = [table for tables in record.rounds for table in tables if table.result is not None]
        self.sizes = {len(table.seats) for table in every}
        self.seen = (
            dict.fromkeys(_plain(table.result) for table in every if table.result and _scored(table.result))
            if self.by_score
            else {}
        )
        self._by_size: dict[int, tuple[_Sides, ...]] = {}

    @property
    def tried(self) -> str:
        """What is tried instead of each table's result, in words: every score of a match, every order of places."""
        parts = []
        if 2 in self.sizes or not self.sizes:
            match = f"a {'best' if self.form.best_of % 2 else 'match'} of {self.form.best_of}"
            draws = "" if self.form.draws else ", none a draw"
            if self.form.most_games == 1:
                parts.append(f"every result of one game{draws}")
            else:
                parts.append(f"every score of {match} with up to {self.form.most_games} games{draws}")
        if self.sizes - {2}:
            large = max(self.sizes) > MOST_ORDERED
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
        if size > MOST_ORDERED:
            # More than there are atoms, at a hundred seats: whoever tries them stops somewhere.
            return self._all(size)
        if size not in self._by_size:
            self._by_size[size] = tuple(dict.fromkeys(self._all(size)))
        return self._by_size[size]

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
    present, missing = (Outcome.FORFEIT_WIN, 1, 0, None), (Outcome.FORFEIT_LOSS, 2, 0, None)
    yield (present, missing), 0
    yield (missing, present), 0
    yield ((Outcome.FORFEIT_LOSS, 1, 0, None),) * 2, 0


def _many(size: int, *, draws: bool) -> Iterator[_Sides]:
    """Give every order of places of those who were there, none of them missing up to all."""
    for missing in range(size + 1):
        for absent in combinations(range(size), missing):
            present = [seat for seat in range(size) if seat not in absent]
            for places in _orders(len(present)):
                placed = dict(zip(present, places, strict=True))
                if draws or places.count(1) < 2:
                    yield tuple(_placed(placed, seat) for seat in range(size)), 0


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    """Give the places that `count` players can take, shared ones counted as 1, 1, 3."""
    highest = count if count <= MOST_ORDERED else 2
    orders = set()
    for ranks in product(range(highest), repeat=count):
        places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
        if places not in orders:
            orders.add(places)
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

    def __init__(
        self,
        scorecards: Scorecards,
        standings: Standings,
        one: PlayerId,
        other: PlayerId,
        levels: dict[int, _LevelNow] | None = None,
    ) -> None:
        self.scorecards = scorecards
        self.ranked = [row.player for row in standings.rows if row.rank is not None and not row.left_early]
        self.places = {player: place for place, player in enumerate(self.ranked)}
        self.levels: dict[int, _LevelNow] = {} if levels is None else levels
        self.one = one
        self.other = other
        self.rules = [tiebreaks.find(code) for code in scorecards.profile.order]
        self.first_among = next((i for i, rule in enumerate(self.rules) if rule.among), len(self.rules))
        self.first_fine = next((i for i, rule in enumerate(self.rules) if rule.looks_at), len(self.rules))
        self.reach = max((rule.reach for rule in self.rules), default=0)
        self.seats: tuple[PlayerId, ...] = ()
        self.changed: frozenset[PlayerId] = frozenset()
        self.is_far = False
        self.order, self.decided_by = 0, -1
        self.order, self.decided_by = self._order(scorecards)
        self.left = BUDGET
        self.price = 1 + scorecards.rounds // 50
        self.stopped = False

    def tables(self) -> tuple[list[tuple[int, Table]], list[tuple[int, Table]]]:
        """Return the reported tables that can reach what tells the two apart: their own, and other people's.

        The latest rounds come first: those are the ones people ask about.
        """
        deciding = self.rules[: self.decided_by + 1]
        near: frozenset[PlayerId] | None = None
        if not any(rule.among for rule in deciding):
            near = self._near((self.one, self.other), max(rule.reach for rule in deciding))
        own: list[tuple[int, Table]] = []
        others: list[tuple[int, Table]] = []
        for number in range(self.scorecards.rounds, 0, -1):
            for table in self.scorecards.record.rounds[number - 1]:
                if self.scorecards.uncounted and number in self.scorecards.uncounted.get(table.seats[0], ()):
                    continue  # whatever its result, it counts for nobody
                if table.result is None or (near is not None and near.isdisjoint(table.seats)):
                    continue
                mine = self.one in table.seats or self.other in table.seats
                (own if mine else others).append((number, table))
        return own, others

    def _near(self, players: tuple[PlayerId, ...], steps: int) -> frozenset[PlayerId]:
        """Return the players and whoever was at a table with them, their opponents, and so on for so many steps."""
        if not steps:
            return frozenset(players)
        near = self.scorecards.around(players)
        for _ in range(steps - 1):
            near = near.union(*(entry.opponents for player in near for entry in self.scorecards[player]))
        return near

    def swapped_by(self, number: int, table: Table, results: Iterable[Result]) -> list[Swap]:
        """Return those results that swap the two.

        Results that differ only in what the deciding tie-breaks do not look at (games, scores) are tried once.
        """
        scale = self.scorecards.scale
        coarse: dict[object, bool] = {}
        fine: dict[object, bool] = {}
        swaps: list[Swap] = []
        for result in results:
            kind = _kind(scale.table(result), result)
            swapped = coarse.get(kind)
            if swapped is None:
                finer = (kind, tuple([(seat.games, seat.score) for seat in result.seats]), result.drawn_games)
                swapped = fine.get(finer)
            if swapped is None:
                if self.left <= 0:
                    self.stopped = True
                    return swaps
                self.left -= self.price if len(table.seats) <= MOST_ORDERED else len(table.seats)
                if self._is_unmoved(number, table, result, finer):
                    order, decided_by = self.order, self.decided_by
                else:
                    order, decided_by = self._order(self.scorecards.with_table(number, table, result))
                swapped = fine[finer] = order == -self.order
                if decided_by < self.first_fine:
                    coarse[kind] = swapped
            if swapped:
                swaps.append(Swap(number, table, result))
        return swaps

    def _order(self, scorecards: Scorecards) -> tuple[int, int]:
        """Return the order, and the place of the tie-break that decides it (the last one where none does)."""
        level, since = self.ranked, 0
        for i, rule in enumerate(self.rules):
            if rule.among:
                if level is self.ranked:
                    level = self._level_of_all(scorecards, i)
                else:
                    level = self._level(scorecards, level, self.rules[since:i])
                places = rule.among(scorecards, level).places
                order = _compared(places[self.one], places[self.other], rule)
                level, since = [player for player in level if places[player] == places[self.one]], i + 1
            else:
                value = value_of(scorecards, rule)
                order = _compared(value(self.one), value(self.other), rule)
            if order:
                return order, i
        return 0, len(self.rules) - 1

    def _is_unmoved(self, number: int, table: Table, result: Result, key: object) -> bool:
        """Return whether a table that ended otherwise is too far away to matter for the order of the two.

        It is if it reaches neither them nor anybody who is level with them when a tie-break looks at the level group, and if
        nobody joins that group. key: the result by all that values depend on
        """
        if self.first_among > self.decided_by:
            return False
        now = self._now(self.first_among)
        if table.seats != self.seats:  # the results of a table come one after the other
            self.seats, self.changed = table.seats, self._near(table.seats, self.reach)
            self.is_far = not (
                self.one in self.changed
                or self.other in self.changed
                or not now.level.isdisjoint(self.changed)
            )
        if not self.is_far:
            return False
        joined = now.joined.get((number, table.seats, key))
        if joined is None:
            scorecards = self.scorecards.with_table(number, table, result)
            joined = now.joined[number, table.seats, key] = self._some_join(scorecards, table.seats)
        return not joined

    def _some_join(self, scorecards: Scorecards, seats: tuple[PlayerId, ...]) -> bool:
        """Return whether anybody comes to be level with the two, up to the first tie-break that looks at a group.

        Of players who do not sit at the table the own results are as they were: only other tie-breaks are compared.
        """
        now = self._now(self.first_among)
        at_table = seats
        others = [player for player in self.changed if player in now.candidates and player not in seats]
        for rule, own in zip(self.rules, now.values, strict=False):
            value = value_of(scorecards, rule)
            at_table = tuple([player for player in at_table if value(player) == own])
            if rule.reach:
                others = [player for player in others if value(player) == own]
            if not (at_table or others):
                return False
        return True

    def _level_of_all(self, scorecards: Scorecards, count: int) -> list[PlayerId]:
        """Return the ranked players who are level with the two in the first `count` tie-breaks, as `_level` does.

        One table that ended otherwise changes the values only of players near it: the others are found by the values they have.
        """
        rules = self.rules[:count]
        if scorecards.change is None:
            return self._level(scorecards, self.ranked, rules)
        changed = self._near(scorecards.change[2].seats, max((rule.reach for rule in rules), default=0))
        own = tuple(value_of(scorecards, rule)(self.one) for rule in rules)
        far = [player for player in self._now(count).like(own) if player not in changed]
        near = self._level(scorecards, [player for player in changed if player in self.places], rules)
        return sorted([*far, *near], key=self.places.__getitem__)

    def _now(self, count: int) -> _LevelNow:
        if count not in self.levels:
            self.levels[count] = _LevelNow(self.scorecards, self.ranked, self.rules[:count], self.one)
        return self.levels[count]

    def _level(
        self, scorecards: Scorecards, players: list[PlayerId], rules: Sequence[Tiebreak]
    ) -> list[PlayerId]:
        """Return those of `players` who are level with the two in all of `rules`."""
        for rule in rules:
            value = value_of(scorecards, rule)
            own = value(self.one)
            players = [player for player in players if value(player) == own]
        return players


class _LevelNow:
    """Ranked players by their values of tie-breaks, as results are.

    values:     those of the player asked about
    level:      those who are level with that player
    candidates: those who are level with that player in what depends on own results alone, however others' results change
    joined:     round, seats and result → whether anybody would join the level, as far as it is known
    """

    def __init__(
        self,
        scorecards: Scorecards,
        ranked: list[PlayerId],
        rules: Sequence[Tiebreak],
        player: PlayerId,
    ) -> None:
        self._groups: dict[tuple[tuple[int, int] | None, ...], list[PlayerId]] = {}
        columns = [values_of(scorecards, rule, ranked).values() for rule in rules]
        own = [place for place, rule in enumerate(rules) if not rule.reach]
        self.values = now = tuple(value_of(scorecards, rule)(player) for rule in rules)
        self.candidates: set[PlayerId] = set()
        self.joined: dict[tuple[int, tuple[PlayerId, ...], object], bool] = {}
        for each, *values in zip(ranked, *columns, strict=True):
            self._groups.setdefault(_ratios(values), []).append(each)
            if all(values[place] == now[place] for place in own):
                self.candidates.add(each)
        self.level = frozenset(self.like(now))

    def like(self, values: tuple[Value, ...]) -> list[PlayerId]:
        """Return the players who have these values now."""
        return self._groups.get(_ratios(values), [])


def _ratios(values: Iterable[Value]) -> tuple[tuple[int, int] | None, ...]:
    """Return values as a key: equal ones give the same, and their hash is worked out faster than that of fractions."""
    return tuple(None if value is None else value.as_integer_ratio() for value in values)


def _kind(worths: Sequence[Worth], result: Result) -> object:
    """Return all of a result but its games and scores: results of one kind differ in nothing else."""
    return tuple(
        [
            (seat.outcome, worth.points, worth.ratio, worth.meets)
            for seat, worth in zip(result.seats, worths, strict=True)
        ]
    )


def _compared(own: Value, theirs: Value, rule: Tiebreak) -> int:
    if own == theirs:
        return 0
    if own is None or theirs is None:
        return 1 if own is None else -1
    return -1 if (own < theirs) == rule.low else 1
