"""`[kit]`: a fixed box, exactly these cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.rules.expressions import About
from tourney.rules.kinds.kind import PlacedExpression, RuleKind
from tourney.rules.kinds.terms import Outcome, Rule, Terms, copies
from tourney.rules.slots import Deck, Slot, View
from tourney.rules.vocabulary import Ruled

if TYPE_CHECKING:
    from tourney.rules.composing import Composer
    from tourney.rules.expressions import Surroundings
    from tourney.rules.format import Format, Placed


class KitFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[kit]`: a fixed box, exactly these cards in `zone` (the default one)."""

    cards: dict[str, int]
    zone: str = ""


class KitKind(RuleKind[KitFile]):
    """A fixed box."""

    word = "kit"
    shape = KitFile
    single = True
    together = True
    sketch = """\
# [kit]                                  # a fixed box: exactly these
# cards = { "Red Prince" = 1, "Archer" = 3 }
"""

    def plain(self, rule: KitFile, place: str) -> KitFile:
        """Give the kit its handle. Raises TourneyError for a card that is not in the box at all."""
        for card, number in rule.cards.items():
            if number < 1:
                raise TourneyError(
                    f'{place}.cards."{card}": {number} copies: a card in the box has at least one'
                )
        return replace(rule, id=rule.id or "kit")

    def zones(self, placed: Placed[KitFile]) -> Iterator[tuple[str, str]]:
        """Give the zone of the box, where it names one."""
        if placed.rule.zone:
            yield placed.rule.zone, f"{placed.place}.zone"

    def cards(self, placed: Placed[KitFile]) -> Iterator[tuple[str, str]]:
        """Give the cards in the box."""
        return ((card, f"{placed.place}.cards") for card in placed.rule.cards)

    def expressions(
        self, _placed: Placed[KitFile], _card: Surroundings, _deck: Surroundings
    ) -> Iterator[PlacedExpression]:
        """Give none: a box names its cards."""
        return iter(())

    def idle(self, _placed: Sequence[Placed[KitFile]], _format: Format) -> Iterator[str]:
        """Give none: what a box names is in it, whether its zone counts or not."""
        return iter(())

    def bind(self, placed: Sequence[Placed[KitFile]], composer: Composer) -> Iterator[Rule]:
        """Give the box, if the format has one."""
        for each in placed:
            kit = each.rule
            yield Kit(
                terms=composer.terms(each, About.CARD),
                zone=kit.zone or composer.format.default_zone,
                cards=composer.keyed(kit.cards),
                names={composer.key(name): name for name in kit.cards},
            )

    def words(self, rule: KitFile) -> str:
        """Say what is in the box."""
        return "exactly " + ", ".join(f"{number} {card}" for card, number in rule.cards.items())


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """What the box holds. cards: folded name → copies; names: folded name → name as written."""

    terms: Terms
    zone: str
    cards: Mapping[str, int]
    names: Mapping[str, str]

    def judge(self, deck: Deck) -> Iterator[Outcome]:
        """Give a finding for each card with another number of copies than the box holds."""
        return self.terms.judged(deck, self._judge)

    def _judge(self, deck: Deck) -> Iterator[Outcome]:
        inside: dict[str, list[Slot]] = {}
        for slot in deck.slots:
            if slot.zone == self.zone:
                key = next((key for key in slot.keys if key in self.cards), slot.key)
                inside.setdefault(key, []).append(slot)
        for key, slots in inside.items():
            view = View(deck).of(slots[0])
            yield from self._compared(sum(slot.qty for slot in slots), self.cards.get(key, 0), slots, view)
        # A message that asks a card for something cannot be said of a card that is not there.
        view_of_none = None if self.terms.holes else View(deck)
        for key, wanted in self.cards.items():
            if key not in inside:
                said = f"missing; the box holds {copies(wanted, 'copy')}"
                yield self.terms.finding(
                    said,
                    subjects=(self.names[key],),
                    view=view_of_none,
                    have=0,
                    allowed=wanted,
                    zone=self.zone,
                )

    def _compared(self, found: int, wanted: int, slots: list[Slot], view: View) -> Iterator[Outcome]:
        if found == wanted:
            return
        said = f"{copies(found, 'copy')}, the box holds {wanted}" if wanted else "is not in the box"
        yield self.terms.finding(said, slots=slots, view=view, have=found, allowed=wanted)
