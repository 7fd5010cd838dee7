"""Findings explain themselves: what failed, which card caused it, where a card belongs.

All cards are invented.
"""

from tests.kit import with_rows
from tests.rules.kit import DAY, errors, format_of, rules, verdict
from tourney.cards import parse_pool
from tourney.rules import Ruleset

CARDS = {
    "Red King": {"kind": "king", "faction": "red", "colours": ["red", "gold"], "room": 2},
    "Ant": {"kind": "unit", "faction": "red", "traits": ["tiny"], "cost": 1, "colours": ["red"]},
    "Bee": {
        "kind": "unit",
        "faction": "blue",
        "traits": ["tiny", "winged"],
        "cost": 3,
        "colours": ["blue", "red"],
    },
    "Cat": {"kind": "unit", "faction": "green", "cost": 5, "fierce": True, "colours": ["green"]},
    "Map": {"kind": "mission", "faction": None},
    "Small Friend": {"kind": "unit", "faction": "red", "cost": 2, "colours": []},
    "Sly Friend": {"kind": "unit", "faction": "red", "cost": 2, "colours": [], "dearest": 2},
}
TYPES = {"fierce": "flag", "dearest": "number"}
KINGDOM = """
[define]
ours = "faction in ['grey', leader.faction]"
[lists]
basics = ["Ant"]
[leader]
noun  = "king"
zone  = "king"
holds = "kind == 'king'"
[[zone]]
id      = "deck"
name    = "Army"
default = true
[[zone]]
id       = "friend"
name     = "Companion"
optional = true
size     = 1
[[zone]]
id       = "missions"
name     = "Mission deck"
optional = true
holds    = "kind == 'mission'"
size     = { max = 1 }
"""


DECK_ALONE = """
[[zone]]
id = "deck"
default = true
"""


def errors_of(rule, deck):
    result = verdict(rules(KINGDOM + rule, CARDS, attributes=TYPES), f"king\n1 Red King\nArmy\n{deck}")
    return errors(result)


def on_each_card(that):
    return f'[[require]]\nid = "it"\nzones = ["deck"]\nthat = "{that}"'


@with_rows(
    ("that", "card", "why"),
    [
        ("kind == 'mission'", "Ant", "its kind is unit, not mission"),
        ("kind != 'unit'", "Ant", "its kind is unit"),
        ("not (kind == 'unit')", "Ant", "its kind is unit"),
        ("kind in ['mission', 'king']", "Ant", "its kind is unit, not mission or king"),
        ("faction in ['red', none]", "Bee", "its faction is blue, not red or none"),
        ("kind == 'mission' or kind == 'king'", "Ant", "its kind is unit, not mission or king"),
        ("kind not in ['mission', 'unit']", "Ant", "its kind is unit"),
        ("faction == leader.faction", "Bee", "its faction is blue, not red (the king's)"),
        ("ours", "Bee", "its faction is blue, not grey or red (the king's)"),
        ("faction == leader.faction", "Map", "it has no faction"),
        ("'winged' in traits", "Ant", "its traits are tiny, not winged"),
        ("'winged' not in traits", "Bee", "it is winged"),
        ("'gold' in colours or common(colours, leader.colours)", "Cat",
         "its colours are green, not gold or one of the king's (red, gold)"),
        ("subset(colours, leader.colours)", "Bee", "blue of its colours is not among the king's (red, gold)"),
        ("cost <= 2", "Bee", "its cost is 3, above 2"),
        ("cost >= 4", "Bee", "its cost is 3, below 4"),
        ("2 >= cost", "Bee", "its cost is 3, above 2"),
        ("1 <= cost <= 2", "Bee", "its cost is 3, above 2"),
        ("cost <= leader.room", "Bee", "its cost is 3, above 2 (the king's)"),
        ("cost < 4", "Map", "it has no cost"),
        ("fierce", "Ant", "it is not fierce"),
        ("not fierce", "Cat", "it is fierce"),
        ("kind == 'unit' and cost <= 2", "Bee", "its cost is 3, above 2"),
        ("kind == 'unit' and cost <= 2 and 'tiny' in traits", "Cat",
         "its cost is 5, above 2; it is not tiny"),
        ("listed('basics')", "Bee", "it is not on the list `basics`"),
        ("(cost <= 2) if kind == 'unit' else true", "Bee", "its cost is 3, above 2"),
        ("has('Cat') or cost <= 2", "Bee", "Cat is not in the deck; its cost is 3, above 2"),
        ("qty <= 2", "3 Bee", "3 copies, at most 2"),
        ("zone == 'missions'", "Bee", "it is in the Army"),
        ("n(kind == 'mission') >= 1", "Bee", "no cards with kind mission, at least 1"),
    ],
)  # fmt: skip
def test_why_a_card_fails_a_condition(that, card, why):
    """The clause that failed, with the values of the card and the leader."""
    assert errors_of(on_each_card(that), card) == [f"it: {why}"]


