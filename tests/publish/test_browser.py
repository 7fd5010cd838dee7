"""The pages in a real browser, at phone and desktop width."""

import re
from collections import Counter
from contextlib import nullcontext
from itertools import cycle, product

import pytest

from tests.axe import faults_of
from tests.desk.kit import new_desk
from tests.desk.test_open_lists import desk_with_lists
from tests.kit import ROOT, amount, sampled
from tests.publish.pseudo import pseudo_language
from tests.publish.sample import event
from tourney.desk import event_view, print_sheets, publish
from tourney.publish import render
from tourney.publish.pages import search_key
from tourney.publish.sheets import KINDS as KINDS_OF_SHEETS
from tourney.publish.sheets import PAPERS, sheet

pytestmark = pytest.mark.browser


@pytest.fixture
def folder(tmp_path):
    for path, content in render(event(3)).items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return tmp_path


@pytest.mark.parametrize("width", sampled([320, 375, 1280], [320, 1280]))
def test_no_page_is_wider_than_the_screen(browser, folder, width):
    """A phone never scrolls the whole page sideways; wide tables scroll in their box."""
    page = browser.new_page(viewport={"width": width, "height": 700})
    for file in sorted(folder.rglob("*.html")):
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), file.name
    page.close()


def test_longer_words_of_another_language_make_no_page_wider(browser, tmp_path):
    """The navigation takes a second line if one is too short; in English it takes one."""
    with new_desk(tmp_path, *(f"Player {n}" for n in range(8)), rounds=1) as desk:
        desk.pair_round()
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        desk.cut(4, lot=True)
        desk.pair_round()
        view = event_view(desk, with_reasons=False)
    for name, spoken, lines in (("longer", pseudo_language, 2), ("en", nullcontext, 1)):
        with spoken():
            made = render(view, ["html"])
        for path, content in made.items():
            target = tmp_path / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        page = browser.new_page(viewport={"width": 375, "height": 700})
        for file in sorted((tmp_path / name).rglob("*.html")):
            page.goto(file.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, file.name)
        page.goto((tmp_path / name / "index.html").as_uri())
        tops = page.evaluate(
            "[...document.querySelectorAll('nav > *')].map((each) => each.getBoundingClientRect().top)"
        )
        assert len({*tops}) == lines, name
        page.close()


def test_a_player_finds_their_table_by_name(browser, folder):
    """Part of the name is enough, with or without accents; an unknown name gives a message."""
    page = browser.new_page()
    faults = []
    page.on("pageerror", lambda fault: faults.append(fault))
    page.goto((folder / "round-3.html").as_uri())
    box = page.locator("input[type=search]")
    box.fill("asa|un")
    assert page.locator("#tables > li:visible").count() == 1
    box.fill("nobody")
    assert page.locator("#tables > li:visible").count() == 0
    assert page.locator(".find [role=status]").text_content() == "No player with that name"
    box.fill("")
    assert page.locator("#tables > li:visible").count() == 4
    assert not faults
    page.close()


FOUND = {
    "ostergard": "Åsa Östergård",
    "weiss": "Jörg Weiß",
    "lena voss": "Lena Voss",
    "LENA  VOSS": "Lena Voss",
    "oneill": "Shane O’Neill",
    "o'neill": "Shane O’Neill",
    "neill": "Shane O’Neill",
    "schmidt anna": "Anna Schmidt",
    "lukasz": "Łukasz Wójcik",
    "hohenlohe": "Maximiliane-Theodora von Hohenlohe-Waldenburg",
    "小明": "林 小明",
    "مها": "مها النور",
}
"""What is typed, and who is found: as the command line folds."""


