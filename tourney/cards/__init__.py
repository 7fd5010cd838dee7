"""Cards and pools: what is known of each card, what is blank, and what nobody wrote down."""

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
