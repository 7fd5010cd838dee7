"""Results from a Tournament Report File, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date

from tourney import trf
from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, format_points
from tourney.standings.reading.forms import Told, Written, lost
from tourney.standings.reading.results import Name, Results, StandingClaim
from tourney.wording import counted

_MOST_ROUNDS = 999
"""The last round of a ban that never ends."""

_MOST_REMARKS = 5
"""Players whose points contradict their results, told one by one."""

_DATE = re.compile(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})")
_ROUND_ROBIN = re.compile(r"round[ -]?robin|berger", re.IGNORECASE)


def read(told: Told) -> Results:
    """Read results from a TRF16 or TRF26 text; players are called by their names, or by number if they have none.

    Raises TourneyError as `tourney.trf` does: file, line and column.
    """
    file = trf.read(told.text, source=told.source)
    record = trf.record_of(file)
    unstarted = _unstarted(file)
    header = file.header
    names: dict[PlayerId, Name] = {
        PlayerId(player.number): player.name or player.number for player in file.players
    }
    order, unknown = _order(header.standings_order or header.tie_breaks)
    round_robin = bool(_ROUND_ROBIN.search(header.kind) or _ROUND_ROBIN.search(file.system))
    return Results(
        record=replace(
            record,
            drops=dict.fromkeys(sorted(unstarted), 0),
            absences=tuple(absent - unstarted for absent in record.absences),
            ratings={PlayerId(p.number): p.rating for p in file.players if p.rating},
            planned_rounds=file.rounds_total,
            round_robin=round_robin,
        ),
        names={player: names[player] for player in record.players},
        day=_day(header.start),
        scoring=trf.scoring_of(file),
        title=header.name,
        profile="fide-round-robin" if round_robin else "fide",
        order=order,
        sides=("White", "Black") if any(c.side for p in file.players for c in p.rounds) else (),
        claims={
            PlayerId(p.number): StandingClaim(place=p.rank or None, points=p.points)
            for p in file.players
            if p.rank or p.points is not None
        },
        facts={
            PlayerId(p.number): {"federation": p.federation.strip()}
            for p in file.players
            if p.federation.strip()
        },
        requests=_requests(file),
        forbidden=tuple(tuple(map(PlayerId, each.players)) for each in file.forbidden if _for_good(each)),
        left_out=tuple(_left_out(file, unknown)),
        remarks=(
            *file.remarks,
            *_names_alike(file),
            *_few(trf.check_points(file)),
            *_points_added(file, record),
        ),
    )


def _unstarted(file: trf.TrfFile) -> frozenset[PlayerId]:
    """Return the players without a match or a bye whom a file that ranks others does not rank: they never started.

    A player who never played and has a rank is ranked here, too; so is everybody if the file has no ranks at all.
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
    """Return the tie-breaks that a file names, the points first; none, and the text, where one is not known here."""
    from tourney.standings.tiebreaks import find

    asked = [code.upper() for code in re.split(r"[\s,;]+", codes.strip()) if code]
    try:
        for code in asked:
            find(code)
    except TourneyError:
        return (), codes.strip()
    return tuple(dict.fromkeys(("PTS", *asked))) if asked else (), ""


def _for_good(ban: trf.ForbiddenPairs) -> bool:
    return ban.first <= 1 and (ban.last is None or ban.last >= _MOST_ROUNDS)


_ASKED = {"F": Outcome.AWARDED_BYE, "H": Outcome.HALF_BYE, "Z": Outcome.ABSENT}


def _requests(file: trf.TrfFile) -> dict[PlayerId, dict[int, Outcome]]:
    """Return what was announced for rounds that are not paired yet: records 240 and XXZ, and cells of the next column."""
    next_round = file.rounds_paired + 1
    asked: dict[PlayerId, dict[int, Outcome]] = {}
    for number in file.absent:
        asked.setdefault(PlayerId(number), {})[next_round] = Outcome.ABSENT
    for bye in file.byes:
        for number in bye.players if bye.round >= next_round else ():
            asked.setdefault(PlayerId(number), {})[bye.round] = _ASKED[bye.kind]
    for player in file.players:
        for number, cell in enumerate(player.rounds[next_round - 1 :], next_round):
            if cell.result in _ASKED:
                asked.setdefault(PlayerId(player.number), {})[number] = _ASKED[cell.result]
    return asked


def _left_out(file: trf.TrfFile, order: str) -> Iterator[str]:
    told = {
        "titles": [player.title.strip() for player in file.players],
        "FIDE numbers": [player.fide_id.strip() for player in file.players],
        "dates of birth": [player.birth.strip() for player in file.players],
        "sexes": [player.sex.strip() for player in file.players],
    }
    for what, values in told.items():
        number = sum(map(bool, values))
        if number:
            yield f"{what} ({counted(number, 'player')})"
    if order:
        yield f"the order `{order[:60]}` of its standings: a tie-break in it is not known here"
    if file.accelerations:
        yield "accelerated pairing (250, XXA)"
    some = [each for each in file.forbidden if not _for_good(each)]
    if some:
        yield f"{counted(len(some), 'pair')} forbidden in some rounds only (260)"
    if file.unknown_lines:
        yield f"{counted(len(file.unknown_lines), 'line')} of other records, the first `{file.unknown_lines[0][:40].rstrip()}`"


