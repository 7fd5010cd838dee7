"""Verdicts: one finding for each cause.

Also names and printings, declared facts, notes and hashes. All cards are invented.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import with_rows
from tests.rules.kit import DAY, errors, format_of, handles, rules, verdict
from tourney.cards import parse_pool
from tourney.decks import CardFact, contradictions
from tourney.errors import RulesError, Severity
from tourney.rules import Ruleset

FORMAT = """
[leader]
noun  = "general"
zone  = "general"
holds = "kind == 'general'"
[[zone]]
id      = "deck"
default = true
size    = { max = 60 }
[[limit]]
id     = "copies"
zones  = ["deck"]
by     = "name"
max    = 4
[[limit]]
id      = "faction"
zones   = ["deck"]
where   = "faction not in ['neutral', leader.faction]"
max     = 0
message = "{faction} card, but the general ({leader.name}) is {leader.faction}"
[[limit]]
id    = "influence"
zones = ["deck"]
weigh = "cost if faction != leader.faction else 0"
max   = "leader.influence"
"""
CARDS = {
    "Red General": {"kind": "general", "faction": "red", "influence": 5},
    "Tank": {"kind": "unit", "faction": "red", "cost": 1},
    "Plane": {"kind": "unit", "faction": "blue", "cost": 1},
    "Depot": {"kind": "base", "faction": "neutral", "cost": 0},
    "Lost General": {"kind": "general"},
    "Lost Tank": {"kind": "unit"},
}


def complete(**more):
    return rules(FORMAT, CARDS, **more)


def open_(**more):
    return rules(FORMAT, CARDS, complete=False, **more)


def deck(*lines, general="Red General"):
    return "\n".join(["General", f"1 {general}", "Deck", *lines])


def facts(result):
    return [
        (finding.rule, finding.severity.value, finding.lines, finding.message) for finding in result.findings
    ]


# -- one root cause, one finding


def test_an_unknown_general_in_an_open_pool_is_one_finding():
    """Two rules cannot judge sixty cards; the one finding names both rules."""
    cards = [f"1 Unheard {number}" for number in range(55)] + ["4 Tank"]
    result = verdict(open_(), deck(*cards, general="Nobody Known"))
    (only,) = result.findings
    assert result.verdict == "unverified"
    assert (only.severity, only.rule, len(only.lines)) == (
        Severity.UNVERIFIED,
        "wrong-zone, faction, influence",
        56,
    )
    assert only.message == "kind, faction, influence and cost not known for 56 cards"


def test_one_finding_names_all_rules_that_miss_a_fact():
    """The faction and the influence of the general are unknown."""
    result = verdict(open_(), deck("4 Tank", general="Lost General"))
    assert facts(result) == [("faction, influence", "unverified", (2,), "faction and influence not known")]


def test_a_missing_general_is_one_finding():
    """A note names the rules that cannot be judged without a general."""
    result = verdict(complete(), "Deck\n4 Plane")
    assert errors(result) == ["size: no cards, exactly 1 is needed"]
    assert result.notes == ("rules not judged because there is no general: faction, influence",)


def test_two_generals_are_one_finding():
    """It is not clear which general's faction applies, so those rules are not judged."""
    result = verdict(complete(), "General\n2 Red General\nDeck\n4 Plane")
    assert errors(result) == ["size: 2 cards, exactly 1 is needed"]
    assert result.notes == ("rules not judged because 2 cards are listed as the general: faction, influence",)


def test_a_card_that_is_not_a_general_has_one_finding():
    """The finding is about the general's zone, not about sixty cards of other factions."""
    result = verdict(complete(), deck("4 Tank", general="Plane"))
    assert handles(result) == ["wrong-zone"]
    assert result.notes == ("rules not judged because the general is not allowed: faction, influence",)


def test_a_card_in_the_wrong_zone_has_one_finding():
    """Another rule about that zone adds no finding, but a ban does."""
    cards = CARDS | {"Blue General": {"kind": "general", "faction": "blue", "influence": 5}}
    text = FORMAT.replace("size    = { max = 60 }", "size    = { max = 60 }\nholds   = \"kind != 'general'\"")
    assert handles(verdict(rules(text, cards), deck("1 Blue General"))) == ["wrong-zone"]
    banned = rules(text, cards, banlist='[cards]\n"Blue General" = 0')
    assert handles(verdict(banned, deck("1 Blue General"))) == ["wrong-zone", "banned"]


