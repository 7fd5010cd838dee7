"""During a round, all standings say that they are provisional and how many tables are open."""

import html
import json
import re

import pytest
from click.testing import CliRunner

from tests.desk.kit import new_desk, play
from tourney.cli import root

SAID = "round 2 so far: 1 of 2 tables entered"


@pytest.fixture(scope="module")
def playing(tmp_path_factory):
    """Make an event in whose second round table 2 still plays, and export its results."""
    folder = tmp_path_factory.mktemp("playing")
    desk = new_desk(folder, "Mira Oake", "Tomo Reed", "Zora Finn", "Ann Pike")
    play(desk)
    desk.pair_round()
    desk.report_block(["1 w"])
    desk.leave()
    return folder


def run(folder, *words):
    result = CliRunner().invoke(root, [*words, "-e", str(folder / "friday.tourney")])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["standings"],
        ["standings", "--cut", "2"],
        ["standings", "--after", "2"],
        ["standings", "--compare"],
        ["standings", "compare", "tourney", "mtr", "--cut", "2"],
        ["standings", "why", "Mira"],
        ["player", "show", "Mira"],
        *(["standings", "--table", style] for style in ("markdown", "csv", "tsv", "html", "latex", "rst")),
    ],
    ids=" ".join,
)
def test_stdout_says_that_standings_are_provisional(playing, words):
    """Even with --quiet, which omits messages beside the answer."""
    assert SAID in run(playing, *words, "--quiet")


@pytest.mark.parametrize(
    "words",
    [
        ["standings"],
        ["standings", "compare", "mtr"],
        ["standings", "why", "Mira"],
        ["player", "show", "Mira"],
    ],
    ids=" ".join,
)
def test_json_says_that_standings_are_provisional(playing, words):
    """In two keys with the same names everywhere."""
    document = json.loads(run(playing, *words, "--json"))
    assert (document["provisional"], document["as_of"]) == (True, SAID)
    before = json.loads(run(playing, *words, "--json", "--after", "1")) if words[0] == "standings" else None
    assert before is None or (before["provisional"], before["as_of"]) == (False, "after round 1")


def test_pages_say_that_standings_are_provisional(playing):
    """Pages of players have the place after the last complete round."""
    pages = playing / "pages"
    run(playing, "publish", "--to", str(pages))
    for name in ("standings.md", "standings.csv", "event.json"):
        assert SAID in (pages / name).read_text(), name
    for name in ("index.html", "standings.html"):
        assert "Round 2 so far, 1 table open" in (pages / name).read_text(), name
    for number in range(1, 5):
        page = html.unescape((pages / f"player/{number}.html").read_text())
        assert re.search(r">\S+ · \S+ points?<", page)
        assert re.search(r">Place \d after round 1<", page)
        assert re.search(r"Round 2 is not complete: <a [^>]+>provisional standings<", page)
        assert "Tie-breaks after round 1<" in page
        assert "(provisional" not in page, "what is explained is the place that stands"


def test_standings_after_a_round_ignore_later_drops(tmp_path):
    """The percentages of a player who leaves later are not capped for earlier rounds."""

    def do(*words):
        done = CliRunner().invoke(root, [*words, "-e", str(tmp_path / "friday.tourney")])
        assert done.exit_code == 0, done.output
        return done.stdout

    do(
        "event",
        "new",
        "F",
        "--format",
        "red-diamond/standard",
        "--banlist",
        "none",
        "--rounds",
        "3",
        "--profile",
        "tom",
    )
    do("player", "add", "Mira", "Tomo", "Zora", "Ann", "Bela", "Cato")
    for _ in range(2):
        do("round", "pair")
        do("result", "add", "1..3", "1-0")
    leader = json.loads(do("standings", "--json"))["standings"][0]["number"]
    do("player", "drop", f"#{leader}")
    then = json.loads(do("standings", "--json"))["standings"]
    do("round", "pair")
    assert json.loads(do("standings", "--after", "2", "--json"))["standings"] == then
