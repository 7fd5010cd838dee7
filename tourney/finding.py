"""What a check found: a value, not an exception."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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
