"""Refusals: the one exception a user may meet.

Checks return findings (`tourney.finding`), refusals raise `TourneyError`, bugs crash: three ways out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

_ENDLESS = re.compile(r"`[^`\n]{300,}`|\S{300,}")
"""What nobody writes and nobody would read: a word, or words that are quoted, of more letters than any name has."""


class TourneyError(Exception):
    """Something was refused and nothing was changed.

    `message` says what is and what should be, the place first; `hint` is, where possible, a command to paste. What they
    quote may come from anybody: of what is endless the beginning is told.
    The command line prints both on stderr and exits with `exit_code` (3: refused; DESIGN of the command line).
    """

    exit_code = 3

    def __init__(self, message: str, hint: str | None = None) -> None:
        message = _shortened(message)
        super().__init__(message)
        self.message = message
        self.hint = None if hint is None else _shortened(hint)

    def __str__(self) -> str:
        return self.message


MOST_TOLD = 20
"""Faults of one file that are told, a line each."""


def together(faults: Sequence[TourneyError]) -> TourneyError:
    """Return the refusals of several lines of a file as one, with the hint of the first; of many the first are told."""
    told = [fault.message for fault in faults[:MOST_TOLD]]
    left = len(faults) - len(told)
    more = [f"and {left} more {'line' if left == 1 else 'lines'} at fault"] if left else []
    return TourneyError("\n".join([*told, *more]), faults[0].hint)


class RulesError(TourneyError):
    """A format, a ban list or a pool by which no deck can be judged: no deck's fault, so a batch of decks stops there."""


@contextmanager
def fault_of_the_rules() -> Iterator[None]:
    """Turn what is refused within into a RulesError."""
    try:
        yield
    except TourneyError as fault:
        raise RulesError(fault.message, fault.hint) from fault


def _shortened(text: str) -> str:
    """Shorten what is endless in a text.

    >>> _shortened("`" + "9" * 5000 + "` is not a number")
    '`999999999999999999999999999999999999999…` is not a number'
    """
    return _ENDLESS.sub(lambda found: f"{found[0][:40]}…{'`' * (found[0][0] == '`')}", text)
