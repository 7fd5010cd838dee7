"""JSON document of a deck check with a list.

It is a separate module because the code that compares decks takes long to load.
"""

from __future__ import annotations

from tourney.decks.history import Changed
from tourney.desk.documents import ReceiptDocument


class AuditAnswer(ReceiptDocument, frozen=True, tag="tourney.audit-receipt/1"):
    """What `tourney audit record PLAYER FILE --json` prints if FILE lists the deck at the table.

    changed_cards: how the deck differs from the registered list
    """

    changed_cards: tuple[Changed, ...]
