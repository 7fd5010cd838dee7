"""The keys that every rule can have: `message`, `cite`, `severity`, `when`, days.

All cards are invented.
"""

from datetime import date

from tests.kit import with_rows
from tests.rules.kit import errors, format_of, handles, rules, verdict
from tourney.errors import Severity
from tourney.rules.proofread import format_warnings
from tourney.rules.summary import sheet_of

CARDS = {
    "Boss": {"kind": "general", "faction": "red"},
    "Chief": {"kind": "general", "faction": "blue"},
    "Ant": {"kind": "unit", "faction": "red", "cost": 1},
    "Bee": {"kind": "unit", "faction": "blue", "cost": 2},
    "Old Ant": {"kind": "unit", "faction": "red", "printings": [{"set": "a", "status": "outdated"}]},
}
LEADER = "[leader]\nnoun = 'general'\nzone = 'general'\nholds = \"kind == 'general'\"\n"
DECK = "[[zone]]\nid = 'deck'\ndefault = true\n"
DECLARED = (
    "[leader]\nzone = 'general'\n{}\n[[zone]]\nid = 'general'\nsize = 1\nholds = \"kind == 'general'\"\n"
)


def errors_of(text, deck, **options):
    return errors(verdict(rules(text, CARDS, **options), deck))


@with_rows(
    ("text", "deck", "messages"),
    [
        (LEADER + "message = 'name one general'\n" + DECK, "deck\n1 Ant", ["size: name one general"]),
        (LEADER + "message = 'name one general'\n" + DECK, "general\n1 Boss\n1 Chief",
         ["size: name one general"]),
        (LEADER + "message = 'name one general'\n" + DECK, "general\n1 Ant",
         ["wrong-zone: name one general"]),
        (LEADER + "message = '{card} leads nobody'\n" + DECK, "general\n1 Ant",
         ["wrong-zone: Ant leads nobody"]),
        (LEADER + "message = 'a {kind} leads nobody'\n" + DECK, "general\n2 Ant",
         ["size: 2 cards, exactly 1 is needed", "wrong-zone: a unit leads nobody"]),
        (LEADER + "message = '{have} where {allowed} leads'\n" + DECK, "general\n2 Boss",
         ["size: 2 where 1 leads"]),
        (LEADER + "message = '{have} where {allowed} leads'\n" + DECK, "general\n1 Ant",
         ["wrong-zone: cannot be the general: its kind is unit, not general"]),
        (DECLARED.format("message = 'name one general'") + DECK, "deck\n1 Ant", ["size: name one general"]),
        (DECLARED.format("message = 'name one general'") + "message = 'none other'\n" + DECK,
         "general\n1 Ant", ["wrong-zone: none other"]),
        (DECK + "size = 2\nmessage = 'two of them, not {have} in the {zone}'", "deck\n1 Ant",
         ["size: two of them, not 1 in the deck"]),
        (DECK + "size = 1\nmessage = 'just one'", "deck\n2 Ant", ["size: just one"]),
        (DECK + "size = 1\nholds = \"kind == 'unit'\"\nmessage = 'units only'", "deck\n2 Boss",
         ["size: 2 cards, exactly 1 is needed", "wrong-zone: units only"]),
        (DECK + "[[cover]]\neach = ['red', 'blue']\nby = 'faction'\nmessage = 'no {card}: {have} of {allowed}, {size(\"deck\")} cards'", "deck\n3 Ant", ["cover: no blue: 1 of 2, 3 cards"]),
        ("[kit]\nmessage = '{card}: {have}, not {allowed}'\ncards = { Ant = 2, Bee = 1 }", "1 Ant",
         ["kit: Ant: 1, not 2", "kit: Bee: 0, not 1"]),
        ("[kit]\nmessage = 'a {faction} card'\ncards = { Ant = 2, Bee = 1 }", "1 Ant",
         ["kit: a red card", "kit: missing; the box holds 1 copy"]),
        ("[[allow]]\nwhere = \"faction == 'red'\"\nmessage = '{card} is {faction}'", "1 Bee",
         ["allow: Bee is blue"]),
        ("[[allow]]\nwhere = \"faction == 'red'\"\nmax = 2\nmessage = '{have} red, {allowed} may be'",
         "3 Ant\n1 Bee", ["allow: 3 red, 2 may be", "allow: no rule allows it in this deck"]),
        ("[printings]\nmessage = '{card} of faction {faction} is old'", "1 Old Ant",
         ["printing: Old Ant of faction red is old"]),
        ("[printings]\nmessage = 'brace {{old}}'", "1 Old Ant", ["printing: brace {old}"]),
        ("[printings]\nwhen = \"n() > 1\"", "1 Old Ant", []),
        ("[printings]\nwhen = \"n() > 1\"", "2 Old Ant", ["printing: every printing is an outdated version"]),
    ],
)  # fmt: skip
def test_a_message_replaces_the_usual_words(text, deck, messages):
    """A message that needs a card is not used for a number."""
    assert sorted(errors_of(text, deck)) == messages


@with_rows(
    ("key", "outcome", "severity"),
    [
        ("severity = 'advice'\n", "legal", Severity.ADVICE),
        ("since = 2027-01-01\n", "legal", None),
        ("until = 2026-01-01\n", "legal", None),
        ("cite = 'page 3'\n", "illegal", Severity.ERROR),
        ("when = \"n(faction == 'blue') > 0\"\n", "legal", None),
        ("when = \"n(faction == 'red') > 0\"\n", "illegal", Severity.ERROR),
    ],
)
@with_rows("form", ["own", "declared"])
def test_the_keys_of_a_leader_apply_to_its_zone(form, key, outcome, severity):
    """Whether `[leader]` or a `[[zone]]` declares the zone."""
    text = LEADER + key + DECK if form == "own" else DECLARED.format(key) + DECK
    result = verdict(rules(text, CARDS), "deck\n1 Ant")
    assert result.verdict == outcome
    assert [finding.severity for finding in result.findings] == ([severity] if severity else [])
    if "cite" in key:
        assert result.findings[0].cite == "page 3"
        assert "page 3" in [line.cite for line in sheet_of(format_of(text)).sections[0][1]]


