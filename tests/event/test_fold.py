"""The fold: the effect of each kind of entry, and of its undo."""

import pytest

from tests.event.pad import Pad
from tourney.event import ops
from tourney.event.event_document import show
from tourney.event.fold import KINDS, advance, fold, undos_by_entry
from tourney.event.ops import Kept, NoTable, Ref
from tourney.event.state import Round, State, StateDraft
from tourney.record import Outcome, PlayerId, Table


def four(**settings):
    return Pad("Ada", "Ben", "Cleo", "Dina", **settings)


def test_every_op_has_an_apply_function():
    """Every op that can be read can be folded."""
    assert set(KINDS) == set(ops.AnyOp.__args__)


def test_the_first_entry_makes_the_event():
    """It sets name, format, day, settings and rules."""
    state = Pad(rounds=5, best_of=3).state
    assert (state.name, state.format, state.on, state.entry) == (
        "Friday",
        "red-diamond/standard",
        "2026-10-04",
        1,
    )
    assert (state.settings.pairing.rounds, state.settings.match.best_of, state.profile) == (5, 3, "tourney")
    assert state.round is None


def test_players_register_drop_and_return():
    """A drop keeps the last round played; a return clears it."""
    pad = four()
    pad.write(ops.PlayerDropped(players=(PlayerId(2), PlayerId(3)), after=0))
    assert [player_id.id for player_id in pad.state.playing] == [1, 4]
    assert pad.state.players[PlayerId(2)].dropped == 0
    pad.write(ops.PlayerReturned(players=(PlayerId(3),), since=1))
    assert [player_id.id for player_id in pad.state.playing] == [1, 3, 4]
    pad.write(ops.PlayerDisqualified(player=PlayerId(1), after=0))
    assert [player_id.id for player_id in pad.state.playing] == [3, 4]


def test_facts_change_one_by_one():
    """Other facts are kept; None clears one; `play` removes an announced bye."""
    pad = four()
    one = PlayerId(1)
    pad.write(ops.PlayerChanged(player=one, rating=1800, table=3, byes=((2, "half-bye"), (3, "absent"))))
    player = pad.state.players[one]
    assert (player.rating, player.table) == (1800, 3)
    assert player.byes == {2: Outcome.HALF_BYE, 3: Outcome.ABSENT}
    pad.write(ops.PlayerChanged(player=one, table=None, byes=((3, "play"),)))
    player = pad.state.players[one]
    assert (player.rating, player.table, dict(player.byes)) == (1800, None, {2: Outcome.HALF_BYE})


def test_a_round_with_results_and_notes():
    """The state has tables, byes, results, and when and by whom.

    A table without a result is still playing.
    """
    pad = Pad("Ada", "Ben", "Cleo", "Dina", "Eli")
    pad.pair((1, 2), (3, 4), byes=[(5, "bye")])
    pad.result(2, "id")
    round_ = pad.state.round
    assert round_.playing == (1,)
    assert round_.byes == {5: Outcome.BYE}
    assert round_.tables[2].result.ended == "id"
    assert (round_.tables[2].entered.entry, round_.tables[2].entered.by) == (4, "Ann")
    assert not round_.done
    pad.result(1, "1-0")
    assert pad.state.round.done


def test_a_changed_result_replaces_note_and_author_or_removes_the_result():
    """The earlier result is in the log, not in the state."""
    pad = four()
    pad.pair((1, 2), (3, 4))
    pad.result(1, "id")
    pad.write(ops.ResultChanged(round=1, table=1, result=None))
    round_ = pad.state.round
    assert round_.playing == (1, 2)
    assert not any(table.entered for table in round_.tables.values())
    assert round_.tables[1].seats == (1, 2)


