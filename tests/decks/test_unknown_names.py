"""Many unknown names are one readable list after their likely cause. All cards are invented."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.kit import rules, verdict
from tourney.cli.deck_checking import PAGE, block
from tourney.cli.output import strip_style, width

POOL = {f"Invented {name}": {} for name in ("Ant", "Badger", "Cougar", "Dormouse", "Elephant", "Falcon")}
SPARE = [*POOL, *(f"Spare {number}" for number in range(300))]


def shown_lines(result):
    return [strip_style(line) for line in block(result)]


def game(**options):
    return rules("", {name: {} for name in SPARE}, **options)


def test_a_list_of_another_game_is_explained_first():
    """Then each name is in columns, with its line number, no wider than a page."""
    names = [f"Far {chr(97 + number % 26)}{number * 7919 % 1000:03} Land" for number in range(178)]
    result = verdict(game(), "\n".join(f"1 {name}" for name in names))
    lines = shown_lines(result)
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
    assert len([finding for finding in result.findings if finding.rule == "card"]) == 178


def test_a_name_cannot_break_the_columns():
    """A line break or a bell in a JSON list's name is shown escaped."""
    listed = [{"name": f"Far {letter}\nLand\a", "count": 1} for letter in "abcdefgh"]
    lines = shown_lines(verdict(game(), json.dumps({"main": listed})))
    assert len(lines) < 12
    assert not any("\a" in line or "\n" in line for line in lines)


def test_a_few_unknown_names_are_not_explained():
    """Two misspelt names of sixty are two rows, without a question about the format."""
    result = verdict(game(), "1 Invented Badgre\n1 Odd One\n" + "\n".join(f"1 Spare {n}" for n in range(58)))
    assert result.cause is None
    assert [finding.message for finding in result.findings] == [
        "no such card; did you mean Invented Badger?",
        "no such card",
    ]


def test_a_list_in_another_script_is_explained():
    result = verdict(game(), "\n".join(f"1 Зверь {letter}й" for letter in "абвгдежз"))
    assert (
        result.cause.question == "they are written in Cyrillic letters, the names of the pool in Latin ones"
    )


def test_a_set_that_the_pool_lacks_is_named():
    """Most unknown names are marked with that set, and no known name is."""
    text = "\n".join(f"1 Spare {n}" for n in range(20))
    lacking = "\n".join(f"1 {name} (XYZ) {n}" for n, name in enumerate(("Quagga", "Raccoon", "Stoat")))
    result = verdict(game(), f"{text}\n{lacking}\n1 Odd One")
    assert result.cause.fact.startswith(
        "3 of the 4 unknown names are marked `XYZ`, a set that the card pool of"
    )
    assert result.cause.names == ("Quagga", "Raccoon", "Stoat")
    marked = f"{text}\n1 Spare 21 (XYZ) 1\n{lacking}"
    assert verdict(game(), marked).cause is None


def test_an_open_pool_explains_only_an_illegal_list_of_unknown_names():
    """In an open pool unknown names are legal."""
    names = "\n".join(f"1 Far {letter} Land" for letter in "abcdefgh")
    assert verdict(game(complete=False), names).cause is None
    small = rules("[[zone]]\nid = 'deck'\nsize = 60", {"Ant": {}}, complete=False)
    assert (
        verdict(small, names).cause.fact
        == "none of the 8 names is in the open card pool of invented (1 card)"
    )


@settings(deadline=None, max_examples=30)
@given(
    st.sets(st.from_regex(r"[A-Z][a-z]{2,25}( of [A-Z][a-z]{2,9})?", fullmatch=True), min_size=1, max_size=60)
)
def test_every_unknown_name_is_shown_once(names):
    """For any number of names of any length."""
    names = sorted(names)
    result = verdict(game(), "\n".join(f"2 {name}" for name in names))
    text = "\n".join(line for line in shown_lines(result)[1:])
    unknown = [finding.subjects[0] for finding in result.findings if finding.rule == "card"]
    assert all(
        re.search(rf"\b{number}\s+{name}(\s\s|$)", text, re.M)
        for number, name in enumerate(names, 1)
        if name in unknown
    )


def test_the_citation_of_each_broken_rule_is_shown_once():
    """Below the findings, by rule id. A rule without a citation is left out."""
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
    lines = shown_lines(verdict(rules(text, POOL), "2 Invented Ant\n2 Invented Badger"))
    assert lines[-5:] == ["", "  copies  page 4", "  size    page 3", "", "4 problems"]


def test_points_are_listed_card_by_card():
    banlist = '[points]\ntotal = 3\n"Invented Ant" = 2\n"Invented Badger" = 1'
    result = verdict(rules("", POOL, banlist=banlist), "1 Invented Ant\n2 Invented Badger")
    (only,) = result.findings
    assert (only.message.partition(" (")[0], only.hint) == (
        "4 points, at most 3",
        "Invented Ant: 2, Invented Badger: 1",
    )
