"""The state of an event: players, rounds, claims, settings, as plain data.

Only `tourney.event.fold` makes a new state, by applying entries. If it made a frozen state after each of
fifty thousand entries, it would copy all rounds fifty thousand times. So it applies entries to a
`StateDraft`, which copies a round when an entry first changes it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct, field, structs
from msgspec.structs import replace

from tourney.event.entry import NOTHING_YET
from tourney.event.ops import (
    AuditDrawn,
    AuditRecorded,
    CutMade,
    DeckAgreed,
    DeckShared,
    DeckSubmitted,
    ExtraPoints,
    Kept,
    Loss,
    NewcomersDeck,
    PairForbidden,
    PairForced,
    Proof,
    Ref,
    Stage,
)
from tourney.event.settings import Settings, System
from tourney.event.titles import cut_title, round_title
from tourney.record import Outcome, PlayerId, Result, Table
from tourney.wording import clock_time

_NO_REF = Ref("")


class Entered(Struct, frozen=True):
    """When and by whom something was entered.

    entry: the number of the entry in the journal
    at: the time, ISO 8601 with the zone
    by: the scorekeeper's name
    """

    entry: int
    at: str
    by: str

    @property
    def words(self) -> str:
        """The entry in words: `entry 9, 14:05 by Mira`."""
        return f"entry {self.entry}, {clock_time(self.at)} by {self.by}"


class RegisteredDeck(Struct, frozen=True, kw_only=True):
    """A registered decklist. A *ref* is the digest that identifies a stored text.

    text: ref of the list
    cards: ref of the card pool's lines for the cards in the list
    vouched: ref of the name of the scorekeeper who vouched for card facts in the list; None if the verdict
        does not depend on such facts
    """

    text: Ref
    verdict: str
    cards: Ref | None
    entry: int
    vouched: Ref | None = None

    @classmethod
    def by(cls, op: NewcomersDeck | DeckSubmitted | DeckShared | DeckAgreed, entry: int) -> RegisteredDeck:
        """Return the decklist that a journal entry registers.

        op:    the entry's operation, or the deck of a new player in it
        entry: the number of the entry
        """
        voucher = op.vouched if isinstance(op, (NewcomersDeck, DeckSubmitted)) else None
        return cls(text=op.text, verdict=op.verdict, cards=op.cards, entry=entry, vouched=voucher)


class Departure(Struct, frozen=True):
    """How a player left the event.

    entry: the entry that records it
    round: the last round before the player left
    reason: ref of the reason; None if there is none
    """

    entry: int
    round: int
    reason: Ref | None


class Player(Struct, frozen=True, kw_only=True):
    """A player of the event.

    id:           the number of the registration, from 1, as in `#7`
    name:         the registered name; `player 7` after the name was erased
    since:        the next round to be paired when the player registered. The player can still be seated in
                  the round before it, by an edit or a repair. If rounds are removed, `since` is lowered to
                  the next round to be paired
    late:         what each round before `since` counts as
    tags:         kind → (ref, text), such as club → (…, "Harbour Club"); compare the refs, show the texts
    byes:         round → AWARDED_BYE, HALF_BYE or ABSENT, as requested for a coming round
    table:        the number of the player's fixed table; None if there is none
    dropped:      the last round paired before the player left; None if the player has not left
    disqualified: the last round paired before the disqualification; None if the player is not disqualified
    departure:    the entry by which the player left or was disqualified; None if the player is in the event
    deck:         the registered list; None if there is none
    waived:       whether the player may play without a list
    contact:      ref of a text that only staff see: how to reach the player, or any other note; None without
                  one
    erased:       whether the name was deleted by request
    alias:        (ref, text) of the name that pages show; None if they show the name
    minor:        whether the player is under age, so that pages always shorten the name
    leaving:      whether the player left by phone, and still plays round `dropped` to its end
    moved_up:     whether `since` is lower than in the entry, because a round was removed
    own_check_in: whether the player checked in by phone, not at the desk
    """

    id: PlayerId
    name: str
    name_ref: Ref
    since: int = 1
    late: Outcome = Outcome.ABSENT
    rating: int | None = None
    tags: Mapping[str, tuple[Ref, str]] = field(default_factory=dict)
    byes: Mapping[int, Outcome] = field(default_factory=dict)
    table: int | None = None
    dropped: int | None = None
    disqualified: int | None = None
    departure: Departure | None = None
    deck: RegisteredDeck | None = None
    waived: bool = False
    checked_in: bool = False
    own_check_in: bool = False
    contact: Ref | None = None
    erased: bool = False
    alias: tuple[Ref, str] | None = None
    minor: bool = False
    leaving: bool = False
    moved_up: bool = False

    @property
    def alias_name(self) -> str | None:
        """The alias that pages show; None if they show the name itself."""
        return self.alias[1] if self.alias else None

    @property
    def tag_texts(self) -> dict[str, str]:
        """The player's tags: kind → text, such as club → `Harbour Club`."""
        return {kind: text for kind, (_, text) in self.tags.items()}

    @property
    def playing(self) -> bool:
        """Whether the player is still in the event: neither dropped nor disqualified."""
        return self.dropped is None and self.disqualified is None

    @property
    def last_round(self) -> int | None:
        """The last round before the player left or was disqualified; None if neither happened."""
        return min((last for last in (self.dropped, self.disqualified) if last is not None), default=None)

    def as_of(self, last: int) -> Player:
        """Return the player as if no round after `last` had been paired.

        If the player joined or left during a later round, the returned player did so right after round
        `last`.
        """
        if max(self.since - 1, self.dropped or 0, self.disqualified or 0) <= last:
            return self
        departure = self.departure
        return replace(
            self,
            since=min(self.since, last + 1),
            moved_up=self.moved_up or self.since > last + 1,
            dropped=None if self.dropped is None else min(self.dropped, last),
            disqualified=None if self.disqualified is None else min(self.disqualified, last),
            departure=replace(departure, round=min(departure.round, last)) if departure else None,
            leaving=self.leaving and self.dropped is not None and self.dropped <= last,
        )


