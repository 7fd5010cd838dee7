"""Fold names as people type them, and find names that look or read alike.

`fold` gives the key under which a name is compared. It ignores what a keyboard, a browser or a mail program
changes (case, accents, quotes, width, spaces, dashes, invisible characters and the spaces around a slash) and
nothing else. A folded name has a type of its own, so that mypy finds a comparison with a name that is not
folded.

A name with a wrong letter is a different name. The rest of the module finds names that resemble it, for "did
you mean …?": by their look (`lookalike_key`), by their letters (`NearNames`, `nearest`), or as pairs within
one list (`similar_pairs`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NewType

FoldedName = NewType("FoldedName", str)
"""The result of `fold`. Two names are the same if their folded names are equal."""

FACE_SEPARATOR = " // "
"""The separator between the faces of a card in a folded name."""

# Letters that Unicode does not decompose, with what players type who do not have the key.
_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŧ": "t",
}  # fmt: skip
_SINGLE_QUOTES = "‘’‚‛′`´ʹʻʼʽˈ‹›＇"
_DOUBLE_QUOTES = "“”„‟″«»〝〞ˮ＂"
_DASHES = "‐‑‒–—―−﹘﹣－"
_TYPED_LETTERS = str.maketrans(
    _LETTERS
    | dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DOUBLE_QUOTES, '"')
    | dict.fromkeys(_DASHES, "-")
)
# Japanese voicing marks decompose like accents, but they make another letter (か, が).
_VOICING_MARKS = "\u3099\u309a"
_SLASHES = re.compile(r"\s*/+\s*")


@lru_cache(maxsize=65_536)
def fold(name: str) -> FoldedName:
    """Return the key of a name, which ignores case, accents, quotes, width and spaces.

    >>> fold("  Lim‑Dûl’s   VAULT ")
    "lim-dul's vault"
    >>> fold("Ｒｅｆｕｓｅ/Cooperate") == fold("Refuse // Cooperate")
    True
    """
    key = name.lower().replace("`", "'") if name.isascii() else _fold_letters(name)
    if "/" in key:
        key = _SLASHES.sub(FACE_SEPARATOR, key)
    return FoldedName(" ".join(key.split()))


def _fold_letters(name: str) -> str:
    name = name.translate(_TYPED_LETTERS)  # NFKD would split ´ and ‘ into a space and an accent
    letters = unicodedata.normalize("NFKD", name.casefold())
    visible = "".join(letter for letter in letters if letter in _VOICING_MARKS or not _is_invisible(letter))
    return unicodedata.normalize("NFC", visible).casefold().translate(_TYPED_LETTERS)


def _is_invisible(letter: str) -> bool:
    """Return whether a character is an accent (Mn), or invisible like a zero-width space (Cf)."""
    return unicodedata.category(letter) in {"Mn", "Cf"}


_CHANGED_BY_FOLDING = re.compile(r"[^ -.0-_a-~\n]")
"""A character that `fold` changes in more ways than to lower case.

