"""Random days with players, a server and a terminal: no entry is lost, doubled or blocked.

Phones send what their pages show, often old pages, and often repeat requests. The desk reports, changes,
edits, drops, cancels, undoes and redoes. Two desks stay open all day, and a third is opened now and then.
"""

import re
from datetime import timedelta
from random import Random

import pytest
from msgspec.structs import replace

from tests.desk.kit import Clock, Dice, library, new_desk
from tests.kit import sampled
from tourney.desk import Desk, OwnSeat, Workplace, check
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.claims import KINDS
from tourney.event.event_document import show
from tourney.event.fold import History, fold, footprint, undos_by_entry
from tourney.event.score import Report

NAMES = (
    "Mira Oake",
    "Tess Hart",
    "Tomo Reed",
    "Ben Amos",
    "Ada Quill",
    "Cleo Vane",
    "Dov Ash",
    "Eli Moss",
    "Fay Lund",
)
_BY_PLAYERS = tuple(kind.op for kind in KINDS if kind.by_players)
PLAYS = {
    "two": {"best_of": 3, "rounds": 4},
    "two, alone": {"best_of": 3, "claim_alone": True, "claim_minutes": 2},
    "pods": {"system": "pods", "seats": [4, 3, 5]},
    "pods, alone": {"system": "pods", "seats": [4, 3, 5], "claim_alone": True, "claim_minutes": 2},
}
SCORES = {
    2: ("2-0", "2-1", "0-2", "1-2", "id", "1-1-1", "w"),
    3: ("1,2,3", "3,1,2", "="),
    4: ("1,2,3,4", "2,1,4,3", "="),
    5: ("1,2,3,4,5",),
}
NOT_THEIRS = ("ff2", "dl", "9-9", "no score")


