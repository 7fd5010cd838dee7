"""The base class of the JSON documents that `--json` prints.

Each document is a struct whose fields are the keys of the JSON object. It is defined beside the function that
returns it or, if it is made from other values, in the `documents` module of its package. The docstring of a
document says what it is, then what each field means, as `name: text`. `python -m scripts.reference` writes
`tourney/schemas` from these structs.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

T = TypeVar("T")
S = TypeVar("S", bound=Struct)


class Document(Struct, frozen=True, kw_only=True, tag_field="schema"):
    """A JSON object whose key `schema` names its schema, the `tag` of the class.

    For example `class Prizes(Document, frozen=True, tag="tourney.prizes/1")`.

    An optional key has the type `X | UnsetType` and the default `UNSET`. All other keys are always written.
    """


def filled(kind: type[S], source: object, **fields: Any) -> S:
    """Return a struct of the type `kind` with values from `fields` and `source`.

    A field that is not in `fields` gets the value of the attribute of `source` that has the same name. If
    `source` has no such attribute, the field gets its default.
    """
    names = [name for name in kind.__struct_fields__ if name not in fields]
    return kind(**{name: getattr(source, name) for name in names if hasattr(source, name)}, **fields)


def or_unset(value: T | None) -> T | UnsetType:
    """Return `value`, or `UNSET` in place of None, so that the document leaves the key out."""
    return UNSET if value is None else value


def to_plain(document: Document) -> Any:
    """Return a document as plain dicts, lists, numbers and text.

    Fractions (`15/2`) and dates become text.
    """
    return msgspec.to_builtins(document, enc_hook=plain_value, str_keys=True)


def plain_value(value: object) -> object:
    """Convert a value that msgspec cannot encode, such as a fraction, to one that it can encode.

    Raises TypeError if the type of the value is not supported.
    """
    if isinstance(value, (Fraction, str)):  # damaged text has a subclass of str as its type
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
