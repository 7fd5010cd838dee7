"""JSON documents of `tourney verify`."""

from __future__ import annotations

import msgspec

from tourney.desk.histories import HistoryComparison
from tourney.desk.verifying import Verification, Verified
from tourney.document import Document
from tourney.errors import Finding
from tourney.event.state import Entered, State


class BeaconRow(msgspec.Struct, frozen=True):
    """The public value that the seeds depend on.

    source: where it is published, as the organizer announced it
    value: the value; null if it has not been entered yet
    entry: the number of the journal entry with the value; null if it has not been entered yet
    """

    source: str
    value: str | None
    entry: int | None


class VerifiedRound(msgspec.Struct, frozen=True, kw_only=True):
    """The verification of a round. An answer is null if it cannot be decided, or if the question does not apply.

    round: the number of the round
    title: the name of the round
    entry: the number of the journal entry that paired it
    system: how it was paired
    legal: whether the tables follow the rules of the pairing
    optimal: whether no pairing is better by the rules of the event
    same: whether the engine makes the same tables from the seed
    engine: the version of the engine that paired it; empty if no engine did
    seed: the seed of its random choices; empty if there is none
    seed_follows: whether the seed follows from the event's secret
    cost_fits: whether the recorded cost is the cost of the tables
    edits: changes by hand after the pairing
    findings: contradictions, and what cannot be verified
    """

    round: int
    title: str
    entry: int
    system: str
    legal: bool | None
    optimal: bool | None
    same: bool | None
    engine: str
    seed: str
    seed_follows: bool | None
    cost_fits: bool | None
    edits: tuple[Entered, ...]
    findings: tuple[Finding, ...]


class VerificationDocument(Document, frozen=True, tag="tourney.verify/1"):
    """What `tourney verify --json` prints.

    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    secret_sha256: the SHA-256 of the secret, which the event published before round 1
    secret: whether the secret has that SHA-256; null if this copy does not have the secret
    beacon: the public value that the seeds depend on; null if there is none
    rounds: the rounds that were verified
    audit_draws: the number of draws of deck checks that were verified
    findings: contradictions, and what cannot be verified
    """

    entry: int
    digest: str
    secret_sha256: str
    secret: bool | None
    beacon: BeaconRow | None
    rounds: tuple[VerifiedRound, ...]
    audit_draws: int
    findings: tuple[Finding, ...]


class ComparedHistory(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison of the event with a page, an export, a copy or a digest.

    against: the record that the event was compared with, as named on the command line
    what: the kind of record: `page`, `data`, `export`, `copy` or `digest`
    continues: whether the event continues that history; null if it cannot be decided
    entry: the number of the last entry that is known to be the same; 0 if none is
    differs: the number of the first entry that differs or is missing; null if none does, or if it is unknown
    text: the answer in a sentence
    """

    against: str
    what: str
    continues: bool | None
    entry: int
    differs: int | None
    text: str


class ComparedHistories(Document, frozen=True, tag="tourney.verify-against/1"):
    """What `tourney verify --against FILE --json` prints.

    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    compared: the comparisons, in the order of the command line
    """

    entry: int
    digest: str
    compared: tuple[ComparedHistory, ...]


def verification_document(state: State, verification: Verification) -> VerificationDocument:
    """Return the document about the verification of an event."""
    return VerificationDocument(
        entry=state.entry,
        digest=state.digest,
        secret_sha256=state.secret_digest,
        secret=verification.seal.fits,
        beacon=_beacon(state),
        rounds=tuple(map(_round, verification.rounds)),
        audit_draws=verification.drawn,
        findings=tuple(verification.findings),
    )


def _beacon(state: State) -> BeaconRow | None:
    source, beacon = state.settings.pairing.beacon, state.beacon
    if not source:
        return None
    return BeaconRow(source, beacon.value, beacon.entered.entry) if beacon else BeaconRow(source, None, None)


def _round(verified: Verified) -> VerifiedRound:
    round_ = verified.round
    return VerifiedRound(
        round=round_.number,
        title=round_.title,
        entry=round_.paired.entry,
        system=round_.system,
        legal=verified.legal,
        optimal=verified.optimal,
        same=verified.same,
        engine=round_.engine,
        seed=round_.seed,
        seed_follows=verified.seed,
        cost_fits=verified.cost,
        edits=tuple(round_.edits),
        findings=verified.findings,
    )


def compared_history(name: str, comparison: HistoryComparison) -> ComparedHistory:
    """Return the document about a comparison. name: the file, the event or the digest, as named by the user."""
    return ComparedHistory(
        against=name,
        what=comparison.what,
        continues=comparison.continues,
        entry=comparison.entry,
        differs=comparison.differs,
        text=comparison.text,
    )
