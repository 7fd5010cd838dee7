"""Zones, conditions, kits, permissions, coverings and ban lists, one at a time."""

from itertools import product
from random import Random

import pytest

from tests.kit import with_rows
from tests.rules.kit import errors, format_of, handles, pool_of, rules, verdict
from tourney.errors import Severity, TourneyError
from tourney.rules import Ruleset, parse_banlist

CARDS = {
    "Queen": {"kind": "leader", "faction": "red", "size": 3},
    "King": {"kind": "leader", "faction": "blue", "size": 4},
    "Ant": {"kind": "unit", "faction": "red"},
    "Bee": {"kind": "unit", "faction": "blue"},
    "Map": {"kind": "mission", "faction": None},
    "Log": {"kind": "mission", "faction": None},
}
ZONES = """
[leader]
noun  = "queen"
holds = "kind == 'leader'"
[[zone]]
id      = "deck"
default = true
size    = { min = "leader.size" }
holds   = "kind == 'unit'"
[[zone]]
id       = "missions"
name     = "Mission deck"
optional = true
size     = 2
holds    = "kind == 'mission'"
absent   = "no missions here"
[[zone]]
id     = "tokens"
counts = false
"""


@with_rows(
    ("deck", "messages"),
    [
        ("leader\n1 Queen\ndeck\n3 Ant", []),
        ("leader\n1 King\ndeck\n3 Ant", ["size: 3 cards, at least 4 are needed (the queen's size)"]),
        ("deck\n3 Ant", ["size: no cards, exactly 1 is needed"]),
        ("leader\n2 Queen\ndeck\n3 Ant", ["size: 2 cards, exactly 1 is needed"]),
        ("leader\n1 Ant\ndeck\n3 Ant", ["wrong-zone: cannot be the queen: its kind is unit, not leader"]),
        (
            "leader\n1 Queen\ndeck\n3 Ant\n1 Map",
            ["wrong-zone: does not belong in the deck: its kind is mission, not unit"],
        ),
        ("leader\n1 Queen\ndeck\n3 Ant\nmissions\n2 Map", []),
        ("leader\n1 Queen\ndeck\n3 Ant\nmissions\n1 Map", ["size: 1 card, exactly 2 are needed"]),
        ("1 Queen\n3 Ant\n2 Map", []),
    ],
)
def test_zones(deck, messages):
    """Sizes, the cards that zones hold, and a bound that is an attribute of the leader."""
    assert errors(verdict(rules(ZONES, CARDS), deck)) == messages


def test_an_unknown_part_is_one_finding():
    """It has all lines of the part, and names the parts of the format."""
    result = verdict(rules(ZONES, CARDS), "leader\n1 Queen\ndeck\n3 Ant\nSideboard\n1 Map\n1 Log")
    (only,) = result.findings
    assert (only.rule, only.lines, only.subjects) == ("zone", (6, 7), ("Sideboard",))
    assert only.message == "a deck of this format has no such part; it has deck, Mission deck, tokens, queen"
    assert only.hint == "put the cards into one of these parts, or leave the cards out"


def test_a_misspelt_header_gets_a_suggestion():
    """The hint is the similar header."""
    (only,) = verdict(rules(ZONES, CARDS), "leader\n1 Queen\ndeck\n3 Ant\nMision deck:\n2 Map").findings
    assert (only.rule, only.hint) == ("zone", "did you mean Mission deck?")


def test_the_hint_says_where_a_card_belongs():
    """It names the zones that hold the card."""
    result = verdict(rules(ZONES, CARDS), "leader\n1 Queen\ndeck\n3 Ant\n1 Map")
    assert result.findings[0].hint == "it belongs in the Mission deck"


def test_a_part_that_does_not_count_has_no_findings():
    """Tokens are listed but not part of the deck."""
    result = verdict(rules(ZONES, CARDS), "leader\n1 Queen\ndeck\n3 Ant\ntokens\n9 Map")
    assert (result.verdict, result.cards) == ("legal", 4)


