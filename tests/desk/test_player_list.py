"""Lists of players in the forms in which organizers have them."""

import codecs
import csv
import io
import re
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.desk.kit import new_desk, open_desk
from tests.kit import takes_linear_time, with_rows
from tourney.cards import fold
from tourney.desk import UnclearError, check, erase, import_players, read_list, registration
from tourney.desk.player_list import COLUMN_WORDS
from tourney.errors import TourneyError
from tourney.event.rounds import Manner
from tourney.spreadsheet import unescape_formula


def read_players(text, *, source):
    return read_list(text, source=source).players


def names(text):
    return [read_player.name for read_player in read_players(text, source="list")]


@with_rows(
    ("text", "expected_names"),
    [
        ("Ada\nBen\n", ["Ada", "Ben"]),
        ("\ufeffAda\r\nBen\r\n", ["Ada", "Ben"]),
        ("# Friday\n\n  Ada  \n", ["Ada"]),
        ("Oake, Mira\nReed, Tomo", ["Oake, Mira", "Reed, Tomo"]),
        ("name\nAda\n", ["Ada"]),
        ("Name,Rating\nAda,1500\n", ["Ada"]),
        ("first,last\nMira,Oake\n", ["Mira Oake"]),
        ("Last Name\tFirst Name\nOake\tMira", ["Mira Oake"]),
        ('name,club\n"Oake, Mira","Harbour, North"\n', ["Oake, Mira"]),
        ("Player;Club\nAda;Harbour", ["Ada"]),
    ],
)
def test_a_list_of_names_or_a_table(text, expected_names):
    """A header makes it a table; without one every line is a name."""
    assert names(text) == expected_names


def test_columns_become_facts_or_tags():
    """Ratings, tables, awarded and announced byes, late, contact. Row numbers are ignored."""
    text = (
        "#,name,rating,table,awarded,byes,late,email,club,team\n"
        "1,Ada,1500,3,2,4:half-bye 5:absent,bye,a@x.org,Harbour,\n"
    )
    (ada,) = read_players(text, source="list")
    assert (ada.rating, ada.table, ada.awarded, ada.late, ada.contact) == (1500, 3, 2, "bye", "a@x.org")
    assert ada.byes == {4: "half-bye", 5: "absent"}
    assert ada.tags == {"club": "Harbour"}
    assert ada.place == "list:2"


@with_rows(
    ("text", "message"),
    [
        ("", "list has no players"),
        ("# nobody\n\n", "list has no players"),
        ("name,rating\nAda,high\n", "list:2: rating: `high` is not a whole number"),
        ("name,rating\nAda,1500,3\n", "list:2: the row has 3 cells, but the header has 2"),
        ("name,byes\nAda,soon\n", "list:2: byes: `soon` is not a round number with a kind"),
        ("name,table\nAda,-1\n", "list:2: table: `-1` is not a whole number"),
    ],
)
def test_invalid_lists_are_refused_with_line_and_column(text, message):
    """The message names the file, line and column."""
    with pytest.raises(TourneyError) as refusal:
        read_players(text, source="list")
    assert message in refusal.value.message


def test_an_endless_cell_is_refused():
    """An open quotation mark and two hundred thousand letters."""
    with pytest.raises(TourneyError, match="list: line 2: not readable as a table"):
        read_players('name\n"' + "x" * 200_000, source="list")


def test_a_quoted_cell_may_contain_line_ends():
    """The players below keep the row that a spreadsheet shows."""
    text = 'name,contact\n"Mira Oake","Harbour Street 1\nNorth Town"\nTomo,\n'
    mira, tomo = read_players(text, source="list")
    assert (mira.name, mira.contact, mira.place) == ("Mira Oake", "Harbour Street 1, North Town", "list:2")
    assert (tomo.name, tomo.place) == ("Tomo", "list:3")
    assert names('"name","home\nclub"\nMira,x\n') == ["Mira"]