@with_rows(
    ("that", "deck", "why"),
    [
        ("n(kind == 'unit' and cost >= 3) <= 2", "2 Bee\n1 Cat",
         "3 cards with kind unit and cost at least 3, at most 2"),
        ("n(zone == 'deck' and 'winged' in traits) >= 2", "1 Bee",
         "1 card with traits winged in the Army, at least 2"),
        ("n() >= 9", "1 Bee", "2 cards, at least 9"),
        ("n() not in n()", "1 Bee", "this must hold: `n() not in n()`"),
        ("size('deck') >= 9", "1 Bee", "1 card in the Army, at least 9"),
        ("total(cost) <= 4", "2 Bee", "the cost adds up to 6, at most 4"),
        ("has('Map')", "1 Bee", "Map is not in the deck"),
        ("not has('Bee', 'deck')", "1 Bee", "Bee (line 4) is in the Army"),
        ("leader.faction == 'blue'", "1 Bee", "the king's faction is red, not blue"),
        ("leader.cost != none", "1 Bee", "the king has no cost"),
        ("max(union(cost != none, cost)) - 1 <= 1", "1 Bee",
         "this must hold: `max(union(cost != none, cost)) - 1 <= 1`"),
    ],
)  # fmt: skip
def test_why_a_deck_fails_a_condition(that, deck, why):
    """The count and the number needed, or the formula if it has no plain words."""
    assert errors_of(f'[[require]]\nid = "it"\nthat = "{that}"', deck) == [f"it: {why}"]


def test_a_title_stands_before_the_reason():
    """A message has no reason."""
    rule = on_each_card("cost <= 2")
    assert errors_of(f'{rule}\ntitle = "only cheap cards"', "1 Bee") == [
        "it: only cheap cards: its cost is 3, above 2"
    ]
    assert errors_of(f'{rule}\nmessage = "{{card}} is too dear"', "1 Bee") == ["it: Bee is too dear"]
    (finding,) = verdict(
        rules(KINGDOM + f'{rule}\ntitle = "only cheap cards"', CARDS, attributes=TYPES),
        "king\n1 Red King\nArmy\n1 Bee",
    ).findings
    assert (finding.shared_message, finding.reason) == ("only cheap cards", "its cost is 3, above 2")


