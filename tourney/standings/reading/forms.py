"""The forms in which programs write events: a row of `FORMS` for each, tried in order; no file is of two.

A form's module reads (`read(told) -> Results`) and, where the form can be written, writes (`write(results) -> Written`);
it is imported for the first file with its sign. `README.md` beside this file says where each form is from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from tourney import decode
from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Table
from tourney.standings.reading.nrtm import is_nrtm
from tourney.standings.reading.results import Name, Results, StandingClaim, one_game
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.standings.profile import Profile
    from tourney.standings.ranking import Row, Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a file holds. source: names it in messages; value: what its JSON says, None where it is none.

    scores: whether a match's two bare numbers are its scores (`number_columns_are_scores(profile)`)
    """

    text: str
    source: str
    value: Any = None
    scores: bool = False

    def fault(self, place: str, message: str, hint: str | None = None) -> TourneyError:
        """Return a refusal at a key path or line."""
        return TourneyError(f"{self.source}: {place}: {message}", hint)


@dataclass(frozen=True, slots=True)
class Written:
    """A file of a form, and what of the event it cannot hold, a sentence each."""

    text: str
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventForm:
    """One form.

    name:    what `--as` calls it
    called:  in a sentence: `Cobra's tournament`
    ending:  of the files that are written
    module:  what reads and writes it
    sign:    whether a file is of this form, asked of the value where `json` holds, else of the text
    profile: the rules by which its program ranks, where a file does not say others
    writes:  whether it can be written
    """

    name: str
    called: str
    ending: str
    module: str
    sign: Callable[[Any], bool]
    profile: str = "mtr"
    json: bool = False
    writes: bool = True

    def read(self, told: Told) -> Results:
        """Read a file of this form. Raises TourneyError naming the file and the line or key path."""
        results: Results = import_module(self.module).read(told)
        return replace(results, form=self.name, profile=results.profile or self.profile)

    def write(self, results: Results) -> Written:
        """Write an event in this form. Raises TourneyError where it is nothing that the form could hold."""
        if not self.writes:
            raise TourneyError(
                f"`{self.name}` ({self.called}) can be read, not written", f"`--as` {_names(writing=True)}"
            )
        written: Written = import_module(self.module).write(results)
        return written


_TRF_LINE = re.compile(r"^(001 .{8}|012( |$)|XX[A-Z] )", re.MULTILINE)
_TDF_ROOT = re.compile(r"^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(tournament|!DOCTYPE)[\s>]", re.DOTALL)
_TABLE_HEAD = re.compile(r"^(?=.*\bround\b).*\bplayer[ _-]?1\b", re.MULTILINE | re.IGNORECASE)
_RECORD_LINE = re.compile(r"^[ \t]*\d{1,2} ?[–—-] ?\d{1,2} ?[–—-] ?\d{1,2}[ \t\r]*$", re.MULTILINE)
_LONGEST_HEAD = 2_000
"""Letters in which an XML says what it is."""

_HERE = "tourney.standings.reading"


def _is_nrtm_with_rounds(value: Any) -> bool:
    return is_nrtm(value) and "rounds" in value


def _is_own_json(value: Any) -> bool:
    """Return whether a value has rounds that are not objects: Challonge has objects there."""
    rounds = value.get("rounds") if isinstance(value, dict) else None
    return rounds is not None and not (isinstance(rounds, list) and rounds and isinstance(rounds[0], dict))


def _topdeck(value: Any) -> bool:
    """Say whether a value is a tournament of TopDeck's API, alone or in a list."""
    event = value[0] if isinstance(value, list) and value else value
    if not isinstance(event, dict) or not isinstance(event.get("standings"), list):
        return False
    rounds = event.get("rounds")
    return isinstance(rounds, list) and all(isinstance(each, dict) and "tables" in each for each in rounds)


def _melee(value: Any) -> bool:
    """Say whether a value is an answer of melee with matches, or several."""
    answers = value if isinstance(value, list) else [value]
    data = [each.get("data") if isinstance(each, dict) else None for each in answers]
    return bool(data) and all(
        isinstance(each, list) and each and isinstance(each[0], dict) and "Competitors" in each[0]
        for each in data
    )


