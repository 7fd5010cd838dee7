"""Results as comma-separated lines: `round,player1,player2,wins1,wins2,draws`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any

from tourney import decode
from tourney.errors import TourneyError
from tourney.record import parse_whole_number
from tourney.spreadsheet import format_csv, parse_csv, unescape_formula
from tourney.standings.reading.forms import (
    OWN,
    Told,
    Written,
    lost,
    refuse_large_tables,
    written_beside,
    written_lines,
)
from tourney.standings.reading.results import Beside, MatchLine, Results, ResultsDraft

_REQUIRED = ("round", "player1", "player2")
_NUMBERS = ("wins1", "wins2", "draws")
_COLUMNS = (*_REQUIRED, *_NUMBERS, "kind", "score1", "score2", "table")

_ALSO = {
    **{f"player{seat}wins": f"wins{seat}" for seat in (1, 2)},
    **{f"player{seat}score": f"score{seat}" for seat in (1, 2)},
    "rnd": "round",
    "drawn": "draws",
    "drawngames": "draws",
}
"""What else a column is called, without blanks."""

_PLAYER_1 = re.compile(r"\bplayer[ _-]?1\b", re.IGNORECASE)

_LONGEST_PREFACE = 1000
"""Lines in which the header is looked for."""

Line = tuple[int, dict[str, str]]
"""The number of a line in the file, and its cells by column."""


def read(told: Told) -> Results:
    """Read results from CSV (comma, semicolon or tab; a header line naming the columns, settings before it).

    Raises TourneyError naming file and line.
    """
    source = told.source
    records = list(
        islice(parse_csv(told.text, delimiter=_delimiter(told.text), source=source), decode.MAX_RESULTS + 1)
    )
    if len(records) > decode.MAX_RESULTS:
        raise TourneyError(
            f"{source}: line {records[-1][0]}: a file has at most {decode.MAX_RESULTS:,} results",
            "leave out what is not needed",
        )
    settings = _Settings(source)
    while records and settings.takes(*records[0]):
        del records[0]
    draft = settings.draft()
    rounds: dict[int, list[Line]] = {}
    lines = list(_lines(records, source))
    if not lines:
        raise TourneyError(f"{source}: the file has no results")
    scores = told.scores and not lines[0][1].keys() & {"score1", "score2"}
    for number, line in lines:
        rounds.setdefault(_whole(source, number, line, "round", least=1), []).append((number, line))
    for expected in range(1, max(rounds) + 1):
        if expected not in rounds:
            raise TourneyError(
                f"{source}: there is no line of round {expected}, but one of round {max(rounds)}"
            )
        draft.open_round()
        for number, line in rounds[expected]:
            draft.add(_match(source, number, line, scores=scores))
    return draft.results()


def _delimiter(text: str) -> str:
    """Return what separates the cells of the header, the first line that names `player1`."""
    lines = text.splitlines()[:_LONGEST_PREFACE]
    head = next((line for line in lines if _PLAYER_1.search(line)), lines[0])
    return max(",;\t", key=head.count)


class _Settings:
    """The lines before the header, `key,value`: what JSON says in the keys beside `rounds`."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.values: dict[str, Any] = {}
        self.lines: dict[str, str] = {}

    def takes(self, number: int, cells: list[str]) -> bool:
        """Take a line if it is a setting (or a comment); the header and everything after it is not."""
        first, *values = (unescape_formula(cell.strip()) for cell in cells)
        if "player1" in map(column_of, values):  # a header may begin with the column `draws`
            return False
        remark = first.startswith("#")
        key, colon, value = first.lstrip("# ").partition(":")
        key = key.strip().lower().replace("-", "_").replace(" ", "_")
        values = [each for each in ([value.strip()] if colon else []) + values if each]
        if key not in _SETTINGS or not values:
            return remark
        place = f"line {number}"
        self.lines.setdefault(key, place)
        try:
            _SETTINGS[key](self.values, key, values)
        except (ValueError, TourneyError):
            hint = f"`{_EXAMPLES.get(key, key)}`"
            raise TourneyError(
                f"{self.source}: {place}: {key}: `{','.join(values)[:60]}` cannot be read", hint
            ) from None
        return True

    def draft(self) -> ResultsDraft:
        players = self.values.pop("players", None) or self.values.get("registration_order")
        beside = decode.build(self.values, Beside, source=self.source)
        return ResultsDraft(self.source, players, beside, self.lines)


