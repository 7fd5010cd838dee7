"""Nodes → functions: an expression bound once to a pool's attributes and a format's definitions, then asked often."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from tourney.cards.card import NONE, UNKNOWN, Absent
from tourney.cards.names import FoldedName, fold, nearest
from tourney.rules.expressions import deck
from tourney.rules.expressions.deck import Evaluator, Missing, Slot, View
from tourney.rules.expressions.language import (
    About,
    Binary,
    Call,
    Choice,
    Compare,
    Dotted,
    ExpressionError,
    ListOf,
    Literal,
    Logic,
    Name,
    Node,
    Unary,
    children,
    counts_cards,
    parse,
    walk,
)
from tourney.rules.expressions.values import (
    COMPARISONS,
    Edge,
    InDoubt,
    Interval,
    Item,
    Span,
    Truth,
    Unknown,
    Value,
    arithmetic,
    causes_of,
    contains,
    edges,
    either,
    equal,
    interval,
    items,
    joined,
    minus,
    negated,
    shared,
    subset,
    truth,
    unknown,
)

OWN_NAMES = frozenset({"name", "id", "version", "set", "zone", "qty"})
"""Names every card answers to, whatever its pool declares."""


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """What the names in an expression stand for.

    attributes: the declared attributes, None where nothing is declared and anything may be asked
    flags:      those of them that are true or false
    singles:    those of them that are no lists
    canonical:  gives a card's counted name (folded) for a name in quotes
    """

    define: Mapping[str, str] = {}
    attributes: frozenset[str] | None = None
    flags: frozenset[str] = frozenset()
    singles: frozenset[str] = frozenset()
    canonical: Callable[[str], FoldedName] = fold


def bind(node: Node, meaning: Meaning, about: About = About.CARD) -> Evaluator:
    """Make the function that answers an expression. Raises ExpressionError for an attribute no card has."""
    return _Binder(meaning, about).bound(node)


def is_single(node: Node, meaning: Meaning) -> bool:
    """Say whether an expression is no list whatever the card, because it is one attribute that is none."""
    return (
        isinstance(node, Name)
        and node.name not in meaning.define
        and node.name in meaning.singles | OWN_NAMES
    )


def bind_weight(node: Node, meaning: Meaning) -> Evaluator:
    """Make the function that answers what a copy weighs; see `weight` for what the unknown weighs.

    Where something is subtracted that may not be known, the unknown may weigh less than nothing, too.
    """
    return _weighing(node, bind(node, meaning), meaning.define)


class _Binder:
    """Binds one expression in one place."""

    def __init__(self, meaning: Meaning, about: About) -> None:
        self.meaning = meaning
        self.about = about

    def bound(self, node: Node) -> Evaluator:
        return _BINDS[type(node)](self, node)

    def literal(self, node: Literal) -> Evaluator:
        return _constant(node.value)

    def name(self, node: Name) -> Evaluator:
        if node.name in self.meaning.define:
            return self.bound(parse(self.meaning.define[node.name]))
        if self.about is About.PRINTING:
            return _printing_attribute(node.name)
        if node.name in _OF_SLOT:
            return _OF_SLOT[node.name]
        self._known(node.name, node.at)
        return _attribute(node.name)

    def _known(self, name: str, at: int) -> None:
        attributes = self.meaning.attributes
        if attributes is None or name in attributes or name in OWN_NAMES:
            return
        near = nearest(name, attributes)
        instead = (
            f"; did you mean `{near}`?" if near else f"; they have {', '.join(sorted(attributes)) or 'none'}"
        )
        raise ExpressionError(f"the pool's cards have no `{name}`{instead}", at)

    def dotted(self, node: Dotted) -> Evaluator:
        name = node.name
        if node.base == "setting":
            return lambda view: view.deck.settings.get(name, NONE)
        self._known(name, node.at)
        if node.base == "leader":
            return _of_the_leader(name)
        return _of_this(_Binder(self.meaning, About.CARD).name(Name(name, node.at)))

    def list_of(self, node: ListOf) -> Evaluator:
        return _listed([self.bound(part) for part in node.items])

    def unary(self, node: Unary) -> Evaluator:
        evaluator = self.bound(node.operand)
        if node.operator == "not":
            return _inverted(evaluator)
        return lambda view: minus(evaluator(view))

    def logic(self, node: Logic) -> Evaluator:
        """Ask first what depends on the card alone: kept from deck to deck, it often decides. The order changes nothing."""
        parts = [self.bound(part) for part in node.parts]
        if self.about is About.CARD:
            alone = [is_of_the_card(part, self.meaning.define) for part in node.parts]
            if any(alone) and not all(alone):
                first = [remembered(part) for part, of_card in zip(parts, alone, strict=True) if of_card]
                parts = first + [part for part, of_card in zip(parts, alone, strict=True) if not of_card]
        return _connected(parts, decisive=node.operator == "or")

    def binary(self, node: Binary) -> Evaluator:
        return _calculated(node.operator, self.bound(node.left), self.bound(node.right))

    def comparison(self, node: Compare) -> Evaluator:
        first = self._side(node.first, node)
        if len(node.rest) == 1:
            return self._pair(first, node)
        return _compared(first, [(sign, self._side(part, node)) for sign, part in node.rest])

    def _pair(self, first: Evaluator, node: Compare) -> Evaluator:
        sign, right = node.rest[0]
        if sign in {"in", "not in"} and _is_of_the_deck(right, self.meaning.define):
            return _membership(first, self._side(right, node), outside=sign == "not in")
        value = right.value if isinstance(right, Literal) else None
        if isinstance(value, str) and sign in {"==", "!="}:
            text = self.meaning.canonical(value) if _is_name_of_card(node.first) else value
            return _against_text(first, text, differs=sign == "!=")
        if isinstance(value, int | Fraction) and not isinstance(value, bool) and sign not in {"in", "not in"}:
            return _against_number(first, sign, value)
        return _compared(first, [(sign, self._side(right, node))])

    def _side(self, node: Node, whole: Compare) -> Evaluator:
        """Bind one side; a name in quotes compared with `name` may be an alias, or the name before errata."""
        sides = [whole.first, *(part for _, part in whole.rest)]
        if not any(_is_name_of_card(side) for side in sides):
            return self.bound(node)
        if isinstance(node, ListOf) and all(isinstance(part, Literal) for part in node.items):
            return _listed([self._side(part, whole) for part in node.items])
        if isinstance(node, Literal) and isinstance(node.value, str):
            return _constant(self.meaning.canonical(node.value))
        return self.bound(node)

    def choice(self, node: Choice) -> Evaluator:
        return _chosen(self.bound(node.condition), self.bound(node.then), self.bound(node.otherwise))

    def call(self, node: Call) -> Evaluator:
        if counts_cards(node, self.meaning.define, self.meaning.flags, about=self.about):
            return self._count(node)
        words = [
            part.value for part in node.arguments if isinstance(part, Literal) and isinstance(part.value, str)
        ]
        match node.function:
            case "size":
                return deck.size(*words)
            case "has":
                return deck.has(self.meaning.canonical(words[0]), *words[1:])
            case "listed":
                return deck.listed(words[0])
            case "points":
                return deck.points(words[0] if words else "points")
            case "printed":
                return deck.printed(_Binder(self.meaning, About.PRINTING).bound(node.arguments[0]))
        return _applied(_PLAIN[node.function], [self.bound(argument) for argument in node.arguments])

    def _count(self, node: Call) -> Evaluator:
        conditions = 1 if node.function == "n" else 2
        where = self._of_each(node.arguments[0]) if len(node.arguments) == conditions else None
        value = self._of_each(node.arguments[-1]) if node.function != "n" else None
        if value is not None and node.function == "total":
            value = _weighing(node.arguments[-1], value, self.meaning.define)
        if node.function == "distinct":
            evaluator = deck.distinct(where, value, single=is_single(node.arguments[-1], self.meaning))
        else:
            evaluator = deck.MAKERS[node.function](where, value)
        return evaluator if _looks_outside(node, self.meaning.define) else _kept(evaluator)

    def _of_each(self, node: Node) -> Evaluator:
        """Bind what a count asks of each card; what depends on the card alone is kept for the next deck."""
        evaluator = _Binder(self.meaning, About.CARD).bound(node)
        return remembered(evaluator) if is_of_the_card(node, self.meaning.define) else evaluator


_BINDS: Mapping[type, Callable[[_Binder, Any], Evaluator]] = {
    Literal: _Binder.literal,
    Name: _Binder.name,
    Dotted: _Binder.dotted,
    ListOf: _Binder.list_of,
    Unary: _Binder.unary,
    Logic: _Binder.logic,
    Binary: _Binder.binary,
    Compare: _Binder.comparison,
    Choice: _Binder.choice,
    Call: _Binder.call,
}
_OF_SLOT: Mapping[str, Evaluator] = {
    "zone": lambda view: view.slot.zone,
    "qty": lambda view: view.slot.qty,
    "name": lambda view: view.slot.name,
}


def _attribute(name: str) -> Evaluator:
    return lambda view: _attribute_of(view.slot, name)


def _attribute_of(slot: Slot, name: str) -> Value:
    value = slot.card.get(name)
    return Unknown(causes=(Missing(slot, name),)) if value is UNKNOWN else value


def _of_the_leader(name: str) -> Evaluator:
    """Make `leader.x`: of several leaders the list of their values; a blank where there is none."""

    def evaluator(view: View) -> Value:
        leader = view.deck.leader
        if leader.doubt:
            return Unknown(causes=(Missing(None, name),))
        if len(leader.slots) == 1:
            return _attribute_of(leader.slots[0], name)
        return _together([_attribute_of(slot, name) for slot in leader.slots])

    return evaluator


def _together(values: Sequence[Value]) -> Value:
    if any(isinstance(value, Unknown) for value in values):
        return unknown(*values)
    unique: dict[Any, None] = {}
    for value in values:
        unique.update(dict.fromkeys(value if isinstance(value, tuple) else (value,)))
    unique.pop(NONE, None)
    several = any(isinstance(value, tuple) for value in values)
    if len(unique) == 1 and not several:
        return next(iter(unique))  # type: ignore[no-any-return]
    return tuple(unique) if unique or several else NONE


def _constant(value: Value) -> Evaluator:
    return lambda _: value


def _of_this(evaluator: Evaluator) -> Evaluator:
    def turned(view: View) -> Value:
        slot, view.slot = view.slot, view.this
        value = evaluator(view)
        view.slot = slot
        return value

    return turned


def _weighing(node: Node, evaluator: Evaluator, define: Mapping[str, str]) -> Evaluator:
    if not _may_be_negative(node, define):
        return evaluator

    def weighed(view: View) -> Value:
        value = evaluator(view)
        return Interval(-math.inf, math.inf, causes=value.causes) if isinstance(value, Unknown) else value

    return weighed


def _may_be_negative(node: Node, define: Mapping[str, str]) -> bool:
    """Say whether an expression takes something away that may be unknown: anything but numbers and `qty`."""
    for part in walk(node):
        if isinstance(part, Unary) and part.operator == "-":
            return True
        if isinstance(part, Binary) and part.operator == "-" and _asks_cards(part):
            return True
        if (
            isinstance(part, Name)
            and part.name in define
            and _may_be_negative(parse(define[part.name]), define)
        ):
            return True
    return False


def _asks_cards(node: Node) -> bool:
    return any(
        isinstance(part, Dotted | Call) or (isinstance(part, Name) and part.name != "qty")
        for part in walk(node)
    )


def _printing_attribute(name: str) -> Evaluator:
    def evaluator(view: View) -> Value:
        value = view.printing.get(name) if view.printing else None
        return NONE if value is None else value

    return evaluator


def _is_name_of_card(node: Node) -> bool:
    return isinstance(node, Name | Dotted) and node.name == "name"


# -- Comparisons, the commonest ones made fast: an attribute against a literal, an attribute in a list that does not change


_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _against_number(evaluator: Evaluator, sign: str, number: int | Fraction) -> Evaluator:
    """Make `cost <= 3`."""
    compare, order = COMPARISONS[sign], _ORDERS[sign]

    def compared(view: View) -> Truth:
        value = evaluator(view)
        if type(value) is int:
            return order(value, number)
        return value if isinstance(value, Unknown) else compare(value, number)

    return compared


def _against_text(evaluator: Evaluator, text: str, *, differs: bool) -> Evaluator:
    """Make `kind == 'vp'`, or `!=`."""
    key = fold(text)

    def compared(view: View) -> Truth:
        value = evaluator(view)
        if isinstance(value, Unknown):
            return value
        same = (value == text or fold(value) == key) if isinstance(value, str) else equal(value, text)
        return negated(same) if differs else same

    return compared


def _membership(item: Evaluator, whole: Evaluator, *, outside: bool) -> Evaluator:
    """Make `type in [...]`, or `not in`, where the list is the same for every card of a deck."""
    ticket = object()

    def evaluator(view: View) -> Truth:
        memory = view.deck.answers
        parts = memory.get(ticket)
        if parts is None:
            value = whole(view)
            parts = memory[ticket] = (value, *items(value))
        result = _inside(item(view), *parts)
        return negated(result) if outside else result

    return evaluator


def _inside(item: Value, whole: Value, sure: frozenset[object], possible: frozenset[object] | None) -> Truth:
    if not isinstance(item, str) or isinstance(whole, str):
        return contains(item, whole)
    key = fold(item)
    if key in sure:
        return True
    return unknown(whole) if possible is None or key in possible else False


def _compared(first: Evaluator, rest: list[tuple[str, Evaluator]]) -> Evaluator:
    """Make `a < b`, and `a < b < c`."""
    parts = [(COMPARISONS[sign], part) for sign, part in rest]
    if len(parts) == 1:
        compare, second = parts[0]
        return lambda view: compare(first(view), second(view))

    def evaluator(view: View) -> Truth:
        left = first(view)
        result: Truth = True
        for compare, part in parts:
            right = part(view)
            held = compare(left, right)
            if held is False:
                return False
            result = result if held is True else unknown(result, held)
            left = right
        return result

    return evaluator


# -- The functions of the language that look at no cards: min, max, len, subset, and the joining of two lists


def _extreme(values: Sequence[Value], pick: Callable[..., Edge]) -> Value:
    """Pick among the arguments, lists opened; blanks do not compete."""
    flat = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
    ranges = [edges(value) for value in flat if value is not NONE]
    if not ranges:
        return NONE
    numbers = [each for each in ranges if each is not None]
    if len(numbers) < len(ranges):
        return unknown(*values)
    low, high = pick(low for low, _ in numbers), pick(high for _, high in numbers)
    return unknown(*values) if (low, high) == (-math.inf, math.inf) else interval(low, high, *values)


def _smallest(*values: Value) -> Value:
    """Return the smallest; a blank where there is nothing."""
    return _extreme(values, min)


def _largest(*values: Value) -> Value:
    """Return the largest; a blank where there is nothing."""
    return _extreme(values, max)


def _length(value: Value) -> Value:
    """Return how many things are in a list; a single value is one, a blank none."""
    sure, possible = items(value)
    return interval(len(sure), math.inf if possible is None else len(possible), value)


_PLAIN: Mapping[str, Callable[..., Value]] = {
    "min": _smallest,
    "max": _largest,
    "len": _length,
    "subset": subset,
    "union": joined,
    "common": shared,
}


# -- What an answer depends on, and keeping it as long as that does not change: for a card, or for a deck


_OF_THE_CARD = frozenset({"min", "max", "len", "subset", "printed"})
_OF_THE_DECK = frozenset({"min", "max", "len", "subset", "size", "has"})


def is_of_the_card(node: Node, define: Mapping[str, str]) -> bool:
    """Say whether the answer depends on nothing but the card, so that it holds in the next deck, too."""
    for part in walk(node):
        if isinstance(part, Dotted) or (isinstance(part, Call) and part.function not in _OF_THE_CARD):
            return False
        if isinstance(part, Name) and part.name in {"zone", "qty"}:
            return False
        if (
            isinstance(part, Name)
            and part.name in define
            and not is_of_the_card(parse(define[part.name]), define)
        ):
            return False
    return True


def _is_of_the_deck(node: Node, define: Mapping[str, str]) -> bool:
    """Say whether the answer is the same for every card of a deck: literals, the leader, settings, sizes."""
    for part in walk(node):
        if isinstance(part, Dotted) and part.base == "this":
            return False
        if isinstance(part, Call) and part.function not in _OF_THE_DECK:
            return False
        if isinstance(part, Name) and not (
            part.name in define and _is_of_the_deck(parse(define[part.name]), define)
        ):
            return False
    return True


def _looks_outside(node: Node, define: Mapping[str, str]) -> bool:
    """Say whether a count depends on the card outside it, by `this`; else one answer serves the whole deck."""
    for part in walk(node):
        if isinstance(part, Dotted) and part.base == "this":
            return True
        if (
            isinstance(part, Name)
            and part.name in define
            and _looks_outside(parse(define[part.name]), define)
        ):
            return True
    return False


def is_alike_for_all(node: Node, meaning: Meaning) -> bool:
    """Return whether an expression that is asked of a card asks nothing of it, only of the deck and the leader."""
    if isinstance(node, Name):
        return node.name in meaning.define and is_alike_for_all(parse(meaning.define[node.name]), meaning)
    if isinstance(node, Dotted):
        return node.base != "this"
    if isinstance(node, Call):
        if counts_cards(node, meaning.define, meaning.flags):
            return not _looks_outside(node, meaning.define)
        if node.function in {"listed", "points", "printed"}:
            return False
    return all(is_alike_for_all(child, meaning) for child in children(node))


def remembered(evaluator: Evaluator) -> Evaluator:
    """Keep what is known of each pool card. What is in doubt is not kept: its causes are facts of one deck's lines."""
    answers: dict[str, Value] = {}

    def again(view: View) -> Value:
        key = view.slot.pool_id
        if key is None:
            return evaluator(view)
        value = answers.get(key)
        if value is None:
            value = evaluator(view)
            if not isinstance(value, InDoubt):
                answers[key] = value
        return value

    return again


