"""From the state of an event to the record and the entrants for the engines."""

import hashlib
from collections import Counter
from itertools import cycle, repeat
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.event.pad import Pad, profile
from tests.kit import amount, with_rows
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.field import (
    Ask,
    division_places,
    divisions_of,
    field_of,
    lot_seed,
    record,
    round_seed,
    standings,
)
from tourney.event.field import round_robin as round_robin_plan
from tourney.event.settings import Settings
from tourney.event.systems.round_robin import SYSTEM
from tourney.record import Outcome, PlayerId, Table
from tourney.standings import explain_place


def played():
    """Five players, two rounds: 1 beats 2, 3 and 4 draw, 5 has the bye.

    Then 1–5, 2–3 (3 did not show), 4 has the bye.
    """
    pad = Pad("Ada", "Ben", "Cleo", "Dina", "Eli")
    pad.pair((1, 2), (3, 4), byes=[(5, "bye")])
    pad.result(1, "w")
    pad.result(2, "d")
    pad.pair((1, 5), (2, 3), byes=[(4, "bye")])
    pad.result(1, "l")
    pad.result(2, "ff2")
    return pad


def entrants(pad, number, **more):
    return {entrant.id: entrant for entrant in field_of(pad.state, profile(), number=number, **more).entrants}


def test_the_record_has_tables_byes_and_absences():
    """Rounds in order, byes by outcome; the other players in the event are absent."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina", "Eli")
    pad.pair((1, 2), byes=[(3, "half-bye"), (4, "awarded-bye"), (5, "absent")])
    pad.result(1, "w")
    made = record(pad.state)
    assert [table.seats for table in made.rounds[0]] == [(1, 2)]
    assert made.byes[0] == {3: Outcome.HALF_BYE, 4: Outcome.AWARDED_BYE}
    assert made.absences[0] == {5}


def test_drops_absences_and_returns():
    """A player is not absent after a drop, but is between drop and return.

    A drop after the last round does not count yet.
    """
    pad = Pad("Ada", "Ben", "Cleo", "Dina")
    pad.write(ops.PlayerDropped(players=(PlayerId(4),), after=0))
    pad.pair((1, 2), byes=[(3, "bye")])
    pad.result(1, "w")
    pad.write(ops.PlayerDropped(players=(PlayerId(2),), after=1))
    assert record(pad.state).drops == {4: 0}
    pad.pair((1, 3))
    pad.result(1, "w")
    made = record(pad.state)
    assert made.drops == {4: 0, 2: 1}
    assert made.absences == (frozenset(), frozenset())
    pad.write(ops.PlayerReturned(players=(PlayerId(2),), since=3))
    assert record(pad.state).absences == (frozenset(), frozenset({2}))


def test_missed_rounds_of_late_players_count_as_registered():
    """Absent (a loss) by default, or a bye or half bye."""
    pad = Pad("Ada", "Ben")
    pad.pair((1, 2))
    pad.result(1, "w")
    pad.players("Late")
    pad.players("Later", late="bye")
    pad.players("Half", late="half-bye")
    made = record(pad.state)
    assert made.absences[0] == {3}
    assert made.byes[0] == {4: Outcome.AWARDED_BYE, 5: Outcome.HALF_BYE}
    rows = {row.player: row.points for row in standings(pad.state, profile()).rows}
    assert rows == {1: 2, 2: 0, 3: 0, 4: 2, 5: 1}


def test_disqualified_players_leave_the_ranking_and_stay_opponents():
    """Their last round is capped at the rounds that count."""
    pad = played()
    pad.write(ops.PlayerDisqualified(player=PlayerId(1), after=2))
    assert record(pad.state).disqualified == {1: 2}
    rows = standings(pad.state, profile()).rows
    assert rows[-1].player == 1
    assert rows[-1].rank is None


def test_entrants_carry_their_history():
    """Points, opponents, no-shows, byes and floats, round by round."""
    there = entrants(played(), 3)
    ada, ben, cleo, dina, eli = (there[PlayerId(n)] for n in range(1, 6))
    assert [player.points for player in (ada, ben, cleo, dina, eli)] == [2, 2, 1, 3, 4]
    assert ada.opponents == (2, 5)
    assert ben.opponents == (1,)
    assert ben.no_shows == (3,)
    assert cleo.no_shows == (2,)
    assert (dina.byes, eli.byes, ada.byes) == (1, 1, 0)
    assert ada.floats == (0, 0)
    assert ben.floats == (0, 1)  # 0 points met ½ point
    assert cleo.floats == (0, -1)


def test_meetings_are_mutual_at_tables_of_three_with_a_no_show():
    """Players who showed have met each other; the no-show has met no player."""
    pad = Pad("Ada", "Ben", "Cleo", seats=(3,))
    pad.pair((1, 2, 3))
    pad.result(1, "1,2,ff")
    there = entrants(pad, 2)
    assert [sorted(there[n].opponents) for n in (1, 2, 3)] == [[2], [1], []]
    assert [sorted(there[n].no_shows) for n in (1, 2, 3)] == [[3], [3], [1, 2]]


def test_announced_byes_and_absences_are_not_entrants():
    """They are beside the entrants, for that round only."""
    pad = Pad("Ada", "Ben", "Cleo")
    pad.write(ops.PlayerChanged(player=PlayerId(2), byes=((1, "half-bye"),)))
    first = field_of(pad.state, profile(), number=1)
    assert {entrant.id for entrant in first.entrants} == {1, 3}
    assert first.byes == {2: Outcome.HALF_BYE}
    assert field_of(pad.state, profile(), number=2).byes == {}


def test_entrants_have_sides_only_in_games_with_sides():
    """Seat 1 has the first side. A game that was not played counts for no side."""
    pad = Pad("Ada", "Ben", sides=("Red", "Blue"))
    pad.pair((2, 1))
    pad.result(1, "w")
    pad.pair((2, 1))
    pad.result(1, "ff1")
    there = entrants(pad, 3)
    assert (there[1].sides, there[2].sides) == ((-1,), (1,))
    assert entrants(played(), 3)[1].sides == ()


def test_tags_are_groups_while_the_event_keeps_them_apart():
    """Only kinds that the event keeps apart, only in its first rounds.

    Soft forbidden pairs are groups, too.
    """
    pad = Pad(keep_apart={"club": 1, "team": 0})
    pad.players("Ada", "Ben", tags={"club": "Harbour", "team": "One", "city": "Mole"})
    pad.write(ops.PairForbidden(players=(PlayerId(1), PlayerId(2)), hard=False))
    first, second = entrants(pad, 1), entrants(pad, 2)
    assert first[1].tags == first[2].tags
    assert [tag.partition(":")[0] for tag in first[1].tags] == ["club", "team", "apart"]
    assert [tag.partition(":")[0] for tag in second[1].tags] == ["team", "apart"]


def test_fixed_tables_and_forced_ones():
    """The table of a forced pair takes precedence over a player's own fixed table."""
    pad = Pad("Ada", "Ben")
    pad.write(ops.PlayerChanged(player=PlayerId(1), table=3))
    pad.write(ops.PairForced(players=(PlayerId(1), PlayerId(2)), round=2, table=9))
    assert [entrants(pad, 1)[n].fixed_table for n in (1, 2)] == [3, None]
    assert [entrants(pad, 2)[n].fixed_table for n in (1, 2)] == [9, None]


