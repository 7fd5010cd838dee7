"""What the desk answers: what a change did, what is next, and what else is to be known of it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tourney.errors import Finding, Severity
from tourney.event.state import Remark, State
from tourney.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.decks import Verdict
    from tourney.decks.history import Changed
    from tourney.desk.player_list import PlayerList
    from tourney.store.folder import FolderChanges


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The answer to a change.

    entries:  the numbers of the entries written; empty where nothing was (`already`, or a deck not registered)
    changed:  what changed, a sentence each: `Round 3, table 4: Mira 2–0 Tomo (entry 57).`
    next:     what is next, a sentence each: `3 of 16 tables still playing: 2, 9, 11.`
    warnings: what the organizer should know though it was done: `Tomo has met Mira in round 1.`
    state:    the event after the change
    already:  the same was entered before; nothing was written and all is well
    """

    entries: tuple[int, ...]
    changed: tuple[str, ...]
    next: tuple[str, ...]
    state: State
    already: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The receipt as people read it, one line: what changed and what is next."""
        return " ".join((*self.changed, *self.next))

    @classmethod
    def of(cls, receipt: Receipt, **more: Any) -> Self:
        """Return a receipt with what else this kind has to say, and `more` in place of what it said."""
        return cls(**{each.name: getattr(receipt, each.name) for each in fields(Receipt)} | more)

    @staticmethod
    def together(receipts: Sequence[Receipt]) -> Receipt:
        """Return one answer to several changes, one or more, in their order: all that they did, and what is next after them."""
        return replace(
            receipts[-1],
            entries=tuple(entry for each in receipts for entry in each.entries),
            changed=tuple(said for each in receipts for said in each.changed),
            warnings=tuple(said for each in receipts for said in each.warnings),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckReceipt(Receipt):
    """The answer to a decklist. verdict: `legal`, `illegal` or `unverified`; findings: all a check has to say.

    facts_used: the declared facts that the verdict rests on, in words, where they were believed

    An illegal list is not registered (`entries` is empty) unless it was asked for.
    """

    verdict: str
    findings: tuple[Finding, ...] = ()
    facts_used: tuple[str, ...] = ()

    @classmethod
    def judged(cls, receipt: Receipt, verdict: Verdict) -> Self:
        """Return the receipt of a change with what the check of the list has to say."""
        cause = [verdict.cause.message] if verdict.cause else []
        vouched = [f"on your word: {'; '.join(verdict.facts_used)}"] if verdict.facts_used else []
        return cls.of(
            receipt,
            warnings=(*receipt.warnings, *cause, *verdict.notes, *vouched),
            verdict=verdict.verdict,
            findings=verdict.findings,
            facts_used=verdict.facts_used,
        )


@dataclass(frozen=True, slots=True)
class ImportedDeck:
    """What became of a decklist that came in a file, with others.

    file:    where it stood: its file, or the list's file and line
    player:  whose it is; empty where nobody is known
    verdict: empty where it could not be read
    said:    why not, or the rules that stand in the way
    vouched: the declared facts that the verdict rests on, in words
    """

    file: str
    player: str
    verdict: str
    registered: bool
    said: str
    vouched: str = ""

    @classmethod
    def of(cls, file: str, player: str, judged: Verdict | DeckReceipt) -> Self:
        """Return what is told of a list that was checked: the rules in its way, not advice; an illegal one is left out."""
        deciding = {"illegal": Severity.ERROR, "unverified": Severity.UNVERIFIED}.get(judged.verdict)
        rules = ", ".join(dict.fromkeys(each.rule for each in judged.findings if each.severity is deciding))
        vouched = "; ".join(judged.facts_used)
        registered = judged.verdict != "illegal"
        return cls(file, player, judged.verdict, registered=registered, said=rules, vouched=vouched)

    @classmethod
    def refused(cls, file: str, player: str, why: str) -> Self:
        """Return what is told of a list that is not looked at, or cannot be read."""
        return cls(file, player, "", registered=False, said=why)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReceipt(Receipt):
    """The answer to a list of players. players: as they were read; decks: what became of each list that came with them.

    contradictions: what these lists and others of the event declare differently of the same card
    """

    players: PlayerList
    decks: tuple[ImportedDeck, ...] = ()
    contradictions: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyReceipt(Receipt):
    """The answer to a penalty.

    history: the player's penalties in this event up to that one, the last
    upgrade: the level that it should be by the list, seeing the others; empty where it is what it should be
    """

    history: tuple[Remark, ...] = ()
    upgrade: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReceipt(Receipt):
    """The answer to a deck check. changed_cards: what the deck found has otherwise than the registered list."""

    changed_cards: tuple[Changed, ...] = ()


class Published(NamedTuple):
    """What was published. files: every path in `folder`, relative to it; changes: what of it was written or removed."""

    folder: str
    files: tuple[str, ...]
    changes: FolderChanges

    @property
    def text(self) -> str:
        """How many files there are, and how many are new: `22 files, 3 written anew`."""
        removed = f", {self.changes.removed} removed" if self.changes.removed else ""
        return f"{counted(len(self.files), 'file')}, {self.changes.written} written anew{removed}"
