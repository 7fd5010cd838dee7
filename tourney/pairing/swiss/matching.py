"""Matchings by rustworkx (the blossom algorithm), and proofs that they are optimal.

A *matching* is a set of edges that have no vertex in common. It is *perfect* if it has every vertex. In a
round, the vertices are the players and the bye, and an edge is a possible table.

`cheapest_matching`, `heaviest_matching` and `largest_matching` return matchings. `deficiency` returns how
many players are left over when as many as possible are paired with each other, and `witness` returns the
proof. `duals_of` returns numbers for players and sets of players, the *duals*, which prove that a perfect
matching is the cheapest. No other module calls rustworkx.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import Enum
from typing import TypeVar

from msgspec import Struct, field

from tourney.pairing.pairing import Pair
from tourney.record import PlayerId

Vertex = TypeVar("Vertex", bound=Hashable)


class MatchingError(RuntimeError):
    """The matching library failed, or returned something that is not a matching. This is a bug."""


def cheapest_matching(
    vertices: Sequence[Vertex], edges: Sequence[tuple[Vertex, Vertex]], prices: Sequence[int]
) -> list[tuple[Vertex, Vertex]] | None:
    """Return the perfect matching with the least total price, or None if none is perfect.

    The pairs, and the two vertices of each pair, are in the order of `vertices`.

    prices: the price of each edge, non-negative, of at most 112 bits (`levels.MOST_BITS`)
    """
    if len(vertices) % 2:
        return None
    top_price = max(prices, default=0)
    matching = _match(vertices, edges, [top_price - price for price in prices])
    return matching if 2 * len(matching) == len(vertices) else None


def heaviest_matching(
    vertices: Sequence[Vertex], edges: Sequence[tuple[Vertex, Vertex]], weights: Sequence[int]
) -> list[tuple[Vertex, Vertex]]:
    """Return the matching with the greatest total weight, which may leave vertices unmatched.

    The pairs are in the order of `vertices`.
    """
    return _match(vertices, edges, weights, all_matched=False)


def largest_matching(
    vertices: Sequence[Vertex], edges: Sequence[tuple[Vertex, Vertex]]
) -> list[tuple[Vertex, Vertex]]:
    """Return a matching with the largest possible number of edges."""
    return _match(vertices, edges, [1] * len(edges))


def _match(
    vertices: Sequence[Vertex],
    edges: Sequence[tuple[Vertex, Vertex]],
    weights: Sequence[int],
    *,
    all_matched: bool = True,
) -> list[tuple[Vertex, Vertex]]:
    if not edges:
        return []
    import rustworkx  # 30 ms: only for commands that pair

    node = {vertex: number for number, vertex in enumerate(vertices)}
    # The edges are unique. With `multigraph=False` rustworkx would check that for each edge, which is slow.
    graph = rustworkx.PyGraph(multigraph=True)
    graph.add_nodes_from(range(len(vertices)))
    graph.add_edges_from(
        [(node[one], node[other], weight) for (one, other), weight in zip(edges, weights, strict=True)]
    )
    try:
        matching = rustworkx.max_weight_matching(graph, max_cardinality=all_matched, weight_fn=int)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as fault:  # a panic of the native library is not an Exception
        raise MatchingError(f"rustworkx gave up on {len(vertices)} players: {fault}") from fault
    matched_nodes = {number for pair in matching for number in pair}
    if len(matched_nodes) != 2 * len(matching):
        raise MatchingError(f"rustworkx seated a player twice among {len(vertices)} players")
    return [
        (vertices[one], vertices[other]) for one, other in sorted((min(pair), max(pair)) for pair in matching)
    ]


# -- players who cannot all be paired with each other, and the proof (Berge, Tutte, Gallai and Edmonds)


MayMeet = Callable[[PlayerId, PlayerId], bool]
"""A function that returns whether two players can be paired, in either order.

