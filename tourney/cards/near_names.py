"""Did you mean: the names nearest to one that is in no pool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from tourney.cards.names import FoldedName, fold, parted_by


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


_SHORTEST_WORD = 5
"""In shorter words one letter in place of another makes another word: Bell, Ball, Hill."""
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")


MOST_NEAR = 8
"""Names with which one name is compared: a list in which more are near each other is told of enough of them."""

LONGEST_COMPARED = 150
"""Letters of a name that is compared with others at all: no card's name has more."""


def resembling(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Give the pairs of names that one slip of the hand parts: a letter wrong, missing, doubled or swapped; or a space.

    Another number is another name (`Paper Card 5`, `Paper Card 6`), and so is another short word (`Sky A`, `Sky B`).
    Takes time in proportion to the names, not to their pairs: of names of which very many are near each other, each is
    given with some of the others.
    """
    by_key: dict[int, list[str]] = {}
    for name in dict.fromkeys(names):
        slips = _slips(name)
        near = dict.fromkeys(other for key in slips for other in by_key.get(key, ()))
        yield from ((other, name) for other in islice(near, MOST_NEAR) if one_slip_apart(other, name))
        for key in slips:
            with_it = by_key.setdefault(key, [])
            if len(with_it) < MOST_NEAR:
                with_it.append(name)


def another_number(name: str, other: str) -> bool:
    """Tell whether two names have other numbers in them: then they are other names, however near.

    >>> another_number("Paper Card 5", "Paper Card 6"), another_number("Claymor", "Claymore")
    (True, False)
    """
    return _DIGITS.findall(fold(name)) != _DIGITS.findall(fold(other))


@lru_cache(maxsize=2_048)  # the same cards stand in the lists of many players
def _slips(name: str) -> tuple[int, ...]:
    """Give the name's letters without spaces, whole and with each left out, beside its numbers, as hashes of them.

    One slip leaves one of them equal.
    """
    folded = fold(name)
    letters, numbers = "".join(_LETTERS.findall(folded)), tuple(_DIGITS.findall(folded))
    if not _SHORTEST_WORD <= len(letters) <= LONGEST_COMPARED:
        return ()
    missing = (letters[:place] + letters[place + 1 :] for place in range(len(letters)))
    return tuple(dict.fromkeys(hash((each, numbers)) for each in (letters, *missing)))


def one_slip_apart(name: str, other: str) -> bool:
    """Tell whether one slip of the hand parts two names.

    >>> one_slip_apart("Siege Hammer", "Seige Hammer"), one_slip_apart("Siege Hammer", "SiegeHammer")
    (True, True)
    >>> one_slip_apart("Paper Card 5", "Paper Card 6"), one_slip_apart("Sky A", "Sky B"), one_slip_apart("Bell", "Ball")
    (False, False, False)
    """
    first, second = fold(name), fold(other)
    if first == second or another_number(name, other):
        return False
    mine, theirs = _LETTERS.findall(first), _LETTERS.findall(second)
    if len(mine) != len(theirs):
        return "".join(mine) == "".join(theirs)
    differ = [(one, two) for one, two in zip(mine, theirs, strict=True) if one != two]
    if not differ:
        return True
    return len(differ) == 1 and _one_slip(*differ[0])


def _one_slip(one: str, two: str) -> bool:
    """Tell whether one letter is changed, added or missing, or two neighbours are swapped."""
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    mine, theirs = one[start:], two[start:]
    if mine[1:] == theirs[1:]:
        return len(one) >= _SHORTEST_WORD
    swapped = mine[:2] == theirs[:2][::-1] and mine[2:] == theirs[2:]
    return min(len(one), len(two)) >= _SHORTEST_WORD - 1 and (
        swapped or mine[1:] == theirs or mine == theirs[1:]
    )


def meant(name: str, near: Sequence[str]) -> str:
    """Ask whether a near name was meant; empty without one. Of names that look the same, say what parts them.

    >>> meant("Claymor", ["Claymore"]), meant("\u041eak", ["Oak"])
    ('did you mean Claymore?', 'it looks like Oak, but `\u041e` is U+041E (Cyrillic capital letter O)')
    """
    if not near:
        return ""
    parted = parted_by(name, near[0])
    return f"it looks like {near[0]}, but {parted}" if parted else f"did you mean {near[0]}?"


_WORD = re.compile(r"\w+")
_NOT_OF_THE_NAME = re.compile(
    r"\W*|(?:the|an?|one|two|three|four|[a-z]{1,3}\W{0,2}\d{1,2}x?|\W*\d{1,2}x?)\s+", re.I
)
"""What may stand before a whole name and be no part of it."""
_JOINS = re.compile(
    r"(?:['’\-–—&+]\w|\s*(?:&|\+|//?)\s*\w|\s*[,:]\s|\s*[,:]?\s*(?:of|the|and|in|to|a|an|for|with|on|at|de|der|von|del|la|le|und|et|y|x|v|vs|ex)\b)"
)
"""What begins the rest of a longer name: `Oak Giant's End`, `Oak Giant, the Old`, `Comet of Doom`."""
_APART = re.compile(r"\s*[^\w\s'’,:-]|\s+[-–—]\s|\s*[,:]?\s+[a-zß-ÿ]|\s+(?:[vV]\d|\d+[./]\d)")


class NamesInside:
    """Names to look for in longer ones that say the whole of one and something beside it: `Oak Giant - from Tom`."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_words: dict[tuple[str, ...], str] = {}
        for name in names:
            words = tuple(_WORD.findall(fold(name)))
            if words and name[-1:].isalnum() and name[:1].isalnum():
                self._by_words.setdefault(words, name)
        self._longest = max(map(len, self._by_words), default=0)

    def inside(self, written: str, *, other_than: str = "") -> str | None:
        """Return the name that `written` holds whole, with words or signs beside it that are hardly part of a name.

        A name of one word needs a sign beside it: `comet storm` may well be a card of its own.
        """
        if len(written) > LONGEST_COMPARED:
            return None
        found = list(_WORD.finditer(written))
        words = [fold(each[0]) for each in found]
        for start in range(len(words)):
            for length in range(min(self._longest, len(words) - start), 0, -1):
                name = self._by_words.get(tuple(words[start : start + length]))
                if name is None or fold(name) in (fold(written), other_than):
                    continue
                before, behind = written[: found[start].start()], written[found[start + length - 1].end() :]
                if _is_beside(before, behind, several=length > 1):
                    return name
        return None


def _is_beside(before: str, behind: str, *, several: bool) -> bool:
    """Whether neither what stands before a whole name nor what stands behind it looks like part of a longer one."""
    if before and not _NOT_OF_THE_NAME.fullmatch(before):
        return False
    if not behind.strip(" .,;:!?"):
        return several and bool(before)
    apart = _APART.match(behind)
    if apart is None or _JOINS.match(behind):
        return False
    return several or not apart[0][-1].isalpha()
