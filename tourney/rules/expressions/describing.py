"""Why a condition holds or fails, in words, and which cards it depends on.

Every explanation has two steps. `_deciding` reduces the condition to its atoms: the comparisons, calls and
attributes that make it true or false. Then each atom gives a clause in words, or the cards that it depends
on. An atom that cannot be put into plain words gives no clause. Only findings need explanations, so speed
does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple, TypeGuard, TypeVar

from msgspec import Struct

from tourney.cards.card import NONE
from tourney.errors import TourneyError
from tourney.rules.expressions.deck import FUNCTIONS, Evaluator, View
from tourney.rules.expressions.evaluate import Meaning, bind, condition_of, value_of
from tourney.rules.expressions.language import (
    About,
    Binary,
    Call,
    Choice,
    Compare,
    Dotted,
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
from tourney.rules.expressions.values import Slot, Value, below, is_number, items, text_of, truth
from tourney.wording import Conjunction, listed

T = TypeVar("T")

MOST_NAMED = 3
"""The maximum number of cards that are named as a cause.

If there are more, no card is named.
"""

_MOST_CRITERIA = 2
"""The maximum number of criteria by which counted cards are described."""

_OPPOSITE = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in",
}  # fmt: skip
_TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_LEVELS = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
_DEMANDS = {
    "==": "exactly {} needed", "!=": "{} not allowed", "<": "fewer than {}", "<=": "at most {}",
    ">": "more than {}", ">=": "at least {}",
}  # fmt: skip
_RELATIONS = {**_LEVELS, "==": "", "in": "", "!=": "other than"}


class Wording(Struct, frozen=True, kw_only=True):
    """The words that a format uses in messages.

    noun: the word for the leader; zones: zone id → words such as `the Arsenal`
    """

    noun: str = "leader"
    zones: Mapping[str, str] = {}

    def zone(self, zone: Value) -> str:
        """Return the words for a zone in messages, such as `the Arsenal`; else its id in backticks."""
        return self.zones.get(text_of(zone), f"`{text_of(zone)}`")


class _Atom(NamedTuple):
    """A comparison, a call or an attribute that explains why a condition is true or false.

    node:  the comparison, call or attribute. A comparison that fails is replaced by its opposite
    holds: whether the call or the attribute is true; always true for a comparison
    group: the outermost `and` with a true value, or `or` with a false value, around the node; None without
           one. If the value of any one of its parts changed, its own value would change
    """

    node: Node
    holds: bool
    group: Logic | None


class Describer(Struct, eq=False):
    """Explains an expression in words, such as why a condition holds or fails."""

    node: Node
    meaning: Meaning
    wording: Wording
    about: About = About.CARD
    _bound: dict[Node, Evaluator] = {}

    def explain(self, view: View, *, holds: bool, names_cards: bool = False) -> str:
        """Explain why the condition holds or fails.

        Returns an empty text if no part of the condition can be put into words.

        holds:       whether to explain why the condition holds; otherwise, why it fails
        names_cards: whether to also name the cards that make the condition fail, if they are few; the card
                     that the condition is about (`view.slot`) is never named
        """
        reason = _run_untraced(view, lambda: "; ".join(dict.fromkeys(self._clauses(view, holds))), "")
        other_slots = [slot for slot in self.culprits(view) if slot is not view.slot] if names_cards else []
        if not reason or not 0 < len(other_slots) <= MOST_NAMED:
            return reason
        return f"{reason}; found {listed_once(named_with_line(slot) for slot in other_slots)}"

    def causes(self, view: View, *, leader: bool = True) -> tuple[Slot, ...]:
        """Return the cards that make the condition true; empty if there are too many to name.

        leader: whether to include the leader's cards if the condition refers to the leader
        """
        return _few(_collect(view, self._causes(self.node, view, leader=leader)))

    def choosers(self, view: View) -> tuple[Slot, ...]:
        """Return the cards that make the condition of an `if` in the expression true.

        In `40 if has('Prince') else 30`, it is the card `Prince`. Returns no cards if there are too many to
        name.
        """
        conditions = self._choices(self.node)
        causes = (slot for part in conditions for slot in self._causes(part, view, leader=False))
        return _few(_collect(view, causes))

    def culprits(self, view: View) -> tuple[Slot, ...]:
        """Return the cards that make the condition fail because there are too many of them."""
        return _collect(view, self._culprits(view))

    @property
    def owner(self) -> str:
        """A phrase for an expression that is an attribute of the leader: `the general's influence`.

        Empty for other expressions.
        """
        node = self._expand(self.node)
        return self._its(node) if isinstance(node, Dotted) and node.base == "leader" else ""

    def criteria(self, view: View) -> str:
        """Return a phrase for the cards that fit the condition, such as `with type pilot`.

        Returns an empty text if a part of the condition has no plain words.
        """
        return _run_untraced(view, lambda: self._criteria(self.node, view), "")

    # -- atoms

    def _value(self, node: Node, view: View) -> Value:
        if node not in self._bound:
            self._bound[node] = bind(node, self.meaning, self.about)
        return self._bound[node](view)

    def _expand(self, node: Node) -> Node:
        while isinstance(node, Name) and node.name in self.meaning.define:
            node = parse(self.meaning.define[node.name])
        return node

    def _deciding(self, node: Node, view: View, holds: bool, group: Logic | None = None) -> Iterator[_Atom]:
        """Yield the parts of a condition that decide its value.

        If `holds` is True, these are the parts that make the condition true; if `holds` is False, the parts
        that make it false. Such a part (`_Atom`) is a comparison, a call or an attribute. Yields nothing if
        the condition does not have the value `holds`.
        """
        node = self._expand(node)
        if truth(self._value(node, view)) is not holds:
            return
        match node:
            case Unary("not", operand):
                yield from self._deciding(operand, view, not holds, group)
            case Logic(operator, parts):
                if (operator == "and") is holds:
                    group = group or node
                for part in parts:
                    yield from self._deciding(part, view, holds, group)
            case Choice(then, condition, otherwise):
                branch = then if truth(self._value(condition, view)) is True else otherwise
                yield from self._deciding(branch, view, holds, group)
            case Compare():
                for pair in node.pairs():
                    left, sign, right = self._turn(*pair)
                    if truth(self._value(Compare(left, ((sign, right),), at=node.at), view)) is holds:
                        fact = ((sign if holds else _OPPOSITE[sign], right),)
                        yield _Atom(Compare(left, fact, at=node.at), True, group)
            case _:
                yield _Atom(node, holds, group)

    def _turn(self, left: Node, sign: str, right: Node) -> tuple[Node, str, Node]:
        """Return the left side, the sign and the right side of a comparison, in the order to show.

        An attribute or a count comes first: `3 < cost` becomes `cost > 3`. Also, `a - b == 0`
        becomes `a == b`.
        """
        left, right = self._expand(left), self._expand(right)
        turns = (_is_attribute(right) and not _is_attribute(left)) or (
            isinstance(left, Literal) and isinstance(right, Call)
        )
        if turns and sign in _TURNED:
            left, sign, right = right, _TURNED[sign], left
        match left, right:
            case Binary("-", first, second), Literal(0):
                left, right = self._expand(first), self._expand(second)
        return left, sign, right

    def _choices(self, node: Node) -> Iterator[Node]:
        """Yield the condition of each `2 if condition else 1` in an expression.

        Skips the arguments of functions such as `n(…)`, which are evaluated for each card of the deck.
        """
        node = self._expand(node)
        if isinstance(node, Choice):
            yield node.condition
        for part in () if self._counts(node) else children(node):
            yield from self._choices(part)

    # -- clauses

    def _clauses(self, view: View, holds: bool) -> Iterator[str]:
        atoms = self._deciding(self.node, view, holds)
        for group, members in groupby(atoms, key=lambda atom: atom.group):
            if group is None:
                for atom in members:
                    yield from self._alternatives([atom], view)
                continue
            counts = any(self._counts(part) for part in walk(group))
            for position, clause in enumerate(dict.fromkeys(self._alternatives(members, view))):
                yield f"or {clause}" if counts and position else clause

    def _alternatives(self, atoms: Iterable[_Atom], view: View) -> Iterator[str]:
        """Yield clauses that explain the given parts of a condition.

        Parts that say which values of the same attribute are accepted share one clause.
        """
        options: dict[str, tuple[Name | Dotted, list[str]]] = {}
        clauses: list[str] = []
        for atom in atoms:
            attribute, words = self._accepted_values(atom, view)
            if attribute is None:
                clauses.extend(self._clause(atom, view))
            else:
                options.setdefault(self._its(attribute), (attribute, []))[1].extend(words)
        yield from (self._is_not(attribute, view, words) for attribute, words in options.values())
        yield from clauses

    def _accepted_values(self, atom: _Atom, view: View) -> tuple[Name | Dotted | None, list[str]]:
        """Return the attribute in `atom` whose value is wrong, and the accepted values in words.

        `atom` is a part of a condition. Only a part that compares an attribute with accepted values gives a
        result. All other parts, such as comparisons of `zone` or `qty`, give None and an empty list.
        """
        match atom.node:
            case Compare(Name("zone" | "qty")):
                pass
            case Compare(Name() | Dotted() as attribute, (("!=", right),)):
                return attribute, [self._offer(right, view)]
            case Compare(Name() | Dotted() as attribute, (("not in", right),)):
                return attribute, self._options(right, view)
            case Compare(item, (("not in", Name() | Dotted() as attribute),)):
                if atom.group or not self._is_empty(attribute, view):
                    return attribute, [text_of(self._value(item, view))]
            case Call("common", (first, second)) if not atom.holds and not self._counts(atom.node):
                first = self._expand(first)
                if _is_attribute(first):
                    return first, [self._offer(second, view)]
        return None, []

    def _clause(self, atom: _Atom, view: View) -> Iterator[str]:
        node, holds = atom.node, atom.holds
        match node:
            case Compare(Name() | Dotted() as attribute, ((sign, right),)):
                yield from self._attribute_clause(attribute, sign, right, view)
            case Compare(item, (("in" | "not in" as sign, Name() | Dotted() as attribute),)):
                not_ = "" if sign == "in" else "not "
                yield f"{self._subject(attribute)} is {not_}{text_of(self._value(item, view))}"
            case Compare(left, ((sign, right),)):
                yield from self._number_clause(left, sign, right, view)
            case Name() | Dotted():
                yield self._flag_clause(node, view, holds)
            case Call("subset") if not holds:
                yield from self._extra_items(node, view)
            case Call("n"):
                number = text_of(self._value(node, view)) if holds else "none"
                yield self._amount(node, view) or f"{number} found"
            case Call(function) if FUNCTIONS[function].words:
                yield from self._call_clause(node, view, holds)

    def _attribute_clause(self, node: Name | Dotted, sign: str, right: Node, view: View) -> Iterator[str]:
        """Yield a clause about the comparison of an attribute with `right`. sign: the operator."""
        value = self._value(node, view)
        if isinstance(node, Name) and node.name == "zone":
            yield f"it is in {self.wording.zone(value)}"
        elif isinstance(node, Name) and node.name == "qty":
            if sign in _TURNED:
                copies = "1 copy" if value == 1 else f"{text_of(value)} copies"
                yield f"{copies}, {_demand(sign, self._value(right, view))}"
        elif value is NONE:
            yield self._has_none(node)
        elif sign in _LEVELS:
            yield f"{self._is(node)} {text_of(value)}, {_LEVELS[sign]} {self._offer(right, view)}"
        else:
            yield f"{self._is(node)} {text_of(value)}"

    def _flag_clause(self, node: Name | Dotted, view: View, holds: bool) -> str:
        is_setting = isinstance(node, Dotted) and node.base == "setting"
        if node.name in self.meaning.flags and not is_setting:
            return f"{self._subject(node)} is {'' if holds else 'not '}{_words(node)}"
        if holds or is_setting:
            return f"{self._is(node)} {text_of(self._value(node, view))}"
        return self._has_none(node)

    def _call_clause(self, node: Call, view: View, holds: bool) -> Iterator[str]:
        """Yield the sentence that explains a call: the function's `words` with the braces filled in."""
        function = FUNCTIONS[node.function]
        words = {"not_": "" if holds else "not ", "a": "a" if holds else "no", "zone": "the deck"}
        for kind, text in quoted_texts(node).items():
            words[kind] = self.wording.zone(text) if kind == "zone" else text
        if (holder := next(self._slots_of(node, view), None)) and holder.lines:
            words["name"] += f" (line {holder.lines[0]})"
        if function.asks_printings:
            words["criteria"] = self._criteria(node.arguments[0], view, About.PRINTING)
        if words.get("criteria", "any"):
            yield function.words.format(**words)

    def _extra_items(self, node: Call, view: View) -> Iterator[str]:
        """Yield a clause that names the items of the first list that are not in the second."""
        first, second = (self._expand(part) for part in node.arguments)
        value, other = self._value(first, view), self._value(second, view)
        possible = items(other)[1]
        members = value if isinstance(value, tuple) else (value,)
        extra = [text_of(item) for item in members if possible is not None and not items(item)[0] <= possible]
        if extra and _is_attribute(first):
            is_leaders = isinstance(second, Dotted) and second.base == "leader"
            allowed_text = f"the {self.wording.noun}'s ({text_of(other)})" if is_leaders else text_of(other)
            verb = "is" if len(extra) == 1 else "are"
            yield f"{listed_once(extra)} of {self._its(first)} {verb} not among {allowed_text}"

    # -- numbers

    def _number_clause(self, left: Node, sign: str, right: Node, view: View) -> Iterator[str]:
        """Yield a clause about the comparison of a count or a sum with `right`. sign: the operator."""
        value, other = self._value(left, view), self._value(right, view)
        if sign not in _TURNED or not (is_number(value) and is_number(other)):
            return
        amount, other_amount = self._amount(left, view), self._amount(right, view)
        if amount and other_amount and sign == "!=":
            yield f"{amount} and {other_amount}, equal numbers are needed"
        elif number := amount or _bare_number(left, value):
            yield f"{number}, {_demand(sign, other)}"

    def _amount(self, node: Node, view: View) -> str:
        """Return an expression's value with the words for what it counts: `2 cards with cost 3`.

        Returns an empty text if the expression, or a part of it, cannot be put into plain words.
        """
        node = self._expand(node)
        value = self._value(node, view)
        match node:
            case Binary("+" | "-" as operator, first, second):
                parts = [self._amount(first, view), self._amount(second, view)]
                difference = f", a difference of {text_of(value)}" if operator == "-" else ""
                return f"{' and '.join(parts)}{difference}" if all(parts) else ""
            case Call("size"):
                zone = quoted_texts(node).get("zone")
                return f"{_cards(value)} in {self.wording.zone(zone) if zone else 'the whole list'}"
            case Call("points"):
                return "1 point" if value == 1 else f"{text_of(value)} points"
            case Call("len", (inner,)):
                union = self._expand(inner)
                if isinstance(union, Call) and union.function == "union":
                    return self._counted_amount(union, value, view)
            case Call("n" | "total" | "distinct"):
                return self._counted_amount(node, value, view)
        return ""

    def _counted_amount(self, node: Call, number: Value, view: View) -> str:
        condition, attribute = condition_of(node), value_of(node)
        criteria = self._criteria(condition, view) if condition else ""
        if condition and not criteria:
            return ""
        if attribute is None:
            return _cards(number, criteria)
        if not isinstance(attribute, Name):
            return ""
        if node.function == "total":
            return f"the {_words(attribute)}{_of_cards('of', criteria)} adds up to {text_of(number)}"
        if attribute.name == "name":
            return f"{text_of(number)} different {'card' if number == 1 else 'cards'} {criteria}".rstrip()
        values = f"{text_of(number)} different {'value' if number == 1 else 'values'}"
        return f"{values} of {_words(attribute)}{_of_cards('among', criteria)}"

    # -- cards

    def _causes(self, node: Node, view: View, *, leader: bool) -> Iterator[Slot]:
        """Yield the cards that make a condition true.

        These are the cards that are named or counted in the parts of the condition that make it true.

        leader: whether to include the leader's cards if such a part refers to the leader
        """
        for atom in self._deciding(node, view, holds=True):
            sides: list[Node] = [atom.node] if atom.holds else []
            match atom.node:  # if there are too few cards, no card is the cause
                case Compare(left, (("<" | "<=", right),)):
                    sides = [right]
                case Compare(left, ((">" | ">=", right),)):
                    sides = [left]
            for part in (part for side in sides for part in walk(side)):
                if isinstance(part, Dotted) and part.base == "leader" and leader:
                    yield from view.deck.leader.slots
                elif isinstance(part, Call) and part.arguments:
                    yield from self._slots_of(part, view)

    def _culprits(self, view: View) -> Iterator[Slot]:
        for atom in self._deciding(self.node, view, holds=False):
            match atom.node:
                case Compare(left, ((sign, right),)):
                    yield from self._excess(left, _OPPOSITE[sign], right, view)
                case Call() if atom.holds:
                    yield from self._counted_slots(atom.node, view, none_allowed=True)

    def _excess(self, left: Node, sign: str, right: Node, view: View) -> Iterator[Slot]:
        """Yield the cards because of which a comparison fails: those that its larger side counts.

        If the sides must be equal and both count cards, yields the cards of both sides. Yields nothing if the
        sides are equal, or if one of them is not an exact number.

        sign: the operator between the sides, such as `<=`, as the rule demands
        """
        one, two = self._value(left, view), self._value(right, view)
        if not (is_number(one) and is_number(two) and one != two):
            return
        is_difference = isinstance(left, Binary) and left.operator == "-"
        sides = (left.left, left.right) if isinstance(left, Binary) and is_difference else (left, right)
        both = sign == "==" and all(self._counts(part) for side in sides for part in _summands(side))
        larger, allowed = (left, two) if below(two, one) is True else (right, one)
        none_allowed = allowed == 0 and not is_difference and not both
        for side in sides if both else (larger,):
            for part in map(self._expand, _summands(side)):
                if isinstance(part, Call):
                    yield from self._counted_slots(part, view, none_allowed=none_allowed)

    def _counted_slots(self, node: Call, view: View, *, none_allowed: bool) -> Iterator[Slot]:
        """Yield the cards of the deck that a function call counts, sums up or collects.

        none_allowed: whether the rule forbids every such card. If it is False, nothing is yielded for `size`,
                      and for a call without arguments. They count all cards of a zone or of the deck, so any
                      of these cards could be the surplus one
        """
        if node.function == "len" and isinstance(inner := self._expand(node.arguments[0]), Call):
            yield from self._counted_slots(inner, view, none_allowed=none_allowed)
        elif node.function == "size":
            inside = list(self._slots_of(node, view))
            if none_allowed and len(inside) < len(view.deck.slots):
                yield from inside
        elif node.arguments or none_allowed:
            yield from self._slots_of(node, view)

    def _slots_of(self, node: Call, view: View) -> Iterator[Slot]:
        """Yield the cards of the deck to which a function call in a rule refers.

        These are the cards that `has` names, the cards in the zone of `size`, or the cards that a function
        such as `n` or `total` counts. A card is left out if it is unknown whether it fits the condition.
        """
        slots, texts = view.deck.slots, quoted_texts(node)
        if "name" in texts:
            key, zone = self.meaning.canonical(texts["name"]), texts.get("zone")
            yield from (slot for slot in slots if key in slot.keys and zone in {None, slot.zone})
        elif "zone" in texts:
            yield from (slot for slot in slots if slot.zone == texts["zone"])
        elif self._counts(node):
            of_card = Describer(node, self.meaning, self.wording)
            condition, value, inner = condition_of(node), value_of(node), View(view.deck, this=view.this)
            for inner.slot in slots:
                fits = condition is None or truth(of_card._value(condition, inner)) is True
                if fits and (value is None or truth(of_card._value(value, inner)) is not False):
                    yield inner.slot

    def _counts(self, node: Node) -> bool:
        node = self._expand(node)
        return isinstance(node, Call) and counts_cards(
            node, self.meaning.define, self.meaning.flags, about=self.about
        )

    # -- descriptions of the cards that fit

    def _criteria(self, node: Node, view: View, about: About = About.CARD) -> str:
        """Return a phrase for the cards that fit a condition, such as `with type pilot in the deck`.

        Returns an empty text if a part of the condition has no plain words.
        """
        node = self._expand(node)
        parts = node.parts if isinstance(node, Logic) and node.operator == "and" else (node,)
        of_card = Describer(node, self.meaning, self.wording, about)
        criteria = [of_card._criterion(part, view) for part in parts]
        if len(criteria) > _MOST_CRITERIA or not all(criteria):
            return ""
        by_kind: dict[str, list[str]] = {"with": [], "that are": [], "in": []}
        for kind, words in filter(None, criteria):
            by_kind[kind].append(words)
        return " ".join(f"{kind} {listed_once(words)}" for kind, words in by_kind.items() if words)

    def _criterion(self, node: Node, view: View) -> tuple[str, str] | None:
        """Return a condition on cards in words, as a pair such as (`with`, `type pilot`).

        The first text is `with`, `that are` or `in`. Returns None if the condition has no plain words.
        """
        match self._expand(node):
            case Compare(Name("zone"), (("==", Literal(str() as zone)),)):
                return "in", self.wording.zone(zone)
            case Compare(Name("name"), (("==", right),)) if self._is_fixed(right, view):
                return "with", f"the name {self._alternative_values(right, view)}"
            case Compare(Name(name) as attribute, ((sign, right),)) if (
                self._is_fixed(right, view) and name not in self.meaning.define
            ):
                return _with_value(_words(attribute), sign, self._alternative_values(right, view))
            case Compare(Literal(str() as word), (("in", Name() as attribute),)):
                return "with", f"{_words(attribute)} {word}"
            case Name(name) as flag if name in self.meaning.flags:
                return "that are", _words(flag)
            case Unary("not", Name(name) as flag) if name in self.meaning.flags:
                return "that are", f"not {_words(flag)}"
            case _:
                return None

    def _is_fixed(self, node: Node, view: View) -> bool:
        """Return whether a node has the same value for every card."""
        node = self._expand(node)
        parts = node.items if isinstance(node, ListOf) else (node,)
        return all(
            isinstance(part, Literal)
            or (isinstance(part, Dotted) and (part.base != "this" or bool(view.this)))
            for part in parts
        )

    # -- words

    def _subject(self, node: Name | Dotted) -> str:
        return f"the {self.wording.noun}" if isinstance(node, Dotted) and node.base == "leader" else "it"

    def _its(self, node: Name | Dotted) -> str:
        if isinstance(node, Dotted) and node.base == "setting":
            return f"the organizer's choice `{node.name}`"
        owner = self._subject(node)
        return f"its {_words(node)}" if owner == "it" else f"{owner}'s {_words(node)}"

    def _is(self, node: Name | Dotted) -> str:
        is_plural = node.name not in self.meaning.singles and node.name.endswith("s")
        return f"{self._its(node)} {'are' if is_plural else 'is'}"

    def _has_none(self, node: Name | Dotted) -> str:
        return f"{self._subject(node)} has no {_words(node)}"

    def _is_not(self, node: Name | Dotted, view: View, options: list[str]) -> str:
        if self._is_empty(node, view):
            return self._has_none(node)
        other_options = f", not {listed_once(options, 'or')}" if options not in ([], ["none"]) else ""
        return f"{self._is(node)} {text_of(self._value(node, view))}{other_options}"

    def _is_empty(self, node: Node, view: View) -> bool:
        return self._value(node, view) in (NONE, ())

    def _options(self, node: Node, view: View) -> list[str]:
        """Return each item of a list in words. A node that is not a list is a single item."""
        if not isinstance(node, ListOf):
            return [self._offer(node, view)]
        offers = [(item, self._offer(item, view)) for item in node.items]
        return [words for item, words in offers if words != "none" or isinstance(item, Literal)]

    def _offer(self, node: Node, view: View) -> str:
        """Return a value as text, such as `3`. Mark values of the leader: `3 (the general's)`.

        In this example, the format calls the leader `general`. A missing value is `none` without such a mark.
        """
        node = self._expand(node)
        value, words = self._value(node, view), self._alternative_values(node, view)
        if value is NONE or not (isinstance(node, Dotted) and node.base == "leader"):
            return words
        owner, is_list = f"the {self.wording.noun}'s", isinstance(value, tuple) and len(value) > 1
        return f"one of {owner} ({text_of(value)})" if is_list else f"{words} ({owner})"

    def _alternative_values(self, node: Node, view: View) -> str:
        value = self._value(node, view)
        return listed_once(map(text_of, value), "or") if isinstance(value, tuple) else text_of(value)


