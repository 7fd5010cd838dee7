"""One class with one method for each thing that is done at the desk."""

from __future__ import annotations

import dataclasses
import gc
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

from tourney.desk.rules import (
    Gathering,
    KeptRules,
    changed_settings,
    day_from,
    gather,
    new_settings,
    pool_lines,
)
from tourney.errors import Finding, Severity, TourneyError, fault_of_the_rules
from tourney.event import brackets, decks, event_admin, ops, penalties, players, results, rounds, undo
from tourney.event.entry import ALTERED, NOTHING_YET, Entry, JournalRow, read, write
from tourney.event.field import lot_of, record, round_seed, standings
from tourney.event.fold import advance, fold, registered, sentence, taken_back
from tourney.event.kind import Decision, Describer, checked_reason
from tourney.event.ops import Kept, Ref, Unseated
from tourney.event.phrases import counted, listed
from tourney.event.players import Registration, clean_name, find
from tourney.event.results import Typed, clock_time
from tourney.event.seating import SeatingDraft, read_pairings
from tourney.event.state import Player, Round, State
from tourney.event.systems import UNSEATED, Ask
from tourney.event.texts import (
    DAMAGED,
    Sealing,
    Text,
    described,
    erased,
    every_ref,
    is_named,
    is_one_of,
    names_borne,
    personal_refs,
    refuse_texts_of_the_erased,
    registrations,
    spoken_refs,
)
from tourney.event.undo import Book
from tourney.event.view import next_steps, show, state_digest, summary
from tourney.record import PlayerId, Record
from tourney.standings import Profile
from tourney.standings.profile import LOT
from tourney.store.backup import FOLDER, backup, backups, erase_copies, events_holding, exports_holding
from tourney.store.data import Library
from tourney.store.export import export_event, import_event
from tourney.store.journal import Journal, Waiting
from tourney.store.place import warnings_about

if TYPE_CHECKING:
    from tourney.decks import Decklist, Verdict
    from tourney.desk.verifying import Evidence
    from tourney.pairing.dutch import Question
    from tourney.rules import Ruleset
    from tourney.standings import Standings
    from tourney.store.salvage import Salvaged


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
    rows: Sequence[JournalRow] = ()
    sealed: Sequence[Text] = ()
    entries: Sequence[Entry] = ()
    texts: Mapping[Ref, str | None] = field(default_factory=dict)
    erased: Sequence[Ref] = ()


class Erasure(NamedTuple):
    """What is deleted of a person who asks to be forgotten.

    numbers: every number that they were registered under, that which was asked for first
    texts:   by ref; decks: whose decks, of others, name them beside the cards
    """

    numbers: tuple[PlayerId, ...]
    texts: tuple[Ref, ...]
    decks: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One entry in words. undone: the entry that took it back, None if it stands."""

    entry: int
    at: str
    by: str
    text: str
    digest: str
    undone: int | None = None


class Ranked(NamedTuple):
    """What standings are made from: the record, the profile's edition, and the seed of the lot."""

    record: Record
    profile: Profile
    seed: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckReceipt(Receipt):
    """The answer to a decklist. verdict: `legal`, `illegal` or `unverified`; findings: all a check has to say.

    An illegal list is not registered (`entries` is empty) unless it was asked for.
    """

    verdict: str
    findings: tuple[Finding, ...] = ()


