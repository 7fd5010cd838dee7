"""`[match.score]` of a format: its keys, who has won, and overlays."""

import pytest

from tests.desk.kit import library
from tests.kit import with_rows
from tourney.desk.gathering import new_settings
from tourney.errors import TourneyError
from tourney.rules import parse_format
from tourney.rules.proofread import unused_settings
from tourney.rules.scoring import places, scoring_of
from tourney.rules.summary import sheet_of

HEAD = '[format]\nid = "game/score"\n[[zone]]\nid = "deck"\n[settings.goal]\ndefault = 30\n[settings.word]\ndefault = "x"\n'
END = '[[match.score.end]]\nword = "deck"\nsays = "the deck is empty"\n'


def format_of(score, *, match="seats = 2\ndraws = true\n", head=HEAD):
    return parse_format(
        f"{head}[match]\n{match}[match.score]\n{score}", source="f.toml", parent={}.__getitem__
    )


def scoring(score, **more):
    format_ = format_of(score, **more)
    return scoring_of(format_.match, format_.settings)


@with_rows(
    ("score", "message"),
    [
        ("goal = 30", "match.score: the key `name` is missing"),
        ('name = ""', "name: expected 1 to 40 printable characters"),
        (f'name = "{"x" * 41}"', "name: expected 1 to 40 printable characters"),
        ('name = "points"\ngoal = "thirty"', "match.score.goal: expected"),
        ('name = "points"\nwins = "goal"', "match.score: unknown key `wins`"),
        ('name = "points"\ngoal = 0', "goal: every player starts with 0, so a goal of 0 is reached at once"),
        ('name = "points"\ngoal = 5\nleast = 5', "goal: every player starts with 5, so a goal of 5 is reached at once"),
        ('name = "points"\ngoal = 5\nstep = 2',
         "goal: a player cannot have 5 points: scores go up from 0 in steps of 2"),
        ('name = "points"\ngoal = 5\nmost = 4', "goal: a player cannot have 5 points: the highest score is 4"),
        ('name = "points"\nleast = 5\nmost = 4', "most: 4 is less than the least score, 5"),
        ('name = "points"\nstep = 0', "step: 0 is below 1"),
        ('name = "points"\nmost = "goal"', "most: `goal` has no effect, because the score has no goal"),
        ('name = "points"\nmost = "many"', "match.score.most: expected "),
        ('name = "points"\nseveral = false',
         "several: this key has no effect, because the score has no goal"),
        ('name = "points"\ngoal = { two = 5 }', "goal: expected numbers of players"),
        ('name = "points"\ngoal = {}', "goal: expected numbers of players"),
        ('name = "points"\ngoal = { 2 = 5, 3 = 0 }', "goal: every player starts with 0, so a goal of 0 is reached at once"),
        ('name = "points"\nsetting = "gaol"', "setting: the format has no setting `gaol`; it has goal, word"),
        ('name = "points"\nsetting = "word"',
         "setting: `word` is not a whole number, so it cannot be the goal"),
        (f'name = "points"\n{END}{END}', "end[1].word: there are two ends `deck`"),
        ('name = "points"\n[[match.score.end]]\nword = "id"\nsays = "x"',
         "end[0].word: `id` should be a word"),
        ('name = "points"\n[[match.score.end]]\nword = "The deck"\nsays = "x"',
         "end[0].word: `The deck` should be a word"),
        ('name = "points"\n[[match.score.end]]\nword = "ruling"\nsays = "x"',
         "end[0].word: `ruling` is reserved"),
        ('name = "points"\n[[match.score.end]]\nword = "deck"\nsays = " "',
         "end[0].says: expected a sentence"),
        ('name = "points"\n[[match.score.end]]\nword = "deck"\nsays = "x"\nwins = "first"',
         "wins: expected "),
    ],
)  # fmt: skip
def test_rejects_a_score_that_cannot_be(score, message):
    """The error names the key."""
    with pytest.raises(TourneyError) as error:
        format_of(score)
    assert error.value.message.startswith("f.toml: match.score")
    assert message in error.value.message


def test_a_score_can_be_a_name_alone():
    """`score = "victory points"` decides no game."""
    format_ = parse_format(
        HEAD + '[match]\nscore = "victory points"\n', source="f.toml", parent={}.__getitem__
    )
    assert scoring_of(format_.match, format_.settings) is None


