"""The expression language: what it accepts, and the errors for everything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import with_rows
from tourney.rules.expressions.language import (
    DEEPEST,
    LONGEST,
    About,
    ExpressionError,
    Scope,
    check,
    parse,
    walk,
)

DECK = Scope(about=About.DECK, this=False)


def shape(text):
    """Write an expression with all its brackets, to show the precedence."""

    def written(node):
        kind = type(node).__name__
        match kind:
            case "Literal":
                return repr(node.value) if isinstance(node.value, str) else str(node.value).lower()
            case "Name":
                return node.name
            case "Dotted":
                return f"{node.base}.{node.name}"
            case "ListOf":
                return "[" + " ".join(map(written, node.items)) + "]"
            case "Unary":
                return f"({node.operator} {written(node.operand)})"
            case "Logic":
                return "(" + f" {node.operator} ".join(map(written, node.parts)) + ")"
            case "Binary":
                return f"({written(node.left)} {node.operator} {written(node.right)})"
            case "Compare":
                return (
                    "("
                    + written(node.first)
                    + "".join(f" {sign} {written(part)}" for sign, part in node.rest)
                    + ")"
                )
            case "Choice":
                return f"({written(node.then)} if {written(node.condition)} else {written(node.otherwise)})"
            case "Call":
                return f"{node.function}({' '.join(map(written, node.arguments))})"

    return written(parse(text))


@with_rows(
    ("text", "brackets"),
    [
        ("kind == 'vp'", "(kind == 'vp')"),
        ('kind == "vp"', "(kind == 'vp')"),
        (r"name == 'Ra\'ebur'", '(name == "Ra\'ebur")'),
        ("a or b and not c", "(a or (b and (not c)))"),
        ("a and b and c", "(a and b and c)"),
        ("not a == b", "(not (a == b))"),
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("-2 * 3", "((- 2) * 3)"),
        ("size('deck') // 5 % 2", "((size('deck') // 5) % 2)"),
        ("1 <= cost <= 3", "(1 <= cost <= 3)"),
        ("type not in ['a', 'b']", "(type not in ['a' 'b'])"),
        ("type in ('a', 'b')", "(type in ['a' 'b'])"),
        ("(a)", "a"),
        ("[]", "[]"),
        ("[1, 2,]", "[1 2]"),
        ("a if b else c if d else e", "(a if b else (c if d else e))"),
        (
            "n(kind == 'ice' and faction == this.faction)",
            "n(((kind == 'ice') and (faction == this.faction)))",
        ),
        ("leader.max_size", "leader.max_size"),
        ("true or False", "(true or false)"),
        ("level == none", "(level == none)"),
        ("2.5 + 1", "((5/2 + 1)"[1:]),
        ("class != 'mage'", "(class != 'mage')"),
        ("größe > 3", "(größe > 3)"),
        ("  a\n  and b", "(a and b)"),
    ],
)
def test_precedence(text, brackets):
    """From loose to tight: if, or, and, not, comparisons, sums, products, signs."""
    assert shape(text) == brackets


@with_rows(
    ("text", "column", "reason"),
    [
        ("", 1, "there is nothing here"),
        ("kind = 'vp'", 6, "to compare, write `==`"),
        ("a & b", 3, "write `and`"),
        ("a | b", 3, "write `or`"),
        ("!a", 1, "write `not`"),
        ("a / 2", 3, "write `//`"),
        ("kind == 'vp", 9, "the text is not closed"),
        ("a == {1}", 6, "lists are written"),
        ("a b", 3, "`b` is not expected here"),
        ("(a", 3, "expected `)`, but the expression ends"),
        ("n(a", 4, "expected `)`"),
        ("a +", 4, "expected a value, but the expression ends"),
        ("a if b", 7, "expected `else`"),
        ("and a", 1, "expected a value, found `and`"),
        ("card.text", 5, "only `leader.x`, `this.x`, `setting.x` have a dot"),
        ("leader.", 8, "expected an attribute after `leader.`"),
        ("1.5.2", 1, "numbers are written"),
        ("0x10", 1, "numbers are written"),
        ("a;b", 2, "`;` is not in the language"),
        ("lambda: 1", 7, "`:` is not in the language"),
        ("[x for x in y]", 4, "expected `]`, found `for`"),
    ],
)
def test_rejects_what_is_not_in_the_language(text, column, reason):
    """The error has the column, from 1, and the correction."""
    with pytest.raises(ExpressionError) as error:
        parse(text)
    assert error.value.at == column
    assert reason in error.value.reason


@with_rows("text", ["__import__('os')", "open('x')", "eval('1')", "foo(1)", "n.x", "sum(1)"])
def test_rejects_functions_of_python(text):
    """Only the language's own functions can be called."""
    with pytest.raises(ExpressionError):
        check(text, Scope())


