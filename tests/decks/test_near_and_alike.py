"""Names that are nearly others, and names that only look like them. All cards are invented."""

import pytest

from tests.rules.kit import handles, rules, verdict

COPIES = '[[limit]]\nid = "copies"\nby = "name"\nmax = 1\n'
BANNED = '[cards]\n"Oak Giant" = 0\n"Hill Bell" = 1\n'
CYRILLIC_O, GREEK_O, WIDE_O = (
    "\N{CYRILLIC CAPITAL LETTER O}",
    "\N{GREEK CAPITAL LETTER OMICRON}",
    "\N{FULLWIDTH LATIN CAPITAL LETTER O}",
)


def open_verdict(text, cards=None):
    return verdict(rules(COPIES, cards, banlist=BANNED, complete=False), text)


@pytest.mark.parametrize(
    "line",
    [
        "Oak Giant (alt art)",
        "Oak Giant (PROXY)",
        "Oak Giant [foil]",
        "oak giant (Foil, signed)",
        "Oak Giant *F*",
        "Oak Giant [full art]",
        "Oak Giant (ABC) 12 (borderless)",
    ],
)
def test_a_banned_card_is_found_behind_its_marks(line):
    """Words about the copy are no part of a name, in an open pool either."""
    assert handles(open_verdict(f"1 {line}\n1 Drum")) == ["banned"]


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("Oak Giannt", "Oak Giant, which is banned"),
        ("Oak Gaint", "Oak Giant, which is banned"),
        ("Oak Giant (Summer)", "Oak Giant, which is banned"),
        ("Oak Giant 2", "Oak Giant, which is banned"),
        ("Hil Bell", "Hill Bell, which is restricted"),
    ],
)
def test_a_name_near_a_banned_one_is_asked_about(line, near):
    """In an open pool it may be another card: the verdict stands, and the question with it."""
    found = open_verdict(f"1 {line}\n1 Drum")
    assert found.verdict == "legal"
    assert any(f"line 1 `{line}`: did you mean {near}?" in note for note in found.notes)


def test_names_that_one_slip_parts_are_asked_about():
    """A card twice in two spellings would pass for two."""
    found = open_verdict("1 Siege Hammer\n1 Drum\n1 Seige Hammer\n1 SiegeHammer")
    asked = next(note for note in found.notes if note.startswith("one card or two?"))
    assert "line 1 `Siege Hammer` and line 3 `Seige Hammer`" in asked


def test_sixty_numbered_names_are_no_question():
    """`Paper Card 1` to `Paper Card 60` are sixty cards, and so are `Sky A` and `Sky B`."""
    text = "\n".join([*(f"Paper Card {number}" for number in range(60)), "Sky A", "Sky B", "Bell", "Ball"])
    assert not [note for note in open_verdict(text).notes if "?" in note]


@pytest.mark.parametrize(("letter", "code"), [(CYRILLIC_O, "U+041E"), (GREEK_O, "U+039F")])
def test_a_letter_of_another_script_is_told_by_its_code(letter, code):
    """A name that looks like a banned one: what parts them cannot be seen, so it is named."""
    found = open_verdict(f"1 {letter}ak Giant")
    (told,) = [each for each in found.findings if each.rule == "letters"]
    assert told.lines == (1,)
    assert f"it looks like Oak Giant, which is banned, but `{letter}` is {code}" in told.message
    assert not any("did you mean" in words for words in (*found.notes, told.message))


def test_letters_of_another_script_in_a_name_that_nobody_knows():
    """Mixed into a Latin word they are told; a name in one script of its own is a name."""
    assert "U+0430" in open_verdict("1 R\N{CYRILLIC SMALL LETTER A}ven").findings[0].message
    assert "U+FF4F" in open_verdict("1 B\N{FULLWIDTH LATIN SMALL LETTER O}nd").findings[0].message
    assert open_verdict("1 Гром\n1 青の国\n1 Lim-Dûl’s Vault\n1 Æther\n1 Project-Ω").findings == ()


def test_two_lines_that_look_the_same():
    """The list's own names are held against each other, too; letters and digits that print alike among them."""
    found = open_verdict("1 Raven\n1 R\N{CYRILLIC SMALL LETTER A}ven\n1 Iron Gate\n1 lron Gate")
    assert [(each.rule, each.lines) for each in found.findings] == [("letters", (2,)), ("letters", (4,))]
    assert "as line 1 is written" in found.findings[0].message


def test_no_such_card_is_told_by_the_letter_in_a_complete_pool():
    """`did you mean Raven?` about a word that looks the same helps nobody."""
    found = verdict(rules(COPIES, {"Raven": {}}), "1 R\N{CYRILLIC SMALL LETTER A}ven")
    assert (
        found.findings[0].message
        == "no such card; it looks like Raven, but `а` is U+0430 (Cyrillic small letter A)"
    )


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(
    "mark",
    [
        "(BAD)",
        "(bad)",
        "[Bad]",
        "(bad) 12A",
        "(BAD) 99",
        "#bad",
        "*Bad*",
        "|BAD",
        "(Bad) (foil)",
        "(foil) (bad)",
    ],
)
def test_marks_are_read_in_any_case(mark, complete):
    """A misprint is a misprint however its set is written, with a number that the set does not have, too."""
    printed = {"Kite": {"printings": [{"set": "bad", "number": "12a", "status": "misprint"}, {"set": "new"}]}}
    line = f"1 Kite{mark}" if mark.startswith("|") else f"1 Kite {mark}"
    found = verdict(
        rules('[printings]\nid = "printing"\nallow = ["current"]\n', printed, complete=complete), line
    )
    assert handles(found) == ["printing"]


def test_a_list_that_calls_its_own_card_a_misprint():
    """What the list itself says needs no pool."""
    found = verdict(
        rules('[printings]\nid = "printing"\nallow = ["current"]\n', {"Kite": {}}), "1 Kite (MISPRINT)"
    )
    assert [each.message for each in found.findings] == ["the list itself says that it is a misprint"]


def test_a_number_behind_a_name():
    """It belongs to the name in an open pool; a complete one knows which of the two is a card."""
    known = {"Kite": {}, "Agent (5)": {}, "Unit 7": {}}
    assert list(verdict(rules("", known), "Kite 4\nAgent (5)\nUnit 7").cards.values()) == [6]
    assert verdict(rules("", None), "Paper Card 52\nPaper Card 53").total == 2
    assert verdict(rules("", None), "Agent (5)\nKite (3)").total == 8
