"""XML, JSON, tables, codes and the canonical form. All names are invented."""

import base64
import json

import pytest

from tests.decks.kit import cards, deck, rules
from tests.kit import with_rows
from tests.rules.kit import rules as known
from tests.rules.kit import verdict
from tourney.decks import read, read_all
from tourney.errors import TourneyError


def test_reads_cockatrice():
    """A zone has a name, and a card without `number` is one copy. Sideboard plans are not cards."""
    made = deck(
        '<?xml version="1.0"?>\n<cockatrice_deck version="1">\n<deckname>Sky</deckname><comments>a\nb</comments>\n'
        '<zone name="main">\n<card number="4" name="Kite" setShortName="ABC" collectorNumber="12" uuid="u-1"/>\n'
        '<card name="Stone &amp; Sky"/>\n<card number="0" name="Bell"/>\n</zone>\n'
        '<zone name="side"><card number="1" name="Drum"/></zone>\n<zone name="tokens"><card number="2" name="Goat"/></zone>\n'
        "<sideboard_plan><name>p</name><move_card_to_zone><card_name>Kite</card_name></move_card_to_zone></sideboard_plan>\n"
        "</cockatrice_deck>\n"
    )
    assert cards(made.lines) == ["4 Kite | main", "1 Stone & Sky | main", "1 Drum | side"]
    assert cards(made.aside) == ["2 Goat | tokens"]
    assert (made.name, made.grammar, rules(made)) == ("Sky", "cockatrice", [("count", 8)])
    assert str(made.lines[0].printing) == "(ABC) 12"
    assert made.findings[0].hint is None


def test_reads_octgn():
    """Sections by name, the card's name as text, and its id."""
    made = deck(
        '<deck game="g"><section name="Identity" shared="False"><card qty="1" id="a-1">Ann</card></section>'
        '<section name="R&amp;D / Stack"><card qty="3" id="a-2">Kite</card></section><notes>hi</notes></deck>'
    )
    assert [(line.name, line.zone_id, line.code) for line in made.lines] == [
        ("Ann", "leader", "a-1"),
        ("Kite", "main", "a-2"),
    ]


def test_reads_mtgo_and_lackey():
    """The sideboard by an attribute; names, sets and pictures as children."""
    made = deck(
        '<Deck xmlns:x="u"><Cards CatID="9" Quantity="2" Sideboard="true" Name="Kite"/><Cards Name="Bell"/></Deck>'
    )
    assert cards(made.lines) == ["2 Kite | Sideboard", "1 Bell"]
    made = deck(
        '<deck version="0.8"><meta><game>g</game></meta><superzone name="Reserve">'
        '<card><name id="p-1">Kite [K]</name><set>K</set></card><card><name id="p-2">Soul [Ex 10:10]</name><set>K</set></card>'
        "</superzone></deck>"
    )
    assert [(line.name, line.printing.set, line.code) for line in made.lines] == [
        ("Kite", "K", "p-1"),
        ("Soul [Ex 10:10]", "K", "p-2"),
    ]


def test_reads_several_decks_in_one_xml():
    text = '<decks><deck><card qty="1">Kite</card></deck><deck><card qty="2">Bell</card></deck></decks>'
    assert [deck.cards for deck in read_all(text, source="deck")] == [1, 2]


BOMB = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@with_rows(
    ("text", "why"),
    [
        (f'<!DOCTYPE d [<!ENTITY l0 "x">{BOMB}]><deck><card>&l9;</card></deck>', "declares a document type"),
        (
            '<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]><deck><card>&f;</card></deck>',
            "declares a document type",
        ),
        ('<!DOCTYPE d SYSTEM "http://127.0.0.1/x.dtd"><deck/>', "declares a document type"),
        ("<deck><card qty='1'>Kite</card>\n<card>", "line 2: not readable as XML: it ends too early"),
        ("<deck>\n<card></deck>", "line 2: not readable as XML: mismatched tag"),
        ("<deck>" + "<a>" * 100 + "</a>" * 100 + "</deck>", "too large or too deep"),
        ("<deck>" + "<card/>" * 60_000 + "</deck>", "too large or too deep"),
        ("<!doctype html>\n<html><body>4 Kite</body></html>", "line 1: a web page, not a decklist"),
        ("\n<html><body>4 Kite</body></html>", "line 2: a web page"),
        ("<!-- only a comment -->", "not readable as XML"),
    ],
)
def test_refuses_hostile_and_broken_xml(text, why):
    """Bombs, external entities, depth, files that end too early; nothing is fetched."""
    with pytest.raises(TourneyError, match=why):
        deck(text)


