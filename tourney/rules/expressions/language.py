"""The expression language: text to tree, and the checks that need no card pool.

The language is small, and parsed by recursive descent without `eval`. Its operators, from the weakest to the
strongest: `a if c else b`, `or`, `and`, `not`, comparisons and `in`, `+ -`, `* // %`, `-x`, calls. `parse`
builds the tree; `check` also checks that every name and call is allowed where the expression is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.card import NONE, Absent
from tourney.errors import TourneyError
from tourney.rules.expressions.deck import FUNCTIONS

LONGEST = 2_000
"""The maximum number of characters in an expression."""

DEEPEST = 40
"""The maximum number of nested levels in an expression, and of terms in a row."""

_MAX_PARTS = 2_000
"""The maximum number of parts in an expression after its definitions are inserted."""

_MAX_LEVELS = 80
"""The maximum number of levels in an expression after its definitions are inserted."""


class ExpressionError(Exception):
    """An expression is not in the language. `at` is the column, from 1."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(f"column {at}: {reason}")
        self.reason = reason
        self.at = at


# -- the tree


class Node(Struct, frozen=True, kw_only=True):
    """A part of a parsed expression. at: its column in the text, from 1."""

    at: int


class Literal(Node, frozen=True):
    """A number, a text, `true`, `false` or `none`."""

    value: str | int | Fraction | bool | Absent


class Name(Node, frozen=True):
    """A single word: an attribute, `zone`, `qty` or a definition."""

    name: str


class Dotted(Node, frozen=True):
    """A dotted name: `leader.x`, `this.x` or `setting.x`."""

    base: str
    name: str


class ListOf(Node, frozen=True):
    """A list: `['a', 'b']`."""

    items: tuple[Node, ...]


class Unary(Node, frozen=True):
    """An operation on one value: `not x` or `-x`."""

    operator: str
    operand: Node


class Logic(Node, frozen=True):
    """A chain of conditions: `a and b and c` or `a or b`. All its parts are on one level."""

    operator: str
    parts: tuple[Node, ...]


class Binary(Node, frozen=True):
    """`x + y`, or another arithmetic operator."""

    operator: str
    left: Node
    right: Node


class Compare(Node, frozen=True):
    """A comparison: `a < b`. The chain `1 <= a <= 3` means `1 <= a and a <= 3`."""

    first: Node
    rest: tuple[tuple[str, Node], ...]

    def pairs(self) -> Iterator[tuple[Node, str, Node]]:
        """Yield (left side, operator, right side) for each comparison of the chain."""
        left = self.first
        for sign, right in self.rest:
            yield left, sign, right
            left = right


class Choice(Node, frozen=True):
    """A conditional value: `a if c else b`."""

    then: Node
    condition: Node
    otherwise: Node


class Call(Node, frozen=True):
    """A function call: `n(kind == 'ice')`."""

    function: str
    arguments: tuple[Node, ...]


_NO_DEFINITIONS: Mapping[str, str] = {}


def quoted_texts(node: Call) -> dict[str, str]:
    """Return the quoted texts in a function call: for `has('Kite')`, `{"name": "Kite"}`.

    The key says what the text names: a `zone`, a `list` or a card (`name`).
    """
    texts = [part.value for part in node.arguments if isinstance(part, Literal)]
    return dict(zip(FUNCTIONS[node.function].quoted_kinds, map(str, texts), strict=False))


def children(node: Node) -> tuple[Node, ...]:
    """Return the parts of a node, in the order of its fields."""
    return tuple(_nodes_in(msgspec.structs.astuple(node)))


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes_in(part)


def walk(node: Node, define: Mapping[str, str] = _NO_DEFINITIONS) -> Iterator[Node]:
    """Yield a node and all nodes below it. A name in `define` is replaced by its definition."""
    if isinstance(node, Name) and node.name in define:
        yield from walk(parse(define[node.name]), define)
        return
    yield node
    for child in children(node):
        yield from walk(child, define)


# -- text to tokens


class _Token(Struct, frozen=True):
    """A token. kind: `number`, `word`, `text`, `sign` or `end`."""

    kind: str
    text: str
    at: int


_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>\d+(?:\.\d+)?(?![\w.]))
      | (?P<word>[^\W\d]\w*)
      | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<sign>==|!=|<=|>=|//|[-+*%<>()\[\],.])""",
    re.VERBOSE,
)
_CORRECTIONS = {
    "=": "to compare, write `==`",
    "!": "write `not`",
    "&": "write `and`",
    "|": "write `or`",
    "/": "to divide, write `//` (rounded down)",
    "'": "the text is not closed: a `'` is missing",
    '"': 'the text is not closed: a `"` is missing',
    "{": "lists are written `['a', 'b']`",
}


