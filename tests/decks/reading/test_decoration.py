"""Decoration beside a name, and what is part of the name."""

from tests.kit import with_rows
from tourney.decks import PrintMark
from tourney.decks.reading.names import Dialect, parse_field, parse_name

CERTAIN = [
    ("Kite (ABC) 12", "Kite", ("ABC", "12"), ()),
    ("Kite (abc) 12", "Kite", ("abc", "12"), ()),
    ("Kite (PABC) 6p", "Kite", ("PABC", "6p"), ()),
    ("Kite (PLST) ABC-12", "Kite", ("PLST", "ABC-12"), ()),
    ("Kite (Y22) A-12", "Kite", ("Y22", "A-12"), ()),
    ("Kite (ABC) 12★ *F*", "Kite", ("ABC", "12★"), ("*F*",)),
    ("Kite (ABC:12)", "Kite", ("ABC", "12"), ()),
    ("Kite [ABC]", "Kite", ("ABC", None), ()),
    ("Kite [ABC#12]", "Kite", ("ABC", "12"), ()),
    ("Kite [Old Set] 12", "Kite", ("Old Set", "12"), ()),
    ("[ABC] Kite", "Kite", ("ABC", None), ()),
    ("[ABC#12] Kite", "Kite", ("ABC", "12"), ()),
    ("[ABC:12*] Kite", "Kite", ("ABC", "12*"), ()),
    ("[ABC:72+] Kite", "Kite", ("ABC", "72+"), ()),
    ("[B] Kite (3)", "Kite", ("B", "3"), ()),
    ("Kite|ABC", "Kite", ("ABC", None), ()),
    ("Kite|ABC|12", "Kite", ("ABC", "12"), ()),
    ("Kite+|ABC|12", "Kite", ("ABC", "12"), ("*F*",)),
    ("Kite <12> [ABC]", "Kite", ("ABC", "12"), ()),
    ("Kite <borderless> [ABC] (F)", "Kite", ("ABC", None), ("<borderless>", "(F)")),
    ("Kite *F*", "Kite", (None, None), ("*F*",)),
    ("Kite *f-etch*", "Kite", (None, None), ("*f-etch*",)),
    ("Kite #tag", "Kite", (None, None), ("#tag",)),
    ("Kite #!Commander", "Kite", (None, None), ("#!Commander",)),
    ("Kite # some words", "Kite", (None, None), ("# some words",)),
    ("Kite (ABC) 12 #one #two", "Kite", ("ABC", "12"), ("#one", "#two")),
    ("Kite [Ramp]", "Kite", (None, None), ("[Ramp]",)),
    (
        "Kite (abc) 12 *F* [Ramp,Land] ^Have,#37d67a^",
        "Kite",
        ("abc", "12"),
        ("*F*", "[Ramp,Land]", "^Have,#37d67a^"),
    ),
    ("Kite ●●", "Kite", (None, None), ("●●",)),
    ("Kite // Stone (ABC) 12", "Kite // Stone", ("ABC", "12"), ()),
    ("B.F.M. (Big Furry Monster) (ABC) 12", "B.F.M. (Big Furry Monster)", ("ABC", "12"), ()),
    ("Kite {set=Long Name, number=1/2}", "Kite", ("Long Name", "1/2"), ()),
]

WHOLE = [
    "Kite (RED)",
    "Kite (ABC)",
    "B.F.M. (Big Furry Monster)",
    "Kite (Red) Stone",
    "Agent #7",
    "C# Major",
    "ABC Kite",
    "M11 Guardian",
    "Kite ABC 12",
    "Efreet EF-38",
    "Kite -- the red one",
    "Zaku | Two",
    'Soul "Dread" [Exodus 15:16 - K]',
    "Kite {red}",
    "The 5*Star* Hotel",
    "Kite, The",
    "Fire // Ice",
    '"Ach! Hans, Run!"',
    "Borrowing 100,000 Arrows",
    "[Classified]",
    "Unmasking, The",
    "Kite 2",
]


@with_rows(("words", "name", "printing", "marks"), CERTAIN)
def test_removes_full_marks_whatever_the_pool(words, name, printing, marks):
    """A full printing mark and the marks of exports never belong to a name."""
    parsed_name = parse_name(words)
    settled = next(reading for reading in reversed(parsed_name.readings) if reading.certain)
    assert (settled.name, settled.printing, parsed_name.marks) == (name, PrintMark(*printing), marks)
    assert parsed_name.readings[0].name == words.partition(" {set")[0]