@with_rows(
    ("that", "cards", "reason"),
    [
        ("n(kind == 'unit' and cost > 2) == 0", ("Bee", "Cat"),
         "3 cards with kind unit and cost above 2, none allowed"),
        ("0 == n(cost > 2)", ("Bee", "Cat"), "3 cards with cost above 2, none allowed"),
        ("n(cost > 2) < 1", ("Bee", "Cat"), "3 cards with cost above 2, fewer than 1"),
        ("not n(cost > 2)", ("Bee", "Cat"), "3 cards with cost above 2"),
        ("2 >= n(cost > 2)", ("Bee", "Cat"), "3 cards with cost above 2, at most 2"),
        ("n(kind == 'unit' and cost > 2 and faction != 'green') == 0", ("Bee",), "2 found, none allowed"),
        ("n(fierce) + n(cost == 3) == 0", ("Bee", "Cat"),
         "1 card that is fierce and 2 cards with cost 3, none allowed"),
        ("total(kind == 'unit' and cost > 4, cost) == 0", ("Cat",),
         "the cost of cards with kind unit and cost above 4 adds up to 5, none allowed"),
        ("total(kind == 'unit', cost) == 9", ("Bee", "Cat", "Ant", "Small Friend"),
         "the cost of cards with kind unit adds up to 14, exactly 9 needed"),
        ("distinct(kind == 'unit', cost) == 0", ("Bee", "Cat", "Ant", "Small Friend"),
         "4 different values of cost among cards with kind unit, none allowed"),
        ("distinct(name) <= 2", ("Red King", "Bee", "Cat", "Ant", "Small Friend"),
         "5 different cards, at most 2"),
        ("n(cost == 3) - n(fierce) == 0", ("Bee", "Cat"),
         "2 cards with cost 3 and 1 card that is fierce, equal numbers are needed"),
        ("n(fierce) == n(cost == 3)", ("Bee", "Cat"),
         "1 card that is fierce and 2 cards with cost 3, equal numbers are needed"),
        ("n(cost == 3) - n(fierce) == 3", ("Bee", "Cat"),
         "2 cards with cost 3 and 1 card that is fierce, a difference of 1, exactly 3 needed"),
        ("n(cost == 3) - n(fierce) <= 0", ("Bee",), "2 cards with cost 3, at most 1"),
        ("size('deck') == 3", (), "4 cards in the Army, exactly 3 needed"),
        ("size('deck') != 4", (), "4 cards in the Army, 4 not allowed"),
        ("size('deck') - size('friend') == 0", (),
         "4 cards in the Army and 1 card in the Companion, equal numbers are needed"),
        ("not (n(fierce) > 0 and n(cost == 3) > 0)", ("Bee", "Cat"),
         "1 card that is fierce, none allowed; or 2 cards with cost 3, none allowed"),
        ("len(union(cost > 4, colours)) == 0", ("Cat",),
         "1 different value of colours among cards with cost above 4, none allowed"),
        ("n(fierce) == 0 or has('Map')", ("Cat",),
         "1 card that is fierce, none allowed; or Map is not in the deck"),
        ("n(fierce) == 0 or n(cost == 3) == 0", ("Bee", "Cat"),
         "1 card that is fierce, none allowed; or 2 cards with cost 3, none allowed"),
        ("not has('Cat') or has('Map')", ("Cat",), "Cat (line 5) is in the deck; Map is not in the deck"),
        ("size('friend') == 0 or n() > 9", ("Small Friend",),
         "1 card in the Companion, none allowed; or 6 cards, more than 9"),
        ("n(kind == 'mission') >= 1 or size('deck') > 9", (),
         "no cards with kind mission, at least 1; or 4 cards in the Army, more than 9"),
    ],
)  # fmt: skip
def test_a_condition_on_the_deck_names_the_cards_that_it_counts(that, cards, reason):
    """A condition that depends on no card is one finding, even if it is about each card."""
    rule, deck = (
        f'[[require]]\nid = "it"\ntitle = "a title"\nthat = "{that}"\n',
        "2 Bee\n1 Cat\n1 Ant\nCompanion\n1 Small Friend",
    )
    for where, subjects, because in (
        ("", cards, ""),
        ("zones = ['deck']", cards, ""),
        (
            "where = \"kind == 'king'\"",
            cards or ("Red King",),
            ", because of Red King (line 2)" if cards else "",
        ),
    ):
        (finding,) = verdict(
            rules(KINGDOM + rule + where, CARDS, attributes=TYPES), f"king\n1 Red King\nArmy\n{deck}"
        ).findings
        assert (finding.message, finding.subjects) == (f"a title{because}: {reason}", subjects)


