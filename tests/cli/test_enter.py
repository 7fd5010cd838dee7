"""`result enter`: result slips, typed in a terminal or piped in."""

import json
import os
import re
import select
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import pytest

from tests.desk.kit import new_desk, open_desk
from tests.kit import ROOT

try:
    import pty
    import termios
except ImportError:
    pty = termios = None

IN_A_TERMINAL = pytest.mark.skipif(pty is None, reason="this system has no pseudo-terminals")
NAMES = ["Mira Oake", "Lena Thorn", "Ansel Quick", "Bryn Tallow", "Corin Vane", "Della Marsh"]


@pytest.fixture
def event(tmp_path):
    """Make an event of six, best of three, with its first round paired."""
    with new_desk(tmp_path, *NAMES, best_of=3) as desk:
        desk.pair_round()
    return tmp_path / "friday.tourney"


def seats(event):
    """Return the players at each table."""
    with open_desk(event.parent) as desk:
        return {
            number: [desk.state.players[seat].name for seat in table.seats]
            for number, table in desk.state.round.tables.items()
        }


def recorded_games(event):
    """Return the games of each table that has a result."""
    with open_desk(event.parent) as desk:
        return {
            number: tuple(seat.games for seat in table.result.seats)
            for number, table in desk.state.round.tables.items()
            if table.result
        }


def surroundings(event):
    return {
        **os.environ, "PYTHONPATH": str(ROOT), "TOURNEY_BY": "Ann", "HOME": str(event.parent),
        "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb", "XDG_DATA_HOME": str(event.parent),
    }  # fmt: skip


COMMAND = [sys.executable, "-m", "tourney", "result", "enter"]


class Typist:
    """A person at a terminal: types lines and waits for output."""

    def __init__(self, process, terminal):
        self.process, self.terminal = process, terminal
        self.said = ""
        self.read_to = 0

    def type(self, line, end="\n"):
        os.write(self.terminal, f"{line}{end}".encode())

    def type_slip(self, line):
        """Type a slip at the prompt, and wait until it is shown for confirmation."""
        self.wait_for("slip: ")
        self.type(line)
        self.wait_for("Enter confirms. ")

    def enter_slip(self, line):
        """Type a slip and confirm it."""
        self.type_slip(line)
        self.type("")

    def wait_for(self, pattern, seconds=20):
        """Wait for output that matches, after the output matched before."""
        deadline = time.monotonic() + seconds
        while True:
            match = re.search(pattern, self.said[self.read_to :])
            if match:
                self.read_to += match.end()
                return match[0]
            assert time.monotonic() < deadline, f"no {pattern!r} in:\n{self.said[self.read_to :]}"
            if not self._reads(deadline):
                assert re.search(pattern, self.said[self.read_to :]), (
                    f"it ended without {pattern!r}:\n{self.said}"
                )

    def finish(self):
        """Wait for the end, and return the exit code."""
        deadline = time.monotonic() + 60
        while self._reads(deadline):
            pass
        return self.process.wait(60)

    def _reads(self, deadline):
        while not select.select([self.terminal], [], [], 0.2)[0]:
            if time.monotonic() > deadline or self.process.poll() is not None:
                return False
        try:
            chunk = os.read(self.terminal, 4096)
        except OSError:  # how Linux says that the other side is gone
            return False
        self.said += chunk.decode(errors="replace").replace("\r\n", "\n")
        return bool(chunk)


@contextmanager
def typist(event, *words):
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words, "-e", str(event)],
        stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings(event), start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    try:
        yield Typist(process, terminal)
    finally:
        with suppress(OSError):
            os.close(terminal)
        if process.poll() is None:
            process.kill()
            process.wait()


