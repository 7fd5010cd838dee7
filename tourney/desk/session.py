"""The loop under every change: read, decide, append if nobody wrote in between, answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tourney.desk.pause import no_collecting
from tourney.desk.receipt import Receipt
from tourney.desk.rules import KeptRules, gather
from tourney.desk.settings import day_from, new_settings
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.decide import Decision
from tourney.event.decide.results import clock_time
from tourney.event.entry import NOTHING_YET, Entry, Row, read, write
from tourney.event.field import lot_of, round_seed
from tourney.event.fold import advance, fold
from tourney.event.next_steps import next_steps
from tourney.event.parts import Ref
from tourney.event.personal import described, every_ref, refuse_texts_of_the_erased, spoken_refs
from tourney.event.show import state_digest
from tourney.event.state import Round, State
from tourney.event.story import Teller, sentence
from tourney.event.texts import DAMAGED, Sealing, Text
from tourney.event.who import clean_name
from tourney.store.data import Library
from tourney.store.journal import Journal
from tourney.store.place import warnings_about
from tourney.store.sqlite import Waiting

Clock = Callable[[], datetime]
"""Returns the time, with its zone."""

Randomness = Callable[[int], bytes]
"""Returns that many unpredictable bytes (`secrets.token_bytes`)."""

SECRET_BYTES = 32
_REFOLD = (ops.Undone, ops.PlayerBlanked)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Foreseen:
    """What will be once `rows` are written: worked out, folded and told before they are. No rows: nothing is to be done.

    sealed: the texts that the rows rest on, written with them; erased: those deleted with them
    entries, texts: all of the event's, with the new ones
    """

    receipt: Receipt
    rows: Sequence[Row] = ()
    sealed: Sequence[Text] = ()
    entries: Sequence[Entry] = ()
    texts: Mapping[Ref, str | None] = field(default_factory=dict)
    erased: Sequence[Ref] = ()


class Session:
    """An open event file and what the outside lends to it.

    path:  the event file
    last:  the receipt of the last change made here (after `create`: of the creation)
    """

    def __init__(
        self, journal: Journal, *, by: str, clock: Clock, randomness: Randomness, library: Library
    ) -> None:
        self.path = journal.path
        self.last: Receipt | None = None
        self._journal = journal
        self._by = clean_name(by, what="scorekeeper's name")
        self._clock = clock
        self._randomness = randomness
        self._library = library
        self._texts: dict[Ref, str | None] = {}
        self._entries: list[Entry] = []
        self._state = State()
        self._kept: KeptRules | None = None

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        name: str,
        format_name: str,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: Library,
        profile: str | None = None,
        banlist: str | None = None,
        on: str | None = None,
        sealed: bool = False,
        **settings: Any,
    ) -> Self:
        """Create the event file `path` and open it; `last` is the receipt, with warnings (a network or synced folder).

        format_name: name or file of a format; its own settings (best of, seats, sides, system) are the defaults
        profile:  name or file of a standings profile; None: the format's, else `tourney`
        banlist:  name or file of a ban list instead of the format's; `none`: play without one
        on:       YYYY-MM-DD, the day for which the ban list is picked; None: today by the clock
        sealed:   keep the secret out of exports and pages until `close`
        settings: see `tourney.event.parts.Settings`; a choice of the format (`goal`) may be named like a setting

        Raises TourneyError if the file exists, or the folder, the name, a rule file or a setting will not do.
        """
        seal, now = Sealing(randomness), clock()
        day = day_from(on) if on else now.date()
        rules = gather(library, format_name=format_name, profile=profile, banlist=banlist, day=day)
        secret = randomness(SECRET_BYTES)
        op = ops.EventCreated(
            name=seal(clean_name(name, what="event's name"), "name"),
            format=rules.format.id,
            on=day.isoformat(),
            rules=rules.kept,
            settings=new_settings(rules.format, settings),
            secret=sha256(secret).hexdigest(),
            sealed=sealed,
        )
        author = seal(clean_name(by, what="scorekeeper's name"), "by")
        row = write(op, seq=1, at=_written(now), by=author, previous=NOTHING_YET)
        warnings = (*warnings_about(path), *rules.warnings)
        return Journal.begin(
            path,
            [row],
            [*seal.texts, *rules.texts],
            secret,
            lambda journal: cls._begun(
                journal, warnings, by=by, clock=clock, randomness=randomness, library=library
            ),
        )

    @classmethod
    def _begun(
        cls,
        journal: Journal,
        warnings: Sequence[str] = (),
        *,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: Library,
    ) -> Self:
        """Read an event file that is still being made. Raises TourneyError naming an entry at fault; then it is not made."""
        session = cls(journal, by=by, clock=clock, randomness=randomness, library=library)
        session._load()
        session.last = session._receipt(session._entries[-1:], warnings, session._teller())
        return session

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: Library,
        waiting: Waiting | None = None,
    ) -> Self:
        """Open the event file `path`, checking the whole chain. waiting: is told while somebody else has the file.

        Raises TourneyError if it is no event, was altered, or was written by a newer tourney.
        """
        journal = Journal.open(path, waiting=waiting)
        try:
            session = cls(journal, by=by, clock=clock, randomness=randomness, library=library)
            session._load()
        except BaseException:
            journal.close()
            raise
        return session

    @property
    def state(self) -> State:
        """The event as last read."""
        return self._state

    @property
    def rules(self) -> KeptRules:
        """The event's own rules, from the bytes it keeps."""
        if self._kept is None:
            self._kept = KeptRules(self._state, self._journal.text)
        return self._kept

    @property
    def damaged(self) -> tuple[str, ...]:
        """What of the texts that were read is not as it was written, in words: `the name of #7`; it is shown as damaged."""
        lost = [ref for ref, text in self._texts.items() if text is DAMAGED]
        known = described(self._entries) if lost else {}
        return tuple(sorted(known[ref].what for ref in lost if ref in known))

    def refresh(self) -> State:
        """Read what others wrote meanwhile and return the event as it stands."""
        self._absorb(self._journal.rows(self._state.entry))
        return self._state

    def lot(self, state: State) -> str:
        """Return the seed of the lot between equals; empty where this file cannot draw it (yet)."""
        return lot_of(state, self._journal.secret())

    def leave(self) -> None:
        """Let go of the file."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    # -- for the rooms of the desk

    def _seed(self, state: State, number: int) -> str:
        """Return the seed of a round. Raises TourneyError in a copy without the event's own secret."""
        secret = self._journal.secret()
        if secret is None:
            raise TourneyError(
                "this copy of the event came without its secret, so nothing can be paired or drawn in it",
                "go on in the original file, or `tourney round pair --by-hand FILE`",
            )
        if sha256(secret).hexdigest() != state.secret_digest:
            raise TourneyError(
                "the secret in this file is not the one whose SHA-256 was published, so nothing can be paired with it",
                "go on in the original file, or in a copy from `.tourney-backups/`",
            )
        return round_seed(secret, number, state.beacon.value if state.beacon else None)

    def _seal(self) -> Sealing:
        return Sealing(self._randomness)

    def _change(self, decide: Callable[[State], Decision], seal: Sealing | None = None) -> Receipt:
        """Decide on the event as it stands, fold and tell what would be, and only then write it.

        What was worked out while somebody else wrote is worked out again, and nobody can write meanwhile: everybody
        gets a turn. After the entry is on the disk nothing is done any more that could fail.
        """
        sealing = seal or self._seal()
        self.refresh()
        foreseen = self._foresee(decide, sealing)
        if foreseen.rows:
            with self._journal.turn():
                before = self._state.entry
                if self.refresh().entry != before:
                    foreseen = self._foresee(decide, sealing)
                if foreseen.rows:
                    self._journal.append(self._state.entry, foreseen.rows, foreseen.sealed, foreseen.erased)
        if foreseen.rows:
            self._adopt(foreseen)
        return foreseen.receipt

    def _foresee(self, decide: Callable[[State], Decision], seal: Sealing) -> _Foreseen:
        """Decide, and work out all that is to be known, said and shown of the event afterwards.

        Raises TourneyError where it is refused, also because what would be written could not be told or shown.
        """
        with no_collecting():
            decision = decide(self._state)
        if decision.op is None:
            return _Foreseen(receipt=self._unchanged(decision))
        written = [each for each in (decision.first, decision.op) if each]
        for op in written:
            refuse_texts_of_the_erased(self._state, op)
        rows = self._rows(written, seal)
        new = read(rows, seq=self._state.entry, digest=self._state.digest)
        needed = {ref for each in new for ref in every_ref(each)}
        sealed = [text for text in seal.texts if text.ref in needed]  # an earlier try may have needed more
        fresh = {text.ref: text.content.decode() for text in sealed}
        erased = decision.op.texts if isinstance(decision.op, ops.PlayerErased) else ()
        texts = {**self._texts, **fresh, **dict.fromkeys(erased)}
        entries = [*self._entries, *new]
        state = self._after(new, entries, texts)
        rules = self.rules
        if _rules_differ(self._state, state):
            rules = KeptRules(state, lambda ref: fresh.get(ref) or self._journal.text(ref))
        self._refuse_unshown(self._state, state, rules)
        receipt = self._receipt(new, decision.warnings, Teller(state, texts, entries))
        return _Foreseen(
            receipt=receipt, rows=rows, sealed=sealed, entries=entries, texts=texts, erased=erased
        )

    def _after(
        self, new: Sequence[Entry], entries: Sequence[Entry], texts: Mapping[Ref, str | None]
    ) -> State:
        """Return the event after the entries `new`, the last ones of `entries`."""
        if not any(isinstance(each.op, _REFOLD) for each in new):
            return advance(self._state, new, texts)
        with no_collecting():
            return fold(entries, texts)

    def _refuse_unshown(self, before: State, after: State, rules: KeptRules) -> None:
        """Refuse what could be written and then not be shown; what could not be shown before is no reason."""
        try:
            _show(after, before, rules)
        except TourneyError as fault:
            try:
                _show(before, State(), self.rules)
            except TourneyError:
                return
            said = f"the event could not be shown after that: {fault.message}"
            raise TourneyError(said, fault.hint) from None

    def _adopt(self, foreseen: _Foreseen) -> None:
        before, self._state = self._state, foreseen.receipt.state
        self._entries, self._texts = list(foreseen.entries), dict(foreseen.texts)
        self._forget_rules(before)
        self.last = foreseen.receipt

    def _forget_rules(self, before: State) -> None:
        if _rules_differ(before, self._state):
            self._kept = None

    def _rows(self, written: Iterable[ops.Op], seal: Sealing) -> list[Row]:
        rows: list[Row] = []
        at, by = _written(self._clock()), self._own_ref(seal)
        for op in written:
            previous = rows[-1].digest if rows else self._state.digest
            rows.append(write(op, seq=self._state.entry + len(rows) + 1, at=at, by=by, previous=previous))
        return rows

    def _own_ref(self, seal: Sealing) -> Ref:
        """Return the ref under which this scorekeeper writes, a known one where there is one."""
        own = self._own_refs()
        return max(own) if own else seal(self._by, "by")

    def _own_refs(self) -> frozenset[Ref]:
        return frozenset(
            ref for ref in {each.by for each in self._entries} if self._texts.get(ref) == self._by
        )

    def _load(self) -> None:
        with no_collecting():
            rows = self._journal.rows()
            if not rows:
                raise TourneyError(f"{self.path.name} holds no entries")
            self._entries = read(rows)
            self._texts = self._read_texts(self._entries)
            self._state = fold(self._entries, self._texts)

    def _read_texts(self, entries: Sequence[Entry]) -> dict[Ref, str | None]:
        """Return what entries may say, by ref; a text that is missing is as damaged as one that does not fit."""
        texts = self._journal.short_texts()
        texts.update(dict.fromkeys(spoken_refs(entries) - texts.keys(), DAMAGED))
        return texts

    def _absorb(self, rows: list[Row]) -> None:
        """Go on from the state with entries that are in the journal now."""
        if not rows:
            return
        new = read(rows, seq=self._state.entry, digest=self._state.digest)
        entries, before = [*self._entries, *new], self._state
        texts = self._read_texts(entries)
        self._state = self._after(new, entries, texts)
        self._entries, self._texts = entries, texts
        self._forget_rules(before)

    def _teller(self) -> Teller:
        return Teller(self._state, self._texts, self._entries)

    def _receipt(self, new: Sequence[Entry], warnings: Sequence[str], teller: Teller) -> Receipt:
        said = [f"{sentence(each.op, teller)} (entry {each.seq})." for each in new]
        return Receipt(
            entries=tuple(each.seq for each in new),
            changed=tuple(said),
            next=next_steps(teller.state),
            state=teller.state,
            warnings=tuple(warnings),
        )

    def _unchanged(self, decision: Decision) -> Receipt:
        known = decision.entered
        when = (
            f": already entered at {clock_time(known.at)} by {known.by} (entry {known.entry})"
            if known
            else " already"
        )
        return Receipt(
            entries=(),
            changed=(f"{decision.already}{when}.",),
            next=next_steps(self._state),
            state=self._state,
            already=True,
            warnings=decision.warnings,
        )


