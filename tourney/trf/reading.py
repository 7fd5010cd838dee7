"""Text → TrfFile."""

from __future__ import annotations

from collections.abc import Iterator

from tourney.errors import TourneyError
from tourney.trf.file import (
    Draft,
    Header,
    Line,
    TrfFile,
    TrfPlayer,
    accelerate,
    gathered,
    lines_of,
    read_record,
)


def read(text: str, *, source: str) -> TrfFile:
    """Read a Tournament Report File of any dialect; `source` is how refusals name it (a file's name).

    Lines may end in LF, CR or CR LF. Records of unknown types are kept in `others`. Raises TourneyError with
    source, line and column for a field that cannot be read, a pairing number used twice, an opponent or another
    player named who is not in the file, and lines that contradict each other.
    """
    lines = lines_of(text, source)
    draft = Draft()
    for line in lines:
        read_record(draft, line)
    if not draft.players:
        raise TourneyError(
            f"{source}: no player line (001) was found",
            "a Tournament Report File has one line `001 …` for each player",
        )
    by_number = {line.number: line for line in lines}
    _check_numbers(draft.players, by_number)
    _check_opponents(draft.players, by_number)
    _check_mentions(draft)
    _spread(draft)
    return _file(draft, source)


def _check_numbers(players: list[TrfPlayer], lines: dict[int, Line]) -> None:
    seen: dict[int, int] = {}
    for player in players:
        if player.number in seen:
            earlier = seen[player.number]
            lines[player.line].refuse(
                5, f"pairing number {player.number} is used twice, first in line {earlier}"
            )
        seen[player.number] = player.line


def _check_opponents(players: list[TrfPlayer], lines: dict[int, Line]) -> None:
    known = {player.number for player in players}
    for player in players:
        for round_number, cell in enumerate(player.rounds, 1):
            column = 82 + 10 * round_number
            if cell.opponent and cell.opponent not in known:
                message = f"round {round_number}: opponent {cell.opponent} has no player line"
                lines[player.line].refuse(column, message)
            if cell.opponent == player.number:
                lines[player.line].refuse(column, f"round {round_number}: the player is their own opponent")


def _check_mentions(draft: Draft) -> None:
    known = {player.number for player in draft.players}
    for number, line in draft.mentions:
        if number not in known:
            line.refuse(5, f"record {line.code} names player {number}, who has no player line")


def _spread(draft: Draft) -> None:
    """Give the points of each 250 line to the players and rounds it covers."""
    numbers = sorted(player.number for player in draft.players)
    for points, first, last, low, high, line in draft.ranges:
        for number in numbers:
            if low <= number <= high:
                for round_number in range(first, last + 1):
                    accelerate(draft, number, round_number, points, line)


def _file(draft: Draft, source: str) -> TrfFile:
    return TrfFile(
        header=Header(**draft.header, deputies=tuple(draft.deputies), dates=_dates(draft.dates)),
        players=tuple(draft.players),
        rounds_total=draft.rounds_total[0] if draft.rounds_total else None,
        initial_side=draft.initial_side[0] if draft.initial_side else "",
        by_rank=draft.by_rank,
        scoring=_scoring({code: points for code, (points, _) in draft.scoring.items()}),
        absent=tuple(sorted(set(draft.absent))),
        byes=gathered(draft.byes),
        accelerations=_accelerations(draft),
        forbidden=tuple(draft.forbidden),
        abnormal=tuple(draft.abnormal),
        others=tuple(draft.others),
        source=source,
        remarks=(*_played_byes(draft), *_rounds_beyond(draft)),
    )


def _played_byes(draft: Draft) -> Iterator[str]:
    """Tell of byes (240) in rounds that the player's own line has an opponent in."""
    players = {player.number: player for player in draft.players}
    for bye in draft.byes:
        for number in bye.players:
            cell = players[number].cell(bye.round)
            if cell.opponent:
                yield (
                    f"line {bye.line}: player {number} has a bye `{bye.kind}` in round {bye.round}, and "
                    f"player {cell.opponent} as the opponent in line {players[number].line}"
                )


def _rounds_beyond(draft: Draft) -> Iterator[str]:
    """Tell of byes (240), points (299) and virtual points (250, XXA) for rounds that the file does not have."""
    columns = max(len(player.rounds) for player in draft.players)
    announced = draft.rounds_total[0] if draft.rounds_total else 0
    there = max(columns, announced)
    known = f"the file has {there} {'round' if there == 1 else 'rounds'}"
    said = [(given.line, "299", given.round) for given in draft.abnormal]
    if announced:  # without a number of rounds another one may always follow
        said += [(bye.line, "240", bye.round) for bye in draft.byes]
        said += [(line.number, "250", last) for _, _, last, _, _, line in draft.ranges]
        said += [
            (line.number, line.code, number)
            for (_, number), (_, line) in draft.accelerations.items()
            if line.code == "XXA"
        ]
    for line, code, number in sorted(set(said)):
        if number > there:
            yield f"line {line}: record {code} speaks of round {number}, and {known}"


def _dates(dates: tuple[str, ...]) -> tuple[str, ...]:
    while dates and not dates[-1]:
        dates = dates[:-1]
    return dates


def _scoring(scoring: dict[str, int]) -> dict[str, int]:
    """Join what JaVaFo says for each side apart, where both sides get the same."""
    for code in "WDL":
        white, black = scoring.get("W" + code), scoring.get("B" + code)
        if white is not None and white == black and code not in scoring:
            scoring[code] = white
            del scoring["W" + code], scoring["B" + code]
    return dict(sorted(scoring.items()))


def _accelerations(draft: Draft) -> dict[int, tuple[int, ...]]:
    last: dict[int, int] = {}
    for (player, round_number), (points, _) in draft.accelerations.items():
        if points:
            last[player] = max(last.get(player, 0), round_number)
    given = draft.accelerations
    return {
        player: tuple(given[player, n][0] if (player, n) in given else 0 for n in range(1, rounds + 1))
        for player, rounds in sorted(last.items())
    }
