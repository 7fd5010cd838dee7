"""A pool finds its cards by name, alias or id, and says what is blank and what nobody knows."""

import json

import pytest

from tourney.cards import NONE, UNKNOWN, Status, open_pool, parse_pool, unlisted
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


@pytest.mark.parametrize(
    "asked", ["Lim-Dûl's Vault", "lim-dul’s  VAULT", "The Vault", "the vault", "lim_duls_vault"]
)
def test_a_card_is_found_by_name_folded_name_alias_and_id(asked):
    """Whatever a player types that means the card finds the card."""
    cards = pool({"id": "lim_duls_vault", "name": "Lim-Dûl's Vault", "aliases": ["The Vault"]})
    assert cards.find(asked).name == "Lim-Dûl's Vault"
    assert asked in cards


def test_a_near_name_is_not_found_but_named():
    """A wrong letter never finds a card; the near name is there to be asked about."""
    cards = pool({"id": "a", "name": "Siege Hammer"})
    assert cards.find("Siege Hamer") is None
    assert "Siege Hamer" not in cards
    assert cards.near("Siege Hamer") == ("Siege Hammer",)


def test_the_name_as_written_comes_before_the_folded_one():
    """Where two names differ only in what folding forgives, each is found by its own spelling."""
    cards = pool({"id": "a", "name": "Sol"}, {"id": "b", "name": "SOL"}, {"id": "c", "name": "Söl"})
    assert [cards.find(name).id for name in ("Sol", "SOL", "Söl", "sol")] == ["a", "b", "c", "a"]
    assert [card.id for card in cards.find_all("sol")] == ["a", "b", "c"]


def test_a_name_comes_before_an_alias_of_another_card():
    """An alias never hides a card's own name."""
    cards = pool({"id": "a", "name": "Fire", "aliases": ["Ice"]}, {"id": "b", "name": "Ice"})
    assert cards.find("ice").id == "b"


def test_blank_is_not_unknown():
    """What is not written is none in a complete pool and unknown in an open one; null says none in both."""
    card = {"id": "a", "name": "A", "cost": 3, "faction": None, "unknown": ["unique"]}
    closed, open_ = pool(card).find("A"), pool(card, complete=False).find("A")
    assert (closed.get("cost"), open_.get("cost")) == (3, 3)
    assert (closed.get("kind"), open_.get("kind")) == (NONE, UNKNOWN)
    assert (closed.get("faction"), open_.get("faction")) == (NONE, NONE)
    assert (closed.get("unique"), open_.get("unique")) == (UNKNOWN, UNKNOWN)


def test_values_keep_their_types():
    """Text, whole and broken numbers, flags and lists come out as they were declared; a word alone is a list of one."""
    card = pool(
        {"id": "a", "name": "A", "kind": "unit", "cost": 2.5, "unique": False, "faction": "red"}
    ).find("A")
    assert (card.get("kind"), card.get("cost") * 2, card.get("unique")) == ("unit", 5, False)
    assert card.get("faction") == ("red",)
    assert (card.get("name"), card.get("id"), card.get("set")) == ("A", "a", "core")


def test_an_empty_text_is_a_blank():
    """`""` in a card's line says that the card has none, as `null` does."""
    card = pool(
        {"id": "a", "name": "A", "kind": "", "pitch": "", "faction": ["", "red"]}, complete=False
    ).find("A")
    assert (card.get("kind"), card.get("pitch"), card.get("faction")) == (NONE, NONE, ("red",))


def test_declared_facts_fill_gaps_and_overrule_nothing():
    """A fact from the list counts where the pool knows nothing; what the pool knows stays."""
    card = pool({"id": "a", "name": "A", "cost": 3}, complete=False).find("A")
    told = card.with_facts({"cost": 1, "kind": "unit"})
    assert (told.get("cost"), told.get("kind"), card.get("kind")) == (3, "unit", UNKNOWN)
    assert card.overridden({"cost": 1}).get("cost") == 1


def test_counts_as_leads_to_the_other_card():
    """Copies of a card that counts as another are that other's copies."""
    cards = pool({"id": "a", "name": "Rat"}, {"id": "b", "name": "Golden Rat", "counts_as": "rat"})
    assert cards.counted_as(cards.find("Golden Rat")).id == "a"
    assert cards.counted_as(cards.find("Rat")).id == "a"


def test_printings_say_which_version_may_be_played():
    """A printing is found by set and number; the best status counts where several fit."""
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


def test_sets_with_cards_are_those_of_a_file_and_of_printings_that_may_be_played():
    """A set that `pool.toml` only describes has none, and neither has one of which there are old versions alone."""
    head = 'game = "invented"\ncomplete = true\n' + "".join(
        f"[sets.{code}]\n" for code in ("core", "new", "old", "planned")
    )
    printings = [{"set": "new"}, {"set": "old", "status": "outdated"}]
    lines = json.dumps({"id": "a", "name": "A", "printings": printings})
    cards = parse_pool(head, {"core": lines, "empty": "\n"}, source="pool.toml")
    assert set(cards.sets) == {"core", "new", "old", "planned", "empty"}
    assert cards.sets_with_cards == ("core", "new")