def test_an_unknown_card_in_a_complete_pool_has_one_finding():
    """The finding says that there is no such card; missing facts about the card add none."""
    result = verdict(complete(), deck("4 Tank", "1 Tanc", "2 Gargoyle of Elsewhere"))
    assert facts(result) == [
        ("card", "error", (5,), "no such card; did you mean Tank?"),
        ("card", "error", (6,), "no such card"),
    ]
    assert result.notes == ("rules not judged because there are unknown cards: faction, influence",)


def test_findings_are_in_line_order():
    """Findings about no line come last, and the order is the same every time."""
    text = deck("5 Tank", "1 Plane", "60 Depot", general="Red General")
    result = verdict(complete(), text)
    assert [(finding.rule, finding.lines) for finding in result.findings] == [
        ("copies", (4,)),
        ("faction", (5,)),
        ("copies", (6,)),
        ("size", ()),
    ]
    assert result == verdict(complete(), text)


# -- open and complete pools


def test_names_missing_from_an_open_pool_are_one_note():
    """Rules that need only names still decide."""
    names_only = (
        '[[zone]]\nid = "deck"\nsize = { max = 60 }\n[[limit]]\nid = "unique"\nby = "name"\nmax = 1\n'
    )
    text = "\n".join(f"1 Unheard {number}" for number in range(60))
    result = verdict(rules(names_only, {"Kite": {}}, complete=False), text)
    assert (result.verdict, result.findings) == ("legal", ())
    assert result.notes == ("60 names are not in the pool; names only were checked",)
    assert verdict(rules(names_only, {}, complete=False), f"{text}\n1 Unheard 0").verdict == "illegal"


def test_a_near_name_in_an_open_pool_is_only_asked_about():
    """The name stays another card."""
    result = verdict(open_(), deck("4 Tank", "1 Tannk {faction=red, cost=1, kind=unit}"), trust_declared=True)
    assert result.verdict == "legal"
    assert result.notes == (
        "1 name is not in the pool; names only were checked (line 5 `Tannk`: did you mean Tank?)",
    )


def test_a_missing_value_differs_from_an_unknown_one():
    """In a complete pool a missing value is none, in an open one unknown.

    `null` is none in both.
    """
    text = "[[limit]]\nid = 'aligned'\nwhere = 'faction != none'\nmax = 0\n"
    cards = {"Said": {"faction": "red"}, "Blank": {"faction": None}, "Unsaid": {}}
    for pool_is_complete, outcomes in ((True, "illegal legal legal"), (False, "illegal legal unverified")):
        ruleset = rules(text, cards, complete=pool_is_complete)
        assert [verdict(ruleset, f"1 {card}").verdict for card in cards] == outcomes.split()


def test_an_attribute_listed_as_unknown_is_unknown():
    """`unknown` in the card's line works in a complete pool, too."""
    ruleset = rules(
        "[[limit]]\nid = 'red'\nwhere = \"faction == 'red'\"\nmax = 0\n",
        {"Guess": {"unknown": ["faction"]}},
        attributes={"faction": "text"},
    )
    assert verdict(ruleset, "1 Guess").verdict == "unverified"


# -- names

NAMES = {
    "Æther Vial": {},
    "Fire // Ice": {},
    "Minsc & Boo": {"aliases": ["Minsc"]},
    "Bolt": {
        "printings": [
            {"set": "LEA", "number": "1"},
            {"set": "OLD", "number": "2", "status": "outdated", "note": "before the errata"},
        ]
    },
    "Slip": {"printings": [{"set": "LEA", "number": "9", "status": "misprint"}]},
    "Bolt (Foil)": {},
}
COPIES = '[[limit]]\nid = "copies"\nby = "name"\nmax = 4\n'


@with_rows(
    ("text", "broken"),
    [
        ("3 æther vial\n2 Aether Vial", ["copies"]),
        ("3 Fire/Ice\n2 Fire // Ice", ["copies"]),
        ("3 Minsc\n2 Minsc & Boo", ["copies"]),
        ("3 Bolt (LEA) 1\n2 Bolt", ["copies"]),
        ("3 Bolt\n2 Bolt (Foil)", []),
    ],
)
def test_copies_are_summed_over_spellings_and_printings(text, broken):
    """Aliases count, too. A parenthesis that belongs to a name makes another card."""
    assert handles(verdict(rules(COPIES, NAMES), text)) == broken


