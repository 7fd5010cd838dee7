"""Formats, their rules and expressions, ban lists, and the ruleset in force on a day."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.rules.banlist import BanList, parse_banlist
    from tourney.rules.format import Format, NamedList
    from tourney.rules.loading import parse_format
    from tourney.rules.ruleset import Ruleset
    from tourney.rules.vocabulary import Placed

__all__ = ["BanList", "Format", "NamedList", "Placed", "Ruleset", "parse_banlist", "parse_format"]

_MODULES = {
    "BanList": "banlist",
    "Format": "format",
    "NamedList": "format",
    "Placed": "vocabulary",
    "Ruleset": "ruleset",
    "parse_banlist": "banlist",
    "parse_format": "loading",
}


def __getattr__(name: str) -> object:
    """Import a name when it is first used: scores alone need no rules about decks."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
