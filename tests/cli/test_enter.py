"""`result enter`: a stack of slips, typed in a terminal or piped in."""

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
    """An event of six, best of three, whose first round is paired."""
    with new_desk(tmp_path, *NAMES, best_of=3) as desk:
        desk.pair_round()
    return tmp_path / "friday.tourney"


def seats(event):
    """Return who sits at each table."""
    with open_desk(event.parent) as desk:
        return {
            number: [desk.state.players[seat].name for seat in table.seats]
            for number, table in desk.state.round.tables.items()
        }


def entered(event):
    """Return the games of each table that has a result."""
    with open_desk(event.parent) as desk:
        return {
            number: tuple(seat.games for seat in table.result.seats)
            for number, table in desk.state.round.tables.items()
            if table.result
        }


def surroundings(event):
    return {
        **os.environ, "PYTHONPATH": str(ROOT), "TOURNEY_BY": "Ann", "HOME": str(event.parent), "NO_COLOR": "1",
        "COLUMNS": "100", "TERM": "dumb", "XDG_DATA_HOME": str(event.parent),
    }  # fmt: skip


COMMAND = [sys.executable, "-m", "tourney", "result", "enter"]


class Typist:
    """Somebody at a terminal: types, and waits until something is said."""

    def __init__(self, process, terminal):
        self.process, self.terminal = process, terminal
        self.said = ""
        self.read_to = 0

    def type(self, line, end="\n"):
        os.write(self.terminal, f"{line}{end}".encode())

    def types_slip(self, line):
        """Type a slip where one is asked for, and wait until it is read back."""
        self.hears("slip: ")
        self.type(line)
        self.hears("Enter takes it. ")

    def enters(self, line):
        """Type a slip and take it."""
        self.types_slip(line)
        self.type("")

    def hears(self, pattern, seconds=20):
        """Wait until it is said, after what was heard before."""
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

    def ends(self):
        """Wait for the end; return the exit code."""
        deadline = time.monotonic() + 20
        while self._reads(deadline):
            pass
        return self.process.wait(20)

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
def test_a_slip_is_read_back_before_it_is_taken(event):
    """Both names and the meaning stand there before Enter; only Enter writes; the list of open tables shrinks."""
    (one, other), (third, fourth), _ = (seats(event)[n] for n in (1, 2, 3))
    with typist(event) as ann:
        ann.hears(f"1 {one} – {other}")
        ann.hears("slip: ")
        ann.type("1 2-1")
        ann.hears(f"table 1: {one} 2–1 {other}  .Enter takes it. ")
        assert entered(event) == {}
        ann.type("")
        ann.hears(rf"taken \(entry 4\)\. 2 open: 2 {third} – {fourth}; 3 ")
        assert entered(event) == {1: (2, 1)}
        ann.hears("slip: ")
        ann.type(f"{fourth} 2-0")
        ann.hears(f"table 2: {third} 0–2 {fourth}  .Enter takes it. ")
        ann.type("")
        ann.hears(r"taken \(entry 5\)\. 1 open: 3 ")
        ann.enters("3 w")
        ann.hears("3 results entered")
        ann.hears("Round 1 is complete")
        assert ann.ends() == 0
    assert entered(event) == {1: (2, 1), 2: (0, 2), 3: (2, 0)}


@IN_A_TERMINAL
@pytest.mark.parametrize(("games", "slip", "changed"), [(1, "1-0", "0-1"), (3, "2-1", "1-2")])
def test_the_example_of_a_slip_fits_the_event(tmp_path, games, slip, changed):
    with new_desk(tmp_path, *NAMES, best_of=games) as desk:
        desk.pair_round()
    with typist(tmp_path / "friday.tourney") as ann:
        ann.hears(f"`4 {slip}`")
        ann.hears(f"`change 4 {changed}`")


@IN_A_TERMINAL
def test_what_else_is_typed_is_read_in_its_stead(event):
    """A slip that was mistyped is typed anew; `u` leaves it; nothing was written meanwhile."""
    with typist(event) as ann:
        ann.types_slip("1 2-1")
        ann.type("1 1-2")
        ann.hears("not taken")
        ann.hears("1–2 .*Enter takes it. ")
        ann.type("u")
        ann.hears("not taken")
        ann.hears("slip: ")
        ann.type("")
        ann.hears("3 open: .* Enter once more ends")
        ann.type("?")
        ann.hears("3 open tables")
        ann.hears("slip: ")
        ann.type("")
        ann.hears("Enter once more ends")
        ann.type("")
        assert ann.ends() == 0
    assert entered(event) == {}