def test_an_alias_or_a_shortened_name_is_a_correction():
    """The corrections name the lines."""
    result = verdict(rules(COPIES, NAMES), "1 Minsc\n1 Bolt (shiny)\n1 Bolt (LEA) 1")
    assert [
        (correction.line, correction.taken_as, correction.reason) for correction in result.corrections
    ] == [
        (1, "Minsc & Boo", "another name of the card"),
        (2, "Bolt", "`(shiny)` read as decoration"),
    ]


def test_a_hint_shows_the_words_read_as_a_printing():
    """The hint appears if lines count as the same card only because of that reading."""
    result = verdict(rules(COPIES, NAMES), "3 Bolt (LEA) 1\n2 Bolt")
    assert result.findings[0].hint == "read as a printing: line 1: `(LEA) 1`"


@with_rows(
    ("text", "messages"),
    [
        ("1 Bolt", []),
        ("1 Bolt (LEA) 1", []),
        ("1 Bolt (OLD) 2", ["printing: the printing (OLD) 2 is an outdated version"]),
        ("1 Bolt [old]", ["printing: the printing (old) is an outdated version"]),
        ("1 Slip", ["printing: every printing is a misprint"]),
    ],
)
def test_printings(text, messages):
    """A card that has only outdated or misprinted printings may not be played either."""
    assert errors(verdict(rules(COPIES, NAMES), text)) == messages


def test_a_format_may_allow_other_printings():
    """`[printings] allow`, with the format's rule id and citation."""
    ruleset = rules(
        COPIES + '[printings]\nid = "era"\nallow = ["current", "outdated"]\ncite = "page 3"\n', NAMES
    )
    assert errors(verdict(ruleset, "1 Bolt (OLD) 2")) == []
    result = verdict(ruleset, "1 Slip")
    assert [(finding.rule, finding.cite) for finding in result.findings] == [("era", "page 3")]


def test_cards_with_one_name_are_distinguished_by_printing():
    """Without a printing, only the facts that they share are known."""
    cards = {"Fox": {"id": "fox-1", "name": "Fox", "kind": "unit", "cost": 1, "printings": [{"set": "A"}]}}
    twins = cards | {
        "Fox2": {"id": "fox-2", "name": "Fox", "kind": "unit", "cost": 3, "printings": [{"set": "B"}]}
    }
    text = "[[limit]]\nid = 'cheap'\nwhere = 'cost > 2'\nmax = 0\n[[limit]]\nid = 'units'\nwhere = \"kind == 'unit'\"\nmax = 2\n"
    ruleset = rules(text, twins, key="id")
    assert verdict(ruleset, "1 Fox (A) 1").verdict == "legal"
    assert handles(verdict(ruleset, "1 Fox [B]")) == ["cheap"]
    assert verdict(ruleset, "1 Fox").verdict == "unverified"
    assert handles(verdict(ruleset, "3 Fox")) == ["units"]


# -- the rules' fault


def test_a_rule_that_takes_too_many_steps_is_an_error(monkeypatch):
    """The error names deck and format, so a batch does not take it for an illegal list."""
    text = '[[require]]\nid = "slow"\nwhere = "true"\nthat = "n(n(n(qty <= this.qty) <= this.qty) <= this.qty) >= 0"'
    lines = [f"1 Paper Card {number}" for number in range(60)]
    monkeypatch.setattr("tourney.rules.expressions.deck.MOST_STEPS", 10_000)
    with pytest.raises(
        RulesError, match=r"judging deck.txt by invented/standard takes more than 10,000 steps"
    ):
        verdict(rules(text), "\n".join(lines))


def test_a_malformed_card_line_is_an_error_of_the_pool():
    """The line is decoded when a verdict first needs the card."""
    pool = parse_pool(
        'game = "invented"\ncomplete = true\n[attributes]\nkind = "text"\n',
        {"core": '{"name": "Kite", "kind": 7}'},
        source="cards/pool.toml",
    )
    with pytest.raises(RulesError, match=r"cards/core.jsonl:1: kind: expected text, found a number"):
        verdict(Ruleset(format_of(""), None, pool, DAY), "1 Kite")


# -- declared facts


def test_declared_facts_count_only_if_trusted():
    """Otherwise the list is unverified, and a note says what the verdict would be.

    If trusted, the verdict lists the facts used.
    """
    text = deck(
        "4 Tank", "2 Unheard {faction=red, cost=2}", general="Lost General {faction=red, influence=3}"
    )
    doubtful = verdict(open_(), text)
    assert doubtful.verdict == "unverified"
    assert doubtful.notes[-1] == (
        "if you trust the facts that it declares, the list is legal (`--trust-declared`)"
    )
    trusted = verdict(open_(), text, trust_declared=True)
    assert (trusted.verdict, trusted.facts_used) == (
        "legal",
        ("line 2: Lost General: faction red, influence 3", "line 5: Unheard: faction red, cost 2"),
    )
    assert doubtful.facts_used == ()


