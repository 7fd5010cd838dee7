"""The published folder: the same view gives the same files, and names are escaped."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner
from markupsafe import Markup
from msgspec.structs import replace

from tests.desk.kit import new_desk, play
from tests.kit import ROOT, with_rows
from tests.publish.sample import NAMES, event
from tourney.cli import root
from tourney.cli.output import table_text
from tourney.cli.round_running import round_text
from tourney.desk import erase, event_view, publish
from tourney.errors import TourneyError
from tourney.event.view import NeedsView, NeedView
from tourney.publish import (
    FORMS,
    Link,
    Live,
    data,
    files,
    language,
    markdown,
    pages,
    render,
    sheets,
    site_of,
)
from tourney.record import PlayerId
from tourney.standings import explaining
from tourney.wording import Message


class Links(HTMLParser):
    """A parser that collects a page's links, tags and anchors."""

    def __init__(self, page):
        super().__init__()
        self.targets, self.tags, self.ids = [], [], set()
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.targets += [value for name, value in attributes if name in {"href", "src"}]
        self.ids |= {value for name, value in attributes if name == "id"}


def resolved(path, target):
    folder = path.split("/")[:-1]
    for step in target.split("/"):
        folder = folder[:-1] if step == ".." else [*folder, step]
    return "/".join(folder)


def test_the_same_view_gives_the_same_bytes():
    """Rendering depends on nothing but the view."""
    assert render(event(3)) == render(event(3))


def test_a_page_does_not_depend_on_which_were_made_before():
    """What pages of a site share depends neither on one page nor on what a server adds."""
    made = event(3)
    together, reversed_ = site_of(made), site_of(made)
    live = Live(script="/live.js", account=(Link("/me", "Mira"),))
    pages = {address: (together.page(address), together.page(address, live)) for address in together.pages}
    for address in reversed(pages):
        assert pages[address] == (reversed_.page(address), reversed_.page(address, live)), address
        assert pages[address] == (site_of(made).page(address), site_of(made).page(address, live)), address


