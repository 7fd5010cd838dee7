"""`tourney deck`: decklists before and beside an event.

`check` whether lists are legal, `verdict` one as a judge reads it, `reading` files as decklists, `showing` what a list says and
in other forms, `comparing` whether two are one deck, and since when one is legal.
"""

from tourney.cli.command import noun

cli = noun(
    "deck",
    lazy={
        "check": "tourney.cli.deck.check:check",
        "show": "tourney.cli.deck.showing:show",
        "convert": "tourney.cli.deck.showing:convert",
        "diff": "tourney.cli.deck.comparing:diff",
        "hash": "tourney.cli.deck.comparing:hash_",
        "history": "tourney.cli.deck.comparing:history",
    },
)