@with_rows(
    ("text", "row"),
    [
        ("name,rating\nMira,\nTomo,high\n", 3),
        ('name,contact,rating\nMira,"one\ntwo\r\nthree",\nTomo,,high\n', 3),
        ("name,rating\n\n,\nTomo,high\n", 4),
        ("Friday,\n\nname,rating\n# a remark\nTomo,high\n", 5),
        ('"Friday\nin October",\nname,"rating"\nTomo,high\n', 3),
        ('"name","club\nor team",rating\nTomo,,high\n', 2),
        ("sep=;\nname;rating\nTomo;high\n", 2),
        ('\nname\tnote\trating\n"Mira"\t"a\n\nb"\t\nTomo\t\thigh\n', 4),
    ],
)
def test_the_place_of_a_player_is_the_row_of_a_spreadsheet(text, row):
    """Despite line ends in cells, blank rows, titles and headers of several lines."""
    with pytest.raises(TourneyError, match=f"^list:{row}: rating: `high`"):
        read_list(text, source="list")


def test_the_last_of_several_rows_with_one_name_counts():
    """Case, accents and spaces do not matter. Decklists stay with their rows."""
    text = (
        'name,club,decklist\nMira,A,"Fox\nOwl"\nTómo,B,"Owl\nHeron"\nMIRA ,C,\nTomo,D,"Fox\nHeron"\n'
        'Bryn,E,"Fox\nBear"\n'
    )
    listed = read_list(text, source="list")
    assert [(player.name, player.tags["club"], player.place) for player in listed.players] == [
        ("MIRA", "C", "list:4"),
        ("Tomo", "D", "list:5"),
        ("Bryn", "E", "list:6"),
    ]
    assert {place: deck.content for place, deck in listed.decks.items()} == {1: "Fox\nHeron", 2: "Fox\nBear"}
    assert listed.repeated_names == {"MIRA": [2, 4], "Tomo": [3, 5]}
    assert "the name MIRA (rows 2 and 4) and Tomo (rows 3 and 5)" in listed.warnings[0]


def test_a_line_end_in_a_name_is_refused():
    """The error has its place."""
    from tourney.event.names import clean_name

    (wanted,) = read_players('name\n"Mira\nOake"\n', source="list")
    with pytest.raises(TourneyError, match=r"cannot contain U\+000A \(a line end\)"):
        clean_name(wanted.name)
    with pytest.raises(
        TourneyError, match=r"list:1: .* is not a name: a quotation mark is opened and not closed"
    ):
        read_players('"Mira\nOake"\nTomo\n', source="list")
    assert names('"Fox" Mira\nTomo\n') == ['"Fox" Mira', "Tomo"]


@with_rows(
    ("text", "expected_names"),
    [
        ('Vorname,Nachname,Notiz\nMira,Oake,"first\nsecond"\nTomo,Reed,\n', ["Mira Oake", "Tomo Reed"]),
        ("Spieler;Verein\nMira;Harbour\n", ["Mira"]),
        ("# Friday, October\nname,club\nMira,Harbour\n", ["Mira"]),
        ("Nom;Prénom\nOake;Mira\n", ["Mira Oake"]),
        ("Name;Vorname\nOake;Mira\n", ["Mira Oake"]),
        ("Name,Surname\nMira,Oake\n", ["Mira Oake"]),
        ("Name,First name\nMira Oake,Mira\n", ["Mira Oake"]),
        ("First_Name,LAST-NAME*\nMira,Oake\n", ["Mira Oake"]),
        ("Timestamp,Email Address,Your name:\n1/2/2026 10:00:00,m@x.org,Mira Oake\n", ["Mira Oake"]),
        ("sep=;\nname;club\nMira;Harbour, North\n", ["Mira"]),
        ("sep=|\nname|club\nMira|Harbour\n", ["Mira"]),
        ("選手,チーム\n田中,港\n", ["田中"]),
        ('"Oake, Mira"\n"Tomo ""Fox"" Reed"\n', ["Oake, Mira", 'Tomo "Fox" Reed']),
        ("[KEY] Mira\nO'Neil, Tomo\n", ["[KEY] Mira", "O'Neil, Tomo"]),
    ],
)
def test_tables_of_forms_and_other_programs_are_read(text, expected_names):
    """Other languages, a spreadsheet's first line, a surname beside a first name."""
    assert names(text) == expected_names


def test_answers_of_a_form_become_the_right_facts():
    """Addresses become contacts, never names or tags. Time stamps are ignored."""
    (mira,) = read_players(
        "Timestamp\tE-Mail\tPhone\tFull Name\tClub\n1/2/2026 10:00\tm@x.org\t0171\tMira\tHarbour", source="x"
    )
    assert (mira.name, mira.contact, mira.tags) == ("Mira", "m@x.org, 0171", {"club": "Harbour"})


