"""Input takes at most 500 MB: it is read in a process with that limit, and refused by place."""

import json
import shutil
import signal
import subprocess
import sys

import pytest

from tests.kit import amount, sampled
from tests.store.workbooks import MAIN, RELATIONS, rows_xml, sheet_xml, workbook

resource = pytest.importorskip("resource", reason="only POSIX limits the memory of a process")

pytestmark = pytest.mark.slow

MOST = 500_000_000
LIST = [["Name", "Club"], ["Mira Oake", "Harbour"]]
CHILD = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
sys.argv = ["tourney", *sys.argv[2:]]
runpy.run_module("tourney", run_name="__main__")
"""


def tourney(folder, *words, stdin=b""):
    """Run the program with 500 MB and a minute of processor time; return exit code and stderr."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(MOST), *words],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stderr.decode()


@pytest.fixture(scope="module")
def empty_event(tmp_path_factory):
    """Return a folder with an event, made once."""
    folder = tmp_path_factory.mktemp("event")
    words = ("event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none", "--quiet")
    assert tourney(folder, *words)[0] == 0
    return folder


@pytest.fixture
def event(empty_event, tmp_path):
    """Return a copy of the folder with an event."""
    return shutil.copytree(empty_event, tmp_path, dirs_exist_ok=True)


def strings(content, before=""):
    return workbook(LIST, xl__sharedStrings_dot_xml=f"{before}<sst xmlns='{MAIN}'>{content}</sst>")


ATTRIBUTES = " ".join(f"a{n} CDATA 'x'" for n in range(10_000))
TOO_MUCH = "takes too much memory or time to read"


def sheets_of_one_part(count):
    """Return a workbook of many sheets that are all the same empty part."""
    sheets = "".join(f'<sheet name="s{n}" sheetId="{n + 1}" r:id="rId1"/>' for n in range(count))
    book = f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>{sheets}</sheets></workbook>'
    return workbook(sheet_xml("<row/>" * 100_000), xl__workbook_dot_xml=book)


def shared_formula(letters, cells):
    """Return a workbook in which many cells share a long formula."""
    shared = '<c r="{}"><f t="shared" si="0"{}<v>1</v></c>'.format
    first = shared("A1", f' ref="A1:A{cells}">{"A1+" * (letters // 3)}A1</f>')
    rows = (f'<row r="{n}">{shared(f"A{n}", "/>")}</row>' for n in range(2, cells + 1))
    return workbook(sheet_xml(f'<row r="1">{first}</row>{"".join(rows)}'))


WORKBOOKS = {
    "texts": (lambda: strings("<si/>" * 5_900_000), TOO_MUCH),
    "styles": (
        lambda: workbook(
            LIST,
            xl__styles_dot_xml=f"<styleSheet xmlns='{MAIN}'>"
            f"<cellXfs>{'<xf/>' * 900_000}</cellXfs></styleSheet>",
        ),
        TOO_MUCH,
    ),
    "attributes of a document type": (
        lambda: strings(f"<si>{'<r/>' * 50_000}</si>", before=f"<!DOCTYPE sst [<!ATTLIST r {ATTRIBUTES}>]>"),
        TOO_MUCH,
    ),
    "a sheet many times": (lambda: sheets_of_one_part(500), TOO_MUCH),
    "a shared formula": (lambda: shared_formula(60_000, 3_000), TOO_MUCH),
    "cells": (
        lambda: workbook(sheet_xml(f"<row>{'<c><v>1</v></c>' * amount(200_000, of=400_000)}</row>")),
        "list.xlsx:1: the sheet is too large: ",
    ),
    "a wide row": (
        lambda: workbook(
            sheet_xml(
                rows_xml([["Name", *(f"c{n}" for n in range(999))]]) + "<row><c><v>1</v></c></row>" * 60_000
            )
        ),
        "a list has at most 25,000 players",
    ),
    "long cells": (
        lambda: workbook(
            sheet_xml("<row><c t='s'><v>0</v></c></row>" * 2_000),
            xl__sharedStrings_dot_xml=f"<sst xmlns='{MAIN}'><si><t>{'x' * 90_000}</t></si></sst>",
        ),
        "list.xlsx:112: the sheet is too large: ",
    ),
}


OFTEN = ("long cells",)
"""A workbook for one of the limits. Several of the others use up the time limit."""


@pytest.mark.parametrize("case", sampled(WORKBOOKS, OFTEN))
def test_a_workbook_is_refused_before_it_fills_the_memory(event, case):
    """The process that reads it is limited in memory, time and the size of its result."""
    make, message = WORKBOOKS[case]
    (event / "list.xlsx").write_bytes(make())
    code, errors = tourney(event, "player", "import", "list.xlsx")
    assert code == 3, errors
    assert message in errors
    assert errors.startswith("error: list.xlsx")
    assert errors.count("hint:") == 1


