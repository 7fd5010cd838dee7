"""The grammar of results: valid texts, their meaning, and scores that cannot end a match."""

import itertools
import re

import pytest

from tests.event.pad import read_score
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event.score import Slip, parse_tables
from tourney.record import Outcome, PlayerId, Result

W, D, L = Outcome.WIN, Outcome.DRAW, Outcome.LOSS
FW, FL, DL = Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS


def slip(seats=2, best_of=1, **more):
    return Slip(table=4, seats=tuple(PlayerId(n) for n in range(1, seats + 1)), best_of=best_of, **more)


def outcomes(result):
    return [seat.outcome for seat in result.seats]


def games(result):
    return [seat.games for seat in result.seats] + [result.drawn_games]


@with_rows(
    ("best_of", "text", "who", "won"),
    [
        (1, "1-0", [W, L], [1, 0, 0]),
        (1, "0-1", [L, W], [0, 1, 0]),
        (1, "0-0-1", [D, D], [0, 0, 1]),
        (1, "w", [W, L], [1, 0, 0]),
        (1, "l", [L, W], [0, 1, 0]),
        (1, "d", [D, D], [0, 0, 1]),
        (1, "=", [D, D], [0, 0, 1]),
        (1, "½-½", [D, D], [0, 0, 1]),
        (1, "1/2-1/2", [D, D], [0, 0, 1]),
        (3, "2-0", [W, L], [2, 0, 0]),
        (3, "2-1", [W, L], [2, 1, 0]),
        (3, "1-2", [L, W], [1, 2, 0]),
        (3, "2-1-1", [W, L], [2, 1, 1]),
        (3, "2-0-3", [W, L], [2, 0, 3]),
        (3, "1-1-1", [D, D], [1, 1, 1]),
        (3, "1-0-2", [W, L], [1, 0, 2]),
        (3, "0-0-3", [D, D], [0, 0, 3]),
        (3, "w", [W, L], [2, 0, 0]),
        (3, "l", [L, W], [0, 2, 0]),
        (5, "3-2", [W, L], [3, 2, 0]),
        (2, "2-0", [W, L], [2, 0, 0]),
        (2, "1-1", [D, D], [1, 1, 0]),
        (2, "1-0-1", [W, L], [1, 0, 1]),
        (1, "2,1", [L, W], [0, 1, 0]),
        (3, "1,2", [W, L], [2, 0, 0]),
        (3, "２－１", [W, L], [2, 1, 0]),
        (1, "½－½", [D, D], [0, 0, 1]),
        (3, "１，２", [W, L], [2, 0, 0]),
    ],
)
def test_two_seats(best_of, text, who, won):
    """Games in seat order decide the match; a letter is the plainest score."""
    result = read_score(slip(best_of=best_of), text)
    assert outcomes(result) == who
    assert games(result) == won


@with_rows("text", ["2–1", "2 - 1", " 2-1 ", "2:1", "2−1", "2—1"])
def test_every_kind_of_dash_is_read(text):
    """A hyphen, a dash, a minus sign or a colon separates the games."""
    assert games(read_score(slip(best_of=3), text)) == [2, 1, 0]


@with_rows(
    ("text", "who", "places"),
    [
        ("ff1", [FL, FW], [2, 1]),
        ("ff2", [FW, FL], [1, 2]),
        ("ff", [FL, FL], [1, 1]),
        ("dl", [DL, DL], [1, 1]),
        ("FF1", [FL, FW], [2, 1]),
    ],
)
def test_players_who_did_not_show(text, who, places):
    """No game was played, and the player who was present is first."""
    result = read_score(slip(best_of=3), text)
    assert outcomes(result) == who
    assert [seat.place for seat in result.seats] == places
    assert games(result) == [0, 0, 0]


def test_an_intentional_draw_counts_all_games_as_drawn():
    """In a best of three it counts as 0–0–3 (STANDINGS), unlike a draw that was played."""
    result = read_score(slip(best_of=3), "id")
    assert outcomes(result) == [D, D]
    assert games(result) == [0, 0, 3]
    assert result.ended == "id"


@with_rows(
    ("seats", "text", "who", "places"),
    [
        (3, "1,3,2", [W, L, L], [1, 3, 2]),
        (3, "1,1,3", [D, D, L], [1, 1, 3]),
        (3, "1,2,2", [W, L, L], [1, 2, 2]),
        (3, "1,1,1", [D, D, D], [1, 1, 1]),
        (4, "2,1,ff,3", [L, W, FL, L], [2, 1, 4, 3]),
        (3, "ff,1,ff", [FL, FW, FL], [2, 1, 2]),
        (3, "=", [D, D, D], [1, 1, 1]),
        (3, "id", [D, D, D], [1, 1, 1]),
        (3, "dl", [DL, DL, DL], [1, 1, 1]),
        (6, "6,5,4,3,2,1", [L, L, L, L, L, W], [6, 5, 4, 3, 2, 1]),
    ],
)
def test_larger_tables(seats, text, who, places):
    """Places in seat order: a single first wins, a shared first is a draw, all others lose."""
    result = read_score(slip(seats), text)
    assert outcomes(result) == who
    assert [seat.place for seat in result.seats] == places