@IN_A_TERMINAL
def test_one_key_takes_the_last_one_back(event):
    """`u`, again and again; what others wrote is not touched."""
    with typist(event) as ann:
        for table in (1, 2):
            ann.enters(f"{table} 2-0")
        ann.hears(r"taken \(entry 5\)")
        ann.hears("slip: ")
        ann.type("u")
        ann.hears("Entry 5 was undone: Round 1, table 2: .* 2–0 ")
        assert entered(event) == {1: (2, 0)}
        ann.hears("slip: ")
        ann.type("U")
        ann.hears("Entry 4 was undone")
        ann.hears("slip: ")
        ann.type("u")
        ann.hears("there is nothing to undo here")
        ann.hears("slip: ")
        ann.type("", end="\x04")
        assert ann.ends() == 0
    assert entered(event) == {}


@IN_A_TERMINAL
def test_a_result_is_put_right_without_leaving(event):
    """The refusal of another result says how, as it is typed here; it is an entry that can be taken back."""
    with open_desk(event.parent, by="Ben") as ben:
        ben.report(1, "2-0")
    with typist(event) as ann:
        ann.hears("slip: ")
        ann.type("1 0-2")
        ann.hears("has another result: .*")
        ann.hears("`change 1 SCORE` changes it")
        ann.hears("slip: ")
        ann.type("change")
        ann.hears("nothing is named to change")
        ann.hears("slip: ")
        ann.type("change 1 0-2")
        ann.hears(r"Round 1, table 1 was changed: .* 0–2 .* \(entry 5\)")
        assert entered(event) == {1: (0, 2)}
        ann.hears("slip: ")
        ann.type("u")
        ann.hears("Entry 5 was undone")
        ann.type("", end="\x04")
        assert ann.ends() == 0
    assert entered(event) == {1: (2, 0)}


@IN_A_TERMINAL
def test_the_end_tells_slips_from_results_put_right(event):
    """Who counts the slips in hand finds as many entered; what was taken back is in neither number."""
    with typist(event) as ann:
        ann.enters("1 2-1")
        ann.enters("2 2-0")
        for line in ("change 1 1-2", "change 2 0-2", "u"):
            ann.hears("slip: ")
            ann.type(line)
        ann.hears("was undone")
        ann.type("", end="\x04")
        ann.hears("2 results entered, 1 result changed")
        assert ann.ends() == 0


@IN_A_TERMINAL
def test_errors_are_told_on_the_line_and_nothing_is_lost(event):
    """A table that is not there, a score that cannot be, a name that several have, half a line, bytes that are no text."""
    with typist(event) as ann:
        for line, said in (
            ("9 2-0", "there is no table 9 in this round"),
            ("1 7-0", "7–0 cannot end a best of 3"),
            ("nobody 2-0", "there is no player `nobody`"),
            ("1", "`1` is not a table and a score"),
            ("1 1-0", "does not end a best of 3"),
        ):
            ann.hears("slip: ")
            ann.type(line)
            ann.hears(re.escape(said))
        ann.hears("slip: ")
        os.write(ann.terminal, b"\xff\xfe 2-0\n")
        ann.hears("the line is not UTF-8 text")
        ann.hears("slip: ")
        ann.type("?")
        ann.hears("Round 1, 3 open tables:")
        ann.enters("2 2-0")
        ann.hears("taken")
        ann.type("", end="\x04")
        assert ann.ends() == 0
    assert entered(event) == {2: (2, 0)}


@IN_A_TERMINAL
def test_another_desk_meanwhile(event):
    """What it entered is told; the same slip is a success, another one a refusal; it may finish the round."""
    with typist(event) as ann, open_desk(event.parent, by="Ben") as ben:
        ann.hears("slip: ")
        ben.report(1, "2-0")
        ann.type("1 2-0")
        ann.hears(r"meanwhile: Round 1, table 1: .* \(Ben, entry 4\)")
        ann.hears(r"Round 1, table 1: .*: already entered at .* by Ben \(entry 4\)\.")
        ann.types_slip("2 2-0")
        ben.report(2, "0-2")
        ann.type("")
        ann.hears("meanwhile: Round 1, table 2")
        ann.hears("table 2 has another result: .* by Ben, entry 5")
        ann.types_slip("3 2-0")
        ben.report(3, "2-0")
        ann.type("")
        ann.hears("already entered at .* by Ben")
        ann.hears("Round 1 is complete")
        assert ann.ends() == 0
    assert entered(event) == {1: (2, 0), 2: (0, 2), 3: (2, 0)}


