"""Comparing an event with pages, exports, copies or digests that were kept earlier."""

import json
import shutil

import pytest

from tests.desk.kit import lent, new_desk, open_desk, play
from tests.desk.test_verifying import NAMES, forge, replace
from tests.kit import with_rows
from tourney.desk import Desk, compare, event_view, export, find_history
from tourney.errors import TourneyError
from tourney.event.showing import standings_view
from tourney.publish import render
from tourney.record import Table

KINDS = (
    "verification.html",
    "verification.md",
    "event.json",
    "friday.jsonl",
    "friday.toml",
    "copy.tourney",
    "digest",
)
CHAINED = ("verification.html", "event.json", "friday.jsonl", "copy.tourney")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Make an event in its first round, with all kinds of kept states after the pairing."""
    folder = tmp_path_factory.mktemp("shop")
    with new_desk(folder, *NAMES) as desk:
        desk.pair_round()
        export(desk, folder)
        for name, content in render(event_view(desk), ["html", "json", "markdown"]).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        (folder / "digest").write_text(desk.state.digest, encoding="utf-8")
    shutil.copy(folder / "friday.tourney", folder / "copy.tourney")
    return folder


@pytest.fixture
def folder(shop, tmp_path):
    """A separate folder with the same event."""
    shutil.copy(shop / "friday.tourney", tmp_path / "friday.tourney")
    return tmp_path


def kept(shop, kind):
    return find_history((shop / kind).read_text(encoding="utf-8") if kind == "digest" else str(shop / kind))


@pytest.mark.parametrize("kind", KINDS)
def test_a_continued_history_is_recognized(shop, folder, kind):
    """The common entry is named, even without new entries."""
    with open_desk(folder) as desk:
        before = desk.state.entry
        assert compare(desk, kept(shop, kind)).continues is True
        desk.report(1, "w")
        differences = compare(desk, kept(shop, kind))
    assert (differences.continues, differences.entry, differences.differs) == (True, before, None)
    assert (
        differences.text
        == f"this history continues the earlier one: entry {before} is the same, with 1 later entry"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_rewritten_history_is_found(shop, folder, kind):
    """The message names the changed entry if the saved state has the digests of all entries."""
    with open_desk(folder) as desk:
        paired = desk.state.round.paired.entry
        desk.report(1, "w")

    def change(seq, op):
        if seq != paired:
            return op
        return replace(op, tables=(*op.tables[:-1], Table(op.tables[-1].number, op.tables[-1].seats[::-1])))

    with forge(folder, change) as desk:
        differences = compare(desk, kept(shop, kind))
        assert differences.continues is False
        if kind in CHAINED:
            assert (differences.entry, differences.differs) == (paired - 1, paired)
            assert differences.text.startswith(
                f"entry {paired} is the first that differs; here it says: Round 1 is paired"
            )
        else:
            assert differences.differs is None


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_an_older_state_does_not_continue_a_newer_one(shop, tmp_path, kind):
    """An example is a file that was restored to an earlier state."""
    with new_desk(tmp_path, *NAMES) as desk:
        differences = compare(desk, kept(shop, kind))
    assert differences.continues is False
    assert "ends with entry 2" in differences.text
    if kind in CHAINED:
        assert (differences.entry, differences.differs) == (2, 3)
        assert differences.text.endswith("the other one is newer")


def test_a_digest_is_found_at_its_entry(folder):
    """The answer says whether the digest is in this chain, and at which entry."""
    with open_desk(folder) as desk:
        for number, digest in enumerate(desk.chain, 1):
            assert compare(desk, find_history(digest.upper())).entry == number
        differences = compare(desk, find_history("0" * 64))
    assert (differences.continues, differences.text) == (
        False,
        "this history has 3 entries, and no entry with this digest",
    )


def test_a_short_digest_proves_only_a_difference(folder, tmp_path):
    """Twelve digits can collide. Pages of older versions had no more."""
    with open_desk(folder) as desk:
        digest = desk.state.digest
        page = tmp_path / "old.html"
        page.write_text(f"<p>Shows entry 3, {digest[:12]} of the event's journal.</p>", encoding="utf-8")
        for kept_state in (digest[:12], str(page)):
            differences = compare(desk, find_history(kept_state))
            assert (differences.continues, differences.entry) == (None, 3)
            assert "a forged history could match" in differences.text
        differences = compare(desk, find_history("0" * 12))
        assert differences.continues is False
        assert differences.text.endswith("and no entry with a digest that begins with these 12 digits")
        page.write_text(f"<p>Shows entry 2, {digest[:12]} of the event's journal.</p>", encoding="utf-8")
        assert compare(desk, find_history(str(page))).continues is False


def test_json_output_can_be_kept(folder, tmp_path):
    """Any object with `entry` and `digest`."""
    with open_desk(folder) as desk:
        receipt = tmp_path / "receipt.json"
        receipt.write_text(
            json.dumps({"schema": "x", "entry": 3, "digest": desk.state.digest}), encoding="utf-8"
        )
        assert compare(desk, find_history(str(receipt))).continues is True
        receipt.write_text(json.dumps({"entry": 2, "digest": desk.state.digest}), encoding="utf-8")
        assert compare(desk, find_history(str(receipt))).continues is False


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("index.html", "<html>nothing</html>", "does not contain an entry and a digest of an event"),
        ("a.json", "[1]", "does not contain an entry"),
        ("a.json", '{"entry": 1}', "does not contain an entry"),
        ("a.json", '{"entry": true, "digest": 3}', "does not contain an entry"),
        ("a.json", json.dumps({"entry": -50, "digest": "a" * 64}), "does not contain an entry"),
        ("a.json", "{", "not readable as JSON"),
        ("a.toml", "a = [", "does not contain an entry"),
        ("a.jsonl", '{"schema":"tourney.journal/1","entries":1}\n', "there is no event in it"),
        ("a.txt", "", "does not contain an entry"),
        ("a.html", "<code id=digest data-entry=99999999999999999999>ab</code>", "does not contain an entry"),
        ("a.json", json.dumps({"entry": 2, "digest": "a" * 64, "chain": ["b" * 64]}), "contradicts itself"),
        ("a.json", '{"verification": 3, "entry": 2}', "does not contain an entry"),
    ],
)  # fmt: skip
def test_a_file_without_a_state_is_refused(tmp_path, name, content, message):
    """The hint lists the files that are accepted."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(TourneyError, match=message):
        find_history(str(tmp_path / name))


