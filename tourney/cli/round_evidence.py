"""`tourney round why`, `why-not`, `check`, `prove`: explanations and proofs of a round."""

from __future__ import annotations

from collections.abc import Sequence

import click

from tourney.cli.command import command
from tourney.cli.options import players, round_number
from tourney.cli.session import Exit, Session
from tourney.desk import Desk
from tourney.desk.corrections import Basis, basis_of
from tourney.desk.proofs import RoundCheck, RoundWhy, explain_table, judge, price_pairing, proof_of
from tourney.event.state import Round
from tourney.event.systems.system import Judgment, repair_text
from tourney.pairing import NOBODY, Reason
from tourney.record import Outcome

# -- tourney round why and why-not


@command("why", event=True)
@click.argument("subject", metavar="TABLE|PLAYER|bye", shell_complete=players)
@round_number
def why(session: Session, subject: str, round_number: int | None) -> None:
    """Explain a table, or why a player has no opponent.

    The explanation shows the points, the players who had to be paired down, and the deciding reason.

    This works for every system: a round robin is explained by its schedule, a bracket by earlier matches. The
    explanation uses the results that were known when the tables were made.

    Examples:
      tourney round why 7
      tourney round why Mira
      tourney round why bye --round 2 --json
    """
    with session.desk() as desk:
        reply = explain_table(desk, round_number, subject)
    session.emit(reply)
    round_, explanation = desk.state.rounds[reply.round - 1], reply.explanation
    seats = " – ".join(reply.names[player] for player in explanation.players)
    table = f"table {explanation.table.number}" if explanation.table else _no_table(round_, reply)
    session.say(f"{round_.title}, {table}: {seats}")
    _say(session, reply.stale, explanation.reasons)
    session.say(f"decided by: {_decided_by(reply)}")


def _no_table(round_: Round, reply: RoundWhy) -> str:
    """Return `the bye`, `a half-point bye` or `no opponent`; resting is not a bye."""
    (player,) = reply.explanation.players
    outcome = round_.byes.get(player, Outcome.ABSENT)
    return "no opponent" if outcome is Outcome.ABSENT else outcome.words.award


def _decided_by(reply: RoundWhy) -> str:
    level = reply.explanation.decided_by
    if reply.made.how != "engine" and level != "announced":
        return f"{reply.made.how} ({reply.made.by}, entry {reply.made.entry})"
    return _LEVELS.get(level, level.replace("_", " "))


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
    "announced": "what was announced before the pairing",
    "organizer": "the organizer",
    "impossible": "who may meet whom",
    "seed": "chance, by the seed",
    "schedule": "the schedule",
    "bracket": "the bracket",
    "pods": "rematches, gaps in points and who is kept apart, in the whole round",
    "dutch": "the FIDE Dutch rules",
}
"""A level of cost, or another word for the deciding reason → its text.

A word without a row is shown with spaces for underscores.
"""


def _say(session: Session, stale: str, reasons: Sequence[Reason]) -> None:
    if stale:
        session.say(f"  {stale}: explained by the results at that time")
    for reason in reasons:
        session.say(f"  {reason.text}")


@command("why-not", event=True)
@click.argument("one", metavar="PLAYER", shell_complete=players)
@click.argument("other", metavar="PLAYER|bye", shell_complete=players)
@round_number
def why_not(session: Session, one: str, other: str, round_number: int | None) -> None:
    """Show the cost of pairing two players, or of giving one the bye, or what prevents it.

    Examples:
      tourney round why-not Mira Tomo
      tourney round why-not Mira bye --json
    """
    with session.desk() as desk:
        first = session.find_player(desk, one)
        second = NOBODY if other.casefold() == "bye" else session.find_player(desk, other)
        reply = price_pairing(desk, round_number, first, second)
    session.emit(reply)
    names, round_ = reply.names, desk.state.rounds[reply.round - 1]
    pairing = f"{names[first]} – {names[second]}" if second != NOBODY else f"the bye for {names[first]}"
    session.say(f"{round_.title}, {pairing}:")
    _say(session, reply.stale, reply.price.reasons)


