"""In any form of list, cards are read, or a finding names the line. All names are invented."""

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kit import examples, with_rows
from tourney.cards.names import fold
from tourney.decks import read_all
from tourney.errors import Severity, TourneyError

PLAIN = [
    "Kite",
    "Siege Hammer",
    "Oak Giant",
    "Bell of the Hill",
    "Lim-Dûl’s Vault",
    "R&D Office",
    "Æther Vial",
    "青の国",
    "Гром",
    "Drum",
]
TRAPS = [
    "Jace, the Mind", "Fire // Ice", "Wear/Tear", "B.F.M. (Big Furry Monster)", "Paper Card 52", "+2 Mace",
    "2-Headed Ogre", "1000 Needles", "Agent #7", "C# Major", "Sideboard Card", "M11 Guardian", "Kite (Red)",
    "X-Ray", "Unit 11", "Kite the 2nd", "Zaku | Two", "Dr. No", "5th Column",
    "Borrowing 100,000 Arrows", "4Kite", "The 5*Star Hotel", "Kite - the Red", "Deck of Cards", "Energy",
    "Trap", "Notes from Below", "Total War", "Kite...", "... and Bell", "Ann & Bob", "Kite's End",
    "Who/What/When", "Unit I", "Unit II", "X",
]  # fmt: skip
HEADERS = {"energy", "trap"}
"""Names that are headers, too.

If they have no count, `deck show --lines` says that they were read as headers.
"""
names = st.sampled_from(PLAIN) | st.sampled_from(TRAPS)
entries = st.lists(
    st.tuples(names, st.integers(1, 20)), min_size=2, max_size=8, unique_by=lambda entry: fold(entry[0])
)
AROUND = ["{}", "{} *F*", "{} (foil)", "{} [ABC]", "{} (ABC) 12", "{} #tag", "{} {{type=efreet}}"]
BEFORE = [
    "{n} {name}", "{n}x {name}", "{n}X {name}", "{n} x {name}", "{n}× {name}", "x{n} {name}", "({n}) {name}",
    "[{n}] {name}", "{n}\t{name}", "{n} * {name}", "{n}*{name}", "{n} - {name}", "{n}: {name}",
    "{n} copies of {name}", "{n}х {name}", "{n}枚 {name}", "- {n} {name}", "* {n}x {name}", "• {n} {name}",
    "•{n} {name}", "→ {n} {name}", "- [ ] {n} {name}", "- [x] {n} {name}", "[ ] {n} {name}", "☐ {n} {name}",
    "☑ {n} {name}", "🔥 {n} {name}", "⚔️ {n}x {name}", "> {n} {name}", "{n} [[{name}]]", "{n} **{name}**",
    "**{n}** {name}", "**{n}x {name}**", "{n} [{name}](https://example.org/a)", "<li>{n} {name}</li>",
    "{n} | {name}",
]  # fmt: skip
BEHIND = [
    "{name} x{n}", "{name} ×{n}", "{name}×{n}", "{name} {n}x", "{name} (x{n})", "{name} [x{n}]",
    "{name} ({n})", "{name} [{n}]", "{name},{n}", "{name}, {n}", "{name};{n}", "{name} - {n}", "{name} – {n}",
    "{name}: {n}", "{name} = {n}", "{name}\t{n}", "{name}\t{n}x", "{name} ... {n}", "{name} {n} copies",
    "{name} {n}枚", "- {name} ({n})", "[[{name}]] x{n}", "☐ {name} x{n}", "{name}\t{n}\t$1.50",
    "{name}\t{n}\t0.25 €", "{name} * {n}", "| {name} | {n} |",
]  # fmt: skip


