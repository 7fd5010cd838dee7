"""`[[limit]]`: counts, groups, bounds, and undecided limits."""

from tests.kit import with_rows
from tests.rules.kit import errors, handles, rules, verdict
from tourney.errors import Severity

CARDS = {
    "Ant": {"kind": "unit", "faction": ["red"], "cost": 1, "rank": "common"},
    "Bee": {"kind": "unit", "faction": ["red", "blue"], "cost": 2, "rank": "common"},
    "Cat": {"kind": "unit", "faction": ["blue"], "cost": 3, "rank": "rare"},
    "Dog": {"kind": "tactic", "faction": [], "cost": 0, "rank": "rare"},
    "Elk": {"kind": "tactic", "faction": ["green"], "cost": None, "rank": None},
}
SIDE = '[[zone]]\nid = "deck"\ndefault = true\n[[zone]]\nid = "side"\n'


def limited(limit, deck, cards=CARDS, **pool):
    return verdict(rules(f'{SIDE}[[limit]]\nid = "it"\n{limit}', cards, **pool), deck)


@with_rows(
    ("bound", "deck", "messages"),
    [
        ("max = 1", "2 Cat", ["it: a rare card"]),
        ("max = 1", "1 Cat", []),
        ("min = 1", "1 Dog", ["it: no cards with kind unit, at least 1"]),
        ("min = 1", "1 Ant", ["it: a common card", "it: no cards with kind unit, at least 1"]),
    ],
)
def test_an_exception_of_forbidden_cards_can_have_a_bound(bound, deck, messages):
    """The message is about a card that the exception fits; without one it is not used."""
    limit = f"where = \"kind == 'unit'\"\nmax = 0\nmessage = 'a {{rank}} card'\nexcept = [{{ where = \"cost > 2\", {bound} }}]"
    assert errors(limited(limit, deck)) == messages


@with_rows(
    ("limit", "deck", "messages"),
    [
        ("max = 5", "3 Ant\n2 Bee", []),
        ("max = 5", "3 Ant\n3 Bee", ["it: 6 cards, at most 5"]),
        ("min = 5", "3 Ant", ["it: 3 cards, at least 5"]),
        ("min = 1", "", ["it: no cards, at least 1"]),
        ("exactly = 3", "3 Ant", []),
        ("exactly = 3", "4 Ant", ["it: 4 cards, exactly 3"]),
        ("min = 2\nmax = 3", "4 Ant", ["it: 4 cards, at most 3"]),
        ("max = 1\nwhere = \"kind == 'unit'\"", "1 Ant\n1 Dog", []),
        ("max = 1\nwhere = \"kind == 'unit'\"\nunit = 'units'", "1 Ant\n1 Bee", ["it: 2 units, at most 1"]),
        ("max = 2\nby = 'name'", "2 Ant\n1 Ant", ["it: 3 copies, at most 2"]),
        ("max = 2\nby = 'name'", "2 Ant\nside\n1 Ant", ["it: 3 copies, at most 2"]),
        ("max = 2\nby = 'name'\nzones = ['deck']", "2 Ant\nside\n1 Ant", []),
        ("max = 2\nby = 'name'\nper = 'zone'", "2 Ant\nside\n2 Ant", []),
        ("max = 2\nby = 'name'\nper = 'zone'", "2 Ant\nside\n3 Ant", ["it: 3 copies in `side`, at most 2"]),
        ("max = 3\nby = 'faction'", "2 Ant\n2 Bee\n1 Cat", ["it: 4 cards with faction red, at most 3"]),
        (
            "max = 3\nby = ['faction', 'kind']",
            "2 Ant\n2 Bee",
            ["it: 4 cards with faction red and kind unit, at most 3"],
        ),
        ("max = 1\ndistinct = 'name'", "3 Ant\n1 Bee", ["it: 2 different cards, at most 1"]),
        ("max = 2\ndistinct = 'faction'", "1 Bee\n4 Dog", []),
        ("max = 2\ndistinct = 'faction'", "1 Bee\n1 Elk", ["it: 3 different faction, at most 2"]),
        ("max = 5\nweigh = 'cost'", "1 Ant\n2 Bee", []),
        ("max = 5\nweigh = 'cost'", "2 Cat\n3 Elk", ["it: 6 cost, at most 5"]),
        ("max = 5\nweigh = 'cost * 2'", "1 Cat", ["it: 6 in all, at most 5"]),
        ("max = 5\nweigh = 3\nunit = 'points'", "2 Ant", ["it: 6 points, at most 5"]),
        ("max = 3\nweigh = 'cost'\nper = 'name'", "3 Bee\n1 Ant", []),
        ("max = 3\nweigh = 'cost * (qty - 1)'\nper = 'name'", "3 Bee", ["it: 4 in all, at most 3"]),
        (
            "max = 3\nweigh = 'cost * (qty - 1)'\nper = 'name'",
            "2 Bee\nside\n1 Bee",
            ["it: 4 in all, at most 3"],
        ),
        ("max = 1\nper = 'name'", "3 Bee\n1 Ant", ["it: 2 cards, at most 1"]),
        ("max = \"size('side')\"", "1 Ant\nside\n1 Ant", ["it: 2 cards, at most 1"]),
        (
            "max = 'cost'\nby = 'name'",
            "2 Ant\n2 Bee\n1 Dog\n9 Elk",
            ["it: 2 copies, at most 1", "it: 1 copy, at most 0"],
        ),
        ("max = \"none if size('side') == 0 else 1\"", "9 Ant", []),
    ],
)
def test_counts(limit, deck, messages):
    """Copies in zones, groups, sums and different values. A blank bound does not bind."""
    assert errors(limited(limit, deck)) == messages