@IN_A_TERMINAL
def test_a_slip_is_shown_before_it_is_recorded(event):
    """It is shown with both names. Only Enter records it; then the list of open tables shrinks."""
    (one, other), (third, fourth), _ = (seats(event)[n] for n in (1, 2, 3))
    with typist(event) as ann:
        ann.wait_for(f"1 {one} – {other}")
        ann.wait_for("slip: ")
        ann.type("1 2-1")
        ann.wait_for(f"table 1: {one} 2–1 {other}  .Enter confirms. ")
        assert recorded_games(event) == {}
        ann.type("")
        ann.wait_for(rf"entered \(entry 4\)\. 2 open: 2 {third} – {fourth}; 3 ")
        assert recorded_games(event) == {1: (2, 1)}
        ann.wait_for("slip: ")
        ann.type(f"{fourth} 2-0")
        ann.wait_for(f"table 2: {third} 0–2 {fourth}  .Enter confirms. ")
        ann.type("")
        ann.wait_for(r"entered \(entry 5\)\. 1 open: 3 ")
        ann.enter_slip("3 w")
        ann.wait_for("3 results entered")
        ann.wait_for("Round 1 is complete")
        assert ann.finish() == 0
    assert recorded_games(event) == {1: (2, 1), 2: (0, 2), 3: (2, 0)}


@IN_A_TERMINAL
@pytest.mark.parametrize(("games", "slip", "changed"), [(1, "1-0", "0-1"), (3, "2-1", "1-2")])
def test_the_example_of_a_slip_fits_the_event(tmp_path, games, slip, changed):
    with new_desk(tmp_path, *NAMES, best_of=games) as desk:
        desk.pair_round()
    with typist(tmp_path / "friday.tourney") as ann:
        ann.wait_for(f"`4 {slip}`")
        ann.wait_for(f"`change 4 {changed}`")


@IN_A_TERMINAL
def test_another_slip_replaces_an_unconfirmed_one(event):
    """`u` discards the slip. Nothing is written before Enter."""
    with typist(event) as ann:
        ann.type_slip("1 2-1")
        ann.type("1 1-2")
        ann.wait_for("not entered")
        ann.wait_for("1–2 .*Enter confirms. ")
        ann.type("u")
        ann.wait_for("not entered")
        ann.wait_for("slip: ")
        ann.type("")
        ann.wait_for("3 open: .* Press Enter again to end")
        ann.type("?")
        ann.wait_for("3 open tables")
        ann.wait_for("slip: ")
        ann.type("")
        ann.wait_for("Press Enter again to end")
        ann.type("")
        assert ann.finish() == 0
    assert recorded_games(event) == {}


@IN_A_TERMINAL
def test_u_undoes_the_last_result(event):
    """Repeatedly. Results of other devices are not touched."""
    with typist(event) as ann:
        for table in (1, 2):
            ann.enter_slip(f"{table} 2-0")
        ann.wait_for(r"entered \(entry 5\)")
        ann.wait_for("slip: ")
        ann.type("u")
        ann.wait_for(r'Entry 5 \("Round 1, table 2: .* 2–0 .*"\) was undone')
        assert recorded_games(event) == {1: (2, 0)}
        ann.wait_for("slip: ")
        ann.type("U")
        ann.wait_for(r'Entry 4 \(".*"\) was undone')
        ann.wait_for("slip: ")
        ann.type("u")
        ann.wait_for("there is nothing to undo here")
        ann.wait_for("slip: ")
        ann.type("", end="\x04")
        assert ann.finish() == 0
    assert recorded_games(event) == {}


@IN_A_TERMINAL
def test_a_result_can_be_changed_in_the_session(event):
    """The error about another result shows the command. The change can be undone."""
    with open_desk(event.parent, by="Ben") as ben:
        ben.report(1, "2-0")
    with typist(event) as ann:
        ann.wait_for("slip: ")
        ann.type("1 0-2")
        ann.wait_for("has a different result: .*")
        ann.wait_for("`change 1 SCORE` changes the result")
        ann.wait_for("slip: ")
        ann.type("change")
        ann.wait_for("name the table and its new result")
        ann.wait_for("slip: ")
        ann.type("change 1 0-2")
        ann.wait_for(r"Round 1, table 1 was changed: .* 0–2 .* \(entry 5\)")
        assert recorded_games(event) == {1: (0, 2)}
        ann.wait_for("slip: ")
        ann.type("u")
        ann.wait_for(r'Entry 5 \(".*"\) was undone')
        ann.type("", end="\x04")
        assert ann.finish() == 0
    assert recorded_games(event) == {1: (2, 0)}