def test_a_card_under_no_header_goes_where_it_belongs():
    """Without a header above it, and if one zone holds it. A note is shown."""
    result = verdict(rules(ZONES, CARDS), "1 Queen\n3 Ant\n2 Map")
    assert [(correction.line, correction.reason) for correction in result.corrections] == [
        (1, "placed in queen, because no header is above it"),
        (3, "placed in Mission deck, because no header is above it"),
    ]
    assert result.zones == {"leader": 1, "deck": 3, "missions": 2}


def test_a_missing_optional_part_is_a_note():
    """The note is the format's own text."""
    assert "no missions here" in verdict(rules(ZONES, CARDS), "1 Queen\n3 Ant").notes
    assert "no missions here" not in verdict(rules(ZONES, CARDS), "1 Queen\n3 Ant\n2 Map").notes


def test_a_setting_can_decide_whether_a_part_is_expected():
    """The cards in it are judged in any case."""
    text = ZONES.replace('absent   = "no', 'when = "setting.whose == \'players\'"\nabsent   = "no')
    text += '[settings.whose]\ndefault = "players"\nchoices = ["players", "organizer"]\n'
    mine, theirs = rules(text, CARDS), rules(text, CARDS, settings={"whose": "organizer"})
    assert "no missions here" in verdict(mine, "1 Queen\n3 Ant").notes
    assert "no missions here" not in verdict(theirs, "1 Queen\n3 Ant").notes
    assert handles(verdict(theirs, "1 Queen\n3 Ant\n1 Map")) == ["size"]


def test_settings_are_checked():
    """Unknown settings and choices are rejected."""
    text = '[settings.whose]\ndefault = "players"\nchoices = ["players", "organizer"]\n'
    with pytest.raises(TourneyError, match="has no setting `who`"):
        rules(text, CARDS, settings={"who": "x"})
    with pytest.raises(TourneyError, match="`judge` is not one of players, organizer"):
        rules(text, CARDS, settings={"whose": "judge"})


@with_rows(
    ("require", "deck", "messages"),
    [
        ("that = \"n(kind == 'unit') >= 2\"", "2 Ant", []),
        ("that = \"n(kind == 'unit') >= 2\"", "1 Ant", ["it: 1 card with kind unit, at least 2"]),
        ("title = 'two units'\nthat = \"n(kind == 'unit') >= 2\"", "1 Ant",
         ["it: two units: 1 card with kind unit, at least 2"]),
        ("title = 'red'\nzones = ['deck']\nthat = \"faction == 'red'\"", "1 Ant\n1 Bee",
         ["it: red: its faction is blue, not red"]),
        ("where = \"kind == 'unit'\"\nthat = \"faction == 'red'\"\nmessage = '{card} is {faction}'",
         "1 Map\n1 Bee", ["it: Bee is blue"]),
        ("when = \"has('Map')\"\nthat = \"has('Log')\"", "1 Ant", []),
        ("when = \"has('Map')\"\nthat = \"has('Log')\"\ntitle = 'maps need logs'", "1 Map",
         ["it: maps need logs, because of Map (line 1): Log is not in the deck"]),
    ],
)  # fmt: skip
def test_conditions(require, deck, messages):
    """A condition is about the deck, or about each card."""
    assert errors(verdict(rules(f'[[require]]\nid = "it"\n{require}', CARDS), deck)) == messages


def test_a_condition_on_unknown_cards_is_undecided_once():
    """Sixty unknown cards make one finding."""
    deck = "\n".join(f"1 Unheard {number}" for number in range(60))
    result = verdict(rules("[[require]]\nid = 'it'\nzones = ['deck']\nthat = \"faction == 'red'\""), deck)
    assert [(finding.rule, finding.message) for finding in result.findings] == [
        ("it", "faction not known for 60 cards")
    ]
    assert result.verdict == "unverified"