@with_rows(
    ("that", "message"),
    [
        ("total(kind == 'unit', cost) == 0", "the cost of cards with kind unit adds up to 12, none allowed"),
        ("total(kind == 'unit', cost * 2) == 0", "24, none allowed (`total(kind == 'unit', cost * 2) == 0`)"),
        ("n(kind != 'king' and cost > 2 and faction != 'red') == 0",
         "3 found, none allowed (`n(kind != 'king' and cost > 2 and faction != 'red') == 0`)"),
    ],
)  # fmt: skip
def test_a_condition_without_a_title_shows_what_it_counts(that, message):
    """A number without plain words is shown with the condition."""
    assert errors_of(f'[[require]]\nid = "it"\nthat = "{that}"', "2 Bee\n1 Cat\n1 Ant") == [f"it: {message}"]


def test_a_condition_on_a_card_names_the_other_cards_that_it_counts():
    """They are in the reason, with their lines."""
    rule = (
        on_each_card("n(colours == this.colours and name != this.name) == 0") + '\ntitle = "colours differ"'
    )
    cards = {**CARDS, "Gnat": CARDS["Cat"]}
    result = verdict(
        rules(KINGDOM + rule, cards, attributes=TYPES), "king\n1 Red King\nArmy\n1 Ant\n1 Cat\n2 Gnat"
    )
    assert errors(result) == [
        "it: colours differ: 2 cards with colours green and name other than Cat, none allowed; found Gnat (line 6)",
        "it: colours differ: 1 card with colours green and name other than Gnat, none allowed; found Cat (line 5)",
    ]


COMPANION = """
[[require]]
id    = "it"
zones = ["deck"]
when  = "{when}"
that  = "cost <= {most}"
title = "{title}"
"""


@with_rows(
    ("when", "most", "title", "message"),
    [
        ("has('Small Friend', 'friend')", "2", "with Small Friend as companion, cards cost 2 or less",
         "with Small Friend (line 6) as companion, cards cost 2 or less"),
        ("has('Small Friend')", "2", "cards cost 2 or less",
         "cards cost 2 or less, because of Small Friend (line 6)"),
        ("n(zone == 'friend') == 1", "2", "cards cost 2 or less",
         "cards cost 2 or less, because of Small Friend (line 6)"),
        ("size('friend') > 0", "2", "cards cost 2 or less",
         "cards cost 2 or less, because of Small Friend (line 6)"),
        ("leader.name == 'Red King'", "2", "cards cost 2 or less",
         "cards cost 2 or less, because of Red King (line 2)"),
        ("size('deck') > 0", "2", "cards cost 2 or less", "cards cost 2 or less"),
        ("not has('Map')", "2", "cards cost 2 or less", "cards cost 2 or less"),
    ],
)  # fmt: skip
def test_a_companion_is_named_with_its_line_and_its_condition(when, most, title, message):
    """Each card that breaks the condition is a finding; a rule without a cause names none."""
    rule = COMPANION.format(when=when, most=most, title=title)
    result = errors_of(rule, "1 Bee\nCompanion\n1 Small Friend\nArmy\n1 Cat\n1 Ant")
    assert result == [f"it: {message}: its cost is 3, above 2", f"it: {message}: its cost is 5, above 2"]


def test_a_companion_known_by_an_attribute():
    """The condition is an attribute of the card in the companion's zone."""
    rule = """
    [[require]]
    id    = "it"
    zones = ["deck"]
    when  = "n(zone == 'friend' and dearest != none) == 1"
    that  = "cost <= max(union(zone == 'friend', dearest))"
    title = "cards cost no more than the companion says"
    """
    assert errors_of(rule, "1 Bee\nCompanion\n1 Sly Friend") == [
        "it: cards cost no more than the companion says, because of Sly Friend (line 6): its cost is 3, above 2"
    ]


