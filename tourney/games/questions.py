"""What a judge may ask of a game: a question as data, how its arguments are typed, its readings, and what an answer is.

A game's judge module ends in a `GAME` with its questions, a row each; the command line makes a command of every row.

How things are typed is the same in every game. A thing on the table is a word: its numbers in the order that the help
says, joined by `/` (`2/40`); `-` is a blank; `3x2/40` is three alike; a name goes before a `=` (`Ada=5`). Several are
parted by blanks or commas. Everything that is not on the table, but true of it, is an option.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from tourney.errors import TourneyError
from tourney.wording import listed

MOST_THINGS = 1000
"""Things of one argument, copies counted: more lie on no table."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,6}")
"""A whole number as it is typed, of up to six digits."""

_COPIES = re.compile(r"([0-9]{1,4})[x×](?=.)")
"""How many are alike, before the word of one: `3x2/40`."""


class MisspeltError(ValueError):
    """A word that is not typed as its argument is: no command line, rather than an illegal position."""


def whole(text: str) -> int:
    """Read a whole number of up to six digits. Raises MisspeltError.

    >>> whole("+2"), whole("−1")
    (2, -1)
    """
    plain = text.replace("\u2212", "-")
    if not _WHOLE.fullmatch(plain):
        raise MisspeltError(f"`{text}` is not a whole number of up to six digits")
    return int(plain)


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing as it was typed: its name ("" where none was), and its values in order, None for a blank."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Stat:
    """One value of a thing.

    blank:    whether `-` may stand for it
    words:    words it may be, and what they mean; case does not matter
    numbers:  whether it may be a number
    text:     whether it may be any word
    optional: whether it, and all after it, may be left out (None then)
    """

    name: str
    blank: bool = False
    words: Mapping[str, Any] = field(default_factory=dict)
    numbers: bool = True
    text: bool = False
    optional: bool = False

    def read(self, text: str) -> Any:
        """Return the value of a text. Raises MisspeltError."""
        if self.blank and text == "-":
            return None
        if text.casefold() in self.words:
            return self.words[text.casefold()]
        if self.numbers and not (self.text and not _WHOLE.fullmatch(text)):
            return whole(text)
        if not self.text:
            raise MisspeltError(f"`{text}` is none of {listed(self.words, 'or')}")
        if not text:
            raise MisspeltError(f"{self.name} is missing")
        return text


@dataclass(frozen=True, slots=True)
class Things:
    """An argument of several things.

    name:   what the name before `=` is called; "" where things have none
    named:  whether each must have one
    repeat: whether the last stat may stand any number of times
    groups: whether things are joined into groups by `+`; the value is then a tuple of tuples
    """

    stats: tuple[Stat, ...]
    name: str = ""
    named: bool = False
    repeat: bool = False
    groups: bool = False

    @property
    def shape(self) -> str:
        """How one is typed: `[NAME=]ATK/DEF[/HGT]`."""
        name = f"{self.name}=" if self.named else f"[{self.name}=]" if self.name else ""
        stats = "".join(
            f"[{'/' * bool(at)}{stat.name}]" if stat.optional else f"{'/' * bool(at)}{stat.name}"
            for at, stat in enumerate(self.stats)
        )
        return name + stats + "[/…]" * self.repeat + "[+…]" * self.groups

    @staticmethod
    def words(text: str) -> list[str]:
        """Part a text into words, a thing each.

        >>> Things.words("2/40, 3/30 4/20")
        ['2/40', '3/30', '4/20']
        """
        return re.findall(r"[^\s,;]+", text)

    def read(self, text: str) -> tuple[Any, ...]:
        """Return the things of a text. Raises MisspeltError."""
        things: list[Any] = []
        for word in self.words(text):
            if self.groups:
                things.append(tuple(each for part in word.split("+") for each in self._copies(part)))
            else:
                things.extend(self._copies(word))
            if len(things) > MOST_THINGS:
                raise MisspeltError(f"more than {MOST_THINGS} of them lie on no table")
        return tuple(things)

    def _copies(self, word: str) -> list[Thing]:
        copies = _COPIES.match(word)
        thing = self._one(word[copies.end() :] if copies else word, word)
        number = int(copies[1]) if copies else 1
        if number > MOST_THINGS:
            raise MisspeltError(f"more than {MOST_THINGS} of them lie on no table")
        return [thing] * number

    def _one(self, text: str, word: str) -> Thing:
        name, equals, values = text.rpartition("=")
        if bool(name) != bool(equals) or (name and not self.name) or (self.named and not name):
            raise MisspeltError(f"`{word}` is not typed as {self.shape}")
        parts = values.split("/")
        stats = list(self.stats)
        if self.repeat:
            stats += [self.stats[-1]] * (len(parts) - len(stats))
        least = sum(not stat.optional for stat in self.stats)
        if not least <= len(parts) <= len(stats):
            raise MisspeltError(f"`{word}` is not typed as {self.shape}")
        try:
            read = [stat.read(part) for stat, part in zip(stats, parts, strict=False)]
        except MisspeltError as fault:
            raise MisspeltError(f"{fault}; type {self.shape}") from None
        missing = 0 if self.repeat else len(stats) - len(read)
        return Thing(name, (*read, *[None] * missing))


