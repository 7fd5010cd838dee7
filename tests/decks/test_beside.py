"""Counts and words beside a name: what is taken for part of a name is told where it could be something else."""

import pytest

from tests.decks.kit import deck
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
    "{} ALT", "{} alt", "{} Common", "{} common", "{} C", "{} M", "{} NM", "{} EN", "{} German", "{} Promo", "{} 1 pc", "{} 3 pc", "{} 3 cards", "{} 3 ea",
    "{} 3 units", "two {}", "Two {}", "two of {}", "two copies of {}", "a pair of {}", "a playset of {}", "{} twice", "{} two", "{} (two)", "twice {}",
    "III {}", "{} III", "{} II", "{} iii", "IV {}", "zwei {}", "deux {}", "dos {}", "два {}", "二 {}", "{} 三枚", "两张 {}", "{} 3", "{}.3", "{} +3",
    "{} @3", "{} 2023", "{} 012", "{} 12/100", "{} 3.50", "{} maybe", "{} new", "new {}", "my {}", "main {}", "{} side", "{} SB", "SB {}", "{} v2",
    "Rare: {}", "{} <3>", "{}/3", "{} {{3}}", "{}, Drum", "{} & Drum", "{} and Goat", "{} / Bell Tower", "{} Drum", "No. 3 {}", "Nr. 3 {}", "the {}", "{}: three", "{} - three", "{} x III", "III x {}", "{} ?",
]  # fmt: skip
COUNTS = [  # beside a name nobody knows
    "{} 3", "{} two", "two {}", "Two {}", "two of {}", "{} twice", "three copies of {}", "{} III", "III {}", "{} (two)", "zwei {}", "два {}", "二 {}", "{} 三枚", "两张 {}",
    "{} 1 pc", "{} 3 ea", "{} 3 cards", "{}: three", "{} +3", "{} @3", "a pair of {}", "No. 3 {}",
]  # fmt: skip


def told_or_right(line, complete, right, name):
    """Whether a line is read as it is meant in every list, or told of: by a finding, a correction, or a note that names it."""
    ruleset = rules(FORMAT, POOL, banlist=BANNED, complete=complete)
    for form in LISTS:
        text = form.format(line)
        number = text.split("\n").index(line) + 1
        found = verdict(ruleset, text)
        told = [finding for finding in found.findings if number in finding.lines]
        told += [correction for correction in found.corrections if correction.line == number]
        told += [note for note in found.notes if f"line {number} `" in note or f"line {number}:" in note]
        resolved = resolve(deck(text, vocabulary_of(ruleset.format)), ruleset)
        read = [(slot.qty, slot.name) for slot in resolved.slots if number in slot.lines]
        assert told or read == [(right, name)], (text, read, found.notes)
    return True


@pytest.mark.parametrize("shape", BESIDE)
@pytest.mark.parametrize("complete", [True, False])
def test_a_known_name_with_something_beside_it_is_told(shape, complete):
    """Known or banned, in a pool of all cards or of some."""
    assert told_or_right(shape.format("Comet"), complete, 1, "Comet")
    assert told_or_right(shape.format("Nova"), complete, 1, "Nova")


@pytest.mark.parametrize("shape", COUNTS)
def test_a_count_in_any_dress_beside_a_name_nobody_knows_is_told(shape):
    """In words, in Roman numbers, with a unit: it is part of the name, and that is asked."""
    assert told_or_right(shape.format("Quasar"), False, None, "Quasar")


@pytest.mark.parametrize("line", ["3 pcs Quasar two", "3 two Quasar", "3 Quasar 1 pc", "3 ea Quasar", "3 cards Quasar", "3 a pair of Quasar"])  # fmt: skip
def test_a_second_count_is_told(line):
    """A number in words or with a unit beside a counted name is no part of most names."""
    assert told_or_right(line, False, None, "Quasar")


