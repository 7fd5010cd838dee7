"""Texts about events: sentences for entries, next steps, data, and personal texts."""

import re

from msgspec import to_builtins
from msgspec.structs import replace

from tests.event.pad import Pad
from tests.event.test_versions import golden_rows
from tests.kit import with_rows
from tourney.event import event_document, ops
from tourney.event.entry import every_ref, own_refs, read
from tourney.event.fold import fold, sentence, sentences
from tourney.event.kind import EventReading
from tourney.event.ops import Kept, NoTable, Proof, Ref
from tourney.event.phrases import result_text, tables_text
from tourney.event.showing import summary
from tourney.record import Outcome, PlayerId, Result, Seat, Table
from tourney.wording import listed

A, B, C = PlayerId(1), PlayerId(2), PlayerId(3)


def named(player):
    return {1: "Ada", 2: "Ben", 3: "Cleo"}[player]


def test_every_op_has_a_sentence():
    """One line without a full stop, in which all values are formatted."""
    exported = golden_rows()
    entries = read(exported.rows)
    texts = {ref: None if content is None else content.decode() for ref, _, content in exported.texts}
    context = EventReading(fold(entries, texts), texts, entries)
    assert {type(entry.op) for entry in entries} == set(ops.AnyOp.__args__)
    for entry in entries:
        text = sentence(entry.op, context)
        assert text, entry.op
        assert not text.endswith("."), text
        assert not re.search(r"\n|\bNone\b|\(\)|<|PlayerId", text), text
        assert not any(ref in text for ref in texts), text
        assert all(line.strip() for line in sentences(entry.op, context))


