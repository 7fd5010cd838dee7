"""A desk works with any journal that keeps the promises of `Journal`, like lists in memory."""

from contextlib import contextmanager

import pytest

from tests.desk.kit import lent, new_desk
from tourney.desk import Desk, erase
from tourney.errors import TourneyError
from tourney.event.entry import DAMAGED, is_intact
from tourney.store.event_file import EventFile, FilePlace
from tourney.store.journal import SHORT, Journal


class ListJournal(Journal):
    """An event in memory."""

    def __init__(self, path, rows, texts, secret):
        self.place = FilePlace(path)
        self._rows, self._texts, self._secret = rows, {text[0]: tuple(text) for text in texts}, secret
        self._in_turn = False

    def rows(self, after=0):
        return self._rows[after:]

    def short_texts(self, among=None):
        texts = (text for text in self._texts.values() if among is None or text[0] in among)
        return {
            ref: self._shown(ref) for ref, _, content in texts if content is None or len(content) <= SHORT
        }

    def text(self, ref):
        if ref not in self._texts or self._shown(ref) is DAMAGED:
            raise TourneyError(f"memory: the text {ref[:12]}… is missing or altered")
        return self._shown(ref)

    def _shown(self, ref):
        _, salt, content = self._texts[ref]
        if content is None:
            return None
        return content.decode() if is_intact(ref, salt, content) else DAMAGED

    def texts(self):
        yield from sorted(self._texts.values())

    def stored_refs(self, refs):
        return frozenset(refs) & (self._texts.keys() - self.deleted_refs())

    def deleted_refs(self):
        return frozenset(ref for ref, _, content in self._texts.values() if content is None)

    def secret(self):
        return self._secret

    @contextmanager
    def turn(self):
        rows, texts = [*self._rows], {**self._texts}
        self._in_turn = True
        try:
            yield
        except BaseException:
            self._rows, self._texts = rows, texts
            raise
        finally:
            self._in_turn = False

    def append(self, after, rows, texts=(), erased=()):
        assert self._in_turn
        if after != len(self._rows):
            return False
        self._rows += rows
        for text in texts:
            self._texts.setdefault(text.ref, tuple(text))
        self._texts.update({ref: (ref, None, None) for ref in erased if ref in self._texts})
        return True

    def restore_texts(self, texts):
        broken = [text for text in texts if text.ref not in self._texts or self._shown(text.ref) is DAMAGED]
        self._texts.update({text.ref: tuple(text) for text in broken})
        return bool(broken)

    def copy_to(self, path):
        EventFile.create(path, self._rows, self._texts.values(), self._secret).close()

    def close(self):
        pass


def evening(desk):
    """Play, undo, refuse, drop and erase; return the state."""
    desk.pair_round()
    for table in desk.state.round.tables:
        desk.report(table, "1-0")
    desk.undo()
    with pytest.raises(TourneyError):
        desk.pair_round()
    desk.report(table, "0-1")
    desk.drop("Bea")
    desk.pair_round()
    erase(desk, "Cem")
    desk.change(name="Friday night")
    return desk.state.digest, desk.state.name, len(desk.entries), sorted(desk.journal.deleted_refs())


def test_an_evening_on_another_journal_is_the_same(tmp_path):
    """Entries, digests and deleted texts are as in a file. A copy is an event file."""
    names = ("Ann", "Bea", "Cem", "Dora", "Emil")
    with new_desk(tmp_path, *names) as desk:
        journal = ListJournal(
            tmp_path / "memory", desk.journal.rows(), desk.journal.texts(), desk.journal.secret()
        )
        begun = lent(seed="evening")
    with Desk.open(tmp_path / "friday.tourney", lent(seed="evening")) as desk:
        in_a_file, rows = evening(desk), desk.journal.rows()
    other = Desk(journal, begun)
    assert evening(other) == in_a_file
    assert journal.rows() == rows
    journal.copy_to(tmp_path / "copy.tourney")
    with Desk.open(tmp_path / "copy.tourney", lent()) as copy:
        assert copy.state.digest == other.state.digest
        assert copy.journal.text(copy.state.name_ref) == "Friday night"