The pattern is a single character class, because `re` searches for that fastest.
"""


def fold_all(names: Sequence[str]) -> list[FoldedName]:
    """Fold many names. Faster than `fold` for a pool, because most names only need lower case.

    >>> fold_all(["Oak Giant", "Lim-Dûl", "Fire/Ice"])
    ['oak giant', 'lim-dul', 'fire // ice']
    """
    lines = "\n".join(names)
    keys = lines.lower().split("\n")
    framed_text = f"\n{lines}\n"
    if len(keys) != len(names) or any(spaces in framed_text for spaces in ("  ", "\n ", " \n")):
        return [fold(name) for name in names]
    index = position = 0
    for match in _CHANGED_BY_FOLDING.finditer(lines):
        index += lines.count("\n", position, match.start())
        position = match.start()
        keys[index] = fold(names[index])
    return keys  # type: ignore[return-value]


# -- names that look alike

# Letters of other scripts that look like Latin letters, by the Latin letter: a choice from Unicode's table of
# confusables.
_LOOKALIKES = {
    "a": "аαɑ", "b": "Ьƅ", "c": "сϲ", "d": "ԁ", "e": "еҽ", "g": "ɡց", "h": "һհ", "i": "іιɩ", "j": "јϳ",
    "k": "κк", "l": "ӏⅼ", "n": "ոп", "o": "оοσօ", "p": "рρ", "q": "ԛգ", "r": "г", "s": "ѕꜱ", "u": "υսц",
    "v": "νѵ", "w": "ԝա", "x": "хχ", "y": "уγү", "z": "ᴢ", "A": "АΑᎪ", "B": "ВΒᏴ", "C": "СϹᏟ",
    "D": "Ꭰᗞ", "E": "ЕΕᎬ", "F": "ϜᖴҒ", "G": "ԌᏀ", "H": "НΗᎻ", "I": "ІΙӀ", "J": "ЈᎫͿ", "K": "КΚᏦ",
    "L": "ᏞԼ", "M": "МΜᎷ", "N": "Ν", "O": "ОΟՕ", "P": "РΡᏢ", "Q": "Ԛ", "R": "Ꭱ", "S": "ЅՏᏚ", "T": "ТΤᎢ",
    "U": "Սᑌ", "V": "ѴᏙ", "W": "ԜᎳ", "X": "ХΧ", "Y": "ҮΥУ", "Z": "ΖᏃ",
}  # fmt: skip
_LATIN_LOOKALIKE = {ord(letter): latin for latin, letters in _LOOKALIKES.items() for letter in letters}
_SAME_IN_PRINT = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
_WORDS = re.compile(r"\w+")


@lru_cache(maxsize=65_536)
def lookalike_key(name: str) -> FoldedName:
    """Return a key that is equal for names that look the same in print.

    `I`, `l` and `1` look alike, and `O` and `0`, but only in a word with other letters: `Unit II` is not
    `Unit 11`.

    >>> lookalike_key("\u041eak Giant") == lookalike_key("Oak Giant") == lookalike_key("0ak Giant")
    True
    >>> lookalike_key("Unit II") == lookalike_key("Unit 11")
    False
    """
    latin = unicodedata.normalize("NFKC", name).translate(_LATIN_LOOKALIKE)
    return fold(_WORDS.sub(_print_form, latin))


def _print_form(word: re.Match[str]) -> str:
    has_other_letters = any(letter.isalpha() and letter not in "IlO" for letter in word[0])
    return word[0].translate(_SAME_IN_PRINT) if has_other_letters else word[0]


def foreign_letters(name: str) -> tuple[str, ...]:
    """Return the letters in Latin words that are full-width or belong to another script.

    >>> foreign_letters("\u041eak Giant"), foreign_letters("Oak Giant"), foreign_letters("\u041a\u043e\u0442")
    (('\u041e',), (), ())
    """
    if name.isascii():
        return ()
    words = (word[0] for word in _WORDS.finditer(unicodedata.normalize("NFC", name)))
    latin_words = [word for word in words if any("a" <= letter.lower() <= "z" for letter in word)]
    return tuple(dict.fromkeys(letter for word in latin_words for letter in word if _is_foreign(letter)))


def _is_foreign(letter: str) -> bool:
    return ord(letter) in _LATIN_LOOKALIKE or "\uff21" <= letter <= "\uff3a" or "\uff41" <= letter <= "\uff5a"


_SCRIPTS = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}


def script(name: str) -> str:
    """Return the script of most letters in a name; empty if it has no letters.

    A name with kana is Japanese.

    >>> script("Oak Giant"), script("Страж"), script("闇の力"), script("451")
    ('Latin', 'Cyrillic', 'Japanese', '')
    """
    if name.isascii():
        return "Latin" if any(letter.isalpha() for letter in name) else ""
    words = [unicodedata.name(letter, "").partition(" ")[0] for letter in name if letter.isalpha()]
    scripts = [_SCRIPTS.get(word, word.capitalize()) for word in words]
    if "Japanese" in scripts:
        return "Japanese"
    return max(scripts, key=scripts.count, default="")


def describe_letter(letter: str) -> str:
    """Return a letter with its code point and Unicode name.

    >>> describe_letter("\u041e")
    '`\u041e` is U+041E (Cyrillic capital letter O)'
    """
    words = unicodedata.name(letter, "without a name").lower().capitalize().split(" ")
    if len(words[-1]) == 1:
        words[-1] = words[-1].upper()
    return f"`{letter}` is U+{ord(letter):04X} ({' '.join(words)})"


def explain_lookalike(name: str, other: str) -> str:
    """Return in words how a name differs from a look-alike name; empty for any other name.

    >>> explain_lookalike("\u041eak Giant", "Oak Giant")
    '`\u041e` is U+041E (Cyrillic capital letter O)'
    """
    if fold(name) == fold(other) or lookalike_key(name) != lookalike_key(other):
        return ""
    new_letters = [letter for letter in dict.fromkeys(name) if letter not in other]
    different = [letter for letter in new_letters if ord(letter) in _LATIN_LOOKALIKE]
    if not different and len(name) == len(other):
        pairs = zip(name, other, strict=True)
        different = list(dict.fromkeys(first for first, second in pairs if fold(first) != fold(second)))
    return " and ".join(map(describe_letter, different or new_letters))


# -- did you mean …?


class NearNames:
    """The names of a pool, searchable for those that resemble a mistyped name.

    The names are folded at the first search, and `rapidfuzz` is imported then. A search of 32,000 names takes
    under 5 ms.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names
        self._by_key: dict[FoldedName, str] = {}
        self._by_length: dict[int, list[FoldedName]] = {}

    def near(self, name: str, *, limit: int = 3, at_least: float = 0.7) -> tuple[str, ...]:
        """Return up to `limit` names that resemble `name`, the most similar first.

        Equally similar names are in alphabetical order.

        at_least: the share of letters that must agree, by an edit distance that counts two swapped neighbours
                  as one edit
        """
        from rapidfuzz import process  # start-up: most commands know every name
        from rapidfuzz.distance import OSA

        key = fold(name)
        matches = [
            match
            for length, keys in self._keys_by_length().items()
            if min(length, len(key)) >= at_least * max(length, len(key))  # others cannot be near
            for match in process.extract(
                key, keys, scorer=OSA.normalized_similarity, score_cutoff=at_least, limit=None
            )
        ]
        matches.sort(key=lambda match: (-match[1], match[0]))
        return tuple(self._by_key[FoldedName(near)] for near, _, _ in matches[:limit])

    def _keys_by_length(self) -> dict[int, list[FoldedName]]:
        if not self._by_length:
            self._by_key = {fold(name): name for name in self._names}
            for key in self._by_key:
                self._by_length.setdefault(len(key), []).append(key)
        return self._by_length


