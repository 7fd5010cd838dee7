"""Promises of `Journal` that hold for files and databases."""

import threading

import pytest

from tests.store.test_journal import AT, rows
from tourney.errors import TourneyError
from tourney.event.entry import DAMAGED, JournalRow, Text, chain_digest, plain, read, ref_of
from tourney.store.event_file import EventFile
from tourney.store.journal import SHORT

HELLO = plain(b"hello")
MIRA = Text(ref_of(b"Mira Oake of Harbour", b"salt"), b"salt", b"Mira Oake of Harbour")


@pytest.fixture
def journal(store):
    with store.create(rows(1), [HELLO], b"secret") as made:
        yield made


def more(count, after):
    """Return entries that continue those of `rows`."""
    return rows(count, after, rows(after)[-1].digest)


def test_written_data_is_read(journal, store):
    """Entries, texts and the secret, by this connection and the next."""
    assert journal.append(1, more(2, 1))
    with store.open() as opened:
        assert opened.rows() == rows(3)
        assert opened.rows(after=2) == rows(3)[2:]
        assert opened.rows(after=3) == []
        assert opened.short_texts() == {HELLO.ref: "hello"}
        assert opened.text(HELLO.ref) == "hello"
        assert opened.secret() == b"secret"
        assert list(opened.texts()) == [tuple(HELLO)]
        assert opened.damage() == []
        read(opened.rows())


def test_bytes_are_kept_as_they_are(journal, store):
    """Ops and texts are bytes: any value, not only JSON, empty, or longer than a page."""
    every = bytes(range(256))
    op = b'{"op": "b/1",  "x":"\\u0000", "z": 1e0, "z": 1.0}\n\x00\xff'
    digest = chain_digest(rows(1)[-1].digest, 2, AT, "by", op)
    texts = [plain(content) for content in (every, b"", every * 400, b"\\x00", b"{}")]
    salted = Text(ref_of(every, every[:16]), every[:16], every)
    assert journal.append(1, [JournalRow(2, AT, "by", op, digest)], [*texts, salted])
    with store.open() as opened:
        assert opened.rows(1) == [JournalRow(2, AT, "by", op, digest)]
        assert {tuple(text) for text in opened.texts()} == {tuple(text) for text in (HELLO, *texts, salted)}


def test_texts_are_in_the_order_of_their_refs(journal):
    """In byte order, in any locale."""
    journal.append(1, more(1, 1), [plain(str(n).encode()) for n in range(40)])
    refs = [ref for ref, _, _ in journal.texts()]
    assert refs == sorted(refs)
    assert len(refs) == 41


def test_long_texts_are_read_on_demand(journal):
    """Short texts are read at once, all or a selection."""
    short, long = plain(b"s" * SHORT), plain(b"l" * (SHORT + 1))
    journal.append(1, more(1, 1), [short, long])
    assert set(journal.short_texts()) == {HELLO.ref, short.ref}
    assert journal.short_texts([short.ref])[short.ref] == "s" * SHORT
    assert long.ref not in journal.short_texts([long.ref])
    assert journal.text(long.ref) == "l" * (SHORT + 1)
    assert journal.short_texts([]).keys() <= {HELLO.ref, short.ref}
    assert journal.short_texts([*(f"{n:064x}" for n in range(1000)), HELLO.ref])[HELLO.ref] == "hello"


def test_appending_is_refused_if_the_journal_continued(journal, store):
    """A writer that read entry 1 and finds entry 2 writes nothing."""
    with store.open() as other:
        assert other.append(1, more(1, 1), [plain(b"first")])
    assert not journal.append(1, more(1, 1), [plain(b"second")])
    assert not journal.append(7, more(1, 7), [plain(b"second")])
    assert len(journal.rows()) == 2
    assert ref_of(b"second", b"") not in journal.short_texts()


def test_an_existing_text_is_kept(journal):
    """The same text again, or twice in one change, is stored once."""
    assert journal.append(1, more(1, 1), [HELLO, MIRA, MIRA])
    assert sorted(journal.texts()) == sorted([tuple(HELLO), tuple(MIRA)])


