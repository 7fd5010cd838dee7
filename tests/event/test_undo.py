"""Undo and redo, and later entries that depend on an undone entry."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.event.pad import Pad
from tests.event.test_versions import golden_rows
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event import fold, kind, ops
from tourney.event.entry import read
from tourney.event.fold import KINDS, footprint
from tourney.event.kind import FIELD
from tourney.event.state import State
from tourney.record import PlayerId, Table


def undo(pad, number=None, by="Ann"):
    return pad.do(fold.undo(replace(pad.change, by=by), number), by=by)


def redo(pad, number=None, by="Ann"):
    return pad.do(fold.redo(replace(pad.change, by=by), number), by=by)


def paired():
    """Four players, round 1 paired (entry 3), nothing entered."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina")
    pad.pair((1, 2), (3, 4))
    return pad


WITHOUT_FOOTPRINT = {
    ops.EventCreated: "no entry precedes it, and it cannot be undone",
    ops.EventImported: "it names the source of the entries after it, and changes nothing for them",
    ops.PlayerErased: "deleted texts stay deleted: it cannot be undone",
    ops.ResultClaimed: "a claim is about a table as it was; if the table has changed, "
    "the claim has no effect",
    ops.ResultConfirmed: "like the claim that it answers",
    ops.ResultDisputed: "like the claim that it answers",
    ops.JudgeCalled: "a call lasts until it is answered or the next round is paired",
    ops.JudgeAnswered: "an answer without a call has no effect",
    ops.Undone: "it has the footprint of the entry that it undoes",
}
"""The kinds that make and need no marks, with the reason."""


@pytest.fixture(scope="module")
def one_of_each():
    """Return an event with an entry of every kind, as it was exported."""
    exported = golden_rows()
    texts = {ref: None if content is None else content.decode() for ref, _, content in exported.texts}
    return read(exported.rows), texts


def test_every_op_has_a_footprint(one_of_each):
    """Every kind makes or needs marks, or has a documented reason why not."""
    entries, _ = one_of_each
    assert {type(entry.op) for entry in entries} == set(ops.AnyOp.__args__)
    for entry in entries:
        makes, needs = KINDS[type(entry.op)].footprint(entry.op)
        assert bool(makes or needs) != (type(entry.op) in WITHOUT_FOOTPRINT), entry.op


def test_every_mark_is_in_the_table_of_marks(one_of_each):
    """The table has no other marks, and every needed mark is made by some kind."""
    entries, _ = one_of_each
    made, needed = ({mark[0] for entry in entries for mark in footprint(entry.op)[side]} for side in (0, 1))
    table = (
        Path(kind.__file__).read_text(encoding="utf-8").partition("\nMark = ")[2].partition("\nMarks = ")[0]
    )
    assert {*re.findall(r"`([a-z]+)[ `]", table)} == made
    assert needed <= made


def test_entries_that_do_not_fit_without_another_depend_on_it(one_of_each):
    """Leave out each entry in turn: its undo must name all later entries that then do not fit."""
    entries, texts = one_of_each
    undos = fold.undos_by_entry(entries)
    missed = []
    for what in entries[1:]:
        out = [what]
        while True:
            try:
                fold.advance(State(), entries, texts, undos | {entry.seq: 0 for entry in out})
                break
            except fold.MisfitError as fault:
                misfit = entries[int(re.match(r"entry (\d+)", fault.message)[1]) - 1]
            if not any(fold.depends_on(misfit.op, entry.op) for entry in out):
                missed.append((what.op, misfit.op))
            out.append(misfit)
    assert not missed


def test_undo_without_a_number_undoes_your_own_last_entry():
    """Two scorekeepers: without a number, each undoes an entry of their own."""
    pad = paired()
    pad.write(ops.PlayerCheckedIn(players=(PlayerId(1),)), by="Ann")
    pad.write(ops.PlayerCheckedIn(players=(PlayerId(2),)), by="Ben")
    assert undo(pad, by="Ann") == 6
    assert pad.entries[5].op.entry == 4
    assert undo(pad, number=5, by="Ann") == 7
    assert not any(player.checked_in for player in pad.state.players.values())


def test_a_scorekeeper_without_entries_has_nothing_to_undo():
    """The hint names the newest entry."""
    with pytest.raises(TourneyError, match="none of the entries is yours") as refusal:
        undo(paired(), by="Zoe")
    assert "event undo 3" in refusal.value.hint


