"""Convert an event to results for another program's file, and such results to an event.

In the journal of an imported event, the entry `event.imported` says how many of the entries after it come
from the file. Among these entries, the rounds are recorded as if they were paired by hand. An imported event
is ranked by the profile of the program that wrote the file, but with the points that the file gives. So its
standings can be compared with those in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.decode import MAX_PLAYERS, MAX_ROUNDS
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Sealing
from tourney.event.field import record
from tourney.event.names import clean_name
from tourney.event.ops import UNSEATED, NoTable, Ref, Unseated
from tourney.event.settings import LAST_TABLE, MOST_GAMES
from tourney.event.state import State
from tourney.pairing import elimination
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table, format_points
from tourney.standings.reading import Playoff, Results, StandingClaim
from tourney.standings.reading.writing import unique_names
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.pairing.elimination import Bracket
    from tourney.standings import Profile, Standings

FORMAT = "imported/results"
"""The format of an imported event if the file names none. Such an event has no decks."""

_FORMAT_TEXT = f"""\
[format]
id    = "{FORMAT}"
name  = "Another program's event"
rules = "as it was played there"

[[zone]]
id      = "deck"
name    = "Deck"
default = true

[match]
seats = 2
draws = true

[standings]
profile = "tourney"

[event]
lists = false
"""


_CONTACT = "contact"
"""The key of a player's contact among the facts in `Results`. Only the organizer sees it."""


# -- An event as results


def results_of(state: State, standings: Standings, text: Callable[[Ref], str | None]) -> Results:
    """Return an event as `Results`, from which files for other programs are written.

    text: a function that takes a ref (the digest by which entries refer to a text), and returns the text
    """
    profile = standings.profile
    players = state.players.values()
    tags = {player.id: {kind: tag for kind, (_, tag) in player.tags.items()} for player in players}
    for player in players:
        contact = text(player.contact) if player.contact else None
        if contact:
            tags[player.id][_CONTACT] = contact
    ahead = len(state.swiss)
    requests = {
        player.id: {number: kind for number, kind in player.byes.items() if number > ahead}
        for player in players
    }
    best_of = state.settings.match.best_of
    return Results(
        record=record(state),
        names={player.id: player.name for player in players},
        day=date.fromisoformat(state.on),
        match=(best_of, state.settings.match.draws),
        scoring={}
        if profile.from_score
        else {outcome: profile.outcomes[outcome].points for outcome in Outcome},
        by_score=profile.from_score,
        title=state.name,
        profile=profile.name,
        order=profile.order,
        sides=state.settings.match.sides,
        claims={row.player: _claim(row) for row in standings.rows},
        facts={player: facts for player, facts in tags.items() if facts},
        requests={player: rounds for player, rounds in requests.items() if rounds},
        forbidden_groups=tuple(pair.players for pair in state.forbidden if pair.hard),
        divisions=_divisions(tags),
        playoff=_playoff(state),
    )


def _claim(row: Any) -> StandingClaim:
    values = {key.code: (key.value, 6) for key in row.keys if key.value is not None}
    return StandingClaim(place=row.rank, points=row.points, values=values)


def _divisions(tags: Mapping[PlayerId, Mapping[str, str]]) -> dict[str, tuple[PlayerId, ...]]:
    members: dict[str, list[PlayerId]] = {}
    for player, facts in tags.items():
        if "division" in facts:
            members.setdefault(facts["division"], []).append(player)
    return {division: tuple(players) for division, players in members.items()}


def _playoff(state: State) -> Playoff | None:
    cut = state.cut
    if cut is None or not cut.after:
        return None
    rounds = tuple(round_.record for round_ in state.rounds if round_.stage == "cut")
    return Playoff(seeds=cut.players, rounds=rounds, double=cut.kind == "double", third_place=cut.third_place)


# -- Results as an event


class Rules(Struct, frozen=True, kw_only=True):
    """The profile that ranks an imported event.

    profile: the name of the profile
    text: the contents of the profile, if it is a known profile with changes that the imported file requires;
        empty if it is a known profile without changes
    """

    profile: str
    text: str = ""


