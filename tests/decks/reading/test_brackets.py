"""Brackets: a count, a zone or another card in them is read, or the line is refused.

All names are invented.
"""

from tests.decks.kit import cards, deck, misread
from tests.kit import with_rows
from tests.rules.kit import rules, verdict

ZONES = """
[[zone]]
id = "leader"
name = "Commander"
optional = true
[[zone]]
id = "deck"
default = true
[[zone]]
id = "side"
name = "Sideboard"
optional = true
"""
POOL = {name: {} for name in ("Kite", "Bell", "Drum", "Oak Giant")}
FORMATS = [rules(ZONES), rules(ZONES, POOL, complete=False), rules(ZONES, POOL)]


@with_rows("ruleset", FORMATS)
@with_rows(
    "line",
    [
        "(2 Drum)", "[2 Drum]", "{2 Drum}", "<2 Drum>", "(2x Drum)", "(Drum x2)", "2 Drum (1 SB)",
        "2 Drum (+1)", "2 Drum [+1]", "2 Drum {1 SB}", "2 Drum (-1)", "2 Drum (1 main, 1 side)",
        "2 Drum (1+1)", "2 Drum (or 3)", "2 Drum (oder 3)", "2 Drum [SB: 1]", "2 Drum (Sideboard 1)",
        "2 Drum (Reserva: 1)", "2 Drum (1 in der Seite)", "2 Drum (3 copies)", "2 Drum (2 Oak Giant)",
        "2 Drum [2 Oak Giant, 1 Bell]", "2 Drum (x3 later)", "2 Drum (2/2)", "2 Drum [2/2]", "2 Drum (1|1)",
        "2 Drum (two Oak Giant)", "2 Drum (one SB)", "2 Drum [deux]", "2 Drum（2 Oak Giant）",
        "2 Drum 【2 Oak Giant】", "2 Drum (and Oak Giant)", "2 Drum (plus Oak Giant)",
    ],
)  # fmt: skip
def test_asks_about_a_number_in_brackets_that_could_count(line, ruleset):
    """Whether or not the pool knows the card."""
    result = verdict(ruleset, f"4 Kite\n{line}\n3 Bell")
    assert any(2 in finding.lines and finding.rule == "line" for finding in result.findings)


@with_rows(
    "line",
    [
        "2 Drum (2 foil)", "2 Drum (1 foil, 1 signed)", "2 Drum (foil, nm)", "2 Drum [Ramp, 2 drops]",
        "2 Drum [Ramp,Land]", "2 Drum (ABC) 12", "2 Drum [ABC#12]", "2 Drum [ABC 12]", "2 Drum (ABC:12)",
        "2 Drum [Old Set 2] 12", "2 Drum # great, 2 would be better", "2 Drum # (2 Bell)",
        "2 [ABC#263] Drum # great, 2 would be better", "2 Drum (ABC) 12 #one, 2 #two",
    ],
)  # fmt: skip
def test_does_not_take_numbers_in_marks_and_remarks_for_counts(line):
    """Printings, finishes, categories and remarks leave nothing to ask."""
    read = deck(f"4 Kite\n{line}\n3 Bell")
    assert cards(read.lines) == ["4 Kite", "2 Drum", "3 Bell"]
    assert read.findings == ()
    assert [line.doubt for line in read.lines] == ["", "", ""]


@with_rows(
    ("line", "zone"),
    [
        ("1 Drum (Commander)", "leader"),
        ("1 Drum (CMDR)", "leader"),
        ("1 Drum {Commander}", "leader"),
        ("1 Drum <Kommandeur>", "leader"),
        ("1 Drum (SB)", "side"),
        ("1 Drum [Sideboard]", "side"),
        ("1 Drum (Seitendeck)", "side"),
        ("1 Drum (SB) *F*", "side"),
        ("Drum (Commander)", "leader"),
    ],
)
@with_rows("ruleset", FORMATS)
def test_reads_a_zone_in_brackets_behind_a_card(line, zone, ruleset):
    """In any brackets, with a complete pool or an open one."""
    result = verdict(ruleset, f"{line}\n4 Kite\n3 Bell")
    assert (result.zones[zone], result.zones["deck"], result.findings) == (1, 7, ())