JSON = {
    "mtgjson": (
        {"data": {"name": "Sky", "commander": [{"name": "Ann", "count": 1, "setCode": "ABC", "number": "4"}],
                  "mainBoard": [{"name": "Kite", "count": 3}], "sideBoard": []}},
        ["1 Ann | commander", "3 Kite | main board"],
    ),
    "slots by code": ({"name": "Sky", "slots": {"01001": 2, "01002": 1}, "sideSlots": {"01003": 1}},
                      ["2 01001", "1 01002", "1 01003 | side"]),
    "an api's answer": ({"data": [{"name": "Deck", "cards": {"01001": 2}}], "total": 1, "success": True},
                        ["2 01001"]),
    "who leads": (
        {"hero_code": "01001a", "hero_name": "Ann", "slots": {"01002": 3},
         "ignoreDeckLimitSlots": {"01002": 3}},
        ["1 Ann | Hero", "3 01002"],
    ),
    "heroes": ({"heroes": {"01001": 1}, "slots": {"01003": 3}}, ["1 01001 | heroes", "3 01003"]),
    "swudb": (
        {"metadata": {"name": "Sky"}, "leader": {"id": "SOR_005", "count": 1},
         "base": {"id": "SOR_029", "count": 1}, "deck": [{"id": "SOR_046", "count": 3}]},
        ["1 SOR_005 | leader", "1 SOR_029 | base", "3 SOR_046 | deck"],
    ),
    "boards": (
        {"name": "Sky",
         "boards": {"mainboard": {"count": 4,
                                  "cards": {"k1": {"quantity": 4,
                                      "card": {"name": "Kite", "set": "abc", "cn": "1"}}}},
                                      "commanders": {"count": 1,
                                          "cards": {"k2": {"quantity": 1, "card": {"name": "Ann"}}}}},
                                          "main": {"name": "Ann", "prices": {"usd": 1.5}}},
        ["4 Kite | mainboard", "1 Ann | commanders"],
    ),
    "by name": ({"mainboard": {"Kite": {"quantity": 4, "card": {"name": "Kite"}}},
                 "sideboard": {"Bell": {"quantity": 2}}}, ["4 Kite | mainboard", "2 Bell | sideboard"]),
    "wrapped cards": (
        {"name": "Sky",
         "cards": [{"quantity": 1, "categories": ["Commander"],
                    "card": {"oracleCard": {"name": "Ann"}, "edition": {"editioncode": "abc"}}},
                    {"quantity": 3, "categories": ["Ramp"], "card": {"oracleCard": {"name": "Kite"}}}],
                    "categories": [{"name": "Ramp"}]},
        ["1 Ann | Commander", "3 Kite"],
    ),
    "sections": (
        {"sections": [{"name": "Main", "cards": [{"amount": 4, "name": "Kite"}]},
                      {"name": "Odd", "cards": [{"amount": 1, "name": "Bell"}]}]},
        ["4 Kite | Main", "1 Bell | Odd"],
    ),
    "a digest": ({"entries": {"mainboard": [{"count": 4, "raw_text": "4 Kite",
        "card_digest": {"name": "Kite", "set": "abc"}}]}}, ["4 Kite | mainboard"]),
    "crypt and library": (
        {"crypt": {"count": 2, "cards": [{"count": 2, "id": 1, "name": "Ann"}]},
         "library": {"count": 3,
                     "cards": [{"type": "Master", "count": 3, "cards": [{"count": 3, "name": "Kite"}]}]}},
        ["2 Ann | crypt", "3 Kite | library"],
    ),
    "passcodes": ({"main": [123, 123], "extra": [456], "side": []},
                  ["1 123 | main", "1 123 | main", "1 456 | extra"]),
    "names only": (["Kite", "Kite", "Bell"], ["1 Kite", "1 Kite", "1 Bell"]),
    "codes, with a sender": (["Exported from https://example.org", "BT8-003"], ["1 BT8-003"]),
    "objects": ([{"name": "Kite", "count": 4}, {"name": "Bell"}], ["4 Kite", "1 Bell"]),
    "pairs": ([[4, "Kite"], ["Bell", 2]], ["4 Kite", "2 Bell"]),
    "flat": ({"Kite": 4, "Bell": 2}, ["4 Kite", "2 Bell"]),
}  # fmt: skip


