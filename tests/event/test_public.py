"""Public names of players: the alias or a shortened name."""

import pytest

from tests.desk.kit import new_desk, open_desk, play
from tests.kit import with_rows
from tourney.desk import erase, event_view, import_players, publish, views
from tourney.errors import TourneyError
from tourney.event.names import public, shorten_name
from tourney.publish import render

NAMES = ("Anna Schmidt", "Anna Sommer", "Lena Voss", "Bo", "林 小明", "Tess Hart")


def called(desk):
    return [player.name for player in public(desk.state).players.values()]


def test_names_are_shortened_by_the_setting_and_stay_distinct(tmp_path):
    """A single word stays as it is; equal short names get the players' numbers."""
    with new_desk(tmp_path, *NAMES, public_names="short") as desk:
        assert called(desk) == ["Anna S. #1", "Anna S. #2", "Lena V.", "Bo", "林 小.", "Tess H."]
        desk.change_player("Anna Sommer", alias="Summertime")
        assert called(desk)[:2] == ["Anna S.", "Summertime"]


def test_names_of_minors_are_always_shortened(tmp_path):
    """With any setting of the event, and even with an alias. Nothing else marks a minor."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.change_player("Lena Voss", minor=True)
        desk.add_player("Ines Brandt", minor=True, alias="Ines the Great")
        assert called(desk) == [
            "Anna Schmidt",
            "Anna Sommer",
            "Lena V.",
            "Bo",
            "林 小明",
            "Tess Hart",
            "Ines G.",
        ]
        desk.change_player("Lena Voss", minor=False)
        assert called(desk)[2] == "Lena Voss"


@with_rows(
    ("name", "short"), [("  ".join(["A", "B"]), "A B."), ("Voss, Lena", "Lena V."), ("Voss,", "Voss,")]
)
def test_shorten_name(name, short):
    assert shorten_name(name) == short


def test_published_files_never_show_the_name_behind_an_alias(tmp_path):
    """In pages, sheets, lists and data, explanations, the cut and the final ranking."""
    with new_desk(tmp_path, *NAMES, rounds=2) as desk:
        desk.change_player("Tess Hart", alias="Foxglove", contact="secret@example.org")
        desk.change_player("Lena Voss", minor=True)
        while desk.state.cut is None or len(desk.state.rounds) < 4:
            if len(desk.state.rounds) == 2:
                desk.cut(4)
            play(desk)
            for path, content in render(event_view(desk)).items():
                for hidden in (b"Hart", b"Voss", b"secret@", b"minor", b"alias"):
                    assert hidden not in content, (path, hidden)
            assert b"Foxglove" in render(event_view(desk), ["json"])["event.json"]
        assert desk.state.players[6].name == "Tess Hart", "the desk calls everybody by the name"


def test_an_alias_is_erased_with_its_player(tmp_path):
    """From the file and from the next pages."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.change_player("Tess Hart", alias="Foxglove")
        play(desk)
        publish(desk, tmp_path / "pages")
        erase(desk, "Tess Hart")
        publish(desk, tmp_path / "pages")
    assert b"Foxglove" not in (tmp_path / "friday.tourney").read_bytes()
    for path in (tmp_path / "pages").rglob("*.*"):
        assert b"Foxglove" not in path.read_bytes()
    with open_desk(tmp_path) as desk:
        assert called(desk)[5] == "player 6"


def test_an_alias_must_be_unique(tmp_path):
    """Among names and aliases. A player's own name is accepted."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.change_player("Bo", alias="Bow")
        for name in ("lena voss", "BOW"):
            with pytest.raises(TourneyError, match="is already a name"):
                desk.change_player("Tess Hart", alias=name)
        desk.change_player("Bo", alias="BOW")
        desk.change_player("Bo", alias=None)
        assert "Bo" in called(desk)
        desk.undo()
        assert "BOW" in called(desk)


def test_an_imported_list_may_mark_minors(tmp_path):
    """In a column; a value other than yes or no is refused with its line."""
    with new_desk(tmp_path) as desk:
        import_players(
            desk, "name,minor,public name\nAnna Schmidt,yes,\nBo Lind,no,Bow\nCleo Au,,\n", source="a.csv"
        )
        assert called(desk) == ["Anna S.", "Bow", "Cleo Au"]
        with pytest.raises(TourneyError, match="neither yes nor no"):
            import_players(desk, "name,minor\nDov Lind,2012\n", source="a.csv")


PRIZES = (
    '[[prize]]\nplaces = 1\ncash = 20\n[[prize]]\ndivision = "Juniors"\nplaces = 1\nproduct = "a booster"\n'
)


def test_pages_show_no_division_that_reveals_a_minor(tmp_path):
    """Neither Juniors nor the other division, in tables, pages, data and prizes."""
    with new_desk(tmp_path, *NAMES, rounds=1) as desk:
        for name, division in zip(NAMES, ("Juniors", "Masters") * 3, strict=True):
            receipt = desk.change_player(name, tags={"division": division})
            assert not receipt.warnings
        play(desk)
        assert divisions_on_pages(desk) == {"Juniors", "Masters"}
        warnings = desk.change_player("Lena Voss", minor=True).warnings
        assert warnings == (
            "pages do not show divisions, because a player in one is under age: `tourney "
            "event change --set public_divisions=shown` shows them",
        )
        assert not desk.add_player("Ines Brandt", minor=True, tags={"division": "Juniors"}).warnings
        assert divisions_on_pages(desk) == set()
        assert any("a booster" in row.prize for row in event_view(desk, prizes=(PRIZES, "p.toml")).final.rows)
        desk.change(public_divisions="shown")
        assert divisions_on_pages(desk) == {"Juniors", "Masters"}
        desk.change(public_divisions="hidden")
        desk.change_player("Lena Voss", minor=False)
        desk.change_player("Ines Brandt", minor=False)
        assert divisions_on_pages(desk) == set()
        assert {player.tags["division"][1] for player in desk.state.players.values()} == {
            "Juniors",
            "Masters",
        }


def divisions_on_pages(desk):
    """Return the divisions named in any published file."""
    everything = [
        content.decode() for content in render(event_view(desk, prizes=(PRIZES, "p.toml"))).values()
    ]
    everything.append(
        views.summary(
            desk, top=8, prize_list=views.prizes(desk, PRIZES, source="p.toml", so_far=True, for_all=True)
        )[0]
    )
    return {division for division in ("Juniors", "Masters") if any(division in words for words in everything)}
