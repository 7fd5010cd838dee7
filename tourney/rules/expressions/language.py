"""The language of expressions: from text to a tree, and what a tree may say where.

A small closed language, read by precedence climbing: no `eval`, no names from outside. From loose to tight:
`a if c else b`, `or`, `and`, `not`, comparisons and `in`, `+ -`, `* // %`, `-x`, calls. Which names and functions make
sense in which place is checked when a format is loaded, before any pool is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from tourney.cards.card import NONE, Absent
from tourney.errors import TourneyError

DEEPEST = 40
"""How deep an expression may be nested."""

_CONSTANTS: dict[str, bool | object] = {"true": True, "false": False, "none": NONE}
_PYTHON = {"True": "true", "False": "false", "None": "none"}
_RESERVED = {"and", "or", "not", "in", "if", "else"}
_COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"}
_BASES = ("leader", "this", "setting")


@lru_cache(maxsize=4_096)
def parse(text: str) -> Node:
    """Read an expression. Raises ExpressionError with the column; work is bounded by length and depth."""
    parser = _Parser(_tokenize(text))
    if parser.next.kind == "end":
        raise ExpressionError("there is nothing here", 1)
    node = parser.expression()
    if parser.next.kind != "end":
        raise ExpressionError(f"`{parser.next.text}` is not expected here", parser.next.at)
    return node


class _Parser:
    """Reads one expression from left to right, by recursive descent."""

    def __init__(self, words: list[Token]) -> None:
        self._tokens = words
        self._position = 0
        self._depth = 0

    @property
    def next(self) -> Token:
        return self._tokens[self._position]

    def _take(self) -> Token:
        token = self._tokens[self._position]
        self._position += 1
        return token

    def _accept(self, *texts: str) -> Token | None:
        """Take the next word if it is one of these signs or words."""
        token = self.next
        return self._take() if token.kind in {"sign", "word"} and token.text in texts else None

    def _expect(self, sign: str) -> None:
        if not self._accept(sign):
            instead = f"found `{self.next.text}`" if self.next.text else "the expression ends"
            raise ExpressionError(f"expected `{sign}`, {instead}", self.next.at)

    def expression(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(f"nested more than {DEEPEST} deep", self.next.at)
        node = self._either()
        if token := self._accept("if"):
            condition = self._either()
            self._expect("else")
            node = Choice(node, condition, self.expression(), token.at)
        self._depth -= 1
        return node

    def _either(self) -> Node:
        return self._joined("or", self._both)

    def _both(self) -> Node:
        return self._joined("and", self._negation)

    def _joined(self, operator: str, read: Callable[[], Node]) -> Node:
        parts = [read()]
        at = self.next.at
        while self._accept(operator):
            parts.append(read())
        return Logic(operator, tuple(parts), at) if len(parts) > 1 else parts[0]

    def _negation(self) -> Node:
        if token := self._accept("not"):
            return Unary("not", self._deeper(self._negation), token.at)
        return self._comparison()

    def _comparison(self) -> Node:
        first = self._sum()
        rest: list[tuple[str, Node]] = []
        at = self.next.at
        while operator := self._comparing():
            rest.append((operator, self._sum()))
        return Compare(first, tuple(rest), at) if rest else first

    def _comparing(self) -> str | None:
        if (
            self.next.text == "not"
            and self._tokens[self._position + 1].text == "in"
            and self.next.kind == "word"
        ):
            self._position += 2
            return "not in"
        token = self._accept(*_COMPARISONS)
        return token.text if token else None

    def _sum(self) -> Node:
        return self._chained(("+", "-"), self._product)

    def _product(self) -> Node:
        return self._chained(("*", "//", "%"), self._signed)

    def _chained(self, operators: tuple[str, ...], read: Callable[[], Node]) -> Node:
        node = read()
        terms = 1
        while token := self._accept(*operators):
            terms += 1
            if terms > DEEPEST:
                raise ExpressionError(f"more than {DEEPEST} terms in a row", token.at)
            node = Binary(token.text, node, read(), token.at)
        return node

    def _signed(self) -> Node:
        if token := self._accept("-"):
            return Unary("-", self._deeper(self._signed), token.at)
        return self._single()

    def _deeper(self, read: Callable[[], Node]) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(f"nested more than {DEEPEST} deep", self.next.at)
        node = read()
        self._depth -= 1
        return node

    def _single(self) -> Node:
        token = self._take()
        if token.kind == "number":
            number = Fraction(token.text)
            return Literal(int(number) if number.denominator == 1 else number, token.at)
        if token.kind == "text":
            return Literal(_unquoted(token.text), token.at)
        if token.kind == "word" and token.text not in _RESERVED:
            return self._word(token)
        if token.text == "(":
            return self._bracketed(token)
        if token.text == "[":
            return ListOf(self._listed("]"), token.at)
        instead = f"found `{token.text}`" if token.text else "the expression ends"
        raise ExpressionError(f"expected a value, {instead}", token.at)

    def _bracketed(self, token: Token) -> Node:
        """Read `(x)`, or `('a', 'b')` as a list."""
        node = self.expression()
        if not self._accept(","):
            self._expect(")")
            return node
        return ListOf((node, *self._listed(")")), token.at)

    def _listed(self, closing: str) -> tuple[Node, ...]:
        nodes: list[Node] = []
        while not self._accept(closing):
            nodes.append(self.expression())
            if not self._accept(","):
                self._expect(closing)
                break
        return tuple(nodes)

    def _word(self, token: Token) -> Node:
        if self._accept("("):
            return Call(token.text, self._listed(")"), token.at)
        if token.text in _BASES and self._accept("."):
            attribute = self._take()
            if attribute.kind != "word":
                raise ExpressionError(f"expected an attribute after `{token.text}.`", attribute.at)
            return Dotted(token.text, attribute.text, token.at)
        if self.next.text == "." and self.next.kind == "sign":
            raise ExpressionError(
                f"only {', '.join(f'`{base}.x`' for base in _BASES)} have a dot", self.next.at
            )
        word = _PYTHON.get(token.text, token.text)
        if word in _CONSTANTS:
            return Literal(_CONSTANTS[word], token.at)  # type: ignore[arg-type]
        return Name(token.text, token.at)


# -- What an expression is made of, after reading. at is the column, counted from 1


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
    """`x + y`, `x // y`: two numbers and one of the operators between them."""

    operator: str
    left: Node
    right: Node
    at: int


class Compare(msgspec.Struct, frozen=True):
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


Node = Literal | Name | Dotted | ListOf | Unary | Logic | Binary | Compare | Choice | Call
"""A part of a parsed expression."""


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
        case Compare(first, rest):
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


# -- Text of an expression → words, each with its column


LONGEST = 2_000
"""Letters in one expression; a longer one is refused."""

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>\d+(?:\.\d+)?(?![\w.]))
      | (?P<word>[^\W\d]\w*)
      | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<sign>==|!=|<=|>=|//|[-+*%<>()\[\],.])""",
    re.VERBOSE,
)
_MEANT = {
    "=": "to compare, write `==`",
    "!": "write `not`",
    "&": "write `and`",
    "|": "write `or`",
    "/": "to divide, write `//` (rounded down)",
    "'": "the text is not closed: a `'` is missing",
    '"': 'the text is not closed: a `"` is missing',
    "{": "lists are written `['a', 'b']`",
    "@": "",
}


