"""What all rules share: their handle, where they stand, when they hold, and how they speak."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

import msgspec

from tourney.finding import Finding, Severity
from tourney.rules.expressions import UNKNOWN, Value, text_of, truth
from tourney.rules.expressions.binding import Asked
from tourney.rules.messages import fill
from tourney.rules.slots import Deck, Missing, Slot, View


class Undecided(msgspec.Struct, frozen=True):
    """A rule that the facts do not settle: which, what is missing, and on which lines."""

    rule: str
    severity: Severity
    missing: tuple[Missing, ...]
    lines: tuple[int, ...]
    cite: str | None


class Proof(msgspec.Struct, frozen=True):
    """Why a rule that looks for an arrangement holds: the arrangement, one line each."""

    rule: str
    lines: tuple[str, ...]


Outcome = Finding | Undecided | Proof


class Rule(Protocol):
    """A rule bound to a pool: asked of a deck, it tells what is wrong."""

    def judge(self, deck: Deck) -> Iterable[Outcome]:
        """Give what the rule finds in the deck."""
        ...


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a rule that is not its arithmetic. when: asleep while this is false; holes: bound message parts."""

    id: str
    severity: Severity = Severity.ERROR
    cite: str | None = None
    message: str | None = None
    when: Asked | None = None
    holes: Mapping[str, Asked] = {}

    def judged(self, deck: Deck, judge: Callable[[Deck], Iterable[Outcome]]) -> Iterator[Outcome]:
        """Ask the rule, if it is awake. While nobody knows whether it is, what it finds is only undecided."""
        deck.forget()
        awake = True if self.when is None else truth(self.when(View(deck)))
        if awake is False:
            return
        doubt = tuple(deck.missing) if awake is UNKNOWN else ()
        for outcome in judge(deck):
            if awake is UNKNOWN and isinstance(outcome, Finding):
                yield Undecided(self.id, self.severity, doubt, outcome.lines, self.cite)
            else:
                yield outcome

    def undecided(self, missing: Iterable[Missing], lines: Iterable[int]) -> Undecided:
        """Say that the rule could not be decided."""
        unique = {
            (each.slot and (each.slot.key, each.slot.zone, each.slot.known), each.attribute): each
            for each in missing
        }
        return Undecided(self.id, self.severity, tuple(unique.values()), ordered(lines), self.cite)

    def finding(
        self,
        message: str,
        *,
        slots: Iterable[Slot] = (),
        subjects: Iterable[str] | None = None,
        view: View | None = None,
        have: Value | None = None,
        allowed: Value | None = None,
        hint: str | None = None,
        rule: str | None = None,
        cite: str | None = None,
        zone: str = "",
    ) -> Finding:
        """Make a finding; the rule's own message goes before the usual one. Cards are named in the order of the list."""
        about = sorted(slots, key=lambda slot: slot.lines)
        names = tuple(dict.fromkeys(slot.name for slot in about)) if subjects is None else tuple(subjects)
        counted = [None if value is None else text_of(value) for value in (have, allowed)]
        if self.message is not None and view is not None:
            message = fill(self.message, self._said(view, names, counted, zone))
        return Finding(
            rule=rule or self.id,
            severity=self.severity,
            message=message,
            lines=ordered(line for slot in about for line in slot.lines),
            subjects=names,
            have=counted[0],
            allowed=counted[1],
            cite=cite or self.cite,
            hint=hint,
        )

    def _said(
        self, view: View, names: tuple[str, ...], counted: list[str | None], zone: str
    ) -> Callable[[str], str]:
        zone = zone or (view.slot.zone if view.slot else "")
        given = {"have": counted[0], "allowed": counted[1], "card": ", ".join(names), "zone": zone}
        return lambda hole: given.get(hole) or (text_of(self.holes[hole](view)) if hole in self.holes else "")


def ordered(lines: Iterable[int]) -> tuple[int, ...]:
    """Return line numbers sorted, each once."""
    return tuple(sorted(set(lines)))
