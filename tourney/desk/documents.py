"""JSON documents of receipts and of the log."""

from __future__ import annotations

from typing import Any, Self

from msgspec import UNSET, Struct, UnsetType

from tourney.desk.open_event import LogLine
from tourney.desk.receipts import ImportedDeck, Receipt
from tourney.document import Document
from tourney.errors import Finding
from tourney.event.documents import PenaltyRow
from tourney.event.state import State
from tourney.event.view import RoundView
from tourney.record import PlayerId


class ReceiptDocument(Document, frozen=True):
    """The result of a change. `entry` and `digest` identify the event's current state.

    entries: numbers of the new journal entries
    already: whether the same was recorded before, so that nothing was written
    changed: what changed, in sentences
    next: what to do next, in sentences
    warnings: what to check, although the change was made, in sentences
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

    @classmethod
    def of(cls, receipt: Receipt, *, dry_run: bool, **more: Any) -> Self:
        """Return a document that describes a change, made from the receipt of the change.

        Fields that the document and the receipt have in common are copied, unless `more` gives their value.
        Next steps become sentences.

        more: the values of further fields
        """
        fields = {
            name: getattr(receipt, name)
            for name in cls.__struct_fields__
            if name in receipt.__struct_fields__ and name not in more
        }
        fields["next"] = tuple(step.sentence for step in receipt.next)
        state = receipt.state
        return cls(**fields, dry_run=dry_run, entry=state.entry, digest=state.digest, **more)


class ListColumn(Struct, frozen=True):
    """A column of a list of players.

    header: the header of the column
    becomes: what it was read as: `name`, `rating`, `tag club`; empty if it was ignored
    known: whether the header is known; an unknown header becomes a tag of that name
    """

    header: str
    becomes: str
    known: bool


class ListSummary(Struct, frozen=True):
    """How a list of players was read.

    form: the form that was recognized, such as `a table with semicolons`
    encoding: the encoding of the file; null for a workbook
    columns: the columns, and what each was read as
    notes: remarks on parts that were not read, in sentences
    players: the number of players
    """

    form: str
    encoding: str | None
    columns: tuple[ListColumn, ...]
    notes: tuple[str, ...]
    players: int


class ChangeAnswer(ReceiptDocument, frozen=True, tag="tourney.receipt/1"):
    """What a command that changes an event prints with `--json`.

    file: the new event; only for `event new`
    list: how the list was read; only for `player import`
    decks: what happened to each decklist; only for `player import`
    contradictions: facts about a card that two lists declare differently; only for `player import`
    """

    file: str | UnsetType = UNSET
    list: ListSummary | UnsetType = UNSET
    decks: tuple[ImportedDeck, ...] | UnsetType = UNSET
    contradictions: tuple[Finding, ...] | UnsetType = UNSET


class DeckAnswer(ReceiptDocument, frozen=True, tag="tourney.player-deck-receipt/1"):
    """What `tourney player deck PLAYER FILE --json` prints.

    verdict: `legal`, `illegal` or `unverified`
    findings: all findings of the check
    facts_used: the declared facts that the verdict relies on, in words
    """

    verdict: str
    findings: tuple[Finding, ...]
    facts_used: tuple[str, ...]


class PenaltyAnswer(ReceiptDocument, frozen=True, tag="tourney.penalty-receipt/1"):
    """What `penalty add PLAYER LEVEL --json` and `penalty upgrade ENTRY --json` print.

    earlier: earlier penalties of the player in this event
    upgrade: the level that the list requires because the penalty is a repetition; null if the penalty already
        has that level
    """

    earlier: tuple[PenaltyRow, ...]
    upgrade: str | None


class DrawnPlayer(Struct, frozen=True):
    """A player whose deck was drawn.

    id: the player's number
    player: the player's name
    """

    id: PlayerId
    player: str


class DrawnTable(Struct, frozen=True):
    """A table that was chosen at random for a deck check.

    table: the number of the table
    players: its players whose decks are to be checked
    """

    table: int
    players: tuple[DrawnPlayer, ...]


class DrawAnswer(ReceiptDocument, frozen=True, tag="tourney.audit-draw-receipt/1"):
    """What `tourney audit draw --json` prints.

    tables: the tables that were drawn
    """

    tables: tuple[DrawnTable, ...]


class DecksAnswer(Document, frozen=True, tag="tourney.player-decks/1"):
    """What `tourney player decks FOLDER --json` prints.

    decks: what happened to each list
    contradictions: facts about a card that two lists declare differently
    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    """

    decks: tuple[ImportedDeck, ...]
    contradictions: tuple[Finding, ...]
    entry: int
    digest: str


class PairingAnswer(ReceiptDocument, frozen=True, tag="tourney.round-receipt/1"):
    """What `tourney round next --json` prints.

    round: the round that was paired
    """

    round: RoundView


class LineTaken(Struct, frozen=True):
    """A line whose result was recorded.

    line: the number of the line, from 1
    entries: numbers of the new journal entries
    already: whether the same was recorded before, so that nothing was written
    changed: what changed, in sentences
    warnings: what to check, although the result was recorded, in sentences
    """

    line: int
    entries: tuple[int, ...]
    already: bool
    changed: tuple[str, ...]
    warnings: tuple[str, ...]


class LineRefused(Struct, frozen=True):
    """A line that was refused.

    line: the number of the line, from 1
    message: why it was refused
    hint: what to do; null if there is no hint
    """

    line: int
    message: str
    hint: str | None


class ResultsEntered(Document, frozen=True, tag="tourney.result-enter/1"):
    """What `tourney result enter --json` prints.

    round: the number of the round
    taken: lines whose result was recorded
    refused: lines that were refused
    next: what to do next, in sentences
    dry_run: whether nothing was written because of `--dry-run`
    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    """

    round: int
    taken: tuple[LineTaken, ...]
    refused: tuple[LineRefused, ...]
    next: tuple[str, ...]
    dry_run: bool
    entry: int
    digest: str


class LogDocument(Document, frozen=True, tag="tourney.log/1"):
    """What `tourney event log --json` prints.

    entries: the entries of the journal, oldest first
    """

    entries: tuple[LogLine, ...]


def drawn_tables(state: State) -> tuple[DrawnTable, ...]:
    """Return the tables of the last draw, with the players whose decks are to be checked."""
    draw = state.draws[-1]
    tables = state.rounds[draw.round - 1].tables
    return tuple(
        DrawnTable(
            number,
            tuple(
                DrawnPlayer(player, state.players[player].name)
                for player in tables[number].seats
                if player in draw.players
            ),
        )
        for number in draw.tables
    )
