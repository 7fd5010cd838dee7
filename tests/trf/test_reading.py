"""Text → TrfFile: what each record says, and where a text is wrong."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import golden
from tests.trf.lines import player, text
from tourney.errors import TourneyError
from tourney.trf import Abnormal, Byes, Cell, ForbiddenPairs, points_contradicted, read, record_of, write

PAIR = (player(1, "2 w 1", points="1.0"), player(2, "1 b 0"))


def read_lines(*lines):
    return read(text(*lines), source="x.trf")


def refusal(*lines):
    with pytest.raises(TourneyError) as refused:
        read_lines(*lines)
    return str(refused.value)


def test_every_golden_file_is_read_with_its_players_and_rounds():
    """Every TRF of the golden folder is read; players and rounds are those its JSON names."""
    counted = 0
    for file in sorted(golden().rglob("*.trf")):
        told = read(file.read_bytes().decode("utf-8"), source=file.name)
        assert told.players, file
        beside = file.with_suffix(".json")
        facts = json.loads(beside.read_text("utf-8")) if beside.exists() else {}
        if isinstance(facts, dict) and isinstance(facts.get("rounds"), list) and "rounds_total" in facts:
            assert len(told.players) == facts["players"], file
            assert told.rounds_total == facts["rounds_total"], file
            assert told.initial_side == facts["initial"], file
            paired = [entry for entry in facts["rounds"] if not entry.get("no_valid_pairing")]
            assert told.rounds_paired == len(paired), file
        counted += 1
    print(f"{counted} golden TRF files read")
    assert counted >= 91


def test_a_player_line_is_cut_at_its_columns():
    """Each field of a player line stands in the columns of the format's description."""
    line = (
        "001  123 wWGM Lantern, Wilma                    2345 ABC    98765432 2001/02/03  7.5   12"
        "    45 w 1  0000 - H    67 b -"
    )
    one = read_lines(line, player(45), player(67)).players[0]
    assert (one.number, one.sex, one.title, one.name) == (123, "w", "WGM", "Lantern, Wilma")
    assert (one.rating, one.federation, one.fide_id, one.birth) == (2345, "ABC", "98765432", "2001/02/03")
    assert (one.points, one.rank) == (15, 12)
    assert one.rounds == (Cell(45, "w", "1"), Cell(0, "", "H"), Cell(67, "b", "-"))


def test_blank_columns_are_nothing():
    """Blank number columns are None, blank cells are empty and those at the end are no rounds."""
    one = read_lines("001    1", player(2, "", "1 - ", "")).players
    assert (one[0].rating, one[0].points, one[0].rank, one[0].rounds) == (None, None, None, ())
    assert one[1].rounds == (Cell(), Cell(1, "", ""))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\r\n"])
def test_line_ends(end):
    """LF, CR and CR LF all end a line; a byte order mark and blank lines say nothing."""
    told = read("\ufeff" + end.join(("012 Friday", *PAIR, "")), source="x.trf")
    assert (told.header.name, len(told.players)) == ("Friday", 2)


def test_the_event_in_words():
    """The text records stand in the header, several deputies and the dates of the rounds included."""
    dates = "132" + " " * 88 + "26/03/01  26/03/02"
    told = read_lines(
        "012 Friday Night", "022 Harbour", "032 ABC", "042 2026/03/01", "052 2026/03/02", "062 2", "072 0",
        "092 Swiss", "102 A. Judge", "112 B. Judge", "112 C. Judge", "122 50 minutes", dates, "172 none",
        "182 tourney", "192 FIDE_DUTCH_2026", "202 BH/C1,BH", "212 PTS,BH/C1", "222 50m", *PAIR,
    ).header  # fmt: skip
    assert (told.name, told.city, told.federation, told.kind) == ("Friday Night", "Harbour", "ABC", "Swiss")
    assert (told.start, told.end, told.arbiter, told.deputies) == (
        "2026/03/01", "2026/03/02", "A. Judge", ("B. Judge", "C. Judge"),
    )  # fmt: skip
    assert told.dates == ("26/03/01", "26/03/02")
    assert (told.time_control, told.encoded_time_control) == ("50 minutes", "50m")
    assert (told.start_rank_method, told.program, told.system) == ("none", "tourney", "FIDE_DUTCH_2026")
    assert (told.tie_breaks, told.standings_order) == ("BH/C1,BH", "PTS,BH/C1")


@pytest.mark.parametrize(
    ("lines", "system"),
    [
        (["192 FIDE_DUTCH"], "FIDE_DUTCH"),
        (["092 FIDE_DUTCH_2025"], "FIDE_DUTCH_2025"),
        (["092 Individual: Swiss-System"], ""),
        (["092 FIDE_DUBOV", "192 FIDE_DUTCH"], "FIDE_DUTCH"),
    ],
)
def test_the_system(lines, system):
    """The system's code stands in 192; one that an engine wrote into 092 is taken where 192 is silent."""
    assert read_lines(*lines, *PAIR).system == system


