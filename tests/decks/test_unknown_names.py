"""Very many unknown names are one readable list, and what explains them is said first. All cards are invented."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.kit import rules, verdict
from tourney.cli.deck.verdicts import PAGE, block
from tourney.cli.output import unstyled, width

POOL = {f"Invented {name}": {} for name in ("Ant", "Badger", "Cougar", "Dormouse", "Elephant", "Falcon")}
SPARE = [*POOL, *(f"Spare {number}" for number in range(300))]


def told(found):
    return [unstyled(line) for line in block(found)]


def game(**options):
    return rules("", {name: {} for name in SPARE}, **options)


def test_a_list_of_another_game_says_so_first_and_names_its_178_cards_in_columns():
    """Each name once, with its line; the sentence that all share stands once; no line is wider than a page."""
    names = [f"Far {chr(97 + number % 26)}{number * 7919 % 1000:03} Land" for number in range(178)]
    found = verdict(game(), "\n".join(f"1 {name}" for name in names))
    lines = told(found)
    assert (
        lines[2]
        .strip()
        .startswith("none of the 178 names is in the card pool of invented (306 cards): is this")
    )
    listing = [line for line in lines[3:] if "Far" in line]
    assert len(listing) < 90
    assert all(width(line) <= PAGE + 6 for line in listing)
    assert sum(line.count("no such card") for line in lines) == 1
    text = "\n".join(listing)
    assert all(
        len(re.findall(rf"\b{place}  {name}(?:  |$)", text, re.M)) == 1 for place, name in enumerate(names, 1)
    )
    assert len([finding for finding in found.findings if finding.rule == "card"]) == 178


def test_a_name_cannot_break_the_columns():
    """A line break or a bell in a name of a JSON list is shown, not obeyed."""
    listed = [{"name": f"Far {letter}\nLand\a", "count": 1} for letter in "abcdefgh"]
    lines = told(verdict(game(), json.dumps({"main": listed})))
    assert len(lines) < 12
    assert not any("\a" in line or "\n" in line for line in lines)


def test_slips_among_known_cards_are_asked_about_and_nothing_is_explained():
    """Two wrong names of sixty are two rows, and no question about the format."""
    found = verdict(game(), "1 Invented Badgre\n1 Odd One\n" + "\n".join(f"1 Spare {n}" for n in range(58)))
    assert found.cause is None
    assert [finding.message for finding in found.findings] == [
        "no such card; did you mean Invented Badger?",
        "no such card",
    ]


def test_a_list_in_another_script_is_told_by_its_letters():
    """What nobody can guess from thirty times `no such card`."""
    found = verdict(game(), "\n".join(f"1 Зверь {letter}й" for letter in "абвгдежз"))
    assert found.cause.asked == "they are written in Cyrillic letters, the names of the pool in Latin ones"


def test_a_set_that_the_pool_lacks_is_named():
    """Most unknown names are marked with one set, and no known one is."""
    known = "\n".join(f"1 Spare {n}" for n in range(20))
    lacking = "\n".join(f"1 {name} (XYZ) {n}" for n, name in enumerate(("Quagga", "Raccoon", "Stoat")))
    found = verdict(game(), f"{known}\n{lacking}\n1 Odd One")
    assert found.cause.said.startswith(
        "3 of the 4 unknown names are marked `XYZ`, a set that the card pool of"
    )
    assert found.cause.names == ("Quagga", "Raccoon", "Stoat")
    marked = f"{known}\n1 Spare 21 (XYZ) 1\n{lacking}"
    assert verdict(game(), marked).cause is None


def test_an_open_pool_explains_only_where_nothing_is_known_and_nothing_is_legal():
    """Invented names are legal in an open pool, and nothing is wrong with them."""
    names = "\n".join(f"1 Far {letter} Land" for letter in "abcdefgh")
    assert verdict(game(complete=False), names).cause is None
    small = rules("[[zone]]\nid = 'deck'\nsize = 60", {"Ant": {}}, complete=False)
    assert (
        verdict(small, names).cause.said
        == "none of the 8 names is in the open card pool of invented (1 card)"
    )


@settings(deadline=None, max_examples=30)
@given(
    st.sets(st.from_regex(r"[A-Z][a-z]{2,25}( of [A-Z][a-z]{2,9})?", fullmatch=True), min_size=1, max_size=60)
)
def test_every_unknown_name_stands_in_the_text_once(names):
    """However many there are, and whatever their length."""
    names = sorted(names)
    found = verdict(game(), "\n".join(f"2 {name}" for name in names))
    text = "\n".join(line for line in told(found)[1:])
    unknown = [finding.subjects[0] for finding in found.findings if finding.rule == "card"]
    assert all(
        re.search(rf"\b{number}\s+{name}(\s\s|$)", text, re.M)
        for number, name in enumerate(names, 1)
        if name in unknown
    )


def test_where_each_broken_rule_stands_is_said_once():
    """Below the findings: the rule's handle and its citation, also of two places; none where the format says none."""
    text = """
    [[zone]]
    id   = "deck"
    size = { max = 2 }
    cite = "page 3"
    [[limit]]
    id   = "copies"
    by   = "name"
    max  = 1
    cite = "page 4"
    [[limit]]
    id   = "uncited"
    max  = 3
    """
    lines = told(verdict(rules(text, POOL), "2 Invented Ant\n2 Invented Badger"))
    assert lines[-5:] == ["", "  copies  page 4", "  size    page 3", "", "4 problems"]


def test_points_are_told_card_by_card():
    """Nobody has to look up what each costs."""
    banlist = '[points]\ntotal = 3\n"Invented Ant" = 2\n"Invented Badger" = 1'
    found = verdict(rules("", POOL, banlist=banlist), "1 Invented Ant\n2 Invented Badger")
    (only,) = found.findings
    assert (only.message.partition(" (")[0], only.hint) == (
        "4 points, at most 3",
        "Invented Ant: 2, Invented Badger: 1",
    )