def read_cards(text):
    """Return the deck, its cards by line, and the lines with findings or notes.

    A card is (count, folded name, doubt).
    """
    deck = read_all(text, source="deck")[0]
    cards = {}
    for line in (*deck.lines, *deck.aside):
        cards.setdefault(line.number, []).append((line.count, fold(line.name), line.doubt))
    reported_lines = {number for finding in deck.findings for number in finding.lines}
    reported_lines |= {line.number for line in deck.lines if line.doubt or line.question}
    reported_lines |= {note.line for note in deck.notes if note.weighty}
    return deck, cards, reported_lines


def holds(text, expected):
    """Check that each line gives its card and count or has a finding, and no other card appears."""
    try:
        deck, cards, reported_lines = read_cards(text)
    except TourneyError:
        return None  # refused as a whole: nothing is lost in silence
    for number, wanted in expected.items():
        read = [(count, name) for count, name, _ in cards.get(number, ())]
        headed = dict(deck.account).get(number) == "header" and any(name in HEADERS for _, name in wanted)
        assert number in reported_lines or headed or sorted(read) == sorted(wanted), (
            text,
            number,
            wanted,
            read,
        )
    strangers = cards.keys() - expected.keys() - reported_lines
    assert not strangers, (text, strangers)
    if deck.grammar not in {"json", "xml", "toml"}:
        filled = {number for number, line in enumerate(text.split("\n"), start=1) if line.strip()}
        accounted = dict(deck.account)
        assert accounted.keys() == filled, text
        assert set(accounted.values()) <= {"card", "header", "title", "comment", "finding"}
    return deck


def written(shape, around, listed, *, numbers=False):
    """Return a text with one card a line, and the cards of each line."""
    rows, expected = [], {}
    for number, (name, count) in enumerate(listed, start=1):
        line = shape.format(n=count, name=around.format(name))
        rows.append(f"{number}. {line}" if numbers else line)
        expected[number] = [(count, fold(name))]
    return "\n".join(rows) + "\n", expected


@examples(100, of=400, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(BEFORE), st.sampled_from(AROUND), entries, st.booleans())
def test_reads_counts_before_names(shape, around, listed, numbers):
    """In any form, with any decoration beside the name."""
    holds(*written(shape, around, listed, numbers=numbers and shape.startswith("{n}")))


@examples(100, of=400, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(BEHIND), entries)
def test_reads_counts_behind_names(shape, listed):
    """Or refuses the line."""
    holds(*written(shape, "{}", listed))


@examples(50, of=200)
@given(
    st.lists(
        st.tuples(st.sampled_from(BEFORE + BEHIND + ["{name}"]), names, st.integers(1, 9)),
        min_size=3,
        max_size=9,
    )
)
def test_reads_several_forms_in_one_list(rows):
    rows = [(shape, name, 1 if shape == "{name}" else count) for shape, name, count in rows]
    text = "\n".join(shape.format(n=count, name=name) for shape, name, count in rows)
    holds(text, {number: [(count, fold(name))] for number, (_, name, count) in enumerate(rows, start=1)})


def columns(left, right, form):
    """Return two lists side by side, with blank cells below the shorter one."""
    rows, expected = [], {}
    for number in range(1, max(len(left), len(right)) + 1):
        cells, wanted = [], []
        for listed in (left, right):
            name, count = listed[number - 1] if number <= len(listed) else ("", "")
            cells += {"cn": [str(count), name], "nc": [name, str(count)], "n": [name]}[form]
            wanted += [(1 if form == "n" else count, fold(name))] if name else []
        rows.append("\t".join(cells))
        expected[number] = wanted
    return "\n".join(rows) + "\n", expected


@examples(37, of=150)
@given(entries, entries, st.sampled_from(["cn", "nc", "n"]))
def test_reads_two_lists_side_by_side(left, right, form):
    """As pasted from spreadsheets: no column is omitted."""
    holds(*columns(left, right, form))


