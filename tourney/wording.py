"""How lists, numbers of things and repetitions are said in a sentence, in every room."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

MAX_NAMED = 6
"""Players or tables named one by one in a sentence; more are counted."""

BANLIST_UNCHECKED = "ban list not checked"
"""What a verdict leaves out where the format names a ban list and none is installed."""
CHECKED_BY_OLD_RULES = "checked before the rules changed"
"""What a verdict says if the event has adopted other rules since."""


def listed(words: Iterable[object], last: str = "and") -> str:
    """Join words as people do.

    >>> listed([2, 9, 11]), listed(["Mira"]), listed([]), listed(["Ada", "Ben"], "or")
    ('2, 9 and 11', 'Mira', '', 'Ada or Ben')
    """
    parts = [str(word) for word in words]
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def listed_short(words: Sequence[str]) -> str:
    """List up to `MAX_NAMED`; of more name the first few and count the rest."""
    if len(words) <= MAX_NAMED:
        return listed(words)
    return f"{', '.join(words[: MAX_NAMED - 1])} and {len(words) - MAX_NAMED + 1} more"


def format_ranges(numbers: Iterable[int]) -> list[str]:
    """Say numbers, a run of three and more as `4–7`.

    >>> runs([2, 4, 5, 6, 9])
    ['2', '4–6', '9']
    """
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [part for run in found for part in ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run))]


def counted(number: int, noun: str, plural: str = "") -> str:
    """Say a number of things.

    >>> counted(1, "table"), counted(3, "table"), counted(2, "entry", "entries")
    ('1 table', '3 tables', '2 entries')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def as_of(entry: int | None) -> str:
    """Say behind what is shown as of which entry it is so; nothing where it is as it stands.

    >>> as_of(57), as_of(None)
    (', as of entry 57', '')
    """
    return "" if entry is None else f", as of entry {entry}"


def format_times(number: int) -> str:
    """Say how often.

    >>> times(1), times(2), times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def isolate_direction(name: str) -> str:
    r"""Enclose a name with letters that run from right to left, so that it turns nothing beside it round: no 2–0 to 0–2.

    >>> isolate_direction("Mira"), len(isolate_direction("\u05d3\u05d5\u05d3"))
    ('Mira', 5)
    """
    leftward = not name.isascii() and any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\u2068{name}\u2069" if leftward else name