def test_without_a_goal_the_highest_score_wins():
    """At tables of two and three; equal scores are a draw."""
    rule = scoring('name = "points"\nleast = 10\nstep = 5')
    assert rule.winners((15, 25)).how == "25 is the most points"
    assert rule.winners((15, 25)).first == (1,)
    level = rule.winners((25, 25, 15))
    assert (level.first, level.drawn, level.decided) == ((0, 1), "may", True)
    assert rule.impossible(12, 2) == "a player cannot have 12 points: scores go up from 10 in steps of 5"
    assert rule.impossible(5, 2) is not None
    assert rule.impossible(35, 2) is None
    assert places((25, 25, 15), (0, 1)) == [1, 1, 3]


def test_a_setting_with_the_goal_is_used():
    """`format show --check` reports only the other setting."""
    unread = [finding.message for finding in unused_settings(format_of('name = "points"\nsetting = "goal"'))]
    assert len(unread) == 1
    assert "settings.word" in unread[0]


def test_an_overlay_inherits_the_score():
    """It inherits `[match]` and can change the setting with the goal."""
    parent = format_of('name = "points"\nsetting = "goal"')
    text = '[format]\nid = "club/score"\nextends = "game/score"\n[settings.goal]\ndefault = 50\n'
    child = parse_format(text, source="c.toml", parent={"game/score": parent}.__getitem__)
    assert scoring_of(child.match, child.settings).goal(2) == 50
    text = text.replace("default = 50", 'default = "many"')
    with pytest.raises(TourneyError, match="`goal` is not a whole number"):
        parse_format(text, source="c.toml", parent={"game/score": parent}.__getitem__)


@with_rows(("wanted", "goal"), [({}, 30), ({"goal": 150}, 150)])
def test_the_organizer_can_choose_the_goal(wanted, goal):
    """Red Diamond leaves the goal to official events."""
    format_ = library().format("red-diamond/standard")
    settings = new_settings(format_, wanted, lambda: None)
    assert scoring_of(format_.match, format_.settings, settings.match.choices).goal(2) == goal


@with_rows(
    ("name", "wanted"),
    [("red-diamond/standard", {"goal": 0}), ("redline/scramble", {"scramble_count": -25}),
     ("diamonsters/standard", {"pieces": -1})],
)  # fmt: skip
def test_rejects_a_goal_reached_at_the_start(name, wanted):
    """Every player would have it before the first move."""
    with pytest.raises(TourneyError, match="is reached at once"):
        new_settings(library().format(name), wanted, lambda: None)


@with_rows(
    ("name", "says"),
    [
        ("red-diamond/standard", "victory points: first to 30 wins"),
        ("redline/scramble", "the mission deck has run out: the highest scramble count wins"),
        (
            "diamonsters/standard",
            "plastic diamonds: first to 5 for 2, 4 for 3, 3 for 4 and more players wins",
        ),
    ],
)
def test_the_sheet_shows_the_score_and_its_ends(name, says):
    """Time, concession and ruling are house rules; the other ends cite the text."""
    sections = dict(sheet_of(library().format(name)).sections)
    assert any(says in line.says for line in sections["The match"])
    ends = {line.says.split("`")[1]: line for line in sections["The match"] if line.handle == "end"}
    assert {ends[word].standing for word in ("time", "concession", "ruling")} == {"house"}
    own = [line for word, line in ends.items() if word not in {"time", "concession", "ruling"}]
    assert own
    assert all(line.cite and line.standing != "house" for line in own)


@with_rows(
    ("name", "says"),
    [
        ("red-diamond/standard", "`=` alone means a draw by `agreement`"),
        ("redline/standard", "`=` alone is refused: `= --ended time` says how the game ended"),
        ("redline/scramble",
         "`=` alone is refused: `= --ended deck`, `= --ended time` or `= --ended ruling` says how the game ended"),
        ("kingdoms/standard", None),
        ("kingdoms/two-games", None),
        ("dimrift/classic", None),
    ],
)  # fmt: skip
def test_the_sheet_explains_a_bare_draw(name, says):
    """It has no line if a bare draw needs no explanation."""
    sections = dict(sheet_of(library().format(name)).sections)
    lines = [line.says for line in sections["The match"] if line.handle == "draw"]
    assert lines == ([says] if says else [])
