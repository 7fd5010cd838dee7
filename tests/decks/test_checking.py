"""The verdict: one root cause one finding, names and printings, declared facts, notes, hashes. All cards are invented."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.kit import DAY, errors, format_of, handles, rules, verdict
from tourney.cards import parse_pool
from tourney.decks import Declared, contradictions
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


def facts(found):
    return [
        (finding.rule, finding.severity.value, finding.lines, finding.message) for finding in found.findings
    ]


# -- one root cause, one finding


def test_an_unknown_general_in_an_open_pool_is_one_finding():
    """Sixty cards hang on it; both rules that do are told in one line."""
    cards = [f"1 Unheard {number}" for number in range(55)] + ["4 Tank"]
    found = verdict(open_(), deck(*cards, general="Nobody Known"))
    (only,) = found.findings
    assert found.verdict == "unverified"
    assert (only.severity, only.rule, len(only.lines)) == (
        Severity.UNVERIFIED,
        "wrong-zone, faction, influence",
        56,
    )
    assert only.message == "kind, faction, influence and cost not known for 56 cards"


def test_two_rules_that_miss_the_same_fact_are_one_finding():
    """The general's faction and influence: one line, both rules named."""
    found = verdict(open_(), deck("4 Tank", general="Lost General"))
    assert facts(found) == [("faction, influence", "unverified", (2,), "faction and influence not known")]


def test_a_missing_general_is_the_finding_and_the_rest_a_note():
    """Nothing that hangs on the general is judged."""
    found = verdict(complete(), "Deck\n4 Plane")
    assert errors(found) == ["size: no cards, exactly 1 is needed"]
    assert found.notes == ("not judged while there is no general: faction, influence",)


def test_two_generals_are_the_finding_and_the_rest_a_note():
    """Nobody knows whose faction holds."""
    found = verdict(complete(), "General\n2 Red General\nDeck\n4 Plane")
    assert errors(found) == ["size: 2 cards, exactly 1 is needed"]
    assert found.notes == ("not judged while 2 cards are in the general's place: faction, influence",)


def test_a_general_who_is_none_leads_nobody():
    """The card in the general's place is told, not sixty cards of other factions."""
    found = verdict(complete(), deck("4 Tank", general="Plane"))
    assert handles(found) == ["wrong-zone"]
    assert found.notes == ("not judged while the general is not allowed: faction, influence",)


def test_a_card_in_the_wrong_place_is_told_once():
    """That it may not be in that deck by another rule, too, is not said again; a ban is."""
    cards = CARDS | {"Blue General": {"kind": "general", "faction": "blue", "influence": 5}}
    text = FORMAT.replace("size    = { max = 60 }", "size    = { max = 60 }\nholds   = \"kind != 'general'\"")
    assert handles(verdict(rules(text, cards), deck("1 Blue General"))) == ["wrong-zone"]
    banned = rules(text, cards, banlist='[cards]\n"Blue General" = 0')
    assert handles(verdict(banned, deck("1 Blue General"))) == ["wrong-zone", "banned"]


def test_an_unknown_card_in_a_complete_pool_is_illegal_and_nothing_else_of_it_is():
    """No such card; that its faction and cost are unknown is not said again."""
    found = verdict(complete(), deck("4 Tank", "1 Tanc", "2 Gargoyle of Elsewhere"))
    assert facts(found) == [
        ("card", "error", (5,), "no such card; did you mean Tank?"),
        ("card", "error", (6,), "no such card"),
    ]
    assert found.notes == ("not judged while there are unknown cards: faction, influence",)


def test_findings_stand_in_line_order_those_about_no_line_last():
    """All problems at once, always the same."""
    text = deck("5 Tank", "1 Plane", "60 Depot", general="Red General")
    found = verdict(complete(), text)
    assert [(finding.rule, finding.lines) for finding in found.findings] == [
        ("copies", (4,)),
        ("faction", (5,)),
        ("copies", (6,)),
        ("size", ()),
    ]
    assert found == verdict(complete(), text)


# -- open and complete pools


def test_that_a_card_is_missing_from_an_open_pool_is_one_note_for_the_list():
    """Rules that need nothing but names decide."""
    names_only = (
        '[[zone]]\nid = "deck"\nsize = { max = 60 }\n[[limit]]\nid = "unique"\nby = "name"\nmax = 1\n'
    )
    text = "\n".join(f"1 Unheard {number}" for number in range(60))
    found = verdict(rules(names_only, {"Kite": {}}, complete=False), text)
    assert (found.verdict, found.findings) == ("legal", ())
    assert found.notes == ("60 names are not in the pool; names only were checked",)
    assert verdict(rules(names_only, {}, complete=False), f"{text}\n1 Unheard 0").verdict == "illegal"


