"""Misspelt words in formats, and no false alarms. All cards are invented."""

import pytest

from tests.games.test_formats import FORMATS, LIBRARY
from tests.kit import with_rows
from tests.official import netrunner
from tests.rules.kit import format_of, pool_of
from tourney.cards import parse_pool
from tourney.errors import Severity, TourneyError
from tourney.rules.proofread import refuse_misspelt, remarks_on

CARDS = {
    "Ant": {"type": "Event", "tags": ["small", "six legs"], "cost": 1, "basic": True,
            "printings": [{"set": "core", "rarity": "rare"}]},
    "Bee": {"type": "Unit", "tags": ["small"], "faction": "red", "aliases": ["Hornet"],
            "printings": [{"set": "sky", "rarity": "common"}]},
    "Cat": {"type": "Unit", "faction": "blue", "text": "purrs out loud"},
}  # fmt: skip
TYPES = {"rank": "text"}
ZONES = "[[zone]]\nid = 'deck'\ndefault = true\n[[zone]]\nid = 'side'\n[settings.side]\ndefault = 'a'\nchoices = ['a', 'b']\n"


def remarks(text, *, complete=True, cards=CARDS, **pool):
    pool = pool_of(cards, complete=complete, attributes=pool.pop("attributes", TYPES), **pool)
    return list(remarks_on(format_of(ZONES + text), pool))


def require(that):
    return f'[[require]]\nid = "it"\nwhere = "true"\nthat = "{that}"\n'


@with_rows(
    ("that", "message"),
    [
        ("type == 'Eventt'", "column 9: no card of the pool has the type `Eventt`; did you mean `Event`?"),
        ("'Eventt' != type", "column 1: no card of the pool has the type `Eventt`; did you mean `Event`?"),
        ("type in ['Event', 'Unitt']",
         "column 19: no card of the pool has the type `Unitt`; did you mean `Unit`?"),
        ("type not in ['Evnt']", "column 14: no card of the pool has the type `Evnt`; did you mean `Event`?"),
        ("'smal' in tags", "column 1: no card of the pool has the tags `smal`; did you mean `small`?"),
        ("'barks' in text", "column 1: no card of the pool has the text `barks`; the only choice is purrs out loud"),
        ("this.faction == 'green'",
         "column 17: no card of the pool has the faction `green`; the choices are blue, red"),
        ("n(type == 'unitt') > 0",
         "column 11: no card of the pool has the type `unitt`; did you mean `Unit`?"),
        ("total(type == 'unitt', cost) > 0",
         "column 15: no card of the pool has the type `unitt`; did you mean `Unit`?"),
        ("common(tags, ['smal'])",
         "column 15: no card of the pool has the tags `smal`; did you mean `small`?"),
        ("subset(['smal'], tags)",
         "column 9: no card of the pool has the tags `smal`; did you mean `small`?"),
        ("'redd' in union(basic, faction)",
         "column 1: no card of the pool has the faction `redd`; did you mean `red`?"),
        ("cost == 'one'", "column 9: `cost` is a number, never `one`"),
        ("name == 'Antt'", "column 9: `Antt` is not a card of the pool; did you mean Ant?"),
        ("name in ['Bee', 'Hornett']",
         "column 17: `Hornett` is not a card of the pool; did you mean Hornet?"),
        ("has('Antt')", "column 5: `Antt` is not a card of the pool; did you mean Ant?"),
        ("printed(raritty == 'rare')",
         "column 9: the pool's printings have no `raritty`; did you mean `rarity`?"),
        ("printed(rarity == 'raree')",
         "column 19: no printing of the pool has the rarity `raree`; did you mean `rare`?"),
        ("printed(set in ['core', 'skyy'])",
         "column 25: no printing of the pool has the set `skyy`; did you mean `sky`?"),
        ("printed(status == 'outdate')",
         "column 19: no printing of the pool has the status `outdate`; did you mean `outdated`?"),
        ("zone == 'sidee'", "column 9: there is no zone `sidee`; did you mean `side`?"),
        ("setting.side == 'c'", "column 17: `c` is not a choice of `setting.side`; the choices are a, b"),
        ("basic or type == 'Eventt' and cost > 1",
         "column 18: no card of the pool has the type `Eventt`; did you mean `Event`?"),
    ],
)  # fmt: skip
def test_a_word_that_no_card_has_is_a_remark(that, message):
    """It has file, key path, column and a suggestion."""
    result = remarks(require(that))
    assert [finding.message for finding in result] == [f"format.toml: require[0].that: {message}: `{that}`"]
    assert result[0].severity is Severity.ERROR