def test_a_condition_that_holds_anyway_is_decided():
    """It is not known whether the rule is about the card, but the card meets the condition."""
    text = "[[require]]\nid = 'it'\nwhere = \"kind == 'unit'\"\nthat = 'qty == 1'"
    assert verdict(rules(text), "1 Unheard").verdict == "legal"
    assert verdict(rules(text), "2 Unheard").verdict == "unverified"


KIT = '[kit]\ncite = "box"\ncards = { Ant = 2, Bee = 1 }\n'


@with_rows(
    ("deck", "messages"),
    [
        ("2 Ant\n1 Bee", []),
        ("1 Ant\n1 Ant\n1 bee", []),
        ("1 Ant\n1 Bee", ["kit: 1 copy, the box holds 2"]),
        ("3 Ant\n1 Bee", ["kit: 3 copies, the box holds 2"]),
        ("2 Ant", ["kit: missing; the box holds 1 copy"]),
        ("2 Ant\n1 Bee\n1 Map", ["kit: is not in the box"]),
    ],
)
def test_a_box_has_exactly_these_cards(deck, messages):
    """Each card with a different number of copies is a finding."""
    assert errors(verdict(rules(KIT, CARDS), deck)) == messages


def test_errata_apply_from_their_day_on():
    """`[override]` with `since`."""
    text = """
[[limit]]
id = "red"
where = "faction == 'red'"
max = 0
[override."Bee"]
set = { faction = "red" }
since = 2026-11-20
cite = "errata sheet"
"""
    from datetime import date

    assert handles(verdict(rules(text, CARDS), "1 Bee")) == ["red"]
    assert handles(verdict(rules(text, CARDS, day=date(2026, 11, 19)), "1 Bee")) == []


ALLOW = """
[[allow]]
title = "red"
where = "faction == 'red'"
[[allow]]
title = "two strangers"
where = "kind == 'unit'"
max   = 2
"""


def test_unknown_cards_and_permissions():
    """Legal if all facts that are possible make it legal, illegal if none do; else undecided."""
    cards = {"Ant": CARDS["Ant"], "Bee": CARDS["Bee"], "Fly": {"kind": "unit"}, "Gnu": {}}
    ruleset = rules(ALLOW, cards, complete=False, attributes={"faction": "text", "kind": "text"})
    assert verdict(ruleset, "5 Ant\n2 Bee").verdict == "legal"
    assert verdict(ruleset, "5 Ant\n3 Bee").verdict == "illegal"
    assert verdict(ruleset, "5 Ant\n2 Fly").verdict == "legal"
    assert verdict(ruleset, "5 Ant\n2 Bee\n1 Fly").verdict == "unverified"
    assert verdict(ruleset, "1 Gnu").verdict == "unverified"


def test_unknown_cards_and_coverings():
    """A card that may cover a thing leaves the rule undecided."""
    cards = {"Ant": {"element": ["air"]}, "Bee": {"element": ["earth"]}, "Fly": {}}
    text = '[[cover]]\neach = ["air", "earth"]\nby = "element"\n'
    ruleset = rules(text, cards, complete=False, attributes={"element": "list"})
    assert verdict(ruleset, "1 Ant\n1 Bee").verdict == "legal"
    assert verdict(ruleset, "1 Ant\n1 Fly").verdict == "unverified"
    assert errors(verdict(ruleset, "2 Ant")) == [
        "cover: no card is left for earth: air and earth need a card each"
    ]
    conditions = rules("[[cover]]\neach = { first = \"name == 'Ant'\", second = \"name != 'Bee'\" }\n", cards)
    assert handles(verdict(conditions, "2 Ant")) == []
    assert handles(verdict(conditions, "1 Ant\n1 Bee")) == ["cover"]


# -- ban lists


def banned_errors(text, deck, format_text="", cards=CARDS):
    return errors(verdict(rules(format_text, cards, banlist=text), deck))


