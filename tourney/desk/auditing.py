"""Compare a deck at the table with the player's registered list, and record the deck check.

It is a separate module because the code that compares decks takes long to load.
"""

from __future__ import annotations

import tourney.decks as decklists
from tourney.decks import Changed
from tourney.desk.desk import Desk
from tourney.desk.documents import ReceiptDocument
from tourney.desk.open_event import OpenEvent
from tourney.desk.receipts import Receipt
from tourney.desk.registration import ruleset_of
from tourney.event import decks
from tourney.record import PlayerId


class AuditReceipt(Receipt, frozen=True, kw_only=True):
    """The result of recording a deck check.

    changed_cards: how the deck at the table differs from the registered list
    """

    changed_cards: tuple[Changed, ...] = ()


class AuditAnswer(ReceiptDocument, frozen=True, tag="tourney.audit-receipt/1"):
    """What `tourney audit record PLAYER FILE --json` prints; FILE lists the deck at the table.

    changed_cards: how the deck differs from the registered list
    """

    changed_cards: tuple[Changed, ...]


def compare_deck(
    event: OpenEvent, who: str | PlayerId, data: str | bytes, *, source: str
) -> tuple[Changed, ...]:
    """Return how a list differs from a player's registered list.

    The result is empty if both are the same deck.
    """
    text, ruleset = event.deck_text(who), ruleset_of(event)
    registered_list = decklists.read(text, source="the registered list", format_=ruleset.format)
    return decklists.difference(
        registered_list, decklists.read(data, source=source, format_=ruleset.format), ruleset
    )


def compare_audit(
    desk: Desk, who: str | PlayerId, data: str | bytes, *, source: str, remark: str | None = None
) -> AuditReceipt:
    """Compare the deck at the table with the registered list, and record the deck check.

    The check is recorded as clean if both are the same deck.

    data:   a list of the deck at the table
    remark: a note to record with the check, whether it is clean or not
    """
    differences = compare_deck(desk, who, data, source=source)
    note = "; ".join(filter(None, (decks.difference_words(differences), remark)))
    receipt = desk.record_audit(who, clean=not differences, problems=note or None)
    return AuditReceipt.of(receipt, changed_cards=differences)
