"""What may stand where: the functions with their arguments, and which names make sense in which place.

Everything here is checked when a format is loaded, before any pool is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

import msgspec
from msgspec.structs import replace

from tourney.rules.expressions.parsing import (
    Call,
    Compare,
    Dotted,
    ExpressionError,
    Literal,
    Logic,
    Name,
    Node,
    Unary,
    children,
    parse,
)

LARGEST = 2_000
"""Parts of one expression once its definitions are put in."""
DEEPEST_DEFINED = 80
"""Levels of one expression once its definitions are put in."""
MOST_DEFINITIONS = 40
"""Definitions that one expression needs, those of its definitions included."""
_OPEN = (0, 0)
_CONDITIONS = ("listed", "printed", "has", "subset")


class About(Enum):
    """What a bare name in an expression is an attribute of."""

    DECK = "deck"  # of nothing: only counts, `leader.x` and `size(…)` make sense
    CARD = "card"
    PRINTING = "printing"


class Function(msgspec.Struct, frozen=True):
    """One function. least, most: how many arguments; counts: its arguments are asked of each card of the deck."""

    least: int
    most: int
    about: str
    counts: bool = False
    quoted: str = ""


FUNCTIONS: Mapping[str, Function] = {
    "n": Function(0, 1, "n(condition): copies of the cards that fit", counts=True),
    "size": Function(0, 1, "size('zone'): cards in the zone", quoted="zone"),
    "total": Function(1, 2, "total(condition, value): the value summed over copies", counts=True),
    "distinct": Function(1, 2, "distinct(condition, value): how many different values", counts=True),
    "union": Function(
        2, 2, "union(condition, value): the values of all cards that fit; union(list, list)", counts=True
    ),
    "common": Function(
        2, 2, "common(condition, value): what all cards that fit share; common(list, list)", counts=True
    ),
    "subset": Function(2, 2, "subset(list, list): whether all of the first is in the second"),
    "listed": Function(1, 1, "listed('list'): whether the card is on the list", quoted="list"),
    "points": Function(
        0, 1, "points('list'): the card's number on the list, 0 if it is not there", quoted="list"
    ),
    "printed": Function(1, 1, "printed(condition): whether a printing of the card fits"),
    "has": Function(1, 2, "has('name', 'zone'): whether the card is in the deck (the zone)", quoted="name"),
    "min": Function(1, 20, "min(a, b): the smaller; min(list)"),
    "max": Function(1, 20, "max(a, b): the larger; max(list)"),
    "len": Function(1, 1, "len(list): how many things are in it"),
}


class Surroundings(msgspec.Struct, frozen=True):
    """What an expression may name. zones and lists are None where they are not known yet."""

    about: About = About.CARD
    this: bool = True
    define: Mapping[str, str] = {}
    zones: frozenset[str] | None = None
    lists: frozenset[str] | None = None
    settings: frozenset[str] | None = None
    leader: bool = True

    def inside_count(self) -> Surroundings:
        """Return what holds inside `n(…)`: bare names are the counted card's, `this` stays the card outside."""
        return replace(self, about=About.CARD, this=self.this and self.about is About.CARD)


def check(text: str, around: Surroundings) -> Node:
    """Read an expression and check every name and call in it. Raises ExpressionError with the column."""
    node = parse(text)
    if size(node, around.define) > LARGEST:
        raise ExpressionError(f"with its definitions the expression has more than {LARGEST:,} parts", 1)
    _check(node, around)
    return node


def size(node: Node, define: Mapping[str, str]) -> int:
    """Count the parts of an expression, definitions put in.

    Raises ExpressionError for a definition that needs itself, and for more than DEEPEST_DEFINED levels.
    """
    return _measured(node, define, {})[0]