def test_undo_again_undoes_the_entry_before():
    """Repeated undo walks back. It never undoes an undo."""
    pad = paired()
    one, two = pad.result(1, "1-0"), pad.result(2, "1-0")
    assert pad.entries[undo(pad) - 1].op.entry == two
    assert pad.entries[undo(pad) - 1].op.entry == one
    assert pad.entries[undo(pad) - 1].op.entry == 3
    assert pad.state.rounds == ()


def test_redo_walks_forward_again():
    """Redo reverses the undos in turn, until there are no more."""
    pad = paired()
    pad.result(1, "1-0")
    whole = pad.show()
    undo(pad)
    undo(pad)
    redo(pad)
    redo(pad)
    assert pad.show() == whole
    with pytest.raises(TourneyError, match="you have not undone anything"):
        redo(pad)


def test_undo_of_an_undone_entry_writes_nothing():
    """Undoing an entry twice succeeds without a second entry."""
    pad = paired()
    entry = pad.result(1, "1-0")
    undo(pad, entry)
    decision = fold.undo(pad.change, entry)
    assert decision.op is None
    assert decision.already == f"Entry {entry} was already undone (entry {entry + 1})"


def test_undoing_a_redo_after_a_second_undo_changes_nothing():
    """After undo, redo, undo, the entry is undone by the second undo."""
    pad = paired()
    entry = pad.result(1, "1-0")
    undo(pad, entry)
    redone = redo(pad, entry)
    again = undo(pad, entry)
    decision = fold.undo(pad.change, redone)
    assert decision.ops == ()
    assert decision.already == f"Entry {entry} was already undone (entry {again})"
    redo(pad, entry)
    assert pad.state.round.playing == (2,)


def test_an_entry_in_force_is_not_redone():
    """The undo of a redo was itself reversed by a redo, so there is nothing to redo."""
    pad = paired()
    entry = pad.result(1, "1-0")
    undo(pad, entry)
    redone = redo(pad, entry)
    undo(pad, redone)
    redo(pad, entry)
    decision = fold.redo(pad.change, redone)
    assert decision.ops == ()
    assert decision.already == f"Entry {entry} is already in force"
    assert pad.state.round.playing == (2,)


def test_redo_by_number_takes_the_number_of_the_undone_entry():
    """`event redo 4` redoes entry 4, whichever entry undid it."""
    pad = paired()
    entry = pad.result(1, "1-0")
    undo(pad, entry, by="Ben")
    assert pad.state.round.playing == (1, 2)
    redo(pad, entry, by="Ann")
    assert pad.state.round.playing == (2,)
    with pytest.raises(TourneyError, match=f"entry {entry} was not undone"):
        redo(pad, entry)


def test_a_reopening_is_needed_by_later_undos():
    """An undo needs an open event, too, unless it was undone itself."""
    pad = paired()
    pad.result(1, "1-0"), pad.result(2, "1-0")
    renamed = pad.write(ops.PlayerRenamed(player=PlayerId(1), name=pad.seal("Adam", "name")))
    pad.write(ops.EventClosed())
    reopened = pad.write(ops.EventReopened())
    undone = undo(pad, renamed)
    with pytest.raises(TourneyError, match=f"cannot be undone: entry {undone} depends on it") as refusal:
        undo(pad, reopened)
    assert f"`tourney event undo {undone}` first" in refusal.value.hint
    again = undo(pad, undone)
    assert pad.state.players[PlayerId(1)].name == "Adam"
    assert undo(pad, reopened) == again + 1
    assert pad.state.closed


def test_undo_can_walk_back_over_a_reopening():
    """Entries that were made and undone meanwhile do not need it; the event is closed again."""
    pad = paired()
    pad.result(1, "1-0"), pad.result(2, "1-0")
    closed = pad.write(ops.EventClosed())
    before = pad.show()
    pad.write(ops.EventReopened())
    pad.write(ops.PlayerRenamed(player=PlayerId(1), name=pad.seal("Adam", "name")))
    undo(pad)
    undo(pad)
    assert pad.show() == before
    undo(pad, closed)
    assert not pad.state.closed


def test_creation_and_deletion_of_texts_cannot_be_undone():
    """Both are refused."""
    pad = Pad("Ada")
    with pytest.raises(TourneyError, match=r"the creation of the event \(entry 1\) cannot be undone"):
        undo(pad, 1)
    blanked = pad.write(ops.PlayerErased(player=PlayerId(1)))
    with pytest.raises(TourneyError, match=rf"deletion of a person's texts \(entry {blanked}\) cannot"):
        undo(pad, blanked)


