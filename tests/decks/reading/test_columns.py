"""Lists in columns: side by side, and as tables with and without headings.

All card names are invented.
"""

from tests.decks.kit import cards, deck, rules
from tests.kit import with_rows
from tests.rules.kit import pool_of, verdict
from tests.rules.kit import rules as ruleset
from tourney.decks.reading.vocabulary import general_kind, vocabulary

BESIDE = {
    "wide spaces": "{}            {}\n4 Kite          3 Bell\n2 Drum          1 Oak Giant\n3 Goat\n",
    "ragged spaces": "{}   {}\n4 Kite   3 Bell\n2 Drum     1 Oak Giant\n3 Goat\n",
    "ruled spaces": "Ann's deck\n\n{}          {}\n-----          -----\n4 Kite         3 Bell\n2 Drum         1 Oak Giant\n3 Goat\n",
    "tabs": "{}\t{}\n4 Kite\t3 Bell\n2 Drum\t1 Oak Giant\n3 Goat\t\n",
    "tabs between counts": "{}\t\t{}\t\n4\tKite\t3\tBell\n2\tDrum\t1\tOak Giant\n3\tGoat\t\t\n",
    "heads above names": "\t{}\t\t{}\n4\tKite\t3\tBell\n2\tDrum\t1\tOak Giant\n3\tGoat\t\t\n",
    "bars": "{} | {}\n4 Kite | 3 Bell\n2 Drum | 1 Oak Giant\n3 Goat |\n",
    "a markdown table": "| {} | {} |\n|---|---|\n| 4 Kite | 3 Bell |\n| 2 Drum | 1 Oak Giant |\n| 3 Goat | |\n",
    "bars between counts": "| {} | | {} | |\n|---|---|---|---|\n| 4 | Kite | 3 | Bell |\n| 2 | Drum | 1 | Oak Giant |\n| 3 | Goat | | |\n",
    "commas": "{},{}\n4 Kite,3 Bell\n2 Drum,1 Oak Giant\n3 Goat,\n",
    "two rows of heads": "{},,{},\nQty,Card,Qty,Card\n4,Kite,3,Bell\n2,Drum,1,Oak Giant\n3,Goat,,\n",
}


@with_rows("shape", BESIDE.values())
@with_rows(("main", "side"), [("Main", "Sideboard"), ("Hauptdeck", "Ersatzbank"), ("Deck (9)", "Side (4)")])
def test_zones_side_by_side(shape, main, side):
    """The cards below a header are in its zone, for any separator of the columns."""
    made = deck(shape.format(main, side))
    zones = [(line.count, line.name, line.zone_id) for line in made.lines]
    assert zones == [
        (4, "Kite", "main"),
        (2, "Drum", "main"),
        (3, "Goat", "main"),
        (3, "Bell", "side"),
        (1, "Oak Giant", "side"),
    ]
    assert made.findings == ()


def test_names_side_by_side_below_zones():
    """Below the headers of zones, names need no counts."""
    made = deck("Main        Sideboard\nKite        Bell\nDrum\nGoat        Oak Giant\n")
    assert cards(made.lines) == [
        "1 Kite | Main",
        "1 Drum | Main",
        "1 Goat | Main",
        "1 Bell | Sideboard",
        "1 Oak Giant | Sideboard",
    ]


def test_header_inside_the_second_column():
    """A header inside a column applies to the cards below it in that column."""
    made = deck("4 Kite          2 Hare\n2 Drum          Sideboard\n3 Goat          3 Bell\n")
    assert cards(made.lines) == ["4 Kite", "2 Drum", "3 Goat", "2 Hare", "3 Bell | Sideboard"]


SPANNING = "Creatures{0}Spells{0}Lands\n4 Kite{0}3 Bell{0}9 Hill\n2 Drum{0}1 Goat{0}5 Bog\nSideboard\n1 Hare{0}2 Owl\n"


@with_rows("sign", ["      ", "\t"])
def test_header_over_all_columns(sign):
    """A header alone in its row, in the first column, applies to all columns below it only."""
    made = deck(SPANNING.format(sign))
    assert {line.name for line in made.lines if line.zone == "Sideboard"} == {"Hare", "Owl"}
    assert made.cards == 27
    assert made.findings == ()


