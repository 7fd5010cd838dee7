"""What if: the standings of a changed record beside the real ones; nothing is written."""

import json
import random

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from tests.forecast.fields import PROFILES, opened
from tests.kit import amount, sampled, with_rows
from tests.standings.crosstable import match
from tests.standings.fields import random_record
from tests.standings.profiles import shipped
from tourney.cli import root
from tourney.errors import TourneyError
from tourney.forecast import forecast_cut
from tourney.forecast.question import CutQuestion
from tourney.forecast.what_if import Side, TableAt, change_record, side_by_side
from tourney.record import PlayerId
from tourney.standings import cut_at, rank

NAMES = {PlayerId(number): number for number in range(1, 30)}
SCORES = ("2-0", "2-1", "1-1", "0-2", "+-")


def field(seed):
    return random_record(seed, players=8, rounds=3, scores=SCORES)


@with_rows("profile", PROFILES)
def test_both_sides_are_the_real_rankings(profile):
    for seed in range(amount(6, of=15)):
        dice, record = random.Random(seed), field(seed)
        number = dice.randint(1, len(record.rounds))
        table = dice.choice(record.rounds[number - 1])
        other = match(table.number, *table.seats, dice.choice(SCORES))
        gone = [player for player in record.players if player not in {**record.drops, **record.disqualified}][
            :1
        ]
        then = change_record(
            record, results={TableAt(number, table.number): other.result}, dropped_players=gone
        )
        tables = tuple(other if match == table else match for match in record.rounds[number - 1])
        assert then.rounds == (*record.rounds[: number - 1], tables, *record.rounds[number:])
        assert then.drops == record.drops, "who leaves after the last round has missed none"
        sides = [
            Side.of(cut_question(record, profile)),
            Side.of(cut_question(then, profile, late_drops=gone)),
        ]
        moves = side_by_side(*sides, NAMES)
        for at, version in enumerate((record, then)):
            standings = rank(version, shipped(profile))
            cut = cut_at(standings, 3, gone if at else ())
            for move in moves:
                place = (move.now, move.then)[at]
                row = next((row for row in standings.rows if row.player == move.number), None)
                assert (place is None) is (row is None)
                if place is None:
                    continue
                assert (place.rank, 2 * place.points) == (row.rank, row.points)
                assert (place.cut == "in", place.cut == "level") == (
                    move.number in cut.through,
                    move.number in cut.level,
                )
                assert place.stands == place.cut, "nothing is left to play, and no lot is drawn"
        assert {move.number: move.then.stands for move in moves if move.then}[gone[0]] == "out"
        assert [move.number for move in moves if move.moves] == [
            move.number
            for move in moves
            if (move.now.stands if move.now else "out") != (move.then.stands if move.then else "out")
        ]


def cut_question(record, profile, **other):
    return CutQuestion(record=record, profile=shipped(profile), cut=3, **other)


def test_a_lot_moves_no_player():
    """A player in by the lot alone is level, as in `forecast_cut`; the standings use the lot."""
    seen = set()
    for seed in range(40):
        record = field(seed)
        question = cut_question(record, "tourney")
        assert question.profile.order[-1] == "LOT"
        outlooks = {outlook.player: outlook for outlook in forecast_cut(question).outlooks}
        for player, place in Side.of(question, seed="drawn").places().items():
            outlook = outlooks.get(player)
            assert place.stands == (
                "out" if outlook is None else "level" if outlook.at_best_level else outlook.now
            )
            seen.add((place.stands, place.cut))
    assert seen == {("in", "in"), ("out", "out"), ("level", "in"), ("level", "out")}


