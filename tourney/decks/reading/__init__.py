"""Reading decklists: bytes or text in, a `Decklist` out. No file is opened here."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from tourney.decks.decklist import Decklist, Note
from tourney.decks.reading.encoding import LONGEST_LINE, decode, split_lines, tidy
from tourney.decks.reading.headers import GENERAL, Vocabulary
from tourney.decks.reading.names import CODE
from tourney.decks.reading.plain import MOST_LINES, html_rows, read_plain
from tourney.errors import Finding, Severity, TourneyError

__all__ = ["read", "read_all"]

_STRUCTURED = frozenset({"json", "xml", "cockatrice"})
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*(?:[{\"]|\[\s*[\d\"{\[\]]|\d+\s*[,\]]\s*[\d\[]|\]\s*$))")
_XML = re.compile(
    r"\s*<(?:\?xml|!doctype|!--|(?!(?:li|ul|ol|p|b|i|u|em|strong|span|br|font|table|tbody|thead|tr|td|th|h[1-6]|pre|section|article)[\s/>])[a-z_][\w.-]*[\s/>])",
    re.I,
)


# The signs of the readers that few lists need: none is imported for a text without its sign.
_TOML = re.compile(r"\s*(?:\[\[\s*zone\s*\]\]|schema\s*=\s*[\"']tourney\.decklist/)")
_CODES = re.compile(
    rf"ydke://|[#!]\s*(?:main|extra|side)|AAE[A-Z0-9+/]{{12}}|\A\s*{CODE}[\s,;$|]+{CODE}", re.I
)
_CELLS = re.compile(r"[\t|,;]")


def read(data: str | bytes, *, source: str, vocabulary: Vocabulary = GENERAL) -> Decklist:
    """Read the decklist that `data` holds, whatever its grammar; `source` names the file in messages.

    A file of several decks gives the first, with an error finding that names the others (`read_all` gives all).
    Everything wrong with a line is a finding. Raises TourneyError for what cannot be a decklist at all (pictures,
    a draft log, XML with entities, broken JSON).
    """
    first, *others = read_all(data, source=source, vocabulary=vocabulary)
    if not others:
        return first
    starts = [_place(deck) for deck in (first, *others)]
    several = Finding(
        rule="decks",
        severity=Severity.ERROR,
        message=f"there are {len(starts)} decks in this file ({'; '.join(starts)}); only the first was read",
        lines=tuple(deck.lines[0].number for deck in others if deck.lines)[:1],
        have=str(len(starts)),
        allowed="1",
        hint="give one deck in each file",
    )
    return replace(first, findings=(*first.findings, several))


def _without_cards(deck: Decklist) -> Decklist:
    """Say that a structured file holds nothing that was read as a card, unless a finding tells why."""
    told = [finding for finding in deck.findings if finding.rule != "empty"]
    if any(finding.severity is Severity.ERROR for finding in told):
        return deck
    nothing = Finding(
        rule="unread",
        severity=Severity.ERROR,
        message=f"no card was found in this {deck.grammar.upper() if deck.grammar != 'cockatrice' else 'XML'} file",
        hint="export the deck as text, one card a line: `4 Name`",
    )
    return replace(deck, findings=(*told, nothing))


def _place(deck: Decklist) -> str:
    line = f"line {deck.lines[0].number}" if deck.lines else "without cards"
    return f"`{deck.name}`, {line}" if deck.name else line


def read_all(data: str | bytes, *, source: str, vocabulary: Vocabulary = GENERAL) -> tuple[Decklist, ...]:
    """Read each deck that `data` holds, in order; at least one (an empty file is one empty deck with a finding)."""
    text, encoding = decode(data, source=source)
    decks = _read_text(text, split_lines(text), source, vocabulary)
    if decks[0].grammar in _STRUCTURED and not any(deck.lines or deck.aside for deck in decks):
        decks = [_without_cards(decks[0]), *decks[1:]]
    if encoding is not None:
        note = Note(line=1, message=encoding)
        decks = [replace(deck, notes=(note, *deck.notes)) for deck in decks]
    return tuple(decks)


def _read_text(text: str, lines: Sequence[str], source: str, vocabulary: Vocabulary) -> list[Decklist]:
    """Tell the grammar by how the text begins, and read by it."""
    if _XML.match(text):
        from tourney.decks.reading.markup import read_xml

        return read_xml(text, source=source, vocabulary=vocabulary)
    if any(_TOML.match(line) for line in lines[:2_000]):
        from tourney.decks.reading.canonical import read_toml

        return read_toml(text, source=source, vocabulary=vocabulary)
    if _JSON.match(text):
        from tourney.decks.reading.json_form import read_json

        return read_json(text, source=source, vocabulary=vocabulary)
    if _CODES.search(text):
        from tourney.decks.reading.codes import read_codes

        if decks := read_codes(text, lines, source=source, vocabulary=vocabulary):
            return decks
    return _read_lines(lines, source, vocabulary)


_ROW_TAG = re.compile(r"</(?:tr|li|td|p|div|h[1-6])>|<(?:tr|li|td)\b|<br\s*/?>", re.I)
_YAML_ITEM = re.compile(
    r"\s*-\s+[\"']?(?:name|card|card_?name|title|count|quantity|qty|id|code)[\"']?\s*:\s+\S", re.I
)
_YAML_MORE = re.compile(r"\s{2,}[\"']?\w+[\"']?\s*:\s+\S")


def _refuse_yaml(lines: Sequence[str], *, source: str) -> None:
    """Raise TourneyError, naming the line, if the text is a list of YAML mappings: one card goes over several lines."""
    for number, (line, below) in enumerate(itertools.pairwise(lines[:MOST_LINES]), start=1):
        if _YAML_ITEM.match(line[:LONGEST_LINE]) and _YAML_MORE.match(below[:LONGEST_LINE]):
            raise TourneyError(
                f"{source}: line {number}: a list in YAML begins here, which is not read",
                "export the deck as JSON, or as text, one card a line: `4 Name`",
            )


def _read_lines(lines: Sequence[str], source: str, vocabulary: Vocabulary) -> list[Decklist]:
    """Read a text line by line: a table, or what people paste."""
    _refuse_yaml(lines, source=source)
    html = any("<" in line and _ROW_TAG.search(line) for line in lines[:MOST_LINES])
    if html or _may_have_columns(lines):
        from tourney.decks.reading import tables

        if html:
            rows = [row for row in html_rows(lines) if not tables.heads_columns(row[1].split("\t"))]
            return read_plain(lines, source=source, vocabulary=vocabulary, beside=rows)
        if beside := tables.side_by_side(lines):
            return read_plain(lines, source=source, vocabulary=vocabulary, beside=beside)
        if decks := tables.read_tables(lines, source=source, vocabulary=vocabulary):
            return decks
    _refuse_draft_log(lines, source=source)
    return read_plain(lines, source=source, vocabulary=vocabulary)


def _may_have_columns(lines: Sequence[str]) -> bool:
    """Whether signs that part cells stand in the first lines, or a tab anywhere."""
    first = itertools.islice(filter(str.strip, lines), 20)
    return any(map(_CELLS.search, first)) or any("\t" in line for line in lines)


_EVENT = re.compile(r"event #:\s*\S", re.I)
_PICK = re.compile(r"pack \d+ pick \d+:?$|round \d+ pick \d+:?$|-->\s+\S", re.I)


def _refuse_draft_log(lines: Sequence[str], *, source: str) -> None:
    """Raise TourneyError, naming the line, if the text is a draft's log: it says which cards passed by, not which were registered."""
    if not any("pick " in line.lower() for line in lines[:200]):
        return
    tidied = [tidy(line) for line in lines[:200] if len(line) < 200]
    picks = [line for line in tidied if _PICK.match(line)]
    if len(picks) > 1:
        start = next(n for n, line in enumerate(tidied, 1) if _EVENT.match(line) or _PICK.match(line))
        raise TourneyError(
            f"{source}: line {start}: a draft log begins here, not a decklist",
            "export the deck that was built from the draft",
        )