def rules_of(results: Results, base: Profile, *, bye_is_win: bool = True) -> Rules:
    """Return the profile for a file's results: `base` with the changes that the file requires.

    base: the profile of the program that wrote the file

    The file can change the points for outcomes and for byes, the order of tie-breaks, and assigned losses. An
    assigned loss is a round without an opponent that counts as lost.

    bye_is_win: whether a bye is worth a win if the file gives the points for a win but not for a bye; this
        depends on the program
    """
    import tomli_w

    changes: dict[str, Any] = {}
    if results.order and results.order != base.order:
        changes["order"] = list(results.order)
    if outcomes := _outcomes(results, base, bye_is_win=bye_is_win):
        changes["outcomes"] = outcomes
    if results.own_floor is not None and base.game_win.own_floor != results.own_floor:
        changes["game-win"] = {"own-floor": results.own_floor}
    if base.rank_never_started is False and any(
        last == 0 and results.claims[player].place is not None
        for player, last in results.record.drops.items()
        if player in results.claims
    ):
        changes["drops"] = {"before-round-1": "ranked"}
    if not changes:
        return Rules(profile=base.name)
    title = f"{base.title}, with what the imported file says of its own"
    text = tomli_w.dumps({"extends": base.name, "title": title, **changes})
    return Rules(profile=f"{base.name}-imported", text=text)


_AS = {
    Outcome.AWARDED_BYE: Outcome.WIN,
    Outcome.FORFEIT_WIN: Outcome.WIN,
    Outcome.HALF_BYE: Outcome.DRAW,
    Outcome.FORFEIT_LOSS: Outcome.LOSS,
    Outcome.DOUBLE_LOSS: Outcome.LOSS,
}
"""Outcome → another outcome that is worth the same points.

This is used if a file gives points only for the other outcome.
"""


def _outcomes(results: Results, base: Profile, *, bye_is_win: bool) -> dict[str, dict[str, Any]]:
    """Return the profile's rules for the outcomes that the file counts differently than `base`."""
    rules: dict[str, dict[str, Any]] = {}
    scoring = dict(results.scoring)
    for outcome, other in {**_AS, **({Outcome.BYE: Outcome.WIN} if bye_is_win else {})}.items():
        if other in scoring:
            scoring.setdefault(outcome, scoring[other])
    for outcome, points in {**scoring, **_bye_half_points(results.record)}.items():
        if base.outcomes[outcome].points != points:
            rules.setdefault(outcome.value, {})["points"] = format_points(points)
    if _assigned_losses(results.record):
        rules.setdefault(Outcome.ABSENT.value, {}).update(match=0, games="0-2")
    return rules


def _bye_half_points(record: Record) -> dict[Outcome, int]:
    """Return the half points that the file gives for a bye, as a mapping with the only key BYE.

    Empty if no bye in the file has a score. If byes have different scores, the most frequent score is used.
    """
    scores: Counter[int] = Counter()
    for seat in _lone_seats(record):
        if seat.outcome is Outcome.BYE and seat.score is not None:
            scores[2 * seat.score] += 1
    return {Outcome.BYE: scores.most_common(1)[0][0]} if scores else {}


def _assigned_losses(record: Record) -> int:
    return sum(seat.outcome is Outcome.FORFEIT_LOSS for seat in _lone_seats(record))


def _lone_seats(record: Record) -> Iterator[Seat]:
    for tables in record.rounds:
        yield from _alone_at(tables)


def _alone_at(tables: Sequence[Table]) -> Iterator[Seat]:
    for table in tables:
        if len(table.seats) == 1 and table.result:
            yield table.result.seats[0]


def with_half_byes(results: Results, profile: Profile) -> Results:
    """Return results in which each bye with the points of a half bye is recorded as a half bye.

    Returns the results unchanged if no bye in them has the points of a full bye.
    """
    whole, half = (profile.outcomes[outcome].points for outcome in (Outcome.BYE, Outcome.HALF_BYE))
    worths = {2 * seat.score for seat in _lone_seats(results.record) if seat.score is not None}
    if not {whole, half} <= worths:
        return results

    def mark_half_bye(table: Table) -> Table:
        seat = table.result.seats[0] if len(table.seats) == 1 and table.result else None
        if seat is None or seat.score is None or 2 * seat.score != half:
            return table
        seat = structs.replace(seat, outcome=Outcome.HALF_BYE, score=None)
        return structs.replace(table, result=Result((seat,)))

    rounds = tuple(tuple(map(mark_half_bye, tables)) for tables in results.record.rounds)
    return replace(results, record=replace(results.record, rounds=rounds))