@with_rows(
    ("text", "deck", "messages"),
    [
        ('[cards]\n"Ant" = 0', "1 ant", ["banned: banned (list of 2026-11-20)"]),
        ('[cards]\n"Ant" = 1', "1 Ant", []),
        ('[cards]\n"Ant" = 1', "2 Ant", ["restricted: 2 copies, at most 1 (list of 2026-11-20)"]),
        ('[cards]\n"Nobody" = 0', "1 Ant", []),
        ('[points]\ntotal = 3\n"Ant" = 2', "1 Ant", []),
        ('[points]\ntotal = 3\n"Ant" = 2', "2 Ant", ["points: 4 points, at most 3 (list of 2026-11-20)"]),
        ('[points]\ntotal = 3\nper = "name"\n"Ant" = 2', "2 Ant", []),
        ('[points]\ntotal = 3\n[points.cards]\n"total" = 2\n"Ant" = 4', "1 Ant",
         ["points: 4 points, at most 3 (list of 2026-11-20)"]),
        ('[[group]]\ncards = ["Ant", "Bee"]', "3 Ant", []),
        ('[[group]]\ncards = ["Ant", "Bee"]', "1 Ant\n1 Bee",
         ["group: 2 different cards of group 1 of the list of 2026-11-20, at most 1"]),
        ('[[group]]\nname = "insects"\nper = "copy"\nmax = 2\ncards = ["Ant", "Bee"]', "2 Ant\n1 Bee",
         ["group: 3 copies of `insects`, at most 2"]),
        ('[[where]]\nwhere = "kind == \'unit\'"', "1 Ant\n1 Map", ["banned: banned"]),
        ('[[where]]\nwhere = "kind == \'unit\'"\nreason = "no {units}"\nexcept = ["Ant"]', "1 Ant\n1 Bee",
         ["banned: no {units}"]),
        ('[[where]]\nwhere = "kind == \'unit\'"\nmax = 1\nreason = "few units"', "1 Ant\n1 Bee",
         ["restricted: 2, at most 1: few units"]),
        ('[[where]]\nwhere = "kind == \'unit\'"\nmax = 1\nby = "name"', "1 Ant\n2 Bee",
         ["restricted: 2, at most 1: restricted"]),
    ],
)  # fmt: skip
def test_ban_lists(text, deck, messages):
    """A ban list can name cards, points, groups and conditions."""
    assert banned_errors(text, deck) == messages


def test_expressions_can_use_the_lists_of_a_ban_list():
    """Without a ban list in force, `points` is 0 for every card."""
    text = '[format]\nid = "invented/standard"\nbanlist = "invented/list"\n[[limit]]\nid = "tax"\nmax = "4 - total(points(\'tax\'))"\n'
    assert banned_errors('[lists.tax]\n"Ant" = 1\n', "3 Ant", text) == ["tax: 3 cards, at most 1"]
    assert errors(verdict(rules(text, CARDS), "4 Ant")) == []


def test_a_ban_names_aliases_and_cards_that_count_as_another():
    """An alias bans the card. A ban of a card that counts as another does not ban the other."""
    cards = {"Ant": {"aliases": ["Old Ant"]}, "Emmet": {"counts_as": "Ant"}, "Bee": {}}
    assert banned_errors('[cards]\n"Old Ant" = 0', "1 Ant", cards=cards) == [
        "banned: banned (list of 2026-11-20)"
    ]
    assert banned_errors('[cards]\n"Emmet" = 0', "1 Ant", cards=cards) == []
    assert banned_errors('[cards]\n"Emmet" = 0', "1 Emmet", cards=cards) == [
        "banned: banned (list of 2026-11-20)"
    ]
    assert banned_errors('[cards]\n"Ant" = 0', "1 Emmet", cards=cards) == [
        "banned: banned (list of 2026-11-20)"
    ]


