"""An open event: to read (`OpenEvent`), or for a scorekeeper to change (`WritableEvent`).

An event can stay open for hours while others write to the same journal. `refresh` reads only the new entries,
and nothing is locked in between. An open event belongs to the thread that opened it; each thread opens its
own.

`write` reads, folds, decides and appends. Everything about a change is worked out (the next state, the
receipt) before it is appended. The change is appended only if the journal still ends where it was read;
otherwise the decision is made again. When `write` returns, the change is on the disk; nothing can fail after
the commit.

To *fold* entries is to compute the event's state from them. Entries do not contain texts such as names, but
*refs*, the keys of the texts.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from functools import cache, cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, Self

from msgspec import Struct
from msgspec.structs import replace

import tourney.standings as rankings
from tourney.desk.evidence import Evidence
from tourney.desk.receipts import Receipt
from tourney.desk.rules import KeptRules
from tourney.errors import DamagedSecretError, TourneyError
from tourney.event import ops
from tourney.event.claims import CallRow, ClaimedResult, open_calls, open_claims
from tourney.event.decks import locked_since
from tourney.event.entry import (
    ALTERED,
    DAMAGED,
    Entry,
    JournalRow,
    Sealing,
    Text,
    every_ref,
    read,
    shown_refs,
    signed_refs,
    text_descriptions,
    write_entries,
)
from tourney.event.field import NO_SECRET, damaged_secret_error, is_secret_damaged, lot_of, record
from tourney.event.fold import advance, fold, refuse_texts_of_the_erased, sentence, sentences, undos_by_entry
from tourney.event.kind import Decision, EventChange, EventReading
from tourney.event.names import clean_name, find
from tourney.event.ops import PlayerErased, Ref, Undone
from tourney.event.state import State
from tourney.record import PlayerId, Record, drops_before
from tourney.store.journal import Journal
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.rules.scoring import Scoring, Unscored
    from tourney.store.data import Library
    from tourney.store.devices import Device

Clock = Callable[[], datetime]
"""A function that returns the time, with its zone."""

Randomness = Callable[[int], bytes]
"""A function that returns a number of unpredictable bytes, such as `secrets.token_bytes`."""

_REFOLDING = (Undone, PlayerErased)
"""Entries that change the effect or the texts of earlier entries.

