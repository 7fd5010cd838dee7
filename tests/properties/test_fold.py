"""Random actions in random order: undo and redo restore states, independent entries commute."""

import os
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from tests.event.pad import Pad, profile
from tests.kit import ROOT, examples
from tourney.errors import TourneyError
from tourney.event import brackets, decks, event_admin, ops, penalties, players, presence, results, rounds
from tourney.event.entry import NOTHING_YET, read, write
from tourney.event.event_document import show
from tourney.event.field import Ask, standings
from tourney.event.fold import (
    Book,
    History,
    MisfitError,
    advance,
    depends_on,
    fold,
    redo,
    root,
    undo,
    undos_by_entry,
)
from tourney.event.players import Facts, Registration
from tourney.event.rounds import Manner
from tourney.event.score import Report
from tourney.event.seating import read_pairings
from tourney.event.state import State
from tourney.record import Outcome, PlayerId

PROFILE = profile()
PENALTIES = penalties.read_penalty_list(
    (ROOT / "tourney/event/penalty_lists/house.toml").read_text(encoding="utf-8"), source="house.toml"
)
SCORES = ("w", "l", "d", "ff1", "ff2", "dl", "id", "1-0")


class Clerk:
    """Does what a list of numbers says, as far as the event allows it."""

    def __init__(self, **settings):
        self.pad = Pad("Ada", "Ben", "Cleo", "Dina", **{"rounds": 4, **settings})
        self.named = 0

    @property
    def book(self):
        return Book.of(self.pad.change)

    def act(self, what, number, acts=None):
        """Try one action; return its entry, or None if it was refused or changed nothing."""
        acts = acts or ACTS
        try:
            return self.pad.do(acts[what % len(acts)](self, self.pad.change, number))
        except TourneyError:
            return None


def somebody(state, number):
    if not state.players:
        raise TourneyError("nobody is here")
    return sorted(state.players)[number % len(state.players)]


def add(clerk, change, number):
    clerk.named += 1
    return players.add(change, [Registration(name=f"Guest {clerk.named}", rating=number)])


def pair(clerk, change, number):
    ask = Ask(state=change.state, profile=PROFILE, number=len(change.state.rounds) + 1, seed=f"{number}")
    manner = Manner(hold_back=number % 5 == 4, start=number % 7 == 1, careful=number % 11 == 10)
    return rounds.pair(change, ask, manner)


def report(clerk, change, number):
    tables = change.state.round.playing if change.state.round else ()
    table = tables[number % len(tables)] if tables else 1
    return results.enter(change, [Report(tables=table, score=SCORES[number % len(SCORES)])])


def change_result(clerk, change, number):
    round_ = change.state.round
    tables = [number for number, table in round_.tables.items() if table.entered] if round_ else []
    table = tables[number % len(tables)] if tables else 1
    score = (*SCORES, "-")[number % (len(SCORES) + 1)]
    return results.change_result(change, Report(tables=table, score=score))


