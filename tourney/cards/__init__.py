"""Cards and pools: what is known of each card, what is blank, and what nobody wrote down."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.cards.card import (
        NONE,
        UNKNOWN,
        Absent,
        Attribute,
        AttributeKind,
        Card,
        Printing,
        Schema,
        SetInfo,
        Status,
        Value,
        declared_facts,
        parse_schema,
        unlisted,
        value_of,
    )
    from tourney.cards.pool import Pool, open_pool, parse_pool

__all__ = [
    "NONE",
    "UNKNOWN",
    "Absent",
    "Attribute",
    "AttributeKind",
    "Card",
    "Pool",
    "Printing",
    "Schema",
    "SetInfo",
    "Status",
    "Value",
    "declared_facts",
    "open_pool",
    "parse_pool",
    "parse_schema",
    "unlisted",
    "value_of",
]

_OF_POOLS = {"Pool", "open_pool", "parse_pool"}


def __getattr__(name: str) -> object:
    """Load each part when it is asked for: whoever only folds names (`tourney.cards.names`) needs neither cards nor pools."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{'pool' if name in _OF_POOLS else 'card'}")
    value: object = getattr(module, name)
    globals()[name] = value
    return value