def test_the_field_of_an_earlier_round_is_as_it_was():
    """In the field of round 2, players have their points after round 1."""
    there = entrants(played(), 2)
    assert [there[n].points for n in range(1, 6)] == [2, 0, 1, 1, 2]
    assert there[1].opponents == (2,)


def test_rounds_of_the_cut_are_not_ranked():
    """Standings count the Swiss rounds, or the bracket of an elimination event."""
    pad = played()
    before = record(pad.state)
    pad.write(ops.CutMade(players=(PlayerId(5), PlayerId(4)), after=2))
    pad.write(
        ops.RoundPaired(
            round=3, tables=(Table(1, (PlayerId(5), PlayerId(4))),), stage="cut", labels=("Final",)
        )
    )
    assert record(pad.state) == before
    alone = Pad("Ada", "Ben")
    alone.pair((1, 2), stage="cut", labels=("Final",))
    assert len(record(alone.state).rounds) == 1


def test_seeds_are_documented_functions_of_the_secret():
    """Round seed: SHA-256 of the secret, a slash, the number. Another program can repeat it."""
    assert round_seed(b"s3cret", 4) == hashlib.sha256(b"s3cret/4").hexdigest()
    assert lot_seed(b"s3cret") == hashlib.sha256(b"lot/s3cret").hexdigest()
    assert lot_seed(None) == ""