@IN_A_TERMINAL
def test_others_at_the_table_by_the_time_it_is_taken(event):
    """A table that was seated anew between reading back and Enter is read back anew: nobody gets another's result."""
    before = seats(event)
    with typist(event) as ann, open_desk(event.parent, by="Ben") as ben:
        ann.hears("slip: ")
        ann.type("1 2-0")
        ann.hears(f"table 1: {before[1][0]} 2–0 {before[1][1]}")
        ann.hears("Enter takes it. ")
        ben.swap(before[1][1], before[2][1])
        ann.type("")
        ann.hears(f"table 1: {before[1][0]} 2–0 {before[2][1]}  .Enter takes it. ")
        assert entered(event) == {}
        ann.type("")
        ann.hears("taken")
        ann.type("", end="\x04")
        assert ann.ends() == 0
    assert entered(event) == {1: (2, 0)}


@IN_A_TERMINAL
def test_a_round_that_is_taken_back_meanwhile_is_a_refusal(event):
    """The stack ends in words."""
    with typist(event) as ann, open_desk(event.parent, by="Ben") as ben:
        ann.hears("slip: ")
        ben.cancel_round()
        ann.type("1 2-0")
        ann.hears("meanwhile: Round 1 was cancelled")
        ann.hears("error: no round is paired yet")
        assert ann.ends() == 3
    assert "Traceback" not in ann.said


@IN_A_TERMINAL
def test_ctrl_c_loses_nothing_that_was_taken(event):
    """The line that was not taken is gone, what was taken stands, and there is no traceback."""
    with typist(event) as ann:
        ann.enters("1 2-0")
        ann.hears("taken")
        ann.types_slip("2 2-0")
        ann.process.send_signal(2)
        ann.hears("1 result entered")
        assert ann.ends() == 0
    assert entered(event) == {1: (2, 0)}
    assert "Traceback" not in ann.said


@IN_A_TERMINAL
def test_a_terminal_that_goes_away(event):
    """ssh breaks off: what was taken is in the file."""
    with typist(event) as ann:
        ann.enters("1 2-0")
        ann.hears("taken")
        os.close(ann.terminal)
        ann.process.wait(20)
    assert entered(event) == {1: (2, 0)}


# -- without a terminal


def piped(event, text, *words, **more):
    return subprocess.run(
        [*COMMAND, *words, "-e", str(event)], input=text, env=surroundings(event), capture_output=True, check=False, **more,
    )  # fmt: skip


def test_lines_that_are_no_text_or_have_no_end(event):
    """Each is told by its line; the others stand."""
    done = piped(event, b"1 2-0\r\n\xff\xfe\n2 2-0 " + b"x" * 10)
    assert done.returncode == 3
    assert "standard input:2: the line is not UTF-8 text" in done.stderr.decode()
    assert (
        "standard input:3: table 2: `xxxxxxxxxx` is not a score for each of its 2 seats"
        in done.stderr.decode()
    )
    assert entered(event) == {1: (2, 0)}
    done = piped(event, b"2 2-0\n" + b"x" * 200_000)
    assert done.returncode == 3
    assert "a line of standard input does not end" in done.stderr.decode()
    assert entered(event) == {1: (2, 0), 2: (2, 0)}


def test_a_line_is_written_when_it_comes(event):
    """Whoever pipes slips in one by one has each on the disk before the next: an answer is the truth."""
    with subprocess.Popen(
        [*COMMAND, "-e", str(event)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=surroundings(event),
    ) as process:  # fmt: skip
        for table in (1, 2):
            process.stdin.write(f"{table} 2-0\n".encode())
            process.stdin.flush()
            deadline = time.monotonic() + 20
            while table not in entered(event):
                assert time.monotonic() < deadline
                time.sleep(0.05)
        process.stdin.close()
        assert process.wait(20) == 0


def test_many_at_once_are_an_entry_each(tmp_path):
    """Three hundred lines, by table and by name, some of them twice: each result is one entry, in the order of the lines."""
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
    assert entered(event) == dict.fromkeys(range(1, 151), (1, 0))


def test_an_earlier_round_and_time(event):
    """`--round` and `--time` are of the whole stack."""
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
