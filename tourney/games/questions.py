"""Calculators for judges: questions about a game, their answers, and JSON documents.

A game's module `judge.py` has a `GAME`, and for each calculator a function with the decorator
`@GAME.question(…)`. The signature declares everything else: positional parameters are arguments, and
keyword-only parameters are options. The type of a parameter says how it is typed (`typed.py`), and the text
in `Annotated` is its help. A parameter with an `OpenText` is not an argument but a *reading*: its value says
in which way an ambiguous rule text is read.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from tourney.document import Document
from tourney.errors import TourneyError
from tourney.games.typed import (
    Label,
    MisspeltError,
    Things,
    Value,
    label_of,
    parts_of,
    reader_of,
    split_words,
    whole,
    words_starting,
)
from tourney.wording import listed

SETTING = object()
"""Marks an option whose default is the event's setting of the same name."""


# -- questions


class Argument(Struct, frozen=True):
    """An argument of a question, as its parameter declares it.

    reader:  how the words that a judge types are converted to a value; None for a flag
    option:  whether the argument is typed as `--name`
    metavar: the pattern of the argument in the help
    setting: whether the default is the event's setting of the same name
    """

    name: str
    help: str
    reader: Value | Things | None
    required: bool
    option: bool
    default: Any
    metavar: str
    setting: bool

    @property
    def label(self) -> str:
        """The name without the `_` that avoids a clash with a keyword or a builtin of Python."""
        return self.name.strip("_")


class OpenText:
    """Marks a parameter whose value is one way to read an ambiguous rule text.

    The parameter has the same name and the same default as a setting of the game's formats.

    about:   the question that the reading decides
    cites:   for each choice, the rule line that supports it, in the order of the parameter's Literal or of
             `numbers`
    numbers: if the parameter is a number, the numbers that `cites` supports; any other number can be chosen,
             too
    """

    def __init__(self, about: str, *cites: str, numbers: Sequence[int] = ()) -> None:
        self.about = about
        self.cites = cites
        self.numbers = numbers


class RuleReading(Struct, frozen=True):
    """An ambiguous rule text that a question depends on, with the possible readings.

    about:   the question that the reading decides
    default: the choice that applies if no other is given
    choices: choice → the rule line that supports it
    """

    name: str
    about: str
    default: str | int
    choices: Mapping[str | int, str]

    @property
    def is_number(self) -> bool:
        """Whether the choice is a whole number. Such a reading also allows numbers not in `choices`."""
        return isinstance(self.default, int)

    def cite(self, choice: str | int) -> str:
        """Return the rule line that supports a choice.

        If the choice is a number that is not listed, return the rule line of the default.
        """
        return self.choices.get(choice) or self.choices[self.default]

    def parse(self, text: str) -> str | int:
        """Return the choice that a text names, in full or by an unambiguous prefix.

        Raises MisspeltError if the text is not such a choice.
        """
        if self.is_number:
            return whole(text)
        fitting = words_starting(text, self._words)
        if len(fitting) != 1:
            choices = listed([f"`{choice}`" for choice in fitting or self._words], "or")
            raise MisspeltError(f"`{text}` is not a reading of the rule `{self.name}`; choose {choices}")
        return fitting[0]

    def begins(self, text: str) -> bool:
        """Return whether any choice starts with `text`; the case does not matter.

        Returns False for an empty text, and if the choices are numbers.
        """
        return not self.is_number and bool(words_starting(text, self._words))

    def allows(self, value: object) -> bool:
        """Return whether a value is one of the choices."""
        return type(value) is int if self.is_number else value in self.choices

    @property
    def _words(self) -> list[str]:
        return [str(choice) for choice in self.choices]


class Question(Struct, frozen=True):
    """A calculator, as `Game.question` declares it.

    asks:     the question, for the list of calculators
    answer:   the function; for an illegal position it raises a TourneyError that cites the violated rule line
    cites:    the places in the rules
    examples: words of a command → the first line of the answer
    more:     further help for users
    standing: `law` if the rules are the game's own text, `elsewhere` if they come from another source
    """

    name: str
    asks: str
    answer: Callable[..., Answer]
    cites: tuple[str, ...]
    arguments: tuple[Argument, ...]
    readings: tuple[RuleReading, ...]
    examples: Mapping[str, str]
    more: str
    standing: str

    @property
    def settings(self) -> frozenset[str]:
        """The event's settings on which the answer may depend."""
        readings = [reading.name for reading in self.readings]
        return frozenset([*readings, *(argument.name for argument in self.arguments if argument.setting)])

    def parse_readings(self, words: Sequence[str]) -> dict[str, str | int]:
        """Parse choices between readings of ambiguous rules: `NAME=CHOICE`, or just `CHOICE`.

        Returns name of the `RuleReading` → choice. An unambiguous prefix of a name or of a choice is enough.
        Raises MisspeltError for any other word.
        """
        choices: dict[str, str | int] = {}
        for word in words:
            name, equals, choice = (part.strip() for part in word.partition("="))
            by_name = {reading.name: reading for reading in self.readings}
            if equals:
                fitting = words_starting(name.replace("-", "_"), by_name)
            else:
                choice = name
                fitting = [reading.name for reading in self.readings if reading.begins(choice)]
            if len(fitting) != 1:
                names = listed(fitting or by_name, "or")
                raise MisspeltError(f"`{word}` is not a reading; use NAME=CHOICE, where NAME is {names}")
            choices[fitting[0]] = by_name[fitting[0]].parse(choice)
        return choices


