"""A pool finds cards by name, alias or id, and distinguishes none from unknown."""

import json

import pytest

from tests.kit import with_rows
from tourney.cards import NONE, UNKNOWN, Status, open_pool, parse_pool, unlisted_card
from tourney.errors import TourneyError

HEAD = """
game = "game"
complete = {complete}
[attributes]
kind = {{ type = "text", values = ["unit", "spell"] }}
cost = "number"
unique = "flag"
faction = "list"
"""


def pool(*cards, complete=True, head=HEAD, **sets):
    lines = {"core": "\n".join(json.dumps(card) for card in cards), **sets}
    return parse_pool(head.format(complete=str(complete).lower()), lines, source="pool.toml")


@with_rows("name", ["Lim-Dûl's Vault", "lim-dul’s  VAULT", "The Vault", "the vault", "lim_duls_vault"])
def test_finds_a_card_by_name_folded_name_alias_and_id(name):
    cards = pool({"id": "lim_duls_vault", "name": "Lim-Dûl's Vault", "aliases": ["The Vault"]})
    assert cards.find(name).name == "Lim-Dûl's Vault"
    assert name in cards


def test_does_not_find_a_near_name_but_suggests_it():
    cards = pool({"id": "a", "name": "Siege Hammer"})
    assert cards.find("Siege Hamer") is None
    assert "Siege Hamer" not in cards
    assert cards.near("Siege Hamer") == ("Siege Hammer",)


def test_prefers_the_name_as_written_to_the_folded_name():
    cards = pool({"id": "a", "name": "Sol"}, {"id": "b", "name": "SOL"}, {"id": "c", "name": "Söl"})
    assert [cards.find(name).id for name in ("Sol", "SOL", "Söl", "sol")] == ["a", "b", "c", "a"]
    assert [card.id for card in cards.find_all("sol")] == ["a", "b", "c"]


def test_prefers_a_name_to_the_alias_of_another_card():
    cards = pool({"id": "a", "name": "Fire", "aliases": ["Ice"]}, {"id": "b", "name": "Ice"})
    assert cards.find("ice").id == "b"


def test_a_missing_attribute_is_none_in_a_complete_pool_and_unknown_in_an_open_one():
    """`null` means none in both."""
    card = {"id": "a", "name": "A", "cost": 3, "faction": None, "unknown": ["unique"]}
    closed, open_ = pool(card).find("A"), pool(card, complete=False).find("A")
    assert (closed.get("cost"), open_.get("cost")) == (3, 3)
    assert (closed.get("kind"), open_.get("kind")) == (NONE, UNKNOWN)
    assert (closed.get("faction"), open_.get("faction")) == (NONE, NONE)
    assert (closed.get("unique"), open_.get("unique")) == (UNKNOWN, UNKNOWN)


def test_values_have_their_declared_types():
    """A text for a list is a list of one."""
    card = pool(
        {"id": "a", "name": "A", "kind": "unit", "cost": 2.5, "unique": False, "faction": "red"}
    ).find("A")
    assert (card.get("kind"), card.get("cost") * 2, card.get("unique")) == ("unit", 5, False)
    assert card.get("faction") == ("red",)
    assert (card.get("name"), card.get("id"), card.get("set")) == ("A", "a", "core")


def test_an_empty_text_means_none():
    card = pool(
        {"id": "a", "name": "A", "kind": "", "pitch": "", "faction": ["", "red"]}, complete=False
    ).find("A")
    assert (card.get("kind"), card.get("pitch"), card.get("faction")) == (NONE, NONE, ("red",))


def test_facts_fill_unknown_attributes_only():
    """Errata replace what the pool has."""
    card = pool({"id": "a", "name": "A", "cost": 3}, complete=False).find("A")
    filled = card.with_facts({"cost": 1, "kind": "unit"})
    assert (filled.get("cost"), filled.get("kind"), card.get("kind")) == (3, "unit", UNKNOWN)
    assert card.with_errata({"cost": 1}).get("cost") == 1


def test_a_card_can_count_as_another():
    cards = pool({"id": "a", "name": "Rat"}, {"id": "b", "name": "Golden Rat", "counts_as": "rat"})
    assert cards.counted_as(cards.find("Golden Rat")).id == "a"
    assert cards.counted_as(cards.find("Rat")).id == "a"


def test_finds_a_printing_by_set_and_number():
    """Of several, the one with the best status."""
    printings = [
        {"set": "old", "number": "7", "status": "outdated", "id": "01007"},
        {"set": "new", "number": "12"},
        {"set": "new", "number": "13", "status": "misprint", "note": "wrong cost"},
    ]
    cards = pool({"id": "a", "name": "A", "printings": printings})
    card = cards.find("A")
    assert card.printing("OLD").status is Status.OUTDATED
    assert card.printing("new").status is Status.CURRENT
    assert card.printing("new", "13").status is Status.MISPRINT
    assert card.printing("new", "99") is None
    assert card.printing("third") is None
    assert card.status is Status.CURRENT
    assert cards.find("01007") is card
    assert card.printing("old").get("status") == "outdated"


def test_sets_with_cards_have_a_file_with_cards_or_a_current_printing():
    head = 'game = "invented"\ncomplete = true\n' + "".join(
        f"[sets.{code}]\n" for code in ("core", "new", "old", "planned")
    )
    printings = [{"set": "new"}, {"set": "old", "status": "outdated"}]
    lines = json.dumps({"id": "a", "name": "A", "printings": printings})
    cards = parse_pool(head, {"core": lines, "empty": "\n"}, source="pool.toml")
    assert set(cards.sets) == {"core", "new", "old", "planned", "empty"}
    assert cards.sets_with_cards == ("core", "new")