def _tokenize(text: str) -> list[_Token]:
    """Split an expression into tokens, the last one of kind `end`. Raises ExpressionError."""
    if len(text) > LONGEST:
        raise ExpressionError(
            f"the expression has {len(text):,} characters; the limit is {LONGEST:,}", LONGEST
        )
    tokens: list[_Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(_correction(text[position]), position + 1)
        if match.lastgroup and match.lastgroup != "space":
            tokens.append(_Token(match.lastgroup, match[0], position + 1))
        position = match.end()
    return [*tokens, _Token("end", "", len(text) + 1)]


def _correction(character: str) -> str:
    if character.isdigit():
        return "numbers are written `3` or `2.5`"
    return _CORRECTIONS.get(character, f"`{character}` is not in the language")


# -- tokens to tree

_CONSTANTS: Mapping[str, bool | Absent] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "none": NONE,
    "None": NONE,
}
_RESERVED = {"and", "or", "not", "in", "if", "else"}
_LEVELS = (("or",), ("and",), ("==", "!=", "<", "<=", ">", ">=", "in"), ("+", "-"), ("*", "//", "%"))
"""The operators by precedence, lowest first. `not` ranks with comparisons, `-x` is highest."""

_COMPARED = 2
"""The place of the comparisons in `_LEVELS`."""

_BASES = ("leader", "this", "setting")


@lru_cache(maxsize=4_096)
def parse(text: str) -> Node:
    """Parse an expression. Raises ExpressionError with the column."""
    parser = _Parser(_tokenize(text))
    if parser.next.kind == "end":
        raise ExpressionError("there is nothing here", 1)
    node = parser.expression()
    if parser.next.kind != "end":
        raise ExpressionError(f"`{parser.next.text}` is not expected here", parser.next.at)
    return node


class _Parser:
    """A recursive-descent parser over the tokens of one expression."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._position = 0
        self._depth = 0

    @property
    def next(self) -> _Token:
        return self._tokens[self._position]

    def _take(self) -> _Token:
        token = self.next
        self._position += 1
        return token

    def _accept(self, *texts: str) -> _Token | None:
        """Take and return the next token if it is one of these symbols or words; else return None."""
        token = self.next
        return self._take() if token.kind in {"sign", "word"} and token.text in texts else None

    def _expect(self, sign: str) -> None:
        if not self._accept(sign):
            raise ExpressionError(f"expected `{sign}`, {_instead(self.next)}", self.next.at)

    def _deeper(self, read: Callable[[], Node]) -> Node:
        """Call `read` one level of nesting deeper. Raises ExpressionError if that is too deep."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(f"nested more than {DEEPEST} levels deep", self.next.at)
        node = read()
        self._depth -= 1
        return node

    def expression(self) -> Node:
        return self._deeper(self._choice)

    def _choice(self) -> Node:
        node = self._operation()
        if token := self._accept("if"):
            condition = self._operation()
            self._expect("else")
            node = Choice(node, condition, self.expression(), at=token.at)
        return node

    def _operation(self, level: int = 0) -> Node:
        """Read an expression whose operators have this level of precedence or a higher one.

        level: 0 for the operators that bind most loosely
        """
        if level == len(_LEVELS):
            return self._parse_sign()
        if level == _COMPARED and (token := self._accept("not")):
            return Unary("not", self._deeper(lambda: self._operation(_COMPARED)), at=token.at)
        node, at = self._operation(level + 1), self.next.at
        more: list[tuple[_Token, Node]] = []
        while token := self._operator(level):
            if level > _COMPARED and len(more) + 2 > DEEPEST:
                raise ExpressionError(f"more than {DEEPEST} terms in a row", token.at)
            more.append((token, self._operation(level + 1)))
        if more and level < _COMPARED:
            return Logic(more[0][0].text, (node, *(part for _, part in more)), at=at)
        if more and level == _COMPARED:
            return Compare(node, tuple((sign.text, part) for sign, part in more), at=at)
        for sign, part in more:
            node = Binary(sign.text, node, part, at=sign.at)
        return node

    def _operator(self, level: int) -> _Token | None:
        token = self.next
        is_not = level == _COMPARED and token.kind == "word" and token.text == "not"
        if is_not and self._tokens[self._position + 1].text == "in":
            self._position += 2
            return replace(token, text="not in")
        return self._accept(*_LEVELS[level])

    def _parse_sign(self) -> Node:
        if token := self._accept("-"):
            return Unary("-", self._deeper(self._parse_sign), at=token.at)
        return self._single()

    def _single(self) -> Node:
        token = self._take()
        if token.kind == "number":
            number = Fraction(token.text)
            return Literal(int(number) if number.denominator == 1 else number, at=token.at)
        if token.kind == "text":
            return Literal(re.sub(r"\\(.)", r"\1", token.text[1:-1]), at=token.at)
        if token.kind == "word" and token.text not in _RESERVED:
            return self._word(token)
        if token.text == "(":
            return self._parse_parentheses(token)
        if token.text == "[":
            return ListOf(self._nodes_until("]"), at=token.at)
        raise ExpressionError(f"expected a value, {_instead(token)}", token.at)

    def _parse_parentheses(self, token: _Token) -> Node:
        """Read an expression in parentheses: `(x)` means `x`, and `('a', 'b')` is a list."""
        node = self.expression()
        if not self._accept(","):
            self._expect(")")
            return node
        return ListOf((node, *self._nodes_until(")")), at=token.at)

    def _nodes_until(self, closing: str) -> tuple[Node, ...]:
        nodes: list[Node] = []
        while not self._accept(closing):
            nodes.append(self.expression())
            if not self._accept(","):
                self._expect(closing)
                break
        return tuple(nodes)

    def _word(self, token: _Token) -> Node:
        if self._accept("("):
            return Call(token.text, self._nodes_until(")"), at=token.at)
        if token.text in _BASES and self._accept("."):
            attribute = self._take()
            if attribute.kind != "word":
                raise ExpressionError(f"expected an attribute after `{token.text}.`", attribute.at)
            return Dotted(token.text, attribute.text, at=token.at)
        if self.next.kind == "sign" and self.next.text == ".":
            dotted_bases = ", ".join(f"`{base}.x`" for base in _BASES)
            raise ExpressionError(f"only {dotted_bases} have a dot", self.next.at)
        if token.text in _CONSTANTS:
            return Literal(_CONSTANTS[token.text], at=token.at)
        return Name(token.text, at=token.at)


