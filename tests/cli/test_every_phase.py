"""In any phase of an event of any system, all reading commands work and pages are published."""

import html
import json
import random
import re
from contextlib import chdir

import pytest
from click.testing import CliRunner

from tests.desk.kit import new_desk, open_desk
from tests.kit import sampled
from tourney.cli import root
from tourney.desk import share_deck, submit_deck
from tourney.errors import TourneyError

NAMES = ("Mira Oake", "Tomo Reed", "Ansel", "Bryn", "Corin", "Della", "Edda", "Fenn", "Gil")
TWO = {"format_name": "red-diamond/standard"}
SYSTEMS = {
    "swiss": {**TWO, "rounds": 3},
    "sides": {"format_name": "kingdoms/standard", "rounds": 2},
    "pods": {"format_name": "diamonsters/standard", "rounds": 2},
    "pods and a cut": {"format_name": "redline/scramble", "rounds": 1},
    "nothing but tables of three": {"format_name": "redline/scramble", "system": "elimination"},
    "round-robin": {**TWO, "system": "round-robin"},
    "elimination": {**TWO, "system": "elimination"},
    "shared decks": {"format_name": "redline/standard", "missions": "organizer", "rounds": 2},
    "agreed layouts": {"format_name": "redline/scenario", "rounds": 2},
    "manual": {**TWO, "system": "manual", "rounds": 2},
    "dutch": {"format_name": "kingdoms/standard", "system": "dutch", "rounds": 2},
}
READING = (
    "event show", "event log", "event check", "verify", "standings", "standings --cut 3",
    "standings --table markdown", "standings --table csv", "standings --after 1",
    "standings compare mtr tourney --cut 2", "player list", "event deck", "event deck --json",
    "round show --all", "round show", "round clock", "result missing", "publish --to pages", "publish --list",
    "print standings seatings badges decklists empty",
)  # fmt: skip

ACTS = (
    *["pair", "report", "report_all"] * 3, "drop", "correct", "take_away", "cut", "swap", "bye", "disqualify",
    "late", "repair", "undo", "redo", "come_back", "cancel", "close", "reopen", "share", "register",
)  # fmt: skip


