"""Everything that can happen to an event: one frozen struct for each kind of entry. This is the file format.

An op records what happened, not how: `round.paired` carries the tables, so a replay never runs an engine. The tag is
`<noun>.<verb>`. After a release a struct never changes. A new meaning, another default or a new required field is a new
struct with the tag `<noun>.<verb>/2` beside the old one, which stays readable. A new field is allowed if its default
means what was meant before: defaults are not written, so old entries keep their bytes and digests.

Nothing here is personal. A person's words (names, reasons, decks) are a `Ref`, the salted digest of a text
that is stored apart and can be deleted without breaking the chain.

First the records that ops are made of (the shorter ones are written as arrays), then the ops by noun.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NewType

import msgspec

from tourney.event.settings import System
from tourney.record import Outcome, PlayerId, Result, Table

Ref = NewType("Ref", str)
"""The name of a text that is stored beside the journal: SHA-256 of salt + bytes, in hexadecimal."""

Stage = Literal["swiss", "cut"]
"""Before the cut (even if the rounds are not Swiss), and after it."""

Unseated = Literal["bye", "awarded-bye", "half-bye", "absent"]
"""Why a player has no table in a round.

The standings profile says what `absent` is worth (mostly nothing).
"""

UNSEATED: Mapping[Outcome, Unseated] = {
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded-bye",
    Outcome.HALF_BYE: "half-bye",
    Outcome.ABSENT: "absent",
}
"""Outcomes of players without a table, with their names in entries."""


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rule file whose bytes the event keeps.

    kind: `format`, `banlist`, `profile`, `pool`; `no-banlist` for a list that the format names and that was not installed
    name: as the organizer named it (`redline/standard`); a format's or profile's parents follow under their own names
    day:  a ban list's day (its file's name); empty otherwise
    """

    kind: str
    name: str
    text: Ref
    day: str = ""


Verdict = Literal["legal", "illegal", "unverified", "unchecked"]
"""The verdict on a decklist. `unverified`: the check could not decide; `unchecked`: there was no check."""


