"""A process that writes to an event: `python -m tests.store.clerk MODE EVENT …`.

create EVENT PLAYERS      make an event with a paired first round
report EVENT TABLE …      enter results one after another, each acknowledged by a line `ENTRY DIGEST`
slow EVENT BY SECONDS N   N check-ins on a disk with slow syncs; a JSON line has the longest wait
hold EVENT                lock the file until a line on stdin, or its end
kills EVENT NUMBER SEED   kill a writing child again and again; a JSON line has a summary
limit EVENT BYTES         a result while no file may grow beyond BYTES (RLIMIT_FSIZE)
nobody EVENT              a result as a user without rights
change EVENT BY NUMBER TABLE …   NUMBER results, one after another, each acknowledged; a result that fails
                          while the database is away is tried again, with a line `refused CODE`
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from tests.desk.kit import lent, library
from tourney.desk import Desk, import_players
from tourney.errors import TourneyError
from tourney.store.event_file import EventFile


def desk_at(path, by="Ann"):
    if path == "pg:friday":
        # The driver takes half of the time that other desks need to start.
        from tourney.store.postgres import PostgresJournal, PostgresPlace

        desk = Desk(PostgresJournal.open(PostgresPlace.parse(path)), lent(by, seed=f"{by}{os.getpid()}"))
        desk.load()
        return desk
    return Desk.open(Path(path), lent(by, seed=f"{by}{os.getpid()}"))


def change(event, by, number, *tables):
    """Enter and change results until `number` are entered; try again while the event is away."""
    left, desk = int(number), None
    while left:
        table = int(tables[left % len(tables)])
        try:
            desk = desk or desk_at(event, by)
            result = desk.refresh().round.tables[table].result
            if result is None:
                receipt = desk.report(table, "w")
            else:
                receipt = desk.change_result(table, "l" if result.seats[0].games else "w")
        except TourneyError as refusal:
            os.write(1, f"refused {refusal.exit_code} {refusal.message}\n".encode())
            time.sleep(0.02)
        else:
            acknowledge(receipt)
            left -= 1


def acknowledge(receipt):
    """Acknowledge an entry: it is on the disk."""
    os.write(1, f"{receipt.state.entry} {receipt.state.digest} {int(receipt.already)}\n".encode())


def create(path, players):
    with Desk.create(
        Path(path), lent(), name="Durable", format_name="red-diamond/standard", banlist="none"
    ) as desk:
        import_players(desk, "\n".join(f"Player {n}" for n in range(int(players))), source="list")
        desk.pair_round()


def report(path, by, *tables):
    with desk_at(path, by) as desk:
        for table in tables:
            acknowledge(desk.report(int(table), "w"))


def slow(path, by, seconds, number):
    """Write on a disk whose syncs take `seconds`; SQLite holds its lock meanwhile."""

    def commit(journal):
        if journal._connection.total_changes > changes[0]:
            time.sleep(float(seconds))
        sync(journal)

    sync, changes, longest = EventFile._commit, [0], 0.0
    EventFile._commit = commit  # type: ignore[method-assign]
    with desk_at(path, by) as desk:
        for turn in range(int(number)):
            changes[0] = desk.journal._connection.total_changes
            begun = time.monotonic()
            desk.add_player(f"{by} {turn}")
            longest = max(longest, time.monotonic() - begun)
    print(json.dumps({"written": int(number), "longest": round(longest, 2)}))


def hold(path):
    """Lock the file, report it, and release the lock after a line on stdin."""
    import sqlite3

    other = sqlite3.connect(path, isolation_level=None, timeout=60)
    other.execute("BEGIN EXCLUSIVE")
    os.write(1, b"held\n")
    sys.stdin.readline()
    other.execute("ROLLBACK")


def write_for_ever(path):
    """Enter and change results as fast as the disk allows."""
    with desk_at(path) as desk:
        tables = sorted(desk.state.round.tables)
        turn = 0
        while True:
            table = tables[turn % len(tables)]
            result = desk.state.round.tables[table].result
            if result is None:
                receipt = desk.report(table, "w")
            else:
                receipt = desk.change_result(table, "l" if result.seats[0].games else "w")
            acknowledge(receipt)
            turn += 1


def kills(path, number, seed):
    """Kill a writing child `number` times at random moments, and check acknowledged entries."""
    dice, seen = random.Random(int(seed)), {"kills": 0, "acknowledged": 0, "entries": 0, "hot": 0}
    hot = Path(f"{path}-journal")
    for _ in range(int(number)):
        acknowledgements = one_kill(path, dice.uniform(0.0, 0.06))
        seen["kills"] += 1
        seen["hot"] += hot.exists()
        check(path, acknowledgements)
        seen["acknowledged"] += len(acknowledgements)
    with EventFile.open(Path(path)) as journal:
        seen["entries"] = len(journal.rows())
        assert journal.damage() == []
    print(json.dumps(seen))


def one_kill(path, after):
    """Kill a writing child `after` seconds past its first acknowledgement; return its output."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 1)
        write_for_ever(path)
    os.close(writing)
    output = os.read(reading, 1 << 16)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reading, 1 << 16):
        output += more
    os.close(reading)
    return [line.split() for line in output.decode().split("\n")[:-1]]


def check(path, acknowledgements):
    """Check that every acknowledged entry is there, and that the chain is intact."""
    with desk_at(path) as desk:  # checks the chain
        digests = {entry.seq: entry.digest for entry in desk.entries}
    for entry, digest, _ in acknowledgements:
        assert digests.get(int(entry)) == digest, f"entry {entry} was acknowledged and is not there"


def refused(act):
    """Run an action that fails, and print the error."""
    try:
        act()
    except TourneyError as refusal:
        print(json.dumps([refusal.message, refusal.hint]))


def one_result(path):
    with desk_at(path) as desk:
        acknowledge(desk.report(1, "w"))


def limit(path, size):
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))
    refused(lambda: one_result(path))


def nobody(path, what="report"):
    """Give up all rights, as a test may run as root, and try to write."""
    with EventFile.open(Path(path)):
        library().format("red-diamond/standard")  # everything is imported while it may be
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    refused((lambda: one_result(path)) if what == "report" else (lambda: desk_at(path)))


if __name__ == "__main__":
    modes = (create, report, slow, hold, kills, limit, nobody, change)
    {mode.__name__: mode for mode in modes}[sys.argv[1]](*sys.argv[2:])
