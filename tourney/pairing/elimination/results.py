"""The results of a cut round: read from the recorded tables, which are the truth."""

from __future__ import annotations

from collections.abc import Mapping

from tourney.errors import TourneyError
from tourney.pairing.elimination.walk import Entry, Pairs, Walk
from tourney.record import Outcome, PlayerId, Table

_WON = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})
_LOST = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS, Outcome.ABSENT})


def settle_round(walk: Walk, ready: Mapping[str, Pairs], tables: Mapping[str, Table]) -> None:
    """Enter one cut round's tables, by label, and go on to the next round. Raises TourneyError; see `bracket`."""
    _refuse_strange_labels(walk, ready, tables)
    seated = {player for table in tables.values() for player in table.seats}
    for stage in walk.plan:
        if stage.name in ready:
            pairs = _as_played(walk, stage.labels, ready[stage.name], tables, seated)
            won = {
                n: _winner(walk, label, tables[label])
                for n, label in enumerate(stage.labels)
                if label in tables
            }
            walk.settle(stage, pairs, won)
    walk.round += 1


def _refuse_strange_labels(walk: Walk, ready: Mapping[str, Pairs], tables: Mapping[str, Table]) -> None:
    known = [label for stage in walk.plan if stage.name in ready for label in stage.labels]
    for label, table in tables.items():
        if label not in known:
            raise TourneyError(
                f"cut round {walk.round}: `{label}` is no match of this round; its matches are {', '.join(known)}"
            )
        if len(table.seats) != 2:
            raise TourneyError(
                f"cut round {walk.round}: {label} has {len(table.seats)} seats, a match has two"
            )


def _as_played(
    walk: Walk, labels: tuple[str, ...], due: Pairs, tables: Mapping[str, Table], seated: set[PlayerId]
) -> Pairs:
    """Return the pairs of a stage: recorded tables as they are; whoever is seated nowhere passes a match without a table."""
    pairs: Pairs = []
    passed_over: list[PlayerId] = []
    for label, pair in zip(labels, due, strict=True):
        resting: list[PlayerId] = [player for player in pair if player is not None and player not in seated]
        if label in tables:
            passed_over += resting
            pairs.append((tables[label].seats[0], tables[label].seats[1]))
        else:
            keep: list[Entry] = [*resting, None, None]
            pairs.append((keep[0], keep[1]))
    for n, pair in enumerate(pairs):
        if passed_over and pair == (None, None):
            pairs[n] = (passed_over.pop(0), None)
    _refuse_unsettled(walk, labels, pairs, tables, passed_over)
    return pairs


def _refuse_unsettled(
    walk: Walk,
    labels: tuple[str, ...],
    pairs: Pairs,
    tables: Mapping[str, Table],
    passed_over: list[PlayerId],
) -> None:
    for label, pair in zip(labels, pairs, strict=True):
        if label not in tables and None not in pair:
            both = " and ".join(walk.name(player) for player in pair if player is not None)
            raise TourneyError(f"cut round {walk.round}: {label} has no table, but {both} are to play it")
    if passed_over:
        raise TourneyError(
            f"cut round {walk.round}: {walk.name(passed_over[0])} has no table and there is no match to pass with a bye"
        )


def _winner(walk: Walk, label: str, table: Table) -> Entry:
    """Return who won a match; None where both lost. Raises TourneyError where it is open or drawn."""
    if table.result is None:
        raise TourneyError(f"cut round {walk.round}: {label} (table {table.number}) has no result yet")
    won = [seat.player for seat in table.result.seats if seat.outcome in _WON]
    if len(won) == 1:
        return won[0]
    if not won and all(seat.outcome in _LOST for seat in table.result.seats):
        return None
    raise TourneyError(
        f"cut round {walk.round}: {label} (table {table.number}) has no winner: a bracket knows no draws",
        "change the result: the format's rule for ties decides",
    )