The caller decides what a conflict is.
"""


def deficiency(players: Sequence[PlayerId], may_meet: MayMeet) -> int:
    """Return how many players are left over when as many as possible are paired with each other."""
    return exact_deficiency(players, may_meet, greedy_leftovers(players, may_meet))


def greedy_leftovers(
    players: Sequence[PlayerId], may_meet: MayMeet, waiting: Sequence[PlayerId] = ()
) -> list[PlayerId]:
    """Return the players left over by greedy pairing. Every two of them have a conflict.

    Each player in turn is paired with the first waiting player who is a possible opponent. If there is none,
    the player waits, too.

    waiting: the players who wait from the start; every two of them have a conflict
    """
    leftovers = list(waiting)
    for player in players:
        partner = next((other for other in leftovers if may_meet(other, player)), None)
        if partner is None:
            leftovers.append(player)
        else:
            leftovers.remove(partner)
    return leftovers


def exact_deficiency(players: Sequence[PlayerId], may_meet: MayMeet, leftovers: Sequence[PlayerId]) -> int:
    """Return how many of `players` are left over when as many as possible of them are paired.

    leftovers: the players left over by `greedy_leftovers`

    If the players of a large club may not meet each other and outnumber all other players, no matching is
    needed: each other player can meet at most one of them.
    """
    if len(leftovers) <= len(players) % 2:
        return len(leftovers)
    clique, leftover_set = list(leftovers), set(leftovers)
    for player in players:
        if player not in leftover_set and not any(may_meet(player, other) for other in clique):
            clique.append(player)
    clique_set = set(clique)
    other_players = [player for player in players if player not in clique_set]
    count = len(greedy_leftovers(other_players, may_meet, clique))
    if count <= max(len(clique) - len(other_players), len(players) % 2):
        return count
    return len(players) - 2 * len(largest_matching(players, pairs_among(players, may_meet)))


def pairs_among(players: Sequence[PlayerId], may_meet: MayMeet) -> list[Pair]:
    """Return all pairs of players who may meet. Each pair is in the order of `players`."""
    return [
        (one, other)
        for number, one in enumerate(players)
        for other in players[number + 1 :]
        if may_meet(one, other)
    ]


class Witness(Struct, frozen=True):
    """The proof that pairing some players with each other leaves some of them over.

    removed: a few of the players, such that the others fall into parts
    parts:   the parts; players of different parts may not meet

    A part with an odd number of players cannot be paired within itself, so one of its players must meet a
    player from `removed`. So at least (number of odd parts − number of removed players) players are left
    over.
    """

    removed: tuple[PlayerId, ...]
    parts: tuple[tuple[PlayerId, ...], ...]

    @property
    def left_over(self) -> int:
        """The least number of players without a partner, as `removed` and `parts` prove.

        It is the number of parts with an odd number of players, minus the number of players in `removed`.
        """
        return sum(len(part) % 2 for part in self.parts) - len(self.removed)


def witness(players: Sequence[PlayerId], may_meet: MayMeet) -> Witness:
    """Return the proof of the value of `deficiency`, by the theorem of Gallai and Edmonds."""
    tables = pairs_among(players, may_meet)
    removed = _separating_set(players, tables, largest_matching(players, tables))
    other_players = [player for player in players if player not in removed]
    removed_players = tuple(player for player in players if player in removed)
    return Witness(removed_players, tuple(_parts(other_players, tables)))


def _separating_set(vertices: Sequence[int], edges: Sequence[Edge], matching: Sequence[Edge]) -> set[int]:
    """Return the set A of the theorem of Gallai and Edmonds: the players to remove.

    Let D be the set of players who have no partner in at least one largest matching. A is the set of players
    outside D who have a neighbour in D. A search from the players who have no partner in `matching` finds A:
    it gives the players of A the label ODD (`_Label`).

    matching: a largest matching
    """
    mates = {one: other for edge in matching for one, other in (edge, edge[::-1])}
    search = _Search(vertices, dict.fromkeys(edges, 0), mates)
    assert not search.augment(), "a largest matching cannot grow"
    return {vertex for node in search.nodes() if node.label is _Label.ODD for vertex in node.vertices()}


def _parts(players: Sequence[PlayerId], tables: Sequence[Pair]) -> list[tuple[PlayerId, ...]]:
    """Return the connected components of the graph of players whose edges are `tables`.

    Two players are in the same component if a chain of tables connects them.
    """
    neighbours: dict[PlayerId, list[PlayerId]] = {player: [] for player in players}
    for one, other in tables:
        if one in neighbours and other in neighbours:
            neighbours[one].append(other)
            neighbours[other].append(one)
    visited_players: set[PlayerId] = set()
    parts = []
    for player in players:
        if player not in visited_players:
            part, stack = [], [player]
            visited_players.add(player)
            while stack:
                part.append(stack.pop())
                new_players = [other for other in neighbours[part[-1]] if other not in visited_players]
                visited_players.update(new_players)
                stack.extend(new_players)
            parts.append(tuple(part))
    return parts


# -- a cheapest perfect matching with the duals that prove it, on integers of any size
#
# rustworkx does not return its duals. This is Edmonds' primal-dual search, with one augmentation in each
# stage. It is written for small sparse graphs, and is clear rather than fast. Its duals are only used as a
# proof, and the proof is checked by arithmetic.
#
# The duals are a number Y for each vertex (its *potential*) and a number Z ≥ 0 for some odd sets B of
# vertices. For every edge of cost c they satisfy:
#
#     Y_u + Y_v - (sum of Z_B over B that contain both) ≤ 2·c(u, v)
#
# So twice the cost of every perfect matching is at least (sum of Y) - sum of Z_B · (|B| - 1) / 2. For the
# matching that the search finds, it is exactly that number.


class Duals(Struct, frozen=True):
    """The numbers that prove the cost of a cheapest perfect matching.

    potentials: a number Y for each vertex
    odd_sets:   some sets with an odd number of vertices, each with a number Z ≥ 0

    For every edge, the sum of its two Y, minus the Z of each set that has both vertices, is at most twice the
    cost of the edge. So twice the cost of every perfect matching is at least `value`.
    """

    potentials: Mapping[int, int]
    odd_sets: tuple[tuple[tuple[int, ...], int], ...]

    @property
    def value(self) -> int:
        """Twice the least cost of a perfect matching."""
        return sum(self.potentials.values()) - sum(
            z * (len(members) - 1) // 2 for members, z in self.odd_sets
        )


def duals_of(vertices: Sequence[int], costs: Mapping[Edge, int]) -> Duals | None:
    """Return the duals of a cheapest perfect matching, or None if there is no perfect matching.

    costs: the cost of each edge
    """
    search = _Search(vertices, costs, {})
    while len(search.mates) < len(vertices):
        if not search.augment():
            return None
    blossoms = [blossom for node in search.nodes() for blossom in node.blossoms() if blossom.dual]
    return Duals(
        search.potentials, tuple((tuple(sorted(blossom.vertices())), blossom.dual) for blossom in blossoms)
    )


class _Search:
    """The state of the dual search: the potentials, the matching, the blossoms and the labels.

    A blossom is an odd cycle of nodes that acts as one vertex. A node is a vertex or a blossom. Its label
    says whether the search reached it by an even or an odd number of edges.

    mates: the matching from which the search starts
    """

    def __init__(self, vertices: Sequence[int], costs: Mapping[Edge, int], mates: Mates) -> None:
        self.costs = {edge: 2 * cost for edge, cost in costs.items()}
        # All start equal, so that the potentials of unmatched vertices stay congruent modulo 2.
        start = min(costs.values(), default=0)
        self.potentials = dict.fromkeys(vertices, start)
        self.mates = mates
        self.outer = {vertex: _Node(vertex) for vertex in vertices}

    def nodes(self) -> list[_Node]:
        """Return the vertices and blossoms that are not inside another blossom."""
        return list({id(node): node for node in self.outer.values()}.values())

    def augment(self) -> bool:
        """Search until the matching grows by one edge. Return False if it cannot grow."""
        for node in self.outer.values():
            node.label = _Label.NONE if node.base in self.mates else _Label.EVEN
        while True:
            if self._follow_tight_edges():
                return True
            if not self._shift_potentials():
                return False

    def _open_edges(self) -> Iterator[Edge]:
        """Yield the edges from a node with the label EVEN to another node whose label is not ODD.

        Each edge starts with its vertex in the EVEN node.
        """
        outer = self.outer
        for one, other in self.costs:
            upper, lower = outer[one], outer[other]
            if upper is not lower:
                if upper.label is _Label.EVEN and lower.label is not _Label.ODD:
                    yield one, other
                elif lower.label is _Label.EVEN and upper.label is _Label.NONE:
                    yield other, one

    def _follow_tight_edges(self) -> bool:
        """Grow the search trees and shrink blossoms along tight edges (edges without slack).

        Return True if the matching has grown by an edge, and False if no tight edge is left.
        """
        has_grown = True
        while has_grown:
            has_grown = False
            for one, other in list(self._tight_edges()):
                upper, lower = self.outer[one], self.outer[other]
                if upper is lower or upper.label is not _Label.EVEN or lower.label is _Label.ODD:
                    continue
                has_grown = True
                if lower.label is _Label.NONE:
                    self._grow(one, other)
                elif self._path_up(upper)[-1] is not self._path_up(lower)[-1]:
                    self._match_along(one, other)
                    self._match_along(other, one)
                    return True
                else:
                    self._shrink(one, other)
        return False

    def _tight_edges(self) -> Iterator[Edge]:
        costs, potentials = self.costs, self.potentials
        for one, other in self._open_edges():
            cost = costs[one, other] if (one, other) in costs else costs[other, one]
            if cost == potentials[one] + potentials[other]:
                yield one, other

    def _grow(self, one: int, other: int) -> None:
        """Add a matched node to the tree by the edge (`one`, `other`), and the node's partner too."""
        node = self.outer[other]
        node.label, node.entry = _Label.ODD, (one, other)
        self.outer[self.mates[node.base]].label = _Label.EVEN

    def _path_up(self, node: _Node) -> list[_Node]:
        """Return all nodes on the path from a node with the label EVEN to the root of its tree."""
        path = [node]
        while path[-1].base in self.mates:
            odd_node = self.outer[self.mates[path[-1].base]]
            path += [odd_node, self.outer[odd_node.entry[0]]]
        return path

    def _edge_up(self, node: _Node) -> Edge:
        """Return the first edge on the path from a node to the root of its tree.

        The edge is (vertex inside the node, vertex outside).
        """
        if node.label is _Label.EVEN:
            return node.base, self.mates[node.base]
        return node.entry[1], node.entry[0]

    def _shrink(self, one: int, other: int) -> None:
        """Shrink an odd cycle to a blossom: the cycle that the edge (`one`, `other`) closes.

        The edge joins two even nodes of the same search tree.
        """
        first, second = self._path_up(self.outer[one]), self._path_up(self.outer[other])
        first_ids = set(map(id, first))
        top = next(node for node in second if id(node) in first_ids)
        left = first[: next(place for place, node in enumerate(first) if node is top)]
        right = second[: next(place for place, node in enumerate(second) if node is top)]
        children = [top, *left[::-1], *right]
        links = [self._edge_up(node)[::-1] for node in left[::-1]]
        links += [(one, other), *(self._edge_up(node) for node in right)]
        blossom = _Node(top.base, children, links, label=_Label.EVEN)
        for vertex in blossom.vertices():
            self.outer[vertex] = blossom

    def _match_along(self, one: int, other: int) -> None:
        """Match `one` to `other`, and exchange the matched edges on the path from `one` to its root."""
        while True:
            node = self.outer[one]
            old_partner = self.mates.get(node.base)
            node.rebase(one, self.mates)
            self.mates[one] = other
            if old_partner is None:
                return
            odd_node = self.outer[old_partner]
            one, other = odd_node.entry
            odd_node.rebase(other, self.mates)
            self.mates[other] = one

    def _shift_potentials(self) -> bool:
        """Change the potentials until an edge has no slack (becomes tight) or a dual becomes 0.

        Return False if there is no perfect matching.
        """
        nodes = self.nodes()
        limits = [node.dual // 2 for node in nodes if node.label is _Label.ODD and node.children]
        for one, other in self._open_edges():
            slack = self._slack((one, other) if (one, other) in self.costs else (other, one))
            limits.append(slack // 2 if self.outer[other].label is _Label.EVEN else slack)
        if not limits:
            return False
        amount = min(limits)
        for vertex, node in self.outer.items():
            self.potentials[vertex] += {_Label.EVEN: amount, _Label.ODD: -amount, _Label.NONE: 0}[node.label]
        for node in nodes:
            if node.children:
                node.dual += {_Label.EVEN: 2 * amount, _Label.ODD: -2 * amount, _Label.NONE: 0}[node.label]
        for node in [node for node in nodes if node.children and node.label is _Label.ODD and not node.dual]:
            self._expand(node)
        return True

    def _slack(self, edge: Edge) -> int:
        return self.costs[edge] - self.potentials[edge[0]] - self.potentials[edge[1]]

    def _expand(self, blossom: _Node) -> None:
        """Dissolve an odd blossom whose dual is 0.

        The path from its entry to its base stays in the tree.
        """
        for child in blossom.children:
            child.label = _Label.NONE
            for vertex in child.vertices():
                self.outer[vertex] = child
        for number, (child, link) in enumerate(blossom.path_to_base(blossom.entry[1])):
            child.label = _Label.EVEN if number % 2 else _Label.ODD
            if not number % 2:
                child.entry = blossom.entry if link is None else link


# -- nodes of the dual search: vertices and blossoms (odd cycles of nodes that act as one vertex)


Edge = tuple[int, int]
"""The two vertices of an edge. The caller numbers the vertices."""

Mates = dict[int, int]
"""Each matched vertex → its partner. Each matched edge has two entries."""


class _Label(Enum):
    """How the search reached a node from an unmatched node.

    EVEN: by a path with an even number of edges; an unmatched node itself is even
    ODD:  by a path with an odd number of edges
    NONE: not yet
    """

    EVEN = "even"
    ODD = "odd"
    NONE = "none"


class _Node(Struct, eq=False):
    """A vertex, or a blossom: an odd cycle of nodes, matched inside except for its base.

    base:     the vertex through which the node is matched to the outside
    children: the nodes of the cycle, the child with the base first; empty for a vertex
    links:    links[i] joins children[i] to the next child (the last child to the first), as (vertex in
              children[i], vertex in the next child)
    dual:     the number Z of the blossom (see `Duals`); 0 for a vertex
    entry:    the edge by which an odd node was reached, as (vertex outside, vertex inside)
    """

    base: int
    children: list[_Node] = field(default_factory=list)
    links: list[Edge] = field(default_factory=list)
    dual: int = 0
    label: _Label = _Label.NONE
    entry: Edge = (0, 0)

    def vertices(self) -> Iterator[int]:
        """Yield the vertex itself, or all vertices inside the blossom."""
        if not self.children:
            yield self.base
        for child in self.children:
            yield from child.vertices()

    def blossoms(self) -> Iterator[_Node]:
        """Yield this blossom and the blossoms inside it; nothing for a vertex."""
        if self.children:
            yield self
        for child in self.children:
            yield from child.blossoms()

    def child_index(self, vertex: int) -> int:
        """Return the index of the part of this blossom (in `children`) that contains a vertex."""
        return next(place for place, child in enumerate(self.children) if vertex in child.vertices())

    def rebase(self, vertex: int, mates: Mates) -> None:
        """Make `vertex` the base, and match the other vertices of this blossom with each other."""
        if self.children:
            place = self.child_index(vertex)
            self.children = self.children[place:] + self.children[:place]
            self.links = self.links[place:] + self.links[:place]
            self.children[0].rebase(vertex, mates)
            for odd in range(1, len(self.children), 2):
                near_vertex, far_vertex = self.links[odd]
                self.children[odd].rebase(near_vertex, mates)
                self.children[odd + 1].rebase(far_vertex, mates)
                mates[near_vertex], mates[far_vertex] = far_vertex, near_vertex
        self.base = vertex

    def path_to_base(self, vertex: int) -> list[tuple[_Node, Edge | None]]:
        """Return the children on the path around the blossom from the one with `vertex` to the base.

        Of the two directions, it takes the one with an even number of links. The links are then alternately
        matched and unmatched, a matched link first. Each child comes with the link from the previous child,
        as (vertex in the previous child, vertex in this child). The first child comes with None.
        """
        place, size = self.child_index(vertex), len(self.children)
        path: list[tuple[_Node, Edge | None]] = [(self.children[place], None)]
        if place % 2:
            return [
                *path,
                *((self.children[(step + 1) % size], self.links[step]) for step in range(place, size)),
            ]
        return [*path, *((self.children[step], self.links[step][::-1]) for step in range(place - 1, -1, -1))]