@pytest.mark.parametrize(
    "lines", [("142 9", "152 B"), ("XXR 9", "XXC black1"), ("142 9", "XXR 9", "XXC rank black1", "152 B")]
)
def test_rounds_and_side_in_both_dialects(lines):
    """The number of rounds and the initial side are the same facts in either dialect, or in both at once."""
    told = read_lines(*lines, *PAIR)
    assert (told.rounds_total, told.initial_side, told.by_rank) == (
        9,
        "b",
        any("rank" in line for line in lines),
    )


@pytest.mark.parametrize(
    ("lines", "scoring"),
    [
        (["162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0    X 0.0"], {"W": 6, "D": 2, "L": 0, "A": 0, "P": 6, "X": 0}),
        (["162  W 1.0    D 0.5", "162  P 0.5"], {"W": 2, "D": 1, "P": 1}),
        (["XXS W=3 D=1.0 PAB=1.5 ZPB=0"], {"W": 6, "D": 2, "P": 3, "A": 0}),
        (["XXS WW=3 BW=3 WD=1 BD=1.5"], {"W": 6, "WD": 2, "BD": 3}),
        (["BBW  3.0", "BBD  1.0", "BBL  0.0", "BBZ  0.0", "BBF  0.5", "BBU  3.0"], {"W": 6, "D": 2, "L": 0, "A": 0, "FL": 1, "P": 6}),
    ],
)  # fmt: skip
def test_scoring_in_every_dialect(lines, scoring):
    """Points for results are the same facts in records 162, XXS and BB., in half points."""
    assert read_lines(*lines, *PAIR).scoring == scoring


def test_byes_asked_for():
    """Records 240 of one kind and round are one; players stand in order, rounds before kinds."""
    told = read_lines("240 H   2    2    1", "240 Z   1    1", "240 H   2    3", *PAIR, player(3))
    assert told.byes == (Byes("Z", 1, (1,)), Byes("H", 2, (1, 2, 3)))
    assert read_lines("XXZ 2 1", *PAIR).absent == (1, 2)


@pytest.mark.parametrize(
    "lines",
    [
        ("250       1.0   1   2    1    2", "250       0.5   3   3    1    2"),
        ("XXA    1  1.0  1.0  0.5", "XXA    2  1.0  1.0  0.5  0.0"),
        ("250       1.0   1   2    1    2", "XXA    1  1.0  1.0  0.5  0.0", "XXA    2  1.0  1.0  0.5"),
    ],
)
def test_acceleration_in_both_dialects(lines):
    """Virtual points by ranges or by player say the same; zeros at the end are nothing; player 3 has none."""
    assert read_lines(*lines, *PAIR, player(3)).accelerations == {1: (2, 2, 1), 2: (2, 2, 1)}


def test_forbidden_pairs():
    """260 holds in its rounds (999: to the end), XXP always."""
    told = read_lines(
        "260   1   3    1    2",
        "260   4 999    1    3",
        "260   2        2    3",
        "XXP 1 2 3",
        *PAIR,
        player(3),
    )
    assert told.forbidden == (
        ForbiddenPairs((1, 2), 1, 3), ForbiddenPairs((1, 3), 4, None), ForbiddenPairs((2, 3), 2, 2), ForbiddenPairs((1, 2, 3)),
    )  # fmt: skip
    assert [told.forbidden[0].holds_in(n) for n in (1, 3, 4)] == [True, True, False]


def test_abnormal_points():
    """299 names a kind, points, a round and players; all but the kind may be missing."""
    told = read_lines("299 H   1.0   0.5    2    1    2", "299 P         0.5", *PAIR)
    assert told.abnormal == (Abnormal("H", 2, 1, 2, (1, 2)), Abnormal("P", None, 1, 0, ()))
    assert [given.line for given in told.abnormal] == [1, 2]


def test_points_may_be_taken_away():
    """299 without a result adds points whatever the result, or takes them: `-2.5` is minus two and a half."""
    told = read_lines("299          -2.5    2    1", "299          −0.5    2    2", *PAIR)
    assert told.abnormal == (Abnormal("", None, -5, 2, (1,)), Abnormal("", None, -1, 2, (2,)))
    assert told.abnormal[0].points == -5
    assert read(write(told), source="again").abnormal == told.abnormal


