"""Pairings copied from Wizards EventLink or its Companion, with one value on a line.

Each match is listed as the table number (except in a playoff), a player, the player's record after the match
(wins–losses–draws), the games, the opponent and the opponent's record. The games are two or three digits:
`21` means that the player won two games and the opponent one, and a third digit counts drawn games. For a
bye, the word `Bye` replaces the opponent and the opponent's record. A new round starts when a player appears
again. The text does not contain the event's name or day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tourney.standings.reading import sheet
from tourney.standings.reading.results import Results, results_of

_RECORD = re.compile(r"(\d{1,2})\s*[–—-]\s*(\d{1,2})\s*[–—-]\s*(\d{1,2})")
_GAMES = re.compile(r"\d{2,3}")
_TABLE = re.compile(r"[0-9]{1,5}")
_BYE = "bye"
_WIN, _DRAW = 6, 2
"""Half points for each outcome under Magic's rules, which EventLink uses."""

_Records = list[tuple[int, ...]]
"""Wins, losses and draws after a match, for each of its players in order."""


def read(file: sheet.SourceFile) -> Results:
    """Read copied pairings. Raises a TourneyError that names the file and the line."""
    rounds: list[list[tuple[sheet.MatchLine, _Records]]] = []
    players: set[sheet.Name] = set()
    swiss = 0
    for line, records in _matches(file):
        if not rounds or not players.isdisjoint(line.names):
            rounds.append([])
            players = set()
        if len(rounds) > 2 and line.table == 1 and all(sum(record) == 1 for record in records):
            raise file.error(
                line.place,
                "a second event begins here: its records have one match",
                "import each event by itself",
            )
        players.update(line.names)
        rounds[-1].append((line, records))
        if line.table is not None:
            swiss = len(rounds)
    if not rounds:
        raise file.error("line 1", "there are no pairings")
    swiss = swiss or len(rounds)
    lines = [[line for line, _ in matches] for matches in rounds]
    results_sheet = sheet.ResultsSheet(
        rounds=lines[:swiss],
        keys=sheet.EventKeys(round_robin=False),
        claims={
            name: sheet.StandingClaim(points=_WIN * wins + _DRAW * draws)
            for matches in rounds[:swiss]
            for line, records in matches
            for name, (wins, _, draws) in zip(line.names, records, strict=True)
        },
        bracket=sheet.BracketLines(rounds=lines[swiss:]),
    )
    return results_of(results_sheet, file)


def _matches(file: sheet.SourceFile) -> Iterator[tuple[sheet.MatchLine, _Records]]:
    lines = [(number, text.strip()) for number, text in enumerate(file.text.splitlines(), 1) if text.strip()]
    at = 0
    while at < len(lines):
        first_line, text = lines[at]
        table = int(text) if text.isascii() and _TABLE.fullmatch(text) else None
        at += table is not None
        block = [text for _, text in lines[at : at + 5]]
        is_bye = len(block) > 3 and block[3].casefold() == _BYE
        size = 4 if is_bye else 5
        records = [_RECORD.fullmatch(text) for text in (block[1:2] if is_bye else [*block[1:2], *block[4:5]])]
        if len(block) < size or not all(records) or not _GAMES.fullmatch(block[2]):
            raise file.error(
                f"line {first_line}",
                "expected a table, a player, a record (1–0–0), games (21), a player and a record,"
                f" found `{' | '.join(block)[:80]}`",
            )
        wins, losses, draws = map(int, block[2].ljust(3, "0"))
        has_result = not is_bye and any((wins, losses, draws))
        line = sheet.MatchLine(
            place=f"line {first_line}",
            names=(block[0],) if is_bye else (block[0], block[3]),
            games=(wins, losses, draws) if has_result else None,
            kind="bye" if is_bye else "" if has_result else sheet.UNREPORTED,
            table=table,
        )
        yield line, [tuple(map(int, record.groups())) for record in records if record]
        at += size
