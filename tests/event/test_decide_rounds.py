"""Decisions about rounds: by the system, by hand, edits, repairs, the cut."""

import pytest

from tests.event.pad import Pad, profile
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event import brackets, decks, ops, players, presence, results, rounds
from tourney.event.field import Ask, standings
from tourney.event.fold import depends_on
from tourney.event.ops import NoTable
from tourney.event.score import Report
from tourney.event.seating import read_pairings
from tourney.event.systems import planned_rounds
from tourney.record import Outcome, PlayerId

PROFILE = profile()
EIGHT = tuple(f"Player {letter}" for letter in "ABCDEFGH")


def ask(pad, number=None, seed="ab"):
    state = pad.state
    return Ask(state=state, profile=PROFILE, number=number or len(state.rounds) + 1, seed=seed)


def pair(pad, manner=rounds.PLAINLY, **more):
    decision = rounds.pair(pad.change, ask(pad, **more), manner)
    pad.do(decision)
    return decision


ANYWAY = rounds.Manner(careful=False)


def by_hand(pad, text, manner=rounds.PLAINLY):
    return rounds.pair_by_hand(pad.change, ask(pad), read_pairings(pad.state, text, source="-"), manner)


def play(pad, score="w"):
    for table in pad.state.round.playing:
        pad.result(table, score)


def refused(message, act):
    with pytest.raises(TourneyError) as refusal:
        act()
    assert message in refusal.value.message
    return refusal.value.hint


# -- pairing


def test_the_engines_round_is_recorded_with_seed_and_proof():
    """The op has tables, odd bye, seed, engine and proof."""
    pad = Pad(*EIGHT[:7])
    op = pair(pad).op
    assert len(op.tables) == 3
    assert [bye.kind for bye in op.byes] == ["bye"]
    assert op.seed == "ab"
    assert op.engine.startswith("tourney ")
    assert op.proof.text == "optimal (meets the bound)"
    assert len(op.proof.cost) == len(op.proof.bound) == 10


def test_the_same_seed_gives_the_same_round():
    """A round that is cancelled and paired again is the same, so trying again is useless."""
    pad = Pad(*EIGHT)
    first = pair(pad).op
    pad.do(rounds.cancel(pad.change))
    assert pair(pad).op == first


def test_no_round_is_paired_while_a_table_is_open():
    """The error names the tables; the hint enters the first result or cancels the round."""
    pad = Pad(*EIGHT)
    pair(pad)
    pad.result(2, "w")
    hint = refused("round 1 has no result for tables 1, 3, 4", lambda: pair(pad))
    assert "tourney result add 1 1-0" in hint
    play(pad)
    assert pair(pad).op.round == 2


@with_rows(
    ("names", "message"), [((), "no players can be paired"), (("Ada",), "Ada is the only player left")]
)
def test_too_few_players(names, message):
    """None, or one."""
    refused(message, lambda: pair(Pad(*names)))


def test_planned_rounds_end_the_swiss():
    """After the last one, the hint says how to go on."""
    pad = Pad(*EIGHT[:4], rounds=1)
    pair(pad)
    play(pad)
    assert "--rounds 2" in refused("the one planned round was played", lambda: pair(pad))


def test_announced_byes_are_kept_and_used():
    """A half bye announced for round 1 is in round 1, and the odd bye goes to another player."""
    pad = Pad(*EIGHT[:6])
    pad.write(ops.PlayerChanged(player=PlayerId(2), byes=((1, "half-bye"),)))
    op = pair(pad).op
    kinds = {bye.player: bye.kind for bye in op.byes}
    assert kinds.pop(2) == "half-bye"
    assert list(kinds.values()) == ["bye"]


def test_forced_and_forbidden_pairs_hold():
    """A forced pair counts for its round, a forbidden one for all rounds."""
    pad = Pad(*EIGHT)
    pad.do(rounds.force(pad.change, PlayerId(1), PlayerId(2), table=4))
    pad.do(rounds.forbid(pad.change, PlayerId(3), PlayerId(4), hard=True))
    tables = {table.number: set(table.seats) for table in pair(pad).op.tables}
    assert tables[4] == {1, 2}
    assert {3, 4} not in tables.values()
    for seed in "cdefgh":
        pad.do(rounds.cancel(pad.change))
        assert {3, 4} not in [set(table.seats) for table in pair(pad, seed=seed).op.tables]


def test_one_forced_player_has_the_bye_and_two_cannot():
    """`round force ADA` gives the bye; two such players are refused."""
    pad = Pad(*EIGHT[:5])
    pad.do(rounds.force(pad.change, PlayerId(3)))
    assert [bye.player for bye in pair(pad).op.byes] == [3]
    play(pad)
    for player in (1, 2):
        pad.do(rounds.force(pad.change, PlayerId(player)))
    refused("only one player can have the bye", lambda: pair(pad))


