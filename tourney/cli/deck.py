"""`tourney deck`: decklists, each command in its own module."""

from __future__ import annotations

from tourney.cli.command import noun

cli = noun(
    "deck",
    lazy={
        "check": "tourney.cli.deck_check:check",
        "show": "tourney.cli.deck_show:show",
        "convert": "tourney.cli.deck_convert:convert",
        "diff": "tourney.cli.deck_diff:diff",
        "hash": "tourney.cli.deck_hash:hash_",
        "history": "tourney.cli.deck_history:history",
    },
)
