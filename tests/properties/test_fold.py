"""Whatever is done at a desk, in whatever order: undo restores, redo restores, independent entries commute."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.event.pad import Pad, profile
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.decide import players, results, rounds, upkeep
from tourney.event.decide.players import Facts, Registration
from tourney.event.decide.results import Typed
from tourney.event.decide.upkeep import Book
from tourney.event.entry import NOTHING_YET, read, write
from tourney.event.fold import fold, taken_back
from tourney.event.footprint import stands_on
from tourney.event.parts import Ref
from tourney.event.show import state_digest
from tourney.event.state import State
from tourney.event.systems import Ask
from tourney.record import PlayerId

PROFILE = profile()
SCORES = ("w", "l", "d", "ff1", "ff2", "dl", "id", "1-0")


class Clerk:
    """Does what it is told by a list of numbers, as far as the event allows it."""

    def __init__(self):
        self.pad = Pad("Ada", "Ben", "Cleo", "Dina", rounds=4)
        self.named = 0

    @property
    def book(self):
        mine = frozenset(Ref(each.by) for each in self.pad.entries)
        return Book(self.pad.entries, self.pad.gone, self.pad.texts, mine)

    def act(self, what, number):
        """Try one thing; return the entry written, None where it was refused or already so."""
        try:
            return self.pad.do(ACTS[what % len(ACTS)](self, self.pad.state, number))
        except TourneyError:
            return None


def somebody(state, number):
    if not state.players:
        raise TourneyError("nobody is here")
    return sorted(state.players)[number % len(state.players)]


def add(clerk, state, number):
    clerk.named += 1
    return players.add(state, [Registration(name=f"Guest {clerk.named}", rating=number)], clerk.pad.seal)


def pair(clerk, state, number):
    return rounds.pair(Ask(state=state, profile=PROFILE, number=len(state.rounds) + 1, seed=f"{number}"))


def report(clerk, state, number):
    tables = state.round.playing if state.round else ()
    table = tables[number % len(tables)] if tables else 1
    return results.report(state, [Typed(tables=table, score=SCORES[number % len(SCORES)])])


def change(clerk, state, number):
    tables = sorted(state.round.entered) if state.round else []
    table = tables[number % len(tables)] if tables else 1
    score = (*SCORES, "-")[number % (len(SCORES) + 1)]
    return results.change(state, Typed(tables=table, score=score), reason=None, seal=clerk.pad.seal)


def swap(clerk, state, number):
    plan = rounds.plan_of(state)
    plan.swap(somebody(state, number), somebody(state, number // 7))
    return rounds.edit(state, plan, None, clerk.pad.seal)


def bye(clerk, state, number):
    plan = rounds.plan_of(state)
    plan.bye(somebody(state, number), ("bye", "half-bye", "absent")[number % 3])
    return rounds.edit(state, plan, None, clerk.pad.seal)


ACTS = (
    add,
    pair,
    pair,
    report,
    report,
    report,
    change,
    swap,
    bye,
    lambda clerk, state, n: rounds.cancel(state, None, clerk.pad.seal),
    lambda clerk, state, n: players.drop(state, [somebody(state, n)], None, clerk.pad.seal),
    lambda clerk, state, n: players.return_(state, [somebody(state, n)], None, clerk.pad.seal),
    lambda clerk, state, n: players.rename(state, somebody(state, n), f"Name {n}", clerk.pad.seal),
    lambda clerk, state, n: players.check_in(state, [somebody(state, n)]),
    lambda clerk, state, n: players.disqualify(state, somebody(state, n), None, clerk.pad.seal),
    lambda clerk, state, n: players.change(
        state, somebody(state, n), Facts(byes={n % 5 + 1: "half-bye"}), clerk.pad.seal
    ),
    lambda clerk, state, n: rounds.force(state, [somebody(state, n), somebody(state, n // 5)]),
    lambda clerk, state, n: rounds.forbid(
        state,
        [somebody(state, n), somebody(state, n // 5)],
        hard=bool(n % 2),
        reason=None,
        seal=clerk.pad.seal,
    ),
    lambda clerk, state, n: upkeep.change(state, {"minutes": n % 60}, clerk.pad.seal),
    lambda clerk, state, n: upkeep.change(state, {"beacon": f"draw {n % 3}"}, clerk.pad.seal),
    lambda clerk, state, n: upkeep.enter_beacon(state, f"{n % 3}"),
    lambda clerk, state, n: rounds.repair(
        Ask(state=state, profile=PROFILE, number=len(state.rounds), seed=f"{n}"), None, clerk.pad.seal
    ),
    lambda clerk, state, n: upkeep.close(state, None),
    lambda clerk, state, n: upkeep.reopen(state, None, clerk.pad.seal),
    lambda clerk, state, n: upkeep.undo(state, clerk.book, None, None),
    lambda clerk, state, n: upkeep.undo(state, clerk.book, n % clerk.pad.last + 1, None),
    lambda clerk, state, n: upkeep.redo(state, clerk.book, None, None),
    lambda clerk, state, n: upkeep.redo(state, clerk.book, n % clerk.pad.last + 1, None),
)
DAY = st.lists(st.tuples(st.integers(0, len(ACTS) - 1), st.integers(0, 999)), min_size=1, max_size=40)


def sound(state: State):
    """Say what cannot be: the invariants that no order of entries may break."""
    names = [player.name for player in state.players.values()]
    assert len(names) == len(set(names)), "two players of one name"
    for number, known in enumerate(state.rounds, 1):
        assert known.number == number, "a gap in the rounds"
        seated = [player for table in known.tables.values() for player in table.seats]
        assert len(seated) == len(set(seated)), "a player seated twice"
        assert not set(seated) & set(known.byes), "a player with a table and a bye"
        assert {*seated, *known.byes} <= set(state.players), "a stranger in a round"
        for table in known.tables.values():
            assert table.result is None or tuple(seat.player for seat in table.result.seats) == table.seats
        assert set(known.entered) == {n for n, table in known.tables.items() if table.result}, (
            "a result without an entry"
        )
        assert not known.playing or number == len(state.rounds), "a round was paired over an open one"


def again(written, seal):
    """Write the same ops anew, in the order given; return the entries."""
    entries, digest = [], NOTHING_YET
    for seq, entry in enumerate(written, 1):
        row = write(entry.op, seq=seq, at=entry.at, by=entry.by, previous=digest)
        entries += read([row], seq=seq - 1, digest=digest)
        digest = row.digest
    return entries


@settings(max_examples=150, deadline=None)
@given(DAY)
def test_undo_restores_the_state_and_redo_the_other(day):
    """After every single thing that can be undone: undo gives the digest before, redo the digest after."""
    clerk = Clerk()
    for what, number in day:
        before = state_digest(clerk.pad.state)
        entry = clerk.act(what, number)
        if entry is None or isinstance(clerk.pad.entries[-1].op, ops.Undone):
            continue
        after = state_digest(clerk.pad.state)
        if isinstance(clerk.pad.entries[-1].op, ops.EventReopened):
            continue  # to undo it is to close the event, which is another door
        undone = clerk.pad.do(upkeep.undo(clerk.pad.state, clerk.book, entry, None))
        assert state_digest(clerk.pad.state) == before
        if clerk.pad.state.closed:
            clerk.pad.write(ops.Undone(entry=undone))
        else:
            clerk.pad.do(upkeep.redo(clerk.pad.state, clerk.book, entry, None))
        assert state_digest(clerk.pad.state) == after


@settings(max_examples=300, deadline=None)
@given(DAY)
def test_no_order_of_undo_and_redo_makes_an_event_that_cannot_be(day):
    """Whatever is taken back and put back by number, every state on the way is sound."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number)
        sound(clerk.pad.state)


