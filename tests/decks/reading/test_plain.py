"""Plain text: headers, zones, prefixes, comments, exports of many programs. All names are invented."""

import pytest

from tests.decks.kit import cards, deck, rules
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


@pytest.mark.parametrize("header", ZONES.values(), ids=ZONES.keys())
def test_a_header_begins_a_zone_in_whatever_dress(header):
    """The header of a sideboard, as people and programs write it; it is not a card, and its count is checked."""
    made = deck(f"4 Kite\n3 Stone\n\n{header}\n2 Bell\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [
        ("Kite", None),
        ("Stone", None),
        ("Bell", "side"),
    ]
    assert made.findings == ()


@pytest.mark.parametrize(
    "line", ["SB: 2 Bell", "SB:  2 Bell", "sb: 2x Bell", "SB:2 Bell", "Sideboard: 2 Bell", "\tSB:\t2\tBell"]
)
def test_a_prefix_puts_one_card_into_a_zone(line):
    """`SB:` holds for its own line only."""
    made = deck(f"4 Kite\n{line}\n3 Stone\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [
        ("Kite", None),
        ("Bell", "side"),
        ("Stone", None),
    ]


@pytest.mark.parametrize(
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
def test_who_leads(line, name):
    """A prefix or a mark says which card leads the deck."""
    made = deck(f"{line}\n4 Kite\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [(name, "leader"), ("Kite", None)]


def test_a_leader_header_ends_with_its_paragraph():
    """`Commander`, one card, a blank line: what follows is the deck."""
    made = deck("Commander\n1 Ann\n\n4 Kite\n3 Stone\n\nSideboard\n1 Bell\n")
    assert cards(made.lines) == ["1 Ann | Commander", "4 Kite", "3 Stone", "1 Bell | Sideboard"]


def test_what_never_counts_is_kept_apart():
    """Maybeboard, tokens and cards under consideration are read and never counted."""
    made = deck("4 Kite\n\nMaybeboard:\n3 Stone\n\nTokens\n1 Goat\n\nConsidering:\n1 Bell\n")
    assert cards(made.lines) == ["4 Kite"]
    assert cards(made.aside) == ["3 Stone | Maybeboard", "1 Goat | Tokens", "1 Bell | Considering"]
    assert made.cards == 4


def test_a_category_can_say_that_a_card_does_not_count():
    """`{noDeck}` in an export's category is a maybeboard whatever its name."""
    made = deck("1x Kite (abc) 1 [Later{noDeck},Ramp]\n1x Stone (abc) 2 [Ramp]\n")
    assert (cards(made.lines), cards(made.aside)) == (["1 Stone"], ["1 Kite | Later"])


def test_headers_that_sort_are_no_zones():
    """`Creatures (7)` sorts the deck; the cards below stay in the zone they were in, and the count is checked."""
    made = deck(
        "Deck\n\nCreatures (7)\n4 Kite\n3 Stone\n\nLands (9)\n8 Hill\n\nSideboard\nCreatures\n1 Bell\n"
    )
    assert cards(made.lines) == ["4 Kite | Deck", "3 Stone | Deck", "8 Hill | Deck", "1 Bell | Sideboard"]
    assert [line.group for line in made.lines] == ["Creatures", "Creatures", "Lands", "Creatures"]
    assert rules(made) == [("section-count", 7)]
    assert made.findings[0].message == "`Lands` says 9 cards, its lines add up to 8"


def test_unknown_headers():
    """A header nobody knows begins a zone of its own; one with a count, or inside a sideboard, only sorts."""
    made = deck("2 Rope\n\nOdd things:\n1 Kite\n\nVP (1)\n1 Stone\n\nSideboard:\n1 Bell\n\nMore:\n1 Drum\n")
    assert [(line.zone, line.group) for line in made.lines] == [
        (None, None),
        ("Odd things", None),
        ("Odd things", "VP"),
        ("Sideboard", None),
        ("Sideboard", "More"),
    ]


def test_the_formats_own_headers_come_first():
    """A format's words are zones, and general words mean the zone that shares a word with their kind."""
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


def test_one_blank_line_parts_the_sideboard():
    """Without any header one blank line begins the sideboard; `deck show` says so."""
    made = deck("4 Kite\n3 Stone\n\n2 Bell\n1 Drum\n")
    assert cards(made.lines) == ["4 Kite", "3 Stone", "2 Bell | Sideboard", "1 Drum | Sideboard"]
    assert [line.implied for line in made.lines] == [False, False, True, True]
    assert [note.line for note in made.notes] == [4]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4 Kite\n\n3 Stone\n\n2 Bell\n", "two blank lines"),
        ("4 Kite\nSB: 1 Drum\n\n3 Stone\n", "a prefix says which card is in the sideboard"),
        ("Creatures\n4 Kite\n\nLands\n3 Hill\n", "headers"),
        ("Kite\nStone\n\nBell\nDrum\n", "no counts"),
    ],
)
def test_blank_lines_that_part_no_sideboard(text, why):
    """Several blank lines, headers, prefixes or bare names: then a blank line is only a blank line."""
    implied = [line.name for line in deck(text).lines if line.implied]
    assert implied == [], why