@with_rows(
    "line",
    [
        "1 Drum (Hero)", "1 General - Drum", "1 Drum (House)", "1 Drum - SB", "1 Drum, side", "1 Drum SB",
        "1 Drum - Commander", "1 Drum // Commander", "1 Drum # Commander",
        "1 Drum #commander", "1 Drum # side", "1 Drum (Commander, foil)", "1 Drum (foil, SB)",
        "1 Drum (my commander)", "1 Drum (mein Kommandeur)",
    ],
)  # fmt: skip
@with_rows("ruleset", FORMATS)
def test_asks_about_a_zone_word_that_could_end_a_name(line, ruleset):
    """`Drum (Hero)` is another card, or the card Drum as the hero."""
    assert misread(f"4 Kite\n{line}\n3 Bell", {1: {"Kite": 4}, 3: {"Bell": 3}}, ruleset) == {}
    assert verdict(ruleset, f'4 Kite\n1 "{line[2:]}"\n3 Bell').cards == 8


@with_rows(
    "text",
    [
        "4 Drum [2]\n3 Drum (2)\n",
        "Drum [2]\nDrum (2)\nKite (3)\n",
        "4 Drum (M10)\n4 Drum (LEA)\n",
        "4 Drum (M10)\n4 Drum\n",
        "4 Drum [2]\n4 Drum\n",
        "4 Drum (M10) 12\n4 Drum (LEA)\n",
    ],
)
def test_asks_about_names_that_differ_in_a_mark_only(text):
    """In an open pool they could be two cards, or too many printings of one."""
    result = verdict(FORMATS[0], text)
    assert {finding.rule for finding in result.findings} == {"line"}
    assert {finding.lines for finding in result.findings} <= {(1,), (2,)}


def test_quotes_around_whole_names_mean_two_cards():
    """Names in quotes that differ in a mark only are two cards, without a question."""
    result = verdict(FORMATS[0], '4 "Drum (RED)"\n4 "Drum (BLUE)"\n')
    assert (result.verdict, result.cards) == ("legal", 8)


@with_rows("ruleset", FORMATS)
@with_rows(
    "text",
    [
        "Leader: Drum (15)\n4 Kite", "Commander: Drum [15]\n4 Kite", "Commander:\nDrum (2)\n\nDeck\n4 Kite",
        "Commander: Drum - 15\nBell (2)\nKite (3)",
        "Drum (15)\n4 Kite\n3 Bell", "4 Kite\nDrum (15)\n3 Bell", "4 Kite\nDrum [15]\n3 Bell",
        "4 Kite\n3 Bell\nDrum - 15", "Sideboard: Drum (15)\n4 Kite\n3 Bell",
    ],
)  # fmt: skip
def test_asks_about_a_large_number_behind_a_name(text, ruleset):
    """A leader is one card, and other lines have their counts before the names."""
    number = next(place for place, line in enumerate(text.split("\n"), start=1) if "Drum" in line)
    assert number in {line for finding in verdict(ruleset, text).findings for line in finding.lines}


def test_suggests_what_to_write_for_a_number_behind_a_leader():
    """One copy leads a deck."""
    (finding,) = verdict(FORMATS[0], "Leader: Drum (15)\n4 Kite").findings
    assert (finding.lines, finding.message) == (
        (1,),
        "15 copies of a card that leads the deck? write the count before the name, as in `1 Drum`",
    )


def test_does_not_take_a_bare_number_behind_a_leader_for_a_count():
    """A pool that knows the shorter name does not settle it."""
    (finding,) = verdict(FORMATS[2], "Commander: Drum 15\n4 Kite").findings
    assert finding.message.startswith("15 copies of a card that leads the deck?")
    ruleset = rules(ZONES, {"Kite": {}, "Drum": {}, "Drum 15": {}})
    assert verdict(ruleset, "Commander: Drum 15\n4 Kite").findings == ()


def test_reads_counts_behind_all_names():
    """If each line has one, or it is a usual count."""
    assert cards(deck("Drum (15)\nBell (2)\nKite (3)\n").lines) == ["15 Drum", "2 Bell", "3 Kite"]
    assert deck("Drum (15)\nBell (2)\nKite (3)\n").findings == ()
    assert cards(deck("2 Drum\nBell (4)\n1 Kite\n").lines) == ["2 Drum", "4 Bell", "1 Kite"]
    assert deck("2 Drum\nBell (4)\n1 Kite\nSideboard: Drum (2)\n").findings == ()


@with_rows("signs", ["(a, b)", "[a, b]", "(foil, red)", "{a, 2 b}", "[Land, 2 of them]"])
def test_does_not_split_at_a_comma_in_brackets(signs):
    """Neither cards on a line nor the cells of a table."""
    for text in (
        f"4 Drum {signs}\n3 Bell {signs}",
        f"4 Drum {signs}, 3 Bell",
        f"4,Drum {signs}\n3,Bell {signs}",
    ):
        read = deck(text)
        assert [line.count for line in read.lines] == [4, 3]
        assert [line.name.partition(" ")[0] for line in read.lines] == ["Drum", "Bell"]


