"""Counts and words beside a name.

A verdict mentions them if they could be more than a part of the name.
"""

from tests.decks.kit import deck
from tests.kit import with_rows
from tests.rules.kit import handles, rules, verdict
from tourney.decks import check, resolve
from tourney.decks.reading.vocabulary import vocabulary_of

POOL = {name: {} for name in ("Comet", "Nova", "Bell Tower", "Drum", "Goat", "Hill")}
FORMAT = '[[limit]]\nid = "copies"\nby = "name"\nmax = 99\n'
BANNED = '[cards]\n"Nova" = 0\n'
LISTS = [
    "4 Bell Tower\n3 Drum\n{}\n2 Goat\n1 Hill\n",
    "Bell Tower\nDrum\n{}\nGoat\nHill\n",
    "{}\n",
    "{}\n4 Bell Tower\n3 Drum\n2 Goat\n",
    "4 Bell Tower\n3 Drum\n2 Goat\n{}\n",
]
BESIDE = [
    "{} ALT", "{} alt", "{} Common", "{} common", "{} C", "{} M", "{} NM", "{} EN", "{} German", "{} Promo",
    "{} 1 pc", "{} 3 pc", "{} 3 cards", "{} 3 ea", "{} 3 units", "two {}", "Two {}", "two of {}",
    "two copies of {}", "a pair of {}", "a playset of {}", "{} twice", "{} two", "{} (two)", "twice {}",
    "III {}", "{} III", "{} II", "{} iii", "IV {}", "zwei {}", "deux {}", "dos {}", "два {}", "二 {}", "{} 三枚",
    "两张 {}", "{} 3", "{}.3", "{} +3", "{} @3", "{} 2023", "{} 012", "{} 12/100", "{} 3.50", "{} maybe",
    "{} new", "new {}", "my {}", "main {}", "{} side", "{} SB", "SB {}", "{} v2",
    "Rare: {}", "{} <3>", "{}/3", "{} {{3}}", "{}, Drum", "{} & Drum", "{} and Goat", "{} / Bell Tower",
    "{} Drum", "No. 3 {}", "Nr. 3 {}", "the {}", "{}: three", "{} - three", "{} x III", "III x {}", "{} ?",
]  # fmt: skip
COUNTS = [  # beside an unknown name
    "{} 3", "{} two", "two {}", "Two {}", "two of {}", "{} twice", "three copies of {}", "{} III", "III {}",
    "{} (two)", "zwei {}", "два {}", "二 {}", "{} 三枚", "两张 {}", "{} 1 pc", "{} 3 ea", "{} 3 cards",
    "{}: three", "{} +3", "{} @3", "a pair of {}", "No. 3 {}",
]  # fmt: skip


def is_right_or_reported(line, complete, right, name):
    """Return whether each list reads the line correctly or mentions it.

    A finding, a correction or a note may mention it.
    """
    ruleset = rules(FORMAT, POOL, banlist=BANNED, complete=complete)
    for form in LISTS:
        text = form.format(line)
        number = text.split("\n").index(line) + 1
        result = verdict(ruleset, text)
        reports = [finding for finding in result.findings if number in finding.lines]
        reports += [correction for correction in result.corrections if correction.line == number]
        reports += [note for note in result.notes if f"line {number} `" in note or f"line {number}:" in note]
        resolved = resolve(deck(text, vocabulary_of(ruleset.format)), ruleset)
        read = [(slot.qty, slot.name) for slot in resolved.slots if number in slot.lines]
        assert reports or read == [(right, name)], (text, read, result.notes)
    return True


@with_rows("shape", BESIDE)
@with_rows("complete", [True, False])
def test_extra_text_beside_a_known_name_is_reported(shape, complete):
    """The name is known or banned, and the pool complete or open."""
    assert is_right_or_reported(shape.format("Comet"), complete, 1, "Comet")
    assert is_right_or_reported(shape.format("Nova"), complete, 1, "Nova")


@with_rows("shape", COUNTS)
def test_a_count_beside_an_unknown_name_is_reported(shape):
    """A count in words, in Roman numerals or with a unit is part of the name; a note asks."""
    assert is_right_or_reported(shape.format("Quasar"), False, None, "Quasar")


