"""Every form in which a deck is written, and the report of what a form loses.

All names are invented.
"""

import pytest

from tests.decks.kit import cards, deck
from tests.kit import golden, with_rows
from tourney.decks import read, read_all, write
from tourney.decks.printing import BY_CODE, FORMS
from tourney.errors import TourneyError

FULL = """\
Deck Name: Sky and Stone
Player: Ann Example
Format: redline/standard
Author: Bob

Commander (1)
1 Ann the Bold (ABC) 12 *F*

Deck (7)
4 Kite (ABC) 13

Creatures (3)
3 Stone // Sky {type=efreet}

Sideboard (2)
2 Bell, the Loud (RED)

Maybeboard (1)
1 Drum

// a remark
"""

PRINTED = {
    "arena": "About\nName Sky\n\nCommander\n1 Ann (ABC) 12\n\nDeck\n4 Kite\n\nSideboard\n2 Bell\n",
    "mtgo": "1 Ann\n4 Kite\n\nSIDEBOARD:\n2 Bell\n",
    "tappedout": "1x Ann *F* *CMDR*\n4x Kite\nSB: 2x Bell\n",
    "mwdeck": "// NAME : Sky\n        1 [ABC] Ann\n        4 Kite\nSB:  2 Bell\n",
    "forge": "[metadata]\nName=Sky\n[Commander]\n1 Ann+|ABC|12\n[Main]\n4 Kite\n[Sideboard]\n2 Bell\n",
    "xmage": "NAME:Sky\n1 [ABC:12] Ann\n4 Kite\nSB: 2 Bell\n",
    "lackey": "Commander:\n1\tAnn\tABC\nDeck:\n4\tKite\nSideboard:\n2\tBell\n",
    "markdown": "# Sky\n\n## Commander (1)\n\n* 1 Ann (ABC) 12 *F*\n\n## Deck (4)\n\n* 4 Kite\n\n## Sideboard (2)\n\n* 2 Bell\n",
    "csv": (
        "Count,Name,Set Code,Collector Number,Zone,Card ID,Foil,Category\n"
        "1,Ann,ABC,12,Commander,,foil,\n4,Kite,,,Deck,,,\n2,Bell,,,Sideboard,,,\n"
    ),
    "cod": (
        '<?xml version="1.0" encoding="UTF-8"?>\n<cockatrice_deck version="1">\n    <deckname>Sky</deckname>\n'
        '    <comments></comments>\n    <zone name="main">\n'
        '        <card number="1" name="Ann" setShortName="ABC" collectorNumber="12"/>\n'
        '        <card number="4" name="Kite"/>\n    </zone>\n    <zone name="side">\n'
        '        <card number="2" name="Bell"/>\n    </zone>\n</cockatrice_deck>\n'
    ),
}

SMALL = "Deck Name: Sky\n\nCommander\n1 Ann (ABC) 12 *F*\n\nDeck\n4 Kite\n\nSideboard\n2 Bell\n"


def test_printing_a_parsed_text_gives_the_same_text():
    text, lost = write(deck(FULL), "text")
    assert (text, lost) == (FULL, ())


@with_rows("form", PRINTED)
def test_each_form_is_written_exactly(form):
    """The whole text is compared, so that any change is noticed."""
    assert write(deck(SMALL), form)[0] == PRINTED[form]


def test_the_canonical_form_loses_nothing():
    """TOML, with one line for each card."""
    text, lost = write(deck(FULL), "toml")
    assert lost == ()
    assert '{ count = 1, name = "Ann the Bold", set = "ABC", number = "12", marks = ["*F*"] },' in text
    assert write(deck(text), "toml") == (text, ())


@with_rows("form", [form for form in FORMS if form not in BY_CODE])
def test_every_form_keeps_names_and_counts(form):
    """Cards that do not count may be lost, which is reported."""
    made = deck(FULL)
    text, lost = write(made, form)
    again = deck(text)
    assert sorted((line.name, line.count) for line in again.lines) == sorted(
        (line.name, line.count) for line in made.lines
    )
    assert not any(
        "card" in sentence.split(":")[0] and "does not count" not in sentence for sentence in lost
    ), lost


def test_the_report_lists_each_kind_of_loss():
    """With names and values."""
    lost = write(deck(FULL), "mtgo")[1]
    assert lost == (
        "the title: `Sky and Stone`",
        "the player: `Ann Example`",
        "the format: `redline/standard`",
        "1 card that does not count: `Drum`",
        "the zone on 1 line: `leader`",
        "the group on 1 line: `Creatures`",
        "the printing on 2 lines: `ABC 12`, `ABC 13`",
        "the declared facts on 1 line: `type=efreet`",
        "the marks on 1 line: `*F*`",
        "what the list says about itself: author, comment",
    )


