"""The event file: pragmas, append-only, append if unchanged, and every file that is not an event."""

import os
import sqlite3

import pytest

from tests.desk.kit import new_desk, open_desk
from tourney.desk import import_players
from tourney.errors import TourneyError
from tourney.event.entry import DAMAGED, NOTHING_YET, JournalRow, Text, chained, plain, read, ref_of
from tourney.store.event_file import EventFile
from tourney.store.sqlite import refusals

AT = "2026-10-04T14:00:00+02:00"
OP = b'{"op":"round.cancelled","round":1}'


def rows(count, after=0, digest=NOTHING_YET):
    """Return `count` entries that continue the chain."""
    made = []
    for seq in range(after + 1, after + count + 1):
        digest = chained(digest, seq, AT, "by", OP)
        made.append(JournalRow(seq, AT, "by", OP, digest))
    return made


@pytest.fixture
def path(tmp_path):
    return tmp_path / "friday.tourney"


@pytest.fixture
def journal(path):
    with EventFile.create(path, rows(1), [plain(b"hello")], b"secret") as made:
        yield made


PRAGMAS = {
    "journal_mode": "delete",
    "synchronous": 3,
    "busy_timeout": 0,
    "cell_size_check": 1,
    "cache_spill": 0,
    "fullfsync": 1,
    "secure_delete": 1,
    "trusted_schema": 0,
    "application_id": 0x54524E59,
    "user_version": 1,
}


@pytest.mark.parametrize("pragma", PRAGMAS)
def test_every_connection_has_the_pragmas_of_durability(journal, path, pragma):
    """Made or opened: rollback journal, synchronous=EXTRA; never a write-ahead log."""
    with EventFile.open(path) as opened:
        for kept in (journal, opened):
            assert kept._connection.execute(f"PRAGMA {pragma}").fetchone() == (PRAGMAS[pragma],)


def test_a_file_left_in_wal_mode_by_another_program_is_put_right(journal, path):
    """The file alone must be the event: the write-ahead log is folded back in."""
    journal.close()
    other = sqlite3.connect(path)
    assert other.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    other.close()
    with EventFile.open(path) as opened:
        assert opened._connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert [file.name for file in path.parent.iterdir()] == ["friday.tourney"]


def test_an_empty_rollback_journal_is_cleared_away(journal, path):
    """A process that was killed as it began to write leaves one; one that is at work keeps it."""
    left = path.with_name("friday.tourney-journal")
    left.touch()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    EventFile.open(path).close()
    assert left.exists()
    other.execute("ROLLBACK")
    other.close()
    with EventFile.open(path) as opened:
        assert not left.exists()
        assert opened.append(1, rows(1, 1, rows(1)[0].digest))


def test_what_was_written_is_read(journal, path):
    """Entries, texts and the secret, by this connection and by the next."""
    assert journal.append(1, rows(2, 1, rows(1)[0].digest))
    with EventFile.open(path) as opened:
        assert opened.rows() == rows(3)
        assert opened.rows(after=2) == rows(3)[2:]
        assert opened.short_texts() == {ref_of(b"hello", b""): "hello"}
        assert opened.text(ref_of(b"hello", b"")) == "hello"
        assert opened.secret() == b"secret"
        read(opened.rows())


def test_appending_is_refused_where_the_journal_goes_on_already(journal, path):
    """Who read entry 1 and finds entry 2 there writes nothing, and learns of it."""
    with EventFile.open(path) as other:
        assert other.append(1, rows(1, 1, rows(1)[0].digest), [plain(b"first")])
    assert not journal.append(1, rows(1, 1, rows(1)[0].digest), [plain(b"second")])
    assert len(journal.rows()) == 2
    assert ref_of(b"second", b"") not in journal.short_texts()


@pytest.mark.parametrize(
    "statement",
    ["UPDATE journal SET at = 'never'", "DELETE FROM journal", "UPDATE journal SET op = x'00' WHERE seq = 1"],
)
def test_the_journal_is_never_changed_or_shortened(journal, path, statement):
    """The table itself refuses it, whoever asks."""
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="the journal is never"):
        other.execute(statement)
    other.close()


def test_blanking_overwrites_the_text_in_the_file(journal, path):
    """The bytes are gone from the disk, not only from the table; the digest stays as a mark."""
    name = Text(ref_of(b"Mira Oake of Harbour", b"salt"), b"salt", b"Mira Oake of Harbour")
    journal.append(1, rows(1, 1, rows(1)[0].digest), [name])
    assert b"Mira Oake" in path.read_bytes()
    journal.append(2, rows(1, 2, rows(2)[-1].digest), erased=[name.ref])
    assert b"Mira Oake" not in path.read_bytes()
    assert journal.short_texts()[name.ref] is None
    assert journal.text(name.ref) is None


