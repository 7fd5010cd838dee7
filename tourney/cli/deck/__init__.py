"""`tourney deck`: decklists before and beside an event.

`reading` files as decklists, what a list says and in other forms; `checking` whether lists are legal, and why not; `comparing`
whether two are one deck, and since when one is legal.
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
