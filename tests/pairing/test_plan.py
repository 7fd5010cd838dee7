"""What a number of players allows: rounds, rematches, byes."""

from itertools import combinations

import pytest

from tests.kit import with_rows
from tests.pairing.judge import matchings
from tourney.errors import TourneyError
from tourney.pairing import ADVICE, Entrant, Options, pair, plan


@with_rows(
    ("players", "advice", "rounds", "cut"),
    [
        (8, "magic", 3, 0), (9, "magic", 5, 4), (16, "magic", 5, 4), (17, "magic", 5, 8),
        (226, "magic", 8, 8), (227, "magic", 9, 8), (410, "magic", 10, 8), (4000, "magic", 10, 8),
        (12, "pokemon", 4, 0), (13, "pokemon", 5, 0), (409, "pokemon", 9, 0), (410, "pokemon", 10, 0),
        (16, "flesh-and-blood", 5, 4), (224, "flesh-and-blood", 8, 8), (225, "flesh-and-blood", 9, 8),
        (736, "flesh-and-blood", 10, 8), (2, "own", 1, 0), (5, "own", 3, 0), (8, "own", 3, 0),
        (9, "own", 4, 0), (1025, "own", 11, 0),
    ],
)  # fmt: skip
def test_the_rounds_advised_are_the_publishers(players, advice, rounds, cut):
    """The publishers' rows, at their limits."""
    planned = plan(players, advice=advice)
    assert (planned.advised, planned.top_cut) == (rounds, cut)


def test_awarded_byes_count_as_several_players():
    """1, 2 and 3 awarded byes count as 2, 4 and 8 players."""
    assert plan(30, awarded_byes=(1, 2, 3), advice="magic").counted == 30 + 1 + 3 + 7
    assert plan(30, awarded_byes=(1, 2), advice="magic").advised == 6


@with_rows("players", [2, 4, 6])
def test_no_rematch_is_needed_up_to_the_planned_round(players):
    """All histories of as many rounds without a rematch leave one more."""
    free = plan(players, rematches=True).rematch_free
    every = [frozenset(map(frozenset, pairs)) for pairs in matchings(list(range(players)))]
    for history in combinations(every, free - 1):
        played = frozenset().union(*history)
        if len(played) == len(history) * players // 2:
            assert any(not round_ & played for round_ in every)


@with_rows("players", [3, 4, 5, 6, 7, 8])
def test_a_rematch_is_certain_from_the_planned_round(players):
    """Played round by round, and byes repeat in the planned round."""
    planned = plan(players, rounds=2, rematches=True)
    met = {player: [] for player in range(1, players + 1)}
    byes = dict.fromkeys(met, 0)
    for number in range(1, planned.rematch_certain + 1):
        made = pair(
            [Entrant(id=p, opponents=tuple(met[p]), byes=byes[p]) for p in met], Options(), f"{number}"
        )
        if number <= planned.rematch_free:
            assert made.cost.rematches == 0
        if made.bye:
            byes[made.bye] += 1
            if number < planned.second_bye_round:
                assert max(byes.values()) == 1
        for a, b in (table.seats for table in made.tables):
            met[a].append(b)
            met[b].append(a)
    assert any(len(set(others)) < len(others) for others in met.values())


@with_rows(
    ("plan_options", "message", "hint"),
    [
        ({"players": 0}, "0 players cannot be paired: a round needs two", None),
        ({"players": 1}, "1 player cannot be paired: a round needs two", None),
        ({"players": 6, "rounds": 7},
         "7 rounds are too many for 6 players: a rematch is certain from round 6",
         "play 5 rounds, or find 1 more player"),
        ({"players": 2, "rounds": 2},
         "2 rounds are too many for 2 players: a rematch is certain from round 2",
         "play 1 round, or find 1 more player"),
        ({"players": 6, "rounds": 0}, "a plan needs at least 1 round, not 0", None),
        ({"players": 6, "advice": "mine"},
         "unknown advice `mine`", f"choose one of own, {', '.join(ADVICE)}"),
        ({"players": 3, "awarded_byes": (1, 1, 1, 1)},
         "awarded byes: give one number from 0 to 20 for each player who has any, for at most 3 players",
         None),
        ({"players": 900, "advice": "flesh-and-blood"},
         "Flesh and Blood Tournament Rules and Policy, appendix A.2, as of 2026-11"
         " has no row for more than 736 players",
         "use `own`"),
    ],
)  # fmt: skip
def test_impossible_plans_are_refused_with_a_way_out(plan_options, message, hint):
    """The message has the reason and the smallest change."""
    with pytest.raises(TourneyError) as refusal:
        plan(**plan_options)
    assert (refusal.value.message, refusal.value.hint) == (message, hint)


def test_the_hint_makes_the_plan_possible():
    """With as many players as the hint asks for, the rounds can be planned."""
    for players in range(2, 12):
        for rounds in range(1, 14):
            try:
                plan(players, rounds=rounds)
            except TourneyError as refusal:
                more = int(refusal.hint.split("find ")[1].split()[0])
                plan(players + more, rounds=rounds)
                if more > 1:
                    with pytest.raises(TourneyError):
                        plan(players + more - 1, rounds=rounds)


def test_a_plan_is_given_in_words():
    """Rounds, rematches and byes have a sentence each."""
    assert [reason.text for reason in plan(7).reasons] == [
        "7 players: 3 rounds advised (⌈log₂ n⌉); with many draws play one more",
        "no rematch can be needed up to round 3; from round 8 on there must be one",
        "an odd number: 3 byes in 3 rounds, at most one bye for each player",
    ]
    assert (
        plan(8, rematches=True).reasons[2].text
        == "an even number: no byes unless a player drops or comes late"
    )
