"""No input takes more than 500 MB: each is read in a process that has no more, and is refused with its place."""

import json
import subprocess
import sys

import pytest

from tests.store.workbooks import MAIN, sheet_xml, workbook

resource = pytest.importorskip("resource", reason="only POSIX limits the memory of a process")

MOST = 500_000_000
LIST = [["Name", "Club"], ["Mira Oake", "Harbour"]]
CHILD = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv = ["tourney", *sys.argv[2:]]
runpy.run_module("tourney", run_name="__main__")
"""


def tourney(folder, *words, stdin=b""):
    """Run the program with 500 MB; return the exit code and what went to stderr."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(MOST), *words],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stderr.decode()


@pytest.fixture
def event(tmp_path):
    """A folder with an event."""
    words = ("event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none", "--quiet")
    assert tourney(tmp_path, *words)[0] == 0
    return tmp_path


def strings(content):
    return workbook(LIST, xl__sharedStrings_dot_xml=f"<sst xmlns='{MAIN}'>{content}</sst>")


WORKBOOKS = {
    "texts": (lambda: strings("<si/>" * 5_900_000), "xl/sharedStrings.xml has 5,900,002 tags"),
    "many texts": (lambda: strings("<si/>" * 400_000), "more than 300,000 texts"),
    "one text": (
        lambda: strings(f"<si>{'<r/>' * 100_000}</si>"),
        "text 1 of the workbook has more than 60,000 tags",
    ),
    "styles": (
        lambda: workbook(
            LIST,
            xl__styles_dot_xml=f"<styleSheet xmlns='{MAIN}'><cellXfs>{'<xf/>' * 900_000}</cellXfs></styleSheet>",
        ),
        "xl/styles.xml has 900,004 tags, at most 50,000 are read",
    ),
    "cells": (
        lambda: workbook(sheet_xml(f"<row>{'<c><v>1</v></c>' * 400_000}</row>")),
        "row 1 of xl/worksheets/sheet1.xml has more than 60,000 tags",
    ),
    "attributes": (
        lambda: workbook(sheet_xml("<row " + " ".join(f"a{n}=''" for n in range(100_000)) + "/>")),
        "has a tag of more than 500 attributes",
    ),
    "another name": (
        lambda: workbook(LIST, xl__texts_dot_bin=f"<sst xmlns='{MAIN}'>{'<si/>' * 900_000}</sst>"),
        "xl/texts.bin has 900,002 tags, at most 50,000 are read",
    ),
    "long cells": (
        lambda: workbook(
            sheet_xml("<row><c t='s'><v>0</v></c></row>" * 2_000),
            xl__sharedStrings_dot_xml=f"<sst xmlns='{MAIN}'><si><t>{'x' * 90_000}</t></si></sst>",
        ),
        "the cells up to here have more than 10,000,000 letters",
    ),
}


@pytest.mark.parametrize("case", WORKBOOKS)
def test_a_workbook_is_refused_before_it_fills_the_memory(event, case):
    """By the bytes that were read, whatever the zip says of them, and by the tags in them."""
    make, said = WORKBOOKS[case]
    (event / "list.xlsx").write_bytes(make())
    code, errors = tourney(event, "player", "import", "list.xlsx")
    assert code == 3, errors
    assert said in errors
    assert errors.startswith("error: list.xlsx")
    assert errors.count("hint:") == 1


def lines(line, count, header=""):
    return lambda: header + line * count


