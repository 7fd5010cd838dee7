"""The common part of journals in SQLite and PostgreSQL: checks, appends, turns.

A subclass has the statements of its dialect, which read and write rows, and begin and commit transactions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED, DAMAGED, JournalRow, Text, intact
from tourney.event.ops import Ref
from tourney.store.journal import Journal

StoredText = tuple[str, bytes | None, bytes | None]
"""The digest, salt and bytes of a text as stored in the table."""


class LastEntry(NamedTuple):
    """The number and digest of the last entry (the head).

    Every append also stores them in a separate table.
    """

    seq: int
    digest: str


class SqlJournal(Journal):
    """A journal in SQL tables; see `Journal`. Use it in a `with`, or close it."""

    # -- the dialect

    @abstractmethod
    def _refusals(self) -> AbstractContextManager[None]:
        """Turn the database's errors into refusals."""

    @abstractmethod
    def _read_rows(self, after: int) -> tuple[LastEntry | None, list[JournalRow]]:
        """Return the head and the entries after entry `after`, in order, as they are at one moment."""

    @abstractmethod
    def _read_short_texts(self, among: Collection[Ref] | None) -> Iterable[StoredText]:
        """Return the texts of up to `SHORT` bytes, and the deleted ones."""

    @abstractmethod
    def _read_text(self, ref: Ref) -> StoredText | None:
        """Return a text; None if it does not exist."""

    @abstractmethod
    def _read_refs(self, *, deleted: bool) -> Iterable[str]:
        """Return the digests of the texts that are deleted, or of those that are not."""

    @abstractmethod
    def _begin(self) -> None:
        """Begin a transaction when no other desk writes. Waits at most `patience` seconds."""

    @abstractmethod
    def _commit(self) -> None:
        """Commit.

        Raises UnsettledError if it is unknown whether the commit took place. Any other exception means that
        nothing was written.
        """

    @abstractmethod
    def _end(self) -> None:
        """End the turn. Changes that are not committed are rolled back."""

    @abstractmethod
    def _last_in_turn(self) -> int | None:
        """Return the number of the last entry in the current turn; None if there is no turn."""

    @abstractmethod
    def _write(self, rows: Sequence[JournalRow], texts: Iterable[Text], erased: Iterable[Ref]) -> None:
        """Write entries and texts that do not exist yet, and delete the texts `erased`."""

    @abstractmethod
    def _replace_texts(self, texts: Sequence[Text]) -> None:
        """Write texts. A text that is already stored, but damaged, is replaced."""

    # -- reading

    def rows(self, after: int = 0) -> list[JournalRow]:
        """Return entries. The head proves that no entry is missing at the end."""
        head, rows = self._read_rows(after)
        last = LastEntry(rows[-1].seq, rows[-1].digest) if rows else None
        if head is None or (last != head if last else head.seq != after):
            fault, hint = self._torn
            raise TourneyError(
                f"{self.place.name}: the journal ends with entry {last.seq if last else after},"
                f" but that is not the last one written: {fault}",
                hint,
            )
        return rows

    _torn = ("it was changed from outside", ALTERED)
    """The probable cause if the last entries of a journal are missing, and a hint."""

    def short_texts(self, among: Collection[Ref] | None = None) -> dict[Ref, str | None]:
        """Return short texts."""
        with self._refusals():
            return {Ref(text[0]): _decoded(*text) for text in self._read_short_texts(among)}

    def text(self, ref: Ref) -> str | None:
        """Return a text."""
        with self._refusals():
            stored = self._read_text(ref)
        if stored is None:
            raise TourneyError(f"{self.place.name}: the text {ref[:12]}… is missing", ALTERED)
        text = _decoded(*stored)
        if text is DAMAGED:
            raise TourneyError(f"{self.place.name}: the text {ref[:12]}… is not as it was written", ALTERED)
        return text

    def held(self, refs: Collection[Ref]) -> frozenset[Ref]:
        """Return the `refs` whose texts exist and were not deleted."""
        with self._refusals():
            return frozenset(refs) & {Ref(ref) for ref in self._read_refs(deleted=False)}

    def gone(self) -> frozenset[Ref]:
        """Return the texts that were deleted by request."""
        with self._refusals():
            return frozenset(map(Ref, self._read_refs(deleted=True)))

    # -- writing

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Let only this desk write, in one transaction.

        The transaction is on the disk at the end of the block.
        """
        with self._refusals():
            try:
                self._begin()
                yield
                self._commit()
            finally:
                self._end()

    def append(
        self, after: int, rows: Sequence[JournalRow], texts: Iterable[Text] = (), erased: Iterable[Ref] = ()
    ) -> bool:
        """Append in the current turn, or in a separate turn."""
        last = self._last_in_turn()
        if last is None:
            with self.turn():
                return self.append(after, rows, texts, erased)
        if last != after:
            return False
        self._write(rows, texts, erased)
        return True

    def mend(self, texts: Iterable[Text]) -> bool:
        """Restore texts that do not match their digest, or are missing."""
        with self.turn():
            stored = {ref: (salt, content) for ref, salt, content in self.texts()}
            broken = [
                text for text in texts if text.ref not in stored or not intact(text.ref, *stored[text.ref])
            ]
            if broken:
                self._replace_texts(broken)
        return bool(broken)


def _decoded(ref: str, salt: bytes | None, content: bytes | None) -> str | None:
    """Return a text; None if it was deleted, `DAMAGED` if it does not match its digest."""
    if content is None and salt is None:
        return None
    return (content or b"").decode(errors="replace") if intact(ref, salt, content) else DAMAGED
