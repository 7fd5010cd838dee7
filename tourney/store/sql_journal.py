"""The common part of journals in SQLite and PostgreSQL: reading, checks, appends, and turns.

In a turn, only one program can write to the event (see `Journal.turn`). A subclass runs queries
in its dialect, writes rows, and begins and commits transactions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from operator import attrgetter
from typing import Any, NamedTuple, Self, TypeVar

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED, DAMAGED, JournalRow, Text, is_intact
from tourney.event.ops import Ref
from tourney.store.journal import SHORT, Journal, StoredEvent

T = TypeVar("T")

MOST_ASKED = 500
"""The maximum number of texts that are selected by their digests.

If more texts are requested, all texts are read.
"""


class LastEntry(NamedTuple):
    """The number and digest of the last entry (the head).

    Every append also stores these two in a separate table.
    """

    seq: int
    digest: str


class SqlJournal(Journal):
    """A journal in SQL tables; see `Journal`. Use it in a `with`, or close it."""

    # -- the dialect

    @abstractmethod
    def _refusals(self) -> AbstractContextManager[None]:
        """Raise the database's errors in the `with` block as TourneyError."""

    @abstractmethod
    def _of(self, table: str) -> str:
        """Return SQL that names a table, with a WHERE condition that selects this event's rows."""

    @abstractmethod
    def _ask(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query; each `?` in it is replaced with one of `values`."""

    @abstractmethod
    def _begin(self) -> None:
        """Begin a transaction as soon as no other program is writing to the event.

        Raises an error of the database after `patience` seconds.
        """

    @abstractmethod
    def _commit(self) -> None:
        """Commit the transaction.

        Raises UnsettledError if it is unknown whether the commit took effect. Any other exception means that
        nothing was written.
        """

    @abstractmethod
    def _end(self) -> None:
        """End the transaction of a `turn`. Changes that are not committed are rolled back."""

    @abstractmethod
    def _last_in_turn(self) -> int | None:
        """Return the number of the last entry; None outside a `with self.turn()` block."""

    @abstractmethod
    def _write(
        self,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        erased: Iterable[Ref] = (),
        *,
        replace: bool = False,
    ) -> None:
        """Write entries and texts, and delete the texts with the refs `erased`.

        replace: whether to replace texts that already exist; otherwise these are not changed
        """

    # -- creating

    @classmethod
    @abstractmethod
    def begin(cls, place: Any, content: StoredEvent, begun: Callable[[Self], T]) -> T:
        """Create the event; see `EventPlace.begin`."""

    @classmethod
    def create(
        cls,
        place: Any,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        secret: bytes | None,
        erased: Iterable[Ref] = (),
    ) -> Self:
        """Create the event and open it; see `begin`."""
        content = StoredEvent(list(rows), list(texts), secret, frozenset(erased))
        return cls.begin(place, content, lambda journal: journal)

    # -- reading

    def rows(self, after: int = 0) -> list[JournalRow]:
        """Return the entries after entry `after`; see `Journal.rows`.

        The head (`LastEntry`) proves that no entry is missing at the end.
        """
        with self._refusals():
            # One statement is used, so that the head and the entries are read at the same moment.
            stored_rows = self._ask(
                f"SELECT 0, seq, '', '', NULL, digest FROM {self._of('head')} UNION ALL"  # noqa: S608
                f" SELECT 1, seq, at, by, op, digest FROM {self._of('journal')} AND seq > ?",
                after,
            )
        # The rows are sorted here, because SQLite takes twice as long to sort the parts of a union.
        rows = sorted((JournalRow._make(row[1:]) for row in stored_rows if row[0]), key=attrgetter("seq"))
        heads = [LastEntry(row[1], row[5]) for row in stored_rows if not row[0]]
        last = LastEntry(rows[-1].seq, rows[-1].digest) if rows else None
        if not heads or (last != heads[0] if last else heads[0].seq != after):
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
        """Return the texts of at most `SHORT` bytes, by their refs; see `Journal.short_texts`."""
        condition, refs = "(bytes IS NULL OR length(bytes) <= ?)", tuple(among or ())
        if refs and len(refs) <= MOST_ASKED:
            condition += f" AND digest IN ({', '.join('?' * len(refs))})"
        elif among is not None and not refs:
            return {}
        else:
            refs = ()
        return {text.ref: _decode_text(*text) for text in self._texts(condition, SHORT, *refs)}

    def text(self, ref: Ref) -> str | None:
        """Return the text with the digest `ref`; None if it was deleted by request.

        Raises TourneyError if the text is damaged or missing.
        """
        # The second condition reads the table row by row, in case the index is damaged.
        for condition in ("digest = ?", "digest || '' = ?"):
            for stored_text in self._texts(condition, ref):
                text = _decode_text(*stored_text)
                if text is DAMAGED:
                    raise TourneyError(
                        f"{self.place.name}: the text {ref[:12]}… is not as it was written", ALTERED
                    )
                return text
        raise TourneyError(f"{self.place.name}: the text {ref[:12]}… is missing", ALTERED)

    def texts(self) -> list[Text]:
        """Return every text with its ref (its digest), without checking that they match.

        Bytes in a damaged ref that cannot be decoded are replaced.
        """
        return self._texts("1 = 1 ORDER BY digest")

    def _texts(self, condition: str, *values: object) -> list[Text]:
        query = f"SELECT digest, salt, bytes FROM {self._of('texts')} AND {condition}"  # noqa: S608
        with self._refusals():
            return [Text(Ref(str(ref)), salt, text) for ref, salt, text in self._ask(query, *values)]

    def stored_refs(self, refs: Collection[Ref]) -> frozenset[Ref]:
        """Return the refs in `refs` whose text exists and was not deleted."""
        return frozenset(refs) & self._refs("bytes IS NOT NULL")

    def deleted_refs(self) -> frozenset[Ref]:
        """Return the refs of the texts that were deleted by request."""
        return self._refs("bytes IS NULL")

    def _refs(self, condition: str) -> frozenset[Ref]:
        with self._refusals():
            refs = self._ask(f"SELECT digest FROM {self._of('texts')} AND {condition}")  # noqa: S608
        return frozenset(Ref(ref) for (ref,) in refs)

    def secret(self) -> bytes | None:
        """Return the secret; None in a copy without the secret.

        Instead of a damaged secret, other bytes are returned, so that `verify` reports the damage.
        """
        with self._refusals():
            rows = self._ask(f"SELECT bytes FROM {self._of('secret')}")  # noqa: S608
        if not rows:
            return None
        return rows[0][0] if isinstance(rows[0][0], bytes) else repr(rows[0][0]).encode()

    # -- writing

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Let only this program write to the event during the `with` block, in one transaction.

        At the end of the block, the transaction is on the disk.
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
        """Append entries in the current turn, or in a separate turn; see `Journal.append`."""
        last = self._last_in_turn()
        if last is None:
            with self.turn():
                return self.append(after, rows, texts, erased)
        if last != after:
            return False
        self._write(rows, texts, erased)
        return True

    def restore_texts(self, texts: Iterable[Text]) -> bool:
        """Write the texts whose copy in this journal is missing or does not match its digest."""
        with self.turn():
            sound = {text.ref for text in self.texts() if is_intact(*text)}
            damaged_texts = [text for text in texts if text.ref not in sound]
            if damaged_texts:
                self._write((), damaged_texts, replace=True)
        return bool(damaged_texts)


def _decode_text(ref: Ref, salt: bytes | None, content: bytes | None) -> str | None:
    """Return a text; None if the text was deleted, `DAMAGED` if it does not match its digest."""
    if content is None and salt is None:
        return None
    return (content or b"").decode(errors="replace") if is_intact(ref, salt, content) else DAMAGED
