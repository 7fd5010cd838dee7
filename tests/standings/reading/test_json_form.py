"""Results as JSON: the bulk format, names, and other keys."""

import json
from datetime import date
from fractions import Fraction

import pytest

from tests.kit import with_rows
from tests.standings.profiles import shipped
from tourney.errors import TourneyError
from tourney.record import Outcome
from tourney.standings import Scorecards, points, rank
from tourney.standings.reading import read_results
from tourney.standings.reading.json_form import write


def read(data, **more):
    text = data if isinstance(data, str) else json.dumps(data)
    return read_results(text, source="friday.json", **more)


def refused(data):
    with pytest.raises(TourneyError) as caught:
        read(data)
    return caught.value.message


def made(results, profile="mtr"):
    half = points(results.record, shipped(profile))
    return {name: half[player] / 2 for player, name in results.names.items()}


def only(entry, players=None):
    """Return both outcomes of a one-match event."""
    results = read({"rounds": [[entry]]} | ({"players": players} if players else {}))
    scorecards = Scorecards(results.record, shipped("mtr"))
    return [scorecards[player][0].outcome for player in results.record.players]


def test_numbers_players_from_0():
    """`players` is their number, rows use numbers, and a null opponent is a bye."""
    results = read({"players": 4, "rounds": [[[0, 1, 2, 0, 0], [3, None, 2, 0, 0]], [[3, 0, 1, 1, 0]]]})
    assert results.names == {1: 0, 2: 1, 3: 2, 4: 3}
    assert made(results) == {0: 4, 1: 0, 2: 0, 3: 4}


def test_numbers_players_from_1_if_there_is_no_0():
    """Four players named 1 to 4."""
    results = read({"players": 4, "rounds": [[[1, 2, 2, 0, 0], [3, 4, 2, 0, 0]]]})
    assert list(results.names.values()) == [1, 2, 3, 4]


def test_reads_names():
    """Players are numbered as they appear or as listed; others are refused if there is a list."""
    rounds = [[["Mira", "Tomo", 2, 1, 0], ["Ansel", None]]]
    assert list(read({"rounds": rounds}).names.values()) == ["Mira", "Tomo", "Ansel"]
    listed = read({"rounds": rounds, "players": ["Ansel", "Mira", "Tomo", "Bryn"]})
    assert list(listed.names.values()) == ["Ansel", "Mira", "Tomo", "Bryn"]
    assert refused({"rounds": rounds, "players": ["Mira", "Tomo"]}).endswith("there is no player `Ansel`")
    counted = read({"rounds": rounds, "players": 3})
    assert list(counted.names.values()) == ["Mira", "Tomo", "Ansel"]


@with_rows(
    ("entry", "outcomes"),
    [
        (["A", "B", 2, 1], [Outcome.WIN, Outcome.LOSS]),
        (["A", "B", 1, 1, 1], [Outcome.DRAW, Outcome.DRAW]),
        (["A", "B", 0, 0, 0], [Outcome.DRAW, Outcome.DRAW]),
        (["A", "B"], []),
        (["A", "B", None, None, None], []),
        (["A", None], [Outcome.BYE]),
        (["A", "", 2, 0, 0], [Outcome.BYE]),
        ([None, "A", 0, 2, 0], [Outcome.BYE]),
        (["A", None, 0, 2, 0], [Outcome.FORFEIT_LOSS]),
        (["A", None, 1, 1, 0], [Outcome.HALF_BYE]),
        ({"p1": "A", "p2": "B", "games": [0, 2, 0]}, [Outcome.LOSS, Outcome.WIN]),
        ({"p1": "A", "p2": "B", "g": [2, 0]}, [Outcome.WIN, Outcome.LOSS]),
        ({"p1": "A", "p2": "B", "score": [3, 3]}, [Outcome.DRAW, Outcome.DRAW]),
        ({"p1": "A", "p2": "B", "result": "p2"}, [Outcome.LOSS, Outcome.WIN]),
        ({"p1": "A", "p2": "B", "result": "tie"}, [Outcome.DRAW, Outcome.DRAW]),
        ({"p1": "A", "p2": "B", "kind": "double_loss"}, [Outcome.DOUBLE_LOSS] * 2),
        ({"p1": "A", "p2": "B", "kind": "forfeit1"}, [Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN]),
        ({"p1": "A", "p2": "B"}, []),
        ({"p1": "A", "p2": None, "kind": "bye"}, [Outcome.BYE]),
        ({"p1": "A", "p2": None, "kind": "half-bye"}, [Outcome.HALF_BYE]),
        ({"p1": "A", "p2": None, "kind": "awarded bye"}, [Outcome.AWARDED_BYE]),
        ({"p1": "A", "p2": None, "games": [0, 2, 0], "kind": "assigned_loss"}, [Outcome.FORFEIT_LOSS]),
        ({"p1": "A", "p2": None, "kind": "absent"}, [Outcome.ABSENT]),
        ({"p1": "A"}, [Outcome.BYE]),
        ({"bye": "A"}, [Outcome.BYE]),
    ],
)
def test_reads_every_way_to_write_a_match(entry, outcomes):
    """Rows of numbers and objects with words."""
    players = ["A", "B"] if outcomes == [] else None
    if not outcomes:
        assert rank(read({"rounds": [[entry]], "players": players}).record, shipped("mtr")).open_tables == (
            (1, 1),
        )
        return
    assert only(entry) == outcomes