@with_rows(
    ("limit", "deck", "messages"),
    [
        ("by = ['name', 'cost']\nmax = 3", "12 Elk", ["it: 12 copies with no cost, at most 3"]),
        ("by = ['name', 'cost']\nmax = 3", "3 Elk\n3 Ant", []),
        ("by = ['cost', 'rank']\nmax = 3", "4 Elk", ["it: 4 cards with no cost and no rank, at most 3"]),
        ("by = 'rank'\nmax = 3", "4 Elk", ["it: 4 cards with no rank, at most 3"]),
        ("by = 'rank'\nmin = 2", "2 Ant\n1 Elk", ["it: 1 card with no rank, at least 2"]),
        ("by = 'rank'\nexactly = 2", "2 Ant\n2 Elk", []),
        ("by = 'faction'\nmax = 3", "4 Dog", ["it: 4 cards with no faction, at most 3"]),
        ("by = 'rank'\nper = 'zone'\nmax = 1", "1 Elk\nside\n2 Elk",
         ["it: 2 cards with no rank in `side`, at most 1"]),
        ("by = 'rank'\nper = 'name'\nmax = 1", "3 Elk\n1 Fox", ["it: 2 cards with no rank, at most 1"]),
        ("by = 'rank'\nweigh = 2\nmax = 3\nunit = 'points'", "2 Elk",
         ["it: 4 points with no rank, at most 3"]),
        ("by = 'rank'\ndistinct = 'name'\nmax = 1", "1 Elk\n1 Fox",
         ["it: 2 different cards with no rank, at most 1"]),
        ("by = 'cost * 2'\nmax = 1", "2 Elk", ["it: 2 cards with no `cost * 2`, at most 1"]),
        ("by = 'rank'\nmax = 9\nexcept = [{ where = \"name == 'Elk'\", max = 1 }]", "2 Elk",
         ["it: 2 cards with no rank, at most 1"]),
    ],
)  # fmt: skip
def test_blanks_are_one_group(limit, deck, messages):
    """Cards without a value count together, under the same bound."""
    cards = CARDS | {"Fox": {"kind": "tactic", "faction": ["green"], "cost": 4, "rank": None}}
    assert errors(limited(limit, deck, cards)) == messages


@with_rows(
    ("limit", "deck", "outcome"),
    [
        ("by = ['name', 'pitch']\nmax = 3", "12 Fly", "unverified"),
        ("by = ['name', 'pitch']\nmax = 3", "3 Fly", "legal"),
        ("by = ['name', 'pitch']\nmax = 3", "2 Fly\n3 Ant", "legal"),
        ("by = ['name', 'pitch']\nmax = 3", "2 Fly\n3 Gnu", "legal"),
        ("by = ['name', 'pitch']\nmax = 3", "2 Fly\n4 Ant", "illegal"),
        ("by = ['name', 'pitch']\nmax = 3", "12 Owl", "illegal"),
        ("by = ['pitch', 'kind']\nmax = 3", "2 Fly\n2 Owl", "unverified"),
        ("by = ['pitch', 'kind']\nmax = 3", "2 Fly\n2 Gnu", "legal"),
        ("by = ['pitch', 'kind']\nmax = 3", "3 Gnu\n1 Yak", "unverified"),
        ("by = ['pitch', 'kind']\nmax = 3", "3 Ant\n1 Gnu", "legal"),
        ("by = ['pitch', 'kind']\nmin = 2", "2 Ant\n1 Fly", "unverified"),
    ],
)
def test_a_card_of_unknown_group_may_count_in_every_group(limit, deck, outcome):
    """Except in groups that its known facts exclude."""
    cards = {
        "Ant": {"pitch": 1, "kind": "unit"},
        "Owl": {"pitch": None, "kind": "unit"},
        "Fly": {"kind": "unit"},
        "Gnu": {"kind": "tactic"},
        "Yak": {},
    }
    assert limited(limit, deck, cards, complete=False).verdict == outcome