def import_differences(results: Results) -> Iterator[str]:
    """Yield sentences about results and points that do not count as they do in the file."""
    usual = _bye_half_points(results.record).get(Outcome.BYE)
    for number, tables in enumerate(results.record.rounds, 1):
        for seat in _alone_at(tables):
            if seat.outcome is Outcome.BYE and seat.score is not None and 2 * seat.score != usual:
                yield (
                    f"the bye of {results.names[seat.player]} in round {number} is worth {seat.score} in the"
                    f" file but {format_points(usual or 0)} here, like most byes"
                )
    lost_count = _assigned_losses(results.record)
    if lost_count and any(results.record.absences):
        losses = counted(lost_count, "assigned loss", "assigned losses")
        yield f"{losses}; in this event, every absence counts as a loss, too"
    elif lost_count:
        losses = counted(lost_count, "assigned loss", "assigned losses")
        yield f"{losses}, entered as absences that count as lost"


def settings_of(results: Results) -> dict[str, Any]:
    """Return the settings of an event with these results.

    If the file does not say how many games a match has, the number is 2 × wins − 1, where wins is the most
    games that a player won in a match.
    """
    record = results.record
    tables = [table for tables in record.rounds for table in tables]
    sizes = Counter(len(table.seats) for table in tables if len(table.seats) > 1)
    seats = [size for size, _ in sizes.most_common()] or [2]
    most = max((seat.games for table in tables if table.result for seat in table.result.seats), default=1)
    settings: dict[str, Any] = {
        "system": "pods" if max(seats) > 2 else "round-robin" if record.round_robin else "swiss",
        "best_of": results.match[0] or min(2 * max(most, 1) - 1, MOST_GAMES),
        "seats": seats,
        "sides": list(results.sides),
        "lists": False,
    }
    if record.planned_rounds is not None:
        settings["rounds"] = min(max(record.planned_rounds, len(record.rounds)), MAX_ROUNDS)
    return settings


def entries_of(results: Results, seal: Sealing, *, form: str, file: str) -> list[ops.Op]:
    """Return the ops that follow the creation of the event.

    They record the import, the players, rounds, results and drops, and the bracket.

    file: SHA-256 of the file's bytes

    Raises TourneyError if there are no players, or too many players or rounds.
    """
    record = results.record
    if not record.players:
        raise TourneyError("the file has no players")
    if len(record.players) > MAX_PLAYERS or len(record.rounds) > MAX_ROUNDS:
        raise TourneyError(f"an event has at most {MAX_PLAYERS:,} players and {MAX_ROUNDS} rounds")
    number = {player: PlayerId(at) for at, player in enumerate(record.players, 1)}
    imported_ops: list[ops.Op] = [ops.PlayerAdded(players=tuple(_newcomers(results, number, seal)))]
    imported_ops += [
        ops.PairForbidden(players=tuple(number[player] for player in pair))
        for pair in results.forbidden_groups
        if len(pair) > 1
    ]
    imported_ops += _drop_ops(record, number, 0)
    for at, tables in enumerate(record.rounds, 1):
        imported_ops += _round(record, number, at, tables)
        imported_ops += _drop_ops(record, number, at)
    if results.playoff is not None:
        imported_ops += _bracket(results.playoff, number, len(record.rounds), results)
    extra = tuple(
        ops.ExtraPoints(at, number[player], points)
        for at, extra_points in enumerate(record.extra_points, 1)
        for player, points in sorted(extra_points.items())
    )
    return [
        ops.EventImported(form=form, file=file, entries=len(imported_ops), extra_points=extra),
        *imported_ops,
    ]


def _newcomers(
    results: Results, number: Mapping[PlayerId, PlayerId], seal: Sealing
) -> Iterator[ops.Newcomer]:
    record = results.record
    names = {player: results.names[player] for player in record.players}
    for player, name in unique_names(names):
        requests = results.requests.get(player, {})
        facts = dict(results.facts.get(player, {}))
        contact = facts.pop(_CONTACT, None)
        yield ops.Newcomer(
            id=number[player],
            name=seal(clean_name(name), "name"),
            rating=record.ratings.get(player),
            tags=tuple((kind, seal(text, "tag")) for kind, text in sorted(facts.items()) if text),
            byes=tuple((at, UNSEATED[outcome]) for at, outcome in sorted(requests.items())),
            contact=seal.maybe(contact),
        )


