"""Ranks: shared, split, frozen and drawn by lot; ranked players; impossible records."""

import hashlib
from datetime import date
from fractions import Fraction

import pytest
from msgspec import structs
from msgspec.structs import replace

from tests.kit import with_rows
from tests.standings.crosstable import match, record
from tests.standings.profiles import house, shipped
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import points, rank, values, with_order

A, B, C, D, E, F = map(PlayerId, range(1, 7))


def ranks(happened, profile, **more):
    return {row.player: row.rank for row in rank(happened, profile, **more).rows}


def ordered(*codes, base="mtr"):
    return with_order(shipped(base), codes)


def test_level_players_share_a_rank():
    """1, 2, 2, 4: registration order does not separate them."""
    happened = record("ABCD", "A 2-0 B, C 1-1 D", "A 2-0 D, B 1-1 C")
    assert ranks(happened, ordered("PTS")) == {A: 1, C: 2, B: 3, D: 3}
    assert [row.player for row in rank(happened, ordered("PTS")).rows] == [A, C, B, D]


def test_a_missing_value_ranks_last():
    """A player without opponents is behind all who have some."""
    happened = record("ABC", "A 2-0 B, C bye")
    assert values(happened, shipped("mtr"), "OMW")[C] is None
    assert ranks(happened, ordered("PTS", "OMW")) == {A: 1, C: 2, B: 3}


def test_draws_the_lot_from_the_seed():
    """Without a seed, ranks are shared. With a seed, sha-256 gives the same order everywhere."""
    happened = record("ABCD", "A 1-1 B, C 1-1 D")
    profile = ordered("PTS", "LOT")
    assert ranks(happened, profile) == dict.fromkeys((A, B, C, D), 1)
    drawn = {p: hashlib.sha256(f"friday\nlot\n{p}".encode()).hexdigest()[:12] for p in (A, B, C, D)}
    by_lot = sorted(drawn, key=drawn.get)
    assert [row.player for row in rank(happened, profile, seed="friday").rows] == by_lot
    assert ranks(happened, profile, seed="friday") == {player: i for i, player in enumerate(by_lot, 1)}
    assert ranks(happened, profile, seed="saturday") != ranks(happened, profile, seed="friday")


def test_a_dropped_player_keeps_the_rank():
    """The row is marked."""
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "B 2-0 C, D bye", drops={"A": 1})
    row = rank(happened, shipped("mtr")).row(A)
    assert row.has_dropped
    assert row.rank is not None
    assert ranks(happened, shipped("mtr")).keys() == {A, B, C, D}


def test_leaves_out_a_player_who_dropped_before_round_1():
    """Unless the profile ranks such players."""
    happened = record("ABC", "A 2-0 B", drops={"C": 0})
    standings = rank(happened, shipped("mtr"))
    assert standings.left_out == (C,)
    assert ranks(happened, shipped("mtr")).keys() == {A, B}
    kept = house('extends = "mtr"\ntitle = "x"\n[drops]\nbefore-round-1 = "ranked"\n')
    assert ranks(happened, kept) == {A: 1, B: 2, C: 3}
    assert rank(happened, kept).left_out == ()


def test_a_disqualified_player_has_no_rank_but_stays_an_opponent():
    """The player is last in the list, and the other ranks close up."""
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-0 D", disqualified={"A": 2})
    standings = rank(happened, shipped("mtr"))
    last = standings.rows[-1]
    assert (last.player, last.rank, last.is_disqualified, last.points) == (A, None, True, 12)
    assert [row.rank for row in standings.rows[:-1]] == [1, 1, 3]
    clean = replace(happened, disqualified={})
    assert rank(clean, shipped("mtr")).row(B).keys == standings.row(B).keys
    assert points(happened, shipped("mtr"))[A] == 12


def test_tom_freezes_the_values_of_a_dropped_player():
    """OWP and OOWP stay as after the last round before the drop."""
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "B 2-0 C, D bye", "B 2-0 D, C bye", drops={"A": 1})
    keys = {key.code: key.value for key in rank(happened, shipped("tom")).row(A).keys}
    assert keys["OWP"] == Fraction(1, 4)
    assert values(happened, house('extends = "tom"\ntitle = "x"\n[drops]\nfreeze = []\n'), "OWP")[
        A
    ] == Fraction(2, 3)
    assert (
        values(happened, shipped("tom"), "OOWP")[B]
        == values(happened, house('extends = "tom"\ntitle = "x"\n[drops]\nfreeze = ["OWP"]\n'), "OOWP")[B]
    )