def test_markdown_does_not_depend_on_earlier_printing():
    """Tables of the terminal and of pages share a library that has a setting for all tables."""
    fresh = subprocess.run(
        [sys.executable, "-c",
         "from tests.publish.sample import event; from tourney.publish import markdown; "
         "print(markdown.files(event(3))['standings.md']().decode(), end='')"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True, check=True,
    )  # fmt: skip
    table_text(["a long header"], [["x"]], style="github")
    assert markdown.files(event(3))["standings.md"]() == fresh.stdout


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_files_are_listed_without_rendering_them(monkeypatch, rounds):
    """`publish --list` and the overview need the names of all files, but not their contents."""
    made = render(event(rounds))
    for module, name in (
        (pages, "fill"),
        (sheets, "fill"),
        (markdown, "standings"),
        (markdown, "round_table"),
        (markdown, "verification"),
        (data, "format_csv"),
        (data, "msgspec"),
    ):
        monkeypatch.setattr(module, name, pytest.fail)
    assert set(files(event(rounds))) == set(made)
    others = set(files(event(rounds), [form for form in FORMS if form != "html"]))
    assert others <= set(Links(made["index.html"].decode()).targets)


@with_rows("rounds", [0, 1, 3])
def test_every_link_leads_to_a_file_of_the_folder(rounds):
    """No link leads outside or to a missing place, so the folder works from any disk or host."""
    files = render(event(rounds))
    pages = {path: Links(content.decode()) for path, content in files.items() if path.endswith(".html")}
    missing = set()
    for path, page in pages.items():
        for target in page.targets:
            file, _, place = target.partition("#")
            leads = resolved(path, file) if file else path
            if leads not in files or (place and place not in pages[leads].ids):
                missing.add((path, target))
    assert pages
    assert not missing


def test_a_name_is_never_markup():
    """A player called `<script>` adds no script to any page."""
    for path, content in render(event()).items():
        if path.endswith(".html"):
            assert Links(content.decode()).tags.count("script") <= 1, path
            assert b"<script>alert" not in content, path


def test_a_name_is_never_a_formula():
    """A spreadsheet that opens the CSV finds text where a name starts with `=`."""
    rows = list(csv.reader(io.StringIO(render(event())["standings.csv"].decode())))
    assert rows[0] == ["rank", "player", "points", "record", "OMW", "GW", "note", "as of"]
    assert rows[4][1] == "'=SUM(A1)"
    assert rows[6][6] == "drop"


def test_markdown_escapes_names():
    """A `|` or `*` in a name neither breaks the table nor changes the type."""
    lines = render(event())["standings.md"].decode().splitlines()
    [row] = [line for line in lines if "Quill" in line]
    assert "Åsa\\|Ünal \\*Quill\\*" in row


def test_json_names_its_schema_and_holds_exact_fractions():
    """For programs, the JSON has exact fractions beside the decimals."""
    body = json.loads(render(event())["event.json"])
    assert body["schema"] == "tourney.event-page/1"
    assert body["standings"]["rows"][0]["exact"] == ["11/18", "1/2"]


def test_json_shows_a_message_as_its_english_text():
    """A view may hold a `Message`, which is not a plain string to the encoder."""
    view = replace(event(), status=Message("round {n}", n=3))
    assert json.loads(render(view, ["json"])["event.json"])["status"] == "round 3"


def test_the_wall_sheet_lists_everybody_once_by_name():
    """Every seated player and every bye, in alphabetical order."""
    page = render(event())["sheets/pairings.html"].decode()
    body = page[page.index("<main") :]
    places = [body.index(f"<b>{name}</b>") for name in ("Bo", "Oake", "Reed")]
    assert places == sorted(places)
    assert body.count('<div class="who') == len(NAMES)


def test_only_the_forms_asked_for_are_rendered():
    """An unknown form is refused with a list of the known ones."""
    assert {path.rsplit(".")[-1] for path in render(event(), ["csv"])} == {"csv"}
    with pytest.raises(TourneyError, match="unknown form `pdf`") as refusal:
        render(event(), ["pdf"])
    assert refusal.value.hint == f"forms: {', '.join(FORMS)}"


def test_a_disqualified_player_is_marked_on_every_page(tmp_path):
    """With and without a table, in every form of output; other players are not marked."""
    with new_desk(tmp_path, "Mira", "Tomo", "Zora", "Ann", "Bo") as desk:
        play(desk)
        [free] = desk.state.rounds[0].byes
        seated = desk.state.rounds[0].tables[1].seats[0]
        for player in (free, seated):
            desk.disqualify(player, reason="marked cards")
        view = event_view(desk)
        names = {desk.state.players[player].name for player in (free, seated)}
    files = {path: content.decode() for path, content in render(view).items()}
    for path in ("index.html", "round-1.html", "round-1.md", "round-1.csv", "sheets/pairings.html"):
        assert files[path].count("disqualified") == (4 if path == "index.html" else 2), path
    assert files["sheets/slips.html"].count("disqualified") == 1
    rows = list(csv.DictReader(io.StringIO(files["round-1.csv"])))
    assert {row["player"] for row in rows if row["note"] == "disqualified"} == names
    [shown] = view.rounds
    marked = {
        each.name
        for each in (*(seat for table in shown.tables for seat in table.seats), *shown.byes)
        if each.note
    }
    assert marked == names
    assert round_text(shown).count("(disqualified)") == 2


def test_changed_pages_that_are_no_longer_published_are_reported(tmp_path):
    """The program removes only files that it wrote, and says how to remove the others."""
    new_desk(tmp_path, "Mira", "Tomo").leave()
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "round-9.html").write_text("an old page")
    (pages / ".tourney-published").write_text(f"{'0' * 64}  round-9.html\n")
    event, to = str(tmp_path / "friday.tourney"), str(pages)
    result = CliRunner().invoke(root, ["publish", "-e", event, "--to", to])
    assert (
        f"warning: {to}: these files are no longer published, but were not removed: round-9.html"
        in result.stderr
    )
    assert "delete those you do not need" in result.stderr
    result = CliRunner().invoke(root, ["publish", "-e", event, "--to", to, "--json"])
    assert json.loads(result.stdout)["left"] == ["round-9.html"]
    assert (pages / "round-9.html").read_text() == "an old page"


