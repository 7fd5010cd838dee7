"""Everything that can happen to an event: one frozen struct for each kind of entry.

These structs, called ops, are the file format.

An op records what happened, not how: `round.paired` carries the tables, so a replay never runs an engine. The
tag of a struct is `<noun>.<verb>`. After a release a struct never changes. A new meaning, a different default
or a new required field needs a new struct with the tag `<noun>.<verb>/2`; the old struct stays readable. A
new optional field is allowed if its default means the same as a missing field did before. Defaults are not
written, so old entries keep their bytes and digests.

Ops contain no personal texts. For a name, a reason or a deck they contain a `Ref`, the salted digest of a
text that is stored separately and can be deleted without breaking the chain.

The module first defines the structs that ops contain (the shorter ones are written as arrays), then the ops,
grouped by noun.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NewType

import msgspec
from msgspec import Struct

from tourney.event.settings import System
from tourney.record import Outcome, PlayerId, Result, Table

Ref = NewType("Ref", str)
"""The key of a text outside the journal: SHA-256 of salt + bytes, in hexadecimal."""

Stage = Literal["swiss", "cut"]
"""`swiss`: a round before the cut, in any system; `cut`: a round of the bracket after it."""

Unseated = Literal["bye", "awarded-bye", "half-bye", "absent"]
"""Why a player has no table in a round.

The standings profile sets how many points `absent` is worth (usually none).
"""

UNSEATED: Mapping[Outcome, Unseated] = {
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded-bye",
    Outcome.HALF_BYE: "half-bye",
    Outcome.ABSENT: "absent",
}
"""Outcome of a player without a table → its name in entries."""


class Kept(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rule file that the event keeps a copy of.

    kind: `format`, `banlist`, `profile` or `pool`; `no-banlist` records that the format's ban list was
          not installed, and then `text` is the list's name
    name: the name that the organizer gave (`redline/standard`). The parents of a format or profile are kept
        as further files, each under its own name.
    text: the contents
    day:  the day of a ban list, from its file name; empty for other files
    """

    kind: str
    name: str
    text: Ref
    day: str = ""


Verdict = Literal["legal", "illegal", "unverified", "unchecked"]
"""The verdict on a decklist.

`unverified`: the check could not decide; `unchecked`: there was no check.
"""


