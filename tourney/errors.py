"""The ways in which a function reports a problem: findings, refusals and bugs.

A check returns `Finding` values. A refused request raises `TourneyError`. Any other exception is a bug.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum

from msgspec import Struct


class TourneyError(Exception):
    """A request was refused, and nothing was changed.

    The command line prints `message` and `hint` on stderr and exits with `exit_code`. `message` and `hint`
    may quote text from any source, so very long words and quotations are shortened.

    message: the place, what was found there, and what is expected
    hint:    a command to run next
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
    """A request was sent, but no answer arrived; the request may or may not have taken effect."""

    exit_code = 4


class DamagedSecretError(TourneyError):
    """The request needs the event's secret, and the secret is damaged."""


class RulesError(TourneyError):
    """A format, ban list or pool is faulty, so that no deck can be judged by it.

    A command that checks several decks stops at this error, because all decks would fail in the same way.
    """


@contextmanager
def as_rules_error() -> Iterator[None]:
    """Raise any `TourneyError` of the `with` block as a `RulesError`."""
    try:
        yield
    except TourneyError as error:
        raise RulesError(error.message, error.hint) from error


MAX_REPORTED = 20
"""The maximum number of errors of one file that are reported, one on a line."""


def combine_errors(errors: Sequence[TourneyError]) -> TourneyError:
    """Return one error with the messages of several errors in a file, and the hint of the first."""
    messages = [error.message for error in errors[:MAX_REPORTED]]
    omitted = len(errors) - len(messages)
    if omitted:
        messages.append(f"and {omitted} more {'line' if omitted == 1 else 'lines'} with errors")
    return TourneyError("\n".join(messages), errors[0].hint)


_TOO_LONG = re.compile(r"`[^`\n]{300,}`|\S{300,}")
"""Matches a quotation or a word that is longer than any name."""


def _shortened(text: str) -> str:
    """Return a text in which quotations and words of 300 characters or more are shortened.

    >>> _shortened("`" + "9" * 5000 + "` is not a number")
    '`999999999999999999999999999999999999999…` is not a number'
    """
    if not _TOO_LONG.search(text):
        return text  # unchanged: it may be a `Message`
    return _TOO_LONG.sub(lambda match: f"{match[0][:40]}…{'`' * (match[0][0] == '`')}", text)


# -- findings of a check


class Severity(Enum):
    """How serious a finding is. Only `ERROR` means that a rule is broken."""

    ERROR = "error"
    ADVICE = "advice"
    UNVERIFIED = "unverified"  # the data cannot decide


class Finding(Struct, frozen=True):
    """One problem that a check reports. Each root cause is one finding.

    rule:          the id of the rule (`copies`, `size`, `rematch` …)
    severity:      how serious it is
    message:       the facts, then what the rule expects, in a judge's words
    lines:         the lines of the file that the finding is about, counted from 1 and in order
    subjects:      the cards, zones, players or tables that the finding is about, spelled as in the file
    have, allowed: the number that was counted and the number that the rule allows, as text; None if the rule
                   does not count anything
    cite:          the source of the rule
    hint:          how to fix the problem
    reason:        the part at the end of `message` that applies only to this card or line; similar findings
                   share the part before it. None if `message` has no such part
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
    def shared_message(self) -> str:
        """The message without `reason`: the part that similar findings share."""
        return self.message.removesuffix(self.reason).rstrip(" :;") if self.reason else self.message