def test_reads_the_keys_of_the_event():
    """Day, drops, disqualifications, absences, ratings, weights, planned rounds."""
    results = read(
        {
            "date": "2025-03-04",
            "own_gw_floor": False,
            "players": [{"name": "A", "rating": 1500}, "B", {"name": "C"}, "D"],
            "rounds": [[["A", "B", 2, 0, 0], ["C", None]], [["A", "C", 2, 0, 0]]],
            "drops": {"B": 1},
            "disqualified": {"C": 2},
            "absent": {"D": [1, 2]},
            "ratings": {"B": 1600},
            "round_weights": [1, 0.5],
            "planned_rounds": 5,
        }
    )
    record = results.record
    assert (results.day, results.own_floor) == (date(2025, 3, 4), False)
    assert record.drops == {2: 1}
    assert record.disqualified == {3: 2}
    assert record.absences == (frozenset({4}), frozenset({4}))
    assert record.ratings == {1: 1500, 2: 1600}
    assert record.weights == (1, Fraction(1, 2))
    assert record.planned_rounds == 5
    assert results.unread_keys == ()


def test_disqualified_can_be_a_list():
    """It then applies from the last round on."""
    results = read({"rounds": [[["A", "B", 2, 0, 0]]], "disqualified": ["A"]})
    assert results.record.disqualified == {1: 1}


def test_players_missing_from_the_last_rounds_have_dropped():
    """Unless the file states the drops."""
    rounds = [[["A", "B", 2, 0, 0], ["C", "D", 2, 0, 0]], [["A", "C", 2, 0, 0]]]
    assert read({"rounds": rounds}).record.drops == {2: 1, 4: 1}
    assert read({"rounds": rounds, "drops": {}}).record.drops == {}
    assert read({"rounds": rounds, "drops_after_round": {"B": 1}}).record.drops == {2: 1}
    assert read({"rounds": rounds, "absent": {"B": [2], "D": [2]}, "drops": {}}).record.drops == {}


def test_finds_numbered_players_by_text():
    """Keys of JSON objects are text: player 1 is `"1"`."""
    results = read({"players": 2, "rounds": [[[0, 1, 2, 0, 0]]], "drops": {"1": 1}, "ratings": {"0": 1500}})
    assert results.record.drops == {2: 1}
    assert results.record.ratings == {1: 1500}


def test_reads_divisions():
    """Each division has a list of its players."""
    results = read({"rounds": [[["A", "B", 2, 0, 0]]], "divisions": {"juniors": ["B"], "seniors": ["A"]}})
    assert results.divisions == {"juniors": (2,), "seniors": (1,)}


def test_recognizes_a_round_robin():
    """All players met and there was no bye; a file can say otherwise."""
    games = [[["A", "B", 1, 0, 0], ["C", "D", 1, 0, 0]], [["A", "C", 1, 0, 0], ["B", "D", 1, 0, 0]]]
    assert not read({"rounds": games}).record.round_robin
    games.append([["A", "D", 1, 0, 0], ["B", "C", 1, 0, 0]])
    assert read({"rounds": games}).record.round_robin
    assert not read({"rounds": games, "round_robin": False}).record.round_robin


def test_lists_unknown_keys():
    """Keys of published standings are known."""
    results = read(
        {"rounds": [[["A", "B", 2, 0, 0]]], "id": "7", "standings": [], "venue": "hall", "drop": {}}
    )
    assert results.unread_keys == ("venue", "drop")


