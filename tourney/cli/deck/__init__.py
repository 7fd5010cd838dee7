"""`tourney deck`: decklists, with or without an event.

`reading` reads files as decklists, shows and converts them. `checking` checks whether they are legal, and
prints verdicts. `comparing` compares two lists, and shows when a list was legal.
"""

from tourney.cli.command import noun

cli = noun(
    "deck",
    lazy={
        "check": "tourney.cli.deck.checking:check",
        "show": "tourney.cli.deck.reading:show",
        "convert": "tourney.cli.deck.reading:convert",
        "diff": "tourney.cli.deck.comparing:diff",
        "hash": "tourney.cli.deck.comparing:hash_",
        "history": "tourney.cli.deck.comparing:history",
    },
)