def test_a_format_without_a_sideboard_has_none_behind_a_blank_line():
    """In a game without sideboards a blank line parts nothing."""
    assert [line.zone for line in deck("4 Kite\n\n3 Stone\n", REDLINE).lines] == [None, None]


def test_one_card_above_a_long_list_leads_it():
    """No sideboard has more than fifteen cards: the card above is the commander."""
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


@pytest.mark.parametrize(("text", "title", "why"), TITLES, ids=[why for *_, why in TITLES])
def test_a_title_is_shown_and_never_counted(text, title, why):
    """A first line that is a title, for each reason there is."""
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


@pytest.mark.parametrize(("text", "why"), NO_TITLES, ids=[why for _, why in NO_TITLES])
def test_a_card_without_a_count_is_one_card(text, why):
    """What has no count is one copy, unless there is a reason to take it for a title."""
    made = deck(text)
    assert made.name is None
    assert "Kite" in [line.name for line in made.lines]


def test_who_plays_and_in_which_format():
    """`Name:` is the player's, `Format:` the format's."""
    made = deck("Name: Ann Example\nFormat: redline/standard\n\n4 Kite\n")
    assert (made.player, made.format, made.name) == ("Ann Example", "redline/standard", None)
    assert deck("Player: Ann\nName: Sky\n4 Kite\n").player == "Ann"


def test_what_a_list_says_of_itself():
    """Author, date and comments are kept, not counted."""
    made = deck("// Sky\n// Author: Ann\n4 Kite\n// a good card\n3 Stone\n# another\n")
    assert made.about == (("author", "Ann"), ("comment", "a good card"), ("comment", "another"))
    assert made.cards == 7


def test_leaders_above_a_counted_list():
    """An identity or faction without a count above a counted list leads it, with a note."""
    made = deck("Ctrl\n\nAnn: Security\n\nAgenda (3)\n3x Kite (Core)\n")
    assert next((line.name, line.zone_id, line.group) for line in made.lines) == (
        "Ann: Security",
        "leader",
        None,
    )
    assert [note.line for note in made.notes] == [1, 3]


def test_markdown_mail_and_forum_dress():
    """Bullets, numbering, check boxes, links, bold counts, quotes and forum codes are taken off."""
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
        "4 Kite", "3 Stone", "2 Bell", "1 Drum", "1 Goat", "2 Cow", "3 Pig", "1 Hen", "5 Egg", "4 Mail", "2 Forum",
        "3 Brace (2)", "2 R&D",
    ]  # fmt: skip


def test_tab_columns():
    """Count, name, set and picture between tabs; a column that nobody can name leaves a doubt about its line."""
    made = deck("1\tKite [K]\tK\tKite_[K]\n2\tStone\tABC\n3\tBell\n1\tOne\tLong name\tof many words\n")
    assert cards(made.lines) == ["1 Kite", "2 Stone", "3 Bell", "1 One"]
    assert [bool(line.doubt) for line in made.lines] == [False, False, False, True]
    assert [line.printing.set for line in made.lines] == ["K", "ABC", None, None]


