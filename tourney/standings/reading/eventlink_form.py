"""Pairings copied from the page of a round in Wizards EventLink or its Companion: a value a line, round after round.

A match is its table (missing in a play-off), a player, their record after it (wins–losses–draws), the games as digits (`21`:
won by each; a third one: drawn), the other player, their record; of a bye the last two are the word `Bye`. Nothing tells the
rounds apart but that a player is there again; nothing tells the event's name or day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tourney.standings.reading.forms import Told
from tourney.standings.reading.results import (
    Beside,
    Duel,
    MatchLine,
    Results,
    ResultsDraft,
    StandingClaim,
    bracket_of,
)

_RECORD = re.compile(r"(\d{1,2})\s*[–—-]\s*(\d{1,2})\s*[–—-]\s*(\d{1,2})")
"""Wins, losses and draws of a player so far."""

_GAMES = re.compile(r"\d{2,3}")
_BYE = "bye"
_WIN, _DRAW = 6, 2
"""Half points by Magic's rules, by which EventLink counts."""


@dataclass(frozen=True, slots=True)
class _Match:
    """One match. line: where it begins; table: None in a play-off; players: one who had the bye; records: of each, after it."""

    line: int
    table: int | None
    players: tuple[str, ...]
    games: tuple[int, int, int]
    records: tuple[tuple[int, int, int], ...]

    @property
    def place(self) -> str:
        return f"line {self.line}"

    @property
    def reported(self) -> bool:
        return any(self.games)


def read(told: Told) -> Results:
    """Read copied pairings. Raises TourneyError naming the file and the line."""
    rounds: list[list[_Match]] = []
    seen: set[str] = set()
    for match in _matches(told):
        if not rounds or seen & set(match.players):
            rounds.append([])
            seen = set()
        if len(rounds) > 2 and match.table == 1 and all(sum(record) == 1 for record in match.records):
            raise told.fault(
                match.place, "a second event begins here: its records have one match", "import each by itself"
            )
        seen.update(match.players)
        rounds[-1].append(match)
    if not rounds:
        raise told.fault("line 1", "there are no pairings in it")
    numbered = [at for at, each in enumerate(rounds, 1) if any(match.table is not None for match in each)]
    swiss = rounds[: numbered[-1]] if numbered else rounds
    draft = ResultsDraft(told.source, None, Beside(round_robin=False))
    for each in swiss:
        draft.open_round()
        for match in each:
            draft.add(_line(match))
    results = draft.results()
    playoff = bracket_of(map(_duels, rounds[len(swiss) :]), draft.ids)
    later = len(rounds) - len(swiss)
    return replace(
        results,
        claims={
            draft.ids[player]: StandingClaim(points=_WIN * record[0] + _DRAW * record[2])
            for each in swiss
            for match in each
            for player, record in zip(match.players, match.records, strict=True)
        },
        playoff=playoff,
        left_out=(
            f"its play-off (round {len(swiss) + 1} on): it is not a bracket with a winner of each match",
        )
        if later and playoff is None
        else (),
    )


def _matches(told: Told) -> Iterator[_Match]:
    lines = [(number, text.strip()) for number, text in enumerate(told.text.splitlines(), 1) if text.strip()]
    at = 0
    while at < len(lines):
        begins = lines[at][0]
        table = int(lines[at][1]) if _is_number(lines[at][1]) else None
        at += table is not None
        block = [text for _, text in lines[at : at + 5]]
        alone = len(block) > 3 and block[3].casefold() == _BYE
        records = [_RECORD.fullmatch(text) for text in (block[1:2] if alone else [*block[1:2], *block[4:5]])]
        if len(block) < (4 if alone else 5) or not all(records) or not _GAMES.fullmatch(block[2]):
            raise told.fault(
                f"line {begins}",
                f"expected a table, a player, a record (1–0–0), games (21), a player and a record, found `{' | '.join(block)[:80]}`",
            )
        games = tuple(map(int, block[2].ljust(3, "0")))
        yield _Match(
            begins,
            table,
            (block[0],) if alone else (block[0], block[3]),
            (games[0], games[1], games[2]),
            tuple((int(each[1]), int(each[2]), int(each[3])) for each in records if each),
        )
        at += 4 if alone else 5


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _LONGEST_TABLE


_LONGEST_TABLE = 6
"""Digits of a table's number, and one more."""


def _line(match: _Match) -> MatchLine:
    if len(match.players) == 1:
        return MatchLine(place=match.place, first=match.players[0], second=None, kind="bye")
    return MatchLine(
        place=match.place,
        first=match.players[0],
        second=match.players[1],
        wins=match.games if match.reported else None,
        kind="" if match.reported else "unreported",
        table=match.table,
    )


def _duels(matches: list[_Match]) -> Iterator[Duel | None]:
    for match in matches:
        one, other, _ = match.games
        won = int(other > one) if match.reported else None
        if len(match.players) == 2:
            yield None if match.reported and one == other else Duel(match.players, won, (one, other))
