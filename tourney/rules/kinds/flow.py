"""Who takes which place: copies on one side, places of limited size on the other, solved exactly.

A maximum flow in a bipartite network by augmenting paths; the numbers are those of a decklist. What remains unplaced
comes with the set of places that it and its rivals fill: the proof that there is no better arrangement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec


class Arrangement(msgspec.Struct, frozen=True):
    """The best arrangement.

    placed:    item → place → how many
    unplaced:  item → how many found no place
    shortages: for the unplaced, which items compete for which full places (no places: none would take the item)
    """

    placed: Mapping[int, Mapping[int, int]]
    unplaced: Mapping[int, int]
    shortages: tuple[Shortage, ...]


class Shortage(msgspec.Struct, frozen=True):
    """Items that fit nowhere but in these places, and together are more than these have room for."""

    items: tuple[int, ...]
    places: tuple[int, ...]


def arrange(amounts: Sequence[int], fits: Sequence[Sequence[int]], room: Sequence[int]) -> Arrangement:
    """Place as many as possible. amounts: of each item; fits: the places each item may take; room: of each place.

    The same input gives the same arrangement: earlier items and earlier places go first.
    """
    network = _Network(fits, room)
    unplaced = {}
    for item, amount in enumerate(amounts):
        left = amount
        while left and (moved := network.place(item, left)):
            left -= moved
        if left:
            unplaced[item] = left
    return Arrangement(network.placed, unplaced, tuple(network.shortages(unplaced)))


class _Network:
    def __init__(self, fits: Sequence[Sequence[int]], room: Sequence[int]) -> None:
        self.fits = fits
        self.room = list(room)
        self.placed: dict[int, dict[int, int]] = {}
        self.guests: dict[int, dict[int, int]] = {}

    def place(self, item: int, wanted: int) -> int:
        """Find room for some of `item`, moving others where that helps; return how many found room, 0 if none."""
        came: dict[int, int] = {}
        seen = {item}
        waiting = [item]
        for one in waiting:
            for place in self.fits[one]:
                if place in came:
                    continue
                came[place] = one
                if self.room[place]:
                    return self._move(item, place, came, wanted)
                rivals = [guest for guest in self.guests.get(place, ()) if guest not in seen]
                seen.update(rivals)
                waiting.extend(rivals)
                for guest in rivals:
                    came[-1 - guest] = place
        return 0

    def _move(self, item: int, place: int, came: Mapping[int, int], wanted: int) -> int:
        steps: list[
            tuple[int, int]
        ] = []  # each item of the path takes one place and, but for the first, leaves one
        amount = min(wanted, self.room[place])
        one = came[place]
        end = place
        while True:
            steps.append((one, place))
            if one == item:
                break
            place = came[-1 - one]
            amount = min(amount, self.placed[one][place])
            steps.append((one, -1 - place))
            one = came[place]
        for one, where in steps:
            self._change(one, where if where >= 0 else -1 - where, amount if where >= 0 else -amount)
        self.room[end] -= amount
        return amount

    def _change(self, item: int, place: int, amount: int) -> None:
        for table, first, second in ((self.placed, item, place), (self.guests, place, item)):
            row = table.setdefault(first, {})
            row[second] = row.get(second, 0) + amount
            if not row[second]:
                del row[second]

    def shortages(self, unplaced: Iterable[int]) -> Iterator[Shortage]:
        """Put the unplaced together where they want the same places."""
        found: list[tuple[set[int], set[int]]] = []
        for item in unplaced:
            items, places = self._reachable(item)
            for other in [other for other in found if other[1] & places]:
                found.remove(other)
                items |= other[0]
                places |= other[1]
            found.append((items, places))
        for items, places in found:
            yield Shortage(tuple(sorted(items)), tuple(sorted(places)))

    def _reachable(self, item: int) -> tuple[set[int], set[int]]:
        """Return the full places an item could take, who sits in them, where else those could sit, and so on."""
        items, places = {item}, set()
        waiting = [item]
        for one in waiting:
            for place in self.fits[one]:
                if place not in places:
                    places.add(place)
                    new = sorted(set(self.guests.get(place, ())) - items)
                    items.update(new)
                    waiting.extend(new)
        return items, places
