"""Cards and pools: which card a name means, and what is known about it."""

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
        parse_facts,
        parse_schema,
        parse_value,
        unlisted,
    )
    from tourney.cards.importing import SHAPES, import_cards, read_table
    from tourney.cards.lint import lint_pool
    from tourney.cards.names import NearNames, fold
    from tourney.cards.pool import Pool, open_pool, parse_pool

__all__ = [
    "NONE",
    "SHAPES",
    "UNKNOWN",
    "Absent",
    "Attribute",
    "AttributeKind",
    "Card",
    "NearNames",
    "Pool",
    "Printing",
    "Schema",
    "SetInfo",
    "Status",
    "Value",
    "fold",
    "import_cards",
    "lint_pool",
    "open_pool",
    "parse_facts",
    "parse_pool",
    "parse_schema",
    "parse_value",
    "read_table",
    "unlisted",
]

_MODULES = {
    **dict.fromkeys(("NearNames", "fold"), "names"),
    **dict.fromkeys(("Pool", "open_pool", "parse_pool"), "pool"),
    **dict.fromkeys(("SHAPES", "import_cards", "read_table"), "importing"),
    "lint_pool": "lint",
}
"""The module of each name that is not in `card`."""


def __getattr__(name: str) -> object:
    """Import the module of a name when the name is first used.

    Most commands import `tourney.cards.names` only, and start faster without the others.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULES.get(name, 'card')}"), name)
    globals()[name] = value
    return value
