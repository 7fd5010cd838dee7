"""The tables "Where each rule is" in the games' notes are complete, and their places exist."""

import re
from importlib import import_module
from pathlib import Path

import tourney.games
from tests.kit import with_rows

GAMES = Path(tourney.games.__file__).parent
FOLDERS = sorted(path.parent.name for path in GAMES.glob("*/NOTES.md"))
LINES = re.compile(r"L(\d+)(?:-(\d+))?")


def rows(folder):
    """Return (lines, place) for each row of the table."""
    text = (GAMES / folder / "NOTES.md").read_text(encoding="utf-8")
    table = text.partition("## Where each rule is")[2]
    cells = [row.strip("|").split(" | ") for row in table.splitlines() if re.match(r"\| [L–]", row)]
    return [(lines.strip(), where.strip(" |")) for lines, _, where in cells]


def numbers(text):
    """Return every line number in `text`: L24-26 is three of them."""
    return {
        number for first, last in LINES.findall(text) for number in range(int(first), int(last or first) + 1)
    }


@with_rows("folder", FOLDERS)
def test_every_place_exists(folder):
    """A question of the judge, a table of the format, or a name in it."""
    game = import_module(f"tourney.games.{folder}.judge").GAME
    questions = {question.name for question in game.questions}
    formats = {path: path.read_text(encoding="utf-8") for path in (GAMES / folder).glob("*.toml")}
    ids = {f"{folder.replace('_', '-')}/{format_.stem}" for format_ in formats} | {
        "event new --banlist",
        "penalty add",
        "event deck layout",
        "event deck missions",
        "event deck critical",
    }
    for text in formats.values():
        ids |= set(re.findall(r'(?:\bid|^zone) *= "([a-z-]+)"', text, re.MULTILINE))
        ids |= set(re.findall(r"^(\[\[?[a-z_.]+\]\]?)", text, re.MULTILINE))
        ids |= set(re.findall(r"^([a-z_]+) *= ", text, re.MULTILINE))
    for lines, where in rows(folder):
        for name in re.findall(r"`([^`]+)`", where):
            exists = name.removeprefix("judge ") in questions if name.startswith("judge ") else name in ids
            assert exists, f"{folder}, {lines}: there is no `{name}`"
        assert where, lines


@with_rows("folder", FOLDERS)
def test_every_cited_line_is_in_the_table(folder):
    """Lines cited by the format and by the judge's answers."""
    table_lines = set().union(*(numbers(lines) for lines, _ in rows(folder)))
    for path in [*(GAMES / folder).glob("*.toml"), GAMES / folder / "judge.py"]:
        cited = {int(first) for first, _ in LINES.findall(path.read_text(encoding="utf-8"))}
        assert not cited - table_lines, f"{path.name} cites lines that the table of {folder} does not name"


@with_rows("folder", FOLDERS)
def test_a_table_has_rows(folder):
    assert len(rows(folder)) >= 10