class Desk:
    """An event file opened for work by one scorekeeper. `create` or `open` it; `leave` it, or use it in a `with`.

    Every change is read–decide–append: it is decided on the event as it stands, and appended only if nobody wrote
    in between; otherwise it is decided again. What a method has answered is on the disk. Every method that changes
    returns a `Receipt` and raises TourneyError, with the event as it was, where the change is refused.

    Wherever a player is asked for (`who`), a name, an unambiguous prefix, `#7` or an id will do.

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
        settings: see `tourney.event.ops.Settings`; a choice of the format (`goal`) may be named like a setting

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
        session.last = session._receipt(session._entries[-1:], warnings, session._describer())
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
            try:
                with self._journal.turn():
                    before = self._state.entry
                    if self.refresh().entry != before:
                        foreseen = self._foresee(decide, sealing)
                    if foreseen.rows:
                        self._journal.append(
                            self._state.entry, foreseen.rows, foreseen.sealed, foreseen.erased
                        )
            except KeyboardInterrupt:
                if not self._is_written(foreseen):
                    raise
        if foreseen.rows:
            self._adopt(foreseen)
        return foreseen.receipt

    def _is_written(self, foreseen: _Foreseen) -> bool:
        """Say whether an interruption came too late: the entries are on the disk."""
        there = {row.digest for row in self._journal.rows(self._state.entry)}
        return bool(foreseen.rows) and there.issuperset(row.digest for row in foreseen.rows)

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
        receipt = self._receipt(new, decision.warnings, Describer(state, texts, entries))
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

    def _rows(self, written: Iterable[ops.Op], seal: Sealing) -> list[JournalRow]:
        rows: list[JournalRow] = []
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

    def _absorb(self, rows: list[JournalRow]) -> None:
        """Go on from the state with entries that are in the journal now."""
        if not rows:
            return
        new = read(rows, seq=self._state.entry, digest=self._state.digest)
        entries, before = [*self._entries, *new], self._state
        texts = self._read_texts(entries)
        self._state = self._after(new, entries, texts)
        self._entries, self._texts = entries, texts
        self._forget_rules(before)

    def _describer(self) -> Describer:
        return Describer(self._state, self._texts, self._entries)

    def _receipt(self, new: Sequence[Entry], warnings: Sequence[str], describer: Describer) -> Receipt:
        said = [f"{sentence(each.op, describer)} (entry {each.seq})." for each in new]
        return Receipt(
            entries=tuple(each.seq for each in new),
            changed=tuple(said),
            next=next_steps(describer.state),
            state=describer.state,
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

    # -- the event as a whole
    def undo(self, entry: int | None = None, *, reason: str | None = None) -> Receipt:
        """Take back your own last entry, or the entry named.

        Refused where later entries build on it (they are named), and for the creation of the event.
        """
        seal = self._seal()
        why = seal.maybe(checked_reason(reason))
        return self._change(lambda state: undo.undo(state, self._book(), entry, why), seal)

    def redo(self, entry: int | None = None, *, reason: str | None = None) -> Receipt:
        """Take back your own last undo, or the undo of the entry named."""
        seal = self._seal()
        why = seal.maybe(checked_reason(reason))
        return self._change(lambda state: undo.redo(state, self._book(), entry, why), seal)

    def _book(self) -> Book:
        return Book(self._entries, taken_back(self._entries), self._texts, self._own_refs())

    def change(
        self,
        *,
        name: str | None = None,
        profile: str | None = None,
        reason: str | None = None,
        **settings: Any,
    ) -> Receipt:
        """Change the event's name, its standings profile or settings (`tourney.event.ops.Settings`)."""
        seal = self._seal()
        kept = self._kept_profile(profile, seal) if profile else ()
        wanted = changed_settings(self.rules.format, settings, self.refresh().settings)
        return self._change(
            lambda state: event_admin.change(state, wanted, seal, name=name, profile=kept, reason=reason),
            seal,
        )

    def _kept_profile(self, name: str, seal: Sealing) -> tuple[Kept, ...]:
        gathering = Gathering(self._library)
        gathering.profile(name)
        for text in gathering.texts.values():
            seal.keep(text)
        return tuple(gathering.kept)

    def enter_beacon(self, value: str) -> Receipt:
        """Enter the public value that the event waits for, once; every seed has it from then on."""
        return self._change(lambda state: event_admin.enter_beacon(state, value))

    def close(self) -> Receipt:
        """End the event; a sealed event's secret is revealed. Refused while tables are still playing.

        Warned of where secret, seeds and recorded costs contradict each other; a secret that is not the one promised is
        never revealed.
        """

        def decided(state: State) -> Decision:
            from tourney.desk.verifying import seals

            doubts = [each.message for each in seals(self.evidence()) if each.severity is Severity.ERROR]
            return event_admin.close(state, self._journal.secret(), doubts)

        return self._change(decided)

    def reopen(self, *, reason: str | None = None) -> Receipt:
        """Take entries again."""
        seal = self._seal()
        return self._change(lambda state: event_admin.reopen(state, reason, seal), seal)

    def rebase(self, *, on: str | None = None, reason: str | None = None) -> Receipt:
        """Adopt the rules as the library has them now; the receipt says which files differ.

        A rule file that the event keeps and that is damaged is put right where the library has the very same.
        """
        state, seal = self.refresh(), self._seal()
        day = day_from(on) if on else date.fromisoformat(state.on)
        found = gather(
            self._library,
            format_name=state.format,
            profile=state.profile,
            banlist=state.banlist or None,
            day=day,
        )
        for text in found.texts:
            seal.keep(text)

        def decided(now: State) -> Decision:
            wanted = event_admin.rebase(now, day.isoformat(), found.kept, reason=reason, seal=seal)
            said = (*wanted.warnings, *found.warnings, *_differences(now.rules, found.kept))
            return dataclasses.replace(wanted, warnings=said) if wanted.op else wanted

        kept = {each.text for each in state.rules}
        mended = self._journal.mend([text for text in found.texts if text.ref in kept])
        receipt = self._change(decided, seal)
        if not mended:
            return receipt
        self._kept = None
        return dataclasses.replace(
            receipt, changed=(*receipt.changed, "Of the rules kept before, what was damaged was put right.")
        )

    def standings(
        self, *, profile: str | None = None, after: int | None = None, at: int | None = None
    ) -> Standings:
        """Rank the players.

        profile: another one than the event's, to look at; after: only the first that many rounds; at: as the event
        stood after that entry
        """
        asked = self.ranked(profile=profile, after=after, at=at)
        from tourney.standings import rank

        return rank(asked.record, asked.profile, seed=asked.seed)

    def ranked(
        self, *, profile: str | None = None, after: int | None = None, at: int | None = None
    ) -> Ranked:
        """Return what `standings` ranks, for other questions about it (`tourney.standings.why`, `compare`)."""
        state = self._state if at is None else self.at(at)
        found = record(state)
        if after is not None:
            if not 0 <= after <= len(found.rounds):
                raise TourneyError(f"there is no round {after} in the standings: {len(found.rounds)} so far")
            found = found.after(after)
        return Ranked(found, self.profile(profile), self.lot(state))

    def profile(self, name: str | None = None) -> Profile:
        """Return the event's own standings profile from its kept bytes, or another one from the library."""
        if name is None or name == self._state.profile:
            return self.rules.profile
        return self._library.profile(name).on(self.rules.day)

    def at(self, entry: int) -> State:
        """Return the event as it stood after `entry`."""
        if not 0 <= entry <= len(self._entries):
            raise TourneyError(f"there is no entry {entry}: they go up to {len(self._entries)}")
        return fold(self._entries[:entry], self._texts)

    def show(self) -> dict[str, Any]:
        """Return the event as plain data: what `event show --json` prints and the state digest is made of."""
        return show(self._state)

    def state_digest(self) -> str:
        """Return the SHA-256 of the canonical JSON of the event with names as refs; see `tourney.event.view`."""
        return state_digest(self._state)

    def log(self) -> tuple[LogLine, ...]:
        """Tell the event's story, an entry a line."""
        gone, describer = taken_back(self._entries), self._describer()
        return tuple(
            LogLine(
                entry=entry.seq,
                at=entry.at,
                by=self._texts.get(entry.by) or "a scorekeeper",
                text=sentence(entry.op, describer),
                digest=entry.digest,
                undone=gone.get(entry.seq),
            )
            for entry in self._entries
        )

    def check(self) -> tuple[Finding, ...]:
        """Look at the whole file: database pages, chain, every text, every rule, secret, seeds and recorded costs.

        Empty where all is well; what this copy cannot settle is `unverified`.
        """
        from tourney.desk.examining import examine, examine_shown
        from tourney.desk.verifying import seals

        found = (*examine(self._journal, self._entries, self.rules), *seals(self.evidence()))
        if any(each.rule == "rules" for each in found):
            return found  # without them nothing can be shown
        return (*found, *self._replayed(), *examine_shown(self._show_all))

    def _replayed(self, *, without_rules: bool = False) -> Iterator[Finding]:
        """Fold and show the event as it stood after each entry. without_rules: where they cannot be read, show all else."""
        from tourney.desk.examining import examine_history
        from tourney.event.view import show_what_changed

        rules: KeptRules | None = None

        def show(state: State, before: State) -> None:
            nonlocal rules
            if before.entry == 0 or _rules_differ(before, state):
                rules = KeptRules(state, self._journal.text)
                if without_rules and not _can_rank(rules):
                    rules = None
            next_steps(state)
            show_what_changed(state, before)
            show_rounds(state, before, rules)

        return examine_history(self._entries, self._texts, show)

    def _show_all(self) -> None:
        from tourney.event.view import ladder, round_view

        self.log()
        next_steps(self._state)
        points = ladder(self._state, self.rules.profile)
        for known in self._state.rounds:
            round_view(self._state, known, points)
        self.standings()

    @property
    def chain(self) -> tuple[str, ...]:
        """The digest of every entry, from entry 1."""
        return tuple(each.digest for each in self._entries)

    def evidence(self) -> Evidence:
        """Return what the file has to show for itself, for `tourney.desk.verifying`."""
        from tourney.desk.verifying import Evidence

        return Evidence(
            entries=self._entries,
            state=self._state,
            secret=self._journal.secret(),
            at=self.at,
            text=self._journal.text,
            dutch=dutch_engine,
            dutch_engine=dutch_version() if self._state.settings.system == "dutch" else "",
        )

    def deleted(self) -> frozenset[Ref]:
        """Return the texts deleted by request so far, after which the event is read as it stands.

        Where there are more after something was written out than before, it must be written anew.
        """
        gone = self._journal.gone()
        self.refresh()
        return gone

    def export(self, folder: Path, *, replace: bool = False) -> tuple[Path, Path]:
        """Write `<event>.jsonl` (everything, an entry a line) and `<event>.toml` (for people) into `folder`.

        They are written anew where somebody asked to be forgotten meanwhile: their texts must not come back.
        """
        while True:
            gone, state = self.deleted(), self._state
            open_secret = not state.sealed or state.closed
            written = export_event(
                self._journal, summary(state), folder, with_secret=open_secret, replace=replace
            )
            if self.deleted() == gone:
                return written
            replace = True

    @classmethod
    def import_(
        cls, source: Path, path: Path, *, by: str, clock: Clock, randomness: Randomness, library: Library
    ) -> Self:
        """Make the event file `path` from the exported `source`: the same entries, texts and digests.

        Raises TourneyError, with nothing left behind, where an entry does not fit those before it.
        """
        return import_event(
            source,
            path,
            lambda journal: cls._begun(
                journal, by=by, clock=clock, randomness=randomness, library=library
            ).sound_throughout(),
        )

    def sound_throughout(self) -> Self:
        """Return this desk; raise TourneyError naming the first entry up to which the event cannot be folded or shown.

        Rules that cannot be read, and what hangs on them, are the business of `check`: such an event can be looked at,
        and `event rebase` gives it others.
        """
        for each in self._replayed(without_rules=True):
            if each.severity is Severity.ERROR:
                raise TourneyError(each.message, each.hint)
        return self

    @classmethod
    def salvage(cls, path: Path, target: Path, *, library: Library) -> Salvaged:
        """Make the event file `target` of all that is intact in the damaged `path` and in the copies beside it.

        Raises TourneyError where nothing can be saved, or `target` is there already.
        """

        def today(kept: Kept) -> bytes | None:
            find = {"format": library.find_format, "profile": library.find_profile}.get(kept.kind)
            try:
                if kept.kind == "banlist":
                    return library.banlist_file(kept.name, day_from(kept.day)).content
                if kept.kind == "pool":
                    return library.find_pool(kept.name).head.encode()
                return find(kept.name).content if find else None
            except TourneyError:
                return None

        from tourney.store.salvage import salvage

        return salvage(path, target, today)

    def backup(self) -> Path:
        """Copy the event, whole and consistent, to `.tourney-backups/` beside it; return the copy's path."""
        state = self.refresh()
        return backup(self._journal, entry=state.entry, digest=state.digest)

    def with_copy(self, receipt: Receipt) -> Receipt:
        """Copy the event as it stands at a round's start, and let go of the oldest such copies.

        The entry of `receipt` is on the disk: that no copy could be made, or was waited for, is a warning of it.
        """
        state = receipt.state
        try:
            backup(self._journal, entry=state.entry, digest=state.digest, round_number=len(state.rounds))
        except (TourneyError, KeyboardInterrupt) as fault:
            said = f"{str(fault) or 'interrupted: no copy was made'}; the round is paired all the same"
            self.last = dataclasses.replace(receipt, warnings=(*receipt.warnings, said))
            return self.last
        return receipt

    def backups(self) -> tuple[Path, ...]:
        """Return the event's copies, newest first."""
        return backups(self.path)

    # -- players and their decks
    def who(self, text: str | PlayerId) -> PlayerId:
        """Return the player meant by a name, an unambiguous prefix, `#7` or an id.

        Raises TourneyError with "did you mean" for a near miss, and with the candidates for an ambiguous one.
        """
        return find(self.state.players, text)

    def add_player(
        self,
        name: str,
        *,
        rating: int | None = None,
        tags: Mapping[str, str] | None = None,
        byes: Mapping[int, str] | None = None,
        awarded: int = 0,
        table: int | None = None,
        contact: str | None = None,
        late: str | None = None,
    ) -> Receipt:
        """Register a player. Once a round was paired they play from the next one on.

        tags:    kind → text, such as club → `Harbour Club`; compared by `keep_apart`
        byes:    round → `awarded-bye`, `half-bye` or `absent`
        awarded: full-point byes for the first that many rounds
        table:   a fixed table
        late:    what missed rounds count for: `absent`, `bye` or `half-bye`; None: the event's setting
        """
        wanted = Registration(
            name=name,
            rating=rating,
            tags=tags or {},
            byes=byes or {},
            awarded=awarded,
            table=table,
            contact=contact,
            late=late,
        )
        seal = self._seal()
        return self._change(lambda state: players.add(state, [wanted], seal), seal)

    def add_players(self, names: Sequence[str]) -> Receipt:
        """Register players of whom only the names are known, in one entry, as `import_players` does."""
        wanted, seal = [Registration(name=each) for each in names], self._seal()
        return self._change(lambda state: players.add(state, wanted, seal, skip_known=True), seal)

    def import_players(self, text: str, *, source: str) -> Receipt:
        """Register many players in one entry: a name a line, or CSV with a header.

        Columns: name (or first and last), rating, table, awarded, byes, late; any other column is a tag of that kind.
        Names that are registered already are left out and warned of. Raises TourneyError with file and line.
        """
        from tourney.desk.player_list import read_players  # with what columns are called in many languages

        wanted, seal = read_players(text, source=source), self._seal()
        return self._change(lambda state: players.add(state, wanted, seal, skip_known=True), seal)

    def rename(self, who: str | PlayerId, name: str) -> Receipt:
        """Put a player's name right. Raises TourneyError where another player has it."""
        seal = self._seal()
        return self._change(lambda state: players.rename(state, find(state.players, who), name, seal), seal)

    def change_player(
        self,
        who: str | PlayerId,
        *,
        rating: int | str | None = players.KEEP,
        tags: Mapping[str, str] | None = None,
        byes: Mapping[int, str] | None = None,
        table: int | str | None = players.KEEP,
        contact: str | None = players.KEEP,
    ) -> Receipt:
        """Change facts of a player; what is not named stays (None clears a rating or a table).

        tags: added or replaced; an empty text takes a tag away. byes: round → `awarded-bye`, `half-bye`, `absent`,
        or `play` to lift what was announced. Rounds already paired are refused (`result`, `round edit`).
        """
        facts = players.Facts(rating=rating, table=table, contact=contact, tags=tags or {}, byes=byes or {})
        seal = self._seal()
        return self._change(lambda state: players.change(state, find(state.players, who), facts, seal), seal)

    def drop(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Take players out from the next round on. If they sit at a table that is still playing, a warning says so."""
        seal = self._seal()
        return self._change(lambda state: players.drop(state, _all(state, who), reason, seal), seal)

    def return_(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Let players who had dropped play again from the next round on; rounds missed are absences."""
        seal = self._seal()
        return self._change(lambda state: players.return_(state, _all(state, who), reason, seal), seal)

    def disqualify(self, who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Take a player out of the ranking; those who met them still have."""
        seal = self._seal()
        return self._change(
            lambda state: players.disqualify(state, find(state.players, who), reason, seal), seal
        )

    def check_in(self, *who: str | PlayerId) -> Receipt:
        """Note that players were seen at the desk."""
        return self._change(lambda state: players.check_in(state, _all(state, who)))

    def erase(self, who: str | PlayerId) -> Receipt:
        """Delete a person's name, deck and notes from the file; entries, chain and standings hold.

        So do what others wrote that names them (a whole deck, where a remark in it does), what they signed as a
        scorekeeper, registrations of the same name that were taken back, and all of it in the copies in
        `.tourney-backups/`. Cannot be undone. Exports and pages made before keep the texts; the receipt says so.
        Raises TourneyError where the event itself is called after them.
        """
        self.refresh()
        player, seal = self.person(who).id, self._seal()
        gone = Erasure((player,), (), ())

        def decided(state: State) -> Decision:
            nonlocal gone
            entries, gone = self._entries, self.erasure(player)
            if state.name_ref in gone.texts:
                raise TourneyError(
                    f"the event is called `{state.name}`, after them, so nothing was deleted",
                    "give it another name first: `tourney event change --name NAME`",
                )
            refs = {ref for ref, whose in erased(entries).items() if whose in gone.numbers} | {*gone.texts}
            if is_one_of(self._by, self._names_of(gone.numbers)):
                refs.add(self._own_ref(seal))  # they delete what is known of themselves, and sign it
            known = self._journal.held(refs) | {each.ref for each in seal.texts}
            done = [each.op.numbers for each in entries if isinstance(each.op, ops.PlayerBlanked)]
            again = set(gone.numbers).issubset(number for numbers in done for number in numbers)
            return players.erase(gone.numbers, sorted(known), again=again)

        receipt = self._change(decided, seal)
        if receipt.entries:  # what is told should the tidying be interrupted
            self.last = replace(receipt, warnings=(*receipt.warnings, _half_tidied(gone)))
        self.last = self._tidied(receipt, gone)
        return self.last

    def erasure(self, who: str | PlayerId) -> Erasure:
        """Return what `erase` deletes of a person. Raises TourneyError as `person` does."""
        player, state = self.person(who).id, self.state
        numbers = registrations(
            self._entries,
            self._texts,
            player,
            everybody=registered(self._entries, self._texts),
            standing=state.players,
        )
        remarks = self._remarks_naming(self._names_of(numbers))
        refs = personal_refs(self._entries, numbers, self._texts, remarks, event=state.name_ref)
        decks = [
            known.id
            for known in state.players.values()
            if known.id not in numbers
            and known.deck
            and known.deck.text in remarks
            and known.deck.text in refs
        ]
        return Erasure(numbers, refs, tuple(decks))

    def _names_of(self, numbers: Iterable[PlayerId]) -> set[str]:
        borne = names_borne(self._entries, self._texts)
        return {name for each in numbers for name in borne.get(each, ())}

    def _remarks_naming(self, names: set[str]) -> Mapping[Ref, str]:
        """Return what stands beside the cards in each deck that holds a word of a person's names."""
        found = {}
        for ref in {each.op.text for each in self._entries if isinstance(each.op, ops.DeckSubmitted)}:
            with suppress(TourneyError):  # a damaged text is the business of `event check`
                text = self._journal.text(ref)
                if text and is_named(text, names):
                    found[ref] = _beside_the_cards(text)
        return found

    def person(self, who: str | PlayerId) -> Player:
        """Return the player meant, also one whose registration was taken back: they, too, may ask to be forgotten.

        Raises TourneyError as `who` does.
        """
        try:
            return self.state.players[self.who(who)]
        except TourneyError:
            everybody = registered(self._entries, self._texts)
            gone = {player: known for player, known in everybody.items() if player not in self.state.players}
            with suppress(TourneyError):
                return gone[find(gone, who)]
            raise

    def _tidied(self, receipt: Receipt, gone: Erasure) -> Receipt:
        """Delete erased texts wherever else they lie here; what cannot be done is a warning: the entry stands."""
        warnings, changed = [*receipt.warnings], [*receipt.changed]
        for each in gone.decks if receipt.entries else ():
            name = self.state.players[each].name
            warnings.append(
                f"the deck of {name} named them beside its cards, so its text is gone, too; `tourney player deck '#{each}' FILE` registers it anew"
            )
        refs = erased(self._entries).keys()
        exports: Sequence[str] = ()
        others: Sequence[str] = ()
        try:
            try:
                self._journal.compact()
            except TourneyError as fault:
                warnings.append(f"unused places of the file may still hold the texts: {fault}")
            copies, troubles = erase_copies(self.path, refs)
            changed += (
                [f"They are gone from {counted(copies, 'copy', 'copies')} in {FOLDER}/, too."]
                if copies
                else []
            )
            warnings += troubles
            exports = exports_holding(self.path, refs)
            others = events_holding(self.path, refs)
        except KeyboardInterrupt:
            warnings.append(_half_tidied(gone))
        if others:
            hold = (
                "is another file of this event and still holds"
                if len(others) == 1
                else "are other files of this event and still hold"
            )
            warnings.append(
                f"{listed(others)} {hold} the texts: delete what is not needed, or `tourney player blank '#{min(gone.numbers)}' -e FILE`"
            )
        still = f"delete them: {', '.join(exports)}" if exports else "delete them, and publish again"
        warnings.append(f"exports and pages made before this still hold the texts; {still}")
        return replace(receipt, changed=tuple(changed), warnings=tuple(warnings))

    def submit_deck(
        self, who: str | PlayerId, data: str | bytes, *, source: str, anyway: bool = False
    ) -> DeckReceipt:
        """Check a decklist under the event's own rules and register it, unless it is illegal.

        data:   the list, as text or as a file's bytes in whatever encoding (UTF-16 and Latin-1 are recognised)
        source: the file's name, for the findings; anyway: register an illegal list too
        """
        player = self.who(who)
        text, decklist, verdict = self.judge_deck(data, source=source)
        if verdict.verdict == "illegal" and not anyway:
            return self._not_registered(player, verdict)
        cards = pool_lines(self._library, self.rules.format.pool, decklist)
        seal = self._seal()
        receipt = self._change(
            lambda state: decks.submit(state, player, text, verdict=verdict.verdict, cards=cards, seal=seal),
            seal,
        )
        return _with_verdict(receipt, verdict)

    def judge_deck(self, data: str | bytes, *, source: str) -> tuple[str, Decklist, Verdict]:
        """Read a decklist and hold it against the event's own rules: its text, the list as read, the verdict.

        Raises TourneyError where it is no decklist, RulesError where the rules or the card pool will not do.
        """
        from tourney.decks import check
        from tourney.decks.reading import read
        from tourney.decks.reading.headers import vocabulary_of
        from tourney.decks.reading.text import decode

        with fault_of_the_rules():
            ruleset = self.ruleset()
        text, _ = decode(data, source=source)
        decklist = read(text, source=source, vocabulary=vocabulary_of(ruleset.format))
        return text, decklist, check(decklist, ruleset)

    def ruleset(self) -> Ruleset:
        """Return the event's own rules with the library's card pool, as decks are held against them."""
        from tourney.rules import Ruleset

        rules = self.rules
        pool = self._library.pool_of(rules.format)
        none = (
            rules.banlist is None
        )  # `event new` asked for one or for `--banlist none`: the organizer's choice
        return Ruleset(rules.format, rules.banlist, pool, rules.day, self.state.settings.choices, none)

    def _not_registered(self, player: PlayerId, verdict: Verdict) -> DeckReceipt:
        name = self.state.players[player].name
        receipt = Receipt(
            entries=(),
            changed=(f"The deck of {name} is illegal and was not registered.",),
            next=(),
            state=self.state,
        )
        return _with_verdict(receipt, verdict)

    def deck_text(self, who: str | PlayerId) -> str:
        """Return the registered list of a player. Raises TourneyError where there is none."""
        player = self.state.players[self.who(who)]
        if player.deck is None:
            raise TourneyError(
                f"{player.name} has no registered deck", f'`tourney player deck "{player.name}" FILE`'
            )
        try:
            text = self._journal.text(player.deck.text)
        except TourneyError:
            raise TourneyError(
                f"the deck of {player.name} is damaged", f"{ALTERED}, or register it anew"
            ) from None
        if text is None:
            raise TourneyError(f"the deck of {player.name} was deleted by request")
        return text

    def waive_deck(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Note that players need not hand in a list."""
        seal = self._seal()
        return self._change(lambda state: decks.waive(state, _all(state, who), reason, seal), seal)

    def penalize(self, who: str | PlayerId, kind: str, *, reason: str | None = None) -> Receipt:
        """Note a penalty, `kind` as the organizer calls it (`warning`, `game loss`). It changes no result by itself."""
        seal = self._seal()
        return self._change(
            lambda state: penalties.penalty(state, find(state.players, who), kind, reason=reason, seal=seal),
            seal,
        )

    def record_audit(self, who: str | PlayerId, *, clean: bool, found: str | None = None) -> Receipt:
        """Note that a deck was checked at the table; what was found is needed where it was not in order."""
        seal = self._seal()
        return self._change(
            lambda state: penalties.audit(
                state, find(state.players, who), clean=clean, found=found, seal=seal
            ),
            seal,
        )

    # -- rounds
    def pair_round(self, *, by_hand: str | None = None, source: str = "-") -> Receipt:
        """Pair the next round by the event's system (in the cut: the bracket's next matches).

        by_hand: the organizer's own tables, a line each: `Mira - Tomo`, `4: Mira - Tomo`, `Mira vs Tomo`, `Ada bye`,
                 `Ada half-bye`, `Ada awarded-bye`, `Ada absent`; checked, and warned of where it is not as engines
                 would have it. source names the text in messages

        Refused while tables are still playing, after the last planned round, and with fewer than two players.
        """
        if by_hand is None:
            return self._change(lambda state: rounds.pair(self._ask(state)))
        return self._change(
            lambda state: rounds.pair_by_hand(
                self._ask(state, dice=False), read_pairings(state, by_hand, source=source)
            )
        )

    def _ask(self, state: State, number: int | None = None, *, dice: bool = True) -> Ask:
        wanted = number or len(state.rounds) + 1
        return Ask(
            state=state,
            profile=self.rules.profile,
            number=wanted,
            seed=self._seed(state, wanted) if dice else "",
            dutch=dutch_engine,
            dutch_engine=dutch_version() if state.settings.system == "dutch" else "",
        )

    def swap(self, one: str | PlayerId, other: str | PlayerId, *, reason: str | None = None) -> Receipt:
        """Let two players of the current round change seats (a seat and a bye too). Tables with a result are refused."""
        return self._edit(
            lambda plan, state: plan.swap(find(state.players, one), find(state.players, other)), reason
        )

    def seat(self, table: int, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Seat exactly these players at a table of the current round; whoever they leave behind changes places."""
        return self._edit(
            lambda plan, state: plan.seat(table, [find(state.players, each) for each in who]), reason
        )

    def bye(self, who: str | PlayerId, kind: str = "bye", *, reason: str | None = None) -> Receipt:
        """Take a player from their table of the current round: `bye`, `awarded-bye`, `half-bye` or `absent`.

        An opponent who is left alone takes the seat of whoever had the bye, else has a bye.
        """
        if kind not in UNSEATED.values():
            raise TourneyError(f"`{kind}` is no kind of bye", f"it is {listed(UNSEATED.values(), 'or')}")
        unseated = cast("Unseated", kind)
        return self._edit(lambda plan, state: plan.bye(find(state.players, who), unseated), reason)

    def _edit(self, move: Callable[[SeatingDraft, State], None], reason: str | None) -> Receipt:
        seal = self._seal()

        def decided(state: State) -> Decision:
            plan = rounds.plan_of(state)
            move(plan, state)
            return rounds.edit(state, plan, reason, seal)

        return self._change(decided, seal)

    def repair_round(self, *, reason: str | None = None) -> Receipt:
        """Pair the current round again around what changed, with the fewest tables touched; never one with a result.

        Where results of earlier rounds were corrected since, the open tables become the best round on the results as
        they stand, and of the best the one that changes the fewest.
        """
        seal = self._seal()
        return self._change(lambda state: self._repaired(state, reason, seal), seal)

    def repairable(self) -> Decision | None:
        """Return what `repair_round` would do now, None where it would refuse. Changes nothing."""
        try:
            return self._repaired(self.state, None, self._seal())
        except TourneyError:
            return None

    def _repaired(self, state: State, reason: str | None, seal: Sealing) -> Decision:
        ask = self._ask(state, max(len(state.rounds), 1))
        from tourney.desk.questions import since

        moved = since(self.evidence(), state.rounds[-1]).moved if state.rounds else {}
        return rounds.repair(ask, reason, seal, moved)

    def cancel_round(self, *, reason: str | None = None) -> Receipt:
        """Take back the last round with its results. Can be undone."""
        seal = self._seal()
        return self._change(lambda state: rounds.cancel(state, reason, seal), seal)

    def force(
        self, *who: str | PlayerId, round_number: int | None = None, table: int | None = None
    ) -> Receipt:
        """Fix a pairing of a round (None: the next to be paired), at `table` if named."""
        return self._change(
            lambda state: rounds.force(state, _each_of(state, who), number=round_number, table=table)
        )

    def forbid(self, *who: str | PlayerId, hard: bool = True, reason: str | None = None) -> Receipt:
        """Keep players apart: never to meet (hard), or only where it cannot be helped."""
        seal = self._seal()
        return self._change(
            lambda state: rounds.forbid(state, _each_of(state, who), hard=hard, reason=reason, seal=seal),
            seal,
        )

    def start_round(self, minutes: int | None = None) -> Receipt:
        """Start the clock of the current round (None: the event's minutes; 0: no limit)."""
        return self._change(lambda state: rounds.start(state, minutes))

    def extend(self, table: int, minutes: int, *, reason: str | None = None) -> Receipt:
        """Give a table of the current round more time."""
        seal = self._seal()
        return self._change(
            lambda state: rounds.extend(state, table, minutes, reason=reason, seal=seal), seal
        )

    def cut(
        self,
        size: int,
        *,
        kind: str = "single",
        reseed: bool = False,
        third_place: bool = False,
        vacancy: str = "opponent",
        lot: bool = False,
    ) -> Receipt:
        """Make the bracket of the first `size` of the standings; the next `pair_round` pairs it.

        lot: where the profile leaves players level, the lot of the event's seed decides, as in a profile that ends in
             one; the entry says so

        Refused while tables are still playing, and where the standings leave a tie across the line without a lot.
        """
        profile = self.rules.profile
        if lot and LOT not in profile.order:
            from tourney.standings import with_order

            profile = with_order(profile, [*profile.order, LOT])
        return self._change(
            lambda state: brackets.cut(
                state,
                standings(state, profile, self.lot(state)),
                size,
                kind=kind,
                reseed=reseed,
                third_place=third_place,
                vacancy=vacancy,
                lot=lot and bool(self.lot(state)),
            )
        )

    # -- results
    def report(
        self,
        table: int | str,
        score: str,
        *,
        scores: str | None = None,
        time: bool = False,
        round_number: int | None = None,
    ) -> Receipt:
        """Enter the result of a table, or of several: `4`, `4..7`, `2,4,9`.

        score:  `2-1`, `2-1-1`, `w`, `l`, `d`, `½-½`, `=`, `id`, `ff1`, `ff2`, `dl`; more seats: places `1,3,2`
        scores: victory points in seat order, `32,18`
        time:   the match ended by time, so that an unfinished score is allowed
        round_number: None: the current one

        The same result again is a success (`already`); a different one is refused (`change_result`).
        """
        typed = Typed(tables=table, score=score, scores=scores, time=time)
        return self._change(lambda state: results.report(state, [typed], round_number))

    def report_block(
        self, lines: Iterable[str], *, source: str = "-", time: bool = False, round_number: int | None = None
    ) -> Receipt:
        """Enter lines `4 2-1` or `4 2-1 32,18` in one entry, all or none.

        Blank lines and `#` comments are skipped. Raises TourneyError naming every line at fault.
        """
        typed = results.typed_lines(lines, source=source, time=time)
        return self._change(lambda state: results.report(state, typed, round_number))

    def change_result(
        self,
        table: int,
        score: str,
        *,
        scores: str | None = None,
        time: bool = False,
        round_number: int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Put a table's result right; score `-` takes it away, so that the table plays on.

        A warning says which later rounds were paired from the old one.
        """
        typed, seal = Typed(tables=table, score=score, scores=scores, time=time), self._seal()
        return self._change(
            lambda state: results.change(state, typed, number=round_number, reason=reason, seal=seal), seal
        )


def _rules_differ(one: State, other: State) -> bool:
    return (one.rules, one.on) != (other.rules, other.on)


def _show(state: State, before: State, rules: KeptRules) -> None:
    """Show the event once as `event show` has it, and the rounds that are not as they were. Raises TourneyError."""
    state_digest(state)
    show_rounds(state, before, rules)


def show_rounds(state: State, before: State, rules: KeptRules | None) -> None:
    """Show the tables that are not as they were in `before`; under other rules all of them. Raises TourneyError.

    rules: None where they cannot be read, and nobody's points can be told
    """
    from tourney.event.view import WITHOUT_POINTS, changed_tables, ladder, round_view

    other_rules = _rules_differ(before, state)
    known = {} if other_rules else {each.number: each for each in before.rounds}
    moved = [(each, changed_tables(each, known.get(each.number))) for each in state.rounds]
    changed = [(each, tables) for each, tables in moved if tables is not None]
    if changed:
        # A result of those who sit there can be counted, as folding has seen; counting takes longer than all the rest.
        same = not other_rules and all(_seated_so(before, each) for each, _ in changed)
        points = WITHOUT_POINTS if same or rules is None else ladder(state, rules.profile)
        for each, tables in changed:
            shown = {number: each.tables[number] for number in tables} if same else each.tables
            round_view(state, replace(each, tables=shown), points)


def _can_rank(rules: KeptRules) -> bool:
    try:
        return bool(rules.profile)
    except TourneyError:
        return False


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


def _beside_the_cards(text: str) -> str:
    """Return a decklist without the names of its cards: title, remarks, and what else is said in it."""
    from tourney.decks.reading import read

    try:
        deck = read(text, source="the deck")
    except TourneyError:
        return text
    cards = sorted({line.name for line in (*deck.lines, *deck.aside)}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, cards)), " ", text) if cards else text


def _half_tidied(gone: Erasure) -> str:
    return (
        f"interrupted: unused places of the file and copies in {FOLDER}/ may still hold the texts; "
        f"`tourney player blank '#{min(gone.numbers)}'` once more deletes them there"
    )


def _all(state: State, who: Sequence[str | PlayerId]) -> tuple[PlayerId, ...]:
    if not who:
        raise TourneyError("no player was named")
    return tuple(find(state.players, each) for each in who)


def _with_verdict(receipt: Receipt, verdict: Verdict) -> DeckReceipt:
    return DeckReceipt(
        entries=receipt.entries,
        changed=receipt.changed,
        next=receipt.next,
        state=receipt.state,
        already=receipt.already,
        warnings=(*receipt.warnings, *([verdict.cause.message] if verdict.cause else ()), *verdict.notes),
        verdict=verdict.verdict,
        findings=verdict.findings,
    )


def _each_of(state: State, who: Sequence[str | PlayerId]) -> tuple[PlayerId, ...]:
    return tuple(find(state.players, each) for each in who)


def dutch_engine(question: Question) -> tuple[tuple[int, int], ...]:
    """Ask FIDE's engine, a process of its own. Raises TourneyError where it is not installed or refuses."""
    from tourney.store.fide import dutch_pairs

    return dutch_pairs(question)


def dutch_version() -> str:
    """Return name and version of the engine of the Dutch system; empty where it is not installed."""
    from tourney.store.fide import version

    return version()


def _differences(old: Sequence[Kept], new: Sequence[Kept]) -> tuple[str, ...]:
    """Say which rule files are new, which have changed and which are gone."""
    before, after = ({(each.kind, each.name): each for each in kept} for kept in (old, new))
    said = []
    for key in sorted({*before, *after}):
        kind, name = key
        if key not in after:
            said.append(f"{kind} {name} holds no more")
        elif key not in before:
            said.append(f"{kind} {name} is new")
        elif before[key].text != after[key].text:
            day = f" ({after[key].day})" if after[key].day else ""
            said.append(f"{kind} {name} has changed{day}")
    return tuple(said)


@contextmanager
def no_collecting() -> Iterator[None]:
    """Keep Python's cyclic garbage collector from running; it would go through every value again and again.

    With 45,000 entries this is the difference between 1.1 s and 0.65 s. What was made is set apart at the end, so that
    later collections do not go through it either; states hold no cycles, so nothing is kept that would be freed.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