def things(
    *stats: Stat | str, name: str = "", named: bool = False, repeat: bool = False, groups: bool = False
) -> Things:
    """Return an argument of several things; a stat that is only named is a number.

    >>> things("ATK", Stat("DEF", blank=True), name="NAME").shape
    '[NAME=]ATK/DEF'
    """
    read = tuple(Stat(stat) if isinstance(stat, str) else stat for stat in stats)
    return Things(read, name, named, repeat, groups)


# -- a question


Kind = Things | tuple[str, ...] | Literal["whole", "word", "flag"]
"""Of an argument: a number, a word, a flag, a choice of words, or things on the table."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What a question must be told: the thing asked about, or what is true of it besides (see `option` and `flag`).

    required: whether it must be given
    metavar:  what stands for it in the help; the name by default
    setting:  whether the setting of this name decides in an event, if the option is not given
    """

    name: str
    help: str
    kind: Kind = "whole"
    required: bool = True
    option: bool = False
    default: Any = None
    metavar: str = ""
    setting: bool = False

    @property
    def label(self) -> str:
        """The name as it is shown: without the `_` that keeps it apart from a word of Python's."""
        return self.name.strip("_")

    def read(self, typed: Any) -> Any:
        """Return the value of what was typed: words, a number, a flag. Raises MisspeltError."""
        if isinstance(self.kind, Things):
            return self.kind.read(" ".join(typed))
        return typed


def option(
    name: str,
    help_: str,
    default: Any = None,
    *,
    kind: Kind = "whole",
    required: bool = False,
    metavar: str = "",
    setting: bool = False,
) -> Argument:
    """Return an argument that is typed `--name VALUE`."""
    return Argument(
        name, help_, kind, required, option=True, default=default, metavar=metavar, setting=setting
    )


def flag(name: str, help_: str) -> Argument:
    """Return an argument that is typed `--name` where it is so."""
    return option(name, help_, kind="flag")


@dataclass(frozen=True, slots=True)
class RuleReading:
    """Where the text is open: what it may mean, and the line that speaks for each.

    choices: each choice and the line that speaks for it; empty where it is a number that is not printed
    numbers: of such a number: others that the text may mean, and the line that speaks for each
    default: the choice that holds if nobody says otherwise; the setting of the same name in a format has the same
    """

    name: str
    about: str
    default: str | int
    choices: Mapping[str, str] = field(default_factory=dict)
    cite: str = ""
    numbers: Mapping[str | int, str] = field(default_factory=dict)

    def read(self, text: str) -> str | int:
        """Return the choice that a text begins to say. Raises MisspeltError."""
        if not self.choices:
            return whole(text)
        fitting = _begun(text, self.choices)
        if len(fitting) != 1:
            said = listed([f"`{choice}`" for choice in fitting or self.choices], "or")
            raise MisspeltError(f"`{text}` is no reading of {self.name}: it is {said}")
        return fitting[0]

    def takes(self, value: object) -> bool:
        """Whether a value is one of the choices, or a number if there are none."""
        return value in self.choices if self.choices else type(value) is int