def test_zone_that_does_not_end_with_its_column():
    """Below a sideboard in the first column the zone is clear; that of the next column is asked."""
    made = deck("Sideboard\tLands\n3 Bell\t9 Hill\n1 Ox\t5 Bog\n")
    assert set(rules(made)) == {("line", 1)}
    assert rules(deck("Lands\tSideboard\n9 Hill\t3 Bell\n5 Bog\t1 Ox\n")) == []


def test_sums_below_lists_side_by_side():
    """Sums below both lists are not cards."""
    made = deck("Main          Sideboard\n4 Kite        3 Bell\n\nTotal: 4      Total: 3\n")
    assert cards(made.lines) == ["4 Kite | Main", "3 Bell | Sideboard"]
    assert made.findings == ()


def test_card_in_no_clear_column():
    """A line that is below neither of two lists is refused."""
    assert rules(deck("Main     Sideboard\n4 Kite of the North  3 Bell\n2 Drum  1 Ox\n   2 Hare\n")) == [
        ("line", 4)
    ]


def test_zones_on_one_line_above_one_list():
    """Headers of two zones above a single list are refused; they are not read as its title."""
    for sign in ("     ", " | "):
        assert ("line", 1) in rules(deck(f"Main{sign}Sideboard\n4 Kite\n3 Bell\n"))
    assert ("line", 2) in rules(deck("4 Kite | 3 Bell\nMain     Sideboard\n2 Drum | 1 Ox\n"))
    outside = deck("| Qty | Card |\n|---|---|\nMain     Sideboard\n| 4 | Kite |\n")
    assert [(note.line, note.weighty) for note in outside.notes] == [(3, True)]


@with_rows("sign", ["      ", " | "])
def test_two_names_on_every_line(sign):
    """Without counts and headers, two names on every line are asked about."""
    pool = ruleset("", {"Heron": {}}, complete=False)
    result = verdict(pool, "\n".join(f"{name}{sign}Red {name}" for name in ("Kite", "Drum", "Goat")))
    assert [finding.lines for finding in result.findings] == [(1,), (2,), (3,)]


TABLES = {
    "counts behind wide spaces": ("Kite          4\nSiege Hammer  2\nOak           3\n",
                                  ["4 Kite", "2 Siege Hammer", "3 Oak"]),
    "counts on the right": ("Kite            4\nDrum           12\nSiege Hammer 3\n",
                            ["4 Kite", "12 Drum", "1 Siege Hammer 3"]),
    "sections with counts": ("Creatures     6\nKite          4\nDrum          2\nSpells        3\nBell          3\n", ["4 Kite", "2 Drum", "3 Bell"]),
    "heads and wide spaces": ("Qty   Name          Board\n4     Kite          Main\n2     Siege Hammer  Side\n1     Bell\n", ["4 Kite | Main", "2 Siege Hammer | Side", "1 Bell"]),
    "one bar": ("Card | Qty\nKite | 4\nSiege Hammer | 2\n", ["4 Kite", "2 Siege Hammer"]),
    "bars without heads": ("4 | Kite\n2 | Siege Hammer\n", ["4 Kite", "2 Siege Hammer"]),
    "zones without heads": ("4\tKite\tSideboard\n2\tDrum\tMain\n", ["4 Kite | Sideboard", "2 Drum | Main"]),
    "zones between bars": ("| Kite | 4 | Side |\n| Drum | 2 | Main |\n", ["4 Kite | Side", "2 Drum | Main"]),
    "zones between commas": ("4,Kite,Sideboard\n2,Drum,ABC\n", ["4 Kite | Sideboard", "2 Drum"]),
    "one column between bars": ("| 4 Kite |\n| 2 Drum |\n", ["4 Kite", "2 Drum"]),
    "box signs": ("┌───┬──────┐\n│ 4 │ Kite │\n├───┼──────┤\n│ 2 │ Drum │\n└───┴──────┘\n",
                  ["4 Kite", "2 Drum"]),
    "borders": ("+---+------+\n| 4 | Kite |\n+---+------+\n| 2 | Drum |\n+---+------+\n",
                ["4 Kite", "2 Drum"]),
    "borders and heads": ("+-----+------+\n| Qty | Card |\n+=====+======+\n| 4   | Kite |\n+-----+------+\n| 2   | Drum |\n+-----+------+\n", ["4 Kite", "2 Drum"]),
    "zones first": ("Main,4,Kite\nSideboard,3,Bell\n", ["4 Kite | Main", "3 Bell | Sideboard"]),
    "zones first, counts last": ("Main;Kite;4\nSide;Bell;3\n", ["4 Kite | Main", "3 Bell | Side"]),
    "zones first, between spaces": ("MD   4   Kite\nSB   3   Bell\n", ["4 Kite | MD", "3 Bell | SB"]),
    "narrow counts": ("Kite  4\nDrum  2\nBell  3\n", ["4 Kite", "2 Drum", "3 Bell"]),
    "marks behind the bars": ("| 4 | Kite | *F*\n| 3 | Bell | # for now\n", ["4 Kite", "3 Bell"]),
    "an x before the bar": ("3x | Ann | The Red\n3|Ann|The Blue\n", ["3 Ann | The Red", "3 Ann | The Blue"]),
    "prices": ("4 Kite   1.50\n2 Drum   $0.25\n", ["4 Kite", "2 Drum"]),
}  # fmt: skip