def test_places_are_those_that_are_proved():
    """While tables play, a player who is in now may be open, in or out, and moves by that alone."""
    seen = set()
    for seed in range(12):
        record = opened(field(seed), tables=2)
        sides = [Side.of(cut_question(record, "mtr", to_come=to_come)) for to_come in (0, 1)]
        for side in sides:
            now = {outlook.player: outlook.now for outlook in forecast_cut(side.question).outlooks}
            places = side.places()
            assert {player: place.stands for player, place in places.items() if player in now} == now
            assert not side.over
            seen.update((place.cut, place.stands) for place in places.values())
        for move in side_by_side(*sides, NAMES):
            before, after = (place.stands if place else "out" for place in (move.now, move.then))
            assert move.moves == (None if before == after else after)
            assert move.moves in (None, "open"), "with a round more, less is proved"
    assert seen >= {("in", "open"), ("in", "in"), ("out", "open"), ("out", "out")}


def test_without_a_change_no_player_moves():
    for seed in range(10):
        record = field(seed)
        assert change_record(record, results={}) == record
        side = Side.of(cut_question(record, "mtr"))
        assert not any(move.moves for move in side_by_side(side, side, NAMES))


def test_another_profile_and_a_result_of_an_open_table():
    record = opened(field(4), tables=1)
    table = record.rounds[-1][0]
    at = TableAt(len(record.rounds), table.number)
    then = change_record(record, results={at: match(table.number, *table.seats, "2-0").result})
    moves = side_by_side(Side.of(cut_question(record, "mtr")), Side.of(cut_question(then, "fide")), NAMES)
    won = next(move for move in moves if move.number == table.seats[0])
    for place, played, profile in ((won.now, record, "mtr"), (won.then, then, "fide")):
        row = next(row for row in rank(played, shipped(profile)).rows if row.player == won.number)
        assert (place.rank, 2 * place.points) == (row.rank, row.points)
    assert next(match for match in then.rounds[-1] if match.number == table.number).result is not None


def test_missing_tables_and_rounds_are_refused():
    record = field(4)
    table = record.rounds[0][0]
    for at in (TableAt(9, 1), TableAt(0, 1), TableAt(1, 99)):
        with pytest.raises(TourneyError, match="there is no table"):
            change_record(record, results={at: table.result})
    gone = replace(record, drops={PlayerId(1): 2})
    with pytest.raises(TourneyError, match="has left already"):
        change_record(gone, results={}, dropped_players=[PlayerId(1)])


