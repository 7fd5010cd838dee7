"""JSON document of the answer to a deck check with a list. It is a module by itself as comparing decks loads slowly."""

from __future__ import annotations

from tourney.decks.history import Changed
from tourney.desk.documents import ReceiptDocument


class AuditAnswer(ReceiptDocument, frozen=True, tag="tourney.audit-receipt/1"):
    """What `tourney audit record PLAYER FILE --json` prints if a list of what was found is given.

    changed_cards: how the deck differs from the registered list
    """

    changed_cards: tuple[Changed, ...]