FORMS: tuple[EventForm, ...] = (
    EventForm(
        name="cobra",
        called="Cobra's tournament (NRTM)",
        ending="cobra.json",
        module=f"{_HERE}.cobra_form",
        sign=_is_nrtm_with_rounds,
        profile="cobra",
        json=True,
    ),
    EventForm(
        name="topdeck",
        called="TopDeck's tournament",
        ending="topdeck.json",
        module=f"{_HERE}.topdeck_form",
        sign=_topdeck,
        profile="topdeck",
        json=True,
    ),
    EventForm(
        name="melee",
        called="melee's matches",
        ending="melee.json",
        module=f"{_HERE}.melee_form",
        sign=_melee,
        profile="melee",
        json=True,
    ),
    EventForm(  # whatever has rounds: below the other forms in JSON
        name="json",
        called="a JSON file of results",
        ending="json",
        module=f"{_HERE}.json_form",
        sign=_is_own_json,
        profile="tourney",
        json=True,
    ),
    EventForm(
        name="tdf",
        called="TOM's tournament (Play! Pokémon)",
        ending="tdf",
        module=f"{_HERE}.tdf_form",
        sign=lambda text: bool(_TDF_ROOT.search(text[:_LONGEST_HEAD])),
        profile="tom",
    ),
    EventForm(
        name="trf",
        called="a Tournament Report File",
        ending="trf",
        module=f"{_HERE}.trf_form",
        sign=lambda text: bool(_TRF_LINE.search(text.replace("\r", "\n"))),
        profile="fide",
    ),
    EventForm(
        name="eventlink",
        called="pairings copied from EventLink",
        ending="txt",
        module=f"{_HERE}.eventlink_form",
        sign=lambda text: len(_RECORD_LINE.findall(text)) > 1,
        profile="mtr",
        writes=False,
    ),
    EventForm(  # any table with these columns: the last
        name="csv",
        called="a table of results (CSV)",
        ending="csv",
        module=f"{_HERE}.csv_form",
        sign=lambda text: bool(_TABLE_HEAD.search(text)),
        profile="tourney",
    ),
)
"""The forms, in the order in which they are tried."""


def form_called(name: str, *, writing: bool = False) -> EventForm:
    """Return a form by its name. Raises TourneyError naming those there are. writing: that can be written."""
    form = next((each for each in FORMS if each.name == name), None)
    if form is None:
        raise TourneyError(f"there is no form `{name}`", _names(writing=writing))
    return form


def _names(*, writing: bool = False) -> str:
    return listed(f"`{each.name}`" for each in FORMS if each.writes or not writing)


def read_results(text: str, *, source: str, scores: bool = False, form: str | None = None) -> Results:
    """Read results in whichever form `text` has.

    source: names the file in messages
    scores: whether a match's two numbers are its scores (`number_columns_are_scores(profile)`)
    form:   the form to take it for, by name, instead of finding out

    Raises TourneyError naming the file and the line or key path.
    """
    decode.check_text(text, source=source)
    plain = text.removeprefix("\ufeff")
    start = plain.lstrip()
    if not start:
        raise TourneyError(f"{source}: the file is empty")
    looks_json = start[0] in "{["
    chosen = form_called(form) if form else None
    if chosen and chosen.json and not looks_json:
        raise TourneyError(
            f"{source}: {chosen.called} is JSON, and this is none", _looks_like(plain, None, chosen)
        )
    is_json = chosen.json if chosen else looks_json
    value = decode.from_json(_one_object(start, source), object, source=source) if is_json else None
    told = Told(text=plain, value=value, source=source, scores=scores)
    found = _found(plain, value)
    _refuse_foreign(plain, value, source, found)
    if chosen is None:
        return (found or form_called("json" if is_json else "csv")).read(told)
    try:
        return chosen.read(told)
    except TourneyError as fault:
        raise TourneyError(fault.message, _looks_like(plain, value, chosen) or fault.hint) from None


def _refuse_foreign(text: str, value: Any, source: str, found: EventForm | None) -> None:
    """Raise TourneyError for a file of a program whose files are not read, and for a TRF of teams."""
    if found is not None and found.name != "trf":
        return
    from tourney.standings.reading.foreign import foreign_file

    foreign = foreign_file(text, value, source)
    if foreign is not None:
        raise TourneyError(f"{source}: {foreign.called} is not read", foreign.hint)


def _found(text: str, value: Any) -> EventForm | None:
    """Return the form whose sign a file has. value: what its JSON says, None where it is none."""
    asked = text if value is None else value
    return next((each for each in FORMS if each.json is (value is not None) and each.sign(asked)), None)


def _looks_like(text: str, value: Any, asked: EventForm) -> str | None:
    """Say what a file looks like that was to be of the form `asked`; None where it looks like that, or like nothing known."""
    if value is None and text.lstrip()[0] in "{[":
        try:
            value = decode.from_json(text.strip(), object, source="")
        except TourneyError:
            return None
    found = _found(text, value)
    if found is None or found is asked:
        return None
    return f"the file looks like {found.called}: leave out `--as`, or say `--as {found.name}`"


