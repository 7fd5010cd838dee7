"""Paper: everybody is on it once, in order, with what the game asks for, and no name does harm or is cut off."""

import html
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from itertools import cycle, product

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.desk.kit import new_desk, play
from tests.desk.test_open_lists import desk_with_lists
from tests.kit import ROOT, sampled, with_rows
from tests.publish.sample import event
from tests.publish.test_publish import Links
from tourney.cli.print import SHEETS
from tourney.desk import erase, event_view, print_sheets, submit_deck
from tourney.desk.staff_sheets import staff_view
from tourney.errors import TourneyError
from tourney.event.rounds import Manner
from tourney.publish import render
from tourney.publish.sheets import KINDS, PAPERS, StaffView, as_pdf, sheet, slots

ADDRESS = "https://shop.example/friday"
HOSTILE = (
    "<script>alert(1)</script>",
    '"</style><img src=x onerror=alert(1)>',
    "{{ 7*7 }} {% raw %}",
    "\\22 } body { display: none",
    "Maximiliane-Alexandra Wolfeschlegelstein",
    "陳 小明",
    "さくら はなこ",
    "김민수",
    "مها النور",
    "יעל כהן",
    "Åsa Östergård",
    "Shane O'Neill & Söhne",
)


LED = "General\n1 Old Bear\n\nArsenal\n60 Forest\n"


def text(page):
    return re.sub(r"\s+", " ", re.sub(r"(?s)<style>.*?</style>|<[^>]*>", " ", page.decode()))


@pytest.fixture
def desk(tmp_path):
    with new_desk(tmp_path, *["Mira", "Tomo", "Zora", "Ann", "Bo"], address=ADDRESS) as desk:
        yield desk


def page_of(desk, kind, **how):
    return sheet(kind, event_view(desk, why=False), **how)


