"""Impossible rounds are refused with the reason and the smallest change that helps."""

import random
from itertools import combinations

import pytest

from tests.kit import with_rows
from tests.pairing.judge import obeys, rounds
from tourney.errors import TourneyError
from tourney.pairing import Entrant, Mode, Options, pair
from tourney.pairing.swiss import matching
from tourney.pairing.swiss.engine import pairs_to_allow
from tourney.pairing.swiss.field import prepare


def players(count, **more):
    return [Entrant(id=number, **more) for number in range(1, count + 1)]


def met(*others):
    return [Entrant(id=number, opponents=other) for number, other in enumerate(others, 1)]


EITHER = object()  # three hints are equally small
CASES = [
    ([], {}, "no players can be paired: none is registered, or all have dropped or sit out",
     "let at least two players enter or return"),
    (players(1), {}, "#1 is the only player left: a round needs two",
     "let one more player return or enter, or close the event"),
    ([Entrant(id=3), Entrant(id=3)], {}, "#3 is entered twice for this round", None),
    ([Entrant(id=0), Entrant(id=3)], {}, "players are numbered from 1; 0 is the bye", None),
    (players(4), {"forced": ((1, 2), (2, 3))}, "#2 must meet two players: #1–#2 and #2–#3",
     "stop forcing one of the two pairs"),
    (players(4), {"forced": ((1, 2), (2, 1))}, "#2–#1 is set twice", "name the pair once"),
    (players(4), {"forced": ((1, 1),)}, "#1 cannot be paired with themselves", None),
    (players(4), {"forced": ((1, 9),)}, "#1–#9 must meet, but #9 is not in this round",
     "stop forcing the pair #1–#9"),
    (players(4), {"forced": ((1, 2),), "forbidden": frozenset({(2, 1)})},
     "the pair #1–#2 is both forced and forbidden",
     "stop forcing the pair #1–#2, or stop forbidding it"),
    (players(2), {"forbidden": frozenset({(1, 2)})},
     "no complete round is possible while #1–#2 must not meet", "allow #1–#2"),
    (players(4), {"forbidden": frozenset({(1, 2), (1, 3), (1, 4), (2, 3), (2, 4)})},
     "no complete round keeps all 5 forbidden pairs apart: at least 1 of them must be allowed",
     "allow #1–#2"),
    (players(6), {"forced": ((5, 6),), "forbidden": frozenset({(1, 2), (1, 3), (1, 4), (2, 3), (2, 4)})},
     "no complete round keeps all 5 forbidden pairs apart: at least 1 of them must be allowed",
     "allow #1–#2; or stop forcing #5–#6"),
    (players(3), {"forbidden": frozenset({(2, 3)}), "no_bye": frozenset({2, 3})},
     "no complete round keeps 1 forbidden pair apart and the bye from all 2 players: at "
     "least 1 of them must be allowed",
     EITHER),
    (players(4), {"forced_bye": 2},
     "#2 must have the bye, but 4 is an even number of players: no player is left over",
     "let #2 sit out (an awarded bye); then another player gets the bye"),
    (players(3), {"forced_bye": 9}, "#9 must have the bye, but is not in this round",
     "give the bye to another player"),
    (players(3), {"forced_bye": 1, "forced": ((1, 2),)},
     "#1 must have the bye and must meet an opponent: #1–#2",
     "stop forcing the pair, or give the bye to another player"),
    (players(3), {"forced_bye": 1, "no_bye": frozenset({1})}, "#1 must have the bye and must not have it",
     "withdraw one of the two"),
    (players(3), {"no_bye": frozenset({1, 2, 3})},
     "3 players are left to pair, and none of them may have the bye",
     "let one of them have the bye, for instance #1"),
    ([Entrant(id=1, fixed_table=3), Entrant(id=2, fixed_table=3)], {},
     "#1 and #2 have the same fixed table 3",
     "give one of them another table"),
    ([Entrant(id=1, fixed_table=0), Entrant(id=2)], {},
     "#1 has the fixed table 0: tables are numbered from 1", None),
    (players(2), {"mode": Mode.RANK}, "pairing by rank needs the rank of every player; #1 has none", None),
    (players(2), {"mode": Mode.FOLD}, "pairing by rating (fold) needs ratings, and no player has one",
     "enter ratings, or pair at random"),
    (met((2,), (1,)), {"allow_rematches": False},
     "no round without a rematch is possible for these 2 players: at least 1 is needed",
     "allow rematches (#1–#2), let another player enter, or end here"),
]  # fmt: skip