def test_contradictions_are_refused_with_names():
    """A pair cannot be forced and forbidden."""
    pad = Pad(*EIGHT)
    pad.do(rounds.force(pad.change, PlayerId(1), PlayerId(2)))
    pad.do(rounds.forbid(pad.change, PlayerId(1), PlayerId(2), hard=True))
    refused("the pair Player A–Player B is both forced and forbidden", lambda: pair(pad))


def test_an_unavoidable_rematch_is_reported_as_proved():
    """In round 4 of four players, all have met."""
    pad = Pad(*EIGHT[:4])
    for _ in range(3):
        pair(pad)
        play(pad)
    warning = pair(pad).warnings[0]
    assert warning.startswith("2 rematches, proved to be unavoidable: table 1 (")


def test_the_last_round_by_rank_and_the_first_by_rating():
    """Settings choose the mode of the first and the last round."""
    pad = Pad(rounds=2, first_round="fold", last_round="rank")
    for number, name in enumerate(EIGHT[:4]):
        pad.players(name, rating=2000 - number)
    first = {frozenset(table.seats) for table in pair(pad).op.tables}
    assert first == {frozenset({1, 4}), frozenset({2, 3})}
    play(pad)
    order = [row.player for row in standings(pad.state, PROFILE).rows]
    met = {frozenset(order[:2]), frozenset(order[2:])}
    if not met & first:
        assert {frozenset(table.seats) for table in pair(pad).op.tables} == met


# -- by hand


def test_a_round_by_hand_is_checked_and_recorded():
    """It has the system `manual`, no seed and no engine."""
    pad = Pad(*EIGHT[:5])
    decision = by_hand(pad, "2: #1 - #2\n#3 - #4\n#5 bye")
    assert (decision.op.system, decision.op.seed, decision.op.engine) == ("manual", "", "")
    assert [(table.number, table.seats) for table in decision.op.tables] == [(1, (3, 4)), (2, (1, 2))]
    assert decision.warnings == ()


@with_rows(
    ("text", "message"),
    [
        ("#1 - #2\n#3 - #4", "Player E has neither a table nor a bye"),
        ("#1 - #2 - #3\n#4 - #5", "table 1: a table of this event has 2 seats, not 3"),
        ("#1 - #2\n#3 - #6\n#4 bye\n#5 bye", "Player F has left the event"),
    ],
)
def test_impossible_rounds_by_hand_are_refused(text, message):
    """All players once, tables of the right size, no player who left."""
    pad = Pad(*EIGHT[:6])
    pad.write(ops.PlayerDropped(players=(PlayerId(6),), after=0))
    refused(message, lambda: by_hand(pad, text))


def test_an_avoidable_fault_by_hand_is_a_warning():
    """An avoidable rematch or a second bye is recorded with a warning."""
    pad = Pad(*EIGHT[:5])
    pad.do(by_hand(pad, "#1 - #2\n#3 - #4\n#5 bye"))
    play(pad)
    warnings = by_hand(pad, "#1 - #2\n#3 - #4\n#5 bye").warnings
    assert any("Player A–Player B have met once before" in warning for warning in warnings)
    assert any("Player E has had a bye" in warning for warning in warnings)


def test_seating_a_player_with_an_announced_absence_warns():
    """The organizer's seat counts."""
    pad = Pad(*EIGHT[:2])
    pad.write(ops.PlayerChanged(player=PlayerId(2), byes=((1, "absent"),)))
    assert by_hand(pad, "#1 - #2").warnings == ("Player B had asked not to play this round",)


def test_announced_byes_need_not_be_typed():
    """A player who is not named gets the announced bye."""
    pad = Pad(*EIGHT[:3])
    pad.write(ops.PlayerChanged(player=PlayerId(3), byes=((1, "half-bye"),)))
    assert [(bye.player, bye.kind) for bye in by_hand(pad, "#1 - #2").op.byes] == [(3, "half-bye")]


# -- edits


def edited(pad, move):
    plan = rounds.seating_of(pad.state)
    move(plan)
    decision = rounds.edit(pad.change, plan, None)
    pad.do(decision)
    return decision


def seven():
    """Seven players: tables 1–2, 3–4, 5–6, and 7 has the bye."""
    pad = Pad(*EIGHT[:7])
    pad.pair((1, 2), (3, 4), (5, 6), byes=[(7, "bye")])
    return pad


def seats(pad):
    round_ = pad.state.round
    return {n: table.seats for n, table in round_.tables.items()}, {
        p: o.value for p, o in round_.byes.items()
    }