@with_rows(
    ("limit", "deck", "messages"),
    [
        ("by = 'name'\nmax = 2\nexcept = [{ where = \"kind == 'tactic'\" }]", "9 Dog\n3 Ant",
         ["it: 3 copies, at most 2"]),
        ("by = 'name'\nmax = 2\nexcept = [{ where = \"rank == 'rare'\", max = 1 }]", "2 Ant\n2 Cat",
         ["it: 2 copies, at most 1"]),
        ("by = 'name'\nmax = 2\nexcept = [{ where = \"rank == 'rare'\", max = 1 }, { where = \"kind == 'tactic'\" }]", "2 Dog", ["it: 2 copies, at most 1"]),
        ("by = 'name'\nmax = 1\nexcept = [{ where = \"rank == 'common'\", max = 'cost' }]", "1 Ant\n2 Bee",
         []),
        ("max = 2\nexcept = [{ where = \"rank == 'rare'\", max = 1 }]", "2 Ant\n1 Cat\n1 Dog",
         ["it: 2 cards, at most 1"]),
        ("max = 2\nexcept = [{ where = \"rank == 'rare'\", max = 1 }]", "3 Ant\n1 Cat",
         ["it: 3 cards, at most 2"]),
        ("weigh = 'cost'\nmax = 3\nexcept = [{ where = \"name == 'Cat'\", weigh = 0 }]", "3 Cat\n3 Ant", []),
        ("weigh = 'cost'\nmax = 3\nexcept = [{ where = \"name == 'Cat' and n(name == 'Dog') > 0\", weigh = 1 }]", "3 Cat\n1 Dog", []),
        ("weigh = 'cost'\nmax = 3\nexcept = [{ where = \"name == 'Cat' and n(name == 'Dog') > 0\", weigh = 1 }]", "2 Cat", ["it: 6 cost, at most 3"]),
        ("max = 0\nwhere = \"kind == 'unit'\"\nexcept = [{ where = \"name == 'Ant'\" }]", "1 Ant\n1 Bee",
         ["it: may not be in the deck: its kind is unit"]),
        ("max = 9\nexcept = [{ where = \"rank == 'rare'\", min = 1 }]", "1 Ant",
         ["it: no cards, at least 1"]),
    ],
)  # fmt: skip
def test_the_first_exception_that_fits_applies(limit, deck, messages):
    """The cards do not count, have another bound, or count at another weight."""
    assert errors(limited(limit, deck)) == messages


def test_each_forbidden_card_is_a_finding():
    """`max = 0` gives a finding for each card, with its lines and the rule's message."""
    result = limited(
        "where = \"kind == 'unit'\"\nmax = 0\nmessage = '{card}: a {kind} of {faction} {{x}}'",
        "2 Ant\n1 Dog\n1 Bee\n1 Ant",
    )
    assert [
        (finding.message, finding.lines, finding.subjects, finding.have) for finding in result.findings
    ] == [
        ("Ant: a unit of red {x}", (1, 4), ("Ant",), "3"),
        ("Bee: a unit of red, blue {x}", (3,), ("Bee",), "1"),
    ]


def test_a_message_can_show_the_numbers():
    """Every rule knows `{have}` and `{allowed}`."""
    result = limited(
        "by = 'name'\nmax = 1\nmessage = '{have} of {card} ({kind}), {allowed} allowed'", "2 Ant"
    )
    assert result.findings[0].message == "2 of Ant (unit), 1 allowed"
    assert (result.findings[0].have, result.findings[0].allowed) == ("2", "1")


def test_advice_never_makes_a_deck_illegal():
    """It is a finding, but not an error."""
    result = limited("severity = 'advice'\nmax = 1", "2 Ant")
    assert (result.verdict, [finding.severity for finding in result.findings]) == ("legal", [Severity.ADVICE])