@with_rows(
    ("text", "message"),
    [
        (
            'Wer,Woher,Notiz\nMira,Oake,"first\nsecond"\n',
            "list:1: it is not clear which column has the players' names: `Wer`, `Woher` and `Notiz`",
        ),
        ('Mira,"note one\nnote two"\n', "is not a name: a quotation mark is opened"),
        ('Mira,"note"\n', 'list:1: `Mira,"note"` is not a name: it has several cells'),
        (
            "Wer;Woher\nMira;Harbour",
            "list:1: it is not clear which column has the players' names: `Wer` and `Woher`",
        ),
        (
            "Wer,Wo\nMira,Harbour",
            "list:1: it is not clear which column has the players' names: `Wer` and `Wo`",
        ),
        ("Ada\nMira\tHarbour", "list:2: `Mira\tHarbour` is not a name: it has several cells"),
        ("Ada\nMira,Harbour", "list:2: `Mira,Harbour` is not a name: it has several cells"),
        ("Ada\nMira, 1800", "list:2: `Mira, 1800` is not a name: it has several cells"),
        ("Ada\nMira   Harbour", "list:2: `Mira   Harbour` is not a name: it has several cells"),
        ("Mira m@x.org", "list:1: `Mira m@x.org` is not a name: it contains an e-mail address"),
        ('[{"name": "Mira"}]', "is not a name: the file is not a list of names but has another format"),
        ('{\n  "players": ["Mira"]\n}', "list:1: `{` is not a name"),
        ("<ul>\n<li>Mira</li>", "list:1: `<ul>` is not a name"),
        ("Friday Cup\nname,club\nMira,Harbour", "list:1: this line is above the header in line 2"),
        ("Friday Cup\n\nSpieler;Verein\nMira;Harbour", "list:1: this line is above the header in line 3"),
        ("name,name\nMira,Tomo", "list:1: the columns `name` and `name` mean the same"),
        ("name,Player\nMira,Tomo", "list:1: the columns `name` and `Player` mean the same"),
        ("name,club,Club\nMira,Harbour,North", "list:1: the columns `club` and `Club` mean the same"),
        ("name,rating,elo\nMira,1,2", "list:1: the columns `rating` and `elo` mean the same"),
        ("name,,club\nMira,Oake,North", "list:2: `Oake` is in a column without a header"),
        ("name,byes\nMira,3:absent 3:half-bye", "list:2: byes: round 3 occurs twice"),
    ],
)
def test_a_line_without_a_name_is_refused(text, message):
    """Names are public, so half a name or a mail address is never taken for one."""
    with pytest.raises(TourneyError) as refusal:
        read_players(text, source="list")
    assert message in refusal.value.message
    assert refusal.value.hint


def test_names_on_the_command_line_are_names(tmp_path):
    """`player add name Ada` registers two players; no word is a header or a comment."""
    with new_desk(tmp_path) as desk:
        desk.add_players(["name", "Ada", "# Mira", "Oake;Tomo"])
        expected_names = [player.name for player in desk.state.players.values()]
        assert expected_names == ["name", "Ada", "# Mira", "Oake;Tomo"]


def test_thousands_of_columns_take_linear_time():
    """A repeated column is found without comparing all."""

    def refused(columns):
        heading = ",".join(["name", *(f"kind {number}" for number in range(columns))])
        with pytest.raises(TourneyError, match="the columns `kind 7` and `kind 7` mean the same"):
            read_players(f"{heading},kind 7\nUma\n", source="list.csv")

    refused(20_000)
    assert takes_linear_time(refused, 500)


# -- whatever a spreadsheet writes is read back


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]
NAMES = st.text(st.sampled_from("abzÄöüßéłŻ ñçø'\"-.,;\t日本のБ"), min_size=1, max_size=12).filter(
    lambda text: text == text.strip() and fold(text) and not text.startswith(("#", "'", '"'))
)
CELLS = st.text(st.sampled_from("ab ;,\t\"'\néü1"), max_size=12)
"""Without a bare carriage return, which Python's writer leaves out of quotation marks."""