def test_footers_are_no_cards():
    """What an export says of itself below the list is not a card; a total is compared."""
    made = deck("4 Kite\n3 Stone\n\nTotal Cards: 8\n\nMade with joy\nSee https://example.org/decks/1\n")
    assert cards(made.lines) == ["4 Kite", "3 Stone"]
    assert rules(made) == [("section-count", 4)]
    assert deck("4 Kite\n3 Stone\n7 cards\n").findings == ()


def test_counts_that_are_none_are_findings():
    """Zero, negative, fractional and gigantic counts: each a finding with its line, none counted."""
    made = deck("Deck (4)\n0 Kite\n-3 Stone\n1.5 Bell\n10000000 Drum\n4 Goat\n3\n4x\n")
    assert cards(made.lines) == ["4 Goat | Deck"]
    assert rules(made) == [("count", 2), ("count", 3), ("count", 4), ("count", 5), ("line", 7), ("line", 8)]
    drum = made.findings[3]
    assert (
        drum.message
        == "`10000000`: more than 999 copies on one line; a count is a whole number from 1 to 999"
    )
    assert (drum.subjects, drum.have) == (("Drum",), "10000000")
    assert drum.hint == "if the number belongs to the name, write `1 10000000 Drum`"


def test_a_header_over_lines_that_could_not_be_counted_is_not_blamed():
    """One root cause is one finding: the sum of a section with a broken line is not told again."""
    assert rules(deck("Deck (5)\n0 Kite\n4 Stone\n")) == [("count", 2)]


@pytest.mark.parametrize("text", ["", "\n\n", "// nothing\n", "Sideboard\n", "\ufeff", "Deck\n\nSideboard\n"])
def test_an_empty_list_is_a_finding(text):
    """A list without a card says so, once."""
    assert rules(deck(text)) == [("empty", None)]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("4 Kite\n\n=====\n3 Stone\n", [1, 4]),
        ("Deck\n4 Kite\nSideboard\n1 Bell\n\nDeck\n3 Stone\n", [2, 7]),
        ("Name: Ann\n4 Kite\n\nName: Bob\n3 Stone\n", [2, 5]),
        ("// NAME: One\n4 Kite\n\n// NAME: Two\n3 Stone\n", [2, 5]),
        ("Commander\n1 Ann\n\nDeck\n4 Kite\n\nCommander\n1 Bob\n\nDeck\n3 Stone\n", [2, 8]),
    ],
)
def test_two_decks_in_one_file(text, starts):
    """The first is read; an error names the others, so that no deck passes for legal that is two."""
    made = deck(text)
    assert made.lines[0].number == starts[0]
    assert "Stone" not in [line.name for line in made.lines]
    assert rules(made) == [("decks", starts[1])]
    assert "there are 2 decks in this file" in made.findings[0].message


def test_two_headers_of_one_kind_are_one_deck():
    """A legend and a champion lead the same deck; a group may come twice."""
    made = deck("Legend:\n1 Ann\n\nChampion:\n1 Bob\n\nMainDeck:\n4 Kite\n")
    assert [line.zone_id for line in made.lines] == ["leader", "leader", "main"]


def test_a_line_too_long_is_a_finding():
    """Nobody's card has a name of a thousand letters."""
    assert rules(deck("4 Kite\n2 " + "x" * 1_000 + "\n")) == [("line", 2)]


def test_a_list_too_long_says_so():
    """What stands below the ten thousandth line is not read, and that is told."""
    assert ("line", 10_000) in rules(deck("1 Kite\n" * 10_001))


def test_line_numbers_are_the_editors():
    """Windows, old Mac and Unix line ends count alike."""
    for end in ("\n", "\r\n", "\r"):
        assert [line.number for line in deck(f"4 Kite{end}{end}3 Stone{end}2 Bell").lines] == [1, 3, 4]


