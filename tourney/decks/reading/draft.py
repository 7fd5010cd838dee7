"""Draft logs are refused: they say which cards passed by, not which were registered."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tourney.decks.reading.text import tidy
from tourney.errors import TourneyError

_EVENT = re.compile(r"event #:\s*\S", re.I)
_PICK = re.compile(r"pack \d+ pick \d+:?$|round \d+ pick \d+:?$|-->\s+\S", re.I)


def refuse_draft_log(lines: Sequence[str], *, source: str) -> None:
    """Raise TourneyError, naming the line, if the text is the log of a draft."""
    if not any("pick " in line.lower() for line in lines[:200]):
        return
    tidied = [tidy(line) for line in lines[:200] if len(line) < 200]
    picks = sum(1 for line in tidied if _PICK.match(line))
    start = next(
        (number for number, line in enumerate(tidied, start=1) if _EVENT.match(line) or _PICK.match(line)),
        None,
    )
    if start is not None and picks >= 2:
        raise TourneyError(
            f"{source}: line {start}: a draft log begins here, not a decklist",
            "export the deck that was built from the draft",
        )