# -- tourney round check and prove


@command("check", event=True)
@round_number
def check(session: Session, round_number: int | None) -> Exit | None:
    """Check a round against earlier rounds and the rules.

    The checks cover seats, rematches, byes, floats, cost, and the tables that the system prescribes. This
    works for every system, for rounds paired by hand, and for a cut. Exits with 1 if a rule is broken, and
    with 4 if something cannot be decided, such as tables of the Dutch system without its engine (the
    extra `fide`). Advice alone does not change the exit code.

    Examples:
      tourney round check
      tourney round check --round 2
    """
    with session.desk() as desk:
        judgment = judge(desk, round_number)
        basis = _basis(desk, judgment)
    round_ = judgment.question.round
    session.emit(
        RoundCheck(
            round=round_.number,
            system=round_.system,
            stage=round_.stage,
            findings=judgment.findings,
            as_of=basis.entry,
            stale=basis.text,
        )
    )
    if judgment.findings:
        session.say(f"{round_.title}:")
        session.show_findings(judgment.findings)
    else:
        session.say(f"{round_.title}: {judgment.fine}")
    _say_repair(session, judgment)
    _say_stale(session, basis)
    if not judgment.legal:
        return Exit.FOUND
    return None if judgment.is_verified else Exit.UNVERIFIED


def _basis(desk: Desk, judgment: Judgment) -> Basis:
    """Return the results from which the checked round was paired, and their later corrections."""
    return basis_of(desk.evidence(), judgment.question.round, edit_entry=judgment.question.before.entry)


def _say_repair(session: Session, judgment: Judgment) -> None:
    """Show a note if a repair made the tables: a repaired round can be worse than a new pairing."""
    round_ = judgment.question.round
    if round_.origin == "repair":
        session.say(repair_text(round_, round_.edits[-1], judgment))


def _say_stale(session: Session, basis: Basis) -> None:
    """Show a note if results that the round was paired from have changed since."""
    if basis.text:
        session.say(f"based on the results as of entry {basis.entry}: {basis.text}")


@command("prove", event=True)
@round_number
def prove(session: Session, round_number: int | None) -> Exit | None:
    """Show what is proved about a round and what is not, with its cost and the lower bound.

    `--json` prints the whole proof with its data, which `scripts/check-certificate` checks without this
    program. Exits with 1 if the round breaks its system's guarantees, with 4 if that cannot be decided. A
    round that was repaired or changed by hand has no such guarantees.

    Examples:
      tourney round prove
      tourney round prove --round 3 --json
    """
    with session.desk() as desk:
        judgment = judge(desk, round_number)
        if session.json:
            session.emit(proof_of(desk, judgment))
        else:
            _say_check(session, judgment, is_imported=desk.state.is_imported(judgment.question.round.paired))
            _say_repair(session, judgment)
            _say_stale(session, _basis(desk, judgment))
    if judgment.question.round.origin == "engine" and judgment.proved() is False:
        return Exit.FOUND
    return None if judgment.is_verified else Exit.UNVERIFIED


def _say_check(session: Session, judgment: Judgment, *, is_imported: bool) -> None:
    round_, best = judgment.question.round, judgment.best
    if is_imported:
        title = "imported"
    elif round_.system == "manual" and round_.origin == "hand":
        title = "paired by hand"
    else:
        title = judgment.question.pairing.proof or judgment.fine
    session.say(f"{round_.title}: {title}")
    if judgment.cost is not None and best is not None:
        cost, least = judgment.cost.as_dict(), best.bound.as_dict()
        rows = [(level.replace("_", " "), cost[level], least[level]) for level in cost]
        session.table(["level", "cost", "at least"], rows, right=(1, 2))
    for heading, is_proved in (("proved", True), ("not proved", None), ("disproved", False)):
        for claim in judgment.claims:
            if claim.proved is is_proved:
                session.say(f"{heading}: {claim.text}")
    session.talk("`--json` prints the whole certificate; the numbers are half points and their squares")
