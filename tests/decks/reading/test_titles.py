"""Which first lines are titles and which are cards. A title never hides a card.

All names are invented.
"""

from tests.decks.kit import cards, deck
from tests.kit import with_rows
from tests.rules.kit import errors, handles, rules, verdict

SIXTY = '[[zone]]\nid = "deck"\ndefault = true\nsize = { max = 3 }\n[[limit]]\nid = "copies"\nby = "name"\nmax = 1\n'
BANNED = '[cards]\n"Oak Giant" = 0\n'
LED = """
[leader]
zone = "general"
where = "kind == 'general'"
[[zone]]
id = "general"
name = "General"
size = 1
[[zone]]
id = "deck"
default = true
"""


ASKED = "line: is this the title or a card? it was not counted"


@with_rows("text", ["Oak Giant\n\n1 Kite\n1 Bell", "Oak Giant\n1 Kite", "Oak Giant:\n1 Kite\n1 Bell"])
@with_rows("pool", [{}, None])
def test_asks_about_a_title_that_is_a_banned_card(text, pool):
    """Only the ban list knows the name, but a deck may be named after a banned card."""
    result = verdict(rules(SIXTY, pool, banlist=BANNED, complete=False), text)
    assert errors(result) == [ASKED]
    assert result.findings[0].lines == (1,)
    assert result.findings[0].hint == "write `1 Oak Giant` for the card, `# Oak Giant` for the title"


@with_rows("first", ["Kite", "Kite (foil)", "Kite:", "KITE"])
def test_asks_about_a_title_that_is_a_card_of_the_pool(first):
    """It is not counted; with `#` or a count before it, nothing is asked."""
    ruleset = rules(SIXTY, {"Kite": {}, "Bell": {}, "Drum": {}, "Goat": {}})
    result = verdict(ruleset, f"{first}\n\n1 Bell\n1 Drum\n1 Goat")
    assert errors(result) == [ASKED]
    assert result.cards == 3
    assert verdict(ruleset, f"# {first}\n\n1 Bell\n1 Drum\n1 Goat").verdict == "legal"
    assert verdict(ruleset, f"1 {first.rstrip(':')}\n1 Bell\n1 Drum").cards == 3


@with_rows("first", ["two Kite", "vier Kite", "iv Kite"])
@with_rows("pool", [{"Kite": {}, "Bell": {}, "Drum": {}}, None])
def test_asks_about_a_number_word_before_a_first_line(first, pool):
    """It may be the count of a card."""
    result = verdict(rules(SIXTY, pool), f"{first}\n1 Bell\n1 Drum")
    assert errors(result) == [ASKED]
    assert result.cards == 2


def test_takes_a_general_above_the_list_for_the_leader():
    result = verdict(rules(LED, {"Ann": {"kind": "general"}, "Kite": {"kind": "bird"}}), "Ann\n\n4 Kite")
    assert result.verdict == "legal"
    assert result.zones == {"general": 1, "deck": 4}


@with_rows("other", ["## General\n1 Ann\n\n## Deck\n", "1 Ann\n", "1 Bob\n"])
def test_asks_about_a_general_above_a_list_that_has_one(other):
    """Decks are often named after their general."""
    pool = {"Ann": {"kind": "general"}, "Bob": {"kind": "general"}, "Kite": {"kind": "bird"}}
    result = verdict(rules(LED, pool), f"Ann\n\n{other}4 Kite")
    assert errors(result) == [ASKED]
    assert result.zones == {"general": 1, "deck": 4}


@with_rows("text", ["Kite\n\n1 Bell\n1 Kite", "Kite (foil)\n1 Bell\n1 KITE", "Kite\n\nBell\nDrum\nKite\n"])
def test_asks_about_a_title_that_is_also_a_card_of_the_list(text):
    """No pool is needed: decks are often named after their best card."""
    made = deck(text)
    assert made.name == text.partition("\n")[0]
    assert [line.number for line in made.lines] == list(
        range(made.lines[0].number, made.lines[-1].number + 1)
    )
    assert errors(verdict(rules(SIXTY), text)) == [ASKED]


@with_rows("first", ["Kite (4)", "Kite x4", "Kite - 4", "Kite, 4", "Kite: 4", "4 Kite", "Kite [4]"])
def test_does_not_take_a_first_line_with_a_count_for_a_title(first):
    """It is that many copies, or refused."""
    for rest in ("\n\n1 Bell\n1 Drum", "\n1 Bell\n1 Drum", "\n\nBell\nDrum\nGoat"):
        made = deck(first + rest)
        assert made.name is None
        assert made.title is None
        assert cards(made.lines)[0] == "4 Kite"


def test_finds_no_title_if_blank_lines_are_everywhere():
    assert cards(deck("Kite\n\nBell\n\nDrum\n").lines) == ["1 Kite", "1 Bell", "1 Drum"]


def test_shows_the_line_read_as_title():
    """The verdict names the line, the reason, and how to correct it."""
    result = verdict(rules(SIXTY, None), "Sky and Stone\n\n1 Kite\n1 Bell")
    assert result.verdict == "legal"
    assert (result.title.line, result.title.text) == (1, "Sky and Stone")
    assert result.notes[0] == (
        "line 1: `Sky and Stone` was read as the title: it is the first line and the only one without a count; "
        "if it is a card, write `1 Sky and Stone`"
    )


@with_rows(
    "text",
    [
        "1 Bell\n1 Drum\n\nOak Giant\nhttps://example.org/1\n",
        "1 Bell\n[Oak Giant]\n",
        "Notes:\n2 Oak Giant\n\n1 Bell\n",
    ],
)
def test_finds_a_banned_card_in_other_words(text):
    """In footers, headers without cards and descriptions."""
    assert "banned" in handles(verdict(rules(SIXTY, None, banlist=BANNED), text))


@with_rows(
    ("title", "question"),
    [("Oak Gaint", "did you mean Oak Giant?"), ("Kitte Wing", "did you mean Kite Wing?"), ("Sky", "")],
)
def test_asks_about_a_title_that_is_nearly_a_card(title, question):
    """A typing error hides a card in the title's place."""
    ruleset = rules(SIXTY, {"Kite Wing": {}, "Bell": {}, "Drum": {}}, banlist=BANNED, complete=False)
    assert verdict(ruleset, f"{title}\n\n1 Bell\n1 Drum").notes[0].endswith(question or f"write `1 {title}`")


@with_rows("text", [" :\n\nAnt\n:", "// \n1 Kite\n", "About\nName \n\nDeck\n1 Kite\n"])
def test_does_not_take_a_line_without_letters_for_a_title(text):
    assert deck(text).name is None


@with_rows("head", ["# Oak Giant", "// Oak Giant", "## Oak Giant\n", "# Oak Giant (foil)"])
def test_reports_a_heading_with_the_name_of_a_banned_card(head):
    """A heading or comment is not a card."""
    result = verdict(rules(SIXTY, None, banlist=BANNED), f"{head}\n1 Bell\n1 Drum\n")
    assert result.verdict == "legal"
    assert any("but a banned card has this name" in note for note in result.notes)
    assert not verdict(rules(SIXTY, None, banlist=BANNED), "# Oak Summer\n1 Bell\n").notes[1:]
