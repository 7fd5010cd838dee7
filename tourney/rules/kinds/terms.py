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
    """The part of a rule that is not its arithmetic.

    when:  asleep while this is false
    holes: bound message parts
    due:   give the cards that brought it in: a companion, the leader, the card that chooses its bound
    """

    id: str
    severity: Severity = Severity.ERROR
    cite: str | None = None
    message: str | None = None
    when: Asked | None = None
    holes: Mapping[str, Asked] = {}
    due: tuple[Callable[[View], tuple[Slot, ...]], ...] = ()

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
        reason: str = "",
    ) -> Finding:
        """Make a finding; the rule's own message goes before the usual one with its reason. Cards are in list order.

        view: where the rule was asked: for the message's holes, and for the cards that brought the rule in
        """
        about = sorted(slots, key=lambda slot: slot.lines)
        names = tuple(dict.fromkeys(slot.name for slot in about)) if subjects is None else tuple(subjects)
        counted = [None if value is None else text_of(value) for value in (have, allowed)]
        if self.message is not None and view is not None:
            message = fill(self.message, self._said(view, names, counted, zone))
            reason = ""
        if view is not None:
            message = self._due_to(message, view, about)
        return Finding(
            rule=rule or self.id,
            severity=self.severity,
            message=": ".join(filter(None, (message, reason))),
            lines=ordered(line for slot in about for line in slot.lines),
            subjects=names,
            have=counted[0],
            allowed=counted[1],
            cite=cite or self.cite,
            hint=hint,
            reason=reason if message and reason else None,
        )

    def _due_to(self, message: str, view: View, about: Iterable[Slot]) -> str:
        """Name the card that brings the rule in (a companion, the leader), with its line, where it is another one."""
        mine = {line for slot in about for line in slot.lines}
        causes = [given(view) for given in self.due]
        # a condition on the very cards that it is about is no other card's doing
        others = [each for each in causes if not mine or not mine <= {n for slot in each for n in slot.lines}]
        for slot in (slot for each in others for slot in each if slot.lines):
            where = f"{slot.name} (line {slot.lines[0]})"
            if where not in message:
                named = message.replace(slot.name, where, 1)
                message = named if named != message else f"{message}, because of {where}"
        return message

    def _said(
        self, view: View, names: tuple[str, ...], counted: list[str | None], zone: str
    ) -> Callable[[str], str]:
        zone = zone or (view.slot.zone if view.slot else "")
        given = {"have": counted[0], "allowed": counted[1], "card": ", ".join(names), "zone": zone}
        return lambda hole: given.get(hole) or (text_of(self.holes[hole](view)) if hole in self.holes else "")


def ordered(lines: Iterable[int]) -> tuple[int, ...]:
    """Return line numbers sorted, each once."""
    return tuple(sorted(set(lines)))
