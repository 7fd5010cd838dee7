"""Decisions about results: new, repeated, contradictory, changed, and in blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.event.pad import Pad
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event import ops, results
from tourney.event.brackets import bracket_of
from tourney.event.score import Report, parse_line, parse_lines, slip_examples
from tourney.record import PlayerId


def paired(**settings):
    pad = Pad("Ada", "Ben", "Cleo", "Dina", "Eli", "Fenn", **settings)
    pad.pair((1, 2), (3, 4), (5, 6))
    return pad


def report(pad, *lines, number=None):
    return results.enter(pad.change, [Report(tables=tables, score=score) for tables, score in lines], number)


def change(pad, table, score, **more):
    return results.change_result(pad.change, Report(tables=table, score=score), reason=None, **more)


def test_a_result_is_entered_with_players_and_outcomes():
    """The entry has players and outcomes, so it can be read without other entries."""
    pad = paired(best_of=3)
    op = report(pad, (2, "2-1")).op
    assert (op.round, [*op.results]) == (1, [2])
    assert [(seat.player, seat.outcome.value, seat.games) for seat in op.results[2].seats] == [
        (3, "win", 2),
        (4, "loss", 1),
    ]


def test_the_same_result_again_succeeds_and_names_the_entry():
    """Two scorekeepers enter the same slip."""
    pad = paired()
    pad.do(report(pad, (1, "1-0")), by="Ben")
    again = report(pad, (1, "w"))
    assert again.op is None
    assert again.already == "Round 1, table 1: Ada 1–0 Ben"
    assert (again.entered.entry, again.entered.by) == (4, "Ben")


def test_another_result_is_refused_with_the_first_one():
    """The error names its time, author and entry; the hint is `result change`."""
    pad = paired()
    pad.do(report(pad, (1, "1-0")))
    with pytest.raises(TourneyError) as refusal:
        report(pad, (1, "0-1"))
    assert refusal.value.message == (
        "Round 1, table 1 has a different result: Ada 1–0 Ben (entered at 10:04 by Ann, entry 4)"
    )
    assert "tourney result change 1" in refusal.value.hint


@with_rows("first", ["d", "id"])
def test_a_draw_differs_from_an_intentional_draw(first):
    """In a best of one their outcomes are equal, but not how the match ended."""
    pad = paired()
    pad.do(report(pad, (1, first)))
    with pytest.raises(TourneyError, match="has a different result"):
        report(pad, (1, "id" if first == "d" else "d"))


def test_a_range_is_one_entry_and_skips_tables_with_a_result():
    """`1..3 w` after table 2 was entered with the same result: two results are new."""
    pad = paired()
    pad.do(report(pad, (2, "w")))
    decision = report(pad, ("1..3", "w"))
    assert [*decision.op.results] == [1, 3]
    assert decision.warnings == ("already entered, with the same result: table 2",)


def test_a_block_is_entered_completely_or_not_at_all():
    """The error names all three faulty lines."""
    pad = paired(best_of=3)
    reports = parse_lines(
        ["1 2-0", "2 3-0", "", "# half time", "9 2-0", "3 banana"], source="slips.txt", time=False
    )
    with pytest.raises(TourneyError) as refusal:
        results.enter(pad.change, reports)
    lines = refusal.value.message.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["slips.txt:2", "slips.txt:5", "slips.txt:6"]


def test_a_table_named_twice_in_a_block():
    """The same score twice is one result; two different scores are refused."""
    pad = paired()
    assert len(report(pad, (1, "w"), (1, "1-0")).op.results) == 1
    with pytest.raises(TourneyError, match="table 1 is named twice: Ada 1–0 Ben, and Ada 0–1 Ben"):
        report(pad, (1, "w"), (1, "l"))


@with_rows("line", ["1", "1 2-0 3,4 more", "x", "--time", "#7", "1 2-0 x y"])
def test_invalid_lines_are_refused(line):
    """A line is a table and a score, optionally with victory points."""
    with pytest.raises(TourneyError, match=r"^slips:1: .* is not a table and a score"):
        parse_lines([line], source="slips", time=False)


def test_an_empty_block_is_refused():
    """Only comments are probably a mistake."""
    with pytest.raises(TourneyError, match="no results found"):
        parse_lines(["# nothing", ""], source="slips", time=False)


@with_rows(
    ("settings", "line"),
    [
        ({"best_of": 1}, "write a line such as `4 1-0` or `lena 1-0`, with victory points `4 1-0 32,18`"),
        ({"best_of": 2}, "write a line such as `4 2-0` or `lena 2-0`, with victory points `4 2-0 32,18`"),
        ({"best_of": 5}, "write a line such as `4 3-2` or `lena 3-2`, with victory points `4 3-2 32,18`"),
        (
            {"seats": (3,)},
            "write a line such as `4 1,3,2` or `lena 1,3,2`, with victory points `4 1,3,2 9,8,7`",
        ),
    ],
)
def test_the_example_in_a_hint_fits_the_event(settings, line):
    with pytest.raises(TourneyError) as refused:
        parse_lines(
            ["Lena"], source="slips", time=False, examples=slip_examples(Pad(**settings).state.settings)
        )
    assert refused.value.hint == line


def test_victory_points_and_time_in_a_block():
    """The third word is the victory points; a last word `--time` applies to its line."""
    pad = paired(best_of=3)
    one, two = parse_lines(["1 2-0 32,18", "2 1-0 --time"], source="slips", time=False)
    entered_results = results.enter(pad.change, [one, two]).op.results
    assert [seat.score for seat in entered_results[1].seats] == [32, 18]
    assert [result.ended for result in entered_results.values()] == ["", "time"]


def test_unknown_rounds_are_refused():
    """Before the first pairing, and beyond the last."""
    with pytest.raises(TourneyError, match="no round is paired yet"):
        report(Pad("Ada"), (1, "w"))
    with pytest.raises(TourneyError, match="there is no round 2: 1 round paired so far"):
        report(paired(), (1, "w"), number=2)


def test_draws_are_refused_in_a_bracket_and_without_draws():
    """The format's tie rule decides there."""
    with pytest.raises(TourneyError, match="this match needs a winner"):
        report(paired(draws=False), (1, "d"))
    pad = Pad("Ada", "Ben")
    pad.write(ops.CutMade(players=(PlayerId(1), PlayerId(2)), after=0))
    pad.pair((1, 2), stage="cut", labels=("Final",))
    with pytest.raises(TourneyError, match="is a draw"):
        report(pad, (1, "="))