def test_tom_caps_a_dropped_player_at_three_quarters():
    """A player who won everything and left counts 75 % for opponents."""
    happened = record("ABC", "A 2-0 B, C bye", "B 2-0 C", drops={"A": 1})
    assert values(happened, shipped("tom"), "OWP")[B] == (Fraction(3, 4) + Fraction(1, 4)) / 2
    stayed = replace(happened, drops={})
    assert values(stayed, shipped("tom"), "OWP")[B] == (1 + Fraction(1, 4)) / 2


class TestHeadToHead:
    """Head-to-head among players who are tied before it."""

    triangle = record("ABC", "A 2-0 B", "B 2-0 C", "C 2-0 A")
    chain = record("ABCD", "A 2-0 B, C 2-0 D", "A 0-2 D, C 0-2 B")

    def test_a_circle_stays_tied(self):
        """A beat B, B beat C, C beat A: all have met, and no player is ahead."""
        assert ranks(self.triangle, ordered("PTS", "H2H", base="tourney")) == {A: 1, B: 1, C: 1}

    def test_all_tied_players_must_have_met(self):
        """Four are tied, and A never met C: it is not used, although A beat B."""
        assert ranks(self.chain, ordered("PTS", "H2H", base="tourney")) == dict.fromkeys((A, B, C, D), 1)

    def test_two_of_a_larger_field(self):
        """A and B are level on points; A won their match."""
        happened = record("ABCD", "A 2-0 B, C 2-0 D", "B 2-0 D, A 0-2 C")
        assert ranks(happened, ordered("PTS", "H2H", base="tourney")) == {C: 1, A: 2, B: 3, D: 4}
        assert ranks(happened, ordered("PTS", "H2H", base="tom")) == {C: 1, A: 2, B: 3, D: 4}

    def test_between_exactly_two_only(self):
        """Three are tied in games won: A made 1½ among them, C 1, B ½. TOM does not compare three."""
        happened = record("ABCD", "A 2-0 B, C 2-0 D", "B 1-1 C", "A 1-1 C, B 2-0 D")
        assert values(happened, shipped("tourney"), "WON") == {A: 1, B: 1, C: 1, D: 0}
        assert ranks(happened, ordered("WON", "H2H", base="tourney")) == {A: 1, C: 2, B: 3, D: 4}
        assert ranks(happened, ordered("WON", "H2H", base="tom")) == {A: 1, B: 1, C: 1, D: 4}

    def test_a_tied_subgroup_is_compared_again(self):
        """A and B made two points each, and A won their match; C and D one each, and C won theirs."""
        happened = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-0 D", "D 2-0 A, B 2-0 C")
        assert ranks(happened, ordered("H2H", base="tourney")) == {A: 1, B: 2, C: 3, D: 4}

    def test_a_rematch_counts_its_average(self):
        """A and B met twice, once each: level, though both matches count."""
        happened = record("AB", "A 2-0 B", "B 2-0 A")
        assert ranks(happened, with_order(shipped("tourney"), ["PTS", "H2H"])) == {A: 1, B: 1}


class TestDirectEncounter:
    """FIDE's direct encounter, calculated again in each group that is still tied."""

    def test_it_is_calculated_again_in_each_subgroup(self):
        """The first DE leaves two pairs, a value splits one, and a second DE splits the other."""
        happened = record("ABCD", "A 1-0 B, C 1-0 D", "B 1-0 C, D 1-0 A", "A 1-0 C, D 1-0 B")
        profile = with_order(shipped("fide"), ["PTS", "DE"])
        assert ranks(happened, profile) == {D: 1, A: 2, B: 3, C: 4}

    def test_without_a_certain_winner_all_stay_tied(self):
        """Of three tied players two have not met, and none is out of the others' reach."""
        happened = record("ABCD", "A 1-0 B, C 1-0 D", "B 1-0 C, D 1-0 A")
        assert ranks(happened, with_order(shipped("fide"), ["PTS", "DE"])) == dict.fromkeys((A, B, C, D), 1)

    def test_out_of_reach_is_first(self):
        """A beat both others, who have not met: each can reach one point, A has two."""
        happened = record(
            "ABCDE", "A 1-0 B, C 1-0 D", "A 1-0 C, B 1-0 D", "D 1-0 A, B 1-0 E", "E 1-0 A, C 1-0 D"
        )
        assert {p: s for p, s in points(happened, shipped("fide")).items() if s == 4} == {A: 4, B: 4, C: 4}
        assert ranks(happened, with_order(shipped("fide"), ["PTS", "DE"]))[A] == 1
        level = {
            p: r
            for p, r in ranks(happened, with_order(shipped("fide"), ["PTS", "DE"])).items()
            if p in (B, C)
        }
        assert level == {B: 2, C: 2}

    def test_forfeits_count_only_with_the_modifier(self):
        """DE leaves forfeits out, DE/P counts them."""
        happened = record("ABCD", "A +- B, C 1-0 D", "A 0-1 C, B 1-0 D")
        assert ranks(happened, with_order(shipped("fide"), ["PTS", "DE"])) == {C: 1, A: 2, B: 2, D: 4}
        assert ranks(happened, with_order(shipped("fide"), ["PTS", "DE/P"])) == {C: 1, A: 2, B: 3, D: 4}


