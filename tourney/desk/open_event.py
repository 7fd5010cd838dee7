"""An event file held open: folded to the event as it stands, brought up to date by what is new, written to; and the answers.

It can be held for as long as somebody works, hours of a day with others writing to the same file: whatever was read stays
folded, `refresh` reads the entries since then and goes on from there, and nothing is locked in between. One thread works with
it, the one that opened it; others open the file for themselves.

A change is answered with a `Receipt`: what it did, what is next, and what else is to be known of it. What is next is read
off the state alone, at the end of this page.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tourney.desk.rules import KeptRules
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import ops
from tourney.event.brackets import bracket_of, winner_of
from tourney.event.decks import list_doubts, unsettled_lists, waits_for_lists
from tourney.event.entry import (
    DAMAGED,
    Entry,
    JournalRow,
    Sealing,
    Text,
    described,
    every_ref,
    read,
    spoken_refs,
    write,
)
from tourney.event.event_document import show, show_what_changed
from tourney.event.field import is_secret_damaged
from tourney.event.fold import advance, fold, refuse_texts_of_the_erased, sentences
from tourney.event.kind import Decision, LogContext
from tourney.event.ops import Ref
from tourney.event.phrases import at_tables, names_of, result_line, still_playing
from tourney.event.players import absent, absent_text, present_text, uses_check_in
from tourney.event.results import clock_time
from tourney.event.state import Remark, Round, State
from tourney.event.systems import cut_to_come, planned_rounds
from tourney.event.titles import be
from tourney.record import PlayerId
from tourney.store.journal import Journal
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.decks import Verdict
    from tourney.decks.history import Changed
    from tourney.desk.player_list import PlayerList
    from tourney.store.folder import FolderChanges


Clock = Callable[[], datetime]
"""Returns the time, with its zone."""

Randomness = Callable[[int], bytes]
"""Returns that many unpredictable bytes (`secrets.token_bytes`)."""

Decide = Callable[[State, Sealing], Decision]
"""Decides on a change of the event as it stands; the texts of what is to be entered are sealed with it."""


class EventReading(NamedTuple):
    """An event as it was read. entries: all of them; texts: what they may say, by ref; state: the event they make."""

    entries: Sequence[Entry] = ()
    texts: Mapping[Ref, str | None] = MappingProxyType({})
    state: State = State()

    def followed_by(self, new: Sequence[Entry], texts: Mapping[Ref, str | None]) -> EventReading:
        """Return the event after the entries `new`, too. texts: what all of them may say."""
        entries = [*self.entries, *new]
        if not any(isinstance(each.op, _REFOLD) for each in new):
            return EventReading(entries, texts, advance(self.state, new, texts))
        with no_collecting():
            return EventReading(entries, texts, fold(entries, texts))


_REFOLD = (ops.Undone, ops.PlayerErased)
"""What reaches back: entries that were there have no effect any more, or other words."""


class OpenEvent:
    """An event file in the hands of one scorekeeper.

    Every change is read–decide–append: it is decided on the event as it stands, and appended only if nobody wrote
    in between; otherwise it is decided again. What `write` has answered is on the disk.

    place:   where the event lies; journal: what is in it
    by:      the scorekeeper's name
    reading: the event as last read, all of it in one value
    last:    the receipt of the last change made here (after a creation: of the creation)
    notes:   what else is to be known of what is being asked for; the next receipt warns of it
    secret_damaged: whether the stored secret is not the one that entry 1 commits to
    """

    def __init__(self, journal: Journal, *, by: str, clock: Clock, randomness: Randomness) -> None:
        self.place = journal.place
        self.journal = journal
        self.by = by
        self.last: Receipt | None = None
        self.notes: list[str] = []
        self.only_tries = False
        self._clock = clock
        self._randomness = randomness
        self.reading = EventReading()
        self.secret_damaged = False
        self._kept: KeptRules | None = None

    def leave(self) -> None:
        """Let go of the file."""
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    # -- what was read

    @property
    def state(self) -> State:
        """The event as last read."""
        return self.reading.state

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries, as last read."""
        return self.reading.entries

    @property
    def texts(self) -> Mapping[Ref, str | None]:
        """What the entries may say, by ref; None for what was deleted by request."""
        return self.reading.texts

    @property
    def rules(self) -> KeptRules:
        """The event's own rules, from the bytes it keeps."""
        if self._kept is None or not self._kept.state.has_rules_of(self.state):
            self._kept = KeptRules(self.state, self.journal.text)
        return self._kept

    @property
    def log_context(self) -> LogContext:
        """What telling an entry in words takes."""
        return LogContext(self.state, self.texts, self.entries)

    @property
    def chain(self) -> tuple[str, ...]:
        """The digest of every entry, from entry 1."""
        return tuple(each.digest for each in self.entries)

    @property
    def damaged(self) -> tuple[str, ...]:
        """What of the texts that were read is not as it was written, in words: `the name of #7`; it is shown as damaged."""
        lost = [ref for ref, text in self.texts.items() if text is DAMAGED]
        texts = described(self.entries) if lost else {}
        return tuple(sorted(texts[ref].what for ref in lost if ref in texts))

    def at(self, entry: int) -> State:
        """Return the event as it stood after `entry`."""
        if not 0 <= entry <= len(self.entries):
            raise TourneyError(f"there is no entry {entry}: they go up to {len(self.entries)}")
        return fold(self.entries[:entry], self.texts)

    def load(self) -> None:
        """Read the whole event, once. Raises TourneyError naming the first entry that is not as it was written, or cannot be."""
        with no_collecting():
            rows = self.journal.rows()
            if not rows:
                raise TourneyError(f"{self.place.name} holds no entries")
            entries = read(rows)
            texts = self._all_texts(entries)
            self.reading = EventReading(entries, texts, fold(entries, texts))
            self.secret_damaged = is_secret_damaged(self.state, self.journal.secret())
            # A name that has signed before was looked at then; a player's number signs, too, and is no scorekeeper's name.
            if self.by.startswith("#") or not self.own_refs():
                from tourney.event.names import clean_name

                self.by = clean_name(self.by, what="scorekeeper's name")
            gc.freeze()  # no later collection need go through it; states hold no cycles

    def _all_texts(self, entries: Sequence[Entry]) -> dict[Ref, str | None]:
        """Return what entries may say, by ref; a text that is missing is as damaged as one that does not fit."""
        texts = self.journal.short_texts()
        texts.update(dict.fromkeys(spoken_refs(entries) - texts.keys(), DAMAGED))
        return texts

    def refresh(self) -> State:
        """Read what others wrote meanwhile and return the event as it stands.

        It costs a look at the file's last entry, and what the new ones are; all of them are gone through again only where
        one reaches back.
        """
        rows = self.journal.rows(self.state.entry)
        if rows:
            new = read(rows, seq=self.state.entry, digest=self.state.digest)
            texts = self._texts_with(new)
            self.reading = self.reading.followed_by(new, texts)
        return self.state

    def _texts_with(self, new: Sequence[Entry]) -> Mapping[Ref, str | None]:
        """Return what is known of the texts with those that the entries `new` brought."""
        if any(isinstance(each.op, _REFOLD) for each in new):  # texts that were there are gone
            return self._all_texts([*self.entries, *new])
        unknown = {ref for each in new for ref in every_ref(each)} - self.texts.keys()
        if not unknown:
            return self.texts
        brought = self.journal.short_texts(unknown)
        lost = dict.fromkeys((spoken_refs(new) & unknown) - brought.keys(), DAMAGED)
        return {**self.texts, **lost, **brought}

    # -- writing

    def write(self, decide: Decide) -> Receipt:
        """Decide on the event as it stands, fold and tell what would be, and only then write it.

        What was worked out while somebody else wrote is worked out again, and nobody can write meanwhile: everybody
        gets a turn. After the entry is on the disk nothing is done any more that could fail. Raises TourneyError, with
        the event as it was, where the change is refused.
        """
        if self.only_tries:
            return self._foresee(decide, Sealing(bytes)).receipt
        seal = Sealing(self._randomness)
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
            self._adopt(foreseen)
        return foreseen.receipt

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Decide on the changes of the block and write none of them; those that would be refused raise TourneyError."""
        self.only_tries = True
        try:
            yield
        finally:
            self.only_tries = False

    def write_each(self, decides: Iterable[Decide]) -> tuple[Receipt | TourneyError, ...]:
        """Decide on one change after the other, an entry each, in one turn at the file; of one that is refused return why.

        All that is accepted is on the disk when this returns; where it raises, nothing is.
        """
        refusals: list[TourneyError | None] = []
        receipts = iter(self._write_in_one_turn(decides, refusals.append))
        return tuple(next(receipts) if refusal is None else refusal for refusal in refusals)

    def write_all(self, decides: Iterable[Decide]) -> tuple[Receipt, ...]:
        """Decide on one change after the other, an entry each, in one turn at the file: all of them are written, or none.

        Raises TourneyError, with the event as it was, where one is refused.
        """

        def refused(refusal: TourneyError | None) -> None:
            if refusal is not None:
                raise refusal

        return tuple(self._write_in_one_turn(decides, refused))

    def _write_in_one_turn(
        self, decides: Iterable[Decide], settled: Callable[[TourneyError | None], None]
    ) -> list[Receipt]:
        """Write changes one after the other; `settled` is told of each whether it was refused, and why: it may raise."""
        before = self.reading, self.last
        receipts: list[Receipt] = []
        rows: list[JournalRow] = []
        try:
            with self.journal.turn():
                self.refresh()
                for decide in decides:
                    try:
                        foreseen = self._foresee(decide, Sealing(self._randomness))
                    except TourneyError as refusal:
                        settled(refusal)
                        continue
                    self._append(foreseen)
                    if foreseen.rows:
                        self._adopt(foreseen)
                    rows += foreseen.rows
                    receipts.append(foreseen.receipt)
                    settled(None)
        except BaseException as fault:
            now = self.reading, self.last
            self.reading, self.last = before
            if not isinstance(fault, KeyboardInterrupt) or not self._is_written(rows, self.state.entry):
                raise
            self.reading, self.last = now
        return receipts

    @contextmanager
    def signing(self, name: str) -> Iterator[None]:
        """Sign what is entered within with another name than the desk's: somebody of the staff works on a device of their own.

        Their own last entry is what `undo` takes back within. Raises TourneyError for what is no name.
        """
        from tourney.event.names import clean_name

        with self._signing(clean_name(name, what="scorekeeper's name")):
            yield

    def signing_as_player(self, player: PlayerId) -> AbstractContextManager[None]:
        """Sign what is entered within as a player, by their number: no scorekeeper is called like one."""
        return self._signing(f"#{player}")

    @contextmanager
    def _signing(self, by: str) -> Iterator[None]:
        before, self.by = self.by, by
        try:
            yield
        finally:
            self.by = before

    def _append(self, foreseen: _Foreseen) -> None:
        """Write what was foreseen of the event as it stands; nobody else writes meanwhile."""
        if foreseen.rows:
            in_turn = self.journal.append(self.state.entry, foreseen.rows, foreseen.sealed, foreseen.erased)
            assert in_turn, "nobody else writes while it is our turn"

    def _is_written(self, rows: Sequence[JournalRow], after: int) -> bool:
        """Say whether an interruption came too late: the entries are on the disk."""
        written = {row.digest for row in self.journal.rows(after)}
        return bool(rows) and written.issuperset(row.digest for row in rows)

    def _adopt(self, foreseen: _Foreseen) -> None:
        self.reading, self.last = foreseen.reading, foreseen.receipt

    def _foresee(self, decide: Decide, seal: Sealing) -> _Foreseen:
        """Decide, and work out all that is to be known, said and shown of the event afterwards.

        Raises TourneyError where it is refused, also because what would be written could not be told or shown.
        """
        try:
            with no_collecting():
                decision = decide(self.state, seal)
        finally:
            notes, self.notes = tuple(dict.fromkeys(self.notes)), []
        decision = replace(decision, warnings=(*notes, *decision.warnings)) if notes else decision
        if decision.op is None:
            return _Foreseen(receipt=self._unchanged(decision), reading=self.reading)
        for op in decision.ops:
            refuse_texts_of_the_erased(self.state, op)
        rows = self._rows(decision.ops, seal)
        new = read(rows, seq=self.state.entry, digest=self.state.digest)
        needed = {ref for each in new for ref in every_ref(each)}
        sealed = [text for text in seal.texts if text.ref in needed]  # an earlier try may have needed more
        fresh = {text.ref: text.content.decode() for text in sealed}
        erased = decision.op.texts if isinstance(decision.op, ops.PlayerErased) else ()
        reading = self.reading.followed_by(new, {**self.texts, **fresh, **dict.fromkeys(erased)})
        self._refuse_unshown(reading.state, lambda ref: fresh.get(ref) or self.journal.text(ref))
        return _Foreseen(
            receipt=receipt_of(reading, new, decision),
            reading=reading,
            rows=rows,
            sealed=sealed,
            erased=erased,
        )

    def _unchanged(self, decision: Decision) -> Receipt:
        entered = decision.entered
        when = (
            f": already entered at {clock_time(entered.at)} by {entered.by} (entry {entered.entry})"
            if entered
            else " already"
        )
        return Receipt(
            entries=(),
            changed=(f"{decision.already}{when}.",),
            next=next_steps(self.state),
            state=self.state,
            already=True,
            warnings=decision.warnings,
        )

    def _rows(self, written: Iterable[ops.Op], seal: Sealing) -> list[JournalRow]:
        rows: list[JournalRow] = []
        at, by = as_written(self._clock()), self.own_ref(seal)
        for op in written:
            previous = rows[-1].digest if rows else self.state.digest
            rows.append(write(op, seq=self.state.entry + len(rows) + 1, at=at, by=by, previous=previous))
        return rows

    def own_ref(self, seal: Sealing) -> Ref:
        """Return the ref under which this scorekeeper writes, a known one where there is one."""
        own = self.own_refs()
        return max(own) if own else seal(self.by, "by")

    def own_refs(self) -> frozenset[Ref]:
        """Return the refs under which entries are signed with this scorekeeper's name."""
        return frozenset(ref for ref in {each.by for each in self.entries} if self.texts.get(ref) == self.by)

    def _refuse_unshown(self, after: State, text: Callable[[Ref], str | None]) -> None:
        """Refuse what could be written and then not be shown; what could not be shown before is no reason."""
        before = self.state
        same_rules = after.has_rules_of(before)
        try:
            show_what_changed(after, before)
            if same_rules and after.seated_as(
                before
            ):  # results of those who sit there were counted by folding
                return
            from tourney.event.showing import show_tables  # with all views of an event

            show_tables(after, before, lambda: (self.rules if same_rules else KeptRules(after, text)).profile)
        except TourneyError as fault:
            from tourney.event.showing import show_tables

            try:
                show(before)
                show_tables(before, State(), lambda: self.rules.profile)
            except TourneyError:
                return
            message = f"the event could not be shown after that: {fault.message}"
            raise TourneyError(message, fault.hint) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Foreseen:
    """What will be once `rows` are written: worked out, folded and told before they are. No rows: nothing is to be done.

    reading: the event then
    sealed:  the texts that the rows rest on, written with them; erased: those deleted with them
    """

    receipt: Receipt
    reading: EventReading
    rows: Sequence[JournalRow] = ()
    sealed: Sequence[Text] = ()
    erased: Sequence[Ref] = ()