@pytest.mark.parametrize(
    "text",
    [
        "Unit 1\nUnit 2\nUnit 3\nKite",
        "Unit I\nUnit II\nUnit III\nKite",
        "1 Agent 47\n1 Kite III\n3 Two Towers\n1 Goat of the Three\n2 X",
        "A Kite\nThe Owl\nUnit X\nOne Ring\nPaper Card 2026\nKite, the Second",
        "1 Comet Storm\n1 Great Comet\n1 Comet of Doom\n1 Comet's Tail\n1 Silver Comet\n1 Count Comet\n1 Comet, the Old\n1 Comet-Rider",
    ],
)
def test_names_of_an_honest_list_are_not_asked_about(text):
    """A list that shows that its names end in numbers, and names that hold another's among words of their own."""
    found = verdict(rules(FORMAT, POOL, banlist=BANNED, complete=False), text)
    assert found.verdict == "legal"
    assert len(found.notes) == 1, found.notes  # names only were checked


@pytest.mark.parametrize("text", ["My List\nQuasar 3", "Quasar 3"])
def test_a_lone_number_behind_a_name_is_told(text):
    """The only card of a list, with a title above it or not."""
    said = " ".join(verdict(rules(FORMAT, POOL, complete=False), text).notes)
    assert "`Quasar 3`: the number" in said
    assert ("`My List`: it was read as a card" in said) == ("My" in text)


def test_a_first_line_with_a_number_is_a_card_where_it_could_be_one():
    """In an open pool; one that lists all cards and does not know it leaves it the title, and a blank line below does."""
    text = "Invented Comet 1\n4 Drum\n3 Goat"
    loose, closed = (rules(FORMAT, POOL, complete=complete) for complete in (False, True))
    found = verdict(loose, text)
    assert (found.cards, found.title) == (8, None)
    assert any("line 1 `Invented Comet 1`: it was read as one card" in note for note in found.notes)
    assert verdict(closed, text).title.text == "Invented Comet 1"
    assert verdict(loose, text.replace("1\n", "1\n\n", 1)).cards == 7


def test_heads_in_an_unknown_language_are_asked_about_between_names_without_counts():
    """Written in another script than the list, they stand above cards."""
    found = verdict(rules(FORMAT, POOL, complete=False), "지\nQuasar\nBell\n\nТалия\nDrum\nKite")
    assert any("line 1 `지`, line 5 `Талия`: it has no count" in note for note in found.notes)


@pytest.mark.parametrize("head", ["!Nova", "Nova:", "## Nova", "[Nova]"])
def test_a_head_that_is_a_banned_card_is_never_passed_over(head):
    """Whatever stands below it."""
    found = verdict(rules(FORMAT, POOL, banlist=BANNED, complete=False), f"3 Goat\n{head}\n4 Drum\n3 Hill")
    assert "banned" in handles(found) or any("a card of this name is banned" in note for note in found.notes)


def test_a_name_with_a_semicolon_is_a_name():
    """With a count before it; that it could be two is asked where no pool knows it."""
    known = verdict(rules(FORMAT, {"TL;DR": {}, "Drum": {}}), "3 TL;DR\n2 Drum")
    assert (known.verdict, known.notes) == ("legal", ())
    loose = verdict(rules(FORMAT, POOL, complete=False), "3 TL;DR\n2 Drum")
    assert loose.cards == 5
    assert any("`TL;DR`: one card or several?" in note for note in loose.notes)


def test_a_name_that_ends_in_x():
    """`Mr X 2` is read as two copies, and that is told."""
    found = verdict(rules(FORMAT, POOL, complete=False), "3 Drum\nMr X 2")
    assert any("`Mr X 2`: its `X` was read as a sign of the count" in note for note in found.notes)
    assert check(deck("3 Drum\nMr X 2"), rules(FORMAT, {"Mr X 2": {}, "Drum": {}})).cards == 4