@with_rows(
    ("day", "own_floor", "edition"),
    [
        ("2024-01-04", None, "2019-01-01"),
        ("2024-06-01", None, "2024-05-13"),
        ("2024-06-01", True, "2019-01-01"),
        ("2025-09-01", True, "2025-08-20"),
        ("2026-02-01", False, "2025-08-27"),
        ("2024-01-04", False, "2024-05-13"),
        (None, None, "2025-11-12"),
        (None, False, "2025-08-27"),
    ],
)
def test_the_file_selects_the_edition(day, own_floor, edition):
    """By its day, or by how its source treated the own game-win %."""
    data = {"rounds": [[["A", "B", 2, 0, 0]]]}
    data |= {"date": day} if day else {}
    data |= {} if own_floor is None else {"own_gw_floor": own_floor}
    assert read(data).edition(shipped("melee")).edition == date.fromisoformat(edition)


def test_a_given_day_overrides_that_of_the_file():
    """A profile without editions stays the same."""
    results = read({"date": "2024-01-04", "rounds": [[["A", "B", 2, 0, 0]]]})
    assert results.edition(shipped("melee"), date(2025, 1, 1)).edition == date(2024, 5, 13)
    assert results.edition(shipped("mtr"), date(2025, 1, 1)) == shipped("mtr")


GOOD = ["A", "B", 2, 0, 0]