@with_rows(("text", "expected"), TABLES.values())
def test_columns_of_one_list(text, expected):
    """Two columns are a count and a name, in either order."""
    made = deck(text)
    assert cards(made.lines) == expected
    assert made.findings == ()


def test_unexplained_column():
    """A column after the name is asked about, unless it is a mark or a price."""
    made = deck("4 Kite      Common\n2 Drum      (ABC) 12\n1 Bell      // for now\n3 | Goat | 2\n")
    assert [bool(line.doubt) for line in made.lines] == [True, False, False, False]
    assert rules(made) == [("line", 4)]


# -- zones in tables


@with_rows(
    "head",
    [
        "Category",
        "Type",
        "Folder",
        "Part",
        "Tag",
        "Tags",
        "Board",
        "Bereich",
        "Zona",
        "Zone",
        "Liste",
        "Notes",
        "Set",
        "X",
    ],
)
def test_column_that_names_zones(head):
    """A cell with a word for a zone puts its card there, for any heading of the column."""
    made = deck(
        f"Count,Name,{head}\n4,Kite,Creature\n3,Bell,Sideboard\n2,Drum,Maybeboard\n1,Oak Giant,Main\n"
    )
    if head == "Set":
        assert cards(made.lines) == ["4 Kite", "3 Bell", "2 Drum", "1 Oak Giant"]
        return
    assert [(line.name, line.zone_id) for line in made.lines] == [
        ("Kite", None),
        ("Bell", "side"),
        ("Oak Giant", "main"),
    ]
    assert cards(made.aside) == ["2 Drum | Maybeboard"]
    assert made.findings == ()


def test_tags_that_name_a_zone():
    """One of several tags can be the zone."""
    made = deck(
        'Name,Count,Tags\nKite,4,"Ramp, Sideboard"\nBell,3,Ramp\nDrum,2,#side\nGoat,1,Maybeboard{noDeck}\n'
    )
    assert cards(made.lines) == ["4 Kite | Sideboard", "3 Bell", "2 Drum | side"]


def test_row_that_names_two_zones():
    """A row in two zones is refused."""
    assert rules(deck("Count,Name,Type,Board\n4,Kite,Sideboard,Main\n")) == [("line", 2)]


@with_rows("yes", ["Yes", "x", "Ja", "oui", "TRUE", "✓"])
@with_rows("head", ["Sideboard", "In sideboard", "Side?", "Is Side"])
def test_column_of_yes_and_no(yes, head):
    """A column with a zone's name contains yes or no."""
    made = deck(f"Count,Name,{head}\n4,Kite,\n3,Bell,{yes}\n")
    assert [(line.name, line.zone_id) for line in made.lines] == [("Kite", None), ("Bell", "side")]


@with_rows(
    "heads",
    ["Name,Main Qty,Side Qty", "Card Name,Main Deck Quantity,Sideboard Quantity",
     "Name,Quantity (Main),Quantity (Side)", "Name,MainQty,SideQty",
     "Name,main_count,side_count", "Karte,Anzahl Hauptdeck,Anzahl Ersatzbank",
     "Nom,Quantité principal,Quantité réserve", "Name,Quantity Main,Quantity Side", "Name,# Main,# Side"],
)  # fmt: skip
def test_column_of_counts_for_each_zone(heads):
    """A word for counts beside the name of the zone changes nothing."""
    made = deck(f"{heads}\nKite,4,-\nBell,1,3\nDrum,,2\n")
    assert [(line.count, line.name, line.zone_id) for line in made.lines] == [
        (4, "Kite", "main"),
        (1, "Bell", "main"),
        (3, "Bell", "side"),
        (2, "Drum", "side"),
    ]
    assert made.findings == ()


