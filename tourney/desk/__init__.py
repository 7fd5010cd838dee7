"""The desk: an event opened for work, for the command line, for scripts and for the server.

    workplace = Workplace("Mira", clock, token_bytes, Library.open)
    with Desk.open(path, workplace) as desk:
        receipt = desk.report(4, "2-1")
        print(receipt.text)

The README lists the modules. Those that need the rules of decks or the pages are imported when one of their names is used,
so that a result is entered without loading them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tourney.desk.desk import Desk, PenaltyReceipt
from tourney.desk.open_event import Workplace
from tourney.desk.receipts import Receipt

__all__ = ["Desk", "PenaltyReceipt", "Receipt", "Workplace"]

_NAMES = {
    "erasing": "erase",
    "files": "backup backups export remember_files",
    "histories": "compare kept_from",
    "own_seat": "OwnSeat",
    "player_list": "UnclearError read_list",
    "posting": "post",
    "proofs": "judge proof_of why why_not",
    "publishing": "print_sheets publish with_new_seats with_pages with_pages_and_posts",
    "receipts": "next_steps status_text",
    "registration": "compare_audit compare_deck contradictions disputed import_players register_list submit_deck",
    "shared_decks": "doubts part_named share_deck",
    "takeover": "event_in export_as import_event salvage take_over",
    "verifying": "check verify",
    "views": "event_view round_view",
}
"""More names of this package, by the module that has them."""


def __getattr__(name: str) -> Any:
    """Import the module of a name."""
    for module, names in _NAMES.items():
        if name in names.split():
            return getattr(import_module(f"tourney.desk.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