class Day:
    """An event file, its writers, and their requests and answers."""

    def __init__(self, folder, play, seed):
        self.dice = Random(f"{play}/{seed}")
        self.clock = Clock()
        desk = new_desk(folder, *NAMES[: self.dice.randrange(4, len(NAMES) + 1)], **PLAYS[play])
        desk.workplace = replace(desk.workplace, clock=self.clock)
        self.path = desk.place.file
        self.server, self.terminal = desk, self.opened("Kim")
        self.pages, self.requests, self.answered, self.number = [], [], {}, 0
        self.told = []

    def opened(self, by):
        return Desk.open(self.path, Workplace(by, self.clock, Dice(f"{by}{self.clock.now}"), library))

    def close(self):
        self.server.leave()
        self.terminal.leave()

    @property
    def state(self):
        return self.server.refresh()

    # -- phones

    def page(self):
        """Return a page of a phone: mostly current, sometimes an old one."""
        if self.pages and self.dice.random() < 0.2:
            return self.dice.choice(self.pages)
        round_ = self.state.round
        table = self.dice.choice([*round_.tables.values()])
        standing = table.claim
        shown = {"round_number": round_.number, "table": table.number, "seats": table.seats}
        page = (
            self.dice.choice(table.seats),
            shown,
            standing.entry if standing else 0,
            standing.player if standing else 0,
        )
        self.pages.append(page)
        return page

    def request(self):
        player, shown, claim, whose = self.page()
        if self.dice.random() < 0.1:
            player = self.dice.choice([*self.state.players])  # whose page this is not
        scores = SCORES[len(shown["seats"])]
        score = self.dice.choice(scores if self.dice.random() < 0.95 else NOT_THEIRS)
        agree = self.dice.random()
        kind = self.dice.choices(
            ["claim", "confirm", "dispute", "call", "leave"],
            [5, 6 if claim else 0, 2 if claim else 0, 1, 0.3],
        )[0]
        self.number += 1
        key = f"k-{self.number}" if self.dice.random() < 0.7 else ""
        replaces = claim if whose == player else 0

        def send(desk):
            seat = OwnSeat(desk, desk.find_player(player), device=f"device {player}, bound 14:00", key=key)
            if kind == "claim":
                return seat.claim(Report(score=score), replaces=replaces, **shown)
            if kind == "confirm":
                return seat.confirm(claim)
            if kind == "dispute":
                return seat.dispute(
                    claim, Report(score=score) if agree < 0.7 else None, reason="no" if agree < 0.3 else None
                )
            if kind == "call":
                return seat.call_judge(about="please come", **shown)
            return seat.leave(round_number=shown["round_number"])

        key = (
            "" if kind == "leave" else key
        )  # which the desk can write, too: a claim that it ends can be made again
        return f"{kind} by #{player} of {shown['table']} ({score}, {claim}, {key})", send, key

    def phone(self):
        if not self.state.rounds:
            return
        if self.requests and self.dice.random() < 0.25:
            words, send, key = self.dice.choice(self.requests)
            self.write(f"again: {words}", send, again=key)
            return
        self.requests.append(self.request())
        self.write(*self.requests[-1][:2], key=self.requests[-1][2])

    # -- the desk

    def desk(self):
        state, dice = self.state, self.dice
        round_ = state.round
        if round_ is None or (round_.done and dice.random() < 0.5):
            self.write("pair", lambda desk: desk.pair_round())
            return
        table = dice.choice([*round_.tables])
        size = len(round_.tables[table].seats)
        score = dice.choice(SCORES[size])
        player = dice.choice([*state.players])
        entry = dice.randrange(1, state.entry + 1)
        kind = dice.choices(
            [
                "report",
                "change",
                "swap",
                "drop",
                "return",
                "cancel",
                "undo",
                "undo entry",
                "redo",
                "alone",
                "answer",
                "dq",
                "time",
            ],
            [4, 1, 1, 0.6, 0.6, 0.3, 1.5, 2, 1.5, 2, 1, 0.15, 2],
        )[0]
        if kind == "time":
            self.clock.now += timedelta(minutes=dice.randrange(1, 4))
        elif kind == "report":
            open_table = round_.tables[table].result is None and not round_.held
            self.write(f"report {table} {score}", lambda desk: desk.report(table, score), must=open_table)
        elif kind == "alone":
            anyway = dice.random() < 0.2
            self.write("alone", lambda desk: _whole(desk.enter_unanswered(anyway=anyway)))
        else:
            acts = {
                "change": lambda desk: desk.change_result(table, dice.choice((score, "-"))),
                "swap": lambda desk: desk.swap(player, dice.choice([*state.players])),
                "drop": lambda desk: desk.drop(player),
                "return": lambda desk: desk.return_(player),
                "cancel": lambda desk: desk.cancel_round(),
                "undo": lambda desk: desk.undo(),
                "undo entry": lambda desk: desk.undo(entry),
                "redo": lambda desk: desk.redo(),
                "answer": lambda desk: desk.answer_call(dice.choice([entry, *round_.calls])),
                "dq": lambda desk: desk.disqualify(player),
            }
            self.write(f"{kind} {entry} #{player}", acts[kind])

    def write(self, message, act, *, must=False, key="", again=None):
        """Let a desk act, and compare the answer with the file."""
        desk = self.dice.choice([self.server, self.terminal, None])
        fresh = desk is None
        desk = desk or self.opened("Lou")
        before = len(self.journal())
        try:
            receipt = act(desk)
        except TourneyError as refused:
            receipt = None
            self.told.append((message, "refused", refused.message))
            assert not must, self.story("a result of the desk was in the way of nothing")
            for number in _named(refused.message):
                op = self.server.entries[number - 1].op if number <= len(self.server.entries) else None
                blocked = "depends on it" in refused.message or "conflicts with it" in refused.message
                assert not (blocked and isinstance(op, (*_BY_PLAYERS, ops.JudgeAnswered))), self.story(
                    "a claim is in the way"
                )
        else:
            entries = receipt.entries if receipt else ()
            self.told.append((message, entries))
        new = list(range(before + 1, len(self.journal()) + 1))
        assert new == list(receipt.entries if receipt else ()), self.story(
            "what was answered is not what was written"
        )
        if again:
            assert not new or again not in self.answered, self.story("a request was taken twice")
        if new and (key or again):
            self.answered[key or again] = new
        if fresh:
            desk.leave()

    def journal(self):
        return self.terminal.journal.rows()

    def story(self, why=""):
        return "\n".join([why, *map(str, self.told[-40:])])

    # -- what holds whatever happens

    def hold(self):
        self.server.refresh()
        self.terminal.refresh()
        entries, texts = self.server.entries, self.server.texts
        state = fold(entries, texts)
        for desk in (self.server, self.terminal):
            assert desk.state == state, self.story("folding from scratch is not folding bit by bit")
        assert show(self.server.state) == show(state)
        reported = [
            entry.op.claim for entry in entries if isinstance(entry.op, ops.ResultReported) and entry.op.claim
        ]
        assert len(reported) == len(set(reported)), self.story("a claim was entered twice")
        for claim in self.server.claims():
            assert state.round.tables[claim.table].result is None, self.story("a claim beside a result")
        for claim in state.round.claims if state.round else ():
            assert state.round.tables[claim.table].seats == claim.result.players, self.story()
        for table in state.round.tables.values() if state.round else ():
            assert (table.result is None) == (table.entered is None), self.story("a result without its entry")

    def hold_in_the_end(self):
        """Replay the journal: each entry is where it was written, and each result has its reporter."""
        entries, texts = self.server.entries, self.server.texts
        history = History(texts)
        for entry in entries:
            history.add(entry)
            assert history.state().entry == entry.seq
        assert history.state() == self.server.state
        for at, entry in enumerate(entries):
            signed = texts[entry.by]
            if isinstance(entry.op, _BY_PLAYERS) and getattr(entry.op, "player", None) is not None:
                assert signed == f"#{entry.op.player}", self.story("a player reported for another seat")
            if isinstance(entry.op, ops.ResultReported) and entry.op.claim:
                claim = entries[entry.op.claim - 1].op
                assert entry.op.results == {claim.table: claim.result}, self.story(
                    "another result than was claimed"
                )
                earlier = undos_by_entry(entries[:at])
                agreed = {
                    other.op.player
                    for other in entries[:at]
                    if isinstance(other.op, ops.ResultConfirmed)
                    and other.op.claim == entry.op.claim
                    and other.seq not in earlier
                }
                assert agreed - {claim.player}, self.story("entered at one player's word")
            if isinstance(entry.op, (*_BY_PLAYERS, ops.JudgeAnswered)):
                assert footprint(entry.op) == (set(), set())
        self.server.log()  # every entry has its sentence
        assert not [finding for finding in check(self.server) if finding.severity.value == "error"]


