"""Chat lines, totals, foreign headers and letters like digits are read or asked about.

All names are invented. In an open pool every line that is read as a card counts, so no other check catches
these.
"""

from tests.decks.kit import cards, deck, misread
from tests.kit import with_rows
from tests.rules.kit import rules, verdict

ZONES = '[[zone]]\nid = "deck"\ndefault = true\n[[zone]]\nid = "side"\nname = "Sideboard"\noptional = true\n'
OPEN = rules(ZONES)
KITE, BELL = {"Kite": 4}, {"Bell": 3}


@with_rows(
    "head",
    [
        "[12:03, 24/05/2024] Tom: ", "[24.05.24, 12:03:11] Tom Müller: ", "24/05/2024, 12:03 - Tom: ",
        "12:03 PM Tom: ", "[12:03] <Tom> ", "[12:03 PM] ",
        "5/24/24, 12:03 PM - Tom M.: ", "(12:03) Tom: ", "2024-05-24 12:03 Tom: ", "Tom [12:03]: ",
        "[24 May 2024 12:03] +49 170 123456: ",
        "[Tom, 12:03] ", "Tom, 12:03: ", "Tom — 24/05/2024 12:03: ", "2024-05-24T12:03:11 <Tom> ",
        "24 mai 2024 à 12:03 - Tom : ", "[12:03 Uhr] Tom: ", "12h03 Tom: ",
    ],
)  # fmt: skip
def test_removes_the_time_and_sender_of_a_message(head):
    """On every line, on some lines, and before a header."""
    assert cards(deck(f"{head}4 Kite\n{head}3 Bell").lines) == ["4 Kite", "3 Bell"]
    assert cards(deck(f"{head}4 Kite\n3 Bell").lines) == ["4 Kite", "3 Bell"]
    assert cards(deck(f"{head}4 Kite\n{head}Sideboard\n{head}3 Bell").lines) == [
        "4 Kite",
        "3 Bell | Sideboard",
    ]


@with_rows("head", ["Tom, [24.05.2024 12:03]", "Tom — Today at 12:03", "Tom [12:03]:"])
def test_does_not_take_time_and_sender_alone_for_a_card(head):
    """Some programs write them above the message."""
    assert cards(deck(f"{head}\n4 Kite\n3 Bell").lines) == ["4 Kite", "3 Bell"]


@with_rows("name", ["Soul [Exodus 15:16 - K]", "12:03 to Nowhere", "Kite 10:30", "1.50 Kite"])
def test_keeps_a_time_in_a_name(name):
    """Without a sender it is part of the name, or a count that is refused."""
    read = deck(f"1 {name}\n3 Bell")
    assert [line.written_name for line in read.lines if line.number == 1] == [name] or read.findings


@with_rows(
    "line",
    [
        "Tom> 2 Drum",
        "@Tom 2 Drum",
        "Tom (away): 2x Drum",
        "<Tom> 2 Drum",
        "Tom: 2 Drum",
        "Wishboard: 2 Drum",
        "Zweitdeck: 2x Drum",
        "Anna B: 2 Drum",
    ],
)
def test_asks_about_an_unknown_part_before_a_card(line):
    assert misread(f"4 Kite\n{line}\n3 Bell", {1: KITE, 3: BELL}, OPEN) == {}


@with_rows(
    "line",
    [
        "TOTAL .... 7", "Total ........ 7", "TOTAL … 7", "total = 7", "Total: 7 cards", "Gesamt: 7 Karten",
        "7 Karten insgesamt", "7 cards total", "Razem 7 kart", "Total de cartas - 7", "Anzahl Karten: 7",
        "Всего: 7", "合計……7", "7 .... TOTAL", "Karten: 7", "7 Karten", "Number of cards: 7",
    ],
)  # fmt: skip
def test_does_not_take_a_total_for_a_card(line):
    """In several languages. A wrong total is a finding."""
    read = deck(f"4 Kite\n3 Bell\n{line}")
    assert cards(read.lines) == ["4 Kite", "3 Bell"]
    assert read.findings == ()
    assert [finding.rule for finding in deck(f"4 Kite\n3 Drum\n1 Goat\n{line}").findings] == ["section-count"]