def _begun(text: str, words: Iterable[str]) -> list[str]:
    """Return the word that a text is, or else those that it begins to say; none for nothing. Case does not matter."""
    typed = text.casefold()
    begun = [word for word in words if typed and word.casefold().startswith(typed)]
    return [word for word in begun if word.casefold() == typed] or begun


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the working, and the line of the rules it rests on ("" for arithmetic)."""

    text: str
    cite: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question is answered with.

    short:   the answer, in a sentence
    why:     what it follows from, in a line; "" where the answer says so itself
    value:   the answer for a program: whole numbers, texts, Fractions (exact), lists and mappings of them
    working: the steps, in order
    cites:   where the rules of this answer are, if some of the question's do not apply to it
    rests_on: the readings that the answer depends on, if asking the others again does not show it
    """

    short: str
    why: str = ""
    value: Mapping[str, Any] = field(default_factory=dict)
    working: tuple[Step, ...] = ()
    cites: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a game's rules answer by arithmetic.

    asks:     what it asks, a sentence for the list
    answer:   called with the arguments and the readings by their names; raises TourneyError for an illegal position,
              naming the line that makes it illegal
    cites:    where the rules stand
    standing: how firmly: `law`, the game's own text, or `elsewhere`, another source
    examples: words after `tourney judge GAME QUESTION`, and the sentence they are answered with; asserted by the tests
    more:     what a user must know besides
    """

    name: str
    asks: str
    answer: Callable[..., Answer]
    cites: tuple[str, ...]
    arguments: tuple[Argument, ...] = ()
    readings: tuple[RuleReading, ...] = ()
    examples: Mapping[str, str] = field(default_factory=dict)
    more: str = ""
    standing: str = "law"

    @property
    def settings(self) -> frozenset[str]:
        """The settings of an event that the answer may depend on."""
        return frozenset(
            (
                *(reading.name for reading in self.readings),
                *(each.name for each in self.arguments if each.setting),
            )
        )

    def chosen(self, words: Sequence[str]) -> dict[str, str | int]:
        """Return the readings that are chosen by `NAME=CHOICE` or by a choice alone.

        The beginning of a name or of a choice is enough if no other name or choice begins so.

        Raises MisspeltError.
        """
        chosen: dict[str, str | int] = {}
        for word in words:
            reading, choice = self._meant(word)
            chosen[reading.name] = reading.read(choice)
        return chosen

    def reading(self, chosen: Mapping[str, str | int]) -> dict[str, str | int]:
        """Return the choice of every reading: the default of those that are not chosen."""
        return {reading.name: chosen.get(reading.name, reading.default) for reading in self.readings}

    def _meant(self, word: str) -> tuple[RuleReading, str]:
        name, equals, choice = word.partition("=")
        by_name = {reading.name: reading for reading in self.readings}
        if equals:
            fitting = _begun(name.strip().replace("-", "_"), by_name)
        else:
            choice = word
            fitting = [name for name, reading in by_name.items() if _begun(word, reading.choices)]
        if len(fitting) != 1:
            said = listed(fitting or by_name, "or")
            raise MisspeltError(f"`{word}` is no reading here; NAME=CHOICE, where NAME is {said}")
        return by_name[fitting[0]], choice.strip()


@dataclass(frozen=True, slots=True)
class Game:
    """A game's questions.

    name:  as people say it
    rules: what the lines in citations are lines of
    """

    name: str
    rules: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What another reading would answer, or why it would refuse the position."""

    name: str
    choice: str
    cite: str
    short: str


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer, where its rules stand, the readings it rests on, and what the others would have changed."""

    answer: Answer
    cites: tuple[str, ...]
    reading: Mapping[str, str | int]
    otherwise: tuple[Otherwise, ...]


def ask(question: Question, values: Mapping[str, Any], reading: Mapping[str, str | int]) -> Asked:
    """Answer a question, and each of its other readings where it changes the answer.

    Raises TourneyError for an illegal position; the hint names a reading by which it is none.
    """
    try:
        answer = question.answer(**values, **reading)
    except TourneyError as refused:
        for other, said in _others(question, values, reading):
            if not isinstance(said, TourneyError):
                raise TourneyError(
                    refused.message,
                    f'read otherwise, --reading "{other.name}={other.choice}" ({other.cite}): {other.short}',
                ) from None
        raise
    changed = tuple(other for other, _ in _others(question, values, reading) if other.short != answer.short)
    cites = answer.cites or question.cites
    return Asked(answer, (*cites, *_besides(cites, answer)), reading, changed)


LINE = re.compile(r"L([0-9]+)(?:-([0-9]+))?")
"""A line of the rules as it is cited, or several."""


def _besides(cites: Sequence[str], answer: Answer) -> Iterator[str]:
    """Give the lines that a working rests on besides those that are cited already."""
    cited = {line for cite in cites for line in _lines(cite)}
    for step in answer.working:
        for match in LINE.finditer(step.cite):
            lines = _lines(match[0])
            if not cited & lines:
                yield match[0]
            cited |= lines


def _lines(cite: str) -> set[int]:
    return {
        line
        for first, last in LINE.findall(cite)
        for line in range(int(first), max(int(last or first), int(first)) + 1)
    }


def _others(
    question: Question, values: Mapping[str, Any], reading: Mapping[str, str | int]
) -> Iterator[tuple[Otherwise, Answer | TourneyError]]:
    for each in question.readings:
        numbers: dict[str | int, str] = {each.default: each.cite, **each.numbers} if each.numbers else {}
        for choice, cite in (each.choices or numbers).items():
            if choice == reading[each.name]:
                continue
            said: Answer | TourneyError
            try:
                said = question.answer(**values, **{**reading, each.name: choice})
            except TourneyError as refused:
                said = refused
            short = f"refused: {said.message}" if isinstance(said, TourneyError) else said.short
            yield Otherwise(each.name, str(choice), cite, short), said


# -- words that several games use


def sentence(*said: Step | str) -> str:
    """Return what steps and words say as one sentence.

    >>> sentence("nothing is drawn", Step("the hand is full", "L118"))
    'Nothing is drawn; the hand is full.'
    """
    words = "; ".join(each.text if isinstance(each, Step) else each for each in said)
    return f"{words[:1].upper()}{words[1:]}."


def added_up(terms: str, total: int) -> str:
    """Return a sum with its total; a total alone where there is nothing to add.

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
    shown = f"{tenths // 10}.{tenths % 10}".removesuffix(".0")
    said = f"{shown}%" if Fraction(tenths, 1000) == chance or 0 < tenths < 1000 else f"about {shown}%"
    return f"{chance}, {said}" if chance.denominator > 1 else said