def test_several_names_behind_the_word_for_a_zone_are_told():
    """`Weapons: Axe, Mace` may be two weapons; `Hero: Katsu, the Wanderer` is one hero."""
    zones = (
        '[[zone]]\nid = "deck"\ndefault = true\n[[zone]]\nid = "weapons"\nname = "Weapons"\noptional = true\n'
    )
    ruleset = rules(zones, POOL, complete=False)
    asked = verdict(ruleset, "Deck\n4 Drum\nWeapons: Axe, Mace").notes
    assert any("`Axe, Mace`: it was read as one card; if these are several" in question for question in asked)
    asked = verdict(ruleset, "Deck\n4 Drum\nWeapons: Katsu, the Wanderer").notes
    assert not any("several" in question for question in asked)


def test_a_leader_with_a_comma_is_one_card():
    """Leaders are called so in many games."""
    assert not any(line.question for line in deck("Hero: Puffin, Hightail\nDeck\n4 Drum\n3 Goat").lines)


def test_cards_in_a_zone_that_never_counts_are_told():
    """The format's own zones say so as Maybeboard does."""
    zones = '[[zone]]\nid = "deck"\ndefault = true\n[[zone]]\nid = "notes"\nname = "Ideas"\ncounts = false\n'
    found = verdict(rules(zones, POOL), "Deck\n4 Drum\n\nIdeas\n3 Goat")
    assert found.cards == 4
    assert "3 cards under `Ideas` (line 5) do not count" in found.notes


def test_two_counts_of_one_card_are_refused():
    """In JSON and in a table, by the card's place; the same count said twice is one."""
    made = deck(
        '[\n{"name": "Kite", "quantity": 3, "count": 2},\n{"name": "Bell", "quantity": 2, "count": 2}]'
    )
    assert [(finding.rule, finding.lines) for finding in made.findings] == [("line", (2,))]
    assert [line.name for line in made.lines] == ["Bell"]
    made = deck("Name,Count,Quantity\nKite,3,2\nBell,2,2\n")
    assert [(finding.rule, finding.lines) for finding in made.findings] == [("line", (2,))]
    assert [line.name for line in made.lines] == ["Bell"]


def test_a_pool_that_a_format_names_and_that_is_not_here_is_told():
    """It is as good as an empty one: names only are checked."""
    head = '[format]\nid = "toy/list"\npool = "nosuch"\n[[zone]]\nid = "deck"\ndefault = true\n'
    found = verdict(rules(head, None), "4 Drum")
    assert any("the card pool `nosuch`, and no card of it is installed here" in note for note in found.notes)


def said(found):
    """Everything that a verdict says: findings, corrections and notes, but that names only were checked."""
    notes = [note for note in found.notes if "names only" not in note]
    return " ".join([*(str(finding) for finding in (*found.findings, *found.corrections)), *notes])


LOOSE = rules(FORMAT, POOL, complete=False)
AROUND = ["{}", "{}\nGrey Goat\nGrey Owl", "1 Grey Hare\n{}\n2 Grey Goat", "1 Grey Hare\n2 Grey Goat\n{}"]


@pytest.mark.parametrize(
    "shape", ["3ea {}", "3pc {}", "3 pcs {}", "3each {}", "³ {}", "³{}", "Ⅲ {}", "{} Ⅲ", "3Ⅹ {}", "SLOT 3 {}", "Main 3 {}", "\\item 3 {}", "{} 3 350", "{}|3|350", "{} 3 3.50", "1, 3, {}", "1|3|{}", "1/3/{}"],
)  # fmt: skip
@pytest.mark.parametrize("around", AROUND)
def test_a_count_in_one_more_dress_is_told_or_right(shape, around):
    """With a unit glued to it, as a sign of its own, behind a word or a price: never one copy in silence."""
    line = shape.format("Amber Fox")
    found = verdict(LOOSE, around.format(line))
    made = deck(around.format(line), vocabulary_of(LOOSE.format))
    assert "Amber Fox" in said(found) or (3, "Amber Fox") in [(line.count, line.name) for line in made.lines]


SIGNS = ["   ", "\u3000", " | ", " / ", " + ", " & ", " - ", " – ", ", ", "; "]