@IN_A_TERMINAL
def test_the_summary_counts_results_and_changes_separately(event):
    """So the number matches the slips in hand. Undone entries are not counted."""
    with typist(event) as ann:
        ann.enter_slip("1 2-1")
        ann.enter_slip("2 2-0")
        for line in ("change 1 1-2", "change 2 0-2", "u"):
            ann.wait_for("slip: ")
            ann.type(line)
        ann.wait_for("was undone")
        ann.type("", end="\x04")
        ann.wait_for("2 results entered, 1 result changed")
        assert ann.finish() == 0


@IN_A_TERMINAL
def test_errors_are_shown_and_lose_nothing(event):
    """An unknown table, an impossible score, an ambiguous name, half a line, invalid bytes."""
    with typist(event) as ann:
        for line, message in (
            ("9 2-0", "there is no table 9 in this round"),
            ("1 7-0", "7–0 cannot end a best of 3"),
            ("nobody 2-0", "there is no player `nobody`"),
            ("1", "`1` is not a table and a score"),
            ("1 1-0", "does not end a best of 3"),
            ("change 1 2-0", "`1 2-0`"),  # the hint of an open table, without `--round`
        ):
            ann.wait_for("slip: ")
            ann.type(line)
            ann.wait_for(re.escape(message))
        ann.wait_for("slip: ")
        os.write(ann.terminal, b"\xff\xfe 2-0\n")
        ann.wait_for("the line is not UTF-8 text")
        ann.wait_for("slip: ")
        ann.type("?")
        ann.wait_for("Round 1, 3 open tables:")
        ann.enter_slip("2 2-0")
        ann.wait_for(r"entered \(entry")
        ann.type("", end="\x04")
        assert ann.finish() == 0
    assert recorded_games(event) == {2: (2, 0)}


@IN_A_TERMINAL
def test_results_of_another_device_are_shown(event):
    """The same slip again is a success, another one an error. The round may end meanwhile."""
    with typist(event) as ann, open_desk(event.parent, by="Ben") as ben:
        ann.wait_for("slip: ")
        ben.report(1, "2-0")
        ann.type("1 2-0")
        ann.wait_for(r"meanwhile: Round 1, table 1: .* \(Ben, entry 4\)")
        ann.wait_for(r"Round 1, table 1: .*: already entered at .* by Ben \(entry 4\)\.")
        ann.type_slip("2 2-0")
        ben.report(2, "0-2")
        ann.type("")
        ann.wait_for("meanwhile: Round 1, table 2")
        ann.wait_for("table 2 has a different result: .* by Ben, entry 5")
        ann.type_slip("3 2-0")
        ben.report(3, "2-0")
        ann.type("")
        ann.wait_for("already entered at .* by Ben")
        ann.wait_for("Round 1 is complete")
        assert ann.finish() == 0
    assert recorded_games(event) == {1: (2, 0), 2: (0, 2), 3: (2, 0)}


@IN_A_TERMINAL
def test_a_table_seated_anew_is_shown_again(event):
    """Otherwise a player could get another player's result."""
    before = seats(event)
    with typist(event) as ann, open_desk(event.parent, by="Ben") as ben:
        ann.wait_for("slip: ")
        ann.type("1 2-0")
        ann.wait_for(f"table 1: {before[1][0]} 2–0 {before[1][1]}")
        ann.wait_for("Enter confirms. ")
        ben.swap(before[1][1], before[2][1])
        ann.type("")
        ann.wait_for(f"table 1: {before[1][0]} 2–0 {before[2][1]}  .Enter confirms. ")
        assert recorded_games(event) == {}
        ann.type("")
        ann.wait_for(r"entered \(entry")
        ann.type("", end="\x04")
        assert ann.finish() == 0
    assert recorded_games(event) == {1: (2, 0)}


@IN_A_TERMINAL
def test_a_round_cancelled_meanwhile_is_an_error(event):
    """The stack ends with a message."""
    with typist(event) as ann, open_desk(event.parent, by="Ben") as ben:
        ann.wait_for("slip: ")
        ben.cancel_round()
        ann.type("1 2-0")
        ann.wait_for("meanwhile: Round 1 was cancelled")
        ann.wait_for("error: no round is paired yet")
        assert ann.finish() == 3
    assert "Traceback" not in ann.said