_Function = TypeVar("_Function", bound="Callable[..., Answer]")


class Game:
    """A game and its calculators.

    name:  the full name of the game
    rules: the title of the rule text; citations give its line numbers
    """

    def __init__(self, name: str, rules: str) -> None:
        self.name = name
        self.rules = rules
        self.questions: list[Question] = []

    def question(
        self,
        asks: str,
        *cites: str,
        examples: Mapping[str, str],
        more: str = "",
        standing: Literal["law", "elsewhere"] = "law",
    ) -> Callable[[_Function], _Function]:
        """Return a decorator that turns a function into a calculator.

        The calculator's command has the name of the function.

        asks:     the question, for the list of calculators
        cites:    the places in the rules
        examples: words after `tourney judge GAME QUESTION` → the first line of the answer; the tests run them
        more:     further help for users
        standing: `law` if the rules are the game's own text, `elsewhere` if they come from another source
        """

        def add(function: _Function) -> _Function:
            name = function.__name__.strip("_").replace("_", "-")
            arguments, readings = _parse_parameters(function)
            self.questions.append(
                Question(name, asks, function, cites, arguments, readings, examples, more, standing)
            )
            return function

        return add


def has_calculators(game: str) -> bool:
    """Return whether a game has a module `judge`. game: its id, such as `red-diamond`."""
    name = _folder(game)
    return game.replace("-", "_").isidentifier() and bool(find_spec(name) and find_spec(f"{name}.judge"))


def load_game(game: str) -> Game:
    """Return the `GAME` of a game's module `judge`. The game must have such a module."""
    calculators: Game = importlib.import_module(f"{_folder(game)}.judge").GAME
    return calculators


def _folder(game: str) -> str:
    return f"tourney.games.{game.replace('-', '_')}"


def _parse_parameters(
    function: Callable[..., Answer],
) -> tuple[tuple[Argument, ...], tuple[RuleReading, ...]]:
    """Return the arguments and the rule readings that the function of a calculator takes.

    A parameter whose annotation has an `OpenText` chooses a reading of an ambiguous rule text. All other
    parameters are arguments.
    """
    types = get_type_hints(function, include_extras=True)
    arguments, readings = [], []
    for parameter in inspect.signature(function).parameters.values():
        parts = list(parts_of(types[parameter.name]))
        reading = next((part for part in parts if isinstance(part, OpenText)), None)
        if reading is not None:
            words = next((get_args(part) for part in parts if get_origin(part) is Literal), reading.numbers)
            choices = dict(zip(words, reading.cites, strict=True))
            readings.append(RuleReading(parameter.name, reading.about, parameter.default, choices))
        else:
            arguments.append(_argument(parameter, types[parameter.name], parts))
    return tuple(arguments), tuple(readings)


def _argument(parameter: inspect.Parameter, annotation: Any, parts: Sequence[Any]) -> Argument:
    about = next((part for part in parts if isinstance(part, str)), "")
    label = label_of(parameter.name)
    reader = None if bool in parts else reader_of(annotation, label, about)
    if isinstance(reader, Things):
        metavar = reader.shape + "…" * (not reader.single)
    else:
        labels = [part.text for part in parts if isinstance(part, Label)]
        metavar = labels[0] if labels else "N" if reader and reader.number else label
    is_required = parameter.default is inspect.Parameter.empty
    return Argument(
        name=parameter.name,
        help=about,
        reader=reader,
        required=is_required,
        option=parameter.kind is inspect.Parameter.KEYWORD_ONLY,
        default=None if is_required or isinstance(reader, Things) else parameter.default,
        metavar=metavar,
        setting=SETTING in parts,
    )


# -- the list of questions


class ListedArgument(Struct, frozen=True):
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