_MIN_SIMILARITY = 0.6
"""The minimum share of letters that a mistyped word has in common with a suggested word."""


def nearest(word: str, words: Iterable[str], least: float = _MIN_SIMILARITY) -> str | None:
    """Return the one of a few words that resembles `word` most; None if none does.

    It is meant for commands, attributes and the like. It counts the letters that both words have in the same
    order. In short words this finds more than an edit distance.

    least: how similar the words have to be, from 0 to 1

    >>> [nearest(word, ["faction", "cost"]) for word in ("factoin", "coast", "zone")]
    ['faction', 'cost', None]
    """
    from rapidfuzz import process  # start-up: only for a mistyped word
    from rapidfuzz.distance import Indel

    keys = {choice: fold(choice) for choice in sorted(words)}
    best = process.extractOne(fold(word), keys, scorer=Indel.normalized_similarity, score_cutoff=least)
    return best[2] if best else None


def suggestion(name: str, near: Sequence[str]) -> str:
    """Return the hint `did you mean …?` for the first of `near`; empty if there are none.

    If that name looks the same as `name`, the hint says how the two differ.

    >>> suggestion("Claymor", ["Claymore"]), suggestion("\u041eak", ["Oak"]), suggestion("Kite", [])
    ('did you mean Claymore?', 'it looks like Oak, but `\u041e` is U+041E (Cyrillic capital letter O)', '')
    """
    if not near:
        return ""
    difference = explain_lookalike(name, near[0])
    return f"it looks like {near[0]}, but {difference}" if difference else f"did you mean {near[0]}?"


# -- pairs of names that differ by one typing error

MAX_COMPARISONS = 8
"""How many earlier names a name is compared with. This keeps the time linear."""

_MAX_COMPARED_LENGTH = 150
"""Names with more letters are not compared. No card has a longer name."""

_MIN_WORD = 5
"""The minimum length of a word in which one different letter counts as a typing error.

In shorter words, a different letter makes a different word: Bell, Ball, Hill.
"""

_LETTER_RUNS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")


