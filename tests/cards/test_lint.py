"""`lint_pool` tells every fault of a pool at once, each with its place."""

import json

import pytest

from tourney.cards.lint import lint_pool
from tourney.errors import Severity

HEAD = (
    'game = "g"\ncomplete = true\nkey = "{key}"\n[attributes]\ncost = "number"\n[sets.core]\nname = "Core"\n'
)


def found(*cards, key="name"):
    lines = "\n".join(card if isinstance(card, str) else json.dumps(card) for card in cards)
    return lint_pool(HEAD.format(key=key), {"core": lines}, source="pool.toml")


def test_a_sound_pool_has_no_findings():
    """Unique ids, names and aliases, declared attributes, described sets: nothing to say."""
    cards = [
        {"id": "a", "name": "A", "cost": 1, "aliases": ["Alpha"], "printings": [{"set": "CORE"}]},
        {"id": "b", "name": "B", "cost": None, "counts_as": "alpha"},
    ]
    assert found(*cards) == ()


@pytest.mark.parametrize(
    ("rule", "cards", "said"),
    [
        (
            "id",
            [{"id": "a", "name": "A"}, {"id": "a", "name": "B"}],
            "core.jsonl:2: the id `a` is taken by A",
        ),
        (
            "name",
            [{"id": "a", "name": "A"}, {"id": "b", "name": "A"}],
            "core.jsonl:2: `A` is taken by A (core.jsonl:1)",
        ),
        (
            "name",
            [{"id": "a", "name": "A"}, {"id": "b", "name": "B", "aliases": ["A"]}],
            "core.jsonl:2: `A` is taken",
        ),
        (
            "name",
            [{"id": "a", "name": "A", "aliases": ["a"]}],
            "core.jsonl:1: `a` says the card's name again",
        ),
        (
            "folded",
            [{"id": "a", "name": "Élan"}, {"id": "b", "name": "ELAN"}],
            "core.jsonl:2: `ELAN` cannot be told",
        ),
        (
            "attribute",
            [{"id": "a", "name": "A", "kost": 1}],
            "core.jsonl:1: A: the pool declares no attribute `kost`",
        ),
        (
            "attribute",
            [{"id": "a", "name": "A", "unknown": ["x"]}],
            "core.jsonl:1: A: the pool declares no attribute",
        ),
        (
            "counts-as",
            [{"id": "a", "name": "A", "counts_as": "Z"}],
            "core.jsonl:1: A: counts as `Z`, which is not a card",
        ),
        (
            "set",
            [{"id": "a", "name": "A", "printings": [{"set": "x"}]}],
            "core.jsonl:1: A: pool.toml does not describe",
        ),
        (
            "card-line",
            [{"id": "a", "name": "A", "cost": "1"}],
            "core.jsonl:1: cost: expected a number, found text",
        ),
        ("card-line", ["{"], "core.jsonl:1: not readable as JSON"),
    ],
)
def test_each_fault_is_told_with_its_place(rule, cards, said):
    """One fault, one finding: the rule, the file and line, and what is wrong."""
    (finding,) = found(*cards)
    assert finding.rule == rule
    assert finding.message.startswith(said)


def test_all_faults_are_told_at_once():
    """A damaged line does not hide the faults of the others."""
    rules = [each.rule for each in found("{", {"id": "a", "name": "A", "kost": 1}, {"id": "a", "name": "a"})]
    assert rules == ["card-line", "attribute", "id", "folded"]


def test_shared_names_are_fine_where_ids_tell_cards_apart():
    """With `key = "id"` several cards may have one name; ids still must differ."""
    assert found({"id": "a", "name": "A"}, {"id": "b", "name": "A"}, key="id") == ()
    assert [each.rule for each in found({"id": "a", "name": "A"}, {"id": "a", "name": "A"}, key="id")] == [
        "id"
    ]


def test_what_is_untidy_is_advice_and_what_is_wrong_is_an_error():
    """A repeated alias breaks nothing."""
    (finding,) = found({"id": "a", "name": "A", "aliases": ["a"]})
    assert finding.severity is Severity.ADVICE


def test_a_faulty_pool_file_is_one_finding():
    """Without a readable head nothing else can be said."""
    (finding,) = lint_pool("game = 1", {"core": "{"}, source="pool.toml")
    assert (finding.rule, finding.message) == (
        "pool-file",
        "pool.toml: game: expected text, found a whole number",
    )
