"""A file of cards becomes a set of a pool in the data folder; the shipped cards are not touched."""

import json

import pytest

from tests.store.test_data import write
from tourney.errors import TourneyError
from tourney.store.data import Library
from tourney.store.pool_import import CardFile, install_import, prepare_import
from tourney.store.roots import Root

POOL = '# a comment that stays\ngame = "game"\ncomplete = false\n[attributes]\nkind = "text"\n[sets.core]\nname = "Core Set"\n'
CORE = '{"id": "ant", "name": "Ant", "aliases": ["Emmet"], "kind": "insect"}\n{"id": "bee", "name": "Bee"}\n'


@pytest.fixture
def roots(tmp_path):
    """An empty data folder before a shipped one that has a pool."""
    shipped = write(
        tmp_path / "shipped", {"cardpools/game/pool.toml": POOL, "cardpools/game/core.jsonl": CORE}
    )
    return [Root.folder(tmp_path / "home"), Root.folder(shipped)]


def run(roots, tmp_path, text, name="more.csv", game="game", **options):
    path = tmp_path / name
    path.write_text(text)
    library = Library(roots)
    return install_import(library, prepare_import(library, CardFile.at(path), game, **options), source=name)


def cards(roots, game="game"):
    return {card.name: card.set for card in Library(roots).pool(game)}


def test_a_set_is_added_to_a_copy_of_the_shipped_pool(roots, tmp_path):
    """The data folder then has the whole pool, the shipped folder is as it was."""
    done = run(roots, tmp_path, "name,kind\nCat,mammal\n")
    assert cards(roots) == {"Ant": "core", "Bee": "core", "Cat": "more"}
    assert (done.installed.had, done.cards, done.had) == (2, 1, None)
    assert (roots[0].cardpools / "game/pool.toml").read_text() == POOL
    assert not (roots[1].cardpools / "game/more.jsonl").exists()


def test_a_set_of_the_same_name_is_replaced(roots, tmp_path):
    """Its old cards are gone; a set that shrinks by more than a third must be accepted."""
    run(roots, tmp_path, "name\nCat\nDog\nElk\n")
    assert run(roots, tmp_path, "name\nCat\nFox\n").had == 3
    assert set(cards(roots)) == {"Ant", "Bee", "Cat", "Fox"}
    library = Library(roots)
    (tmp_path / "more.csv").write_text("name\nCat\n")
    prepared = prepare_import(library, CardFile.at(tmp_path / "more.csv"), "game")
    with pytest.raises(TourneyError, match="the set more shrinks from 2 cards to 1"):
        install_import(library, prepared, source="more.csv")
    install_import(library, prepared, source="more.csv", accept=True)
    assert set(cards(roots)) == {"Ant", "Bee", "Cat"}


def test_cards_of_other_sets_are_left_alone_or_taken_over(roots, tmp_path):
    """Not used by default; with `replace` they move, and keep the names by which lists know them."""
    with pytest.raises(TourneyError, match="`Ant` is there already") as refusal:
        run(roots, tmp_path, "name,kind\nAnt,queen\n")
    assert "--replace" in refusal.value.hint
    run(roots, tmp_path, "name,kind,set\nANT,queen,core set\n", replace=True)
    assert cards(roots) == {"Bee": "core", "ANT": "more"}
    ant = Library(roots).pool("game").find("Emmet")
    assert (ant.get("kind"), ant.printings[0].set) == ("queen", "core")


def test_a_new_game_gets_a_pool_of_its_own(roots, tmp_path):
    """Open unless said otherwise, its attributes read off the columns; it passes the proofreader."""
    run(
        roots, tmp_path, json.dumps([{"name": "Cat", "cost": 3}]), "first set.json", "new-game", complete=True
    )
    pool = Library(roots).pool("new-game")
    assert (pool.complete, pool.attributes["cost"].kind.value, len(pool)) == (True, "number", 1)
    assert pool.find("cat").set == "first_set"


def test_columns_are_added_to_the_pool_file_when_asked_for(roots, tmp_path):
    """What the pool said before stays."""
    run(roots, tmp_path, "name,kind,cost\nCat,mammal,3\n", add_attributes=True)
    pool = Library(roots).pool("game")
    assert {name: each.kind.value for name, each in pool.attributes.items()} == {
        "kind": "text",
        "cost": "number",
    }
    assert pool.sets["core"].name == "Core Set"


def test_preparing_writes_nothing(roots, tmp_path):
    """What would be done can be looked at first."""
    (tmp_path / "more.csv").write_text("name\nCat\n")
    prepared = prepare_import(Library(roots), CardFile.at(tmp_path / "more.csv"), "game")
    assert (prepared.cards, prepared.installed) == (1, None)
    assert not roots[0].path.exists()


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("more.xlsx", {}, "cards are read from files ending in `.csv`"),
        ("more.csv", {"code": "../evil"}, "`../evil` is no name of a set"),
        ("more.csv", {"game": "../evil"}, "`../evil` is no name of a game"),
    ],
)
def test_what_cannot_be_imported_is_refused(roots, tmp_path, name, options, said):
    """Nothing is written."""
    with pytest.raises(TourneyError, match=said):
        run(roots, tmp_path, "name\nCat\n", name, **options)
    assert not roots[0].path.exists()
