-- The tables of an event file, version 1. README.md says what they promise.
CREATE TABLE header (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY, at TEXT NOT NULL, by TEXT NOT NULL, op BLOB NOT NULL, digest TEXT NOT NULL
);
CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, digest TEXT NOT NULL);
CREATE TABLE texts (digest TEXT PRIMARY KEY, salt BLOB, bytes BLOB);
CREATE TABLE secret (bytes BLOB NOT NULL);
CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is never changed'); END;
CREATE TRIGGER journal_is_never_shortened BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is never shortened'); END;