def test_byes_of_somebody_who_plays_are_told():
    """Record 240 against the round's cell."""
    assert read_lines("240 H   1    1", *PAIR).remarks == (
        "line 1: player 1 has a bye `H` in round 1, and player 2 as the opponent in line 2",
    )


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["299           1.0    9    1"], "line 1: record 299 speaks of round 9, and the file has 1 round"),
        (["142 3", "299           1.0    4    1"], "line 2: record 299 speaks of round 4, and the file has 3 rounds"),
        (["142 3", "299           1.0    3    1"], None),
        (["142 3", "240 H   4    1"], "line 2: record 240 speaks of round 4, and the file has 3 rounds"),
        (["240 H   4    1"], None),
        (["XXR 3", "250       1.0   3   4    1    2"], "line 2: record 250 speaks of round 4, and the file has 3 rounds"),
        (["XXR 1", "XXA    1  1.0  1.0"], "line 2: record XXA speaks of round 2, and the file has 1 round"),
    ],
)  # fmt: skip
def test_rounds_that_are_not_there_are_told(lines, told):
    """Points outside the scoring for a round that is none, and what is beyond the rounds that the file announces."""
    assert read_lines(*lines, *PAIR).remarks == ((told,) if told else ())


def test_points_of_a_round_that_is_not_there_are_not_counted():
    """Neither is a round that is announced and not played yet; what is given in every round is."""
    players = player(1, "2 w 1", points="1.0"), player(2, "1 b 0", points="0.0")
    for line in ("299           5.0    9    1", "299           5.0    2    1"):
        assert points_contradicted(read_lines("142 3", line, *players)) == ()
    (told,) = points_contradicted(read_lines("142 3", "299           5.0    1    1", *players))
    assert told.endswith("the points of player 1 are 1, the file's results make 6")


def test_points_for_a_player_who_is_not_there_are_refused():
    """By the line that names them."""
    with pytest.raises(TourneyError, match="line 1, column 5: record 299 names player 9"):
        read_lines("299           1.0    1    9", *PAIR)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("299            -0.5    1    2", 18),
        ("240 H    2    1", 10),
        ("250     1.05   1   2    1    2", 9),
        ("260   12   3    1    2", 8),
        ("162  W 10.55   D 1.0", 11),
    ],
)
def test_fields_that_are_shifted_are_refused(line, column):
    """Half a number in the next field would be another number."""
    with pytest.raises(TourneyError, match=rf"x\.trf: line 1, column {column}: "):
        read_lines(line, *PAIR)


def test_unknown_records_are_kept():
    """Comments, national ratings and team records are kept as they are and disturb nothing."""
    others = [
        "### a comment",
        "XYZ 0001 whatever 1234",
        "013 Team A                              1    2",
        "q",
    ]
    assert read_lines(*others, *PAIR).others == tuple(others)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "001  abc",
            "line 3, column 5: the pairing number should be a whole number in columns 5 to 8, found `abc`",
        ),
        (
            "001     ",
            "line 3, column 5: the pairing number in columns 5 to 8 should stand here, found nothing",
        ),
        ("001    0", "line 3, column 5: pairing numbers count from 1, found 0"),
        ("001    2", "line 3, column 5: pairing number 2 is used twice, first in line 2"),
        (
            player(3, rating="21x0"),
            "line 3, column 49: the rating should be a whole number in columns 49 to 52, found `21x0`",
        ),
        (
            player(3, points="1.x"),
            "line 3, column 81: the points should be a number of points like 1.5, found `1.x`",
        ),
        (
            player(3, points="0.25"),
            "line 3, column 81: the points should be a multiple of one half, found `0.25`",
        ),
        (player(3, "9 w 1"), "line 3, column 92: round 1: opponent 9 has no player line"),
        (player(3, "", "3 w 1"), "line 3, column 102: round 2: the player is their own opponent"),
        (player(3, "1 x 1"), "line 3, column 97: the side should be `w`, `b` or `-`, found `x`"),
        (
            player(3, "1 w ?"),
            "line 3, column 99: the result should be one of 1 = 0 W D L + - H F U Z, found `?`",
        ),
        (
            player(3) + "    1 w 1",
            "line 3, column 96: a blank should stand here, between the fields of a round, found `w`",
        ),
        (
            "142 x",
            "line 3, column 4: the number of rounds should be a whole number in columns 4 to 5, found `x`",
        ),
        ("142", "line 3, column 5: the number of rounds should stand here, found nothing"),
        ("152 X", "line 3, column 5: the initial side should be `W` or `B`, found `X`"),
        ("162  Q 1.0", "line 3, column 6: a result should be one of W D L A P X, found `Q`"),
        ("162  W    ", "line 3, column 7: the points for `W` should stand here, found nothing"),
        ("XXS W", "line 3, column 5: XXS should say points like `W=1.0` or `PAB=0.5`, found `W`"),
        ("XXS W=1.3", "line 3, column 7: the points for `W` should be a multiple of one half, found `1.3`"),
        ("XXC blue1", "line 3, column 5: XXC should say `rank`, `white1` or `black1`, found `blue1`"),
        ("XXZ 1 two", "line 3, column 7: expected a pairing number, found `two`"),
        ("XXZ 7", "line 3, column 5: record XXZ names player 7, who has no player line"),
        ("240 Q   1    1", "line 3, column 5: the bye should be `F`, `H` or `Z`, found `Q`"),
        ("240 H        1", "line 3, column 7: the round in columns 7 to 9 should stand here, found nothing"),
        (
            "250       1.0   2   1    1    2",
            "line 3, column 15: rounds 2 to 1, players 1 to 2: the last comes before the first",
        ),
        (
            "250       1.0   1   1    1    8",
            "line 3, column 5: record 250 names player 8, who has no player line",
        ),
    ],
)
def test_refusals_name_line_and_column(line, said):
    """Whatever cannot be read is refused with source, line, column, what is and what should be."""
    assert refusal(*PAIR, line) == f"x.trf: {said}"


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("142 5", "XXR 6", "line 4, column 5: 6 rounds, but line 3 announces 5"),
        ("152 W", "XXC black1", "line 4, column 5: the initial side contradicts line 3"),
        ("162  W 3.0", "XXS W=1", "line 4, column 5: the points for `W` contradict line 3"),
        ("XXA    1  1.0", "250       0.5   1   1    1    1", "line 4, column 5: the virtual points of player 1 in round 1 contradict line 3"),
    ],
)  # fmt: skip
def test_contradictions_name_both_lines(one, other, said):
    """Two records that say different things about one fact are refused, naming both lines."""
    assert refusal(*PAIR, one, other) == f"x.trf: {said}"


