"""The history of a deck: when it was legal, what a ban list changes, how two decks differ.

A commitment to a deck is made now and opened later, and reveals nothing about the deck. It is the SHA-256 of
a label, the salt's length (8 bytes), the salt and the deck's hash. The salt prevents others from guessing the
deck by hashing likely decks. With the salt, everyone can check that the deck is the committed one.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.card import Card
from tourney.cards.names import fold
from tourney.cards.pool import Pool
from tourney.decks.checking import check
from tourney.decks.decklist import Decklist
from tourney.decks.resolving import resolve
from tourney.decks.verdict import ListUsed, Verdict, Word
from tourney.errors import Finding, Severity
from tourney.rules.banlist import Change
from tourney.rules.format import Format
from tourney.rules.ruleset import Ruleset

_ONE_DAY = timedelta(days=1)


class Period(Struct, frozen=True, kw_only=True):
    """A period in which a deck has the same verdict for the same reasons.

    from: the first day; null if the period has no beginning
    to: the last day; null if no end is known
    verdict: `legal`, `illegal` or `unverified`
    findings: the findings behind the verdict
    banlist: the ban list; null if there is none
    """

    first: date | None = msgspec.field(name="from")
    last: date | None = msgspec.field(name="to", default=None)
    verdict: Word
    findings: tuple[Finding, ...]
    banlist: ListUsed | None


def days_of(format_: Format) -> frozenset[date]:
    """Return the days on which a format's own rules change."""
    dated_rules: list[Any] = [*format_.zones, *(rule for rules in format_.rules.values() for rule in rules)]
    dated_rules += [dated_rule for _, dated_rule in format_.overrides]
    rules = [dated_rule.rule for dated_rule in dated_rules]
    firsts = {rule.since for rule in rules if rule.since}
    return frozenset(firsts | {rule.until + _ONE_DAY for rule in rules if rule.until})


def history(
    decklist: Decklist,
    ruleset_on: Callable[[date], Ruleset],
    days: Iterable[date],
    *,
    trust_declared: bool = False,
) -> tuple[Period, ...]:
    """Return the periods in which a deck has the same verdict for the same reasons.

    The oldest period comes first, and there are no gaps.

    days: the days on which rules change; the time before them is checked by the rules of the day before the
          first one
    """
    changes = sorted(set(days))
    first = changes[0] - _ONE_DAY if changes and changes[0] > date.min else date.min
    periods: list[Period] = []
    for start, day in [(None, first), *((day, day) for day in changes)]:
        period = _period(start, check(decklist, ruleset_on(day), trust_declared=trust_declared))
        if not periods or _reasons(periods[-1]) != _reasons(period):
            periods.append(period)
    return tuple(
        replace(period, last=later.first - _ONE_DAY if later and later.first else None)
        for period, later in zip_longest(periods, periods[1:])
    )


def _period(first: date | None, verdict: Verdict) -> Period:
    """Return the period that begins on the day `first`: its verdict and the findings behind it.

    These findings are the errors if the deck is illegal, and otherwise the rules that could not be decided.
    """
    reason = Severity.ERROR if verdict.verdict == "illegal" else Severity.UNVERIFIED
    return Period(
        first=first,
        verdict=verdict.verdict,
        findings=tuple(finding for finding in verdict.findings if finding.severity is reason),
        banlist=verdict.banlist,
    )


def _reasons(period: Period) -> object:
    """Return a period's verdict and findings, to compare them with those of the next period.

    Consecutive periods with equal values become one period, even if their ban lists differ.
    """
    return period.verdict, [
        (finding.rule, finding.subjects, finding.have, finding.allowed) for finding in period.findings
    ]


# -- how a new ban list affects a deck


class Hit(Struct, frozen=True):
    """The effect of a new ban list on a deck.

    source:        the file of the deck
    changes:       the changes that name a card of the deck
    before, after: the verdict under the old and the new list; None if no format is given
    """

    source: str
    changes: tuple[Change, ...]
    before: Word | None = None
    after: Word | None = None

    @property
    def is_affected(self) -> bool:
        """Whether the new ban list changes the rules for a card of the deck, or the deck's verdict."""
        return bool(self.changes) or self.before != self.after


