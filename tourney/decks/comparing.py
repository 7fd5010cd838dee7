"""Decks held side by side: which copies are where, whatever the order, comments and printings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tourney.cards.names import FoldedName, fold
from tourney.decks.decklist import Decklist
from tourney.decks.vocabulary import general_kind
from tourney.rules.slots import Slot

Place = tuple[str, FoldedName]
"""A zone and a folded name: where copies are added up."""


@dataclass(frozen=True, slots=True)
class Held:
    """Copies of one card in one zone. zone: as people call it, empty for cards under no header."""

    zone: str
    name: str
    copies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A card of which the second deck has other copies in a zone than the first. zone: as people call it."""

    zone: str
    name: str
    before: int
    after: int

    @property
    def change(self) -> int:
        """How many copies came (positive) or went."""
        return self.after - self.before


def written(deck: Decklist) -> dict[Place, Held]:
    """Add up a deck's copies as it is written: names folded, `SB` and `Sideboard` the same zone."""
    held: dict[Place, Held] = {}
    for line in deck.lines:
        kind = line.zone_id or general_kind(line.zone or "main")
        zone = "" if kind == "main" else kind or fold(line.zone or "")
        _add(held, zone, line.zone or "", line.name, line.count)
    return held


def resolved(slots: Iterable[Slot]) -> dict[Place, Held]:
    """Add up a deck's copies after its names were looked up: aliases and what counts as another card are one."""
    held: dict[Place, Held] = {}
    for slot in slots:
        _add(held, slot.zone, slot.zone, slot.name, slot.qty, key=slot.keys[-1])
    return held


def _add(
    held: dict[Place, Held], zone: str, called: str, name: str, copies: int, *, key: str | None = None
) -> None:
    place = (zone, FoldedName(key) if key is not None else fold(name))
    known = held.get(place)
    if known is not None:
        called, name, copies = known.zone, known.name, copies + known.copies
    held[place] = Held(called, name, copies)


def differences(before: Mapping[Place, Held], after: Mapping[Place, Held]) -> tuple[Difference, ...]:
    """Give every difference, by zone in the order of the decks, then by name."""
    zones = list(dict.fromkeys(zone for zone, _ in (*before, *after)))
    places = sorted({**before, **after}, key=lambda place: (zones.index(place[0]), place[1]))
    found = (
        Difference(
            zone=(before.get(place) or after[place]).zone,
            name=(before.get(place) or after[place]).name,
            before=before[place].copies if place in before else 0,
            after=after[place].copies if place in after else 0,
        )
        for place in places
    )
    return tuple(each for each in found if each.change)


def fingerprint(held: Mapping[Place, Held]) -> str:
    """Return SHA-256 over zones, cards and copies, in hexadecimal: the same for the same deck however it is written."""
    lines = sorted(f"{zone}\t{name}\t{each.copies}" for (zone, name), each in held.items())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def commitment(deck_hash: str, salt: str) -> str:
    """Return SHA-256 over salt and hash: what is published of a closed list, so that it can be proved later."""
    return hashlib.sha256(f"{salt}\n{deck_hash}".encode()).hexdigest()
