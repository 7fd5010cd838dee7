"""Nodes of the dual search: vertices and blossoms (odd cycles of nodes that act as one vertex), after Edmonds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

Edge = tuple[int, int]
Mates = dict[int, int]


class Label(Enum):
    """What a node is in the search: reached over an even path from an unmatched one, over an odd path, or not reached."""

    EVEN = "even"
    ODD = "odd"
    NONE = "none"


@dataclass(eq=False)
class Node:
    """A vertex, or a blossom: an odd cycle of nodes matched inside but for its base.

    base:     the vertex through which it is matched to the outside
    children: the cycle, the child with the base first; empty for a vertex
    links:    links[i] joins children[i] to the next child (the last one to the first), as (vertex here, vertex there)
    dual:     z of its vertices as a set; a vertex has none
    entry:    the edge by which an odd node was reached, as (vertex outside, vertex inside)
    """

    base: int
    children: list[Node] = field(default_factory=list)
    links: list[Edge] = field(default_factory=list)
    dual: int = 0
    label: Label = Label.NONE
    entry: Edge = (0, 0)

    def vertices(self) -> Iterator[int]:
        """Yield all vertices inside."""
        if not self.children:
            yield self.base
        for child in self.children:
            yield from child.vertices()

    def blossoms(self) -> Iterator[Node]:
        """Yield this blossom and those inside; nothing for a vertex."""
        if self.children:
            yield self
        for child in self.children:
            yield from child.blossoms()

    def child_with(self, vertex: int) -> int:
        """Return the place of the child that has a vertex in it."""
        return next(place for place, child in enumerate(self.children) if vertex in child.vertices())

    def rebase(self, vertex: int, mates: Mates) -> None:
        """Make `vertex` the base: rematch the inside so that everybody else in it is matched inside."""
        if self.children:
            place = self.child_with(vertex)
            self.children = self.children[place:] + self.children[:place]
            self.links = self.links[place:] + self.links[:place]
            self.children[0].rebase(vertex, mates)
            for odd in range(1, len(self.children), 2):
                here, there = self.links[odd]
                self.children[odd].rebase(here, mates)
                self.children[odd + 1].rebase(there, mates)
                mates[here], mates[there] = there, here
        self.base = vertex

    def way_to_base(self, vertex: int) -> list[tuple[Node, Edge | None]]:
        """Return the children from the one with `vertex` to the base's, over an even number of links.

        Each comes with the link from the child before it, as (vertex there, vertex here). The first link leads to the
        child's partner inside the blossom, so links are matched and unmatched in turn.
        """
        place, size = self.child_with(vertex), len(self.children)
        way: list[tuple[Node, Edge | None]] = [(self.children[place], None)]
        if place % 2:
            return [
                *way,
                *((self.children[(step + 1) % size], self.links[step]) for step in range(place, size)),
            ]
        return [*way, *((self.children[step], self.links[step][::-1]) for step in range(place - 1, -1, -1))]
