"""Why a condition holds or does not, in words: the clause that decides, with the values of the card and of the leader.

Asked only where a finding is told. What cannot be said in a few plain words is left out rather than spelt as a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from tourney.cards.card import NONE
from tourney.errors import TourneyError
from tourney.rules.expressions.deck import Evaluator, Slot, View
from tourney.rules.expressions.evaluate import Meaning, bind
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
    counts_cards,
    parse,
    walk,
)
from tourney.rules.expressions.values import Value, below, is_number, items, text_of, truth
from tourney.wording import listed

_OPPOSITE = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "in": "not in",
    "not in": "in",
}
_BOUND = {
    "==": "exactly",
    "<=": "at most",
    ">=": "at least",
    "<": "fewer than",
    ">": "more than",
    "!=": "not",
}
_ABOVE = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
T = TypeVar("T")
MOST_CAUSES = 3
"""Cards that are named as the cause of a rule; where there are more it is no single card's doing."""

_MOST_CLAUSES = 2
"""Clauses by which cards are described; more are no help to the ear."""


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """What a format calls its things. noun: its leader; zones: id → the part of the deck, as in `in the Arsenal`."""

    noun: str = "leader"
    zones: Mapping[str, str] = {}


class Describer(msgspec.Struct, eq=False):
    """Tells of one expression, bound to a pool when it is first asked."""

    _node: Node
    _meaning: Meaning
    _wording: Wording
    _about: About = About.CARD
    _bound: dict[Node, Evaluator] = {}

    def why(self, view: View, *, holds: bool, names_found: bool = False) -> str:
        """Say why the condition holds, or why it does not; empty where no clause can be said in plain words.

        names_found: whether to name other cards that a condition which does not hold found, where these are few
        """
        reason = _quietly(view, lambda: "; ".join(dict.fromkeys(self._because(self._node, view, holds))), "")
        others = [slot for slot in self.found(view) if slot is not view.slot] if names_found else []
        if not reason or not 0 < len(others) <= MOST_CAUSES:
            return reason
        named = [f"{slot.name} (line {slot.lines[0]})" if slot.lines else slot.name for slot in others]
        return f"{reason}; found {listed_once(named)}"

    def causes(self, view: View, *, leader: bool = True) -> tuple[Slot, ...]:
        """Return the cards to which it is due that the condition holds: the few that it names or counts, or the leader."""
        return _few(view, lambda: self._causes(self._node, view, leader))

    def chosen_by(self, view: View) -> tuple[Slot, ...]:
        """Return the cards that choose between the branches of a number, as in `40 if has('Prince') else 30`."""
        parts = walk(self._plain(self._node))
        conditions = [part.condition for part in parts if isinstance(part, Choice)]
        return _few(view, lambda: (slot for each in conditions for slot in self._causes(each, view, False)))

    def found(self, view: View) -> tuple[Slot, ...]:
        """Return the cards that a condition which does not hold found where it allows none, or fewer."""
        none: tuple[Slot, ...] = ()
        slots = _quietly(view, lambda: tuple(self._found(self._node, view, False)), none)
        return tuple({id(slot): slot for slot in slots}.values())

    @property
    def whose(self) -> str:
        """Whose number the expression is, where it is nothing but one of the leader: `the general's influence`."""
        node = self._plain(self._node)
        if isinstance(node, Dotted) and node.base == "leader":
            return f"the {self._wording.noun}'s {_words(node.name)}"
        return ""

    def cards(self, view: View) -> str:
        """Describe the cards that a condition fits, to stand behind `cards`: `with type pilot`; empty where that is not plain."""
        return _quietly(view, lambda: self._described(self._node, view), "")

    # -- reading values

    def _value(self, node: Node, view: View) -> Value:
        if node not in self._bound:
            self._bound[node] = bind(node, self._meaning, self._about)
        return self._bound[node](view)

    def _plain(self, node: Node) -> Node:
        """Put in a definition."""
        while isinstance(node, Name) and node.name in self._meaning.define:
            node = parse(self._meaning.define[node.name])
        return node

    # -- why

    def _because(self, node: Node, view: View, holds: bool) -> Iterator[str]:
        node = self._plain(node)
        match node:
            case Unary("not", operand):
                yield from self._because(operand, view, not holds)
            case Logic(operator) if (operator == "and") is holds:
                yield from self._alternatives(node, view, holds)
            case Logic(_, parts):
                for part in parts:
                    if truth(self._value(part, view)) is holds:
                        yield from self._because(part, view, holds)
            case Choice(then, condition, otherwise):
                chosen = then if truth(self._value(condition, view)) is True else otherwise
                yield from self._because(chosen, view, holds)
            case Compare():
                yield from self._compared(node, view, holds)
            case Name() | Dotted():
                yield from self._flag(node, view, holds)
            case Call():
                yield from self._call(node, view, holds)

    def _alternatives(self, node: Logic, view: View, holds: bool) -> Iterator[str]:
        """Tell of parts of which a single one decides; `or` is between them if one says how many cards there may be."""
        is_bound = any(isinstance(part, Call) and self._counts(part) for part in walk(node))
        clauses = (
            (clause for part in node.parts for clause in self._because(part, view, holds))
            if holds
            else self._none_of(node.parts, view)
        )
        for place, clause in enumerate(dict.fromkeys(clauses)):
            yield f"or {clause}" if is_bound and place else clause

    def _compared(self, node: Compare, view: View, holds: bool) -> Iterator[str]:
        """Tell of each pair of `a < b < c` that is as the whole is."""
        left = node.first
        for sign, right in node.rest:
            pair = Compare(left, ((sign, right),), node.at)
            if truth(self._value(pair, view)) is holds:
                yield from self._pair(left, sign if holds else _OPPOSITE[sign], right, view)
            left = right

    def _none_of(self, parts: Iterable[Node], view: View) -> Iterator[str]:
        """Tell of alternatives of which none holds; those that ask for one thing's value in one clause."""
        alternatives: dict[str, tuple[Node, list[str]]] = {}
        others: list[str] = []
        for part in map(self._plain, parts):
            match part:
                case Compare(Name() | Dotted() as first, ((("==" | "in") as sign, right),)) if (
                    not _is_list_of(part)
                ):
                    options = self._options(right, view) if sign == "in" else [self._said(right, view)]
                    if options:
                        alternatives.setdefault(self._its(first), (first, []))[1].extend(options)
                        continue
                case Compare(Literal(str() as word), (("in", Name() | Dotted() as right),)):
                    alternatives.setdefault(self._its(right), (right, []))[1].append(word)
                    continue
                case Call("common", (Name() as first, Name() | Dotted() as second)):
                    alternatives.setdefault(self._its(first), (first, []))[1].append(self._said(second, view))
                    continue
            others.extend(self._because(part, view, False))
        for node, options in alternatives.values():
            yield self._is_not(node, self._value(node, view), options)
        yield from others

    def _pair(self, left: Node, sign: str, right: Node, view: View) -> Iterator[str]:
        """Tell of two sides for which `sign` holds."""
        first, second = self._plain(left), self._plain(right)
        is_turned = (not self._is_thing(first) and self._is_thing(second)) or (
            isinstance(first, Literal) and isinstance(second, Call)
        )
        if is_turned and sign not in {"in", "not in"}:
            turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
            yield from self._pair(right, turned, left, view)
            return
        left, right = self._plain(left), self._plain(right)
        if sign in {"in", "not in"} and self._is_thing(right) and not self._is_thing(left):
            word, whole = self._value(left, view), self._value(right, view)
            not_ = " not" if sign == "not in" else ""
            yield f"it is{not_} {text_of(word)}" + (f" ({_name(right)}: {text_of(whole)})" if not_ else "")
        elif self._is_thing(left):
            yield from self._thing(left, sign, right, view)
        else:
            yield from self._number(left, sign, right, view)

    def _thing(self, left: Node, sign: str, right: Node, view: View) -> Iterator[str]:
        value, other = self._value(left, view), self._value(right, view)
        if isinstance(left, Name) and left.name == "zone":
            yield f"it stands in {self._zone(value)}"
        elif isinstance(left, Name) and left.name == "qty":
            if sign in _BOUND:
                yield f"{text_of(value)} {'copy' if value == 1 else 'copies'}, {_BOUND[_OPPOSITE[sign]]} {self._said(right, view)}"
        elif value is NONE:
            yield self._has_none(left)
        elif sign in _ABOVE:
            yield f"{self._is(left)} {text_of(value)}, {_ABOVE[sign]} {self._said(right, view)}"
        elif sign == "!=" and other is not NONE:
            yield self._is_not(left, value, [self._said(right, view)])
        elif sign == "not in":
            yield self._is_not(left, value, self._options(right, view) or [self._said(right, view)])
        else:
            yield f"{self._is(left)} {text_of(value)}"

    def _is_not(self, node: Node, value: Value, options: list[str]) -> str:
        if value is NONE or value == ():
            return self._has_none(node)
        return f"{self._is(node)} {text_of(value)}, not {listed_once(options, 'or')}"

    def _is(self, node: Node) -> str:
        """Begin to say what something is; of a list called by a plural, what they are."""
        assert isinstance(node, Name | Dotted)
        plural = node.name not in self._meaning.singles and node.name.endswith("s")
        return f"{self._its(node)} {'are' if plural else 'is'}"

    def _has_none(self, node: Node) -> str:
        owner = f"the {self._wording.noun}" if isinstance(node, Dotted) and node.base == "leader" else "it"
        return f"{owner} has no {_name(node)}"

    def _options(self, node: Node, view: View) -> list[str]:
        """Say what a list offers, each thing with whose it is."""
        node = self._plain(node)
        if isinstance(node, ListOf):
            said = [(part, self._said(part, view)) for part in node.items]
            return [words for part, words in said if words != "none" or isinstance(part, Literal)]
        value = self._value(node, view)
        return [self._said(node, view)] if isinstance(value, tuple) and value else []

    def _said(self, node: Node, view: View) -> str:
        """Say a value, and the leader's with whose it is."""
        node = self._plain(node)
        value = self._value(node, view)
        if isinstance(node, Dotted) and node.base == "leader":
            several = isinstance(value, tuple) and len(value) > 1
            whose = f"the {self._wording.noun}'s"
            return f"one of {whose} ({text_of(value)})" if several else f"{text_of(value)} ({whose})"
        return self._offered(node, view)

    def _number(self, left: Node, sign: str, right: Node, view: View) -> Iterator[str]:
        """Tell of a count or a sum that breaks its bound."""
        value, other = self._value(left, view), self._value(right, view)
        if not (is_number(value) and is_number(other)):
            return
        parts = _difference(left)
        if parts and other == 0:
            yield from self._number(parts[0], sign, parts[1], view)
            return
        sides = [self._amount(part, view) for part in parts or (left, right)]
        bound = _bound_words(sign, other)
        if all(sides) and parts:
            yield f"{' and '.join(sides)}, a difference of {text_of(value)}, {bound}"
        elif all(sides) and sign == "!=":
            yield f"{' and '.join(sides)}, equal numbers are needed"
        elif isinstance(left, Call) and left.function == "size":
            yield f"{self._zone_words(left)} {_counted(value)}, {bound}"
        elif number := self._amount(left, view) or _bare_number(left, value):
            yield f"{number}, {bound}"

    def _amount(self, node: Node, view: View) -> str:
        """Say a number and what it counts: `2 cards with cost 3`; empty if that cannot be said in plain words."""
        node = self._plain(node)
        value = self._value(node, view)
        match node:
            case Binary("+", first, second):
                parts = [self._amount(part, view) for part in (first, second)]
                return " and ".join(parts) if all(parts) else ""
            case Call("n", arguments):
                cards = self._described(arguments[0], view) if arguments else ""
                return _counted(value, cards) if cards or not arguments else ""
            case Call("size", (Literal(zone),)):
                return f"{_counted(value)} in {self._zone(zone)}"
            case Call("len", (inner,)) if isinstance(listed_ := self._plain(inner), Call):
                return self._values(listed_, value, view) if listed_.function == "union" else ""
            case Call("total", (*where, what)) if isinstance(what, Name):
                cards = self._described(where[0], view) if where else ""
                owner = f" of cards {cards}" if cards else ""
                return (
                    f"the {_words(what.name)}{owner} adds up to {text_of(value)}"
                    if cards or not where
                    else ""
                )
            case Call("distinct"):
                return self._values(node, value, view)
            case Call("points"):
                return f"{text_of(value)} {'point' if value == 1 else 'points'}"
            case _:
                return ""

    def _values(self, node: Call, value: Value, view: View) -> str:
        """Say how many different values cards have: `3 different values of cost among cards with kind unit`."""
        *where, what = node.arguments
        cards = self._described(where[0], view) if where else ""
        if not isinstance(what, Name) or (where and not cards):
            return ""
        one = value == 1
        if what.name == "name":
            return f"{text_of(value)} different {'card' if one else 'cards'} {cards}".rstrip()
        among = f" among cards {cards}" if cards else ""
        return f"{text_of(value)} different {'value' if one else 'values'} of {_words(what.name)}{among}"

    def _zone_words(self, call: Call) -> str:
        words = [part.value for part in call.arguments if isinstance(part, Literal)]
        return f"{self._zone(words[0])} has" if words else "the whole list has"

    def _zone(self, zone: Value) -> str:
        return self._wording.zones.get(text_of(zone), f"`{text_of(zone)}`")

    def _flag(self, node: Name | Dotted, view: View, holds: bool) -> Iterator[str]:
        value = self._value(node, view)
        name = _words(node.name)
        if isinstance(node, Dotted) and node.base == "leader":
            yield f"the {self._wording.noun} is {'' if holds else 'not '}{name}"
        elif isinstance(node, Dotted) and node.base == "setting":
            yield f"the organizer's choice `{node.name}` is {text_of(value)}"
        elif isinstance(value, bool) or value is NONE:
            yield (
                f"it is {'' if holds else 'not '}{name}"
                if node.name in self._meaning.flags
                else f"it has no {name}"
            )
        elif holds:
            yield f"its {name} is {text_of(value)}"

    def _call(self, node: Call, view: View, holds: bool) -> Iterator[str]:
        words = [text_of(part.value) for part in node.arguments if isinstance(part, Literal)]
        match node.function:
            case "has":
                yield from self._has(words, view, holds)
            case "listed":
                yield f"it is {'' if holds else 'not '}on the list `{words[0]}`"
            case "printed":
                with_ = self._described(node.arguments[0], view, About.PRINTING)
                yield from [f"it has {'a' if holds else 'no'} printing {with_}"] if with_ else []
            case "subset" if not holds:
                yield from self._beyond(node, view)
            case "common" if not holds and not self._counts(node):
                yield from self._apart(node, view)
            case "n":
                cards = self._described(node.arguments[0], view) if node.arguments else ""
                number = self._value(node, view) if holds else 0
                yield (
                    f"{_counted(number)} {cards}"
                    if cards
                    else f"{text_of(number) if number else 'none'} found"
                )
            case _:
                return

    def _has(self, words: list[str], view: View, holds: bool) -> Iterator[str]:
        where = self._zone(words[1]) if len(words) > 1 else "the deck"
        holders = self._holders(words, view) if holds else ()
        line = f" (line {holders[0].lines[0]})" if holders and holders[0].lines else ""
        yield f"{words[0]}{line} is {'' if holds else 'not '}in {where}"

    def _beyond(self, node: Call, view: View) -> Iterator[str]:
        """Tell what of the first list is not in the second."""
        first, second = (self._plain(part) for part in node.arguments)
        (mine, _), (_, theirs) = items(self._value(first, view)), items(self._value(second, view))
        value = self._value(first, view)
        whole = value if isinstance(value, tuple) else (value,)
        extra = [text_of(item) for item in whole if theirs is not None and not items(item)[0] <= theirs]
        if extra and mine and self._is_thing(first):
            yield f"{listed_once(extra)} of {self._its(first)} {'is' if len(extra) == 1 else 'are'} not among {self._listed(second, view)}"

    def _listed(self, node: Node, view: View) -> str:
        values = text_of(self._value(node, view))
        if isinstance(node, Dotted) and node.base == "leader":
            return f"the {self._wording.noun}'s ({values})"
        return values

    def _apart(self, node: Call, view: View) -> Iterator[str]:
        """Tell of two lists that share nothing."""
        first, second = (self._plain(part) for part in node.arguments)
        if self._is_thing(first):
            value = self._value(first, view)
            yield self._is_not(first, value, [self._said(second, view)])

    def _counts(self, node: Call) -> bool:
        return counts_cards(node, self._meaning.define, self._meaning.flags, about=self._about)

    # -- which cards were found

    def _found(self, node: Node, view: View, holds: bool) -> Iterator[Slot]:
        """Give the cards that are too many for a condition to come out otherwise."""
        node = self._plain(node)
        if truth(self._value(node, view)) is not holds:
            return
        match node:
            case Unary("not", operand):
                yield from self._found(operand, view, not holds)
            case Logic(_, parts):
                for part in parts:
                    yield from self._found(part, view, holds)
            case Choice(then, condition, otherwise):
                chosen = then if truth(self._value(condition, view)) is True else otherwise
                yield from self._found(chosen, view, holds)
            case Compare():
                left = node.first
                for sign, right in node.rest:
                    pair = Compare(left, ((sign, right),), node.at)
                    if truth(self._value(pair, view)) is holds:
                        yield from self._too_many(left, sign if not holds else _OPPOSITE[sign], right, view)
                    left = right
            case Call() if holds:
                yield from self._counted_in(node, view, none_allowed=True)

    def _too_many(self, left: Node, sign: str, right: Node, view: View) -> Iterator[Slot]:
        """Give the cards that the larger of two unequal sides counts; where they must be equal, those of both.

        sign: what must hold between the sides
        """
        left, right = self._plain(left), self._plain(right)
        one, two = self._value(left, view), self._value(right, view)
        if not (is_number(one) and is_number(two) and one != two):
            return
        parts = _difference(left)
        sides = parts or (left, right)
        both = sign == "==" and all(self._counts_some(part) for side in sides for part in _summands(side))
        larger, allowed = (left, two) if below(two, one) is True else (right, one)
        none_allowed = allowed == 0 and not parts and not both
        for side in sides if both else (larger,):
            for part in map(self._plain, _summands(side)):
                if isinstance(part, Call):
                    yield from self._counted_in(part, view, none_allowed=none_allowed)

    def _counts_some(self, node: Node) -> bool:
        node = self._plain(node)
        return isinstance(node, Call) and self._counts(node)

    def _counted_in(self, node: Call, view: View, *, none_allowed: bool) -> Iterator[Slot]:
        """Give the cards that a count, a sum or a list is made of.

        none_allowed: whether one of them is too many; else the size of a part is due to no card more than to others
        """
        words = [text_of(part.value) for part in node.arguments if isinstance(part, Literal)]
        if node.function == "len" and isinstance(inner := self._plain(node.arguments[0]), Call):
            yield from self._counted_in(inner, view, none_allowed=none_allowed)
        elif node.function == "has":
            yield from self._holders(words, view)
        elif node.function == "size":
            inside = [slot for slot in view.deck.slots if words and slot.zone == words[0]]
            if none_allowed and len(inside) < len(view.deck.slots):  # the whole list is no card's doing
                yield from inside
        elif self._counts(node) and (node.arguments or none_allowed):
            yield from self._fitting(node, view)

    def _fitting(self, node: Call, view: View) -> Iterator[Slot]:
        """Give the cards that surely fit the condition of a count, and of a sum or a list those that add to it."""
        inside = Describer(node, self._meaning, self._wording)
        where = node.arguments[0] if len(node.arguments) == (1 if node.function == "n" else 2) else None
        value = None if node.function == "n" else node.arguments[-1]
        inner = View(view.deck, this=view.this)
        for slot in view.deck.slots:
            inner.slot = slot
            fits = where is None or truth(inside._value(where, inner)) is True
            if fits and (value is None or truth(inside._value(value, inner)) is not False):
                yield slot

    # -- whose doing

    def _causes(self, node: Node, view: View, leader: bool) -> Iterator[Slot]:
        """Give the cards that a condition which holds names or counts."""
        node = self._plain(node)
        if truth(self._value(node, view)) is not True:
            return
        match node:
            case Logic(_, parts):
                for part in parts:
                    yield from self._causes(part, view, leader)
            case Call("has", arguments):
                words = [text_of(part.value) for part in arguments if isinstance(part, Literal)]
                yield from self._holders(words, view)
            case Compare(first, ((sign, right),)):
                # few of something, or none, is no card's doing
                sides = [first] if sign not in {"<", "<="} else []
                sides += [right] if sign not in {">", ">="} else []
                for part in (part for side in sides for part in walk(self._plain(side))):
                    yield from self._counted_by(part, view, leader)
            case Call() | Dotted():
                yield from self._counted_by(node, view, leader)
            case _:
                return

    def _counted_by(self, part: Node, view: View, leader: bool) -> Iterator[Slot]:
        if isinstance(part, Dotted) and part.base == "leader" and leader:
            yield from view.deck.leader.slots
        elif isinstance(part, Call) and part.function == "size" and part.arguments:
            zone = part.arguments[0].value if isinstance(part.arguments[0], Literal) else None
            yield from (slot for slot in view.deck.slots if slot.zone == zone)
        elif isinstance(part, Call) and part.arguments and self._counts(part):
            inside = Describer(part.arguments[0], self._meaning, self._wording)
            inner = View(view.deck, this=view.this)
            for slot in view.deck.slots:
                inner.slot = slot
                if truth(inside._value(part.arguments[0], inner)) is True:
                    yield slot

    def _holders(self, words: list[str], view: View) -> tuple[Slot, ...]:
        key = self._meaning.canonical(words[0])
        zones = {words[1]} if len(words) > 1 else None
        return tuple(
            slot for slot in view.deck.slots if key in slot.keys and (zones is None or slot.zone in zones)
        )

    # -- which cards

    def _described(self, node: Node, view: View, about: About = About.CARD) -> str:
        """Describe the cards that fit: `with type pilot`, `in the deck called Kite`; empty where a clause is not plain."""
        node = self._plain(node)
        parts = node.parts if isinstance(node, Logic) and node.operator == "and" else (node,)
        inside = Describer(node, self._meaning, self._wording, about)  # bare names are the counted card's
        clauses = [inside._clause(part, view) for part in parts]
        if not all(clauses) or len(clauses) > _MOST_CLAUSES:
            return ""
        kinds = [words for what, words in filter(None, clauses) if what == "with"]
        flags = [words for what, words in filter(None, clauses) if what == "are"]
        zones = [words for what, words in filter(None, clauses) if what == "in"]
        return " ".join(
            [
                *([f"with {listed_once(kinds)}"] if kinds else []),
                *([f"that are {listed_once(flags)}"] if flags else []),
                *zones,
            ]
        )

    def _clause(self, node: Node, view: View) -> tuple[str, str] | None:
        """Describe one clause: what kind of words it needs (`with`, `are`, `in`), and the words."""
        match self._plain(node):
            case Compare(Name("zone"), (("==", Literal(str() as zone)),)):
                return "in", f"in {self._zone(zone)}"
            case Compare(Name("name"), (("==", right),)) if self._is_fixed(right):
                return "with", f"the name {self._offered(right, view)}"
            case Compare(Name(name), ((sign, right),)) if (
                self._is_fixed(right) and name not in self._meaning.define
            ):
                return self._valued(_words(name), sign, self._offered(right, view))
            case Compare(Literal(str() as word), (("in", Name(name)),)):
                return "with", f"{_words(name)} {word}"
            case Name(name) if name in self._meaning.flags:
                return "are", _words(name)
            case Unary("not", Name(name)) if name in self._meaning.flags:
                return "are", f"not {_words(name)}"
            case _:
                return None

    @staticmethod
    def _valued(name: str, sign: str, value: str) -> tuple[str, str] | None:
        if value == "none":
            words = {"==": f"no {name}", "!=": f"any {name}"}.get(sign)
        elif sign in _ABOVE:
            words = f"{name} {_ABOVE[sign]} {value}"
        else:
            words = {
                "==": f"{name} {value}",
                "in": f"{name} {value}",
                "!=": f"{name} other than {value}",
            }.get(sign)
        return ("with", words) if words else None

    def _offered(self, node: Node, view: View) -> str:
        value = self._value(node, view)
        return (
            listed_once([text_of(item) for item in value], "or")
            if isinstance(value, tuple)
            else text_of(value)
        )

    def _is_fixed(self, node: Node) -> bool:
        node = self._plain(node)
        return isinstance(node, Literal | Dotted) or (
            isinstance(node, ListOf) and all(isinstance(part, Literal | Dotted) for part in node.items)
        )

    # -- words

    def _is_thing(self, node: Node) -> bool:
        return isinstance(node, Name | Dotted)

    def _its(self, node: Node) -> str:
        assert isinstance(node, Name | Dotted)
        if isinstance(node, Dotted) and node.base == "leader":
            return f"the {self._wording.noun}'s {_words(node.name)}"
        if isinstance(node, Dotted) and node.base == "setting":
            return f"the organizer's choice `{node.name}`"
        return f"its {_words(node.name)}"


