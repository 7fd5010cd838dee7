"""Reading the text of a Tournament Report File: every record type, refusals and remarks."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import examples, golden, with_rows
from tests.trf.lines import player, text
from tourney.errors import TourneyError
from tourney.trf import (
    AbnormalPoints,
    Byes,
    Cell,
    ForbiddenPairs,
    check_points,
    read,
    record_of,
    write,
)

PAIR = (player(1, "2 w 1", points="1.0"), player(2, "1 b 0"))
DATES = "132" + " " * 88 + "26/03/01  26/03/02"


def read_lines(*lines):
    return read(text(*lines), source="x.trf")


def refusal(*lines):
    with pytest.raises(TourneyError) as refused:
        read_lines(*lines)
    return str(refused.value)


def test_reads_every_golden_file():
    """Players, rounds and the initial side are those of the JSON file beside it."""
    count = 0
    for path in sorted(golden().rglob("*.trf")):
        file = read(path.read_bytes().decode("utf-8"), source=path.name)
        assert file.players, path
        beside = path.with_suffix(".json")
        facts = json.loads(beside.read_text("utf-8")) if beside.exists() else {}
        if isinstance(facts, dict) and isinstance(facts.get("rounds"), list) and "rounds_total" in facts:
            assert len(file.players) == facts["players"], path
            assert file.rounds_total == facts["rounds_total"], path
            assert file.initial_side == facts["initial"], path
            paired = [entry for entry in facts["rounds"] if not entry.get("no_valid_pairing")]
            assert file.rounds_paired == len(paired), path
        count += 1
    print(f"{count} golden TRF files read")
    assert count >= 91


def test_reads_every_field_of_a_player_line():
    """The fields are in the columns of the format's description."""
    line = (
        "001  123 wWGM Lantern, Wilma                    2345 ABC    98765432 2001/02/03  7.5   12"
        "    45 w 1  0000 - H    67 b -"
    )
    first = read_lines(line, player(45), player(67)).players[0]
    assert (first.number, first.sex, first.title, first.name) == (123, "w", "WGM", "Lantern, Wilma")
    assert (first.rating, first.federation, first.fide_id) == (2345, "ABC", "98765432")
    assert (first.birth, first.points, first.rank) == ("2001/02/03", 15, 12)
    assert first.rounds == (Cell(45, "w", "1"), Cell(0, "", "H"), Cell(67, "b", "-"))


def test_reads_blank_columns():
    """Blank numbers are None. Blank cells are empty, and dropped at the end of the line."""
    first, second = read_lines("001    1", player(2, "", "1 - ", "")).players
    assert (first.rating, first.points, first.rank, first.rounds) == (None, None, None, ())
    assert second.rounds == (Cell(), Cell(1, "", ""))


def test_ignores_blank_cells_dates_and_scores():
    """Blank cells and dates at the end of a line are not rounds; scores may have spaces."""
    file = read_lines(
        "132" + " " * 88 + "26/03/01" + " " * 12,
        "162  W 3.0             D 1.0",
        player(1, "2 w 1", "0000 -  "),
        player(2, "1 b 0"),
    )
    assert file.players[0].rounds == (Cell(2, "w", "1"),)
    assert (file.header.dates, file.scoring) == (("26/03/01",), {"W": 6, "D": 2})


@with_rows("end", ["\n", "\r", "\r\n", "\n\r\n"])
def test_reads_every_line_end(end):
    """LF, CR and CR LF end a line. A byte order mark and blank lines are ignored."""
    file = read("\ufeff" + end.join(("012 Friday", *PAIR, "")), source="x.trf")
    assert (file.header.name, len(file.players)) == ("Friday", 2)


def test_reads_the_header():
    """The header has the text records, several deputies and the dates of the rounds."""
    header = read_lines(
        "012 Friday Night", "022 Harbour", "032 ABC", "042 2026/03/01", "052 2026/03/02", "062 2", "072 0",
        "092 Swiss", "102 A. Judge", "112 B. Judge", "112 C. Judge", "122 50 minutes", DATES, "172 none",
        "182 tourney", "192 FIDE_DUTCH_2026", "202 BH/C1,BH", "212 PTS,BH/C1", "222 50m", *PAIR,
    ).header  # fmt: skip
    assert (header.name, header.city, header.federation) == ("Friday Night", "Harbour", "ABC")
    assert (header.start, header.end, header.kind) == ("2026/03/01", "2026/03/02", "Swiss")
    assert (header.arbiter, header.deputies) == ("A. Judge", ("B. Judge", "C. Judge"))
    assert header.dates == ("26/03/01", "26/03/02")
    assert (header.time_control, header.encoded_time_control) == ("50 minutes", "50m")
    assert (header.start_rank_method, header.program) == ("none", "tourney")
    assert (header.system, header.tie_breaks) == ("FIDE_DUTCH_2026", "BH/C1,BH")
    assert header.standings_order == "PTS,BH/C1"


