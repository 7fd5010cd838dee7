"""Plain text: headers, zones, prefixes, comments, exports of many programs.

All names are invented.
"""

from tests.decks.kit import cards, deck, rules
from tests.kit import with_rows
from tests.rules.kit import handles, verdict
from tests.rules.kit import rules as known
from tourney.decks.reading.vocabulary import vocabulary

REDLINE = vocabulary(
    {"general": ["General"], "arsenal": ["Arsenal"], "missions": ["Missions", "Mission deck"]},
    default="arsenal",
    titles=["REDLINE"],
)

ZONES = {
    "a word": "Sideboard",
    "a colon": "Sideboard:",
    "capitals": "SIDEBOARD:",
    "a count": "Sideboard (2)",
    "a count with words": "Sideboard (2 cards)",
    "a count behind a colon": "Sideboard: 2",
    "cards behind a colon": "SideBoard: 2 cards",
    "a count behind a dash": "Sideboard - 2",
    "a square count": "Sideboard [2]",
    "brackets": "[Sideboard]",
    "stars": "**Sideboard**",
    "stars with a count": "**Sideboard (2)**",
    "rules": "--- Sideboard ---",
    "double rules": "=== Sideboard ===",
    "a heading": "## Sideboard",
    "a deep heading": "### Sideboard (2):",
    "a comment": "// Sideboard",
    "a comment without a space": "//Sideboard",
    "a comment with a count": "// Sideboard (2 cards)",
    "a hash": "# Sideboard",
    "a semicolon": "; Sideboard",
    "an exclamation mark": "!side",
    "another word": "Side Deck",
    "spaces": "   Sideboard   ",
    "full width": "Ｓｉｄｅｂｏａｒｄ",
}


@with_rows("header", ZONES.values())
def test_begins_a_zone_at_a_header_in_any_form(header):
    """The header is not a card, and its count is checked."""
    made = deck(f"4 Kite\n3 Stone\n\n{header}\n2 Bell\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [
        ("Kite", None),
        ("Stone", None),
        ("Bell", "side"),
    ]
    assert made.findings == ()


@with_rows(
    "line", ["SB: 2 Bell", "SB:  2 Bell", "sb: 2x Bell", "SB:2 Bell", "Sideboard: 2 Bell", "\tSB:\t2\tBell"]
)
def test_puts_one_card_into_the_zone_of_its_prefix(line):
    """`SB:` applies to its own line only."""
    made = deck(f"4 Kite\n{line}\n3 Stone\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [
        ("Kite", None),
        ("Bell", "side"),
        ("Stone", None),
    ]