def _one_object(text: str, source: str) -> str:
    lines = text.strip().splitlines()
    if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
        raise TourneyError(
            f"{source}: the file holds {len(lines)} events, one a line",
            "give one of them a file of its own",
        )
    return text


# -- What a file says of its own standings, held against ours


def first_difference(results: Results, standings: Standings) -> str:
    """Say where the file's own places, points and tie-breaks are first not ours; empty where they agree.

    Places of players who are level here may be in any order there. A tie-break is compared to the digits that the file
    has of it.
    """
    claims = results.claims
    rows = {row.player: row for row in standings.rows}
    level = Counter(row.rank for row in standings.rows)
    for player in sorted(claims, key=lambda each: (claims[each].place or len(claims) + 1, each)):
        claim, own = claims[player], rows.get(player)
        if own is None or own.rank is None:
            told = f"has place {claim.place} there and none here" if claim.place is not None else ""
        else:
            told = _not_as_claimed(claim, own, standings.profile)
            if not told and claim.place is not None and not 0 <= claim.place - own.rank < level[own.rank]:
                here = [results.names[row.player] for row in standings.rows if row.rank == claim.place]
                instead = f", where place {claim.place} is {here[0]}'s" if here else ""
                told = f"has place {claim.place} there and place {own.rank} here{instead}"
        if told:
            return f"{results.names[player]} {told}"
    return ""


def _not_as_claimed(claim: StandingClaim, own: Row, profile: Profile) -> str:
    if claim.points is not None and claim.points != own.points:
        there, here = (profile.points_text(each) for each in (claim.points, own.points))
        return f"has {there} {'point' if there in {'1', '½'} else 'points'} there and {here} here"
    for key in own.keys:
        value, places = claim.values.get(key.code, (None, 0))
        if value is None or not isinstance(key.value, int | Fraction):
            continue
        if abs(key.value - value) > Fraction(101, 100) / 10 ** min(places, _CLAIMED_PLACES):
            there, here = (f"{float(each):.{min(places, _CLAIMED_PLACES)}f}" for each in (value, key.value))
            return f"has {key.code} {there} there and {here} here"
    return ""


_CLAIMED_PLACES = 6
"""Digits after the point to which a file's tie-breaks are held: programs round, and some count in single precision."""


def agreed(results: Results, standings: Standings) -> str:
    """Say in a few words what of the file's own standings was held against ours; empty where it has none."""
    parts = [
        word
        for word, has in (
            ("places", any(each.place is not None for each in results.claims.values())),
            ("points", any(each.points is not None for each in results.claims.values())),
            ("tie-breaks", any(each.values for each in results.claims.values())),
        )
        if has
    ]
    return f"{listed(parts)} of {len(results.claims)} players" if parts and standings.rows else ""


def told_apart(names: Mapping[PlayerId, Any]) -> Iterator[tuple[PlayerId, str]]:
    """Give each player a name that is theirs alone: of two who are called alike the later has the number behind it."""
    taken: set[str] = set()
    for player, name in names.items():
        own = f"player {name}" if isinstance(name, int) or name.strip().isdigit() else name
        while fold(own) in taken:
            own = f"{own} ({player})"
        taken.add(fold(own))
        yield player, own


# -- From an event to a file: its rounds, what its matches are in one line each, and what a form has no place for


def rounds_of(
    record: Record,
) -> Iterator[tuple[int, tuple[Table, ...], list[tuple[PlayerId, Outcome]]]]:
    """Give each round's number, its tables, and who had which bye, in order of registration."""
    for at, tables in enumerate(record.rounds):
        yield at + 1, tables, sorted((record.byes[at] if at < len(record.byes) else {}).items())


def as_placed(results: Results) -> list[PlayerId]:
    """Return the players by the places that were claimed for them; those without one last."""
    claims, players = results.claims, results.record.players
    return sorted(players, key=lambda each: ((each in claims and claims[each].place) or len(players), each))


