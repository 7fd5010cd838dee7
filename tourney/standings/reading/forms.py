"""The forms (file formats) of event files: one row of `FORMS` for each.

Each row has a sign, a function that recognizes files of this form. The signs are tried in the order of the
rows, and the first form that fits is used.

The module of a form has `read(file: SourceFile) -> Results` and, if the form can be written,
`write(results) -> Written`. It is imported when a file of this form is first read or written. `README.md`
lists the forms and their sources.

Files of other programs (`FOREIGN`) are refused with a message that names the program. Their signs follow the
public descriptions of these formats, because no real files were available. A variant that is not recognized
gets a general message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tourney import decode
from tourney.errors import TourneyError
from tourney.standings.reading.results import Results
from tourney.standings.reading.sheet import SourceFile
from tourney.standings.reading.writing import WrittenFile
from tourney.wording import listed

Sign = Callable[[Any], bool]
"""A function that returns whether a file has a form, given its text or its JSON value."""


class EventForm(Struct, frozen=True, kw_only=True):
    """A form (file format) of event files.

    name:    the form's name for `--as`
    title:   the form's name in a sentence, with its article: `a tournament of TopDeck`
    ending:  the file name extension of the files that are written
    sign:    a function that returns whether a file has this form; it gets the file's JSON value if `json` is
             set, otherwise the file's text
    profile: the standings profile of the form's program, for files that do not name another profile
    json:    whether files of this form are JSON
    writes:  whether files of this form can be written
    module:  the module that reads and writes this form; empty for the module `NAME_form` of this package
    """

    name: str
    title: str
    ending: str
    sign: Sign
    profile: str = "mtr"
    json: bool = False
    writes: bool = True
    module: str = ""

    def read(self, file: SourceFile) -> Results:
        """Read a file. Raises a TourneyError that names the file and the line or key path."""
        results: Results = self._module().read(file)
        return replace(results, form=self.name, profile=results.profile or self.profile)

    def write(self, results: Results) -> WrittenFile:
        """Write an event in this file format.

        Raises TourneyError if the format can only be read, or if it cannot contain the event.
        """
        if not self.writes:
            message = f"`{self.name}` ({self.title}) can be read, but not written"
            raise TourneyError(message, f"`--as` takes {_names(writing=True)}")
        written_file: WrittenFile = self._module().write(results)
        return written_file

    def _module(self) -> Any:
        return import_module(self.module or f"tourney.standings.reading.{self.name}_form")


# -- signs


_HEAD = 2_000
"""The characters at the start of a file that are searched for signs of its format."""


def _begins(pattern: str) -> Sign:
    """Return a function that recognizes a text by a pattern at its start, ignoring case."""
    regex = re.compile(pattern, re.DOTALL | re.IGNORECASE)
    return lambda text: bool(regex.search(text[:_HEAD]))


def _has_lines(pattern: str, *, least: int = 1) -> Sign:
    """Return a function that returns whether a pattern matches at least `least` times in a text.

    In the pattern, `^` and `$` match at the start and end of each line. Case is ignored.
    """
    regex = re.compile(pattern, re.MULTILINE | re.IGNORECASE)
    return lambda text: len([*islice(regex.finditer(text.replace("\r", "\n")), least)]) == least


def _first_object(value: Any) -> dict[str, Any]:
    """Return a JSON object, or the first object of a list; an empty dict for other values."""
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, dict) else {}


def _has_keys(*alternatives: str) -> Sign:
    """Return a function that recognizes a file by the keys of its first object.

    alternatives: keys, separated by spaces; the object must have all keys of one alternative
    """
    keys = [frozenset(names.split()) for names in alternatives]
    return lambda value: any(names <= _first_object(value).keys() for names in keys)


_NRTM_KEYS = frozenset(["preliminaryRounds", "eliminationPlayers", "cutToTop"])
"""Keys that only files in the schema of NRTM have.

A file that was edited or shortened may lack some of them.
"""
_BY_SIDE = frozenset(["corpPlayer", "runnerPlayer"])
"""Keys of pairings that only Aesop's Tables wrote, until June 2024."""


def is_nrtm(value: Any) -> bool:
    """Return whether a JSON value has the schema of NRTM, which Cobra and Aesop's Tables use."""
    if not isinstance(value, dict):
        return False
    return bool(
        not _NRTM_KEYS.isdisjoint(value)
        or _nrtm_program(value)
        or any(
            not _BY_SIDE.isdisjoint(match)
            or ("id" in _first_object(match.get("player1")) and "id" in _first_object(match.get("player2")))
            for match in _first_matches(value)
        )
    )


