"""The sheet of a game for players: all rules, choices and questions with source and mark."""

import html
import importlib

import pytest

from tests.desk.kit import library, new_desk
from tests.kit import with_rows
from tourney.desk import event_view
from tourney.games.sheet import as_markdown, game_sheet, lines_of
from tourney.publish import render

GAMES = ("diamonsters", "dimrift", "kingdoms", "red-diamond", "redline")
MARKS = {"law", "reading", "elsewhere", "house"}


def formats_of(game):
    return [library().format(name) for name in library().formats() if name.startswith(f"{game}/")]


@with_rows("game", GAMES)
def test_the_sheet_of_a_game_is_complete(game):
    """Zones, rules, choices, the match and the judge's questions of every format, marked."""
    formats = formats_of(game)
    sheet = game_sheet(formats)
    assert {format_.id for format_ in sheet.formats} == {format_.id for format_ in formats}
    for play_format in sheet.formats:
        lines = [line for section in play_format.sections for line in section.lines]
        assert all(line.mark in MARKS and line.cite and line.says for line in lines)
        assert play_format.base or {"match", "clock", "cut", "standings"} <= {line.handle for line in lines}
    sheet_text = "\n".join(text for _, _, text in lines_of(sheet))
    for format_ in formats:
        assert all((zone.rule.title or "") in sheet_text for zone in format_.zones)
        assert all(
            rule.rule.title in sheet_text
            for rules in format_.rules.values()
            for rule in rules
            if rule.rule.title
        )
        assert all(setting.about in sheet_text for setting in format_.settings.values())
        assert all(day.rule.says in sheet_text for day in format_.day)
        assert all(line.rule.says in sheet_text for line in format_.judge)
        assert not format_.match.sides or all(side in sheet_text for side in format_.match.sides)
    module = importlib.import_module(f"tourney.games.{game.replace('-', '_')}.judge")
    assert [question.name for question in sheet.questions] == [
        question.name for question in module.GAME.questions
    ]
    assert all(question.asks in sheet_text for question in module.GAME.questions)


@with_rows("game", GAMES)
def test_every_exception_of_a_shipped_format_has_its_source(game):
    """An exception to a general rule has a title and cites its line."""
    for format_ in formats_of(game):
        for placed in format_.rules["limit"]:
            assert all(exception.cite and exception.title for exception in placed.rule.exceptions)


def test_a_question_answered_elsewhere_is_not_marked_as_law():
    """Answers from DimRift's wiki are marked as from elsewhere."""
    attributions = {
        question.name: question.attribution for question in game_sheet(formats_of("dimrift")).questions
    }
    assert attributions["crew"].startswith("[law] ")
    assert attributions["duel"].startswith("[elsewhere] ")


def test_both_formats_of_dimrift_have_the_same_lines_for_the_table():
    """Neither extends the other. Only rifts are from elsewhere."""
    classic, open_ = (
        next(section for section in format_.sections if section.title == "At the table").lines
        for format_ in game_sheet(formats_of("dimrift")).formats
    )
    assert classic == open_
    assert [line.mark for line in classic if "rift" in line.says] == ["elsewhere"] * 2
    assert {line.mark for line in classic if "rift" not in line.says} == {"law"}


def test_the_organizers_number_of_pieces_replaces_the_printed_ones():
    """Diamonsters: one goal for all tables."""
    shown = [text for _, _, text in lines_of(game_sheet(formats_of("diamonsters"), {"pieces": 7}))]
    assert any("first to 7 wins" in text for text in shown)
    assert not any("5 for 2" in text and "first to" in text for text in shown)


def test_an_extending_format_shows_only_differences():
    """Scenario Play has a layout instead of the mission deck."""
    sheet = game_sheet(formats_of("redline"))
    scenario = next(format_ for format_ in sheet.formats if format_.id == "redline/scenario")
    assert scenario.base == "redline/standard"
    assert [line.handle for section in scenario.sections for line in section.lines] == [
        "Red line",
        "layout-copies",
        "match",
        "layout",
        "layout_copies",
        "layout-copies-reading",
    ]
    assert any("3 copies of any one mission" in rule for rule in scenario.away)
    first = sheet.formats[0]
    copies = next(section for section in first.sections if section.title.startswith("Rules for every deck"))
    assert [line.attribution for line in copies.lines if "number of basic supply drops" in line.says] == [
        "[law] Arsenal Construction 4, L44"
    ]


def test_the_page_of_an_event_shows_its_choices(tmp_path):
    """Linked from the home page and in Markdown, without other formats."""
    with new_desk(tmp_path, "Ada", "Ben", goal=45) as desk:
        files = render(event_view(desk))
    page = html.unescape(files["game.html"].decode())
    assert "chosen for this event: 45" in page
    assert "first to 45 wins" in page
    assert "first to 30 wins" not in page
    assert "[law] Play Essentials, L24" in page
    assert 'href="game.html"' in files["index.html"].decode()
    assert "### The deck" in files["game.md"].decode()


@pytest.mark.parametrize(
    ("banlist", "line", "source"),
    [
        ("none", "", False),
        (None, "Ban list: not checked, as red-diamond/standard is not installed.", True),
        ("red-diamond/example", "Ban list: red-diamond/example.", False),
    ],
)
def test_the_page_of_an_event_names_the_ban_list_that_the_event_has(tmp_path, banlist, line, source):
    """An event without a list shows none.

    A list that is not installed has the place of publication.
    """
    with new_desk(tmp_path, "Ada", banlist=banlist) as desk:
        view = event_view(desk)
    (shown,) = view.game.formats
    assert [remark for remark in shown.remarks if "ban list" in remark.casefold()] == ([line] if line else [])
    assert any(source.startswith("ban list:") for source in view.game.sources) is source


def test_an_invented_game_without_questions_has_a_sheet(tmp_path):
    """A format file is enough, and Markdown characters are escaped."""
    from tourney.rules import parse_format

    format_ = parse_format(
        '[format]\nid = "my-game/one"\nname = "My *Game*"\n', source="one.toml", parent={}.__getitem__
    )
    sheet = game_sheet([format_])
    assert (sheet.name, sheet.questions) == ("My *Game*", ())
    assert as_markdown(sheet).startswith("# My \\*Game\\*\n")
