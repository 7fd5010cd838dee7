"""Undo and redo: whose entry, what stands on it, and what is put back."""

import re
from pathlib import Path

import pytest

from tests.event.pad import Pad
from tests.event.test_versions import golden_rows
from tourney.errors import TourneyError
from tourney.event import fold, kind, ops, undoing
from tourney.event.entry import read
from tourney.event.fold import KINDS, footprint
from tourney.event.kind import FIELD
from tourney.event.ops import Ref
from tourney.event.state import State, show
from tourney.event.undoing import Book
from tourney.record import PlayerId, Table


def book(pad, by="Ann"):
    mine = frozenset(Ref(each.by) for each in pad.entries if pad.texts[each.by] == by)
    return Book(pad.entries, pad.gone, pad.texts, mine)


def undo(pad, number=None, by="Ann"):
    return pad.do(undoing.undo(pad.state, book(pad, by), number, None), by=by)


def redo(pad, number=None, by="Ann"):
    return pad.do(undoing.redo(pad.state, book(pad, by), number, None), by=by)


def paired():
    """Four players, round 1 paired (entry 3), nothing entered."""
    pad = Pad("Ada", "Ben", "Cleo", "Dina")
    pad.pair((1, 2), (3, 4))
    return pad


RESTS_ON_NOTHING = {
    ops.EventCreated: "nothing goes before it, and it is never undone",
    ops.EventImported: "it says where the entries after it are from, and changes nothing for them",
    ops.PlayerErased: "texts that are gone stay gone: it is never undone",
    ops.PlayerErased: "as the older form of it",
    ops.ResultClaimed: "what players say is about a table as it is; where that has changed it counts for nothing",
    ops.ResultConfirmed: "as the claim that it is about",
    ops.ResultDisputed: "as the claim that it is about",
    ops.JudgeCalled: "a call is there until it is answered or the next round comes",
    ops.JudgeAnswered: "an answer to no call answers nothing",
    ops.Undone: "it has the footprint of what it takes back",
}
"""The kinds that make nothing which others need, and need nothing, and why."""


@pytest.fixture(scope="module")
def one_of_each():
    """Give an event with an entry of every kind, as it was exported."""
    exported = golden_rows()
    texts = {ref: None if content is None else content.decode() for ref, _, content in exported.texts}
    return read(exported.rows), texts


def test_every_op_has_a_footprint(one_of_each):
    """No op can be undone without anyone asking what stands on it: each makes or needs something, or says why not."""
    entries, _ = one_of_each
    assert {type(each.op) for each in entries} == set(ops.AnyOp.__args__)
    for each in entries:
        makes, needs = KINDS[type(each.op)].footprint(each.op)
        assert bool(makes or needs) != (type(each.op) in RESTS_ON_NOTHING), each.op


def test_every_mark_is_in_the_table_of_marks(one_of_each):
    """And the table has no other; what is needed is made by somebody."""
    entries, _ = one_of_each
    made, needed = ({mark[0] for each in entries for mark in footprint(each.op)[side]} for side in (0, 1))
    table = (
        Path(kind.__file__).read_text(encoding="utf-8").partition("\nMark = ")[2].partition("\nMarks = ")[0]
    )
    assert {*re.findall(r'`\("([a-z ]+)"', table)} | {
        mark[0] for mark in (FIELD, kind.BEACON, kind.OPEN)
    } == made
    assert needed <= made


def test_whatever_does_not_fit_without_an_entry_stands_on_it(one_of_each):
    """Each entry left out in turn, and with it all that does not fit then: an undo would have named every one of these."""
    entries, texts = one_of_each
    taken_back = fold.taken_back(entries)
    missed = []
    for what in entries[1:]:
        out = [what]
        while True:
            try:
                fold.advance(State(), entries, texts, taken_back | {each.seq: 0 for each in out})
                break
            except fold.MisfitError as fault:
                misfit = entries[int(re.match(r"entry (\d+)", fault.message)[1]) - 1]
            if not any(fold.stands_on(misfit.op, each.op) for each in out):
                missed.append((what.op, misfit.op))
            out.append(misfit)
    assert not missed


