"""Looking at a whole event file: pages, chain, texts, rules, and what is deleted that nobody asked to delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tourney.desk.rules import KeptRules
from tourney.desk.verifying import seals
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import ops
from tourney.event.entry import ALTERED, Entry, EntryError, described, erased, intact
from tourney.event.fold import History, MisfitError, taken_back
from tourney.event.showing import ladder, round_view, show_tables
from tourney.event.state import State, show_what_changed
from tourney.event.status import next_steps
from tourney.store.event_file import EventFile
from tourney.store.journal import Journal

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.standings import Profile

AnyDesk = TypeVar("AnyDesk", bound="Desk")


def check(desk: Desk) -> tuple[Finding, ...]:
    """Look at the whole file of an event whose chain was read already, as `Desk.check` has it."""
    findings = (*_file_findings(desk), *seals(desk.evidence()))
    if any(each.rule == "rules" for each in findings):
        return findings  # without them nothing can be shown
    return (*findings, *_replayed(desk), *_shown(desk), *_declared(desk))


def sound(desk: AnyDesk) -> AnyDesk:
    """Return the desk; raise TourneyError naming the first entry up to which the event cannot be folded or shown.

    Rules that cannot be read, and what hangs on them, are the business of `check`: such an event can be looked at, and
    `event rebase` gives it others.
    """
    for each in _replayed(desk, without_rules=True):
        if each.severity is Severity.ERROR:
            raise TourneyError(each.message, each.hint)
    return desk


def examine_unread(path: Path, fault: EntryError) -> Iterator[Finding]:
    """Yield what is wrong with an event file whose entries end at one that is at fault."""
    with EventFile.open(path) as journal:
        yield from _pages(journal)
    yield _fault("entry", fault.message, fault.hint or ALTERED)


# -- the file: database pages, texts, rules


def _file_findings(desk: Desk) -> Iterator[Finding]:
    yield from _pages(desk.journal)
    yield from _told("text", lambda: list(_texts(desk.journal, desk.entries)))
    for what in ("format", "banlist", "profile"):
        for fault in _told("rules", partial(_read, desk.rules, what)):
            yield replace(fault, message=f"entry {_based(desk.entries)}: {fault.message}")


def _pages(journal: Journal) -> Iterator[Finding]:
    yield from _told(
        "file", lambda: [_fault("file", f"the database is damaged: {damage}") for damage in journal.damage()]
    )


def _texts(journal: Journal, entries: Sequence[Entry]) -> Iterator[Finding]:
    names = described(entries)
    missing, gone, lost_here = set(names), erased(entries), journal.erased()
    for ref, salt, content in journal.texts():
        what = names[ref].what if ref in names else "a text of no entry"
        missing.discard(ref)
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
    for ref in names:
        if ref in missing:
            yield _fault("text", f"{names[ref].what} is missing ({ref[:12]}…)")


def _read(rules: KeptRules, what: str) -> list[Finding]:
    getattr(rules, what)
    return []


_RULES = (ops.EventCreated, ops.EventRebased)


def _based(entries: Sequence[Entry]) -> int:
    """Return the entry from which the event has its rules."""
    gone = taken_back(entries)
    return max(each.seq for each in entries if isinstance(each.op, _RULES) and each.seq not in gone)


def _told(rule: str, look: Callable[[], list[Finding]]) -> list[Finding]:
    """Return what a look found; where the file is too damaged to look, that is the finding."""
    try:
        return look()
    except TourneyError as fault:
        return [_fault(rule, fault.message)]


def _fault(rule: str, message: str, hint: str = ALTERED) -> Finding:
    return Finding(rule=rule, severity=Severity.ERROR, message=message, hint=hint)


def _declared(desk: Desk) -> Iterator[Finding]:
    """Yield what registered lists declare differently of the same card: one of them is wrong, and no rule says which."""
    yield from _told("rules", lambda: list(desk.contradictions()))


# -- its history: folded and shown as it stood after each entry


_PATIENCE = 20
"""How many times over an event is folded at most, where early entries are taken back late and often."""

_SOME = 1000
"""Entries folded beyond that: a short event is always looked through."""

MOST_SHOWN = 20_000_000
"""Players and tables, entry by entry, that are looked through for what an entry changed; 15 rounds of 1,000 players use half of this."""


def _replayed(desk: Desk, *, without_rules: bool = False) -> Iterator[Finding]:
    """Yield the first entry up to which the event cannot be folded or shown, though later ones may mend that.

    The event stood so once, can be asked for as of that entry (`--at`), and an undo or a redo may lead there again.
    without_rules: where they cannot be read, show all else
    """
    entries = desk.entries
    history, shown, looked = History(desk.texts), State(), 0
    profile: Callable[[], Profile] | None = None
    for entry in entries:
        if history.folded > _PATIENCE * len(entries) + _SOME or looked > MOST_SHOWN:
            message = f"only entries up to {entry.seq - 1} were checked for whether the event can be shown as of each"
            yield Finding(rule="entry", severity=Severity.UNVERIFIED, message=message)
            return
        try:
            history.add(entry)
            state = history.state()
            if shown.entry == 0 or not state.has_rules_of(shown):
                profile = _profile_of(KeptRules(state, desk.journal.text), without_rules=without_rules)
            next_steps(state)
            show_what_changed(state, shown)
            show_tables(state, shown, profile)
            shown, looked = state, looked + len(state.players) + _tables_of(state)
        except MisfitError as fault:
            yield _fault("entry", fault.message, fault.hint or ALTERED)
            return
        except TourneyError as fault:
            message = f"as of entry {entry.seq} the event cannot be shown: {fault.message}"
            yield _fault("shown", message, fault.hint or ALTERED)
            return


def _profile_of(rules: KeptRules, *, without_rules: bool) -> Callable[[], Profile] | None:
    """Return what reads the standings profile; None where it cannot be read and that is no matter."""
    if without_rules and _told("rules", partial(_read, rules, "profile")):
        return None
    return lambda: rules.profile


def _tables_of(state: State) -> int:
    return len(state.rounds[-1].tables) if state.rounds else 0


def _shown(desk: Desk) -> Iterator[Finding]:
    """Yield why the event as it stands cannot be shown: log, rounds with points, standings."""
    state = desk.state
    try:
        desk.log()
        next_steps(state)
        points = ladder(state, desk.rules.profile)
        for each in state.rounds:
            round_view(state, each, points)
        desk.standings()
    except TourneyError as fault:
        yield _fault("shown", fault.message, fault.hint or ALTERED)