def test_reads_a_header_with_its_count_in_brackets():
    """`[24 Lands]` sorts, `[2 Drum]` is a card."""
    read = deck("[2 Lands]\n2 Drum\n\n[15 Sideboard]\n3 Bell")
    assert cards(read.lines) == ["2 Drum", "3 Bell | Sideboard"]


def test_asks_about_another_card_in_brackets():
    """If both are known: a second card, or a remark."""
    for line in ("2 Drum (Bell)", "Drum (Oak Giant)"):
        for ruleset in FORMATS[1:]:
            (finding,) = verdict(ruleset, f"4 Kite\n{line}\n3 Bell").findings
            assert finding.lines == (2,)
    named = rules(ZONES, {"Kite": {}, "Drum": {}, "Bell": {}, "Drum (Bell)": {}})
    assert verdict(named, "4 Kite\n2 Drum (Bell)\n3 Bell").findings == ()


def test_asks_about_a_second_count_in_brackets():
    """In an open pool it belongs to the name, with a note; a complete pool has no such card."""
    for line in ("4 Drum (3)", "4 Drum [3]"):
        assert 2 in {
            line for finding in verdict(FORMATS[2], f"4 Kite\n{line}").findings for line in finding.lines
        }
        assert any(f"line 2 `{line[2:]}`" in note for note in verdict(FORMATS[0], f"4 Kite\n{line}").notes)
    ruleset = rules(ZONES, {"Kite": {}, "Drum (3)": {}})
    assert verdict(ruleset, "4 Kite\n4 Drum (3)").findings == ()


def test_reads_full_width_brackets():
    """Around plain letters, as on Asian keyboards."""
    assert cards(deck("4 Drum（ABC）12\n3 Bell（foil）").lines) == ["4 Drum", "3 Bell"]


def lines_asked_about(text, ruleset=FORMATS[0]):
    """Return the lines that a finding or a question names."""
    result = verdict(ruleset, text)
    lines = {line for finding in result.findings for line in finding.lines}
    return lines | {line.number for line in deck(text).lines if line.question or line.doubt}


@with_rows("ruleset", FORMATS[:2])
@with_rows("mark", ["[Oak Giant]", "[Duress]", "[Oak]"])
def test_asks_about_a_word_in_square_brackets_on_one_line(mark, ruleset):
    """Categories are on many lines, or are words that sort cards."""
    text = f"4 Kite\n2 Invented Fox {mark}\n3 Bell\n1 Drum"
    assert lines_asked_about(text, ruleset) == {2}
    assert verdict(ruleset, text).verdict == ("legal" if " " in mark else "illegal")
    marked = "".join(f"{line} {mark}\n" for line in ("4 Kite", "2 Invented Fox", "3 Bell"))
    assert ruleset is not FORMATS[0] or lines_asked_about(marked) == set()
    assert lines_asked_about("4 Kite\n2 Invented Fox [Ramp]\n3 Bell [Creatures]\n1 Drum") == set()


def test_asks_about_another_known_card_in_any_brackets():
    """The pool knows both."""
    for text in ("2 Drum [Oak Giant]", "2 Drum (Oak Giant)", "2 Drum {Oak Giant}", "2 Drum <Oak Giant>"):
        assert lines_asked_about(f"4 Kite\n{text}", FORMATS[2]) >= {2}


@with_rows(
    ("first", "second", "severe"),
    [("(Alpha)", "(Beta)", True), ("(Unlimited)", "(4th Edition)", True), ("", "(Revised)", True),
     ("(Front)", "(Back)", False)],
)  # fmt: skip
def test_asks_about_names_that_differ_in_brackets_only(first, second, severe):
    """Editions of one card are refused; colours distinguish two cards, and so may other words."""
    text = f"4 Invented Fox {first}\n3 Invented Fox {second}\n2 Drum"
    assert 2 in lines_asked_about(text)
    assert (verdict(FORMATS[0], text).verdict == "illegal") is severe
    assert lines_asked_about("4 Invented Fox (Red)\n3 Invented Fox (Blue)\n2 Drum") == set()


@with_rows("name", ["《Kite/Bell》", "「Kite／Bell」", "《稲妻/雷鳴》"])
def test_asks_about_two_names_in_one_script_in_corner_brackets(name):
    """Names in two scripts belong to one card."""
    assert lines_asked_about(f"4 {name}\n2 Drum") == {1}
    assert lines_asked_about("4 《稲妻/Kite》\n2 Drum") == set()
