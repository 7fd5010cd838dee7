"""Findings as lines: the place, what is, and the rule's handle last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tourney.cli.columns import table_text
from tourney.event.words import counted

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.finding import Finding


def say_findings(session: Session, findings: Sequence[Finding]) -> None:
    """Write a line for each finding, then how many there are."""
    rows = [[_place(finding), finding.message, finding.rule] for finding in findings]
    session.say(table_text([], rows))
    session.say(f"\n{counted(len(findings), 'problem')}")


def _place(finding: Finding) -> str:
    if finding.lines:
        return f"line {', '.join(map(str, finding.lines))}"
    return ", ".join(finding.subjects)