CASES = [
    (lambda pad: ops.EventChanged(settings={"rounds": 5, "draws": False, "keep_apart": {"club": 2},
        "seats": [3, 4]}),
     "The event was changed: rounds = 5, draws = off, players of the same club are kept apart in "
     "the first 2 rounds and seats = 3 or 4"),
    (lambda pad: ops.EventChanged(settings={"keep_apart": {"family": 0, "club": 1}}),
     "The event was changed: players of the same family are kept apart in every round, "
     "of the same club in round 1"),
    (lambda pad: ops.EventChanged(settings={"keep_apart": {}}),
     "The event was changed: no players are kept apart by club or another tag"),
    (lambda pad: ops.EventChanged(name=pad.seal("Sunday"), reason=pad.seal("rain")),
     "The event was changed: its name is `Sunday`: rain"),
    (lambda pad: ops.EventChanged(profile=(Kept(kind="profile", name="mtr", text=Ref("x")),)),
     "The event was changed: its standings use the profile `mtr`"),
    (lambda pad: ops.EventClosed(), "The event was closed"),
    (lambda pad: ops.EventClosed(secret="ab12"), "The event was closed; its secret was ab12"),
    (lambda pad: ops.EventReopened(reason=pad.seal("a slip was found")),
     "The event was reopened: a slip was found"),
    (lambda pad: ops.EventRebased(on="2026-11-01", rules=()), "New rules were adopted, as of 2026-11-01"),
    (lambda pad: ops.PlayerRenamed(player=A, name=pad.seal("Ida")), "#1 is now called Ida"),
    (lambda pad: ops.PlayerDropped(players=(A, B), after=2), "Ada and Ben left after round 2"),
    (lambda pad: ops.PlayerDropped(players=(A,), after=0, reason=pad.seal("ill")),
     "Ada left before round 1: ill"),
    (lambda pad: ops.PlayerReturned(players=(A,), since=3), "Ada plays again from round 3 on"),
    (lambda pad: ops.PlayerReturned(players=(A, B), since=3), "Ada and Ben play again from round 3 on"),
    (lambda pad: ops.PlayerChanged(player=A, rating=1500, table=None, byes=((2, "half-bye"), (3, "play"))),
     "Ada: rating 1500, table none, in round 2 a half-point bye and in round 3 playing"),
    (lambda pad: ops.PlayerChanged(player=A, tags=(("club", pad.seal("Harbour")),)), "Ada: club Harbour"),
    (lambda pad: ops.PlayerChanged(player=A, tags=()), "Ada: no tags"),
    (lambda pad: ops.PlayerChanged(player=A, contact=None), "Ada: another contact"),
    (lambda pad: ops.PlayerDisqualified(player=A, after=1, reason=pad.seal("dice")),
     "Ada was disqualified: dice"),
    (lambda pad: ops.PlayerCheckedIn(players=(A, B, C)), "Ada, Ben and Cleo checked in"),
    (lambda pad: ops.PlayerErased(player=C), "The name, the deck and the notes of player #3 were deleted"),
    (lambda pad: ops.DeckSubmitted(player=A, text=Ref("x"), verdict="legal"),
     "The deck of Ada is registered (legal)"),
    (lambda pad: ops.DeckWaived(players=(A,)), "Ada needs no decklist"),
    (lambda pad: ops.DeckAgreed(round=1, players=(A, B), zone="layout", zone_name="red line", text=Ref("ff"),
        verdict="legal", declared=True),
        "Round 1: Ada and Ben have agreed on their red line (legal, by the facts it declares)"),
    (lambda pad: ops.RoundPaired(round=1, tables=(Table(1, (A, B)),), byes=(NoTable(C, "bye"),),
        proof=Proof(text="optimal (meets the bound)")),
     "Round 1 is paired: 1 table, optimal (meets the bound); Cleo has the bye"),
    (lambda pad: ops.RoundPaired(round=1, tables=(Table(1, (A, B)),), byes=(NoTable(C, "half-bye"),),
        system="manual"),
     "Round 1 is paired by hand: 1 table; Cleo has a half-point bye"),
    (lambda pad: ops.RoundPaired(round=4, tables=(Table(1, (A, B)),), stage="cut", labels=("Semifinal 1",)),
     "Semifinals are paired: 1 table"),
    (lambda pad: ops.RoundEdited(round=1, tables=(Table(2, (A, C)),), removed=(1,),
        byes=(NoTable(B, "bye"),)),
     "Round 1 was edited: table 2 Ada – Cleo; table 1 is removed; Ben has the bye"),
    (lambda pad: ops.RoundEdited(round=1, tables=(Table(2, (A, C)),), engine="repair"),
     "Round 1 was repaired: table 2 Ada – Cleo"),
    (lambda pad: ops.RoundCancelled(round=1, reason=pad.seal("too early")),
     "Round 1 was cancelled: too early"),
    (lambda pad: ops.RoundStarted(round=1, minutes=50), "Round 1 started, 50 minutes"),
    (lambda pad: ops.RoundStarted(round=1, minutes=0), "Round 1 started, without limit"),
    (lambda pad: ops.TableExtended(round=1, table=2, minutes=3), "Round 1, table 2: 3 minutes more"),
    (lambda pad: ops.PairForced(players=(A, B), round=2, table=4),
     "Ada and Ben must meet in round 2 at table 4"),
    (lambda pad: ops.PairForced(players=(A,), round=2), "Ada must have the bye in round 2"),
    (lambda pad: ops.PairForbidden(players=(A, B)), "Ada and Ben must not meet"),
    (lambda pad: ops.PairForbidden(players=(A, B, C), hard=False),
     "Ada, Ben and Cleo are kept apart if possible"),
    (lambda pad: ops.ResultChanged(round=1, table=1, result=None, reason=pad.seal("wrong slip")),
     "Round 1, table 1: the result was removed: wrong slip"),
    (lambda pad: ops.CutMade(players=(B, A), after=3), "Cut of 2: 1. Ben, 2. Ada"),
    (lambda pad: ops.CutMade(players=(B, A), after=3, lot=False), "Cut of 2: 1. Ben, 2. Ada"),
    (lambda pad: ops.CutMade(players=(B, A), after=3, lot=True),
     "Cut of 2, ties broken by lot: 1. Ben, 2. Ada"),
    (lambda pad: ops.CutMade(players=(B, A), after=3, kind="double"),
     "Double-elimination cut of 2: 1. Ben, 2. Ada"),
    (lambda pad: ops.CutMade(players=(B, A, C), after=3, seats=3),
     "Cut of 3 at tables of 3, from which the winner advances: 1. Ben, 2. Ada, 3. Cleo"),
    (lambda pad: ops.CutMade(players=(B, A, C), after=0, seats=3, advance=2, lot=True),
     "Bracket of 3 at tables of 3, from which the first 2 advance, ties broken by lot:"
     " 1. Ben, 2. Ada, 3. Cleo"),
    (lambda pad: ops.PenaltyGiven(player=A, level="warning", round=1, reason=pad.seal("slow")),
     "Ada has a penalty in round 1: warning (slow)"),
    (lambda pad: ops.AuditRecorded(player=A, round=1, clean=False, remark=pad.seal("61 cards")),
     "The deck of Ada failed a deck check in round 1: 61 cards"),
]  # fmt: skip