class Dispute(Struct, frozen=True, kw_only=True):
    """A player's answer that a claim is wrong.

    result: this player's version; None if the player gave none
    reason: ref of the reason; None if there is none
    """

    entry: int
    at: str
    player: PlayerId
    result: Result | None = None
    reason: Ref | None = None


class Claim(Struct, frozen=True, kw_only=True):
    """A result that a player reported and that is not recorded yet.

    The claim is removed when a result is recorded for the table. The same player can replace it with a new
    report while it has no answer. It also ends without a result, for example when the next round is paired.

    entry:     the number of the report in the journal
    at:        the time of the report
    since:     the time from which the claim waits: that of the report, or of the last undo after it
    result:    the result, with the players of the table in seat order
    needed:    the other players at the table who still play; all of them must confirm the claim. A player who
               left by phone still plays the current round. If all others have left, `needed` is empty, and
               any one of them can confirm the claim, unless disqualified
    confirmed: the players who have confirmed it, in the order of their answers
    disputes:  the answers that dispute it, in the order in which they were given
    """

    entry: int
    at: str
    since: str
    player: PlayerId
    table: int
    result: Result
    needed: tuple[PlayerId, ...] = ()
    confirmed: tuple[PlayerId, ...] = ()
    disputes: tuple[Dispute, ...] = ()

    @property
    def disputed(self) -> bool:
        """Whether a player disputes the claim, so that only the desk can decide the result."""
        return bool(self.disputes)

    @property
    def answered(self) -> bool:
        """Whether a player has confirmed or disputed the claim, which then cannot be replaced."""
        return bool(self.confirmed or self.disputes)

    @property
    def waiting(self) -> tuple[PlayerId, ...]:
        """The players who still have to confirm the claim; empty if a player disputes it.

        Players who have left do not have to confirm it.
        """
        if self.disputed:
            return ()
        return tuple(player for player in self.needed if player not in self.confirmed)

    @property
    def agreed(self) -> bool:
        """Whether all required players have confirmed the claim."""
        return bool(self.confirmed) and not self.disputed and not self.waiting

    def answered_by(self, player: PlayerId) -> bool:
        """Return whether `player` has confirmed or disputed the claim."""
        return player in self.confirmed or any(dispute.player == player for dispute in self.disputes)

    def overdue(self, now: datetime, minutes: int) -> bool:
        """Return whether the claim is not disputed and was reported at least `minutes` ago."""
        return not self.disputed and _minutes_since(self.at, now) >= minutes

    def overdue_since_undo(self, now: datetime, minutes: int) -> bool:
        """Return whether the claim is not disputed and has waited at least `minutes`.

        Unlike `overdue`, count from the last undo in the event if that is later than the report.
        """
        return not self.disputed and _minutes_since(self.since, now) >= minutes