def test_facts_stay_with_their_line():
    """What a line declares is kept for `--trust-declared`."""
    line = deck("4 Siege Hammer {type=efreet, faction=CPM} *F*\n").lines[0]
    assert (line.name, dict(line.facts), line.marks) == (
        "Siege Hammer",
        {"type": "efreet", "faction": "CPM"},
        ("*F*",),
    )


def test_a_tournament_archives_list():
    """Crypt and library with capacities and clans in columns, counts in square brackets, a description above."""
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


@pytest.mark.parametrize(
    ("main", "side"), [("Mazo", "Banquillo"), ("Deck", "Réserve"), ("デッキ", "サイドボード")]
)
def test_headers_in_other_languages(main, side):
    """The client's export follows the player's language."""
    made = deck(f"{main}\n4 Kite (ABC) 1\n\n{side}\n1 Bell (ABC) 2\n")
    assert [line.zone_id for line in made.lines] == ["main", "side"]


def test_bars_between_count_name_and_subtitle():
    """`3 | Name | Subtitle`: the first bar follows the count, the second is part of the name."""
    made = deck("Leader\n1 | Ann Example | The Bold\n\nDeck\n3 | Kite\n")
    assert cards(made.lines) == ["1 Ann Example | The Bold | Leader", "3 Kite | Deck"]


def test_codes_beside_names_in_whatever_place():
    """Where every card has its collector's code, the code is not part of the name, in brackets or bare."""
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


@pytest.mark.parametrize(
    "line",
    [
        LAYOUT,
        LAYOUT.replace("MAIN", "SIDEBOARD"),
        "// " + "a word " * 300,
        "Description: " + "a word " * 300,
        "# " + "x" * 2_000,
    ],
)
def test_long_lines_that_are_no_cards(line):
    """Where the piles lie, remarks and descriptions may be as long as they like."""
    made = deck(f"4 Kite\n{line}\n3 Stone\n")
    assert (cards(made.lines), made.findings) == (["4 Kite", "3 Stone"], ())
    assert dict(made.account)[2] == "comment"


