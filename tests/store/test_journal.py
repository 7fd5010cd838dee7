"""The event file: pragmas, append-only tables, and files that are not events."""

import os
import sqlite3

import pytest

from tests.desk.kit import new_desk, open_desk
from tests.kit import amount
from tourney.desk import import_players
from tourney.errors import TourneyError
from tourney.event.entry import DAMAGED, NOTHING_YET, JournalRow, Text, chain_digest, plain, read, ref_of
from tourney.store.event_file import EventFile
from tourney.store.sqlite import refusals

AT = "2026-10-04T14:00:00+02:00"
OP = b'{"op":"round.cancelled","round":1}'


def rows(count, after=0, digest=NOTHING_YET):
    """Return `count` entries that continue the chain."""
    made = []
    for seq in range(after + 1, after + count + 1):
        digest = chain_digest(digest, seq, AT, "by", OP)
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
    """Rollback journal and synchronous=EXTRA in new and opened files; never a write-ahead log."""
    with EventFile.open(path) as opened:
        for kept in (journal, opened):
            assert kept._connection.execute(f"PRAGMA {pragma}").fetchone() == (PRAGMAS[pragma],)


def test_a_file_in_wal_mode_is_converted(journal, path):
    """Another program left it so. The file alone must be the event."""
    journal.close()
    other = sqlite3.connect(path)
    assert other.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    other.close()
    with EventFile.open(path) as opened:
        assert opened._connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert [file.name for file in path.parent.iterdir()] == ["friday.tourney"]


def test_an_empty_rollback_journal_is_ignored(journal, path):
    """A killed process leaves one. The next change deletes it."""
    left = path.with_name("friday.tourney-journal")
    left.touch()
    with EventFile.open(path) as opened:
        assert opened.append(1, rows(1, 1, rows(1)[0].digest))
    assert not left.exists()


def test_written_data_is_read(journal, path):
    """Entries, texts and the secret, by this connection and the next."""
    assert journal.append(1, rows(2, 1, rows(1)[0].digest))
    with EventFile.open(path) as opened:
        assert opened.rows() == rows(3)
        assert opened.rows(after=2) == rows(3)[2:]
        assert opened.short_texts() == {ref_of(b"hello", b""): "hello"}
        assert opened.text(ref_of(b"hello", b"")) == "hello"
        assert opened.secret() == b"secret"
        read(opened.rows())


def test_appending_is_refused_if_the_journal_continued(journal, path):
    """A writer that read entry 1 and finds entry 2 writes nothing."""
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
    """The table refuses it for every program."""
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="the journal is never"):
        other.execute(statement)
    other.close()


def test_blanking_overwrites_the_text_in_the_file(journal, path):
    """The bytes are gone from the disk, too. The digest stays."""
    name = Text(ref_of(b"Mira Oake of Harbour", b"salt"), b"salt", b"Mira Oake of Harbour")
    journal.append(1, rows(1, 1, rows(1)[0].digest), [name])
    assert b"Mira Oake" in path.read_bytes()
    journal.append(2, rows(1, 2, rows(2)[-1].digest), erased=[name.ref])
    assert b"Mira Oake" not in path.read_bytes()
    assert journal.short_texts()[name.ref] is None
    assert journal.text(name.ref) is None


def test_a_transaction_that_fails_leaves_nothing(journal):
    """Of two entries one is invalid: neither is there, and the next append works."""
    bad = [*rows(1, 1, rows(1)[0].digest), rows(1)[0]]
    with pytest.raises(sqlite3.IntegrityError):
        journal.append(1, bad, [plain(b"orphan")])
    assert len(journal.rows()) == 1
    assert ref_of(b"orphan", b"") not in journal.short_texts()
    assert journal.append(1, rows(1, 1, rows(1)[0].digest))


def test_a_text_that_does_not_fit_its_digest_is_refused(journal, path):
    """Reading it is refused. Among short texts it is marked as damaged, so others can be read."""
    other = sqlite3.connect(path)
    other.execute("UPDATE texts SET bytes = x'00'")
    other.commit()
    other.close()
    with pytest.raises(TourneyError, match="is not as it was written"):
        journal.text(ref_of(b"hello", b""))
    assert journal.short_texts() == {ref_of(b"hello", b""): DAMAGED}