def test_an_attribute_can_be_unknown_of_every_card_of_a_complete_pool():
    """Unless the card's line has it."""
    head = 'game = "invented"\ncomplete = true\n[attributes]\ncost = { type = "number", unknown = true }\nkind = "text"\n'
    lines = "\n".join(
        json.dumps(card) for card in ({"name": "A"}, {"name": "B", "cost": 2}, {"name": "C", "cost": None})
    )
    cards = parse_pool(head, {"core": lines}, source="pool.toml")
    assert [card.get("cost") for card in cards] == [UNKNOWN, 2, NONE]
    assert cards.find("A").get("kind") is NONE
    assert cards.find("A").with_facts({"cost": 3}).get("cost") == 3


def test_a_card_with_outdated_printings_only_is_outdated():
    """The status of a card is the best among its printings."""
    cards = pool({"id": "a", "name": "A", "printings": [{"set": "x", "status": "outdated"}]})
    assert cards.find("A").status is Status.OUTDATED


def test_a_card_no_pool_lists_is_unknown_in_everything_but_its_name():
    """An unlisted card has a name and nothing else."""
    card = unlisted("Siege Hammer")
    assert (card.get("name"), card.get("kind"), card.listed) == ("Siege Hammer", UNKNOWN, False)


def test_an_empty_open_pool_knows_nothing_and_refuses_nothing():
    """A game without cards still has a pool."""
    cards = open_pool('ga"me')
    assert (len(cards), cards.complete, cards.game, cards.find("A")) == (0, False, 'ga"me', None)


def test_sets_are_read_in_the_order_of_their_codes_whatever_their_line_ends():
    """Byte-order marks, CRLF and blank lines are no cards; the order of the files does not matter."""
    cards = pool(
        core=b'\xef\xbb\xbf{"id":"b","name":"B"}\r\n\r\n{"id":"c","name":"C"}\r\n',
        alpha='{"id":"a","name":"A"}',
    )
    assert [card.name for card in cards] == ["A", "B", "C"]
    assert [card.place for card in cards] == ["alpha.jsonl:1", "core.jsonl:1", "core.jsonl:3"]
    assert len(cards) == 3


def test_the_digest_changes_with_any_byte_and_not_with_the_order_of_the_files():
    """Two pools are the same pool only if all their files are."""
    one = pool(a='{"id":"a","name":"A"}', b="")
    same = pool(b="", a='{"id":"a","name":"A"}')
    other = pool(a="", b='{"id":"a","name":"A"}')
    assert one.digest == same.digest
    assert one.digest != other.digest


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "core.jsonl:1: not readable as JSON: input data was truncated"),
        ('{"id": "a"}', "core.jsonl:1: the key `name` is missing"),
        ('{"name": 7}', "core.jsonl:1: name: expected text, found a whole number"),
        ("[]", "core.jsonl:1: expected a table, found a list"),
        ('{"name": "\xff"}', "core.jsonl:1: not readable as JSON"),
    ],
)
def test_a_line_that_is_no_card_is_refused_with_file_and_line(line, said):
    """A damaged pool is refused when it is loaded, with the place."""
    with pytest.raises(TourneyError) as refusal:
        pool(core=line.encode("latin-1"))
    assert refusal.value.message.startswith(said)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"cost": "3"}, "core.jsonl:1: cost: expected a number, found text"),
        ({"cost": True}, "core.jsonl:1: cost: expected a number, found true or false"),
        ({"kind": "creature"}, "core.jsonl:1: kind: `creature` is not one of unit, spell"),
        ({"unique": 1}, "core.jsonl:1: unique: expected true or false, found a number"),
        ({"faction": [1]}, "core.jsonl:1: faction: expected a list of texts, found a list"),
        ({"other": {}}, "core.jsonl:1: other: expected text, a number, true or false or a list of texts"),
        (
            {"printings": [{"status": "old"}]},
            "core.jsonl:1: printings: `old` is not a status; there are `current`",
        ),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_when_the_card_is_asked_for(value, said):
    """A wrong value names file, line and attribute, and what was expected."""
    with pytest.raises(TourneyError) as refusal:
        pool({"id": "a", "name": "A", **value}).find("A")
    assert refusal.value.message.startswith(said)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('game = "g"', "pool.toml: the key `complete` is missing"),
        ('game = "g"\ncomplete = "yes"', "pool.toml: complete: expected true or false, found text"),
        ('game = "g"\ncomplete = true\nkey = "set"', "pool.toml: key: "),
        (
            'game = "g"\ncomplete = true\n[attributes]\na = "colour"',
            "pool.toml: attributes.a: `colour` is not a type",
        ),
        (
            'game = "g"\ncomplete = true\n[attributes]\nname = "text"',
            "pool.toml: attributes.name: every card line",
        ),
        ("game = ", "pool.toml: not readable as TOML"),
    ],
)
def test_a_faulty_pool_file_is_refused_with_its_key(head, said):
    """The fault is told with file and key path."""
    with pytest.raises(TourneyError) as refusal:
        parse_pool(head, {}, source="pool.toml")
    assert refusal.value.message.startswith(said)


def test_a_large_pool_decodes_only_what_is_asked_for():
    """Of many cards only those asked for are decoded: a wrong value elsewhere does not matter until then."""
    cards = [{"id": str(n), "name": f"Card {n}", "cost": "wrong"} for n in range(2_000)]
    cards[700]["cost"] = 7
    found = pool(*cards)
    assert found.find("card 700").get("cost") == 7
    with pytest.raises(TourneyError, match=r"^core\.jsonl:702: cost"):
        found.find("Card 701")