@settings(max_examples=150, deadline=None)
@given(DAY)
def test_the_state_is_that_of_the_entries_in_force_alone(day):
    """A journal with undone entries folds to the same event as one in which they never were."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number)
    gone = taken_back(clerk.pad.entries)
    kept = [
        each for each in clerk.pad.entries if each.seq not in gone and not isinstance(each.op, ops.Undone)
    ]
    alone = fold(again(kept, clerk.pad.seal), clerk.pad.texts)
    assert state_digest(alone) == state_digest(clerk.pad.state)


@settings(max_examples=150, deadline=None)
@given(DAY, st.integers(0, 10_000))
def test_independent_entries_may_come_in_either_order(day, place):
    """Two neighbours that do not stand on each other can change places: two scorekeepers never notice each other."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number)
    gone = taken_back(clerk.pad.entries)
    kept = [
        each for each in clerk.pad.entries if each.seq not in gone and not isinstance(each.op, ops.Undone)
    ]
    pairs = [
        n
        for n in range(1, len(kept) - 1)
        if not stands_on(kept[n + 1].op, kept[n].op) and not stands_on(kept[n].op, kept[n + 1].op)
    ]
    if not pairs:
        return
    n = pairs[place % len(pairs)]
    swapped = [*kept[:n], kept[n + 1], kept[n], *kept[n + 2 :]]
    one, other = (fold(again(order, clerk.pad.seal), clerk.pad.texts) for order in (kept, swapped))
    assert state_digest(one) == state_digest(other)


@settings(max_examples=50, deadline=None)
@given(DAY)
def test_everything_can_be_taken_back_newest_first(day):
    """Undo, undo, undo … ends at the event as it was created, however long the day was."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number)
    for entry in reversed(list(clerk.book.in_force)[1:]):
        if isinstance(entry.op, ops.EventReopened):
            return
        clerk.pad.do(upkeep.undo(clerk.pad.state, clerk.book, entry.seq, None))
    assert state_digest(clerk.pad.state) == state_digest(fold(clerk.pad.entries[:1], clerk.pad.texts))


def test_the_clerk_gets_somewhere():
    """The random days above are not refusals only: this one plays two rounds."""
    clerk = Clerk()
    for what, number in [(1, 0), (3, 0), (3, 1), (1, 0), (3, 2), (3, 3)]:
        assert clerk.act(what, number) is not None
    assert len(clerk.pad.state.rounds) == 2
    assert clerk.pad.state.round.done
    assert PlayerId(1) in clerk.pad.state.players
