"""Loads words and patterns from data files, and compiles patterns when they are needed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Any, cast

from tourney.cards.names import FoldedName, fold


@cache
def tables(file: str) -> Mapping[str, Any]:
    """Return the content of a TOML file that is beside this module."""
    return tomllib.loads((get_data("tourney.decks.reading", file) or b"").decode())


@cache
def lists(section: str, file: str = "words.toml") -> Mapping[str, tuple[str, ...]]:
    """Return key → list of words, for one section of a data file."""
    return {key: tuple(map(str.strip, words.split(","))) for key, words in tables(file)[section].items()}


def words(section: str, key: str) -> tuple[str, ...]:
    """Return the list of words under a key of a section in `words.toml`."""
    return lists(section)[key]


def folded_words(section: str, key: str) -> frozenset[FoldedName]:
    """Return the words under a key of a section in `words.toml`, folded."""
    return frozenset(map(fold, words(section, key)))


def alternation(section: str, key: str) -> str:
    """Return a pattern that matches any word under a key of a section in `words.toml`."""
    return "(?:" + "|".join(map(re.escape, words(section, key))) + ")"


def squeeze(text: str) -> str:
    """Return the text with single spaces between its words."""
    return " ".join(text.split())


def lazy_pattern(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used.

    Reading a decklist needs few of the patterns, and compiling all of them takes 20 ms.
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))


def insert_fragments(source: str, fragments: Mapping[str, str]) -> re.Pattern[str]:
    """Return the regular expression `source`, with each `<NAME>` replaced by `fragments[NAME]`."""
    for name, inside in fragments.items():
        source = source.replace(f"<{name}>", inside)
    return lazy_pattern(source)


def lines_like(kind: str) -> re.Pattern[str]:
    """Return the pattern that `lines.toml` gives for one kind of line, such as `message`."""
    return _line_pattern(f"(?i){'|'.join(tables('lines.toml')['lines'][kind])}")


def pattern(name: str) -> re.Pattern[str]:
    """Return one pattern from the table `forms` in `lines.toml`."""
    return _line_pattern(tables("lines.toml")["forms"][name])


def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """Return a list of patterns from the table `forms` in `lines.toml`."""
    return tuple(map(_line_pattern, tables("lines.toml")["forms"][name]))


def _line_pattern(source: str) -> re.Pattern[str]:
    kinds_of_words = {
        "SUM": f"(?:{alternation('counts', 'sum')}|{alternation('counts', 'sum-joined')})",
        "CARDS": f"(?:{alternation('cards', 'cards')}|枚|장|张|張)",
    }
    return insert_fragments(source, tables("lines.toml")["fragments"] | kinds_of_words)


class _LazyPattern:
    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(*self._source), name)
        setattr(self, name, method)  # later calls find this attribute and skip `__getattr__`
        return method
