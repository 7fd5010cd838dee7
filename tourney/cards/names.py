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
