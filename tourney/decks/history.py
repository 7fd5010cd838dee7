"""From when to when a deck was legal: the same list under every day's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from tourney.cards import Pool
from tourney.cards.names import fold
from tourney.decks.checking import Verdict, Word, check
from tourney.decks.decklist import Decklist
from tourney.errors import Finding, Severity
from tourney.rules import Format, Ruleset
from tourney.rules.banlist import Change

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """Days on which the verdict is the same for the same reasons.

    first: the first day, None: since ever; last: the last day, None: until further notice
    """

    first: date | None
    last: date | None
    verdict: Verdict

    @property
    def word(self) -> Word:
        """The verdict in a word."""
        return self.verdict.verdict

    @property
    def reasons(self) -> tuple[Finding, ...]:
        """The findings that make it so."""
        wanted = Severity.ERROR if self.word == "illegal" else Severity.UNVERIFIED
        return tuple(finding for finding in self.verdict.findings if finding.severity is wanted)


def days_of(format_: Format) -> frozenset[date]:
    """Return the days on which a format's own rules change: first days, and the days after last ones."""
    dated: list[Any] = [*format_.zones, *(rule for rules in format_.rules.values() for rule in rules)]
    dated += [placed for _, placed in format_.overrides]
    rules = [placed.rule for placed in dated]
    firsts = {rule.since for rule in rules if rule.since}
    return frozenset(firsts | {rule.until + ONE_DAY for rule in rules if rule.until})


def history(
    decklist: Decklist,
    ruleset_on: Callable[[date], Ruleset],
    days: Iterable[date],
    *,
    trust_declared: bool = False,
) -> tuple[Period, ...]:
    """Return the periods of a deck, the oldest first, without a gap.

    days: those on which something changes; what lies before the first of them is one period, too
    """
    changes = sorted(set(days))
    starts: list[date | None] = [None, *changes]
    periods = [
        Period(
            start, None, check(decklist, ruleset_on(_within(start, changes)), trust_declared=trust_declared)
        )
        for start in starts
    ]
    return tuple(_closed(_merged(periods)))


def _within(start: date | None, changes: list[date]) -> date:
    if start is not None:
        return start
    return changes[0] - ONE_DAY if changes and changes[0] > date.min else date.min


def _merged(periods: Iterable[Period]) -> Iterator[Period]:
    """Put neighbours together that differ in nothing but the ban list's date."""
    last: Period | None = None
    for period in periods:
        if last is None or _why(last) != _why(period):
            if last is not None:
                yield last
            last = period
    if last is not None:
        yield last


def _why(period: Period) -> object:
    return period.word, tuple(
        (finding.rule, finding.subjects, finding.have, finding.allowed) for finding in period.reasons
    )


def _closed(periods: Iterable[Period]) -> Iterator[Period]:
    every = list(periods)
    for period, following in zip(every, [*every[1:], None], strict=True):
        last = following.first - ONE_DAY if following and following.first else None
        yield replace(period, last=last)


# -- Which changes of a ban list a deck feels


@dataclass(frozen=True, slots=True)
class Hit:
    """A deck against a change of lists.

    changes:       those that name a card of the deck
    before, after: its verdict under either list, None where it was not held against a format
    """

    source: str
    changes: tuple[Change, ...]
    before: Word | None = None
    after: Word | None = None

    @property
    def affected(self) -> bool:
        """Whether the deck has a card that a change names, or its verdict is another one now."""
        return bool(self.changes) or self.before != self.after


def hit(
    decklist: Decklist,
    changes: Sequence[Change],
    pool: Pool | None,
    rules: tuple[Ruleset, Ruleset] | None = None,
) -> Hit:
    """Say what a deck feels of `changes`; names and aliases of the pool are one card.

    rules: those under the old and under the new list, to compare the verdicts
    """
    lines = [*decklist.lines, *(words.line for words in decklist.words if words.card)]
    named = {_key(reading.name, pool) for line in lines for reading in line.readings}
    affected = tuple(each for each in changes if any(_key(card, pool) in named for card in each.cards))
    if rules is None:
        return Hit(decklist.source, affected)
    before, after = (check(decklist, each).verdict for each in rules)
    return Hit(decklist.source, affected, before, after)


def _key(name: str, pool: Pool | None) -> str:
    card = pool.find(name) if pool is not None else None
    return fold(name) if pool is None or card is None else pool.counted_as(card).id