def test_a_transaction_is_all_or_nothing(journal, store):
    """Its own writes are read within; an exception rolls all of them back."""

    def interrupted():
        assert journal.append(1, more(1, 1), [MIRA])
        assert journal.append(2, more(1, 2))
        assert not journal.append(2, more(1, 2))
        assert journal.rows() == rows(3)
        assert journal.text(MIRA.ref) == "Mira Oake of Harbour"
        with store.open() as other:
            if store.readers_see_the_past:
                assert other.rows() == rows(1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), journal.turn():
        interrupted()
    assert journal.rows() == rows(1)
    assert journal.stored_refs([MIRA.ref]) == frozenset()
    with journal.turn():
        assert journal.append(1, more(1, 1), [MIRA])
        assert journal.append(2, more(1, 2), erased=[MIRA.ref])
    with store.open() as other:
        assert other.rows() == rows(3)
        assert other.deleted_refs() == {MIRA.ref}


def test_a_transaction_without_writes(journal):
    """For an entry that is already there."""
    with journal.turn():
        assert journal.rows(1) == []
    assert journal.append(1, more(1, 1))


def test_a_change_that_fails_leaves_nothing(journal, store):
    """Of two entries one is invalid: neither is there, and the next append works."""
    with pytest.raises(store.fault):
        journal.append(1, [*more(1, 1), rows(1)[0]], [plain(b"orphan")])
    assert len(journal.rows()) == 1
    assert ref_of(b"orphan", b"") not in journal.short_texts()
    assert journal.append(1, more(1, 1))


def test_a_transaction_waits_for_another_one(journal, store):
    """It reports the wait, and then reads what the first one wrote."""
    messages, entered = [], threading.Event()

    def first():
        with store.open() as other, other.turn():
            entered.set()
            assert other.append(1, more(1, 1))
            done.wait(60)

    done = threading.Event()
    thread = threading.Thread(target=first)
    thread.start()
    entered.wait(10)

    def waiting(seconds, *_):
        messages.append(seconds)
        done.set()

    with store.open(waiting=waiting) as second, second.turn():
        assert second.rows(1) == more(1, 1)
        assert second.append(2, more(1, 2))
    thread.join()
    assert [seconds >= 1 for seconds in messages] == [True]
    assert journal.rows() == rows(3)


def test_waiting_for_a_transaction_ends(journal, store):
    """After the patience it is refused without a write, and the next one works."""
    with store.open() as other:
        store.be_patient(other, 0.1)
        with (
            journal.turn(),
            pytest.raises(TourneyError, match=r"another program has been writing to .*friday"),
        ):
            other.append(1, more(1, 1))
        assert other.append(1, more(1, 1))


def test_deleting_a_text(journal, store):
    """Salt and bytes are gone from the files, too. The ref stays, and the text cannot come back."""
    deck = Text(ref_of(b"Mira's own deck" * 90, b"salt"), b"salt", b"Mira's own deck" * 90)
    journal.append(1, more(1, 1), [MIRA, deck])
    assert store.holds(b"Mira Oake")
    assert store.holds(b"Mira's own deck")
    journal.append(2, more(1, 2), erased=[MIRA.ref, deck.ref])
    journal.compact()
    assert not store.holds(b"Mira Oake")
    assert not store.holds(b"Mira's own deck")
    assert journal.short_texts()[MIRA.ref] is None
    assert journal.text(MIRA.ref) is None
    assert journal.deleted_refs() == {MIRA.ref, deck.ref}
    assert journal.stored_refs([MIRA.ref, HELLO.ref]) == {HELLO.ref}
    assert (MIRA.ref, None, None) in set(journal.texts())
    assert journal.append(3, more(1, 3), [MIRA])
    assert not journal.restore_texts([MIRA])
    assert journal.text(MIRA.ref) is None
    read(journal.rows())


def test_a_text_that_does_not_match_its_digest(journal, store):
    """Reading it is refused, among short texts it is marked as damaged, and it can be restored."""
    store.by_hand("UPDATE texts SET bytes = x'00'", guarded=False)
    with pytest.raises(TourneyError, match="is not as it was written"):
        journal.text(HELLO.ref)
    assert journal.short_texts() == {HELLO.ref: DAMAGED}
    assert journal.restore_texts([HELLO, MIRA])
    assert journal.text(HELLO.ref) == "hello"
    assert journal.text(MIRA.ref) == "Mira Oake of Harbour"
    assert not journal.restore_texts([HELLO, MIRA])