def round_robin(names, results, leave, **more):
    """Play a round robin with `results`; `leave` has the leaving players by round."""
    pad = Pad(*names, system="round-robin", **{"left_early": "void", **more})
    for number in range(1, SYSTEM.planned_rounds(pad.state) + 1):
        ask = Ask(state=pad.state, profile=profile(), number=number, seed="seed")
        try:
            pad.write(SYSTEM.propose(ask).op)
        except TourneyError:
            break
        for table in pad.state.round.tables:
            pad.result(table, next(results))
        for player, how in leave.get(number, ()):
            left = ops.PlayerDropped(players=(PlayerId(player),), after=number)
            out = ops.PlayerDisqualified(player=PlayerId(player), after=number)
            pad.write(left if how == "drop" else out)
    return pad


SIX = ("Ada", "Ben", "Cleo", "Dina", "Eli", "Fay")


@with_rows(
    ("after", "played", "counts"),
    [(1, "w", False), (2, "w", False), (3, "w", True), (3, "ff1", False), (5, "ff2", False)],
)
@with_rows("how", ["drop", "out"])
def test_games_count_if_a_leaving_player_completed_half(after, played, counts, how):
    """Of five games, two are less than half and three are not.

    A game that was not played is not completed.
    """
    pad = round_robin(SIX, repeat(played), {after: [(1, how)]})
    assert record(pad.state).left_early == ({} if counts else {1: after})
    assert standings(pad.state, profile()).row(PlayerId(1)).left_early == (not counts)


def test_exactly_half_is_enough():
    """Two of four games, in a field of five."""
    pad = round_robin(SIX[:5], repeat("w"), {})
    played = [any(1 in table.seats for table in round_.tables.values()) for round_ in pad.state.rounds]
    second = [number for number, there in enumerate(played, 1) if there][1]
    for last, early in ((second, {}), (second - 1, {1: second - 1})):
        pad = round_robin(SIX[:5], repeat("w"), {last: [(1, "drop")]})
        assert record(pad.state).left_early == early


def test_events_from_before_the_setting_count_every_game():
    """The default of the setting keeps the earlier behaviour."""
    assert Settings().pairing.left_early == "counts"
    pad = round_robin(SIX, repeat("w"), {1: [(1, "drop")]}, left_early="counts")
    assert record(pad.state).left_early == {}
    assert record(pad.state).no_opponent == ()


