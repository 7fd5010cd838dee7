"""Pools are checked and installed in the data folder; shipped cards are not changed."""

import json

import pytest

from tests.rules.kit import DAY, format_of, verdict
from tests.store.test_data import write
from tourney.errors import TourneyError
from tourney.rules import Ruleset
from tourney.store.data import DataRoot, Library
from tourney.store.pools import CardFile, install_import, install_pool, prepare_import

POOL = (
    '# a comment that stays\ngame = "game"\ncomplete = false\n[attributes]\nkind = "text"\n[sets.core]\n'
    'name = "Core Set"\n'
)
CORE = '{"id": "ant", "name": "Ant", "aliases": ["Emmet"], "kind": "insect"}\n{"id": "bee", "name": "Bee"}\n'


@pytest.fixture
def roots(tmp_path):
    """An empty data folder before a shipped one with a pool."""
    shipped = write(
        tmp_path / "shipped", {"cardpools/game/pool.toml": POOL, "cardpools/game/core.jsonl": CORE}
    )
    return [DataRoot.folder(tmp_path / "home"), DataRoot.folder(shipped)]


def run(roots, tmp_path, text, name="more.csv", game="game", **options):
    path = tmp_path / name
    path.write_text(text)
    library = Library(roots)
    return install_import(library, prepare_import(library, CardFile.at(path), game, **options), source=name)


def cards(roots, game="game"):
    return {card.name: card.set for card in Library(roots).pool(game)}


def test_a_set_is_added_to_a_copy_of_the_shipped_pool(roots, tmp_path):
    """The data folder then has the whole pool; the shipped folder is not changed."""
    done = run(roots, tmp_path, "name,kind\nCat,mammal\n")
    assert cards(roots) == {"Ant": "core", "Bee": "core", "Cat": "more"}
    assert (done.cards_before, done.imported.cards, done.imported.cards_before) == (2, 1, None)
    assert (roots[0].cardpools / "game/pool.toml").read_text() == POOL
    assert not (roots[1].cardpools / "game/more.jsonl").exists()


def test_a_set_of_the_same_name_is_replaced(roots, tmp_path):
    """Its old cards are removed. A set that shrinks by more than a third must be accepted."""
    run(roots, tmp_path, "name\nCat\nDog\nElk\n")
    assert run(roots, tmp_path, "name\nCat\nFox\n").imported.cards_before == 3
    assert set(cards(roots)) == {"Ant", "Bee", "Cat", "Fox"}
    library = Library(roots)
    (tmp_path / "more.csv").write_text("name\nCat\n")
    prepared = prepare_import(library, CardFile.at(tmp_path / "more.csv"), "game")
    with pytest.raises(TourneyError, match="the set `more`: the number of cards shrinks from 2 to 1"):
        install_import(library, prepared, source="more.csv")
    install_import(library, prepared, source="more.csv", accept=True)
    assert set(cards(roots)) == {"Ant", "Bee", "Cat"}


def test_cards_of_other_sets_are_kept_or_moved(roots, tmp_path):
    """With `replace` they move, and keep their names and aliases."""
    with pytest.raises(TourneyError, match="`Ant` is already used") as refusal:
        run(roots, tmp_path, "name,kind\nAnt,queen\n")
    assert "--replace" in refusal.value.hint
    run(roots, tmp_path, "name,kind,set\nANT,queen,core set\n", replace=True)
    assert cards(roots) == {"Bee": "core", "ANT": "more"}
    ant = Library(roots).pool("game").find("Emmet")
    assert (ant.get("kind"), ant.printings[0].set) == ("queen", "core")


def test_a_new_game_gets_its_own_pool(roots, tmp_path):
    """Open by default, with attributes from the columns; it passes the proofreader."""
    run(
        roots, tmp_path, json.dumps([{"name": "Cat", "cost": 3}]), "first set.json", "new-game", complete=True
    )
    pool = Library(roots).pool("new-game")
    assert (pool.complete, pool.attributes["cost"].kind.value, len(pool)) == (True, "number", 1)
    assert pool.find("cat").set == "first_set"


def test_new_columns_are_added_to_the_pool_file_on_request(roots, tmp_path):
    """Other settings of the pool stay."""
    run(roots, tmp_path, "name,kind,cost\nCat,mammal,3\n", add_attributes=True)
    pool = Library(roots).pool("game")
    assert {name: attribute.kind.value for name, attribute in pool.attributes.items()} == {
        "kind": "text",
        "cost": "number",
    }
    assert pool.sets["core"].name == "Core Set"


def test_preparing_writes_nothing(roots, tmp_path):
    """The import can be shown first."""
    (tmp_path / "more.csv").write_text("name\nCat\n")
    prepared = prepare_import(Library(roots), CardFile.at(tmp_path / "more.csv"), "game")
    assert prepared.cards == 1
    assert not roots[0].path.exists()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("more.xlsx", {}, "cards are read from files ending in `.csv`"),
        ("more.csv", {"code": "../evil"}, "`../evil` cannot be the name of a set"),
        ("more.csv", {"game": "../evil"}, "`../evil` cannot be the name of a game"),
    ],
)
def test_an_invalid_import_is_refused(roots, tmp_path, name, options, message):
    """Nothing is written."""
    with pytest.raises(TourneyError, match=message):
        run(roots, tmp_path, "name\nCat\n", name, **options)
    assert not roots[0].path.exists()


