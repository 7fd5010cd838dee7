"""A list in YAML, which is refused: one card has several lines."""

from __future__ import annotations

import itertools
import re

from tourney.decks.decklist import Decklist
from tourney.decks.reading.text import MAX_LINE, MAX_LINES, ListText
from tourney.errors import TourneyError

_ITEM = re.compile(
    r"\s*-\s+[\"']?(?:name|card|card_?name|title|count|quantity|qty|id|code)[\"']?\s*:\s+\S", re.I
)
_MORE = re.compile(r"\s{2,}[\"']?\w+[\"']?\s*:\s+\S")


def read_decks(text: ListText) -> list[Decklist]:
    """Raise TourneyError with the line on which YAML begins; return no decks otherwise."""
    for number, (line, below) in enumerate(itertools.pairwise(text.lines[:MAX_LINES]), start=1):
        if _ITEM.match(line[:MAX_LINE]) and _MORE.match(below[:MAX_LINE]):
            raise TourneyError(
                f"{text.source}: line {number}: a list in YAML begins here, which cannot be read",
                "export the deck as JSON, or as text, one card a line: `4 Name`",
            )
    return []
