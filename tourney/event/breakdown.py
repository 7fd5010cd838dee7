"""The field by what its decks are: shares, records, who went on to the cut, and how each did against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from tourney.record import Outcome, PlayerId, Result

Z = 1.959964
"""The quantile of the normal distribution for 95 %."""

PLAYED = frozenset({Outcome.WIN, Outcome.DRAW, Outcome.LOSS})
"""Results that were played: byes, forfeits and penalties say nothing of decks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Matches of one side. rate: of wins, a draw counting half, with its 95 % interval after Wilson; None without a match."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        """How many there are."""
        return self.won + self.drawn + self.lost

    @property
    def rate(self) -> float | None:
        """The share won, from 0 to 1."""
        return (self.won + self.drawn / 2) / self.played if self.played else None

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares the true one lies, 95 times in 100 (Wilson 1927, doi:10.1080/01621459.1927.10502953).

        >>> [round(end, 3) for end in Tally(won=8, lost=2).interval], Tally().interval
        ([0.49, 0.943], (0.0, 1.0))
        """
        number, share = self.played, self.rate
        if share is None:
            return 0.0, 1.0
        middle = (share + Z * Z / (2 * number)) / (1 + Z * Z / number)
        reach = Z / (1 + Z * Z / number) * sqrt(share * (1 - share) / number + Z * Z / (4 * number * number))
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Decks of one kind. players: how many; cut: how many of them went on; matches: against other kinds alone."""

    name: str
    players: int
    share: float
    cut: int
    matches: Tally
    against: tuple[Tally, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """The field: kinds by their number, then by name. noun: what they are; unknown: players of whose deck nobody can tell."""

    noun: str
    kinds: tuple[Kind, ...]
    unknown: int = 0
    cut: int = 0


def breakdown(
    noun: str,
    kinds: Mapping[PlayerId, str],
    results: Iterable[Result],
    *,
    unknown: int = 0,
    cut: Collection[PlayerId] = (),
) -> FieldView:
    """Return the field of the players in `kinds` by what each plays; results: of every round, those of two players count.

    A match of a kind against itself tells nothing of it and is in no record.
    """
    met: Counter[tuple[str, str, Outcome]] = Counter()
    for result in results:
        if len(result.seats) != 2 or any(seat.outcome not in PLAYED for seat in result.seats):
            continue
        one, other = result.seats
        if one.player in kinds and other.player in kinds and kinds[one.player] != kinds[other.player]:
            met[kinds[one.player], kinds[other.player], one.outcome] += 1
            met[kinds[other.player], kinds[one.player], other.outcome] += 1
    number = Counter(kinds.values())
    on = Counter(kinds[player] for player in cut if player in kinds)
    names = sorted(number, key=lambda name: (-number[name], name))

    def tally(name: str, others: Sequence[str]) -> Tally:
        won, drawn, lost = (
            sum(met[name, other, way] for other in others)
            for way in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
        )
        return Tally(won=won, drawn=drawn, lost=lost)

    return FieldView(
        noun=noun,
        unknown=unknown,
        cut=len(cut),
        kinds=tuple(
            Kind(
                name=name,
                players=number[name],
                share=number[name] / len(kinds),
                cut=on[name],
                matches=tally(name, names),
                against=tuple(tally(name, (other,)) for other in names),
            )
            for name in names
        ),
    )