def test_a_missing_text(journal):
    """A missing text differs from a deleted one."""
    with pytest.raises(TourneyError, match="the text abc… is missing"):
        journal.text("abc")
    assert journal.restore_texts([MIRA])
    assert journal.text(MIRA.ref) == "Mira Oake of Harbour"


@pytest.mark.parametrize(
    "statement",
    ["UPDATE journal SET at = 'never'", "DELETE FROM journal", "UPDATE journal SET op = x'00' WHERE seq = 1"],
)
def test_the_journal_is_never_changed_or_shortened(journal, store, statement):
    """The tables refuse it for every user."""
    with pytest.raises(store.fault, match="never"):
        store.by_hand(statement)
    assert journal.rows() == rows(1)


def test_an_entry_number_is_unique(journal, store):
    """Even if the locks failed."""
    row = rows(1)[0]
    with pytest.raises(store.fault):
        store.by_hand(f"INSERT INTO journal SELECT * FROM journal WHERE seq = {row.seq}")


def test_removed_entries_are_noticed(journal, store):
    """The last entry is recorded separately, so a shortened journal is reported."""
    journal.append(1, more(2, 1))
    store.by_hand("DELETE FROM journal WHERE seq = 3", guarded=False)
    with pytest.raises(TourneyError, match="ends with entry 2, but that is not the last one written"):
        journal.rows()


def test_an_entry_that_was_changed_breaks_the_chain(journal, store):
    """The chain of digests is checked, not only the triggers."""
    journal.append(1, more(2, 1))
    store.by_hand("UPDATE journal SET op = x'7b7d' WHERE seq = 2", guarded=False)
    with pytest.raises(TourneyError, match="entry 2 was altered"):
        read(journal.rows())


def test_creating_is_all_or_nothing(store):
    """A check of the event before the commit may refuse it: then there is none."""

    def refused(begun):
        assert begun.rows() == rows(3)
        assert begun.text(HELLO.ref) == "hello"
        assert begun.append(3, more(1, 3))
        raise TourneyError("no good")

    with pytest.raises(TourneyError, match="no good"):
        store.begin(rows(3), [HELLO], b"secret", refused)
    with pytest.raises(TourneyError, match="there is no event"):
        store.open()
    with pytest.raises(store.fault):
        store.create([*rows(1), *rows(1)], [], None)
    with pytest.raises(TourneyError, match="there is no event"):
        store.open()
    with store.create(rows(3), [HELLO, Text(MIRA.ref, None, None)], None) as made:
        assert made.secret() is None
        assert made.deleted_refs() == {MIRA.ref}
        assert made.append(3, more(1, 3))


def test_an_event_is_never_overwritten(journal, store):
    with pytest.raises(TourneyError, match=r"friday.* exists already"):
        store.create(rows(2), [], None)
    assert journal.rows() == rows(1)


def test_two_events_side_by_side(journal, store):
    """Each has its own entries, texts and secret."""
    with store.create(rows(2), [MIRA], b"other", event="saturday") as other:
        assert other.append(2, more(1, 2), erased=[HELLO.ref, MIRA.ref])
        assert journal.rows() == rows(1)
        assert journal.text(HELLO.ref) == "hello"
        assert (journal.secret(), other.secret()) == (b"secret", b"other")
        assert list(other.texts()) == [(MIRA.ref, None, None)]


def test_a_copy_is_an_event_file(journal, tmp_path):
    """With the same entries, texts and secret, without deleted texts."""
    journal.append(1, more(3, 1), [MIRA, plain(b"rules" * 1000)])
    journal.append(4, more(1, 4), erased=[MIRA.ref])
    path = tmp_path / "copy.tourney"
    journal.copy_to(path)
    with EventFile.open(path) as copy:
        assert copy.rows() == journal.rows() == rows(5)
        assert list(copy.texts()) == list(journal.texts())
        assert copy.secret() == b"secret"
        assert copy.damage() == []


def test_many_entries_at_once(store):
    """An import of a long event."""
    texts = [plain(str(n).encode()) for n in range(3000)]
    with store.create(rows(5000), texts, None) as made:
        assert made.append(5000, more(1000, 5000))
        assert len(made.rows()) == 6000
        assert len(made.short_texts()) == 3000
