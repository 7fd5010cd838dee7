"""Pairings copied from EventLink: one value on a line, with each player's record."""

import pytest
from msgspec.structs import replace

from tests.kit import with_rows
from tests.standings.fields import random_record
from tests.standings.profiles import shipped
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId
from tourney.standings import points, rank
from tourney.standings.reading import first_difference, read_results

TWO_ROUNDS = """\
1
Mira Oake
1–0–0
21
Tomo Reed
0–1–0
2
Ansel Voss
1–0–0
20
Bye
1
Ansel Voss
1–0–1
111
Mira Oake
1–0–1
2
Tomo Reed
1–1–0
20
Bye
"""


def test_reads_rounds_byes_games_and_records():
    """A round starts with a player who appears again. Records are compared with our points."""
    results = read_results(TWO_ROUNDS, source="x")
    assert (results.form, results.profile) == ("eventlink", "mtr")
    one, two = results.record.rounds
    assert [(table.number, [seat.games for seat in table.result.seats]) for table in one] == [(1, [2, 1])]
    assert ([seat.outcome for seat in two[0].result.seats], two[0].result.drawn_games) == (
        [Outcome.DRAW] * 2,
        1,
    )
    assert results.record.byes == ({3: Outcome.BYE}, {2: Outcome.BYE})
    standings = rank(results.record, shipped("mtr"))
    assert first_difference(results, standings) == ""
    wrong = read_results(TWO_ROUNDS.replace("1–1–0\n20\nBye", "0–1–1\n20\nBye"), source="x")
    assert first_difference(wrong, standings) == "Tomo Reed has 1 point there and 3 here"


def copied(record):
    """Write a record as EventLink shows it."""
    made = dict.fromkeys(record.players, (0, 0, 0))
    lines = []
    for at, tables in enumerate(record.rounds):
        for table in tables:
            score = [seat.games for seat in table.result.seats] if table.result else [0, 0]
            for seat in table.result.seats if table.result else ():
                gained = [Outcome.WIN, Outcome.LOSS, Outcome.DRAW].index(seat.outcome)
                made[seat.player] = tuple(n + (i == gained) for i, n in enumerate(made[seat.player]))
            one, other = table.seats
            drawn = str(table.result.drawn_games) if table.result and table.result.drawn_games else ""
            lines += [table.number, f"Player {one}", "–".join(map(str, made[one]))]
            lines += [f"{score[0]}{score[1]}{drawn}", f"Player {other}", "–".join(map(str, made[other]))]
        for player in record.byes[at]:
            won, lost, drawn = made[player]
            made[player] = (won + 1, lost, drawn)
            lines += [9, f"Player {player}", f"{won + 1}–{lost}–{drawn}", "20", "Bye"]
    return "\n".join(map(str, lines))


@with_rows("seed", range(12))
def test_reads_back_what_eventlink_shows(seed):
    """Pairings, games, byes and tables of any event with wins, losses and draws."""
    scores = ("2-0", "2-1", "1-2", "0-2", "1-1-1", "1-1")
    record = replace(random_record(seed, players=8, rounds=4, scores=scores), drops={}, disqualified={})
    record = replace(record, byes=tuple(dict.fromkeys(bye, Outcome.BYE) for bye in record.byes))
    back = read_results(copied(record), source="x")
    mine = {PlayerId(int(str(name).split()[1])): player for player, name in back.names.items()}
    assert {frozenset(mine[seat] for seat in t.seats) for r in record.rounds for t in r} == {
        frozenset(t.seats) for r in back.record.rounds for t in r
    }
    assert len(back.record.rounds) == len(record.rounds)
    profile = shipped("mtr")
    there, here = points(record, profile), points(back.record, profile)
    assert {mine[code]: made for code, made in there.items() if code in mine} == here
    assert first_difference(back, rank(back.record, profile)) == ""


PLAYOFF = """\
Mira Oake
2–0–1
20
Ansel Voss
1–1–1
"""


def test_later_matches_without_a_table_are_a_playoff():
    """Its seeds are unknown."""
    results = read_results(TWO_ROUNDS + PLAYOFF, source="x")
    assert len(results.record.rounds) == 2
    ((final,),) = results.playoff.rounds
    assert (results.playoff.seeds, [seat.outcome for seat in final.result.seats]) == (
        (),
        [Outcome.WIN, Outcome.LOSS],
    )


@with_rows(
    ("text", "message"),
    [
        (TWO_ROUNDS.replace("21\nTomo", "2:1\nTomo"), "x: line 1: expected a table, a player, a record"),
        (TWO_ROUNDS + "1\nMira Oake\n", "x: line 23: expected a table"),
        (TWO_ROUNDS.replace("\nBye\n1\n", "\nBye\n1\nMira Oake\n1–0–0\n"), "x: line 12: expected a table"),
        (TWO_ROUNDS + TWO_ROUNDS, "x: line 23: a second event begins here"),
    ],
)  # fmt: skip
def test_rejects_lines_that_are_not_a_match(text, message):
    """With the line on which the match starts."""
    with pytest.raises(TourneyError) as fault:
        read_results(text, source="x")
    assert fault.value.message.startswith(message), fault.value.message