def written(rows, encoding, **dialect):
    """Write a table as a spreadsheet does; UTF-16 without a mark if the byte order is named."""
    text = io.StringIO()
    csv.writer(text, **dialect).writerows(rows)
    return text.getvalue().encode(encoding)


@given(
    st.lists(
        st.tuples(NAMES, CELLS), min_size=1, max_size=5, unique_by=lambda row: fold(unescape_formula(row[0]))
    ),
    st.sampled_from(ENCODINGS),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["\r\n", "\n"]),
)
def test_a_table_in_any_dialect_and_encoding_is_read_back(people, encoding, mark, quoting, end):
    """Separators, quotation marks and line ends stay in their cells, and players in their rows."""
    rows = [["Name", "Kontakt"], *people]
    content = written(rows, encoding, delimiter=mark, quoting=quoting, lineterminator=end)
    read = read_list(content, source="list")
    assert [player.name for player in read.players] == [unescape_formula(name) for name, _ in people]
    # A cell's lines become one contact; all but the white space and the commas between them is as it was.
    bare = [re.sub(r"[\s,]", "", player.contact or "") for player in read.players]
    assert bare == [re.sub(r"[\s,]", "", unescape_formula(cell.strip())) for _, cell in people]
    assert read.encoding == {"utf-8-sig": "UTF-8", "utf-8": "UTF-8"}.get(encoding, "UTF-16")


@with_rows("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@with_rows(
    ("text", "name"),
    [
        ("名前,クラブ\n田中 花子,港\n", "田中 花子"),
        ("имя\nМира\nТомо\n", "Мира"),
        ("name;σύλλογος\r\nΜίρα;Λιμάνι\r\n", "Μίρα"),
        ("名前\t部\n\u3000花\u3000\tĀĀ\n", "花"),
    ],
)
def test_utf_16_without_a_mark_is_recognized(encoding, text, name):
    """It is recognized in any script, by its line ends and separators."""
    read = read_list(text.encode(encoding), source="list")
    assert (read.players[0].name, read.encoding) == (name, "UTF-16")


@given(
    st.lists(
        st.text(st.sampled_from("abzÄöüßéñçø€"), min_size=1, max_size=9),
        min_size=1,
        max_size=4,
        unique_by=fold,
    )
)
def test_windows_1252_is_used_if_it_is_not_utf_8(names):
    """A note says so."""
    content = "\r\n".join(["Name;Ort", *(f"{name};Köln" for name in names)]).encode("cp1252")
    read = read_list(content, source="list")
    assert [player.name for player in read.players] == names
    assert read.encoding == "Windows-1252"


@with_rows(
    ("content", "encoding", "expected_names", "called"),
    [
        ("名前,クラブ\n田中,港\n".encode("shift_jis"), "shift_jis", "田中", "SHIFT_JIS"),
        ("Imię;Nazwisko\nŁucja;Żak\n".encode("cp1250"), "windows-1250", "Łucja Żak", "Windows-1250"),
        ("Name\nJörg\n".encode("cp1252"), "latin1", "Jörg", "ISO8859-1"),
        (codecs.BOM_UTF8 + "Name\nJörg\n".encode(), "utf-8", "Jörg", "UTF-8"),
        ("\ufeffName\nJörg\n".encode("utf-16-le"), "utf-16-le", "Jörg", "UTF-16"),
    ],
)
def test_an_encoding_can_be_named(content, encoding, expected_names, called):
    """If the bytes fit several encodings, the user can name the right one."""
    read = read_list(content, source="list", encoding=encoding)
    assert ([player.name for player in read.players], read.encoding) == ([expected_names], called)


@with_rows(
    ("content", "message"),
    [
        (b"name\n\x81\x8d\n", "list:2: neither UTF-8 nor Windows-1252; save it as UTF-8"),
        (b"\xff\xfea", "list: starts like UTF-16 but is not; save it as UTF-8"),
        (b"name\nMi\x00ra", "list is not text"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "list"),
    ],
)
def test_a_file_that_is_not_text_is_refused(content, message):
    """The message names the line, if there is one."""
    with pytest.raises(TourneyError) as refusal:
        read_list(content, source="list")
    assert refusal.value.message.startswith(message)
    assert refusal.value.hint or "save it as UTF-8" in refusal.value.message


# -- columns