class TestSecondaryScores:
    """Secondary scores such as victory points, in each match capped at the goal."""

    happened = Record(
        players=(A, B, C),
        rounds=tuple(
            (
                Table(
                    1,
                    (one, two),
                    Result((Seat(one, Outcome.WIN, 1, 1, high), Seat(two, Outcome.LOSS, 2, 0, low))),
                ),
            )
            for one, two, high, low in ((A, B, 45, 12), (B, C, 30, 29), (C, A, 31, 30))
        ),
    )

    def test_they_are_added(self):
        """Without a goal every point counts."""
        assert values(self.happened, shipped("tourney"), "VP") == {A: 75, B: 42, C: 60}
        assert values(self.happened, shipped("tourney"), "VPD") == {A: 32, B: -32, C: 0}

    def test_the_goal_caps_each_match(self):
        """With a goal of 30 a match gives at most 30."""
        capped = house(
            'extends = "tourney"\ntitle = "to 30"\norder = ["PTS", "VP"]\n[scoring]\nscore-cap = 30\n'
        )
        assert values(self.happened, capped, "VP") == {A: 60, B: 42, C: 59}
        assert values(self.happened, capped, "VPD") == {A: 18, B: -17, C: -1}
        assert ranks(self.happened, capped) == {A: 1, C: 2, B: 3}


def test_weighs_rounds():
    """A round of weight ½ counts half in strength of schedule, above and below the line."""
    happened = replace(
        record("ABCD", "A 2-0 B, C 1-1 D", "A 2-0 C, B 0-2 D"), weights=(Fraction(1), Fraction(1, 2))
    )
    profile = shipped("cobra")
    strengths = values(happened, profile, "SOS")
    per_round = {p: Fraction(s, 2) / Fraction(3, 2) for p, s in points(happened, profile).items()}
    assert strengths[A] == (per_round[B] + per_round[C] / 2) / Fraction(3, 2)


def test_aesop_divides_in_three_editions():
    """By rounds; from 8 May 2024 by opponents; from 29 May 2024 without opponents' byes.

    A met B, who won once and had a bye: 6 points in 3 rounds, of which 2 were played.
    """
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "B 2-0 C, A bye, D bye", "A 2-0 D, B bye, C bye")
    aesop = shipped("aesop")
    by_day = {
        day: values(happened, aesop.on(date.fromisoformat(day)), "SOS")[A]
        for day in ("2022-08-29", "2024-05-07", "2024-05-08", "2024-05-28", "2024-05-29", "2026-01-01")
    }
    b, d = Fraction(6, 3), Fraction(3, 3)
    assert by_day == {
        "2022-08-29": (b + d) / 3,
        "2024-05-07": (b + d) / 3,
        "2024-05-08": (b + d) / 2,
        "2024-05-28": (b + d) / 2,
        "2024-05-29": (Fraction(6, 2) + Fraction(3, 2)) / 2,
        "2026-01-01": (Fraction(6, 2) + Fraction(3, 2)) / 2,
    }
    assert values(happened, aesop, "SOS")[A] == by_day["2026-01-01"]