MANY = amount(150, of=500)
"""Players of a large event."""


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """Return the folder and the view of many players in the middle of round 2."""
    folder = tmp_path_factory.mktemp("big")
    names = [*dict.fromkeys(FOUND.values())]
    names += [f"Player {number:03}" for number in range(len(names), MANY)]
    with new_desk(folder, *names, rounds=9, best_of=3) as desk:
        desk.pair_round()
        desk.report_block(f"{table} 2-1" for table in desk.state.round.tables)
        desk.pair_round()
        desk.start_round()
        desk.report_block(f"{table} 2-0" for table in range(1, 2 * MANY // 5))
        publish(desk, folder / "pages")
        view = event_view(desk, with_reasons=False)
    return folder / "pages", view


@pytest.fixture
def watched(browser):
    """Give a page at a phone's size that records its errors and its requests."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.faults, page.asked = [], []
    page.on("pageerror", lambda fault: page.faults.append(str(fault)))
    page.on("console", lambda said: page.faults.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    assert page.faults == []
    assert [url for url in page.asked if not url.startswith("file:")] == []
    context.close()


def test_search_finds_the_same_players_as_the_command_line(watched, big):
    """Part of the name in any spelling, among many; of many players, eight are shown."""
    folder, _ = big
    watched.goto((folder / "index.html").as_uri())
    for text, name in FOUND.items():
        watched.locator("#who input").fill(text)
        assert watched.locator(".found button").all_text_contents() == [name], text
    watched.locator("#who input").fill("nobody at all")
    assert watched.locator("#who [role=status]").text_content() == "No player with that name"
    watched.locator("#who input").fill("player")
    assert (
        watched.locator("#who [role=status]").text_content() == f"{MANY - len(set(FOUND.values()))} players"
    )
    assert watched.locator(".found button").count() == 8


def test_a_player_once_chosen_is_remembered_with_their_table(watched, big):
    """The card has table, opponent and clock after a reload and on every page, until forgotten."""
    folder, view = big
    table = view.rounds[-1].tables[-1]
    me, other = table.seats
    watched.goto((folder / "index.html").as_uri())
    watched.locator("#who input").fill(search_key(me.name))
    watched.locator(".found button").first.click()
    for _ in range(2):
        card = watched.locator("#me")
        assert f"TABLE {table.number}" in card.inner_text()
        assert f"against {other.name}" in card.inner_text()
        assert card.locator(".clock").is_visible()
        assert not watched.locator("#who").is_visible()
        watched.reload()
    watched.goto((folder / "round-2.html").as_uri())
    assert watched.locator(".mine").count() == 1
    watched.goto((folder / "index.html").as_uri())
    watched.locator("#me button").click()
    assert watched.locator("#who").is_visible()


@pytest.mark.parametrize("name", ["round-2.html", "standings.html"])
def test_a_screen_reader_hears_how_many_were_found(watched, big, name):
    """On each page with a search box; nothing is announced while nothing is typed."""
    watched.goto((big[0] / name).as_uri())
    box, status = watched.locator("input[type=search]"), watched.locator(".find [role=status]")
    for text, announcement in (
        ("ostergard", "1 player"),
        ("player", f"{MANY - len(set(FOUND.values()))} players"),
        ("zzz", "No player with that name"),
        ("", ""),
    ):
        box.fill(text)
        assert status.text_content() == announcement


def test_table_numbers_are_aligned(watched, of_every_kind):
    """They stand at the edge, also beside a long note and beside players out of the bracket."""
    for kind in ("cut", "over", "double/pages", "pods/pages"):
        watched.goto(of_every_kind[f"{kind}/index.html"].as_uri())
        edges = watched.evaluate(
            "[...document.querySelectorAll('#by-name .at b')].map((each) => "
            "each.getBoundingClientRect().right)"
        )
        assert len(edges) > 1
        assert max(edges) - min(edges) < 1, kind


@pytest.mark.parametrize(("width", "scale"), [(1280, 0.85), (1920, 1.2)])
def test_a_bracket_is_as_wide_as_there_is_room(browser, tmp_path, width, scale):
    """The double bracket of seven is shown whole on a notebook and larger on a large screen."""
    with new_desk(tmp_path, *(f"Player {n}" for n in range(7)), system="elimination", double=True) as desk:
        desk.pair_round()
        publish(desk, tmp_path / "pages", ["html"])
    page = browser.new_page(viewport={"width": width, "height": 1080})
    page.goto((tmp_path / "pages/bracket.html").as_uri())
    box, shown, own = page.evaluate(
        """[document.querySelector(".wide").scrollWidth <= document.querySelector(".wide").clientWidth,
            document.querySelector("svg.bracket").getBoundingClientRect().width,
            parseFloat(document.querySelector("svg.bracket").getAttribute("width"))]"""
    )
    assert box
    assert shown / own >= scale
    page.close()


def test_the_page_of_a_game_is_no_wider_than_a_phone(browser, tmp_path):
    """Also where the names of its sources are long."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    for form in sorted((ROOT / "tourney" / "games").glob("*/standard.toml")):
        folder = tmp_path / form.parent.name
        folder.mkdir()
        with new_desk(
            folder, "Mira", "Tomo", format_name=f"{form.parent.name.replace('_', '-')}/standard"
        ) as desk:
            publish(desk, folder / "pages", ["html"])
        page.goto((folder / "pages/game.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), form
    page.close()


def test_everything_is_there_without_javascript(browser, big):
    """Every player is listed with the table; no dead search box; navigation takes one line."""
    folder, view = big
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    assert page.locator("#by-name li").count() == MANY
    table = view.rounds[-1].tables[-1]
    line = page.locator(f"#by-name li[data-id='{table.seats[0].player}']").inner_text()
    assert str(table.number) in line
    assert table.seats[1].name in line
    assert not page.locator("input").first.is_visible()
    assert page.locator("nav").bounding_box()["height"] < 60
    context.close()


def test_the_table_number_is_visible_at_every_width(browser, big):
    folder, _ = big
    for width in (320, 1280):
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto((folder / "round-2.html").as_uri())
        assert page.locator(".table .number").first.is_visible()
        page.goto((folder / "player/1.html").as_uri())
        assert page.locator(".card .at b").is_visible()
        assert page.locator(".matches tbody td").first.is_visible()
        page.close()


def test_pages_can_be_printed(browser, big):
    """Navigation and search are left out on paper."""
    folder, _ = big
    page = browser.new_page()
    page.goto((folder / "standings.html").as_uri())
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()


@pytest.fixture(scope="module")
def of_every_kind(tmp_path_factory):
    """Return a page of each kind: of an open cut, a double bracket, tables of three, no players."""
    root = tmp_path_factory.mktemp("kinds")
    names = [*dict.fromkeys(FOUND.values())]
    with desk_with_lists(
        root,
        *names,
        rounds=1,
        best_of=3,
        decklists="all",
        missions="organizer",
        planned_cut=4,
        forecast="all",
    ) as desk:
        desk.pair_round()
        desk.start_round()
        publish(desk, root / "swiss")
        desk.report_block(f"{table} 2-1" for table in desk.state.round.tables)
        desk.disqualify(names[-1])
        desk.cut(4, third_place=True, lot=True)
        desk.pair_round()
        publish(desk, root / "cut")
        desk.report_block(f"{table} 2-1" for table in desk.state.round.tables)
        desk.pair_round()
        desk.report_block(f"{table} 2-1" for table in desk.state.round.tables)
        desk.close()
        publish(desk, root / "over")
    for place, settings in {
        "double": {"system": "elimination", "double": True},
        "pods": {"system": "pods", "seats": (3,)},
        "empty": None,
    }.items():
        (root / place).mkdir()
        with new_desk(root / place, *(names if settings else ()), **settings or {}) as desk:
            if settings:
                desk.pair_round()
            publish(desk, root / place / "pages")
    kinds = {}
    for path in sorted(root.rglob("*.html")):
        inside = path.relative_to(root).as_posix()
        if "/sheets/" in inside:  # sheets are for paper
            continue
        kinds.setdefault(re.sub(r"\d+", "N", inside), path)
    return kinds


KINDS = {
    "index", "standings", "verification", "screen", "bracket", "game", "decks", "lists", "field", "needs",
    "round-N", "player/N", "deck/N",
}  # fmt: skip


def test_pages_meet_the_rules_of_accessibility(browser, big, of_every_kind):
    """A page of each kind breaks no rule of axe-core, in light and in dark colors.

    An ordinary run checks one page of each name, a third of them in the dark, and omits the pages of many
    players, whose colors are the same.
    """
    assert {
        kind for kind in KINDS if not any(each.endswith(f"/{kind}.html") for each in of_every_kind)
    } == set()
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="light")
    page = context.new_page()
    checked = Counter()
    for kind, path in of_every_kind.items():
        name = kind.rpartition("/")[2]
        if checked[name] < amount(1, of=99):
            page.goto(path.as_uri())
            is_dark = len(checked) % amount(3, of=1) == 0
            colors = ("light", "dark") if is_dark else ("light",)
            assert faults_of(page, colors=() if checked[name] else colors) == [], path
            checked[name] += 1
    for name in ("round-2.html", "index.html")[: amount(0, of=2)]:
        page.goto((big[0] / name).as_uri())
        assert faults_of(page, colors=()) == [], name
    context.close()


def test_sheets_meet_the_rules_of_accessibility(browser, tmp_path):
    """Sheets are shown on a screen before they are printed, so axe-core checks each kind, too.

    The rules about color are checked on three sheets, and on all with --long.
    """
    names = [*dict.fromkeys(FOUND.values())]
    with desk_with_lists(
        tmp_path, *names, rounds=2, best_of=3, missions="organizer", address="https://shop.example"
    ) as desk:
        desk.pair_round()
        desk.report_block(f"{table} 2-1" for table in desk.state.round.tables)
        desk.pair_round()
        desk.draw_audit(1)
        print_sheets(desk, tmp_path / "swiss", sorted(KINDS_OF_SHEETS))
        desk.report_block(f"{table} 2-1" for table in desk.state.round.tables)
        desk.cut(4, lot=True)
        desk.pair_round()
        print_sheets(desk, tmp_path / "cut", ["standings", "empty", "slips"])
    sheets = sorted(tmp_path.rglob("*.html"))
    assert len(sheets) == len(KINDS_OF_SHEETS) + 3
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    for number, path in enumerate(sheets):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path.name
        colors = ("light",)[: number < amount(3, of=99)]
        assert faults_of(page, colors=colors) == [], path.name
    context.close()


def test_nothing_on_the_projector_overlaps_its_neighbor(browser, tmp_path):
    """Long names keep their room beside the place in the bracket; each line stays in its column."""
    with new_desk(tmp_path, *(f"Player {number:02} Featherstone" for number in range(40)), rounds=1) as desk:
        desk.pair_round()
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        desk.cut(8, third_place=True, lot=True)
        for _ in range(3):
            desk.pair_round()
            desk.report_block(f"{table} w" for table in desk.state.round.tables)
        made = render(event_view(desk, with_reasons=False), ["html"])
    for name in ("screen.html", "screen.css", "style.css", "site.js"):
        (tmp_path / name).write_bytes(made[name])
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto((tmp_path / "screen.html").as_uri())
    lines = page.evaluate(
        """[...document.querySelectorAll(".leaf li")].map((line) => {
           const box = line.getBoundingClientRect();
           const size = parseFloat(getComputedStyle(line).fontSize);
           const ends = [...line.children].map((each) => each.getBoundingClientRect().right);
           return [line.querySelector(".who").getBoundingClientRect().width / size,
                   Math.max(...ends) - box.right]; })"""
    )
    assert len(lines) == 40
    assert min(room for room, _ in lines) > 5
    assert max(over for _, over in lines) < 1
    page.close()


@pytest.mark.parametrize("number", sampled([13, 30, 48, 72, 200], [13, 48, 200]))
def test_no_usual_name_is_cut_off_on_the_projector(browser, tmp_path, number):
    """In pairings, standings and final places; letters can be read from the back of the room."""
    first = ["Katarzyna", "Bo", "Grzegorz", "Åsa", "Quentin", "Maximiliane"]
    last = ["Fenwick", "O'Neill", "van der Berg", "Reed", "Wolfeschlegel", "Östergård", "Sedge"]
    names = [f"{first[n % 6]} {last[n % 7]}{'-' + last[n // 42] if n >= 42 else ''}" for n in range(number)]
    made = {}
    with new_desk(tmp_path, *names, rounds=1) as desk:
        desk.pair_round()
        made["pairings"] = render(event_view(desk, with_reasons=False), ["html"])
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        made["standings"] = render(event_view(desk, with_reasons=False), ["html"])
        desk.cut(4, lot=True)
        for _ in range(2):
            desk.pair_round()
            desk.report_block(f"{table} w" for table in desk.state.round.tables)
        made["final"] = render(event_view(desk, with_reasons=False), ["html"])
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    for phase, pages in made.items():
        for name in ("screen.html", "screen.css", "style.css", "site.js"):
            (tmp_path / name).write_bytes(pages[name])
        page.goto((tmp_path / "screen.html").as_uri())
        cut, sizes = page.evaluate(
            """[[...document.querySelectorAll(".leaf .who, .leaf .more")]
                  .filter((each) => each.scrollWidth > each.clientWidth + 1
                                    || each.scrollHeight > each.clientHeight + 4)
                  .map((each) => each.textContent),
                [...document.querySelectorAll(".leaf li")]
                  .map((line) => parseFloat(getComputedStyle(line).fontSize))]"""
        )
        assert cut == [], phase
        assert min(sizes) >= 0.028 * 1080 - 0.5
    page.close()


PROJECTED = [8, 16, 24, 40, 64]


@pytest.mark.parametrize(
    "shown", sampled(product(PROJECTED, [True, False]), zip(PROJECTED, cycle([True, False]))), ids=str
)
def test_a_name_that_fits_is_not_shrunk_on_the_projector(browser, tmp_path, shown):
    """Neither a name nor an opponent's; without the script a name that only just fits may be."""
    number, script = shown
    first = [
        "Mira",
        "Tomo",
        "Lena",
        "Bo",
        "Tess",
        "Ada",
        "Ivo",
        "Una",
        "Konstantin",
        "Maximilian",
        "Annalena",
        "Jo",
        "Wim",
        "Sofia",
        "Friederike",
        "Ole",
    ]
    last = [
        "Oake",
        "Reed",
        "Voss",
        "Quill",
        "Hart",
        "Finch",
        "Lark",
        "Pell",
        "Brandstetter",
        "Hohenberger",
        "Li",
        "Marsh",
        "Sandoval",
        "Ng",
        "Roth",
        "Montgomery",
    ]
    with new_desk(
        tmp_path, *(f"{first[n % 16]} {last[(n * 7 + n // 16) % 16]}" for n in range(number))
    ) as desk:
        desk.pair_round()
        made = render(event_view(desk, with_reasons=False), ["html"])
    for name in ("screen.html", "screen.css", "style.css", *(["site.js"] if script else [])):
        (tmp_path / name).write_bytes(made[name])
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto((tmp_path / "screen.html").as_uri())
    shares = page.evaluate(
        """[...document.querySelectorAll(".leaf :is(.long, .longer, .words)")].map((each) => {
             const room = each.clientWidth;
             each.classList.remove("long", "longer", "words");
             const all = document.createRange(); all.selectNodeContents(each);
             return all.getBoundingClientRect().width / room; })"""
    )
    assert min(shares, default=1) > (0.99 if script else 0.9)
    page.close()


def test_a_sticky_cell_is_level_with_its_row(browser, big):
    """The line below a row is unbroken, also on a phone, because heights are whole pixels."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((big[0] / "standings.html").as_uri())
    heights = page.evaluate(
        """[...document.querySelectorAll("#standings tr")].map((row) => row.getBoundingClientRect().height)"""
    )
    assert [height for height in heights if height % 1] == []
    page.close()


def test_the_projector_turns_its_leaves_without_javascript(browser, tmp_path):
    """After ten seconds the next leaf is shown; no line is wider or higher than the screen."""
    with new_desk(tmp_path, *(f"Player {number}" for number in range(160))) as desk:
        desk.pair_round()
        made = render(event_view(desk, with_reasons=False), ["html"])
    for name in ("screen.html", "screen.css", "style.css", "site.js"):
        (tmp_path / name).write_bytes(made[name])
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.goto((tmp_path / "screen.html").as_uri())
    boxes = [leaf.bounding_box() for leaf in page.locator(".leaf").all()]
    assert len(boxes) == 3
    assert (boxes[0]["x"], boxes[0]["width"]) == (0, 1920)
    for line in page.locator(".leaf").first.locator("li").all():
        box = line.bounding_box()
        assert box["y"] + box["height"] <= 1080
    page.evaluate("document.getAnimations().forEach((each) => { each.currentTime = 10_500 })")
    assert page.locator(".leaf").nth(1).bounding_box()["x"] == 0
    context.close()


SEATS = [2, 4, 6, 10]


@pytest.mark.parametrize(
    "printed", sampled(product(SEATS, sorted(PAPERS)), zip(SEATS, cycle(sorted(PAPERS)))), ids=str
)
def test_nothing_is_cut_off_on_slips_and_badges(browser, tmp_path, printed):
    """With names of forty letters, a label, a score and a code; eight slips stand on a sheet."""
    seats, paper = printed
    long = [f"Maximiliane-Alexandra Wolfeschlegelst{n:03}" for n in range(9 * seats)]
    settings = {"system": "pods", "seats": (seats,)} if seats > 2 else {"best_of": 3}
    kinds = {"slips": ".slip"} if seats > 2 else {"slips": ".slip", "badges": ".badge"}
    with new_desk(tmp_path, *long, address="https://shop.example/a/rather/long/path", **settings) as desk:
        desk.pair_round()
        view = event_view(desk, with_reasons=False)
    page = browser.new_page()
    for kind, boxes in kinds.items():
        page.set_content(sheet(kind, view, paper=paper).decode())
        page.emulate_media(media="print")
        cut = page.evaluate(
            f"[...document.querySelectorAll('{boxes}, {boxes} .head span, {boxes} .name')]"
            ".filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).length"
        )
        assert cut == 0, kind
        pdf = page.pdf(prefer_css_page_size=True)
        sheets = page.locator(".sheet").count()
        assert pdf.count(b"/Type /Page\n") == sheets, kind
    page.close()