@with_rows(
    ("move", "tables", "byes"),
    [
        (lambda plan: plan.swap(1, 4), {1: (4, 2), 2: (3, 1), 3: (5, 6)}, {7: "bye"}),
        (lambda plan: plan.swap(1, 2), {1: (2, 1), 2: (3, 4), 3: (5, 6)}, {7: "bye"}),
        (lambda plan: plan.swap(7, 5), {1: (1, 2), 2: (3, 4), 3: (7, 6)}, {5: "bye"}),
        (lambda plan: plan.seat(1, [3, 6]), {1: (3, 6), 2: (1, 4), 3: (5, 2)}, {7: "bye"}),
        (lambda plan: plan.seat(2, [7, 4]), {1: (1, 2), 2: (7, 4), 3: (5, 6)}, {3: "bye"}),
        (lambda plan: plan.bye(3, Outcome("half-bye")), {1: (1, 2), 2: (4, 7), 3: (5, 6)}, {3: "half-bye"}),
        (lambda plan: plan.bye(7, Outcome("absent")), {1: (1, 2), 2: (3, 4), 3: (5, 6)}, {7: "absent"}),
    ],
)
def test_edits_move_the_named_and_the_displaced_players(move, tables, byes):
    """No player is lost, and none sits twice."""
    pad = seven()
    edited(pad, move)
    assert seats(pad) == (tables, byes)


def test_a_bye_gives_the_opponent_the_bye():
    """Without another player waiting, the table is removed."""
    pad = Pad(*EIGHT[:4])
    pad.pair((1, 2), (3, 4))
    edited(pad, lambda plan: plan.bye(PlayerId(1), Outcome("absent")))
    assert seats(pad) == ({2: (3, 4)}, {1: "absent", 2: "bye"})
    edited(pad, lambda plan: plan.seat(9, [PlayerId(1), PlayerId(2)]))
    assert seats(pad) == ({2: (3, 4), 9: (1, 2)}, {})


def test_a_late_player_can_be_seated_at_a_new_table():
    """A player without a table can get one. The first round paired after the registration is a later one."""
    pad = seven()
    pad.players("Late")
    edited(pad, lambda plan: plan.seat(4, [PlayerId(7), PlayerId(8)]))
    assert seats(pad)[0][4] == (7, 8)
    assert pad.state.players[PlayerId(8)].since == len(pad.state.rounds) + 1


@with_rows(
    ("move", "message"),
    [
        (lambda plan: plan.swap(3, 5), "table 2 already has a result"),
        (lambda plan: plan.swap(1, 1), "Player A cannot change seats with themselves"),
        (lambda plan: plan.seat(2, [1, 5]), "table 2 already has a result"),
        (lambda plan: plan.seat(1, [1, 1]), "a player was named twice"),
        (lambda plan: plan.seat(1, [1]), "a table of this event has 2 seats, not 1"),
        (
            lambda plan: plan.seat(9, [1, 5]),
            "there is no table 9, and Player A and Player E already have a table",
        ),
        (lambda plan: plan.seat(0, [7, 7]), "a player was named twice"),
        (lambda plan: plan.bye(4, Outcome("bye")), "table 2 already has a result"),
        (lambda plan: plan.bye(1, Outcome("bye")), "Player G has the bye"),
        (lambda plan: plan.swap(1, 8), "Player H has dropped"),
    ],
)
def test_impossible_edits_are_refused(move, message):
    """Tables with a result, wrong sizes, and players who left."""
    pad = Pad(*EIGHT)
    pad.write(ops.PlayerDropped(players=(PlayerId(8),), after=0))
    pad.pair((1, 2), (3, 4), (5, 6), byes=[(7, "bye")])
    pad.result(2, "w")
    refused(message, lambda: move(rounds.seating_of(pad.state)))


def test_an_edit_without_changes_writes_nothing():
    """Two players swapped there and back."""
    pad = seven()

    def there_and_back(plan):
        plan.swap(PlayerId(1), PlayerId(3))
        plan.swap(PlayerId(1), PlayerId(3))

    assert edited(pad, there_and_back).op is None


def test_an_edit_into_a_rematch_warns():
    """It is recorded all the same."""
    pad = Pad(*EIGHT[:4])
    pad.pair((1, 2), (3, 4))
    play(pad)
    pad.pair((1, 3), (2, 4))
    decision = edited(pad, lambda plan: plan.swap(PlayerId(3), PlayerId(2)))
    assert decision.warnings[0] == "table 1: Player A and Player B already met in round 1"


def test_no_round_to_edit():
    """Before the first pairing there is no round to edit."""
    assert "round next" in refused("no round is paired yet", lambda: rounds.seating_of(Pad("Ada").state))


# -- repair and cancel


def test_a_repair_after_a_drop_touches_the_fewest_tables():
    """The opponent left alone meets the player with the bye; tables with a result are kept."""
    pad = seven()
    pad.result(1, "w")
    pad.write(ops.PlayerDropped(players=(PlayerId(3),), after=1))
    pad.write(ops.PlayerDropped(players=(PlayerId(3),), after=0))
    decision = rounds.repair(pad.change, ask(pad, number=1))
    pad.do(decision)
    tables, byes = seats(pad)
    assert tables[1] == (1, 2)
    assert tables[3] == (5, 6)
    assert set(tables[2]) == {4, 7}
    assert byes == {}
    assert pad.state.round.tables[1].result is not None