def test_a_near_miss_in_an_open_pool_is_asked_never_taken():
    """It is another card until somebody says otherwise."""
    found = verdict(open_(), deck("4 Tank", "1 Tannk {faction=red, cost=1, kind=unit}"), trust_declared=True)
    assert found.verdict == "legal"
    assert found.notes == (
        "1 name is not in the pool; names only were checked (line 5 `Tannk`: did you mean Tank?)",
    )


def test_blank_is_not_unknown():
    """In a complete pool what is not written is none; in an open pool it is unknown, and `null` says none in both."""
    text = "[[limit]]\nid = 'aligned'\nwhere = 'faction != none'\nmax = 0\n"
    cards = {"Said": {"faction": "red"}, "Blank": {"faction": None}, "Unsaid": {}}
    for pool_is_complete, outcomes in ((True, "illegal legal legal"), (False, "illegal legal unverified")):
        ruleset = rules(text, cards, complete=pool_is_complete)
        assert [verdict(ruleset, f"1 {card}").verdict for card in cards] == outcomes.split()


def test_a_value_that_is_only_guessed_is_unknown_also_in_a_complete_pool():
    """`unknown` on the card's line."""
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


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("3 æther vial\n2 Aether Vial", ["copies"]),
        ("3 Fire/Ice\n2 Fire // Ice", ["copies"]),
        ("3 Minsc\n2 Minsc & Boo", ["copies"]),
        ("3 Bolt (LEA) 1\n2 Bolt", ["copies"]),
        ("3 Bolt\n2 Bolt (Foil)", []),
    ],
)
def test_copies_add_up_over_spellings_aliases_and_printings(text, broken):
    """And a parenthesis that belongs to a name makes another card."""
    assert handles(verdict(rules(COPIES, NAMES), text)) == broken


def test_an_alias_and_a_stripped_name_are_corrections():
    """Taken, and told with their lines."""
    found = verdict(rules(COPIES, NAMES), "1 Minsc\n1 Bolt (shiny)\n1 Bolt (LEA) 1")
    assert [
        (correction.line, correction.taken_as, correction.reason) for correction in found.corrections
    ] == [
        (1, "Minsc & Boo", "another name of the card"),
        (2, "Bolt", "`(shiny)` taken for decoration"),
    ]


def test_which_words_were_taken_for_a_printing_is_hinted():
    """Where that made lines equal that are not written so."""
    found = verdict(rules(COPIES, NAMES), "3 Bolt (LEA) 1\n2 Bolt")
    assert found.findings[0].hint == "taken for a printing: line 1: `(LEA) 1`"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 Bolt", []),
        ("1 Bolt (LEA) 1", []),
        ("1 Bolt (OLD) 2", ["printing: the printing (OLD) 2 is an outdated version"]),
        ("1 Bolt [old]", ["printing: the printing (old) is an outdated version"]),
        ("1 Slip", ["printing: every printing is a misprint"]),
    ],
)
def test_printings(text, said):
    """A printing marked outdated or misprint may not be played; a card of which only such exist may not either."""
    assert errors(verdict(rules(COPIES, NAMES), text)) == said


def test_a_format_may_allow_other_printings():
    """`[printings] allow`, in its own words and with its citation."""
    ruleset = rules(
        COPIES + '[printings]\nid = "era"\nallow = ["current", "outdated"]\ncite = "page 3"\n', NAMES
    )
    assert errors(verdict(ruleset, "1 Bolt (OLD) 2")) == []
    found = verdict(ruleset, "1 Slip")
    assert [(finding.rule, finding.cite) for finding in found.findings] == [("era", "page 3")]


def test_cards_that_share_a_name_are_told_apart_by_printing():
    """Without one, only what they have in common is known."""
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


def test_rules_that_cannot_be_asked_to_the_end_are_no_deck_s_fault(monkeypatch):
    """Counts within counts within counts: the deck and the format are named, and a batch can tell it from a bad list."""
    text = '[[require]]\nid = "slow"\nwhere = "true"\nthat = "n(n(n(qty <= this.qty) <= this.qty) <= this.qty) >= 0"'
    lines = [f"1 Paper Card {number}" for number in range(60)]
    monkeypatch.setattr("tourney.rules.expressions.deck.MOST_STEPS", 100_000)
    with pytest.raises(
        RulesError, match=r"judging deck.txt by invented/standard takes more than 100,000 steps"
    ):
        verdict(rules(text), "\n".join(lines))


