"""The event as a whole: undo, settings, standings, the log, copies."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tourney.desk.receipt import Receipt
from tourney.desk.rounds import dutch_engine, dutch_version
from tourney.desk.rules import Gathering, KeptRules, gather
from tourney.desk.session import Clock, Randomness, Session, show_rounds
from tourney.desk.settings import changed_settings, day_from
from tourney.errors import TourneyError
from tourney.event.decide import Decision
from tourney.event.decide import upkeep as decide
from tourney.event.decide.base import checked_reason
from tourney.event.decide.upkeep import Book
from tourney.event.field import record
from tourney.event.fold import fold, taken_back
from tourney.event.next_steps import next_steps
from tourney.event.parts import Kept, Ref
from tourney.event.show import show, state_digest, summary
from tourney.event.state import State
from tourney.event.story import sentence
from tourney.event.texts import Sealing
from tourney.finding import Finding, Severity
from tourney.record import Record
from tourney.standings import Profile
from tourney.store.backup import backup, backups
from tourney.store.data import Library
from tourney.store.export import export_event, import_event

if TYPE_CHECKING:
    from tourney.desk.verifying import Evidence
    from tourney.standings import Standings
    from tourney.store.salvage import Salvaged


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


class UpkeepDesk(Session):
    """What is done with an event rather than in it."""

    def undo(self, entry: int | None = None, *, reason: str | None = None) -> Receipt:
        """Take back your own last entry, or the entry named.

        Refused where later entries build on it (they are named), and for the creation of the event.
        """
        seal = self._seal()
        why = seal.maybe(checked_reason(reason))
        return self._change(lambda state: decide.undo(state, self._book(), entry, why), seal)

    def redo(self, entry: int | None = None, *, reason: str | None = None) -> Receipt:
        """Take back your own last undo, or the undo of the entry named."""
        seal = self._seal()
        why = seal.maybe(checked_reason(reason))
        return self._change(lambda state: decide.redo(state, self._book(), entry, why), seal)

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
        """Change the event's name, its standings profile or settings (`tourney.event.parts.Settings`)."""
        seal = self._seal()
        kept = self._kept_profile(profile, seal) if profile else ()
        wanted = changed_settings(self.rules.format, settings, self.refresh().settings)
        return self._change(
            lambda state: decide.change(state, wanted, seal, name=name, profile=kept, reason=reason), seal
        )

    def _kept_profile(self, name: str, seal: Sealing) -> tuple[Kept, ...]:
        gathering = Gathering(self._library)
        gathering.profile(name)
        for text in gathering.texts.values():
            seal.keep(text)
        return tuple(gathering.kept)

    def enter_beacon(self, value: str) -> Receipt:
        """Enter the public value that the event waits for, once; every seed has it from then on."""
        return self._change(lambda state: decide.enter_beacon(state, value))

    def close(self) -> Receipt:
        """End the event; a sealed event's secret is revealed. Refused while tables are still playing.

        Warned of where secret, seeds and recorded costs contradict each other; a secret that is not the one promised is
        never revealed.
        """

        def decided(state: State) -> Decision:
            from tourney.desk.verifying import seals

            doubts = [each.message for each in seals(self.evidence()) if each.severity is Severity.ERROR]
            return decide.close(state, self._journal.secret(), doubts)

        return self._change(decided)

    def reopen(self, *, reason: str | None = None) -> Receipt:
        """Take entries again."""
        seal = self._seal()
        return self._change(lambda state: decide.reopen(state, reason, seal), seal)

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
            wanted = decide.rebase(now, day.isoformat(), found.kept, reason=reason, seal=seal)
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
        """Return the SHA-256 of the canonical JSON of the event with names as refs; see `tourney.event.show`."""
        return state_digest(self._state)

    def log(self) -> tuple[LogLine, ...]:
        """Tell the event's story, an entry a line."""
        gone, teller = taken_back(self._entries), self._teller()
        return tuple(
            LogLine(
                entry=entry.seq,
                at=entry.at,
                by=self._texts.get(entry.by) or "a scorekeeper",
                text=sentence(entry.op, teller),
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
        return (*found, *self._looked_back(self._showing()), *examine_shown(self._show_all))

    def _looked_back(self, show: Callable[[State, State], object]) -> Iterator[Finding]:
        from tourney.desk.examining import examine_history

        return examine_history(self._entries, self._texts, show)

    def _showing(self) -> Callable[[State, State], None]:
        rules = self.rules

        def show(state: State, before: State) -> None:
            nonlocal rules
            if (state.rules, state.on) != (before.rules, before.on):
                rules = KeptRules(state, self._journal.text)
            next_steps(state)
            show_rounds(state, before, rules)

        return show

    def _show_all(self) -> None:
        from tourney.event.viewing import ladder, round_view

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
            ).folded_throughout(),
        )

    def folded_throughout(self) -> Self:
        """Return this desk; raise TourneyError naming the first entry up to which the event does not fold."""
        for each in self._looked_back(lambda _state, _before: None):
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