@with_rows(("op", "said"), CASES)
def test_an_entry_as_a_sentence(op, said):
    """With the players, the action and the reason."""
    pad = Pad("Ada", "Ben", "Cleo")
    made = op(pad)
    assert sentence(made, EventReading(pad.state, pad.texts, pad.entries)) == said


def test_creation_registration_undo_and_redo_as_sentences():
    pad = Pad("Ada")
    assert pad.say(1) == "Friday begins: red-diamond/standard, no ban list, ranked by tourney"
    assert pad.say(2) == "Ada (#1) is registered"
    entry = pad.players(*(f"Guest {n}" for n in range(9)))
    assert (
        pad.say(entry)
        == "Guest 0 (#2), Guest 1 (#3), Guest 2 (#4), Guest 3 (#5), Guest 4 (#6) and 4 more are registered"
    )
    undone = pad.undo(entry)
    assert pad.say(undone).startswith('Entry 3 ("Guest 0 (#2)')
    assert pad.say(pad.undo(undone)).endswith('4 more are registered") was redone')


def test_results_as_sentences():
    """One, a few, many: each table of a block with names and score."""
    pad = Pad(*(f"P{n}" for n in range(1, 17)))
    pad.pair(*((n, n + 1) for n in range(1, 17, 2)))
    one = pad.result(1, "1-0")
    assert pad.say(one) == "Round 1, table 1: P1 1–0 P2"
    op = ops.ResultReported(
        round=1, results={n: pad.entries[pad.result(n, "w") - 1].op.results[n] for n in (2, 3)}
    )
    from tourney.event.fold import sentence, sentences
    from tourney.event.kind import EventReading

    context = EventReading(pad.state, pad.texts, pad.entries)
    assert sentence(op, context) == "Round 1, table 2: P3 1–0 P4; table 3: P5 1–0 P6"
    many = ops.ResultReported(round=1, results=dict.fromkeys(range(1, 9), op.results[2]))
    assert sentence(many, context) == "Round 1, " + "; ".join(f"table {n}: P3 1–0 P4" for n in range(1, 9))
    assert sentences(many, context) == tuple(f"Round 1, table {n}: P3 1–0 P4" for n in range(1, 9))


@with_rows(
    ("seats", "drawn", "note", "words"),
    [
        ([(A, "win", 1, 2), (B, "loss", 2, 0)], 0, "", "Ada 2–0 Ben"),
        ([(A, "loss", 2, 1), (B, "win", 1, 2)], 1, "", "Ada 1–2–1 Ben"),
        ([(A, "draw", 1, 0), (B, "draw", 1, 0)], 1, "", "Ada ½–½ Ben"),
        ([(A, "draw", 1, 1), (B, "draw", 1, 1)], 0, "time", "Ada 1–1 Ben by time"),
        ([(A, "draw", 1, 0), (B, "draw", 1, 0)], 3, "id", "Ada and Ben drew intentionally"),
        ([(A, "forfeit-win", 1, 0), (B, "forfeit-loss", 2, 0)], 0, "", "Ada wins, Ben did not show"),
        ([(A, "forfeit-loss", 1, 0), (B, "forfeit-loss", 1, 0)], 0, "", "neither Ada nor Ben showed"),
        ([(A, "double-loss", 1, 0), (B, "double-loss", 1, 0)], 0, "", "Ada and Ben both lose"),
        ([(A, "loss", 3, 0), (B, "win", 1, 0), (C, "loss", 2, 0)], 0, "", "1. Ben, 2. Cleo, 3. Ada"),
        (
            [(A, "loss", 2, 0), (B, "win", 1, 0), (C, "forfeit-loss", 3, 0)],
            0,
            "",
            "1. Ben, 2. Ada; Cleo did not show",
        ),
        ([(A, "win", 1, 1, 32), (B, "loss", 2, 0, 18)], 0, "", "Ada 1–0 Ben (32 : 18)"),
    ],
)
def test_results_in_words(seats, drawn, note, words):
    """As people say them."""
    rows = tuple(
        Seat(player, Outcome(word), place, games, *score) for player, word, place, games, *score in seats
    )
    assert result_text(Result(rows, drawn, note), named) == words


