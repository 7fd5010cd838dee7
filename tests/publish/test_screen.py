"""The projector: everybody once, by last name, on full leaves, with what each phase needs."""

import random
import re

import pytest

from tests.desk.kit import new_desk, play
from tests.kit import with_rows
from tests.publish.test_bracket import HOSTILE, people
from tourney.cards import fold
from tourney.desk import event_view
from tourney.publish import render
from tourney.publish.screen import AGAIN, COLUMNS, ROWS, SECONDS, last_name, screen


def shown(desk):
    return screen(event_view(desk, with_reasons=False))


def lines(made):
    return [line for leaf in made.pages for column in leaf.columns for line in column]


@pytest.mark.parametrize("number", [2, 7, 8, 30, 31, 72, 73, 145, 500])
def test_everybody_is_on_one_leaf_by_last_name(tmp_path, number):
    """From two players to five hundred, with a readable number on each leaf, evenly filled."""
    dice = random.Random(number)
    names = [f"{dice.choice(['Mira', 'Åsa', 'Bo'])} {dice.choice('QWÖZ')}{each}" for each in range(number)]
    with new_desk(tmp_path, *names) as desk:
        desk.pair_round()
        made, current = shown(desk), desk.state.round
    entries = lines(made)
    assert sorted(f"{entry.first} {entry.name}" for entry in entries) == sorted(names)
    keys = [(fold(entry.name), fold(entry.first)) for entry in entries]
    assert keys == sorted(keys)
    seats = {
        desk.state.players[player].name: table.number
        for table in current.tables.values()
        for player in table.seats
    }
    assert {f"{entry.first} {entry.name}": entry.table for entry in entries} == {
        name: str(seats.get(name, "–")) for name in names
    }
    sizes = [sum(map(len, leaf.columns)) for leaf in made.pages]
    assert max(sizes) <= COLUMNS * ROWS
    assert max(sizes) - min(sizes) <= 1
    assert all(len(column) <= leaf.rows for leaf in made.pages for column in leaf.columns)
    assert made.again % (SECONDS * len(made.pages)) == 0, "the page begins anew where its leaves do"
    assert made.again >= AGAIN


def test_each_phase_shows_what_the_room_looks_for(tmp_path):
    """Players present; pairings; standings; pairings and bracket; the final ranking."""
    with new_desk(tmp_path, rounds=1, minutes=50) as desk:
        assert shown(desk).pages == ()
        assert b"No players are registered yet" in render(event_view(desk), ["html"])["screen.html"]
        desk.add_players(people(17))
        assert [leaf.title for leaf in shown(desk).pages] == ["Players by name"]
        desk.pair_round()
        desk.start_round()
        first = next(iter(desk.state.round.tables))
        desk.extend(first, 7)
        made = shown(desk)
        assert [leaf.title for leaf in made.pages] == ["Pairings"]
        assert made.ends
        assert [(table.number, table.extra) for table in made.extended] == [(first, 7)]
        assert made.open == "Still playing: tables 1, 2, 3, 4, 5, 6, 7, 8"
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        made = shown(desk)
        assert [leaf.title for leaf in made.pages] == ["After round 1"]
        assert [line.number for line in lines(made)] == [
            str(row.rank) for row in event_view(desk).settled.rows
        ]
        assert (made.ends, made.open, made.extended) == ("", "", ())
        desk.cut(16, lot=True)
        desk.pair_round()
        assert [leaf.title for leaf in shown(desk).pages] == ["Pairings"], (
            "eight matches are read as pairings"
        )
        desk.report_block(["1 w"])
        assert [leaf.title for leaf in shown(desk).pages] == ["Pairings", "Bracket"]
        desk.report_block(f"{table} w" for table in desk.state.round.playing)
        desk.pair_round()
        made = shown(desk)
        assert [leaf.title for leaf in made.pages] == ["Bracket"]
        assert {len(stage.matches) for stage in made.pages[0].picture.stages} == {4, 2, 1}
        desk.report_block(f"{table} w" for table in desk.state.round.playing)
        play(desk)
        play(desk)
        made = shown(desk)
        assert [leaf.title for leaf in made.pages] == ["Final ranking"]
        assert lines(made)[0].more == "won the final"


@pytest.mark.parametrize(
    ("number", "columns"), [(31, 2), (36, 2), (37, 3), (54, 3), (55, 4), (72, 4), (73, 4)]
)
def test_few_players_get_fewer_and_wider_columns(tmp_path, number, columns):
    """Letters may be larger then, and names stay whole."""
    with new_desk(tmp_path, *people(number)) as desk:
        desk.pair_round()
        assert {len(leaf.columns) for leaf in shown(desk).pages} == {columns}