def is_from_aesop(value: dict[str, Any]) -> bool:
    """Return whether a file of NRTM's schema comes from Aesop's Tables.

    If the file names neither Aesop's Tables nor Cobra, its pairings decide: Aesop's Tables numbers tables in
    `tableNumber`, Cobra in `table`.
    """
    if program := _nrtm_program(value):
        return program == "aesop"
    return any(not match.keys().isdisjoint(_BY_SIDE | {"tableNumber"}) for match in _first_matches(value))


def _nrtm_program(value: dict[str, Any]) -> str:
    name = value.get("uploadedFrom")
    programs = ("cobra", "aesop") if isinstance(name, str) else ()
    return next((program for program in programs if program in str(name).lower()), "")


def _first_matches(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    rounds = value.get("rounds")
    for matches in rounds if isinstance(rounds, list) else ():
        yield _first_object(matches)


def _is_topdeck(value: Any) -> bool:
    """Return whether a value is a tournament of TopDeck's API, alone or in a list."""
    event = _first_object(value)
    rounds = event.get("rounds")
    are_tables = isinstance(rounds, list) and all(
        isinstance(item, dict) and "tables" in item for item in rounds
    )
    return are_tables and isinstance(event.get("standings"), list)


def _is_melee(value: Any) -> bool:
    """Return whether a value is a response of melee.gg with matches, or a list of responses."""
    answers = value if isinstance(value, list) else [value]
    firsts = [_first_object(answer.get("data")) if isinstance(answer, dict) else {} for answer in answers]
    return bool(firsts) and all("Competitors" in first for first in firsts)


def _is_own_json(value: Any) -> bool:
    """Return whether a JSON value has our own form: it has rounds, which are not JSON objects.

    In Challonge's form, rounds are objects.
    """
    rounds = value.get("rounds") if isinstance(value, dict) else None
    return rounds is not None and not (isinstance(rounds, list) and rounds and isinstance(rounds[0], dict))


_CHALLONGE = _has_keys(
    "player1_id player2_id", "matches_by_round", "full_challonge_url", "tournament_type", "attributes type"
)
"""Keys of a tournament or a match of Challonge.

The last alternative, `attributes` and `type`, is for version 2 of the API (JSON:API).
"""


def _is_challonge(value: Any) -> bool:
    """Return whether a value is a response of Challonge's API.

    Version 1 of the API wraps each object in another one with a single key: `{"match": {…}}`.
    """
    first = _first_object(value)
    rows = [first, *(_first_object(first.get(key)) for key in ("matches", "participants", "data"))]
    inner_values = [row.get(key) for row in rows for key in ("tournament", "match", "participant")]
    return any(map(_CHALLONGE, (*rows, *inner_values))) or any(
        len(row) == 1 and not row.keys().isdisjoint(("match", "participant")) for row in rows
    )


# -- the forms


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
              sign=_begins(r"^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(?-i:tournament|!DOCTYPE)[\s>]")),
    EventForm(name="trf", title="a Tournament Report File", ending="trf", profile="fide",
              sign=_has_lines(r"^(001 .{8}|012( |$)|(?-i:XX[A-Z]) )")),
    EventForm(name="eventlink", title="pairings copied from EventLink", ending="txt", writes=False,
              sign=_has_lines(r"^[ \t]*\d{1,2} ?[–—-] ?\d{1,2} ?[–—-] ?\d{1,2}[ \t]*$", least=2)),
    # Any table with these columns has this form, so it comes last.
    EventForm(name="csv", title="a table of results (CSV)", ending="csv", profile="tourney",
              sign=_has_lines(r"^(?=.*\bround\b).*\bplayer[ _-]?1\b")),
)  # fmt: skip
"""The forms, in the order in which they are tried."""


class Foreign(Struct, frozen=True):
    """A file format that is recognized but not supported.

    title: the format's name with its article, for a sentence
    hint:  what to do instead
    """

    title: str
    sign: Sign
    hint: str = "enter the results as a table: round,player1,player2,wins1,wins2,draws"
    json: bool = False


AnyForm = TypeVar("AnyForm", EventForm, Foreign)

_XML = r"\A\s*(?=<(\?xml\b|!--|!doctype\b|[a-z]))"
_EXPORT_AGAIN = "export the tournament again, with its rounds"