def test_a_missing_text_is_refused(journal):
    """A missing text differs from a deleted one."""
    with pytest.raises(TourneyError, match="the text abc… is missing"):
        journal.text("abc")


# -- files that are not events


def refusal_of(path):
    with pytest.raises(TourneyError) as refusal:
        EventFile.open(path)
    return refusal.value


def test_a_missing_file_is_refused_with_a_hint(path):
    """Opening makes no file."""
    refusal = refusal_of(path)
    assert f"there is no event file {path}" in refusal.message
    assert refusal.hint
    assert not path.exists()


def test_only_the_owner_may_read_an_event(path):
    """With any umask, and even if an interrupted creation left the file."""
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
    """An extra trigger, view, index, table or column, or a missing one, before any is read."""
    journal.close()
    other = sqlite3.connect(path)
    other.execute(statement)
    other.close()
    refusal = refusal_of(path)
    assert "its tables do not have the expected structure" in refusal.message
    assert "event salvage" in refusal.hint


@pytest.mark.parametrize("view", [True, False])
def test_a_view_in_place_of_a_table_is_refused(path, view):
    """It could be an endless query, so it is never read."""
    other = sqlite3.connect(path)
    for name in ("header", "head", "texts", "secret"):
        other.execute(f"CREATE TABLE {name} (one)")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS seq FROM n"
    other.execute(f"CREATE VIEW journal AS {endless}" if view else "CREATE TABLE journal (seq)")
    other.execute(f"PRAGMA application_id = {PRAGMAS['application_id']}")
    other.execute("PRAGMA user_version = 1")
    other.commit()
    other.close()
    assert "its tables do not have the expected structure" in refusal_of(path).message


def test_an_event_is_read_without_sorting(journal):
    """SQLite sorts in a temporary file, and cannot read a large event then if the disk is full."""
    statements = []
    journal._connection.set_trace_callback(statements.append)
    journal.rows()
    journal.texts()
    journal._connection.set_trace_callback(None)
    queries = [statement for statement in statements if statement.startswith("SELECT")]
    assert len(queries) == 2
    for query in queries:
        plan = journal._connection.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()
        assert not [step for *_, step in plan if "TEMP B-TREE" in step], query


def test_an_endless_statement_is_stopped(journal):
    """Each statement may take a number of steps that grows with the file."""
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    with pytest.raises(TourneyError, match="is damaged"), refusals(journal.path):
        journal._connection.execute(endless)
    assert journal.damage() == []


def test_circular_pages_are_read_only_once(journal, path):
    """Not more is read than the file contains."""
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
    """Return the position of a table's root page in the file."""
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    return (page - 1) * size


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX has pipes with names")
def test_a_pipe_is_refused_before_it_is_opened(path):
    """Opening a pipe would wait for a writer."""
    os.mkfifo(path)
    assert "friday.tourney is a pipe, not an event file" in refusal_of(path).message
    with pytest.raises(TourneyError, match="exists already"):
        EventFile.create(path, rows(1), [], None)


def test_a_folder_is_refused(tmp_path):
    assert "is a folder" in refusal_of(tmp_path).message


@pytest.mark.parametrize(
    "content", [b"hello", b"SQLite format 3", b"\x00" * 5000, b'{"schema":"tourney.journal/1"}']
)
def test_another_kind_of_file_is_refused(path, content):
    """Text, zeros, an export. The file is not changed."""
    path.write_bytes(content)
    assert "friday.tourney is not an event file" in refusal_of(path).message
    assert path.read_bytes() == content


def test_an_empty_file_is_an_interrupted_creation(path):
    """It may be overwritten; a file with content may not."""
    path.touch()
    assert "its creation was interrupted" in refusal_of(path).message
    EventFile.create(path, rows(1), [], None).close()
    with pytest.raises(TourneyError, match="exists already"):
        EventFile.create(path, rows(1), [], None)


def test_a_database_of_another_program_is_refused(path):
    """Such as one of Firefox."""
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE journal (seq INTEGER)")
    other.commit()
    other.close()
    assert "is a database of another program" in refusal_of(path).message


def test_a_newer_file_format_is_refused(journal, path):
    """Before anything is read."""
    journal._connection.execute("PRAGMA user_version = 2")
    refusal = refusal_of(path)
    assert "written by a newer tourney (format 2)" in refusal.message
    assert "install the newest tourney" in refusal.hint
    assert "event salvage" in refusal.hint, "the file's own table still says 1: a flipped bit is likelier"


