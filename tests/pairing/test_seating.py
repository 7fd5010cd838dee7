"""From pairs to tables: numbers from the top, fixed tables, sides."""

from msgspec.structs import replace

from tourney.pairing import Entrant, Mode, Options, pair


def seats(made):
    return {table.number: table.seats for table in made.tables}


def test_tables_go_by_points_from_the_top():
    """More points, lower number; the stronger player is named first."""
    entrants = [Entrant(id=number, points=number // 3) for number in range(1, 13)]
    made = pair(entrants, Options(), "s")
    points = [(entrants[a - 1].points, entrants[b - 1].points) for a, b in seats(made).values()]
    assert points == sorted(points, reverse=True)
    assert all(first >= second for first, second in points)
    assert list(seats(made)) == [1, 2, 3, 4, 5, 6]


def test_equal_tables_of_a_round_by_rating_or_rank_go_by_strength():
    """In fold, slide and rank, the strongest player's table is first of those with equal points."""
    field = [Entrant(id=n, points=2 * (n % 2), rating=2000 - 7 * n % 40, rank=n) for n in range(1, 17)]
    field = [
        replace(entrant, rank=place)
        for place, entrant in enumerate(sorted(field, key=lambda e: (-e.points, e.id)), 1)
    ]
    for mode in (Mode.FOLD, Mode.SLIDE, Mode.RANK):
        strength = {e.id: e.rank if mode is Mode.RANK else (-e.rating, e.id) for e in field}
        points = {e.id: e.points for e in field}
        for seed in ("a", "b", "c"):
            made = pair(field, Options(mode=mode), seed)
            order = [(-points[a], -points[b], min(strength[a], strength[b])) for a, b in seats(made).values()]
            assert order == sorted(order)


def test_a_fixed_table_stays_and_the_pair_moves():
    """The others fill the free numbers in order; a number beyond the last table is possible."""
    entrants = [
        Entrant(id=1, points=8), Entrant(id=2, points=8),
        Entrant(id=3, points=4, fixed_table=1), Entrant(id=4, points=4),
        Entrant(id=5, fixed_table=9), Entrant(id=6),
    ]  # fmt: skip
    assert seats(pair(entrants, Options(), "s")) == {1: (3, 4), 2: (1, 2), 9: (5, 6)}


def test_of_two_fixed_tables_the_first_seats_counts():
    """They meet at the table of the player with more points; the other number is free."""
    entrants = [
        Entrant(id=1, points=2, fixed_table=2),
        Entrant(id=2, points=2, fixed_table=1),
        *map(player, (3, 4)),
    ]
    assert seats(pair(entrants, Options(), "s")) == {2: (1, 2), 1: (3, 4)}


def player(number):
    return Entrant(id=number)


def test_numbers_start_at_the_first_table():
    """Two events in one hall can have different table numbers."""
    assert list(seats(pair([player(n) for n in range(1, 7)], Options(first_table=101), "s"))) == [
        101,
        102,
        103,
    ]


def test_the_first_side_goes_to_the_player_who_had_it_less():
    """Least imbalance first, then alternation; the first seat has the first side."""
    entrants = [Entrant(id=1, sides=(1, 1)), Entrant(id=2, sides=(1, -1))]
    assert seats(pair(entrants, Options(sides=True), "s")) == {1: (2, 1)}
    entrants = [Entrant(id=1, sides=(1, -1)), Entrant(id=2, sides=(-1, 1))]
    assert seats(pair(entrants, Options(sides=True), "s")) == {1: (1, 2)}
    entrants = [Entrant(id=1, points=2, sides=(-1,)), Entrant(id=2, sides=(1,))]
    assert seats(pair(entrants, Options(sides=True), "s")) == {1: (1, 2)}


def test_a_coin_gives_the_first_side_if_nothing_else_decides():
    """Over many seeds both players get it."""
    firsts = {seats(pair([player(1), player(2)], Options(sides=True), f"{n}"))[1][0] for n in range(20)}
    assert firsts == {1, 2}


def test_players_with_opposite_sides_meet():
    """Two who always had the first side meet the two who never had it."""
    entrants = [Entrant(id=n, sides=(1, 1) if n < 3 else (-1, -1)) for n in range(1, 5)]
    made = pair(entrants, Options(sides=True), "s")
    assert all(a > 2 > b or a > 2 >= b for a, b in seats(made).values())
    assert made.cost.imbalance == 4
