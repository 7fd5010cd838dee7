"""Excel workbooks: the content of cells, and hostile workbooks."""

import io
import sys
import zipfile
from datetime import date
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from tests.desk.kit import new_desk
from tests.kit import takes_linear_time, with_rows
from tests.store.workbooks import MAIN, sheet_xml, workbook
from tourney import decode
from tourney.desk import import_players, read_list
from tourney.errors import TourneyError
from tourney.store.workbook import MAX_CELL, SheetError, read_sheet, read_workbook

LIST = [["Name", "Club"], ["Mira Oake", "Harbour"]]


def refused(content):
    with pytest.raises(TourneyError) as refusal:
        read_sheet(content, source="club.xlsx")
    assert refusal.value.message.startswith("club.xlsx")
    return refusal.value


@given(
    st.lists(
        st.lists(
            st.none()
            | st.integers(-(10**9), 10**9)
            | st.booleans()
            | st.text(st.sampled_from("ab <&>\"';,#\nÄé日Ж-1"), min_size=1, max_size=8),
            min_size=1,
            max_size=4,
        ),
        max_size=6,
    )
)
def test_what_a_spreadsheet_writes_is_read_back(rows):
    """Text, numbers and booleans. Empty rows are left out, but are counted."""
    import openpyxl  # slow to import, and each worker imports this module

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    packed = io.BytesIO()
    book.save(packed)

    def text(value):
        return (
            {None: "", True: "yes", False: "no"}[value]
            if value is None or value is True or value is False
            else str(value)
        )

    filled = [(number, row) for number, row in enumerate(rows, 1) if any(value is not None for value in row)]
    last = {
        number: max(place for place, value in enumerate(row, 1) if value is not None)
        for number, row in filled
    }
    expected = [(number, [text(value) for value in row[: last[number]]]) for number, row in filled]
    if not expected:
        with pytest.raises(SheetError, match="the workbook is empty"):
            read_workbook(packed.getvalue(), None)
    else:
        read = read_workbook(packed.getvalue(), None)
        assert [(number, cells) for number, cells, _ in read["rows"]] == expected


def test_numbers_dates_and_formulas_are_read_as_shown():
    """1500.0 is 1500, a date its day, a formula its saved value."""
    rows = [[1500.0, 2.5, '<c s="1"><v>46000</v></c>', "<c><f>1+1</f><v>2</v></c>", '<c t="s"><v>0</v></c>']]
    assert read_sheet(workbook(rows), source="x").rows == [
        (1, ["1500", "2.5", date(2025, 12, 9).isoformat(), "2", "shared"])
    ]


def test_the_first_visible_sheet_with_content_is_read():
    """Other sheets are named, and can be selected."""
    book = workbook([["secret"]], [], LIST, states=(' state="hidden"', "", ""))
    assert (read_sheet(book, source="x").name, read_sheet(book, source="x").others) == ("Kasse", ("Helfer",))
    assert read_sheet(book, source="x", sheet="Anmeldung").rows == [(1, ["secret"])]
    with pytest.raises(TourneyError, match="there is no sheet `Mai`"):
        read_sheet(book, source="x", sheet="Mai")


LAUGHS = "".join(f'<!ENTITY l{n} "{(f"&l{n - 1};" if n else "ha") * 10}">' for n in range(10))
INLINE = '<row><c t="inlineStr"><is><t>&l9;</t></is></c></row>'
SECRET = '<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/hostname">]>'