def hit(
    decklist: Decklist,
    changes: Sequence[Change],
    pool: Pool | None,
    rules: tuple[Ruleset, Ruleset] | None = None,
) -> Hit:
    """Return the changes of a ban list that affect a deck, and the verdicts before and after.

    A change affects a deck if it names one of the deck's cards, by any of the names that the pool has for it.

    rules: the rulesets with the old and the new ban list; None for no verdicts
    """
    lines = [*decklist.lines, *(words.line for words in decklist.words if words.may_be_card)]
    keys = {_key(reading.name, pool) for line in lines for reading in line.readings}
    card_changes = tuple(
        change for change in changes if any(_key(card, pool) in keys for card in change.cards)
    )
    if rules is None:
        return Hit(decklist.source, card_changes)
    before, after = (check(decklist, ruleset).verdict for ruleset in rules)
    return Hit(decklist.source, card_changes, before, after)


def _key(name: str, pool: Pool | None) -> str:
    card = pool.find(name) if pool is not None else None
    return fold(name) if pool is None or card is None else pool.counted_as(card).id


# -- the difference of two decks, as multisets of cards


class Changed(Struct, frozen=True, kw_only=True):
    """A card with a different number of copies in a zone.

    zone: the zone, by its id
    card: the name of the card
    before, after: the number of copies in each of the two decks
    """

    zone: str
    card: str
    before: int
    after: int


def difference(first: Decklist, second: Decklist, ruleset: Ruleset | None = None) -> tuple[Changed, ...]:
    """Return the cards whose number of copies differs between two decks; empty if none does.

    ruleset: for aliases, printings and zones; without it, names are compared as they are written
    """
    names: dict[str, str] = {}
    before, after = (_copies(deck, ruleset, names) for deck in (first, second))
    order = {zone.rule.id: number for number, zone in enumerate(ruleset.format.zones)} if ruleset else {}
    keys = sorted(
        before.keys() | after.keys(), key=lambda key: (order.get(key[0], len(order)), key[0], names[key[1]])
    )
    return tuple(
        Changed(zone=zone, card=names[card], before=before[zone, card], after=after[zone, card])
        for zone, card in keys
        if before[zone, card] != after[zone, card]
    )


def _copies(deck: Decklist, ruleset: Ruleset | None, names: dict[str, str]) -> Counter[tuple[str, str]]:
    """Count a deck's copies by zone and card, and add each card's name to `names`."""
    total: Counter[tuple[str, str]] = Counter()
    for zone, card, name, copies in _card_copies(deck, ruleset):
        names.setdefault(card, name)
        total[zone, card] += copies
    return total


def _card_copies(deck: Decklist, ruleset: Ruleset | None) -> Iterator[tuple[str, str, str, int]]:
    if ruleset is None:
        for line in deck.lines:
            yield line.zone_id or fold(line.zone or "main"), line.reading.key, line.name, line.count
        return
    resolved_deck = resolve(deck, ruleset)
    for slot in resolved_deck.slots:
        name = (
            _name_with_printing(slot.card) if slot.pool_id in resolved_deck.shared_names else slot.card.name
        )
        yield slot.zone, slot.pool_id or slot.keys[-1], name, slot.qty


def _name_with_printing(card: Card) -> str:
    """Return a card's name with its printing or id, which distinguish cards of the same name."""
    if card.candidates:
        return f"{card.name} (which one is not stated)"
    printing = next((printing for printing in card.printings if printing.number), None)
    return f"{card.name} ({printing.set}) {printing.number}" if printing else f"{card.name} ({card.id})"


# -- commitments


_LABEL = b"tourney deck commitment 1\0"
SALT_BYTES = 16
"""The length of a generated salt in bytes. A salt that the user gives may have any length."""


def commitment(deck_hash: str, salt: bytes) -> str:
    """Return the commitment to a deck, in hexadecimal. The salt is random and kept secret."""
    return hashlib.sha256(_LABEL + len(salt).to_bytes(8) + salt + deck_hash.encode()).hexdigest()


def opens(stated_commitment: str, deck_hash: str, salt: bytes) -> bool:
    """Return whether a commitment was made from this deck and this salt."""
    return hmac.compare_digest(stated_commitment.strip().lower(), commitment(deck_hash, salt))