def _drop_ops(record: Record, number: Mapping[PlayerId, PlayerId], after: int) -> Iterator[ops.Op]:
    leavers = [
        number[player]
        for player, last in record.drops.items()
        if last == after and player not in record.disqualified
    ]
    if leavers:
        yield ops.PlayerDropped(players=tuple(sorted(leavers)), after=after)
    for player, last in record.disqualified.items():
        if last == after:
            yield ops.PlayerDisqualified(player=number[player], after=after)


def _round(
    record: Record, number: Mapping[PlayerId, PlayerId], at: int, tables: Sequence[Table]
) -> Iterator[ops.Op]:
    byes: dict[PlayerId, Unseated] = {
        **{number[player]: UNSEATED[outcome] for player, outcome in record.byes[at - 1].items()},
        **{number[player]: "absent" for player in record.absences[at - 1]},
    }
    byes |= {number[seat.player]: UNSEATED.get(seat.outcome, "absent") for seat in _alone_at(tables)}
    full_tables = [table for table in tables if len(table.seats) > 1]
    yield from _round_ops(at, _renumber_tables(full_tables, number), byes)


def _round_ops(
    at: int, tables: Sequence[Table], byes: Mapping[PlayerId, Unseated], **more: Any
) -> Iterator[ops.Op]:
    """Yield the ops that record a round and its results. more: further fields of `RoundPaired`."""
    yield ops.RoundPaired(
        round=at,
        tables=tuple(Table(table.number, table.seats) for table in tables),
        byes=tuple(NoTable(player, kind) for player, kind in sorted(byes.items())),
        system="manual",
        **more,
    )
    results = {table.number: table.result for table in tables if table.result is not None}
    if results:
        yield ops.ResultReported(round=at, results=results)


def _bracket(
    playoff: Playoff, number: Mapping[PlayerId, PlayerId], after: int, results: Results
) -> Iterator[ops.Op]:
    """Yield the ops that record an imported bracket and its rounds.

    Raises TourneyError if the rounds do not follow from the seeds.
    """
    from tourney.event.brackets import bracket_options

    if leavers := [results.names[player] for player in playoff.seeds if player in results.record.drops]:
        raise TourneyError(f"{listed(leavers)} left before the bracket but played in it")
    cut = ops.CutMade(
        players=tuple(number[player] for player in playoff.seeds),
        after=after,
        kind="double" if playoff.double else "single",
        third_place=playoff.third_place,
    )
    yield cut
    names = {number[player]: str(name) for player, name in results.names.items()}
    earlier: list[dict[str, Table]] = []
    next_bracket = partial(
        elimination.bracket,
        cut.players,
        bracket_options(cut),
        earlier=earlier,
        name=names.__getitem__,
    )
    for at, round_tables in enumerate(playoff.rounds, 1):
        now = next_bracket()
        tables = _renumber_tables(round_tables, number)
        labels = _labels(now, tables, at, names)
        waiting: dict[PlayerId, Unseated] = {
            player: "bye" for player in now.byes if player not in now.waiting
        }
        yield from _round_ops(after + at, tables, waiting, stage="cut", labels=tuple(labels))
        earlier.append(dict(zip(labels, tables, strict=True)))
    if all(table.result for tables in earlier for table in tables.values()):
        next_bracket()  # raises TourneyError if the bracket cannot go on after the results of the last round


def _labels(now: Bracket, tables: Sequence[Table], at: int, names: Mapping[PlayerId, str]) -> list[str]:
    """Return the names of the bracket's matches at the tables of round `at`.

    Raises TourneyError if the tables are not the matches that are next in the bracket (`now`).
    """
    labels_by_seats = {
        frozenset(table.seats): label for table, label in zip(now.tables, now.labels, strict=True)
    }
    for table in tables:
        if frozenset(table.seats) not in labels_by_seats:
            raise TourneyError(
                f"round {at} of its bracket seats "
                f"{listed(names[player] for player in table.seats)} together, which does"
                " not follow from its seeds and earlier results"
            )
    if len(tables) != len(labels_by_seats):
        raise TourneyError(
            f"round {at} of its bracket has {counted(len(tables), 'match', 'matches')}"
            f" of {len(labels_by_seats)}"
        )
    return [labels_by_seats[frozenset(table.seats)] for table in tables]


