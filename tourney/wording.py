"""Phrases that all packages share, and `Message`, a sentence that can be translated."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import Literal, Self

MAX_NAMED = 6
"""The maximum number of players or tables that a sentence names.

If there are more, the sentence names a few and counts the rest.
"""

BANLIST_UNCHECKED = "ban list not checked"
"""The note on a verdict if the format names a ban list that is not installed."""

CHECKED_BY_OLD_RULES = "checked before the rules changed"
"""The note on a verdict if the event has adopted other rules since the check."""


class Message(str):
    """An English sentence that pages, phones, sheets and posts can show in another language.

    The terminal, JSON and comparisons treat it as a plain string. A message also keeps its `msgid` (the
    English pattern) and the `arguments` that fill the pattern, which can be messages, too. The module
    `tourney.publish.language` translates messages.

    msgid_plural, number: the pattern for other numbers than 1, and the number; set by `plural`
    is_sentence: whether `sentence` made this message

    >>> won = Message("won {score}", score="2–1")
    >>> won, won.msgid, Message("{result} by {ending}", result=won, ending=Message("time"))
    ('won 2–1', 'won {score}', 'won 2–1 by time')
    """

    __slots__ = ("arguments", "is_sentence", "msgid", "msgid_plural", "number")
    msgid: str
    msgid_plural: str
    number: int
    arguments: Mapping[str, object]
    is_sentence: bool

    def __new__(cls, msgid: str, /, **arguments: object) -> Self:
        """Return the message for a msgid with its arguments filled in.

        Without arguments, the text is the msgid itself, even if it has braces.
        """
        return cls._make(msgid.format(**arguments) if arguments else msgid, msgid, arguments)

    @classmethod
    def _make(
        cls,
        text: str,
        msgid: str,
        arguments: Mapping[str, object],
        *,
        msgid_plural: str = "",
        number: int = 1,
        is_sentence: bool = False,
    ) -> Self:
        message = super().__new__(cls, text)
        message.msgid, message.msgid_plural, message.number = msgid, msgid_plural, number
        message.arguments, message.is_sentence = arguments, is_sentence
        return message

    def __reduce__(self) -> tuple[Callable[..., Message], tuple[object, ...]]:
        more = (self.msgid_plural, self.number, self.is_sentence)
        return _restore, (str(self), self.msgid, self.arguments, more)

    @classmethod
    def plural(cls, msgid: str, msgid_plural: str, number: int, /, **arguments: object) -> Self:
        """Return a message that contains a number, as `{n}`.

        The pattern is `msgid` if the number is 1, otherwise `msgid_plural`.

        >>> Message.plural("{n} table", "{n} tables", 3)
        '3 tables'
        """
        arguments = {"n": number, **arguments}
        text = (msgid if number == 1 else msgid_plural).format(**arguments)
        return cls._make(text, msgid, arguments, msgid_plural=msgid_plural, number=number)

    @classmethod
    def joined(cls, separator: str, parts: Iterable[str]) -> Self:
        """Return one message with all parts that are not empty. Each part is translated separately.

        >>> Message.joined(" · ", [Message("Round {n}", n=3), "", Message("playing")])
        'Round 3 · playing'
        """
        filled = [*filter(None, parts)]
        if len(filled) == 1 and isinstance(filled[0], cls):
            return filled[0]
        arguments = {f"part_{place}": part for place, part in enumerate(filled)}
        return cls(separator.join(f"{{{name}}}" for name in arguments), **arguments)

    def sentence(self) -> Self:
        """Return this message as a sentence (see `as_sentence`)."""
        return self._make(
            as_sentence(self),
            self.msgid,
            self.arguments,
            msgid_plural=self.msgid_plural,
            number=self.number,
            is_sentence=True,
        )


def _restore(text: str, msgid: str, arguments: Mapping[str, object], more: tuple[str, int, bool]) -> Message:
    plural, number, is_sentence = more
    return Message._make(text, msgid, arguments, msgid_plural=plural, number=number, is_sentence=is_sentence)


def sentence(text: str) -> str:
    """Return a text as a sentence (see `as_sentence`). For a `Message`, return a `Message`.

    >>> sentence("table 4 has a result"), sentence("Is that all?"), sentence("")
    ('Table 4 has a result.', 'Is that all?', '')
    """
    return text.sentence() if isinstance(text, Message) else as_sentence(text)


def as_sentence(text: str) -> str:
    """Return a text with a capital letter, and with a full stop unless it ends with `.?!`."""
    return text and f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


Conjunction = Literal["and", "or", "nor"]

_LISTS: dict[Conjunction, Message] = {
    "and": Message("{words} and {last}"),
    "or": Message("{words} or {last}"),
    "nor": Message("{words} nor {last}"),
}


def listed(words: Iterable[object], last: Conjunction = "and") -> str:
    """Return words joined with commas, and the last two with the conjunction `last`.

    >>> listed([2, 9, 11]), listed(["Mira"]), listed([]), listed(["Ada", "Ben"], "or")
    ('2, 9 and 11', 'Mira', '', 'Ada or Ben')
    """
    parts = [word if isinstance(word, Message) else str(word) for word in words]
    if len(parts) < 2:
        return "".join(parts) if not parts else parts[0]
    earlier = parts[0] if len(parts) == 2 else Message.joined(", ", parts[:-1])
    return Message(_LISTS[last], words=earlier, last=parts[-1])


def listed_short(words: Sequence[str]) -> str:
    """Join up to `MAX_NAMED` words; if there are more, join the first few and count the rest."""
    if len(words) <= MAX_NAMED:
        return listed(words)
    return f"{', '.join(words[: MAX_NAMED - 1])} and {len(words) - MAX_NAMED + 1} more"


def format_ranges(numbers: Iterable[int]) -> list[str]:
    """Return numbers as sorted texts, with a range for three or more consecutive numbers.

    >>> format_ranges([2, 4, 5, 6, 9])
    ['2', '4–6', '9']
    """
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    parts = ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run) for run in ranges)
    return [text for part in parts for text in part]


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number and its noun, singular or plural, as text.

    plural: the plural of `noun`; empty if it only adds an `s`

    >>> counted(1, "table"), counted(3, "table"), counted(2, "entry", "entries")
    ('1 table', '3 tables', '2 entries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def verb(subject: Sized, singular: str, plural: str) -> str:
    """Return the form of a verb that agrees with its subjects.

    >>> [f"{listed(names)} {verb(names, 'has', 'have')} left" for names in (["Ada"], ["Ada", "Ben"])]
    ['Ada has left', 'Ada and Ben have left']
    """
    return singular if len(subject) == 1 else plural


def as_of(entry: int | None) -> str:
    """Return the end of a title for an earlier state of the event; empty for the present state.

    entry: the number of the last journal entry in that state; None for the present state

    >>> as_of(57), as_of(None)
    (', as of entry 57', '')
    """
    return "" if entry is None else f", as of entry {entry}"


def clock_time(at: str) -> str:
    """Return the hours and minutes of an ISO time.

    >>> clock_time("2026-10-04T14:05:09+02:00")
    '14:05'
    """
    return at[11:16]


def format_times(number: int) -> str:
    """Return how often something happened, as text.

    >>> format_times(1), format_times(2), format_times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def isolate_direction(name: str) -> str:
    r"""Return a name, enclosed in direction marks if it is written from right to left.

    If the marks were missing, a score beside the name would be shown reversed, 0–2 instead of 2–0.

    >>> isolate_direction("Mira"), len(isolate_direction("\u05d3\u05d5\u05d3"))
    ('Mira', 5)
    """
    leftward = not name.isascii() and any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\u2068{name}\u2069" if leftward else name