@with_rows(
    ("data", "message"),
    [
        ("[1, 2]", "expected a table, found a list"),
        ("{", "not readable as JSON: input data was truncated"),
        (
            '{"rounds": [[["A","B",2,0,0]]]}\n{"rounds": [[["A","B",2,0,0]]]}',
            "the file holds 2 events, one on each line",
        ),
        ({}, "the key `rounds` is missing"),
        ({"rounds": []}, "rounds: the file has no rounds"),
        ({"rounds": [[GOOD], [], [GOOD]]}, "rounds[1]: this round has no matches"),
        ({"rounds": [[["A", "A", 2, 0, 0]]]}, "rounds[0][0]: `A` plays against themselves"),
        ({"players": 2, "rounds": [[[0, 0, 2, 0, 0]]]}, "rounds[0][0]: player 0 plays against themselves"),
        ({"players": 2, "rounds": [[[0, 7, 2, 0, 0]]]}, "rounds[0][0]: there is no player 7"),
        (
            {"rounds": [[GOOD, ["C", "B", 2, 0, 0]]]},
            "rounds[0][1]: `B` is in round 1 twice (also rounds[0][0])",
        ),
        (
            {"rounds": [[["A", "B", 2, 0, 0, 0]]]},
            "rounds[0][0]: expected [player, opponent, wins, losses, draws], found 6 entries",
        ),
        (
            {"rounds": [[["A"]]]},
            "rounds[0][0]: expected [player, opponent, wins, losses, draws], found 1 entries",
        ),
        ({"rounds": [[[None, None]]]}, "rounds[0][0]: this match has no players"),
        ({"rounds": [[{"p2": None}]]}, "rounds[0][0]: this match has no players"),
        ({"rounds": [[["A", "B", -1, 0, 0]]]}, "rounds[0][0][2]: expected a whole number, found `-1`"),
        ({"rounds": [[["A", "B", 1.5, 0, 0]]]}, "rounds[0][0][2]: expected a whole number, found `1.5`"),
        ({"rounds": [[["A", "B", True, 0, 0]]]}, "rounds[0][0][2]: expected a whole number, found `true`"),
        ({"rounds": [[["A", 1.5, 1, 0, 0]]]}, "rounds[0][0][1]: expected a player's name or number"),
        (
            {"players": 2, "rounds": [[[["A"], "B", 1, 0, 0]]]},
            "rounds[0][0][0]: expected a player's name or number",
        ),
        ({"rounds": [[["A", "B", 2, None, 0]]]}, "rounds[0][0]: one player's number is missing"),
        ({"rounds": [[["A", "B", 2]]]}, "rounds[0][0]: one player's number is missing"),
        ({"rounds": [["A", "B"]]}, "rounds[0][0]: expected a table or a list, found text"),
        (
            {"rounds": [[{"p1": "A", "p2": "B", "games": [2]}]]},
            "rounds[0][0].games: expected the games won by each player, then the games drawn: [2, 1, 0]",
        ),
        (
            {"rounds": [[{"p1": "A", "p2": "B", "games": [2, -1]}]]},
            "rounds[0][0].games: expected the games won by each player, then the games drawn: [2, 1, 0]",
        ),
        (
            {"rounds": [[{"p1": "A", "p2": "B", "score": []}]]},
            "rounds[0][0].score: expected the score of each player: [6, 0]",
        ),
        ({"rounds": [[{"p1": "A", "p2": "B", "wins": 2}]]}, "rounds[0][0]: unknown key `wins`"),
        (
            {"rounds": [[{"p1": "A", "p2": "B", "result": "A"}]]},
            "rounds[0][0]: `a` is not the result of a match",
        ),
        (
            {"rounds": [[{"p1": "A", "p2": "B", "kind": "no-show"}]]},
            "rounds[0][0]: `no-show` does not say who forfeited: `forfeit1` or `forfeit2`",
        ),
        (
            {"rounds": [[[0, 1, 2, 0]]], "players": 10**12},
            "players: 1000000000000 is not a number of players (1 to 100000)",
        ),
        ({"rounds": [[[0, 1, 2, 0]]], "players": 0}, "players: 0 is not a number of players (1 to 100000)"),
        ({"rounds": [[GOOD]], "players": ["A", "A"]}, "players: `A` appears twice"),
        ({"rounds": [[GOOD]], "players": [3.5]}, "players[0]: expected"),
        ({"rounds": [[GOOD]], "players": [{"rating": 3}]}, "players[0]: the key `name` is missing"),
        ({"rounds": [[GOOD]], "drops": {"C": 1}}, "drops: there is no player `C`"),
        ({"rounds": [[GOOD]], "drops": {"A": 2}}, "drops.A: there is no round 2"),
        ({"rounds": [[GOOD]], "disqualified": {"A": -1}}, "disqualified.A: there is no round -1"),
        ({"rounds": [[GOOD]], "absent": {"C": [1]}}, "absent.C: there is no player `C`"),
        ({"rounds": [[GOOD]], "ratings": {"A": "high"}}, "ratings[...]: expected a whole number, found text"),
        ({"rounds": [[GOOD]], "round_weights": [0]}, "round_weights[0]: 0 is not above 0"),
        (
            {"rounds": [[GOOD]], "round_weights": ["1e999999999"]},
            "round_weights[0]: `1e999999999` is not a number",
        ),
        ({"rounds": [[GOOD]], "round_weights": ["half"]}, "round_weights[0]: `half` is not a number"),
        ({"rounds": [[GOOD]], "date": "4 March"}, "date: "),
        ({"rounds": [[GOOD]], "divisions": {"x": ["C"]}}, "divisions.x: there is no player `C`"),
    ],
)
def test_rejects_a_faulty_file(data, message):
    """With the first problem and its key path."""
    assert refused(data).startswith(f"friday.json: {message}")


def test_rejects_an_absence_and_a_match_in_one_round():
    """The key and the match are named."""
    text = "absent.A: `A` is in round 1 (rounds[0][0])"
    assert refused({"rounds": [[GOOD]], "absent": {"A": [1]}}).endswith(text)


@with_rows(
    ("beside", "message"),
    [
        ({"drops": {"B": 1}}, "drops.B: `B` left after round 1, but is in round 2 (rounds[1][0])"),
        ({"drops": {"A": 0}}, "drops.A: `A` left before round 1, but is in round 1 (rounds[0][0])"),
        (
            {"drops_after_round": {"C": 1}},
            "drops.C: `C` left after round 1, but is in round 2 (rounds[1][1])",
        ),
        (
            {"disqualified": {"B": 1}},
            "disqualified.B: `B` was disqualified after round 1, but is in round 2 (rounds[1][0])",
        ),
        ({"absent": {"C": [2]}}, "absent.C: `C` is in round 2 (rounds[1][1])"),
        ({"best_of": 0}, "best_of: 0 is not a number of games (1 to 99)"),
    ],
)
def test_rejects_keys_that_contradict_the_rounds(beside, message):
    """A dropped, disqualified or absent player who plays."""
    rounds = [[GOOD, ["C", None]], [["A", "B", 2, 1, 0], ["C", None]]]
    assert refused({"rounds": rounds} | beside) == f"friday.json: {message}"


