"""Names that differ by a typing error, and names that look the same. All cards are invented."""

from tests.kit import with_rows
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


@with_rows(
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
def test_a_banned_card_is_found_despite_marks(line):
    """Words about the copy are not part of the name, also in an open pool."""
    assert handles(open_verdict(f"1 {line}\n1 Drum")) == ["banned"]


@with_rows(
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
    """In an open pool it may be another card, so the list stays legal and a note asks."""
    result = open_verdict(f"1 {line}\n1 Drum")
    assert result.verdict == "legal"
    assert any(f"line 1 `{line}`: did you mean {near}?" in note for note in result.notes)


def test_two_spellings_of_a_name_are_asked_about():
    """Otherwise a card in two spellings would count as two cards."""
    result = open_verdict("1 Siege Hammer\n1 Drum\n1 Seige Hammer\n1 SiegeHammer")
    question = next(note for note in result.notes if note.startswith("one card or two?"))
    assert "line 1 `Siege Hammer` and line 3 `Seige Hammer`" in question


def test_numbered_names_are_not_asked_about():
    """`Paper Card 1` to `Paper Card 60` are sixty cards, and `Sky A` and `Sky B` are two."""
    text = "\n".join([*(f"Paper Card {number}" for number in range(60)), "Sky A", "Sky B", "Bell", "Ball"])
    assert not [note for note in open_verdict(text).notes if "?" in note]


@with_rows(("letter", "code"), [(CYRILLIC_O, "U+041E"), (GREEK_O, "U+039F")])
def test_a_letter_of_another_script_is_named_by_its_code(letter, code):
    """The name looks like a banned one, and the difference is invisible."""
    result = open_verdict(f"1 {letter}ak Giant")
    (finding,) = [finding for finding in result.findings if finding.rule == "letters"]
    assert finding.lines == (1,)
    assert f"it looks like Oak Giant, which is banned, but `{letter}` is {code}" in finding.message
    assert not any("did you mean" in words for words in (*result.notes, finding.message))


def test_a_letter_of_another_script_in_an_unknown_name():
    """It is reported in a Latin word. A name in one other script is accepted."""
    assert "U+0430" in open_verdict("1 R\N{CYRILLIC SMALL LETTER A}ven").findings[0].message
    assert "U+FF4F" in open_verdict("1 B\N{FULLWIDTH LATIN SMALL LETTER O}nd").findings[0].message
    assert open_verdict("1 Гром\n1 青の国\n1 Lim-Dûl’s Vault\n1 Æther\n1 Project-Ω").findings == ()


def test_two_lines_that_look_the_same_are_reported():
    """Letters and digits that look alike count, too."""
    result = open_verdict("1 Raven\n1 R\N{CYRILLIC SMALL LETTER A}ven\n1 Iron Gate\n1 lron Gate")
    assert [(finding.rule, finding.lines) for finding in result.findings] == [
        ("letters", (2,)),
        ("letters", (4,)),
    ]
    assert "(line 1)" in result.findings[0].message


def test_an_unknown_name_is_explained_by_its_foreign_letter():
    """In a complete pool. `did you mean Raven?` would not help, as the word looks the same."""
    result = verdict(rules(COPIES, {"Raven": {}}), "1 R\N{CYRILLIC SMALL LETTER A}ven")
    assert (
        result.findings[0].message
        == "no such card; it looks like Raven, but `а` is U+0430 (Cyrillic small letter A)"
    )


@with_rows("complete", [True, False])
@with_rows(
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
    """Any spelling of the set marks a misprint, even with an unknown collector's number."""
    printed = {"Kite": {"printings": [{"set": "bad", "number": "12a", "status": "misprint"}, {"set": "new"}]}}
    line = f"1 Kite{mark}" if mark.startswith("|") else f"1 Kite {mark}"
    result = verdict(
        rules('[printings]\nid = "printing"\nallow = ["current"]\n', printed, complete=complete), line
    )
    assert handles(result) == ["printing"]


def test_a_list_may_mark_its_own_card_as_a_misprint():
    """The mark needs no pool."""
    result = verdict(
        rules('[printings]\nid = "printing"\nallow = ["current"]\n', {"Kite": {}}), "1 Kite (MISPRINT)"
    )
    assert [finding.message for finding in result.findings] == ["the list itself says that it is a misprint"]


def test_a_number_after_a_name_may_belong_to_it():
    """In an open pool it does. A complete pool knows which of the two readings is a card."""
    cards = {"Kite": {}, "Agent (5)": {}, "Unit 7": {}}
    assert list(verdict(rules("", cards), "Kite 4\nAgent (5)\nUnit 7").zones.values()) == [6]
    assert verdict(rules("", None), "Paper Card 52\nPaper Card 53").cards == 2
    assert verdict(rules("", None), "Agent (5)\nKite (3)").cards == 8


ANYHOW = [
    "1,{}", '1,"{}"', '"1","{}"', "1;{}", "1|{}", "1/{}", "{}/1", "{} / 1", "1{}", "1 {} // sleeve 3",
    "1 {} // Other Face", "1 {} foil", "1 {} - foil", "1 {}, foil",
    "{}(x4)", "{} {{1}}", "1 {} {{1}}", "<1> {}", "1 {} €1", "~~{}~~", "1 ~~{}~~", "{} Qty: 1", "Qty 1 {}",
    "#1 {}", "{} #1", "{}_1", "+1 {}", "1+ {}", "1-of {}", "1 of 4 {}",
    "{} 1/4", "{}x1", "{} ¹", "{} ct. 1", "1 {}.", "({})", "1 <abc> {}", "1,{},ABC", "{},1,ABC", "[[{}]] 1",
    "<li>1 {}</li>", "<tr><td>1</td><td>{}</td></tr>", "{} (1)", "1 {} (1)",
    "{} 1", "1 {} (Summer)", "1 {}\tFoil", "1 Drum\t1 {}", "1 Drum,1 {}",
]  # fmt: skip
ABOVE = ["", "Deck\n", "# My List\n", "My List\n\n"]


@with_rows("shape", ANYHOW)
def test_a_banned_name_is_found_anywhere_in_a_list(shape):
    """Below any heading, the verdict is illegal or mentions the banned name."""
    rest = [f"1 Grey {word}" for word in ("Goat", "Owl", "Hare", "Mole")]
    for head in ABOVE:
        for at in (0, 2, 4):
            result = open_verdict(head + "\n".join([*rest[:at], shape.format("Oak Giant"), *rest[at:]]))
            text = " ".join((*result.notes, *(finding.message for finding in result.findings)))
            assert result.verdict == "illegal" or "Oak Giant" in text, (head, at, result)


@with_rows("shape", ANYHOW)
def test_a_repeated_name_is_found_anywhere_in_a_list(shape):
    """No pool knows the name."""
    rest = [f"1 Grey {word}" for word in ("Goat", "Owl", "Hare", "Mole")]
    for at in (0, 2, 4):
        result = open_verdict("\n".join([*rest[:at], shape.format("Grey Owl"), *rest[at:]]))
        text = " ".join((*result.notes, *(finding.message for finding in result.findings)))
        assert result.verdict == "illegal" or "Grey Owl" in text, (at, result)


@with_rows(
    "name",
    [
        "Fire // Ice", "Wear/Tear", "Jace, the Mind", "2-Headed Ogre", "1000 Needles",
        "Borrowing 100,000 Arrows", "R&D Office", "Kite (Red)", "C# Major", "X-Ray", "Who/What/When",
        "Unit 11", "Kite - the Red", "Foil Weaver", "The 5*Star Hotel", "M11 Guardian", "+2 Mace", "Agent #7",
        "B.F.M. (Big Furry Monster)", "Dr. No", "5th Column", "Deck of Cards",
    ],
)  # fmt: skip
def test_a_name_may_contain_symbols(name):
    """A count stands before it."""
    result = open_verdict(f"1 {name}\n1 Drum\n1 Goat")
    assert result.verdict == "legal", result.findings
    assert result.zones == {"deck": 3}


def test_a_pool_that_knows_the_whole_name_decides():
    """If it knows the shorter name, only a number that may be a count leaves a doubt."""
    pool = {name: {} for name in ("3/Kite", "Bell", "Bell, 3 copies", "Drum")}
    for text, expected in (
        ("3/Kite\nDrum", []),
        ("Bell, 3 copies\nDrum", []),
        ("Bell #3\nDrum", ["line"]),
        ("1 Bell #3\nDrum", []),
    ):
        assert handles(verdict(rules("", pool), text)) == expected, text


def test_cards_that_do_not_count_are_noted():
    """With their number, zone and lines."""
    result = open_verdict("1 Kite\n1 Bell\n\nTokens\n1 Goblin\n\n4 Drum\n4 Goat\n\nMaybeboard\n1 Owl")
    assert "9 cards under `Tokens` (lines 5 to 8) do not count" in result.notes
    assert "1 card under `Maybeboard` (line 11) does not count" in result.notes


def test_a_heading_in_another_language_is_asked_about():
    """Between lines with counts it may be a card, and a note says that it was read as one."""
    result = open_verdict("1 Kite\n1 Bell\nKreatuur\n1 Drum\n1 Goat")
    assert any("`Kreatuur`" in note and "##" in note for note in result.notes)


def test_a_very_long_list_is_compared_up_to_a_limit():
    """The limit is far above any real deck, and the verdict mentions it."""
    names = [f"Invented Thing {number} of many" for number in range(MOST_COMPARED + 1)]
    lines = "\n".join(f"1 {name}" for name in names)
    result = verdict(rules(COPIES, {"Siege Hammer": {}}, complete=False), lines)
    text = "\n".join(result.notes)
    assert "only the first 1,000 names were compared with each other and with banned cards" in text
    assert "similar names were looked up only for the first 200 unknown names" in text
    fewer = verdict(rules(COPIES, {"Siege Hammer": {}}, complete=False), "\n".join(lines.split("\n")[:150]))
    assert "only" not in "\n".join(note for note in fewer.notes if "compared" in note or "looked up" in note)
    closed = verdict(rules(COPIES, {"Siege Hammer": {}}), lines)
    assert "similar names were looked up only for the first 200 unknown names" in closed.notes


BESIDE = [
    "{} - from Tom", "{} — note", "{} {{bad}}", "{} |ABC", "{} abc 12", "{} /* note */", "{} ; note",
    "{} <- here", "{} v2", "{} mint", "{} borrowed", "{} alt", "{} {{F}}", "{} reverse holo", "{} @ 5",
    "{} card", "{} - Common", "{} 1/1", "{} €0.10 each",
]  # fmt: skip


@with_rows("shape", BESIDE)
def test_a_name_with_words_beside_it_is_asked_about(shape):
    """The name is banned or in the list twice; a remark beside it is unlikely to belong to it."""
    line = shape.format("Oak Giant")
    assert "Oak Giant" in str([*open_verdict(f"1 {line}\n1 Drum").notes, *errors_of(f"1 {line}\n1 Drum")])
    twin = shape.format("Green Ant")
    text = f"1 Green Ant\n1 {twin}"
    assert twin in str(open_verdict(text).notes) or errors_of(text)


def errors_of(text):
    return [str(finding) for finding in open_verdict(text).findings]


@with_rows("name", ["Oak Giant's End", "Oak Giant of the Hill", "Oak Giant, the Old", "Oak Giant Rider",
                    "Great Oak Giant", "Oak Giant-Slayer", "Sword of Oak Giant"])  # fmt: skip
def test_a_longer_name_is_another_card(name):
    """A name that contains another one as separate words is not asked about."""
    assert not [note for note in open_verdict(f"1 {name}\n1 Drum").notes if "did you mean" in note]