class Day:
    """An event at which anything may happen, and checks of its output."""

    def __init__(self, folder, system, seed):
        self.folder = folder
        self.dice = random.Random(f"{system}/{seed}")
        here = 9 if system == "nothing but tables of three" else self.dice.randint(4, 9)
        self.desk = new_desk(folder, *NAMES[:here], seed=str(seed), **SYSTEMS[system])

    def act(self):
        """Do one random action if the event allows it, and return whether it was done."""
        act = getattr(self, self.dice.choice(ACTS))
        try:
            act()
        except TourneyError:
            return False
        return True

    def somebody(self):
        return self.dice.choice(list(self.desk.state.players) or [1])

    def score(self, table):
        seats = len(self.desk.state.round.tables[table].seats) if table in self.desk.state.round.tables else 2
        if seats == 2:
            return self.dice.choice(["w", "l", "d", "ff1", "ff", "forfeit2", "forfeit", "dl", "id"])
        places = list(range(1, seats + 1))
        self.dice.shuffle(places)
        return self.dice.choice(
            [",".join(map(str, places)), "dl", "=", ",".join(["1"] * 2 + ["ff"] * (seats - 2))]
        )

    def pair(self):
        if self.desk.state.settings.pairing.system != "manual" or self.desk.state.cut:
            self.desk.pair_round()
            return
        there = [player.id for player in self.desk.state.playing]
        self.dice.shuffle(there)
        lines = [f"#{one} - #{other}" for one, other in zip(there[::2], there[1::2], strict=False)]
        self.desk.pair_round(by_hand="\n".join([*lines, *([f"#{there[-1]} bye"] if len(there) % 2 else [])]))

    def table(self):
        tables = self.desk.state.round.tables if self.desk.state.round else {}
        return self.dice.choice(list(tables) or [1])

    def report(self):
        self.desk.report(table := self.table(), self.score(table) if self.desk.state.round else "w")

    def report_all(self):
        for table in self.desk.state.round.playing if self.desk.state.round else ():
            decided = "w" if len(self.desk.state.round.tables[table].seats) == 2 else self.score(table)
            self.desk.report(table, self.dice.choice([decided, self.score(table)]))

    def correct(self):
        number = self.dice.randint(1, max(1, len(self.desk.state.rounds)))
        self.desk.change_result(
            self.table(), self.dice.choice(["w", "l", "d", "1,2,3,4"]), round_number=number
        )

    def take_away(self):
        number = self.dice.randint(1, max(1, len(self.desk.state.rounds)))
        self.desk.change_result(self.table(), "-", round_number=number)

    def drop(self):
        self.desk.drop(self.somebody())

    def come_back(self):
        self.desk.return_(self.somebody())

    def disqualify(self):
        self.desk.disqualify(self.somebody(), reason="marked cards")

    def late(self):
        self.desk.add_player(f"Late {len(self.desk.state.players)}")

    def swap(self):
        self.desk.swap(self.somebody(), self.somebody())

    def bye(self):
        self.desk.bye(self.somebody(), self.dice.choice(["bye", "half-bye", "absent"]))

    def cut(self):
        if max(self.desk.state.settings.match.seats) > 2:
            seats = self.dice.choice([None, 3])
            self.desk.cut(self.dice.choice([3, 3, 4, 8, 9]), seats=seats, advance=self.dice.choice([None, 1]))
            return
        kind = self.dice.choice(["single", "double"])
        self.desk.cut(
            self.dice.randint(2, 5), kind=kind, vacancy=self.dice.choice(["opponent", "highest-seed"])
        )

    def repair(self):
        self.desk.repair_round()

    def share(self):
        part = self.dice.choice(["missions", "critical", "layout"])
        text = "".join(f"3 Ridge {number} {{type=mission}}\n" for number in range(self.dice.randint(5, 8)))
        share_deck(self.desk, part, text, source="list", trust_declared=self.dice.random() < 0.5, anyway=True)

    def register(self):
        ridges = [f"1 Ridge {self.dice.randint(1, 6)}" for _ in range(5)]
        deck = "\n".join(["Arsenal", "59 Ox", "Missions", *ridges])
        submit_deck(self.desk, self.somebody(), deck, source="list", anyway=True)

    def undo(self):
        self.desk.undo()

    def redo(self):
        self.desk.redo()

    def cancel(self):
        if self.dice.random() < 0.3:
            self.desk.cancel_round()

    def close(self):
        if self.dice.random() < 0.3:
            self.desk.close()

    def reopen(self):
        self.desk.reopen()

    # -- looking

    def named(self):
        player = self.desk.state.players.get(self.somebody())
        return player.name if player else "Nobody"

    def run(self, line):
        words = [self.named() if word == "NAME" else word for word in line.split()]
        with chdir(self.folder):
            return CliRunner(env={"TOURNEY_EVENT": None, "TOURNEY_BY": "desk"}).invoke(root, words)

    def look(self, *lines):
        """Run reading commands. Only data that is not there yet may be refused."""
        outputs = {}
        for line in lines:
            result = self.run(line)
            story = "\n".join(entry.text for entry in self.desk.log())
            allowed = {0, 1, 4} if line in {"verify", "event check"} else {0}
            allowed |= {3} if not_yet(self.desk.state, line) else set()
            assert result.exit_code in allowed, (
                f"`tourney {line}` after\n{story}\n\n{result.output}{result.exception!r}"
            )
            outputs[line] = result.stdout
        return outputs

    def everything_is_named(self):
        """Check that pages, sheets and JSON have each player and table with its seats."""
        state, pages = self.desk.state, self.folder / "pages"
        table = html.unescape((pages / "standings.html").read_text())
        for player in state.players.values():
            assert player.name in table
            page = html.unescape((pages / f"player/{player.id}.html").read_text())
            assert player.name in page
            assert ("isqualified" in page) == (player.disqualified is not None)
            for known in state.rounds:
                assert (
                    known.table_of(player.id) is None and player.id not in known.byes
                ) or f"round-{known.number}.html" in page
        for known in state.rounds:
            page = html.unescape((pages / f"round-{known.number}.html").read_text())
            numbers = {int(number) for number in re.findall(r'id="t(\d+)"', page)}
            assert numbers == set(known.tables)
            seated = [player for seats in known.tables.values() for player in seats.seats] + list(known.byes)
            assert all(state.players[player].name in page for player in seated)
            waiting = {
                int(number)
                for number in re.findall(r'player/(\d+)\.html"(?:(?!<li).)*class="result">waits', page, re.S)
            }
            assert waiting <= set(state.cut.players if state.cut else ()) - set(seated)
            out = [player for player in {*seated, *waiting} if state.players[player].disqualified is not None]
            assert page.count('<small class="mark">disqualified</small>') == len(out)
        if state.rounds:
            slips = html.unescape((pages / "sheets/slips.html").read_text())
            assert {int(number) for number in re.findall(r"<small>Table</small>(\d+)", slips)} == set(
                state.round.tables
            )
        body = json.loads((pages / "event.json").read_text())
        assert [len(round_["tables"]) for round_ in body["rounds"]] == [
            len(round_.tables) for round_ in state.rounds
        ]
        places_alone = body["final"] and not body["final"]["swiss"]
        title = "Provisional places" if places_alone else "Provisional standings"
        assert body["standings"]["provisional"] == (title in table)
        counted = state.swiss or state.rounds
        assert body["standings"]["provisional"] == any(count.playing for count in counted)


def not_yet(state, line):
    """Return whether a command needs data that the event does not have yet, such as a round."""
    if "round show" in line and "--all" not in line:
        return not state.rounds
    if "round clock" in line:
        return not (state.round and state.round.started)
    if "NAME" in line:  # no player is left, or none has played
        return not state.players or "why" in line
    return "--after 1" in line and not state.rounds


def walk(folder, system, seed, steps):
    day = Day(folder, system, seed)
    try:
        for _ in range(steps):
            if day.act():
                some = day.dice.sample(READING, 2)
                day.look(
                    *some,
                    "publish --to pages",
                    "round show --all --json",
                    "player show NAME",
                    "standings --json",
                )
                day.everything_is_named()
        day.look(*READING, "standings why NAME", "player show NAME --json")
        assert open_desk(folder).state == day.desk.state
    finally:
        day.desk.leave()


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(2), [0]))
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_phase_can_be_shown_and_published(tmp_path, system, seed):
    """After each of several random actions, with every player and table named."""
    walk(tmp_path, system, seed, 6)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 160))
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_phase_of_many_events(tmp_path, system, seed):
    """The same with many more events."""
    walk(tmp_path, system, seed, 60)