def test_a_change_replaces_a_result_and_a_dash_removes_it():
    """With a dash the table plays on."""
    pad = paired()
    pad.do(report(pad, (1, "w")))
    pad.do(change(pad, 1, "l"))
    assert pad.say(pad.last) == "Round 1, table 1 was changed: Ada 0–1 Ben"
    assert change(pad, 1, "l").op is None
    pad.do(change(pad, 1, "-"))
    assert 1 in pad.state.round.playing
    with pytest.raises(TourneyError, match="Round 1, table 1 has no result yet") as refusal:
        change(pad, 1, "w")
    assert "tourney result add 1 w" in refusal.value.hint


def test_a_result_is_kept_once_the_next_bracket_round_is_paired():
    """The winner of the semifinal already plays the final."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina")
    pad.write(ops.CutMade(players=tuple(map(PlayerId, (1, 2, 3, 4))), after=0))
    pad.pair((1, 4), (2, 3), stage="cut", labels=("Semifinal 1", "Semifinal 2"))
    pad.do(report(pad, ("1..2", "w")))
    pad.do(change(pad, 1, "l"))
    pad.pair((4, 2), stage="cut", labels=("Final",))
    with pytest.raises(TourneyError, match="the bracket has continued after the semifinals") as refusal:
        change(pad, 1, "w", number=1)
    again = "`tourney round cancel`, `tourney result change 1 w`, `tourney round next`"
    assert refusal.value.hint == f"run in this order: {again}"
    pad.do(report(pad, (1, "w")))
    with pytest.raises(TourneyError) as refusal:
        change(pad, 2, "-", number=1)
    assert "`tourney round cancel` (this removes 1 result), `tourney result change 2 -`" in refusal.value.hint


def test_a_score_can_be_corrected_if_the_same_player_advances():
    """The pairing of the final depends only on the winner."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina", best_of=3)
    pad.write(ops.CutMade(players=tuple(map(PlayerId, (1, 2, 3, 4))), after=0))
    pad.pair((1, 4), (2, 3), stage="cut", labels=("Semifinal 1", "Semifinal 2"))
    pad.do(report(pad, ("1..2", "2-0")))
    pad.pair((1, 2), stage="cut", labels=("Final",))
    pad.do(change(pad, 1, "2-1", number=1))
    assert [seat.games for seat in pad.state.rounds[0].tables[1].result.seats] == [2, 1]
    pad.do(change(pad, 2, "ff2", number=1))
    assert bracket_of(pad.state, pad.state.cut, 1).tables[0].seats == (1, 2)