@with_rows("line", ["3 pcs Quasar two", "3 two Quasar", "3 Quasar 1 pc", "3 ea Quasar", "3 cards Quasar",
                    "3 a pair of Quasar"])  # fmt: skip
def test_a_second_count_is_reported(line):
    """A number in words or with a unit beside a counted name is rarely part of the name."""
    assert is_right_or_reported(line, False, None, "Quasar")


@with_rows(
    "text",
    [
        "Unit 1\nUnit 2\nUnit 3\nKite",
        "Unit I\nUnit II\nUnit III\nKite",
        "1 Agent 47\n1 Kite III\n3 Two Towers\n1 Goat of the Three\n2 X",
        "A Kite\nThe Owl\nUnit X\nOne Ring\nPaper Card 2026\nKite, the Second",
        "1 Comet Storm\n1 Great Comet\n1 Comet of Doom\n1 Comet's Tail\n1 Silver Comet\n1 Count Comet\n1 Comet, the Old\n1 Comet-Rider",
    ],
)
def test_names_that_end_in_numbers_are_accepted(text):
    """Many names of the list end in numbers, or a name contains another one."""
    result = verdict(rules(FORMAT, POOL, banlist=BANNED, complete=False), text)
    assert result.verdict == "legal"
    assert len(result.notes) == 1, result.notes  # names only were checked


@with_rows("text", ["My List\nQuasar 3", "Quasar 3"])
def test_a_single_number_after_a_name_is_reported(text):
    """It is the only card of the list, with or without a title above it."""
    notes = " ".join(verdict(rules(FORMAT, POOL, complete=False), text).notes)
    assert "`Quasar 3`: the number" in notes
    assert ("`My List`: it has no count" in notes) == ("My" in text)


def test_a_first_line_with_a_number_may_be_a_card():
    """In an open pool the first line is a card.

    If a complete pool does not know it, or a blank line follows, it is the title.
    """
    text = "Invented Comet 1\n4 Drum\n3 Goat"
    loose, closed = (rules(FORMAT, POOL, complete=complete) for complete in (False, True))
    result = verdict(loose, text)
    assert (result.cards, result.title) == (8, None)
    assert any(
        "line 1 `Invented Comet 1`: the whole line was read as the name of a card" in note
        for note in result.notes
    )
    assert verdict(closed, text).title.text == "Invented Comet 1"
    assert verdict(loose, text.replace("1\n", "1\n\n", 1)).cards == 7


def test_headings_in_an_unknown_language_are_asked_about():
    """They stand above names without counts and are in another script than the list."""
    result = verdict(rules(FORMAT, POOL, complete=False), "지\nQuasar\nBell\n\nТалия\nDrum\nKite")
    assert any("line 1 `지`, line 5 `Талия`: it has no count" in note for note in result.notes)


@with_rows("head", ["!Nova", "Nova:", "## Nova", "[Nova]"])
def test_a_heading_that_is_a_banned_card_is_reported(head):
    result = verdict(rules(FORMAT, POOL, banlist=BANNED, complete=False), f"3 Goat\n{head}\n4 Drum\n3 Hill")
    assert "banned" in handles(result) or any(
        "but a banned card has this name" in note for note in result.notes
    )


def test_a_name_may_contain_a_semicolon():
    """If no pool knows the name, a note asks whether it is two cards."""
    result = verdict(rules(FORMAT, {"TL;DR": {}, "Drum": {}}), "3 TL;DR\n2 Drum")
    assert (result.verdict, result.notes) == ("legal", ())
    loose = verdict(rules(FORMAT, POOL, complete=False), "3 TL;DR\n2 Drum")
    assert loose.cards == 5
    assert any("`TL;DR`: it was read as one card" in note for note in loose.notes)


def test_a_name_may_end_in_x():
    """`Mr X 2` is read as two copies, and a note says so."""
    result = verdict(rules(FORMAT, POOL, complete=False), "3 Drum\nMr X 2")
    assert any("`Mr X 2`: its `X` was read as part of the count" in note for note in result.notes)
    assert check(deck("3 Drum\nMr X 2"), rules(FORMAT, {"Mr X 2": {}, "Drum": {}})).cards == 4