def test_calculates_the_cumulative_tie_breaker():
    """CTB: ¼ of the last plus the points so far: 1 → 1.25 → 2.3125 for W L W."""
    happened = record("ABCD", "A 1-0 B, C 1-0 D", "C 1-0 A, B 1-0 D", "A 1-0 D, C 1-0 B")
    results = values(happened, shipped("fab"), "CTB")
    assert results[A] == Fraction(37, 16)
    assert results[C] == 3 + (2 + Fraction(1, 4)) / 4
    assert values(happened, shipped("fab"), "PML") == {A: Fraction(1, 3), B: Fraction(2, 3), C: 0, D: 1}
    assert values(happened, shipped("fab"), "OML")[A] == (Fraction(2, 3) + 0 + 1) / 3
    assert values(happened, shipped("fab"), "OCTB")[A] == (results[B] + results[C] + results[D]) / 3


@with_rows(("points", "difference"), [({"draw": 2}, 800), ({"draw": -1, "loss": -1}, -800)])
def test_a_performance_outside_the_table_is_its_end(points, difference):
    """A draw may be worth more than a win, or less than zero. FIDE's table ends at 0 and 100 %."""
    rules = "".join(f"{outcome} = {{ points = {worth} }}\n" for outcome, worth in points.items())
    profile = house(f'extends = "tourney"\ntitle = "h"\norder = ["PTS", "TPR", "PTP"]\n[outcomes]\n{rules}')
    happened = replace(record("AB", "A 1-1 B"), ratings={A: 1500, B: 1600})
    assert values(happened, profile, "TPR") == {A: 1600 + difference, B: 1500 + difference}
    assert values(happened, profile, "PTP") == values(happened, profile, "TPR")


def test_ranks_some_players_only():
    """A division, with opponents from other divisions."""
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-0 D")
    standings = rank(happened, shipped("mtr"), among=[B, D])
    assert [(row.player, row.rank) for row in standings.rows] == [(B, 1), (D, 2)]
    assert standings.row(B).keys == rank(happened, shipped("mtr")).row(B).keys
    with pytest.raises(KeyError):
        standings.row(A)


def bad(rounds, byes=(), absences=(), players=(A, B, C, D)):
    return Record(players=players, rounds=rounds, byes=byes, absences=absences)


@with_rows(
    ("happened", "message"),
    [
        (bad(((match(1, A, A, "2-0"),),)), "round 1, table 1: player #1 plays against themselves"),
        (bad(((match(1, A, E, "2-0"),),)), "round 1, table 1: there is no player #5"),
        (
            bad(((match(1, A, B, "2-0"), match(2, C, A, "2-0")),)),
            "round 1, table 2: player #1 is in this round twice",
        ),
        (
            bad(((), (match(1, A, B, "2-0"),)), byes=({}, {B: Outcome.BYE})),
            "round 2, byes: player #2 is in this round twice",
        ),
        (bad(((),), byes=({F: Outcome.BYE},)), "round 1, byes: there is no player #6"),
        (
            bad(((match(1, A, B, "2-0"),),), absences=(frozenset({A}),)),
            "round 1, absences: player #1 is in this round twice",
        ),
        (
            bad(((match(7, A, B, "?"), match(8, B, C, "?")),)),
            "round 1, table 8: player #2 is in this round twice",
        ),
        (bad((), players=(A, A)), "a player is in the record twice"),
        (
            bad(((structs.replace(match(1, A, B, "2-0"), seats=(A, C)),),)),
            "round 1, table 1: the result is for players who are not at this table",
        ),
        (
            bad(((structs.replace(match(3, A, B, "2-0"), seats=(A,)),),)),
            "round 1, table 3: the result is for players who are not at this table",
        ),
    ],
)
def test_rejects_an_impossible_record(happened, message):
    """With round and table."""
    with pytest.raises(TourneyError) as caught:
        rank(happened, shipped("mtr"))
    assert caught.value.message == message


def test_ranks_an_event_without_rounds_or_players():
    """All players are level; without players there are no rows."""
    assert ranks(record("AB"), shipped("mtr")) == {A: 1, B: 1}
    assert rank(record(""), shipped("fide")).rows == ()


def test_restores_garbage_collection():
    """After an error, too."""
    import gc

    assert gc.isenabled()
    rank(record("AB", "A 2-0 B"), shipped("mtr"))
    assert gc.isenabled()
    with pytest.raises(TourneyError):
        rank(bad(((match(1, A, A, "2-0"),),)), shipped("mtr"))
    assert gc.isenabled()
    gc.disable()
    try:
        rank(record("AB", "A 2-0 B"), shipped("mtr"))
        assert not gc.isenabled()
    finally:
        gc.enable()