@with_rows(
    ("dates", "there"),
    [
        ("since = 2026-11-20", True),
        ("since = 2026-11-21", False),
        ("until = 2026-11-20", True),
        ("until = 2026-11-19", False),
    ],
)
def test_a_rule_is_in_force_from_its_first_to_its_last_day(dates, there):
    """Both days are included."""
    assert handles(limited(f"max = 1\n{dates}", "2 Ant")) == (["it"] if there else [])


def test_a_rule_applies_only_while_its_condition_is_true():
    """`when` is about the whole deck."""
    text = "max = 1\nwhen = \"has('Dog')\""
    assert handles(limited(text, "2 Ant")) == []
    assert handles(limited(text, "2 Ant\n1 Dog")) == ["it"]


# -- in doubt

OPEN = {
    "Ant": {"kind": "unit", "faction": "red", "cost": 1},
    "Fly": {},
    "Gnu": {"kind": "unit"},
}


@with_rows(
    ("limit", "deck", "outcome"),
    [
        ("max = 4\nwhere = \"kind == 'unit'\"", "3 Ant\n1 Fly", "legal"),
        ("max = 3\nwhere = \"kind == 'unit'\"", "3 Ant\n1 Fly", "unverified"),
        ("max = 2\nwhere = \"kind == 'unit'\"", "3 Ant\n1 Fly", "illegal"),
        ("min = 3\nwhere = \"kind == 'unit'\"", "3 Ant\n1 Fly", "legal"),
        ("min = 4\nwhere = \"kind == 'unit'\"", "3 Ant\n1 Fly", "unverified"),
        ("min = 5\nwhere = \"kind == 'unit'\"", "3 Ant\n1 Fly", "illegal"),
        ("exactly = 3\nwhere = \"kind == 'unit'\"", "3 Ant\n1 Fly", "unverified"),
        ("max = 3\nweigh = 'cost'", "3 Ant\n1 Fly", "unverified"),
        ("max = 2\nweigh = 'cost'", "3 Ant\n1 Fly", "illegal"),
        ("max = 2\ndistinct = 'kind'", "3 Ant\n1 Fly", "legal"),
        ("max = 1\ndistinct = 'kind'", "3 Ant\n1 Fly", "unverified"),
        ("max = 3\nby = 'kind'", "3 Ant\n1 Fly", "unverified"),
        ("max = 4\nby = 'kind'", "3 Ant\n1 Fly", "legal"),
        ("max = 1\nby = 'kind'", "1 Ant\n2 Fly", "unverified"),
        ("max = 2\nby = 'name'\nexcept = [{ where = \"kind == 'unit'\" }]", "9 Ant\n2 Fly", "legal"),
        ("max = 2\nby = 'name'\nexcept = [{ where = \"kind == 'unit'\" }]", "9 Ant\n3 Fly", "unverified"),
        ("max = 2\nby = 'name'\nexcept = [{ where = \"kind == 'unit'\", max = 5 }]", "6 Fly", "unverified"),
        ("max = 0\nwhere = \"kind == 'unit'\"", "1 Fly", "unverified"),
        ("max = 1\nwhen = \"n(kind == 'unit') > 2\"", "2 Ant\n1 Fly", "unverified"),
        ("max = 3\nwhen = \"n(kind == 'unit') > 2\"", "2 Ant\n1 Fly", "legal"),
        ("max = 1\nseverity = 'advice'\nwhere = \"kind == 'unit'\"", "1 Ant\n1 Fly", "legal"),
    ],
)  # fmt: skip
def test_a_count_is_decided_whenever_the_facts_allow_no_other_answer(limit, deck, outcome):
    """Three known cards and one unknown are at most four. Advice in doubt is not shown."""
    types = {"cost": "number", "faction": "text", "kind": "text"}
    assert limited(limit, deck, OPEN, complete=False, attributes=types).verdict == outcome


def test_missing_facts_are_one_finding():
    """It names the attribute and the lines of all cards."""
    result = limited(
        "max = 1\nby = 'faction'", "2 Fly\n1 Gnu\n1 Ant", OPEN, complete=False, attributes={"faction": "text"}
    )
    (only,) = result.findings
    assert (only.severity, only.rule, only.lines, only.subjects) == (
        Severity.UNVERIFIED,
        "it",
        (1, 2),
        ("Fly", "Gnu"),
    )
    assert only.message == "faction not known for 2 cards"
