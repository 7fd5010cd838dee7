"""The verdict on a decklist, as it is computed, shown and written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import force_setattr, replace

from tourney.decks.decklist import Decklist
from tourney.errors import Finding, Severity
from tourney.rules.banlist import BanList
from tourney.wording import BANLIST_UNCHECKED

Word = Literal["legal", "illegal", "unverified"]
"""The verdict in a word. `unverified`: no rule is broken, but a rule could not be decided."""


class ListUsed(Struct, frozen=True, kw_only=True):
    """The ban list behind a verdict.

    name: the name of the list
    day: the first day on which it is in force
    fingerprint: the first digits of the digest
    digest: the SHA-256 of the list's text
    """

    name: str
    day: date
    fingerprint: str
    digest: str

    @classmethod
    def of(cls, banlist: BanList) -> ListUsed:
        """Return a ban list without its entries."""
        return cls(name=banlist.name, day=banlist.day, fingerprint=banlist.fingerprint, digest=banlist.digest)


class Title(Struct, frozen=True, kw_only=True):
    """A line that was read as the list's title because of its place.

    line: the number of the line
    text: the title
    why: why the line was read as the title
    """

    line: int
    text: str
    why: str

    @classmethod
    def of(cls, decklist: Decklist) -> Title | None:
        """Return the title that was read from a decklist; None if it has no title."""
        words = decklist.title
        return cls(line=words.line.number, text=words.text, why=words.reason) if words else None


class Correction(Struct, frozen=True, kw_only=True):
    """A name that is not read as written.

    line: the number of the line
    written: the name as written
    taken_as: the name of the card
    reason: why the name was read as this card
    """

    line: int
    written: str
    taken_as: str
    reason: str


class Fix(Struct, frozen=True, kw_only=True):
    """A change to a deck.

    what: the kind: `out` (remove copies), `in` (add copies), `move` (to another zone) or `read` (as another
        card)
    card: the name of the card
    zone: the zone of the copies before the change; for `in`, the zone to which they are added
    copies: the number of copies
    to: for `move`, the new zone; for `read`, the name of the other card; empty for `out` and `in`
    lines: the lines that name the card
    """

    what: str
    card: str
    zone: str
    copies: int = 1
    to: str = ""
    lines: tuple[int, ...] = ()


class Repair(Struct, frozen=True):
    """How to make a deck legal.

    changes: the changes
    number: the number of changes
    proved: whether it is proved that no repair has fewer changes
    """

    changes: tuple[Fix, ...]
    number: int
    proved: bool


class Cause(Struct, frozen=True, kw_only=True):
    """A cause that explains most findings of a verdict, shown before the findings.

    fact: what was observed, such as `none of the 60 names is in the card pool of dimrift (182 cards)`
    question: the probable reason, as a question or a fact
    hint: the commands that help
    names: the names that it explains
    """

    fact: str
    question: str
    hint: str
    names: tuple[str, ...]

    @property
    def message(self) -> str:
        """The observed fact and the question about its reason, as one sentence."""
        return f"{self.fact}: {self.question}"


class Verdict(Struct, frozen=True, kw_only=True):
    """The verdict on one list.

    file: the name of the file, as given
    name: the name of the list; null if there is none
    player: the player that the list names; null if there is none
    title: the line that was read as the title; null if there is none
    format: the format, by its id
    on: the day of the check
    banlist: the ban list; null if there is none
    verdict: `legal` (no rule is broken, and every rule was decided), `illegal` or `unverified`
    says: the verdict in words, with what was not checked
    banlist_missing: whether the format names a ban list and none is installed
    by_name: whether at least one card is known only by its name, because an open pool does not list it
    cards: the number of cards that count
    zones: the number of cards in each zone
    hash: a hash of the deck that ignores order, comments and printings
    findings: all findings, in the order of the list; those without a line last
    notes: remarks that do not change the verdict
    corrections: names that were not read as they are written
    facts_used: declared facts behind the verdict, one sentence for each card
    facts_in_brief: the same facts, one sentence for each group of cards that have the same facts
    proofs: the arrangements that prove the deck legal
    repair: how to make the deck legal, if a repair was requested and found
    cause: a cause that explains nearly all findings, if there is one
    parts: the zones of a list that has only zones shared by all players, such as a mission deck
    """

    file: str
    name: str | None = None
    player: str | None = None
    title: Title | None = None
    format: str
    on: date
    banlist: ListUsed | None
    verdict: Word
    says: str = ""
    banlist_missing: bool = False
    by_name: bool = False
    cards: int = 0
    zones: Mapping[str, int]
    hash: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    facts_used: tuple[str, ...] = ()
    facts_in_brief: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    repair: Repair | None = None
    cause: Cause | None = None
    parts: tuple[str, ...] | UnsetType = UNSET

    def __post_init__(self) -> None:
        words: str = self.verdict
        if self.verdict == "legal":
            words = f"legal{' by name' * self.by_name}{f', {BANLIST_UNCHECKED}' * self.banlist_missing}"
        force_setattr(self, "says", words)
        force_setattr(self, "cards", sum(self.zones.values()))

    def strict(self) -> Verdict:
        """Return the verdict; a legal deck becomes `unverified` if the ban list was not checked."""
        if self.verdict != "legal" or not self.banlist_missing:
            return self
        finding = Finding(
            "ban-list", Severity.UNVERIFIED, "not checked: none is installed", subjects=("ban list",)
        )
        return replace(self, verdict="unverified", findings=(*self.findings, finding))