@with_rows("words", WHOLE)
def test_keeps_what_could_be_part_of_a_name_without_a_pool(words):
    """Parentheses, a number, a remark: only a pool that knows the shorter name removes them."""
    readings = parse_name(words).readings
    assert [reading.name for reading in readings if reading.certain] == [words]


@with_rows(
    ("words", "shorter", "decoration"),
    [
        ("Kite (ABC)", "Kite", "(ABC)"),
        ("Kite (red)", "Kite", "(red)"),
        ("Kite ABC 12", "Kite", "ABC 12"),
        ("Agent #7", "Agent", "#7"),
        ("Kite -- the red one", "Kite", "-- the red one"),
        ("Usopp ST01-002", "Usopp", "ST01-002"),
        ("Unmasking, The", "The Unmasking", ""),
    ],
)
def test_keeps_the_shorter_reading_for_a_pool(words, shorter, decoration):
    """Each reading lists the words that it omits, so that a finding can quote them."""
    reading = parse_name(words).readings[-1]
    assert (reading.name, reading.decoration, reading.certain) == (shorter, decoration, False)


def test_makes_everything_outside_a_certain_mark_certain():
    """A name never continues after its printing mark."""
    assert [reading.certain for reading in parse_name("Kite [ABC] (foil)").readings] == [True, True, True]


def test_does_not_conclude_from_a_mark_before_the_name():
    """`BT9-020 Gabu (X Antibody)`: the code is certain, the parentheses are not."""
    readings = parse_name("BT9-020 Gabu (X Antibody)", Dialect(codes=True)).readings
    assert [reading.name for reading in readings if reading.certain][-1] == "Gabu (X Antibody)"


@with_rows(
    ("dialect", "words", "name"),
    [
        (Dialect(packs=True), "Kite 1.0 (System Update 2021)", "Kite 1.0"),
        (Dialect(packs=True), "Kite (2) (System Gateway) ●●", "Kite (2)"),
        (Dialect(bare_sets=True), "Kite JTG 91", "Kite"),
        (Dialect(bare_sets=True), "Kite ASR 62 PH", "Kite"),
        (Dialect(bare_sets=True), "N's Kite PR-SV 189", "N's Kite"),
        (Dialect(bare_sets=True), "Basic {D} Energy MEE 7", "Basic {D} Energy"),
        (Dialect(bare_sets=True), "Water Energy Energy 3", "Water Energy"),
        (Dialect(codes=True), "Usopp ST01-002", "Usopp"),
        (Dialect(codes=True), "GD01-035 Zaku II | MS-06", "Zaku II | MS-06"),
        (Dialect(codes=True, sets=True), "Metal: Mode (DCG) (EX9-012)", "Metal: Mode"),
        (Dialect(sets=True), "Kite (M11)", "Kite"),
        (Dialect(sets=True), "Kite (red)", "Kite (red)"),
        (Dialect(remarks=True), "Storage -- great card!", "Storage"),
    ],
)
def test_knows_what_is_certain_in_the_files_of_a_program(dialect, words, name):
    """In other lists the same words could be part of a name."""
    readings = parse_name(words, dialect).readings
    assert next(reading.name for reading in reversed(readings) if reading.certain) == name


@with_rows(
    ("words", "facts"),
    [
        ("Kite {type=efreet, faction=CPM}", {"type": "efreet", "faction": "CPM"}),
        ("Kite {type = efreet;faction=CPM} *F*", {"type": "efreet", "faction": "CPM"}),
        ("Kite {type=}", {"type": ""}),
        ("Kite {type}", {}),
        ("Kite", {}),
    ],
)
def test_reads_declared_facts(words, facts):
    """Facts are in braces and are not part of the name."""
    assert parse_name(words).facts == facts


def test_takes_the_name_in_a_field_unchanged():
    """Only words that another field repeats are removed."""
    assert [reading.name for reading in parse_field("Kite [ABC]").readings if reading.certain] == [
        "Kite [ABC]"
    ]
    beside = parse_field("Kite [ABC]", PrintMark("ABC")).readings
    assert [reading.name for reading in beside if reading.certain][-1] == "Kite"


def test_removes_at_most_twelve_layers():
    assert len(parse_name("Kite" + " (a)" * 200).readings) <= 13