def test_every_heading_means_one_column():
    """Case, accents, colons and asterisks do not matter."""
    words = [
        (fold(word).replace("-", " "), column) for column, words in COLUMN_WORDS.items() for word in words
    ]
    assert [word for word, column in words if dict(words)[word] != column] == []


@with_rows(
    ("header", "row", "expected"),
    [
        ("Vor- und Nachname;Verein;Mannschaft", "Mira;A;B",
         {"name": "Mira", "tags": {"club": "A", "team": "B"}}),
        ("Prénom;Nom;Équipe;Catégorie", "Mira;Oake;A;B",
         {"name": "Mira Oake", "tags": {"team": "A", "division": "B"}}),
        ("Nombre;Apellidos;Club;Teléfono", "Mira;Oake;A;1",
         {"name": "Mira Oake", "contact": "1", "tags": {"club": "A"}}),
        ("Nome;Cognome;Squadra;Tavolo fisso", "Mira;Oake;A;3",
         {"name": "Mira Oake", "table": 3, "tags": {"team": "A"}}),
        ("Nome;Sobrenome;Clube;Celular", "Mira;Oake;A;1",
         {"name": "Mira Oake", "contact": "1", "tags": {"club": "A"}}),
        ("Imię;Nazwisko;Drużyna;Wolne losy", "Mira;Oake;A;2",
         {"name": "Mira Oake", "awarded": 2, "tags": {"team": "A"}}),
        ("Voornaam;Achternaam;Vereniging;E-mailadres", "Mira;Oake;A;x",
         {"name": "Mira Oake", "contact": "x", "tags": {"club": "A"}}),
        ("名前;ニックネーム;レーティング;電話番号", "田中;fox;1500;1",
         {"name": "田中", "rating": 1500, "contact": "1", "tags": {"nickname": "fox"}}),
        ("Name / Nom;Club (optional)", "Mira;A", {"name": "Mira", "tags": {"club": "A"}}),
        ("Handle;Club", "fox;A", {"name": "fox", "tags": {"club": "A"}}),
        ("Name;E-Mail;Mail;Phone", "Mira;a@b;c@d;1", {"name": "Mira", "contact": "a@b, c@d, 1"}),
        ("Name;Bye", "Mira;3:absent", {"name": "Mira", "byes": {3: "absent"}}),
        ("Name;School", "Mira;A", {"name": "Mira", "tags": {"school": "A"}}),
        ("Name;Deck", "Mira;Fast Foxes", {"name": "Mira", "tags": {"deck": "Fast Foxes"}}),
    ],
)  # fmt: skip
def test_columns_are_recognized_in_several_languages(header, row, expected):
    """An unknown column is a tag."""
    (player,) = read_list(f"{header}\n{row}\n", source="list").players
    assert {key: getattr(player, key) for key in expected} == expected


def test_an_event_keeps_its_kinds_of_tags():
    """A setting for `verein` still works."""
    (mira,) = read_list("Name;Verein\nMira;A\n", source="list", kinds={"verein"}).players
    assert mira.tags == {"verein": "A"}


def test_a_column_can_be_named():
    """Unknown columns are reported. A named column overrides its heading."""
    text = "Wer;Woher;Notiz\nMira;A;x\n"
    with pytest.raises(UnclearError) as unclear:
        read_list(text, source="list")
    assert unclear.value.answers["Wer"] == {"Wer": "name"}
    assert '--column "Wer=name"' in unclear.value.hint
    read = read_list(text, source="list", columns={"wer:": "name", "Woher": "tag town", "Notiz": "skip"})
    assert (read.players[0].name, read.players[0].tags) == ("Mira", {"town": "A"})
    read = read_list(text, source="list", columns=unclear.value.answers["Wer"])
    assert [column.header for column in read.columns if not column.known] == ["Woher", "Notiz"]


def test_two_columns_for_the_name_are_asked_about():
    """Each answer selects one. Equal headings cannot be distinguished."""
    text = "Player;Full name\nfox;Mira Oake\n"
    with pytest.raises(UnclearError) as unclear:
        read_list(text, source="list")
    names = {
        label: read_list(text, source="list", columns=answer).players[0].name
        for label, answer in unclear.value.answers.items()
    }
    assert names == {"Player": "fox", "Full name": "Mira Oake"}
    with pytest.raises(TourneyError) as twice:
        read_list("name;Name\nfox;Mira\n", source="list")
    assert not isinstance(twice.value, UnclearError)


