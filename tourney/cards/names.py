"""Names as people type them, folded to one key for comparison.

A folded name is another type than a name, so that the type checker finds where somebody forgot to fold. Folding
forgives what a keyboard, a browser or a mail program does to a name (case, accents, quotes, width, spaces, dashes,
invisible characters and the spaces round a slash) and nothing else: a wrong letter stays a wrong letter and is the
business of `tourney.cards.near_names`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NewType

FoldedName = NewType("FoldedName", str)

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
_SLASHES = re.compile(r"\s*/+\s*")

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
        key = _SLASHES.sub(" // ", key)
    return FoldedName(" ".join(key.split()))


def _fold_letters(name: str) -> str:
    quotes_first = name.translate(_AS_TYPED)  # ´ and ‘ would otherwise fall apart into a space and an accent
    apart = unicodedata.normalize("NFKD", quotes_first.casefold())
    kept = "".join(letter for letter in apart if letter in _VOICING or not _invisible(letter))
    return unicodedata.normalize("NFC", kept).casefold().translate(_AS_TYPED)


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
    called = [_SCRIPTS.get(word, word.capitalize()) for word in words]
    return "Japanese" if "Japanese" in called else max(called, key=called.count)


def told(letter: str) -> str:
    """Name a letter so that it can be told from one that looks the same.

    >>> told("\u041e")
    '`\u041e` is U+041E (Cyrillic capital letter O)'
    """
    called = unicodedata.name(letter, "without a name")
    words = called.lower().capitalize().split(" ")
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
        map(told, foreign or [letter for letter in dict.fromkeys(name) if letter not in other])
    )
