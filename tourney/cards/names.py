"""Names as people type them, folded to one key for comparison.

A folded name is another type than a name, so that the type checker finds where somebody forgot to fold. Folding
forgives what a keyboard, a browser or a mail program does to a name (case, accents, quotes, width, spaces, dashes,
invisible characters and the spaces round a slash) and nothing else: a wrong letter stays a wrong letter and is the
business of `tourney.cards.names`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NewType

FoldedName = NewType("FoldedName", str)
"""A name as `fold` leaves it: two that are equal are the same name in any spelling."""

# Letters that Unicode does not decompose, each with what a player without that key types.
_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŧ": "t",
}  # fmt: skip
_SINGLE_QUOTES = "‘’‚‛′`´ʹʻʼʽˈ‹›＇"
_DOUBLE_QUOTES = "“”„‟″«»〝〞ˮ＂"
_DASHES = "‐‑‒–—―−﹘﹣－"
_AS_TYPED = str.maketrans(
    _LETTERS
    | dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DOUBLE_QUOTES, '"')
    | dict.fromkeys(_DASHES, "-")
)
# Japanese voicing marks decompose like accents but make another letter (か, が): they stay.
_VOICING = "\u3099\u309a"
FACES = " // "
"""What separates the faces of a card in a folded name."""
_SLASHES = re.compile(r"\s*/+\s*")
_NOT_PLAIN = re.compile(r"[^ -.0-_a-~\n]")
"""A sign for which folding a name does more than take its capitals away. One class and nothing else: `re` runs over those."""

# Letters of other scripts that print as Latin ones do (a choice from Unicode's table of confusables), each by its twin.
_TWINS = {
    "a": "аαɑ", "b": "Ьƅ", "c": "сϲ", "d": "ԁ", "e": "еҽ", "g": "ɡց", "h": "һհ", "i": "іιɩ", "j": "јϳ", "k": "κк", "l": "ӏⅼ",
    "n": "ոп", "o": "оοσօ", "p": "рρ", "q": "ԛգ", "r": "г", "s": "ѕꜱ", "u": "υսц", "v": "νѵ", "w": "ԝա", "x": "хχ", "y": "уγү", "z": "ᴢ",
    "A": "АΑᎪ", "B": "ВΒᏴ", "C": "СϹᏟ", "D": "Ꭰᗞ", "E": "ЕΕᎬ", "F": "ϜᖴҒ", "G": "ԌᏀ", "H": "НΗᎻ", "I": "ІΙӀ", "J": "ЈᎫͿ", "K": "КΚᏦ",
    "L": "ᏞԼ", "M": "МΜᎷ", "N": "Ν", "O": "ОΟՕ", "P": "РΡᏢ", "Q": "Ԛ", "R": "Ꭱ", "S": "ЅՏᏚ", "T": "ТΤᎢ", "U": "Սᑌ", "V": "ѴᏙ", "W": "ԜᎳ",
    "X": "ХΧ", "Y": "ҮΥУ", "Z": "ΖᏃ",
}  # fmt: skip
_LATIN_TWIN = {ord(twin): latin for latin, twins in _TWINS.items() for twin in twins}
_SAME_IN_PRINT = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
_WORDS = re.compile(r"\w+")


@lru_cache(maxsize=65_536)
def fold(name: str) -> FoldedName:
    """Give the key under which `name` is compared: case, accents, quotes, width and spaces do not matter.

    >>> fold("  Lim‑Dûl’s   VAULT ")
    "lim-dul's vault"
    >>> fold("Ｒｅｆｕｓｅ/Cooperate") == fold("Refuse // Cooperate")
    True
    """
    key = name.lower().replace("`", "'") if name.isascii() else _fold_letters(name)
    if "/" in key:
        key = _SLASHES.sub(FACES, key)
    return FoldedName(" ".join(key.split()))


def fold_all(names: Sequence[str]) -> list[FoldedName]:
    """Fold many names, a whole pool's: those that are plain already but for their capitals in one go.

    >>> fold_all(["Oak Giant", "Lim-Dûl", "Fire/Ice"]) == [fold("Oak Giant"), fold("Lim-Dûl"), fold("Fire/Ice")]
    True
    """
    lines = "\n".join(names)
    keys = lines.lower().split("\n")
    around = f"\n{lines}\n"
    if len(keys) != len(names) or any(blanks in around for blanks in ("  ", "\n ", " \n")):
        return [fold(name) for name in names]
    number = place = 0
    for sign in _NOT_PLAIN.finditer(lines):
        number += lines.count("\n", place, sign.start())
        place = sign.start()
        keys[number] = fold(names[number])
    return keys  # type: ignore[return-value]


def _fold_letters(name: str) -> str:
    quotes_first = name.translate(_AS_TYPED)  # ´ and ‘ would otherwise fall apart into a space and an accent
    apart = unicodedata.normalize("NFKD", quotes_first.casefold())
    letters = "".join(letter for letter in apart if letter in _VOICING or not _invisible(letter))
    return unicodedata.normalize("NFC", letters).casefold().translate(_AS_TYPED)


def _invisible(letter: str) -> bool:
    """Accents (Mn), and what cannot be seen at all: zero-width joiners, soft hyphens, byte order marks (Cf)."""
    return unicodedata.category(letter) in {"Mn", "Cf"}


@lru_cache(maxsize=65_536)
def shape(name: str) -> FoldedName:
    """Give the key of what `name` looks like: names that print alike have the same, whatever letters they are made of.

    `I`, `l` and `1`, and `O` and `0`, are alike only inside a word of other letters: `Unit II` is not `Unit 11`.

    >>> shape("\u041eak Giant") == shape("Oak Giant"), shape("0ak Giant") == shape("Oak Giant")
    (True, True)
    >>> shape("Unit II") == shape("Unit 11")
    False
    """
    plain = unicodedata.normalize("NFKC", name).translate(_LATIN_TWIN)
    return fold(_WORDS.sub(_in_print, plain))


def _in_print(word: re.Match[str]) -> str:
    others = any(letter.isalpha() and letter not in "IlO" for letter in word[0])
    return word[0].translate(_SAME_IN_PRINT) if others else word[0]


def foreign_letters(name: str) -> tuple[str, ...]:
    """Give the letters of `name` that stand in a Latin word and are none: of another script, or full-width.

    >>> foreign_letters("\u041eak Giant"), foreign_letters("Oak Giant"), foreign_letters("\u041a\u043e\u0442")
    (('\u041e',), (), ())
    """
    if name.isascii():
        return ()
    words = (word[0] for word in _WORDS.finditer(unicodedata.normalize("NFC", name)))
    mixed = [word for word in words if any("a" <= letter.lower() <= "z" for letter in word)]
    return tuple(dict.fromkeys(letter for word in mixed for letter in word if _is_foreign(letter)))


def _is_foreign(letter: str) -> bool:
    return ord(letter) in _LATIN_TWIN or ("\uff21" <= letter <= "\uff3a" or "\uff41" <= letter <= "\uff5a")


_SCRIPTS = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}


def script(name: str) -> str:
    """Name the script that most letters of a name are of; empty for a name without letters. Kana make it Japanese.

    >>> script("Oak Giant"), script("Страж"), script("闇の力"), script("451")
    ('Latin', 'Cyrillic', 'Japanese', '')
    """
    if name.isascii():
        return "Latin" if any(letter.isalpha() for letter in name) else ""
    words = [unicodedata.name(letter, "").partition(" ")[0] for letter in name if letter.isalpha()]
    if not words:
        return ""
    scripts = [_SCRIPTS.get(word, word.capitalize()) for word in words]
    return "Japanese" if "Japanese" in scripts else max(scripts, key=scripts.count)


def code_point(letter: str) -> str:
    """Name a letter by its code point, so that it can be told from one that looks the same.

    >>> code_point("\u041e")
    '`\u041e` is U+041E (Cyrillic capital letter O)'
    """
    full_name = unicodedata.name(letter, "without a name")
    words = full_name.lower().capitalize().split(" ")
    last = words[-1].upper() if len(words[-1]) == 1 else words[-1]
    return f"`{letter}` is U+{ord(letter):04X} ({' '.join([*words[:-1], last])})"


def parted_by(name: str, other: str) -> str:
    """Say by which letters two names that look the same differ; empty where they do not look the same.

    >>> parted_by("\u041eak Giant", "Oak Giant")
    '`\u041e` is U+041E (Cyrillic capital letter O)'
    """
    if fold(name) == fold(other) or shape(name) != shape(other):
        return ""
    foreign = [letter for letter in dict.fromkeys(name) if ord(letter) in _LATIN_TWIN and letter not in other]
    if not foreign and len(name) == len(other):
        pairs = zip(name, other, strict=True)
        foreign = list(dict.fromkeys(mine for mine, theirs in pairs if fold(mine) != fold(theirs)))
    return " and ".join(
        map(code_point, foreign or [letter for letter in dict.fromkeys(name) if letter not in other])
    )


# -- Did you mean: the names nearest to one that is in no pool


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
        near_keys = (
            hit
            for keys in near_in_length
            for hit in process.extract(
                key, keys, scorer=OSA.normalized_similarity, score_cutoff=at_least, limit=None
            )
        )
        ranked = sorted(near_keys, key=lambda hit: (-hit[1], hit[0]))
        return tuple(self._by_key[FoldedName(near)] for near, _, _ in ranked[:limit])

    def _keys_by_length(self) -> dict[int, list[FoldedName]]:
        """Group the keys by length: a name much shorter or longer cannot be near, and is not looked at."""
        if not self._by_length:
            self._by_key = {fold(known): known for known in self._names}
            for key in self._by_key:
                self._by_length.setdefault(len(key), []).append(key)
        return self._by_length


_LETTERS_IN_COMMON = 0.6
"""The share of letters that a mistyped word of a short list, of commands or attributes, has in common with the one that is meant."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the word among a few `known` ones that `word` resembles most, None where it resembles none.

    Letters are counted that both have in one order: in short words that says more than how many were mistyped.

    >>> nearest("factoin", ["faction", "cost"]), nearest("pear", ["pair", "show"]), nearest("zone", ["faction", "cost"])
    ('faction', 'pair', None)
    """
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    keys = {each: fold(each) for each in sorted(known)}
    best = process.extractOne(
        fold(word), keys, scorer=Indel.normalized_similarity, score_cutoff=_LETTERS_IN_COMMON
    )
    return best[2] if best else None


_SHORTEST_WORD = 5
"""In shorter words one letter in place of another makes another word: Bell, Ball, Hill."""
_RUN_OF_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")


MOST_NEAR = 8
"""Names with which one name is compared: a list in which more are near each other is told of enough of them."""

_LONGEST_COMPARED = 150
"""Letters of a name that is compared with others at all: no card's name has more."""