BY_ID = 'game = "game"\ncomplete = true\nkey = "id"\n[attributes]\nkind = "text"\n'
KITES = '{"id": "k1", "name": "Kite", "kind": "toy"}\n{"id": "k2", "name": "Kite", "kind": "bird"}\n'


@pytest.fixture
def by_id(tmp_path):
    """A shipped pool with cards by id. Two of them share a name."""
    files = {"cardpools/game/pool.toml": BY_ID, "cardpools/game/core.jsonl": KITES}
    return [DataRoot.folder(tmp_path / "home"), DataRoot.folder(write(tmp_path / "shipped", files))]


def ids(roots, game="game"):
    return {card.id: (card.name, card.get("kind"), card.set) for card in Library(roots).pool(game)}


def test_cards_with_one_name_are_distinguished_by_id(by_id, tmp_path):
    """With `key = "id"`, names may repeat, in the table and over sets.

    The same id is the same card.
    """
    done = run(by_id, tmp_path, "id,name,kind\nk3,Kite,plane\nk4,kite,hawk\nk3,Bell,toy\nk1,Kite,toy\n")
    assert ids(by_id) == {
        "k1": ("Kite", "toy", "core"), "k2": ("Kite", "bird", "core"), "k3": ("Kite", "plane", "more"),
        "k4": ("kite", "hawk", "more"),
    }  # fmt: skip
    assert done.imported.report.unused_parts == [
        "line 4: the id `k3` is already used (line 2)",
        "line 5: the id `k1` is already used (another set of the pool)",
    ]


def test_an_alias_may_not_be_another_cards_name_with_ids(by_id, tmp_path):
    """Names of cards may repeat, aliases may not."""
    done = run(by_id, tmp_path, "id,name,aliases\nb,Bell,Gong\ng,Gong,\nc,Chime,Kite\n")
    assert sorted(ids(by_id)) == ["b", "c", "g", "k1", "k2"]
    assert done.imported.report.unused_parts == [
        "line 2: Bell: `Gong` is the name of another card",
        "line 4: Chime: `Kite` is the name of another card",
    ]


def test_replacing_a_card_goes_by_its_id(by_id, tmp_path):
    """Other cards of its name stay."""
    run(by_id, tmp_path, "id,name,kind\nk2,Kite,hawk\n", replace=True)
    assert ids(by_id) == {"k1": ("Kite", "toy", "core"), "k2": ("Kite", "hawk", "more")}


def test_the_key_of_a_new_pool(roots, tmp_path):
    """By name, unless `key` is id.

    Keys of a JSON object are ids; an existing pool keeps its key.
    """
    table = json.dumps({"c1": {"name": "Cat", "cost": 3}, "c2": {"name": "Cat", "cost": 4}})
    run(roots, tmp_path, table, "cats.json", "cats", key="id")
    assert Library(roots).pool("cats").key == "id"
    assert sorted(card.id for card in Library(roots).pool("cats")) == ["c1", "c2"]
    done = run(roots, tmp_path, table, "cats.json", "other-cats")
    assert done.imported.report.unused_parts == [
        'card 2: the name `Cat` is already used (card 1); a pool with `key = "id"` can have both'
    ]
    with pytest.raises(TourneyError, match="the pool of game, which identifies its cards by name"):
        run(roots, tmp_path, "name\nCat\n", key="id")


def test_a_deck_distinguishes_cards_with_one_name(by_id, tmp_path):
    """By ids and printings. With a name only, differing attributes are unknown."""
    run(by_id, tmp_path, "id,name,kind,set\nk3,Kite,plane,sky\n")
    pool = Library(by_id).pool("game")
    ruleset = Ruleset(
        format_of('[[require]]\nid = "toys"\nwhere = "true"\nthat = "kind == \'toy\'"'), None, pool, DAY
    )
    words = [verdict(ruleset, line).verdict for line in ("1 k1", "1 k2", "1 Kite (sky)", "1 Kite")]
    assert words == ["legal", "illegal", "illegal", "unverified"]


def test_a_pool_is_proofread_first(tmp_path):
    """The error counts the faults and shows the first; the installed pool stays."""
    head = 'game = "game"\ncomplete = true\n'
    write(tmp_path, {"cardpools/game/pool.toml": head, "cardpools/game/core.jsonl": CORE})
    library = Library([DataRoot.folder(tmp_path)])
    double = b'{"id": "a", "name": "Ant"}\n{"id": "a", "name": "ant"}\n'
    with pytest.raises(TourneyError, match=r"the id `a` is taken by Ant .* \(1 more\)$"):
        install_pool(library, "game", head, {"core": double}, source="x")
    for game, message in (
        ("../x", "cannot be the name of a game"),
        ("other", "a pool of `game`, not of `other`"),
    ):
        with pytest.raises(TourneyError, match=message):
            install_pool(library, game, head, {"core": b'{"name": "Ant"}\n'}, source="x")
    assert (tmp_path / "cardpools/game/core.jsonl").read_text() == CORE


def test_a_pool_without_cards_is_refused_until_accepted(tmp_path):
    """A new game may start with an empty pool."""
    library, head = Library([DataRoot.folder(tmp_path)]), 'game = "new"\ncomplete = true\n'
    with pytest.raises(TourneyError, match="there are no cards"):
        install_pool(library, "new", head, {}, source="x")
    assert install_pool(library, "new", head, {}, source="x", accept=True).cards_before is None
