"""JSON documents for judges: penalties and deck checks."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from tourney.document import Document
from tourney.event.deck_checks import DeckCheck, deck_checks
from tourney.event.entry import Texts, written
from tourney.event.penalties import PenaltyList
from tourney.event.state import Remark, State
from tourney.record import PlayerId


class PenaltyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A penalty.

    entry: the number of its journal entry
    round: the number of the round; 0 before the first
    id: the player's number
    player: the player's name
    level: its level; after an upgrade, the new one
    infraction: the infraction, as the list of penalties names it; null if only the level was named
    loss: what the player loses: `game`, `match` or `event`; null if nothing
    reason: the reason, as the judge wrote it; null if there is none
    was: its levels before the upgrades, oldest first; left out if it was not upgraded
    upgrade_reasons: the reason of each upgrade, null without one; left out if it was not upgraded
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


class Penalties(Document, frozen=True, tag="tourney.penalties/1"):
    """What `tourney penalty list --json` prints.

    penalties: penalties in the order in which they were given
    """

    penalties: tuple[PenaltyRow, ...]


class LevelRow(msgspec.Struct, frozen=True):
    """A level of penalties.

    name: its name
    means: what it means, in a sentence
    loss: what the player loses: `game`, `match` or `event`; null if nothing
    """

    name: str
    means: str
    loss: str | None


class InfractionRow(msgspec.Struct, frozen=True):
    """An infraction.

    name: its name
    means: what it means, in a sentence
    level: the usual level of its penalty
    """

    name: str
    means: str
    level: str


class UpgradeRow(msgspec.Struct, frozen=True):
    """A rule for repeated penalties.

    level: the level that is repeated
    times: the number of penalties from which the rule applies
    same: whether only penalties for the same infraction count
    to: the level that the penalty should have
    """

    level: str
    times: int
    same: bool
    to: str


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
    upgrades: tuple[UpgradeRow, ...]


class DeckCheckRow(msgspec.Struct, frozen=True):
    """A deck that was drawn or checked.

    round: the number of the round; 0 before the first
    table: the number of the player's table; null before the first round, and for a player without a table
    id: the player's number
    player: the player's name
    drawn: whether the deck was drawn
    checked: whether the check was recorded
    clean: whether the deck was in order; null if it was not checked yet
    found: the judge's remark; null if there is none
    entry: the number of the journal entry with the result; null if it was not checked yet
    """

    round: int
    table: int | None
    id: PlayerId
    player: str
    drawn: bool
    checked: bool
    clean: bool | None
    found: str | None
    entry: int | None


class DeckCheckRows(Document, frozen=True, tag="tourney.audits/1"):
    """What `tourney audit list --json` prints.

    audits: deck checks by round, drawn ones first
    """

    audits: tuple[DeckCheckRow, ...]


def penalty_row(state: State, penalty: Remark, texts: Texts) -> PenaltyRow:
    """Return a penalty with its texts."""
    upgraded = bool(penalty.was)
    return PenaltyRow(
        entry=penalty.entry,
        round=penalty.round,
        id=penalty.player,
        player=state.players[penalty.player].name,
        level=penalty.kind,
        infraction=penalty.infraction or None,
        loss=penalty.loss or None,
        reason=written(penalty.text, texts) or None,
        was=penalty.was if upgraded else UNSET,
        upgrade_reasons=(
            tuple(written(reason, texts) or None for reason in penalty.whys) if upgraded else UNSET
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
        upgrades=tuple(UpgradeRow(rule.level, rule.times, rule.same, rule.to) for rule in rules.upgrades),
    )


def deck_check_row(state: State, check: DeckCheck, texts: Texts) -> DeckCheckRow:
    """Return a deck check with the judge's remark."""
    table = state.rounds[check.round - 1].table_of(check.player) if check.round else None
    return DeckCheckRow(
        round=check.round,
        table=table.number if table else None,
        id=check.player,
        player=state.players[check.player].name,
        drawn=check.drawn,
        checked=check.done is not None,
        clean=check.clean,
        found=(written(check.done.text, texts) or None) if check.done else None,
        entry=check.done.entry if check.done else None,
    )


def deck_checks_document(
    state: State, texts: Texts, *, round_number: int | None = None, only_open: bool = False
) -> DeckCheckRows:
    """Return the deck checks of an event, or of one round. only_open: leave out finished checks."""
    return DeckCheckRows(
        audits=tuple(
            deck_check_row(state, check, texts)
            for check in deck_checks(state)
            if round_number in (None, check.round) and not (only_open and check.done)
        )
    )
