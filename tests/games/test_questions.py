"""`tourney judge`: the questions of every game, as data and as commands."""

import json
import pkgutil
import random
import shlex
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Annotated, Literal

import pytest
from click.testing import CliRunner
from msgspec import Struct

from tests.kit import ROOT, amount, with_rows
from tourney import games
from tourney.cli import root
from tourney.decode import parse_toml
from tourney.games.questions import RuleReading, percent
from tourney.games.typed import Label, MisspeltError, reader_of, whole

GAMES = {
    iter_module.name.replace("_", "-"): import_module(f"tourney.games.{iter_module.name}.judge").GAME
    for iter_module in pkgutil.iter_modules(games.__path__)
    if iter_module.ispkg
}
QUESTIONS = [(game, question) for game, rows in GAMES.items() for question in rows.questions]
EXAMPLES = [
    (game, question, words, short)
    for game, question in QUESTIONS
    for words, short in question.examples.items()
]


def judge(*words):
    return CliRunner().invoke(root, ["judge", *words])


def answered(*words):
    done = judge(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@with_rows(("game", "question", "example", "short"), EXAMPLES)
def test_every_example_has_its_answer(game, question, example, short):
    """Examples of the help, run as commands: the answer first, its rule last, all in JSON."""
    words = [game, question.name, *shlex.split(example)]
    done = judge(*words)
    assert done.exit_code == 0, done.output
    assert done.stdout.split("\n")[0] == short
    assert "\nRule" in done.stdout
    explained = judge(*words, "--explain").stdout
    answer = answered(*words)
    assert answer["schema"] == "tourney.judge/1"
    assert (answer["game"], answer["question"], answer["answer"]) == (game, question.name, short)
    assert answer["working"], "an answer shows how it was found"
    assert all(step["step"] in explained for step in answer["working"])
    assert any(step["cite"] for step in answer["working"])
    assert set(answer["inputs"]) == {argument.label for argument in question.arguments}
    assert set(answer["reading"]) == {reading.name for reading in question.readings}


@with_rows("game", GAMES)
def test_a_game_lists_its_questions(game):
    """With `list` or without a question, each in one line."""
    result = judge(game, "list")
    assert result.exit_code == 0
    assert result.stdout == judge(game).stdout
    for line, question in zip(result.stdout.splitlines(), GAMES[game].questions, strict=True):
        assert line.split() == [question.name, *question.asks.split()]
        assert question.asks.endswith("?")
        assert question.examples
        assert question.cites


def test_all_questions_are_listed_as_text_and_json():
    """With every game."""
    assert all(f"  {question.name} " in judge().stdout for _, question in QUESTIONS)
    document = json.loads(judge("--json").stdout)
    assert document["schema"] == "tourney.judge-list/1"
    assert [
        (game["game"], question["question"]) for game in document["games"] for question in game["questions"]
    ] == [(game, question.name) for game, question in QUESTIONS]


@with_rows(("game", "question"), QUESTIONS)
def test_the_help_of_a_question_is_complete(game, question):
    """It has every argument, an example and every reading."""
    output = judge(game, question.name, "--help").stdout
    assert f"tourney judge {game} {question.name} {next(iter(question.examples))}" in output
    for argument in question.arguments:
        name = argument.label
        assert (f"--{name.replace('_', '-')}" if argument.option else name.upper()) in output
    assert all(reading.name in output for reading in question.readings)


@with_rows(("game", "question"), QUESTIONS)
def test_a_reading_is_a_setting_of_the_format(game, question):
    """With the same default and choices, if the format has it. NOTES.md names it."""
    folder = ROOT / "tourney" / "games" / game.replace("-", "_")
    notes = (folder / "NOTES.md").read_text(encoding="utf-8")
    for reading in question.readings:
        assert f"`{reading.name}`" in notes, "a reading stands in the game's notes"
        assert reading.default in reading.choices
        for path in folder.glob("*.toml"):
            settings = parse_toml(path.read_text(encoding="utf-8"), source=path.name).get("settings", {})
            if setting := settings.get(reading.name):
                assert setting["default"] == reading.default
                assert set(setting.get("choices", ())) == (
                    set() if reading.is_number else set(reading.choices)
                )


# -- the readings


def test_another_reading_is_shown_if_it_changes_the_answer():
    """The reading is given by name and choice, by prefixes, or by the choice alone."""
    answer = answered("diamonsters", "bid", "1", "5", "5")
    assert answer["answer"] == "No player wins; the monster is discarded."
    assert [
        (other_reading["name"], other_reading["choice"], other_reading["answer"])
        for other_reading in answer["other_readings"]
    ] == [("lone_ichi", "wins", "A wins with Ichi (1).")]
    for words in ("lone_ichi=wins", "lone-ichi=w", "Lone=W", "l = wins", "wins"):
        other = answered("diamonsters", "bid", "1", "5", "5", "--reading", words)
        assert other["answer"] == "A wins with Ichi (1)."
        assert other["reading"]["lone_ichi"] == "wins"
    with_both = answered("diamonsters", "round", "2/2", "1", "--reading", "ichi=2", "--reading", "g=3")[
        "reading"
    ]
    assert (with_both["ichi_diamonds"], with_both["go_diamonds"]) == (2, 3)
    assert answered("diamonsters", "bid", "2", "3")["other_readings"] == []
    assert (
        answered("diamonsters", "collection", "1", "--reading", "ichi_diamonds=3")["value"]["diamonds"] == 3
    )


# -- in an event


@pytest.fixture
def event(tmp_path, monkeypatch):
    """Return a function that makes an event with settings in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOURNEY_EVENT", raising=False)

    def make(format_, *settings):
        chosen = [word for setting in settings for word in ("--set", setting)]
        done = CliRunner().invoke(root, ["event", "new", "Friday", "--format", format_, *chosen])
        assert done.exit_code == 0, done.output

    return make


SETTINGS = [
    ("red-diamond/standard", "goal=40", "red-diamond score 2/40", "--goal 40"),
    ("red-diamond/standard", "goal=40", "red-diamond split 2/40", "--goal 40"),
    ("red-diamond/standard", "goal=40", "red-diamond need 2/40", "--goal 40"),
    ("diamonsters/standard", "go_diamonds=3", "diamonsters collection 5 2", "--reading go_diamonds=3"),
    ("diamonsters/standard", "ichi_diamonds=0", "diamonsters collection 1 2", "--reading ichi_diamonds=0"),
    (
        "diamonsters/standard",
        "round_diamonds=exactly 5",
        "diamonsters round A=2/2/1/5 B=3/4",
        "--reading 'round_diamonds=exactly 5'",
    ),
    (
        "diamonsters/standard",
        "ichi_beats_go=only when nothing else remains",
        "diamonsters bid 1 3 5",
        "--reading ichi_beats_go=only",
    ),
    ("diamonsters/standard", "pieces=4", "diamonsters game 4 2", "--reading pieces=4"),
    (
        "kingdoms/standard",
        "monarch_tie=plays on",
        "kingdoms battle 3 Princess=3",
        "--reading 'monarch_tie=plays on'",
    ),
    (
        "kingdoms/two-games",
        "monarch_tie=plays on",
        "kingdoms win --won tie --discarded red",
        "--reading monarch_tie=plays",
    ),
    (
        "redline/scramble",
        "scramble_count=30",
        "redline scramble 25 4 3",
        "--reading scramble_count=30",
    ),
]


@pytest.mark.parametrize(("format_", "setting", "line", "explicit"), SETTINGS)
def test_an_answer_in_an_event_uses_its_settings(event, monkeypatch, format_, setting, line, explicit):
    """The answer names the event. An explicit option takes precedence."""
    words = shlex.split(line)
    plain = judge(*words)
    answer = answered(*words, *shlex.split(explicit))
    assert answer["event"] is None
    event(format_, setting)
    here = answered(*words)
    name, _, value = setting.partition("=")
    assert here["event"]["name"] == "friday.tourney"
    assert {key: str(used) for key, used in here["event"]["settings"].items()} == {name: value}
    assert {**here, "event": None, "inputs": answer["inputs"]} == answer
    assert f"Settings of the event friday.tourney: {setting}.\n" in judge(*words).stdout
    monkeypatch.chdir("/")
    assert judge(*words).stdout == plain.stdout


def test_another_game_or_an_unreadable_event_is_ignored(event, monkeypatch, tmp_path):
    """The answer is that without an event; stderr says why settings are not used."""
    words = ("kingdoms", "battle", "3", "Princess=3")
    plain = judge(*words).stdout
    event("red-diamond/standard", "goal=40")
    here = judge(*words)
    assert (here.exit_code, here.stdout, here.stderr) == (0, plain, "")
    named = judge(*words, "-e", "friday.tourney")
    assert (named.exit_code, named.stdout) == (0, plain)
    assert "friday.tourney is an event of red-diamond; its settings are not used" in named.stderr
    for name in ("nowhere.tourney", str(tmp_path), "pg:nowhere"):
        monkeypatch.setenv("TOURNEY_EVENT", name)
        done = judge(*words)
        assert (done.exit_code, done.stdout) == (0, plain)
        assert "its settings are not used" in done.stderr
    monkeypatch.delenv("TOURNEY_EVENT")
    (tmp_path / "friday.tourney").write_bytes(b"no event")
    broken = judge(*words)
    assert (broken.exit_code, broken.stdout) == (0, plain)
    assert "its settings are not used" in broken.stderr
    refused = judge(*words, "-e", "nowhere.tourney")
    assert (refused.exit_code, refused.stdout) == (3, "")
    missing = judge("red-diamond", "need", "2/40")
    assert missing.exit_code == 2
    assert "--goal N is missing" in missing.stderr


@with_rows(
    "word",
    ["", "x", "lone_ichi", "lone_ichi=", "lone_ichi=draws", "beats=1", "ichi_beats_go=w=x", "=wins", "e"],
)
def test_an_unknown_reading_is_a_usage_error(word):
    """Exit code 2, with the valid readings."""
    done = judge("diamonsters", "bid", "1", "5", "--reading", word)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--reading: `" in done.stderr


def test_a_position_of_another_reading_is_refused_with_a_hint():
    """The pile above its height: the hint shows the reading that answers it."""
    done = judge("red-diamond", "pile", "3", "6")
    assert done.exit_code == 3
    assert '--reading "over_height=stays at 7"' in done.stderr
    again = judge("red-diamond", "pile", "3", "6", "--reading", "over_height=stays at 7")
    assert again.stdout.startswith("Height 7; any number of cards can be added.")
    assert judge("red-diamond", "pile", "3", "6", "--max-hgt", "5", "--reading", "stays").exit_code == 3


# -- illegal positions are refused with the line that makes them illegal; malformed words are usage errors


ILLEGAL = [
    ("red-diamond score 2/40 -1/5", "below 0"),
    ("red-diamond score 61x2/40", "L24"),
    ("red-diamond score Fox=2/40 Fox=3/30", "L24"),
    ("red-diamond score 2/40 --goal 0", "L17"),
    ("red-diamond score 2/40 --scored -1", "L236"),
    ("red-diamond battle -/3 2/2", "L222"),
    ("red-diamond battle 2/2 3/-", "L222"),
    ("red-diamond battle 2/2/1 3/1/3", "L78"),
    ("red-diamond battle 2/2", "expected 2 arguments"),
    ("red-diamond reach 1 8", "L78"),
    ("red-diamond pile 2 1 --build 2", "L211"),
    ("red-diamond pile 3 6", "L78"),
    ("red-diamond pile 8 0", "L78"),
    ("red-diamond pile 2 3 --max-hgt 4", "L214"),
    ("red-diamond battle -1/2 2/2", "it is never below 0"),
    ("red-diamond need Fox=2/40 --goal 30 --from Fox=3/30", "L24"),
    ('red-diamond need 2/40 --goal 30 --from "13x2/40"', "too many"),
    ("redline shots 6 --roll 13", "L80"),
    ("redline shots 6 --shots 25", "1 to 24"),
    ("redline shots 6 --salvo --shots 2", "L449"),
    ("redline shots 6 --armor 4 --taken 4", "L269"),
    ("redline shots -1", "never below 0"),
    ("redline shots 999999", "no card has more"),
    ("redline capture 6xlight --cost 2", "L188"),
    ("redline capture '' --cost 2", "L214"),
    ("redline capture light --cost 2 --roll 7", "L80"),
    ("redline capture light --cost 2 --roll '1 2'", "L218"),
    ("redline engagement A=5/Ada B=4/Ada --initiative Ada", "L240"),
    ("redline engagement A=5/Ada A=4/Ben --initiative Ada", "is named twice"),
    ("redline engagement A=5/Ada B=4/Ben --initiative Cyn", "is not named as the player of an efreet"),
    ("redline engagement A=5/Ada B=4/Ben C=1/Cyn --initiative Cyn", "not known"),
    ("redline engagement A=5/Ada B=4/Ben --initiative 'Ada=3 Cyn=4'", "initiative of Ben is missing"),
    ("redline engagement A=5/Ada B=4/Ben --initiative 'Ada=3 Ben=13'", "L80"),
    ("redline engagement A=5/Ada B=4/Ben --initiative 'Ada=x Ben=3'", "cannot show x"),
    ("redline engagement A=5/Ada B=4/Ben --initiative 'Ada=9 Ben=3 Ada=2'", "is named twice"),
    ("redline engagement A=5/Ada B=4/Ben --initiative 'Ada=9 Ben'", "others do not"),
    ("redline initiative 4 4", "L146"),
    ("redline initiative 4", "L401"),
    ("redline tactical-victory Ada", "L136"),
    ("redline scramble 1 2", "L405"),
    ("redline scramble out out out", "L412"),
    ("redline scramble 1 2 3 --first Zoe", "is not one of the players"),
    ("redline scramble 1 2 3 --first A", "L410"),
    ("redline chain ''", "L395"),
    ("diamonsters bid 6 1", "L57"),
    ("diamonsters bid 1", "two players"),
    ("diamonsters bid ''", "two players"),
    ("diamonsters bid 1 2 3 4 5 1 2", "2 to 6"),
    ("diamonsters bid Ada=1 Ada=2", "is named twice"),
    ("diamonsters round Ada=2,2,5 Ben=4", "some values have a name and others do not"),
    ("diamonsters collection 13xIchi", "the box has only 12"),
    ("diamonsters round 3/3/3 2/2/5", "L96"),
    ("diamonsters game 6 1", "L105"),
    ("diamonsters game 5 5", "L105"),
    ("diamonsters game 1 2 --reading pieces=-1", "cannot win"),
    ("kingdoms funds 6x1", "L76"),
    ("kingdoms funds -1", "L116"),
    ("kingdoms funds 1 --hand 6", "L118"),
    ("kingdoms battle 1+1+1 2", "L167"),
    ("kingdoms battle 1 2+2+2", "L169"),
    ("kingdoms battle 1", "expected 2 arguments, found 1: the attacking cards"),
    ("kingdoms battle Princess=1 2", "(L89)"),
    ("kingdoms battle 2 Prince=1", "(L87)"),
    ("kingdoms battle Prince=1+Prince=1 2", "L80"),
    ("kingdoms battle -1 2", "no card has -1 as its points"),
    ("kingdoms battle 1 2 --archers -1", "L58"),
    ("kingdoms win --won red --discarded blue,blue", "L80"),
    ("kingdoms battle Knight=3 2 --keep Fox", "L183"),
    ("kingdoms battle 1 2 --area 1/0 --area 1/1", "expected 1 argument"),
    ("kingdoms battle 101 2", "no card has 101 as its points"),
    ("kingdoms win --areas 1/1 --areas 2/2", "expected 1 argument"),
    ("kingdoms win --discarded red", "L149"),
    ("kingdoms win --areas 3/3", "L76"),
    ("dimrift crew 1/1/1/1 1/1/1/0", "L35"),
    ("dimrift crew 1/1/1/1 1/1/1/1 --moved 1", "L35"),
    ("dimrift crew 1/1/1/1", "expected 2 arguments, found 1: the creature"),
    ("dimrift duel 1 2 3", "between two"),
    ("redline capture light --cost 0", "L216"),
    ("redline shots 6 --armor 0", "L336"),
    ("redline shots 6 --accuracy 1001", "no card has more"),
    ("redline tactical-victory Ada Ben Cyn Ada Ada", "L409"),
    ("redline scramble Ada=out/5 Ben=1 Cyn=2", "L412"),
    ("redline scramble Ada=5/0 Ben=1 Cyn=2", "L216"),
    ("redline engagement 'A=5/Ada B=5/Ada C=5/Ada D=5/Ada E=5/Ada F=5/Ada G=5/Ben' --initiative Ada", "L188"),
    ("redline engagement A=5/Ada B=5/Ben C=5/Cyn D=5/Dan --initiative 'Ada=1 Ben=2 Cyn=3 Dan=4'", "L405"),
    ("diamonsters collection 6xNi", "L67"),
    ("diamonsters collection 4xNi 4xSan", "L67"),
    ("diamonsters round Ada=5/5/5/5/5 Ben=1/2", "the collection of Ada"),
    ("diamonsters round A=2/2/3/3 B=2/2/3/3 C=2/2/3/3 D=2/2/3/3 E=2/2/3/3 F=2/2/2/2", "the box has only 12"),
    ("dimrift crew -1/1/1/1 1/1/1/1", "it is never below 0"),
    ("dimrift crew 1/1/1/1 1/1/1/1 --moved -1", "L35"),
]


@with_rows(("line", "message"), ILLEGAL)
def test_an_illegal_position_is_refused_with_its_line(line, message):
    """Exit code 3 and nothing on stdout; no other position is answered."""
    done = judge(*shlex.split(line))
    assert (done.exit_code, done.stdout) == (3, ""), done.output
    assert message in done.stderr


@with_rows(
    ("line", "message"),
    [
        ("chess", "there is no game `chess`; the games are diamonsters"),
        ("chess score", "there is no game `chess`"),
        ("red-diamond scor", "did you mean `tourney judge red-diamond score`?"),
        ("red-diamond score 2/4o", "`4o` is not a whole number"),
        ("red-diamond score 2", "does not have the form [NAME=]VP/MAX"),
        ("red-diamond score 2/3/4", "does not have the form"),
        ("red-diamond score =2/3", "does not have the form"),
        ("red-diamond score 2/1234567", "up to six digits"),
        ("red-diamond score 2000x2/3", "more than 1000"),
        ("red-diamond score 900x2/3 900x2/3", "more than 1000"),
        ("red-diamond score 2/40 --gaol 3", "there is no option `--gaol` here"),
        ("red-diamond score 2/40 -g", "there is no option `-g` here"),
        ("red-diamond score", "PILE… is missing"),
        ("red-diamond need 2/40", "--goal N is missing"),
        ("red-diamond pile 2", "is missing"),
        ("red-diamond pile two 1", "is not a whole number"),
        ("redline capture giant --cost 1", "unknown CLASS `giant`"),
        ("redline engagement Fox=5 --initiative Ada", "does not have the form UNIT=SPEED/PLAYER"),
        ("redline tactical-victory 5xAda --at dawn", "dawn"),
    ],
)
def test_a_misspelt_argument_is_a_usage_error(line, message):
    """Exit code 2, with the right form."""
    done = judge(*shlex.split(line))
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert message in done.stderr


# -- how things are typed


class Card(Struct, frozen=True):
    """A card with a value that may be blank, and an optional one."""

    atk: int | None
    def_: int = 0
    name: str = ""


class Unit(Struct, frozen=True):
    """A thing that must have a name."""

    name: Annotated[str, Label("UNIT")]
    speed: int


@with_rows(
    ("annotation", "text", "value"),
    [
        (tuple[int, ...], "3x2 ;1", (2, 2, 2, 1)),
        (tuple[int, ...], "", ()),
        (tuple[Card, ...], "2/40, Fox=-/3 5", (Card(2, 40), Card(None, 3, "Fox"), Card(5))),
        (tuple[tuple[int, ...], ...], "1+2x2 3", ((1, 2, 2), (3,))),
        (tuple[Annotated[int, Label("A", numbers=("Ichi", "Ni"))], ...], "NI i 5", (2, 1, 5)),
        (tuple[int | str, ...], "Ada 7", ("Ada", 7)),
        (tuple[Literal["light", "heavy"], ...], "L heavy", ("light", "heavy")),
        (Mapping[str, int], "4 5", {"A": 4, "B": 5}),
        (Mapping[str, tuple[int | None, ...]], "Ada=1/2 Ben=-", {"Ada": (1, 2), "Ben": (None,)}),
        (Card, "1/2", Card(1, 2)),
        (tuple[Unit, ...], "Fox=5", (Unit("Fox", 5),)),
    ],
)
def test_the_type_of_an_argument_determines_its_form(annotation, text, value):
    """Numbers by /, copies by x, names by =, groups by +, a blank by -."""
    assert reader_of(annotation, "A").read(text) == value


@with_rows(
    ("annotation", "shape"),
    [
        (tuple[Card, ...], "[NAME=]ATK[/DEF]"),
        (tuple[Unit, ...], "UNIT=SPEED"),
        (tuple[tuple[Card, ...], ...], "[NAME=]ATK[/DEF][+…]"),
        (Mapping[str, tuple[int, ...]], "[NAME=]A[/…]"),
    ],
)
def test_the_help_shows_the_form_of_an_argument(annotation, shape):
    """Optional parts are in brackets."""
    assert reader_of(annotation, "A").shape == shape


@with_rows("text", ["½", "1_000", "١٢", "1e3", "", "0x1", "--1", "1234567"])
def test_a_whole_number_is_typed_in_digits(text):
    """Other scripts and forms are refused."""
    with pytest.raises(MisspeltError):
        whole(text)


def test_a_reading_is_a_number_or_a_choice():
    """An unambiguous prefix of a choice is enough."""
    assert RuleReading("n", "about", 1, {1: "L1"}).parse("4") == 4
    two = RuleReading("r", "about", "loses", {"loses": "L1", "loses all": "L2", "wins": "L3"})
    assert two.parse("loses") == "loses"
    assert two.parse("W") == "wins"
    with pytest.raises(MisspeltError):
        two.parse("lo")


@with_rows(
    ("chance", "message"),
    [
        (Fraction(7, 12), "7/12, 58.3%"),
        (Fraction(1), "100%"),
        (Fraction(0), "0%"),
        (Fraction(1, 10**6), "1/1000000, about 0%"),
    ],
)
def test_a_chance_is_exact_first(chance, message):
    """The fraction, then a rounded percentage, which is not 0 for a chance near 0."""
    assert percent(chance) == message


def test_a_new_game_is_a_folder_with_a_judge_module(tmp_path, monkeypatch):
    """It is listed, helped and answered without other changes."""
    folder = tmp_path / "merels_invented"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "judge.py").write_text(
        "from typing import Annotated\n"
        "from tourney.games.questions import Answer, Game, Step\n"
        "GAME = Game('Merels', 'invented rules')\n"
        "@GAME.question('How many men are lost?', 'L1', examples={'3': '6 men lost.'})\n"
        "def men(left: Annotated[int, 'Men left.']) -> Answer:\n"
        "    return Answer(f'{9 - left} men lost.', '', {}, [Step('nine less those left', 'L1')])\n"
    )
    (tmp_path / "unasked").mkdir()
    (tmp_path / "unasked" / "__init__.py").write_text("")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    from tourney.cli import judge as module

    module.game_names.cache_clear()
    try:
        assert "merels-invented" in judge().stdout
        assert "unasked" not in judge().stdout
        assert judge("merels-invented", "men", "3").stdout.startswith("6 men lost.\n")
        assert "tourney judge merels-invented men 3" in judge("merels-invented", "men", "--help").stdout
    finally:
        module.game_names.cache_clear()


def test_the_shell_completes_games_questions_and_readings():
    """In their order, with their descriptions."""
    from click.shell_completion import ShellComplete

    complete = ShellComplete(root, {}, "tourney", "_TOURNEY_COMPLETE")

    def words(*line, begun=""):
        return [item.value for item in complete.get_completions(["judge", *line], begun)]

    assert set(GAMES) <= set(words())
    assert words("redline", begun="c") == ["capture", "chain"]
    assert words("diamonsters", "bid", "1", "5", "--reading", begun="lone") == [
        "lone_ichi=loses",
        "lone_ichi=wins",
    ]
    assert words("redline", "tactical-victory", "5xAda", "--at", begun="c") == ["combat"]


def test_a_question_loads_no_other_game(tmp_path):
    """Nor the engines: an answer needs only the places of events."""
    import subprocess
    import sys

    code = (
        "import sys; from tourney.cli import root;"
        "assert root.run(['judge', 'redline', 'shots', '6']) == 0;"
        "heavy = ('tourney.', 'rustworkx', 'requests', 'jinja2', 'sqlite3');"
        "loaded = {name for name in sys.modules if name.startswith(heavy)};"
        "print(sorted(name for name in loaded if name.split('.')[-1] == 'judge'));"
        "assert not loaded & {'tourney.desk', 'tourney.event', 'sqlite3', 'rustworkx', 'requests', 'jinja2'}"
    )
    command, env = [sys.executable, "-c", code], {"HOME": str(tmp_path)}  # coverage would load sqlite3
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "['tourney.cli.judge', 'tourney.games.redline.judge']"


TOKENS = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "6",
    "7",
    "8",
    "12",
    "13",
    "-1",
    "-3",
    "-",
    "25",
    "60",
    "1000",
    "999999",
    "2/40",
    "3/30",
    "4/20",
    "1/1",
    "2/-/3",
    "-/-",
    "3x2/40",
    "9x1",
    "2/3/0/1",
    "1/0/2/2",
    "1+2",
    "4+2",
    "3+1",
    "Ada=5",
    "Ben=6/7",
    "Ada=out",
    "Ada",
    "Ben",
    "go",
    "ichi",
    "light",
    "L",
    "H/p",
    "heavy",
    "5xAda",
    "Fox=5/Ada",
    "Elk=5/Ben",
    "Prince=3",
    "Princess=2+Guard=1",
    "Rearguard=1",
    "red",
    "blue",
    "tie",
    "none",
    "turn",
    "combat",
    "x",
    "=",
    "/",
    "+",
    ",",
    "Ada=",
    "=3",
    "½",
    "١",
    "1e9",
    "1x",
    "0x1",
    "1001x1",
    "99999999",
]


def test_no_random_command_line_crashes():
    """Random valid and invalid words: an answer, an error, or a usage error."""
    dice = random.Random(20261122)
    seen = set()
    for _ in range(amount(500, of=1500)):
        game, question = dice.choice(QUESTIONS)
        words = [
            game,
            question.name,
            *(dice.choice(TOKENS) for _ in range(dice.choice((0, 1, 1, 2, 2, 3, 4)))),
        ]
        for argument in question.arguments:
            if argument.option and (argument.required or dice.random() < 0.2):
                flag = f"--{argument.label.replace('_', '-')}"
                words += [flag] if argument.reader is None else [flag, dice.choice(TOKENS)]
        for reading in question.readings:
            if dice.random() < 0.2:
                words += [
                    "--reading",
                    f"{reading.name}={dice.choice([*reading.choices, '1', '-1', 'x'])}",
                ]
        done = judge(*words, dice.choice(["--json", "--explain", "--quiet"]))
        assert done.exit_code in {0, 2, 3}, (words, done.output)
        assert bool(done.stdout) == (done.exit_code == 0), words
        seen.add(done.exit_code)
    assert seen == {0, 2, 3}
