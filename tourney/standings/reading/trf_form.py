"""Read results from a Tournament Report File (TRF, a format of FIDE), and write one."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from datetime import date

from msgspec.structs import replace

from tourney import trf
from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, format_points
from tourney.standings.reading.results import Results
from tourney.standings.reading.sheet import Name, SourceFile, StandingClaim
from tourney.standings.reading.writing import WrittenFile, lost_facts
from tourney.wording import counted, listed

_LAST_ROUND = 999
"""The number written as the last round of a forbidden pairing that applies to all rounds."""

_MAX_REMARKS = 5
"""The maximum number of remarks about players whose points contradict their results.

Further players are only counted.
"""

_DATE = re.compile(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})")
_ROUND_ROBIN = re.compile(r"round[ -]?robin|berger", re.IGNORECASE)


def read(source: SourceFile) -> Results:
    """Read results from TRF16 or TRF26. Players without a name get their number as a name.

    Raises a TourneyError that names the file, line and column, as `tourney.trf` does.
    """
    file = trf.read(source.text, source=source.source)
    record = trf.record_of(file)
    not_started = _not_started(file)
    header = file.header
    players = {PlayerId(player.number): player for player in file.players}
    names: dict[PlayerId, Name] = {number: player.name or player.number for number, player in players.items()}
    order, unknown_order = _order(header.standings_order or header.tie_breaks)
    is_round_robin = bool(_ROUND_ROBIN.search(header.kind) or _ROUND_ROBIN.search(file.system))
    point_remarks = trf.check_points(file)
    more = len(point_remarks) - _MAX_REMARKS
    return Results(
        record=replace(
            record,
            drops=dict.fromkeys(sorted(not_started), 0),
            absences=tuple(absent - not_started for absent in record.absences),
            ratings={number: player.rating for number, player in players.items() if player.rating},
            planned_rounds=file.rounds_total,
            round_robin=is_round_robin,
        ),
        names={number: names[number] for number in record.players},
        day=_day(header.start),
        scoring=trf.scoring_of(file),
        title=header.name,
        profile="fide-round-robin" if is_round_robin else "fide",
        order=order,
        sides=("White", "Black")
        if any(cell.side for player in file.players for cell in player.rounds)
        else (),
        claims={
            number: StandingClaim(place=player.rank or None, points=player.points)
            for number, player in players.items()
            if player.rank or player.points is not None
        },
        facts={
            number: {"federation": player.federation.strip()}
            for number, player in players.items()
            if player.federation.strip()
        },
        requests=_requests(file),
        forbidden_groups=tuple(
            tuple(map(PlayerId, ban.players)) for ban in file.forbidden_pairs if _is_permanent(ban)
        ),
        left_out=tuple(_left_out(file, unknown_order)),
        remarks=(
            *file.remarks,
            *_similar_names(file),
            *point_remarks[:_MAX_REMARKS],
            *([f"and the points of {more} more players"] if more > 0 else []),
            *_extra_points_remarks(file, record),
        ),
    )


def _not_started(file: trf.TrfFile) -> frozenset[PlayerId]:
    """Return the players who never started.

    A player never started if they have no match, no bye and no rank, but other players have a rank.
    """
    rounds = range(1, file.rounds_paired + 1)
    if not rounds or not any(player.rank for player in file.players):
        return frozenset()
    return frozenset(
        PlayerId(player.number)
        for player in file.players
        if not player.rank and all(player.cell(number).is_absent for number in rounds)
    )


def _order(codes: str) -> tuple[tuple[str, ...], str]:
    """Read the codes of the tie-breaks that a file ranks by.

    Returns the codes, with `PTS` (the points) first, and an empty text. If a code is unknown, returns no
    codes, and `codes` as the text. If `codes` has no code, returns no codes and an empty text.
    """
    from tourney.standings.tiebreaks import find  # takes as long to import as this module

    tiebreak_codes = [code.upper() for code in re.split(r"[\s,;]+", codes.strip()) if code]
    try:
        for code in tiebreak_codes:
            find(code)
    except TourneyError:
        return (), codes.strip()
    return tuple(dict.fromkeys(("PTS", *tiebreak_codes))) if tiebreak_codes else (), ""


def _is_permanent(ban: trf.ForbiddenPairs) -> bool:
    return ban.first <= 1 and (ban.last is None or ban.last >= _LAST_ROUND)


_REQUESTS = {"F": Outcome.AWARDED_BYE, "H": Outcome.HALF_BYE, "Z": Outcome.ABSENT}


def _requests(file: trf.TrfFile) -> dict[PlayerId, dict[int, Outcome]]:
    """Return the byes and absences announced for rounds that are not paired yet.

    They come from the records 240 and XXZ, and from the players' cells for these rounds.
    """
    next_round = file.rounds_paired + 1
    announcements = [(number, next_round, "Z") for number in file.absent_players]
    announcements += [
        (number, bye.round, bye.kind)
        for bye in file.byes
        if bye.round >= next_round
        for number in bye.players
    ]
    announcements += [
        (player.number, round_number, cell.result)
        for player in file.players
        for round_number, cell in enumerate(player.rounds[next_round - 1 :], next_round)
        if cell.result in _REQUESTS
    ]
    requests: dict[PlayerId, dict[int, Outcome]] = {}
    for number, round_number, code in announcements:
        requests.setdefault(PlayerId(number), {})[round_number] = _REQUESTS[code]
    return requests


def _left_out(file: trf.TrfFile, unknown_order: str) -> Iterator[str]:
    columns = {"titles": "title", "FIDE numbers": "fide_id", "dates of birth": "birth", "sexes": "sex"}
    for name, column in columns.items():
        number = sum(bool(getattr(player, column).strip()) for player in file.players)
        if number:
            yield f"{name} ({counted(number, 'player')})"
    if unknown_order:
        yield f"the order `{unknown_order[:60]}` of its standings, which has an unknown tie-break"
    if file.accelerations:
        yield "accelerated pairing (250, XXA)"
    temporary_bans = sum(not _is_permanent(ban) for ban in file.forbidden_pairs)
    if temporary_bans:
        yield f"{counted(temporary_bans, 'pair')} forbidden in some rounds only (260)"
    if file.unknown_lines:
        lines = counted(len(file.unknown_lines), "line")
        yield f"{lines} of other records, the first `{file.unknown_lines[0][:40].rstrip()}`"


def _similar_names(file: trf.TrfFile) -> Iterator[str]:
    """Yield a remark for each name that equals an earlier one, except for case or accents."""
    by_name: dict[str, trf.TrfPlayer] = {}
    for player in file.players:
        key = fold(player.name)
        if key and key in by_name:
            other = by_name[key]
            yield (
                f"line {player.line}: `{player.name}` and `{other.name}` (line {other.line}) are equal or"
                " similar names; they were read as two players"
            )
        by_name.setdefault(key, player)


def _extra_points_remarks(file: trf.TrfFile, record: Record) -> Iterator[str]:
    """Yield a remark for each record 299, which gives points in addition to the results."""
    names = {player.number: player.name for player in file.players}
    for extra in file.abnormal_points:
        player_texts = [
            f"`{names[number]}`" if names[number] else f"player {number}" for number in extra.players
        ]
        players = listed(player_texts) if player_texts else "all players"
        period = f"in round {extra.round}" if extra.round else "in every round"
        result = f"for the result `{extra.kind}`" if extra.kind else "whatever the result"
        points = format_points(extra.points).replace("-", "−")
        is_unpaired = extra.round > len(record.rounds)
        effect = (
            "the round is not paired, so the standings do not include it"
            if is_unpaired
            else "the standings include it"
        )
        yield (
            f"line {extra.line} (record 299): {points} is added to the points of {players} {period},"
            f" {result}; {effect}"
        )


def _day(text: str) -> date | None:
    match = _DATE.fullmatch(text.strip())
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


# -- Writing


_KEPT = frozenset(
    ["players", "no-shows", "double losses", "awarded byes", "half byes", "absences", "open", "ratings",
     "planned", "name", "day", "sides", "requests", "forbidden", "apart", "extra points"]
)  # fmt: skip
_MAX_NAME = 33
_MAX_FEDERATION = 3


def write(results: Results) -> WrittenFile:
    """Write an event as TRF26.

    Raises TourneyError for tables of three or more, and for numbers that are too large.
    """
    record, facts = results.record, results.facts
    numbers = {player: number for number, player in enumerate(record.players, 1)}
    claims = {player: results.claims.get(player, StandingClaim()) for player in record.players}
    codes = {outcome: code for code, outcome in _REQUESTS.items()}
    requests: dict[tuple[str, int], list[int]] = {}
    for player, rounds in results.requests.items():
        for number, outcome in rounds.items():
            requests.setdefault((codes[outcome], number), []).append(numbers[player])
    file = trf.file_of(
        record,
        points={player: claim.points or 0 for player, claim in claims.items()},
        names={player: str(results.names[player]) for player in record.players},
        order=record.players,
        sides=bool(results.sides),
        header=trf.TrfHeader(
            name=results.title,
            start=results.day.strftime("%Y/%m/%d") if results.day else "",
            kind="Individual: Round-Robin" if record.round_robin else "Individual: Swiss-System",
            standings_order=",".join(results.order),
        ),
    )
    file = dataclasses.replace(
        file,
        players=tuple(
            dataclasses.replace(
                line,
                federation=facts.get(player, {}).get("federation", "")[:_MAX_FEDERATION],
                rank=claims[player].place,
            )
            for line, player in zip(file.players, record.players, strict=True)
        ),
        scoring=_scoring(results.scoring),
        byes=tuple(
            trf.Byes(code, number, tuple(players)) for (code, number), players in sorted(requests.items())
        ),
        forbidden_pairs=tuple(
            trf.ForbiddenPairs(tuple(numbers[player] for player in pair)) for pair in results.forbidden_groups
        ),
    )
    # A player who never started is recognized by the empty rank, so the file keeps that drop.
    not_started = _not_started(file)
    drops = {
        player: last for player, last in record.drops.items() if last or numbers[player] not in not_started
    }
    return WrittenFile(
        trf.write(file), tuple(_lost_fact_phrases(replace(results, record=replace(record, drops=drops))))
    )


def _scoring(scoring: Mapping[Outcome, int]) -> dict[str, int]:
    """Return the half points for each code of record 162.

    A special code is left out if it gives the same points as its general code.
    """
    general = {"W": Outcome.WIN, "D": Outcome.DRAW, "L": Outcome.LOSS, "P": Outcome.BYE, "A": Outcome.ABSENT}
    special = {
        "FPB": (Outcome.AWARDED_BYE, "W"),
        "HPB": (Outcome.HALF_BYE, "D"),
        "FW": (Outcome.FORFEIT_WIN, "W"),
        "FL": (Outcome.FORFEIT_LOSS, "A"),
    }
    codes = {code: scoring[outcome] for code, outcome in general.items() if outcome in scoring}
    for code, (outcome, general_code) in special.items():
        if outcome in scoring and scoring[outcome] != codes.get(general_code):
            codes[code] = scoring[outcome]
    return codes


def _lost_fact_phrases(results: Results) -> Iterator[str]:
    """Yield a phrase for each fact of an event that a Tournament Report File cannot contain."""
    yield from lost_facts(results, _KEPT, writable_kinds={"federation"})
    tables = [table for tables in results.record.rounds for table in tables]
    if not results.sides and any(table.seats != tuple(sorted(table.seats)) for table in tables):
        yield "who sat in which seat"
    federations = [facts.get("federation", "") for facts in results.facts.values()]
    for column, limit, texts in (
        ("names", _MAX_NAME, map(str, results.names.values())),
        ("federations", _MAX_FEDERATION, federations),
    ):
        long = sum(len(text) > limit for text in texts)
        if long:
            yield f"{column} of more than {limit} letters ({counted(long, 'player')})"