@examples(25, of=100)
@given(
    st.lists(
        st.tuples(names, st.integers(0, 4), st.integers(0, 4)),
        min_size=1,
        max_size=8,
        unique_by=lambda row: fold(row[0]),
    ),
    st.sampled_from(",;\t"),
)
def test_reads_tables_with_a_column_for_each_zone(rows, delimiter):
    """`Card,Maindeck,Sideboard`: each count in its zone; zero means no copies."""
    out = io.StringIO()
    table = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    table.writerow(["Card", "Maindeck", "Sideboard"])
    table.writerows(rows)
    expected = {1: []}
    for number, (name, main, side) in enumerate(rows, start=2):
        expected[number] = [(count, fold(name)) for count in (main, side) if count]
    deck = holds(out.getvalue(), expected)
    assert deck is None or sum(line.count for line in deck.lines if line.zone_id == "side") == sum(
        side for *_, side in rows
    )


@examples(25, of=100)
@given(
    entries,
    st.sampled_from([("Count", "Name"), ("Name", "Count"), ("Quantity", "Card Name"), None]),
    st.sampled_from(",;"),
)
def test_reads_tables(listed, head, delimiter):
    """With and without column headings."""
    out = io.StringIO()
    table = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    if head:
        table.writerow(head)
    first_count = head is None or head[0] in ("Count", "Quantity")
    table.writerows([(count, name) if first_count else (name, count) for name, count in listed])
    start = 2 if head else 1
    expected = {number: [(count, fold(name))] for number, (name, count) in enumerate(listed, start=start)}
    holds(out.getvalue(), expected | ({1: []} if head else {}))


@examples(25, of=100)
@given(entries)
def test_reads_json(listed):
    """As objects, as a mapping, as pairs."""
    for value in (
        {"cards": [{"name": name, "count": count} for name, count in listed]},
        {"mainboard": dict(listed)},
        [[count, name] for name, count in listed],
    ):
        deck = read_all(json.dumps(value), source="deck")[0]
        assert sorted((line.count, fold(line.name)) for line in deck.lines) == sorted(
            (count, fold(name)) for name, count in listed
        )


# Counts, second cards and marks beside a name, in many forms; each is read correctly or reported with its line.
HANDS = [
    "{n},{name}", "{n};{name}", "{n}|{name}", "{n}, {name}", '{n},"{name}"', '"{n}","{name}"', '"{name}",{n}',
    "{n},{name},ABC", "{name},{n},ABC", "{n}/{name}", "{name}/{n}", "{n} / {name}", "{name} / {n}",
    "{name}|{n}", "{name} | {n}", "{name}x{n}", "{name}(x{n})", "{name} ({n})x", "{name}({n})", "{name}[{n}]",
    "{name} {{{n}}}", "{{{n}}} {name}", "<{n}> {name}", "{n}-of {name}", "{n} of {name}", "{n} of 4 {name}",
    "{name} {n}/4", "{name} ct. {n}", "{name} qty {n}",
    "{name} Qty: {n}", "Qty {n} {name}", "{name}, {n} copies", "{name} ({n} copies)", "{name} ~ {n}",
    "{name} > {n}", "{n} → {name}", "{name}_{n}", "{n}+ {name}", "+{n} {name}",
    "#{n} {name}", "{name} #{n}", "[[{name}]] {n}", "[[{name}]] x{n}", "{name} ({n}) [ABC]",
    "{name} x{n} [ABC]", "{name} [ABC] x{n}", "{n} {name} // sleeve", "{n} {name} - foil",
    "{n} {name}, foil", "{n} {name} foil", "{n} {name} €1", "{n} ~~{name}~~", "{n}X {name}",
    "<li>{n} {name}</li>", "<tr><td>{n}</td><td>{name}</td></tr>",
]  # fmt: skip
HEADS = ["", "Deck\n", "# My List\n", "My Deck\n\n", "1 Oak Door\n"]
CLEAN = ["Kite", "Siege Hammer", "Oak Giant", "Bell of the Hill", "Drum", "Grey Goat", "Tin Owl"]