def test_a_transaction_that_fails_leaves_nothing(journal):
    """Two entries of which one cannot be: neither is there, and the next append works."""
    bad = [*rows(1, 1, rows(1)[0].digest), rows(1)[0]]
    with pytest.raises(sqlite3.IntegrityError):
        journal.append(1, bad, [plain(b"orphan")])
    assert len(journal.rows()) == 1
    assert ref_of(b"orphan", b"") not in journal.short_texts()
    assert journal.append(1, rows(1, 1, rows(1)[0].digest))


def test_a_text_that_does_not_fit_its_digest_is_refused(journal, path):
    """Asked for, it is refused; among all the short ones it is there as damaged, so that the others can be read."""
    other = sqlite3.connect(path)
    other.execute("UPDATE texts SET bytes = x'00'")
    other.commit()
    other.close()
    with pytest.raises(TourneyError, match="is not as it was written"):
        journal.text(ref_of(b"hello", b""))
    assert journal.short_texts() == {ref_of(b"hello", b""): DAMAGED}


def test_a_missing_text_is_refused(journal):
    """Not there is not the same as deleted by request."""
    with pytest.raises(TourneyError, match="the text abc… is missing"):
        journal.text("abc")


# -- files that are no event


def refusal_of(path):
    with pytest.raises(TourneyError) as refusal:
        EventFile.open(path)
    return refusal.value


def test_no_file_at_all(path):
    """The hint says what makes one; nothing is made by looking."""
    refusal = refusal_of(path)
    assert f"there is no event file {path}" in refusal.message
    assert refusal.hint
    assert not path.exists()


def test_only_the_owner_may_read_an_event(path):
    """Names, decklists and the secret are in it, whatever the umask; also over a file that an interruption left."""
    old = os.umask(0o022)
    try:
        EventFile.create(path, rows(1), [], b"secret").close()
        path.with_name("left.tourney").touch(0o600)
        EventFile.create(path.with_name("left.tourney"), rows(1), [], None).close()
    finally:
        os.umask(old)
    assert [file.stat().st_mode & 0o777 for file in path.parent.iterdir()] == [0o600, 0o600]


HOSTILE = (
    "CREATE TRIGGER more AFTER INSERT ON journal BEGIN SELECT zeroblob(1000000000); END",
    "CREATE VIEW more AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
    "CREATE INDEX more ON texts (length(bytes))",
    "CREATE TABLE more (seq INTEGER, twice AS (seq * 2))",
    "DROP TRIGGER journal_is_never_changed",
    "ALTER TABLE texts ADD COLUMN more AS (zeroblob(1000000000))",
)


@pytest.mark.parametrize("statement", HOSTILE)
def test_a_foreign_schema_is_refused(journal, path, statement):
    """A trigger, a view, an index, a table, a generated column more, or one of ours less: refused before any is read."""
    journal.close()
    other = sqlite3.connect(path)
    other.execute(statement)
    other.close()
    refusal = refusal_of(path)
    assert "its tables are not as they were made" in refusal.message
    assert "event salvage" in refusal.hint


@pytest.mark.parametrize("view", [True, False])
def test_a_view_in_the_place_of_a_table_is_refused(path, view):
    """A recursive query that never ends, under the name of the journal: it is never asked."""
    other = sqlite3.connect(path)
    for name in ("header", "head", "texts", "secret"):
        other.execute(f"CREATE TABLE {name} (one)")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS seq FROM n"
    other.execute(f"CREATE VIEW journal AS {endless}" if view else "CREATE TABLE journal (seq)")
    other.execute(f"PRAGMA application_id = {PRAGMAS['application_id']}")
    other.execute("PRAGMA user_version = 1")
    other.commit()
    other.close()
    assert "its tables are not as they were made" in refusal_of(path).message


def test_a_statement_that_does_not_end_is_stopped(journal):
    """Each has a number of steps that grows with the file, counted anew for each statement."""
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    with pytest.raises(TourneyError, match="reading it would never end"), refusals(journal.path):
        journal._connection.execute(endless)
    assert journal.damage() == []


