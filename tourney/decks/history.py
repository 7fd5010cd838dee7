"""From when to when a deck was legal: the same list under every day's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from tourney.decks.checking import check
from tourney.decks.decklist import Decklist
from tourney.decks.verdict import Verdict, Word
from tourney.finding import Finding, Severity
from tourney.rules import Format, Ruleset

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
    dated: list[Any] = [*format_.zones, *format_.limits, *format_.requires, *format_.allows, *format_.covers]
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
    known = list(periods)
    for period, following in zip(known, [*known[1:], None], strict=True):
        last = following.first - ONE_DAY if following and following.first else None
        yield replace(period, last=last)
