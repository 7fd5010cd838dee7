"""Three ways out: a refusal raises `TourneyError`, a check returns `Finding`s, a bug crashes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum


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


class UnsettledError(TourneyError):
    """What was sent is done, or it is not: no answer came back, and nobody can be asked."""

    exit_code = 4


_ENDLESS = re.compile(r"`[^`\n]{300,}`|\S{300,}")
"""What nobody writes and nobody would read: a word, or words that are quoted, of more letters than any name has."""


def _shortened(text: str) -> str:
    """Shorten what is endless in a text.

    >>> _shortened("`" + "9" * 5000 + "` is not a number")
    '`999999999999999999999999999999999999999…` is not a number'
    """
    return _ENDLESS.sub(lambda found: f"{found[0][:40]}…{'`' * (found[0][0] == '`')}", text)


MAX_REPORTED = 20
"""Faults of one file that are told, a line each."""


def combine_errors(faults: Sequence[TourneyError]) -> TourneyError:
    """Return the refusals of several lines of a file as one, with the hint of the first; of many the first are told."""
    told = [fault.message for fault in faults[:MAX_REPORTED]]
    left = len(faults) - len(told)
    more = [f"and {left} more {'line' if left == 1 else 'lines'} at fault"] if left else []
    return TourneyError("\n".join([*told, *more]), faults[0].hint)


class DamagedSecretError(TourneyError):
    """The event's secret is damaged, and what was asked for needs it."""


class RulesError(TourneyError):
    """A format, a ban list or a pool by which no deck can be judged: no deck's fault, so a batch of decks stops there."""


@contextmanager
def as_rules_error() -> Iterator[None]:
    """Turn what is refused within into a RulesError."""
    try:
        yield
    except TourneyError as fault:
        raise RulesError(fault.message, fault.hint) from fault


# -- what a check found: a value, not an exception


class Severity(Enum):
    """How much a finding weighs: only `ERROR` breaks a rule."""

    ERROR = "error"
    ADVICE = "advice"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a check has to say; one root cause is one finding.

    rule:     the handle of the rule (`copies`, `size`, `rematch` …)
    message:  what is, then what should be, in the words of a judge
    lines:    1-based lines of the file it is about, in order; empty where there is no line
    subjects: the cards, zones, players or tables it is about, as they are written
    have, allowed: the number found and the number the rule allows, as text, where the rule counts
    cite:     where the rule stands
    hint:     what would mend it
    reason:   the end of the message that is about this one card or line; what goes before it, others may share
    """

    rule: str
    severity: Severity
    message: str
    lines: tuple[int, ...] = ()
    subjects: tuple[str, ...] = ()
    have: str | None = None
    allowed: str | None = None
    cite: str | None = None
    hint: str | None = None
    reason: str | None = None

    @property
    def head(self) -> str:
        """The message without its reason: what it shares with others of its kind."""
        return self.message.removesuffix(self.reason).rstrip(" :;") if self.reason else self.message
