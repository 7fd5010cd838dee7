"""Looking at a whole event file: pages, chain, texts, rules, and what is deleted that nobody asked to delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tourney.desk.rules import KeptRules
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import ALTERED, Entry, EntryError
from tourney.event.fold import taken_back
from tourney.event.personal import described, erased
from tourney.event.texts import intact
from tourney.finding import Finding, Severity
from tourney.store.journal import Journal

_RULES = (ops.EventCreated, ops.EventRebased)


def examine(journal: Journal, entries: Sequence[Entry], rules: KeptRules) -> Iterator[Finding]:
    """Yield what is wrong with an event file whose chain was read already; nothing where all is well."""
    yield from _pages(journal)
    yield from _told("text", lambda: list(_texts(journal, entries)))
    for what in ("format", "banlist", "profile"):
        for found in _told("rules", partial(_read, rules, what)):
            yield replace(found, message=f"entry {_based(entries)}: {found.message}")


def examine_shown(look: Callable[[], object]) -> Iterator[Finding]:
    """Yield why an event cannot be shown, where `look`, which shows all of it once, is refused."""
    try:
        look()
    except TourneyError as fault:
        yield _fault("shown", fault.message, fault.hint or ALTERED)


def _based(entries: Sequence[Entry]) -> int:
    """Return the entry from which the event has its rules."""
    gone = taken_back(entries)
    return max(each.seq for each in entries if isinstance(each.op, _RULES) and each.seq not in gone)


def examine_unread(path: Path, fault: EntryError) -> Iterator[Finding]:
    """Yield what is wrong with an event file whose entries end at one that is at fault."""
    with Journal.open(path) as journal:
        yield from _pages(journal)
    yield _fault("entry", fault.message, fault.hint or ALTERED)


def _pages(journal: Journal) -> Iterator[Finding]:
    yield from _told(
        "file", lambda: [_fault("file", f"the database is damaged: {said}") for said in journal.damage()]
    )


def _read(rules: KeptRules, what: str) -> list[Finding]:
    getattr(rules, what)
    return []


def _told(rule: str, look: Callable[[], list[Finding]]) -> list[Finding]:
    """Return what a look found; where the file is too damaged to look, that is the finding."""
    try:
        return look()
    except TourneyError as fault:
        return [_fault(rule, fault.message)]


def _texts(journal: Journal, entries: Sequence[Entry]) -> Iterator[Finding]:
    known = described(entries)
    wanted, gone, lost_here = set(known), erased(entries), journal.erased()
    for ref, salt, content in journal.texts():
        what = known[ref].what if ref in known else "a text of no entry"
        wanted.discard(ref)
        if content is None and salt is None:
            if ref not in gone and ref not in lost_here:
                yield _fault("text", f"{what} was deleted, and no entry says so")
        elif ref in gone:
            yield _fault(
                "erased",
                f"{what} was deleted by request, and is there all the same",
                f"`tourney player blank '#{gone[ref]}'` deletes it",
            )
        elif not intact(ref, salt, content):
            yield _fault("text", f"{what} is not as it was written")
    for ref in known:
        if ref in wanted:
            yield _fault("text", f"{known[ref].what} is missing ({ref[:12]}…)")


def _fault(rule: str, message: str, hint: str = ALTERED) -> Finding:
    return Finding(rule=rule, severity=Severity.ERROR, message=message, hint=hint)