@IN_A_TERMINAL
def test_ctrl_c_loses_no_recorded_result(event):
    """Only the unconfirmed line is lost, and no traceback is shown."""
    with typist(event) as ann:
        ann.enter_slip("1 2-0")
        ann.wait_for(r"entered \(entry")
        ann.type_slip("2 2-0")
        ann.process.send_signal(2)
        ann.wait_for("1 result entered")
        assert ann.finish() == 0
    assert recorded_games(event) == {1: (2, 0)}
    assert "Traceback" not in ann.said


@IN_A_TERMINAL
def test_a_terminal_that_disconnects(event):
    """Recorded results are in the file."""
    with typist(event) as ann:
        ann.enter_slip("1 2-0")
        ann.wait_for(r"entered \(entry")
        os.close(ann.terminal)
        ann.process.wait(60)
    assert recorded_games(event) == {1: (2, 0)}


# -- without a terminal


def piped(event, text, *words, **more):
    return subprocess.run(
        [*COMMAND, *words, "-e", str(event)], input=text, env=surroundings(event), capture_output=True,
        check=False, **more,
    )  # fmt: skip


def test_invalid_lines_are_reported_by_number(event):
    """Lines that are not UTF-8 or have no line end; other lines are recorded."""
    done = piped(event, b"1 2-0\r\n\xff\xfe\n2 2-0 " + b"x" * 10)
    assert done.returncode == 3
    assert "standard input:2: the line is not UTF-8 text" in done.stderr.decode()
    assert (
        "standard input:3: table 2: `xxxxxxxxxx` does not have a score for each of the 2 seats"
        in done.stderr.decode()
    )
    assert recorded_games(event) == {1: (2, 0)}
    done = piped(event, b"2 2-0\n" + b"x" * 200_000)
    assert done.returncode == 3
    assert "a line of standard input is too long" in done.stderr.decode()
    assert recorded_games(event) == {1: (2, 0), 2: (2, 0)}


def test_a_piped_line_is_recorded_before_the_next(event):
    """The answer to each line comes when the result is on the disk."""
    with subprocess.Popen(
        [*COMMAND, "-e", str(event)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=surroundings(event),
    ) as process:  # fmt: skip
        for table in (1, 2):
            process.stdin.write(f"{table} 2-0\n".encode())
            process.stdin.flush()
            deadline = time.monotonic() + 60
            while table not in recorded_games(event):
                assert time.monotonic() < deadline
                time.sleep(0.05)
        process.stdin.close()
        assert process.wait(60) == 0


def test_many_piped_lines_are_one_entry_each(tmp_path):
    """300 lines by table and name, with repetitions, in the order of the lines."""
    names = [f"Player {n:03}" for n in range(1, 401)]
    with new_desk(tmp_path, *names) as desk:
        desk.pair_round()
    event = tmp_path / "friday.tourney"
    at = seats(event)
    lines = [f"{n} 1-0" if n % 2 else f"{at[n][1]} 0-1" for n in range(1, 151)]
    done = piped(event, "\n".join(lines * 2).encode(), "--json")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert [line["entries"] for line in document["taken"]] == [[n] for n in range(4, 154)] + [[]] * 150
    assert [line["already"] for line in document["taken"]] == [False] * 150 + [True] * 150
    assert recorded_games(event) == dict.fromkeys(range(1, 151), (1, 0))


def test_options_apply_to_all_lines(event):
    """These are `--round` and `--time`."""
    done = piped(event, b"1 1-0\n2 2-0\n3 0-1", "--time")
    assert done.returncode == 0, done.stderr
    with open_desk(event.parent) as desk:
        assert [desk.state.round.tables[number].result.ended for number in (1, 3)] == ["time", "time"]
        desk.change_result(1, "-")
        desk.change_result(2, "-")
        desk.report(1, "2-0")
        desk.report(2, "2-0")
        desk.pair_round()
    assert piped(event, b"1 2-0", "--round", "1").returncode == 0
    assert piped(event, b"1 2-0", "--round", "7").returncode == 3
