"""Deck checks: which tables are drawn, and what judges record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Sealing, Texts
from tourney.event.kind import (
    NO_MARKS,
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    checked_reason,
    marks,
    no_such_round,
    open_event,
    player_marks,
    player_of,
    round_of,
)
from tourney.event.phrases import names_of
from tourney.event.state import AuditDraw, Entered, Remark, Round, State, StateDraft
from tourney.event.titles import in_a_sentence
from tourney.record import Outcome, PlayerId
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.decks.history import Changed

# -- drawing tables


DRAW_METHOD = "falling weights 2"
"""Name and version of the way in which `draw_tables` draws. Another way needs another name."""


class TableDraw(NamedTuple):
    """tables: in the order of the draw; players: those at them whose decks are checked."""

    tables: tuple[int, ...]
    players: tuple[PlayerId, ...]


def draw_tables(state: State, round_: Round, seed: str, wanted: int) -> TableDraw:
    """Draw up to `wanted` open tables of a round by a seed (`tourney.event.field.audit_seed`).

    Players without a decklist are not drawn, unless no player in the event has one: then lists are kept on paper. A player
    is not checked again before all others who are here for the round were checked as often. So only tables with such a
    player are drawn, and only such players are named; the draw ends when no open table has any.

    Of n tables that can be drawn, in order of their numbers, the first has n lots, the next n−1, the last 1: top tables are
    drawn more often, and every table can be. The lot of the k-th table of a draw is SHA-256 of the seed, a slash and k
    (from 0), modulo the number of lots.
    """
    times, candidates = count_checks(state), _candidates(state, round_)
    open_tables = {number: round_.tables[number] for number in round_.playing}
    tables: list[int] = []
    players: list[PlayerId] = []
    while open_tables and candidates and len(tables) < wanted:
        least = min(times[player] for player in candidates)
        due = {
            number: [player for player in table.seats if player in candidates and times[player] == least]
            for number, table in open_tables.items()
        }
        numbers = [number for number in sorted(due) if due[number]]
        if not numbers:
            break
        lot = int.from_bytes(sha256(f"{seed}/{len(tables)}".encode()).digest())
        number = numbers[_place_of_lot(lot, len(numbers))]
        tables.append(number)
        players += due[number]
        times.update(due[number])
        del open_tables[number]
    return TableDraw(tuple(tables), tuple(players))


def _candidates(state: State, round_: Round) -> set[PlayerId]:
    """Return the players whose decks can be checked in a round.

    They sit at an open table, or are in the event and not absent. If any player in the event has a decklist, they have one.
    """
    here = {
        player
        for table in round_.tables.values()
        for player in table.seats
        if table.result is None or state.players[player].playing
    }
    here |= {
        player
        for player, kind in round_.byes.items()
        if kind is not Outcome.ABSENT and state.players[player].playing
    }
    return _with_lists(state, here)


def _with_lists(state: State, players: set[PlayerId]) -> set[PlayerId]:
    if not any(player.deck for player in state.players.values()):
        return players
    return {player for player in players if state.players[player].deck}


def count_checks(state: State) -> Counter[PlayerId]:
    """Count how often each player's deck was drawn or checked; both in one round count once."""
    rounds = {(player, draw.round) for draw in state.draws for player in draw.players}
    rounds |= {(audit.player, audit.round) for audit in state.audits}
    return Counter(player for player, _ in rounds)


def _place_of_lot(lot: int, tables: int) -> int:
    """Return the table to which a lot belongs, if the first has as many lots as there are tables and the last has one.

    >>> [_place_of_lot(lot, 3) for lot in range(7)]
    [0, 0, 0, 1, 1, 2, 0]
    """
    lot %= tables * (tables + 1) // 2
    place = 0
    while lot >= tables - place:
        lot -= tables - place
        place += 1
    return place


def count_draws(state: State) -> int:
    """Return the number of draws in the current round."""
    return sum(draw.round == len(state.rounds) for draw in state.draws)


def draw(state: State, seed: str, wanted: int) -> Decision:
    """Draw tables of the current round whose decks are to be checked. Raises TourneyError if none can be drawn."""
    open_event(state)
    round_ = round_of(state, None)
    title, name, times = in_a_sentence(round_.title), names_of(state), count_checks(state)
    record_hint = "`tourney audit record PLAYER` records a check"
    if not round_.playing:
        raise TourneyError(f"all tables of {title} have results, so no deck can be drawn", record_hint)
    drawn = draw_tables(state, round_, seed, wanted)
    if not drawn.tables:
        candidates = _candidates(state, round_)
        if not candidates:
            raise TourneyError(
                f"no player in {title} has a decklist",
                f"`tourney player deck NAME FILE` registers one; {record_hint}",
            )
        least = min(times[player] for player in candidates)
        due = [name(player) for player in sorted(candidates) if times[player] == least]
        raise TourneyError(
            f"all players at open tables were drawn or checked already; not yet {listed_short(due)}",
            f"draw again in the next round; {record_hint}",
        )
    warnings = []
    if len(drawn.tables) < wanted:
        warnings.append(f"only {counted(len(drawn.tables), 'table')} can be drawn now")
    seated = {player for number in drawn.tables for player in round_.tables[number].seats}
    if unlisted := sorted(seated - _with_lists(state, seated)):
        warnings.append(
            f"not drawn, without a decklist: {listed_short([name(player) for player in unlisted])}"
        )
    if again := [name(player) for player in drawn.players if times[player]]:
        warnings.append(
            f"all players were checked already, so these are checked again: {listed_short(again)}"
        )
    op = ops.AuditDrawn(
        round=round_.number, tables=drawn.tables, players=drawn.players, seed=seed, method=DRAW_METHOD
    )
    return Decision(op=op, warnings=tuple(warnings))