@with_rows(
    "that",
    [
        "type == 'EVENT'", "type in ['event', 'Unit']", "'out loud' in text", "'six legs' in tags",
        "tags == ['small']", "name == 'Hornet'", "has('hornet')",
        "printed(set == 'core' and rarity == 'rare')", "printed(status == 'misprint')", "zone == 'side'",
        "setting.side == 'b'", "faction == none", "cost == 7", "name != this.name", "printed(number == 7)",
        "id == 'ant'", "set == 'core'",
    ],
)  # fmt: skip
def test_words_that_cards_have_are_accepted(that):
    """Case and accents do not matter; words of a text match; any number is accepted."""
    assert remarks(require(that)) == []


def test_an_open_pool_gives_no_remarks_on_cards():
    """It may not have all cards yet. Zones and choices of the format are still checked."""
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
    assert remarks(text, complete=False) == []
    assert len(remarks(text + require("zone == 'sidee'"), complete=False)) == 1


def test_declared_words_and_errata_are_accepted():
    """A declared value without a card, an attribute with open values, a value from an override."""
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


def test_an_attribute_without_a_card():
    """It is advice if the pool declares it, and an error if the pool declares nothing."""
    result = remarks(require("rank == 'high'"))
    assert [(finding.severity, finding.message) for finding in result] == [
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


def test_definitions_messages_lists_and_errata_are_checked():
    """A definition is reported once, at its own place."""
    text = (
        "[define]\nodd = \"type == 'Eventt'\"\nkind = 'type'\n[lists]\npower = ['Antt']\n"
        "[override.Bee]\nset = { typ = 'Unit' }\n"
        + require("odd or n(odd) > 1")
        + "[[limit]]\nid = 'two'\nwhere = \"kind == 'Unitt'\"\nby = 'name'\nmax = 1\nmessage = '{1 if type == \"Evnt\" else 2}'\n"
    )  # fmt: skip
    assert sorted(
        finding.message.partition(": ")[2].partition(": column")[0] for finding in remarks(text)
    ) == [
        "define.odd",
        "limit[0].message",
        "limit[0].where",
        "lists.power: `Antt` is not a card of the pool; did you mean Ant?",
        'override."Bee".set: the pool\'s cards have no `typ`; did you mean `type`?',
    ]


@with_rows(
    "that",
    ["zone == 'sidee'", "setting.side == 'c'", "printed(raritty == 'rare')", "printed(status == 'old')"],
)
def test_rejects_unknown_zones_choices_and_printing_keys(that):
    """They are known without reading cards. Only `--check` checks the words of cards."""
    pool = pool_of(CARDS)
    with pytest.raises(TourneyError, match=r"require\[0\].that: column"):
        refuse_misspelt(format_of(ZONES + require(that)), pool)
    refuse_misspelt(format_of(ZONES + require("type == 'Eventt' and printed(set == 'skyy')")), pool)


def test_no_false_alarms():
    """The shipped formats have no remarks, nor has Netrunner's with its full pool."""
    for name in FORMATS:
        format_ = LIBRARY.format(name)
        assert list(remarks_on(format_, LIBRARY.pool_of(format_))) == [], name
    assert list(remarks_on(netrunner.format_(), netrunner.pool())) == []


@with_rows(
    ("by", "message"),
    [
        ("factoin", "field.by: the pool's cards have no `factoin`; did you mean `faction`?"),
        ("Clan", "field.by: the pool's cards have no `Clan`; the choices are "),
        ("leader", "field.by: `leader`: the format has no [leader]"),
        ("tag:", "field.by: a kind of tag is missing: `tag:archetype`"),
        ("faction", None),
        ("rank", None),
        ("tag:archetype", None),
    ],
)
def test_the_field_is_grouped_by_something_known(by, message):
    """An attribute of the pool or of a card, the leader if there is one, or any kind of tag."""
    result = [finding.message for finding in remarks(f"[field]\nby = '{by}'\n")]
    assert len(result) == (message is not None)
    assert message is None or message in result[0]


def test_without_a_pool_the_field_can_be_grouped_by_anything():
    """No remark is possible."""
    assert [
        finding for finding in remarks("[field]\nby = 'clan'\n", cards={}) if "field" in finding.message
    ] == []
