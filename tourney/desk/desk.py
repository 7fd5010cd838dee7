"""One class with one method for each thing that is done at the desk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self, cast

from msgspec import UNSET, UnsetType

from tourney.desk import registration
from tourney.desk.open_event import (
    AuditReceipt,
    Clock,
    Decide,
    DeckReceipt,
    EventReading,
    ImportReceipt,
    OpenEvent,
    PenaltyReceipt,
    Published,
    Randomness,
    Receipt,
    as_written,
    receipt_of,
    unplayed,
)
from tourney.desk.rules import (
    NO_BANLIST,
    KeptFiles,
    changed_settings,
    day_from,
    differences,
    gather,
    new_settings,
    profile_files,
)
from tourney.errors import Finding, Severity, TourneyError
from tourney.event import (
    brackets,
    claims,
    deck_checks,
    decks,
    event_admin,
    ops,
    penalties,
    players,
    results,
    rounds,
    undoing,
)
from tourney.event.entry import ALTERED, NOTHING_YET, Sealing, write
from tourney.event.event_document import EventContent, show
from tourney.event.field import (
    NO_SECRET,
    Ask,
    audit_seed,
    damaged_secret,
    is_secret_damaged,
    lot_of,
    own_secret,
    record,
    round_seed,
    standings,
)
from tourney.event.fold import sentence, sentences, taken_back
from tourney.event.kind import Decision, checked_reason
from tourney.event.names import also_meant, clean_name, find, find_all
from tourney.event.ops import UNSEATED, Ref, Unseated
from tourney.event.players import Registration
from tourney.event.score import Report, ending, parse_lines, slip_examples
from tourney.event.seating import SeatingDraft, read_pairings
from tourney.event.state import Round, State
from tourney.record import PlayerId, Record, drops_before
from tourney.store.journal import SECRET_BYTES, Journal, Waiting
from tourney.store.places import Named, place_of
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.decks.declared_facts import Declared
    from tourney.decks.history import Changed
    from tourney.desk.evidence import Evidence
    from tourney.desk.own_seat import OwnSeat
    from tourney.desk.player_list import Beside, PlayerList
    from tourney.desk.takeover import Takeover
    from tourney.desk.views import Watch
    from tourney.event.claims import OpenCall, OpenClaim
    from tourney.event.entry import Entry, JournalRow, Text
    from tourney.event.kind import LogContext
    from tourney.event.penalties import PenaltyList
    from tourney.event.state import Claim
    from tourney.pairing.dutch import EngineQuestion
    from tourney.rules.scoring import Scoring, Unscored
    from tourney.standings import Profile, Standings
    from tourney.store.data import Library
    from tourney.store.devices import Device
    from tourney.store.outbox import Outbox
    from tourney.store.salvage import Salvaged


OpenLibrary = Callable[[], "Library"]
"""Opens the formats, lists and pools of this machine (`Library.open`): only where something is asked of them."""

OpenOutbox = Callable[[], "Outbox"]
"""Opens what is kept with the user of addresses to post to: only where something is posted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One entry of the journal in words.

    entry: its number
    at: when it was written
    by: who signed it
    text: what happened
    digest: the digest of the journal up to this entry
    undone: the entry that undid it; None if it was not undone
    lines: `text` in lines, a block of results table by table
    """

    entry: int
    at: str
    by: str
    text: str
    digest: str
    undone: int | None = None
    lines: tuple[str, ...] = ()


def _log_line(entry: Entry, gone: Mapping[int, int], context: LogContext) -> LogLine:
    return LogLine(
        entry=entry.seq,
        at=entry.at,
        by=context.signer(entry.by),
        text=sentence(entry.op, context),
        digest=entry.digest,
        undone=gone.get(entry.seq),
        lines=sentences(entry.op, context),
    )


class Ranked(NamedTuple):
    """What standings are made from: the record, the profile's edition, and the seed of the lots.

    no_lot: why no lot is drawn; empty where one is
    """

    record: Record
    profile: Profile
    seed: str
    no_lot: str = ""


class Desk(OpenEvent):
    """An open event with a method for each thing that is done at the desk, in the order of a day.

    `create` or `open` it; `leave` it, or use it in a `with`. What a method has answered is on the disk. Every method that
    changes returns a `Receipt` and raises TourneyError, with the event as it was, where the change is refused. How a
    change is written, `OpenEvent` says.

    Wherever a player is asked for (`who`), a name, an unambiguous prefix, `7`, `#7` or an id will do; of who else may have
    been meant by a change, its receipt warns.

    past: the entry at which `as_of` stopped; None: all were read
    """

    def __init__(
        self, journal: Journal, *, by: str, clock: Clock, randomness: Randomness, library: OpenLibrary
    ) -> None:
        super().__init__(journal, by=by, clock=clock, randomness=randomness)
        self.past: int | None = None
        self._library = cache(library)
        self._evidence: Evidence | None = None

    # -- an event, in a file or in a database

    @classmethod
    def create(
        cls,
        place: Named,
        *,
        name: str,
        format_name: str,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: OpenLibrary,
        profile: str | None = None,
        banlist: str | None = None,
        on: str | None = None,
        sealed: bool = False,
        settings: Mapping[str, object] | None = None,
        **named: object,
    ) -> Self:
        """Create the event at `place` and open it; `last` is the receipt, with warnings (a network or synced folder).

        format_name: name or file of a format; its own settings (best of, seats, sides, system) are the defaults
        profile:  name or file of a standings profile; None: the format's, else `tourney`
        banlist:  name or file of a ban list instead of the format's; `none`: play without one
        on:       YYYY-MM-DD, the day for which the ban list is picked; None: today by the clock
        sealed:   keep the secret out of exports and pages until `close`
        settings: see `tourney.event.settings`; a choice of the format (`goal`) may be named like a setting
        named:    more settings, as arguments

        Raises TourneyError if something stands there, or the folder, the name, a rule file or a setting will not do.
        """
        seal, now = Sealing(randomness), clock()
        day = day_from(on) if on else now.date()
        library = cache(library)
        rules = gather(library(), format_name=format_name, profile=profile, banlist=banlist, day=day)
        chosen = new_settings(rules.format, {**(settings or {}), **named}, clock)
        if "penalties" in chosen.differing():
            library().penalty_list(chosen.match.penalties)
        place = place_of(place)
        secret = randomness(SECRET_BYTES)
        op = ops.EventCreated(
            name=seal(clean_name(name, what="event's name"), "name"),
            format=rules.format.id,
            on=day.isoformat(),
            rules=rules.files.keep(seal),
            settings=chosen.differing(),
            secret=sha256(secret).hexdigest(),
            sealed=sealed,
        )
        author = seal(clean_name(by, what="scorekeeper's name"), "by")
        row = write(op, seq=1, at=as_written(now), by=author, previous=NOTHING_YET)
        warnings = (*place.warnings(), *rules.warnings)
        return cls._made(
            place, [row], seal.texts, secret, warnings,
            by=by, clock=clock, randomness=randomness, library=library,
        )  # fmt: skip

    @classmethod
    def _made(
        cls,
        place: Named,
        rows: Sequence[JournalRow],
        texts: Iterable[Text],
        secret: bytes | None,
        warnings: Sequence[str] = (),
        *,
        foreign: bool = False,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: OpenLibrary,
    ) -> Self:
        """Make the event at `place` with its first entries, all or nothing, and open it.

        foreign: they were not made here, so each is looked at as it stood: see `tourney.desk.verifying.refuse_unsound`

        Raises TourneyError where nothing can be made there, or naming an entry at fault; then it is not made.
        """

        def begun(journal: Journal) -> Self:  # type: ignore[type-var] # the class it is of is the method's
            desk = cls(journal, by=by, clock=clock, randomness=randomness, library=library)
            desk.load()
            desk.last = receipt_of(desk.reading, desk.entries[-1:], Decision(warnings=tuple(warnings)))
            if foreign:
                from tourney.desk.verifying import refuse_unsound

                refuse_unsound(desk)
            return desk

        return place_of(place).begin(rows, texts, secret, begun)

    @classmethod
    def open(
        cls,
        place: Named,
        *,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: OpenLibrary,
        waiting: Waiting | None = None,
    ) -> Self:
        """Open the event at `place`, checking the whole chain. waiting: is told while somebody else has it.

        Raises TourneyError if it is no event, was altered, or was written by a newer tourney.
        """
        journal = place_of(place).open(waiting=waiting)
        try:
            desk = cls(journal, by=by, clock=clock, randomness=randomness, library=library)
            desk.load()
        except BaseException:
            journal.close()
            raise
        return desk

    @classmethod
    def import_(
        cls,
        source: Path,
        place: Named,
        *,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: OpenLibrary,
    ) -> Self:
        """Make the event at `place` from the exported `source`: the same entries, texts and digests.

        Raises TourneyError, with nothing left behind, where an entry does not fit those before it.
        """
        from tourney.store.export import read_exported

        exported = read_exported(source)
        return cls._made(
            place, exported.rows, exported.texts, exported.secret, foreign=True,
            by=by, clock=clock, randomness=randomness, library=library,
        )  # fmt: skip

    @classmethod
    def take_over(
        cls,
        content: bytes,
        place: Named,
        *,
        source: str,
        form: str | None = None,
        name: str | None = None,
        format_name: str | None = None,
        profile: str | None = None,
        untitled: str | None = None,
        by: str,
        clock: Clock,
        randomness: Randomness,
        library: OpenLibrary,
    ) -> tuple[Self, Takeover]:
        """Make the event at `place` from another program's file: players, rounds, results, byes, drops, bracket.

        form: what the file is, by its name among the forms; None: found out. name: of the event, where it is not the file's;
        untitled: where neither says one (None: as the file is called).
        format_name: None: an event without decks. profile: None: the rules of the file's program, with what the file itself
        says of points laid over

        Raises TourneyError with file and place; nothing is left behind then.
        """
        from tourney.desk.takeover import take_over

        now = clock()
        took = take_over(
            content,
            source=source,
            form=form,
            name=name,
            format_name=format_name,
            profile=profile,
            untitled=untitled or Path(source).stem,
            by=by,
            now=now,
            at=as_written(now),
            randomness=randomness,
            library=library(),
        )
        desk = cls._made(
            place, took.rows, took.texts, took.secret, foreign=True,
            by=by, clock=clock, randomness=randomness, library=library,
        )  # fmt: skip
        return desk, took

    @classmethod
    def salvage(cls, place: Named, target: Path, *, library: OpenLibrary) -> Salvaged:
        """Make the event file `target` of all that is intact in the damaged `place` and in the copies beside it.

        Raises TourneyError where nothing can be saved, or `target` is there already.
        """
        from tourney.desk.rules import found_today
        from tourney.store.salvage import salvage

        opened = cache(library)
        return salvage(place_of(place), target, lambda kept: found_today(opened(), kept))

    @property
    def library(self) -> Library:
        """The formats, lists and pools of this machine."""
        return self._library()

    # -- before the first round

    def change(
        self,
        *,
        name: str | None = None,
        profile: str | None = None,
        reason: str | None = None,
        settings: Mapping[str, object] | None = None,
        **named: object,
    ) -> Receipt:
        """Change the event's name, its standings profile or settings (`tourney.event.settings`), in `settings` or named."""
        changes = changed_settings(
            self.rules.format, {**(settings or {}), **named}, self.refresh().settings, self._clock
        )
        if isinstance(changes.get("penalties"), str):
            self.penalty_list(changes["penalties"])
        files = profile_files(self.library, profile) if profile else KeptFiles()

        def decided(state: State, seal: Sealing) -> Decision:
            kept = files.keep(seal)
            return event_admin.change(state, changes, seal, name=name, profile=kept, reason=reason)

        return self.write(decided)

    def enter_beacon(self, value: str) -> Receipt:
        """Enter the public value that the event waits for, once; every seed has it from then on."""
        return self.write(lambda state, _: event_admin.enter_beacon(state, value))

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
        alias: str | None = None,
        minor: bool = False,
    ) -> Receipt:
        """Register a player. Once a round was paired they play from the next one on.

        tags:    kind → text, such as club → `Harbour Club`; compared by `keep_apart`
        byes:    round → `awarded-bye`, `half-bye` or `absent`
        awarded: full-point byes for the first that many rounds
        table:   a fixed table
        late:    what missed rounds count for: `absent`, `bye` or `half-bye`; None: the event's setting
        alias:   what pages call the player; minor: under age, pages shorten the name
        """
        newcomer = Registration(
            name=name,
            rating=rating,
            tags=tags or {},
            byes=byes or {},
            awarded=awarded,
            table=table,
            contact=contact,
            late=late,
            alias=alias,
            minor=minor,
        )
        return self.write(lambda state, seal: registration.registered(state, [newcomer], seal))

    def add_players(self, names: Sequence[str]) -> Receipt:
        """Register players of whom only the names are known, in one entry, as `import_players` does."""
        newcomers = [Registration(name=each) for each in names]
        return self.write(
            lambda state, seal: registration.registered(state, newcomers, seal, skip_known=True)
        )

    def import_players(
        self,
        content: str | bytes,
        *,
        source: str,
        encoding: str | None = None,
        sheet: str | None = None,
        columns: Mapping[str, str] | None = None,
        beside: Beside | None = None,
        update: bool = False,
    ) -> ImportReceipt:
        """Register many players in one entry: names, a table with a header, a workbook, another program's export.

        Columns: name (or first and last), rating, table, awarded, byes, late, contact, deck, in several languages; club,
        team, family, division and nickname become tags, as any other column does, by its own name. Names that are
        registered already are left out and warned of. update: see `register_list`. encoding, sheet, columns, beside: see `tourney.desk.player_list.read_list`,
        which raises TourneyError with file and line.
        """
        from tourney.desk.player_list import read_list  # with what columns are called in many languages

        players = read_list(
            content,
            source=source,
            encoding=encoding,
            sheet=sheet,
            columns=columns,
            beside=beside,
            kinds=self.kinds_of_tags(),
        )
        return self.register_list(players, update=update)

    def kinds_of_tags(self) -> frozenset[str]:
        """Return the kinds of tags that are in use: of players, and kept apart by."""
        worn = {kind for each in self.state.players.values() for kind in each.tags}
        return frozenset(worn | self.state.settings.pairing.keep_apart.keys())

    def register_list(
        self, players: PlayerList, *, trust_declared: bool = False, update: bool = False
    ) -> ImportReceipt:
        """Register the players of a list in one entry, with the decks that came with them, checked under the event's rules.

        trust_declared: as `submit_deck` has it
        update: change players who are registered already to what the list says; an empty cell changes nothing. Without it
                they are left out, except that a deck is registered for those who have none

        An illegal deck, or a text without a deck, is reported and left out; its player is registered. Raises TourneyError
        and registers no player if the rules or the card pool cannot be used.
        """
        return registration.register_list(self, players, trust_declared=trust_declared, update=update)

    def contradictions(self, among: Collection[str] | None = None) -> tuple[Finding, ...]:
        """Return what registered lists declare differently of the same card; `among`: with one of these players' lists.

        Raises TourneyError where the rules or the card pool will not do.
        """
        return registration.contradictions(self, among)

    def disputed(self) -> Mapping[str, tuple[Finding, ...]]:
        """Return what each registered list declares otherwise than another one, by the name of its player and as seen from it.

        Only where somebody vouches for what a list declares; nothing where the rules or the card pool will not do.
        """
        return registration.disputed(self)

    def check_in(self, *who: str | PlayerId) -> Receipt:
        """Note that players were seen at the desk."""
        return self.write(lambda state, _: players.check_in(state, self._all(state, who)))

    def check_in_all(self, but: Sequence[str | PlayerId] = ()) -> Receipt:
        """Note that everybody who plays was seen at the desk, apart from `but`."""
        return self.write(
            lambda state, _: players.check_in_all(state, [self._one(state, each) for each in but])
        )

    def rename(self, who: str | PlayerId, name: str) -> Receipt:
        """Put a player's name right. Raises TourneyError where another player has it."""
        return self.write(lambda state, seal: players.rename(state, self._one(state, who), name, seal))

    def change_player(
        self,
        who: str | PlayerId,
        *,
        rating: int | UnsetType | None = UNSET,
        tags: Mapping[str, str] | None = None,
        byes: Mapping[int, str] | None = None,
        table: int | UnsetType | None = UNSET,
        contact: str | UnsetType | None = UNSET,
        alias: str | UnsetType | None = UNSET,
        minor: bool | UnsetType = UNSET,
    ) -> Receipt:
        """Change facts of a player; what is not named stays (None clears a rating, a table or an alias).

        tags: added or replaced; an empty text takes a tag away. byes: round → `awarded-bye`, `half-bye`, `absent`,
        or `play` to lift what was announced. Rounds already paired are refused (`result`, `round edit`).
        """
        facts = players.Facts(
            rating=rating,
            table=table,
            contact=contact,
            alias=alias,
            minor=minor,
            tags=tags or {},
            byes=byes or {},
        )
        return self.write(lambda state, seal: registration.changed(state, self._one(state, who), facts, seal))

    # -- decks

    def submit_deck(
        self,
        who: str | PlayerId,
        data: str | bytes,
        *,
        source: str,
        anyway: bool = False,
        trust_declared: bool = False,
    ) -> DeckReceipt:
        """Check a decklist under the event's own rules and register it, unless it is illegal.

        data:   the list, as text or as a file's bytes in whatever encoding (UTF-16 and Latin-1 are recognised)
        source: the file's name, for the findings; anyway: register an illegal list too, and when decks are locked
        trust_declared: believe the facts that the list declares where the pool knows nothing; who works here vouches for
                them
        """
        return registration.submit_deck(
            self, who, data, source=source, anyway=anyway, trust_declared=trust_declared
        )

    def declared(self) -> Mapping[str, tuple[Declared, ...]]:
        """Return what each registered list declares of cards whose facts the pool does not know, by whose it is.

        Raises TourneyError where the rules or the card pool will not do.
        """
        return registration.declared(self)

    def locked(self, state: State) -> str:
        """Say since when decks are taken at the organizer's word only; empty where everybody's are taken."""
        return decks.locked_since(state, self._clock())

    def share_deck(
        self, part: str, data: str | bytes, *, source: str, trust_declared: bool = False, anyway: bool = False
    ) -> DeckReceipt:
        """Check a list that everybody plays with (a mission deck) as the part of a deck it is, and register it, unless it is illegal.

        part:   which one, by the format's id, name or header; it has to be one that is shared by the event's choices
        data, source, anyway: as in `submit_deck`; trust_declared: believe the facts that it declares
        """
        from tourney.desk.shared_decks import register

        return register(self, part, data, source=source, trust=trust_declared, anyway=anyway)

    def agree_deck(
        self,
        table: int,
        part: str,
        data: str | bytes,
        *,
        source: str,
        trust_declared: bool = False,
        anyway: bool = False,
    ) -> DeckReceipt:
        """Check a list that the players at a table of the round have agreed upon (a layout of missions), and register it for them.

        It goes before what stands in their own lists, for this round. part: one that has to be the same at both sides; else as
        in `share_deck`
        """
        from tourney.desk.shared_decks import register

        return register(self, part, data, source=source, trust=trust_declared, anyway=anyway, table=table)

    def deck_text(self, who: str | PlayerId) -> str:
        """Return the registered list of a player. Raises TourneyError where there is none."""
        player = self.state.players[self.who(who)]
        if player.deck is None:
            raise TourneyError(
                f"{player.name} has no registered deck", f'`tourney player deck "{player.name}" FILE`'
            )
        try:
            text = self.journal.text(player.deck.text)
        except TourneyError:
            raise TourneyError(
                f"the deck of {player.name} is damaged", f"{ALTERED}, or register it anew"
            ) from None
        if text is None:
            raise TourneyError(f"the deck of {player.name} was deleted by request")
        return text

    def waive_deck(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Note that players need not hand in a list."""
        return self.write(lambda state, seal: decks.waive(state, self._all(state, who), reason, seal))

    def waive_all_decks(self, but: Sequence[str | PlayerId] = (), *, reason: str | None = None) -> Receipt:
        """Note that nobody who has handed in no list needs to, apart from `but`."""
        return self.write(
            lambda state, seal: decks.waive_all(state, [self._one(state, each) for each in but], reason, seal)
        )

    # -- who is meant

    def who(self, text: str | PlayerId, *, bare: bool = True) -> PlayerId:
        """Return the player meant by a name, an unambiguous prefix, `7`, `#7` or an id. bare: whether `7` will do.

        Raises TourneyError with "did you mean" for a near miss, and with the candidates for an ambiguous one.
        """
        return find(self.state.players, text, bare=bare)

    def meant(self, text: str | PlayerId) -> PlayerId:
        """Return the player meant by whoever is about to change something: the receipt says who else may have been (`notes`)."""
        return self._one(self.state, text)

    def _one(self, state: State, text: str | PlayerId) -> PlayerId:
        player = find(state.players, text)
        self.notes += filter(None, [also_meant(state.players, text, player)])
        return player

    def _all(self, state: State, texts: Sequence[str | PlayerId]) -> tuple[PlayerId, ...]:
        """Find players, one at least."""
        found = find_all(state.players, texts)
        self.notes += filter(None, map(partial(also_meant, state.players), texts, found))
        return found

    # -- rounds

    def force(
        self, *who: str | PlayerId, round_number: int | None = None, table: int | None = None
    ) -> Receipt:
        """Fix a pairing of a round (None: the next to be paired), at `table` if named."""
        return self.write(
            lambda state, _: rounds.force(state, self._all(state, who), number=round_number, table=table)
        )

    def forbid(self, *who: str | PlayerId, hard: bool = True, reason: str | None = None) -> Receipt:
        """Keep players apart: never to meet (hard), or only where it cannot be helped."""
        return self.write(
            lambda state, seal: rounds.forbid(
                state, self._all(state, who), hard=hard, reason=reason, seal=seal
            )
        )

    def pair_round(
        self, *, by_hand: str | None = None, source: str = "-", manner: rounds.Manner = rounds.PLAINLY
    ) -> Receipt:
        """Pair the next round by the event's system (in the cut: the bracket's next matches).

        by_hand: the organizer's own tables, a line each: `Mira - Tomo`, `4: Mira - Tomo`, `Mira vs Tomo`, `Ada bye`,
                 `Ada half-bye`, `Ada awarded-bye`, `Ada absent`; checked, and warned of where it is not as engines
                 would have it. source names the text in messages
        manner:  whether it is held back, its clock started, and what is missing waited for

        Whoever did not show in the last round is dropped first where the event says so (`no_show`). Refused while tables are still playing, after the last planned round, and with fewer than two players.
        """

        def decided(state: State, seal: Sealing) -> Decision:
            if by_hand is None:
                return self._with_doubts(rounds.pair(self._ask(state), seal, manner))
            lines = read_pairings(state, by_hand, source=source)
            return self._with_doubts(rounds.pair_by_hand(self._ask(state, dice=False), lines, seal, manner))

        receipt = self._close_round(decided)
        here = players.present_text(receipt.state)
        if not here or receipt.already:
            return receipt
        return replace(receipt, changed=(*receipt.changed, f"{here[:1].upper()}{here[1:]}."))

    def _close_round(self, decide: Decide) -> Receipt:
        """Write what ends the round that is played; what nobody answered in time is its table's result first (`claim_alone`).

        All of it is written, or nothing is. A report that still waits for its answer keeps its table playing.
        """
        state = self.refresh()
        if (
            self.only_tries
            or not state.settings.phones.claim_alone
            or not any(each.overdue for each in self.claims())
        ):
            return self.write(decide)

        def each_in_turn() -> Generator[Decide, None, None]:
            for claim in [each.claim for each in self.claims() if each.overdue]:
                with self.signing_as_player(claim.player):
                    yield partial(self._alone, claim.entry, False)
            yield decide

        with closing(each_in_turn()) as decides:
            receipts = self.write_all(decides)
        return receipts[-1].together([each for each in receipts if each.entries or each is receipts[-1]])

    def _with_doubts(self, decision: Decision) -> Decision:
        """Warn of decks that the tables of a round need and do not have."""
        if not self.rules.may_share:
            return decision
        from tourney.desk.shared_decks import doubts

        tables = [
            (each.number, each.seats)
            for op in decision.ops
            if isinstance(op, ops.RoundPaired)
            for each in op.tables
        ]
        return replace(decision, warnings=(*decision.warnings, *doubts(self, tables)))

    def release_round(self) -> Receipt:
        """Let the current round be seen, which was held back."""
        return self.write(lambda state, _: rounds.release(state))

    def _ask(self, state: State, number: int | None = None, *, dice: bool = True) -> Ask:
        number = number or len(state.rounds) + 1
        return Ask(
            state=state,
            profile=self.rules.profile,
            number=number,
            seed=self._seed(state, number) if dice else "",
            dutch=dutch_engine,
            dutch_engine=dutch_version() if state.settings.pairing.system == "dutch" else "",
        )

    def _seed(self, state: State, number: int) -> str:
        """Return the seed of a round. Raises TourneyError in a copy without the event's own secret."""
        return round_seed(self._secret(state), number, state.beacon.value if state.beacon else None)

    def _secret(self, state: State) -> bytes:
        """Return the secret that seeds are drawn from. Raises TourneyError where it is missing or not the event's own."""
        secret = self.journal.secret()
        if secret is None:
            raise TourneyError(
                "this copy of the event came without its secret, so nothing can be paired or drawn in it",
                "go on in the original file, or `tourney round pair --by-hand FILE`",
            )
        return self._undamaged(state, secret, "nothing can be paired or drawn with it")

    @staticmethod
    def _undamaged(state: State, stored: bytes, consequence: str) -> bytes:
        """Return the secret that entry 1 commits to. Raises TourneyError where the stored one is damaged."""
        secret = own_secret(state, stored)
        if secret is None:
            raise damaged_secret(consequence)
        return secret

    def start_round(self, minutes: int | None = None) -> Receipt:
        """Start the clock of the current round (None: the event's minutes; 0: no limit); that releases it, too."""
        return self.write(lambda state, _: rounds.start(state, minutes))

    def extend(self, table: int | str, minutes: int, *, reason: str | None = None) -> Receipt:
        """Give a table of the current round more time. table: or a player who sits there, by name or `#7`."""
        return self.write(lambda state, seal: rounds.extend(state, table, minutes, reason=reason, seal=seal))

    def swap(self, one: str | PlayerId, other: str | PlayerId, *, reason: str | None = None) -> Receipt:
        """Let two players of the current round change seats (a seat and a bye too). Tables with a result are refused."""
        return self._edit(
            lambda draft, state: draft.swap(self._one(state, one), self._one(state, other)), reason
        )

    def seat(self, table: int | str, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Seat exactly these players at a table of the current round; whoever they leave behind changes places.

        table: its number, which may be that of a new one; or a player who sits there, by name or `#7`
        """
        return self._edit(
            lambda draft, state: draft.seat(
                rounds.table_to_seat(state, table), [self._one(state, each) for each in who]
            ),
            reason,
        )

    def move(self, table: int | str, to: int, *, reason: str | None = None) -> Receipt:
        """Move a match of the current round to another table; where one is there, the two change tables.

        table: or a player who sits there, by name or `#7`
        """
        return self.write(lambda state, seal: rounds.move(state, table, to, reason, seal))

    def bye(self, who: str | PlayerId, kind: str = "bye", *, reason: str | None = None) -> Receipt:
        """Take a player from their table of the current round: `bye`, `awarded-bye`, `half-bye` or `absent`.

        An opponent who is left alone takes the seat of whoever had the bye, else has a bye.
        """
        if kind not in UNSEATED.values():
            raise TourneyError(f"`{kind}` is not a kind of bye", f"it is {listed(UNSEATED.values(), 'or')}")
        unseated = cast("Unseated", kind)
        return self._edit(lambda draft, state: draft.bye(self._one(state, who), unseated), reason)

    def _edit(self, move: Callable[[SeatingDraft, State], None], reason: str | None) -> Receipt:
        def decided(state: State, seal: Sealing) -> Decision:
            draft = rounds.seating_of(state)
            move(draft, state)
            return rounds.edit(state, draft, reason, seal)

        return self.write(decided)

    def repair_round(self, *, reason: str | None = None) -> Receipt:
        """Pair the current round again around what changed, with the fewest tables touched; never one with a result.

        Where results of earlier rounds were corrected since, the open tables become the best round on the results as
        they stand, and of the best the one that changes the fewest.
        """
        return self.write(lambda state, seal: self._repaired(state, reason, seal))

    def repairable(self) -> Decision | None:
        """Return what `repair_round` would do now, None where it would refuse. Changes nothing."""
        try:
            return self._repaired(self.state, None, Sealing(self._randomness))
        except TourneyError:
            return None

    def _repaired(self, state: State, reason: str | None, seal: Sealing) -> Decision:
        from tourney.desk.evidence import since

        ask = self._ask(state, max(len(state.rounds), 1))
        moved = since(self.evidence(), state.rounds[-1]).moved if state.rounds else {}
        return rounds.repair(ask, reason, seal, moved)

    def cancel_round(self, *, reason: str | None = None) -> Receipt:
        """Take back the last round with its results. Can be undone."""
        return self.write(lambda state, seal: rounds.cancel(state, reason, seal))

    # -- results

    def report(
        self,
        table: int | str,
        score: str = "",
        *,
        scores: str | None = None,
        time: bool = False,
        ended: str = "",
        round_number: int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Enter the result of a table, or of several: `4`, `4..7`, `2,4,9`.

        table:  or a player who sits there, by name or `#7`; then score and scores are as that player tells them
        score:  `2-1`, `2-1-1`, `w`, `l`, `d`, `½-½`, `=`, `id`, `ff1`, `ff2`, `dl`; more seats: places `1,3,2`;
                empty where `scores` tell who has won, as the format says it of a game's score
        scores: victory points in seat order, `32,18`
        time:   the match ended by time, so that an unfinished score is allowed
        ended:  how the game ended, where not by its score: `time`, `concession`, `ruling`, or a word of the format
        round_number: None: the current one
        reason: kept with the entry

        The same result again is a success (`already`); a different one is refused (`change_result`).
        """
        report = Report(tables=table, score=score or None, points=scores, ended=ending(ended, time=time))
        return self._report([report], round_number, reason)

    def scoring(self) -> Scoring | Unscored | None:
        """Return the score of the event's game, as its own rules and the organizer's choices say it.

        None where the format says nothing of it, or no more than a name. Raises TourneyError where what the event keeps of
        its format is not readable any more.
        """
        from tourney.rules.scoring import scoring_of, unscored_of

        format_ = self.rules.format
        return unscored_of(format_.name, format_.match) or scoring_of(
            format_.match, format_.settings, self.state.settings.match.choices
        )

    def report_block(
        self,
        lines: Iterable[str],
        *,
        source: str = "-",
        time: bool = False,
        round_number: int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Enter lines `4 2-1`, `lena 2-1` or `4 2-1 32,18` in one entry, all or none.

        Blank lines and `#` comments are skipped. Raises TourneyError naming every line at fault.
        """
        examples = slip_examples(self.state.settings)
        reports = parse_lines(lines, source=source, time=time, examples=examples)
        return self._report(reports, round_number, reason)

    def _report(self, reports: Sequence[Report], round_number: int | None, reason: str | None) -> Receipt:
        return self.write(
            lambda state, seal: results.enter(
                state,
                reports,
                round_number,
                reason=reason,
                seal=seal,
                find_game=self.scoring,
                reasons=self._reasons_given,
            )
        )

    def report_each(
        self, reports: Sequence[Report], *, round_number: int | None = None
    ) -> tuple[Receipt | TourneyError, ...]:
        """Enter results one after the other, an entry each; of one that is refused return why.

        All of them take one turn at the file, and are on the disk when this returns: a stack of slips that came at once
        is not written slip by slip.
        """

        def deciding(report: Report) -> Decide:
            return lambda state, _: results.enter(state, [report], round_number, find_game=self.scoring)

        return self.write_each([deciding(report) for report in reports])

    def meaning(self, report: Report, *, round_number: int | None = None) -> tuple[str, ...]:
        """Return what `report` would enter now: `table 4: Mira 2–1 Tomo`, a line for each table.

        Empty where all of it is entered already. Raises TourneyError where it would be refused.
        """
        return results.meaning(self.state, report, round_number, find_game=self.scoring)

    def change_result(
        self,
        table: int | str,
        score: str = "",
        *,
        scores: str | None = None,
        time: bool = False,
        ended: str = "",
        round_number: int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Change the result of a table, or of several (`3,6`). The score `-` removes it, so that the table is open again.

        Where it is right, a reason that was not given before is noted of it.
        table: or a player who sits there; all of it as in `report`
        Warnings say which later pairings rest on the old one, whose points were others, and what can be done.
        """
        report = Report(tables=table, score=score or None, points=scores, ended=ending(ended, time=time))
        return self.change_reported(report, round_number=round_number, reason=reason)

    def change_reported(
        self, report: Report, *, round_number: int | None = None, reason: str | None = None
    ) -> Receipt:
        """Change a result to a report; see `change_result`."""

        def decided(state: State, seal: Sealing) -> Decision:
            return self._with_pairings(
                results.change(
                    state,
                    report,
                    number=round_number,
                    reason=reason,
                    seal=seal,
                    find_game=self.scoring,
                    reasons=self._reasons_given,
                )
            )

        return self.write(decided)

    def _reasons_given(self, round_: Round, table: int) -> Collection[str]:
        """Return the reasons that were given for a table's result."""
        return results.reasons_given(self.entries, self.texts, taken_back(self.entries), round_, table)

    def _with_pairings(self, decision: Decision) -> Decision:
        """Add which later pairings rest on a result that a decision changes."""
        changed = [each for each in decision.ops if isinstance(each, ops.ResultChanged) and not each.noted]
        if not changed:
            return decision
        from tourney.desk.evidence import resting

        return replace(decision, warnings=(*decision.warnings, *resting(self.evidence(), changed)))

    # -- what players say themselves

    def own_seat(self, player: str | PlayerId, *, device: str = "", key: str = "") -> OwnSeat:
        """Return what a player may do from the own phone, and nothing else.

        player: from the session of whoever asks, never from a form; device, key: see `tourney.desk.own_seat.OwnSeat`
        """
        from tourney.desk.own_seat import OwnSeat

        return OwnSeat(self, self.who(player), device, key)

    def claims(self) -> tuple[OpenClaim, ...]:
        """Return what players reported and is not entered, with every version; first what is the desk's to settle."""
        return claims.open_claims(self.state, self._clock(), self.texts)

    def claim_of(self, player: PlayerId) -> Claim | None:
        """Return what was reported, and is not entered, of the table where a player sits now."""
        return claims.claim_at(self.state, player)

    def enter_unanswered(self, *, anyway: bool = False) -> tuple[Receipt, ...]:
        """Enter what players reported and nobody answered in time, once, where the event says so (`claim_alone`).

        anyway: also where it does not, at the desk's word, and signed by it; else signed as the players who reported it
        """
        state = self.refresh()
        if state.closed or not (anyway or state.settings.phones.claim_alone):
            return ()
        receipts = []
        for each in self.claims():
            if not each.overdue:
                continue
            alone = partial(self._alone, each.claim.entry, anyway)
            with nullcontext() if anyway else self.signing_as_player(each.claim.player):
                receipts.append(self.write(alone))
        return tuple(receipt for receipt in receipts if receipt.entries)

    def _alone(self, entry: int, anyway: bool, state: State, _seal: Sealing) -> Decision:
        return claims.accept_unanswered(state, entry, self._clock(), anyway=anyway)

    def calls(self) -> tuple[OpenCall, ...]:
        """Return the players' calls for a judge that nobody has answered, the oldest first."""
        return claims.open_calls(self.state, self.texts)

    def answer_call(self, entry: int) -> Receipt:
        """Note that a judge has been where the call of an entry came from."""
        return self.write(lambda state, _: claims.answer_call(state, entry, self.entries))

    # -- what judges note

    def penalty_list(self, name: str | None = None) -> PenaltyList:
        """Return the list by which penalties are given: the event's, or another one of this machine."""
        return self.library.penalty_list(self.state.settings.match.penalties if name is None else name)

    def penalize(
        self,
        who: str | PlayerId,
        what: str = "",
        *,
        infraction: str | None = None,
        apply: bool = False,
        round_number: int | None = None,
        reason: str | None = None,
    ) -> PenaltyReceipt:
        """Give a penalty by the event's list.

        what:       a level (`game loss`), or an infraction for the level it usually has
        infraction: what it is for, where `what` is a level
        apply:      enter what it costs, too: the match as lost, the disqualification; an entry of its own
        """
        self.refresh()
        rules = self.penalty_list()
        ruling = rules.ruling(what, infraction)

        def decided(state: State, seal: Sealing) -> Decision:
            given = penalties.give(
                state,
                self._one(state, who),
                ruling,
                rules=rules,
                apply=apply,
                number=round_number,
                reason=reason,
                seal=seal,
            )
            return self._with_pairings(given)

        receipt = self.write(decided)
        given = penalties.history(receipt.state, find(receipt.state.players, who))
        dearer = penalties.due_upgrade(rules, given) if receipt.entries else None
        return PenaltyReceipt.of(receipt, history=given, upgrade=dearer[0] if dearer else "")

    def upgrade_penalty(
        self, entry: int, level: str | None = None, *, apply: bool = False, reason: str | None = None
    ) -> PenaltyReceipt:
        """Make a penalty that was given a harder one; it counts as that from then on.

        entry: the penalty's; level: None: what the list says for its repetition
        apply: enter what it costs now, too; an entry of its own
        """
        self.refresh()
        rules = self.penalty_list()
        named = rules.level(level) if level is not None else None

        def decided(state: State, seal: Sealing) -> Decision:
            made = penalties.upgrade(state, entry, named, rules=rules, apply=apply, reason=reason, seal=seal)
            return self._with_pairings(made)

        receipt = self.write(decided)
        player = next(each.player for each in receipt.state.penalties if each.entry == entry)
        given = tuple(each for each in penalties.history(receipt.state, player) if each.entry <= entry)
        dearer = penalties.due_upgrade(rules, given) if receipt.entries else None
        return PenaltyReceipt.of(receipt, history=given, upgrade=dearer[0] if dearer else "")

    def draw_audit(self, tables: int = 1) -> Receipt:
        """Draw tables of the current round whose decks are to be checked, by the event's seed."""

        def decided(state: State, _seal: Sealing) -> Decision:
            return deck_checks.draw(state, self._audit_seed(state), tables)

        return self.write(decided)

    def _audit_seed(self, state: State) -> str:
        public = state.beacon.value if state.beacon else None
        return audit_seed(self._secret(state), len(state.rounds), deck_checks.count_draws(state), public)

    def record_audit(self, who: str | PlayerId, *, clean: bool, found: str | None = None) -> Receipt:
        """Note that a deck was checked at the table; what was found is needed where it was not in order."""
        return self.write(
            lambda state, seal: deck_checks.record(
                state, self._one(state, who), clean=clean, remark=found, seal=seal
            )
        )

    def compare_deck(self, who: str | PlayerId, data: str | bytes, *, source: str) -> tuple[Changed, ...]:
        """Return what a list has otherwise than the one that a player registered, as decks; nothing where it is the same deck."""
        return registration.differences_of_decks(self, self.deck_text(who), data, source=source)

    def compare_audit(
        self, who: str | PlayerId, data: str | bytes, *, source: str, found: str | None = None
    ) -> AuditReceipt:
        """Note a deck check by the list of what was found: in order where it is the deck that was registered.

        found: what else is to be noted; it alone does not make a deck wrong
        """
        changed = self.compare_deck(who, data, source=source)
        note = "; ".join(filter(None, (deck_checks.difference_words(changed), found)))
        receipt = self.record_audit(who, clean=not changed, found=note or None)
        return AuditReceipt.of(receipt, changed_cards=changed)

    # -- players who go, and come back

    def drop(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Take players out from the next round on. If they sit at a table that is still playing, a warning says so."""
        return self.write(lambda state, seal: players.drop(state, self._all(state, who), reason, seal))

    def drop_absent(self, *, reason: str | None = None) -> Receipt:
        """Take out who is not checked in (before round 1), or did not show in the last round."""
        return self.write(lambda state, seal: players.drop_absent(state, reason, seal))

    def return_(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Let players who had dropped play again from the next round on; rounds missed are absences."""
        return self.write(lambda state, seal: players.return_(state, self._all(state, who), reason, seal))

    def disqualify(self, who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Take a player out of the ranking; those who met them still have."""
        return self.write(lambda state, seal: players.disqualify(state, self._one(state, who), reason, seal))

    # -- standings, the cut and the end

    def standings(
        self,
        *,
        profile: str | None = None,
        after: int | None = None,
        at: int | None = None,
        lots_needed: bool = True,
    ) -> Standings:
        """Rank the players.

        profile: another one than the event's, to look at; after: only the first that many rounds; at: as the event
        stood after that entry; lots_needed: as in `ranked`
        """
        from tourney.standings import rank

        ranked = self.ranked(profile=profile, after=after, at=at, lots_needed=lots_needed)
        return rank(ranked.record, ranked.profile, seed=ranked.seed)

    def ranked(
        self,
        *,
        profile: str | None = None,
        after: int | None = None,
        at: int | None = None,
        lots_needed: bool = True,
    ) -> Ranked:
        """Return what `standings` ranks, for other questions about it (`tourney.standings.why`, `compare`).

        It leaves out a round that is held back, because its byes would show who has them.

        lots_needed: refuse standings whose lots cannot be drawn because the secret is damaged; False: equal players
                     share a place then, as in a copy without the secret, and `no_lot` says why
        """
        if at is not None:
            return self.as_of(at).ranked(profile=profile, after=after, lots_needed=lots_needed)
        state = self.state.for_players
        played = record(state)
        if after is not None:
            if not 0 <= after <= len(played.rounds):
                raise TourneyError(f"there is no round {after} in the standings: {len(played.rounds)} so far")
            played = played.after(after)
            played = replace(played, drops=drops_before(after, played.drops))  # as the standings were then
        ranking, stored = self.profile(profile), self.journal.secret()
        damaged = is_secret_damaged(state, stored)
        if damaged and lots_needed and self._needs_lot(played, ranking):
            raise damaged_secret("no lot can be drawn, and equal players cannot be ranked")
        lots = lot_of(state, stored)
        return Ranked(played, ranking, lots, no_lot="" if lots else self._no_lot(state, damaged=damaged))

    @staticmethod
    def _needs_lot(played: Record, ranking: Profile) -> bool:
        from tourney.standings import rank
        from tourney.standings.ranking import lacks_lot

        return ranking.has_lot and lacks_lot(rank(played, ranking))

    def _no_lot(self, state: State, *, damaged: bool) -> str:
        """Say why no lot is drawn in the standings."""
        if state.waits_for_beacon:
            return f"it waits for {state.settings.pairing.beacon}"
        return "the event's secret is damaged" if damaged else NO_SECRET

    def profile(self, name: str | None = None) -> Profile:
        """Return the event's own standings profile from its kept bytes, or another one from the library."""
        if name is None or name == self.state.profile:
            return self.rules.profile
        return self.library.profile(name).on(self.rules.day)

    def lot(self, state: State) -> str:
        """Return the seed of the lots; empty if none can be drawn (yet).

        Raises TourneyError if the secret is damaged.
        """
        stored = self.journal.secret()
        if is_secret_damaged(state, stored):
            raise damaged_secret("no lot can be drawn")
        return lot_of(state, stored)

    def cut(
        self,
        size: int,
        *,
        kind: str = "single",
        reseed: bool = False,
        third_place: bool = False,
        vacancy: str = "opponent",
        lot: bool = False,
        seats: int | None = None,
        advance: int | None = None,
    ) -> Receipt:
        """Make the bracket of the first `size` of the standings; the next `pair_round` pairs it.

        seats, advance: players at a table, and how many go on from each; None: as the event has it
        lot: let the lot of the event's seed separate players who are level on everything else across the line of the cut

        If the event says so (`no_show`), drops the players who did not show in the last round first. Refused while tables
        are still playing, and without `lot` if nothing or only the lot separates players across the line.
        """
        profile = self.rules.profile
        if lot and not profile.has_lot:
            from tourney.standings import with_order
            from tourney.standings.profile import LOT

            profile = with_order(profile, [*profile.order, LOT])

        def decided(state: State, seal: Sealing) -> Decision:
            state, drop = players.without_no_shows(state, seal)
            made = brackets.cut(
                state,
                standings(state, profile, self.lot(state) if profile.has_lot else ""),
                size,
                kind=kind,
                reseed=reseed,
                third_place=third_place,
                vacancy=vacancy,
                lot=lot and bool(self.lot(state)),
                seats=seats,
                advance=advance,
            )
            left = unplayed(state)
            early = [f"{left}: `tourney event undo` takes the cut back"] if left else []
            return replace(made, first=drop, warnings=(*made.warnings, *early))

        return self._close_round(decided)

    def seed(self, *who: str | PlayerId) -> Receipt:
        """Seed an event that is nothing but a bracket by hand: everybody who plays, the first seed first."""
        return self.write(
            lambda state, _: brackets.seed_by_hand(state, [self._one(state, each) for each in who])
        )

    def close(self) -> Receipt:
        """End the event; a sealed event's secret is revealed. Refused while tables are still playing.

        Warned of where secret, seeds and recorded costs contradict each other; a secret that is not the one promised is
        never revealed.
        """

        def decided(state: State, _seal: Sealing) -> Decision:
            from tourney.desk.verifying import seals

            doubts = [each.message for each in seals(self.evidence()) if each.severity is Severity.ERROR]
            if left := unplayed(state):
                doubts.append(f"{left}: `tourney event reopen` if it goes on")
            stored = self.journal.secret()
            return event_admin.close(state, own_secret(state, stored) or stored, doubts)

        return self._close_round(decided)

    def reopen(self, *, reason: str | None = None) -> Receipt:
        """Take entries again."""
        return self.write(lambda state, seal: event_admin.reopen(state, reason, seal))

    # -- the rules, taken anew

    def rebase(self, *, on: str | None = None, reason: str | None = None) -> Receipt:
        """Adopt the rules as the library has them now; the receipt says which files differ.

        A rule file that the event keeps and that is damaged is put right where the library has the very same.
        """
        state = self.refresh()
        day = day_from(on) if on else date.fromisoformat(state.on)
        rules = gather(
            self.library,
            format_name=state.format,
            profile=state.profile,
            banlist=self._chosen_banlist(state),
            day=day,
            own=self.rules.brought(state),
        )
        kept = {each.text for each in state.rules}
        mended = self.journal.mend([text for text in rules.files.texts if text.ref in kept])

        def decided(now: State, seal: Sealing) -> Decision:
            files = rules.files.keep(seal)
            decision = event_admin.rebase(now, day.isoformat(), files, reason=reason, seal=seal)
            warnings = (*decision.warnings, *rules.warnings, *differences(now.rules, files))
            return replace(decision, warnings=warnings) if decision.op else decision

        receipt = self.write(decided)
        if receipt.entries:
            receipt = replace(receipt, warnings=(*receipt.warnings, *registration.to_check_again(self)))
        if not mended:
            return receipt
        self._kept = None
        return replace(
            receipt, changed=(*receipt.changed, "Of the rules kept before, what was damaged was put right.")
        )

    @staticmethod
    def _chosen_banlist(state: State) -> str | None:
        """Return the ban list that the organizer chose for the event, None for the format's own."""
        if state.banlist or state.missing_banlist:
            return state.banlist or None
        return NO_BANLIST

    # -- what was entered, and taking it back

    def show(self) -> EventContent:
        """Return the event as data."""
        return show(self.state)

    def log(self, after: int = 0) -> tuple[LogLine, ...]:
        """Return what the entries after the number `after` did, in words; those that were taken back, too."""
        gone, context = taken_back(self.entries), self.log_context
        return tuple(_log_line(each, gone, context) for each in self.entries[after:])

    def entered_on(self, device: Device) -> tuple[LogLine, ...]:
        """Return what was entered on a device of a player or of the staff, those entries that were taken back, too."""
        signed = device.signature if device.player is None else f"#{device.player}"
        since = datetime.fromisoformat(device.made)
        until = datetime.fromisoformat(device.ended) if device.ended else None
        signed_so = (each for each in self.entries if self.texts.get(each.by) == signed)
        mine = {
            each.seq
            for each in signed_so
            if since <= (at := datetime.fromisoformat(each.at))
            and (until is None or at <= until)
            and ((said := getattr(each.op, "device", None)) is None or self.texts.get(said) == device.words)
        }
        return tuple(line for line in self.log() if line.entry in mine) if mine else ()

    def own_last(self) -> LogLine | None:
        """Return your own last entry that stands, in words: what `undo` takes back; None where there is none."""
        book = self._book()
        mine = [each.seq for each in book.in_force if each.by in book.mine]
        return _log_line(self.entries[mine[-1] - 1], book.gone, self.log_context) if mine else None

    def as_of(self, entry: int) -> Self:
        """Return a desk to look at, on which nothing after `entry` has happened yet; its rules are those that held then.

        Raises TourneyError for an entry that does not exist.
        """
        if not 1 <= entry <= len(self.entries):
            raise TourneyError(
                f"there is no entry {entry}: they go from 1 to {len(self.entries)}",
                "`tourney event log` lists them",
            )
        desk = type(self)(
            self.journal, by=self.by, clock=self._clock, randomness=self._randomness, library=self._library
        )
        desk.reading = EventReading(self.entries[:entry], self.texts, self.at(entry))
        desk.past = entry
        return desk

    def undo(self, entry: int | None = None, *, reason: str | None = None) -> Receipt:
        """Take back your own last entry, or the entry named.

        Refused where later entries build on it (they are named), and for the creation of the event.
        """
        return self.write(
            lambda state, seal: undoing.undo(state, self._book(), entry, seal.maybe(checked_reason(reason)))
        )

    def redo(self, entry: int | None = None, *, reason: str | None = None) -> Receipt:
        """Take back your own last undo, or the undo of the entry named."""
        return self.write(
            lambda state, seal: undoing.redo(state, self._book(), entry, seal.maybe(checked_reason(reason)))
        )

    def _book(self) -> undoing.Book:
        return undoing.Book(self.entries, taken_back(self.entries), self.texts, self.own_refs())

    def check(self) -> tuple[Finding, ...]:
        """Look at the whole file: database pages, chain, every text, every rule, secret, seeds and recorded costs.

        Empty where all is well; what this copy cannot settle is `unverified`.
        """
        from tourney.desk.verifying import check

        return check(self)

    def evidence(self) -> Evidence:
        """Return what the file has to show for itself, for `tourney.desk.evidence`: the same until an entry is added."""
        from tourney.desk.evidence import Evidence

        if self._evidence is not None and self._evidence.state is self.state:
            return self._evidence
        systems = {self.state.settings.pairing.system, *(each.system for each in self.state.rounds)}
        self._evidence = Evidence(
            entries=self.entries,
            state=self.state,
            secret=self.journal.secret(),
            at=cache(self.at),
            text=self.journal.text,
            dutch=dutch_engine,
            dutch_engine=dutch_version() if "dutch" in systems else "",
        )
        return self._evidence

    # -- the event written out

    def export(self, folder: Path, *, replace: bool = False) -> tuple[Path, Path]:
        """Write `<event>.jsonl` (everything, an entry a line) and `<event>.toml` (for people) into `folder`.

        They are written anew where somebody asked to be forgotten meanwhile: their texts must not come back.
        """
        from tourney.event.showing import summary
        from tourney.store.export import export_event

        files: tuple[Path, Path] | None = None
        for _ in self.writing_out():
            with_secret = not self.state.sealed or self.state.closed
            if with_secret and is_secret_damaged(self.state, self.journal.secret()):
                raise damaged_secret("the event cannot be exported with it")
            again = replace or files is not None
            files = export_event(
                self.journal, summary(self.state), folder, with_secret=with_secret, replace=again
            )
        assert files is not None, "it is written once at least"
        self.remember_files(*files)
        return files

    def remember_files(self, *files: Path) -> None:
        """Remember files that hold names of the event, so that erasing a person can name them; skipped where it cannot be."""
        from tourney.store.folder import Folders

        folders = Folders(self.place, self.chain[0])
        with suppress(TourneyError):
            for file in files:
                folders.note_file(file, len(self.journal.gone()))

    def export_as(self, form: str, folder: Path, *, replace: bool = False) -> tuple[Path, tuple[str, ...]]:
        """Write the event in another program's form into `folder`; return the file, and what the form cannot hold.

        form: by its name among `tourney.standings.reading.FORMS`. Raises TourneyError where the event is nothing for it.
        """
        from tourney.desk.takeover import export_as

        written: tuple[Path, tuple[str, ...]] | None = None
        for _ in self.writing_out():
            written = export_as(self, form, folder, replace=replace or written is not None)
        assert written is not None, "it is written once at least"
        self.remember_files(written[0])
        return written

    def writing_out(self) -> Iterator[None]:
        """Write the event out in a loop over this: once, and anew where somebody asked to be forgotten meanwhile.

        Their texts must not come back in what was written on the event as it stood before.
        """
        gone: frozenset[Ref] | None = None
        while (now_gone := self.journal.gone()) != gone:
            gone = now_gone
            self.refresh()
            yield

    def publish(
        self,
        folder: Path,
        forms: Sequence[str] = (),
        *,
        at: int | None = None,
        prizes: tuple[str, str] | None = None,
        watch: Watch | None = None,
    ) -> Published:
        """Write all that may be published into a folder; see `tourney.publish.FORMS` for the forms (none: all).

        at: as the event stood after that entry; None: as it stands
        prizes: the text of a table of prizes and where it is from, to be shown in the final ranking

        They are written anew where somebody asked to be forgotten meanwhile. A round that is held back is left out. Files
        of other forms that were written before stay, but are brought up to date where somebody was erased from the event.
        Raises TourneyError where the folder cannot be written or holds somebody else's files.
        """
        from tourney.desk.publishing import publish

        return publish(self, folder, forms, at=at, prizes=prizes, watch=watch)

    @property
    def public_folder(self) -> Path | None:
        """Where the event is published round by round: `publish_to`, as seen from the event's file, or from here where it is in a database."""
        named = self.state.settings.pages.publish_to
        return self.place.folder / named if named else None

    # -- what goes with a change: its entry is on the disk, so that whatever goes wrong now is a warning of it

    def with_copy(self, receipt: Receipt) -> Receipt:
        """Copy the event as it stands at a round's start, and let go of the oldest such copies.

        That no copy could be made, or was waited for, is a warning.
        """
        from tourney.store.backup import backup

        state = receipt.state
        try:
            backup(self.journal, entry=state.entry, digest=state.digest, round_number=len(state.rounds))
        except (TourneyError, KeyboardInterrupt) as fault:
            warning = f"{str(fault) or 'interrupted: no copy was made'}; the round is paired all the same"
            self.last = replace(receipt, warnings=(*receipt.warnings, warning))
            return self.last
        return receipt

    def with_pages_and_posts(
        self, receipt: Receipt, *, outbox: OpenOutbox, watch: Watch | None = None
    ) -> Receipt:
        """Publish to the folder and post to the addresses that the event names (`publish_to`, `post_to`), and say so."""
        receipt = self.with_pages(receipt, watch=watch)
        if not self.state.settings.pages.post_to:
            return receipt
        from tourney.desk.publishing import with_posts

        return with_posts(self, receipt, outbox())

    def with_pages(self, receipt: Receipt, *, watch: Watch | None = None) -> Receipt:
        """Publish the event as it stands to the folder that it names, and say so."""
        folder, named = self.public_folder, self.state.settings.pages.publish_to
        if folder is None:
            return receipt
        try:
            made = self.publish(folder, watch=watch)
        except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001  what is done cannot fail any more
            warning = f"nothing was published: {_why_not(fault)}; what was entered stands all the same (`tourney publish --to {named}`)"
            self.last = replace(receipt, warnings=(*receipt.warnings, warning))
            return self.last
        self.last = replace(
            receipt,
            changed=(*receipt.changed, f"Published: {named}, {made.text}."),
            warnings=(*receipt.warnings, *made.warnings),
        )
        return self.last

    def with_new_seats(self, receipt: Receipt, before: State, *, watch: Watch | None = None) -> Receipt:
        """Publish the event anew where its pages show seats that are no more: a round taken back, or tables changed.

        before: the event before the change. Where nothing of these rounds was published, nothing is.
        """
        folder = self.public_folder
        if folder is None or not receipt.entries:
            return receipt
        old, new = (_seated(state.for_players) for state in (before, receipt.state))
        moved = [number for number in old.keys() | new.keys() if old.get(number) != new.get(number)]
        shown = any(
            (folder / f"round-{number}.{form}").exists() for number in moved for form in ("html", "md", "csv")
        )
        back = any(number not in old for number in moved) and (folder / "index.html").exists()
        return self.with_pages(receipt, watch=watch) if shown or back else receipt

    # -- copies, and who asks to be forgotten

    def backup(self) -> Path:
        """Copy the event, whole and consistent, to `.tourney-backups/` beside it; return the copy's path."""
        from tourney.store.backup import backup

        state = self.refresh()
        return backup(self.journal, entry=state.entry, digest=state.digest)

    def backups(self) -> tuple[Path, ...]:
        """Return the event's copies, newest first."""
        from tourney.store.backup import backups

        return backups(self.place)

    def erase(self, who: str | PlayerId, signed: Sequence[str] = ()) -> Receipt:
        """Delete a person's name, deck and notes from the file; entries, chain and standings hold.

        signed: what they signed as, where it is not a name that they were registered under

        So do what others wrote that names them (a whole deck, where a remark in it does), what they signed as a
        scorekeeper, registrations of the same name that were taken back, and all of it in the copies in
        `.tourney-backups/`, and in every folder that pages or sheets of the event were written to from here. Cannot be
        undone. Exports, and copies of pages elsewhere, keep the texts; the receipt says so.
        Raises TourneyError where the event itself is called after them.
        """
        from tourney.desk.erasing import erase

        return erase(self, who, signed)


def _why_not(fault: BaseException) -> str:
    """Say why nothing was published."""
    if isinstance(fault, OSError):
        from tourney.store.files import fault_words

        return fault_words(fault)
    if isinstance(fault, (TourneyError, KeyboardInterrupt)):
        return str(fault) or "interrupted"
    return f"a bug ({type(fault).__name__}: {fault})"


def _seated(state: State) -> dict[int, object]:
    """Return who sits where in each round, and who has no table."""
    return {
        each.number: ([(table.number, table.seats) for table in each.tables.values()], each.byes)
        for each in state.rounds
    }


def dutch_engine(question: EngineQuestion) -> tuple[tuple[int, int], ...]:
    """Ask FIDE's engine, a process of its own. Raises TourneyError where it is not installed or refuses."""
    from tourney.store.fide import dutch_pairs

    return dutch_pairs(question)


def dutch_version() -> str:
    """Return name and version of the engine of the Dutch system; empty where it is not installed."""
    from tourney.store.fide import version

    return version()
