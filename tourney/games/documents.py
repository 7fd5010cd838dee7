"""JSON documents about games and their calculators, and the functions that make them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from tourney.document import Document
from tourney.games.questions import Answered, Game, OtherReading, Question
from tourney.games.sheet_lines import GameSheet
from tourney.games.typed import split_words


class GameSheetDocument(Document, frozen=True, tag="tourney.game-sheet/1"):
    """What `tourney format show --game GAME --json` prints. sheet: the sheet of the game."""

    sheet: GameSheet


class ListedArgument(msgspec.Struct, frozen=True):
    """An argument of a calculator.

    name: the name of the argument
    typed: how the argument is typed, as the help shows it; `flag` for an option without a value
    option: whether the argument is typed as `--name`
    help: the help text
    """

    name: str
    typed: str
    option: bool
    help: str


class ListedReading(msgspec.Struct, frozen=True):
    """A rule text that can be read in several ways.

    name: the name of the reading
    about: the question that the reading decides
    default: the choice if `--reading` is not given
    choices: each choice and the line that supports it; empty if any number can be chosen
    cite: the line that supports the default number; empty if there are choices
    """

    name: str
    about: str
    default: str | int
    choices: Mapping[str, str]
    cite: str


class ListedQuestion(msgspec.Struct, frozen=True):
    """A calculator.

    question: the name of the calculator
    asks: the question that it answers
    arguments: the arguments
    readings: the rule texts that can be read in several ways
    cites: the places of the rules
    """

    question: str
    asks: str
    arguments: tuple[ListedArgument, ...]
    readings: tuple[ListedReading, ...]
    cites: tuple[str, ...]


class ListedGame(msgspec.Struct, frozen=True):
    """The calculators of a game.

    game: the id of the game
    name: the name of the game
    rules: the text whose lines the citations count
    questions: the calculators
    """

    game: str
    name: str
    rules: str
    questions: tuple[ListedQuestion, ...]


class CalculatorList(Document, frozen=True, tag="tourney.judge-list/1"):
    """What `tourney judge --json` prints. games: each game with its calculators."""

    games: tuple[ListedGame, ...]


def listed_game(name: str, game: Game) -> ListedGame:
    """Return the calculators of a game."""
    return ListedGame(
        game=name, name=game.name, rules=game.rules, questions=tuple(map(_listed_question, game.questions))
    )


def _listed_question(question: Question) -> ListedQuestion:
    return ListedQuestion(
        question=question.name,
        asks=question.asks,
        arguments=tuple(
            ListedArgument(
                name=argument.label,
                typed=argument.metavar if argument.reader else "flag",
                option=argument.option,
                help=argument.help,
            )
            for argument in question.arguments
        ),
        readings=tuple(
            ListedReading(
                name=reading.name,
                about=reading.about,
                default=reading.default,
                choices={}
                if reading.is_number
                else {str(key): cite for key, cite in reading.choices.items()},
                cite=reading.cite(reading.default) if reading.is_number else "",
            )
            for reading in question.readings
        ),
        cites=question.cites,
    )


class WorkingStep(msgspec.Struct, frozen=True):
    """A step of the working.

    step: the step, in words
    cite: the line of the rules; null for arithmetic
    """

    step: str
    cite: str | None


class UsedSettings(msgspec.Struct, frozen=True):
    """An event whose settings an answer uses.

    name: the name with which the event was opened
    settings: the settings that the answer uses
    """

    name: str
    settings: Mapping[str, Any]


class OtherAnswer(msgspec.Struct, frozen=True):
    """The answer by another reading.

    name: the name of the reading
    choice: the other choice
    cite: the line that supports this choice
    answer: the answer, or the reason for a refusal
    """

    name: str
    choice: str
    cite: str
    answer: str

    @classmethod
    def of(cls, other: OtherReading) -> OtherAnswer:
        """Return the JSON object of an answer by another reading."""
        return cls(name=other.name, choice=other.choice, cite=other.cite, answer=other.short)


class CalculatorAnswer(Document, frozen=True, tag="tourney.judge/1"):
    """What `tourney judge` prints with `--json` for a calculator.

    game: the id of the game
    question: the name of the calculator
    inputs: argument to value; for an argument of several things, the list of its words
    answer: the answer, in a sentence
    why: the reason for the answer; empty if the answer contains it
    value: the answer for a program; a fraction has its exact text and its decimal
    working: the steps of the working
    cites: the places of the rules
    reading: reading to choice
    other_readings: the readings that would change the answer
    event: the event whose settings were used; null if no event was used
    """

    game: str
    question: str
    inputs: Mapping[str, Any]
    answer: str
    why: str
    value: Mapping[str, Any]
    working: tuple[WorkingStep, ...]
    cites: tuple[str, ...]
    reading: Mapping[str, str | int]
    other_readings: tuple[OtherAnswer, ...]
    event: UsedSettings | None


def calculator_answer(
    game: str, question: Question, typed: Mapping[str, Any], answered: Answered, event: UsedSettings | None
) -> CalculatorAnswer:
    """Return the document of an answer. typed: the words or the value of each argument."""
    answer = answered.answer
    inputs = {}
    for argument in question.arguments:
        value = typed[argument.name]
        several = isinstance(value, tuple)
        inputs[argument.label] = [word for text in value for word in split_words(text)] if several else value
    return CalculatorAnswer(
        game=game,
        question=question.name,
        inputs=inputs,
        answer=answer.short,
        why=answer.why,
        value=_exact(answer.value),
        working=tuple(WorkingStep(step.text, step.cite or None) for step in answer.working),
        cites=answered.cites,
        reading=answered.readings,
        other_readings=tuple(map(OtherAnswer.of, answered.others)),
        event=event,
    )


def _exact(value: Any) -> Any:
    """Return a value in which each fraction is replaced by its exact text and its decimal."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": float(value)}
    if isinstance(value, Mapping):
        return {str(key): _exact(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_exact(item) for item in value]
    return value