def test_places_in_the_bracket_are_on_every_page_that_ranks(tmp_path):
    """The Swiss standings stand below them, and in a CSV of their own."""
    with new_desk(tmp_path, "Mira", "Tomo", "Zora", "Ann", "Bo", rounds=1) as desk:
        play(desk)
        desk.drop("Bo")
        desk.cut(2)
        assert "final.csv" not in files(event_view(desk)), "nothing of the bracket is played or paired"
        play(desk, "l")
        view = event_view(desk)
        first, second = (desk.state.players[player].name for player in reversed(desk.state.cut.players))
    made = {path: content.decode() for path, content in render(view).items()}
    rows = list(csv.DictReader(io.StringIO(made["final.csv"])))
    assert [(row["place"], row["player"], row["bracket"]) for row in rows[:2]] == [
        ("1", first, "won the final"), ("2", second, "lost the final"),
    ]  # fmt: skip
    assert [row["player"] for row in rows if row["note"] == "drop"] == ["Bo"]
    assert made["standings.csv"].startswith("rank,player,points,record")
    for path in ("index.html", "standings.html", "standings.md"):
        assert made[path].index("won the final") < made[path].index("lost the final"), path
        assert "inal ranking" in made[path], path
    assert "After round 1" in made["standings.html"]
    assert "Standings after round 1" in made["standings.md"]
    assert "won the final</span>" in made[f"player/{view.final.rows[0].player}.html"]
    assert "Place <b>1</b>" in made[f"player/{view.final.rows[0].player}.html"]
    assert json.loads(made["event.json"])["final"]["rows"][0]["name"] == first


def test_pages_as_of_an_entry_say_so(tmp_path):
    """On every page, Markdown file and list; later entries are hidden, the event is unchanged."""
    with new_desk(tmp_path, "Mira", "Tomo", "Zora", "Ann") as desk:
        play(desk)
        entry = desk.state.entry
        desk.rename("Ann", "Anna")
        play(desk)
        then, now = event_view(desk.as_of(entry)), event_view(desk)
        assert len(desk.state.rounds) == 2
        assert desk.as_of(entry).state == desk.at(entry)
    made = {path: content.decode() for path, content in render(then).items()}
    assert (then.past, len(then.rounds), now.past) == (entry, 1, None)
    for path, content in made.items():
        if path.endswith((".html", ".md")):
            assert f"s of entry {entry}" in content or f"after entry {entry}" in content, path
    assert f"after round 1, as of entry {entry}" in made["standings.csv"]
    assert "Anna" not in made["standings.html"]
    assert "as of entry" not in render(now)["standings.csv"].decode()


def test_sides_are_shown_beside_every_seat(tmp_path):
    """On pairings, slips, wall sheet, player's page and in the data; else the word is absent."""
    with new_desk(tmp_path, *"ABCDE", sides=["Red", "Blue"]) as desk:
        play(desk)
        view = event_view(desk)
    files = {path: content.decode() for path, content in render(view).items()}
    tables = len(view.rounds[0].tables)
    for path in ("round-1.html", "sheets/slips.html", "sheets/pairings.html"):
        for side in ("Red", "Blue"):
            assert files[path].count(f">{side}<") == tables, path
    rows = [row for row in csv.DictReader(io.StringIO(files["round-1.csv"])) if row["table"]]
    assert [row["side"] for row in rows] == ["Red", "Blue"] * tables
    assert files["round-1.md"].count("(Blue, 0)") == tables
    first = view.rounds[0].tables[0].seats[1]
    assert "<small>Blue</small>" in files[f"player/{first.player}.html"]
    assert ("Sides", "Red and Blue; Red moves first") in view.facts
    plain = render(event())
    assert not any(b"Sides" in content or b",side" in content for content in plain.values())


def test_slips_ask_for_places_at_tables_of_three(tmp_path):
    """Each seat has a box for its place; tables of two have boxes for games."""
    with new_desk(tmp_path, *"ABCDE", system="pods", seats=(3, 2)) as desk:
        desk.pair_round()
        slips = render(event_view(desk))["sheets/slips.html"].decode()
    of_two, of_three = sorted(slips.split("<article")[1:], key=lambda slip: slip.count("<td"))
    assert "Players, in seat order" in of_three
    assert ">Place<" in of_three
    assert of_three.count('class="box"') == 3, "who leaves"
    assert ">Won<" in of_two
    assert "in seat order" not in of_two


def test_publishing_one_form_leaves_the_others_alone(tmp_path):
    """Files of another form stay, byte for byte, and are still known as the program's own."""
    with new_desk(tmp_path, "Mira", "Tomo") as desk:
        publish(desk, tmp_path / "pages")
        before = {path: path.read_bytes() for path in (tmp_path / "pages").rglob("*.html")}
        play(desk)
        made = publish(desk, tmp_path / "pages", ["csv"])
        assert made.changes.removed == 0
        assert all(path.suffix == ".csv" for path in map(tmp_path.joinpath, made.files))
        assert {path: path.read_bytes() for path in before} == before
        assert publish(desk, tmp_path / "pages").changes.left == ()