@given(st.integers(0, 400), st.sampled_from([1, 2, 4, 8]))
def test_slips_that_are_cut_in_a_stack_lie_in_order(number, to_a_page):
    """Each place of the sheets is a pile; the piles on each other are all slips, each once, in order."""
    pages = list(slots(number, to_a_page))
    assert len(pages) == -(-number // to_a_page)
    piles = [[page[place] for page in pages] for place in range(to_a_page)]
    assert [slip for pile in piles for slip in pile if slip is not None] == list(range(number))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_has_everything_in_it_and_its_size(kind, paper, desk):
    """No style sheet, font or picture from elsewhere, no script; the same view gives the same bytes."""
    play(desk)
    desk.pair_round()
    desk.draw_audit(1)
    staff = staff_view(desk, kind, 2, named=False)
    page = page_of(desk, kind, paper=paper, staff=staff)
    assert page == page_of(desk, kind, paper=paper, staff=staff)
    links = Links(page.decode())
    assert all(target.startswith("data:image/png;base64,") for target in links.targets)
    assert "script" not in links.tags
    width, height = PAPERS[paper]
    assert f"@page {{ size: {width}mm {height}mm;" in page.decode()


def test_every_page_says_which_sheet_of_which_event_it_is(tmp_path):
    """A page from the middle of a stack, on a wall with those of another round."""
    with new_desk(tmp_path) as desk:
        desk.add_players(HOSTILE)
        desk.pair_round()
        page = sheet("pairings", replace(event_view(desk, why=False), name="Früh & <Spät>")).decode()
    head = re.search(r"@top-left { content: \"([^\"]*)\"", page)[1]
    said = re.sub(r"\\([0-9a-f]{6})", lambda each: chr(int(each[1], 16)), head)
    assert said == "Round 1: pairings by name · Früh & <Spät>"


PUBLIC = [kind for kind, made in KINDS.items() if not made.staff]
NAMES_NOBODY = {"decklists"}
"""Sheets on which no player of the event stands; any other has all of them."""


@pytest.mark.parametrize("kind", PUBLIC)
def test_no_name_is_markup_style_or_lost(kind, tmp_path):
    """Names from anywhere, and the name of the event, which stands in the style sheet of the page's margin, too."""
    name = '</style><script>alert("x")</script> } \\ \n @import "x"'
    with new_desk(tmp_path) as desk:
        desk.add_players(HOSTILE)
        desk.pair_round()
        page = sheet(kind, replace(event_view(desk, why=False), name=name))
        names = [player.name for player in desk.state.players.values()]
    links = Links(page.decode())
    assert not {"script", "img"} & {*links.tags}
    style = page.decode().split("<style>")[1].split("</style>")[0]
    assert "@import" not in style
    assert links.tags.count("style") == 1
    said = html.unescape(text(page))
    missing = {each for each in names for word in each.split() if word.rstrip(",") not in said}
    assert missing == ({*names} if kind in NAMES_NOBODY else set())


def test_pairings_go_by_the_last_name(tmp_path):
    """With the table and whom they meet; who has no table stands among them."""
    with new_desk(tmp_path, "Zoe Adler", "Adam Zorn", "Vincent van der Berg") as desk:
        desk.pair_round()
        said = text(page_of(desk, "pairings"))
    places = [said.index(name) for name in ("Adler , Zoe", "van der Berg , Vincent", "Zorn , Adam")]
    assert places[0] < places[2]
    assert "bye" in said


def test_slips_ask_for_what_the_game_counts(desk):
    """One game: a tick; several: how many were won; the score by its name; an intentional draw only where there can be one."""
    desk.pair_round()
    said = text(page_of(desk, "slips"))
    assert said.count("Victory points") == said.count("Won") == said.count("Intentional draw") == 2
    desk.change(draws=False, best_of=3)
    said = text(page_of(desk, "slips"))
    assert "Intentional draw" not in said
    assert said.count("Games won") == 2


def test_slips_have_the_code_of_the_tables_page_where_the_event_knows_it(desk):
    """And none without an address."""
    desk.pair_round()
    page = page_of(desk, "slips").decode()
    masks = {
        mask
        for table in (1, 2)
        for mask in range(8)
        if segno.make(
            f"{ADDRESS}/round-1.html#t{table}", micro=False, error="m", boost_error=False, mask=mask
        ).png_data_uri(border=2)
        in page
    }
    assert len(masks) == 1, "the code of each table, all with one mask"
    desk.change(address="")
    assert "<img" not in page_of(desk, "slips").decode()
    assert "<img" not in page_of(desk, "badges").decode()


def test_slips_of_a_room_open_its_page_of_the_table(desk):
    """Where no published page is behind the code; one that is published can be read from anywhere."""
    desk.pair_round()

    def codes(room):
        return [
            segno.make(f"{room}/table/{table}", micro=False, error="m", boost_error=False, mask=mask)
            for table in (1, 2)
            for mask in range(8)
        ]

    room = "http://192.0.2.7:8017"
    drawn = [each.png_data_uri(border=2) for each in codes(room)]
    desk.change(address="")
    page = sheet("slips", event_view(desk), room=room).decode()
    assert sum(each in page for each in drawn) == 2
    desk.change(address=ADDRESS)
    page = sheet("slips", event_view(desk), room=room).decode()
    assert not any(each in page for each in drawn)


def test_slips_of_200_players_are_no_larger_than_a_page(tmp_path):
    """With a code on each of a hundred tables."""
    with new_desk(
        tmp_path, *(f"Maximiliane Featherstone {n:03}" for n in range(200)), address=ADDRESS
    ) as desk:
        desk.pair_round()
        assert len(page_of(desk, "slips")) < 100_000


def test_larger_tables_have_larger_slips(tmp_path):
    """Eight to a page up to four seats, four up to ten."""
    for seats, to_a_page in ((4, 8), (6, 4)):
        folder = tmp_path / str(seats)
        folder.mkdir()
        with new_desk(folder, *(f"P{n}" for n in range(12 * seats)), system="pods", seats=(seats,)) as desk:
            desk.pair_round()
            page = page_of(desk, "slips").decode()
        assert page.count('<section class="sheet">') == 12 // to_a_page + (12 % to_a_page > 0)
        assert page.count("<article") == 12


def test_seats_before_a_round_are_by_last_name(desk):
    """Everybody who plays, two to a table, before anything is paired."""
    desk.drop("Bo")
    said = text(page_of(desk, "seatings"))
    assert [said.index(name) for name in ("Ann", "Mira", "Tomo", "Zora")] == sorted(
        said.index(name) for name in ("Ann", "Mira", "Tomo", "Zora")
    )
    assert "Bo" not in said
    assert said.count("seat 1") == said.count("seat 2") == 2


def test_an_empty_round_says_whom_everybody_met_and_who_had_the_bye(desk):
    """With how to pair by hand, and a line for each table."""
    play(desk)
    [free] = desk.state.rounds[0].byes
    page = page_of(desk, "empty")
    said = text(page)
    assert "Round 2 by hand" in said
    assert said.count("×") == 2, "one in how it is done, one in a line"
    for table in desk.state.rounds[0].tables.values():
        for player, other in (table.seats, table.seats[::-1]):
            assert re.search(rf"#{player} {desk.state.players[player].name} \S+ {other}\b", said)
    assert re.search(rf"#{free} \w+ \S+ ×", said)
    assert "`" not in said, "what is to be typed is set as code"
    assert b"<code>Name - Name</code>" in page


def test_an_empty_round_of_a_bracket_has_those_in_it(tmp_path):
    """Nobody is drawn by hand there: the winners meet."""
    with new_desk(tmp_path, *"ABCDEFGH", rounds=1) as desk:
        play(desk)
        desk.cut(4)
        page = page_of(desk, "empty").decode()
    assert "winners of the matches meet" in page
    assert page.count('<td class="n">#') == 4


def test_an_empty_round_of_a_round_robin_is_its_schedule(tmp_path):
    """The very tables that the program would make, in every round to come; who has left is in none."""
    with new_desk(tmp_path, *(f"Player {letter}" for letter in "ABCDEFG"), system="round-robin") as desk:
        said = text(page_of(desk, "empty", staff=staff_view(desk, "empty", None, named=False)))
        assert "leave the first strip of the upper row" in said, "nothing is drawn yet"
        play(desk)
        play(desk)
        desk.drop("Player C")
        page = page_of(desk, "empty", staff=staff_view(desk, "empty", None, named=False))
        said = text(page)
        assert "Write a strip" not in said
        rounds = re.split(r"(?= Round \d Table)", said)[1:]
        assert len(rounds) == 5
        for told in rounds:
            play(desk)
            names = {player: desk.state.players[player].name for player in desk.state.players}
            seated = [[names[each] for each in table.seats] for table in desk.state.round.tables.values()]
            assert re.findall(r"(Player \w) – (Player \w)", told) == [tuple(each) for each in seated]
            assert f"Round {desk.state.round.number} " in told
            without = {names[each] for each in desk.state.round.byes if each != 3}
            assert all(re.search(rf"– .*{name}.* no table", told) for name in without)


def test_an_empty_round_before_a_bracket_says_how_it_is_seeded(tmp_path):
    """Of an event that is nothing but a bracket, before its first round."""
    with new_desk(tmp_path, *"ABCDEF", system="elimination") as desk:
        said = text(page_of(desk, "empty", staff=staff_view(desk, "empty", None, named=False)))
        assert "the first plays the last" in said
        desk.pair_round()
        said = text(page_of(desk, "empty", staff=staff_view(desk, "empty", None, named=False)))
        assert "winners of the matches meet" in said


@with_rows("rounds", [0, 1, 3])
def test_sheets_of_any_view_are_made(rounds):
    """Also before round 1, when those about a round are refused, and for nobody."""
    for kind in PUBLIC:
        if KINDS[kind].rounds and not rounds:
            with pytest.raises(TourneyError, match="no round is paired"):
                sheet(kind, event(rounds))
        else:
            assert sheet(kind, event(rounds))
    with pytest.raises(TourneyError, match="no sheet `poster`"):
        sheet("poster", event())


# -- the folder


def test_a_held_round_is_printed_only_where_it_is_asked_for(desk, tmp_path):
    """It is laid out before anybody may see it, with everybody called as pages call them."""
    desk.change(public_names="short")
    desk.rename("Zora", "Zora Quick")
    desk.pair_round(manner=Manner(held=True))
    with pytest.raises(TourneyError, match="no round is paired, or the round is held back"):
        print_sheets(desk, tmp_path / "out", ["slips"])
    assert not (tmp_path / "out").exists()
    made = print_sheets(desk, tmp_path / "out", ["slips"], held=True)
    assert made.files == ("slips-round-1.html",)
    page = (tmp_path / "out" / "slips-round-1.html").read_text()
    assert "Quick" not in page


def test_only_staff_sees_a_list(tmp_path):
    """The sheet of a deck check has the list of who was drawn; nothing that is published has a card of it."""
    with new_desk(tmp_path, "Mira", "Tomo") as desk:
        for name in ("Mira", "Tomo"):
            submit_deck(desk, name, "Amber Fox\nBitter Heron\n", source=name)
        desk.pair_round()
        with pytest.raises(TourneyError, match="no deck was drawn") as refusal:
            print_sheets(desk, tmp_path / "out", ["deck-checks"])
        assert refusal.value.hint == "`tourney audit draw`"
        desk.draw_audit(1)
        print_sheets(desk, tmp_path / "out", ["deck-checks"])
        page = (tmp_path / "out" / "deck-checks-round-1.html").read_bytes()
        assert text(page).count("Amber Fox") == text(page).count("Bitter Heron") == 2
        assert not [path for path, made in render(event_view(desk)).items() if b"Heron" in made]
        desk.record_audit("Mira", clean=True)
        print_sheets(desk, tmp_path / "out", ["deck-checks"])
        assert "Mira" not in text((tmp_path / "out" / "deck-checks-round-1.html").read_bytes())


def test_forms_are_for_those_whose_list_is_missing(tmp_path):
    """One without a name, or one each."""
    with new_desk(tmp_path, "Mira", "Tomo", "Zora") as desk:
        submit_deck(desk, "Mira", "Amber Fox\n", source="mira")
        desk.waive_deck("Zora")
        print_sheets(desk, tmp_path / "out", ["decklists"])
        assert (tmp_path / "out" / "decklists.html").read_text().count('<section class="form">') == 1
        print_sheets(desk, tmp_path / "out", ["decklists"], named=True)
        said = text((tmp_path / "out" / "decklists.html").read_bytes())
        assert ("Tomo" in said, "Mira" in said, "Zora" in said) == (True, False, False)
        desk.waive_deck("Tomo")
        with pytest.raises(TourneyError, match="no decklist is missing"):
            print_sheets(desk, tmp_path / "out", ["decklists"], named=True)


def test_who_was_erased_is_gone_from_what_was_printed_before(desk, tmp_path):
    """Other rounds and kinds in the folder are made anew; what lies there besides stays."""
    play(desk)
    out = tmp_path / "out"
    print_sheets(desk, out, ["pairings", "standings"])
    (out / "note.txt").write_text("Mira")
    assert b"Mira" in (out / "pairings-round-1.html").read_bytes()
    desk.pair_round()
    erase(desk, "Mira")
    assert print_sheets(desk, out, ["slips"]).files == ("slips-round-2.html",)
    for path in out.glob("*.html"):
        assert b"Mira" not in path.read_bytes(), path
    assert sorted(path.name for path in out.glob("*.html")) == [
        "pairings-round-1.html",
        "slips-round-2.html",
        "standings.html",
    ]
    assert (out / "note.txt").read_text() == "Mira"


# -- PDF


def test_pdf_without_its_library_says_what_helps(monkeypatch):
    """Nothing is installed that is not wanted."""
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(TourneyError, match="PDF needs WeasyPrint") as refusal:
        as_pdf(b"<p>")
    assert "tourney[pdf]" in refusal.value.hint


@pytest.fixture
def poppler():
    pytest.importorskip(
        "weasyprint", reason="no WeasyPrint (or no Pango) here: PDF was not tried", exc_type=ImportError
    )
    for tool in ("pdffonts", "pdftotext", "pdfinfo"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool} on this machine (poppler-utils): the PDF was not judged")
    if shutil.which("fc-list") and not told("fc-list", ":lang=zh"):
        pytest.skip("no Chinese font on this machine (fonts-noto-cjk): the PDF was not judged")


def told(tool, path, *options):
    return subprocess.run([tool, *options, str(path), *(["-"] if tool == "pdftotext" else [])], capture_output=True, text=True, check=True).stdout  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "paper"),
    [
        ("pairings", "a4"),
        ("slips", "a4"),
        ("slips", "letter"),
        ("badges", "letter"),
        ("empty", "a4"),
        ("standings", "letter"),
    ],
)
def test_a_pdf_has_its_fonts_its_size_and_every_name(kind, paper, tmp_path, poppler):
    """Judged by pdffonts, pdfinfo and pdftotext: names of 40 letters, of Chinese, Arabic and Hebrew letters are text in it."""
    names = [*HOSTILE[4:], *(f"Player {n:02}" for n in range(30))]
    with new_desk(tmp_path, *names) as desk:
        desk.pair_round()
        shown = {player.name for player in desk.state.players.values()}
        (tmp_path / "sheet.pdf").write_bytes(as_pdf(page_of(desk, kind, paper=paper)))
    fonts = told("pdffonts", tmp_path / "sheet.pdf").splitlines()[2:]
    assert fonts
    assert all(line.split()[-5] == "yes" for line in fonts), "embedded"
    width, height = (side * 72 / 25.4 for side in PAPERS[paper])
    [size] = re.findall(r"Page size: +([\d.]+) x ([\d.]+)", told("pdfinfo", tmp_path / "sheet.pdf"))
    assert [float(each) for each in size] == pytest.approx([width, height], abs=0.5)
    said = told("pdftotext", tmp_path / "sheet.pdf", "-raw")
    assert "\ufffd" not in said
    for name in shown:
        for word in re.findall(r"[A-Za-zÅÖåö\d]+|[\u3000-\u9fff\uac00-\ud7af]+", name):
            assert word in said or word[:10] in said, (name, word)
    assert re.search("[\u0590-\u05ff]", said), "Hebrew"
    assert re.search("[\u0600-\u06ff\ufb50-\ufeff]", said), "Arabic"


