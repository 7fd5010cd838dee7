"""Check decklists by the event's rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import tourney.decks as decklists
from tourney.cards.names import fold
from tourney.desk.open_event import OpenEvent
from tourney.desk.receipts import Receipt
from tourney.errors import Finding, Severity, as_rules_error
from tourney.store.data import Library
from tourney.store.files import shown

if TYPE_CHECKING:
    from tourney.decks import Decklist, Declared, Verdict
    from tourney.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckReceipt(Receipt):
    """The answer to a submitted decklist.

    verdict:    `legal`, `illegal` or `unverified`. An illegal list is registered only on request; otherwise
        `entries` is empty
    findings:   all findings of the check
    facts_used: the declared facts that the verdict relies on, in words
    """

    verdict: str
    findings: tuple[Finding, ...] = ()
    facts_used: tuple[str, ...] = ()

    @classmethod
    def judged(cls, receipt: Receipt, verdict: Verdict) -> Self:
        """Return `receipt` with the verdict on the list added."""
        cause = [verdict.cause.message] if verdict.cause else []
        vouched = [f"accepted as declared: {'; '.join(verdict.facts_in_brief)}"] if verdict.facts_used else []
        return cls.of(
            receipt,
            warnings=(*receipt.warnings, *cause, *verdict.notes, *vouched),
            verdict=verdict.verdict,
            findings=verdict.findings,
            facts_used=verdict.facts_used,
        )


@dataclass(frozen=True, slots=True)
class JudgedList:
    """A decklist and its verdict by the event's rules.

    cards:    the pool's current lines for the cards in the list; None if there are none
    declared: the facts that the list declares about cards missing from the pool, whether they are trusted or
        not
    """

    text: str
    decklist: Decklist
    verdict: Verdict
    cards: str | None
    declared: tuple[Declared, ...]

    def contradictions(self, others: Mapping[str, Sequence[Declared]]) -> tuple[Finding, ...]:
        """Return a finding for each fact that another list declares differently.

        others: name of a player → the facts that the player's list declares

        The findings are `unverified` if the verdict relies on a declared fact, otherwise `advice`.
        """
        if not self.declared:
            return ()
        severity = Severity.UNVERIFIED if self.verdict.facts_used else Severity.ADVICE
        findings = decklists.contradictions({**others, "": self.declared}, about="")
        return tuple(replace(finding, severity=severity) for finding in findings)


def ruleset_of(event: OpenEvent) -> Ruleset:
    """Return the event's rules with the library's pool.

    Raises RulesError if they cannot be read.
    """
    with as_rules_error():
        return event.rules.ruleset(event.library)


def judge_deck(
    event: OpenEvent,
    data: str | bytes,
    *,
    source: str,
    trust_declared: bool = False,
    ruleset: Ruleset | None = None,
) -> JudgedList:
    """Read a decklist and check it.

    trust_declared: trust the facts that the list declares about cards missing from the pool
    ruleset:        rules to use instead of the event's rules, for a part of a deck

    Raises TourneyError if `data` is not a decklist, RulesError if the rules or the card pool cannot be used.
    """
    ruleset = ruleset or ruleset_of(event)
    text, _ = decklists.decode(data, source=source)
    decklist = decklists.read(text, source=source, format_=ruleset.format)
    verdict = decklists.check(decklist, ruleset, trust_declared=trust_declared)
    cards = pool_lines(event.library, ruleset.format.pool, decklist)
    return JudgedList(text, decklist, verdict, cards, decklists.declared_in(decklist, ruleset))


def pool_lines(library: Library, pool: str, decklist: Decklist) -> str | None:
    """Return the pool's current lines for the cards in a list; None if there are none.

    Raises TourneyError if a line of the pool cannot be read.
    """
    from tourney.cards.pool import PoolLines  # loads the rules of pools

    if pool not in library.pools():
        return None
    lines = [*decklist.lines, *(words.line for words in decklist.words if words.card)]
    names = {fold(reading.name) for line in lines for reading in line.readings}
    names |= {fold(line.code) for line in lines if line.code}
    files = library.find_pool(pool)
    cards = PoolLines(files.sets, f"{shown(files.path.parent)}/").with_any_name(names)
    return "".join(card.decode().rstrip("\r") + "\n" for card in cards) or None