@examples(150, of=600, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(HANDS),
    st.sampled_from(HEADS),
    st.lists(
        st.tuples(st.sampled_from(CLEAN), st.integers(2, 9)),
        min_size=1,
        max_size=5,
        unique_by=lambda row: row[0],
    ),
)
def test_reads_any_signs_between_count_and_name(shape, head, listed):
    """Below any header: no card has a wrong name, no copy is lost."""
    deck, cards, reported_lines = read_cards(
        head + "".join(shape.format(n=count, name=name) + "\n" for name, count in listed)
    )
    reported_lines |= {number for finding in deck.findings for number in finding.lines}
    start = head.count("\n") + 1
    for number, (name, count) in enumerate(listed, start=start):
        read = [(copies, words) for copies, words, _ in cards.get(number, ())]
        assert number in reported_lines or read == [(count, fold(name))], (shape, head, listed, read)


@with_rows("shape", ["{n} {a}\t{n} {b}", "{n} {a}\t\t{n} {b}", "{n} {a},{n} {b}", "{n} {a};{n} {b}",
                     "{n} {a}|{n} {b}", "{n} {a} {n} {b} {n} Drum", "{n} {a} and {n} {b}", "{n} {a}、{n} {b}"])  # fmt: skip
@with_rows("rows", [1, 2, 3])
@with_rows("head", ["", "Main Deck\tSideboard\n", "Qty\tMain\tQty\tSide\n"])
def test_reads_two_cards_on_a_line(shape, rows, head):
    """Or refuses the line: half of a side-by-side list is never omitted."""
    if head.startswith("Qty") and "\t" not in shape:
        return
    lines = [shape.format(n=3, a=f"Kite {'ABC'[row]}n", b=f"Bell {'ABC'[row]}n") for row in range(rows)]
    _, cards, reported_lines = read_cards(head + "\n".join(lines))
    for number in range(1 + head.count("\n"), rows + 1 + head.count("\n")):
        assert number in reported_lines or sum(count for count, _, _ in cards[number]) == 6


@with_rows(
    ("text", "expected"),
    [
        ("My deck\n4,Kite\n3,Bell\n", {"kite": 4, "bell": 3}),
        ("Deck\n\nCount,Name\n3,Amber Fox\n", {"amber fox": 3}),
        ("My deck\nQuantité;Nom\n4;Kite\n2;Bell\n", {"kite": 4, "bell": 2}),
        ("枚数,カード名\n4,Kite\n2,Bell\n", {"kite": 4, "bell": 2}),
        ("Qty,Main,Qty,Side\n3,Kite,2,Bell\n1,Drum,,\n", {"kite": 3, "bell": 2, "drum": 1}),
        ("Main\tQty\tSide\tQty\nKite\t3\tBell\t2\n", {"kite": 3, "bell": 2}),
        ("<li>4 Kite</li><li>2 Bell</li>", {"kite": 4, "bell": 2}),
        ("4 Kite<br>2 Bell", {"kite": 4, "bell": 2}),
        ("<table><tr><th>Qty</th><th>Card</th></tr><tr><td>4</td>\n<td>Kite</td></tr></table>", {"kite": 4}),
        ('{"Kite": "4", "Bell": "2"}', {"kite": 4, "bell": 2}),
        ('["4 Kite", "Bell"]', {"kite": 4, "bell": 1}),
        ('{"title": "Mine", "Kite": 4}', {"kite": 4}),
        (
            '[{"name": "Kite", "numCopies": 4}, {"name": "Bell", "main": 2, "side": 1}]',
            {"kite": 4, "bell": 3},
        ),
        ("1, Kite\n1 Bell\n1 Drum\n", {"kite": 1, "bell": 1, "drum": 1}),
    ],
)
def test_reads_counts_of_other_tables(text, expected):
    """A title above a table, heads in other languages, pages, other keys."""
    deck, _, _ = read_cards(text)
    read = {}
    for line in deck.lines:
        read[fold(line.name)] = read.get(fold(line.name), 0) + line.count
    assert read == expected
    assert not [line for line in deck.lines if line.doubt]


