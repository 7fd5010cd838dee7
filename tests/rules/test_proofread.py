"""Words that nothing has: told with their place where the pool is complete; no false alarms. All cards are invented."""

import pytest

from tests.games.test_formats import FORMATS, LIBRARY
from tests.official import netrunner
from tests.rules.kit import format_of, pool_of
from tourney.cards import parse_pool
from tourney.errors import Severity, TourneyError
from tourney.rules.proofread import refuse_misspelt, remarks_on

CARDS = {
    "Ant": {"type": "Event", "tags": ["small", "six legs"], "cost": 1, "basic": True, "printings": [{"set": "core", "rarity": "rare"}]},
    "Bee": {"type": "Unit", "tags": ["small"], "faction": "red", "aliases": ["Hornet"], "printings": [{"set": "sky", "rarity": "common"}]},
    "Cat": {"type": "Unit", "faction": "blue", "text": "purrs out loud"},
}  # fmt: skip
TYPES = {"rank": "text"}
ZONES = "[[zone]]\nid = 'deck'\ndefault = true\n[[zone]]\nid = 'side'\n[settings.side]\ndefault = 'a'\nchoices = ['a', 'b']\n"


def told(text, *, complete=True, cards=CARDS, **pool):
    pool = pool_of(cards, complete=complete, attributes=pool.pop("attributes", TYPES), **pool)
    return list(remarks_on(format_of(ZONES + text), pool))


def require(that):
    return f'[[require]]\nid = "it"\nwhere = "true"\nthat = "{that}"\n'


@pytest.mark.parametrize(
    ("that", "said"),
    [
        ("type == 'Eventt'", "column 9: no card of the pool has the type `Eventt`; did you mean `Event`?"),
        ("'Eventt' != type", "column 1: no card of the pool has the type `Eventt`; did you mean `Event`?"),
        ("type in ['Event', 'Unitt']", "column 19: no card of the pool has the type `Unitt`; did you mean `Unit`?"),
        ("type not in ['Evnt']", "column 14: no card of the pool has the type `Evnt`; did you mean `Event`?"),
        ("'smal' in tags", "column 1: no card of the pool has the tags `smal`; did you mean `small`?"),
        ("'barks' in text", "column 1: no card of the pool has the text `barks`; there are purrs out loud"),
        ("this.faction == 'green'", "column 17: no card of the pool has the faction `green`; there are blue, red"),
        ("n(type == 'unitt') > 0", "column 11: no card of the pool has the type `unitt`; did you mean `Unit`?"),
        ("total(type == 'unitt', cost) > 0", "column 15: no card of the pool has the type `unitt`; did you mean `Unit`?"),
        ("common(tags, ['smal'])", "column 15: no card of the pool has the tags `smal`; did you mean `small`?"),
        ("subset(['smal'], tags)", "column 9: no card of the pool has the tags `smal`; did you mean `small`?"),
        ("'redd' in union(basic, faction)", "column 1: no card of the pool has the faction `redd`; did you mean `red`?"),
        ("cost == 'one'", "column 9: `cost` is a number, never `one`"),
        ("name == 'Antt'", "column 9: `Antt` is not a card of the pool; did you mean Ant?"),
        ("name in ['Bee', 'Hornett']", "column 17: `Hornett` is not a card of the pool; did you mean Hornet?"),
        ("has('Antt')", "column 5: `Antt` is not a card of the pool; did you mean Ant?"),
        ("printed(raritty == 'rare')", "column 9: the pool's printings have no `raritty`; did you mean `rarity`?"),
        ("printed(rarity == 'raree')", "column 19: no printing of the pool has the rarity `raree`; did you mean `rare`?"),
        ("printed(set in ['core', 'skyy'])", "column 25: no printing of the pool has the set `skyy`; did you mean `sky`?"),
        ("printed(status == 'outdate')", "column 19: no printing of the pool has the status `outdate`; did you mean `outdated`?"),
        ("zone == 'sidee'", "column 9: there is no zone `sidee`; did you mean `side`?"),
        ("setting.side == 'c'", "column 17: `c` is not a choice of `setting.side`; there are a, b"),
        ("basic or type == 'Eventt' and cost > 1", "column 18: no card of the pool has the type `Eventt`; did you mean `Event`?"),
    ],
)  # fmt: skip
def test_a_word_that_nothing_has_is_told(that, said):
    """With file, key path and column, and with what may have been meant."""
    found = told(require(that))
    assert [each.message for each in found] == [f"format.toml: require[0].that: {said}: `{that}`"]
    assert found[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    "that",
    [
        "type == 'EVENT'", "type in ['event', 'Unit']", "'out loud' in text", "'six legs' in tags", "tags == ['small']",
        "name == 'Hornet'", "has('hornet')", "printed(set == 'core' and rarity == 'rare')", "printed(status == 'misprint')", "zone == 'side'",
        "setting.side == 'b'", "faction == none", "cost == 7", "name != this.name", "printed(number == 7)", "id == 'ant'", "set == 'core'",
    ],
)  # fmt: skip
def test_what_cards_have_is_not_told(that):
    """Case and accents do not matter, parts of a text do; numbers may be any."""
    assert told(require(that)) == []


