"""Phrases that messages of every room share: lists, counts, ranges and repetitions."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

MAX_NAMED = 6
"""How many players or tables a sentence names; of more it names a few and counts the rest."""

BANLIST_UNCHECKED = "ban list not checked"
"""What a verdict adds if the format names a ban list and none is installed."""

CHECKED_BY_OLD_RULES = "checked before the rules changed"
"""What a verdict adds if the event has adopted other rules since the check."""


def listed(words: Iterable[object], last: str = "and") -> str:
    """Join words with commas, and the last two with `last`.

    >>> listed([2, 9, 11]), listed(["Mira"]), listed([]), listed(["Ada", "Ben"], "or")
    ('2, 9 and 11', 'Mira', '', 'Ada or Ben')
    """
    parts = [str(word) for word in words]
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def listed_short(words: Sequence[str]) -> str:
    """Join up to `MAX_NAMED` words; of more, join the first few and count the rest."""
    if len(words) <= MAX_NAMED:
        return listed(words)
    return f"{', '.join(words[: MAX_NAMED - 1])} and {len(words) - MAX_NAMED + 1} more"


def format_ranges(numbers: Iterable[int]) -> list[str]:
    """Return numbers in ascending order, with three or more consecutive ones as a range.

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
    """Return a number and its noun.

    >>> counted(1, "table"), counted(3, "table"), counted(2, "entry", "entries")
    ('1 table', '3 tables', '2 entries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def as_of(entry: int | None) -> str:
    """Return the end of a title for a view of the past; empty for the present.

    >>> as_of(57), as_of(None)
    (', as of entry 57', '')
    """
    return "" if entry is None else f", as of entry {entry}"


def format_times(number: int) -> str:
    """Return how often something happened.

    >>> format_times(1), format_times(2), format_times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def isolate_direction(name: str) -> str:
    r"""Enclose a right-to-left name in direction marks.

    Without them a score beside the name is shown reversed, 0–2 instead of 2–0.

    >>> isolate_direction("Mira"), len(isolate_direction("\u05d3\u05d5\u05d3"))
    ('Mira', 5)
    """
    leftward = not name.isascii() and any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\u2068{name}\u2069" if leftward else name