def test_numbers_without_an_entry_are_refused():
    """Entries count from 1 to the last."""
    with pytest.raises(TourneyError, match="there is no entry 99: the last one is 3"):
        undo(paired(), 99)


@with_rows(
    ("steps", "undone", "named"),
    [
        # a result and the change of it: the same table
        (
            lambda pad: [pad.result(1, "1-0"), pad.write(ops.ResultChanged(round=1, table=1, result=None))],
            0,
            [1],
        ),
        # a result and the round that was paired from it
        (lambda pad: [pad.result(1, "1-0"), pad.result(2, "1-0"), pad.pair((1, 3), (2, 4))], 0, [2]),
        # a round and its results
        (lambda pad: [pad.last, pad.result(1, "1-0"), pad.result(2, "0-1")], 0, [1, 2]),
        # a drop and the round without that player
        (
            lambda pad: [
                pad.write(ops.PlayerDropped(players=(PlayerId(4),), after=1)),
                pad.result(1, "w"),
                pad.result(2, "w"),
                pad.pair((1, 3), byes=[(2, "bye")]),
            ],
            0,
            [3],
        ),
        # a registration and a drop of that player
        (
            lambda pad: [pad.players("Eli"), pad.write(ops.PlayerDropped(players=(PlayerId(5),), after=1))],
            0,
            [1],
        ),
        # a setting that was set again
        (
            lambda pad: [
                pad.write(ops.EventChanged(settings={"rounds": 4})),
                pad.write(ops.EventChanged(settings={"rounds": 5})),
            ],
            0,
            [1],
        ),
        # an edit and a result of the table it made
        (
            lambda pad: [
                pad.write(
                    ops.RoundEdited(
                        round=1,
                        tables=(
                            Table(1, (PlayerId(3), PlayerId(2))),
                            Table(2, (PlayerId(1), PlayerId(4))),
                        ),
                    )
                ),
                pad.result(1, "w"),
            ],
            0,
            [1],
        ),
        # a result and the cancelling of its round
        (lambda pad: [pad.result(1, "w"), pad.write(ops.RoundCancelled(round=1))], 0, [1]),
        # a result and the cut made from it
        (
            lambda pad: [
                pad.result(1, "w"),
                pad.result(2, "w"),
                pad.write(ops.CutMade(players=(PlayerId(1), PlayerId(3)), after=1)),
            ],
            0,
            [2],
        ),
        # a name and another one
        (
            lambda pad: [
                pad.write(ops.PlayerRenamed(player=PlayerId(1), name=pad.seal("Ada One"))),
                pad.write(ops.PlayerRenamed(player=PlayerId(1), name=pad.seal("Ada Two"))),
            ],
            0,
            [1],
        ),
        # a deck and a later one
        (
            lambda pad: [
                pad.write(ops.DeckSubmitted(player=PlayerId(1), text=pad.seal("60 X"), verdict="legal")),
                pad.write(ops.DeckSubmitted(player=PlayerId(1), text=pad.seal("61 X"), verdict="illegal")),
            ],
            0,
            [1],
        ),
    ],
)
def test_undo_is_refused_naming_the_entries_that_build_on_it(steps, undone, named):
    """The refusal names all of them, and the hint names the first to undo."""
    pad = paired()
    written = steps(pad)
    with pytest.raises(TourneyError, match=f"entry {written[undone]} cannot be undone") as refusal:
        undo(pad, written[undone])
    for entry in named:
        assert f"{written[entry]}" in refusal.value.message.partition(":")[2]
    assert f"event undo {written[named[-1]]}" in refusal.value.hint


def test_many_entries_in_the_way_are_counted():
    """The undo of a round with 8 results names five entries and counts the rest."""
    pad = Pad(*(f"Player {letter}" for letter in "abcdefghijklmnop"))
    entry = pad.pair(*((n, n + 1) for n in range(1, 17, 2)))
    for table in range(1, 9):
        pad.result(table, "w")
    with pytest.raises(TourneyError, match=r"entries 4, 5, 6, 7, 8 and 3 more depend on it"):
        undo(pad, entry)


def test_results_of_one_round_do_not_depend_on_each_other():
    """The result of table 1 can be undone after that of table 2 was entered."""
    pad = paired()
    one = pad.result(1, "1-0")
    pad.result(2, "0-1")
    undo(pad, one)
    assert pad.state.round.playing == (1,)