def _apply_drawn(draft: StateDraft, op: ops.AuditDrawn, at: Entered, _texts: Texts) -> None:
    draft.draws.append(
        AuditDraw(entry=at.entry, round=op.round, tables=op.tables, players=op.players, seed=op.seed)
    )


def _describe_drawn(op: ops.AuditDrawn, context: LogContext) -> str:
    word = "table" if len(op.tables) == 1 else "tables"
    return f"Deck checks in round {op.round}, {word} {listed(op.tables)}: {context.names(op.players)}"


def _marks_of_drawn(op: ops.AuditDrawn) -> Footprint:
    made = marks(("drawn", op.round))
    return Footprint(made, made | marks(("round", op.round)) | player_marks(op.players))


def _faults_of_drawn(op: ops.AuditDrawn) -> Iterator[str]:
    if not op.tables or not op.players:
        yield "it draws no players"


# -- checking decks


def record(state: State, player: PlayerId, *, clean: bool, remark: str | None, seal: Sealing) -> Decision:
    """Record that a deck was checked at the table. remark: what was found; required unless it is `clean`."""
    open_event(state)
    owner = player_of(state, player)
    note = checked_reason(remark)
    if not clean and note is None:
        raise TourneyError(f"the deck of {owner.name} was not in order: what was found?")
    op = ops.AuditRecorded(
        player=player, round=len(state.rounds), clean=clean, remark=seal.maybe(note, "audit")
    )
    return Decision(op=op)


_CLEAN, _PROBLEM = "clean deck", "deck problem"
"""The kinds of remarks about deck checks."""


class DeckCheck(NamedTuple):
    """A deck that was drawn or checked in a round. done: what was recorded; None: not checked yet."""

    round: int
    player: PlayerId
    drawn: bool
    done: Remark | None

    @property
    def clean(self) -> bool | None:
        """Whether the deck was in order; None if it is not checked yet."""
        return None if self.done is None else self.done.kind == _CLEAN


def deck_checks(state: State) -> Iterator[DeckCheck]:
    """Yield the deck checks by round; in each round drawn ones first, in the order of the draw."""
    drawn = [(draw.round, player) for draw in state.draws for player in draw.players]
    done: dict[tuple[int, PlayerId], list[Remark]] = {}
    for remark in state.audits:
        done.setdefault((remark.round, remark.player), []).append(remark)
    for key in sorted(dict.fromkeys([*drawn, *done]), key=lambda key: key[0]):
        yield from (DeckCheck(*key, key in drawn, remark) for remark in done.get(key, ()))
        if key not in done:
            yield DeckCheck(*key, drawn=True, done=None)


_LONGEST_DIFFERENCE = 300
"""Characters of a difference in a note, so that there is room for what a judge adds."""


def difference_words(changes: Sequence[Changed]) -> str:
    """Return the difference between a deck and the registered list, as in `3 instead of 4 Ember Fox`.

    As many changes as fit into a note are named, and the others counted. Empty without changes.
    """
    has_zones = len({change.zone for change in changes}) > 1
    parts = [
        f"{change.after} instead of {change.before} {change.card}"
        + (f" ({change.zone})" if has_zones else "")
        for change in changes
    ]
    words = ", ".join(parts)
    for shown in range(len(parts) - 1, -1, -1):
        if len(words) <= _LONGEST_DIFFERENCE:
            break
        words = ", ".join([*parts[:shown], f"{len(parts) - shown} more"])
    return words


def _apply_recorded(draft: StateDraft, op: ops.AuditRecorded, at: Entered, _texts: Texts) -> None:
    kind = _CLEAN if op.clean else _PROBLEM
    draft.audits.append(Remark(entry=at.entry, player=op.player, round=op.round, kind=kind, text=op.remark))


def _describe_recorded(op: ops.AuditRecorded, context: LogContext) -> str:
    order = "was in order" if op.clean else "was not in order"
    return f"The deck of {context.name(op.player)} {order} in round {op.round}{context.why(op.remark)}"


def _marks_of_recorded(op: ops.AuditRecorded) -> Footprint:
    return Footprint(NO_MARKS, player_marks((op.player,)))


KINDS = (
    EntryKind(
        ops.AuditDrawn,
        _apply_drawn,
        _describe_drawn,
        footprint=_marks_of_drawn,
        alone=_faults_of_drawn,
        misfits=no_such_round,
    ),
    EntryKind(ops.AuditRecorded, _apply_recorded, _describe_recorded, footprint=_marks_of_recorded),
)
"""The kinds of entries about deck checks, in the order of `tourney.event.ops`."""