@with_rows(
    ("lines", "system"),
    [
        (["192 FIDE_DUTCH"], "FIDE_DUTCH"),
        (["092 FIDE_DUTCH_2025"], "FIDE_DUTCH_2025"),
        (["092 Individual: Swiss-System"], ""),
        (["092 FIDE_DUBOV", "192 FIDE_DUTCH"], "FIDE_DUTCH"),
    ],
)
def test_reads_the_system(lines, system):
    """The code of the system is in 192, or else in 092, where bbpPairings writes it."""
    assert read_lines(*lines, *PAIR).system == system


@with_rows(
    ("lines", "by_rank"),
    [
        (["142 9", "152 B"], False),
        (["XXR 9", "XXC black1"], False),
        (["142 9", "XXR 9", "XXC rank black1", "152 B"], True),
    ],
)
def test_reads_rounds_and_side_in_both_dialects(lines, by_rank):
    """The number of rounds and the initial side may be in records of either dialect or of both."""
    file = read_lines(*lines, *PAIR)
    assert (file.rounds_total, file.initial_side, file.by_rank) == (9, "b", by_rank)


@with_rows(
    ("lines", "scoring"),
    [
        (
            ["162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0    X 0.0"],
            {"W": 6, "D": 2, "L": 0, "A": 0, "P": 6, "X": 0},
        ),
        (["162  W 1.0    D 0.5", "162  P 0.5"], {"W": 2, "D": 1, "P": 1}),
        (["XXS W=3 D=1.0 PAB=1.5 ZPB=0"], {"W": 6, "D": 2, "P": 3, "A": 0}),
        (["XXS WW=3 BW=3 WD=1 BD=1.5"], {"W": 6, "WD": 2, "BD": 3}),
        (
            ["BBW  3.0", "BBD  1.0", "BBL  0.0", "BBZ  0.0", "BBF  0.5", "BBU  3.0"],
            {"W": 6, "D": 2, "L": 0, "A": 0, "FL": 1, "P": 6},
        ),
    ],
)
def test_reads_scoring_in_every_dialect(lines, scoring):
    """Records 162, XXS and BB. give the same codes, in half points."""
    assert read_lines(*lines, *PAIR).scoring == scoring


def test_reads_requested_byes():
    """Records 240 with the same kind and round are merged, and sorted by round, kind and player."""
    file = read_lines("240 H   2    2    1", "240 Z   1    1", "240 H   2    3", *PAIR, player(3))
    assert file.byes == (Byes("Z", 1, (1,)), Byes("H", 2, (1, 2, 3)))
    assert read_lines("XXZ 2 1", *PAIR).absent_players == (1, 2)


@with_rows(
    "lines",
    [
        ("250       1.0   1   2    1    2", "250       0.5   3   3    1    2"),
        ("XXA    1  1.0  1.0  0.5", "XXA    2  1.0  1.0  0.5  0.0"),
        ("250       1.0   1   2    1    2", "XXA    1  1.0  1.0  0.5  0.0", "XXA    2  1.0  1.0  0.5"),
    ],
)
def test_reads_acceleration_in_both_dialects(lines):
    """Ranges and single players give the same virtual points, without zeros at the end."""
    assert read_lines(*lines, *PAIR, player(3)).accelerations == {1: (2, 2, 1), 2: (2, 2, 1)}


def test_reads_forbidden_pairs():
    """Record 260 applies in its rounds (999: to the end), XXP in every round."""
    lines = ("260   1   3    1    2", "260   4 999    1    3", "260   2        2    3", "XXP 1 2 3")
    forbidden = read_lines(*lines, *PAIR, player(3)).forbidden_pairs
    assert forbidden == (
        ForbiddenPairs((1, 2), 1, 3),
        ForbiddenPairs((1, 3), 4, None),
        ForbiddenPairs((2, 3), 2, 2),
        ForbiddenPairs((1, 2, 3)),
    )
    assert [forbidden[0].applies_in(number) for number in (1, 3, 4)] == [True, True, False]


def test_reads_abnormal_points():
    """Every field of record 299 except the kind may be blank."""
    abnormal = read_lines("299 H   1.0   0.5    2    1    2", "299 P         0.5", *PAIR).abnormal_points
    assert abnormal == (AbnormalPoints("H", 2, 1, 2, (1, 2)), AbnormalPoints("P", None, 1, 0, ()))
    assert [record.line for record in abnormal] == [1, 2]


