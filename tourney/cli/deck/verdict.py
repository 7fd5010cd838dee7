"""A verdict as a judge reads it: one headline, one line a finding in the order of the list, then the notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from tourney.cli.output import aligned, padded, styled, width
from tourney.errors import Finding, Severity
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.decks import Verdict
    from tourney.decks.repair import Fix, Repair


_COLOURS = {"legal": "green", "illegal": "red", "unverified": "yellow"}
_MOST_LINES, _MOST_NAMES = 4, 2
"""How many lines and names stand in one row; --json has them all."""
_MOST_ALIKE = 4
"""Findings that say the same of different cards and still stand in rows of their own."""
PAGE = 94
"""Letters across which names are set in columns: 100 with what stands before them, as wide as a judge's window."""


def coloured_word(verdict: str) -> str:
    """Return the verdict's word in its colour."""
    return styled(verdict, fg=_COLOURS[verdict], bold=True)


def _headline(verdict: Verdict) -> str:
    """Say which list it is, the verdict, under which rules and on which day."""
    what = f" ({listed(map(str.lower, verdict.parts))} alone)" if verdict.parts else ""
    start = f"{verdict.source}: {coloured_word(verdict.verdict)} in {verdict.format}{what}"
    return f"{start} on {verdict.on.isoformat()}{_list_used(verdict)}"


def _list_used(verdict: Verdict) -> str:
    if verdict.banlist:
        used = verdict.banlist
        return f" (ban list: {used.name} of {used.day.isoformat()}, {used.fingerprint})"
    return " (ban list: none installed)" if verdict.banlist_missing else ""


def short_line(verdict: Verdict) -> str:
    """Say it in one line, for a queue: `ada.txt  legal  60 cards  9f3c…`."""
    number = counted(verdict.total, "card")
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


def in_brief(verdict: Verdict) -> Iterator[str]:
    """Say each finding that decides the verdict in a few words, what many cards have alike once."""
    for together in _told_together(deciding(verdict.findings)):
        where, cards, said, rule = _row(together)
        yield f"{rule}: {where}: {cards}: {said}" if cards else f"{rule}: {where}: {said}"


def block(verdict: Verdict) -> Iterator[str]:
    """Give the lines of the whole verdict."""
    yield _headline(verdict)
    if verdict.cause:
        yield ""
        yield f"  {verdict.cause.message}"
        yield f"      {styled(verdict.cause.hint, dim=True)}"
    if verdict.findings:
        yield ""
        yield from rows(verdict.findings)
        yield from cited(verdict.findings)
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
    number = counted(repair.number, "change")
    yield f"Smallest repair, {number}:" if repair.proved else f"A repair, {number} (not proved the smallest):"
    for change in repair.changes:
        where = f" (line {', '.join(map(str, change.lines))})" if change.lines else ""
        yield f"  {_changes_said(change)}{where}"


def _changes_said(change: Fix) -> str:
    if change.what == "read":
        return f"write {change.to} instead of {change.card}"
    copies = f"{change.copies} {change.card}"
    if change.what == "move":
        return f"move {copies} from {change.zone} to {change.to}"
    return f"take out {copies}" if change.what == "out" else f"put in {copies}"


def rows(findings: Sequence[Finding]) -> Iterator[str]:
    """Give the findings as aligned lines: place, card, what is and should be, the rule's handle.

    What many cards have alike is said once, with the cards in columns below.
    """
    groups = list(_told_together(findings))
    lines = aligned([_row(together) for together in groups])
    hints: set[str] = set()
    for together, line in zip(groups, lines, strict=True):
        yield f"  {line}"
        hint = together[0].hint
        if hint and hint not in hints and all(each.hint == hint for each in together):
            hints.add(hint)
            yield f"      {styled(hint, dim=True)}"
        if len(together) > 1:
            yield from (f"      {line}".rstrip() for line in _listed(together))