def test_a_card_s_line_that_is_none_is_the_pool_s_fault():
    """It is decoded when the card is first asked for, at judging."""
    pool = parse_pool(
        'game = "invented"\ncomplete = true\n[attributes]\nkind = "text"\n',
        {"core": '{"name": "Kite", "kind": 7}'},
        source="cards/pool.toml",
    )
    with pytest.raises(RulesError, match=r"cards/core.jsonl:1: kind: expected text, found a number"):
        verdict(Ruleset(format_of(""), None, pool, DAY), "1 Kite")


# -- declared facts


def test_declared_facts_count_only_on_the_organizers_word():
    """Without it the list is unverified and says what it would be; with it the verdict says which facts were used."""
    text = deck(
        "4 Tank", "2 Unheard {faction=red, cost=2}", general="Lost General {faction=red, influence=3}"
    )
    doubtful = verdict(open_(), text)
    assert doubtful.verdict == "unverified"
    assert doubtful.notes[-1] == "with the facts it declares the list would be legal (--trust-declared)"
    trusted = verdict(open_(), text, trust_declared=True)
    assert (trusted.verdict, trusted.facts_used) == (
        "legal",
        ("line 2: Lost General: faction red, influence 3", "line 5: Unheard: faction red, cost 2"),
    )
    assert doubtful.facts_used == ()


def test_declared_facts_do_not_overrule_the_pool():
    """What the pool knows stands; the difference is found, with its line and both values."""
    found = verdict(open_(), deck("1 Plane {faction=red}"), trust_declared=True)
    assert "faction" in handles(found)
    (told,) = [finding for finding in found.findings if finding.rule == "fact"]
    assert told.message == "declared fact: faction is red here, blue in the pool, which counts"
    assert (told.lines, told.subjects, told.severity) == ((4,), ("Plane",), Severity.ADVICE)
    assert not [
        finding
        for finding in verdict(open_(), deck("1 Plane {faction=BLUE}")).findings
        if finding.rule == "fact"
    ]


def test_a_declared_empty_value_is_a_blank():
    """`{pitch=}` says that the card has no pitch: such cards are a group of their own for `by`."""
    limit = FORMAT.replace('by     = "name"', 'by     = ["name", "pitch"]')
    pitched = CARDS | {"Red Card": {"kind": "unit", "pitch": 1}}
    ruleset = rules(limit, pitched, complete=False)
    for fact in ("", "-", '""'):
        found = verdict(ruleset, deck(f"12 Unheard {{pitch={fact}}}"), trust_declared=True)
        assert [finding.message for finding in found.findings if finding.rule == "copies"] == [
            "12 copies with no pitch, at most 4"
        ]
        assert "line 4: Unheard: pitch none" in found.facts_used
    agreed = verdict(ruleset, deck("1 Unheard {pitch=}", "1 Unheard {pitch=none}"), trust_declared=True)
    assert not [finding for finding in agreed.findings if finding.rule == "fact"]


def test_a_fact_that_is_none_is_told():
    """A number that is no number; advice, because the list itself breaks no rule by it."""
    found = verdict(open_(), deck("1 Lost Tank {cost=dear}"), trust_declared=True)
    advice = [finding for finding in found.findings if finding.severity is Severity.ADVICE]
    assert [(finding.rule, finding.lines) for finding in advice] == [("fact", (4,))]


def test_a_fact_whose_name_is_nearly_one_is_told():
    """It would count for nothing, and nobody would see why; a name that is like none of the pool's may be anything."""
    found = verdict(open_(), deck("1 Unheard {facton=red, artist=Quill}"), trust_declared=True)
    (told,) = [finding.message for finding in found.findings if finding.rule == "fact"]
    assert told == "declared fact: `facton` is not an attribute of the pool; did you mean faction?"


VALUES = st.sampled_from(["red", "Red", "blue", None, ("red", "blue"), ("blue", "red"), 2, 3])
LISTS = st.dictionaries(
    st.sampled_from(["Anna", "Tom", "Kit", "Lou"]),
    st.lists(
        st.builds(
            Declared,
            st.integers(1, 9),
            st.sampled_from(["Zeph", "ZEPH", "Fox"]),
            st.sampled_from(["faction", "cost"]),
            VALUES,
        ),
        max_size=4,
    ),
)


@given(LISTS)
def test_contradictions_between_lists_are_all_found(lists):
    """By brute force: a finding for each card and fact of which two lists, or two lines, say another value; from both sides."""

    def plain(value):
        return (
            value.casefold()
            if isinstance(value, str)
            else frozenset(value)
            if isinstance(value, tuple)
            else value
        )

    told = [(owner, fact) for owner, declared in lists.items() for fact in declared]
    differ = {
        (one.card.casefold(), one.attribute): True
        for _, one in told
        for _, other in told
        if (one.card.casefold(), one.attribute) == (other.card.casefold(), other.attribute)
        and plain(one.value) != plain(other.value)
    }
    found = list(contradictions(lists))
    assert len(found) == len(differ)
    assert {item.subjects[0].casefold() for item in found} == {card for card, _ in differ}
    for owner, declared in lists.items():
        mine = {(fact.card.casefold(), fact.attribute) for fact in declared}
        assert len(list(contradictions(lists, owner))) == len(mine & differ.keys())