def test_pages_that_lead_in_a_circle_end(journal, path):
    """Children of a page that are all the same one would be read again and again: no more is read than the file holds."""
    journal.append(1, rows(400, 1, rows(1)[0].digest))
    journal.close()
    content = bytearray(path.read_bytes())
    root = root_page(path, "journal")
    assert content[root] == 5, "an interior page of a table"
    first = int.from_bytes(content[root + 12 : root + 14], "big")
    child = content[root + first : root + first + 4]
    for cell in range(int.from_bytes(content[root + 3 : root + 5], "big")):
        at = root + int.from_bytes(content[root + 12 + 2 * cell : root + 14 + 2 * cell], "big")
        content[at : at + 4] = child
    path.write_bytes(content)
    refusal = reading(path)
    assert isinstance(refusal, TourneyError)
    assert "event salvage" in refusal.hint


def root_page(path, table):
    """Return where the root page of a table begins in the file."""
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    return (page - 1) * size


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX has pipes with names")
def test_a_pipe_is_refused_before_it_is_opened(path):
    """Opening one waits for a writer for ever."""
    os.mkfifo(path)
    assert "friday.tourney is a pipe, not an event file" in refusal_of(path).message
    with pytest.raises(TourneyError, match="exists already"):
        EventFile.create(path, rows(1), [], None)


def test_a_folder(tmp_path):
    """A folder is told as one."""
    assert "is a folder" in refusal_of(tmp_path).message


@pytest.mark.parametrize(
    "content", [b"hello", b"SQLite format 3", b"\x00" * 5000, b'{"schema":"tourney.journal/1"}']
)
def test_another_kind_of_file(path, content):
    """Text, zeros, an export: not an event file; its bytes stay as they are."""
    path.write_bytes(content)
    assert "friday.tourney is not an event file" in refusal_of(path).message
    assert path.read_bytes() == content


def test_an_empty_file_is_an_interrupted_creation(path):
    """It may be created over; a file with content may not."""
    path.touch()
    assert "its creation was interrupted" in refusal_of(path).message
    EventFile.create(path, rows(1), [], None).close()
    with pytest.raises(TourneyError, match="exists already"):
        EventFile.create(path, rows(1), [], None)


def test_another_programs_database(path):
    """Firefox has databases, too."""
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE journal (seq INTEGER)")
    other.commit()
    other.close()
    assert "is a database of another program" in refusal_of(path).message


def test_a_newer_file_format(journal, path):
    """A format this version does not know is refused before anything is read."""
    journal._connection.execute("PRAGMA user_version = 2")
    refusal = refusal_of(path)
    assert "written by a newer tourney (format 2)" in refusal.message
    assert "install the newest tourney" in refusal.hint
    assert "event salvage" in refusal.hint, "the file's own table still says 1: a flipped bit is likelier"


def reading(path):
    """Return the entries of a file, or the refusal."""
    try:
        with EventFile.open(path) as opened:
            entries = opened.rows()
            read(entries)
            opened.short_texts()
            return entries
    except TourneyError as refusal:
        return refusal


@pytest.mark.parametrize("size", [100, 1000, 4096, 8192, 12_000])
def test_a_truncated_file(journal, path, size):
    """Cut off in the middle: damaged, with the way back."""
    journal.append(1, rows(200, 1, rows(1)[0].digest))
    journal.close()
    path.write_bytes(path.read_bytes()[:size])
    refusal = reading(path)
    assert isinstance(refusal, TourneyError)
    assert refusal.hint


def test_every_changed_byte_is_noticed_or_harmless(journal, path):
    """Whatever byte of the file is changed: the same entries are read, or it is refused in words. Never something else."""
    journal.append(1, rows(8, 1, rows(1)[0].digest))
    journal.close()
    content = path.read_bytes()
    places = [*range(100), *range(100, len(content), 37)]
    outcomes = [after_change(path, content, place, flip) for place in places for flip in (0x01, 0xFF)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, TourneyError)]
    assert len(refused) > 20
    assert all(outcome == rows(9) for outcome in outcomes if not isinstance(outcome, TourneyError))


def after_change(path, content, place, flip):
    changed = bytearray(content)
    changed[place] ^= flip
    path.write_bytes(changed)
    return reading(path)


def test_a_folder_that_is_not_there(tmp_path):
    """Nothing is made on the way."""
    with pytest.raises(TourneyError, match="there is no folder"):
        EventFile.create(tmp_path / "none" / "friday.tourney", rows(1), [], None)


