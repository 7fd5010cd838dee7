"""A Netrunner tournament in the schema of NRTM, from Cobra or Aesop's Tables.

The rounds of the bracket come after the Swiss rounds, and their pairings are marked `eliminationGame`. The
file does not say when a player dropped. A player who is not in the last rounds is taken to have dropped.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from tourney import decode
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Seat, Table, parse_number
from tourney.standings.reading import sheet, writing
from tourney.standings.reading.forms import is_from_aesop
from tourney.standings.reading.results import Results, results_of

_PROGRAM = "Cobra"
_WIN, _DRAW = 6, 3
"""The prestige of a won and of a drawn match, as Cobra counts it."""


class _Player(Struct, frozen=True, rename="camel", omit_defaults=True):
    id: int
    name: str | None = None
    rank: int | None = None
    seed: int | None = None
    corp_identity: str | None = None
    runner_identity: str | None = None
    match_points: float | str | None = None
    strength_of_schedule: float | str | None = None
    extended_strength_of_schedule: float | str | None = None


class _Side(Struct, frozen=True, rename="camel"):
    id: int | None = None
    combined_score: int | None = None
    role: str | None = None
    winner: bool | None = None
    corp_score: int | None = None
    runner_score: int | None = None

    @property
    def score(self) -> int | None:
        """The score of the match: the sum of the scores of both games; None if not stated.

        Aesop's Tables (since June 2024) writes only the score of each game, so the sum is calculated.
        """
        if self.combined_score is not None:
            return self.combined_score
        scores = [score for score in (self.corp_score, self.runner_score) if score is not None]
        return sum(scores) if scores else None


class _Pairing(Struct, frozen=True, rename="camel"):
    player1: _Side
    player2: _Side
    table: int | None = None
    table_number: int | msgspec.UnsetType | None = msgspec.UNSET
    intentional_draw: bool = False
    two_for_one: bool = False
    elimination_game: bool = False

    @property
    def sides(self) -> list[_Side]:
        """Both sides of the pairing, without a side that has no player."""
        return [side for side in (self.player1, self.player2) if side.id is not None]

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of the players, those of `player1` first."""
        return tuple(side.id for side in self.sides if side.id is not None)

    @property
    def bracket_kind(self) -> str:
        """The result of a bracket match as a kind of `MatchLine`: `p1` if the first player won.

        It comes from the winner that the file names, or else from the scores. If neither shows a winner, the
        kind is `unreported`.
        """
        winners = [side.winner for side in self.sides]
        scores = [side.score for side in self.sides]
        if set(winners) == {True, False}:
            return f"p{winners.index(True) + 1}"
        if winners != [None, None] or None in scores or scores[0] == scores[1]:
            return sheet.UNREPORTED
        return f"p{scores.index(max(score for score in scores if score is not None)) + 1}"


class _PairingBySide(Struct, frozen=True, rename="camel"):
    """A pairing as Aesop's Tables wrote it until June 2024.

    In a bye, the opponent is the text `(BYE)` instead of a number.
    """

    corp_player: int | str | None = None
    runner_player: int | str | None = None
    corp_score: int | str | None = None
    runner_score: int | str | None = None
    table_number: int | None = None
    elimination_game: bool = False
    winner_id: int | None = msgspec.field(default=None, name="winner_id")


class _File(Struct, frozen=True, rename="camel"):
    rounds: list[list[dict[str, Any]]]
    name: str | None = None
    date: str | None = None
    players: list[_Player] | None = None
    elimination_players: list[_Player] | None = None
    uploaded_from: str | None = None
    preliminary_rounds: Any = None
    cut_to_top: Any = None
    links: Any = None


def read(source: sheet.SourceFile) -> Results:
    """Read a tournament. Raises a TourneyError that names the file and the key path."""
    file = decode.build(source.value, _File, source=source.source)
    rounds = [
        [_pairing(match, f"rounds[{number}][{at}]", source) for at, match in enumerate(matches)]
        for number, matches in enumerate(file.rounds)
    ]
    swiss = _swiss_rounds(rounds, source)
    players, finalists = file.players or [], file.elimination_players or []
    pairings = [pairing for pairings in swiss for pairing in pairings]
    is_single_sided = any(side.role for pairing in pairings for side in pairing.sides)
    is_aesop = is_from_aesop(source.value) or (
        is_single_sided and file.uploaded_from not in (None, _PROGRAM)  # an unknown program
    )
    bracket = _bracket(finalists, rounds, len(swiss))
    results_sheet = sheet.ResultsSheet(
        players=_names(players, finalists, rounds, source),
        rounds=[
            [_line(pairing, f"rounds[{number}][{at}]", source) for at, pairing in enumerate(pairings)]
            for number, pairings in enumerate(swiss)
        ],
        keys=sheet.EventKeys(
            name=(file.name or "").strip(),
            date=_day(file.date),
            planned_rounds=len(swiss) if bracket.seeds else None,
            round_robin=False,
        ),
        claims={player.id: _claim(player, f"players[{at}]", source) for at, player in enumerate(players)},
        facts={player.id: facts for player in players if (facts := _facts(player))},
        bracket=bracket,
        scoring={Outcome.BYE: _WIN} if is_single_sided else {},
        profile="aesop" if is_aesop else "cobra",
        left_out=tuple(_left_out(pairings)),
        remarks=tuple(_unclear_bracket(bracket)),
    )
    return results_of(results_sheet, source)


