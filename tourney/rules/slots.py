"""A deck as the rules see it: counted cards in zones, a leader, and what was asked but not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tourney.cards import NONE, UNKNOWN, Card, Printing
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.rules.expressions.values import Value

MOST_STEPS = 5_000_000
"""Cards looked at while judging one deck; a format that needs more is refused rather than waited for."""


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """Copies of one card in one zone, over all their lines.

    card:  what is known of it, errata and trusted facts applied
    name:  the name it is counted under (aliases and `counts_as` resolved), for messages
    keys:  the folded names it answers to on lists and in `has`: the one it is counted under first, then its own
    known: the card's id where it is just what the pool says, so that answers about it can be kept; else None
    """

    card: Card
    name: str
    keys: tuple[str, ...]
    zone: str
    qty: int
    lines: tuple[int, ...] = ()
    known: str | None = None

    @property
    def key(self) -> str:
        """The folded name under which its copies add up."""
        return self.keys[0]

    def on(self, names: Mapping[str, int]) -> int | None:
        """Return the number a list of folded names gives this card, None where the card is not on it."""
        return next((names[key] for key in self.keys if key in names), None)


class Missing(msgspec.Struct, frozen=True):
    """A fact that was asked for and is not known: of a card, or (slot None) of a leader that is in doubt."""

    slot: Slot | None
    attribute: str


class Leader(msgspec.Struct, frozen=True):
    """The cards in the leader's zone. doubt: why nobody can say who leads (`no general`), empty where it is clear."""

    slots: tuple[Slot, ...] = ()
    doubt: str = ""


class Deck(msgspec.Struct):
    """One deck while it is judged.

    slots:   everything that counts, in the order of the list
    sizes:   how many cards each zone has
    lists:   folded name → number, by list name: what `listed` and `points` ask
    missing: what was asked and not known since the last `forget`
    called:  deck and format, for the message when judging takes too long
    """

    slots: Sequence[Slot]
    sizes: Mapping[str, int]
    leader: Leader
    settings: Mapping[str, Value]
    lists: Mapping[str, Mapping[str, int]]
    missing: list[Missing] = []
    kept: dict[object, Any] = {}
    steps: int = 0
    printing: Printing | None = None
    called: str = "the deck"

    def step(self, how_many: int) -> None:
        """Count work. Raises TourneyError when one deck costs more than MOST_STEPS."""
        self.steps += how_many
        if self.steps > MOST_STEPS:
            raise TourneyError(
                f"judging {self.called} takes more than {MOST_STEPS:,} steps",
                "are there counts within counts in the format?",
            )

    def forget(self) -> None:
        """Start a new record of what is missing."""
        self.missing.clear()

    def miss(self, slot: Slot, attribute: str) -> None:
        """Record that an attribute was asked for and is not known."""
        self.missing.append(Missing(slot, attribute))

    def attribute(self, slot: Slot, name: str) -> Value:
        """Return an attribute of a card; what is not known is recorded."""
        value: Value = slot.card.get(name)
        if value is UNKNOWN:
            self.miss(slot, name)
        return value

    def leader_attribute(self, name: str) -> Value:
        """Return an attribute of the leader: of several, the list of their values; NONE where there is none."""
        if self.leader.doubt:
            self.missing.append(Missing(None, name))
            return UNKNOWN
        if len(self.leader.slots) == 1:
            return self.attribute(self.leader.slots[0], name)
        return self._together([self.attribute(slot, name) for slot in self.leader.slots])

    @staticmethod
    def _together(values: Sequence[Value]) -> Value:
        if UNKNOWN in values:
            return UNKNOWN
        found: dict[str | int | object, None] = {}
        for value in values:
            found.update(dict.fromkeys(value if isinstance(value, tuple) else (value,)))
        found.pop(NONE, None)
        items = tuple(found)
        if not items:
            return NONE if not any(isinstance(value, tuple) for value in values) else ()
        same = len(items) == 1 and not any(isinstance(value, tuple) for value in values)
        return items[0] if same else items  # type: ignore[return-value]


class View(msgspec.Struct):
    """Where an expression is asked: in this deck, of the card `slot` (bare names), while a rule looks at `this`.

    Expressions that need a card are only bound where there is one, so neither says that it may be missing.
    """

    deck: Deck
    slot: Slot = None  # type: ignore[assignment]
    this: Slot = None  # type: ignore[assignment]

    def of(self, slot: Slot) -> View:
        """Turn to a card that a rule looks at, and return the view itself."""
        self.slot = self.this = slot
        return self
