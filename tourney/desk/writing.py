"""Write a change: read, fold, decide, append; start again if another desk wrote meanwhile.

A change is decided on the current state, and everything about it is worked out (the next state, the receipt)
before it is appended. It is appended only if the journal still ends where it was read; otherwise it is
decided again. What `write` has answered is on the disk, and nothing that can fail happens after the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec

from tourney.desk.open_event import EventReading, OpenEvent, Workplace, no_collecting
from tourney.desk.receipts import Receipt
from tourney.desk.rules import KeptRules
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import JournalRow, Sealing, Text, every_ref, write_entries
from tourney.event.fold import refuse_texts_of_the_erased
from tourney.event.kind import Decision, EventChange
from tourney.event.names import clean_name
from tourney.event.ops import Ref
from tourney.event.state import State
from tourney.record import PlayerId
from tourney.store.journal import Journal

P = ParamSpec("P")

Decide = Callable[[EventChange], Decision]
"""A function that decides on a change: `lambda change: players.drop(change, "Mira")`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Foreseen:
    """The consequences of a decision, computed before it is written.

    receipt: the answer to the change
    reading: the event after the change
    rows:    the new entries; empty if there is nothing to write
    sealed:  the texts to write with the rows
    erased:  the texts to delete with them
    """

    receipt: Receipt
    reading: EventReading
    rows: Sequence[JournalRow] = ()
    sealed: Sequence[Text] = ()
    erased: Sequence[Ref] = ()


