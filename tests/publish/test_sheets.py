"""Sheets of paper: everybody once, in order, with what the game needs, and names escaped."""

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
from tests.kit import ROOT, amount, sampled, with_rows
from tests.publish.sample import event
from tests.publish.test_publish import Links
from tourney.cli.print import SHEETS
from tourney.desk import erase, event_view, print_sheets, submit_deck
from tourney.desk.printing import staff_view
from tourney.errors import TourneyError
from tourney.event.rounds import Manner
from tourney.publish import render
from tourney.publish.sheets import KINDS, PAPERS, StaffView, as_pdf, sheet, stack_pages

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
    return sheet(kind, event_view(desk, with_reasons=False), **how)


@given(st.integers(0, 400), st.sampled_from([1, 2, 4, 8]))
def test_slips_cut_in_a_stack_lie_in_order(number, to_a_page):
    """Each place on the sheets makes a pile; the piles together are all slips in order."""
    pages = list(stack_pages(range(number), to_a_page))
    assert len(pages) == -(-number // to_a_page)
    piles = [[page[place] for page in pages] for place in range(to_a_page)]
    assert [slip for pile in piles for slip in pile if slip is not None] == list(range(number))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_is_self_contained_and_states_its_size(kind, paper, desk):
    """No external style, font or picture, and no script; the same view gives the same bytes."""
    play(desk)
    desk.pair_round()
    desk.draw_audit(1)
    staff = staff_view(desk, kind, 2, with_names=False)
    page = page_of(desk, kind, paper=paper, staff=staff)
    assert page == page_of(desk, kind, paper=paper, staff=staff)
    links = Links(page.decode())
    assert all(target.startswith("data:image/png;base64,") for target in links.targets)
    assert "script" not in links.tags
    width, height = PAPERS[paper]
    assert f"@page {{ size: {width}mm {height}mm;" in page.decode()


def test_every_page_names_its_sheet_and_its_event(tmp_path):
    """A page may be taken from a stack, or hang on a wall among those of another round."""
    with new_desk(tmp_path) as desk:
        desk.add_players(HOSTILE)
        desk.pair_round()
        page = sheet("pairings", replace(event_view(desk, with_reasons=False), name="Früh & <Spät>")).decode()
    head = re.search(r"@top-left { content: \"([^\"]*)\"", page)[1]
    text = re.sub(r"\\([0-9a-f]{6})", lambda each: chr(int(each[1], 16)), head)
    assert text == "Round 1: pairings by name · Früh & <Spät>"


PUBLIC = [kind for kind, made in KINDS.items() if not made.staff]
NAMES_NOBODY = {"decklists"}
"""Sheets on which no player of the event stands; any other has all of them."""


@pytest.mark.parametrize("kind", PUBLIC)
def test_names_are_escaped_and_none_is_missing(kind, tmp_path):
    """The event's name, too, which also stands in the style of the page's margin."""
    name = '</style><script>alert("x")</script> } \\ \n @import "x"'
    with new_desk(tmp_path) as desk:
        desk.add_players(HOSTILE)
        desk.pair_round()
        page = sheet(kind, replace(event_view(desk, with_reasons=False), name=name))
        names = [player.name for player in desk.state.players.values()]
    links = Links(page.decode())
    assert not {"script", "img"} & {*links.tags}
    style = page.decode().split("<style>")[1].split("</style>")[0]
    assert "@import" not in style
    assert links.tags.count("style") == 1
    content = html.unescape(text(page))
    missing = {name for name in names for word in name.split() if word.rstrip(",") not in content}
    assert missing == ({*names} if kind in NAMES_NOBODY else set())


def test_pairings_are_ordered_by_last_name(tmp_path):
    """Each has table and opponent; players without a table stand among them."""
    with new_desk(tmp_path, "Zoe Adler", "Adam Zorn", "Vincent van der Berg") as desk:
        desk.pair_round()
        content = text(page_of(desk, "pairings"))
    places = [content.index(name) for name in ("Adler , Zoe", "van der Berg , Vincent", "Zorn , Adam")]
    assert places[0] < places[2]
    assert "bye" in content


def test_slips_have_boxes_for_what_the_game_counts(desk):
    """A tick for one game, a number for several, the score by its name, a draw where allowed."""
    desk.pair_round()
    content = text(page_of(desk, "slips"))
    assert content.count("Victory points") == content.count("Won") == content.count("Intentional draw") == 2
    desk.change(draws=False, best_of=3)
    content = text(page_of(desk, "slips"))
    assert "Intentional draw" not in content
    assert content.count("Games won") == 2


def test_slips_have_the_code_of_their_tables_page(desk):
    """An event without an address has none."""
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


def test_slips_of_a_room_link_to_its_own_page_of_the_table(desk):
    """Only where no page is published; a published one can be read from anywhere."""
    desk.pair_round()

    def codes(room):
        return [
            segno.make(f"{room}/table/{table}", micro=False, error="m", boost_error=False, mask=mask)
            for table in (1, 2)
            for mask in range(8)
        ]

    room = "http://192.0.2.7:8017"
    drawn = [code.png_data_uri(border=2) for code in codes(room)]
    desk.change(address="")
    page = sheet("slips", event_view(desk), room=room).decode()
    assert sum(code in page for code in drawn) == 2
    desk.change(address=ADDRESS)
    page = sheet("slips", event_view(desk), room=room).decode()
    assert not any(code in page for code in drawn)


def test_slips_of_200_players_are_no_larger_than_a_page(tmp_path):
    """With a code on each slip of a hundred tables."""
    with new_desk(
        tmp_path, *(f"Maximiliane Featherstone {n:03}" for n in range(200)), address=ADDRESS
    ) as desk:
        desk.pair_round()
        assert len(page_of(desk, "slips")) < 100_000


def test_larger_tables_have_larger_slips(tmp_path):
    """Eight on a page up to four seats, four up to ten."""
    for seats, to_a_page in ((4, 8), (6, 4)):
        folder = tmp_path / str(seats)
        folder.mkdir()
        with new_desk(folder, *(f"P{n}" for n in range(12 * seats)), system="pods", seats=(seats,)) as desk:
            desk.pair_round()
            page = page_of(desk, "slips").decode()
        assert page.count('<section class="sheet">') == 12 // to_a_page + (12 % to_a_page > 0)
        assert page.count("<article") == 12


def test_seating_before_a_round_is_by_last_name(desk):
    """All active players, two to a table, before anything is paired."""
    desk.drop("Bo")
    content = text(page_of(desk, "seatings"))
    assert [content.index(name) for name in ("Ann", "Mira", "Tomo", "Zora")] == sorted(
        content.index(name) for name in ("Ann", "Mira", "Tomo", "Zora")
    )
    assert "Bo" not in content
    assert content.count("seat 1") == content.count("seat 2") == 2


def test_an_empty_round_lists_opponents_and_byes_so_far(desk):
    """With instructions to pair by hand, and a line for each table."""
    play(desk)
    [free] = desk.state.rounds[0].byes
    page = page_of(desk, "empty")
    content = text(page)
    assert "Round 2 by hand" in content
    assert content.count("×") == 2, "one in how it is done, one in a line"
    for table in desk.state.rounds[0].tables.values():
        for player, other in (table.seats, table.seats[::-1]):
            assert re.search(rf"#{player} {desk.state.players[player].name} \S+ {other}\b", content)
    assert re.search(rf"#{free} \w+ \S+ ×", content)
    assert "`" not in content, "what is to be typed is set as code"
    assert b"<code>Name - Name</code>" in page


def test_an_empty_round_of_a_bracket_lists_its_players(tmp_path):
    """Nothing is drawn by hand there: the winners meet."""
    with new_desk(tmp_path, *"ABCDEFGH", rounds=1) as desk:
        play(desk)
        desk.cut(4)
        page = page_of(desk, "empty").decode()
    assert "winners of the matches meet" in page
    assert page.count('<td class="n">#') == 4


def test_an_empty_round_of_a_round_robin_is_its_schedule(tmp_path):
    """The tables that the program would make in each coming round, without players who left."""
    with new_desk(tmp_path, *(f"Player {letter}" for letter in "ABCDEFG"), system="round-robin") as desk:
        content = text(page_of(desk, "empty", staff=staff_view(desk, "empty", None, with_names=False)))
        assert "leave the first strip of the upper row" in content, "nothing is drawn yet"
        play(desk)
        play(desk)
        desk.drop("Player C")
        page = page_of(desk, "empty", staff=staff_view(desk, "empty", None, with_names=False))
        content = text(page)
        assert "Write a strip" not in content
        rounds = re.split(r"(?= Round \d Table)", content)[1:]
        assert len(rounds) == 5
        for round_ in rounds:
            play(desk)
            names = {player: desk.state.players[player].name for player in desk.state.players}
            seated = [[names[seat] for seat in table.seats] for table in desk.state.round.tables.values()]
            assert re.findall(r"(Player \w) – (Player \w)", round_) == [tuple(each) for each in seated]
            assert f"Round {desk.state.round.number} " in round_
            without = {names[bye] for bye in desk.state.round.byes if bye != 3}
            assert all(re.search(rf"– .*{name}.* no table", round_) for name in without)


def test_an_empty_round_before_a_bracket_explains_the_seeding(tmp_path):
    """For an elimination event before its first round."""
    with new_desk(tmp_path, *"ABCDEF", system="elimination") as desk:
        content = text(page_of(desk, "empty", staff=staff_view(desk, "empty", None, with_names=False)))
        assert "the first plays the last" in content
        desk.pair_round()
        content = text(page_of(desk, "empty", staff=staff_view(desk, "empty", None, with_names=False)))
        assert "winners of the matches meet" in content


@with_rows("rounds", [0, 1, 3])
def test_every_public_sheet_is_made_from_any_view(rounds):
    """Before round 1 the sheets of a round are refused; without players the others are made."""
    for kind in PUBLIC:
        if KINDS[kind].rounds and not rounds:
            with pytest.raises(TourneyError, match="no round is paired"):
                sheet(kind, event(rounds))
        else:
            assert sheet(kind, event(rounds))
    with pytest.raises(TourneyError, match="no sheet `poster`"):
        sheet("poster", event())


# -- the folder


def test_a_held_round_is_printed_only_on_request(desk, tmp_path):
    """It can be laid out before it is announced; players are named as on the pages."""
    desk.change(public_names="short")
    desk.rename("Zora", "Zora Quick")
    desk.pair_round(manner=Manner(hold_back=True))
    with pytest.raises(TourneyError, match="no round is paired, or the round is held back"):
        print_sheets(desk, tmp_path / "out", ["slips"])
    assert not (tmp_path / "out").exists()
    made = print_sheets(desk, tmp_path / "out", ["slips"], with_held=True)
    assert made.files == ("slips-round-1.html",)
    page = (tmp_path / "out" / "slips-round-1.html").read_text()
    assert "Quick" not in page


def test_only_staff_sheets_show_a_list(tmp_path):
    """The sheet of a deck check has each list drawn; nothing published has any card."""
    with new_desk(tmp_path, "Mira", "Tomo") as desk:
        for name in ("Mira", "Tomo"):
            submit_deck(desk, name, "Amber Fox\nBitter Heron\n", source=name)
        desk.pair_round()
        with pytest.raises(TourneyError, match="no deck was drawn") as refusal:
            print_sheets(desk, tmp_path / "out", ["deck-checks"])
        assert refusal.value.hint
        assert refusal.value.hint.startswith("`tourney audit draw` draws decks")
        desk.draw_audit(1)
        print_sheets(desk, tmp_path / "out", ["deck-checks"])
        page = (tmp_path / "out" / "deck-checks-round-1.html").read_bytes()
        assert text(page).count("Amber Fox") == text(page).count("Bitter Heron") == 2
        assert not [path for path, made in render(event_view(desk)).items() if b"Heron" in made]
        desk.record_audit("Mira", clean=True)
        print_sheets(desk, tmp_path / "out", ["deck-checks"])
        assert "Mira" not in text((tmp_path / "out" / "deck-checks-round-1.html").read_bytes())


def test_forms_are_printed_for_players_without_a_list(tmp_path):
    """One blank form, or one for each."""
    with new_desk(tmp_path, "Mira", "Tomo", "Zora") as desk:
        submit_deck(desk, "Mira", "Amber Fox\n", source="mira")
        desk.waive_deck("Zora")
        print_sheets(desk, tmp_path / "out", ["decklists"])
        assert (tmp_path / "out" / "decklists.html").read_text().count('<section class="form">') == 1
        print_sheets(desk, tmp_path / "out", ["decklists"], with_names=True)
        content = text((tmp_path / "out" / "decklists.html").read_bytes())
        assert ("Tomo" in content, "Mira" in content, "Zora" in content) == (True, False, False)
        desk.waive_deck("Tomo")
        with pytest.raises(TourneyError, match="no decklist is missing"):
            print_sheets(desk, tmp_path / "out", ["decklists"], with_names=True)


def test_an_erased_player_is_gone_from_sheets_printed_before(desk, tmp_path):
    """Other rounds and kinds in the folder are made anew; other files stay."""
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


def test_pdf_without_its_library_is_refused_with_a_hint(monkeypatch):
    """The program installs nothing by itself."""
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
    return subprocess.run(
        [tool, *options, str(path), *(["-"] if tool == "pdftotext" else [])],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


PDFS = (
    ("pairings", "a4"),
    ("slips", "letter"),
    ("badges", "letter"),
    ("slips", "a4"),
    ("empty", "a4"),
    ("standings", "letter"),
)


@pytest.mark.parametrize("sheet_and_paper", sampled(PDFS, PDFS[:3]), ids="-".join)
def test_a_pdf_has_its_fonts_its_size_and_every_name(sheet_and_paper, tmp_path, poppler):
    """Checked by pdffonts, pdfinfo and pdftotext, with long, Chinese, Arabic and Hebrew names."""
    kind, paper = sheet_and_paper
    names = [*HOSTILE[4:], *(f"Player {n:02}" for n in range(10))]
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
    content = told("pdftotext", tmp_path / "sheet.pdf", "-raw")
    assert "\ufffd" not in content
    for name in shown:
        for word in re.findall(r"[A-Za-zÅÖåö\d]+|[\u3000-\u9fff\uac00-\ud7af]+", name):
            assert word in content or word[:10] in content, (name, word)
    assert re.search("[\u0590-\u05ff]", content), "Hebrew"
    assert re.search("[\u0600-\u06ff\ufb50-\ufeff]", content), "Arabic"


def test_slips_take_no_more_pages_than_needed(tmp_path, poppler):
    """18 tables take three pages of either size; an ordinary run looks at one."""
    with new_desk(
        tmp_path, *(f"Maximiliane-Alexandra Wolfeschlegelst{n:03}" for n in range(36)), address=ADDRESS
    ) as desk:
        desk.pair_round()
        for paper in [*PAPERS][: amount(1, of=2)]:
            (tmp_path / "slips.pdf").write_bytes(as_pdf(page_of(desk, "slips", paper=paper)))
            assert "Pages:           3\n" in told("pdfinfo", tmp_path / "slips.pdf")
            content = told("pdftotext", tmp_path / "slips.pdf", "-raw").replace("\n", "")
            assert content.count("Intentional draw") == 18
            assert all(f"Wolfeschlegelst{n:03}" in content for n in range(36))


def is_row(element):
    """Tell if the element must stay whole in one column of one page (table heads are repeated)."""
    if element.tag == "tr":
        return all(cell.tag == "td" for cell in element)
    return element.get("class") in {"who", "who tight", "zone"} or (
        element.tag == "div" and not element.get("class")
    )


def laid_out(page):
    """Return how often each row is laid out, and the pieces of each text by line."""
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
    ("deck-checks", amount(4, of=8)),
    ("decklists", 2),
)
"""Sheets, each with a number of players."""

SIMILAR = {("seatings", 9), ("seatings", 15), ("pairings", 9), ("pairings", 41)}
"""Sheets that break nearly as another one does."""


@pytest.mark.parametrize(
    "sheet_of_players",
    sampled(
        product(LAID_OUT, PAPERS), [each for each in zip(LAID_OUT, cycle(PAPERS)) if each[0] not in SIMILAR]
    ),
    ids=str,
)
def test_no_row_is_split_and_no_short_word_is_broken(sheet_of_players, tmp_path, poppler):
    """Neither over columns nor over pages; a word that fits its column is on one line."""
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
            desk.draw_audit(number // 2)
        about = desk.state.round.number if desk.state.round else None
        staff = staff_view(desk, kind, about, with_names=False)
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


def test_parts_of_a_list_have_the_same_names_everywhere(tmp_path):
    """In the order of the list's page, the leader first, each with a capital letter."""
    with desk_with_lists(tmp_path, "Mira", "Tomo", decklists="all") as desk:
        submit_deck(desk, "Mira", LED, source="list", anyway=True)
        desk.pair_round()
        desk.draw_audit(1)
        deck = render(event_view(desk))["deck/1.html"].decode()
        made = {
            kind: page_of(desk, kind, staff=staff_view(desk, kind, 1, with_names=False)).decode()
            for kind in ("deck-checks", "decklists")
        }
    heads = {
        name: re.findall(r"<h2>([^<]+?) <small>", page) for name, page in (*made.items(), ("deck", deck))
    }
    assert heads["deck"][:2] == heads["deck-checks"][:2] == heads["decklists"][:2] == ["General", "Arsenal"]


@pytest.mark.parametrize("kind", ["pairings", "seatings", "badges"])
def test_namesakes_with_short_names_are_sorted_by_their_letter(kind, tmp_path):
    """The number that distinguishes two players is not taken for a last name."""
    names = ["Anna Schmidt", "Tomo Reed", "Anna Sommer", "Zora Quick"]
    with new_desk(tmp_path, *names, public_names="short") as desk:
        desk.pair_round()
        page = page_of(desk, kind).decode()
    lasts = re.findall(r"<b>(?:<bdi>)?([^<#]+)(?:</bdi>)?</b>", page)
    assert lasts == ["Q.", "R.", "S.", "S."]
    assert "Anna #1" in page
    assert "Anna #3" in page


@with_rows("kind", sorted({*KINDS} - {*PUBLIC}))
def test_a_sheet_for_staff_needs_the_view_of_the_staff(kind):
    """The event's view holds nothing that only staff may see, so it is not enough."""
    with pytest.raises(TourneyError) as refusal:
        sheet(kind, event(), staff=StaffView())
    assert refusal.value.hint


def test_the_command_and_the_guide_name_every_sheet():
    """The help of `tourney print` has a table of its own, so that it loads no sheets."""
    assert {*SHEETS} == {*KINDS}
    guide = (ROOT / "tourney/guides/publishing.md").read_text(encoding="utf-8")
    assert not [
        kind for kind in KINDS if not re.search(rf"`(tourney print )?([a-z-]+ )*{kind}( [a-z-]+)*`", guide)
    ]
