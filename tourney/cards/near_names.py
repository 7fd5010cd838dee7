"""Did you mean: the names nearest to one that is in no pool."""

from __future__ import annotations

from collections.abc import Iterable

from tourney.cards.names import FoldedName, fold


class NearNames:
    """The names of a pool, ready to be searched for near misses.

    Folding 32,000 names takes a moment and happens on the first question, not when the pool is loaded; `rapidfuzz`
    is imported then, too. One question on 32,000 names takes under 5 ms.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names
        self._by_key: dict[FoldedName, str] = {}
        self._by_length: dict[int, list[FoldedName]] = {}

    def near(self, name: str, *, limit: int = 3, at_least: float = 0.7) -> tuple[str, ...]:
        """Give up to `limit` names that resemble `name`, the nearest first, equals in alphabetical order.

        `at_least` is the share of letters that must agree (1.0: the same name); the edit distance allows swapped
        neighbours. A near name is a question to the person, never an answer.
        """
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        key = fold(name)
        near_in_length = (
            known
            for length, known in self._keys_by_length().items()
            if min(length, len(key)) >= at_least * max(length, len(key))
        )
        found = (
            hit
            for keys in near_in_length
            for hit in process.extract(
                key, keys, scorer=OSA.normalized_similarity, score_cutoff=at_least, limit=None
            )
        )
        ranked = sorted(found, key=lambda hit: (-hit[1], hit[0]))
        return tuple(self._by_key[FoldedName(near)] for near, _, _ in ranked[:limit])

    def _keys_by_length(self) -> dict[int, list[FoldedName]]:
        """Group the keys by length: a name much shorter or longer cannot be near, and is not looked at."""
        if not self._by_length:
            self._by_key = {fold(known): known for known in self._names}
            for key in self._by_key:
                self._by_length.setdefault(len(key), []).append(key)
        return self._by_length
