"""The log of a draft, which is refused: it lists the cards that were seen, not the deck."""

from __future__ import annotations

import re

from tourney.decks.decklist import Decklist
from tourney.decks.reading.text import ListText, tidy
from tourney.errors import TourneyError

_EVENT = re.compile(r"event #:\s*\S", re.I)
_PICK = re.compile(r"pack \d+ pick \d+:?$|round \d+ pick \d+:?$|-->\s+\S", re.I)


def read_decks(text: ListText) -> list[Decklist]:
    """Raise TourneyError with the line on which a log begins; return no decks otherwise."""
    lines = [tidy(line) for line in text.lines[:200] if len(line) < 200]
    if sum(1 for line in lines if _PICK.match(line)) > 1:
        start = next(n for n, line in enumerate(lines, 1) if _EVENT.match(line) or _PICK.match(line))
        raise TourneyError(
            f"{text.source}: line {start}: a draft log begins here, not a decklist",
            "export the deck that was built from the draft",
        )
    return []