@pytest.mark.parametrize("sign", SIGNS)
def test_two_names_on_each_line_are_told_once(sign):
    """Without counts nothing else shows that each line holds two cards."""
    pairs = ["Amber Fox", "Bitter Heron"], ["Clever Otter", "Dusty Mole"], ["Eager Newt", "Frozen Wren"]
    notes = [note for note in verdict(LOOSE, "\n".join(map(sign.join, pairs))).notes if "two cards" in note]
    assert len(notes) == 1
    assert notes[0].startswith("line 1: each line has ")


@pytest.mark.parametrize("sign", SIGNS)
def test_two_known_names_on_a_line_are_refused(sign):
    """A pool that knows both halves, and not the whole, settles it."""
    found = verdict(LOOSE, f"3 Drum\nComet{sign}Nova")
    assert [(finding.lines, finding.message) for finding in found.findings] == [
        ((2,), "Comet and Nova are 2 cards")
    ]
    whole = rules(FORMAT, POOL | {f"Comet{sign}Nova": {}}, complete=False)
    assert not verdict(whole, f"1 Comet{sign}Nova\n3 Drum").findings


@pytest.mark.parametrize("text", ["Katsu, the Wanderer\nPuffin, the Old\nDrum", "Fire // Ice\nWear // Tear", "Wear/Tear\nFire/Ice", "Amber Fox - Bitter Heron\nOwl\nHare\nMole", "X-Ray\nR&D Office"])  # fmt: skip
def test_names_with_signs_in_an_honest_list_are_not_told(text):
    """A title in small letters, two faces, and a sign on one line only."""
    assert "two cards" not in " ".join(verdict(LOOSE, text).notes)


@pytest.mark.parametrize(
    "line", ["2|A{0}|2|{1}", "2 | A{0} | 2 | {1}", "2 - A{0} - 2 - {1}", "2 / A{0} / 2 / {1}", "2 A{0} - 2 {1}", "2 A{0}. 2 {1}. 2 Owl.", "2 A{0}. 2 {1}"],
)  # fmt: skip
@pytest.mark.parametrize("around", ["{}", "{}\n2 Grey Goat", "2 Grey Goat\n{}"])
def test_a_second_count_with_a_name_inside_a_line_is_told(line, around):
    """Whatever sign stands between."""
    line = line.format("mber Fox", "Bitter Heron")
    assert "Bitter Heron" in said(verdict(LOOSE, around.format(line)))


@pytest.mark.parametrize("line", ["InventedComet", "Invented_Comet", "Invented-Comet", "inventedcomet", "Invented Comet★", "a) Invented Comet", "№1 Invented Comet", "Invented Comet (one)", "proxy Invented Comet", "Comet, Invented"])  # fmt: skip
@pytest.mark.parametrize("count", ["", "1 "])
@pytest.mark.parametrize("known", [True, False])
def test_a_banned_card_is_found_behind_signs(line, count, known):
    """What differs in signs, blanks and the order round a comma is the banned card, and that is told."""
    pool = POOL | ({"Invented Comet": {}} if known else {})
    ruleset = rules(FORMAT, pool, banlist='[cards]\n"Invented Comet" = 0\n', complete=False)
    found = verdict(ruleset, f"3 Drum\n{count}{line}\n2 Goat")
    assert "banned" in handles(found), found


@pytest.mark.parametrize("line", ["1 Foil Invented Comet", "1 Invented Comet & Amber Fox", "Amber Fox + Invented Comet"])  # fmt: skip
def test_a_banned_card_beside_other_words_is_asked_about(line):
    """In capitals they may be a longer name."""
    ruleset = rules(FORMAT, POOL, banlist='[cards]\n"Invented Comet" = 0\n', complete=False)
    assert "did you mean Invented Comet, which is banned?" in said(
        verdict(ruleset, f"3 Drum\n{line}\n2 Goat")
    )


@pytest.mark.parametrize("name", ["Nova Unit 1-1", "Nova-Rider", "Novas", "Foil Weaver", "Nova, the Old", "Supernova"])  # fmt: skip
def test_another_name_is_not_taken_for_a_banned_one(name):
    """Letters of its own, or numbers that only run together without their sign."""
    ruleset = rules(FORMAT, POOL, banlist='[cards]\n"Nova" = 0\n"Weaver" = 0\n"Nova Unit 11" = 0\n', complete=False)  # fmt: skip
    assert verdict(ruleset, f"3 Drum\n1 {name}").verdict == "legal"