@with_rows(
    ("best_of", "text", "message"),
    [
        (3, "3-0", "3–0 cannot end a best of 3"),
        (3, "2-2", "2–2 cannot end a best of 3"),
        (1, "2-0", "2–0 cannot end a best of 1"),
        (1, "1-1", "1–1 cannot end a best of 1"),
        (2, "2-1", "2–1 cannot end a match of 2 games"),
        (3, "1-0", "1–0 does not end a best of 3: 2 games win it"),
        (3, "1-1", "1–1 does not end a best of 3: 2 games win it"),
        (3, "0-0", "0–0 does not end a best of 3: 2 games win it"),
        (1, "0-0", "0–0 does not end a best of 1: 1 game wins it"),
        (3, "ff3", "table 4: `ff3` is not a result"),
        (3, "banana", "table 4: `banana` is not a result"),
        (3, "", "table 4: `` is not a result"),
        (3, "2-1-1-1", "table 4: `2-1-1-1` is not a result"),
        (3, "-1-2", "table 4: `-1-2` is not a result"),
        (3, "1,2,3", "table 4: `1,2,3` has 3 places, but the table has 2 seats"),
        (3, "1,3", "table 4: the places `1,3` leave a gap"),
    ],
)
def test_scores_that_cannot_end_a_match_are_refused(best_of, text, message):
    """The error names the rule of the match."""
    with pytest.raises(TourneyError, match=message.replace("(", r"\(")) as refusal:
        read_score(slip(best_of=best_of), text)
    assert refusal.value.hint


@with_rows(
    ("text", "who"), [("1-0", [W, L]), ("1-1", [D, D]), ("0-0", [D, D]), ("0-1", [L, W]), ("0-0-1", [D, D])]
)
def test_time_allows_an_unfinished_match_and_is_recorded(text, who):
    """The player who is ahead has won, and the result records the ending."""
    result = read_score(slip(best_of=3), text, ended="time")
    assert outcomes(result) == who
    assert result.ended == "time"


@with_rows("text", ["3-0", "2-2"])
def test_time_does_not_allow_the_impossible(text):
    """More games than the match has are still refused."""
    with pytest.raises(TourneyError, match="cannot end"):
        read_score(slip(best_of=3), text, ended="time")


def test_a_finished_match_is_not_ended_by_time():
    """`--time` on a block leaves finished matches as they are."""
    assert read_score(slip(best_of=3), "2-1", ended="time").ended == ""


@with_rows("text", ["d", "=", "id", "0-0-1", "1,1"])
def test_an_event_without_draws_refuses_each_kind_of_draw(text):
    """A format may have no draws, and a bracket never has any."""
    with pytest.raises(TourneyError, match="is a draw, and this match needs a winner"):
        read_score(slip(draws=False), text)


SIDES = ("Red", "Blue")


@with_rows(("text", "who"), [("red", [W, L]), ("Blue", [L, W]), (" RED ", [W, L]), ("ｂｌｕｅ", [L, W])])
def test_a_side_that_won(text, who):
    """In a match of one game with sides, the name of the side is its win."""
    read = read_score(slip(sides=SIDES), text)
    assert outcomes(read) == who
    assert sorted(games(read)) == [0, 0, 1]


@with_rows("more", [{"best_of": 2, "sides": SIDES}, {"best_of": 3, "sides": SIDES}, {}])
def test_a_side_is_refused_if_sides_change_or_the_game_has_none(more):
    """The error lists what can be typed instead."""
    with pytest.raises(TourneyError) as caught:
        read_score(slip(**more), "red")
    assert "`w`" in caught.value.hint
    assert "red" not in caught.value.hint


@with_rows(
    ("best_of", "draws", "drawn"),
    [
        case
        for case in itertools.product([1, 2, 3, 4, 5, 7], [True, False], ["stands", "again", "none"])
        if case != (1, True, "none")  # no format says so
    ],
)
@with_rows("sides", [(), SIDES])
def test_every_form_in_a_hint_is_accepted(best_of, draws, sides, drawn):
    """Every form in an error is a result of this match exactly as shown."""
    waiting = slip(best_of=best_of, draws=draws, sides=sides, drawn_game=drawn)
    named = []
    many = f"{best_of // 2 + 1}-{best_of // 2}-2"
    for typed in (
        "nonsense",
        "0-0",
        "9-0",
        "0-9",
        f"{best_of}-{best_of}",
        "1-1",
        "d",
        "1-0-1",
        "2-1-1",
        many,
    ):
        try:
            read_score(waiting, typed)
        except TourneyError as fault:
            named += re.findall("`([^`]+)`", (fault.hint or ""))
    assert named
    for text in named:
        if text.startswith("tourney result add 4 "):
            score = text.removeprefix("tourney result add 4 ").removesuffix(" --time")
            read_score(waiting, score, ended="time")
        elif not text.startswith("--"):
            read_score(waiting, text)