def test_several_names_after_a_zone_name_are_asked_about():
    """`Weapons: Axe, Mace` may be two weapons; `Hero: Katsu, the Wanderer` is one hero."""
    zones = (
        '[[zone]]\nid = "deck"\ndefault = true\n[[zone]]\nid = "weapons"\nname = "Weapons"\noptional = true\n'
    )
    ruleset = rules(zones, POOL, complete=False)
    notes = verdict(ruleset, "Deck\n4 Drum\nWeapons: Axe, Mace").notes
    assert any("`Axe, Mace`: it was read as one card; if these are several" in question for question in notes)
    notes = verdict(ruleset, "Deck\n4 Drum\nWeapons: Katsu, the Wanderer").notes
    assert not any("several" in question for question in notes)


def test_a_leader_with_a_comma_is_one_card():
    """Many games name leaders like this."""
    assert not any(line.question for line in deck("Hero: Puffin, Hightail\nDeck\n4 Drum\n3 Goat").lines)


def test_cards_in_a_zone_that_does_not_count_are_reported():
    """A zone of the format is reported like a maybeboard."""
    zones = '[[zone]]\nid = "deck"\ndefault = true\n[[zone]]\nid = "notes"\nname = "Ideas"\ncounts = false\n'
    result = verdict(rules(zones, POOL), "Deck\n4 Drum\n\nIdeas\n3 Goat")
    assert result.cards == 4
    assert "3 cards under `Ideas` (line 5) do not count" in result.notes


def test_two_different_counts_of_a_card_are_refused():
    """In JSON and in tables. The same count given twice is one count."""
    decklist = deck(
        '[\n{"name": "Kite", "quantity": 3, "count": 2},\n{"name": "Bell", "quantity": 2, "count": 2}]'
    )
    assert [(finding.rule, finding.lines) for finding in decklist.findings] == [("line", (2,))]
    assert [line.name for line in decklist.lines] == ["Bell"]
    decklist = deck("Name,Count,Quantity\nKite,3,2\nBell,2,2\n")
    assert [(finding.rule, finding.lines) for finding in decklist.findings] == [("line", (2,))]
    assert [line.name for line in decklist.lines] == ["Bell"]


def test_a_missing_pool_is_reported():
    """A format whose pool is not installed is checked as with an empty pool: names only."""
    head = '[format]\nid = "toy/list"\npool = "nosuch"\n[[zone]]\nid = "deck"\ndefault = true\n'
    result = verdict(rules(head, None), "4 Drum")
    assert any("the card pool `nosuch`, but none of its cards are installed" in note for note in result.notes)


def texts_of(result):
    """Return the findings, corrections and notes of a verdict, without the names-only note."""
    notes = [note for note in result.notes if "names only" not in note]
    return " ".join([*(str(finding) for finding in (*result.findings, *result.corrections)), *notes])


LOOSE = rules(FORMAT, POOL, complete=False)
AROUND = ["{}", "{}\nGrey Goat\nGrey Owl", "1 Grey Hare\n{}\n2 Grey Goat", "1 Grey Hare\n2 Grey Goat\n{}"]


@with_rows(
    "shape", ["3ea {}", "3pc {}", "3 pcs {}", "3each {}", "³ {}", "³{}", "Ⅲ {}", "{} Ⅲ", "3Ⅹ {}", "SLOT 3 {}",
              "Main 3 {}", "\\item 3 {}", "{} 3 350", "{}|3|350", "{} 3 3.50", "1, 3, {}", "1|3|{}",
              "1/3/{}"],
)  # fmt: skip
@with_rows("around", AROUND)
def test_an_unusual_count_is_right_or_reported(shape, around):
    """A count with a unit, as a symbol, or after a word or a price is never one copy silently."""
    line = shape.format("Amber Fox")
    result = verdict(LOOSE, around.format(line))
    decklist = deck(around.format(line), vocabulary_of(LOOSE.format))
    assert "Amber Fox" in texts_of(result) or (3, "Amber Fox") in [
        (line.count, line.name) for line in decklist.lines
    ]