def test_slips_are_as_many_pages_as_they_need(tmp_path, poppler):
    """No page more because something does not fit: 18 tables are three pages of both sizes."""
    with new_desk(
        tmp_path, *(f"Maximiliane-Alexandra Wolfeschlegelst{n:03}" for n in range(36)), address=ADDRESS
    ) as desk:
        desk.pair_round()
        for paper in PAPERS:
            (tmp_path / "slips.pdf").write_bytes(as_pdf(page_of(desk, "slips", paper=paper)))
            assert "Pages:           3\n" in told("pdfinfo", tmp_path / "slips.pdf")
            said = told("pdftotext", tmp_path / "slips.pdf", "-raw").replace("\n", "")
            assert said.count("Intentional draw") == 18
            assert all(f"Wolfeschlegelst{n:03}" in said for n in range(36))


def is_row(element):
    """Whether it is to stand whole in one column of one page; the head of a table stands on each."""
    if element.tag == "tr":
        return all(cell.tag == "td" for cell in element)
    return element.get("class") in {"who", "who tight", "zone"} or (
        element.tag == "div" and not element.get("class")
    )


def laid_out(page):
    """How often each row stands somewhere, and each text with the pieces of it that stand on a line of their own."""
    from weasyprint import HTML

    rows, lines = defaultdict(set), defaultdict(list)
    for number, leaf in enumerate(HTML(string=page.decode()).render().pages):
        for box in leaf._page_box.descendants():
            if box.element is None or isinstance(box.element, str):
                continue
            kind = type(box).__name__
            if kind == "TextBox":
                lines[box.element].append(box.text)
            elif kind in {"BlockBox", "FlexBox", "GridBox", "TableRowBox"} and is_row(box.element):
                rows[box.element].add((number, box.position_x, box.position_y))
    return rows, lines