def _one(settings: dict[str, Any], key: str, values: list[str]) -> None:
    (value,) = values
    if key in settings and settings[key] != value:
        raise ValueError(key)
    settings[key] = value


def _flag(settings: dict[str, Any], key: str, values: list[str]) -> None:
    (value,) = values
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if value.lower() not in words or settings.get(key, words[value.lower()]) != words[value.lower()]:
        raise ValueError(value)
    settings[key] = words[value.lower()]


def _number_of(settings: dict[str, Any], key: str, values: list[str]) -> None:
    (value,) = values
    if settings.setdefault(key, parse_whole_number(value)) != parse_whole_number(value):
        raise ValueError(value)


def _several(settings: dict[str, Any], key: str, values: list[str]) -> None:
    settings.setdefault(key, []).extend(values)


def _by_name(settings: dict[str, Any], key: str, values: list[str]) -> None:
    name, value = values
    if settings.setdefault(key, {}).setdefault(name, parse_whole_number(value)) != parse_whole_number(value):
        raise ValueError(value)


def _rounds_by_name(settings: dict[str, Any], key: str, values: list[str]) -> None:
    name, first, *more = values
    settings.setdefault(key, {}).setdefault(name, []).extend(map(parse_whole_number, [first, *more]))


def _names_by_name(settings: dict[str, Any], key: str, values: list[str]) -> None:
    name, first, *more = values
    settings.setdefault(key, {}).setdefault(name, []).extend([first, *more])


def _points_by_name(settings: dict[str, Any], key: str, values: list[str]) -> None:
    name, number, points = values
    given = settings.setdefault(key, {}).setdefault(name, {})
    if given.setdefault(number, points) != points:
        raise ValueError(points)


_SETTINGS: Mapping[str, Callable[[dict[str, Any], str, list[str]], None]] = {
    "name": _one,
    "date": _one,
    "own_gw_floor": _flag,
    "draws": _flag,
    "round_robin": _flag,
    "best_of": _number_of,
    "planned_rounds": _number_of,
    "players": _several,
    "registration_order": _several,
    "round_weights": _several,
    "drops": _by_name,
    "disqualified": _by_name,
    "ratings": _by_name,
    "extra_points": _points_by_name,
    "absent": _rounds_by_name,
    "divisions": _names_by_name,
}
_EXAMPLES = {
    "name": "name,Friday Cup",
    "date": "date,2026-04-01",
    "own_gw_floor": "own_gw_floor,false",
    "draws": "draws,no",
    "round_robin": "round_robin,yes",
    "best_of": "best_of,3",
    "planned_rounds": "planned_rounds,7",
    "drops": "drops,Mira,3",
    "disqualified": "disqualified,Mira,3",
    "ratings": "ratings,Mira,1800",
    "extra_points": "extra_points,Mira,2,-1",
    "absent": "absent,Mira,1,2",
    "divisions": "divisions,juniors,Mira,Tomo",
}


def _lines(records: Sequence[tuple[int, list[str]]], source: str) -> Iterator[Line]:
    if not records:
        return
    (first, names), *rows = records
    header = [column_of(name) for name in names]
    while header and not header[-1]:
        del header[-1]
    _check_header(header, source, first)
    for number, row in rows:
        cells = [unescape_formula(cell.strip()) for cell in row]
        if not any(cells):
            continue
        if any(cells[len(header) :]):
            message = f"{len(row)} columns where the header has {len(header)}"
            raise TourneyError(f"{source}: line {number}: {message}")
        broken = next((name for name, cell in zip(header, cells, strict=False) if "\n" in cell), None)
        if broken:
            raise TourneyError(f"{source}: line {number}: {broken}: the cell contains a line break")
        yield number, dict(zip_longest(header, cells[: len(header)], fillvalue=""))


def column_of(heading: str) -> str:
    """Return the column that a heading means, or the heading, small: capitals, blanks and strokes do not matter.

    >>> [column_of(each) for each in ("Player 1", "player_2", "Wins-1", "Player 1 wins", "Score 2", "Oddity")]
    ['player1', 'player2', 'wins1', 'wins1', 'score2', 'oddity']
    """
    plain = " ".join(heading.strip().lower().replace("_", " ").replace("-", " ").split())
    joined = plain.replace(" ", "")
    return _ALSO.get(joined, joined if joined in _COLUMNS else heading.strip().lower())