def test_a_contradiction_names_every_place():
    """Both lists with their lines: as a desk reads it, and as it is told to whoever hands one in."""
    lists = {"Anna": [Declared(3, "Zeph", "faction", "Red")], "Tom": [Declared(7, "Zeph", "faction", "Blue")]}
    (whole,), (seen,) = contradictions(lists), contradictions(lists, "Tom")
    assert (
        whole.message
        == "faction of Zeph is Red in the list of Anna (line 3), Blue in the list of Tom (line 7)"
    )
    assert (seen.message, seen.lines) == ("faction is Blue here, Red in the list of Anna (line 3)", (7,))
    (odd,) = contradictions({"Kit": lists["Anna"], **lists})
    assert odd.message == (
        "faction of Zeph is Blue in the list of Tom (line 7), Red in the lists of Kit (line 3) and Anna (line 3)"
    )


def test_declared_facts_never_make_another_deck_of_it():
    """The hash is of cards, not of what is said of them."""
    with_facts, without = (verdict(open_(), deck(f"1 Unheard {said}")) for said in ("{faction=red}", ""))
    assert with_facts.hash == without.hash


# -- notes, ban lists, hashes


def test_that_no_ban_list_is_installed_is_said_and_changes_nothing():
    """Only where the format has one."""
    text = '[format]\nid = "invented/standard"\nbanlist = "invented/list"\nbanlist_at = "the club\'s door"\n'
    found = verdict(rules(text, {"Ant": {}}), "1 Ant")
    assert found.verdict == "legal"
    assert found.notes == (
        "ban list not checked: none installed (`tourney banlist import FILE`; published at the club's door)",
    )
    assert verdict(rules("", {"Ant": {}}), "1 Ant").notes == ()


def test_the_verdict_names_list_day_and_digest():
    """So that it can be repeated."""
    found = verdict(rules("", {"Ant": {}}, banlist='[cards]\n"Ant" = 0'), "1 Ant")
    assert (found.banlist.name, found.banlist.day.isoformat(), len(found.banlist.fingerprint)) == (
        "invented/list",
        "2026-11-20",
        12,
    )
    assert len(found.banlist.digest) == 64
    assert found.banlist.digest.startswith(found.banlist.fingerprint)
    assert found.findings[0].cite == "ban list invented/list of 2026-11-20"


CARD_NAMES = [name for name in NAMES if name not in {"Bolt (Foil)", "Slip"}]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.sampled_from(CARD_NAMES)), min_size=1, max_size=8), st.randoms()
)
def test_the_hash_is_the_decks_whatever_its_order_comments_and_printings(cards, dice):
    """Shuffled, split over lines, commented and with printings: the same; one copy more: another."""
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


def test_zones_are_part_of_the_deck():
    """The same cards in other zones are another deck."""
    text = '[[zone]]\nid = "deck"\n[[zone]]\nid = "side"\n'
    first, second = (
        verdict(rules(text, NAMES), cards).hash
        for cards in ("2 Bolt\nside\n1 Minsc", "1 Bolt\nside\n1 Bolt\n1 Minsc")
    )
    assert first != second


def test_counts_that_are_none_are_findings_and_the_rest_is_judged():
    """Padding a list with negative counts does not make it smaller."""
    found = verdict(
        rules('[[zone]]\nid = "deck"\nsize = { max = 3 }\n', NAMES),
        "4 Bolt\n-3 Minsc\n0 Fire // Ice\n1.5 Bolt",
    )
    assert handles(found) == ["count", "count", "count", "size"]
    assert found.cards == 4


def test_an_empty_list_is_judged_like_any_other():
    """Whether an empty deck is legal is for the format to say."""
    assert verdict(rules('[[zone]]\nid = "deck"\nsize = { max = 60 }\n', NAMES), "").verdict == "legal"
    assert handles(verdict(rules('[[zone]]\nid = "deck"\nsize = 60\n', NAMES), "")) == ["size"]


def test_ten_million_copies_are_no_trouble():
    """Nothing is unrolled."""
    found = verdict(rules(COPIES + '[[allow]]\nwhere = "true"\nmax = 5\n', NAMES), "10000000 Bolt")
    assert found.verdict == "illegal"
    assert found.cards in {0, 10_000_000}
