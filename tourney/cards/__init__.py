"""Cards and pools: which card a name means, and what is known about it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMES = {
    "card": (
        "NONE", "UNKNOWN", "Absent", "Attribute", "AttributeKind", "Card", "Printing", "Schema", "SetInfo", "Status",
        "Value", "parse_facts", "parse_schema", "parse_value", "unlisted",
    ),
    "importing": ("SHAPES", "import_cards", "read_table"),
    "names": ("NearNames", "fold"),
    "pool": ("Pool", "lint_pool", "open_pool", "parse_pool"),
}  # fmt: skip
"""Module → the names of it that can be imported from here."""


def __getattr__(name: str) -> Any:
    """Import the module of a name when the name is first used.

    Most commands import `tourney.cards.names` only, and start faster without the others.
    """
    for module, names in _NAMES.items():
        if name in names:
            globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
            return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