class NewcomersDeck(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The decklist that came with a player's registration; fields as in `DeckSubmitted`."""

    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    vouched: Ref | None = None


class Newcomer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player at registration.

    since:   the first round paired after the registration (1 before the first pairing)
    late:    how each round before `since` counts: `absent`, or as a kind of bye
    tags:    kind and text of each tag, such as ("club", …), with the text as a `Ref`; players with the same
             text have the same `Ref`
    byes:    a (round, kind) pair for each awarded bye, requested half-point bye and announced absence
    table:   the number of the player's fixed table
    contact: how to reach the player, or any other note of the staff
    deck:    the list submitted with the registration
    alias:   the name that pages show instead of the player's name
    minor:   whether the player is under age, so that pages shorten the name
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


class NoTable(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A player who has no table in a round, and why."""

    player: PlayerId
    kind: Unseated


class Proof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an engine proved about the quality of a pairing.

    cost:  the cost of the pairing: a number for each criterion (rematches, byes …), most important first
    bound: the lower bound of the cost, a number for each criterion
    text:  the result of the proof, such as `optimal (meets the bound)` or `within 4 of the bound`
    """

    cost: tuple[int, ...] = ()
    bound: tuple[int, ...] = ()
    text: str = ""


class ExtraPoints(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Points that do not come from results. points: in half points; negative for a penalty."""

    round: int
    player: PlayerId
    points: int


class Op(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="op"):
    """The base class of ops, the structs that record what happened to an event."""


class EventCreated(Op, frozen=True, tag="event.created"):
    """The event was created. This is the first entry of every event.

    on:       the day whose ban list applies, YYYY-MM-DD
    settings: name → value of each setting that differs from its default
    secret:   SHA-256 of the event's secret, in hexadecimal
    sealed:   whether the secret is revealed when the event closes
    """

    name: Ref
    format: str
    on: str
    rules: tuple[Kept, ...]
    settings: dict[str, Any]
    secret: str
    sealed: bool = False


class EventChanged(Op, frozen=True, tag="event.changed"):
    """Settings, the name or the standings profile were changed. settings: the changed ones."""

    settings: dict[str, Any] = {}
    name: Ref | None = None
    profile: tuple[Kept, ...] = ()
    reason: Ref | None = None


class BeaconEntered(Op, frozen=True, tag="event.beacon"):
    """The public value that `settings.pairing.beacon` names was entered.

    value: the value as text, with single spaces; it becomes part of every seed
    """

    value: str


class EventClosed(Op, frozen=True, tag="event.closed"):
    """The event was closed. secret: the secret of a sealed event, in hexadecimal, or None."""

    secret: str | None = None


class EventReopened(Op, frozen=True, tag="event.reopened"):
    """The event was reopened."""

    reason: Ref | None = None


class EventRebased(Op, frozen=True, tag="event.rebased"):
    """New rules were adopted.

    on: the day whose ban list applies, YYYY-MM-DD
    rules: all rule files that the event keeps from now on
    """

    on: str
    rules: tuple[Kept, ...]
    reason: Ref | None = None


class EventImported(Op, frozen=True, tag="event.imported"):
    """The event was imported from a file of another program.

    The entries that follow contain the content of that file. The file's pairings are not proved.

    form: the name of the file's format, such as `cobra`
    file: SHA-256 of the file's bytes
    entries: how many of the entries after this one come from the file
    extra_points: points in the file that do not come from results
    """

    form: str
    file: str
    entries: int
    extra_points: tuple[ExtraPoints, ...] = ()


class PlayerAdded(Op, frozen=True, tag="player.added"):
    """Players were registered. A player number is never used twice."""

    players: tuple[Newcomer, ...]


class PlayerRenamed(Op, frozen=True, tag="player.renamed"):
    """A player's name was changed."""

    player: PlayerId
    name: Ref


class PlayerDropped(Op, frozen=True, tag="player.dropped"):
    """Players left.

    after: the last round that the players were in; 0 before round 1
    cancelled: (player, round) of each bye or absence that had been requested for a later round
    by_player: whether the player left by phone, and still plays the current round to its end
    """

    players: tuple[PlayerId, ...]
    after: int
    reason: Ref | None = None
    cancelled: tuple[tuple[PlayerId, int], ...] = ()
    by_player: bool = False


class PlayerReturned(Op, frozen=True, tag="player.returned"):
    """Players who had left play again, starting with round `since`.

    The rounds that they missed are absences.
    """

    players: tuple[PlayerId, ...]
    since: int
    reason: Ref | None = None


class PlayerChanged(Op, frozen=True, tag="player.changed"):
    """Facts of a player were changed.

    byes: (round, kind); each replaces an earlier bye for the round, and the kind `play` removes that bye
    """

    player: PlayerId
    rating: int | msgspec.UnsetType | None = msgspec.UNSET
    tags: tuple[tuple[str, Ref], ...] | msgspec.UnsetType = msgspec.UNSET
    byes: tuple[tuple[int, Unseated | Literal["play"]], ...] = ()
    table: int | msgspec.UnsetType | None = msgspec.UNSET
    contact: Ref | msgspec.UnsetType | None = msgspec.UNSET
    alias: Ref | msgspec.UnsetType | None = msgspec.UNSET
    minor: bool | msgspec.UnsetType = msgspec.UNSET


class PlayerDisqualified(Op, frozen=True, tag="player.disqualified"):
    """A player was disqualified.

    The player is no longer ranked, but still counts as an opponent.

    after, cancelled: as in `PlayerDropped`
    """

    player: PlayerId
    after: int
    reason: Ref | None = None
    cancelled: tuple[tuple[PlayerId, int], ...] = ()


class PlayerCheckedIn(Op, frozen=True, tag="player.checked-in"):
    """Players checked in. by_player: whether the player did so by phone, not at the desk."""

    players: tuple[PlayerId, ...]
    by_player: bool = False


class PlayerErased(Op, frozen=True, tag="player.erased"):
    """A person's texts were deleted on request. The entries that refer to the texts stay.

    texts: refs of all deleted texts, including texts about other players that name the person, and the
        person's signatures
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

    cards:   the lines of the card pool, at that time, for the cards in the list
    late:    whether the organizer accepted the list although decks were locked
    vouched: the name of the scorekeeper who vouched for card facts that the list declares; None if the
             verdict depends on no such facts
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
    """A list that all players play with was registered.

    zone: the id, in the event's format, of the zone (part of a deck) that the list is for
    zone_name: the name of that zone, such as `Mission deck`
    verdict, cards, late: as in `DeckSubmitted`
    declared: whether the verdict depends on card facts that the list declares and the scorekeeper vouched for
    """

    zone: str
    zone_name: str
    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    late: bool = False
    declared: bool = False


class DeckAgreed(Op, frozen=True, tag="deck.agreed"):
    """The players of a table agreed on a list for a round.

    The agreed list takes precedence over the players' own lists.

    players: the players who agreed; the list counts while exactly these players sit at one table of the round
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
    """A round was paired.

    The recorded tables count, even if an engine would pair differently today.

    byes:   the players without a table
    seed:   the round's seed, in hexadecimal
    engine: the name and version of the engine that paired the round; empty if it was paired by hand
    labels: in a bracket, the match of each table (`Semifinal 1`), in the order of `tables`
    held:   whether only the desk sees the round until it is released
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
    """Tables of a round were changed by hand, or paired again by a repair.

    tables:  the changed tables with their new seats
    removed: the numbers of the removed tables
    byes:    the players without a table whose bye or absence is new or has changed
    """

    round: int
    tables: tuple[Table, ...]
    removed: tuple[int, ...] = ()
    byes: tuple[NoTable, ...] = ()
    engine: str = ""
    proof: Proof = Proof()
    reason: Ref | None = None


class RoundCancelled(Op, frozen=True, tag="round.cancelled"):
    """The last round was cancelled, together with its results."""

    round: int
    reason: Ref | None = None


class RoundStarted(Op, frozen=True, tag="round.started"):
    """The clock of a round was started. minutes: the length of the round; 0 for no limit."""

    round: int
    minutes: int


class TableExtended(Op, frozen=True, tag="table.extended"):
    """A table was given more time."""

    round: int
    table: int
    minutes: int
    reason: Ref | None = None


class PairForced(Op, frozen=True, tag="pair.forced"):
    """Players must meet in round `round`, at table `table`; None for any table."""

    players: tuple[PlayerId, ...]
    round: int
    table: int | None = None
    reason: Ref | None = None


class PairForbidden(Op, frozen=True, tag="pair.forbidden"):
    """Players must never meet (`hard`), or may meet only if no other pairing is possible."""

    players: tuple[PlayerId, ...]
    hard: bool = True
    reason: Ref | None = None


class ResultReported(Op, frozen=True, tag="result.reported"):
    """Results were entered.

    results: table → result
    reason:  the reason, if the scorekeeper gave one
    claim:   the entry of the players' claim that the result comes from; 0 if the desk entered it
    """

    round: int
    results: dict[int, Result]
    reason: Ref | None = None
    claim: int = 0


class ResultChanged(Op, frozen=True, tag="result.changed"):
    """A table's result was corrected, or removed.

    result: the new result; None if the result was removed, so that the table is playing again
    noted:  whether the result is unchanged and only the reason is new
    """

    round: int
    table: int
    result: Result | None
    reason: Ref | None = None
    noted: bool = False


class ResultClaimed(Op, frozen=True, tag="result.claimed"):
    """A player reported the result of a table.

    The result is entered when the other players have confirmed it.

    result:   the result, with the players in their seats at that time; the claim ends if the seats change
    replaces: the number of the entry with the same player's earlier claim; 0 if there was none
    device:   the device that sent the report, as the digest of its name. The name itself can be deleted with
        the person's texts
    key:      the key of the request; a repeated request has the same key
    """

    round: int
    table: int
    result: Result
    player: PlayerId
    replaces: int = 0
    device: Ref | None = None
    key: str = ""


class ResultConfirmed(Op, frozen=True, tag="result.confirmed"):
    """Another player confirmed a claim, or the claim was accepted without an answer.

    claim:       the entry of the claim
    player:      the player who confirmed the claim; None if no player answered in time and the event accepts
                 such claims
    device, key: as in `ResultClaimed`
    """

    table: int
    claim: int
    player: PlayerId | None = None
    device: Ref | None = None
    key: str = ""


class ResultDisputed(Op, frozen=True, tag="result.disputed"):
    """Another player of the table disputed a claim, so that the desk decides.

    claim:       the entry of the claim
    result:      this player's version; None if the player gave none
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
    """A judge answered a call. call: the entry of the call."""

    call: int


class CutMade(Op, frozen=True, tag="cut.made"):
    """A bracket was made after round `after`, with `players` in seed order.

    kind, reseed, third_place, vacancy: options for tables of two; `vacancy` is the player who gets the bye if
             a seed drops
    seats:   the number of players at a table
    advance: how many players of a table advance
    lot:     whether tied players were separated by lot; None if that is unknown because the cut was imported
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
"""What a penalty costs: nothing, a game, the match, or the player's place in the event."""


class PenaltyGiven(Op, frozen=True, tag="penalty.given"):
    """A judge gave a penalty from the event's penalty list.

    The op contains the names from the list, so that it can be understood without the list.

    level:      the level, such as `warning`
    round:      the number of the round; 0 before round 1
    infraction: the infraction, such as `tardiness`; empty if the judge named only the level
    loss:       what the level costs. The result or disqualification that follows is a separate entry.
    """

    player: PlayerId
    level: str
    round: int
    infraction: str = ""
    loss: Loss = ""
    reason: Ref | None = None


class PenaltyUpgraded(Op, frozen=True, tag="penalty.upgraded"):
    """A penalty was upgraded to a more severe level.

    entry: the entry of the penalty
    old_level: the level before the upgrade
    level, loss: the new level and what it costs, as in `PenaltyGiven`
    """

    player: PlayerId
    entry: int
    old_level: str
    level: str
    loss: Loss = ""
    reason: Ref | None = None


class AuditDrawn(Op, frozen=True, tag="audit.drawn"):
    """The decks to be checked in a round were drawn.

    tables:  the drawn tables, in the order of the draw
    players: the players whose decks are to be checked
    seed:    the seed of this draw, in hexadecimal
    method:  the name and version of the method of drawing
    """

    round: int
    tables: tuple[int, ...]
    players: tuple[PlayerId, ...]
    seed: str
    method: str


class AuditRecorded(Op, frozen=True, tag="audit.recorded"):
    """A deck was checked. remark: the ref of a note about the check."""

    player: PlayerId
    round: int
    clean: bool
    remark: Ref | None = None


class Undone(Op, frozen=True, tag="undone"):
    """An entry was undone. If that entry is itself an `undone`, this is a redo."""

    entry: int
    reason: Ref | None = None


AnyOp = (
    EventCreated | EventChanged | BeaconEntered | EventClosed | EventReopened | EventRebased | EventImported
    | PlayerAdded | PlayerRenamed | PlayerDropped | PlayerReturned | PlayerChanged | PlayerDisqualified
    | PlayerCheckedIn | PlayerErased | DeckSubmitted | DeckWaived | DeckShared | DeckAgreed
    | RoundPaired | RoundReleased | RoundEdited | RoundCancelled | RoundStarted
    | TableExtended | PairForced | PairForbidden
    | ResultReported | ResultChanged | ResultClaimed | ResultConfirmed | ResultDisputed
    | JudgeCalled | JudgeAnswered
    | CutMade | PenaltyGiven | PenaltyUpgraded | AuditDrawn | AuditRecorded
    | Undone
)  # fmt: skip
"""Every op that this version can read."""
