"""What the desk answers: what changed, in which entries, and what is next."""

from __future__ import annotations

from dataclasses import dataclass

from tourney.event.state import State
from tourney.finding import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The answer to a change.

    entries:  the numbers of the entries written; empty where nothing was (`already`, or a deck not registered)
    changed:  what changed, a sentence each: `Round 3, table 4: Mira 2–0 Tomo (entry 57).`
    next:     what is next, a sentence each: `3 of 16 tables still playing: 2, 9, 11.`
    warnings: what the organizer should know though it was done: `Tomo has met Mira in round 1.`
    state:    the event after the change
    already:  the same was entered before; nothing was written and all is well
    """

    entries: tuple[int, ...]
    changed: tuple[str, ...]
    next: tuple[str, ...]
    state: State
    already: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The receipt as people read it, one line: what changed and what is next."""
        return " ".join((*self.changed, *self.next))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckReceipt(Receipt):
    """The answer to a decklist. verdict: `legal`, `illegal` or `unverified`; findings: all a check has to say.

    An illegal list is not registered (`entries` is empty) unless it was asked for.
    """

    verdict: str
    findings: tuple[Finding, ...] = ()