@pytest.mark.parametrize(
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
def test_a_zone_in_brackets_puts_one_card_into_it(line):
    """As a prefix or behind the card."""
    made = deck(f"4 Kite\n{line}\n3 Stone\n")
    assert [(each.count, each.name, each.zone_id) for each in made.lines] == [
        (4, "Kite", None),
        (2, "Bell", "side"),
        (3, "Stone", None),
    ]


@pytest.mark.parametrize(
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
def test_what_could_be_read_two_ways_is_refused_by_its_line(text, doubted):
    """The verdict has an error for the line; nothing is halved in silence."""
    assert refused(text) == doubted
    found = verdict(known("", None), text)
    assert sorted({line for each in found.findings if each.rule == "line" for line in each.lines}) == doubted


def refused(text):
    """The lines that a list is refused for unless a pool knows better, or whatever it knows."""
    made = deck(text)
    doubted = {line.number for line in made.lines if line.doubt}
    return sorted(doubted | {line for rule, line in rules(made) if rule == "line"})


@pytest.mark.parametrize(
    ("text", "total"),
    [("Kite, Bell, Drum, Goat\n", 1), ("4 Hill\n\nOdd\n2 Bell\n3 Hill\n", 10), ("4\tBell\tof bronze\n", 4)],
)
def test_a_pool_that_knows_the_card_settles_a_doubt(text, total):
    """What could be a header, or several names, is the card that the pool has."""
    pool = {name: {} for name in ("Kite, Bell, Drum, Goat", "Odd", "Bell", "Hill")}
    found = verdict(known("", pool), text)
    assert (found.verdict, found.total) == ("legal", total)


@pytest.mark.parametrize("text", ["4. Kite\n3. Bell\n", "4\tKite\t2\n", "~~4 Kite~~\n3 Bell\n", "4,Kite,2\n"])
def test_no_pool_settles_which_of_two_counts_is_meant(text):
    """The card is known, its count is not."""
    assert "line" in handles(verdict(known("", {"Kite": {}, "Bell": {}}), text))


@pytest.mark.parametrize(
    "text",
    [
        "1. Kite\n2. Bell\n\n1. Drum\n",
        "1. Kite\n1. Bell\n",
        "1) Kite\n2) Bell\n\n3) Drum\n",
        "2. 4 Kite\n7. 3 Bell\n",
    ],
)
def test_numbered_lines(text):
    """Numbers that run on count lines, and so does any number before a count."""
    assert refused(text) == []


LANGUAGES = [
    ("Hauptdeck", "Ersatzbank"), ("Deck principal", "Réserve"), ("Mazo", "Banquillo"), ("Mazzo", "Riserva"), ("Baralho", "Reserva"),
    ("Talia główna", "Talia poboczna"), ("Колода", "Сайдборд"), ("主牌", "备牌"), ("主牌組", "備牌"), ("덱", "사이드보드"), ("メインデッキ", "サイドボード"),
]  # fmt: skip


@pytest.mark.parametrize("dress", ["{}", "{}:", "{} (4)", "{}：4", "{}（4枚）", "## {}", "[{}]"])
@pytest.mark.parametrize(("main", "side"), LANGUAGES, ids=[main for main, _ in LANGUAGES])
def test_headers_of_eleven_languages(main, side, dress):
    """Main deck and sideboard, in each dress that a header has."""
    made = deck(f"{dress.format(main)}\n4 Kite\n\n{dress.format(side)}\n4 Bell\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [("Kite", "main"), ("Bell", "side")]
    assert made.findings == ()


def test_several_cards_on_a_line():
    """Each with its count: none is lost to the name of the first."""
    assert cards(deck("4 Kite, 3 Bell; 2 Drum\n1 Jace, the Mind\n").lines) == [
        "4 Kite",
        "3 Bell",
        "2 Drum",
        "1 Jace, the Mind",
    ]
    assert cards(deck("Kite x4, Bell x3\n").lines) == ["4 Kite", "3 Bell"]


def test_lists_side_by_side_under_their_headers():
    """The first column's header holds for the first column, the second's for the second."""
    made = deck("Main\t\tSide\t\n4\tKite\t2\tBell\n3\tStone\t\t\n")
    assert cards(made.lines) == ["4 Kite | Main", "3 Stone | Main", "2 Bell | Side"]
    assert [line.number for line in made.lines] == [2, 3, 2]


def test_every_line_is_accounted_for():
    """What each line was taken for, in order; nothing but blank lines is left out."""
    made = deck("Sky and Stone\n\nDeck\n4 Kite\n// a remark\n0 Bell\nTotal: 4\nhttps://example.org\n")
    assert made.account == (
        (1, "title"), (3, "header"), (4, "card"), (5, "comment"), (6, "finding"), (7, "header"), (8, "comment"),
    )  # fmt: skip


def test_an_item_of_a_list_is_no_title():
    """A bullet, a number or a box to check stands before a card, not before a title."""
    for first in ("- [ ] Kite", "* Kite", "1. Kite", "☐ Kite"):
        assert cards(deck(f"{first}\n- 2 Bell\n").lines)[0] == "1 Kite"


def test_numbers_behind_every_name_are_asked_about():
    """They belong to the names; it is asked unless the list shows that names end so."""
    assert [bool(line.question) for line in deck("Kite 4\nBell 3\n").lines] == [True, True]
    assert not any(line.question for line in deck("Paper Card 4\nPaper Card 3\n").lines)
    assert not any(line.question for line in deck("1 Paper Card 4\n1 Kite\nGoat 3\nBell\nHill").lines)


def test_cards_under_a_header_for_words():
    """What has a count there is no card, and that is said."""
    made = deck("Notes:\n4 Kite\nsome words\n\n3 Drum\n")
    assert cards(made.lines) == ["3 Drum"]
    assert [(note.line, note.weighty) for note in made.notes] == [(2, True)]
