"""`tourney verify`: check the journal, the secret and every round."""

from __future__ import annotations

import click

from tourney.cli.command import command
from tourney.cli.options import positive, repeatable
from tourney.cli.session import Exit, Session
from tourney.desk import Desk
from tourney.desk.histories import ComparedHistories, compare, find_history
from tourney.desk.verifying import Verification, VerifiedRound, verify
from tourney.errors import Severity
from tourney.event.kind import round_of
from tourney.event.state import State
from tourney.event.systems.system import changes_of
from tourney.wording import counted


@command("verify", event=True)
@repeatable(
    "--against",
    "history_names",
    metavar="FILE|EVENT|DIGEST",
    type=click.Path(),
    help="Only check whether this history continues an earlier one: a published page, an event.json, an "
    "export, another copy or a digest.",
)
@positive("--round", "round_number", help="Verify only round N, not the whole event.")
def cli(session: Session, history_names: tuple[str, ...], round_number: int | None) -> Exit | None:
    """Verify the event: its entries, its secret, and each round.

    First the chain of entries is checked, then whether every name, deck and rule is present or was deleted by
    an entry. Each round is paired again, and its seed, cost, legality, optimality and tables are checked.
    Edits by hand are listed with their time and author, and notes explain repairs. A higher cost after an
    edit or a repair is not an error. Exits with 1 if something contradicts the entries, or if a round without
    edits and repairs is illegal or not optimal, and with 4 if this copy or this version of the program cannot
    decide.

    Examples:
      tourney verify
      tourney verify --round 3
      tourney verify --against pages/verification.html
      tourney verify --against cup.jsonl --json
    """
    if history_names and round_number is not None:
        raise click.UsageError("--against checks the whole history, so it cannot be combined with --round")
    if history_names:
        return _against(session, history_names)
    with session.desk() as desk:
        if round_number is not None:
            round_of(desk.state, round_number)  # refuses a round that is not paired
        verification = verify(desk, round_number)
        state = desk.state
        rows = [_round_row(desk, verified_round) for verified_round in verification.rounds]
    session.reported_damaged_secret = True  # the findings include it
    findings = verification.findings
    session.emit(verification)
    session.say(f"journal: {counted(state.entry, 'entry', 'entries')}, chain intact ({state.digest})")
    session.say(f"secret: {_SECRETS[verification.secret]}")
    if state.settings.pairing.beacon:
        session.say(f"beacon: {state.settings.pairing.beacon}: {_beacon_text(state)}")
    if rows:
        session.table(["round", "seed", "cost", "legal", "optimal", "same tables", "by hand"], rows)
    if verification.audit_draws:
        session.say(f"deck checks: {_draws_text(verification)}")
    for finding in sorted(findings, key=lambda finding: [*_SEVERITIES].index(finding.severity)):
        session.say(f"{_SEVERITIES[finding.severity]}: {finding.message}")
        if finding.hint and not session.json:
            session.hint(finding.hint)
    severities = {finding.severity for finding in findings}
    if Severity.ERROR in severities or any(
        _is_wrong(state, verified_round) for verified_round in verification.rounds
    ):
        return Exit.FOUND
    return Exit.UNVERIFIED if Severity.UNVERIFIED in severities else None


def _against(session: Session, names: tuple[str, ...]) -> Exit | None:
    histories = [find_history(name) for name in names]
    with session.desk() as desk:
        comparisons = tuple(compare(desk, history) for history in histories)
        state = desk.state
    session.emit(ComparedHistories(entry=state.entry, digest=state.digest, compared=comparisons))
    session.say(f"{comparison.against}: {comparison.text}" for comparison in comparisons)
    answers = {comparison.continues for comparison in comparisons}
    return Exit.FOUND if False in answers else Exit.UNVERIFIED if None in answers else None


def _is_wrong(state: State, verified_round: VerifiedRound) -> bool:
    """Return whether a round breaks its system's guarantees.

    A round that was paired by hand, edited or repaired has none.
    """
    is_guaranteed = state.rounds[verified_round.round - 1].origin == "engine"
    return is_guaranteed and (verified_round.legal is False or verified_round.optimal is False)


def _beacon_text(state: State) -> str:
    if state.beacon is None:
        return "not entered yet"
    return f"{state.beacon.value} ({state.beacon.entered.words}); compare it with what was published"


_SECRETS = {
    True: "it matches the SHA-256 in entry 1",
    None: "undecided",
    False: "it does NOT match the SHA-256 in entry 1",
}


def _draws_text(verification: Verification) -> str:
    number = counted(verification.audit_draws, "draw")
    severities = {finding.severity for finding in verification.findings if finding.rule == "draw"}
    if Severity.ERROR in severities:
        return f"{number}, NOT all as the seed draws them"
    if severities:
        return f"{number}, not all of them verified"
    return f"{number} as the seed draws {'it' if verification.audit_draws == 1 else 'them'}"


def _round_row(desk: Desk, verified_round: VerifiedRound) -> tuple[str, ...]:
    undecided_rules = {
        finding.rule for finding in verified_round.findings if finding.severity is Severity.UNVERIFIED
    }
    if verified_round.seed:
        undecided_rules.add("seed")

    def word(question: str, answer: bool | None) -> str:
        if answer is None:
            return "?" if question in undecided_rules else "–"
        return "yes" if answer else "NO"

    return (
        verified_round.title,
        word("seed", verified_round.seed_follows),
        word("cost", verified_round.cost_fits),
        word("legal", verified_round.legal),
        word("optimal", verified_round.optimal),
        word("tables", verified_round.same),
        _by_hand(desk, verified_round),
    )


def _by_hand(desk: Desk, verified_round: VerifiedRound) -> str:
    """Return a text about what was done by hand in a round: its pairing, edits or import."""
    state, round_ = desk.state, desk.state.rounds[verified_round.round - 1]
    edits = [*changes_of(desk.evidence(), round_).get("hand", ())]
    if state.is_imported(round_.paired):
        edits.insert(0, f"imported, entry {round_.paired.entry}")
    elif round_.system == "manual":
        edits.insert(0, round_.paired.words)
    return ", ".join(edits)


_SEVERITIES = {Severity.ERROR: "wrong", Severity.UNVERIFIED: "undecided", Severity.ADVICE: "note"}
