"""Reading decklists: bytes or text in, a `Decklist` out. No file is opened here."""

from __future__ import annotations

from tourney.decks.decklist import Decklist
from tourney.decks.vocabulary import GENERAL, Vocabulary

__all__ = ["read", "read_all"]


def read(data: str | bytes, *, source: str, vocabulary: Vocabulary = GENERAL) -> Decklist:
    """Read the decklist that `data` holds, whatever its grammar; `source` names the file in messages.

    A file of several decks gives the first, with an error finding that names the others (`read_all` gives all).
    Everything wrong with a line is a finding. Raises TourneyError for what cannot be a decklist at all (pictures,
    a draft log, XML with entities, broken JSON).
    """
    raise NotImplementedError


def read_all(data: str | bytes, *, source: str, vocabulary: Vocabulary = GENERAL) -> tuple[Decklist, ...]:
    """Read each deck that `data` holds, in order; at least one (an empty file is one empty deck with a finding)."""
    raise NotImplementedError