def test_a_swiss_event_counts_every_game():
    """The FIDE rule is only for round robins."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina", left_early="void")
    pad.pair((1, 2), (3, 4))
    pad.result(1, "w")
    pad.write(ops.PlayerDropped(players=(PlayerId(1),), after=1))
    assert record(pad.state).left_early == {}


def modelled(pad):
    """Add up half points by the FIDE rule without a record, and rank by them."""
    state, worth = pad.state, {"win": 2, "forfeit-win": 2, "draw": 1}
    due = (len(state.players) - 1) * (2 if state.settings.pairing.double else 1)
    meetings = {frozenset(t.seats): [] for r in state.rounds for t in r.tables.values()}
    done = Counter()
    for round_ in state.rounds:
        for table in round_.tables.values():
            meetings[frozenset(table.seats)].append(table.result)
            done.update(seat.player for seat in table.result.seats if seat.outcome.played)
    gone = {p.id for p in state.players.values() if p.dropped is not None or p.disqualified is not None}
    void = {player for player in gone if 2 * done[player] < due}
    points = Counter(dict.fromkeys(state.players, 0))
    for pair, games in meetings.items():
        for result in games if not pair & void else ():
            for seat in result.seats:
                points[seat.player] += worth.get(seat.outcome.value, 0)
    plan = round_robin_plan(state, "seed")
    for round_, pairs in zip(state.rounds, plan.rounds, strict=False):
        seated = {player for table in round_.tables.values() for player in table.seats}
        for pair in pairs:
            for player, other in (pair, pair[::-1]):
                if player in round_.byes and player not in seated and not {player, other} & void:
                    points[player] += 2
    return points, void


@with_rows("seed", range(amount(20, of=60)))
def test_points_of_round_robins_that_players_leave(seed):
    """Compare points and void games with a second implementation of the rule."""
    dice = Random(seed)
    count = dice.randint(3, 8)
    names = [f"Guest {number}" for number in range(1, count + 1)]
    leavers = dice.sample(range(1, count + 1), dice.randint(0, count - 2))
    leave = {}
    for player in leavers:
        leave.setdefault(dice.randint(1, count), []).append((player, dice.choice(["drop", "drop", "out"])))
    results = iter(lambda: dice.choice(["w", "l", "d", "ff1", "ff2", "w"]), None)
    pad = round_robin(names, results, leave, double=dice.random() < 0.3)
    points, void = modelled(pad)
    table = standings(pad.state, profile())
    assert {row.player: row.points for row in table.rows} == dict(points)
    assert {row.player for row in table.rows if row.left_early} == void
    ranked = [row for row in table.rows if row.rank is not None]
    assert ranked == sorted(ranked, key=lambda row: row.left_early)
    for row in ranked[:2]:
        explain_place(record(pad.state), profile(), row.player)


def test_results_against_a_player_who_left_early_swap_no_ranks():
    """Such a game counts for no player, so no other result of it is tried."""
    pad = round_robin(SIX, cycle("wld"), {2: [(1, "drop")]})
    made = record(pad.state)
    assert made.left_early == {1: 2}
    swaps = []
    for row in standings(pad.state, profile()).rows:
        above = explain_place(made, profile(), row.player).above
        swaps += above.search.swaps if above else ()
    assert swaps
    assert not any(1 in swap.table.seats for swap in swaps)


@given(
    st.lists(
        st.tuples(st.sampled_from(["Juniors", "Masters", ""]), st.integers(1, 4), st.booleans()), max_size=12
    )
)
def test_a_division_is_ranked_like_the_whole_field(players):
    """A place is one more than the members ahead. Level players share it."""
    ranks = {number: rank if ranked else None for number, (_, rank, ranked) in enumerate(players, 1)}
    divisions = {number: name for number, (name, _, _) in enumerate(players, 1) if name}
    order = sorted(ranks.items(), key=lambda item: (item[1] is None, item[1] or 0))
    places = division_places(divisions, order)
    assert places.keys() == divisions.keys()
    for player, place in places.items():
        own = [
            ranks[division]
            for division in divisions
            if divisions[division] == divisions[player] and ranks[division]
        ]
        rank = ranks[player]
        assert place.division_place == (None if rank is None else 1 + sum(other < rank for other in own))
        assert place.division_last == (None if rank is None else sum(other <= rank for other in own))


def test_a_division_has_the_spelling_of_its_first_member():
    """Case and accents do not make another division."""
    pad = Pad()
    pad.players("Ada", tags={"division": "Juniors"})
    pad.players("Ben", tags={"division": "JUNIORS"})
    pad.players("Cleo")
    assert divisions_of(pad.state) == {1: "Juniors", 2: "Juniors"}
    places = division_places(divisions_of(pad.state), [(1, 3), (2, 3), (3, 1)])
    assert [place.in_division for place in places.values()] == ["Juniors 1–2", "Juniors 1–2"]