class NewcomersDeck(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The decklist with which a player was registered, with fields of `DeckSubmitted`."""

    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    vouched: Ref | None = None


class Newcomer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player at registration.

    since:  the first round played (1 before the first pairing)
    late:   what the rounds before `since` count for
    tags:   (kind, text) such as ("club", …): equal texts have equal refs
    byes:   (round, kind): awarded byes, requested half byes, announced absences
    contact: anything else known about the person, as a text
    table:  a fixed table's number
    deck:   the list submitted with the registration
    alias:  the player's name on pages; minor: under age, so that pages shorten the name
    """

    id: PlayerId
    name: Ref
    since: int = 1
    late: Unseated = "absent"
    rating: int | None = None
    tags: tuple[tuple[str, Ref], ...] = ()
    byes: tuple[tuple[int, Unseated], ...] = ()
    table: int | None = None
    contact: Ref | None = None
    deck: NewcomersDeck | None = None
    alias: Ref | None = None
    minor: bool = False


class NoTable(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A player who has no table in a round, and why."""

    player: PlayerId
    kind: Unseated


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The engine's proof: cost and lower bound, level by level, and the kind of proof in words."""

    cost: tuple[int, ...] = ()
    bound: tuple[int, ...] = ()
    text: str = ""


class ExtraPoints(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Points beside the results: a bonus, or below 0 a penalty. points: half points."""

    round: int
    player: PlayerId
    points: int


class Op(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="op"):
    """The base of all ops."""


class EventCreated(Op, frozen=True, tag="event.created"):
    """The first entry.

    on:       the day (YYYY-MM-DD) for which the ban list was picked
    settings: those that differ from the defaults, by flat names
    secret:   SHA-256 of the secret
    """

    name: Ref
    format: str
    on: str
    rules: tuple[Kept, ...]
    settings: dict[str, Any]
    secret: str
    sealed: bool = False


class EventChanged(Op, frozen=True, tag="event.changed"):
    """Settings, the name or the standings profile were changed. settings: only the changed keys."""

    settings: dict[str, Any] = {}
    name: Ref | None = None
    profile: tuple[Kept, ...] = ()
    reason: Ref | None = None


class BeaconEntered(Op, frozen=True, tag="event.beacon"):
    """The public value that `settings.pairing.beacon` names was entered.

    value: its text with single blanks; part of every seed.
    """

    value: str


class EventClosed(Op, frozen=True, tag="event.closed"):
    """The event was closed. secret: revealed, in hexadecimal, for a sealed event."""

    secret: str | None = None


class EventReopened(Op, frozen=True, tag="event.reopened"):
    """The event was reopened."""

    reason: Ref | None = None


class EventRebased(Op, frozen=True, tag="event.rebased"):
    """New rules were adopted.

    on: the day for which the ban list was picked; rules: all present rule files.
    """

    on: str
    rules: tuple[Kept, ...]
    reason: Ref | None = None


class EventImported(Op, frozen=True, tag="event.imported"):
    """The event was played in another program.

    The entries that follow come from its file, and are not proved.

    form: the name of the file's form (`cobra`); file: SHA-256 of its bytes; entries: how many follow
    extra_points: points in the file beside the results
    """

    form: str
    file: str
    entries: int
    extra_points: tuple[ExtraPoints, ...] = ()


class PlayerAdded(Op, frozen=True, tag="player.added"):
    """Players were registered. Ids are never used twice."""

    players: tuple[Newcomer, ...]


class PlayerRenamed(Op, frozen=True, tag="player.renamed"):
    """A player's name was changed."""

    player: PlayerId
    name: Ref


class PlayerDropped(Op, frozen=True, tag="player.dropped"):
    """Players left. after: the last round they were in (0: before round 1).

    cancelled: (player, round) of the byes and absences that were announced for later rounds
    by_player: the player left by phone, and plays the round to its end
    """

    players: tuple[PlayerId, ...]
    after: int
    reason: Ref | None = None
    cancelled: tuple[tuple[PlayerId, int], ...] = ()
    by_player: bool = False


class PlayerReturned(Op, frozen=True, tag="player.returned"):
    """Players who had dropped play again from round `since` on. Missed rounds are absences."""

    players: tuple[PlayerId, ...]
    since: int
    reason: Ref | None = None


class PlayerChanged(Op, frozen=True, tag="player.changed"):
    """Facts of a player were changed. byes: by round, replacing earlier ones; `play` removes one."""

    player: PlayerId
    rating: int | msgspec.UnsetType | None = msgspec.UNSET
    tags: tuple[tuple[str, Ref], ...] | msgspec.UnsetType = msgspec.UNSET
    byes: tuple[tuple[int, Unseated | Literal["play"]], ...] = ()
    table: int | msgspec.UnsetType | None = msgspec.UNSET
    contact: Ref | msgspec.UnsetType | None = msgspec.UNSET
    alias: Ref | msgspec.UnsetType | None = msgspec.UNSET
    minor: bool | msgspec.UnsetType = msgspec.UNSET


class PlayerDisqualified(Op, frozen=True, tag="player.disqualified"):
    """A player was disqualified: out of the ranking, but still an opponent.

    cancelled: as in `PlayerDropped`.
    """

    player: PlayerId
    after: int
    reason: Ref | None = None
    cancelled: tuple[tuple[PlayerId, int], ...] = ()


class PlayerCheckedIn(Op, frozen=True, tag="player.checked-in"):
    """Players checked in. by_player: by phone, not seen by the desk."""

    players: tuple[PlayerId, ...]
    by_player: bool = False


class PlayerErased(Op, frozen=True, tag="player.erased"):
    """A person's texts were deleted on request. The entries that refer to them stay.

    texts: refs of all deleted texts, also of those about others that name the person, and of the person's signatures
    also:  other numbers that the person was registered under
    """

    player: PlayerId
    texts: tuple[Ref, ...] = ()
    also: tuple[PlayerId, ...] = ()

    @property
    def numbers(self) -> tuple[PlayerId, ...]:
        """Every number that the person was registered under."""
        return (self.player, *self.also)


class DeckSubmitted(Op, frozen=True, tag="deck.submitted"):
    """A decklist was registered.

    cards:   the pool's lines at that time for the cards in the list
    late:    decks were locked, and the organizer accepted it anyway
    vouched: who vouched for card facts that the list declares; None if the verdict depends on none
    """

    player: PlayerId
    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    late: bool = False
    vouched: Ref | None = None


class DeckWaived(Op, frozen=True, tag="deck.waived"):
    """Players need not submit a list."""

    players: tuple[PlayerId, ...]
    reason: Ref | None = None


class DeckShared(Op, frozen=True, tag="deck.shared"):
    """The organizer's list that all players play with.

    zone: id of the format's zone that the list fills
    zone_name: its name
    verdict, cards, late: as in `DeckSubmitted`
    declared: the scorekeeper vouched for facts that the list declares
    """

    zone: str
    zone_name: str
    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    late: bool = False
    declared: bool = False


class DeckAgreed(Op, frozen=True, tag="deck.agreed"):
    """A list that the players of a table agreed upon for a round. It takes precedence over their own lists.

    players: those who agreed; the list counts while exactly these players sit at one table of the round
    zone, zone_name, verdict, cards, declared: as in `DeckShared`
    """

    round: int
    players: tuple[PlayerId, ...]
    zone: str
    zone_name: str
    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    declared: bool = False


class RoundPaired(Op, frozen=True, tag="round.paired"):
    """A round was paired. The recorded tables count, whatever an engine would make today.

    seed:   the round seed, in hexadecimal; engine: name and version of what made the tables (empty: by hand)
    labels: in a bracket, the match of each table (`Semifinal 1`), in the order of `tables`
    held:   only the desk sees it until it is released
    """

    round: int
    tables: tuple[Table, ...]
    byes: tuple[NoTable, ...] = ()
    stage: Stage = "swiss"
    system: System = "swiss"
    seed: str = ""
    engine: str = ""
    labels: tuple[str, ...] = ()
    proof: Proof = Proof()
    held: bool = False


class RoundReleased(Op, frozen=True, tag="round.released"):
    """A round that was held back was released."""

    round: int


class RoundEdited(Op, frozen=True, tag="round.edited"):
    """Tables of a round were changed by hand or by a repair.

    tables: the changed tables as they are now; removed: the numbers of removed tables
    byes:   the players concerned who have no table now
    """

    round: int
    tables: tuple[Table, ...]
    removed: tuple[int, ...] = ()
    byes: tuple[NoTable, ...] = ()
    engine: str = ""
    proof: Proof = Proof()
    reason: Ref | None = None


class RoundCancelled(Op, frozen=True, tag="round.cancelled"):
    """The last round was cancelled, with all that was entered in it."""

    round: int
    reason: Ref | None = None


class RoundStarted(Op, frozen=True, tag="round.started"):
    """The clock of a round was started. minutes: 0 for no limit."""

    round: int
    minutes: int


class TableExtended(Op, frozen=True, tag="table.extended"):
    """A table was given more time."""

    round: int
    table: int
    minutes: int
    reason: Ref | None = None


class PairForced(Op, frozen=True, tag="pair.forced"):
    """Players must meet in round `round`, at `table` if one is named."""

    players: tuple[PlayerId, ...]
    round: int
    table: int | None = None
    reason: Ref | None = None


class PairForbidden(Op, frozen=True, tag="pair.forbidden"):
    """Players must not meet: never (hard), or only if it cannot be helped."""

    players: tuple[PlayerId, ...]
    hard: bool = True
    reason: Ref | None = None


class ResultReported(Op, frozen=True, tag="result.reported"):
    """Results were entered.

    results: by table
    reason:  why, if one was given
    claim:   the entry of the players' claim that it comes from; 0 if the desk entered it
    """

    round: int
    results: dict[int, Result]
    reason: Ref | None = None
    claim: int = 0


class ResultChanged(Op, frozen=True, tag="result.changed"):
    """A table's result was corrected, or removed.

    result: None: the table is still playing
    noted:  only the reason is new
    """

    round: int
    table: int
    result: Result | None
    reason: Ref | None = None
    noted: bool = False


class ResultClaimed(Op, frozen=True, tag="result.claimed"):
    """A player reported the result of a table. It is not entered before the other players agree.

    result:   with the players as they sat then: the claim holds while they sit so
    replaces: the entry of the same player's earlier claim; 0: none
    device:   the device that sent it; a text, so that it can be deleted with the person's texts
    key:      of the request; a repeated request has the same key
    """

    round: int
    table: int
    result: Result
    player: PlayerId
    replaces: int = 0
    device: Ref | None = None
    key: str = ""


class ResultConfirmed(Op, frozen=True, tag="result.confirmed"):
    """Another player of the table agreed with a claim.

    claim:  its entry
    player: None if there was no answer in time, and the event accepts such claims
    device, key: as in `ResultClaimed`
    """

    table: int
    claim: int
    player: PlayerId | None = None
    device: Ref | None = None
    key: str = ""


class ResultDisputed(Op, frozen=True, tag="result.disputed"):
    """Another player of the table disputed a claim, so that the desk decides.

    claim:  its entry
    result: this player's version; None if there is none
    device, key: as in `ResultClaimed`
    """

    table: int
    claim: int
    player: PlayerId
    result: Result | None = None
    reason: Ref | None = None
    device: Ref | None = None
    key: str = ""


class JudgeCalled(Op, frozen=True, tag="judge.called"):
    """A player called a judge to the table. device, key: as in `ResultClaimed`."""

    round: int
    table: int
    player: PlayerId
    reason: Ref | None = None
    device: Ref | None = None
    key: str = ""


class JudgeAnswered(Op, frozen=True, tag="judge.answered"):
    """A judge answered a call. call: its entry."""

    call: int


class CutMade(Op, frozen=True, tag="cut.made"):
    """A bracket was made after round `after`, with `players` in seed order.

    seats, advance: players at a table, and how many of them advance. The options `kind`, `reseed`, `third_place` and
             `vacancy` are for tables of two.
    vacancy: who has the bye if a seed drops later
    lot:     whether a lot separated players who were level; None: not known, as the cut was imported
    """

    players: tuple[PlayerId, ...]
    after: int
    kind: Literal["single", "double"] = "single"
    reseed: bool = False
    third_place: bool = False
    vacancy: Literal["opponent", "highest-seed"] = "opponent"
    seats: int = 2
    advance: int = 1
    lot: bool | None = None


Loss = Literal["", "game", "match", "event"]
"""What a penalty costs: nothing, a game of the match, the match, or the player's place in the event."""


class PenaltyGiven(Op, frozen=True, tag="penalty.given"):
    """A judge gave a penalty from the event's penalty list.

    It has the list's words, so it can be read without the list.

    level:      how severe, such as `warning`
    round:      0 before round 1
    infraction: such as `tardiness`; empty if only the level was named
    loss:       what the level costs. The result or disqualification that follows is an entry of its own.
    """

    player: PlayerId
    level: str
    round: int
    infraction: str = ""
    loss: Loss = ""
    reason: Ref | None = None


class PenaltyUpgraded(Op, frozen=True, tag="penalty.upgraded"):
    """A penalty was upgraded to a harder one.

    entry: of the penalty; old_level: its level before; level, loss: now, as in `PenaltyGiven`
    """

    player: PlayerId
    entry: int
    old_level: str
    level: str
    loss: Loss = ""
    reason: Ref | None = None


class AuditDrawn(Op, frozen=True, tag="audit.drawn"):
    """Decks to be checked in a round were drawn.

    tables:  in the order of the draw; players: whose decks are to be checked
    seed:    of this draw, in hexadecimal; method: name and version of the way to draw
    """

    round: int
    tables: tuple[int, ...]
    players: tuple[PlayerId, ...]
    seed: str
    method: str


class AuditRecorded(Op, frozen=True, tag="audit.recorded"):
    """A deck was checked at the table. remark: a note about it."""

    player: PlayerId
    round: int
    clean: bool
    remark: Ref | None = None


class Undone(Op, frozen=True, tag="undone"):
    """An entry was undone. Undoing an `undone` is a redo."""

    entry: int
    reason: Ref | None = None


AnyOp = (
    EventCreated | EventChanged | BeaconEntered | EventClosed | EventReopened | EventRebased | EventImported
    | PlayerAdded | PlayerRenamed | PlayerDropped | PlayerReturned | PlayerChanged | PlayerDisqualified
    | PlayerCheckedIn | PlayerErased | DeckSubmitted | DeckWaived | DeckShared
    | DeckAgreed
    | RoundPaired | RoundReleased | RoundEdited | RoundCancelled | RoundStarted | TableExtended | PairForced | PairForbidden
    | ResultReported | ResultChanged | ResultClaimed | ResultConfirmed | ResultDisputed | JudgeCalled | JudgeAnswered
    | CutMade | PenaltyGiven | PenaltyUpgraded | AuditDrawn | AuditRecorded
    | Undone
)  # fmt: skip
"""Every op this version can read."""