def _swiss_rounds(rounds: list[list[_Pairing]], source: sheet.SourceFile) -> list[list[_Pairing]]:
    """Return the rounds before the bracket."""
    is_bracket = [any(pairing.elimination_game for pairing in pairings) for pairings in rounds]
    swiss = rounds[: is_bracket.index(True)] if any(is_bracket) else rounds
    if not all(is_bracket[len(swiss) :]):
        last = max(number for number, is_later in enumerate(is_bracket) if not is_later)
        raise source.error(f"rounds[{last}]", "a Swiss round after a round of the bracket")
    return swiss


def _names(
    players: list[_Player], finalists: list[_Player], rounds: list[list[_Pairing]], source: sheet.SourceFile
) -> dict[sheet.Name, sheet.Name]:
    """Return the names of the players by their ids.

    The players are taken from the file's list. Without a list, they are the finalists and all players in the
    pairings. A player without a name gets the id as a name.
    """
    ids = {player.id for player in players}
    if len(ids) < len(players):
        raise source.error("players", "two players have the same id")
    seated_players = {number for pairings in rounds for pairing in pairings for number in pairing.players}
    names = {player.id: (player.name or "").strip() for player in (*finalists, *players)}
    return {
        number: names.get(number) or number
        for number in sorted(ids or seated_players | {player.id for player in finalists})
    }


def _pairing(match: dict[str, Any], place: str, source: sheet.SourceFile) -> _Pairing:
    source_place = f"{source.source}: {place}"
    if "corpPlayer" not in match and "runnerPlayer" not in match:
        return decode.build(match, _Pairing, source=source_place)
    by_side = decode.build(match, _PairingBySide, source=source_place)
    sides = []
    for role, player, score in (
        ("corp", by_side.corp_player, by_side.corp_score),
        ("runner", by_side.runner_player, by_side.runner_score),
    ):
        number = player if isinstance(player, int) else None
        points = _number(None if score == "" else score, f"{place}.{role}Score", source)
        is_winner = by_side.winner_id is not None and by_side.winner_id == number
        sides.append(_Side(number, None if points is None else int(points[0]), role, is_winner))
    return _Pairing(sides[0], sides[1], by_side.table_number, elimination_game=by_side.elimination_game)


def _line(pairing: _Pairing, place: str, source: sheet.SourceFile) -> sheet.MatchLine:
    names = pairing.players
    if not names:
        raise source.error(place, "this pairing has no players")
    return sheet.MatchLine(
        place=place,
        names=names,
        scores=source.check_both([side.score for side in pairing.sides], "score", place),
        kind="" if len(names) == 2 else "bye",
        table=pairing.table if pairing.table is not None else pairing.table_number or None,
    )


def _claim(player: _Player, place: str, source: sheet.SourceFile) -> sheet.StandingClaim:
    points = _number(player.match_points, f"{place}.matchPoints", source)
    values = {
        "SOS": _number(player.strength_of_schedule, f"{place}.strengthOfSchedule", source),
        "ESOS": _number(player.extended_strength_of_schedule, f"{place}.extendedStrengthOfSchedule", source),
    }
    return sheet.StandingClaim.of(player.rank, points[0] if points else None, values)


def _number(value: float | str | None, place: str, source: sheet.SourceFile) -> tuple[Fraction, int] | None:
    """Return a number, and how many decimals the file gives for it.

    Cobra writes numbers as text with up to 36 decimals. Only the first 20 characters of a number are read.
    """
    if value is None:
        return None
    text = str(value)
    try:
        return parse_number(text[:20] if "." in text[:12] else text), len(text.partition(".")[2])
    except TourneyError:
        raise source.error(place, f"`{text[:40]}` is not a number") from None


def _facts(player: _Player) -> dict[str, str]:
    identities = {"corp": player.corp_identity, "runner": player.runner_identity}
    return {side: text.strip() for side, text in identities.items() if text and text.strip()}


def _day(text: str | None) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def _left_out(pairings: Sequence[_Pairing]) -> Iterator[str]:
    draws = sum(pairing.intentional_draw for pairing in pairings)
    if draws:
        yield f"that {draws} draws were intentional" if draws > 1 else "that a draw was intentional"
    if any(pairing.two_for_one for pairing in pairings):
        yield "that a match was a two-for-one"


def _bracket(finalists: list[_Player], rounds: list[list[_Pairing]], swiss: int) -> sheet.BracketLines:
    """Return the bracket, or an empty bracket if the seed of any of its players is missing."""
    entrants = sorted(finalists, key=lambda player: player.seed or player.rank or 0)
    if not entrants or any(player.seed is None for player in entrants):
        return sheet.BracketLines()
    lines = [
        [
            sheet.MatchLine(place=f"rounds[{number}][{at}]", names=pairing.players, kind=pairing.bracket_kind)
            for at, pairing in enumerate(pairings)
        ]
        for number, pairings in enumerate(rounds[swiss:], swiss)
    ]
    return sheet.BracketLines(
        rounds=lines,
        seeds=[player.id for player in entrants],
        place="eliminationPlayers",
        double=_is_double(lines),
        is_strict=True,
    )