def test_invalid_count_of_a_zone():
    """In a column of counts for a zone, a cell without a number is refused by its line."""
    assert rules(deck("Name,Main,Side\nKite,4,0\nBell,2,some\n")) == [("count", 3)]


def test_counts_for_each_zone_with_signs():
    """`4x` is a count, and `-` means no copies. Any other cell is refused with its line."""
    made = deck("Name,Main Qty,Side Qty\nKite,4x,-\nBell,-,3x\nDrum,two,n/a\n")
    assert cards(made.lines) == ["4 Kite | Main", "3 Bell | Side"]
    assert rules(made) == [("count", 4)]
    assert cards(deck("Count,Name\n4x,Kite\nx3,Bell\n").lines) == ["4 Kite", "3 Bell"]


@with_rows("sign", ["\t", " | ", "|", "   ", "  ", ", "])
def test_prefix_of_a_zone_in_a_column(sign):
    """`SB: 3 Bell` beside a card is another card."""
    made = deck(f"4 Kite{sign}SB: 3 Bell\n2 Drum{sign}SB: 1 Oak Giant\n")
    assert cards(made.lines) == ["4 Kite", "3 Bell | SB", "2 Drum", "1 Oak Giant | SB"]
    assert rules(deck("4,Kite,SB: 3 Bell\n2,Drum,ABC\n")) == [("line", 1)]


HEADED = {
    "bold": "| Qty | Card |\n|---|---|\n| 4 | Kite |\n| **Sideboard** | |\n| 3 | Bell |\n",
    "bold in the names": "| Qty | Card |\n|---|---|\n| 4 | Kite |\n| | **Sideboard** |\n| 3 | Bell |\n",
    "with its sum": "| Card | Qty |\n|---|---|\n| Kite | 4 |\n| **Sideboard** | **3** |\n| Bell | 3 |\n",
    "in brackets": "| Card | Qty |\n|---|---|\n| Kite | 4 |\n| Sideboard (3) | |\n| Bell | 3 |\n",
    "a second table": "| Qty | Card |\n|---|---|\n| 4 | Kite |\n\n### Sideboard\n\n| Card | Qty |\n|---|---|\n| Bell | 3 |\n",
    "no heads": "| 4 | Kite |\n| **Sideboard** | |\n| 3 | Bell |\n",
    "no heads, in italics": "| 4 | Kite |\n| *Sideboard* | |\n| 3 | Bell |\n",
    "a csv": "Count,Name\n4,Kite\nSideboard,\n3,Bell\n",
    "a csv without heads": "4,Kite\nSideboard,\n3,Bell\n",
    "a csv with its sum": "Name,Count\nKite,4\nSideboard,3\nBell,3\n",
    "below a blank row": "Count,Name\n4,Kite\n\nSideboard\n3,Bell\n",
    "tabs": "Count\tName\n4\tKite\nReserve:\t\n3\tBell\n",
}


@with_rows("text", HEADED.values())
def test_row_that_is_a_header(text):
    """A row with nothing but a header begins a zone."""
    made = deck(text)
    assert [(line.count, line.name, line.zone_id) for line in made.lines] == [
        (4, "Kite", None),
        (3, "Bell", "side"),
    ]
    assert made.findings == ()


def test_row_that_sorts():
    """A sorting word begins no zone. Unknown bold words are noted, other words asked about."""
    made = deck(
        "| Qty | Card |\n|---|---|\n| | *Creatures* |\n| 4 | Kite |\n| | **Combat Tricks** |\n| 3 | Bell |\n| | Drum |\n"
    )
    assert cards(made.lines) == ["4 Kite", "3 Bell", "1 Drum"]
    assert [line.group for line in made.lines] == ["Creatures", "Combat Tricks", "Combat Tricks"]
    assert [note.line for note in made.notes if note.weighty] == [5]
    assert rules(made) == [("header", 5)]
    assert made.lines[-1].doubt


