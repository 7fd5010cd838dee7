"""Any file is read, or refused with a message."""

import json

import pytest
import tomli_w
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from tests.kit import examples, with_rows
from tourney.cards import SHAPES, import_cards, lint_pool, open_pool, parse_pool, parse_schema, read_table
from tourney.errors import Severity, TourneyError

quick = examples(37, of=150, suppress_health_check=[HealthCheck.too_slow])

HEAD = (
    'game = "g"\ncomplete = true\n'
    '[attributes]\nkind = "text"\ncost = "number"\nflag = "flag"\nwords = "list"\n'
)
words = st.text(max_size=12)
plain = st.none() | st.booleans() | st.integers() | st.floats() | words
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=6
)
keys = st.sampled_from(
    [
        "id",
        "name",
        "aliases",
        "counts_as",
        "printings",
        "unknown",
        "note",
        "kind",
        "cost",
        "flag",
        "words",
        "x",
    ]
)
cards = st.dictionaries(keys, values, max_size=8)
lines = st.lists(cards.map(json.dumps) | words, max_size=6).map("\n".join)


@quick
@given(lines | st.binary(max_size=60))
@example('{"name": "A", "printings": [{"status": 1}]}')
@example('{"name": "A", "printings": [{"set": []}]}')
@example('{"name": "A", "printings": [{"status": {}}]}')
@example('{"name": "A", "printings": [{"status": ["current"]}]}')
@example('{"name": "A", "printings": [{"rarity": {"a": 1}}]}')
@example('{"name": "", "aliases": [""]}')
@example('{"name": "A", "cost": 1e999}')
def test_any_set_file_is_read_or_refused(text):
    """`lint_pool` always returns, and every lookup returns cards or refuses."""
    findings = lint_pool(HEAD, {"core": text}, source="pool.toml")
    refused = refusal_of(lambda: ask_everything(parse_pool(HEAD, {"core": text}, source="pool.toml")))
    assert bool(refused) == any(finding.rule == "card-line" for finding in findings), refused


def ask_everything(pool):
    """Look up every card in every way."""
    for name in [*pool.names(), "no such card", "7"]:
        pool.find(name)
        pool.find_all(name)
    return list(pool)


def refusal_of(work):
    """Return the message with which `work` refuses; None if it does not. Other exceptions pass."""
    try:
        work()
    except TourneyError as refusal:
        return refusal.message
    return None


@quick
@given(st.text(max_size=200))
@example("game = 1979-05-27")
@example("[attributes]\na = {}")
def test_any_pool_file_is_read_or_refused(text):
    refused = refusal_of(lambda: parse_schema(text, source="pool.toml"))
    assert refused is None or refused.startswith("pool.toml: ")


SCHEMA = parse_schema(HEAD, source="pool.toml")
rows = st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=5)


def table(rows, delimiter):
    return "name" + delimiter + "\n".join(delimiter.join(row) for row in rows)


@quick
@given(
    st.sampled_from(sorted(SHAPES.values())),
    st.text(max_size=200)
    | rows.map(lambda cells: table(cells, ","))
    | rows.map(lambda cells: table(cells, "\t"))
    | st.lists(cards, max_size=4).map(json.dumps),
    st.booleans(),
)  # fmt: skip
@example("json", '[{"name": "A", "printings": [{"status": 1}]}]', True)
@example("csv", 'name\n"', False)
@example("csv", "name,?\nA,?\n", True)
@example("json", '[{"name": "A", "cost": 1e400}]', False)
@example("json", '[{"name": "A", "printings": [{"set": 0.5, "x": [1.5]}]}]', True)
@example("json", '[{"name": "A", "printings": [{"x": {"y": 0.5}}]}]', True)
def test_an_import_of_any_table_has_no_errors_for_lint_pool(shape, text, has_pool):
    results = []
    schema = SCHEMA if has_pool else None
    refused = refusal_of(
        lambda: results.append(import_cards(read_table(text, shape, source="x"), schema, source="x"))
    )
    if refused:
        assert refused.startswith("x: ")
        return
    (result,) = results
    kinds = {name: attribute.kind.value for name, attribute in result.attributes.items()}
    head = HEAD if has_pool else tomli_w.dumps({"game": "g", "complete": True, "attributes": kinds})
    written = "".join(json.dumps(card) + "\n" for card in result.cards)
    errors = [
        finding.message
        for finding in lint_pool(head, {"core": written}, source="pool.toml")
        if finding.severity is Severity.ERROR
    ]
    assert errors == []


@with_rows("depth", [50, 100_000])
def test_rejects_deep_nesting(depth):
    with pytest.raises(TourneyError, match=r"^core\.jsonl:1: "):
        list(
            parse_pool(
                HEAD, {"core": '{"name": "A", "x": ' + "[" * depth + "]" * depth + "}"}, source="pool.toml"
            )
        )


def test_an_open_pool_can_have_any_name():
    """Quotation marks, control characters and accents are allowed."""
    for game in ('a"b', "a\\b", "a\nb", "é", "a\u0085b"):
        assert open_pool(game).game == game
