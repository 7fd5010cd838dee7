"""Brackets: who meets, who passes and who is out."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import amount, examples, with_rows
from tourney.errors import TourneyError
from tourney.pairing.elimination import (
    BracketOptions,
    BracketPlace,
    FromMatch,
    FromSeed,
    Vacancy,
    bracket,
    check,
    fold,
)
from tourney.record import Outcome, Result, Seat, Table

SINGLE, DOUBLE = BracketOptions(), BracketOptions(double=True)
HIGHEST = BracketOptions(vacancy=Vacancy.HIGHEST_SEED)


def decided(table, winner):
    outcomes = {p: Outcome.WIN if p == winner else Outcome.LOSS for p in table.seats}
    seats = (Seat(p, o, 1 if p == winner else 2) for p, o in outcomes.items())
    return Table(table.number, table.seats, Result(tuple(seats)))


def results(now, pick):
    return {
        label: decided(table, pick(table.seats)) for label, table in zip(now.labels, now.tables, strict=True)
    }


def play(count, pick=min, options=SINGLE, left=None):
    """Play a whole bracket of seeds 1 to `count`; return its states, the end included."""
    earlier, stood = [], []
    while True:
        now = bracket(range(1, count + 1), options, earlier=earlier, departures=left)
        stood.append(now)
        if now.is_finished:
            return stood
        earlier.append(results(now, pick))


def tables(now):
    return {label: table.seats for label, table in zip(now.labels, now.tables, strict=True)}


def test_fold():
    """The best two can meet only in the final, the best four only from the semifinals on."""
    assert fold(2) == (1, 2)
    assert fold(4) == (1, 4, 2, 3)
    assert fold(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


def test_eight():
    """Eight players, the favourites win: 1–8 4–5 2–7 3–6, then 1–4 2–3, then 1–2."""
    quarters, semis, final, end = play(8)
    assert tables(quarters) == {
        "Quarterfinal 1": (1, 8), "Quarterfinal 2": (4, 5), "Quarterfinal 3": (2, 7),
        "Quarterfinal 4": (3, 6),
    }  # fmt: skip
    assert tables(semis) == {"Semifinal 1": (1, 4), "Semifinal 2": (2, 3)}
    assert tables(final) == {"Final": (1, 2)}
    assert (end.champion, end.round, end.byes, end.tables) == (1, 4, (), ())
    assert [(p.player, p.first, p.last) for p in end.places] == [
        (1, 1, 1), (2, 2, 2), (3, 3, 4), (4, 3, 4), (5, 5, 8), (6, 5, 8), (7, 5, 8), (8, 5, 8),
    ]  # fmt: skip


def test_six_with_byes_for_the_top_seeds():
    """1 and 2 pass the first round, 4–5 and 3–6 meet; upsets keep their place."""
    first, semis, *_ = play(6, max)
    assert tables(first) == {"Quarterfinal 2": (4, 5), "Quarterfinal 4": (3, 6)}
    assert first.byes == (1, 2)
    assert tables(semis) == {"Semifinal 1": (1, 5), "Semifinal 2": (2, 6)}


def test_reseeding():
    """With reseeding the highest seed left meets the lowest left."""
    _, semis, *_ = play(6, max, BracketOptions(reseed=True))
    assert tables(semis) == {"Semifinal 1": (1, 6), "Semifinal 2": (2, 5)}


def test_the_third_place():
    """The losers of the semifinals meet beside the final, and third place is not shared."""
    *_, final, end = play(8, options=BracketOptions(third_place=True))
    assert tables(final) == {"Final": (1, 2), "Third place": (3, 4)}
    assert [(p.player, p.first, p.last) for p in end.places][:4] == [
        (1, 1, 1),
        (2, 2, 2),
        (3, 3, 3),
        (4, 4, 4),
    ]


def test_the_higher_seed_has_seat_one():
    now = bracket((30, 10, 20, 40))
    assert tables(now) == {"Semifinal 1": (30, 40), "Semifinal 2": (10, 20)}


@with_rows("count", range(2, 34))
@with_rows("pick", [min, max])
def test_single_brackets_of_any_size(count, pick):
    """n - 1 matches, byes for the top seeds in the first round only; losers are out."""
    *rounds, end = play(count, pick)
    assert sum(len(now.tables) for now in rounds) == count - 1
    assert len(rounds) == (count - 1).bit_length()
    assert rounds[0].byes == tuple(range(1, 2 ** len(rounds) - count + 1))
    assert all(now.byes == () for now in rounds[1:])
    assert end.champion == (1 if pick is min else count)
    assert sorted(place.player for place in end.places) == list(range(1, count + 1))
    assert all(table.number == n for now in rounds for n, table in enumerate(now.tables, 1))


@with_rows("count", range(2, amount(18, of=34)))
@with_rows("pick", [min, max, sum])
def test_double_brackets_of_any_size(count, pick):
    """A player is out after two losses; 2n - 2 matches, or one more with a reset."""
    choose = (lambda seats: seats[sum(seats) % 2]) if pick is sum else pick
    *rounds, end = play(count, choose, DOUBLE)
    losses = Counter(p for now in rounds for t in now.tables for p in t.seats if p != choose(t.seats))
    champion = end.champion
    assert losses.pop(champion, 0) <= 1
    assert losses == {p: 2 for p in range(1, count + 1) if p != champion}
    reset = any("Final reset" in now.labels for now in rounds)
    assert sum(len(now.tables) for now in rounds) == 2 * count - 2 + reset
    assert end.places[0] == BracketPlace(player=champion, first=1, last=1)
    assert end.places[1].last == 2


def test_a_double_bracket_of_four_in_full():
    """Worked out by hand: 1 loses once and reaches the reset through the lower bracket."""
    earlier = []
    winners = {
        "Upper round 1, match 1": 4, "Upper round 1, match 2": 2, "Upper final": 2,
        "Lower round 1, match 1": 1, "Lower final": 1, "Final": 1, "Final reset": 2,
    }  # fmt: skip
    seen = []
    while True:
        now = bracket((1, 2, 3, 4), DOUBLE, earlier=earlier)
        if now.is_finished:
            break
        seen.append((tables(now), now.byes))
        earlier.append(
            {label: decided(t, winners[label]) for label, t in zip(now.labels, now.tables, strict=True)}
        )
    assert seen == [
        ({"Upper round 1, match 1": (1, 4), "Upper round 1, match 2": (2, 3)}, ()),
        ({"Upper final": (2, 4), "Lower round 1, match 1": (1, 3)}, ()),
        ({"Lower final": (1, 4)}, (2,)),
        ({"Final": (1, 2)}, ()),
        ({"Final reset": (1, 2)}, ()),
    ]
    assert [(p.player, p.first, p.last) for p in now.places] == [(2, 1, 1), (1, 2, 2), (4, 3, 3), (3, 4, 4)]


@with_rows("count", [8, 16, 32])
@with_rows("seed", range(20))
def test_losers_cross_over(count, seed):
    """Players who met in the upper bracket do not meet again in the first two lower rounds."""
    choose = lambda seats: seats[hash((seed, *seats)) % 2]  # noqa: E731  hashes of ints are the same everywhere
    rounds = play(count, choose, DOUBLE)
    met = set()
    for now in rounds[:4]:
        for label, seats in tables(now).items():
            if label.startswith(("Lower round 1", "Lower round 2")):
                assert frozenset(seats) not in met
            met.add(frozenset(seats))


class TestVacancy:
    """A seed leaves after the cut."""

    def test_the_opponent_passes(self):
        """`opponent`: the opponent of the player who left has the bye, and nothing else changes."""
        now = bracket(range(1, 9), SINGLE, departures={5: 0})
        assert tables(now) == {"Quarterfinal 1": (1, 8), "Quarterfinal 3": (2, 7), "Quarterfinal 4": (3, 6)}
        assert now.byes == (4,)

    def test_the_highest_seed_passes(self):
        """`highest-seed` (Magic): the first seed has the bye, and the two left over meet."""
        now = bracket(range(1, 9), HIGHEST, departures={5: 0})
        assert tables(now) == {"Quarterfinal 2": (4, 8), "Quarterfinal 3": (2, 7), "Quarterfinal 4": (3, 6)}
        assert now.byes == (1,)

    def test_the_highest_seed_left_passes_when_the_first_has_gone(self):
        """The first seed left: the second has the bye, and the eighth meets the seventh."""
        now = bracket(range(1, 9), HIGHEST, departures={1: 0})
        assert tables(now) == {"Quarterfinal 1": (7, 8), "Quarterfinal 2": (4, 5), "Quarterfinal 4": (3, 6)}
        assert now.byes == (2,)

    def test_two_leave(self):
        """The two highest seeds pass; of the others the highest meets the lowest."""
        now = bracket(range(1, 9), HIGHEST, departures={4: 0, 5: 0})
        assert now.byes == (1, 2)
        assert tables(now) == {"Quarterfinal 2": (7, 8), "Quarterfinal 4": (3, 6)}

    def test_after_a_round(self):
        """Between two rounds: of 2, 3 and 4 the highest passes the semifinal and the others meet."""
        first = results(bracket(range(1, 9)), min)
        now = bracket(range(1, 9), HIGHEST, earlier=[first], departures={1: 1})
        assert (tables(now), now.byes) == ({"Semifinal 1": (3, 4)}, (2,))
        same = bracket(range(1, 9), SINGLE, earlier=[first], departures={1: 1})
        assert (tables(same), same.byes) == ({"Semifinal 2": (2, 3)}, (4,))

    def test_with_byes_already_there(self):
        """Six players, the sixth leaves: the three highest pass, under either rule."""
        for options in (SINGLE, HIGHEST):
            now = bracket(range(1, 7), options, departures={6: 0})
            assert (tables(now), now.byes) == ({"Quarterfinal 2": (4, 5)}, (1, 2, 3))

    def test_rounds_without_a_match_are_skipped(self):
        """Four players, 1 and 2 leave: 3 and 4 meet at once, in the final."""
        now = bracket(range(1, 5), SINGLE, departures={1: 0, 2: 0})
        assert (tables(now), now.round) == ({"Final": (3, 4)}, 1)

    def test_the_last_player_left_is_champion(self):
        """If all leave, there is no champion."""
        alone = bracket(range(1, 5), SINGLE, departures={1: 0, 2: 0, 4: 0})
        assert (alone.is_finished, alone.champion) == (True, 3)
        nobody = bracket(range(1, 5), SINGLE, departures=dict.fromkeys(range(1, 5), 0))
        assert (nobody.is_finished, nobody.champion) == (True, None)

    def test_leaving_before_the_final_places_second(self):
        """A finalist who leaves is second, as after a loss."""
        earlier = [results(bracket(range(1, 5)), min)]
        end = bracket(range(1, 5), SINGLE, earlier=earlier, departures={2: 1})
        assert (end.champion, end.places[1]) == (1, BracketPlace(player=2, first=2, last=2))

    def test_leaving_a_double_bracket(self):
        """A player who leaves the upper bracket is out at once, and the upper champion has no reset."""
        earlier = [results(bracket(range(1, 5), DOUBLE), min)]
        now = bracket(range(1, 5), DOUBLE, earlier=earlier, departures={1: 1})
        assert (tables(now), now.byes) == ({"Lower round 1, match 1": (3, 4)}, (2,))
        earlier.append(results(now, min))
        now = bracket(range(1, 5), DOUBLE, earlier=earlier, departures={1: 1})
        assert (tables(now), now.byes) == ({"Final": (2, 3)}, ())


@st.composite
def stories(draw):
    """Return a bracket of any kind, with random results and players who leave at any time."""
    count = draw(st.integers(2, 20))
    double = draw(st.booleans())
    options = BracketOptions(
        double=double, reseed=not double and draw(st.booleans()),
        third_place=not double and draw(st.booleans()),
        vacancy=draw(st.sampled_from(Vacancy)),
    )  # fmt: skip
    left = draw(st.dictionaries(st.integers(1, count), st.integers(0, 6), max_size=count))
    return count, options, left, draw(st.integers(0, 2**32))


@examples(75, of=300)
@given(stories())
def test_every_bracket_has_a_winner(story):
    """Players are seated once and never after they are out, and all get places."""
    count, options, left, dice = story
    losses, earlier = Counter(), []
    for round_number in range(1, 40):
        gone = {player: after for player, after in left.items() if after < round_number}
        now = bracket(range(1, count + 1), options, earlier=earlier, departures=gone)
        seated = [player for table in now.tables for player in table.seats]
        assert len(seated) == len(set(seated))
        assert not set(seated) & set(gone)
        assert not set(now.byes) & {*seated, *gone}
        if now.is_finished:
            break
        assert now.round == round_number
        playing = [p for table in now.tables if "Third place" not in now.labels for p in table.seats]
        assert all(losses[player] < 1 + options.double for player in playing)
        choose = lambda seats: seats[(dice >> (sum(seats) % 31)) % 2]  # noqa: E731
        losses.update(p for table in now.tables for p in table.seats if p != choose(table.seats))
        earlier.append(results(now, choose))
    else:
        pytest.fail("the bracket never ended")
    assert sorted(place.player for place in now.places) == list(range(1, count + 1))
    unbeaten = {p for p in range(1, count + 1) if losses[p] < 1 + options.double}
    still_there = {p for p in unbeaten if left.get(p, 99) >= now.round}
    assert now.champion in unbeaten if now.champion else not still_there
    firsts = [place.first for place in now.places]
    assert firsts == sorted(firsts)


class TestRecordedTablesCount:
    """The organizer may have seated players differently from the bracket."""

    def test_exchanged_players_advance_from_the_matches_they_played(self):
        """Two players exchanged between matches."""
        now = bracket(range(1, 5))
        swapped = {"Semifinal 1": Table(1, (1, 3)), "Semifinal 2": Table(2, (2, 4))}
        earlier = [{label: decided(table, table.seats[1]) for label, table in swapped.items()}]
        now = bracket(range(1, 5), earlier=earlier)
        assert tables(now) == {"Final": (3, 4)}

    def test_an_exchanged_bye(self):
        """The player who had the bye instead of the seed advances in the free match."""
        table = decided(Table(1, (1, 3)), 3)
        now = bracket(range(1, 4), earlier=[{"Semifinal 2": table}])
        assert tables(now) == {"Final": (2, 3)}

    def test_a_player_without_a_table_passes_the_free_match(self):
        """Another player was seated instead."""
        earlier = [
            {"Quarterfinal 2": decided(Table(1, (4, 1)), 1), "Quarterfinal 4": decided(Table(2, (3, 6)), 3)}
        ]
        now = bracket(range(1, 7), earlier=earlier)
        assert tables(now) == {"Semifinal 1": (1, 5), "Semifinal 2": (2, 3)}

    def test_a_player_without_a_table_and_a_free_match_is_refused(self):
        """The message names the player."""
        earlier = [{"Semifinal 1": decided(Table(1, (1, 2)), 1), "Semifinal 2": decided(Table(2, (3, 9)), 3)}]
        with pytest.raises(
            TourneyError, match="cut round 1: #4 has no table, and this round has no free bye"
        ):
            bracket(range(1, 5), earlier=earlier)

    def test_a_double_loss_leaves_the_match_empty(self):
        """No player advances, and the other finalist is champion."""
        now = bracket(range(1, 5))
        both = Table(1, (1, 4), Result((Seat(1, Outcome.DOUBLE_LOSS), Seat(4, Outcome.DOUBLE_LOSS))))
        end = bracket(range(1, 5), earlier=[{"Semifinal 1": both, "Semifinal 2": decided(now.tables[1], 3)}])
        assert (end.is_finished, end.champion) == (True, 3)
        assert {(p.player, p.first) for p in end.places} == {(3, 1), (1, 2), (2, 2), (4, 2)}

    def test_a_no_show_is_a_result(self):
        """A player who did not show has lost."""
        seats = (Seat(1, Outcome.FORFEIT_LOSS, 2), Seat(2, Outcome.FORFEIT_WIN, 1))
        assert bracket((1, 2), earlier=[{"Final": Table(1, (1, 2), Result(seats))}]).champion == 2


def test_stages_contain_every_match():
    """Settled, coming and open matches, with the sources of their players."""
    earlier = [results(bracket(range(1, 7)), max)]
    quarters, semis, final = bracket(range(1, 7), earlier=earlier).stages
    assert [stage.name for stage in (quarters, semis, final)] == ["Quarterfinals", "Semifinals", "Final"]
    walkover, upset = quarters.matches[0], quarters.matches[1]
    assert (walkover.seats, walkover.round, walkover.winner, walkover.is_done) == ((1, None), None, 1, True)
    assert (upset.seats, upset.sources, upset.round, upset.winner) == (
        (4, 5),
        (FromSeed(4), FromSeed(5)),
        1,
        5,
    )
    coming = semis.matches[1]
    assert (coming.seats, coming.round, coming.is_done) == ((2, 6), 2, False)
    assert coming.sources == (FromMatch("winner", "Quarterfinal 3"), FromMatch("winner", "Quarterfinal 4"))
    (last,) = final.matches
    assert (last.seats, last.sources, last.round) == (
        (None, None),
        (FromMatch("winner", "Semifinal 1"), FromMatch("winner", "Semifinal 2")),
        None,
    )


def test_the_reset_is_shown_until_it_is_not_needed():
    """It is gone when the upper champion has won."""
    *rounds, end = play(4, min, DOUBLE)
    assert [stage.name for stage in rounds[0].stages][-2:] == ["Final", "Final reset"]
    assert end.stages[-1].name == "Final"


@with_rows(
    ("arguments", "message"),
    [
        ({"players": (1,)}, "a bracket needs at least two players, not 1"),
        ({"players": (1, 2, 1)}, "#1 is seeded twice"),
        ({"options": BracketOptions(double=True, reseed=True)}, "a double bracket cannot be reseeded"),
        ({"options": BracketOptions(double=True, third_place=True)}, "no third-place match"),
        ({"earlier": [{"Semi 1": decided(Table(1, (1, 4)), 1)}]},
         "cut round 1: `Semi 1` is not a match of this round; its matches are Semifinal 1, Semifinal 2"),
        ({"earlier": [{"Final": decided(Table(1, (1, 4)), 1)}]}, "`Final` is not a match of this round"),
        ({"earlier": [{"Semifinal 1": Table(7, (1, 4)), "Semifinal 2": decided(Table(2, (2, 3)), 2)}]},
         r"cut round 1: Semifinal 1 \(table 7\) has no result yet"),
        ({"earlier": [{"Semifinal 1": Table(7, (1, 4),
            Result((Seat(1, Outcome.DRAW), Seat(4, Outcome.DRAW)))),
            "Semifinal 2": decided(Table(2, (2, 3)), 2)}]},
            r"Semifinal 1 \(table 7\) has no winner: a bracket has no draws"),
        ({"earlier": [{"Semifinal 1": decided(Table(7, (1, 4)), 1)}]},
         "cut round 1: Semifinal 2 has no table, but #2 and #3 must play it"),
        ({"earlier": [{"Semifinal 1": Table(1, (1, 2, 3))}]}, "Semifinal 1 has 3 seats; a match has 2"),
        ({"players": (1, 2), "earlier": [{"Final": decided(Table(1, (1, 2)), 1)}, {}]},
         "cut round 2 has results, but the bracket was decided after cut round 1"),
    ],
)  # fmt: skip
def test_impossible_brackets_are_refused(arguments, message):
    """Contradictory options and impossible histories are refused, naming round and match."""
    settings = {"players": (1, 2, 3, 4), "options": SINGLE, **arguments}
    players, options = settings.pop("players"), settings.pop("options")
    with pytest.raises(TourneyError, match=message):
        bracket(players, options, **settings)


class TestCheck:
    """The organizer's tables for the next round of the cut."""

    NOW = bracket(range(1, 7))

    def test_the_brackets_own_tables_are_right(self):
        """No findings, whichever side a player sits at."""
        assert check(self.NOW, {label: seats[::-1] for label, seats in tables(self.NOW).items()}) == []

    @pytest.mark.parametrize(
        ("tables_given", "findings"),
        [
            ({"Quarterfinal 2": (4, 6), "Quarterfinal 4": (3, 5)}, [
                ("bracket", "advice", "Quarterfinal 2: #4 – #6; by the bracket #4 – #5"),
                ("bracket", "advice", "Quarterfinal 4: #3 – #5; by the bracket #3 – #6"),
            ]),
            ({"Quarterfinal 2": (4, 5), "Quarterfinal 4": (3, 1)}, [
                ("bracket", "advice", "Quarterfinal 4: #3 – #1; by the bracket #3 – #6"),
            ]),
            ({"Quarterfinal 2": (4, 5)}, [
                ("not-seated", "error", "#3 has no table, and this round has no free bye"),
                ("not-seated", "error", "#6 has no table, and this round has no free bye"),
            ]),
            ({"Quarterfinal 2": (4, 5), "Quarterfinal 4": (3, 6), "Semifinal 1": (9, 4)}, [
                ("match", "error",
                 "`Semifinal 1` is not a match of this round; its matches are "
                 "Quarterfinal 2, Quarterfinal 4"),
                ("seated-twice", "error", "#4 is seated 2 times: Quarterfinal 2 and Semifinal 1"),
                ("not-in-round", "error", "#9 is not in this round of the bracket, but sits at Semifinal 1"),
            ]),
            ({"Quarterfinal 2": (4, 5), "Quarterfinal 4": (3, 6, 1)}, [
                ("table-size", "error", "Quarterfinal 4 has 3 seats; a match has two"),
                ("bracket", "advice", "Quarterfinal 4: #3 – #6 – #1; by the bracket #3 – #6"),
            ]),
        ],
    )  # fmt: skip
    def test_differences_are_reported(self, tables_given, findings):
        """Wrong labels, sizes and players are errors; other opponents are advice."""
        assert [(f.rule, f.severity.value, f.message) for f in check(self.NOW, tables_given)] == findings