class ListedReading(Struct, frozen=True):
    """A rule text that can be read in several ways.

    name: the name of the reading
    about: the question that the reading decides
    default: the choice if `--reading` is not given
    choices: each choice and the rule line that supports it; empty if any number can be chosen
    cite: the rule line that supports the default number; empty if there are choices
    """

    name: str
    about: str
    default: str | int
    choices: Mapping[str, str]
    cite: str


class ListedQuestion(Struct, frozen=True):
    """A calculator.

    question: the name of the calculator
    asks: the question that it answers
    arguments: the arguments
    readings: the rule texts that can be read in several ways
    cites: the places in the rules
    """

    question: str
    asks: str
    arguments: tuple[ListedArgument, ...]
    readings: tuple[ListedReading, ...]
    cites: tuple[str, ...]


class ListedGame(Struct, frozen=True):
    """The calculators of a game.

    game: the id of the game
    name: the name of the game
    rules: the title of the rule text; citations give its line numbers
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


# -- answers


class Step(Struct, frozen=True):
    """A step of the working that leads to an answer.

    step: the step, in words
    cite: the line of the rules that the step applies; null for arithmetic
    """

    text: str = msgspec.field(name="step")
    cite: str | None = None


class Answer(Struct, frozen=True):
    """A calculator's answer to a question.

    short:   the answer in a sentence
    why:     the reason in one line; "" if the answer contains it
    value:   the answer for a program: whole numbers, texts, Fractions (exact), lists and mappings of these
    working: the steps of the working, in order
    cites:   the places in the rules that apply; empty if all places of the question apply
    """

    short: str
    why: str
    value: Mapping[str, Any]
    working: Sequence[Step]
    cites: tuple[str, ...] = ()


class OtherAnswer(Struct, frozen=True):
    """The answer if a rule text is read in another way.

    name: the name of the reading
    choice: the other choice
    cite: the rule line that supports this choice
    answer: the answer with this choice, or why the question is then refused
    """

    name: str
    choice: str
    cite: str
    answer: str

    def __str__(self) -> str:
        return f'with --reading "{self.name}={self.choice}", the answer is "{self.answer}" ({self.cite})'


class Answered(Struct, frozen=True):
    """An answer, and the ways in which it reads ambiguous rule texts (*readings*).

    cites:    the places in the rules
    readings: name of a reading → the choice that the answer uses
    depends:  the names of the readings for which another choice would change any part of the answer
    others:   the other choices that would change the sentence of the answer
    """

    answer: Answer
    cites: tuple[str, ...]
    readings: Mapping[str, str | int]
    depends: frozenset[str]
    others: tuple[OtherAnswer, ...]


def ask(question: Question, values: Mapping[str, Any], choices: Mapping[str, str | int]) -> Answered:
    """Answer a question, and find the readings of the rules that would change the answer.

    values:  parameter → argument; missing parameters have their defaults
    choices: reading → choice; missing readings have their defaults

    Raises TourneyError for an illegal position. If another reading allows it, the hint names that reading.
    """
    readings = {reading.name: choices.get(reading.name, reading.default) for reading in question.readings}
    try:
        answer = question.answer(**values, **readings)
    except TourneyError as refusal:
        for other, outcome in _other_answers(question, values, readings):
            if isinstance(outcome, Answer):
                raise TourneyError(refusal.message, str(other)) from None
        raise
    depends, others = set(), []
    for other, outcome in _other_answers(question, values, readings):
        if isinstance(outcome, TourneyError) or outcome.value != answer.value:
            depends.add(other.name)
        if other.answer != answer.short:
            others.append(other)
    cites = answer.cites or question.cites
    cites = (*cites, *_cited_besides(cites, answer))
    return Answered(answer, cites, readings, frozenset(depends), tuple(others))


def _other_answers(
    question: Question, values: Mapping[str, Any], readings: Mapping[str, str | int]
) -> Iterator[tuple[OtherAnswer, Answer | TourneyError]]:
    """Yield the answers that follow from other readings of unclear rule texts.

    Each such text has several choices; `readings` has the choices of the main answer. Each answer here
    changes one of them. Yields pairs: the `OtherAnswer` that users see, and the answer itself, or the error
    if the question is refused.
    """
    for reading in question.readings:
        for choice, cite in reading.choices.items():
            if choice == readings[reading.name] or len(reading.choices) == 1:
                continue
            outcome: Answer | TourneyError
            try:
                outcome = question.answer(**values, **{**readings, reading.name: choice})
            except TourneyError as refusal:
                outcome = refusal
            short = outcome.short if isinstance(outcome, Answer) else f"refused: {outcome.message}"
            yield OtherAnswer(reading.name, str(choice), cite, short), outcome


CITED_LINE = re.compile(r"L([0-9]+)(?:-([0-9]+))?")
"""The citation of a line of the rules, or of a range of lines."""


def _cited_besides(cites: Sequence[str], answer: Answer) -> Iterator[str]:
    """Yield the citations in the steps of an answer that name only lines not cited before.

    A citation names one line of the rules, or a range of lines. The lines in `cites` count as cited before.
    """
    cited_lines = {line for cite in cites for line in _lines(cite)}
    for step in answer.working:
        for match in CITED_LINE.finditer(step.cite or ""):
            lines = _lines(match[0])
            if not cited_lines & lines:
                yield match[0]
            cited_lines |= lines


def _lines(cite: str) -> set[int]:
    return {
        line for first, last in CITED_LINE.findall(cite) for line in range(int(first), int(last or first) + 1)
    }


class UsedSettings(Struct, frozen=True):
    """An event whose settings an answer uses.

    name: the name with which the event was opened
    settings: the settings that the answer uses
    """

    name: str
    settings: Mapping[str, Any]


class CalculatorAnswer(Document, frozen=True, tag="tourney.judge/1"):
    """What `tourney judge` prints with `--json` for a calculator.

    game: the id of the game
    question: the name of the calculator
    inputs: argument to value; an argument that takes several words has the list of its words
    answer: the answer, in a sentence
    why: the reason for the answer; empty if the answer contains it
    value: the answer for a program; a fraction has its exact text and its decimal
    working: the steps of the working
    cites: the places in the rules
    reading: name of each ambiguous rule text → the interpretation that the answer uses
    other_readings: the other interpretations that would change the answer
    event: the event whose settings were used; null if no event was used
    """

    game: str
    question: str
    inputs: Mapping[str, Any]
    answer: str
    why: str
    value: Mapping[str, Any]
    working: tuple[Step, ...]
    cites: tuple[str, ...]
    reading: Mapping[str, str | int]
    other_readings: tuple[OtherAnswer, ...]
    event: UsedSettings | None


def calculator_answer(
    game: str, question: Question, arguments: Mapping[str, Any], result: Answered, event: UsedSettings | None
) -> CalculatorAnswer:
    """Return an answer as a JSON document.

    arguments: argument → the words that the judge typed; the value if the judge typed none
    """
    answer = result.answer
    inputs = {}
    for argument in question.arguments:
        value = arguments[argument.name]
        several = isinstance(value, tuple)
        inputs[argument.label] = [word for text in value for word in split_words(text)] if several else value
    return CalculatorAnswer(
        game=game,
        question=question.name,
        inputs=inputs,
        answer=answer.short,
        why=answer.why,
        value=_exact(answer.value),
        working=tuple(answer.working),
        cites=result.cites,
        reading=result.readings,
        other_readings=result.others,
        event=event,
    )


def _exact(value: Any) -> Any:
    """Return a copy of a value, with each fraction replaced by its exact text and its decimal."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": float(value)}
    if isinstance(value, Mapping):
        return {str(key): _exact(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_exact(item) for item in value]
    return value


# -- phrases and checks that several games share


def sentence(*parts: Step | str) -> str:
    """Join steps and phrases into one sentence.

    >>> sentence("no card is drawn", Step("the hand is full", "L118"))
    'No card is drawn; the hand is full.'
    """
    text = "; ".join(part.text if isinstance(part, Step) else part for part in parts)
    return f"{text[:1].upper()}{text[1:]}."


def added_up(terms: str, total: int) -> str:
    """Return terms and their total as an equation, or only the total if there is nothing to add.

    >>> added_up("5 + 1", 6), added_up("5", 5), added_up("", 0)
    ('5 + 1 = 6', '5', '0')
    """
    return str(total) if terms in {"", str(total)} else f"{terms} = {total}"


def percent(chance: Fraction) -> str:
    """Return a chance with its percentage, rounded to a tenth.

    >>> percent(Fraction(21, 36))
    '7/12, 58.3%'
    """
    tenths = round(chance * 1000)
    digits = f"{tenths // 10}.{tenths % 10}".removesuffix(".0")
    exact = Fraction(tenths, 1000) == chance
    text = f"{digits}%" if exact or 0 < tenths < 1000 else f"about {digits}%"
    return f"{chance}, {text}" if chance.denominator > 1 else text


def refuse_below(number: int | None, least: int, quantity: str, cite: str = "") -> None:
    """Raise TourneyError if a number is below the least possible value.

    number:   None passes the check
    quantity: the name of the number in the message
    cite:     the rule that sets the limit; empty if none does
    """
    if number is not None and number < least:
        source = f" ({cite})" if cite else ""
        raise TourneyError(f"{quantity} is {number}; it is never below {least}{source}")