@pytest.mark.slow
@with_rows(
    ("make", "message"),
    [
        (lambda: workbook(sheet_xml(INLINE, f"<!DOCTYPE x [{LAUGHS}]>")),
         "the workbook is damaged, or was not"),
        (lambda: workbook(sheet_xml(INLINE, SECRET)), "the workbook is damaged, or was not"),
        (lambda: workbook(LIST, xl__styles_dot_xml=SECRET + "<styleSheet/>"),
         "the workbook is damaged, or was not"),
        (lambda: workbook(LIST, xl__workbook_dot_xml=SECRET + "<workbook>&l9;</workbook>"),
         "the workbook is damaged"),
        (lambda: workbook(LIST, xl__sharedStrings_dot_xml=f"{SECRET}<sst xmlns='{MAIN}'/>"),
         "the workbook is damaged"),
        (lambda: workbook(sheet_xml("<row")), "the workbook is damaged, or was not written by a spreadsheet"),
        (lambda: workbook(LIST)[:400], "the workbook is damaged, or was not written by a spreadsheet"),
        (lambda: workbook(" " * 120_000_000), "unpacks to 120 MB, more than 100 MB"),
        (lambda: workbook(sheet_xml("<row/>" * 130_000)), "at most 120,000 rows"),
        (lambda: workbook(sheet_xml('<row r="1000000000000"><c r="A1"><v>1</v></c></row>')),
         "at most 120,000 rows"),
        (lambda: workbook(sheet_xml("<row><c><v>1</v></c><c r='SF1'><v>1</v></c></row>" * 5_000)),
         "2,000,000 cells"),
        (lambda: workbook(sheet_xml('<row><c r="XFD1"><v>1</v></c></row>')),
         "club.xlsx:1: the sheet is too large"),
        (lambda: workbook([["Name"], ["<c><f>1+1</f></c>"], ["Mira"]]),
         "club.xlsx:2: A2 is a formula without a value"),
        (lambda: workbook([["Name"], ['<c t="e"><v>#REF!</v></c>']]),
         "club.xlsx:2: the cell in column A shows #REF!"),
        (lambda: workbook([["x" * 100_001]]), "club.xlsx:1: the cell in column A has 100,001 letters"),
        (lambda: workbook([]), "the workbook is empty"),
        (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "is an old Excel file, or has a password"),
    ],
)  # fmt: skip
def test_a_hostile_or_damaged_workbook_is_refused(make, message):
    """Zip and entity bombs, endless sheets, half a file: each error has a hint."""
    refusal = refused(make())
    assert message in refusal.message
    assert refusal.hint or "empty" in message


def test_a_zip_gives_no_more_bytes_than_it_states():
    """Its sizes are checked first, and the reader enforces them."""
    honest = workbook(LIST + [["x" * 2_000, ""]] * 500)
    start = honest.rindex(b"xl/worksheets/sheet1.xml") - 46
    lying = bytearray(honest)
    lying[start + 24 : start + 28] = (5_000).to_bytes(4, "little")
    assert "damaged" in refused(bytes(lying)).message


def test_a_zip_that_is_not_a_workbook_is_refused_by_kind():
    """OpenDocument, Word, any archive."""
    for inside, message in (("content.xml", "an OpenDocument file"), ("a.txt", "a zip or another kind")):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as out:
            out.writestr(inside, "x")
        assert message in refused(packed.getvalue()).message


def test_the_limit_of_a_cell_equals_that_of_other_tables():
    """The child process cannot import it."""
    assert MAX_CELL == decode.MAX_CELL


def test_without_the_library_the_hint_names_the_extra(monkeypatch):
    """Or CSV."""
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    refusal = refused(workbook(LIST))
    assert "needs openpyxl" in refusal.message
    assert "tourney[xlsx]" in refusal.hint


# -- a list of players in a workbook


def test_a_club_list_is_read_with_its_title_and_numbers():
    """A title above the header is skipped with a note, and a date is not a name."""
    rows = [
        ["Vereinsabend"],
        [],
        ["Nr.", "Name", "Wertung", "Freilose"],
        [1, "Petra Grün", 1500.0, 2],
        [2, "Jörg Ohm", None, None],
    ]
    player_list = read_list(workbook(rows, [["x"]]), source="club.xlsx")
    assert [(player.name, player.rating, player.awarded, player.place) for player in player_list.players] == [
        ("Petra Grün", 1500, 2, "club.xlsx:4"),
        ("Jörg Ohm", UNSET, 0, "club.xlsx:5"),
    ]
    assert player_list.notes == (
        "skipped, above the header: `Vereinsabend`",
        "these sheets were not read: `Helfer` (`--sheet NAME` reads a sheet)",
    )
    with pytest.raises(TourneyError, match="x:2: `2025-12-09` is a date, not a name"):
        read_list(workbook([["Name", "Club"], ['<c s="1"><v>46000</v></c>', "Harbour"]]), source="x")
    with pytest.raises(
        TourneyError, match="x:1: it is not clear which column has the players' names: `Wer` and `Woher`"
    ):
        read_list(workbook([["Wer", "Woher"], ["Mira", "Harbour"]]), source="x")
    assert [player.name for player in read_list(workbook([["Mira"], ["Tomo"]]), source="x").players] == [
        "Mira",
        "Tomo",
    ]


def test_registering_many_players_of_a_workbook_takes_linear_time(tmp_path):
    """Including near names and the entry on the disk."""
    folders = map(str, count())

    def registered(number_of_players):
        players = range(number_of_players)
        rows = [[f"Player {number} of many", 1000 + number, "Harbour"] for number in players]
        folder = tmp_path / next(folders)
        folder.mkdir()
        with new_desk(folder) as desk:
            import_players(desk, workbook([["Name", "Rating", "Club"], *rows]), source="club.xlsx")
            assert len(desk.state.players) == number_of_players

    registered(1_000)
    assert takes_linear_time(registered, 100)
