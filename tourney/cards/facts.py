"""Attribute values written as text: facts declared in a decklist (`{type=efreet, faction=CPM|UNE}`), cells of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from tourney.cards.card import Value
from tourney.cards.schema import Attribute, Kind

_FLAGS = {
    **dict.fromkeys(("yes", "y", "true", "1", "x", "✓"), True),
    **dict.fromkeys(("no", "n", "false", "0"), False),
}
_BLANKS = {"none", "null", "-", "–", "—"}
_BETWEEN = re.compile(r"\s*[|;/+]\s*")
_NUMBER = re.compile(r"[-+−]?\d{1,18}(\.\d{1,18})?\Z", re.ASCII)


def value_of(text: str, attribute: Attribute | None) -> Value | None:
    """Read `text` as a value of `attribute`; None says the card has none (`none`, `-`).

    A list is written with `|`, `/`, `+` or `;` between its words. Without a declared attribute a number is a number
    and everything else is text. Raises ValueError, its message saying what was expected.

    >>> value_of("CPM|UNE", Attribute(name="faction", kind=Kind.LIST))
    ('CPM', 'UNE')
    >>> value_of("-2", None), value_of("efreet", None), value_of("none", None)
    (-2, 'efreet', None)
    """
    plain = text.strip()
    if plain.casefold() in _BLANKS:
        return None
    if attribute is None:
        return _number(plain) if _NUMBER.match(plain) else plain
    value = _typed(plain, attribute)
    fault = attribute.fault(value)
    if fault:
        raise ValueError(fault)
    return value


def _typed(plain: str, attribute: Attribute) -> Value:
    if attribute.kind is Kind.LIST:
        return tuple(_spelled(word, attribute) for word in _BETWEEN.split(plain) if word)
    if attribute.kind is Kind.TEXT:
        return _spelled(plain, attribute)
    found: Value | None = _FLAGS.get(plain.casefold()) if attribute.kind is Kind.FLAG else None
    if attribute.kind is Kind.NUMBER and _NUMBER.match(plain):
        found = _number(plain)
    if found is None:
        raise ValueError(f"{attribute.name}: expected {attribute.kind.words}, found `{plain}`")
    return found


def _number(plain: str) -> int | Fraction:
    value = Fraction(plain.replace("−", "-"))
    return int(value) if value.denominator == 1 else value


def _spelled(word: str, attribute: Attribute) -> str:
    """Spell a known word as the pool spells it: `une` is UNE."""
    return next((known for known in attribute.values if known.casefold() == word.casefold()), word)


def declared_facts(
    facts: Mapping[str, str], attributes: Mapping[str, Attribute]
) -> tuple[Mapping[str, Value | None], tuple[str, ...]]:
    """Read the facts a decklist declares of a card: the values, and what is wrong with those that are none.

    The names of attributes ignore case; a fact the pool does not know of is kept as it is.
    """
    spelled = {name.casefold(): name for name in attributes}
    values: dict[str, Value | None] = {}
    faults: list[str] = []
    for written, text in facts.items():
        name = spelled.get(written.casefold(), written)
        try:
            values[name] = value_of(text, attributes.get(name))
        except ValueError as fault:
            faults.append(str(fault))
    return values, tuple(faults)
