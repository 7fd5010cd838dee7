"""What becomes of a decklist: legal, illegal or unverified, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from tourney.errors import Finding, Severity, TourneyError

Word = Literal["legal", "illegal", "unverified"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListUsed:
    """Which ban list a verdict rests on: its name, the day from which it is in force, its SHA-256.

    fingerprint: the first digits of the digest, for people
    """

    name: str
    day: date
    fingerprint: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A name that was read otherwise than it is written: line 4, `Mox Ruby (LEA) 265` as Mox Ruby, and why."""

    line: int
    written: str
    taken_as: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A line that was taken for the list's title because of where it stands: no card, unless somebody says so."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What explains most of a verdict at once, told before the findings.

    said:  what is so: `none of the 60 names is in the card pool of dimrift (182 cards)`
    asked: what it probably comes from, as a question or a fact
    hint:  the commands that help
    names: the names that it explains
    """

    said: str
    asked: str
    hint: str
    names: tuple[str, ...]

    @property
    def message(self) -> str:
        """Both in one sentence."""
        return f"{self.said}: {self.asked}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One kind of change. what: `out`, `in`, `move` or `read`; to: the zone or the name it goes to."""

    what: str
    card: str
    zone: str
    copies: int = 1
    to: str = ""
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Repair:
    """How to make a deck legal. number: of single changes; proved: whether fewer cannot do."""

    changes: tuple[Change, ...]
    number: int
    proved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A decklist held against a ruleset.

    verdict:     `legal` (no rule broken, every error rule decided), `illegal`, `unverified`
    findings:    all of them at once, in the order of the list; those about no line last
    notes:       what changes nothing but should be known (names only were checked; no ban list is installed)
    cards:       how many cards each zone has
    hash:        the same for the same deck whatever the order, comments and printings
    corrections: names read otherwise than written
    facts_used:  declared facts that the verdict rests on, one sentence a card (with `trust_declared`)
    proofs:      the arrangements found for `[[allow]]` and `[[cover]]`, one line each
    banlist_missing: whether the format names a ban list and none is installed
    repair:      how to make it legal, where that was asked for and found
    cause:       why nearly all of it is wrong, where one thing explains that
    name, player: what the list calls itself, and whose it says it is
    title:       the line that was taken for the title, None where none was or the list says which it is
    """

    source: str
    format: str
    on: date
    banlist: ListUsed | None
    verdict: Word
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    cards: Mapping[str, int]
    hash: str
    corrections: tuple[Correction, ...] = ()
    facts_used: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    banlist_missing: bool = False
    name: str | None = None
    player: str | None = None
    title: Title | None = None
    repair: Repair | None = None
    cause: Cause | None = None

    @property
    def total(self) -> int:
        """How many cards the list has, over all zones that count."""
        return sum(self.cards.values())


def unreadable(source: str, format_name: str, day: date, fault: TourneyError) -> Verdict:
    """Return what becomes of a file, one of many, that is no decklist: a finding of that file."""
    message = fault.message.removeprefix(f"{source}: ")
    finding = Finding(
        rule="file", severity=Severity.ERROR, message=message, subjects=(source,), hint=fault.hint
    )
    return Verdict(
        source=source,
        format=format_name,
        on=day,
        banlist=None,
        verdict="illegal",
        findings=(finding,),
        notes=(),
        cards={},
        hash="",
    )
