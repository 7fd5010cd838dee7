"""Reads decklists: turns bytes or text into a `Decklist`. It opens no files.

A form is a way to write lists, such as plain text, CSV or XML. Each form has a module whose name ends in
`_form`; its `FORM` recognizes and reads the texts of that form. `forms` finds these modules by their names,
so a new form is not registered anywhere else. Plain text is tried last and accepts any text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tourney.decks.decklist import Decklist, Note
from tourney.decks.reading.text import ListForm, ListText, load_text
from tourney.decks.reading.vocabulary import GENERAL, Vocabulary, vocabulary_of
from tourney.errors import Finding, Severity

if TYPE_CHECKING:
    from tourney.rules.format import Format

__all__ = ["forms", "read", "read_all"]


@cache
def forms() -> tuple[ListForm, ...]:
    """Return the file forms that can be read (XML, plain text …), in the order of trying them."""
    names = (module.name for module in iter_modules(__path__) if module.name.endswith("_form"))
    loaded_forms: Iterator[ListForm] = (import_module(f"{__name__}.{name}").FORM for name in names)
    return tuple(sorted(loaded_forms, key=lambda form: form.order))


def read(
    data: str | bytes, *, source: str, format_: Format | None = None, vocabulary: Vocabulary | None = None
) -> Decklist:
    """Read a decklist in any form. An error on a line becomes a finding.

    If there are several decks, returns only the first, with an error finding about the others. `read_all`
    returns all of them. Raises TourneyError for data that cannot be a decklist (pictures, a draft log, broken
    JSON).

    source: the file's name for messages
    format_: the format whose zones, headers and titles are recognized
    vocabulary: the words to recognize instead of the format's. Without both, the general words are recognized
    """
    first, *others = read_all(data, source=source, format_=format_, vocabulary=vocabulary)
    if not others:
        return first
    places = "; ".join(map(_place, (first, *others)))
    number = len(others) + 1
    message = f"there are {number} decks in this file ({places}); only the first was read"
    lines = tuple(deck.lines[0].number for deck in others if deck.lines)[:1]
    hint = "give one deck in each file"
    several_decks = Finding(
        "decks", Severity.ERROR, message, lines=lines, have=str(number), allowed="1", hint=hint
    )
    return replace(first, findings=(*first.findings, several_decks))


def _place(deck: Decklist) -> str:
    line = f"line {deck.lines[0].number}" if deck.lines else "without cards"
    return f"`{deck.name}`, {line}" if deck.name else line


def read_all(
    data: str | bytes, *, source: str, format_: Format | None = None, vocabulary: Vocabulary | None = None
) -> tuple[Decklist, ...]:
    """Read all decks in order. An empty file gives one empty deck with a finding."""
    words = vocabulary or (vocabulary_of(format_) if format_ else GENERAL)
    text, encoding = load_text(data, source=source, vocabulary=words)
    decks = next(filter(None, (_read_as(form, text) for form in forms())))
    if encoding is not None:
        note = Note(line=1, message=encoding)
        decks = [replace(deck, notes=(note, *deck.notes)) for deck in decks]
    return tuple(decks)


def _read_as(form: ListForm, text: ListText) -> list[Decklist]:
    """Return the decks of a text that has the form `form`; an empty list if it has another form."""
    decks = form.read(text)
    if decks and form.searches_all and not any(deck.lines or deck.aside for deck in decks):
        decks[0] = _report_no_cards(decks[0])
    return decks


def _report_no_cards(deck: Decklist) -> Decklist:
    """Add a finding that no card was found in the file, unless another finding says why."""
    others = [finding for finding in deck.findings if finding.rule != "empty"]
    if any(finding.severity is Severity.ERROR for finding in others):
        return deck
    no_cards = Finding(
        "unread",
        Severity.ERROR,
        f"no card was found; the file was read as `{deck.grammar}`",
        hint="export the deck as text, one card a line: `4 Name`",
    )
    return replace(deck, findings=(*others, no_cards))