def test_the_pool_overrules_declared_facts():
    """The difference is a finding with the line and both values."""
    result = verdict(open_(), deck("1 Plane {faction=red}"), trust_declared=True)
    assert "faction" in handles(result)
    (finding,) = [finding for finding in result.findings if finding.rule == "fact"]
    assert (
        finding.message
        == "declared fact: faction is red here, but blue in the pool; the value of the pool counts"
    )
    assert (finding.lines, finding.subjects, finding.severity) == ((4,), ("Plane",), Severity.ADVICE)
    assert not [
        finding
        for finding in verdict(open_(), deck("1 Plane {faction=BLUE}")).findings
        if finding.rule == "fact"
    ]


def test_a_declared_empty_value_means_none():
    """`{pitch=}` says that the card has no pitch. For `by`, such cards form their own group."""
    limit = FORMAT.replace('by     = "name"', 'by     = ["name", "pitch"]')
    pitched = CARDS | {"Red Card": {"kind": "unit", "pitch": 1}}
    ruleset = rules(limit, pitched, complete=False)
    for fact in ("", "-", '""'):
        result = verdict(ruleset, deck(f"12 Unheard {{pitch={fact}}}"), trust_declared=True)
        assert [finding.message for finding in result.findings if finding.rule == "copies"] == [
            "12 copies with no pitch, at most 4"
        ]
        assert "line 4: Unheard: pitch none" in result.facts_used
    agreed = verdict(ruleset, deck("1 Unheard {pitch=}", "1 Unheard {pitch=none}"), trust_declared=True)
    assert not [finding for finding in agreed.findings if finding.rule == "fact"]


def test_a_malformed_declared_fact_is_advice():
    """A text where the pool has a number. It is advice because the list breaks no rule by it."""
    result = verdict(open_(), deck("1 Lost Tank {cost=dear}"), trust_declared=True)
    advice = [finding for finding in result.findings if finding.severity is Severity.ADVICE]
    assert [(finding.rule, finding.lines) for finding in advice] == [("fact", (4,))]


def test_a_misspelt_declared_fact_is_reported():
    """Otherwise the fact would silently have no effect.

    A name unlike any attribute of the pool is accepted.
    """
    result = verdict(open_(), deck("1 Unheard {facton=red, artist=Quill}"), trust_declared=True)
    (message,) = [finding.message for finding in result.findings if finding.rule == "fact"]
    assert message == "declared fact: `facton` is not an attribute of the pool; did you mean faction?"


VALUES = st.sampled_from(["red", "Red", "blue", None, ("red", "blue"), ("blue", "red"), 2, 3])
LISTS = st.dictionaries(
    st.sampled_from(["Anna", "Tom", "Kit", "Lou"]),
    st.lists(
        st.builds(
            CardFact,
            st.integers(1, 9),
            st.sampled_from(["Zeph", "ZEPH", "Fox"]),
            st.sampled_from(["faction", "cost"]),
            VALUES,
        ),
        max_size=4,
    ),
)


@given(LISTS)
def test_all_contradictions_between_lists_are_found(lists):
    """One finding for each card and fact on which two lists or lines differ, by brute force."""

    def plain(value):
        return (
            value.casefold()
            if isinstance(value, str)
            else frozenset(value)
            if isinstance(value, tuple)
            else value
        )

    statements = [(owner, fact) for owner, declared in lists.items() for fact in declared]
    differ = {
        (one.card.casefold(), one.attribute): True
        for _, one in statements
        for _, other in statements
        if (one.card.casefold(), one.attribute) == (other.card.casefold(), other.attribute)
        and plain(one.value) != plain(other.value)
    }
    results = list(contradictions(lists))
    assert len(results) == len(differ)
    assert {item.subjects[0].casefold() for item in results} == {card for card, _ in differ}
    for owner, declared in lists.items():
        mine = {(fact.card.casefold(), fact.attribute) for fact in declared}
        assert len(list(contradictions(lists, owner))) == len(mine & differ.keys())