@with_rows(
    "line", ["7/60", "7 / 60", "(7)", "Cards: 7/60", "---- 7 ----", "Sum 7", "Deck total 7", "Celkem 26",
             "Yhteensä 7", "Subtotal (7)"]
)  # fmt: skip
def test_asks_about_a_number_that_could_be_the_total(line):
    """Without letters, equal to the number of cards above, or too large for a count."""
    assert misread(f"4 Kite\n3 Bell\n{line}", {1: KITE, 2: BELL}, OPEN) == {}


@with_rows(
    "line",
    [
        "20 lands", "20 Lands", "7 creatures", "15 Sideboard", "15 Sideboard cards", "5 Karten Seitenbrett",
        "20 Länder", "7 artifact", "15 cards sideboard", "20 Terrains", "12 other spells", "60 Maindeck",
        "20 more lands", "4 dual lands", "10 fetchlands", "20 basics", "20 terres", "20 земель",
        "4 random commons", "20 Landen", "8 Wezens",
    ],
)  # fmt: skip
def test_asks_about_a_number_of_cards_of_a_kind(line):
    """It is a total, or a placeholder for missing cards."""
    for text in (f"4 Kite\n3 Bell\n{line}", f"4 Kite\n{line}\n3 Bell"):
        number = text.split("\n").index(line) + 1
        assert misread(text, {1: KITE, 5 - number: BELL}, OPEN) == {}
    assert verdict(rules(ZONES, {"Lands": {}, "Kite": {}}), "20 Lands\n4 Kite").cards == 24


@with_rows(
    "line",
    [
        "I Drum",
        "l Drum",
        "| Drum",
        "1O Drum",
        "S x Drum",
        "l2 Drum",
        "2O Drum",
        "Il Drum",
        "З Drum",
        "І Drum",
        "I0x Drum",
        "! Drum",
        "i Drum",
        "x Drum",
        "4- Drum",
        "4er Drum",
        "4mal Drum",
        "8x8 Drum",
        "四 Drum",
        "Ⅱ Drum",
        "II Drum",
        "IV Drum",
    ],
)
def test_asks_about_letters_that_look_like_a_count(line):
    """In the title's place, too."""
    assert misread(f"4 Kite\n{line}\n3 Bell", {1: KITE, 3: BELL}, OPEN) == {}
    assert misread(f"{line}\n4 Kite\n3 Bell", {2: KITE, 3: BELL}, OPEN) == {}


def test_reads_such_letters_as_a_name_in_a_list_without_counts():
    assert cards(deck("I Am Drum\nKite\nBell\n").lines) == ["1 I Am Drum", "1 Kite", "1 Bell"]


@with_rows(
    "header",
    [
        "Wunschliste: 2 Karten", "Seitenbrett: 2 Karten", "Seitenbrett (2)", "Seitenbrett (2 Karten)",
        "Zweitdeck - 2", "## Wunschliste (2)", "Ławka: 2 karty",
        "Wunschliste", "Wunschliste:", "## Wunschliste", "[Wunschliste]", "Wunschliste 2 Karten", "予備: 2枚",
        "--- Wunschliste ---", "Banc (2 cartes)",
    ],
)  # fmt: skip
def test_asks_about_an_unknown_header(header):
    """Its cards may be in the main deck, in another zone, or not count."""
    for text in (
        f"4 Kite\n3 Bell\n\n{header}\n2 Drum\n",
        f"4 Kite\n\nSideboard\n3 Bell\n\n{header}\n2 Drum\n",
    ):
        number = text.split("\n").index(header) + 1
        named = {line for finding in verdict(OPEN, text).findings for line in finding.lines}
        assert named & {number, number + 1}


def test_does_not_ask_about_headers_that_only_sort():
    """The kinds of cards of many games, in many languages."""
    assert deck("Creatures (4)\n4 Kite\n\nLänder: 3 Karten\n3 Bell\n\nRemoval (2)\n2 Drum").findings == ()