def _kept(evaluator: Evaluator) -> Evaluator:
    """Answer from the deck's memory after the first time."""
    ticket = object()  # not the function's id(): that may be given again once the function is gone

    def again(view: View) -> Value:
        deck = view.deck
        value: Value | None = deck.answers.get(ticket)
        if value is None:
            value = deck.answers[ticket] = evaluator(view)
        return value

    return again


# -- Three-valued logic and arithmetic, put together from bound parts


def _inverted(evaluator: Evaluator) -> Evaluator:
    """Make `not x`."""
    return lambda view: negated(truth(evaluator(view)))


def _connected(parts: Sequence[Evaluator], *, decisive: bool) -> Evaluator:
    """Make `a and b` (false decides) or `a or b` (true decides)."""

    def evaluator(view: View) -> Truth:
        doubts: list[Value] = []
        for part in parts:
            value = truth(part(view))
            if value is decisive:
                return decisive
            if isinstance(value, Unknown):
                doubts.append(value)
        return unknown(*doubts) if doubts else not decisive

    return evaluator


def _calculated(operator: str, left: Evaluator, right: Evaluator) -> Evaluator:
    """Make `x + y` and its like."""
    return lambda view: arithmetic(operator, left(view), right(view))


def _chosen(condition: Evaluator, then: Evaluator, otherwise: Evaluator) -> Evaluator:
    """Make `a if c else b`; where the condition is unknown, what both have in common."""

    def evaluator(view: View) -> Value:
        held = truth(condition(view))
        if isinstance(held, Unknown):
            return either(then(view), otherwise(view), held)
        return (then if held else otherwise)(view)

    return evaluator