def _instead(token: _Token) -> str:
    return f"found `{token.text}`" if token.text else "but the expression ends"


# -- checks


class About(Enum):
    """What an expression is evaluated for: the deck, a card, or a printing of a card.

    Bare names in the expression, such as `cost`, are attributes of that card or printing.
    """

    DECK = "deck"  # nothing: only counts, `leader.x`, `setting.x` and `size(…)` have a value
    CARD = "card"
    PRINTING = "printing"


class Scope(Struct, frozen=True):
    """The names that an expression may use at its place in a file.

    this:   whether the rule is about a card, so that `this.x` is allowed
    define: the format's definitions
    zones, lists, settings: the existing names; None if they are not known
    leader: whether the format has a leader
    """

    about: About = About.CARD
    this: bool = True
    define: Mapping[str, str] = {}
    zones: frozenset[str] | None = None
    lists: frozenset[str] | None = None
    settings: frozenset[str] | None = None
    leader: bool = True

    def inside_count(self) -> Scope:
        """Return the `Scope` (the names that are allowed) for an expression inside `n(…)`.

        There, bare names are attributes of the counted card, and `this` is the card of the outer expression.
        """
        return replace(self, about=About.CARD, this=self.this and self.about is About.CARD)


def check(text: str, scope: Scope) -> Node:
    """Parse an expression and check every name and call in it.

    Raises ExpressionError with the column.
    """
    node = parse(text)
    if _count_parts(node, scope.define) > _MAX_PARTS:
        raise ExpressionError(f"with its definitions the expression has more than {_MAX_PARTS:,} parts", 1)
    _check(node, scope)
    return node


def check_definitions(define: Mapping[str, str], source: str) -> None:
    """Parse every definition. Raises TourneyError for a faulty one, or one that uses itself."""
    for name, text in define.items():
        try:
            _count_parts(Name(name, at=1), define)
        except ExpressionError as error:
            raise TourneyError(f"{source}: define.{name}: {error}: `{text}`") from None


def _count_parts(node: Node, define: Mapping[str, str], names: tuple[str, ...] = (), level: int = 1) -> int:
    """Return the number of parts of an expression after its definitions are inserted.

    Stops counting after more than `_MAX_PARTS`. Raises ExpressionError for a definition that uses itself, and
    for too many levels.

    names: the definitions that are being inserted, from the outermost
    """
    if level > _MAX_LEVELS:
        raise ExpressionError(f"with its definitions nested more than {_MAX_LEVELS} levels deep", node.at)
    inner = children(node)
    if isinstance(node, Name) and node.name in define:
        if node.name in names:
            raise ExpressionError(f"`{node.name}` is defined by itself", node.at)
        inner, names = (parse(define[node.name]),), (*names, node.name)
    parts = 1
    for child in inner:
        if parts <= _MAX_PARTS:
            parts += _count_parts(child, define, names, level + 1)
    return parts