def test_the_leader_of_an_overlay_applies_to_an_inherited_zone():
    """The zone keeps its size and its cards; the message is a house rule."""
    elder = format_of('[format]\nid = "invented/elder"\n' + LEADER + DECK)
    text = '[format]\nid = "invented/house"\nextends = "invented/elder"\n[leader]\nzone = "general"\nmessage = "one, here"\n'
    from tests.rules.kit import DAY, pool_of
    from tourney.rules import Ruleset

    ruleset = Ruleset(format_of(text, parent=lambda _: elder), None, pool_of(CARDS), DAY)
    result = verdict(ruleset, "deck\n1 Ant")
    assert (errors(result), result.findings[0].cite) == (["size: one, here"], "house rule of invented/house")


def test_a_zone_that_is_not_expected_can_be_empty():
    """`when` decides whether a list needs the zone. Its cards are checked in any case."""
    text = DECK + "[[zone]]\nid = 'side'\nsize = 2\nwhen = \"n(faction == 'blue') > 0\"\nabsent = 'no side'\n"
    assert errors_of(text, "deck\n1 Ant") == []
    assert errors_of(text, "deck\n1 Bee") == ["size: no cards, exactly 2 are needed, because of Bee (line 2)"]
    assert errors_of(text, "deck\n1 Ant\nside\n1 Ant") == ["size: 1 card, exactly 2 are needed"]
    doubtful = rules(text, {"Ant": {}}, complete=False, attributes={"faction": "text"})
    assert verdict(doubtful, "deck\n1 Ant").verdict == "unverified"


def test_the_note_on_a_missing_zone_has_its_days():
    """A zone that is not in force has no note."""
    text = DECK + "[[zone]]\nid = 'side'\noptional = true\nabsent = 'no side'\nuntil = 2026-12-31\n"
    assert "no side" in verdict(rules(text, CARDS), "deck\n1 Ant").notes
    assert "no side" not in verdict(rules(text, CARDS, day=date(2027, 1, 1)), "deck\n1 Ant").notes


def test_an_exception_has_its_own_source():
    """It is on the sheet, and in the finding of its bound."""
    text = "[[limit]]\nid = 'it'\nby = 'name'\nmax = 1\ncite = 'page 1'\nexcept = [{ where = \"cost > 1\", max = 2, cite = 'page 9' }]\n"
    result = verdict(rules(text, CARDS), "2 Ant\n3 Bee")
    assert [(finding.subjects, finding.cite) for finding in result.findings] == [
        (("Ant",), "page 1"),
        (("Bee",), "page 9"),
    ]
    assert any("page 9" in line.says for _, lines in sheet_of(format_of(text)).sections for line in lines)


def test_permissions_are_advice_if_all_are():
    """They are one rule. If one of them is an error, the rule is."""
    one, other = (
        f"[[allow]]\nwhere = \"faction == '{name}'\"\nseverity = 'advice'\n" for name in ("red", "green")
    )
    assert handles(verdict(rules(one + other, CARDS), "1 Bee")) == []
    assert handles(verdict(rules(one + other.replace("'advice'", "'error'"), CARDS), "1 Bee")) == ["allow"]


@with_rows(
    ("text", "warning"),
    [
        (LEADER + "id = 'boss'\n" + DECK,
         "format.toml: leader.id: `id` has no effect, because a leader has the findings of its zone"),
        (DECLARED.format("cite = 'a'") + "cite = 'b'\n" + DECK,
         "format.toml: leader.cite: the zone `general` has another one"),
        (DECK + "[[zone]]\nid = 'spare'\ncounts = false\nsize = 3",
         "format.toml: zone[1]: `size` and `holds` have no effect"),
        (DECK + "message = 'odd {card}'\nsize = 3", "format.toml: zone[0].message: the text uses facts of a card"),
        (DECK + "message = 'odd'", "format.toml: zone[0].message: the zone has neither"),
        (DECK + "[[cover]]\neach = ['a']\nby = 'faction'\nmessage = '{faction}'",
         "format.toml: cover[0].message: the text uses facts of a card"),
        (DECK + "[[zone]]\nid = 'spare'\ncounts = false\n[[limit]]\nid = 'it'\nmax = 1\nzones = ['spare']",
         "format.toml: limit[0].zones: nothing counts in spare"),
        ("[[allow]]\nwhere = 'true'\n[[allow]]\nwhere = 'true'\nseverity = 'advice'",
         "format.toml: allow[1].severity: `advice` has no effect"),
    ],
)  # fmt: skip
def test_keys_without_effect_are_reported(text, warning):
    """Each with its place, and no others."""
    result = list(format_warnings(format_of(text)))
    assert len(result) == 1
    assert result[0].startswith(warning)


def test_shipped_formats_have_no_keys_without_effect():
    """Nor have the formats of other games."""
    from tests.decks.test_other_games import NAMES, parse
    from tests.games.test_formats import FORMATS, LIBRARY

    formats = [*(LIBRARY.format(name) for name in FORMATS), *(parse(name) for name in NAMES)]
    assert [warning for format_ in formats for warning in format_warnings(format_)] == []
