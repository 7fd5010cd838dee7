"""`tourney event generate` with every format: the drawn results are results of the game."""

import pytest
from click.testing import CliRunner

from tourney.cli import root
from tourney.store.data import Library

SHIPPED = Library.open(environ={"TOURNEY_DATA": "", "HOME": ""}).formats()


def generate(*words):
    return CliRunner().invoke(
        root, ["event", "generate", "--file", "g.tourney", "--seed", "a", "--quiet", *words]
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("players", [6, 13])
@pytest.mark.parametrize("name", SHIPPED)
def test_formats_generate_draws_no_shows_and_byes(name, players):
    """With many draws, at tables of every size for such a number of players."""
    output = generate("--format", name, "--players", str(players), "--draws", "60", "--no-shows", "10")
    assert output.exit_code == 0, output.stderr


MATCHES = [
    (games, draws, drawn_game)
    for games in (1, 2, 3, 4)
    for draws in ("true", "false")
    for drawn_game in ("stands", "again", "none")
    if (games, draws, drawn_game) not in {(1, "true", "none"), (1, "false", "stands")}  # contradictions
]


@pytest.mark.parametrize(("games", "draws", "drawn_game"), MATCHES)
def test_matches_of_any_number_of_games_are_played(folder, games, draws, drawn_game):
    """Whether or not a match of the format, or a game of it, can be drawn."""
    (folder / "own.toml").write_text(
        '[format]\nid = "club/own"\nextends = "kingdoms/standard"\n'
        f'[match]\nseats = 2\ngames = {games}\ndraws = {draws}\ndrawn_game = "{drawn_game}"\n'
    )
    output = generate("--format", "own.toml", "--players", "12", "--rounds", "3", "--draws", "60")
    assert output.exit_code == 0, output.stderr


@pytest.mark.parametrize(
    ("format_name", "players"), [("diamonsters/standard", 2), ("diamonsters/standard", 3)]
)
def test_few_players_play_at_a_smaller_table(format_name, players):
    """Diamonsters is best with four, and can be played by two and three."""
    output = generate("--format", format_name, "--players", str(players), "--rounds", "2")
    assert output.exit_code == 0, output.stderr
