"""`tourney round`: who meets whom."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.cli.command import Noun, noun
from tourney.cli.options import at_entry, players, reason, round_number, several, table, who
from tourney.cli.output import Exit, table_text, visible
from tourney.cli.publish import answer_seated, explaining, with_posts
from tourney.cli.session import (
    Session,
    answer,
    answering,
    as_json,
    mind,
    say_changed,
    source_of,
    who_is_meant,
)
from tourney.errors import TourneyError
from tourney.event.phrases import tables_text as word_list
from tourney.record import Outcome
from tourney.wording import as_of

if TYPE_CHECKING:
    from tourney.desk import Desk, Receipt
    from tourney.desk.evidence import Since
    from tourney.desk.why import Answer
    from tourney.event.state import Round, State
    from tourney.event.systems.judging import Judged
    from tourney.event.view import ByeView, RoundView, SeatView, TableView


F = TypeVar("F", bound=Callable[..., Any])


cli = noun("round")


# -- tourney round plan, force, forbid: before a round


@cli.command(
    "plan",
    event=True,
    examples=[
        "tourney round plan",
        "tourney round plan --players 23 --rounds 5",
        "tourney round plan --players 40 --advice magic",
    ],
)
@click.option(
    "--players",
    "expected",
    type=click.IntRange(min=1),
    help="How many are expected; else those of the event.",
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    help="Rounds wished for; else those of the event, else as advised.",
)
@click.option(
    "--advice",
    default="own",
    show_default=True,
    help="Whose advice on rounds and cut: own, magic, pokemon, flesh-and-blood.",
)
def plan(session: Session, expected: int | None, rounds: int | None, advice: str) -> None:
    """Say what the numbers allow: rounds advised, when rematches begin, how many byes.

    With --players no event is needed. Of an event with three and more at a table: how many tables, and which cuts.
    """
    from tourney.pairing import plan as work_out

    awarded: tuple[int, ...] = ()
    if expected is None:
        with session.desk() as desk:
            state = desk.state
        _refuse_other_rounds(state)
        if any(size != 2 for size in state.settings.seats):
            _plan_tables(session, state)
            return
        expected, rounds = len(state.playing), rounds or state.settings.rounds
        given = [
            sum(kind.value == "awarded-bye" for kind in player.byes.values()) for player in state.playing
        ]
        awarded = tuple(number for number in given if number)
    advised = work_out(expected, rounds=rounds, awarded=awarded, advice=advice)
    if session.json:
        session.emit("plan/1", {"plan": advised})
        return
    for each in advised.reasons:
        session.say(each.text)


def _refuse_other_rounds(state: State) -> None:
    """Refuse events whose rounds are counted otherwise."""
    if state.settings.system in {"round-robin", "elimination"}:
        raise TourneyError(f"the number of rounds follows from the system: {state.settings.system}")


def _plan_tables(session: Session, state: State) -> None:
    """Say what the numbers of an event allow where three or more sit at a table."""
    from tourney.event.systems import sizes_of
    from tourney.pairing.plan import plan_tables

    settings = state.settings
    advised = plan_tables(
        len(state.playing), sizes_of(state), settings.bracket_seats, settings.bracket_advance
    )
    if session.json:
        session.emit("plan-tables/1", {"plan": advised})
        return
    for each in advised.reasons:
        session.say(each.text)


@cli.command(
    "force",
    event=True,
    dry_run=True,
    examples=["tourney round force Mira Tomo", "tourney round force Mira Tomo --table 1"],
)
@several
@click.option(
    "--round",
    "round_number",
    metavar="N",
    type=click.IntRange(min=1),
    help="The round it is for; else the next one.",
)
@click.option("--table", type=click.IntRange(min=1), help="The table they are to play at.")
def force(session: Session, who: tuple[str, ...], round_number: int | None, table: int | None) -> None:
    """Fix who meets in a round that is still to be paired."""
    with session.desk() as desk:
        answer(session, desk.force(*who, round_number=round_number, table=table))


@cli.command(
    "forbid",
    event=True,
    dry_run=True,
    examples=["tourney round forbid Mira Tomo", "tourney round forbid Mira Tomo Fenn --soft"],
)
@several
@click.option("--soft", is_flag=True, help="A wish, not a rule: they may meet if it cannot be avoided.")
@reason
def forbid(session: Session, who: tuple[str, ...], soft: bool, reason: str | None) -> None:
    """Keep players apart, from the next pairing on."""
    with session.desk() as desk:
        answer(session, desk.forbid(*who, hard=not soft, reason=reason))


# -- tourney round pair, next, release and show: the next round, its tables


def _hold(function: F) -> F:
    """Add `--hold`."""
    return click.option(
        "--hold", is_flag=True, help="Hold it back: nobody but the desk sees it until `round release`."
    )(function)


@cli.command(
    "pair",
    event=True,
    dry_run=True,
    examples=[
        "tourney round pair",
        "tourney round pair --dry-run",
        "tourney round pair --by-hand tables.txt",
        "tourney round pair --by-hand - < tables.txt",
    ],
    notes={
        "A line of --by-hand": {
            "Mira - Tomo": "A table; also Mira vs Tomo. Tables without a number take the free ones in order.",
            "4: Mira - Tomo": "Table 4.",
            "Ada bye": "Also half-bye, awarded-bye, absent.",
        }
    },
)
@click.option(
    "--by-hand",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="The organizer's own tables, a line each.",
)
@_hold
def pair(session: Session, by_hand: str | None, hold: bool) -> None:
    """Pair the next round; in the cut, the bracket's next matches.

    Who is not checked in, has no decklist or did not show in the last round is named in a warning.
    """
    from tourney.event.rounds import Manner

    text = session.read_text(by_hand) if by_hand else None
    with session.desk() as desk:
        receipt = desk.pair_round(by_hand=text, source=source_of(by_hand or "-"), manner=Manner(held=hold))
        _give(session, desk, receipt if session.dry_run else desk.with_copy(receipt))


def _give(session: Session, desk: Desk, receipt: Receipt, *, publish: bool = False) -> None:
    """Tell of a round that was paired, and publish it; people see its tables before that is done."""
    from tourney.desk.views import round_view

    if publish and session.json:
        receipt = _published(session, desk, receipt)
    with answering(session, receipt):
        _tell(session, receipt, round_view(desk))
    if session.json:
        return
    if publish:
        told, receipt = len(receipt.changed), _published(session, desk, receipt)
        with answering(session, receipt):
            for sentence in receipt.changed[told:]:
                session.changed(sentence)
    mind(session, receipt)


def _published(session: Session, desk: Desk, receipt: Receipt) -> Receipt:
    return with_posts(desk, desk.with_pages(receipt, watch=explaining(session)), session.outbox())


@cli.command(
    "next",
    event=True,
    dry_run=True,
    examples=["tourney round next", "tourney round next --start", "tourney round next --hold"],
)
@_hold
@click.option("--start", is_flag=True, help="Start the clock at once, for as long as the event says.")
@click.option(
    "--minutes",
    type=click.IntRange(min=0),
    help="Start the clock at once, for so many minutes; 0 is without limit.",
)
@click.option(
    "--anyway",
    is_flag=True,
    help="Pair also those who are absent, have no decklist in order, or did not show in the last round.",
)
def next_(session: Session, hold: bool, start: bool, minutes: int | None, anyway: bool) -> None:
    """Do all there is to do between two rounds: check, pair, copy the event, publish, start the clock.

    While results, players or decklists are missing it says which and does nothing. It publishes to the folder that
    `event change --set publish_to=DIR` names, and posts to the addresses of `--set post_to=NAME`; `--set no_show=drop` drops first whoever did not show in the last round.
    """
    from tourney.event.rounds import Manner

    start = start or minutes is not None
    if hold and start:
        raise click.UsageError("a round that is held back has no clock yet: --hold or --start, not both")
    manner = Manner(held=hold, start=start, minutes=minutes, careful=not anyway)
    with session.desk() as desk:
        receipt = desk.pair_round(manner=manner)
        if session.dry_run:
            _give(session, desk, receipt)
        else:
            _give(session, desk, desk.with_copy(receipt), publish=True)


@cli.command("release", event=True, dry_run=True, examples=["tourney round release"])
def release(session: Session) -> None:
    """Show a round that was held back: pages, sheets and slips have it from now on.

    It is published at once where the event says where to; `round start` releases, too.
    """
    with session.desk() as desk:
        receipt = desk.release_round()
        done = session.dry_run or receipt.already
        answer(session, receipt if done else _published(session, desk, receipt))


def _tell(session: Session, receipt: Receipt, view: RoundView) -> None:
    if session.json:
        session.emit("round-receipt/1", {**as_json(session, receipt), "round": view})
        return
    say_changed(session, receipt)
    session.changed(tables_text(view.tables))


@cli.command(
    "show",
    event=True,
    examples=["tourney round show", "tourney round show 2", "tourney round show --at 57"],
)
@click.argument("number", metavar="[N]", type=click.IntRange(min=1), required=False)
@round_number
@click.option("--all", "everything", is_flag=True, help="Every round.")
@at_entry
def show(
    session: Session, number: int | None, round_number: int | None, everything: bool, at: int | None
) -> None:
    """Show who meets whom, the results so far, and how the pairing is proved."""
    from tourney.desk.shared_decks import doubts
    from tourney.desk.views import round_view

    if number is not None and round_number not in {None, number}:
        raise click.UsageError(f"round {number} or round {round_number}: name one")
    round_number = number if round_number is None else round_number
    with session.look(at) as desk:
        if at is not None and not desk.state.rounds:
            raise TourneyError(
                f"no round was paired yet{as_of(at)}", "`tourney event log` tells which entry paired it"
            )
        numbers = range(1, len(desk.state.rounds) + 1) if everything else [round_number]
        views = [round_view(desk, number) for number in numbers]
        playing = [table for view in views[-1:] if view.playing for table in view.tables]
        seated = [(table.number, tuple(seat.player for seat in table.seats)) for table in playing]
        missing = list(doubts(desk, seated)) if playing else []
    if session.json:
        session.emit("rounds/1", {"rounds": views} | ({} if at is None else {"at": at}))
        return
    as_it_was = "" if at is None else f"As of entry {at}\n\n"
    session.say(as_it_was + "\n\n".join(round_text(view) for view in views))
    for each in missing:
        session.talk(f"note: {each}")


def round_text(view: RoundView) -> str:
    """Return a round as the terminal shows it."""
    proof = f": {view.proof}" if view.proof else ""
    held = " (held back)" if view.held else ""
    parts = [f"{view.title}{held}{proof}", tables_text(view.tables)]
    parts += [f"{_named(each)}: {each.kind}" for each in view.byes]
    parts += [_stale(view)] if view.stale else []
    return "\n".join(part for part in parts if part)


def _stale(view: RoundView) -> str:
    """Say that a round rests on results that do not stand any more, and what can be done about it."""
    if view.repair is None:
        return view.stale
    if not view.repair:
        return f"{view.stale}; `tourney round repair` would change no table"
    tables = "table" if len(view.repair) == 1 else "tables"
    return f"{view.stale}; `tourney round repair` would change {tables} {word_list(view.repair)}"


def tables_text(tables: Sequence[TableView]) -> str:
    """Return tables in columns: number, each seat with its points, the result."""
    if not tables:
        return ""
    seats = max(len(table.seats) for table in tables)
    pointed = any(seat.points for table in tables for seat in table.seats)
    sides = max((table.seats for table in tables), key=len)
    larger = seats > 2  # the order of seats is what places are typed in
    names = [each.side or (f"seat {number}" if larger else "player") for number, each in enumerate(sides, 1)]
    columns = [[each, "points"] if pointed else [each] for each in names]
    headers = ["table", *(name for column in columns for name in column), "result"]
    rows = [
        [str(table.number), *_cells(table.seats, seats, pointed=pointed), table.in_full] for table in tables
    ]
    right = [0, *(range(2, len(headers) - 1, 2) if pointed else ())]
    return table_text(headers, rows, right=right)


def _cells(seats: Sequence[SeatView], wanted: int, *, pointed: bool) -> list[str]:
    cells = [cell for seat in seats for cell in ((_named(seat), seat.points) if pointed else (_named(seat),))]
    return cells + [""] * (wanted * (2 if pointed else 1) - len(cells))


def _named(each: SeatView | ByeView) -> str:
    return f"{each.name} ({each.note})" if each.note else each.name


# -- tourney round start, extend, clock


@cli.command(
    "start", event=True, dry_run=True, examples=["tourney round start", "tourney round start --minutes 90"]
)
@click.option(
    "--minutes", type=click.IntRange(min=0), help="Length; 0 is without limit. Else as the event says."
)
def start(session: Session, minutes: int | None) -> None:
    """Start the clock of the current round; a round that was held back is released by it."""
    with session.desk() as desk:
        held = desk.state.round is not None and desk.state.round.held
        receipt = desk.start_round(minutes)
        answer(session, _published(session, desk, receipt) if held and not session.dry_run else receipt)


@cli.command(
    "extend",
    event=True,
    dry_run=True,
    examples=['tourney round extend 4 3 --reason "deck check"', "tourney round extend lena 5"],
)
@table
@click.argument("minutes", type=click.IntRange(min=1))
@reason
def extend(session: Session, table: str, minutes: int, reason: str | None) -> None:
    """Give a table more time: by its number, or by somebody who sits there, lena or '#7'."""
    with session.desk() as desk:
        answer(session, desk.extend(table, minutes, reason=reason))


@cli.command("clock", event=True, examples=["tourney round clock", "tourney round clock --once"])
@click.option("--once", is_flag=True, help="Say it once, as where there is no terminal.")
def clock(session: Session, once: bool) -> None:
    """Say how much time the current round has left, and which of its open tables have more.

    On a terminal it goes on, second by second and from round to round, until Ctrl-C; past the end it counts on as
    `+2:10 over`.
    """
    with session.desk() as desk:
        current = desk.state.round
        if current is None or not current.started:
            raise TourneyError("the clock of this round is not running", "`tourney round start`")
        if session.json:
            _emit_clock(session, current)
        elif once or session.quiet or not (sys.stdout.isatty() and sys.stderr.isatty()):
            session.say(_clock_line(current, session.now()))
        else:
            _run_clock(session, desk)


def _emit_clock(session: Session, current: Round) -> None:
    now = session.now()
    session.emit(
        "clock/1",
        {
            "round": current.number,
            "started": current.started,
            "minutes": current.minutes,
            "seconds_left": _left(current, now),
            "extended": dict(current.extended),
            "tables": [
                {"table": table, "minutes_more": more, "seconds_left": _left(current, now, more)}
                for table, more in _extended(current)
            ],
        },
    )


def _extended(current: Round) -> list[tuple[int, int]]:
    """Return the open tables that have more time, and how many minutes."""
    return [(table, more) for table, more in current.extended.items() if table in current.playing]


def _left(current: Round, now: datetime, more: int = 0) -> int | None:
    """Return the seconds left, negative past the end; None without a limit."""
    if not current.minutes:
        return None
    gone = (now - datetime.fromisoformat(current.started)).total_seconds()
    return int((current.minutes + more) * 60 - gone // 1)


def _clock_line(current: Round, now: datetime) -> str:
    tables = [f"table {table}: {_said(_left(current, now, more))}" for table, more in _extended(current)]
    return "; ".join([f"{current.title}: {_said(_left(current, now))}", *(tables if current.minutes else ())])


def _said(left: int | None) -> str:
    if left is None:
        return "no time limit"
    minutes, seconds = divmod(abs(left), 60)
    return f"{minutes}:{seconds:02} left" if left >= 0 else f"+{minutes}:{seconds:02} over"


def _run_clock(session: Session, desk: Desk) -> None:
    """Write the clock over itself on stderr each second, with whatever is entered meanwhile, until Ctrl-C.

    The interruption is how it ends: nothing is said about it, and the command leaves with 130.
    """
    import shutil
    import time

    try:
        while True:
            current, now = desk.refresh().round, session.now()
            line = "no round is paired" if current is None else f"{current.title}: the clock is not running"
            if current is not None and current.started:
                line = _clock_line(current, now)
            line = visible(line)[: shutil.get_terminal_size().columns - 1]
            sys.stderr.write(f"\r{line}\x1b[K")
            sys.stderr.flush()
            time.sleep(1 - now.microsecond / 1_000_000)
    except KeyboardInterrupt:
        raise click.exceptions.Exit(Exit.INTERRUPTED) from None
    finally:
        sys.stderr.write("\n")


# -- tourney round edit, repair, cancel: tables changed, each change with its receipt


edit = Noun("edit", help="Change tables of the current round by hand: allowed, checked, recorded.")


cli.add_command(edit)


@edit.command("swap", event=True, dry_run=True, examples=["tourney round edit swap Mira Tomo"])
@click.argument("one", metavar="PLAYER", shell_complete=players)
@click.argument("other", metavar="PLAYER", shell_complete=players)
@reason
def swap(session: Session, one: str, other: str, reason: str | None) -> None:
    """Let two players change seats (a seat and a bye too)."""
    answer_seated(session, lambda desk: desk.swap(one, other, reason=reason))


@edit.command(
    "set",
    event=True,
    dry_run=True,
    examples=["tourney round edit set 4 Mira Tomo", "tourney round edit set lena Lena Tomo"],
)
@table
@several
@reason
def set_(session: Session, table: str, who: tuple[str, ...], reason: str | None) -> None:
    """Seat exactly these players at a table; whoever they leave behind changes places.

    TABLE is its number, or somebody who sits there: lena or '#7'. A number that the round has not is a new table.
    """
    answer_seated(session, lambda desk: desk.seat(table, *who, reason=reason))


@edit.command(
    "move",
    event=True,
    dry_run=True,
    examples=["tourney round edit move 5 12", 'tourney round edit move lena 1 --reason "wheelchair"'],
)
@table
@click.argument("to", type=click.IntRange(min=1))
@reason
def move(session: Session, table: str, to: int, reason: str | None) -> None:
    """Move the match of a table to another one; where a match is there, the two change tables.

    TABLE is its number, or somebody who sits there: lena or '#7'.
    """
    answer_seated(session, lambda desk: desk.move(table, to, reason=reason))


@edit.command(
    "bye",
    event=True,
    dry_run=True,
    examples=["tourney round edit bye Mira", "tourney round edit bye Mira --kind half-bye"],
)
@who
@click.option(
    "--kind",
    type=click.Choice(["bye", "awarded-bye", "half-bye", "absent"]),
    default="bye",
    show_default=True,
    help="What the round counts as.",
)
@reason
def bye(session: Session, who: str, kind: str, reason: str | None) -> None:
    """Take a player from their table; an opponent left alone takes the seat of whoever had the bye."""
    answer_seated(session, lambda desk: desk.bye(who, kind, reason=reason))


@cli.command(
    "repair",
    event=True,
    dry_run=True,
    examples=["tourney round repair", 'tourney round repair --reason "Tomo left"'],
)
@reason
def repair(session: Session, reason: str | None) -> None:
    """Pair the current round again around a drop, a late entry or a corrected result.

    Tables with a result stay; of the others the fewest are changed.
    """
    answer_seated(session, lambda desk: desk.repair_round(reason=reason))


@cli.command(
    "cancel", event=True, dry_run=True, examples=['tourney round cancel --reason "paired too early"']
)
@reason
def cancel(session: Session, reason: str | None) -> None:
    """Take back the last round with whatever was entered in it; `event undo` brings it back."""
    answer_seated(session, lambda desk: desk.cancel_round(reason=reason))


# -- tourney round why and why-not: the engine answers in an organizer's words


@cli.command(
    "why",
    event=True,
    examples=["tourney round why 7", "tourney round why Mira", "tourney round why bye --round 2 --json"],
)
@click.argument("what", metavar="TABLE|PLAYER|bye", shell_complete=players)
@round_number
def why(session: Session, what: str, round_number: int | None) -> None:
    """Say why a table was paired so, or why somebody has no opponent: points, who had to be paired down, what decided.

    Works for every system: a round robin tells its schedule, a bracket who came from which match. A round is explained
    by the results as they stood when its tables were made.
    """
    from tourney.desk.why import why as explain

    with session.desk() as desk:
        reply = explain(desk, round_number, what)
    explanation = reply.said
    if session.json:
        session.emit("why/1", {**_head(reply), "explanation": explanation, "names": reply.names})
        return
    seats = " – ".join(reply.names[player] for player in explanation.players)
    table = getattr(explanation, "table", None)
    session.say(f"{reply.round.title}, {f'table {table.number}' if table else _no_table(reply)}: {seats}")
    _say(session, reply)
    session.say(f"decided by: {_decided_by(reply)}")


def _no_table(reply: Answer) -> str:
    """Say what a player without a table has: who rests in a round robin has no bye."""
    byes = reply.round.byes
    return "the bye" if any(byes.get(each) is Outcome.BYE for each in reply.said.players) else "no opponent"


def _decided_by(reply: Answer) -> str:
    if reply.how != "engine":
        return f"{reply.how} ({reply.entered.by}, entry {reply.entered.entry})"
    decided = getattr(reply.said, "decided_by", "")
    return _LEVELS.get(decided, decided.replace("_", " "))


_LEVELS = {
    "rematches": "rematches",
    "times_met": "how often players have met",
    "bye_earlier": "earlier byes",
    "bye_points": "the points of the bye",
    "differences": "gaps in points",
    "apart": "who is kept apart",
    "order": "the order of the round",
    "floats": "who was paired down or up before",
    "imbalance": "sides",
    "side_repeats": "sides",
    "forced": "the organizer",
    "impossible": "who may meet whom",
    "seed": "chance, by the seed",
    "schedule": "the schedule",
    "bracket": "the bracket",
    "pods": "rematches, gaps in points and who is kept apart, in the whole round",
    "dutch": "the FIDE Dutch rules",
}
"""What decided, in words; everything else is called as it is."""


def _head(reply: Answer) -> dict[str, Any]:
    """Return what `--json` says before the answer: the round, who made the table, whether results changed since."""
    entered = reply.entered
    made = {"how": reply.how, "by": entered.by, "entry": entered.entry, "at": entered.at}
    return {"round": reply.round.number, "system": reply.round.system, "made": made, "stale": reply.stale}


def _say(session: Session, reply: Answer) -> None:
    if reply.stale:
        session.say(f"  {reply.stale}: explained by the results as they stood then")
    for each in reply.said.reasons:
        session.say(f"  {each.text}")


@cli.command(
    "why-not",
    event=True,
    examples=["tourney round why-not Mira Tomo", "tourney round why-not Mira bye --json"],
)
@click.argument("one", metavar="PLAYER", shell_complete=players)
@click.argument("other", metavar="PLAYER|bye", shell_complete=players)
@round_number
def why_not(session: Session, one: str, other: str, round_number: int | None) -> None:
    """Say what it would have cost to pair two players, or to give one the bye; or what stands against it."""
    from tourney.desk.why import why_not as weigh
    from tourney.pairing import NOBODY

    with session.desk() as desk:
        first = who_is_meant(session, desk, one)
        second = NOBODY if other.casefold() == "bye" else who_is_meant(session, desk, other)
        reply = weigh(desk, round_number, first, second)
    if session.json:
        session.emit("why-not/1", {**_head(reply), "price": reply.said, "names": reply.names})
        return
    names = reply.names
    pairing = f"{names[first]} – {names[second]}" if second != NOBODY else f"the bye for {names[first]}"
    session.say(f"{reply.round.title}, {pairing}:")
    _say(session, reply)


# -- tourney round check and prove: a round of whatever system held against its rules, and what of it is proved


@cli.command("check", event=True, examples=["tourney round check", "tourney round check --round 2"])
@round_number
def check(session: Session, round_number: int | None) -> Exit | None:
    """Check a round as it stands against history and rules: seats, rematches, byes, floats, cost, the system's tables.

    Every system is checked, and rounds by hand and of a cut too. Leaves with 1 where something breaks a rule, with 4
    where something could not be settled (Dutch tables without the extra `fide`); advice alone is fine.
    """
    from tourney.cli.output import say_findings
    from tourney.desk.evidence import since
    from tourney.desk.round_check import judge

    with session.desk() as desk:
        judged = judge(desk, round_number)
        basis = since(desk.evidence(), judged.question.round, seen=judged.question.before.entry)
    round_ = judged.question.round
    if session.json:
        session.emit(
            "round-check/1",
            {
                "round": round_.number,
                "system": round_.system,
                "stage": round_.stage,
                "findings": judged.findings,
                "as_of": basis.entry,
                "stale": basis.text,
            },
        )
    elif judged.findings:
        session.say(f"{round_.title}:")
        say_findings(session, judged.findings)
    else:
        session.say(f"{round_.title}: {judged.fine}")
    _say_stale(session, basis)
    if not judged.legal:
        return Exit.FOUND
    return None if judged.settled else Exit.UNVERIFIED


def _say_stale(session: Session, basis: Since) -> None:
    """Say where what was found holds for results that do not stand any more."""
    if basis.text and not session.json:
        session.say(f"that is on the results as of entry {basis.entry}: {basis.text}")


@cli.command("prove", event=True, examples=["tourney round prove", "tourney round prove --round 3 --json"])
@round_number
def prove(session: Session, round_number: int | None) -> Exit | None:
    """Say what is proved of a round and what is not, with its cost and the lower bound.

    `--json` is the whole proof with all it rests on: `scripts/check-certificate` checks it without this program. Leaves
    with 1 where a round is not what its system promises, with 4 where that could not be settled.
    """
    from tourney.desk.evidence import since
    from tourney.desk.round_check import judge, proof_of

    with session.desk() as desk:
        judged = judge(desk, round_number)
        if session.json:
            session.emit("proof/1", proof_of(desk, judged))
        else:
            _say_check(session, judged, imported=desk.state.is_imported(judged.question.round.paired))
            _say_stale(
                session, since(desk.evidence(), judged.question.round, seen=judged.question.before.entry)
            )
    if not judged.by_hand and judged.proved() is False:
        return Exit.FOUND
    return None if judged.settled else Exit.UNVERIFIED


def _say_check(session: Session, judged: Judged, *, imported: bool) -> None:
    round_, best = judged.question.round, judged.best
    title = "paired by hand" if round_.system == "manual" else judged.question.pairing.proof
    title = "imported" if imported else title
    session.say(f"{round_.title}: {title or judged.fine}")
    if judged.cost is not None and best is not None:
        cost, least = judged.cost.as_dict(), best.bound.as_dict()
        rows = [(level.replace("_", " "), cost[level], least[level]) for level in cost]
        session.table(["level", "cost", "at least"], rows, right=(1, 2))
    for heading, proved in (("proved", True), ("not proved", None), ("not so", False)):
        for claim in judged.claims:
            if claim.proved is proved:
                session.say(f"{heading}: {claim.text}")
    session.talk("`--json` prints the whole certificate; the numbers are half points and their squares")