def test_sets_are_left_out_for_tappedout_if_no_mark_is_written():
    """Only marks such as `*F*` are written. Without one, `(ABC)` would be read as a part of the name."""
    made = deck("4 Kite (ABC) 12 ^Have,#37d67a^\n3 Bell (ABC) 13 ^Have,#37d67a^\n")
    text, lost = write(made, "tappedout")
    assert text == "4x Kite\n3x Bell\n"
    assert lost == (
        "the printing on 2 lines: `ABC 12`, `ABC 13`",
        "the marks on 2 lines: `^Have,#37d67a^`",
    )


def test_a_name_that_a_form_would_misread_is_reported():
    """`Kite (ABC) 12` as a name: in text, the end would be a printing."""
    made = deck('schema = "tourney.decklist/1"\n[[zone]]\ncards = [{ name = "Kite (ABC) 12", count = 4 }]')
    assert write(made, "toml")[1] == ()
    assert write(made, "text")[1] == (
        "4 cards: `Kite (ABC) 12` ×4",
        "4 cards that are not in the deck would be read: `Kite` ×4",
    )


def test_codes():
    """Cards with a passcode are written. A deck without any passcode is refused."""
    made = deck("#main\n123\n123\n#extra\n456\n!side\n789\n")
    assert write(made, "ydk")[0] == "#main\n123\n123\n#extra\n456\n!side\n789\n"
    link, lost = write(made, "ydke")
    assert lost == ()
    assert cards(deck(link).lines) == ["1 123 | main", "1 123 | main", "1 456 | extra", "1 789 | side"]
    with pytest.raises(
        TourneyError, match="this form contains only passcodes, but no card of this list has one"
    ):
        write(deck("4 Kite\n"), "ydk")
    with pytest.raises(
        TourneyError, match="this form contains only passcodes, but no card of this list has one"
    ):
        write(deck('{"cards": [{"name": "Kite", "count": 1, "code": "%s"}]}' % ("9" * 5_000)), "ydk")


def test_cards_without_a_code_are_a_loss():
    """Other cards have a code. The report names those without one."""
    lost = write(deck("4 Kite {code=123}\n2 Bell\n"), "ydk")[1]
    assert lost == ("2 cards: `Bell` ×2", "the names on 1 line: only codes are written")


def test_an_unknown_form_is_refused():
    """The hint lists the forms."""
    with pytest.raises(TourneyError, match="unknown form `docx`") as refused:
        write(deck("4 Kite\n"), "docx")
    assert "text, toml, markdown" in (refused.value.hint or "")


def test_xml_forms_escape_special_characters():
    """Ampersands, quotes and angle brackets are read back."""
    made = deck("[[zone]]\ncards = [{ count = 4, name = 'Kite & \"Sons\" <b>' }]")
    for form in ("cod", "o8d", "dek"):
        assert [line.name for line in deck(write(made, form)[0]).lines] == ['Kite & "Sons" <b>']


SAMPLES = (
    "archidekt.txt", "arena-sections.txt", "cockatrice.cod", "deckbox.csv", "deckstats.txt", "fabrary.txt",
    "forge.dck", "lackey-plain.txt", "lackey.dek", "magic-workstation.mwDeck", "mtgjson-deck.json",
    "mtgo.dek", "netrunnerdb.txt", "onepiece.txt", "ptcgl.txt", "redline.txt", "swudb.json",
    "taw-precon-commander.txt", "vtes-twd.txt", "xmage.dck", "yugioh.ydk",
)  # fmt: skip


@with_rows("name", SAMPLES)
def test_sample_lists_keep_their_cards_in_every_form(name):
    """In TOML they lose nothing."""
    made = read_all(golden("decklists", name).read_bytes(), source=name)[0]
    assert write(made, "toml")[1] == ()
    wanted = sorted((line.name, line.count) for line in made.lines)
    for form in FORMS:
        if form not in BY_CODE:
            again = read(write(made, form)[0], source=form)
            assert _added(again.lines) == _added(made.lines), form
    assert wanted == sorted(
        (line.name, line.count) for line in read(write(made, "toml")[0], source="toml").lines
    )


def _added(lines):
    added = {}
    for line in lines:
        added[line.name] = added.get(line.name, 0) + line.count
    return added