class WritableEvent(OpenEvent):
    """An open event that one scorekeeper writes to.

    last:       the receipt of the last change, or of the creation of a new event
    only_tries: whether changes are only tried and not written
    """

    def __init__(self, journal: Journal, workplace: Workplace) -> None:
        super().__init__(journal, workplace)
        self.last: Receipt | None = None
        self.only_tries = False

    def write(self, decide: Decide) -> Receipt:
        """Decide on a change and write it.

        If another desk wrote meanwhile, decide again while no other desk can write.

        Raises TourneyError, and changes nothing, if the change is refused.
        """
        if self.only_tries:
            return self._foresee(decide, Sealing(bytes)).receipt
        seal = Sealing(self.workplace.randomness)
        self.refresh()
        foreseen = self._foresee(decide, seal)
        if foreseen.rows:
            try:
                with self.journal.turn():
                    before = self.state.entry
                    if self.refresh().entry != before:
                        foreseen = self._foresee(decide, seal)
                    self._append(foreseen)
            except KeyboardInterrupt:
                if not self._is_written(foreseen.rows, self.state.entry):
                    raise
        if foreseen.rows:
            self.reading, self.last = foreseen.reading, foreseen.receipt
        return foreseen.receipt

    def write_in_turn(
        self, decides: Iterable[Decide], *, all_or_none: bool
    ) -> tuple[Receipt | TourneyError, ...]:
        """Decide on several changes, and write them in one turn at the journal.

        Each change has its own entry. Returns for each change its receipt, or the error if it is refused.
        When this returns, the accepted changes are on the disk; if it raises, none of them is.

        all_or_none: raise the first refusal
        """
        before = self.reading, self.last
        answers: list[Receipt | TourneyError] = []
        rows: list[JournalRow] = []
        try:
            with self.journal.turn():
                self.refresh()
                for decide in decides:
                    try:
                        foreseen = self._foresee(decide, Sealing(self.workplace.randomness))
                    except TourneyError as refusal:
                        if all_or_none:
                            raise
                        answers.append(refusal)
                        continue
                    self._append(foreseen)
                    if foreseen.rows:
                        self.reading, self.last = foreseen.reading, foreseen.receipt
                    rows += foreseen.rows
                    answers.append(foreseen.receipt)
        except BaseException as fault:
            after = self.reading, self.last
            self.reading, self.last = before
            if not isinstance(fault, KeyboardInterrupt) or not self._is_written(rows, self.state.entry):
                raise
            self.reading, self.last = after
        return tuple(answers)

    def _append(self, foreseen: _Foreseen) -> None:
        """Append to the journal, during a turn of this desk."""
        if foreseen.rows:
            in_turn = self.journal.append(self.state.entry, foreseen.rows, foreseen.sealed, foreseen.erased)
            assert in_turn, "no other desk writes during our turn"

    def _is_written(self, rows: Sequence[JournalRow], after: int) -> bool:
        """Return whether rows are on the disk, so that an interruption came too late."""
        written = {row.digest for row in self.journal.rows(after)}
        return bool(rows) and written.issuperset(row.digest for row in rows)

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Decide on the changes in the block without writing them.

        A change that would be refused raises TourneyError.
        """
        self.only_tries = True
        try:
            yield
        finally:
            self.only_tries = False

    # -- signatures

    @contextmanager
    def signing(self, name: str) -> Iterator[None]:
        """Sign the changes in the block with another name, for staff who use their own device.

        In the block, `undo` undoes the last entry with this signature. Raises TourneyError for an unusable
        name.
        """
        with self._signing(clean_name(name, what="scorekeeper's name")):
            yield

    def signing_as_player(self, player: PlayerId) -> AbstractContextManager[None]:
        """Sign the changes in the block with a player's number, such as `#7`.

        No scorekeeper can have such a name.
        """
        return self._signing(f"#{player}")

    @contextmanager
    def _signing(self, by: str) -> Iterator[None]:
        before, self.by = self.by, by
        try:
            yield
        finally:
            self.by = before

    def own_ref(self, seal: Sealing) -> Ref:
        """Return the ref of the signature.

        If earlier entries have the same signature, their ref is used.
        """
        own = self.own_refs()
        return max(own) if own else seal(self.by, "by")

    # -- the consequences of a change

    def _foresee(self, decide: Decide, seal: Sealing) -> _Foreseen:
        """Decide, and compute the event after the change and the receipt.

        Raises TourneyError if the change is refused, or if its rules cannot be read.
        """
        change = EventChange(self.state, seal, entries=self.entries, texts=self.texts, by=self.by)
        with no_collecting():
            decision = decide(change)
        decision = replace(decision, warnings=(*dict.fromkeys(change.notes), *decision.warnings))
        if decision.op is None:
            return _Foreseen(receipt=Receipt.unchanged(self.state, decision), reading=self.reading)
        for op in decision.ops:
            refuse_texts_of_the_erased(self.state, op)
        rows, new = write_entries(
            decision.ops,
            at=as_written(self.workplace.clock()),
            by=self.own_ref(seal),
            after=self.state.entry,
            previous=self.state.digest,
        )
        needed = {ref for entry in new for ref in every_ref(entry)}
        sealed = [text for text in seal.texts if text.ref in needed]  # an earlier try may have sealed more
        fresh = {text.ref: text.content.decode() for text in sealed}
        erased = decision.op.texts if isinstance(decision.op, ops.PlayerErased) else ()
        reading = self.reading.followed_by(new, {**self.texts, **fresh, **dict.fromkeys(erased)})
        self._refuse_unreadable_rules(reading.state, lambda ref: fresh.get(ref) or self.journal.text(ref))
        return _Foreseen(
            receipt=Receipt.written(reading, new, decision),
            reading=reading,
            rows=rows,
            sealed=sealed,
            erased=erased,
        )

    def _refuse_unreadable_rules(self, after: State, text: Callable[[Ref], str | None]) -> None:
        """Refuse new rules that cannot count results.

        They are accepted if the current rules cannot be read either. Nothing else is checked before the
        commit, because every state that can be folded can be counted and shown.
        """
        before = self.state
        if (after.rules, after.on) == (before.rules, before.on):
            return
        try:
            KeptRules(after, text).profile  # noqa: B018 - read for its errors
        except TourneyError as fault:
            try:
                self.rules.profile  # noqa: B018
            except TourneyError:
                return
            message = f"the event could not be shown after that: {fault.message}"
            raise TourneyError(message, fault.hint) from None


def as_method(
    decide: Callable[Concatenate[EventChange, P], Decision],
) -> Callable[Concatenate[WritableEvent, P], Receipt]:
    """Return a method of the desk that writes what `decide` decides.

    The method takes the same arguments.
    """

    @wraps(decide)
    def method(event: WritableEvent, /, *args: P.args, **named: P.kwargs) -> Receipt:
        return event.write(lambda change: decide(change, *args, **named))

    return method


def as_written(now: datetime) -> str:
    """Return a time as it is written in entries.

    Raises ValueError if the time has no zone, which is a bug.
    """
    if now.tzinfo is None:
        raise ValueError("the clock's time has no zone")
    return now.isoformat(timespec="seconds")
