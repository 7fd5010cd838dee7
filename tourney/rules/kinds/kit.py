"""`[kit]`: the deck is a fixed box, with exactly these cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from tourney.cards.names import FoldedName
from tourney.errors import TourneyError
from tourney.rules.binding import Binder
from tourney.rules.bounds import PlacedExpression, count_words
from tourney.rules.expressions.deck import Deck, Evaluator, View
from tourney.rules.expressions.describing import listed_once
from tourney.rules.expressions.language import About
from tourney.rules.expressions.values import Slot, Value, truth
from tourney.rules.findings import Outcome, Rule
from tourney.rules.format import Format
from tourney.rules.kinds.kind import RuleKind
from tourney.rules.kinds.permissions import arrange
from tourney.rules.vocabulary import RuleEntry, RuleFile


class KitFile(RuleFile, frozen=True, kw_only=True):
    """`[kit]`: the deck must have exactly the cards of a fixed box.

    cards:   card → copies
    zone:    the zone with these cards; by default the default zone
    members: card of the box → the condition on its substitutes. A list can name any card that fulfils the
             condition in place of the card of the box. If the pool does not have the substitute, the list
             must declare its facts
    """

    cards: dict[str, int]
    zone: str = ""
    members: dict[str, str] = msgspec.field(default_factory=dict)


class KitKind(RuleKind[KitFile]):
    """The kind of rule `[kit]`: the deck is a fixed box of cards."""

    word = "kit"
    shape = KitFile
    position = 5
    single = True
    together = True

    def normalize(self, rule: KitFile, place: str) -> KitFile:
        """Return the `[kit]` table with an id: its own, or else `kit`.

        Raises TourneyError for a number of copies below 1, and for a card in `members` that is not in
        `cards`.
        """
        for card, number in rule.cards.items():
            if number < 1:
                raise TourneyError(f'{place}.cards."{card}": expected at least 1 copy, found {number}')
        for card in rule.members:
            if card not in rule.cards:
                raise TourneyError(f'{place}.members."{card}": there is no such card among `cards`')
        return replace(rule, id=rule.id or "kit")

    def named_zones(self, entry: RuleEntry[KitFile]) -> Iterator[tuple[str, str]]:
        """Yield the zone that `[kit]` names, if it names one, with its place (file and key path)."""
        if entry.rule.zone:
            yield entry.rule.zone, f"{entry.place}.zone"

    def named_cards(self, entry: RuleEntry[KitFile]) -> Iterator[tuple[str, str]]:
        """Yield the name of each card of a `[kit]` (a fixed box), with file and key path."""
        return ((card, f"{entry.place}.cards") for card in entry.rule.cards)

    def expressions(self, entry: RuleEntry[KitFile]) -> Iterator[PlacedExpression]:
        """Yield the conditions in the `members` of a `[kit]`, a fixed box of cards."""
        for name, text in entry.rule.members.items():
            yield PlacedExpression(text, f'{entry.place}.members."{name}"')

    def warnings(
        self,
        entries: Sequence[RuleEntry[KitFile]],  # noqa: ARG002
        format_: Format,  # noqa: ARG002
    ) -> Iterator[str]:
        """Yield no warnings: `[kit]` has an effect even if its zone is not part of the deck."""
        return iter(())

    def bind_one(self, entry: RuleEntry[KitFile], binder: Binder) -> Rule:
        """Compile a `[kit]` rule (the deck is a fixed box) for a card pool.

        Raises TourneyError if the rule does not fit the pool.
        """
        kit = entry.rule
        return Kit(
            terms=binder.terms(entry, About.CARD),
            zone=kit.zone or binder.format.default_zone,
            cards=binder.keyed(kit.cards),
            names={binder.key(name): name for name in kit.cards},
            members={
                binder.key(name): binder.bind(text, f'{entry.place}.members."{name}"')
                for name, text in kit.members.items()
            },
        )

    def words(self, rule: KitFile) -> str:
        """Return the cards of the fixed box (`[kit]`) in words."""
        return "exactly " + ", ".join(f"{number} {card}" for card, number in rule.cards.items())


class Kit(Rule, frozen=True, kw_only=True):
    """The rule `[kit]`: the deck must have exactly the cards of a fixed box.

    zone:    the zone with these cards
    cards:   folded name of a card of the box → copies
    names:   folded name of a card of the box → its name as written
    members: folded name of a card of the box → the condition on its substitutes. A substitute is a card that
             a list can name in place of the card of the box
    """

    zone: str
    cards: Mapping[FoldedName, int]
    names: Mapping[FoldedName, str]
    members: Mapping[FoldedName, Evaluator]

    def find(self, deck: Deck) -> Iterator[Outcome]:
        """Yield a finding for each card that does not have as many copies as in the fixed box."""
        inside: dict[FoldedName, list[Slot]] = {}
        for slot in deck.slots:
            if slot.zone == self.zone:
                key = next((key for key in slot.keys if key in self.cards), slot.key)
                inside.setdefault(key, []).append(slot)
        doubts = self._place_members(deck, inside)
        findings = list(self._findings(deck, inside))
        yield from findings
        if doubts and not findings:
            yield self.terms.undecided(doubts)

    def _findings(self, deck: Deck, inside: Mapping[FoldedName, list[Slot]]) -> Iterator[Outcome]:
        for key, slots in inside.items():
            number, box_copies = sum(slot.qty for slot in slots), self.cards.get(key, 0)
            if number != box_copies:
                yield self.terms.finding(
                    f"{count_words(number, 'copy')}, the box holds {box_copies}"
                    if box_copies
                    else "is not in the box",
                    slots=slots,
                    view=View(deck).of(slots[0]),
                    have=number,
                    allowed=box_copies,
                    hint=None if box_copies else self._member_hint(),
                )
        # A message with an expression cannot be used for a card that is not there.
        view = None if self.terms.holes else View(deck)
        for key, box_copies in self.cards.items():
            if key not in inside:
                yield self.terms.finding(
                    f"missing; the box holds {count_words(box_copies, 'copy')}",
                    subjects=(self.names[key],),
                    view=view,
                    have=0,
                    allowed=box_copies,
                    zone=self.zone,
                )

    def _member_hint(self) -> str | None:
        if not self.members:
            return None
        names = listed_once((self.names[key] for key in self.members), "or")
        return f"write {names} for a card of the box whose name is not published"

    def _place_members(self, deck: Deck, inside: dict[FoldedName, list[Slot]]) -> list[Value]:
        """Count each substitute as the card of the fixed box that it replaces.

        A substitute is a card that a list may name in place of a card of the box (see `members`). If it fits
        several cards of the box, its copies go to cards of which copies are missing, as far as possible.
        Changes `inside` (folded name → the copies in the kit's zone). Returns the results of the conditions
        for cards that the pool does not have.
        """
        members: list[tuple[Slot, list[int]]] = []  # with the places of the cards in `keys` that it could be
        doubts: list[Value] = []
        for key in [key for key in inside if key not in self.cards]:
            slot = inside[key][0]
            is_listed = slot.card.is_listed or slot.card.attributes
            if not is_listed and not slot.declared:
                continue  # nothing is known about it, so it is not in the box
            view = View(deck).of(slot)
            answers = [truth(member(view)) for member in self.members.values()]
            if not is_listed:
                doubts += answers
            if fits := [place for place, answer in enumerate(answers) if answer is not False]:
                members += [(slot, fits) for slot in inside.pop(key)]
        keys = list(self.members)
        free = (self.cards[key] - sum(slot.qty for slot in inside.get(key, ())) for key in keys)
        amounts, fitting = [slot.qty for slot, _ in members], [fits for _, fits in members]
        best = arrange(amounts, fitting, [max(0, number) for number in free])
        for item, (slot, fits) in enumerate(members):
            assigned = Counter(best.placed.get(item, {}))
            assigned[fits[0]] += best.unplaced.get(item, 0)
            for place, number in (+assigned).items():
                inside.setdefault(keys[place], []).append(replace(slot, qty=number))
        return doubts
