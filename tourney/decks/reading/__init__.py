"""Reads decklists: turns bytes or text into a `Decklist`. It opens no files.

`GRAMMARS` has a row for each form of lists, in the order in which they are tried. The module of a form is
imported for the first list with its sign. All other lists are plain text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from tourney.decks.decklist import Decklist, Note
from tourney.decks.reading.names import CODE
from tourney.decks.reading.plain import read_plain
from tourney.decks.reading.text import MAX_LINES, ListText, load_text
from tourney.decks.reading.vocabulary import GENERAL, Vocabulary, vocabulary_of
from tourney.errors import Finding, Severity

if TYPE_CHECKING:
    from tourney.rules.format import Format

__all__ = ["GRAMMARS", "Grammar", "read", "read_all"]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A form of decklists.

    name:     the name of the form in messages
    sign:     returns whether a text may have this form; quick, and true for every text that has it
    module:   the module of this package with the reader. Its `read_decks` returns no decks for a text of
              another form, and raises TourneyError for a text that must be refused
    searched: whether the reader searches a structure of any shape for cards, so that it is an error to find
              none
    """

    name: str
    sign: Callable[[ListText], object]
    module: str
    searched: bool = False

    def read(self, text: ListText) -> list[Decklist]:
        """Return the decks of a text; an empty list if the text has another form."""
        if not self.sign(text):
            return []
        decks: list[Decklist] = import_module(f"{__name__}.{self.module}").read_decks(text)
        if self.searched and not any(deck.lines or deck.aside for deck in decks):
            decks[0] = _without_cards(decks[0], self.name)
        return decks


def read(
    data: str | bytes, *, source: str, format_: Format | None = None, vocabulary: Vocabulary | None = None
) -> Decklist:
    """Read a decklist in any form. An error on a line becomes a finding.

    If there are several decks, returns the first with an error finding about the others (`read_all` returns
    all). Raises TourneyError for data that cannot be a decklist (pictures, a draft log, broken JSON).

    source: the file's name for messages
    format_: the format whose zones, headers and titles are recognized
    vocabulary: the words to recognize instead; if both are missing, the general words are used
    """
    first, *others = read_all(data, source=source, format_=format_, vocabulary=vocabulary)
    if not others:
        return first
    places = "; ".join(map(_place, (first, *others)))
    number = len(others) + 1
    several = Finding(
        rule="decks",
        severity=Severity.ERROR,
        message=f"there are {number} decks in this file ({places}); only the first was read",
        lines=tuple(deck.lines[0].number for deck in others if deck.lines)[:1],
        have=str(number),
        allowed="1",
        hint="give one deck in each file",
    )
    return replace(first, findings=(*first.findings, several))


def _place(deck: Decklist) -> str:
    line = f"line {deck.lines[0].number}" if deck.lines else "without cards"
    return f"`{deck.name}`, {line}" if deck.name else line


def read_all(
    data: str | bytes, *, source: str, format_: Format | None = None, vocabulary: Vocabulary | None = None
) -> tuple[Decklist, ...]:
    """Read all decks in order, at least one. An empty file gives an empty deck with a finding."""
    words = vocabulary or (vocabulary_of(format_) if format_ else GENERAL)
    text, encoding = load_text(data, source=source, vocabulary=words)
    decks = next(filter(None, (grammar.read(text) for grammar in GRAMMARS)), None) or read_plain(text)
    if encoding is not None:
        note = Note(line=1, message=encoding)
        decks = [replace(deck, notes=(note, *deck.notes)) for deck in decks]
    return tuple(decks)


def _without_cards(deck: Decklist, grammar: str) -> Decklist:
    """Add a finding that no card was found in the file, unless another finding says why."""
    others = [finding for finding in deck.findings if finding.rule != "empty"]
    if any(finding.severity is Severity.ERROR for finding in others):
        return deck
    nothing = Finding(
        rule="unread",
        severity=Severity.ERROR,
        message=f"no card was found in this {grammar} file",
        hint="export the deck as text, one card a line: `4 Name`",
    )
    return replace(deck, findings=(*others, nothing))


# -- the forms and their signs


_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*(?:[{\"]|\[\s*[\d\"{\[\]]|\d+\s*[,\]]\s*[\d\[]|\]\s*$))")
_PAGE_TAGS = (
    r"(?:li|ul|ol|p|b|i|u|em|strong|span|br|font|table|tbody|thead|tr|td|th|h[1-6]|pre|section|article)"
)
_XML = re.compile(
    r"\s*(?!<[^<>\n]*>\s*\d{1,3}\s?x?\s+[^<\n]+(?:\n|$))"
    rf"<(?:\?xml|!doctype|!--|(?!{_PAGE_TAGS}[\s/>])[a-z_][\w.-]*[\s/>])",
    re.I,
)
_TOML = re.compile(r"\s*(?:\[\[\s*zone\s*\]\]|schema\s*=\s*[\"']tourney\.decklist/)")
_YDK = re.compile(r"[#!]\s*(?:main|extra|side)", re.I)
_CODE_ROW = re.compile(rf"\s*{CODE}[\s,;$|]+{CODE}")
_ROW_TAG = re.compile(r"</(?:tr|li|td|p|div|h[1-6])>|<(?:tr|li|td)\b|<br\s*/?>", re.I)
_CELLS = re.compile(r"[\t|,;]")
_WIDE_SPACE = re.compile(r"\S[^\S\n]{2,}\S|^[^\S\n]{2,}\S", re.M)


def _has_toml(text: ListText) -> bool:
    return ("[[" in text.text or "schema" in text.text) and any(map(_TOML.match, text.lines[:2_000]))


def _has_codes(text: ListText) -> bool:
    has_link = "ydke://" in text.text.lower() or "AAE" in text.text
    return has_link or bool(_YDK.search(text.text) or _CODE_ROW.match(text.text))


def _could_be_refused(text: ListText) -> bool:
    return ("-" in text.text and ":" in text.text) or "pick " in text.text.lower()


def _has_row_tags(text: ListText) -> bool:
    return "<" in text.text and any("<" in line and _ROW_TAG.search(line) for line in text.lines[:MAX_LINES])


def _has_columns(text: ListText) -> bool:
    """Return whether the first lines have signs between cells, or some line has a wide space."""
    first = itertools.islice(filter(str.strip, text.lines), 20)
    return "\t" in text.text or any(map(_CELLS.search, first)) or _WIDE_SPACE.search(text.text) is not None


GRAMMARS = (
    Grammar("XML", lambda text: _XML.match(text.text), "xml_form", searched=True),
    Grammar("TOML", _has_toml, "canonical"),
    Grammar("JSON", lambda text: _JSON.match(text.text), "json_form", searched=True),
    Grammar("codes", _has_codes, "codes"),
    Grammar("YAML or draft log", _could_be_refused, "refused"),
    Grammar("HTML", _has_row_tags, "html_form"),
    Grammar("columns", _has_columns, "columns"),
)
"""The forms of lists besides plain text, in the order in which they are tried."""