def swap(clerk, change, number):
    plan = rounds.seating_of(change.state)
    plan.swap(somebody(change.state, number), somebody(change.state, number // 7))
    return rounds.edit(change, plan, None)


def bye(clerk, change, number):
    plan = rounds.seating_of(change.state)
    plan.bye(somebody(change.state, number), (Outcome.BYE, Outcome.HALF_BYE, Outcome.ABSENT)[number % 3])
    return rounds.edit(change, plan, None)


def cut(clerk, change, number):
    return brackets.cut(
        change, standings(change.state, PROFILE, "lot"), number % 3 + 2, kind="single", reseed=False,
        third_place=bool(number % 2), vacancy="opponent",
    )  # fmt: skip


def by_hand(clerk, change, number):
    playing = [f"#{player.id}" for player in change.state.playing]
    playing = playing[number % len(playing) :] + playing[: number % len(playing)] if playing else []
    lines = [" - ".join(playing[n : n + 2]) for n in range(0, len(playing) - 1, 2)]
    lines += [f"{playing[-1]} bye"] if len(playing) % 2 else []
    ask = Ask(state=change.state, profile=PROFILE, number=len(change.state.rounds) + 1, seed="")
    return rounds.pair_by_hand(change, ask, read_pairings(change.state, "\n".join(lines), source="by hand"))


def seat(clerk, change, number):
    plan = rounds.seating_of(change.state)
    plan.seat(number % 5 + 1, [somebody(change.state, number), somebody(change.state, number // 3)])
    return rounds.edit(change, plan, None)


ACTS = (
    add,
    pair,
    pair,
    report,
    report,
    report,
    change_result,
    swap,
    bye,
    lambda clerk, change, n: rounds.cancel(change),
    lambda clerk, change, n: presence.drop(change, somebody(change.state, n)),
    lambda clerk, change, n: presence.return_(change, somebody(change.state, n)),
    lambda clerk, change, n: players.rename(change, somebody(change.state, n), f"Name {n}"),
    lambda clerk, change, n: presence.check_in(change, somebody(change.state, n)),
    lambda clerk, change, n: presence.disqualify(change, somebody(change.state, n)),
    lambda clerk, change, n: players.change_facts(
        change, somebody(change.state, n), Facts(byes={n % 5 + 1: "half-bye"})
    ),
    lambda clerk, change, n: rounds.force(change, somebody(change.state, n), somebody(change.state, n // 5)),
    lambda clerk, change, n: rounds.forbid(
        change,
        somebody(change.state, n),
        somebody(change.state, n // 5),
        hard=bool(n % 2),
    ),
    lambda clerk, change, n: event_admin.change_settings(change, {"minutes": n % 60}),
    lambda clerk, change, n: event_admin.change_settings(change, {"beacon": f"draw {n % 3}"}),
    lambda clerk, change, n: event_admin.enter_beacon(change, f"{n % 3}"),
    lambda clerk, change, n: rounds.repair(
        change, Ask(state=change.state, profile=PROFILE, number=len(change.state.rounds), seed=f"{n}")
    ),
    lambda clerk, change, n: event_admin.close(change, None),
    lambda clerk, change, n: event_admin.reopen(change),
    lambda clerk, change, n: undo(change),
    lambda clerk, change, n: undo(change, n % clerk.pad.last + 1),
    lambda clerk, change, n: redo(change),
    lambda clerk, change, n: redo(change, n % clerk.pad.last + 1),
)
MORE_ACTS = (
    *ACTS,
    *(ACTS[1:6] * 3),
    lambda clerk, change, n: rounds.start(change, n % 60),
    lambda clerk, change, n: rounds.extend(
        change, min(change.state.round.tables, default=1) if change.state.round else 1, 5
    ),
    cut,
    by_hand,
    seat,
    lambda clerk, change, n: penalties.give(
        change,
        somebody(change.state, n),
        PENALTIES.ruling(["warning", "match loss", "disqualification"][n % 3]),
        rules=PENALTIES,
        apply=n % 3 > 0,
    ),
    lambda clerk, change, n: decks.draw_checks(change, f"{n}", n % 3 + 1),
    lambda clerk, change, n: decks.record_check(
        change,
        somebody(change.state, n),
        clean=True,
    ),
    lambda clerk, change, n: decks.waive(change, somebody(change.state, n)),
    lambda clerk, change, n: players.erase([somebody(change.state, n)], [], again=False),
    lambda clerk, change, n: decks.submit(
        change,
        somebody(change.state, n),
        players.JudgedDeck(text=f"{n} X", verdict="legal"),
        lock_text="",
    ),
    lambda clerk, change, n: decks.submit(
        change,
        somebody(change.state, n),
        players.JudgedDeck(text=f"{n} Y", verdict="unchecked"),
        lock_text="since",
        anyway=n % 2 == 0,
    ),
    lambda clerk, change, n: rounds.release(change),
    lambda clerk, change, n: presence.check_in_all(change, [somebody(change.state, n)]),
    lambda clerk, change, n: presence.drop_absent(change),
    lambda clerk, change, n: event_admin.change_settings(
        change,
        {"no_show": ("tell", "drop", "keep")[n % 3], "deck_lock": ("", "round-1")[n % 2]},
    ),
    lambda clerk, change, n: players.change_facts(
        change, somebody(change.state, n), Facts(rating=n, table=n % 3 + 1)
    ),
    lambda clerk, change, n: players.change_facts(
        change, somebody(change.state, n), Facts(tags={"club": f"Club {n % 2}"}, contact=f"{n}")
    ),
    lambda clerk, change, n: players.change_facts(
        change, somebody(change.state, n), Facts(byes={n % 4 + 1: ("play", "absent")[n % 2]})
    ),
    lambda clerk, change, n: event_admin.change_settings(change, {"rounds": n % 5 + 1}, name=f"Day {n % 3}"),
    lambda clerk, change, n: event_admin.rebase(
        change, f"2026-11-{n % 28 + 1:02}", change.state.rules, reason=None
    ),
)
DAY = st.lists(st.tuples(st.integers(0, len(ACTS) - 1), st.integers(0, 999)), min_size=1, max_size=40)


def sound(state: State):
    """Check the invariants that every state keeps."""
    names = [player.name for player in state.players.values()]
    assert len(names) == len(set(names)), "two players of one name"
    for number, round_ in enumerate(state.rounds, 1):
        assert round_.number == number, "a gap in the rounds"
        seated = [player for table in round_.tables.values() for player in table.seats]
        assert len(seated) == len(set(seated)), "a player seated twice"
        assert not set(seated) & set(round_.byes), "a player with a table and a bye"
        assert {*seated, *round_.byes} <= set(state.players), "a stranger in a round"
        for table in round_.tables.values():
            assert table.result is None or tuple(seat.player for seat in table.result.seats) == table.seats
            assert (table.result is None) == (table.entered is None), "a result without an entry"
        assert not round_.playing or number == len(state.rounds), "a round was paired over an open one"


def again(written, seal):
    """Write the same ops again in the given order, and return the entries."""
    entries, digest = [], NOTHING_YET
    for seq, entry in enumerate(written, 1):
        row = write(entry.op, seq=seq, at=entry.at, by=entry.by, previous=digest)
        entries += read([row], seq=seq - 1, digest=digest)
        digest = row.digest
    return entries


@examples(37, of=150)
@given(DAY)
def test_undo_and_redo_restore_the_states(day):
    """After each action that can be undone: undo gives the digest before, redo that after."""
    clerk = Clerk()
    for what, number in day:
        before, last = clerk.pad.show(), clerk.pad.last
        entry = clerk.act(what, number)
        if entry is None or isinstance(clerk.pad.entries[-1].op, ops.Undone):
            continue
        after = clerk.pad.show()
        if isinstance(clerk.pad.entries[-1].op, ops.EventReopened):
            continue  # undoing it closes the event, which other tests cover
        written = range(last + 1, entry + 1)  # a round may come with a drop before it and its clock after it
        for later in reversed(written):
            undone = clerk.pad.do(undo(clerk.pad.change, later))
        assert clerk.pad.show() == before
        if clerk.pad.state.closed:
            clerk.pad.write(ops.Undone(entry=undone))
        else:
            for later in written:
                clerk.pad.do(redo(clerk.pad.change, later))
        assert clerk.pad.show() == after


@examples(75, of=300)
@given(DAY)
def test_no_order_of_undo_and_redo_makes_an_impossible_event(day):
    """Every state on the way is valid."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number)
        sound(clerk.pad.state)


@examples(37, of=150)
@given(DAY)
def test_undone_entries_do_not_affect_the_state(day):
    """A journal with undone entries folds to the same state as one without them."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number)
    gone = undos_by_entry(clerk.pad.entries)
    kept = [
        entry for entry in clerk.pad.entries if entry.seq not in gone and not isinstance(entry.op, ops.Undone)
    ]
    alone = fold(again(kept, clerk.pad.seal), clerk.pad.texts)
    assert show(alone) == clerk.pad.show()


@examples(37, of=150)
@given(DAY, st.integers(0, 10_000))
def test_independent_entries_commute(day, place):
    """Two neighbours that do not depend on each other can change places."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number)
    gone = undos_by_entry(clerk.pad.entries)
    kept = [
        entry for entry in clerk.pad.entries if entry.seq not in gone and not isinstance(entry.op, ops.Undone)
    ]
    pairs = [
        n
        for n in range(1, len(kept) - 1)
        if not depends_on(kept[n + 1].op, kept[n].op) and not depends_on(kept[n].op, kept[n + 1].op)
    ]
    if not pairs:
        return
    n = pairs[place % len(pairs)]
    swapped = [*kept[:n], kept[n + 1], kept[n], *kept[n + 2 :]]
    one, other = (fold(again(order, clerk.pad.seal), clerk.pad.texts) for order in (kept, swapped))
    assert show(one) == show(other)


@settings(max_examples=50, deadline=None)
@given(DAY)
def test_everything_can_be_undone_newest_first(day):
    """Repeated undo ends at the event as it was created."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number)
    for entry in reversed(list(clerk.book.in_force)[1:]):
        if isinstance(entry.op, ops.EventReopened):
            return
        later = clerk.book.entries[entry.seq :]
        if isinstance(entry.op, ops.BeaconEntered) and any(
            isinstance(entry.op, ops.RoundPaired) for entry in later
        ):
            return  # a round was drawn with it: the value stands, whatever became of the round
        clerk.pad.do(undo(clerk.pad.change, entry.seq))
    assert clerk.pad.show() == show(fold(clerk.pad.entries[:1], clerk.pad.texts))


def facts(state):
    """Return all facts of an event, each with a key that other entries do not shift."""
    plain = to_builtins(show(state), str_keys=True)
    result = {key: value for key, value in plain.items() if key not in {"players", "rounds", "settings"}}
    result.setdefault("draws", [])
    result |= {("setting", key): value for key, value in plain["settings"].items()}
    for kind in "forced", "forbidden", "penalties", "audits", "draws":
        result |= {
            ("count", kind, text): number for text, number in Counter(map(str, result.pop(kind))).items()
        }
    result |= {("cut", key): value for key, value in (result.pop("cut") or {}).items()}
    for player in plain["players"]:
        result |= {
            ("player", player["number"], key): value
            for key, value in player.items()
            if key not in {"byes", "tags"}
        }
        for kind in "byes", "tags":
            result |= {("player", player["number"], kind, key): value for key, value in player[kind].items()}
    for round_ in plain["rounds"]:
        about = ("round", round_["round"])
        result |= {(*about, key): value for key, value in round_.items() if key not in {"tables", "byes"}}
        result |= {(*about, "bye", player): kind for player, kind in round_["byes"].items()}
        for table in round_["tables"]:
            result |= {
                (*about, "table", table["table"], key): value
                for key, value in table.items()
                if key != "extended"
            }  # minutes are added up: five more are five more, whatever came before
    return result


GONE = object()


def differ(key, one, other):
    return one.get(key, GONE) != other.get(key, GONE)


def change(key, before, after):
    """Return the new value of a fact; of remarks and wishes, the number added."""
    return after.get(key, 0) - before.get(key, 0) if key[0] == "count" else after.get(key, GONE)


def effects(entries, texts, gone):
    """Replay the entries in force; return the facts that each changed, and could change."""
    done, state = {}, State()
    before = facts(state)
    for entry in entries:
        if entry.seq in gone or isinstance(entry.op, ops.Undone):
            continue
        if not isinstance(entry.op, (ops.EventReopened, ops.PlayerErased, ops.PlayerErased)):
            assert not state.closed, f"entry {entry.seq} stands in a closed event"
        state = advance(state, [entry], texts)
        after = facts(state)
        done[entry.seq] = {
            key: change(key, before, after) for key in {*before, *after} if differ(key, before, after)
        }
        before = after
    return done


def means_the_same(pad, entry):
    """Compare an event before its last entry, an undo or redo of `entry`, with the one after."""
    closed_again(pad, entry)
    before = effects(pad.entries[:-1], pad.texts, undos_by_entry(pad.entries[:-1]))
    after = effects(pad.entries, pad.texts, pad.gone)
    assert before.keys() ^ after.keys() == {entry}, "something else was taken back or put back"
    for other in before.keys() & after.keys():
        assert before[other] == after[other], f"entry {other} means something else without entry {entry}"
    touched = {**before, **after}[entry].keys()
    one, two = (facts(fold(entries, pad.texts)) for entries in (pad.entries[:-1], pad.entries))
    changed = {key for key in {*one, *two} if differ(key, one, two)}
    assert changed <= touched, f"entry {entry} never touched {changed - touched}"


def closed_again(pad, entry):
    """Check that an event whose reopening was undone equals the closed one."""
    if isinstance(pad.entries[entry - 1].op, ops.EventReopened) and pad.state.closed:
        before, now = (facts(state) for state in (fold(pad.entries[: entry - 1], pad.texts), pad.state))
        erased = any(
            isinstance(other.op, (ops.PlayerErased, ops.PlayerErased)) for other in pad.entries[entry:]
        )
        assert erased or before == now, "it was closed as it never was"


def watched(clerk, day, acts):
    """Run a day; after each accepted undo and redo, compare the event with the one before."""
    for what, number in day:
        if clerk.act(what, number, acts) is None:
            continue
        last = clerk.pad.entries[-1]
        if isinstance(last.op, ops.Undone):
            means_the_same(clerk.pad, root(clerk.pad.entries, last).seq)


LONGER_DAY = st.lists(
    st.tuples(st.integers(0, len(MORE_ACTS) - 1), st.integers(0, 999)), min_size=5, max_size=60
)


@examples(50, of=200)
@given(LONGER_DAY, st.sampled_from(["swiss", "elimination", "round-robin"]))
def test_undo_and_redo_change_nothing_else(day, system):
    """Later entries keep their effect, and other facts stay."""
    watched(Clerk(system=system), day, MORE_ACTS)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_days_of_undo_and_redo_change_nothing_else():
    """Days drawn from seeds (TOURNEY_DAYS)."""
    for seed in range(int(os.environ.get("TOURNEY_DAYS", "3000"))):
        dice = Random(seed)
        clerk = Clerk(system=dice.choice(("swiss", "swiss", "elimination", "round-robin")))
        day = [(dice.randrange(len(MORE_ACTS)), dice.randrange(1000)) for _ in range(60)]
        try:
            watched(clerk, day, MORE_ACTS)
        except AssertionError as fault:
            story = "\n".join(f"{entry.seq} {entry.op}" for entry in clerk.pad.entries)
            raise AssertionError(f"seed {seed}: {fault}\n{story}") from fault


def test_the_random_days_have_effects():
    """They are not only errors: this one plays two rounds."""
    clerk = Clerk()
    for what, number in [(1, 0), (3, 0), (3, 1), (1, 0), (3, 2), (3, 3)]:
        assert clerk.act(what, number) is not None
    assert len(clerk.pad.state.rounds) == 2
    assert clerk.pad.state.round.done
    assert PlayerId(1) in clerk.pad.state.players


def walked(entries, texts):
    """Return the states that `History` has after each entry, up to the first error."""
    history, states = History(texts), []
    for entry in entries:
        try:
            history.add(entry)
        except MisfitError as fault:
            return [*states, str(fault.message)]
        states.append(str(show(history.state())))
    return states


def folded(entries, texts):
    try:
        return str(show(fold(entries, texts)))
    except MisfitError as fault:
        return str(fault.message)


@pytest.mark.parametrize("each", [1, 2, 5, 64])
@examples(20, of=60)
@given(LONGER_DAY, st.lists(st.integers(2, 40), max_size=12))
def test_a_history_has_every_earlier_state(each, day, undone):
    """After each entry it equals a fold up to there, also if needed entries are undone."""
    clerk = Clerk()
    for what, number in day:
        clerk.act(what, number, MORE_ACTS)
    entries = list(clerk.pad.entries)
    loose = [ops.Undone(entry=number) for number in undone if number <= len(entries)]
    entries = again([*entries, *(entries[0]._replace(op=op) for op in loose)], clerk.pad.seal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(History, "SAVE_INTERVAL", each)
        states = walked(entries, clerk.pad.texts)
    for number, state in enumerate(states, 1):
        whole = folded(entries[:number], clerk.pad.texts)
        if number == len(states) and state.startswith("entry "):
            assert state.startswith(f"entry {number} (undone) contradicts the entries before it: with")
            assert state.endswith(whole), "the same fault"
        else:
            assert state == whole


def test_a_history_takes_about_as_long_as_a_fold():
    """Counted in steps, for a journal of many undos and redos."""
    pad = Pad("Ada", "Ben")
    written = list(pad.entries)
    for number in range(len(written) + 1, 3000):
        op = ops.Undone(entry=number - 1) if number % 3 else ops.PlayerCheckedIn(players=(PlayerId(1),))
        written.append(written[0]._replace(op=op))
    history = History(pad.texts)
    for entry in again(written, pad.seal):
        history.add(entry)
    assert history.folded < 50 * len(written)
