"""What an expression is made of, after reading. `at` is the column, counted from 1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from tourney.cards import Absent


class Literal(msgspec.Struct, frozen=True):
    """A number, a text, `true`, `false` or `none`."""

    value: str | int | Fraction | bool | Absent
    at: int


class Name(msgspec.Struct, frozen=True):
    """A word on its own: an attribute, `zone`, `qty`, or a definition."""

    name: str
    at: int


class Dotted(msgspec.Struct, frozen=True):
    """`leader.x`, `this.x` or `setting.x`."""

    base: str
    name: str
    at: int


class ListOf(msgspec.Struct, frozen=True):
    """`['a', 'b']`."""

    items: tuple[Node, ...]
    at: int


class Unary(msgspec.Struct, frozen=True):
    """`not x` or `-x`."""

    operator: str
    operand: Node
    at: int


class Logic(msgspec.Struct, frozen=True):
    """`a and b and c`, `a or b`: flat, however many there are."""

    operator: str
    parts: tuple[Node, ...]
    at: int


class Binary(msgspec.Struct, frozen=True):
    """`x + y`."""

    operator: str
    left: Node
    right: Node
    at: int


class Comparison(msgspec.Struct, frozen=True):
    """`a < b`, and `1 <= a <= 3`, which is `1 <= a and a <= 3`."""

    first: Node
    rest: tuple[tuple[str, Node], ...]
    at: int


class Choice(msgspec.Struct, frozen=True):
    """`a if c else b`."""

    then: Node
    condition: Node
    otherwise: Node
    at: int


class Call(msgspec.Struct, frozen=True):
    """`n(kind == 'ice')`."""

    function: str
    arguments: tuple[Node, ...]
    at: int


Node = Literal | Name | Dotted | ListOf | Unary | Logic | Binary | Comparison | Choice | Call


def children(node: Node) -> tuple[Node, ...]:
    """Return the parts of a node, in the order they are written."""
    match node:
        case ListOf(items):
            return items
        case Unary(_, operand):
            return (operand,)
        case Logic(_, parts):
            return parts
        case Binary(_, left, right):
            return (left, right)
        case Comparison(first, rest):
            return (first, *(part for _, part in rest))
        case Choice(then, condition, otherwise):
            return (then, condition, otherwise)
        case Call(_, arguments):
            return arguments
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Give a node and everything in it."""
    yield node
    for child in children(node):
        yield from walk(child)