def _minutes_since(at: str, now: datetime) -> float:
    return (now - datetime.fromisoformat(at)).total_seconds() / 60


class JudgeCall(Struct, frozen=True, kw_only=True):
    """A player's open call for a judge. about: ref of the reason; None without one."""

    entry: int
    at: str
    player: PlayerId
    table: int
    about: Ref | None = None


class RoundTable(Struct, frozen=True):
    """A table of a round: a struct, because folding creates many tables and structs are fast.

    seats:         the players, in seat order
    result:        None while the table is playing
    label:         its match in a bracket (`Semifinal 1`); empty outside a bracket
    entered:       when and by whom the result was last entered; None without a result
    reasons:       refs of the reasons given for the result
    extra_minutes: the minutes that the table has after the round's clock runs out
    claim:         the open claim; None without one
    """

    number: int
    seats: tuple[PlayerId, ...]
    result: Result | None = None
    label: str = ""
    entered: Entered | None = None
    reasons: tuple[Ref, ...] = ()
    extra_minutes: int = 0
    claim: Claim | None = None

    @property
    def record(self) -> Table:
        """The table as a `tourney.record.Table`, as pairing and standings read it."""
        return Table(self.number, self.seats, self.result)

    @property
    def public(self) -> RoundTable:
        """The table as public pages show it: without its claim and the reasons for its result."""
        return structs.replace(self, claim=None, reasons=()) if self.claim or self.reasons else self