def test_a_workbook_is_not_read_longer_than_its_time():
    """With one second of processor time instead of ten."""
    command = "from tourney.store import workbook as child; child.MAX_SECONDS = 1; child.main()"
    done = subprocess.run(
        [sys.executable, "-c", command],
        input=shared_formula(60_000, 3_000),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == -signal.SIGKILL
    assert done.stdout == b""


def lines(line, count, header=""):
    return lambda: header + line * count


def numbered(line, count, header=""):
    return lambda: header + "".join(line.format(n) for n in range(count))


INPUTS = {
    "player import, lines": (
        "list.csv", lines("P\n", 3_000_000, "name\n"), "player import list.csv",
        "list.csv: 3,000,001 lines; the limit is 2,000,000",
    ),
    "player import, players": (
        "list.csv", lines("P\n", 1_000_000, "name\n"), "player import list.csv",
        "a list has at most 25,000 players",
    ),
    "player import, letters": (
        "list.csv", lines("Player\n", 3_000_000, "name\n"), "player import list.csv",
        "list.csv: 21,000,005 bytes",
    ),
    "player import, cells": (
        "list.csv", lines("," * 1_000_000 + "\n", 4, "name,club\n"), "player import list.csv",
        "list.csv: line 2",
    ),
    "player import, filled cells": (
        "list.csv", lines("P" + ",x" * 900 + "\n", 5_000,
            ",".join(["name", *(f"c{n}" for n in range(900))]) + "\n"),
        "player import list.csv", "list.csv:1111: a list has at most 25,000 players and",
    ),
    "player import, empty lines": (
        "list.csv", lines("\n", 9_000_000, "name,club\n"), "player import list.csv",
        "9,000,001 lines; the limit is 2,000,000",
    ),
    "standings, tables": (
        "results.json", lines(',{"a":1}', 3_000_000, '{"rounds":[[{}'), "standings --from results.json",
        "results.json: 24,000,",
    ),
    "standings, JSON": (
        "results.json", lines(",{}", 3_000_000, '{"rounds":[[{}'), "standings --from results.json",
        "3,000,004 lists and tables",
    ),
    "standings, results": (
        "results.csv",
        lines("1,A,B,2,0\n", amount(300_000, of=900_000), "round,player1,player2,wins1,wins2\n"),
        "standings --from results.csv",
        "results.csv: line 250001",
    ),
    "standings, players": (
        "results.csv", numbered("1,A{0},B{0},2,0\n", 230_000, "round,player1,player2,wins1,wins2\n"),
        "standings --from results.csv", "results.csv: line 12502: a file has at most 25,000 players",
    ),
    "event import, players": (
        "results.csv",
        numbered("1,A{0},B{0},2,0\n", amount(15_000, of=49_000), "round,player1,player2,wins1,wins2\n"),
        "event import results.csv --file new.tourney",
        "results.csv: line 12502: a file has at most 25,000 players",
    ),
    "event import, results": (
        "results.csv", lines("1,A,B,2,0\n", 900_000, "round,player1,player2,wins1,wins2\n"),
        "event import results.csv --file new.tourney",
        "results.csv: line 250001",
    ),
    "event import, an export": (
        "cup.jsonl", lines('{"entry":1}\n', 4_000_000), "event import cup.jsonl --file new.tourney",
        "cup.jsonl: larger than 40 MB",
    ),
    "event import, entries": (
        "cup.jsonl", lines('{"entry":1}\n', 3_000_000, '{"schema":"tourney.journal/1"}\n'),
        "event import cup.jsonl --file new.tourney",
        "cup.jsonl: entry 1",
    ),
    "pool import, JSON": (
        "cards.json", lines(',{}', 15_000_000, "[{}"), "pool import cards.json --game my-game --try",
        "15,000,002 lists and tables",
    ),
    "pool import, JSON keys": (
        "cards.json",
        numbered(',{{"name":"K","a{0}":1,"b{0}":1,"c{0}":1,"d{0}":1,"e{0}":1,"f{0}":1,"g{0}":1}}', 450_000,
            '[{"name":"K"}'),
        "pool import cards.json --game my-game --try", "3,600,000 values; the limit is 2,000,000",
    ),
    "pool import, one card": (
        "cards.json", lambda: json.dumps([{"name": "K", "a": ["x"] * 2_000_000}]),
        "pool import cards.json --game my-game --try",
        "card 1: 2,000,001 values of one card; the limit is 10,000",
    ),
    "pool import, cells": (
        "cards.csv", lines("K" + "," * 40_000 + "\n", 1_000,
            ",".join(["name", *(f"c{n}" for n in range(40_000))]) + "\n"),
        "pool import cards.csv --game my-game --try", "line 51: a file has at most 2,000,000 cells",
    ),
    "pool import, cards": (
        "cards.csv", lines("Card,1\n", amount(300_000, of=1_500_000), "name,cost\n"),
        "pool import cards.csv --game my-game --try", "line 120002: a file has at most 120,000 cards",
    ),
    "banlist import": (
        "list.toml", lines('"a",', 4_000_000, "banned = ["),
        "banlist import list.toml --from 2026-01-31 --as red-diamond/standard", "list.toml: 16,000,010 bytes",
    ),
    "deck check": (
        "deck.txt", lines("1 A\n", 2_000_000), "deck check deck.txt --format red-diamond/standard",
        "larger than 5 MB, so it is not a decklist",
    ),
}  # fmt: skip


SELDOM = (
    "player import, cells", "player import, filled cells", "player import, empty lines", "standings, tables",
    "standings, players", "event import, results", "event import, entries", "pool import, JSON",
)  # fmt: skip
"""Inputs whose reader and limit another one has, too."""


@pytest.mark.parametrize("case", sampled(INPUTS, INPUTS.keys() - {*SELDOM}))
def test_a_file_is_refused_before_it_fills_the_memory(event, case):
    """For each command that reads a file from outside."""
    name, content, line, message = INPUTS[case]
    (event / name).write_text(content(), encoding="utf-8")
    code, errors = tourney(event, *line.split())
    assert code == 3, errors
    assert message in errors
    assert errors.count("hint:") <= 1
    assert "Memory" not in errors


def test_standard_input_is_refused_before_it_fills_the_memory(event):
    """Lines of results. Empty lines count, too, and are read faster."""
    for words in (("player", "add", "Mira", "Tomo"), ("round", "pair")):
        assert tourney(event, *words, "--quiet")[0] == 0
    lines_of_results = b"1 1-0\n" * amount(300_000, of=3_000_000)
    code, errors = tourney(event, "result", "enter", stdin=b"\n" * 90_000 + lines_of_results)
    assert code == 3, errors
    assert "at most 100,000 lines are read at once" in errors


LISTS = {
    "list.json": lambda: json.dumps([{}] * 900_000),
    "list.csv": numbered("Card {},1\n", 200_000, "name,count\n"),
    "rows.csv": lines("A,1\n", 900_000, "name,count\n"),
    "tabs.txt": lines("1\tA\n", 900_000),
    "table.md": lines("|1|A|\n", 500_000, "| Qty | Name |\n|---|---|\n"),
    "beside.txt": lines("1 A | " * 40 + "\n", 15_000),
    "list.txt": numbered("1 Card {}\n", amount(50_000, of=200_000)),
    "list.xml": lambda: f"<deck>{'<a/>' * 900_000}</deck>",
}


@pytest.mark.parametrize("name", sampled(LISTS, ["list.txt"]))
def test_decklists_at_their_limit_fit_into_the_memory(event, name):
    """4 MB in each form of a list; an ordinary run reads 1 MB in one form."""
    (event / name).write_text(LISTS[name](), encoding="utf-8")
    code, errors = tourney(event, "deck", "check", name, "--format", "red-diamond/standard")
    assert code in {1, 3}, errors
    assert "Memory" not in errors


CARDS = {
    "cards.json": lambda: json.dumps(
        [{"name": f"Card {n}", "a": [f"{n}.{m}" for m in range(25)]} for n in range(70_000)]
    ),
    "cards.csv": lambda: (
        ",".join(["name", *(f"c{n}" for n in range(100))])
        + "\n"
        + "".join(f"Card {n}" + f",x{n % 1000}" * 100 + "\n" for n in range(19_000))
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", CARDS)
def test_a_table_of_cards_at_its_limit_fits_into_the_memory(event, name):
    """Two million values, as distinct texts and as cells."""
    (event / name).write_text(CARDS[name](), encoding="utf-8")
    code, errors = tourney(event, "pool", "import", name, "--game", "my-game", "--try")
    assert code in {0, 1, 3}, errors
    assert "Memory" not in errors


@pytest.mark.long
def test_a_list_of_the_largest_size_fits_into_the_memory(event):
    """25,000 players in a sheet of a workbook."""
    rows = "".join(
        f"<row><c t='inlineStr'><is><t>Player {n}</t></is></c><c><v>1500</v></c></row>" for n in range(24_000)
    )
    header = "<row><c t='inlineStr'><is><t>Name</t></is></c><c t='inlineStr'><is><t>Rating</t></is></c></row>"
    (event / "list.xlsx").write_bytes(workbook(sheet_xml(header + rows)))
    code, errors = tourney(event, "player", "import", "list.xlsx", "--quiet")
    assert code == 0, errors


def test_a_report_file_of_the_largest_size_is_read(event):
    """9,999 players: the last paired round is determined once, not for each player.

    An ordinary run has a quarter of them.
    """
    players = "".join(
        f"001 {n:4}      {f'Player {n}':33} {1500:4}                             0.0 {n:4}  0000 - Z\n"
        for n in range(1, amount(2_500, of=10_000))
    )
    (event / "cup.trf").write_text(f"012 Cup\n{players}", encoding="utf-8")
    for words in (
        ("standings", "--from", "cup.trf"),
        ("event", "import", "cup.trf", "--file", "cup2.tourney"),
    ):
        code, errors = tourney(event, *words)
        assert code == 0, errors