def _summands(node: Node) -> Iterator[Node]:
    """Give the parts that make a sum or a product large; a node that is none is its only part."""
    if isinstance(node, Binary) and node.operator != "%":
        yield from _summands(node.left)
        yield from _summands(node.right) if node.operator in {"+", "*"} else ()
    else:
        yield node


def _bound_words(sign: str, bound: Value) -> str:
    """Say what must hold for a number of which `sign` holds: `at most 3`."""
    if bound == 0 and sign in {"!=", ">"}:
        return "none allowed"
    if sign == "==":
        return f"{text_of(bound)} not allowed"
    words = f"{_BOUND[_OPPOSITE[sign]]} {text_of(bound)}" if sign in _BOUND else ""
    return f"{words} needed" if sign == "!=" else words


def _bare_number(node: Node, value: Value) -> str:
    """Say a number of which no plain words say what it counts; empty where it means nothing by itself."""
    if isinstance(node, Call):
        return f"{text_of(value)} found" if node.function == "n" else text_of(value)
    sums = all(part.operator == "+" for part in walk(node) if isinstance(part, Binary | Unary))
    return text_of(value) if sums else ""


def _difference(node: Node) -> tuple[Node, Node] | None:
    """Return the two sides of `a - b`, None of anything else."""
    return (node.left, node.right) if isinstance(node, Binary) and node.operator == "-" else None


