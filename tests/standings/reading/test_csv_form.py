"""Results as comma-separated lines."""

from contextlib import suppress
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit import with_rows
from tests.standings.profiles import shipped
from tourney.errors import TourneyError
from tourney.record import Outcome
from tourney.standings import points, rank
from tourney.standings.reading import find_form, read_results

HEAD = "round,player1,player2,wins1,wins2,draws\n"


def read(text, **more):
    return read_results(text, source="friday.csv", **more)


def by_name(results, profile="mtr"):
    made = points(results.record, shipped(profile))
    return {name: made[player] // 2 for player, name in results.names.items()}


def refused(text):
    with pytest.raises(TourneyError) as caught:
        read(text)
    return caught.value.message


def test_reads_full_width_digits_and_any_minus():
    """In each column of numbers and in the settings."""
    settings, head = "best_of,3\ndrops,Mira,2\n", "round,player1,player2,wins1,wins2,draws,score1,score2\n"
    lines = "2,Mira,Tomo,2,1,0,12,-3\n1,Tomo,Mira,,,,,\n"
    wide = {ord(sign): chr(ord(sign) + 0xFEE0) for sign in "0123456789-"}
    usual = settings + head + lines
    for text in (usual.replace("-3", "−3"), settings.translate(wide) + head + lines.translate(wide)):
        assert read(text).record == read(usual).record
    assert refused(HEAD + "1,A,B,1_0,0,0\n").endswith("wins1: expected a whole number, found `1_0`")


def test_reads_the_example_of_the_readme():
    """Wins, a bye with an empty second player, and a match without a result."""
    results = read(
        HEAD + "1,Mira,Tomo,2,1,0\n1,Ansel,,0,0,0\n2,Ansel,Mira,2,0,0\n2,Tomo,,,,\n3,Mira,Tomo,,,\n"
    )
    assert by_name(results) == {"Mira": 3, "Tomo": 3, "Ansel": 6}
    assert rank(results.record, shipped("mtr")).open_tables == ((3, 1),)
    assert results.record.byes[0] == {3: Outcome.BYE}


@with_rows(
    "text",
    [
        HEAD + "1,Ana,Ben,2,1,0\n",
        HEAD.replace(",", ";") + "1;Ana;Ben;2;1;0\n",
        HEAD.replace(",", "\t") + "1\tAna\tBen\t2\t1\t0\n",
        "\ufeff" + HEAD + "1,Ana,Ben,2,1,0\n",
        HEAD.replace("\n", "\r\n") + "1,Ana,Ben,2,1,0\r\n\r\n",
        HEAD.upper() + '1,"Ana", Ben ,2,1,0',
        "wins1,wins2,player2,player1,round\n2,1,Ben,Ana,1\n",
        "draws,wins1,wins2,player2,player1,round\n0,2,1,Ben,Ana,1\n",
    ],
)
def test_accepts_any_separator_line_end_and_order_of_columns(text):
    """Also a byte order mark, and a table without `draws`."""
    results = read(text)
    assert set(results.names.values()) == {"Ana", "Ben"}
    assert by_name(results) == {"Ana": 3, "Ben": 0}


def test_accepts_rounds_in_any_order():
    """Players are numbered in order of rounds, not of lines."""
    results = read(HEAD + "2,B,A,2,0,0\n1,A,B,2,0,0\n")
    assert [results.names[player] for player in results.record.players] == ["A", "B"]
    assert by_name(results) == {"A": 3, "B": 3}


@with_rows(
    ("line", "outcome"),
    [
        ("1,A,,2,0,0", Outcome.BYE),
        ("1,A,,0,0,0", Outcome.BYE),
        ("1,A,,,,", Outcome.BYE),
        ("1,A,,0,2,0", Outcome.FORFEIT_LOSS),
        ("1,A,,1,1,0", Outcome.HALF_BYE),
        ("1,A,,0,0,1", Outcome.HALF_BYE),
    ],
)
def test_numbers_of_a_lone_player_mean_bye_loss_or_half_bye(line, outcome):
    """More wins or no games: bye; more losses: assigned loss; equal: half bye."""
    from tourney.standings import Scorecards

    results = read(HEAD + line)
    assert Scorecards(results.record, shipped("mtr"))[1][0].outcome is outcome


@with_rows(
    ("kind", "outcomes"),
    [
        ("double-loss", (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS)),
        ("Double_Loss", (Outcome.DOUBLE_LOSS, Outcome.DOUBLE_LOSS)),
        ("forfeit1", (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN)),
        ("forfeit2", (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS)),
        ("double-forfeit", (Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS)),
        ("draw", (Outcome.DRAW, Outcome.DRAW)),
        ("p2", (Outcome.LOSS, Outcome.WIN)),
    ],
)
def test_reads_the_kind_of_a_result(kind, outcomes):
    """The column `kind` says what the numbers cannot."""
    results = read(f"round,player1,player2,kind\n1,A,B,{kind}\n")
    (table,) = results.record.rounds[0]
    assert tuple(seat.outcome for seat in table.result.seats) == outcomes


def test_reads_scores_beside_games_or_instead_of_them():
    """`score1` and `score2`, or the two numbers under a profile that counts scores."""
    beside = read("round,player1,player2,wins1,wins2,score1,score2\n1,A,B,2,0,30,-2\n")
    assert [seat.score for seat in beside.record.rounds[0][0].result.seats] == [30, -2]
    instead = read(HEAD + "1,A,B,4,1,0\n", scores=True)
    assert by_name(instead, "cobra") == {"A": 4, "B": 1}


def lines(*scores):
    """Return a file in which A and B, C and D … met with these numbers."""
    return "".join(f"1,{chr(65 + 2 * at)},{chr(66 + 2 * at)},{score}\n" for at, score in enumerate(scores))


@with_rows(
    ("scores", "named"),
    [
        (("2,1,0", "0,2,0", "1,1,1"), "2–1 or 2–0"),
        (("1,0,0",), "1–0"),
        (("3,0,0", "3,2,0"), "3–2"),
    ],
)
def test_asks_whether_impossible_scores_are_games(scores, named):
    """With 3 points for a game won, no match ends 2–1."""
    question = read(HEAD + lines(*scores), scores=True).games_for_scores(shipped("cobra"))
    assert question == (
        "under the profile cobra, the two numbers of a match are points (3 for each game won),"
        f" so {named} is not possible: do the numbers count games won?"
    )


@with_rows(
    "scores",
    [
        ("6,0,0", "3,3,0", "1,4,0"),
        ("3,0,0", "1,1,0", "0,3,0"),
        ("6,0,0", "2,1,0"),  # points were taken away
        ("4,0,0", "2,1,0", "2,2,0"),  # where a game won once gave 2
        ("1,1,0", "0,0,0", "2,2,0"),
        (",,", "-1,0,0"),
        (),
    ],
)
def test_does_not_ask_about_possible_scores(scores):
    text = HEAD + lines(*scores) + "1,Y,,2,0,0\n"
    assert read(text, scores=True).games_for_scores(shipped("cobra")) == ""


def test_numbers_are_games_if_there_are_columns_of_scores():
    """Even empty columns, under a profile that counts scores."""
    head = "round,player1,player2,wins1,wins2,draws,score1,score2\n"
    short = read(head + "1,A,B,2,1,0\n", scores=True)
    assert by_name(short, "cobra") == {"A": 6, "B": 3}
    results = read(head + "1,A,B,2,1,0\n1,C,D,0,2,0,,\n1,E,F,,,,6,0\n", scores=True)
    assert by_name(results, "cobra") == {"A": 6, "B": 3, "C": 0, "D": 6, "E": 6, "F": 0}
    assert results.games_for_scores(shipped("cobra")) == ""


@with_rows(
    ("text", "message"),
    [
        ("", "friday.csv: the file is empty"),
        (HEAD, "friday.csv: the file has no results"),
        ("round,player1\n1,A\n", "friday.csv: line 1: column `player2` is missing"),
        ("round,player1,player2,elo\n", "friday.csv: line 1: unknown column `elo`"),
        ("round,player1,player2,round\n", "friday.csv: line 1: column `round` appears twice"),
        (HEAD + "1,A,A,2,0,0\n", "friday.csv: line 2: `A` plays against themselves"),
        (HEAD + "1,A,B,2,0,0\n1,C,A,2,0,0\n", "friday.csv: line 3: `A` is in round 1 twice (also line 2)"),
        (HEAD + "1,A,,2,0,0\n1,A,,2,0,0\n", "friday.csv: line 3: `A` is in round 1 twice (also line 2)"),
        (HEAD + "1,A,B,2,0,0\n3,A,B,2,0,0\n", "friday.csv: round 2 is missing, but there is a round 3"),
        (HEAD + "0,A,B,2,0,0\n", "friday.csv: line 2: round: expected a whole number, found `0`"),
        (HEAD + "one,A,B,2,0,0\n", "friday.csv: line 2: round: expected a whole number, found `one`"),
        (HEAD + "1,A,B,2,x,0\n", "friday.csv: line 2: wins2: expected a whole number, found `x`"),
        (HEAD + "1,A,B,-2,0,0\n", "friday.csv: line 2: wins1: expected a whole number, found `-2`"),
        (HEAD + "1,A,B,2.5,0,0\n", "friday.csv: line 2: wins1: expected a whole number, found `2.5`"),
        (HEAD + "1,A,B,٢,0,0\n", "friday.csv: line 2: wins1: expected a whole number, found `٢`"),
        (HEAD + "1,,B,2,0,0\n", "friday.csv: line 2: player1 is empty"),
        (HEAD + "1,A,B,2,0,0,7,8\n", "friday.csv: line 2: 8 columns, but the header has 6"),
        (
            HEAD + '1,"A,B,2,0,0\n',
            "friday.csv: line 2: not readable as a table: a quotation mark is not closed"
            ' (inside a quoted cell, write `""`)',
        ),
        (HEAD + "1,A,B,2,,0\n", "friday.csv: line 2: one player's number (wins1, wins2) is missing"),
        (
            "round,player1,player2,score1,score2\n1,A,B,2,\n",
            "friday.csv: line 2: one player's score (score1, score2) is missing",
        ),
        (HEAD + '1,"A\nx",B,2,0,0\n', "friday.csv: line 2: player1: the cell contains a line break"),
        (
            HEAD + "1,Ann,B,2,0,0\n2,ann,B,2,0,0\n",
            "friday.csv: line 3: `ann` and `Ann` (line 2) differ only in capitals, spaces or width",
        ),
        (
            "round,player1,player2,wins1,wins2,kind\n1,A,B,2,0,p2\n",
            "friday.csv: line 2: `p2` and the games 2–0–0 contradict each other",
        ),
        (
            "drops,B,1\n" + HEAD + "1,A,B,2,0,0\n2,A,B,2,0,0\n",
            "friday.csv: line 1: drops.B: `B` left after round 1, but is in round 2 (line 4)",
        ),
        ("drops,B\n" + HEAD, "friday.csv: line 1: drops: `B` cannot be read"),
        (
            "own_gw_floor,perhaps\n" + HEAD,
            "friday.csv: line 1: own_gw_floor: `perhaps` cannot be read",
        ),
        (
            "round,player1,player2,kind\n1,A,B,won\n",
            "friday.csv: line 2: `won` is not the result of a match",
        ),
        (
            "round,player1,player2,kind\n1,A,,p1\n",
            "friday.csv: line 2: `p1` is not a kind of round without an opponent",
        ),
    ],
)
def test_rejects_a_faulty_line(text, message):
    """With the file and the line."""
    assert refused(text) == message


def test_reads_the_settings_before_the_header():
    """One value, a list, or names with values; also in comments, or with extra cells."""
    beside = (
        "own_gw_floor,false,,,,\n# date: 2025-09-01\n# anything else\nbest_of,3\ndraws,no\nplanned_rounds,5\n"
        "round_robin,yes\nround_weights,1,½\nplayers,A,B,C,D\ndrops,C,0\ndisqualified,D,1\nratings,A,1800\n"
        "absent,B,2\ndivisions,old,A,B\n"
    )
    rows = "round,player1,player2,wins1,wins2,draws\n1,A,B,2,1,0\n1,D,,,,\n2,A,,,,\n"
    results = read(beside + rows)
    record = results.record
    assert (results.day, results.own_floor, results.match) == (date(2025, 9, 1), False, (3, False))
    assert (record.planned_rounds, record.round_robin, record.weights) == (5, True, (1, Fraction(1, 2)))
    assert (record.drops, record.disqualified, record.ratings) == ({3: 0}, {4: 1}, {1: 1800})
    assert record.absences[1] == {2}
    assert results.divisions == {"old": (1, 2)}
    assert list(results.names.values()) == ["A", "B", "C", "D"]
    semicolons = read((beside + rows).replace(",", ";").replace("½", "0,5"))
    assert semicolons.record == record


def test_a_setting_selects_the_edition():
    """`own_gw_floor` says how the source treated the own game-win %."""
    results = read("own_gw_floor,no\n" + HEAD + "1,A,B,2,0,0\n")
    assert results.edition(shipped("melee")).edition == date(2025, 8, 27)


@given(st.text(st.sampled_from('AB,;"\n#:drops0123rounddpateyer'), max_size=60), st.booleans())
def test_any_text_is_read_or_refused(text, headed):
    """No text crashes the reader."""
    with suppress(TourneyError):
        read(text + ("\n" + HEAD + "1,A,B,2,0,0\n" if headed else ""))


@with_rows(
    ("settings", "line", "remark"),
    [
        ("best_of,1\n", "1,A,B,2,1,0", "line 3 (2–1–0): more games than a match has: `best_of` is 1"),
        ("best_of,3\n", "1,A,B,3,0,0", "line 3 (3–0–0): more games than a match has: `best_of` is 3"),
        ("best_of,3\n", "1,A,B,2,2,0", "line 3 (2–2–0): more games than a match has: `best_of` is 3"),
        ("best_of,2\n", "1,A,B,2,1,0", "line 3 (2–1–0): more games than a match has: `best_of` is 2"),
        ("best_of,3\n", "1,A,B,2,1,1", None),
        ("best_of,2\n", "1,A,B,1,1,0", None),
        ("best_of,3\n", "1,A,B,0,0,3", None),
        (
            "draws,no\n",
            "1,A,B,1,1,0",
            "line 3 (1–1–0): the match is drawn, but `draws` says that matches cannot be drawn",
        ),
        (
            "draws,no\n",
            "1,A,B,0,0,1",
            "line 3 (0–0–1): the match is drawn, but `draws` says that matches cannot be drawn",
        ),
        ("draws,yes\n", "1,A,B,1,1,0", None),
        (
            "planned_rounds,1\n",
            "1,A,B,2,0,0\n2,A,B,2,0,0",
            "`planned_rounds` is 1, but the file has 2 rounds",
        ),
        ("planned_rounds,3\n", "1,A,B,2,0,0", None),
    ],
)
def test_remarks_on_contradictions_that_can_be_right(settings, line, remark):
    """They are read, such as a final of more games or a cut, and the remark names the line."""
    assert read(settings + HEAD + line + "\n").remarks == ((remark,) if remark else ())


def test_remarks_on_a_double_loss_with_a_winner():
    """Both players may have been disqualified, or a line slipped."""
    head = "round,player1,player2,wins1,wins2,draws,kind\n"
    assert read(head + "1,A,B,2,0,0,double-loss\n").remarks == (
        "line 2 (2–0–0): a double loss, but one player has won more games",
    )
    assert read(head + "1,A,B,1,1,0,double-loss\n1,C,D,,,,double-loss\n").remarks == ()


def test_equal_remarks_are_joined():
    """Three lines are named and the rest counted. 240–180 are scores, not games."""
    lines = "".join(f"1,A{n},B{n},3,0,0\n" for n in range(5))
    (remark,) = read("best_of,3\n" + HEAD + lines).remarks
    assert remark == (
        "line 3 (3–0–0), line 4 (3–0–0), line 5 (3–0–0) and 2 more: more games than "
        "a match has: `best_of` is 3"
    )
    assert read("best_of,1\n" + HEAD + "1,A,B,240,180,\n", scores=True).remarks == ()


def test_rejects_an_ambiguous_number():
    """1.000 can be one or a thousand, so a weight of either would be a guess."""
    assert "round_weights[0]: `1,000` can mean 1000 or 1.000" in refused(
        "round_weights;1,000\n" + HEAD.replace(",", ";") + "1;A;B;2;0;0\n"
    )
    read("round_weights;0,333\n" + HEAD.replace(",", ";") + "1;A;B;2;0;0\n")


def test_remarks_on_names_that_differ_only_in_accents():
    """They are two players, with one remark however often they play."""
    results = read(
        HEAD + "1,Zoe,Ben,2,0,0\n2,Zoë,Ben,2,0,0\n3,Zoë,Ben,2,0,0\n3,O’Hara,Dan,2,0,0\n4,O'Hara,Dan,2,0,0\n"
    )
    assert len(results.names) == 6
    assert results.remarks == (
        "line 3: `Zoë` and `Zoe` (line 2) differ only in accents or quotes, so they were read as two players",
        "line 6: `O'Hara` and `O’Hara` (line 5) differ only in accents or quotes,"
        " so they were read as two players",
    )


@with_rows(
    "header",
    [
        "Round,Player 1,Player 2,Wins 1,Wins 2,Draws",
        "round;player_1;player_2;player1_wins;player2_wins;drawn games",
        "ROUND\tPLAYER-1\tPLAYER 2\tPlayer 1 Wins\tPlayer 2 Wins\tDraws",
    ],
)
def test_accepts_other_spellings_of_headings(header):
    """Spaces, dashes and capitals do not matter, also after settings."""
    sign = next(letter for letter in ";\t," if letter in header)
    row = sign.join(["1", "Mira", "Tomo", "2", "1", "0"])
    for before in ("", sign.join(["name", "Friday"]) + "\n"):
        results = read_results(f"{before}{header}\n{row}\n", source="x")
        (table,) = results.record.rounds[0]
        assert [seat.games for seat in table.result.seats] == [2, 1]


def test_rejects_a_column_with_two_names():
    """The reader does not guess which one counts."""
    with pytest.raises(TourneyError, match="column `wins1` appears twice"):
        read_results("round,player1,player2,wins1,player 1 wins\n1,A,B,1,1\n", source="x")


def test_writes_empty_columns_of_scores_if_rules_count_scores():
    """So that games are read back as games: 6–3 for 2–1, not the scores 2–1."""
    results = replace(read(HEAD + "1,A,B,2,1,0\n1,C,D,,,\n"), by_score=True)
    back = read(find_form("csv").write(results).text, scores=True)
    assert by_name(back, "cobra") == {"A": 6, "B": 3, "C": 0, "D": 0}


def test_an_absence_in_the_last_round_is_not_a_drop():
    """In a line of its own or before the header. Without either, the player seems to have left."""
    text = HEAD + "1,A,B,2,0,0\n1,C,D,2,0,0\n2,A,B,2,0,0\n"
    seems = read(text)
    assert sorted(str(seems.names[player]) for player in seems.presumed_drops) == ["C", "D"]
    assert seems.record.drops.keys() == seems.presumed_drops
    stated = read("absent,C,2\ndrops,D,1\n" + text)
    assert [stated.names[drop] for drop in stated.record.drops] == ["D"]
    assert not stated.presumed_drops
    half = read("absent,C,2\n" + text)
    assert [half.names[player] for player in half.presumed_drops] == ["D"]
    assert [half.names[drop] for drop in half.record.drops] == ["D"]