@with_rows(
    ("match", "words"),
    [
        ({"p1": "A", "p2": "B", "games": [2, 0], "result": "p2"}, "`p2` and the games 2–0–0 contradict"),
        ({"p1": "A", "p2": "B", "games": [2, 1, 1], "kind": "draw"}, "`draw` and the games 2–1–1 contradict"),
        ({"p1": "A", "p2": "B", "games": [1, 1], "result": "p1"}, "`p1` and the games 1–1–0 contradict"),
        ({"p1": "A", "p2": "B", "games": [2, 0], "kind": "forfeit1"}, "`forfeit1` and the games 2–0–0"),
        ({"p1": "A", "p2": "B", "games": [2, 0], "kind": "double-forfeit"}, "`double-forfeit` and the games"),
        (
            {"p1": "A", "p2": "B", "games": [2, 0], "kind": "unreported"},
            "`unreported`, but the match has games: 2–0–0",
        ),
        ({"p1": "A", "p2": None, "games": [0, 2], "kind": "bye"}, "`bye` and the games 0–2–0 contradict"),
        ({"p1": "A", "p2": None, "games": [2, 0], "kind": "absent"}, "`absent` and the games 2–0–0"),
        ({"p1": "A", "p2": "B", "kind": "draw", "result": "p1"}, "kind `draw` and result `p1` contradict"),
        ({"p1": "A", "p2": "B", "score": [6, None]}, "score: one player's score is missing"),
        ({"p1": "A", "p2": "B", "score": [6]}, "score: one player's score is missing"),
    ],
)
def test_rejects_a_match_that_contradicts_itself(match, words):
    """Games against a result, or a number for one player only."""
    message = refused({"rounds": [[match]]})
    assert message.startswith("friday.json: rounds[0][0]")
    assert words in message


def test_rejects_two_spellings_unless_both_are_registered():
    """Capitals, spaces and width; registered players get a remark."""
    rounds = [[["Ann", "Ben", 2, 0, 0]], [["ann", "Ben", 2, 0, 0]]]
    text = "rounds[1][0]: `ann` and `Ann` (rounds[0][0]) differ only in capitals, spaces or width"
    assert refused({"rounds": rounds}) == f"friday.json: {text}"
    both = read({"rounds": rounds, "registration_order": ["Ann", "Ben", "ann"]})
    assert len(both.names) == 3
    assert both.remarks == (
        "players: `ann` and `Ann` differ only in capitals, spaces or width, so they were read as two players",
    )
    for one, other in (("Ann Oak", "Ann  Oak"), ("Ａｎｎ", "Ann"), ("1", 1)):
        assert "differ only in" in refused({"rounds": [[[one, "Ben", 2, 0, 0]], [[other, "Ben", 2, 0, 0]]]})


def test_remarks_on_a_drawn_larger_table_without_draws():
    """A shared last place is not a draw."""
    shared, last = ({"players": ["Ann", "Ben", "Cem"], "places": places} for places in ([1, 1, 3], [1, 2, 2]))
    rounds = [[shared], [last]]
    assert read({"draws": False, "rounds": rounds}).remarks == (
        "rounds[0][0]: the match is drawn, but `draws` says that matches cannot be drawn",
    )
    assert read({"draws": True, "rounds": rounds}).remarks == ()


def test_remarks_on_listed_names_that_differ_only_in_accents():
    """As for players who are not listed."""
    remarks = read({"players": ["Zoe", "Zoë"], "rounds": [[["Zoe", "Zoë", 2, 0, 0]]]}).remarks
    assert remarks == (
        "players: `Zoë` and `Zoe` differ only in accents or quotes, so they were read as two players",
    )


def test_reads_and_writes_a_larger_table_without_a_result():
    """It needs a kind; missing places are refused."""
    whole = {"players": ["Ann", "Ben", "Cem"], "places": [1, 2, 3]}
    playing = {"players": ["Dan", "Eva", "Fin"], "kind": "unreported"}
    results = read({"rounds": [[whole, playing]]})
    assert [table.result is None for table in results.record.rounds[0]] == [False, True]
    written = json.loads(write(results).text)
    assert written["rounds"] == [[whole, playing]]
    assert refused({"rounds": [[{"players": ["Ann", "Ben", "Cem"]}]]}).endswith("the key `places` is missing")
    assert "contradict each other" in refused({"rounds": [[whole | {"kind": "unreported"}]]})
