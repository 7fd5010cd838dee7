"""Common forms of pasted lists: two languages, faces, bullets, counts on separate lines.

All names are invented.
"""

from tests.decks.kit import cards, deck, misread
from tests.kit import with_rows
from tests.rules.kit import handles, rules, verdict

DECK = '[[zone]]\nid = "deck"\ndefault = true\n[[limit]]\nid = "copies"\nby = "name"\nmax = 4\n'
CARDS = {
    name: {}
    for name in ("Kite", "Bell", "青の国", "Otter // Quick Swim", "Wear/Tear", "Fire // Ice", "Fire // Storm")
}
POOLS = [rules(DECK, CARDS), rules(DECK, CARDS, complete=False)]


@with_rows("ruleset", [rules(DECK), *POOLS])
@with_rows(
    "line",
    ["2 《稲妻/Kite》", "2《稲妻/Kite》", "2x 《稲妻/Kite》", "《稲妻/Kite》2枚", "《稲妻/Kite》×2", "《稲妻/Kite》 2", "2 「Kite」",
     "2 『Kite』", "2 【Kite】",
     "2 稲妻/Kite", "2 Kite / 稲妻", "2 Kite ／ 稲妻", "2 《稲妻/Kite》(M10) 146", "・2 《Змей/Kite》"],
)  # fmt: skip
def test_reads_a_name_in_two_scripts_or_in_corner_brackets(line, ruleset):
    """As in Japanese and Chinese texts. Without a pool, the Latin name counts."""
    assert misread(f"{line}\n3 Bell", {1: {"Kite": 2}, 2: {"Bell": 3}}, ruleset) == {}
    assert verdict(ruleset, f"{line}\n3 Bell").findings == ()


def test_takes_the_name_that_the_pool_knows():
    """In either language. With a complete pool, in round brackets, too."""
    assert (
        misread(
            "1 《青の国/Blue Land》\n2 Blue Land (青の国)", {1: {"青の国": 1}, 2: {"青の国": 2}}, POOLS[0]
        )
        == {}
    )
    assert misread("1 《青の国/Blue Land》", {1: {"青の国": 1}}, POOLS[1]) == {}


def test_asks_about_a_name_beside_its_translation_in_an_open_pool():
    """It may be one card or two."""
    result = verdict(rules(DECK), "4 Kite (稲妻)\n1 稲妻 (Kite)\n1 Bell (赤)")
    assert [finding.lines for finding in result.findings] == [(1,), (2,)]


@with_rows("ruleset", POOLS)
def test_takes_a_front_face_for_its_card(ruleset):
    """If one card has it, and no card has that name; copies add up."""
    result = verdict(ruleset, "3 Otter\n2 Otter // Quick Swim\n1 Wear")
    assert handles(result) == ["copies"]
    assert [(correction.written, correction.taken_as) for correction in result.corrections] == [
        ("Otter", "Otter // Quick Swim"),
        ("Wear", "Wear/Tear"),
    ]


def test_does_not_take_the_face_of_two_cards_for_either():
    """A back face is not a card either."""
    assert handles(verdict(POOLS[0], "1 Fire\n1 Quick Swim\n1 Ice")) == ["card", "card", "card"]


def test_finds_the_front_face_of_a_banned_card():
    """In a pool that does not have the card."""
    banned = rules(DECK, None, banlist='[cards]\n"Otter // Quick Swim" = 0\n')
    assert handles(verdict(banned, "1 Otter\n1 Kite")) == ["banned"]


def test_asks_about_a_front_face_beside_the_whole_name_in_an_open_pool():
    """Four and four could pass for two cards."""
    result = verdict(rules(DECK), "4 Otter\n4 Otter // Quick Swim\n1 Fire // Ice\n1 Fire // Storm")
    assert [finding.lines for finding in result.findings] == [(2,)]


BULLETS = ["• ", "•\t", "·\t", "o\t", "o ", "§\t", "\uf0b7\t", "\uf0a7 ", "– ", "–\t", "— ", "-\t", ", ",
           ". ", "¤ ", "& ", "1.\t", "a) ", "a.\t", "(b) ", "iv. ", "✓ ", "Ø\t", "ü\t", "‣\u00a0"]  # fmt: skip