def json_text(value: object) -> str:
    """Return a file of JSON, a value a line."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLine:
    """One match as a line says it.

    names:  one where nobody sat opposite; games: won by each and drawn, None where there is no result
    scores: of each, None where there is none; kind: as `MatchLine` has it; places: of tables of more than two
    """

    names: tuple[Name, ...]
    games: tuple[int, int, int] | None = None
    scores: tuple[int | None, ...] = ()
    kind: str = ""
    places: tuple[int, ...] = ()
    table: int | None = None


_KINDS = {
    (Outcome.WIN, Outcome.LOSS): "p1",
    (Outcome.LOSS, Outcome.WIN): "p2",
    (Outcome.DRAW, Outcome.DRAW): "draw",
    (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS): "double-loss",
    (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN): "forfeit1",
    (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS): "forfeit2",
    (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS): "double-forfeit",
}
_ALONE = {
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded-bye",
    Outcome.HALF_BYE: "half-bye",
    Outcome.FORFEIT_LOSS: "assigned-loss",
}


def written_lines(results: Results) -> Iterator[list[WrittenLine]]:
    """Give the lines of each round: tables in order, then who had a bye, then who was absent."""
    record, name = results.record, results.names
    for number, tables, byes in rounds_of(record):
        lines = [_line(table, name) for table in tables]
        lines += [WrittenLine(names=(name[player],), kind=_ALONE[kind]) for player, kind in byes]
        absent = record.absences[number - 1] if number <= len(record.absences) else ()
        lines += [WrittenLine(names=(name[player],), kind="absent") for player in sorted(absent)]
        yield lines


def _line(table: Table, name: Mapping[PlayerId, Name]) -> WrittenLine:
    names = tuple(name[player] for player in table.seats)
    result = table.result
    if result is None:
        return WrittenLine(names=names, kind="unreported" if len(names) == 2 else "", table=table.number)
    scores = tuple(seat.score for seat in result.seats)
    if len(names) == 1:
        return WrittenLine(names=names, kind=_ALONE[result.seats[0].outcome], scores=scores)
    if len(names) > 2:
        places = tuple(seat.place for seat in result.seats)
        return WrittenLine(names=names, places=places, scores=scores, table=table.number)
    games = (result.seats[0].games, result.seats[1].games, result.drawn_games)
    kind = _KINDS.get(_pair_of(result), "draw")
    said = "p1" if games[0] > games[1] else "p2" if games[0] < games[1] else "draw"
    return WrittenLine(
        names=names, games=games, scores=scores, kind="" if kind == said else kind, table=table.number
    )


def _pair_of(result: Result) -> tuple[Outcome, Outcome]:
    """Return the outcomes of a table of two."""
    return result.seats[0].outcome, result.seats[1].outcome


def lost(results: Results, holds: Collection[str], *, facts: Collection[str] = ()) -> Iterator[str]:
    """Say what of an event a form has no place for.

    holds: what it has a place for, by the keys of `_LOST`; facts: the kinds of facts that it has
    """
    for key, what in _LOST.items():
        if key not in holds:
            yield from filter(None, [what(results)])
    kinds = sorted({kind for each in results.facts.values() for kind in each}.difference(facts, {"division"}))
    if kinds:
        yield f"what else is known of players: {', '.join(kinds)}"


def _number(count: int, one: str, many: str = "") -> str:
    return counted(count, one, many) if count else ""


def _seats(results: Results) -> Iterator[tuple[Table, Any]]:
    for tables in results.record.rounds:
        for table in tables:
            for seat in table.result.seats if table.result else ():
                yield table, seat


def _more_than_one_game(results: Results) -> int:
    return sum(
        len(table.seats) == 2
        and table.result is not None
        and _pair_of(table.result) in _KINDS
        and (*(seat.games for seat in table.result.seats), table.result.drawn_games)
        != one_game(_pair_of(table.result))
        for tables in results.record.rounds
        for table in tables
    )


def _pairs(results: Results) -> Iterator[tuple[Outcome, Outcome]]:
    for tables in results.record.rounds:
        for table in tables:
            if table.result is not None and len(table.seats) == 2:
                yield _pair_of(table.result)


def _byes(results: Results, kind: Outcome) -> int:
    return sum(outcome is kind for each in results.record.byes for outcome in each.values())


def _nowhere(results: Results) -> int:
    """Return how many players have no match and no bye in any round."""
    record = results.record
    seen = {player for tables in record.rounds for table in tables for player in table.seats}
    return len(set(record.players).difference(seen, *record.byes))


_LOST: Mapping[str, Callable[[Results], str]] = {
    "players": lambda each: (
        f"{_number(n, 'player')} who {'has' if n == 1 else 'have'} neither a match nor a bye"
        if (n := _nowhere(each))
        else ""
    ),
    "scores": lambda each: (
        "the scores of matches" if any(seat.score is not None for _, seat in _seats(each)) else ""
    ),
    "games": lambda each: (
        f"the games of {_number(n, 'match', 'matches')}, only who won"
        if (n := _more_than_one_game(each))
        else ""
    ),
    "apart": lambda each: (
        f"{_number(n, 'result')} in which the two sides are not told by one word (a draw for one, a loss for the other)"
        if (n := sum(pair not in _KINDS for pair in _pairs(each)))
        else ""
    ),
    "no-shows": lambda each: (
        f"that somebody did not show ({_number(n, 'match', 'matches')})"
        if (n := sum(Outcome.FORFEIT_LOSS in pair for pair in _pairs(each)))
        else ""
    ),
    "double losses": lambda each: _number(
        sum(Outcome.DOUBLE_LOSS in pair for pair in _pairs(each)), "double loss", "double losses"
    ),
    "awarded byes": lambda each: (
        f"that {_number(n, 'bye')} {'was' if n == 1 else 'were'} awarded"
        if (n := _byes(each, Outcome.AWARDED_BYE))
        else ""
    ),
    "half byes": lambda each: _number(_byes(each, Outcome.HALF_BYE), "half-point bye"),
    "absences": lambda each: (
        f"that players were absent ({_number(n, 'round')})"
        if (n := sum(map(bool, each.record.absences)))
        else ""
    ),
    "tables": lambda each: (
        "the numbers of tables"
        if any(t.number != at for tables in each.record.rounds for at, t in enumerate(tables, 1))
        else ""
    ),
    "open": lambda each: _number(
        sum(table.result is None for tables in each.record.rounds for table in tables),
        "table that still plays",
        "tables that still play",
    ),
    "drops": lambda each: f"when {_number(n, 'player')} dropped" if (n := len(each.record.drops)) else "",
    "disqualified": lambda each: (
        f"that {_number(n, 'player')} {'was' if n == 1 else 'were'} disqualified"
        if (n := len(each.record.disqualified))
        else ""
    ),
    "extra points": lambda each: (
        f"points beside the results ({_number(n, 'player')})"
        if (n := len({player for given in each.record.extra_points for player in given}))
        else ""
    ),
    "ratings": lambda each: "ratings" if each.record.ratings else "",
    "planned": lambda each: "how many rounds are planned" if each.record.planned_rounds else "",
    "name": lambda each: "the event's name" if each.title else "",
    "day": lambda each: "the day" if each.day else "",
    "sides": lambda each: f"that seats are sides ({', '.join(each.sides)})" if each.sides else "",
    "divisions": lambda each: "divisions" if each.divisions else "",
    "requests": lambda each: "byes and absences announced for rounds to come" if each.requests else "",
    "forbidden": lambda each: _number(len(each.forbidden), "forbidden pair"),
    "playoff": lambda each: f"the bracket of {len(each.playoff.seeds)}" if each.playoff else "",
}
"""What an event may have that a form may not: what it is called, and the words for it; empty where this one has none."""


def refuse_large_tables(results: Results, called: str) -> None:
    """Refuse tables of more than two in a form that has none."""
    bracket = results.playoff.rounds if results.playoff else ()
    for at, tables in enumerate((*results.record.rounds, *bracket), 1):
        for table in tables:
            if len(table.seats) > 2:
                raise TourneyError(
                    f"round {at}, table {table.number} has {len(table.seats)} seats: {called} has only tables of two",
                    "`--as json` has tables of any size",
                )


def written_beside(results: Results) -> dict[str, Any]:
    """Return what stands beside the matches in our own forms, by the keys of `Beside`."""
    record, name = results.record, results.names
    told: dict[str, Any] = {
        "name": results.title,
        "date": results.day.isoformat() if results.day else None,
        "best_of": results.match[0],
        "draws": results.match[1],
        "planned_rounds": record.planned_rounds,
        "round_robin": record.round_robin,
        "registration_order": [name[player] for player in record.players],
        "ratings": {str(name[player]): rating for player, rating in record.ratings.items()},
        "drops": {str(name[player]): last for player, last in record.drops.items()},
        "disqualified": {str(name[player]): last for player, last in record.disqualified.items()},
        "divisions": {each: [name[player] for player in who] for each, who in results.divisions.items()},
    }
    extra: dict[str, dict[str, float]] = {}
    for at, given in enumerate(record.extra_points, 1):
        for player, points in sorted(given.items()):
            extra.setdefault(str(name[player]), {})[str(at)] = points // 2 if points % 2 == 0 else points / 2
    told["extra_points"] = extra
    always = ("drops", "round_robin")
    return {key: value for key, value in told.items() if key in always or value not in (None, "", {}, [])}


OWN = frozenset(
    ["players", "scores", "games", "no-shows", "double losses", "awarded byes", "half byes", "absences", "tables", "open", "drops",
     "disqualified", "extra points", "ratings", "planned", "name", "day", "divisions"]
)  # fmt: skip
"""What our own forms have a place for."""