def test_an_erased_player_is_gone_from_every_form(tmp_path):
    """The next publishing brings forms up to date that were not asked for, too."""
    with new_desk(tmp_path, "Mira Oake", "Tomo Reed", "Zora", "Ann") as desk:
        play(desk)
        publish(desk, tmp_path / "pages")
        erase(desk, "Mira Oake")
        publish(desk, tmp_path / "pages", ["csv"])
    for path in (tmp_path / "pages").rglob("*"):
        assert path.is_dir() or b"Oake" not in path.read_bytes(), path


def test_prizes_stand_in_the_final_ranking(tmp_path):
    """With a bracket or without one, if a file of prizes was given; otherwise on no page."""
    table = ('currency = "EUR"\n[[prize]]\nplaces = 1\ncash = "20.00"\nbyes = 2', "prizes.toml")
    with new_desk(tmp_path, "Mira", "Tomo", "Zora", "Ann", rounds=1) as desk:
        play(desk)
        desk.close()
        assert event_view(desk).final is None
        page = render(event_view(desk, prizes=table))["standings.html"].decode()
    assert page.count('<span class="unbroken">20.00 EUR</span>, <span class="unbroken">2 byes</span>') == 1


def test_publishing_again_without_prizes_warns_once(tmp_path):
    """The pages no longer show the prizes, and the warning has the command that shows them."""
    table, folder = ("[[prize]]\nplaces = 1\nbyes = 2", "prizes.toml"), tmp_path / "pages"
    with new_desk(tmp_path, "Mira", "Tomo", rounds=1) as desk:
        play(desk)
        assert publish(desk, folder, prizes=table).warnings == ()
        assert publish(desk, folder, prizes=table).warnings == ()
        (warning,) = publish(desk, folder).warnings
        assert "no longer show prizes; `tourney publish --to " in warning
        assert publish(desk, folder).warnings == ()


def test_a_score_is_shown_beside_every_result(tmp_path):
    """On pages, in the data, and as a named field of the slips, with how a game ended."""
    with new_desk(tmp_path, *"ABCDE") as desk:
        desk.pair_round()
        desk.report(1, scores="34,12")
        desk.report(2, "0-1", scores="21,20", ended="concession")
        view = event_view(desk)
    files = {path: content.decode() for path, content in render(view).items()}
    slips = files["sheets/slips.html"]
    assert slips.count("<th>Victory points") == len(view.rounds[0].tables) == 2
    page = files["round-1.html"]
    for score in ("34", "12", "21", "20"):
        assert f'title="victory points">{score}</small>' in page
    assert '<span class="result">by concession</span>' in page
    rows = [row for row in csv.DictReader(io.StringIO(files["round-1.csv"])) if row["table"]]
    assert [row["victory points"] for row in rows] == ["34", "12", "21", "20"]
    assert [row["result"] for row in rows] == ["1–0", "1–0", "0–1 by concession", "0–1 by concession"]
    assert "1–0 (34 : 12)" in files["round-1.md"]
    assert "0–1 (21 : 20) by concession" in files["round-1.md"]
    winner = view.rounds[0].tables[1].seats[1]
    assert "won 1–0 (20 : 21) by concession" in files[f"player/{winner.player}.html"]
    round_ = json.loads(files["event.json"])["rounds"][0]
    assert (round_["score_name"], round_["tables"][1]["ended"]) == ("victory points", "by concession")
    plain = render(event())
    assert not any(b"Victory points" in content for content in plain.values())


def test_a_score_is_called_by_its_name_in_the_format(tmp_path):
    """In the column of the data and the field of the slips."""
    with new_desk(tmp_path, *"ABC", format_name="redline/scramble") as desk:
        desk.pair_round()
        desk.report(1, scores="9,26,12")
        files = {path: content.decode() for path, content in render(event_view(desk)).items()}
    assert "<th>Scramble count" in files["sheets/slips.html"]
    rows = list(csv.DictReader(io.StringIO(files["round-1.csv"])))
    assert [(row["score"], row["scramble count"]) for row in rows] == [
        ("3.", "9"),
        ("1.", "26"),
        ("2.", "12"),
    ]