def test_an_edit_removes_the_results_of_the_tables_it_changes():
    """The results of other tables are kept."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina", "Eli")
    pad.pair((1, 2), (3, 4), byes=[(5, "bye")])
    pad.result(2, "1-0")
    edit = ops.RoundEdited(
        round=1, tables=(Table(1, (PlayerId(5), PlayerId(2))),), byes=(NoTable(PlayerId(1), "bye"),)
    )
    pad.write(edit)
    round_ = pad.state.round
    assert round_.tables[1].seats == (5, 2)
    assert round_.byes == {1: Outcome.BYE}
    assert round_.playing == (1,)
    assert [edit.entry for edit in round_.edits] == [5]


def test_undo_of_a_cancelled_round_restores_its_results():
    """Cancelling removes the round from the state, not from the journal."""
    pad = four()
    pad.pair((1, 2), (3, 4))
    pad.result(1, "1-0")
    before = pad.state
    cancelled = pad.write(ops.RoundCancelled(round=1))
    assert pad.state.rounds == ()
    pad.undo(cancelled)
    assert pad.state.rounds == before.rounds
    assert pad.show() == show(before)


def test_undo_of_undo_of_undo():
    """An `undone` counts unless it was undone itself."""
    pad = four()
    drop = pad.write(ops.PlayerDropped(players=(PlayerId(1),), after=0))
    one = pad.undo(drop)
    two = pad.undo(one)
    three = pad.undo(two)
    assert undos_by_entry(pad.entries) == {two: three, drop: one}
    assert len(pad.state.playing) == 4
    assert [len(fold(pad.entries[:end], pad.texts).playing) for end in (drop, one, two, three)] == [
        3,
        4,
        3,
        4,
    ]


def test_a_number_is_never_used_twice():
    """An undone registration keeps its number, so that it can be redone."""
    pad = Pad("Ada", "Ben")
    pad.undo(pad.players("Cleo"))
    assert sorted(pad.state.players) == [1, 2]
    pad.players("Dina")
    assert sorted(pad.state.players) == [1, 2, 4]


def test_closing_reopening_and_rebasing():
    """The state has the secret once it is revealed."""
    pad = Pad()
    pad.write(ops.EventClosed(secret="ab"))
    assert (pad.state.closed, pad.state.revealed) == (True, "ab")
    pad.write(ops.EventReopened())
    assert not pad.state.closed
    kept = (Kept(kind="profile", name="mtr", text=Ref("x")),)
    pad.write(ops.EventRebased(on="2026-11-01", rules=kept))
    assert (pad.state.on, pad.state.profile) == ("2026-11-01", "mtr")


def test_changing_the_profile_keeps_the_other_rules():
    """`event change --profile` replaces one kind of rule."""
    pad = Pad()
    rules = (
        Kept(kind="format", name="f", text=Ref("f")),
        Kept(kind="profile", name="tourney", text=Ref("t")),
    )
    pad.write(ops.EventRebased(on="2026-10-04", rules=rules))
    pad.write(
        ops.EventChanged(profile=(Kept(kind="profile", name="mtr", text=Ref("m")),), settings={"rounds": 4})
    )
    assert [(rule.kind, rule.name) for rule in pad.state.rules] == [("format", "f"), ("profile", "mtr")]
    assert pad.state.settings.pairing.rounds == 4


def test_remarks_forced_and_forbidden_pairs_and_clocks():
    """The state has what the other entries recorded."""
    pad = four()
    pad.write(ops.PairForced(players=(PlayerId(1), PlayerId(2)), round=1, table=7))
    pad.write(ops.PairForbidden(players=(PlayerId(3), PlayerId(4)), hard=False))
    pad.pair((1, 2), (3, 4))
    pad.write(ops.RoundStarted(round=1, minutes=40))
    pad.write(ops.TableExtended(round=1, table=2, minutes=3), ops.TableExtended(round=1, table=2, minutes=2))
    pad.write(ops.PenaltyGiven(player=PlayerId(1), level="warning", round=1))
    pad.write(ops.AuditRecorded(player=PlayerId(2), round=1, clean=True))
    pad.write(ops.PlayerCheckedIn(players=(PlayerId(1),)), ops.DeckWaived(players=(PlayerId(2),)))
    state = pad.state
    assert (state.forced[0].round, state.forced[0].table) == (1, 7)
    assert (state.forbidden[0].players, state.forbidden[0].hard) == ((3, 4), False)
    assert state.round.minutes == 40
    assert [table.extra_minutes for table in state.round.tables.values()] == [0, 5]
    assert state.penalties[0].level == "warning"
    assert [audit.clean for audit in state.audits.values()] == [True]
    assert state.players[PlayerId(1)].checked_in
    assert state.players[PlayerId(2)].waived


def test_a_player_with_deleted_texts_is_called_by_number():
    """Also before the entry that deletes the texts is read."""
    pad = four()
    name = pad.state.players[PlayerId(2)].name_ref
    texts = pad.texts | {name: None}
    assert fold(pad.entries, texts).players[PlayerId(2)].name == "player 2"
    pad.write(ops.PlayerErased(player=PlayerId(2)))
    state = fold(pad.entries, pad.texts)
    assert (state.players[PlayerId(2)].name, state.players[PlayerId(2)].erased) == ("player 2", True)


def test_advance_equals_fold():
    """`advance` from any entry gives what `fold` gives from the first."""
    pad = four()
    pad.pair((1, 2), (3, 4))
    pad.result(1, "1-0")
    pad.result(2, "0-1")
    pad.pair((1, 4), (2, 3))
    for end in range(len(pad.entries) + 1):
        state = advance(State(), pad.entries[:end], pad.texts)
        assert advance(state, pad.entries[end:], pad.texts) == pad.state


def test_advance_does_not_change_its_state():
    """States are values."""
    pad = four()
    pad.pair((1, 2), (3, 4))
    before = pad.state
    round_ = before.rounds[0]
    pad.result(1, "1-0")
    after = advance(before, pad.entries[before.entry :], pad.texts)
    assert before.rounds[0] is round_
    assert round_.playing == (1, 2)
    assert after.rounds[0].playing == (2,)
    with pytest.raises(TypeError):
        before.players[PlayerId(9)] = None


def test_unchanged_rounds_are_not_copied():
    """A result in round 2 keeps the same object for round 1."""
    pad = four()
    pad.pair((1, 2), (3, 4))
    pad.result(1, "1-0")
    pad.result(2, "1-0")
    pad.pair((1, 3), (2, 4))
    state = pad.state
    pad.result(1, "0-1")
    assert advance(state, pad.entries[state.entry :], pad.texts).rounds[0] is state.rounds[0]
    assert isinstance(StateDraft(state).rounds[0], Round)