def test_after_the_undo_of_a_round_earlier_results_can_be_undone():
    """No entry in force depends on them any more."""
    pad = paired()
    one = pad.result(1, "1-0")
    pad.result(2, "0-1")
    two = pad.pair((1, 4), (2, 3))
    undo(pad, two)
    undo(pad, one)
    assert pad.state.round.playing == (1,)


@with_rows(
    "between",
    [
        lambda pad: pad.result(1, "0-1"),  # the table has another result by now
        lambda pad: pad.write(ops.RoundCancelled(round=1)),  # the table is gone
    ],
)
def test_a_redo_that_no_longer_fits_is_refused(between):
    """The refusal names the entry that came in the meantime."""
    pad = paired()
    undo_entry = undo(pad, pad.result(1, "1-0"))
    later = between(pad)
    with pytest.raises(
        TourneyError, match=f"entry {undo_entry - 1} cannot be redone: entry {later} conflicts with it"
    ):
        redo(pad)


def test_a_redo_cannot_bring_a_name_twice():
    """Ada's registration was undone, and she was registered again."""
    pad = Pad("Ben")
    undo(pad, pad.players("Ada"))
    pad.players("ADA")
    with pytest.raises(TourneyError, match=r"another player is now called ADA \(#3\)"):
        redo(pad)


def test_a_redone_entry_counts_as_dependent():
    """A result that was undone and redone still depends on its round."""
    pad = paired()
    result = pad.result(1, "1-0")
    drop = pad.write(ops.PlayerDropped(players=(PlayerId(4),), after=1))
    undo(pad, result)
    redo(pad, result)
    with pytest.raises(TourneyError, match=f"entry 3 cannot be undone: entry {result} depends on it"):
        undo(pad, 3)
    assert drop not in pad.gone


def test_an_entry_is_not_redone_before_the_one_it_needs():
    """A registration and a drop were undone: the drop alone cannot be redone."""
    pad = Pad("Ada")
    added = pad.players("Ben")
    dropped = pad.write(ops.PlayerDropped(players=(PlayerId(2),), after=0))
    undo(pad)
    undo(pad)
    with pytest.raises(
        TourneyError, match=f"entry {dropped} cannot be redone: entry {added} conflicts with it"
    ) as no:
        redo(pad, dropped)
    assert f"event redo {added}" in no.value.hint
    redo(pad, added)
    redo(pad, dropped)
    assert pad.state.players[PlayerId(2)].dropped == 0


def test_two_results_of_one_table_are_never_in_force_together():
    """Two results were undone and the first redone: the second cannot be redone."""
    pad = paired()
    one = pad.result(1, "1-0")
    undo(pad)
    two = pad.result(1, "0-1")
    undo(pad)
    redo(pad, one)
    with pytest.raises(TourneyError, match=f"entry {two} cannot be redone: entry {one} conflicts with it"):
        redo(pad, two)


def test_a_closed_event_keeps_its_entries_but_its_closing_can_be_undone():
    """Undoing the closing opens the event. Everything else needs that first."""
    pad = paired()
    entry = pad.result(1, "1-0")
    closed = pad.write(ops.EventClosed())
    with pytest.raises(TourneyError, match="the event is closed"):
        undo(pad, entry)
    undo(pad, closed)
    assert not pad.state.closed
    undo(pad, entry)


def test_ops_that_pairings_depend_on_make_field():
    """Every op that changes the players or results makes FIELD, and a pairing needs it."""
    pairing = ops.RoundPaired(round=1, tables=())
    changes = (
        pairing,
        ops.PlayerAdded(players=()),
        ops.PlayerDropped(players=(), after=0),
        ops.PlayerReturned(players=(), since=1),
        ops.PlayerDisqualified(player=PlayerId(1), after=0),
        ops.RoundEdited(round=1, tables=()),
        ops.RoundCancelled(round=1),
        ops.PairForced(players=(), round=1),
        ops.PairForbidden(players=()),
        ops.ResultReported(round=1, results={}),
        ops.ResultChanged(round=1, table=1, result=None),
        ops.CutMade(players=(), after=1),
        ops.CutMade(players=(), after=1, seats=3),
        ops.EventRebased(on="2026-10-04", rules=()),
    )
    assert [op for op in changes if FIELD not in footprint(op).makes] == []
    assert FIELD in footprint(pairing).needs
    assert FIELD not in footprint(ops.PlayerCheckedIn(players=(PlayerId(1),))).makes