def test_the_card_that_chooses_a_bound_is_named():
    """And so is the leader if the bound is one of its attributes."""
    bound = "[[limit]]\nid = 'it'\nzones = ['deck']\nmin = \"9 if has('Cat') else 1\""
    assert errors_of(bound, "1 Bee\n1 Cat\nCompanion\n1 Sly Friend") == [
        "it: 2 cards, at least 9, because of Cat (line 5)"
    ]
    elsewhere = bound.replace("'Cat'", "'Sly Friend'")
    assert errors_of(elsewhere, "1 Bee\n1 Cat\nCompanion\n1 Sly Friend") == [
        "it: 2 cards, at least 9, because of Sly Friend (line 7)"
    ]
    assert errors_of("[[limit]]\nid = 'it'\nzones = ['deck']\nmax = 'leader.room'", "3 Bee") == [
        "it: 3 cards, at most 2 (the king's room)"
    ]


def test_a_bound_can_choose_a_value_of_each_card():
    """No card chooses the bound itself. `this` is then the card that is counted."""
    bound = "[[limit]]\nid = 'it'\nzones = ['deck']\n"
    assert errors_of(bound + "max = 'total(2 if fierce else 1) - 3'", "1 Bee\n1 Cat") == [
        "it: 2 cards, at most 1"
    ]
    assert errors_of(bound + "where = 'cost == this.cost'\nmax = 1", "1 Bee\n1 Cat") == [
        "it: 2 cards, at most 1"
    ]


@with_rows(
    ("deck", "message", "hint"),
    [
        ("1 Map", "does not belong in the Army: its kind is mission", "it belongs in the Mission deck"),
        ("Mission deck\n1 Ant", "does not belong in the Mission deck: its kind is unit, not mission",
         "it belongs in the Army"),
        ("Mission deck\n1 Map\nArmy\n1 Map", "does not belong in the Army: its kind is mission",
         "it belongs in the Mission deck, where Map (line 5) is already"),
        ("1 Red King", "does not belong in the Army: its kind is king",
         "it belongs in the king's place, where Red King (line 2) is already"),
    ],
)  # fmt: skip
def test_a_card_in_the_wrong_part(deck, message, hint):
    """The finding says why, and where the card belongs, even if that zone is full."""
    text = KINGDOM.replace("default = true", "default = true\nholds = \"kind not in ['mission', 'king']\"")
    result = verdict(rules(text, CARDS, attributes=TYPES), f"king\n1 Red King\nArmy\n{deck}")
    (finding,) = [finding for finding in result.findings if finding.rule == "wrong-zone"]
    assert (finding.message, finding.hint) == (message, hint)


def test_a_card_that_cannot_lead():
    """The finding says why."""
    result = verdict(rules(KINGDOM, CARDS, attributes=TYPES), "king\n1 Ant\nArmy\n1 Bee")
    (finding,) = result.findings
    assert finding.message == "cannot be the king: its kind is unit, not king"
    assert finding.hint == "it belongs in the Army"


ALLOW = """
[[allow]]
id    = "own"
title = "own faction"
zones = ["deck"]
where = "faction == leader.faction"
[[allow]]
id    = "few"
title = "two strangers"
zones = ["deck"]
where = "faction == 'blue'"
max   = 2
[[allow]]
id    = "spare"
title = "spare seats"
zones = ["deck"]
where = "faction == 'blue' or cost == 1"
max   = "leader.room - 2"
[[allow]]
id    = "asleep"
zones = ["deck"]
when  = "has('Map')"
where = "faction == 'blue'"
"""


def allowed(deck):
    result = verdict(rules(KINGDOM + ALLOW, CARDS, attributes=TYPES), f"king\n1 Red King\nArmy\n{deck}")
    return [(finding.message, finding.hint) for finding in result.findings]