class ExpressionError(Exception):
    """An expression is not in the language. `at` is the column, from 1; `reason` says what should be there."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(f"column {at}: {reason}")
        self.reason = reason
        self.at = at


class Token(msgspec.Struct, frozen=True):
    """One word of an expression. kind: `number`, `word`, `text`, `sign` or `end`."""

    kind: str
    text: str
    at: int


def _tokenize(text: str) -> list[Token]:
    """Split an expression into words, the last one of kind `end`. Raises ExpressionError."""
    if len(text) > LONGEST:
        raise ExpressionError(
            f"the expression has {len(text):,} letters, at most {LONGEST:,} are read", LONGEST
        )
    read: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _foreign(text, place)
        if match.lastgroup and match.lastgroup != "space":
            read.append(Token(match.lastgroup, match[0], place + 1))
        place = match.end()
    return [*read, Token("end", "", len(text) + 1)]


def _foreign(text: str, place: int) -> ExpressionError:
    letter = text[place]
    if letter.isdigit():
        return ExpressionError("numbers are written `3` or `2.5`", place + 1)
    meant = _MEANT.get(letter, "")
    return ExpressionError(meant or f"`{letter}` is not in the language", place + 1)


def _unquoted(text: str) -> str:
    """Take the quotes off a text and the backslashes out of it."""
    return re.sub(r"\\(.)", r"\1", text[1:-1])


# -- What may stand where: the functions with their arguments, the names, the size


_LARGEST = 2_000
"""Parts of one expression once its definitions are put in."""
_DEEPEST_DEFINED = 80
"""Levels of one expression once its definitions are put in."""
_MOST_DEFINITIONS = 40
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
    if _size(node, around.define) > _LARGEST:
        raise ExpressionError(f"with its definitions the expression has more than {_LARGEST:,} parts", 1)
    _check(node, around)
    return node


def _size(node: Node, define: Mapping[str, str]) -> int:
    """Count the parts of an expression, definitions put in.

    Raises ExpressionError for a definition that needs itself, and for more than `_DEEPEST_DEFINED` levels.
    """
    return _measured(node, define, {})[0]


def _measured(node: Node, define: Mapping[str, str], measures: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """Return how many parts there are, and how many levels."""
    inside = [_measured(child, define, measures) for child in children(node)]
    if isinstance(node, Name) and node.name in define:
        inside.append(_definition(node, define, measures))
    levels = 1 + max((levels for _, levels in inside), default=0)
    if levels > _DEEPEST_DEFINED:
        raise ExpressionError(f"with its definitions nested more than {_DEEPEST_DEFINED} deep", node.at)
    return min(1 + sum(parts for parts, _ in inside), _LARGEST + 1), levels


def _definition(
    node: Name, define: Mapping[str, str], measures: dict[str, tuple[int, int]]
) -> tuple[int, int]:
    if len(measures) > _MOST_DEFINITIONS:
        raise ExpressionError(f"more than {_MOST_DEFINITIONS} definitions hang on each other", node.at)
    if node.name not in measures:
        measures[node.name] = _OPEN
        measures[node.name] = _measured(parse(define[node.name]), define, measures)
    if measures[node.name] is _OPEN:
        raise ExpressionError(f"`{node.name}` is defined by itself", node.at)
    return measures[node.name]


def _is_condition(node: Node, define: Mapping[str, str], flags: frozenset[str] = frozenset()) -> bool:
    """Say whether an expression is a condition by its form, or by the name of an attribute that is a flag."""
    if isinstance(node, Name):
        return node.name in flags or (
            node.name in define and _is_condition(parse(define[node.name]), define, flags)
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
        return bare or _is_condition(first, define, flags)
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
    for name, text in define.items():
        try:
            _size(Name(name, 1), define)
        except ExpressionError as fault:
            raise TourneyError(f"{source}: define.{name}: {fault}: `{text}`") from None
