"""Random command lines: a success has exactly the named entries, an error has none.

Random days of every system as command lines: registration, rounds by engine and by hand, edits, results,
cuts, undo and redo, two scorekeepers, dry runs, invalid lines. The days are drawn from seeds, so that a run
can be repeated.
"""

import io
import json
import os
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest import mock

import pytest

from tests.desk.kit import open_desk
from tests.kit import amount
from tourney.cli import root
from tourney.store.event_file import EventFile

ENTERED = {"TOURNEY_SEED": "desk", "TOURNEY_DEBUG": "1", "NO_COLOR": "1", "XDG_DATA_HOME": "/nowhere"}
SYSTEMS = {
    "swiss": [],
    "swiss with a cut": [],
    "rank": ["--set", "last_round=rank", "--set", "first_round=fold", "--best-of", "3"],
    "round-robin": ["--set", "system=round-robin"],
    "pods": ["--set", "system=pods", "--set", "seats=[4, 3, 5]"],
    "elimination": ["--set", "system=elimination"],
    "manual": ["--set", "system=manual"],
}
TWO = ("1-0", "0-1", "w", "l", "d", "id", "ff1", "ff2", "ff", "dl", "2-1", "1,2", "9-9", "-")


class Runner:
    """Runs command lines in this process, in a separate folder."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *words, by="Ann", stdin=""):
        """Return exit code, stdout and stderr."""
        out, err = io.StringIO(), io.StringIO()
        stream = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        streams = {"stdout": out, "stderr": err, "stdin": stream}
        with (
            at(self.folder),
            mock.patch.multiple("sys", **streams),
            mock.patch.dict(os.environ, ENTERED | {"TOURNEY_BY": by}),
        ):
            code = root.run(words)
        return code, out.getvalue(), err.getvalue()


@contextmanager
def at(folder):
    here = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


class Day:
    """An event and its command lines, which are kept for the message of a failure."""

    def __init__(self, folder, system, seed):
        self.dice = Random(f"{system}/{seed}")
        self.run = Runner(folder)
        self.path = folder / "day.tourney"
        self.typed = []
        many = self.dice.randrange(2, 10)
        rounds = ["--rounds", str(self.dice.randrange(1, 4))] if self.dice.random() < 0.7 else []
        rounds = [] if system == "elimination" else rounds  # it has as many as it takes
        sealed = ["--sealed"] if self.dice.random() < 0.3 else []
        format_ = "diamonsters/standard" if system == "pods" else "red-diamond/standard"
        line = ["event", "new", "Day", "--format", format_, "--banlist", "none"]
        self.do([*line, *rounds, *sealed, *SYSTEMS[system]])
        players = "name,rating\n" + "".join(f"P{n},{1500 - n}\n" for n in range(1, many + 1))
        self.do(["player", "import", "-"], stdin=players)

    def digests(self):
        """Return the digests of the entries in the file, or an empty list without a file."""
        if not self.path.exists():
            return []
        with EventFile.open(self.path) as journal:
            return [row.digest for row in journal.rows()]

    def do(self, words, *, stdin="", dry=False):
        """Run a changing command, and compare its answer with the file."""
        before, by = self.digests(), self.dice.choice(("Ann", "Ben"))
        named = 3 if words[1] == "edit" else 2
        line = [*words[:named], "--json", *(["--dry-run"] if dry else []), *words[named:]]
        code, out, err = self.run(*line, by=by, stdin=stdin)
        self.typed.append((by, " ".join(line), stdin, code, err.splitlines()[:1]))
        after = self.digests()
        new = list(range(len(before) + 1, len(after) + 1))
        assert after[: len(before)] == before, self.story()
        if code == 0:
            document = json.loads(out)
            assert new == ([] if dry else document["entries"]), self.story()
            assert bool(document["entries"]) != document["already"], self.story()
            assert dry or document["digest"] == after[-1], self.story()
        else:
            assert code in {2, 3}, self.story() + "\n" + err
            assert new == [], self.story()
            assert out == "", self.story()
        return code

    def look(self, words):
        """Run a reading command: it must answer or raise an error, and change nothing."""
        before = self.path.read_bytes()
        code, _, err = self.run(*words)
        assert code in {0, 1, 3, 4}, f"{self.story()}\n{words}\n{err}"
        assert self.path.read_bytes() == before
        return code

    def story(self):
        return "\n".join(map(str, self.typed))

    @property
    def state(self):
        with open_desk(self.path.parent, name=self.path.name) as desk:
            return desk.state

    # -- what may be typed

    def line(self):
        """Return a possible or impossible line, and its stdin."""
        state, dice = self.state, self.dice
        kind = dice.choices(list(LINES), [LINES[line][0] for line in LINES])[0]
        if state.closed and dice.random() < 0.8:
            kind = "reopen"
        elif dice.random() < 0.35:
            kind = (
                "slips"
                if state.round and state.round.playing
                else dice.choice(("pair", "pair", "by hand", "cut"))
            )
        typed = LINES[kind][1](self, state)
        words, stdin = typed if isinstance(typed, tuple) else (typed, "")
        return [str(word) for word in words], stdin

    def who(self, state):
        if not state.players or self.dice.random() < 0.03:
            return "Nobody"
        return f"#{self.dice.choice(list(state.players))}"

    def table(self, state, *, open_one=True):
        round_ = state.round
        there = (
            [*round_.playing]
            if round_ and open_one and round_.playing
            else [*round_.tables]
            if round_
            else []
        )
        return self.dice.choice(there) if there and self.dice.random() < 0.97 else 99

    def score(self, state, table):
        round_ = state.round
        seats = len(round_.tables[table].seats) if round_ and table in round_.tables else 2
        if seats == 2:
            return self.dice.choice(TWO)
        places = list(range(1, seats + 1))
        self.dice.shuffle(places)
        return ",".join(map(str, places)) if self.dice.random() < 0.9 else ",".join("1" * seats)

    def result(self, state):
        table = self.table(state)
        return ["result", "add", table, self.score(state, table), *self.maybe("--time", 0.3)]

    def change(self, state):
        table = self.table(state, open_one=False)
        number = [] if self.dice.random() < 0.6 else ["--round", self.dice.randrange(1, 4)]
        return ["result", "change", *number, table, "--", self.score(state, table)]

    def slips(self, state):
        round_ = state.round
        there = [*round_.playing] if round_ else []
        lines = []
        for table in there:
            seats = len(round_.tables[table].seats)
            score = self.dice.choice(("1-0", "0-1", "ff1")) if seats == 2 else self.score(state, table)
            lines.append(f"{table} {score}")
        return ["result", "add", "--time"], "\n".join(lines)

    def by_hand(self, state):
        """Return a round by hand, sometimes with a player missing or at another table."""
        playing = [player.id for player in state.playing]
        self.dice.shuffle(playing)
        size = 2 if state.settings.pairing.system != "pods" else 4
        tables = [playing[n : n + size] for n in range(0, len(playing), size)]
        lines = [
            " - ".join(f"#{player}" for player in table) if len(table) > 1 else f"#{table[0]} {self.kind()}"
            for table in tables
        ]
        if lines and self.dice.random() < 0.3:
            lines.pop()
        return ["round", "pair", "--by-hand", "-"], "\n".join(lines)

    def kind(self):
        return self.dice.choice(("bye", "awarded-bye", "half-bye", "absent"))

    def maybe(self, word, chance=0.5):
        return [word] if self.dice.random() < chance else []

    def cut(self, state):
        return [
            "event", "cut", self.dice.randrange(2, 6), *self.maybe("--third-place", 0.3),
            *self.maybe("--reseed", 0.2),
            *(["--kind", "double"] if self.dice.random() < 0.3 else []),
            *(["--vacancy", "highest-seed"] if self.dice.random() < 0.3 else []),
        ]  # fmt: skip

    def entry(self, state):
        return self.dice.randrange(1, state.entry + 1)


def name(day, state):
    return f"G{day.dice.randrange(30)}"


LINES = {
    "pair": (12, lambda day, state: ["round", "pair"]),
    "by hand": (3, lambda day, state: day.by_hand(state)),
    "result": (14, lambda day, state: day.result(state)),
    "slips": (4, lambda day, state: day.slips(state)),
    "change result": (5, lambda day, state: day.change(state)),
    "undo": (5, lambda day, state: ["event", "undo"]),
    "undo n": (6, lambda day, state: ["event", "undo", day.entry(state)]),
    "redo": (4, lambda day, state: ["event", "redo"]),
    "redo n": (4, lambda day, state: ["event", "redo", day.entry(state)]),
    "swap": (4, lambda day, state: ["round", "edit", "swap", day.who(state), day.who(state)]),
    "set": (2, lambda day, state: ["round", "edit", "set", day.table(state), day.who(state), day.who(state)]),
    "bye": (4, lambda day, state: ["round", "edit", "bye", day.who(state), "--kind", day.kind()]),
    "repair": (2, lambda day, state: ["round", "repair"]),
    "cancel": (2, lambda day, state: ["round", "cancel"]),
    "cut": (4, lambda day, state: day.cut(state)),
    "drop": (4, lambda day, state: ["player", "drop", day.who(state)]),
    "return": (3, lambda day, state: ["player", "return", day.who(state)]),
    "disqualify": (1, lambda day, state: ["player", "disqualify", day.who(state)]),
    "add": (3, lambda day, state: ["player", "add", name(day, state), *day.maybe("--rating=1500")]),
    "rename": (2, lambda day, state: ["player", "rename", day.who(state), name(day, state)]),
    "wish": (2, lambda day, state: ["player", "change", day.who(state), "--bye",
        f"{day.dice.randrange(1, 5)}={day.kind()}"]),
    "table": (1, lambda day, state: ["player", "change", day.who(state), "--table",
        day.dice.randrange(1, 4)]),
    "check in": (1, lambda day, state: ["player", "check-in", day.who(state)]),
    "waive": (1, lambda day, state: ["player", "waive-deck", day.who(state)]),
    "blank": (1, lambda day, state: ["player", "blank", day.who(state), "--yes"]),
    "force": (2, lambda day, state: ["round", "force", day.who(state), day.who(state)]),
    "forbid": (2, lambda day, state: ["round", "forbid", day.who(state), day.who(state),
        *day.maybe("--soft")]),
    "start": (1, lambda day, state: ["round", "start"]),
    "extend": (1, lambda day, state: ["round", "extend", day.table(state), 5]),
    "next": (6, lambda day, state: ["round", "next", *day.maybe("--anyway"),
        *day.maybe(day.dice.choice(("--hold", "--start")), 0.4)]),
    "hold": (1, lambda day, state: ["round", "pair", "--hold"]),
    "release": (3, lambda day, state: ["round", "release"]),
    "all in": (1, lambda day, state: ["player", "check-in", "--all", "--except", day.who(state)]),
    "absent": (2, lambda day, state: ["player", "drop", "--absent"]),
    "evening": (2, lambda day, state: ["event", "change", "--set", day.dice.choice((
        "no_show=drop", "no_show=keep", "no_show=tell", "publish_to=web", "publish_to=none", "language=en",
        "deck_lock=round-1", "slips=false",
    ))]),
    "close": (3, lambda day, state: ["event", "close"]),
    "reopen": (3, lambda day, state: ["event", "reopen"]),
    "rounds": (2, lambda day, state: ["event", "change", "--rounds", day.dice.randrange(1, 6)]),
    "best of": (1, lambda day, state: ["event", "change", "--best-of", day.dice.choice((1, 3))]),
    "rebase": (1, lambda day, state: ["event", "rebase", "--on", f"2026-10-{day.dice.randrange(1, 29):02}"]),
}  # fmt: skip
LOOKS = (
    ["event", "show"], ["event", "log"], ["event", "show", "--json"], ["event", "check"], ["verify"],
    ["round", "show"], ["round", "show", "--json"], ["round", "clock"], ["round", "check"], ["standings"],
    ["standings", "--json"], ["player", "list"], ["player", "show", "#1"], ["result", "missing"],
    ["publish", "--list"],
)  # fmt: skip


def spend(folder, system, seed, *, lines, looks):
    day = Day(folder, system, seed)
    for _ in range(lines):
        words, stdin = day.line()
        day.do(words, stdin=stdin, dry=day.dice.random() < 0.05)
        for look in day.dice.sample(LOOKS, looks):
            day.look(look)
    for look in LOOKS:
        day.look(look)


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_answer_agrees_with_the_file(system, tmp_path):
    """0 with the named entries, or none if nothing changes; 3 and 2 without; never a bug."""
    for seed in range(amount(1, of=2)):
        (folder := tmp_path / str(seed)).mkdir()
        spend(folder, system, seed, lines=35, looks=0)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("system", SYSTEMS)
def test_many_answers_agree_with_the_file(system, tmp_path):
    """Many more days (TOURNEY_DAYS), with reading commands in between."""
    for seed in range(int(os.environ.get("TOURNEY_DAYS", "60"))):
        (folder := tmp_path / str(seed)).mkdir()
        spend(folder, system, seed, lines=60, looks=2)