SIGNS = ["   ", "\u3000", " | ", " / ", " + ", " & ", " - ", " – ", ", ", "; "]


@with_rows("sign", SIGNS)
def test_two_names_on_each_line_are_reported_once(sign):
    """Without counts nothing else shows that each line holds two cards."""
    pairs = ["Amber Fox", "Bitter Heron"], ["Clever Otter", "Dusty Mole"], ["Eager Newt", "Frozen Wren"]
    made = deck("\n".join(map(sign.join, pairs)))
    assert all("these" in (line.doubt or line.question) for line in made.lines), made.lines
    result = verdict(LOOSE, "\n".join(map(sign.join, pairs)))
    assert len(result.findings) == 3 or [
        note[:8] for note in result.notes if "these are several" in note
    ] == ["line 1 `"]


@with_rows("sign", SIGNS)
def test_two_known_names_on_a_line_are_refused(sign):
    """The pool knows both names but not the whole line."""
    result = verdict(LOOSE, f"3 Drum\nComet{sign}Nova")
    assert [(finding.lines, finding.message) for finding in result.findings] == [
        ((2,), "Comet and Nova are 2 cards")
    ]
    whole = rules(FORMAT, POOL | {f"Comet{sign}Nova": {}}, complete=False)
    assert not verdict(whole, f"1 Comet{sign}Nova\n3 Drum").findings


@with_rows("text", ["Katsu, the Wanderer\nPuffin, the Old\nDrum", "Fire // Ice\nWear // Tear",
                    "Wear/Tear\nFire/Ice", "Amber Fox - Bitter Heron\nOwl\nHare\nMole", "X-Ray\nR&D Office"])  # fmt: skip
def test_names_with_separators_are_accepted(text):
    """A title in lower case, a card with two faces, and a separator on only one line."""
    assert "several" not in " ".join(verdict(LOOSE, text).notes)


@with_rows(
    "line", ["2|A{0}|2|{1}", "2 | A{0} | 2 | {1}", "2 - A{0} - 2 - {1}", "2 / A{0} / 2 / {1}",
             "2 A{0} - 2 {1}", "2 A{0}. 2 {1}. 2 Owl.", "2 A{0}. 2 {1}"],
)  # fmt: skip
@with_rows("around", ["{}", "{}\n2 Grey Goat", "2 Grey Goat\n{}"])
def test_a_second_count_and_name_in_a_line_are_reported(line, around):
    """With any separator."""
    line = line.format("mber Fox", "Bitter Heron")
    assert "Bitter Heron" in texts_of(verdict(LOOSE, around.format(line)))


@with_rows("line", ["InventedComet", "Invented_Comet", "Invented-Comet", "inventedcomet", "Invented Comet★",
                    "a) Invented Comet", "№1 Invented Comet", "Invented Comet (one)", "proxy Invented Comet",
                    "Comet, Invented"])  # fmt: skip
@with_rows("count", ["", "1 "])
@with_rows("in_pool", [True, False])
def test_a_banned_card_is_found_despite_punctuation(line, count, in_pool):
    """A name that differs only in punctuation, spaces or order around a comma is banned."""
    pool = POOL | ({"Invented Comet": {}} if in_pool else {})
    ruleset = rules(FORMAT, pool, banlist='[cards]\n"Invented Comet" = 0\n', complete=False)
    result = verdict(ruleset, f"3 Drum\n{count}{line}\n2 Goat")
    assert "banned" in handles(result), result


@with_rows("line", ["1 Foil Invented Comet", "1 Invented Comet & Amber Fox", "Amber Fox + Invented Comet"])  # fmt: skip
def test_a_banned_name_beside_other_words_is_asked_about(line):
    """If the other words are capitalized, they may belong to a longer name."""
    ruleset = rules(FORMAT, POOL, banlist='[cards]\n"Invented Comet" = 0\n', complete=False)
    assert "did you mean Invented Comet, which is banned?" in texts_of(
        verdict(ruleset, f"3 Drum\n{line}\n2 Goat")
    )


