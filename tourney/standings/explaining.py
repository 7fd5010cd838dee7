"""Why a player stands where they stand: every term of every tie-break, and what lies between the neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from tourney.record import Outcome, PlayerId, Record
from tourney.standings import tiebreaks
from tourney.standings.buchholz import fore
from tourney.standings.encounters import meetings
from tourney.standings.exact import NOBODY, Term, TieBreakFunction, Value, halves
from tourney.standings.layout import Entry
from tourney.standings.percentages import game_share, match_share
from tourney.standings.profile import Percentage, Profile
from tourney.standings.ranking import Row, Standings, rank
from tourney.standings.sheets import Sheets
from tourney.standings.swapping import Swap, swaps
from tourney.standings.tiebreaks import Tiebreak


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one round gave to a tie-break.

    opponents: the others at the table
    theirs:    whether the value is taken from an opponent's record, not from the player's own
    value:     what was counted; None: the round does not count here
    raw:       the value before floor and cap, where they changed it, or before it was cut
    note:      why it counts so: `floor`, `cap`, `bye`, `cut`, `dummy` …
    """

    round: int
    outcome: Outcome
    opponents: tuple[PlayerId, ...]
    value: Fraction | int | None
    theirs: bool = False
    raw: Fraction | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One tie-break of the player.

    how:   how the lines make the value: `mean`, `sum` …
    note:  what changed the value afterwards: a floor, a drop
    among: the players it was worked out among (direct encounter, head-to-head); empty for the others
    """

    code: str
    name: str
    source: str
    unit: str
    value: Value
    how: str
    lines: tuple[Line, ...]
    note: str = ""
    among: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """The next player above or below.

    code:         the first value that tells the two apart (`PTS` for the points); None: they are level
    own, theirs:  its two values
    swaps:        single results of matches that would have changed the order of the two, all else as it was
    searched_all: whether every result that could matter was tried (in very large events only the nearest are)
    """

    row: Row
    code: str | None
    own: Value
    theirs: Value
    swaps: tuple[Swap, ...]
    searched_all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why `row` is where it is: the points first, then each tie-break in the profile's order."""

    profile: Profile
    row: Row
    tiebreaks: tuple[Explained, ...]
    above: Neighbour | None
    below: Neighbour | None


def why(record: Record, profile: Profile, player: PlayerId, *, seed: str = "") -> Explanation:
    """Explain the place of `player` in the standings of `record` under `profile`.

    Raises KeyError if the player is not in the standings, TourneyError as `rank` does.
    """
    standings = rank(record, profile, seed=seed)
    row = standings.row(player)
    sheets = Sheets(record, profile, seed=seed)
    return Explanation(
        profile=profile,
        row=row,
        tiebreaks=tuple(_explained(sheets, standings, row, place) for place in range(len(profile.order))),
        above=_neighbour(sheets, standings, row, -1),
        below=_neighbour(sheets, standings, row, +1),
    )


def everybody(record: Record, profile: Profile, *, seed: str = "") -> Iterator[Explanation]:
    """Explain every place without its neighbours, in order of the standings: what players' pages tell."""
    standings = rank(record, profile, seed=seed)
    sheets = Sheets(record, profile, seed=seed)
    for row in standings.rows:
        places = range(len(profile.order))
        found = tuple(_explained(sheets, standings, row, place) for place in places)
        yield Explanation(profile=profile, row=row, tiebreaks=found, above=None, below=None)


def _ordered(profile: Profile, row: Row) -> list[tuple[str, Value]]:
    """Return each code of the profile's order with the row's value; a code may be there twice."""
    keys = iter(row.keys)
    return [(code, Fraction(row.points, 2) if code == "PTS" else next(keys).value) for code in profile.order]


def _explained(sheets: Sheets, standings: Standings, row: Row, place: int) -> Explained:
    code = standings.profile.order[place]
    rule = tiebreaks.find(code)
    if rule.each is None:
        return _explained_group(sheets, standings, row, place)
    at_drop = _frozen(sheets, rule, row.player)
    seen = at_drop or sheets
    tally = rule.each(seen, row.player)
    return Explained(
        code=code,
        name=rule.name,
        source=rule.source,
        unit=rule.unit,
        value=tally.value,
        how=tally.how,
        lines=_lines(seen, rule, row.player, list(tally.terms)),
        note=_note(seen, rule, row.player, tally.value)
        if at_drop is None
        else f"as it was after round {seen.rounds}",
    )


def _frozen(sheets: Sheets, rule: Tiebreak, player: PlayerId) -> Sheets | None:
    """Return the sheets of the player's last round where a drop freezes this tie-break."""
    last = sheets.record.drops.get(player)
    if rule.code not in sheets.profile.frozen or last is None or last >= sheets.rounds:
        return None
    return sheets.after(last)


_LIMITS: dict[str, tuple[Callable[[Profile], Percentage], TieBreakFunction]] = {
    "MW": (lambda profile: profile.match_win, match_share),
    "GW": (lambda profile: profile.game_win, game_share),
}


def _note(sheets: Sheets, rule: Tiebreak, player: PlayerId, value: Value) -> str:
    if rule.code not in _LIMITS:
        return ""
    raw = _LIMITS[rule.code][1](sheets, player).value
    return _limit_note(raw, value)


def _limit_note(raw: Value, value: Value) -> str:
    if raw == value or value is None:
        return ""
    if raw is None:
        return "nothing played: the floor"
    return f"raised to the floor from {raw}" if raw < value else f"lowered to the cap from {raw}"


_CUTS = ("C1", "C2", "M1", "M2")


