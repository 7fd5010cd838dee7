"""Matches in API responses of melee.gg (`Match/GetRoundMatches`).

A file contains one response, or a list of responses.

A match with one competitor is a bye, or an assigned loss if melee gives a reason for the loss. A round whose
name is not `Round N` belongs to the bracket; the response does not contain the seeds of the bracket. Reading
and writing use the same types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from tourney import decode
from tourney.record import Outcome, Table
from tourney.standings.reading import sheet, writing
from tourney.standings.reading.results import Results, results_of


class _Player(Struct, frozen=True, rename="pascal"):
    display_name: str | None = None
    username: str | None = None
    id: int | None = msgspec.field(default=None, name="ID")

    @property
    def key(self) -> str:
        return str(self.id) if self.id is not None else (self.username or self.display_name or "").strip()


class _Team(Struct, frozen=True, rename="pascal"):
    players: list[_Player]


class _Competitor(Struct, frozen=True, rename="pascal"):
    team: _Team
    game_wins: int | None = None
    game_byes: int | None = None
    game_wins_and_game_byes: int | None = None


class _Match(Struct, frozen=True, rename="pascal"):
    round_number: int
    competitors: list[_Competitor]
    has_result: bool = False
    game_draws: int | None = None
    table_number: int | None = None
    bye_reason_description: str | None = None
    loss_reason_description: str | None = None
    round_description: str | None = None


class _Answer(Struct, frozen=True):
    data: list[_Match]


def read(file: sheet.SourceFile) -> Results:
    """Read the matches. Raises a TourneyError that names the file and the key path."""
    names: dict[sheet.Name, sheet.Name] = {}
    swiss: dict[int, list[sheet.MatchLine]] = {}
    bracket: dict[int, list[sheet.MatchLine]] = {}
    for match, place in _matches(file):
        players = [_player(competitor, place, file) for competitor in match.competitors]
        rounds = bracket
        if re.fullmatch(r"round \d+", match.round_description or "Round 1", re.IGNORECASE):
            rounds = swiss
            if len(players) not in (1, 2):
                message = f"{len(players)} competitors: a match has two, or one with a bye"
                raise file.error(f"{place}.Competitors", message)
            names |= {player.key: player.display_name or player.username or player.key for player in players}
        line = _line(match, tuple(player.key for player in players), place, file)
        rounds.setdefault(match.round_number, []).append(line)
    results_sheet = sheet.ResultsSheet(
        players=names,
        rounds=file.in_order(swiss),
        keys=sheet.EventKeys(round_robin=False),
        bracket=sheet.BracketLines(rounds=[bracket[number] for number in sorted(bracket)]),
    )
    return results_of(results_sheet, file)


def _matches(file: sheet.SourceFile) -> Iterator[tuple[_Match, str]]:
    """Yield each match, and where it is in the JSON file, such as `data[3]`."""
    answers = file.value if isinstance(file.value, list) else [file.value]
    for number, answer in enumerate(answers):
        for at, match in enumerate(decode.build(answer, _Answer, source=file.source).data):
            yield match, f"data[{at}]" if len(answers) == 1 else f"[{number}].data[{at}]"


def _player(competitor: _Competitor, place: str, file: sheet.SourceFile) -> _Player:
    players = competitor.team.players
    if len(players) != 1:
        raise file.error(f"{place}.Competitors", "a team of several players; events here have no teams")
    if not players[0].key:
        raise file.error(f"{place}.Competitors", "a player has neither a number nor a name")
    return players[0]


def _line(match: _Match, names: tuple[str, ...], place: str, file: sheet.SourceFile) -> sheet.MatchLine:
    wins, draws = [competitor.game_wins or 0 for competitor in match.competitors], match.game_draws or 0
    if min(*wins, draws, 0) < 0:
        raise file.error(place, "a number of games below 0")
    if len(names) == 1:
        kind = "assigned-loss" if match.loss_reason_description else "bye"
        return sheet.MatchLine(place=place, names=names, kind=kind)
    return sheet.MatchLine(
        place=place,
        names=names,
        games=(wins[0], wins[1], draws) if match.has_result and len(names) == 2 else None,
        kind="" if match.has_result else sheet.UNREPORTED,
        table=match.table_number,
    )


# -- Writing


_KEPT = frozenset(["games", "tables", "open", "drops"])


def write(results: Results) -> writing.WrittenFile:
    """Write an event's matches as a response of melee.gg.

    Raises TourneyError for tables of three or more.
    """
    writing.refuse_large_tables(results, "melee")
    rounds = enumerate(writing.rounds_of(results.record), 1)
    data = [_melee_match(table, number, results) for number, tables in rounds for table in tables]
    lost_facts = [*writing.lost_facts(results, _KEPT)]
    finished_tables = [table for tables in results.record.rounds for table in tables if table.result]
    if any(
        len(table.seats) == 2 and _games(table)[:2] != tuple(seat.games for seat in table.result.seats)
        for table in finished_tables
        if table.result
    ):
        lost_facts.append("games that do not show the winner: melee writes 2–0 for such a win")
    return writing.WrittenFile(
        writing.json_text({"recordsTotal": len(data), "data": data}), tuple(lost_facts)
    )


def _melee_match(table: Table, number: int, results: Results) -> _Match:
    is_alone = len(table.seats) == 1
    is_loss = is_alone and writing.lone_outcome(table) is Outcome.FORFEIT_LOSS
    is_bye = is_alone and not is_loss
    *wins, draws = (0, 0) if is_alone else _games(table)
    byes = 2 if is_bye else 0
    competitors = []
    for player, player_wins in zip(table.seats, wins, strict=True):
        team = _Team([_Player(id=player, display_name=str(results.names[player]))])
        competitors.append(_Competitor(team, player_wins, byes, player_wins + byes))
    return _Match(
        round_number=number,
        round_description=f"Round {number}",
        table_number=None if is_alone else table.number,
        has_result=is_alone or table.result is not None,
        game_draws=draws,
        bye_reason_description="Bye" if is_bye else None,
        loss_reason_description="Assigned" if is_loss else None,
        competitors=competitors,
    )


def _games(table: Table) -> tuple[int, int, int]:
    """Return three numbers of games: won by the first player, won by the second, and drawn.

    If the won games do not show who won the match, the winner gets 2 and the other player 0; both get 0 if
    the match has no winner. Without a result, all three numbers are 0.
    """
    if table.result is None:
        return 0, 0, 0
    first, second = (seat.games for seat in table.result.seats)
    winners = writing.winner_seats(table)
    if (first > second, first < second) != (0 in winners, 1 in winners):
        first, second = 2 * (0 in winners), 2 * (1 in winners)
    return first, second, table.result.drawn_games