def test_a_closed_event_takes_no_results():
    """After reopening it does."""
    pad = paired()
    pad.write(ops.EventClosed())
    for act in (lambda: report(pad, (1, "w")), lambda: change(pad, 1, "w")):
        with pytest.raises(TourneyError, match="the event is closed"):
            act()


# -- by a player's name


@with_rows(
    ("line", "tables", "score", "points", "ended"),
    [
        ("4 2-1", "4", "2-1", None, ""),
        ("lena 2-0", "lena", "2-0", None, ""),
        ("Lena Thorn 2-0", "Lena Thorn", "2-0", None, ""),
        ('"Lena Thorn" 2-0 32,18', "Lena Thorn", "2-0", "32,18", ""),
        ("#7 2-0 # late", "#7", "2-0", None, ""),
        ("  #7 l", "#7", "l", None, ""),
        ("Lena Thorn 1,3,2 9,4,6", "Lena Thorn", "1,3,2", "9,4,6", ""),
        ("Ann D 1,2", "Ann", "D", "1,2", ""),
        ("lena 1,3,2", "lena", "1,3,2", None, ""),
        ("Lena Thorn 1,3,2", "Lena Thorn", "1,3,2", None, ""),
        ("Lena Thorn 1-0 --time", "Lena Thorn", "1-0", None, "time"),
        ("2,4 w", "2,4", "w", None, ""),
    ],
)
def test_a_line_is_parsed(line, tables, score, points, ended):
    """The score is last, or before the points; everything before it is a table or a name."""
    assert parse_line(line) == Report(tables=tables, score=score, points=points, ended=ended)


@with_rows("line", ["", "   ", "# 4 2-1", "#", "  # late", "## 7"])
def test_blank_lines_and_comments_are_skipped(line):
    """A comment begins with `#` not followed by a number."""
    assert parse_line(line) is None


MIRRORED = {
    "2-1": "1-2", "2-0-1": "0-2-1", "w": "l", "l": "w", "won": "lost", "d": "d", "=": "=", "½-½": "½-½",
    "id": "id", "ff1": "ff2", "ff2": "ff1", "ff": "ff", "dl": "dl", "1,2": "2,1", "ff,1": "1,ff",
    "1,1": "1,1",
}  # fmt: skip


@with_rows("score", MIRRORED)
@with_rows("points", [None, "32,18"])
def test_results_of_the_second_seat_mirror_those_of_the_first(score, points):
    """With any score and points: seat 1 reports in seat order, seat 2 in reverse order."""
    pad = paired(best_of=3)
    points = "0,0" if points and "ff" in score else points  # who did not play has none

    def entered(tables, score, points):
        op = results.enter(pad.change, [Report(tables=tables, score=score, points=points)]).op
        return op.results

    turned = points and ",".join(reversed(points.split(",")))
    in_seat_order = entered(2, score, points)
    assert in_seat_order[2].players == (3, 4)
    assert entered("cleo", score, points) == in_seat_order
    assert entered("#4", MIRRORED[score], turned) == in_seat_order
    assert entered("Dina", MIRRORED[score], turned) == in_seat_order


