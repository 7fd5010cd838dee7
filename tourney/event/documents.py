"""The JSON documents that commands print about an event, and the functions that make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tourney.document import Document, filled, or_unset
from tourney.errors import Finding
from tourney.event.claims import CallRow, ClaimedResult
from tourney.event.decks import DeckCheckRow, deck_checks
from tourney.event.entry import Texts, display_text
from tourney.event.penalties import PenaltyList, Upgrade, history
from tourney.event.state import Penalty, Player, Round, State
from tourney.event.view import (
    MatchView,
    PlaceView,
    PlayerView,
    PrizeList,
    RoundView,
    RowView,
    SharedDeckView,
    StandingsView,
)
from tourney.record import PlayerId


class ClaimedResults(Document, frozen=True, tag="tourney.claims/1"):
    """What `tourney result claims --json` prints.

    claims: reported results that are not recorded yet, those for the desk first
    """

    claims: tuple[ClaimedResult, ...]


class MissingTable(Struct, frozen=True):
    """A table that is still playing.

    table: the number of the table
    players: names, in seat order
    claim: what the players reported, as in `tourney result claims --json`; null without a report
    """

    table: int
    players: tuple[str, ...]
    claim: ClaimedResult | None


class MissingTables(Document, frozen=True, tag="tourney.missing/1"):
    """What `tourney result missing --json` prints.

    round: the number of the current round; null before the first
    tables: tables without a result
    """

    round: int | None
    tables: tuple[MissingTable, ...]


def open_tables(state: State, claims: Mapping[int, ClaimedResult]) -> MissingTables:
    """Return the tables of the current round that have no result yet.

    claims: number of a table → the result that players reported for it
    """
    current = state.round
    if current is None:
        return MissingTables(round=None, tables=())
    tables = [
        MissingTable(
            table=table.number,
            players=tuple(map(state.name_of, table.seats)),
            claim=claims.get(table.number),
        )
        for table in current.open_tables
    ]
    return MissingTables(round=current.number, tables=tuple(tables))


class Contradiction(Struct, frozen=True):
    """A fact of a card that the player's list and another list declare differently.

    lines: lines of the player's list
    card: the name of the card
    message: what the lists declare, in a sentence
    """

    lines: tuple[int, ...]
    card: str
    message: str


class PlayerRow(Struct, frozen=True, kw_only=True):
    """A player. Audience: staff.

    id: the player's number
    name: the player's name
    playing: whether the player has not left
    since: the first round paired after the registration
    dropped: the round after which the player dropped; null for active players
    disqualified: the round of the disqualification; null without one
    deck: the verdict on the registered list; null without a list
    vouched: true if a scorekeeper vouched for facts that the list declares; otherwise left out
    waived: whether the player may play without a list
    checked_in: whether the player is checked in
    rating: the rating; null without one
    table: the fixed table; null without one
    tags: kind of tag → text
    byes: round that the player will miss → what the player gets for it
    alias: the name that pages show instead; left out if they show `name`
    minor: true if the player is under age, so that pages shorten the name; otherwise left out
    contradictions: facts of cards that the player's list and other lists declare differently; left out if
        there are none
    """

    id: PlayerId
    name: str
    playing: bool
    since: int
    dropped: int | None
    disqualified: int | None
    deck: str | None
    vouched: bool | UnsetType = UNSET
    waived: bool
    checked_in: bool
    rating: int | None
    table: int | None
    tags: dict[str, str]
    byes: dict[int, str]
    alias: str | UnsetType = UNSET
    minor: bool | UnsetType = UNSET
    contradictions: tuple[Contradiction, ...] | UnsetType = UNSET


class PlayersDocument(Document, frozen=True, tag="tourney.players/1"):
    """What `tourney player list --json` prints.

    players: the players, in order of registration
    """

    players: tuple[PlayerRow, ...]


class PlayerDeckText(Document, frozen=True, tag="tourney.player-deck/1"):
    """What `tourney player deck PLAYER --json` prints.

    player: the player's name
    text: the registered list as it was submitted
    """

    player: str
    text: str


def player_row(player: Player, texts: Texts, findings: Iterable[Finding] = ()) -> PlayerRow:
    """Return a player's row in the list of players for the staff.

    findings: contradictions between the player's decklist and other decklists
    """
    contradictions = tuple(
        Contradiction(lines=finding.lines, card=finding.subjects[0], message=finding.message)
        for finding in findings
    )
    return filled(
        PlayerRow,
        player,
        deck=player.deck.verdict if player.deck else None,
        vouched=True if player.deck and player.deck.vouched else UNSET,
        tags={kind: texts.get(ref) or "" for kind, (ref, _) in player.tags.items()},
        byes={number: outcome.value for number, outcome in player.byes.items()},
        alias=or_unset(player.alias_name),
        minor=True if player.minor else UNSET,
        contradictions=contradictions if player.deck and contradictions else UNSET,
    )


class DepartureRow(Struct, frozen=True):
    """How a player left the event.

    entry: the journal entry
    round: the last round before the player left
    reason: the reason; null if none was given
    """

    entry: int
    round: int
    reason: str | None


class DeclaredFact(Struct, frozen=True):
    """A fact of a card that a list declares and the card pool does not know.

    line: the line of the list
    card: the name of the card
    attribute: the attribute
    value: its value
    """

    line: int
    card: str
    attribute: str
    value: Any


class PlayerDocument(Document, PlayerRow, frozen=True, kw_only=True, tag="tourney.player/1"):
    """What `tourney player show PLAYER --json` prints. Audience: staff.

    contact: how to reach the player, or another note of the staff; null without one
    departure: how the player left; left out for active players
    vouched_by: the scorekeeper who vouched for facts of the list; left out if none did
    declared: the facts that the list declares; left out if no scorekeeper vouched for them
    matches: the matches, by round
    standing: the row in the standings; null without one
    place: the place by the bracket; left out without a bracket
    as_of: which rounds the standings count
    provisional: whether results that count are still missing
    penalties: the player's penalties
    deck_checks: the checks of the player's deck
    """

    contact: str | None
    departure: DepartureRow | UnsetType = UNSET
    vouched_by: str | UnsetType | None = UNSET
    declared: tuple[DeclaredFact, ...] | UnsetType = UNSET
    matches: tuple[MatchView, ...]
    standing: RowView | None
    place: PlaceView | UnsetType = UNSET
    as_of: str
    provisional: bool
    penalties: tuple[PenaltyRow, ...]
    deck_checks: tuple[DeckCheckRow, ...]


def player_document(
    state: State,
    player: Player,
    page: PlayerView,
    standings: StandingsView,
    texts: Texts,
    *,
    findings: Iterable[Finding],
    declared_facts: Iterable[DeclaredFact],
) -> PlayerDocument:
    """Return the document about a player for the staff.

    page, standings: views of the whole event, in which names are not shortened
    findings: contradictions between the player's list and others
    declared_facts: the facts that the list declares
    """
    departure, voucher = player.departure, player.deck.vouched if player.deck else None
    return PlayerDocument(
        **msgspec.structs.asdict(player_row(player, texts, findings)),
        contact=display_text(player.contact, texts) or None,
        departure=DepartureRow(
            departure.entry, departure.round, departure.reason and texts.get(departure.reason)
        )
        if departure
        else UNSET,
        vouched_by=texts.get(voucher) if voucher else UNSET,
        declared=tuple(declared_facts) if voucher else UNSET,
        matches=page.matches,
        standing=page.row,
        place=or_unset(page.place),
        as_of=standings.heading,
        provisional=standings.provisional,
        penalties=tuple(penalty_row(state, penalty, texts) for penalty in history(state, player.id)),
        deck_checks=tuple(check for check in deck_checks(state, texts) if check.id == player.id),
    )


class ShownRounds(Document, frozen=True, tag="tourney.rounds/1"):
    """What `tourney round show --json` prints.

    rounds: the rounds that the command names
    claims: results that players reported and that are not recorded yet; left out if there are none
    at: the entry after which the rounds are shown; left out for the current state
    """

    rounds: tuple[RoundView, ...]
    claims: tuple[ClaimedResult, ...] | UnsetType = UNSET
    at: int | UnsetType = UNSET


class Calls(Document, frozen=True, tag="tourney.calls/1"):
    """What `tourney round calls --json` prints.

    calls: calls that are not answered yet, the oldest first
    """

    calls: tuple[CallRow, ...]


class ExtendedTable(Struct, frozen=True):
    """A table with extra time.

    table: the number of the table
    minutes_more: the extra minutes
    seconds_left: seconds until the table's time runs out, negative after that; null without a time limit
    """

    table: int
    minutes_more: int
    seconds_left: int | None


class Clock(Document, frozen=True, tag="tourney.clock/1"):
    """What `tourney round clock --json` prints.

    round: the number of the round
    started: when the clock was started
    minutes: the length of the round in minutes; 0 without a time limit
    seconds_left: seconds until the clock runs out, negative after that; null without a time limit
    extended: table → extra minutes
    tables: the tables with extra time that are still playing
    """

    round: int
    started: str
    minutes: int
    seconds_left: int | None
    extended: dict[int, int]
    tables: tuple[ExtendedTable, ...]


def clock_document(current: Round, now: datetime) -> Clock:
    """Return how much time a round and its tables with extra time have left."""
    return Clock(
        round=current.number,
        started=current.started,
        minutes=current.minutes,
        seconds_left=current.seconds_left(now),
        extended={
            table.number: table.extra_minutes for table in current.tables.values() if table.extra_minutes
        },
        tables=tuple(
            ExtendedTable(
                table=table.number,
                minutes_more=table.extra_minutes,
                seconds_left=current.seconds_left(now, table.extra_minutes),
            )
            for table in current.open_tables
            if table.extra_minutes
        ),
    )


class SharedDeck(Document, frozen=True, tag="tourney.event-deck/1"):
    """What `tourney event deck PART --json` prints: a list that all players play with.

    part: the id of the zone in the format
    name: the zone's name
    text: the list
    """

    part: str
    name: str
    text: str


class AgreedDeck(Struct, frozen=True):
    """A list that the players of a table agreed on.

    table: the number of the table
    part: the id of the zone in the format
    name: the zone's name
    verdict: `legal`, `illegal` or `unverified`
    entry: the journal entry that registered the list
    """

    table: int
    part: str
    name: str
    verdict: str
    entry: int


class SharedDecks(Document, frozen=True, tag="tourney.event-decks/1"):
    """What `tourney event deck --json` prints.

    decks: the lists that all players use, and those that are missing
    missing: warnings about lists that tables need, in sentences
    agreed: lists that the players of tables agreed on in this round; left out if there are none
    """

    decks: tuple[SharedDeckView, ...]
    missing: tuple[str, ...]
    agreed: tuple[AgreedDeck, ...] | UnsetType = UNSET


class Prizes(Document, PrizeList, frozen=True, tag="tourney.prizes/1"):
    """What `tourney event prizes FILE --json` prints.

    at: the entry after which the places are shown; left out for the current state
    """

    at: int | UnsetType = UNSET


class EventSummary(Document, frozen=True, kw_only=True, tag="tourney.event-summary/1"):
    """What `tourney event summary --json` prints.

    entry: the number of the last entry in the journal
    digest: the digest of the journal up to that entry, a SHA-256
    final: whether the places are final
    markdown: the summary, in Markdown
    prizes: the prizes; left out if no file of prizes is given
    """

    entry: int
    digest: str
    final: bool
    markdown: str
    prizes: PrizeList | UnsetType = UNSET


# -- penalties and deck checks


class PenaltyRow(Struct, frozen=True, kw_only=True):
    """A penalty.

    entry: the number of its journal entry
    round: the number of the round; 0 before the first
    id: the player's number
    player: the player's name
    level: the level; after an upgrade, the new level
    infraction: the infraction, as the list of penalties names it; null if only the level was named
    loss: what the player loses: `game`, `match` or `event`; null if nothing
    reason: the reason, as the judge wrote it; null if there is none
    was: the levels before the upgrades, oldest first; left out if there was no upgrade
    upgrade_reasons: the reason of each upgrade, null if none was given; left out if there was no upgrade
    """

    entry: int
    round: int
    id: PlayerId
    player: str
    level: str
    infraction: str | None
    loss: str | None
    reason: str | None
    was: tuple[str, ...] | UnsetType = UNSET
    upgrade_reasons: tuple[str | None, ...] | UnsetType = UNSET

    @property
    def levels(self) -> str:
        """The levels, the first one first: `warning → game loss`."""
        return " → ".join((*(self.was or ()), self.level))

    @property
    def reasons(self) -> str:
        """The reasons of the penalty and of its upgrades: `asked twice; late again`."""
        return "; ".join(filter(None, (self.reason, *(self.upgrade_reasons or ()))))


class Penalties(Document, frozen=True, tag="tourney.penalties/1"):
    """What `tourney penalty list --json` prints.

    penalties: penalties in the order in which they were given
    """

    penalties: tuple[PenaltyRow, ...]


class LevelRow(Struct, frozen=True):
    """A level of penalties.

    name: its name
    means: what it means, in a sentence
    loss: what the player loses: `game`, `match` or `event`; null if nothing
    """

    name: str
    means: str
    loss: str | None


class InfractionRow(Struct, frozen=True):
    """An infraction.

    name: its name
    means: what it means, in a sentence
    level: the usual level of its penalty
    """

    name: str
    means: str
    level: str


class PenaltyRules(Document, frozen=True, tag="tourney.penalty-rules/1"):
    """What `tourney penalty rules --json` prints.

    name: the name of the list, as in the setting `penalties`
    title: its title
    levels: levels, the mildest first
    infractions: infractions with their usual level
    upgrades: which repeated penalties should be more severe
    """

    name: str
    title: str
    levels: tuple[LevelRow, ...]
    infractions: tuple[InfractionRow, ...]
    upgrades: tuple[Upgrade, ...]


class DeckCheckRows(Document, frozen=True, tag="tourney.audits/1"):
    """What `tourney audit list --json` prints.

    audits: deck checks by round; in each round, decks that were drawn at random come first
    """

    audits: tuple[DeckCheckRow, ...]


def penalty_row(state: State, penalty: Penalty, texts: Texts) -> PenaltyRow:
    """Return a penalty as a row that contains its reasons as text, not as refs."""
    is_upgraded = bool(penalty.was)
    return filled(
        PenaltyRow,
        penalty,
        id=penalty.player,
        player=state.players[penalty.player].name,
        infraction=penalty.infraction or None,
        loss=penalty.loss or None,
        reason=display_text(penalty.reason, texts) or None,
        was=penalty.was if is_upgraded else UNSET,
        upgrade_reasons=(
            tuple(display_text(reason, texts) or None for reason in penalty.upgrade_reasons)
            if is_upgraded
            else UNSET
        ),
    )


def penalties_document(state: State, texts: Texts, player: PlayerId | None = None) -> Penalties:
    """Return the penalties of an event, or of one player."""
    return Penalties(
        penalties=tuple(
            penalty_row(state, penalty, texts)
            for penalty in state.penalties
            if player in (None, penalty.player)
        )
    )


def penalty_rules(name: str, rules: PenaltyList) -> PenaltyRules:
    """Return a list of penalties. name: the name of its file."""
    return PenaltyRules(
        name=name,
        title=rules.title,
        levels=tuple(LevelRow(level.name, level.means, level.loss or None) for level in rules.levels),
        infractions=tuple(InfractionRow(rule.name, rule.means, rule.level) for rule in rules.infractions),
        upgrades=rules.upgrades,
    )


def deck_checks_document(
    state: State, texts: Texts, *, round_number: int | None = None, only_open: bool = False
) -> DeckCheckRows:
    """Return the deck checks of an event, or of one round. only_open: leave out finished checks."""
    return DeckCheckRows(
        audits=tuple(
            check
            for check in deck_checks(state, texts)
            if round_number in (None, check.round) and not (only_open and check.checked)
        )
    )