INPUTS = {
    "player import, lines": (
        "list.csv", lines("P\n", 3_000_000, "name\n"), "player import list.csv", "line 2,000,001: a table has at most 2,000,000 lines",
    ),
    "player import, players": (
        "list.csv", lines("P\n", 1_000_000, "name\n"), "player import list.csv", "a list has at most 25,000 players",
    ),
    "player import, letters": (
        "list.csv", lines("Player\n", 3_000_000, "name\n"), "player import list.csv", "list.csv: 21,000,005 bytes",
    ),
    "player import, cells": (
        "list.csv", lines("," * 1_000_000 + "\n", 4, "name,club\n"), "player import list.csv", "list.csv: line 2",
    ),
    "player import, empty lines": (
        "list.csv", lines("\n", 9_000_000, "name,club\n"), "player import list.csv", "a table has at most 2,000,000 lines",
    ),
    "standings, tables": (
        "results.json", lines(',{"a":1}', 3_000_000, '{"rounds":[[{}'), "standings --from results.json", "results.json: 24,000,",
    ),
    "standings, JSON": (
        "results.json", lines(",{}", 3_000_000, '{"rounds":[[{}'), "standings --from results.json", "3,000,004 lists and tables",
    ),
    "standings, results": (
        "results.csv", lines("1,A,B,2,0\n", 900_000, "round,player1,player2,wins1,wins2\n"), "standings --from results.csv",
        "results.csv: line 250001",
    ),
    "event import, results": (
        "results.csv", lines("1,A,B,2,0\n", 900_000, "round,player1,player2,wins1,wins2\n"), "event import results.csv --file new.tourney",
        "results.csv: line 250001",
    ),
    "event import, an export": (
        "cup.jsonl", lines('{"entry":1}\n', 4_000_000), "event import cup.jsonl --file new.tourney", "cup.jsonl: 48 MB or more",
    ),
    "event import, entries": (
        "cup.jsonl", lines('{"entry":1}\n', 3_000_000, '{"schema":"tourney.journal/1"}\n'), "event import cup.jsonl --file new.tourney",
        "cup.jsonl: entry 1",
    ),
    "pool import, JSON": (
        "cards.json", lines(',{}', 15_000_000, "[{}"), "pool import cards.json --game my-game --try", "15,000,002 lists and tables",
    ),
    "pool import, cards": (
        "cards.csv", lines("Card,1\n", 1_500_000, "name,cost\n"), "pool import cards.csv --game my-game --try",
        "line 120002: a file has at most 120,000 cards",
    ),
    "banlist import": (
        "list.toml", lines('"a",', 4_000_000, "banned = ["), "banlist import list.toml --from 2026-01-31 --as red-diamond/standard", "list.toml: 16,000,010 bytes",
    ),
    "deck check": (
        "deck.txt", lines("1 A\n", 2_000_000), "deck check deck.txt --format red-diamond/standard", "larger than 5 MB, not a decklist",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", INPUTS)
def test_a_file_is_refused_before_it_fills_the_memory(event, case):
    """Each command that reads a file from outside."""
    name, content, line, said = INPUTS[case]
    (event / name).write_text(content(), encoding="utf-8")
    code, errors = tourney(event, *line.split())
    assert code == 3, errors
    assert said in errors
    assert errors.count("hint:") <= 1
    assert "Memory" not in errors


def test_typed_lines_are_refused_before_they_fill_the_memory(event):
    """Results come on standard input."""
    for words in (("player", "add", "Mira", "Tomo"), ("round", "pair")):
        assert tourney(event, *words, "--quiet")[0] == 0
    code, errors = tourney(event, "result", "enter", stdin=b"1 1-0\n" * 3_000_000)
    assert code == 3, errors
    assert "at most 100,000 lines are read at once" in errors


def test_decklists_at_their_limit_fit_into_the_memory(event):
    """4 MB of each form in which a list can come."""
    forms = {
        "list.json": json.dumps([{}] * 900_000),
        "list.csv": "name,count\n" + "".join(f"Card {n},1\n" for n in range(200_000)),
        "list.txt": "".join(f"1 Card {n}\n" for n in range(200_000)),
        "list.xml": f"<deck>{'<a/>' * 900_000}</deck>",
    }
    for name, content in forms.items():
        (event / name).write_text(content, encoding="utf-8")
        code, errors = tourney(event, "deck", "check", name, "--format", "red-diamond/standard")
        assert code in {1, 3}, f"{name}: {errors}"
        assert "Memory" not in errors


def test_a_list_of_the_largest_size_fits_into_the_memory(event):
    """25,000 players of a workbook's sheet."""
    rows = "".join(
        f"<row><c t='inlineStr'><is><t>Player {n}</t></is></c><c><v>1500</v></c></row>" for n in range(24_000)
    )
    header = "<row><c t='inlineStr'><is><t>Name</t></is></c><c t='inlineStr'><is><t>Rating</t></is></c></row>"
    (event / "list.xlsx").write_bytes(workbook(sheet_xml(header + rows)))
    code, errors = tourney(event, "player", "import", "list.xlsx", "--quiet")
    assert code == 0, errors
