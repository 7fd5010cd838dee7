"""A form of decklists is a row and a function: an invented one is put into the table, and lists of it are read, shown and checked."""

import pytest
from click.testing import CliRunner

from tests.decks.kit import cards, deck, rules
from tourney.cli.command import root
from tourney.decks import reading
from tourney.decks.reading.builder import DeckBuilder
from tourney.decks.reading.names import field
from tourney.errors import TourneyError

LIST = "@cards Sky\nside> 2*Bell\n4*Kite (ABC) 12\n0*Drum\n"


def read_at(text):
    """`@cards Title`, then `4*Name` on each line, `side>` before what stands in the sideboard; none without a title."""
    title = text.lines[0].removeprefix("@cards").strip()
    if not title:
        return []
    made = DeckBuilder(text.source, "at", text.vocabulary, name=title)
    for number, line in enumerate(text.lines[1:], start=2):
        zone, _, card = line.rpartition(">")
        count, sign, name = card.partition("*")
        made.stand_in(zone or None, line=number)
        if sign and not made.is_full(number):
            made.add(name, field(name), line=number, count=count, raw=line)
    return [made.build()]


def in_the_table(monkeypatch, **row):
    grammar = reading.Grammar("AT", lambda text: text.text.startswith("@cards"), read_at, **row)
    monkeypatch.setattr(reading, "GRAMMARS", (grammar, *reading.GRAMMARS))


def test_it_is_read(monkeypatch):
    """Title, zones, counts that are none, names and their marks: the builder does the rest."""
    in_the_table(monkeypatch)
    read = deck(LIST)
    assert (read.grammar, read.name) == ("at", "Sky")
    assert cards(read.lines) == ["2 Bell | side", "4 Kite (ABC) 12"]
    assert [(line.number, line.zone_id) for line in read.lines] == [(2, "side"), (3, None)]
    assert [reading.name for reading in read.lines[1].readings] == ["Kite (ABC) 12", "Kite"]
    assert rules(read) == [("count", 4)]
    assert dict(read.account) == {2: "card", 3: "card", 4: "finding"}


def test_what_its_row_says_holds(monkeypatch):
    """Not read by lines, it gives no account of them; searched for cards, it is refused without any."""
    in_the_table(monkeypatch, by_lines=False, searched=True)
    assert deck(LIST).account == ()
    (finding,) = deck("@cards Sky\n").findings
    assert (finding.rule, finding.message) == ("unread", "no card was found in this AT file")


def test_other_texts_go_on_to_the_next_form(monkeypatch):
    """A text without its sign, and one with it that is of another form after all."""
    in_the_table(monkeypatch)
    assert deck("4 Kite").grammar == "plain"
    assert deck("@cards\n4 Kite").grammar == "plain"
    assert deck('<deck><card name="Kite"/></deck>').grammar == "xml"
    with pytest.raises(TourneyError, match="a list in YAML"):
        deck("- name: Kite\n  count: 4\n")


def test_commands_read_it(monkeypatch, tmp_path):
    """`deck show` as any other list."""
    in_the_table(monkeypatch)
    (tmp_path / "sky.txt").write_text(LIST.replace("0*", "1*"))
    shown = CliRunner().invoke(root, ["deck", "show", str(tmp_path / "sky.txt")])
    assert shown.exit_code == 0, shown.output
    assert "Sky" in shown.output.splitlines()[0]
    assert "4  Kite (ABC) 12" in shown.output