def test_a_place_in_the_bracket_leaves_room_for_the_name(tmp_path):
    """In two columns; a leaf that ends with players without a place is named by its last place."""
    with new_desk(tmp_path, *people(40), rounds=1) as desk:
        play(desk)
        desk.cut(4, third_place=True, lot=True)
        play(desk)
        play(desk)
        desk.disqualify(next(row.name for row in event_view(desk).final.rows[::-1]))
        made = shown(desk)
    assert [len(leaf.columns) for leaf in made.pages] == [2, 2]
    assert [leaf.span for leaf in made.pages] == ["1 – 20", "21 – 39"]


def test_a_cut_at_tables_too_many_to_draw_is_shown_as_pairings(tmp_path):
    """Four tables of four are listed; their final is drawn."""
    with new_desk(tmp_path, *people(16), system="pods", seats=(4,), rounds=1) as desk:
        desk.pair_round()
        for table in desk.state.round.tables:
            desk.report(table, "1,2,3,4")
        desk.cut(16, lot=True)
        desk.pair_round()
        assert [leaf.title for leaf in shown(desk).pages] == ["Pairings"]
        for table in desk.state.round.tables:
            desk.report(table, "1,2,3,4")
        desk.pair_round()
        [leaf] = shown(desk).pages
    assert [stage.name for stage in leaf.picture.stages] == ["Final"]


def test_a_double_bracket_has_two_pictures_with_the_final_in_both(tmp_path):
    """Each is titled, and the letters stay large."""
    with new_desk(tmp_path, *people(8), system="elimination", double=True) as desk:
        play(desk)
        play(desk)
        made, page = shown(desk), render(event_view(desk), ["html"])["screen.html"].decode()
    assert [leaf.title for leaf in made.pages] == ["Bracket", "Bracket"]
    assert all(leaf.picture.stages[-2].name == "Final" for leaf in made.pages)
    assert set(re.findall(r'id="([^"]+)"', page)) == {
        "main",
        "bracket-1-title",
        "bracket-1-desc",
        "bracket-2-title",
        "bracket-2-desc",
    }


def test_decided_rounds_make_room_in_a_double_bracket(tmp_path):
    """The upper picture has three columns left; the lower begins with the round being played."""
    with new_desk(tmp_path, *people(16), system="elimination", double=True) as desk:
        for _ in range(3):
            play(desk)
        desk.pair_round()
        upper, lower = shown(desk).pages
    assert [stage.name for stage in upper.picture.stages] == ["Upper final", "Final", "Final reset"]
    assert lower.picture.stages[0].name == "Lower round 3"
    assert {match.match.state for match in lower.picture.matches} & {"playing"}


def test_many_leaves_are_named_by_where_they_begin(tmp_path):
    """There is no room for a span of two names."""
    with new_desk(tmp_path, *people(800)) as desk:
        made = shown(desk)
    assert len(made.pages) == 12
    assert all("–" not in leaf.span for leaf in made.pages)


def test_names_are_escaped_and_nothing_is_loaded_from_elsewhere(tmp_path):
    """The folder's own script is the only one; without it the page reloads itself."""
    with new_desk(tmp_path) as desk:
        desk.add_players([*HOSTILE, "Mira Oake"])
        desk.pair_round()
        page = render(event_view(desk), ["html"])["screen.html"].decode()
    assert page.count("<script") == 1
    assert "<img" not in page
    assert not re.search(r'(?:src|href|content)="[a-z]+:', page)
    assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in page


@with_rows(
    ("name", "parted"),
    [("Bo", ("Bo", "")), ("山田 太郎", ("山田 太郎", "")), ("Anna S.", ("S.", "Anna")),
     ("Ana de la Cruz", ("de la Cruz", "Ana")), (", x", (", x", "")), ("de Cruz", ("Cruz", "de")),
     ("", ("", "")), ("Jo Reed 3", ("Reed 3", "Jo")), ("Anna S. #12", ("S.", "Anna #12")),
     ("Oake, Mira #2", ("Oake", "Mira #2")), ("山田 太郎 #2", ("山田 太郎 #2", "")),
     ("Cher #4", ("Cher #4", ""))],
)  # fmt: skip
def test_the_last_name_is_found(name, parted):
    """Some names have none."""
    assert last_name(name) == parted