@with_rows("name", ["Nova Unit 1-1", "Nova-Rider", "Novas", "Foil Weaver", "Nova, the Old", "Supernova"])  # fmt: skip
def test_a_similar_name_is_not_taken_for_a_banned_one(name):
    """The name has other letters, or matches only if two numbers are run together."""
    ruleset = rules(FORMAT, POOL, banlist='[cards]\n"Nova" = 0\n"Weaver" = 0\n"Nova Unit 11" = 0\n',
                    complete=False)  # fmt: skip
    assert verdict(ruleset, f"3 Drum\n1 {name}").verdict == "legal"


@with_rows("last", ["Total 5", "TOTAL\t5", "Total: 5", "5,Total", "5 Total", "5 cards", "Gesamt 5", "合計 5",
                    "<Main>", "「メイン」", "《主》", "〈Main〉"])  # fmt: skip
@with_rows("text", ["2 Grey Goat\n3 Grey Owl", "Grey Goat\nGrey Owl\nGrey Hare\nMole\nNewt"])
@with_rows("gap", ["\n", "\n\n"])
def test_a_total_or_a_header_at_the_end_is_not_a_card(text, gap, last):
    """In a list with or without counts. A wrong total is reported."""
    result = verdict(LOOSE, text + gap + last)
    assert (result.cards, result.findings) == (5, ())
    wrong = verdict(LOOSE, text + gap + last.replace("5", "12"))
    assert wrong.cards == 5
    assert ("add up to 5" in texts_of(wrong)) == ("5" in last)


@with_rows("text", ["Count,Name\n2,Grey Goat\n3,Grey Owl\n5,Total\n", "2,Grey Goat\n3,Grey Owl\n5,Total\n",
                    "Name,Count\nGrey Goat,2\nGrey Owl,3\nTotal,5\n",
                    "Grey Goat\t2\nGrey Owl\t3\nTotal\t5\n"])  # fmt: skip
def test_a_total_below_a_table_is_not_a_card(text):
    """With and without column headings."""
    result = verdict(LOOSE, text)
    assert (result.cards, result.findings) == (5, ())
    assert "add up to 5" in texts_of(verdict(LOOSE, text.replace("5", "6")))


@with_rows("name", ["Total War", "Total Eclipse 3", "「青眼の龍」", "<Grey Owl>"])
def test_names_like_totals_and_headings_are_cards(name):
    """A name that begins like a total, or one in Japanese brackets."""
    assert verdict(LOOSE, f"3 Drum\n2 {name}").cards == 5


@with_rows("sign", [" ~ ", " > ", " and ", " und ", " → ", " = "])
def test_any_separator_between_two_names_is_reported(sign):
    """The separator is the same on each line."""
    result = verdict(LOOSE, f"- Amber Fox{sign}Bitter Heron\n- Clever Otter{sign}Dusty Mole")
    assert result.findings or any("if these are several" in note for note in result.notes)


@with_rows("last", ["Count: 2", "= 2", "Σ 2", "(2 cards)", "**Total** 2", "**Total:** 2", "Total = 2",
                    "{Main}", "(Main)", "«Main»"])  # fmt: skip
def test_unusual_totals_and_headings_are_not_cards(last):
    """These were once read as one or two copies of a card."""
    assert verdict(LOOSE, f"2 Amber Fox\n{last}").cards == 2


@with_rows("text", ["3 Drum\n2 Total", "3 Drum\nTotal\t2", "Count,Name\n3,Drum\n2,Total\n"])
@with_rows("complete", [True, False])
def test_a_card_named_total_is_a_card_if_the_pool_knows_it(text, complete):
    assert verdict(rules(FORMAT, POOL | {"Total": {}}, complete=complete), text).cards == 5


@with_rows(("text", "words"), [("1 2 Amber Fox", "the number was read as part"),
                               ("1 Amber Fox\t2", "two counts")])  # fmt: skip
def test_two_counts_of_a_name_are_reported(text, words):
    """Either number could be the count."""
    assert words in texts_of(verdict(LOOSE, text))


def test_bracketed_words_are_not_headings_if_they_may_be_cards():
    """In brackets, only words that name a zone in any list are headings."""
    assert verdict(LOOSE, "「英雄」\n「魔法」\n「青眼の龍」").cards == 3