@with_rows(
    "text",
    [
        '{"Records": [{"l": "Kite", "c": 4}]}',
        '{"stuff": [{"x": "Kite"}]}',
        '{"cards": [{"name": "Kite", "number": 4}]}',
        '{"cards": [{"name": "Kite", "inBinder": 4}]}',
        "<deck><x name='Kite' n='4'/></deck>",
        "- name: Kite\n  count: 3\n",
    ],
)
def test_refuses_structured_lists_that_were_not_read(text):
    """A list without cards, or with unread numbers, is not an empty legal deck."""
    try:
        deck = read_all(text, source="deck")[0]
    except TourneyError:
        return
    assert any(finding.severity is Severity.ERROR and finding.rule != "empty" for finding in deck.findings)


@pytest.mark.long
@settings(max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.sampled_from(BEFORE + BEHIND + ["{name}"]), st.sampled_from(AROUND), names, st.integers(1, 20)
        ),
        min_size=1,
        max_size=12,
    ),
    st.lists(st.integers(0, 12), max_size=3),
)
def test_reads_any_list(rows, blanks):
    """Long lists with decoration and blank lines anywhere."""
    lines, expected = [], {}
    for place, (shape, around, name, count) in enumerate(rows):
        lines += [""] * (place in blanks)
        before = shape in BEFORE
        lines.append(shape.format(n=count, name=(around if before else "{}").format(name)))
        expected[len(lines)] = [(1 if shape == "{name}" else count, fold(name))]
    holds("\n".join(lines), expected)


@with_rows("between", [" | ", " / ", "; ", ", ", "   ", "\t", " - ", " • ", " "])
@with_rows("form", ["{} x{}", "{} {}x", "{} ({})", "{} [{}]", "{} (x{})"])
def test_reads_lists_side_by_side_with_counts_behind(between, form):
    """Or refuses the line."""
    left, right = [("Oak Giant", 1), ("Siege Hammer", 4), ("Kite", 2)], [("Blue Owl", 3), ("Bell", 2)]
    rows = [form.format(*one) + between + form.format(*two) for one, two in zip(left, right, strict=False)]
    _, cards, reported_lines = read_cards("\n".join([*rows, form.format(*left[2])]) + "\n")
    for number, row in enumerate(zip(left, right, strict=False), start=1):
        assert number in reported_lines or [(name, count) for count, name, _ in cards[number]] == [
            (fold(name), count) for name, count in row
        ]


@with_rows("line", ["Kite x3枚", "Kite ×3枚", "Kite x3张", "Kite - 3 шт.", "3 шт. Kite", "3 szt. Kite",
                    "3 Stk. Kite", "3 ex. Kite", "Kite, 3 szt."])  # fmt: skip
def test_reads_counters_of_other_languages(line):
    """No part of the counter stays in the name."""
    _, cards, reported_lines = read_cards(f"{line}\nBell x2\n")
    assert 1 in reported_lines or [(count, name) for count, name, _ in cards[1]] == [(3, "kite")]


@with_rows("head", ["Hauptdeck: 12 Karten", "Sideboard: 2 Cards", "【モンスター】3枚", "Truppen (3)"])  # fmt: skip
def test_reads_heads_with_the_word_for_cards(head):
    """They are not copies of a card named Karten."""
    _, cards, _ = read_cards(f"{head}\n2 Kite\n1 Bell\n")
    assert [name for line in cards.values() for _, name, _ in line] == ["kite", "bell"]


@with_rows("head", ["Carte;Principal;Réserve", "Carta;Hoofd;Extra", "Name;Foo;Notes",
                    "Nome;Principal;Reserva", "Nazwa;Główna;Boczna"])  # fmt: skip
@with_rows("rest", ["", "1"])
def test_asks_about_numbers_under_an_unknown_head(head, rest):
    """They are read as counts, or the heads are refused; never one copy each silently."""
    _, cards, reported_lines = read_cards(f"{head}\nKite;4;{rest}\nBell;3;{rest}\n")
    assert 1 in reported_lines or [line[0][:2] for line in cards.values()] == [(4, "kite"), (3, "bell")]