def _listed(parts: Sequence[Evaluator]) -> Evaluator:
    """Make `[a, b]`: a list within is opened. A blank is kept only for `in`; every other question leaves it out."""

    def evaluator(view: View) -> Value:
        values = [part(view) for part in parts]
        if any(isinstance(value, InDoubt) for value in values):
            sure = frozenset().union(*(items(value)[0] for value in values))
            return Span(sure, None, blank=_any_blank(values), causes=causes_of(*values))
        whole: list[Item | Absent] = []
        for value in values:
            if isinstance(value, tuple):
                whole.extend(value)
            elif not isinstance(value, InDoubt):
                whole.append(value)
        return tuple(whole)

    return evaluator


def _any_blank(values: Sequence[Value]) -> bool | None:
    """Return whether one of these values is or holds a blank, None where that is not known."""
    blanks: set[bool | None] = set()
    for value in values:
        if isinstance(value, Span):
            blanks.add(value.blank)
        elif isinstance(value, Unknown):
            blanks.add(None)
        else:
            blanks.add(value is NONE or (isinstance(value, tuple) and NONE in value))
    return True if True in blanks else None if None in blanks else False


def _applied(work: Callable[..., Value], arguments: Sequence[Evaluator]) -> Evaluator:
    """Make `max(a, b)`, `len(x)` and what else looks at no cards."""
    return lambda view: work(*(argument(view) for argument in arguments))
