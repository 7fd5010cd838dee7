"""Cards and pools: which card a name means, and what is known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.lazy import lazy_names

if TYPE_CHECKING:  # imported lazily
    from tourney.cards.card import (
        NONE,
        UNKNOWN,
        Attribute,
        AttributeKind,
        Card,
        Status,
        parse_facts,
        parse_schema,
        parse_value,
        unlisted_card,
    )
    from tourney.cards.importing import SHAPES, import_cards, read_table
    from tourney.cards.names import fold
    from tourney.cards.pool import lint_pool, open_pool, parse_pool

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
