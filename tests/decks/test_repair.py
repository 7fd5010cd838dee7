"""Repairs are legal, and called smallest only if no smaller one exists.

All cards are invented.
"""

from itertools import combinations_with_replacement

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import with_rows
from tests.rules.kit import rules, verdict
from tourney.decks import read
from tourney.decks.repair import repair

FORMAT = """
[[zone]]
id      = "deck"
default = true
size    = { min = 4, max = 6 }
[[zone]]
id       = "side"
optional = true
size     = { max = 2 }
[[limit]]
id  = "copies"
by  = "name"
max = 2
[[limit]]
id    = "gold"
where = "gold"
max   = 1
"""
CARDS = {"Ant": {"gold": False}, "Bee": {"gold": False}, "Cat": {"gold": True}, "Dog": {"gold": False}}
BANNED = '[cards]\n"Dog" = 0\n'


def ruleset():
    return rules(FORMAT, CARDS, banlist=BANNED)


def repaired(text, rule_set=None):
    rule_set = rule_set or ruleset()
    return repair(read(text, source="deck", format_=rule_set.format), rule_set)


@with_rows(
    ("text", "changes", "proved"),
    [
        ("2 Ant\n2 Bee\n1 Cat", None, None),
        ("3 Ant\n2 Bee", ["out 1 Ant"], True),
        ("4 Ant\n2 Bee", ["out 2 Ant"], True),
        ("2 Ant\n2 Bee\n1 Dog", ["out 1 Dog"], True),
        ("2 Ant\n1 Bee", ["in 1 Bee"], True),
        ("2 Ant\n2 Bee\n2 Cat", ["out 1 Cat"], True),
        ("2 Ant\n2 Beee", ["read Beee"], True),
        ("2 Ant\n2 Bee\nside\n1 Ant\n1 Bee\n1 Cat", ["out 1 Ant", "out 1 Bee"], None),
    ],
)
def test_repairs(text, changes, proved):
    """Extra and banned cards are removed, missing ones added, misspelt names corrected."""
    result = repaired(text)
    if changes is None:
        assert result is None
        return
    steps = [
        f"{change.what} {change.card}"
        if change.what == "read"
        else f"{change.what} {change.copies} {change.card}"
        for change in result.changes
    ]
    assert sorted(steps) == sorted(changes)
    assert proved is None or result.proved is proved


def test_a_list_whose_own_cards_cannot_fix_it_has_no_repair():
    """An empty list has no card to add."""
    assert repaired("") is None


def test_a_repair_keeps_the_leader():
    """Without the general nothing would be judged, which is not a repair."""
    text = """
[leader]
noun  = "general"
holds = "kind == 'general'"
[[zone]]
id      = "deck"
default = true
size    = 3
[[limit]]
id    = "faction"
zones = ["deck"]
where = "faction != leader.faction"
max   = 0
"""
    cards = {
        "Ann": {"kind": "general", "faction": "red"},
        "Ant": {"kind": "unit", "faction": "red"},
        "Bee": {"kind": "unit", "faction": "blue"},
    }
    ruleset_ = rules(text, cards)
    result = repaired("leader\n1 Ann\ndeck\n1 Ant\n2 Bee", ruleset_)
    assert [(change.what, change.copies, change.card) for change in result.changes] == [
        ("out", 2, "Bee"),
        ("in", 2, "Ant"),
    ]


def apply(text, changes):
    """Return the list after the changes, as text."""
    counts = {}
    for line in text.splitlines():
        copies, _, name = line.partition(" ")
        counts[name] = counts.get(name, 0) + int(copies)
    for change in changes:
        if change.what == "read":
            counts[change.to] = counts.get(change.to, 0) + counts.pop(change.card)
        else:
            counts[change.card] = counts.get(change.card, 0) + (
                change.copies if change.what == "in" else -change.copies
            )
    return "\n".join(f"{copies} {name}" for name, copies in counts.items() if copies)


LISTS = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from(["Ant", "Bee", "Cat", "Dog"])),
    min_size=1,
    max_size=4,
    unique_by=lambda line: line[1],
)
SINGLE = FORMAT.replace(
    FORMAT[FORMAT.index('[[zone]]\nid       = "side"') : FORMAT.index("[[limit]]\nid  =")], ""
)


@settings(max_examples=25, deadline=None)
@given(LISTS)
def test_a_repair_is_legal_and_a_proved_one_is_smallest(lines):
    """Compared with every smaller set of changes that add or remove any card of the game."""
    rule_set = rules(SINGLE, CARDS, banlist=BANNED)
    text = "\n".join(f"{copies} {name}" for copies, name in lines)
    result = repaired(text, rule_set)
    if result is None:
        return
    assert verdict(rule_set, apply(text, result.changes)).verdict == "legal"
    assert result.number == sum(1 if change.what == "read" else change.copies for change in result.changes)
    if result.proved:
        assert not smaller(rule_set, {name: copies for copies, name in lines}, result.number - 1)


def smaller(rule_set, counts, most):
    """Return whether some set of at most `most` changes makes the deck legal."""
    moves = [(name, step) for name in CARDS for step in (1, -1)]
    for number in range(most + 1):
        for chosen in combinations_with_replacement(moves, number):
            after = dict(counts)
            for name, step in chosen:
                after[name] = after.get(name, 0) + step
            if (
                min(after.values()) >= 0
                and verdict(rule_set, "\n".join(f"{n} {name}" for name, n in after.items() if n)).verdict
                == "legal"
            ):
                return True
    return False