def test_titles_of_a_spreadsheet_are_skipped_with_a_note():
    """One filled cell of several. A line with only one cell may be a player."""
    read = read_list("Vereinsabend;;\n;Herbst;\nName;Verein;Elo\nMira;A;1500\n", source="list")
    assert [player.name for player in read.players] == ["Mira"]
    assert read.notes == (
        "skipped, above the header: `Vereinsabend`",
        "skipped, above the header: `Herbst`",
    )


# -- registered


def test_decks_of_a_list_are_one_entry_with_their_players(tmp_path):
    """Legal ones are registered. Undo removes players and decks; erasing deletes texts."""
    files = {"mira.txt": b"Amber Fox\n"}
    text = (
        'name,deck\nMira,mira.txt\nTomo,"Amber Fox\nBitter Heron"\nAnsel,"2 Amber Fox\nBitter Heron"\n'
        "Bryn,lost.txt\n"
    )
    with new_desk(tmp_path) as desk:
        receipt = import_players(desk, text, source="list", read_file=files.get)
        assert receipt.entries == (2,)
        assert [(deck.player, deck.verdict, deck.registered) for deck in receipt.decks] == [
            ("Mira", "legal", True), ("Tomo", "legal", True), ("Ansel", "illegal", False),
            ("Bryn", "", False),
        ]  # fmt: skip
        assert [desk.deck_text(name) for name in ("Mira", "Tomo")] == [
            "Amber Fox\n",
            "Amber Fox\nBitter Heron",
        ]
        assert desk.state.players[3].deck is None
        assert not check(desk)
        erase(desk, "Tomo")
        with pytest.raises(TourneyError, match="deleted by request"):
            desk.deck_text("#2")
        assert not check(desk)
        again = import_players(
            desk, "name,deck\nMira,mira.txt\nAnsel,mira.txt\n", source="list", read_file=files.get
        )
        assert [deck.player for deck in again.decks] == ["Ansel"]
        assert desk.state.players[3].deck.verdict == "legal"
        desk.undo()
    (tmp_path / "b").mkdir()
    with new_desk(tmp_path / "b") as desk:
        import_players(desk, text, source="list", read_file=files.get)
        desk.undo()
        assert not desk.state.players


def test_a_broken_format_registers_no_player(tmp_path):
    """The rules are at fault, not the list."""
    from tourney.errors import RulesError

    with new_desk(tmp_path) as desk:
        desk.rules.__dict__.clear()
        desk._rules = None
        desk.journal.text = lambda ref: "not a format"
        with pytest.raises(RulesError):
            import_players(desk, 'name,deck\nMira,"Amber Fox\nBitter Heron"\n', source="list")
        assert not desk.refresh().players


def test_locked_decks_are_not_imported(tmp_path):
    """Late players are registered, and their decks need the organizer."""
    with new_desk(tmp_path, "Ada", "Ben", deck_lock="round-1") as desk:
        desk.pair_round(manner=Manner(careful=False))
        receipt = import_players(desk, 'name,deck\nMira,"Amber Fox\nBitter Heron"\n', source="list")
        assert [(deck.registered, deck.reason) for deck in receipt.decks] == [
            (False, "decks have been locked since round 1 was paired")
        ]
        assert desk.state.players[3].deck is None


def test_a_lock_during_the_check_of_decks_applies(tmp_path, monkeypatch):
    """Another desk pairs round 1 meanwhile."""
    check = registration.judge_deck

    def paired_meanwhile(*args, **how):
        with open_desk(tmp_path) as other:
            other.pair_round(manner=Manner(careful=False))
        return check(*args, **how)

    with new_desk(tmp_path, "Ada", "Ben", deck_lock="round-1") as desk:
        monkeypatch.setattr(registration, "judge_deck", paired_meanwhile)
        receipt = import_players(desk, 'name,deck\nMira,"Amber Fox\nBitter Heron"\n', source="list")
        assert [deck.reason for deck in receipt.decks] == ["decks have been locked since round 1 was paired"]
        assert receipt.state.players[3].deck is None


