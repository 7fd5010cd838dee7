"""`tourney round why`, `why-not`, `plan`: the engine answers in an organizer's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.completers import players
from tourney.cli.options import round_number
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.record import Outcome

if TYPE_CHECKING:
    from tourney.desk.why import Answer
    from tourney.event.state import State


@command(
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
        told = explain(desk, round_number, what)
    said = told.said
    if session.json:
        session.emit("why/1", {**_head(told), "explanation": said, "names": told.names})
        return
    seats = " – ".join(told.names[player] for player in said.players)
    table = getattr(said, "table", None)
    session.say(f"{told.known.title}, {f'table {table.number}' if table else _no_table(told)}: {seats}")
    _say(session, told)
    session.say(f"decided by: {_decided_by(told)}")


def _no_table(told: Answer) -> str:
    """Say what a player without a table has: who rests in a round robin has no bye."""
    byes = told.known.byes
    return "the bye" if any(byes.get(each) is Outcome.BYE for each in told.said.players) else "no opponent"


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


def _decided_by(told: Answer) -> str:
    if told.how != "engine":
        return f"{told.how} ({told.entered.by}, entry {told.entered.entry})"
    decided = getattr(told.said, "decided_by", "")
    return _LEVELS.get(decided, decided.replace("_", " "))


def _head(told: Answer) -> dict[str, Any]:
    """Return what `--json` says before the answer: the round, who made the table, whether results changed since."""
    entered = told.entered
    made = {"how": told.how, "by": entered.by, "entry": entered.entry, "at": entered.at}
    return {"round": told.known.number, "system": told.known.system, "made": made, "stale": told.stale}


def _say(session: Session, told: Answer) -> None:
    if told.stale:
        session.say(f"  {told.stale}: explained by the results as they stood then")
    for reason in told.said.reasons:
        session.say(f"  {reason.text}")


@command(
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
        first = desk.who(one)
        second = NOBODY if other.casefold() == "bye" else desk.who(other)
        told = weigh(desk, round_number, first, second)
    if session.json:
        session.emit("why-not/1", {**_head(told), "price": told.said, "names": told.names})
        return
    names = told.names
    wanted = f"{names[first]} – {names[second]}" if second != NOBODY else f"the bye for {names[first]}"
    session.say(f"{told.known.title}, {wanted}:")
    _say(session, told)


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
    "--advice",
    default="own",
    show_default=True,
    help="Whose advice on rounds and cut: own, magic, pokemon, flesh-and-blood.",
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