def _renumber_tables(tables: Sequence[Table], number: Mapping[PlayerId, PlayerId]) -> list[Table]:
    """Return tables with the players' numbers in the event instead of those in the file.

    The tables keep their own numbers if all are from 1 to LAST_TABLE. Otherwise they are numbered from 1.

    number: player's number in the file → player's number in the event
    """
    keeps = all(1 <= table.number <= LAST_TABLE for table in tables)
    new_tables = []
    for at, table in enumerate(tables, 1):
        result = table.result
        if result is not None:
            new_seats = (structs.replace(seat, player=number[seat.player]) for seat in result.seats)
            result = structs.replace(result, seats=tuple(new_seats))
        seats = tuple(number[player] for player in table.seats)
        new_tables.append(Table(table.number if keeps else at, seats, result))
    return new_tables


def without_bracket(results: Results, reason: str) -> Results:
    """Return results without their bracket. reason: why the bracket was not imported."""
    record = replace(results.record, planned_rounds=None)  # so that the event does not count as finished
    return replace(
        results, record=record, playoff=None, left_out=(*results.left_out, f"its bracket: {reason}")
    )


def status_of(results: Results, state: State) -> str:
    """Describe what was imported (players, rounds, results and more), and the event's status."""
    record = results.record
    tables = [table for tables in record.rounds for table in tables if len(table.seats) > 1]
    playing = sum(table.result is None for table in tables)
    byes = sum(map(len, record.byes)) + sum(
        len(table.seats) == 1 for tables in record.rounds for table in tables
    )
    parts = [
        counted(len(record.players), "player"),
        counted(len(record.rounds), "round"),
        counted(len(tables) - playing, "result"),
        *([counted(byes, "bye")] if byes else []),
        *([counted(len(record.drops), "drop")] if record.drops else []),
        *([f"{len(record.disqualified)} disqualified"] if record.disqualified else []),
    ]
    if results.playoff is not None:
        result_count = sum(table.result is not None for tables in results.playoff.rounds for table in tables)
        parts.append(f"a bracket of {len(results.playoff.seeds)} with {counted(result_count, 'result')}")
    return f"{listed(parts)}; {_progress(results, state, playing)}"


def _progress(results: Results, state: State, playing: int) -> str:
    round_count, rounds = state.settings.pairing.rounds, len(results.record.rounds)
    if state.closed:
        return "finished, so it is closed"
    if playing:
        return (
            f"running: {counted(playing, 'table')} of round {rounds} {'plays' if playing == 1 else 'play'} on"
        )
    if round_count is not None and rounds < round_count:
        return f"running: {rounds} of {round_count} rounds are over"
    return "every table has its result"


def is_finished(results: Results, state: State) -> bool:
    """Return whether the imported event is over.

    Returns False if the file does not say how many rounds are planned.
    """
    round_count = results.record.planned_rounds
    if round_count is None or len(results.record.rounds) < round_count:
        return False
    if not state.rounds or state.open_round is not None:
        return False
    if state.cut is None:
        return True
    from tourney.event.brackets import bracket_of

    return bracket_of(state, state.cut).is_finished


def as_numbered(results: Results) -> Results:
    """Return results in which names, divisions and `claims` have the event's player numbers.

    The `claims` are the standings from the file. The event numbers the players from 1, in the order of
    `record.players`; names and claims of other players are left out. All other fields keep the file's
    numbers.
    """
    number = {player: PlayerId(at) for at, player in enumerate(results.record.players, 1)}
    return replace(
        results,
        claims={number[player]: claim for player, claim in results.claims.items() if player in number},
        names={number[player]: name for player, name in results.names.items() if player in number},
        divisions={
            name: tuple(number[player] for player in members) for name, members in results.divisions.items()
        },
    )


def claims_of(results: Results, members: Sequence[PlayerId]) -> Results:
    """Return `results`, but keep only `members` in `claims`, the standings from the file."""
    return replace(
        results, claims={player: results.claims[player] for player in members if player in results.claims}
    )


def profile_text(rules: Rules) -> dict[str, str]:
    """Return name → text of each rule file that an imported event needs."""
    return {FORMAT: _FORMAT_TEXT, **({rules.profile: rules.text} if rules.text else {})}