def test_families_are_kept_apart_in_every_round(tmp_path):
    """The setting is made with the first family, unless the organizer made it."""
    with new_desk(tmp_path) as desk:
        import_players(desk, "Name;Familie\nMira;Oake\nTomo;Oake\nAnsel;\nBryn;\n", source="list")
        assert desk.state.settings.pairing.keep_apart == {"family": 0}
        assert desk.add_player("Cid", tags={"family": "Oake"}).entries == (4,)
        for _ in range(2):
            met = {frozenset(table.seats) for table in desk.pair_round().state.round.tables.values()}
            assert frozenset({1, 2}) not in met
            for table in desk.state.round.tables:
                desk.report(table, "w")
    (tmp_path / "b").mkdir()
    with new_desk(tmp_path / "b", keep_apart={"family": 1}) as desk:
        import_players(desk, "Name;Familie\nMira;Oake\n", source="list")
        assert desk.state.settings.pairing.keep_apart == {"family": 1}


@pytest.mark.parametrize(
    ("in_pool", "new"),
    [
        ("Petra Gruen", "Petra Grün"), ("Petra Grün", "Grün, Petra"), ("Mira Oake", "Mira Oak"),
        ("Mira Oake", "Mria Oake"), ("Jörg Bär", "Joerg Baer"), ("Weiß, Änne", "Aenne Weiss"),
        ("Tomo Reed", "TomoReed"), ("Tomo Reed", "Tomo Read"),
    ],
)  # fmt: skip
def test_similar_names_are_reported_and_not_merged(tmp_path, in_pool, new):
    """In imports and `player add`, of registered players or in the same list."""
    with new_desk(tmp_path, in_pool, "Somebody Else") as desk:
        receipt = desk.add_player(new)
        assert f"{in_pool} (#1) and {new} (#3)" in " ".join(receipt.warnings)
        assert len(desk.state.players) == 3
        desk.undo()
        receipt = import_players(desk, f"Uma Vale\n{new}\n", source="list")
        assert f"{in_pool} (#1) and {new} (#5)" in " ".join(receipt.warnings)
    (tmp_path / "b").mkdir()
    with new_desk(tmp_path / "b") as desk:
        assert "similar names" in " ".join(
            import_players(desk, f"{in_pool}\n{new}\n", source="list").warnings
        )


@pytest.mark.parametrize(
    ("in_pool", "new"),
    [("Player 11", "Player 12"), ("Ada", "Ida"), ("Mira Oake", "Tomo Oake"), ("Mira Oake", "Mira Oakwood"),
     ("Ann Lee", "Ben Lee")],
)  # fmt: skip
def test_names_of_different_people_are_not_reported(tmp_path, in_pool, new):
    """They differ in a number, a short name or a first name."""
    with new_desk(tmp_path, in_pool) as desk:
        assert desk.add_player(new).warnings == ()


def test_many_similar_names_are_summarized(tmp_path):
    """The warning lists a few pairs of a hundred names, and counts the others."""
    with new_desk(tmp_path) as desk:
        names = [f"{first}{last} Somebody" for first in "abcdefghij" for last in "abcdefghij"]
        (warning,) = import_players(desk, "\n".join(names), source="list").warnings
        assert "more pairs" in warning
        assert len(warning) < 600


def test_importing_many_players_takes_linear_time(tmp_path):
    """They are read, compared with each other, and written."""
    folders = map(str, count())

    def imported(number_of_players):
        players = range(number_of_players)
        rows = "".join(f"Player {number} of many,{1_000 + number},Club {number % 30}\n" for number in players)
        folder = tmp_path / next(folders)
        folder.mkdir()
        with new_desk(folder) as desk:
            import_players(desk, f"name,rating,club\n{rows}", source="list")
            assert len(desk.state.players) == number_of_players

    imported(1_000)
    assert takes_linear_time(imported, 100)


def test_no_page_has_a_contact(tmp_path):
    """Only the desk sees it."""
    from tourney.desk import event_view
    from tourney.publish import render

    with new_desk(tmp_path) as desk:
        import_players(desk, "name;E-Mail;club\nMira;mira@example.org;A\nTomo;;B\n", source="list")
        desk.pair_round()
        files = render(event_view(desk))
        assert any(b"Mira" in content for content in files.values())
        assert not any(b"example.org" in content for content in files.values())
