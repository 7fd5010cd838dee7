"""Ban lists are checked before they are installed."""

from datetime import date

import pytest

from tourney.errors import TourneyError
from tourney.store.banlists import BanListDraft, install_banlist, list_and_day
from tourney.store.data import DataRoot, Library

DAY = date(2026, 1, 1)
LIST = "[cards]\n'Ant' = 0\n"
HEAD = 'game = "{game}"\ncomplete = true\n'
CARDS = b'{"id": "ant", "name": "Ant"}\n{"id": "bee", "name": "Bee"}\n'


@pytest.fixture
def home(tmp_path):
    """A data folder with a complete pool of two cards."""
    folder = tmp_path / "cardpools" / "game"
    folder.mkdir(parents=True)
    (folder / "pool.toml").write_text(HEAD.format(game="game"))
    (folder / "core.jsonl").write_bytes(CARDS)
    return tmp_path


def install(home, text=LIST, *, name="game/main", day=DAY, **options):
    return install_banlist(Library([DataRoot.folder(home)]), name, day, text, source="list.toml", **options)


def test_a_list_is_installed_by_name_and_day(home):
    """Its changes from the list before are reported."""
    install(home)
    second = install(home, "[cards]\n'Ant' = 1\n", day=date(2026, 2, 1))
    assert second.path == home / "banlists/game/main/2026-02-01.toml"
    assert [change.words for change in second.changes] == ["Ant: restricted to 1 copy, was banned"]
    assert second.before.day == DAY


def test_the_same_list_twice_is_already_installed(home):
    install(home)
    assert install(home).already


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": ""}, "the list is empty"),
        ({"text": "[cards]\n'Antt' = 0\n"}, "`Antt` is not a card; did you mean Ant?"),
        ({"name": "gmae/main"}, "there is no game `gmae`; the games are game"),
    ],
)
def test_a_suspect_list_is_refused_until_accepted(home, options, message):
    """The error has all objections and the option. Nothing is written before that."""
    with pytest.raises(TourneyError) as refusal:
        install(home, **options)
    assert message in refusal.value.message
    assert "--accept" in refusal.value.hint
    assert not (home / "banlists").exists()
    assert message in "; ".join(install(home, accept=True, **options).overruled)


@pytest.mark.parametrize(
    "name", ["main", "game/../../x", "/game/main", "Game/Main", "game/", "", "game/ma\nin"]
)
def test_a_list_s_name_is_a_game_and_a_list(home, name):
    """No name leads out of the folder."""
    with pytest.raises(TourneyError, match="cannot be the name of a ban list"):
        install(home, name=name, accept=True)


def test_an_unreadable_list_is_refused_even_if_accepted(home):
    """--accept overrules objections, not errors."""
    with pytest.raises(TourneyError, match=r"list\.toml: not readable as TOML"):
        install(home, "[cards", accept=True)


@pytest.mark.parametrize(
    ("path", "name", "day", "expected"),
    [
        ("a/banlists/game/main/2026-01-01.toml", None, None, ("game/main", DAY)),
        ("C:\\data\\banlists\\game\\main\\2026-01-01.toml", None, None, ("game/main", DAY)),
        (
            "banlists/game/main/2026-01-01.toml",
            "game/other",
            date(2026, 2, 1),
            ("game/other", date(2026, 2, 1)),
        ),
        ("2026-01-01.toml", "game/main", None, ("game/main", DAY)),
        ("lists/game/main/2026-01-01.toml", None, None, ("game/main", DAY)),
        ("list.txt", "game/main", DAY, ("game/main", DAY)),
    ],
)
def test_name_and_day_are_given_or_read_from_the_path(home, path, name, day, expected):
    """Given values take precedence."""
    assert list_and_day(Library([DataRoot.folder(home)]), path, name, day) == expected


@pytest.mark.parametrize(
    ("path", "name", "day", "hint"),
    [
        ("list.toml", "game/main", None, "--from"),
        ("2026-13-01.toml", "game/main", None, "--from"),
        ("2026-01-01.toml", None, None, "--as"),
        ("lists/gmae/main/2026-01-01.toml", None, None, "--as"),
        ("banlists/../x/2026-01-01.toml", None, None, "--as"),
        ("banlists/2026-01-01.toml", None, None, "--as"),
        ("", None, None, "--from"),
    ],
)
def test_a_missing_name_or_day_is_asked_for(home, path, name, day, hint):
    """It is never guessed."""
    with pytest.raises(TourneyError) as refusal:
        list_and_day(Library([DataRoot.folder(home)]), path, name, day)
    assert hint in refusal.value.hint


def test_an_empty_row_of_a_pasted_table_is_ignored():
    """It has a number but no card."""
    draft = BanListDraft("other/main", DAY, card_lines="1. | Ant | banned\n2. |\n")
    assert draft.text(Library([])).endswith("[cards]\nAnt = 0\n")