def test_a_repair_leaves_out_drops_and_includes_newcomers():
    """Otherwise both count from the next round on."""
    pad = Pad(*EIGHT)
    pair(pad)
    pad.result(1, "w")
    stays, goes = seats(pad)[0][2]
    pad.write(ops.PlayerDropped(players=(goes,), after=1))
    pad.players("Late")
    before = seats(pad)[0]
    pad.do(rounds.repair(pad.change, ask(pad, number=1)))
    tables, byes = seats(pad)
    assert set(tables[2]) == {stays, PlayerId(9)}
    assert {number: tables[number] for number in (1, 3, 4)} == {
        number: before[number] for number in (1, 3, 4)
    }
    assert byes == {}


def test_a_repair_keeps_tables_with_a_result():
    """Even if a player left since."""
    pad = Pad(*EIGHT)
    pair(pad)
    pad.result(1, "w")
    pad.write(ops.PlayerDropped(players=(seats(pad)[0][1][0],), after=1))
    assert rounds.repair(pad.change, ask(pad, number=1)).op is None


def test_a_repair_without_changes_writes_nothing():
    """Nothing has changed since the pairing."""
    pad = Pad(*EIGHT)
    pair(pad)
    assert rounds.repair(pad.change, ask(pad, number=1)).op is None


@with_rows(
    "remove",
    [
        lambda pad, _pairing: pad.do(rounds.cancel(pad.change)),
        lambda pad, pairing: pad.undo(pairing),
    ],
)
def test_a_round_paired_again_has_the_players_who_joined_meanwhile(remove):
    """Players who left are not in it. The round was cancelled, or its pairing was undone."""
    pad = Pad(*EIGHT[:6])
    pair(pad)
    pairing = pad.last
    pad.players("Late")
    pad.do(presence.drop(pad.change, PlayerId(1), own=True))
    pad.do(presence.disqualify(pad.change, PlayerId(2)))
    remove(pad, pairing)
    joined, left, out = (pad.state.players[PlayerId(number)] for number in (7, 1, 2))
    assert (joined.since, left.dropped, left.departure.round, out.disqualified) == (1, 0, 0, 0)
    assert not left.leaving
    pair(pad)
    tables, byes = seats(pad)
    assert sorted([player for table in tables.values() for player in table] + [*byes]) == [3, 4, 5, 6, 7]


def test_players_who_join_or_leave_before_a_cancelled_round_is_restored():
    """A player with a seat in it leaves after it, and a newcomer joins in the next round."""
    pad = Pad(*EIGHT[:6])
    pair(pad)
    pad.do(rounds.cancel(pad.change))
    cancelled = pad.last
    pad.players("Late")
    pad.do(presence.drop(pad.change, PlayerId(1)))
    pad.do(presence.disqualify(pad.change, PlayerId(2)))
    pad.undo(cancelled)
    joined, left, out = (pad.state.players[PlayerId(number)] for number in (7, 1, 2))
    assert (joined.since, left.dropped, left.departure.round, out.disqualified) == (2, 1, 1, 1)


def test_a_round_that_was_paired_again_as_before_keeps_its_players():
    """Pre-releases did so: a player who had left plays the round, and one who had joined waits."""
    pad = Pad(*EIGHT[:6])
    pad.pair((1, 2), (3, 4), (5, 6))
    pad.players("Late")
    pad.do(presence.drop(pad.change, PlayerId(1)))
    pad.do(rounds.cancel(pad.change))
    pad.pair((1, 2), (3, 4), (5, 6))
    left, joined = (pad.state.players[PlayerId(number)] for number in (1, 7))
    assert (left.dropped, left.departure.round, joined.since) == (1, 1, 2)


def test_what_players_see_does_not_reveal_a_round_that_is_held_back():
    """The numbers of rounds at which players joined or left do not reveal it either."""
    pad = Pad(*EIGHT[:6])
    pair(pad)
    play(pad)
    pair(pad, rounds.Manner(hold_back=True))
    pad.players("Late")
    pad.do(presence.drop(pad.change, PlayerId(1)))
    assert [pad.state.players[PlayerId(number)].as_of(2) for number in (1, 7)] == [
        pad.state.players[PlayerId(number)] for number in (1, 7)
    ]
    shown = pad.state.for_players
    assert len(shown.rounds) == 1
    assert (shown.players[PlayerId(7)].since, shown.players[PlayerId(1)].dropped) == (2, 1)
    pad.do(rounds.release(pad.change))
    assert pad.state.for_players.players[PlayerId(7)].since == 3


def test_cancelling_counts_the_lost_results():
    """Undo restores them."""
    pad = seven()
    pad.result(1, "w")
    assert rounds.cancel(pad.change).warnings[0].startswith("this removed 1 result, too")