def test_a_place_is_explained_once_for_the_same_results(tmp_path, monkeypatch):
    """Explanations stay while a round is incomplete and are made anew after a correction."""
    with new_desk(tmp_path, *(f"Player {number}" for number in range(1, 9)), rounds=3) as desk:
        play(desk)
        desk.pair_round()
        folder = tmp_path / "pages"
        publish(desk, folder)
        desk.report(1, "w")
        with monkeypatch.context() as patch:
            patch.setattr(explaining, "explain_all", pytest.fail)
            publish(desk, folder)
        assert {
            str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()
        } | {".tourney-published": b""} == render(event_view(desk)) | {".tourney-published": b""}
        desk.change_result(1, "l", round_number=1)
        before = (folder / "event.json").read_bytes()
        assert data.read_places(before).explained != event_view(desk).explained
        (folder / "event.json").write_bytes(before.replace(b"Player 3", b"Player X"))
        with pytest.raises(TourneyError, match="was changed since"):
            publish(desk, folder)
    assert data.read_places(b"{}") is None
    assert data.read_places(b"\xff") is None


def test_before_round_1_no_tie_break_is_shown(tmp_path):
    """None has decided anything yet.

    A player's card says what is next; no player, no empty table.
    """
    with new_desk(tmp_path) as desk:
        page = render(event_view(desk))["standings.html"].decode()
        assert "<table" not in page
        assert 'id="find"' not in page
        desk.add_players(["Mira", "Tomo"])
        pages = render(event_view(desk))
        assert b"<abbr" not in pages["standings.html"]
        assert b"Next: the first pairing" in pages["player/1.html"]
        play(desk)
        assert b"<abbr" in render(event_view(desk))["standings.html"]


def test_another_version_of_the_source_explains_places_anew(tmp_path, monkeypatch):
    """The digest of the source counts, so that a corrected text reaches pages already published."""
    from tourney.desk import views
    from tourney.store.data import program_digest

    source = tmp_path / "source"
    source.mkdir()
    (source / "words.py").write_text("SAID = 'mean of'")
    seen = []
    monkeypatch.setattr(views.tourney, "__file__", str(source / "__init__.py"))
    with new_desk(tmp_path, "Mira", "Tomo", "Zora", "Ann") as desk:
        play(desk)
        for text in ("SAID = 'mean of'", "SAID = 'mean of'", "SAID = 'average of'", None):
            program_digest.cache_clear()
            if text:
                (source / "words.py").write_text(text)
            else:
                (source / "words.py").unlink()
            seen.append(event_view(desk).explained)
    program_digest.cache_clear()
    assert seen[0] == seen[1] != seen[2]
    assert seen[3] == "", "of a program whose source is not there nothing is taken over"


def test_a_page_is_rendered_by_its_address_alone(monkeypatch):
    """A server keeps the site of an entry and fills only the page that is requested."""
    view = event(3)
    site, folder = site_of(view), render(view, ["html"])
    assert {address: site.page(address) for address in site.pages} == {
        address: page for address, page in folder.items() if address.endswith(".html")
    }
    filled, fill = [], pages.fill
    monkeypatch.setattr(
        pages, "fill", lambda name, *more, **facts: filled.append(name) or fill(name, *more, **facts)
    )
    assert site_of(view).page("round-2.html") == folder["round-2.html"]
    assert filled == ["round.html"]
    with pytest.raises(KeyError):
        site.page("round-9.html")


def test_what_a_server_adds_is_only_on_the_live_page():
    """Script, stream, account and panel; without them the page is the folder's, byte for byte."""
    site = site_of(event(3))
    live = Live(
        script="/live.js",
        stream="/news?a=1&b=2",
        account=(Link("/me", "<Mira>"), Link("/out", "Sign out")),
        panel=Markup("<form></form>"),
    )
    for address in site.pages:
        plain, page = site.page(address).decode(), site.page(address, live).decode()
        assert '<script src="/live.js" data-stream="/news?a=1&amp;b=2" data-offline=' in page
        whole = address != "screen.html"  # which has no room for more than news
        assert ('<a href="/me">&lt;Mira&gt;</a> · <a href="/out">Sign out</a>' in page) is whole
        assert ("<form></form>" in page) is whole
        added = set(page.splitlines()) - set(plain.splitlines())
        assert len(added) == (3 if whole else 1)
        assert [line for line in page.splitlines() if line not in added] == plain.splitlines()
    assert "&lt;form&gt;" in site.page("index.html", Live(panel="<form>")).decode()