@with_rows(
    "line",
    [
        "3-4 Drum", "3 or 4 Drum", "3 oder 4 Drum", "4? Drum", "2 Drum ?", "~3 Drum", "about 3 Drum",
        "ca. 3 Drum", "max 3 Drum", "maybe 3 Drum", "4x 1x Drum", "2 Drum -> Oak Giant", "Drum → Oak Giant",
        "2 Drum (was 3)", "2 Drum (statt 3)", "2 Drum (or Oak Giant)", "2 Drum (instead of Oak Giant)",
        "+2 Drum", "2 Drum + Oak Giant", "2 x2 Drum", '"2 Drum"', "'2 Drum'", "Name: Drum Quantity: 2",
        "2 Tokens: Drum", "2 Drum in sideboard", "2 Drum (zum Sideboard)", "; 2 Drum",
        "2 Drum u. 2 Oak Giant", "2 Drum plus 1 Oak Giant",
    ],
)  # fmt: skip
def test_refuses_a_line_that_leaves_open_what_is_played(line):
    """Ranges, guesses, replacements, changes, a second card."""
    read = {1: KITE, 3: BELL}
    text = f"4 Kite\n{line}\n3 Bell"
    ruleset = rules(ZONES, {name: {} for name in ("Kite", "Bell", "Drum", "Oak Giant")})
    assert misread(text, read, OPEN) in ({}, {2: {"Drum": 2, "Oak Giant": 2}}, {2: {"Drum": 2}})
    assert misread(text, read, ruleset) in ({}, {2: {"Drum": 2, "Oak Giant": 2}}, {2: {"Drum": 2}})


@with_rows(
    "line",
    [
        "by Tom",
        "thanks for reading!",
        "good luck, have fun :)",
        "Record: 5-0",
        "Price: $12",
        "Have fun.",
        "Last updated: May 2024",
    ],
)
@with_rows("place", [0, 1, 2])
def test_does_not_take_words_among_counted_cards_for_cards(line, place):
    """The first line may be the title; others are asked about or left out."""
    lines = ["4 Kite", "3 Bell"]
    lines.insert(place, line)
    wanted = {
        number: KITE if text == "4 Kite" else BELL for number, text in enumerate(lines, 1) if text != line
    }
    assert misread("\n".join(lines), wanted, OPEN) == {}


@with_rows(
    "form", ["{} Kite # great, 2 would be better", "{} Kite // old, 2 of them", "{} Kite,", "{} Kite;"]
)
def test_removes_remarks_and_commas_at_the_end(form):
    """No second card begins in a remark."""
    read = deck(f"{form.format(4)}\n{form.format(3).replace('Kite', 'Bell')}")
    assert cards(read.lines) == ["4 Kite", "3 Bell"]
    assert read.findings == ()


@with_rows("other", ["Kite.", '"Kite"', "Kite :", "Kite!"])
def test_asks_about_a_repeated_name_with_a_sign(other):
    """In an open pool it may be another card."""
    result = verdict(OPEN, f"4 Kite\n3 {other}\n1 Bell")
    assert [finding.lines for finding in result.findings] == [(2,)]


def test_warns_about_a_large_sideboard_below_a_blank_line():
    """The blank line may sort the deck."""
    result = verdict(OPEN, "3 Kite\n\n4 Bell\n4 Drum\n4 Oak Giant\n4 Goat")
    assert [(finding.rule, finding.lines) for finding in result.findings] == [("header", (3,))]
    assert verdict(OPEN, "4 Kite\n4 Bell\n\n2 Drum").findings == ()


@with_rows(
    "line",
    ["here it is", "Tom: here it is", "[12:03] Tom: here it is", "thanks for reading", "Tom: my new list"],
)
@with_rows("place", [0, 1, 3])
def test_asks_about_a_sentence_among_names(line, place):
    """Names begin with capitals, sentences in chats often do not."""
    names = ["Kite", "Bell", "Drum"]
    wanted = {at + (at > place): {name: 1} for at, name in enumerate(names, 1)}
    names.insert(place, line)
    assert misread("\n".join(names), wanted, OPEN) == {}