def receipt_of(reading: EventReading, new: Sequence[Entry], decision: Decision) -> Receipt:
    """Return the answer to a decision that became the entries `new`, the last ones of an event."""
    context = LogContext(reading.state, reading.texts, reading.entries)
    because = (f"{text[:1].upper()}{text[1:]}." for text in decision.because)
    return Receipt(
        entries=tuple(each.seq for each in new),
        changed=(
            *(f"{said} (entry {each.seq})." for each in new for said in sentences(each.op, context)),
            *because,
        ),
        next=next_steps(reading.state),
        state=reading.state,
        warnings=decision.warnings,
    )


def as_written(now: datetime) -> str:
    """Return a time as entries have it. Raises ValueError for one without a zone: a bug of whoever gave the clock."""
    if now.tzinfo is None:
        raise ValueError("the clock gives no zone")
    return now.isoformat(timespec="seconds")


@contextmanager
def no_collecting() -> Iterator[None]:
    """Keep Python's cyclic garbage collector from running; it would go through every value again and again.

    With 45,000 entries this is the difference between 1.1 s and 0.65 s.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


# -- receipts


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The answer to a change.

    entries:  the numbers of the entries written; empty where nothing was (`already`, or a deck not registered)
    changed:  what changed, a sentence each: `Round 3, table 4: Mira 2–0 Tomo (entry 57).`
    next:     what is next, a sentence each: `3 of 16 tables still playing: 2, 9, 11.`
    warnings: what the organizer should know though it was done: `Tomo has met Mira in round 1.`
    state:    the event after the change
    already:  the same was entered before; nothing was written and all is well
    """

    entries: tuple[int, ...]
    changed: tuple[str, ...]
    next: tuple[str, ...]
    state: State
    already: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The receipt as people read it, one line: what changed and what is next."""
        return " ".join((*self.changed, *self.next))

    @classmethod
    def of(cls, receipt: Receipt, **more: Any) -> Self:
        """Return a receipt with what else this kind has to say, and `more` in place of what it said."""
        return cls(**{each.name: getattr(receipt, each.name) for each in fields(Receipt)} | more)

    @staticmethod
    def together(receipts: Sequence[Receipt]) -> Receipt:
        """Return one answer to several changes, one or more, in their order: all that they did, and what is next after them."""
        return replace(
            receipts[-1],
            entries=tuple(entry for each in receipts for entry in each.entries),
            changed=tuple(said for each in receipts for said in each.changed),
            warnings=tuple(said for each in receipts for said in each.warnings),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckReceipt(Receipt):
    """The answer to a decklist. verdict: `legal`, `illegal` or `unverified`; findings: all a check has to say.

    facts_used: the declared facts that the verdict rests on, in words, where they were believed

    An illegal list is not registered (`entries` is empty) unless it was asked for.
    """

    verdict: str
    findings: tuple[Finding, ...] = ()
    facts_used: tuple[str, ...] = ()

    @classmethod
    def judged(cls, receipt: Receipt, verdict: Verdict) -> Self:
        """Return the receipt of a change with what the check of the list has to say."""
        cause = [verdict.cause.message] if verdict.cause else []
        vouched = [f"on your word: {'; '.join(verdict.facts_in_brief)}"] if verdict.facts_used else []
        return cls.of(
            receipt,
            warnings=(*receipt.warnings, *cause, *verdict.notes, *vouched),
            verdict=verdict.verdict,
            findings=verdict.findings,
            facts_used=verdict.facts_used,
        )


@dataclass(frozen=True, slots=True)
class ImportedDeck:
    """What became of a decklist that came in a file, with others.

    file:    where it stood: its file, or the list's file and line
    player:  whose it is; empty where nobody is known
    verdict: empty where it could not be read
    registered: whether the list was registered
    said:    why not, or the rules that stand in the way
    vouched: the declared facts that the verdict rests on, in words
    """

    file: str
    player: str
    verdict: str
    registered: bool
    said: str
    vouched: str = ""

    @classmethod
    def of(cls, file: str, player: str, judged: Verdict | DeckReceipt) -> Self:
        """Return what is told of a list that was checked: the rules in its way, not advice; an illegal one is left out."""
        deciding = {"illegal": Severity.ERROR, "unverified": Severity.UNVERIFIED}.get(judged.verdict)
        rules = ", ".join(dict.fromkeys(each.rule for each in judged.findings if each.severity is deciding))
        vouched = "; ".join(judged.facts_used)
        registered = judged.verdict != "illegal"
        return cls(file, player, judged.verdict, registered=registered, said=rules, vouched=vouched)

    @classmethod
    def refused(cls, file: str, player: str, why: str) -> Self:
        """Return what is told of a list that is not looked at, or cannot be read."""
        return cls(file, player, "", registered=False, said=why)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReceipt(Receipt):
    """The answer to a list of players. players: as they were read; decks: what became of each list that came with them.

    contradictions: what these lists and others of the event declare differently of the same card
    """

    players: PlayerList
    decks: tuple[ImportedDeck, ...] = ()
    contradictions: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyReceipt(Receipt):
    """The answer to a penalty.

    history: the player's penalties in this event up to that one, the last
    upgrade: the level that it should be by the list, seeing the others; empty where it is what it should be
    """

    history: tuple[Remark, ...] = ()
    upgrade: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReceipt(Receipt):
    """The answer to a deck check. changed_cards: what the deck found has otherwise than the registered list."""

    changed_cards: tuple[Changed, ...] = ()


class Published(NamedTuple):
    """What was published. files: every path in `folder`, relative to it; changes: what of it was written or removed.

    missing: what was asked for and is not there, by its name, and why: other sheets than those that can be made
    warnings: of other folders that still show somebody who is erased, or may
    """

    folder: str
    files: tuple[str, ...]
    changes: FolderChanges
    missing: Mapping[str, TourneyError] = MappingProxyType({})
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """How many files there are, and how many are new: `22 files, 3 written anew`."""
        removed = f", {self.changes.removed} removed" if self.changes.removed else ""
        return f"{counted(len(self.files), 'file')}, {self.changes.written} written anew{removed}"


# -- where the event stands, and what is next: a sentence or two after every change


def status_text(state: State) -> str:
    """Say in one line where the event stands."""
    if state.closed:
        return "The event is over."
    current = state.round
    if current is None:
        return f"{len(state.players)} players are registered; nothing is paired yet."
    if current.held:
        return f"{current.title} {be(current.title)} paired and held back."
    if current.playing:
        return f"{current.title}: {still_playing(current)}."
    return f"{current.title} {be(current.title)} finished."


def next_steps(state: State) -> tuple[str, ...]:
    """Say what the desk waits for: players, a pairing, results, the end."""
    if state.closed:
        return ("The event is closed: `tourney standings`, `tourney publish`.",)
    current = state.round
    if current is None:
        return _before_round_one(state)
    if current.held:
        return (
            f"{current.title} {be(current.title)} held back: `tourney round release`, or `tourney round start` with its clock.",
        )
    if current.playing:
        return (f"{still_playing(current)}.", *_from_players(current))
    if state.open_round is not None:
        waiting = state.open_round
        return (
            _all_in(current),
            f"{waiting.title}: {still_playing(waiting)}. Next: {result_line(state, waiting)}.",
        )
    return (_all_in(current), *_no_shows(state), *_after(state, current))


def _from_players(current: Round) -> tuple[str, ...]:
    """Say what players sent that waits for the desk: results that they disagree about, calls for a judge."""
    disputed = [table for table, claim in current.claims.items() if claim.disputed]
    called = sorted({call.table for call in current.calls.values()})
    return (
        *([f"Disputed by the players: {at_tables(disputed)}; `tourney result claims`."] if disputed else []),
        *([f"A judge is called to {at_tables(called)}; `tourney round calls`."] if called else []),
    )


def _before_round_one(state: State) -> tuple[str, ...]:
    players = len(state.playing)
    if players < 2:
        return (f"{counted(players, 'player')} registered: `tourney player add NAME`.",)
    missing = _missing_at_first(state)
    if state.waits_for_beacon:
        return (
            *missing,
            f"{players} players registered: `tourney event beacon VALUE` when all are here and"
            f" {state.settings.pairing.beacon} is out.",
        )
    if state.beacon is not None:
        return (
            *missing,
            f"{players} players registered: `{_pairing(state)}`. Whoever comes or changes from now on is named by"
            " `tourney verify`.",
        )
    when, gone = " when all are here", len(absent(state))
    if gone:
        when += "; `tourney player drop --absent` drops the others"
    elif uses_check_in(state):
        when = ""
    return (*missing, f"{players} players registered: `{_pairing(state)}`{when}.")


def _missing_at_first(state: State) -> tuple[str, ...]:
    """Say how many players are here, and which players and decklists are missing."""
    here = "; ".join(filter(None, [present_text(state), absent_text(state, absent(state))]))
    lists = (*list_doubts(state), *unsettled_lists(state)) if waits_for_lists(state) else ()
    return tuple(f"{text[:1].upper()}{text[1:]}." for text in (here, *lists) if text)


def _all_in(current: Round) -> str:
    return f"{current.title} {be(current.title)} complete."


def _no_shows(state: State) -> tuple[str, ...]:
    """Name who did not show in the round that is over, and what takes them out."""
    gone = absent(state)
    said = absent_text(state, gone)
    if not said:
        return ()
    if state.settings.pairing.no_show == "drop":
        by = "the next pairing" if _goes_on(state) else "the cut, if there is one"
        return (f"{said}, and {'are' if len(gone) > 1 else 'is'} dropped by {by}.",)
    way = "--absent" if len(gone) > 1 else f'"{state.players[gone[0]].name}"'
    return (f"{said}: `tourney player drop {way}` if they have left.",)


def _goes_on(state: State) -> bool:
    planned = planned_rounds(state)
    return state.cut is None and (planned is None or len(state.rounds) < planned)


def _after(state: State, current: Round) -> tuple[str, ...]:
    if state.cut is not None:
        try:
            now = bracket_of(state, state.cut)
        except TourneyError as fault:  # an entry of an older version; it can be looked at and taken back
            return (
                f"The bracket cannot go on: {fault.message}. `tourney event log`, `tourney event undo ENTRY`.",
            )
        if not now.finished:
            return (f"Next: `{_pairing(state)}`.",)
        winner = winner_of(state, now)
        won = f"{names_of(state)(winner)} has won. " if winner else ""
        return (f"{won}Next: `tourney publish`, `tourney event close`.",)
    planned = planned_rounds(state)
    if planned is None or current.number < planned:
        return (f"Next: `{_pairing(state)}`.",)
    size = cut_to_come(state)
    cut = f"`tourney event cut {size}` or " if size else ""
    return (f"That was the last planned round: `tourney standings`, then {cut}`tourney event close`.",)


def _pairing(state: State) -> str:
    """Return the command that pairs the next round."""
    by_hand = state.settings.pairing.system == "manual" and state.cut is None
    return "tourney round pair --by-hand FILE" if by_hand else "tourney round next"


def unplayed(state: State) -> str:
    """Say what of the event was planned and is not played; empty where nothing is left."""
    if state.cut is not None:
        try:
            left = not bracket_of(state, state.cut).finished
        except TourneyError:  # an entry of an older version
            left = True
        return "the bracket is not played to its end, so those still in it share their places" if left else ""
    planned, played = planned_rounds(state), len(state.rounds)
    if planned is None or played >= planned:
        return ""
    return f"{played or 'none'} of the {planned} planned rounds {'was' if played == 1 else 'were'} played"