@with_rows(
    ("numbers", "words"),
    [
        ((2, 9, 11), "2, 9, 11"),
        ((1, 2, 3, 4, 7), "1–4, 7"),
        ((1, 2), "1, 2"),
        ((), ""),
        (range(1, 90, 2), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 …"),
    ],
)
def test_table_numbers(numbers, words):
    """Runs are joined, and long lists shortened."""
    assert tables_text(list(numbers)) == words


def test_lists_of_words():
    """`and` before the last word, or `or` for a choice."""
    assert (listed("abc"), listed("ab", "or"), listed("a"), listed("")) == ("a, b and c", "a or b", "a", "")


def test_next_steps():
    """Registration, pairing, results, the next round, the end."""
    pad = Pad(rounds=1)
    assert pad.steps == ("0 players registered: `tourney player add NAME`.",)
    pad.players("Ada", "Ben", "Cleo", "Dina")
    assert pad.steps == ("4 players registered: `tourney round next` when all are here.",)
    pad.pair((1, 2), (3, 4))
    assert pad.steps == ("2 of 2 tables still playing: 1, 2.",)
    pad.result(1, "w")
    pad.result(2, "w")
    assert pad.steps == (
        "Round 1 is complete.",
        "That was the last planned round. Next: `tourney standings`, then `tourney event close`.",
    )
    pad.write(ops.EventClosed())
    assert pad.steps == ("The event is closed. Next: `tourney standings`, `tourney publish`.",)


# -- the event as data


def full():
    pad = Pad(by="Sue")
    pad.players("Ada", "Ben", tags={"club": "Harbour"}, contact="x@example.org", rating=1500)
    pad.players("Cleo", tags={"club": "Mole"}, byes={1: "half-bye"})
    pad.write(ops.DeckSubmitted(player=A, text=pad.seal("60 X"), verdict="legal", cards=pad.seal("{}")))
    pad.pair((1, 2), byes=[(3, "half-bye")])
    pad.result(1, "id")
    pad.write(ops.PlayerDropped(players=(A, C), after=1, reason=pad.seal("home")))
    pad.write(ops.PlayerRenamed(player=C, name=pad.seal("Cleopatra", "name")))
    return pad


def test_the_event_as_data_is_json():
    """With names, tags and endings."""
    plain = to_builtins(event_document.event_document(full().state, at=None), str_keys=True)
    assert plain["schema"] == "tourney.event/1"
    assert [player["name"] for player in plain["players"]] == ["Ada", "Ben", "Cleopatra"]
    assert plain["rounds"][0]["tables"][0]["result"]["note"] == "id"


def test_the_event_as_data_has_no_times_and_no_authors():
    """The same event entered an hour later by another scorekeeper is equal, except the chain."""
    one, other = full(), full()
    other.entries, other.clock = [], 600
    for entry in one.entries:
        other.write(entry.op, by="Somebody else")
    assert other.entries[-1].digest != one.entries[-1].digest
    assert replace(event_document.show(other.state), created="") == replace(
        event_document.show(one.state), created=""
    )


def test_the_texts_of_a_person():
    """All earlier names, deck, contact, reason and unique tags; not the scorekeeper's name."""
    pad = full()

    def texts(player):
        return {pad.texts[ref] for ref in own_refs(pad.entries, [player])}

    assert texts(A) == {"Ada", "x@example.org", "60 X", "{}", "home"}
    assert texts(C) == {"Cleo", "Cleopatra", "Mole", "home"}
    assert "Sue" not in texts(A) | texts(B) | texts(C)
    assert {pad.texts[ref] for entry in pad.entries for ref in every_ref(entry) if ref in pad.texts} >= {
        "Sue",
        "Friday",
        "Harbour",
    }


def test_the_summary_is_readable_toml():
    """Names, results in words, no null."""
    import tomllib

    import tomli_w

    pad = full()
    read = tomllib.loads(tomli_w.dumps(summary(pad.state)))
    assert read["event"]["name"] == "Friday"
    assert read["rounds"][0]["tables"] == ["1: Ada and Ben drew intentionally"]
    assert read["rounds"][0]["without"] == ["Cleopatra: a half-point bye"]
    assert pad.state.name_of(PlayerId(99)) == "player 99"
