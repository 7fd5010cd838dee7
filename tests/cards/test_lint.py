"""`lint_pool` reports every problem of a pool with its place."""

import json

from tests.kit import with_rows
from tourney.cards import lint_pool
from tourney.errors import Severity

HEAD = (
    'game = "g"\ncomplete = true\nkey = "{key}"\n[attributes]\ncost = "number"\n[sets.core]\nname = "Core"\n'
)


def lint(*cards, key="name"):
    lines = "\n".join(card if isinstance(card, str) else json.dumps(card) for card in cards)
    return lint_pool(HEAD.format(key=key), {"core": lines}, source="pool.toml")


def test_finds_nothing_in_a_sound_pool():
    cards = [
        {"id": "a", "name": "A", "cost": 1, "aliases": ["Alpha"], "printings": [{"set": "CORE"}]},
        {"id": "b", "name": "B", "cost": None, "counts_as": "alpha"},
    ]
    assert lint(*cards) == ()


@with_rows(
    ("rule", "cards", "message"),
    [
        (
            "id",
            [{"id": "a", "name": "A"}, {"id": "a", "name": "B"}],
            "core.jsonl:2: the id `a` is taken by A (core.jsonl:1)",
        ),
        (
            "name",
            [{"id": "a", "name": "A"}, {"id": "b", "name": "A"}],
            "core.jsonl:2: `A` is taken by A (core.jsonl:1)",
        ),
        (
            "name",
            [{"id": "a", "name": "A"}, {"id": "b", "name": "B", "aliases": ["A"]}],
            "core.jsonl:2: `A` is taken by A (core.jsonl:1)",
        ),
        (
            "name",
            [{"id": "a", "name": "A", "aliases": ["a"]}],
            "core.jsonl:1: the alias `a` repeats the card's name",
        ),
        (
            "folded",
            [{"id": "a", "name": "Élan"}, {"id": "b", "name": "ELAN"}],
            "core.jsonl:2: a list cannot distinguish `ELAN` from `Élan` of Élan (core.jsonl:1): case",
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
def test_reports_a_problem_with_its_place(rule, cards, message):
    (finding,) = lint(*cards)
    assert finding.rule == rule
    assert finding.message.startswith(message)


def test_reports_all_problems_at_once():
    rules = [
        finding.rule for finding in lint("{", {"id": "a", "name": "A", "kost": 1}, {"id": "a", "name": "a"})
    ]
    assert rules == ["card-line", "attribute", "id", "folded"]


def test_cards_identified_by_id_may_share_a_name():
    assert lint({"id": "a", "name": "A"}, {"id": "b", "name": "A"}, key="id") == ()
    assert [
        finding.rule for finding in lint({"id": "a", "name": "A"}, {"id": "a", "name": "A"}, key="id")
    ] == ["id"]


def test_a_repeated_alias_is_advice_only():
    (finding,) = lint({"id": "a", "name": "A", "aliases": ["a"]})
    assert finding.severity is Severity.ADVICE


def test_a_faulty_pool_file_is_the_only_finding():
    (finding,) = lint_pool("game = 1", {"core": "{"}, source="pool.toml")
    assert (finding.rule, finding.message) == (
        "pool-file",
        "pool.toml: game: expected text, found a whole number",
    )
