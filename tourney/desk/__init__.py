"""The desk: an event opened for work, for the command line, for scripts and for the server.

    workplace = Workplace("Mira", clock, token_bytes, Library.open)
    with Desk.open(path, workplace) as desk:
        receipt = desk.report(4, "2-1")
        print(receipt.text)

The README lists the modules. Modules that need the rules of decks or the pages are imported when one of their
names is first used, so that entering a result does not load them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tourney.desk.desk import Desk
from tourney.desk.open_event import Workplace
from tourney.desk.receipts import Receipt
from tourney.lazy import lazy_names

if TYPE_CHECKING:  # imported lazily
    from tourney.desk.auditing import compare_deck
    from tourney.desk.erasing import erase
    from tourney.desk.files import backup, backups, export, remember_files
    from tourney.desk.histories import compare, find_history
    from tourney.desk.own_seat import OwnSeat
    from tourney.desk.player_list import UnclearError, read_list
    from tourney.desk.posting import post
    from tourney.desk.proofs import explain_table, judge, price_pairing, proof_of
    from tourney.desk.publishing import print_sheets, publish, with_pages
    from tourney.desk.receipts import next_steps
    from tourney.desk.registration import (
        contradictions_by_player,
        import_players,
        register_list,
        submit_deck,
    )
    from tourney.desk.shared_decks import (
        agreements,
        find_part,
        missing_list_warnings,
        share_deck,
        shared_deck_views,
        shared_text,
    )
    from tourney.desk.takeover import (
        event_in,
        export_as,
        import_event,
        salvage,
        take_over,
    )
    from tourney.desk.verifying import check, verify
    from tourney.desk.views import event_view, round_view

if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__)