class Round(Struct, kw_only=True):
    """A round. `number` counts from 1, through the Swiss rounds and those of the cut.

    A round changes only while entries are applied to the event. Even then, only the copy in the draft changes
    (`StateDraft.round`).

    paired:  when and by whom it was paired
    tables:  number → table, in the order of numbers
    byes:    player without a table → outcome
    seed:    the round's seed in hexadecimal; empty for a round paired by hand
    engine:  the name and version of the engine that paired it; empty for a round paired by hand
    proof:   what the engine proved about the cost of the pairing
    edits:   when and by whom tables were changed after the pairing
    started: when the clock was started; empty if it was not
    minutes: the length of the round in minutes; 0 without a time limit
    held:    whether only the desk can see the round so far
    agreed:  (zone, players) → the list of cards for the zone that the players of a table have agreed on
    calls:   entry → the open call for a judge, which follows the player to another table
    """

    number: int
    stage: Stage
    system: System
    paired: Entered
    tables: dict[int, RoundTable] = field(default_factory=dict)
    byes: dict[PlayerId, Outcome] = field(default_factory=dict)
    seed: str = ""
    engine: str = ""
    proof: Proof = field(default_factory=Proof)
    edits: tuple[Entered, ...] = ()
    started: str = ""
    minutes: int = 0
    held: bool = False
    agreed: dict[tuple[str, frozenset[PlayerId]], RegisteredDeck] = field(default_factory=dict)
    calls: dict[int, JudgeCall] = field(default_factory=dict)

    @property
    def origin(self) -> Literal["engine", "repair", "hand"]:
        """What paired the round or, if its tables were changed since, what last changed them."""
        if not self.edits:
            return "hand" if self.system == "manual" else "engine"
        return "repair" if self.engine else "hand"

    @property
    def open_tables(self) -> tuple[RoundTable, ...]:
        """The tables that have no result yet."""
        return tuple(table for table in self.tables.values() if table.result is None)

    @property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the tables that have no result yet."""
        return tuple(table.number for table in self.open_tables)

    @property
    def done(self) -> bool:
        """Whether every table has a result."""
        return all(table.result is not None for table in self.tables.values())

    @property
    def seated(self) -> set[PlayerId]:
        """The players who have a table."""
        return {player for table in self.tables.values() for player in table.seats}

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The results that players reported and that are not recorded yet, by table."""
        return tuple(table.claim for table in self.tables.values() if table.claim is not None)

    @property
    def record(self) -> tuple[Table, ...]:
        """The tables as `tourney.record.Table`s, as pairing and standings read them."""
        return tuple(table.record for table in self.tables.values())

    @property
    def public(self) -> Round:
        """The round as public pages show it: without claims, reasons for results and judge calls."""
        return replace(self, tables={number: table.public for number, table in self.tables.items()}, calls={})

    @property
    def title(self) -> str:
        """The round's title: `Round 3`, or in the cut `Semifinals`."""
        labels = [table.label for table in self.tables.values() if table.label] if self.stage == "cut" else []
        return cut_title(labels) if labels else round_title(self.number)

    def agreed_at(self, table: RoundTable) -> dict[str, RegisteredDeck]:
        """Return zone (part of the deck) → the list for it on which the players of a table agreed.

        An agreement counts only if exactly its players sit at the table.
        """
        seats = frozenset(table.seats)
        return {
            part: deck
            for (part, players), deck in sorted(self.agreed.items(), key=lambda item: item[0][0])
            if players == seats
        }

    def table_of(self, player: PlayerId) -> RoundTable | None:
        """Return the table of `player`; None if the player has none."""
        return next((table for table in self.tables.values() if player in table.seats), None)

    def seated_as(self, before: Round | None) -> bool:
        """Return whether seats and byes are the same as in `before`; False if `before` is None."""
        if self is before or before is None:
            return self is before
        new_seats, old_seats = (
            ({table.number: table.seats for table in round_.tables.values()}, round_.byes)
            for round_ in (self, before)
        )
        return new_seats == old_seats

    def seconds_left(self, now: datetime, more: int = 0) -> int | None:
        """Return the seconds left on the clock with `more` extra minutes; negative after the end.

        None if the round has no time limit. The clock must have been started.
        """
        if not self.minutes:
            return None
        elapsed = (now - datetime.fromisoformat(self.started)).total_seconds()
        return int((self.minutes + more) * 60 - elapsed // 1)

    # -- for the fold

    def copied(self) -> Round:
        """Return a copy whose dictionaries can be changed."""
        return replace(
            self,
            tables=dict(self.tables),
            byes=dict(self.byes),
            agreed=dict(self.agreed),
            calls=dict(self.calls),
        )

    def sort(self) -> None:
        """Sort the tables by number, and the byes by player."""
        self.tables = dict(sorted(self.tables.items()))
        self.byes = dict(sorted(self.byes.items()))

    def change(self, table: int, **facts: Any) -> None:
        """Set fields of a table, such as its result, to new values.

        table: the number of the table
        facts: name of a field of `RoundTable` → new value
        """
        self.tables[table] = structs.replace(self.tables[table], **facts)

    def enter(self, table: int, result: Result | None, signature: Entered, reason: Ref | None) -> None:
        """Set a table's result (None removes it), and remove the open claim about the table."""
        reasons = (reason,) if result and reason else ()
        self.change(table, result=result, entered=signature if result else None, reasons=reasons, claim=None)


class Penalty(Struct, frozen=True, kw_only=True):
    """A penalty of a player.

    entry: the entry by which it was given
    level, loss: as in `tourney.event.ops.PenaltyGiven`; after upgrades, as in the last upgrade
    was: the levels before upgrades, oldest first
    upgrade_reasons: refs of the reasons of the upgrades, the first upgrade first
    """

    entry: int
    player: PlayerId
    round: int
    level: str
    infraction: str = ""
    loss: Loss = ""
    reason: Ref | None = None
    was: tuple[str, ...] = ()
    upgrade_reasons: tuple[Ref | None, ...] = ()


class Beacon(Struct, frozen=True):
    """The public value that is part of every seed, and when and by whom it was entered."""

    value: str
    entered: Entered


class Imported(Struct, frozen=True, kw_only=True):
    """The file of another program that an event came from.

    form, file, extra_points: see `tourney.event.ops.EventImported`
    first, last: the first and last entry of the import
    """

    form: str
    file: str
    first: int
    last: int
    extra_points: tuple[ExtraPoints, ...] = ()


class State(Struct, frozen=True, kw_only=True):
    """An event after entry `entry`, whose digest in the chain is `digest`.

    created:       when the event was created, ISO 8601 with the zone
    on:            the day whose ban list applies, YYYY-MM-DD
    rules:         the rule files that the event keeps a copy of
    ruled_since:   the number of the entry that set the current rules
    secret_digest: SHA-256 of the event's secret, in hexadecimal
    revealed:      the secret itself; None until a sealed event is closed
    beacon:        the public value that `settings.pairing.beacon` names; None until it is entered
    imported:      the file of another program that the event came from; None if it was not imported
    players:       players by id, in order of registration
    rounds:        the paired rounds; rounds[0] is round 1
    cut:           the bracket; None until it is made
    audits:        entry → the deck check that it records
    shared:        the lists that all players play with, by zone
    last_id:       the highest player number ever given, undone registrations included
    """

    entry: int = 0
    digest: str = NOTHING_YET
    name: str = ""
    name_ref: Ref = _NO_REF
    format: str = ""
    created: str = ""
    on: str = ""
    rules: tuple[Kept, ...] = ()
    ruled_since: int = 0
    settings: Settings = field(default_factory=Settings)
    secret_digest: str = ""
    revealed: str | None = None
    sealed: bool = False
    closed: bool = False
    beacon: Beacon | None = None
    imported: Imported | None = None
    players: Mapping[PlayerId, Player] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    forced: tuple[PairForced, ...] = ()
    forbidden: tuple[PairForbidden, ...] = ()
    cut: CutMade | None = None
    penalties: tuple[Penalty, ...] = ()
    audits: Mapping[int, AuditRecorded] = field(default_factory=dict)
    draws: tuple[AuditDrawn, ...] = ()
    shared: Mapping[str, RegisteredDeck] = field(default_factory=dict)
    last_id: int = 0

    @property
    def system(self) -> System:
        """The pairing system of the next round: elimination after a cut, else the event's system."""
        return self.settings.pairing.system if self.cut is None else "elimination"

    @property
    def joinable(self) -> bool:
        """Whether players can still join or return: until a cut is made or a bracket begins."""
        return self.cut is None or (self.settings.pairing.system == "elimination" and not self.rounds)

    @property
    def waits_for_beacon(self) -> bool:
        """Whether the seeds depend on a public value that is not entered yet.

        Until it is entered, no pairing and no lot can be drawn.
        """
        return bool(self.settings.pairing.beacon) and self.beacon is None

    @property
    def round(self) -> Round | None:
        """The last round that was paired; None before round 1."""
        return self.rounds[-1] if self.rounds else None

    @property
    def open_round(self) -> Round | None:
        """The first round with an open table; None if every table has a result.

        This is the last round, or an earlier one from which a result was removed.
        """
        return next((round_ for round_ in self.rounds if not round_.done), None)

    def name_of(self, player: PlayerId) -> str:
        """Return the current name of a player."""
        return self.players[player].name if player in self.players else f"player {player}"

    def table_of(self, player: PlayerId, number: int | None = None) -> RoundTable | None:
        """Return a player's table in a round.

        Returns None if the player has no table in it, or if the round is not paired.

        number: the round; None for the current round
        """
        number = len(self.rounds) if number is None else number
        return self.rounds[number - 1].table_of(player) if 0 < number <= len(self.rounds) else None

    @property
    def for_players(self) -> State:
        """The event as players see it: without a round that the desk holds back.

        A player who joined or left during that round appears to have done so before it.
        """
        held_index = next((at for at, round_ in enumerate(self.rounds) if round_.held), None)
        if held_index is None:
            return self
        players = {number: player.as_of(held_index) for number, player in self.players.items()}
        return replace(self, rounds=self.rounds[:held_index], players=MappingProxyType(players))

    @property
    def swiss(self) -> tuple[Round, ...]:
        """The rounds before the cut, which count for the standings."""
        return tuple(round_ for round_ in self.rounds if round_.stage == "swiss")

    @property
    def playing(self) -> tuple[Player, ...]:
        """The players who are neither dropped nor disqualified, in order of registration."""
        return tuple(player for player in self.players.values() if player.playing)

    def is_imported(self, signature: Entered) -> bool:
        """Return whether an entry comes from another program's file and therefore has no proof."""
        return self.imported is not None and self.imported.first <= signature.entry <= self.imported.last

    def has_rules_of(self, other: State) -> bool:
        """Return whether both states have the same rule files, day of the ban list and choices.

        Choices are the settings of a format that its rules leave to the organizer.
        """
        choices = self.settings.match.choices == other.settings.match.choices
        return choices and (self.rules, self.on) == (other.rules, other.on)

    @property
    def profile(self) -> str:
        """The name of the event's standings profile."""
        return next((rule.name for rule in self.rules if rule.kind == "profile"), "")

    @property
    def banlist(self) -> str:
        """The name of the event's ban list; empty if there is none."""
        return next((rule.name for rule in self.rules if rule.kind == "banlist"), "")

    def is_outdated(self, deck: RegisteredDeck) -> bool:
        """Return whether the rules have changed since a deck was checked."""
        return deck.entry < self.ruled_since

    @property
    def missing_banlist(self) -> str:
        """The name of the format's ban list if the list was not installed; else empty."""
        return next((rule.name for rule in self.rules if rule.kind == "no-banlist"), "")


# -- the event while it is folded


class StateDraft:
    """An event to which entries are being applied. A round is copied when first changed."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._facts: dict[str, Any] = {}
        self._own: set[int] = set()
        self.players = dict(state.players)
        self.rounds = list(state.rounds)
        self.forced = list(state.forced)
        self.forbidden = list(state.forbidden)
        self.penalties = list(state.penalties)
        self.audits = dict(state.audits)
        self.draws = list(state.draws)
        self.shared = dict(state.shared)
        self.settings = state.settings
        self.rules = state.rules
        self.cut = state.cut
        self.last_id = state.last_id

    def set(self, **facts: Any) -> None:
        """Set fields of the resulting `State` that are not attributes of this draft.

        Set an attribute of the draft, such as `rounds`, directly.

        facts: name of a field of `State` → new value
        """
        self._facts.update(facts)

    @property
    def on(self) -> str:
        """The day whose ban list applies, YYYY-MM-DD."""
        day: str = self._facts.get("on", self._state.on)
        return day

    def change(self, player: PlayerId, **facts: Any) -> None:
        """Set fields of a player, such as the name, to new values.

        facts: name of a field of `Player` → new value
        """
        self.players[player] = replace(self.players[player], **facts)

    def round(self, number: int) -> Round:
        """Return round `number` as a copy that may be changed."""
        if number not in self._own:
            self._own.add(number)
            self.rounds[number - 1] = self.rounds[number - 1].copied()
        return self.rounds[number - 1]

    def add_round(self, round_: Round) -> None:
        """Add a new round. Open claims and calls for a judge in the round before it end."""
        if self.rounds:
            self.end_claims(self.rounds[-1].seated)
            if self.rounds[-1].calls:
                self.round(len(self.rounds)).calls = {}
        self.rounds.append(round_)
        self._own.add(round_.number)

    def remove_round(self) -> None:
        """Remove the last round.

        Players who joined or left during that round now count as having done so just before it.
        """
        self._own.discard(len(self.rounds))
        self.rounds.pop()
        self.players = {number: player.as_of(len(self.rounds)) for number, player in self.players.items()}

    def keep_seated(self, number: int, seated_players: Collection[PlayerId]) -> None:
        """Adjust when players joined or left, to fit the players `seated_players` in round `number`.

        This is needed only for journals of a pre-release. When a round was removed and paired again, the
        pre-release used the players of the first pairing. So a player who had left can be in the round, and
        now leaves after it. A player who had joined can be missing, and now joins in the next round.
        """
        for player in tuple(self.players.values()):
            if player.id not in seated_players:
                if player.moved_up and player.since == number:
                    self.change(player.id, since=number + 1)
            elif player.last_round == number - 1:
                leave_rounds = {"dropped": player.dropped, "disqualified": player.disqualified}
                departure = replace(player.departure, round=number) if player.departure else None
                last = {name: number for name, last in leave_rounds.items() if last == number - 1}
                self.change(player.id, departure=departure, **last)

    def end_claims(self, players: Collection[PlayerId]) -> None:
        """Remove claims (reported, unrecorded results) of the last round at tables of `players`."""
        for claim in self.rounds[-1].claims if self.rounds else ():
            if any(player in players for player in claim.result.players):
                self.round(len(self.rounds)).change(claim.table, claim=None)

    def frozen(self, entry: int, digest: str) -> State:
        """Return the state after `entry`."""
        for number in self._own:
            self.rounds[number - 1].sort()
        self._own.clear()
        fields = {
            name: _freeze_value(value) for name, value in vars(self).items() if not name.startswith("_")
        }
        return replace(self._state, **self._facts, **fields, entry=entry, digest=digest)


def _freeze_value(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType(dict(sorted(value.items())))
    return tuple(value) if isinstance(value, list) else value


def changed_tables(round_: Round, before: Round | None) -> list[int] | None:
    """Return the numbers of the tables that differ from those of the round `before`.

    Returns None if the two rounds are the same object.
    """
    if round_ is before:
        return None
    if before is None:
        return list(round_.tables)
    return [number for number, table in round_.tables.items() if before.tables.get(number) != table]
