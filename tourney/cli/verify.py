"""`tourney verify`: the event proves what it claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tourney.cli.command import command
from tourney.cli.exits import Exit
from tourney.cli.options import round_number
from tourney.cli.session import Session

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.event.state import Round


@command(
    "verify", event=True, examples=["tourney verify", "tourney verify --round 3", "tourney verify --json"]
)
@round_number
def cli(session: Session, round_number: int | None) -> Exit | None:
    """Prove each Swiss round anew: whether it is legal, optimal, and the very tables of its seed.

    The chain of entries is checked before anything else. Another table of equal cost is no fault; an edit by hand is
    named with its time and author. Leaves with 1 where a round is not legal or not optimal and nobody edited it.
    """
    with session.desk() as desk:
        rounds = [each for each in desk.state.rounds if round_number in {None, each.number}]
        told = [_told(desk, each) for each in rounds if _is_swiss(each)]
        state = desk.state
    faults = [each for each in told if not each["edits"] and not (each["legal"] and each["optimal"])]
    if session.json:
        payload = {
            "entry": state.entry,
            "digest": state.digest,
            "secret_sha256": state.secret_digest,
            "rounds": told,
        }
        session.emit("verify/1", payload)
        return Exit.FOUND if faults else None
    session.say(f"journal: {state.entry} entries, chain intact ({state.digest[:12]}…)")
    words = [
        (each["title"], *(_word(each[key]) for key in ("legal", "optimal", "same")), _edits(each))
        for each in told
    ]
    if words:
        session.table(["round", "legal", "optimal", "same tables", "by hand"], words)
    others = [each.title for each in rounds if not _is_swiss(each)]
    if others:
        session.talk(f"no Swiss rounds, so not paired anew: {', '.join(others)}")
    return Exit.FOUND if faults else None


def _is_swiss(known: Round) -> bool:
    return known.stage == "swiss" and known.system == "swiss"


def _told(desk: Desk, known: Round) -> dict[str, Any]:
    from tourney.desk.questions import ask
    from tourney.pairing import verify

    asked = ask(desk, known.number)
    verdict = verify(
        asked.field.entrants,
        asked.options,
        asked.pairing.tables,
        asked.pairing.bye,
        known.seed,
        name=asked.name,
    )
    return {
        "round": known.number,
        "title": known.title,
        "legal": verdict.legal,
        "optimal": verdict.optimal,
        "same": verdict.same,
        "engine": known.engine,
        "seed": known.seed,
        "edits": [{"entry": edit.entry, "at": edit.at, "by": edit.by} for edit in known.edits],
    }


def _word(value: bool) -> str:
    return "yes" if value else "NO"


def _edits(told: dict[str, Any]) -> str:
    return ", ".join(f"entry {edit['entry']}, {edit['at'][11:16]} by {edit['by']}" for edit in told["edits"])
