"""Results as comma-separated lines: `round,player1,player2,wins1,wins2,draws`."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from tourney.errors import TourneyError
from tourney.standings.reading.results import Draft, Match, Results

REQUIRED = ("round", "player1", "player2")
NUMBERS = ("wins1", "wins2", "draws")
COLUMNS = (*REQUIRED, *NUMBERS, "kind", "score1", "score2")

Line = tuple[int, dict[str, str]]


def read_csv(text: str, *, source: str, scores: bool = False) -> Results:
    """Read results from CSV (comma, semicolon or tab; a header line naming the columns).

    scores: whether `wins1` and `wins2` are the match's scores

    Raises TourneyError naming file and line.
    """
    draft = Draft(source)
    rounds: dict[int, list[Line]] = {}
    lines = list(_lines(text, source))
    if not lines:
        raise TourneyError(f"{source}: there is no result in it")
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
    return Results(
        record=draft.record(),
        names={player: name for name, player in draft.ids.items()},
    )


def _lines(text: str, source: str) -> Iterator[Line]:
    reader = csv.reader(text.splitlines(), delimiter=_delimiter(text), strict=True)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        _check_header(header, source)
        for row in reader:
            if any(cell.strip() for cell in row):
                if len(row) > len(header):
                    message = f"{len(row)} columns where the header has {len(header)}"
                    raise TourneyError(f"{source}: line {reader.line_num}: {message}")
                yield reader.line_num, dict(zip(header, (cell.strip() for cell in row), strict=False))
    except csv.Error as fault:
        raise TourneyError(f"{source}: line {reader.line_num}: not readable as CSV: {fault}") from None


def _delimiter(text: str) -> str:
    head = text.split("\n", 1)[0]
    return max(",;\t", key=head.count)


def _check_header(header: Sequence[str], source: str) -> None:
    hint = f"the first line names the columns: {','.join((*REQUIRED, *NUMBERS))}"
    for name in REQUIRED:
        if name not in header:
            raise TourneyError(f"{source}: line 1: there is no column `{name}`", hint)
    for i, name in enumerate(header):
        if name not in COLUMNS:
            raise TourneyError(f"{source}: line 1: there is no column called `{name}` here", hint)
        if name in header[:i]:
            raise TourneyError(f"{source}: line 1: the column `{name}` is there twice", hint)


def _match(source: str, number: int, line: dict[str, str], *, scores: bool) -> Match:
    if not line.get("player1"):
        raise TourneyError(f"{source}: line {number}: player1 is empty")
    won, lost, drawn = (_number(source, number, line, name, signed=scores) for name in NUMBERS)
    wins = None if won is None and lost is None else (won or 0, lost or 0, drawn or 0)
    if wins is None and drawn:
        wins = (0, 0, drawn)
    own, other = (_number(source, number, line, name, signed=True) for name in ("score1", "score2"))
    if scores and wins is not None and own is None:
        own, other = wins[:2]
    return Match(
        place=f"line {number}",
        first=line["player1"],
        second=line.get("player2") or None,
        wins=wins,
        scores=None if own is None else (own, other),
        kind=line.get("kind", "").lower().replace("_", "-"),
    )


def _number(source: str, number: int, line: dict[str, str], name: str, *, signed: bool = False) -> int | None:
    if not line.get(name):
        return None
    if signed and line[name].startswith("-"):
        return -_whole(source, number, {name: line[name][1:]}, name)
    return _whole(source, number, line, name)


def _whole(source: str, number: int, line: dict[str, str], name: str, *, least: int = 0) -> int:
    text = line.get(name, "")
    if not (text.isascii() and text.isdigit()) or len(text) > 6 or int(text) < least:
        raise TourneyError(f"{source}: line {number}: {name}: expected a whole number, found `{text}`")
    return int(text)
