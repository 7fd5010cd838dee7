"""Refusals: the one exception a user may meet.

Checks return findings (`tourney.finding`), refusals raise `TourneyError`, bugs crash: three ways out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class TourneyError(Exception):
    """Something was refused and nothing was changed.

    `message` says what is and what should be, the place first; `hint` is, where possible, a command to paste.
    The command line prints both on stderr and exits with `exit_code` (3: refused; DESIGN of the command line).
    """

    exit_code = 3

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


class RulesError(TourneyError):
    """A format, a ban list or a pool by which no deck can be judged: no deck's fault, so a batch of decks stops there."""


@contextmanager
def fault_of_the_rules() -> Iterator[None]:
    """Turn what is refused within into a RulesError."""
    try:
        yield
    except TourneyError as fault:
        raise RulesError(fault.message, fault.hint) from fault