@with_rows(
    ("text", "message"),
    [
        ('[cards]\n"Ant" = -1', 'l.toml: cards."Ant": -1 is not a number of copies; 0 bans a card'),
        ('[cards]\n"Ant" = 0\n"ant" = 1', 'l.toml: cards."ant": the same card as "Ant"'),
        ('[cards]\n" " = 0', "l.toml: cards: a card without a name"),
        ('[cards]\n"Ant" = "no"', "l.toml: cards[...]: expected a whole number, found text"),
        ('[points]\n"Ant" = 1', "l.toml: points: the key `total` is missing"),
        ('[points]\ntotal = 1\n"Ant" = "x"', 'l.toml: points."Ant": expected a whole number'),
        ('[points]\ntotal = 1\nper = "deck"', 'l.toml: points.per: expected "copy" or "name"'),
        ("[[group]]\ncards = []", "l.toml: group[0]: a group needs at least one card"),
        ('[[where]]\nwhere = "kind ="', "l.toml: where[0].where: column 6: to compare"),
        ("[lists]\nbanned = ['Ant']", "l.toml: lists.banned: this name is used in every ban list"),
        ("bans = 3", "l.toml: unknown key `bans`"),
    ],
)
def test_errors_of_a_ban_list(text, message):
    """The error names file, key path and reason."""
    from datetime import date

    with pytest.raises(TourneyError) as error:
        parse_banlist(text, source="l.toml", day=date(2026, 1, 1))
    assert error.value.message.startswith(message)


def test_rejects_an_attribute_that_the_pool_does_not_have():
    """The error has the column and a suggestion."""
    with pytest.raises(
        TourneyError,
        match=r"limit\[0\]\.where: column 1: the pool's cards have no `knd`; did you mean `kind`\?",
    ):
        rules("[[limit]]\nid = 'x'\nwhere = \"knd == 'unit'\"\nmax = 1", CARDS)
    with pytest.raises(
        TourneyError, match=r"list\.toml: where\[0\]\.where: column 1: the pool's cards have no `colour`"
    ):
        rules("", CARDS, banlist="[[where]]\nwhere = \"colour == 'red'\"")


def test_a_pool_without_declared_attributes_accepts_any():
    """All attributes are unknown then."""
    result = verdict(rules("[[limit]]\nid = 'x'\nwhere = \"colour == 'red'\"\nmax = 1"), "2 Ant")
    assert result.verdict == "unverified"


def test_a_ruleset_judges_many_decks():
    """A verdict does not depend on the decks judged before."""
    ruleset = Ruleset(format_of(ZONES), None, pool_of(CARDS), verdict(rules(ZONES, CARDS), "").on)
    decks = ["1 Queen\n3 Ant", "1 King\n3 Ant", "1 Queen\n3 Ant\n1 Map", "3 Ant"]
    first = [handles(verdict(ruleset, deck)) for deck in decks]
    assert first == [handles(verdict(ruleset, deck)) for deck in decks] == [[], ["size"], ["size"], ["size"]]


def test_members_of_a_box_are_placed_as_well_as_possible():
    """A box is complete exactly if one of all assignments of the members fills it."""
    dice = Random(5)
    for _ in range(60):
        room = {key: dice.randrange(1, 3) for key in "abc"}
        fits = {
            f"Card {number}": dice.sample("abc", dice.randrange(1, 4)) for number in range(sum(room.values()))
        }
        cards = {f"Any {key}": {"stands": []} for key in room}
        cards |= {name: {"stands": keys} for name, keys in fits.items()}
        box = ", ".join(f'"Any {key}" = {number}' for key, number in room.items())
        members = "".join(f'"Any {key}" = "\'{key}\' in stands"\n' for key in room)
        ruleset = rules(f"[kit]\ncards = {{ {box} }}\n[kit.members]\n{members}", cards)
        result = verdict(ruleset, "\n".join(f"1 {name}" for name in fits))
        can_fill = any(all(way.count(key) == room[key] for key in room) for way in product(*fits.values()))
        assert (result.verdict == "legal") == can_fill