def test_clocks():
    """Minutes are the event's or typed ones; only open tables get more time."""
    pad = Pad(*EIGHT[:4], minutes=40)
    pad.pair((1, 2), (3, 4))
    assert rounds.start(pad.change, None).op.minutes == 40
    assert rounds.start(pad.change, 0).op.minutes == 0
    refused("a round cannot last -1 minutes", lambda: rounds.start(pad.change, -1))
    assert rounds.extend(pad.change, 1, 5, reason="judge").op.minutes == 5
    pad.result(1, "w")
    refused("table 1 already has a result", lambda: rounds.extend(pad.change, 1, 5))
    refused("there is no table 9", lambda: rounds.extend(pad.change, 9, 5))
    refused("at least 1 minute", lambda: rounds.extend(pad.change, 2, 0))


def test_wishes_twice_write_nothing_and_need_players_in_the_event():
    """The same command again succeeds without an entry."""
    pad = Pad(*EIGHT[:4])
    for _ in range(2):
        decision = rounds.force(pad.change, PlayerId(2), PlayerId(1))
        again = rounds.forbid(pad.change, PlayerId(3), PlayerId(4), hard=False)
        pad.do(decision)
        pad.do(again)
    assert decision.op is None
    assert again.op is None
    pad.write(ops.PlayerDropped(players=(PlayerId(1),), after=0))
    refused("Player A has left the event", lambda: rounds.force(pad.change, PlayerId(1), PlayerId(2)))
    refused("a player was named twice", lambda: rounds.force(pad.change, PlayerId(2), PlayerId(2)))
    refused(
        "at least two players",
        lambda: rounds.forbid(pad.change, PlayerId(2), hard=True),
    )
    pad.pair((2, 3), byes=[(4, "bye")])
    refused(
        "round 1 is already paired",
        lambda: rounds.force(pad.change, PlayerId(2), PlayerId(3), round_number=1),
    )


# -- the cut


def cut(pad, size, **more):
    options = {"kind": "single", "reseed": False, "third_place": False, "vacancy": "opponent", **more}
    return brackets.cut(pad.change, standings(pad.state, PROFILE, "lot"), size, **options)


def finished(players=8, number=3):
    pad = Pad(*EIGHT[:players])
    for _ in range(number):
        pair(pad)
        play(pad)
    return pad


def test_a_cut_takes_the_best_players_still_in_the_event():
    """In seed order, without dropped players."""
    pad = finished()
    order = [row.player for row in standings(pad.state, PROFILE, "lot").rows]
    assert cut(pad, 4).op.players == tuple(order[:4])
    pad.write(ops.PlayerDropped(players=(order[1],), after=3))
    assert cut(pad, 4).op.players == (order[0], order[2], order[3], order[4])


@with_rows(
    ("size", "message"), [(1, "a cut of 1 is not possible"), (9, "a cut of 9 is not possible with 8 players")]
)
def test_sizes_of_a_cut(size, message):
    """From two to the number of players in the event."""
    refused(message, lambda: cut(finished(), size))


def test_a_tie_across_the_line_without_a_lot_is_refused():
    """The program does not choose between level players."""
    pad = Pad(*EIGHT[:4])
    pad.pair((1, 2), (3, 4))
    play(pad, "d")
    with pytest.raises(TourneyError, match="are tied at the cut line, so the cut of 2 is not decided"):
        brackets.cut(
            pad.change,
            standings(pad.state, PROFILE, ""),
            2,
            kind="single",
            reseed=False,
            third_place=False,
            vacancy="opponent",
        )


def test_a_cut_that_only_the_lot_decides_is_refused_with_the_players():
    """The refusal names the players on both sides of the line; with `lot` the cut is made."""
    pad = Pad(*EIGHT[:4])
    pad.pair((1, 2), (3, 4))
    play(pad, "w")
    second = cut(pad, 2).op
    assert set(second.players) == {1, 3}
    hint = refused(
        "only the lot separates Player B from Player D: Player B would make the cut of 3; Player D would not",
        lambda: cut(pad, 3),
    )
    assert hint == "`tourney event cut 3 --lot` lets the lot decide"
    made = cut(pad, 3, lot=True)
    assert len(made.op.players) == 3
    assert made.warnings[0].startswith("only the lot separates")
    assert "--third-place" in refused("only the lot", lambda: cut(pad, 3, third_place=True))


def test_no_cut_while_a_table_is_open_and_no_second_cut():
    """The standings must be final."""
    pad = finished()
    pair(pad)
    refused("4 of 4 tables still playing", lambda: cut(pad, 4))
    play(pad)
    pad.do(cut(pad, 4))
    refused("the cut was already made", lambda: cut(pad, 2))


