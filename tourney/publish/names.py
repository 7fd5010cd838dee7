"""People's names: how they are put in order, by last name, and by which words one is found."""

from __future__ import annotations

import re

from tourney.cards.names import fold


def last_name(name: str) -> tuple[str, str]:
    """Part a name into the last name and the rest, at the last space, with the small words before it.

    A comma parts it where its owner put one; a name of one word, and one in Chinese or Korean letters, stays whole.

    >>> last_name("Mira Oake"), last_name("Vincent van der Berg"), last_name("Oake, Mira"), last_name("Jo Reed II")
    (('Oake', 'Mira'), ('van der Berg', 'Vincent'), ('Oake', 'Mira'), ('Reed II', 'Jo'))
    """
    if "," in name:
        last, _, first = name.partition(",")
        return (last.strip(), first.strip()) if last.strip() else (name, "")
    words = name.split()
    if len(words) < 2 or _FAMILY_FIRST.search(name):
        return name, ""
    begin = len(words) - 1
    while begin > 1 and _NO_NAME.fullmatch(words[begin]):
        begin -= 1
    while begin > 1 and words[begin - 1].islower():
        begin -= 1
    return " ".join(words[begin:]), " ".join(words[:begin])


_NO_NAME = re.compile(r"\d+|[IVX]+|[JS]r\.?")
_FAMILY_FIRST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def search_key(name: str) -> str:
    """Return the words by which a name is found, folded as the command line folds, each once.

    >>> search_key("Åsa Östergård"), search_key("Shane O’Neill"), search_key("Anna-Lena Weiß")
    ('asa ostergard', 'shane oneill o neill', 'anna lena weiss annalena')
    """
    folded = fold(name)
    whole = [_WORDS.sub("", word) for word in folded.split()]
    parts = _WORDS.split(folded)
    near = _WORDS.split(folded.translate(_INSIDE))
    return " ".join(dict.fromkeys(word for word in (*near, *parts, *whole) if word))


_WORDS = re.compile(r"[\W_]+")
_INSIDE = str.maketrans("", "", "'\".")


SPELLED_OUT = {letter: fold(letter) for letter in "ßæœøłđðþħıŧ"}
"""Letters that folding spells out though Unicode does not take them apart; the script that searches is told them."""
