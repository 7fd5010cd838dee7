"""The desk: an event opened for work, for the command line, for scripts and for the server.

    workplace = Workplace("Mira", clock, token_bytes, Library.open)
    with Desk.open(path, workplace) as desk:
        receipt = desk.report(4, "2-1")
        print(receipt.text)

The README lists the modules. They are imported when one of their names is first used, so that a result is entered without
the rules of decks and the pages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.desk.checking import DeckReceipt, judge_deck, pool_lines
    from tourney.desk.desk import Desk, PenaltyReceipt
    from tourney.desk.erasing import erase, erasure, person
    from tourney.desk.evidence import Since, repairable, since
    from tourney.desk.files import backup, backups, export, remember_files, salvage, with_copy
    from tourney.desk.histories import compare, kept_from
    from tourney.desk.open_event import LogLine, OpenEvent, Workplace
    from tourney.desk.own_seat import OwnSeat
    from tourney.desk.player_list import UnclearError, read_list
    from tourney.desk.posting import Post, post, with_posts
    from tourney.desk.proofs import RoundAnswer, judge, options_data, player_data, proof_of, why, why_not
    from tourney.desk.publishing import (
        Published,
        print_sheets,
        public_folder,
        publish,
        with_new_seats,
        with_pages,
        with_pages_and_posts,
    )
    from tourney.desk.receipts import Receipt, next_steps, status_text, unplayed
    from tourney.desk.registration import (
        AuditReceipt,
        ImportedDeck,
        ImportReceipt,
        compare_audit,
        compare_deck,
        contradictions,
        declared,
        disputed,
        import_players,
        kinds_of_tags,
        register_list,
        submit_deck,
    )
    from tourney.desk.shared_decks import agreements, doubts, part_named, sharable, share_deck, text_of
    from tourney.desk.takeover import Takeover, event_in, export_as, import_event, take_over
    from tourney.desk.verifying import Verification, check, examine_unread, verify

__all__ = [
    "AuditReceipt", "DeckReceipt", "Desk", "ImportReceipt", "ImportedDeck", "LogLine", "OpenEvent",
    "OwnSeat", "PenaltyReceipt", "Post", "Published", "Receipt", "RoundAnswer", "Since", "Takeover",
    "UnclearError", "Verification", "Workplace", "agreements", "backup", "backups", "check", "compare",
    "compare_audit", "compare_deck", "contradictions", "declared", "disputed", "doubts", "erase",
    "erasure", "event_in", "examine_unread", "export", "export_as", "import_event", "import_players",
    "judge", "judge_deck", "kept_from", "kinds_of_tags", "next_steps", "options_data", "part_named",
    "person", "player_data", "pool_lines", "post", "print_sheets", "proof_of", "public_folder", "publish",
    "read_list", "register_list", "remember_files", "repairable", "salvage", "sharable", "share_deck",
    "since", "status_text", "submit_deck", "take_over", "text_of", "unplayed", "verify", "why", "why_not",
    "with_copy", "with_new_seats", "with_pages", "with_pages_and_posts", "with_posts",
]  # fmt: skip

_HOMES = {
    "checking": {"DeckReceipt", "judge_deck", "pool_lines"},
    "desk": {"Desk", "PenaltyReceipt"},
    "erasing": {"erase", "erasure", "person"},
    "evidence": {"Since", "repairable", "since"},
    "files": {"backup", "backups", "export", "remember_files", "salvage", "with_copy"},
    "histories": {"compare", "kept_from"},
    "open_event": {"LogLine", "OpenEvent", "Workplace"},
    "own_seat": {"OwnSeat"},
    "player_list": {"UnclearError", "read_list"},
    "posting": {"Post", "post", "with_posts"},
    "proofs": {"RoundAnswer", "judge", "options_data", "player_data", "proof_of", "why", "why_not"},
    "publishing": {
        "Published", "print_sheets", "public_folder", "publish", "with_new_seats", "with_pages",
        "with_pages_and_posts",
    },
    "receipts": {"Receipt", "next_steps", "status_text", "unplayed"},
    "registration": {
        "AuditReceipt", "ImportReceipt", "ImportedDeck", "compare_audit", "compare_deck",
        "contradictions", "declared", "disputed", "import_players", "kinds_of_tags", "register_list",
        "submit_deck",
    },
    "shared_decks": {"agreements", "doubts", "part_named", "sharable", "share_deck", "text_of"},
    "takeover": {"Takeover", "event_in", "export_as", "import_event", "take_over"},
    "verifying": {"Verification", "check", "examine_unread", "verify"},
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Import the module of a name when the name is first used."""
    for module, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f"tourney.desk.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