def test_a_players_page_says_what_is_next_for_them(tmp_path):
    """In every phase; nothing for players who left or are out, and nothing after the event."""

    def told(desk):
        event = event_view(desk, with_reasons=False)
        made = render(event, ["html"])
        home = made["index.html"].decode()
        said = {}
        for player in event.players:
            own = re.findall(r'class="next">([^<]+)', made[f"player/{player.player}.html"].decode())
            said[player.name] = own[0] if own else ""
            [line] = re.findall(rf'<li [^>]*data-id="{player.player}"[^>]*>', home)
            assert ("data-out" in line) == (bool(site_of(event).next) and not own)
        return said

    with new_desk(tmp_path, *"ABCDEF", rounds=2) as desk:
        assert set(told(desk).values()) == {"Next: the first pairing"}
        play(desk)
        desk.drop("F")
        assert told(desk) == {**dict.fromkeys("ABCDE", "Next: round 2 of 2"), "F": ""}
        play(desk)
        assert told(desk) == {**dict.fromkeys("ABCDE", "This is the last round"), "F": ""}
        desk.cut(4, lot=True)
        through = {desk.state.players[player].name for player in desk.state.cut.players}
        assert told(desk) == {name: "Next: the bracket" if name in through else "" for name in "ABCDEF"}
        desk.pair_round()
        desk.report_block([f"{next(iter(desk.state.round.tables))} w"])
        said = told(desk)
        assert sum(bool(text) for text in said.values()) == 3
        assert {*said.values()} == {"Next: the next round of the bracket", ""}
        desk.report_block(f"{table} w" for table in desk.state.round.playing)
        desk.pair_round()
        assert sorted(told(desk).values()) == [""] * 4 + ["Next: the final places"] * 2
        desk.report_block(f"{table} w" for table in desk.state.round.playing)
        assert set(told(desk).values()) == {""}


