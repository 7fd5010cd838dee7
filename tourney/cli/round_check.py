"""`tourney round check` and `prove`: a round of whatever system held against its rules, and what of it is proved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.cli.command import command
from tourney.cli.exits import Exit
from tourney.cli.options import round_number
from tourney.cli.session import Session

if TYPE_CHECKING:
    from tourney.desk.judging import Judged
    from tourney.desk.questions import Since


@command("check", event=True, examples=["tourney round check", "tourney round check --round 2"])
@round_number
def check(session: Session, round_number: int | None) -> Exit | None:
    """Check a round as it stands against history and rules: seats, rematches, byes, floats, cost, the system's tables.

    Every system is checked, and rounds by hand and of a cut too. Leaves with 1 where something breaks a rule, with 4
    where something could not be settled (Dutch tables without the extra `fide`); advice alone is fine.
    """
    from tourney.cli.findings import say_findings
    from tourney.desk.judging import judge
    from tourney.desk.questions import since

    with session.desk() as desk:
        judged = judge(desk, round_number)
        basis = since(desk.evidence(), judged.asked.known, seen=judged.asked.before.entry)
    known = judged.asked.known
    if session.json:
        session.emit(
            "round-check/1",
            {
                "round": known.number,
                "system": known.system,
                "stage": known.stage,
                "findings": judged.findings,
                "as_of": basis.entry,
                "stale": basis.text,
            },
        )
    elif judged.findings:
        session.say(f"{known.title}:")
        say_findings(session, judged.findings)
    else:
        session.say(f"{known.title}: {judged.fine}")
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
    from tourney.desk.certificates import proof_of
    from tourney.desk.judging import judge
    from tourney.desk.questions import since

    with session.desk() as desk:
        judged = judge(desk, round_number)
        if session.json:
            session.emit("proof/1", proof_of(desk, judged))
        else:
            _say(session, judged)
            _say_stale(session, since(desk.evidence(), judged.asked.known, seen=judged.asked.before.entry))
    if not judged.by_hand and judged.proved() is False:
        return Exit.FOUND
    return None if judged.settled else Exit.UNVERIFIED


def _say(session: Session, judged: Judged) -> None:
    known, best = judged.asked.known, judged.best
    title = "paired by hand" if known.system == "manual" else judged.asked.pairing.proof
    session.say(f"{known.title}: {title or judged.fine}")
    if judged.cost is not None and best is not None:
        cost, least = judged.cost.as_dict(), best.bound.as_dict()
        rows = [(level.replace("_", " "), cost[level], least[level]) for level in cost]
        session.table(["level", "cost", "at least"], rows, right=(1, 2))
    for heading, proved in (("proved", True), ("not proved", None), ("not so", False)):
        for claim in judged.claims:
            if claim.proved is proved:
                session.say(f"{heading}: {claim.text}")
    session.talk("`--json` prints the whole certificate; the numbers are half points and their squares")