@with_rows(("entrants", "switches", "message", "hint"), CASES)
def test_a_contradiction_is_refused_with_a_way_out(entrants, switches, message, hint):
    """Message and hint use the players' names."""
    with pytest.raises(TourneyError) as refusal:
        pair(entrants, Options(**switches), "s")
    assert refusal.value.message == message
    if hint is EITHER:
        assert refusal.value.hint in {"allow #2–#3", "allow the bye of #2", "allow the bye of #3"}
    else:
        assert refusal.value.hint == hint


def test_refusals_use_the_callers_names():
    """The message and the hint have the names."""
    with pytest.raises(TourneyError) as refusal:
        pair(players(2), Options(forbidden=frozenset({(1, 2)})), "s", name={1: "Mira", 2: "Tomo"}.__getitem__)
    assert refusal.value.message == "no complete round is possible while Mira–Tomo must not meet"
    assert refusal.value.hint == "allow Mira–Tomo"


def test_the_pairs_to_allow_are_the_fewest():
    """By brute force: that many forbidden pairs must be allowed, and the named ones are enough."""
    seen = 0
    for number in range(300):
        dice = random.Random(f"refusal {number}")
        count = dice.randint(2, 7)
        pairs = list(combinations(range(1, count + 1), 2))
        forbidden = frozenset(pair for pair in pairs if dice.random() < 0.8)
        options = Options(forbidden=forbidden, no_bye=frozenset({1}) if dice.random() < 0.3 else frozenset())
        every = list(rounds(list(range(1, count + 1))))
        fewest = min(broken(options, *case) for case in every)
        named = pairs_to_allow(prepare(players(count), options))
        assert len(named) == fewest, number
        seen += fewest > 1
        if fewest:
            with pytest.raises(TourneyError):
                pair(players(count), options, "s")
            allowed = Options(
                forbidden=forbidden - {(a, b) for a, b in named} - {(b, a) for a, b in named},
                no_bye=options.no_bye - {a for a, b in named if not b},
            )
            made = pair(players(count), allowed, "s")
            assert obeys(allowed, [table.seats for table in made.tables], made.bye)
    assert seen > 20


def broken(options, made, bye):
    """Count the organizer's pairs that a round breaks."""
    return len({frozenset(pair) for pair in made} & {frozenset(pair) for pair in options.forbidden}) + (
        bye in options.no_bye
    )


def test_rematches_are_made_if_allowed():
    """Without rematches the field is refused; with them, they are proved unavoidable."""
    made = pair(met((2,), (1,)), Options(), "s")
    assert (made.cost.rematches, made.bound.rematches, made.proof) == (1, 1, "optimal (meets the bound)")


class PanicException(BaseException):
    """What a native library raises when it gives up."""


def test_a_panic_of_the_matching_library_is_an_ordinary_exception(monkeypatch):
    """An interrupt is not changed."""
    import rustworkx

    def panics(*_args, **_more):
        raise PanicException("attempt to subtract with overflow")

    monkeypatch.setattr(rustworkx, "max_weight_matching", panics)
    with pytest.raises(matching.MatchingError, match="gave up on 2 players"):
        matching.cheapest_matching([1, 2], [(1, 2)], [0])

    def interrupted(*_args, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr(rustworkx, "max_weight_matching", interrupted)
    with pytest.raises(KeyboardInterrupt):
        matching.cheapest_matching([1, 2], [(1, 2)], [0])


def test_an_answer_that_is_not_a_matching_is_an_exception(monkeypatch):
    """No player is ever seated twice."""
    import rustworkx

    monkeypatch.setattr(rustworkx, "max_weight_matching", lambda *_args, **_more: {(0, 1), (1, 2)})
    with pytest.raises(matching.MatchingError, match="seated a player twice"):
        matching.cheapest_matching([1, 2, 3, 4], [(1, 2), (2, 3)], [0, 0])
