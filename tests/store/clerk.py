"""A scorekeeper in a process of its own, for the tests of durability: `python -m tests.store.clerk MODE EVENT …`.

create EVENT PLAYERS      an event with a paired first round
report EVENT TABLE …      one result after another, acknowledged by a line `ENTRY DIGEST`
slow EVENT BY SECONDS N   N check-ins on a disk whose syncs take so long; a JSON line tells the longest wait
hold EVENT                keep the file until a line comes on stdin, or stdin ends
kills EVENT NUMBER SEED   a child that writes without pause, killed again and again; a JSON line tells what was seen
limit EVENT BYTES         a result while no file may grow beyond BYTES (RLIMIT_FSIZE)
nobody EVENT              a result as a user who owns nothing
change EVENT BY NUMBER TABLE …   so many results, one after the other, at tables of their own, each acknowledged; what
                          is refused while the database is away is tried again, and told by a line `refused CODE`
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
from tourney.store.postgres import PostgresJournal, PostgresPlace


def desk_at(path, by="Ann"):
    if path == "pg:friday":
        desk = Desk(PostgresJournal.open(PostgresPlace.parse(path)), lent(by, seed=f"{by}{os.getpid()}"))
        desk.load()
        return desk
    return Desk.open(Path(path), lent(by, seed=f"{by}{os.getpid()}"))


def change(event, by, number, *tables):
    """Enter and change results until so many are entered; whoever cannot be reached is tried again."""
    left, desk = int(number), None
    while left:
        table = int(tables[left % len(tables)])
        try:
            desk = desk or desk_at(event, by)
            known = desk.refresh().round.tables[table].result
            if known is None:
                receipt = desk.report(table, "w")
            else:
                receipt = desk.change_result(table, "l" if known.seats[0].games else "w")
        except TourneyError as refusal:
            os.write(1, f"refused {refusal.exit_code} {refusal.message}\n".encode())
            time.sleep(0.02)
        else:
            acknowledge(receipt)
            left -= 1


def acknowledge(receipt):
    """Say that it is on the disk: only now may anybody rely on it."""
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
    """Write on a disk on which a sync takes `seconds`: SQLite syncs while nobody else may write or read."""

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
    """Have the file, say so, and let it go when told."""
    import sqlite3

    other = sqlite3.connect(path, isolation_level=None, timeout=60)
    other.execute("BEGIN EXCLUSIVE")
    os.write(1, b"held\n")
    sys.stdin.readline()
    other.execute("ROLLBACK")


def write_for_ever(path):
    """Enter and change results as fast as the disk takes them."""
    with desk_at(path) as desk:
        tables = sorted(desk.state.round.tables)
        turn = 0
        while True:
            table = tables[turn % len(tables)]
            known = desk.state.round.tables[table].result
            if known is None:
                receipt = desk.report(table, "w")
            else:
                receipt = desk.change_result(table, "l" if known.seats[0].games else "w")
            acknowledge(receipt)
            turn += 1


def kills(path, number, seed):
    """Kill a writing child `number` times at random moments; count what was acknowledged, and check all of it is there."""
    dice, seen = random.Random(int(seed)), {"kills": 0, "acknowledged": 0, "entries": 0, "hot": 0}
    hot = Path(f"{path}-journal")
    for _ in range(int(number)):
        told = one_kill(path, dice.uniform(0.0, 0.06))
        seen["kills"] += 1
        seen["hot"] += hot.exists()
        check(path, told)
        seen["acknowledged"] += len(told)
    with EventFile.open(Path(path)) as journal:
        seen["entries"] = len(journal.rows())
        assert journal.damage() == []
    print(json.dumps(seen))


def one_kill(path, after):
    """Let a child write until `after` seconds past its first acknowledgement, kill it, return what it acknowledged."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 1)
        write_for_ever(path)
    os.close(writing)
    told = os.read(reading, 1 << 16)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reading, 1 << 16):
        told += more
    os.close(reading)
    return [line.split() for line in told.decode().split("\n")[:-1]]


def check(path, told):
    """Whatever was acknowledged is there; whatever is there is whole."""
    with desk_at(path) as desk:  # checks the chain
        digests = {entry.seq: entry.digest for entry in desk.entries}
    for entry, digest, _ in told:
        assert digests.get(int(entry)) == digest, f"entry {entry} was acknowledged and is not there"


def refused(act):
    """Try something; say what the refusal says."""
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
    """Forget all rights (a test may run as root, who may write anywhere)."""
    with EventFile.open(Path(path)):
        library().format("red-diamond/standard")  # everything is imported while it may be
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    refused((lambda: one_result(path)) if what == "report" else (lambda: desk_at(path)))


if __name__ == "__main__":
    modes = (create, report, slow, hold, kills, limit, nobody, change)
    {mode.__name__: mode for mode in modes}[sys.argv[1]](*sys.argv[2:])