def test_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    run = CliRunner().invoke
    for line in (
        "event new Cup --format red-diamond/standard --banlist none --rounds 3 --profile mtr",
        "player add Mira Tomo Ansel Bryn Corin Della Ember Fenn",
        "round pair",
        "result add 1..4 1-0",
        "round pair",
    ):
        assert run(root, line.split()).exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    line = ["forecast", "what-if", "--cut", "2", "--result", "1 1-0", "--drop", "Fenn", "--under", "fide"]
    result = run(root, [*line, "--more", "1", "--runs", "30", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def json_of(*words):
    done = CliRunner().invoke(root, [*words, "--json"])
    assert done.exit_code == 0, (words, done.output)
    return json.loads(done.stdout)


EVENTS = [
    *(
        ("swiss", profile, kind)
        for profile in ("tom", "mtr", "fide", "tourney")
        for kind in ("open", "whole")
    ),
    ("round-robin", "fide-round-robin", "open"),
    ("round-robin", "fide-round-robin", "early"),
]
OFTEN = [("swiss", "fide", "open"), ("swiss", "mtr", "whole"), *EVENTS[-2:]]


@pytest.mark.parametrize("event", sampled(EVENTS, OFTEN), ids=" ".join)
def test_what_if_a_player_leaves_equals_player_drop(tmp_path, monkeypatch, event):
    """For random events: the standings equal those after `player drop` and the results, by rank."""
    system, profile, kind = event
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    dice = random.Random(f"{system} {profile} {kind}")
    for seed in range(amount(2, of=4)):
        name = f"e{seed}.tourney"
        make(name, system, profile, kind, seed)
        leaving = dice.sample(range(1, 8), dice.randint(1, 2))
        drops = [word for player in leaving for word in ("--drop", f"#{player}")]
        (shown,) = json_of("round", "show", "-e", name)["rounds"]
        rows = shown["tables"]
        texts = [
            f"{row['number']} {dice.choice(('1-0', '0-1'))}"
            for row in dice.sample(rows, dice.randint(0, len(rows)))
        ]
        results = [word for line in texts for word in ("--result", line)]
        answer = json_of("forecast", "what-if", *drops, *results, "--cut", "3", "--exact", "-e", name)
        for line in texts:
            row = next(row for row in rows if str(row["number"]) == line.split()[0])
            verb = "change" if row["result"] else "add"
            done = CliRunner().invoke(root, ["result", verb, *line.split(), "-e", name])
            assert done.exit_code == 0, done.output
        for player in leaving:
            assert CliRunner().invoke(root, ["player", "drop", f"#{player}", "-e", name]).exit_code == 0
        real = json_of("standings", "-e", name)["standings"]
        then = {row["number"]: row["then"] for row in answer["players"]}
        assert {row["number"]: (row["rank"], row["points"]) for row in real} == {
            player: (place["rank"], place["points"]) for player, place in then.items() if place
        }, (name, leaving, texts)


def make(name, system, profile, kind, seed):
    """Make an event of eight players.

    kind: `open`: its last round is being played; `whole`: it is over; `early`: after round 2
    """
    if system == "swiss":
        line = ["event", "generate", name.partition(".")[0], "--profile", profile, "--players", "8",
                "--rounds", "3", "--drops", "0", "--late", "0", "--seed", f"s{seed}",
                *(["--open"] if kind == "open" else [])]  # fmt: skip
        done = CliRunner().invoke(root, line)
        assert done.exit_code == 0, done.output
        return
    run = CliRunner().invoke
    new = ["event", "new", "RR", "--format", "red-diamond/standard", "--banlist", "none", "--profile",
           profile, "--set", "system=round-robin", "-e", name]  # fmt: skip
    assert run(root, new).exit_code == 0
    for line in (
        "player add Mira Tomo Ansel Bryn Corin Della Ember Fenn",
        *("round pair", "result add 1..4 1-0") * (2 if kind == "early" else 4),
        *(["round pair"] if kind == "open" else []),
    ):
        done = run(root, [*line.split(), "-e", name])
        assert done.exit_code == 0, (line, done.output)


def test_points_written_otherwise_by_other_rules_have_not_moved(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("round,player1,player2,wins1,wins2,draws\n1,A,B,0,0,1\n1,C,D,1,0,0\n2,A,C,,,\n2,B,D,,,\n")
    line = [
        "forecast",
        "what-if",
        "--from",
        str(path),
        "--cut",
        "2",
        "--profile",
        "tourney",
        "--exact",
        "--under",
    ]
    alike = CliRunner().invoke(root, [*line, "fide"]).stdout
    assert "½" in alike
    assert "→" not in alike
    assert "½ → 1" in CliRunner().invoke(root, [*line, "mtr"]).stdout


@pytest.mark.parametrize(("says", "message"), [("", "seems to have left"), ("drops,A,1\n", "has left")])
def test_a_player_with_a_drop_line_has_left_for_certain(tmp_path, says, message):
    """Without one in the file, the text is "seems to have left"."""
    path = tmp_path / "results.csv"
    path.write_text(
        f"{says}round,player1,player2,wins1,wins2,draws\n1,A,B,1,0,0\n1,C,D,1,0,0\n2,B,C,,,\n2,D,,1,0,0\n"
    )
    results = ["--from", str(path), "--cut", "2", "--profile", "tourney", "--json"]
    players = json.loads(CliRunner().invoke(root, ["forecast", "cut", *results]).stdout)["players"]
    assert {row["player"]: row["text"] for row in players}["A"] == message
    shown = (
        CliRunner()
        .invoke(root, ["forecast", "what-if", *results[:-1], "--exact", "--result", "B 1-0"])
        .stdout
    )
    assert f"  {message}" in shown