def named_with_line(slot: Slot) -> str:
    """Return a card's name with its first line: `Red King (line 2)`."""
    return f"{slot.name} (line {slot.lines[0]})" if slot.lines else slot.name


def listed_once(words: Iterable[str], last: Conjunction = "and") -> str:
    """Join words with commas and `last`, each word once.

    >>> listed_once(["a"]), listed_once(["a", "b", "c", "a"], "or"), listed_once([])
    ('a', 'a, b or c', 'none')
    """
    return listed(dict.fromkeys(words), last) or "none"


def _collect(view: View, slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """Return the cards that `slots` yields, without duplicates.

    Reading `slots` can evaluate expressions. If these take too many steps, no cards are returned.
    """
    cards: tuple[Slot, ...] = _run_untraced(view, lambda: tuple(slots), ())
    return tuple({id(slot): slot for slot in cards}.values())


def _few(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Return the cards, or no cards if they have more than `MOST_NAMED` different names."""
    return slots if len({slot.key for slot in slots}) <= MOST_NAMED else ()


def _run_untraced(view: View, work: Callable[[], T], otherwise: T) -> T:
    """Return the result of `work`; if its expressions take too many steps, return `otherwise`.

    The steps of `work` have a limit of their own: they do not use up the steps allowed for judging the deck.
    Afterwards, `view.slot` and `view.this` are the same as before.
    """
    deck, slots = view.deck, (view.slot, view.this)
    steps, deck.steps = deck.steps, 0
    try:
        return work()
    except TourneyError:  # too many steps
        return otherwise
    finally:
        deck.steps = steps
        view.slot, view.this = slots


def _is_attribute(node: Node) -> TypeGuard[Name | Dotted]:
    return isinstance(node, Name | Dotted)


def _words(node: Name | Dotted) -> str:
    return node.name.replace("_", " ")


def _with_value(name: str, sign: str, value: str) -> tuple[str, str] | None:
    if value == "none":
        words = {"==": f"no {name}", "!=": f"any {name}"}.get(sign, "")
    elif sign in _RELATIONS:
        words = " ".join(filter(None, (name, _RELATIONS[sign], value)))
    else:
        words = ""
    return ("with", words) if words else None


def _of_cards(preposition: str, criteria: str) -> str:
    return f" {preposition} cards {criteria}" if criteria else ""


def _cards(number: Value, criteria: str = "") -> str:
    """Return a number of cards: `no cards`, `1 card that is fierce`, `2 cards that are fierce`."""
    if number == 1:
        return f"1 card {criteria.replace('that are', 'that is')}".rstrip()
    return f"{'no' if number == 0 else text_of(number)} cards {criteria}".rstrip()


def _demand(sign: str, bound: Value) -> str:
    """Return the demand that a number does not meet, such as `at most 3`.

    sign: how the number compares with the bound, such as `>` if it is greater
    """
    demanded_sign = _OPPOSITE[sign]
    return (
        "none allowed"
        if bound == 0 and demanded_sign in {"==", "<="}
        else _DEMANDS[demanded_sign].format(text_of(bound))
    )


def _bare_number(node: Node, value: Value) -> str:
    """Return an expression's value as a number without a noun, such as `24`.

    For a call of the function `n`, which counts cards, the word `found` follows: `24 found`. Returns
    an empty text if `node` is not a function call and has an operator other than `+`.
    """
    if isinstance(node, Call):
        return f"{text_of(value)} found" if node.function == "n" else text_of(value)
    is_sum = all(part.operator == "+" for part in walk(node) if isinstance(part, Binary | Unary))
    return text_of(value) if is_sum else ""


def _summands(node: Node) -> Iterator[Node]:
    """Yield the terms and factors that increase an expression's value, not subtracted terms."""
    if isinstance(node, Binary) and node.operator != "%":
        yield from _summands(node.left)
        yield from _summands(node.right) if node.operator in {"+", "*"} else ()
    else:
        yield node