def test_reads_negative_abnormal_points():
    """Record 299 without a kind can take points away."""
    file = read_lines("299          -2.5    2    1", "299          −0.5    2    2", *PAIR)
    assert file.abnormal_points == (
        AbnormalPoints("", None, -5, 2, (1,)),
        AbnormalPoints("", None, -1, 2, (2,)),
    )
    assert file.abnormal_points[0].points == -5
    assert read(write(file), source="again").abnormal_points == file.abnormal_points


def test_keeps_unknown_lines():
    """Comments, national ratings, team records and other text are kept unchanged."""
    lines = ["### a comment", "XYZ 0001 whatever 1234", "013 Team A                              1    2", "q"]
    assert read_lines(*lines, *PAIR).unknown_lines == tuple(lines)


def test_remarks_on_a_bye_of_a_player_with_an_opponent():
    """Record 240 and the cell of the round contradict each other."""
    assert read_lines("240 H   1    1", *PAIR).remarks == (
        "line 1: player 1 has a bye `H` in round 1, but line 2 names player 2 as the opponent",
    )


@with_rows(
    ("lines", "remark"),
    [
        (["299           1.0    9    1"], "line 1: record 299 names round 9, but the file has 1 round"),
        (
            ["142 3", "299           1.0    4    1"],
            "line 2: record 299 names round 4, but the file has 3 rounds",
        ),
        (["142 3", "299           1.0    3    1"], None),
        (["142 3", "240 H   4    1"], "line 2: record 240 names round 4, but the file has 3 rounds"),
        (["240 H   4    1"], None),
        (
            ["XXR 3", "250       1.0   3   4    1    2"],
            "line 2: record 250 names round 4, but the file has 3 rounds",
        ),
        (["XXR 1", "XXA    1  1.0  1.0"], "line 2: record XXA names round 2, but the file has 1 round"),
    ],
)
def test_remarks_on_unknown_rounds(lines, remark):
    """Byes and accelerations may name a later round if the file has no number of rounds."""
    assert read_lines(*lines, *PAIR).remarks == ((remark,) if remark else ())


def test_ignores_abnormal_points_of_unknown_and_unplayed_rounds():
    """Only the points of a round that was played count."""
    players = player(1, "2 w 1", points="1.0"), player(2, "1 b 0", points="0.0")
    for line in ("299           5.0    9    1", "299           5.0    2    1"):
        assert check_points(read_lines("142 3", line, *players)) == ()
    (remark,) = check_points(read_lines("142 3", "299           5.0    1    1", *players))
    assert remark.endswith("the points of player 1 are 1, but the results in the file give 6")


@with_rows(
    ("line", "column"),
    [
        ("299            -0.5    1    2", 18),
        ("240 H    2    1", 10),
        ("250     1.05   1   2    1    2", 9),
        ("260   12   3    1    2", 8),
        ("162  W 10.55   D 1.0", 11),
    ],
)
def test_refuses_shifted_fields(line, column):
    """A number that reaches into the next field would be read as two other numbers."""
    assert refusal(line, *PAIR).startswith(
        f"x.trf: line 1, column {column}: expected a blank between two fields"
    )


SHIFT = "(a wrong encoding can shift the columns)"


