"""`tourney verify`: the event proves what it claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import msgspec

from tourney.cli.command import command
from tourney.cli.exits import Exit
from tourney.cli.session import Session
from tourney.desk.evidence import Seal
from tourney.desk.histories import compare, kept_from
from tourney.desk.verifying import Verification, Verified, verify
from tourney.errors import Finding, Severity
from tourney.event.state import Entered, State
from tourney.store.places import in_database, place_of
from tourney.wording import counted


@command(
    "verify",
    event=True,
    examples=[
        "tourney verify",
        "tourney verify --round 3",
        "tourney verify --against pages/verification.html",
        "tourney verify --against cup.jsonl --json",
    ],
)
@click.option(
    "--against",
    "kept",
    multiple=True,
    metavar="FILE|EVENT|DIGEST",
    type=click.Path(),
    help="Only say whether this history continues that of a published page, an event.json, an export, another copy, or"
    " the one with this digest.",
)
@click.option(
    "--round",
    "round_number",
    metavar="N",
    type=click.IntRange(min=1),
    help="Prove only round N, not the whole event.",
)
def cli(session: Session, kept: tuple[str, ...], round_number: int | None) -> Exit | None:
    """Prove the event anew: chain, secret, and each round's seed, cost, legality, optimality and very tables.

    The chain of entries is checked before anything else, then that no name, deck or rule is missing without an entry. An edit by hand is named with its time and author, and what it
    costs is no fault. Leaves with 1 where something contradicts the entries or a round that nobody edited is not legal
    or not optimal; with 4 where this copy or this version cannot settle something.
    """
    if kept and round_number is not None:
        raise click.UsageError("--against asks about the whole history, --round about one round")
    if kept:
        return _against(session, kept)
    with session.desk() as desk:
        verification = verify(desk, round_number)
        state = desk.state
    session.reported_damaged_secret = True
    seal, rounds, findings = verification.seal, verification.rounds, verification.findings
    broken = any(each.severity is Severity.ERROR for each in findings) or any(map(_not_good, rounds))
    open_still = any(each.severity is Severity.UNVERIFIED for each in findings)
    if session.json:
        payload = {
            "entry": state.entry,
            "digest": state.digest,
            "secret_sha256": state.secret_digest,
            "secret": seal.fits,
            "beacon": _beacon_plain(state),
            "rounds": [_plain(each) for each in rounds],
            "audit_draws": verification.drawn,
            "findings": findings,
        }
        session.emit("verify/1", payload)
    else:
        session.say(f"journal: {state.entry} entries, chain intact ({state.digest})")
        session.say(f"secret: {_secret_words(seal)}")
        if state.settings.pairing.beacon:
            session.say(f"beacon: {state.settings.pairing.beacon}: {_beacon_words(state)}")
        _tell_rounds(session, rounds, state)
        if verification.drawn:
            session.say(f"deck checks: {_draw_words(verification)}")
        _tell(session, findings)
    return Exit.FOUND if broken else Exit.UNVERIFIED if open_still else None


def _against(session: Session, kept: tuple[str, ...]) -> Exit | None:
    histories = [
        (place_of(name).name if in_database(name) else name, kept_from(name)) for name in kept
    ]  # an address may hold a password
    with session.desk() as desk:
        comparisons = [(name, compare(desk, history)) for name, history in histories]
        state = desk.state
    if session.json:
        compared = [{"against": name, **msgspec.to_builtins(each)} for name, each in comparisons]
        session.emit("verify-against/1", {"entry": state.entry, "digest": state.digest, "compared": compared})
    else:
        for name, each in comparisons:
            session.say(f"{name}: {each.text}")
    answers = {each.continues for _, each in comparisons}
    return Exit.FOUND if False in answers else Exit.UNVERIFIED if None in answers else None


def _not_good(verified: Verified) -> bool:
    """Whether the program's own round is not what it should be; what the organizer did by hand is no fault."""
    by_hand = verified.round.edits or verified.round.system == "manual"
    return not by_hand and (verified.legal is False or verified.optimal is False)


def _plain(verified: Verified) -> dict[str, Any]:
    round_ = verified.round
    return {
        "round": round_.number,
        "title": round_.title,
        "entry": round_.paired.entry,
        "system": round_.system,
        "legal": verified.legal,
        "optimal": verified.optimal,
        "same": verified.same,
        "engine": round_.engine,
        "seed": round_.seed,
        "seed_follows": verified.seed,
        "cost_fits": verified.cost,
        "edits": [{"entry": edit.entry, "at": edit.at, "by": edit.by} for edit in round_.edits],
        "findings": verified.findings,
    }


def _beacon_plain(state: State) -> dict[str, Any] | None:
    if not state.settings.pairing.beacon:
        return None
    entered = {"value": state.beacon.value, "entry": state.beacon.entered.entry} if state.beacon else {}
    return {"source": state.settings.pairing.beacon, "value": None, "entry": None} | entered


def _beacon_words(state: State) -> str:
    if state.beacon is None:
        return "not entered yet"
    return f"{state.beacon.value} ({_edit(state.beacon.entered)}); hold it against what was published"


def _secret_words(seal: Seal) -> str:
    if seal.fits:
        return "it matches the SHA-256 in entry 1"
    return "cannot be settled" if seal.fits is None else "it does NOT match the SHA-256 in entry 1"


def _draw_words(verification: Verification) -> str:
    drawn = counted(verification.drawn, "draw")
    if any(each.severity is Severity.ERROR for each in verification.draws):
        return f"{drawn}, NOT all as the seed draws them"
    if verification.draws:
        return f"{drawn}, which cannot all be settled"
    return f"{drawn} as the seed draws {'it' if verification.drawn == 1 else 'them'}"


def _tell_rounds(session: Session, rounds: tuple[Verified, ...], state: State) -> None:
    if not rounds:
        return
    rows = [
        (
            each.round.title,
            _word(each.seed, unsettled=bool(each.round.seed)),
            *(
                _word(getattr(each, name), unsettled=name in _open(each))
                for name in ("cost", "legal", "optimal")
            ),
            _word(each.same, unsettled="tables" in _open(each)),
            _by_hand(each, state),
        )
        for each in rounds
    ]
    session.table(["round", "seed", "cost", "legal", "optimal", "same tables", "by hand"], rows)


def _open(verified: Verified) -> set[str]:
    """Return which questions about a round cannot be settled."""
    return {each.rule for each in verified.findings if each.severity is Severity.UNVERIFIED}


def _word(value: bool | None, *, unsettled: bool) -> str:
    if value is None:
        return "?" if unsettled else "–"
    return "yes" if value else "NO"


def _by_hand(verified: Verified, state: State) -> str:
    round_ = verified.round
    imported = state.is_imported(round_.paired)
    paired = [round_.paired] if round_.system == "manual" and not imported else []
    edits = map(_edit, (*paired, *round_.edits))
    return ", ".join([f"imported, entry {round_.paired.entry}", *edits] if imported else edits)


def _edit(entered: Entered) -> str:
    return f"entry {entered.entry}, {entered.at[11:16]} by {entered.by}"


_WORDS = {Severity.ERROR: "wrong", Severity.UNVERIFIED: "not to be settled", Severity.ADVICE: "note"}


def _tell(session: Session, findings: Sequence[Finding]) -> None:
    """Say each finding, the contradictions first."""
    for severity, word in _WORDS.items():
        for each in findings:
            if each.severity is severity:
                session.say(f"{word}: {each.message}")
                if each.hint:
                    session.hint(each.hint)
