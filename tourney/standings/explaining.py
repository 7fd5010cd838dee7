"""Why a player stands where they stand: every term of every tie-break, and what lies between the neighbours.

Whoever has the explanation can work every value out again with a pencil: each line says what was counted and how it
comes about, an opponent's value with the opponent's own results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from tourney.record import NOBODY, Outcome, PlayerId, Record
from tourney.standings import tiebreaks
from tourney.standings.exact import GroupTally, Tally, Term, TieBreakFunction, Value, added, halves
from tourney.standings.profile import POINTS, Games, Profile
from tourney.standings.ranking import Row, Standings, rank
from tourney.standings.scorecards import RoundEntry, Scorecards, Uncounted
from tourney.standings.swapping import MatchForm, Swap, SwapSearch, search_swaps
from tourney.standings.tiebreaks import Tiebreak


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
    standings = rank(record, profile, seed=seed)
    row = standings.row(player)
    explaining = _Explaining(Scorecards(record, profile, seed=seed), standings)
    form = form or MatchForm.seen_in(record)
    return Explanation(
        standings=standings,
        row=row,
        tiebreaks=explaining.all(row),
        above=explaining.neighbour(row, -1, form),
        below=explaining.neighbour(row, +1, form),
    )


def explain_all(record: Record, profile: Profile, *, seed: str = "") -> Iterator[Explanation]:
    """Explain every place without its neighbours, in order of the standings: what players' pages tell."""
    explain = explainer(record, profile, seed=seed)
    for row in explain.standings.rows:
        yield explain(row)


def explainer(record: Record, profile: Profile, *, seed: str = "") -> Explainer:
    """Return what explains one place after the other as `explain_all` does, for who is asked for a few of them."""
    standings = rank(record, profile, seed=seed)
    return Explainer(standings, _Explaining(Scorecards(record, profile, seed=seed), standings))


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains rows of `standings`; what several of them hang on is worked out once."""

    standings: Standings
    _explaining: _Explaining

    def __call__(self, row: Row) -> Explanation:
        """Explain the place of `row`, without its neighbours."""
        return Explanation(
            standings=self.standings, row=row, tiebreaks=self._explaining.all(row), above=None, below=None
        )


class _Explaining:
    """Explains rows of one ranking; what several players' values hang on is worked out once."""

    def __init__(self, scorecards: Scorecards, standings: Standings) -> None:
        self.scorecards = scorecards
        self.standings = standings
        self.values = {row.player: _values_in_order(standings.profile, row) for row in standings.rows}
        self._groups: dict[int, dict[object, list[PlayerId]]] = {}
        self._tallies: dict[tuple[int, PlayerId], GroupTally] = {}
        self._made: dict[
            tuple[int, TieBreakFunction, PlayerId], tuple[Tally, str, tuple[ScoreLine, ...]]
        ] = {}

    def all(self, row: Row) -> tuple[Explained, ...]:
        """Explain each tie-break of `row` in the profile's order."""
        rules = [tiebreaks.find(code) for code in self.standings.profile.order]
        return tuple(
            self._among(row, place, rule) if rule.among else self._each(row.player, rule)
            for place, rule in enumerate(rules)
        )

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
        rounds = {line.round for line in lines}
        if rule.of or rule.unit == "percent":
            lines += [_uncounted(entry) for entry in seen[player] if entry.round not in rounds]
        out = seen.uncounted.get(player, {})
        lines = [_left_out(line, player, out[line.round]) if line.round in out else line for line in lines]
        return tuple(sorted(lines, key=lambda line: line.round))

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
        together = added([tally.value or 0 for _, tally, _, _ in scores])
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
            rounds, out = {line.round for line in lines}, seen.uncounted.get(opponent, {})
            lines += [_uncounted(entry) for entry in seen[opponent] if entry.round not in rounds]
            lines = [
                _left_out(line, opponent, out[line.round]) if line.round in out else line for line in lines
            ]
            ordered = tuple(sorted(lines, key=lambda line: line.round))
            self._made[key] = tally, tally.worked[0], ordered
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
        return row.rank is None, row.left_early, tuple(value for _, value in self.values[row.player][:place])

    def neighbour(self, row: Row, step: int, form: MatchForm) -> Neighbour | None:
        """Compare with the next player above (-1) or below (1); None where there is none who is ranked by the same values."""
        rows = self.standings.rows
        place = rows.index(row) + step
        if row.rank is None or not 0 <= place < len(rows) or rows[place].rank is None:
            return None
        other = rows[place]
        if row.left_early or other.left_early:
            return None
        both = zip(self.values[row.player], self.values[other.player], strict=True)
        code, own, theirs = next(
            ((code, mine, yours) for (code, mine), (_, yours) in both if mine != yours), (None, None, None)
        )
        search = search_swaps(self.scorecards, self.standings, row.player, other.player, form)
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
