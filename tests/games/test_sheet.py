"""A game on one sheet for players: every rule, choice and question of it, with its source and its mark."""

import html
import importlib

import pytest

from tests.desk.kit import library, new_desk
from tourney.desk import event_view
from tourney.games.sheet import as_markdown, game_sheet, lines_of
from tourney.publish import render

GAMES = ("diamonsters", "dimrift", "kingdoms", "red-diamond", "redline")
MARKS = {"law", "reading", "elsewhere", "house"}


def formats_of(game):
    return [library().format(name) for name in library().formats() if name.startswith(f"{game}/")]


@pytest.mark.parametrize("game", GAMES)
def test_nothing_of_a_game_is_missing(game):
    """Zones, rules, choices, the match, the day and the judge's questions of every format stand on the sheet, marked."""
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


@pytest.mark.parametrize("game", GAMES)
def test_every_exception_of_a_shipped_format_has_its_source(game):
    """An exception to a general rule has a title and cites its line."""
    for format_ in formats_of(game):
        for placed in format_.rules["limit"]:
            assert all(exception.cite and exception.title for exception in placed.rule.exceptions)


def test_a_question_that_the_rule_text_does_not_answer_is_no_law():
    """What a wiki alone says of DimRift is marked as from elsewhere, like a format's rules."""
    attributions = {
        question.name: question.attribution for question in game_sheet(formats_of("dimrift")).questions
    }
    assert attributions["crew"].startswith("[law] ")
    assert attributions["duel"].startswith("[elsewhere] ")


def test_both_formats_of_dimrift_say_the_same_of_the_table():
    """Neither builds on the other, so each has the lines of its own; only rifts are from elsewhere."""
    classic, open_ = (
        next(section for section in format_.sections if section.title == "At the table").lines
        for format_ in game_sheet(formats_of("dimrift")).formats
    )
    assert classic == open_
    assert [line.mark for line in classic if "rift" in line.says] == ["elsewhere"] * 2
    assert {line.mark for line in classic if "rift" not in line.says} == {"law"}


def test_an_organizers_number_of_pieces_replaces_the_printed_ones():
    """Diamonsters: one goal for every table, where the organizer says so."""
    shown = [text for _, _, text in lines_of(game_sheet(formats_of("diamonsters"), {"pieces": 7}))]
    assert any("first to 7 wins" in text for text in shown)
    assert not any("5 for 2" in text and "first to" in text for text in shown)


def test_a_format_that_builds_on_another_says_only_what_is_different():
    """Scenario Play has a layout in place of the mission deck; the arsenal is as it was."""
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
    assert [line.attribution for line in copies.lines if "basic supply drops, of which" in line.says] == [
        "[law] Arsenal Construction 4, L44"
    ]


def test_the_page_of_an_event_is_its_format_as_it_was_chosen(tmp_path):
    """Linked from the home page, in Markdown too; with the organizer's choice; nothing of other formats."""
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
    """An event without one shows none. Where the format's list is not installed, the page says where it is published."""
    with new_desk(tmp_path, "Ada", banlist=banlist) as desk:
        view = event_view(desk)
    (shown,) = view.game.formats
    assert [remark for remark in shown.remarks if "ban list" in remark.casefold()] == ([line] if line else [])
    assert any(source.startswith("ban list:") for source in view.game.sources) is source


def test_an_invented_game_without_questions_has_a_sheet(tmp_path):
    """The sheet knows no game: a format file alone will do, and what Markdown would take for markup is escaped."""
    from tourney.rules import parse_format

    format_ = parse_format(
        '[format]\nid = "my-game/one"\nname = "My *Game*"\n', source="one.toml", parent={}.__getitem__
    )
    sheet = game_sheet([format_])
    assert (sheet.name, sheet.questions) == ("My *Game*", ())
    assert as_markdown(sheet).startswith("# My \\*Game\\*\n")