def test_a_bracket_is_played_to_its_end():
    """Semifinals and final have labels, no draws, and a champion."""
    pad = finished()
    pad.do(cut(pad, 4, third_place=True))
    seeds = pad.state.cut.players
    pair(pad)
    assert pad.state.round.title == "Semifinals"
    assert [set(table.seats) for table in pad.state.round.tables.values()] == [
        {seeds[0], seeds[3]},
        {seeds[1], seeds[2]},
    ]
    play(pad)
    pair(pad)
    assert pad.state.round.title == "Final and third place"
    play(pad)
    refused("the bracket is finished", lambda: pair(pad))


def test_a_seed_that_drops_after_the_cut_leaves_a_vacancy():
    """The opponent has the bye."""
    pad = finished()
    pad.do(cut(pad, 4))
    gone = pad.state.cut.players[3]
    pad.write(ops.PlayerDropped(players=(gone,), after=3))
    pair(pad)
    assert len(pad.state.round.tables) == 1
    assert pad.state.round.byes == {pad.state.cut.players[0]: Outcome.BYE}


def test_a_cut_round_by_hand_must_have_the_due_matches():
    """In any order and numbering; the refusal names the due matches."""
    pad = finished()
    pad.do(cut(pad, 4))
    one, two, three, four = pad.state.cut.players
    decision = by_hand(pad, f"7: #{two} - #{three}\n3: #{four} - #{one}")
    assert decision.op.labels == ("Semifinal 1", "Semifinal 2")
    stranger = next(player for player in pad.state.players if player not in pad.state.cut.players)
    refused("not in the cut", lambda: by_hand(pad, f"#{one} - #{stranger}\n#{two} - #{three}"))


def test_a_bracket_keeps_all_due_matches():
    """By hand or by an edit, every due match keeps its table, and no table is added."""
    pad = finished()
    pad.do(cut(pad, 4))
    one, two, _, four = pad.state.cut.players
    refused("the bracket could not continue with these seats", lambda: by_hand(pad, f"#{one} - #{four}"))
    pair(pad)
    refused(
        "the bracket could not continue with these seats",
        lambda: edited(pad, lambda plan: plan.bye(one, Outcome("bye"))),
    )
    assert edited(pad, lambda plan: plan.swap(one, two)).op is not None


def test_a_bracket_has_no_table_for_resting_players():
    """Two seeds with a bye wait for their opponents."""
    pad = finished()
    pad.do(cut(pad, 6))
    pair(pad)
    resting = sorted(pad.state.round.byes)
    refused(
        "table 7 is not a match of this round of the bracket",
        lambda: edited(pad, lambda plan: plan.seat(7, resting)),
    )


def test_a_one_sided_bracket_is_explained():
    """The next step says why there is none; the event can be shown, and the edit undone."""
    pad = finished()
    pad.do(cut(pad, 4))
    pair(pad)
    round_ = pad.state.round
    one, other = round_.tables[1].seats
    pad.write(
        ops.RoundEdited(
            round=round_.number, tables=(), removed=(1,), byes=(NoTable(one, "bye"), NoTable(other, "bye"))
        )
    )
    pad.result(2, "w")
    (_, step) = pad.steps
    assert step.startswith("The bracket cannot go on: cut round 1: Semifinal 1 has no table, but ")


def test_the_round_before_a_cut_cannot_be_cancelled():
    """The bracket depends on its standings, so the cut must be undone first."""
    pad = finished()
    pad.do(cut(pad, 4))
    refused("the cut was made from the standings after", lambda: rounds.cancel(pad.change))


def test_an_elimination_event_begins_with_its_bracket():
    """Bracket and first round are recorded together, seeded by rating."""
    pad = Pad(system="elimination")
    for number, name in enumerate(EIGHT[:4]):
        pad.players(name, rating=1000 + number)
    decision = pair(pad)
    assert decision.first.players == (4, 3, 2, 1)
    assert pad.state.round.title == "Semifinals"
    assert pad.state.cut.after == 0


# -- other systems


def test_a_round_robin_is_the_schedule_of_the_first_players():
    """All meet once; a late player has no opponents; the rounds end by themselves."""
    pad = Pad(*EIGHT[:5], system="round-robin")
    met = set()
    for number in range(1, 6):
        op = pair(pad, seed=f"{number}").op
        met |= {frozenset(table.seats) for table in op.tables}
        assert [bye.kind for bye in op.byes] == ["absent"]
        play(pad)
    assert len(met) == 10
    assert planned_rounds(pad.state) == 5
    refused("all 5 planned rounds were played", lambda: pair(pad))


def test_the_opponent_of_a_drop_in_a_round_robin_has_the_bye():
    """A resting player has no point; late players are warned of."""
    pad = Pad(*EIGHT[:4], system="round-robin")
    pair(pad)
    play(pad)
    pad.write(ops.PlayerDropped(players=(PlayerId(1),), after=1))
    pad.players("Late")
    decision = pair(pad)
    assert [bye.kind for bye in decision.op.byes] == ["bye"]
    assert decision.warnings == ("Late joined after the schedule was made and has no opponents",)