@with_rows(
    ("line", "name"),
    [
        ("Leader: Ann the Bold", "Ann the Bold"),
        ("COMMANDER: 1 Ann the Bold", "Ann the Bold"),
        ("Hero: Ann, the Bold", "Ann, the Bold"),
        ("1 Ann the Bold *CMDR*", "Ann the Bold"),
        ("1 Ann the Bold #!Commander", "Ann the Bold"),
        ("1x Ann the Bold (abc) 12 [Commander{top}]", "Ann the Bold"),
    ],
)
def test_reads_leaders(line, name):
    """A prefix or a mark says which card leads the deck."""
    made = deck(f"{line}\n4 Kite\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [(name, "leader"), ("Kite", None)]


def test_ends_the_leader_with_its_paragraph():
    """`Commander`, one card, a blank line: then the deck begins."""
    made = deck("Commander\n1 Ann\n\n4 Kite\n3 Stone\n\nSideboard\n1 Bell\n")
    assert cards(made.lines) == ["1 Ann | Commander", "4 Kite", "3 Stone", "1 Bell | Sideboard"]


def test_keeps_cards_that_never_count_apart():
    """Maybeboard, tokens and cards under consideration."""
    made = deck("4 Kite\n\nMaybeboard:\n3 Stone\n\nTokens\n1 Goat\n\nConsidering:\n1 Bell\n")
    assert cards(made.lines) == ["4 Kite"]
    assert cards(made.aside) == ["3 Stone | Maybeboard", "1 Goat | Tokens", "1 Bell | Considering"]
    assert made.cards == 4


def test_reads_a_category_that_does_not_count():
    """`{noDeck}` in an export's category, whatever its name."""
    made = deck("1x Kite (abc) 1 [Later{noDeck},Ramp]\n1x Stone (abc) 2 [Ramp]\n")
    assert (cards(made.lines), cards(made.aside)) == (["1 Stone"], ["1 Kite | Later"])


def test_sorts_by_headers_that_are_not_zones():
    """The cards below stay in their zone, and the count is checked."""
    made = deck(
        "Deck\n\nCreatures (7)\n4 Kite\n3 Stone\n\nLands (9)\n8 Hill\n\nSideboard\nCreatures\n1 Bell\n"
    )
    assert cards(made.lines) == ["4 Kite | Deck", "3 Stone | Deck", "8 Hill | Deck", "1 Bell | Sideboard"]
    assert [line.group for line in made.lines] == ["Creatures", "Creatures", "Lands", "Creatures"]
    assert rules(made) == [("section-count", 7)]
    assert made.findings[0].message == "`Lands` says 9 cards, but its lines add up to 8"


def test_reads_unknown_headers():
    """They begin a zone; with a count or inside a sideboard they only sort."""
    made = deck("2 Rope\n\nOdd things:\n1 Kite\n\nVP (1)\n1 Stone\n\nSideboard:\n1 Bell\n\nMore:\n1 Drum\n")
    assert [(line.zone, line.group) for line in made.lines] == [
        (None, None),
        ("Odd things", None),
        ("Odd things", "VP"),
        ("Sideboard", None),
        ("Sideboard", "More"),
    ]


def test_prefers_the_headers_of_the_format():
    """General words mean the zone that shares a word with their kind."""
    made = deck(
        "General\n1 Ann\n\nMain Deck (4)\n4 Kite\n\n## Mission deck:\n3 Bunker\n\nSideboard\n1 Bell\n",
        REDLINE,
    )
    assert [(line.zone, line.zone_id) for line in made.lines] == [
        ("General", "general"),
        ("Main Deck", "arsenal"),
        ("Mission deck", "missions"),
        ("Sideboard", None),
    ]


def test_begins_the_sideboard_at_the_only_blank_line():
    """If there are no headers; `deck show` says so."""
    made = deck("4 Kite\n3 Stone\n\n2 Bell\n1 Drum\n")
    assert cards(made.lines) == ["4 Kite", "3 Stone", "2 Bell | Sideboard", "1 Drum | Sideboard"]
    assert [line.is_implied for line in made.lines] == [False, False, True, True]
    assert [note.line for note in made.notes] == [4]


@with_rows(
    ("text", "why"),
    [
        ("4 Kite\n\n3 Stone\n\n2 Bell\n", "two blank lines"),
        ("4 Kite\nSB: 1 Drum\n\n3 Stone\n", "a prefix says which card is in the sideboard"),
        ("Creatures\n4 Kite\n\nLands\n3 Hill\n", "headers"),
        ("Kite\nStone\n\nBell\nDrum\n", "no counts"),
    ],
)
def test_begins_no_sideboard_at_other_blank_lines(text, why):
    """With several blank lines, headers, prefixes or names without counts."""
    implied = [line.name for line in deck(text).lines if line.is_implied]
    assert implied == [], why


def test_begins_no_sideboard_if_the_format_has_none():
    assert [line.zone for line in deck("4 Kite\n\n3 Stone\n", REDLINE).lines] == [None, None]


def test_takes_one_card_above_a_long_list_for_the_leader():
    """No sideboard has more than fifteen cards."""
    made = deck("1 Ann\n\n1 Kite\n20 Hill\n")
    assert cards(made.lines) == ["1 Ann | Leader", "1 Kite", "20 Hill"]
    assert deck("1 Ann\n\n1 Kite\n20 Hill\n", vocabulary({"deck": []})).lines[0].zone is None


TITLES = [
    ("Sky and Stone\n\n4 Kite\n", "Sky and Stone", "a blank line follows"),
    ("Ann's deck:\n4 Kite\n3 Stone\n", "Ann's deck", "it ends in a colon"),
    ("Red Diamond - Ann\nKite\nStone\n1 Bell\n", "Red Diamond - Ann", "it names the game"),
    ("My red-diamond list\nKite\nStone\n", "My red-diamond list", "it names the game, in another spelling"),
    ("Sky and Stone\n4 Kite\n3 Stone\n", "Sky and Stone", "alone without a count"),
    ("Summer Deck\n4 Kite\n", "Summer Deck", "alone without a count, though it ends like a header"),
    ("Sky and Stone\nDeck\n4 Kite\n", "Sky and Stone", "a section follows"),
    ("Sky and Stone\n=====\n4 Kite\n3 Stone\nBell\n", "Sky and Stone", "underlined"),
    ("// Sky and Stone\n4 Kite\n", "Sky and Stone", "the first comment"),
    ("# Sky and Stone\n## Deck\n* 4 Kite\n", "Sky and Stone", "a heading"),
    ("## Sky and Stone\n\n* 4 Kite\n", "Sky and Stone", "a deeper heading with nothing below it"),
    ("Deck Name: Sky and Stone\n4 Kite\n", "Sky and Stone", "it is said"),
    ("// NAME : Sky and Stone\n// CREATOR : Ann\n4 Kite\n", "Sky and Stone", "it is said in a comment"),
    ("NAME:Sky and Stone\n4 Kite\n", "Sky and Stone", "it is said in capitals"),
    ("[metadata]\nName=Sky and Stone\n[Main]\n4 Kite\n", "Sky and Stone", "it is said in a section"),
    ("About\nName Sky and Stone\n\nDeck\n4 Kite\n", "Sky and Stone", "it is said below About"),
    (
        "// first remark\nDeck Name: Sky and Stone\n4 Kite\n",
        "Sky and Stone",
        "what is said beats what is guessed",
    ),
]


@with_rows(("text", "title", "why"), TITLES)
def test_does_not_count_a_title(text, title, why):
    """For each reason to take a first line for a title."""
    made = deck(text, vocabulary(titles=["Red Diamond", "red-diamond/standard"]))
    assert made.name == title
    assert title not in [line.name for line in made.lines]


NO_TITLES = [
    ("Kite\nStone\nBell\n", "all lines are without counts"),
    ("1 Sky and Stone\n\n4 Kite\n", "it has a count"),
    ("Kite\n4 Stone\nBell\n", "others have none either"),
    ("Deck\nKite\n4 Stone\n", "a header stands above it"),
    ("Kite\n", "it is all there is"),
    ("Kite\n\n", "nothing follows"),
    ("4 Kite\nSky and Stone\n", "it is not the first line"),
]


@with_rows(("text", "why"), NO_TITLES)
def test_counts_a_card_without_a_count_once(text, why):
    """Unless there is a reason to take it for a title."""
    made = deck(text)
    assert made.name is None
    assert "Kite" in [line.name for line in made.lines]


def test_reads_player_and_format():
    made = deck("Name: Ann Example\nFormat: redline/standard\n\n4 Kite\n")
    assert (made.player, made.format, made.name) == ("Ann Example", "redline/standard", None)
    assert deck("Player: Ann\nName: Sky\n4 Kite\n").player == "Ann"


def test_keeps_author_date_and_comments():
    """They are not counted."""
    made = deck("// Sky\n// Author: Ann\n4 Kite\n// a good card\n3 Stone\n# another\n")
    assert made.about == (("author", "Ann"), ("comment", "a good card"), ("comment", "another"))
    assert made.cards == 7


def test_reads_leaders_above_a_counted_list():
    """An identity or faction without a count, with a note."""
    made = deck("Ctrl\n\nAnn: Security\n\nAgenda (3)\n3x Kite (Core)\n")
    assert next((line.name, line.zone_id, line.group) for line in made.lines) == (
        "Ann: Security",
        "leader",
        None,
    )
    assert [note.line for note in made.notes] == [1, 3]


def test_removes_the_marks_of_markdown_mail_and_forums():
    """Bullets, numbering, check boxes, links, bold counts, quotes and forum codes."""
    text = """
* 4 [Kite](https://example.org/cards/kite)
- 3x Stone
+ 2 Bell
• 1 Drum
1. Goat
2) 2 Cow
- [ ] 3 Pig
- [x] Hen
**5** Egg
> 4 Mail
[b]2x[/b] [url=https://example.org/a]Forum[/url]
3 [Brace (2)](https://example.org/x_(y))
2 R&amp;D
```
"""
    assert cards(deck(text).lines) == [
        "4 Kite", "3 Stone", "2 Bell", "1 Drum", "1 Goat", "2 Cow", "3 Pig", "1 Hen", "5 Egg", "4 Mail",
        "2 Forum", "3 Brace (2)", "2 R&D",
    ]  # fmt: skip


def test_reads_columns_between_tabs():
    """Count, name, set and picture; an unclear column is a doubt."""
    made = deck("1\tKite [K]\tK\tKite_[K]\n2\tStone\tABC\n3\tBell\n1\tOne\tLong name\tof many words\n")
    assert cards(made.lines) == ["1 Kite", "2 Stone", "3 Bell", "1 One"]
    assert [bool(line.doubt) for line in made.lines] == [False, False, False, True]
    assert [line.printing.set for line in made.lines] == ["K", "ABC", None, None]


def test_does_not_take_footers_for_cards():
    """A total is compared."""
    made = deck("4 Kite\n3 Stone\n\nTotal Cards: 8\n\nMade with joy\nSee https://example.org/decks/1\n")
    assert cards(made.lines) == ["4 Kite", "3 Stone"]
    assert rules(made) == [("section-count", 4)]
    assert deck("4 Kite\n3 Stone\n7 cards\n").findings == ()


def test_refuses_wrong_counts():
    """Zero, negative, fractional and very large counts are findings, and are not counted."""
    made = deck("Deck (4)\n0 Kite\n-3 Stone\n1.5 Bell\n10000000 Drum\n4 Goat\n3\n4x\n")
    assert cards(made.lines) == ["4 Goat | Deck"]
    assert rules(made) == [("count", 2), ("count", 3), ("count", 4), ("count", 5), ("line", 7), ("line", 8)]
    drum = made.findings[3]
    assert drum.message == "`10000000` is not a count; a count is a whole number from 1 to 999"
    assert (drum.subjects, drum.have) == (("Drum",), "10000000")
    assert drum.hint == "if the number belongs to the name, write `1 10000000 Drum`"


def test_does_not_compare_a_sum_if_a_count_below_is_wrong():
    """One cause has one finding."""
    assert rules(deck("Deck (5)\n0 Kite\n4 Stone\n")) == [("count", 2)]


@with_rows("text", ["", "\n\n", "// nothing\n", "Sideboard\n", "\ufeff", "Deck\n\nSideboard\n"])
def test_reports_an_empty_list_once(text):
    assert rules(deck(text)) == [("empty", None)]


@with_rows(
    ("text", "starts"),
    [
        ("4 Kite\n\n=====\n3 Stone\n", [1, 4]),
        ("Deck\n4 Kite\nSideboard\n1 Bell\n\nDeck\n3 Stone\n", [2, 7]),
        ("Name: Ann\n4 Kite\n\nName: Bob\n3 Stone\n", [2, 5]),
        ("// NAME: One\n4 Kite\n\n// NAME: Two\n3 Stone\n", [2, 5]),
        ("Commander\n1 Ann\n\nDeck\n4 Kite\n\nCommander\n1 Bob\n\nDeck\n3 Stone\n", [2, 8]),
    ],
)
def test_reads_the_first_of_two_decks(text, starts):
    """An error names the others, so that two decks are never one legal deck."""
    made = deck(text)
    assert made.lines[0].number == starts[0]
    assert "Stone" not in [line.name for line in made.lines]
    assert rules(made) == [("decks", starts[1])]
    assert "there are 2 decks in this file" in made.findings[0].message


def test_reads_two_headers_of_one_kind_as_one_deck():
    """A legend and a champion lead the same deck; a group may be repeated."""
    made = deck("Legend:\n1 Ann\n\nChampion:\n1 Bob\n\nMainDeck:\n4 Kite\n")
    assert [line.zone_id for line in made.lines] == ["leader", "leader", "main"]


def test_refuses_a_line_that_is_too_long():
    assert rules(deck("4 Kite\n2 " + "x" * 1_000 + "\n")) == [("line", 2)]


def test_reports_that_a_list_is_too_long():
    """Lines below the ten thousandth are not read."""
    assert ("line", 10_000) in rules(deck("1 Kite\n" * 10_001))


def test_numbers_lines_like_an_editor():
    """With line ends of Windows, old Macs and Unix."""
    for end in ("\n", "\r\n", "\r"):
        assert [line.number for line in deck(f"4 Kite{end}{end}3 Stone{end}2 Bell").lines] == [1, 3, 4]


def test_keeps_the_facts_of_a_line():
    """For `--trust-declared`."""
    line = deck("4 Siege Hammer {type=efreet, faction=CPM} *F*\n").lines[0]
    assert (line.name, dict(line.facts), line.marks) == (
        "Siege Hammer",
        {"type": "efreet", "faction": "CPM"},
        ("*F*",),
    )


def test_reads_a_list_of_a_tournament_archive():
    """Crypt and library with columns, counts in square brackets, a description above."""
    made = deck(
        "Deck Name : Sky\nAuthor : Ann\nDescription :\nSome words here\nand 2 here.\n\n"
        "Crypt [3 vampires] Capacity min: 2 max: 10 average: 5.58\n------\n"
        "2x Nathan the Example     4  PRO ani       Clan:6\n1x Old Bob     10  AUS DOM FOR   Clan:2\n\n"
        "Library [6 cards]\n------\nAction [4]\n 4x Govern It\n\nReaction [2]\n 2x Wake, The -- always good\n"
    )
    assert cards(made.lines) == [
        "2 Nathan the Example | Crypt",
        "1 Old Bob | Crypt",
        "4 Govern It | Library",
        "2 Wake, The | Library",
    ]
    assert (made.name, made.findings, made.lines[3].comment) == ("Sky", (), "always good")


@with_rows(("main", "side"), [("Mazo", "Banquillo"), ("Deck", "Réserve"), ("デッキ", "サイドボード")])
def test_reads_headers_in_other_languages(main, side):
    """A client's export is in the player's language."""
    made = deck(f"{main}\n4 Kite (ABC) 1\n\n{side}\n1 Bell (ABC) 2\n")
    assert [line.zone_id for line in made.lines] == ["main", "side"]


def test_reads_bars_between_count_name_and_subtitle():
    """The first bar follows the count, the second is part of the name."""
    made = deck("Leader\n1 | Ann Example | The Bold\n\nDeck\n3 | Kite\n")
    assert cards(made.lines) == ["1 Ann Example | The Bold | Leader", "3 Kite | Deck"]


def test_removes_codes_beside_names():
    """If each card has its collector's code, with or without brackets."""
    made = deck(
        "Leader:\n1 Ann OP01-001\n\nCharacters:\n4 Nami (OP01-016)\n4 OP01-017 Robin\n2 Guard OP01-029_p1\n"
    )
    assert [(line.name, line.code) for line in made.lines] == [
        ("Ann", "OP01-001"),
        ("Nami", "OP01-016"),
        ("Robin", "OP01-017"),
        ("Guard", "OP01-029_p1"),
    ]


LAYOUT = "LAYOUT MAIN:(1,6)(CARD_TYPE,false,50)|" + "([ABC:1],[ABC:2])" * 200


@with_rows(
    "line",
    [
        LAYOUT,
        LAYOUT.replace("MAIN", "SIDEBOARD"),
        "// " + "a word " * 300,
        "Description: " + "a word " * 300,
        "# " + "x" * 2_000,
    ],
)
def test_accepts_long_lines_that_are_not_cards(line):
    """Layouts, remarks and descriptions."""
    made = deck(f"4 Kite\n{line}\n3 Stone\n")
    assert (cards(made.lines), made.findings) == (["4 Kite", "3 Stone"], ())
    assert dict(made.account)[2] == "comment"


@with_rows(
    "line",
    [
        "[SB] 2 Bell",
        "[sb] 2x Bell",
        "2 [SB] Bell",
        "2 Bell [SB]",
        "2 Bell (sideboard)",
        "SB 2 Bell",
        "sb: 2 Bell",
        "[Sideboard] Bell x2",
        "[SB] Bell (2)",
    ],
)
def test_puts_one_card_into_the_zone_in_brackets(line):
    """Before or behind the card."""
    made = deck(f"4 Kite\n{line}\n3 Stone\n")
    assert [(line.count, line.name, line.zone_id) for line in made.lines] == [
        (4, "Kite", None),
        (2, "Bell", "side"),
        (3, "Stone", None),
    ]


@with_rows(
    ("text", "doubted"),
    [
        ("4. Kite\n3. Bell\n", [1, 2]),
        ("4\tKite\t2\n3\tBell\t1\n", [1, 2]),
        ("4\tKite\tBasic Creature\n", [1]),
        ("Kite\tBell\n4 Drum\n", [1]),
        ("~~4 Kite~~\n3 Bell\n", [1]),
        ("4 Kite\n\nOdd\n2 Bell\n3 Drum\n", [3]),
        ("Kite (4)\n4 Bell\n3 Drum\n", [1]),
        ("4 Hill\nKite, Bell, Drum, Goat\n", [2]),
        ("Kite; Bell; Drum\n", [1]),
    ],
)
def test_refuses_a_line_that_could_be_read_two_ways(text, doubted):
    assert refused(text) == doubted
    result = verdict(known("", None), text)
    assert (
        sorted({line for finding in result.findings if finding.rule == "line" for line in finding.lines})
        == doubted
    )


def refused(text):
    """Return the lines that are refused unless a pool knows better, and those that always are."""
    made = deck(text)
    doubted = {line.number for line in made.lines if line.doubt}
    return sorted(doubted | {line for rule, line in rules(made) if rule == "line"})


@with_rows(
    ("text", "total"),
    [("Kite, Bell, Drum, Goat\n", 1), ("4 Hill\n\nOdd\n2 Bell\n3 Hill\n", 10), ("4\tBell\tof bronze\n", 4)],
)
def test_settles_a_doubt_if_the_pool_knows_the_card(text, total):
    pool = {name: {} for name in ("Kite, Bell, Drum, Goat", "Odd", "Bell", "Hill")}
    result = verdict(known("", pool), text)
    assert (result.verdict, result.cards) == ("legal", total)


@with_rows("text", ["4. Kite\n3. Bell\n", "4\tKite\t2\n", "~~4 Kite~~\n3 Bell\n", "4,Kite,2\n"])
def test_refuses_two_counts_even_if_the_pool_knows_the_card(text):
    assert "line" in handles(verdict(known("", {"Kite": {}, "Bell": {}}), text))


@with_rows(
    "text",
    [
        "1. Kite\n2. Bell\n\n1. Drum\n",
        "1. Kite\n1. Bell\n",
        "1) Kite\n2) Bell\n\n3) Drum\n",
        "2. 4 Kite\n7. 3 Bell\n",
    ],
)
def test_reads_numbered_lines(text):
    """Consecutive numbers count lines, and so does any number before a count."""
    assert refused(text) == []


LANGUAGES = [
    ("Hauptdeck", "Ersatzbank"), ("Deck principal", "Réserve"), ("Mazo", "Banquillo"), ("Mazzo", "Riserva"),
    ("Baralho", "Reserva"),
    ("Talia główna", "Talia poboczna"), ("Колода", "Сайдборд"), ("主牌", "备牌"), ("主牌組", "備牌"), ("덱", "사이드보드"),
    ("メインデッキ", "サイドボード"),
]  # fmt: skip


@with_rows("dress", ["{}", "{}:", "{} (4)", "{}：4", "{}（4枚）", "## {}", "[{}]"])
@with_rows(("main", "side"), LANGUAGES)
def test_reads_headers_of_eleven_languages(main, side, dress):
    """Main deck and sideboard, in each form of a header."""
    made = deck(f"{dress.format(main)}\n4 Kite\n\n{dress.format(side)}\n4 Bell\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [("Kite", "main"), ("Bell", "side")]
    assert made.findings == ()


def test_reads_several_cards_on_a_line():
    """Each with its count."""
    assert cards(deck("4 Kite, 3 Bell; 2 Drum\n1 Jace, the Mind\n").lines) == [
        "4 Kite",
        "3 Bell",
        "2 Drum",
        "1 Jace, the Mind",
    ]
    assert cards(deck("Kite x4, Bell x3\n").lines) == ["4 Kite", "3 Bell"]


def test_reads_lists_side_by_side_under_their_headers():
    """Each header applies to its column."""
    made = deck("Main\t\tSide\t\n4\tKite\t2\tBell\n3\tStone\t\t\n")
    assert cards(made.lines) == ["4 Kite | Main", "3 Stone | Main", "2 Bell | Side"]
    assert [line.number for line in made.lines] == [2, 3, 2]


def test_accounts_for_every_line():
    """In order, except for blank lines."""
    made = deck("Sky and Stone\n\nDeck\n4 Kite\n// a remark\n0 Bell\nTotal: 4\nhttps://example.org\n")
    assert made.account == (
        (1, "title"), (3, "header"), (4, "card"), (5, "comment"), (6, "finding"), (7, "header"),
        (8, "comment"),
    )  # fmt: skip


def test_does_not_take_an_item_of_a_list_for_a_title():
    """After a bullet, a number or a check box."""
    for first in ("- [ ] Kite", "* Kite", "1. Kite", "☐ Kite"):
        assert cards(deck(f"{first}\n- 2 Bell\n").lines)[0] == "1 Kite"


def test_asks_about_numbers_behind_every_name():
    """Unless the list shows that names end so."""
    assert [bool(line.question) for line in deck("Kite 4\nBell 3\n").lines] == [True, True]
    assert not any(line.question for line in deck("Paper Card 4\nPaper Card 3\n").lines)
    assert not any(line.question for line in deck("1 Paper Card 4\n1 Kite\nGoat 3\nBell\nHill").lines)


def test_notes_cards_under_a_header_for_words():
    """They are not counted."""
    made = deck("Notes:\n4 Kite\nsome words\n\n3 Drum\n")
    assert cards(made.lines) == ["3 Drum"]
    assert [(note.line, note.weighty) for note in made.notes] == [(2, True)]