def test_a_creation_that_fails_leaves_no_file(path):
    """All or nothing: a bad first entry, and the folder is as it was."""
    with pytest.raises(sqlite3.IntegrityError):
        EventFile.create(path, [*rows(1), *rows(1)], [], None)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["with space.tourney", "wi%20th?mode=memory.tourney", "#1.tourney", "Äpfel ½.tourney"]
)
def test_names_that_mean_something_in_an_address(tmp_path, name):
    """SQLite is handed the file by address; the name is quoted in it."""
    with EventFile.create(tmp_path / name, rows(1), [], None):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with EventFile.open(tmp_path / name) as opened:
        assert len(opened.rows()) == 1


# -- torn copies


PAGE = 4096


def pages_of(path):
    raw = path.read_bytes()
    return [raw[at : at + PAGE] for at in range(0, len(raw), PAGE)]


@pytest.fixture
def two_states(tmp_path):
    """An event before and after a change that touches many pages, as lists of pages."""
    with new_desk(tmp_path, *(f"Player {n} {'x' * 60}" for n in range(150))) as desk:
        path = desk.place.file
        before = pages_of(path)
        import_players(desk, "\n".join(f"Guest {n} {'y' * 60}" for n in range(150)), source="list")
        return before, pages_of(path), path


def test_a_file_that_was_cut_off_is_told_as_torn(two_states):
    """At the end of any page or within one: fewer pages are there than the first one says."""
    _, after, path = two_states
    whole = b"".join(after)
    for size in (*range(PAGE, len(whole), PAGE), len(whole) - 1, PAGE + 100, len(whole) // 2 + 7):
        path.write_bytes(whole[:size])
        with pytest.raises(
            TourneyError, match=r"friday\.tourney is torn: [\d.]+ of its \d+ pages are there; it was cut off"
        ) as refusal:
            open_desk(path.parent)
        assert "`tourney event backup`" in refusal.value.hint


def test_a_copy_made_while_it_was_written_is_told_as_torn(two_states):
    """Whichever of the changed pages were copied before they were written and without the rollback journal:

    the copy is one of the two states, or it is told what happened to it; never a third state that looks sound.
    """
    before, after, path = two_states
    changed = [n for n, page in enumerate(after) if n >= len(before) or before[n] != page]
    assert len(changed) > 5
    with open_desk(path.parent) as desk:
        states = {entry.digest for entry in desk.entries[-2:]}
    reports = 0
    for there in range(len(changed) + 1):
        for new in (changed[:there], changed[len(changed) - there :]):
            mixed = [after[n] if n in new else before[n] for n in range(len(before))]
            mixed += [after[n] for n in range(len(before), len(after)) if n in new]
            path.write_bytes(b"".join(mixed))
            try:
                with open_desk(path.parent) as desk:
                    assert desk.state.digest in states
            except TourneyError as torn:
                reports += 1
                words = f"{torn.message} {torn.hint}"
                assert "copied while it was being written" in words or "salvage" in words
    assert reports > 5


# -- commits that are not clean


def failing(journal, fault, *, afterwards):
    """Let the next COMMIT raise, before or after it has taken place."""
    connection = journal._connection
    run = connection.execute

    def execute(*words):
        if words[0] != "COMMIT":
            return run(*words)
        connection.execute = run
        if afterwards:
            run("COMMIT")
        raise fault

    connection.execute = execute


FAULTS = [sqlite3.OperationalError("disk I/O error"), KeyboardInterrupt()]


@pytest.mark.parametrize("fault", FAULTS, ids=["disk", "Ctrl-C"])
def test_a_commit_that_took_place_is_a_success_whatever_came_after_it(journal, path, fault):
    """The folder could not be synced, or somebody pressed Ctrl-C: the entry is there, and it is said so."""
    failing(journal, fault, afterwards=True)
    assert journal.append(1, rows(1, 1, rows(1)[0].digest))
    with EventFile.open(path) as opened:
        assert [row.seq for row in opened.rows()] == [1, 2]


@pytest.mark.parametrize("fault", FAULTS, ids=["disk", "Ctrl-C"])
def test_a_commit_that_did_not_take_place_leaves_nothing(journal, path, fault):
    """Nothing is in the file, and whoever asked is told; the next one can write."""
    failing(journal, fault, afterwards=False)
    with pytest.raises(type(fault)):
        journal.append(1, rows(1, 1, rows(1)[0].digest))
    assert [row.seq for row in journal.rows()] == [1]
    assert journal.append(1, rows(1, 1, rows(1)[0].digest))