def test_pods_of_three_have_byes_if_the_number_does_not_fit():
    """Sizes are the event's; the engine gets the earlier seats."""
    pad = Pad(*EIGHT[:7], system="pods", seats=(3,))
    op = pair(pad).op
    assert sorted(len(table.seats) for table in op.tables) == [3, 3]
    assert len(op.byes) == 1
    play(pad, "1,2,3")
    assert len(pair(pad).op.tables) == 2


def test_a_manual_event_explains_how_to_pair():
    """It has no engine."""
    assert "--by-hand" in refused("is paired by hand", lambda: pair(Pad(*EIGHT, system="manual")))


def test_the_dutch_system_uses_the_given_engine():
    """Without an engine, the refusal says what to install."""
    pad = Pad(*EIGHT[:4], system="dutch", sides=("Red", "Blue"), rounds=3)
    questions = []

    def engine(question):
        questions.append(question)
        return ((1, 3), (4, 2))

    question = Ask(state=pad.state, profile=PROFILE, number=1, seed="ab", dutch=engine)
    decision = rounds.pair(pad.change, question)
    assert [table.seats for table in decision.op.tables] == [(1, 3), (4, 2)]
    assert questions[0].round == 1
    assert "fide" in refused("needs its engine", lambda: pair(pad))


def test_a_schedule_is_not_repaired():
    """Its tables follow from the schedule; a repair would break later rounds."""
    pad = Pad(*EIGHT, system="round-robin")
    pair(pad)
    assert "round edit swap" in refused(
        "only for Swiss rounds", lambda: rounds.repair(pad.change, ask(pad, number=1))
    )


# -- between two rounds: who did not show, rounds held back, the clock at once


def with_no_show(**settings):
    """A round of six in which Player B did not show."""
    pad = Pad(*EIGHT[:6], rounds=3, **settings)
    pad.pair((1, 2), (3, 4), (5, 6))
    for table, score in ((1, "ff2"), (2, "w"), (3, "w")):
        pad.result(table, score)
    return pad


def test_a_round_waits_for_players_who_did_not_show_unless_paired_anyway():
    pad = with_no_show()
    assert pad.steps[1] == (
        'Player B did not show in round 1: `tourney player drop "Player B"` if they have left,'
        " otherwise `tourney round next --anyway`."
    )
    hint = refused(
        "round 2 is not paired yet: Player B did not show in round 1",
        lambda: pair(pad),
    )
    assert hint.startswith("`tourney player drop --absent`")
    assert "Player B did not show in round 1" in pair(pad, ANYWAY).warnings
    assert pad.state.round.table_of(PlayerId(2)) or PlayerId(2) in pad.state.round.byes


def test_a_pairing_drops_no_shows_with_the_setting():
    """The drop is an entry before the round, which is paired without the player."""
    pad = with_no_show(no_show="drop")
    assert pad.steps[1] == "Player B did not show in round 1 and will be dropped by the next pairing."
    other = with_no_show(no_show="drop")
    other.do(presence.drop(other.change, PlayerId(2), reason="did not show"))
    decision = pair(pad)
    assert [type(op) for op in decision.ops] == [ops.PlayerDropped, ops.RoundPaired]
    assert pad.say(pad.last - 1) == "Player B left after round 1: did not show"
    assert decision.op == pair(other).op
    assert pad.state.players[2].dropped == 1


def test_a_no_show_whom_the_organizer_seats_is_not_dropped():
    pad = with_no_show(no_show="drop")
    text = "Player A - Player C\nPlayer B - Player D\nPlayer E - Player F"
    hint = refused("round 2 is not paired yet: Player B did not show", lambda: by_hand(pad, text))
    assert "`tourney round pair --by-hand FILE --anyway`" in hint
    assert by_hand(pad, text, ANYWAY).first is None
    left_out = by_hand(pad, "Player A - Player C\nPlayer E - Player F\nPlayer D bye")
    assert left_out.first.players == (2,)


def test_the_first_round_of_a_bracket_drops_no_player():
    """A seed that stays away loses its match."""
    pad = with_no_show(no_show="drop")
    pad.write(ops.CutMade(players=tuple(map(PlayerId, (1, 2))), after=1))
    assert pair(pad).first is None


def test_a_round_held_back_is_released_once():
    """Its tables cannot be played before. Starting the clock also releases it."""
    pad = Pad(*EIGHT[:4], rounds=3)
    pad.do(rounds.pair(pad.change, ask(pad), rounds.Manner(hold_back=True)))
    assert pad.say(pad.last).startswith("Round 1 is paired and held back: 2 tables")
    assert pad.state.round.held
    assert pad.state.for_players.rounds == ()
    assert pad.steps == (
        "Round 1 is held back. Next: `tourney round release`,"
        " or `tourney round start` to start the clock, too.",
    )
    refused("Round 1 is not released", lambda: results.enter(pad.change, [Report(tables=1, score="w")]))
    refused("round 1 is held back", lambda: pair(pad))
    assert pad.show().rounds[0].held
    started = rounds.start(pad.change, 30)
    assert [type(op) for op in started.ops] == [ops.RoundReleased, ops.RoundStarted]
    release = pad.do(rounds.release(pad.change))
    assert rounds.release(pad.change).already
    assert len(pad.state.for_players.rounds) == 1
    assert not pad.show().rounds[0].held
    pad.do(results.enter(pad.change, [Report(tables=1, score="w")]))
    assert depends_on(pad.entries[-1].op, pad.entries[release - 1].op)


