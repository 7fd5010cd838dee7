"""Pairings copied from Wizards EventLink or its Companion, with one value on a line.

Each match is listed as the table number (except in a playoff), a player, the player's record after the match
(wins–losses–draws), the games, the opponent and the opponent's record. The games are two or three digits:
`21` means that the player won two games and the opponent one, and a third digit counts drawn games. For a
bye, the word `Bye` replaces the opponent and the opponent's record. A new round starts when a player appears
again. The text does not contain the event's name or day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tourney.standings.reading import draft
from tourney.standings.reading.forms import SourceFile
from tourney.standings.reading.results import Results, StandingClaim

_RECORD = re.compile(r"(\d{1,2})\s*[–—-]\s*(\d{1,2})\s*[–—-]\s*(\d{1,2})")
_GAMES = re.compile(r"\d{2,3}")
_TABLE = re.compile(r"[0-9]{1,5}")
_BYE = "bye"
_WIN, _DRAW = 6, 2
"""Half points by Magic's rules, which EventLink uses."""


@dataclass(frozen=True, slots=True)
class _Match:
    """A match.

    line:    the number of its first line
    table:   None in a playoff
    players: two names, or one for a bye
    records: the wins, losses and draws of each player after the match
    """

    line: int
    table: int | None
    players: tuple[str, ...]
    games: tuple[int, int, int]
    records: Sequence[tuple[int, ...]]

    @property
    def place(self) -> str:
        return f"line {self.line}"


def read(file: SourceFile) -> Results:
    """Read copied pairings. Raises TourneyError naming the file and the line."""
    rounds: list[list[_Match]] = []
    players: set[str] = set()
    for match in _matches(file):
        if not rounds or players & set(match.players):
            rounds.append([])
            players = set()
        if len(rounds) > 2 and match.table == 1 and all(sum(record) == 1 for record in match.records):
            raise file.error(
                match.place,
                "a second event begins here: its records have one match",
                "import each event by itself",
            )
        players.update(match.players)
        rounds[-1].append(match)
    if not rounds:
        raise file.error("line 1", "there are no pairings")
    swiss_count = max(
        (
            number
            for number, matches in enumerate(rounds, 1)
            if any(match.table is not None for match in matches)
        ),
        default=len(rounds),
    )
    swiss, bracket = rounds[:swiss_count], rounds[swiss_count:]
    results_draft = draft.ResultsDraft(file.source, None, draft.EventKeys(round_robin=False))
    results_draft.add_rounds(map(_line, matches) for matches in swiss)
    claims = {
        results_draft.ids[player]: StandingClaim(points=_WIN * record[0] + _DRAW * record[2])
        for matches in swiss
        for match in matches
        for player, record in zip(match.players, match.records, strict=True)
    }
    return draft.with_unseeded_bracket(
        replace(results_draft.results(), claims=claims),
        [list(map(_line, matches)) for matches in bracket],
        results_draft.ids,
    )


def _matches(file: SourceFile) -> Iterator[_Match]:
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
        won, lost, drawn = map(int, block[2].ljust(3, "0"))
        yield _Match(
            first_line,
            table,
            (block[0],) if is_bye else (block[0], block[3]),
            (won, lost, drawn),
            [tuple(map(int, record.groups())) for record in records if record],
        )
        at += size


def _line(match: _Match) -> draft.MatchLine:
    if len(match.players) == 1:
        return draft.MatchLine(place=match.place, names=match.players, kind="bye")
    return draft.MatchLine(
        place=match.place,
        names=match.players,
        games=match.games if any(match.games) else None,
        kind="" if any(match.games) else draft.UNREPORTED,
        table=match.table,
    )
