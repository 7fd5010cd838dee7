"""Formats, their rules and expressions, ban lists, and the ruleset in force on a day."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = {
    "BanList": "banlist",
    "Format": "format",
    "NamedList": "format",
    "Placed": "vocabulary",
    "Ruleset": "ruleset",
    "parse_banlist": "banlist",
    "parse_format": "loading",
}
"""Name → its module. These names can be imported from here."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: scores alone need no rules about decks."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return globals()[name]
