"""The fewest changed tables: which old tables stay when some cannot (the matching behind `repair`).

Levels: rematches, times met, earlier byes of the bye; then the number of new tables (a new bye is one); then the rest as
in any round. `loose` players are those without an old table that may stay, and the bye where it is. With u loose players of
whom d cannot be paired among themselves, at least d / 2 old tables must be opened, since an opened table gives two
partners. If a round opens exactly that many, both players of each opened table meet a loose one; so the tables among loose
players, those between loose and seated ones, and the old tables contain every best round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tourney.pairing.entrant import NOBODY
from tourney.pairing.options import Pair
from tourney.pairing.swiss.deficiency import deficiency
from tourney.pairing.swiss.field import Field, seats_of
from tourney.pairing.swiss.levels import columns, conflict_columns
from tourney.pairing.swiss.lexicographic import best_round
from tourney.pairing.swiss.whole import candidates, vertices
from tourney.pairing.swiss.words import Words
from tourney.record import PlayerId

MOST_FREE = 600
"""Up to so many free players every old table may be opened; above, only the tables nearest in points."""


@dataclass(frozen=True)
class Mended:
    """The free players' tables after a repair (the bye last in its own).

    fewest: whether no round of as few rematches and earlier byes changes fewer tables
    best:   whether it is the best of those on the levels below as well
    cheapest: whether no round is better on any level, whatever it changes, and among the best none changes fewer tables
    """

    pairs: list[Pair]
    fewest: bool
    best: bool
    cheapest: bool = False


def mend(field: Field, old: Sequence[Pair], words: Words, moved: Collection[PlayerId] = ()) -> Mended | None:
    """Return the round that changes the fewest of the old tables, or None if there is no complete round.

    old: tables as they were, the bye last in its own; those of players who are gone or forced elsewhere are ignored
    moved: whose results were corrected: where there are any, the best round comes before the fewest changes. Among more
        than `MOST_FREE` players only their own tables are opened, and nothing is proved.
    """
    known = [seats_of(field, table) for table in old if _is_known(field, table)]
    if moved and len(field.free) <= MOST_FREE:
        pairs = _cheapest(field, candidates(field), known, words, set(), changes_last=True)
        return None if pairs is None else Mended(pairs, fewest=False, best=False, cheapest=True)
    known = [table for table in known if not set(table) & set(moved)]
    loosening = _Loosening(field, known)
    openable = loosening.nearest(MOST_FREE // 2) if loosening.least_opened else []
    untouched = set(loosening.staying) - set(openable)
    pairs = _cheapest(field, loosening.tables(openable), known, words, untouched)
    if (
        pairs is not None
        and len(loosening.staying) - len(set(loosening.staying) & set(pairs)) == loosening.least_opened
    ):
        return Mended(pairs, fewest=not moved, best=not moved and (not untouched or not openable))
    if len(field.free) > MOST_FREE and pairs is not None:
        return Mended(pairs, fewest=False, best=False)
    pairs = _cheapest(field, candidates(field), known, words, set())
    return None if pairs is None else Mended(pairs, fewest=True, best=True)


def _is_known(field: Field, table: Pair) -> bool:
    """Whether everybody at an old table is still free, and the bye still needed."""
    forced = {player for pair in field.forced for player in pair}
    players = [player for player in table if player != NOBODY]
    return all(player in field.points and player not in forced for player in players) and (
        len(players) == 2 or field.odd
    )


class _Loosening:
    """Which old tables may stay, and who is loose without them."""

    def __init__(self, field: Field, known: Sequence[Pair]) -> None:
        self.field = field
        takers = [player for each in field.bye_classes for player in each]
        least = min((field.earlier_byes(player) for player in takers), default=0)
        self.takers = {player for player in takers if field.earlier_byes(player) == least}
        self.staying = [table for table in known if self.may_meet(*table)]
        seated = {player for table in self.staying for player in table}
        self.loose = [player for player in vertices(field) if player not in seated]
        self.least_opened = deficiency(self.loose, self.may_meet) // 2

    def may_meet(self, one: PlayerId, other: PlayerId) -> bool:
        """Whether two may be paired at no cost on the levels above the number of changes."""
        if NOBODY in {one, other}:
            return max(one, other) in self.takers
        return self.field.unmet(one, other)

    def nearest(self, most: int) -> list[Pair]:
        """Return the staying tables nearest in points to somebody loose."""
        points = self.field.points
        wanted = sorted({points[player] for player in self.loose if player != NOBODY}) or [0]

        def distance(table: Pair) -> tuple[int, Pair]:
            return min(
                abs(points[player] - each) for player in table if player != NOBODY for each in wanted
            ), table

        return self.staying if len(self.staying) <= most else sorted(self.staying, key=distance)[:most]

    def tables(self, openable: Sequence[Pair]) -> list[Pair]:
        """Return the candidates: the openable tables, and all with a loose player and nobody beyond those."""
        return [*openable, *(seats_of(self.field, each) for each in self._new(openable))]

    def _new(self, openable: Sequence[Pair]) -> Iterator[Pair]:
        seated = [player for table in openable for player in table]
        for number, one in enumerate(self.loose):
            for other in (*self.loose[number + 1 :], *seated):
                if self.may_meet(one, other):
                    yield one, other


def _cheapest(
    field: Field,
    tables: Sequence[Pair],
    known: Sequence[Pair],
    words: Words,
    untouched: set[Pair],
    *,
    changes_last: bool = False,
) -> list[Pair] | None:
    """Return the best round on some candidates, `untouched` tables added as they are.

    changes_last: whether the number of changes comes below all levels, instead of right below rematches and byes
    """
    sitting = {player for table in untouched for player in table}
    players = [player for player in vertices(field) if player not in sitting]
    unchanged = set(known)
    levels = {**conflict_columns(field, tables), **columns(field, tables)}
    above = [levels.pop(level) for level in ("rematches", "times_met", "bye_earlier")]
    changed = [table not in unchanged for table in tables]
    below = [*levels.values(), changed] if changes_last else [changed, *levels.values()]
    pairs = best_round(players, tables, [*above, *below, words.of_pairs(tables)])
    return None if pairs is None else [*pairs, *untouched]
