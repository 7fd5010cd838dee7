"""Fields above 600 players, which are not one matching."""

import random
from collections import Counter

from tests.pairing.fields import history
from tourney.errors import Severity
from tourney.pairing import Entrant, Mode, Options, check, pair, prove, why, why_not
from tourney.pairing.swiss import engine


def opening(count, **more):
    return [
        Entrant(id=number, **{key: value(number) for key, value in more.items()})
        for number in range(1, count + 1)
    ]


def seats(made):
    return [table.seats for table in made.tables]


def legal(entrants, options, made):
    return not [
        finding
        for finding in check(entrants, options, made.tables, made.bye, best=made)
        if finding.severity is Severity.ERROR
    ]


def test_clubs_are_kept_apart_in_large_groups():
    """Level 4 is not exact above 600 players, but easy cases are kept."""
    entrants = opening(900, tags=lambda n: (f"club:{n % 10}",))
    assert pair(entrants, Options(), "s").cost.apart == 0
    careless = pair(entrants, Options(keep_apart=False), "s")
    assert any(a % 10 == b % 10 for a, b in seats(careless)), "it is not so by itself"


def test_sides_are_balanced_in_large_groups():
    """Players who had the first side meet players who had not."""
    entrants = opening(900, sides=lambda n: (1,) if n % 2 else (-1,))
    made = pair(entrants, Options(sides=True), "s")
    assert made.cost.imbalance == 0
    assert made.cost.side_repeats == 0


def test_a_large_first_round_by_rating_is_a_fold_or_a_slide():
    """1–700, 2–699 … and 1–351, 2–352 …; the odd last player has the bye."""
    entrants = opening(701, rating=lambda n: 3000 - n)
    fold = pair(entrants, Options(mode=Mode.FOLD), "s")
    assert {frozenset(seat) for seat in seats(fold)} == {frozenset((n, 701 - n)) for n in range(1, 351)}
    slide = pair(entrants, Options(mode=Mode.SLIDE), "s")
    assert {frozenset(seat) for seat in seats(slide)} == {frozenset((n, n + 350)) for n in range(1, 351)}
    assert (fold.bye, slide.bye) == (701, 701)
    assert (fold.cost.order, slide.cost.order) == (0, 0)


def test_a_large_last_round_by_rank_pairs_neighbours():
    """1–2, 3–4 … where they have not met."""
    entrants = opening(800, rank=lambda n: n, points=lambda n: 2 * ((800 - n) // 400))
    assert {frozenset(seat) for seat in seats(pair(entrants, Options(mode=Mode.RANK), "s"))} == {
        frozenset((n, n + 1)) for n in range(1, 800, 2)
    }


def test_the_bye_of_a_large_group_depends_on_the_seed():
    """Different players of the same class have it."""
    entrants = opening(801, byes=lambda n: int(n < 700))
    byes = {pair(entrants, Options(), f"{n}").bye for n in range(6)}
    assert len(byes) > 3
    assert min(byes) >= 700


def test_answers_work_at_any_size():
    """Check, certificate, why and why-not of a round of 800 players after five rounds."""
    entrants = history(random.Random("large answers"), 800, 5, wild=0.0)
    made = pair(entrants, Options(), "s")
    assert legal(entrants, Options(), made)
    assert prove(entrants, Options(), made)["bound"]["total"] == made.bound.differences
    assert why(entrants, Options(), made, 1).reasons
    met = next(entrant for entrant in entrants if entrant.opponents)
    ids = {entrant.id for entrant in entrants}
    price = why_not(entrants, Options(), "s", met.id, next(other for other in met.opponents if other in ids))
    assert price.level == "rematches"


def test_two_clubs_that_are_kept_apart_play_each_other():
    """650 players in two halves, paired without a look at every pair."""
    half = 325
    forbidden = {
        (a + side, b + side) for side in (0, half) for a in range(1, half + 1) for b in range(a + 1, half + 1)
    }
    entrants = opening(2 * half, points=lambda n: n % 3)
    made = pair(entrants, Options(forbidden=frozenset(forbidden)), "s")
    assert all((a <= half) != (b <= half) for a, b in seats(made))
    assert made.proof.startswith("optimal")


def test_a_round_that_is_not_proved_gives_its_distance_from_the_bound(monkeypatch):
    """A search would take too long."""
    entrants = gapped()
    best = pair(entrants, Options(), "s")
    monkeypatch.setattr(engine, "WHOLE", 0)
    monkeypatch.setattr(engine, "QUICK", (9, 3))
    monkeypatch.setattr(engine, "MIDDLE", (9, 3))
    monkeypatch.setattr(engine, "MOST_CANDIDATES", 0)
    made = pair(entrants, Options(), "s")
    gap = made.cost.differences - made.bound.differences
    assert gap > 0
    assert made.proof == f"within {gap} of the bound"
    assert made.exact_levels == 0
    assert made.cost.differences >= best.cost.differences
    assert legal(entrants, Options(), made)


def gapped():
    """A leader who has met the whole next score group, above a group too small for a separator."""
    below = tuple(range(2, 6))
    met = {1: below, **dict.fromkeys(below, (1,))}
    return [
        Entrant(id=n, points=8 if n == 1 else 6 if n < 6 else 4 if n < 8 else 0, opponents=met.get(n, ()))
        for n in range(1, 21)
    ]


def test_every_player_is_seated_once_at_any_size():
    """Odd and even sizes around the limits, on one score and on many."""
    for count, scores in [
        (600, 30),
        (601, 1),
        (601, 30),
        (602, 2),
        (603, 30),
        (700, 1),
        (1201, 2),
        (1201, 30),
    ]:
        made = pair(opening(count, points=lambda n, scores=scores: n % scores), Options(), "s")
        everybody = [player for seat in seats(made) for player in seat] + ([made.bye] if made.bye else [])
        assert max(Counter(everybody).values()) == 1
        assert len(everybody) == count
        assert made.proof == "optimal (meets the bound)"