@with_rows(
    "text",
    ["(" * 100 + "a" + ")" * 100, "not " * 100 + "a", "-" * 100 + "1", "[" * 100 + "]" * 100,
     "n(" * 100 + "a" + ")" * 100,
     " + ".join(["1"] * 100), "a if b else " * 100 + "c"],
)  # fmt: skip
def test_rejects_a_hundred_levels(text):
    """The depth is limited for every kind of nesting, and so are the terms in a row."""
    with pytest.raises(ExpressionError, match=f"{DEEPEST}"):
        parse(text)


def test_limits_the_size():
    """The length is limited, and so is the size with definitions inserted."""
    with pytest.raises(ExpressionError, match="2,001 characters"):
        parse("a" * (LONGEST + 1))
    define = {f"d{number}": f"d{number + 1} and d{number + 1}" for number in range(20)} | {"d20": "true"}
    with pytest.raises(ExpressionError, match="2,000 parts"):
        check("d0", Scope(define=define))


def test_rejects_a_long_chain_of_definitions():
    """Definitions count toward the depth."""
    define = {f"d{number}": f"not d{number + 1}" for number in range(500)} | {"d500": "true"}
    with pytest.raises(ExpressionError, match="80 levels deep"):
        check("d0", Scope(define=define))
    deep = {f"d{number}": "not " * 30 + f"d{number + 1}" for number in range(5)} | {"d5": "true"}
    with pytest.raises(ExpressionError, match="80 levels deep"):
        check("d5 and d4 and d3 and d2 and d1 and d0", Scope(define=deep))


def test_accepts_a_long_list():
    """Only the length of the text limits a list."""
    names = ", ".join(f"'card {number}'" for number in range(150))
    assert len(list(walk(parse(f"name in [{names}]")))) == 153


@with_rows(
    ("text", "reason"),
    [
        ("n(a, b)", "`n` is written n(condition)"),
        ("total()", "`total` is written"),
        ("size(deck)", "needs its arguments in quotes"),
        ("len()", "`len` is written"),
        ("has(1)", "in quotes"),
        ("nn(a)", "there is no function `nn`; the choices are common, distinct"),
        ("n", "`n` needs brackets"),
    ],
)
def test_checks_calls(text, reason):
    """The number of arguments must fit, and names must be in quotes."""
    with pytest.raises(ExpressionError) as error:
        check(text, Scope())
    assert reason in error.value.reason


@with_rows(
    ("text", "reason"),
    [
        ("faction == 'x'", "`faction` needs a card"),
        ("this.faction == 'x'", "this part of the rule is not about one card"),
        ("listed('x')", "of which card?"),
        ("printed(set == 'a')", "of which card?"),
        ("n(this.cost > 1)", "this part of the rule is not about one card"),
    ],
)
def test_a_condition_on_the_deck_names_no_card(text, reason):
    """It can use counts, sizes, the leader and settings."""
    with pytest.raises(ExpressionError) as error:
        check(text, DECK)
    assert reason in error.value.reason


@with_rows(
    "text",
    ["n(faction == 'x') > 3", "size('deck') == 40 or leader.x == 3", "union(zone == 'hero', colours) == []",
     "len(common(basic, types)) > 0", "total(cost) + total(a, b) + distinct(name)", "n() == 3"],
)  # fmt: skip
def test_a_condition_on_the_deck_can_count(text):
    """Inside a count, names are attributes of the counted card."""
    check(text, DECK)


def test_rejects_unknown_zones_lists_and_settings():
    """Names are checked against the format."""
    around = Scope(
        zones=frozenset({"deck"}), lists=frozenset({"power"}), settings=frozenset({"goal"}), leader=False
    )
    for text, reason in (
        ("size('dekc')", "there is no zone `dekc`; the only choice is deck"),
        ("listed('powr')", "there is no list `powr`"),
        ("has('X', 'side')", "there is no zone `side`"),
        ("setting.goall", "there is no setting `goall`"),
        ("leader.x", "the format has no [leader]"),
    ):
        with pytest.raises(ExpressionError) as error:
            check(text, around)
        assert reason in error.value.reason


def test_rejects_a_definition_that_needs_itself():
    """Directly, or through another definition."""
    for define in ({"a": "a or b"}, {"a": "n(b)", "b": "not a"}):
        with pytest.raises(ExpressionError, match="defined by itself"):
            check("a", Scope(define=define))


def error_of(text):
    """Return the error for an expression; None if it is accepted."""
    try:
        check(text, Scope())
    except ExpressionError as error:
        return error
    return None


@given(st.text(max_size=60))
def test_any_text_is_accepted_or_rejected(text):
    """No text crashes the parser."""
    error = error_of(text)
    assert error is None or 1 <= error.at <= len(text) + 1


PIECES = st.sampled_from(
    ["n(", "size('deck')", ")", "(", "[", "]", ",", "and", "or", "not", "in", "if", "else", "==", "<=", "+",
     "-", "*", "//",
     "%", "kind", "leader.x", "this.y", "'text'", "12", "none", "true", "total(", "union(", "printed(",
     "has('x')", ".", "'"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25))
def test_any_tokens_are_accepted_or_rejected(pieces):
    """No sequence of tokens crashes the parser."""
    error = error_of(" ".join(pieces))
    assert error is None or error.reason
