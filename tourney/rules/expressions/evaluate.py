"""Compiles each expression of a format's rules to a Python function.

A function is compiled for one format and one card pool, and can be called for every deck. A result that
depends on the card alone is cached for as long as the function exists, and a result that depends on the deck
alone is cached with the deck.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from tourney.cards.card import NONE, UNKNOWN, Absent
from tourney.cards.names import FoldedName, fold, nearest
from tourney.rules.expressions.deck import FUNCTIONS, Evaluator, Function, View, distinct, fitting
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
    quoted_texts,
    walk,
)
from tourney.rules.expressions.values import (
    COMPARISONS,
    InDoubt,
    Interval,
    Item,
    Missing,
    Slot,
    Span,
    Truth,
    Unknown,
    Value,
    arithmetic,
    causes_of,
    contains,
    either,
    items,
    minus,
    negated,
    truth,
    unknown,
)

OWN_NAMES = frozenset({"name", "id", "version", "set", "zone", "qty"})
"""Names that every card has, whatever its pool declares."""


class Meaning(Struct, frozen=True, kw_only=True):
    """The meaning of the names in expressions.

    attributes: the declared attributes; None if the pool declares none, so that any name is accepted
    flags:      the attributes that are true or false
    singles:    the attributes that are not lists
    canonical:  returns the folded name under which a card is counted
    """

    define: Mapping[str, str] = {}
    attributes: frozenset[str] | None = None
    flags: frozenset[str] = frozenset()
    singles: frozenset[str] = frozenset()
    canonical: Callable[[str], FoldedName] = fold


def bind(node: Node, meaning: Meaning, about: About = About.CARD) -> Evaluator:
    """Return the function that evaluates an expression.

    Raises ExpressionError for an attribute that the pool does not have.
    """
    return _Binder(meaning, about).bound(node)


def bind_weight(node: Node, meaning: Meaning) -> Evaluator:
    """Return the function that calculates the weight of one copy of a card.

    An unknown weight counts as 0 or more. It can be any number if the expression has a minus sign before a
    value, or a subtraction with a value that may be unknown.
    """
    return _weighing(node, bind(node, meaning), meaning.define)


def is_single(node: Node, meaning: Meaning) -> bool:
    """Return whether an expression is one attribute that is never a list."""
    return (
        isinstance(node, Name)
        and node.name not in meaning.define
        and node.name in meaning.singles | OWN_NAMES
    )


class _Binder:
    """Compiles one expression into a function."""

    def __init__(self, meaning: Meaning, about: About) -> None:
        self.meaning = meaning
        self.about = about

    def bound(self, node: Node) -> Evaluator:
        return _BINDERS[type(node)](self, node)

    def literal(self, node: Literal) -> Evaluator:
        return _constant(node.value)

    def name(self, node: Name) -> Evaluator:
        if node.name in self.meaning.define:
            return self.bound(parse(self.meaning.define[node.name]))
        if self.about is About.PRINTING:
            return _printing_attribute(node.name)
        if node.name in _SLOT_FIELDS:
            return _SLOT_FIELDS[node.name]
        self._check_attribute(node.name, node.at)
        return _attribute(node.name)

    def _check_attribute(self, name: str, at: int) -> None:
        attributes = self.meaning.attributes
        if attributes is None or name in attributes or name in OWN_NAMES:
            return
        near = nearest(name, attributes)
        names = ", ".join(sorted(attributes)) or "none"
        hint = f"did you mean `{near}`?" if near else f"they have {names}"
        raise ExpressionError(f"the pool's cards have no `{name}`; {hint}", at)

    def dotted(self, node: Dotted) -> Evaluator:
        name = node.name
        if node.base == "setting":
            return lambda view: view.deck.settings.get(name, NONE)
        self._check_attribute(name, node.at)
        if node.base == "leader":
            return _leader_attribute(name)
        return _of_this(_Binder(self.meaning, About.CARD).name(Name(name, at=node.at)))

    def list_of(self, node: ListOf) -> Evaluator:
        return _list([self.bound(item) for item in node.items])

    def unary(self, node: Unary) -> Evaluator:
        operand = self.bound(node.operand)
        if node.operator == "not":
            return lambda view: negated(truth(operand(view)))
        return lambda view: minus(operand(view))

    def logic(self, node: Logic) -> Evaluator:
        """Compile `and` or `or` into a function.

        Parts that depend on the card alone are evaluated first, because their results are cached.
        """
        parts = [self.bound(part) for part in node.parts]
        if self.about is About.CARD:
            depends_on_card = [depends_on_card_alone(part, self.meaning.define) for part in node.parts]
            if any(depends_on_card) and not all(depends_on_card):
                pairs = list(zip(parts, depends_on_card, strict=True))
                parts = [remember(part) for part, is_kept in pairs if is_kept]
                parts += [part for part, is_kept in pairs if not is_kept]
        return _logic(parts, decisive=node.operator == "or")

    def binary(self, node: Binary) -> Evaluator:
        sign, left, right = node.operator, self.bound(node.left), self.bound(node.right)
        return lambda view: arithmetic(sign, left(view), right(view))

    def compare(self, node: Compare) -> Evaluator:
        first = self._side(node.first, node)
        steps = [(COMPARISONS[sign], self._side(right, node)) for sign, right in node.rest]
        if len(steps) > 1:
            return _chain(first, steps)
        ((sign, right),), ((compare, second),) = node.rest, steps
        if sign in {"in", "not in"} and _depends_on_deck_alone(right, self.meaning.define):
            return _membership(first, second, negate=sign == "not in")
        return lambda view: compare(first(view), second(view))

    def _side(self, node: Node, whole: Compare) -> Evaluator:
        """Compile one side of a comparison into a function.

        A text that is compared with `name` may be an alias or an earlier name of the card.
        """
        sides = [whole.first, *(part for _, part in whole.rest)]
        if not any(_is_card_name(side) for side in sides):
            return self.bound(node)
        if isinstance(node, ListOf) and all(isinstance(item, Literal) for item in node.items):
            return _list([self._side(item, whole) for item in node.items])
        if isinstance(node, Literal) and isinstance(node.value, str):
            return _constant(self.meaning.canonical(node.value))
        return self.bound(node)

    def choice(self, node: Choice) -> Evaluator:
        condition, then = self.bound(node.condition), self.bound(node.then)
        otherwise = self.bound(node.otherwise)

        def evaluator(view: View) -> Value:
            holds = truth(condition(view))
            if isinstance(holds, Unknown):
                return either(then(view), otherwise(view), holds)
            return (then if holds else otherwise)(view)

        return evaluator

    def call(self, node: Call) -> Evaluator:
        function = FUNCTIONS[node.function]
        if counts_cards(node, self.meaning.define, self.meaning.flags, about=self.about):
            return self._count(node, function)
        arguments: list[Any]
        if function.make is not None:
            if function.asks_printings:
                arguments = [_Binder(self.meaning, About.PRINTING).bound(node.arguments[0])]
            else:
                texts = quoted_texts(node).items()
                arguments = [self.meaning.canonical(text) if kind == "name" else text for kind, text in texts]
            return function.make(*arguments)
        of_values, arguments = function.of_values, [self.bound(argument) for argument in node.arguments]
        assert of_values is not None, "the arguments of every other function are evaluated for each card"
        return lambda view: of_values(*(argument(view) for argument in arguments))

    def _count(self, node: Call, function: Function) -> Evaluator:
        of_cards, condition_node, value = function.of_cards, condition_of(node), value_of(node)
        assert of_cards is not None
        if of_cards is distinct:
            of_cards = partial(distinct, is_single=is_single(node.arguments[-1], self.meaning))
        condition = None if condition_node is None else self._of_counted_card(condition_node)
        of_card = None if value is None else self._of_counted_card(value)
        if value is not None and of_card is not None and node.function == "total":
            of_card = _weighing(value, of_card, self.meaning.define)

        def evaluator(view: View) -> Value:
            return of_cards(
                (1 if of_card is None else of_card(inner), copies, fits)
                for inner, copies, fits in fitting(condition, view)
            )

        return evaluator if _names_this(node, self.meaning.define) else _kept_with_deck(evaluator)

    def _of_counted_card(self, node: Node) -> Evaluator:
        evaluator = _Binder(self.meaning, About.CARD).bound(node)
        return remember(evaluator) if depends_on_card_alone(node, self.meaning.define) else evaluator


_BINDERS: Mapping[type, Callable[[_Binder, Any], Evaluator]] = {
    Literal: _Binder.literal,
    Name: _Binder.name,
    Dotted: _Binder.dotted,
    ListOf: _Binder.list_of,
    Unary: _Binder.unary,
    Logic: _Binder.logic,
    Binary: _Binder.binary,
    Compare: _Binder.compare,
    Choice: _Binder.choice,
    Call: _Binder.call,
}


def condition_of(node: Call) -> Node | None:
    """Return the condition in a call that counts cards, such as `n(condition)`.

    Returns None if the call has no condition; then all cards count.
    """
    return node.arguments[0] if len(node.arguments) == FUNCTIONS[node.function].most else None


def value_of(node: Call) -> Node | None:
    """Return the last argument of a call that counts cards: the value of each card.

    For example, it is `cost` in `total(condition, cost)`. Returns None for functions without such an
    argument, such as `n`.
    """
    return None if FUNCTIONS[node.function].most < 2 else node.arguments[-1]


# -- attributes


def _constant(value: Value) -> Evaluator:
    return lambda _: value


_SLOT_FIELDS: Mapping[str, Evaluator] = {
    "zone": lambda view: view.slot.zone,
    "qty": lambda view: view.slot.qty,
    "name": lambda view: view.slot.name,
}


def _attribute(name: str) -> Evaluator:
    return lambda view: _attribute_of(view.slot, name)


def _attribute_of(slot: Slot, name: str) -> Value:
    value = slot.card.get(name)
    return Unknown(causes=(Missing(slot, name),)) if value is UNKNOWN else value


def _leader_attribute(name: str) -> Evaluator:
    """Return the function that evaluates `leader.x` for a deck; `name` is the attribute `x`.

    The values of several leaders are combined, without blanks and duplicates. The result is a list if several
    values are left, or if a leader's value is a list. Without a leader, the result is a blank. It is unknown
    if the leader or a value is unknown.
    """

    def evaluator(view: View) -> Value:
        leader = view.deck.leader
        if leader.doubt:
            return Unknown(causes=(Missing(None, name),))
        if len(leader.slots) == 1:
            return _attribute_of(leader.slots[0], name)
        return _combine([_attribute_of(slot, name) for slot in leader.slots])

    return evaluator


def _combine(values: Sequence[Value]) -> Value:
    if any(isinstance(value, Unknown) for value in values):
        return unknown(*values)
    unique: dict[Any, None] = {}
    for value in values:
        unique.update(dict.fromkeys(value if isinstance(value, tuple) else (value,)))
    unique.pop(NONE, None)
    has_list = any(isinstance(value, tuple) for value in values)
    if len(unique) == 1 and not has_list:
        return next(iter(unique))  # type: ignore[no-any-return]
    return tuple(unique) if unique or has_list else NONE


def _of_this(evaluator: Evaluator) -> Evaluator:
    def of_this(view: View) -> Value:
        slot, view.slot = view.slot, view.this
        value = evaluator(view)
        view.slot = slot
        return value

    return of_this


def _printing_attribute(name: str) -> Evaluator:
    def evaluator(view: View) -> Value:
        value = view.printing.get(name) if view.printing else None
        return NONE if value is None else value

    return evaluator


def _is_card_name(node: Node) -> bool:
    return isinstance(node, Name | Dotted) and node.name == "name"


# -- operators


def _membership(item: Evaluator, whole: Evaluator, *, negate: bool) -> Evaluator:
    """Return a fast function for `in` or `not in`.

    `whole` must be the same for all cards of a deck, because it is evaluated only once for a deck.
    """
    key = object()

    def evaluator(view: View) -> Truth:
        answers = view.deck.answers
        members = answers.get(key)
        if members is None:
            value = whole(view)
            members = answers[key] = (value, *items(value))
        result = _is_member(item(view), *members)
        return negated(result) if negate else result

    return evaluator


def _is_member(
    item: Value, whole: Value, sure: frozenset[object], possible: frozenset[object] | None
) -> Truth:
    if not isinstance(item, str) or isinstance(whole, str):
        return contains(item, whole)
    key = fold(item)
    if key in sure:
        return True
    return unknown(whole) if possible is None or key in possible else False


def _chain(first: Evaluator, steps: list[tuple[Callable[[Value, Value], Truth], Evaluator]]) -> Evaluator:
    """Return the function that evaluates a chain of comparisons, such as `a < b < c`."""

    def evaluator(view: View) -> Truth:
        left = first(view)
        result: Truth = True
        for compare, part in steps:
            right = part(view)
            holds = compare(left, right)
            if holds is False:
                return False
            result = result if holds is True else unknown(result, holds)
            left = right
        return result

    return evaluator


def _logic(parts: Sequence[Evaluator], *, decisive: bool) -> Evaluator:
    """Return the function that evaluates `a and b` (False decides) or `a or b` (True decides)."""

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


def _list(parts: Sequence[Evaluator]) -> Evaluator:
    """Return the function that evaluates `[a, b]`.

    Inner lists are flattened. A blank in the list (`none`, a missing value) matters only for a test such as
    `none in [none, 'red']`.
    """

    def evaluator(view: View) -> Value:
        values = [part(view) for part in parts]
        if any(isinstance(value, InDoubt) for value in values):
            sure = frozenset().union(*(items(value)[0] for value in values))
            return Span(sure, None, blank=_any_blank(values), causes=causes_of(*values))
        members: list[Item | Absent] = []
        for value in values:
            if isinstance(value, tuple):
                members.extend(value)
            elif not isinstance(value, InDoubt):
                members.append(value)
        return tuple(members)

    return evaluator


def _any_blank(values: Sequence[Value]) -> bool | None:
    """Return whether one of the values is blank (`NONE`), or is a list that contains a blank.

    Returns None if that is not known.
    """
    blanks: set[bool | None] = set()
    for value in values:
        if isinstance(value, Span):
            blanks.add(value.blank)
        elif isinstance(value, Unknown):
            blanks.add(None)
        else:
            blanks.add(value is NONE or (isinstance(value, tuple) and NONE in value))
    return True if True in blanks else None if None in blanks else False


def _weighing(node: Node, evaluator: Evaluator, define: Mapping[str, str]) -> Evaluator:
    if not _may_be_negative(node, define):
        return evaluator

    def weight(view: View) -> Value:
        value = evaluator(view)
        return Interval(-math.inf, math.inf, causes=value.causes) if isinstance(value, Unknown) else value

    return weight


def _may_be_negative(node: Node, define: Mapping[str, str]) -> bool:
    """Return whether an expression may be negative if some of its values are unknown.

    It may be if it has a minus sign before a value, or a subtraction that uses a function or a name other
    than `qty`. The value of `qty` is always known.
    """
    return any(
        (isinstance(part, Unary) and part.operator == "-")
        or (isinstance(part, Binary) and part.operator == "-" and _asks_card(part))
        for part in walk(node, define)
    )


def _asks_card(node: Node) -> bool:
    return any(
        isinstance(part, Dotted | Call) or (isinstance(part, Name) and part.name != "qty")
        for part in walk(node)
    )


# -- what a result depends on, and how long it is cached


def depends_on_card_alone(node: Node, define: Mapping[str, str]) -> bool:
    """Return whether an expression about a card has the same value in every deck."""
    return not any(
        isinstance(part, Dotted)
        or (isinstance(part, Call) and "deck" in FUNCTIONS[part.function].asks)
        or (isinstance(part, Name) and part.name in {"zone", "qty"})
        for part in walk(node, define)
    )


def _depends_on_deck_alone(node: Node, define: Mapping[str, str]) -> bool:
    """Return whether an expression has the same value for every card of a deck."""
    return not any(
        isinstance(part, Name)
        or (isinstance(part, Dotted) and part.base == "this")
        or (isinstance(part, Call) and "card" in FUNCTIONS[part.function].asks)
        for part in walk(node, define)
    )


def _names_this(node: Node, define: Mapping[str, str]) -> bool:
    return any(isinstance(part, Dotted) and part.base == "this" for part in walk(node, define))


def asks_no_card(node: Node, meaning: Meaning) -> bool:
    """Return whether an expression about a card uses only facts about the deck and the leader."""
    if isinstance(node, Name):
        return node.name in meaning.define and asks_no_card(parse(meaning.define[node.name]), meaning)
    if isinstance(node, Dotted):
        return node.base != "this"
    if isinstance(node, Call):
        if counts_cards(node, meaning.define, meaning.flags):
            return not _names_this(node, meaning.define)
        if "card" in FUNCTIONS[node.function].asks:
            return False
    return all(asks_no_card(child, meaning) for child in children(node))


def remember(evaluator: Evaluator) -> Evaluator:
    """Return the function with a cache of its results for cards of the pool.

    An uncertain result is not cached, because its causes name the lines of one deck. The result for a card
    with other facts than the pool's is not cached either.
    """
    answers: dict[str, Value] = {}

    def recall(view: View) -> Value:
        key = view.slot.pool_id
        if key is None:
            return evaluator(view)
        value = answers.get(key)
        if value is None:
            value = evaluator(view)
            if not isinstance(value, InDoubt):
                answers[key] = value
        return value

    return recall


def _kept_with_deck(evaluator: Evaluator) -> Evaluator:
    """Return the function with a cache of its result for each deck."""
    key = object()  # the id() of a function may be used again after its end

    def recall(view: View) -> Value:
        answers = view.deck.answers
        value: Value | None = answers.get(key)
        if value is None:
            value = answers[key] = evaluator(view)
        return value

    return recall
