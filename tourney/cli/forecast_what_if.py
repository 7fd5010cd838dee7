"""`tourney forecast what-if`: the cut with other results, drops, rules or rounds.

Nothing is written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import click
from msgspec import Struct
from msgspec.structs import replace

from tourney.cli.command import command
from tourney.cli.forecast_cut import (
    Estimate,
    PlayRequest,
    before_the_event,
    cut_size,
    playing_on,
    question_of,
    size_of_cut,
    talk_of_cut,
    usual_runs,
)
from tourney.cli.options import flag, players, positive, profiles, repeatable, round_number
from tourney.cli.session import Session
from tourney.cli.standings_results import RankedResults, StandingsRequest, asking
from tourney.errors import TourneyError
from tourney.event.phrases import result_text
from tourney.event.results import read_result
from tourney.event.score import Slip, is_table_list, parse_line, parse_tables, shell_word
from tourney.forecast.shares import interval_text, share_text
from tourney.forecast.simulation import Chances
from tourney.forecast.verdicts import left_text
from tourney.forecast.what_if import (
    Side,
    TableAt,
    WhatIfEstimates,
    WhatIfForecast,
    WhatIfPlace,
    WhatIfPlayer,
    WhatIfProfiles,
    change_record,
    side_by_side,
)
from tourney.record import PlayerId, Result, Table
from tourney.wording import counted, listed, listed_short


@command("what-if", event=True)
@asking
@repeatable(
    "--result",
    "lines",
    metavar="TEXT",
    help='A table and its result, as for `result add`: "4 2-1", "Mira 2-0"; can be repeated.',
)
@round_number
@repeatable(
    "--drop",
    "dropped_names",
    metavar="PLAYER",
    shell_complete=players,
    help="A player who leaves after the last round; can be repeated.",
)
@click.option("--under", metavar="NAME|FILE", shell_complete=profiles, help="Rank by another profile.")
@positive("--more", type=click.IntRange(1, 99), help="More rounds than planned.")
@cut_size
@flag("--exact", help="Estimate nothing: show only what is proved.")
@playing_on
def what_if_(
    session: Session,
    *,
    lines: tuple[str, ...],
    round_number: int | None,
    dropped_names: tuple[str, ...],
    under: str | None,
    more: int | None,
    cut: int | None,
    exact: bool,
    request: StandingsRequest,
    play_request: PlayRequest,
) -> None:
    """Show the standings and the cut before and after a change.

    The players who move in or out are named. Nothing is written. Rounds that were paired after a changed
    result stay as they were paired. The verdicts `in` and `out` are proved, as by `tourney forecast cut`;
    `level` means that a lot would decide. If a verdict is `open`, the chance is estimated by simulating the
    remaining matches many times, with the same random numbers before and after the change. A chance counts as
    rising or falling only if its intervals before and after do not overlap.

    Examples:
      tourney forecast what-if --result "4 2-0" --cut 8
      tourney forecast what-if --result "Mira 2-1" --result "7 0-2" --round 3 --cut 8
      tourney forecast what-if --drop Mira --cut 8
      tourney forecast what-if --under mtr --from results.csv --cut 8
      tourney forecast what-if --more 1 --cut 8 --draws 3
    """
    if not (lines or dropped_names or under or more):
        raise click.UsageError("say what to change, with `--result`, `--drop`, `--under` or `--more`")
    current_results, base = request.read_under(session, [request.profile, under or request.profile])
    if not current_results.record.rounds:
        raise TourneyError("no round is paired yet", before_the_event(current_results))
    size = size_of_cut(current_results, cut)
    results = _read_results(base, lines, round_number)
    leaving_players = list(dict.fromkeys(base.find(name) for name in dropped_names))
    changed_results = _apply_changes(base, results, leaving_players, more or 0, play_request.rounds)
    changes = _change_lines(
        base, results, leaving_players, round_is_named=bool(round_number), under=under, more=more
    )
    play = None if exact else play_request
    before = _side(session, current_results, size, play_request.rounds, play)
    after = _side(
        session,
        changed_results,
        size,
        changed_results.planned_rounds,
        play,
        leaving=leaving_players,
        chances=before.estimate.chances if before.estimate else None,
    )
    document = WhatIfForecast(
        cut=size,
        after=len(current_results.record.rounds),
        changes=tuple(changes),
        profiles=WhatIfProfiles(current_results.profile.name, changed_results.profile.name),
        players=side_by_side(before.side, after.side, current_results.names),
        estimate=WhatIfEstimates(
            before.estimate.simulation if before.estimate else None,
            after.estimate.simulation if after.estimate else None,
        ),
    )
    session.emit(document)
    _print(session, document, before, after)


# -- The change


class _AssumedTable(Slip, frozen=True):
    """A table for which `--result` assumes a result."""

    def command(self, score: str) -> str:
        """Return the `--result` option that gives this table the result `score`."""
        return f'`--result "{self.named.strip(chr(34)) or self.table} {score}"`'


def _read_results(results: RankedResults, lines: Sequence[str], number: int | None) -> dict[TableAt, Result]:
    """Parse the results.

    Raises TourneyError for a text that is not a result, and for an unknown table.
    """
    rounds = results.record.rounds
    at = len(rounds) if number is None else number
    if lines and not 0 < at <= len(rounds):
        raise TourneyError(f"there is no round {at}: {counted(len(rounds), 'round')} so far")
    new_results: dict[TableAt, Result] = {}
    form = results.form()
    is_known = results.match[0] or any(table.result for tables in rounds for table in tables)
    for line in lines:
        report = parse_line(line)
        if report is None:
            raise click.UsageError('--result takes a table and how it ends: `--result "4 2-1"`')
        tables, viewer = _find_tables(results, str(report.tables), rounds[at - 1], at)
        for table in tables:
            seats = table.seats if viewer is None else (viewer, *(p for p in table.seats if p != viewer))
            slip = _AssumedTable(
                table=table.number,
                seats=seats,
                best_of=form.best_of if is_known else 3,
                draws=form.draws,
                drawn_game=form.drawn_game_rule,
                named="" if viewer is None else shell_word(str(report.tables)),
                names=tuple(map(results.name, seats)),
            )
            result = read_result(slip, report).result
            result = Result(tuple(map(result.seat_of, table.seats)), result.drawn_games)
            if new_results.setdefault(TableAt(at, table.number), result) != result:
                raise TourneyError(f"table {table.number} has two results", "give one result for each table")
    return new_results


def _find_tables(
    results: RankedResults, text: str, tables: Sequence[Table], number: int
) -> tuple[list[Table], PlayerId | None]:
    """Return the tables that the text names, by number or by a player.

    Also returns the player, whose score comes first in the result; None if tables are named by number.
    """
    if is_table_list(text):
        by_number = {table.number: table for table in tables}
        return [by_number[table] for table in parse_tables(text, sorted(by_number))], None
    player = results.find(text)
    own_tables = [table for table in tables if player in table.seats]
    if not own_tables:
        raise TourneyError(f"{results.name(player)} has no table in round {number}")
    return own_tables, player


def _apply_changes(
    results: RankedResults,
    new_results: Mapping[TableAt, Result],
    leaving: Sequence[PlayerId],
    more: int,
    rounds: int | None,
) -> RankedResults:
    record = results.record
    # A player without a table in a file's last round only seems to have left, so --drop can make it certain.
    possible_drops = frozenset() if results.of_event else frozenset(record.drops)
    for player in leaving:
        if player in {*results.departed_players, *record.drops, *record.disqualified} - possible_drops:
            raise TourneyError(f"{results.name(player)} has left already")
    if more and results.system == "round-robin":
        raise TourneyError(
            f"no round can be added: the system ({results.system}) determines the number of rounds"
        )
    round_count, planned_rounds = len(record.rounds), record.planned_rounds
    total_rounds = rounds or results.planned_rounds
    if more:
        coming_count = len(results.next_rounds(total_rounds))
        total_rounds = max(total_rounds or 0, round_count) + more
        if len(results.next_rounds(total_rounds)) != coming_count + more:
            raise TourneyError("the cut is made, so no rounds can be added before it")
    staying = [player for player in leaving if player not in possible_drops]
    record = change_record(record, results=new_results, dropped_players=staying)
    if new_results or staying:
        record = results.without(record, staying)
    return replace(
        results,
        record=replace(record, planned_rounds=planned_rounds + more if planned_rounds else planned_rounds),
        departed_players=results.departed_players | set(leaving),
        planned_rounds=total_rounds,
    )


def _change_lines(
    results: RankedResults,
    new_results: Mapping[TableAt, Result],
    leaving: Sequence[PlayerId],
    *,
    round_is_named: bool,
    under: str | None,
    more: int | None,
) -> Iterator[str]:
    for at, result in new_results.items():
        table = next(table for table in results.record.rounds[at.round - 1] if table.number == at.table)
        old_result = f", not {result_text(table.result, results.name)}" if table.result else ""
        place = f"table {at.table}" + (f" of round {at.round}" if round_is_named else "")
        yield f"{place}: {result_text(result, results.name)}{old_result}"
    if leaving:
        yield f"{listed(map(results.name, leaving))} left after round {len(results.record.rounds)}"
    if under:
        yield f"ranked under {results.profile.name}"
    if more:
        yield f"{more} more round{'' if more == 1 else 's'}"


# -- Both sides


class _Side(Struct, frozen=True, kw_only=True):
    """The event before or after the assumed change, with the estimated chances.

    side:     the standings, and what is proved about the cut
    estimate: None if no verdict depends on open results, or if no estimate was requested
    """

    results: RankedResults
    side: Side
    estimate: Estimate | None


_RUNS = 1_000


def _side(
    session: Session,
    results: RankedResults,
    cut: int,
    rounds: int | None,
    play: PlayRequest | None,
    *,
    leaving: Collection[PlayerId] = (),
    chances: Chances | None = None,
) -> _Side:
    """Return the event before or after the assumed change, with the estimated chances.

    play:    the options for simulating the remaining matches; None: nothing is estimated
    leaving: players who certainly leave
    chances: the probabilities of results, to use the same ones before and after the change; if None, they
        are estimated from the options and the results
    """
    question = question_of(results.with_rounds(rounds), cut)
    possible_drops = [player for player in question.possible_drops if player not in leaving]
    side, estimate = Side.of(replace(question, possible_drops=possible_drops), seed=results.seed), None
    if play is not None and side.is_open:
        usual = min(_RUNS, usual_runs(len(results.record.players), results.next_rounds(rounds)))
        often = replace(play, rounds=rounds, runs=play.runs or usual)
        estimate = often.estimate(session, results, cut, chances)
        shares = {player: estimate.counts.chance(player) for player in estimate.staying}
        side = replace(side, chances=shares)
    return _Side(results=results, side=side, estimate=estimate)


# -- In words


def _print(session: Session, document: WhatIfForecast, before: _Side, after: _Side) -> None:
    """Print the standings before and after the change, and who moves into or out of the cut."""
    for change in document.changes:
        session.say(f"what if: {change}")
    session.say()
    headers, rows = _table(document, before, after, is_narrow=False)
    is_narrow = not session.fits(headers, rows)
    if is_narrow:
        headers, rows = _table(document, before, after, is_narrow=True)
    session.table(headers, rows, right=(0, 2) if is_narrow else (0, 1, 3), optional=("",))
    session.say()
    is_over = before.side.over and after.side.over
    session.say(f"top {document.cut}{'' if is_over else ', by what is proved'}: {_moves_text(document)}")
    if before.estimate and after.estimate:
        session.say(f"estimated chances: {_chances_text(document)}")
    talk_of_cut(session, before.results, document.cut)
    if estimate := after.estimate or before.estimate:
        suffix = " for each side" if before.estimate and after.estimate else ""
        wider = "; a wider terminal shows their intervals" if is_narrow else ""
        session.talk(f"\npercentages are estimates{suffix}{wider}")
        for line in estimate.lines:
            session.talk(line)


def _table(
    document: WhatIfForecast, before: _Side, after: _Side, *, is_narrow: bool
) -> tuple[list[str], list[list[object]]]:
    """Return headers and rows of the table that compares before and after the change.

    is_narrow: whether to leave out the intervals, and to show the places before and after in one column
    """
    top = f"top {document.cut}"
    rows: list[list[object]] = []
    for player in document.players:
        ranks = [place.rank or "" if place else "" for place in (player.now, player.then)]
        verdicts = [
            _verdict_text(side, player, place, has_interval=not is_narrow)
            for side, place in ((before, player.now), (after, player.then))
        ]
        places = [" → ".join(str(rank or "–") for rank in dict.fromkeys(ranks))] if is_narrow else ranks
        points = _points_text(player, before, after)
        rows.append([*places, player.player, points, *verdicts, _move_text(player)])
    if is_narrow:
        return ["place", "player", "points", top, "then", ""], rows
    return ["now", "then", "player", "points", f"{top} now", f"{top} then", ""], rows


def _points_text(player: WhatIfPlayer, before: _Side, after: _Side) -> str:
    points = [
        side.results.profile.points_text(round(2 * place.points)) if place else "–"
        for side, place in ((before, player.now), (after, player.then))
    ]
    if player.now and player.then and player.now.points == player.then.points:
        del points[1]  # other rules may write points in another way
    return " → ".join(points)


def _move_text(player: WhatIfPlayer) -> str:
    moves = {None: player.chance or "", "in": "moves in", "out": "moves out"}
    return moves.get(player.moves, f"now {player.moves}")


def _verdict_text(side: _Side, player: WhatIfPlayer, place: WhatIfPlace | None, *, has_interval: bool) -> str:
    """Return `in`, `out`, `level` or `open`; for `open`, an estimated chance if there is one."""
    if place is None:
        return "out"
    if share := place.open_chance:
        text = {0.0: "no run", 1.0: "all runs"}.get(share.share) or share_text(share)
        return text + (f" ({interval_text(share)})" if has_interval else "")
    if place.stands == "open" and player.number in side.side.question.possible_drops:
        return left_text(seems_gone=player.number in side.results.presumed_drops)
    return place.stands


_MOVES = {
    "in": ("moves in", "move in"),
    "out": ("moves out", "move out"),
    "level": ("becomes level", "become level"),
    "open": ("becomes open", "become open"),
}
"""The new verdict → the verb for one player, and for several."""


def _moves_text(document: WhatIfForecast) -> str:
    """Return a sentence about the players whose verdict about the cut changes."""
    parts = []
    for verdict, verbs in _MOVES.items():
        if names := [str(player.player) for player in document.players if player.moves == verdict]:
            parts.append(f"{listed_short(names)} {verbs[len(names) > 1]}")
    if parts:
        return "; ".join(parts)
    number = sum(player.then is not None and player.then.stands == "open" for player in document.players)
    still = f"; {counted(number, 'player')} {'stays' if number == 1 else 'stay'} open" if number else ""
    return f"no player moves in or out{still}"


def _chances_text(document: WhatIfForecast) -> str:
    parts = []
    for change, word in {"rises": "better", "falls": "worse"}.items():
        if names := [str(player.player) for player in document.players if player.chance == change]:
            parts.append(f"{word} for {listed_short(names)}")
    return "; ".join(parts) or "no estimate changes by more than its interval"
