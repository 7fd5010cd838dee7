"""Results as a table: `round,player1,player2,wins1,wins2,draws`.

Lines with settings, such as the event's date, come before the header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any

from tourney import decode
from tourney.errors import TourneyError
from tourney.record import parse_whole_number
from tourney.spreadsheet import format_csv, parse_csv, unescape_formula
from tourney.standings.reading import sheet, writing
from tourney.standings.reading.results import Results, results_of

_REQUIRED = ("round", "player1", "player2")
_GAMES = ("wins1", "wins2", "draws")
_SCORES = ("score1", "score2")
_COLUMNS = (*_REQUIRED, *_GAMES, *_SCORES, "kind", "table")

_SYNONYMS = {
    **{f"player{seat}wins": f"wins{seat}" for seat in (1, 2)},
    **{f"player{seat}score": f"score{seat}" for seat in (1, 2)},
    "rnd": "round",
    "drawn": "draws",
    "drawngames": "draws",
}
"""Alternative name of a column, without spaces → the name of the column."""

_PLAYER_1 = re.compile(r"\bplayer[ _-]?1\b", re.IGNORECASE)

_MAX_PREFACE = 1000
"""The maximum number of lines that are searched for the header."""

_Line = tuple[int, dict[str, str]]
"""A line of the table: its number in the file, and its cells by column."""


def read(file: sheet.SourceFile) -> Results:
    """Read results from a table with commas, semicolons or tabs.

    Raises a TourneyError that names the file and the line.
    """
    table = parse_csv(file.text, delimiter=_delimiter(file.text), source=file.source)
    rows = list(islice(table, decode.MAX_RESULTS + 1))
    if len(rows) > decode.MAX_RESULTS:
        message = f"a file has at most {decode.MAX_RESULTS:,} results"
        raise file.error(f"line {rows[-1][0]}", message, "remove lines that are not needed")
    settings, places, size = _settings(rows, file)
    players = settings.pop("players", None) or settings.get("registration_order")
    lines = list(_lines(rows[size:], file))
    if not lines:
        raise TourneyError(f"{file.source}: the file has no results")
    are_scores = file.scores and not lines[0][1].keys() & set(_SCORES)
    rounds: dict[int, list[sheet.MatchLine]] = {}
    for line in lines:
        number = _whole_number(line, "round", file, least=1)
        assert number is not None
        rounds.setdefault(number, []).append(_match(line, file, are_scores=are_scores))
    results_sheet = sheet.ResultsSheet(
        players=players,
        rounds=file.in_order(rounds),
        keys=decode.build(settings, sheet.EventKeys, source=file.source),
        lines=places,
    )
    return results_of(results_sheet, file)


def _delimiter(text: str) -> str:
    """Return the delimiter of the header, which is the first line that names `player1`."""
    lines = text.splitlines()[:_MAX_PREFACE]
    header = next((line for line in lines if _PLAYER_1.search(line)), lines[0])
    return max(",;\t", key=header.count)


# -- settings


def _flag(text: str) -> bool:
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]


def _whole_numbers(first: str, *more: str) -> list[int]:
    return [parse_whole_number(number) for number in (first, *more)]


def _by_name(name: str, number: str) -> dict[str, int]:
    return {name: parse_whole_number(number)}


_SETTINGS: Mapping[str, tuple[Callable[..., Any], str]] = {
    "name": (str, "name,Friday Cup"),
    "date": (str, "date,2026-04-01"),
    "own_gw_floor": (_flag, "own_gw_floor,false"),
    "draws": (_flag, "draws,no"),
    "round_robin": (_flag, "round_robin,yes"),
    "best_of": (parse_whole_number, "best_of,3"),
    "planned_rounds": (parse_whole_number, "planned_rounds,7"),
    "players": (lambda *names: list(names), "players"),
    "registration_order": (lambda *names: list(names), "registration_order"),
    "round_weights": (lambda *weights: list(weights), "round_weights"),
    "drops": (_by_name, "drops,Mira,3"),
    "disqualified": (_by_name, "disqualified,Mira,3"),
    "ratings": (_by_name, "ratings,Mira,1800"),
    "extra_points": (lambda name, number, points: {name: {number: points}}, "extra_points,Mira,2,-1"),
    "absent": (lambda name, *numbers: {name: _whole_numbers(*numbers)}, "absent,Mira,1,2"),
    "divisions": (lambda name, first, *more: {name: [first, *more]}, "divisions,juniors,Mira,Tomo"),
}
"""Setting → the function that parses its values, and an example of a line."""


def _settings(
    rows: Sequence[tuple[int, list[str]]], file: sheet.SourceFile
) -> tuple[dict[str, Any], dict[str, str], int]:
    """Return the settings, their places (`line 2`), and the number of lines above the header."""
    settings: dict[str, Any] = {}
    lines: dict[str, str] = {}
    for size, (number, cells) in enumerate(rows):
        first, *values = (unescape_formula(cell.strip()) for cell in cells)
        if "player1" in map(column_of, values):
            return settings, lines, size  # the header; its first column can be a setting's name, `draws`
        key, colon, value = first.lstrip("# ").partition(":")
        key = key.strip().lower().replace("-", "_").replace(" ", "_")
        values = [text for text in ([value.strip()] if colon else []) + values if text]
        if key in _SETTINGS and values:
            lines.setdefault(key, f"line {number}")
            parse, example = _SETTINGS[key]
            try:
                settings[key] = _merge_values(settings.get(key), parse(*values))
            except (KeyError, TypeError, ValueError, TourneyError):
                message = f"{key}: `{','.join(values)[:60]}` cannot be read"
                raise file.error(f"line {number}", message, f"for example `{example}`") from None
        elif not first.startswith("#"):
            return settings, lines, size
    return settings, lines, len(rows)


def _merge_values(earlier: Any, value: Any) -> Any:
    """Return the merged values of a setting that is given on several lines.

    Raises ValueError if the values contradict each other.
    """
    if earlier is None:
        return value
    if isinstance(value, list):
        return earlier + value
    if isinstance(value, dict):
        return earlier | {key: _merge_values(earlier.get(key), item) for key, item in value.items()}
    if earlier != value:
        raise ValueError(value)
    return value


# -- lines


def _lines(rows: Sequence[tuple[int, list[str]]], file: sheet.SourceFile) -> Iterator[_Line]:
    if not rows:
        return
    (first, names), *rows = rows
    header = [column_of(name) for name in names]
    while header and not header[-1]:
        del header[-1]
    _check_header(header, f"line {first}", file)
    for number, row in rows:
        cells = [unescape_formula(cell.strip()) for cell in row]
        if not any(cells):
            continue
        place = f"line {number}"
        if any(cells[len(header) :]):
            raise file.error(place, f"{len(row)} columns, but the header has {len(header)}")
        line = dict(zip_longest(header, cells[: len(header)], fillvalue=""))
        broken_column = next((name for name, cell in line.items() if "\n" in cell), None)
        if broken_column:
            raise file.error(place, f"{broken_column}: the cell contains a line break")
        yield number, line


def column_of(heading: str) -> str:
    """Return the column's name for a heading; an unknown heading is returned in lower case.

    >>> [column_of(text) for text in ("Player 1", "player_2", "Wins-1", "Player 1 wins", "Score 2", "Oddity")]
    ['player1', 'player2', 'wins1', 'wins1', 'score2', 'oddity']
    """
    compact = "".join(heading.lower().replace("_", " ").replace("-", " ").split())
    return _SYNONYMS.get(compact, compact if compact in _COLUMNS else heading.strip().lower())


def _check_header(header: Sequence[str], place: str, file: sheet.SourceFile) -> None:
    hint = f"the first line names the columns: {','.join((*_REQUIRED, *_GAMES))}"
    for name in _REQUIRED:
        if name not in header:
            more = "to import a list of players, use `tourney player import`"
            raise file.error(place, f"column `{name}` is missing", f"{hint}; {more}")
    for at, name in enumerate(header):
        if name not in _COLUMNS:
            raise file.error(place, f"unknown column `{name}`", hint)
        if name in header[:at]:
            raise file.error(place, f"column `{name}` appears twice", hint)


def _match(line: _Line, file: sheet.SourceFile, *, are_scores: bool) -> sheet.MatchLine:
    number, cells = line
    place = f"line {number}"
    if not cells.get("player1"):
        raise file.error(place, "player1 is empty")
    names = tuple(cells[column] for column in ("player1", "player2") if cells.get(column))
    wins, losses, draws = (
        _whole_number(line, column, file, least=None if are_scores else 0) for column in _GAMES
    )
    scores = [_whole_number(line, column, file, least=None) for column in _SCORES]
    if len(names) == 2:
        file.check_both((wins, losses), "number (wins1, wins2)", place)
        file.check_both(scores, "score (score1, score2)", place)
    games = None
    if wins is not None or losses is not None or draws:
        games = (wins or 0, losses or 0, draws or 0)
    if are_scores and (wins is not None or losses is not None):
        scores = [wins or 0, losses or 0]
    return sheet.MatchLine(
        place=place,
        names=names,
        games=games,
        scores=() if scores[0] is None else tuple(scores[: len(names)]),
        bare=are_scores,
        kind=cells.get("kind", "").lower().replace("_", "-"),
        table=_whole_number(line, "table", file, least=0),
    )


def _whole_number(line: _Line, column: str, file: sheet.SourceFile, *, least: int | None) -> int | None:
    """Return the number in a column; None if the cell is empty.

    Raises TourneyError if the cell is not a number of at least `least`. In the column `round`, an empty cell
    is an error, too.
    """
    number, cells = line
    text = cells.get(column, "")
    if not text and column != "round":
        return None
    try:
        return parse_whole_number(text, least=least)
    except TourneyError:
        message = f"{column}: expected a whole number, found `{text[:40]}`"
        raise file.error(f"line {number}", message) from None


# -- Writing


def write(results: Results) -> writing.WrittenFile:
    """Write an event as a table with settings before it.

    Raises TourneyError for tables of three or more.
    """
    writing.refuse_large_tables(results, "a table of results")
    rounds = list(writing.match_lines(results))
    has_scores = results.by_score or any(
        score is not None for lines in rounds for line in lines for score in line.scores
    )
    settings = [
        row for key, value in writing.event_keys(results).items() for row in _setting_rows(key, value)
    ]
    header = [*_REQUIRED, *_GAMES, "kind", "table", *(_SCORES if has_scores else ())]
    matches = [
        [
            number,
            *[*line.names, ""][:2],
            *(line.games if line.games is not None else ("", "", "")),
            line.kind,
            line.table,
            *([*line.scores, None, None][:2] if has_scores else ()),
        ]
        for number, lines in enumerate(rounds, 1)
        for line in lines
    ]
    first, *rows = [
        ["" if cell is None else str(cell) for cell in row] for row in (*settings, header, *matches)
    ]
    return writing.WrittenFile(
        format_csv(first, rows), tuple(writing.lost_facts(results, writing.OWN_FORMS_KEEP))
    )


def _setting_rows(key: str, value: Any) -> Iterator[list[Any]]:
    """Yield the rows of the CSV file that contain a setting, such as `drops,Mira,3`.

    A dictionary gives rows for each of its names; any other value gives one row.
    """
    if isinstance(value, dict):
        for name, item in value.items():
            yield from ([row[0], name, *row[1:]] for row in _setting_rows(key, item))
    elif isinstance(value, list):
        yield [key, *value]
    else:
        yield [key, {True: "yes", False: "no"}[value] if isinstance(value, bool) else value]
