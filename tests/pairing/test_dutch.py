"""The question for a Dutch engine and its answer, without an engine."""

import json

import pytest

from tests.kit import golden, with_rows
from tests.official.dutch_cases import POINTS
from tourney.errors import Severity, TourneyError
from tourney.pairing import Entrant, Options, Pairing
from tourney.pairing.dutch import EngineQuestion, answer, ask, baku, check, drawn_side, initial_order
from tourney.record import Outcome, Record, Result, Seat, Table
from tourney.trf import Byes, ForbiddenPairs, read


def table(number, one, other, outcomes=(Outcome.WIN, Outcome.LOSS)):
    return Table(number, (one, other), Result((Seat(one, outcomes[0]), Seat(other, outcomes[1]))))


def played(*rounds, byes=(), players=4):
    nobody = frozenset()
    missing = ({},) * (len(rounds) - len(byes))
    return Record(
        players=tuple(range(1, players + 1)),
        rounds=rounds,
        byes=(*byes, *missing),
        absences=(nobody,) * len(rounds),
    )


def field(*players):
    return [Entrant(id=player) for player in players]


def asked(record, entrants=None, options=None, **more):
    settings = {"points": POINTS, "initial_side": "w", "order": record.players, **more}
    return ask(record, entrants or field(*record.players), options or Options(), **settings)


def test_the_question_is_the_tournament_so_far():
    """The text has rounds, results, sides, scoring, initial side and length, but no names."""
    question = asked(played((table(1, 2, 1), table(2, 3, 4))), initial_side="b", rounds_total=5)
    file = read(question.text, source="question")
    assert (file.rounds_total, file.initial_side, question.round) == (5, "b", 2)
    assert file.scoring == {"W": 2, "D": 1, "L": 0, "A": 0, "P": 2}
    assert [(p.number, p.name, p.points) for p in file.players] == [
        (1, "Player 1", 0), (2, "Player 2", 2), (3, "Player 3", 2), (4, "Player 4", 0),
    ]  # fmt: skip
    assert [(c.opponent, c.side, c.result) for p in file.players for c in p.rounds] == [
        (2, "b", "0"), (1, "w", "1"), (4, "w", "1"), (3, "b", "0"),
    ]  # fmt: skip


def test_without_a_planned_length_this_is_not_the_last_round():
    """FIDE's last-round rules do not apply as long as the number of rounds is unknown."""
    assert read(asked(played((table(1, 1, 2),))).text, source="q").rounds_total == 3


def test_players_who_are_not_entrants_get_a_zero_point_bye():
    """They are absent from the round."""
    file = read(asked(played(), field(1, 3)).text, source="q")
    assert file.byes == (Byes("Z", 1, (2, 4)),)


def test_seeds_are_pairing_numbers():
    """Highest rating first, unrated players last, equals by registration."""
    assert initial_order({1: None, 2: 1500, 3: None, 4: 1800, 5: 1500}) == (4, 2, 5, 1, 3)
    question = asked(played((table(1, 4, 3),)), order=(4, 2, 1, 3))
    assert question.players == (4, 2, 1, 3)
    assert read(question.text, source="q").players[0].rounds[0].opponent == 4


def test_forbidden_pairs_and_accelerations_use_pairing_numbers():
    """Only pairs of players to be paired are in the question."""
    options = Options(forbidden=frozenset({(1, 4), (2, 3)}))
    question = asked(played(), field(1, 3, 4), options, order=(4, 3, 2, 1), virtual={4: (2, 2, 1)})
    file = read(question.text, source="q")
    assert file.forbidden_pairs == (ForbiddenPairs((1, 4)),)
    assert file.accelerations == {1: (2, 2, 1)}


def test_the_engine_does_not_see_the_organizers_tables():
    """A forced pair and a forced bye come back in the round."""
    options = Options(forced=((4, 1),), forced_bye=5, first_table=11)
    question = asked(played(players=5), options=options)
    assert question.playing == {2, 3}
    assert read(question.text, source="q").byes == (Byes("Z", 1, (1, 4, 5)),)
    round_ = answer(question, [(2, 3)], seed="s")
    assert [(t.number, t.seats) for t in round_.tables] == [(11, (4, 1)), (12, (2, 3))]
    assert (round_.bye, round_.seed, round_.proof) == (5, "s", "as FIDE Dutch 2026 has it")


@with_rows(
    ("kind", "worth", "code"),
    [
        (Outcome.BYE, 2, "U"), (Outcome.AWARDED_BYE, 2, "F"), (Outcome.AWARDED_BYE, 1, "H"),
        (Outcome.AWARDED_BYE, 0, "Z"), (Outcome.HALF_BYE, 1, "H"), (Outcome.HALF_BYE, 0, "Z"),
        (Outcome.HALF_BYE, 2, "F"),
    ],
)  # fmt: skip
def test_the_code_of_a_bye_depends_on_its_points(kind, worth, code):
    """The engine reads F, H and Z as a win, a draw and nothing."""
    question = asked(played((table(1, 1, 2),), byes=({3: kind},)), points={**POINTS, kind: worth})
    player = read(question.text, source="q").players[2]
    assert (player.rounds[0].result, player.points) == (code, worth)


