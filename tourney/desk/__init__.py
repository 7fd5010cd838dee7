"""The desk: an event opened for work, for the command line, for scripts and for the server.

    workplace = Workplace("Mira", clock, token_bytes, Library.open)
    with Desk.open(path, workplace) as desk:
        receipt = desk.report(4, "2-1")
        print(receipt.text)

The README lists the modules. Modules that need the rules of decks or the pages are imported when one of their names is first
used, so that entering a result does not load them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tourney.desk.desk import Desk, PenaltyReceipt
from tourney.desk.open_event import Workplace
from tourney.desk.receipts import Receipt

if TYPE_CHECKING:  # the names of `_NAMES`, for type checkers
    # isort: off
    from tourney.desk.erasing import erase as erase
    from tourney.desk.files import (
        backup as backup,
        backups as backups,
        export as export,
        remember_files as remember_files,
    )
    from tourney.desk.histories import compare as compare, kept_from as kept_from
    from tourney.desk.own_seat import OwnSeat as OwnSeat
    from tourney.desk.player_list import UnclearError as UnclearError, read_list as read_list
    from tourney.desk.posting import post as post
    from tourney.desk.proof_documents import proof_of as proof_of
    from tourney.desk.proofs import judge as judge, why as why, why_not as why_not
    from tourney.desk.publishing import (
        print_sheets as print_sheets,
        publish as publish,
        with_new_seats as with_new_seats,
        with_pages as with_pages,
        with_pages_and_posts as with_pages_and_posts,
    )
    from tourney.desk.receipts import next_steps as next_steps, status_text as status_text
    from tourney.desk.registration import (
        compare_audit as compare_audit,
        compare_deck as compare_deck,
        contradictions as contradictions,
        disputed as disputed,
        import_players as import_players,
        register_list as register_list,
        submit_deck as submit_deck,
    )
    from tourney.desk.shared_decks import doubts as doubts, part_named as part_named, share_deck as share_deck
    from tourney.desk.takeover import (
        event_in as event_in,
        export_as as export_as,
        import_event as import_event,
        salvage as salvage,
        take_over as take_over,
    )
    from tourney.desk.verifying import check as check, verify as verify
    from tourney.desk.views import event_view as event_view, round_view as round_view
    # isort: on

__all__ = ["Desk", "PenaltyReceipt", "Receipt", "Workplace"]

_NAMES = {
    "erasing": "erase",
    "files": "backup backups export remember_files",
    "histories": "compare kept_from",
    "own_seat": "OwnSeat",
    "player_list": "UnclearError read_list",
    "posting": "post",
    "proof_documents": "proof_of",
    "proofs": "judge why why_not",
    "publishing": "print_sheets publish with_new_seats with_pages with_pages_and_posts",
    "receipts": "next_steps status_text",
    "registration": "compare_audit compare_deck contradictions disputed import_players register_list submit_deck",
    "shared_decks": "doubts part_named share_deck",
    "takeover": "event_in export_as import_event salvage take_over",
    "verifying": "check verify",
    "views": "event_view round_view",
}
"""The other names of this package, by the module that defines them."""


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import the module of a name."""
        for module, names in _NAMES.items():
            if name in names.split():
                return getattr(import_module(f"tourney.desk.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
