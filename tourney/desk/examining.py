"""Looking at a whole event file: pages, chain, texts, rules, and what is deleted that nobody asked to delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from tourney.desk.rules import KeptRules
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import ops
from tourney.event.entry import ALTERED, Entry, EntryError
from tourney.event.fold import History, MisfitError, taken_back
from tourney.event.state import State
from tourney.event.texts import Texts, described, erased, intact
from tourney.store.journal import Journal

_PATIENCE = 20
"""How many times over an event is folded at most, where early entries are taken back late and often."""

_SOME = 1000
"""Entries folded beyond that: a short event is always looked through."""

_RULES = (ops.EventCreated, ops.EventRebased)


def examine(journal: Journal, entries: Sequence[Entry], rules: KeptRules) -> Iterator[Finding]:
    """Yield what is wrong with an event file whose chain was read already; nothing where all is well."""
    yield from _pages(journal)
    yield from _told("text", lambda: list(_texts(journal, entries)))
    for what in ("format", "banlist", "profile"):
        for found in _told("rules", partial(_read, rules, what)):
            yield replace(found, message=f"entry {_based(entries)}: {found.message}")


MOST_SHOWN = 20_000_000
"""Players and tables, entry by entry, that are looked through for what an entry changed: 15 rounds of 1,000 players are half."""


def examine_history(
    entries: Sequence[Entry], texts: Texts, show: Callable[[State, State], object]
) -> Iterator[Finding]:
    """Yield the first entry up to which the event cannot be folded or shown, though later ones may mend that.

    The event stood so once, can be asked for as of that entry (`--at`), and an undo or a redo may lead there again.
    show: shows the event as it stood, given also the state that was shown before
    """
    history, shown, looked = History(texts), State(), 0
    for entry in entries:
        if history.folded > _PATIENCE * len(entries) + _SOME or looked > MOST_SHOWN:
            message = f"whether the event can be shown as of each entry was looked at up to entry {entry.seq - 1} only"
            yield Finding(rule="entry", severity=Severity.UNVERIFIED, message=message)
            return
        try:
            history.add(entry)
            state = history.state()
            show(state, shown)
            shown, looked = state, looked + len(state.players) + _tables_of(state)
        except MisfitError as fault:
            yield _fault("entry", fault.message, fault.hint or ALTERED)
            return
        except TourneyError as fault:
            yield _fault(
                "shown",
                f"as of entry {entry.seq} the event cannot be shown: {fault.message}",
                fault.hint or ALTERED,
            )
            return


def _tables_of(state: State) -> int:
    return len(state.rounds[-1].tables) if state.rounds else 0


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