def test_an_attribute_can_be_unknown_in_a_complete_pool():
    """A value in the card's line still counts."""
    head = (
        'game = "invented"\ncomplete = true\n'
        '[attributes]\ncost = { type = "number", unknown = true }\nkind = "text"\n'
    )
    lines = "\n".join(
        json.dumps(card) for card in ({"name": "A"}, {"name": "B", "cost": 2}, {"name": "C", "cost": None})
    )
    cards = parse_pool(head, {"core": lines}, source="pool.toml")
    assert [card.get("cost") for card in cards] == [UNKNOWN, 2, NONE]
    assert cards.find("A").get("kind") is NONE
    assert cards.find("A").with_facts({"cost": 3}).get("cost") == 3


def test_a_card_with_only_outdated_printings_is_outdated():
    cards = pool({"id": "a", "name": "A", "printings": [{"set": "x", "status": "outdated"}]})
    assert cards.find("A").status is Status.OUTDATED


def test_only_the_name_of_an_unlisted_card_is_known():
    card = unlisted_card("Siege Hammer")
    assert (card.get("name"), card.get("kind"), card.is_listed) == ("Siege Hammer", UNKNOWN, False)


def test_an_open_pool_can_be_empty():
    cards = open_pool('ga"me')
    assert (len(cards), cards.complete, cards.game, cards.find("A")) == (0, False, 'ga"me', None)


def test_reads_sets_in_the_order_of_their_codes():
    """Byte-order marks, CRLF and empty lines are not cards."""
    cards = pool(
        core=b'\xef\xbb\xbf{"id":"b","name":"B"}\r\n\r\n{"id":"c","name":"C"}\r\n',
        alpha='{"id":"a","name":"A"}',
    )
    assert [card.name for card in cards] == ["A", "B", "C"]
    assert [card.place for card in cards] == ["alpha.jsonl:1", "core.jsonl:1", "core.jsonl:3"]
    assert len(cards) == 3


def test_the_digest_does_not_depend_on_the_order_of_the_files():
    """It changes with any byte, and with the file that has it."""
    one = pool(a='{"id":"a","name":"A"}', b="")
    same = pool(b="", a='{"id":"a","name":"A"}')
    other = pool(a="", b='{"id":"a","name":"A"}')
    assert one.digest == same.digest
    assert one.digest != other.digest


@with_rows(
    ("line", "message"),
    [
        ("{", "core.jsonl:1: not readable as JSON: input data was truncated"),
        ('{"id": "a"}', "core.jsonl:1: the key `name` is missing"),
        ('{"name": 7}', "core.jsonl:1: name: expected text, found a whole number"),
        ("[]", "core.jsonl:1: expected a table, found a list"),
        ('{"name": "\xff"}', "core.jsonl:1: not readable as JSON"),
    ],
)
def test_loading_rejects_a_line_that_is_not_a_card(line, message):
    with pytest.raises(TourneyError) as refusal:
        pool(core=line.encode("latin-1"))
    assert refusal.value.message.startswith(message)


@with_rows(
    ("value", "message"),
    [
        ({"cost": "3"}, "core.jsonl:1: cost: expected a number, found text"),
        ({"cost": True}, "core.jsonl:1: cost: expected a number, found true or false"),
        ({"kind": "creature"}, "core.jsonl:1: kind: `creature` is not one of unit, spell"),
        ({"unique": 1}, "core.jsonl:1: unique: expected true or false, found a number"),
        ({"faction": [1]}, "core.jsonl:1: faction: expected a list of texts, found a list"),
        ({"other": {}}, "core.jsonl:1: other: expected text, a number, true or false or a list of texts"),
        (
            {"printings": [{"status": "old"}]},
            "core.jsonl:1: printings: unknown status `old`; choose from `current`",
        ),
    ],
)
def test_finding_a_card_rejects_a_value_of_the_wrong_type(value, message):
    with pytest.raises(TourneyError) as refusal:
        pool({"id": "a", "name": "A", **value}).find("A")
    assert refusal.value.message.startswith(message)


@with_rows(
    ("head", "message"),
    [
        ('game = "g"', "pool.toml: the key `complete` is missing"),
        ('game = "g"\ncomplete = "yes"', "pool.toml: complete: expected true or false, found the text `yes`"),
        ('game = "g"\ncomplete = true\nkey = "set"', "pool.toml: key: "),
        (
            'game = "g"\ncomplete = true\n[attributes]\na = "colour"',
            "pool.toml: attributes.a: unknown type `colour`; choose from `text`",
        ),
        (
            'game = "g"\ncomplete = true\n[attributes]\nname = "text"',
            "pool.toml: attributes.name: every card's line",
        ),
        ("game = ", "pool.toml: not readable as TOML"),
    ],
)
def test_rejects_a_faulty_pool_file_with_the_key(head, message):
    with pytest.raises(TourneyError) as refusal:
        parse_pool(head, {}, source="pool.toml")
    assert refusal.value.message.startswith(message)


def test_decodes_only_the_cards_that_are_found():
    """A wrong value in another card does not matter."""
    cards = [{"id": str(number), "name": f"Card {number}", "cost": "wrong"} for number in range(2_000)]
    cards[700]["cost"] = 7
    large = pool(*cards)
    assert large.find("card 700").get("cost") == 7
    with pytest.raises(TourneyError, match=r"^core\.jsonl:702: cost"):
        large.find("Card 701")
