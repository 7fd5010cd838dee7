"""Refuses lists in YAML and logs of drafts."""

from __future__ import annotations

import itertools
import re

from tourney.decks.decklist import Decklist
from tourney.decks.reading.text import MAX_LINE, MAX_LINES, ListForm, ListText, tidy
from tourney.decks.reading.words import lazy_pattern, pattern
from tourney.errors import TourneyError


def read_decks(text: ListText) -> list[Decklist]:
    """Refuse a list in YAML or a log of a draft. Return an empty list for any other text.

    Raises a TourneyError that names the line where the YAML or the log begins.
    """
    has_keys = "-" in text.text and ":" in text.text
    if has_keys:
        _refuse_yaml(text)
    if has_keys or "pick " in text.text.lower():
        _refuse_draft_log(text)
    return []


FORM = ListForm(order=50, read=read_decks)


_YAML_ITEM = pattern("yaml-item")
_YAML_KEY = lazy_pattern(r"\s{2,}[\"']?\w+[\"']?\s*:\s+\S")


def _refuse_yaml(text: ListText) -> None:
    for number, (line, below) in enumerate(itertools.pairwise(text.lines[:MAX_LINES]), start=1):
        if _YAML_ITEM.match(line[:MAX_LINE]) and _YAML_KEY.match(below[:MAX_LINE]):
            raise TourneyError(
                f"{text.source}: line {number}: a list in YAML begins here, which cannot be read",
                "export the deck as JSON, or as text, one card a line: `4 Name`",
            )


_EVENT = lazy_pattern(r"event #:\s*\S", re.I)
_PICK = lazy_pattern(r"pack \d+ pick \d+:?$|round \d+ pick \d+:?$|-->\s+\S", re.I)


def _refuse_draft_log(text: ListText) -> None:
    """Refuse a draft log: it lists the cards that a player saw, not the deck."""
    lines = [tidy(line) for line in text.lines[:200] if len(line) < 200]
    if sum(1 for line in lines if _PICK.match(line)) > 1:
        start = next(
            number for number, line in enumerate(lines, 1) if _EVENT.match(line) or _PICK.match(line)
        )
        raise TourneyError(
            f"{text.source}: line {start}: a draft log begins here, not a decklist",
            "export the deck that was built from the draft",
        )