def _few(remarks: tuple[str, ...]) -> tuple[str, ...]:
    left = len(remarks) - _MOST_REMARKS
    return remarks if left <= 0 else (*remarks[:_MOST_REMARKS], f"and the points of {left} more players")


def _names_alike(file: trf.TrfFile) -> Iterator[str]:
    """Tell whose names are the same, or would be found by the same words: the pairing numbers tell them apart."""
    by_name: dict[str, trf.TrfPlayer] = {}
    for player in file.players:
        key = fold(player.name)
        if key and key in by_name:
            other = by_name[key]
            yield (
                f"line {player.line}: `{player.name}` is called like `{other.name}` in line {other.line}:"
                " taken as two players"
            )
        by_name.setdefault(key, player)


def _points_added(file: trf.TrfFile, record: Record) -> Iterator[str]:
    """Tell of points that no result gave: they are part of the points."""
    names = {player.number: player.name for player in file.players}
    for given in file.abnormal:
        who = ", ".join(names[number] or f"player {number}" for number in given.players) or "everybody"
        what = f"for the result `{given.kind}`" if given.kind else "whatever the result"
        when = f"in round {given.round}" if given.round else "in every round"
        points = format_points(given.points).replace("-", "−")
        unplayed = given.round > len(record.rounds)
        counted = "of a round that is not paired, so not counted" if unplayed else "counted in the points"
        yield f"line {given.line}: {points} for {who} {when}, {what} (record 299): {counted}"


def _day(text: str) -> date | None:
    match = _DATE.fullmatch(text.strip())
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


# -- Back to a file


def write(results: Results) -> Written:
    """Write an event as TRF26. Raises TourneyError for tables of more than two, and numbers that do not fit."""
    record = results.record
    numbers = {player: number for number, player in enumerate(record.players, 1)}
    claims = results.claims
    asked: dict[tuple[str, int], list[int]] = {}
    letters = {outcome: letter for letter, outcome in _ASKED.items()}
    for player, rounds in results.requests.items():
        for number, outcome in rounds.items():
            asked.setdefault((letters[outcome], number), []).append(numbers[player])
    file = trf.file_of(
        record,
        points={player: claims[player].points or 0 if player in claims else 0 for player in record.players},
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
    facts = results.facts
    players = tuple(
        replace(
            each,
            federation=facts.get(player, {}).get("federation", "")[:3],
            rank=claims[player].place if player in claims else None,
        )
        for each, player in zip(file.players, record.players, strict=True)
    )
    file = replace(
        file,
        players=players,
        scoring=_scoring(results.scoring),
        byes=tuple(trf.Byes(kind, number, tuple(who)) for (kind, number), who in sorted(asked.items())),
        forbidden=tuple(
            trf.ForbiddenPairs(tuple(numbers[each] for each in pair)) for pair in results.forbidden
        ),
    )
    unstarted = _unstarted(file)
    kept = {player for player in record.players if numbers[player] in unstarted}
    later = {player: last for player, last in record.drops.items() if last or player not in kept}
    return Written(trf.write(file), tuple(_lost(replace(results, record=replace(record, drops=later)))))


def _scoring(scoring: Mapping[Outcome, int]) -> dict[str, int]:
    """Return the codes for what outcomes are worth; the finer ones where the plain one does not say it already."""
    plain = {"W": Outcome.WIN, "D": Outcome.DRAW, "L": Outcome.LOSS, "P": Outcome.BYE, "A": Outcome.ABSENT}
    codes = {code: scoring[outcome] for code, outcome in plain.items() if outcome in scoring}
    finer = {
        "FPB": (Outcome.AWARDED_BYE, "W"),
        "HPB": (Outcome.HALF_BYE, "D"),
        "FW": (Outcome.FORFEIT_WIN, "W"),
        "FL": (Outcome.FORFEIT_LOSS, "A"),
    }
    for code, (outcome, otherwise) in finer.items():
        if outcome in scoring and scoring[outcome] != codes.get(otherwise):
            codes[code] = scoring[outcome]
    return codes


def _lost(results: Results) -> Iterator[str]:
    """Say what of an event a Tournament Report File cannot hold."""
    yield from lost(results, _HOLDS, facts={"federation"})
    if not results.sides and any(
        table.seats != tuple(sorted(table.seats)) for each in results.record.rounds for table in each
    ):
        yield "who sat in which seat"
    for what, longest, texts in (
        ("names", _LONGEST_NAME, [str(name) for name in results.names.values()]),
        (
            "federations",
            _LONGEST_FEDERATION,
            [facts.get("federation", "") for facts in results.facts.values()],
        ),
    ):
        long = sum(len(text) > longest for text in texts)
        if long:
            yield f"{what} of more than {longest} letters whole ({counted(long, 'player')})"


_HOLDS = frozenset(
    ["players", "no-shows", "double losses", "awarded byes", "half byes", "absences", "open", "ratings", "planned", "name",
     "day", "sides", "requests", "forbidden", "apart", "extra points"]
)  # fmt: skip
_LONGEST_NAME = 33
_LONGEST_FEDERATION = 3
