"""Which changes of a ban list a deck feels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.cards import Pool
from tourney.cards.names import fold
from tourney.decks.checking import check
from tourney.decks.decklist import Decklist
from tourney.decks.verdict import Word
from tourney.rules import Ruleset
from tourney.rules.changes import Change


@dataclass(frozen=True, slots=True)
class Hit:
    """A deck against a change of lists.

    changes:       those that name a card of the deck
    before, after: its verdict under either list, None where it was not held against a format
    """

    source: str
    changes: tuple[Change, ...]
    before: Word | None = None
    after: Word | None = None

    @property
    def felt(self) -> bool:
        """Whether the deck has a card that a change names, or its verdict is another one now."""
        return bool(self.changes) or self.before != self.after


def hit(
    decklist: Decklist,
    changes: Sequence[Change],
    pool: Pool | None,
    rules: tuple[Ruleset, Ruleset] | None = None,
) -> Hit:
    """Say what a deck feels of `changes`; names and aliases of the pool are one card.

    rules: those under the old and under the new list, to compare the verdicts
    """
    lines = [*decklist.lines, *(words.line for words in decklist.words if words.card)]
    named = {_key(reading.name, pool) for line in lines for reading in line.readings}
    felt = tuple(each for each in changes if any(_key(card, pool) in named for card in each.cards))
    if rules is None:
        return Hit(decklist.source, felt)
    before, after = (check(decklist, each).verdict for each in rules)
    return Hit(decklist.source, felt, before, after)


def _key(name: str, pool: Pool | None) -> str:
    card = pool.find(name) if pool is not None else None
    return fold(name) if pool is None or card is None else pool.counted_as(card).id