def test_the_hint_names_only_permissions_with_room():
    """Not one that does not apply, or is used up."""
    assert allowed("1 Cat") == [
        (
            "no rule allows it in this deck",
            "not allowed as own faction: its faction is green, not red (the king's); "
            "two strangers: its faction is green, not blue",
        )
    ]
    assert allowed("2 Bee\n1 Cat") == [
        (
            "no rule allows it in this deck",
            "not allowed as own faction: its faction is green, not red (the king's)",
        )
    ]


def test_a_shortage_names_only_permissions_with_room():
    """`spare seats` fits the cards but has no room."""
    assert allowed("3 Bee") == [("3 copies need two strangers, which allows only 2", None)]


def test_a_card_that_fits_only_permissions_without_room():
    """The finding names them."""
    text = KINGDOM + ALLOW.replace('"two strangers"', '"none"').replace("max   = 2", "max   = 0")
    result = verdict(rules(text, CARDS, attributes=TYPES), "king\n1 Red King\nArmy\n1 Bee")
    assert [(finding.message, finding.hint) for finding in result.findings] == [
        (
            "only none or spare seats would allow it, but other cards of this deck use that up",
            "not allowed as own faction: its faction is blue, not red (the king's)",
        )
    ]


def test_explanations_do_not_count_steps():
    """They must not change a verdict."""
    rule = on_each_card("n(kind == 'mission') >= 1 or cost <= 2")
    ruleset = rules(KINGDOM + rule, CARDS, attributes=TYPES)
    from tests.decks.kit import deck as read_deck
    from tourney.decks import resolve
    from tourney.decks.reading.vocabulary import vocabulary_of
    from tourney.decks.resolving import deck_of_slots

    decklist = read_deck("king\n1 Red King\nArmy\n1 Bee\n1 Cat", vocabulary_of(ruleset.format))
    resolved = resolve(decklist, ruleset)
    deck = deck_of_slots(resolved.slots, ruleset)
    rule_ = next(rule for rule in ruleset.rules if getattr(rule, "formula", ""))
    list(rule_.judge(deck))
    before = deck.steps
    assert [finding.message for finding in rule_.judge(deck)] == [
        "no cards with kind mission, at least 1; or its cost is 3, above 2",
        "no cards with kind mission, at least 1; or its cost is 5, above 2",
    ]
    assert deck.steps == before


def test_permissions_without_room_do_not_join_shortages():
    """Cards that need different permissions are reported in different findings."""
    pool = {"Ant": {"kind": "unit", "traits": ["a"]}, "Bee": {"kind": "unit", "traits": ["a", "b"]}}
    rule = (
        '[[allow]]\nid = "a"\ntitle = "the first"\nwhere = "\'a\' in traits"\nmax = 0\n'
        '[[allow]]\nid = "b"\ntitle = "the second"\nwhere = "\'b\' in traits"\nmax = 1\n'
    )
    result = verdict(rules(rule, pool), "1 Ant\n2 Bee").findings
    assert [(finding.subjects, finding.message) for finding in result] == [
        (("Ant",), "only the first would allow it, but other cards of this deck use that up"),
        (("Bee",), "2 copies need the second, which allows only 1"),
    ]


def test_an_undecided_rule_without_missing_facts_is_unverified():
    """A deck is legal only if every error rule is decided; `*` and a number cannot be compared."""
    limit = '[[limit]]\nid = "strong"\nwhere = "strength > 3"\nmax = 0\n'
    cards = '{"name": "Ant", "strength": 2}\n{"name": "Star", "strength": "*"}\n'
    undeclared = parse_pool('game = "invented"\ncomplete = true\n', {"core": cards}, source="pool.toml")
    ruleset = Ruleset(format_of(DECK_ALONE + limit), None, undeclared, DAY)
    assert verdict(ruleset, "1 Ant").verdict == "legal"
    result = verdict(ruleset, "1 Ant\n1 Star")
    assert result.verdict == "unverified"
    [finding] = result.findings
    assert (finding.rule, finding.lines) == ("strong", (2,))
    assert not result.notes