@with_rows(
    ("drawn", "best_of", "accepted_scores", "refused"),
    [
        ("again", 1, ["1-0-1", "0-1-2", "0-0-1"], []),
        ("stands", 1, ["1-0", "0-0-1", "d"], ["1-0-1", "0-1-1", "0-1-2", "0-0-2"]),
        ("none", 3, ["2-1", "2-0"], ["2-0-1", "2-1-1", "1-0-2", "0-0-3"]),
        ("stands", 3, ["2-0-1", "1-0-2", "1-1-1", "0-0-3"], ["2-1-1", "2-0-2", "0-0-4"]),
        ("again", 3, ["2-1-1", "2-0-3", "0-0-3"], []),
    ],
)
def test_a_drawn_game_within_a_match(drawn, best_of, accepted_scores, refused):
    """It is replayed, counts as a game of the match, or is impossible, by the format."""
    waiting = slip(best_of=best_of, drawn_game=drawn)
    for text in accepted_scores:
        assert read_score(waiting, text).players == waiting.seats
    for text in refused:
        with pytest.raises(TourneyError, match=r"is not played again|games cannot be drawn here") as refusal:
            read_score(waiting, text)
        assert "`" in refusal.value.hint


def test_a_match_that_needs_a_winner_plays_a_drawn_game_again():
    """In a bracket of an event with draws; not if no game can be drawn."""
    assert outcomes(read_score(slip(draws=False), "1-0-1")) == [W, L]
    with pytest.raises(TourneyError, match="has 1 drawn game, but games cannot be drawn here") as refusal:
        read_score(slip(draws=False, drawn_game="none"), "1-0-1")
    assert refusal.value.hint.startswith("a result is `1-0`, ")


@with_rows("text", ["2-1", "2-0-1", "1-1-1", "0-0-3"])
def test_a_match_of_two_games_has_no_third(text):
    """If a match may end level, no third game is played and drawn games are not replayed."""
    with pytest.raises(TourneyError, match="cannot end a match of 2 games"):
        read_score(slip(best_of=2), text)


def test_a_third_game_decides_if_the_match_needs_a_winner():
    """In a bracket a match of two games that is level goes on."""
    assert outcomes(read_score(slip(best_of=2, draws=False), "1-2")) == [L, W]


def test_victory_points_in_seat_order():
    """`--score 32,18` is in seat order; points alone decide nothing."""
    result = read_score(slip(), "l", "32,18")
    assert [seat.score for seat in result.seats] == [32, 18]
    assert outcomes(result) == [L, W]


def test_every_kind_of_minus_is_read():
    """A mathematical minus sign is read like a hyphen."""
    assert [seat.score for seat in read_score(slip(), "w", "3,−5").seats] == [3, -5]


@with_rows("scores", ["32", "32,18,4", "a,b", "3.5,2", "", "32;18", "9999999999,1"])
def test_invalid_victory_points_are_refused(scores):
    """One whole number for each seat."""
    with pytest.raises(TourneyError, match="does not have a score for each of the 2 seats"):
        read_score(slip(), "w", scores)


@with_rows(("text", "hint"), [("1,3,3", "`1,2,2`"), ("2,3,4", "`1,2,3`"), ("1,1,2", "`1,1,3`")])
def test_places_with_a_gap_are_refused_with_a_correction(text, hint):
    """The hint keeps the order that was typed."""
    with pytest.raises(TourneyError, match="leave a gap") as refusal:
        read_score(slip(3), text)
    assert hint in refusal.value.hint


@with_rows(
    ("text", "tables"),
    [
        ("4", (4,)),
        (4, (4,)),
        ("4..7", (4, 5, 7)),
        ("2,4,9", (2, 4, 9)),
        ("9, 2..4", (9, 2, 4)),
        ("4,4..5", (4, 5)),
    ],
)
def test_tables_by_number_list_and_range(text, tables):
    """A range selects the existing tables in it, each once."""
    assert parse_tables(text, (1, 2, 4, 5, 7, 9)) == tables


@with_rows(
    ("text", "message"),
    [
        ("3", "no table 3"),
        ("2..8", "no table 8"),
        ("7..4", "in `7..4`, the first table number is greater than the last"),
        ("x", "not a table"),
        ("4-7", "not a table"),
    ],
)
def test_unknown_tables_are_refused(text, message):
    """The error names the table, and the hint lists the tables."""
    with pytest.raises(TourneyError, match=message) as refusal:
        parse_tables(text, (1, 2, 4, 5, 7, 9))
    assert refusal.value.hint


def test_a_result_is_written_as_short_arrays():
    """The seats in order, each with player, outcome, place, games."""
    import msgspec

    result = read_score(slip(best_of=3), "2-1")
    assert msgspec.json.encode(result) == b'[[[1,"win",1,2,null],[2,"loss",2,1,null]],0,""]'
    assert msgspec.json.decode(msgspec.json.encode(result), type=Result) == result
