"""An event in memory: entries and texts without a file, for tests of the pure modules."""

import hashlib

from tests.kit import ROOT
from tourney.desk import next_steps
from tourney.event import ops
from tourney.event import players as decide_players
from tourney.event.entry import NOTHING_YET, Sealing, read, write
from tourney.event.event_document import show
from tourney.event.fold import fold, sentence, undos_by_entry
from tourney.event.kind import EventChange, EventReading
from tourney.event.ops import Kept, NoTable
from tourney.event.players import Registration
from tourney.event.results import read_result
from tourney.event.score import Report, Slip
from tourney.event.settings import settings_from
from tourney.record import Table
from tourney.standings import no_parent, parse_profile


def read_score(slip, score, points=None, *, ended=""):
    """Return the result of a score at the table of a slip."""
    return read_result(slip, Report(score=score, points=points, ended=ended)).result


def dice(seed="pad"):
    """Return a source of repeatable bytes."""
    drawn = 0

    def draw(size):
        nonlocal drawn
        drawn += 1
        return hashlib.shake_256(f"{seed}/{drawn}".encode()).digest(size)

    return draw


class Pad:
    """Writes entries one after another, each checked by reading it back, and folds them."""

    def __init__(self, *names, by="Ann", **settings):
        self.seal = Sealing(dice())
        self.entries = []
        self.by = by
        self.clock = 0
        created = ops.EventCreated(
            name=self.seal("Friday", "name"),
            format="red-diamond/standard",
            on="2026-10-04",
            rules=(Kept(kind="profile", name="tourney", text=self.seal("a profile", "rule")),),
            settings=settings_from(settings).differing(),
            secret=hashlib.sha256(b"secret").hexdigest(),
        )
        self.write(created)
        if names:
            self.players(*names)

    @property
    def texts(self):
        return {text.ref: text.words for text in self.seal.texts}

    @property
    def state(self):
        return fold(self.entries, self.texts)

    @property
    def change(self):
        return EventChange(self.state, self.seal, entries=self.entries, texts=self.texts, by=self.by)

    @property
    def last(self):
        return self.entries[-1].seq

    def write(self, *written, by=None):
        for op in written:
            previous = self.entries[-1].digest if self.entries else NOTHING_YET
            self.clock += 1
            at = f"2026-10-04T{10 + self.clock // 60:02}:{self.clock % 60:02}:00+02:00"
            row = write(
                op, seq=len(self.entries) + 1, at=at, by=self.seal(by or self.by, "by"), previous=previous
            )
            self.entries += read([row], seq=len(self.entries), digest=previous)
        return self.last

    def do(self, decision, by=None):
        """Write a decision; return the entry's number, or None if there is nothing to write."""
        if decision.op is None:
            return None
        return self.write(*decision.ops, by=by)

    def players(self, *names, **facts):
        wanted = [Registration(name=name, **facts) for name in names]
        return self.do(decide_players.add(self.change, wanted))

    def pair(self, *tables, byes=(), **more):
        """Pair the next round by hand: tables as tuples of ids, byes as (id, kind)."""
        seats = tuple(Table(number, tuple(seats)) for number, seats in enumerate(tables, 1))
        number = len(self.state.rounds) + 1
        return self.write(
            ops.RoundPaired(round=number, tables=seats, byes=tuple(NoTable(*bye) for bye in byes), **more)
        )

    def result(self, table, score, *, round_number=None, best_of=None, reason=None, **more):
        state = self.state
        round_ = state.rounds[(round_number or len(state.rounds)) - 1]
        slip = Slip(
            table=table,
            seats=round_.tables[table].seats,
            best_of=best_of or state.settings.match.best_of,
            **more,
        )
        return self.write(
            ops.ResultReported(round=round_.number, results={table: read_score(slip, score)}, reason=reason)
        )

    def undo(self, entry):
        return self.write(ops.Undone(entry=entry))

    def say(self, entry):
        return sentence(self.entries[entry - 1].op, EventReading(self.state, self.texts, self.entries))

    def show(self):
        """Return the event as data."""
        return show(self.state)

    @property
    def steps(self):
        """The next steps, in sentences."""
        return tuple(step.sentence for step in next_steps(self.state))

    @property
    def gone(self):
        return undos_by_entry(self.entries)


def profile():
    text = (ROOT / "tourney/standings/profiles/tourney.toml").read_text(encoding="utf-8")
    return parse_profile(text, source="tourney.toml", parent=no_parent)