@with_rows(("value", "expected"), JSON.values())
def test_reads_json_of_many_shapes(value, expected):
    """Covers, prices and categories are not cards."""
    made = deck(json.dumps(value))
    assert cards(made.lines) == expected
    assert made.findings == ()


def test_reads_the_save_of_a_table_top_simulator():
    """Decks in bags, cards in decks; a nickname may name the zone."""
    save = {"ObjectStates": [{"Name": "Bag", "Nickname": "", "ContainedObjects": [
        {"Name": "DeckCustom", "Nickname": "Sky",
         "ContainedObjects": [{"Name": "Card", "Nickname": "Kite\nbird"},
                              {"Name": "Card", "Nickname": "", "CardID": 7}]},
        {"Name": "Deck", "Nickname": "Sideboard",
         "ContainedObjects": [{"Name": "CardCustom", "Nickname": "Bell"}]},
    ]}]}  # fmt: skip
    made = deck(json.dumps(save))
    assert [(line.name, line.zone_id) for line in made.lines] == [("Kite bird", None), ("Bell", "side")]
    assert (made.name, rules(made)) == ("Sky", [("line", 1)])


def test_reads_a_list_of_decks():
    """With their own lines; a list of one deck's zones is one deck."""
    text = '[\n{"name": "One", "cards": {"01": 2}},\n{"name": "Two", "cards": {"02": 3}}\n]'
    decks = read_all(text, source="deck")
    assert [(deck.name, deck.lines[0].number) for deck in decks] == [("One", 2), ("Two", 3)]
    zones = [
        {"name": "Main", "cards": [{"name": "Kite", "count": 1}]},
        {"name": "Sideboard", "cards": [{"name": "Bell", "count": 1}]},
    ]
    assert cards(deck(json.dumps(zones)).lines) == ["1 Kite | Main", "1 Bell | Sideboard"]


def test_reads_a_repeated_key_as_two_lines():
    """Other JSON readers keep the last only."""
    assert cards(deck('{"slots": {"01001": 2, "01001": 1}}').lines) == ["2 01001", "1 01001"]


def test_refuses_wrong_counts_in_json():
    """A finding for each. A zero, as programs export it, means no copy."""
    made = deck(
        '{"slots": {"a1": 0, "a2": -1, "a3": 1.5, "a4": "3", "a5": 1e99, "a6": true, "a7": null, "a8": 2}}'
    )
    assert cards(made.lines) == ["3 a4", "2 a8"]
    assert len(made.findings) == 5
    assert made.findings[3].message.startswith("`true` is not a count")


def test_skips_empty_entries_in_json():
    """Programs pad lists with empty objects and zero counts."""
    made = deck(
        '{"cards": [{}, {"name": "Kite", "count": 2}, {"name": "Bell", "count": 0}, {"name": "", "count": 0}]}'
    )
    assert cards(made.lines) == ["2 Kite"]
    assert made.findings == ()