After them the whole journal is folded again.
"""


class Workplace(Struct, frozen=True, dict=True):
    """What opening an event needs: the scorekeeper's name, and resources of the machine.

    by:           the scorekeeper's name, which signs the entries
    clock:        returns the time, with its zone
    randomness:   the source of secrets and salts
    open_library: opens the library of this machine (formats, ban lists, card pools); called when first needed
    """

    by: str
    clock: Clock
    randomness: Randomness
    open_library: Callable[[], Library]

    @cached_property
    def library(self) -> Library:
        """The library of this machine: its formats, ban lists, card pools and more."""
        return self.open_library()


def _extend_reading(
    reading: EventReading, new: Sequence[Entry], texts: Mapping[Ref, str | None]
) -> EventReading:
    """Return the event as it is after the entries `new`.

    reading: the event before these entries
    texts:   the texts of all entries
    """
    entries = [*reading.entries, *new]
    if not any(isinstance(entry.op, _REFOLDING) for entry in new):
        return EventReading(advance(reading.state, new, texts), texts, entries)
    with no_collecting():
        return EventReading(fold(entries, texts), texts, entries)


class LogLine(Struct, frozen=True, kw_only=True):
    """One entry of the journal in words.

    entry: its number
    at: when it was written
    by: who signed it
    text: what happened
    digest: the digest of the journal up to this entry
    undone: the entry that undid it; None if it was not undone
    lines: `text` divided into lines; a block of results has a line for each table
    """

    entry: int
    at: str
    by: str
    text: str
    digest: str
    undone: int | None = None
    lines: tuple[str, ...] = ()

    @property
    def minute(self) -> str:
        """The day and time when the entry was written: `2026-10-04 14:05`."""
        return self.at[:16].replace("T", " ")


class RankingInput(NamedTuple):
    """The input from which standings are computed.

    record:  the results
    profile: the edition of the standings profile that applies
    seed:    the seed of the lots that break ties; empty if no lot can be drawn
    no_lot:  why no lot can be drawn; empty if one can be drawn
    """

    record: Record
    profile: rankings.Profile
    seed: str
    no_lot: str = ""


class OpenEvent:
    """An event opened for reading.

    place:          the file or database of the event
    journal:        its open journal
    workplace:      the clock, the randomness and the library
    by:             the name that signs entries
    reading:        the event as last read
    past:           the number of the last entry, if this is an earlier state (`as_of`); otherwise None
    secret_damaged: whether the stored secret does not match the hash in entry 1
    """

    def __init__(self, journal: Journal, workplace: Workplace) -> None:
        self.place = journal.place
        self.journal = journal
        self.workplace = workplace
        self.by = workplace.by
        self.reading = EventReading()
        self.past: int | None = None
        self.secret_damaged = False
        self._rules: KeptRules | None = None
        self._evidence: Evidence | None = None

    def leave(self) -> None:
        """Close the journal."""
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    # -- reading the journal

    def load(self) -> None:
        """Read the whole event.

        Raises a TourneyError that names the first entry that was altered or cannot be read.
        """
        with no_collecting():
            rows = self.journal.rows()
            if not rows:
                raise TourneyError(f"{self.place.name} holds no entries")
            entries = read(rows)
            texts = self._all_texts(entries)
            self.reading = EventReading(fold(entries, texts), texts, entries)
            self.secret_damaged = is_secret_damaged(self.state, self.journal.secret())
            # A name that has signed entries before was checked then. A player signs by number, which is not a
            # name.
            if self.by.startswith("#") or not self.own_refs():
                self.by = clean_name(self.by, noun="scorekeeper's name")
            gc.freeze()  # states have no cycles, so later collections can skip them

    def refresh(self) -> State:
        """Read the entries that others wrote meanwhile, and return the current state.

        Only new entries are read and folded. The whole journal is folded again only if a new entry changes
        the effect of earlier entries (an undo, an erasure).
        """
        rows = self.journal.rows(self.state.entry)
        if rows:
            new = read(rows, seq=self.state.entry, digest=self.state.digest)
            self.reading = _extend_reading(self.reading, new, self._texts_with(new))
        return self.state

    def _all_texts(self, entries: Sequence[Entry]) -> dict[Ref, str | None]:
        """Return ref → text, for the entries' short texts, such as names.

        A ref is the key by which an entry refers to a text. A text that is missing counts as damaged.
        """
        texts = self.journal.short_texts()
        texts.update(dict.fromkeys(shown_refs(entries) - texts.keys(), DAMAGED))
        return texts

    def _texts_with(self, new: Sequence[Entry]) -> Mapping[Ref, str | None]:
        """Return the texts that were read so far, and the texts of the entries `new`."""
        if any(isinstance(entry.op, _REFOLDING) for entry in new):  # earlier texts may be deleted
            return self._all_texts([*self.entries, *new])
        new_refs = {ref for entry in new for ref in every_ref(entry)} - self.texts.keys()
        if not new_refs:
            return self.texts
        texts = self.journal.short_texts(new_refs)
        missing_texts = dict.fromkeys((shown_refs(new) & new_refs) - texts.keys(), DAMAGED)
        return {**self.texts, **missing_texts, **texts}

    # -- the current reading

    @property
    def state(self) -> State:
        """The state of the event, as last read."""
        return self.reading.state

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries of the event's journal, as last read."""
        return self.reading.entries

    @property
    def texts(self) -> Mapping[Ref, str | None]:
        """The short texts to which the event's entries refer, by `Ref` (the key of a text).

        A text is None if it was deleted by request. Texts longer than 2048 bytes are not included.
        """
        return self.reading.texts

    @property
    def chain(self) -> tuple[str, ...]:
        """The digest of every entry, from entry 1."""
        return tuple(entry.digest for entry in self.entries)

    @property
    def damaged_texts(self) -> tuple[str, ...]:
        """Descriptions of the texts that are damaged, such as `the name of #7`.

        In place of a damaged text, `(damaged)` is shown.
        """
        damaged_refs = [ref for ref, text in self.texts.items() if text is DAMAGED]
        uses = text_descriptions(self.entries) if damaged_refs else {}
        return tuple(sorted(uses[ref].title for ref in damaged_refs if ref in uses))

    def own_refs(self) -> frozenset[Ref]:
        """Return the refs by which entries are signed with this scorekeeper's name.

        An entry is signed with a ref, the key of a stored text. Several refs can lead to the same name.
        """
        return signed_refs(self.entries, self.texts, self.by)

    def find_player(self, text: str | PlayerId, *, bare: bool = True) -> PlayerId:
        """Return the player with a name, an unambiguous prefix, `7`, `#7` or an id.

        bare: whether `7` is accepted

        Raises TourneyError if there is no such player; the message suggests a similar name if
        there is one. Also raises it if a prefix is ambiguous; the message lists the players.
        """
        return find(self.state.players, text, bare=bare)

    # -- earlier states

    def at(self, entry: int) -> State:
        """Return the state after `entry` (0: before the first entry)."""
        if not 0 <= entry <= len(self.entries):
            raise TourneyError(f"there is no entry {entry}: the last one is {len(self.entries)}")
        return fold(self.entries[:entry], self.texts)

    def as_of(self, entry: int) -> Self:
        """Return the event as it was after `entry`, with its rules at that time, for reading only.

        Raises TourneyError for an entry that does not exist.
        """
        if not 1 <= entry <= len(self.entries):
            raise TourneyError(
                f"there is no entry {entry}: entries go from 1 to {len(self.entries)}",
                "`tourney event log` lists the entries",
            )
        event = type(self)(self.journal, self.workplace)
        event.by = self.by
        event.reading = EventReading(self.at(entry), self.texts, self.entries[:entry])
        event.past = entry
        return event

    # -- the log

    def log(self, after: int = 0) -> tuple[LogLine, ...]:
        """Return the entries after entry `after` in words, including undone entries."""
        return self._log_lines(self.entries[after:])

    def entered_on(self, device: Device) -> tuple[LogLine, ...]:
        """Return the entries from a device of a player or of the staff, including undone entries."""
        signature = device.signature if device.player is None else f"#{device.player}"
        since = datetime.fromisoformat(device.made)
        until = datetime.fromisoformat(device.ended) if device.ended else None
        entries = []
        for entry in self.entries:
            if self.texts.get(entry.by) != signature:
                continue
            at, device_ref = datetime.fromisoformat(entry.at), getattr(entry.op, "device", None)
            in_time = since <= at and (until is None or at <= until)
            if in_time and (device_ref is None or self.texts.get(device_ref) == device.words):
                entries.append(entry)
        return self._log_lines(entries)

    def own_last(self) -> LogLine | None:
        """Return the entry that `undo` would undo: the scorekeeper's last entry that is not undone.

        Returns None if there is no such entry.
        """
        undone_entries, own_refs = undos_by_entry(self.entries), self.own_refs()
        for entry in reversed(self.entries):
            if entry.by in own_refs and entry.seq not in undone_entries and not isinstance(entry.op, Undone):
                return self._log_lines([entry])[0]
        return None

    def _log_lines(self, entries: Sequence[Entry]) -> tuple[LogLine, ...]:
        if not entries:
            return ()
        undone_entries, context = undos_by_entry(self.entries), self.reading
        return tuple(
            LogLine(
                entry=entry.seq,
                at=entry.at,
                by=context.signer(entry.by),
                text=sentence(entry.op, context),
                digest=entry.digest,
                undone=undone_entries.get(entry.seq),
                lines=sentences(entry.op, context),
            )
            for entry in entries
        )

    # -- rules, lists, and reports from players

    @property
    def library(self) -> Library:
        """The library of this machine: its formats, ban lists, card pools and more."""
        return self.workplace.library

    @property
    def rules(self) -> KeptRules:
        """The event's rules, read from the files that it keeps."""
        if self._rules is None or not self._rules.state.has_rules_of(self.state):
            self._rules = KeptRules(self.state, self.journal.text)
        return self._rules

    def scoring(self) -> Scoring | Unscored:
        """Return how a game is decided, by the format and the organizer's choices.

        Raises TourneyError if the event's format cannot be read.
        """
        # Loads the rules of decks, which most results do not need.
        from tourney.rules.scoring import game_rules

        format_, choices = self.rules.format, self.state.settings.match.choices
        return game_rules(format_.name, format_.match, format_.settings, choices)

    def lock_text(self, state: State) -> str:
        """Return since when players' decks are locked, in words; empty if they are not locked."""
        return locked_since(state, self.workplace.clock())

    def deck_text(self, who: str | PlayerId) -> str:
        """Return the registered list of a player.

        Raises TourneyError if there is none or it cannot be read.
        """
        player = self.state.players[self.find_player(who)]
        if player.deck is None:
            raise TourneyError(
                f"{player.name} has no registered deck", f'`tourney player deck "{player.name}" FILE`'
            )
        try:
            text = self.journal.text(player.deck.text)
        except TourneyError:
            hint = f"{ALTERED}, or register it again"
            raise TourneyError(f"the deck of {player.name} is damaged", hint) from None
        if text is None:
            raise TourneyError(f"the deck of {player.name} was deleted by request")
        return text

    def claims(self) -> tuple[ClaimedResult, ...]:
        """Return players' reports that are not entered yet.

        Reports that the desk must settle come first.
        """
        return open_claims(self.state, self.workplace.clock(), self.texts)

    def calls(self) -> tuple[CallRow, ...]:
        """Return the players' open calls for a judge, oldest first."""
        return open_calls(self.state, self.texts)

    # -- standings

    def standings(
        self,
        *,
        profile: str | None = None,
        after: int | None = None,
        lots_needed: bool = True,
    ) -> rankings.Standings:
        """Rank the players. The arguments are those of `ranking_input`."""
        ranking = self.ranking_input(profile=profile, after=after, lots_needed=lots_needed)
        return rankings.rank(ranking.record, ranking.profile, seed=ranking.seed)

    def ranking_input(
        self,
        *,
        profile: str | None = None,
        after: int | None = None,
        lots_needed: bool = True,
    ) -> RankingInput:
        """Return the record, the profile and the lots from which standings are computed.

        A round that is held back is left out, because its byes are not public.

        profile:     the name of a profile to use instead of the event's
        after:       the number of rounds to count; None: all rounds
        lots_needed: whether to raise DamagedSecretError if lots are needed and cannot be drawn. If not, tied
                     players share a place, as in a copy without the secret, and `no_lot` has the reason
        """
        state = self.state.for_players
        results = record(state)
        if after is not None:
            if not 0 <= after <= len(results.rounds):
                so_far = counted(len(results.rounds), "round")
                raise TourneyError(f"there is no round {after} in the standings: {so_far} so far")
            # As at that time, players who left after this round still count as in the event.
            results = replace(results.after(after), drops=drops_before(after, results.drops))
        edition = self.profile(profile)
        try:
            return RankingInput(
                results, edition, lot := self.lot(state), no_lot="" if lot else self._no_lot(state)
            )
        except DamagedSecretError:
            if lots_needed and edition.has_lot and rankings.lacks_lot(rankings.rank(results, edition)):
                consequence = "no lot can be drawn, and equal players cannot be ranked"
                raise damaged_secret_error(consequence) from None
            return RankingInput(results, edition, "", no_lot="the event's secret is damaged")

    @staticmethod
    def _no_lot(state: State) -> str:
        return f"it waits for {state.settings.pairing.beacon}" if state.waits_for_beacon else NO_SECRET

    def profile(self, name: str | None = None) -> rankings.Profile:
        """Return the event's standings profile, or another profile from the library.

        name: the other profile; None: the event's profile
        """
        if name is None or name == self.state.profile:
            return self.rules.profile
        return self.library.profile(name).on(self.rules.day)

    def lot(self, state: State) -> str:
        """Return the seed of the lots that break ties.

        The seed is empty if the secret or the public value for seeds is missing.

        Raises DamagedSecretError if the secret is damaged.
        """
        secret = self.journal.secret()
        if is_secret_damaged(state, secret):
            raise damaged_secret_error("no lot can be drawn")
        return lot_of(state, secret)

    def evidence(self) -> Evidence:
        """Return the entries, states, secret and rule files by which the event can be verified.

        The result is the same object until an entry is added.
        """
        if self._evidence is None or self._evidence.state is not self.state:
            self._evidence = Evidence(
                entries=self.entries,
                state=self.state,
                secret=self.journal.secret(),
                at=cache(self.at),
                text=self.journal.text,
            )
        return self._evidence