@with_rows("gap", ["\n", ",\n", "---\n", "---,---\n", "Count,Name\n"])
@with_rows("head", ["Count,Name\n", ""])
def test_gap_in_a_table(head, gap):
    """The cards below the only gap are the sideboard; several gaps are asked about."""
    if not head and gap.startswith("Count"):
        return
    made = deck(f"{head}4,Kite\n2,Drum\n{gap}3,Bell\n1,Hare\n")
    assert cards(made.lines) == ["4 Kite", "2 Drum", "3 Bell | Sideboard", "1 Hare | Sideboard"]
    assert [note.line for note in made.notes if note.weighty] == [made.lines[2].number]
    several = deck(f"{head}4,Kite\n{gap}2,Drum\n{gap}3,Bell\n")
    assert [rule for rule, _ in rules(several)] == ["line", "line"]
    assert cards(deck(f"{head}4,Kite\n{gap}3,Bell\n", vocabulary({"deck": []}, default="deck")).lines) == [
        "4 Kite",
        "3 Bell",
    ]


def test_lines_below_a_table():
    """A card outside the table is refused, and other words are noted."""
    made = deck(
        "| Qty | Card |\n|---|---|\n| 4 | **Kite** |\n\n3 Bell\nThis deck wins games.\nTotal: 4 cards\n"
    )
    assert cards(made.lines) == ["4 Kite"]
    assert rules(made) == [("line", 5)]
    assert [note.line for note in made.notes if note.weighty] == [6]


# -- names with subtitles


def test_subtitles():
    """`3 | Name | Subtitle`: a pool may separate name and subtitle by a comma or a dash."""
    text = "Deck\n3 | Ann | The Red\n2 | Ann | The Blue\n1 | Bell\n"
    assert cards(deck(text).lines) == ["3 Ann | The Red | Deck", "2 Ann | The Blue | Deck", "1 Bell | Deck"]
    assert cards(deck("Count,Name,Subtitle\n3,Ann,The Red\n1,Bell,\n").lines) == ["3 Ann | The Red", "1 Bell"]
    for sign in (", ", " - "):
        cardpool = {f"Ann{sign}The Red": {}, f"Ann{sign}The Blue": {}, "Bell": {}}
        assert pool_of(cardpool)
        assert not verdict(ruleset("", cardpool), text).findings


def test_set_after_a_subtitle():
    """It is decoration, as it is after a name."""
    pool = {"Ann, The Red": {}}
    assert not verdict(ruleset("", pool), "3 | Ann | The Red (ABC) 12\n").findings


def test_header_with_its_sum_in_a_table_without_heads():
    """A header with a total (`3 | **Sideboard**`) is refused and not counted."""
    assert ("line", 2) in [
        (finding.rule, finding.lines[0])
        for finding in verdict(
            ruleset("", {}, complete=False), "| 4 | Kite |\n| 3 | **Sideboard** |\n| 3 | Bell |\n"
        ).findings
    ]


@with_rows(
    "cell",
    [
        "In Sideboard",
        "Sideboard (15)",
        "in the side deck",
        "Sideboard: 15 cards",
        "SB 15",
        "My sideboard",
        "im Seitendeck",
    ],
)
def test_cell_with_a_zone_among_words_and_numbers(cell):
    """For any heading of the column."""
    made = deck(f"Name,Quantity,Category\nKite,4,Unit\nBell,2,{cell}\n")
    assert [(line.name, line.zone and general_kind(line.zone)) for line in made.lines] == [
        ("Kite", None),
        ("Bell", "side"),
    ]


def test_a_commander_in_a_table_of_a_format_without_one():
    """The row is refused, as a header for it would be in a text."""
    zones = '[[zone]]\nid = "deck"\ndefault = true\n'
    result = verdict(ruleset(zones), "Name,Quantity,Type\nKite,4,Unit\nBell,1,Commander\n")
    assert [(finding.rule, finding.lines) for finding in result.findings] == [("zone", (3,))]


@with_rows(("columns", "question"), [("foo", "what is `foo`? remove it,"),
                                     ("foo\tbar", "what are `foo` and `bar`? remove them,")])  # fmt: skip
def test_asks_about_unclear_columns(columns, question):
    made = deck(f"3\tKite\t{columns}\n4 Bell\n")
    assert made.lines[0].doubt.startswith(question)
