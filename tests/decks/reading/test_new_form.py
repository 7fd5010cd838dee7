"""A form of decklists is one module: an invented form is found, read, shown and checked."""

import sys

import pytest
from click.testing import CliRunner

from tests.decks.kit import cards, deck, rules
from tourney.cli import root
from tourney.decks import reading
from tourney.errors import TourneyError

LIST = "@cards Sky\nside> 2*Bell\n4*Kite (ABC) 12\n0*Drum\n"
MODULE = '''
from tourney.decks.reading.builder import DeckBuilder
from tourney.decks.reading.names import parse_field
from tourney.decks.reading.text import ListForm

def read_decks(text):
    """Read `@cards Title`, then `4*Name` or `side>4*Name` lines; no deck without a title."""
    title = text.lines[0].removeprefix("@cards").strip()
    if not (text.text.startswith("@cards") and title):
        return []
    deck = DeckBuilder(text, "at", name=title, by_lines=BY_LINES)
    for number, line in enumerate(text.lines[1:], start=2):
        zone, _, card = line.rpartition(">")
        count, sign, name = card.partition("*")
        deck.continue_in(zone or None, line=number)
        if sign and not deck.is_full(number):
            deck.add(parse_field(name), line=number, count=count, raw=line)
    return [deck.build()]

FORM = ListForm(order=5, read=read_decks, searches_all=True)
'''


@pytest.fixture
def add_form(monkeypatch, tmp_path):
    """Return a function that adds the module of the form to the package."""

    def add(*, by_lines=True):
        (tmp_path / "at_form.py").write_text(MODULE.replace("BY_LINES", str(by_lines)))
        monkeypatch.setattr(reading, "__path__", [*reading.__path__, str(tmp_path)])
        reading.forms.cache_clear()

    yield add
    monkeypatch.undo()
    sys.modules.pop("tourney.decks.reading.at_form", None)
    reading.forms.cache_clear()


def test_reads_the_form(add_form):
    """Title, zones, wrong counts, names and marks: the builder handles the rest."""
    add_form()
    read = deck(LIST)
    assert (read.grammar, read.name) == ("at", "Sky")
    assert cards(read.lines) == ["2 Bell | side", "4 Kite (ABC) 12"]
    assert [(line.number, line.zone_id) for line in read.lines] == [(2, "side"), (3, None)]
    assert [reading.name for reading in read.lines[1].readings] == ["Kite (ABC) 12", "Kite"]
    assert rules(read) == [("count", 4)]
    assert dict(read.account) == {2: "card", 3: "card", 4: "finding"}


def test_gives_no_account_of_lines_if_the_form_has_none(add_form):
    add_form(by_lines=False)
    assert deck(LIST).account == ()


def test_refuses_a_searched_form_without_cards(add_form):
    add_form()
    (finding,) = deck("@cards Sky\n").findings
    assert (finding.rule, finding.message) == ("unread", "no card was found; the file was read as `at`")


def test_tries_the_next_form(add_form):
    """For a text without the sign, and for a text with the sign that the reader does not know."""
    add_form()
    assert deck("4 Kite").grammar == "plain"
    assert deck("@cards\n4 Kite").grammar == "plain"
    assert deck('<deck><card name="Kite"/></deck>').grammar == "xml"
    with pytest.raises(TourneyError, match="a list in YAML"):
        deck("- name: Kite\n  count: 4\n")


def test_commands_read_the_form(add_form, tmp_path):
    """`deck show` shows it like any other list."""
    add_form()
    (tmp_path / "sky.txt").write_text(LIST.replace("0*", "1*"))
    shown = CliRunner().invoke(root, ["deck", "show", str(tmp_path / "sky.txt")])
    assert shown.exit_code == 0, shown.output
    assert "Sky" in shown.output.splitlines()[0]
    assert "4  Kite (ABC) 12" in shown.output