@with_rows("kept_state", ["abcd", "f" * 65, "no-such-page.html"])
def test_an_invalid_digest_is_refused(kept_state):
    """It is too short, too long, or not a file."""
    with pytest.raises(TourneyError):
        find_history(kept_state)


def test_a_damaged_copy_is_refused(shop, tmp_path):
    """Its chain proves nothing."""
    content = (shop / "copy.tourney").read_bytes()
    (tmp_path / "cut.tourney").write_bytes(content[: len(content) // 2])
    with pytest.raises(TourneyError):
        find_history(str(tmp_path / "cut.tourney"))


def test_one_result_changes_only_pages_that_show_it(tmp_path):
    """The digest is only on the page of verification and in event.json."""
    with new_desk(tmp_path, *NAMES, "Hal") as desk:
        desk.pair_round()
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        desk.pair_round()
        before = render(event_view(desk))
        table = desk.state.round.tables[4]
        desk.report(4, "w")
        after = render(event_view(desk))
        digest = desk.state.digest
    changed = {path for path in after if before.get(path) != after[path]}
    shown = {"index.html", "screen.html"} | {f"standings.{kind}" for kind in ("html", "csv", "md", "txt")}
    shown |= {f"round-2.{kind}" for kind in ("html", "csv", "md", "txt")}
    sealed = {"event.json", "verification.html", "verification.md"}
    players = {path for path in changed if path.startswith("player/")}
    assert changed - players == shown | sealed
    assert {f"player/{player}.html" for player in table.seats} == players
    holding = {path for path, content in after.items() if digest.encode() in content}
    assert holding == sealed
    for path in players:  # a page changes only if its visible text changes
        assert words(before[path]) != words(after[path])
    for path, content in after.items():
        if path.endswith(".html") and "/" not in path and path != "verification.html":
            assert b'href="verification.html"' in content


@pytest.mark.parametrize("rounds", [1, 3])
def test_one_result_changes_the_pages_of_its_players(tmp_path, rounds):
    """While others play. A complete round changes the places of all players."""
    with new_desk(tmp_path, *(f"Player {number}" for number in range(1, 25)), best_of=3) as desk:
        for _ in range(1, rounds):
            play(desk, "2-1")
        desk.pair_round()
        tables = desk.state.round.tables
        pages = _players_pages(desk)
        for number, table in tables.items():
            desk.report(number, "2-0" if number % 2 else "1-2")
            before, pages = pages, _players_pages(desk)
            if number == max(tables):
                break
            assert {path for path in pages if before[path] != pages[path]} == {
                f"player/{player}.html" for player in table.seats
            }
    assert all(f"Tie-breaks after round {rounds}<".encode() in page for page in pages.values())
    assert all(b'<p class="place">Place ' in page for page in pages.values())


def test_players_have_no_place_before_a_round_is_complete(tmp_path):
    """Their page has the match, and a link to provisional standings."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.pair_round()
        desk.report(1, "w")
        for page in _players_pages(desk).values():
            assert b"Place" not in page
            assert b"Tie-breaks" not in page
            assert b'Round 1 is not complete: <a href="../standings.html">provisional standings</a>' in page


def test_places_ignore_a_round_that_is_open_again(tmp_path):
    """A removed result opens its round again."""
    with new_desk(tmp_path, *NAMES) as desk:
        for _ in range(3):
            play(desk)
        desk.change_result(1, "-", round_number=2)
        view = event_view(desk)
        assert (view.settled.after, view.standings.after) == (1, 3)
        assert view.settled.rows == desk_rows_after(desk, 1)
        assert any(
            b">Place 1 after round 1<" in page and b"Round 2 is not complete" in page
            for page in _players_pages(desk).values()
        )


def desk_rows_after(desk, number):
    """Return the rows of the standings after a round, as pages show them."""
    return standings_view(desk.state, desk.standings(after=number)).rows


def _players_pages(desk):
    files = render(event_view(desk), ["html"])
    return {path: page for path, page in files.items() if path.startswith("player/")}


def words(page):
    """Return the main part of a page."""
    return page.decode().split("<main")[1].split("</main>")[0]


def test_an_entry_on_no_page_changes_only_the_seals(tmp_path):
    """After a remark at the desk, no player's page is written again."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.pair_round()
        before = render(event_view(desk))
        desk.check_in(1)
        after = render(event_view(desk))
    assert {path for path in after if before.get(path) != after[path]} == {
        "event.json",
        "verification.html",
        "verification.md",
    }


def test_the_answer_is_the_same_from_another_workplace(folder, shop):
    """The event is opened by another person on another machine."""
    with Desk.open(folder / "friday.tourney", lent("Zoe", "elsewhere")) as desk:
        assert compare(desk, kept(shop, "event.json")).continues is True


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.html", "<html><![foo[ x ]]>"),
        ("friday.toml", "event = 3"),
        ("friday.toml", f"[event]\nentries = {'9' * 5_000}"),
        ("friday.toml", "a." * 20_000 + "a = 1"),
        ("event.json", '{"verification": 3}'),
        ("event.json", "[" * 100_000),
    ],
)
def test_any_other_file_is_refused(tmp_path, name, content):
    """The command ends with an error message, not a traceback."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(TourneyError, match="does not contain an entry and a digest of an event"):
        find_history(str(tmp_path / name))
