"""Looking at a whole event file: pages, chain, texts, rules, and what is deleted that nobody asked to delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from tourney.desk.rules import KeptRules
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import ALTERED, Entry
from tourney.event.parts import Ref
from tourney.event.personal import every_ref, personal_refs
from tourney.event.texts import ref_of
from tourney.finding import Finding, Severity
from tourney.store.journal import Journal


def examine(journal: Journal, entries: Sequence[Entry], rules: KeptRules) -> Iterator[Finding]:
    """Yield what is wrong with an event file whose chain was read already; nothing where all is well."""
    yield from _told(
        "file", lambda: [_fault("file", f"the database is damaged: {said}") for said in journal.damage()]
    )
    yield from _told("text", lambda: list(_texts(journal, entries)))
    for what in ("format", "banlist", "profile"):
        yield from _told("rules", partial(_read, rules, what))


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
    wanted: dict[Ref, int] = {}
    for entry in entries:
        for ref in every_ref(entry):
            wanted.setdefault(ref, entry.seq)
    blanked = [entry.op.player for entry in entries if isinstance(entry.op, ops.PlayerBlanked)]
    may_be_gone = {ref for player in blanked for ref in personal_refs(entries, player)}
    for ref, salt, content in journal.texts():
        entry_number = wanted.pop(ref, None)
        if content is None and salt is None:
            if ref not in may_be_gone:
                yield _fault("text", f"a text of entry {entry_number} was deleted, and no entry says so")
        elif not isinstance(content, bytes) or not isinstance(salt, bytes) or ref_of(content, salt) != ref:
            yield _fault("text", f"a text of entry {entry_number} is not as it was written")
    for ref, number in sorted(wanted.items(), key=lambda pair: pair[1]):
        yield _fault("text", f"a text of entry {number} is missing ({ref[:12]}…)")


def _fault(rule: str, message: str) -> Finding:
    return Finding(rule=rule, severity=Severity.ERROR, message=message, hint=ALTERED)
