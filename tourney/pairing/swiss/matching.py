"""Minimum-weight perfect matching: the one door to rustworkx, which writes the blossom algorithm for us."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

Vertex = TypeVar("Vertex", bound=Hashable)


class MatchingError(RuntimeError):
    """The matching library gave up or answered something that is no matching: a bug, never the organizer's fault."""


def cheapest(
    vertices: Sequence[Vertex], edges: Sequence[tuple[Vertex, Vertex]], prices: Sequence[int]
) -> list[tuple[Vertex, Vertex]] | None:
    """Return the perfect matching of least total price, or None if there is none.

    prices: non-negative, one an edge, at most 112 bits (`digits.MOST_BITS`).
    The pairs and their two sides come in the order of `vertices`.
    """
    if len(vertices) % 2:
        return None
    top = max(prices, default=0)
    chosen = _match(vertices, edges, [top - price for price in prices])
    return chosen if 2 * len(chosen) == len(vertices) else None


def heaviest(
    vertices: Sequence[Vertex], edges: Sequence[tuple[Vertex, Vertex]], weights: Sequence[int]
) -> list[tuple[Vertex, Vertex]]:
    """Return the matching of greatest total weight, of whatever size; the pairs in the order of `vertices`."""
    return _match(vertices, edges, weights, all_matched=False)


def most(vertices: Sequence[Vertex], edges: Sequence[tuple[Vertex, Vertex]]) -> list[tuple[Vertex, Vertex]]:
    """Return a matching of the largest possible number of edges."""
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
    graph = rustworkx.PyGraph(
        multigraph=True
    )  # building a multigraph is several times faster; no edge is double
    graph.add_nodes_from(range(len(vertices)))
    graph.add_edges_from(
        [(node[one], node[other], weight) for (one, other), weight in zip(edges, weights, strict=True)]
    )
    try:
        matched = rustworkx.max_weight_matching(graph, max_cardinality=all_matched, weight_fn=int)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as fault:  # a panic of the native library is not an Exception
        raise MatchingError(f"rustworkx gave up on {len(vertices)} players: {fault}") from fault
    seated = {number for pair in matched for number in pair}
    if len(seated) != 2 * len(matched):
        raise MatchingError(f"rustworkx seated somebody twice among {len(vertices)} players")
    return [
        (vertices[one], vertices[other]) for one, other in sorted((min(pair), max(pair)) for pair in matched)
    ]