@with_rows("bullet", BULLETS)
def test_removes_the_bullets_of_word_processors(bullet):
    """On every line or on some, before a count and, with a tab, before a name."""
    text = f"{bullet}4 Kite\n{bullet}3x Bell\n{bullet}2 Drum"
    assert cards(deck(text).lines) == ["4 Kite", "3 Bell", "2 Drum"]
    assert cards(deck(f"4 Kite\n{bullet}3 Bell\n2 Drum").lines) == ["4 Kite", "3 Bell", "2 Drum"]
    if bullet.endswith("\t"):
        assert cards(deck(f"{bullet}Kite\n{bullet}Bell\n{bullet}Drum").lines) == [
            "1 Kite",
            "1 Bell",
            "1 Drum",
        ]


def test_asks_about_a_card_behind_a_semicolon():
    """Some programs begin comments so."""
    assert misread("4 Kite\n; 3 Bell\n2 Drum", {1: {"Kite": 4}, 3: {"Drum": 2}}, rules(DECK)) == {}


@with_rows(
    "text",
    [
        "4\nKite\n3\nBell\n", "4x\nKite\n3x\nBell\n", "Kite\n4\nBell\n3\n", "4\n\nKite\n\n3\n\nBell\n",
        "Kite\nx4\nBell\nx3\n", "4 x\nKite\n3 x\nBell\n", "Kite\n(4)\nBell\n(3)\n", "4:\nKite\n3:\nBell\n",
        "My deck\n\n4\nKite\n3\nBell\n",
    ],
)  # fmt: skip
def test_reads_counts_on_separate_lines(text):
    """Above or below the names, as copied from web pages. The account has every line."""
    read = deck(text)
    assert cards(read.lines) == ["4 Kite", "3 Bell"]
    assert read.findings == ()
    written = [number for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    assert [number for number, _ in read.account] == written


def test_reads_counts_on_separate_lines_in_each_zone():
    text = "Deck\n4\nKite\n3\nBell\n\nSideboard\n2\nDrum\n"
    assert cards(deck(text).lines) == ["4 Kite | Deck", "3 Bell | Deck", "2 Drum | Sideboard"]


@with_rows(
    "text",
    [
        "4\nKite\n3\nBell\nDrum\n",
        "Kite\n4\n3\nBell\n",
        "4\n3\nKite\n",
        "4 Kite\n3\nBell\n",
        "Kite\n4\nBell\n",
        "4\n4 Kite\n",
        "My deck\n3\n\n4 Kite\n3 Bell\n",
    ],
)
def test_refuses_counts_that_belong_to_no_clear_name(text):
    """Findings name the lines with the counts."""
    assert {finding.rule for finding in deck(text).findings} == {"line"}


@with_rows(
    ("line", "name"),
    [
        ("Kite_p1", "Kite"),
        ("AB01-001_p2", "AB01-001"),
        ("Kite AB01-001_P1", "Kite"),
        ("Kite_r1", "Kite"),
        ("Kite _p1", "Kite"),
    ],
)
def test_removes_the_mark_of_another_picture(line, name):
    """Copies of both pictures add up."""
    read = deck(f"4 {line}\n2 {line}\n1 Bell AB01-004")
    assert [line.name for line in read.lines[:2]] == [name, name]


@with_rows("ruleset", [rules(DECK), *POOLS])
def test_removes_quotes_around_a_name(ruleset):
    assert misread('1 "Kite"\n1 “Bell”', {1: {"Kite": 1}, 2: {"Bell": 1}}, ruleset) == {}


def test_does_not_take_words_above_an_unread_count_for_a_leader():
    """The count is asked about, and so are the words above it."""
    led = '[leader]\nzone = "general"\n[[zone]]\nid = "general"\n[[zone]]\nid = "deck"\ndefault = true\n'
    result = verdict(rules(led), "My deck\n3\n\n4 Kite\n3 Bell\n")
    assert result.zones.get("general", 0) == 0
    assert {line for finding in result.findings for line in finding.lines} >= {1, 2}


def test_doubts_a_quoted_line_with_a_wide_indent():
    """Without the quote sign, the rest of the line begins with spaces."""
    assert all(line.doubt for line in deck('>    { count = 1, name = "Kite,Bell" },').lines)


def test_reads_codes_before_names_and_counts_behind():
    """As some sites list the cards of a game with collector's codes."""
    made = deck("BT8-058 Kite 4\nBT8-059 Bell 3\nBT8-060 Drum 2\n")
    assert cards(made.lines) == ["4 Kite", "3 Bell", "2 Drum"]
    assert [line.code for line in made.lines] == ["BT8-058", "BT8-059", "BT8-060"]