def reading(path):
    """Return the entries of a file, or the error."""
    try:
        with EventFile.open(path) as opened:
            entries = opened.rows()
            read(entries)
            opened.short_texts()
            return entries
    except TourneyError as refusal:
        return refusal


@pytest.mark.parametrize("size", [100, 1000, 4096, 8192, 12_000])
def test_a_truncated_file_is_refused(journal, path, size):
    """As damaged, with a hint at backups."""
    journal.append(1, rows(200, 1, rows(1)[0].digest))
    journal.close()
    path.write_bytes(path.read_bytes()[:size])
    refusal = reading(path)
    assert isinstance(refusal, TourneyError)
    assert refusal.hint


def test_every_changed_byte_is_noticed_or_harmless(journal, path):
    """With any changed byte, the same entries are read or an error is raised."""
    journal.append(1, rows(8, 1, rows(1)[0].digest))
    journal.close()
    content = path.read_bytes()
    places = [*range(100), *range(100, len(content), 37)][:: amount(3, of=1)]
    outcomes = [after_change(path, content, place, flip) for place in places for flip in (0x01, 0xFF)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, TourneyError)]
    assert len(refused) > 20
    assert all(outcome == rows(9) for outcome in outcomes if not isinstance(outcome, TourneyError))


def after_change(path, content, place, flip):
    changed = bytearray(content)
    changed[place] ^= flip
    path.write_bytes(changed)
    return reading(path)


def test_a_missing_folder_is_refused(tmp_path):
    """It is not made."""
    with pytest.raises(TourneyError, match="there is no folder"):
        EventFile.create(tmp_path / "none" / "friday.tourney", rows(1), [], None)


def test_a_creation_that_fails_leaves_no_file(path):
    """The first entry is invalid, and the folder is as it was."""
    with pytest.raises(sqlite3.IntegrityError):
        EventFile.create(path, [*rows(1), *rows(1)], [], None)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["with space.tourney", "wi%20th?mode=memory.tourney", "#1.tourney", "Äpfel ½.tourney"]
)
def test_file_names_with_special_characters_of_an_address(tmp_path, name):
    """SQLite opens the file by an address, in which the name is quoted."""
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
    """An event before and after a change of many pages, as lists of pages."""
    with new_desk(tmp_path, *(f"Player {n} {'x' * 60}" for n in range(150))) as desk:
        path = desk.place.file
        before = pages_of(path)
        import_players(desk, "\n".join(f"Guest {n} {'y' * 60}" for n in range(150)), source="list")
        return before, pages_of(path), path


def test_a_truncated_file_is_reported_as_torn(two_states):
    """At or within any page: the first page states more pages than there are."""
    _, after, path = two_states
    whole = b"".join(after)
    for size in (*range(PAGE, len(whole), PAGE), len(whole) - 1, PAGE + 100, len(whole) // 2 + 7):
        path.write_bytes(whole[:size])
        with pytest.raises(
            TourneyError,
            match=r"friday\.tourney is damaged: it was cut off",
        ) as refusal:
            open_desk(path.parent)
        assert "`tourney event backup`" in refusal.value.hint


def test_a_copy_made_during_a_write_is_reported_as_torn(two_states):
    """Any mixture of old and new pages, without the rollback journal.

    The copy is one of the two states, or is reported; it never looks like a third state.
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
    """Let the next COMMIT raise, before or after it takes place."""
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
def test_a_completed_commit_is_a_success(journal, path, fault):
    """The sync of the folder fails, or Ctrl-C is pressed after it: the entry is there."""
    failing(journal, fault, afterwards=True)
    assert journal.append(1, rows(1, 1, rows(1)[0].digest))
    with EventFile.open(path) as opened:
        assert [row.seq for row in opened.rows()] == [1, 2]


@pytest.mark.parametrize("fault", FAULTS, ids=["disk", "Ctrl-C"])
def test_a_failed_commit_leaves_nothing(journal, path, fault):
    """The caller gets the error, and the next append works."""
    failing(journal, fault, afterwards=False)
    with pytest.raises(type(fault)):
        journal.append(1, rows(1, 1, rows(1)[0].digest))
    assert [row.seq for row in journal.rows()] == [1]
    assert journal.append(1, rows(1, 1, rows(1)[0].digest))
