"""Hostile input for the readers: decks or an error, never a traceback, within bounds.

The bounds are of time and memory.
"""

import json
import sys
import tracemalloc

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.kit import amount, examples, golden, with_rows
from tourney.decks import read_all
from tourney.decks.reading.text import MAX_LINE
from tourney.errors import TourneyError

QUICK = examples(37, of=150, suppress_health_check=[HealthCheck.too_slow])

# One sample of each grammar, with invented cards, to be cut, doubled and shuffled.
CORPUS = (
    "// Sky\n1 Ann *CMDR*\n4 Kite (ABC) 12 *F*\nSB: 2 Bell [XYZ]\n\nMaybeboard\n1 Drum\n",
    "About\nName Sky\n\nDeck\n4 Kite (ABC) 1\n\nSideboard\n1 Bell\n",
    "Sky\n\nAnn: Security (Core)\n\nAgenda (3)\n3x Kite (Core) ●●\n\n15 influence spent (max 15)\n3 cards (min 45)\n",
    "Event\nPlace\nMay 1\n2R+F\n10 players\nAnn\n\nDeck Name: Sky\n\nCrypt (2 cards, min=2, max=4)\n---\n2x Bob  7  AUS DOM  Clan:1\n\nLibrary (1)\nMaster (1)\n1x Kite -- good\n",
    "Pokémon: 4\n4 Kite JTG 91\n\nTrainer: 1\n1 Bell SVI 1 PH\n\nTotal Cards: 5\n",
    '<?xml version="1.0"?><cockatrice_deck version="1"><zone name="main"><card number="4" name="Kite"/></zone></cockatrice_deck>',
    '<deck><section name="Main"><card qty="1" id="a">Kite</card></section></deck>',
    '{"name": "Sky", "mainboard": [{"name": "Kite", "count": 4}], "slots": {"01001": 2}, "leader": {"id": "A_1", "count": 1}}',
    '{"ObjectStates": [{"Name": "Deck", "Nickname": "Sky", "ContainedObjects": [{"Name": "Card", "Nickname": "Kite"}]}]}',
    "Count,Name,Edition\n4,Kite,ABC\n2,\"Bell, Loud\",XYZ\n",
    "| Count | Name |\n|---|---|\n| 4 | Kite |\n",
    "#created by Ann\n#main\n123\n#extra\n456\n!side\n789\n",
    "ydke://o6lXBaOpVwU=!ewAAAA==!yAEAAA==!",
    "### Sky\n# Class: X\n# 2x (1) Kite\nAAECAQcBBQEGAAA=\n",
    'schema = "tourney.decklist/1"\n[[zone]]\nname = "A"\ncards = [\n  { count = 4, name = "Kite", facts = { type = "x" } },\n]\n',
    "# Sky\n## Base (3)\n* 1 [Kite](https://example.org/a)\n- Bell\n1. Drum\n> 2 Goat\n",
    "[metadata]\nName=Sky\n[Main]\n4 Kite|ABC|1\n[Sideboard]\n2 Bell+|XYZ\n",
    "Name: Ann\nFormat: x/y\nArsenal (60)\n24 Basic {type=resource}\n0 Kite\n-3 Bell\n1.5 Drum\n",
)  # fmt: skip


def try_to_read(data):
    """Read a text, and check properties that every deck has."""
    try:
        decks = read_all(data, source="deck")
    except TourneyError as refusal:
        if not refusal.message.startswith("deck:"):
            raise AssertionError(f"the refusal names no file: {refusal}") from refusal
        return ()
    assert decks
    for deck in decks:
        for line in (*deck.lines, *deck.aside):
            assert 1 <= line.count <= 999
            assert line.readings[0].certain
            assert line.name.strip() == line.name != ""
            assert line.number >= 1
        assert deck.lines or deck.findings or deck.aside
        assert all(finding.message for finding in deck.findings)
    return decks