def _few(view: View, work: Callable[[], Iterable[Slot]]) -> tuple[Slot, ...]:
    """Return each card once, or none where there are so many that it is no single card's doing."""
    none: tuple[Slot, ...] = ()
    unique = {id(slot): slot for slot in _quietly(view, lambda: tuple(work()), none)}
    return tuple(unique.values()) if len({slot.key for slot in unique.values()}) <= MOST_CAUSES else ()


def _quietly(view: View, work: Callable[[], T], otherwise: T) -> T:
    """Ask without leaving a trace in the deck: words must not cost a verdict."""
    deck, here = view.deck, (view.slot, view.this)
    steps, deck.steps = deck.steps, 0
    try:
        return work()
    except TourneyError:  # too many steps: then there are no words
        return otherwise
    finally:
        deck.steps = steps
        view.slot, view.this = here


def _is_list_of(node: Compare) -> bool:
    """Say whether a comparison's right side is a list attribute, which is told the other way round."""
    return node.rest[0][0] == "in" and isinstance(node.rest[0][1], Name)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _name(node: Node) -> str:
    assert isinstance(node, Name | Dotted)
    return _words(node.name)


def _counted(value: Value, which: str = "") -> str:
    """Say how many cards: `no cards`, `1 card that is fierce`, `2 cards that are fierce`."""
    number = "no" if value == 0 else text_of(value)
    if value == 1:
        which = which.replace("that are", "that is")
    return f"{number} {'card' if value == 1 else 'cards'} {which}".rstrip()


def listed_once(words: Iterable[str], last: str = "and") -> str:
    """Join words as people do, each once.

    >>> listed_once(["a"]), listed_once(["a", "b", "c", "a"], "or"), listed_once([])
    ('a', 'a, b or c', 'none')
    """
    return listed(dict.fromkeys(words), last) or "none"