@with_rows(
    ("line", "column", "message"),
    [
        ("001  abc", 5, "the pairing number should be a whole number in columns 5 to 8, found `abc`"),
        ("001     ", 5, "the pairing number in columns 5 to 8 is missing"),
        ("001    0", 5, "pairing numbers count from 1, found 0"),
        ("001    2", 5, "pairing number 2 is used twice, first in line 2"),
        (
            player(3, rating="21x0"),
            49,
            "the rating should be a whole number in columns 49 to 52, found `21x0`",
        ),
        (player(3, points="1.x"), 81, "the points should be a number like 1.5, found `1.x`"),
        (player(3, points="0.25"), 81, "the points should be a multiple of 0.5, found `0.25`"),
        (player(3, "9 w 1"), 92, "round 1: opponent 9 has no player line"),
        (player(3, "", "3 w 1"), 102, "round 2: the player is their own opponent"),
        (player(3, "1 x 1"), 97, f"the side should be `w`, `b` or `-`, found `x` {SHIFT}"),
        (
            player(3, "1 w ?"),
            99,
            f"the result should be one of 1 = 0 W D L + - H F U Z, found `?` {SHIFT}",
        ),
        (player(3) + "    1 w 1", 96, f"expected a blank between two fields, found `w` {SHIFT}"),
        ("142 x", 4, "the number of rounds should be a whole number in columns 4 to 5, found `x`"),
        ("142", 5, "the number of rounds is missing"),
        ("152 X", 5, "the initial side should be `W` or `B`, found `X`"),
        ("162  Q 1.0", 6, "a result should be one of W D L A P X, found `Q`"),
        ("162  W    ", 7, "the value of `W` is missing"),
        ("BBW", 5, "the value of BBW is missing"),
        ("XXS W", 5, "expected values like `W=1.0` or `PAB=0.5` in record XXS, found `W`"),
        ("XXS W=1.3", 7, "the value of `W` should be a multiple of 0.5, found `1.3`"),
        ("XXC blue1", 5, "expected `rank`, `white1` or `black1` in record XXC, found `blue1`"),
        ("XXZ 1 two", 7, "expected a pairing number, found `two`"),
        ("XXZ 7", 5, "record XXZ names player 7, who has no player line"),
        ("240 Q   1    1", 5, "the bye should be `F`, `H` or `Z`, found `Q`"),
        ("240 H        1", 7, "the round in columns 7 to 9 is missing"),
        (
            "250       1.0   2   1    1    2",
            15,
            "rounds 2 to 1, players 1 to 2: the last number is less than the first",
        ),
        ("250       1.0   1   1    1    8", 5, "record 250 names player 8, who has no player line"),
        ("299 Q         1.0", 5, "the result should be one of + - D F H L P U W Z, found `Q`"),
        ("299           1.0    1    9", 5, "record 299 names player 9, who has no player line"),
    ],
)
def test_refuses_an_invalid_field(line, column, message):
    """The refusal names source, line and column, the expected value and the value in the file."""
    assert refusal(*PAIR, line) == f"x.trf: line 3, column {column}: {message}"


@with_rows(
    ("one", "other", "message"),
    [
        ("142 5", "XXR 6", "the number of rounds is 6 here, but 5 in line 3"),
        ("152 W", "XXC black1", "the initial side is b here, but w in line 3"),
        ("162  W 3.0", "XXS W=1", "the value of `W` is 1.0 here, but 3.0 in line 3"),
        (
            "XXA    1  1.0",
            "250       0.5   1   1    1    1",
            "the acceleration of player 1 in round 1 is 0.5 here, but 1.0 in line 3",
        ),
    ],
)
def test_refuses_lines_that_contradict_each_other(one, other, message):
    """The refusal names both lines and both values."""
    assert refusal(*PAIR, one, other) == f"x.trf: line 4, column 5: {message}"


@with_rows("empty", ["", "\n\n", "012 Friday\n", "hello"])
def test_refuses_a_text_without_players(empty):
    """A file needs at least one player line."""
    assert refusal(empty) == "x.trf: no player line (001), so it is not a Tournament Report File"


@with_rows("start", ["142 ", "XXZ ", "BBW ", "XXS W="])
def test_refuses_a_number_of_thousands_of_digits(start):
    """Python would not convert such a number. The message does not repeat it whole."""
    assert len(refusal(*PAIR, start + "9" * 5000)) < 200


VALID = text(
    "012 Friday", "142 5", "152 W", "162  W 3.0    D 1.0", DATES, "XXZ 3",
    player(1, "2 w 1", "3 b =", points="4.0"), player(2, "1 b 0", "0000 - U"), player(3, "0000 - H", "1 w ="),
    "240 H   3    1", "250       1.0   1   2    1    2", "260   1   3    1    2",
    "299 H   1.0   0.5    2    1    2", "XXP 1 2",
)  # fmt: skip
edits = st.tuples(
    st.integers(0, len(VALID)),
    st.integers(0, 3),
    st.text(" 0123456789wb-=+HFUZ\n\r\tXé٣²½./", max_size=3),
)


@examples(100, of=400)
@given(st.lists(edits, max_size=12))
def test_reads_or_refuses_any_text(changes):
    """A damaged file is refused with its name, or read, and then written and read again."""
    damaged = VALID
    for place, removed, inserted in changes:
        damaged = damaged[:place] + inserted + damaged[place + removed :]
    message = message_of(damaged)
    assert message == "" or (changes and message.startswith(("x.trf: ", "the ", "pairing number"))), message


def message_of(damaged):
    """Return the message of the refusal, or an empty text if the file survives a round trip."""
    try:
        file = read(damaged, source="x.trf")
        record_of(file)
        written = write(file)
    except TourneyError as refused:
        return refused.message
    assert write(read(written, source="x")) == written
    return ""