def cited(findings: Sequence[Finding]) -> Iterator[str]:
    """Say where each broken rule stands, after a blank line; nothing where the format does not say it of any."""
    cites: dict[str, dict[str, None]] = {}
    for finding in deciding(findings):
        if finding.cite and finding.cite not in finding.message:
            cites.setdefault(finding.rule, {})[finding.cite] = None
    if cites:
        yield ""
        lines = aligned([[rule, "; ".join(where)] for rule, where in cites.items()])
        yield from (f"  {styled(line, dim=True)}" for line in lines)


def _told_together(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Put findings together that say the same of more than _MOST_ALIKE cards, at the place of the first of them."""
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        alike.setdefault(_alike(finding), []).append(finding)
    for finding in findings:
        together = alike[_alike(finding)]
        if len(together) <= _MOST_ALIKE:
            yield [finding]
        elif together[0] is finding:
            yield together


def _alike(finding: Finding) -> tuple[object, ...]:
    """Return what findings have in common that say the same of a card each; any other has only itself."""
    if len(finding.subjects) == 1 and finding.lines:
        return (finding.rule, finding.severity, finding.head, finding.cite)
    return (id(finding),)


def _row(together: Sequence[Finding]) -> list[str]:
    first = together[0]
    if len(together) == 1:
        return [place(first), _subject(first), _message(first), first.rule]
    lines = sorted({line for each in together for line in each.lines})
    noun = "names" if first.rule == "card" else "cards"
    return [_lines(lines), f"{len(together)} {noun}", _message(first, first.head), first.rule]


def _listed(together: Sequence[Finding]) -> Iterator[str]:
    """Give the lines and names of many cards: those of which there is more to say one a row, the others in columns."""
    widest = max(len(_numbers(each)) for each in together)
    common = None if len({each.hint for each in together}) > 1 else together[0].hint
    more = [each for each in together if each.reason]
    if more:
        rows = [[_numbers(each).rjust(widest), *each.subjects, _more(each, common)] for each in more]
        yield from aligned(rows)
    cells = [[_numbers(each).rjust(widest), *each.subjects] for each in together if not each.reason]
    if names := [line for cell in cells for line in aligned([cell])]:
        columns = _columns(names)
        widths = [max(map(width, column)) for column in columns]
        for row in zip_longest(*columns, fillvalue=""):
            yield "    ".join(map(padded, row, widths))


def _columns(names: Sequence[str]) -> list[Sequence[str]]:
    """Set names in as many columns as PAGE has room for, filled downwards."""
    across = PAGE // (min(map(width, names)) + 4) + 1
    while True:
        down = -(-len(names) // across)
        columns = [names[start : start + down] for start in range(0, len(names), down)]
        if across == 1 or sum(max(map(width, column)) + 4 for column in columns) - 4 <= PAGE:
            return columns
        across -= 1


def _more(finding: Finding, common: str | None) -> str:
    own = f" ({finding.hint})" if finding.hint and finding.hint != common else ""
    return f"{finding.reason}{own}"


def _numbers(finding: Finding) -> str:
    return ", ".join(map(str, finding.lines))


def place(finding: Finding) -> str:
    """Say where: `line 7`, `lines 7, 12`, or what it is about."""
    return _lines(finding.lines) if finding.lines else ", ".join(finding.subjects) or "deck"


def _lines(lines: Sequence[int]) -> str:
    numbers = ", ".join(map(str, lines[:_MOST_LINES])) + (" …" if len(lines) > _MOST_LINES else "")
    return f"line {numbers}" if len(lines) == 1 else f"lines {numbers}"


def _subject(finding: Finding) -> str:
    if not finding.lines:
        return ""
    more = len(finding.subjects) - _MOST_NAMES
    if more <= 1:
        return ", ".join(finding.subjects)
    return f"{', '.join(finding.subjects[:_MOST_NAMES])} and {more} more"


def _message(finding: Finding, message: str = "") -> str:
    message = message or finding.message
    return f"advice: {message}" if finding.severity is Severity.ADVICE else message


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