def _rules_differ(one: State, other: State) -> bool:
    return (one.rules, one.on) != (other.rules, other.on)


def _show(state: State, before: State, rules: KeptRules) -> None:
    """Show the event once as `event show` has it, and the rounds that are not as they were. Raises TourneyError."""
    state_digest(state)
    show_rounds(state, before, rules)


def show_rounds(state: State, before: State, rules: KeptRules) -> None:
    """Show the rounds that are not as they were in `before`; under other rules all of them. Raises TourneyError."""
    other_rules = _rules_differ(before, state)
    known = set() if other_rules else {id(each) for each in before.rounds}
    changed = [each for each in state.rounds if id(each) not in known]
    if changed:
        from tourney.event.viewing import WITHOUT_POINTS, ladder, round_view

        # A result of those who sit there can be counted, as folding has seen; counting takes longer than all the rest.
        same = not other_rules and all(_seated_so(before, each) for each in changed)
        points = WITHOUT_POINTS if same else ladder(state, rules.profile)
        for each in changed:
            round_view(state, each, points)


def _seated_so(before: State, known: Round) -> bool:
    """Say whether everybody in a round sat, or was without a table, where they do now."""
    if len(before.rounds) < known.number:
        return False
    old = before.rounds[known.number - 1]
    seats, sat = ({table.number: table.seats for table in each.tables.values()} for each in (known, old))
    return (seats, known.byes) == (sat, old.byes)


def _written(now: datetime) -> str:
    """Return a time as entries have it. Raises ValueError for one without a zone: a bug of whoever gave the clock."""
    if now.tzinfo is None:
        raise ValueError("the clock gives no zone")
    return now.isoformat(timespec="seconds")
