"""An event's rounds to come, as its own pairing would see them."""

import pytest

from tests.desk.kit import new_desk, play
from tourney.desk.forecasting import rounds_to_come
from tourney.errors import TourneyError
from tourney.event.field import field_of, left_by, round_robin
from tourney.event.systems import options_of
from tourney.forecast.simulation import Chances, Position, Simulation
from tourney.pairing import Mode
from tourney.record import Outcome, PlayerId

NINE = tuple(f"Player {letter}" for letter in "ABCDEFGHI")


def position(desk, rounds=None):
    ranked = desk.ranked()
    paired = len(ranked.record.rounds)
    return Position(
        record=ranked.record,
        profile=ranked.profile,
        cut=4,
        gone=left_by(desk.state, paired),
        coming=rounds_to_come(desk.state, paired, rounds),
    )


@pytest.mark.parametrize(
    ("system", "settings"),
    [
        ("swiss", {}),
        ("swiss", {"last_round": "rank", "first_round": "slide", "rounds": 3}),
        ("swiss", {"sides": ["White", "Black"], "first_table": 10}),
        ("pods", {"seats": [4, 3, 5]}),
        ("manual", {}),
    ],
)
def test_a_round_to_come_is_asked_for_as_the_event_asks(tmp_path, system, settings):
    """Points, meetings, byes, floats, sides, groups, tables, ratings and places: of every entrant, before each round."""
    with new_desk(tmp_path, *NINE, system=system, **{"rounds": 5, **settings}) as desk:
        desk.change_player("Player A", rating=1800, table=12)
        desk.change_player("Player B", tags={"club": "Ravens"}, byes={2: "half-bye", 3: "absent"})
        desk.change_player("Player C", tags={"club": "Ravens"})
        desk.change(keep_apart={"club": 2})
        desk.forbid("Player D", "Player E", hard=False)
        desk.forbid("Player D", "Player F")
        if system == "swiss":
            desk.force("Player G", "Player H", round_number=3)
        for number in (1, 2, 3):
            coming = position(desk).coming
            simulation = Simulation(position(desk), Chances())
            here = [player for player in simulation.staying if player not in coming[0].byes]
            field = field_of(
                desk.state,
                desk.profile(),
                number=number,
                newcomers=True,
                ranks=coming[0].options.mode is Mode.RANK,
            )
            assert coming[0].options == options_of(desk.state, number)
            assert tuple(simulation.entrants(simulation.start, coming[0], here)) == field.entrants
            assert dict(coming[0].byes) == dict(field.byes)
            assert (coming[0].sizes is not None) == (system == "pods")
            assert simulation.play("a", range(3)).runs == 3
            if system == "manual":
                break
            desk.pair_round()
            score = "1,2,3,4,5" if system == "pods" else "w"
            desk.report_block(
                f"{table} {score[: 2 * len(seats.seats) - 1]}"
                for table, seats in desk.state.round.tables.items()
            )
            if number == 1:
                desk.drop("Player I")
                desk.add_player("Player J", byes={3: "absent"})


def test_rounds_are_as_many_as_planned_or_asked_for(tmp_path):
    with new_desk(tmp_path, *NINE, rounds=4) as desk:
        play(desk)
        assert [each.options.round_number for each in position(desk).coming] == [2, 3, 4]
        assert [each.options.round_number for each in position(desk, 2).coming] == [2]
        desk.change(rounds=1)
        assert not position(desk).coming


def test_a_round_robin_goes_by_its_schedule(tmp_path):
    with new_desk(tmp_path, *NINE[:5], system="round-robin") as desk:
        assert len(position(desk).coming) == 5
        play(desk)
        schedule = round_robin(desk.state, "").rounds
        assert [each.tables for each in position(desk).coming] == list(schedule[1:])
        simulation = Simulation(position(desk), Chances())
        counts = simulation.play("a", range(5))
        assert {sum(won) for _, won in counts.of_player} == {4}  # who rests has nothing
        desk.drop("Player A")
        gone = position(desk).coming
        assert len(gone) == 4
        counts = Simulation(position(desk), Chances()).play("a", range(5))
        assert PlayerId(1) not in counts.made


def test_a_late_player_comes_with_the_next_round(tmp_path):
    with new_desk(tmp_path, *NINE[:4], rounds=3, late="half-bye") as desk:
        desk.pair_round()
        desk.add_player("Late")
        late = desk.state.players[PlayerId(5)]
        assert (late.since, late.late) == (2, Outcome.HALF_BYE)
        counts = Simulation(position(desk), Chances()).play("a", range(4))
        assert {sum(won) for player, won in counts.of_player if player == 5} == {3}


def test_a_bracket_has_no_cut(tmp_path):
    with (
        new_desk(tmp_path, *NINE[:4], system="elimination") as desk,
        pytest.raises(TourneyError, match="no cut"),
    ):
        position(desk)