@with_rows(("few", "named"), [(1, (2,)), (2, (2,)), (5, (1, 2))])
def test_a_few_cards_with_another_value_are_named(few, named):
    """If one or two of many differ, the finding names them; if many differ, it names all."""
    text = "[[zone]]\nid = 'deck'\n[[limit]]\nid = 'side'\ndistinct = 'faction'\nmax = 1\n"
    result = verdict(rules(text, CARDS), f"8 Ant\n{few} Bee")
    assert [finding.lines for finding in result.findings] == [named]


HEADED = """
[[zone]]
id           = "deck"
default      = true
headers      = ["Crew", "Ships"]
header_facts = { "Ships" = { kind = "ship" } }
other_facts  = { kind = "sailor" }
[[limit]]
id       = "ratio"
severity = "advice"
where    = "kind == 'ship'"
max      = 1
[[limit]]
id    = "fleet"
where = "kind == 'ship'"
max   = 3
"""


@with_rows(
    ("deck", "outcome", "advice"),
    [
        ("Crew\n1 Ant\nShips\n2 Bee", "legal", ["ratio"]),
        ("Crew\n1 Ant\nShips\n1 Bee", "legal", []),
        ("Crew\n1 Ant\nShips\n4 Bee", "unverified", ["ratio"]),
        ("Crew\n2 Bee\nShips\n2 Bee", "unverified", []),
        ("Ships\n2 Cat", "legal", []),
    ],
)
def test_facts_from_a_header_are_used_by_advice_alone(deck, outcome, advice):
    """The pool's facts take precedence, and headers can contradict each other."""
    cards = {"Ant": {}, "Bee": {}, "Cat": {"kind": "sailor"}}
    result = verdict(rules(HEADED, cards, complete=False, attributes={"kind": "text"}), deck)
    assert result.verdict == outcome
    assert [finding.rule for finding in result.findings if finding.severity is Severity.ADVICE] == advice


def test_rejects_facts_for_an_unknown_header():
    """It is probably misspelt."""
    with pytest.raises(TourneyError, match=r'header_facts."Ship": not one of'):
        rules(HEADED.replace('{ "Ships" =', '{ "Ship" ='))


BOX = """
[kit]
cards = { "Any unit" = 3, "Crown" = 1 }
[kit.members]
"Any unit" = "kind == 'unit'"
"""


@with_rows(
    ("deck", "trust", "outcome", "messages"),
    [
        ("3 Any unit\n1 Crown", False, "legal", []),
        ("2 Any unit\n1 Ant\n1 Crown", False, "legal", []),
        ("2 Any unit\n1 Odd\n1 Crown", False, "legal", []),
        ("2 Any unit\n1 Stranger\n1 Crown", False, "illegal",
         ["2 copies, the box holds 3", "is not in the box"]),
        ("3 Any unit\n1 Stranger\n1 Crown", False, "illegal", ["is not in the box"]),
        ("2 Any unit\n1 Stranger {kind=unit}\n1 Crown", False, "unverified", []),
        ("2 Any unit\n1 Stranger {kind=unit}\n1 Crown", True, "legal", []),
        ("2 Any unit\n1 Stranger {kind=map}\n1 Crown", True, "illegal",
         ["2 copies, the box holds 3", "is not in the box"]),
        ("3 Any unit\n1 Stranger {kind=unit}\n1 Crown", False, "illegal", ["4 copies, the box holds 3"]),
    ],
)  # fmt: skip
def test_members_of_a_box(deck, trust, outcome, messages):
    """A card can take the place of one of the box; an unknown card needs declared facts."""
    cards = {"Any unit": {"kind": "unit"}, "Crown": {"kind": "crown"}, "Ant": {"kind": "unit"}, "Odd": {}}
    result = verdict(rules(BOX, cards, complete=False), deck, trust_declared=trust)
    assert result.verdict == outcome
    assert [finding.message for finding in result.findings if finding.severity is Severity.ERROR] == messages