def _named(message):
    """Return the numbers in an error, without that in `10 more`."""
    return [int(number) for number in re.findall(r"\b\d+\b(?! more)", message)]


def _whole(receipts):
    """Return several receipts as one, to be compared with the file."""
    if not receipts:
        return None
    return type(receipts[0]).of(
        receipts[-1], entries=tuple(entry for receipt in receipts for entry in receipt.entries)
    )


def play(folder, kind, seed, turns):
    folder.mkdir()
    day = Day(folder, kind, seed)
    try:
        for _ in range(turns):
            (day.phone if day.dice.random() < 0.65 else day.desk)()
            day.hold()
        day.hold_in_the_end()
    finally:
        day.close()
    return day


@pytest.mark.parametrize("seed", sampled(range(3), [0]))
@pytest.mark.parametrize("kind", PLAYS)
def test_a_day_of_claims(tmp_path, kind, seed):
    play(tmp_path / "day", kind, seed, 90)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
@pytest.mark.parametrize("kind", PLAYS)
def test_many_days_of_claims(tmp_path, kind, seed):
    play(tmp_path / "day", kind, seed, 300)


def test_the_random_days_are_varied(tmp_path):
    """Results by both players or one, disputes, ends and repetitions all occur."""
    kinds, refusals, again = set(), set(), 0
    for kind in PLAYS:
        day = play(tmp_path / kind, kind, "whole", 150)
        kinds |= {type(entry.op) for entry in day.server.entries}
        kinds |= {
            "from a claim"
            for entry in day.server.entries
            if isinstance(entry.op, ops.ResultReported) and entry.op.claim
        }
        kinds |= {
            "alone"
            for entry in day.server.entries
            if isinstance(entry.op, ops.ResultConfirmed) and entry.op.player is None
        }
        refusals |= {report[2][:24] for report in day.told if report[1] == "refused"}
        again += sum(report[0].startswith("again") and report[1] == () for report in day.told)
    assert kinds >= {*_BY_PLAYERS, ops.JudgeAnswered, ops.Undone, "from a claim", "alone"}
    assert len(refusals) > 10
    assert again > 10
