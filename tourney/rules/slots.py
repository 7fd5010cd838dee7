"""A deck as the rules see it: counted cards in zones, a leader, and the facts that may be missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tourney.cards import Card, Printing
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

    slots:  everything that counts, in the order of the list
    sizes:  how many cards each zone has
    lists:  folded name → number, by list name: what `listed` and `points` ask
    kept:   answers that are the same for every card of the deck, each under a ticket of the expression it answers
    steps:  work done so far
    called: deck and format, for the message when judging takes too long
    """

    slots: Sequence[Slot]
    sizes: Mapping[str, int]
    leader: Leader
    settings: Mapping[str, Value]
    lists: Mapping[str, Mapping[str, int]]
    kept: dict[object, Any] = {}
    steps: int = 0
    called: str = "the deck"

    def step(self, how_many: int) -> None:
        """Count work. Raises TourneyError when one deck costs more than MOST_STEPS."""
        self.steps += how_many
        if self.steps > MOST_STEPS:
            raise TourneyError(
                f"judging {self.called} takes more than {MOST_STEPS:,} steps",
                "are there counts within counts in the format?",
            )


class View(msgspec.Struct):
    """Where an expression is asked: in this deck, of the card `slot` (bare names), while a rule looks at `this`.

    printing: which of the card's printings bare names are about, inside `printed(…)`

    Expressions that need a card are only bound where there is one, so neither says that it may be missing.
    """

    deck: Deck
    slot: Slot = None  # type: ignore[assignment]
    this: Slot = None  # type: ignore[assignment]
    printing: Printing | None = None

    def of(self, slot: Slot) -> View:
        """Turn to a card that a rule looks at, and return the view itself."""
        self.slot = self.this = slot
        return self
