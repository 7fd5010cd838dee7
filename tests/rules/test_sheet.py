"""The judge's sheet, new formats and the examples of shipped formats."""

from datetime import date

from tests.kit import ROOT, with_rows
from tests.rules.kit import format_of, rules
from tourney.decks import run_examples
from tourney.rules import Ruleset
from tourney.rules.expressions.deck import FUNCTIONS
from tourney.rules.loading import scaffold
from tourney.rules.summary import sheet_of
from tourney.store.data import Library

LIBRARY = Library.open(environ={})
DAY = date(2026, 11, 20)


@with_rows("name", LIBRARY.formats())
def test_the_sheet_has_every_rule_of_a_shipped_format(name):
    """With its id and source."""
    format_ = LIBRARY.format(name)
    lines = {line.handle: line for _, section in sheet_of(format_).sections for line in section}
    rules_ = [*format_.zones, *(rule for rules in format_.rules.values() for rule in rules)]
    for entry in rules_:
        line = lines[entry.rule.id]
        assert line.cite, f"{entry.place}: where does it stand?"
        assert line.standing in {"law", "elsewhere", "a reading"}


@with_rows("name", LIBRARY.formats())
def test_every_example_of_a_shipped_format_has_its_verdict(name):
    """A format in which players build decks has examples."""
    format_ = LIBRARY.format(name)
    ruleset = Ruleset(format_, None, LIBRARY.pool_of(format_), DAY)
    ran = list(run_examples(format_, lambda day: ruleset))
    assert [(outcome.place, outcome.faults) for outcome in ran if outcome.faults] == []


def test_a_wrong_example_is_reported():
    """A wrong verdict, a wrong id, or missing advice."""
    text = """
[[zone]]
id = "deck"
size = 2
[[example]]
name = "legal it is not"
deck = "1 A"
legal = true
[[example]]
name = "another rule"
deck = "1 A"
breaks = ["copies"]
[[example]]
name = "no advice"
deck = "2 A"
advises = ["vp"]
[[example]]
name = "not unverified"
deck = "2 A"
unverified = true
[[example]]
name = "true"
deck = "1 A"
legal = false
"""
    ruleset = rules(text)
    faults = [outcome.faults for outcome in run_examples(ruleset.format, lambda day: ruleset)]
    assert faults == [
        ("the verdict is illegal, not legal (size: 1 card, exactly 2 are needed)",),
        ("the broken rules are size, not copies",),
        ("the advice `vp` is missing",),
        ("the verdict is legal, not unverified",),
        (),
    ]


def test_the_sheet_shows_the_numbers_of_a_rule():
    """They are its words, or follow its title."""
    format_ = format_of("""
[[zone]]
id = "deck"
size = { min = 40, max = 60 }
[[limit]]
id = "copies"
by = "name"
max = 4
except = [{ where = "basic" }, { where = "rare", max = 1 }]
[[limit]]
id = "titled"
title = "few units"
where = "kind == 'unit'"
zones = ["deck"]
max = "size('deck') // 5"
severity = "advice"
[[require]]
id = "it"
that = "n() > 3"
standing = "reading"
[[judge]]
says = "altered proxies"
cite = "page 9"
""")
    words = {
        line.handle: (line.says, line.counts) for _, section in sheet_of(format_).sections for line in section
    }
    assert words["deck"][0] == "40 to 60 cards"
    assert words["copies"] == ("at most 4 copies of any one card; `basic`: free; `rare`: at most 1", "")
    assert words["titled"] == (
        "few units",
        "at most `size('deck') // 5` cards with `kind == 'unit'`, in deck",
    )
    assert words["it"] == ("`n() > 3`", "")
    assert words["judge"][0] == "altered proxies"
    headings = [heading for heading, _ in sheet_of(format_).sections]
    assert headings == [
        "The list",
        "Rules",
        "Advice (never makes a deck illegal)",
        "What no list can show",
        "The match",
    ]


def test_a_new_format_is_valid():
    """It loads, and its examples have their verdicts."""
    format_ = format_of(scaffold("toy/standard", name="Toy"))
    assert (format_.id, format_.name, format_.game) == ("toy/standard", "Toy", "toy")
    ruleset = Ruleset(format_, None, rules("", {}, complete=False).pool, DAY)
    assert [outcome.faults for outcome in run_examples(format_, lambda day: ruleset)] == [(), ()]


def test_a_new_format_shows_every_key():
    """Every table and every function is in it, at least in a comment."""
    text = scaffold("toy/standard")
    for section in (
        "format",
        "zone",
        "leader",
        "limit",
        "require",
        "allow",
        "cover",
        "kit",
        "define",
        "lists",
        "printings",
        "override",
        "settings",
        "judge",
        "match",
        "standings",
        "example",
    ):
        assert f"[{section}" in text, section
    for function in FUNCTIONS:
        assert f"{function}(" in text or f" {function} " in text or f"{function}\n" in text, function


def test_a_new_overlay_is_valid():
    """It extends the format and replaces one rule."""
    parent = format_of(scaffold("toy/standard"))
    house = format_of(scaffold("club/friday", extends="toy/standard"), parent=lambda name: parent)
    assert house.parents == ("toy/standard",)
    assert [rule.rule.max for rule in house.rules["limit"] if rule.rule.id == "copies"] == [1]


def test_the_guide_names_every_function():
    """tourney/rules/FORMATS.md names every function."""
    page = (ROOT / "tourney" / "rules" / "FORMATS.md").read_text(encoding="utf-8")
    for function in FUNCTIONS:
        assert f"`{function}" in page, function


@with_rows("name", LIBRARY.formats())
def test_the_sheet_marks_house_rules(name):
    """Clock, cut and lists of every shipped game; the standings of all but Red Diamond."""
    lines = {
        line.handle: line for heading, section in sheet_of(LIBRARY.format(name)).sections for line in section
    }
    assert {lines[handle].standing for handle in ("clock", "cut", "lists")} == {"house"}
    law = name == "red-diamond/standard"
    assert lines["standings"].standing == ("law" if law else "house")


def test_rules_of_an_overlay_are_house_rules():
    """Unless the overlay names another source."""
    base = "[[zone]]\nid = 'deck'\n[[limit]]\nid = 'copies'\nby = 'name'\nmax = 4\n"
    overlay = """
[format]
id = "club/house"
extends = "game/test"
[[limit]]
id = "few"
by = "name"
max = 2
[[limit]]
id = "fewer"
by = "name"
max = 3
standing = "elsewhere"
"""
    game = format_of(base)
    from tourney.rules import parse_format

    house = parse_format(overlay.replace("game/test", game.id), source="house.toml", parent=lambda _: game)
    standing = {line.handle: line.standing for _, section in sheet_of(house).sections for line in section}
    assert (standing["copies"], standing["few"], standing["fewer"]) == ("law", "house", "elsewhere")
