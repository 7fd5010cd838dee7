"""The event as data: the JSON of `event show`.

It leaves out the time and the author of each entry, so an undo and its redo give equal data. Personal texts
other than names are left out, or their refs are given instead. `_convert` and `filled` copy attributes of the
state into fields with the same name. Some of these fields have a different key in the JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from tourney.document import Document, filled, or_unset
from tourney.event.ops import AuditRecorded, ExtraPoints, Ref
from tourney.event.state import Claim, Imported, Penalty, Player, Round, RoundTable, State, changed_tables
from tourney.record import Outcome, PlayerId

T = TypeVar("T")


class SecretState(Struct, frozen=True):
    """The secret that seeds and lots are drawn from.

    sha256: its SHA-256, as recorded in entry 1
    revealed: the secret in hexadecimal; null until the event reveals it
    """

    sha256: str
    revealed: str | None


class BeaconState(Struct, frozen=True):
    """The public value that all seeds depend on, such as the result of a `drand` round.

    source: the name of the value, as in the setting `beacon`; empty if seeds depend on no public value
    value: the value; null until it is entered
    """

    source: str
    value: str | None


class KeptRule(Struct, frozen=True):
    """A rule file that the event keeps.

    kind: `format`, `banlist`, `profile` or `pool`; `no-banlist` for a ban list that was not installed
    name: its name
    day: the day of a ban list; otherwise null
    sha256: the salted digest of its text
    """

    kind: str
    name: str
    day: str | None
    sha256: str


class ListState(Struct, frozen=True, kw_only=True):
    """A registered decklist.

    sha256: the salted digest of the list
    verdict: `legal`, `illegal` or `unverified`
    vouched: the salted digest of the name of the scorekeeper who vouched for card facts in it; null if there
        is none
    """

    text: Ref = field(name="sha256")
    verdict: str
    vouched: Ref | None


class PlayerState(Struct, frozen=True, kw_only=True):
    """A player. Audience: staff.

    number: the player's number
    name: the player's name
    alias: the name on pages if it differs from `name`; otherwise null
    minor: whether the player is under age, so that pages shorten the name
    since: the first round paired after the registration
    late: what each round before `since` counts as
    rating: the rating; null if there is none
    tags: kind of tag → text
    byes: round that the player will miss → what the player gets for it
    table: the fixed table; null if there is none
    dropped: the round after which the player dropped; null for active players
    leaving: whether the player left by phone and still plays the round `dropped` to its end
    disqualified: the round of the disqualification; null if there is none
    deck: the registered list; null if there is none
    waived: whether the player may play without a list
    checked_in: whether the player is checked in
    own_check_in: whether the player checked in by phone
    """

    id: PlayerId = field(name="number")
    name: str
    alias_name: str | None = field(name="alias")
    minor: bool
    since: int
    late: Outcome
    rating: int | None
    tag_texts: dict[str, str] = field(name="tags")
    byes: dict[int, Outcome]
    table: int | None
    dropped: int | None
    leaving: bool
    disqualified: int | None
    deck: ListState | None
    waived: bool
    checked_in: bool
    own_check_in: bool


class SeatState(Struct, frozen=True):
    """One player's part of a result.

    player: the player's number
    outcome: the outcome for the player
    place: the place at the table, from 1
    games: games won
    score: victory points and the like; null if the game has none
    """

    player: PlayerId
    outcome: Outcome
    place: int
    games: int
    score: int | None


class ResultState(Struct, frozen=True):
    """A result.

    seats: the players, in seat order
    drawn_games: drawn games within the match
    note: how the match ended, if not by its score: `id`, `time`, `ruling`; otherwise empty
    """

    seats: tuple[SeatState, ...]
    drawn_games: int
    ended: str = field(name="note")


class TableState(Struct, frozen=True, kw_only=True):
    """A table.

    table: the number of the table
    label: the name of its match in the bracket; null outside a bracket
    players: numbers of the players, in seat order
    result: the result; null if there is none
    extended: extra minutes that the table has after the round's clock runs out
    agreed: id of a zone in the format → the list for this zone that the players of the table agreed on
    """

    number: int = field(name="table")
    label: str | None
    seats: tuple[PlayerId, ...] = field(name="players")
    result: ResultState | None
    extended: int
    agreed: dict[str, ListState]


class DisputeState(Struct, frozen=True):
    """A player's answer that a reported result is wrong.

    player: the player's number
    result: the player's version; null if there is none
    """

    player: PlayerId
    result: ResultState | None


class ClaimState(Struct, frozen=True, kw_only=True):
    """A result that a player reported and that is not recorded yet.

    table: the number of the table
    player: the number of the player who reported it
    result: the result
    confirmed: numbers of the players who confirmed it
    disputes: the answers of players who disputed it
    """

    table: int
    player: PlayerId
    result: ResultState
    confirmed: tuple[PlayerId, ...]
    disputes: tuple[DisputeState, ...]


class ProofState(Struct, frozen=True):
    """What was proved about the quality of the pairing of a round.

    cost: the cost of the pairing: a number for each criterion (rematches, byes …), most important first
    bound: the lower bound of the cost, a number for each criterion
    text: the result of the proof, such as `optimal (meets the bound)` or `within 4 of the bound`
    """

    cost: tuple[int, ...]
    bound: tuple[int, ...]
    text: str


class RoundState(Struct, frozen=True, kw_only=True):
    """A round.

    round: the number of the round, from 1
    title: the name of the round
    stage: `swiss` or `cut`
    system: the pairing system
    held: whether the round is held back, so that only the desk sees it
    seed: the seed in hexadecimal; empty for a round that was seated by hand
    engine: the engine that made the tables, with its version
    proof: what was proved about the quality of the pairing
    tables: the tables, by number
    byes: number of a player without a table → what the player gets for the round
    minutes: the length of the round in minutes; null until the clock starts
    claims: reported results that are not recorded yet
    calls: open calls for a judge: the table, and the number of the player who called
    """

    number: int = field(name="round")
    title: str
    stage: str
    system: str
    held: bool
    seed: str
    engine: str
    proof: ProofState
    tables: tuple[TableState, ...]
    byes: dict[PlayerId, Outcome]
    minutes: int | None
    claims: tuple[ClaimState, ...]
    calls: tuple[tuple[int, PlayerId], ...]


class CutState(Struct, frozen=True, kw_only=True):
    """The bracket.

    players: numbers of the players, in order of seed
    after: the last round before the bracket; 0 in an elimination event
    kind: `single` or `double`
    reseed: whether the highest remaining seed meets the lowest after each round
    third_place: whether the losers of the semifinals play for third place
    vacancy: who gets the bye of a player who left: `opponent` or `highest-seed`
    seats: players at a table
    advance: how many players of a table advance
    """

    players: tuple[PlayerId, ...]
    after: int
    kind: str
    reseed: bool
    third_place: bool
    vacancy: str
    seats: int
    advance: int


class DrawState(Struct, frozen=True, kw_only=True):
    """Decks that were drawn for a check.

    round: the number of the round
    tables: the tables
    players: numbers of the players
    seed: the seed in hexadecimal
    """

    round: int
    tables: tuple[int, ...]
    players: tuple[PlayerId, ...]
    seed: str


class ImportedState(Struct, frozen=True, kw_only=True):
    """The file of another program that the event came from.

    form: the form of the file, as `--form` names it
    sha256: the SHA-256 of the file
    entries: the first and the last entry that came from it
    extra_points: points that it gave in addition to results: round, player and half points
    """

    form: str
    sha256: str
    entries: tuple[int, int]
    extra_points: tuple[ExtraPoints, ...]


class EventContent(Struct, frozen=True, kw_only=True):
    """An event. Audience: staff.

    name: the name of the event
    format: the name of its format
    created: when the event was created
    on: the day whose ban list applies
    closed: whether the event is over
    sealed: whether the secret is sealed until the event is closed
    secret: the secret that seeds and lots are drawn from
    settings: the settings, by name
    beacon: the public value that all seeds depend on
    rules: the rule files that the event keeps
    players: the players, in order of registration
    rounds: the rounds, in order
    forced: pairs that must meet, each as round, players, and table (0 for any table)
    forbidden: pairs that must not meet, each as players, and whether this is absolute (true) or a preference
    cut: the bracket; null before it is made
    penalties: each as round, player, level, and ref of the reason; then infraction and loss, if either is set
        or the penalty was upgraded; then a list of the levels before upgrades, if it was upgraded
    audits: deck checks, each as round, player, outcome, and ref of the note
    draws: decks that were drawn for checks
    imported: the file of another program that the event came from; null if there is none
    shared: zone → the list that all players use
    """

    name: str
    format: str
    created: str
    on: str
    closed: bool
    sealed: bool
    secret: SecretState
    settings: dict[str, Any]
    beacon: BeaconState
    rules: tuple[KeptRule, ...]
    players: tuple[PlayerState, ...]
    rounds: tuple[RoundState, ...]
    forced: list[tuple[int, tuple[PlayerId, ...], int]]
    forbidden: list[tuple[tuple[PlayerId, ...], bool]]
    cut: CutState | None
    penalties: list[list[Any]]
    audits: list[list[Any]]
    draws: tuple[DrawState, ...]
    imported: ImportedState | None
    shared: dict[str, ListState]


class EventDocument(Document, EventContent, frozen=True, kw_only=True, tag="tourney.event/1"):
    """What `tourney event show --json` prints. Audience: staff.

    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    at: the entry after which the event is shown; left out for the current state
    """

    entry: int
    digest: str
    at: int | UnsetType = UNSET


def event_document(state: State, at: int | None) -> EventDocument:
    """Return the event as `event show` prints it.

    at: the entry after which the event is shown; None for the current state
    """
    content = msgspec.structs.asdict(show(state))
    return EventDocument(**content, entry=state.entry, digest=state.digest, at=or_unset(at))


def show(state: State) -> EventContent:
    """Return what `tourney event show --json` prints, except `entry`, `digest` and `at`."""
    settings = state.settings.flat()
    beacon = settings.pop("beacon")
    return filled(
        EventContent,
        state,
        secret=SecretState(state.secret_digest, state.revealed),
        settings=settings,
        beacon=BeaconState(beacon, state.beacon.value if state.beacon else None),
        rules=tuple(KeptRule(rule.kind, rule.name, rule.day or None, rule.text) for rule in state.rules),
        players=tuple(map(_player, state.players.values())),
        rounds=tuple(_round(round_, round_.tables) for round_ in state.rounds),
        forced=sorted((pair.round, pair.players, pair.table or 0) for pair in state.forced),
        forbidden=sorted((pair.players, pair.hard) for pair in state.forbidden),
        cut=_convert(state.cut, CutState) if state.cut else None,
        penalties=_penalties(state.penalties),
        audits=sorted(map(_audit, state.audits.values())),
        draws=tuple(_convert(draw, DrawState) for draw in state.draws),
        imported=_imported_state(state.imported) if state.imported else None,
        shared={part: _convert(deck, ListState) for part, deck in state.shared.items()},
    )


def _imported_state(source: Imported) -> ImportedState:
    return filled(ImportedState, source, sha256=source.file, entries=(source.first, source.last))


def _convert(value: object, kind: type[T]) -> T:
    """Return a struct of type `kind`, filled from the attributes of `value` with the same names."""
    return msgspec.convert(value, kind, from_attributes=True)


def _player(player: Player) -> PlayerState:
    return _convert(player, PlayerState)


def _round(round_: Round, numbers: Iterable[int]) -> RoundState:
    """Return a round in the form that `tourney event show --json` prints.

    numbers: the numbers of the tables to include
    """
    return filled(
        RoundState,
        round_,
        title=str(round_.title),
        proof=_convert(round_.proof, ProofState),
        tables=tuple(_table(round_, round_.tables[number]) for number in numbers),
        minutes=round_.minutes if round_.started else None,
        claims=tuple(map(_claim, round_.claims)),
        calls=tuple(sorted((call.table, call.player) for call in round_.calls.values())),
    )


def _table(round_: Round, table: RoundTable) -> TableState:
    return filled(
        TableState,
        table,
        label=table.label or None,
        result=_convert(table.result, ResultState) if table.result else None,
        extended=table.extra_minutes,
        agreed={part: _convert(deck, ListState) for part, deck in round_.agreed_at(table).items()},
    )


def _claim(claim: Claim) -> ClaimState:
    return msgspec.structs.replace(_convert(claim, ClaimState), confirmed=tuple(sorted(claim.confirmed)))


def _penalties(penalties: tuple[Penalty, ...]) -> list[list[Any]]:
    return sorted(
        [penalty.round, penalty.player, penalty.level, penalty.reason or ""]
        + ([penalty.infraction, penalty.loss] if penalty.infraction or penalty.loss or penalty.was else [])
        + ([list(penalty.was)] if penalty.was else [])
        for penalty in penalties
    )


def _audit(op: AuditRecorded) -> list[Any]:
    return [op.round, op.player, "clean deck" if op.clean else "deck problem", op.remark or ""]


def show_what_changed(state: State, before: State) -> None:
    """Check that a state of an event can be shown as data; raise the same errors as `show`.

    Rounds and players are converted only if they changed since the earlier state `before`.
    """
    old = {round_.number: round_ for round_ in before.rounds}
    for round_ in state.rounds:
        tables = changed_tables(round_, old.get(round_.number))
        if tables is not None:
            _round(round_, tables)
    for player in state.players.values():
        if before.players.get(player.id) is not player:
            _player(player)
    show(replace(state, rounds=(), players={}))