def resembling(
    names: Iterable[str],
    apart: Callable[[str, str], bool] | None = None,
    new: Collection[str] | None = None,
) -> Iterator[tuple[str, str]]:
    """Give the pairs of names that one slip of the hand parts: a letter wrong, missing, doubled or swapped; or a space.

    apart: says so of two names that are near each other; None: as of cards' names, where short words are other words.
    new: names of which a pair is given if its later name is one of them; None: all names

    Another number is another name (`Paper Card 5`, `Paper Card 6`), and so is another short word (`Sky A`, `Sky B`).
    Takes time in proportion to the names, not to their pairs: of names of which very many are near each other, each is
    given with some of the others.
    """
    apart = apart or one_slip_apart
    by_key: dict[int, list[str]] = {}
    for name in dict.fromkeys(names):
        slips = _slips(name)
        if new is None or name in new:
            near = dict.fromkeys(other for key in slips for other in by_key.get(key, ()))
            yield from ((other, name) for other in islice(near, MOST_NEAR) if apart(other, name))
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
    letters, numbers = "".join(_RUN_OF_LETTERS.findall(folded)), tuple(_DIGITS.findall(folded))
    if not _SHORTEST_WORD <= len(letters) <= _LONGEST_COMPARED:
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
    mine, theirs = _RUN_OF_LETTERS.findall(first), _RUN_OF_LETTERS.findall(second)
    if len(mine) != len(theirs):
        return "".join(mine) == "".join(theirs)
    differ = [(one, two) for one, two in zip(mine, theirs, strict=True) if one != two]
    if not differ:
        return True
    return len(differ) == 1 and _one_slip(*differ[0])