def _lines(sheets: Sheets, rule: Tiebreak, player: PlayerId, terms: list[Term]) -> tuple[Line, ...]:
    lines = [_term_line(sheets, rule, term) for term in terms]
    counted = {line.round for line in lines}
    lines += [line for line in _cut_lines(sheets, rule, player) if line.round not in counted]
    counted = {line.round for line in lines}
    if rule.of or len(terms) > 1:
        lines += [_uncounted(entry) for entry in sheets[player] if entry.round not in counted]
    return tuple(sorted(lines, key=lambda line: line.round))


def _cut_lines(sheets: Sheets, rule: Tiebreak, player: PlayerId) -> list[Line]:
    """Return the lines of the uncut tie-break, each as one that was cut."""
    base, _, modifier = rule.code.partition("/")
    whole = tiebreaks.find(base)
    if modifier not in _CUTS or whole.each is None:
        return []
    lines = [_term_line(sheets, whole, term) for term in whole.each(sheets, player).terms]
    return [replace(line, value=None, raw=Fraction(line.value or 0), note="cut") for line in lines]


def _term_line(sheets: Sheets, rule: Tiebreak, term: Term) -> Line:
    entry, opponent, value = term
    raw, note = _raw_and_note(sheets, rule, term)
    return Line(
        round=entry.round,
        outcome=entry.outcome,
        opponents=entry.opponents if opponent == NOBODY else (opponent,),
        theirs=opponent != NOBODY,
        value=value,
        raw=raw,
        note=note,
    )


def _raw_and_note(sheets: Sheets, rule: Tiebreak, term: Term) -> tuple[Fraction | None, str]:
    """Say what was behind a counted value: the value before a floor, an adjusted score, a product, a dummy."""
    entry, opponent, value = term
    base = rule.code.partition("/")[0]
    if rule.of in _LIMITS and opponent != NOBODY:
        before = _LIMITS[rule.of][1](sheets, opponent).value
        note = _limit_note(before, value)
        return (Fraction(before) if note and before is not None else None), note
    if base == "SB" and entry.points:
        score, dummy = value / halves(entry.points), " of a dummy" if opponent == NOBODY else ""
        return None, f"{score}{dummy} × {halves(entry.points)}"
    if base in ("BH", "FB"):
        whose = fore(sheets) if base == "FB" else sheets
        if opponent == NOBODY:
            return None, f"{_WORDS.get(entry.outcome, 'not played')}: own dummy"
        made = halves(whose.points[opponent])
        return (None, "") if made == value else (made, f"adjusted for unplayed rounds from {made}")
    return None, _WORDS.get(entry.outcome, "")


def _uncounted(entry: Entry) -> Line:
    note = _WORDS.get(entry.outcome, "not counted")
    return Line(round=entry.round, outcome=entry.outcome, opponents=entry.opponents, value=None, note=note)


_WORDS = {
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded bye",
    Outcome.HALF_BYE: "half-point bye",
    Outcome.ABSENT: "absent",
    Outcome.FORFEIT_WIN: "the opponent did not show",
    Outcome.FORFEIT_LOSS: "did not show",
    Outcome.DOUBLE_LOSS: "double loss",
}


def _explained_group(sheets: Sheets, standings: Standings, row: Row, place: int) -> Explained:
    rule = tiebreaks.find(standings.profile.order[place])
    group = _level_before(standings, row, place)
    met = meetings(sheets, group, forfeits=rule.code != "DE")
    among = set(group) - {row.player}
    lines = [
        Line(
            round=entry.round,
            outcome=entry.outcome,
            opponents=entry.opponents,
            value=Fraction(entry.points, 2),
            note=_WORDS.get(entry.outcome, ""),
        )
        for entry in sheets[row.player]
        if among.intersection(entry.opponents)
    ]
    return Explained(
        code=rule.code,
        name=rule.name,
        source=rule.source,
        unit=rule.unit,
        value=_ordered(standings.profile, row)[place][1],
        how="place among those who are level",
        lines=tuple(lines),
        note=_group_note(sheets, rule, group, len(met)),
        among=tuple(group) if len(group) > 1 else (),
    )


def _group_note(sheets: Sheets, rule: Tiebreak, group: list[PlayerId], meetings_found: int) -> str:
    if len(group) < 2:
        return "nobody else is level"
    if rule.code == "H2H" and sheets.profile.head_to_head == "two" and len(group) > 2:
        return f"not used: {len(group)} are level, it decides between two only"
    if rule.code == "H2H" and meetings_found < len(group) * (len(group) - 1):
        return "not used: they have not all met"
    return ""


def _level_before(standings: Standings, row: Row, place: int) -> list[PlayerId]:
    """Return those who are level with `row` in everything before the tie-break at `place`, as registered."""
    profile = standings.profile
    own = _ordered(profile, row)[:place]
    there = [other for other in standings.rows if (other.rank is None) == (row.rank is None)]
    return sorted(other.player for other in there if _ordered(profile, other)[:place] == own)


def _neighbour(sheets: Sheets, standings: Standings, row: Row, step: int) -> Neighbour | None:
    place = standings.rows.index(row) + step
    if row.rank is None or not 0 <= place < len(standings.rows) or standings.rows[place].rank is None:
        return None
    other = standings.rows[place]
    both = zip(_ordered(standings.profile, row), _ordered(standings.profile, other), strict=True)
    code, own, theirs = next(
        ((code, mine, yours) for (code, mine), (_, yours) in both if mine != yours), (None, None, None)
    )
    found, searched_all = swaps(sheets, standings, row.player, other.player)
    return Neighbour(row=other, code=code, own=own, theirs=theirs, swaps=found, searched_all=searched_all)
