"""JSON documents of the answers to a change."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tourney.decks.history import Changed
from tourney.desk.open_event import ImportedDeck, Receipt
from tourney.desk.player_list import Column, PlayerList
from tourney.document import Document
from tourney.errors import Finding


class ReceiptDocument(Document, frozen=True):
    """The answer to a change; `entry` and `digest` name the state that the event is in now.

    entries: numbers of the journal entries written
    already: whether the same was recorded before, so that nothing was written
    changed: what changed, in sentences
    next: what comes next, in sentences
    warnings: what to check although it was done, in sentences
    dry_run: whether nothing was written because of `--dry-run`
    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    """

    entries: tuple[int, ...]
    already: bool
    changed: tuple[str, ...]
    next: tuple[str, ...]
    warnings: tuple[str, ...]
    dry_run: bool
    entry: int
    digest: str


class ListSummary(msgspec.Struct, frozen=True):
    """How a list of players was read.

    form: what the file was taken for, as in `CSV`
    encoding: the encoding of the file; null for a workbook
    columns: the columns and what each became
    notes: what to know about the list, in sentences
    players: the number of players
    """

    form: str
    encoding: str | None
    columns: tuple[Column, ...]
    notes: tuple[str, ...]
    players: int


class ChangeAnswer(ReceiptDocument, frozen=True, tag="tourney.receipt/1"):
    """What a command prints with `--json` that changes an event.

    file: of `event new`: the event that was made
    list: of `player import`: how the list was read
    decks: of `player import`: what became of the decklists
    contradictions: of `player import`: facts of a card that two lists declare differently
    """

    file: str | UnsetType = UNSET
    list: ListSummary | UnsetType = UNSET
    decks: tuple[ImportedDeck, ...] | UnsetType = UNSET
    contradictions: tuple[Finding, ...] | UnsetType = UNSET


class DeckAnswer(ReceiptDocument, frozen=True, tag="tourney.player-deck-receipt/1"):
    """What `tourney player deck PLAYER FILE --json` prints.

    verdict: `legal`, `illegal` or `unverified`
    findings: all that the check found
    facts_used: the facts that the list declares and the verdict relies on, in words
    """

    verdict: str
    findings: tuple[Finding, ...]
    facts_used: tuple[str, ...]


class AuditAnswer(ReceiptDocument, frozen=True, tag="tourney.audit-receipt/1"):
    """What `tourney audit record PLAYER FILE --json` prints if a list of what was found is given.

    changed_cards: how the deck differs from the registered list
    """

    changed_cards: tuple[Changed, ...]


def receipt_fields(receipt: Receipt, *, dry_run: bool) -> dict[str, Any]:
    """Return the fields that every `ReceiptDocument` has."""
    return {
        "entries": receipt.entries,
        "already": receipt.already,
        "changed": receipt.changed,
        "next": receipt.next,
        "warnings": receipt.warnings,
        "dry_run": dry_run,
        "entry": receipt.state.entry,
        "digest": receipt.state.digest,
    }


def list_summary(players: PlayerList) -> ListSummary:
    """Return how a list of players was read."""
    return ListSummary(
        form=players.form,
        encoding=players.encoding or None,
        columns=players.columns,
        notes=players.notes,
        players=len(players.players),
    )