@st.composite
def mutations(draw, texts):
    """Draw a sample with pieces cut out, doubled, reversed or replaced by noise."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, max(0, len(text) - 1)))
        end = draw(st.integers(start, min(len(text), start + 40)))
        piece = text[start:end]
        noise = st.text("0123456789xX -_.,:;/|#*^()[]{}<>\"'\\=&!?\n\t½★●é\u200b\ud7ff", max_size=8)
        piece = draw(st.sampled_from(["", piece * 2, piece[::-1], piece.upper()]) | noise)
        text = text[:start] + piece + text[end:]
    return text


@QUICK
@given(mutations(CORPUS))
def test_broken_samples(text):
    """Samples of each grammar, cut and shuffled."""
    try_to_read(text)


@QUICK
@given(mutations(CORPUS), st.sampled_from(["utf-8", "utf-16", "cp1252", "utf-16-le"]), st.integers(0, 60))
def test_broken_bytes(text, encoding, cut):
    """Samples of each grammar in some encoding, cut off at any byte."""
    data = text.encode(encoding, errors="replace")
    try_to_read(data[: max(0, len(data) - cut)])


@QUICK
@given(st.text(max_size=400))
def test_any_text(text):
    """Any characters at all."""
    try_to_read(text)


@QUICK
@given(st.binary(max_size=400))
def test_any_bytes(data):
    """Any bytes at all."""
    try_to_read(data)


words = st.sampled_from(["Kite", "", "4 Kite", "main", "Sideboard", "cards", "x" * 200, "☃", "0", "-1"])
keys = st.sampled_from(["name", "count", "cards", "slots", "main", "sideboard", "data", "decks", "leader",
                        "id", "set", "zones", "ObjectStates", "ContainedObjects", "Nickname", "x"])  # fmt: skip
scalars = st.none() | st.booleans() | st.integers() | st.floats() | words
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=25,
)


@QUICK
@given(values)
def test_any_json(value):
    """Any values at any place of a JSON text."""
    try_to_read(json.dumps(value))


@QUICK
@given(st.lists(st.lists(words | st.integers().map(str), max_size=6), max_size=6), st.sampled_from(",;\t|"))
def test_any_table(rows, delimiter):
    """Any text in the cells of a table."""
    try_to_read("\n".join(["Count" + delimiter + "Name", *(delimiter.join(row) for row in rows)]))


def test_mutated_samples_of_others():
    """The 43 sample files: cut in half, doubled, without line ends, with zeros for digits."""
    for path in sorted(golden("decklists").iterdir()):
        data = path.read_bytes()
        for broken in (
            data[: len(data) // 2],
            data + data,
            data.replace(b"\n", b" "),
            data.translate(bytes.maketrans(b"123456789", b"000000000")),
            data[1:],
            data.replace(b'"', b""),
            data.replace(b" ", b"\t"),
            data[::-1],
        ):
            try_to_read(broken)


def calls_of(text):
    """Return how many Python calls reading a text takes, as a measure of its work."""
    count = 0

    def tally(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(tally)
    try:
        read_all(text, source="deck")
    except TourneyError:
        pass
    finally:
        sys.setprofile(None)
    return count


HEAVY = {
    "cards": lambda n: "".join(f"{k % 4 + 1} Kite{k} (ABC) {k} *F* #tag\n" for k in range(n)),
    "bare names": lambda n: "".join(f"Kite {k}\n" for k in range(n)),
    "headers": lambda n: "".join(f"Part {k}:\n1 Kite\n" for k in range(n)),
    "blank lines": lambda n: "1 Kite\n\n" * n,
    "decks": lambda n: "Deck\n1 Kite\n\nSideboard\n1 Bell\n\n" * n,
    "bad counts": lambda n: "0 Kite\n" * n,
    "marks": lambda n: ("1 Kite" + " (a)" * 200 + "\n") * n,
    "json": lambda n: json.dumps({"cards": [{"name": f"Kite {k}", "count": 1} for k in range(n)]}),
    "escaped json": lambda n: '{"cards": [' + ",".join('{"name": "\\u004bite", "count": 1}' for _ in range(n)) + "]}",
    "xml": lambda n: "<deck>" + "<card>Kite &amp; Bell</card>\n" * n + "</deck>",
    "csv": lambda n: "Name,Count\n" + "Kite,1\n" * n,
    "codes": lambda n: "#main\n" + "123\n" * n,
    "toml": lambda n: "[[zone]]\ncards = [\n" + '{ name = "Kite" },\n' * n + "]\n",
}  # fmt: skip


@with_rows("make", HEAVY.values())
def test_work_is_proportional_to_the_length_of_the_text(make):
    """Four times the text takes at most about four times the calls."""
    short = amount(40, of=75)
    small, large = calls_of(make(short)), calls_of(make(4 * short))
    assert large < 4.6 * small + 1_000


def test_copies_take_no_memory():
    """Ten million copies are one finding; 999 copies are one entry."""
    tracemalloc.start()
    decks = try_to_read("10000000 Kite\n" + "999 Bell\n" * 1_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [finding.rule for finding in decks[0].findings] == ["count"]
    assert decks[0].cards == 999_000
    assert peak < 20_000_000


@with_rows(
    "text",
    [
        "4 " + "Kite " * 100_000,
        "(" * 50_000,
        "4 Kite" + " [a]" * 30_000,
        "4 Kite {" + "a=b," * 30_000 + "}",
        "#" * 100_000,
        "| " * 50_000,
        '4,"' + "a" * 100_000,
        "<deck><card name='" + "a" * 100_000 + "'/></deck>",
        '{"cards": [{"name": "' + "a" * 100_000 + '", "count": 1}]}',
        "ydke://" + "A" * 100_000 + "!!!",
        "A" * 200_000,
        "\n" * 100_000,
    ],
)
def test_gigantic_lines(text):
    """A line of any length is read or refused."""
    for deck in try_to_read(text):
        assert all(len(line.raw) <= MAX_LINE for line in deck.lines)


@with_rows("digits", ["9" * 5_000, "0" * 5_000, "9" * 4_301, "-" + "9" * 5_000, "\uff19" * 5_000])
@with_rows(
    "form",
    [
        "{} Kite", "{}x Kite", "Kite x{}", "Kite ({})", "Kite, {}", "Kite\t{}", "{}. Kite", "SB: {} Kite",
        "Kite #{}", "4 Kite (ABC) {}",
        "Creatures ({})\n4 Kite", "Main: {}\n4 Kite", "#main\n{}\n!side\n{}", "Count,Name\n{},Kite",
        "Card,Maindeck,Sideboard\nKite,{},{}", "| Count | Name |\n|---|---|\n| {} | Kite |",
        '<cockatrice_deck version="1"><zone name="main"><card number="{}" name="Kite"/></zone></cockatrice_deck>',
        '<deck game="x"><section name="Main"><card qty="{}" id="x">Kite</card></section></deck>',
        '<Deck><Cards CatID="{}" Quantity="{}" Sideboard="false" Name="Kite" /></Deck>',
        '{{"main":[{{"name":"Kite","count":"{}"}}]}}', '{{"main":{{"Kite":"{}"}}}}', '["{} Kite"]',
        '{{"slots":{{"{}":"{}"}}}}',
    ],
)  # fmt: skip
def test_refuses_very_long_counts_in_every_form(form, digits):
    """Python does not convert a text of more than 4,300 digits into a number."""
    for deck in try_to_read(form.replace("{}", digits).replace("{{", "{").replace("}}", "}")):
        assert all(len(finding.message) < 500 for finding in deck.findings)
