"""The JSON documents of `--json`: a struct for each, whose fields are the keys.

A document is made of typed values by a function next to the library that it shows. Its docstring says what it is, then
what each field means, as `name: text`. `python -m scripts.reference` writes `tourney/schemas` from these structs.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

T = TypeVar("T")


class Document(msgspec.Struct, frozen=True, kw_only=True, tag_field="schema"):
    """One JSON object with its schema: `class Prizes(Document, frozen=True, tag="tourney.prizes/1")`.

    A key that is not always there has the type `X | UnsetType` and the default `UNSET`; every other key is always written.
    """


def or_unset(value: T | None) -> T | UnsetType:
    """Return the value of a key that is left out if there is none."""
    return UNSET if value is None else value


def to_plain(document: Document) -> Any:
    """Return a document as dicts, lists, numbers and text. A fraction becomes text (`15/2`), as does a date."""
    return msgspec.to_builtins(document, enc_hook=plain_value, str_keys=True)


def plain_value(value: object) -> object:
    """Return a value that msgspec cannot encode by itself as one that it can. Raises TypeError for any other."""
    if isinstance(value, (Fraction, str)):  # text that is damaged is a subclass of str
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