@contextmanager
def no_collecting() -> Iterator[None]:
    """Pause Python's cyclic garbage collector, which would search all values repeatedly.

    With 45,000 entries, reading takes 0.65 s instead of 1.1 s.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


# -- writing


P = ParamSpec("P")

Decide = Callable[[EventChange], Decision]
"""A function that decides on a change: `lambda change: presence.drop(change, "Mira")`."""


class _ChangeDraft(Struct, frozen=True, kw_only=True):
    """The consequences of a decision, computed before it is written.

    receipt:     the answer to the change
    reading:     the event after the change
    rows:        the new entries; empty if there is nothing to write
    new_texts:   the texts to store together with the new entries
    erased_refs: the refs of the texts to delete at the same time
    """

    receipt: Receipt
    reading: EventReading
    rows: Sequence[JournalRow] = ()
    new_texts: Sequence[Text] = ()
    erased_refs: Sequence[Ref] = ()


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
            return self._draft(decide, Sealing(bytes)).receipt
        seal = Sealing(self.workplace.randomness)
        self.refresh()
        draft = self._draft(decide, seal)
        if draft.rows:
            try:
                with self.journal.turn():
                    before = self.state.entry
                    if self.refresh().entry != before:
                        draft = self._draft(decide, seal)
                    self._append(draft)
            except KeyboardInterrupt:
                if not self._is_written(draft.rows, self.state.entry):
                    raise
        if draft.rows:
            self.reading, self.last = draft.reading, draft.receipt
        return draft.receipt

    def write_in_turn(
        self, decides: Iterable[Decide], *, all_or_none: bool
    ) -> tuple[Receipt | TourneyError, ...]:
        """Decide on several changes and write them, while no other desk can write.

        Each change has its own entry. Returns for each change its receipt, or the error if it is refused.
        When this returns, the accepted changes are on the disk; if it raises, none of them is.

        all_or_none: if a change is refused, write none of them and raise its error
        """
        before = self.reading, self.last
        answers: list[Receipt | TourneyError] = []
        rows: list[JournalRow] = []
        try:
            with self.journal.turn():
                self.refresh()
                for decide in decides:
                    try:
                        draft = self._draft(decide, Sealing(self.workplace.randomness))
                    except TourneyError as refusal:
                        if all_or_none:
                            raise
                        answers.append(refusal)
                        continue
                    self._append(draft)
                    if draft.rows:
                        self.reading, self.last = draft.reading, draft.receipt
                    rows += draft.rows
                    answers.append(draft.receipt)
        except BaseException as fault:
            after = self.reading, self.last
            self.reading, self.last = before
            if not isinstance(fault, KeyboardInterrupt) or not self._is_written(rows, self.state.entry):
                raise
            self.reading, self.last = after
        return tuple(answers)

    def _append(self, draft: _ChangeDraft) -> None:
        """Append a change to the journal.

        Call this only in a `turn` of the journal, when no other desk can write.
        """
        if draft.rows:
            in_turn = self.journal.append(self.state.entry, draft.rows, draft.new_texts, draft.erased_refs)
            assert in_turn, "no other desk writes during our turn"

    def _is_written(self, rows: Sequence[JournalRow], after: int) -> bool:
        """Return whether all `rows` are in the journal on the disk, after an interrupted write.

        Returns False if there are no rows.

        after: the number of the last entry before the rows
        """
        digests = {row.digest for row in self.journal.rows(after)}
        return bool(rows) and digests.issuperset(row.digest for row in rows)

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
        """Sign all changes in a `with` block with another name, for staff who use their own device.

        In the block, `undo` without a number undoes the last entry with this signature. Raises TourneyError
        for an unusable name.
        """
        with self._signing(clean_name(name, noun="scorekeeper's name")):
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
        """Return the ref for the signature of new entries: the salted digest of the signer's name.

        If earlier entries are signed with the same name, their ref is used again.
        """
        refs = self.own_refs()
        return max(refs) if refs else seal(self.by, "by")

    # -- the consequences of a change

    def _draft(self, decide: Decide, seal: Sealing) -> _ChangeDraft:
        """Decide on a change; compute its receipt, and the event as it is after the change.

        Raises TourneyError if the change is refused, or if its rules cannot be read.
        """
        change = EventChange(
            self.state, seal, entries=self.entries, texts=self.texts, by=self.by, find_game=self.scoring
        )
        with no_collecting():
            decision = decide(change)
        decision = replace(decision, warnings=(*dict.fromkeys(change.notes), *decision.warnings))
        if decision.op is None:
            return _ChangeDraft(receipt=Receipt.of_no_change(self.state, decision), reading=self.reading)
        for op in decision.ops:
            refuse_texts_of_the_erased(self.state, op)
        rows, new = write_entries(
            decision.ops,
            at=as_written(self.workplace.clock()),
            by=self.own_ref(seal),
            after=self.state.entry,
            previous=self.state.digest,
        )
        needed_refs = {ref for entry in new for ref in every_ref(entry)}
        # An earlier try may have sealed more texts.
        new_texts = [text for text in seal.texts if text.ref in needed_refs]
        new_words = {text.ref: text.words for text in new_texts}
        erased_refs = decision.op.texts if isinstance(decision.op, ops.PlayerErased) else ()
        reading = _extend_reading(
            self.reading, new, {**self.texts, **new_words, **dict.fromkeys(erased_refs)}
        )
        self._refuse_unreadable_rules(reading.state, lambda ref: new_words.get(ref) or self.journal.text(ref))
        return _ChangeDraft(
            receipt=Receipt.of_entries(reading, new, decision),
            reading=reading,
            rows=rows,
            new_texts=new_texts,
            erased_refs=erased_refs,
        )

    def _refuse_unreadable_rules(self, after: State, text: Callable[[Ref], str | None]) -> None:
        """Raise TourneyError if a change of the rules makes the standings profile unreadable.

        The change is accepted if the current profile cannot be read either. Nothing else is checked before
        the commit, because every other state can be ranked and shown.
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
            message = f"the event could not be shown after this change: {fault.message}"
            raise TourneyError(message, fault.hint) from None


def as_method(
    decide: Callable[Concatenate[EventChange, P], Decision],
) -> Callable[Concatenate[WritableEvent, P], Receipt]:
    """Return a method of `WritableEvent` that calls `decide` and writes its decision.

    The method has the same parameters as `decide`, except the first one: `write` supplies the `EventChange`.
    """

    @wraps(decide)
    def method(event: WritableEvent, /, *args: P.args, **kwargs: P.kwargs) -> Receipt:
        return event.write(lambda change: decide(change, *args, **kwargs))

    return method


def as_written(now: datetime) -> str:
    """Return a time as it is written in entries.

    Raises ValueError if the time has no zone, which is a bug.
    """
    if now.tzinfo is None:
        raise ValueError("the clock's time has no zone")
    return now.isoformat(timespec="seconds")