def test_your_own_last_entry_is_taken_back_and_somebody_elses_must_be_named():
    """Two scorekeepers: without a number each takes back their own."""
    pad = paired()
    pad.write(ops.PlayerCheckedIn(players=(PlayerId(1),)), by="Ann")
    pad.write(ops.PlayerCheckedIn(players=(PlayerId(2),)), by="Ben")
    assert undo(pad, by="Ann") == 6
    assert pad.entries[5].op.entry == 4
    assert undo(pad, number=5, by="Ann") == 7
    assert not any(each.checked_in for each in pad.state.players.values())


def test_whoever_wrote_nothing_has_nothing_to_take_back():
    """The hint names the newest entry."""
    with pytest.raises(TourneyError, match="none of the entries is yours") as refusal:
        undo(paired(), by="Zoe")
    assert "event undo 3" in refusal.value.hint


def test_undo_again_takes_back_the_one_before():
    """Undo, undo walks back; the undos themselves are not entries to take back that way."""
    pad = paired()
    one, two = pad.result(1, "1-0"), pad.result(2, "1-0")
    assert pad.entries[undo(pad) - 1].op.entry == two
    assert pad.entries[undo(pad) - 1].op.entry == one
    assert pad.entries[undo(pad) - 1].op.entry == 3
    assert pad.state.rounds == ()


def test_redo_walks_forward_again():
    """Redo takes back the undos in turn, and then there is nothing more."""
    pad = paired()
    pad.result(1, "1-0")
    whole = show(pad.state)
    undo(pad)
    undo(pad)
    redo(pad)
    redo(pad)
    assert show(pad.state) == whole
    with pytest.raises(TourneyError, match="there is no undo of yours"):
        redo(pad)


def test_undo_of_an_undone_entry_is_already_so():
    """Twice the same is a success that writes nothing."""
    pad = paired()
    entry = pad.result(1, "1-0")
    undo(pad, entry)
    decision = undoing.undo(pad.state, book(pad), entry, None)
    assert decision.op is None
    assert decision.already == f"Entry {entry} undone (entry {entry + 1})"


def test_a_redo_that_an_undo_followed_is_taken_back_already():
    """Undo, redo, undo: the entry hangs on the newer undo, and to take back the redo as well would change nothing."""
    pad = paired()
    entry = pad.result(1, "1-0")
    undo(pad, entry)
    redone = redo(pad, entry)
    again = undo(pad, entry)
    decision = undoing.undo(pad.state, book(pad), redone, None)
    assert decision.ops == ()
    assert decision.already == f"Entry {entry} undone (entry {again})"
    redo(pad, entry)
    assert pad.state.round.playing == (2,)


def test_what_stands_already_is_not_put_back_once_more():
    """The undo of a redo was taken back by the entry's own redo: there is nothing left that could be put back."""
    pad = paired()
    entry = pad.result(1, "1-0")
    undo(pad, entry)
    redone = redo(pad, entry)
    undo(pad, redone)
    redo(pad, entry)
    decision = undoing.redo(pad.state, book(pad), redone, None)
    assert decision.ops == ()
    assert decision.already == f"Entry {entry} in force"
    assert pad.state.round.playing == (2,)


def test_redo_by_number_names_the_entry_that_was_taken_back():
    """`event redo 4` puts entry 4 back, whoever took it."""
    pad = paired()
    entry = pad.result(1, "1-0")
    undo(pad, entry, by="Ben")
    assert pad.state.round.playing == (1, 2)
    redo(pad, entry, by="Ann")
    assert pad.state.round.playing == (2,)
    with pytest.raises(TourneyError, match=f"entry {entry} is not undone"):
        redo(pad, entry)


def test_a_reopening_stands_while_something_older_is_undone_since():
    """An undo, too, is an entry that needed the event to be open; one that was taken back again is none."""
    pad = paired()
    pad.result(1, "1-0"), pad.result(2, "1-0")
    renamed = pad.write(ops.PlayerRenamed(player=PlayerId(1), name=pad.seal("Adam", "name")))
    pad.write(ops.EventClosed())
    reopened = pad.write(ops.EventReopened())
    undone = undo(pad, renamed)
    with pytest.raises(TourneyError, match=f"cannot be undone: entry {undone} builds on it") as refusal:
        undo(pad, reopened)
    assert f"`tourney event undo {undone}` first" in refusal.value.hint
    again = undo(pad, undone)
    assert pad.state.players[PlayerId(1)].name == "Adam"
    assert undo(pad, reopened) == again + 1
    assert pad.state.closed


