"""Generated tournaments: repeatable, plausible and playable."""

from collections import Counter
from hashlib import sha256

import pytest

from tests.kit import amount, with_rows
from tourney.errors import TourneyError
from tourney.pairing.generate import Guest, TournamentKind, invent
from tourney.pairing.pairing import chance, draw, order_by_weight, shuffle
from tourney.record import Outcome


def played(invented):
    """Play a generated tournament with random pairs; return the outcomes of each round."""
    rounds = []
    for number in range(1, invented.rounds + 1):
        here = [guest.id for guest in invented.guests if guest.plays(number)]
        order = shuffle(invented.seed, f"pairs {number}", here)
        rounds.append([invented.result(number, pair) for pair in zip(order[::2], order[1::2], strict=False)])
    return rounds


def test_the_same_seed_invents_the_same():
    """A seed invents one tournament with its results, another seed another."""
    kind = TournamentKind(players=20, half_byes=10, clubs=4)
    assert invent(kind, "a") == invent(kind, "a")
    assert played(invent(kind, "a")) == played(invent(kind, "a"))
    assert invent(kind, "a").guests != invent(kind, "b").guests


def test_a_seed_invents_the_same_on_every_machine():
    """This seed invents exactly this tournament."""
    guests = invent(TournamentKind(players=3, clubs=2), "written down").guests
    assert [(g.id, g.name, g.strength, g.tags) for g in guests] == [
        (1, "Gero Wick", 801, ("club:Harbour",)), (2, "Faro Shale", 907, ("club:Mill",)),
        (3, "Jora Frost", 890, ("club:Mill",)),
    ]  # fmt: skip


def test_names_are_unique():
    """Numbers count from 1, also if there are more players than names."""
    guests = invent(TournamentKind(players=5000), "a").guests
    assert [guest.id for guest in guests] == list(range(1, 5001))
    assert len({guest.name for guest in guests}) == 5000


@with_rows(("players", "rounds"), [(2, 1), (3, 2), (8, 3), (9, 4), (64, 6), (65, 7)])
def test_default_rounds_leave_one_unbeaten_player(players, rounds):
    """The default is ⌈log₂ n⌉ rounds."""
    assert invent(TournamentKind(players=players), "a").rounds == rounds
    assert invent(TournamentKind(players=players, rounds=11), "a").rounds == 11


def test_percentages_are_met():
    """The shares of drops, late players, byes, draws and no-shows, within a third."""
    kind = TournamentKind(
        players=3000,
        rounds=4,
        drops=10,
        late=20,
        half_byes=10,
        absences=10,
        awarded=10,
        draws=20,
        no_shows=10,
    )
    invented = invent(kind, "shares")
    guests = invented.guests
    total = sum(guest.since > 1 for guest in guests)
    assert 450 <= total <= 750
    dropped_after_one = sum(guest.last == 1 for guest in guests if guest.since == 1)
    assert 0.07 <= dropped_after_one / (3000 - total) <= 0.13
    assert 0.07 <= sum(guest.byes.get(1) is Outcome.AWARDED_BYE for guest in guests) / (3000 - total) <= 0.13
    halves = Counter(outcome for guest in guests for outcome in guest.byes.values())
    assert 0.6 <= halves[Outcome.ABSENT] / halves[Outcome.HALF_BYE] <= 1.3
    results = [result for tables in played(invented) for result in tables]
    kinds = Counter(frozenset(seat.outcome for seat in result.seats) for result in results)
    assert 0.16 <= kinds[frozenset({Outcome.DRAW})] / len(results) <= 0.24
    assert 0.07 <= kinds[frozenset({Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS})] / len(results) <= 0.13


def test_zero_percentages_give_no_incidents():
    """All players stay for all rounds, and every match is played out."""
    invented = invent(TournamentKind(players=50, draws=0, no_shows=0, drops=0, late=0), "calm")
    assert {(guest.since, guest.last, len(guest.byes)) for guest in invented.guests} == {(1, None, 0)}
    outcomes = {seat.outcome for tables in played(invented) for result in tables for seat in result.seats}
    assert outcomes == {Outcome.WIN, Outcome.LOSS}


def test_stays_are_within_the_tournament():
    """Players do not leave before they arrive, and have no bye while away."""
    invented = invent(TournamentKind(players=500, rounds=5, drops=20, late=30, half_byes=20), "stays")
    for guest in invented.guests:
        last = guest.last or invented.rounds
        assert 1 <= guest.since <= last <= invented.rounds
        assert all(guest.since <= number <= last for number in guest.byes)
    assert sum(len(invented.arrivals(n)) for n in range(1, 6)) == 500
    assert sum(len(invented.departures(n)) for n in range(1, 6)) == sum(
        guest.last is not None for guest in invented.guests
    )


@with_rows("seats", [2, 4])
def test_there_is_always_a_table(seats):
    """One table can be filled in every round."""
    for seed in range(amount(15, of=50)):
        invented = invent(
            TournamentKind(players=seats + 1, rounds=6, seats=seats, drops=60, late=60, half_byes=60),
            f"few {seed}",
        )
        for number in range(1, 7):
            assert sum(guest.plays(number) for guest in invented.guests) >= seats