def test_notes_values_that_were_not_read():
    """A site's own rules, and apparent cards under an unknown key.

    Prices and wins are not noted.
    """
    made = deck(
        '{"slots": {"01002": 3}, "ignoreDeckLimitSlots": {"01002": 1}, "meta": "{\\"front\\": \\"90024\\"}",\n'
        '"extras": [{"name": "Bell", "count": 2}], "prices": {"usd": 1.5}, "stats": {"wins": 3}}'
    )
    assert cards(made.lines) == ["3 01002"]
    assert [(note.line, note.weighty) for note in made.notes] == [(1, True), (1, True), (2, True)]
    assert [note.message.split("`")[1] for note in made.notes] == ["ignoreDeckLimitSlots", "meta", "extras"]
    assert deck('{"slots": {"01002": 3}, "ignoreDeckLimitSlots": null, "meta": "{}"}').notes == ()


def test_prefers_a_code_to_a_name():
    """A card's exact id is that card; the correction says so."""
    result = verdict(
        known("", {"Kite": {"id": "k1"}, "Bell": {"id": "b1"}}),
        '{"cards": [{"name": "Kite", "id": "b1", "count": 2}]}',
    )
    assert [(correction.taken_as, correction.reason) for correction in result.corrections] == [
        ("Bell", "its code `b1` is this card's")
    ]
    shared = known("", {"Kite": {"id": "k1"}}, complete=False)
    assert verdict(shared, '{"cards": [{"name": "Kite", "id": "other", "count": 2}]}').corrections == ()


def test_refuses_an_entry_without_a_name():
    """With its line."""
    assert rules(deck('{"cards": [{"name": "Kite", "count": 1},\n{"count": 2}, {"name": ""}]}')) == [
        ("line", 1),
        ("line", 1),
    ]


@with_rows(
    ("text", "why"),
    [
        ('{"cards": [1, 2', "line 1: not readable as JSON: it ends too early"),
        ('{"cards":\n nope}', "line 2: not readable as JSON"),
        ('{"cards": {"a": NaN}}', "`NaN` is not a JSON number"),
        ("[" * 100_000, "not readable as JSON"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "nested too deeply"),
    ],
)
def test_refuses_broken_json(text, why):
    """With the line, never a traceback."""
    with pytest.raises(TourneyError, match=why):
        deck(text)


TABLES = {
    "a site's csv": ('"Count","Tradelist Count","Name","Edition","Foil","Collector Number"\n"4","4","Kite","abc","foil","12"\n', ["4 Kite"]),
    "semicolons": ('Quantity;Card Name;Edition\n4;Kite;ABC\n2;"Stone; Big";\n', ["4 Kite", "2 Stone; Big"]),
    "a separator line": ("sep=,\nFolder Name,Quantity,Card Name,Set Code,Card Number\nX,4,Kite,ABC,12\n",
                         ["4 Kite"]),
    "sideboarded": ('Card Name,Quantity,ID #,Set,Collector #,Premium,Sideboarded,\n"Kite",4,123,ABC,12,No,No\n"Bell",1,124,ABC,13,Yes,Yes\n', ["4 Kite", "1 Bell | Sideboard"]),
    "boards": ("Board,Qty,Name,Printing\nmain,4,Kite,ABC\nside,1,Bell,ABC\n",
               ["4 Kite | main", "1 Bell | side"]),
    "tabs": ("Name\tCount\nKite\t4\n", ["4 Kite"]),
    "no header": ('4,Kite\n2,"Stone, Big"\n', ["4 Kite", "2 Stone, Big"]),
    "no header, with sets": ("4,Kite,ABC,12\n2,Bell,ABC,13\n", ["4 Kite", "2 Bell"]),
    "a markdown table": ("# Sky\n\n| Count | Name | Set |\n|---|:---:|---|\n| 4 | Kite | ABC |\n| 2 | Bell | |\n", ["4 Kite", "2 Bell"]),
    "a column for each zone": ("Card,Maindeck,Sideboard\nKite,4,2\nBell,,1\nDrum,0,0\n",
                               ["4 Kite | Maindeck", "2 Kite | Sideboard", "1 Bell | Sideboard"]),
    "zones and their sum": ("Card;Main;Side;Total\nKite;4;2;6\n", ["4 Kite | Main", "2 Kite | Side"]),
    "a sideboard beside the count": ("Name,Quantity,Sideboard\nKite,4,0\nStone,2,0\nBell,0,3\n",
                                     ["4 Kite", "2 Stone", "3 Bell | Sideboard"]),
    "no header, count last": ("Kite,4\n\"Stone, Big\",2\n", ["4 Kite", "2 Stone, Big"]),
    "side by side": ("4,Kite,2,Bell\n3,Drum,1,Goat\n", ["4 Kite", "3 Drum", "2 Bell", "1 Goat"]),
    "side by side, with heads": ("Qty\tCard\tQty\tCard\n4\tKite\t2\tBell\n", ["4 Kite", "2 Bell"]),
    "other words": ("Anzahl,Card\n4,Kite\n", ["4 Kite"]),
    "quoted lines": ('Name,Count\n"Kite\nof two lines",4\nBell,1\n', ["4 Kite of two lines", "1 Bell"]),
    "windows": ("Name,Count\r\nKite,4\r\n", ["4 Kite"]),
}  # fmt: skip