def test_the_clock_can_start_with_the_round():
    """In the same transaction, for the event's minutes or typed ones."""
    for minutes, length in ((None, 35), (20, 20), (0, 0)):
        pad = Pad(*EIGHT[:4], minutes=35)
        decision = rounds.pair(pad.change, ask(pad), rounds.Manner(start=True, minutes=minutes))
        pad.do(decision)
        assert decision.then == (ops.RoundStarted(round=1, minutes=length),)
        assert (pad.state.round.started, pad.state.round.minutes) == (pad.entries[-1].at, length)
    new = Pad("A", "B")
    refused(
        "cannot last",
        lambda: rounds.pair(new.change, ask(new), rounds.Manner(start=True, minutes=9999)),
    )


def seated(pad):
    return {number: table.seats for number, table in pad.state.rounds[-1].tables.items()}


def test_a_match_moves_to_a_free_table_or_changes_tables_with_another():
    """Opponents stay the same, so there is no warning about rematches."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina")
    pad.pair((1, 2), (3, 4))
    pad.result(1, "1-0")
    pad.result(2, "1-0")
    pad.pair((1, 2), (3, 4))
    decision = rounds.move(pad.change, 1, 12, reason="wheelchair")
    assert decision.warnings == ()
    pad.do(decision)
    assert seated(pad) == {2: (3, 4), 12: (1, 2)}
    assert pad.say(pad.last) == "Round 2 was edited: table 12 Ada – Ben; table 1 is removed: wheelchair"
    pad.do(rounds.move(pad.change, 12, 2))
    assert seated(pad) == {2: (1, 2), 12: (3, 4)}
    pad.undo(pad.last)
    assert seated(pad) == {2: (3, 4), 12: (1, 2)}


def test_a_move_warns_about_extra_time_and_fixed_tables():
    """They do not move with the match."""
    pad = Pad("Ada", "Ben")
    pad.players("Cleo", "Dina", table=2)
    pad.pair((1, 2), (3, 4))
    pad.write(ops.TableExtended(round=1, table=2, minutes=4))
    assert rounds.move(pad.change, 2, 7).warnings == (
        "table 2 had 4 extra minutes, which do not move with the match: `tourney round "
        "extend 7 4` adds them at table 7",
        "Cleo has the fixed table 2, but now sits at table 7",
        "Dina has the fixed table 2, but now sits at table 7",
    )


@with_rows(
    ("table", "to", "message"),
    [
        (9, 3, "there is no table 9 in this round"),
        (2, 2, "the match is already at table 2"),
        (2, 0, "there is no table 0"),
        (2, 1_000_000, "there is no table 1000000"),
        (1, 3, "table 1 already has a result"),
        (2, 1, "table 1 already has a result"),
    ],
)
def test_impossible_moves_are_refused(table, to, message):
    """A missing table, the same table, and one with a result."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina")
    pad.pair((1, 2), (3, 4))
    pad.result(1, "1-0")
    with pytest.raises(TourneyError, match=message):
        rounds.move(pad.change, table, to)


def test_a_bracket_keeps_its_table_numbers():
    """The numbers distinguish the matches."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina")
    pad.write(ops.CutMade(players=tuple(map(PlayerId, (1, 2, 3, 4))), after=0))
    pad.pair((1, 4), (2, 3), stage="cut", labels=("Semifinal 1", "Semifinal 2"))
    with pytest.raises(TourneyError, match="in a bracket, the table number identifies the match"):
        rounds.move(pad.change, 1, 5)


def test_a_missing_list_delays_round_one_only_with_check_in():
    """Once a list is submitted, missing lists are a warning before round 1."""
    pad = Pad("Ada", "Ben")
    careful = rounds.Manner(careful=True)
    assert rounds.pair(pad.change, ask(pad), careful).warnings == ()
    deck = players.JudgedDeck(text="60 X", verdict="legal")
    pad.do(decks.submit(pad.change, PlayerId(1), deck, lock_text=""))
    assert rounds.pair(pad.change, ask(pad)).warnings == ("no decklist yet from Ben",)
    assert rounds.pair(pad.change, ask(pad), careful).warnings == ("no decklist yet from Ben",)
    pad.do(presence.check_in(pad.change, PlayerId(1), PlayerId(2)))
    with pytest.raises(TourneyError, match="round 1 is not paired yet: no decklist yet from Ben"):
        rounds.pair(pad.change, ask(pad), careful)
