"""`tourney round why`, `why-not`, `check`, `prove`: why a round was paired so, and what of it is proved."""

from __future__ import annotations

import click

from tourney.cli.answers import find_player, show_findings
from tourney.cli.command import command
from tourney.cli.exits import Exit
from tourney.cli.options import players, round_number
from tourney.cli.session import Session
from tourney.desk.documents import RoundCheck
from tourney.desk.evidence import Since, since
from tourney.desk.proof_documents import proof_of, why_document
from tourney.desk.proofs import RoundAnswer, judge
from tourney.desk.proofs import why as explain
from tourney.desk.proofs import why_not as weigh
from tourney.event.systems.system import Judged
from tourney.pairing import NOBODY
from tourney.record import Outcome

# -- tourney round why and why-not: the engine answers in an organizer's words


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
    with session.desk() as desk:
        reply = explain(desk, round_number, what)
    if session.json:
        session.emit(why_document(reply))
        return
    explanation = reply.answer
    seats = " – ".join(reply.names[player] for player in explanation.players)
    table = getattr(explanation, "table", None)
    session.say(f"{reply.round.title}, {f'table {table.number}' if table else _no_table(reply)}: {seats}")
    _say(session, reply)
    session.say(f"decided by: {_decided_by(reply)}")


def _no_table(reply: RoundAnswer) -> str:
    """Say what a player without a table has: who rests in a round robin has no bye."""
    byes = reply.round.byes
    return "the bye" if any(byes.get(each) is Outcome.BYE for each in reply.answer.players) else "no opponent"


def _decided_by(reply: RoundAnswer) -> str:
    if reply.how != "engine":
        return f"{reply.how} ({reply.entered.by}, entry {reply.entered.entry})"
    decided = getattr(reply.answer, "decided_by", "")
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


def _say(session: Session, reply: RoundAnswer) -> None:
    if reply.stale:
        session.say(f"  {reply.stale}: explained by the results as they stood then")
    for each in reply.answer.reasons:
        session.say(f"  {each.text}")


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
    with session.desk() as desk:
        first = find_player(session, desk, one)
        second = NOBODY if other.casefold() == "bye" else find_player(session, desk, other)
        reply = weigh(desk, round_number, first, second)
    if session.json:
        session.emit(why_document(reply))
        return
    names = reply.names
    pairing = f"{names[first]} – {names[second]}" if second != NOBODY else f"the bye for {names[first]}"
    session.say(f"{reply.round.title}, {pairing}:")
    _say(session, reply)


# -- tourney round check and prove: a round of whatever system held against its rules, and what of it is proved


@command("check", event=True, examples=["tourney round check", "tourney round check --round 2"])
@round_number
def check(session: Session, round_number: int | None) -> Exit | None:
    """Check a round as it stands against history and rules: seats, rematches, byes, floats, cost, the system's tables.

    Every system is checked, and rounds by hand and of a cut too. Leaves with 1 where something breaks a rule, with 4
    where something could not be settled (Dutch tables without the extra `fide`); advice alone is fine.
    """
    with session.desk() as desk:
        judged = judge(desk, round_number)
        basis = since(desk.evidence(), judged.question.round, seen=judged.question.before.entry)
    round_ = judged.question.round
    if session.json:
        session.emit(
            RoundCheck(
                round=round_.number,
                system=round_.system,
                stage=round_.stage,
                findings=judged.findings,
                as_of=basis.entry,
                stale=basis.text,
            )
        )
    elif judged.findings:
        session.say(f"{round_.title}:")
        show_findings(session, judged.findings)
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


@command("prove", event=True, examples=["tourney round prove", "tourney round prove --round 3 --json"])
@round_number
def prove(session: Session, round_number: int | None) -> Exit | None:
    """Say what is proved of a round and what is not, with its cost and the lower bound.

    `--json` is the whole proof with all it rests on: `scripts/check-certificate` checks it without this program. Leaves
    with 1 where a round is not what its system promises, with 4 where that could not be settled.
    """
    with session.desk() as desk:
        judged = judge(desk, round_number)
        if session.json:
            session.emit(proof_of(desk, judged))
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
    if imported:
        title = "imported"
    elif round_.system == "manual":
        title = "paired by hand"
    else:
        title = judged.question.pairing.proof or judged.fine
    session.say(f"{round_.title}: {title}")
    if judged.cost is not None and best is not None:
        cost, least = judged.cost.as_dict(), best.bound.as_dict()
        rows = [(level.replace("_", " "), cost[level], least[level]) for level in cost]
        session.table(["level", "cost", "at least"], rows, right=(1, 2))
    for heading, proved in (("proved", True), ("not proved", None), ("not so", False)):
        for claim in judged.claims:
            if claim.proved is proved:
                session.say(f"{heading}: {claim.text}")
    session.talk("`--json` prints the whole certificate; the numbers are half points and their squares")