@with_rows("head", ["Tom: ", "@Tom ", "Tom> "])
def test_asks_about_the_same_words_before_every_name(head):
    assert misread(f"{head}Kite\n{head}Bell\n{head}Drum", {}, OPEN) == {}


def test_notes_a_name_in_lower_case_among_capitals():
    """It may be a card, carelessly written, or not a card."""
    (note,) = [note for note in verdict(OPEN, "4 Kite\n7 whatever\n3 Bell").notes if "line 2" in note]
    assert "begin with a capital" in note
    assert not [
        note for note in verdict(OPEN, "4 kite\n7 whatever\n3 bell").notes if "begin with a capital" in note
    ]


@with_rows(
    "sentence",
    ["Put the goat away", "Good luck everybody", "Thanks For Reading This", "Remember to bring sleeves"],
)
def test_asks_about_a_sentence_without_a_count(sentence):
    """With a capital, too, unless names in the list are written so."""
    for text in (f"4 Kite\n{sentence}\n3 Bell\n2 Drum", f"4 Kite\n3 Bell\n\n{sentence}"):
        assert verdict(OPEN, text).verdict == "illegal"
    assert verdict(OPEN, "Amber Fox\nBronze Heron\nThanks for reading\nClay Ox").verdict == "illegal"
    assert (
        verdict(OPEN, "Amber Fox\nBronze heron of clay\nStone without name\nThis is thunder").verdict
        == "legal"
    )


def test_asks_about_two_words_with_a_comma():
    """A name with a title after the comma is not asked about."""
    text = "4 Kite\n2 Bell, Duress\n3 Drum"
    assert any("line 2 `Bell, Duress`: it was read as one card" in note for note in verdict(OPEN, text).notes)
    assert verdict(OPEN, "4 Kite\n2 Bell, Oak Giant\n3 Oak Giant").verdict == "illegal"
    for name in ("Bell, the Old", "Bell, Giant of Oak", "Bell, Old Giant"):
        assert not any("comma" in note for note in verdict(OPEN, f"4 Kite\n2 {name}\n3 Drum").notes)


def test_reads_columns_of_two_spaces():
    """A code is the set; other words are asked about."""
    assert cards(deck("4  Kite  M10\n3  Bell  LEA").lines) == ["4 Kite", "3 Bell"]
    assert misread("4 Kite\n2  Drum  Goat\n3 Bell", {1: KITE, 3: BELL}, OPEN) == {}
    assert misread("4 Kite\n2 Drum  M10\n3 Bell", {1: KITE, 3: BELL}, OPEN) == {}
    assert cards(deck("4 Oak  Giant\n3 Bell").lines) == ["4 Oak Giant", "3 Bell"]


def test_does_not_take_a_signature_for_cards():
    """Below `-- `, as in mail. Without the space, the lines are asked about."""
    for signature in ("-- \nTom Miller", "\n-- \nTom Miller\nhttps://example.org", "-- \nTom\nInvented Club"):
        result = verdict(OPEN, f"4 Kite\n3 Bell\n{signature}\n")
        assert (result.cards, result.verdict) == (7, "legal")
        assert any("was read as a footer" in note for note in result.notes)
    signed = verdict(OPEN, "4 Kite\n3 Bell\n--\nTom Miller\nInvented Club\n")
    assert [finding.lines for finding in signed.findings] == [(4,), (5,)]
    assert verdict(OPEN, "Kite\nBell\n-- \nTom Miller\n").cards == 2
    assert verdict(OPEN, "4 Kite\n3 Bell\n-- \n2 Drum\n").zones == {"deck": 7, "side": 2}


@with_rows("text", ["Deck\n----\n4 Kite\n3 Bell\n\nSideboard\n---------\nDrum", "4 Kite\n3 Bell\n---\nDrum"])
def test_a_card_below_a_rule_is_not_an_error(text):
    """Headers may be underlined, and a rule may separate the sideboard; a card without a count is asked about."""
    result = verdict(OPEN, text)
    assert (result.verdict, result.zones) == ("legal", {"deck": 7, "side": 1})
    assert any("`Drum`: it has no count" in note for note in result.notes)