def test_a_bye_worth_something_else_is_refused():
    """The format has no half-point bye worth 1½ if a draw is worth 1."""
    record = played((table(1, 1, 2),), byes=({3: Outcome.HALF_BYE},))
    points = {**POINTS, Outcome.WIN: 6, Outcome.DRAW: 2, Outcome.HALF_BYE: 3}
    with pytest.raises(TourneyError, match="half-bye worth 1½: it must be worth a win, a draw or nothing"):
        asked(record, points=points)


def test_a_no_show_worth_something_else_is_refused():
    """The format has no forfeit win that is worth less than a win."""
    record = played((table(1, 1, 2, (Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS)),))
    with pytest.raises(
        TourneyError, match="forfeit-win worth ½: in its files it is worth as much as a win, 1"
    ):
        asked(record, points={**POINTS, Outcome.FORFEIT_WIN: 1})


@with_rows(
    ("arguments", "message"),
    [
        (lambda: asked(played(), field(1, 9)), "#9 is not a player in this event"),
        (
            lambda: asked(played(), order=(1, 2, 3)),
            "the order of seeds must name every player of the event once",
        ),
        (
            lambda: asked(played(), order=(1, 2, 3, 3)),
            "the order of seeds must name every player of the event once",
        ),
        (lambda: asked(played((Table(7, (1, 2)),))), "round 1, table 7 has no result yet"),
        (lambda: asked(played(), field(1)), "#1 is the only player left"),
        (
            lambda: asked(played(), field(1, 2), Options(forced=((1, 2),), forbidden=frozenset({(2, 1)}))),
            "is both forced and forbidden",
        ),
    ],
)
def test_impossible_questions_are_refused(arguments, message):
    """Strangers, wrong orders, open tables and contradictions are refused before an engine runs."""
    with pytest.raises(TourneyError, match=message):
        arguments()


@with_rows("pairs", [[], [(1, 2)], [(1, 2), (3, 3)], [(1, 2), (3, 9)], [(1, 2), (3, 0), (4, 0)]])
def test_an_answer_that_is_not_a_round_is_refused(pairs):
    """Missing, doubled and unknown players, and two byes."""
    with pytest.raises(TourneyError, match="not a round"):
        answer(asked(played()), pairs)


def test_board_order_is_by_score_then_sum_then_seed():
    """C.04.2 3.6: the score of the higher-ranked player, the sum of both, then the seed."""
    points = {1: 0, 2: 2, 3: 2, 4: 1, 5: 0, 6: 0, 7: 0}
    question = EngineQuestion(
        text="", round=3, players=tuple(points), playing=frozenset(points), points=points
    )
    round_ = answer(question, [(1, 5), (2, 6), (7, 0), (3, 4)])
    assert [t.seats for t in round_.tables] == [(3, 4), (2, 6), (1, 5)]
    assert round_.bye == 7


def test_check_reports_differences():
    """Other opponents and changed sides have different findings."""
    expected = Pairing(tables=(Table(1, (1, 2)), Table(2, (3, 4)), Table(3, (5, 6))), byes=(7,))
    round_tables = (Table(1, (1, 2)), Table(2, (4, 3)), Table(3, (7, 5)))
    findings = check(expected, round_tables)
    assert [(f.rule, f.severity, f.message) for f in findings] == [
        ("sides", Severity.ERROR, "table 2: #4 – #3; by the Dutch rules #3 – #4"),
        ("dutch", Severity.ERROR, "table 3: #7 – #5; by the Dutch rules #7 has the bye"),
    ]


def test_the_initial_side_is_drawn_evenly():
    """In a thousand seeds each side comes up in at most 55 %; a seed always gives the same."""
    sides = [drawn_side(f"event {n}") for n in range(1000)]
    assert 450 <= sides.count("w") <= 550
    assert sides == [drawn_side(f"event {n}") for n in range(1000)]


def test_baku_acceleration_agrees_with_the_golden_events():
    """Accelerated players and virtual points of every accelerated golden tournament."""
    compared = 0
    for place in sorted(golden("dutch").glob("baku*.json")):
        facts = json.loads(place.read_text("utf-8"))
        file = read(place.with_suffix(".trf").read_text("utf-8"), source=place.name)
        count, virtual = baku(facts["players"], facts["rounds_total"], 2)
        assert file.accelerations == dict.fromkeys(range(1, count + 1), virtual), place
        compared += 1
    assert compared == 3


def test_baku_needs_a_win_that_can_be_halved():
    """Half a win must be a whole number of half points."""
    with pytest.raises(TourneyError, match="half of 1½ is not a multiple of ½"):
        baku(20, 9, 3)
