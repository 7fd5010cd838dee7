"""Reads HTML, a page or a part of one: each table row and each list item becomes a line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tourney.decks.decklist import Decklist
from tourney.decks.reading.plain_form import read_plain
from tourney.decks.reading.tables import are_heads
from tourney.decks.reading.text import MAX_LINE, MAX_LINES, ListForm, ListText, tidy
from tourney.decks.reading.words import lazy_pattern

_ROW_TAG = lazy_pattern(r"</(?:tr|li|td|p|div|h[1-6])>|<(?:tr|li|td)\b|<br\s*/?>", re.I)
_BLOCK = lazy_pattern(r"<(?P<end>/?)(?P<tag>tr|td|th|li|p|div|br|ul|ol|table|h[1-6])\b[^<>]*>", re.I)


def read_decks(text: ListText) -> list[Decklist]:
    """Read the table rows and list items of a page, except the headings of columns.

    Returns no decks if the page has no tags for rows or items.
    """
    if "<" not in text.text or not any(
        "<" in line and _ROW_TAG.search(line) for line in text.lines[:MAX_LINES]
    ):
        return []
    return read_plain(
        text, numbered_lines=[row for row in _rows(text.lines) if not are_heads(row[1].split("\t"))]
    )


FORM = ListForm(order=60, read=read_decks)


def _rows(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Split a page into rows at the tags that end a line; return rows with line numbers.

    Tabs separate the cells of a row, even if each cell is on a separate line of the page.
    """
    rows: list[tuple[int, str]] = []
    words, start, in_row = "", 0, False

    def end_row() -> None:
        nonlocal words, start
        if start and (words.strip() or not in_row):
            rows.append((start, tidy(words)))
        words, start = "", 0

    for number, raw in enumerate(lines, start=1):
        line = raw if len(raw) <= MAX_LINE * 10 else ""
        offset = 0
        for match in _BLOCK.finditer(line):
            if (before := line[offset : match.start()]).strip() or words:
                words, start = words + before, start or number
            offset, tag = match.end(), match["tag"].lower()
            if tag in ("td", "th"):
                words += "\t" if match["end"] else ""
            else:
                end_row()
                in_row = tag == "tr" and not match["end"]
        if line[offset:].strip() or (not in_row and offset == 0):
            words, start = words + line[offset:], start or number
        if not in_row:
            end_row()
    end_row()
    return rows if any(text for _, text in rows) else []