def line_of(made, player):
    """Return what the home page's list and the player's own page say of a player."""
    [line] = re.findall(rf'(?s)<li [^>]*data-id="{player}"[^>]*>.*?</li>', made["index.html"].decode())
    [card] = re.findall(r'(?s)<section class="card".*?</section>', made[f"player/{player}.html"].decode())
    return tuple(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", each)).strip() for each in (line, card))


def test_a_card_has_the_bracket_record_then_place_and_prize(tmp_path):
    """Players who missed the cut get their rank in the Swiss rounds instead."""
    table = (
        'currency = "EUR"\n[[prize]]\nplaces = 1\ncash = "20.00"\n[[prize]]\nplaces = 5\nbyes = 1',
        "p.toml",
    )
    with new_desk(tmp_path, *(f"Player {letter}" for letter in "ABCDEFGH"), rounds=2, best_of=3) as desk:
        play(desk)
        play(desk)
        desk.cut(4, lot=True)
        missed = next(
            player.id for player in desk.state.players.values() if player.id not in desk.state.cut.players
        )
        desk.pair_round()
        for number in (1, 2):
            view = event_view(desk, with_reasons=False)
            made = render(view, ["html"])
            for player in view.players:
                row = next(row for row in view.standings.rows if row.player == player.player)
                for line in line_of(made, player.player):
                    assert row.record in line, (number, player.name)
                    assert "no table this round" not in line
            rank = next(row.rank for row in view.standings.rows if row.player == missed)
            assert all(f"Rank {rank} in the Swiss rounds" in line for line in line_of(made, missed))
            desk.report_block(f"{player_id} 2-0" for player_id in desk.state.round.playing)
            if number == 1:
                desk.pair_round()
        desk.close()
        view = event_view(desk, with_reasons=False, prizes=table)
        made = render(view, ["html"])
    for row in view.final.rows:
        for line in line_of(made, row.player):
            assert f"{'Place' if row.first == row.last else 'Places'} {row.place} " in line
            assert "Table" not in line
            assert (row.prize or "EUR") in line or not row.prize
    assert "<h2>Players by name</h2>" in made["index.html"].decode()


def test_a_card_has_the_place_at_the_end_without_a_bracket(tmp_path):
    """The rank is the place; a disqualified player has none."""
    with new_desk(tmp_path, "Mira", "Tomo", "Zora", "Ann", rounds=1) as desk:
        play(desk)
        desk.disqualify("Ann")
        desk.close()
        view = event_view(desk, with_reasons=False)
        made = render(view, ["html"])
    places = {
        row.name: ["Place" in line for line in line_of(made, row.player)] for row in view.standings.rows
    }
    assert places == {"Mira": [True] * 2, "Tomo": [True] * 2, "Zora": [True] * 2, "Ann": [False] * 2}


def test_nobody_is_champion_of_a_final_lost_by_both(tmp_path):
    """They share the first two places and their prizes; each is shown with both places."""
    table = (
        'currency = "EUR"\n[[prize]]\nplaces = 1\ncash = "50.00"\n[[prize]]\nplaces = 2\ncash = "25.01"',
        "p.toml",
    )
    with new_desk(tmp_path, "Mira", "Tomo", "Zora", "Ann", system="elimination") as desk:
        play(desk)
        desk.pair_round()
        desk.report(1, "dl")
        desk.close()
        view = event_view(desk, with_reasons=False, prizes=table)
    made = {path: page.decode() for path, page in render(view, ["html"]).items()}
    assert "Champion" not in made["index.html"] + made["bracket.html"]
    assert made["index.html"].count("<b>1–2</b>") == 2 * 2
    assert {row.prize for row in view.final.rows if row.prize} == {"37.51 EUR", "37.50 EUR"}


def test_facts_about_all_tables_are_computed_once_a_round():
    """They are cached on the view and left out of its JSON."""
    view = event(2).rounds[-1]
    assert view.playing is view.playing
    assert (view.playing, view.mixed) == ((3,), False)
    assert replace(view, tables=view.tables[:2]).playing == ()
    assert {"playing", "mixed"}.isdisjoint(json.loads(render(event(2), ["json"])["event.json"])["rounds"][0])


def test_compiled_templates_are_cached(tmp_path, monkeypatch):
    """The bytes are the same with and without a cache; damaged files are compiled anew."""
    from jinja2 import Environment

    kept = tmp_path / "cache" / "tourney" / "compiled"

    def made():
        language._environment.cache_clear()
        return language.fill("live/broken.html", "en", **facts)

    site = pages.Site(event(1))
    facts = {"site": site, "event": site.event, "live": pages.Live(), "path": "", "up": ""}
    try:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        (tmp_path / "cache").write_text("")
        first = made()
        (tmp_path / "cache").unlink()
        assert made() == first
        assert len([*kept.iterdir()]) == 1
        for path in kept.iterdir():
            path.write_bytes(path.read_bytes()[:60])
        assert made() == first
        with monkeypatch.context() as patch:
            patch.setattr(Environment, "compile", pytest.fail)
            assert made() == first
    finally:
        language._environment.cache_clear()


def needing(**of_one):
    """Return what two players at table 3 need; the other is in with a draw."""
    rows = [
        NeedView(player=PlayerId(5), name=NAMES[4], rank=5, points="½", table=3, **of_one),
        NeedView(player=PlayerId(6), name=NAMES[5], rank=6, points="0", table=3, now="open", win="in",
            draw="in", loss="out", says="draw"),
    ]  # fmt: skip
    return NeedsView(cut=4, at="2026-10-04T14:00:02+02:00", tables=1, rows=tuple(rows))


@with_rows(
    ("now", "draw", "message"),
    [
        ("open", "in", "suits"),
        ("in", "in", "suits"),
        ("open", "open", "open"),
        ("open", "out", "not enough"),
        ("out", "out", "not enough"),
        ("open", "", ""),
    ],
)
def test_pages_say_as_the_terminal_does_if_a_draw_suits_both(now, draw, message):
    """A draw does not suit a player who is out anyway; then nothing is open."""
    needs = needing(now=now, win="in", draw=draw, loss="out", says="win")
    assert needs.drawn(3) == message
    assert needs.drawn(2) == ""
    page = render(replace(event(), needs=needs), ["html"])["player/5.html"].decode()
    sentences = {
        "suits": "A draw is enough for both players",
        "open": "It is not decided yet whether a draw is enough for both players",
        "not enough": "A draw is not enough for both players",
    }
    assert [word for word, sentence in sentences.items() if sentence in page] == (
        [message] if message else []
    )
