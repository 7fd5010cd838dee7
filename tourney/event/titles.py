"""The names of rounds and matches as messages, which can be translated.

A table of a bracket is recorded with the name of its match (`Semifinal 1`), which is unique in the bracket.
The stage (`Semifinals`) follows from the name. `tourney.pairing.elimination` makes these names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from tourney.wording import Message, listed


class _Stage(NamedTuple):
    """A stage of a bracket, such as the semifinals, and the texts that name it.

    pattern: a regular expression for the names of the stage's matches. Its named groups, such as `n`, give
             the values for the placeholders in the texts, such as `{n}`
    title: the title of a round with these matches
    in_a_sentence: the title inside a sentence
    match: the name of a match
    """

    pattern: str
    title: str
    in_a_sentence: str
    match: str


_STAGES = (
    _Stage("Final", Message("Final"), Message("the final"), Message("Final")),
    _Stage("Final reset", Message("Final reset"), Message("the final reset"), Message("Final reset")),
    _Stage("Third place", Message("Third place"), Message("third place"), Message("Third place")),
    _Stage("Upper final", Message("Upper final"), Message("the upper final"), Message("Upper final")),
    _Stage("Lower final", Message("Lower final"), Message("the lower final"), Message("Lower final")),
    _Stage(
        r"Semifinal (?P<match>\d+)",
        Message("Semifinals"),
        Message("the semifinals"),
        Message("Semifinal {match}"),
    ),
    _Stage(
        r"Quarterfinal (?P<match>\d+)",
        Message("Quarterfinals"),
        Message("the quarterfinals"),
        Message("Quarterfinal {match}"),
    ),
    _Stage(
        r"Round of (?P<n>\d+), match (?P<match>\d+)",
        Message("Round of {n}"),
        Message("the round of {n}"),
        Message("Round of {n}, match {match}"),
    ),
    _Stage(
        r"Round of (?P<n>\d+), table (?P<match>\d+)",
        Message("Round of {n}"),
        Message("the round of {n}"),
        Message("Round of {n}, table {match}"),
    ),
    _Stage(
        r"Upper round (?P<n>\d+), match (?P<match>\d+)",
        Message("Upper round {n}"),
        Message("upper round {n}"),
        Message("Upper round {n}, match {match}"),
    ),
    _Stage(
        r"Lower round (?P<n>\d+), match (?P<match>\d+)",
        Message("Lower round {n}"),
        Message("lower round {n}"),
        Message("Lower round {n}, match {match}"),
    ),
)

_IN_A_SENTENCE = {Message("Round {n}"): Message("round {n}")} | {
    stage.title: stage.in_a_sentence for stage in _STAGES
}


def round_title(number: int) -> Message:
    """Return the title of a round before the cut: `Round 3`."""
    return Message("Round {n}", n=number)


@cache
def match_title(label: str) -> str:
    """Return the name of a bracket's match, to be translated; any other label is unchanged."""
    stage, numbers = _stage_of(label)
    return Message(stage.match, **numbers) if stage else label


@cache
def stage_title(label: str) -> str:
    """Return the name of the stage to which a bracket's match belongs.

    >>> stage_title("Semifinal 1"), stage_title("Lower round 2, match 1"), stage_title("Final")
    ('Semifinals', 'Lower round 2', 'Final')
    """
    stage, numbers = _stage_of(label)
    return Message(stage.title, **{"n": numbers["n"]} if "n" in numbers else {}) if stage else label


def _stage_of(label: str) -> tuple[_Stage | None, dict[str, str]]:
    for stage in _STAGES:
        if match := re.fullmatch(stage.pattern, label):
            return stage, match.groupdict()
    return None, {}


def cut_title(labels: Iterable[str]) -> str:
    """Return the title of a bracket's round that has matches with these names.

    >>> cut_title(["Semifinal 1", "Semifinal 2"]), cut_title(["Final", "Third place"])
    ('Semifinals', 'Final and third place')
    """
    first, *others = dict.fromkeys(map(stage_title, labels))
    return listed([first, *map(in_a_sentence, others)])


def in_a_sentence(title: str) -> str:
    """Return the title of a round for use inside a sentence, with an article if it needs one.

    >>> in_a_sentence(round_title(3)), in_a_sentence(cut_title(["Semifinal 1"]))
    ('round 3', 'the semifinals')
    >>> in_a_sentence(cut_title(["Final", "Third place"]))
    'the final and third place'
    """
    if not isinstance(title, Message):
        return title
    if title.msgid in _IN_A_SENTENCE:
        return Message(_IN_A_SENTENCE[title.msgid], **title.arguments)
    if isinstance(first := title.arguments.get("words"), str):
        return Message(title.msgid, **{**title.arguments, "words": in_a_sentence(first)})
    return title


def be(title: str, singular: str = "is", plural: str = "are") -> str:
    """Return the argument `singular` or `plural`, whichever verb form fits a round's title.

    >>> be(round_title(3)), be(cut_title(["Semifinal 1"])), be(cut_title(["Final", "Third place"]))
    ('is', 'are', 'are')
    """
    return plural if title.endswith("finals") or " and " in title else singular
