"""Repairs: what comes out is legal, and is called the smallest only where nothing smaller does. All cards are invented."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


def repaired(text, known=None):
    known = known or ruleset()
    return repair(read(text, source="deck", format_=known.format), known)


@pytest.mark.parametrize(
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
    """Copies and banned cards go, what is missing is put in, a misspelt name is read; a legal deck needs none."""
    found = repaired(text)
    if changes is None:
        assert found is None
        return
    said = [
        f"{change.what} {change.card}"
        if change.what == "read"
        else f"{change.what} {change.copies} {change.card}"
        for change in found.changes
    ]
    assert sorted(said) == sorted(changes)
    assert proved is None or found.proved is proved


def test_where_the_lists_own_cards_cannot_mend_it_none_is_found():
    """An empty list has nothing to put in."""
    assert repaired("") is None


def test_no_repair_makes_the_leader_unknown():
    """Taking the general away would leave nothing to judge: that mends nothing."""
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
    known = rules(text, cards)
    found = repaired("leader\n1 Ann\ndeck\n1 Ant\n2 Bee", known)
    assert [(change.what, change.copies, change.card) for change in found.changes] == [
        ("out", 2, "Bee"),
        ("in", 2, "Ant"),
    ]


def apply(text, changes):
    """A list after its changes, as text."""
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
def test_a_repair_is_legal_and_a_proved_one_the_smallest(lines):
    """Against every set of fewer single changes that take out or put in any card of the game."""
    known = rules(SINGLE, CARDS, banlist=BANNED)
    text = "\n".join(f"{copies} {name}" for copies, name in lines)
    found = repaired(text, known)
    if found is None:
        return
    assert verdict(known, apply(text, found.changes)).verdict == "legal"
    assert found.number == sum(1 if change.what == "read" else change.copies for change in found.changes)
    if found.proved:
        assert not smaller(known, {name: copies for copies, name in lines}, found.number - 1)


def smaller(known, counts, most):
    """Whether some set of at most `most` changes makes the deck legal."""
    moves = [(name, step) for name in CARDS for step in (1, -1)]
    for number in range(most + 1):
        for chosen in combinations_with_replacement(moves, number):
            after = dict(counts)
            for name, step in chosen:
                after[name] = after.get(name, 0) + step
            if (
                min(after.values()) >= 0
                and verdict(known, "\n".join(f"{n} {name}" for name, n in after.items() if n)).verdict
                == "legal"
            ):
                return True
    return False