def _check_header(header: Sequence[str], source: str, line: int) -> None:
    hint = f"the first line names the columns: {','.join((*_REQUIRED, *_NUMBERS))}"
    for name in _REQUIRED:
        if name not in header:
            raise TourneyError(
                f"{source}: line {line}: column `{name}` is missing",
                f"{hint}; a list of players is for `tourney player import`",
            )
    for i, name in enumerate(header):
        if name not in _COLUMNS:
            raise TourneyError(f"{source}: line {line}: unknown column `{name}`", hint)
        if name in header[:i]:
            raise TourneyError(f"{source}: line {line}: column `{name}` appears twice", hint)


def _match(source: str, number: int, line: dict[str, str], *, scores: bool) -> MatchLine:
    if not line.get("player1"):
        raise TourneyError(f"{source}: line {number}: player1 is empty")
    won, lost, drawn = (_number(source, number, line, name, signed=scores) for name in _NUMBERS)
    if line.get("player2") and (won is None) != (lost is None):
        raise TourneyError(f"{source}: line {number}: one side's number is missing (wins1, wins2)")
    wins = None if won is None and lost is None else (won or 0, lost or 0, drawn or 0)
    if wins is None and drawn:
        wins = (0, 0, drawn)
    own, other = (_number(source, number, line, name, signed=True) for name in ("score1", "score2"))
    if line.get("player2") and (own is None) != (other is None):
        raise TourneyError(f"{source}: line {number}: one side's number is missing (score1, score2)")
    if scores and wins is not None:
        own, other = wins[:2]
    return MatchLine(
        place=f"line {number}",
        first=line["player1"],
        second=line.get("player2") or None,
        wins=wins,
        scores=None if own is None else (own, other),
        bare=scores,
        kind=line.get("kind", "").lower().replace("_", "-"),
        table=_number(source, number, line, "table", signed=False),
    )


def _number(source: str, number: int, line: dict[str, str], name: str, *, signed: bool = False) -> int | None:
    if not line.get(name):
        return None
    return _whole(source, number, line, name, least=None if signed else 0)


def _whole(source: str, number: int, line: dict[str, str], name: str, *, least: int | None) -> int:
    text = line.get(name, "")
    try:
        return parse_whole_number(text, least=least)
    except TourneyError:
        message = f"{name}: expected a whole number, found `{text[:40]}`"
        raise TourneyError(f"{source}: line {number}: {message}") from None


# -- Back to a file


def write(results: Results) -> Written:
    """Write an event as comma-separated lines, its settings before them. Raises TourneyError for tables of more than two."""
    refuse_large_tables(results, "a table of results")
    lines: list[list[object]] = []
    for key, value in written_beside(results).items():
        if key == "extra_points":
            lines += [
                [key, name, at, points] for name, given in value.items() for at, points in given.items()
            ]
        elif isinstance(value, dict):
            lines += [
                [key, name, *(told if isinstance(told, list) else [told])] for name, told in value.items()
            ]
        elif isinstance(value, list):
            lines.append([key, *value])
        else:
            lines.append([key, {True: "yes", False: "no"}[value] if isinstance(value, bool) else value])
    scored = results.by_score or any(
        score is not None for each in written_lines(results) for line in each for score in line.scores
    )
    header = [*_REQUIRED, *_NUMBERS, "kind", "table", *(("score1", "score2") if scored else ())]
    for number, each in enumerate(written_lines(results), 1):
        for line in each:
            first, second = [*line.names, ""][:2]
            games = line.games if line.games is not None else ("", "", "")
            table = "" if line.table is None else line.table
            scores = [*line.scores, None, None][:2] if scored else []
            row = [number, first, second, *games, line.kind, table]
            lines.append([*row, *("" if score is None else score for score in scores)])
    beside = len(lines) - sum(map(len, written_lines(results)))
    lines.insert(beside, list(header))
    return Written(format_csv([str(cell) for cell in lines[0]], lines[1:]), tuple(lost(results, OWN)))