def test_an_open_pool_says_nothing_of_cards():
    """Its cards may not all be listed yet; a zone or a choice of the format itself is still told."""
    text = "".join(
        require(that).replace('"it"', f'"it-{number}"')
        for number, that in enumerate(
            (
                "type == 'Eventt'",
                "printed(raritty == 'rare')",
                "name == 'Antt'",
                "rank == 'high'",
                "cost == 'one'",
            )
        )
    )
    assert told(text, complete=False) == []
    assert len(told(text + require("zone == 'sidee'"), complete=False)) == 1


def test_words_that_a_pool_declares_or_errata_give_are_words():
    """A declared value that no card has yet, an attribute whose words are open, what an override sets."""
    types = 'type = { type = "text", values = ["Event", "Unit", "Relic"] }\nfaction = { type = "text", open = true }\n'
    pool = parse_pool(
        f'game = "invented"\ncomplete = true\n[attributes]\n{types}',
        {"core": '{"name": "Ant", "type": "Unit"}'},
        source="pool.toml",
    )
    text = (
        require("type == 'Relic' or faction == 'grey' or type == 'Omen'")
        + '[override.Ant]\nset = { type = "Omen" }\n'
    )
    assert list(remarks_on(format_of(text), pool)) == []


def test_an_attribute_that_no_card_has():
    """Declared and never used it is remarked upon; in a pool that declares nothing it is a fault."""
    found = told(require("rank == 'high'"))
    assert [(each.severity, each.message) for each in found] == [
        (
            Severity.ADVICE,
            "format.toml: require[0].that: column 1: no card of the pool has any `rank`: `rank == 'high'`",
        )
    ]
    bare = parse_pool(
        'game = "invented"\ncomplete = true\n',
        {"core": '{"name": "Ant", "type": "Unit"}'},
        source="pool.toml",
    )
    (fault,) = remarks_on(format_of(require("typ == 'Unit'")), bare)
    assert (fault.severity, "no card of the pool has any `typ`; did you mean `type`?" in fault.message) == (
        Severity.ERROR,
        True,
    )


def test_definitions_messages_lists_and_errata_are_read_too():
    """A definition is told once, at its own place, however often it is used."""
    text = (
        "[define]\nodd = \"type == 'Eventt'\"\nkind = 'type'\n[lists]\npower = ['Antt']\n"
        "[override.Bee]\nset = { typ = 'Unit' }\n"
        + require("odd or n(odd) > 1")
        + "[[limit]]\nid = 'two'\nwhere = \"kind == 'Unitt'\"\nby = 'name'\nmax = 1\nmessage = '{1 if type == \"Evnt\" else 2}'\n"
    )  # fmt: skip
    assert sorted(each.message.partition(": ")[2].partition(": column")[0] for each in told(text)) == [
        "define.odd",
        "limit[0].message",
        "limit[0].where",
        "lists.power: `Antt` is not a card of the pool; did you mean Ant?",
        'override."Bee".set: the pool\'s cards have no `typ`; did you mean `type`?',
    ]


@pytest.mark.parametrize(
    "that",
    ["zone == 'sidee'", "setting.side == 'c'", "printed(raritty == 'rare')", "printed(status == 'old')"],
)
def test_what_there_cannot_be_is_refused_before_any_deck(that):
    """Zones, choices, statuses and printings' attributes: no card need be read for that. Words of cards are left to `--check`."""
    pool = pool_of(CARDS)
    with pytest.raises(TourneyError, match=r"require\[0\].that: column"):
        refuse_misspelt(format_of(ZONES + require(that)), pool)
    refuse_misspelt(format_of(ZONES + require("type == 'Eventt' and printed(set == 'skyy')")), pool)


def test_no_false_alarms():
    """The shipped formats in their pools, and Netrunner's in the whole of its own."""
    for name in FORMATS:
        format_ = LIBRARY.format(name)
        assert list(remarks_on(format_, LIBRARY.pool_of(format_))) == [], name
    assert list(remarks_on(netrunner.format_(), netrunner.pool())) == []


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("factoin", "field.by: the pool's cards have no `factoin`; did you mean `faction`?"),
        ("Clan", "field.by: the pool's cards have no `Clan`; there are "),
        ("leader", "field.by: `leader`: the format has no [leader]"),
        ("tag:", "field.by: a kind of tag is missing: `tag:archetype`"),
        ("faction", None),
        ("rank", None),
        ("tag:archetype", None),
    ],
)
def test_what_the_field_is_counted_by_is_known(by, said):
    """An attribute of the pool, declared or worn by a card; the leader of a format that has one; a tag of any kind."""
    found = [each.message for each in told(f"[field]\nby = '{by}'\n")]
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


def test_a_format_without_a_pool_may_count_the_field_by_anything():
    """There is nothing to hold it against."""
    assert [each for each in told("[field]\nby = 'clan'\n", cards={}) if "field" in each.message] == []
