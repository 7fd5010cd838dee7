"""Names that are nearly others, and names that only look like them. All cards are invented."""

import pytest

from tests.rules.kit import handles, rules, verdict
from tourney.decks.unknown_names import MOST_COMPARED

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
    (told,) = [finding for finding in found.findings if finding.rule == "letters"]
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
    assert [(finding.rule, finding.lines) for finding in found.findings] == [
        ("letters", (2,)),
        ("letters", (4,)),
    ]
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
    assert [finding.message for finding in found.findings] == ["the list itself says that it is a misprint"]


def test_a_number_behind_a_name():
    """It belongs to the name in an open pool; a complete one knows which of the two is a card."""
    known = {"Kite": {}, "Agent (5)": {}, "Unit 7": {}}
    assert list(verdict(rules("", known), "Kite 4\nAgent (5)\nUnit 7").zones.values()) == [6]
    assert verdict(rules("", None), "Paper Card 52\nPaper Card 53").cards == 2
    assert verdict(rules("", None), "Agent (5)\nKite (3)").cards == 8


ANYHOW = [
    "1,{}", '1,"{}"', '"1","{}"', "1;{}", "1|{}", "1/{}", "{}/1", "{} / 1", "1{}", "1 {} // sleeve 3", "1 {} // Other Face", "1 {} foil", "1 {} - foil", "1 {}, foil",
    "{}(x4)", "{} {{1}}", "1 {} {{1}}", "<1> {}", "1 {} €1", "~~{}~~", "1 ~~{}~~", "{} Qty: 1", "Qty 1 {}", "#1 {}", "{} #1", "{}_1", "+1 {}", "1+ {}", "1-of {}", "1 of 4 {}",
    "{} 1/4", "{}x1", "{} ¹", "{} ct. 1", "1 {}.", "({})", "1 <abc> {}", "1,{},ABC", "{},1,ABC", "[[{}]] 1", "<li>1 {}</li>", "<tr><td>1</td><td>{}</td></tr>", "{} (1)", "1 {} (1)",
    "{} 1", "1 {} (Summer)", "1 {}\tFoil", "1 Drum\t1 {}", "1 Drum,1 {}",
]  # fmt: skip
ABOVE = ["", "Deck\n", "# My List\n", "My List\n\n"]


@pytest.mark.parametrize("shape", ANYHOW)
def test_a_banned_name_is_never_passed_over(shape):
    """At the top, in the middle and at the end, below any head: the verdict is illegal, or says the banned name."""
    rest = [f"1 Grey {word}" for word in ("Goat", "Owl", "Hare", "Mole")]
    for head in ABOVE:
        for at in (0, 2, 4):
            found = open_verdict(head + "\n".join([*rest[:at], shape.format("Oak Giant"), *rest[at:]]))
            said = " ".join((*found.notes, *(finding.message for finding in found.findings)))
            assert found.verdict == "illegal" or "Oak Giant" in said, (head, at, found)


@pytest.mark.parametrize("shape", ANYHOW)
def test_a_repeated_name_is_never_passed_over(shape):
    """The same of a name that no pool knows and that stands in the list twice."""
    rest = [f"1 Grey {word}" for word in ("Goat", "Owl", "Hare", "Mole")]
    for at in (0, 2, 4):
        found = open_verdict("\n".join([*rest[:at], shape.format("Grey Owl"), *rest[at:]]))
        said = " ".join((*found.notes, *(finding.message for finding in found.findings)))
        assert found.verdict == "illegal" or "Grey Owl" in said, (at, found)


@pytest.mark.parametrize(
    "name",
    [
        "Fire // Ice", "Wear/Tear", "Jace, the Mind", "2-Headed Ogre", "1000 Needles", "Borrowing 100,000 Arrows", "R&D Office", "Kite (Red)", "C# Major", "X-Ray", "Who/What/When",
        "Unit 11", "Kite - the Red", "Foil Weaver", "The 5*Star Hotel", "M11 Guardian", "+2 Mace", "Agent #7", "B.F.M. (Big Furry Monster)", "Dr. No", "5th Column", "Deck of Cards",
    ],
)  # fmt: skip
def test_names_with_signs_are_names(name):
    """A name with its count before it is that name, whatever signs it has."""
    found = open_verdict(f"1 {name}\n1 Drum\n1 Goat")
    assert found.verdict == "legal", found.findings
    assert found.zones == {"deck": 3}


