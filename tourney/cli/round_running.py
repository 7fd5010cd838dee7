"""`tourney round`: pair, show and change rounds, run their clock, list calls for a judge."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

import click
from msgspec import UNSET

import tourney.desk as desks
from tourney.cli.command import change_command, command
from tourney.cli.options import (
    at_entry,
    choice,
    flag,
    player_argument,
    players,
    players_argument,
    positive,
    reason,
    round_number,
    table,
)
from tourney.cli.output import table_text, terminal_width, visible
from tourney.cli.session import Exit, Session, source_of
from tourney.desk import Desk, Receipt
from tourney.desk.documents import PairingAnswer
from tourney.document import or_unset
from tourney.errors import TourneyError
from tourney.event import showing
from tourney.event.claims import ClaimedResult
from tourney.event.documents import Calls, ShownRounds, clock_document
from tourney.event.phrases import tables_text
from tourney.event.rounds import Manner
from tourney.event.state import Round
from tourney.event.view import ByeView, RoundView, SeatView
from tourney.wording import as_of, clock_time

# -- tourney round force, forbid: before a round


@change_command("force")
@players_argument
@positive("--round", "round_number", help="The round; the next one by default.")
@positive("--table", help="The table where they meet.")
def force(desk: Desk, player_names: tuple[str, ...], round_number: int | None, table: int | None) -> Receipt:
    """Make players meet in a round that is not paired yet.

    Examples:
      tourney round force Mira Tomo
      tourney round force Mira Tomo --table 1
    """
    return desk.force(*player_names, round_number=round_number, table=table)


@change_command("forbid")
@players_argument
@flag("--soft", help="Keep the players apart only if that is possible.")
@reason
def forbid(desk: Desk, player_names: tuple[str, ...], soft: bool, reason: str | None) -> Receipt:
    """Keep these players apart, from the next pairing on.

    Examples:
      tourney round forbid Mira Tomo
      tourney round forbid Mira Tomo Fenn --soft
    """
    return desk.forbid(*player_names, hard=not soft, reason=reason)


# -- tourney round pair, next, release: the next round


_anyway = flag(
    "--anyway", help="Pair although players are absent, have no legal list, or missed the last round."
)
_hold = flag("--hold", help="Hold the round back: only the desk sees it until `round release`.")


@command("pair", changes=True)
@click.option(
    "--by-hand", metavar="FILE", type=click.Path(allow_dash=True), help="A file of tables, one per line."
)
@_hold
@_anyway
def pair(session: Session, by_hand: str | None, hold: bool, anyway: bool) -> None:
    """Pair the next round, by the engine or by hand, without publishing it.

    `round next` is the usual command. If a player or a list is missing, the command says so and stops, as
    `round next` does. In the cut, it pairs the bracket's next matches.

    Examples:
      tourney round pair
      tourney round pair --dry-run
      tourney round pair --by-hand tables.txt
      tourney round pair --by-hand - < tables.txt

    A line of --by-hand:
      Mira - Tomo      A table; also Mira vs Tomo. Tables without a number get the free numbers in order.
      4: Mira - Tomo   Table 4.
      Ada bye          Also half-bye, awarded-bye, absent.
    """
    text = session.read_text(by_hand) if by_hand else None
    with session.desk() as desk:
        receipt = desk.pair_round(
            by_hand=text, source=source_of(by_hand or "-"), manner=Manner(hold_back=hold, careful=not anyway)
        )
        _answer_paired(session, desk, receipt, publish=False)


def _answer_paired(session: Session, desk: Desk, receipt: Receipt, *, publish: bool) -> None:
    """Back up the event, show the new round, then publish it if `publish` is true.

    The user sees the tables before the players do, except with --json. A dry run only shows the round.
    """
    if session.dry_run:
        publish = False
    else:
        from tourney.desk import files

        receipt = files.with_copy(desk, receipt)
    if session.json:
        from tourney.desk.views import round_view

        receipt = session.publish(desk, receipt) if publish else receipt
        session.answer(receipt, PairingAnswer, round=round_view(desk))
        return
    # The desk's `round_view` would also look for changed results, which a new round cannot have.
    with session.answering(*receipt.changed):
        session.show_changes(receipt)
        points = showing.points_after(desk.state, desk.profile())
        view = showing.round_view(desk.state, desk.state.rounds[-1], points)
        session.say_change(_tables(view))
    if publish:
        shown_count, receipt = len(receipt.changed), session.publish(desk, receipt)
        with session.answering(*receipt.changed):
            for sentence in receipt.changed[shown_count:]:
                session.say_change(sentence)
    session.show_next(receipt)


@command("next", changes=True)
@_hold
@flag("--start", help="Start the clock for the event's round length.")
@click.option(
    "--minutes", type=click.IntRange(min=0), help="Start the clock for this many minutes; 0 for no limit."
)
@_anyway
def next_(session: Session, hold: bool, start: bool, minutes: int | None, anyway: bool) -> None:
    """Pair the next round: check, pair, back up the event, publish, start the clock.

    If results, players or decklists are missing, the command says so and stops. It publishes to the folder
    that `event change --set publish_to=DIR` names, and posts to the addresses of `--set post_to=NAME`; with
    `--set no_show=drop`, it first drops the players who did not show in the last round.

    Examples:
      tourney round next
      tourney round next --start
      tourney round next --hold
    """
    start = start or minutes is not None
    if hold and start:
        raise click.UsageError("a round that is held back has no clock yet: --hold or --start, not both")
    manner = Manner(hold_back=hold, start=start, minutes=minutes, careful=not anyway)
    with session.desk() as desk:
        _answer_paired(session, desk, desk.pair_round(manner=manner), publish=True)


@command("release", changes=True)
def release(session: Session) -> None:
    """Release a round that was held back, so that pages, sheets and slips show it.

    The round is published at once if the event has a folder for pages. `round start` also releases a round.

    Examples:
      tourney round release
    """
    with session.desk() as desk:
        receipt = desk.release_round()
        skips_publishing = session.dry_run or receipt.already
        session.answer(receipt if skips_publishing else session.publish(desk, receipt))


# -- tourney round show


@command("show", event=True)
@click.argument("number", metavar="[N]", type=click.IntRange(min=1), required=False)
@round_number
@flag("--all", "everything", help="Show every round.")
@at_entry
def show(
    session: Session, number: int | None, round_number: int | None, everything: bool, at: int | None
) -> None:
    """Show the tables of a round, the results so far, and the proof of the pairing.

    Examples:
      tourney round show
      tourney round show 2
      tourney round show --at 57
    """
    from tourney.desk.views import round_view

    if number is not None and round_number not in {None, number}:
        raise click.UsageError(f"two rounds are given, {number} and {round_number}; give one")
    round_number = number if round_number is None else round_number
    with session.look(at) as desk:
        if at is not None and not desk.state.rounds:
            raise TourneyError(
                f"no round was paired yet{as_of(at)}", "`tourney event log` shows which entry paired a round"
            )
        newest = len(desk.state.rounds)
        numbers = range(1, newest + 1) if everything else [round_number]
        views = [round_view(desk, shown_number, with_score=session.json) for shown_number in numbers]
        missing = _missing_decks(desk, views[-1]) if views else []
        claims = desk.claims() if views and views[-1].number == newest else ()
    session.emit(ShownRounds(rounds=tuple(views), claims=claims or UNSET, at=or_unset(at)))
    _say_rounds(session, views, claims, missing, at)


def _missing_decks(desk: Desk, view: RoundView) -> list[str]:
    """Return warnings about shared decks that are missing at the tables of a round.

    Returns no warnings if the round is over, or if the format does not have shared decks.
    """
    if not view.playing or not desk.rules.may_share:
        return []
    seats_by_table = [(table.number, tuple(seat.player for seat in table.seats)) for table in view.tables]
    return list(desks.missing_list_warnings(desk, seats_by_table))


def _say_rounds(
    session: Session,
    views: Sequence[RoundView],
    claims: Sequence[ClaimedResult],
    missing: Sequence[str],
    at: int | None,
) -> None:
    """Show several rounds.

    claims:  the players' reports of results in the last round
    missing: warnings about decks that are missing in the last round
    """
    marks = {claim.table: claim.mark for claim in claims}
    texts = [round_text(view, marks if view is views[-1] else {}) for view in views]
    session.say(("" if at is None else f"As of entry {at}\n\n") + "\n\n".join(texts))
    if claims:
        session.talk("reported by the players: `tourney result claims`")
    for warning in missing:
        session.talk(f"note: {warning}")


def round_text(view: RoundView, marks: Mapping[int, str] = MappingProxyType({})) -> str:
    """Return a round as text. marks: table number → what to show if it has no result."""
    proof = f": {view.proof}" if view.proof else ""
    held_note = " (held back)" if view.held else ""
    parts = [f"{view.title}{held_note}{proof}", _tables(view, marks)]
    parts += [f"{_seat_name(bye)}: {bye.kind}" for bye in view.byes]
    parts += [
        f"table {table.number} has agreed upon its {deck.name.lower()}: {deck.in_a_line}"
        for table in view.tables
        for deck in table.decks
    ]
    parts += [_stale(view)] if view.stale else []
    return "\n".join(part for part in parts if part)


def _stale(view: RoundView) -> str:
    """Return a warning that results have changed since the round was paired from them.

    If it is known which tables `tourney round repair` would change, the warning names them.
    """
    if view.repair is None:
        return view.stale
    if not view.repair:
        return f"{view.stale}; `tourney round repair` would change no table"
    tables = "table" if len(view.repair) == 1 else "tables"
    return f"{view.stale}; `tourney round repair` would change {tables} {tables_text(view.repair)}"


def _tables(view: RoundView, marks: Mapping[int, str] = MappingProxyType({})) -> str:
    """Return the tables of a round in columns.

    The columns are number, match (if there are several kinds), seats with points, and result.
    """
    if not view.tables:
        return ""
    widest = max((table.seats for table in view.tables), key=len)
    has_points = any(seat.points for table in view.tables for seat in table.seats)

    def row(number: str, match: str, seats: Sequence[tuple[str, str]], result: str) -> list[str]:
        """Return the cells of a row, without the columns that this round does not need."""
        cells = [cell for name, points in seats for cell in ((name, points) if has_points else (name,))]
        empty = [""] * ((len(widest) - len(seats)) * (2 if has_points else 1))
        return [number, *([match] if view.mixed else []), *cells, *empty, result]

    in_order = [f"seat {n}" if len(widest) > 2 else "player" for n in range(1, len(widest) + 1)]
    titles = [(seat.side or place, "points") for seat, place in zip(widest, in_order, strict=True)]
    headers = row("table", "match", titles, "result")  # results are typed in the order of the seats
    rows = [
        row(
            str(table.number),
            table.label,
            [(_seat_name(seat), seat.points) for seat in table.seats],
            table.in_full or marks.get(table.number, ""),
        )
        for table in view.tables
    ]
    right = [0, *(at for at, header in enumerate(headers) if header == "points")]
    return table_text(headers, rows, right=right)


def _seat_name(seat: SeatView | ByeView) -> str:
    return f"{seat.name} ({seat.note})" if seat.note else seat.name


# -- tourney round start, extend, clock: the time of a round


@command("start", changes=True)
@click.option(
    "--minutes", type=click.IntRange(min=0), help="Minutes in the round; 0 for no limit. Default: as set."
)
def start(session: Session, minutes: int | None) -> None:
    """Start the clock of the current round. This releases a round that was held back.

    Examples:
      tourney round start
      tourney round start --minutes 90
    """
    with session.desk() as desk:
        was_held = desk.state.round is not None and desk.state.round.held
        receipt = desk.start_round(minutes)
        session.answer(session.publish(desk, receipt) if was_held and not session.dry_run else receipt)


@change_command("extend")
@table
@click.argument("minutes", type=click.IntRange(min=1))
@reason
def extend(desk: Desk, table: str, minutes: int, reason: str | None) -> Receipt:
    """Give a table more time.

    TABLE is the number of a table, or a player who sits there: lena or '#7'.

    Examples:
      tourney round extend 4 3 --reason "deck check"
      tourney round extend lena 5
    """
    return desk.extend(table, minutes, reason=reason)


@command("clock", event=True)
@flag("--once", help="Show the time once, instead of a running clock.")
def clock(session: Session, once: bool) -> None:
    """Show how much time the current round has left, and which open tables have extra time.

    On a terminal the clock runs until Ctrl-C, also into later rounds. After the end it counts on, as in
    `+2:10 over`.

    Examples:
      tourney round clock
      tourney round clock --once
    """
    with session.desk() as desk:
        current = desk.state.round
        if current is None or not current.started:
            raise TourneyError("the clock of this round is not running", "`tourney round start`")
        session.emit(clock_document(current, session.now()))
        if once or session.json or session.quiet or not (sys.stdout.isatty() and sys.stderr.isatty()):
            session.say(_clock_line(current, session.now()))
        else:
            _run_clock(session, desk)


def _clock_line(current: Round, now: datetime) -> str:
    """Return the time left in the round, and the time left at each open table with extra time."""
    tables = [
        f"table {table.number}: {_format_time_left(current.seconds_left(now, table.extra_minutes))}"
        for table in current.open_tables
        if table.extra_minutes and current.minutes
    ]
    return "; ".join([f"{current.title}: {_format_time_left(current.seconds_left(now))}", *tables])


def _format_time_left(seconds_left: int | None) -> str:
    if seconds_left is None:
        return "no time limit"
    minutes, seconds = divmod(abs(seconds_left), 60)
    return f"{minutes}:{seconds:02} left" if seconds_left >= 0 else f"+{minutes}:{seconds:02} over"


def _run_clock(session: Session, desk: Desk) -> None:
    """Write the clock on one line of stderr every second, until Ctrl-C.

    The line follows changes of the event. Ctrl-C is the normal end: no message is shown, and the command
    exits with 130.
    """
    try:
        while True:
            current, now = desk.refresh().round, session.now()
            line = "no round is paired" if current is None else f"{current.title}: the clock is not running"
            if current is not None and current.started:
                line = _clock_line(current, now)
            line = visible(line)[: terminal_width() - 1]
            sys.stderr.write(f"\r{line}\x1b[K")
            sys.stderr.flush()
            time.sleep(1 - now.microsecond / 1_000_000)
    except KeyboardInterrupt:
        raise click.exceptions.Exit(Exit.INTERRUPTED) from None
    finally:
        sys.stderr.write("\n")


# -- tourney round calls


@command("calls", changes=True)
@positive("--answered", metavar="ENTRY", help="Mark the call in this entry as answered.")
def calls(session: Session, answered: int | None) -> None:
    """List the calls for a judge, or mark one as answered.

    Examples:
      tourney round calls
      tourney round calls --answered 57
    """
    with session.desk() as desk:
        if answered is not None:
            session.answer(desk.answer_call(answered))
            return
        open_calls = desk.calls()
    session.emit(Calls(calls=open_calls))
    rows = [(call.entry, clock_time(call.at), call.table, call.player, call.about) for call in open_calls]
    if rows:
        session.table(["entry", "since", "table", "player", "about"], rows, right=(0, 2))
        session.talk(f"after a judge has answered the call: `tourney round calls --answered {rows[0][0]}`")
    else:
        session.talk("no calls for a judge")


# -- tourney round edit, repair, cancel


@change_command("swap", seats=True)
@click.argument("one", metavar="PLAYER", shell_complete=players)
@click.argument("other", metavar="PLAYER", shell_complete=players)
@reason
def swap(desk: Desk, one: str, other: str, reason: str | None) -> Receipt:
    """Swap the seats of two players. One of them may have a bye.

    Examples:
      tourney round edit swap Mira Tomo
    """
    return desk.swap(one, other, reason=reason)


@change_command("set", seats=True)
@table
@players_argument
@reason
def set_(desk: Desk, table: str, player_names: tuple[str, ...], reason: str | None) -> Receipt:
    """Seat exactly these players at a table.

    Players who lose their seats get the seats that become free.

    TABLE is the number of a table, or a player who sits there: lena or '#7'. A new number makes a new table.

    Examples:
      tourney round edit set 4 Mira Tomo
      tourney round edit set lena Lena Tomo
    """
    return desk.seat(table, *player_names, reason=reason)


@change_command("move", seats=True)
@table
@click.argument("to", type=click.IntRange(min=1))
@reason
def move(desk: Desk, table: str, to: int, reason: str | None) -> Receipt:
    """Move the match of a table to another table.

    If that table has a match, the two matches swap tables.

    TABLE is the number of a table, or a player who sits there: lena or '#7'.

    Examples:
      tourney round edit move 5 12
      tourney round edit move lena 1 --reason "wheelchair"
    """
    return desk.move(table, to, reason=reason)


@change_command("bye", seats=True)
@player_argument
@choice("--kind", ["bye", "awarded-bye", "half-bye", "absent"], help="What the round counts as.")
@reason
def bye(desk: Desk, player_name: str, kind: str, reason: str | None) -> Receipt:
    """Remove a player from a table.

    An opponent who is left alone gets the bye. If another player already has the bye, the two play each
    other. In that case, `--kind bye` (the default) is refused: use `round edit swap` instead.

    Examples:
      tourney round edit bye Mira
      tourney round edit bye Mira --kind half-bye
    """
    return desk.bye(player_name, kind, reason=reason)


@change_command("repair", seats=True)
@reason
def repair(desk: Desk, reason: str | None) -> Receipt:
    """Pair the current round again after a drop, a late entry or a corrected result.

    Tables with a result stay, and as few others as possible are changed.

    Examples:
      tourney round repair
      tourney round repair --reason "Tomo left"
    """
    return desk.repair_round(reason=reason)


@change_command("cancel", seats=True)
@reason
def cancel(desk: Desk, reason: str | None) -> Receipt:
    """Cancel the last round with everything entered in it. `event undo` restores it.

    Examples:
      tourney round cancel --reason "paired too early"
    """
    return desk.cancel_round(reason=reason)