def _is_double(rounds: list[list[sheet.MatchLine]]) -> bool:
    """Return whether any player who lost plays again in a later round."""
    losers: set[sheet.Name] = set()
    for lines in rounds:
        if any(name in losers for line in lines for name in line.names):
            return True
        losers |= {line.names[-1 if line.kind == "p1" else 0] for line in lines if line.kind in ("p1", "p2")}
    return False


_MIN_ROUNDS = 2
"""The number of bracket rounds needed to recognize a double elimination.

In a double elimination, players who lost in the first round play again in the second.
"""


def _unclear_bracket(bracket: sheet.BracketLines) -> Iterator[str]:
    """Yield a remark if the file does not show whether its bracket is a double elimination."""
    if len(bracket.rounds) < _MIN_ROUNDS and len(bracket.seeds) > _MIN_ROUNDS:
        yield (
            "the file does not say whether its bracket is a single or a double elimination;"
            " it is read as single"
        )


# -- Writing


_KEPT = frozenset(["players", "scores", "tables", "open", "name", "day", "playoff", "drops"])

_PRESTIGE = {
    Outcome.WIN: _WIN,
    Outcome.FORFEIT_WIN: _WIN,
    Outcome.DRAW: _DRAW,
    Outcome.BYE: _WIN,
    Outcome.AWARDED_BYE: _WIN,
    Outcome.HALF_BYE: _DRAW,
}


def write(results: Results) -> writing.WrittenFile:
    """Write an event as Cobra does. Raises TourneyError for tables of three or more."""
    writing.refuse_large_tables(results, _PROGRAM)
    names, playoff = results.names, results.playoff
    swiss = list(writing.rounds_of(results.record))
    # Prestige is calculated from the scores that are written, because an event under other rules has other
    # points.
    prestige: Counter[PlayerId] = Counter()
    for result in (table.result for tables in swiss for table in tables if table.result):
        prestige.update({seat.player: _score(seat) for seat in result.seats})
    bracket = playoff.rounds if playoff else ()
    rounds = [[*map(_match, tables)] for tables in swiss]
    rounds += [[*map(_bracket_match, tables)] for tables in bracket]
    seeds = playoff.seeds if playoff else ()
    file = _File(
        rounds=msgspec.to_builtins(rounds),
        name=results.title,
        date=results.day.isoformat() if results.day else None,
        players=[_player_row(player, results, prestige[player]) for player in writing.by_place(results)],
        elimination_players=[
            _Player(player, str(names[player]), seed, seed) for seed, player in enumerate(seeds, 1)
        ],
        uploaded_from=_PROGRAM,
        preliminary_rounds=len(swiss),
        cut_to_top=len(seeds),
        links=[{"rel": "schemaderivedfrom", "href": "http://steffens.org/nrtm/nrtm-schema.json"}],
    )
    lost_facts = [*writing.lost_facts(results, _KEPT, writable_kinds={"corp", "runner"})]
    table_results = (table.result for tables in results.record.rounds for table in tables if table.result)
    if any(seat.score is None for result in table_results for seat in result.seats):
        lost_facts.append(
            f"matches without scores: Cobra writes {_WIN}–0 for a win, {_DRAW}–{_DRAW} for a draw"
        )
    return writing.WrittenFile(writing.json_text(file), tuple(lost_facts))


def _player_row(player: PlayerId, results: Results, prestige: int) -> _Player:
    claim, facts = results.claims.get(player, sheet.StandingClaim()), results.facts.get(player, {})
    values = claim.values if results.profile.startswith("cobra") else {}
    schedule = {code: f"{float(value):.6f}" for code, (value, _) in values.items()}
    return _Player(
        id=player,
        name=str(results.names[player]),
        rank=claim.place,
        corp_identity=facts.get("corp"),
        runner_identity=facts.get("runner"),
        match_points=prestige,
        strength_of_schedule=schedule.get("SOS"),
        extended_strength_of_schedule=schedule.get("ESOS"),
    )


def _score(seat: Seat) -> int:
    return _PRESTIGE.get(seat.outcome, 0) if seat.score is None else seat.score


def _match(table: Table) -> _Pairing:
    scores = [_score(seat) for seat in table.result.seats] if table.result else [None] * len(table.seats)
    first, second = [*map(_Side, table.seats, scores), _Side(None, 0)][:2]
    return _Pairing(first, second, table.number or None)


def _bracket_match(table: Table) -> _Pairing:
    winner_flags = (
        [seat.outcome is Outcome.WIN for seat in table.result.seats] if table.result else [None, None]
    )
    first, second = (
        _Side(player, winner=is_winner) for player, is_winner in zip(table.seats, winner_flags, strict=True)
    )
    return _Pairing(first, second, table.number, elimination_game=True)
