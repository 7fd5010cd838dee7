"""One root cause, one finding: what could not be decided, told once for each thing that is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tourney.decks.verdict import Word
from tourney.finding import Finding, Severity
from tourney.rules.expressions.telling import listed
from tourney.rules.kinds.terms import Undecided, ordered
from tourney.rules.slots import Deck, Slot


@dataclass
class Told:
    """What becomes of undecided rules: findings of their own, or notes where their cause is a finding already."""

    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def told(undecided: Iterable[Undecided], deck: Deck, known_causes: Iterable[Slot]) -> Told:
    """Sort undecided rules by what is missing.

    known_causes: the cards that a finding tells of already (no such card, in a complete pool). A leader in doubt is
    always told of by a finding on its zone.
    """
    done = Told()
    already = {slot.key for slot in known_causes}
    open_rules = [each for each in undecided if each.severity is Severity.ERROR]
    done.notes.extend(_because_of_the_leader(open_rules, deck))
    grouped = _Grouped()
    unjudged: list[str] = []
    for each in open_rules:
        causes = frozenset(
            missing.slot.key for missing in each.missing if missing.slot and missing.slot.key not in already
        )
        if causes:
            grouped.add(causes, each)
        elif not any(missing.slot is None for missing in each.missing):
            unjudged.append(each.rule)
    if unjudged:
        done.notes.append(f"not judged while there are unknown cards: {', '.join(dict.fromkeys(unjudged))}")
    done.findings.extend(_finding(together) for together in grouped.together())
    return done


class _Grouped:
    """Rules put together where the cards they miss something of are the same, or some of the same."""

    def __init__(self) -> None:
        self._rules: dict[frozenset[str], list[Undecided]] = {}

    def add(self, causes: frozenset[str], rule: Undecided) -> None:
        self._rules.setdefault(causes, []).append(rule)

    def together(self) -> Iterator[list[Undecided]]:
        largest_first = sorted(self._rules, key=len, reverse=True)
        heads = [causes for causes in largest_first if not any(causes < other for other in largest_first)]
        for head in heads:
            mine = [causes for causes in self._rules if next(h for h in heads if causes <= h) == head]
            yield [rule for causes in mine for rule in self._rules[causes]]


def _because_of_the_leader(undecided: Iterable[Undecided], deck: Deck) -> Iterator[str]:
    rules = [each.rule for each in undecided if any(missing.slot is None for missing in each.missing)]
    if rules and deck.leader.doubt:
        yield f"not judged while {deck.leader.doubt}: {', '.join(dict.fromkeys(rules))}"


def _finding(together: list[Undecided]) -> Finding:
    missing = [each for undecided in together for each in undecided.missing if each.slot]
    every = sorted((each.slot for each in missing if each.slot), key=lambda slot: slot.lines)
    slots: dict[str, Slot] = {}
    for slot in every:
        slots.setdefault(slot.key, slot)
    attributes = list(dict.fromkeys(each.attribute for each in missing))
    rules = list(dict.fromkeys(each.rule for each in together))
    of = "" if len(slots) == 1 else f" for {len(slots)} cards"
    return Finding(
        rule=", ".join(rules),
        severity=Severity.UNVERIFIED,
        message=f"{listed(attributes)} not known{of}",
        lines=ordered(line for slot in every for line in slot.lines),
        subjects=tuple(slot.name for slot in slots.values()),
        cite=together[0].cite if len(rules) == 1 else None,
        hint="declare what you know, as in `4 Card {type=…}`, and check with --trust-declared",
    )


def word_for(findings: Iterable[Finding]) -> Word:
    """Return the verdict that findings amount to."""
    severities = {finding.severity for finding in findings}
    if Severity.ERROR in severities:
        return "illegal"
    return "unverified" if Severity.UNVERIFIED in severities else "legal"
