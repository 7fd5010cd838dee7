"""A form of decklists is a row and a module: an invented form is read, shown and checked."""

import sys
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from tests.decks.kit import cards, deck, rules
from tourney.cli.command import root
from tourney.decks import reading
from tourney.decks.reading.builder import DeckBuilder
from tourney.decks.reading.names import from_field
from tourney.errors import TourneyError

LIST = "@cards Sky\nside> 2*Bell\n4*Kite (ABC) 12\n0*Drum\n"


def read_decks(text, *, by_lines=True):
    """Read `@cards Title`, then `4*Name` or `side>4*Name` lines; no deck without a title."""
    title = text.lines[0].removeprefix("@cards").strip()
    if not title:
        return []
    made = DeckBuilder(text.source, "at", text.vocabulary, name=title, by_lines=by_lines)
    for number, line in enumerate(text.lines[1:], start=2):
        zone, _, card = line.rpartition(">")
        count, sign, name = card.partition("*")
        made.continue_in(zone or None, line=number)
        if sign and not made.is_full(number):
            made.add(name, from_field(name), line=number, count=count, raw=line)
    return [made.build()]


def add_form(monkeypatch, reader=read_decks, **row):
    monkeypatch.setitem(sys.modules, "tourney.decks.reading.at_form", SimpleNamespace(read_decks=reader))
    grammar = reading.Grammar("AT", lambda text: text.text.startswith("@cards"), "at_form", **row)
    monkeypatch.setattr(reading, "GRAMMARS", (grammar, *reading.GRAMMARS))


def test_reads_the_form(monkeypatch):
    """Title, zones, wrong counts, names and marks: the builder handles the rest."""
    add_form(monkeypatch)
    read = deck(LIST)
    assert (read.grammar, read.name) == ("at", "Sky")
    assert cards(read.lines) == ["2 Bell | side", "4 Kite (ABC) 12"]
    assert [(line.number, line.zone_id) for line in read.lines] == [(2, "side"), (3, None)]
    assert [reading.name for reading in read.lines[1].readings] == ["Kite (ABC) 12", "Kite"]
    assert rules(read) == [("count", 4)]
    assert dict(read.account) == {2: "card", 3: "card", 4: "finding"}


def test_gives_no_account_of_lines_if_the_form_has_none(monkeypatch):
    add_form(monkeypatch, lambda text: read_decks(text, by_lines=False))
    assert deck(LIST).account == ()


def test_refuses_a_searched_form_without_cards(monkeypatch):
    add_form(monkeypatch, searched=True)
    (finding,) = deck("@cards Sky\n").findings
    assert (finding.rule, finding.message) == ("unread", "no card was found in this AT file")


def test_tries_the_next_form(monkeypatch):
    """For a text without the sign, and for a text with the sign in another form."""
    add_form(monkeypatch)
    assert deck("4 Kite").grammar == "plain"
    assert deck("@cards\n4 Kite").grammar == "plain"
    assert deck('<deck><card name="Kite"/></deck>').grammar == "xml"
    with pytest.raises(TourneyError, match="a list in YAML"):
        deck("- name: Kite\n  count: 4\n")


def test_commands_read_the_form(monkeypatch, tmp_path):
    """`deck show` shows it like any other list."""
    add_form(monkeypatch)
    (tmp_path / "sky.txt").write_text(LIST.replace("0*", "1*"))
    shown = CliRunner().invoke(root, ["deck", "show", str(tmp_path / "sky.txt")])
    assert shown.exit_code == 0, shown.output
    assert "Sky" in shown.output.splitlines()[0]
    assert "4  Kite (ABC) 12" in shown.output