def _measured(node: Node, define: Mapping[str, str], measures: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """Return how many parts there are, and how many levels."""
    inside = [_measured(child, define, measures) for child in children(node)]
    if isinstance(node, Name) and node.name in define:
        inside.append(_definition(node, define, measures))
    levels = 1 + max((levels for _, levels in inside), default=0)
    if levels > DEEPEST_DEFINED:
        raise ExpressionError(f"with its definitions nested more than {DEEPEST_DEFINED} deep", node.at)
    return min(1 + sum(parts for parts, _ in inside), LARGEST + 1), levels


def _definition(
    node: Name, define: Mapping[str, str], measures: dict[str, tuple[int, int]]
) -> tuple[int, int]:
    if len(measures) > MOST_DEFINITIONS:
        raise ExpressionError(f"more than {MOST_DEFINITIONS} definitions hang on each other", node.at)
    if node.name not in measures:
        measures[node.name] = _OPEN
        measures[node.name] = _measured(parse(define[node.name]), define, measures)
    if measures[node.name] is _OPEN:
        raise ExpressionError(f"`{node.name}` is defined by itself", node.at)
    return measures[node.name]


def is_condition(node: Node, define: Mapping[str, str], flags: frozenset[str] = frozenset()) -> bool:
    """Say whether an expression is a condition by its form, or by the name of an attribute that is a flag."""
    if isinstance(node, Name):
        return node.name in flags or (
            node.name in define and is_condition(parse(define[node.name]), define, flags)
        )
    if isinstance(node, Literal):
        return isinstance(node.value, bool)
    if isinstance(node, Call):
        return node.function in _CONDITIONS
    return isinstance(node, Compare | Logic) or (isinstance(node, Unary) and node.operator == "not")


def _check(node: Node, around: Surroundings) -> None:
    if isinstance(node, Call):
        _check_call(node, around)
        return
    if isinstance(node, Name):
        _check_name(node, around)
    elif isinstance(node, Dotted):
        _check_dotted(node, around)
    for child in children(node):
        _check(child, around)


def _check_name(node: Name, around: Surroundings) -> None:
    if node.name in around.define:
        try:
            _check(parse(around.define[node.name]), around)
        except ExpressionError as fault:
            raise ExpressionError(f"`{node.name}` does not fit here: {fault.reason}", node.at) from None
    elif node.name in FUNCTIONS and node.name not in {"size", "points", "min", "max"}:
        raise ExpressionError(f"`{node.name}` needs brackets: {FUNCTIONS[node.name].about}", node.at)
    elif around.about is About.DECK:
        raise ExpressionError(
            f"`{node.name}` of which card? Here the whole deck is asked: count with `n(…)`, or write `leader.{node.name}`",
            node.at,
        )


def _check_dotted(node: Dotted, around: Surroundings) -> None:
    if node.base == "this" and not around.this:
        raise ExpressionError(f"`this.{node.name}`: there is no card here that a rule looks at", node.at)
    if node.base == "leader" and not around.leader:
        raise ExpressionError(f"`leader.{node.name}`: the format has no [leader]", node.at)
    if node.base == "setting" and around.settings is not None and node.name not in around.settings:
        raise ExpressionError(f"there is no setting `{node.name}`{_known(around.settings)}", node.at)


def _check_call(node: Call, around: Surroundings) -> None:
    function = FUNCTIONS.get(node.function)
    if function is None:
        raise ExpressionError(f"there is no function `{node.function}`{_known(FUNCTIONS)}", node.at)
    if not function.least <= len(node.arguments) <= function.most:
        raise ExpressionError(f"`{node.function}` is written {function.about}", node.at)
    if function.quoted:
        _check_quoted(node, function, around)
        return
    inner = around
    if node.function == "printed":
        if around.about is not About.CARD:
            raise ExpressionError("`printed(…)` of which card? Put it into a count: `n(printed(…))`", node.at)
        inner = replace(around, about=About.PRINTING)
    elif counts_cards(node, around.define, about=around.about):
        inner = around.inside_count()
    for argument in node.arguments:
        _check(argument, inner)


def counts_cards(
    node: Call, define: Mapping[str, str], flags: frozenset[str] = frozenset(), *, about: About = About.CARD
) -> bool:
    """Say whether a call goes over the cards of the deck; `union` and `common` do if their first word is a condition.

    Where no card is looked at, an attribute standing first can only be a condition.
    """
    if node.function in {"union", "common"}:
        first = node.arguments[0]
        bare = isinstance(first, Name) and first.name not in define and about is About.DECK
        return bare or is_condition(first, define, flags)
    return FUNCTIONS[node.function].counts


def _check_quoted(node: Call, function: Function, around: Surroundings) -> None:
    for place, argument in enumerate(node.arguments):
        if not (isinstance(argument, Literal) and isinstance(argument.value, str)):
            raise ExpressionError(
                f"`{node.function}` wants its words in quotes: {function.about}", argument.at
            )
        kind = "zone" if node.function == "has" and place == 1 else function.quoted
        names = {"zone": around.zones, "list": around.lists}.get(kind)
        if names is not None and argument.value not in names:
            raise ExpressionError(f"there is no {kind} `{argument.value}`{_known(names)}", argument.at)
    if function.quoted == "list" and around.about is not About.CARD:
        raise ExpressionError(
            f"`{node.function}` of which card? Put it into a count: `n(listed('…'))`", node.at
        )


def _known(names: Mapping[str, object] | frozenset[str]) -> str:
    return f"; there are {', '.join(sorted(names))}" if names else ""


def check_defines(define: Mapping[str, str], source: str) -> None:
    """Read every definition. Raises TourneyError with file and key path, also for one that needs itself."""
    from tourney.errors import TourneyError

    for name, text in define.items():
        try:
            size(Name(name, 1), define)
        except ExpressionError as fault:
            raise TourneyError(f"{source}: define.{name}: {fault}: `{text}`") from None
