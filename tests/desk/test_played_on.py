"""Simulated later rounds are paired as the event pairs them."""

import contextlib
import random

import pytest

from tests.desk.kit import new_desk
from tests.kit import amount
from tourney.desk.forecasting import paired_by, rounds_to_come
from tourney.errors import TourneyError
from tourney.event.field import leavers_until, record
from tourney.event.rounds import Manner
from tourney.forecast.simulation import Chances, Counts, Position, Simulation
from tourney.pairing import Mode, SwissPairer
from tourney.record import Outcome
from tourney.store import fide


def position_of(desk, cut=2):
    """Return the input of a simulation of an event."""
    ranked, state = desk.ranking_input(), desk.state
    last = len(ranked.record.rounds)
    return Position(
        record=ranked.record,
        profile=ranked.profile,
        cut=cut,
        late_drops=leavers_until(state, last),
        coming=rounds_to_come(state, ranked.profile, last),
    )


def simulated(desk, position):
    """Return the next round of a simulation with the event's results and seeds."""
    simulation, coming = Simulation(position, Chances()), position.coming[0]
    scorecards, past = simulation.start, record(desk.state).after(coming.options.round_number - 1)
    for at in range(scorecards.rounds, len(past.rounds)):
        scorecards = scorecards.with_round(past.rounds[at], past.byes[at], past.absences[at])
    seeds = dict.fromkeys(range(1, 20), "none") | {round_.number: round_.seed for round_ in desk.state.rounds}
    made = simulation.pair_round(scorecards, coming, seeds.__getitem__, Counts())
    return [(table.number, table.seats) for table in made.tables], sorted(made.byes)


def paired(desk):
    """Return the event's round; resting in a round robin is not a bye."""
    now = desk.state.round
    byes = sorted(player for player, outcome in now.byes.items() if outcome is Outcome.BYE)
    return [(table.number, table.seats) for table in now.tables.values()], byes


def disturbed(desk, dice):
    """Make random changes between two rounds."""
    here = [player_id.id for player_id in desk.state.playing]
    system = desk.state.settings.pairing.system
    for what in dice.sample(["drop", "late", "bye", "apart", "hard", "force", "table", "rating"], 3):
        one, other = dice.sample(here, 2)
        with contextlib.suppress(TourneyError):  # a wish that this system, or another wish, rules out
            match what:
                case "drop" if len(here) > 7:
                    desk.drop(one)
                case "late":
                    desk.add_player(f"Late {desk.state.entry}", rating=dice.choice([None, 1900]))
                case "bye":
                    at = len(desk.state.rounds) + dice.choice([1, 2])
                    desk.change_player(one, byes={at: dice.choice(["bye", "half-bye", "absent"])})
                case "apart" | "hard":
                    desk.forbid(one, other, hard=what == "hard")
                case "force" if system in {"swiss", "dutch"}:
                    desk.force(one, other)
                case "table":
                    desk.change_player(one, table=one)
                case "rating":
                    desk.change_player(one, rating=dice.choice([1500, 2100]))


SYSTEMS = {
    "swiss": {"rounds": 4},
    "sides": {"rounds": 4, "sides": ("white", "black"), "last_round": "rank"},
    "rated": {"rounds": 4, "first_round": "fold", "half_bye_counts": True, "first_table": 11},
    "dutch": {"system": "dutch", "sides": ("white", "black"), "rounds": 4, "profile": "fide"},
    "round-robin": {"system": "round-robin"},
    "double": {"system": "round-robin", "double": True},
    "pods": {"system": "pods", "seats": (4, 3), "rounds": 4, "profile": "pods"},
}


@pytest.mark.slow
@pytest.mark.file
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_simulated_round_equals_the_event_s_next_round(tmp_path, name):
    """During the earlier round, with all wishes, and with the results of its tables."""
    rounds, seeds = 0, range(1 if name == "dutch" else amount(2, of=6))
    for seed in seeds:
        dice = random.Random(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        players = [f"Player {n}" for n in range(dice.choice([9, 12, 15]))]
        with new_desk(folder, *players, seed=str(seed), **SYSTEMS[name]) as desk:
            for player in list(desk.state.players)[: 6 if name == "dutch" else None]:
                desk.change_player(player, rating=dice.randint(1200, 2200))
            for _ in range(4):
                disturbed(desk, dice)
                position = position_of(desk)
                for table in desk.state.round.tables if desk.state.rounds else ():
                    seats = len(desk.state.round.tables[table].seats)
                    places = ",".join(map(str, dice.sample(range(1, seats + 1), seats)))
                    desk.report(
                        table, places if name == "pods" else dice.choice(["w", "l", "=", "ff1", "dl"])
                    )
                try:
                    desk.pair_round(manner=Manner(careful=False))
                except TourneyError:  # wishes that contradict each other, or leave no round
                    with pytest.raises(TourneyError):
                        simulated(desk, position)
                    break
                assert simulated(desk, position) == paired(desk), (seed, len(desk.state.rounds))
                rounds += 1
    assert rounds >= 3 * len(seeds)


def test_only_the_last_simulated_round_is_a_last_round(tmp_path):
    """The setting for the last round applies to it alone."""
    with new_desk(tmp_path, *"ABCDEFGH", rounds=5, last_round="rank") as desk:
        profile = desk.profile()
        for rounds in (None, 3, 6):
            *before, last = rounds_to_come(desk.state, profile, 0, rounds)
            assert last.options.round_number == (rounds or 5)
            assert last.options.mode is Mode.RANK
            assert Mode.RANK not in {round_.options.mode for round_ in before}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "as the event pairs them"),
        (SYSTEMS["round-robin"], "as the event pairs them"),
        (SYSTEMS["pods"], "as the event pairs them"),
        (SYSTEMS["dutch"], f"by the Dutch system ({fide.version()})"),
        ({"system": "manual"}, "by this program's Swiss rules, not by hand"),
        ({"system": "manual", "seats": (4, 3)}, "as pods, not by hand"),
    ],
)
def test_the_pairing_of_later_rounds_is_explained(tmp_path, settings, message):
    with new_desk(tmp_path, *"ABCDEFGH", **{"rounds": 3, **settings}) as desk:
        coming = rounds_to_come(desk.state, desk.profile(), 0)
        assert paired_by(desk.state.settings.pairing.system, coming) == message


def test_without_the_dutch_engine_later_rounds_are_swiss(tmp_path, monkeypatch):
    """A message says so."""
    monkeypatch.setattr(fide, "version", lambda: "")
    with new_desk(tmp_path, *"ABCDEFGH", **SYSTEMS["dutch"]) as desk:
        coming = rounds_to_come(desk.state, desk.profile(), 0)
    assert {round_.pairer for round_ in coming} == {SwissPairer()}
    assert paired_by("dutch", coming) == (
        "by this program's Swiss rules: the engine of the Dutch system, the extra `fide`, is not installed"
    )
