"""Cards and pools: what is known of each card, what is blank, and what nobody wrote down."""

from tourney.cards.card import (
    NONE,
    UNKNOWN,
    Absent,
    Card,
    Printing,
    Status,
    Value,
    declared_facts,
    unlisted,
    value_of,
)
from tourney.cards.pool import Pool, open_pool, parse_pool
from tourney.cards.schema import Attribute, AttributeKind, Schema, SetInfo, parse_schema

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