LAID_OUT = (
    *(("seatings", number) for number in (1, 9, 15, 16, 40)),
    *(("pairings", number) for number in (9, 15, 41)),
    ("tables", 60),
    ("standings", 60),
    ("empty", 60),
    ("deck-checks", 8),
    ("decklists", 2),
)
"""Sheets, each with a number of players."""


@pytest.mark.parametrize(
    "sheet_of_players", sampled(product(LAID_OUT, PAPERS), zip(LAID_OUT, cycle(PAPERS))), ids=str
)
def test_no_row_is_torn_and_no_short_word_is_broken(sheet_of_players, tmp_path, poppler):
    """Neither over two columns nor over two pages; a word that fits into its column is on one line."""
    (kind, number), paper = sheet_of_players
    names = [f"Player{place:02} Featherstone-Haugh" for place in range(number)]
    if kind == "decklists":
        desk = new_desk(tmp_path, *names, format_name="redline/standard")
    else:
        desk = new_desk(tmp_path, *names)
    with desk:
        if kind == "deck-checks":
            for place, name in enumerate(names):
                cards = [f"4 Card {card}\n" for card in range(13 + place)]
                cards[-3] = "2 Blade of the Long and Winding Name that Takes Two Lines\n"
                submit_deck(desk, name, "".join(cards), source=name, anyway=True)
        if number > 1:
            desk.pair_round()
        if kind == "deck-checks":
            desk.draw_audit(4)
        about = desk.state.round.number if desk.state.round else None
        staff = staff_view(desk, kind, about, named=False)
        rows, lines = laid_out(page_of(desk, kind, paper=paper, staff=staff))
        assert rows
        torn = ["".join(row.itertext()).strip() for row, at in rows.items() if len(at) > 1]
        assert torn == []
        broken = [
            (word, parts)
            for element, parts in lines.items()
            for word in " ".join(filter(None, [element.text, *(each.tail for each in element)])).split()
            if len(word) <= 12 and not any(word in part for part in parts)
        ]
        assert broken == []