def test_what_came_and_went_since_a_reopening_is_not_in_its_way():
    """Undo, undo walks back over it: the event closes as it was."""
    pad = paired()
    pad.result(1, "1-0"), pad.result(2, "1-0")
    closed = pad.write(ops.EventClosed())
    before = show(pad.state)
    pad.write(ops.EventReopened())
    pad.write(ops.PlayerRenamed(player=PlayerId(1), name=pad.seal("Adam", "name")))
    undo(pad)
    undo(pad)
    assert show(pad.state) == before
    undo(pad, closed)
    assert not pad.state.closed


def test_the_creation_and_a_deletion_of_texts_stand():
    """Neither can be taken back."""
    pad = Pad("Ada")
    with pytest.raises(TourneyError, match=r"the creation of the event \(entry 1\) cannot be undone"):
        undo(pad, 1)
    blanked = pad.write(ops.PlayerErased(player=PlayerId(1)))
    with pytest.raises(TourneyError, match=rf"deletion of a person's texts \(entry {blanked}\) cannot"):
        undo(pad, blanked)


def test_numbers_that_are_no_entry():
    """Entries count from 1 to the last."""
    with pytest.raises(TourneyError, match="there is no entry 99: they go up to 3"):
        undo(paired(), 99)


@pytest.mark.parametrize(
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
def test_what_later_entries_build_on_is_refused_naming_them(steps, undone, named):
    """The refusal names every entry that stands on it, and the hint says where to begin."""
    pad = paired()
    written = steps(pad)
    with pytest.raises(TourneyError, match=f"entry {written[undone]} cannot be undone") as refusal:
        undo(pad, written[undone])
    for each in named:
        assert f"{written[each]}" in refusal.value.message.partition(":")[2]
    assert f"event undo {written[named[-1]]}" in refusal.value.hint


def test_many_entries_in_the_way_are_counted():
    """A round with 8 results in it names the first five and counts the rest."""
    pad = Pad(*(f"Player {letter}" for letter in "abcdefghijklmnop"))
    entry = pad.pair(*((n, n + 1) for n in range(1, 17, 2)))
    for table in range(1, 9):
        pad.result(table, "w")
    with pytest.raises(TourneyError, match=r"entries 4, 5, 6, 7, 8 and 3 more build on it"):
        undo(pad, entry)


def test_two_results_of_one_round_do_not_stand_on_each_other():
    """Table 1 can be taken back though table 2 came later."""
    pad = paired()
    one = pad.result(1, "1-0")
    pad.result(2, "0-1")
    undo(pad, one)
    assert pad.state.round.playing == (1,)


def test_after_an_undo_the_results_below_can_be_taken_back():
    """What an undone round stood on is free again."""
    pad = paired()
    one = pad.result(1, "1-0")
    pad.result(2, "0-1")
    two = pad.pair((1, 4), (2, 3))
    undo(pad, two)
    undo(pad, one)
    assert pad.state.round.playing == (1,)


@pytest.mark.parametrize(
    "between",
    [
        lambda pad: pad.result(1, "0-1"),  # the table has another result by now
        lambda pad: pad.write(ops.RoundCancelled(round=1)),  # the table is gone
    ],
)
def test_a_redo_that_does_not_fit_any_more_is_refused(between):
    """What was entered in the meantime wins; it is named."""
    pad = paired()
    taken = undo(pad, pad.result(1, "1-0"))
    later = between(pad)
    with pytest.raises(
        TourneyError, match=f"entry {taken - 1} cannot be redone: entry {later} is in the way"
    ):
        redo(pad)


def test_a_redo_may_not_bring_a_name_twice():
    """Ada was taken back and registered anew: two of her would be one too many."""
    pad = Pad("Ben")
    undo(pad, pad.players("Ada"))
    pad.players("ADA")
    with pytest.raises(TourneyError, match=r"there is a player ADA by now \(#3\)"):
        redo(pad)


def test_an_entry_put_back_into_force_counts_as_built_on():
    """The result was undone and redone after the round's own undo was thought of: it still stands on the round."""
    pad = paired()
    result = pad.result(1, "1-0")
    drop = pad.write(ops.PlayerDropped(players=(PlayerId(4),), after=1))
    undo(pad, result)
    redo(pad, result)
    with pytest.raises(TourneyError, match=f"entry 3 cannot be undone: entry {result} builds on it"):
        undo(pad, 3)
    assert drop not in pad.gone


def test_nothing_is_put_back_before_what_it_rests_on():
    """A registration and a drop, both taken back: the drop alone cannot come back."""
    pad = Pad("Ada")
    added = pad.players("Ben")
    dropped = pad.write(ops.PlayerDropped(players=(PlayerId(2),), after=0))
    undo(pad)
    undo(pad)
    with pytest.raises(
        TourneyError, match=f"entry {dropped} cannot be redone: entry {added} is in the way"
    ) as no:
        redo(pad, dropped)
    assert f"event redo {added}" in no.value.hint
    redo(pad, added)
    redo(pad, dropped)
    assert pad.state.players[PlayerId(2)].dropped == 0


def test_two_results_of_one_table_are_never_in_force_together():
    """Result A, taken back; result B, taken back; A put back: B may not follow."""
    pad = paired()
    one = pad.result(1, "1-0")
    undo(pad)
    two = pad.result(1, "0-1")
    undo(pad)
    redo(pad, one)
    with pytest.raises(TourneyError, match=f"entry {two} cannot be redone: entry {one} is in the way"):
        redo(pad, two)


def test_a_closed_event_keeps_its_entries_but_its_closing_can_be_undone():
    """Undo of the closing opens the event; anything else waits for that."""
    pad = paired()
    entry = pad.result(1, "1-0")
    closed = pad.write(ops.EventClosed())
    with pytest.raises(TourneyError, match="the event is closed"):
        undo(pad, entry)
    undo(pad, closed)
    assert not pad.state.closed
    undo(pad, entry)


def test_what_a_pairing_is_made_from_is_marked():
    """Whatever changes who plays, with which results, makes FIELD; a pairing needs it."""
    makes = {kind for kind in ops.AnyOp.__args__ if kind.__name__ in {
        "PlayerAdded", "PlayerDropped", "PlayerReturned", "PlayerDisqualified", "RoundPaired", "RoundEdited",
        "RoundCancelled", "PairForced", "PairForbidden", "ResultReported", "ResultChanged", "CutMade", "EventRebased",
    }}  # fmt: skip
    samples = {
        ops.PlayerAdded: ops.PlayerAdded(players=()),
        ops.PlayerDropped: ops.PlayerDropped(players=(), after=0),
        ops.PlayerReturned: ops.PlayerReturned(players=(), since=1),
        ops.PlayerDisqualified: ops.PlayerDisqualified(player=PlayerId(1), after=0),
        ops.RoundPaired: ops.RoundPaired(round=1, tables=()),
        ops.RoundEdited: ops.RoundEdited(round=1, tables=()),
        ops.RoundCancelled: ops.RoundCancelled(round=1),
        ops.PairForced: ops.PairForced(players=(), round=1),
        ops.PairForbidden: ops.PairForbidden(players=()),
        ops.ResultReported: ops.ResultReported(round=1, results={}),
        ops.ResultChanged: ops.ResultChanged(round=1, table=1, result=None),
        ops.CutMade: ops.CutMade(players=(), after=1),
        ops.CutMade: ops.CutMade(players=(), after=1, seats=3),
        ops.EventRebased: ops.EventRebased(on="2026-10-04", rules=()),
    }
    assert set(samples) == makes
    assert all(FIELD in footprint(op).makes for op in samples.values())
    assert FIELD in footprint(samples[ops.RoundPaired]).needs
    assert FIELD not in footprint(ops.PlayerCheckedIn(players=(PlayerId(1),))).makes
