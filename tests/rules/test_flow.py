"""Arrangements: compared with another solver, and the proofs that no arrangement is better."""

from hypothesis import given
from hypothesis import strategies as st

from tests.kit import examples
from tourney.rules.kinds.permissions import arrange

PROBLEMS = st.integers(1, 4).flatmap(
    lambda places: st.tuples(
        st.lists(st.tuples(st.integers(1, 5), st.sets(st.integers(0, places - 1)).map(sorted)), max_size=6),
        st.lists(st.integers(0, 6), min_size=places, max_size=places),
    )
)


def most(amounts, fits, room):
    import networkx  # slow to import, and each worker imports this module

    network = networkx.DiGraph()
    network.add_nodes_from(["from", "to"])
    for item, amount in enumerate(amounts):
        network.add_edge("from", ("item", item), capacity=amount)
        for place in fits[item]:
            network.add_edge(("item", item), ("place", place))
    for place, size in enumerate(room):
        network.add_edge(("place", place), "to", capacity=size)
    return networkx.maximum_flow_value(network, "from", "to")


@examples(75, of=300)
@given(PROBLEMS)
def test_an_arrangement_is_the_best(problem):
    """It places as many as another solver's maximum flow, and each item in a place that it fits."""
    cards, room = problem
    amounts, fits = [amount for amount, _ in cards], [list(where) for _, where in cards]
    best = arrange(amounts, fits, room)
    placed = sum(sum(row.values()) for row in best.placed.values())
    assert placed == most(amounts, fits, room)
    assert placed + sum(best.unplaced.values()) == sum(amounts)
    for item, row in best.placed.items():
        assert set(row) <= set(fits[item])
        assert all(number > 0 for number in row.values())
    for place, size in enumerate(room):
        assert sum(row.get(place, 0) for row in best.placed.values()) <= size


@examples(75, of=300)
@given(PROBLEMS)
def test_a_shortage_proves_the_best(problem):
    """Its items fit only in its places, and these have too little room."""
    cards, room = problem
    amounts, fits = [amount for amount, _ in cards], [list(where) for _, where in cards]
    best = arrange(amounts, fits, room)
    assert bool(best.shortages) == bool(best.unplaced)
    for shortage in best.shortages:
        assert all(set(fits[item]) <= set(shortage.places) for item in shortage.items)
        assert sum(amounts[item] for item in shortage.items) > sum(room[place] for place in shortage.places)
    assert set(best.unplaced) <= {item for shortage in best.shortages for item in shortage.items}


def test_an_arrangement_is_stable():
    """Earlier items and earlier places go first."""
    assert arrange([2, 2], [[0, 1], [0]], [2, 2]).placed == {0: {1: 2}, 1: {0: 2}}
    assert arrange([1, 1], [[0, 1], [0, 1]], [1, 1]).placed == {0: {0: 1}, 1: {1: 1}}
