"""Formats, their rules and expressions, ban lists, and the ruleset in force on a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.lazy import lazy_names

if TYPE_CHECKING:  # imported lazily
    from tourney.rules.banlist import parse_banlist
    from tourney.rules.loading import parse_format
    from tourney.rules.ruleset import Ruleset

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
