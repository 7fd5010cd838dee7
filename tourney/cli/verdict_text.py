"""A verdict as a judge reads it: one headline, one line a finding in the order of the list, then the notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tourney.cli.streams import styled
from tourney.finding import Finding, Severity

if TYPE_CHECKING:
    from tourney.decks import Verdict
    from tourney.decks.verdict import Change, Repair

_COLOURS = {"legal": "green", "illegal": "red", "unverified": "yellow"}
MOST_LINES, MOST_NAMES = 4, 2
"""How many lines and names stand in one row; --json has them all."""


def coloured_word(verdict: str) -> str:
    """Return the verdict's word in its colour."""
    return styled(verdict, fg=_COLOURS[verdict], bold=True)


def headline(verdict: Verdict) -> str:
    """Say which list it is, the verdict, under which rules and on which day."""
    said = f"{verdict.source}: {coloured_word(verdict.verdict)} in {verdict.format}"
    return f"{said} on {verdict.on.isoformat()}{_list_used(verdict)}"


def _list_used(verdict: Verdict) -> str:
    if verdict.banlist:
        used = verdict.banlist
        return f" (ban list: {used.name} of {used.day.isoformat()}, {used.fingerprint})"
    return " (ban list: none installed)" if verdict.banlist_missing else ""


def short(verdict: Verdict) -> str:
    """Say it in one line, for a queue: `ada.txt  legal  60 cards  9f3c…`."""
    number = "1 card" if verdict.total == 1 else f"{verdict.total} cards"
    title = f"title: {verdict.title.text}" if verdict.title else ""
    parts = [
        verdict.source,
        coloured_word(verdict.verdict),
        number,
        f"{verdict.hash[:8]}…",
        why(verdict),
        title,
    ]
    return "  ".join(part for part in parts if part)


def deciding(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that decide the verdict: the errors, else what could not be decided."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return errors or [finding for finding in findings if finding.severity is Severity.UNVERIFIED]


def why(verdict: Verdict) -> str:
    """Name the rules that decide the verdict, each once."""
    return ", ".join(dict.fromkeys(finding.rule for finding in deciding(verdict.findings)))


def block(verdict: Verdict) -> Iterator[str]:
    """Give the lines of the whole verdict."""
    yield headline(verdict)
    if verdict.findings:
        yield ""
        yield from rows(verdict.findings)
    proofs = verdict.proofs if verdict.verdict == "legal" else ()
    if proofs:
        yield ""
        yield from (f"  allowed as {line}" for line in proofs)
    tail = list(_tail(verdict))
    if tail:
        yield ""
        yield from tail


def mending(repair: Repair | None) -> Iterator[str]:
    """Give the lines of a repair; it is called the smallest only where that is proved."""
    if repair is None:
        yield "No repair was found by taking out, putting in and moving the list's own cards"
        return
    number = "1 change" if repair.number == 1 else f"{repair.number} changes"
    yield f"Smallest repair, {number}:" if repair.proved else f"A repair, {number} (not proved the smallest):"
    for change in repair.changes:
        where = f" (line {', '.join(map(str, change.lines))})" if change.lines else ""
        yield f"  {_changes_said(change)}{where}"


def _changes_said(change: Change) -> str:
    if change.what == "read":
        return f"write {change.to} instead of {change.card}"
    copies = f"{change.copies} {change.card}"
    if change.what == "move":
        return f"move {copies} from {change.zone} to {change.to}"
    return f"take out {copies}" if change.what == "out" else f"put in {copies}"


def rows(findings: Sequence[Finding]) -> Iterator[str]:
    """Give the findings as aligned lines: place, card, what is and should be, the rule's handle."""
    cells = [[place(finding), _subject(finding), _message(finding), finding.rule] for finding in findings]
    lines = _aligned(cells)
    hints = {number: finding.hint for number, finding in enumerate(findings) if finding.hint}
    said: set[str] = set()
    for number, line in enumerate(lines):
        yield f"  {line}"
        hint = hints.get(number)
        if hint and hint not in said:
            said.add(hint)
            yield f"      {styled(hint, dim=True)}"


def _aligned(cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """Set columns flush left, two spaces apart. Not tabulate: importing it costs more than judging a deck."""
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def place(finding: Finding) -> str:
    """Say where: `line 7`, `lines 7, 12`, or what it is about."""
    if not finding.lines:
        return ", ".join(finding.subjects) or "deck"
    numbers = ", ".join(map(str, finding.lines[:MOST_LINES])) + (
        " …" if len(finding.lines) > MOST_LINES else ""
    )
    return f"line {numbers}" if len(finding.lines) == 1 else f"lines {numbers}"


def _subject(finding: Finding) -> str:
    if not finding.lines:
        return ""
    names = ", ".join(finding.subjects[:MOST_NAMES])
    more = len(finding.subjects) - MOST_NAMES
    return f"{names} and {more} more" if more > 0 else names


def _message(finding: Finding) -> str:
    return f"advice: {finding.message}" if finding.severity is Severity.ADVICE else finding.message


def _tail(verdict: Verdict) -> Iterator[str]:
    """Give the count of problems, the notes, and what was read otherwise than written."""
    count = _count(verdict.findings)
    notes = list(verdict.notes)
    if count and len(notes) == 1 and "\n" not in notes[0]:
        yield f"{count}. Note: {notes[0]}"
        notes = []
    elif count:
        yield count
    yield from (f"Note: {note}" for note in notes)
    if verdict.facts_used:
        yield "On the organizer's word: " + "; ".join(verdict.facts_used)


def _count(findings: Sequence[Finding]) -> str:
    kinds = ((Severity.ERROR, "problem", "problems"), (Severity.UNVERIFIED, "not decided", "not decided"))
    numbers = [(sum(each.severity is kind for each in findings), one, many) for kind, one, many in kinds]
    return ", ".join(f"{number} {one if number == 1 else many}" for number, one, many in numbers if number)