@pytest.mark.parametrize("nothing", ["", "\n\n", "012 Friday\n", "hello"])
def test_a_text_without_players_is_no_file(nothing):
    """A text without a player line is refused, whatever else it says."""
    with pytest.raises(TourneyError, match=r"x\.trf: no player line"):
        read(nothing, source="x.trf")


HEALTHY = text(
    "012 Friday", "142 5", "152 W", "162  W 3.0    D 1.0", "132" + " " * 88 + "26/03/01  26/03/02", "XXZ 3",
    player(1, "2 w 1", "3 b =", points="4.0"), player(2, "1 b 0", "0000 - U"), player(3, "0000 - H", "1 w ="),
    "240 H   3    1", "250       1.0   1   2    1    2", "260   1   3    1    2", "299 H   1.0   0.5    2    1    2", "XXP 1 2",
)  # fmt: skip
edits = st.tuples(
    st.integers(0, len(HEALTHY)), st.integers(0, 3), st.text(" 0123456789wb-=+HFUZ\n\r\tXé٣²½./", max_size=3)
)


@settings(deadline=None, max_examples=400)
@given(st.lists(edits, max_size=12))
def test_no_text_breaks_the_reader(changes):
    """However a file is damaged, it is read or refused with its name; what is read can be written and read again."""
    damaged = HEALTHY
    for place, cut, put in changes:
        damaged = damaged[:place] + put + damaged[place + cut :]
    said = outcome_of(damaged)
    assert said == "" or (changes and said.startswith(("x.trf: ", "the ", "pairing number"))), said


def outcome_of(damaged):
    """Return the refusal's message, or nothing if the text is read, and writes and reads again."""
    try:
        told = read(damaged, source="x.trf")
        record_of(told)
        written = write(told)
    except TourneyError as refused:
        return refused.message
    assert write(read(written, source="x")) == written
    return ""


@pytest.mark.parametrize(
    "line", ["142 " + "9" * 5000, "XXZ " + "9" * 5000, "BBW " + "9" * 5000, "XXS W=" + "9" * 5000]
)
def test_numbers_of_thousands_of_digits_are_refused(line):
    """A number that Python itself would not convert is refused like any other, and not repeated at length."""
    assert len(refusal(*PAIR, line)) < 200


def test_empty_cells_at_the_ends_say_nothing():
    """A dash for the side is no side, blank cells and dates at the end are no rounds, blanks between scores nothing."""
    dates = "132" + " " * 88 + "26/03/01" + " " * 12 + "."
    told = read_lines(
        dates.rstrip("."), "162  W 3.0             D 1.0", player(1, "2 w 1", "0000 -  "), player(2, "1 b 0")
    )
    assert told.players[0].rounds == (Cell(2, "w", "1"),)
    assert (told.header.dates, told.scoring) == (("26/03/01",), {"W": 6, "D": 2})