def similar_pairs(
    names: Iterable[str],
    is_slip: Callable[[str, str], bool] | None = None,
    new: Collection[str] | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield pairs of names that differ by one typing error, the earlier name first.

    A typing error is a wrong, missing, doubled or swapped letter, or a space. Names with different numbers
    (`Paper Card 5`, `Paper Card 6`) or different short words (`Sky A`, `Sky B`) are different names.
    Names of fewer than five letters are not compared. In a list with very many similar names, each is
    compared with `MAX_COMPARISONS` of the others.

    is_slip: a function that returns whether two similar names differ by one error; by default
             `one_slip_apart`
    new:     yield only pairs whose later name is one of these
    """
    is_slip = is_slip or one_slip_apart
    names_by_key: dict[int, list[str]] = {}
    for name in dict.fromkeys(names):
        keys = _slip_keys(name)
        if new is None or name in new:
            candidates = dict.fromkeys(other for key in keys for other in names_by_key.get(key, ()))
            yield from (
                (other, name) for other in islice(candidates, MAX_COMPARISONS) if is_slip(other, name)
            )
        for key in keys:
            names_with_key = names_by_key.setdefault(key, [])
            if len(names_with_key) < MAX_COMPARISONS:
                names_with_key.append(name)


@lru_cache(maxsize=2_048)  # many players' lists have the same cards
def _slip_keys(name: str) -> tuple[int, ...]:
    """Return hashes of a name, to find names that differ from it by one typing error.

    One hash is of all letters. For each letter, there is also a hash of the other letters. Each hash also
    covers all numbers in the name. Two names that differ by one typing error in their letters have at least
    one hash in common. A name with too few or too many letters has no hashes.
    """
    key = fold(name)
    letters, numbers = "".join(_LETTER_RUNS.findall(key)), tuple(_DIGITS.findall(key))
    if not _MIN_WORD <= len(letters) <= _MAX_COMPARED_LENGTH:
        return ()
    shorter_texts = (letters[:index] + letters[index + 1 :] for index in range(len(letters)))
    return tuple(dict.fromkeys(hash((variant, numbers)) for variant in (letters, *shorter_texts)))


def numbers_differ(name: str, other: str) -> bool:
    """Return whether two names contain different numbers, which makes them different names.

    >>> numbers_differ("Paper Card 5", "Paper Card 6"), numbers_differ("Claymor", "Claymore")
    (True, False)
    """
    return _DIGITS.findall(fold(name)) != _DIGITS.findall(fold(other))


def one_slip_apart(name: str, other: str) -> bool:
    """Return whether two names differ by one typing error.

    >>> one_slip_apart("Siege Hammer", "Seige Hammer"), one_slip_apart("Siege Hammer", "SiegeHammer")
    (True, True)
    >>> one_slip_apart("Sky A", "Sky B"), one_slip_apart("Bell", "Ball"), one_slip_apart("Card 5", "Card 6")
    (False, False, False)
    """
    key, other_key = fold(name), fold(other)
    if key == other_key or numbers_differ(name, other):
        return False
    words, other_words = _LETTER_RUNS.findall(key), _LETTER_RUNS.findall(other_key)
    if len(words) != len(other_words):
        return "".join(words) == "".join(other_words)
    different = [pair for pair in zip(words, other_words, strict=True) if pair[0] != pair[1]]
    return not different or (len(different) == 1 and _is_slip_in_word(*different[0]))


def _is_slip_in_word(word: str, other: str) -> bool:
    if len(word) == len(other) and sum(map(str.__ne__, word, other)) == 1:
        return len(word) >= _MIN_WORD
    return min(len(word), len(other)) >= _MIN_WORD - 1 and one_letter_apart(word, other)


def one_letter_apart(word: str, other: str) -> bool:
    """Return whether two words differ by one letter, or by two swapped neighbouring letters.

    >>> one_letter_apart("oake", "oak"), one_letter_apart("reed", "rede"), one_letter_apart("reed", "rider")
    (True, True, False)
    """
    start = 0
    while start < min(len(word), len(other)) and word[start] == other[start]:
        start += 1
    rest, other_rest = word[start:], other[start:]
    is_swapped = rest[:2] == other_rest[:2][::-1] and rest[2:] == other_rest[2:]
    return is_swapped or rest[1:] == other_rest[1:] or rest[1:] == other_rest or rest == other_rest[1:]