def named(things: Sequence[Thing]) -> dict[str, tuple[Any, ...]]:
    """Return the values of each player or card by its name: as typed, else A, B, C ….

    Raises TourneyError for a name that stands twice, and where only some have one: who parts one player's values by blanks
    or commas has named other players than were meant.
    """
    if any(thing.name for thing in things) and not all(thing.name for thing in things):
        raise TourneyError(
            "some of them have a name, and others have none",
            "what belongs to one name is joined by `/`, without blanks or commas: `Ada=2/2/5 Ben=4`",
        )
    names = [thing.name or chr(ord("A") + at) for at, thing in enumerate(things)]
    twice = [name for at, name in enumerate(names) if name in names[:at]]
    if twice:
        raise TourneyError(f"{twice[0]} stands there twice; each needs a name of its own")
    return {name: thing.values for name, thing in zip(names, things, strict=True)}


def by_name(things: Sequence[Thing]) -> dict[str, Any]:
    """Return the first value of each player or card by its name. Raises TourneyError as `named` does."""
    return {name: values[0] for name, values in named(things).items()}


def refuse_below(number: int | None, least: int, what: str, cite: str) -> None:
    """Refuse a number below the least it can be. Raises TourneyError."""
    if number is not None and number < least:
        raise TourneyError(f"{what} is {number}; it is never below {least} ({cite})")