def test_a_pool_that_knows_the_whole_name_settles_every_doubt():
    """And where it knows the shorter one, only a number that may be a count leaves a doubt."""
    pool = {name: {} for name in ("3/Kite", "Bell", "Bell, 3 copies", "Drum")}
    for text, expected in (
        ("3/Kite\nDrum", []),
        ("Bell, 3 copies\nDrum", []),
        ("Bell #3\nDrum", ["line"]),
        ("1 Bell #3\nDrum", []),
    ):
        assert handles(verdict(rules("", pool), text)) == expected, text


def test_cards_that_do_not_count_are_told():
    """With their number, their zone and their lines."""
    found = open_verdict("1 Kite\n1 Bell\n\nTokens\n1 Goblin\n\n4 Drum\n4 Goat\n\nMaybeboard\n1 Owl")
    assert "9 cards under `Tokens` (lines 5 to 8) do not count" in found.notes
    assert "1 card under `Maybeboard` (line 11) does not count" in found.notes


def test_a_head_in_another_tongue_between_counted_lines_is_asked_about():
    """It may be a card; that it was read as one is said."""
    found = open_verdict("1 Kite\n1 Bell\nKreatuur\n1 Drum\n1 Goat")
    assert any("`Kreatuur`" in note and "##" in note for note in found.notes)


def test_a_list_without_end_is_compared_as_far_as_is_said():
    """Names are compared up to a bound far above any deck's, and the verdict says where it ends."""
    names = [f"Invented Thing {number} of many" for number in range(MOST_COMPARED + 1)]
    lines = "\n".join(f"1 {name}" for name in names)
    judged = verdict(rules(COPIES, {"Siege Hammer": {}}, complete=False), lines)
    said = "\n".join(judged.notes)
    assert "only the first 1,000 names were compared with each other and with what is banned" in said
    assert "near names were looked up for the first 200 unknown names only" in said
    fewer = verdict(rules(COPIES, {"Siege Hammer": {}}, complete=False), "\n".join(lines.split("\n")[:150]))
    assert "only" not in "\n".join(note for note in fewer.notes if "compared" in note or "looked up" in note)
    closed = verdict(rules(COPIES, {"Siege Hammer": {}}), lines)
    assert "near names were looked up for the first 200 unknown names only" in closed.notes


BESIDE = [
    "{} - from Tom", "{} — note", "{} {{bad}}", "{} |ABC", "{} abc 12", "{} /* note */", "{} ; note", "{} <- here", "{} v2", "{} mint", "{} borrowed", "{} alt",
    "{} {{F}}", "{} reverse holo", "{} @ 5", "{} card", "{} - Common", "{} 1/1", "{} €0.10 each",
]  # fmt: skip


@pytest.mark.parametrize("shape", BESIDE)
def test_a_name_with_words_beside_it_is_asked_about(shape):
    """The whole name of a banned card, or of another card of the list, and a remark that is hardly part of a name."""
    line = shape.format("Oak Giant")
    assert "Oak Giant" in str([*open_verdict(f"1 {line}\n1 Drum").notes, *errors_of(f"1 {line}\n1 Drum")])
    twin = shape.format("Green Ant")
    text = f"1 Green Ant\n1 {twin}"
    assert twin in str(open_verdict(text).notes) or errors_of(text)


def errors_of(text):
    return [str(finding) for finding in open_verdict(text).findings]


@pytest.mark.parametrize("name", ["Oak Giant's End", "Oak Giant of the Hill", "Oak Giant, the Old", "Oak Giant Rider", "Great Oak Giant", "Oak Giant-Slayer", "Sword of Oak Giant"])  # fmt: skip
def test_a_longer_name_is_another_card(name):
    """No question about a card whose name holds another's as words of its own."""
    assert not [note for note in open_verdict(f"1 {name}\n1 Drum").notes if "did you mean" in note]