def test_the_stronger_win_in_proportion():
    """With strengths a and b, the first wins a / (a + b) of the matches, within 5 points."""
    invented = invent(TournamentKind(players=2, draws=0, no_shows=0, spread=100), "strength 9")
    one, other = (guest.strength for guest in invented.guests)
    assert abs(one - other) > 50
    won = sum(invented.result(number, (1, 2)).seats[0].outcome is Outcome.WIN for number in range(2000))
    assert abs(won / 2000 - one / (one + other)) < 0.05


@with_rows("best_of", [1, 3, 5])
def test_matches_end_as_a_best_of_n_can(best_of):
    """The winner has more than half of the games; a draw has one drawn game."""
    invented = invent(TournamentKind(players=2, best_of=best_of, draws=30), "games")
    for number in range(200):
        result = invented.result(number, (2, 1))
        assert [seat.player for seat in result.seats] == [2, 1]
        games = sorted(seat.games for seat in result.seats)
        if result.seats[0].outcome is Outcome.DRAW:
            assert (games, result.drawn_games) == ([best_of // 2] * 2, 1)
        elif result.seats[0].outcome.played:
            assert games[1] == best_of // 2 + 1
            assert 0 <= games[0] <= best_of // 2


def test_tables_of_four_end_in_places():
    """Places 1 to 4, and the first wins; a drawn table has two first places."""
    invented = invent(TournamentKind(players=4, seats=4, draws=30), "pods")
    seen = set()
    for number in range(100):
        result = invented.result(number, (4, 2, 3, 1))
        places = sorted(seat.place for seat in result.seats)
        outcomes = [seat.outcome for seat in sorted(result.seats, key=lambda seat: seat.place)]
        seen.add(tuple(places))
        drawn = places == [1, 1, 3, 4]
        assert drawn or places == [1, 2, 3, 4]
        first = [Outcome.DRAW, Outcome.DRAW] if drawn else [Outcome.WIN, Outcome.LOSS]
        assert outcomes == [*first, Outcome.LOSS, Outcome.LOSS]
    assert len(seen) == 2


@with_rows(
    ("kind", "message"),
    [
        ({"players": 1}, "1 players cannot fill one table of 2"),
        ({"players": 3, "seats": 4}, "3 players cannot fill one table of 4"),
        ({"seats": 1}, "a table needs at least two seats, not 1"),
        ({"rounds": 0}, "at least one round, not 0"),
        ({"best_of": 2}, "best of 1, 3, 5 …, not a best of 2"),
        ({"drops": 101}, "drops: a percentage is between 0 and 100, not 101"),
        ({"draws": -1}, "draws: a percentage is between 0 and 100, not -1"),
        ({"clubs": 13}, "0 to 12 clubs, not 13"),
    ],
)
def test_numbers_out_of_range_are_refused(kind, message):
    """The message names the limit."""
    with pytest.raises(TourneyError, match=message):
        invent(TournamentKind(**kind), "a")


def test_a_table_with_a_stranger_is_refused():
    """The message names the seed."""
    with pytest.raises(TourneyError, match="player 9 is not one of the 4 players invented from seed `a`"):
        invent(TournamentKind(players=4), "a").result(1, (1, 9))


def test_a_guest_plays_between_arrival_and_departure_except_for_byes():
    """`plays` is whether the guest wants a table."""
    guest = Guest(id=1, name="Ada Alder", strength=500, since=2, last=4, byes={3: Outcome.HALF_BYE})
    assert [guest.plays(number) for number in range(1, 6)] == [False, True, False, True, False]


class TestDice:
    """The randomness of everything except Swiss rounds."""

    def test_a_draw_can_be_repeated_from_its_docstring(self):
        """Another program draws the same."""
        for n in range(50):
            number = int(sha256(f"some seed|a word|{n}".encode()).hexdigest(), 16)
            assert draw("some seed", "a word", n, below=1_000_003) == number % 1_000_003

    def test_draws_are_even(self):
        """Each face of a die comes up a sixth of the time, within a fifth of that."""
        faces = Counter(draw("even", "die", n, below=6) for n in range(6000))
        assert all(800 <= faces[face] <= 1200 for face in range(6))

    def test_words_are_kept_apart(self):
        """Other words, other draws: (1, 23) is not (12, 3)."""
        assert draw("a", 1, 23, below=2**64) != draw("a", 12, 3, below=2**64)

    def test_chance_is_a_percentage(self):
        """Never at 0, always at 100."""
        assert not any(chance("a", n, percent=0) for n in range(200))
        assert all(chance("a", n, percent=100) for n in range(200))

    def test_shuffle_reaches_every_order(self):
        """All six orders of three come up about equally often."""
        orders = Counter(tuple(shuffle("all", n, "abc")) for n in range(1200))
        assert len(orders) == 6
        assert min(orders.values()) > 150

    def test_weights_are_proportions(self):
        """An index with three times the weight is drawn first three times as often."""
        first = Counter(order_by_weight("w", n, [3, 1])[0] for n in range(2000))
        assert 1400 <= first[0] <= 1600
        assert sorted(order_by_weight("w", 1, [5, 1, 9, 2])) == [0, 1, 2, 3]