@with_rows(("text", "expected"), TABLES.values())
def test_finds_columns_by_their_heads(text, expected):
    """Rows keep their lines."""
    made = deck(text)
    assert cards(made.lines) == expected
    assert made.findings == ()


@with_rows("text", ["Name,Quantity,Sideboard\nKite,4,2\n", "Card,Main,Side,Total\nKite,4,2,4\n"])
def test_refuses_a_row_with_ambiguous_counts(text):
    """One count may be part of the other."""
    assert (rules(deck(text)), deck(text).lines) == ([("line", 2)], ())


def test_reports_wrong_rows():
    """A row without a name, a wrong count and a blank count: two findings and a note."""
    made = deck("Name,Count,Set\nKite,0,ABC\n,4,ABC\nBell,,ABC\n")
    assert rules(made) == [("count", 2), ("line", 3)]
    assert [(note.line, note.message) for note in made.notes] == [
        (4, "`Bell` has no count; one copy was read")
    ]


@with_rows(
    "text",
    [
        "Kite, Stone\nBell, Drum\n",
        "1 Kite, the Red\n1 Bell, the Blue\n",
        "Name of the Kite, Count of the Hill\n4 Bell\n",
    ],
)
def test_does_not_take_commas_in_names_for_a_table(text):
    """A table needs a heading for names and a second heading."""
    assert deck(text).grammar == "plain"


def test_reads_ydk():
    """Passcodes under `#main`, `#extra` and `!side`, one copy a line."""
    made = deck("#created by Ann\n#main\n123\n123\n#extra\n456\n!side\n789\n")
    assert cards(made.lines) == ["1 123 | main", "1 123 | main", "1 456 | extra", "1 789 | side"]
    assert (made.grammar, made.lines[0].code) == ("ydk", "123")


def ydke(*zones):
    parts = (b"".join(code.to_bytes(4, "little") for code in zone) for zone in zones)
    return "ydke://" + "".join(base64.b64encode(part).decode() + "!" for part in parts)


def test_reads_ydke():
    """Three packed lists in one link, anywhere in the text; a broken part is a finding."""
    made = deck("look at this:\n" + ydke([123, 123], [456], [789]))
    assert cards(made.lines) == ["1 123 | main", "1 123 | main", "1 456 | extra", "1 789 | side"]
    assert made.lines[0].number == 2
    assert rules(deck("ydke://o6lXBaO!!AAAA=A!")) == [("line", 1), ("line", 1)]


def deckstring(*, singles=(), doubles=(), others=(), hero=7, form=2):
    def varint(number):
        out = b""
        while number > 0x7F:
            out, number = out + bytes([number & 0x7F | 0x80]), number >> 7
        return out + bytes([number])

    numbers = [0, 1, form, 1, hero, len(singles), *singles, len(doubles), *doubles, len(others)]
    numbers += [part for pair in others for part in pair]
    return base64.b64encode(b"".join(map(varint, numbers))).decode()