def test_a_contradiction_names_both_places():
    """In the words for the desk, and in the words for the player who submits a list."""
    lists = {
        "Anna": [CardFact(3, "Zeph", "faction", "Red")],
        "Tom": [CardFact(7, "Zeph", "faction", "Blue")],
    }
    (whole,), (own_view,) = contradictions(lists), contradictions(lists, "Tom")
    assert (
        whole.message
        == "the faction of Zeph is Red in the list of Anna (line 3), Blue in the list of Tom (line 7)"
    )
    assert (own_view.message, own_view.lines) == (
        "faction is Blue here, Red in the list of Anna (line 3)",
        (7,),
    )
    (odd,) = contradictions({"Kit": lists["Anna"], **lists})
    assert odd.message == (
        "the faction of Zeph is Blue in the list of Tom (line 7), Red in the lists of Kit (line 3) and Anna (line 3)"
    )


def test_declared_facts_do_not_change_the_hash():
    """The hash covers only the cards."""
    with_facts, without = (
        verdict(open_(), deck(f"1 Unheard {facts_text}")) for facts_text in ("{faction=red}", "")
    )
    assert with_facts.hash == without.hash


# -- notes, ban lists, hashes


def test_a_missing_ban_list_is_noted():
    """The note appears only if the format has a ban list, and the verdict stays the same."""
    text = '[format]\nid = "invented/standard"\nbanlist = "invented/list"\nbanlist_at = "the club\'s door"\n'
    result = verdict(rules(text, {"Ant": {}}), "1 Ant")
    assert result.verdict == "legal"
    assert result.notes == (
        "ban list not checked: none installed (`tourney banlist import FILE`; published at the club's door)",
    )
    assert verdict(rules("", {"Ant": {}}), "1 Ant").notes == ()


def test_the_verdict_names_the_ban_list_its_day_and_digest():
    """With them the check can be repeated."""
    result = verdict(rules("", {"Ant": {}}, banlist='[cards]\n"Ant" = 0'), "1 Ant")
    assert (result.banlist.name, result.banlist.day.isoformat(), len(result.banlist.fingerprint)) == (
        "invented/list",
        "2026-11-20",
        12,
    )
    assert len(result.banlist.digest) == 64
    assert result.banlist.digest.startswith(result.banlist.fingerprint)
    assert result.findings[0].cite == "ban list invented/list of 2026-11-20"


CARD_NAMES = [name for name in NAMES if name not in {"Bolt (Foil)", "Slip"}]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.sampled_from(CARD_NAMES)), min_size=1, max_size=8), st.randoms()
)
def test_the_hash_ignores_order_comments_and_printings(cards, dice):
    """Splitting lines does not change the hash either; one more copy does."""
    ruleset = rules(COPIES, NAMES)
    shuffled = [
        line
        for copies, name in cards
        for line in ([f"{copies} {name}"] if dice.random() < 0.5 else [f"1 {name}"] * copies)
    ]
    dice.shuffle(shuffled)
    marked = [f"{line} (LEA) 1" if line.endswith("Bolt") else line for line in shuffled]
    plain = verdict(ruleset, "\n".join(f"{copies} {name}" for copies, name in cards)).hash
    assert verdict(ruleset, "\n".join(["// a comment", *marked])).hash == plain
    assert verdict(ruleset, "\n".join([*marked, "1 Bolt"])).hash != plain


def test_the_hash_depends_on_zones():
    text = '[[zone]]\nid = "deck"\n[[zone]]\nid = "side"\n'
    first, second = (
        verdict(rules(text, NAMES), cards).hash
        for cards in ("2 Bolt\nside\n1 Minsc", "1 Bolt\nside\n1 Bolt\n1 Minsc")
    )
    assert first != second


def test_invalid_counts_are_findings():
    """The rest of the list is still judged, and negative counts do not make the deck smaller."""
    result = verdict(
        rules('[[zone]]\nid = "deck"\nsize = { max = 3 }\n', NAMES),
        "4 Bolt\n-3 Minsc\n0 Fire // Ice\n1.5 Bolt",
    )
    assert handles(result) == ["count", "count", "count", "size"]
    assert result.cards == 4


def test_an_empty_list_is_judged_like_any_other():
    """The format decides whether an empty deck is legal."""
    assert verdict(rules('[[zone]]\nid = "deck"\nsize = { max = 60 }\n', NAMES), "").verdict == "legal"
    assert handles(verdict(rules('[[zone]]\nid = "deck"\nsize = 60\n', NAMES), "")) == ["size"]


def test_ten_million_copies_are_judged_quickly():
    """Copies are not listed one by one."""
    result = verdict(rules(COPIES + '[[allow]]\nwhere = "true"\nmax = 5\n', NAMES), "10000000 Bolt")
    assert result.verdict == "illegal"
    assert result.cards in {0, 10_000_000}
