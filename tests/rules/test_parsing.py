"""The expression language: what is read, and how what is not in it is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.rules.expressions import ExpressionError, Surroundings, check, parse
from tourney.rules.expressions.language import DEEPEST, LONGEST, About, walk

DECK = Surroundings(about=About.DECK, this=False)


def shape(text):
    """An expression as nested brackets, so that precedence can be seen."""

    def said(node):
        kind = type(node).__name__
        match kind:
            case "Literal":
                return repr(node.value) if isinstance(node.value, str) else str(node.value).lower()
            case "Name":
                return node.name
            case "Dotted":
                return f"{node.base}.{node.name}"
            case "ListOf":
                return "[" + " ".join(map(said, node.items)) + "]"
            case "Unary":
                return f"({node.operator} {said(node.operand)})"
            case "Logic":
                return "(" + f" {node.operator} ".join(map(said, node.parts)) + ")"
            case "Binary":
                return f"({said(node.left)} {node.operator} {said(node.right)})"
            case "Compare":
                return (
                    "("
                    + said(node.first)
                    + "".join(f" {sign} {said(part)}" for sign, part in node.rest)
                    + ")"
                )
            case "Choice":
                return f"({said(node.then)} if {said(node.condition)} else {said(node.otherwise)})"
            case "Call":
                return f"{node.function}({' '.join(map(said, node.arguments))})"

    return said(parse(text))


@pytest.mark.parametrize(
    ("text", "read"),
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
def test_expressions_are_read_by_their_precedence(text, read):
    """Loose to tight: if, or, and, not, comparisons, sums, products, signs."""
    assert shape(text) == read


@pytest.mark.parametrize(
    ("text", "column", "said"),
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
        ("(a", 3, "expected `)`, the expression ends"),
        ("n(a", 4, "expected `)`"),
        ("a +", 4, "expected a value, the expression ends"),
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
def test_what_is_not_in_the_language_is_refused_with_the_column(text, column, said):
    """The column counts from 1, the reason says what should be there."""
    with pytest.raises(ExpressionError) as refused:
        parse(text)
    assert refused.value.at == column
    assert said in refused.value.reason


@pytest.mark.parametrize("text", ["__import__('os')", "open('x')", "eval('1')", "foo(1)", "n.x", "sum(1)"])
def test_there_are_no_functions_but_the_languages_own(text):
    """Nothing of Python can be reached."""
    with pytest.raises(ExpressionError):
        check(text, Surroundings())


@pytest.mark.parametrize(
    "text",
    ["(" * 100 + "a" + ")" * 100, "not " * 100 + "a", "-" * 100 + "1", "[" * 100 + "]" * 100, "n(" * 100 + "a" + ")" * 100,
     " + ".join(["1"] * 100), "a if b else " * 100 + "c"],
)  # fmt: skip
def test_a_hundred_levels_are_refused(text):
    """Depth is bounded however it comes about, and so is a row of terms."""
    with pytest.raises(ExpressionError, match=f"{DEEPEST}"):
        parse(text)


def test_size_is_bounded():
    """Length is bounded, and so is what definitions blow an expression up to."""
    with pytest.raises(ExpressionError, match="2,001 letters"):
        parse("a" * (LONGEST + 1))
    define = {f"d{number}": f"d{number + 1} and d{number + 1}" for number in range(20)} | {"d20": "true"}
    with pytest.raises(ExpressionError, match="2,000 parts"):
        check("d0", Surroundings(define=define))


def test_definitions_that_hang_on_each_other_for_long_are_refused():
    """A chain of definitions is depth, too."""
    define = {f"d{number}": f"not d{number + 1}" for number in range(500)} | {"d500": "true"}
    with pytest.raises(ExpressionError, match="40 definitions"):
        check("d0", Surroundings(define=define))
    deep = {f"d{number}": "not " * 30 + f"d{number + 1}" for number in range(5)} | {"d5": "true"}
    with pytest.raises(ExpressionError, match="80 deep"):
        check("d5 and d4 and d3 and d2 and d1 and d0", Surroundings(define=deep))


def test_long_flat_lists_are_fine():
    """A list of names may be as long as the text may be."""
    names = ", ".join(f"'card {number}'" for number in range(150))
    assert len(list(walk(parse(f"name in [{names}]")))) == 153


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n(a, b)", "`n` is written n(condition)"),
        ("total()", "`total` is written"),
        ("size(deck)", "wants its words in quotes"),
        ("len()", "`len` is written"),
        ("has(1)", "in quotes"),
        ("nn(a)", "there is no function `nn`; there are common, distinct"),
        ("n", "`n` needs brackets"),
    ],
)
def test_calls_are_checked_when_the_format_is_loaded(text, said):
    """Arguments are counted and quoted words are words."""
    with pytest.raises(ExpressionError) as refused:
        check(text, Surroundings())
    assert said in refused.value.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("faction == 'x'", "`faction` of which card?"),
        ("this.faction == 'x'", "there is no card here"),
        ("listed('x')", "of which card?"),
        ("printed(set == 'a')", "of which card?"),
        ("n(this.cost > 1)", "there is no card here"),
    ],
)
def test_a_condition_on_the_deck_has_no_card(text, said):
    """Where the whole deck is asked, only counts, sizes, the leader and settings make sense."""
    with pytest.raises(ExpressionError) as refused:
        check(text, DECK)
    assert said in refused.value.reason


@pytest.mark.parametrize(
    "text",
    ["n(faction == 'x') > 3", "size('deck') == 40 or leader.x == 3", "union(zone == 'hero', colours) == []",
     "len(common(basic, types)) > 0", "total(cost) + total(a, b) + distinct(name)", "n() == 3"],
)  # fmt: skip
def test_what_a_condition_on_the_deck_may_ask(text):
    """Inside a count there is a card again."""
    check(text, DECK)


def test_zones_lists_settings_and_the_leader_must_exist():
    """Names that only the format can know are checked against it."""
    around = Surroundings(
        zones=frozenset({"deck"}), lists=frozenset({"power"}), settings=frozenset({"goal"}), leader=False
    )
    for text, said in (
        ("size('dekc')", "there is no zone `dekc`; there are deck"),
        ("listed('powr')", "there is no list `powr`"),
        ("has('X', 'side')", "there is no zone `side`"),
        ("setting.goall", "there is no setting `goall`"),
        ("leader.x", "the format has no [leader]"),
    ):
        with pytest.raises(ExpressionError) as refused:
            check(text, around)
        assert said in refused.value.reason


def test_a_definition_that_needs_itself_is_refused():
    """Directly, or over others."""
    for define in ({"a": "a or b"}, {"a": "n(b)", "b": "not a"}):
        with pytest.raises(ExpressionError, match="defined by itself"):
            check("a", Surroundings(define=define))


def refusal(text):
    """Why an expression is refused, None if it is not."""
    try:
        check(text, Surroundings())
    except ExpressionError as fault:
        return fault
    return None


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    """No text makes the reader crash."""
    fault = refusal(text)
    assert fault is None or 1 <= fault.at <= len(text) + 1


PIECES = st.sampled_from(
    ["n(", "size('deck')", ")", "(", "[", "]", ",", "and", "or", "not", "in", "if", "else", "==", "<=", "+", "-", "*", "//",
     "%", "kind", "leader.x", "this.y", "'text'", "12", "none", "true", "total(", "union(", "printed(", "has('x')", ".", "'"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25))
def test_any_heap_of_words_is_read_or_refused(pieces):
    """Words of the language in any order, too."""
    fault = refusal(" ".join(pieces))
    assert fault is None or fault.reason