def _one_slip(one: str, two: str) -> bool:
    """Tell whether one letter of a word is changed, added or missing, or two neighbours are swapped."""
    if len(one) == len(two) and sum(map(str.__ne__, one, two)) == 1:
        return len(one) >= _SHORTEST_WORD
    return min(len(one), len(two)) >= _SHORTEST_WORD - 1 and one_letter_apart(one, two)


def one_letter_apart(one: str, two: str) -> bool:
    """Tell whether one letter is changed, added or missing, or two neighbours are swapped.

    >>> one_letter_apart("oake", "oak"), one_letter_apart("reed", "rede"), one_letter_apart("reed", "rider")
    (True, True, False)
    """
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    mine, theirs = one[start:], two[start:]
    swapped = mine[:2] == theirs[:2][::-1] and mine[2:] == theirs[2:]
    return swapped or mine[1:] == theirs[1:] or mine[1:] == theirs or mine == theirs[1:]


def meant(name: str, near: Sequence[str]) -> str:
    """Ask whether a near name was meant; empty without one. Of names that look the same, say what parts them.

    >>> meant("Claymor", ["Claymore"]), meant("\u041eak", ["Oak"])
    ('did you mean Claymore?', 'it looks like Oak, but `\u041e` is U+041E (Cyrillic capital letter O)')
    """
    if not near:
        return ""
    parted = parted_by(name, near[0])
    return f"it looks like {near[0]}, but {parted}" if parted else f"did you mean {near[0]}?"