def test_notes_numbers_that_are_not_copies():
    """Each row is one copy, and a note says so."""
    for head in ("CMC", "Zork"):
        deck, cards, reported_lines = read_cards(f"Name,Set,{head}\nKite,ABC,1\nBell,ABC,4\n")
        assert [card[0][0] for card in cards.values()] == [1, 1]
        assert not deck.findings
        assert reported_lines == {1}
    assert not read_cards("Name,Set,CMC\nKite,ABC,1\nBell,ABC,1000\n")[2]


@with_rows("row", ["Name: {}, Qty: {}", "name={} count={}"])
@with_rows("title", ["", "My Deck\n\n"])
def test_refuses_cards_behind_the_word_name(row, title):
    """`Name:` names the player once; more such lines are refused."""
    text = title + "\n".join(row.format(name, 2) for name in PLAIN) + "\n"
    _, _, reported_lines = read_cards(text)
    assert len(reported_lines) >= len(PLAIN) - 1


@with_rows("form", ["{}-{}", "{1}-{0}", "{} @{}", "{} (-{})", '("{}", {}),', '"{}": {},', "{} +{}"])
def test_asks_about_a_number_beside_each_name(form):
    deck = read_all("".join(form.format(name, 3) + "\n" for name in PLAIN[:6]), source="deck")[0]
    is_reported = bool(deck.findings) or all(line.question or line.doubt for line in deck.lines)
    assert is_reported or [line.count for line in deck.lines] == [3] * 6


def test_asks_about_a_known_header_in_a_list_without_counts():
    """`Kreaturen` may be a card there."""
    deck = read_all("Kreaturen\nKite\nBell\n\nMonstres\nDrum\nGoat\n", source="deck")[0]
    assert [line.name for line in deck.lines if line.question] == ["Kreaturen", "Monstres"]


@with_rows("line", ["3 Kite,2", "1,Kite,3", '1,"Kite",3', "2 Kite Qty: 3"])
def test_refuses_a_count_on_both_sides(line):
    _, _, reported_lines = read_cards(f"My Deck\n\n{line}\n2 Bell\n")
    assert 3 in reported_lines


@with_rows("name", ["Laura X23 Kinney", "Project X7 Fox", "Lucky (2) Deluxe"])
@with_rows("line", ["2 {}", "2x {}", "{} x2", "{} (2)"])
def test_keeps_an_x_that_belongs_to_the_name(name, line):
    """`X23` in capitals is not the count of another card."""
    if name.startswith("Lucky") and not line.startswith("2"):
        return  # two numbers in brackets behind words: two cards
    _, cards, reported_lines = read_cards(f"1 Bell\n{line.format(name)}\n1 Drum\n")
    assert 2 not in reported_lines
    assert cards[2] == [(2, fold(name), "")]


@with_rows(
    "mark",
    ["[Land,Ramp]", "(abc) 12 [Land,Ramp]", "(abc) 12 [Land,Ramp] ^Have,Want^", "#land,ramp", "(Red,Blue)"],
)
@with_rows("count", ["3 ", "3x "])
def test_does_not_split_at_a_comma_between_categories(mark, count):
    _, cards, reported_lines = read_cards(f"1 Bell\n{count}Kite {mark}\n1 Drum\n")
    assert 2 not in reported_lines
    assert cards[2][0][0] == 3


def test_does_not_take_keys_below_a_leader_for_cards():
    """An investigator above `Packs:` begins the list."""
    deck, cards, _ = read_cards(
        "Investigator: Ann (Core Set)\n\nPacks: From Core Set to Night\n\n2x Kite\n1x Bell\n"
    )
    assert [line.name for line in deck.lines] == ["Ann (Core Set)", "Kite", "Bell"]
    assert len(cards) == 3