@pytest.mark.parametrize("last", ["Total 5", "TOTAL\t5", "Total: 5", "5,Total", "5 Total", "5 cards", "Gesamt 5", "合計 5", "<Main>", "「メイン」", "《主》", "〈Main〉"])  # fmt: skip
@pytest.mark.parametrize("text", ["2 Grey Goat\n3 Grey Owl", "Grey Goat\nGrey Owl\nGrey Hare\nMole\nNewt"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_sum_or_a_header_at_the_end_is_no_card(text, gap, last):
    """In a list with counts and in one without; a sum that is wrong is told."""
    found = verdict(LOOSE, text + gap + last)
    assert (found.cards, found.findings) == (5, ())
    wrong = verdict(LOOSE, text + gap + last.replace("5", "12"))
    assert wrong.cards == 5
    assert ("add up to 5" in said(wrong)) == ("5" in last)


@pytest.mark.parametrize("text", ["Count,Name\n2,Grey Goat\n3,Grey Owl\n5,Total\n", "2,Grey Goat\n3,Grey Owl\n5,Total\n", "Name,Count\nGrey Goat,2\nGrey Owl,3\nTotal,5\n", "Grey Goat\t2\nGrey Owl\t3\nTotal\t5\n"])  # fmt: skip
def test_the_sum_below_a_table_is_no_card(text):
    """With heads and without."""
    found = verdict(LOOSE, text)
    assert (found.cards, found.findings) == (5, ())
    assert "add up to 5" in said(verdict(LOOSE, text.replace("5", "6")))


@pytest.mark.parametrize("name", ["Total War", "Total Eclipse 3", "「青眼の龍」", "<Grey Owl>"])
def test_names_like_sums_and_heads_are_cards(name):
    """A name that begins so, and a name in the signs that Japanese lists put round names."""
    assert verdict(LOOSE, f"3 Drum\n2 {name}").cards == 5


@pytest.mark.parametrize("sign", [" ~ ", " > ", " and ", " und ", " → ", " = "])
def test_any_sign_between_names_on_each_line_is_told(sign):
    """Whatever it is, it is the same on each line."""
    notes = verdict(LOOSE, f"- Amber Fox{sign}Bitter Heron\n- Clever Otter{sign}Dusty Mole").notes
    assert any("two cards" in note for note in notes)


@pytest.mark.parametrize("last", ["Count: 2", "= 2", "Σ 2", "(2 cards)", "**Total** 2", "**Total:** 2", "Total = 2", "{Main}", "(Main)", "«Main»"])  # fmt: skip
def test_sums_and_heads_in_more_dress_are_no_cards(last):
    """Each was one or two copies of a card."""
    assert verdict(LOOSE, f"2 Amber Fox\n{last}").cards == 2


@pytest.mark.parametrize("text", ["3 Drum\n2 Total", "3 Drum\nTotal\t2", "Count,Name\n3,Drum\n2,Total\n"])
@pytest.mark.parametrize("complete", [True, False])
def test_a_card_that_is_called_as_a_sum_is_a_card_where_the_pool_knows_it(text, complete):
    """No card is lost to a form of sums."""
    assert verdict(rules(FORMAT, POOL | {"Total": {}}, complete=complete), text).cards == 5


@pytest.mark.parametrize(("text", "words"), [("1 2 Amber Fox", "two numbers are before the name"), ("1 Amber Fox\t2", "two counts")])  # fmt: skip
def test_two_counts_of_a_name_are_told(text, words):
    """Which of them is the count, nobody knows."""
    assert words in said(verdict(LOOSE, text))


def test_words_that_could_be_a_card_are_no_head_in_the_signs_round_names():
    """Only words that head a zone in any list are one between brackets."""
    assert verdict(LOOSE, "「英雄」\n「魔法」\n「青眼の龍」").cards == 3
