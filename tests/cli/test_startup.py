"""What commands import: start-up is most of the time of a small command."""

import subprocess
import sys

import pytest

from tests.kit import ROOT

_ENGINES = {
    "tourney.pairing.swiss.engine",
    "tourney.pairing.dutch",
    "tourney.pairing.pods.engine",
    "tourney.trf",
}
_DECKS = {"tourney.decks.reading", "tourney.decks.checking", "tourney.rules.ruleset"}
_PAGES = {"tourney.publish.pages", "jinja2", "requests"}


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A folder with an event of four players in round 1, with the result of one table."""
    folder = tmp_path_factory.mktemp("evening")
    for words in (
        "event new Cup --format red-diamond/standard --banlist none --set lists=false --seed x",
        "player add Mira Tomo Ansel Bryn",
        "round pair",
        "result add 1 =",
    ):
        run(folder, words)
    return folder


def run(folder, words):
    """Run a command in a process of its own; return the modules that it imported."""
    code = (
        "import sys; from tourney.cli import root; code = root.run(sys.argv[1:]);"
        "print('imported', *sys.modules); sys.exit(code)"
    )
    command = [sys.executable, "-c", code, *words.split()]
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "TOURNEY_BY": "desk", "HOME": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        ("event log", _ENGINES | _DECKS | _PAGES),
        ("result add 2 =", _ENGINES | _DECKS | _PAGES),
        ("standings", _ENGINES | _DECKS | _PAGES),
        ("player list", _ENGINES | _DECKS | _PAGES),
        ("round show", _ENGINES | _DECKS | _PAGES),
        ("event show", _ENGINES | _DECKS | _PAGES),
        ("player add Corin", _ENGINES | _DECKS | _PAGES),
        ("deck check --help", _ENGINES | _DECKS | _PAGES),
        ("round why 1", _DECKS | _PAGES),
    ],
)
def test_a_command_imports_only_what_it_needs(evening, words, unused):
    """No engine for what needs no pairing, and no rules for what needs no decklist."""
    assert not run(evening, words) & unused


@pytest.mark.parametrize(
    "words", ["forecast cut --cut 2 --from cup.csv", "forecast rounds --players 57", "judge dimrift duel 3 0"]
)
def test_a_command_without_an_event_imports_no_event(tmp_path, words):
    """A file of results, a number of players and a question of the rules need no desk and no engine."""
    (tmp_path / "cup.csv").write_text(
        "round,player1,player2,wins1,wins2\n1,Ada,Ben,2,0\n1,Cyn,Dan,2,1\n2,Ada,Cyn,,\n2,Ben,Dan,2,0\n"
    )
    assert not run(tmp_path, words) & (_ENGINES | _DECKS | _PAGES | {"tourney.desk", "tourney.event.state"})
