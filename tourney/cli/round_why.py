"""`tourney round why`, `why-not`, `plan`: the engine answers in an organizer's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.completers import players
from tourney.cli.options import round_number
from tourney.cli.session import Session
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.desk.questions import Asked
    from tourney.event.state import State
    from tourney.pairing import Reason


@command(
    "why",
    event=True,
    examples=["tourney round why 7", "tourney round why Mira", "tourney round why bye --round 2 --json"],
)
@click.argument("what", metavar="TABLE|PLAYER|bye", shell_complete=players)
@round_number
def why(session: Session, what: str, round_number: int | None) -> None:
    """Say why a table was paired so, or why somebody has the bye: the groups, who had to float, what decided."""
    from tourney.desk.questions import ask
    from tourney.event.field import groups_of
    from tourney.pairing import why as explain

    with session.desk() as desk:
        asked = ask(desk, round_number)
        told = explain(
            asked.field.entrants,
            asked.options,
            asked.pairing,
            _meant(desk, asked, what),
            name=asked.name,
            group=groups_of(desk.state),
        )
    if session.json:
        session.emit(
            "why/1", {"round": asked.known.number, "explanation": told, "names": _names(asked, told.reasons)}
        )
        return
    seats = " – ".join(asked.name(player) for player in told.players)
    place = f"table {told.table.number}" if told.table else "the bye"
    session.say(f"{asked.known.title}, {place}: {seats}")
    if asked.known.system == "manual":
        _say(session, [each for each in told.reasons if each.what != "seed"])
        session.say(f"decided by: hand ({asked.known.paired.by}, entry {asked.known.paired.entry})")
        return
    _say(session, told.reasons)
    session.say(f"decided by: {told.decided_by.replace('_', ' ')}")


def _meant(desk: Desk, asked: Asked, what: str) -> int | None:
    """Return the table that `TABLE|PLAYER|bye` means, None for the bye."""
    if what.isascii() and what.isdigit():
        if int(what) not in asked.known.tables:
            raise TourneyError(
                f"{asked.known.title} has no table {what}",
                f"tables: {', '.join(map(str, asked.known.tables))}",
            )
        return int(what)
    if what.casefold() == "bye":
        if asked.pairing.bye is None:
            raise TourneyError(f"nobody has the bye in {asked.known.title.lower()}")
        return None
    player = desk.who(what)
    table = asked.known.table_of(player)
    if table is None and player != asked.pairing.bye:
        said = asked.absent.get(player, "was not paired")
        raise TourneyError(f"{asked.name(player)} has no table in {asked.known.title.lower()}: {said}")
    return table.number if table else None


def _say(session: Session, reasons: Sequence[Reason]) -> None:
    for reason in reasons:
        session.say(f"  {reason.text}")


def _names(asked: Asked, reasons: Sequence[Reason]) -> dict[str, str]:
    return {str(player): asked.name(player) for reason in reasons for player in reason.players}


@command(
    "why-not",
    event=True,
    examples=["tourney round why-not Mira Tomo", "tourney round why-not Mira bye --json"],
)
@click.argument("one", metavar="PLAYER", shell_complete=players)
@click.argument("other", metavar="PLAYER|bye", shell_complete=players)
@round_number
def why_not(session: Session, one: str, other: str, round_number: int | None) -> None:
    """Say what it would have cost to pair two players, or to give one the bye."""
    from tourney.desk.questions import ask
    from tourney.event.field import groups_of
    from tourney.pairing import NOBODY
    from tourney.pairing import why_not as price

    with session.desk() as desk:
        asked = ask(desk, round_number)
        first = desk.who(one)
        second = NOBODY if other.casefold() == "bye" else desk.who(other)
        told = price(
            asked.field.entrants,
            asked.options,
            asked.known.seed,
            first,
            second,
            pairing=asked.pairing,
            name=asked.name,
            group=groups_of(desk.state),
        )
    if session.json:
        session.emit(
            "why-not/1", {"round": asked.known.number, "price": told, "names": _names(asked, told.reasons)}
        )
        return
    wanted = (
        f"{asked.name(first)} – {asked.name(second)}"
        if second != NOBODY
        else f"the bye for {asked.name(first)}"
    )
    session.say(f"{asked.known.title}, {wanted}:")
    _say(session, told.reasons)


@command(
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
    "--advice", default="own", show_default=True, help="Whose table: own, magic, pokemon, flesh-and-blood."
)
def plan(session: Session, expected: int | None, rounds: int | None, advice: str) -> None:
    """Say what the numbers allow: rounds advised, when rematches begin, how many byes.

    With --players no event is needed.
    """
    from tourney.pairing import plan as work_out

    awarded: tuple[int, ...] = ()
    if expected is None:
        with session.desk() as desk:
            state = desk.state
        _refuse_other_tables(state)
        expected, rounds = len(state.playing), rounds or state.settings.rounds
        given = [
            sum(kind.value == "awarded-bye" for kind in player.byes.values()) for player in state.playing
        ]
        awarded = tuple(number for number in given if number)
    told = work_out(expected, rounds=rounds, awarded=awarded, advice=advice)
    if session.json:
        session.emit("plan/1", {"plan": told})
        return
    for reason in told.reasons:
        session.say(reason.text)


def _refuse_other_tables(state: State) -> None:
    """Refuse events whose rounds are counted otherwise: the advice is for Swiss rounds of two at a table."""
    if state.settings.system in {"round-robin", "elimination"}:
        raise TourneyError(f"the number of rounds follows from the system: {state.settings.system}")
    if any(size != 2 for size in state.settings.seats):
        raise TourneyError(
            "the plan is for two at a table, and this event has more", "`tourney round pair --dry-run`"
        )