def test_parts_of_a_list_are_called_alike_wherever_they_stand(tmp_path):
    """In the order of the page of the list, who leads the deck first, with a capital letter."""
    with desk_with_lists(tmp_path, "Mira", "Tomo", decklists="all") as desk:
        submit_deck(desk, "Mira", LED, source="list", anyway=True)
        desk.pair_round()
        desk.draw_audit(1)
        deck = render(event_view(desk))["deck/1.html"].decode()
        made = {
            kind: page_of(desk, kind, staff=staff_view(desk, kind, 1, named=False)).decode()
            for kind in ("deck-checks", "decklists")
        }
    heads = {
        name: re.findall(r"<h2>([^<]+?) <small>", page) for name, page in (*made.items(), ("deck", deck))
    }
    assert heads["deck"][:2] == heads["deck-checks"][:2] == heads["decklists"][:2] == ["General", "Arsenal"]


@pytest.mark.parametrize("kind", ["pairings", "seatings", "badges"])
def test_shortened_namesakes_stand_under_their_letter(kind, tmp_path):
    """The number that tells them apart is not taken for a last name."""
    names = ["Anna Schmidt", "Tomo Reed", "Anna Sommer", "Zora Quick"]
    with new_desk(tmp_path, *names, public_names="short") as desk:
        desk.pair_round()
        page = page_of(desk, kind).decode()
    lasts = re.findall(r"<b>(?:<bdi>)?([^<#]+)(?:</bdi>)?</b>", page)
    assert lasts == ["Q.", "R.", "S.", "S."]
    assert "Anna #1" in page
    assert "Anna #3" in page


@with_rows("kind", sorted({*KINDS} - {*PUBLIC}))
def test_staff_is_told_apart(kind):
    """The view of an event has nothing that only staff sees: a sheet for staff is refused without more."""
    with pytest.raises(TourneyError) as refusal:
        sheet(kind, event(), staff=StaffView())
    assert refusal.value.hint


def test_the_command_and_the_guide_name_every_sheet():
    """The help of `tourney print` is a table of its own, as help is read without loading what makes the sheets."""
    assert {*SHEETS} == {*KINDS}
    guide = (ROOT / "tourney/guides/publishing.md").read_text(encoding="utf-8")
    assert not [
        kind for kind in KINDS if not re.search(rf"`(tourney print )?([a-z-]+ )*{kind}( [a-z-]+)*`", guide)
    ]
