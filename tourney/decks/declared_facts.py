"""Facts that lists declare about cards: `4 Siege Hammer {type=efreet}`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from tourney.cards.card import NONE
from tourney.cards.names import fold
from tourney.errors import Finding, Severity
from tourney.rules.expressions.values import text_of
from tourney.wording import format_ranges, listed_short


class CardFact(NamedTuple):
    """A fact that a list declares about a card and that the pool lacks, such as `type=efreet`."""

    line: int
    card: str
    attribute: str
    value: object


def value_text(value: object) -> str:
    """Return the value of a fact as text."""
    return text_of(NONE if value is None else value)  # type: ignore[arg-type]


def value_key(value: object) -> object:
    """Return a key for comparing values that ignores case and the order of a list."""
    if isinstance(value, str):
        return fold(value)
    return frozenset(map(fold, value)) if isinstance(value, tuple) else (type(value), value)


def facts_by_card(declared_facts: Iterable[CardFact]) -> tuple[str, ...]:
    """Return a sentence for each card with its facts: `line 4: Siege Hammer: type efreet`."""
    return tuple(f"line {line}: {card}: {facts}" for (line, card), facts in _by_card(declared_facts).items())


def facts_in_brief(declared_facts: Iterable[CardFact]) -> tuple[str, ...]:
    """Return a sentence for each group of cards with the same facts.

    For example: `type mission for Ridge and 5 more (lines 1–7)`.
    """
    cards_by_facts: dict[str, list[tuple[int, str]]] = {}
    for card, facts in _by_card(declared_facts).items():
        cards_by_facts.setdefault(facts, []).append(card)
    sentences = []
    for facts, cards in cards_by_facts.items():
        lines = sorted({line for line, _ in cards})
        names = listed_short([*dict.fromkeys(name for _, name in cards)])
        noun = "line" if len(lines) == 1 else "lines"
        sentences.append(f"{facts} for {names} ({noun} {', '.join(format_ranges(lines))})")
    return tuple(sentences)


def _by_card(declared_facts: Iterable[CardFact]) -> Mapping[tuple[int, str], str]:
    facts: dict[tuple[int, str], list[str]] = {}
    for fact in declared_facts:
        facts.setdefault((fact.line, fact.card), []).append(f"{fact.attribute} {value_text(fact.value)}")
    return {card: ", ".join(texts) for card, texts in facts.items()}


# -- lists that declare different values for the same fact


_OwnedFacts = list[tuple[str, CardFact]]
"""Pairs of a list's owner and a fact that the list declares."""


def contradictions(
    lists: Mapping[str, Iterable[CardFact]],
    about: str | None = None,
    among: Collection[str] | None = None,
) -> Iterator[Finding]:
    """Yield a finding for each fact to which the lists give different values.

    A finding names all values: first the value in the list of `about`, then the others, rare values first.

    lists: owner → the facts that this owner's list declares
    about: yield only findings about the list of this owner, with messages addressed to this owner
    among: yield only findings about facts that a list of one of these owners declares
    """
    for values in _find_differences(lists):
        owners = {owner for facts in values for owner, _ in facts}
        if (about is None or about in owners) and (among is None or not owners.isdisjoint(among)):
            yield _contradiction(values, about)


def contradictions_by_owner(lists: Mapping[str, Iterable[CardFact]]) -> Mapping[str, tuple[Finding, ...]]:
    """Return, for each owner, a finding for each fact that another list declares differently.

    Owners without such facts are left out.

    lists: owner → the facts about cards that this owner's list declares
    """
    findings: dict[str, list[Finding]] = {}
    for values in _find_differences(lists):
        for owner in dict.fromkeys(owner for facts in values for owner, _ in facts):
            findings.setdefault(owner, []).append(_contradiction(values, owner))
    return {owner: tuple(owner_findings) for owner, owner_findings in findings.items()}


def _find_differences(lists: Mapping[str, Iterable[CardFact]]) -> Iterator[list[_OwnedFacts]]:
    """Yield what the lists declare about each fact on which they disagree, grouped by value.

    A fact is a card's attribute.
    """
    by_fact: dict[tuple[str, str], dict[object, _OwnedFacts]] = {}
    for owner, facts in lists.items():
        for fact in facts:
            values = by_fact.setdefault((fold(fact.card), fact.attribute), {})
            values.setdefault(value_key(fact.value), []).append((owner, fact))
    return ([*values.values()] for values in by_fact.values() if len(values) > 1)


def _contradiction(values: list[_OwnedFacts], about: str | None) -> Finding:
    """Return the finding about a fact to which several decklists give different values.

    The message gives the value in the list of `about` first. The values in other lists follow, rare values
    before common ones.

    values: for each value, the owners of the lists with this value, and what they declare
    about:  the owner to whom the message is addressed; None if it is not addressed to an owner
    """
    own_lines = sorted(fact.line for facts in values for owner, fact in facts if owner == about)
    first = values[0][0][1]

    def order(facts: _OwnedFacts) -> tuple[bool, int]:
        return all(owner != about for owner, _ in facts), len(facts)

    places = ", ".join(_place(facts, about) for facts in sorted(values, key=order))
    subject = first.attribute if about is not None else f"the {first.attribute} of {first.card}"
    message, hint = f"{subject} is {places}", "correct the list that is wrong, and register it again"
    subjects = (first.card,)
    return Finding("fact", Severity.UNVERIFIED, message, lines=tuple(own_lines), subjects=subjects, hint=hint)


def _place(facts: _OwnedFacts, about: str | None) -> str:
    """Return where a value is declared: `Red here`, `Blue in the list of Tom (line 7)`."""
    value = value_text(facts[0][1].value)
    if any(owner == about for owner, _ in facts):
        return f"{value} here"
    lists = "list" if len({owner for owner, _ in facts}) == 1 else "lists"
    return (
        f"{value} in the {lists} of {listed_short([f'{owner} (line {fact.line})' for owner, fact in facts])}"
    )