def _check(node: Node, scope: Scope) -> None:
    if isinstance(node, Call):
        _check_call(node, scope)
        return
    if isinstance(node, Name):
        _check_name(node, scope)
    elif isinstance(node, Dotted):
        _check_dotted(node, scope)
    for child in children(node):
        _check(child, scope)


def _check_name(node: Name, scope: Scope) -> None:
    name = node.name
    if name in scope.define:
        try:
            _check(parse(scope.define[name]), scope)
        except ExpressionError as error:
            raise ExpressionError(f"`{name}` does not fit here: {error.reason}", node.at) from None
    elif name in FUNCTIONS and not FUNCTIONS[name].is_also_attribute:
        raise ExpressionError(f"`{name}` needs brackets: {FUNCTIONS[name].usage}", node.at)
    elif scope.about is About.DECK:
        raise ExpressionError(
            f"`{name}` needs a card, but the rule is about the whole deck: "
            f"count with `n(…)`, or write `leader.{name}`",
            node.at,
        )


def _check_dotted(node: Dotted, scope: Scope) -> None:
    if node.base == "this" and not scope.this:
        raise ExpressionError(
            f"`this.{node.name}`: this part of the rule is not about one card, so it has no `this`", node.at
        )
    if node.base == "leader" and not scope.leader:
        raise ExpressionError(f"`leader.{node.name}`: the format has no [leader]", node.at)
    if node.base == "setting" and scope.settings is not None and node.name not in scope.settings:
        raise ExpressionError(f"there is no setting `{node.name}`{choices(scope.settings)}", node.at)


def _check_call(node: Call, scope: Scope) -> None:
    function = FUNCTIONS.get(node.function)
    if function is None:
        raise ExpressionError(f"there is no function `{node.function}`{choices(FUNCTIONS)}", node.at)
    if not function.fewest <= len(node.arguments) <= function.most:
        raise ExpressionError(f"`{node.function}` is written {function.usage}", node.at)
    for kind, argument in zip(function.quoted_kinds, node.arguments, strict=False):
        _check_quoted(node, kind, argument, scope)
    if "card" in function.asks and scope.about is not About.CARD:
        usage = f"{node.function}('…')" if function.quoted_kinds else f"{node.function}(…)"
        raise ExpressionError(f"`{node.function}` of which card? Put it into a count: `n({usage})`", node.at)
    if function.asks_printings:
        scope = replace(scope, about=About.PRINTING)
    elif counts_cards(node, scope.define, about=scope.about):
        scope = scope.inside_count()
    for argument in () if function.quoted_kinds else node.arguments:
        _check(argument, scope)


def _check_quoted(node: Call, kind: str, argument: Node, scope: Scope) -> None:
    """Raise ExpressionError unless an argument is in quotes, and its zone or list exists.

    kind: what the argument names: `zone`, `list` or `name`
    """
    if not (isinstance(argument, Literal) and isinstance(argument.value, str)):
        usage = FUNCTIONS[node.function].usage
        raise ExpressionError(f"`{node.function}` needs its arguments in quotes: {usage}", argument.at)
    names = {"zone": scope.zones, "list": scope.lists}.get(kind)
    if names is not None and argument.value not in names:
        raise ExpressionError(f"there is no {kind} `{argument.value}`{choices(names)}", argument.at)


def choices(names: Collection[str]) -> str:
    """Return `; the choices are a, b`, to end a message about an unknown name.

    Without names, returns an empty text.
    """
    these = "the only choice is" if len(names) == 1 else "the choices are"
    return f"; {these} {', '.join(sorted(names))}" if names else ""


def counts_cards(
    node: Call, define: Mapping[str, str], flags: frozenset[str] = frozenset(), *, about: About = About.CARD
) -> bool:
    """Return whether the arguments of a call are evaluated for each card of the deck.

    `union` and `common` take either a condition and a value, which they evaluate for each card, or two lists.
    A first argument such as `cost > 3` is a condition. The bare name of an attribute is a condition if the
    expression is about the whole deck, or if `flags` has the attribute.

    flags: the attributes that are true or false
    """
    function = FUNCTIONS[node.function]
    if function.of_cards and function.of_values:
        first = node.arguments[0]
        is_attribute = isinstance(first, Name) and first.name not in define
        return (is_attribute and about is About.DECK) or _is_condition(first, define, flags)
    return function.of_cards is not None


def _is_condition(node: Node, define: Mapping[str, str], flags: frozenset[str]) -> bool:
    match node:
        case Name(name) if name in define:
            return name in flags or _is_condition(parse(define[name]), define, flags)
        case Name(name):
            return name in flags
        case Literal(value):
            return isinstance(value, bool)
        case Call(function):
            return function in FUNCTIONS and FUNCTIONS[function].is_condition
        case Unary(operator):
            return operator == "not"
        case _:
            return isinstance(node, Compare | Logic)
