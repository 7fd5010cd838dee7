"""The forms of event files: one row of `FORMS` for each.

They are tried in order. A file has only one form.

The module of a form has `read(file: SourceFile) -> Results` and, if the form can be written,
`write(results) -> Written`. It is imported when the first file with its sign appears. `README.md` lists the
forms and their sources.

Files of other programs are refused by the program's name (`FOREIGN`). The signs follow what is publicly known
of these formats; no real files were at hand, so a variant may be missed and then gets the general refusal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from tourney import decode
from tourney.errors import TourneyError
from tourney.standings.reading.results import Results
from tourney.standings.reading.writing import Written
from tourney.wording import listed


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """The content of a file.

    source: the file's name for messages
    value:  the value of its JSON; None if it is not JSON
    scores: whether two numbers without a unit are the score of a match
            (`number_columns_are_scores(profile)`)
    """

    text: str
    source: str
    value: Any = None
    scores: bool = False

    def error(self, place: str, message: str, hint: str | None = None) -> TourneyError:
        """Return an error at a key path or line."""
        return TourneyError(f"{self.source}: {place}: {message}", hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventForm:
    """A form of event files.

    name:    its name for `--as`
    title:   its name in a sentence: `Cobra's tournament`
    ending:  the ending of the files that are written
    sign:    returns whether a file has this form, given its JSON value if `json` is set, otherwise its text
    profile: the profile of its program, for files that do not name another
    writes:  whether it can be written
    module:  the module that reads and writes it; empty: `NAME_form` in this package
    """

    name: str
    title: str
    ending: str
    sign: Callable[[Any], bool]
    profile: str = "mtr"
    json: bool = False
    writes: bool = True
    module: str = ""

    def read(self, file: SourceFile) -> Results:
        """Read a file. Raises TourneyError naming the file and the line or key path."""
        results: Results = self._module().read(file)
        return replace(results, form=self.name, profile=results.profile or self.profile)

    def write(self, results: Results) -> Written:
        """Write an event. Raises TourneyError if the form cannot hold it."""
        if not self.writes:
            message = f"`{self.name}` ({self.title}) can be read, not written"
            raise TourneyError(message, f"`--as` {_names(writing=True)}")
        written: Written = self._module().write(results)
        return written

    def _module(self) -> Any:
        return import_module(self.module or f"tourney.standings.reading.{self.name}_form")


_TRF_LINE = re.compile(r"^(001 .{8}|012( |$)|XX[A-Z] )", re.MULTILINE)
_TDF_ROOT = re.compile(r"^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(tournament|!DOCTYPE)[\s>]", re.DOTALL)
_TABLE_HEADER = re.compile(r"^(?=.*\bround\b).*\bplayer[ _-]?1\b", re.MULTILINE | re.IGNORECASE)
_RECORD_LINE = re.compile(r"^[ \t]*\d{1,2} ?[–—-] ?\d{1,2} ?[–—-] ?\d{1,2}[ \t\r]*$", re.MULTILINE)
_MAX_XML_HEAD = 2_000
"""The characters at the start of an XML file that are searched for its root element."""


def _is_own_json(value: Any) -> bool:
    """Return whether a value has rounds that are not objects (Challonge's are)."""
    rounds = value.get("rounds") if isinstance(value, dict) else None
    return rounds is not None and not (isinstance(rounds, list) and rounds and isinstance(rounds[0], dict))


def _is_topdeck(value: Any) -> bool:
    """Return whether a value is a tournament of TopDeck's API, alone or in a list."""
    event = value[0] if isinstance(value, list) and value else value
    if not isinstance(event, dict) or not isinstance(event.get("standings"), list):
        return False
    rounds = event.get("rounds")
    return isinstance(rounds, list) and all(isinstance(item, dict) and "tables" in item for item in rounds)


def _is_melee(value: Any) -> bool:
    """Return whether a value is an answer of melee with matches, or a list of them."""
    answers = value if isinstance(value, list) else [value]
    matches = [answer.get("data") if isinstance(answer, dict) else None for answer in answers]
    return bool(matches) and all(
        isinstance(data, list) and data and isinstance(data[0], dict) and "Competitors" in data[0]
        for data in matches
    )


FORMS: tuple[EventForm, ...] = (
    EventForm(name="cobra", title="a tournament of Cobra (NRTM)", ending="cobra.json", profile="cobra",
              json=True, sign=lambda value: is_nrtm(value) and "rounds" in value),
    EventForm(name="topdeck", title="a tournament of TopDeck", ending="topdeck.json", profile="topdeck",
              json=True, sign=_is_topdeck),
    EventForm(name="melee", title="matches of melee", ending="melee.json", profile="melee",
              json=True, sign=_is_melee),
    # Any JSON with `rounds` has this form, so it comes after the other forms in JSON.
    EventForm(name="json", title="a JSON file of results", ending="json", profile="tourney", json=True,
              sign=_is_own_json),
    EventForm(name="tdf", title="a tournament of TOM (Play! Pokémon)", ending="tdf", profile="tom",
              sign=lambda text: bool(_TDF_ROOT.search(text[:_MAX_XML_HEAD]))),
    EventForm(name="trf", title="a Tournament Report File", ending="trf", profile="fide",
              sign=lambda text: bool(_TRF_LINE.search(text.replace("\r", "\n")))),
    EventForm(name="eventlink", title="pairings copied from EventLink", ending="txt", writes=False,
              sign=lambda text: len(_RECORD_LINE.findall(text)) > 1),
    # Any table with these columns has this form, so it comes last.
    EventForm(name="csv", title="a table of results (CSV)", ending="csv", profile="tourney",
              sign=lambda text: bool(_TABLE_HEADER.search(text))),
)  # fmt: skip
"""The forms, in the order in which they are tried."""


def find_form(name: str, *, writing: bool = False) -> EventForm:
    """Return a form by its name. Raises TourneyError listing the forms.

    writing: list only the forms that can be written
    """
    form = next((form for form in FORMS if form.name == name), None)
    if form is None:
        raise TourneyError(f"unknown form `{name}`", _names(writing=writing))
    return form


def _names(*, writing: bool = False) -> str:
    return listed(f"`{form.name}`" for form in FORMS if form.writes or not writing)


def read_results(text: str, *, source: str, scores: bool = False, form: str | None = None) -> Results:
    """Read results in any form.

    source: names the file in messages
    scores: whether a match's two numbers are its score (`number_columns_are_scores(profile)`)
    form:   the name of the form; None: the form is recognized

    Raises TourneyError naming the file and the line or key path.
    """
    decode.check_text(text, source=source)
    text = text.removeprefix("\ufeff")
    start = text.lstrip()
    if not start:
        raise TourneyError(f"{source}: the file is empty")
    asked = find_form(form) if form else None
    is_json = start[0] in "{["
    if asked and asked.json and not is_json:
        raise TourneyError(f"{source}: {asked.title} is JSON, but this file is not", _hint(text, None, asked))
    is_json = asked.json if asked else is_json
    value = decode.from_json(_single_object(start, source), object, source=source) if is_json else None
    file = SourceFile(text=text, value=value, source=source, scores=scores)
    recognized = _recognize(text, value)
    _refuse_foreign(file, recognized)
    if asked is None:
        return (recognized or find_form("json" if is_json else "csv")).read(file)
    try:
        return asked.read(file)
    except TourneyError as error:
        raise TourneyError(error.message, _hint(text, value, asked) or error.hint) from None


def _single_object(text: str, source: str) -> str:
    lines = text.strip().splitlines()
    if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
        raise TourneyError(
            f"{source}: the file holds {len(lines)} events, one a line", "put one of them into its own file"
        )
    return text


def _recognize(text: str, value: Any) -> EventForm | None:
    """Return the form of a file with this text, or this JSON value if it is not None."""
    is_json = value is not None
    content = value if is_json else text
    return next((form for form in FORMS if form.json is is_json and form.sign(content)), None)


def _refuse_foreign(file: SourceFile, recognized: EventForm | None) -> None:
    """Raise TourneyError for a file of an unsupported program, and for a TRF of teams."""
    if recognized is not None and recognized.name != "trf":
        return
    foreign = foreign_file(file.text, file.value, file.source)
    if foreign is not None:
        raise TourneyError(f"{file.source}: {foreign.title} cannot be read", foreign.hint)


def _hint(text: str, value: Any, asked: EventForm) -> str | None:
    """Return a hint for a file that could not be read as `asked` and looks like another form."""
    if value is None and text.lstrip()[0] in "{[":
        try:
            value = decode.from_json(text.strip(), object, source="")
        except TourneyError:
            return None
    form = _recognize(text, value)
    if form is None or form is asked:
        return None
    return f"the file looks like {form.title}: leave out `--as`, or use `--as {form.name}`"


# -- a tournament after the schema of NRTM: Cobra's, or that of Aesop's Tables

_KEYS = frozenset(["preliminaryRounds", "eliminationPlayers", "cutToTop"])
"""Keys of the schema that no other form has.

A file that was edited or cut may lack some of them.
"""
_PROGRAMS = ("cobra", "aesop")
_BY_SIDE = frozenset(["corpPlayer", "runnerPlayer"])
"""Keys of pairings that only Aesop's Tables wrote, until June 2024."""


def is_nrtm(value: Any) -> bool:
    """Return whether a JSON value has the keys or the pairings of a tournament of NRTM."""
    return isinstance(value, dict) and (
        not _KEYS.isdisjoint(value)
        or bool(_program(value))
        or any(_is_pairing(match) for match in _first_matches(value))
    )


def _program(value: Mapping[str, Any]) -> str:
    """Return which of the two programs a file names; empty if it names neither."""
    name = value.get("uploadedFrom")
    return next((program for program in _PROGRAMS if isinstance(name, str) and program in name.lower()), "")


def _is_pairing(match: Mapping[str, Any]) -> bool:
    players = match.get("player1"), match.get("player2")
    return not _BY_SIDE.isdisjoint(match) or all(
        isinstance(player, dict) and "id" in player for player in players
    )


def made_by_aesop(value: Mapping[str, Any]) -> bool:
    """Return whether a file comes from Aesop's Tables.

    It names that program, or it names neither program and has the program's pairings.

    Aesop's Tables numbers tables in `tableNumber`, Cobra in `table`.
    """
    if program := _program(value):
        return program == "aesop"
    own = _BY_SIDE | {"tableNumber"}
    return any(not own.isdisjoint(match) for match in _first_matches(value))


def _first_matches(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    rounds = value.get("rounds")
    for matches in rounds if isinstance(rounds, list) else ():
        first = matches[0] if isinstance(matches, list) and matches else None
        if isinstance(first, dict):
            yield first


# -- files that are not supported

_HEAD = 2_000
"""The characters at the start of a file that are searched for signs of its format."""
_XML = re.compile(r"\s*<(?:\?xml\b|!--|!doctype\b|[a-z])", re.I)
_HTML = re.compile(r"<!doctype html|<html\b|<body\b|<table\b", re.I)
_OPENGOTHA = re.compile(
    r"<Tournament\s[^<>]*\bdataVersion\b|<(?:TournamentParameterSet|GeneralParameterSet)\b"
)
_WER = re.compile(r"<event\b[^<>]*\b(?:eventguid|sanctionnumber|coordinator)\b|<participation\b", re.I)
_CHESS_RESULTS = re.compile(r"chess-?results|swiss-?manager", re.I)
_TEAM_LINE = re.compile(r"^(?:013|310) ", re.M)
_PLAYER_LINE = re.compile(r"^001 ", re.M)

_TABLE = "enter the results as a table: round,player1,player2,wins1,wins2,draws"

_EXPORT_AGAIN = "export the tournament again, with its rounds"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A file format that is recognized but not supported.

    title: the format's name with its article, for a sentence
    sign:  returns whether a file has this format, given its text (or the value of its JSON if `json` is set)
    hint:  what to do instead
    """

    title: str
    sign: Callable[[Any], bool]
    hint: str = _TABLE
    json: bool = False


def _rows(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, or an empty list for any other value."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


_WRAPPERS = frozenset(["tournament", "match", "participant"])
"""Keys in which version 1 of Challonge's API wraps an object."""
_LISTS = frozenset(["matches", "participants"])
_BARE = (
    frozenset(["player1_id", "player2_id"]),
    frozenset(["matches_by_round"]),
    frozenset(["full_challonge_url"]),
    frozenset(["tournament_type", "participants_count"]),
)
"""Keys by which a match or a tournament of Challonge is recognized without a wrapper."""


def _is_challonge(value: Any) -> bool:
    rows = [value] if isinstance(value, dict) else _rows(value)[:1]
    rows += [row for key in sorted(_LISTS) for row in _rows(rows[0].get(key) if rows else None)[:1]]
    return any(_is_wrapper(row) or _is_bare(row) for row in rows) or _is_json_api(value)


def _is_wrapper(row: dict[str, Any]) -> bool:
    inner = [row[key] for key in sorted(_WRAPPERS) if isinstance(row.get(key), dict)]
    nothing_else = row.keys() <= _WRAPPERS | _LISTS
    return bool(inner) and (nothing_else or any("id" in item or _is_bare(item) for item in inner))


def _is_bare(row: dict[str, Any]) -> bool:
    return any(keys <= row.keys() for keys in _BARE)


def _is_json_api(value: Any) -> bool:
    """Return whether a value is an answer of version 2 of Challonge's API.

    That version follows JSON:API.
    """
    data = value.get("data") if isinstance(value, dict) else None
    entries = [data] if isinstance(data, dict) else _rows(data)
    return bool(entries) and {"attributes", "type"} <= entries[0].keys()


def _is_limitless(value: Any) -> bool:
    first = next(iter(_rows(value)), {})
    standing = {"player", "placing"} <= first.keys()
    pairing = {"round", "phase", "player1"} <= first.keys()
    event = isinstance(value, dict) and {"organizer", "phases"} <= value.keys()
    return standing or pairing or event


FOREIGN = (
    Foreign("a file of OpenGotha", lambda text: bool(_OPENGOTHA.search(text[:_HEAD]))),
    Foreign("a file of Wizards Event Reporter (WER)", lambda text: bool(_WER.search(text[:_HEAD]))),
    Foreign(
        "an XML file of chess-results or Swiss-Manager",
        lambda text: bool(_XML.match(text) and _CHESS_RESULTS.search(text[:_HEAD])),
        "export the tournament as a TRF (FIDE's report)",
    ),
    Foreign(
        "a Tournament Report File of teams",
        lambda text: bool(_TEAM_LINE.search(text) and _PLAYER_LINE.search(text)),
        "only tournaments of single players are read",
    ),
    Foreign("an answer of Challonge", _is_challonge, json=True),
    Foreign("an answer of Limitless", _is_limitless, json=True),
    Foreign(
        "a tournament of Aesop's Tables without `rounds`",
        lambda value: is_nrtm(value) and made_by_aesop(value),
        _EXPORT_AGAIN,
        json=True,
    ),
    Foreign("a tournament of Cobra without `rounds`", is_nrtm, _EXPORT_AGAIN, json=True),
    Foreign("a web page", lambda text: bool(_XML.match(text) and _HTML.search(text[:_HEAD]))),
    Foreign("an XML file of an unknown program", lambda text: bool(_XML.match(text))),
)
"""The files that are refused by name, in the order of trial.

The last is any XML.
"""

_ENDINGS = {".opengotha": FOREIGN[0], ".wer": FOREIGN[1]}


def foreign_file(text: str, value: Any, source: str) -> Foreign | None:
    """Return the row for a known but unsupported file; None for other files.

    value: the value of its JSON; None if it is not JSON
    """
    is_json = value is not None
    content = value if is_json else text
    by_content = next((row for row in FOREIGN if row.json is is_json and row.sign(content)), None)
    by_ending = next((row for end, row in _ENDINGS.items() if source.lower().endswith(end)), None)
    if by_content is None or by_content is FOREIGN[-1]:
        return by_ending or by_content
    return by_content