def test_reads_deckstrings():
    """Heroes, single cards, pairs and more, by number; the comments must agree with them."""
    made = deck(
        f"### Sky\n# Class: Hunter\n# Format: Wild\n#\n# 1x (1) Kite\n# 2x (3) Bell\n#\n{deckstring(singles=[1000], doubles=[300])}\n"
    )
    assert cards(made.lines) == ["1 7 | Hero", "1 1000", "2 300"]
    assert (made.name, made.format, rules(made)) == ("Sky", "Wild", [])
    assert cards(deck(deckstring(singles=[5], others=[(9, 4)], form=1)).lines) == ["1 7 | Hero", "1 5", "4 9"]
    assert deck(deckstring(singles=[5, 6, 7, 8])).format == "Standard"


def test_reports_a_deckstring_that_is_cut_off():
    """The readable part is read."""
    whole = deckstring(singles=range(300, 330))
    assert rules(deck(whole[:40])) == [("line", 1)]


def test_reads_rows_of_codes():
    """Collector's codes, in the form that table-top simulators read."""
    assert cards(deck("OGN-265-1 OGN-246-1 OGN-246-1 OGN-095-1 OGN-001-1\n").lines)[:2] == [
        "1 OGN-265-1",
        "1 OGN-246-1",
    ]


@with_rows(
    ("text", "line"),
    [
        ("Event #: 12\nTime: 1/1/2020\nPack 1 pick 1:\n    Kite\n--> Bell\n", 1),
        ("\n\nPack 1 pick 1:\n    Kite\n--> Bell\n", 3),
        ("Main\tSide\nKite\tBell\n--> Drum\tOak\nGoat\tHare\n--> Oak\tPick 2\n", 3),
    ],
)
def test_refuses_a_draft_log(text, line):
    """It lists the cards that were seen, not those that were registered."""
    with pytest.raises(TourneyError, match=f"deck: line {line}: a draft log"):
        deck(text)


CANONICAL = """
schema = "tourney.decklist/1"
name = "Sky"
player = "Ann"
format = "redline/standard"

[[zone]]
name = "Arsenal"
cards = [
    { count = 4, name = "Kite (ABC) 12 {x=1}", set = "XYZ", number = 7, facts = { type = "bird", cost = 2 }, marks = ["*F*"] },
    { name = "Bell" },
    { count = 0, name = "Drum" },
]

[[zone]]
counts = false
cards = [{ name = "Goat", count = 2 }]
"""


def test_reads_the_canonical_form():
    """Each part has its own field, so a name is never read as anything else."""
    made = deck(CANONICAL)
    assert cards(made.lines) == ["4 Kite (ABC) 12 {x=1} | Arsenal", "1 Bell | Arsenal"]
    assert cards(made.aside) == ["2 Goat"]
    assert (made.name, made.player, made.format) == ("Sky", "Ann", "redline/standard")
    assert (str(made.lines[0].printing), dict(made.lines[0].facts)) == (
        "(XYZ) 7",
        {"type": "bird", "cost": "2"},
    )
    assert [line.number for line in made.lines] == [10, 11]
    assert rules(made) == [("count", 12)]


@with_rows(
    ("text", "why"),
    [
        ('[[zone]]\ncards = [{ nam = "Kite" }]', r"deck: zone\[0\].cards\[0\]"),
        ("[[zone]]\ncards = [{ name = 3 }]", "expected text, found a whole number"),
        ("[[zone]]\ncards = [", "not readable as TOML"),
        ('schema = "tourney.decklist/9"\n[[zone]]\ncards = []', "expected `tourney.decklist/1`"),
    ],
)
def test_refuses_a_wrong_canonical_form(text, why):
    """With file and key path."""
    with pytest.raises(TourneyError, match=why):
        deck(text)


def test_refuses_a_very_long_count_by_its_line():
    """The rest of the file is read."""
    deck = read('{"cards": {"Amber Fox": ' + "9" * 5_000 + ', "Bitter Heron": 2}}', source="f.json")
    assert [line.name for line in deck.lines] == ["Bitter Heron"]
    assert rules(deck) == [("count", 1)]
