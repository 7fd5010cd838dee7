"""The Dutch golden cases as questions to the engine, with the answers of other programs."""

import json
from dataclasses import dataclass

from tests.kit import golden
from tourney.pairing import Entrant, Options
from tourney.pairing.dutch import EngineQuestion, ask
from tourney.record import Outcome
from tourney.trf import read, record_of

POINTS = {
    Outcome.WIN: 2, Outcome.DRAW: 1, Outcome.LOSS: 0, Outcome.BYE: 2, Outcome.AWARDED_BYE: 2,
    Outcome.HALF_BYE: 1, Outcome.FORFEIT_WIN: 2, Outcome.FORFEIT_LOSS: 0, Outcome.DOUBLE_LOSS: 0,
    Outcome.ABSENT: 0,
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One round of a golden tournament.

    expected: pairs in board order, with 0 for the bye; None if it cannot be paired
    """

    name: str
    question: EngineQuestion
    expected: tuple[tuple[int, int], ...] | None


def question_of(file, round_number, absent):
    record = record_of(file).after(round_number - 1)
    return ask(
        record,
        [Entrant(id=player) for player in record.players if player not in absent],
        Options(round_number=round_number),
        points=POINTS,
        initial_side=file.initial_side,
        rounds_total=file.rounds_total,
        order=record.players,
        virtual=file.accelerations,
    )


def tournament_cases():
    """Return every round of the groups g, wild and baku."""
    cases = []
    for place in sorted(golden("dutch").glob("*.json")):
        if place.name.startswith("nc"):
            continue
        facts = json.loads(place.read_text("utf-8"))
        file = read(place.with_suffix(".trf").read_text("utf-8"), source=place.name)
        for round_ in facts["rounds"]:
            expected = None if round_.get("no_valid_pairing") else tuple(map(tuple, round_["pairs"]))
            question = question_of(file, round_["round"], set(round_["absent"]))
            cases.append(Case(f"{place.stem} round {round_['round']}", question, expected))
    return cases


def hard_cases():
    """Return the positions of dutch-hard: the round after the last one of each file."""
    cases = []
    for place in sorted(golden("dutch-hard").glob("*.json")):
        file = read(place.with_suffix(".trf").read_bytes().decode("utf-8"), source=place.name)
        round_number = file.rounds_paired + 1
        numbers = {player.number for player in file.players if not player.cell(round_number).is_empty}
        expected = tuple(map(tuple, json.loads(place.read_text("utf-8"))["expected"]))
        cases.append(
            Case(place.stem, question_of(file, round_number, numbers | set(file.absent_players)), expected)
        )
    return cases
