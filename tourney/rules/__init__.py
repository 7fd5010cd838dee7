"""Formats, rule kinds, expressions, ban lists, and a ruleset on a day."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.rules.banlist import BanList, parse_banlist
    from tourney.rules.loading import Format, NamedList, parse_format
    from tourney.rules.ruleset import Ruleset
    from tourney.rules.vocabulary import Placed

__all__ = ["BanList", "Format", "NamedList", "Placed", "Ruleset", "parse_banlist", "parse_format"]

_HOMES = {
    "banlist": {"BanList", "parse_banlist"},
    "loading": {"Format", "NamedList", "parse_format"},
    "ruleset": {"Ruleset"},
    "vocabulary": {"Placed"},
}


def __getattr__(name: str) -> object:
    """Load each part when it is asked for: who has won by a score (`tourney.rules.scoring`) takes no rule about decks."""
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