@pytest.mark.parametrize("seat", range(4))
@given(places=st.permutations([1, 2, 3, 4]), points=st.lists(st.integers(-9, 99), min_size=4, max_size=4))
def test_places_begin_with_the_named_player(seat, places, points):
    """Then the other seats in order. The entry has each player's place and points."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina", seats=(4,))
    pad.pair((3, 1, 4, 2))
    seats = (3, 1, 4, 2)
    order = (seats[seat], *(other for other in seats if other != seats[seat]))
    own = dict(zip(order, zip(places, points, strict=True), strict=True))
    report_ = Report(tables=f"#{seats[seat]}", score=",".join(map(str, places)), points=tuple(points))
    result = results.enter(pad.change, [report_]).op.results[1]
    assert result.players == seats
    assert {seat.player: (seat.place, seat.score) for seat in result.seats} == own


def test_a_prefix_finds_the_only_seated_player():
    """Of two players with the prefix, the seated one is meant; two seated ones are ambiguous."""
    pad = Pad("Mira", "Tomo", "Milo", "Max", "Ann")
    pad.pair((1, 2), (4, 5), byes=((3, "bye"),))
    assert report(pad, ("mi", "1-0")).op.results[1].seats[0].player == 1
    with pytest.raises(TourneyError, match=r"Milo has no table in round 1 \(bye\)"):
        report(pad, ("milo", "1-0"))
    with pytest.raises(TourneyError, match=r"`m` may be Mira \(#1\), Milo \(#3\) or Max \(#4\)"):
        report(pad, ("m", "1-0"))


def test_a_number_that_is_also_a_name_is_ambiguous():
    """Table 2, or the player named 2: the error shows how to write each."""
    pad = Pad("Ada", "Ben", "2", "Dina")
    pad.pair((1, 3), (2, 4))
    with pytest.raises(TourneyError) as refusal:
        report(pad, ("2", "w"))
    assert refusal.value.message == "`2` may be table 2, or the player 2 (#3)"
    assert [*report(pad, ("2..2", "w")).op.results] == [2]
    assert [*report(pad, ("#3", "w")).op.results] == [1]
    assert [*report(pad, (2, "w")).op.results] == [2]


def test_hints_name_the_table_as_the_user_did():
    """So the score can be typed from the same side again."""
    pad = paired(best_of=3)
    with pytest.raises(TourneyError) as refusal:
        report(pad, ("dina", "1-0"))
    assert "`tourney result add dina 1-0 --time`" in refusal.value.hint
    pad.do(report(pad, ("dina", "2-0")))
    with pytest.raises(TourneyError) as refusal:
        report(pad, ("#4", "0-2"))
    assert refusal.value.hint == '`tourney result change "#4" SCORE` changes the result'


def test_a_reason_is_in_the_log():
    """It is a text like any other. Without a reason, the entry has no field for it."""
    pad = paired()
    decision = results.enter(pad.change, [Report(tables=1, score="w")], reason=" the slip was wet ")
    pad.do(decision)
    assert pad.say(pad.last) == "Round 1, table 1: Ada 1–0 Ben: the slip was wet"
    assert report(pad, (2, "w")).op.reason is None
    with pytest.raises(TourneyError, match="at most 500 characters"):
        results.enter(pad.change, [Report(tables=2, score="w")], reason="x" * 501)


def test_a_line_is_explained_before_it_is_entered():
    """Table by table; nothing if it is already entered; with the same errors."""
    pad = paired()
    assert results.meaning(pad.change, Report(tables="1..2", score="w")) == (
        "table 1: Ada 1–0 Ben",
        "table 2: Cleo 1–0 Dina",
    )
    pad.do(report(pad, (1, "w")))
    assert results.meaning(pad.change, Report(tables="ben", score="l")) == ()
    with pytest.raises(TourneyError, match="has a different result"):
        results.meaning(pad.change, Report(tables="ben", score="w"))


@with_rows(
    ("score", "more", "message"),
    [
        ("2-1", {}, "cannot end a best of 1"),
        ("nonsense", {}, "is not a result"),
        ("0-0", {"ended": "time"}, "`tourney result add 1 0-0 --time`"),
        ("1-0", {"points": "9,4"}, "`tourney result add 1 1-0 --score 9,4`"),
    ],
)
def test_a_result_for_an_empty_table_is_hinted_at_if_possible(score, more, message):
    """The hint repeats the typed words, and never proposes a line that would be refused."""
    pad = paired()
    with pytest.raises(TourneyError) as caught:
        results.change_result(pad.change, Report(tables=1, score=score, **more))
    assert message in f"{caught.value.message} {caught.value.hint}"