FOREIGN = (
    Foreign("a file of OpenGotha",
            _begins(r"<Tournament\s[^<>]*\bdataVersion\b|<(Tournament|General)ParameterSet\b")),
    Foreign("a file of Wizards Event Reporter (WER)",
            _begins(r"<event\b[^<>]*\b(eventguid|sanctionnumber|coordinator)\b|<participation\b")),
    Foreign("an XML file of chess-results or Swiss-Manager",
            _begins(_XML + r".*(chess-?results|swiss-?manager)"),
            "export the tournament as a TRF (FIDE's report)"),
    Foreign("a Tournament Report File of teams",
            lambda text: _has_lines(r"^(013|310) ")(text) and _has_lines(r"^001 ")(text),
            "only tournaments of single players are read"),
    Foreign("a response of Challonge", _is_challonge, json=True),
    Foreign("a response of Limitless", _has_keys("player placing", "round phase player1", "organizer phases"),
            json=True),
    Foreign("a tournament of Aesop's Tables without `rounds`",
            lambda value: is_nrtm(value) and is_from_aesop(value), _EXPORT_AGAIN, json=True),
    Foreign("a tournament of Cobra without `rounds`", is_nrtm, _EXPORT_AGAIN, json=True),
    Foreign("a web page", _begins(_XML + r".*<(!doctype html|html\b|body\b|table\b)")),
    Foreign("an XML file of an unknown program", _begins(_XML)),
)  # fmt: skip
"""The formats that are refused by name, in the order in which they are tried.

The last one matches any XML.
"""


def find_form(name: str, *, writing: bool = False) -> EventForm:
    """Return the form (file format) with this name, such as `trf`.

    writing: whether the error lists only the forms that can be written

    Raises TourneyError for an unknown name. The error lists the forms.
    """
    form = next((form for form in FORMS if form.name == name), None)
    if form is None:
        raise TourneyError(f"unknown form `{name}`", f"choose {_names(writing=writing)}")
    return form


def _names(*, writing: bool = False) -> str:
    return listed([f"`{form.name}`" for form in FORMS if form.writes or not writing], "or")


def read_results(text: str, *, source: str, scores: bool = False, form: str | None = None) -> Results:
    """Read the results in a file of any form.

    source: names the file in messages
    scores: whether a match's two numbers are its score, not games won (`Profile.from_score`)
    form:   the name of the form; by default, the form is recognized from the text

    Raises a TourneyError that names the file and the line or key path.
    """
    decode.check_text(text, source=source)
    text = text.removeprefix("\ufeff")
    start = text.lstrip()
    if not start:
        raise TourneyError(f"{source}: the file is empty")
    requested_form = find_form(form) if form else None
    is_json = start[0] in "{["
    if requested_form and requested_form.json and not is_json:
        raise TourneyError(
            f"{source}: {requested_form.title} is JSON, but this file is not",
            _hint(text, None, requested_form),
        )
    is_json = requested_form.json if requested_form else is_json
    value = decode.from_json(_single_object(start, source), object, source=source) if is_json else None
    file = SourceFile(text=text, value=value, source=source, scores=scores)
    matching_form = _recognize(FORMS, text, value)
    # A TRF of teams is recognized as a TRF, so check whether it is one of teams.
    foreign = (
        _recognize(FOREIGN, text, value) if matching_form is None or matching_form.name == "trf" else None
    )
    if foreign is not None:
        raise TourneyError(f"{source}: {foreign.title} cannot be read", foreign.hint)
    if requested_form is None:
        return (matching_form or find_form("json" if is_json else "csv")).read(file)
    try:
        return requested_form.read(file)
    except TourneyError as error:
        raise TourneyError(error.message, _hint(text, value, requested_form) or error.hint) from None


def _single_object(text: str, source: str) -> str:
    lines = text.strip().splitlines()
    if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
        raise TourneyError(
            f"{source}: the file holds {len(lines)} events, one on each line",
            "copy one event into a file of its own",
        )
    return text


def _recognize(forms: Iterable[AnyForm], text: str, value: Any) -> AnyForm | None:
    """Return the first of `forms` (file formats) that fits the file, or None.

    JSON forms are tried if `value`, the file's JSON, is not None; otherwise, only the other forms are tried.
    """
    is_json = value is not None
    content = value if is_json else text
    return next((form for form in forms if form.json is is_json and form.sign(content)), None)


def _hint(text: str, value: Any, requested_form: EventForm) -> str | None:
    """Return a hint for a file that cannot be read in the file format `requested_form`.

    The hint names the format that the file looks like. Returns None if it does not look like another format.
    """
    if value is None and text.lstrip()[0] in "{[":
        try:
            value = decode.from_json(text.strip(), object, source="")
        except TourneyError:
            return None
    form = _recognize(FORMS, text, value)
    if form is None or form is requested_form:
        return None
    return f"the file looks like {form.title}: leave out `--as`, or use `--as {form.name}`"
